"""The outcome of a step of a problem on the terminal."""

from __future__ import annotations

from symkripke.cli.options import Limits, is_verbose
from symkripke.cli.styled_lines import write_explanation, write_line
from symkripke.problems.outcome import Outcome
from symkripke.problems.outcome_words import details
from symkripke.problems.problem import Problem, Question, Remark

_STYLES = {
    "yes": "bold green",
    "as expected": "bold green",
    "done": "bold green",
    "no": "bold red",
    "not as expected": "bold red",
    "no answer": "bold yellow",
}


def reason_of(outcome: Outcome) -> str:
    """The work of finding a reason, as a phrase for the progress line."""
    step = outcome.step
    return "the reason" if step is None else f"the reason for line {step.place.line}"


def show(problem: Problem, outcome: Outcome, limits: Limits, *, why: bool) -> None:
    """Print the outcome of a step.

    Args:
        problem: the problem.
        outcome: the outcome.
        limits: the limits of its reason.
        why: whether to print a reason.
    """
    step = outcome.step
    if isinstance(step, Remark):
        write_line((step.says, "italic"))
        return
    word = outcome.verdict
    if step is None:
        if word:
            write_line((f"{word} at the beginning", "dim"))
    elif isinstance(step, Question):
        text = f"{'  ' if word else ''}{step.text}"
        by = ""
        if outcome.answer is not None and is_verbose():
            by = f"  (engine: {outcome.answer.engine})"
        write_line((word, _STYLES.get(word, "bold")), (text, ""), (by, "dim"))
    else:
        write_line((step.text, ""), (f"  {word}" if word else "", "bold"))
    with limits.whole(reason_of(outcome)):
        lines = list(details(problem, outcome, why=why, verbose=is_verbose()))
    write_explanation(lines)
