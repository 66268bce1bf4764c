"""What came of a step of a problem, on the terminal."""

from __future__ import annotations

from rich.text import Text

from symkripke.cli.console import console, say
from symkripke.cli.display import explained
from symkripke.cli.options import Limits, is_verbose
from symkripke.problems.outcome import Outcome
from symkripke.problems.outcome_words import details
from symkripke.problems.problem import Problem, Question, Remark


def reason_of(outcome: Outcome) -> str:
    """What is done to tell more of it: for whoever waits."""
    step = outcome.step
    return "the reason" if step is None else f"the reason for line {step.place.line}"


def show(problem: Problem, outcome: Outcome, limits: Limits, *, why: bool) -> None:
    """Print what came of a step.

    Args:
        problem: the problem.
        outcome: what came of the step.
        limits: what its reason may take.
        why: whether there shall be one.
    """
    out = console()
    step = outcome.step
    if isinstance(step, Remark):
        out.print(Text(step.says, style="italic"))
        return
    word = outcome.verdict
    styles = {"yes": "bold green", "no": "bold red", "no answer": "bold yellow"}
    if step is None:
        if word:
            out.print(Text(f"{word} at the beginning", style="dim"))
    elif isinstance(step, Question):
        shown = Text(word, style=styles.get(word, "bold"))
        shown.append(f"{'  ' if word else ''}{step.text}", style="")
        if outcome.answer is not None and is_verbose():
            shown.append(f"  (engine: {outcome.answer.engine})", style="dim")
        out.print(shown)
    else:
        shown = Text(step.text)
        shown.append(f"  {word}" if word else "", style="bold")
        out.print(shown)
    with limits.whole(reason_of(outcome)):
        lines = list(details(problem, outcome, why=why, verbose=is_verbose()))
    for line in explained(lines):
        say(out, line)
