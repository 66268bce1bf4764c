"""The knowledge of many agents at once: one pass over the law's nodes for all of them.

"Nobody knows whether he is muddy" is a conjunction of n parts, and each part alone is a new diagram
as large as the law. But let x be the first variable of `law`, let agent i see it, and let i's
question f not mention it. Then i's knowledge at worlds with x true depends only on the law with x
true:

    (exists H. law & f) with x true  =  exists H. ((law with x true) & f)     x not in H, not in f

So one pass goes down the law's nodes with all parts together. A part leaves the others at its
*place*: the first variable that it hides or asks for. There it is computed on that node alone. A
node is visited once, whatever the number of its parts and of ways to it. Its result is kept, and
the law after the next announcement has most nodes in common with this one. For n muddy children
that makes n**2 nodes for all rounds together; a diagram for each child and round makes n**4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from symkripke import limits
from symkripke.engines.bdd.diagram import Diagrams
from symkripke.engines.bdd.interruptible import Diagram, and_exists, both, diff_exists, either
from symkripke.engines.bdd.tuning import BddTuning
from symkripke.engines.caches import LRUCache
from symkripke.records import dataclass

Mode: TypeAlias = Literal["always", "somewhere", "decided"]


@dataclass(frozen=True, slots=True)
class KnowledgeQuery:
    """A formula about an agent's knowledge of a fact, for any law.

    Attributes:
        mode: whether the fact is true at all worlds that look the same to the agent (K), at one of
            them (M), or at all or none (Kw).
        hidden: the variables that the agent does not see, as a cube.
        true: the worlds at which the fact is true.
        truth: False for the negation of the formula.
    """

    mode: Mode
    hidden: Diagram
    true: Diagram
    truth: bool = True

    def within(self, law: Diagram) -> Diagram:
        """Return the worlds of `law` at which it is true, if `law` is commonly known."""
        if self.mode == "somewhere":
            known = and_exists(law, self.true, self.hidden)
        else:
            known = ~diff_exists(law, self.true, self.hidden)
            if self.mode == "decided":
                known = either(known, ~and_exists(law, self.true, self.hidden))
        return known if self.truth else ~known


Suffix: TypeAlias = tuple[Diagram, int]
"""A node of the law, and the index of the first part that has not left the others there."""


@dataclass(eq=False)
class KnowledgeQueries:
    """Queries that are asked together often: sorted once for each order of the variables.

    Attributes:
        parts: the different queries, by place.
        levels: their places.
        order: the number of the order of the variables for which these places are right.
    """

    parts: tuple[KnowledgeQuery, ...]
    levels: tuple[int, ...] = ()
    order: int = -1

    def sort(self, diagrams: Diagrams) -> None:
        """Sort the parts, if the order of the variables has changed."""
        if self.order == diagrams.orders:
            return
        level = diagrams.level
        places = {query: min(level(query.hidden), level(query.true)) for query in self.parts}
        self.parts = tuple(sorted(places, key=places.__getitem__))
        self.levels = tuple(places[part] for part in self.parts)
        self.order = diagrams.orders


class BatchKnowledge:
    """Conjunctions of many `KnowledgeQuery`s, with a cache of results for the nodes of a law."""

    def __init__(self, diagrams: Diagrams, tuning: BddTuning) -> None:
        """Create an empty cache."""
        self._diagrams = diagrams
        self._most = tuning.batch_results
        # Saves most of a pass after the next announcement, which leaves most nodes as they are.
        self._lists: LRUCache[tuple[KnowledgeQuery, ...], dict[Suffix, Diagram]]
        self._lists = LRUCache(tuning.batches, tuning.batch_results, len)

    def all_of(self, law: Diagram, queries: KnowledgeQueries, check: Callable[[], None]) -> Diagram:
        """Return the worlds of `law` at which all `queries` are true; `check` may raise."""
        queries.sort(self._diagrams)
        level, parts, levels = self._diagrams.level, queries.parts, queries.levels
        results = self._kept(parts)
        # Each node with its parts, once these were looked up.
        stack: list[tuple[Suffix, tuple[Suffix, ...] | None]] = [((law, 0), None)]
        while stack:
            top, made_of = stack.pop()
            limits.look()
            node, start = top
            if made_of is None:
                if top in results:
                    continue
                if start == len(parts):
                    results[top] = self._diagrams.true
                    continue
                if levels[start] <= level(node):
                    made_of = ((node, start + 1),)
                else:
                    sides = node.cofactors()
                    assert sides is not None  # a constant's level is behind all places
                    made_of = ((sides[0], start), (sides[1], start))
                missing = [part for part in made_of if part not in results]
                if missing:
                    stack.append((top, made_of))
                    stack += [(part, None) for part in missing]
                    continue
            if len(made_of) == 1:
                check()
                results[top] = both(parts[start].within(node), results[made_of[0]])
            else:
                more, less = made_of
                results[top] = self._diagrams.at(level(node)).ite(results[more], results[less])
        return results[law, 0]

    def _kept(self, parts: tuple[KnowledgeQuery, ...]) -> dict[Suffix, Diagram]:
        """Return the results that are kept for these parts."""
        suffixes = self._lists.get(parts)
        if suffixes is None or len(suffixes) > self._most:
            suffixes = self._lists.put(parts, {})
        return suffixes
