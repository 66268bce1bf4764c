"""Reasons from announcements about knowledge: they are proofs, and no source can be left out."""

from __future__ import annotations

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat.evaluator import Evaluator
from symkripke.engines.sat.explain.explainer import SatExplainer
from symkripke.engines.sat.explain.modal_law_sources import said
from symkripke.engines.smt.recheck import entails
from symkripke.explain import Known, Source
from symkripke.language import Formula, Implies, K, Kw, M, negation
from symkripke.model import announcement
from symkripke.testing.random_models import BOOLEAN, Names, Seeded, random_formula, random_scene


def test_facts_follow_from_the_clauses_of_announcements() -> None:
    """They follow from the announcement, and the reason is minimal if they replace it.

    The clauses come from the explaining engine.
    """
    explicit = ExplicitEngine()
    sizes: list[int] = []
    for seed in range(40):
        choices = Seeded(seed)
        scene = random_scene(choices)
        names = Names.of(scene.structure)
        for _ in range(3):
            fact, other = (random_formula(choices, names, 1, BOOLEAN) for _ in range(2))
            known = choices.one_of((K, M, Kw))(choices.one_of(names.agents), fact)
            told = choices.one_of((known, known | other))
            truth = explicit.holds(scene, told)
            event = announcement(told if truth else negation(told))
            scene = scene.update(event, judge=explicit)
        structure = scene.structure
        atoms = [atom for fluent in names.fluents for atom in fluent.atoms]
        facts = [atom if explicit.holds(scene, atom) else negation(atom) for atom in atoms]
        for asked in (K(agent, fact) for agent in structure.agents for fact in facts):
            evaluator = Evaluator()
            reason = SatExplainer.at(evaluator, scene).evidence(scene, asked)
            if not isinstance(reason, Known):
                continue
            clauses: dict[Source, Formula] = {}
            for stage in structure.stages:
                clauses |= said(evaluator.cache(stage), stage)
            spoken = [source for source in reason.sources if source in clauses]
            for source in spoken:
                before = structure.stages[source.stage - 1]
                assert explicit.valid(before, Implies(source.formula, clauses[source])), asked
            premises = [clauses.get(source, source.formula) for source in reason.sources]
            assert entails(premises, asked.operand), (seed, asked)
            for left in range(len(premises) if spoken else 0):
                rest = [*premises[:left], *premises[left + 1 :]]
                assert not entails(rest, asked.operand), (seed, asked)
            sizes += [len(premises)] if spoken else []
    assert len(sizes) > 15
    assert max(sizes) > 2
