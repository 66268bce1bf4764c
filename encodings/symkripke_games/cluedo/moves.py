"""What a person can do in Cluedo: the moves, as a menu and as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symkripke.play import View
from symkripke.play.menu import Action, Menu, Part, alone
from symkripke.play.phrases import Phrase, Speech, pieces_to_choose
from symkripke.play.words import person
from symkripke_games.cluedo.editions import CATEGORIES, ENVELOPE
from symkripke_games.cluedo.phrases import cards_of_categories
from symkripke_games.cluedo.rules import (
    Accuse,
    Done,
    Happening,
    Setup,
    Show,
    Suggest,
    Suggestion,
    Triple,
)

CluedoView = View[Setup, Happening]
Talk = Speech[Setup, CluedoView]


def menu(view: CluedoView) -> Menu:
    """A suggestion or an accusation; which card to show; an accusation, or the end of the turn."""
    decision = view.decision
    assert decision is not None
    if decision.kind == "show":
        pending, options = decision.pending, decision.options
        assert isinstance(pending, Suggestion)
        assert options is not None
        titles = {card.id: card for card in view.setup.edition.cards}
        cards = pieces_to_choose(titles[option.card] for option in options)
        ask = f"Which card do you show to {person(pending.player)}?"
        return Menu(
            ask,
            (Action("show a card", Show, (Part("card", "Which card?", cards),)),),
            options[0] if len(options) == 1 else None,
        )
    accuse = Action("accuse", _accusation, _three(view.setup, ENVELOPE))
    if decision.kind == "accuse":
        end = alone("end the turn", Done())
        return Menu("Do you accuse somebody?", (end, accuse), Done())
    suggest = Action("suggest", _suggestion, _three(view.setup))
    return Menu("What do you ask for?", (suggest, accuse))


def _three(setup: Setup, place: str = "") -> tuple[Part, ...]:
    """A suspect, a weapon and a room; `place`: where they must be."""
    return tuple(
        Part(
            kind.removesuffix("s"),
            f"Which {kind.removesuffix('s')}?",
            pieces_to_choose(cards),
            place,
        )
        for kind, cards in zip(CATEGORIES, setup.edition.categories, strict=True)
    )


def _suggestion(suspect: str, weapon: str, room: str) -> Suggest:
    return Suggest((suspect, weapon, room))


def _accusation(suspect: str, weapon: str, room: str) -> Accuse:
    return Accuse((suspect, weapon, room))


# ---- in words ------------------------------------------------------------------------------------


def _suggest(talk: Talk) -> Suggest:
    talk.myself()
    talk.words("asks for", "asks", "ask", "ask for", "suggests", "suggest", "says", "wants")
    cards = cards_of_categories(talk, "cards", "What do you ask for?")
    talk.words(".")
    return Suggest(cards)


def _accuse(talk: Talk) -> Accuse:
    talk.myself()
    talk.words("accuses", "accuse", "accused", needed=True)
    cards = cards_of_categories(talk, "cards", "Whom do you accuse, with what, and where?")
    talk.words(".")
    return Accuse(cards)


def _done(talk: Talk) -> Done:
    talk.myself()
    talk.words(
        "does not accuse.",
        *("no accusation", "do not accuse", "no", "done", "end", "end turn", "end the turn"),
        *("pass", "-"),
        needed=True,
    )
    return Done()


def _show(talk: Talk) -> Show:
    talk.myself()
    talk.words("shows", "show", "!")
    view = talk.by_rules(lambda view: view)
    cards = list(pieces_to_choose(talk.setup.edition.cards))
    can: list[str] | None = None
    who = ""
    if view is not None:
        decision = view.decision
        assert decision is not None
        assert decision.options is not None
        assert isinstance(decision.pending, Suggestion)
        can = [option.card for option in decision.options]
        who = person(decision.pending.player)
    card = talk.pick(
        "card",
        cards,
        what="the card that you show",
        ask=f"Which card do you show to {who}?",
        hinted=None if can is None else [choice for choice in cards if choice.value in can],
    )
    if can is not None and card not in can:
        titles = {choice.value: choice.title for choice in cards}
        able = " or ".join(titles[name] for name in can)
        talk.refuse(f"you can show {able}, not {titles[card]}", "card")
    talk.words(".")
    return Show(card)


def _kind(*kinds: str) -> Any:
    return lambda view: view.decision is not None and view.decision.kind in kinds


def _with_cards(setup: Setup, move: Suggest | Accuse) -> Mapping[str, Any]:
    cards: Triple = move.cards
    return {"cards": cards}


MOVES: tuple[Phrase[Setup], ...] = (
    Phrase(
        Suggest,
        _suggest,
        _with_cards,
        when=_kind("act"),
        typed={"green rope study": "a suggestion: the others answer at once"},
    ),
    Phrase(
        Accuse,
        _accuse,
        _with_cards,
        when=_kind("act", "accuse"),
        typed={"accuse green rope study": "an accusation: if it is wrong, you are out"},
    ),
    Phrase(
        Done,
        _done,
        lambda setup, move: {},
        when=_kind("accuse"),
        typed={"no": "you do not accuse: your turn ends"},
    ),
    Phrase(
        Show,
        _show,
        lambda setup, move: {"card": move.card},
        when=_kind("show"),
        typed={"rope": "the card that you show; only who asked sees it"},
    ),
)
