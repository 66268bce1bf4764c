"""Beliefs modulo SAT: what agents believe at a world of a `ModalSolver`, and lemmas that say so.

What j believes at a world depends on what j observes there, and on nothing else. So from the
observation alone the order is walked down: with S kept so far, a soft constraint s is kept if there
is a world with that observation, S and s. Else the observations that the refutation used
(an unsatisfiable core) are why s is given up. In the end, with S all that is kept (and what is
given),

    B[j] f  <->  K[j] (S -> f),     at worlds where S is what is kept.

S is kept at every world at which j considers S possible and at which j observes the cores of what
is given up: each s before it in the order was possible there with what was kept then, because S
is. So three kinds of literals make a lemma for B[j] f: the cores; what certifies ~K[j] ~S; and
what certifies K[j] (S -> f), or its negation, from which ~K[j] ~S follows. The latter two have
proxies and lemmas of their own, which serve other questions, too. All that j observes is a lemma as
well: with it, no observation of j comes twice.

Common belief is decided as common knowledge is: see `common_knowledge`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from symkripke.engines.sat.modal.common_knowledge import is_common
from symkripke.engines.sat.swaps.implicants import Lemma, Proxy, Target, bits_of
from symkripke.language import FALSE, TRUE, Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional

if TYPE_CHECKING:
    from symkripke.engines.clock import Meter
    from symkripke.engines.sat.modal.search import ModalSolver


def decide(solver: ModalSolver, proxy: Proxy, world: int, meter: Meter | None) -> bool:
    """Whether the belief of `proxy` is had at `world`; there is then a lemma that says so."""
    for truth in (True, False):
        if proxy.confirmed(truth, world) is not None:
            return truth
    if proxy.common:
        return is_common(solver, proxy, world, solver.at(proxy.observed, world), meter)
    leaf = proxy.formula
    assert isinstance(leaf, f.B)
    seen = solver.at(proxy.observed, world)
    kept, reasons = most_plausible(solver, leaf, world, seen, meter)
    if kept is None:
        truth = True  # what is given is known to be false
    else:
        rests = f.K(leaf.agent, _implies(kept, leaf.operand))
        truth = _decided(solver, rests, world, reasons, meter)
        if truth and kept is not TRUE:
            _decided(solver, f.K(leaf.agent, negation(kept)), world, reasons, meter)
    for literals in (reasons, dict.fromkeys(seen)):
        solver.keep(proxy, truth, solver.law.lemma(*bits_of(literals)))
        if set(literals) <= set(seen):
            break
    solver.learned += 1
    return truth


def most_plausible(
    solver: ModalSolver, leaf: f.B, world: int, seen: Sequence[int], meter: Meter | None
) -> tuple[Formula | None, dict[int, None]]:
    """What the agent of `leaf` keeps at `world`, where it observes `seen`, with what is given.

    Returns:
        The conjunction, and the literals of `seen` for which others are given up. None for the
        former if what is given is known to be false.
    """
    cores: dict[int, None] = {}
    kept: Formula = TRUE
    here = world  # a world with that observation and all that is kept so far
    for number, formula in enumerate(_order(solver, leaf)):
        further = conjunction((kept, formula))
        if further is kept:
            continue
        if further is FALSE:
            found: int | Lemma | None = None
        elif is_propositional(formula) and solver.certificates.true(formula, here):
            found = here
        else:
            found = _together(solver, leaf.agent, further, world, seen, meter)
        if isinstance(found, int):
            kept, here = further, found
            continue
        if found is not None:
            cores.update(dict.fromkeys(found.literals))
        if number == 0 and formula is leaf.given:
            return None, cores
    return kept, cores


def _order(solver: ModalSolver, leaf: f.B) -> Iterator[Formula]:
    """What is given, and the soft constraints."""
    yield leaf.given
    for soft in solver.structure.plausibility(leaf.agent):
        yield soft.formula


def _together(
    solver: ModalSolver,
    agent: str,
    formula: Formula,
    world: int,
    seen: Sequence[int],
    meter: Meter | None,
) -> int | Lemma:
    """A world with what the agent has seen and `formula`; or what of that refutes it."""
    refuted = solver.refuted_by.setdefault((agent, formula), [])
    for core in refuted:
        if core.applies(world):
            return core
    target = solver.target(formula)
    found = solver.find(seen, target, meter)
    if found is not None:
        return found
    literals = _core(solver, seen, target, meter)
    core = Lemma(*bits_of(literals), literals)
    refuted.append(core)
    return core


def counter_world(
    solver: ModalSolver, proxy: Proxy, world: int, meter: Meter | None
) -> tuple[int, Target]:
    """A most plausible world without what is believed, and what is shown there.

    The belief of `proxy` (not a common one) is not had at `world`.
    """
    leaf = proxy.formula
    assert isinstance(leaf, f.B)
    seen = solver.at(proxy.observed, world)
    kept, _ = most_plausible(solver, leaf, world, seen, meter)
    assert kept is not None
    target = solver.target(conjunction((kept, negation(leaf.operand))))
    found = solver.find(seen, target, meter)
    assert found is not None
    return found, target


def _implies(kept: Formula, operand: Formula) -> Formula:
    return operand if kept is TRUE else f.Implies(kept, operand)


def _decided(
    solver: ModalSolver,
    leaf: f.K,
    world: int,
    reasons: dict[int, None],
    meter: Meter | None,
) -> bool:
    """The truth of K at `world`; what certifies it is added to the reasons."""
    truth = solver.decide(solver.proxy(leaf), world, meter)
    literals = solver.certificates.keeping(leaf, world, truth, reasons)
    reasons.update(dict.fromkeys(literals))
    return truth


def _core(
    solver: ModalSolver, seen: Sequence[int], target: Target, meter: Meter | None
) -> list[int]:
    """A minimal core of what was just refuted: each literal is left out, if the rest suffices."""
    needed = solver.core(list(seen))
    for literal in list(needed):
        if literal not in needed:
            continue
        without = [one for one in needed if one != literal]
        if solver.find(without, target, meter) is None:
            needed = solver.core(without)
    return needed
