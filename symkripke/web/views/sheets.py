"""Note sheets as pages show them: signs, looks, and words for screen readers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import count
from typing import Any

from symkripke.drawing.cards import Face, symbols
from symkripke.engines import Mark
from symkripke.explain.text import percent
from symkripke.language import Formula
from symkripke.play import GameState, Moment
from symkripke.play.views import sheet as filling
from symkripke.play.views.pictures import Pictures
from symkripke.play.views.sheet import FilledSheet, NoteSheet, Number, Place, whole_percent

SIGNS = {Mark.YES: "✓", Mark.NO: "·", Mark.OPEN: "?"}
_LONG = 50
"""The minimum number of lines of a sheet that is shown in parts, side by side."""

_PART = 15
"""The approximate minimum number of lines in a part."""

_WORDS = {Mark.YES: "yes", Mark.NO: "no", Mark.OPEN: "open"}


@dataclass(frozen=True)
class Cell:
    """A cell: its text, its look, and its text for screen readers."""

    text: str
    look: str
    says: str


@dataclass(frozen=True)
class Row:
    """A row of a sheet.

    Attributes:
        number: the number of the row on the sheet, from 0.
        title: its title.
        cells: its cells.
        face: the picture of the card that the row is about; None if there is none.
    """

    number: int
    title: str
    cells: Sequence[Cell]
    face: Face | None = None


@dataclass(frozen=True)
class Group:
    """Rows under a heading: the title and the cells of each row."""

    title: str
    rows: Sequence[Row]


@dataclass(frozen=True)
class Sheet:
    """A note sheet.

    Attributes:
        player: the name of the player, as people write it.
        columns: the title of each column, with its number of cards if that can change.
        groups: the rows.
        counts: whether there is one row for each group, with numbers.
        legend: the meanings of the signs: pairs of a cell, which is empty if there is no sign, and
            words.
        brief: for each thing that rows describe, its title and a text for each column.
    """

    player: str
    columns: Sequence[tuple[str, str]]
    groups: Sequence[Group]
    counts: bool
    legend: Sequence[tuple[Cell, str]] = field(default=())
    brief: Sequence[tuple[str, Sequence[str]]] = ()

    @property
    def symbols(self) -> str:
        """The art of its rows, as hidden SVG."""
        faces = (row.face for group in self.groups for row in group.rows)
        return symbols(face for face in faces if face is not None)

    @property
    def parts(self) -> Sequence[Sequence[Group]]:
        """The groups by table; a long sheet is split into several tables, side by side."""
        lines = [len(group.rows) + 1 for group in self.groups]
        number = min(len(lines), sum(lines) // _PART) if sum(lines) >= _LONG else 1
        parts = [list[Group]() for _ in range(number or 1)]
        above = 0
        for group, long in zip(self.groups, lines, strict=True):
            parts[(above + long // 2) * number // sum(lines)].append(group)
            above += long
        return [part for part in parts if part]


def sheet(
    moment: Moment[Any, Any],
    player: str,
    state: GameState[Any],
    *,
    odds: bool = False,
    marks: Mapping[Formula, Mark] | None = None,
    new: Collection[Place] = (),
    pictures: Pictures[Any, Any] | None = None,
) -> Sheet:
    """Return a player's note sheet at a moment; with `odds`, also the probabilities.

    Args:
        moment: the moment.
        player: the player.
        state: the position at that moment.
        odds: whether to show probabilities, as shades.
        marks: the player's marks, if they are already computed.
        new: the cells to highlight.
        pictures: the pictures of the game, for the rows that have one.
    """
    filled = FilledSheet.of(moment, player, state, odds=odds, known=marks, new=new)
    return laid_out(filled, pictures)


def laid_out(filled_in: FilledSheet, pictures: Pictures[Any, Any] | None = None) -> Sheet:
    """Return a sheet as a page shows it, with the pictures of its rows if there are any."""
    filled, numbers = filled_in.sheet, count()
    faces = [] if pictures is None else list(pictures.rows.values())
    groups = []
    for group in filled.groups:
        rows = []
        for title, (_, cells) in zip(_below(group), group.rows, strict=True):
            number = next(numbers)
            face = faces[number] if faces else None
            rows.append(Row(number, title, list(map(_cell, cells)), face))
        groups.append(Group(group.title, rows))
    columns = [(title, str(filled.sizes.get(name, ""))) for name, title in filled.columns.items()]
    legend = _legend(filled)
    return Sheet(filled.player, columns, groups, filled.counts, legend, filled.brief)


def _below(group: filling.Group) -> Sequence[str]:
    """Return titles below a heading, without a common first word: "Opal Pair" below "Red"."""
    start, titles = f"{group.title.casefold()} ", [title for title, _ in group.rows]
    if not all(title.casefold().startswith(start) for title in titles):
        return titles
    return [title[len(start) :] for title in titles]


def _legend(sheet: NoteSheet) -> list[tuple[Cell, str]]:
    if sheet.counts:
        entries = (
            [(Cell("2.50", "open", ""), "on average"), (Cell("2", "yes", ""), "known")]
            if sheet.has_odds
            else [(Cell("1-3", "open", ""), "from least to most"), (Cell("2", "yes", ""), "known")]
        )
    else:
        entries = [(_mark(Mark.YES, Mark.YES), "there"), (_mark(Mark.NO, Mark.NO), "not there")]
        if sheet.has_odds:
            entries += [(_shade(Fraction(n, 10)), "") for n in (1, 3, 5, 7)]
            entries.append((_shade(Fraction(9, 10)), "probability that it is there, in percent"))
        else:
            entries.append((_mark(Mark.OPEN, Mark.OPEN), "open"))
            if sheet.has_beliefs:
                entries.append((_mark(Mark.OPEN, Mark.YES), "believed to be there"))
    return (
        [*entries, (Cell("", "", ""), "next to a name: the number they hold")]
        if sheet.sizes
        else entries
    )


@lru_cache(4096)
def _cell(cell: filling.Cell | Number) -> Cell:
    if isinstance(cell, Number):
        return _number(cell)
    if cell.share is not None and cell.known is Mark.OPEN:
        shown = _shade(cell.share)
    else:
        shown = _mark(cell.known, cell.known if cell.share is not None else cell.believed)
    return Cell(shown.text, f"{shown.look} new", shown.says) if cell.is_new else shown


def _mark(mark: Mark, believed: Mark) -> Cell:
    if believed is not mark:
        says = f"{_WORDS[mark]}, believed: {_WORDS[believed]}"
        return Cell(f"{SIGNS[believed]}*", "believed", says)
    return Cell(SIGNS[mark], _WORDS[mark], _WORDS[mark])


def _shade(share: Fraction) -> Cell:
    text = whole_percent(share).removesuffix("%")
    return Cell(text, f"shade p{min(9, int(share * 10))}", percent(share))


def _number(number: Number) -> Cell:
    if number.is_certain and number.believed == number.known:
        return Cell(str(number.known[0]), "yes", str(number.known[0]))
    if number.average is not None:
        average = f"{float(number.average):.2f}"
        return Cell(average, f"shade p{min(9, int(number.average * 2))}", f"{average} on average")
    text, says = _range(number.known, "-"), _range(number.known, " to ")
    if number.believed != number.known:
        text += f" ({_range(number.believed, '-')})"
        says += f", believed: {_range(number.believed, ' to ')}"
    return Cell(text, "yes" if number.is_certain else "open", says)


def _range(between: tuple[int, int], link: str) -> str:
    least, most = between
    return str(least) if least == most else f"{least}{link}{most}"
