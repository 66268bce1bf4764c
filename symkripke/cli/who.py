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
    r"""Show which players know whether another player knows the answer.

    \b
    symkripke who game.jsonl --at 12

    The answer is the answer to the game's question, such as the solution in Cluedo. Each row shows
    the knowledge of one player; each column is about another player. A log of one seat has one row.
    """
    from symkripke.engines import engine
    from symkripke.play.knowledge_matrix import insight

    record, moment = opened(log, turn, engine(), limits)
    with limits.whole("asking who knows") as tell:
        known = insight(moment, tell=tell)
    if as_json:
        players = record.setup.players
        rows = [name for name in players if (name, name) in known]
        table = {row: {other: known[row, other].value for other in players} for row in rows}
        put_json({"turn": moment.turn, "who": table})
        return
    from symkripke.cli.console import console
    from symkripke.cli.screens import show_insight

    show_insight(console(), moment, known, plain=plain)
