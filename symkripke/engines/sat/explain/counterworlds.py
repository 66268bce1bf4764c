"""Ways to a counter-world: one world for each "considers possible", as people would tell it."""

from __future__ import annotations

from collections.abc import Iterator

from symkripke.engines.clock import Meter
from symkripke.engines.sat.modal.common_knowledge import everybody, first
from symkripke.engines.sat.modal.generalisation import closer
from symkripke.engines.sat.modal.proxy import Proxy, Target
from symkripke.engines.sat.modal.search import ModalSolver
from symkripke.explain.evidence import CounterWorld
from symkripke.language import Formula, negation
from symkripke.language import formulas as f
from symkripke.language.walk import negation_normal_form


def counter_worlds(
    solver: ModalSolver,
    world: int,
    target: Target,
    agents: tuple[str, ...],
    meter: Meter | None = None,
    *,
    plausible: bool = False,
) -> list[CounterWorld]:
    """The world that was found for `target`, and worlds that its agents consider possible.

    One world for each "considers possible" that the target rests on there, the innermost
    last; those of beliefs are the most plausible ones, as the first is if that is said.
    """
    found: list[CounterWorld] = []
    _step_to(found, None, solver, world, target, agents, meter, plausible)
    return found


def _step_to(
    found: list[CounterWorld],
    origin: int | None,
    solver: ModalSolver,
    world: int,
    target: Target,
    agents: tuple[str, ...],
    meter: Meter | None,
    plausible: bool = False,
) -> None:
    """To `world`, from the one that stands at the place `origin` of `found`, and on."""
    shows = negation_normal_form(target.formula)
    found.append(CounterWorld(agents, solver.world(world), shows, plausible, origin))
    _continue_from(found, len(found) - 1, solver, world, target, meter)


def _continue_from(
    found: list[CounterWorld],
    here: int | None,
    solver: ModalSolver,
    world: int,
    target: Target,
    meter: Meter | None,
) -> None:
    """From `world` on: all ways that the target rests on there, but for those that go together."""
    gone: list[tuple[tuple[str, ...], int]] = []
    for proxy in _needed(solver, target.formula, True, world):
        refuted = solver.refuted(proxy)
        if any(
            agents == proxy.agents and proxy.plain is not None and not _true(solver, proxy, there)
            for agents, there in gone
        ):
            continue  # A world that is told already shows this, too.
        if proxy.belief and not proxy.common:
            reached, shown = solver.beliefs.counter_world(proxy, world, meter)
            _step_to(found, here, solver, reached, shown, proxy.agents, meter, plausible=True)
        elif proxy.common:
            there = solver.values_at(world)
            level = first(proxy)
            while (failed := solver.find(there, solver.target(negation(level)), meter)) is None:
                level = everybody(proxy, level)
            _continue_from(found, here, solver, failed, solver.target(negation(level)), meter)
        else:
            seen = solver.seen_at(proxy, world)
            other = solver.find(seen, refuted, meter)
            assert other is not None
            other, _ = closer(solver, solver.law, world, other, seen, refuted, meter)
            _step_to(found, here, solver, other, refuted, proxy.agents, meter)
            gone.append((proxy.agents, other))


def _true(solver: ModalSolver, proxy: Proxy, world: int) -> bool:
    """Whether what it is about, a fact, is true at a world."""
    return solver.implicants.true(proxy.operand, world)


def _needed(solver: ModalSolver, formula: Formula, truth: bool, world: int) -> Iterator[Proxy]:
    """What is not known at a world, on which it rests there that a formula has this truth.

    The world was found for the formula: its guesses are right as far as that rests on them.
    """
    match formula:
        case f.K() | f.D() | f.C() | f.B() | f.CB():
            if not truth:
                yield solver.proxies[formula]
        case f.Not(operand):
            yield from _needed(solver, operand, not truth, world)
        case f.And(operands) | f.Or(operands):
            parts = [part for part in operands if solver.guessed(part)(world) is truth]
            every = isinstance(formula, f.And) is truth
            for part in parts if every else parts[:1]:
                yield from _needed(solver, part, truth, world)
        case f.Implies(left, right):
            yield from _needed(solver, negation(left) | right, truth, world)
        case f.Iff() | f.Cardinality():
            for part in formula.operands:
                yield from _needed(solver, part, solver.guessed(part)(world), world)
