"""Weights, shares and samples of listed worlds, computed directly from the definitions."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate

import numpy as np

from symkripke.engines.count.steps import FluentStep, Steps
from symkripke.engines.count.weighting import shares, unclear
from symkripke.engines.explicit.model import KripkeModel, Numbers
from symkripke.engines.explicit.table import Rows, Table, Vector
from symkripke.errors import BudgetExceeded
from symkripke.language import Atom
from symkripke.limits import look
from symkripke.model import KnowledgeStructure


def weights(structure: KnowledgeStructure, table: Table) -> Numbers:
    """Return, for each world, the product of the likelihoods of all events, in proportion.

    Raises:
        InputError: a likelihood does not have exactly one true case at every world.
    """
    product = np.ones(table.size, dtype=object)
    for stage in structure.stages:
        for likelihood in stage.likelihoods.added:
            truth = [table.truth(formula) for formula, _ in likelihood.cases]
            if not np.all(np.sum(truth, axis=0) == 1):
                event = stage.history.event
                raise unclear(str(likelihood.source or (event.source if event else "")))
            for value, here in zip(shares(likelihood), truth, strict=True):
                product[here] *= value
    return product


def share(model: KripkeModel, rows: Rows, truth: Vector) -> Fraction:
    """Return the share of the weight of these rows at which `truth` is true."""
    if model.weights is None:
        return Fraction(int(np.count_nonzero(truth[rows])), len(rows))
    weighed = model.weights[rows]
    return Fraction(int(weighed[truth[rows]].sum()), int(weighed.sum()))


def joint(
    model: KripkeModel, rows: Rows, truth: Mapping[Atom, Vector], limit: int
) -> dict[frozenset[Atom], Fraction]:
    """Return, for each set of atoms, the share of the rows at which exactly these are true.

    Raise `BudgetExceeded` if there are more than `limit` sets.
    """
    sums: dict[frozenset[Atom], int] = {}
    for row in rows:
        look()
        key = frozenset(atom for atom, vector in truth.items() if vector[row])
        weight = 1 if model.weights is None else int(model.weights[row])
        sums[key] = sums.get(key, 0) + weight
        if len(sums) > limit:
            raise BudgetExceeded(f"there are more than {limit:,} possibilities")
    whole = sum(sums.values())
    return {key: Fraction(value, whole) for key, value in sums.items()}


def draw(model: KripkeModel, rows: Rows, number: int, chance: random.Random) -> list[int]:
    """Return `number` random rows, drawn by weight."""
    weighed = [1] * len(rows) if model.weights is None else [int(w) for w in model.weights[rows]]
    ends = list(accumulate(weighed))
    drawn = []
    for _ in range(number):
        look()
        drawn.append(int(rows[bisect_right(ends, chance.randrange(ends[-1]))]))
    return drawn


def different(table: Table, names: Sequence[str]) -> int:
    """Return the number of different valuations of these fluents."""
    if not names or not table.size:
        return min(1, table.size)
    columns = np.stack([table.columns[name] for name in names], axis=1)
    return len(np.unique(columns, axis=0))


def unrolled(
    model: KripkeModel, rows: Rows, structure: KnowledgeStructure, names: Sequence[str]
) -> Steps:
    """Return the steps over these fluents; each state is a tuple of the values so far."""
    before = np.zeros(len(rows), dtype=np.int64)
    starts, steps = 1, []
    for name in names:
        look()
        values = structure.vocabulary.fluents[name].values
        distinct, after = np.unique(
            before * len(values) + model.table.columns[name][rows], return_inverse=True
        )
        source, value = np.divmod(distinct, len(values))
        before, ends = after.ravel(), len(distinct)
        steps.append(FluentStep(name, values, starts, ends, source, value, np.arange(ends)))
        starts = ends
    if steps:
        weighed = np.ones(len(rows), dtype=object) if model.weights is None else model.weights[rows]
        ways = np.zeros(starts, dtype=object)
        np.add.at(ways, before, weighed)
        weight = (ways / int(ways.sum())).astype(np.float64)
        steps[-1] = replace(steps[-1], ends=1, target=np.zeros(starts, np.int64), weight=weight)
    return Steps(steps)
