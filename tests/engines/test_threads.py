"""Threads that share engines, and engines that share structures: every answer is right."""

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
from symkripke.language import Atom, Formula, M
from symkripke.model import Scene
from symkripke.model.resolution_cache import ResolutionCache
from symkripke.testing.random_models import BOOLEAN, Names, Seeded, random_formula
from tests.support.situations import HIDDEN, at, dealt, told

THREADS = 8

Question = tuple[int, Formula]


@contextmanager
def restless() -> Iterator[None]:
    """Make Python switch threads as often as possible in the body."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def played() -> tuple[list[Scene], list[Question]]:
    """Return moments of a small game, and questions about facts and about knowledge at them."""
    chance, scenes = Random("threads"), [small_scene()]
    for _ in range(5):
        scenes.append(told(scenes[-1], chance))
    names, operators = Names.of(scenes[0].structure), (*BOOLEAN, "K", "K", "M", "Kw")
    return scenes, [
        (chance.randrange(len(scenes)), random_formula(Seeded(number), names, 3, operators))
        for number in range(60)
    ]


def wrong_answers(
    name: str, each: int, engine_of: Callable[[], Engine], *, why: bool = False
) -> list[int]:
    """Return the number of wrong answers of each thread, compared with a single thread."""
    scenes, questions = played()
    alone = engine(name)
    right = [bool(alone.holds(scenes[at], asked)) for at, asked in questions]
    scenes, again = played()  # a new copy, with no cached answers
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


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize(
    ("name", "each"), [("sat", 200), ("auto", 40), ("bdd", 15), ("smt", 2), ("explicit", 20)]
)
def test_threads_share_an_engine_or_scenes(name: str, each: int, shared: bool) -> None:
    common = engine(name)

    def engine_of() -> Engine:
        return common if shared else engine(name)

    why = shared and name in ("sat", "auto")
    assert wrong_answers(name, each, engine_of, why=why) == [0] * THREADS


# ---- in turn ----------------------------------------------------------------------------------


def small_scene() -> Scene:
    return dealt({"ann": 2, "bob": 2, "cath": 1, HIDDEN: 1})


def questions_of(asked: type[BaseEngine]) -> list[str]:
    """Return the names of the public query methods."""
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
    """While another thread holds the lock, a call waits before it even checks its arguments."""
    asked = engine(name)
    assert isinstance(asked, BaseEngine)
    methods = questions_of(type(asked))
    assert {"holds", "valid", "witness", "sheet", "possible_to", "believed"} <= {*methods}
    started: list[str] = []

    class Lock:
        """A lock that raises `Waiting` instead of letting anybody in."""

        def acquire(self) -> None:
            raise Waiting

        def release(self) -> None: ...

        def __enter__(self) -> None:
            raise Waiting

        def __exit__(self, *_: object) -> None: ...

    class Waiting(SymkripkeError):
        """The lock is taken; a `SymkripkeError`, because others trigger argument checks."""

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
    """The thread that asks why computes the evidence, and waits for other questions first."""
    shared = engine("bdd")
    assert isinstance(shared, BaseEngine)
    answer = shared.holds(small_scene(), M("ann", at(5, "bob")))
    with ThreadPoolExecutor(1) as pool:
        with shared._lock:
            why = pool.submit(answer.why)
            with pytest.raises(TimeoutError):
                why.result(timeout=0.2)
        assert isinstance(why.result(timeout=60), Possible) or not answer


# ---- shared structures -----------------------------------------------------------------------


def test_a_formula_that_another_thread_caches_keeps_its_names() -> None:
    """It is added between the lookup of the formula's names and the check whether it is cached."""
    cache = ResolutionCache(["p"])
    fact = Atom("p")

    class Raced(dict[Formula, tuple[str, ...] | None]):
        """A dictionary to which another thread adds the missing key after the first lookup."""

        def get(self, key: Formula, default: Any = None) -> Any:
            found = super().get(key, default)
            self.setdefault(key, ("p",))
            return found

    cache._names = Raced()
    assert cache.key(fact, {"p": "p#1"}) == (fact, "p#1")
    assert cache.key(fact, {"p": "p#1"}) == (fact, "p#1")
