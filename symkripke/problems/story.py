"""The story of a problem: the model at the beginning, and after each event."""

from __future__ import annotations

import re

from symkripke.drawing import Naming, Place
from symkripke.engines import Engine
from symkripke.language.printer import brief
from symkripke.model import Event
from symkripke.problems.checker import Run
from symkripke.problems.outcome import hidden
from symkripke.problems.problem import Occurring, Plan, Problem
from symkripke.records import dataclass

# The text of a statement from a `for` ends with the values of its indices: "(i = 2)".
_COUNTED = re.compile(r"\(\w+ = [^()]*\)$")


@dataclass(frozen=True)
class Story:
    """The parts of a problem to draw.

    Attributes:
        moments: the scene (or the structure, if there is no actual world) at the beginning and
            after each event, each with a heading that begins with its number.
        naming: the fluents that the problem names.
    """

    moments: tuple[tuple[str, Place], ...]
    naming: Naming


def story_of(problem: Problem, asked: Engine | None = None) -> Story:
    """Run the events of a problem, and return its story. Raise the errors of `check`."""
    run = Run(problem, asked, count=False)
    run.beginning()
    for step in problem.steps:
        if isinstance(step, Occurring | Plan):
            run.take(step)
    return story_so_far(run)


def story_so_far(run: Run) -> Story:
    """Return the story of a run so far."""
    stages = run.structure.moments
    assert len(stages) == 1 + len(run.happened)
    headings = [
        "at first",
        *(
            _heading(step, stage.history.event)
            for step, stage in zip(run.happened, stages[1:], strict=True)
        ),
    ]
    places: list[Place] = list(stages)
    if run.scene is not None:
        places = [run.scene.after(number) for number in range(len(stages))]
    naming = Naming(hidden(run.problem, run.structure), run.problem.coded)
    numbered = (f"{number}. {heading}" for number, heading in enumerate(headings))
    return Story(tuple(zip(numbered, places, strict=True)), naming)


def _heading(step: Occurring, event: Event | None) -> str:
    """Return the text of a step; for an event from a `for`, its announcement."""
    text = " ".join(step.text.split())
    if event is None or not _COUNTED.search(text) or len(event.constraints) != 1:
        return text
    if event.fluents or event.changes or event.observes:
        return text
    return f"announce {brief(event.constraints[0].formula, 80)}"
