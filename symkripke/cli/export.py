"""`symkripke export`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from symkripke.cli.options import at_option, named, named_path

if TYPE_CHECKING:
    from symkripke.model import KnowledgeStructure, State

_HELP = """Write the question whether FORMULA is true at a turn of a logged game for other solvers.

\b
dimacs    one K or M over facts, and all else that one call of a SAT solver decides
qdimacs   anything but C, P and B, for a solver of quantified Boolean formulas
smtlib    the same for an SMT solver
dot       a picture of all worlds (100 at most); those with FORMULA are grey

Comments say what "satisfiable" means. The same question gives the same text, always.
"""


@click.command(help=_HELP)
@click.argument("log", type=click.Path())
@click.argument("formula")
@click.option(
    "--format", "form", required=True, metavar="NAME", help="dimacs, qdimacs, smtlib, dot."
)
@at_option
@click.option("--player", metavar="NAME", help="By what this player has seen, not the whole truth.")
@click.option("--valid", is_flag=True, help="At every world that is commonly held possible.")
@click.option(
    "--output", "-o", callback=named_path, metavar="PATH", help="Write a file, whole or not at all."
)
def export(
    log: str,
    formula: str,
    form: str,
    turn: int | None,
    player: str | None,
    valid: bool,
    output: str | None,
) -> None:
    """Write a question for other solvers."""
    from symkripke.cli.patience import patient
    from symkripke.play.record import check_writable, write_whole
    from symkripke.problems.export import export as exported

    if valid and player is not None:
        raise click.UsageError("--valid and --player: expected one of them")
    if output is not None:
        check_writable(output)
    place = _place(log, turn, player, valid)
    with patient("translating"):
        text = exported(place, formula, form)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole(output, text)


def _place(
    log: str, turn: int | None, player: str | None, valid: bool
) -> State | KnowledgeStructure:
    from symkripke.cli.options import opened
    from symkripke.engines import engine

    record, moment = opened(log, turn, engine())
    if valid:
        return moment.structure
    if player is None:
        return moment.state
    return moment.perspective(named("player", player, record.setup.players))
