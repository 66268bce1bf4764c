"""A note sheet that is filled in at a moment: on the terminal, in sentences, as data."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from symkripke.cli.console import sentence
from symkripke.cli.display import in_colour, when
from symkripke.cli.display import marks as signs
from symkripke.cli.note_sheet import (
    BELIEVED,
    expected,
    grid,
    marks_legend,
    numbers,
    numbers_legend,
    on_paper,
    paper_legend,
    ranged,
    shaded,
    shades_legend,
)
from symkripke.engines import Mark
from symkripke.language import Formula
from symkripke.play.layout import Layout
from symkripke.play.odds import cell_odds
from symkripke.play.sentences import sheet_in_sentences

if TYPE_CHECKING:
    from symkripke.play import Moment, State

Place = tuple[str, str]
"""A row and a column."""


@dataclass(frozen=True)
class FilledSheet:
    """The note sheet of a player at a moment.

    Attributes:
        moment: when.
        player: who.
        marks: what is known, by row and column.
        beliefs: what is believed.
        sizes: how many cards players hold, where hands grow and shrink.
        shares: how probable each cell is; None: not asked.
        weighting: how worlds are weighed for that.
    """

    moment: Moment[Any, Any]
    player: str
    marks: Mapping[Place, Mark]
    beliefs: Mapping[Place, Mark]
    sizes: Mapping[str, int]
    shares: Mapping[Place, Fraction] | None = None
    weighting: str = ""

    @classmethod
    def of(
        cls,
        moment: Moment[Any, Any],
        player: str,
        state: State[Any],
        *,
        weighting: str = "",
        known: Mapping[Formula, Mark] | None = None,
    ) -> FilledSheet:
        """The sheet of a player.

        Args:
            moment: when.
            player: who.
            state: the position then, as the rules see it.
            weighting: how worlds are weighed, if it shall be said how probable cells are.
            known: the marks, if they have been found already.
        """
        layout = moment.layout
        found = moment.marks(player) if known is None else known
        believed = moment.marks(player, believing=True)
        standings = {
            name: moment.game.standing(moment.setup, state, name) for name in moment.setup.players
        }
        return cls(
            moment,
            player,
            {place: found[cell] for place, cell in layout.cells.items()},
            {place: believed[cell] for place, cell in layout.cells.items()},
            {name: held.holds for name, held in standings.items() if held.holds is not None},
            cell_odds(moment, player) if weighting else None,
            weighting,
        )

    @property
    def layout(self) -> Layout:
        """The note sheet."""
        return self.moment.layout

    @property
    def title(self) -> str:
        """The title of the sheet; it ends in a colon."""
        told = f"What {self.layout.person(self.player)} can know {when(self.moment)}"
        if self.shares is not None:
            told += f", and how probable the rest is, weighting {self.weighting}"
        return f"{told}:"

    # ---- on the terminal -----------------------------------------------------------------------

    def show(
        self, out: Console, *, paper: bool = False, new: Collection[Place] = (), title: bool = True
    ) -> None:
        """Print it as a table.

        Args:
            out: where.
            paper: whether in the form printed for the game; the layout must have a `paper`.
            new: the cells to be highlighted.
            title: whether to print the title.
        """
        layout, players = self.layout, self.moment.setup.players
        if title:
            out.print(in_colour(self.title, [layout.person(name) for name in players]))
        if paper and layout.paper is not None:
            out.print(on_paper(layout, layout.paper, self.marks))
            out.print(paper_legend(layout, layout.paper))
            return
        if layout.counts:
            out.print(numbers(out, layout, players, self._number, self.sizes), soft_wrap=True)
            out.print(numbers_legend(average=self.shares is not None))
            return

        def cell(row: str, column: str) -> Text:
            shown = self._cell(row, column)
            if (row, column) in new:
                shown.stylize("reverse")
            return shown

        out.print(grid(out, layout, players, cell, self.sizes), soft_wrap=True)
        believed = self.beliefs != self.marks
        out.print(shades_legend() if self.shares is not None else marks_legend(believed=believed))

    def _cell(self, row: str, column: str) -> Text:
        place = row, column
        if self.shares is not None:
            return shaded(self.shares[place])
        drawn = signs()
        if self.beliefs[place] is not self.marks[place]:
            return Text(drawn[self.beliefs[place]][0] + BELIEVED, style="yellow")
        return Text(*drawn[self.marks[place]])

    def _number(self, rows: Sequence[str], column: str) -> Text:
        if self.shares is not None:
            return expected([self.shares[row, column] for row in rows])
        known = [self.marks[row, column] for row in rows]
        return ranged(known, [self.beliefs[row, column] for row in rows])

    # ---- in words and as data ------------------------------------------------------------------

    def say(self, out: Console) -> None:
        """Print it in sentences."""
        sentence(out, self.title)
        for told in sheet_in_sentences(
            self.layout, self.marks, self.beliefs, self.sizes, self.shares
        ):
            sentence(out, told)

    def data(self) -> dict[str, Any]:
        """The sheet as plain data, for JSON."""
        layout = self.layout
        data: dict[str, Any] = {
            "player": self.player,
            "turn": self.moment.turn,
            "sheet": layout.filled(lambda *place: self.marks[place].value),
        }
        if self.sizes:
            data["sizes"] = dict(self.sizes)
        if self.beliefs != self.marks:
            data["believed"] = layout.filled(lambda *place: self.beliefs[place].value)
        if self.shares is not None:
            from symkripke.explain.data import exactly

            shares = self.shares
            data["weighting"] = self.weighting
            data["odds"] = layout.filled(lambda *place: exactly(shares[place]))
        return data
