"""Passes over formulas: iterative (no recursion limit) and memoised (each subformula once)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from symkripke.language import formulas as f
from symkripke.language.formulas import fold
from symkripke.limits import LOOK_EVERY, look

T = TypeVar("T")


def subformulas(formula: f.Formula) -> Iterator[f.Formula]:
    """Every subformula once, operands before what they are operands of; `formula` last."""
    done: set[f.Formula] = set()
    stack: list[tuple[f.Formula, bool]] = [(formula, False)]
    while stack:
        current, ready = stack.pop()
        if current in done:
            continue
        if not len(done) % LOOK_EVERY:
            look()
        operands = current.operands
        if ready or not operands:
            done.add(current)
            yield current
        else:
            stack.append((current, True))
            stack.extend([(part, False) for part in reversed(operands) if part not in done])


def operators(formula: f.Formula) -> set[type[f.Formula]]:
    """The classes of all subformulas."""
    return set(map(type, _parts(formula)))


def _parts(formula: f.Formula) -> list[f.Formula]:
    """Every subformula once, before its operands, from left to right.

    It takes a third of the time of `subformulas`: for large formulas that are read once.
    """
    found: dict[f.Formula, None] = {}
    stack = [formula]
    while stack:
        current = stack.pop()
        if current in found:
            continue
        if not len(found) % LOOK_EVERY:
            look()
        found[current] = None
        operands = current.operands
        if operands:
            stack.extend(operands[::-1])
    return list(found)


def modal_subformulas(formula: f.Formula) -> Iterator[f.Formula]:
    """Those of `subformulas` that are not propositional, in the same order.

    All modal operators are among them. Propositional parts are not searched, however large.
    """
    done: set[f.Formula] = set()
    stack: list[tuple[f.Formula, bool]] = [] if formula.propositional else [(formula, False)]
    while stack:
        current, ready = stack.pop()
        if current in done:
            continue
        if ready:
            if not len(done) % LOOK_EVERY:
                look()
            done.add(current)
            yield current
        else:
            stack.append((current, True))
            stack.extend(
                [(part, False) for part in reversed(current.operands) if not part.propositional]
            )


def rewrite(formula: f.Formula, change: Callable[[f.Formula], f.Formula]) -> f.Formula:
    """Replace bottom-up: each subformula, over its replaced operands, by `change` of it."""

    def visit(current: f.Formula, parts: tuple[f.Formula, ...]) -> f.Formula:
        return change(current.rebuild(parts) if parts != current.operands else current)

    return fold(formula, visit)


def substitute(formula: f.Formula, replacement: Mapping[f.Atom, f.Formula]) -> f.Formula:
    """Put formulas in the place of atoms, everywhere (under modal operators, too)."""

    def change(current: f.Formula) -> f.Formula:
        return replacement.get(current, current) if isinstance(current, f.Atom) else current

    return rewrite(formula, change)


def leaves(formula: f.Formula) -> tuple[f.Formula, ...]:
    """The leaves of a Boolean combination, each once, in order of first appearance.

    Leaves are atoms, constants, and modal subformulas that are not inside a modal operator.
    """
    found: dict[f.Formula, None] = {}
    seen: set[f.Formula] = set()
    stack = [formula]
    while stack:
        current = stack.pop()
        if current in seen:
            continue
        if not len(seen) % LOOK_EVERY:
            look()
        seen.add(current)
        if isinstance(current, f.Atom | f.Constant | f.Modal):
            found[current] = None
        else:
            stack.extend(reversed(current.operands))
    return tuple(found)


def replace_leaves(formula: f.Formula, change: Callable[[f.Formula], f.Formula]) -> f.Formula:
    """The same Boolean combination of `change(leaf)` for each of its `leaves`."""
    results = {leaf: change(leaf) for leaf in leaves(formula)}
    stack = [formula]
    while stack:
        current = stack[-1]
        if current in results:
            stack.pop()
            continue
        missing = [part for part in current.operands if part not in results]
        if missing:
            stack.extend(missing)
            continue
        if not len(results) % LOOK_EVERY:
            look()
        parts = tuple(results[part] for part in current.operands)
        results[current] = current.rebuild(parts) if parts != current.operands else current
        stack.pop()
    return results[formula]


def atoms(formula: f.Formula) -> tuple[f.Atom, ...]:
    """The atoms of `formula`, each once, in the order of first appearance.

    The fluents of `Kv` are not atoms; see `fluents_asked`.
    """
    return tuple(part for part in subformulas(formula) if isinstance(part, f.Atom))


def remembered(of: Callable[[f.Formula], T]) -> Callable[[f.Formula], T]:
    """Cache `of`, a property of formulas, as long as the formula exists."""
    found: WeakKeyDictionary[f.Formula, T] = WeakKeyDictionary()

    @wraps(of)
    def property_of(formula: f.Formula) -> T:
        try:
            return found[formula]
        except KeyError:
            result = found[formula] = of(formula)
            return result

    return property_of


def is_propositional(formula: f.Formula) -> bool:
    """Whether one world decides `formula`: it has no modal operator."""
    return formula.propositional


def names(formula: f.Formula) -> tuple[str, ...]:
    """The fluents that it names, also after `Kv`, each once, as they are written there."""
    return _names(under(formula))


def under(formula: f.Formula) -> f.Formula:
    """The formula without its leading operators of knowledge and belief of single agents.

    So properties of a fact are computed once, however many agents are asked about it.
    """
    while isinstance(formula, f.K | f.M | f.Kw) or (
        isinstance(formula, f.B) and formula.given is f.TRUE
    ):
        formula = formula.operand
    return formula


@remembered
def _names(formula: f.Formula) -> tuple[str, ...]:
    operands = formula.operands
    plain = [part.fluent for part in operands if isinstance(part, f.Atom)]
    if plain and len(plain) == len(operands) and formula.propositional:
        # Clauses, and numbers of cards or dice: most of what a game tells.
        return tuple(dict.fromkeys(plain))
    found: dict[str, None] = {}
    for part in _parts(formula):
        if isinstance(part, f.Atom):
            found[part.fluent] = None
        elif isinstance(part, f.Kv):
            found.update(dict.fromkeys(part.fluents))
    return tuple(found)


@remembered
def has_values(formula: f.Formula) -> bool:
    """Whether `Kv` stands in it somewhere."""
    return any(isinstance(part, f.Kv) for part in modal_subformulas(formula))


@remembered
def has_announcements(formula: f.Formula) -> bool:
    """Whether an announcement stands in it somewhere."""
    core = under(formula)
    if core is not formula:
        return has_announcements(core)
    announcing = f.Announced | f.AnnouncedTrue
    return any(isinstance(part, announcing) for part in modal_subformulas(formula))


@remembered
def has_actions(formula: f.Formula) -> bool:
    """Whether it says what is so after an action."""
    return any(isinstance(part, f.AfterAction) for part in modal_subformulas(formula))


@remembered
def has_beliefs(formula: f.Formula) -> bool:
    """Whether it speaks of belief somewhere."""
    return any(isinstance(part, f.Modal) and part.of_belief for part in modal_subformulas(formula))


@remembered
def knowers(formula: f.Formula) -> frozenset[str]:
    """The agents of whose own mind it speaks: not of a group together, as `D` and `C` do."""
    agents: set[str] = set()
    for part in modal_subformulas(formula):
        if isinstance(part, f.Modal) and part.individual:
            agents.update(part.agents)
    return frozenset(agents)


def modal_depth(formula: f.Formula) -> int:
    """How deep modal operators are nested in `formula` (an announcement counts as none)."""

    def visit(current: f.Formula, parts: tuple[int, ...]) -> int:
        deepest = max(parts, default=0)
        if isinstance(current, f.Modal) and not isinstance(current, f.Announced | f.AnnouncedTrue):
            return deepest + 1
        return deepest

    return fold(formula, visit)


def negation_normal_form(formula: f.Formula) -> f.Formula:
    """An equivalent formula with `~` before atoms only, of `& |`, cardinalities, and K, M, E, D, C.

    `->` and `<->` are written out, `M` is the dual of `K`; a negated `E`, `D` or `C` and every
    `Kv`, `P`, `B`, `EB`, `CB` and announcement keeps its negation before it (they have no dual
    here).
    `Kw[i] f` becomes `K[i] f | K[i] ~f`. Can be exponential in the nesting of `<->`.
    """
    results: dict[tuple[f.Formula, bool], f.Formula] = {}
    stack: list[tuple[f.Formula, bool]] = [(formula, True)]
    while stack:
        current, positive = stack[-1]
        if (current, positive) in results:
            stack.pop()
            continue
        needed = _normal_parts(current, positive)
        missing = [part for part in needed if part not in results]
        if missing:
            stack.extend(missing)
            continue
        if not len(results) % LOOK_EVERY:
            look()
        stack.pop()
        results[current, positive] = _normal(current, positive, [results[n] for n in needed])
    return results[formula, True]


def _normal_parts(current: f.Formula, positive: bool) -> list[tuple[f.Formula, bool]]:
    match current:
        case f.Not(operand):
            return [(operand, not positive)]
        case f.And(operands) | f.Or(operands):
            return [(part, positive) for part in operands]
        case f.Implies(left, right):
            return [(left, not positive), (right, positive)]
        case f.Iff(left, right):
            return [(left, True), (left, False), (right, True), (right, False)]
        case f.AgentOperator(_, operand) if current.dual is not None:
            return [(operand, positive)]
        case f.Kw(_, operand):
            return [(operand, True), (operand, False)]
        case f.Cardinality(_, _, operands):
            return [(part, True) for part in operands]
        case _:
            return [(part, True) for part in current.operands]


def _normal(current: f.Formula, positive: bool, parts: list[f.Formula]) -> f.Formula:
    match current:
        case f.Not():
            return parts[0]
        case f.And():
            return f.conjunction(parts) if positive else f.disjunction(parts)
        case f.Or() | f.Implies():
            return f.disjunction(parts) if positive else f.conjunction(parts)
        case f.Iff():
            left, not_left, right, not_right = parts
            if positive:
                return (not_left | right) & (left | not_right)
            return (left | right) & (not_left | not_right)
        case f.AgentOperator(agent, _) if current.dual is not None:
            return (type(current) if positive else current.dual)(agent, parts[0])
        case f.Kw(agent, _):
            kind: type[f.K] | type[f.M] = f.K if positive else f.M
            both = [kind(agent, parts[0]), kind(agent, parts[1])]
            return f.disjunction(both) if positive else f.conjunction(both)
        case f.Cardinality(relation, bound, _):
            if positive:
                return f.Cardinality(relation, bound, parts)
            below = f.atmost(bound - 1, parts) if bound > 0 else f.FALSE
            above = f.atleast(bound + 1, parts)
            if relation == "atleast":
                return below
            return above if relation == "atmost" else below | above
        case _:
            same = current.rebuild(tuple(parts)) if parts else current
            return same if positive else f.negation(same)
