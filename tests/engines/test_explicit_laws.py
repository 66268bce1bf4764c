"""Laws of epistemic logic, which every random model must obey, and puzzles with known answers."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from symkripke.engines.explicit import ExplicitEngine
from symkripke.language import (
    TRUE,
    Announced,
    AnnouncedTrue,
    Atom,
    C,
    D,
    E,
    Formula,
    Iff,
    Implies,
    K,
    Kw,
    M,
    conjunction,
    disjunction,
    negation,
)
from symkripke.model import Constraint, Fluent, KnowledgeStructure, Observable, Scene, Vocabulary
from symkripke.testing.random_models import Names, Seeded, random_formula, seeded_case

ENGINE = ExplicitEngine()


def valid(scene: Scene, formula: Formula) -> None:
    assert ENGINE.valid(scene.structure, formula), str(formula)


@pytest.mark.parametrize("seed", range(25))
def test_knowledge_is_s5(seed: int) -> None:
    scene, (p, q) = seeded_case(seed, formulas=2, depth=2)
    for i in scene.structure.agents:
        valid(scene, Implies(K(i, Implies(p, q)) & K(i, p), K(i, q)))
        valid(scene, Implies(K(i, p), p))
        valid(scene, Implies(K(i, p), K(i, K(i, p))))
        valid(scene, Implies(negation(K(i, p)), K(i, negation(K(i, p)))))
        valid(scene, K(i, TRUE))
        valid(scene, Iff(M(i, p), negation(K(i, negation(p)))))
        valid(scene, Iff(Kw(i, p), K(i, p) | K(i, negation(p))))


@pytest.mark.parametrize("seed", range(100, 125))
def test_groups(seed: int) -> None:
    scene, (p, q) = seeded_case(seed, formulas=2, depth=2)
    agents = scene.structure.agents
    for size in range(1, len(agents) + 1):
        for group in combinations(agents, size):
            valid(scene, Iff(E(group, p), conjunction(K(i, p) for i in group)))
            valid(scene, Implies(disjunction(K(i, p) for i in group), D(group, p)))
            valid(scene, Implies(D(group, Implies(p, q)) & D(group, p), D(group, q)))
            valid(scene, Implies(D(group, p), p))
            valid(scene, Implies(negation(D(group, p)), D(group, negation(D(group, p)))))
            # C is a fixed point of E, and the greatest one: induction.
            valid(scene, Iff(C(group, p), p & E(group, C(group, p))))
            valid(scene, Implies(C(group, Implies(p, E(group, p))) & p, C(group, p)))
            valid(scene, Implies(C(group, Implies(p, q)) & C(group, p), C(group, q)))
        valid(scene, Iff(C(agents[0], p), K(agents[0], p)))
        valid(scene, Iff(D(agents[0], p), K(agents[0], p)))


@pytest.mark.parametrize("seed", range(200, 225))
def test_announcements_reduce(seed: int) -> None:
    scene, (p, q, r) = seeded_case(seed, formulas=3, depth=2)
    structure = scene.structure
    for atom in (Atom(name) for name, x in structure.vocabulary.fluents.items() if x.is_boolean):
        valid(scene, Iff(Announced(p, atom), Implies(p, atom)))
    valid(scene, Iff(Announced(p, negation(q)), Implies(p, negation(Announced(p, q)))))
    valid(scene, Iff(Announced(p, q & r), Announced(p, q) & Announced(p, r)))
    valid(scene, Iff(AnnouncedTrue(p, q), p & Announced(p, q)))
    valid(scene, Iff(Announced(p, Announced(q, r)), Announced(p & Announced(p, q), r)))
    for i in structure.agents:
        valid(scene, Iff(Announced(p, K(i, q)), Implies(p, K(i, Announced(p, q)))))
    group = structure.agents
    valid(scene, Iff(Announced(p, D(group, q)), Implies(p, D(group, Announced(p, q)))))


@pytest.mark.parametrize("seed", range(300, 320))
def test_an_announcement_inside_is_one_outside(seed: int) -> None:
    """`<!p> q` holds at a scene if and only if p does, and q after the event "p"."""
    scene, (p,) = seeded_case(seed, depth=2)
    names = Names.of(scene.structure)
    q = random_formula(Seeded(seed), names, 2)
    inside = bool(ENGINE.holds(scene, AnnouncedTrue(p, q)))
    outside = False
    if ENGINE.holds(scene, p):
        after = Scene(scene.structure.announce(p), scene.world)
        outside = bool(ENGINE.holds(after, q))
    assert inside == outside


# ---- puzzles ------------------------------------------------------------------------------


def test_consecutive_numbers_are_a_long_chain() -> None:
    """Two neighbours' numbers: nothing about them is common knowledge but their parity."""
    size = 40
    values = tuple(str(number) for number in range(size))
    one, two = Fluent("one", values), Fluent("two", values)
    near = disjunction(
        Atom("one", str(a)) & Atom("two", str(b))
        for a, b in permutations(range(size), 2)
        if abs(a - b) == 1
    )
    structure = KnowledgeStructure.of(
        Vocabulary.of([one, two], ["ann", "bob"]),
        [Constraint(near, "the numbers are neighbours")],
        {
            "ann": [Observable(atom, "her number") for atom in one.atoms],
            "bob": [Observable(atom, "his number") for atom in two.atoms],
        },
    )
    scene = Scene.of(structure, {"one": "20", "two": "21"})
    assert ENGINE.worlds(structure) == 2 * (size - 1)
    even = disjunction(Atom("one", value) for value in values[::2])
    assert ENGINE.holds(scene, C(("ann", "bob"), even))
    assert not ENGINE.holds(scene, C(("ann", "bob"), negation(Atom("one", "0"))))
    assert ENGINE.holds(scene, K("ann", negation(Atom("one", "0"))))
