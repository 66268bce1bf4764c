"""`symkripke who`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from symkripke.cli.options import (
    Limits,
    at_option,
    json_option,
    limit_options,
    log_argument,
    opened,
    plain_option,
)

if TYPE_CHECKING:
    from symkripke.play import Moment
    from symkripke.play.who_knows import Insight


@click.command()
@log_argument
@at_option
@limit_options
@plain_option
@json_option
def who(log: str, turn: int | None, limits: Limits, plain: bool, as_json: bool) -> None:
    """Show which players can know that another player knows the answer, or does not know it.

    The answer is that to the game's question, such as the solution in Cluedo. Each row is for a
    player; each column says what it knows about another one. A log of one seat has one row.
    """
    from symkripke.engines import engine
    from symkripke.play.who_knows import insight

    record, moment = opened(log, turn, engine(), limits)
    with limits.whole("asking who knows") as tell:
        found = insight(moment, tell=tell)
    players = record.setup.players
    rows = [name for name in players if (name, name) in found]
    if as_json:
        data = {
            "turn": moment.turn,
            "who": {row: {other: found[row, other].value for other in players} for row in rows},
        }
        click.echo(json.dumps(data))
        return
    show_insight(moment, found, plain=plain)


def show_insight(moment: Moment[Any, Any], found: Insight, *, plain: bool) -> None:
    """Print what players know about who knows the answer."""
    from rich.text import Text

    from symkripke.cli.console import console, sentence
    from symkripke.cli.display import in_colour, marks, when
    from symkripke.cli.note_sheet import fitted
    from symkripke.engines import Mark
    from symkripke.play.sentences import insight_in_sentences

    out = console()
    if plain:
        out.print(f"What players know {when(moment)} about who knows the answer:")
        for told in insight_in_sentences(moment.layout, found):
            sentence(out, told)
        return
    person, players = moment.layout.person, moment.setup.players
    rows = [name for name in players if (name, name) in found]
    names = [person(name) for name in players]
    drawn = marks()
    table = [
        (
            in_colour(person(row), names),
            {other: Text(*drawn[found[row, other]]) for other in players},
        )
        for row in rows
    ]
    out.print(f"What each player (row) knows {when(moment)} about who knows the answer (column):")
    out.print(fitted(out, {name: person(name) for name in players}, table, names), soft_wrap=True)
    meaning = (
        (Mark.YES, "knows that the other knows it"),
        (Mark.NO, "knows that the other does not"),
        (Mark.OPEN, "cannot tell"),
    )
    out.print(Text(", ".join(f"{drawn[mark][0]} {says}" for mark, says in meaning), style="dim"))
