"""Random stories for all engines, with outcomes compared with the oracle.

Each engine goes through each story alone.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import product

from symkripke.drawing import Naming, draw
from symkripke.drawing.finding import MOST_WORLDS
from symkripke.engines import Budget, engine
from symkripke.errors import BudgetExceeded, ImpossibleEvent, SymkripkeError, Unsupported
from symkripke.model import ActionModel
from symkripke.problems import read
from symkripke.problems.checker import Run
from symkripke.problems.problem import Problem, Question, Step
from tests.support.stories import Recorded, Right, Story, Teller

ENGINES = ("explicit", "bdd", "sat", "auto", "smt")

# Time limits per question; exceeded ones are counted but not compared. z3 exceeds many.
_BUDGET, _BUDGET_OF_SMT = Budget(seconds=10), Budget(seconds=1)

# Every story whose number is divisible by this also goes to z3.
_WITH_SMT = 10

# The engines that answer a kind of question themselves; others delegate it to these.
_ONLY = {"count": ("bdd",), "contract": ("bdd",), "how": ("explicit", "bdd", "auto")}


@dataclass(frozen=True)
class Fault:
    """A step of a story with wrong outcomes.

    Attributes:
        told: the outcome of each engine that is wrong.
        text: the story up to that step, without other questions.
    """

    told: Mapping[str, str]
    text: str


@dataclass
class Result:
    """The result of a story.

    Attributes:
        seed: the seed of the story.
        written: whether it is a file.
        choices: the decisions that made it.
        faults: the first fault for each kind and set of wrong engines.
        found: the numbers of comparisons and omissions.
    """

    seed: int
    written: bool
    choices: Recorded
    faults: dict[tuple[str, str], Fault] = field(default_factory=dict)
    found: Counter[str] = field(default_factory=Counter)


def compare(
    seed: int,
    *,
    written: bool,
    given: Sequence[int] | None = None,
    engines: Sequence[str] = ENGINES,
    without: Collection[str] = (),
) -> Result:
    """Compare engines on the story of a seed or of given decisions; for `without`, see `KINDS`."""
    choices = Recorded(seed, given)
    story = Teller(choices, written=written, without=without).tell()
    result = Result(seed, written, choices)
    found = result.found
    found["files" if written else "stories"] += 1
    found["left out: too many worlds for the oracle"] += story.undecided
    try:
        problem = read(story.text) if written else story.stated
    except SymkripkeError as error:
        result.faults[_raised(error), "reader"] = Fault({"file": str(error)}, story.text)
        return result
    asked = [name for name in engines if name != "explicit" or not story.wide]
    if seed % _WITH_SMT:
        asked = [name for name in asked if name != "smt"]
    outcomes = {name: _outcomes(story, problem, name, found) for name in asked}
    for place, told in enumerate(story.steps):
        wrong = {
            name: outcome
            for name, each in outcomes.items()
            if (outcome := each[place]) is not None and outcome != told.right
        }
        for got in wrong.values():
            kind = _raised(got) if isinstance(got, Exception) else f"{told.kind}: wrong"
            who = "all engines" if len(wrong) == len(asked) > 1 else ", ".join(wrong)
            said = {name: f"{outcome!r}, not {told.right}" for name, outcome in wrong.items()}
            result.faults.setdefault((kind, who), Fault(said, story.told(place)))
    return result


def _raised(error: BaseException) -> str:
    """Return the type of an error, and the place where it was raised."""
    while (cause := error.__cause__ or error.__context__) is not None:
        error = cause
    at = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {at.filename.rpartition('symkripke/')[2]}, {at.name}"


def _outcomes(
    story: Story, problem: Problem, name: str, found: Counter[str]
) -> list[Right | Exception | None]:
    """Return the outcome of each step; None for steps that cannot be compared."""
    budget = _BUDGET_OF_SMT if name == "smt" else _BUDGET
    run = Run(problem, engine(name), budget, count=False)
    steps = iter(problem.steps)
    with suppress(BudgetExceeded):  # an engine that is too slow for a law is not wrong
        run.beginning()
    outcomes: list[Right | Exception | None] = []
    for told in story.steps:
        step = told.step if isinstance(told.step, ActionModel) else next(steps)
        outcomes.append(None)
        if name not in _ONLY.get(told.kind, ENGINES):
            continue
        try:
            outcomes[-1] = _outcome(run, step)
            found[f"outcomes, {name}"] += 1
        except BudgetExceeded:
            found[f"no answer of {name}: out of time"] += 1
        except Unsupported as refusal:
            found[f"no answer of {name}: {str(refusal)[:40]}"] += 1
            if name == "auto":
                outcomes[-1] = refusal
        except Exception as error:
            outcomes[-1] = error
        if outcomes[-1] != told.right and not isinstance(step, Question | ActionModel):
            break  # later steps cannot be compared
    lost = len(story.steps) - len(outcomes)
    found["steps after a fault"] += lost
    return [*outcomes, *[None] * lost]


def _outcome(run: Run, step: Step | ActionModel) -> Right:
    """Return the outcome of a step, in the form of `Told.right`."""
    if isinstance(step, ActionModel):
        assert run.scene is not None
        return len(run.scene.outcomes(step, run._judge))
    if not isinstance(step, Question):
        asked = run.asked
        try:
            outcome = run.take(step)
        except ImpossibleEvent:
            return False
        except Unsupported:
            run.asked = engine()
            return _outcome(run, step)
        finally:
            run.asked = asked
        return True if outcome.plan is None else len(outcome.plan.done)
    outcome = run.take(step)
    if outcome.refused is not None:
        raise outcome.refused
    if outcome.contraction is not None:
        number = outcome.contraction.number
        naming = Naming(run.problem.hidden | run.structure.history.traces.auxiliary)
        if outcome.contraction.of <= MOST_WORLDS:
            drawing = draw(run.structure, layout="table", naming=naming)
            drawn = len(drawing.pictures[0].worlds)
            assert drawn == number, f"{drawn} worlds are drawn, where contract? says {number}"
        return number
    if outcome.number is not None:
        return outcome.number
    return bool(outcome.answer)


def shrunk(
    result: Result, kind: tuple[str, str], tries: int, without: Collection[str] = ()
) -> Fault:
    """Return the simplest fault of the same kind found in `tries` attempts."""
    engines = [name for name in ENGINES if name in result.faults[kind].told]
    again = partial(compare, result.seed, written=result.written, engines=engines, without=without)
    best, taken, marks = result.faults[kind], result.choices.taken, result.choices.marks

    def tried(start: int, end: int, *instead: int) -> bool:
        """Return whether replacing decisions keeps the fault in a simpler story."""
        nonlocal best, taken, marks, tries
        given = [*taken[:start], *instead, *taken[end:]]
        if tries <= 0 or given == taken:
            return False
        tries -= 1
        made = again(given=given)
        new, found = (
            made.choices.taken,
            [fault for key, fault in made.faults.items() if key[0] == kind[0]],
        )
        if not found or (len(new), new) >= (len(taken), taken):
            return False
        best, taken, marks = found[0], new, made.choices.marks
        return True

    improved = True
    while improved:
        improved = False
        for place in reversed(range(len(marks))):
            improved |= tried(marks[place], [*marks, len(taken)][place + 1])
        for size in (32, 8, 2, 1):
            for place in reversed(range(0, len(taken), (size + 1) // 2)):
                improved |= tried(place, place + size) or tried(place, place + size, *[0] * size)
        for place in range(len(taken)):
            # After a simpler decision, those that follow may be unnecessary.
            for of, after in product((0.0, 0.5, 1.0), range(4)):
                now = taken[place] if place < len(taken) else 0
                less = min(int(now * of), now - 1)
                improved |= now > 0 and tried(place, place + 1 + after, less)
    return best
