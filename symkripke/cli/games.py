"""`symkripke games`."""

from __future__ import annotations

import json

import click

from symkripke.cli.options import json_option


@click.command()
@json_option
def games(as_json: bool) -> None:
    """List the games, their rule sets and the kinds of player."""
    from symkripke.play import game, game_names

    found = [game(name) for name in game_names()]
    if as_json:
        data = [
            {
                "name": one.name,
                "title": one.title,
                "summary": one.summary,
                "rules": {rules: list(seats) for rules, seats in one.seats.items()},
                "minds": list(one.minds),
                "characters": {mind: one.character(mind) for mind in one.minds},
                "options": {name: option.summary for name, option in one.options.items()},
            }
            for one in found
        ]
        click.echo(json.dumps(data))
        return
    from rich.table import Table as Grid

    from symkripke.cli.display import console

    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("game", "rules: players", "what it is"):
        grid.add_column(heading)
    for one in found:
        seats = ", ".join(f"{rules}: {low}-{high}" for rules, (low, high) in one.seats.items())
        grid.add_row(one.name, seats, one.summary)
    out = console()
    out.print(grid)
    for one in found:
        out.print(f"\nMinds of {one.title} (--minds A,B,...):", style="bold")
        minds = Grid(box=None, padding=(0, 2, 0, 2), show_header=False)
        for mind in one.minds:
            minds.add_row(mind, one.character(mind))
        out.print(minds)
        if one.options:
            out.print(f"\nOptions of {one.title} (--set NAME=VALUE):", style="bold")
            options = Grid(box=None, padding=(0, 2, 0, 2), show_header=False)
            for name, option in one.options.items():
                options.add_row(name, option.summary)
            out.print(options)
