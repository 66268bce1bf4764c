"""The answer to a question about a game, with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from symkripke.cli.options import Limits, is_verbose
from symkripke.cli.styled_lines import write_explanation, write_line
from symkripke.engines import Answer, Engine, weighing
from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.explain import Evidence
from symkripke.explain.text import Line, in_percent
from symkripke.language import Chance, Formula
from symkripke.play import Moment
from symkripke.play.constants import constant_names
from symkripke.play.game_words import open_changes, tell
from symkripke.play.sentences import when

T = TypeVar("T")

_REASON_SECONDS = 60.0
"""The default time limit in seconds for an answer with its reason, and for the reason."""


def reason_within(limits: Limits) -> AbstractContextManager[object]:
    """Return the limit for finding a reason; even a short proof can take a long time to find."""
    return limits.step("looking for a reason", _REASON_SECONDS)


@dataclass(frozen=True)
class Reply:
    """The answer to a question about a moment.

    Attributes:
        moment: the moment.
        text: the question.
        asked: the question as a formula.
        chosen: the engine that answered.
        result: the probability or the answer.
        limits: the limits for finding the reason.
    """

    moment: Moment[Any, Any]
    text: str
    asked: Formula | Chance
    chosen: Engine
    result: Fraction | Answer
    limits: Limits

    @classmethod
    def to(
        cls, moment: Moment[Any, Any], chosen: Engine, text: str, limits: Limits, *, why: bool
    ) -> Reply:
        """Return the reply to a question. Raise the errors of `Moment.ask`.

        `why` says whether the reason will be requested, too; the answer then has a time limit.
        """
        with limits.whole("reading the formula"):
            asked = moment.question(text)
        answer: Fraction | Answer
        if isinstance(asked, Chance):
            with limits.step("counting"):
                answer = moment.probability(asked.agent, asked.operand, chosen, given=asked.given)
        else:
            with limits.step("asking", _REASON_SECONDS if why else None):
                answer = moment.ask(asked, engine=chosen)
        return cls(moment, text, asked, chosen, answer, limits)

    @property
    def weighting(self) -> str:
        """The weighting of the engine; "equal" for an engine that does not count."""
        return weighing(self.chosen)

    def _reason(self, answer: Answer, render: Callable[[Evidence], T]) -> T:
        from symkripke.engines.reasons import whole_evidence

        with reason_within(self.limits):
            return render(whole_evidence(answer, self.moment.structure, self.chosen))

    def data(self, *, why: bool) -> dict[str, Any]:
        """Return the answer as plain data for JSON, with its reason if `why` is true."""
        from symkripke.explain.data import as_data, exactly

        data: dict[str, Any] = {"formula": self.text, "turn": self.moment.turn}
        if isinstance(self.result, Fraction):
            return {**data, "weighting": self.weighting, **exactly(self.result)}
        data |= {"engine": self.result.engine, "holds": bool(self.result)}
        if why:
            if self.result.reason:
                data["reason"] = self.result.reason
            try:
                data["why"] = self._reason(self.result, as_data)
            except (Unsupported, BudgetExceeded) as error:
                data["no_reason"] = str(error)
            assert not isinstance(self.asked, Chance)
            if seen := open_changes(self.moment, self.asked):
                data["seen_by_all"] = list(seen)
        return data

    def show(self, *, why: bool) -> None:
        """Print the answer, with its reason if `why` is true."""
        now = when(self.moment)
        if isinstance(self.result, Fraction):
            verdict, style = in_percent(self.result), "bold"
            by = f"{now}, weighting {self.weighting}"
        else:
            verdict, style = ("yes", "bold green") if self.result else ("no", "bold red")
            by = f"{now}, engine: {self.result.engine}" if is_verbose() else now
        write_line((verdict, style), (f"  {self.text}", ""), (f"  ({by})", "dim"))
        if why:
            try:
                lines = list(self._why())
            except (Unsupported, BudgetExceeded) as error:
                lines = [Line(0, "note", f"no reason: {error}")]
            write_explanation(lines)

    def _why(self) -> Iterator[Line]:
        """Yield the lines of the reason."""
        moment, verbose = self.moment, is_verbose()
        constants = [Line(0, "note", meaning) for meaning in constant_names(moment, self.text)]
        if isinstance(self.asked, Chance):
            who = moment.layout.person(self.asked.agent)
            yield from constants
            meaning = f"a probability counts every case that {who} considers possible"
            yield Line(0, "note", f"{meaning}; no short list of facts explains it")
            return
        assert not isinstance(self.result, Fraction)
        answer, asked, text = self.result, self.asked, self.text
        yield from self._reason(
            answer,
            lambda reason: list(tell(moment, reason, asked=asked, text=text, verbose=verbose)),
        )
        yield from constants
        for source in open_changes(moment, asked):
            yield Line(1, "note", f"everybody saw it ({source})")
        if answer.reason and verbose:
            yield Line(0, "note", f"used the {answer.engine} engine: {answer.reason}")
