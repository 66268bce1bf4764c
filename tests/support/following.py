"""Who follows the advice blindly: how often it wins against minds of the game.

At one seat, in turn, sits a player that makes the first move that the game's adviser names. Whether
it wins more or less often than a mind of the others' kind would (by symmetry, as often as anybody)
is tested while games are played: the test ends as soon as an interval that is valid at any time
leaves that share out.
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
"""After so many games the interval is as narrow as it can be."""


class Obedient:
    """A player that makes the first move that it is advised to make.

    Attributes:
        times: the processor time of each advice, in seconds.
    """

    def __init__(self, played: Game[Any, Any], mind: str, asked: Engine, chance: Random) -> None:
        """A player of this game; what is no choice, a mind decides."""
        self._game = played
        self._counting = engine("auto", "bayes")
        self._mind = strategy(played, mind)(asked, chance)
        self.times: list[float] = []

    def choose(self, view: View[Any, Any]) -> Any:
        """The first advice."""
        assert view.decision is not None
        assert self._game.people is not None
        if view.decision.kind in self._game.people.automatic_decisions:
            return self._mind.choose(view)
        start = process_time()
        moves = advised(self._game, view, self._counting, 1, {})
        self.times.append(process_time() - start)
        return moves[0].move if moves else self._mind.choose(view)

    def assess(self, view: View[Any, Any]) -> Assessment:
        """As the mind does."""
        return self._mind.assess(view)


@dataclass
class Score:
    """What came of the games of one kind.

    Attributes:
        expected: the share by symmetry.
        points: what each game brought: 1 for a victory, a part of it for one with others.
        times: the processor time of each advice, in seconds.
    """

    expected: float
    points: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The mean."""
        return sum(self.points) / len(self.points)

    @property
    def interval(self) -> tuple[float, float]:
        """Holds the true share at all times together with a probability of 95%, nearly.

        Source: I. Waudby-Smith and others, Time-uniform central limit theory and asymptotic
        confidence sequences, Annals of Statistics 52 (2024): the mixture of H. Robbins, with the
        variance that is observed, and the prior variance 8 / _PLANNED.
        """
        number, mean = len(self.points), self.share
        spread = sum((point - mean) ** 2 for point in self.points) / number
        seen = 8 * number / _PLANNED
        half = sqrt(spread * 2 * (seen + 1) / (number * seen) * log(sqrt(seen + 1) / 0.05))
        return max(0.0, mean - half), min(1.0, mean + half)

    @property
    def verdict(self) -> str:
        """Better, worse, or nothing that could be told."""
        low, high = self.interval
        return "better" if low > self.expected else "worse" if high < self.expected else "equal"


def _play(name: str, mind: str, number: int, setup: dict[str, Any], score: Score) -> None:
    """Play a game, and add to the score."""
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
    """Play until the test ends, at most so many games."""
    score = Score(0.0)
    for number in range(first, first + games):
        _play(name, mind, number, setup, score)
        if len(score.points) >= 50 and score.verdict != "equal":
            break
    return score
