"""Events as sentences, to print and to parse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from fireworks.rules import Clue, Put, Setup, rank_name
from symkripke.language import Atom
from symkripke.play.acts import (
    Act,
    Choice,
    Given,
    Part,
    Slot,
    Then,
    Words,
    a_player,
    numbers_to_choose,
    several,
    some,
)
from symkripke.play.acts import Said as BaseSaid
from symkripke.play.words import person

Said: TypeAlias = BaseSaid[Setup]


def _ranks(said: Said) -> tuple[Choice[str], ...]:
    return tuple(Choice(rank, rank) for rank in dict.fromkeys(said.setup.deck))


def _cards(said: Said) -> tuple[Choice[int], ...]:
    return numbers_to_choose(1, len(said.setup.deck))


def _of_hand(said: Said, player: str) -> list[Choice[int]]:
    hand = said.state.hands[player]
    return [choice for choice in _cards(said) if choice.value in hand]


def _other(said: Said) -> str:
    return said.setup.other(said["player"])


_BEGINS = (
    Given("turn", lambda said: said.state.turn),
    *a_player("player", movers=lambda said: (said.state.mover,)),
)

CLUE: Act[Setup] = Act(
    Clue,
    (
        *_BEGINS,
        Words(
            lambda said: f"tells {person(_other(said))} which cards have rank",
            ("tells", "clue"),
            needed=True,
        ),
        Slot(
            "rank",
            _ranks,
            what="a rank",
            ask=lambda said: f"Which rank does {person(said['player'])} name?",
        ),
        Words(":"),
        some(
            Slot(
                "cards",
                _cards,
                what="a card",
                ask=lambda said: f"Which cards of {person(_other(said))} have rank {said['rank']}?",
                hinted=lambda said: _of_hand(said, _other(said)),
            )
        ),
        Given("cards", lambda said: tuple(sorted(said["cards"]))),
        Words("."),
    ),
    typed={"ann tells 2: 4 and 6": "a clue: which cards of the other have that rank"},
)

# ---- playing and discarding
# --------------------------------------------------------------------------

_PLAYS: Choice[bool] = Choice(True, "plays", ("plays", "play", "played"))
_DISCARDS: Choice[bool] = Choice(False, "discards", ("discards", "discard", "discarded"))


def _seen(said: Said) -> str | None:
    """Return the rank of the card if it is known, otherwise None."""
    for choice in _ranks(said):
        if said.own(Atom(rank_name(said["card"]), choice.value)):
            return choice.value
    return None


def _fits(said: Said) -> bool | None:
    return said["rank"] == str(said.state.built + 1) if said["plays"] else None


def _draws(said: Said) -> Sequence[Part]:
    """Return the parts about the drawn card, which the other player sees."""
    drawn = said["drawn"]
    wrongly: list[Part] = [Words(", wrongly")] if said["fits"] is False else []
    if drawn is None:
        return wrongly
    named = Slot(
        rank_name(drawn),
        _ranks,
        what="a rank",
        ask=f"Which rank has the card that {person(said['player'])} draws?",
    )
    seen = said.sees(_other(said)) and said.tells(named.name)
    rank: list[Part] = [Words(", of rank", ("of rank", "rank")), named] if seen else []
    return [*wrongly, Words(f", and draws card {drawn}", ("draws",)), *rank]


PUT: Act[Setup] = Act(
    Put,
    (
        *_BEGINS,
        Slot("plays", (_PLAYS, _DISCARDS), what="'tells', 'plays' or 'discards'"),
        Words("card"),
        Slot(
            "card",
            _cards,
            what="a card",
            ask=lambda said: f"Which card does {person(said['player'])} put down?",
            hinted=lambda said: _of_hand(said, said["player"]),
        ),
        Words(", of rank", ("of rank", "rank")),
        Slot(
            "rank",
            _ranks,
            what="a rank",
            ask=lambda said: f"Which rank does card {said['card']} have?",
            implied=_seen,
        ),
        Given("fits", _fits),
        Given("drawn", lambda said: said.state.next_drawn),
        Then(_draws),
        Words("."),
    ),
    secret=lambda said: (
        {name: said[name]} if (name := rank_name(said["drawn"] or 0)) in said.values else {}
    ),
    more=lambda setup, outcome: {"plays": outcome.public.fits is not None, **outcome.secret},
    typed={
        "ann plays 3, rank 1; draws 2": "a card is played; whether it fits follows",
        "ann discards 3, rank 1; draws 2": "the rank of the card that is drawn is told by "
        "who sees it",
    },
)
ACTS: tuple[Act[Setup], ...] = (CLUE, PUT)


def _whose_hand(said: Said) -> str:
    assert said.seat is not None
    return said.setup.other(said.seat)


HAND: Act[Setup] = Act(
    tuple,
    (
        several(
            Slot(
                "ranks",
                _ranks,
                what="a rank",
                ask=lambda said: (
                    f"Which ranks do the cards of {person(_whose_hand(said))} have, in order?"
                ),
                glued=True,
            ),
            lambda said: len(said.setup.hands[_whose_hand(said)]),
            twice=True,
        ),
    ),
    made=lambda said: said["ranks"],
    more=lambda setup, ranks: {"ranks": ranks},
    typed={"112": "the other's cards"},
)
