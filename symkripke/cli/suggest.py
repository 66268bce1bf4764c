"""`symkripke suggest`."""

from __future__ import annotations

import json

import click

from symkripke.cli.options import (
    at_option,
    json_option,
    log_argument,
    named,
    opened,
    player_option,
    weighting_option,
)

_BAR = 20


@click.command()
@log_argument
@player_option
@at_option
@weighting_option
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    metavar="N",
    help="Show so many moves.",
)
@json_option
def suggest(
    log: str, player: str, turn: int | None, weighting: str, top: int, as_json: bool
) -> None:
    """Recommend moves to a player of a logged game: what each is expected to tell, and why.

    The expected information is in bits: how much less will be unknown, on average, of the answer
    to the game's question.
    """
    from symkripke.cli.progress import patient
    from symkripke.engines import engine
    from symkripke.play.positions import suggest as recommended

    record, moment = opened(log, turn, engine("auto", weighting))
    who = named("player", player, record.setup.players)
    with patient("weighing moves"):
        moves = recommended(record, moment, who, top)
    if as_json:
        data = {
            "player": who,
            "turn": moment.turn,
            "weighting": weighting,
            "moves": [
                {"title": one.title, "gain": one.gain, "reason": one.reason, "data": dict(one.data)}
                for one in moves
            ],
        }
        click.echo(json.dumps(data))
        return
    from rich.text import Text

    from symkripke.cli.display import bar, console, in_colour, say, when

    out = console()
    person = moment.layout.person
    names = [person(name) for name in record.setup.players]
    if not moves:
        out.print(in_colour(f"There is nothing for {person(who)} to do {when(moment)}.", names))
        return
    title = f"The best moves for {person(who)} {when(moment)}, weighting {weighting}:"
    out.print(in_colour(title, names))
    most = max(one.gain for one in moves)
    for one in moves:
        line = Text(f"  {one.gain:5.2f} {moment.game.unit} ")
        line.append(f"{bar(one.gain, most, _BAR):<{_BAR}}", style="green")
        line.append(f"  {one.title}", style="bold")
        say(out, line)
        say(out, Text(f"      {one.reason}", style="dim"))
