"""What engines that do not count say when they are asked to."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NoReturn

from symkripke.errors import Unsupported
from symkripke.language import Atom, Formula
from symkripke.model import KnowledgeStructure, Perspective, World

if TYPE_CHECKING:
    from symkripke.engines.markov_chain import Chain
    from symkripke.engines.protocol import Budget


class Uncounted:
    """The counting part of `symkripke.engines.protocol.Engine`, refused: `Unsupported`."""

    name: str

    def _refuse(self) -> NoReturn:
        raise Unsupported(f"the {self.name} engine does not count worlds; ask the bdd engine")

    def worlds(
        self,
        state: KnowledgeStructure | Perspective,
        over: Iterable[str] | None = None,
        budget: Budget | None = None,
    ) -> int:
        """Raises `Unsupported`: satisfiability does not count."""
        self._refuse()

    def probability(
        self, perspective: Perspective, formula: Formula | str, budget: Budget | None = None
    ) -> Fraction:
        """Raises `Unsupported`."""
        self._refuse()

    def marginals(
        self, perspective: Perspective, atoms: Iterable[Atom] | None = None
    ) -> Mapping[Atom, Fraction]:
        """Raises `Unsupported`."""
        self._refuse()

    def distribution(
        self, perspective: Perspective, atoms: Sequence[Atom], limit: int = 100_000
    ) -> Mapping[frozenset[Atom], Fraction]:
        """Raises `Unsupported`."""
        self._refuse()

    def entropy(
        self, perspective: Perspective, atoms: Sequence[Atom], limit: int = 100_000
    ) -> float:
        """Raises `Unsupported`."""
        self._refuse()

    def sample(
        self,
        perspective: Perspective,
        number: int,
        chance: random.Random,
        over: Iterable[str] | None = None,
    ) -> list[World]:
        """Raises `Unsupported`."""
        self._refuse()

    def stepwise(self, perspective: Perspective, names: Sequence[str]) -> Chain:
        """Raises `Unsupported`."""
        self._refuse()
