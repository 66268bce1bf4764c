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
        setups: a name for each small setup, with the options of `Game.setup` that make it. Keep
            the number of deals below a few thousand: all of them are listed.
        games: the number of games that are played with each setup.
        events: after how many events a game is broken off.
        engines: the engines that are compared with the list of histories.
        counts: whether a history is one world, so that worlds can be counted.
        questions: how many questions of each form are asked after an event.
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
        """All deals of a small setup, each once, as `Game.deal` would make them."""

    @abstractmethod
    def moves(self, setup: Any, state: Any) -> Iterable[Any]:
        """All legal moves, and illegal moves that a player might try.

        If chance decides, all its possible outcomes.
        """

    def moves_towards(self, setup: Any, state: Any, public: Any) -> Iterable[Any]:
        """Return the `moves` that can lead to this event (a superset is right, but slower)."""
        return self.moves(setup, state)

    def is_legal(self, setup: Any, state: Any, move: Any) -> bool | None:
        """Return whether the rules allow the move now, computed without `State.play`.

        None: not decided here. Then the legal moves are those in `Decision.options`, if it has any.
        """
        return None

    def picked(self, moves: Sequence[Any], chance: Random) -> Any:
        """One of these legal moves, for a game of random moves.

        First a random kind of move is picked, so that rare kinds are played, too. If moves of
        some kind soon end the game, they may be picked less often.
        """
        kind = chance.choice(sorted({type(move).__name__ for move in moves}))
        return chance.choice([move for move in moves if type(move).__name__ == kind])

    @abstractmethod
    def sees_of_deal(self, setup: Any, deal: World, player: str) -> Sequence[str]:
        """Return what the player sees of the deal, in the form of `Game.hand`: its cards, say."""

    def sees_of_event(
        self, setup: Any, state: Any, outcome: Outcome[Any], player: str
    ) -> Mapping[str, str]:
        """Return what the player sees of an event in addition to what is public.

        Written as the player would write it into its own log ("secret"). `state` is the position
        before the event. Empty: nothing.
        """
        return {}

    def facts(self, setup: Any, state: Any) -> Mapping[str, str]:
        """Return the current values of the fluents that change, by the position.

        For games in which cards move. Empty: nothing changes.
        """
        return {}

    # ---- what follows ------------------------------------------------------------------------

    def setup(self, name: str) -> Any:
        """Return the small setup with this name."""
        return self.game.setup(**self.setups[name])

    # ---- for encodings that tell apart what the rules do not --------------------------------

    def by_rules(self, setup: Any, world: World) -> World:
        """Return a world of the encoding in the form that the rules give it.

        It differs only where the encoding tells more worlds apart than the rules, such as by the
        order of a player's dice. Then `asked_about` must keep to facts that do not depend on that.
        """
        return world

    def asked_about(self, setup: Any, structure: KnowledgeStructure) -> Sequence[Formula]:
        """Return the formulas for the questions to the engines: by default all atoms."""
        return structure.atoms
