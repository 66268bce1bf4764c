"""Players `depth-0` to `depth-3`, which reason about other players to a fixed depth.

A player of depth k assumes that all others are players of depth k - 1, which reason in the same
way. The procedure is the same in every game:

1. The player compares a few candidate moves. The candidates do not depend on the depth.
2. It takes situations that it considers possible, with hands of the others weighted by their
   probability. Depending on the game, these are all situations or a random sample.
3. For each candidate and situation, it simulates the move. Up to a fixed horizon, each later player
   decides as a player of depth k - 1, by the same steps. That player knows only the cards or dice
   that it has in the situation and the events that it would have seen.
4. It evaluates the outcome at the horizon and takes the average over the situations. It makes any
   move with the greatest average.

A player of depth 0 has the same candidates and the same evaluation, and knows all consequences of
its observations. But it assumes that no other player thinks. It evaluates its move as if nobody
chose a reply, and learns nothing from the choices of others. Players therefore differ only in their
depth. Each game defines its candidates, situations, horizon and evaluation:

* Kwartet: `symkripke_games.kwartet.thinking`
* Cluedo: `symkripke_games.cluedo.players.thinking`
* Perudo: `symkripke_games.perudo.replies`

Orders of theory of mind in simpler games: H. de Weerd, R. Verbrugge, B. Verheij, How much does it
help to know what she knows you know? An agent-based simulation study, Artificial Intelligence
199-200 (2013). There, the second order helps, and a third order adds little.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from symkripke.play.player import SAME, Player, Strategy

DEPTHS = range(4)
"""The depths that have a player in each game."""

CONSIDERS: Mapping[str, str] = {
    "depth-0": "Does not consider what the others think",
    "depth-1": (
        "Considers what the others will do, and assumes that they do not consider anybody else"
    ),
    "depth-2": "Assumes that the others consider what everybody else will do",
    "depth-3": (
        "Goes one step further: assumes that the others expect everybody else to be "
        "such players, too"
    ),
}
"""The reasoning of these players: see `Game.considers`."""

MoveT = TypeVar("MoveT")


def by_depth(player: Callable[..., Player[Any, Any]]) -> dict[str, Strategy]:
    """Return the strategies `depth-0` to `depth-3`; `player` takes an argument `depth`."""
    return {f"depth-{depth}": partial(player, depth=depth) for depth in DEPTHS}


def character_at(depth: int) -> str:
    """Return a description of a player of this depth, without its full stop."""
    if depth == 0:
        return "Depth 0: does not think about what the others think"
    others = (
        "players who do not think about others" if depth == 1 else f"players of depth {depth - 1}"
    )
    return f"Depth {depth}: expects the others to be {others}"


def best(values: Mapping[MoveT, float]) -> list[MoveT]:
    """Return the moves with the greatest value, up to rounding errors."""
    most = max(values.values())
    return [move for move, value in values.items() if value > most - SAME]
