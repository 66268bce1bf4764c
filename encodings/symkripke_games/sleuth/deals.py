"""The deals that a player considers possible, step by step, without listing them.

A player knows three things about the deal: where each gem can be; how many gems each player holds;
and, where a player said a number, how many of some gems that player holds. Each such number is a
quota. Gems are dealt one after the other. All that matters about the gems dealt so far is how many
gems each quota still lacks: a *state*. The number of deals is a sum over the paths through the
states. There are few states: located gems and filled quotas are left out, and the gems come in an
order that fills quotas soon. (The states are the nodes of a decision diagram over the gems, before
it is reduced. A place leads from different states to different states, so each step is two lists of
states for each place.)

`Engine.stepwise` gives a chain of such states, too, and builds it as quickly; but its gems come in
the order of the edition, and it has more states (by 10 to 25% in the middle of a game of five).
With questions worked out on it, a game of five `gain` players took 5.8 s of processor time instead
of 3.0 s.

Shares are floating-point numbers, computed by sums and products of numbers that are not negative:
their relative error is less than 1e-12. The engine's diagrams give the same numbers as fractions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import factorial, prod
from operator import mul
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
        starts: how many states there are before the step.
        ends: how many states there are behind the step.
    """

    gem: str
    moves: Mapping[str, tuple[Ints, Ints]]
    starts: int
    ends: int

    @cached_property
    def forward(self) -> Sources:
        """For each place and each state behind the step, the state before; `starts` for none.

        For one place, no two states lead to the same state. So columns are moved by reading whole
        rows, which takes a fifth of the time of adding to chosen rows.
        """
        ways = {place: (end, source) for place, (source, end) in self.moves.items()}
        return Sources.of(ways, self.ends, self.starts)

    @cached_property
    def backward(self) -> Sources:
        """For each place and each state before the step, the state behind; `ends` for none."""
        return Sources.of(self.moves, self.starts, self.ends)


@dataclass(frozen=True)
class Sources:
    """Where the rows of numbers come from that move over a step.

    Attributes:
        row: for each place its row in `states`.
        states: for each place, for each new state the old one. Where there is none, and behind the
            last state, the row of zeros that follows the last old state.
    """

    row: Mapping[str, int]
    states: Ints
    _without: dict[str, Sources] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, ways: Mapping[str, tuple[Ints, Ints]], size: int, none: int) -> Sources:
        """From new states and their old states, for each place; so many new and old states."""
        states = np.full((len(ways), size + 1), none, dtype=np.int64)
        for row, (new, old) in enumerate(ways.values()):
            states[row, new] = old
        return cls({place: row for row, place in enumerate(ways)}, states)

    def without(self, place: str) -> Sources:
        """The same for all places but one."""
        found = self._without.get(place)
        if found is None:
            rows = [row for other, row in self.row.items() if other != place]
            names = (other for other in self.row if other != place)
            found = Sources({name: row for row, name in enumerate(names)}, self.states[rows])
            self._without[place] = found
        return found

    def moved(self, here: Numbers) -> Numbers:
        """Columns of numbers, one row a state, moved over the step.

        The last row is zeros, before and behind the step: what comes from nowhere. All places are
        read with one call: most steps have few states, and the calls took longer than the sums.
        """
        taken: Numbers = here.take(self.states, axis=0)
        found: Numbers = taken.sum(axis=0)
        return found


class Deals:
    """All deals that a viewer considers possible.

    Attributes:
        places: for each gem where it can be.
        open: the gems that are not located.
        quotas: what is known of these together.
        alike: for each open gem the number of its class. Exchanging two gems of one class in a
            possible deal gives a possible deal.
    """

    def __init__(self, view: View[Setup, Happening], engine: Engine) -> None:
        """Ask the engine where each gem can be; the rest is computed on first use."""
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
        self._chains: dict[tuple[tuple[str, ...], ...], Chain] = {}

    # ---- places as one ---------------------------------------------------------------------

    @cached_property
    def _mergeable(self) -> tuple[tuple[str, ...], ...]:
        """Players of whom nothing is known but which gems they may hold, grouped by these."""
        of_place: dict[str, list[Quota]] = {}
        for quota in self.quotas:
            of_place.setdefault(quota.place, []).append(quota)
        groups: dict[frozenset[str], list[str]] = {}
        for place, quotas in of_place.items():
            maybe = frozenset(gem for gem in self.open if place in self.places[gem])
            if place != HIDDEN and [quota.gems for quota in quotas] == [maybe]:
                groups.setdefault(maybe, []).append(place)
        return tuple(tuple(group) for group in groups.values() if len(group) > 1)

    def chain(self, apart: str | None = None) -> Chain:
        """The steps over the gems; players that are not told apart are one place, but for one.

        What is the same of several players need not be counted for each of them: their gems are
        counted together. Each way then stands for equally many deals, `Chain.each`. In a game of
        seven this leaves 1,000 states in place of 90,000 at first, and half of them halfway.
        """
        groups = tuple(
            rest
            for group in self._mergeable
            if len(rest := tuple(place for place in group if place != apart)) > 1
        )
        if groups not in self._chains:
            self._chains[groups] = Chain(self, groups)
        return self._chains[groups]

    # ---- results ---------------------------------------------------------------------------

    @cached_property
    def total(self) -> float:
        """How many deals there are, up to rounding."""
        chain = self.chain()
        return chain.total * chain.each

    @cached_property
    def number(self) -> int:
        """How many deals there are, exactly: an integer of Python."""
        chain = self.chain()
        return chain.number * chain.each

    @cached_property
    def chances(self) -> dict[str, dict[str, float]]:
        """For each gem the probability of each place where it can be."""
        chain = self.chain()
        found = {gem: dict.fromkeys(places, 1.0) for gem, places in self.places.items()}
        for gem, shares in chain.shares.items():
            for place in self.places[gem]:
                first, part = chain.part_of.get(place, (place, 1.0))
                found[gem][place] = shares[first] * part
        return found


class Chain:
    """The steps over the open gems, with players that are not told apart as one place.

    Attributes:
        alike: for each gem the number of its class, as in `Deals`.
        part_of: for each player that is counted with others: the first of them, whose name stands
            for all, and the player's part of their gems.
        each: how many deals each way through the steps stands for.
    """

    def __init__(self, deals: Deals, groups: Sequence[Sequence[str]]) -> None:
        """The steps over these deals; each group of players is one place."""
        self._deals = deals
        self.alike = deals.alike
        number = {quota.place: quota.number for quota in deals.quotas}
        self.part_of: dict[str, tuple[str, float]] = {}
        self.each = 1
        merged = {}
        for first, *others in groups:
            hands = [number[place] for place in (first, *others)]
            merged[first] = sum(hands)
            self.each *= factorial(sum(hands)) // prod(map(factorial, hands))
            for place, hand in zip((first, *others), hands, strict=True):
                self.part_of[place] = first, hand / sum(hands)
        self._quotas = tuple(
            replace(quota, number=merged.get(quota.place, quota.number))
            for quota in deals.quotas
            if self._stands(quota.place)
        )

    def _stands(self, place: str) -> bool:
        """Whether the place stands for itself, or for a group."""
        return place not in self.part_of or self.part_of[place][0] == place

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """One step for each open gem, in a good order; only states on some complete path.

        Raises:
            ImpossibleEvent: no deal is possible.
        """
        states = _States(self._quotas)
        order = _order(self._deals.open, self._quotas, self.alike)
        places = self._deals.places
        return _trimmed(
            [
                states.step(gem, [place for place in places[gem] if self._stands(place)])
                for gem in order
            ]
        )

    @cached_property
    def behind(self) -> tuple[Numbers, ...]:
        """Before each step, and after the last, how many ways lead on from each state."""
        found = [np.ones(1)]
        for number in range(len(self.steps) - 1, -1, -1):
            step = self.steps[number]
            here = np.zeros(step.starts)
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
        """How many ways there are from the first step to the last, up to rounding."""
        return float(self.behind[0][0])

    @cached_property
    def number(self) -> int:
        """How many ways there are, exactly: an integer of Python."""
        found = np.ones(1, dtype=object)
        for number in range(len(self.steps) - 1, -1, -1):
            here = np.zeros(self.steps[number].starts, dtype=object)
            for source, end in self.steps[number].moves.values():
                here[source] += found[end]
            found = here
        return int(found[0])

    @cached_property
    def before_hidden(self) -> tuple[Numbers, ...]:
        """Before each step, and after the last, how many ways lead to each state, by hidden gem.

        A column is a class of gems: its last gem is the hidden one, and came before.
        """
        found = [np.zeros((2, self._classes))]
        for step, ways in zip(self.steps, self.before, strict=False):
            here = step.forward.moved(found[-1])
            if HIDDEN in step.moves and self._is_last[step.gem]:
                source, end = step.moves[HIDDEN]
                here[end, self.alike[step.gem]] += ways[source]
            found.append(here)
        return tuple(found)

    @cached_property
    def behind_hidden(self) -> tuple[Numbers, ...]:
        """The same for the ways that lead on from each state: the hidden gem comes behind."""
        found = [np.zeros((2, self._classes))]
        for step, ways in zip(reversed(self.steps), reversed(self.behind), strict=False):
            here = step.backward.moved(found[-1])
            if HIDDEN in step.moves and self._is_last[step.gem]:
                source, end = step.moves[HIDDEN]
                here[source, self.alike[step.gem]] += ways[end]
            found.append(here)
        return tuple(reversed(found))

    @cached_property
    def _classes(self) -> int:
        return 1 + max(self.alike.values(), default=-1)

    @cached_property
    def _is_last(self) -> dict[str, bool]:
        """For each open gem whether its step is the last one of its class."""
        last = {self.alike[step.gem]: step.gem for step in self.steps}
        return {gem: last[kind] == gem for gem, kind in self.alike.items()}

    @cached_property
    def of_class(self) -> tuple[tuple[int, ...], ...]:
        """For each class of gems the numbers of the steps over them, in order."""
        found: list[list[int]] = [[] for _ in range(self._classes)]
        for number, step in enumerate(self.steps):
            found[self.alike[step.gem]].append(number)
        return tuple(map(tuple, found))

    @cached_property
    def shares(self) -> dict[str, dict[str, float]]:
        """For each open gem the probability of each place, groups as one."""
        found: dict[str, dict[str, float]] = {}
        for number, step in enumerate(self.steps):
            found[step.gem] = {}
            for place, (source, end) in step.moves.items():
                ways = self.before[number][source] @ self.behind[number + 1][end]
                found[step.gem][place] = float(ways) / self.total
        return found


class _States:
    """The states that can be reached so far; each step makes the next ones.

    A state is what each quota still lacks. It is kept as a column, to test quotas one by one, and
    as a single number, to compare states: first those that lack less of the first quota.
    """

    def __init__(self, quotas: Sequence[Quota]) -> None:
        """Only the first state: every quota lacks all."""
        self._quotas = quotas
        self._lacks: Ints = np.array([[quota.number] for quota in quotas], dtype=np.int64)
        self._left = [len(quota.gems) for quota in quotas]
        """How many gems of each quota are still to come."""
        sizes = [quota.number + 1 for quota in quotas]
        self._strides = [prod(sizes[number + 1 :]) for number in range(len(sizes))]
        # Python's own integers where the numbers are too long for the processor's.
        kind = np.int64 if prod(sizes) < 1 << 62 else object
        number = sum(map(mul, self._strides, (quota.number for quota in quotas)))
        self._numbers = np.array([number], dtype=kind)

    def step(self, gem: str, places: Sequence[str]) -> Step:
        """The step over a gem that can be at these places."""
        inside = [number for number, quota in enumerate(self._quotas) if gem in quota.gems]
        starts = len(self._numbers)
        # A quota that lacks as many gems as are still to come must get this gem.
        needs = {number: self._lacks[number] >= self._left[number] for number in inside}
        missed = np.zeros(starts, dtype=np.int64)
        for need in needs.values():
            missed += need
        sources: list[Ints] = []
        numbers, lacks = [], []
        for place in places:
            here = [number for number in inside if self._quotas[number].place == place]
            missing = missed
            for number in here:
                missing = missing - needs[number]
            fits = missing == 0
            for number in here:
                fits &= self._lacks[number] > 0
            source = np.flatnonzero(fits)
            sources.append(source)
            numbers.append(self._numbers[source] - sum(self._strides[number] for number in here))
            lacks.append(here)
        found, first, end = np.unique(
            np.concatenate(numbers), return_index=True, return_inverse=True
        )
        cuts = np.cumsum([len(source) for source in sources])
        origin = np.concatenate(sources)[first]
        via = np.searchsorted(cuts, first, side="right")
        self._lacks = self._lacks[:, origin]
        for number_of_place, here in enumerate(lacks):
            for number in here:
                self._lacks[number] -= via == number_of_place
        for number in inside:
            self._left[number] -= 1
        self._numbers = found
        ends = np.split(end.ravel(), cuts[:-1])
        moves = dict(zip(places, zip(sources, ends, strict=True), strict=True))
        return Step(gem, moves, starts, len(found))


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
    """How many unlocated gems each player holds: in all, and of those that numbers speak of."""
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
    """An order of the gems that keeps few quotas partly filled; gems of one class are together."""
    left = list(gems)
    order: list[str] = []
    begun = [False] * len(quotas)
    of_gem = {
        gem: [number for number, quota in enumerate(quotas) if gem in quota.gems] for gem in gems
    }
    to_come = [sum(gem in quota.gems for gem in gems) for quota in quotas]

    # The quotas of whole hands are open nearly all the time: they decide nothing.
    def burden(gem: str) -> tuple[bool, int, int]:
        mine = of_gem[gem]
        fresh = sum(not begun[number] for number in mine)
        met = sum(to_come[number] == 1 for number in mine)
        soon = min((to_come[number] for number in mine if begun[number]), default=99)
        same = bool(order) and alike[gem] == alike[order[-1]]
        return (not same, fresh - met, soon)

    while left:
        best = min(left, key=burden)
        left.remove(best)
        order.append(best)
        for number in of_gem[best]:
            begun[number] = True
            to_come[number] -= 1
    return tuple(order)


def _trimmed(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Only states from which a way leads to the end."""
    found: list[Step] = []
    if steps and steps[-1].ends != 1:
        raise ImpossibleEvent("no deal is possible, given what is known")
    alive = np.ones(1, dtype=bool)
    for number in range(len(steps) - 1, -1, -1):
        step = steps[number]
        before = np.zeros(step.starts, dtype=bool)
        renamed = np.cumsum(alive) - 1
        moves = {}
        for place, (source, end) in step.moves.items():
            kept = alive[end]
            moves[place] = source[kept], renamed[end[kept]]
            before[source[kept]] = True
        # The states before are renumbered when their own step is trimmed.
        renumber = np.cumsum(before) - 1
        moves = {place: (renumber[source], end) for place, (source, end) in moves.items()}
        found.append(Step(step.gem, moves, int(before.sum()), int(alive.sum())))
        alive = before
    if steps and not alive.all():
        raise ImpossibleEvent("no deal is possible, given what is known")
    return tuple(reversed(found))
