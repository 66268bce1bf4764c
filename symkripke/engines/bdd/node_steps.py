"""Steps over fluents by the nodes of a diagram (see `symkripke.engines.count.steps`).

The states before a fluent are the targets of edges that cross the level where its variables begin.
For each value, the transitions go from there through the fluent's variables, and through later
variables that are not asked for. The weight of a transition is its share of the valuations of its
state, because counts of valuations can be too large for floating-point numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from symkripke.engines.count.nodes import FALSE, Ints, Nodes
from symkripke.engines.count.steps import Floats, FluentStep, Names, Order, Steps
from symkripke.errors import Unsupported
from symkripke.limits import look


class AskedFluent(NamedTuple):
    """An asked fluent, with its name, values and variables."""

    fluent: str
    values: Names
    variables: tuple[int, ...]


def steps(nodes: Nodes, asked: Sequence[AskedFluent], order: Order) -> Steps:
    """Return the steps over these fluents; the diagram must not be empty.

    The steps have the order of the diagram. Fluents that it does not depend on come last.

    Raises:
        Unsupported: variables of one fluent lie between those of another, or `order` is "given" and
            the names have a different order from the diagram.
    """
    place = {variable: level for level, variable in enumerate(nodes.variables)}
    levels = {fluent: sorted(place[v] for v in fluent.variables if v in place) for fluent in asked}
    there = sorted((fluent for fluent in asked if levels[fluent]), key=levels.__getitem__)
    for before, after in pairwise(there):
        if levels[before][-1] > levels[after][0]:
            raise Unsupported(
                f"the variables of {before.fluent} and {after.fluent} are mixed in the diagram"
            )
    walked = [*there, *(fluent for fluent in asked if not levels[fluent])]
    if order == "given" and walked != [*asked]:
        raise Unsupported("the diagram has another order of the fluents than is asked for")
    bounds = [0, *(levels[fluent][0] for fluent in there[1:]), len(nodes.variables)]
    shares = _shares(nodes, nodes.low), _shares(nodes, nodes.high)
    states, result = np.array([nodes.root]), []
    for fluent, (start, end) in zip(there, pairwise(bounds), strict=False):
        step, states = _step(nodes, shares, fluent, states, range(start, end))
        result.append(step)
    for fluent in walked[len(there) :]:
        left = range(len(fluent.values))
        share = np.full(len(left), 1 / len(left))
        result.append(replace(FluentStep.free(fluent.fluent, fluent.values, left, 1), weight=share))
    return Steps(result)


def _shares(nodes: Nodes, sides: Ints) -> Floats:
    """Return, for each set, the share of its valuations on this side of its first variable."""
    counts = nodes.counts
    shares = np.zeros(len(counts))
    for level, here in enumerate(nodes.layers):
        look()
        side = sides[here]
        past = nodes.level[side] - level - 1
        if counts.dtype == np.int64:
            shares[here] = np.ldexp(counts[side].astype(np.float64), past) / counts[here]
        else:  # quotients of Python integers are rounded only once
            parts = zip(counts[side], past.tolist(), counts[here], strict=True)
            shares[here] = [(count << shift) / whole for count, shift, whole in parts]
    return shares


def _step(
    nodes: Nodes, shares: tuple[Floats, Floats], asked: AskedFluent, states: Ints, levels: range
) -> tuple[FluentStep, Ints]:
    """Return the transitions from these sets through these levels, and their target sets."""
    values = len(asked.values)
    source = np.tile(np.arange(len(states)), values)
    value = np.repeat(np.arange(values), len(states))
    at, share = states[source], np.ones(len(source))
    for level in levels:
        look()
        variable = nodes.variables[level]
        here = nodes.level[at] == level
        if variable in asked.variables:
            high = value == (1 if len(asked.variables) == 1 else asked.variables.index(variable))
            # A set that does not depend on the variable has half of its valuations on each side.
            share = share * np.where(here, np.where(high, shares[1][at], shares[0][at]), 0.5)
        else:  # follow both sides
            rows = np.concatenate([np.arange(len(at)), np.flatnonzero(here)])
            high = np.arange(len(rows)) < len(at)
            source, value, at, here = source[rows], value[rows], at[rows], here[rows]
            share = share[rows] * np.where(here, np.where(high, shares[1][at], shares[0][at]), 1.0)
        at = np.where(here, np.where(high, nodes.high[at], nodes.low[at]), at)
        keys = ((value * len(states) + source) * len(nodes.level) + at)[at != FALSE]
        ways, same = np.unique(keys, return_inverse=True)
        share = np.bincount(same.ravel(), share[at != FALSE], len(ways)).astype(np.float64)
        ways, at = np.divmod(ways, len(nodes.level))
        value, source = np.divmod(ways, len(states))
    ends, target = np.unique(at, return_inverse=True)
    step = FluentStep(*asked[:2], len(states), len(ends), source, value, target.ravel(), share)
    return step, ends
