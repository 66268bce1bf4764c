"""The moves that are recommended to a player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from symkripke.play.moment import Moment
from symkripke.play.player import Advice


@dataclass(frozen=True)
class Advised:
    """The moves that are recommended to a player at a moment.

    Attributes:
        moment: the moment.
        player: the player.
        moves: the moves, the best first.
        weighting: the weighting of worlds.
        now: whether it is the player's turn.
    """

    moment: Moment[Any, Any]
    player: str
    moves: Sequence[Advice]
    weighting: str
    now: bool = True

    def data(self) -> dict[str, Any]:
        """Return the advice as plain data for JSON."""
        moves = [
            {
                **{name: getattr(move, name) for name in ("title", "gain", "unit")},
                **({"aim": move.aim} if move.aim else {}),
                "reason": move.reason,
                "data": dict(move.data),
            }
            for move in self.moves
        ]
        place = {"player": self.player, "turn": self.moment.turn}
        return {**place, "weighting": self.weighting, "moves": moves}
