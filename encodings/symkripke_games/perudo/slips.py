"""Slips at the table: corrections that an entry in a log of Perudo may need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from symkripke.play import Outcome
from symkripke.play.slips import Alternative, instead, near
from symkripke.play.words import person
from symkripke_games.perudo.rules import CALZA, DUDO, Bid, Call, Happening, Rolled, State, bare
from symkripke_games.perudo.throws import Setup, dice_name
from symkripke_games.perudo.words import faces_in_words

Found = Iterator[Alternative[Happening]]


def alternatives(
    setup: Setup, state: State, outcome: Outcome[Happening], viewer: str
) -> Iterator[Alternative[Happening]]:
    """See `Game.alternatives`. What follows from the rules is left out of each."""
    told = bare(outcome)
    public = told.public
    if public.turn != state.turn:
        yield _other(told, f"turn {state.turn}", 2.0, turn=state.turn)
    if isinstance(public, Rolled):
        for name, thrown in told.secret.items():
            for dice, words in other_dice(setup, tuple(map(int, thrown.split()))):
                secret = {**told.secret, name: " ".join(map(str, dice))}
                yield Alternative(Outcome(public, secret), words)
        return
    if public.player != state.mover:
        words = instead(person(state.mover), person(public.player))
        yield _other(told, words, 2.0, player=state.mover)
    if isinstance(public, Bid):
        yield from _bids(setup, state, told, public)
    else:
        yield from _calls(setup, state, told, public)


def _other(told: Outcome[Any], words: str, weight: float = 1.0, **changed: Any) -> Alternative[Any]:
    meant = msgspec.structs.replace(told.public, **changed)
    return Alternative(Outcome(meant, told.secret), words, weight)


def _bids(setup: Setup, state: State, told: Outcome[Any], public: Bid) -> Found:
    """Another number of dice, or another face."""
    old = faces_in_words(public.quantity, public.face)
    for quantity in range(1, sum(state.now.dice.values()) + 1):
        if quantity != public.quantity:
            words = instead(faces_in_words(quantity, public.face), old)
            yield _other(told, words, near(quantity, public.quantity), quantity=quantity)
    for face in range(1, setup.faces + 1):
        if face != public.face:
            words = instead(faces_in_words(public.quantity, face), old)
            yield _other(told, words, near(face, public.face), face=face)


def _calls(setup: Setup, state: State, told: Outcome[Any], public: Call) -> Found:
    """A die showed another face, a die was forgotten or told twice; or another call was made."""
    for kind in (DUDO, CALZA):
        if kind != public.kind:
            yield _other(told, instead(kind, public.kind), kind=kind)
    for player, shown in public.dice.items():
        number = state.now.dice.get(player, 0)
        for dice, words in other_dice(setup, shown, number):
            changed = {**public.dice, player: dice}
            yield _other(told, f"{person(player)} showed {words}", 0.3, dice=changed)


def other_dice(
    setup: Setup, dice: Sequence[int], number: int | None = None
) -> Iterator[tuple[tuple[int, ...], str]]:
    """Dice of which one shows another face, with that in words; or one more or less, if needed."""
    wanted = len(dice) if number is None else number
    for place, old in enumerate(dice):
        if old in dice[:place]:
            continue
        rest = (*dice[:place], *dice[place + 1 :])
        if len(rest) == wanted:
            yield rest, f"no second {old}" if old in rest else f"no {old}"
        if len(dice) == wanted:
            for face in range(1, setup.faces + 1):
                if face != old:
                    yield tuple(sorted((*rest, face))), instead(face, old)
    if len(dice) + 1 == wanted:
        for face in range(1, setup.faces + 1):
            yield tuple(sorted((*dice, face))), f"a {face} as well"


__all__ = ["alternatives", "dice_name", "other_dice"]
