"""What is said of the events of Kwartet: for printing and for reading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symkripke.language import Atom
from symkripke.play import Outcome
from symkripke.play.dealing import location
from symkripke.play.phrases import (
    END,
    Choice,
    Phrase,
    Speech,
    always,
    pieces_to_choose,
)
from symkripke.play.words import person
from symkripke_games.kwartet.decks import TABLE, Group
from symkripke_games.kwartet.rules import Happening, Opening, Question, Setup, State

Talk = Speech[Setup, State]

YES: Choice[bool] = Choice(
    True, "Yes!", ("yes", "y", "!", "+", "yep", "has it", "had it", "have it")
)
NO: Choice[bool] = Choice(False, "No.", ("no", "n", "-", "nope", "does not have it", "did not"))
NOBODY: Choice[str] = Choice(
    "", "Nobody was dealt a complete group.", ("-", "nobody", "no", "none", "no one", "nope")
)


# ---- what the deal lays down -------------------------------------------------------------------


def _opening(talk: Talk) -> Outcome[Happening]:
    down: dict[str, str] = {}
    total = talk.count("players")
    if total == 0:
        talk.words(NOBODY.title, short=NOBODY.short)
    while total is None or len(down) < total:
        number = len(down) + 1
        players = talk.people(talk.setup.players)
        player = talk.pick(
            f"players {number}",
            players if down else [*players, NOBODY],
            what="a player" if down else "a player, or 'nobody'",
            ask="Who was dealt a complete group?",
            implied=always(END) if down and total is None else None,
        )
        if player is END or player == NOBODY.value:
            break
        talk.words("lays down", "lay down", "laid down", "down", "has", "have", "had")
        groups = [group for group in talk.setup.groups if group.id not in down]
        group = talk.pick(
            f"groups {number}",
            pieces_to_choose(groups),
            what="a group",
            ask=f"Which group does {person(player)} lay down?",
        )
        talk.words(".", short=";" if total is not None and number < total else "")
        down[group] = player
    return Outcome(Opening(turn=0, down=down), {})


def _values_of_opening(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    public = outcome.public
    assert isinstance(public, Opening)
    return {"players": list(public.down.values()), "groups": list(public.down)}


# ---- a question --------------------------------------------------------------------------------


def _question(talk: Talk) -> Outcome[Happening]:
    setup = talk.setup
    turn = talk.fact("turn", lambda state: state.turn)
    asker = talk.player("player", movers=lambda state: state.askers, ask="Who asks?")
    talk.words("asks", "ask", "asked", short="asks")
    others = talk.by_rules(lambda state: [p for p in setup.players if state.board.sizes[p]])
    asked = talk.player(
        "asked",
        among=None if others is None else [player for player in others if player != asker],
        ask=f"Whom does {person(asker)} ask?",
    )
    if asked == asker:
        talk.refuse(f"{person(asker)} cannot ask itself", "asked")
    talk.words("for", "for the")
    in_play = talk.by_rules(
        lambda state: [c for c in setup.cards if state.board.places.get(c.id) != TABLE]
    )
    card = talk.pick(
        "card",
        pieces_to_choose(setup.cards),
        what="a card",
        ask=f"For which card does {person(asker)} ask {person(asked)}?",
        hinted=None if in_play is None else pieces_to_choose(in_play),
    )
    group = next(group for group in setup.groups if group.id == setup.group_of[card])
    if asker == talk.seat:
        _check_own_question(talk, asker, card, group)
    talk.words(f"({group.title}).", short=":")
    answering = talk.people([asked])[0]
    talk.words("", answering.title, *answering.loosely)
    given = talk.pick(
        "given", (YES, NO), what="'yes' or 'no'", ask=f"Does {person(asked)} have it?"
    )
    down = False
    if given:
        down = talk.flag(
            "down",
            f"{person(asker)} lays down {group.title}.",
            *("down", "lays down", "lay down", "laid down"),
            implied=lambda state: _completes(talk, state, asker, card),
        )
    public = Question(turn=turn, player=asker, asked=asked, card=card, given=given, down=down)
    return Outcome(public, {})


def _check_own_question(talk: Talk, asker: str, card: str, group: Group) -> None:
    """Refuse a question of the seat's own that its hand does not allow."""
    hand = talk.by_rules(
        lambda state: [c.id for c in talk.setup.cards if _holds(talk, state, asker, c.id)]
    )
    if not hand:  # it is not known
        return
    if not any(talk.setup.group_of[other] == group.id for other in hand):
        problem = f"{person(asker)} has no card of {group.title}: expected a card of its groups"
        talk.impossible(problem, "card")
    elif card in hand and not talk.setup.allow_bluff:
        talk.impossible(f"{person(asker)} has this card: expected one that it lacks", "card")


def _holds(talk: Talk, state: State, player: str, card: str) -> bool:
    """Whether it is known, from the deal or from open moves, that the player holds the card."""
    place = state.place(card)
    return place == player or (place is None and talk.own(Atom(location(card), player)))


def _completes(talk: Talk, state: State, player: str, card: str) -> bool:
    """Whether it is known that the card makes its group complete."""
    others = [other for other in talk.setup.cards_of[talk.setup.group_of[card]] if other != card]
    return all(_holds(talk, state, player, other) for other in others)


def _values_of_question(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    public = outcome.public
    assert isinstance(public, Question)
    return {
        "turn": public.turn,
        "player": public.player,
        "asked": public.asked,
        "card": public.card,
        "given": public.given,
        "down": public.down,
    }


# ---- the deal ----------------------------------------------------------------------------------


def _hand(talk: Talk) -> tuple[str, ...]:
    player = talk.seat
    assert player is not None
    talk.words(f"{person(player)} was dealt")
    cards = talk.several(
        "cards",
        pieces_to_choose(talk.setup.cards),
        talk.setup.sizes[player],
        what="a card",
        ask=f"Which cards was {person(player)} dealt?",
    )
    talk.words(".")
    return cards


HAND: Phrase[Setup] = Phrase(
    tuple, _hand, lambda setup, cards: {"cards": cards}, typed={"fog, oak, orc": "the cards"}
)

PHRASES: tuple[Phrase[Setup], ...] = (
    Phrase(
        Opening,
        _opening,
        _values_of_opening,
        when=lambda state: state.phase == "open",
        typed={
            "ann lays down weather": "at the beginning: Ann was dealt this group whole, and lays "
            "it down",
            "-": "nobody was dealt a complete group",
        },
    ),
    Phrase(
        Question,
        _question,
        _values_of_question,
        when=lambda state: state.phase in ("ask", "pass"),
        typed={
            "ann asks dan fog: no": "a question; Dan does not have the card",
            "ann dan fog yes": "Dan has it, and gives it away",
            "ann dan fog yes down": "and Ann lays down the group that is complete then",
        },
    ),
)
