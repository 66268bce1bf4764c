"""`symkripke check`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from symkripke.cli import options
from symkripke.cli.commands import argument, command, option

if TYPE_CHECKING:
    from symkripke.cli.quiz import Quiz
    from symkripke.engines import Engine
    from symkripke.problems import Problem
    from symkripke.problems.outcome import Outcome


@command()
def check(
    file: str = argument(type=click.Path()),
    why: bool = options.WHY,
    engine_name: str = options.ENGINE,
    constants: dict[str, str] = option(
        "--set",
        "NAME=VALUE",
        "Change the value of a name that the file defines with `let`. Can be repeated.",
        multiple=True,
        callback=options.settings,
    ),
    quiz: bool = options.QUIZ,
    limits: options.Limits = options.LIMITS,
    count: bool | None = options.COUNT,
    form: str = option(
        "--format",
        "NAME",
        "symkripke or smcdel; by default, the content decides: SMCDEL files begin with VARS.",
        default="",
        show_default=False,
    ),
    as_json: bool = options.JSON,
) -> None:
    r"""Answer the questions of the problem in FILE, step by step.

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

    With - for FILE, it reads statements from a prompt or a pipe; `undo` removes the last one. The
    exit code is 0 if all answers are as expected, 1 after an error in the file or an unexpected
    answer, and 3 if a limit was reached.
    """
    from symkripke.engines import engine

    if quiz and (as_json or file == "-"):
        raise click.UsageError("--quiz needs a file, and cannot be combined with --json")

    for name, value in constants.items():
        if not value:
            raise click.BadParameter(f"--set {name}: expected NAME=VALUE, but the value is missing")
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
        from symkripke.cli.quiz import Quiz

        asking = Quiz(limits)
    run_problem(loaded.problem, chosen, limits, why=why, count=count, as_json=as_json, quiz=asking)


def run_problem(
    problem: Problem,
    chosen: Engine,
    limits: options.Limits,
    *,
    why: bool,
    count: bool | None,
    as_json: bool,
    story: bool = False,
    quiz: Quiz | None = None,
) -> None:
    """Print the outcome of each step.

    The exit code is 1 if something is not as expected, and 3 if a question has no answer.

    With `story`, events that only prepare an announcement are not printed. With a `quiz`, the
    reader first answers each question, and then sees the reason.
    """
    from symkripke.cli.outcome import code_after, reason_of, show
    from symkripke.problems.checker import check
    from symkripke.problems.outcome_words import data
    from symkripke.problems.problem import Question

    steps: list[dict[str, Any]] = []
    code, said = 0, None
    outcomes = check(problem, chosen, count=count)
    while True:
        with limits.step("checking"):
            outcome = next(outcomes, None)
        if outcome is None:
            break
        code = code_after(code, outcome)
        if as_json:
            with limits.whole(reason_of(outcome)):
                steps.append(data(problem, outcome, why=why))
            continue
        uncounted = None if isinstance(outcome.step, Question) else outcome.refused
        printed = not story or _is_told(outcome)
        if uncounted is not None:
            outcome = replace(outcome, refused=None)
        if printed and quiz is not None:
            quiz.of_problem(outcome)
        if printed:
            show(problem, outcome, limits, why=why or quiz is not None)
        if uncounted is not None and uncounted is not said:
            said = uncounted  # printed once, also if the step is not printed
            click.echo(f"  not counted: {said}")
    if quiz is not None:
        quiz.end()
    if as_json:
        start, *rest = steps
        options.put_json({"file": problem.path, "start": start, "steps": rest})
    if code:
        click.get_current_context().exit(code)


def _is_told(outcome: Outcome) -> bool:
    """Return whether a story prints the outcome; it omits private observations and changes."""
    from symkripke.problems.problem import Happening

    step = outcome.step
    return not isinstance(step, Happening) or bool(
        step.event.constraints and not step.event.fluents and not step.event.changes
    )
