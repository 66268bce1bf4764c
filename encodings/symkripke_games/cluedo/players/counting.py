"""Players that know the probabilities of solutions."""

from __future__ import annotations

from fractions import Fraction

from symkripke.model import Perspective
from symkripke.play.player import counting
from symkripke_games.cluedo.knowledge import envelope_atoms
from symkripke_games.cluedo.players.basic import CluedoView, HigherOrder
from symkripke_games.cluedo.rules import Triple


class Weighing(HigherOrder):
    """A higher-order player that also knows the probability of each solution."""

    _odds: tuple[Perspective, dict[Triple, Fraction]] | None = None

    def odds(self, view: CluedoView) -> dict[Triple, Fraction]:
        """Return the probability of each possible solution, in the order of the cards' names."""
        if self._odds is None or self._odds[0] is not view.perspective:
            atoms = envelope_atoms(view.setup)
            shares = counting(self.engine).distribution(view.perspective, atoms)
            triples = {self._triple(view.setup, cards): share for cards, share in shares.items()}
            self._odds = view.perspective, dict(sorted(triples.items()))
        return self._odds[1]

    def best_guess(self, view: CluedoView) -> tuple[Triple, Fraction]:
        """Return a most probable solution and its probability; choose randomly among equals."""
        odds = self.odds(view)
        most = max(odds.values())
        return self.chance.choice([triple for triple, share in odds.items() if share == most]), most
