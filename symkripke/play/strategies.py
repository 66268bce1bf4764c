"""Strategies by name: those of a game itself."""

from __future__ import annotations

from functools import partial
from inspect import getdoc
from typing import TYPE_CHECKING, Any

from symkripke.errors import InputError, UnknownName
from symkripke.play.player import Strategy

if TYPE_CHECKING:
    from symkripke.play.game import Game


def untuned(game: Game[Any, Any], name: str) -> Strategy:
    """The strategy `guesser` for the names `guesser` and `guesser:0.4`.

    Raises:
        UnknownName: there is none.
    """
    plain = name.partition(":")[0]
    if plain not in game.strategies:
        raise UnknownName(f"kind of {game.title} player", plain, game.strategies)
    return game.strategies[plain]


def strategy(game: Game[Any, Any], name: str) -> Strategy:
    """What makes players of that name: `higher-order`, or `guesser:0.4` for a tuned one.

    Raises:
        UnknownName: there is no such strategy.
        InputError: it cannot be tuned, or not so.
    """
    found = untuned(game, name)
    plain, colon, text = name.partition(":")
    if not colon:
        return found
    tuned = getattr(found, "tuned", None)
    if tuned is None:
        raise InputError(f"{plain} players cannot be tuned, got {name!r}")
    try:
        made: Strategy = tuned(text)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    return made


def character(game: Game[Any, Any], name: str) -> str:
    """What a strategy does, in a few words: the first sentence of its docstring."""
    made = untuned(game, name)
    while isinstance(made, partial):
        made = made.func
    return (getdoc(made) or "").partition("\n")[0].rstrip(".")
