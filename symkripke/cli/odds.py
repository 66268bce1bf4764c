"""`symkripke odds`."""

from __future__ import annotations

import click

from symkripke.cli.commands import command, option
from symkripke.cli.options import JSON, PLAIN, Inquiry, inquiry, put_json


@command()
def odds(
    asked: Inquiry = inquiry(),
    top: int = option(
        "--top", "N", "The number of answers to show.", type=click.IntRange(min=0), default=10
    ),
    plain: bool = PLAIN,
    as_json: bool = JSON,
) -> None:
    r"""Show the probability of everything, as one player of a logged game sees it.

    \b
    symkripke odds game.jsonl --player plum --at 12

    It shows the probability of each place for each card, and the most probable answers to the
    game's question. Probabilities are exact; JSON has them as fractions. With --weighting bayes, a
    world counts less if a player had more choices in it, because it explains the events less well.
    """
    from symkripke.play.positions import view_at
    from symkripke.play.views.odds import Probable

    record, moment, who = asked.opened()
    with asked.limits.whole("counting deals"):
        view = view_at(record, moment, who)
        probable = Probable.of(moment, view, top)
    if as_json:
        put_json(probable.data())
        return
    from symkripke.cli.console import console
    from symkripke.cli.screens import show_odds

    show_odds(console(), probable, plain=plain)
