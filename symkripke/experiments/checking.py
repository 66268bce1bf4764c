"""A check of stored rows: random games are played again and compared with their rows."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory

from symkripke.errors import InputError
from symkripke.experiments.collection import reported, studies_in
from symkripke.experiments.rows import Rows
from symkripke.experiments.running import folder_of, need
from symkripke.play.runs.result_files import parquet_faults, replace_files
from symkripke.play.runs.tournament import simulate
from symkripke.play.runs.workers import process_pool, worker_count


@dataclass(frozen=True)
class Checked:
    """A game that was played again.

    Attributes:
        study: the name of its study.
        condition: the name of its condition.
        number: its number.
        same: whether its rows are the same.
    """

    study: str
    condition: str
    number: int
    same: bool


def check(
    folder: Path | str,
    games: int,
    *,
    seed: int = 0,
    workers: int | None = None,
    tell: Callable[[int], None] = lambda done: None,
) -> list[Checked]:
    """Play random games of all studies in a folder again, and compare them with their rows.

    Each game is drawn from a random condition, so small conditions count as much as large ones.

    Args:
        folder: the folder, as for `collection.write_collection`.
        games: the number of games; all games if there are fewer.
        seed: the seed of the choice.
        workers: the number of processes; None for one per processor.
        tell: a function that is called with the number of games played so far.

    Raises:
        InputError: the folder contains no rows.
        LogError: a file cannot be read.
    """
    need("polars", "experiments keep their rows in Parquet, with polars", "lab")
    with TemporaryDirectory() as place:
        rows = [
            (study.name, Rows(condition, folder_of(study, condition)))
            for study in studies_in(Path(folder), Path(place))
            for condition in reported(study)[0].conditions
        ]
        rows = [(study, each) for study, each in rows if len(each)]
        if not rows:
            raise InputError(f"expected studies with rows in {folder}")
        chosen = _chosen([len(each) for _, each in rows], games, random.Random(seed))
        checked: list[Checked] = []
        with process_pool(worker_count(workers)) as pool:
            for (study, each), numbers in zip(rows, chosen, strict=True):
                played = simulate(each.condition.plan, pool, numbers=numbers)
                again = sorted(played, key=attrgetter("number"))
                with TemporaryDirectory() as aside:
                    replace_files(Path(aside), each.condition.plan, "parquet", again, len(again))
                    different = _different(each, Path(aside), numbers)
                name = each.condition.name
                checked += [
                    Checked(study, name, number, number not in different) for number in numbers
                ]
                tell(len(checked))
    return checked


def _chosen(sizes: list[int], games: int, chance: random.Random) -> list[list[int]]:
    """Return the numbers of the chosen games of each condition, given the numbers of its games."""
    left = {place: list(range(size)) for place, size in enumerate(sizes)}
    chosen: list[list[int]] = [[] for _ in sizes]
    for _ in range(min(games, sum(sizes))):
        place = chance.choice(list(left))
        numbers = left[place]
        chosen[place].append(numbers.pop(chance.randrange(len(numbers))))
        if not numbers:
            del left[place]
    return [sorted(numbers) for numbers in chosen]


def _different(rows: Rows, again: Path, numbers: list[int]) -> set[int]:
    """Return the numbers of the games whose rows differ from those in another folder."""
    import polars

    different: set[int] = set()
    for path in again.glob("*.parquet"):
        with parquet_faults(path):
            kept = polars.scan_parquet(rows.folder / path.name)
            before = kept.filter(polars.col("game").is_in(numbers)).collect()
            after = polars.read_parquet(path)
        for number in numbers:
            same = polars.col("game") == number
            if not before.filter(same).equals(after.filter(same)):
                different.add(number)
    return different
