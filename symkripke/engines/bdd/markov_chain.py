"""A diagram as a Markov chain over fluents (see `symkripke.engines.counting.markov_chain`).

At each node, counts give the share of the valuations with the variable true. The states before a
fluent are the sets to which edges lead across the place where its variables begin. A step collects
all ways through its variables, and through variables behind them that are not asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from symkripke.engines.bdd.nodes import FALSE, Nodes
from symkripke.engines.counting.markov_chain import Chain, Ints, Link, Shares
from symkripke.errors import Unsupported
from symkripke.limits import look
from symkripke.records import dataclass

_MACHINE = np.dtype(np.int64)


@dataclass(frozen=True)
class AskedFluent:
    """A fluent that is asked for: its name, its values and its variables."""

    fluent: str
    values: tuple[str, ...]
    variables: tuple[int, ...]


class _Paths(NamedTuple):
    """Ways through a part of the diagram: for each its first state, its last set and its value.

    `value` is -1 as long as no variable has decided it; `share` is the probability from `source`
    on.
    """

    source: Ints
    at: Ints
    value: Ints
    share: Shares

    def where(self, rows: Ints) -> _Paths:
        return _Paths(self.source[rows], self.at[rows], self.value[rows], self.share[rows])

    def merged(self) -> _Paths:
        """The ways, with equal ones merged."""
        size, most = int(self.at.max()) + 1, int(self.value.max()) + 2
        keys = (self.source * most + self.value + 1) * size + self.at
        unique, place = np.unique(keys, return_inverse=True)
        share = np.bincount(place.ravel(), self.share, len(unique)).astype(np.float64)
        rest, at = np.divmod(unique, size)
        source, value = np.divmod(rest, most)
        return _Paths(source, at, value - 1, share)


def chain(nodes: Nodes, asked: Iterable[AskedFluent]) -> Chain:
    """The chain over these fluents; the diagram must not be empty.

    Raises:
        Unsupported: variables of one of them lie between those of another.
    """
    return _ChainBuilder(nodes).chain(asked)


class _ChainBuilder:
    """The work of `chain`."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.place = {variable: level for level, variable in enumerate(nodes.variables)}
        self.end = len(nodes.variables)
        # For each set the shares of its valuations on the two sides of its first variable.
        self.true, self.false = self._shares(nodes.high), self._shares(nodes.low)

    def _shares(self, sides: Ints) -> Shares:
        counts = self.nodes.counts
        shares = np.zeros(len(counts))
        for level, here in enumerate(self.nodes.layers):
            look()
            side = sides[here]
            past = self.nodes.level[side] - level - 1
            if counts.dtype == _MACHINE:
                shares[here] = np.ldexp(counts[side].astype(np.float64), past) / counts[here]
            else:  # integers of Python: their quotients are rounded once
                parts = zip(counts[side], past.tolist(), counts[here], strict=True)
                shares[here] = [(count << shift) / whole for count, shift, whole in parts]
        return shares

    def chain(self, asked: Iterable[AskedFluent]) -> Chain:
        """The links, in the order of the diagram; fluents that it does not depend on come last."""
        there: list[tuple[list[int], AskedFluent]] = []
        free: list[AskedFluent] = []
        for fluent in asked:
            levels = sorted(self.place[v] for v in fluent.variables if v in self.place)
            if levels:
                there.append((levels, fluent))
            else:
                free.append(fluent)
        if not there:
            return Chain([*map(_free, free)])
        there.sort(key=lambda pair: pair[0][0])
        for (before, fluent), (after, following) in pairwise(there):
            if before[-1] > after[0]:
                raise Unsupported(
                    f"the variables of {fluent.fluent} and {following.fluent} are mixed in the "
                    "diagram"
                )
        states = np.array([self.nodes.root])
        links = []
        bounds = [0, *(levels[0] for levels, _ in there[1:]), self.end]
        for (_, fluent), (start, end) in zip(there, pairwise(bounds), strict=True):
            link, states = self._link(fluent, states, start, end)
            links.append(link)
        return Chain([*links, *map(_free, free)])

    def _link(self, asked: AskedFluent, states: Ints, start: int, end: int) -> tuple[Link, Ints]:
        """The steps from these sets through the levels from `start` to before `end`."""
        number = len(states)
        ways = _Paths(np.arange(number), states, np.full(number, -1), np.ones(number))
        for level in range(start, end):
            look()
            variable = self.nodes.variables[level]
            place = asked.variables.index(variable) if variable in asked.variables else None
            ways = self._past(ways, level, place, asked)
        targets, target = np.unique(ways.at, return_inverse=True)
        target = target.ravel()
        return (
            Link(
                asked.fluent,
                asked.values,
                number,
                len(targets),
                ways.source,
                ways.value,
                target,
                ways.share,
            ),
            targets,
        )

    def _past(self, ways: _Paths, level: int, place: int | None, asked: AskedFluent) -> _Paths:
        """The ways, one level on; `place` is that of its variable among those of the fluent."""
        here = self.nodes.level[ways.at] == level
        if place is None and not here.any():
            return ways
        split = here | (place is not None)
        stay = ways.where(np.flatnonzero(~split))
        sides: list[_Paths] = [stay]
        rows = np.flatnonzero(split)
        for sign, side, share in (
            (True, self.nodes.high, self.true),
            (False, self.nodes.low, self.false),
        ):
            near = ways.where(rows)
            at = np.where(here[rows], side[near.at], near.at)
            said = near.value
            if place is not None:
                said = _said(near.value, place, sign, asked)
            part = np.where(here[rows], share[near.at], 0.5)
            going = _Paths(near.source, at, said, near.share * part)
            sides.append(going.where(np.flatnonzero(at != FALSE)))
        both = _Paths(*(np.concatenate(parts) for parts in zip(*sides, strict=True)))
        # Ways with different values stay apart: only variables that are not asked for merge ways.
        return both.merged() if place is None else both


def _said(value: Ints, place: int, sign: bool, asked: AskedFluent) -> Ints:
    """The value after a variable of the fluent was found to be true, or false."""
    if len(asked.variables) == 1:  # two values: the variable says which
        return np.full(len(value), int(sign))
    return np.full(len(value), place) if sign else value


def _free(asked: AskedFluent) -> Link:
    """The link of a fluent on which the diagram does not depend: any value, one state."""
    number = len(asked.values)
    zeros = np.zeros(number, dtype=np.int64)
    shares = np.full(number, 1 / number)
    return Link(asked.fluent, asked.values, 1, 1, zeros, np.arange(number), zeros, shares)
