"""`symkripke who`."""

from __future__ import annotations

from symkripke.cli.commands import command
from symkripke.cli.options import AT, JSON, LIMITS, LOG, PLAIN, Limits, opened, put_json


@command()
def who(
    log: str = LOG,
    turn: int | None = AT,
    limits: Limits = LIMITS,
    plain: bool = PLAIN,
    as_json: bool = JSON,
) -> None:
    r"""Show what players know about the knowledge of others.

    \b
    symkripke who game.jsonl --at 12

    The answer is the answer to the game's question, such as the solution in Cluedo. Each row shows
    the knowledge of one player; each column is about another player. A log of one seat has one row.
    In Hanabi, show what each player knows about their own cards, and about the others' knowledge of
    theirs.
    """
    from symkripke.cli.console import console
    from symkripke.cli.screens import show_insight, show_own_things
    from symkripke.engines import engine
    from symkripke.play.knowledge_matrix import insight, own_things

    record, moment = opened(log, turn, engine(), limits)
    if moment.layout.describes:
        with limits.whole("asking who knows what") as tell:
            things = own_things(moment, tell)
        if as_json:
            filled = moment.layout.filled
            marks = {i: filled(lambda *at, i=i: things[i][at].value) for i in things}
            put_json({"turn": moment.turn, "who": marks})
        else:
            show_own_things(console(), moment, things, plain=plain)
        return
    with limits.whole("asking who knows") as tell:
        known = insight(moment, tell=tell)
    if as_json:
        players = record.setup.players
        rows = [name for name in players if (name, name) in known]
        table = {row: {other: known[row, other].value for other in players} for row in rows}
        put_json({"turn": moment.turn, "who": table})
    else:
        show_insight(console(), moment, known, plain=plain)
