"""The printed form of a review: the story, the chart, the figures, and each turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from symkripke.cli.console import say, sentence
from symkripke.cli.display import SEATS, can_draw, in_colour, plain_table
from symkripke.explain.text import Line
from symkripke.play.review import Review
from symkripke.play.review.reviewer import number
from symkripke.play.review.telling import (
    cell,
    over_turns,
    scaled,
    tell_events,
    tell_legend,
    tell_story,
)

_BLOCKS = "▁▂▃▄▅▆▇█"
_SIGNS = ".:-=+*#@"

# The minimum width of the column that explains the figures. With less room, each figure has its own
# line.
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


def show_review(out: Console, done: Review, width: int | None, *, brief: bool, plain: bool) -> None:
    """Print a review: the story, the chart, the figures, and each turn."""
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
    names = list(done.titles.values())
    for line in lines:
        text = in_colour("  " * line.indent + line.text, names)
        text.stylize_before(_STYLES[line.kind])
        say(out, text)


def _chart(out: Console, done: Review, width: int | None, *, plain: bool) -> None:
    """Print the chart: a line for each player, which is higher where more answers are left."""
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
    """Print the figures: a column for each player, a row for each figure."""
    columns, rows = done.figures.columns, done.figures.rows
    if plain:
        for player, row in rows.items():
            cells = "; ".join(f"{words}: {cell(row.get(name))}" for name, words in columns.items())
            sentence(out, f"{done.titles[player]}: {cells}.")
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
