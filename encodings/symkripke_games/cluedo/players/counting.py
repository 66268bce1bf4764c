"""Probabilities for players: one engine that counts, for all who ask the same one."""

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
    """Return the engine of diagrams that goes with this one; players at a table share its diagrams.

    It weighs worlds by "bayes": who could have shown several cards took any of them, as likely
    as another. That is how most players here choose, and the best guess about the others.
    """
    if engine not in _COUNTING:
        _COUNTING[engine] = new_engine("bdd", "bayes")
    return _COUNTING[engine]


class Weighing(HigherOrder):
    """A higher-order player that knows how probable each solution is, too."""

    _odds: tuple[Perspective, dict[Triple, Fraction]] | None = None

    def odds(self, view: CluedoView) -> dict[Triple, Fraction]:
        """Return the probability of each solution that is possible, in the order of their names."""
        if self._odds is None or self._odds[0] is not view.perspective:
            atoms = envelope_atoms(view.setup)
            shares = counting(self.engine).distribution(view.perspective, atoms)
            triples = {self._triple(view.setup, cards): share for cards, share in shares.items()}
            self._odds = view.perspective, dict(sorted(triples.items()))
        return self._odds[1]

    def best_guess(self, view: CluedoView) -> tuple[Triple, Fraction]:
        """Return the most probable solution, with its probability; of several, one by chance."""
        odds = self.odds(view)
        most = max(odds.values())
        return self.chance.choice([triple for triple, share in odds.items() if share == most]), most
