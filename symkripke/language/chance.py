"""The probability of a formula, as something to ask for."""

from __future__ import annotations

from dataclasses import dataclass

from symkripke.language.formulas import TRUE, Formula


@dataclass(frozen=True)
class Chance:
    """The question how probable something is to an agent: `P[plum](at(rope, envelope))`.

    Attributes:
        agent: to whom.
        operand: what.
        given: given what.
    """

    agent: str
    operand: Formula
    given: Formula = TRUE

    def __str__(self) -> str:
        condition = "" if self.given is TRUE else f" | {self.given}"
        return f"P[{self.agent}{condition}]({self.operand})"
