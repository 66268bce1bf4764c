"""Detecting counts that a law states in clauses.

SMCDEL's format cannot express "at most four of these" directly. A file states it in clauses: among
any five atoms, at least one is false. For hands of four among sixteen cards, this takes 4,368
clauses per player. A cardinality constraint is short, and a solver detects a violation of it at
once.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from symkripke.language import And, Atom, Formula, Not, Or, atleast, atmost

# Fewer clauses than this are left unchanged, for explanations.
_MANY = 100

Clause = tuple[bool, frozenset[Formula]]
"""A truth value and atoms, at least one of which has this truth value."""


def with_counts(law: Sequence[Formula]) -> list[Formula]:
    """Return an equivalent law with cardinality constraints instead of long lists of clauses.

    A list of clauses is replaced if it consists of all combinations of a fixed number of its atoms,
    and no other clause of this length and sign contains these atoms. A constraint takes the
    position of the first of its clauses.
    """
    if len(law) < _MANY:
        return list(law)
    clauses = {part: clause for part in law if (clause := _clause(part)) is not None}
    replaced: dict[Formula, Formula] = {}
    for group in _groups(clauses):
        count = _count(group, clauses)
        if count is not None:
            replaced.update(dict.fromkeys(group, count))
    return list(dict.fromkeys(replaced.get(part, part) for part in law))


def _clause(part: Formula) -> Clause | None:
    """Return a part of a law as a clause of literals with one sign; None for other parts."""
    value = not (isinstance(part, Not) and isinstance(part.operand, And))
    body = part if value else part.operands[0]
    if not isinstance(body, Or if value else And):
        return None
    if not all(isinstance(operand, Atom) for operand in body.operands):
        return None
    return value, frozenset(body.operands)


def _groups(clauses: dict[Formula, Clause]) -> list[list[Formula]]:
    """Return groups of clauses with the same length and sign, connected by shared atoms."""
    leader: dict[tuple[bool, int, Formula], tuple[bool, int, Formula]] = {}

    def found(atom: tuple[bool, int, Formula]) -> tuple[bool, int, Formula]:
        while leader[atom] != atom:
            leader[atom] = leader[leader[atom]]
            atom = leader[atom]
        return atom

    first = {}
    for part, (value, atoms) in clauses.items():
        keys = [(value, len(atoms), atom) for atom in atoms]
        for key in keys:
            leader.setdefault(key, key)
        first[part] = keys[0]
        for key in keys[1:]:
            leader[found(key)] = found(keys[0])
    groups = defaultdict(list)
    for part, key in first.items():
        groups[found(key)].append(part)
    return list(groups.values())


def _count(group: Sequence[Formula], clauses: dict[Formula, Clause]) -> Formula | None:
    """Return the cardinality constraint that many clauses state; None if there is none."""
    if len(group) < _MANY:
        return None
    value, some = clauses[group[0]]
    atoms = list(dict.fromkeys(atom for part in group for atom in _in_order(part, value)))
    # The clauses differ, so this number of clauses contains all combinations.
    if len({clauses[part] for part in group}) != math.comb(len(atoms), len(some)):
        return None
    if value:
        return atleast(len(atoms) - len(some) + 1, atoms)
    return atmost(len(some) - 1, atoms)


def _in_order(part: Formula, value: bool) -> tuple[Formula, ...]:
    """Return the atoms of a clause in their written order."""
    return part.operands if value else part.operands[0].operands
