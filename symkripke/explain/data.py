"""Evidence as plain data for JSON, in games and in problem files."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from symkripke.explain.evidence import (
    AfterAnnouncement,
    Combined,
    CounterWorld,
    Evidence,
    Fact,
    IgnoranceOfOthers,
    Known,
    Possible,
    ProbabilityRange,
    ProbabilityValue,
    Source,
)
from symkripke.language import Formula
from symkripke.language.printer import brief

# The maximum number of operators and atoms of a formula in data; a larger formula is omitted.
_WRITTEN = 100_000


def exactly(share: Fraction) -> dict[str, Any]:
    """Return a probability as plain data for JSON: an exact fraction and a rounded number."""
    return {"probability": str(share), "float": float(share)}


def written(formula: Formula) -> str:
    """Return the text of a formula, as plain data."""
    return brief(formula, _WRITTEN)


def as_data(evidence: Evidence) -> dict[str, Any]:
    """Return the evidence as plain data for JSON."""
    return {"formula": written(evidence.formula), "truth": evidence.truth, **_reason(evidence)}


def _reason(evidence: Evidence) -> dict[str, Any]:
    """Return the data of the evidence, except the formula and its truth."""
    match evidence:
        case Fact():
            return {"kind": "fact"}
        case Known(_, sources, _, others):
            more = {} if others is None else {"others": _others(others)}
            return {"kind": "known", "sources": list(map(_source, sources)), **more}
        case Possible(_, _, worlds):
            return {"kind": "possible", "worlds": list(map(_world, worlds))}
        case ProbabilityValue(_, _, share):
            return {"kind": "probability", **exactly(share)}
        case ProbabilityRange(_, _, _, least, most):
            return {"kind": "range", "least": exactly(least), "most": exactly(most)}
        case AfterAnnouncement(_, _, announced, said, reason):
            why = {"after" if said else "why_not": as_data(reason)}
            return {"kind": "announcement", "announced": written(announced), "said": said, **why}
        case Combined(_, _, parts):
            return {"kind": "combined", "parts": list(map(as_data, parts))}


def _source(source: Source) -> dict[str, Any]:
    origin = source.origin
    return {
        "words": source.words,
        "formula": written(source.formula),
        "kind": source.kind,
        "events": source.stage,
        "origin": {"turn": origin.turn, "agents": list(origin.agents), "kind": origin.kind},
    }


def _others(others: IgnoranceOfOthers) -> dict[str, Any]:
    exchanges, example = others.exchanges, others.example
    return {
        "agents": list(others.agents),
        "exchanges": None if exchanges is None else list(map(list, exchanges)),
        "example": None if example is None else as_data(example),
    }


def _world(step: CounterWorld) -> dict[str, Any]:
    data: dict[str, Any] = {
        "agents": list(step.agent),
        "shows": written(step.shows),
        "world": dict(step.world),
    }
    if step.plausible:
        data["plausible"] = True
    if step.origin is not None:
        data["from"] = step.origin
    if step.reasons:
        data["why"] = list(map(as_data, step.reasons))
    if step.unexplained:
        data["no_reason"] = list(map(written, step.unexplained))
    return data
