"""The log of a running game, which is readable at any moment."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from symkripke.errors import JournalChanged, LogError
from symkripke.play import Record, Table, game


def table(turns: int = 1000) -> Table[Any, Any]:
    played = game("cluedo")
    return Table(played, played.setup(rules="study", size="2/3/3"), ("first-order",), turns=turns)


@pytest.mark.parametrize("turns", [1000, 2])
def test_each_event_is_written_at_once(turns: int, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("an older log\n", encoding="utf-8")
    played = table(turns)
    played.keep(path, replace=True)
    assert Record.read(path).outcomes == ()
    for number, _ in enumerate(played, 1):
        assert len(Record.read(path).outcomes) == number
    assert number > 1
    whole = tmp_path / "whole.jsonl"
    played.record.write(whole)
    assert path.read_bytes() == whole.read_bytes()
    assert Record.read(path).result is not None
    assert sorted(tmp_path.iterdir()) == [path, whole]


def test_a_full_disk_leaves_whole_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    played = table()
    played.keep(path)
    played.step()
    before, steps = path.read_bytes(), len(played.steps)

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(LogError, match=r"cannot write .*: No space left"):
        played.step()
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert len(played.steps) == steps
    played.step()
    Table.open(path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
def test_devices_are_written_to_directly(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="cannot write /dev/full: No space left"):
        table().keep("/dev/full", replace=True)
    with pytest.raises(LogError, match="cannot write /dev/full: No space left"):
        table().record.write("/dev/full")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        played = table()
        played.keep(pipe, replace=True)
        for _ in played:
            pass
        text = os.read(reader, 1 << 16).decode()
    finally:
        os.close(reader)
    assert text == "".join(f"{line}\n" for line in played.record.lines())


def test_a_cut_off_line_is_named(tmp_path: Path) -> None:
    played = table()
    played.step()
    text = "".join(f"{line}\n" for line in played.record.lines())
    with pytest.raises(LogError, match="line 3: the last line is cut off; without it the log can"):
        Record.parse(text[:-9], "a.jsonl")


@pytest.mark.parametrize("name", ["cluedo", "perudo"])
def test_a_game_of_minds_continues_where_it_was_left(name: str, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    played = Table.of(game(name), seed=4)
    played.keep(whole)
    for _ in played:
        if len(played.steps) == 30:
            break
    lines = whole.read_text().splitlines(keepends=True)
    cut.write_text("".join(lines[:9]))
    again = Table.open(cut)
    assert len(again.steps) == 7
    while len(again.steps) < len(played.steps):
        again.step()
    assert cut.read_bytes() == whole.read_bytes()


def test_a_game_that_its_minds_would_not_have_played_is_not_continued(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    played = table()
    played.keep(path)
    played.step()
    path.write_text(path.read_text().replace('"seed":0', '"seed":1'))
    with pytest.raises(
        LogError, match=r"game\.jsonl, line 3: the computer players choose differently"
    ):
        Table.open(path)


def test_two_programs_at_one_table_never_add_to_an_older_game(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    table().keep(path)
    first, second = Table.open(path), Table.open(path)
    first.step()
    with pytest.raises(JournalChanged):
        second.step()
    second.refresh()
    assert second.steps == first.steps
    second.step()
    assert len(Record.read(path).outcomes) == 2


def test_an_event_written_at_the_time_of_ctrl_c_has_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    played = table()
    played.keep(path)

    def interrupted(handle: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            played.step()
    assert len(played.steps) == len(Record.read(path).outcomes) == 1
    for _ in played:
        pass
    assert Record.read(path).outcomes == tuple(step.outcome for step in played.steps)
