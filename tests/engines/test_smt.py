"""The smt engine on long chains of common knowledge; its contract covers the rest."""

from __future__ import annotations

from itertools import pairwise

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.smt import SmtEngine
from symkripke.language import (
    AnnouncedTrue,
    Atom,
    C,
    K,
    M,
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

smt, explicit = SmtEngine(), ExplicitEngine()


# ---- common knowledge -------------------------------------------------------------------


def test_common_knowledge_needs_many_steps() -> None:
    """Worlds are in a row, and only one of the two agents distinguishes each pair of neighbours."""
    number = 8
    atoms = [Atom(f"p{place}") for place in range(number)]
    seen = {
        agent: [Observable(atom, "") for place, atom in enumerate(atoms) if place % 2 == parity]
        for agent, parity in (("ann", 0), ("bob", 1))
    }
    # Each p implies the previous one, so the worlds are 0...0, 10...0, 110...0 and so on.
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
