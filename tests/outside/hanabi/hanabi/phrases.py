"""What is said of the events: for printing and for reading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hanabi.rules import Clue, Happening, Put, Setup, State, rank_name
from symkripke.language import Atom
from symkripke.play import Outcome
from symkripke.play.acts import Choice, Phrase, Speech, always, numbers_to_choose
from symkripke.play.words import person

Talk = Speech[Setup, State]


def _ranks(setup: Setup) -> tuple[Choice[str], ...]:
    return tuple(Choice(rank, rank) for rank in dict.fromkeys(setup.deck))


def _cards(setup: Setup) -> tuple[Choice[int], ...]:
    return numbers_to_choose(1, len(setup.deck))


# ---- a clue --------------------------------------------------------------------------------------


def _clue(talk: Talk) -> Outcome[Happening]:
    turn = talk.fact("turn", lambda state: state.turn)
    player = talk.player("player", movers=lambda state: (state.mover,))
    other = talk.setup.other(player)
    talk.words(f"tells {person(other)} which cards have rank", "tells", "clue", needed=True)
    rank = talk.pick(
        "rank", _ranks(talk.setup), what="a rank", ask=f"Which rank does {person(player)} name?"
    )
    talk.words(":")
    hand = talk.by_rules(lambda state: state.hands[other]) or ()
    cards = talk.some(
        "cards",
        _cards(talk.setup),
        what="a card",
        ask=f"Which cards of {person(other)} have rank {rank}?",
        hinted=[choice for choice in _cards(talk.setup) if choice.value in hand],
    )
    talk.words(".")
    public = Clue(turn=turn, player=player, rank=rank, cards=tuple(sorted(cards)))
    return Outcome(public, {})


def _values_of_clue(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    public = outcome.public
    assert isinstance(public, Clue)
    return {
        "turn": public.turn,
        "player": public.player,
        "rank": public.rank,
        "cards": public.cards,
    }


# ---- a card is put down --------------------------------------------------------------------------

PLAYS: Choice[bool] = Choice(True, "plays", ("plays", "play", "played"))
DISCARDS: Choice[bool] = Choice(False, "discards", ("discards", "discard", "discarded"))


def _put(talk: Talk) -> Outcome[Happening]:
    turn = talk.fact("turn", lambda state: state.turn)
    player = talk.player("player", movers=lambda state: (state.mover,))
    plays = talk.pick("plays", (PLAYS, DISCARDS), what="'tells', 'plays' or 'discards'")
    talk.words("card")
    hand = talk.by_rules(lambda state: state.hands[player]) or ()
    card = talk.pick(
        "card",
        _cards(talk.setup),
        what="a card",
        ask=f"Which card does {person(player)} put down?",
        hinted=[choice for choice in _cards(talk.setup) if choice.value in hand],
    )
    talk.words(", of rank", "of rank", "rank")
    rank = talk.pick(
        "rank",
        _ranks(talk.setup),
        what="a rank",
        ask=f"Which rank does card {card} have?",
        implied=always(_seen(talk, card)),
    )
    fits = talk.fact("fits", lambda state: rank == str(state.built + 1) if plays else None)
    if fits is False:
        talk.words(", wrongly")
    drawn = talk.fact("drawn", lambda state: state.next_drawn)
    secret = {}
    if drawn is not None:
        talk.words(f", and draws card {drawn}", "draws")
        name, other = rank_name(drawn), talk.setup.other(player)
        if talk.sees(other) and talk.known(name):
            talk.words(", of rank", "of rank", "rank")
            ask = f"Which rank has the card that {person(player)} draws?"
            secret[name] = talk.pick(name, _ranks(talk.setup), what="a rank", ask=ask)
    talk.words(".")
    public = Put(turn=turn, player=player, card=card, rank=rank, fits=fits, drawn=drawn)
    return Outcome(public, secret)


def _seen(talk: Talk, card: int) -> str | None:
    """The rank of a card, if that is known; None if not."""
    for choice in _ranks(talk.setup):
        if talk.own(Atom(rank_name(card), choice.value)):
            return choice.value
    return None


def _values_of_put(setup: Setup, outcome: Outcome[Happening]) -> Mapping[str, Any]:
    public = outcome.public
    assert isinstance(public, Put)
    return {
        "turn": public.turn,
        "player": public.player,
        "plays": public.fits is not None,
        "card": public.card,
        "rank": public.rank,
        "fits": public.fits,
        "drawn": public.drawn,
        **outcome.secret,
    }


# ---- the deal ------------------------------------------------------------------------------------


def _hand(talk: Talk) -> tuple[str, ...]:
    player = talk.seat
    assert player is not None
    other = talk.setup.other(player)
    ranks = talk.several(
        "ranks",
        _ranks(talk.setup),
        len(talk.setup.hands[other]),
        what="a rank",
        ask=f"Which ranks do the cards of {person(other)} have, in order?",
        twice=True,
        glued=True,
    )
    return ranks


HAND: Phrase[Setup] = Phrase(
    tuple, _hand, lambda setup, ranks: {"ranks": ranks}, typed={"112": "the other's cards"}
)

PHRASES: tuple[Phrase[Setup], ...] = (
    Phrase(
        Clue,
        _clue,
        _values_of_clue,
        typed={"ann tells 2: 4 and 6": "a clue: which cards of the other have that rank"},
    ),
    Phrase(
        Put,
        _put,
        _values_of_put,
        typed={
            "ann plays 3, rank 1; draws 2": "a card is played; whether it fits follows",
            "ann discards 3, rank 1; draws 2": "the rank of the card that is drawn is told by "
            "who sees it",
        },
    ),
)
