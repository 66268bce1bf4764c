"""A game as its author describes it for the contracts: by its rules alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from symkripke.language import Formula
from symkripke.model import KnowledgeStructure, World
from symkripke.play import Game, Outcome


class Described(ABC):
    """A game described by its rules: deals, moves, and who sees what.

    The contracts check the encoding (`Game.structure`, `Game.hand`, and the events) against this
    description, so nothing here may be derived from the encoding.

    Attributes:
        game: the game.
        setups: the small setups by name, each with its options for `Game.setup`. Keep the number of
            deals below a few thousand, because all deals are listed.
        games: the number of games that are played with each setup.
        events: the number of events after which a game is stopped.
        engines: the engines that are compared with the list of histories.
        counts: whether each history is one world, so that worlds can be counted.
        questions: the number of questions of each form after an event.
    """

    game: Game[Any, Any]
    setups: Mapping[str, Mapping[str, Any]]
    games: int = 3
    events: int = 12
    engines: Sequence[str] = ("sat", "auto")
    counts: bool = True
    questions: int = 3

    @abstractmethod
    def deals(self, setup: Any) -> Iterable[World]:
        """Return all deals of a small setup, each once, in the form of `Game.deal`."""

    @abstractmethod
    def moves(self, setup: Any, state: Any) -> Iterable[Any]:
        """Return all legal moves, and illegal moves that a player might try.

        If chance decides, return all its possible outcomes.
        """

    def moves_towards(self, setup: Any, state: Any, public: Any) -> Iterable[Any]:
        """Return the `moves` that can lead to this event (a superset is correct, but slower)."""
        return self.moves(setup, state)

    def is_legal(self, setup: Any, state: Any, move: Any) -> bool | None:
        """Return whether the rules allow the move now, computed without `GameState.play`.

        None means that this method does not decide. Then `Decision.options`, if given, contains the
        legal moves.
        """
        return None

    def picked(self, moves: Sequence[Any], chance: Random) -> Any:
        """Return one of these legal moves, for a game of random moves.

        First a random kind of move is picked, so that rare kinds are played, too. Override this
        method to pick a kind less often if its moves soon end the game.
        """
        kind = chance.choice(sorted({type(move).__name__ for move in moves}))
        return chance.choice([move for move in moves if type(move).__name__ == kind])

    @abstractmethod
    def sees_of_deal(self, setup: Any, deal: World, player: str) -> Sequence[str]:
        """Return the player's view of the deal, such as its cards, in the form of `Game.hand`."""

    def sees_of_event(
        self, setup: Any, state: Any, outcome: Outcome[Any], player: str
    ) -> Mapping[str, str]:
        """Return the player's private observations of an event; by default there are none.

        They have the form of the "secret" in the player's own log. `state` is the position before
        the event.
        """
        return {}

    def facts(self, setup: Any, state: Any) -> Mapping[str, str]:
        """Return the current values, at this position, of the fluents that change.

        Override this method for games in which cards move. By default nothing changes.
        """
        return {}

    # ---- what follows ------------------------------------------------------------------------

    def setup(self, name: str) -> Any:
        """Return the small setup with this name."""
        return self.game.setup(**self.setups[name])

    # ---- for encodings that distinguish more than the rules ---------------------------------

    def by_rules(self, setup: Any, world: World) -> World:
        """Return a world of the encoding in the form given by the rules.

        It differs only if the encoding distinguishes more worlds than the rules, for example by the
        order of a player's dice. Then `asked_about` must return only facts that do not depend on
        this difference.
        """
        return world

    def asked_about(self, setup: Any, structure: KnowledgeStructure) -> Sequence[Formula]:
        """Return the formulas for the questions to the engines: by default all atoms."""
        return structure.atoms
