"""The log of a game while it is played: each event is in the file as soon as it has happened."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

from symkripke.files import log_target, write_whole
from symkripke.play.append_file import AppendFile
from symkripke.play.record import Record, Result, event_line, result_line
from symkripke.play.table import Table


class LiveLog:
    """Writes the log of a table, event by event. Use it as a context.

    If the game or the process ends early, the file is a log of the events so far. A complete log is
    the same as that of `Record.write`.
    """

    def __init__(self, path: Path | str, table: Table[Any, Any]) -> None:
        """Begin the log: replaces the file that is there; raises `LogError`."""
        self.table = table
        target = log_target(path)
        beginning = Record.of(table).lines()
        if target.is_file() or not target.exists():
            write_whole(path, "".join(f"{line}\n" for line in beginning))
            self._file = AppendFile(target)
        else:
            self._file = AppendFile(target)
            for line in beginning:
                self._file.add(line.encode())
        self._steps = len(table.steps)
        self._ended = Result.of(table) is not None

    def __enter__(self) -> LiveLog:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def update(self) -> None:
        """Write the events that have happened since the last time; raises `LogError`."""
        while self._steps < len(self.table.steps):
            self._file.add(event_line(self.table.steps[self._steps].outcome).encode())
            self._steps += 1

    def end(self) -> None:
        """Write how the game ended, too, if it has; raises `LogError`."""
        self.update()
        result = Result.of(self.table)
        if result is not None and not self._ended:
            self._file.add(result_line(result).encode())
            self._ended = True
