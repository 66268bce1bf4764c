"""`symkripke who`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symkripke.cli.commands import command
from symkripke.cli.options import AT, JSON, LIMITS, LOG, PLAIN, Limits, opened, put_json

if TYPE_CHECKING:
    from symkripke.play import Moment
    from symkripke.play.who_knows import Insight


@command()
def who(
    log: str = LOG,
    turn: int | None = AT,
    limits: Limits = LIMITS,
    plain: bool = PLAIN,
    as_json: bool = JSON,
) -> None:
    """Show which players can know that another player knows the answer, or does not know it.

    The answer is that to the game's question: in Cluedo, the solution. Each row is for a player;
    each column says what that player knows about another one. A log of one seat has one row.
    """
    from symkripke.engines import engine
    from symkripke.play.who_knows import insight

    record, moment = opened(log, turn, engine(), limits)
    with limits.whole("asking who knows") as tell:
        found = insight(moment, tell=tell)
    players = record.setup.players
    rows = [name for name in players if (name, name) in found]
    if as_json:
        table = {row: {other: found[row, other].value for other in players} for row in rows}
        put_json({"turn": moment.turn, "who": table})
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
