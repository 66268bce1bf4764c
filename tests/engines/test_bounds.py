"""Bounds on the caches of engines; evicted results are computed again with the same value."""

from __future__ import annotations

import gc
from dataclasses import replace
from random import Random
from typing import Any
from weakref import WeakSet

import pytest

from symkripke import process_memory
from symkripke.engines import Engine
from symkripke.engines.bdd.engine import BddEngine
from symkripke.engines.bdd.tuning import BddTuning
from symkripke.engines.caches import AdaptiveBound, LRUCache
from symkripke.engines.count.tuning import CountingTuning
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.explicit.tuning import ExplicitTuning
from symkripke.engines.sat import SatEngine
from symkripke.engines.sat.solver_cache import SolverCache
from symkripke.engines.sat.tuning import Tuning
from symkripke.language import Atom, B, C, Formula, K, M
from symkripke.language import formulas as f
from symkripke.model import (
    Scene,
    announcement,
)
from symkripke.model import resolution_cache as resolutions
from symkripke.testing import EngineContract
from symkripke.testing.random_models import BOOLEAN
from tests.support.situations import dealt

TINY_SAT = Tuning(
    resolved=3,
    formulas_a_look=1,
    size_of_worlds=2,
    size_of_knowledge=2,
    families=1,
    looks_soon=0,
    lists=1,
    world_solvers=2,
    modal_solvers=2,
    conditions=1,
    most_witnesses=2,
    spare_witnesses=1,
    projections=1,
)


TINY_BDD = BddTuning(
    laws=2,
    sets=2,
    facts=2,
    uncollected_nodes=1,
    operations=1_024,
    batch_results=2,
    counted_laws=2,
    arrays=2,
    array_bytes=1_000,
    live_nodes=10,
    soon=1,
    bytes=1,
    counting=CountingTuning(states=10),
)


class TestSatWithNextToNoRoom(EngineContract):
    operators = (*BOOLEAN, "K", "M", "Kw", "Kv", "E", "D", "C", "B", "given")
    cases = 5
    seed = 95_000

    @pytest.fixture(autouse=True)
    def _tiny(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(resolutions, "_KEPT", 2)
        monkeypatch.setattr(resolutions, "_NAMES", 3)

    def make(self) -> Engine:
        return SatEngine(tuning=TINY_SAT)


class TestBddWithNextToNoRoom(TestSatWithNextToNoRoom):
    cases = 3
    counts = True
    instant = ("possibilities", "sheet", "worlds")

    def make(self) -> Engine:
        return BddEngine(tuning=TINY_BDD)


# ---- sizes ------------------------------------------------------------------------------------


def ten_cards() -> Scene:
    return dealt({"ann": 4, "bob": 3, "cath": 3})


def ask(asked: Any, scene: Scene, chance: Random, number: int) -> None:
    """Ask `number` questions, most of them new."""
    atoms, agents = scene.structure.atoms, scene.structure.agents

    def fact() -> Formula:
        parts = [f.conjunction(chance.sample(atoms, 2)) for _ in range(3)]
        return f.disjunction(parts)

    for place in range(number):
        i, j = chance.sample(agents, 2)
        asked.holds(scene, (K(i, fact()), str(M(i, fact())), B(i, fact(), fact()))[place % 3])
        if place % 4 == 0:
            asked.holds(scene, K(i, M(j, fact())))
            asked.possibilities(scene.perspective(i), chance.sample(atoms, 3))
            asked.sheet(scene.perspective(j), chance.sample(atoms, 5))


def sizes(sat: SatEngine, scene: Scene) -> dict[str, int]:
    """Return the number of cached objects of each kind."""
    cache: SolverCache = sat.evaluator.cache(scene.structure)
    known = scene.structure.resolver.cache
    return {
        "meanings": sum(map(len, sat._resolved.values())),
        "worlds": cache.size_of_worlds(),
        "knowledge": cache.size_of_knowledge(),
        "sheets": len(cache.sheet_literals),
        "sets": len(cache.possibility_sets),
        "witnesses": max([len(solver._witnesses) for solver in cache.world_solvers], default=0),
        "projections": max([len(s._projections) for s in cache.world_solvers], default=0),
        "beliefs": max([len(given) for given in cache.believed.values()], default=0),
        "names": len(known._names),
        "found": len(known._resolved),
    }


ROOM = {
    "meanings": 60,
    "worlds": 400,
    "knowledge": 400,
    "sheets": 5,
    "sets": 5,
    "witnesses": 26,
    "projections": 1,
    "beliefs": 6,
    "names": 50,
    "found": 50,
}


def test_caches_stay_within_their_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolutions, "_KEPT", ROOM["names"])
    tuning = Tuning(
        resolved=ROOM["meanings"],
        formulas_a_look=4,
        size_of_worlds=ROOM["worlds"] - 100,
        size_of_knowledge=ROOM["knowledge"] - 100,
        looks_soon=2,
        lists=ROOM["sheets"],
        conditions=ROOM["beliefs"],
        most_witnesses=14,
        spare_witnesses=5,
        projections=ROOM["projections"],
    )
    sat, scene, chance = SatEngine(tuning=tuning), ten_cards(), Random(1)
    reached = dict.fromkeys(ROOM, 0)
    for _ in range(40):
        ask(sat, scene, chance, 10)
        for kind, size in sizes(sat, scene).items():
            reached[kind] = max(reached[kind], size)
    assert {kind: size for kind, size in reached.items() if size > ROOM[kind]} == {}
    # Each bound was nearly reached; without it, the questions would have exceeded it.
    assert {kind: size for kind, size in reached.items() if size < ROOM[kind] / 2} == {}


def test_unused_formulas_are_freed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from symkripke.language.formulas import _interned

    # Names of their own, and only new formulas are counted: earlier tests may have left formulas.
    sat, scene = SatEngine(tuning=Tuning(looks_soon=0)), dealt({"dora": 4, "emil": 3, "fay": 3})
    ask(sat, scene, Random(2), 1)
    gc.collect()
    before = WeakSet(_interned.values())

    def new() -> int:
        gc.collect()
        return sum(formula not in before for formula in _interned.values())

    ask(sat, scene, Random(3), 60)
    grown = new()
    assert grown > 500
    sat.evaluator.tuning = replace(sat.evaluator.tuning, resolved=1)
    monkeypatch.setattr(resolutions, "_KEPT", 1)
    sat.evaluator._room_of_worlds.most = sat.evaluator._room_of_knowledge.most = 0
    sat.evaluator.evict()
    ask(sat, scene, Random(4), 1)
    assert new() < grown / 10


def test_diagrams_free_unused_nodes() -> None:
    tuning = BddTuning(uncollected_nodes=2_000)
    bdd, scene, chance = BddEngine(tuning=tuning), ten_cards(), Random(3)
    atoms, most = scene.structure.atoms, 0
    for _ in range(150):
        parts = [f.conjunction(chance.sample(atoms, 3)) for _ in range(4)]
        bdd.probability(scene.perspective("ann"), f.disjunction(parts) & Atom("at(c1)", "bob"))
        bdd.holds(scene, M("ann", f.disjunction(parts)))
        manager = bdd._counter(scene.structure).encoding.diagrams.manager
        most = max(most, manager.num_inner_nodes())
    manager.gc()
    assert most <= max(2_000, 2 * manager.num_inner_nodes()) + 1_000


def test_arrays_of_nodes_are_bounded_by_their_size() -> None:
    kept: LRUCache[int, range] = LRUCache(4, 100, len)
    for number in range(6):
        kept.put(number, range(10))
    assert [number for number in range(6) if number in kept] == [2, 3, 4, 5]
    assert kept.get(2) == range(10)  # key 2 is now the most recently used
    kept.put(6, range(75))
    assert [number for number in range(7) if number in kept] == [2, 5, 6]
    kept.put(7, range(1_000))  # the most recent value is kept even if it is too large
    assert [number for number in range(9) if number in kept] == [7]
    kept.put(8, range(10))
    assert [number for number in range(9) if number in kept] == [8]


def test_diagrams_of_many_families_are_bounded() -> None:
    room = 3 * 1_400_000
    bdd, families = BddEngine(tuning=BddTuning(bytes=room)), [ten_cards() for _ in range(8)]
    asked, shares = M("bob", Atom("at(c1)", "bob")) & Atom("at(c2)", "bob"), set()
    for scene in families * 2:
        shares.add(bdd.probability(scene.perspective("ann"), asked))
        assert sum(counter.size for counter in bdd._counters.values()) <= room
    assert len(shares) == 1
    assert 2 <= len(bdd._counters) <= 3
    # The structure asked most recently is always cached.
    assert bdd.drawn(families[-1].structure)
    assert not bdd.drawn(families[0].structure)


def test_solvers_of_many_families_are_bounded() -> None:
    sat = SatEngine(tuning=Tuning(families=4, formulas_a_look=8))
    families = [ten_cards() for _ in range(30)]
    for scene in families:
        ask(sat, scene, Random(6), 8)
    caches = [sat.evaluator.cache(scene.structure) for scene in families]
    assert 4 <= sum(1 for cache in caches if cache.world_solvers) <= 4 + 8
    assert caches[-1].world_solvers
    assert not any(cache.modal_solvers for cache in caches[:18])


def test_models_are_bounded() -> None:
    scene, fresh = ten_cards(), ExplicitEngine()
    moments, chance = [scene], Random(7)
    for number in range(4):
        true = K("ann", Atom(f"at(c{number})", scene.world[f"at(c{number})"]))
        said = announcement(true | Atom(f"at(c{number + 1})", "cath"), "somebody says so")
        moments.append(moments[-1].update(said, judge=lambda *_: True))
    formulas = [
        C(group, K("ann", f.disjunction(chance.sample(scene.structure.atoms, 3))))
        for group in (("ann", "bob"), ("bob", "cath"), ("ann", "bob", "cath"))
    ]
    right = [bool(fresh.holds(there, formula)) for there in moments for formula in formulas]
    room = 4 * 8 * fresh.model(scene.structure).size
    asked = ExplicitEngine(tuning=ExplicitTuning(bytes=room, between_sums=1, partitions=1))
    for _ in range(2):
        told = [bool(asked.holds(there, formula)) for there in moments for formula in formulas]
        assert told == right
    assert len(asked._models) < len(fresh._models) == len(moments)


def test_free_memory_is_returned_to_the_system_regularly(monkeypatch: pytest.MonkeyPatch) -> None:
    given_back: list[bool] = []
    monkeypatch.setattr(process_memory, "trim", lambda: given_back.append(True))
    sat = SatEngine(tuning=Tuning(formulas_a_look=1, looks_a_trim=5))
    ask(sat, ten_cards(), Random(5), 30)
    assert 2 <= len(given_back) <= 30


# ---- adaptive bounds -------------------------------------------------------------------------


def test_a_bound_that_is_exceeded_early_grows() -> None:
    room = AdaptiveBound(100, soon=16)
    assert not room.is_outgrown(100)
    assert not room.is_outgrown(150)  # at the second check: too small
    assert room.most == 300
    for _ in range(16):
        assert not room.is_outgrown(250)
    assert room.is_outgrown(301)
    assert room.most == 300
    assert not room.is_outgrown(20)


def test_a_bound_shrinks_when_it_has_been_enough_for_long() -> None:
    room = AdaptiveBound(100, soon=4)
    assert not room.is_outgrown(400)
    assert room.most == 800
    for _ in range(16):
        assert not room.is_outgrown(500)
    # The content may be evicted, because it has been in use for long enough.
    assert room.is_outgrown(500)
    assert room.most == 400
    # If all of it is needed, the bound grows again at once.
    assert not room.is_outgrown(500)
    assert room.most == 1_000
    for _ in range(100):
        assert not room.is_outgrown(50)
    assert room.most == 100
