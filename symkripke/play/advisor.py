"""Advice: the moves that are best for a player. A game may register an adviser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from sys import maxsize
from typing import Any, ClassVar, Generic

from symkripke.engines import Engine, counter
from symkripke.explain.text import percent
from symkripke.language import Formula
from symkripke.play.information import chances, entropy, information
from symkripke.play.options import Option
from symkripke.play.player import Advice, Prospect, View
from symkripke.play.rules import PublicT, SetupT


class Advisor(Generic[SetupT, PublicT]):
    """The advisor of a game, which recommends moves (`Game.advisor`).

    A game needs only `advise`, or the method that its default calls. A review uses it to compare
    each move with the best one.

    Attributes:
        aim: the event to which a chance refers, in words after "chance".
        options: the further options of `advise`, by name.
        noun: the word for a move that is weighed, singular and plural.
    """

    options: ClassVar[Mapping[str, Option]] = {}
    aim: ClassVar[str] = "of success"
    noun: ClassVar[tuple[str, str]] = ("move", "moves")

    def advise(
        self, view: View[SetupT, PublicT], engine: Engine, number: int, **options: Any
    ) -> Sequence[Advice]:
        """Return the best moves for the viewer, best first.

        If it is not its turn, those that would be best if it were. By default, if a move is sure to
        succeed (`successes`), those that are. Else the questions by what their answers tell
        (`answers`), or, in a game without questions, the moves by their chance to succeed.

        Args:
            view: what the player has.
            engine: who answers.
            number: how many at most, from 1.
            options: values for `options`, read.

        Raises:
            Unsupported: the engine cannot count.
        """
        seen, counting, moves = view.perspective, counter(engine), self.successes(view)
        shares = chances(seen, [formula for _, formula in moves.values()], counting)
        tried = [
            Advice(
                title,
                float(shares[formula]),
                f"the chance {self.aim} is {percent(shares[formula])}",
                {"chance": str(shares[formula])},
                move,
                "chance",
                self.aim,
            )
            for move, (title, formula) in moves.items()
        ]
        certain = [advice for advice in tried if advice.gain == 1]
        if not certain:
            about = tuple(self.about(view))
            unknown = entropy(seen, about, counting)
            for move, (title, answer) in self.answers(view).items():
                gain = information(seen, about, tuple(answer), counting)
                reason = (
                    f"remaining uncertainty: {unknown:.2f} bits now, {unknown - gain:.2f} on "
                    "average after the answer"
                )
                certain.append(Advice(title, gain, reason, {"gain": gain}, move))
        return sorted(certain or tried, key=lambda advice: -advice.gain)[:number]

    def successes(self, view: View[SetupT, PublicT]) -> Mapping[Any, tuple[str, Formula]]:
        """Return the moves that can succeed or fail, in words, each with the formula of success."""
        return {}

    def answers(self, view: View[SetupT, PublicT]) -> Mapping[Any, tuple[str, Sequence[Formula]]]:
        """Return the questions: each in words, with the formulas whose truth an answer reveals."""
        return {}

    def about(self, view: View[SetupT, PublicT]) -> Sequence[Formula]:
        """Return the formulas that questions aim to decide."""
        return ()

    def prospects(self, view: View[SetupT, PublicT], engine: Engine) -> Sequence[Prospect]:
        """Return the possible moves of the viewer, each with the probability of its success.

        Empty if there are none now, or the game has no such moves.
        """
        return ()

    # ---- for reviews -----------------------------------------------------------------------------

    def weigh(
        self, view: View[SetupT, PublicT], engine: Engine, event: PublicT
    ) -> Sequence[Advice]:
        """Return the moves with which a review compares the actual move, best first.

        By default all that can be advised. Reasons and data are not needed here.
        """
        return self.advise(view, engine, maxsize)

    def made(
        self, view: View[SetupT, PublicT], engine: Engine, event: PublicT, moves: Sequence[Advice]
    ) -> Advice | None:
        """Return the value of the actual move; None if it cannot be compared with these.

        By default, the move is read from the event: a legal one whose fields, except `reason`, are
        also fields of the event, with the same values.
        """
        legal = view.decision.options if view.decision is not None else None
        matching = [
            move for move in (*(m.move for m in moves), *(legal or ())) if _tells(event, move)
        ]
        best = max(matching, key=lambda move: len(_fields(move)), default=None)
        return next((m for m in moves if matching and m.move == best), None)


def _fields(move: Any) -> list[str]:
    names = getattr(move, "__dataclass_fields__", ()) or getattr(move, "__struct_fields__", ())
    return [name for name in names if name != "reason"]


def _tells(event: Any, move: Any) -> bool:
    """Return whether all fields of the move, but for its reason, are fields of the event."""
    names = _fields(move)
    return bool(names) and all(
        hasattr(event, name) and getattr(event, name) == getattr(move, name) for name in names
    )
