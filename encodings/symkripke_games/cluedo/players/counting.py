"""Probabilities for players: players that share an engine also share one that counts worlds."""

from __future__ import annotations

from fractions import Fraction
from weakref import WeakKeyDictionary

from symkripke.engines import Engine
from symkripke.engines import engine as new_engine
from symkripke.model import Perspective
from symkripke_games.cluedo.knowledge import envelope_atoms
from symkripke_games.cluedo.players.basic import CluedoView, HigherOrder
from symkripke_games.cluedo.rules import Triple

_COUNTING: WeakKeyDictionary[Engine, Engine] = WeakKeyDictionary()


def counting(engine: Engine) -> Engine:
    """Return the engine `bdd` that belongs to this engine; players at a table share its diagrams.

    It weighs worlds by "bayes": players who could have shown several cards chose at random, each
    card with the same probability. Most strategies choose this way, and it is the best assumption
    about the others.
    """
    if engine not in _COUNTING:
        _COUNTING[engine] = new_engine("bdd", "bayes")
    return _COUNTING[engine]


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
