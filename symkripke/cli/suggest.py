"""`symkripke suggest`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from symkripke.cli.commands import command, option
from symkripke.cli.options import JSON, PLAIN, Inquiry, inquiry, named_as, put_json

if TYPE_CHECKING:
    from symkripke.play import Advice, Moment

_BAR = 20


@command()
def suggest(
    asked: Inquiry = inquiry("bayes"),  # as reviews weigh worlds
    top: int = option("--top", "N", "Show so many moves.", type=click.IntRange(min=1), default=5),
    rooms: str | None = option(
        "--room --rooms", "A,B,...", "Cluedo: only questions in these rooms."
    ),
    show: str | None = option(
        "--show", "WHO,A,B,C", "Cluedo: which card to show, if this player asks for these three."
    ),
    plain: bool = PLAIN,
    as_json: bool = JSON,
) -> None:
    """Recommend moves to a player of a logged game: what each is expected to bring, and why.

    Of questions, the expected information is in bits: how much less will be unknown, on average,
    of the answer to the game's question. Elsewhere it is a chance: that a card is given (Kwartet),
    that a card makes a pair (Old Maid), that no die is lost in this round (Perudo).
    """
    from symkripke.play.positions import suggest as recommended
    from symkripke.play.positions import view_at

    record, moment, who = asked.opened()
    options = {name: value for name, value in (("rooms", rooms), ("show", show)) if value}
    for name in options:
        if moment.game.advisor is None or name not in moment.game.advisor.options:
            flag = name.removesuffix("s") if name == "rooms" else name
            raise click.UsageError(f"--{flag} is for Cluedo, and this is {moment.game.title}")
    if show and named_as(show.split(",")[0], moment.setup.players) == who:
        raise click.UsageError(
            f"--show: {moment.layout.person(who)} is the one who shows; expected who asks first, "
            "then the three cards"
        )
    with asked.limits.whole("weighing moves"):
        moves = recommended(record, moment, who, top, moment.engine, **options)
        now = show is not None or view_at(record, moment, who).decision is not None
    if as_json:
        told = [
            {
                **{name: getattr(move, name) for name in ("title", "gain", "unit")},
                **({"aim": move.aim} if move.aim else {}),
                "reason": move.reason,
                "data": dict(move.data),
            }
            for move in moves
        ]
        data = {"player": who, "turn": moment.turn, "weighting": asked.weighting, "moves": told}
        put_json(data)
        return
    show_moves(moment, who, moves, asked.weighting, plain=plain, now=now)


def show_moves(
    moment: Moment[Any, Any],
    who: str,
    moves: Sequence[Advice],
    weighting: str,
    *,
    plain: bool,
    now: bool = True,
) -> None:
    """Print the moves that are recommended; `now`: it is that player's turn."""
    from rich.text import Text

    from symkripke.cli.console import console, say
    from symkripke.cli.display import bar, in_colour, when

    out = console()
    person = moment.layout.person
    names = [person(name) for name in moment.setup.players]
    if not moves:
        out.print(in_colour(f"There is nothing for {person(who)} to do {when(moment)}.", names))
        return
    turn = "" if now else f", were it {person(who)}'s turn"
    aims = {move.aim for move in moves}
    by = f", by the chance {aim}" if len(aims) == 1 and (aim := aims.pop()) else ""
    title = f"The best moves for {person(who)} {when(moment)}{turn}, weighting {weighting}{by}:"
    out.print(in_colour(title, names))
    most: dict[str, float] = {}
    for move in moves:
        most[move.unit] = max(move.gain, most.get(move.unit, 0.0))
    for move in moves:
        line = Text(f"  {move.gain:5.2f} {move.unit} ")
        if not plain:
            line.append(f"{bar(move.gain, most[move.unit], _BAR):<{_BAR}}", style="green")
        line.append(f"  {move.title}", style="bold")
        say(out, line)
        say(out, Text(f"      {move.reason}", style="dim"))
