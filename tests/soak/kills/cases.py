"""A case by seed and number: what is run, how it is ended, and when."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

WORKS = ("play --log", "simulate", "simulate --resume")
"""What is run."""

HOWS = ("SIGKILL", "SIGTERM", "SIGTERM to all", "Ctrl-C", "worker killed", "disk full")
"""How it is ended. Of `play`, no worker can be killed, and SIGTERM to all is SIGTERM."""

GAMES = 24
"""The games of a run."""


@dataclass(frozen=True)
class Case:
    """What is run, how it is ended, and when.

    Attributes:
        seed: the seed of all cases.
        number: which case.
        work: one of `WORKS`.
        how: one of `HOWS`.
        begun: how many games, or events of a log, are to be there first; 0: some time after the
            start, -1: all.
        delay: so many seconds later.
        workers: how many processes play.
        form: the format of rows.
        before: what is there: "nothing"; for `simulate` "another" run, to be replaced; to be
            resumed "stopped", a run that was stopped, or "shorter", a complete one of fewer games.
        room: for a disk that is full, how much of the largest file there is room for.
    """

    seed: int
    number: int
    work: str
    how: str
    begun: int
    delay: float
    workers: int
    form: str
    before: str
    room: float

    @property
    def chance(self) -> Random:
        """Where all that is still to be chosen comes from."""
        return Random(f"{self.seed}/{self.number}/later")

    def __str__(self) -> str:
        return f"{self.work}, {self.how}"


def make(seed: int, number: int, forms: tuple[str, ...] = ("csv", "parquet")) -> Case:
    """That case of that seed."""
    chance = Random(f"{seed}/{number}")
    work = WORKS[number % len(WORKS)]
    playing = work == "play --log"
    hows = [how for how in HOWS if not (playing and how in ("worker killed", "SIGTERM to all"))]
    how = hows[number // len(WORKS) % len(hows)]
    when = chance.random()
    begun = chance.randrange(1, GAMES) if when > 0.3 else -1 if when > 0.15 else 0
    if how == "worker killed":
        begun = max(1, begun)
    before = {
        "play --log": ("nothing", "another"),
        "simulate": ("nothing", "nothing", "another"),
        "simulate --resume": ("stopped", "shorter"),
    }[work]
    return Case(
        seed,
        number,
        work,
        how,
        begun,
        chance.uniform(0, 0.05 if begun else 1.5),
        2 if how == "worker killed" else chance.choice((1, 2, 2)),
        chance.choice((forms[0], forms[0], forms[-1])),
        chance.choice(before),
        chance.uniform(0.02, 1.0),
    )
