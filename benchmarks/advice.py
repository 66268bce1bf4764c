"""`advice`: the cost of advice, and how often a player who follows it blindly wins.

At one seat, changing from game to game, a player makes the first move that the game's adviser
suggests. The benchmark tests, while games are played, whether this player wins more or less often
than a mind like the others would. By symmetry, such a mind wins as often as anybody. The test ends
as soon as an anytime-valid confidence interval excludes that share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from benchmarks.common import Table, Tables, check, measurement, spread
from tests.support.following import contest

SETUPS: dict[str, tuple[str, dict[str, Any]]] = {
    "cluedo": ("informative", {"players": 3, "size": "4/4/5"}),
    "kwartet": ("second-order", {"players": 3, "groups": 6}),
    "old_maid": ("epistemic", {"players": 3, "rules": "study", "ranks": 6}),
    "perudo": ("believer", {"players": 3, "dice": 3}),
    "sleuth": ("gain", {"players": 3, "size": "4/3/3"}),
}
"""For each game, the mind that its advice stands for and the setup of the contest."""


@measurement("advice")
@click.option("--games", type=click.IntRange(1), default=2000, help="The most games of a contest.")
@click.option("--full", type=click.IntRange(1), default=2, help="Full-size games for the times.")
@click.option("--only", "names", multiple=True, type=click.Choice(list(SETUPS)), help="That game.")
@click.option("--against", default="", help="The mind at the other seats.")
@click.option("--first", type=int, default=0, help="The first game.")
def advice(games: int, full: int, names: Sequence[str], against: str, first: int) -> Tables:
    """How long does advice take, and does a player who follows it do worse than a mind?"""
    rows: list[list[object]] = []
    contests: list[list[object]] = []
    worse = []
    for name in names or SETUPS:
        mind = against or SETUPS[name][0]
        times = contest(name, mind, full, first, {}).times
        rows.append([name, len(times), *spread(times)])
        score = contest(name, mind, games, first, SETUPS[name][1])
        if len(score.points) >= 50 and score.verdict == "worse":
            worse.append(name)
        low, high = score.interval
        share = f"{score.share:.1%} ({low:.1%} to {high:.1%})"
        contests.append(
            [name, mind, len(score.points), share, f"{score.expected:.1%}", score.verdict]
        )
    checked = "the rules allow each move that is advised"
    yield Table(
        "Advice in full-size games (CPU)",
        ["game", "asked", "median", "9 of 10", "worst"],
        rows,
        checked,
    )
    yield Table(
        "Following the advice",
        ["game", "against", "games", "victories", "by symmetry", "verdict"],
        contests,
        checked,
        ["intervals of 95% that are valid at any time"],
    )
    check(not worse, f"the advice is worse than the mind that it stands for: {', '.join(worse)}")
