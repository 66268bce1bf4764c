"""Players that accuse before they are certain.

All of them also accuse when nobody is left to be asked, since nothing more can be learned then. (By
the study's rules, a player who has accused wrongly is not asked any more.)
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any, Self

from symkripke.engines import Engine
from symkripke.language import K
from symkripke.play.options import probability
from symkripke_games.cluedo.asking import asked_by, out
from symkripke_games.cluedo.knowledge import knows_solution
from symkripke_games.cluedo.players.basic import CluedoView, Detective, FirstOrder
from symkripke_games.cluedo.players.counting import Weighing
from symkripke_games.cluedo.rules import Triple

HALF = Fraction(1, 2)


class Guesser(Detective):
    """The base of players that accuse at a probability of `threshold`."""

    def __init__(self, engine: Engine, chance: Random, threshold: Fraction = HALF) -> None:
        """Create a player that accuses at this probability."""
        super().__init__(engine, chance)
        self.threshold = threshold

    @classmethod
    def tuned(cls, text: str) -> Callable[[Engine, Random], Self]:
        """Return players with that threshold: `first-order-guesser:0.4`; raise `InputError`."""
        return partial(cls, threshold=probability(text, zero=False))


class FirstOrderGuesser(Guesser, FirstOrder):
    """A first-order player that takes a risk: all triples without a seen card are equally likely.

    It accuses one of these triples once their probability is at least `threshold`.
    """

    def accusation(self, view: CluedoView) -> Triple | None:
        """Return any of the triples, if they are few enough."""
        left = self.solutions(view)
        risked = Fraction(1, len(left)) >= self.threshold or not asked_by(view)
        return self.chance.choice(left) if risked else None


class HigherOrderGuesser(Guesser, Weighing):
    """A higher-order player that accuses once a solution has the probability `threshold`."""

    def accusation(self, view: CluedoView) -> Triple | None:
        """Return the most probable solution, if it is probable enough."""
        certain = super().accusation(view)
        alone = not asked_by(view)
        if certain is not None or (self.threshold == 1 and not alone):
            return certain
        guess, probability = self.best_guess(view)
        return guess if probability >= self.threshold or alone else None


class Racer(Weighing):
    """A higher-order player that guesses when another player is about to win anyway.

    That is when it knows, at the end of its turn, that another player still in the race knows the
    solution; all of them are to move before it is its turn again, and to know is to win. (It
    takes the others for players that notice what they know.)
    """

    def choose(self, view: CluedoView) -> Any:
        """Choose like any higher-order player; at the end of a turn, consider others' knowledge."""
        self._last_chance = view.decision is not None and view.decision.kind == "accuse"
        return super().choose(view)

    def accusation(self, view: CluedoView) -> Triple | None:
        """Return the solution, if it is certain; its best guess, if it would come too late."""
        certain = super().accusation(view)
        if certain is not None or not self._last_chance or not self.beaten(view):
            return certain
        return self.best_guess(view)[0]

    def beaten(self, view: CluedoView) -> bool:
        """Return whether it knows that another player in the race knows the solution.

        Also true if no other player is in the race, so that there is nobody to learn from.
        """
        if not asked_by(view):
            return True
        racing = set(view.setup.players) - out(view) - {view.player}
        return any(
            self.engine.holds(view.perspective, K(view.player, knows_solution(player)))
            for player in view.setup.players
            if player in racing
        )
