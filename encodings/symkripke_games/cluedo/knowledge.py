"""The encoding: the information in the setup and the events of Cluedo, and who observes it.

Fluents: `location(card)`, whose value is a player or the envelope. Each player observes, for each
card, whether they hold it. A shown card is the value of a new fluent, `shown(turn)`, which the two
players involved see. The weighting "bayes" assumes that the shower chose at random among the cards
that could be shown.

If a player's silence speaks, each of their actions except a right accusation is an announcement
about knowledge. A turn without an accusation, another suggestion and a wrong accusation all
announce that the player did not know the solution before.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

from symkripke.language import (
    Atom,
    Formula,
    Implies,
    Kv,
    conjunction,
    disjunction,
    exactly,
    negation,
)
from symkripke.model import (
    Constraint,
    Definition,
    DerivedFluent,
    Event,
    Fluent,
    KnowledgeStructure,
    Likelihood,
    Observable,
    Origin,
    Vocabulary,
)
from symkripke.play.hands import (
    at,
    claimed,
    holds,
    holds_number,
    in_one_place,
    own_hand,
    place_words,
)
from symkripke.play.words import person
from symkripke_games.cluedo.editions import CATEGORIES, ENVELOPE
from symkripke_games.cluedo.rules import (
    CLASSIC,
    Accusation,
    Happening,
    NoAccusation,
    NoSuggestion,
    Setup,
    Suggestion,
    Triple,
    shown,
)

# The names of the three answers in formulas: `Kv[plum] (murderer, weapon, room)`.
ANSWERS = ("murderer", "weapon", "room")


def solution(suspect: str, weapon: str, room: str) -> Formula:
    """Return the formula stating that these three cards are in the envelope."""
    return conjunction(at(card, ENVELOPE) for card in (suspect, weapon, room))


def knows_solution(player: str) -> Formula:
    """Return the formula stating that the player knows which cards are in the envelope."""
    return Kv(player, ANSWERS)


def title(setup: Setup, name: str) -> str:
    """Return the title of a card, player or place."""
    for card in setup.edition.cards:
        if card.id == name:
            return card.title
    return person(name) if name != ENVELOPE else "the envelope"


def _titles(setup: Setup, cards: Triple) -> str:
    return ", ".join(title(setup, card) for card in cards)


def _words(titles: dict[str, str], atom: Atom, truth: bool) -> str:
    if atom.fluent.functor == "shown":
        turn, card = atom.fluent.arguments[0], titles.get(atom.value, atom.value)
        return f"the card shown in turn {turn} was {'' if truth else 'not '}{card}"
    return place_words(titles, {ENVELOPE: "in the envelope"}, atom, truth)


def structure(setup: Setup) -> KnowledgeStructure:
    """Return the first structure: the possible places of cards, and the sizes of hands."""
    places = (*setup.players, ENVELOPE)
    titles = {card.id: card.title for card in setup.edition.cards}
    ids = tuple(titles)
    law = [
        Constraint(
            exactly(1, [at(card.id, ENVELOPE) for card in category]),
            Origin(f"one of the {kind} is in the envelope", kind="rule"),
        )
        for kind, category in zip(CATEGORIES, setup.edition.categories, strict=True)
    ]
    for player, hand in zip(setup.players, setup.hands, strict=True):
        if isinstance(hand, int):
            cards = [holds(player, card) for card in ids]
            law.append(holds_number(player, hand, cards, f"{person(player)} holds {hand} cards"))
            continue
        for kind, category, number in zip(CATEGORIES, setup.edition.categories, hand, strict=True):
            cards = [holds(player, card.id) for card in category]
            text = f"{person(player)} holds {number} of the {kind}"
            law.append(holds_number(player, number, cards, text))
    by_category = [tuple(card.id for card in category) for category in setup.edition.categories]
    vocabulary = Vocabulary.of(
        in_one_place(titles, places, "{} is in one place only"),
        setup.players,
        definitions=[
            Definition("at", (("card", ids), ("place", places)), at, "the card is there"),
            Definition(
                "holds", (("player", setup.players), ("card", ids)), holds, "the player holds it"
            ),
            Definition(
                "solution",
                tuple(
                    (kind[:-1], names) for kind, names in zip(CATEGORIES, by_category, strict=True)
                ),
                solution,
                "these three are in the envelope",
                sentence=(
                    "the solution is {suspect}, {weapon}, {room}",
                    "the solution is not {suspect}, {weapon}, {room}",
                ),
            ),
            Definition(
                "knows_solution",
                (("player", setup.players),),
                knows_solution,
                "the player knows the solution",
                sentence=("{player} knows the solution", "{player} does not know the solution"),
            ),
        ],
        derived=[
            DerivedFluent(answer, tuple((card, at(card, ENVELOPE)) for card in names))
            for answer, names in zip(ANSWERS, by_category, strict=True)
            # A card with the same name takes precedence: `room`, in an edition with a card "Room".
        ],
        wording=partial(_words, titles),
    )
    return KnowledgeStructure.of(vocabulary, law, own_hand(setup.players, ids))


def event(setup: Setup, public: Happening) -> Event:
    """Return the event of the model for an event of the game."""
    if isinstance(public, Suggestion):
        return _suggestion(setup, public)
    if isinstance(public, NoSuggestion):
        text = f"turn {public.turn}: {person(public.player)} made no suggestion"
        return Event(Origin(text, public.turn, (public.player,), "no suggestion"))
    if isinstance(public, NoAccusation):
        text = f"turn {public.turn}: {person(public.player)} did not accuse"
        origin = Origin(text, public.turn, (public.player,), "no accusation")
        return Event(origin, _ignorance(setup, origin))
    return _accusation(setup, public)


def _ignorance(setup: Setup, source: Origin) -> tuple[Constraint, ...]:
    """Return the constraint that the player did not know the solution, if their silence speaks."""
    (player,) = source.agents
    if player not in setup.accusers:
        return ()
    return (Constraint(negation(knows_solution(player)), source),)


def _suggestion(setup: Setup, public: Suggestion) -> Event:
    asker, turn = person(public.player), f"turn {public.turn}"
    asked = _titles(setup, public.cards)
    law = [
        Constraint(
            conjunction(negation(holds(player, card)) for card in public.cards),
            Origin(
                f"{turn}: {person(player)} has none of {asked}",
                public.turn,
                (player, public.player),
                "pass",
            ),
        )
        for player in public.passes
    ]
    source = Origin(
        f"{turn}: {asker} asked for {asked}", public.turn, (public.player,), "suggestion"
    )
    law += _ignorance(setup, replace(source, text=f"{turn}: {asker} asked, and did not accuse"))
    if public.shower is None:
        return Event(source, tuple(law))
    shower = person(public.shower)
    show = Origin(
        f"{turn}: {shower} showed {asker} one of {asked}",
        public.turn,
        (public.shower, public.player),
        "show",
    )
    exactly_one = replace(show, text=f"{turn}: {shower} showed {asker} exactly one card")
    fluent = Fluent(shown(public.turn), public.cards, exactly_one)
    law.append(
        Constraint(
            # Repeats that a card was shown, so that this constraint alone can serve as a reason.
            disjunction(fluent.atoms)
            & conjunction(
                Implies(Atom(fluent.name, card), holds(public.shower, card))
                for card in public.cards
            ),
            show,
        )
    )
    # Both players see the card, with the same origin.
    by_both = replace(show, text=f"{turn}, seen by {asker} and {shower}")
    seen = tuple(Observable(atom, by_both) for atom in fluent.atoms)
    chosen = Likelihood(
        tuple(
            (
                exactly(number, [holds(public.shower, card) for card in public.cards]),
                Fraction(1, number),
            )
            for number in (1, 2, 3)
        ),
        replace(show, text=f"{show}: any that it held, as likely as another"),
    )
    return Event(
        source,
        tuple(law),
        (fluent,),
        {public.player: seen, public.shower: seen},
        likelihoods=(chosen,),
    )


def _accusation(setup: Setup, public: Accusation) -> Event:
    accuser = person(public.player)
    said = Origin(
        f"turn {public.turn}: {accuser} accused {_titles(setup, public.cards)}",
        public.turn,
        (public.player,),
        "accusation",
    )
    # By the classic rules, the accuser looks into the envelope before putting the cards back.
    looks = envelope_atoms(setup) if setup.rules == CLASSIC else ()
    look = f"turn {public.turn}, seen in the envelope"
    claim = solution(*public.cards)
    said_so = claimed(said, claim, right=public.right, looks=looks, look=look)
    if public.right:
        return said_so
    unknown = _ignorance(setup, replace(said, text=f"{said}, wrongly"))
    return replace(said_so, constraints=(*said_so.constraints, *unknown))


def envelope_atoms(setup: Setup) -> tuple[Atom, ...]:
    """Return, for each card, the atom stating that it is in the envelope."""
    return tuple(at(card.id, ENVELOPE) for card in setup.edition.cards)
