"""Normal form: formulas with K, D, C, B and CB as their only modal operators.

This module also determines properties of such formulas: the facts that follow, polarities, and
whether a formula stays true as events happen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from symkripke.errors import Unsupported
from symkripke.language import Atom, Formula, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.language.printer import brief
from symkripke.language.walk import atoms, is_propositional, leaves, rewrite
from symkripke.model import KnowledgeStructure


def normalise(formula: Formula, structure: KnowledgeStructure) -> Formula:
    """Rewrite a resolved formula without announcements with these operators only.

    Raises:
        Unsupported: the formula has an operator that cannot be expressed: P, or [a] of an action.
    """

    def change(part: Formula) -> Formula:
        match part:
            case f.M(agent, operand):
                return negation(f.K(agent, negation(operand)))
            case f.Kw(agent, operand):
                return known_to(agent, operand) | known_to(agent, negation(operand))
            case f.K(agent, operand):
                return known_to(agent, operand)
            case f.Kv(agent, fluents):
                return conjunction(
                    f.disjunction(f.K(agent, case) for case in structure.fluents(name))
                    for name in fluents
                )
            case f.E(group, operand):
                return conjunction(known_to(agent, operand) for agent in group)
            case f.D(group, operand):
                return _pooled(group, operand)
            case f.C(group, operand):
                return _common(group, operand)
            case f.B(agent, operand, given):
                return _believed(agent, operand, given)
            case f.EB(group, operand):
                return conjunction(_believed(agent, operand, f.TRUE) for agent in group)
            case f.P():
                raise Unsupported(
                    "the sat engine does not answer P[...]; the explicit engine does at small sizes"
                )
            case f.AfterAction():
                raise action_inside(part)
            case f.AgentOperator() | f.GroupOperator() if not isinstance(part, f.CB):
                raise Unsupported(f"the sat engine does not know the operator of {part}")
        return part

    return rewrite(formula, change)


def action_inside(formula: Formula) -> Unsupported:
    """Return the error for an action inside other operators."""
    return Unsupported(
        "the sat engine does not answer what holds after an action inside other "
        f"operators ({brief(formula)}); ask the bdd engine"
    )


def known_to(agent: str, operand: Formula) -> Formula:
    """Return K of the operand, distributed over conjunctions.

    Distribution makes the lemmas shorter. Introspection is applied: i knows its own knowledge and
    ignorance. If i is in G, K_i D_G f and K_i f are equivalent.
    """
    operand = _opened(operand)
    match operand:
        case f.And(operands):
            return conjunction(known_to(agent, part) for part in operands)
        case f.Constant():
            return operand
        case f.D(group, known) if agent in group:
            return known_to(agent, known)

    def own(leaf: Formula) -> bool:
        match leaf:
            case f.K(knower) | f.B(knower):
                return knower == agent
            case f.C(group):
                return agent in group
        return isinstance(leaf, f.Constant)

    return _besides(operand, own, lambda rest: f.K(agent, rest))


def _pooled(group: tuple[str, ...], operand: Formula) -> Formula:
    """Return D of the operand.

    The group knows the knowledge and ignorance of each member.
    """
    if len(group) == 1:
        return known_to(group[0], operand)
    operand = _opened(operand)
    if isinstance(operand, f.And):
        return conjunction(_pooled(group, part) for part in operand.operands)

    def own(leaf: Formula) -> bool:
        match leaf:
            case f.K(knower) | f.B(knower):
                return knower in group
            case f.C(others):
                return not set(group).isdisjoint(others)
            case f.D(others):
                return set(group).issuperset(others)
        return isinstance(leaf, f.Constant)

    return _besides(operand, own, lambda rest: f.D(group, rest))


def _common(group: tuple[str, ...], operand: Formula) -> Formula:
    """Return C of the operand.

    C_G K_i f and C_G f are equivalent if i is in G. So are C_G D_H f and C_G f if G and H overlap,
    and C_G C_H f and C_G f if H is a subset of G. The common knowledge of a larger group, and its
    absence, is common knowledge in G.
    """
    if len(group) == 1:
        return known_to(group[0], operand)
    operand = _opened(operand)
    match operand:
        case f.Constant():
            return operand
        case f.K(knower, known) if knower in group:
            return _common(group, known)
        case f.D(others, known) if not set(group).isdisjoint(others):
            return _common(group, known)
        case f.C(others, known) if set(group).issuperset(others):
            return _common(group, known)

    def own(leaf: Formula) -> bool:
        larger = isinstance(leaf, f.C) and set(leaf.group).issuperset(group)
        return larger or isinstance(leaf, f.Constant)

    return _besides(operand, own, lambda rest: f.C(group, rest))


def _opened(formula: Formula) -> Formula:
    """Return an implication or negated conjunction as a disjunction, other formulas unchanged."""
    match formula:
        case f.Implies(left, right):
            return disjunction((negation(left), right))
        case f.Not(f.And(operands)):
            return disjunction(map(negation, operands))
    return formula


def _besides(
    operand: Formula, own: Callable[[Formula], bool], known: Callable[[Formula], Formula]
) -> Formula:
    """Apply `known` to the operand, except to disjuncts whose leaves are all `own`.

    K (f | g) is equivalent to f | K g if K f is equivalent to f, and K ~f to ~f.
    """
    parts = operand.operands if isinstance(operand, f.Or) else (operand,)
    outside = [part for part in parts if all(map(own, leaves(part)))]
    if not outside:
        return known(operand)
    inside = [part for part in parts if part not in outside]
    return disjunction([*outside, known(disjunction(inside))] if inside else outside)


def _believed(agent: str, operand: Formula, given: Formula) -> Formula:
    """Return B of the operand given a condition, distributed over conjunctions."""
    if given is f.FALSE or operand is f.TRUE:
        return f.TRUE
    if isinstance(operand, f.And):
        return conjunction(f.B(agent, part, given) for part in operand.operands)
    return f.B(agent, operand, given)


def fluents_of(formula: Formula) -> tuple[str, ...]:
    """Return the fluents that a formula mentions."""
    if isinstance(formula, Atom):
        return (formula.fluent,)
    return tuple(dict.fromkeys(atom.fluent for atom in atoms(formula)))


def is_persistent(formula: Formula) -> bool:
    """Return whether a formula stays true at a world as events happen.

    This is the case if it mentions knowledge only positively, and no belief.
    """
    return all(
        positive and isinstance(leaf, f.K | f.D | f.C) and is_persistent(leaf.operand)
        for leaf, positive in polarities(formula)
    )


def polarities(formula: Formula) -> Iterable[tuple[Formula, bool]]:
    """Yield each modal leaf of a formula with its polarity, twice if it has both."""
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
    """Return whether the formula, or its negation, mentions knowledge only negatively.

    The negation is tested if `positive` is False.
    """
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
    """Return whether a formula that is true at a world was true there at all times before.

    This is the case if it states only ignorance of facts, because an agent that does not know a
    fact never knew it.
    """
    return is_ignorance(formula, True) and all(
        isinstance(leaf, Atom | f.Constant)
        or (isinstance(leaf, f.K | f.D) and is_propositional(leaf.operand))
        for leaf in leaves(formula)
    )


def facts_of(formula: Formula) -> tuple[Formula, ...]:
    """Return facts that follow from a formula because everything known is true."""
    facts = _facts(formula)
    parts = facts.operands if isinstance(facts, f.And) else (facts,)
    return tuple(part for part in parts if not isinstance(part, f.Constant))


def _facts(formula: Formula) -> Formula:
    match formula:
        case f.K(_, operand) | f.D(_, operand) | f.C(_, operand):
            return _facts(operand)
        case f.And(operands):
            return conjunction(map(_facts, operands))
        case f.Or(operands):
            facts = [_facts(part) for part in operands]
            # No fact follows from a disjunction such as "knows whether".
            return f.TRUE if any(negation(fact) in facts for fact in facts) else disjunction(facts)
    return formula if is_propositional(formula) else f.TRUE
