"""Chains of counter-worlds, with one world for each "considers possible"."""

from __future__ import annotations

from collections.abc import Iterator

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
) -> list[CounterWorld]:
    """Return the witness of `target`, and the worlds that agents consider possible from there.

    There is one world for each "considers possible" on which the truth of the target depends, the
    innermost last. For beliefs, these are most plausible worlds.
    """
    chain = _Chain(solver)
    chain.step(None, world, target, agents)
    return chain.found


class _Chain:
    """A chain of worlds under construction, each reached from an earlier one."""

    def __init__(self, solver: ModalSolver) -> None:
        self.found: list[CounterWorld] = []
        self._solver = solver

    def step(
        self,
        origin: int | None,
        world: int,
        target: Target,
        agents: tuple[str, ...],
        *,
        plausible: bool = False,
    ) -> None:
        """Add `world`, reached from the world with the index `origin`, and continue from it."""
        shows = negation_normal_form(target.formula)
        there = self._solver.world(world)
        self.found.append(CounterWorld(agents, there, shows, plausible, origin))
        self._go_on(len(self.found) - 1, world, target)

    def _go_on(self, here: int, world: int, target: Target) -> None:
        """Add the worlds that the target needs at `world`; each world is added once."""
        solver = self._solver
        gone: list[tuple[tuple[str, ...], int]] = []
        for proxy in _needed(solver, target.formula, True, world):
            refuted = solver.refuted(proxy)
            if any(
                agents == proxy.agents
                and proxy.operand_literal is not None
                and not solver.implicants.true(proxy.operand, there)
                for agents, there in gone
            ):
                continue  # A world of the chain already shows this.
            if proxy.belief and not proxy.common:
                reached, shown = solver.beliefs.counter_world(proxy, world)
                self.step(here, reached, shown, proxy.agents, plausible=True)
            elif proxy.common:
                there = solver.values_at(world)
                level = first(proxy)
                while (failed := solver.find(there, solver.target(negation(level)))) is None:
                    level = everybody(proxy, level)
                self._go_on(here, failed, solver.target(negation(level)))
            else:
                seen = solver.seen_at(proxy, world)
                other = solver.find(seen, refuted)
                assert other is not None
                other, _ = closer(solver, solver.law, world, other, seen, refuted)
                self.step(here, other, refuted, proxy.agents)
                gone.append((proxy.agents, other))


def _needed(solver: ModalSolver, formula: Formula, truth: bool, world: int) -> Iterator[Proxy]:
    """Yield the false proxies on which the truth of a formula at a world depends.

    The search found the world for the formula, so it has checked the guesses that the formula
    needs.
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
