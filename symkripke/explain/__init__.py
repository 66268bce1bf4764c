"""Evidence for answers: as data, with its sources, and in words."""

from symkripke.explain.evidence import (
    AfterAnnouncement,
    Combined,
    CounterWorld,
    Evidence,
    Fact,
    Known,
    Possible,
    ProbabilityRange,
    ProbabilityValue,
    Source,
)

__all__ = [
    "AfterAnnouncement",
    "Combined",
    "CounterWorld",
    "Evidence",
    "Fact",
    "Known",
    "Possible",
    "ProbabilityRange",
    "ProbabilityValue",
    "Source",
]
