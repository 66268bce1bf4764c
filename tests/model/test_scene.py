"""Scenes and perspectives: possible worlds, observations, and impossible events."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from symkripke.engines import engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import ImpossibleEvent, InputError, UnknownName
from symkripke.language import Atom, Formula, K, Not, parse
from symkripke.model import (
    Change,
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    MultiPointedStructure,
    Observable,
    Perspective,
    Scene,
    Vocabulary,
    announcement,
    evaluate,
    private,
)
from tests.support.strategies import scenes

COIN = Fluent("coin", ("heads", "tails"))
p, q, heads, tails = Atom("p"), Atom("q"), Atom("coin", "heads"), Atom("coin", "tails")
SECRET = Fluent("secret")
WORLD = {"p": "true", "q": "false", "coin": "heads"}
ENGINE = ExplicitEngine()


def judge(scene: Scene, formula: Formula) -> bool:
    return bool(ENGINE.holds(scene, formula))


def sees(*atoms: Atom) -> tuple[Observable, ...]:
    return tuple(Observable(atom, "sees it") for atom in atoms)


@pytest.fixture
def first() -> KnowledgeStructure:
    """Return a structure in which Ann sees p, Bob sees the coin, and p or q is true."""
    vocabulary = Vocabulary.of([Fluent("p"), Fluent("q"), COIN], ("ann", "bob"))
    law = [Constraint(p | q, "one of them")]
    return KnowledgeStructure.of(vocabulary, law, {"ann": sees(p), "bob": sees(*COIN.atoms)})


@pytest.fixture
def scene(first: KnowledgeStructure) -> Scene:
    return Scene.of(first, WORLD)


@pytest.mark.parametrize(
    ("world", "message"),
    [
        ({"p": "true", "q": "true"}, "no value for coin"),
        ({**WORLD, "coin": "edge"}, "unknown value of coin 'edge'"),
        ({**WORLD, "r": "true"}, "unknown fluent 'r'"),
        ({**WORLD, "p": "false"}, "breaks the law: one of them"),
    ],
)
def test_impossible_worlds(first: KnowledgeStructure, world: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Scene.of(first, world)


def test_scenes_are_values(scene: Scene) -> None:
    with pytest.raises(TypeError):
        scene.world["p"] = "false"  # type: ignore[index]
    after = scene.update(announcement(p))
    assert scene.structure.stages == (scene.structure,)
    assert after.structure.history.before is scene.structure
    with pytest.raises(InputError, match="a scene starts at a first structure"):
        Scene.of(after.structure, WORLD)


@pytest.mark.parametrize(
    ("event", "values", "fact"),
    [
        (announcement(q, "said"), {}, r"said: .*actual world \(q\)"),
        (private(SECRET, ["ann"], p, "told"), {}, "told: no value is given for secret"),
        (private(SECRET, ["ann"], p, "told"), {"secret": "maybe"}, "'maybe'"),
        (
            private(SECRET, ["ann"], p, "told"),
            {"secret": "true", "secrt": "true"},
            "'secrt'; did you mean",
        ),
        (private(SECRET, ["ann"], ~p & Atom("secret"), "said"), {"secret": "true"}, "said: "),
        (Event("turn", changes=(Change("coin", (("heads", q),)),)), {}, "of coin, got 0"),
        (
            Event("turn", changes=(Change("coin", (("heads", p), ("tails", p))),)),
            {},
            "of coin, got 2",
        ),
    ],
)
def test_impossible_events(scene: Scene, event: Event, values: dict[str, str], fact: str) -> None:
    with pytest.raises((ImpossibleEvent, UnknownName), match=fact):
        scene.update(event, values)


def test_observed_values_of_existing_fluents_can_be_given(scene: Scene) -> None:
    """The values change nothing, and must be true of the current versions."""
    look = Event("ann looks at the coin", observes={"ann": sees(heads, tails)})
    told = scene.update(look, {"coin": "heads"})
    assert told.world == scene.update(look).world
    with pytest.raises(ImpossibleEvent, match="coin is heads in the actual world, not tails"):
        scene.update(look, {"coin": "tails"})
    with pytest.raises(UnknownName, match="unknown fluent of the event 'penny'"):
        scene.update(look, {"penny": "heads"})
    for turned in (
        Event("it is turned", changes=(Change("coin", "tails"),)),
        Event("it is turned", changes=(Change("coin", (("tails", heads), ("heads", tails))),)),
    ):
        later = scene.update(turned)
        glance = Event("bob says what it shows")
        assert later.update(glance, {"coin": "tails"}).world == later.world
        with pytest.raises(ImpossibleEvent, match="coin is tails"):
            later.update(glance, {"coin": "heads"})


def test_announcements_of_knowledge_need_a_judge(scene: Scene) -> None:
    with pytest.raises(InputError, match="question for an engine; give one as judge"):
        scene.update(announcement(K("ann", p)))
    assert scene.update(announcement(K("ann", p)), judge=judge).world == scene.world
    with pytest.raises(ImpossibleEvent, match="this is false in the actual world"):
        scene.update(announcement(K("bob", p)), judge=judge)


def test_looking_back(scene: Scene) -> None:
    told = private(Fluent("s"), ["ann"], p, "ann is told")
    after = scene.update(announcement(p)).update(told, {"s": "true"})
    assert after.after(0).structure is scene.structure
    assert after.after(0).world == scene.world
    assert after.after(2).world == after.world
    for wrong in (-1, 3):
        with pytest.raises(InputError, match=f"number of events from 0 to 2, got {wrong}"):
            after.after(wrong)
    perspective = after.perspective("ann")
    assert perspective.after(0).seen == {p}
    assert perspective.seen == {p, Atom("s")}


def test_perspectives(scene: Scene) -> None:
    ann = scene.perspective("ann")
    assert ann.seen == {p}
    assert [(o.atom, truth) for o, truth in ann.observation] == [(p, True)]
    bob = scene.perspective("bob")
    assert [(o.atom, truth) for o, truth in bob.observation] == [(heads, True), (tails, False)]
    with pytest.raises(UnknownName, match="unknown agent 'cat'"):
        scene.perspective("cat")
    with pytest.raises(InputError, match="ann does not observe q"):
        Perspective.of(scene.structure, "ann", [q])
    with pytest.raises(InputError, match="ann does not observe q"):
        ann.update(announcement(p), [q])


@settings(max_examples=50)
@given(scenes(judge=judge))
def test_perspectives_are_updated_like_their_scene(scene: Scene) -> None:
    """`perspective.update` with the new true atoms gives the perspective of the updated scene."""
    line = scene.structure.stages
    for agent in scene.structure.agents:
        mine = scene.after(0).perspective(agent)
        for events, structure in enumerate(line[1:], start=1):
            assert structure.history.event is not None
            there = scene.after(events).perspective(agent)
            new = [_plain(atom, there.structure) for atom in there.seen - mine.seen]
            mine = mine.update(structure.history.event, new)
            assert mine.seen == there.seen
            assert [t for _, t in mine.observation] == [t for _, t in there.observation]
            assert scene.perspective(agent).after(events).seen == there.seen


def _plain(atom: Atom, structure: KnowledgeStructure) -> Atom:
    """Return the atom under a name that resolves to it: old first versions have the suffix `#0`."""
    return Atom(f"{atom.fluent}#0", atom.value) if atom.fluent in structure.versions else atom


def test_evaluating_at_one_world() -> None:
    assert evaluate(p & Not(q), WORLD)
    assert evaluate(p | Atom("r"), WORLD)  # for any value of `r`
    for modal in (K("ann", p), p | K("ann", p)):
        with pytest.raises(ValueError, match="one world does not decide"):
            evaluate(modal, WORLD)
    with pytest.raises(InputError, match="no value for r"):
        evaluate(Atom("r"), WORLD)


def test_a_perspective_computes_the_results_of_changes_it_knows(scene: Scene) -> None:
    """Bob sees the coin and knows that it is turned, and so he knows how it lies now."""
    turn = Event("turn", changes=(Change("coin", (("heads", tails), ("tails", heads))),))
    told = scene.perspective("bob").update(turn, [tails])
    worked_out = scene.perspective("bob").update(turn)
    assert worked_out.seen == told.seen == scene.update(turn).perspective("bob").seen
    assert ENGINE.holds(worked_out, "K[bob] coin = tails")


def test_a_judge_is_an_engine_or_its_method() -> None:
    structure = KnowledgeStructure.of(Vocabulary.of([Fluent("p")], ("a",)), [], {"a": []})
    scene = Scene.of(structure, {"p": "true"})
    said = announcement(parse("~K[a] p"), "said")
    several = MultiPointedStructure.of(structure, parse("true"))
    for judge in (engine(), engine().holds):
        assert scene.update(said, judge=judge).structure.history.event is said
        assert several.update(said, judge).structure.history.event is said
    with pytest.raises(InputError, match=r"judge=engine\(\)"):
        scene.update(said)
