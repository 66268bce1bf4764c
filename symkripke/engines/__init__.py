"""How a question is answered: one interface, several engines."""

from __future__ import annotations

from symkripke.engines.protocol import Answer, Budget, Engine, Mark, Sheet
from symkripke.engines.weighting import WEIGHTINGS, checked
from symkripke.errors import UnknownName, Unsupported
from symkripke.explain.evidence import (
    After,
    Combined,
    CounterWorld,
    Evidence,
    Fact,
    Known,
    Others,
    Possible,
    Ranged,
    Source,
    Weighed,
)

ENGINES = ("auto", "sat", "bdd", "smt", "explicit")
"""The names of the engines; the first is the default."""


def engine(name: str = "auto", weighting: str = "equal") -> Engine:
    """A new engine of that name, which weighs worlds so; imports only what that engine needs.

    Raises:
        UnknownName: there is no such engine, or no such weighting.
        Unsupported: the engine does not count, and is to weigh worlds other than equally.
    """
    checked(weighting)
    if name == "auto":
        from symkripke.engines.auto import AutoEngine

        return AutoEngine(weighting=weighting)
    if name == "bdd":
        from symkripke.engines.bdd import BddEngine

        return BddEngine(weighting=weighting)
    if name == "explicit":
        from symkripke.engines.explicit import ExplicitEngine

        return ExplicitEngine(weighting=weighting)
    if name in ENGINES and weighting != WEIGHTINGS[0]:
        raise Unsupported(f"the {name} engine does not weigh worlds; ask the bdd engine")
    if name == "sat":
        from symkripke.engines.sat import SatEngine

        return SatEngine()
    if name == "smt":
        from symkripke.engines.smt import SmtEngine

        return SmtEngine()
    raise UnknownName("engine", name, ENGINES)


__all__ = [
    "ENGINES",
    "WEIGHTINGS",
    "After",
    "Answer",
    "Budget",
    "Combined",
    "CounterWorld",
    "Engine",
    "Evidence",
    "Fact",
    "Known",
    "Mark",
    "Others",
    "Possible",
    "Ranged",
    "Sheet",
    "Source",
    "Weighed",
    "engine",
]
