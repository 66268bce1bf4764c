"""Beliefs: soft constraints, which agents keep if they are consistent with their knowledge.

The law is common knowledge. A *soft constraint* is only likely, because somebody said it or because
it is mostly true: it is a formula with a rank, which states how far it is trusted. It never changes
knowledge.

The soft constraints of a history that an agent takes up have one order: higher ranks first; within
a rank the newest event first; within an event in order of writing. Worlds are compared
lexicographically: of two worlds, take the first soft constraint that is true at only one of them;
that world is more plausible. This is a total preorder. If ranks are the same for all agents, so is
the order. If ranks differ by agent, each agent has its own order, and all orders are common
knowledge.

    B[i] f at s   iff   f holds at all most plausible worlds of those that i cannot tell from s.

So i goes through the order and keeps each soft constraint that is consistent with its knowledge and
with the constraints kept before; the others are given up. All most plausible worlds of a cell
satisfy the same constraints, because the order within a rank is linear. So a belief has reasons:
the constraints kept. (The lexicographic closure compares the numbers of constraints kept in a rank.
There could then be many sets of kept constraints, and a repeated statement would count twice.)
Constraints that contradict i's knowledge, or themselves, are given up.

Belief is KD45; and K[i] f -> B[i] f, B[i] f -> K[i] B[i] f, ~B[i] f -> K[i] ~B[i] f. It is revised
without further rules: no constraint is ever removed from the order, so a constraint that was given
up is kept again when the constraints that contradicted it are given up. Announcements restrict the
worlds, and keep the order:

    [!a] B[i] f       <->   (a -> B[i | a] [!a] f)      (i's most plausible worlds with a)
    [!a] B[i | b] f   <->   (a -> B[i | a & [!a] b] [!a] f)

The reduction for knowledge, [!a] B[i] f <-> (a -> B[i] [!a] f), holds if i does not believe ~a. If
i does, a is a surprise, and i's most plausible worlds afterwards were less plausible before.

A soft constraint of the highest rank makes the worlds at which it is true more plausible than all
others, and keeps the order within both sets of worlds: the radical upgrade of van Benthem.

Sources: W. Spohn, Ordinal conditional functions, 1988 (ranks); G. Brewka, Preferred subtheories,
1989 (keep the most trusted part that is consistent); D. Lehmann, Another perspective on default
reasoning, 1995 (lexicographic closure); J. van Benthem, Dynamic logic for belief revision, 2007,
and A. Baltag, S. Smets, A qualitative theory of dynamic interactive belief revision, 2008
(plausibility models, conditional belief, and the axioms above).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field

from symkripke.argument_types import unexpected
from symkripke.errors import InputError
from symkripke.language import Formula
from symkripke.language.walk import is_propositional
from symkripke.model.layers import Layers
from symkripke.model.origin import Origin
from symkripke.records import dataclass


@dataclass(frozen=True, slots=True, init=False)
class Soft:
    """A soft constraint: a formula that agents believe unless a more trusted one contradicts it.

    The statement and its ranks are common knowledge; its truth is not.

    Attributes:
        formula: a propositional formula about the world before the event's changes and about the
            event's own fluents.
        rank: the degree of trust, higher for more trusted constraints. A number for all agents, or
            a number for each agent that takes it up.
        source: its origin: "turn 2: bob bid 2x3".
    """

    formula: Formula
    rank: int | Mapping[str, int] = field(hash=False)
    source: Origin

    def __init__(
        self, formula: Formula, rank: int | Mapping[str, int] = 0, source: Origin | str = ""
    ) -> None:
        """Create a soft constraint; raise `InputError` for an invalid formula or rank."""
        object.__setattr__(self, "formula", formula)
        object.__setattr__(self, "rank", rank)
        object.__setattr__(self, "source", Origin.of(source))
        if not isinstance(self.formula, Formula):
            raise unexpected("a formula as a soft constraint", self.formula)
        if not is_propositional(self.formula):
            raise InputError(
                f"expected a soft constraint without knowledge or belief in it, got {self.formula}"
            )
        ranks = self.rank.values() if isinstance(self.rank, Mapping) else (self.rank,)
        for rank in ranks:
            if not isinstance(rank, int) or isinstance(rank, bool):
                raise unexpected("a whole number as a rank", rank)

    def rank_for(self, agent: str) -> int | None:
        """Return the rank for the agent; None if the agent does not take up the constraint."""
        return self.rank if isinstance(self.rank, int) else self.rank.get(agent)


class SoftConstraints(Layers[Soft]):
    """The soft constraints of a structure, one layer per event."""

    __slots__ = ("_orders",)

    def __init__(self, added: Iterable[Soft] = (), earlier: SoftConstraints | None = None) -> None:
        """Add a layer to the earlier layers."""
        super().__init__(added, earlier)
        self._orders: dict[str, tuple[Soft, ...]] = {}

    def order(self, agent: str) -> tuple[Soft, ...]:
        """Return the constraints that the agent takes up, most trusted first."""
        found = self._orders.get(agent)
        if found is None:
            ranked = [
                (rank, soft)
                for layer in reversed(self.layers)
                for soft in layer
                if (rank := soft.rank_for(agent)) is not None
            ]
            ranked.sort(key=lambda pair: -pair[0])
            found = self._orders[agent] = tuple(soft for _, soft in ranked)
        return found


@dataclass(frozen=True)
class Beliefs:
    """The soft constraints that an agent keeps, and those that it gives up; most trusted first.

    Attributes:
        kept: the constraints that the agent believes. Its beliefs follow from these and its
            knowledge.
        given_up: the constraints that contradict its knowledge and more trusted constraints. It
            believes none of them.
    """

    kept: tuple[Soft, ...]
    given_up: tuple[Soft, ...]

    @classmethod
    def of(cls, order: Iterable[Soft], fits: Callable[[Soft], bool]) -> Beliefs:
        """Return the beliefs that result from trying to keep each constraint, in this order.

        `fits` returns whether a constraint is consistent with the constraints kept before.
        """
        walked = [(soft, fits(soft)) for soft in order]
        return cls(
            tuple(soft for soft, kept in walked if kept),
            tuple(soft for soft, kept in walked if not kept),
        )
