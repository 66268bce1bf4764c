"""Engines, which answer questions through one interface.

| module | content |
|---|---|
| protocol | the interface: `Reasoner`, `Counter`, `Engine`; and what engines return |
| registry | the table of engines; `engine(name)` |
| base | the base class of engines, which only implement hooks; `counter(engine)` |
| asked | questions to an engine: read, checked and reduced to fewer operators |
| caches | the LRU cache of all engines, and an adaptive bound |
| minimal_core | the search for a minimal set of reasons |
| nesting | formulas that are nested too deeply for Python's stack |
| auto | the engine that chooses among the others |
| sat, bdd, smt, explicit | the engines |
| count | counting: worlds, probabilities, marginals, joint distributions, samples and steps |
"""

from __future__ import annotations

from symkripke.engines.base import counter
from symkripke.engines.count.weighting import WEIGHTINGS
from symkripke.engines.protocol import Answer, Counter, Engine, Mark, Reasoner, Sheet
from symkripke.engines.registry import ENGINES, Entry, engine, engine_names, weighing, weighs
from symkripke.limits import Budget

__all__ = [
    "ENGINES",
    "WEIGHTINGS",
    "Answer",
    "Budget",
    "Counter",
    "Engine",
    "Entry",
    "Mark",
    "Reasoner",
    "Sheet",
    "counter",
    "engine",
    "engine_names",
    "weighing",
    "weighs",
]
