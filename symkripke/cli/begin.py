"""`symkripke begin`."""

from __future__ import annotations

from typing import Any

import click

from symkripke.cli.options import (
    Limits,
    force_option,
    limit_options,
    named,
    named_path,
    setup_options,
)


@click.command()
@click.argument("game_name", metavar="GAME")
@click.argument("log", type=click.Path(), callback=named_path)
@setup_options
@click.option("--player", required=True, metavar="NAME", help="Who you are.")
@click.option("--holds", required=True, metavar="A,B,...", help="What you were dealt.")
@force_option("LOG")
@limit_options
def begin(
    game_name: str,
    log: str,
    setup: dict[str, Any],
    minds: tuple[str, ...] | None,
    player: str,
    holds: str,
    force: bool,
    limits: Limits,
) -> None:
    """Begin the LOG of a GAME at a real table, as one of its players sees it.

    Each event is then one more line of LOG; `symkripke games GAME` shows what events there are.
    """
    if minds is not None:
        raise click.UsageError("--minds: at a real table people play")
    from symkripke.errors import InputError
    from symkripke.language import TRUE
    from symkripke.play import Record, game
    from symkripke.play.options import names
    from symkripke.play.record import Seat, check_writable

    played = game(game_name)
    dealt = played.setup(**setup)
    who = named("player", player, dealt.players)
    cards = tuple(card.casefold() for card in names(holds)) if holds.strip() else ()
    played.hand(dealt, who, cards)
    record = Record(played, dealt, seat=Seat(who, cards))
    # Only what can be read again, and can be so, is written.
    with limits.whole("looking for a deal"):
        moment = Record.parse("\n".join(record.lines()), log).replay(log)
        possible = moment.engine.witness(moment.state, TRUE) is not None
    if not possible:
        raise InputError(f"nobody can be dealt this: {holds}")
    check_writable(log, replace=force)
    record.write(log)
    click.echo(f"written to {log}", err=True)
