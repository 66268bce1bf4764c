"""An engine may be shared by threads: it answers one question at a time.

Solvers and diagrams are no good to two threads at once, and would answer wrongly. So each engine
has a lock, which every public function takes, and which the explanation of an answer takes again.
Threads that shall answer at the same time need an engine each, and structures of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Any, TypeVar

from symkripke.engines.protocol import Answer

E = TypeVar("E", bound=type)

_EXPLAINED = ("holds", "valid")
_ASKED = (
    "possible_to",
    "witness",
    "sheet",
    "possibilities",
    "believed",
    "worlds",
    "probability",
    "marginals",
    "distribution",
    "entropy",
    "sample",
)


def one_at_a_time(engine: E) -> E:
    """The class of an engine, with a lock for each engine.

    Functions that it names in `LOCKED` take the lock themselves: a wrapper costs a microsecond.
    """
    made = engine.__dict__["__init__"]

    @wraps(made)
    def begin(self: Any, *arguments: Any, **options: Any) -> None:
        self._lock = RLock()
        made(self, *arguments, **options)

    locking: Any = engine
    locking.__init__ = begin
    for name in _EXPLAINED:
        if name not in engine.__dict__.get("LOCKED", ()):
            setattr(engine, name, _explained(getattr(engine, name)))
    for name in _ASKED:
        setattr(engine, name, _locked(getattr(engine, name)))
    return engine


def _explained(ask: Callable[..., Answer]) -> Callable[..., Answer]:
    @wraps(ask)
    def asked(self: Any, *arguments: Any, **options: Any) -> Answer:
        with self._lock:
            answer = ask(self, *arguments, **options)
            answer.lock = self._lock
            return answer

    return asked


def _locked(ask: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(ask)
    def asked(self: Any, *arguments: Any, **options: Any) -> Any:
        with self._lock:
            return ask(self, *arguments, **options)

    return asked
