"""Reasons for knowing that others do not know, checked by listing worlds and by z3.

By the definition in `symkripke.engines.sat.explain.ignorance`: what is known is true at every world
of the law whose ground (what it speaks of, and what those see of whom it speaks) is as it is in
some valuation at which all sources are true; and no source can be left out.
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
    """What the formula speaks of, and all that those observe of whom it speaks first."""
    found: set[Atom] = set()
    for leaf in walk.leaves(formula):
        if isinstance(leaf, Atom):
            found.add(leaf)
        who = leaf.group if isinstance(leaf, C | D | E) else (getattr(leaf, "agent", None),)
        for agent in who:
            found.update(one.atom for one in structure.observables.get(agent or "", ()))
    return found


class Rechecked:
    """What knowledge of `operand` rests on in a structure, by the definition."""

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
        """Whether these allow no ground of a world of the law at which it is false."""
        solver = z3.Solver()
        solver.add(*[translate(source.formula) for source in sources])
        return all(
            solver.check(*[translate(literal) for literal in there]) == z3.unsat
            for there in self.without
        )

    def stands(self, sources: Sequence[Source]) -> bool:
        """Whether these prove it, and none of them can be left out."""
        every = list(sources)
        return self.proved(every) and not any(
            self.proved([*every[:left], *every[left + 1 :]]) for left in range(len(every))
        )


def what_is_known(reason: Known) -> Formula:
    """The operand of K, D or C; or of M, negated."""
    formula = reason.formula
    if isinstance(formula, M):
        return negation(formula.operand)
    assert isinstance(formula, K | D | C)
    return formula.operand


def questions(choices: Choices, names: Names) -> Iterator[Formula]:
    """What somebody knows of what others do not know."""
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
    """Whether it says that somebody does not know a fact."""
    knows = operand.operand if isinstance(operand, Not) else None
    return isinstance(knows, K) and is_propositional(knows.operand)


def exchanged(structure: KnowledgeStructure, reason: Known, operand: Formula) -> bool:
    """Whether in every case one of the exchanges leads the other to a world without the fact.

    Of fluents that the other does not see, and the fact does not speak of, any may go with it.
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
