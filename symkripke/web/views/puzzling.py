"""Puzzles and problem files, step by step."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from symkripke.drawing.cards import symbols
from symkripke.drawing.drawing import Options, draw_story
from symkripke.drawing.scenes import faces_of, stage, thumbnail
from symkripke.errors import SymkripkeError, TooManyWorlds
from symkripke.explain.text import without_claim
from symkripke.play.words import person
from symkripke.problems.checker import Now, Run
from symkripke.problems.outcome import Outcome
from symkripke.problems.outcome_words import details, reasons
from symkripke.problems.problem import Doing, Plan, Problem, Question, Remark, Step
from symkripke.problems.puzzles import puzzle, puzzles
from symkripke.problems.scenery import scenery_of
from symkripke.problems.staging import Staging
from symkripke.problems.step_words import step_in_words
from symkripke.problems.story import story_so_far
from symkripke.web.views.caches import TableCache

_KEPT = 12
_DRAWN = 70
"""The maximum number of worlds in a drawing."""


@dataclass(frozen=True)
class Listed:
    """A puzzle in the list.

    Attributes:
        picture: its first scene, as SVG.
    """

    name: str
    title: str
    says: str
    picture: str


@dataclass(frozen=True)
class Listing:
    """The list of puzzles.

    Attributes:
        symbols: the art of their pictures, as hidden SVG.
    """

    puzzles: Sequence[Listed]
    symbols: str


@dataclass(frozen=True)
class Stated:
    """A puzzle or a file that has not been run yet.

    Attributes:
        sizes: the minimum and maximum of n; None if there is only one size.
        text: the text of the file.
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
        words: the step as a sentence; empty if there is none.
        text: the step as written in the file.
        verdict: the outcome in a few words.
        lines: further lines, each with its indentation, its kind and its text.
    """

    number: int
    kind: str
    words: str
    text: str
    verdict: str
    lines: Sequence[tuple[int, str, str]]


@dataclass(frozen=True)
class Going:
    """The data of the page of a puzzle.

    Attributes:
        taken: the steps so far; the last one is the current step.
        step: the number of the current step; 0 for the beginning.
        last: the number of steps.
        coming: the next step as written in the file; empty if there is none.
        coming_words: the next step as a sentence; empty if it has none.
        may_guess: whether the next step is a question with yes or no.
        drawing: the worlds before and after the last event, as SVG.
        undrawn: the reason if there is no drawing; otherwise empty.
        scene: the people and things after the last step, as SVG.
        symbols: the art of the scene, as hidden SVG.
        topic: what the thought bubbles are about; empty if there are none.
        problem: the reason if the next step fails; otherwise empty.
    """

    taken: Sequence[Taken]
    step: int
    last: int
    coming: str
    coming_words: str
    may_guess: bool
    drawing: str
    undrawn: str
    scene: str
    symbols: str
    topic: str
    problem: str = ""


@dataclass
class _Course:
    """A problem, with the steps taken so far.

    Attributes:
        points: the point of the run after each outcome.
    """

    problem: Problem
    names: _Names
    run: Run
    staging: Staging
    outcomes: list[Outcome]
    points: list[Now]
    scenes: dict[int, tuple[str, str]] = field(default_factory=dict)
    drawn: dict[int, tuple[str, str]] = field(default_factory=dict)
    fault: SymkripkeError | None = None


@cache
def listed() -> Listing:
    """Return all puzzles, with the first scene of each."""
    found, stages = [], []
    for each in puzzles().values():
        problem = each.problem()
        problem = _Names.of(problem).put_into(problem)
        stages.append(opening := Staging(problem, scenery_of(each)).opening())
        found.append(Listed(each.name, each.title, each.says, thumbnail(opening)))
    return Listing(found, symbols(faces_of(stages)))


def stated(name: str) -> Stated:
    """Return a puzzle. Raise `UnknownName` if there is no such puzzle."""
    installed = puzzle(name)
    return Stated(
        installed.name,
        installed.title,
        installed.says,
        installed.sizes,
        installed.counts,
        installed.size,
        installed.text,
    )


_COURSES: TableCache[_Course] = TableCache.tables(_KEPT)


def _course(name: str, text: str, size: int | None) -> _Course:
    """Return the course of a puzzle, or of a file with this text."""
    return _COURSES.get_or_create((name, text, size), lambda: _begun(name, text, size))


def _begun(name: str, text: str, size: int | None) -> _Course:
    problem = _read(text) if text else puzzle(name).problem(size)
    names = _Names.of(problem)
    problem = names.put_into(problem)
    run = Run(problem)
    beginning = run.beginning()
    staging = Staging(problem, None if text else scenery_of(puzzle(name)))
    staging.begin(run)
    return _Course(problem, names, run, staging, [beginning], [run.now])


@dataclass(frozen=True)
class _Names:
    """The names of agents as people write them.

    Attributes:
        titles: for each agent, the words that the file has for it, or else its name.
        written: the names of the agents for whom the file has no words.
        labels: for each label of an action in the text about a problem, the label with these names.
    """

    titles: Mapping[str, str]
    written: Mapping[str, str]
    labels: Mapping[str, str]

    @classmethod
    def of(cls, problem: Problem) -> _Names:
        """Return the names for a problem."""
        names = {agent: person(agent) for agent in problem.structure.agents}
        titles = {**names, **problem.titles}
        # The file's words for an agent take precedence over its name. The agent "a" keeps its name,
        # because sentences contain the article "a".
        written = {
            agent: name
            for agent, name in names.items()
            if titles[agent] == name != agent and agent != "a"
        }
        made = cls(titles, written, {})
        labels = {}
        for step in problem.steps:
            for done in step.actions if isinstance(step, Plan) else (step,):
                if isinstance(done, Doing) and (label := done.action.source).kind == "label":
                    labels[label.text] = made.spoken(label.text)
                    labels[f". {done.name} "] = f". {labels[label.text]} "
        return replace(made, labels=labels)

    def spoken(self, text: str) -> str:
        """Return a sentence with the names of agents as people write them."""
        if not self.written:
            return text
        name = rf"\b(?:{'|'.join(map(re.escape, self.written))})\b"
        return re.sub(name, lambda match: self.written[match[0]], text)

    def worded(self, line: str) -> str:
        """Return a line with the agents' names as people write them, also in labels of actions."""
        for label, spoken in self.labels.items():
            line = line.replace(label, spoken)
        return _NOTICES.sub(lambda match: self.titles.get(match[1], match[1]) + match[2], line)

    def put_into(self, problem: Problem) -> Problem:
        """Return the problem with these names in its words."""
        return replace(
            problem,
            titles=self.titles,
            things={fluent: self.spoken(thing) for fluent, thing in problem.things.items()},
            words={
                said: (self.spoken(yes), self.spoken(no))
                for said, (yes, no) in problem.words.items()
            },
        )


_NOTICES = re.compile(r"(\w+)( does not notice: )")


def _read(text: str) -> Problem:
    from symkripke.problems.files import looks_like_smcdel
    from symkripke.problems.reader import read
    from symkripke.problems.smcdel.reader import read_smcdel

    if looks_like_smcdel(text):
        return read_smcdel(text, "the problem").problem
    return read(text, "the problem")


def checked(text: str) -> None:
    """Raise `ProblemError` if a text is not a problem."""
    _read(text)


def going(name: str, text: str, size: int | None, step: int, why: bool) -> Going:
    """Return a puzzle after the first `step` steps.

    Args:
        name: the puzzle.
        text: the text of a problem file; empty for the puzzle.
        size: the size n; None for the usual size.
        step: the number of steps taken.
        why: whether to show the reason for the last answer.
    """
    course = _course(name, text, size)
    steps = course.problem.steps
    step = min(step, len(steps))
    while course.fault is None and len(course.outcomes) <= step:
        try:
            course.outcomes.append(course.run.take(steps[len(course.outcomes) - 1]))
        except SymkripkeError as error:
            course.fault = error
        else:
            course.points.append(course.run.now)
    taken = min(step, len(course.outcomes) - 1)
    coming = steps[taken] if taken < len(steps) and course.fault is None else None
    drawing, undrawn = _drawing(course, taken)
    scene, art = _scene(course, taken)
    rows = [
        _taken(course, number, course.outcomes[number], why=why and number == taken)
        for number in range(taken + 1)
    ]
    return Going(
        rows,
        taken,
        len(steps),
        "" if coming is None else _written(coming),
        "" if coming is None else _words(course, taken, coming),
        isinstance(coming, Question) and coming.kind in ("true", "valid", "goal", "expect"),
        drawing,
        undrawn,
        scene,
        art,
        course.staging.topic,
        "" if course.fault is None else str(course.fault),
    )


def _written(step: Step) -> str:
    return step.says if isinstance(step, Remark) else " ".join(step.text.split())


def _words(course: _Course, before: int, step: Step) -> str:
    """Return a step as a sentence, after the first `before` steps."""
    return course.names.spoken(
        step_in_words(course.problem, course.outcomes[before].structure, step)
    )


def _taken(course: _Course, number: int, outcome: Outcome, *, why: bool) -> Taken:
    step = outcome.step
    words = "" if step is None else _words(course, number - 1, step)
    kind = {Remark: "remark", Question: "asked"}.get(type(step), "said")
    lines = list(details(course.problem, outcome, why=False))
    if why and outcome.answer is not None and not outcome.missed:
        lines += without_claim(list(reasons(course.problem, outcome)), _stated(words))
    rows = [(line.indent, line.kind, course.names.worded(line.text)) for line in lines]
    if outcome.missed:
        rows.append((0, "note", "The text expects yes."))
    return Taken(
        number,
        "start" if step is None else kind,
        "At the beginning" if step is None else words,
        "at the beginning" if step is None else _written(step),
        _verdict(outcome),
        rows,
    )


def _scene(course: _Course, taken: int) -> tuple[str, str]:
    """Return the SVG of the scene after a number of steps, and of its art."""
    if taken not in course.scenes:
        outcome, run = course.outcomes[taken], course.run
        words = "" if outcome.step is None else _words(course, taken - 1, outcome.step)
        said = course.staging.said(course.problem.steps[:taken], words, _verdict(outcome))
        last = run.now
        run.back(course.points[taken])
        try:
            scene = course.staging.scene(run, said)
        finally:
            run.back(last)
        course.scenes[taken] = stage(scene), symbols(faces_of([scene]))
    return course.scenes[taken]


def _verdict(outcome: Outcome) -> str:
    """Return the outcome in a few words: yes or no also if the text expects an answer."""
    if outcome.answer is not None:
        return "yes" if outcome.answer else "no"
    return outcome.verdict


def _stated(words: str) -> str:
    """Return a question as a statement; empty for other kinds of sentences."""
    return _ASKS.sub("", words) if _ASKS.match(words) else ""


_ASKS = re.compile(r"Is it (true|certain for everybody) that ")


def _drawing(course: _Course, taken: int) -> tuple[str, str]:
    """Return the SVG of the worlds around the last step, or else the reason for its absence."""
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
        naming = replace(story.naming, words=names)  # short names, because labels list many
        options = Options(naming=naming, most=_DRAWN)
        return draw_story(moments, options, "Worlds").themed_svg, ""
    except TooManyWorlds as error:
        return "", str(error).partition(": ")[0]  # the rest is advice for commands
    except SymkripkeError as error:
        return "", str(error)
