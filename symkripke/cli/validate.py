"""`symkripke validate`."""

from __future__ import annotations

import click

from symkripke.cli.commands import argument, command, gathered, path
from symkripke.cli.options import JSON, LIMITS, Limits, Output, force, put_json

DRAW = gathered(
    Output,
    path=path("--draw", "PATH", "Draw the model after each step, as SVG, to this file."),
    force=force("PATH"),
)


@command()
def validate(
    files: tuple[str, ...] = argument("FILE... PLAN", nargs=-1, required=True, type=click.Path()),
    draw: Output = DRAW,
    limits: Limits = LIMITS,
    as_json: bool = JSON,
) -> None:
    r"""Run a PLAN in the EPDDL task of FILES: a domain, a problem, and libraries of action types.

    \b
    symkripke validate coin.epddl coin-1.epddl plan.json

    PLAN is a JSON list of ground actions, or a plan with branches from `symkripke plan
    --contingent`. After each action, it says what becomes known to whom, and which agents consider
    no world possible any more. The exit code is 1 if an action is not applicable or the goal is not
    reached.
    """
    from symkripke.problems.epddl.files import faults_in, json_of, load
    from symkripke.problems.planning.validation import validate as validated

    *paths, plan = files
    if not paths:
        raise click.UsageError("expected the files of a task, and a plan")
    with limits.whole("reading"):
        task = load(paths)
        steps = json_of(plan)
    draw.check()
    with limits.whole("validating"), faults_in(plan):
        result = validated(task, steps)
    if draw.path is not None:
        from symkripke.drawing.listed import draw_listed

        with limits.whole("drawing"):
            moments = [(step.action or "at the beginning", step.model) for step in result.steps]
            draw.put(draw_listed(moments, task.name).svg)
    if as_json:
        put_json(result.data)
    else:
        for line in result.words():
            click.echo(line)
    if not result.is_reached:
        click.get_current_context().exit(1)
