"""Explanations as lines of text, and shared formatting of numbers and lists."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symkripke.records import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an explanation.

    `kind` is "claim", "source", "world" or "note", and determines the colour.
    """

    indent: int
    kind: str
    text: str


def without_claim(lines: Sequence[Line], sentence: str) -> list[Line]:
    """Return an explanation without its claim, to be shown below a sentence with the same claim.

    Only the end of "Ann knows that it rains. One fact proves it:" remains. If nothing remains, the
    lines below move up by one level.
    """
    if not lines or lines[0].kind != "claim":
        return list(lines)
    first, *rest = lines
    stated = sentence.rstrip(".?")
    begins = first.text[: len(stated)]
    if not stated or begins.casefold() != stated.casefold():
        return list(lines)
    more = first.text[len(stated) :]
    for joint in (". ", ", because ", ": "):
        if more.startswith(joint):
            reason = more[len(joint) :]
            return [Line(first.indent, "claim", f"{reason[:1].upper()}{reason[1:]}"), *rest]
    if more not in ("", ".", ":", ", because:"):
        return list(lines)
    if rest and rest[0].kind == "world":
        return [Line(first.indent, "claim", "For example:"), *rest]
    below = all(line.indent > first.indent for line in rest)
    return [Line(line.indent - 1, line.kind, line.text) if below else line for line in rest]


def percent(share: Fraction) -> str:
    """Return a percentage with one decimal place; only exactly 0 and 1 give 0% and 100%."""
    if share in (0, 1):
        return "100%" if share else "0%"
    if share < Fraction(1, 1000):
        return "<0.1%"
    return ">99.9%" if share > Fraction(999, 1000) else f"{float(share):.1%}"


def in_percent(share: Fraction) -> str:
    """Return a probability as a fraction and as a percentage: "5/12 (41.7%)"."""
    return f"{share} ({percent(share)})"


def listed(parts: Sequence[str]) -> str:
    """Return the parts as a list in words: "a, b and c"; empty for no parts."""
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)
