"""Advice: the best moves for a player. A game may define its own advisor."""

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

    A game needs to define only `advise`, or the methods that its default calls. A review uses the
    advisor to compare each move with the best move.

    Attributes:
        aim: the words after "chance" that name its event: "of success".
        options: the additional options of `advise`, by name.
        noun: the word for a weighed move, in the singular and the plural.
    """

    options: ClassVar[Mapping[str, Option]] = {}
    aim: ClassVar[str] = "of success"
    noun: ClassVar[tuple[str, str]] = ("move", "moves")

    def advise(
        self, view: View[SetupT, PublicT], engine: Engine, number: int, **options: Any
    ) -> Sequence[Advice]:
        """Return the best moves for the viewer, best first.

        If it is not the viewer's turn, return the moves that would be best if it were. By default,
        return the moves that are certain to succeed (`successes`). If there are none, rank the
        questions by the expected information of their answers (`answers`). In a game without
        questions, rank the moves by their chance of success.

        Args:
            view: the view of the player.
            engine: the engine that answers.
            number: the maximum number of moves, from 1.
            options: the parsed values of `options`.

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
        """Return the moves that can succeed or fail, each with a title and a formula of success."""
        return {}

    def answers(self, view: View[SetupT, PublicT]) -> Mapping[Any, tuple[str, Sequence[Formula]]]:
        """Return the questions, each with a title and the formulas whose truth it reveals."""
        return {}

    def about(self, view: View[SetupT, PublicT]) -> Sequence[Formula]:
        """Return the formulas that questions aim to decide."""
        return ()

    def prospects(self, view: View[SetupT, PublicT], engine: Engine) -> Sequence[Prospect]:
        """Return the possible moves of the viewer, each with the probability of its success.

        The sequence is empty if there are none now or the game does not support prospects.
        """
        return ()

    # ---- for reviews -----------------------------------------------------------------------------

    def weigh(
        self, view: View[SetupT, PublicT], engine: Engine, event: PublicT
    ) -> Sequence[Advice]:
        """Return the moves with which a review compares the actual move, best first.

        By default, return all moves that can be advised. Reasons and data are not needed here.
        """
        return self.advise(view, engine, maxsize)

    def made(
        self, view: View[SetupT, PublicT], engine: Engine, event: PublicT, moves: Sequence[Advice]
    ) -> Advice | None:
        """Return the advice for the actual move; None if it cannot be compared with these moves.

        By default, the event determines the move. It is the move with the most fields among the
        given and the legal moves whose fields, except `reason`, agree with the event.
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
    """Return whether the event has the values of all fields of the move except its reason."""
    names = _fields(move)
    return bool(names) and all(
        hasattr(event, name) and getattr(event, name) == getattr(move, name) for name in names
    )
