"""The games that are installed, found by the entry point group `symkripke.games`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symkripke.argument_types import explained
from symkripke.errors import SymkripkeError, check_name
from symkripke.play.game import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "symkripke.games"


def _installed() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in sorted(entry_points(group=GROUP), key=lambda e: e.name)}


def game_names() -> tuple[str, ...]:
    """The names of the installed games, sorted; loads none of them."""
    return tuple(_installed())


@explained
def game(name: str) -> Game[Any, Any]:
    """The game of that name; raises `UnknownName`."""
    installed = _installed()
    check_name("game", name, installed)
    loaded = installed[name].load()
    if not isinstance(loaded, Game):
        raise SymkripkeError(f"entry point {name!r} of {GROUP} is not a Game but {loaded!r}")
    return loaded
