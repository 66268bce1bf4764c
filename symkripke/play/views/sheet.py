"""A filled note sheet, with a player's possible knowledge at a moment, and probabilities."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symkripke.engines import Mark
from symkripke.explain.data import exactly
from symkripke.language import Formula
from symkripke.play.moment import Moment
from symkripke.play.odds import cell_odds
from symkripke.play.rules import GameState

LIKELY = Fraction(1, 3)
"""The minimum probability that a brief description mentions."""

Place = tuple[str, str]
"""A row and a column of a note sheet."""


@dataclass(frozen=True)
class Cell:
    """A cell of a note sheet.

    Attributes:
        known: the mark according to the player's possible knowledge.
        believed: the mark according to the player's beliefs.
        share: the probability; None if it was not requested.
        is_new: whether to highlight the cell.
    """

    known: Mark
    believed: Mark
    share: Fraction | None = None
    is_new: bool = False


@dataclass(frozen=True)
class Number:
    """The number of things of a kind at a place, on a sheet that counts.

    Attributes:
        known: the smallest and the greatest number that the player considers possible.
        believed: the smallest and the greatest number according to the player's beliefs.
        average: the expected number; None if it was not requested.
    """

    known: tuple[int, int]
    believed: tuple[int, int]
    average: Fraction | None = None

    @property
    def is_certain(self) -> bool:
        """True if the number is known."""
        return self.known[0] == self.known[1]

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> Number:
        """Return the number that the cells "at least one", "at least two", ... express."""
        known, believed = ([getattr(cell, of) for cell in cells] for of in ("known", "believed"))
        shares = [cell.share for cell in cells if cell.share is not None]
        average = sum(shares, Fraction(0)) if shares else None
        return cls(_between(known), _between(believed), average)


def _between(marks: Sequence[Mark]) -> tuple[int, int]:
    return sum(mark is Mark.YES for mark in marks), sum(mark is not Mark.NO for mark in marks)


def whole_percent(share: Fraction) -> str:
    """Return a probability as a whole percentage; only 0 and 1 become 0% and 100%."""
    if 0 < share < Fraction(1, 100):
        return "<1%"
    return ">99%" if Fraction(99, 100) < share < 1 else f"{float(share):.0%}"


@dataclass(frozen=True)
class Group:
    """Rows that belong together.

    Attributes:
        title: the title of the rows; may be empty.
        rows: the title of each row, and its cells.
    """

    title: str
    rows: Sequence[tuple[str, Sequence[Cell] | Sequence[Number]]]


@dataclass(frozen=True)
class NoteSheet:
    """A note sheet.

    Attributes:
        player: the title of the player.
        columns: the titles of the columns.
        sizes: the number of things in each column, if it is public and changes.
        groups: the rows.
        counts: whether cells are numbers.
        has_odds: whether probabilities were requested.
        brief: for a sheet whose rows describe things, the title of each thing, and for each column
            its known description, with "?" if more is open, or with likely probabilities if these
            were requested; otherwise empty.
    """

    player: str
    columns: Mapping[str, str]
    sizes: Mapping[str, int]
    groups: Sequence[Group]
    counts: bool
    has_odds: bool
    brief: Sequence[tuple[str, Sequence[str]]] = ()

    @property
    def has_beliefs(self) -> bool:
        """True if the player believes more than they know."""
        return any(
            cell.known != cell.believed
            for group in self.groups
            for _, cells in group.rows
            for cell in cells
        )


@dataclass(frozen=True)
class FilledSheet:
    """The note sheet of a player at a moment, cell by cell.

    Attributes:
        moment: the moment.
        player: the player.
        cells: the cell at each row and column.
        sizes: the number of cards that each player holds, if hands grow and shrink.
    """

    moment: Moment[Any, Any]
    player: str
    cells: Mapping[Place, Cell]
    sizes: Mapping[str, int]

    @classmethod
    def of(
        cls,
        moment: Moment[Any, Any],
        player: str,
        state: GameState[Any],
        *,
        odds: bool = False,
        known: Mapping[Formula, Mark] | None = None,
        new: Collection[Place] = (),
    ) -> FilledSheet:
        """Return the sheet of a player.

        Args:
            moment: the moment.
            player: the player.
            state: the position under the rules at this moment.
            odds: whether to compute the probabilities of cells with the moment's engine.
            known: the marks, if they are already known.
            new: the cells to highlight.
        """
        marks = moment.marks(player) if known is None else known
        believed = moment.marks(player, believing=True) if moment.structure.soft else marks
        shares = cell_odds(moment, player) if odds else {}
        players = moment.setup.players
        held = {name: moment.game.standing(moment.setup, state, name).holds for name in players}
        cells = {
            place: Cell(marks[cell], believed[cell], shares.get(place), place in new)
            for place, cell in moment.layout.cells.items()
        }
        sizes = {name: number for name, number in held.items() if number is not None}
        return cls(moment, player, cells, sizes)

    @classmethod
    def of_marks(
        cls, moment: Moment[Any, Any], player: str, marks: Mapping[Place, Mark]
    ) -> FilledSheet:
        """Return the sheet of a player, given the mark of each cell."""
        return cls(moment, player, {place: Cell(mark, mark) for place, mark in marks.items()}, {})

    @classmethod
    def of_shares(
        cls, moment: Moment[Any, Any], player: str, shares: Mapping[Place, Fraction]
    ) -> FilledSheet:
        """Return the sheet of a player, given the probability of each cell."""
        certain = {Fraction(0): Mark.NO, Fraction(1): Mark.YES}
        marks = {place: certain.get(share, Mark.OPEN) for place, share in shares.items()}
        cells = {place: Cell(mark, mark, shares[place]) for place, mark in marks.items()}
        return cls(moment, player, cells, {})

    @property
    def known(self) -> dict[Place, Mark]:
        """The known marks, by row and column."""
        return {place: cell.known for place, cell in self.cells.items()}

    @property
    def believed(self) -> dict[Place, Mark]:
        """The believed marks, by row and column."""
        return {place: cell.believed for place, cell in self.cells.items()}

    @property
    def shares(self) -> dict[Place, Fraction] | None:
        """The probability of each cell; None if they were not computed."""
        shares = {place: c.share for place, c in self.cells.items() if c.share is not None}
        return shares or None

    @property
    def sheet(self) -> NoteSheet:
        """The sheet in the form of its layout."""
        layout = self.moment.layout

        def line(rows: Sequence[str]) -> list[Number]:
            return [Number.of([self.cells[row, c] for row in rows]) for c in layout.columns]

        if layout.counts:
            numbers = [(kind, line(tuple(rows))) for kind, rows in layout.groups.items()]
            groups = [Group("", numbers)]
        else:
            titles = layout.descriptions if layout.describes else layout.rows
            groups = [
                Group(
                    kind,
                    [(titles[row], [self.cells[row, c] for c in layout.columns]) for row in rows],
                )
                for kind, rows in layout.groups.items()
            ]
        return NoteSheet(
            layout.person(self.player),
            layout.columns,
            self.sizes,
            groups,
            layout.counts,
            self.shares is not None,
            [
                (kind, [self._described(rows, column) for column in layout.columns])
                for kind, rows in layout.groups.items()
                if layout.describes
            ],
        )

    def _described(self, rows: Iterable[str], column: str) -> str:
        """Return the known and the likely description of a thing, or "?" if more is open."""
        titles = self.moment.layout.descriptions
        cells = {titles[row]: self.cells[row, column] for row in rows}
        still = {title: cell.share for title, cell in cells.items() if cell.known is Mark.OPEN}
        likely = {title: share for title, share in still.items() if share and share >= LIKELY}
        parts = [title for title, cell in cells.items() if cell.known is Mark.YES]
        parts += [f"{title} {whole_percent(share)}" for title, share in likely.items()]
        words = ", ".join(parts)
        return f"{words} ?".strip() if still and not likely else words or "-"

    def data(self) -> dict[str, Any]:
        """Return the sheet as plain data for JSON."""
        filled = self.moment.layout.filled
        data: dict[str, Any] = {
            "player": self.player,
            "turn": self.moment.turn,
            "sheet": filled(lambda *place: self.cells[place].known.value),
        }
        if self.sizes:
            data["sizes"] = dict(self.sizes)
        if self.believed != self.known:
            data["believed"] = filled(lambda *place: self.cells[place].believed.value)
        shares = self.shares
        if shares is not None:
            data["weighting"] = self.moment.weighting
            data["odds"] = filled(lambda *place: exactly(shares[place]))
        return data
