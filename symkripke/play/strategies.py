"""Strategies by name: a game's own strategies, and strategies installed for it.

An installed package adds a strategy in the entry point group `symkripke.players`, as GAME.NAME:

    [project.entry-points."symkripke.players"]
    "cluedo.mine" = "my_package:Mine"

The group is read only for names that the game itself does not define. The command line also takes
MODULE:CLASS, for a class that is not installed. Logs and other files cannot name classes. A class
with the method `tuned` takes a parameter: `guesser:0.4`, `my_module:Mine:0.4`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from functools import partial
from importlib import import_module
from inspect import getdoc
from typing import Any

from symkripke.errors import InputError, SymkripkeError, UnknownName
from symkripke.installed import EntryPoint, entry_points
from symkripke.play.depth import character_at
from symkripke.play.game import Game
from symkripke.play.player import Strategy

GROUP = "symkripke.players"

_FILE_LOADS_NONE = (
    ": no file can load a class, only --minds can; to name the class in a file, install it by an "
    "entry point in the group symkripke.players"
)

_CLASS = re.compile(r"[^\W\d][\w.]*:[^\W\d]\w*")
"""MODULE:CLASS."""

_loaded_classes: dict[str, Strategy] = {}
"""The classes named on the command line, by MODULE:CLASS."""

HUMAN = "human"
"""The mind that stands for a person."""


def names(game: Game[Any, Any]) -> tuple[str, ...]:
    """Return the names of all strategies for a game: its own, then the installed strategies.

    Raises:
        SymkripkeError: an installed strategy has the name of another strategy.
    """
    return (*game.strategies, *_installed(game))


def _installed(game: Game[Any, Any]) -> dict[str, EntryPoint]:
    """Return the entry points of strategies for a game, by the names of the strategies."""
    by_name: dict[str, EntryPoint] = {}
    for entry in entry_points(GROUP):
        game_name, _, name = entry.name.partition(".")
        if game_name != game.name:
            continue
        if name in game.strategies:
            where = entry.described(GROUP)
            raise SymkripkeError(
                f"{where} has the name of a kind of player that {game.title} has itself"
            )
        if name in by_name:
            raise SymkripkeError(
                f"{entry.described(GROUP)} has the name of {by_name[name].described(GROUP)}"
            )
        by_name[name] = entry
    return by_name


def _loaded(entry: EntryPoint) -> Strategy:
    made: Strategy = entry.loaded(GROUP)
    if not callable(made):
        raise SymkripkeError(
            f"{entry.described(GROUP)} does not create players: {made!r} cannot be called"
        )
    return made


def repeated(entries: Iterable[str]) -> tuple[str, ...]:
    """Return the kinds of players with repetitions written out: `first-order*3` stands for three.

    Raises:
        InputError: there is no number after a `*`, or a large one.
    """
    kinds: list[str] = []
    for entry in entries:
        kind, _, times = entry.rpartition("*") if "*" in entry else (entry, "*", "1")
        if not re.fullmatch(r"\s*\d{1,3}\s*", times):
            raise InputError(f"expected a number up to 999 after the * of {entry!r}, got {times!r}")
        kinds.extend([kind.strip()] * int(times))
    return tuple(kinds)


def load_classes(paths: Iterable[str], game: Game[Any, Any] | None = None) -> None:
    """Load classes named as MODULE:CLASS, also from the current folder.

    Call this only for command-line input. Strategies of the game, names without a colon, and
    parameters (`my_module:Mine:0.4`) are ignored.

    Raises:
        InputError: there is no such module or class, or it cannot be imported.
    """
    known = () if game is None else names(game)
    for path in paths:
        module, *named = path.split(":")
        if not named or module in known or _plain(path) in _loaded_classes:
            continue
        if os.getcwd() not in sys.path:
            sys.path.insert(0, os.getcwd())
        try:
            made = getattr(import_module(module), named[0])
        except Exception as error:
            raise InputError(
                f"{path!r} is neither a kind of player nor a class MODULE:CLASS that "
                "can be loaded: "
                f"{type(error).__name__}: {error}"
            ) from error
        if not callable(made):
            raise InputError(f"{path} does not create players: {made!r} cannot be called")
        _loaded_classes[_plain(path)] = made


def _plain(path: str) -> str:
    """Return MODULE:CLASS without a parameter."""
    return ":".join(path.split(":", 2)[:2])


def loaded_classes() -> tuple[str, ...]:
    """Return the names of the loaded classes, for processes that must load them, too."""
    return tuple(_loaded_classes)


def untuned(game: Game[Any, Any], name: str) -> Strategy:
    """Return the strategy `guesser` for the names `guesser` and `guesser:0.4`.

    Raises:
        UnknownName: there is no such strategy.
        SymkripkeError: the installed strategy cannot be loaded, or has the name of another
            strategy.
    """
    plain = name.partition(":")[0]
    if plain in game.strategies:
        return game.strategies[plain]
    installed = _installed(game)
    if plain not in installed:
        if _plain(name) in _loaded_classes:
            return _loaded_classes[_plain(name)]
        if _CLASS.fullmatch(_plain(name)):
            raise UnknownName(f"kind of {game.title} player", name, (), _FILE_LOADS_NONE)
        known = (*game.strategies, *installed)
        lists = f" (`symkripke games {game.name}` lists all kinds)"
        raise UnknownName(f"kind of {game.title} player", plain, known, lists)
    return _loaded(installed[plain])


def strategy(game: Game[Any, Any], name: str) -> Strategy:
    """Return the strategy with this name: `higher-order`, or `guesser:0.4` with a parameter.

    Raises:
        UnknownName: there is no such strategy.
        InputError: the strategy cannot be tuned, or not with this text.
        SymkripkeError: the installed strategy cannot be loaded, or has the name of another
            strategy.
    """
    found = untuned(game, name)
    plain = _plain(name) if found is _loaded_classes.get(_plain(name)) else name.partition(":")[0]
    if name == plain:
        return found
    text = name[len(plain) + 1 :]
    tuned = getattr(found, "tuned", None)
    if tuned is None:
        raise InputError(f"{plain} players cannot be tuned, got {name!r}")
    try:
        made: Strategy = tuned(text)
    except ValueError as error:
        raise InputError(f"{name}: {error}") from None
    return made


def made_by(game: Game[Any, Any], name: str) -> Strategy:
    """Return the class or function of a strategy, without parameters.

    Raise the errors of `untuned`.
    """
    made = untuned(game, name)
    while isinstance(made, partial):
        made = made.func
    return made


def level_of(game: Game[Any, Any], name: str) -> str:
    """Return the level of a strategy for people, such as "Perfect"; empty if it has none."""
    return next((level for level, named in game.levels.items() if named == name), "")


def of_level(game: Game[Any, Any], name: str) -> str:
    """Return the strategy of a level such as "perfect"; any other name is returned unchanged."""
    return next(
        (named for level, named in game.levels.items() if level.lower() == name.lower()), name
    )


def considers(game: Game[Any, Any], name: str) -> str:
    """Return a description of the players' reasoning, without its full stop."""
    return game.considers.get(name.partition(":")[0]) or character(game, name)


def character(game: Game[Any, Any], name: str) -> str:
    """Return a description of a strategy: its depth, or the first line of its docstring."""
    made = untuned(game, name)
    if isinstance(made, partial) and "depth" in made.keywords:
        return character_at(made.keywords["depth"])
    return (getdoc(made_by(game, name)) or "").partition("\n")[0].rstrip(".")
