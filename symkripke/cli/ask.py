"""`symkripke ask`."""

from __future__ import annotations

import click

from symkripke.cli import options
from symkripke.cli.commands import argument, command


@command()
def ask(
    log: str = options.LOG,
    formula: str | None = argument(required=False),
    turn: int | None = options.AT,
    why: bool = options.WHY,
    engine_name: str = options.ENGINE,
    weighting: str | None = options.weighting(),
    quiz: bool = options.QUIZ,
    limits: options.Limits = options.LIMITS,
    as_json: bool = options.JSON,
) -> None:
    r"""Ask whether FORMULA is true at a turn of a logged game; without one, open a prompt.

    \b
    symkripke ask game.jsonl "K[plum] at(rope, envelope)" --at 12 --why

    These are formulas about Cluedo; `symkripke games GAME` lists the formulas of any game:

    \b
    K[plum] at(rope, envelope)        Plum knows that the rope is in the envelope
    M[green] holds(plum, hall)        Green considers it possible that Plum holds the hall
    Kw[white] holds(green, rope)      White knows whether Green holds the rope
    K[plum] knows_solution(green)     Plum knows that Green knows the solution
    M[plum] knows_solution(green)     Plum considers it possible that Green knows it
    C[*] ~holds(plum, rope)           it is common knowledge that Plum does not hold the rope
    B[plum] at(rope, envelope)        Plum believes that the rope is in the envelope
    CB[*] at(rope, envelope)          it is common belief
    P[plum](at(rope, envelope))       how likely is it, for Plum, that the rope is there?
    P[plum](at(rope, envelope)) >= 1/2     is the probability at least 1/2?
    P[plum | ~holds(green, rope)](at(rope, envelope))     given that Green lacks the rope
    """
    from symkripke.engines import engine

    if quiz and as_json:
        raise click.UsageError("--quiz and --json cannot be combined")

    _, moment = options.opened(log, turn, engine(), limits)
    chosen = moment.game.engine(engine_name, weighting)
    if formula is None:
        from symkripke.cli.game_repl import Questions

        asking = Questions(moment, chosen, why=why, limits=limits, quizzed=quiz)
        click.get_current_context().exit(asking.hold())
    if quiz:
        from symkripke.cli.quiz import Quiz

        asking_first = Quiz(limits)
        asking_first.of_formula(moment, chosen, formula)
        asking_first.end()
        return
    from symkripke.cli.answer import Reply

    reply = Reply.to(moment, chosen, formula, limits, why=why)
    if as_json:
        options.put_json(reply.data(why=why))
    else:
        reply.show(why=why)
