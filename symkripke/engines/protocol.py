"""The interface of engines: `Reasoner` and `Counter`, the two halves of `Engine`, and results.

The common interface of engines is documented here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, NoReturn, Protocol, runtime_checkable

from symkripke.errors import InputError, Unsupported
from symkripke.language import Atom, Formula
from symkripke.limits import Budget
from symkripke.model import (
    Beliefs,
    EpistemicState,
    KnowledgeStructure,
    MultiPointedStructure,
    Perspective,
    Scene,
    World,
)
from symkripke.records import dataclass

if TYPE_CHECKING:
    from symkripke.engines.count.steps import Order, Steps
    from symkripke.explain.evidence import Evidence


class Mark(Enum):
    """An agent's knowledge of an atom."""

    YES = "yes"
    NO = "no"
    OPEN = "open"


@dataclass(frozen=True, eq=False, repr=False)
class Sheet:
    """An agent's knowledge of a list of atoms, like a detective's notes.

    Attributes:
        perspective: the perspective of the agent.
        atoms: the atoms, in order.
        marks: for each atom, whether it is known to be true, known to be false, or open.
    """

    perspective: Perspective
    atoms: tuple[Atom, ...]
    marks: tuple[Mark, ...]

    def __repr__(self) -> str:
        return f"<Sheet of {self.perspective.agent}: {len(self.atoms)} atoms>"

    def _repr_html_(self) -> str:
        from symkripke.model.html import marks_html

        signs = {Mark.YES: "yes", Mark.NO: "no", Mark.OPEN: "?"}
        rows: dict[str, dict[str, str]] = {}
        for atom, mark in self:
            rows.setdefault(atom.fluent, {})[atom.value] = signs[mark]
        return marks_html(f"What {self.perspective.agent} knows", rows)

    def __iter__(self) -> Iterator[tuple[Atom, Mark]]:
        """Return an iterator over pairs of an atom and its mark, in order."""
        return iter(zip(self.atoms, self.marks, strict=True))

    def known(self) -> dict[str, str]:
        """Return the known values of fluents."""
        return {atom.fluent: atom.value for atom, mark in self if mark is Mark.YES}


class Answer:
    """The truth value of a formula at a scene or a perspective: `bool(answer)`.

    Attributes:
        formula: the question, with all names resolved.
        engine: the name of the engine that answered.
        reason: the reason for choosing this engine; empty if there was no choice.
    """

    __slots__ = ("_truth", "_why", "engine", "formula", "reason")

    def __init__(
        self,
        truth: bool,
        formula: Formula,
        engine: str,
        why: Callable[[], Evidence],
        reason: str = "",
    ) -> None:
        """Create an answer whose evidence `why` computes on request."""
        self._truth = truth
        self._why = why
        self.formula = formula
        self.engine = engine
        self.reason = reason

    def __bool__(self) -> bool:
        return self._truth

    def __copy__(self) -> Answer:
        return self

    def __deepcopy__(self, memo: object) -> Answer:
        return self

    def __reduce__(self) -> NoReturn:
        raise InputError(
            "an answer cannot be pickled, because its evidence is found only on request: pickle "
            "bool(answer) or answer.why()"
        )

    def __repr__(self) -> str:
        return f"<Answer {self._truth}: {self.formula} ({self.engine})>"

    def _repr_html_(self) -> str:
        from symkripke.model.html import table

        rows = [("is it true?", "yes" if self else "no"), ("engine", self.engine)]
        if self.reason:
            rows.append(("because", self.reason))
        return table(str(self.formula), (), rows)

    def why(self) -> Evidence:
        """Return the evidence: minimal sources for knowledge, counter-worlds for ignorance.

        The evidence depends only on the state and the formula, not on earlier questions.

        Raises:
            Unsupported: this engine finds no evidence for this kind of formula.
        """
        try:
            return self._why()
        except RecursionError:
            # Evidence has an entry for each part, and nobody reads a thousand levels.
            raise Unsupported("the formula is nested too deeply to be explained") from None


class Reasoner(Protocol):
    """An engine that decides truth, knowledge and belief at structures, scenes and perspectives.

    Formulas are given as objects or as text. Every method raises `FormulaError` for text that is
    not a formula, `UnknownName` for names that the structure does not have, `Unsupported` for a
    kind of question that the engine does not answer, and `BudgetExceeded` if the budget runs out. A
    budget applies to the whole question.

    Threads may share these engines, and formulas, structures, scenes and perspectives. An engine
    answers one question at a time; other questions wait, and so do requests for evidence. A budget
    starts when the question's turn comes. Threads that answer at the same time need separate
    engines.

    Engines bound their caches, so memory does not grow with the number of questions. Evicted
    results are computed again when needed.
    """

    @property
    def name(self) -> str:
        """The engine's name, as in `--engine NAME`."""

    def holds(
        self,
        state: EpistemicState | MultiPointedStructure,
        formula: Formula | str,
        budget: Budget | None = None,
    ) -> Answer:
        """Return whether `formula` is true at `state`, or at all of its actual worlds.

        At a perspective, only formulas that the agent's knowledge decides have a truth value:
        Boolean combinations of `K[i]`, `M[i]`, ... of the agent i itself, and their consequences.

        Raises:
            InputError: the perspective does not decide the formula.
        """

    def valid(
        self, structure: KnowledgeStructure, formula: Formula | str, budget: Budget | None = None
    ) -> Answer:
        """Return whether `formula` is true at every world of the structure."""

    def possible_to(
        self,
        scene: Scene,
        formula: Formula | str,
        agents: Iterable[str],
        budget: Budget | None = None,
    ) -> frozenset[str]:
        """Return the agents i that consider `formula` possible: `M[i] formula`.

        The result is the same as with one question per agent, but the sat engine asks about all
        agents at once, which is faster.
        """

    def witness(
        self,
        state: EpistemicState | KnowledgeStructure,
        formula: Formula | str,
        budget: Budget | None = None,
    ) -> World | None:
        """Return the first world at which a propositional `formula` is true; None if there is none.

        The worlds of a structure are those of its law. The worlds of a perspective are those that
        its agent considers possible. A scene has only the actual world. Worlds are ordered by the
        value of the first fluent, in the order of its values, then by the value of the second
        fluent, and so on.
        """

    def sheet(
        self,
        perspective: Perspective,
        atoms: Iterable[Atom] | None = None,
        budget: Budget | None = None,
    ) -> Sheet:
        """Return the agent's knowledge of `atoms` (by default, of all current atoms)."""

    def possibilities(
        self,
        perspective: Perspective,
        atoms: Sequence[Atom],
        limit: int = 100_000,
        budget: Budget | None = None,
    ) -> frozenset[frozenset[Atom]]:
        """Return the set of true `atoms` at each world that the agent considers possible.

        For the atoms "c is in the envelope", these sets are the possible solutions.

        Raises:
            BudgetExceeded: there are more than `limit` sets.
        """

    def believed(self, perspective: Perspective, budget: Budget | None = None) -> Beliefs:
        """Return the soft constraints that the agent keeps, and those that it has given up.

        The agent believes what follows from its knowledge and the soft constraints that it keeps.
        To ask other questions based on its beliefs, use `perspective.believing(beliefs.kept)`.

        Raises:
            ImpossibleEvent: the agent considers no world possible.
        """


@runtime_checkable
class Counter(Protocol):
    """An engine that counts worlds, exactly and by its weighting.

    For weightings see `symkripke.engines.count.weighting`.

    The methods raise the same errors as those of `Reasoner`. All except `worlds` also raise
    `ImpossibleEvent` if the agent considers no world possible.
    """

    def worlds(
        self,
        state: KnowledgeStructure | Perspective,
        over: Iterable[str] | None = None,
        budget: Budget | None = None,
    ) -> int:
        """Return the exact number of worlds of the law, or of the agent's possible worlds.

        With `over`, names of fluents, the distinct valuations of these fluents are counted. For
        example, the deals of a card game are the valuations of the places of its cards. A single
        deal corresponds to several worlds if different cards may have been shown. Weightings have
        no effect here.

        Raises:
            UnknownName: there is no such fluent.
        """

    def probability(
        self, perspective: Perspective, formula: Formula | str, budget: Budget | None = None
    ) -> Fraction:
        """Return the share of the agent's possible worlds at which `formula` is true.

        Raises:
            ImpossibleEvent: the agent considers no world possible.
            InputError: a likelihood does not have exactly one true case at some world of the law.
        """

    def marginals(
        self, perspective: Perspective, atoms: Iterable[Atom] | None = None
    ) -> Mapping[Atom, Fraction]:
        """Return the probability of each of `atoms` (by default, of all current atoms).

        This is much faster than asking about the atoms one by one.
        """

    def distribution(
        self, perspective: Perspective, atoms: Sequence[Atom], limit: int = 100_000
    ) -> Mapping[frozenset[Atom], Fraction]:
        """Return, for each set of `atoms`, the probability that exactly these are true.

        The keys are the sets of `possibilities`; the values add up to 1.

        Raises:
            BudgetExceeded: there are more than `limit` sets.
        """

    def entropy(
        self, perspective: Perspective, atoms: Sequence[Atom], limit: int = 100_000
    ) -> float:
        """Return the entropy of the `distribution` of `atoms`, in bits."""

    def sample(
        self,
        perspective: Perspective,
        number: int,
        chance: random.Random,
        over: Iterable[str] | None = None,
    ) -> list[World]:
        """Return `number` independent random worlds that the agent considers possible, by weight.

        The same state of `chance` gives the same worlds on every machine. With `over`, names of
        fluents, the worlds have values only for the current versions of these fluents, under their
        plain names, which is faster. Without `over`, they have values for every version of every
        fluent.

        Raises:
            UnknownName: there is no such fluent.
            InputError: `number` is negative.
        """

    def steps(
        self,
        perspective: Perspective,
        names: Sequence[str],
        order: Order = "any",
        merged: Iterable[str] = (),
    ) -> Steps:
        """Return the worlds over these fluents, fluent by fluent, counted by weight.

        Use this method for sums over more valuations than can be listed, for example to find the
        most informative question. The fluents have the names of their versions. Fluents with a
        publicly known value are omitted.

        Args:
            perspective: the perspective of the agent.
            names: the names of the fluents.
            order: "given" for the order of the names; "any" for an order with few states.
            merged: values that may be counted as one value if nothing distinguishes them, such as
                the hands of players about whom nothing is known. `Steps.groups` lists the merged
                values. An engine may also count each value separately.

        Raises:
            UnknownName: there is no such fluent, order or value.
            Unsupported: the engine cannot keep the order.
        """


class Engine(Reasoner, Counter, Protocol):
    """The result of `symkripke.engine(name)`: a reasoner that counts worlds, or refuses to.

    An engine that does not count raises `Unsupported` from every method of `Counter`;
    `symkripke.engines.counter(engine)` raises this error before anything is counted.
    """
