"""How a question is answered: one interface, several engines."""

from __future__ import annotations

from symkripke.engines.evidence import (
    Combined,
    CounterWorld,
    Evidence,
    Fact,
    Known,
    Possible,
    Source,
)
from symkripke.engines.protocol import Answer, Budget, Engine, Mark, Sheet
from symkripke.errors import UnknownName

ENGINES = ("auto", "sat", "bdd", "smt", "explicit")
"""The names of the engines; the first is the default."""


def engine(name: str = "auto") -> Engine:
    """A new engine of that name; raises `UnknownName`. Imports only what that engine needs."""
    if name == "auto":
        from symkripke.engines.auto import AutoEngine

        return AutoEngine()
    if name == "sat":
        from symkripke.engines.sat import SatEngine

        return SatEngine()
    if name == "bdd":
        from symkripke.engines.bdd import BddEngine

        return BddEngine()
    if name == "smt":
        from symkripke.engines.smt import SmtEngine

        return SmtEngine()
    if name == "explicit":
        from symkripke.engines.explicit import ExplicitEngine

        return ExplicitEngine()
    raise UnknownName("engine", name, ENGINES)


__all__ = [
    "ENGINES",
    "Answer",
    "Budget",
    "Combined",
    "CounterWorld",
    "Engine",
    "Evidence",
    "Fact",
    "Known",
    "Mark",
    "Possible",
    "Sheet",
    "Source",
    "engine",
]
