"""Note sheets as plain data."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from symkripke.engines import Mark
from symkripke.explain.text import percent
from symkripke.play import Layout, Moment, State
from symkripke.play.odds import cell_odds

Place = tuple[str, str]

SIGNS = {Mark.YES: "✓", Mark.NO: "·", Mark.OPEN: "?"}
_LONG = 50
"""A sheet with so many lines is shown in parts beside each other."""

_PART = 15
"""So many lines has a part, about, or more."""

_WORDS = {Mark.YES: "yes", Mark.NO: "no", Mark.OPEN: "open"}


@dataclass(frozen=True)
class Cell:
    """A cell: its text, its look, and its text for screen readers."""

    text: str
    look: str
    says: str


@dataclass(frozen=True)
class Group:
    """Rows under a heading; the title of each, and its cells."""

    title: str
    rows: Sequence[tuple[str, Sequence[Cell]]]


@dataclass(frozen=True)
class Sheet:
    """A note sheet.

    Attributes:
        player: whose, as people write it.
        columns: titles, each with how many cards it holds, if that changes.
        groups: the rows.
        counts: whether there is one row for each group, with numbers.
        legend: what signs mean: pairs of a sign (as a cell; without a text: none) and words.
    """

    player: str
    columns: Sequence[tuple[str, str]]
    groups: Sequence[Group]
    counts: bool
    legend: Sequence[tuple[Cell, str]] = field(default=())

    @property
    def parts(self) -> Sequence[Sequence[Group]]:
        """The groups in tables that stand beside each other: a long sheet has several."""
        lines = [len(group.rows) + 1 for group in self.groups]
        number = min(len(lines), sum(lines) // _PART) if sum(lines) >= _LONG else 1
        found = [list[Group]() for _ in range(number or 1)]
        above = 0
        for group, long in zip(self.groups, lines, strict=True):
            found[(above + long // 2) * number // sum(lines)].append(group)
            above += long
        return [part for part in found if part]


def sheet(
    moment: Moment[Any, Any],
    player: str,
    state: State[Any],
    *,
    odds: bool = False,
    marks: Mapping[Place, Mark] | None = None,
    new: Collection[Place] = (),
) -> Sheet:
    """What a player can know at a moment; with `odds`, how probable the rest is.

    Args:
        moment: when.
        player: who.
        state: the position then.
        odds: whether shades are wanted.
        marks: what is known, if that has been found already.
        new: cells to be highlighted.
    """
    layout = moment.layout
    if odds:
        shares = cell_odds(moment, player)
        cells = {place: _shade(share, place in new) for place, share in shares.items()}
        return _laid_out(moment, player, state, cells, shares=shares)
    known = known_marks(moment, player) if marks is None else marks
    believed: Mapping[Place, Mark] = known
    if moment.structure.soft:
        found = moment.marks(player, believing=True)
        believed = {place: found[cell] for place, cell in layout.cells.items()}
    cells = {place: _mark(mark, believed[place], place in new) for place, mark in known.items()}
    return _laid_out(moment, player, state, cells, known=known, believed=believed)


def known_marks(moment: Moment[Any, Any], player: str) -> dict[Place, Mark]:
    """What a player can know of each cell."""
    found = moment.marks(player)
    return {place: found[cell] for place, cell in moment.layout.cells.items()}


def _laid_out(
    moment: Moment[Any, Any],
    player: str,
    state: State[Any],
    cells: Mapping[Place, Cell],
    *,
    known: Mapping[Place, Mark] | None = None,
    believed: Mapping[Place, Mark] | None = None,
    shares: Mapping[Place, Fraction] | None = None,
) -> Sheet:
    layout = moment.layout
    standings = {
        name: moment.game.standing(moment.setup, state, name).holds for name in moment.setup.players
    }
    columns = [
        (title, "" if standings.get(column) is None else str(standings[column]))
        for column, title in layout.columns.items()
    ]
    if layout.counts:
        groups = [_numbers(layout, known, believed, shares)]
        legend = (
            [(Cell("2.50", "open", ""), "on average"), (Cell("2", "yes", ""), "known")]
            if shares is not None
            else [(Cell("1-3", "open", ""), "from least to most"), (Cell("2", "yes", ""), "known")]
        )
    else:
        groups = [
            Group(
                kind,
                [
                    (title, [cells[row, column] for column in layout.columns])
                    for row, title in zip(rows, _below(kind, list(rows.values())), strict=True)
                ],
            )
            for kind, rows in layout.groups.items()
        ]
        legend = _legend(shares is not None, believed != known)
    if any(size for _, size in columns):
        legend = [*legend, (Cell("", "", ""), "beside a name: how many it holds")]
    return Sheet(layout.person(player), columns, groups, layout.counts, legend)


def _below(kind: str, titles: Sequence[str]) -> Sequence[str]:
    """Titles below a heading, without its word if all begin with it: "Opal Pair" below "Red"."""
    start = f"{kind.casefold()} "
    if not all(title.casefold().startswith(start) for title in titles):
        return titles
    return [title[len(start) :] for title in titles]


def _legend(odds: bool, believed: bool) -> list[tuple[Cell, str]]:
    told = [
        (_mark(Mark.YES, Mark.YES, False), "there"),
        (_mark(Mark.NO, Mark.NO, False), "not there"),
    ]
    if odds:
        shades = [(_shade(Fraction(n, 10), False), "") for n in (1, 3, 5, 7)]
        return [
            *told,
            *shades,
            (_shade(Fraction(9, 10), False), "how probable it is there, in percent"),
        ]
    told.append((_mark(Mark.OPEN, Mark.OPEN, False), "open"))
    if believed:
        told.append((_mark(Mark.OPEN, Mark.YES, False), "believed to be there"))
    return told


def _mark(mark: Mark, believed: Mark, new: bool) -> Cell:
    fresh = " new" if new else ""
    if believed is not mark:
        says = f"{_WORDS[mark]}, believed: {_WORDS[believed]}"
        return Cell(f"{SIGNS[believed]}*", f"believed{fresh}", says)
    return Cell(SIGNS[mark], f"{_WORDS[mark]}{fresh}", _WORDS[mark])


def _shade(share: Fraction, new: bool) -> Cell:
    if share in (0, 1):
        return _mark(Mark.YES if share else Mark.NO, Mark.YES if share else Mark.NO, new)
    whole = round(float(share) * 100)
    text = "<1" if share < Fraction(1, 100) else ">99" if share > Fraction(99, 100) else str(whole)
    fresh = " new" if new else ""
    return Cell(text, f"shade p{min(9, int(share * 10))}{fresh}", percent(share))


def _numbers(
    layout: Layout,
    known: Mapping[Place, Mark] | None,
    believed: Mapping[Place, Mark] | None,
    shares: Mapping[Place, Fraction] | None,
) -> Group:
    """A row for each group: how many of it each column has."""
    rows = []
    for group, titles in layout.groups.items():
        line = []
        for column in layout.columns:
            places = [(row, column) for row in titles]
            if shares is not None:
                line.append(_average([shares[place] for place in places]))
            else:
                assert known is not None
                assert believed is not None
                line.append(_ranged([known[p] for p in places], [believed[p] for p in places]))
        rows.append((group, line))
    return Group("", rows)


def _average(shares: Sequence[Fraction]) -> Cell:
    total = sum(shares, Fraction(0))
    if all(share in (0, 1) for share in shares):
        return Cell(str(total), "yes", str(total))
    return Cell(
        f"{float(total):.2f}", f"shade p{min(9, int(total * 2))}", f"{float(total):.2f} on average"
    )


def _ranged(known: Sequence[Mark], believed: Sequence[Mark]) -> Cell:
    def between(marks: Sequence[Mark]) -> tuple[int, int]:
        return sum(m is Mark.YES for m in marks), sum(m is not Mark.NO for m in marks)

    def told(least: int, most: int, link: str) -> str:
        return str(least) if least == most else f"{least}{link}{most}"

    least, most = between(known)
    text, says = told(least, most, "-"), told(least, most, " to ")
    if between(believed) != (least, most):
        text += f" ({told(*between(believed), '-')})"
        says += f", believed: {told(*between(believed), ' to ')}"
    return Cell(text, "yes" if least == most else "open", says)
