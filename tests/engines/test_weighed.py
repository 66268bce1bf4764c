"""The evidence of a comparison of probabilities: the probability, the same from both engines."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from symkripke.engines import Engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.count.weighting import WEIGHTINGS
from symkripke.engines.explicit import ExplicitEngine
from symkripke.explain import Combined, Evidence, ProbabilityRange, ProbabilityValue
from symkripke.language import K, Kw, M, P, negation
from symkripke.testing.random_models import seeded_case


def leaves(evidence: Evidence) -> list[Any]:
    if isinstance(evidence, Combined):
        return [leaf for part in evidence.parts for leaf in leaves(part)]
    return [evidence]


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_the_share_is_the_probability(weighting: str) -> None:
    shares = set()
    for seed in range(300, 340):
        scene, (inner,) = seeded_case(
            seed, depth=2, likelihoods=True, beliefs=weighting == "plausible"
        )
        engines = BddEngine(100_000, weighting), ExplicitEngine(weighting=weighting)
        for agent in scene.structure.agents:
            asked = P(agent, inner, ">=", Fraction(1, 2))
            expected = engines[1].probability(scene.perspective(agent), inner)
            for state in (scene, scene.perspective(agent)):
                for one in engines:
                    answer = one.holds(state, asked)
                    why = answer.why()
                    assert isinstance(why, ProbabilityValue)
                    assert why.share == expected
                    assert why.truth == bool(answer) == (expected >= Fraction(1, 2))
            shares.add(expected)
    assert len(shares) > 5


def test_what_one_knows_of_ones_own_probabilities_rests_on_them() -> None:
    told = ranged = wide = 0
    for seed in range(100):
        scene, (inner,) = seeded_case(seed, depth=2)
        engines: tuple[Engine, ...] = (BddEngine(100_000), ExplicitEngine())
        first, second = scene.structure.agents[:2]
        chance = P(first, inner, ">", Fraction(1, 3))
        for asked in (K(first, chance), M(first, negation(chance)), Kw(first, chance)):
            for one in engines:
                answer = one.holds(scene, asked)
                (leaf,) = leaves(answer.why())
                assert isinstance(leaf, ProbabilityValue)
                assert isinstance(leaf.formula, P)
                assert leaf.formula.bound == chance.bound
                assert leaf.truth == bool(one.holds(scene, chance))
        # What another knows of them: all that they may be; if it does not know, a world.
        for question in (K(second, chance), Kw(second, chance), M(second, negation(chance))):
            answers = [one.holds(scene, question) for one in engines]
            reasons = [answer.why() for answer in answers]
            if not isinstance(reasons[0], ProbabilityRange):
                told += 1
                assert not any(
                    isinstance(why, ProbabilityRange | ProbabilityValue | Combined)
                    for why in reasons
                )
                continue
            ranged += 1
            assert reasons[0] == reasons[1]
            why = reasons[0]
            wide += why.least < why.most
            assert (why.least > chance.bound) == (why.most > chance.bound)
            for bound, sure in ((why.least, True), (why.least + Fraction(1, 1000), False)):
                at_least = K(second, P(first, inner, ">=", min(bound, Fraction(1))))
                if bound <= 1:
                    assert bool(engines[1].holds(scene, at_least)) == sure
            assert bool(engines[1].holds(scene, K(second, P(first, inner, "<=", why.most))))
    assert told > 10
    assert ranged > 20
    assert wide > 3
