"""`symkripke sheet`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from symkripke.cli.options import Inquiry, inquiry_options, json_option
from symkripke.errors import InputError


@click.command()
@inquiry_options
@click.option("--odds", "with_odds", is_flag=True, help="Say of what is open how probable it is.")
@click.option("--paper", is_flag=True, help="As it is printed for the game, if that is small.")
@json_option
def sheet(inquiry: Inquiry, with_odds: bool, paper: bool, as_json: bool) -> None:
    """Show the note sheet of a player of a logged game: all that it can know.

    For each card and place: known to be there, known not to be there, or open. Everything
    that follows from what the player has seen is on it; and what it believes besides. Where hands
    grow and shrink, how many cards each player holds stands behind its name.
    """
    if paper and (with_odds or as_json):
        raise click.UsageError("--paper shows marks: expected neither --odds nor --json with it")
    from symkripke.play.odds import cell_odds
    from symkripke.play.positions import state_at

    record, moment, who = inquiry.opened()
    if paper and moment.layout.paper is None:
        raise InputError(f"{moment.game.title} has no other sheet on paper: leave --paper out")
    with inquiry.limits.whole("filling in the sheet"):
        found = moment.marks(who)
        believed = moment.marks(who, believing=True)
        shares = cell_odds(moment, who) if with_odds else {}
    layout = moment.layout
    marks = {place: found[atom] for place, atom in layout.cells.items()}
    beliefs = {place: believed[atom] for place, atom in layout.cells.items()}
    state = state_at(record, moment)[0]
    held = {name: moment.game.standing(moment.setup, state, name) for name in record.setup.players}
    sizes = {name: stands.holds for name, stands in held.items() if stands.holds is not None}
    if as_json:
        data: dict[str, Any] = {
            "player": who,
            "turn": moment.turn,
            "sheet": layout.filled(lambda *place: marks[place].value),
        }
        if sizes:
            data["sizes"] = dict(sizes)
        if beliefs != marks:
            data["believed"] = layout.filled(lambda *place: beliefs[place].value)
        if with_odds:
            from symkripke.play.game_words import exactly

            data["weighting"] = inquiry.weighting
            data["odds"] = layout.filled(lambda *place: exactly(shares[place]))
        click.echo(json.dumps(data))
        return
    from rich.text import Text

    from symkripke.cli.console import console
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

    drawn = signs()

    def cell(row: str, column: str) -> Text:
        if with_odds:
            return shaded(shares[row, column])
        shown = Text(*drawn[marks[row, column]])
        if beliefs[row, column] is not marks[row, column]:
            shown = Text(drawn[beliefs[row, column]][0] + BELIEVED, style="yellow")
        return shown

    def number(rows: Sequence[str], column: str) -> Text:
        if with_odds:
            return expected([shares[row, column] for row in rows])
        known = [marks[row, column] for row in rows]
        return ranged(known, [beliefs[row, column] for row in rows])

    out = console()
    players = record.setup.players
    title = f"What {layout.person(who)} can know {when(moment)}"
    title += f", and how probable the rest is, weighting {inquiry.weighting}:" if with_odds else ":"
    out.print(in_colour(title, [layout.person(name) for name in players]))
    if paper and layout.paper is not None:
        out.print(on_paper(layout, layout.paper, marks))
        out.print(paper_legend(layout, layout.paper))
    elif layout.counts:
        out.print(numbers(layout, players, number, sizes))
        out.print(numbers_legend(average=with_odds))
    else:
        out.print(grid(layout, players, cell, sizes))
        out.print(shades_legend() if with_odds else marks_legend(believed=beliefs != marks))
