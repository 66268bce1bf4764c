"""Events with private fluents as weighted sums over other fluents.

In Cluedo, one player shows another a card. The choice of the card is a private fluent of this
event. The law ties it to a few atoms (who holds these cards), and a likelihood gives the
probability of the choice. For questions about other fluents, the private fluent is summed out at
once. For each combination of truth values of these atoms, the *weight* of the event is a sum over
the consistent values of its private fluents; each term is the product of the likelihoods. The
result is a small table, which becomes a sum with weights (see `symkripke.engines.count.sums`). If
only the number of true atoms matters, each atom adds 1. Otherwise the atoms add 1, 2, 4, ..., so
that each total stands for one combination.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import product
from math import prod
from typing import TypeAlias

from symkripke.engines.count.sums import SumConstraint, as_sums
from symkripke.engines.count.tuning import CountingTuning
from symkripke.engines.count.weighting import shares
from symkripke.language import Atom, Formula
from symkripke.language.walk import atoms
from symkripke.model import Fluent, KnowledgeStructure, evaluate
from symkripke.records import dataclass

Seen: TypeAlias = frozenset[tuple[Atom, bool]]

_Table: TypeAlias = dict[tuple[bool, ...], int]
"""A weight for each combination of truth values of some atoms."""


@dataclass(eq=False)
class EventSums:
    """One event (or the start) as sums.

    Attributes:
        plain: its constraints without private fluents, as sums.
        secret: its private fluents, with their values.
        formulas: its constraints with private fluents.
        cases: for each likelihood, its cases, with their values as integers in proportion.
        asked: the atoms of `formulas` and `cases` that are not about private fluents.
        fluents: all fluents after it.
        fluents_asked: the fluents that it mentions, without its private fluents.
    """

    plain: tuple[SumConstraint, ...]
    secret: Mapping[str, tuple[str, ...]]
    formulas: Sequence[Formula]
    cases: Sequence[Sequence[tuple[Formula, int]]]
    asked: Sequence[Atom]
    fluents: Mapping[str, Fluent]
    fluents_asked: frozenset[str]
    _tables: dict[Seen, tuple[SumConstraint, ...] | None] = field(default_factory=dict)

    def weights(self, seen: Seen) -> tuple[SumConstraint, ...] | None:
        """Return the sums of the event, given the observations of its private fluents.

        Return None if the event alone does not determine which case of a likelihood is true.
        """
        if not self.secret and not self.cases:
            return ()
        if seen not in self._tables:
            table = self._table(seen)
            self._tables[seen] = None if table is None else self._sums(table)
        return self._tables[seen]

    def _table(self, seen: Seen) -> _Table | None:
        """Return the weight for each combination of truth values of the other atoms.

        Return None if a likelihood does not have exactly one true case.
        """
        worlds = (
            dict(zip(self.secret, values, strict=True)) for values in product(*self.secret.values())
        )
        chosen = [
            world
            for world in worlds
            if all((world[atom.fluent] == atom.value) is truth for atom, truth in seen)
        ]
        table: _Table = {}
        for truths in product((False, True), repeat=len(self.asked)):
            statements: dict[str, str] = {
                atom.fluent: atom.value if truth else ""
                for atom, truth in zip(self.asked, truths, strict=True)
            }
            table[truths] = 0
            for world in chosen:
                whole = {**statements, **world}
                if not all(evaluate(formula, whole) for formula in self.formulas):
                    continue
                weight = 1
                for cases in self.cases:
                    true = [value for case, value in cases if evaluate(case, whole)]
                    if len(true) != 1:
                        return None
                    weight *= true[0]
                table[truths] += weight
        return table

    def _sums(self, table: _Table) -> tuple[SumConstraint, ...]:
        """Return sums with the weights of the table."""
        support = [truths for truths, weight in table.items() if weight]
        if not support:
            return (SumConstraint({}, 0),)
        sums, left = [], []
        for place, atom in enumerate(self.asked):
            truths_here = {truths[place] for truths in support}
            if len(truths_here) == 2:
                left.append(place)
                continue
            fits = 0b10 if truths_here.pop() else 0b01
            sums.append(SumConstraint(self._parts([atom], [1]), fits))
        reduced: _Table = {}
        for truths in support:
            reduced[tuple(truths[place] for place in left)] = table[truths]
        weights, adds = _by_number(reduced, len(left))
        if len(set(weights)) > 1:
            allowed = sum(1 << number for number, weight in enumerate(weights) if weight)
            parts = self._parts([self.asked[place] for place in left], adds)
            is_weighed = len(set(weights) - {0}) > 1
            sums.append(SumConstraint(parts, allowed, weights=weights if is_weighed else None))
        return tuple(sums)

    def _parts(self, asked: Sequence[Atom], adds: Sequence[int]) -> dict[str, tuple[int, ...]]:
        return {
            atom.fluent: tuple(
                add if value == atom.value else 0 for value in self.fluents[atom.fluent].values
            )
            for atom, add in zip(asked, adds, strict=True)
        }


def _by_number(table: _Table, size: int) -> tuple[tuple[int, ...], list[int]]:
    """Return the weight for each total, and the contribution of each of `size` atoms."""
    counted: dict[int, set[int]] = {number: set() for number in range(size + 1)}
    for truths in product((False, True), repeat=size):
        counted[sum(truths)].add(table.get(truths, 0))
    if all(len(weights) == 1 for weights in counted.values()):
        return tuple(weights.pop() for weights in counted.values()), [1] * size
    order = product((False, True), repeat=size)
    return tuple(table.get(truths[::-1], 0) for truths in order), [1 << n for n in range(size)]


def event_sums(
    stage: KnowledgeStructure, weighting: str, tuning: CountingTuning
) -> EventSums | None:
    """Return the last event of a structure as sums; None if that is impossible."""
    before, fluents = stage.history.before, stage.vocabulary.fluents
    known = fluents if before is None else before.vocabulary.fluents
    likelihoods = () if weighting == "equal" else stage.likelihoods.added
    new = [fluent for name, fluent in fluents.items() if name not in known]
    secret: dict[str, tuple[str, ...]] = {fluent.name: fluent.values for fluent in new}
    if (
        any(fluent.name.is_version for fluent in new)
        or prod(map(len, secret.values())) > tuning.event_values
    ):
        return None
    plain: list[SumConstraint] = []
    formulas: list[Formula] = []
    for constraint in stage.law.added:
        if constraint.is_modal:
            return None
        if not secret.keys().isdisjoint(atom.fluent for atom in atoms(constraint.formula)):
            formulas.append(constraint.formula)
            continue
        said = as_sums(constraint.formula, fluents)
        if said is None:
            return None
        plain.extend(said)
    cases = [
        [
            (case, value)
            for (case, _), value in zip(likelihood.cases, shares(likelihood), strict=True)
        ]
        for likelihood in likelihoods
    ]
    spoken = [*formulas, *(case for each in cases for case, _ in each)]
    asked = [
        atom
        for atom in dict.fromkeys(atom for formula in spoken for atom in atoms(formula))
        if atom.fluent not in secret
    ]
    if len(asked) > tuning.event_atoms or len({atom.fluent for atom in asked}) < len(asked):
        return None
    everything = {atom.fluent for c in stage.law.added for atom in atoms(c.formula)}
    everything.update(atom.fluent for atom in asked)
    return EventSums(
        tuple(plain), secret, formulas, cases, asked, fluents, frozenset(everything - secret.keys())
    )
