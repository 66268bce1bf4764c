"""The recursion of explanations: the parts of a formula that it asks about, for any engine."""

from __future__ import annotations

import pytest

from symkripke.engines.explainer import Asked, Explainer
from symkripke.engines.sat import SatEngine
from symkripke.errors import Unsupported
from symkripke.explain.evidence import Evidence, Known
from symkripke.language import Formula
from symkripke.language import formulas as f
from symkripke.model import (
    KnowledgeStructure,
    Perspective,
    Scene,
)
from tests.support.situations import coins

P, Q = f.Atom("p"), f.Atom("q")


class Noting(Explainer[Scene | Perspective]):
    """An explainer with truth from the sat engine, which records formulas that need sources."""

    def __init__(self, structure: KnowledgeStructure) -> None:
        super().__init__(structure)
        self.engine = SatEngine()
        self.asked: list[str] = []

    def truth(self, place: Scene | Perspective, formula: Formula) -> bool | None:
        if isinstance(place, Scene):
            return bool(self.engine.holds(place, formula))
        known = bool(self.engine.holds(place, f.K(place.agent, formula)))
        if known or self.engine.holds(place, f.K(place.agent, f.negation(formula))):
            return known
        return None

    def refused(self, formula: Formula, truth: bool | None) -> Unsupported:
        return Unsupported(f"no reason why {formula} is {truth}")

    def known(self, place: Scene | Perspective, asked: Asked) -> Evidence:
        self.asked.append(str(asked.formula))
        truth = self.truth(place, asked.formula)
        assert truth is not None
        return Known(asked.formula, (), truth)


@pytest.mark.parametrize(
    ("formula", "truth", "asked"),
    [
        ("K[ann] (p & (p | q))", True, ["K[ann] p", "K[ann] (p | q)"]),
        ("K[ann] (p & q)", False, ["K[ann] q"]),
        ("E[ann, bob] p", False, ["K[bob] p"]),
        ("E[ann, bob] (p | q)", True, ["K[ann] (p | q)", "K[bob] (p | q)"]),
        ("Kw[ann] p", True, ["K[ann] p"]),
        ("Kw[ann] q", False, ["K[ann] q", "K[ann] ~q"]),
        ("Kv[bob] (q, p)", False, ["M[bob] ~p", "M[bob] p"]),
        ("K[ann] K[ann] p", True, ["K[ann] p"]),
        ("M[ann] ~K[ann] p", False, ["K[ann] p"]),
        ("K[ann] M[bob] p", True, ["K[ann] p"]),
        ("K[bob] p | K[ann] p", True, ["K[ann] p"]),
        ("K[bob] p -> q", True, ["K[bob] p"]),
        ("K[ann] p -> q", True, []),
        ("D[ann, bob] (p & q)", True, ["D[ann, bob] (p & q)"]),
        ("K[ann] p <-> K[bob] p", False, ["K[ann] p", "K[bob] p"]),
    ],
)
def test_the_deciding_parts_are_asked_for(formula: str, truth: bool, asked: list[str]) -> None:
    scene = coins()
    explainer = Noting(scene.structure)
    evidence = explainer.evidence(scene, scene.structure.parse(formula))
    assert evidence.truth is truth
    assert sorted(explainer.asked) == sorted(asked)
