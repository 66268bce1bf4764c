"""`symkripke odds`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from symkripke.cli.commands import command, option
from symkripke.cli.options import JSON, PLAIN, Inquiry, inquiry, put_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from symkripke.play import Moment, Prospect, View
    from symkripke.play.odds import Odds

_BAR = 20


@command()
def odds(
    asked: Inquiry = inquiry("equal"),
    top: int = option(
        "--top", "N", "Show so many answers.", type=click.IntRange(min=0), default=10
    ),
    plain: bool = PLAIN,
    as_json: bool = JSON,
) -> None:
    """Show how probable everything is to a player of a logged game.

    It shows the probability of each place of each card, and the most probable answers to the game's
    question (in Cluedo: solutions). Probabilities are exact; JSON has them as fractions. With
    --weighting bayes, a world counts less if a player had more choices in it, because it explains
    the events less well.
    """
    from symkripke.play.positions import view_at

    record, moment, who = asked.opened()
    with asked.limits.whole("counting deals"):
        view = view_at(record, moment, who)
        found, moves = count_odds(moment, view)
    if as_json:
        put_json(_data(moment, found, moves, asked.weighting, top))
    else:
        now = view.decision is not None
        show_odds(moment, found, moves, asked.weighting, top, now=now, plain=plain)


def count_odds(moment: Moment[Any, Any], view: View[Any, Any]) -> tuple[Odds, Sequence[Prospect]]:
    """How probable everything is for the viewer.

    With the moves that it could make, if the game says how they may succeed.
    """
    from symkripke.play.odds import odds as counted

    found = counted(moment, view.player)
    advisor = moment.game.advisor
    return found, () if advisor is None else advisor.prospects(view, moment.engine)


def _data(
    moment: Moment[Any, Any], found: Odds, moves: Sequence[Prospect], weighting: str, top: int
) -> dict[str, Any]:
    from symkripke.explain.data import exactly
    from symkripke.play.game_words import answer_in_words

    data: dict[str, Any] = {
        "player": found.player,
        "turn": moment.turn,
        "weighting": weighting,
        "deals": found.deals,
        "cells": moment.layout.filled(lambda *place: exactly(found.cells[place])),
    }
    if found.entropy is not None:
        data["question"] = moment.game.question
        data["number"] = len(found.answers)
        data["entropy"] = found.entropy
        data["answers"] = [
            {
                "title": answer_in_words(moment, found.player, true),
                "atoms": [str(atom) for atom in true],
                **exactly(share),
            }
            for true, share in found.answers[:top]
        ]
    if moves:
        data["moves"] = [
            {
                "title": move.title,
                "data": dict(move.data),
                "chances": {name: exactly(share) for name, share in move.chances.items()},
            }
            for move in moves
        ]
    return data


def show_odds(
    moment: Moment[Any, Any],
    found: Odds,
    moves: Sequence[Prospect],
    weighting: str,
    top: int,
    *,
    now: bool,
    plain: bool,
) -> None:
    """Print how probable everything is; `now`: it is that player's turn."""
    from symkripke.cli.console import console, sentence
    from symkripke.cli.display import in_colour, when
    from symkripke.cli.note_sheet import put
    from symkripke.play.views.sheet import FilledSheet

    layout, players = moment.layout, moment.setup.players
    out = console()
    names = [layout.person(name) for name in players]
    title = f"What {layout.person(found.player)} considers probable {when(moment)}"
    out.print(in_colour(f"{title}, weighting {weighting}:", names))
    if plain:
        from symkripke.play.sentences import odds_in_sentences

        for told in odds_in_sentences(layout, found.cells):
            sentence(out, told)
    else:
        filled = FilledSheet.of_shares(moment, found.player, found.cells)
        put(out, filled.sheet, names)
    out.print(f"\nDeals possible now: {found.deals:,}")
    if found.entropy is not None:
        _answers(moment, found, top, plain=plain)
    if moves:
        _moves(moment, found.player, moves, now=now, plain=plain)


def _answers(moment: Moment[Any, Any], found: Odds, top: int, *, plain: bool) -> None:
    """The most probable answers to the game's question."""
    from rich.text import Text

    from symkripke.cli.console import console, say
    from symkripke.cli.display import bar
    from symkripke.explain.text import percent
    from symkripke.play.game_words import answer_in_words

    out = console()
    question = moment.game.question.capitalize()
    out.print(f"{question} possible now: {len(found.answers):,}, {found.entropy:.2f} bits open")
    most = float(found.answers[0][1])
    for true, share in found.answers[:top]:
        line = Text(f"  {percent(share):>6} ")
        if not plain:
            line.append(f"{bar(float(share), most, _BAR):<{_BAR}}", style="yellow")
        line.append(f"  {answer_in_words(moment, found.player, true)}")
        say(out, line)
    rest = found.answers[top:]
    if rest:
        together = sum((share for _, share in rest), Fraction(0))
        out.print(f"  {percent(together):>6}  the other {len(rest):,} together")


def _moves(
    moment: Moment[Any, Any], player: str, moves: Sequence[Prospect], *, now: bool, plain: bool
) -> None:
    """The moves that the player could make, with the probability that each succeeds.

    `now`: whether it is the player's turn.
    """
    from rich.table import Table
    from rich.text import Text

    from symkripke.cli.console import console, say
    from symkripke.cli.display import bar, plain_table
    from symkripke.explain.text import percent

    out = console()
    who = moment.layout.person(player)
    kinds = list(moves[0].chances)
    heading = f"{who}'s moves" if now else f"Moves, were it {who}'s turn"
    out.print()
    if plain:
        out.print(f"{heading}:")
        for move in moves:
            told = ", ".join(f"{percent(move.chances[kind])} by {kind}" for kind in kinds)
            say(out, Text(f"  {move.title}: {told}"))
        return

    def table(width: int) -> Table:
        """With bars so wide."""
        drawn = plain_table()
        drawn.add_column(heading)
        for kind in kinds:
            drawn.add_column(f"by {kind}", justify="left")
        for move in moves:
            cells = []
            for kind in kinds:
                share = move.chances[kind]
                cell = Text(f"{bar(float(share), 1, width):<{width}}" if width else "")
                cell.stylize("green")
                # fractions are for JSON
                cells.append(cell.append(f" {percent(share):>6}", style=""))
            drawn.add_row(move.title, *cells)
        return drawn

    wide = table(_BAR // 2)
    fits = not out.is_terminal or out.measure(wide).maximum <= out.width
    out.print(wide if fits else table(0))
