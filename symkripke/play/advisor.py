"""Advice: the moves that are best for a player. A game may register an adviser."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic

from symkripke.engines import Engine
from symkripke.play.options import Option
from symkripke.play.player import Advice, Prospect, View
from symkripke.play.rules import PublicT, SetupT


class Advisor(ABC, Generic[SetupT, PublicT]):
    """What recommends moves in a game (`Game.advisor`).

    Attributes:
        options: the further options of `advise`, by name.
    """

    options: ClassVar[Mapping[str, Option]] = {}

    @abstractmethod
    def advise(
        self, view: View[SetupT, PublicT], engine: Engine, number: int, **options: Any
    ) -> Sequence[Advice]:
        """The moves that are best for the viewer, best first.

        If it is not its turn, those that would be best if it were.

        Args:
            view: what the player has.
            engine: who answers.
            number: how many at most.
            options: values for `options`, read.

        Raises:
            Unsupported: the engine cannot count.
        """

    def prospects(self, view: View[SetupT, PublicT], engine: Engine) -> Sequence[Prospect]:
        """The moves that the viewer could make, each with the chance that it succeeds.

        Empty if there are none now, or the game has no such moves.
        """
        return ()
