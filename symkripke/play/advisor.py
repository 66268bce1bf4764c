"""Advice: the moves that are best for a player. A game may register an adviser."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from sys import maxsize
from typing import Any, ClassVar, Generic

from symkripke.engines import Engine
from symkripke.play.options import Option
from symkripke.play.player import Advice, Prospect, View
from symkripke.play.rules import PublicT, SetupT


class Advisor(ABC, Generic[SetupT, PublicT]):
    """What recommends moves in a game (`Game.advisor`).

    A game needs only `advise`. By it, a review sets each move that was made beside the best one.

    Attributes:
        options: the further options of `advise`, by name.
        noun: the word for a move that is weighed, singular and plural.
    """

    options: ClassVar[Mapping[str, Option]] = {}
    noun: ClassVar[tuple[str, str]] = ("move", "moves")

    @abstractmethod
    def advise(
        self, view: View[SetupT, PublicT], engine: Engine, number: int, **options: Any
    ) -> Sequence[Advice]:
        """The moves that are best for the viewer, best first.

        If it is not its turn, those that would be best if it were.

        Args:
            view: what the player has.
            engine: who answers.
            number: how many at most, from 1.
            options: values for `options`, read.

        Raises:
            Unsupported: the engine cannot count.
        """

    def prospects(self, view: View[SetupT, PublicT], engine: Engine) -> Sequence[Prospect]:
        """The moves that the viewer could make, each with the chance that it succeeds.

        Empty if there are none now, or the game has no such moves.
        """
        return ()

    # ---- for reviews -----------------------------------------------------------------------------

    def weigh(
        self, view: View[SetupT, PublicT], engine: Engine, event: PublicT
    ) -> Sequence[Advice]:
        """The moves with which a review compares the one that the event tells, best first.

        By default all that can be advised. Reasons and data are not needed here.
        """
        return self.advise(view, engine, maxsize)

    def made(
        self, view: View[SetupT, PublicT], event: PublicT, moves: Sequence[Advice]
    ) -> Advice | None:
        """The value of the move that the event tells; None: it cannot be compared with these.

        By default one of `moves`: the first whose fields, but for its `reason`, are fields of the
        event, too, with the same values.
        """
        return next((advice for advice in moves if _tells(event, advice.move)), None)


def _tells(event: Any, move: Any) -> bool:
    """Whether all fields of the move, but for its reason, are fields of the event."""
    names = getattr(move, "__dataclass_fields__", ()) or getattr(move, "__struct_fields__", ())
    told = [name for name in names if name != "reason"]
    return bool(told) and all(
        hasattr(event, name) and getattr(event, name) == getattr(move, name) for name in told
    )
