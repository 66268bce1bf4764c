"""Strategies: a player that asks about cards that it cannot locate, and a random player."""

from __future__ import annotations

from typing import Any

from symkripke.play import Assessment, EnginePlayer, View
from symkripke.play.dealing import location
from symkripke.play.hands import at
from symkripke_games.skeleton.rules import HIDDEN, Ask, Happening, Name, Setup

Seen = View[Setup, Happening]


class Knower(EnginePlayer):
    """Names the hidden card once it knows it; until then, asks for a card that others may have."""

    def choose(self, view: Seen) -> Any:
        """Return the move to make."""
        open_cards = self._open(view)
        if len(open_cards) == 1:
            return Name(open_cards[0])
        located = self.engine.sheet(view.perspective).known()
        unknown = [card.id for card in view.setup.cards if location(card.id) not in located]
        return Ask(self.chance.choice(view.setup.after(view.player)), self.chance.choice(unknown))

    def assess(self, view: Seen) -> Assessment:
        """Return the number of cards that may be hidden, and the located cards."""
        located = self.engine.sheet(view.perspective).known()
        number = len(self._open(view))
        return Assessment(number, located, number == 1)

    def _open(self, view: Seen) -> list[str]:
        """Return the cards that may be hidden, to the player's knowledge."""
        cards = [card.id for card in view.setup.cards]
        possible = self.engine.possibilities(view.perspective, [at(card, HIDDEN) for card in cards])
        return sorted(atom.fluent.arguments[0] for atoms in possible for atom in atoms)


class RandomPlayer(Knower):
    """Makes any move but a guess that it knows to be wrong."""

    def choose(self, view: Seen) -> Any:
        """Return a random legal move."""
        assert view.decision is not None
        assert view.decision.options is not None
        return self.chance.choice(view.decision.options)
