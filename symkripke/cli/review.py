"""`symkripke review`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import click

from symkripke.cli import options
from symkripke.cli.commands import command, flag, named_path, option

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console
    from rich.table import Table

    from symkripke.explain.text import Line
    from symkripke.play.review import Review, Reviewing

_BLOCKS = "▁▂▃▄▅▆▇█"
_SIGNS = ".:-=+*#@"

_NARROWEST = 40

# The least width of the column that explains the figures; if there is less room, they get lines
# of their own.
_LABEL = 30
_STYLES = {
    "title": "bold",
    "story": "",
    "note": "yellow",
    "event": "",
    "move": "",
    "count": "dim",
    "good": "green",
    "fault": "red",
    "luck": "magenta",
    "news": "cyan",
}


def _turns(_: click.Context, __: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """A range of turns, "3-12", or one turn."""
    if value is None:
        return None
    found = re.fullmatch(r"\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?", value)
    if found is None:
        raise click.BadParameter(f"expected turns like 3-12, or one turn, got {value!r}")
    first, last = int(found[1]), int(found[2] or found[1])
    if last < first:
        raise click.BadParameter(f"expected turns A-B with A not after B, got {value!r}")
    return first, last


@command()
def review(
    log: str = options.LOG,
    player: str | None = option(
        "--player", "NAME", "What this player could have known; without it, all players."
    ),
    turns: tuple[int, int] | None = option("--turns", "A-B", "Only these turns.", callback=_turns),
    brief: bool = flag("--brief", "The story, the chart and the figures; no single turns."),
    weighting: str = option(
        "--weighting",
        "NAME",
        "How worlds are weighed: equal, or bayes (by how probable what happened was).",
        default="bayes",
    ),
    width: int | None = option(
        "--width",
        "N",
        "How wide the chart is; without it, as wide as the terminal.",
        type=click.IntRange(min=_NARROWEST),
    ),
    svg: str | None = option("--svg", "FILE", "Write the chart as a picture.", callback=named_path),
    html: str | None = option(
        "--html", "FILE", "Write all as a page, complete in itself.", callback=named_path
    ),
    replace: bool = options.force("FILE"),
    limits: options.Limits = options.LIMITS,
    plain: bool = options.PLAIN,
    as_json: bool = options.JSON,
) -> None:
    """Look back over a logged game, turn by turn.

    What each player could have known, and when first; what each move was worth beside the best one;
    what the others learned from it; what was missed, and what was luck. Each game has its own
    terms: in Cluedo questions and accusations, in Perudo bids and calls. A log of one seat is
    reviewed by what that player could know.

    Ctrl-C ends the review; what is done is printed.
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
        _show(done, width, brief=brief, plain=plain)
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
    """Review all events; returns the exception that stopped the review, if any did."""
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


# ---- on the terminal ---------------------------------------------------------------------------


def _show(done: Review, width: int | None, *, brief: bool, plain: bool) -> None:
    """Print a review: the story, the chart, the figures, and each turn."""
    from symkripke.cli.console import console
    from symkripke.play.review.telling import tell_events, tell_legend, tell_story

    out = console()
    _lines(out, done, tell_story(done))
    if not done.events:
        return
    out.print()
    _chart(out, done, width, plain=plain)
    _figures(out, done, plain=plain)
    if not brief:
        out.print()
        _lines(out, done, tell_events(done))
    out.print()
    _lines(out, done, tell_legend(done))


def _lines(out: Console, done: Review, lines: Iterable[Line]) -> None:
    from symkripke.cli.console import say
    from symkripke.cli.display import in_colour

    names = list(done.titles.values())
    for line in lines:
        text = in_colour("  " * line.indent + line.text, names)
        text.stylize_before(_STYLES[line.kind])
        say(out, text)


def _chart(out: Console, done: Review, width: int | None, *, plain: bool) -> None:
    """Print the chart: a line for each player, higher where more is left."""
    from rich.text import Text

    from symkripke.cli.console import sentence
    from symkripke.cli.display import SEATS, can_draw
    from symkripke.play.review.reviewer import number
    from symkripke.play.review.telling import over_turns, scaled

    words = done.measure.words
    if plain:
        out.print(f"{words[:1].upper()}{words[1:]}:")
        for player in done.charted:
            sentence(out, f"  {done.titles[player]}: {over_turns(done, player)}")
        return
    first, last = done.turns
    out.print(f"{words[:1].upper()}{words[1:]}, turn {first} to {last}:")
    most = max(max(done.series(player)) for player in done.charted)
    name = max(len(done.titles[player]) for player in done.charted)
    ends = {p: (number(done.series(p)[0]), number(done.series(p)[-1])) for p in done.charted}
    left = max(len(start) for start, _ in ends.values())
    right = max(len(end) for _, end in ends.values())
    room = (width or min(out.width, 100)) - name - left - right - 6
    signs = _BLOCKS if can_draw() else _SIGNS
    for player in done.charted:
        heights = scaled(done, player, most, max(room, 8), len(signs) - 1)
        line = Text("  ")
        colour = SEATS[done.players.index(player) % len(SEATS)]
        line.append(f"{done.titles[player]:<{name}}", style=f"bold {colour}")
        line.append(f" {ends[player][0]:>{left}} ")
        line.append("".join(signs[height] for height in heights), style=colour)
        line.append(f" {ends[player][1]:>{right}}")
        out.print(line, soft_wrap=True)
    out.print()


def _figures(out: Console, done: Review, *, plain: bool) -> None:
    """The figures: a column for each player, a row for each figure."""
    from rich.text import Text

    from symkripke.cli.console import say, sentence
    from symkripke.cli.display import SEATS, in_colour, plain_table
    from symkripke.play.review.telling import cell

    columns, rows = done.figures.columns, done.figures.rows
    if plain:
        for player, row in rows.items():
            told = "; ".join(f"{words}: {cell(row.get(name))}" for name, words in columns.items())
            sentence(out, f"{done.titles[player]}: {told}.")
        return

    def table(players: Sequence[str]) -> Table:
        drawn = plain_table()
        drawn.add_column("")
        for player in players:
            colour = SEATS[done.players.index(player) % len(SEATS)]
            drawn.add_column(Text(done.titles[player], style=colour), justify="right")
        for name, words in columns.items():
            drawn.add_row(words, *(cell(rows[player].get(name)) for player in players))
        return drawn

    taken = sum(max(len(done.titles[player]), 5) + 2 for player in rows)
    if not out.is_terminal or out.width - taken >= _LABEL:
        out.print(table(list(rows)))
        return
    for name, words in columns.items():
        mine = ", ".join(
            f"{done.titles[player]} {cell(row[name])}"
            for player, row in rows.items()
            if row.get(name) is not None
        )
        say(out, in_colour(f"  {words}: {mine}", list(done.titles.values())))
