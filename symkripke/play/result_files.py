"""The files of a run: one row a game, one row an event and player, and how to repeat it.

    games.csv   game, seed, players, turns, events, finished, result, winner_seats, winners,
                winner_minds, mind_1, mind_2, ...: the minds by seat
    events.csv  game, event, turn, seat, player, mind, open, located, certain, out;
                event 0 is the deal; and deals, if they are counted: in Parquet as text, because
                there can be more than 64 bits can count
    run.json    all that the run depends on, the version, and how many games are here

Games count from 0, seats and turns from 1. Several winners are separated by spaces; nobody is an
empty field (in Parquet: null). There is nothing in them that differs between two runs of one plan.
"""

from __future__ import annotations

import csv
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

import msgspec

from symkripke.errors import InputError, LogError, check_name
from symkripke.play.record import check_writable, renamed, write_whole
from symkripke.play.tournament import Plan, Played

if TYPE_CHECKING:
    import polars

FORMATS = ("csv", "parquet")
"""The formats of rows; the first is the default."""

_GAMES = {
    "game": int,
    "seed": int,
    "players": int,
    "turns": int,
    "events": int,
    "finished": bool,
    "result": str,
    "winner_seats": str,
    "winners": str,
    "winner_minds": str,
}
_EVENTS = {
    "game": int,
    "event": int,
    "turn": int,
    "seat": int,
    "player": str,
    "mind": str,
    "open": int,
    "located": int,
    "certain": bool,
    "out": bool,
}
_FILES = tuple(f"{stem}.{form}" for stem in ("games", "events") for form in FORMATS)
_RUN = "run.json"


class Rows:
    """Writes the files of a run into a folder. Use it as a context; `finish` makes them appear.

    Rows go to hidden files first, game by game, so that memory is bounded; without `finish`
    these are removed, and files of an earlier run are as they were.
    """

    # ---- begin -------------------------------------------------------------------------

    def __init__(self, folder: Path | str, run: Plan, form: str = "csv", *, force: bool = False):
        """Check everything that can be checked before the games are played.

        Args:
            folder: where; made if it is not there.
            run: the run.
            form: "csv" or "parquet".
            force: whether files of an earlier run may be replaced.

        Raises:
            UnknownName: there is no such format.
            InputError: polars is missing; or the folder holds a run, and no `force`.
            LogError: the folder cannot be made, or not be written to.
        """
        check_name("format", form, FORMATS)
        if form == "parquet" and find_spec("polars") is None:
            raise InputError("Parquet needs polars: pip install 'symkripke[lab]'")
        self.folder = Path(folder)
        self.run = run
        self.form = form
        self._columns = {"games": {**_GAMES, **{f"mind_{n}": str for n in _seats(run)}}}
        if run.assess:
            self._columns["events"] = {**_EVENTS, **({"deals": str} if run.worlds else {})}
        self._made = self._make(force)
        self._games = 0

    def _make(self, force: bool) -> list[Path]:
        """Make the folder; returns what had to be made, innermost first."""
        missing = [place for place in (self.folder, *self.folder.parents) if not place.exists()]
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LogError(f"cannot make {self.folder}: {error.strerror or error}") from None
        for name in (*_FILES, _RUN):
            check_writable(self.folder / name)
            if not force and (self.folder / name).exists():
                raise InputError(
                    f"{self.folder} holds {name} of an earlier run: choose another folder, "
                    "or replace it with --force"
                )
        return missing

    def __enter__(self) -> Rows:
        self._stack = ExitStack()
        self._aside: dict[str, Path] = {}
        self._writers: dict[str, Any] = {}
        self._texts: list[TextIO] = []
        with self._stack, _faults(self.folder):
            for stem, columns in self._columns.items():
                handle, name = tempfile.mkstemp(dir=self.folder, prefix=f".{stem}.")
                self._stack.callback(Path(name).unlink, missing_ok=True)
                text = os.fdopen(handle, "w", encoding="utf-8", newline="")
                self._stack.callback(text.close)
                writer = csv.writer(text, lineterminator="\n")
                writer.writerow(columns)
                self._aside[stem], self._writers[stem] = Path(name), writer
                self._texts.append(text)
            self._stack = self._stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()
        for folder in self._made:
            try:
                folder.rmdir()
            except OSError:
                break  # it is not empty: there is something to keep

    # ---- write -------------------------------------------------------------------------

    def add(self, played: Played) -> None:
        """Write the rows of a game; raises `LogError`."""
        names = self.run.setup.players
        with _faults(self.folder):
            self._writers["games"].writerow(
                (
                    played.number,
                    played.seed,
                    len(names),
                    played.turns,
                    played.events,
                    _truth(played.finished),
                    played.result,
                    " ".join(str(seat + 1) for seat in played.winners),
                    " ".join(names[seat] for seat in played.winners),
                    " ".join(played.minds[seat] for seat in played.winners),
                    *played.minds,
                )
            )
            if self.run.assess:
                self._writers["events"].writerows(_events(names, played))
        self._games += 1

    def finish(self) -> list[Path]:
        """Put the files in their places, each whole, `run.json` last; returns them.

        Raises:
            LogError: one cannot be written.
        """
        paths = []
        with _faults(self.folder):
            for text in self._texts:
                text.close()
            for stem, aside in self._aside.items():
                target = self.folder / f"{stem}.{self.form}"
                with renamed(target) as new:
                    if self.form == "csv":
                        aside.replace(new)
                    else:
                        _read(aside, self._columns[stem]).write_parquet(new)
                paths.append(target)
            write_whole(self.folder / _RUN, json.dumps(self._told(), indent=2) + "\n")
            for name in _FILES:
                if self.folder / name not in paths:
                    (self.folder / name).unlink(missing_ok=True)
        return [*paths, self.folder / _RUN]

    def _told(self) -> dict[str, Any]:
        run = self.run
        return {
            "symkripke": version("symkripke"),
            "game": run.game,
            "games": run.games,
            "finished": self._games,
            "seed": run.seed,
            "minds": run.minds,
            "rotate": run.rotate,
            "turns": run.turns,
            "format": self.form,
            "setup": msgspec.to_builtins(run.setup),
        }


def _events(names: tuple[str, ...], played: Played) -> Iterator[tuple[Any, ...]]:
    for event, (turn, snapshots) in enumerate(played.course):
        for seat, snapshot in enumerate(snapshots):
            yield (
                played.number,
                event,
                turn,
                seat + 1,
                names[seat],
                played.minds[seat],
                snapshot.open,
                snapshot.located,
                _truth(snapshot.certain),
                _truth(snapshot.out),
                *(() if snapshot.deals is None else (snapshot.deals,)),
            )


def _seats(run: Plan) -> range:
    return range(1, len(run.setup.players) + 1)


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _read(path: Path, columns: dict[str, type]) -> polars.DataFrame:
    import polars

    kinds = {int: polars.Int64(), bool: polars.Boolean(), str: polars.String()}
    return polars.read_csv(path, schema={name: kinds[kind] for name, kind in columns.items()})


@contextmanager
def _faults(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LogError(f"cannot write to {folder}: {error.strerror or error}") from error
