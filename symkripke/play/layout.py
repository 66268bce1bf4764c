"""The note sheet of a game: rows, columns, and the meaning of each cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from symkripke.errors import GameError
from symkripke.language import Atom, Formula
from symkripke.model import World, evaluate
from symkripke.play.words import person

T = TypeVar("T")


@dataclass(frozen=True)
class Paper:
    """A small note sheet as printed for the game, in which each cell is the location of a thing.

    Attributes:
        lines: the rows of the layout in each line, by the title of the line and the code of the
            column.
        codes: the meaning of the column codes, in words.
        goal: the column of the layout that the game's question is about.
    """

    lines: Mapping[str, Mapping[str, str]]
    codes: str
    goal: str


@dataclass(frozen=True)
class Layout:
    """The layout of a game's note sheet: a table of formulas with titles.

    Attributes:
        groups: the rows by kind, each with its title:
            {"suspects": {"location(plum)": "Professor Plum", ...}, ...}.
        columns: the columns with their titles: {"plum": "Plum", ..., "envelope": "Envelope"}.
        cell: returns the formula of a row and a column. In most games it is an atom: the row is a
            fluent (the location of a card), and the column is one of its values.
        counts: whether the rows of a group count up ("at least one", "at least two", ...), so
            that a group and a column together stand for a number.
        describes: whether the rows of a group describe one thing at each place, such as the colour
            and the rank of a card, so that several rows can be true of it.
        singular: the words for one thing of each group, for groups that count up: {"sixes": "six"}.
        held_as: the words for one thing that players hold, and for several things.
        others: the titles of other things in formulas, by name: {"farm_animals": "Farm animals"}.
        contents: returns the content of each column in a world, in words, if a list of rows would
            be unsuitable.
        codes: short names of rows, for long lists.
        legend: the explanation of the codes.
        paper: the sheet as printed on paper, if it differs from the table.

    Raises:
        GameError: a row or column has no title, a row is in two groups, a cell is not a formula, or
            codes or paper refer to something that is not on the sheet.
    """

    groups: Mapping[str, Mapping[str, str]]
    columns: Mapping[str, str]
    cell: Callable[[str, str], Formula] = Atom
    counts: bool = False
    describes: bool = False
    contents: Callable[[World], Mapping[str, str]] | None = None
    codes: Mapping[str, str] = field(default_factory=dict)
    legend: str = ""
    paper: Paper | None = None
    singular: Mapping[str, str] = field(default_factory=dict)
    held_as: tuple[str, str] = ("card", "cards")
    others: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for group, rows in self.groups.items():
            _check_titles("row", rows)
            for row in rows:
                first = next(other for other, others in self.groups.items() if row in others)
                if first != group:
                    raise GameError(f"note sheet: row {row!r} is in two groups: {first}, {group}")
        _check_titles("column", self.columns)
        _check_titles("name", self.others)
        for (row, column), cell in self.cells.items():
            if not isinstance(cell, Formula):
                raise GameError(
                    f"note sheet: expected a formula in row {row!r}, column {column!r}, "
                    f"got {cell!r}"
                )
        for row in self.codes:
            self._check_row(row, "codes")
        if self.paper is not None:
            for line in self.paper.lines.values():
                for row in line.values():
                    self._check_row(row, "paper")
            if self.paper.goal not in self.columns:
                raise GameError(
                    f"note sheet: there is no column {self.paper.goal!r}, the goal of its paper"
                )

    def _check_row(self, row: str, part: str) -> None:
        if row not in self.rows:
            raise GameError(f"note sheet: there is no row {row!r}, named by its {part}")

    @cached_property
    def rows(self) -> Mapping[str, str]:
        """All rows, in order, with their titles."""
        return {row: title for rows in self.groups.values() for row, title in rows.items()}

    @cached_property
    def descriptions(self) -> Mapping[str, str]:
        """The title of each row without the title of its group."""
        return {
            row: title.removeprefix(f"{group} ")
            for group, rows in self.groups.items()
            for row, title in rows.items()
        }

    def person(self, player: str) -> str:
        """Return the title of a player: the title of the column, or else the name for people."""
        return self.columns.get(player, person(player))

    @cached_property
    def cells(self) -> Mapping[tuple[str, str], Formula]:
        """The formula of each row and column."""
        return {
            (row, column): self.cell(row, column) for row in self.rows for column in self.columns
        }

    def filled(self, cell: Callable[[str, str], T]) -> dict[str, dict[str, T]]:
        """Return the sheet as plain data: the result of `cell` for each row and column."""
        return {row: {column: cell(row, column) for column in self.columns} for row in self.rows}

    @cached_property
    def things(self) -> Sequence[Sequence[Formula]]:
        """The cells about each thing: each cell alone, unless several rows describe one thing."""
        if not self.describes:
            return [[cell] for cell in self.cells.values()]
        return [
            [self.cells[row, column] for row in rows]
            for rows in self.groups.values()
            for column in self.columns
        ]

    @cached_property
    def places(self) -> Mapping[Formula, tuple[str, str]]:
        """The row and the column of each formula."""
        return {atom: place for place, atom in self.cells.items()}

    def held_rows(self, world: World) -> dict[str, list[str]]:
        """Return the rows that are true of each column in a world of plain names."""
        return {
            column: [row for row in self.rows if evaluate(self.cells[row, column], world)]
            for column in self.columns
        }

    def held(self, world: World, *, short: bool = False) -> Mapping[str, Sequence[str]]:
        """Return the content of each column in a world of plain names: titles of rows, or words.

        With `short`, use the codes of rows that have codes.
        """
        if self.contents is not None:
            said = self.contents(world)
            return {column: (words,) if words else () for column, words in said.items()}
        titles = {**self.rows, **self.codes} if short else self.rows
        return {
            column: [titles[row] for row in rows] for column, rows in self.held_rows(world).items()
        }


def _check_titles(kind: str, titles: Mapping[str, str]) -> None:
    for name, title in titles.items():
        if not isinstance(title, str) or not title.strip():
            raise GameError(f"note sheet: {kind} {name!r} has no title")
