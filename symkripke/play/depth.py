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

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import fsum
from random import Random
from typing import Any, Generic, TypeVar

from symkripke.engines import Engine
from symkripke.model import Scene, World
from symkripke.play.player import SAME, EnginePlayer, Player, Strategy, View, counting
from symkripke.play.registry import game
from symkripke.play.rules import GameState, PublicT, SetupT

DEPTHS = range(4)
"""The depths that have a player, except in games in which deeper players are too slow."""

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


def by_depth(
    player: Callable[..., Player[Any, Any]], depths: Iterable[int] = DEPTHS
) -> dict[str, Strategy]:
    """Return the strategies `depth-0`, `depth-1`, ...; `player` takes an argument `depth`."""
    return {f"depth-{depth}": partial(player, depth=depth) for depth in depths}


def character_at(depth: int) -> str:
    """Return a description of a player of this depth, without its full stop."""
    if depth == 0:
        return "Depth 0: does not think about what the others think"
    others = (
        "players who do not think about others" if depth == 1 else f"players of depth {depth - 1}"
    )
    return f"Depth {depth}: expects the others to be {others}"


class Foresight(EnginePlayer, ABC, Generic[SetupT, PublicT]):
    """A player of some depth that simulates the reply to its best moves in random situations.

    The candidates are the moves that are best at depth 0, and the horizon is the next reply.

    Attributes:
        game_name: the name of the game.
        moves: the number of moves that are simulated.
        situations: the number of situations for each of them.
        depth: the depth of the player.
    """

    game_name: str
    moves: int = 2
    situations: int = 2

    def __init__(self, engine: Engine, chance: Random, depth: int = 0) -> None:
        """Create a player of this depth."""
        super().__init__(engine, chance)
        self.depth = depth

    @abstractmethod
    def values(self, view: View[SetupT, PublicT]) -> Mapping[Any, float]:
        """Return the value of each legal move, as if nobody chose a reply."""

    @abstractmethod
    def position(self, view: View[SetupT, PublicT], world: World) -> GameState[PublicT]:
        """Return the position in a world that the player considers possible."""

    @abstractmethod
    def worth(self, state: GameState[PublicT], player: str) -> float:
        """Return the value of a position for a player."""

    def choose(self, view: View[SetupT, PublicT]) -> Any:
        """Return any of the moves with the greatest value."""
        values = self.values(view)
        if self.depth:
            few = sorted(values, key=lambda move: -values[move])[: self.moves]
            worlds = counting(self.engine).sample(view.perspective, self.situations, self.chance)
            values = {m: fsum(self._answered(view, m, world) for world in worlds) for m in few}
        return self.chance.choice(best(values))

    def _answered(self, view: View[SetupT, PublicT], move: Any, world: World) -> float:
        """Return the value of a move after the reply of the next player, in one situation."""
        scene, state = Scene(view.perspective.structure, world), self.position(view, world)
        scene, state, public = self._made(view.setup, scene, state, move)
        decision = state.decision
        if decision is not None:
            record = (*view.record, public)
            there = View(view.setup, scene.perspective(decision.player), record, decision)
            other = type(self)(self.engine, self.chance, self.depth - 1)
            scene, state, _ = self._made(view.setup, scene, state, other.choose(there))
        return self.worth(state, view.player)

    def _made(
        self, setup: SetupT, scene: Scene, state: GameState[PublicT], move: Any
    ) -> tuple[Scene, GameState[PublicT], PublicT]:
        """Return the scene and the position after a move and its event, which chance completes."""
        played = game(self.game_name)
        before, (state, outcome) = state, state.play(move)
        while outcome is None:
            drawn = played.chance(setup, state, self.chance)
            before, (state, outcome) = state, state.play(drawn)
        event = played.event_in(setup, before, outcome)
        return scene.update(event, outcome.secret), state, outcome.public


def best(values: Mapping[MoveT, float]) -> list[MoveT]:
    """Return the moves with the greatest value, up to rounding errors."""
    most = max(values.values())
    return [move for move, value in values.items() if value > most - SAME]
