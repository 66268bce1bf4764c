"""A game as a self-contained HTML file: its review, and every event with all note sheets.

The file has no scripts. Each event is a section with its own address (`#event-7`), and CSS shows
the current section. Links step through the game, and the browser's back button works.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape
from importlib import resources
from typing import Any

from symkripke.drawing import cards
from symkripke.errors import SymkripkeError
from symkripke.play import Moment
from symkripke.play.views.pictures import last_outcome, pictures_of
from symkripke.web.views.curve import curve
from symkripke.web.views.opened import OpenLog
from symkripke.web.views.sheets import Cell, Sheet, sheet
from symkripke.web.views.watching import held_now

_STYLE = """.steps { scroll-margin-top: 1rem; }
.step { display: none; scroll-margin-top: 1rem; }
.step:target { display: block; }
.steps:not(:has(.step:target)) .step:first-of-type { display: block; }
.step nav { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin: 0.5rem 0; }
.step nav > * { border: 1px solid var(--chart-soft); border-radius: 8px; min-width: 2.75rem;
  padding: 0.55rem 0.9rem; text-align: center; color: inherit; text-decoration: none; }
.step nav > span { border-color: transparent; color: var(--chart-soft); }
.step h3 { margin: 0.8rem 0 0.3rem; }
.step table { border-collapse: collapse; font-size: 0.88rem; }
.step th, .step td { border-bottom: 1px solid var(--chart-grid); padding: 0.12rem 0.4rem;
  text-align: left; font-weight: normal; vertical-align: top; }
.step .sheet thead th { vertical-align: bottom; }
.step .sheet td { text-align: center; min-width: 1.7rem; padding: 0.12rem 0.2rem; }
.step .sheet thead th { font-size: 0.78rem; }
.step .sheet .k { font-size: 0.78rem; color: var(--chart-soft); padding-top: 0.5rem; }
.step .y { font-weight: bold; color: var(--chart-2); }
.step .n { outline: 2px solid var(--chart-3); outline-offset: -2px; }
.round-table { display: block; width: 100%; max-width: 38rem; }
.sheets { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; }
.sheets section { max-width: 100%; overflow-x: auto; }
.hits a:hover path { stroke-opacity: 0.2; }
.step .sheet thead th span { writing-mode: vertical-rl; transform: rotate(180deg); }
.step .sheet .k { text-transform: capitalize; }
@media (max-width: 40rem) { .step .sheet td { min-width: 1.45rem; }
  .step nav { gap: 0.3rem; } .step nav > * { min-width: 0; padding: 0.55rem 0.6rem; } }
@media print { .step { display: block; } .step nav { display: none; } }
"""


@cache
def style() -> str:
    """Return the CSS of the events; players have the same colours as on the pages."""
    pages = resources.files("symkripke.web").joinpath("static", "app.css").read_text("utf-8")
    light, dark = re.findall(r":root \{(.*?)\}", pages, re.DOTALL)
    names = "\n".join(f".seat-{n} {{ color: var(--seat-{n}); }}" for n in range(8))
    lines = " ".join(f"--chart-{n}: var(--seat-{n});" for n in range(8))
    return (
        f":root {{ {light}}}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark}}} }}\n"
        f"{names}\n.review-chart {{ {lines} }}\n{_STYLE}{cards.style()}"
    )


class Steps:
    """The events of a game as HTML, generated one at a time because each takes time."""

    def __init__(self, log: OpenLog) -> None:
        """Prepare the file; its parts are created on first use."""
        self.log = log
        self.last = log.moment.events
        self.made: list[str] = []
        self._before: Mapping[str, Sheet] = {}
        self._faces: list[cards.Face] = []

    @property
    def is_done(self) -> bool:
        """True if the HTML of all events is complete."""
        return len(self.made) > self.last

    def go_on(self) -> None:
        """Generate the HTML of the next event. An interrupted call can be repeated."""
        self.made.append(self._step(len(self.made)))

    def html(self) -> str:
        """Return all events as a part of a page that has `style`."""
        return "\n".join(
            (
                '<section class="steps" id="steps">',
                "<h2>Step by step, with all note sheets</h2>",
                self._curve(),
                cards.symbols(self._faces),
                *self.made,
                "</section>",
                "",
            )
        )

    def _curve(self) -> str:
        log = self.log
        if not log.assessed(0):
            return ""
        lines = {
            log.moment.layout.person(name): [
                log.assessed(number)[name].open for number in range(self.last + 1)
            ]
            for name in log.assessed(0)
        }
        turns = [0, *log.moment.turns[1:]]
        what = log.game.question
        words = f"<p>{escape(what.capitalize())} {escape(log.game.counted)}, by turn</p>"
        drawn = curve(lines, turns, self.last, what, "#event-{}", width=700)
        return f'{words}<figure class="review-chart">{drawn}</figure>'

    def _step(self, number: int) -> str:
        moment = self.log.at(number)
        sheets = self._sheets(moment)
        parts = [f'<section class="step" id="event-{number}">', self._nav(number)]
        if number:
            event = self.log.events[number - 1]
            parts.append(f"<h3>Turn {event.turn}</h3><p>{escape(event.story)}")
            parts.append(f"<p><small>{escape(event.reason)}</small>" if event.reason else "")
        else:
            parts.append("<h3>The deal</h3>")
        parts.append(self._table(moment))
        parts.append(self._players(moment))
        parts.append('<div class="sheets">')
        parts += [_sheet(sheets[name], self._before.get(name)) for name in sheets]
        self._before = sheets
        return "".join((*parts, "</div>", _legend(sheets), "</section>"))

    def _sheets(self, moment: Moment[Any, Any]) -> dict[str, Sheet]:
        """Return the note sheets of the players of this log, without sheets that fail."""
        sheets = {}
        position = self.log.position(moment)
        for name in self.log.setup.players if self.log.seat is None else (self.log.seat,):
            try:
                marks = self.log.marks(moment, name)  # cached: often unchanged
                sheets[name] = sheet(moment, name, position, marks=marks)
            except SymkripkeError:
                continue
        return sheets

    def _nav(self, number: int) -> str:
        first, last = number == 0, number == self.last
        return "".join(
            (
                "<nav>",
                _link(0, "Start", not first),
                _link(number - 1, "Back", not first),
                f"<span>{number} of {self.last}</span>",
                _link(number + 1, "Next", not last),
                _link(self.last, "End", not last),
                "</nav>",
            )
        )

    def _table(self, moment: Moment[Any, Any]) -> str:
        """Return the picture of the table; empty if the truth is not known."""
        pictures = pictures_of(moment)
        held = pictures.held(moment)
        if not held:
            return ""
        table = pictures.table(last_outcome(self.log.record, moment), {}, held)
        self._faces += table.faces
        return cards.round_table(table)

    def _players(self, moment: Moment[Any, Any]) -> str:
        """Return a table with each player's cards, if known, and number of answers left."""
        held, rest = held_now(moment)
        assessed = self.log.assessed(moment.events)
        rows = []
        for name in self.log.setup.players:
            left = f"{assessed[name].open:,}" if name in assessed else ""
            cards = ", ".join(held.get(name, ()))
            rows.append((moment.layout.person(name), cards, left))
        rows += [(title, ", ".join(cards), "") for title, cards in rest if cards]
        if not any(cards or left for _, cards, left in rows):
            return ""
        what = escape(self.log.game.question.capitalize())
        lines = "".join(
            f"<tr><th scope=row>{escape(title)}<td>{escape(cards)}<td>{left}"
            for title, cards, left in rows
        )
        head = f"<tr><th scope=col>Player<th scope=col>Holds<th scope=col>{what} left"
        return f"<table><thead>{head}<tbody>{lines}</table>"


def _legend(sheets: Mapping[str, Sheet]) -> str:
    """Return the key to the symbols of the sheets."""
    for each in sheets.values():
        entries = [f"{cell.text} {words}".strip() for cell, words in each.legend]
        return f"<p><small>{escape(', '.join([*entries, 'with a frame: new']))}</small>"
    return ""


def _link(number: int, words: str, leads: bool) -> str:
    return f'<a href="#event-{number}">{words}</a>' if leads else f"<span>{words}</span>"


def _sheet(sheet: Sheet, before: Sheet | None) -> str:
    """Return a compact note sheet that marks the changes since `before`."""
    head = "".join(f"<th scope=col><span>{escape(title)}</span>" for title, _ in sheet.columns)
    parts = [
        f"<section><h3>{escape(sheet.player)}</h3>",
        f"<table class=sheet><thead><tr><td>{head}<tbody>",
    ]
    old = None if before is None else [row.cells for group in before.groups for row in group.rows]
    number = 0
    for group in sheet.groups:
        if group.title:
            parts.append(f"<tr><th class=k colspan={len(sheet.columns) + 1}>{escape(group.title)}")
        for row in group.rows:
            cells = old[number] if old is not None and number < len(old) else None
            parts.append(f"<tr><th scope=row>{escape(row.title)}")
            parts += _cells(row.cells, cells)
            number += 1
    return "".join((*parts, "</table></section>"))


def _cells(cells: Sequence[Cell], before: Sequence[Cell] | None) -> Iterator[str]:
    for place, cell in enumerate(cells):
        looks = ["y"] if cell.look.startswith("yes") else []
        if before is not None and place < len(before) and before[place].text != cell.text:
            looks.append("n")
        attribute = f' class="{" ".join(looks)}"' if looks else ""
        yield f"<td{attribute}>{escape(cell.text)}"
