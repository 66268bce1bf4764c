"""Runs that were stopped in any way: nothing is lost, and the final files are the same."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from symkripke.errors import InputError, LogError
from symkripke.play.runs import result_files
from symkripke.play.runs.folder_lock import NAME
from symkripke.play.runs.run import RunStopped, carry_out
from symkripke.play.runs.run_folder import UNFINISHED, RunFolder
from symkripke.play.runs.tournament import Plan, Played, plan, play

MINDS = ("first-order", "higher-order")
SETUP: dict[str, Any] = {"rules": "study", "size": "2/3/3"}
GAMES = 7


def small(games: int = GAMES, **change: Any) -> Plan:
    given = {"options": SETUP, "minds": MINDS * 2, "rotate": True, "seed": 4, **change}
    return plan("cluedo", given.pop("options"), games=games, **given)


@pytest.fixture(scope="module")
def games() -> list[Played]:
    run = small()
    return [play(run, number) for number in range(GAMES)]


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("right")
    carry_out(small(), workers=1, folder=folder)
    return contents(folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def stopped(folder: Path, games: list[Played], run: Plan | None = None) -> None:
    """Leave the folder like a process that is killed after these games."""
    with RunFolder(folder, run or small()) as kept:
        for played in games:
            kept.add(played)


@pytest.mark.parametrize("rows", [False, True])
def test_a_stopped_run_continues_with_fewer_games(
    rows: bool, games: list[Played], tmp_path: Path
) -> None:
    """No finished game is lost: game 4 is finished, so the minimum is five."""
    stopped(tmp_path / "run", [games[4], games[0]])
    if rows:
        with RunFolder(tmp_path / "run", small(), resume=True) as kept:
            assert len(list(kept.earlier())) == 2
            kept.finish()
    with pytest.raises(InputError, match="at least as many"):
        carry_out(small(3), workers=1, folder=tmp_path / "run", resume=True)
    told: list[int] = []
    carry_out(
        small(3),
        workers=1,
        folder=tmp_path / "run",
        resume=True,
        fewer=True,
        tell=lambda _, played: told.extend([played.number] if played else []),
    )
    assert told == [1, 2, 3]
    carry_out(small(5), workers=1, folder=tmp_path / "right")
    assert contents(tmp_path / "run") == contents(tmp_path / "right")


# ---- the same final files ---------------------------------------------------------------------


@pytest.mark.parametrize("finished", [(), (5, 0, 6)])
def test_a_stopped_run_is_resumed(
    finished: tuple[int, ...], games: list[Played], right: dict[str, bytes], tmp_path: Path
) -> None:
    stopped(tmp_path, [games[number] for number in finished])
    told: list[int] = []
    done = carry_out(
        small(),
        workers=1,
        folder=tmp_path,
        resume=True,
        tell=lambda games, played: told.append(played.number if played else games),
    )
    assert told == [len(finished), *(n for n in range(GAMES) if n not in finished)]
    assert (done.earlier, done.summary.games) == (len(finished), GAMES)
    assert contents(tmp_path) == right
    again = carry_out(small(), workers=1)
    assert (done.summary.kinds, done.summary.curve) == (again.summary.kinds, again.summary.curve)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_run_gets_more_games(form: str, right: dict[str, bytes], tmp_path: Path) -> None:
    if form == "parquet":
        pytest.importorskip("polars")
    carry_out(small(3), workers=1, folder=tmp_path, form=form)
    done = carry_out(small(), workers=1, folder=tmp_path, resume=True)
    assert done.earlier == 3
    assert {path.name for path in done.files} == {f"games.{form}", f"events.{form}", "run.json"}
    # The rows in the other format come from the same games.
    carry_out(small(), workers=1, folder=tmp_path, resume=True, form="csv")
    assert contents(tmp_path) == right


def test_a_complete_run_is_left_unchanged(right: dict[str, bytes], tmp_path: Path) -> None:
    carry_out(small(), workers=1, folder=tmp_path)
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    done = carry_out(small(), workers=1, folder=tmp_path, resume=True)
    assert (done.earlier, done.summary.games) == (GAMES, GAMES)
    assert [path.name for path in done.files] == ["games.csv", "events.csv", "run.json"]
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before


def test_numbers_of_deals_beyond_machine_integers_are_resumed(tmp_path: Path) -> None:
    run = small(2, worlds=True)
    with RunFolder(tmp_path / "stopped", run) as kept:
        played = play(run, 1)
        (turn, first), *rest = played.course
        huge = (first[0]._replace(deals=3**200), *first[1:])
        kept.add(replace(played, course=((turn, huge), *rest)))
    carry_out(run, workers=1, folder=tmp_path / "stopped", resume=True)
    text = (tmp_path / "stopped" / "events.csv").read_text(encoding="utf-8")
    assert text.count(str(3**200)) == 1


@pytest.mark.parametrize("cut", [1, 40])
def test_a_game_with_half_a_line_is_played_again(
    cut: int, games: list[Played], right: dict[str, bytes], tmp_path: Path
) -> None:
    stopped(tmp_path, games[:4])
    lines = tmp_path / UNFINISHED
    lines.write_bytes(lines.read_bytes()[:-cut])
    done = carry_out(small(), workers=1, folder=tmp_path, resume=True)
    assert done.earlier == 3
    assert contents(tmp_path) == right


@pytest.mark.parametrize("moved", [0, 1, 2])
def test_a_kill_while_files_are_replaced(
    moved: int, right: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    carry_out(small(3), workers=1, folder=tmp_path)
    replace = Path.replace
    targets: list[str] = []

    def failing(path: Path, target: Path) -> Path:
        if len(targets) == moved and target.name != UNFINISHED:
            raise KeyboardInterrupt
        if target.name != UNFINISHED:
            targets.append(target.name)
        return replace(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", failing)
        done = carry_out(small(), workers=1, folder=tmp_path, resume=True)
    assert done.interrupted
    assert [path.name for path in done.files] == [UNFINISHED]
    # The remaining files belong to no run, and no file claims otherwise.
    assert "run.json" not in contents(tmp_path)
    with pytest.raises(InputError, match="holds a run that was stopped"):
        carry_out(small(), workers=1, folder=tmp_path)
    assert carry_out(small(), workers=1, folder=tmp_path, resume=True).earlier == GAMES
    assert contents(tmp_path) == right


# ---- other runs -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"seed": 5}, "its seed is 4, expected 5"),
        ({"turns": 9}, "its turns is 1000, expected 9"),
        ({"rotate": False}, "its rotate is true, expected false"),
        ({"assess": False}, "its assess is true, expected false"),
        ({"minds": ("racer",)}, r"its minds is \[.*, expected \[\"racer\""),
        ({"options": {**SETUP, "size": "3/3/3"}}, r"its setup\.edition\.name is .*2/3/3"),
    ],
)
def test_another_plan_is_refused(
    change: dict[str, Any], says: str, games: list[Played], tmp_path: Path
) -> None:
    stopped(tmp_path, games[:2])
    before = contents(tmp_path)
    with pytest.raises(InputError, match=says):
        carry_out(small(**change), workers=1, folder=tmp_path, resume=True)
    assert contents(tmp_path) == before


def without_checksums(folder: Path) -> None:
    """Leave the folder like an earlier version without checksums."""
    told = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    del told["sha256"]
    (folder / "run.json").write_text(json.dumps(told), encoding="utf-8")


def test_rows_with_a_changed_byte_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("polars")
    carry_out(small(3), workers=1, folder=tmp_path, form="parquet")
    rows = tmp_path / "games.parquet"
    whole = rows.read_bytes()
    assert len(whole) > 400
    for place in range(0, len(whole), 50):
        rows.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(LogError, match=r"games\.parquet was damaged or changed"):
            carry_out(small(3), workers=1, folder=tmp_path, resume=True)
    # Without a checksum, polars must detect the change; here it panics.
    without_checksums(tmp_path)
    rows.write_bytes(whole.replace(b"PAR1", b"PAR2"))
    with pytest.raises(LogError, match=r"cannot read .*games\.parquet"):
        carry_out(small(3), workers=1, folder=tmp_path, resume=True)


@pytest.mark.parametrize(
    "text", ["", "[]", "[" * 100_000, '{"complete":true,"finished":"3","format":"csv"}', b"\xff"]
)
def test_a_damaged_run_json_is_one_error(text: str | bytes, tmp_path: Path) -> None:
    carry_out(small(3), workers=1, folder=tmp_path)
    content = text if isinstance(text, bytes) else text.encode()
    (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(LogError, match=r"cannot read .*run\.json"):
        carry_out(small(3), workers=1, folder=tmp_path, resume=True)


def test_rows_of_another_run_are_refused(tmp_path: Path) -> None:
    carry_out(small(3), workers=1, folder=tmp_path)
    rows = tmp_path / "games.csv"
    rows.write_text(rows.read_text(encoding="utf-8").replace("4000001", "7"), encoding="utf-8")
    with pytest.raises(LogError, match=r"games\.csv was damaged or changed"):
        carry_out(small(3), workers=1, folder=tmp_path, resume=True)
    without_checksums(tmp_path)
    with pytest.raises(LogError, match=r"the rows in .* do not belong to this run"):
        carry_out(small(), workers=1, folder=tmp_path, resume=True)
    (tmp_path / "run.json").unlink()
    with pytest.raises(InputError, match=r"holds games\.csv without run\.json"):
        carry_out(small(), workers=1, folder=tmp_path, resume=True)
    with pytest.raises(InputError, match="resumed or replaced, not both"):
        carry_out(small(), workers=1, folder=tmp_path, resume=True, force=True)


def test_a_replaced_run_leaves_nothing(games: list[Played], tmp_path: Path) -> None:
    earlier = small(2, seed=9)
    carry_out(earlier, workers=1, folder=tmp_path)
    before = contents(tmp_path)
    with RunFolder(tmp_path, small(), force=True) as kept:
        assert {name: text for name, text in contents(tmp_path).items() if name != NAME} == before
        kept.add(games[3])
        assert set(contents(tmp_path)) == {UNFINISHED, NAME}
    assert set(contents(tmp_path)) == {UNFINISHED}


def test_two_runs_into_one_folder(tmp_path: Path, games: list[Played]) -> None:
    with RunFolder(tmp_path, small()) as kept:
        kept.add(games[0])
        before = contents(tmp_path)
        for force, resume in ((False, False), (True, False), (False, True)):
            with pytest.raises(InputError, match="another process is playing a run into"):
                carry_out(small(), workers=1, folder=tmp_path, force=force, resume=resume)
        assert contents(tmp_path) == before
    (tmp_path / NAME).touch()  # the lock of a killed process
    for prefix in (".games.csv.", ".run.json.", f".{UNFINISHED}."):
        (tmp_path / f"{prefix}abcdefgh").touch()
    assert carry_out(small(), workers=1, folder=tmp_path, resume=True).earlier == 1
    assert set(contents(tmp_path)) == {"games.csv", "events.csv", "run.json"}


# ---- a full disk -------------------------------------------------------------------------------


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, int]]:
    """Limit the number of bytes that can be appended; the last write may be partial."""
    left = {"bytes": 0}
    write = os.write

    def scarce(handle: int, data: memoryview) -> int:
        if left["bytes"] == 0 and data:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = write(handle, data[: left["bytes"]])
        left["bytes"] -= written
        return written

    monkeypatch.setattr(os, "write", scarce)
    yield left
    monkeypatch.undo()


def test_a_full_disk_keeps_finished_games(
    room: dict[str, int], right: dict[str, bytes], tmp_path: Path
) -> None:
    room["bytes"] = 6_000
    with pytest.raises(RunStopped, match="No space left on device") as caught:
        carry_out(small(), workers=1, folder=tmp_path)
    kept = caught.value.done.summary.games
    assert 0 < kept < GAMES
    assert json.loads((tmp_path / "run.json").read_text())["finished"] == kept
    room["bytes"] = 10**9
    done = carry_out(small(), workers=1, folder=tmp_path, resume=True)
    assert done.earlier == kept
    assert contents(tmp_path) == right


def test_no_room_for_the_files(
    right: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(result_files, "_sync", full)
        with pytest.raises(RunStopped, match=rf"No space left.*\n.*kept in .*{UNFINISHED}"):
            carry_out(small(), workers=1, folder=tmp_path)
    assert set(contents(tmp_path)) == {UNFINISHED}
    assert carry_out(small(), workers=1, folder=tmp_path, resume=True).earlier == GAMES
    assert contents(tmp_path) == right


def test_no_room_for_anything_leaves_nothing(room: dict[str, int], tmp_path: Path) -> None:
    with pytest.raises(RunStopped, match=f"No space left.*\n0 of {GAMES} games are finished$"):
        carry_out(small(), workers=1, folder=tmp_path / "new")
    assert room["bytes"] == 0
    assert list(tmp_path.iterdir()) == []
