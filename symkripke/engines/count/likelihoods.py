"""The effect of an event on the weights of worlds: likelihoods as variables of the diagram.

A likelihood of n in N becomes *likelihood variables*: a binary number below N, with the constraint
"number < n" where that case is true. So a world has n valuations of them, and counting valuations
computes weights.

Often the variables are unnecessary. For each valuation of all other fluents, sum the weights of the
values of the event's private fluents. If the sum is the same wherever it is not 0, the event keeps
all weights in proportion. Its likelihoods and its private fluents then cancel for all questions
that are not about these fluents. This happens for an agent who sees that one player showed another
a card, but not which card: k cards with the probability 1/k each have the sum 1. It also happens
for the player who showed the card, because their own hand determines k.

The likelihoods of the start are applied together with the first event, if there is one. Cases that
contradict the facts that this event makes public are removed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from itertools import chain, islice, product
from math import prod
from typing import TypeAlias

from symkripke.engines.bdd.algebraic import AlgebraicDiagrams
from symkripke.engines.bdd.diagram import Diagrams
from symkripke.engines.bdd.interruptible import Diagram, both, minus
from symkripke.engines.bdd.law import Encoding, Literals, Stage
from symkripke.engines.count.weighting import shares
from symkripke.language import And, Atom, Formula, Not, conjunction
from symkripke.language.walk import atoms
from symkripke.model import KnowledgeStructure, Likelihood
from symkripke.records import dataclass

LikelihoodVariables: TypeAlias = dict[tuple[int, int, int, frozenset[int]], tuple[int, ...]]
"""The likelihood variables.

A key consists of the number of the event, the index of the likelihood, N and the event's variables.
"""


@dataclass(eq=False)
class EventWeights:
    """The data of one event for counting, without references that would keep structures alive.

    Attributes:
        encoding: the worlds as valuations, with their diagrams.
        stage: the stage after the event.
        blocks: the likelihood variables of all events of the family. Events in different histories
            may share variables.
        number: the number of the event.
        secret: the private fluents that it creates.
        mentions: all fluents in its constraints and likelihoods, and its private fluents.
        modal: whether it has constraints about knowledge.
        cases: for each likelihood, its cases as diagrams, with their values as integers in
            proportion.
        sources: for each likelihood, its name in messages.
        variables: the variables of the fluents in `mentions`.
        near: for each likelihood, the variables in its cases. Its own variables come after these in
            the order.
    """

    encoding: Encoding
    stage: Stage
    blocks: LikelihoodVariables
    number: int
    secret: tuple[str, ...]
    mentions: frozenset[str]
    modal: bool
    cases: list[list[tuple[Diagram, int]]]
    sources: list[str]
    variables: frozenset[int]
    near: list[frozenset[int]] = field(default_factory=list)
    _as_variables: tuple[Diagram, frozenset[int]] | None = None
    _ambiguous: list[tuple[str, Diagram]] | None = None
    _cancels: dict[tuple[Literals, frozenset[str]], bool] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        encoding: Encoding,
        structure: KnowledgeStructure,
        blocks: LikelihoodVariables,
        where: Callable[[Formula], Diagram] | None,
    ) -> EventWeights:
        """Return the data of the last event of a structure, or of a first structure.

        The stage must be open. `where` returns the worlds at which a propositional formula is true;
        if it is None, likelihoods are ignored.
        """
        stage = encoding.stages[structure]
        likelihoods = structure.likelihoods.added if where is not None else ()
        formulas: list[Formula] = []
        secret: tuple[str, ...] = ()
        if structure.history.before is not None:
            known = structure.history.before.vocabulary.fluents
            secret = tuple(
                fluent.name
                for name, fluent in structure.vocabulary.fluents.items()
                if name not in known and not fluent.name.is_version
            )
            formulas += [constraint.formula for constraint in structure.law.added]
            if where is not None and structure.history.before.history.before is None:
                likelihoods = (*_left_of_start(structure, encoding.diagrams, where), *likelihoods)
        formulas.extend(formula for likelihood in likelihoods for formula, _ in likelihood.cases)
        mentions = frozenset[str](atom.fluent for formula in formulas for atom in atoms(formula))
        mentions |= set(secret)
        cases = []
        for likelihood in likelihoods:
            assert where is not None
            places = [where(formula) for formula, _ in likelihood.cases]
            cases.append(list(zip(places, shares(likelihood), strict=True)))
        event = structure.history.event.source if structure.history.event is not None else ""
        return cls(
            encoding,
            stage,
            blocks,
            len(structure.stages) - 1,
            secret,
            mentions,
            structure.history.before is not None and any(c.is_modal for c in structure.law.added),
            cases,
            [str(likelihood.source or event) for likelihood in likelihoods],
            stage.variables_of(mentions),
            [
                stage.variables_of(
                    atom.fluent for formula, _ in likelihood.cases for atom in atoms(formula)
                )
                for likelihood in likelihoods
            ],
        )

    @classmethod
    def nothing(
        cls, encoding: Encoding, root: KnowledgeStructure, blocks: LikelihoodVariables
    ) -> EventWeights:
        """Return empty data for a first structure whose likelihoods the first event includes."""
        stage = encoding.stages[root]
        return cls(encoding, stage, blocks, 0, (), frozenset(), False, [], [], frozenset())

    def as_variables(self) -> tuple[Diagram, frozenset[int]]:
        """Return the conjunction of the likelihoods as a diagram, and the likelihood variables."""
        if self._as_variables is None:
            diagrams = self.encoding.diagrams
            whole = diagrams.true
            added: list[int] = []
            for block, cases in zip(self.place_variables(), self.cases, strict=True):
                added.extend(block)
                below = [both(case, _below(diagrams, block, value)) for case, value in cases]
                whole = both(whole, diagrams.some(below))
            self._as_variables = whole, frozenset(added)
        return self._as_variables

    def place_variables(self) -> list[tuple[int, ...]]:
        """Return the variables of each likelihood.

        Missing variables are added to the order in one step, because changing the order is the
        slowest part and a first structure can have many likelihoods.
        """
        keys = []
        missing: dict[tuple[int, int, int, frozenset[int]], list[list[int]]] = {}
        for place, cases in enumerate(self.cases):
            most = max(value for _, value in cases)
            key = (self.number, place, most, self.variables)
            keys.append(key)
            if key not in self.blocks:
                near = sorted(self.near[place] or self.variables)
                missing[key] = [near] * (most - 1).bit_length()
        if missing:
            new = iter(self.encoding.diagrams.spread(list(chain.from_iterable(missing.values()))))
            for key, places in missing.items():
                self.blocks[key] = tuple(islice(new, len(places)))
        return [self.blocks[key] for key in keys]

    def ambiguous(self) -> list[tuple[str, Diagram]]:
        """Return the valuations that the event allows although not exactly one case is true.

        Each likelihood with such valuations has an entry: its name in messages, and the diagram.
        """
        if self._ambiguous is None:
            diagrams = self.encoding.diagrams
            # The law of the start is large; `wrong` is intersected with it later.
            here = diagrams.every(self.stage.added) if self.number else diagrams.true
            faults = []
            for source, cases in zip(self.sources, self.cases, strict=True):
                exactly_one = diagrams.number("exactly", 1, [case for case, _ in cases])
                wrong = minus(here, exactly_one)
                if wrong.satisfiable():
                    faults.append((source, wrong))
            self._ambiguous = faults
        return self._ambiguous

    def cancels(self, given: Literals, hidden: frozenset[str]) -> bool:
        """Return whether the event, summed over `hidden`, keeps weights in proportion with `given`.

        `hidden` are private fluents of the event that occur nowhere else.
        """
        if not self.secret and not self.cases:
            return True
        if self.modal:
            return False  # constraints about knowledge may have large diagrams
        here = frozenset(
            literal for v in self.variables for literal in (v + 1, -v - 1) if literal in given
        )
        key = here, hidden
        if key not in self._cancels:
            self._cancels[key] = self._proportional(here, hidden)
        return self._cancels[key]

    def _proportional(self, given: Literals, hidden: frozenset[str]) -> bool:
        if prod(len(cases) for cases in self.cases) > self.encoding.tuning.cases:
            return False  # variables are always correct; checking more combinations takes too long
        diagrams = self.encoding.diagrams
        here = diagrams.every([*self.stage.added, diagrams.cube(given)])
        summed = self.stage.variables_of(hidden)
        observed = frozenset(range(diagrams.manager.num_vars())) - summed
        numbers = AlgebraicDiagrams(diagrams, observed, 1 << len(summed))
        total = numbers.counts(diagrams.false)
        for cases in product(*self.cases):
            part = diagrams.every([here, *(case for case, _ in cases)])
            factor = prod(value for _, value in cases)

            def with_part(sum_so_far: int, count: int, factor: int = factor) -> int:
                return sum_so_far + factor * count

            total = numbers.apply(with_part, total, numbers.counts(part))
        return len(numbers.values(total) - {0}) <= 1


def _left_of_start(
    structure: KnowledgeStructure, diagrams: Diagrams, where: Callable[[Formula], Diagram]
) -> list[Likelihood]:
    """Return the likelihoods of the start, without cases that a first event's facts exclude."""
    assert structure.history.before is not None
    facts = [c.formula for c in structure.law.added if _is_fact(c.formula)]
    known = diagrams.every(map(where, facts))

    def open_part(formula: Formula) -> Formula:
        """Return the formula without the conjuncts that the facts imply."""
        parts = formula.operands if isinstance(formula, And) else (formula,)
        return conjunction(part for part in parts if minus(known, where(part)).satisfiable())

    left = []
    for likelihood in structure.history.before.likelihoods.added:
        cases = tuple(
            (open_part(formula), value)
            for formula, value in likelihood.cases
            if (where(formula) & known).satisfiable()
        )
        if len({value for _, value in cases}) > 1:
            left.append(Likelihood(cases, likelihood.source))
    return left


def _is_fact(formula: Formula) -> bool:
    """Return whether the formula is a literal or a conjunction of literals."""
    parts = formula.operands if isinstance(formula, And) else (formula,)
    return all(isinstance(part.operand if isinstance(part, Not) else part, Atom) for part in parts)


def _below(diagrams: Diagrams, block: tuple[int, ...], number: int) -> Diagram:
    """Return the valuations at which the binary number in the block is below `number`.

    The first variable of the block is the most significant digit.
    """
    if number == 1 << len(block):
        return diagrams.true
    below = diagrams.false
    for place, variable in enumerate(reversed(block)):
        zero = diagrams.literal(-variable - 1)
        below = zero | below if number >> place & 1 else zero & below
    return below
