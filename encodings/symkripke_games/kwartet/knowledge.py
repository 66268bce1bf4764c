"""The encoding: the information in the setup and the events of Kwartet, and who observes it.

Fluents: `location(card)`, whose value is a player or the table. Each player observes, for each
card, whether they were dealt it. All moves are public, so the place of a moved card becomes a value
that everybody knows, and needs no new variable. A plain name means the current place of the card.
All uncertainty is therefore about the deal, and all players keep seeing their own hands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial

from symkripke.language import (
    FALSE,
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
    Change,
    Constraint,
    Definition,
    Event,
    Fluent,
    KnowledgeStructure,
    Origin,
    Vocabulary,
)
from symkripke.play.dealing import location
from symkripke.play.hands import at, hold_numbers, holds, in_one_place, own_hand
from symkripke.play.words import number_of, person
from symkripke_games.kwartet.decks import TABLE
from symkripke_games.kwartet.rules import Happening, Opening, Question, Setup


@lru_cache(maxsize=4096)
def holds_group(setup: Setup, player: str, group: str) -> Formula:
    """Return the formula stating that the player holds a card of the group now."""
    return disjunction(at(card, player) for card in setup.cards_of[group])


@lru_cache(maxsize=4096)
def lacks(player: str, card: str) -> Formula:
    """Return the formula stating that the player does not hold the card now."""
    return negation(holds(player, card))


@lru_cache(maxsize=4096)
def holds_others(setup: Setup, player: str, card: str) -> Formula:
    """Return the formula stating that the player now holds the other cards of the card's group."""
    cards = setup.cards_of[setup.group_of[card]]
    return conjunction(holds(player, other) for other in cards if other != card)


def knows_place(player: str, card: str) -> Formula:
    """Return the formula stating that the player knows where the card is."""
    return Kv(player, (location(card),))


def laid_down(setup: Setup, group: str) -> Formula:
    """Return the formula stating that the group has been laid down."""
    return at(setup.cards_of[group][0], TABLE)


def title(setup: Setup, name: str) -> str:
    """Return the title of a card or group."""
    return _titles(setup)[name]


@lru_cache(maxsize=16)
def _titles(setup: Setup) -> dict[str, str]:
    return {
        **{group.id: group.title for group in setup.groups},
        **{card.id: card.title for card in setup.cards},
    }


def _words(cards: dict[str, str], atom: Atom, truth: bool) -> str:
    card = cards.get(atom.fluent.arguments[0], atom.fluent.plain)
    if atom.value == TABLE:
        return f"{card} was {'' if truth else 'not '}on the table"
    if atom.fluent.is_version:
        return f"{person(atom.value)} then {'held' if truth else 'did not hold'} {card}"
    return f"{person(atom.value)} was {'' if truth else 'not '}dealt {card}"


# ---- the deal --------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def structure(setup: Setup) -> KnowledgeStructure:
    """Return the first structure: before anything is laid down, the sizes of hands are known.

    The structure is cached for each setup, so that many games share the work of the engines.
    """
    titles = {card.id: card.title for card in setup.cards}
    ids, groups = tuple(titles), tuple(setup.cards_of)
    places = (*setup.players, TABLE)
    law = [
        Constraint(
            conjunction(negation(at(card, TABLE)) for card in ids),
            Origin("all cards are dealt", kind="deal"),
        ),
        *hold_numbers(setup.sizes, ids, "was dealt"),
    ]
    card_kind, player_kind, group_kind = ("card", ids), ("player", setup.players), ("group", groups)
    vocabulary = Vocabulary.of(
        in_one_place(titles, places, "{} was dealt to one player"),
        setup.players,
        definitions=[
            Definition("at", (card_kind, ("place", places)), at, "the card is there"),
            Definition(
                "holds",
                (player_kind, card_kind),
                holds,
                "the player holds the card",
                sentence=("{player} holds {card}", "{player} does not hold {card}"),
            ),
            Definition(
                "holds_group",
                (player_kind, group_kind),
                partial(holds_group, setup),
                "the player holds a card of the group",
                sentence=(
                    "{player} holds a card of the group {group}",
                    "{player} does not hold a card of the group {group}",
                ),
            ),
            Definition(
                "laid_down",
                (group_kind,),
                partial(laid_down, setup),
                "the group is laid down",
                sentence=("the group {group} is laid down", "the group {group} is not laid down"),
            ),
            Definition(
                "knows_place",
                (player_kind, card_kind),
                knows_place,
                "the player knows where the card is",
                sentence=(
                    "{player} knows where {card} is",
                    "{player} does not know where {card} is",
                ),
            ),
        ],
        wording=partial(_words, titles),
    )
    return KnowledgeStructure.of(vocabulary, law, own_hand(setup.players, ids))


# ---- events ----------------------------------------------------------------------------------


def event(setup: Setup, public: Happening) -> Event:
    """Return the event of the model for an event of the game."""
    if isinstance(public, Opening):
        return opening(setup, public)
    said = _question(setup, public)
    asked = _asked(setup, public, said)
    if not public.given:
        return Event(said, (*asked, _refused(setup, public)))
    law, changes = _given(setup, public)
    return Event(said, (*asked, *law), changes=changes)


def opening(setup: Setup, public: Opening) -> Event:
    """Return the event of the opening.

    Complete groups are laid down. No player was dealt a complete group that is not laid down.
    """
    law: list[Constraint] = []
    changes: list[Change] = []
    for group, cards in setup.cards_of.items():
        owner = public.down.get(group)
        if owner is not None:
            text = f"the deal: {person(owner)} laid down {title(setup, group)}"
            words = Origin(text, None, (owner,), "laid down", "the deal")
            law.append(Constraint(conjunction(at(card, owner) for card in cards), words))
            changes.extend(Change(location(card), TABLE, words) for card in cards)
            continue
        nobody = conjunction(
            negation(conjunction(at(card, player) for card in cards)) for player in setup.players
        )
        text = f"the deal: nobody laid down {title(setup, group)}, so nobody had all of it"
        law.append(Constraint(nobody, Origin(text, kind="not laid down", when="the deal")))
    source = Origin("the deal: complete groups are laid down", kind="deal", when="the deal")
    return Event(source, tuple(law), changes=tuple(changes))


def _question(setup: Setup, public: Question) -> Origin:
    text = (
        f"turn {public.turn}: {person(public.player)} asked {person(public.asked)} "
        f"for {title(setup, public.card)}"
    )
    return Origin(text, public.turn, (public.player, public.asked), "question")


def asking(setup: Setup, public: Question) -> Event:
    """Return the event of a question without its answer.

    The asker holds a card of the group, but not the requested card. Where bluffing is allowed, the
    asker may also hold the requested card.
    """
    said = _question(setup, public)
    return Event(said, tuple(_asked(setup, public, said)))


def _asked(setup: Setup, public: Question, said: Origin) -> Iterator[Constraint]:
    player, group = person(public.player), setup.group_of[public.card]
    yield Constraint(
        holds_group(setup, public.player, group),
        _so(said, f"{player} held one of {title(setup, group)}"),
    )
    if not setup.allow_bluff:
        yield Constraint(
            lacks(public.player, public.card), _so(said, f"{player} did not hold that card")
        )


def _so(said: Origin, text: str) -> Origin:
    """Return the origin of a consequence of a question."""
    return Origin(f"{said.text}, so {text}", said.turn, said.agents, said.kind)


def _refused(setup: Setup, public: Question) -> Constraint:
    text = f"turn {public.turn}: {person(public.asked)} did not have {title(setup, public.card)}"
    refused = Origin(text, public.turn, (public.asked, public.player), "refusal")
    return Constraint(lacks(public.asked, public.card), refused)


def _given(setup: Setup, public: Question) -> tuple[tuple[Constraint, ...], tuple[Change, ...]]:
    asker, card = person(public.player), public.card
    said = Origin(
        f"turn {public.turn}: {person(public.asked)} gave {asker} {title(setup, card)}",
        public.turn,
        (public.asked, public.player),
        "gift",
    )
    group = setup.group_of[card]
    complete = holds_others(setup, public.player, card)
    given = Constraint(holds(public.asked, card), said)
    if not public.down:
        text = f"turn {public.turn}: {asker} did not lay down {title(setup, group)}"
        words = Origin(text, public.turn, (public.player,), "not laid down")
        moved = Change(location(card), public.player, said)
        return (given, Constraint(negation(complete), words)), (moved,)
    text = f"turn {public.turn}: {asker} laid down {title(setup, group)}"
    words = Origin(text, public.turn, (public.player,), "laid down")
    changes = tuple(Change(location(card), TABLE, words) for card in setup.cards_of[group])
    return (given, Constraint(complete, words)), changes


# ---- forgetting ------------------------------------------------------------------------------


def moved(turn: int) -> str:
    """Return the name of the fluent for the card given in a turn that a player has forgotten."""
    return f"moved({turn})"


def remembered_as(
    setup: Setup,
    public: Happening,
    before: KnowledgeStructure,
    sizes: Mapping[str, int] | None = None,
) -> Event:
    """Return the event that a player who has forgotten an event still observes.

    All players always see their own cards, the groups on the table, and the number of cards that
    each player holds. They therefore still know that a card went from one player to another, or
    that a group was laid down. They do not know which card moved, and they do not remember
    questions or refusals. The place of every card that may have moved gets a new version.

    Args:
        setup: the setup.
        public: the forgotten event.
        before: the remembered structure before the event.
        sizes: the number of cards that each player held before the event. It follows from the rest,
            but a solver may need exponential time to count cards over all forgotten moves, so the
            event states it as a constraint.
    """
    if isinstance(public, Opening):
        return opening(setup, public)
    text = f"turn {public.turn} is forgotten"
    source = Origin(text, public.turn, (public.player, public.asked), "forgotten", text)
    if not public.given:
        return Event(source)
    giver, taker = public.asked, public.player
    if public.down:
        cards = setup.cards_of[setup.group_of[public.card]]
        memory = f"{source}, but {title(setup, setup.group_of[public.card])} lies on the table"
        words = replace(source, text=memory)
        one_given = disjunction(
            conjunction(at(other, giver if other == card else taker) for other in cards)
            for card in cards
        )
        changes = tuple(Change(location(card), TABLE, words) for card in cards)
        return Event(source, (Constraint(one_given, words),), changes=changes)
    memory = f"{source}, but a card went from {person(giver)} to {person(taker)}"
    words = replace(source, text=memory)
    may_be = [card.id for card in setup.cards if before.resolve(at(card.id, giver)) is not FALSE]
    which = Fluent(moved(public.turn), tuple(may_be), words)
    was_there = conjunction(Implies(Atom(which.name, card), at(card, giver)) for card in may_be)
    changes = tuple(
        Change(
            location(card),
            tuple(_after_giving(setup, which, card, giver, taker)),
            words,
            total=True,
        )
        for card in may_be
    )
    held = [
        Constraint(
            exactly(size, [holds(player, card.id) for card in setup.cards]),
            replace(
                source,
                text=f"{source}, but {person(player)} held {number_of(size, 'card')}",
                agents=(player,),
            ),
        )
        for player, size in (sizes or {}).items()
    ]
    law = (Constraint(was_there, words), *held)
    return Event(source, law, (which,), changes=changes)


def _after_giving(
    setup: Setup, which: Fluent, card: str, giver: str, taker: str
) -> Iterator[tuple[str, Formula]]:
    """Return the cases of a card's place after one of the giver's cards has gone to the taker."""
    this = Atom(which.name, card)
    for place in (*setup.players, TABLE):
        if place == taker:
            yield place, disjunction((this, at(card, place)))
        elif place == giver:
            yield place, conjunction((negation(this), at(card, place)))
        else:
            yield place, at(card, place)
