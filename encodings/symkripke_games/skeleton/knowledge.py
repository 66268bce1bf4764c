"""The encoding: the knowledge before the first move, and the information in events.

Fluents: `location(card)`, whose value is a player or "hidden". Each player sees their own hand.
"""

from __future__ import annotations

from functools import partial

from symkripke.language import exactly
from symkripke.model import (
    Constraint,
    Definition,
    Event,
    KnowledgeStructure,
    Origin,
    Vocabulary,
)
from symkripke.play.hands import (
    at,
    claimed,
    hold_numbers,
    holds,
    in_one_place,
    own_hand,
    place_words,
)
from symkripke.play.words import person
from symkripke_games.skeleton.rules import HIDDEN, Guess, Happening, Setup


def structure(setup: Setup) -> KnowledgeStructure:
    """Return the first structure, whose law states that one card is hidden, and the hand sizes."""
    titles = {card.id: card.title for card in setup.cards}
    places = (*setup.players, HIDDEN)
    law = [
        Constraint(
            exactly(1, [at(card, HIDDEN) for card in titles]),
            Origin("one card is hidden", kind="deal"),
        ),
        *hold_numbers(setup.sizes, tuple(titles), "was dealt"),
    ]
    cards = ("card", tuple(titles))

    vocabulary = Vocabulary.of(
        in_one_place(titles, places),
        setup.players,
        definitions=[
            Definition("at", (cards, ("place", places)), at, "the card is there"),
            Definition("holds", (("player", setup.players), cards), holds, "the player holds it"),
        ],
        wording=partial(place_words, titles, {HIDDEN: "hidden"}),
    )
    return KnowledgeStructure.of(vocabulary, law, own_hand(setup.players, tuple(titles)))


def event(setup: Setup, public: Happening) -> Event:
    """Return the event of an answer or a guess, which all players hear."""
    title = next(card.title for card in setup.cards if card.id == public.card)
    who = person(public.player)
    if isinstance(public, Guess):
        said = Origin(f"{who} says that {title} is hidden", public.turn, (public.player,))
        return claimed(said, at(public.card, HIDDEN), right=public.right)
    has = holds(public.asked, public.card)
    answer = f"{person(public.asked)} {'has' if public.has else 'does not have'} {title}"
    origin = Origin(answer, public.turn, (public.asked, public.player))
    return Event(origin, (Constraint(has if public.has else ~has, origin),))
