"""`symkripke sheet`."""

from __future__ import annotations

import click

from symkripke.cli.commands import command, flag
from symkripke.cli.options import JSON, PLAIN, Inquiry, inquiry, put_json
from symkripke.errors import InputError


@command()
def sheet(
    asked: Inquiry = inquiry(),
    odds: bool = flag("--odds", "Show the probability of each open cell."),
    paper: bool = flag("--paper", "Use the form of the printed sheet of the game (Sleuth)."),
    plain: bool = PLAIN,
    as_json: bool = JSON,
) -> None:
    r"""Show the note sheet of a player of a logged game: everything that the player can know.

    \b
    symkripke sheet game.jsonl --player plum --at 12

    Each card is known to be in a place, known not to be there, or open. The sheet contains
    everything that follows from what the player has seen, and also the player's beliefs. In games
    in which hands grow and shrink, the number of cards follows each player's name.
    """
    if paper and (odds or as_json or plain):
        raise click.UsageError(
            "--paper shows marks only, and cannot be combined with --odds, --json or --plain"
        )
    record, moment, who = asked.opened()
    if paper and moment.layout.paper is None:
        raise InputError(f"{moment.game.title} has no other printed sheet: leave --paper out")
    from symkripke.play.positions import state_at
    from symkripke.play.views.sheet import FilledSheet

    state = state_at(record, moment)
    with asked.limits.whole("filling in the sheet"):
        filled = FilledSheet.of(moment, who, state, odds=odds)
    if as_json:
        put_json(filled.data())
        return
    from symkripke.cli.console import console
    from symkripke.cli.screens import show_sheet

    show_sheet(console(), filled, paper=paper, plain=plain)
