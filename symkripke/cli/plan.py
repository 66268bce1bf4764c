"""`symkripke plan`."""

from __future__ import annotations

import json
import time

import click

from symkripke.cli.commands import argument, command, flag, option
from symkripke.cli.options import JSON, LIMITS, Limits, put_json


@command()
def plan(
    files: tuple[str, ...] = argument(nargs=-1, required=True, type=click.Path()),
    strategy: str = option("--strategy", "NAME", "bfs, astar, greedy.", default="bfs"),
    contingent: bool = flag("--contingent", "Find a plan with a branch for each sensed result."),
    why: bool = flag("--why", "Explain what each action tells to whom."),
    limits: Limits = LIMITS,
    as_json: bool = JSON,
) -> None:
    r"""Find a plan for the EPDDL task of FILES: a domain, a problem, and libraries of action types.

    \b
    symkripke plan coin.epddl coin-1.epddl
    symkripke plan coin.epddl coin-1.epddl --why
    symkripke plan coin.epddl coin-1.epddl --strategy greedy --seconds 60

    Breadth-first search finds shortest plans. The others count the false parts of the goal, and can
    be faster. The plan is printed as JSON, for `symkripke validate`. The exit code is 1 if there is
    no plan, and 3 if a limit was reached.
    """
    from symkripke.problems.epddl.files import load
    from symkripke.problems.planning.contingent import contingent_plan
    from symkripke.problems.planning.search import search
    from symkripke.problems.planning.validation import validate as validated

    with limits.whole("reading"):
        task = load(files)
    began = time.perf_counter()

    def words(expanded: int, depth: int) -> str:
        rate = expanded / (time.perf_counter() - began)
        return f"planning: {expanded:,} states, depth {depth}, {rate:,.0f} states/s"

    with limits.whole("planning", words) as tell:
        found = contingent_plan(task, tell) if contingent else search(task, strategy, tell)
    if as_json:
        put_json(found)
    else:
        click.echo(found.words, err=True)
        if found.plan is not None:
            click.echo(json.dumps(found.plan, ensure_ascii=False))
    if why and found.plan is not None and not as_json:
        with limits.whole("explaining"):
            for line in validated(task, found.plan).words():
                click.echo(line)
    if found.plan is None:
        click.get_current_context().exit(1)
