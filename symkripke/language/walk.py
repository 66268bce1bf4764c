"""Iterative traversals of formulas, which visit each subformula once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import TypeAlias, TypeVar
from weakref import WeakKeyDictionary

from symkripke.language import formulas as f
from symkripke.language.formulas import fold
from symkripke.limits import LOOK_EVERY, look

T = TypeVar("T")


def subformulas(formula: f.Formula, *, modal: bool = False) -> Iterator[f.Formula]:
    """Yield every subformula once, operands first and `formula` last.

    Args:
        formula: the formula.
        modal: whether to skip propositional subformulas.
    """
    done: set[f.Formula] = set()
    stack = [] if modal and formula.propositional else [(formula, False)]
    while stack:
        current, ready = stack.pop()
        if current in done:
            continue
        operands = current.operands
        if ready or not operands:
            done.add(current)
            if not len(done) % LOOK_EVERY:
                look()
            yield current
            continue
        stack.append((current, True))
        for part in reversed(operands):
            if part not in done and not (modal and part.propositional):
                stack.append((part, False))


def modal_subformulas(formula: f.Formula) -> Iterator[f.Formula]:
    """Yield the subformulas that are not propositional, operands first."""
    return subformulas(formula, modal=True)


def operators(formula: f.Formula) -> set[type[f.Formula]]:
    """Return the classes of all subformulas."""
    return set(map(type, _parts(formula)))


def _parts(formula: f.Formula, end: type[f.Formula] | tuple[()] = ()) -> list[f.Formula]:
    """Return every subformula once, before its operands, from left to right.

    The operands of an instance of `end` are skipped. This takes a third of the time of
    `subformulas`.
    """
    parts: dict[f.Formula, None] = {}
    stack = [formula]
    while stack:
        current = stack.pop()
        if current in parts:
            continue
        if not len(parts) % LOOK_EVERY:
            look()
        parts[current] = None
        if not isinstance(current, end):
            stack.extend(current.operands[::-1])
    return list(parts)


def rewrite(formula: f.Formula, change: Callable[[f.Formula], f.Formula]) -> f.Formula:
    """Apply `change` to each subformula, bottom-up, after replacing its operands."""

    def visit(current: f.Formula, parts: tuple[f.Formula, ...]) -> f.Formula:
        return change(current.rebuild(parts) if parts != current.operands else current)

    return fold(formula, visit)


def substitute(formula: f.Formula, replacement: Mapping[f.Atom, f.Formula]) -> f.Formula:
    """Replace atoms by formulas everywhere, including under modal operators."""

    def change(current: f.Formula) -> f.Formula:
        return replacement.get(current, current) if isinstance(current, f.Atom) else current

    return rewrite(formula, change)


_LEAVES = (f.Atom, f.Constant, f.Linear, f.Modal)


def leaves(formula: f.Formula) -> tuple[f.Formula, ...]:
    """Return the leaves of a Boolean combination, each once, in order of first appearance.

    Leaves are atoms, constraints on numbers, constants, and the outermost modal subformulas.
    """
    return tuple(part for part in _parts(formula, f.Modal) if isinstance(part, _LEAVES))


def replace_leaves(formula: f.Formula, change: Callable[[f.Formula], f.Formula]) -> f.Formula:
    """Return the Boolean combination with `change(leaf)` in place of each of its `leaves`."""

    def visit(current: f.Formula, parts: tuple[f.Formula, ...]) -> f.Formula:
        if isinstance(current, _LEAVES):
            return change(current)
        return current.rebuild(parts) if parts != current.operands else current

    return fold(formula, visit, lambda part: change(part) if isinstance(part, f.Modal) else None)


def atoms(formula: f.Formula) -> tuple[f.Atom, ...]:
    """Return the atoms of `formula`, each once, in order of first appearance.

    The fluents of `Kv` are not atoms; see `names`.
    """
    if isinstance(formula, f.Atom):  # by far the most frequent case
        return (formula,)
    return tuple(part for part in _parts(formula) if isinstance(part, f.Atom))


def remembered(of: Callable[[f.Formula], T]) -> Callable[[f.Formula], T]:
    """Cache the results of `of`, a function of a formula, for the lifetime of the formula."""
    cache: WeakKeyDictionary[f.Formula, T] = WeakKeyDictionary()

    @wraps(of)
    def property_of(formula: f.Formula) -> T:
        try:
            return cache[formula]
        except KeyError:
            result = cache[formula] = of(formula)
            return result

    return property_of


def is_propositional(formula: f.Formula) -> bool:
    """Return whether `formula` has no modal operator, so that one world decides it."""
    return formula.propositional


def names(formula: f.Formula) -> tuple[str, ...]:
    """Return the names of fluents in `formula`, including those of `Kv`, each once, as written."""
    return _names(under(formula))


def under(formula: f.Formula) -> f.Formula:
    """Return the formula without its leading operators K, M, Kw and B.

    A property of a fact is thus computed once, for any number of agents who may know it.
    """
    while isinstance(formula, f.K | f.M | f.Kw) or (
        isinstance(formula, f.B) and formula.given is f.TRUE
    ):
        formula = formula.operand
    return formula


@remembered
def _names(formula: f.Formula) -> tuple[str, ...]:
    named: dict[str, None] = {}
    for part in _parts(formula):
        if isinstance(part, f.Atom):
            named[part.fluent] = None
        elif isinstance(part, f.Linear):
            named.update(dict.fromkeys(name for name, _ in part.row.sum.terms))
        elif isinstance(part, f.Kv):
            named.update(dict.fromkeys(part.fluents))
    return tuple(named)


@remembered
def has_values(formula: f.Formula) -> bool:
    """Return whether the formula contains `Kv`."""
    return any(isinstance(part, f.Kv) for part in modal_subformulas(formula))


@remembered
def has_announcements(formula: f.Formula) -> bool:
    """Return whether the formula contains an announcement."""
    core = under(formula)
    if core is not formula:
        return has_announcements(core)
    announcing = f.Announced | f.AnnouncedTrue
    return any(isinstance(part, announcing) for part in modal_subformulas(formula))


@remembered
def has_actions(formula: f.Formula) -> bool:
    """Return whether the formula contains an action."""
    return any(isinstance(part, f.AfterAction) for part in modal_subformulas(formula))


@remembered
def has_beliefs(formula: f.Formula) -> bool:
    """Return whether the formula contains an operator of belief."""
    return any(isinstance(part, f.Modal) and part.of_belief for part in modal_subformulas(formula))


@remembered
def knowers(formula: f.Formula) -> frozenset[str]:
    """Return the agents of the individual operators, which exclude `D` and `C`."""
    agents: set[str] = set()
    for part in modal_subformulas(formula):
        if isinstance(part, f.Modal) and part.individual:
            agents.update(part.agents)
    return frozenset(agents)


def negation_normal_form(formula: f.Formula) -> f.Formula:
    """Return an equivalent formula with `~` before atoms only.

    The result consists of `&`, `|`, cardinalities and modal operators. `->` and `<->` are written
    out, and `Kw[i] f` becomes `K[i] f | K[i] ~f`. A negation stays before `E`, `D`, `C`, `Kv`, `P`,
    `B`, `EB`, `CB` and announcements, which have no dual here. The size can be exponential in the
    nesting of `<->`.
    """
    return fold(formula, _normal)[0]


_Signed: TypeAlias = tuple[f.Formula, f.Formula]
"""The normal forms of a formula and of its negation."""


def _normal(current: f.Formula, parts: tuple[_Signed, ...]) -> _Signed:
    true = [part for part, _ in parts]
    false = [negated for _, negated in parts]
    match current:
        case f.Not():
            return false[0], true[0]
        case f.And():
            return f.conjunction(true), f.disjunction(false)
        case f.Or():
            return f.disjunction(true), f.conjunction(false)
        case f.Implies():
            return false[0] | true[1], true[0] & false[1]
        case f.Iff():
            (left, not_left), (right, not_right) = parts
            alike = (not_left | right) & (left | not_right)
            return alike, (left | right) & (not_left | not_right)
        case f.AgentOperator(agent, _) if current.dual is not None:
            return type(current)(agent, true[0]), current.dual(agent, false[0])
        case f.Kw(agent, _):
            (fact, other), kinds = parts[0], (f.K, f.M)
            known, possible = ((kind(agent, fact), kind(agent, other)) for kind in kinds)
            return f.disjunction(known), f.conjunction(possible)
        case f.Cardinality(relation, bound, _):
            below = f.atmost(bound - 1, true) if bound > 0 else f.FALSE
            above = f.atleast(bound + 1, true)
            outside = {"atleast": below, "atmost": above}.get(relation, below | above)
            return f.Cardinality(relation, bound, true), outside
    same = current.rebuild(tuple(true)) if parts else current
    return same, f.negation(same)
