"""A measure of the price of a secret: the information that questions gain and give away.

The information of a player about the answer to the game's question is the entropy of its
distribution, in bits. Each question with its answer changes the entropy of every player. The drop
for the asking player is the gain of the question, and the drops for the others are its leak. For
the player who answers, the gain of the asker is the information that the answer gives to it, and
the drops for all further players are the information that they overhear. A drop can be negative.

Worlds are weighed as by the weighting "bayes": a player who can choose what to show chooses at
random.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from symkripke.engines import engine
from symkripke.play.information import entropy
from symkripke.play.measure import Figure, Measure, Value
from symkripke.play.session.entry import TableEvent
from symkripke.play.session.table import Table

Parties = Callable[[Any], tuple[str, str | None] | None]
"""Returns the asking player and the player who answers, for an event that is a question.

The second is None if nobody can answer. The function returns None for other events.
"""


class _Price:
    """An observer of the entropy of the answer for each player."""

    def __init__(self, parties: Parties, table: Table[Any, Any]) -> None:
        self._table, self._parties = table, parties
        self._counter = engine("bdd", "bayes")
        players = table.setup.players
        self._sums = {name: dict.fromkeys(players, 0.0) for name in _QUANTITIES}
        self._open = self._entropies()

    def _entropies(self) -> dict[str, float]:
        """Return the entropy of the answer for each player."""
        game, setup, scene = self._table.game, self._table.setup, self._table.scene
        return {
            player: entropy(
                scene.perspective(player),
                game.answers(setup, scene.structure, player),
                self._counter,
            )
            for player in setup.players
        }

    def after(self, step: TableEvent[Any]) -> None:
        """Count the drops of the last event, if it is a question."""
        before, self._open = self._open, self._entropies()
        parties = self._parties(step.outcome.public)
        if parties is None:
            return
        asker, answerer = parties
        drops = {player: before[player] - left for player, left in self._open.items()}
        self._add(asker, asked=1, gained=drops[asker], leaked=sum(drops.values()) - drops[asker])
        if answerer is not None:
            heard = sum(drop for player, drop in drops.items() if player not in parties)
            self._add(answerer, answered=1, told=drops[asker], overheard=heard)

    def _add(self, player: str, **values: float) -> None:
        for name, value in values.items():
            self._sums[name][player] += value

    def values(self) -> Mapping[str, Sequence[Value]]:
        """Return the sums by seat, rounded, because the last digits of logarithms are noise."""
        return {
            name: [round(value, 9) for value in by_player.values()]
            for name, by_player in self._sums.items()
        }


_QUANTITIES = ("asked", "gained", "leaked", "answered", "told", "overheard")


def price(parties: Parties) -> Measure:
    """Return the measure for a game in which `parties` names the players of each question."""
    return Measure(
        "price",
        "the information about the answer that questions gain and give away, in bits",
        _QUANTITIES,
        {
            "gain-each": Figure("information that a question gains", "gained", "asked", "bits"),
            "leak-each": Figure(
                "information that a question gives to all others", "leaked", "asked", "bits"
            ),
            "price": Figure("bits given to all others for each bit gained", "leaked", "gained"),
            "told-each": Figure(
                "information that an answer gives to the asking player", "told", "answered", "bits"
            ),
            "overheard-each": Figure(
                "information that an answer gives to all further players",
                "overheard",
                "answered",
                "bits",
            ),
        },
        partial(_Price, parties),
    )
