"""Reasons for the truth of random formulas, checked again by z3 and against the definitions.

A reason for C, CB, B or K is a list of sources. z3 must confirm that the operand follows from them,
and from no proper subset. By the definitions (in the explicit engine), each observation and each
soft constraint among the sources of C (or CB) must itself be common knowledge (or common belief).
If the whole law is a source, it must be needed as a whole: the operand must not follow from the law
together with all observations and soft constraints that are known in this way.
"""

from __future__ import annotations

from collections.abc import Iterator

import click

from symkripke.engines import engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.smt.recheck import entails
from symkripke.errors import Unsupported
from symkripke.explain import Known
from symkripke.language import Atom, Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional, rewrite
from symkripke.model import Scene
from symkripke.testing.engines import leaves
from symkripke.testing.random_models import BOOLEAN, Names, Seeded, random_formula, random_history
from symkripke.testing.random_models import some as some_of
from tests.soak.common import Found

ENGINES = ("sat", "bdd", "auto")
"""The engines that find sources."""

_ORACLE = ExplicitEngine()


def check(found: Found, number: int, seed: int = 0) -> None:
    """Check `number` reasons of C, CB, B and K."""
    while found.done.total() < number:
        choices = Seeded(seed)
        scene = random_history(
            choices,
            most_events=3,
            most_fluents=4,
            judge=(lambda at, said: bool(_ORACLE.holds(at, said))) if seed % 3 == 0 else None,
            most_worlds=64,
            beliefs=seed % 2 == 0,
        )
        for asked in _questions(choices, scene):
            for name in ENGINES:
                for reason in _reasons(found, name, scene, asked):
                    if told := faulty(scene, reason):
                        found.fault(f"case {seed}, {name}: {told}")
                    found.done[f"{name}, {type(reason.formula).__name__}"] += 1
        seed += 1


def faulty(scene: Scene, reason: Known) -> str | None:
    """Describe the fault of a reason for knowledge or belief; return None if it is right."""
    formula, sources, fact = reason.formula, reason.sources, _fact(reason.formula)
    told = f"{formula} from {[str(source.formula) for source in sources]}"
    premises = [source.formula for source in sources]
    if any("everything that is common knowledge" in source.words for source in sources):
        shorter = _so(scene, formula) if _is_plain(formula) else []
        return f"the whole law is superfluous: {told}" if entails(shorter, fact) else None
    if isinstance(formula, f.C | f.CB):
        for source in sources:
            if source.kind in ("seen", "believed") and not _is_so(scene, formula, source.formula):
                return f"{source.formula} is not so in the group: {told}"
    facts = list(filter(is_propositional, premises))
    if any(one.kind == "law" and not is_propositional(one.formula) for one in sources):
        if _is_plain(formula) and entails(_so(scene, formula), fact):
            return f"it follows without constraints about knowledge: {told}"
    elif not entails(facts, fact):
        return f"it does not follow: {told}"
    for place, left in enumerate(facts):
        if entails([*facts[:place], *facts[place + 1 :]], fact):
            return f"{left} is superfluous: {told}"
    return None


def _fact(formula: Formula) -> Formula:
    """Return the known or believed fact, which may be below several operators."""
    given: list[Formula] = []
    while not is_propositional(formula):
        given += formula.operands[1:]
        formula = formula.operands[0]
    return f.Implies(conjunction(given), formula)


def _is_plain(formula: Formula) -> bool:
    return is_propositional(formula.operands[0])


def _so(scene: Scene, formula: Formula) -> list[Formula]:
    """Return all possible sources, without constraints about knowledge."""
    structure = scene.structure
    assert isinstance(formula, f.C | f.CB | f.K | f.B)
    agents = formula.group if isinstance(formula, f.C | f.CB) else (formula.agent,)
    may_be = {
        literal
        for agent in agents
        for observed in structure.observables[agent]
        for literal in (observed.atom, negation(observed.atom))
    }
    if not isinstance(formula, f.C | f.K):
        may_be.update(soft.formula for soft in structure.soft)
    stated = [one.formula for one in (*structure.domains, *structure.law) if not one.is_modal]
    return [*stated, *(fact for fact in may_be if _is_so(scene, formula, fact))]


def _is_so(scene: Scene, formula: Formula, fact: Formula) -> bool:
    """Return whether a fact is known or believed in the same way as the operand of the formula."""
    changed = scene.structure.versions

    def named(part: Formula) -> Formula:
        if isinstance(part, Atom) and part.fluent in changed:
            return Atom(f"{part.fluent}#0", part.value)
        return part

    asked = formula.rebuild((fact, *formula.operands[1:]))
    return bool(_ORACLE.holds(scene, rewrite(asked, named)))


def _questions(choices: Seeded, scene: Scene) -> Iterator[Formula]:
    """Yield formulas about facts that are true or false at the scene."""
    names, agents = Names.of(scene.structure), scene.structure.agents
    for _ in range(4):
        group, agent = some_of(choices, agents, 2, 3), choices.one_of(agents)
        fact = random_formula(choices, names, 2, BOOLEAN)
        given = random_formula(choices, names, 1, BOOLEAN)
        for said in (fact, negation(fact)):
            yield f.C(group, said)
            yield f.CB(group, said)
            yield f.K(agent, said)
            yield f.B(agent, said)
            yield f.B(agent, said, given)
            yield f.B(agent, f.B(group[0], said))


def _reasons(found: Found, name: str, scene: Scene, asked: Formula) -> Iterator[Known]:
    """Yield the lists of sources in the evidence for a true formula."""
    answer = engine(name).holds(scene, asked)
    if answer:
        try:
            for leaf in leaves(answer.why()):
                if isinstance(leaf, Known) and leaf.truth:
                    yield leaf
        except Unsupported:  # bdd explains only beliefs
            found.check(name == "bdd", f"{name} has no reason for {asked}")


@click.command()
@click.option("--number", type=click.IntRange(1), default=2_000, help="How many reasons.")
@click.option("--seed", type=int, default=0, help="The first case.")
def reasons(number: int, seed: int) -> Found:
    """Check that reasons of random formulas are proofs without superfluous parts."""
    found = Found()
    check(found, number, seed)
    return found
