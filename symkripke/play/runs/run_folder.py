"""The folder of a run: its files, and the finished games of an unfinished run.

    games.*, events.*, run.json   see `result_files`
    unfinished.jsonl              the plan of a running or stopped run in the first line, and
                                  then one line for each game, in the order of finishing
    .lock                         see `folder_lock`

If there is an unfinished.jsonl, it has all finished games of the run, including the games with
rows. It is removed when the other files are complete. The finished games are therefore kept even if
the run ends early, and `RunFolder(..., resume=True)` continues with them.
"""

from __future__ import annotations

import shutil
import time
from array import array
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from symkripke.decoding import from_json
from symkripke.errors import InputError, LogError, check_name
from symkripke.files import aside_prefix, check_writable, make_folder
from symkripke.play.runs.append_file import AppendFile
from symkripke.play.runs.folder_lock import locked
from symkripke.play.runs.result_files import (
    FOLDER_ASIDE,
    FORMATS,
    ROW_FILES,
    RUN,
    JsonObject,
    check_same_plan,
    plan_data,
    read_games,
    read_run,
    replace_files,
    run_data,
)
from symkripke.play.runs.tournament import Plan, Played

UNFINISHED = "unfinished.jsonl"

# The time between two calls of fsync, in seconds. A call after every game would take too long, and
# helps only if the machine stops.
_SYNC = 2.0


class RunFolder:
    """The folder that keeps the games of a run, as a context manager; `finish` writes the files.

    Attributes:
        folder: the folder.
        run: the run, which may have more games than the given run (see `fewer`).
        form: the format of rows.
        games: the number of finished games.
    """

    # ---- begin -------------------------------------------------------------------------

    def __init__(
        self,
        folder: Path | str,
        run: Plan,
        form: str | None = None,
        *,
        force: bool = False,
        resume: bool = False,
        fewer: bool = False,
    ) -> None:
        """Check the arguments without reading the folder.

        Args:
            folder: the folder, which is created if it does not exist.
            run: the run.
            form: one of `FORMATS`; None for the format of the resumed run, or else the first
                format.
            force: whether files of an earlier run may be replaced.
            resume: whether to continue an earlier run, if there is one.
            fewer: whether the plan of the earlier run may have more games. The run then has enough
                games to keep every finished game.

        Raises:
            UnknownName: there is no such format.
            InputError: polars is missing, or both `force` and `resume` are given.
        """
        if form is not None:
            check_name("format", form, FORMATS)
        if force and resume:
            raise InputError("expected an earlier run to be resumed or replaced, not both")
        self.folder = Path(folder)
        self.run = run
        self.form = form or FORMATS[0]
        self.games = 0
        self._chosen = form
        self._force = force
        self._resume = resume
        self._fewer = fewer
        self._complete = False
        _check_polars(self.form)

    def __enter__(self) -> RunFolder:
        """Lock the folder and check its content.

        Raises:
            InputError: another process is playing a run into the folder, or the folder holds a run
                that must not be replaced, or that cannot be resumed because its plan differs.
            LogError: the folder cannot be created, written to or read.
        """
        with ExitStack() as stack:
            stack.callback(self._unmake, self._make())
            stack.enter_context(locked(self.folder))
            self._sweep()
            self._earlier = self._look()
            _check_polars(self.form)
            # The offset of the line of each game, by its number; -1 if there is none.
            self._places = array("q", [-1]) * self.run.games
            self._lines: AppendFile | None = None
            self._synced = time.monotonic()
            stack.callback(self._close)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def _make(self) -> list[Path]:
        """Create the folder, and return the created folders, innermost first."""
        missing = [place for place in (self.folder, *self.folder.parents) if not place.exists()]
        make_folder(self.folder)
        return missing

    def _unmake(self, made: list[Path]) -> None:
        """Remove the created folders if they are empty."""
        for folder in made:
            try:
                folder.rmdir()
            except OSError:
                break  # the folder is not empty

    def _sweep(self) -> None:
        """Remove the temporary files of a process that was killed."""
        prefixes = [aside_prefix(name) for name in (*ROW_FILES, RUN, UNFINISHED)]
        for path in self.folder.iterdir():
            if path.is_dir() and path.name.startswith(FOLDER_ASIDE):
                shutil.rmtree(path, ignore_errors=True)
            elif path.name.startswith(tuple(prefixes)):
                path.unlink(missing_ok=True)

    def _look(self) -> str:
        """Return the source of the earlier run to continue: "lines", "rows", or "" for none."""
        there = [name for name in (RUN, *ROW_FILES, UNFINISHED) if (self.folder / name).exists()]
        for name in (*ROW_FILES, RUN, UNFINISHED):
            check_writable(self.folder / name)
        if not there or self._force:
            return ""
        if not self._resume:
            held = "a run that was stopped" if UNFINISHED in there else there[0]
            raise InputError(
                f"{self.folder} holds {held}{'' if UNFINISHED in there else ' of an earlier run'}: "
                "choose another folder, continue it with --resume, or replace it with --force"
            )
        lines = read_header(self.folder / UNFINISHED)
        if lines is not None:
            earlier, form = lines
            source = "lines"
        elif (read := read_run(self.folder)) is not None:
            earlier, form, source = plan_data(read), read["format"], "rows"
        elif there == [UNFINISHED]:
            return ""  # the process was killed before its first write
        else:
            raise InputError(
                f"{self.folder} holds {there[0]} without {RUN}: choose another folder, or replace "
                "it with --force"
            )
        if self._fewer:
            earlier = self._with_fewer(source, earlier, form)
        check_same_plan(self.run, earlier, self.folder)
        if form not in FORMATS:
            raise InputError(f"the run in {self.folder} has rows in an unknown format: {form!r}")
        self._form_there = form
        self.form = self._chosen or form
        return source

    def _with_fewer(self, source: str, earlier: JsonObject, form: Any) -> JsonObject:
        """Return the earlier plan without games that are neither wanted nor finished."""
        planned = earlier.get("games")
        if not isinstance(planned, int) or planned <= self.run.games or form not in FORMATS:
            return earlier
        before = replace(self.run, games=planned)
        if source == "lines":
            lines = _finished(self.folder / UNFINISHED, before)
            numbers = [played.number for _, _, played in lines]
        else:
            numbers = [played.number for played in read_games(self.folder, before, form)]
        self.run = replace(self.run, games=max([self.run.games, *(n + 1 for n in numbers)]))
        return {**earlier, "games": self.run.games}

    # ---- the games -----------------------------------------------------------------------

    def earlier(self) -> Iterator[Played]:
        """Yield the games that an earlier run finished. Consume them before the first `add`.

        Raises:
            LogError: the games cannot be read or copied.
        """
        path = self.folder / UNFINISHED
        if self._earlier == "lines":
            end = 0
            for begin, after, played in _finished(path, self.run):
                end = after
                if self._places[played.number] < 0:
                    self._places[played.number] = begin
                    self.games += 1
                    yield played
            self._lines = AppendFile(path, f"to {self.folder}")
            # An incomplete or unreadable line is overwritten, with everything after it.
            self._lines.end = end or _after_header(path)
            return
        if self._earlier != "rows":
            return
        read = read_run(self.folder) or {}
        games = read_games(self.folder, self.run, self._form_there)
        if read.get("finished") == self.run.games and self.form == self._form_there:
            self._complete = True  # nothing will change
            for played in games:
                self.games += 1
                yield played
        else:
            aside = self._new_lines()
            for played in games:
                self._write(played)
                yield played
            self._appear(aside)
        if self.games != read.get("finished"):
            raise LogError(
                f"expected rows of {read.get('finished')} games in {self.folder}, "
                f"found {self.games}"
            )

    def missing(self) -> Iterator[int]:
        """Yield the numbers of unfinished games, in order."""
        if not self._complete:
            yield from (number for number in range(self.run.games) if self._places[number] < 0)

    def add(self, played: Played) -> None:
        """Store a finished game. Raise `LogError` if it cannot be written."""
        if self._lines is None:
            # An earlier run stays unchanged until the first game is finished.
            aside = self._new_lines()
            self._write(played)
            self._appear(aside)
        else:
            self._write(played)
        if time.monotonic() - self._synced > _SYNC:
            assert self._lines is not None
            self._lines.sync()
            self._synced = time.monotonic()

    def finish(self) -> list[Path]:
        """Write the files of all finished games, and return them, with run.json last.

        Raises:
            LogError: a file cannot be written. The games stay stored.
        """
        if self._complete:
            return [path for name in (*ROW_FILES, RUN) if (path := self.folder / name).exists()]
        if not self.games:
            return []
        assert self._lines is not None
        self._lines.sync()
        files = replace_files(self.folder, self.run, self.form, self._in_order(), self.games)
        self._close()
        (self.folder / UNFINISHED).unlink()
        return files

    # ---- lines -----------------------------------------------------------------------------

    def _new_lines(self) -> Path:
        aside = self.folder / f"{aside_prefix(UNFINISHED)}new"
        aside.unlink(missing_ok=True)
        self._lines = AppendFile(aside, f"to {self.folder}")
        header = {"format": self.form, "run": run_data(self.run)}
        self._lines.add(msgspec.json.encode(header))
        return aside

    def _appear(self, aside: Path) -> None:
        """Rename the file of new lines, which is complete now."""
        assert self._lines is not None
        self._lines.sync()
        try:
            aside.replace(self.folder / UNFINISHED)
            self._lines.path = self.folder / UNFINISHED
            if self._force:
                for name in (RUN, *ROW_FILES):
                    (self.folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise LogError(f"cannot write to {self.folder}: {error.strerror or error}") from None

    def _write(self, played: Played) -> None:
        assert self._lines is not None
        begin = self._lines.add(msgspec.json.encode(played))
        if self._places[played.number] < 0:
            self.games += 1
        self._places[played.number] = begin

    def _in_order(self) -> Iterator[Played]:
        with (self.folder / UNFINISHED).open("rb") as lines:
            for begin in self._places:
                if begin >= 0:
                    lines.seek(begin)
                    yield from_json(lines.readline(), Played, lines.name)

    def _close(self) -> None:
        if self._lines is not None:
            lines, self._lines = self._lines, None
            lines.close()
            if lines.path.name != UNFINISHED:
                lines.path.unlink(missing_ok=True)


def _check_polars(form: str) -> None:
    if form == "parquet" and find_spec("polars") is None:
        raise InputError("Parquet needs polars: pip install 'symkripke[lab]'")


def read_header(path: Path) -> tuple[JsonObject, str] | None:
    """Return the plan and the format in the first line; None if it is missing or unreadable."""
    try:
        with path.open("rb") as lines:
            line = lines.readline()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LogError(f"cannot read {path}: {error.strerror or error}") from None
    try:
        read: JsonObject = from_json(line, JsonObject, str(path))
        return dict(read["run"]), str(read["format"])
    except (LogError, LookupError, TypeError, ValueError):
        return None


def _after_header(path: Path) -> int:
    with path.open("rb") as lines:
        return len(lines.readline())


def _finished(path: Path, run: Plan) -> Iterator[tuple[int, int, Played]]:
    """Yield each game in the lines, with the offsets of the beginning and the end of its line.

    Stop at the first line that cannot be read. The games after it are played again.
    """
    try:
        with path.open("rb") as lines:
            begin = len(lines.readline())
            for line in lines:
                try:
                    played: Played = from_json(line, Played, str(path))
                except LogError:
                    return
                number = played.number
                if not line.endswith(b"\n") or not 0 <= number < run.games:
                    return
                yield begin, begin + len(line), played
                begin += len(line)
    except OSError as error:
        raise LogError(f"cannot read {path}: {error.strerror or error}") from None
