"""The deals that a player considers possible, step by step, without listing them.

What a player knows of the deal is: for each gem where it can be; how many gems each player holds;
and, where numbers were said, how many of some gems. So gems can be dealt one after the other, and
all that matters of those dealt so far is how many each of these numbers still lacks: a *state*. To
count deals is to add up over the ways through the states, and there are few of these: gems that
are located are left out, numbers that are met as well, and gems come in an order in which numbers
are met soon. (The states are those of a decision diagram over the gems, before it is reduced; a
place takes different states to different ones, so each step is two lists of states a place.)

`Engine.stepwise` gives a chain of such states, too, and builds it as quickly; but its gems come in
the order of the edition, and it has more states (by 10 to 25% in the middle of a game of five).
With questions worked out on it, a game of five `gain` players took 5.8 s of processor time instead
of 3.0 s.

Shares are floating-point numbers, sums and products of numbers that are not negative: exact up to
rounding, by less than 1e-12 of each. The engine's diagrams give the same numbers as fractions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from symkripke.engines import Engine, Mark
from symkripke.errors import ImpossibleEvent
from symkripke.play import View
from symkripke.play.hands import at
from symkripke_games.sleuth.gems import HIDDEN, TABLE
from symkripke_games.sleuth.rules import Happening, Question
from symkripke_games.sleuth.setup import Setup

Ints: TypeAlias = NDArray[np.int64]
Numbers: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Quota:
    """So many of these gems are at that place.

    Attributes:
        place: a player, or `hidden` or `table`.
        gems: gems that are not located.
        number: how many of them are there.
    """

    place: str
    gems: frozenset[str]
    number: int


@dataclass(frozen=True)
class Step:
    """The step over one gem.

    Attributes:
        gem: the gem.
        moves: for each place where it can be, the states before the step from which that is
            possible, and the states behind it to which they lead, one each.
        ends: how many states there are behind it.
    """

    gem: str
    moves: Mapping[str, tuple[Ints, Ints]]
    ends: int


class Deals:
    """All deals that a viewer considers possible.

    Attributes:
        places: for each gem where it can be.
        open: the gems that are not located.
        quotas: what is known of these together.
        alike: for each open gem the number of its class: to exchange two gems of one class in
            a deal makes a deal that is possible, too.
    """

    def __init__(self, view: View[Setup, Happening], engine: Engine) -> None:
        """What follows for each gem is asked of the engine; the rest is worked out when needed."""
        self.places = places_of(view, engine)
        self.open = tuple(gem for gem, places in self.places.items() if len(places) > 1)
        self.quotas = _quotas(view, self.places)
        kinds: dict[object, int] = {}
        self.alike = {
            gem: kinds.setdefault(
                (self.places[gem], tuple(gem in quota.gems for quota in self.quotas)), len(kinds)
            )
            for gem in self.open
        }

    # ---- the steps ------------------------------------------------------------------------

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """One step for each open gem, in a good order; only states that are on some way through.

        Raises:
            ImpossibleEvent: no deal is possible.
        """
        order = _order(self.open, self.quotas, self.alike)
        # The states so far, one a row: what each quota still lacks.
        states = np.array([[quota.number for quota in self.quotas]], dtype=np.int64)
        left = np.array([[len(quota.gems) for quota in self.quotas]], dtype=np.int64)
        steps = []
        for gem in order:
            inside = np.array([gem in quota.gems for quota in self.quotas])
            left = left - inside
            step, states = self._step(gem, states, left, inside)
            steps.append(step)
        return _trimmed(steps)

    def _step(
        self, gem: str, states: Ints, left: Ints, inside: NDArray[np.bool_]
    ) -> tuple[Step, Ints]:
        sources, rows = [], []
        for place in self.places[gem]:
            here = inside & np.array([quota.place == place for quota in self.quotas])
            after = states - here
            fits = np.flatnonzero(((after >= 0) & (after <= left)).all(axis=1))
            sources.append(fits)
            rows.append(after[fits])
        found, number = _unique(np.concatenate(rows))
        ends = np.split(number, np.cumsum([len(source) for source in sources])[:-1])
        moves = {
            place: (source, end)
            for place, source, end in zip(self.places[gem], sources, ends, strict=True)
        }
        return Step(gem, moves, len(found)), found

    @cached_property
    def behind(self) -> tuple[Numbers, ...]:
        """Before each step, and after the last, how many ways lead on from each state."""
        found = [np.ones(1)]
        for number in range(len(self.steps) - 1, -1, -1):
            step = self.steps[number]
            size = self.steps[number - 1].ends if number else 1
            here = np.zeros(size)
            for source, end in step.moves.values():
                here[source] += found[-1][end]
            found.append(here)
        return tuple(reversed(found))

    @cached_property
    def before(self) -> tuple[Numbers, ...]:
        """Before each step, and after the last, how many ways lead to each state."""
        found = [np.ones(1)]
        for step in self.steps:
            here = np.zeros(step.ends)
            for source, end in step.moves.values():
                here[end] += found[-1][source]
            found.append(here)
        return tuple(found)

    @cached_property
    def total(self) -> float:
        """How many deals there are, but for rounding."""
        return float(self.behind[0][0])

    @cached_property
    def number(self) -> int:
        """How many deals there are, exactly: an integer of Python."""
        found = np.ones(1, dtype=object)
        for number in range(len(self.steps) - 1, -1, -1):
            here = np.zeros(self.steps[number - 1].ends if number else 1, dtype=object)
            for source, end in self.steps[number].moves.values():
                here[source] += found[end]
            found = here
        return int(found[0])

    # ---- ask it ----------------------------------------------------------------------------

    @cached_property
    def chances(self) -> dict[str, dict[str, float]]:
        """For each gem the probability of each place where it can be."""
        found = {gem: dict.fromkeys(places, 1.0) for gem, places in self.places.items()}
        for number, step in enumerate(self.steps):
            for place, (source, end) in step.moves.items():
                ways = self.before[number][source] @ self.behind[number + 1][end]
                found[step.gem][place] = float(ways) / self.total
        return found


def _unique(rows: Ints) -> tuple[Ints, Ints]:
    """Each row once, and for each of `rows` which one it is."""
    sizes = [int(most) + 1 for most in rows.max(axis=0, initial=0)]
    if prod(sizes) < 1 << 62:  # as one number a row: much quicker
        strides = np.array([prod(sizes[number + 1 :]) for number in range(len(sizes))])
        _, first, number = np.unique(rows @ strides, return_index=True, return_inverse=True)
        return rows[first], number.ravel()
    found, number = np.unique(rows, axis=0, return_inverse=True)
    return found, number.ravel()


def places_of(view: View[Setup, Happening], engine: Engine) -> dict[str, tuple[str, ...]]:
    """For each gem where it can be, as far as the viewer knows: exactly."""
    gems = [gem.id for gem in view.setup.edition.gems]
    atoms = [at(gem, place) for gem in gems for place in view.setup.places]
    marks = iter(engine.sheet(view.perspective, atoms).marks)
    return {
        gem: tuple(place for place in view.setup.places if next(marks) is not Mark.NO)
        for gem in gems
    }


def _quotas(
    view: View[Setup, Happening], places: Mapping[str, tuple[str, ...]]
) -> tuple[Quota, ...]:
    """How many of the gems that are not located each player holds, in all and of some kinds."""
    setup = view.setup
    told = [(player, tuple(places), setup.hand) for player in setup.players]
    told += [(HIDDEN, tuple(places), 1), (TABLE, tuple(places), setup.left)]
    told += [
        (public.asked, setup.edition.matching(public.elements), public.number)
        for public in view.record
        if isinstance(public, Question) and public.number is not None
    ]
    found: dict[Quota, None] = {}
    for place, gems, number in told:
        there = sum(places[gem] == (place,) for gem in gems)
        maybe = frozenset(gem for gem in gems if place in places[gem] and len(places[gem]) > 1)
        if maybe:
            found[Quota(place, maybe, number - there)] = None
    return tuple(found)


def _order(
    gems: Sequence[str], quotas: Sequence[Quota], alike: Mapping[str, int]
) -> tuple[str, ...]:
    """An order of the gems in which few quotas are begun and not met yet; those alike together."""
    left = list(gems)
    order: list[str] = []
    begun: set[Quota] = set()
    # The quotas of whole hands are open nearly all the time: they decide nothing.
    while left:
        rest = set(left)

        def burden(gem: str, rest: set[str] = rest) -> tuple[int, int, int]:
            mine = [quota for quota in quotas if gem in quota.gems]
            fresh = sum(quota not in begun for quota in mine)
            met = sum(len(quota.gems & rest) == 1 for quota in mine)
            soon = min((len(quota.gems & rest) for quota in mine if quota in begun), default=99)
            same = bool(order) and alike[gem] == alike[order[-1]]
            return (not same, fresh - met, soon)

        best = min(left, key=burden)
        left.remove(best)
        order.append(best)
        begun.update(quota for quota in quotas if best in quota.gems)
    return tuple(order)


def _trimmed(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Only states from which a way leads to the end."""
    found: list[Step] = []
    if steps and steps[-1].ends != 1:
        raise ImpossibleEvent("no deal is possible, given what is known")
    alive = np.ones(1, dtype=bool)
    for number in range(len(steps) - 1, -1, -1):
        step = steps[number]
        size = steps[number - 1].ends if number else 1
        before = np.zeros(size, dtype=bool)
        renamed = np.cumsum(alive) - 1
        moves = {}
        for place, (source, end) in step.moves.items():
            kept = alive[end]
            moves[place] = source[kept], renamed[end[kept]]
            before[source[kept]] = True
        found.append(Step(step.gem, moves, int(alive.sum())))
        if not before.all():
            # The states before are renumbered when their own step is trimmed.
            renumber = np.cumsum(before) - 1
            found[-1] = Step(
                step.gem,
                {place: (renumber[s], e) for place, (s, e) in moves.items()},
                found[-1].ends,
            )
        alive = before
    if steps and not alive.all():
        raise ImpossibleEvent("no deal is possible, given what is known")
    return tuple(reversed(found))
