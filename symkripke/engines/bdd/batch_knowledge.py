"""The knowledge of many agents at once, computed in one pass over the nodes of the law.

"No child knows whether they are muddy" is a conjunction of n parts, and each part alone needs a new
diagram as large as the law. But let x be the first variable of `law`. Suppose that agent i sees x
and that i's question f does not mention x. Then i's knowledge at worlds with x true depends only on
the law with x true:

    (exists H. law & f) with x true  =  exists H. ((law with x true) & f)     x not in H, not in f

So one pass goes down the nodes of the law with all parts together. A part leaves the others at its
*level*, the level of the first variable that it hides or mentions. There it is computed on that
node alone. Each combination of a node and its remaining parts is visited only once. The results are
cached, and the law after the next announcement shares most nodes with this law. For n muddy
children, this takes n**2 nodes for all rounds together; one diagram for each child and round takes
n**4.
"""

from __future__ import annotations

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
        mode: "always" if the fact must be true at all worlds that look the same to the agent (K),
            "somewhere" if at one of them (M), and "decided" if at all or none (Kw).
        hidden: the variables that the agent does not see, as a cube.
        true: the worlds at which the fact is true.
        truth: False for the negation of the formula.
    """

    mode: Mode
    hidden: Diagram
    true: Diagram
    truth: bool = True

    def within(self, law: Diagram) -> Diagram:
        """Return the worlds of `law` at which the query is true, if `law` is commonly known.

        The result is only correct at worlds of `law`.
        """
        if self.mode == "somewhere":
            known = and_exists(law, self.true, self.hidden)
        else:
            known = ~diff_exists(law, self.true, self.hidden)
            if self.mode == "decided":
                known = either(known, ~and_exists(law, self.true, self.hidden))
        return known if self.truth else ~known


Suffix: TypeAlias = tuple[Diagram, int]
"""A node of the law, and the index of the first part that has not left before the node."""


@dataclass(eq=False)
class KnowledgeQueries:
    """Queries that are often asked together, sorted once for each order of the variables.

    Attributes:
        parts: the different queries, sorted by level.
        levels: the levels of the parts.
        order: the number of the variable order to which the levels belong.
    """

    parts: tuple[KnowledgeQuery, ...]
    levels: tuple[int, ...] = ()
    order: int = -1

    def sort(self, diagrams: Diagrams) -> None:
        """Sort the parts if the order of the variables has changed."""
        if self.order == diagrams.orders:
            return
        level = diagrams.level
        places = {query: min(level(query.hidden), level(query.true)) for query in self.parts}
        self.parts = tuple(sorted(places, key=places.__getitem__))
        self.levels = tuple(places[part] for part in self.parts)
        self.order = diagrams.orders


class BatchKnowledge:
    """Conjunctions of many queries, with a cache of results for the nodes of a law."""

    def __init__(self, diagrams: Diagrams, tuning: BddTuning) -> None:
        """Create an empty cache."""
        self._diagrams = diagrams
        self._most = tuning.batch_results
        # The next announcement leaves most nodes unchanged, so most of their results can be reused.
        self._lists: LRUCache[tuple[KnowledgeQuery, ...], dict[Suffix, Diagram]]
        self._lists = LRUCache(tuning.batches, tuning.batch_results, len)

    def all_of(self, law: Diagram, queries: KnowledgeQueries) -> Diagram:
        """Return the worlds of `law` at which all `queries` are true."""
        queries.sort(self._diagrams)
        level, parts, levels = self._diagrams.level, queries.parts, queries.levels
        results = self._kept(parts)
        # An entry is a suffix and, after its first visit, the suffixes that it depends on.
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
                    assert sides is not None  # a constant has the lowest level
                    made_of = ((sides[0], start), (sides[1], start))
                missing = [part for part in made_of if part not in results]
                if missing:
                    stack.append((top, made_of))
                    stack += [(part, None) for part in missing]
                    continue
            if len(made_of) == 1:
                limits.check()
                results[top] = both(parts[start].within(node), results[made_of[0]])
            else:
                more, less = made_of
                results[top] = self._diagrams.at(level(node)).ite(results[more], results[less])
        return results[law, 0]

    def _kept(self, parts: tuple[KnowledgeQuery, ...]) -> dict[Suffix, Diagram]:
        """Return the cached results for these parts."""
        suffixes = self._lists.get(parts)
        if suffixes is None or len(suffixes) > self._most:
            suffixes = self._lists.put(parts, {})
        return suffixes
