"""What many agents know at once: one pass over the law's nodes, instead of one for each agent.

"Nobody knows whether he is muddy" is a conjunction of n parts, and each part alone is a new diagram
as large as the law. But let `law` ask x first, a variable that an agent i sees and that i's
question does not ask for. Then what i knows where x is true depends only on what the law says
there:

    (exists H. law & f) with x true  =  exists H. ((law with x true) & f)     x not in H, not in f

So the conjunction of many parts goes down the law's nodes together, and a part leaves the others
at its *place*: the first variable that it hides or asks for. There it is worked out on that node
alone. A node is visited once, whatever its number of parts and of ways to it; what was found for it
is right wherever it comes up again, and the law after the next announcement has most nodes in
common with this one. For n muddy children that is n**2 nodes for all rounds together, where a
diagram for each child and round makes n**4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from symkripke import limits
from symkripke.engines.bdd.diagram import Diagrams
from symkripke.engines.bdd.sliced import Diagram, both, either, shadow_of_both, shadow_of_rest
from symkripke.engines.recent import RecentBySize

# From so many parts on: with few, a pass in Python costs more than it saves.
MANY = 8

# Lists of parts that are remembered, and how much of all of them (100 bytes and more for each).
_LISTS = 4
_KEPT = 1 << 20

Mode: TypeAlias = Literal["always", "somewhere", "decided"]


@dataclass(frozen=True, slots=True)
class KnowledgeQuery:
    """What somebody knows, as a set of worlds of any law.

    Attributes:
        mode: whether `true` is so at all worlds that look the same, at one of them, or at all
            or none.
        hidden: the variables that he does not see, as a cube.
        true: where what he is asked about is true.
        truth: whether this is asked, or that it is not so.
    """

    mode: Mode
    hidden: Diagram
    true: Diagram
    truth: bool = True

    def within(self, law: Diagram) -> Diagram:
        """Where it is so, if `law` is commonly known; right at the worlds of `law`."""
        if self.mode == "somewhere":
            found = shadow_of_both(law, self.true, self.hidden)
        else:
            found = ~shadow_of_rest(law, self.true, self.hidden)
            if self.mode == "decided":
                found = either(found, ~shadow_of_both(law, self.true, self.hidden))
        return found if self.truth else ~found


Suffix: TypeAlias = tuple[Diagram, int]
"""A node of the law, and from which part on the parts are still together there."""


@dataclass(eq=False)
class KnowledgeQueries:
    """Queries asked together again and again: sorted once for each order of the variables.

    Attributes:
        parts: each once, by place.
        levels: their places.
        order: the number of the order of the variables in which these are their places.
    """

    parts: tuple[KnowledgeQuery, ...]
    levels: tuple[int, ...] = ()
    order: int = -1

    def sort(self, diagrams: Diagrams) -> None:
        """Put the parts in order, unless they are."""
        if self.order == diagrams.orders:
            return
        level = diagrams.level
        places = {query: min(level(query.hidden), level(query.true)) for query in self.parts}
        self.parts = tuple(sorted(places, key=places.__getitem__))
        self.levels = tuple(places[part] for part in self.parts)
        self.order = diagrams.orders


class BatchKnowledge:
    """Conjunctions of many `KnowledgeQuery`s; remembers what it found at which node of a law."""

    def __init__(self, diagrams: Diagrams) -> None:
        """Nothing is remembered yet."""
        self._diagrams = diagrams
        self._lists: RecentBySize[tuple[KnowledgeQuery, ...], dict[Suffix, Diagram]]
        self._lists = RecentBySize(_LISTS, _KEPT, len)
        self._last: tuple[tuple[KnowledgeQuery, ...], dict[Suffix, Diagram]] | None = None

    def all_of(self, law: Diagram, queries: KnowledgeQueries, check: Callable[[], None]) -> Diagram:
        """Where all of `queries` are so, given `law`; `check` may raise at any time."""
        queries.sort(self._diagrams)
        level, parts, levels = self._diagrams.level, queries.parts, queries.levels
        found = self._kept(parts)
        # Each with what it is made of, once that has been looked up.
        stack: list[tuple[Suffix, tuple[Suffix, ...] | None]] = [((law, 0), None)]
        while stack:
            top, made_of = stack.pop()
            limits.look()
            node, start = top
            if made_of is None:
                if top in found:
                    continue
                if start == len(parts):
                    found[top] = self._diagrams.true
                    continue
                if levels[start] <= level(node):
                    made_of = ((node, start + 1),)
                else:
                    sides = node.cofactors()
                    assert sides is not None  # a constant's level is behind all places
                    made_of = ((sides[0], start), (sides[1], start))
                missing = [part for part in made_of if part not in found]
                if missing:
                    stack.append((top, made_of))
                    stack += [(part, None) for part in missing]
                    continue
            if len(made_of) == 1:
                check()
                found[top] = both(parts[start].within(node), found[made_of[0]])
            else:
                more, less = made_of
                found[top] = self._diagrams.at(level(node)).ite(found[more], found[less])
        return found[law, 0]

    def _kept(self, parts: tuple[KnowledgeQuery, ...]) -> dict[Suffix, Diagram]:
        """What is known of these parts."""
        if self._last is not None and self._last[0] is parts and len(self._last[1]) <= _KEPT:
            return self._last[1]  # to look a long list up takes as long as many a pass
        found = self._lists.recall(parts)
        if found is None or len(found) > _KEPT:
            found = self._lists.keep(parts, {})
        self._last = (parts, found)
        return found
