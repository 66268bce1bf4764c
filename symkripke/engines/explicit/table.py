"""Worlds as a table: a row for each world, and a column of value indices for each fluent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from symkripke.errors import TooManyWorlds
from symkripke.language import Name
from symkripke.language import formulas as f
from symkripke.language.formulas import fold
from symkripke.language.walk import atoms
from symkripke.limits import look
from symkripke.model import Fluent, World

Column: TypeAlias = NDArray[np.integer]
"""The index of the fluent's value in `Fluent.values`, for each world."""

Rows: TypeAlias = NDArray[np.intp]
"""Indices of worlds."""

Vector: TypeAlias = NDArray[np.bool_]
"""A truth value for each world."""


class Table:
    """A list of worlds.

    Attributes:
        size: the number of worlds.
        fluents: the fluents of the columns.
        columns: the column of each fluent, by name, each of length `size`. They must not be
            changed, because tables share them.
    """

    __slots__ = ("columns", "fluents", "size")

    def __init__(
        self, size: int, fluents: Mapping[str, Fluent], columns: Mapping[str, Column]
    ) -> None:
        """Create a table of these columns."""
        self.size = size
        self.fluents = fluents
        self.columns = columns

    def select(self, rows: Rows) -> Table:
        """Return the table of these rows, in this order."""
        taken = {name: column[rows] for name, column in self.columns.items()}
        return Table(len(rows), self.fluents, taken)

    def where(self, kept: Vector) -> Table:
        """Return the table of the rows at which `kept` is true; this object if all are kept."""
        return self if bool(kept.all()) else self.select(np.flatnonzero(kept))

    def has(self, other: Table) -> Vector:
        """Return, for each world, whether it is part of a world of the other, wider table."""
        if not self.columns or not self.size:
            return np.full(self.size, bool(other.size))
        columns = [np.concatenate([c, other.columns[n]]) for n, c in self.columns.items()]
        same = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)[1].ravel()
        members: Vector = np.isin(same[: self.size], same[self.size :])
        return members

    def joined(self, fluent: Fluent, column: Column) -> Table:
        """Return the table with one more column."""
        return Table(
            self.size,
            {**self.fluents, fluent.name: fluent},
            {**self.columns, fluent.name: column},
        )

    def world(self, row: int) -> World:
        """Return the world of a row, as a value for every fluent."""
        return {
            name: fluent.values[int(self.columns[name][row])]
            for name, fluent in self.fluents.items()
        }

    def atom(self, atom: f.Atom) -> Vector:
        """Return the worlds at which `atom` is true."""
        number = self.fluents[atom.fluent].values.index(atom.value)
        return np.equal(self.columns[atom.fluent], number)

    def truth(self, formula: f.Formula) -> Vector:
        """Return the truth of a formula at each world; raise `ValueError` for a modal formula."""

        def visit(current: f.Formula, parts: tuple[Vector, ...]) -> Vector:
            look()
            value = boolean(self, current, parts)
            if value is None:
                raise ValueError(f"one world does not decide {current}")
            return value

        return fold(formula, visit)


def boolean(table: Table, formula: f.Formula, parts: tuple[Vector, ...]) -> Vector | None:
    """Return the truth of `formula` from the truth of its operands; None for modal operators."""
    match formula:
        case f.Constant(value):
            return np.full(table.size, value)
        case f.Atom():
            return table.atom(formula)
        case f.Not():
            return ~parts[0]
        case f.And():
            every: Vector = np.all(parts, axis=0)
            return every
        case f.Or():
            some: Vector = np.any(parts, axis=0)
            return some
        case f.Implies():
            return ~parts[0] | parts[1]
        case f.Iff():
            return np.equal(parts[0], parts[1])
        case f.Cardinality(relation, bound, _):
            number = np.zeros(table.size, dtype=np.int64)
            for part in parts:
                look()
                number += part
            return _compared(relation, number, number, bound)
    return None


def _compared(relation: f.Relation, least: Column, most: Column, bound: int) -> Vector:
    """Return whether some number from `least` to `most` has the relation to `bound`."""
    if relation == "atleast":
        return most >= bound
    if relation == "atmost":
        return least <= bound
    return (least <= bound) & (most >= bound)


class _Tally:
    """A cardinality constraint over literals, counted while columns are added.

    Attributes:
        counts: for each row, the number of operands that are true already.
        open: the number of operands about columns that have not been added yet.
    """

    def __init__(self, formula: f.Cardinality, table: Table) -> None:
        self.relation = formula.relation
        self.bound = formula.bound
        self.by_fluent: dict[str, list[f.Formula]] = {}
        for operand in formula.operands:
            self.by_fluent.setdefault(atoms(operand)[0].fluent, []).append(operand)
        self.open = len(formula.operands)
        self.counts = np.zeros(table.size, dtype=np.int64)
        for name in self.by_fluent:
            if name in table.columns:
                self.counts = self.with_fluent(name, table)
                self.close(name)

    def with_fluent(self, name: str, table: Table) -> NDArray[np.int64]:
        """Return the counts including the operands about this fluent, by its column in `table`."""
        counts = self.counts.copy()
        for operand in self.by_fluent.get(name, ()):
            look()
            counts += table.truth(operand)
        return counts

    def close(self, name: str) -> None:
        """Record that the column of the fluent has been added."""
        self.open -= len(self.by_fluent.get(name, ()))

    def possible(self, counts: NDArray[np.int64], still_open: int) -> Vector:
        """Return the rows at which the constraint can still be true."""
        return _compared(self.relation, counts, counts + still_open, self.bound)


def extend(
    table: Table, fluents: Iterable[Fluent], constraints: Iterable[f.Formula], max_worlds: int
) -> Table:
    """Return all extensions of the worlds of `table` by `fluents` that satisfy `constraints`.

    Columns are added one by one. A fluent that others define follows them immediately, so that it
    adds no rows. A constraint is checked once all its fluents have columns. Cardinality constraints
    over literals are checked earlier, and rows that can no longer satisfy them are dropped.

    Args:
        table: the worlds so far.
        fluents: the new fluents, in order.
        constraints: propositional formulas over the old and the new fluents.
        max_worlds: the maximum number of rows at any time.

    Raises:
        TooManyWorlds: there would be more than `max_worlds` rows.
    """
    known = tuple(table.fluents)
    waiting: dict[f.Formula, set[Name]] = {}
    for constraint in constraints:
        parts = constraint.operands if isinstance(constraint, f.And) else (constraint,)
        for part in parts:
            waiting[part] = {atom.fluent for atom in atoms(part)} - table.columns.keys()
    for formula in [formula for formula, missing in waiting.items() if not missing]:
        table = table.where(table.truth(formula))
        del waiting[formula]
    tallies = [_Tally(formula, table) for formula in waiting if _is_tally(formula)]

    new = list(fluents)
    order = _in_order(new, waiting)
    for fluent in order:
        ready = []
        for formula, missing in waiting.items():
            missing.discard(fluent.name)
            if not missing:
                ready.append(formula)
        for formula in ready:
            del waiting[formula]
        table = _extend_by_one(table, fluent, ready, tallies, max_worlds)
        tallies = [tally for tally in tallies if tally.open]
    return table if order == new else _sorted(table, [*known, *(fluent.name for fluent in new)])


def _sorted(table: Table, names: Sequence[str]) -> Table:
    """Return the worlds with the columns in this order, and with rows sorted by these columns."""
    fluents = {name: table.fluents[name] for name in names}
    columns = {name: table.columns[name] for name in names}
    rows = np.lexsort([columns[name] for name in reversed(names)])
    return Table(table.size, fluents, columns).select(rows)


def _in_order(new: Sequence[Fluent], stated: Mapping[f.Formula, set[Name]]) -> list[Fluent]:
    """Return the new fluents in their order, but each fluent after the fluents that define it.

    A fluent is defined if a constraint states that one of its atoms is equivalent to a formula.
    `stated` maps each constraint to its new fluents.
    """
    needed: dict[str, set[str]] = {}
    for formula, missing in stated.items():
        match formula:
            case f.Iff(f.Atom(name), _) if name in missing:
                needed[name] = needed.get(name, set()) | (missing - {name})
    order: list[Fluent] = []
    listed: set[str] = set()
    waiting = list(new) if needed else []
    while waiting:
        # If two fluents define each other, they keep their order.
        ready = (fluent for fluent in waiting if needed.get(fluent.name, set()) <= listed)
        order.append(next(ready, waiting[0]))
        waiting.remove(order[-1])
        listed.add(order[-1].name)
    return order if needed else list(new)


def _is_tally(formula: f.Formula) -> TypeGuard[f.Cardinality]:
    return isinstance(formula, f.Cardinality) and all(
        isinstance(part, f.Atom) or (isinstance(part, f.Not) and isinstance(part.operand, f.Atom))
        for part in formula.operands
    )


def _extend_by_one(
    table: Table,
    fluent: Fluent,
    ready: list[f.Formula],
    tallies: list[_Tally],
    max_worlds: int,
) -> Table:
    """Return `table` with a column for `fluent`, with each row once for each allowed value.

    Raise `TooManyWorlds` above `max_worlds` rows.
    """
    number_type = np.min_scalar_type(len(fluent.values) - 1)
    for tally in tallies:
        tally.close(fluent.name)
    kept: list[Rows] = []
    counts: list[list[NDArray[np.int64]]] = []
    total = 0
    # Values are added one at a time, so that rows that violate a constraint are never listed.
    for number in range(len(fluent.values)):
        look()
        tried = table.joined(fluent, np.full(table.size, number, dtype=number_type))
        good = np.ones(table.size, dtype=np.bool_)
        counted = [tally.with_fluent(fluent.name, tried) for tally in tallies]
        for tally, count in zip(tallies, counted, strict=True):
            good &= tally.possible(count, tally.open)
        for formula in ready:
            good &= tried.truth(formula)
        rows = np.flatnonzero(good)
        total += len(rows)
        if total > max_worlds:
            raise TooManyWorlds(
                f"more than {max_worlds:,} possible worlds to list: the explicit engine lists them "
                "all; ask another engine, or allow more"
            )
        kept.append(rows)
        counts.append([count[rows] for count in counted])
    rows = np.concatenate(kept)
    numbers = np.repeat(np.arange(len(kept), dtype=number_type), [len(part) for part in kept])
    # The new rows are ordered by old row, then by value.
    order = np.argsort(rows, kind="stable")
    for place, tally in enumerate(tallies):
        tally.counts = np.concatenate([count[place] for count in counts])[order]
    return table.select(rows[order]).joined(fluent, numbers[order])
