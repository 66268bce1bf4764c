"""`symkripke ask`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from symkripke.cli.commands import argument, command
from symkripke.cli.options import (
    AT,
    ENGINE,
    JSON,
    LIMITS,
    LOG,
    QUIZ,
    WHY,
    Limits,
    opened,
    put_json,
)
from symkripke.cli.options import weighting as weighting_option

if TYPE_CHECKING:
    from symkripke.engines import Engine
    from symkripke.play import Moment


# In a block behind \b click keeps the lines as they are.
_HELP = """Ask whether a FORMULA is true at a turn of a logged game; without one, open a prompt.

Of Cluedo, for example (`symkripke games GAME` has others, and what formulas can speak of):

\b
K[plum] at(rope, envelope)        Plum knows that the rope is in the envelope
M[green] holds(plum, hall)        Green considers it possible that Plum holds the hall
Kw[white] holds(green, rope)      White knows whether Green holds the rope
K[plum] knows_solution(green)     Plum knows that Green knows the solution
M[plum] knows_solution(green)     Plum considers it possible that Green knows it
C[*] ~holds(plum, rope)           it is common knowledge that Plum does not hold the rope
B[plum] at(rope, envelope)        Plum believes it: Plum knows it, or was told so
CB[*] at(rope, envelope)          it is common belief
P[plum](at(rope, envelope))       how probable is it for Plum that the rope is there?
P[plum](at(rope, envelope)) >= 1/2     is that at least 1/2?
P[plum | ~holds(green, rope)](at(rope, envelope))     given that Green lacks the rope
"""


@command(text=_HELP)
def ask(
    log: str = LOG,
    formula: str | None = argument(required=False),
    turn: int | None = AT,
    why: bool = WHY,
    engine_name: str = ENGINE,
    weighting: str = weighting_option("equal"),
    quiz: bool = QUIZ,
    limits: Limits = LIMITS,
    as_json: bool = JSON,
) -> None:
    """Ask whether a formula is true; without one, open a prompt."""
    from symkripke.engines import engine

    if quiz and as_json:
        raise click.UsageError("--quiz and --json: expected one of them")

    chosen = engine(engine_name, weighting)
    _, moment = opened(log, turn, engine(), limits)
    if formula is None:
        from symkripke.cli.game_repl import Questions

        asking = Questions(moment, chosen, why=why, limits=limits, quizzed=quiz)
        click.get_current_context().exit(asking.hold())
    if as_json:
        put_json(_data(moment, chosen, formula, why, limits))
    elif quiz:
        from symkripke.cli.line_reader import LineReader
        from symkripke.cli.quiz import Quiz

        asking_first = Quiz(LineReader(Quiz.history), limits)
        asking_first.of_formula(moment, chosen, formula)
        asking_first.end()
    else:
        from symkripke.cli.display import show_answer

        show_answer(moment, chosen, formula, why=why, limits=limits)


def _data(
    moment: Moment[Any, Any], chosen: Engine, formula: str, why: bool, limits: Limits
) -> dict[str, Any]:
    from symkripke.cli.display import asked_within, reason_within, weighting_of
    from symkripke.engines.reasons import whole_evidence
    from symkripke.errors import BudgetExceeded, Unsupported
    from symkripke.explain.data import as_data, exactly
    from symkripke.language import Chance
    from symkripke.play.game_words import open_changes

    with limits.whole("reading the formula"):
        asked = moment.question(formula)
    if isinstance(asked, Chance):
        with limits.step("counting"):
            share = moment.probability(asked.agent, asked.operand, chosen, given=asked.given)
        return {
            "formula": formula,
            "turn": moment.turn,
            "weighting": weighting_of(chosen),
            **exactly(share),
        }
    with asked_within(limits, why=why):
        answer = moment.ask(asked, engine=chosen)
    data: dict[str, Any] = {
        "formula": formula,
        "turn": moment.turn,
        "engine": answer.engine,
        "holds": bool(answer),
    }
    if why:
        if answer.reason:
            data["reason"] = answer.reason
        try:
            with reason_within(limits):
                data["why"] = as_data(whole_evidence(answer, moment.structure, chosen))
        except (Unsupported, BudgetExceeded) as error:
            data["no_reason"] = str(error)
        if seen := open_changes(moment, asked):
            data["seen_by_all"] = list(seen)
    return data
