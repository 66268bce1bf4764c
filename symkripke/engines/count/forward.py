"""Forward filtering: the weighted worlds that an agent considers possible, event by event.

An event that changes fluents creates new versions of them (see `symkripke.model`), and the old
versions stay in the law for ever. But probabilities are about the present. So after each event, the
weights of all histories that lead to the same present state are added up (the forward pass of L. R.
Rabiner: A tutorial on hidden Markov models, 1989). The number of weights grows with the number of
possible present states, not with the number of possible histories.

Up to the first change, the worlds are counted as usual. From then on, a weighted diagram is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from symkripke import limits
from symkripke.engines.bdd.diagram import Diagrams
from symkripke.engines.bdd.interruptible import Diagram
from symkripke.engines.bdd.law import Encoding, Literals, Stage
from symkripke.engines.caches import LRUCache
from symkripke.engines.count.fluents_asked import current
from symkripke.engines.count.weighting import unclear
from symkripke.errors import BudgetExceeded, in_digits
from symkripke.model import KnowledgeStructure
from symkripke.records import dataclass

if TYPE_CHECKING:
    from symkripke.engines.count.likelihoods import EventWeights
    from symkripke.engines.count.nodes import Nodes
    from symkripke.engines.count.weighted_diagram import WeightedDiagram

Start = Callable[[int, frozenset[int]], Diagram]
"""A function that returns the weighted worlds of a stage, keeping at least the given variables."""


class HistoryFilter:
    """Forward filtering for one family of structures.

    Attributes:
        encoding: the worlds as valuations, with their diagrams.
        arrays: a cache of the nodes of diagrams.
    """

    def __init__(self, encoding: Encoding) -> None:
        """Create a filter with empty caches."""
        self.encoding = encoding
        tuning = encoding.tuning
        # Saves reading the nodes again: marginals, joint distributions and samples share them, and
        # all players share the nodes of an event.
        self.arrays: LRUCache[Diagram, Nodes] = LRUCache(
            tuning.arrays, tuning.array_bytes, lambda nodes: nodes.size
        )
        # Avoids filtering the whole history again after each event.
        self._kept: LRUCache[tuple[Stage, Literals, frozenset[int]], WeightedDiagram] = LRUCache(
            tuning.weighted_diagrams, tuning.weighted_bytes, lambda weights: weights.bytes
        )
        self._current: WeakKeyDictionary[Stage, frozenset[int]] = WeakKeyDictionary()

    @property
    def _diagrams(self) -> Diagrams:
        return self.encoding.diagrams

    @property
    def places(self) -> dict[int, int]:
        """The index of each variable in the order."""
        return {variable: place for place, variable in enumerate(self._diagrams.order)}

    @property
    def most(self) -> int:
        """The maximum number of states of a weighted diagram."""
        return max(1, self._diagrams.max_nodes // self.encoding.tuning.weighted_share)

    def nodes(self, diagram: Diagram) -> Nodes:
        """Return the nodes of a diagram as arrays, and cache them."""
        from symkripke.engines.count.nodes import Nodes  # imports numpy

        return self.arrays.get(diagram) or self.arrays.put(diagram, Nodes(self._diagrams, diagram))

    def summed(
        self, worlds: Diagram, kept: frozenset[int], weights: WeightedDiagram | None = None
    ) -> WeightedDiagram:
        """Return the weights (by default 1) at `worlds`, summed over all variables except `kept`.

        Raises:
            TooManyNodes: there would be too many states.
        """
        from symkripke.engines.count.weighted_diagram import WeightedDiagram  # imports numpy

        before = WeightedDiagram() if weights is None else weights
        return before.after(self.nodes(worlds), {}, kept, self.places, self.most)

    @staticmethod
    def start(history: Sequence[KnowledgeStructure], events: Sequence[EventWeights]) -> int | None:
        """Return the index of the last stage before the first change.

        Return None if filtering is impossible: if nothing has changed, or if an event from then on
        reveals knowledge, which may depend on the whole history.
        """
        changed = next((n for n, stage in enumerate(history) if stage.versions), 0)
        if not changed or any(event.modal for event in events[changed:]):
            return None
        return changed - 1

    def weights(
        self,
        history: Sequence[KnowledgeStructure],
        events: Sequence[EventWeights],
        seen: Sequence[Literals],
        asked: frozenset[int],
        first: int,
        start: Start,
    ) -> WeightedDiagram:
        """Return the weights of the valuations of the current fluents and the variables `asked`.

        Args:
            history: the structures, from the first one on.
            events: the data of each structure for counting.
            seen: the observations of the agent after each event.
            asked: further variables to keep.
            first: the index of the stage to begin with (see the method `start`).
            start: the function that returns the worlds of that stage.

        Raises:
            InputError: a likelihood does not have exactly one true case at each world.
            TooManyNodes: there would be too many states.
        """
        keys = list(self._keys(history, events, seen, asked, first))
        place = len(keys) - 1
        while place > 0 and keys[place] not in self._kept:
            place -= 1
        weights = self._kept.get(keys[place])
        if weights is None:
            kept = self._now(history[first]) | keys[0][2]
            weights = self._kept.put(keys[place], self.summed(start(first, kept), kept))
        for number in range(first + place + 1, len(events)):
            limits.check()
            fresh = seen[number] - seen[number - 1]
            key = keys[number - first]
            kept = self._now(history[number]) | key[2]
            weights = self._with(events[number], fresh, kept, weights)
            self._kept.put(key, weights)
        return weights

    def _now(self, structure: KnowledgeStructure) -> frozenset[int]:
        """Return the variables of the current versions of the fluents of the first structure."""
        stage = self.encoding.stages[structure]
        if stage not in self._current:
            names = current(structure, structure.root.vocabulary.fluents)
            self._current[stage] = stage.variables_of(names)
        return self._current[stage]

    def _keys(
        self,
        history: Sequence[KnowledgeStructure],
        events: Sequence[EventWeights],
        seen: Sequence[Literals],
        asked: frozenset[int],
        first: int,
    ) -> Iterator[tuple[Stage, Literals, frozenset[int]]]:
        """Yield the key of the weights of each stage, from the first on.

        A key consists of the stage, the observations, and the variables that the question or a
        later event needs in addition to the current ones.
        """
        later: list[frozenset[int]] = []
        needed = asked
        for number in range(len(events) - 1, first - 1, -1):
            stage = events[number].stage
            later.append((needed & stage.variables) - self._now(history[number]))
            if number > first:
                fresh = seen[number] - seen[number - 1]
                needed |= events[number].variables.union(abs(literal) - 1 for literal in fresh)
        for number, more in zip(range(first, len(events)), reversed(later), strict=True):
            yield events[number].stage, seen[number], more

    def _with(
        self,
        event: EventWeights,
        fresh: Literals,
        kept: frozenset[int],
        weights: WeightedDiagram,
    ) -> WeightedDiagram:
        """Return the weights after one more event."""
        parts = [*event.stage.added]
        if 0 in fresh:
            parts.append(self._diagrams.false)
        given = {abs(literal) - 1: literal > 0 for literal in fresh if literal}
        if event.cases:
            parts.append(event.as_variables()[0])
            for source, wrong in event.ambiguous():
                if weights.part(self.nodes(wrong), given, self.places, self.most):
                    raise unclear(source)
        constraint = self.nodes(self._diagrams.every(parts))
        return weights.after(constraint, given, kept, self.places, self.most)


@dataclass(frozen=True)
class Present:
    """The weighted worlds that an agent considers possible now.

    Attributes:
        weights: the weights of the valuations of the current variables and of the variables asked
            for.
        made_by: the filter that created this object.
    """

    weights: WeightedDiagram
    made_by: HistoryFilter

    def share(self, fact: Diagram) -> Fraction:
        """Return the probability of a set of worlds, given over the variables of `weights`."""
        made_by = self.made_by
        return self.weights.part(made_by.nodes(fact), {}, made_by.places, made_by.most)

    def over(self, asked: frozenset[int]) -> WeightedDiagram:
        """Return the weights of the valuations of these variables."""
        if asked.issuperset(self.weights.variables):
            return self.weights
        true = self.made_by.encoding.diagrams.true
        return self.made_by.summed(true, asked, self.weights)

    def valuations(self, asked: frozenset[int]) -> int:
        """Return the number of joint valuations of these variables."""
        weights = self.over(asked)
        return weights.valuations << len(asked - set(weights.variables) - weights.fixed.keys())

    def split(self, asked: frozenset[int], limit: int) -> list[tuple[frozenset[int], Fraction]]:
        """Return each possible set of true variables among `asked`, with its probability.

        Raises:
            BudgetExceeded: there are more than `limit` sets.
        """
        check_number(self.valuations(asked), limit)
        weights = self.over(asked)
        parts = [(true & asked, share) for true, share in weights.paths()]
        for variable in asked - set(weights.variables) - weights.fixed.keys():
            parts = [
                (more, share / 2) for true, share in parts for more in (true, true | {variable})
            ]
        return parts


def check_number(number: int, limit: int) -> None:
    """Raise `BudgetExceeded` if `number`, the number of possibilities, exceeds `limit`."""
    if number > limit:
        raise BudgetExceeded(f"there are {in_digits(number)} possibilities, more than {limit:,}")
