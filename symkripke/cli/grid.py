"""Tables with the columns of a note sheet: marks, probabilities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from rich.table import Table
from rich.text import Text

from symkripke.cli.display import can_draw, in_colour, marks
from symkripke.engines import Mark
from symkripke.play.game import Layout

# What is not certain, from improbable to probable, a quarter each: a sign and a style.
_SHADES = (("░", "dim"), ("▒", ""), ("▓", "yellow"), ("█", "bold yellow"))


def grid(layout: Layout, players: Sequence[str], cell: Callable[[str, str], Text]) -> Table:
    """The note sheet, its cells filled in by `cell(row, column)`."""
    columns = layout.columns
    names = [columns[name] for name in players]
    drawn = Table(box=None, padding=(0, 1), header_style="bold")
    drawn.add_column("")
    for title in columns.values():
        drawn.add_column(in_colour(title, names), justify="center")
    for kind, rows in layout.groups.items():
        drawn.add_row(Text(kind, style="bold"), *[""] * len(columns))
        for row, title in rows.items():
            drawn.add_row(f"  {title}", *[cell(row, column) for column in columns])
    return drawn


def shaded(share: Fraction) -> Text:
    """A probability: the mark of what is certain; else a shade and a number."""
    if share in (0, 1):
        return Text(*marks()[Mark.YES if share else Mark.NO])
    sign, style = _SHADES[int(share * len(_SHADES))]
    return Text(f"{sign if can_draw() else ''}{_whole(share):>4}", style=style)


def _whole(share: Fraction) -> str:
    """A probability in whole percents; what is not certain is never 0% or 100%."""
    if share < Fraction(1, 100):
        return "<1%"
    return ">99%" if share > Fraction(99, 100) else f"{float(share):.0%}"


def marks_legend() -> Text:
    """What the marks mean."""
    drawn = marks()
    meaning = ((Mark.YES, "is there"), (Mark.NO, "is not there"), (Mark.OPEN, "open"))
    return Text(", ".join(f"{drawn[mark][0]} {says}" for mark, says in meaning), style="dim")


def shades_legend() -> Text:
    """What the marks and shades mean."""
    drawn = marks()
    told = [f"{drawn[Mark.YES][0]} is there", f"{drawn[Mark.NO][0]} is not there"]
    if can_draw():
        shades = zip(_SHADES, ("up to 25%", "to 50%", "to 75%", "more"), strict=True)
        told.extend(f"{sign} {says}" for (sign, _), says in shades)
    return Text(", ".join(told), style="dim")
