"""`symkripke puzzle`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from symkripke.cli.options import (
    Limits,
    count_option,
    engine_option,
    json_option,
    limit_options,
    verbose_option,
    why_option,
)
from symkripke.errors import InputError, UnknownName

if TYPE_CHECKING:
    from symkripke.problems.puzzles import Puzzle


@click.command()
@click.argument("name", required=False)
@click.option("--n", "size", type=int, metavar="N", help="How large; the list says what N counts.")
@why_option
@verbose_option
@engine_option
@click.option("--text", is_flag=True, help="Print the puzzle's file, for `symkripke check`.")
@limit_options
@count_option
@json_option
def puzzle(
    name: str | None,
    size: int | None,
    why: bool,
    engine_name: str,
    text: bool,
    limits: Limits,
    count: bool | None,
    as_json: bool,
) -> None:
    """Tell the puzzle NAME, ask its questions and answer them; without a NAME, list the puzzles.

    After each announcement, how many worlds there are.
    """
    from symkripke.problems.puzzles import puzzle as named
    from symkripke.problems.puzzles import puzzles

    if name is None:
        _list(puzzles(), as_json=as_json)
        return
    try:
        found = named(name)
    except UnknownName as error:
        more = "" if "; " in str(error) else "; `symkripke puzzle` lists all puzzles"
        raise InputError(f"{error}{more}") from None
    if text:
        click.echo(found.text, nl=False)
        return
    from symkripke.cli.check import run_problem
    from symkripke.engines import engine

    with limits.whole(f"reading {found.file}"):
        problem = found.problem(size)
    if not as_json:
        from symkripke.cli.styled_lines import write_line

        sized = "" if found.sizes is None else f" (n = {found.size if size is None else size})"
        write_line((f"{found.title}{sized}", "bold"))
    run_problem(
        problem, engine(engine_name), limits, why=why, count=count, as_json=as_json, story=True
    )


def _list(found: dict[str, Puzzle], *, as_json: bool) -> None:
    if as_json:
        import json

        data = [
            {
                "name": installed.name,
                "title": installed.title,
                "says": installed.says,
                "n": None
                if installed.sizes is None
                else {
                    "counts": installed.counts,
                    "from": installed.sizes[0],
                    "to": installed.sizes[1],
                },
            }
            for installed in found.values()
        ]
        click.echo(json.dumps(data))
        return
    from rich.table import Table as Grid

    from symkripke.cli.console import console

    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style="bold")
    grid.add_column("puzzle", no_wrap=True)
    for heading in ("n", "what it is about"):
        grid.add_column(heading)
    for installed in found.values():
        size = (
            ""
            if installed.sizes is None
            else f"{installed.sizes[0]} to {installed.sizes[1]} {installed.counts}"
        )
        grid.add_row(installed.name, size, installed.says)
    console().print(grid)
