"""Who follows the advice blindly: how often it wins against minds of the game.

At one seat, in turn, sits a player that makes the first move that the game's adviser names. Whether
it wins more or less often than a mind of the others' kind would (by symmetry, as often as anybody)
is tested while games are played: the test ends as soon as an interval that is valid at any time
leaves that share out.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from math import log, sqrt
from random import Random
from typing import Any

import click

from benchmarks.common import show
from symkripke.engines import Engine, engine
from symkripke.play import Assessment, Game, Table, View, game
from symkripke.play.positions import advised
from symkripke.play.strategies import strategy

SETUPS: dict[str, dict[str, Any]] = {
    "cluedo": {"players": 3, "size": "4/4/5"},
    "kwartet": {"players": 3, "groups": 6},
    "old_maid": {"players": 3, "rules": "study", "ranks": 6},
    "perudo": {"players": 3, "dice": 3},
    "sleuth": {"players": 3, "size": "4/3/3"},
}
"""The setup of each game."""

AGAINST = {
    "cluedo": "informative",
    "kwartet": "second-order",
    "old_maid": "epistemic",
    "perudo": "believer",
    "sleuth": "gain",
}
"""The mind that the advice of each game stands for, or the default one."""

_PLANNED = 500
"""After so many games the interval is as narrow as it can be."""


class Obedient:
    """A player that makes the first move that it is advised to make."""

    def __init__(self, played: Game[Any, Any], mind: str, asked: Engine, chance: Random) -> None:
        """A player of this game; what is no choice, a mind decides."""
        self._game = played
        self._counting = engine("auto", "bayes")
        self._mind = strategy(played, mind)(asked, chance)

    def choose(self, view: View[Any, Any]) -> Any:
        """The first advice."""
        assert view.decision is not None
        assert self._game.people is not None
        if view.decision.kind in self._game.people.automatic_decisions:
            return self._mind.choose(view)
        moves = advised(self._game, view, self._counting, 1, {})
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
    """

    expected: float
    points: list[float] = field(default_factory=list)

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


def play_one(name: str, mind: str, number: int, setup: dict[str, Any]) -> tuple[float, float]:
    """One game: what it brought, and what it would bring by symmetry."""
    played = game(name)
    table = Table(played, played.setup(**setup), (mind,), number)
    players = table.setup.players
    seat = players[number % len(players)]
    chance = Random(f"{number}/{seat}")
    table.players[seat] = Obedient(played, mind, table.engine, chance)
    for _ in table:
        pass
    winners = table.state.winners
    if played.loser:
        return float(seat in winners), 1 - 1 / len(players)
    return (1 / len(winners) if seat in winners else 0.0), 1 / len(players)


def contest(name: str, mind: str, games: int, first: int, setup: dict[str, Any]) -> Score:
    """Play until the test ends, at most so many games."""
    score = Score(0.0)
    for number in range(first, first + games):
        points, score.expected = play_one(name, mind, number, setup)
        score.points.append(points)
        if len(score.points) >= 50 and score.verdict != "equal":
            break
    return score


@click.command()
@click.option("--games", type=click.IntRange(1), default=2000, help="At most so many of a kind.")
@click.option("--only", "names", multiple=True, type=click.Choice(list(SETUPS)), help="That game.")
@click.option("--against", default="", help="The mind at the other seats.")
@click.option("--first", type=int, default=0, help="The first game.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def advice(games: int, names: tuple[str, ...], against: str, first: int, as_json: bool) -> None:
    """Follow the advice blindly, and count victories against minds.

    Exit code 1 if it is worse than the mind that it stands for.
    """
    rows, found = [], []
    for name in names or SETUPS:
        mind = against or AGAINST[name]
        start = time.process_time()
        score = contest(name, mind, games, first, SETUPS[name])
        spent = time.process_time() - start
        low, high = score.interval
        number = len(score.points)
        found.append(
            {
                "game": name,
                "against": mind,
                "games": number,
                "share": score.share,
                "interval": [low, high],
                "by chance": score.expected,
                "verdict": score.verdict,
                "seconds": spent,
            }
        )
        share = f"{score.share:.1%} ({low:.1%} to {high:.1%})"
        rows.append(
            (name, mind, str(number), share, f"{score.expected:.1%}", score.verdict, f"{spent:.0f}")
        )
    if as_json:
        click.echo(json.dumps(found))
    else:
        columns = ("game", "against", "games", "victories", "by symmetry", "verdict", "s")
        notes = ["intervals of 95% that are valid at any time; seconds of CPU"]
        show("Following the advice", columns, rows, notes)
    if any(score["verdict"] == "worse" for score in found):
        raise SystemExit(1)
