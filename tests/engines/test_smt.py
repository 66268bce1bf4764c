"""The smt engine: long paths of common knowledge, and what it refuses; the rest is its contract."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.smt import SmtEngine
from symkripke.errors import Unsupported
from symkripke.language import (
    CB,
    Announced,
    AnnouncedTrue,
    Atom,
    C,
    Formula,
    K,
    M,
    P,
    negation,
)
from symkripke.model import (
    Constraint,
    Fluent,
    KnowledgeStructure,
    Observable,
    Scene,
    Vocabulary,
)
from tests.support.situations import coins

smt, explicit = SmtEngine(), ExplicitEngine()


# ---- evidence ---------------------------------------------------------------------------


# ---- common knowledge -------------------------------------------------------------------


def test_common_knowledge_needs_many_steps() -> None:
    """Worlds in a row, each of which only one of the two tells from the next."""
    number = 8
    atoms = [Atom(f"p{place}") for place in range(number)]
    seen = {
        agent: [Observable(atom, "") for place, atom in enumerate(atoms) if place % 2 == parity]
        for agent, parity in (("ann", 0), ("bob", 1))
    }
    # Each p implies the one before it: the worlds are 0...0, 10...0, 110...0 and so on.
    law = [Constraint(later >> earlier, "") for earlier, later in pairwise(atoms)]
    vocabulary = Vocabulary.of([Fluent(f"p{n}") for n in range(number)], ["ann", "bob"])
    scene = Scene.of(
        KnowledgeStructure.of(vocabulary, law, seen), {f"p{n}": "false" for n in range(number)}
    )
    last = negation(atoms[-1])
    for formula in (
        C(("ann", "bob"), last),
        C(("ann", "bob"), last | atoms[0]),
        AnnouncedTrue(last, C(("ann", "bob"), last)),
        K("ann", AnnouncedTrue(last, M("bob", last))),
        K("ann", C(("ann", "bob"), last)),
        M("bob", C(("ann", "bob"), last | atoms[0])),
        C(("ann", "bob"), M("ann", atoms[0]) | negation(atoms[0])),
    ):
        assert bool(smt.holds(scene, formula)) == bool(explicit.holds(scene, formula)), str(formula)


# ---- limits and faults ------------------------------------------------------------------


def test_what_it_does_not_answer_it_says() -> None:
    scene = coins()
    for formula in (CB("ann", Atom("p")), P("ann", Atom("p"), ">=", Fraction(1, 2))):
        with pytest.raises(Unsupported, match="does not answer"):
            smt.holds(scene, formula)
    with pytest.raises(Unsupported, match="does not count"):
        smt.worlds(scene.structure)
    with pytest.raises(Unsupported, match="does not count"):
        smt.probability(scene.perspective("ann"), "q")
    with pytest.raises(Unsupported, match="no world"):
        smt.holds(scene, "K[ann] p").why()


@pytest.mark.parametrize("levels", [200, 1_000])
@pytest.mark.parametrize("kind", ["K", "announced"])
def test_what_is_nested_deeply_is_answered_or_refused(kind: str, levels: int) -> None:
    """Also where the recursion ends inside a call of z3."""
    deep: Formula = Atom("q")
    for place in range(levels):
        deep = K(("ann", "bob")[place % 2], deep) if kind == "K" else Announced(Atom("p"), deep)
    scene = coins()
    refused = ""
    try:
        answer = bool(smt.holds(scene, deep))
    except Unsupported as error:
        refused, answer = str(error), kind == "announced"
    assert answer == (kind == "announced")
    assert not refused or "inside each other" in refused
