"""`symkripke new-game`."""

from __future__ import annotations

from pathlib import Path

import click

from symkripke.cli.commands import argument, command, named_path, option


@command()
def new_game(
    name: str = argument(),
    into: str | None = option(
        "--into",
        None,
        "The folder for the new package.  [default: here]",
        type=click.Path(file_okay=False),
        callback=named_path,
    ),
) -> None:
    r"""Create the package of a new game called NAME, which can be played at once and then changed.

    \b
    symkripke new-game bluff
    """
    from symkripke.play.new_game import new_game as written

    folder = written(name, None if into is None else Path(into))
    click.echo(
        f"{folder} contains the rules, the knowledge, the acts and the players of a small game."
    )
    click.echo("Its README explains what to change first. To play it:")
    click.echo(f"  pip install -e {folder}")
    click.echo(f"  symkripke play {name}")
