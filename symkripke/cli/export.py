"""`symkripke export`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from symkripke.cli.commands import argument, command, flag, option
from symkripke.cli.options import AT, LIMITS, OUTPUT, SPOIL, Limits, Output, named

if TYPE_CHECKING:
    from symkripke.language import Formula
    from symkripke.model import EpistemicState, KnowledgeStructure


@command()
def export(
    file: str = argument(type=click.Path()),
    formula: str = argument(),
    form: str = option("--format", "NAME", "dimacs, qdimacs, smtlib, dot.", required=True),
    turn: int | None = AT,
    player: str | None = option(
        "--player", "NAME", "Use what this player has seen, not the whole truth."
    ),
    valid: bool = flag("--valid", "Ask about every world that is commonly considered possible."),
    output: Output = OUTPUT,
    spoil: bool = SPOIL,
    limits: Limits = LIMITS,
) -> None:
    r"""Export the question whether FORMULA is true, for another solver.

    \b
    symkripke export game.jsonl "K[plum] at(rope, envelope)" --format dimacs -o question.cnf

    FILE is the log of a game, or a problem file. The question is asked after all events of a
    problem file (--at N: after the first N), at its actual world if it has one.

    \b
    dimacs    one K or M over facts: a question for one call of a SAT solver
    qdimacs   anything but C, P and B, for a solver of quantified Boolean formulas
    smtlib    anything but C, P and B, for an SMT solver
    dot       a picture of all worlds (at most 100); the worlds with FORMULA are grey

    Comments in the file state the meaning of "satisfiable". The same question gives the same text.
    """
    from symkripke.problems.export import export as exported

    if valid and player is not None:
        raise click.UsageError("--valid and --player cannot be combined")
    output.check()
    place, asked = _question(file, formula, turn, player, valid, limits)
    with limits.whole("translating"):
        text = exported(place, asked, form)
    output.put(text)


def _question(
    file: str, formula: str, turn: int | None, player: str | None, valid: bool, limits: Limits
) -> tuple[EpistemicState | KnowledgeStructure, Formula | str]:
    """Return the place of the question, in a logged game or a problem file, and the formula."""
    from symkripke.files import read_text

    if not read_text(file).lstrip().startswith("{"):
        return _in_problem(file, turn, player, valid, limits), formula
    from symkripke.cli.options import opened
    from symkripke.engines import engine

    record, moment = opened(file, turn, engine(), limits, player)
    with limits.whole("reading the formula"):
        asked = moment.formula(formula)
    if valid:
        return moment.structure, asked
    if player is None:
        return moment.state, asked
    return moment.perspective(named("player", player, record.setup.players)), asked


def _in_problem(
    file: str, events: int | None, agent: str | None, valid: bool, limits: Limits
) -> EpistemicState | KnowledgeStructure:
    from symkripke.errors import InputError
    from symkripke.problems.checker import Run
    from symkripke.problems.files import load
    from symkripke.problems.problem import Occurring, Plan

    with limits.whole(f"reading {file}"):
        problem = load(file).problem
        run = Run(problem, count=False)
        run.beginning()
    steps = [step for step in problem.steps if isinstance(step, Occurring | Plan)]
    if events is not None and not 0 <= events <= len(steps):
        raise InputError(f"expected --at from 0 to {len(steps)} (what happens), got {events}")
    for step in steps[:events]:
        with limits.whole(f"line {step.place.line}"):
            run.take(step)
    if agent is None:
        return run.structure if valid or run.scene is None else run.scene
    if run.scene is None:
        raise InputError(f"{file} has no actual world, so nobody has seen anything of it")
    return run.scene.perspective(named("agent", agent, run.structure.agents))
