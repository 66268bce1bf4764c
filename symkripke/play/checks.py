"""Checks that the rules of all games share: the end of the game, and the current turn."""

from __future__ import annotations

from typing import TypeVar

from symkripke.errors import RuleError, check_name
from symkripke.play.rules import Public, Setup

T = TypeVar("T")


def check_move(result: str | None) -> None:
    """Raise `RuleError` for a move after the game has ended with this result."""
    if result is not None:
        raise RuleError(f"the game is over: {result}")


def check_event(result: str | None) -> None:
    """Raise `RuleError` for an event after the game has ended with this result."""
    if result is not None:
        raise RuleError(f"an event after the end of the game ({result})")


def check_turn(turn: int, public: Public, expected: str = "") -> None:
    """Raise `RuleError` for an event of another turn; `expected` names the right turns."""
    if public.turn != turn:
        expected = expected or f"{turn}"
        raise RuleError(f"expected an event of turn {expected}, got one of {public.turn}")


def check_mover(setup: Setup, turn: int, mover: str, player: str) -> None:
    """Raise `UnknownName` or `RuleError` if it is the turn of `mover` and not of `player`."""
    if player != mover:
        check_name("player", player, setup.players)
        raise RuleError(f"turn {turn} is {mover}'s, not {player}'s")


def known_deal(deal: T | None, what: str = "where the cards are") -> T:
    """Return the deal. Raise `RuleError` if it is None, as for an onlooker."""
    if deal is None:
        raise RuleError(f"the game can only be continued by somebody who knows {what}")
    return deal
