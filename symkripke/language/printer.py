"""From formulas to text that parses back to the same formula."""

from __future__ import annotations

from fractions import Fraction

from symkripke.language import formulas as f
from symkripke.language.walk import fold

# How tightly each operator binds; its operands are put in parentheses if they bind looser.
_IFF, _IMPLIES, _OR, _AND, _PREFIX, _PRIMARY = range(6)


def text(formula: f.Formula) -> str:
    """The text of `formula`; `parse(text(f)) is f`."""
    return fold(formula, _print)[0]


def whose(agent: str, given: f.Formula) -> str:
    """What stands in the brackets of `P[...]`: the agent, and what is given."""
    return agent if given is f.TRUE else f"{agent} | {text(given)}"


def brief(formula: f.Formula, most: int = 2_000) -> str:
    """The text, if it has no more than `most` operators and atoms; else words that say so.

    What is reckoned with numbers in binary shares its parts, and would not end when written out.
    """
    written = fold(formula, lambda _, parts: 1 + sum(parts))
    return text(formula) if written <= most else "a formula that is too long to be shown"


def _within(part: tuple[str, int], level: int) -> str:
    return part[0] if part[1] >= level else f"({part[0]})"


def _print(formula: f.Formula, parts: tuple[tuple[str, int], ...]) -> tuple[str, int]:
    match formula:
        case f.Constant(value):
            return ("true" if value else "false"), _PRIMARY
        case f.Atom(fluent, value):
            return (fluent if value == "true" else f"{fluent} = {value}"), _PRIMARY
        case f.Not(f.Atom(fluent, value)) if value != "true":
            return f"{fluent} != {value}", _PRIMARY
        case f.Not():
            return f"~{_within(parts[0], _PREFIX)}", _PREFIX
        case f.And():
            return " & ".join(_within(part, _PREFIX) for part in parts), _AND
        case f.Or():
            return " | ".join(_within(part, _AND) for part in parts), _OR
        case f.Implies():
            return f"{_within(parts[0], _OR)} -> {_within(parts[1], _IMPLIES)}", _IMPLIES
        case f.Iff():
            return f"{_within(parts[0], _IFF)} <-> {_within(parts[1], _IMPLIES)}", _IFF
        case f.Cardinality(relation, bound, _):
            return f"{relation}({bound}; {', '.join(part[0] for part in parts)})", _PRIMARY
        case f.B(agent, _, given):
            condition = "" if given is f.TRUE else f" | {parts[1][0]}"
            return f"B[{agent}{condition}] {_within(parts[0], _PREFIX)}", _PREFIX
        case f.K(agent) | f.M(agent) | f.Kw(agent):
            return f"{type(formula).__name__}[{agent}] {_within(parts[0], _PREFIX)}", _PREFIX
        case f.Kv(agent, fluents):
            names = fluents[0] if len(fluents) == 1 else f"({', '.join(fluents)})"
            return f"Kv[{agent}] {names}", _PREFIX
        case f.E(group) | f.D(group) | f.C(group) | f.EB(group) | f.CB(group):
            members = ", ".join(group)
            return f"{type(formula).__name__}[{members}] {_within(parts[0], _PREFIX)}", _PREFIX
        case f.P(agent, _, relation, bound, given):
            condition = "" if given is f.TRUE else f" | {parts[1][0]}"
            return f"P[{agent}{condition}]({parts[0][0]}) {relation} {_number(bound)}", _PREFIX
        case f.Announced():
            return f"[!{parts[0][0]}] {_within(parts[1], _PREFIX)}", _PREFIX
        case f.AnnouncedTrue():
            return f"<!{parts[0][0]}> {_within(parts[1], _PREFIX)}", _PREFIX
    raise TypeError(f"not a formula of this language: {type(formula).__name__}")


def _number(value: Fraction) -> str:
    whole = value.denominator == 1
    return str(value.numerator) if whole else f"{value.numerator}/{value.denominator}"
