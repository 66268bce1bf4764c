"""The look of output: names in colour, bars, marks; plain text in a pipe."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from symkripke.cli.console import say
from symkripke.engines import Mark
from symkripke.explain.text import listed
from symkripke.play.words import person

if TYPE_CHECKING:
    from rich.console import Console

    from symkripke.model import World
    from symkripke.play import Layout

# A colour for each seat, readable on dark and on light backgrounds.
SEATS = ("red", "yellow", "cyan", "green", "blue", "magenta")
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def can_draw() -> bool:
    """Return whether the output's encoding has the characters of bars and marks."""
    try:
        "█▏✓·░▒▓".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def bar(value: float, most: float, width: int) -> str:
    """Return a bar of up to `width` characters, in eighths if the encoding has these characters."""
    share = 0.0 if most <= 0 else min(1.0, value / most)
    if not can_draw():
        return "#" * max(1 if value > 0 else 0, round(share * width))
    eighths = max(1 if value > 0 else 0, round(share * width * 8))
    return "█" * (eighths // 8) + (_EIGHTHS[eighths % 8] if eighths % 8 else "")


def marks() -> dict[Mark, tuple[str, str]]:
    """Return the symbol and the style of each mark of a sheet."""
    yes, no = ("✓", "·") if can_draw() else ("X", ".")
    return {Mark.YES: (yes, "bold green"), Mark.NO: (no, "dim"), Mark.OPEN: ("?", "yellow")}


def in_colour(text: str, names: Sequence[str], cards: Iterable[str] = ()) -> Text:
    """Return `text` with each of `names` in the colour of its seat, but not within `cards`."""
    colours = {name: SEATS[seat % len(SEATS)] for seat, name in enumerate(names)}
    known = sorted((*cards, *colours), key=len, reverse=True)
    shown = Text(text)
    for match in re.finditer("|".join(rf"\b{re.escape(name)}\b" for name in known), text):
        if match[0] in colours:
            shown.stylize(f"bold {colours[match[0]]}", *match.span())
    return shown


def say_of(
    out: Console, layout: Layout, players: Iterable[str], text: str, style: str = ""
) -> None:
    """Print a line about a game, with the names of players in colour."""
    names = [layout.person(name) for name in players]
    shown = in_colour(text, names, layout.rows.values())
    shown.stylize(style)
    say(out, shown)


FEW = 4
"""The maximum number of things listed by title; longer lists show codes if the game has them."""


def dealt_lines(layout: Layout, deal: World) -> Iterator[str]:
    """Yield the lines of a deal: one for each place that holds something."""
    held = layout.held(deal)
    short = bool(layout.codes) and max(map(len, held.values())) > FEW
    if short:
        held = layout.held(deal, short=True)
    for column, title in layout.columns.items():
        if held[column]:
            yield f"  {title}: {', '.join(held[column])}"
    if short:
        yield f"  ({layout.legend})"


def plain_table(*headings: str, gap: int = 1) -> Table:
    """Return a table without rules; each heading makes a column, `gap` spaces apart."""
    drawn = Table(box=None, padding=(0, gap), header_style="bold")
    for heading in headings:
        drawn.add_column(heading)
    return drawn


def they_know(players: Sequence[str]) -> str:
    """Return a sentence about these players, such as "Ann and Bob know the answer"."""
    verb = "know" if len(players) > 1 else "knows"
    return f"{listed(list(map(person, players)))} {verb} the answer."
