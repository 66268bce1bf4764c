"""The encoding: what the setup and the events of Cluedo tell, and to whom.

Fluents: `location(card)`, a player or the envelope. Each player observes, for each card, whether it
holds it. A card that is shown is a new fluent, `shown(turn)`, which the two involved see; who
weighs worlds with "bayes" takes it for chosen by chance among those that could be shown.

Where silence speaks, what its player does instead of a right accusation is an announcement about
knowledge: a turn without accusation, another suggestion, and a wrong accusation say that, before
it, the player did not know the solution.
"""

from __future__ import annotations

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
    Vocabulary,
)
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
    location,
    shown,
)

# What the three answers are called in formulas: `Kv[plum] (murderer, weapon, room)`.
ANSWERS = ("murderer", "weapon", "room")


def at(card: str, place: str) -> Atom:
    """The card is at that place: with a player, or in the envelope."""
    return Atom(location(card), place)


def holds(player: str, card: str) -> Atom:
    """The player holds the card."""
    return at(card, player)


def solution(suspect: str, weapon: str, room: str) -> Formula:
    """These three are in the envelope."""
    return conjunction(at(card, ENVELOPE) for card in (suspect, weapon, room))


def knows_solution(player: str) -> Formula:
    """The player knows which three are in the envelope."""
    return Kv(player, ANSWERS)


def title(setup: Setup, name: str) -> str:
    """A card, player or place as people write it."""
    for card in setup.edition.cards:
        if card.id == name:
            return card.title
    return name.replace("_", " ").title() if name != ENVELOPE else "the envelope"


def person(name: str) -> str:
    """A player as people write it."""
    return name.replace("_", " ").title()


def _titles(setup: Setup, cards: Triple) -> str:
    return ", ".join(title(setup, card) for card in cards)


def _words(titles: dict[str, str], atom: Atom, truth: bool) -> str:
    kind, _, name = atom.fluent.rstrip(")").partition("(")
    value = titles.get(atom.value, atom.value)
    if kind == "shown":
        return f"the card shown in turn {name} was {'' if truth else 'not '}{value}"
    card = titles.get(name, name)
    if atom.value == ENVELOPE:
        return f"{card} is {'' if truth else 'not '}in the envelope"
    return f"{person(atom.value)} {'holds' if truth else 'does not hold'} {card}"


def structure(setup: Setup) -> KnowledgeStructure:
    """What all know before the first turn: where cards can be, and how many each holds."""
    places = (*setup.players, ENVELOPE)
    cards = setup.edition.cards
    ids = tuple(card.id for card in cards)
    fluents = [Fluent(location(card.id), places, f"{card.title} is in one place") for card in cards]
    law = [
        Constraint(
            exactly(1, [at(card.id, ENVELOPE) for card in category]),
            f"one of the {kind} is in the envelope",
        )
        for kind, category in zip(CATEGORIES, setup.edition.categories, strict=True)
    ]
    for player, hand in zip(setup.players, setup.hands, strict=True):
        if isinstance(hand, int):
            law.append(
                Constraint(
                    exactly(hand, [holds(player, card) for card in ids]),
                    f"{person(player)} holds {hand} cards",
                )
            )
            continue
        for kind, category, number in zip(CATEGORIES, setup.edition.categories, hand, strict=True):
            law.append(
                Constraint(
                    exactly(number, [holds(player, card.id) for card in category]),
                    f"{person(player)} holds {number} of the {kind}",
                )
            )
    by_category = [tuple(card.id for card in category) for category in setup.edition.categories]
    vocabulary = Vocabulary.of(
        fluents,
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
            ),
            Definition(
                "knows_solution",
                (("player", setup.players),),
                knows_solution,
                "the player knows the solution",
            ),
        ],
        derived=[
            DerivedFluent(answer, tuple((card, at(card, ENVELOPE)) for card in names))
            for answer, names in zip(ANSWERS, by_category, strict=True)
            # A card of that name keeps it: `room` in a set that has a card called "Room".
        ],
        wording=partial(_words, {card.id: card.title for card in cards}),
    )
    observables = {
        player: [Observable(holds(player, card), "own hand") for card in ids]
        for player in setup.players
    }
    return KnowledgeStructure.of(vocabulary, law, observables)


def event(setup: Setup, public: Happening) -> Event:
    """What an event tells."""
    if isinstance(public, Suggestion):
        return _suggestion(setup, public)
    if isinstance(public, NoSuggestion):
        return Event(f"turn {public.turn}: {person(public.player)} made no suggestion")
    if isinstance(public, NoAccusation):
        told = f"turn {public.turn}: {person(public.player)} did not accuse"
        return Event(told, _ignorance(setup, public.player, told))
    return _accusation(setup, public)


def _ignorance(setup: Setup, player: str, source: str) -> tuple[Constraint, ...]:
    """That the player did not know the solution, where it would have accused rightly."""
    if player not in setup.accusers:
        return ()
    return (Constraint(negation(knows_solution(player)), source),)


def _suggestion(setup: Setup, public: Suggestion) -> Event:
    asker, turn = person(public.player), f"turn {public.turn}"
    asked = _titles(setup, public.cards)
    law = [
        Constraint(
            conjunction(negation(holds(player, card)) for card in public.cards),
            f"{turn}: {person(player)} has none of {asked}",
        )
        for player in public.passes
    ]
    source = f"{turn}: {asker} asked for {asked}"
    law += _ignorance(setup, public.player, f"{turn}: {asker} asked, and did not accuse")
    if public.shower is None:
        return Event(source, tuple(law))
    shower = person(public.shower)
    told = f"{turn}: {shower} showed {asker} one of {asked}"
    fluent = Fluent(
        shown(public.turn), public.cards, f"{turn}: {shower} showed {asker} exactly one card"
    )
    law.append(
        Constraint(
            # That one was shown stands here again, so that this alone is a reason.
            disjunction(fluent.atoms)
            & conjunction(
                Implies(Atom(fluent.name, card), holds(public.shower, card))
                for card in public.cards
            ),
            told,
        )
    )
    # Each of the two saw the card, and sees it in the same way.
    seen = tuple(Observable(atom, f"{turn}, seen by {asker} and {shower}") for atom in fluent.atoms)
    chosen = Likelihood(
        tuple(
            (
                exactly(number, [holds(public.shower, card) for card in public.cards]),
                Fraction(1, number),
            )
            for number in (1, 2, 3)
        ),
        f"{told}: any that it held, as likely as another",
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
    said = f"turn {public.turn}: {accuser} accused {_titles(setup, public.cards)}"
    claim = solution(*public.cards)
    if public.right:
        return Event(said, (Constraint(claim, f"{said}, rightly"),))
    looked = {}
    if setup.rules == CLASSIC:
        # The accuser looks into the envelope before it puts the cards back.
        looked[public.player] = tuple(
            Observable(at(card.id, ENVELOPE), f"turn {public.turn}, seen in the envelope")
            for card in setup.edition.cards
        )
    wrong = f"{said}, wrongly"
    law = (Constraint(negation(claim), wrong), *_ignorance(setup, public.player, wrong))
    return Event(said, law, observes=looked)


def envelope_atoms(setup: Setup) -> tuple[Atom, ...]:
    """For each card the atom that it is in the envelope: what the game is about."""
    return tuple(at(card.id, ENVELOPE) for card in setup.edition.cards)
