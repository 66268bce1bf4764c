"""The base of all players, which know all consequences, and the random player."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from random import Random
from typing import Any

from symkripke.engines import Engine, Mark
from symkripke.model import Perspective
from symkripke.play import Assessment, View
from symkripke.play.player import EnginePlayer
from symkripke_games.sleuth.deck import Deck, shuffled
from symkripke_games.sleuth.gems import FREE, Elements
from symkripke_games.sleuth.knowledge import hidden_atoms
from symkripke_games.sleuth.rules import (
    Ask,
    AskLast,
    Declare,
    Happening,
    Lay,
    Opening,
    Question,
    Silent,
)
from symkripke_games.sleuth.setup import Setup

SleuthView = View[Setup, Happening]


class Asker(EnginePlayer):
    """Knows all consequences of its observations, and declares when it is certain."""

    def __init__(self, engine: Engine, chance: Random) -> None:
        """Create a player without observations."""
        super().__init__(engine, chance)
        self._last: tuple[Perspective, tuple[str, ...]] | None = None

    def choose(self, view: SleuthView) -> Any:
        """Return a declaration if certain, else another move; lay and draw cards at random."""
        decision = view.decision
        assert decision is not None
        if decision.kind == "open":
            return Lay(shuffled(view.setup, self.chance))
        if decision.kind == "draw":
            assert decision.options is not None
            return self.chance.choice(decision.options)
        left = self.possible(view)
        if len(left) == 1:
            return Declare(left[0], "no other gem can be hidden")
        if decision.kind == "declare":
            return Silent()
        if decision.kind == "last":
            return Declare(self.chance.choice(left), "a guess")
        return self.question(view)

    @abstractmethod
    def question(self, view: SleuthView) -> Ask | AskLast:
        """Return the question to ask: the player, the gems and the card."""

    def possible(self, view: SleuthView) -> tuple[str, ...]:
        """Return the gems that may be hidden, exactly, in the order of the gems."""
        if self._last is None or self._last[0] is not view.perspective:
            sheet = self.engine.sheet(view.perspective, hidden_atoms(view.setup))
            marks = zip(view.setup.edition.gems, sheet.marks, strict=True)
            gems = tuple(gem.id for gem, mark in marks if mark is not Mark.NO)
            self._last = view.perspective, gems
        return self._last[1]

    def located(self, view: SleuthView) -> Mapping[str, str]:
        """Return the places of all gems whose place follows from the observations."""
        fluents = view.perspective.structure.root.vocabulary.fluents
        atoms = [atom for fluent in fluents.values() for atom in fluent.atoms]
        return self.engine.sheet(view.perspective, atoms).known()

    def assess(self, view: SleuthView) -> Assessment:
        """Return the number of gems that may be hidden, and the known places of gems."""
        left = len(self.possible(view))
        return Assessment(left, self.located(view), left == 1)


class RandomAsker(Asker):
    """Asks anybody anything that its question cards allow."""

    def question(self, view: SleuthView) -> Ask:
        """Return a question with a random card to a random player."""
        card = self.chance.choice(row_of(view) or view.setup.edition.cards)
        asked = self.chance.choice(view.setup.after(view.player))
        elements = self.chance.choice(asks(view.setup, card))
        return Ask(asked, elements, card, "any question is as good as another")


def asks(setup: Setup, card: str) -> tuple[Elements, ...]:
    """Return the questions that a question card allows."""
    return setup.edition.questions if card == FREE else (tuple(card.split(" ")),)


def row_of(view: SleuthView) -> tuple[str, ...] | None:
    """Return the question cards now in front of the viewer; None if they are not recorded."""
    deck: Deck | None = None
    for public in view.record:
        if isinstance(public, Opening) and public.rows:
            deck = Deck.of(view.setup, public.rows)
        elif isinstance(public, Question) and deck is not None and not public.last:
            assert public.card is not None
            assert public.drawn is not None
            deck = deck.use(public.player, public.card).draw(public.player, public.drawn)
    return None if deck is None else deck.rows[view.player]
