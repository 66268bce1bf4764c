"""Knowledge about another agent's knowledge in a changing world, by projection of events.

"Ann considers it possible that Bob knows where the queen is" depends on the law after a long
history, which has too many nodes as one diagram. But only two sets matter. Let o be the
observations of the other agent, and s a valuation of the variables that the question or a later
event mentions. Then

    possible    contains (o, s) iff the agent considers a world with this o and s possible,
    considered  contains (o, s) iff the law has a world with this o and s.

At a world with o, the other agent knows f iff f is true at all s with (o, s) in `considered`. So
the set of these o is the complement of a projection. The agent knows g iff g is true everywhere in
`possible`.

Both sets are computed event by event. Variables that the other agent does not observe and that are
not needed later are quantified out at once. This is early quantification (J. R. Burch, E. M.
Clarke, D. E. Long: Symbolic model checking with partitioned transition relations, 1991). Two
measures keep the sets small:

* Only the o in `possible` matter. All others are removed from `considered` after each event. (An o
  that becomes impossible later is removed then.)
* An observation can be forgotten if it no longer carries information. Let F be the set of the o in
  `possible`, x a set of their variables that no later event mentions, and U the projection of
  `considered` without x. If `considered` equals F & U, all o of F that differ only in x have the
  same s. These o therefore stay interchangeable for ever, and x is removed everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from symkripke import limits
from symkripke.engines.bdd.interruptible import Diagram, both, either, exists, minus
from symkripke.engines.bdd.law import NOTHING, Encoding, Literals, Stage
from symkripke.engines.bdd.truth import combined
from symkripke.engines.caches import LRUCache
from symkripke.engines.count.likelihoods import EventWeights
from symkripke.language import Name
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional, leaves
from symkripke.records import dataclass

if TYPE_CHECKING:
    from symkripke.engines.bdd.truth import Evaluation

_OF_OTHERS = f.K | f.M | f.Kw | f.D


@dataclass(frozen=True, slots=True)
class Projected:
    """The two sets after some events (see the module).

    Attributes:
        possible: the worlds that the agent considers possible.
        considered: the worlds that the other agent considers possible, for each of its possible
            observations.
        left_out: the variables that have been removed from both sets.
    """

    possible: Diagram
    considered: Diagram
    left_out: frozenset[int]


def group_of(formula: f.Formula) -> tuple[str, ...] | None:
    """Return the agents whose knowledge of facts the formula is about.

    This is a single agent or, for distributed knowledge, a group. It must be the same in all parts
    of the formula. Return None for all other formulas.
    """
    groups: set[tuple[str, ...]] = set()
    for leaf in leaves(formula):
        if isinstance(leaf, f.Modal):
            if not isinstance(leaf, _OF_OTHERS) or not is_propositional(leaf.operands[0]):
                return None
            groups.add(leaf.group if isinstance(leaf, f.D) else (leaf.agent,))
    return groups.pop() if len(groups) == 1 else None


class KnowledgeOfOthers:
    """The projections of one family of structures."""

    def __init__(self, encoding: Encoding) -> None:
        """Create an empty cache."""
        self._encoding = encoding
        # Avoids projecting the whole history again after each event and for each question.
        self._kept: LRUCache[tuple[Stage, Literals, frozenset[int], frozenset[int]], Projected]
        self._kept = LRUCache(encoding.tuning.projected_views)

    def can_be(
        self,
        work: Evaluation,
        events: Sequence[EventWeights],
        first: int,
        given: Literals,
        group: tuple[str, ...],
        operand: f.Formula,
    ) -> tuple[bool, bool]:
        """Return whether a formula can be true, and whether it can be false, with `given`.

        Both are False if there is no world with `given`.

        Args:
            work: the evaluation of the structure.
            events: the events from the first stage on; none of them reveals knowledge.
            first: the index of the first event that changed a fluent.
            given: the observations of the agent.
            group: the agents whose knowledge the formula is about (see `group_of`).
            operand: the formula.

        Raises:
            BudgetExceeded: the time limit is exceeded.
            oxidd.util.DDMemoryError: there would be too many nodes.
        """
        diagrams = self._encoding.diagrams
        asked = frozenset(
            variable
            for leaf in leaves(operand)
            for atom in leaves(leaf.operands[0] if isinstance(leaf, f.Modal) else leaf)
            if not isinstance(literal := self._encoding.literal(work.stage, atom), bool)
            for variable in (abs(literal) - 1,)
        )
        seen = frozenset[int]().union(*(work.stage.observed[agent] for agent in group))
        projected = self._projected(events, first, given, seen, asked)
        hidden = diagrams.cube_of(work.stage.variables - seen)

        def somewhere(fact: Diagram) -> Diagram:
            return exists(both(projected.considered, fact), hidden)

        def visit(part: f.Formula, operands: tuple[Diagram, ...]) -> Diagram:
            match part:
                case f.Atom():
                    return self._encoding.atom(work.stage, part)
                case f.K() | f.D():
                    return ~somewhere(~operands[0])
                case f.M():
                    return somewhere(operands[0])
                case f.Kw():
                    return either(~somewhere(operands[0]), ~somewhere(~operands[0]))
            return combined(diagrams, part, operands)

        true = f.fold(operand, visit)
        can_be_true = both(projected.possible, true).satisfiable()
        return can_be_true, minus(projected.possible, true).satisfiable()

    def _projected(
        self,
        events: Sequence[EventWeights],
        first: int,
        given: Literals,
        seen: frozenset[int],
        asked: frozenset[int],
    ) -> Projected:
        keys = list(self._keys(events, given, seen, asked))
        place = len(keys) - 1
        while place >= 0 and keys[place] not in self._kept:
            place -= 1
        cached = self._kept.get(keys[place]) if place >= 0 else None
        if cached is None:
            true = self._encoding.diagrams.true
            cached = Projected(true, true, frozenset())
        literals = keys[place][1] if place >= 0 else NOTHING
        # No version is old before the first change, so the constraints until then are added
        # together.
        parts: list[Diagram] = []
        for number in range(place + 1, len(events)):
            limits.check()
            stage, here, _, needed = keys[number]
            parts += stage.added
            if number < first:
                continue
            cached = self._after(cached, stage, parts, here - literals, seen, needed)
            self._kept.put(keys[number], cached)
            literals, parts = here, []
        return cached

    def _keys(
        self,
        events: Sequence[EventWeights],
        given: Literals,
        seen: frozenset[int],
        asked: frozenset[int],
    ) -> Iterator[tuple[Stage, Literals, frozenset[int], frozenset[int]]]:
        """Yield the key of the sets of each stage.

        A key consists of the stage, the literals given about it, the observations of the other
        agent, and the variables needed for the question or for a later event.
        """
        needed = asked
        later: list[frozenset[int]] = []
        for event in reversed(events):
            later.append(needed)
            needed |= event.variables
        for event, more in zip(events, reversed(later), strict=True):
            here = event.stage.variables
            literals = frozenset(v for v in given if abs(v) - 1 in here or not v)
            yield event.stage, literals, seen & here, more & here

    def _after(
        self,
        before: Projected,
        stage: Stage,
        parts: Sequence[Diagram],
        fresh: Literals,
        seen: frozenset[int],
        needed: frozenset[int],
    ) -> Projected:
        """Return the sets after one more event."""
        diagrams = self._encoding.diagrams
        left_out = before.left_out
        # Cubes and small parts come first, which keeps intermediate diagrams small.
        ordered = sorted(parts, key=lambda part: (not diagrams.is_cube(part), part.node_count()))
        possible = both(before.possible, diagrams.cube(fresh))
        for part in ordered:
            limits.check()
            possible = both(possible, part)
        unseen = diagrams.cube_of(stage.variables - seen - left_out)
        views = exists(possible, unseen)
        if fresh or before.possible != before.considered:
            considered = both(before.considered, views)
            for part in ordered:
                limits.check()
                considered = both(considered, part)
        else:
            considered = possible  # the agent knows only what everybody knows
        over = stage.variables - seen - needed - left_out
        cube = diagrams.cube_of(over)
        possible, considered = exists(possible, cube), exists(considered, cube)
        left_out |= over
        for group in self._past(stage, seen - needed - left_out):
            limits.check()
            if group <= left_out:
                continue
            cube = diagrams.cube_of(group)
            without = exists(considered, cube)
            if both(views, without) == considered:
                is_same = possible == considered
                possible = without if is_same else exists(possible, cube)
                considered, views = without, exists(views, cube)
                left_out |= group
        return Projected(possible, considered, left_out)

    def _past(self, stage: Stage, seen: frozenset[int]) -> Iterator[frozenset[int]]:
        """Yield sets of variables to try to eliminate, first all variables of changed fluents.

        In most cases, the event and the new version imply everything that the old version implied.
        """
        blocks = {
            name: own
            for name, (_, block) in stage.blocks.items()
            if (own := seen.intersection(block))
        }
        changed = {name.plain for name in map(Name.of, stage.blocks) if name.is_version}
        old = frozenset[int]().union(
            *(own for name, own in blocks.items() if Name.of(name).plain in changed)
        )
        if old:
            yield old
        for own in blocks.values():
            yield own
