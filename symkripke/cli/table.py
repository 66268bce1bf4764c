"""`symkripke table`."""

from __future__ import annotations

from pathlib import Path

import click

from symkripke.cli import options
from symkripke.cli.commands import argument, command, named_path, option


@command()
def table(
    log: str = argument(type=click.Path(), callback=named_path),
    game_name: str | None = option("--game", "GAME", "The game, if LOG is new."),
    seats: options.Seats = options.SEATS,
    beginning: options.Beginning = options.BEGINNING,
    plain: bool = options.PLAIN,
    spoil: bool = options.SPOIL,
    limits: options.Limits = options.LIMITS,
) -> None:
    r"""Get help at a real table: start its LOG or continue it, and type the events.

    \b
    symkripke table game.jsonl

    For a new LOG, you are asked for everything that is not given: the game, the players, your
    hand. Then type each event as it happens, in full or abbreviated; the new knowledge is shown at
    once. `help` shows what you can type. Every entry is saved before the next question.
    """
    setup = seats.at_a_real_table()
    from symkripke.cli.beginning import Interview, InterviewCancelled
    from symkripke.cli.line_reader import LineReader
    from symkripke.cli.table_dialogue import AtTheTable

    lines = LineReader(AtTheTable.history, plain=plain)
    if Path(log).exists():
        if any(
            value is not None for value in (game_name, *setup.values(), *beginning.given.values())
        ):
            raise click.UsageError(f"{log} already exists: leave out the options for a new log")
        journal = options.open_journal(log, limits)
    else:
        interview = Interview(lines, log, game_name, setup, beginning)
        try:
            journal = interview.begun(limits=limits)
        except InterviewCancelled:
            click.echo("Nothing was written.")
            click.get_current_context().exit(1 if interview.slips and not lines.interactive else 0)
        click.echo(f"Written to {log}.")
    dialogue = AtTheTable(journal, lines, plain=plain, limits=limits)
    dialogue.open()
    click.get_current_context().exit(dialogue.hold())
