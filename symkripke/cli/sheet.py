"""`symkripke sheet`."""

from __future__ import annotations

import json

import click

from symkripke.cli.options import Inquiry, inquiry_options, json_option, plain_option
from symkripke.errors import InputError


@click.command()
@inquiry_options("equal")
@click.option("--odds", "with_odds", is_flag=True, help="Show the probability of what is open.")
@click.option(
    "--paper", is_flag=True, help="In the form of the printed sheet of the game (Sleuth)."
)
@plain_option
@json_option
def sheet(inquiry: Inquiry, with_odds: bool, paper: bool, plain: bool, as_json: bool) -> None:
    """Show the note sheet of a player of a logged game: all that it can know.

    For each card and place: known to be there, known not to be there, or open. Everything
    that follows from what the player has seen is on it; and what it believes besides. Where hands
    grow and shrink, how many cards each player holds stands behind its name.
    """
    if paper and (with_odds or as_json or plain):
        raise click.UsageError(
            "--paper shows marks: expected neither --odds nor --json nor --plain with it"
        )
    record, moment, who = inquiry.opened()
    if paper and moment.layout.paper is None:
        raise InputError(f"{moment.game.title} has no other sheet on paper: leave --paper out")
    from symkripke.play.positions import state_at
    from symkripke.play.views.sheet import FilledSheet

    state = state_at(record, moment)
    with inquiry.limits.whole("filling in the sheet"):
        filled = FilledSheet.of(moment, who, state, odds=with_odds)
    if as_json:
        click.echo(json.dumps(filled.data(inquiry.weighting)))
        return
    from symkripke.cli.console import console
    from symkripke.cli.filled_sheet import say, show

    if plain:
        say(console(), filled, weighting=inquiry.weighting)
    else:
        show(console(), filled, weighting=inquiry.weighting, paper=paper)
