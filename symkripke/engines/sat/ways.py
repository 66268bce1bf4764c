"""Ways to a counter-world: one world for each "considers possible", as people would tell it."""

from __future__ import annotations

from symkripke.engines.evidence import CounterWorld
from symkripke.engines.sat.certificates import Target
from symkripke.engines.sat.lifting import closer
from symkripke.engines.sat.modulo import ModalSolver
from symkripke.engines.sat.plausible import counter_world
from symkripke.engines.sat.solver import Meter
from symkripke.engines.sat.together import everybody, first
from symkripke.language import formulas as f
from symkripke.language import negation
from symkripke.language.walk import negation_normal_form


def chain(
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
    _go(found, None, solver, world, target, agents, meter, plausible)
    return found


def _go(
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
    _on(found, len(found) - 1, solver, world, target, meter)


def _on(
    found: list[CounterWorld],
    here: int | None,
    solver: ModalSolver,
    world: int,
    target: Target,
    meter: Meter | None,
) -> None:
    """From `world` on: of a conjunction all ways that it rests on, else one."""
    every = isinstance(negation_normal_form(target.formula), f.And)
    for proxy, _, if_false in target.proxies:
        if not if_false or (world >> proxy.literal) & 1:
            continue
        refuted = solver.refuted(proxy)
        if proxy.belief and not proxy.common:
            reached, shown = counter_world(solver, proxy, world, meter)
            _go(found, here, solver, reached, shown, proxy.agents, meter, plausible=True)
        elif proxy.common:
            there = [solver.law.value(name, world) for name in solver.law.fluents]
            level = first(proxy)
            while (failed := solver.find(there, solver.target(negation(level)), meter)) is None:
                level = everybody(proxy, level)
            _on(found, here, solver, failed, solver.target(negation(level)), meter)
        else:
            seen = solver.at(proxy.observed, world)
            other = solver.find(seen, refuted, meter)
            assert other is not None
            other, _ = closer(solver, solver.law, world, other, seen, refuted, meter)
            _go(found, here, solver, other, refuted, proxy.agents, meter)
        if not every:
            break
