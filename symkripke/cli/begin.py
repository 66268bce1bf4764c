"""`symkripke begin`."""

from __future__ import annotations

import click

from symkripke.cli.commands import argument, command, named_path
from symkripke.cli.options import BEGINNING, LIMITS, SEATS, Beginning, Limits, Seats, force, named


@command()
def begin(
    game_name: str = argument("GAME"),
    log: str = argument(type=click.Path(), callback=named_path),
    seats: Seats = SEATS,
    beginning: Beginning = BEGINNING,
    replace: bool = force("LOG"),
    limits: Limits = LIMITS,
) -> None:
    r"""Start the LOG of a GAME at a real table, as one of its players sees it.

    \b
    symkripke begin cluedo game.jsonl --names Ann,Bob,Eve --player Ann --holds HAND

    `symkripke table LOG` asks for the same facts one by one; `symkripke note` adds events.
    """
    given = seats.at_a_real_table()
    if beginning.player is None or beginning.holds is None:
        raise click.UsageError("expected --player and --holds; `symkripke table` asks for them")
    from symkripke.cli.beginning import begin_log, hand_of
    from symkripke.play import game
    from symkripke.play.seats import seated_from

    played = game(game_name)
    dealt = played.setup(**given)
    if beginning.begins is not None:
        first = named("player", beginning.begins, dealt.players)
        dealt = played.setup(**seated_from(given, dealt.players, first))
    who = named("player", beginning.player, dealt.players)
    cards = hand_of(played, dealt, who, beginning.holds)
    begin_log(log, played, dealt, who, cards, force=replace, limits=limits)
    click.echo(f"written to {log}", err=True)
