"""`symkripke suggest`."""

from __future__ import annotations

import click

from symkripke.cli.commands import command, option
from symkripke.cli.options import JSON, PLAIN, Inquiry, inquiry, named_as, put_json


@command()
def suggest(
    asked: Inquiry = inquiry("bayes"),  # as reviews weigh worlds
    top: int = option(
        "--top", "N", "The number of moves to show.", type=click.IntRange(min=1), default=5
    ),
    rooms: str | None = option(
        "--room --rooms", "A,B,...", "Cluedo: only questions in these rooms."
    ),
    show: str | None = option(
        "--show",
        "WHO,A,B,C",
        "Cluedo: recommend the card to show if this player asks for these three.",
    ),
    plain: bool = PLAIN,
    as_json: bool = JSON,
) -> None:
    r"""Recommend moves to a player of a logged game, with their expected value and the reasons.

    \b
    symkripke suggest game.jsonl --player plum

    The value of a question is its expected information in bits: one bit halves the possibilities.
    In other games the value is a probability: of being given a card (Kwartet), of making a pair
    (Old Maid), or of losing no die in this round (Perudo).
    """
    from symkripke.play.positions import suggest as recommended
    from symkripke.play.positions import view_at
    from symkripke.play.views.advice import Advised

    record, moment, who = asked.opened()
    options = {name: value for name, value in (("rooms", rooms), ("show", show)) if value}
    for name in options:
        if moment.game.advisor is None or name not in moment.game.advisor.options:
            flag = name.removesuffix("s") if name == "rooms" else name
            raise click.UsageError(f"--{flag} is only for Cluedo, but this is {moment.game.title}")
    if show and named_as(show.split(",")[0], moment.setup.players) == who:
        raise click.UsageError(
            f"--show: {moment.layout.person(who)} shows the card; expected the asking "
            "player first, then the three cards"
        )
    with asked.limits.whole("weighing moves"):
        moves = recommended(record, moment, who, top, moment.engine, **options)
        now = show is not None or view_at(record, moment, who).decision is not None
    advised = Advised(moment, who, moves, moment.weighting, now)
    if as_json:
        put_json(advised.data())
        return
    from symkripke.cli.console import console
    from symkripke.cli.screens import show_moves

    show_moves(console(), advised, plain=plain)
