"""Evidence for answers: as data, with its sources, and in words."""

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

__all__ = [
    "After",
    "Combined",
    "CounterWorld",
    "Evidence",
    "Fact",
    "Known",
    "Others",
    "Possible",
    "Ranged",
    "Source",
    "Weighed",
]
