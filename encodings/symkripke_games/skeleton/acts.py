"""The events and moves of the game, each with its sentence."""

from __future__ import annotations

from typing import TypeAlias

from symkripke.play import Act, People
from symkripke.play.acts import (
    NO,
    RIGHT_OR_WRONG,
    YES,
    Choice,
    Part,
    Slot,
    Words,
    a_player,
    hand_act,
    move_act,
    mover,
    pieces_to_choose,
)
from symkripke.play.acts import Said as BaseSaid
from symkripke.play.words import person
from symkripke_games.skeleton.rules import Ask, Guess, Happening, Name, Question, Setup

Said: TypeAlias = BaseSaid[Setup]


def _cards(said: Said) -> tuple[Choice[str], ...]:
    return pieces_to_choose(said.setup.cards)


_ASKED: tuple[Part, ...] = (
    Words("asks", ("ask", "asked")),
    *a_player("asked", among=lambda said: said.setup.after(said.me), itself="ask"),
    Words("for"),
    Slot("card", _cards, what="a card"),
)
_NAMED: tuple[Part, ...] = (
    Words("names", ("name", "named"), needed=True),
    Slot("card", _cards, what="a card"),
)
ACTS: tuple[Act[Setup], ...] = (
    Act(
        Question,
        (
            *mover(),
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
        (
            *mover(),
            *_NAMED,
            Words(":", short=":"),
            Slot("right", RIGHT_OR_WRONG, what="'right' or 'wrong'"),
        ),
        typed={"ann names bell: wrong": "a player says which card is hidden"},
    ),
)
HAND: Act[Setup] = hand_act(
    _cards,
    typed={"bell, drum": "the cards"},
)


class _People(People[Setup, Happening]):
    moves = (
        move_act(
            Ask,
            *_ASKED,
            at="act",
            typed={"bob bell": "ask Bob for the bell"},
            title="ask for a card",
        ),
        move_act(
            Name,
            *_NAMED,
            at="act",
            typed={"name bell": "name the hidden card: a wrong answer puts you out"},
            title="name the hidden card",
        ),
    )


PEOPLE = _People()
