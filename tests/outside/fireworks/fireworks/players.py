"""Players: one that plays cards known to fit, and one that plays at random."""

from __future__ import annotations

from random import Random
from typing import Any

from fireworks.knowledge import has, held, ranks
from fireworks.rules import Discard, Happening, Play, Put, Setup, Tell
from symkripke.engines import Engine
from symkripke.play import Assessment, View

Seen = View[Setup, Happening]


class Careful:
    """A player that plays a card known to fit, gives a useful clue, or discards the oldest card."""

    def __init__(self, engine: Engine, chance: Random) -> None:
        self.engine = engine
        self.chance = chance

    def choose(self, view: Seen) -> Any:
        """Return the chosen move."""
        assert view.decision is not None
        options = view.decision.options or ()
        built = sum(isinstance(public, Put) and public.fits is True for public in view.record)
        known = self.engine.sheet(view.perspective).known()
        for option in options:
            if isinstance(option, Play) and known.get(f"card({option.card})") == str(built + 1):
                return option
        if Tell(str(built + 1)) in options:
            return Tell(str(built + 1))
        kinds = (Discard, Tell, Play)
        return next(option for kind in kinds for option in options if isinstance(option, kind))

    def assess(self, view: Seen) -> Assessment:
        """Return what the player knows about their own hand."""
        structure, setup = view.perspective.structure, view.setup
        hand = held(setup, structure, view.player)
        atoms = [has(card, rank) for card in hand for rank in ranks(setup)]
        number = len(self.engine.possibilities(view.perspective, atoms))
        located = self.engine.sheet(view.perspective).known()
        cards = {name: value for name, value in located.items() if name.startswith("card(")}
        return Assessment(number, cards, number == 1)


class RandomPlayer(Careful):
    """A player that makes random moves."""

    def choose(self, view: Seen) -> Any:
        """Return a random move."""
        assert view.decision is not None
        assert view.decision.options is not None
        return self.chance.choice(view.decision.options)
