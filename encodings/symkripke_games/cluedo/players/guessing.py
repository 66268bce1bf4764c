"""Players that accuse before they are certain.

All of them also accuse when nobody is left to ask, because nothing more can be learned then. (By
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
    """The base of players that accuse once the probability of a solution reaches `threshold`."""

    def __init__(self, engine: Engine, chance: Random, threshold: Fraction = HALF) -> None:
        """Create a player with this threshold."""
        super().__init__(engine, chance)
        self.threshold = threshold

    @classmethod
    def tuned(cls, text: str) -> Callable[[Engine, Random], Self]:
        """Return a factory of players with the threshold in `text`, as in `NAME:0.4`.

        Raises:
            InputError: the text is not a valid probability.
        """
        return partial(cls, threshold=probability(text, zero=False))


class FirstOrderGuesser(Guesser, FirstOrder):
    """A first-order player that takes a risk once few enough solutions are left.

    It considers all triples without a seen card equally likely. It accuses one of them once its
    probability is at least `threshold`.
    """

    def accusation(self, view: CluedoView) -> Triple | None:
        """Return a random possible triple if there are few enough, else None."""
        left = self.solutions(view)
        risked = Fraction(1, len(left)) >= self.threshold or not asked_by(view)
        return self.chance.choice(left) if risked else None


class HigherOrderGuesser(Guesser, Weighing):
    """A higher-order player that accuses once the probability of a solution reaches `threshold`."""

    def accusation(self, view: CluedoView) -> Triple | None:
        """Return the most probable solution if it is probable enough, else None."""
        certain = super().accusation(view)
        alone = not asked_by(view)
        if certain is not None or (self.threshold == 1 and not alone):
            return certain
        guess, probability = self.best_guess(view)
        return guess if probability >= self.threshold or alone else None


class Racer(Weighing):
    """A higher-order player that guesses when another player is about to win anyway.

    It guesses if it knows, at the end of its turn, that another player in the race knows the
    solution. That player would accuse, and win, before this player's next turn. (It assumes that
    the others notice what they know.)
    """

    def choose(self, view: CluedoView) -> Any:
        """Return the move of a higher-order player; at the end of a turn, consider a guess."""
        self._last_chance = view.decision is not None and view.decision.kind == "accuse"
        return super().choose(view)

    def accusation(self, view: CluedoView) -> Triple | None:
        """Return the solution if it is certain, the best guess if the player is beaten, or None."""
        certain = super().accusation(view)
        if certain is not None or not self._last_chance or not self.beaten(view):
            return certain
        return self.best_guess(view)[0]

    def beaten(self, view: CluedoView) -> bool:
        """Return whether the player knows that another player in the race knows the solution.

        Also return True if nobody is left to ask, because the player can learn nothing more.
        """
        if not asked_by(view):
            return True
        racing = set(view.setup.players) - out(view) - {view.player}
        return any(
            self.engine.holds(view.perspective, K(view.player, knows_solution(player)))
            for player in view.setup.players
            if player in racing
        )
