"""Building formulas from the parts of a text: connectives, operators with agents, probabilities.

All readers of formulas use these functions after they have looked up names and agents. A wrong
combination raises `InputError`, to which the reader adds the place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Final, cast

from symkripke.errors import InputError
from symkripke.language import formulas as f

SYMBOLS: Final = tuple(operator.symbol for operator in f.OPERATORS)
"""How the operators are written, with agents in brackets after them."""

_OVER_FORMULAS: Final[Mapping[str, type[f.AgentOperator | f.GroupOperator | f.B]]] = {
    operator.symbol: operator
    for operator in f.OPERATORS
    if issubclass(operator, f.AgentOperator | f.GroupOperator | f.B)
}

PREFIXES: Final = tuple(_OVER_FORMULAS)
"""The operators that stand before one formula and have only agents in their brackets."""

CONNECTIVES: Final[Mapping[str, Callable[[Sequence[f.Formula]], f.Formula]]] = {
    "iff": lambda parts: f.Iff(*parts),
    "implies": lambda parts: f.Implies(*parts),
    "disjunction": f.disjunction,
    "conjunction": f.conjunction,
    "negation": lambda parts: f.negation(*parts),
    "true": lambda _: f.TRUE,
    "false": lambda _: f.FALSE,
    "announced": lambda parts: f.Announced(*parts),
    "announced_true": lambda parts: f.AnnouncedTrue(*parts),
}
"""For rules of the grammar, the functions that make formulas of operands."""


def takes_group(symbol: str) -> bool:
    """Whether the operator takes a group; others take one agent."""
    return issubclass(_OVER_FORMULAS[symbol], f.GroupOperator)


def one_agent(what: str, agents: Sequence[str] | None) -> str:
    """The agent of an operator that takes one; None stands for `*`."""
    if agents is not None and len(agents) == 1:
        return agents[0]
    came = "'*'" if agents is None else f"{len(agents)}"
    raise InputError(f"{what} takes one agent, got {came}")


def applied(symbol: str, agents: Sequence[str], operand: f.Formula) -> f.Formula:
    """An operator of `PREFIXES` before a formula: `K[i] f`, `C[i, j] f`."""
    operator = _OVER_FORMULAS[symbol]
    if issubclass(operator, f.GroupOperator):
        return operator(agents, operand)
    return operator(one_agent(f"{symbol}[...]", agents), operand)


def conditional(
    symbol: str, agents: Sequence[str] | None, operand: f.Formula, given: f.Formula
) -> f.Formula:
    """An operator with a condition: `B[i | a] f`."""
    check_given(symbol)
    return f.B(one_agent(f"{symbol}[...]", agents), operand, given)


def check_given(symbol: str) -> None:
    """Check that the operator can have a condition."""
    if symbol != f.B.symbol:
        able = "only B[... | ...] and P[... | ...] can have something given"
        raise InputError(f"{able}, got {symbol}[... | ...]")


def probability(
    agent: str, operand: f.Formula, relation: str, bound: str, given: f.Formula = f.TRUE
) -> f.Formula:
    """`P[i | a](f) >= q`, with the bound as it is written: `1`, `0.25` or `2 / 3`."""
    try:
        number = Fraction(bound.replace(" ", ""))
    except ZeroDivisionError:
        raise InputError("a fraction cannot have the denominator 0") from None
    return f.P(agent, operand, cast(f.Comparison, relation), number, given)
