"""The contracts, applied to the game; its rules are described here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

from fireworks import GAME
from fireworks.rules import Discard, Play, Put, Tell, holder_name, rank_name
from symkripke.model import World
from symkripke.play import Outcome
from symkripke.testing import Described, GameContract, PlayerContract


class Fireworks(Described):
    """The rules of Fireworks: deals, moves and observations."""

    game = GAME
    setups = {
        "3 ranks": {"ranks": 3, "hand": 2, "clues": 2},
        "hands of 1": {"ranks": 3, "hand": 1, "clues": 3},
    }

    def deals(self, setup: Any) -> Iterator[World]:
        """Yield all orders of the deck."""
        places = {card: player for player, cards in setup.hands.items() for card in cards}
        for ranks in sorted(set(permutations(setup.deck))):
            deal = {rank_name(card): rank for card, rank in enumerate(ranks, 1)}
            yield deal | {holder_name(card): places.get(card, "deck") for card in setup.cards}

    def moves(self, setup: Any, state: Any) -> Iterator[Any]:
        """Yield clues about all ranks, and plays and discards of all cards."""
        yield from map(Tell, (*dict.fromkeys(setup.deck), "0"))
        for card in setup.cards:
            yield Play(card)
            yield Discard(card)

    def is_legal(self, setup: Any, state: Any, move: Any) -> bool:
        """Return whether a clue is left and touches a card, or the card is the player's own."""
        if isinstance(move, Tell):
            other = state.hands[setup.other(state.mover)]
            return state.clues > 0 and move.rank in [state.deal[rank_name(c)] for c in other]
        mine = move.card in state.hands[state.mover]
        return mine and (isinstance(move, Play) or state.clues < setup.clues)

    def sees_of_deal(self, setup: Any, deal: World, player: str) -> tuple[str, ...]:
        """Return the other player's cards."""
        return tuple(deal[rank_name(card)] for card in setup.hands[setup.other(player)])

    def sees_of_event(
        self, setup: Any, state: Any, outcome: Outcome[Any], player: str
    ) -> Mapping[str, str]:
        """Return the card that the other player draws."""
        drew = isinstance(outcome.public, Put) and outcome.public.player != player
        return outcome.secret if drew else {}

    def facts(self, setup: Any, state: Any) -> Mapping[str, str]:
        """Return the places of the cards."""
        held = {card: player for player, cards in state.hands.items() for card in cards}
        return {
            holder_name(card): held.get(card, "deck" if card > state.drawn else "table")
            for card in setup.cards
        }


class TestFireworks(GameContract):
    described = Fireworks()


class TestPlayers(PlayerContract):
    described = Fireworks()
