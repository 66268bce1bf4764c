"""Beliefs: soft constraints, kept as far as they fit what is known.

What is known is law. What is only likely, because somebody said so, or because it is mostly so,
is a *soft constraint*: a formula with a rank, how far it is trusted. It never touches knowledge.

All soft constraints of a history that an agent takes up stand in one order: higher ranks first; in
one rank the newest event first; in one event as they are written there. Worlds are compared
lexicographically: of two worlds that one is more plausible at which the first soft constraint is
true on whose truth they differ. That is a total preorder. With ranks for all agents alike it is the
same for all of them; with ranks by agent each has its own, and who trusts what how far is commonly
known.

    B[i] f at s   iff   f holds at all most plausible worlds of those that i cannot tell from s.

So i walks down the order, and keeps each soft constraint that what it knows, and what it has kept,
still allows; the others are given up. All most plausible worlds of a cell keep the same ones, which
is why the order within a rank is linear: a belief then has reasons, the constraints kept. (To
compare how many of a rank are kept, as the lexicographic closure does, would leave many sets of
them, and would count twice what is said twice.) Constraints that contradict what is known, or
themselves, are simply given up.

Belief is KD45; and K[i] f -> B[i] f, B[i] f -> K[i] B[i] f, ~B[i] f -> K[i] ~B[i] f. It revises
itself: nothing is ever taken out of the order, so what was given up can come back when what spoke
against it is given up itself. Announcements restrict the worlds, and keep the order:

    [!a] B[i] f       <->   (a -> B[i | a] [!a] f)      (i's most plausible worlds with a)
    [!a] B[i | b] f   <->   (a -> B[i | a & [!a] b] [!a] f)

The reduction as for knowledge, [!a] B[i] f <-> (a -> B[i] [!a] f), holds where i does not believe
~a. Where it does, a comes as a surprise, and i has to look at worlds that were less plausible.

A soft constraint of the highest rank makes all worlds with it more plausible than all others, and
keeps the order among these and among those: the radical upgrade of van Benthem.

Sources: W. Spohn, Ordinal conditional functions, 1988 (ranks); G. Brewka, Preferred subtheories,
1989 (keep the most trusted part that is consistent); D. Lehmann, Another perspective on default
reasoning, 1995 (lexicographic closure); J. van Benthem, Dynamic logic for belief revision, 2007,
and A. Baltag, S. Smets, A qualitative theory of dynamic interactive belief revision, 2008
(plausibility models, conditional belief, and the axioms above).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from symkripke.argument_types import unexpected
from symkripke.errors import InputError
from symkripke.language import Formula
from symkripke.language.walk import is_propositional
from symkripke.model.origin import Origin


@dataclass(frozen=True, slots=True, init=False)
class Soft:
    """A soft constraint: something that agents believe as long as nothing trusted more is against.

    That it was said, and its ranks, are common knowledge; that it is true is nobody's.

    Attributes:
        formula: what is likely. It speaks about the world before the event's changes (and the
            event's own fluents), never about knowledge or belief.
        rank: how far it is trusted: higher is more. A number, for all agents; or a number for each
            agent that takes it up at all.
        source: where it comes from: "turn 2: bob bid 2x3".
    """

    formula: Formula
    rank: int | Mapping[str, int] = field(hash=False)
    source: Origin

    def __init__(
        self, formula: Formula, rank: int | Mapping[str, int] = 0, source: Origin | str = ""
    ) -> None:
        """A soft constraint; raises `InputError` if its formula or its rank is none."""
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
        """How far that agent trusts it; None if it does not take it up."""
        return self.rank if isinstance(self.rank, int) else self.rank.get(agent)


def in_order(events: Sequence[Iterable[Soft]], agent: str) -> tuple[Soft, ...]:
    """The soft constraints that the agent takes up, most trusted first.

    `events` are those of each event, oldest event first.
    """
    ranked = [
        (rank, soft)
        for event in reversed(events)
        for soft in event
        if (rank := soft.rank_for(agent)) is not None
    ]
    ranked.sort(key=lambda pair: -pair[0])
    return tuple(soft for _, soft in ranked)


@dataclass(frozen=True)
class Beliefs:
    """What has become of the soft constraints in one agent's mind, most trusted first.

    Attributes:
        kept: those that the agent believes. What it believes follows from what it knows and these.
        given_up: those that what it knows, or has kept, contradicts. It believes none of them.
    """

    kept: tuple[Soft, ...]
    given_up: tuple[Soft, ...]

    @classmethod
    def of(cls, order: Iterable[Soft], fits: Callable[[Soft], bool]) -> Beliefs:
        """Walk down the order; `fits` tells of each if it fits what is known and kept before."""
        walked = [(soft, fits(soft)) for soft in order]
        return cls(
            tuple(soft for soft, kept in walked if kept),
            tuple(soft for soft, kept in walked if not kept),
        )
