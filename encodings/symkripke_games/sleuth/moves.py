"""What a person can do in Sleuth: the moves, as a menu and as sentences."""

from __future__ import annotations

from functools import partial
from typing import Any

from symkripke.explain.text import listed
from symkripke.play import View
from symkripke.play.acts import END, Phrase, Speech, players_to_choose
from symkripke.play.menu import Action, Menu, Part, alone, choices_by_title
from symkripke.play.words import person
from symkripke_games.sleuth.gems import FREE, HIDDEN, Elements
from symkripke_games.sleuth.knowledge import asked_for
from symkripke_games.sleuth.naming import cards_to_choose, gems_to_choose
from symkripke_games.sleuth.phrases import elements_named
from symkripke_games.sleuth.players.basic import row_of
from symkripke_games.sleuth.rules import Ask, AskLast, Declare, Happening, Silent
from symkripke_games.sleuth.setup import CLASSIC, Setup

SleuthView = View[Setup, Happening]
Talk = Speech[Setup, SleuthView]

UNCHOSEN = frozenset(("open", "draw"))
"""Question cards are laid and drawn by chance."""


def menu(view: SleuthView) -> Menu:
    """A question with a question card of the viewer, a last question, or a declaration."""
    assert view.decision is not None
    setup = view.setup
    gem = Part("gem", "Which gem?", gems_to_choose(setup.edition.gems), HIDDEN)
    declare = Action("declare the hidden gem", Declare, (gem,))
    match view.decision.kind:
        case "declare":
            silent = alone("stay silent", Silent())
            return Menu("Do you declare the hidden gem?", (silent, declare), Silent())
        case "last":
            return Menu("Which gem is hidden?", (declare,))
    asked = Part("asked", "Whom?", players_to_choose(setup.after(view.player)))
    titles = {asks: asked_for(setup.edition, asks) for asks in setup.edition.questions}
    anything = Part("elements", "For which gems?", choices_by_title(titles))
    cards = {choice.value: choice.title for choice in cards_to_choose(setup.edition)}
    actions: list[Action] = []
    for card in dict.fromkeys(row_of(view) or ()):
        if card == FREE:
            make = partial(Ask, card=FREE)
            actions.append(Action("ask with a free choice card", make, (asked, anything)))
        else:
            make = partial(Ask, elements=tuple(card.split(" ")), card=card)
            actions.append(Action(f"ask with the card {cards[card]}", make, (asked,)))
    if setup.rules == CLASSIC:
        title = "ask a last question, and declare then"
        actions.append(Action(title, AskLast, (asked, anything)))
    note = f"Your question cards: {', '.join(cards[card] for card in row_of(view) or ())}."
    return Menu("Whom do you ask for which gems?", (*actions, declare), note=note)


# ---- in words ------------------------------------------------------------------------------------


def _asked(talk: Talk) -> str:
    assert talk.seat is not None
    asked = talk.pick(
        "asked",
        talk.people(talk.setup.players),
        what="a player",
        ask="Whom do you ask?",
        hinted=talk.people(talk.setup.after(talk.seat)),
    )
    if asked == talk.seat:
        talk.refuse("you cannot ask yourself", "asked")
    return asked


def _row(talk: Talk) -> tuple[str, ...] | None:
    """The question cards before the player, where a text is read."""
    return talk.by_rules(lambda view: row_of(view) or ())


def _ask(talk: Talk) -> Ask:
    talk.myself()
    talk.words("asks", "ask", "asked")
    asked = _asked(talk)
    talk.words("for")
    row = _row(talk)
    elements = elements_named(talk, row, f"For which gems do you ask {person(asked)}?")
    talk.words("gems", "gem")
    exact = " ".join(elements)
    free = talk.flag(
        "free",
        "with a free choice",
        *("free", "with free", "free choice", "with a free choice card"),
        implied=lambda view: exact not in (row_of(view) or ()),
    )
    if row is not None and (FREE if free else exact) not in row:
        titles = {choice.value: choice.title for choice in cards_to_choose(talk.setup.edition)}
        mine = listed([titles[card] for card in row])
        what = asked_for(talk.setup.edition, elements)
        lacks = "no free choice" if exact in row else f"no question card for {what}"
        talk.refuse(f"you have {lacks}: your cards are {mine}", "element")
    talk.words(".")
    return Ask(asked, elements, FREE if free else exact)


def _last(talk: Talk) -> AskLast:
    talk.myself()
    talk.words("asks", "ask", "asked")
    talk.words("as a last question", "last question", "last", needed=True)
    asked = _asked(talk)
    talk.words("for")
    elements = elements_named(talk, None, f"For which gems do you ask {person(asked)}?")
    talk.words("gems", "gem")
    talk.words(".")
    return AskLast(asked, elements)


def _declare(talk: Talk) -> Declare:
    talk.myself()
    is_last = talk.by_rules(lambda view: _kind_of(view) == "last")
    talk.words("declares", "declare", "hidden is", "it is", "hidden", needed=not is_last)
    gem = talk.pick(
        "gem",
        gems_to_choose(talk.setup.edition.gems),
        what="a gem",
        ask="Which gem do you declare?",
    )
    talk.words(".")
    return Declare(gem)


def _silent(talk: Talk) -> Silent:
    talk.myself()
    talk.words(
        "stays silent.",
        *("silent", "stay silent", "no", "nothing", "pass", "done", "-"),
        needed=True,
    )
    return Silent()


def _kind_of(view: SleuthView) -> str:
    return "" if view.decision is None else view.decision.kind


def _kind(*kinds: str) -> Any:
    return lambda view: _kind_of(view) in kinds


def _values(elements: Elements) -> dict[str, Any]:
    return {"element": elements[0], "more": elements[1] if len(elements) > 1 else END}


MOVES: tuple[Phrase[Setup], ...] = (
    Phrase(
        Ask,
        _ask,
        lambda setup, move: {
            "asked": move.asked,
            "free": move.card == FREE,
            **_values(move.elements),
        },
        when=_kind("ask"),
        typed={
            "bob red pearl": "ask Bob for red pearls, with the question card for them; without "
            "one, with a free choice",
            "bob red pearl free": "with a free choice, though there is a card for it",
        },
    ),
    Phrase(
        AskLast,
        _last,
        lambda setup, move: {"asked": move.asked, **_values(move.elements)},
        when=lambda view: _kind_of(view) == "ask" and view.setup.rules == CLASSIC,
        typed={"last bob red pearl": "a last question: you must declare then"},
    ),
    Phrase(
        Declare,
        _declare,
        lambda setup, move: {"gem": move.gem},
        when=_kind("ask", "declare", "last"),
        typed={"declare rps": "say which gem is hidden: if it is wrong, you are out"},
    ),
    Phrase(
        Silent,
        _silent,
        lambda setup, move: {},
        when=_kind("declare"),
        typed={"no": "you do not declare"},
    ),
)
