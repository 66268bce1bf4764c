"""The encoding: `card(n)` is the rank of a card, and `holder(n)` its place, which is public."""

from __future__ import annotations

from fireworks.rules import (
    DECK,
    TABLE,
    Clue,
    Happening,
    Put,
    Setup,
    holder_name,
    holders,
    rank_name,
)
from symkripke.language import Atom, conjunction, exactly, negation
from symkripke.model import (
    Change,
    Constraint,
    Event,
    Fixed,
    Fluent,
    KnowledgeStructure,
    Observable,
    Vocabulary,
)


def has(card: int, rank: str) -> Atom:
    """Return the atom "the card has this rank"."""
    return Atom(rank_name(card), rank)


def ranks(setup: Setup) -> tuple[str, ...]:
    """Return all ranks in order."""
    return tuple(dict.fromkeys(setup.deck))


def sees(setup: Setup, card: int, source: str) -> tuple[Observable, ...]:
    """Return the observables of a player who sees the rank of a card."""
    return tuple(Observable(has(card, rank), source) for rank in ranks(setup))


def structure(setup: Setup) -> KnowledgeStructure:
    """Return the first structure: ranks in the deck are known; players see each other's hands."""
    places = (*setup.players, DECK, TABLE)
    fluents = [Fluent(rank_name(card), ranks(setup)) for card in setup.cards]
    fluents += [Fluent(holder_name(card), places) for card in setup.cards]
    law = [
        Constraint(
            exactly(setup.deck.count(rank), [has(card, rank) for card in setup.cards]),
            f"the deck has {setup.deck.count(rank)} cards of rank {rank}",
        )
        for rank in ranks(setup)
    ]
    first = conjunction(Atom(name, place) for name, place in holders(setup).items())
    law.append(Constraint(first, "the first cards are dealt"))
    observables = {
        player: [
            observable
            for card in setup.hands[setup.other(player)]
            for observable in sees(setup, card, "the other's hand")
        ]
        for player in setup.players
    }
    return KnowledgeStructure.of(Vocabulary.of(fluents, setup.players), law, observables)


def event(setup: Setup, hands: dict[str, tuple[int, ...]], public: Happening) -> Event:
    """Return the information in an event; `hands` are the hands before it."""
    if isinstance(public, Clue):
        hand = hands[setup.other(public.player)]
        said = f"turn {public.turn}: {public.player.title()} told about rank {public.rank}"
        law = conjunction(
            has(card, public.rank) if card in public.cards else negation(has(card, public.rank))
            for card in hand
        )
        return Event(said, (Constraint(law, said),))
    return put(setup, public)


def put(setup: Setup, public: Put) -> Event:
    """Return the event of putting a card down and drawing another, seen by the other player."""
    said = f"turn {public.turn}: {public.player.title()} put down card {public.card}"
    changes = [Change(holder_name(public.card), TABLE, said)]
    observes = {}
    if public.drawn is not None:
        changes.append(Change(holder_name(public.drawn), public.player, said))
        observes[setup.other(public.player)] = sees(setup, public.drawn, f"{said}; it drew")
    law = Constraint(has(public.card, public.rank), said)
    return Event(said, (law,), observes=observes, changes=tuple(changes))


def held(setup: Setup, structure: KnowledgeStructure, player: str) -> tuple[int, ...]:
    """Return the cards now in a hand, which are public."""
    first = holders(setup)
    found = []
    for card in setup.cards:
        now = structure.versions.get(holder_name(card))
        place = now.value if isinstance(now, Fixed) else first[holder_name(card)]
        if place == player:
            found.append(card)
    return tuple(found)
