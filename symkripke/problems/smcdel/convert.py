"""Conversion from SMCDEL's text format to ours."""

from __future__ import annotations

from collections.abc import Iterator

from symkripke.errors import InputError, Unsupported
from symkripke.language import Formula, Implies, conjunction
from symkripke.language.walk import atoms
from symkripke.model import KnowledgeStructure
from symkripke.problems.problem import Happening, Problem, Question, Step
from symkripke.problems.reader import read
from symkripke.problems.smcdel.reader import read_smcdel


def convert(text: str, path: str = "") -> str:
    """Return a file in SMCDEL's format in our format, with the same model, events and questions.

    A question about a single state becomes a question about validity: "if this is the state, then
    the formula is true". Comments show the original text of each step.

    Raises:
        ProblemError: the text is invalid.
        Unsupported: our format cannot express the file: a name is a word of our format, or a
            formula has an announcement about knowledge to some agents only.
    """
    problem = read_smcdel(text, path).problem
    made = "".join(f"{line}\n" for line in _lines(problem))
    _check(problem, made)
    return made


def _lines(problem: Problem) -> Iterator[str]:
    structure = problem.structure
    first = next(iter(structure.vocabulary.fluents), "p1")
    yield (
        f"-- Converted from SMCDEL's text format; variable {first.removeprefix('p')} there is "
        f"{first} here."
    )
    yield f"agents {', '.join(structure.agents)}"
    yield f"fluent {', '.join(structure.vocabulary.fluents)}"
    for constraint in structure.law:
        yield f"law {constraint.formula}"
    for agent, seen in structure.observables.items():
        if seen:
            yield f"{agent} sees {', '.join(str(observable.atom) for observable in seen)}"
    for step in problem.steps:
        yield ""
        if not (isinstance(step, Happening) and step.event.fluents):
            yield f"-- {step.text}"
        yield _line(step, problem)


def _line(step: Step, problem: Problem) -> str:
    match step:
        case Question("valid" | "where"):
            return f"{step.kind}? {step.formula}"
        case Question("true", world=world) if world is not None:
            return f"valid? {asked_everywhere(step, problem.structure)}"
        case Happening(event) if event.fluents and event.constraints:
            return step.text
        case Happening(event) if not event.fluents and _is_sayable(step, problem):
            return f"announce {event.constraints[0].formula}"
    raise Unsupported(
        f"line {step.place.line}: some agents hear something about knowledge, and others do not; "
        "our text format has this for facts only"
    )


def _is_sayable(step: Happening, problem: Problem) -> bool:
    return not any(a.fluent in problem.hidden for a in atoms(step.event.constraints[0].formula))


def asked_everywhere(question: Question, structure: KnowledgeStructure) -> Formula:
    """Return a question about one state as a formula about all: if this is the state, then ..."""
    world = question.world or {}
    here = conjunction(
        fluent.equals(world[name]) for name, fluent in structure.vocabulary.fluents.items()
    )
    return Implies(here, question.formula) if structure.vocabulary.fluents else question.formula


def _check(problem: Problem, made: str) -> None:
    """Raise `Unsupported` unless the converted text means the same."""
    try:
        again = read(made)
    except InputError as error:
        line = str(error).splitlines()[0]
        raise Unsupported(f"our text format cannot say it ({line}); rename what it names") from None
    if shape(again) != shape(problem):
        raise Unsupported("our text format would read it otherwise; please rename its agents")


def shape(problem: Problem) -> tuple[object, ...]:
    """Return the content of a problem, which is equal for problems that differ in wording only."""
    structure = problem.structure
    renamed = {name: f"heard {n}" for n, name in enumerate(_heard(problem))}

    def step_shape(step: Step) -> object:
        match step:
            case Question("true"):
                return "valid", asked_everywhere(step, structure)
            case Question():
                return step.kind, step.formula
            case Happening(event) if event.fluents:
                law = event.constraints[0].formula.operands[1]
                return renamed[event.fluents[0].name], tuple(event.observes), law
            case Happening(event):
                return tuple(constraint.formula for constraint in event.constraints)
        return type(step)

    return (
        tuple((fluent.name, fluent.values) for fluent in structure.vocabulary.fluents.values()),
        structure.agents,
        {
            agent: {observable.atom for observable in seen}
            for agent, seen in structure.observables.items()
        },
        conjunction(constraint.formula for constraint in structure.law),
        tuple(map(step_shape, problem.steps)),
    )


def _heard(problem: Problem) -> list[str]:
    happened = (step for step in problem.steps if isinstance(step, Happening))
    return [fluent.name for step in happened for fluent in step.event.fluents]
