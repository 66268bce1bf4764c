"""`symkripke check`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from symkripke.cli import UNANSWERED
from symkripke.cli.options import (
    Limits,
    count_option,
    engine_option,
    json_option,
    limit_options,
    quiz_option,
    settings,
    verbose_option,
    why_option,
)

if TYPE_CHECKING:
    from symkripke.cli.quiz import Quiz
    from symkripke.engines import Engine
    from symkripke.problems import Problem
    from symkripke.problems.outcome import Outcome

# In a block behind \b click keeps the lines as they are.
_HELP = """Go through the problem in FILE: its model, what happens, and what is asked.

With - for FILE the statements come from the prompt (or from a pipe), one by one, and can be taken
back. Exit codes: 0 all answered, 1 an error in the file, 3 a limit was reached.

\b
let children = {anna, bert, carl}
agents children
fluent muddy(c) for c in children
law "the father said so": atleast(1; muddy(c) for c in children)
for c in children: c sees muddy(d) for d in children if d != c
actual muddy(anna), muddy(bert)
announce forall c in children: ~Kw[c] muddy(c)
true? K[anna] muddy(anna)
where? K[anna] muddy(anna)
"""


@click.command(help=_HELP)
@click.argument("file", type=click.Path())
@why_option
@verbose_option
@engine_option
@click.option(
    "--set",
    "constants",
    multiple=True,
    callback=settings,
    metavar="NAME=VALUE",
    help="Another value for a name that the file gives with `let`. Can be repeated.",
)
@quiz_option
@limit_options
@count_option
@click.option(
    "--format",
    "form",
    default="",
    metavar="NAME",
    help="symkripke or smcdel, if the file's content does not tell: SMCDEL's begins with VARS.",
)
@json_option
def check(
    file: str,
    why: bool,
    engine_name: str,
    constants: dict[str, str],
    quiz: bool,
    limits: Limits,
    count: bool | None,
    form: str,
    as_json: bool,
) -> None:
    """Go through a problem: its model, what happens, and what is asked."""
    from symkripke.engines import engine

    if quiz and (as_json or file == "-"):
        raise click.UsageError("--quiz: expected a file to be read, and no --json")

    for name, value in constants.items():
        if not value:
            raise click.BadParameter(f"--set {name}: expected NAME=VALUE, got no value")
    chosen = engine(engine_name)
    if file == "-":
        from symkripke.cli.problem_repl import Session

        typed = Session(chosen, limits, constants, why=why, count=count, as_json=as_json)
        click.get_current_context().exit(typed.hold())
    from symkripke.problems.files import load

    with limits.whole(f"reading {file}"):
        loaded = load(file, constants, form)
    for warning in loaded.warnings:
        click.echo(f"note: {warning}", err=True)
    asking = None
    if quiz:
        from symkripke.cli.line_reader import LineReader
        from symkripke.cli.quiz import Quiz

        asking = Quiz(LineReader(Quiz.history), limits)
    run_problem(loaded.problem, chosen, limits, why=why, count=count, as_json=as_json, quiz=asking)


def run_problem(
    problem: Problem,
    chosen: Engine,
    limits: Limits,
    *,
    why: bool,
    count: bool | None,
    as_json: bool,
    story: bool = False,
    quiz: Quiz | None = None,
) -> None:
    """Print what comes of each step; ends with the exit code 3 if a question was left open.

    With `story`, what only prepares an announcement is not told. With a `quiz` the reader answers
    first, and sees the reason then.
    """
    from symkripke.cli.outcome import reason_of, show
    from symkripke.problems.checker import check
    from symkripke.problems.outcome_words import data
    from symkripke.problems.problem import Question

    steps: list[dict[str, Any]] = []
    left_open, said = False, None
    outcomes = check(problem, chosen, count=count)
    while True:
        with limits.step("checking"):
            outcome = next(outcomes, None)
        if outcome is None:
            break
        left_open |= isinstance(outcome.step, Question) and outcome.refused is not None
        if as_json:
            with limits.whole(reason_of(outcome)):
                steps.append(data(problem, outcome, why=why))
            continue
        uncounted = None if isinstance(outcome.step, Question) else outcome.refused
        told = not story or _is_told(outcome)
        if uncounted is not None:
            outcome = replace(outcome, refused=None)
        if told and quiz is not None:
            quiz.of_problem(outcome)
        if told:
            show(problem, outcome, limits, why=why or quiz is not None)
        if uncounted is not None and uncounted is not said:
            said = uncounted  # once, also where the step is not told
            click.echo(f"  not counted: {said}")
    if quiz is not None:
        quiz.end()
    if as_json:
        start, *rest = steps
        import json

        click.echo(json.dumps({"file": problem.path, "start": start, "steps": rest}))
    if left_open:
        click.get_current_context().exit(UNANSWERED)


def _is_told(outcome: Outcome) -> bool:
    """Whether a story tells it: all but what is shown to somebody, and changes."""
    from symkripke.problems.problem import Happening

    step = outcome.step
    return not isinstance(step, Happening) or bool(
        step.event.constraints and not step.event.fluents and not step.event.changes
    )
