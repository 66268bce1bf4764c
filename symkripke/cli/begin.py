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
    table_options,
)


@click.command()
@click.argument("game_name", metavar="GAME")
@click.argument("log", type=click.Path(), callback=named_path)
@setup_options
@table_options
@force_option("LOG")
@limit_options
def begin(
    game_name: str,
    log: str,
    setup: dict[str, Any],
    minds: tuple[str, ...] | None,
    player: str | None,
    holds: str | None,
    begins: str | None,
    force: bool,
    limits: Limits,
) -> None:
    """Begin the LOG of a GAME at a real table, as one of its players sees it.

    `symkripke table LOG` does the same by asking, and goes on; `symkripke note` adds events.
    """
    if minds is not None:
        raise click.UsageError("--minds: at a real table people play")
    if player is None or holds is None:
        raise click.UsageError("expected --player and --holds; `symkripke table` asks for them")
    from symkripke.cli.beginning import begin_log, hand_of, with_ids
    from symkripke.play import game
    from symkripke.play.seats import player_id, seated_from

    played = game(game_name)
    setup = with_ids(setup)
    dealt = played.setup(**setup)
    if begins is not None:
        first = named("player", player_id(begins), dealt.players)
        dealt = played.setup(**seated_from(setup, dealt.players, first))
    who = named("player", player_id(player), dealt.players)
    cards = hand_of(played, dealt, who, holds)
    begin_log(log, played, dealt, who, cards, force=force, limits=limits)
    click.echo(f"written to {log}", err=True)
