"""The installed games, discovered through the entry point group `symkripke.games`."""

from __future__ import annotations

from typing import Any

from symkripke.errors import GameError, SymkripkeError, check_name
from symkripke.installed import EntryPoint, entry_points
from symkripke.play.game import MUST_SAY, Game

GROUP = "symkripke.games"


def _installed() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(GROUP)}


def game_names() -> tuple[str, ...]:
    """Return the names of the installed games, sorted, without loading them."""
    return tuple(_installed())


def game(name: str) -> Game[Any, Any]:
    """Return the game with this name.

    Raise `UnknownName` if there is no such game, and `GameError` if it is incomplete.
    """
    installed = _installed()
    check_name("game", name, installed)
    loaded = installed[name].load()
    if not isinstance(loaded, Game):
        raise SymkripkeError(f"entry point {name!r} of {GROUP} is not a Game but {loaded!r}")
    missing = [fact for fact in MUST_SAY if not hasattr(loaded, fact)]
    if missing:
        names = ", ".join(missing)
        raise GameError(f"the game {name!r} does not define its {names}: see symkripke.play.Game")
    return loaded
