"""A player that follows the advice blindly, and how often it wins against minds of the game.

At one seat, changing from game to game, a player makes the first move that the game's adviser
suggests. A test checks, while games are played, whether this player wins more or less often than a
mind like the others would. By symmetry, such a mind wins as often as anybody. The test ends as soon
as an anytime-valid confidence interval excludes that share.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt
from random import Random
from time import process_time
from typing import Any

from symkripke.engines import Engine, engine
from symkripke.play import Assessment, Game, Table, View, game
from symkripke.play.positions import advised
from symkripke.play.strategies import strategy

_PLANNED = 500
"""The number of games at which the interval is narrowest."""


class Obedient:
    """A player that makes the first move of the advice.

    Attributes:
        times: the processor time of each advice in seconds.
    """

    def __init__(self, played: Game[Any, Any], mind: str, asked: Engine, chance: Random) -> None:
        """Make a player of this game; a mind decides where people have no choice."""
        self._game = played
        self._counting = engine("auto", "bayes")
        self._mind = strategy(played, mind)(asked, chance)
        self.times: list[float] = []

    def choose(self, view: View[Any, Any]) -> Any:
        """Return the first move of the advice, or the mind's move if there is no advice."""
        assert view.decision is not None
        assert self._game.people is not None
        if view.decision.kind in self._game.people.automatic_decisions:
            return self._mind.choose(view)
        start = process_time()
        moves = advised(self._game, view, self._counting, 1, {})
        self.times.append(process_time() - start)
        return moves[0].move if moves else self._mind.choose(view)

    def assess(self, view: View[Any, Any]) -> Assessment:
        """Return the mind's assessment."""
        return self._mind.assess(view)


@dataclass
class Score:
    """The results of the games of one kind.

    Attributes:
        expected: the share of victories by symmetry.
        points: the points of each game: 1 for a victory, a fraction for a shared one.
        times: the processor time of each advice in seconds.
    """

    expected: float
    points: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The mean of the points."""
        return sum(self.points) / len(self.points)

    @property
    def interval(self) -> tuple[float, float]:
        """A confidence sequence: at all times together, it contains the true share with about 95%.

        Source: I. Waudby-Smith and others, Time-uniform central limit theory and asymptotic
        confidence sequences, Annals of Statistics 52 (2024): the mixture of H. Robbins, with the
        observed variance and the prior variance 8 / _PLANNED.
        """
        number, mean = len(self.points), self.share
        spread = sum((point - mean) ** 2 for point in self.points) / number
        seen = 8 * number / _PLANNED
        half = sqrt(spread * 2 * (seen + 1) / (number * seen) * log(sqrt(seen + 1) / 0.05))
        return max(0.0, mean - half), min(1.0, mean + half)

    @property
    def verdict(self) -> str:
        """The verdict: "better", "worse", or "equal" if `interval` contains the expected share."""
        low, high = self.interval
        return "better" if low > self.expected else "worse" if high < self.expected else "equal"


def _play(name: str, mind: str, number: int, setup: dict[str, Any], score: Score) -> None:
    """Play a game, and add it to the score."""
    played = game(name)
    table = Table(played, played.setup(**setup), (mind,), number)
    players = table.setup.players
    seat = players[number % len(players)]
    follower = Obedient(played, mind, table.engine, Random(f"{number}/{seat}"))
    table.players[seat] = follower
    for _ in table:
        pass
    winners = table.state.winners
    score.times += follower.times
    share = 1 / len(players)
    score.expected = 1 - share if played.loser else share
    score.points.append(0.0 if seat not in winners else 1.0 if played.loser else 1 / len(winners))


def contest(name: str, mind: str, games: int, first: int, setup: dict[str, Any]) -> Score:
    """Play until the test ends, or at most `games` games."""
    score = Score(0.0)
    for number in range(first, first + games):
        _play(name, mind, number, setup, score)
        if len(score.points) >= 50 and score.verdict != "equal":
            break
    return score
