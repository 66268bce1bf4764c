"""The log of a game while it is played: readable at any moment."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from symkripke.errors import LogError
from symkripke.play import Record, Table, game
from symkripke.play.live_log import LiveLog


def table(turns: int = 1000) -> Table[Any, Any]:
    played = game("cluedo")
    return Table(played, played.setup(rules="study", size="2/3/3"), ("first-order",), turns=turns)


@pytest.mark.parametrize("turns", [1000, 2])
def test_each_event_is_there_as_soon_as_it_has_happened(turns: int, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("an older log\n", encoding="utf-8")
    played = table(turns)
    with LiveLog(path, played) as log:
        assert Record.read(path).outcomes == ()
        for number, _ in enumerate(played, 1):
            log.update()
            assert len(Record.read(path).outcomes) == number
        assert number > 1
        assert Record.read(path).result is None
        log.end()
    whole = tmp_path / "whole.jsonl"
    Record.of(played).write(whole)
    assert path.read_bytes() == whole.read_bytes()
    assert Record.read(path).result is not None
    assert sorted(tmp_path.iterdir()) == [path, whole]


def test_a_full_disk_leaves_whole_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    played = table()
    write = os.write
    with LiveLog(path, played) as log:
        played.step()
        log.update()
        before = path.read_bytes()

        def scarce(handle: int, data: memoryview) -> int:
            if len(data) <= 10:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return write(handle, data[:-10])

        monkeypatch.setattr(os, "write", scarce)
        played.step()
        with pytest.raises(LogError, match=r"cannot write .*: No space left"):
            log.update()
        monkeypatch.undo()
        assert path.read_bytes() == before
        log.update()
    assert len(Record.read(path).outcomes) == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
def test_a_device_is_written_to_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="cannot write /dev/full: No space left"):
        LiveLog("/dev/full", table())
    with pytest.raises(LogError, match="cannot write /dev/full: No space left"):
        Record.of(table()).write("/dev/full")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        played = table()
        with LiveLog(pipe, played) as log:
            for _ in played:
                log.update()
            log.end()
        text = os.read(reader, 1 << 16).decode()
    finally:
        os.close(reader)
    assert text == "".join(f"{line}\n" for line in Record.of(played).lines())


def test_a_line_that_is_cut_off_is_named(tmp_path: Path) -> None:
    played = table()
    played.step()
    text = "".join(f"{line}\n" for line in Record.of(played).lines())
    with pytest.raises(LogError, match="line 3: the last line is cut off; without it the log can"):
        Record.parse(text[:-9], "a.jsonl")
