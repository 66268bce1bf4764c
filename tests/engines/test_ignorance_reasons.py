"""Reasons for knowledge about others' ignorance, checked by listing worlds and by z3.

The definition is in `symkripke.engines.sat.explain.ignorance`. The *ground* of a formula consists
of its atoms and the observations of its outermost agents. A reason is valid if the known formula is
true at every world of the law whose ground agrees with some valuation that satisfies all sources.
It is minimal if no source can be left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import z3

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.explicit.truth import evaluate as truth
from symkripke.engines.sat import SatEngine
from symkripke.engines.smt.recheck import translate
from symkripke.explain import Known, Source
from symkripke.language import (
    Atom,
    C,
    D,
    E,
    Formula,
    K,
    Kw,
    M,
    Not,
    conjunction,
    disjunction,
    negation,
    walk,
)
from symkripke.language.walk import atoms, is_propositional
from symkripke.model import (
    KnowledgeStructure,
    evaluate,
)
from symkripke.testing.engines import leaves
from symkripke.testing.random_models import (
    BOOLEAN,
    Choices,
    Names,
    Seeded,
    random_formula,
    random_history,
)

explicit = ExplicitEngine()


def ground(structure: KnowledgeStructure, formula: Formula) -> set[Atom]:
    """Return the atoms of the formula, and the observations of its outermost agents."""
    found: set[Atom] = set()
    for leaf in walk.leaves(formula):
        if isinstance(leaf, Atom):
            found.add(leaf)
        who = leaf.group if isinstance(leaf, C | D | E) else (getattr(leaf, "agent", None),)
        for agent in who:
            found.update(one.atom for one in structure.observables.get(agent or "", ()))
    return found


class Rechecked:
    """A checker, by the definition, of the sources for knowledge of `operand` in a structure."""

    def __init__(self, structure: KnowledgeStructure, operand: Formula) -> None:
        model = explicit.model(structure)
        worlds = [model.table.world(int(row)) for row in np.flatnonzero(~truth(model, operand))]
        self.without = {
            frozenset(
                atom if evaluate(atom, world) else negation(atom)
                for atom in ground(structure, operand)
            )
            for world in worlds
        }

    def proved(self, sources: Sequence[Source]) -> bool:
        """Return whether the sources exclude the ground of every world that refutes it."""
        solver = z3.Solver()
        solver.add(*[translate(source.formula) for source in sources])
        return all(
            solver.check(*[translate(literal) for literal in there]) == z3.unsat
            for there in self.without
        )

    def stands(self, sources: Sequence[Source]) -> bool:
        """Return whether the sources are a minimal proof."""
        every = list(sources)
        return self.proved(every) and not any(
            self.proved([*every[:left], *every[left + 1 :]]) for left in range(len(every))
        )


def what_is_known(reason: Known) -> Formula:
    """Return the operand of K, D or C, or the negated operand of M."""
    formula = reason.formula
    if isinstance(formula, M):
        return negation(formula.operand)
    assert isinstance(formula, K | D | C)
    return formula.operand


def questions(choices: Choices, names: Names) -> Iterator[Formula]:
    """Yield questions about knowledge of others' ignorance."""
    one, other, *more = names.agents
    third = more[0] if more else other
    fact, another = (random_formula(choices, names, 1, BOOLEAN) for _ in range(2))
    for ignorance in (
        ~K(other, fact),
        M(other, fact),
        ~Kw(other, fact),
        ~K(other, fact) | K(third, another),
        K(other, ~K(third, fact)),
        M(other, K(third, fact)),
        ~D((other, third), fact),
        disjunction((another, M(other, fact))),
        M(other, C((other, third), fact)),
    ):
        yield K(one, ignorance)
        yield ~M(one, negation(ignorance))
        yield D(dict.fromkeys((one, third)), ignorance)
        yield C((one, other), ignorance)


def _is_of_a_fact(operand: Formula) -> bool:
    """Return whether the formula says that somebody does not know a fact."""
    knows = operand.operand if isinstance(operand, Not) else None
    return isinstance(knows, K) and is_propositional(knows.operand)


def exchanged(structure: KnowledgeStructure, reason: Known, operand: Formula) -> bool:
    """Return whether in every case an exchange leads the agent to a world without the fact.

    Fluents that the agent does not see, and that the fact does not mention, may change freely.
    """
    assert isinstance(operand, Not)
    assert isinstance(operand.operand, K)
    assert reason.others is not None
    assert reason.others.exchanges is not None
    agent, fact = operand.operand.agent, operand.operand.operand
    seen = [one.atom for one in structure.observables[agent]]
    spoken = {atom.fluent for atom in (*seen, *atoms(fact))}
    table = explicit.model(structure).table
    worlds = [table.world(row) for row in range(table.size)]
    without = [world for world in worlds if not evaluate(fact, world)]
    given = conjunction(one.formula for one in reason.sources if one.kind == "seen")
    return all(
        any(
            all(evaluate(atom, here) == evaluate(atom, there) for atom in seen)
            and any(
                all(here[name] == there[name] for name in spoken - set(names))
                for names in reason.others.exchanges
            )
            for there in without
        )
        for here in worlds
        if evaluate(given, here) and evaluate(fact, here)
    )


def test_reasons_of_knowledge_about_ignorance() -> None:
    found = several = counted = 0
    for seed in range(18):
        choices = Seeded(seed)
        scene = random_history(choices, most_events=2, most_fluents=4, most_worlds=64)
        engine = SatEngine()
        for asked in questions(choices, Names.of(scene.structure)):
            answer = engine.holds(scene, asked)
            for reason in leaves(answer.why()):
                if not isinstance(reason, Known) or reason.others is None:
                    continue
                operand = what_is_known(reason)
                found += 1
                several += len(reason.sources) > 1
                assert Rechecked(scene.structure, operand).stands(reason.sources), (seed, asked)
                if _is_of_a_fact(operand) and reason.others.exchanges:
                    counted += 1
                    assert exchanged(scene.structure, reason, operand), (seed, asked)
                for source in reason.sources:
                    if source.kind == "seen":
                        assert evaluate(source.formula, scene.world)
    assert found >= 10
    assert several >= 2
    assert counted >= 5
