"""Tables of the five games, and tables that are kept in a log."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from symkripke.play import Game, Table
from symkripke_games import cluedo, kwartet, old_maid, perudo, sleuth


class Kind(NamedTuple):
    """A game, and the mind that plays it at full size."""

    game: Game[Any, Any]
    mind: str


KINDS = {
    "cluedo": Kind(cluedo.GAME, "higher-order"),
    "sleuth": Kind(sleuth.GAME, "lead"),
    "kwartet": Kind(kwartet.GAME, "random"),
    "old_maid": Kind(old_maid.GAME, "random"),
    "perudo": Kind(perudo.GAME, "study"),
}


def kept_table(
    path: Path | str, played: Game[Any, Any], setup: Any, minds: Sequence[str], seed: int
) -> Table[Any, Any]:
    """Return a new table whose game is kept in that log."""
    table = Table(played, setup, minds, seed)
    table.keep(path)
    return table
