"""A note sheet on the terminal: as a table, or in sentences."""

from __future__ import annotations

from rich.console import Console

from symkripke.cli.console import sentence
from symkripke.cli.display import in_colour, when
from symkripke.cli.note_sheet import on_paper, paper_legend, put
from symkripke.play.sentences import sheet_in_sentences
from symkripke.play.views.sheet import FilledSheet


def _title(filled: FilledSheet, weighting: str) -> str:
    told = f"What {filled.moment.layout.person(filled.player)} can know {when(filled.moment)}"
    if filled.shares is not None:
        told += f", and how probable the rest is, weighting {weighting}"
    return f"{told}:"


def show(
    out: Console,
    filled: FilledSheet,
    *,
    weighting: str = "",
    paper: bool = False,
    plain: bool = False,
    title: bool = True,
) -> None:
    """Print a note sheet.

    Args:
        out: where.
        filled: the sheet.
        weighting: how worlds are weighed, if probabilities are shown.
        paper: whether in the form printed for the game; the layout must have a `paper`.
        plain: whether in sentences.
        title: whether to print the title of a table.
    """
    layout = filled.moment.layout
    if plain:
        sentence(out, _title(filled, weighting))
        for told in sheet_in_sentences(
            layout, filled.known, filled.believed, filled.sizes, filled.shares
        ):
            sentence(out, told)
        return
    names = [layout.person(name) for name in filled.moment.setup.players]
    if title:
        out.print(in_colour(_title(filled, weighting), names))
    if paper and layout.paper is not None:
        out.print(on_paper(layout, layout.paper, filled.known))
        out.print(paper_legend(layout, layout.paper))
        return
    put(out, filled.sheet, names)
