"""Construction of formulas from parsed parts: connectives, operators with agents, probabilities.

All parsers call these functions after looking up names and agents. An invalid combination raises
`InputError`, to which the parser adds the place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Final, cast

from symkripke.errors import InputError
from symkripke.language import formulas as f

_OPERATORS: Final = {operator.symbol: operator for operator in f.OPERATORS}

SYMBOLS: Final = tuple(_OPERATORS)
"""The symbols of the operators with agents in brackets."""

_OVER_FORMULAS: Final[Mapping[str, type[f.AgentOperator | f.GroupOperator | f.B]]] = {
    symbol: operator
    for symbol, operator in _OPERATORS.items()
    if issubclass(operator, f.AgentOperator | f.GroupOperator | f.B)
}

PREFIXES: Final = tuple(_OVER_FORMULAS)
"""The symbols of the operators with one operand and with agents in their brackets."""

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
"""The functions that construct formulas from operands, by the names of grammar rules."""


def takes_group(symbol: str) -> bool:
    """Return whether the operator takes a group, and not a single agent."""
    return issubclass(_OPERATORS[symbol], f.GroupOperator)


def menu(*, groups: bool) -> dict[str, str]:
    """Return the words in a menu for each operator of groups, or of single agents."""
    return {
        symbol: operator.title
        for symbol, operator in _OPERATORS.items()
        if operator.title and takes_group(symbol) is groups
    }


def example(symbol: str) -> str:
    """Return the operator with agents, for an error message: `K[ann] ...`, `C[ann, bob] ...`."""
    return f"{symbol}[{'ann, bob' if takes_group(symbol) else 'ann'}] ..."


def one_agent(what: str, agents: Sequence[str] | None) -> str:
    """Return the only agent; raise `InputError` for any other number, or for None (`*`)."""
    if agents is not None and len(agents) == 1:
        return agents[0]
    came = "'*'" if agents is None else f"{len(agents)}"
    raise InputError(f"{what} takes one agent, got {came}")


def applied(symbol: str, agents: Sequence[str], operand: f.Formula) -> f.Formula:
    """Return an operator of `PREFIXES` applied to a formula: `K[i] f`, `C[i, j] f`."""
    operator = _OVER_FORMULAS[symbol]
    if issubclass(operator, f.GroupOperator):
        return operator(agents, operand)
    return operator(one_agent(f"{symbol}[...]", agents), operand)


def conditional(
    symbol: str, agents: Sequence[str] | None, operand: f.Formula, given: f.Formula
) -> f.Formula:
    """Return an operator with a condition: `B[i | a] f`."""
    check_given(symbol)
    return f.B(one_agent(f"{symbol}[...]", agents), operand, given)


def check_given(symbol: str) -> None:
    """Raise `InputError` if the operator cannot have a condition."""
    if symbol != f.B.symbol:
        raise InputError(
            f"only B[... | ...] and P[... | ...] can have a condition, got {symbol}[... | ...]"
        )


def probability(
    agent: str, operand: f.Formula, relation: str, bound: str, given: f.Formula = f.TRUE
) -> f.Formula:
    """Return `P[i | a](f) >= q`, given the text of the bound: `1`, `0.25` or `2 / 3`."""
    try:
        number = Fraction(bound.replace(" ", ""))
    except ZeroDivisionError:
        raise InputError("a fraction cannot have the denominator 0") from None
    return f.P(agent, operand, cast(f.Comparison, relation), number, given)
