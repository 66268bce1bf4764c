"""Tables that are kept in a log."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from symkripke.play import Game, Table


def kept_table(
    path: Path | str, played: Game[Any, Any], setup: Any, minds: Sequence[str], seed: int
) -> Table[Any, Any]:
    """A new table whose game is kept in that log."""
    table = Table(played, setup, minds, seed)
    table.keep(path)
    return table
