"""Memory of engines for structures that nobody else uses any more."""

from __future__ import annotations

import gc
import weakref

from symkripke.engines.sat import SatEngine
from symkripke.engines.sat.tuning import DEFAULT
from symkripke.language import Atom, K
from symkripke.model import (
    Constraint,
    Event,
    KnowledgeStructure,
    Scene,
)
from tests.support.situations import coins


def ask(engine: SatEngine, first: KnowledgeStructure) -> Scene:
    """Ask questions that create solvers: about facts, nested knowledge and modal announcements."""
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
        seen.append(weakref.ref(ask(engine, coins(law=False).structure).structure.root))
    gc.collect()
    assert [one() for one in seen] == [None] * 3


def test_engines_are_freed_while_a_structure_lives() -> None:
    first, seen = coins(law=False).structure, []
    for _ in range(3):
        engine = SatEngine()
        ask(engine, first)
        seen.append(weakref.ref(engine))
    del engine
    gc.collect()
    assert [one() for one in seen] == [None] * 3


def test_announcements_are_freed_with_their_structures() -> None:
    engine, first = SatEngine(), coins(law=False).structure
    counts = []
    for _ in range(2):
        for _ in range(2 * DEFAULT.world_solvers):
            ask(engine, first)
        while gc.collect():
            pass
        counts.append(len(engine.evaluator.cache(first).announced))
    # Solvers exist for the structures of the latest games only, however many games there were.
    assert counts[0] == counts[1]
