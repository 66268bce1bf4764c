"""Hints and reviews in every game: the first hint is legal, and no review calls it worse."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from symkripke.play import Assessment, Game, Player, Table, View, game
from symkripke.play.positions import advised, adviser, suggest, view_at
from symkripke.play.review import FAULT, review

SETUPS: dict[str, tuple[dict[str, Any], ...]] = {
    "cluedo": ({"players": 3, "size": "3/3/4"}, {"players": 3, "size": "2/3/3", "rules": "study"}),
    "sleuth": ({"players": 3, "size": "3/2/2"}, {"players": 3, "size": "3/3/2", "rules": "study"}),
    "kwartet": ({"players": 3, "groups": 4}, {"players": 4, "groups": 4, "allow_bluff": True}),
    "old_maid": ({"players": 3, "ranks": 5}, {"players": 4, "ranks": 6, "rules": "study"}),
    "perudo": ({"players": 3, "dice": 3}, {"players": 2, "dice": 2, "calza": True}),
}
GAMES = [(name, place) for name in SETUPS for place in range(2)]
SEEDS = range(10)


class Follower:
    """A player that follows the first hint at random moments.

    Attributes:
        followed: for each such moment, the number of the next event, and the hint.
    """

    def __init__(self, played: Game[Any, Any], mind: Player[Any, Any], chance: Random) -> None:
        """A player that otherwise moves as `mind` does."""
        self._game, self._mind, self._chance = played, mind, chance
        self.followed: dict[int, str] = {}

    def choose(self, view: View[Any, Any]) -> Any:
        """The first hint, or the mind's move."""
        assert view.decision is not None
        assert self._game.people is not None
        usual = self._mind.choose(view)
        if (
            view.decision.kind in self._game.people.automatic_decisions
            or self._chance.random() < 0.5
        ):
            return usual
        hints = advised(self._game, view, adviser(), 1, {})
        if not hints:
            return usual
        self.followed[len(view.record) + 1] = hints[0].title
        return hints[0].move

    def assess(self, view: View[Any, Any]) -> Assessment:
        """As the mind does."""
        return self._mind.assess(view)


@pytest.mark.parametrize(("name", "place"), GAMES)
def test_a_review_never_calls_the_first_hint_worse(name: str, place: int) -> None:
    """At random moments players follow the first hint; then the game is reviewed."""
    played = game(name)
    followed = 0
    for seed in SEEDS:
        table = Table.of(played, seed=seed, **SETUPS[name][place])
        chance = Random(f"{name}/{place}/{seed}")
        followers = {
            player: Follower(played, mind, chance) for player, mind in table.players.items()
        }
        table.players.update(followers)
        while table.step() is not None and table.state.turn < 60:
            pass
        for event in review(table.record).events:
            hint = followers[event.player].followed.get(event.number) if event.player else None
            if hint is None:
                continue
            followed += 1
            assert event.appraisal is None or event.appraisal.is_best, (hint, event)
            for said in event.annotations:
                assert (said.sort, said.player) != (FAULT, event.player), (hint, said.words)
    assert followed > len(SEEDS)


@pytest.mark.parametrize(
    ("name", "mind", "verb"),
    [("cluedo", "higher-order", "accuse"), ("sleuth", "random", "declare")],
)
def test_who_knows_the_answer_is_advised_to_say_it(name: str, mind: str, verb: str) -> None:
    """On its own turn and on another player's; nobody is advised after the end."""
    knew = 0
    for seed in SEEDS:
        table = Table.of(game(name), seed=seed, minds=(mind,), **SETUPS[name][0])
        while table.step() is not None:
            log = table.record
            for player in table.setup.players:
                moves = suggest(log, table.moment, player, 5)
                view = view_at(log, table.moment, player)
                if table.state.result is not None or player in table.state.out:
                    assert not moves
                elif view.decision is None and table.players[player].assess(view).certain:
                    knew += 1
                    assert [move.title.partition(" ")[0] for move in moves] == [verb]
                    assert moves[0].gain == 1
    assert knew
