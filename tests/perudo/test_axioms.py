"""The axioms on the page of the project, as printed there: three of them are not valid."""

from __future__ import annotations

import pytest

from symkripke.engines import engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.problems import check, read
from symkripke.testing.random_models import ALL, BELIEF, Names, seeded_case
from tests.engines.test_explicit_laws import instance
from tests.support.readme import ROOT, files

VALID = {
    "A2K": "K[i] p & K[i] (p -> q) -> K[i] q",
    "A2B": "B[i] p & B[i] (p -> q) -> B[i] q",
    "A3": "K[i] p -> p",
    "D": "~B[i] false",
    "A4K": "K[i] p -> K[i] K[i] p",
    "A4B": "B[i] p -> B[i] B[i] p",
    "A5K": "~K[i] p -> K[i] ~K[i] p",
    "A5B": "~B[i] p -> B[i] ~B[i] p",
    "A7K": "C[G] p -> p",
    "A7B": "~CB[G] false",
    "A8K": "C[G] p -> E[G] C[G] p",
    "A8B": "CB[G] p -> EB[G] CB[G] p",
    "A9K": "C[G] p & C[G] (p -> q) -> C[G] q",
    "A9B": "CB[G] p & CB[G] (p -> q) -> CB[G] q",
    "P2": "[!p] ~q <-> (p -> ~[!p] q)",
    "P3": "[!p] (q & r) <-> [!p] q & [!p] r",
    "P4K": "[!p] K[i] q <-> (p -> K[i] [!p] q)",
    "P5": "[!p] [!q] r <-> [!(p & [!p] q)] r",
    "A10K, corrected": "C[G] (p -> E[G] p) -> (p -> C[G] p)",
    "A10B, corrected": "CB[G] (p -> EB[G] p) -> (EB[G] p -> CB[G] p)",
    "P4B, corrected": "[!p] B[i] q <-> (p -> B[i | p] [!p] q)",
}

PAGE = ROOT / "encodings" / "symkripke_games" / "perudo" / "README.md"


@pytest.mark.parametrize("name", VALID)
def test_valid_axioms_hold_in_random_models(name: str) -> None:
    for seed in range(600, 606):
        operators = (*ALL, *BELIEF)
        scene, parts = seeded_case(seed, formulas=3, depth=1, operators=operators, beliefs=True)
        stated = instance(VALID[name], scene.structure.agents, parts)
        assert ExplicitEngine().valid(scene.structure, stated), (seed, str(stated))


def test_announcements_leave_atoms_unchanged() -> None:
    """P1; A6K and A6B define `E` and `EB`."""
    for seed in range(600, 606):
        scene, (said,) = seeded_case(seed, depth=1, operators=(*ALL, *BELIEF), beliefs=True)
        structure = scene.structure
        for fluent in Names.of(structure).fluents:
            atom = fluent.atoms[-1]
            stated = f"[!({said})] {atom} <-> (({said}) -> {atom})"
            assert ExplicitEngine().valid(structure, structure.parse(stated)), (seed, stated)


@pytest.mark.parametrize("name", ["sat", "bdd", "explicit"])
def test_axioms_that_are_not_valid_as_printed(name: str) -> None:
    """P4B, A10K and A10B fail in the problem files of the page, and the corrections hold."""
    shown = files(PAGE.read_text(encoding="utf-8"))
    for file in ("belief.skp", "a10.skp"):
        outcomes = check(read(shown[file]), engine(name))
        answers = [bool(outcome.answer) for outcome in outcomes if outcome.answer is not None]
        assert answers == [False, True, False, True], file
