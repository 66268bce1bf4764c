"""The events and moves of Kwartet, each with its sentence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

from symkripke.language import Atom
from symkripke.play import Outcome
from symkripke.play.acts import (
    END,
    Act,
    Check,
    Choice,
    Flag,
    Given,
    Part,
    Slot,
    Then,
    Words,
    a_player,
    allowed,
    always,
    everybody,
    hand_act,
    move_act,
    pieces_to_choose,
)
from symkripke.play.acts import Said as BaseSaid
from symkripke.play.dealing import location
from symkripke.play.people import People
from symkripke.play.words import person
from symkripke_games.kwartet.decks import TABLE, Group
from symkripke_games.kwartet.notes import Hand, KwartetView, Reader
from symkripke_games.kwartet.rules import Ask, Happening, Opening, PassTo, Question, Setup

Said: TypeAlias = BaseSaid[Setup]

_YES: Choice[bool] = Choice(
    True, "Yes!", ("yes", "y", "!", "+", "yep", "has it", "had it", "have it")
)
_NO: Choice[bool] = Choice(False, "No.", ("no", "n", "-", "nope", "does not have it", "did not"))
_NOBODY: Choice[str] = Choice(
    "", "Nobody was dealt a complete group.", ("-", "nobody", "no", "none", "no one", "nope")
)


# ---- groups of the deal --------------------------------------------------------------------------


def _laid_down(said: Said, down: Mapping[str, str]) -> Sequence[Part]:
    """Return the parts of the sentence for one more laid-down group, or for the end of the list.

    Args:
        said: the values so far.
        down: the player who lays down each group named so far.
    """
    total, number = said.count("players"), len(down) + 1
    if total == 0:
        return (Words(_NOBODY.title, short=_NOBODY.short),)
    end = Given("down", always(dict(down)))
    if total == len(down):
        return (end,)
    player, group = f"players {number}", f"groups {number}"

    def lays_down(said: Said) -> Sequence[Part]:
        if said[player] is END or said[player] == _NOBODY.value:
            return (end,)
        return (
            Words("lays down", ("lay down", "laid down", "down", "has", "have", "had")),
            Slot(
                group,
                pieces_to_choose(each for each in said.setup.groups if each.id not in down),
                what="a group",
                ask=f"Which group does {person(said[player])} lay down?",
            ),
            Words(".", short=";" if total is not None and number < total else ""),
            Then(lambda said: _laid_down(said, {**down, said[group]: said[player]})),
        )

    return (
        Slot(
            player,
            everybody(said) if down else [*everybody(said), _NOBODY],
            what="a player" if down else "a player, or 'nobody'",
            ask="Who was dealt a complete group?",
            implied=always(END) if down and total is None else None,
        ),
        Then(lays_down),
    )


def _places_of_opening(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    assert isinstance(outcome.public, Opening)
    down = outcome.public.down
    return {"players": list(down.values()), "groups": list(down)}


OPENING: Act[Setup] = Act(
    Opening,
    (Given("turn", always(0)), Then(lambda said: _laid_down(said, {}))),
    more=_places_of_opening,
    when=lambda state: state.phase == "open",
    typed={
        "ann lays down weather": "at the beginning: Ann was dealt this complete group, and lays "
        "it down",
        "-": "nobody was dealt a complete group",
    },
)

# ---- a question ----------------------------------------------------------------------------------


def _others(said: Said) -> Sequence[str]:
    """Return the players who can be asked: the other players with cards."""
    if said.is_move:
        return _hand(said).others
    sizes = said.state.board.sizes
    return [other for other in said.setup.players if sizes[other] and other != said["player"]]


def _hand(said: Said) -> Hand:
    return Hand(said.state, Reader())


def _cards(said: Said) -> tuple[Choice[str], ...]:
    return pieces_to_choose(said.setup.cards)


def _likely(said: Said) -> tuple[Choice[str], ...]:
    """Return the cards to suggest: in play, and for a move, allowed for the person to ask for."""
    if said.is_move:
        cards = askable(_hand(said))
        return pieces_to_choose(card for card in said.setup.cards if card.id in cards)
    places = said.state.board.places
    return pieces_to_choose(card for card in said.setup.cards if places.get(card.id) != TABLE)


def _group(said: Said) -> Group:
    """Return the group of the requested card."""
    setup = said.setup
    return next(group for group in setup.groups if group.id == setup.group_of[said["card"]])


def _not_allowed(said: Said) -> str | None:
    """Return an error message if the hand at this seat forbids the question, else None."""
    asker, card, group = said.me, said["card"], _group(said)
    if asker != said.seat:
        return None
    has, its, lacks = f"{person(asker)} has", "their", "they lack"
    if said.is_move:
        hand: Collection[str] = _hand(said).own
        has, its, lacks = "you have", "your", "you lack"
    else:
        hand = [each.id for each in said.setup.cards if _holds(said, asker, each.id)]
    if not hand:  # the hand is unknown
        return None
    if not any(said.setup.group_of[other] == group.id for other in hand):
        return f"{has} no card of {group.title}: expected a card of {its} groups"
    if card in hand and not said.setup.allow_bluff:
        return f"{has} this card: expected one that {lacks}"
    return None


def _holds(said: Said, player: str, card: str) -> bool:
    """Return whether the deal or public moves show that the player holds the card."""
    place = said.state.place(card)
    return place == player or (place is None and said.own(Atom(location(card), player)))


def _completes(said: Said) -> bool:
    """Return whether the card is known to complete its group."""
    others = [card.id for card in _group(said).cards if card.id != said["card"]]
    return all(_holds(said, said["player"], other) for other in others)


_FOR_CARD: tuple[Part, ...] = (
    Words("for", ("for the",)),
    Slot(
        "card",
        _cards,
        what="a card",
        ask=lambda said: f"For which card {said.does} ask {person(said['asked'])}?",
        hinted=_likely,
    ),
)
_WHOM = a_player(
    "asked",
    among=_others,
    ask=lambda said: f"Whom {said.does} ask{', and for which card' if said.is_move else ''}?",
    itself="ask",
)


def _answering(said: Said) -> Sequence[Part]:
    asked = said.people([said["asked"]])[0]
    return (Words("", (asked.title, *asked.loosely)),)


def _laying_down(said: Said) -> Sequence[Part]:
    if not said["given"]:
        return (Given("down", always(value=False)),)
    return (
        Flag(
            "down",
            f"{person(said['player'])} lays down {_group(said).title}.",
            ("down", "lays down", "lay down", "laid down"),
            implied=_completes,
        ),
    )


QUESTION: Act[Setup] = Act(
    Question,
    (
        Given("turn", lambda said: said.state.turn),
        *a_player("player", movers=lambda said: said.state.askers, ask="Who asks?"),
        Words("asks", ("ask", "asked"), short="asks"),
        *_WHOM,
        *_FOR_CARD,
        Check("card", _not_allowed, is_denied=True),
        Words(lambda said: f"({_group(said).title}).", short=":"),
        Then(_answering),
        Slot(
            "given",
            (_YES, _NO),
            what="'yes' or 'no'",
            ask=lambda said: f"Does {person(said['asked'])} have it?",
        ),
        Then(_laying_down),
    ),
    when=lambda state: state.phase in ("start", "ask", "pass"),
    typed={
        "ann asks bob fog: no": "a question; Bob does not have the card",
        "ann bob fog yes": "Bob has the card, and hands it over",
        "ann bob fog yes down": "the same, and Ann lays down the group that the card completes",
    },
)
ACTS: tuple[Act[Setup], ...] = (OPENING, QUESTION)

HAND: Act[Setup] = hand_act(
    _cards,
    typed={"fog, oak, orc": "the cards"},
)

# ---- moves of people -----------------------------------------------------------------------------


def askable(hand: Hand) -> tuple[str, ...]:
    """Return the cards that the player may ask for, in the order of the deck."""
    if not hand.setup.allow_bluff:
        return hand.wanted
    return tuple(card for group in hand.groups for card in hand.setup.cards_of[group])


def _cannot_be_asked(said: Said) -> str | None:
    return None if said["asked"] in _others(said) else f"{person(said['asked'])} has no cards"


class _KwartetPeople(People[Setup, Happening]):
    moves = (
        move_act(
            Ask,
            Words("asks", ("ask", "asked")),
            *_WHOM,
            Check("asked", _cannot_be_asked),
            *_FOR_CARD,
            Check("card", _not_allowed),
            at="ask",
            typed={"bob fog": "ask Bob for Fog"},
            title="ask for a card",
        ),
        move_act(
            PassTo,
            Words("passes to", ("pass to", "lets", "let", "names")),
            *allowed(
                Slot("player", everybody, what="a player", ask="Whose turn should it be?"),
                "pass to",
                lambda said: said.options("player"),
            ),
            Words("", ("go on", "goes on")),
            at="pass",
            typed={"bob": "without cards: it is Bob's turn"},
            title="pass the turn on",
        ),
    )
    automatic_decisions = frozenset(("open",))

    def note(self, view: KwartetView) -> str:
        """Return the player's cards, group by group."""
        hand = Hand(view, Reader())
        parts = [
            f"{', '.join(c.title for c in group.cards if c.id in hand.own)} ({group.title})"
            for group in hand.setup.groups
            if group.id in hand.groups
        ]
        return f"You hold {'; '.join(parts)}." if parts else ""


PEOPLE = _KwartetPeople()
