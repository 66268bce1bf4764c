"""The story of a problem: the model at first, and after each thing that happens."""

from __future__ import annotations

import re
from dataclasses import dataclass

from symkripke.drawing import Naming, Place
from symkripke.engines import Engine
from symkripke.language.printer import brief
from symkripke.problems.checker import Run
from symkripke.problems.problem import Happening, Problem, Whether

# A statement that stands for several ends with what its names stand for: "(i = 2)".
_COUNTED = re.compile(r"\(\w+ = [^()]*\)$")


@dataclass(frozen=True)
class Story:
    """What can be drawn of a problem.

    Attributes:
        moments: the scene (the structure, if there is no actual world) at first and after each
            thing that happens, each with a heading.
        naming: which fluents the problem names.
    """

    moments: tuple[tuple[str, Place], ...]
    naming: Naming


def story_of(problem: Problem, asked: Engine | None = None) -> Story:
    """Go through what happens in a problem; raises as `check` does."""
    run = Run(problem, asked, count=False)
    run.beginning()
    moments: list[tuple[str, Place]] = [("at first", _now(run))]
    for step in problem.steps:
        if isinstance(step, Happening | Whether):
            said = run.take(step).said
            text = " ".join(step.text.split())
            if said is not None and _is_said(step) and _COUNTED.search(text):
                text = f"announce {brief(said, 80)}"
            moments.append((text, _now(run)))
    return Story(tuple(moments), Naming(problem.hidden, problem.coded))


def _now(run: Run) -> Place:
    return run.structure if run.scene is None else run.scene


def _is_said(step: Happening | Whether) -> bool:
    """Whether all that happens is that something is said to everybody."""
    if isinstance(step, Whether):
        return True
    event = step.event
    return len(event.constraints) == 1 and not (event.fluents or event.changes or event.observes)
