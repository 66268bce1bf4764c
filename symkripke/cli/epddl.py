"""`symkripke epddl`."""

from __future__ import annotations

import click

from symkripke.cli.commands import argument, command, option
from symkripke.cli.options import JSON, LIMITS, Limits, put_json


@click.group()
def epddl() -> None:
    """Show tasks in EPDDL, the language of epistemic planning."""


@command(group=epddl)
def show(
    files: tuple[str, ...] = argument(nargs=-1, required=True, type=click.Path()),
    action: str | None = option("--action", "NAME", "Show this ground action."),
    limits: Limits = LIMITS,
    as_json: bool = JSON,
) -> None:
    r"""Show in words what FILES contain: a domain, a problem, and libraries of action types.

    \b
    symkripke epddl show coin.epddl coin-1.epddl
    symkripke epddl show coin.epddl coin-1.epddl --action peek_ann
    symkripke epddl show coin.epddl coin-1.epddl --json      the ground task, as plank exports it

    Warnings name requirements that a file needs and does not declare, relations that are given
    twice, agents without a relation, and events that no action uses.
    """
    from symkripke.errors import UnknownName
    from symkripke.problems.epddl.files import load, read_files
    from symkripke.problems.epddl.ground import ground
    from symkripke.problems.epddl.task_json import task_data
    from symkripke.problems.epddl.words import (
        action_words,
        specification_words,
        task_words,
        theory_words,
    )
    from symkripke.problems.planning import Task

    task: Task | None = None
    lines: list[str] = []
    notes: tuple[str, ...] = ()
    with limits.whole("reading"):
        if files[0].endswith(".json"):
            task = load(files)
        else:
            read = read_files(files)
            lines, notes = list(specification_words(read)), read.notes
            if read.init is not None:
                task = ground(read)
                lines += theory_words(read, task)
    for note in notes:
        click.echo(f"note: {note}", err=True)
    if action is not None:
        known = {} if task is None else task.actions
        if action not in known:
            raise UnknownName("action", action, list(known))
        lines = list(action_words(known[action]))
    elif task is not None and not as_json:
        lines += task_words(task)
    if as_json:
        if task is None:
            raise click.UsageError("--json needs a problem as well")
        put_json(task_data(task))
        return
    for line in lines:
        click.echo(line)
