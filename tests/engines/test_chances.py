"""Probabilities in formulas, conditional or not: diagrams compared with the explicit model."""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from random import Random

import pytest

from symkripke.engines import Engine, engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.count.weighting import WEIGHTINGS
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import FormulaError, InputError, Unsupported
from symkripke.explain import Combined, ProbabilityRange, ProbabilityValue
from symkripke.language import (
    Atom,
    K,
    Kw,
    M,
    P,
    conjunction,
    negation,
    parse,
    parse_question,
)
from symkripke.language.formulas import Comparison
from symkripke.play import Table, game
from symkripke.testing.engines import leaves
from symkripke.testing.random_models import seeded_case

COMPARE: dict[Comparison, Callable[[Fraction, Fraction], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "=": operator.eq,
}


@pytest.mark.parametrize("weighting", ["equal", "bayes"])
def test_engines_agree(weighting: str) -> None:
    """Formulas are compared at scenes, as validities, nested, and with `probability`."""
    explicit, bdd = ExplicitEngine(weighting=weighting), BddEngine(weighting=weighting)
    impossible = 0
    for seed in range(25):
        scene, (f, a) = seeded_case(seed, depth=2, formulas=2, likelihoods=weighting == "bayes")
        chance = Random(seed)
        agent, other = chance.choices(scene.structure.agents, k=2)
        bound = Fraction(chance.randint(0, 6), 6)
        asked = P(agent, f, chance.choice(list(COMPARE)), bound, a)
        expected = bool(explicit.holds(scene, asked))
        try:
            assert bool(bdd.holds(scene, asked)) == expected, seed
            for more in (K(other, asked), asked & ~asked | asked):
                assert bool(bdd.holds(scene, more)) == bool(explicit.holds(scene, more)), seed
            everywhere = bool(explicit.valid(scene.structure, asked))
            assert bool(bdd.valid(scene.structure, asked)) == everywhere, seed
        except Unsupported:
            assert weighting == "bayes"
        view = scene.perspective(agent)
        whole, part = (explicit.probability(view, one) for one in (a, conjunction((f, a))))
        assert expected == COMPARE[asked.relation](part, bound * whole), seed
        impossible += not whole
    assert 0 < impossible < 20


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_the_probability_is_the_evidence(weighting: str) -> None:
    """If the condition is impossible, there is no probability."""
    shares = set()
    for seed in range(300, 325):
        scene, (inner, given) = seeded_case(
            seed, depth=2, formulas=2, likelihoods=True, beliefs=weighting == "plausible"
        )
        explicit = ExplicitEngine(weighting=weighting)
        for agent in scene.structure.agents:
            view = scene.perspective(agent)
            expected = explicit.probability(view, inner)
            shares.add(expected)
            for one in (BddEngine(100_000, weighting), explicit):
                for state in (scene, view):
                    answer = one.holds(state, P(agent, inner, ">=", Fraction(1, 2)))
                    why = answer.why()
                    assert isinstance(why, ProbabilityValue)
                    assert why.share == expected
                    assert why.truth == bool(answer) == (expected >= Fraction(1, 2))
                whole = explicit.probability(view, given)
                if weighting == "plausible" or not whole:
                    continue
                with suppress(Unsupported):
                    why = one.holds(scene, P(agent, inner, ">=", Fraction(1, 2), given)).why()
                    assert isinstance(why, ProbabilityValue)
                    both = explicit.probability(view, conjunction((inner, given)))
                    assert why.share == both / whole, seed
    assert len(shares) > 3


def test_formulas_of_probability_as_text() -> None:
    given = parse("P[ann | q | r](p | q) >= 1/2")
    assert given is P("ann", Atom("p") | Atom("q"), ">=", Fraction(1, 2), Atom("q") | Atom("r"))
    assert str(given) == "P[ann | q | r](p | q) >= 1/2"
    assert str(parse_question("P[ann | q](p)")) == "P[ann | q](p)"
    for wrong in ("P[ann | ](p) >= 1", "P[* | q](p) >= 1", "K[ann | q] p"):
        with pytest.raises(FormulaError):
            parse(wrong)


def test_probabilities_in_a_game() -> None:
    """The condition stands for a statement that the player would learn."""
    moment, bdd = Table.of(game("cluedo"), players=3, seed=4).moment, engine("bdd")
    asked, told = "at(hall, envelope) | at(spanner, envelope)", "~at(rope, envelope)"
    share = moment.probability("white", asked, bdd, given=told)
    both = moment.probability("white", f"({asked}) & {told}", bdd)
    assert share == both / moment.probability("white", told, bdd)
    with pytest.raises(InputError, match="the given condition is false"):
        moment.probability("white", asked, bdd, given=f"{told} & ~{told}")


def test_knowledge_of_ones_own_probabilities_rests_on_them() -> None:
    told = ranged = wide = 0
    for seed in range(60):
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
        # Another agent's knowledge rests on all possible values; ignorance rests on a world.
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
    assert told > 5
    assert ranged > 10
    assert wide > 1
