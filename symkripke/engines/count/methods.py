"""The methods of counting; `BddEngine` uses the first method that can answer.

| method | where it applies | how it counts |
|---|---|---|
| sums | the law says how many fluents have which values, and nothing else | level by level, \
`symkripke.engines.count.dynamic_programme`; value by value if each sum is about one value, \
`symkripke.engines.count.value_counts` |
| forward | fluents have changed, and no event since then reveals knowledge | event by event, \
`symkripke.engines.count.forward` |
| diagram | everywhere | node by node, `symkripke.engines.count.model_counting` |

The first two are faster where they apply, because hands of known sizes and long histories have
large diagrams. A small structure is not filtered. The most plausible worlds are always counted as a
diagram.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from symkripke.engines.bdd.diagram import Literal as DiagramLiteral
from symkripke.engines.bdd.interruptible import Diagram, both
from symkripke.language import Atom, Constant, Formula, Not
from symkripke.language.walk import atoms
from symkripke.model import Perspective, World
from symkripke.records import dataclass

if TYPE_CHECKING:
    from symkripke.engines.bdd.truth import Evaluation
    from symkripke.engines.count.forward import Present
    from symkripke.engines.count.model_counting import ModelCounter
    from symkripke.engines.count.path_counts import PathCounts
    from symkripke.engines.count.sum_counter import SumCounter
    from symkripke.engines.count.value_counts import ValueCounts

MethodName: TypeAlias = Literal["sums", "forward", "diagram"]
"""The name of a method of counting."""

REASONS: Mapping[MethodName, str] = {
    "sums": "the law says how many fluents have which values, and nothing else",
    "forward": "fluents have changed: the weights of histories are added up event by event",
    "diagram": "a diagram fits every law",
}
"""The reason for using each method."""


class Counts(ABC):
    """The possible worlds of an agent, counted by one method.

    Formulas are resolved and propositional. `meanings` maps each atom to the literal or constant
    that it currently stands for. Methods return None for questions that they cannot answer.
    """

    method: ClassVar[MethodName]

    @abstractmethod
    def share(self, formula: Formula) -> Fraction | None:
        """Return the probability of the formula."""

    @abstractmethod
    def marginals(self, meanings: Mapping[Atom, Formula]) -> Mapping[Atom, Fraction]:
        """Return the probability of each atom."""

    @abstractmethod
    def distribution(
        self, meanings: Mapping[Atom, Formula], limit: int
    ) -> Mapping[frozenset[Atom], Fraction] | None:
        """Return, for each set of atoms, the probability that exactly these are true.

        Raises:
            BudgetExceeded: there are more than `limit` sets.
        """

    @abstractmethod
    def draw(self, number: int, chance: random.Random, names: Sequence[str]) -> list[World]:
        """Return `number` random worlds, drawn by weight, with values for at least `names`."""


@dataclass(frozen=True, eq=False)
class SumCounts(Counts):
    """Counts over the states of a law of sums.

    Attributes:
        counter: the counter of laws of sums.
        perspective: the perspective of the agent.
        paths: the counts of the worlds of the perspective, of which there is at least one.
    """

    method = "sums"

    counter: SumCounter
    perspective: Perspective
    paths: PathCounts | ValueCounts

    def share(self, formula: Formula) -> Fraction | None:
        """See `Counts.share`. Return None if the formula is not a sum."""
        return self.counter.probability(self.perspective, formula)

    def marginals(self, meanings: Mapping[Atom, Formula]) -> Mapping[Atom, Fraction]:
        """See `Counts.marginals`."""
        shares = self.paths.marginals
        return {atom: _share_of_literal(shares, formula) for atom, formula in meanings.items()}

    def distribution(
        self, meanings: Mapping[Atom, Formula], limit: int
    ) -> Mapping[frozenset[Atom], Fraction] | None:
        """See `Counts.distribution`. Return None if counting takes too many steps."""
        return self.counter.distribution(self.perspective, meanings, limit)

    def draw(self, number: int, chance: random.Random, names: Sequence[str]) -> list[World]:
        """See `Counts.draw`."""
        return list(self.paths.draw(number, chance))


class DiagramVariables(Counts):
    """The common part of the two methods that use variables of diagrams."""

    work: Evaluation

    def marginals(self, meanings: Mapping[Atom, Formula]) -> Mapping[Atom, Fraction]:
        """See `Counts.marginals`."""
        shares = self.shares()
        return {
            atom: _share_of(shares, self.work.literal(formula))
            for atom, formula in meanings.items()
        }

    def distribution(
        self, meanings: Mapping[Atom, Formula], limit: int
    ) -> Mapping[frozenset[Atom], Fraction]:
        """See `Counts.distribution`."""
        literals = {atom: self.work.literal(formula) for atom, formula in meanings.items()}
        return {
            frozenset(atom for atom, literal in literals.items() if is_true(literal, true)): share
            for true, share in self.split(variables(literals.values()), limit)
        }

    def draw(self, number: int, chance: random.Random, names: Sequence[str]) -> list[World]:
        """See `Counts.draw`."""
        stage = self.work.stage
        # A fixed order makes the drawn worlds reproducible.
        ordered = [variable for name in names for variable in stage.blocks[name][1]]
        return [
            self.work.encoding.world(stage, true, names)
            for true in self.drawn(number, chance, ordered)
        ]

    @abstractmethod
    def shares(self) -> Mapping[int, Fraction]:
        """Return, for each variable, the probability that it is true."""

    @abstractmethod
    def split(self, asked: set[int], limit: int) -> Iterable[tuple[frozenset[int], Fraction]]:
        """Return each possible set of true variables among `asked`, with its probability."""

    @abstractmethod
    def drawn(
        self, number: int, chance: random.Random, ordered: Sequence[int]
    ) -> Iterable[frozenset[int]]:
        """Return `number` random valuations of these variables, each as its true variables."""


@dataclass(frozen=True, eq=False)
class ForwardCounts(DiagramVariables):
    """Counts over the weights of the present.

    Attributes:
        work: the evaluation of the structure.
        present: the weighted worlds that the agent considers possible now.
    """

    method = "forward"

    work: Evaluation
    present: Present

    def share(self, formula: Formula) -> Fraction:
        """See `Counts.share`."""
        return self.present.share(self.work.truth(self.work.everything(), formula))

    def shares(self) -> Mapping[int, Fraction]:
        """See `DiagramVariables.shares`."""
        return self.present.weights.marginals

    def split(self, asked: set[int], limit: int) -> Iterable[tuple[frozenset[int], Fraction]]:
        """See `DiagramVariables.split`."""
        return self.present.split(frozenset(asked), limit)

    def drawn(
        self, number: int, chance: random.Random, ordered: Sequence[int]
    ) -> Iterable[frozenset[int]]:
        """See `DiagramVariables.drawn`."""
        return self.present.weights.draw(number, chance, ordered)


@dataclass(frozen=True, eq=False)
class DiagramCounts(DiagramVariables):
    """Counts over the nodes of a diagram.

    Attributes:
        work: the evaluation of the structure.
        counter: the counter of the valuations of diagrams.
        possible: the weighted worlds that the agent considers possible; not empty.
    """

    method = "diagram"

    work: Evaluation
    counter: ModelCounter
    possible: Diagram

    def share(self, formula: Formula) -> Fraction:
        """See `Counts.share`."""
        diagrams = self.work.diagrams
        part = both(self.possible, self.work.truth(self.work.everything(), formula))
        size = diagrams.manager.num_vars()
        return Fraction(diagrams.count(part, size), diagrams.count(self.possible, size))

    def shares(self) -> Mapping[int, Fraction]:
        """See `DiagramVariables.shares`."""
        return self.counter.nodes(self.possible).marginals

    def split(self, asked: set[int], limit: int) -> Iterable[tuple[frozenset[int], Fraction]]:
        """See `DiagramVariables.split`."""
        return self.counter.split(self.possible, sorted(asked), limit)

    def drawn(
        self, number: int, chance: random.Random, ordered: Sequence[int]
    ) -> Iterable[frozenset[int]]:
        """See `DiagramVariables.drawn`."""
        from symkripke.engines.count.sampling import draw  # imports numpy

        return draw(self.counter.nodes(self.possible), number, chance, ordered)


def fluents_of(formulas: Iterable[Formula]) -> set[str]:
    """Return the fluents that these formulas mention."""
    return {atom.fluent for formula in formulas for atom in atoms(formula)}


def variables(literals: Iterable[DiagramLiteral | bool]) -> set[int]:
    """Return the variables of these literals."""
    return {abs(literal) - 1 for literal in literals if not isinstance(literal, bool)}


def is_true(literal: DiagramLiteral | bool, true: frozenset[int]) -> bool:
    """Return whether a literal is true at the valuation with exactly these variables true."""
    return literal if isinstance(literal, bool) else (abs(literal) - 1 in true) == (literal > 0)


def _share_of_literal(shares: Mapping[tuple[str, str], Fraction], formula: Formula) -> Fraction:
    """Return the probability of a literal or constant; atoms without a share are impossible."""
    if isinstance(formula, Constant):
        return Fraction(formula.value)
    if isinstance(formula, Not):
        return 1 - _share_of_literal(shares, formula.operand)
    assert isinstance(formula, Atom)
    return shares.get((formula.fluent, formula.value), _NEVER)


_NEVER = Fraction(0)


def _share_of(shares: Mapping[int, Fraction], literal: DiagramLiteral | bool) -> Fraction:
    """Return the probability of a literal; a variable without a share has probability 1/2."""
    if isinstance(literal, bool):
        return Fraction(literal)
    share = shares.get(abs(literal) - 1, Fraction(1, 2))
    return share if literal > 0 else 1 - share
