"""The outcome of a step of a problem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from symkripke.engines import Answer, Engine, Sheet
from symkripke.errors import SymkripkeError, in_digits
from symkripke.language import Atom, Formula
from symkripke.language.walk import rewrite
from symkripke.model import KnowledgeStructure, World
from symkripke.problems.problem import Question, Remark, Step


@dataclass(frozen=True)
class Where:
    """The worlds at which a formula is true.

    Attributes:
        number: how many there are.
        says: a formula for them in the problem's names; None if there is no short one.
        worlds: the first few, by the problem's names of fluents.
    """

    number: int
    says: Formula | None
    worlds: tuple[World, ...]


@dataclass(frozen=True, eq=False)
class Outcome:
    """The outcome of a step.

    Attributes:
        step: the step; None for the beginning: the model itself.
        structure: the structure after it.
        worlds: for the beginning and for events, the exact number of worlds that are left. None if
            they were not counted; `refused` says why.
        said: for events, the formula that was announced.
        answer: for "valid" and "true".
        actual: for "true", the world of the question.
        asked: for "valid" and "true", the engine that was asked.
        where: for "where".
        sheet: for "knows".
        numbers: for "knows", the possible values of each number in binary; empty if too many.
        refused: why there is no answer or count: the limit that was reached.
    """

    step: Step | None
    structure: KnowledgeStructure
    worlds: int | None = None
    said: Formula | None = None
    answer: Answer | None = None
    where: Where | None = None
    sheet: Sheet | None = None
    numbers: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    refused: SymkripkeError | None = None
    actual: World | None = None
    asked: Engine | None = None

    @property
    def verdict(self) -> str:
        """The outcome in a few words; empty for a remark."""
        if self.answer is not None:
            return "yes" if self.answer else "no"
        if self.where is not None:
            return _counted(self.where.number)
        if self.worlds is not None:
            # Not "left": changes and new fluents can make more worlds.
            return f"{'' if self.step is None else 'now '}{_counted(self.worlds)}"
        if isinstance(self.step, Question) and self.refused is not None:
            return "no answer"
        return ""

    def _repr_html_(self) -> str:
        from symkripke.model.html import table

        if isinstance(self.step, Remark):
            return table(self.step.says, (), ())
        if self.sheet is not None:
            return self.sheet._repr_html_()
        rows = [("answer" if isinstance(self.step, Question) else "then", self.verdict or "-")]
        if self.refused is not None:
            rows.append(("because", str(self.refused)))
        if self.where is not None:
            rows += [] if self.where.says is None else [("where", str(self.where.says))]
            rows += [
                ("for example", in_short(self.structure, world)) for world in self.where.worlds
            ]
        return table("at the beginning" if self.step is None else self.step.text, (), rows)


def _counted(number: int) -> str:
    """A number of worlds in words."""
    return "1 world" if number == 1 else f"{in_digits(number)} worlds"


def plainly(structure: KnowledgeStructure, formula: Formula) -> Formula:
    """A resolved formula in the names that mean the same now: `x` for its latest version."""
    current = {
        version: name for name, version in structure.versions.items() if isinstance(version, str)
    }

    def change(part: Formula) -> Formula:
        if not isinstance(part, Atom):
            return part
        if part.fluent in current:
            return Atom(current[part.fluent], part.value)
        if part.fluent in structure.versions:
            return Atom(f"{part.fluent}#0", part.value)
        return part

    return rewrite(formula, change)


def in_short(structure: KnowledgeStructure, world: World) -> str:
    """A world in one line: Boolean fluents that are true, and the values of the others."""
    told = []
    for name, value in world.items():
        fluent = structure.vocabulary.fluents.get(name)
        if fluent is not None and fluent.is_boolean:
            told += [name] if value == "true" else []
        else:
            told.append(f"{name} = {value}")
    return ", ".join(told) or "nothing is true"
