"""Soft constraints: their order, their allowed formulas, and errors."""

from __future__ import annotations

from typing import Any

import pytest

from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import InputError
from symkripke.language import Atom, parse
from symkripke.model import (
    Beliefs,
    Change,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Scene,
    Soft,
    Vocabulary,
)

p, q, r = Atom("p"), Atom("q"), Atom("r")


def start(*soft: Soft) -> KnowledgeStructure:
    vocabulary = Vocabulary.of([Fluent("p"), Fluent("q"), Fluent("r")], ["ann", "bob"])
    return KnowledgeStructure.of(vocabulary, [], {"ann": [Observable(p, "ann sees p")]}, soft)


def said(structure: KnowledgeStructure, *soft: Soft) -> KnowledgeStructure:
    return structure.update(Event("something was said", soft=soft))


@pytest.mark.parametrize(
    ("formula", "rank", "fact"),
    [
        (parse("K[ann] p"), 0, "without knowledge or belief"),
        (parse("p | CB[ann] q"), 0, "without knowledge or belief"),
        (p, {"ann": 0.5}, "0.5"),
        (p, True, "got True"),
        ("q", 1, "got the text"),
        (Atom("hat"), 1, "fluent 'hat'"),
        (p, {"anne": 1}, "did you mean 'ann'"),
    ],
)
def test_invalid_soft_constraints(formula: Any, rank: Any, fact: str) -> None:
    with pytest.raises(InputError, match=fact):
        start(Soft(formula, rank))


def test_conditioning_on_beliefs() -> None:
    """The perspective keeps only the most plausible worlds, even after a fluent has changed."""
    engine = ExplicitEngine()
    scene = Scene.of(start(Soft(q, 0, "q was likely")), dict.fromkeys("pqr", "true"))
    scene = scene.update(Event("r is set", changes=(Change("r", "false"),)))
    scene = scene.update(Event("q is turned", changes=(Change("q", (("true", ~q),)),)))
    scene = scene.update(Event("said", soft=(Soft(~p, 0, "never"), Soft(q, -1, "too late"))))
    view = scene.perspective("ann")
    never, likely, late = view.structure.plausibility("ann")
    beliefs = engine.believed(view)
    assert beliefs == Beliefs((likely,), (never, late))
    believing = view.believing(beliefs.kept)
    assert engine.worlds(view) == 4
    assert engine.worlds(believing) == 2
    assert engine.holds(believing, "K[ann] ~q")
    assert "q was likely (believed)" in [str(c.source) for c in believing.structure.law]
    assert view.believing(()) is view


def test_forgotten_statements_are_not_believed() -> None:
    from symkripke.model import forgetting

    engine = ExplicitEngine()
    scene = Scene.of(start(Soft(q, 0, "from the start")), dict.fromkeys("pqr", "true"))
    scene = scene.update(Event("heard", soft=(Soft(~q, 1, "heard"), Soft(r, 0, "and heard"))))
    scene = scene.update(Event("turned", changes=(Change("r", (("true", ~r),)),)))
    view = scene.perspective("ann")
    assert engine.holds(view, "B[ann] (~q & ~r & r#0)")
    without = forgetting(view, [1])
    assert engine.holds(without, "B[ann] q & ~B[ann] r & ~B[ann] ~r")
    weaker = forgetting(view, {1: Event("heard less", soft=(Soft(r, 0, "and heard"),))})
    assert engine.holds(weaker, "B[ann] (q & ~r)")
