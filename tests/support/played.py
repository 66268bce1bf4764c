"""Tables that are played to the end, or watched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from symkripke.play import Game, Table


def played(
    game: Game[Any, Any], minds: Sequence[str], seed: int, **options: Any
) -> Table[Any, Any]:
    """Return a table after the whole game."""
    table = Table(game, game.setup(**options), minds, seed)
    for _ in table:
        pass
    return table


def decisions(table: Table[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """Yield every choice of a game, with the view of the player, while the game goes on."""
    made: list[tuple[Any, Any]] = []
    for player in table.players.values():
        choose = player.choose

        def noted(view: Any, choose: Any = choose) -> Any:
            move = choose(view)
            made.append((view, move))
            return move

        vars(player)["choose"] = noted
    for _ in table:
        yield from made
        made.clear()
