"""The product update by its definition: all pairs of a world and an event possible there."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from symkripke.engines.explicit.model import KripkeModel, Numbers
from symkripke.engines.explicit.table import Column, Table, Vector, extend
from symkripke.errors import TooManyWorlds
from symkripke.language import Formula
from symkripke.limits import look
from symkripke.model import SKIP, Fixed, KnowledgeStructure, Postcondition
from symkripke.model.actions import Signal

Truth = Callable[[KripkeModel, Formula], Vector]
"""A function that returns the worlds of a model at which a formula of the action is true."""


def product(
    model: KripkeModel, structure: KnowledgeStructure, truth: Truth, max_worlds: int
) -> Table:
    """Return the worlds of `structure`, which is the result of an action.

    Args:
        model: the model before the action.
        structure: the structure after the action.
        truth: a function that evaluates the action's formulas in models with the action's own
            fluents.
        max_worlds: the maximum number of worlds.

    Raises:
        TooManyWorlds: there would be more than `max_worlds` worlds.
    """
    assert structure.history.occurrence is not None
    own = structure.history.occurrence.action.fluents
    wide = extend(model.table, own, (), max_worlds)
    during = KripkeModel(
        wide,
        model.observables,
        _repeated(model, wide),
        model.plausibility,
        model.by_plausibility,
    )
    return _Pairs(structure, during, truth, max_worlds).table()


def _repeated(model: KripkeModel, wide: Table) -> Numbers | None:
    """Return the weights of the worlds, repeated for all values of the new fluents."""
    if model.weights is None or not model.size:
        return None
    return np.repeat(model.weights, wide.size // model.size)


class _Pairs:
    """The computation of the worlds after an action, event by event."""

    def __init__(
        self, structure: KnowledgeStructure, model: KripkeModel, truth: Truth, max_worlds: int
    ) -> None:
        """Prepare the product.

        `model` contains the earlier worlds with the action's own fluents.
        """
        assert structure.history.occurrence is not None
        self._structure = structure
        self._occurrence = structure.history.occurrence
        self._model = model
        self._truth = truth
        self._max_worlds = max_worlds
        self._found: dict[Formula, Vector] = {}

    def table(self) -> Table:
        """Return the table of all pairs."""
        parts: list[tuple[Vector, Mapping[str, Column]]] = []
        total = 0
        for event in self._occurrence.events:
            look()
            possible = self._true(self._occurrence.action.event(event).precondition)
            total += int(np.count_nonzero(possible))
            if total > self._max_worlds:
                raise TooManyWorlds(
                    f"more than {self._max_worlds:,} possible worlds to list: the explicit engine "
                    "lists them all; ask another engine, or allow more"
                )
            parts.append((possible, self._columns(event)))
        fluents = self._structure.vocabulary.fluents
        columns = {
            name: np.concatenate([made[name][possible] for possible, made in parts])
            for name in fluents
        }
        return Table(total, fluents, columns)

    def _true(self, formula: Formula) -> Vector:
        if formula not in self._found:
            self._found[formula] = self._truth(self._model, formula)
        return self._found[formula]

    def _columns(self, event: str) -> Mapping[str, Column]:
        """Return the values of each fluent after the event, for all worlds before it."""
        occurrence = self._occurrence
        columns: dict[str, Column] = dict(self._model.table.columns)
        if occurrence.which:
            columns[occurrence.which] = self._everywhere(
                occurrence.which, occurrence.action.event(event).value
            )
        for name, leaf in occurrence.prior_truths.items():
            columns[name] = self._true(leaf).astype(np.uint8)
        changes = {c.fluent: c for c in occurrence.action.event(event).postconditions}
        for plain, version in occurrence.versions.items():
            columns[version] = self._changed(plain, version, changes.get(plain))
        noticed: dict[str, Vector] = {}
        for agent in self._structure.agents:
            signals = self._signals(agent, event)
            noticed[agent] = np.array([signal is not None for signal in signals], dtype=np.bool_)
            if agent in occurrence.signals:
                labels = occurrence.labels[agent]
                name = occurrence.signals[agent]
                numbers = [self._number(name, labels[signal]) for signal in signals]
                columns[name] = np.array(numbers, dtype=np.uint16)
        after = Table(self._model.size, self._structure.vocabulary.fluents, columns)
        for name, sight in self._structure.history.traces.conditional_sights.items():
            if name not in columns:
                watched = self._model.table.truth(sight.where)
                seen = noticed[sight.agent] & watched & after.atom(sight.atom)
                columns[name] = seen.astype(np.uint8)
        return columns

    def _number(self, fluent: str, value: str) -> int:
        return self._structure.vocabulary.fluents[fluent].values.index(value)

    def _everywhere(self, fluent: str, value: str) -> Column:
        return np.full(self._model.size, self._number(fluent, value), dtype=np.uint16)

    def _changed(self, plain: str, version: str, change: Postcondition | None) -> Column:
        """Return the new version: the value of the first true case, or else the old value."""
        now = self._occurrence.names.versions.get(plain, plain)
        if isinstance(now, Fixed):
            column = self._everywhere(version, now.value)
        else:
            column = self._model.table.columns[now].astype(np.uint16)
        open_still = np.ones(self._model.size, dtype=np.bool_)
        for value, condition in () if change is None else change.cases:
            here = open_still & self._true(condition)
            column[here] = self._number(version, str(value))
            open_still &= ~here
        return column

    def _signals(self, agent: str, event: str) -> list[Signal]:
        """Return the agent's signal of the event at each world."""
        if event == SKIP:
            return [None] * self._model.size
        signals: list[Signal] = [None] * self._model.size
        open_still = np.ones(self._model.size, dtype=np.bool_)
        for condition, how in self._occurrence.action.cases(agent):
            here = open_still & self._true(condition)
            for row in np.flatnonzero(here):
                signals[row] = how.signal(event)
            open_still &= ~here
        return signals
