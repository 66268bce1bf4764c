"""What can happen, and what a person can do: each with its sentence."""

from __future__ import annotations

from typing import TypeAlias

from symkripke.play.acts import (
    MYSELF,
    NO,
    YES,
    Act,
    Check,
    Choice,
    Given,
    Objection,
    Part,
    Slot,
    Words,
    a_player,
    hand_act,
    pieces_to_choose,
)
from symkripke.play.acts import Said as BaseSaid
from symkripke.play.people import People
from symkripke.play.words import person
from symkripke_games.skeleton.rules import Ask, Guess, Happening, Name, Question, Setup

Said: TypeAlias = BaseSaid[Setup]


def _cards(said: Said) -> tuple[Choice[str], ...]:
    return pieces_to_choose(said.setup.cards)


def _asks_itself(said: Said) -> Objection | None:
    player = said.get("player") or said.seat
    return Objection("nobody asks itself", "asked") if said["asked"] == player else None


_BEGINS: tuple[Part, ...] = (
    Given("turn", lambda said: said.state.turn),
    *a_player("player", movers=lambda said: (said.state.mover,)),
)
_ASKED: tuple[Part, ...] = (
    Words("asks", ("ask", "asked")),
    *a_player("asked", among=lambda said: said.setup.after(said.get("player") or said.seat)),
    Check(_asks_itself),
    Words("for"),
    Slot("card", _cards, what="a card"),
)
_NAMED: tuple[Part, ...] = (
    Words("names", ("name", "named"), needed=True),
    Slot("card", _cards, what="a card"),
)
_RIGHT = Slot(
    "right",
    (Choice(True, "right!", ("right", "yes")), Choice(False, "wrong.", ("wrong", "no"))),
    what="'right' or 'wrong'",
)

ACTS: tuple[Act[Setup], ...] = (
    Act(
        Question,
        (
            *_BEGINS,
            *_ASKED,
            Words(":", short=":"),
            Slot(
                "has",
                (YES, NO),
                what="'yes' or 'no'",
                ask=lambda said: f"Does {person(said['asked'])} have it?",
            ),
        ),
        typed={"ann asks bob bell: no": "a question, and the answer"},
    ),
    Act(
        Guess,
        (*_BEGINS, *_NAMED, Words(":", short=":"), _RIGHT),
        typed={"ann names bell: wrong": "a player says which card is hidden"},
    ),
)
HAND: Act[Setup] = hand_act(
    _cards,
    lambda said: said.setup.sizes[said.seat],
    typed={"bell, drum": "the cards"},
)


class _People(People[Setup, Happening]):
    moves = (
        Act(
            Ask,
            (MYSELF, *_ASKED, Words(".")),
            typed={"bob bell": "ask Bob for the bell"},
            title="ask for a card",
        ),
        Act(
            Name,
            (MYSELF, *_NAMED, Words(".")),
            typed={"name bell": "say that the bell is hidden: right wins, wrong is out"},
            title="name the hidden card",
        ),
    )


PEOPLE = _People()
