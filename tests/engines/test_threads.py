"""Engines that threads share, and structures that engines share: every answer is right."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest

from symkripke.engines import ENGINES, Counter, Engine, Reasoner, engine
from symkripke.engines.base import BaseEngine, CannotCount
from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import SymkripkeError
from symkripke.explain import Possible
from symkripke.language import Atom, Formula, K, Kw, M
from symkripke.model import Scene
from symkripke.model.resolution_cache import ResolutionCache
from symkripke.play import Table
from symkripke.play.hands import holds
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.knowledge import knows_solution

THREADS = 8

Question = tuple[int, Formula]


@contextmanager
def restless() -> Iterator[None]:
    """A stretch in which Python goes over to another thread as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def played(number: int = 120) -> tuple[list[Scene], list[Question]]:
    """Moments of a small game, and questions about facts and about knowledge at them."""
    setup = GAME.setup(rules="study", players=3)
    table = Table(GAME, setup, ("random",), 3, turns=12)
    for _ in table:
        pass
    scenes = table.scenes[::4]
    names, cards = setup.players, [card.id for card in setup.edition.cards]
    chance = Random("threads")

    def one_question() -> Question:
        who, other = chance.sample(names, 2)
        fact = holds(other, chance.choice(cards))
        question = chance.choice(
            (K(who, fact), Kw(who, fact), M(who, K(other, fact)), K(who, knows_solution(other)))
        )
        return chance.randrange(len(scenes)), question

    return scenes, [one_question() for _ in range(number)]


def wrong_answers(
    name: str, each: int, engine_of: Callable[[], Engine], *, why: bool = False
) -> list[int]:
    """For each thread how many of so many answers are wrong; right is what one thread is told."""
    asked_about = min(120, THREADS * each)
    scenes, questions = played(asked_about)
    alone = engine(name)
    right = [bool(alone.holds(scenes[at], asked)) for at, asked in questions]
    scenes, again = played(asked_about)  # nobody has asked about these
    assert again == questions
    start = threading.Barrier(THREADS)

    def ask(thread: int) -> int:
        order, wrong, asked_of = Random(thread), 0, engine_of()
        start.wait()
        for count in range(each):
            number = order.randrange(len(questions))
            at, asked = questions[number]
            answer = asked_of.holds(scenes[at], asked)
            wrong += bool(answer) != right[number]
            if why and count % 50 == 0:
                assert answer.why() is not None
        return wrong

    with restless(), ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(ask, range(THREADS)))


@pytest.mark.parametrize(
    ("name", "each"), [("sat", 300), ("auto", 60), ("bdd", 20), ("smt", 2), ("explicit", 20)]
)
def test_threads_share_an_engine(name: str, each: int) -> None:
    shared = engine(name)
    assert wrong_answers(name, each, lambda: shared, why=name in ("sat", "auto")) == [0] * THREADS


@pytest.mark.parametrize(
    ("name", "each"), [("sat", 60), ("auto", 30), ("bdd", 10), ("smt", 2), ("explicit", 20)]
)
def test_threads_with_an_engine_each_share_scenes(name: str, each: int) -> None:
    assert wrong_answers(name, each, lambda: engine(name)) == [0] * THREADS


# ---- in turn ----------------------------------------------------------------------------------


def small_scene() -> Scene:
    return Table(GAME, GAME.setup(rules="study", players=3), ("random",), 3).scene


def questions_of(asked: type[BaseEngine]) -> list[str]:
    """The names of the methods that everybody may call."""
    own = {*vars(BddEngine), *vars(ExplicitEngine), *vars(Reasoner), *vars(Counter)}
    return sorted(
        name
        for name in own
        if not name.startswith("_")
        and callable(getattr(asked, name, None))
        and getattr(asked, name) is not getattr(CannotCount, name, None)
    )


@pytest.mark.parametrize("name", ENGINES)
def test_every_method_takes_its_turn(name: str) -> None:
    """While another thread asks, nothing is even looked at: not that the arguments are missing."""
    asked = engine(name)
    assert isinstance(asked, BaseEngine)
    methods = questions_of(type(asked))
    assert {"holds", "valid", "witness", "sheet", "possible_to", "believed"} <= {*methods}
    started: list[str] = []

    class Lock:
        """Notes who waits for it, and lets nobody in."""

        def acquire(self) -> None:
            raise Waiting

        def release(self) -> None: ...

        def __enter__(self) -> None:
            raise Waiting

        def __exit__(self, *_: object) -> None: ...

    class Waiting(SymkripkeError):
        """Somebody else has the lock. No foreign error: for these, arguments are looked at."""

    asked._lock = Lock()  # type: ignore[assignment]
    for method in methods:
        arguments = [None] * 3
        try:
            getattr(asked, method)(*arguments[:2])
        except Waiting:
            continue
        except TypeError:
            with pytest.raises(Waiting):
                getattr(asked, method)(*arguments)
            continue
        started.append(method)
    assert not started


def test_an_explanation_waits_for_its_turn() -> None:
    """The evidence of the answer is made in the thread that asks why, after all other questions."""
    table = Table(GAME, GAME.setup(rules="study", players=3), ("random",), 3)
    table.step()
    shared = engine("bdd")
    assert isinstance(shared, BaseEngine)
    answer = shared.holds(table.scene, "M[ann] holds(bob, dagger)")
    with ThreadPoolExecutor(1) as pool:
        with shared._lock:
            why = pool.submit(answer.why)
            with pytest.raises(TimeoutError):
                why.result(timeout=0.2)
        assert isinstance(why.result(timeout=60), Possible) or not answer


# ---- what engines share -----------------------------------------------------------------------


def test_all_threads_have_the_same_caches_of_a_history() -> None:
    """They are made with the first structure, before threads can share it."""
    structure = small_scene().structure
    caches = structure.root.history.engine_caches
    assert all(stage.history.engine_caches is caches for stage in structure.stages)


def test_a_formula_that_another_thread_adds_has_its_names() -> None:
    """Between the look for the names of a formula and the look whether it is there at all."""
    cache = ResolutionCache(["p"])
    fact = Atom("p")

    class Raced(dict[Formula, tuple[str, ...] | None]):
        """After the first look another thread adds what was not there."""

        def get(self, key: Formula, default: Any = None) -> Any:
            found = super().get(key, default)
            self.setdefault(key, ("p",))
            return found

    cache._names = Raced()
    assert cache.key(fact, {"p": "p#1"}) == (fact, "p#1")
    assert cache.key(fact, {"p": "p#1"}) == (fact, "p#1")
