"""The games that are installed, found by the entry point group `symkripke.games`."""

from __future__ import annotations

from typing import Any

from symkripke.errors import SymkripkeError, check_name
from symkripke.installed import EntryPoint, entry_points
from symkripke.play.game import Game

GROUP = "symkripke.games"


def _installed() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(GROUP)}


def game_names() -> tuple[str, ...]:
    """The names of the installed games, sorted; loads none of them."""
    return tuple(_installed())


def game(name: str) -> Game[Any, Any]:
    """The game of that name; raises `UnknownName`."""
    installed = _installed()
    check_name("game", name, installed)
    loaded = installed[name].load()
    if not isinstance(loaded, Game):
        raise SymkripkeError(f"entry point {name!r} of {GROUP} is not a Game but {loaded!r}")
    return loaded
