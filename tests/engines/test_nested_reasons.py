"""Reasons for others' knowledge: they include the observations of others, and are minimal."""

from __future__ import annotations

from collections.abc import Sequence

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.explain import Known, Source
from symkripke.language import Atom, Formula, K, Kw, Not
from symkripke.model import Constraint, KnowledgeStructure, Observable, Scene, Vocabulary
from symkripke.testing.random_models import BOOLEAN, Names, Seeded, random_formula, random_scene

explicit = ExplicitEngine()


def _atom(literal: Formula) -> Atom:
    atom = literal.operand if isinstance(literal, Not) else literal
    assert isinstance(atom, Atom)
    return atom


def proves(scene: Scene, sources: Sequence[Source], formula: K) -> bool:
    """Return whether `K[i] K[j] f` is true in the structure that consists of the sources alone."""
    law = [Constraint(one.formula, one.words) for one in sources if one.kind == "law"]
    sees: dict[str, list[Observable]] = {agent: [] for agent in scene.structure.agents}
    for one in sources:
        if one.kind == "sees":
            assert isinstance(one.formula, Kw)
            sees[one.formula.agent].append(Observable(_atom(one.formula.operand), one.words))
        if one.kind == "seen":
            atom = _atom(one.formula)
            sees[formula.agent].append(Observable(atom, one.words))
    names = Vocabulary.of(scene.structure.vocabulary.fluents.values(), scene.structure.agents)
    bare = Scene.of(KnowledgeStructure.of(names, law, sees), scene.world)
    return bool(explicit.holds(bare, formula))


def test_reasons_of_knowledge_about_knowledge() -> None:
    found = others = 0
    for seed in range(120):
        choices = Seeded(seed)
        scene = random_scene(choices, 4)
        names = Names.of(scene.structure)
        one, other = scene.structure.agents[:2]
        fact = random_formula(choices, names, 2, BOOLEAN)
        for said in (fact, ~fact):
            asked = K(one, K(other, said))
            answer = SatEngine().holds(scene, asked)
            assert bool(answer) is bool(explicit.holds(scene, asked)), seed
            reason = answer.why()
            if not answer or not isinstance(reason, Known):
                continue
            found += 1
            others += any(source.kind == "sees" for source in reason.sources)
            assert proves(scene, reason.sources, asked), seed
            if any(not fluent.is_boolean for fluent in scene.structure.vocabulary.fluents.values()):
                continue  # a structure always gives each fluent one value
            for left in range(len(reason.sources)):
                rest = [*reason.sources[:left], *reason.sources[left + 1 :]]
                assert not proves(scene, rest, asked), seed
    assert found >= 35
    assert others >= 3
