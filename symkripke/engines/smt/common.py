"""Common knowledge at a world, for structures with numbers.

The formula C_G f is false if some path of steps of members leads to a world without f. Paths of up
to `PATHS` steps are tried one by one, each by one question to z3. The formula is true if an
inductive invariant separates the start from all worlds without f: z3's Spacer looks for it. Its
invariants are linear, so it misses, for example, some that need the parity of a sum. The last
attempt is the fixed point of the sets of worlds (see `truth_sets`).
"""

from __future__ import annotations

from typing import Any

import z3

from symkripke import limits
from symkripke.engines.smt.translation import Stage
from symkripke.engines.smt.truth_sets import TruthSets, renamed
from symkripke.errors import NoAnswerWithin, Unsupported
from symkripke.language import Atom, Formula, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.language.linear import Sum
from symkripke.model.vocabulary import Number

PATHS = 10
"""The maximum number of steps of a path."""

_SECONDS = 5.0
"""The maximum time for the search for an invariant, in seconds."""


def path_to(
    sets: TruthSets, stage: Stage, group: tuple[str, ...], start: Formula, goal: Formula
) -> list[tuple[str, dict[str, str]]] | None:
    """Return a shortest path from a start world to a goal; None if there is no short one.

    Each step is the agent and the world that it reaches; the first step has no agent.
    """
    law, names = sets.law(stage), tuple(stage.structure.vocabulary.fluents)
    solver = sets.numbers.solver(law, start)
    for steps in range(PATHS + 1):
        if sets.numbers.check(solver, goal):
            model = solver.model()
            path = [("", sets.numbers.world(model, names))]
            for frame in range(1, steps + 1):
                there = [_at(name, frame) for name in names]
                values = sets.numbers.world(model, there).values()
                agents = (
                    agent
                    for agent in group
                    if z3.is_true(
                        model.eval(
                            sets.numbers.expression(_same(stage, agent, frame - 1)),
                            model_completion=True,
                        )
                    )
                )
                path.append((next(agents), dict(zip(names, values, strict=True))))
            return path
        here = [_at(name, steps) for name in names]
        law, goal = renamed(law, here), renamed(goal, here)
        sets.numbers.add(solver, law, disjunction(_same(stage, agent, steps) for agent in group))
    return None


def _at(name: str, frame: int) -> str:
    return name + "'" * frame


def _same(stage: Stage, agent: str, frame: int) -> Formula:
    """Return the formula stating that an agent cannot tell two consecutive worlds of a path."""
    fluents = stage.structure.vocabulary.fluents
    parts: list[Formula] = []
    for atom in stage.seen((agent,)):
        here, there = _at(atom.fluent, frame), _at(atom.fluent, frame + 1)
        fluent = fluents[atom.fluent]
        if isinstance(fluent, Number):
            one = Sum.of(here, is_real=fluent.is_real)
            parts.append(f.linear(one.plus(Sum.of(there, is_real=fluent.is_real), -1), "="))
        else:
            parts.append(f.Iff(Atom(here, atom.value), Atom(there, atom.value)))
    return conjunction(parts)


def is_common(
    sets: TruthSets, stage: Stage, group: tuple[str, ...], start: Formula, operand: Formula
) -> bool:
    """Return whether a formula is common knowledge at the start worlds.

    Raises:
        Unsupported: no attempt decides it; the message says what was tried.
    """
    body = sets.truth(stage, operand)
    if path_to(sets, stage, group, start, negation(body)) is not None:
        return False
    reached = _reached(sets, stage, group, start, negation(body))
    if reached is not None:
        return not reached
    try:
        common = sets.truth(stage, f.C(group, operand))
    except Unsupported as error:
        raise Unsupported(
            f"C[{', '.join(group)}] has no answer here: no path of up to {PATHS} steps refutes it, "
            f"Spacer finds no linear invariant in {_SECONDS:g} s, and {error}"
        ) from None
    return not sets.numbers.satisfiable(sets.law(stage), start, negation(common))


def _reached(
    sets: TruthSets, stage: Stage, group: tuple[str, ...], start: Formula, goal: Formula
) -> bool | None:
    """Return whether steps lead from a start world to a goal; None if Spacer does not know."""
    numbers, fluents = sets.numbers, stage.structure.vocabulary.fluents

    def constants(frame: int, seen: frozenset[Atom] = frozenset()) -> list[Any]:
        """Return the constants of a world; those that are seen are of the first world."""
        made = []
        for name, fluent in fluents.items():
            for atom in fluent.atoms:
                at = name if atom in seen else _at(name, frame)
                if isinstance(fluent, Number):
                    made.append(numbers.sum(Sum.of(at, is_real=fluent.is_real)))
                else:
                    made.append(numbers.expression(Atom(at, atom.value)))
        return made

    def stated(formula: Formula) -> Any:
        every = (formula, *numbers.domains(formula))
        return numbers.expression(conjunction(every))

    law = stated(sets.law(stage))
    steps = [(law, constants(1, frozenset(stage.seen((agent,))))) for agent in group]
    later = renamed(renamed(start, fluents), map(_primed, fluents))
    try:
        with limits.within(seconds=_SECONDS):
            return numbers.asking.reachable(
                constants(0), z3.And(law, stated(goal)), steps, constants(2), stated(later)
            )
    except NoAnswerWithin:
        limits.check()
        return None


def _primed(name: str) -> str:
    return _at(name, 1)
