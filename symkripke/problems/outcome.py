"""The outcome of a step of a problem."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from symkripke.engines import Answer, Engine, Sheet
from symkripke.errors import SymkripkeError, in_digits
from symkripke.language import Formula
from symkripke.model import KnowledgeStructure, World
from symkripke.problems.problem import Doing, Plan, Problem, Question, Remark, Step
from symkripke.records import dataclass

_INFINITE = "infinitely many worlds"


@dataclass(frozen=True)
class Where:
    """The worlds at which a formula is true.

    Attributes:
        number: the number of worlds; of infinitely many, the number of worlds that are shown.
        says: a formula for the worlds in the problem's names; None if there is no short formula.
        worlds: the first few worlds, in the problem's names of fluents.
        is_infinite: whether there are infinitely many worlds.
    """

    number: int
    says: Formula | None
    worlds: tuple[World, ...]
    is_infinite: bool = False


@dataclass(frozen=True)
class Contraction:
    """The worlds up to bisimilarity: see `symkripke.problems.contraction`.

    Attributes:
        number: the number of worlds.
        of: the number of worlds before the contraction.
        worlds: the first few worlds, in the problem's names of fluents, each with the number of
            worlds that it stands for.
    """

    number: int
    of: int
    worlds: tuple[tuple[World, int], ...]


@dataclass(frozen=True, eq=False)
class Planned:
    """The executed part of a plan.

    Attributes:
        done: the outcomes of the executed actions.
        stops: the first action that cannot be done; None if all actions were done.
        missed: the negative answer to the question whether it can be done.
    """

    done: tuple[Outcome, ...]
    stops: Doing | None = None
    missed: Outcome | None = None


@dataclass(frozen=True, eq=False)
class Outcome:
    """The outcome of a step.

    Attributes:
        step: the step; None for the beginning, the model itself.
        structure: the structure after the step.
        worlds: for the beginning and for events, the exact number of worlds that are left. None if
            they were not counted; `refused` says why.
        said: for events, the announced formula.
        answer: for "valid", "true", "goal" and "expect", the answer.
        actual: for "true", "goal" and "expect", the world of the question.
        asked: for these questions and "valid", the engine that answered.
        where: for "where", the worlds.
        sheet: for "knows", the marks of the atoms.
        number: for "how", the probability; for "expected", the value; for "entropy", the bits; for
            "count", the number of worlds.
        contraction: for "contract", the contraction.
        plan: for a plan, its executed part.
        stopped: for "goal", the last plan if it could not be completed, so that the goal is missed.
        actions: for "plan", the names of the actions; None if there is no plan.
        protocol: for "protocol", the announcement; None if there is none.
        numbers: for "knows", the possible values of each number in binary; empty if there are too
            many.
        refused: the reason if there is no answer or count, such as a limit that was reached.
        is_infinite: for the beginning and for events, whether infinitely many worlds are left.
        method: for "how", "expected" and "entropy", the engine's counting method, for experts.
    """

    step: Step | None
    structure: KnowledgeStructure
    worlds: int | None = None
    said: Formula | None = None
    answer: Answer | None = None
    where: Where | None = None
    sheet: Sheet | None = None
    number: Fraction | float | None = None
    contraction: Contraction | None = None
    plan: Planned | None = None
    stopped: Plan | None = None
    actions: tuple[str, ...] | None = None
    protocol: Formula | None = None
    numbers: Mapping[str, tuple[int | Fraction, ...]] = field(default_factory=dict)
    refused: SymkripkeError | None = None
    actual: World | None = None
    asked: Engine | None = None
    method: str = ""
    is_infinite: bool = False

    @property
    def verdict(self) -> str:
        """The outcome in a few words; empty for a remark."""
        if self.answer is not None:
            if isinstance(self.step, Question) and self.step.kind == "expect":
                return "as expected" if self.answer else "not as expected"
            return "yes" if self.answer else "no"
        if self.stopped is not None:
            return "no"
        if self.plan is not None:
            return "done" if self.plan.stops is None else f"stops at {self.plan.stops.name}"
        if self.where is not None:
            return _INFINITE if self.where.is_infinite else _counted(self.where.number)
        if self.contraction is not None:
            return f"{_counted(self.contraction.number)} of {self.contraction.of}"
        if self.number is not None and isinstance(self.step, Question):
            return _number_in_words(self.step, self.number)
        if self.is_infinite:
            return f"{'' if self.step is None else 'now '}{_INFINITE}"
        if isinstance(self.step, Question) and self.refused is None:
            if self.step.kind == "plan":
                return "no plan" if self.actions is None else _counted(len(self.actions), "action")
            if self.step.kind == "protocol":
                return "none" if self.protocol is None else "found"
        if self.worlds is not None:
            # Not "left": changes and new fluents can make more worlds.
            return f"{'' if self.step is None else 'now '}{_counted(self.worlds)}"
        if isinstance(self.step, Question) and self.refused is not None:
            return "no answer"
        return ""

    @property
    def missed(self) -> bool:
        """True if an expectation of the file is not met."""
        is_expected = isinstance(self.step, Question) and self.step.kind == "expect"
        return is_expected and self.answer is not None and not self.answer

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


def _number_in_words(question: Question, number: Fraction | float) -> str:
    """Return the requested number in words, exactly where possible."""
    if question.kind == "count":
        return _INFINITE if number == math.inf else _counted(int(number))
    if question.kind == "entropy":
        return f"{number:.4g} bits"
    exact = Fraction(number)
    if question.kind == "how":
        from symkripke.explain.text import in_percent

        return in_percent(exact)
    return f"{exact}" if exact.denominator == 1 else f"{exact} ({float(exact):.4g})"


def _counted(number: int, what: str = "world") -> str:
    """Return a number of worlds or actions in words."""
    return f"1 {what}" if number == 1 else f"{in_digits(number)} {what}s"


def hidden(problem: Problem, structure: KnowledgeStructure) -> frozenset[str]:
    """Return the fluents of a structure that the problem's file does not name."""
    return problem.hidden | structure.history.traces.auxiliary


def named(problem: Problem, structure: KnowledgeStructure) -> tuple[str, ...]:
    """Return the fluents that the problem's file names, as used in descriptions of worlds."""
    unseen = hidden(problem, structure)
    names = (*problem.coded, *structure.vocabulary.plain)
    return tuple(name for name in names if name not in unseen)


def present(problem: Problem, structure: KnowledgeStructure, world: World) -> World:
    """Return the current values of the named fluents, at a world with all versions.

    Numbers that are stored in binary have the value of their digits.
    """

    def read(name: str) -> str:
        digits = problem.coded.get(name)
        if digits is None:
            return structure.resolver.value(name, world)
        bits = [structure.resolver.value(digit, world) == "true" for digit in digits]
        return str(sum(1 << place for place, bit in enumerate(bits) if bit))

    return {name: read(name) for name in named(problem, structure)}


def in_short(structure: KnowledgeStructure, world: World) -> str:
    """Return a world in one line: Boolean fluents that are true, and the values of the others."""
    parts = []
    for name, value in world.items():
        fluent = structure.vocabulary.fluents.get(name)
        if fluent is not None and fluent.is_boolean:
            parts += [name] if value == "true" else []
        else:
            parts.append(f"{name} = {value}")
    return ", ".join(parts) or "nothing is true"
