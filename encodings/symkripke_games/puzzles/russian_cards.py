"""Russian cards: the search for all safe announcements (H. van Ditmarsch, 2003).

Alice announces a list of hands that contains her own. The announcement is safe if afterwards,
whatever the deal, it is common knowledge that Bob knows where all cards are, and that Cath does not
know the holder of any card except her own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from typing import TypeAlias

from symkripke.engines import Engine, engine
from symkripke.language import Atom, Formula, Implies, Kv, conjunction, disjunction, exactly
from symkripke.model import Constraint, Fluent, KnowledgeStructure, Observable, Vocabulary

Hand: TypeAlias = tuple[int, ...]

PLAYERS = ("alice", "bob", "cath")
CARDS = range(7)
HOLDS = (3, 3, 1)


def cards() -> KnowledgeStructure:
    """Return the structure of the deal, in which each player sees their own cards."""
    deck = [Fluent(f"owner({card})", PLAYERS) for card in CARDS]
    law = [
        Constraint(exactly(number, [Atom(c.name, who) for c in deck]), f"{who} holds {number}")
        for who, number in zip(PLAYERS, HOLDS, strict=True)
    ]
    sees = {who: [Observable(Atom(c.name, who), "its own hand") for c in deck] for who in PLAYERS}
    return KnowledgeStructure.of(Vocabulary.of(deck, PLAYERS), law, sees)


@cache
def holds(hand: Hand) -> Formula:
    """Return the formula stating that Alice holds this hand."""
    return conjunction(Atom(f"owner({card})", "alice") for card in hand)


def announced(hands: Iterable[Hand]) -> Formula:
    """Return the formula stating that Alice holds one of these hands."""
    return disjunction(map(holds, hands))


@cache
def bob_knows() -> Formula:
    """Return the formula stating that Bob knows where all cards are."""
    return conjunction(Kv("bob", f"owner({card})") for card in CARDS)


@cache
def cath_knows_none() -> Formula:
    """Return the formula stating that Cath knows the holder of no card except her own."""
    return conjunction(
        Implies(~Atom(f"owner({card})", "cath"), ~Kv("cath", f"owner({card})")) for card in CARDS
    )


def candidates(hand: Hand) -> Iterator[tuple[Hand, ...]]:
    """Yield the lists of 5 to 7 hands, one of them `hand`, of which no two share over one card.

    If two hands shared two cards, Bob could not always tell them apart.
    """
    others = [other for other in combinations(CARDS, HOLDS[0]) if len({*other, *hand}) > 4]

    def grown(chosen: tuple[Hand, ...], start: int, more: int) -> Iterator[tuple[Hand, ...]]:
        if not more:
            yield chosen
            return
        for place in range(start, len(others)):
            if all(len({*others[place], *hand}) > 4 for hand in chosen):
                yield from grown((*chosen, others[place]), place + 1, more - 1)

    for size in (5, 6, 7):
        yield from grown((hand,), 0, size - 1)


def is_safe(hands: Iterable[Hand], structure: KnowledgeStructure, asked: Engine) -> bool:
    """Return whether it is safe to announce these hands.

    A formula that is valid after an announcement is common knowledge, so it suffices to check
    validity.
    """
    after = structure.announce(announced(hands))
    return bool(asked.valid(after, bob_knows())) and bool(asked.valid(after, cath_knows_none()))


def safe_announcements(
    hand: Hand = (0, 1, 2), asked: Engine | None = None
) -> list[tuple[Hand, ...]]:
    """Return all safe lists of hands that Alice can announce when she has `hand`."""
    chosen, structure = asked or engine("bdd"), cards()
    return [hands for hands in candidates(hand) if is_safe(hands, structure, chosen)]
