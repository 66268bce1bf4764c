"""`symkripke diagnose`."""

from __future__ import annotations

import json

import click

from symkripke.cli.options import (
    Limits,
    check_spoilers,
    json_option,
    limit_options,
    log_argument,
    read_log,
)


@click.command()
@log_argument
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    metavar="N",
    help="Show so many suspects.",
)
@limit_options
@json_option
def diagnose(log: str, top: int, limits: Limits, as_json: bool) -> None:
    """Say why a LOG contradicts itself, and which of its entries may be wrong.

    A clash is a minimal set of statements of the log that cannot all be true. A suspect is an entry
    without which the log is possible. Exit code 0 if the log is possible, 1 if it is not.
    """
    import msgspec
    from rich.text import Text

    from symkripke.cli.console import console, say
    from symkripke.play.diagnosis import diagnose as found_in

    record = read_log(log, limits)
    check_spoilers(record)
    with limits.whole("looking for slips") as tell:
        found = found_in(record, log, tell=tell)
    if as_json:
        data = None if found is None else msgspec.to_builtins(found)
        click.echo(json.dumps({"log": log, "diagnosis": data}))
    elif found is None:
        click.echo(f"Nothing is wrong: all that {log} says can be so.")
    else:
        for line in found.lines(top):
            say(console(), Text(line))
    if found is not None:
        click.get_current_context().exit(1)
