"""Laws of knowledge and belief, which every random model must obey."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from symkripke.engines.explicit import ExplicitEngine
from symkripke.language import Formula, parse
from symkripke.testing.random_models import ALL, BELIEF, seeded_case

LAWS = {
    "knowledge is S5": (
        "K[i] (p -> q) & K[i] p -> K[i] q",
        "K[i] p -> p & K[i] K[i] p",
        "~K[i] p -> K[i] ~K[i] p",
        "M[i] p <-> ~K[i] ~p",
        "Kw[i] p <-> K[i] p | K[i] ~p",
    ),
    "belief is KD45, beside knowledge": (
        "B[i] (p -> q) & B[i] p -> B[i] q",
        "~B[i] false & (K[i] p -> B[i] p)",
        "(B[i] p -> K[i] B[i] p) & (~B[i] p -> K[i] ~B[i] p)",
        "B[i] p <-> B[i] (K[i] p | p)",
    ),
    "belief given something": (
        "B[i | p] p",
        "B[i | true] q <-> B[i] q",
        "B[i | p] false <-> K[i] ~p",
        "B[i | p] q -> K[i] B[i | p] q",
        "~B[i | r] ~p -> (B[i | p & r] q <-> B[i | r] (p -> q))",
    ),
    "groups": (
        "D[G] (p -> q) & D[G] p -> D[G] q & q",
        "~D[G] p -> D[G] ~D[G] p",
        "K[i] p -> D[G] p",
        "E[G] p -> K[i] p",
        "C[G] p <-> p & E[G] C[G] p",
        "C[G] (p -> E[G] p) & p -> C[G] p",
        "C[G] (p -> q) & C[G] p -> C[G] q",
        "(C[i] p <-> K[i] p) & (D[i] p <-> K[i] p)",
    ),
    "beliefs of groups": (
        "EB[G] p -> B[i] p",
        "CB[G] p <-> EB[G] (p & CB[G] p)",
        "CB[G] (p -> EB[G] p) & EB[G] p -> CB[G] p",
        "CB[G] (p -> q) & CB[G] p -> CB[G] q",
        "(C[G] p -> CB[G] p) & (CB[i] p <-> B[i] p)",
    ),
    "announcements reduce": (
        "[!p] ~q <-> (p -> ~[!p] q)",
        "[!p] (q & r) <-> [!p] q & [!p] r",
        "<!p> q <-> p & [!p] q",
        "[!p] [!q] r <-> [!(p & [!p] q)] r",
        "[!p] K[i] q <-> (p -> K[i] [!p] q)",
        "[!p] D[G] q <-> (p -> D[G] [!p] q)",
        "[!p] B[i] q <-> (p -> B[i | p] [!p] q)",
        "[!p] B[i | r] q <-> (p -> B[i | p & [!p] r] [!p] q)",
        "~B[i] ~p -> ([!p] B[i] q <-> (p -> B[i] (p -> [!p] q)))",
    ),
}


@pytest.mark.parametrize("name", LAWS)
def test_laws_hold_in_random_models(name: str) -> None:
    """The formulas p, q and r are replaced by random formulas."""
    explicit = ExplicitEngine()
    for seed in range(10):
        beliefs = "belief" in name or seed % 2 == 0
        operators = (*ALL, *BELIEF, "B", "B") if beliefs else ALL
        scene, parts = seeded_case(seed, formulas=3, depth=2, operators=operators, beliefs=beliefs)
        agents = scene.structure.agents
        for size in range(1, len(agents) + 1):
            for group in combinations(agents, size):
                for law in LAWS[name]:
                    stated = instance(law, group, parts)
                    assert explicit.valid(scene.structure, stated), (seed, str(stated))


def instance(law: str, group: tuple[str, ...], parts: tuple[Formula, ...]) -> Formula:
    """Return the law for the group, whose first agent is `i`."""
    names = {letter: f"({part})" for letter, part in zip("pqr", parts, strict=True)}
    names |= {"i": group[0], "G": ", ".join(group)}
    return parse(re.sub(r"\b[pqriG]\b", lambda found: names[found[0]], law))
