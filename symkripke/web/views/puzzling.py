"""Puzzles and problem files, step by step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from symkripke.drawing.drawing import Options, draw_story
from symkripke.errors import SymkripkeError, TooManyWorlds
from symkripke.play.words import person
from symkripke.problems.checker import Run
from symkripke.problems.outcome import Outcome
from symkripke.problems.outcome_words import details, reasons, step_in_words
from symkripke.problems.problem import Problem, Question, Remark, Step
from symkripke.problems.puzzles import puzzle, puzzles
from symkripke.problems.story import story_so_far
from symkripke.web.views.kept import Kept

_KEPT = 12
_DRAWN = 70
"""The greatest number of worlds that is drawn."""


@dataclass(frozen=True)
class Listed:
    """A puzzle in the list."""

    name: str
    title: str
    says: str


@dataclass(frozen=True)
class Stated:
    """A puzzle or a file, before it is gone through.

    Attributes:
        sizes: the least and the greatest n; None: it has one size.
        text: the file.
    """

    name: str
    title: str
    says: str
    sizes: tuple[int, int] | None
    counts: str
    size: int | None
    text: str


@dataclass(frozen=True)
class Taken:
    """A step and its outcome.

    Attributes:
        kind: "start", "said", "asked" or "remark".
        words: as a sentence; empty if it has none.
        text: as it is written.
        verdict: in a few words.
        lines: more, each with how far it is indented and its kind.
    """

    number: int
    kind: str
    words: str
    text: str
    verdict: str
    lines: Sequence[tuple[int, str, str]]


@dataclass(frozen=True)
class Going:
    """What the page of a puzzle shows.

    Attributes:
        taken: the steps so far; the last one is looked at.
        step: its number; 0: the beginning.
        last: how many steps there are.
        coming: the next step as it is written; empty: there is none.
        coming_words: the next step as a sentence; empty if it has none.
        may_guess: whether the next step is a question with yes or no.
        drawing: the worlds, before and after what has happened last.
        undrawn: why there is no picture.
        problem: why there is no next step.
    """

    taken: Sequence[Taken]
    step: int
    last: int
    coming: str
    coming_words: str
    may_guess: bool
    drawing: str
    undrawn: str
    problem: str = ""


@dataclass
class _Course:
    """A problem, with the steps that have been taken."""

    problem: Problem
    run: Run
    outcomes: list[Outcome]
    drawn: dict[int, tuple[str, str]] = field(default_factory=dict)
    fault: SymkripkeError | None = None


def listed() -> list[Listed]:
    """All puzzles."""
    return [Listed(found.name, found.title, found.says) for found in puzzles().values()]


def stated(name: str) -> Stated:
    """A puzzle; raises `UnknownName`."""
    found = puzzle(name)
    return Stated(
        found.name,
        found.title,
        found.says,
        found.sizes,
        found.counts,
        found.size,
        found.text,
    )


_COURSES: Kept[_Course] = Kept.tables(_KEPT)


def _course(name: str, text: str, size: int | None) -> _Course:
    """The course of a puzzle, or of a file with this text."""
    return _COURSES.made((name, text, size), lambda: _begun(name, text, size))


def _begun(name: str, text: str, size: int | None) -> _Course:
    problem = _named(_read(text) if text else puzzle(name).problem(size))
    run = Run(problem)
    return _Course(problem, run, [run.beginning()])


def _named(problem: Problem) -> Problem:
    """A problem in which agents are called by names as people write them."""
    names = {agent: person(agent) for agent in problem.structure.agents}
    titles = {**names, **problem.titles}
    # An agent that has words of its own is called by them, and other words by the agent's name.
    names = {agent: name for agent, name in names.items() if titles[agent] == name != agent}
    if not names:
        return replace(problem, titles=titles)
    name = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")

    def spoken(text: str) -> str:
        return name.sub(lambda found: names[found[0]], text)

    return replace(
        problem,
        titles=titles,
        things={fluent: spoken(thing) for fluent, thing in problem.things.items()},
        words={said: (spoken(yes), spoken(no)) for said, (yes, no) in problem.words.items()},
    )


def _read(text: str) -> Problem:
    from symkripke.problems.reader import read
    from symkripke.problems.smcdel.reader import looks_like_smcdel, read_smcdel

    if looks_like_smcdel(text):
        return read_smcdel(text, "the problem").problem
    return read(text, "the problem")


def checked(text: str) -> None:
    """Raises `ProblemError` if a text is no problem."""
    _read(text)


def going(name: str, text: str, size: int | None, step: int, why: bool) -> Going:
    """A puzzle after so many steps.

    Args:
        name: the puzzle.
        text: the text of a file instead of a puzzle; empty: the puzzle.
        size: how large it is; None: as usual.
        step: so many steps are taken.
        why: whether the reason of the last answer is told.
    """
    course = _course(name, text, size)
    steps = course.problem.steps
    step = min(step, len(steps))
    while course.fault is None and len(course.outcomes) <= step:
        try:
            course.outcomes.append(course.run.take(steps[len(course.outcomes) - 1]))
        except SymkripkeError as error:
            course.fault = error
    taken = min(step, len(course.outcomes) - 1)
    coming = steps[taken] if taken < len(steps) and course.fault is None else None
    drawing, undrawn = _drawing(course, taken)
    told = [
        _taken(course, number, course.outcomes[number], why=why and number == taken)
        for number in range(taken + 1)
    ]
    return Going(
        told,
        taken,
        len(steps),
        "" if coming is None else _written(coming),
        "" if coming is None else _words(course, taken, coming),
        isinstance(coming, Question) and coming.kind in ("true", "valid", "goal", "expect"),
        drawing,
        undrawn,
        "" if course.fault is None else str(course.fault),
    )


def _written(step: Step) -> str:
    return step.says if isinstance(step, Remark) else " ".join(step.text.split())


def _words(course: _Course, before: int, step: Step) -> str:
    """A step as a sentence, after so many steps."""
    words = step_in_words(course.problem, course.outcomes[before].structure, step)
    if words or not (label := _LABEL.search(step.text)):
        return words
    return f"{label[1][:1].upper()}{label[1][1:]}."


_LABEL = re.compile(r'"([^"]+)"')
"""The words that a file can give for a statement: `announce "nobody calls oneself": ...`."""


def _taken(course: _Course, number: int, outcome: Outcome, *, why: bool) -> Taken:
    step = outcome.step
    kind = {Remark: "remark", Question: "asked"}.get(type(step), "said")
    lines = list(details(course.problem, outcome, why=False))
    if why and outcome.answer is not None and not outcome.missed:
        lines += reasons(course.problem, outcome)
    told = [(line.indent, line.kind, line.text) for line in lines]
    if outcome.missed:
        told.append((0, "note", "The text expects yes."))
    verdict = outcome.verdict
    if outcome.answer is not None:  # also where the text expects an answer
        verdict = "yes" if outcome.answer else "no"
    return Taken(
        number,
        "start" if step is None else kind,
        "At the beginning" if step is None else _words(course, number - 1, step),
        "at the beginning" if step is None else _written(step),
        verdict,
        told,
    )


def _drawing(course: _Course, taken: int) -> tuple[str, str]:
    """The worlds before and after what happened last, as SVG; or why there is no picture."""
    happened = len(course.outcomes[taken].structure.moments) - 1
    if happened not in course.drawn:
        course.drawn[happened] = _drawn(course, happened)
    return course.drawn[happened]


def _drawn(course: _Course, events: int) -> tuple[str, str]:
    try:
        story = story_so_far(course.run)
        places = [place for _, place in story.moments[max(0, events - 1) : events + 1]]
        headings = ("Before", "After") if len(places) == 2 else ("At first",)
        moments: Sequence[tuple[str, Any]] = list(zip(headings, places, strict=True))
        names = {agent: person(agent) for agent in course.problem.structure.agents}
        naming = replace(story.naming, words=names)  # labels list many: their names must be short
        options = Options(naming=naming, most=_DRAWN)
        return draw_story(moments, options, "Worlds").themed_svg, ""
    except TooManyWorlds as error:
        return "", str(error).partition(": ")[0]  # the rest tells what commands can draw
    except SymkripkeError as error:
        return "", str(error)
