"""The note sheet of a game: rows, columns, and what each cell stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from symkripke.language import Atom, Formula
from symkripke.model import World, evaluate


@dataclass(frozen=True)
class Paper:
    """A small note sheet: lines of cells, each with the place of one thing, as on paper.

    Attributes:
        lines: for each line by its title the rows of the layout that stand in it, each by the title
            of its column, which is a code.
        codes: what the codes of the columns mean.
        goal: the column of the layout that the game's question is about.
    """

    lines: Mapping[str, Mapping[str, str]]
    codes: str
    goal: str


@dataclass(frozen=True)
class Layout:
    """How the note sheet of a game is laid out: a table of atoms with titles.

    Attributes:
        groups: the rows by kind, each with its title:
            {"suspects": {"location(plum)": "Professor Plum", ...}, ...}.
        columns: the columns with their titles: {"plum": "Plum", ..., "envelope": "Envelope"}.
        cell: what a row and a column stand for. In most games an atom: a row is a fluent (where
            a card is) and a column one of its values.
        counts: whether the rows of a group count up ("at least one", "at least two", ...), so
            that a group and a column together stand for a number.
        contents: what each column has in a world, where that is said better than by the rows.
        codes: short names of rows, for long lists, if there are any; `legend` says what they mean.
        legend: see `codes`.
        paper: the sheet as it is printed on paper, if that is another one.
    """

    groups: Mapping[str, Mapping[str, str]]
    columns: Mapping[str, str]
    cell: Callable[[str, str], Formula] = Atom
    counts: bool = False
    contents: Callable[[World], Mapping[str, str]] | None = None
    codes: Mapping[str, str] = field(default_factory=dict)
    legend: str = ""
    paper: Paper | None = None

    @cached_property
    def rows(self) -> Mapping[str, str]:
        """All rows, in order, with their titles."""
        return {row: title for rows in self.groups.values() for row, title in rows.items()}

    @cached_property
    def cells(self) -> Mapping[tuple[str, str], Formula]:
        """What each row and column stand for."""
        return {
            (row, column): self.cell(row, column) for row in self.rows for column in self.columns
        }

    @cached_property
    def places(self) -> Mapping[Formula, tuple[str, str]]:
        """The row and the column of each atom."""
        return {atom: place for place, atom in self.cells.items()}

    def held(self, world: World, *, short: bool = False) -> Mapping[str, Sequence[str]]:
        """What each column has in a world of plain names: the titles of its rows, or in words.

        With `short`, the codes of the rows, where there are any.
        """
        if self.contents is not None:
            found = self.contents(world)
            return {column: (told,) if told else () for column, told in found.items()}
        return {
            column: [
                self.codes.get(row, title) if short else title
                for row, title in self.rows.items()
                if evaluate(self.cells[row, column], world)
            ]
            for column in self.columns
        }
