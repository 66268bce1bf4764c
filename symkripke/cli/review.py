"""`symkripke review`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import click

from symkripke.cli import options
from symkripke.cli.commands import command, flag, named_path, option

if TYPE_CHECKING:
    from symkripke.play.review import Reviewing

_NARROWEST = 40


def _turns(_: click.Context, __: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """Parse a range of turns, "3-12", or one turn."""
    if value is None:
        return None
    match = re.fullmatch(r"\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?", value)
    if match is None:
        raise click.BadParameter(f"expected turns like 3-12, or one turn, got {value!r}")
    first, last = int(match[1]), int(match[2] or match[1])
    if last < first:
        raise click.BadParameter(f"expected turns A-B with A not after B, got {value!r}")
    return first, last


@command()
def review(
    log: str = options.LOG,
    player: str | None = option(
        "--player", "NAME", "Show what this player could have known; by default, all players."
    ),
    turns: tuple[int, int] | None = option(
        "--turns", "A-B", "Show only these turns.", callback=_turns
    ),
    brief: bool = flag(
        "--brief", "Show the story, the chart and the figures, without the single turns."
    ),
    weighting: str = option(
        "--weighting",
        "NAME",
        "How worlds are weighted: equal, or bayes (by the probability of the events).",
        default="bayes",
    ),
    width: int | None = option(
        "--width",
        "N",
        "The width of the chart; by default, the width of the terminal.",
        type=click.IntRange(min=_NARROWEST),
    ),
    svg: str | None = option("--svg", "FILE", "Write the chart as a picture.", callback=named_path),
    html: str | None = option(
        "--html", "FILE", "Write everything as a self-contained page.", callback=named_path
    ),
    replace: bool = options.force("FILE"),
    limits: options.Limits = options.LIMITS,
    plain: bool = options.PLAIN,
    as_json: bool = options.JSON,
) -> None:
    r"""Review a logged game, turn by turn.

    \b
    symkripke review game.jsonl --turns 5-9

    The review shows what each player could know, and from which turn; the value of each move, and
    of the best move; what the others learned from the move; missed chances, and luck. Each game
    has its own terms, such as questions and accusations in Cluedo, or bids and calls in Perudo. A
    log of one seat is reviewed by the knowledge of that player.

    Ctrl-C ends the review and prints the finished part.
    """
    from symkripke.errors import SymkripkeError
    from symkripke.files import check_writable, write_whole
    from symkripke.play.review import Reviewing

    for path in (svg, html):
        if path is not None:
            check_writable(path, replace=replace)
    record = options.read_log(log, limits)
    options.check_spoilers(record)
    with limits.whole("replaying the log"):
        players = (
            None if player is None else [options.named("player", player, record.setup.players)]
        )
        work = Reviewing(record, players=players, turns=turns, weighting=weighting, name=log)
    fault = _work(work, limits)
    done = work.review()
    if as_json:
        click.echo(json.dumps(done.data(), ensure_ascii=False))
    else:
        from symkripke.cli.console import console
        from symkripke.cli.reviewed import show_review

        show_review(console(), done, width, brief=brief, plain=plain)
    if svg is not None:
        from symkripke.play.review.chart import svg_chart

        write_whole(svg, svg_chart(done))
    if html is not None:
        from symkripke.play.review.page import page

        write_whole(html, page(done))
    if isinstance(fault, SymkripkeError):
        raise fault
    if fault is not None:
        raise click.exceptions.Abort


def _work(work: Reviewing, limits: options.Limits) -> BaseException | None:
    """Review all events. Return the exception that stopped the review, if there was one."""
    from symkripke.cli.progress import patient
    from symkripke.errors import BudgetExceeded
    from symkripke.limits import within

    try:
        with patient("reviewing") as tell:
            for done in range(work.number):
                with within(limits.seconds, limits.memory):
                    work.step()
                tell(done + 1, work.number)
    except (KeyboardInterrupt, click.exceptions.Abort, BudgetExceeded) as reason:
        return reason
    return None
