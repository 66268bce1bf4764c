"""Runs: their files are the same however they are run, and nothing is lost at an early end."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from symkripke.errors import InputError, LogError, SymkripkeError, UnknownName
from symkripke.play import Table, game
from symkripke.play.runs import result_files
from symkripke.play.runs.run import carry_out
from symkripke.play.runs.run_folder import RunFolder
from symkripke.play.runs.tournament import GAMES, SEEDS, Plan, Played, plan, play, simulate

MINDS = ("first-order", "first-order", "higher-order", "higher-order")
FILES = ("events.csv", "games.csv", "run.json")


def small(games: int = 12, **options: Any) -> Plan:
    """Return a plan for the study's game with the minimum number of cards."""
    return plan("cluedo", {"rules": "study", "size": "2/3/3"}, games=games, minds=MINDS, **options)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))


def listed(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


class Here(Executor):
    """An executor that runs each task when it is submitted; `trouble` may replace the nth task."""

    def __init__(self, trouble: Callable[[int, Future[Any]], bool]) -> None:
        self.trouble = trouble
        self.submitted = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if not self.trouble(self.submitted, future):
            future.set_result(fn(*args, **kwargs))
        self.submitted += 1
        return future


# ---- the same games everywhere -------------------------------------------------------------


def test_files_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    run = small(12, rotate=True, seed=3)
    one = carry_out(run, workers=1, folder=tmp_path / "one")
    two = carry_out(run, workers=2, folder=tmp_path / "two")
    assert (one.workers, two.workers) == (1, 2)
    assert listed(tmp_path / "one") == list(FILES)
    for name in FILES:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert one.summary.kinds == two.summary.kinds
    assert one.summary.curve == two.summary.curve


def test_a_row_can_be_played_again(tmp_path: Path) -> None:
    run = small(9, rotate=True, seed=7)
    carry_out(run, workers=1, folder=tmp_path)
    cluedo = game("cluedo")
    for row in rows(tmp_path / "games.csv"):
        minds = [row[f"mind_{seat}"] for seat in range(1, 5)]
        table = Table(cluedo, run.setup, minds, int(row["seed"]))
        for _ in table:
            pass
        assert table.result == row["result"]
        assert " ".join(table.state.winners) == row["winners"]
        assert len(table.steps) == int(row["events"])


def test_seeds_are_all_different() -> None:
    runs = [small(1000, seed=seed) for seed in (0, 1, 2, SEEDS - 1)]
    seeds = [run.seed_of(number) for run in runs for number in (*range(1000), GAMES - 1)]
    assert len(set(seeds)) == len(seeds)
    assert max(seeds) < 2**53


def test_rotation_is_balanced() -> None:
    run = small(12, rotate=True)
    held = Counter((seat, mind) for g in range(12) for seat, mind in enumerate(run.minds_of(g)))
    assert set(held.values()) == {6}
    assert run.minds_of(1) == ("first-order", "higher-order", "higher-order", "first-order")
    assert small(12).minds_of(5) == MINDS


def test_each_deal_is_played_once_for_every_shift() -> None:
    setup = {"rules": "study", "size": "2/3/3"}
    minds = ("first-order", *("higher-order",) * 3)
    run = plan("cluedo", setup, games=11, minds=minds, rotate="deals", seed=2)
    played = [
        (run.seed_of(number), run.minds_of(number).index("first-order")) for number in range(11)
    ]
    deals = [(2_000_000 + deal, -shift % 4) for deal in range(3) for shift in range(4)]
    assert played == deals[:11]
    assert [run.number_of(seed) for seed in (2_000_000, 2_000_002)] == [0, 8]
    with pytest.raises(InputError, match="games would be repeated"):
        plan("cluedo", setup, games=11, minds=("first-order", "higher-order") * 2, rotate="deals")


# ---- rows ---------------------------------------------------------------------------------


def test_rows_describe_the_course_of_a_game(tmp_path: Path) -> None:
    run = small(6, seed=1)
    carry_out(run, workers=1, folder=tmp_path)
    games, events = rows(tmp_path / "games.csv"), rows(tmp_path / "events.csv")
    assert [row["game"] for row in games] == [str(number) for number in range(6)]
    assert len(events) == sum(4 * (int(row["events"]) + 1) for row in games)
    for row in games:
        course = [event for event in events if event["game"] == row["game"]]
        deal, last = course[:4], course[-4:]
        assert {(event["event"], event["turn"]) for event in deal} == {("0", "0")}
        assert {event["turn"] for event in last} == {row["turns"]}
        seat = int(row["winner_seats"])
        assert last[seat - 1]["certain"] == "true"
        assert (last[seat - 1]["open"], last[seat - 1]["player"]) == ("1", row["winners"])
        assert row["winner_minds"] == last[seat - 1]["mind"] == row[f"mind_{seat}"]


def test_parquet_and_csv_have_the_same_rows(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    run = small(8, turns=6)
    carry_out(run, workers=1, folder=tmp_path / "csv")
    carry_out(run, workers=1, folder=tmp_path / "parquet", form="parquet")
    assert listed(tmp_path / "parquet") == ["events.parquet", "games.parquet", "run.json"]
    for stem in ("games", "events"):
        columns = polars.read_parquet(tmp_path / "parquet" / f"{stem}.parquet")
        text = [
            {name: _as_text(value) for name, value in row.items()}
            for row in columns.iter_rows(named=True)
        ]
        assert text == rows(tmp_path / "csv" / f"{stem}.csv")
    assert columns.schema["open"] == polars.Int64
    assert columns.schema["certain"] == polars.Boolean


def test_parquet_is_written_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long run then needs no more memory for Parquet than a short one."""
    polars = pytest.importorskip("polars")
    run, scan, pieces = small(12, turns=6), polars.scan_csv, dict[str, list[int]]()

    def counted(texts: list[Path], **options: Any) -> Any:
        pieces[texts[0].stem.removesuffix("-0")] = [len(rows(text)) for text in texts]
        return scan(texts, **options)

    carry_out(run, workers=1, folder=tmp_path / "whole", form="parquet")
    monkeypatch.setattr(polars, "scan_csv", counted)
    monkeypatch.setattr(result_files, "_PIECE", 30)
    carry_out(run, workers=1, folder=tmp_path / "pieces", form="parquet")
    for stem in ("games", "events"):
        one, other = (
            polars.read_parquet(tmp_path / folder / f"{stem}.parquet")
            for folder in ("whole", "pieces")
        )
        assert one.equals(other)
        assert sum(pieces[stem]) == len(one)
    # A game has rows for the deal and 6 turns, all in one file.
    assert len(pieces["events"]) > 3
    assert max(pieces["events"]) < 30 + 7 * len(run.setup.players)


def _as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)


def test_parquet_without_polars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(InputError, match=r"pip install 'symkripke\[lab\]'"):
        carry_out(small(), workers=1, folder=tmp_path / "out", form="parquet")
    assert not (tmp_path / "out").exists()


def test_results_only(tmp_path: Path) -> None:
    done = carry_out(small(4, assess=False), workers=1, folder=tmp_path)
    assert listed(tmp_path) == ["games.csv", "run.json"]
    assert done.summary.curve == ()
    full = carry_out(small(4), workers=1)
    assert done.summary.kinds == full.summary.kinds


# ---- early ends ----------------------------------------------------------------------------


def test_an_interrupt_keeps_finished_games() -> None:
    def trouble(number: int, future: Future[Any]) -> bool:
        if number == 5:
            raise KeyboardInterrupt
        return number == 2  # a long game: this task never finishes

    kept: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        kept.extend(played.number for played in simulate(small(), Here(trouble), ahead=8))
    assert sorted(kept) == [0, 1, 3, 4]


def test_interrupted_run_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(run: Plan, number: int) -> Played:
        if number == 3:
            raise KeyboardInterrupt
        return play(run, number)

    monkeypatch.setattr("symkripke.play.runs.tournament.play", interrupted)
    done = carry_out(small(), workers=1, folder=tmp_path)
    assert done.interrupted
    assert done.summary.games == 3
    assert [row["game"] for row in rows(tmp_path / "games.csv")] == ["0", "1", "2"]
    assert json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["finished"] == 3


@pytest.mark.skipif(os.name == "nt", reason="there are no process groups to interrupt")
def test_ctrl_c_in_a_terminal_reaches_all_processes(tmp_path: Path) -> None:
    # The process that starts the tests may ignore Ctrl-C, as shells do for background jobs.
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from symkripke.cli import main; main()"
    )
    options = ["--rules", "study", "--games", "100000", "--workers", "2", "--out", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-c", program, "simulate", "cluedo", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            unfinished = tmp_path / "unfinished.jsonl"
            # Wait for the run and two games; the message for a single game would differ.
            while not unfinished.exists() or len(unfinished.read_bytes().splitlines()) < 3:
                assert process.poll() is None, "the run ended too soon"
                time.sleep(0.05)
            os.killpg(process.pid, signal.SIGINT)
            out, err = process.communicate()
        finally:
            # Otherwise a failing test would wait for 100,000 games.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130
    assert "Traceback" not in err
    games = rows(tmp_path / "games.csv")
    assert f"interrupted: {len(games)} of 100000 games are finished and kept" in err
    assert out.startswith(f"{len(games)} games of Cluedo")
    assert listed(tmp_path) == list(FILES)


def test_a_game_that_fails_is_named_and_the_others_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Table.step

    def step(table: Table[Any, Any]) -> Any:
        if table.seed == 2 * GAMES + 4:
            raise UnknownName("card", "rope", ["roper"])
        return made(table)

    monkeypatch.setattr(Table, "step", step)
    run = small(8, seed=2)
    for folder, executor in (("here", None), ("there", Here(lambda number, future: False))):
        monkeypatch.setattr("symkripke.play.runs.run.simulate", _over(executor))
        with pytest.raises(SymkripkeError, match=r"game 4 \(seed 2000004\): unknown card 'rope'"):
            carry_out(run, workers=1, folder=tmp_path / folder)
        kept = [row["game"] for row in rows(tmp_path / folder / "games.csv")]
        assert kept[:4] == ["0", "1", "2", "3"]
        assert "4" not in kept


def _over(executor: Executor | None) -> Callable[..., Any]:
    return lambda run, pool, **options: simulate(run, executor, **options)


def test_a_worker_that_dies() -> None:
    def trouble(number: int, future: Future[Any]) -> bool:
        if number == 2:
            future.set_exception(BrokenExecutor("gone"))
        return number == 2

    kept: list[int] = []
    with pytest.raises(SymkripkeError, match="a worker process ended unexpectedly"):
        kept.extend(played.number for played in simulate(small(), Here(trouble), ahead=4))
    assert sorted(kept) == [0, 1, 3]


# ---- folders --------------------------------------------------------------------------------


def test_an_earlier_run_is_safe(tmp_path: Path) -> None:
    carry_out(small(3), workers=1, folder=tmp_path)
    before = {name: (tmp_path / name).read_bytes() for name in FILES}
    with pytest.raises(InputError, match="of an earlier run"):
        carry_out(small(4), workers=1, folder=tmp_path)
    assert {name: (tmp_path / name).read_bytes() for name in FILES} == before
    carry_out(small(4, assess=False), workers=1, folder=tmp_path, force=True)
    assert listed(tmp_path) == ["games.csv", "run.json"]
    assert len(rows(tmp_path / "games.csv")) == 4


def test_a_run_without_games_leaves_nothing(tmp_path: Path) -> None:
    with RunFolder(tmp_path / "new" / "er", small()):
        assert (tmp_path / "new" / "er").is_dir()
    assert listed(tmp_path) == []


def test_invalid_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setattr("symkripke.play.runs.run.simulate", None)  # the error comes before any game
    for place in ("file", "file/below"):
        with pytest.raises(LogError, match="cannot make"):
            carry_out(small(), workers=1, folder=tmp_path / place)
    with pytest.raises(UnknownName, match="unknown format 'xls'"):
        carry_out(small(), workers=1, folder=tmp_path, form="xls")


# ---- faults ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"games": 0}, "expected games from 1"),
        ({"turns": 0}, "expected turns from 1"),
        ({"seed": -1}, "expected a seed from 0"),
        ({"minds": ("wizard",)}, "unknown kind of Cluedo player 'wizard'"),
        ({"minds": MINDS[:3]}, "expected 1 or 4 minds for 4 players, got 3"),
        ({"options": {"rules": "chess"}}, "unknown rule set 'chess'"),
        ({"game_name": "cludo"}, "did you mean 'cluedo'"),
    ],
)
def test_invalid_plans(change: dict[str, Any], says: str) -> None:
    given = {"game_name": "cluedo", "options": {"rules": "study"}, "games": 2, "minds": MINDS}
    with pytest.raises(InputError, match=says):
        plan(**{**given, **change})


def test_less_than_one_worker() -> None:
    with pytest.raises(InputError, match="at least 1 worker, got 0"):
        carry_out(small(), workers=0)
