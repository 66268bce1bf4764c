"""`symkripke table`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from symkripke.cli.options import (
    Limits,
    check_spoilers,
    limit_options,
    named_path,
    plain_option,
    setup_options,
    spoil_option,
    table_options,
)


@click.command()
@click.argument("log", type=click.Path(), callback=named_path)
@click.option("--game", "game_name", metavar="GAME", help="What is played, if LOG is new.")
@setup_options
@table_options
@plain_option
@spoil_option
@limit_options
def table(
    log: str,
    game_name: str | None,
    setup: dict[str, Any],
    minds: tuple[str, ...] | None,
    player: str | None,
    holds: str | None,
    begins: str | None,
    plain: bool,
    limits: Limits,
) -> None:
    """Sit at a real table: begin its LOG or go on with it, and type what happens.

    If LOG is not there, all that is not given is asked for: the game, the players, your hand.
    Then type each event as it happens, in full or in short; what became known is shown at once.
    `help` shows what can be typed. Every entry is on disk before the next question.
    """
    if minds is not None:
        raise click.UsageError("--minds: at a real table people play")
    from symkripke.cli.beginning import GivenUp, Interview
    from symkripke.cli.line_reader import LineReader
    from symkripke.cli.table_dialogue import AtTheTable
    from symkripke.play import Journal

    lines = LineReader(AtTheTable.history, plain=plain)
    if Path(log).exists():
        given = {**setup, "--game": game_name, "--player": player, "--holds": holds}
        told = [name for name, value in {**given, "--begins": begins}.items() if value is not None]
        if told:
            raise click.UsageError(f"{log} is there already: its beginning is not told again")
        with limits.whole("replaying the log"):
            journal = Journal.open(log)
        check_spoilers(journal.record)
    else:
        interview = Interview(
            lines,
            log,
            game_name=game_name,
            setup=setup,
            player=player,
            holds=holds,
            begins=begins,
        )
        try:
            journal = interview.begun(limits=limits)
        except GivenUp:
            click.echo("Nothing was written.")
            click.get_current_context().exit(1 if interview.slips and not lines.interactive else 0)
        click.echo(f"Written to {log}.")
    dialogue = AtTheTable(journal, lines, plain=plain, limits=limits)
    dialogue.open()
    click.get_current_context().exit(dialogue.hold())
