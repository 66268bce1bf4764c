"""`symkripke diagnose`."""

from __future__ import annotations

import click

from symkripke.cli.commands import command, option
from symkripke.cli.options import JSON, LIMITS, LOG, Limits, check_spoilers, put_json, read_log


@command()
def diagnose(
    log: str = LOG,
    top: int = option(
        "--top", "N", "The number of suspects to show.", type=click.IntRange(min=1), default=5
    ),
    limits: Limits = LIMITS,
    as_json: bool = JSON,
) -> None:
    r"""Explain why a LOG contradicts itself, and which of its entries may be wrong.

    \b
    symkripke diagnose game.jsonl --top 3

    A clash is a minimal set of statements of the log that cannot all be true. A suspect is an
    entry without which the log is possible. The exit code is 0 if the log is possible, and 1 if it
    is not.
    """
    from rich.text import Text

    from symkripke.cli.console import console, say
    from symkripke.play.diagnosis import diagnose as found_in

    record = read_log(log, limits)
    check_spoilers(record)
    with limits.whole("looking for mistakes") as tell:
        diagnosis = found_in(record, log, tell=tell)
    if as_json:
        put_json({"log": log, "diagnosis": diagnosis})
    elif diagnosis is None:
        click.echo(f"Nothing is wrong: everything in {log} is possible.")
    else:
        for line in diagnosis.lines(top):
            say(console(), Text(line))
    if diagnosis is not None:
        click.get_current_context().exit(1)
