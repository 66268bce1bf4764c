"""Descriptions of the worlds at which a formula is true, compared with the explicit model."""

from __future__ import annotations

from itertools import combinations

from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.language import Atom, Iff
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional
from symkripke.model import Fluent, KnowledgeStructure, Vocabulary
from symkripke.testing.random_models import BOOLEAN, Names, Seeded, random_formula, random_history

MODAL = (*BOOLEAN, "K", "M", "Kw", "E", "D")


def test_the_description_is_right() -> None:
    short = 0
    for seed in range(40):
        structure = random_history(Seeded(seed)).structure
        choices, names = Seeded(5_000 + seed), Names.of(structure)
        bdd, explicit = BddEngine(), ExplicitEngine()
        for _ in range(3):
            formula = random_formula(choices, names, choices.integer(1, 3), MODAL)
            found = bdd.describe(structure, formula, first=3)
            assert found.number == explicit.worlds(structure.announce(formula)), seed
            assert len(found.worlds) == min(3, found.number)
            assert all(one != other for one, other in combinations(found.worlds, 2))
            stated = structure.resolve(formula)
            for world in found.worlds:
                plain = f.conjunction(
                    structure.vocabulary.fluents[name].equals(value)
                    for name, value in world.items()
                )
                implied = f.Implies(_by_version(plain), stated)
                assert explicit.valid(structure, implied), (seed, str(formula))
            if found.says is not None:
                short += 1
                assert is_propositional(found.says)
                same = Iff(_by_version(found.says), formula)
                assert explicit.valid(structure, same), (seed, str(formula), str(found.says))
    assert short > 60


def _by_version(formula: f.Formula) -> f.Formula:
    """Return a resolved formula in a form that can be resolved again with the same meaning."""
    from symkripke.language.walk import rewrite

    def change(part: f.Formula) -> f.Formula:
        if isinstance(part, Atom) and "#" not in part.fluent:
            return Atom(f"{part.fluent}#0", part.value)
        return part

    return rewrite(formula, change)


def test_a_description_has_no_superfluous_part() -> None:
    colours = ("red", "blue", "green", "white")
    fluents = [Fluent("c", colours), Fluent("p"), Fluent("q"), Fluent("r")]
    structure = KnowledgeStructure.of(Vocabulary.of(fluents, ()), (), {})
    bdd = BddEngine()
    says = {
        "p & q | p & ~q": "p",
        "c = red | c = blue | c = green": "c != white",
        "c != white & c != red": "c = blue | c = green",
        "p <-> p": "true",
        "p & ~p": "false",
    }
    for formula, wanted in says.items():
        assert str(bdd.describe(structure, formula).says) == wanted
    assert bdd.describe(structure, "atleast(2; p, q, r)").says is not None
    # A parity has no short description: it is true at half of the worlds, no two of them adjacent.
    wide = KnowledgeStructure.of(Vocabulary.of([Fluent(f"p{n}") for n in range(6)], ()), (), {})
    found = bdd.describe(wide, " <-> ".join(f"p{n}" for n in range(6)))
    assert (found.number, found.says) == (32, None)
