"""Players that learn about the others from each round, when its dice are shown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import Any

from symkripke.engines import Engine
from symkripke_games.perudo.players.basic import Bidder, PerudoView
from symkripke_games.perudo.rules import Bid, Call, Happening, Rolled, Round, first_round


class Learner(Bidder, ABC):
    """The base of players that learn from each round that has ended."""

    def __init__(self, engine: Engine, chance: Random) -> None:
        """Create a player without observations."""
        super().__init__(engine, chance)
        self._seen: Sequence[Happening] = ()
        self.forget()

    def choose(self, view: PerudoView) -> Any:
        """Return a bid or a call, after learning from the rounds that have ended."""
        self.look(view)
        return super().choose(view)

    def look(self, view: PerudoView) -> None:
        """Learn from each round that has ended since the last call."""
        done = len(self._seen)
        if self._seen != view.record[:done]:
            done = 0
            self.forget()
        start = done
        for place in range(done, len(view.record)):
            public = view.record[place]
            if isinstance(public, Call):
                now, bids = first_round(view.setup), []
                for earlier in view.record[start:place]:
                    if isinstance(earlier, Rolled):
                        assert earlier.round is not None
                        now = earlier.round
                    elif isinstance(earlier, Bid):
                        bids.append(earlier)
                self.learn(view, now, tuple(bids), public)
                start = place + 1
        self._seen = view.record[:start]

    @abstractmethod
    def forget(self) -> None:
        """Forget everything, because this is another game."""

    @abstractmethod
    def learn(self, view: PerudoView, now: Round, bids: tuple[Bid, ...], call: Call) -> None:
        """Learn from a round, its bids, and the call that showed all dice."""
