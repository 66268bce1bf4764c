"""`symkripke sample`."""

from __future__ import annotations

import click

from symkripke.cli.commands import command, option
from symkripke.cli.options import JSON, Inquiry, inquiry, put_json


@command()
def sample(
    asked: Inquiry = inquiry(),
    number: int = option(
        "--number", "N", "The number of deals.", type=click.IntRange(1, 1_000_000), default=10
    ),
    seed: int = option("--seed", "S", "The random seed.", type=int, default=0),
    as_json: bool = JSON,
) -> None:
    r"""Draw deals that a player of a logged game considers possible, one per line.

    \b
    symkripke sample game.jsonl --player plum --number 5

    The deals are drawn independently, with exactly their probabilities; the same seed draws the
    same deals on every machine. With --json, each line is an object: the fluents with their
    values.
    """
    from symkripke.play.game_words import deal_in_words
    from symkripke.play.odds import sample as drawn

    _, moment, who = asked.opened()
    with asked.limits.whole("drawing deals"):
        deals = drawn(moment, who, number, seed)
    for deal in deals:
        if as_json:
            put_json(dict(deal))
        else:
            click.echo(deal_in_words(moment, deal))
