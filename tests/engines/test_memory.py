"""What an engine keeps of structures that nobody else holds any longer."""

from __future__ import annotations

import gc
import weakref

from symkripke.engines.sat import SatEngine
from symkripke.engines.sat.tuning import DEFAULT
from symkripke.language import Atom, K
from symkripke.model import (
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Scene,
    Vocabulary,
)


def test_structures_of_finished_games_are_freed() -> None:
    vocabulary = Vocabulary.of([Fluent("p"), Fluent("q")], ["ann"])
    first = KnowledgeStructure.of(vocabulary, [], {})
    engine = SatEngine()
    said = Constraint(Atom("p"), "p was said")
    games, seen = 3 * DEFAULT.world_solvers, []
    for number in range(games):
        scene = Scene.of(first, {"p": "true", "q": "false"})
        for turn in range(3):
            scene = scene.update(Event(f"game {number}, turn {turn}", (said,)))
            assert not engine.valid(scene.structure, Atom("q"))
            assert engine.holds(scene, K("ann", Atom("p")))
            seen.append(weakref.ref(scene.structure))
    del scene
    gc.collect()
    alive = sum(one() is not None for one in seen)
    # A solver stands at one structure, which holds those before it; games have three.
    assert alive <= 3 * (DEFAULT.world_solvers + 1)
    assert alive < len(seen) / 2


def first_structure() -> KnowledgeStructure:
    vocabulary = Vocabulary.of([Fluent("p"), Fluent("q")], ["ann", "bob"])
    return KnowledgeStructure.of(vocabulary, [], {"ann": [Observable(Atom("p"), "sees")]})


def ask(engine: SatEngine, first: KnowledgeStructure) -> Scene:
    """All that makes solvers: facts, knowledge about knowledge, announcements about knowledge."""
    scene = Scene.of(first, {"p": "true", "q": "false"})
    said = Constraint(~K("bob", Atom("p")), "bob does not know it")
    for turn in range(3):
        scene = scene.update(Event(f"turn {turn}", (said,)), judge=lambda *_: True)
        assert engine.holds(scene, K("ann", ~K("bob", Atom("p"))))
        assert not engine.valid(scene.structure, Atom("q"))
    return scene


def test_first_structures_are_freed_while_the_engine_lives() -> None:
    engine, seen = SatEngine(), []
    for _ in range(3):
        seen.append(weakref.ref(ask(engine, first_structure()).structure.root))
    gc.collect()
    assert [one() for one in seen] == [None] * 3


def test_engines_are_freed_while_a_structure_lives() -> None:
    first, seen = first_structure(), []
    for _ in range(3):
        engine = SatEngine()
        ask(engine, first)
        seen.append(weakref.ref(engine))
    del engine
    gc.collect()
    assert [one() for one in seen] == [None] * 3


def test_what_was_announced_is_freed_with_the_structures_that_heard_it() -> None:
    engine, first = SatEngine(), first_structure()
    counts = []
    for _ in range(2):
        for _ in range(2 * DEFAULT.world_solvers):
            ask(engine, first)
        while gc.collect():
            pass
        counts.append(len(engine.evaluator.cache(first).announced))
    # Solvers stand at the structures of the last games, however many there were.
    assert counts[0] == counts[1]
