"""The worlds that an agent considers possible, ready to be counted by weight.

Fluents outside the question are quantified out if that changes no share. These are the private
fluents of an event that no later event mentions; the likelihoods of the event are left out with
them (see `symkripke.engines.count.likelihoods`). So the diagram of a card game is the diagram of
its deals, however many cards were shown to others. The agent's observations are added first. Each
event is added to the cached diagram of the previous stage.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakKeyDictionary

from symkripke import limits
from symkripke.engines.bdd.interruptible import Diagram, both, exists, minus
from symkripke.engines.bdd.law import Encoding, Literals, Stage
from symkripke.engines.caches import AdaptiveBound, LRUCache
from symkripke.engines.count.forward import HistoryFilter, Present, check_number
from symkripke.engines.count.weighting import unclear
from symkripke.language import Formula
from symkripke.model import KnowledgeStructure
from symkripke.records import dataclass

if TYPE_CHECKING:
    from symkripke.engines.bdd.projected_views import KnowledgeOfOthers
    from symkripke.engines.bdd.truth import Evaluation
    from symkripke.engines.count.likelihoods import EventWeights, LikelihoodVariables
    from symkripke.engines.count.nodes import Nodes

# Bytes of a node in use, including references to it.
_NODE = 80

# A manager whose peak was `_ONCE` times the bound is dropped, too, because it does not release the
# memory of unused nodes.
_ONCE = 4


@dataclass(frozen=True)
class EventPlan:
    """The treatment of an event.

    Attributes:
        gone: the fluents that are quantified out after this event, because nothing mentions them
            later.
        weighs: whether its likelihoods are used.
    """

    gone: frozenset[str] = frozenset()
    weighs: bool = False


Plan: TypeAlias = tuple[EventPlan, ...]
"""The treatment of each event, from the first stage on."""


class ModelCounter:
    """Weighted model counting for one family of structures, with or without likelihoods.

    Attributes:
        encoding: the worlds as valuations, with their diagrams.
        weighting: the weighting of worlds, "equal" or "bayes".
        turn: the number of the last question to this counter; later questions have higher numbers.
    """

    def __init__(self, encoding: Encoding, weighting: str) -> None:
        """Create a counter with empty caches."""
        self.encoding = encoding
        self._tuning = tuning = encoding.tuning
        self.weighting = weighting
        self.turn = 0
        self._events: WeakKeyDictionary[KnowledgeStructure, EventWeights] = WeakKeyDictionary()
        self._blocks: LikelihoodVariables = {}
        # Avoids rebuilding the weighted law, event by event.
        self._laws: LRUCache[tuple[Stage, Literals, Plan], Diagram] = LRUCache(tuning.counted_laws)
        self._room = AdaptiveBound(_NODE * tuning.live_nodes, tuning.soon)
        self._filter = HistoryFilter(encoding)
        self._others: KnowledgeOfOthers | None = None

    @property
    def size(self) -> int:
        """The approximate memory of the counter, in bytes."""
        return self.encoding.diagrams.size + self._filter.arrays.size

    def is_outgrown(self) -> bool:
        """Return whether the counter holds too much memory and should be replaced.

        This collects unused nodes, and must be called between questions only.
        """
        diagrams = self.encoding.diagrams
        diagrams.sweep()
        nodes = max(diagrams.live, diagrams.peak // _ONCE)
        arrays = max(0, self._filter.arrays.size - self._tuning.array_bytes)
        return self._room.is_outgrown(_NODE * nodes + arrays)

    # ---- ask it ---------------------------------------------------------------------------

    def projected_worlds(
        self, work: Evaluation, agent: str | None, given: Literals, names: Iterable[str]
    ) -> Diagram:
        """Return the different valuations of the named fluents at the worlds with `given`.

        Args:
            work: the evaluation of the structure.
            agent: the agent that observes `given`; None if nothing is given.
            given: the observations of the agent.
            names: resolved names of fluents.
        """
        asked = work.stage.variables_of(names)
        events, seen = self._history(work), self._seen(work, agent, given)
        law = self._law(work, events, seen, self._plan(events, seen, asked, plain=True))
        return exists(law, self.encoding.diagrams.cube_of(work.stage.variables - asked))

    def weighted_worlds(
        self, work: Evaluation, agent: str, given: Literals, names: Iterable[str]
    ) -> Diagram:
        """Return the worlds that the agent considers possible, for questions about these fluents.

        The probability of some values of these fluents is the share of the valuations of this
        diagram with these values.

        Raise `InputError` if a likelihood does not have exactly one true case at each of these
        worlds.
        """
        asked = work.stage.variables_of(names)
        events, seen = self._history(work), self._seen(work, agent, given)
        return self._law(work, events, seen, self._plan(events, seen, asked))

    def filtered_weights(
        self, work: Evaluation, agent: str, given: Literals, names: Iterable[str]
    ) -> Present | None:
        """Return the current worlds of the agent, with the weights of their histories added up.

        Return None if nothing has changed, or if the events cannot be filtered (see
        `HistoryFilter`).
        """
        stages = work.structure.stages
        events = self._history(work)
        first = self._filter.start(stages, events)
        if first is None:
            return None
        seen = self._seen(work, agent, given)
        asked = work.stage.variables_of(names)

        def start(stage: int, kept: frozenset[int]) -> Diagram:
            earlier, then = events[: stage + 1], seen[: stage + 1]
            return self._law(work, earlier, then, self._plan(earlier, then, kept))

        weights = self._filter.weights(stages, events, seen, asked, first, start)
        return Present(weights, self._filter)

    def of_others(
        self, work: Evaluation, agent: str, given: Literals, operand: Formula
    ) -> tuple[bool, bool] | None:
        """Return whether an agent considers a formula possible, and the same for its negation.

        Return None if nothing has changed, if some event reveals knowledge, or if the formula is
        not about one other agent's (or one group's distributed) knowledge of facts (see
        `KnowledgeOfOthers`).
        """
        from symkripke.engines.bdd.projected_views import KnowledgeOfOthers, group_of

        structure = work.structure
        group = group_of(operand)
        if group is None or agent in group or not structure.versions or structure.law.is_modal:
            return None
        events = self._history(work)
        first = next(n for n, stage in enumerate(structure.stages) if stage.versions)
        if self._others is None:
            self._others = KnowledgeOfOthers(self.encoding)
        return self._others.can_be(work, events, first, given, group, operand)

    def weighed(
        self,
        work: Evaluation,
        given: Literals,
        observed: Iterable[int],
        whole: Diagram,
        part: Diagram,
    ) -> tuple[Diagram, Diagram, int]:
        """Return `whole` and `part` with likelihood variables, so that counts are weights.

        `whole` and its subset `part` are sets of worlds of the law with `given`. The `observed`
        variables are kept. The third result is the number of likelihood variables.
        """
        if self.weighting == "equal":
            return whole, part, 0
        events = self._history(work)
        for event in events:
            self._check(event, whole)
        choices = self._plan(events, [given] * len(events), frozenset(observed))
        # Likelihoods in use are applied below, after other variables are gone, so their fluents
        # stay.
        kept = {
            name
            for event, choice in zip(events, choices, strict=True)
            if choice.weighs
            for name in event.mentions
        }
        gone = frozenset(name for choice in choices for name in choice.gone) - kept
        if gone:
            cube = self.encoding.diagrams.cube_of(events[-1].stage.variables_of(gone))
            without = [exists(each, cube) for each in (whole, part, minus(whole, part))]
            constraints = [
                added
                for event, choice in zip(events, choices, strict=True)
                if choice.gone & gone
                for added in event.stage.added
            ]
            back = self.encoding.diagrams.every(
                [without[0], self.encoding.diagrams.cube(given), *constraints]
            )
            if (without[1] & without[2]).satisfiable() or minus(back, whole).satisfiable():
                # The question, or an announcement in it, depends on a private fluent, so all are
                # kept.
                choices = tuple(EventPlan(weighs=bool(event.cases)) for event in events)
            else:
                whole, part, _ = without
        more = 0
        for event, choice in zip(events, choices, strict=True):
            if choice.weighs:
                limits.check()
                likelihoods, added = event.as_variables()
                whole, part = both(whole, likelihoods), both(part, likelihoods)
                more += len(added)
        return whole, part, more

    def nodes(self, law: Diagram) -> Nodes:
        """Return the nodes of a diagram."""
        return self._filter.nodes(law)

    def split(
        self, law: Diagram, variables: Iterable[int], limit: int
    ) -> list[tuple[frozenset[int], Fraction]]:
        """Return each valuation of these variables in `law` (not empty), with its share.

        Raises:
            BudgetExceeded: there are more than `limit` valuations.
            TooManyNodes: there would be too many states.
        """
        diagrams = self.encoding.diagrams
        asked = frozenset(variables)
        left = exists(law, diagrams.cube_of(set(diagrams.order) - asked))
        check_number(diagrams.count(left, len(asked)), limit)
        return Present(self._filter.summed(law, asked), self._filter).split(asked, limit)

    # ---- the plan -------------------------------------------------------------------------

    def _history(self, work: Evaluation) -> list[EventWeights]:
        """Return the data for counting of each stage in the structure's history."""
        from symkripke.engines.count.likelihoods import EventWeights

        where = None if self.weighting == "equal" else partial(work.truth, work.everything())
        first, *later = work.structure.stages
        for structure in later or [first]:
            if structure not in self._events:
                self._events[structure] = EventWeights.of(
                    self.encoding, structure, self._blocks, where
                )
        if not later:
            return [self._events[first]]
        start = EventWeights.nothing(self.encoding, first, self._blocks)
        return [start, *(self._events[structure] for structure in later)]

    def _seen(self, work: Evaluation, agent: str | None, given: Literals) -> list[Literals]:
        """Return, for each stage, the literals of `given` that the agent has seen by that stage."""
        seen: list[Literals] = []
        observed: frozenset[int] | None = None
        for structure in work.structure.stages:
            now = frozenset() if agent is None else self.encoding.stages[structure].observed[agent]
            if now is not observed:
                observed = now
                seen.append(
                    frozenset(
                        literal for literal in given if abs(literal) - 1 in now or not literal
                    )
                )
            else:
                seen.append(seen[-1])
        return seen

    def _plan(
        self,
        events: Sequence[EventWeights],
        seen: Sequence[Literals],
        stay: frozenset[int],
        *,
        plain: bool = False,
    ) -> Plan:
        """Return the plan for eliminating fluents without variables in `stay`.

        If `plain`, the plan ignores likelihoods.
        """
        all_seen = seen[-1]
        last: dict[str, int] = {}
        for number, event in enumerate(events):
            last.update(dict.fromkeys(event.mentions, number))
            if event.modal:  # knowledge may depend on all earlier fluents
                last.update(dict.fromkeys(last, number))
        gone: list[set[str]] = [set() for _ in events]
        weighs = [False] * len(events)
        for number, (event, given) in enumerate(zip(events, seen, strict=True)):
            here: set[str] = set()
            later: set[str] = set()
            for name in event.secret:
                own = event.stage.variables_of((name,))
                if not own.isdisjoint(stay):
                    continue
                fresh = any(v + 1 in all_seen or -v - 1 in all_seen for v in own) and any(
                    abs(literal) - 1 in own for literal in all_seen - given
                )
                if not fresh:
                    (here if last[name] == number else later).add(name)
            if plain:
                gone[number] |= here
                for name in later:
                    gone[last[name]].add(name)
                continue
            if event.cancels(given, frozenset(here)):
                gone[number] |= here
            else:
                weighs[number] = bool(event.cases)
                later |= here
            for name in later:
                # An observed fluent has one value at all relevant worlds.
                if all(
                    v + 1 in given or -v - 1 in given for v in event.stage.variables_of((name,))
                ):
                    gone[last[name]].add(name)
        return tuple(map(EventPlan, map(frozenset, gone), weighs))

    # ---- the diagram ----------------------------------------------------------------------

    def _law(
        self, work: Evaluation, events: Sequence[EventWeights], seen: Sequence[Literals], plan: Plan
    ) -> Diagram:
        """Return the diagram that the plan describes, built on the latest cached stage."""
        keys = [
            (event.stage, given, plan[: number + 1])
            for number, (event, given) in enumerate(zip(events, seen, strict=True))
        ]
        start = len(events) - 1
        while start > 0 and keys[start] not in self._laws:
            start -= 1
        law = self._laws.get(keys[start])
        if law is None:
            law = self.encoding.law(work.structure.root, seen[0])
            if plan[0].weighs:
                self._check(events[0], law)
                law = both(law, events[0].as_variables()[0])
        with self.encoding.diagrams.gathering():
            for event, choice in zip(events[start + 1 :], plan[start + 1 :], strict=True):
                if choice.weighs:
                    event.place_variables()
        self._laws.put(keys[start], law)
        for number in range(start + 1, len(events)):
            limits.check()
            given = seen[number] - seen[number - 1]
            law = self._with(events[number], given, seen[number], plan[number], law)
            self._laws.put(keys[number], law)
        return law

    def _with(
        self, event: EventWeights, fresh: Literals, given: Literals, choice: EventPlan, law: Diagram
    ) -> Diagram:
        """Return the diagram after one more event."""
        diagrams = self.encoding.diagrams
        parts = [*event.stage.added, *([event.as_variables()[0]] if choice.weighs else [])]
        own = event.stage.variables_of(choice.gone.intersection(event.secret))
        cube = diagrams.cube_of(event.stage.variables_of(choice.gone))
        if choice.gone and choice.gone <= set(event.secret):
            # Fluents private to this event are quantified out before conjunction with the large
            # diagram.
            near = diagrams.cube(
                literal for literal in given if abs(literal) - 1 in event.variables
            )
            rest = diagrams.cube(v for v in fresh if abs(v) - 1 not in own)
            self._check(event, law)
            return both(both(law, rest), exists(diagrams.every([*parts, near]), cube))
        self._check(event, law)
        if not event.modal:
            # The parts of an event are joined first, so that the large diagram is traversed only
            # once.
            parts = [diagrams.every([*parts, diagrams.cube(fresh)])]
        else:
            parts.insert(0, diagrams.cube(fresh))
        for part in parts:
            law = both(law, part)
        return exists(law, cube) if choice.gone else law

    def _check(self, event: EventWeights, law: Diagram) -> None:
        """Raise `InputError` if a likelihood does not have exactly one true case at each world."""
        for source, wrong in event.ambiguous():
            if both(law, wrong).satisfiable():
                raise unclear(source)
