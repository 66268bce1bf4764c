"""Questions about the probability of a formula."""

from __future__ import annotations

from symkripke.language.formulas import TRUE, Formula
from symkripke.records import dataclass


@dataclass(frozen=True)
class Chance:
    """A question about the probability of a formula for an agent: `P[plum](at(rope, envelope))`.

    Attributes:
        agent: the agent.
        operand: the formula.
        given: the condition; `true` if there is none.
    """

    agent: str
    operand: Formula
    given: Formula = TRUE

    def __str__(self) -> str:
        condition = "" if self.given is TRUE else f" | {self.given}"
        return f"P[{self.agent}{condition}]({self.operand})"
