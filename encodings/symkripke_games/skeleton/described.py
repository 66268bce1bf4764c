"""A second description of the rules, for the contract tests: deals, moves and observations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

from symkripke.model import World
from symkripke.play import Outcome
from symkripke.play.dealing import dealt_round, location
from symkripke.testing.described import Described
from symkripke_games.skeleton import GAME
from symkripke_games.skeleton.rules import HIDDEN, Ask, Name


class DescribedSkeleton(Described):
    """The game as described by its rules. Nothing here may call the encoding."""

    game = GAME
    setups: Mapping[str, Mapping[str, Any]] = {
        "two": {"players": 2},
        "three": {"players": 3},
    }

    def deals(self, setup: Any) -> Iterator[World]:
        """Yield all ways to hide a card and deal the others."""
        cards = [location(card.id) for card in setup.cards]
        places = [HIDDEN, *dealt_round(len(cards) - 1, setup.players)]
        for order in dict.fromkeys(permutations(places)):
            yield dict(zip(cards, order, strict=True))

    def moves(self, setup: Any, state: Any) -> Iterator[Any]:
        """Yield all moves: name any card, or ask any player for any card."""
        for card in setup.cards:
            yield Name(card.id)
            for player in setup.players:
                yield Ask(player, card.id)

    def is_legal(self, setup: Any, state: Any, move: Any) -> bool:
        """Return whether the rules allow the move: players cannot ask themselves."""
        return isinstance(move, Name) or move.asked != state.mover

    def sees_of_deal(self, setup: Any, deal: World, player: str) -> tuple[str, ...]:
        """Return the player's own cards."""
        return tuple(card.id for card in setup.cards if deal[location(card.id)] == player)

    def sees_of_event(
        self, setup: Any, state: Any, outcome: Outcome[Any], player: str
    ) -> Mapping[str, str]:
        """Return an empty mapping: all events are public."""
        return {}

    def facts(self, setup: Any, state: Any) -> Mapping[str, str]:
        """Return an empty mapping: cards do not move."""
        return {}
