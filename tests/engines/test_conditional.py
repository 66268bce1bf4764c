"""Probabilities given something: `P[i | a](f)`, by diagrams and by the explicit model."""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from random import Random

import pytest

from symkripke.engines import Engine, engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import FormulaError, InputError, Unsupported
from symkripke.explain import ProbabilityValue
from symkripke.language import FALSE, TRUE, Atom, Chance, K, P, conjunction, parse, parse_question
from symkripke.language.formulas import Comparison
from symkripke.model import Scene
from symkripke.play import Table, game
from symkripke.problems import read
from symkripke.problems.checker import check
from symkripke.testing.random_models import ALL, Names, Seeded, random_formula, seeded_case

COMPARE: dict[Comparison, Callable[[Fraction, Fraction], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "=": operator.eq,
}


@pytest.mark.parametrize("weighting", ["equal", "bayes"])
def test_engines_agree(weighting: str) -> None:
    """At scenes, everywhere, and under other operators; and with what `probability` says."""
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


def test_reasons_have_the_share() -> None:
    for seed in range(20):
        scene, (f, a) = seeded_case(seed, depth=1, formulas=2)
        agent = scene.structure.agents[0]
        asked = P(agent, f, ">=", Fraction(1, 2), a)
        view = scene.perspective(agent)
        whole = ExplicitEngine().probability(view, a)
        for one in (BddEngine(), ExplicitEngine()):
            if not whole:
                with_reason(one, scene, asked)
                continue
            found = one.holds(scene, asked).why()
            assert isinstance(found, ProbabilityValue)
            share = ExplicitEngine().probability(view, conjunction((f, a))) / whole
            assert found.share == share, seed


def with_reason(asked: Engine, scene: Scene, formula: P) -> None:
    """There is no probability: any reason but that, or none."""
    with suppress(Unsupported):
        assert not isinstance(asked.holds(scene, formula).why(), ProbabilityValue)


def test_text() -> None:
    given = parse("P[ann | q | r](p | q) >= 1/2")
    assert given is P("ann", Atom("p") | Atom("q"), ">=", Fraction(1, 2), Atom("q") | Atom("r"))
    assert str(given) == "P[ann | q | r](p | q) >= 1/2"
    assert parse("P[ann](p | q) >= 1/2") is P("ann", Atom("p") | Atom("q"), ">=", Fraction(1, 2))
    assert given.rebuild((FALSE, TRUE)) is P("ann", FALSE, ">=", Fraction(1, 2))
    bare = parse_question("P[ann | q](p)")
    assert bare == Chance("ann", Atom("p"), Atom("q"))
    assert str(bare) == "P[ann | q](p)"
    choices = Seeded(3)
    names = Names.of(seeded_case(3)[0].structure)
    for _ in range(60):
        f, a = (random_formula(choices, names, 3, ALL) for _ in range(2))
        asked = P("ann", f, "<", Fraction(2, 3), a)
        assert parse(str(asked)) is asked
    for wrong in ("P[ann | ](p) >= 1", "P[* | q](p) >= 1", "K[ann | q] p"):
        with pytest.raises(FormulaError):
            parse(wrong)


def test_of_a_game() -> None:
    """What a player would think if it were told something; in files, too."""
    moment = Table.of(game("cluedo"), players=3, seed=4).moment
    weapons = ("rope", "dagger", "candlestick", "spanner", "revolver", "lead_pipe")
    one, other, *_ = (
        weapon for weapon in weapons if moment.ask(f"M[white] at({weapon}, envelope)")
    )
    told, asked = f"~at({one}, envelope)", f"at({other}, envelope)"
    share = moment.probability("white", asked, engine("bdd"), given=told)
    plain = moment.probability("white", asked, engine("bdd"))
    assert share > plain
    assert share == plain / moment.probability("white", told, engine("bdd"))
    for number, is_so in ((share, True), (plain, False)):
        question = f"P[white | {told}]({asked}) = {number}"
        assert bool(moment.ask(question, engine=engine("auto"))) is is_so
    with pytest.raises(InputError, match="knows that this is not so"):
        moment.probability("white", asked, engine("bdd"), given=f"{told} & ~{told}")


def test_in_a_file() -> None:
    problem = read(
        "agents ann, bob\nfluent die in 1..6\nbob sees die\nactual die = 4\n"
        "true? P[ann | die > 2](die = 4) = 1/4\n"
        "true? P[ann | die > 2](die = 4 | die = 5) >= 1/2\n"
        "true? P[ann | P[bob](die > 3) = 1](die = 6) = 1/3\n"
        "true? P[bob | die > 4](die = 1) >= 1\n"
        "true? P[bob | die > 4](die = 1) > 1/2\n"
    )
    for name in ("auto", "bdd", "explicit"):
        _, *answers = check(problem, engine(name))
        assert [bool(one.answer) for one in answers] == [True, True, True, True, False], name


def test_reasons_where_the_condition_is_never_so() -> None:
    """There is no probability to show then: that is said, whether it is a constant or turns out."""
    scene, _ = seeded_case(3, depth=1, formulas=1)
    agent = scene.structure.agents[0]
    atom = scene.structure.atoms[0]
    for never in (FALSE, conjunction((atom, ~atom))):
        known = K(agent, P(agent, atom, "<=", Fraction(1), never))
        answer = engine("auto").holds(scene, known)
        assert answer
        with suppress(Unsupported):
            assert answer.why().truth
