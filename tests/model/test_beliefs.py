"""Soft constraints: their order, what they speak of, and what is refused."""

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


def order(structure: KnowledgeStructure, agent: str = "ann") -> str:
    return " ".join(str(soft.source) for soft in structure.plausibility(agent))


def test_higher_ranks_first_then_the_newest_then_as_written() -> None:
    structure = start(Soft(p, 0, "a"), Soft(q, 2, "b"))
    structure = said(structure, Soft(r, 0, "c"), Soft(p, 0, "d"), Soft(q, 1, "e"))
    structure = said(structure, Soft(r, 1, "f"), Soft(p, -1, "g"))
    assert order(structure) == "b f e c d a g"
    assert structure.history.before is not None
    assert order(structure.history.before) == "b e c d a"


def test_each_agent_may_have_ranks_of_its_own() -> None:
    structure = start(Soft(p, {"ann": 3}, "a"), Soft(q, {"ann": 1, "bob": 1}, "b"), Soft(r, 2, "c"))
    assert order(structure, "ann") == "a c b"
    assert order(structure, "bob") == "c b"


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
def test_what_is_no_soft_constraint(formula: Any, rank: Any, fact: str) -> None:
    with pytest.raises(InputError, match=fact):
        start(Soft(formula, rank))


def test_they_speak_of_the_world_before_the_changes() -> None:
    structure = start()
    change = Change("q", (("true", ~q),), "q is turned")
    structure = structure.update(Event("turned", changes=(change,), soft=(Soft(q, 0, "was true"),)))
    structure = said(structure, Soft(r, 0, "r"))
    assert [soft.formula for soft in structure.plausibility("ann")] == [r, q]
    engine = ExplicitEngine()
    scene = Scene.of(start(), {"p": "true", "q": "true", "r": "true"})
    scene = Scene(structure, {**scene.world, "q#1": "false"})
    assert engine.holds(scene, "B[ann] (~q & q#0 & r)")
    assert not engine.holds(scene, "K[ann] ~q")


def test_what_is_given_up_comes_back() -> None:
    """Nothing is ever taken out of the order."""
    engine = ExplicitEngine()
    structure = said(start(Soft(q, 0, "old")), Soft(~q | r, 1, "rule"), Soft(~r, 1, "new"))
    view = Scene.of(start(), {"p": "true", "q": "true", "r": "true"}).perspective("ann")

    def beliefs(at: KnowledgeStructure) -> tuple[str, str]:
        found = engine.believed(view.of(at, "ann", [p]))
        return tuple(
            " ".join(str(soft.source) for soft in part) for part in (found.kept, found.given_up)
        )  # type: ignore[return-value]

    assert beliefs(structure) == ("rule new", "old")
    assert beliefs(structure.announce("r")) == ("rule old", "new")
    assert beliefs(structure.announce("q")) == ("rule old", "new")
    assert beliefs(structure.announce("q & ~r")) == ("new old", "rule")


def test_given_what_is_believed() -> None:
    """The perspective with only the most plausible worlds, also where a fluent has changed."""
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


def test_what_is_forgotten_is_not_believed() -> None:
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
