"""Evidence as plain data, for JSON, whatever the situation is: a game, or a problem from a file."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from symkripke.explain.evidence import (
    After,
    Combined,
    Evidence,
    Fact,
    Known,
    Possible,
    Ranged,
    Weighed,
)
from symkripke.language import Formula
from symkripke.language.printer import brief

# Formulas with more operators and atoms than this are not written into data.
_WRITTEN = 100_000


def exactly(share: Fraction) -> dict[str, Any]:
    """A probability as plain data, for JSON: as an exact fraction and as a rounded number."""
    return {"probability": str(share), "float": float(share)}


def _without_reason(formulas: Iterable[Formula]) -> dict[str, Any]:
    written = [brief(formula, _WRITTEN) for formula in formulas]
    return {"no_reason": written} if written else {}


def as_data(evidence: Evidence) -> dict[str, Any]:
    """The evidence as plain data, for JSON."""
    data: dict[str, Any] = {"formula": brief(evidence.formula, _WRITTEN), "truth": evidence.truth}
    match evidence:
        case Fact():
            data["kind"] = "fact"
        case Known(_, sources, _, others):
            data["kind"] = "known"
            data["sources"] = [
                {
                    "words": source.words,
                    "formula": brief(source.formula, _WRITTEN),
                    "kind": source.kind,
                    "events": source.stage,
                    "origin": {
                        "turn": source.origin.turn,
                        "agents": list(source.origin.agents),
                        "kind": source.origin.kind,
                    },
                }
                for source in sources
            ]
            if others is not None:
                data["others"] = {
                    "agents": list(others.agents),
                    "exchanges": None
                    if others.exchanges is None
                    else [list(names) for names in others.exchanges],
                    "example": None if others.example is None else as_data(others.example),
                }
        case Possible(_, _, worlds):
            data["kind"] = "possible"
            data["worlds"] = [
                {
                    "agents": list(step.agent),
                    "shows": brief(step.shows, _WRITTEN),
                    "world": dict(step.world),
                    **({"plausible": True} if step.plausible else {}),
                    **({} if step.origin is None else {"from": step.origin}),
                    **({"why": [as_data(why) for why in step.reasons]} if step.reasons else {}),
                    **_without_reason(step.unexplained),
                }
                for step in worlds
            ]
        case Weighed(_, _, share):
            data["kind"] = "probability"
            data |= exactly(share)
        case Ranged(_, _, _, least, most):
            data["kind"] = "range"
            data |= {"least": exactly(least), "most": exactly(most)}
        case After(_, _, announced, said, reason):
            data["kind"] = "announcement"
            data |= {
                "announced": brief(announced, _WRITTEN),
                "said": said,
                "after" if said else "why_not": as_data(reason),
            }
        case Combined(_, _, parts):
            data["kind"] = "combined"
            data["parts"] = [as_data(part) for part in parts]
    return data
