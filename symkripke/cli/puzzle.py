"""`symkripke puzzle`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from symkripke.cli.commands import argument, command, flag, option
from symkripke.cli.options import COUNT, ENGINE, JSON, LIMITS, WHY, Limits, put_json
from symkripke.errors import InputError, UnknownName

if TYPE_CHECKING:
    from symkripke.problems.puzzles import Puzzle


@command()
def puzzle(
    name: str | None = argument(required=False),
    size: int | None = option("--n", "N", "The size; the list says what N counts.", type=int),
    why: bool = WHY,
    engine_name: str = ENGINE,
    text: bool = flag("--text", "Print the puzzle's file, for `symkripke check`."),
    limits: Limits = LIMITS,
    count: bool | None = COUNT,
    as_json: bool = JSON,
) -> None:
    r"""Tell the puzzle NAME, and answer its questions; without NAME, list the puzzles.

    \b
    symkripke puzzle cheryls_birthday

    The number of possible worlds is shown after each announcement.
    """
    from symkripke.problems.puzzles import puzzle as named
    from symkripke.problems.puzzles import puzzles

    if name is None:
        _list(puzzles(), as_json=as_json)
        return
    try:
        puzzle = named(name)
    except UnknownName as error:
        more = "" if "?" in str(error) else "; `symkripke puzzle` lists all puzzles"
        raise InputError(f"{error}{more}") from None
    if text:
        click.echo(puzzle.text, nl=False)
        return
    from symkripke.cli.check import run_problem
    from symkripke.engines import engine

    with limits.whole(f"reading {puzzle.file}"):
        problem = puzzle.problem(size)
    if not as_json:
        from symkripke.cli.styled_lines import write_line

        sized = "" if puzzle.sizes is None else f" (n = {puzzle.size if size is None else size})"
        write_line((f"{puzzle.title}{sized}", "bold"))
    run_problem(
        problem, engine(engine_name), limits, why=why, count=count, as_json=as_json, story=True
    )


def _list(puzzles: dict[str, Puzzle], *, as_json: bool) -> None:
    if as_json:
        data = []
        for each in puzzles.values():
            low, high = each.sizes or (None, None)
            size = {"counts": each.counts, "from": low, "to": high} if each.sizes else None
            facts = {name: getattr(each, name) for name in ("name", "title", "says")}
            data.append({**facts, "n": size})
        put_json(data)
        return
    from symkripke.cli.console import put_grid

    rows = [
        (p.name, f"{p.sizes[0]} to {p.sizes[1]} {p.counts}" if p.sizes else "", p.says)
        for p in puzzles.values()
    ]
    put_grid(("puzzle", "n", "subject"), rows)
