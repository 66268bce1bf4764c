"""Kripke models: worlds, and for each agent the worlds that it cannot tell apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from symkripke.engines.caches import LRUCache
from symkripke.engines.explicit.table import Rows, Table, Vector
from symkripke.engines.explicit.tuning import ExplicitTuning
from symkripke.language import Formula
from symkripke.language.formulas import AfterAction
from symkripke.limits import look
from symkripke.model import Observable, World

Labels: TypeAlias = NDArray[np.int64]
"""A partition of the worlds; worlds with the same number are in one cell."""

Numbers: TypeAlias = NDArray[Any]
"""An integer for each world, as numpy integers, or as Python integers if those could overflow."""


class KripkeModel:
    """A Kripke model (W, ~1, ..., ~n) in which every ~i is an equivalence.

    W is a table of worlds. Agent i cannot tell two worlds apart if all atoms that i observes have
    the same truth values at both. To compare the plausibility of two worlds, take the first formula
    of i's order that is true at only one of them. The world at which it is true is more plausible
    to i.

    Attributes:
        table: the worlds.
        observables: the observables of each agent.
        plausibility: for each agent, its order: propositional formulas, most trusted first.
        weights: for each world, an integer in proportion to its weight; None if all are equal.
        by_plausibility: whether only the most plausible worlds matter for probabilities.
        after: a function that returns the worlds at which a formula about an action is true; None
            if such formulas are unsupported.
    """

    __slots__ = (
        "_cells",
        "_components",
        "after",
        "by_plausibility",
        "observables",
        "plausibility",
        "table",
        "weights",
    )

    def __init__(
        self,
        table: Table,
        observables: Mapping[str, Iterable[Observable]],
        weights: Numbers | None = None,
        plausibility: Mapping[str, tuple[Formula, ...]] | None = None,
        by_plausibility: bool = False,
        after: Callable[[AfterAction], Vector] | None = None,
        tuning: ExplicitTuning | None = None,
    ) -> None:
        """Create a model of worlds, observables, weights and orders.

        Without `weights`, all worlds have the same weight. Without `plausibility`, all are equally
        plausible.
        """
        tuning = tuning or ExplicitTuning()
        self.table = table
        self.observables = observables
        self.weights = weights
        self.plausibility = plausibility or {}
        self.by_plausibility = by_plausibility
        self.after = after
        self._cells = _partitions(tuning)
        self._components = _partitions(tuning)

    @property
    def size(self) -> int:
        """The number of worlds."""
        return self.table.size

    @property
    def partitions_size(self) -> int:
        """The size of the cached partitions, in bytes."""
        return self._cells.size + self._components.size

    def restrict(self, kept: Vector) -> KripkeModel:
        """Return the model after an announcement that is true at the worlds `kept`."""
        table = self.table.where(kept)
        if table is self.table:
            return self
        weights = None if self.weights is None else self.weights[kept]
        return KripkeModel(
            table, self.observables, weights, self.plausibility, self.by_plausibility
        )

    def cells(self, group: Iterable[str]) -> Labels:
        """Return the cells of one agent, or of the pooled observations of a group."""
        members = frozenset(group)
        cells = self._cells.get(members)
        if cells is None:
            seen = {o.atom: None for agent in members for o in self.observables[agent]}
            cells = self._same([self.table.atom(atom) for atom in seen])
            self._cells.put(members, cells)
        return cells

    def _same(self, columns: Iterable[Vector]) -> Labels:
        """Return the cells of worlds that agree on all these columns, numbered from 0."""
        labels = np.zeros(self.size, dtype=np.int64)
        room = 1
        for column in columns:
            look()
            # Worlds that agree so far have the same label; each column adds one bit. The labels are
            # renumbered before they can overflow.
            if room >= 2**61:
                labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
                room = self.size
            labels = 2 * labels + column
            room *= 2
        return np.unique(labels, return_inverse=True)[1].astype(np.int64)

    def components(self, group: Iterable[str]) -> Labels:
        """Return the classes of worlds that are connected by steps of members of the group.

        The number of a class is the index of its first world. The least number spreads in each cell
        until nothing changes. Path halving (`first[first]`) shortens long chains.
        """
        members = frozenset(group)
        first = self._components.get(members)
        if first is None:
            first = np.arange(self.size, dtype=np.int64)
            while True:
                last = first
                for agent in members:
                    look()
                    cells = self.cells((agent,))
                    least = np.full(self.size, self.size, dtype=np.int64)
                    np.minimum.at(least, cells, first)
                    first = least[cells]
                first = first[first]
                if np.array_equal(first, last):
                    break
            self._components.put(members, first)
        return first

    def everywhere(self, labels: Labels, truth: Vector) -> Vector:
        """Return the worlds at which `truth` holds at all worlds with the same label."""
        whole = np.ones(self.size, dtype=np.bool_)
        whole[labels[~truth]] = False
        return whole[labels]

    def most_plausible(self, agent: str, among: Vector) -> Vector:
        """Return the most plausible worlds of `among` in each cell of the agent."""
        cells = self.cells((agent,))
        best = among
        for formula in self.plausibility.get(agent, ()):
            look()
            better = best & self.table.truth(formula)
            some = np.zeros(self.size, dtype=np.bool_)
            some[cells[better]] = True
            # In cells without a world at which the formula is true, it is given up.
            best = np.where(some[cells], better, best)
        return best

    def number(self, labels: Labels, truth: Vector) -> Numbers:
        """Return, for each world, the weight of the worlds with its label where `truth` holds."""
        if self.weights is not None:
            sums = np.zeros(self.size, dtype=object)
            np.add.at(sums, labels[truth], self.weights[truth])
            weighed: Numbers = sums[labels]
            return weighed
        counts = np.bincount(labels[truth], minlength=self.size).astype(np.int64)
        return counts[labels]

    def row(self, world: World) -> int | None:
        """Return the row of a world; None if the model does not have this world."""
        same = np.ones(self.size, dtype=np.bool_)
        for name, fluent in self.table.fluents.items():
            if world.get(name) not in fluent.values:
                return None
            same &= np.equal(self.table.columns[name], fluent.values.index(world[name]))
        rows = np.flatnonzero(same)
        return int(rows[0]) if len(rows) else None

    def matching(self, observation: Iterable[tuple[Observable, bool]]) -> Rows:
        """Return the worlds at which these atoms have these truth values."""
        same = np.ones(self.size, dtype=np.bool_)
        for observable, truth in observation:
            look()
            same &= np.equal(self.table.atom(observable.atom), truth)
        return np.flatnonzero(same)


def _partitions(tuning: ExplicitTuning) -> LRUCache[frozenset[str], Labels]:
    return LRUCache(tuning.partitions, tuning.partition_bytes, lambda labels: labels.nbytes)
