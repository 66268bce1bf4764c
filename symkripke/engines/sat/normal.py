"""Formulas with K, D, C, B and CB as their only modal operators, and what can be read off them."""

from __future__ import annotations

from collections.abc import Iterable

from symkripke.errors import Unsupported
from symkripke.language import Atom, Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional, leaves, rewrite, subformulas
from symkripke.model import KnowledgeStructure


def normalise(formula: Formula, structure: KnowledgeStructure) -> Formula:
    """`formula` (resolved, without announcements) with no other modal operators than these.

    Raises:
        Unsupported: there is one that cannot be written so: P.
    """

    def change(part: Formula) -> Formula:
        match part:
            case f.M(agent, operand):
                return negation(f.K(agent, negation(operand)))
            case f.Kw(agent, operand):
                return _known(agent, operand) | _known(agent, negation(operand))
            case f.K(agent, operand):
                return _known(agent, operand)
            case f.Kv(agent, fluents):
                return conjunction(
                    f.disjunction(f.K(agent, case) for case in structure.fluents(name))
                    for name in fluents
                )
            case f.E(group, operand):
                return conjunction(_known(agent, operand) for agent in group)
            case f.D((agent,), operand):
                return _known(agent, operand)
            case f.B(agent, operand, given):
                return _believed(agent, operand, given)
            case f.EB(group, operand):
                return conjunction(_believed(agent, operand, f.TRUE) for agent in group)
            case f.P():
                raise Unsupported(
                    "the sat engine does not answer P[...]; the explicit engine does at small sizes"
                )
        return part

    return rewrite(formula, change)


def _known(agent: str, operand: Formula) -> Formula:
    """K of the operand; of each part, if it is a conjunction: small formulas make good lemmas."""
    if isinstance(operand, f.And):
        return conjunction(f.K(agent, part) for part in operand.operands)
    return operand if isinstance(operand, f.Constant) else f.K(agent, operand)


def _believed(agent: str, operand: Formula, given: Formula) -> Formula:
    """The same of belief."""
    if given is f.FALSE or operand is f.TRUE:
        return f.TRUE
    if isinstance(operand, f.And):
        return conjunction(f.B(agent, part, given) for part in operand.operands)
    return f.B(agent, operand, given)


def fluents_of(formula: Formula) -> tuple[str, ...]:
    """The fluents that a formula speaks of."""
    if isinstance(formula, Atom):
        return (formula.fluent,)
    return tuple(dict.fromkeys(one.fluent for one in subformulas(formula) if isinstance(one, Atom)))


def is_persistent(formula: Formula) -> bool:
    """Whether a formula stays true at a world as events happen: all knowledge in it is had.

    Beliefs do not stay.
    """
    return all(
        positive and isinstance(leaf, f.K | f.D | f.C) and is_persistent(leaf.operand)
        for leaf, positive in polarities(formula)
    )


def polarities(formula: Formula) -> Iterable[tuple[Formula, bool]]:
    """The modal leaves of a formula, each with how it stands: positively, negatively, or both."""
    seen: set[tuple[Formula, bool]] = set()
    pending = [(formula, True)]
    while pending:
        current, positive = pending.pop()
        if (current, positive) in seen:
            continue
        seen.add((current, positive))
        match current:
            case f.K() | f.D() | f.C() | f.B() | f.CB():
                yield current, positive
            case f.Not(operand):
                pending.append((operand, not positive))
            case f.Implies(left, right):
                pending.extend(((left, not positive), (right, positive)))
            case f.Iff() | f.Cardinality():
                pending.extend((part, sign) for part in current.operands for sign in (True, False))
            case _:
                pending.extend((part, positive) for part in current.operands)


def is_ignorance(formula: Formula, positive: bool) -> bool:
    """Whether everything that it says about knowledge is that something is not known."""
    match formula:
        case f.K() | f.D() | f.C():
            return not positive
        case f.B() | f.CB():
            return False
        case f.Not(operand):
            return is_ignorance(operand, not positive)
        case f.Implies(left, right):
            return is_ignorance(left, not positive) and is_ignorance(right, positive)
        case f.Iff() | f.Cardinality():
            return is_propositional(formula)
    return all(is_ignorance(part, positive) for part in formula.operands)


def is_lasting(formula: Formula) -> bool:
    """Whether a formula, true at a world, was so at all times before: it says what is not known.

    Where i does not know a fact, i did not know it before: nobody forgets.
    """
    return is_ignorance(formula, True) and all(
        isinstance(leaf, Atom | f.Constant)
        or (isinstance(leaf, f.K | f.D) and is_propositional(leaf.operand))
        for leaf in leaves(formula)
    )
