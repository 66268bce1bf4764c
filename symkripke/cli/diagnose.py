"""`symkripke diagnose`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from symkripke.cli.options import Limits, json_option, limit_options, log_argument

if TYPE_CHECKING:
    from symkripke.play.diagnosis import Diagnosis, Suspect


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
    """Say why a LOG cannot be so, and in which of its entries there may be a slip.

    A clash is a smallest set of things that the log says, of which one must be wrong. A suspect is
    an entry without which the log can be so. Exit code 0 if the log can be so, 1 if it cannot.
    """
    import msgspec

    from symkripke.play import Record
    from symkripke.play.diagnosis import diagnose as found_in

    with limits.whole("looking for slips") as tell:
        found = found_in(Record.read(log), log, tell=tell)
    if as_json:
        data = None if found is None else json.loads(msgspec.json.encode(found))
        click.echo(json.dumps({"log": log, "diagnosis": data}))
    elif found is None:
        click.echo(f"Nothing is wrong: all that {log} says can be so.")
    else:
        _show(found, top)
    if found is not None:
        click.get_current_context().exit(1)


def _show(found: Diagnosis, top: int) -> None:
    from rich.text import Text

    from symkripke.cli.console import console, say

    out = console()
    forbids = "the rules forbid it" if found.kind == "rules" else "the cards cannot lie so"
    say(out, Text(f"{found.place} cannot be so: {forbids}.", style="bold"))
    say(out, Text(f"  {_when(found.turn)}{found.text}"))
    if found.kind == "rules":
        say(out, Text(f"  {found.problem}"))
    if found.clash:
        out.print()
        say(out, Text("These cannot all be true, but without any one of them the others can:"))
        for premise in found.clash:
            say(out, Text(f"  - {premise.text}"))
    if not found.suspects:
        return
    out.print()
    say(out, Text("Where the slip may be, likeliest first:"))
    for number, suspect in enumerate(found.suspects[:top], 1):
        _tell(number, suspect)
    if len(found.suspects) > top:
        more = len(found.suspects) - top
        say(out, Text(f"  and {more} more (--top {len(found.suspects)} shows all)", style="dim"))


def _tell(number: int, suspect: Suspect) -> None:
    from rich.text import Text

    from symkripke.cli.console import console, say

    out = console()
    where = f"event {suspect.entry}, {_when(suspect.turn)}" if suspect.entry else ""
    say(out, Text(f"  {number}. {where}{suspect.text}"))
    if suspect.perhaps:
        told = "; or ".join(suspect.perhaps)
        more = suspect.ways - len(suspect.perhaps)
        told += f"; or {more} others" if more > 1 else "; or another" if more else ""
        say(out, Text(f"     perhaps: {told}", style="dim"))


def _when(turn: int) -> str:
    return f"turn {turn}: " if turn else ""
