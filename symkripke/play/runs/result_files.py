"""The files of a run: a row for each game, a row for each event and player, and the plan.

    games.csv   game, seed, players, turns, events, finished, result, winner_seats, winners,
                winner_minds, mind_1, mind_2, ...: the minds by seat; then QUANTITY_1,
                QUANTITY_2, ... for each measured quantity, by seat; and fault: the error in a
                game that could not continue, if failed games are kept
    events.csv  game, event, turn, seat, player, mind, open, located, certain, out;
                event 0 is the deal; and deals, if they are counted: as text in Parquet,
                because their number may exceed 64 bits
    run.json    the plan, the version, the number of finished games, whether these are all
                games (complete), and a checksum of each file of rows

Games are numbered from 0, seats and turns from 1. Several winners are separated by spaces. Without
winners, the field is empty (in Parquet: null). Two runs of the same plan have identical files.

If there is a run.json, the other two files are complete and belong to it. See `run_folder` for
other files that may be in the folder.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import fields
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from symkripke.decoding import from_json
from symkripke.errors import InputError, LogError, clipped
from symkripke.files import read_text, reason, renamed
from symkripke.play.registry import game
from symkripke.play.runs.measures import check_measures
from symkripke.play.runs.tournament import Plan, Played, Snapshot

FORMATS = ("csv", "parquet")
"""The formats of rows; the first is the default."""

RUN = "run.json"
ROW_FILES = tuple(f"{stem}.{form}" for stem in ("games", "events") for form in FORMATS)

JsonObject: TypeAlias = dict[str, Any]
"""The content of run.json for a plan."""

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


def _columns(run: Plan) -> dict[str, dict[str, type]]:
    """Return the columns of each file of rows, by the stem of its name."""
    minds = {f"mind_{seat}": str for seat in range(1, len(run.setup.players) + 1)}
    measured = dict.fromkeys(_measured(run), float)
    fault = {"fault": str} if run.keep_faults else {}
    columns: dict[str, dict[str, type]] = {"games": {**_GAMES, **minds, **measured, **fault}}
    if run.assess:
        columns["events"] = {**_EVENTS, **({"deals": str} if run.worlds else {})}
    return columns


def _measured(run: Plan) -> tuple[str, ...]:
    """Return the columns of measures, which are called QUANTITY_SEAT, with seats from 1."""
    seats = range(1, len(run.setup.players) + 1)
    return tuple(f"{name}_{seat}" for name in _quantities(run) for seat in seats)


def _quantities(run: Plan) -> tuple[str, ...]:
    return _quantities_of(run.game, run.measures)


@cache
def _quantities_of(game_name: str, measures: tuple[str, ...]) -> tuple[str, ...]:
    chosen = check_measures(game(game_name), measures)
    return tuple(quantity for measure in chosen for quantity in measure.quantities)


# ---- the plan ------------------------------------------------------------------------------


_WITHOUT_EFFECT = ("seconds", "memory", "timed")


def run_data(run: Plan) -> JsonObject:
    """Return a plan and the version of this package as JSON values.

    Settings that do not affect results are omitted: the limits of time and memory, which can end a
    run, and the measurement of time. `measures` and `keep_faults` are omitted if they are not used.
    """
    from importlib.metadata import version  # slow to import

    plan = {
        field.name: getattr(run, field.name)
        for field in fields(run)
        if field.name not in _WITHOUT_EFFECT
    }
    for name in ("measures", "keep_faults"):
        if not plan[name]:
            del plan[name]
    as_json: JsonObject = msgspec.to_builtins({"symkripke": version("symkripke"), **plan})
    return as_json


def check_same_plan(run: Plan, earlier: Mapping[str, Any], folder: Path) -> None:
    """Raise `InputError` if a run cannot continue an earlier run.

    The number of games may be larger than before; everything else must be the same.
    """
    before, now = (
        _flat(earlier),
        _flat(from_json(json.dumps(run_data(run)), JsonObject, "the plan")),
    )
    games = before.pop("games", None)
    now.pop("games")
    for name in sorted({*before, *now}, key=lambda name: (name.count("."), name)):
        if before.get(name) != now.get(name):
            shown = [
                "nothing" if value is None else clipped(json.dumps(value))
                for value in (before.get(name), now.get(name))
            ]
            raise InputError(
                f"the run in {folder} is a different one: its {name} is {shown[0]}, "
                f"expected {shown[1]}"
            )
    if not isinstance(games, int) or games > run.games:
        raise InputError(
            f"the run in {folder} has {games} games: expected at least as many, got {run.games}"
        )


def _flat(values: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return all values by their paths, such as "setup.rules", without null values."""
    flat: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            flat.update(_flat(value, f"{before}{name}."))
        elif value is not None:
            flat[before + name] = value
    return flat


# ---- write ---------------------------------------------------------------------------------


def replace_files(
    folder: Path, run: Plan, form: str, games: Iterable[Played], finished: int
) -> list[Path]:
    """Write the files of a run, and replace the old files as a set.

    There is no run.json during the replacement. Return the files, with run.json last.

    Args:
        folder: the folder.
        run: the run.
        form: one of `FORMATS`.
        games: the games of the run, in the order of their numbers.
        finished: the number of these games.

    Raises:
        LogError: a file cannot be written. The old files are then unchanged, unless the error
            occurred during the replacement.
    """
    columns = _columns(run)
    targets = {stem: folder / f"{stem}.{form}" for stem in columns}
    with _faults(folder):
        with ExitStack() as moving:
            # The files are moved in reverse order, so that run.json is the last.
            aside = moving.enter_context(renamed(folder / RUN))
            asides = {stem: moving.enter_context(renamed(path)) for stem, path in targets.items()}
            if form == "csv":
                _write_csv(run, columns, games, asides)
            else:
                with _folder_aside(folder) as place:
                    texts: dict[str, list[Path]] = {stem: [] for stem in columns}
                    for number, piece in enumerate(_pieces(games)):
                        paths = {stem: place / f"{stem}-{number}.csv" for stem in columns}
                        _write_csv(run, columns, piece, paths)
                        for stem, path in paths.items():
                            texts[stem].append(path)
                    for stem, names in columns.items():
                        _to_parquet(texts[stem], names, asides[stem])
            sums = {targets[stem].name: _checksum(path) for stem, path in asides.items()}
            kept = _Kept(finished == run.games, finished, form, sums)
            content = {**msgspec.to_builtins(kept), **run_data(run)}
            aside.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
            for path in (aside, *asides.values()):
                _sync(path)
            (folder / RUN).unlink(missing_ok=True)
            for name in ROW_FILES:
                if folder / name not in targets.values():
                    (folder / name).unlink(missing_ok=True)
        _sync_folder(folder)
    return [*targets.values(), folder / RUN]


def _write_csv(
    run: Plan,
    columns: Mapping[str, Mapping[str, type]],
    games: Iterable[Played],
    paths: Mapping[str, Path],
) -> None:
    """Write the rows of games as CSV."""
    with ExitStack() as stack:
        writers = {}
        for stem, path in paths.items():
            file = stack.enter_context(path.open("w", encoding="utf-8", newline=""))
            writers[stem] = csv.writer(file, lineterminator="\n")
            writers[stem].writerow(columns[stem])
        for played in games:
            writers["games"].writerow(_game_row(run, played))
            if run.assess:
                writers["events"].writerows(_event_rows(run.setup.players, played))


def _pieces(games: Iterable[Played]) -> Iterator[list[Played]]:
    """Yield the games in batches of about `_PIECE` rows, of which the last may be empty."""
    piece: list[Played] = []
    rows = 0
    for played in games:
        piece.append(played)
        rows += 1 + len(played.course) * len(played.minds)
        if rows >= _PIECE:
            yield piece
            piece, rows = [], 0
    yield piece


def _game_row(run: Plan, played: Played) -> tuple[Any, ...]:
    names = run.setup.players
    return (
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
        *("" if value is None else value for value in _values(run, played)),
        *((played.fault,) if run.keep_faults else ()),
    )


def _values(run: Plan, played: Played) -> list[float | None]:
    """Return the measured values in the order of the columns; all None for a failed game."""
    nothing = (None,) * len(played.minds)
    return [value for name in _quantities(run) for value in played.measured.get(name, nothing)]


def _event_rows(names: tuple[str, ...], played: Played) -> Iterator[tuple[Any, ...]]:
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


def _truth(value: bool) -> str:
    return "true" if value else "false"


# ---- read ----------------------------------------------------------------------------------


class _Kept(msgspec.Struct, frozen=True):
    """The entries of run.json about its rows.

    Attributes:
        complete: whether the files have all games of the plan.
        finished: the number of finished games.
        format: one of `FORMATS`.
        sha256: the checksum of each file of rows; runs of earlier versions have none.
    """

    complete: bool
    finished: int
    format: str
    sha256: dict[str, str] = {}


def read_run(folder: Path) -> JsonObject | None:
    """Return the content of run.json; None if there is no such file.

    Raise `LogError` if it is unreadable.
    """
    path = folder / RUN
    text = read_text(path, LogError, missing="")
    if not text and not path.exists():
        return None
    from_json(text, _Kept, f"cannot read {path}")
    read: JsonObject = from_json(text, JsonObject, f"cannot read {path}")
    return read


def plan_data(read: Mapping[str, Any]) -> JsonObject:
    """Return the part of run.json about the plan."""
    return {name: read[name] for name in read if name not in _Kept.__struct_fields__}


def read_games(folder: Path, run: Plan, form: str) -> Iterator[Played]:
    """Yield the games in the files of a run; their CPU time, which is not stored, is 0.

    Raises:
        LogError: the rows cannot be read, or belong to another run.
    """
    columns = _columns(run)
    with ExitStack() as stack:
        texts = {stem: row_file(folder, stem, form) for stem in columns}
        try:
            if form == "parquet":
                place = stack.enter_context(_folder_aside(folder))
                for stem, path in texts.items():
                    texts[stem] = place / f"{stem}.csv"
                    _from_parquet(path, texts[stem])
            rows = {
                stem: csv.DictReader(stack.enter_context(path.open(encoding="utf-8", newline="")))
                for stem, path in texts.items()
            }
            courses = groupby(rows["events"], itemgetter("game")) if run.assess else None
            for row in rows["games"]:
                failed = bool(row.get("fault"))
                course = None if courses is None or failed else next(courses, None)
                yield _played(run, row, None if course is None else course[1])
        except OSError as error:
            raise LogError(f"cannot read the rows in {folder}: {error.strerror or error}") from None
        except (ValueError, LookupError, TypeError, csv.Error) as error:
            raise LogError(f"the rows in {folder} do not belong to this run: {error}") from None


def row_file(folder: Path, stem: str, form: str) -> Path:
    """Return the path of a file of rows. Raise `LogError` if it was changed after writing.

    Parquet itself has checksums only for some of its parts. Files of earlier versions are not
    checked, because their runs have no checksums.
    """
    path = folder / f"{stem}.{form}"
    try:
        text = read_text(folder / RUN, LogError, missing="")
        wanted = from_json(text, _Kept, str(folder / RUN)).sha256.get(path.name) if text else None
        if wanted is not None and _checksum(path) != wanted:
            raise LogError(f"{path} was damaged or changed after it was written: play it again")
    except OSError as error:
        raise LogError(f"cannot read {path}: {reason(error)}") from None
    return path


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _played(
    run: Plan, row: Mapping[str, str], events: Iterable[Mapping[str, str]] | None
) -> Played:
    number = int(row["game"])
    minds = run.minds_of(number)
    course = tuple(
        (int(event[0]["turn"]), tuple(_snapshot(run, number, row) for row in event))
        for _, same in groupby(events or (), itemgetter("event"))
        for event in [list(same)]
    )
    seats = len(minds)
    played = Played(
        number,
        run.seed_of(number),
        minds,
        int(row["turns"]),
        int(row["events"]),
        row["result"],
        row["finished"] == "true",
        tuple(int(seat) - 1 for seat in row["winner_seats"].split()),
        course,
        0.0,
        _measured_in(run, row),
        row["fault"] if run.keep_faults else "",
    )
    expected = dict(zip(_columns(run)["games"], map(str, _game_row(run, played)), strict=True))
    # The text of a number is not unique.
    for name in _measured(run):
        expected[name] = row[name]
    if expected != row:
        raise ValueError(f"another row of game {number} was expected")
    if (
        run.assess
        and not played.fault
        and [len(seen) for _, seen in course] != [seats] * (played.events + 1)
    ):
        raise ValueError(f"events of game {number} are missing")
    return played


def _measured_in(run: Plan, row: Mapping[str, str]) -> dict[str, tuple[float | None, ...]]:
    """Return the measures of a game from its row."""
    if run.keep_faults and row["fault"]:
        return {}
    seats = range(1, len(run.setup.players) + 1)
    return {
        name: tuple(float(text) if (text := row[f"{name}_{seat}"]) else None for seat in seats)
        for name in _quantities(run)
    }


def _snapshot(run: Plan, number: int, row: Mapping[str, str]) -> Snapshot:
    if row["game"] != str(number):
        raise ValueError(f"events of game {number} are missing")
    deals = int(row["deals"]) if run.worlds else None
    return Snapshot(
        int(row["open"]), int(row["located"]), row["certain"] == "true", row["out"] == "true", deals
    )


# ---- Parquet -------------------------------------------------------------------------------


# The number of rows that are converted to Parquet at a time.
_PIECE = 100_000


def _to_parquet(texts: list[Path], columns: Mapping[str, type], target: Path) -> None:
    """Convert rows to Parquet, file by file, because all of them may not fit into memory.

    Each file is read into memory completely, so large numbers of rows are split into several files.
    """
    import polars

    kinds = {
        int: polars.Int64(),
        float: polars.Float64(),
        bool: polars.Boolean(),
        str: polars.String(),
    }
    schema = {name: kinds[kind] for name, kind in columns.items()}
    try:
        polars.scan_csv(texts, schema=schema).sink_parquet(target, row_group_size=_PIECE)
    except polars.exceptions.PolarsError as error:
        raise OSError(str(error)) from error


def _from_parquet(path: Path, target: Path) -> None:
    with parquet_faults(path):
        import polars

        polars.scan_parquet(path).sink_csv(target)


@contextmanager
def parquet_faults(path: Path) -> Iterator[None]:
    """Convert errors of polars about a damaged file in the body to `LogError`."""
    from polars.exceptions import PanicException, PolarsError

    try:
        yield
    except (OSError, PolarsError, PanicException) as error:
        raise LogError(f"cannot read {path}: {str(error).partition(chr(10))[0]}") from None


@contextmanager
def _folder_aside(folder: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(
        dir=folder, prefix=FOLDER_ASIDE, ignore_cleanup_errors=True
    ) as name:
        yield Path(name)


FOLDER_ASIDE = ".symkripke-rows."
"""The prefix of the name of a temporary folder for rows."""


def _sync(path: Path) -> None:
    """Flush a file to the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Flush the entries of a folder to the disk, on systems that support it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def _faults(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LogError(f"cannot write to {folder}: {error.strerror or error}") from error
