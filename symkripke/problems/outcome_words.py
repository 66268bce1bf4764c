"""What came of the steps of a problem, in words and as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symkripke.engines import Evidence, Mark
from symkripke.errors import BudgetExceeded, Unsupported, in_digits
from symkripke.explain.data import as_data
from symkripke.explain.phrases import Wording
from symkripke.explain.text import Line, Teller
from symkripke.language import Atom, Formula, negation
from symkripke.language.printer import brief
from symkripke.model import Fixed, KnowledgeStructure, World
from symkripke.problems.outcome import Outcome, in_short, plainly
from symkripke.problems.problem import Happening, Problem, Question, Remark, Whether

# Data hold formulas of so many operators and atoms at most.
_WRITTEN = 100_000


def details(problem: Problem, outcome: Outcome, *, why: bool) -> Iterator[Line]:
    """What more there is to say, line by line."""
    if isinstance(outcome.step, Whether) and outcome.said is not None:
        yield Line(0, "note", f"announced: {brief(outcome.said)}")
    if outcome.refused is not None:
        what = "" if isinstance(outcome.step, Question) else "not counted: "
        yield Line(0, "note", f"{what}{outcome.refused}")
    if outcome.where is not None:
        yield from _where(outcome)
    if outcome.sheet is not None:
        yield from _sheet(problem, outcome)
    if why and outcome.answer is not None:
        yield from reasons(problem, outcome)


def _where(outcome: Outcome) -> Iterator[Line]:
    where = outcome.where
    assert where is not None
    if where.number == 0:
        return
    if where.says is not None:
        yield Line(0, "claim", f"where {where.says}" if str(where.says) != "true" else "everywhere")
    for world in where.worlds:
        yield Line(0, "world", in_short(outcome.structure, world))
    if where.number > len(where.worlds):
        yield Line(0, "world", "...")


def _sheet(problem: Problem, outcome: Outcome) -> Iterator[Line]:
    assert outcome.sheet is not None
    for name, says in known(problem, outcome).items():
        yield Line(0, "source", f"{name}: {says}")


def known(problem: Problem, outcome: Outcome) -> dict[str, str]:
    """What the sheet says of each fluent: its value, or which values it can have."""
    sheet = outcome.sheet
    assert sheet is not None
    digit_of = {digit: name for name, digits in problem.coded.items() for digit in digits}
    found: dict[str, dict[str, Mark]] = {}
    for atom, mark in sheet:
        found.setdefault(digit_of.get(atom.fluent, atom.fluent), {})[
            atom.fluent if atom.fluent in digit_of else atom.value
        ] = mark
    told: dict[str, str] = {}
    for name, marks in found.items():
        if name in problem.coded:
            values = ", ".join(map(str, outcome.numbers[name]))
            told[name] = values if len(outcome.numbers[name]) == 1 else f"open: {values or 'many'}"
        elif "true" in marks:
            told[name] = {Mark.YES: "yes", Mark.NO: "no", Mark.OPEN: "open"}[marks["true"]]
        else:
            sure = [value for value, mark in marks.items() if mark is Mark.YES]
            left = [value for value, mark in marks.items() if mark is not Mark.NO]
            told[name] = sure[0] if sure else f"open: {', '.join(left)}"
    return told


# ---- why --------------------------------------------------------------------------------------


def evidence(outcome: Outcome) -> Evidence:
    """Why the answer is what it is; raises `Unsupported` if nobody can say."""
    assert outcome.answer is not None
    try:
        return outcome.answer.why()
    except Unsupported:
        step = outcome.step
        if not isinstance(step, Question) or step.kind != "valid" or not outcome.answer:
            raise
        from symkripke.engines.sat import SatEngine

        return SatEngine().valid(outcome.structure, step.formula).why()


def reasons(problem: Problem, outcome: Outcome) -> Iterator[Line]:
    """Why the answer is what it is, line by line."""
    try:
        yield from list(ProblemTeller(problem, outcome).tell(evidence(outcome)))
    except (Unsupported, BudgetExceeded) as error:
        yield Line(0, "note", f"no reason: {error}")


class ProblemTeller(Teller):
    """Tells evidence about a problem, in the names of its file."""

    def __init__(self, problem: Problem, outcome: Outcome) -> None:
        """For the answer that came of a question."""
        structure = outcome.structure

        step = outcome.step
        asked = outcome.answer.formula if outcome.answer is not None else None

        def text(formula: Formula) -> str:
            if formula is asked and isinstance(step, Question):
                return step.asked or step.text
            return brief(plainly(structure, formula))

        def words(atom: Atom, truth: bool) -> str:
            return text(atom if truth else negation(atom))

        wording = Wording(words, text=text, everybody=frozenset(structure.agents))
        settled = isinstance(step, Question) and step.kind == "true"
        super().__init__(wording, None, settled=settled)
        self._problem = problem
        self._structure = structure

    def world(self, world: World, before: World | None) -> Iterator[str]:
        """The values of all fluents in one line."""
        yield in_short(self._structure, current(self._problem, self._structure, world))


def current(problem: Problem, structure: KnowledgeStructure, world: World) -> World:
    """What the fluents that the problem names are now, at a world with all their versions."""
    found: dict[str, str] = {}
    digit_of = {digit for digits in problem.coded.values() for digit in digits}
    for name in structure.vocabulary.fluents:
        if "#" in name or (name in problem.hidden and name not in digit_of):
            continue
        version = structure.versions.get(name, name)
        found[name] = version.value if isinstance(version, Fixed) else world[version]
    named: dict[str, str] = {}
    for name, digits in problem.coded.items():
        value = sum(1 << n for n, digit in enumerate(digits) if found.pop(digit) == "true")
        if name not in problem.hidden:
            named[name] = str(value)
    return {**named, **found}


# ---- data -------------------------------------------------------------------------------------


def data(problem: Problem, outcome: Outcome, *, why: bool) -> dict[str, Any]:
    """What came of a step as plain data, for JSON."""
    step = outcome.step
    found: dict[str, Any] = {}
    if step is not None:
        found = {"line": step.place.line, "kind": kind(step), "text": step.text}
    if isinstance(step, Remark):
        found["says"] = step.says
    if outcome.said is not None:
        found["announced"] = brief(outcome.said, _WRITTEN)
    if outcome.worlds is not None:
        found["worlds"] = _plain(outcome.worlds)
    if outcome.answer is not None:
        found |= {"holds": bool(outcome.answer), "engine": outcome.answer.engine}
    if outcome.where is not None:
        says = outcome.where.says
        found |= {
            "worlds": _plain(outcome.where.number),
            "where": None if says is None else str(says),
            "first": [dict(world) for world in outcome.where.worlds],
        }
    if outcome.sheet is not None:
        found["knows"] = known(problem, outcome)
    if outcome.refused is not None:
        found["refused"] = str(outcome.refused)
    if why and outcome.answer is not None:
        try:
            found["why"] = as_data(evidence(outcome))
        except (Unsupported, BudgetExceeded) as error:
            found["why"] = {"kind": "none", "reason": str(error)}
    return found


def _plain(number: int) -> int | str:
    """A number for JSON; in words, if it is so long that few programs would read it."""
    return number if in_digits(number)[:1].isdecimal() else in_digits(number)


def kind(step: Happening | Whether | Question | Remark) -> str:
    """What kind of step it is, in one word."""
    match step:
        case Question(kind=asked):
            return asked
        case Remark():
            return "say"
    return "event"
