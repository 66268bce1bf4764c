"""`symkripke sheet`."""

from __future__ import annotations

import json

import click

from symkripke.cli.options import at_option, json_option, log_argument, named


@click.command()
@log_argument
@click.option("--player", required=True, metavar="NAME", help="Whose knowledge.")
@at_option
@json_option
def sheet(log: str, player: str, turn: int | None, as_json: bool) -> None:
    """Show the note sheet of a player of a logged game: all that it can know.

    For each card and place: known to be there, known not to be there, or open. Everything
    that follows from what the player has seen is on it.
    """
    from symkripke.play import Record

    record = Record.read(log)
    moment = record.replay(log)
    who = named("player", player, record.setup.players)
    if turn is not None:
        moment = moment.at(turn)
    sheet_now = moment.sheet(who)
    layout = moment.layout
    found = dict(sheet_now)
    marks = {place: found[atom] for place, atom in layout.cells.items()}
    columns = layout.columns
    if as_json:
        data = {
            "player": who,
            "turn": moment.turn,
            "sheet": {
                row: {column: marks[row, column].value for column in columns} for row in layout.rows
            },
        }
        click.echo(json.dumps(data))
        return
    from rich.table import Table as Grid
    from rich.text import Text

    from symkripke.cli.display import console, in_colour
    from symkripke.cli.display import marks as signs
    from symkripke.engines import Mark

    drawn = signs()
    names = [columns[name] for name in record.setup.players]
    grid = Grid(box=None, padding=(0, 1), header_style="bold")
    grid.add_column("")
    for title in columns.values():
        grid.add_column(in_colour(title, names), justify="center")
    for kind, rows in layout.groups.items():
        grid.add_row(Text(kind, style="bold"), *[""] * len(columns))
        for row, title in rows.items():
            cells = [Text(*drawn[marks[row, column]]) for column in columns]
            grid.add_row(f"  {title}", *cells)
    out = console()
    when = "after the deal" if moment.turn == 0 else f"after turn {moment.turn}"
    out.print(in_colour(f"What {columns[who]} can know {when}:", names))
    out.print(grid)
    legend = ", ".join(
        f"{drawn[mark][0]} {says}"
        for mark, says in ((Mark.YES, "is there"), (Mark.NO, "is not there"), (Mark.OPEN, "open"))
    )
    out.print(Text(legend, style="dim"))
