"""The outcome of a step of a problem on the terminal."""

from __future__ import annotations

from dataclasses import replace

from symkripke.cli import UNANSWERED
from symkripke.cli.options import Limits, is_verbose
from symkripke.cli.styled_lines import write_explanation, write_line
from symkripke.explain.text import Line
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


# Quotations from a file are shown in full up to this number of characters. A longer one loses its
# middle and keeps `_SHOWN` characters at each end.
_LONGEST = 400
_SHOWN = 160


def shortened(text: str) -> str:
    """Return a text of the file for a message, without its middle if it is long.

    A formula can have thousands of characters. The output of `--json` contains the whole text.
    """
    if len(text) <= _LONGEST:
        return text
    left_out = len(text) - 2 * _SHOWN
    return f"{text[:_SHOWN]} ... ({left_out:,} characters left out) ... {text[-_SHOWN:]}"


def code_after(code: int, outcome: Outcome) -> int:
    """Return the exit code after a step: 1 after a wrong answer, 3 after a missing answer."""
    if outcome.missed:
        return 1
    is_open = isinstance(outcome.step, Question) and outcome.refused is not None
    return code or (UNANSWERED if is_open else 0)


def reason_of(outcome: Outcome) -> str:
    """Return a phrase about the search for a reason, for the progress line."""
    step = outcome.step
    return "the reason" if step is None else f"the reason for line {step.place.line}"


def show(problem: Problem, outcome: Outcome, limits: Limits, *, why: bool) -> None:
    """Print the outcome of a step.

    Args:
        problem: the problem.
        outcome: the outcome.
        limits: the limits for finding a reason.
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
        text = f"{'  ' if word else ''}{shortened(step.text)}"
        by = ""
        if outcome.answer is not None and is_verbose():
            by = f"  (engine: {outcome.answer.engine})"
        elif outcome.method and is_verbose():
            by = f"  (counted by {outcome.method})"
        write_line((word, _STYLES.get(word, "bold")), (text, ""), (by, "dim"))
    else:
        write_line((shortened(step.text), ""), (f"  {word}" if word else "", "bold"))
    with limits.whole(reason_of(outcome)):
        lines = list(details(problem, outcome, why=why, verbose=is_verbose()))
    if outcome.answer is not None or outcome.said is not None:
        lines = [line if line.kind == "world" else _shortened(line) for line in lines]
    write_explanation(lines)


def _shortened(line: Line) -> Line:
    """Return a line of a reason, with long quotations from the file shortened."""
    return replace(line, text=shortened(line.text))
