"""What an engine keeps of structures that nobody else holds any longer."""

from __future__ import annotations

import gc
import weakref

from symkripke.engines.sat.engine import _SOLVERS, SatEngine
from symkripke.language import Atom, K
from symkripke.model import Constraint, Event, Fluent, KnowledgeStructure, Scene, Vocabulary


def test_structures_of_finished_games_are_freed() -> None:
    vocabulary = Vocabulary.of([Fluent("p"), Fluent("q")], ["ann"])
    first = KnowledgeStructure.of(vocabulary, [], {})
    engine = SatEngine()
    said = Constraint(Atom("p"), "p was said")
    games, seen = 3 * _SOLVERS, []
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
    assert alive <= 3 * (_SOLVERS + 1)
    assert alive < len(seen) / 2
