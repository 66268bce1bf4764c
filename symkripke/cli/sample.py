"""`symkripke sample`."""

from __future__ import annotations

import json

import click

from symkripke.cli.options import Inquiry, inquiry_options, json_option


@click.command()
@inquiry_options("equal")
@click.option(
    "--number",
    type=click.IntRange(1, 1_000_000),
    default=10,
    show_default=True,
    metavar="N",
    help="How many deals.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="S", help="The seed of all chance."
)
@json_option
def sample(inquiry: Inquiry, number: int, seed: int, as_json: bool) -> None:
    """Draw deals that a player of a logged game considers possible, one a line.

    Drawn exactly by weight and independently of each other; the same seed draws the same deals
    on every machine. With --json each line is an object: the fluents with their values.
    """
    from symkripke.play.game_words import deal_in_words
    from symkripke.play.odds import sample as drawn

    _, moment, who = inquiry.opened()
    with inquiry.limits.whole("drawing deals"):
        deals = drawn(moment, who, number, seed)
    for deal in deals:
        click.echo(json.dumps(dict(deal)) if as_json else deal_in_words(moment, deal))
