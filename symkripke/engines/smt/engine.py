"""The smt engine: questions about numbers without bounds, and quantified Boolean formulas.

The module `reasoner` answers questions about structures with numbers, which may have infinitely
many worlds. About other structures, a question is one quantified Boolean formula, which z3 decides.

The module `translation` defines the formula. A formula at a scene, or about an agent's own
knowledge at a perspective, is decided leaf by leaf: z3 gets either the leaf or its negation,
whichever has fewer quantifiers. Common knowledge as the outermost operator is a reachability
problem (Spacer).
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import z3

from symkripke.engines.asked import first_world, structure_of
from symkripke.engines.base import BaseEngine, CannotCount, in_turn
from symkripke.engines.explainer import Asked
from symkripke.engines.protocol import Mark
from symkripke.engines.smt.explain import NumberExplainer, SmtExplainer
from symkripke.engines.smt.propositional import propositional
from symkripke.engines.smt.question import Place, SmtQuery
from symkripke.engines.smt.reasoner import Reasoner, WorldSet
from symkripke.engines.smt.solving import is_interrupt, is_quantified
from symkripke.engines.smt.translation import Stage
from symkripke.errors import BudgetExceeded, InfinitelyManyWorlds, NestedTooDeeply, Unsupported
from symkripke.explain.evidence import Evidence
from symkripke.language import TRUE, Atom, Formula
from symkripke.limits import Budget
from symkripke.model import (
    Beliefs,
    EpistemicState,
    KnowledgeStructure,
    Perspective,
    Scene,
    Soft,
    World,
)


class SmtEngine(CannotCount, BaseEngine):
    """An engine (`symkripke.engines.protocol.Engine`) that asks z3.

    It is the only engine for structures with numbers without bounds. About these, it answers all
    operators except `CB`; `P` and the methods of `Counter` need finitely many worlds.

    For other structures it is a cross-check. It shares no code with the sat engine or the explicit
    engine, and keeps nothing between questions. It answers all operators except `P`, `CB` and
    actions (`[a] f`), in any nesting, about small models, and single questions about larger models.

    It has its own z3 context; calls from several threads are answered in turn.

    It respects the seconds and the memory of a `Budget`, but no other bound.
    """

    name = "smt"
    takes_numbers = True

    def __init__(self) -> None:
        """Create an engine with a new context."""
        super().__init__()
        self._context = z3.Context()
        # Python may free an expression in one thread while another thread uses z3.
        z3.Z3_enable_concurrent_dec_ref(self._context.ref())
        self.reasoner = Reasoner(self._context)

    def _anew(self) -> SmtEngine:
        """See `BaseEngine._anew`. The context keeps the expressions of earlier questions."""
        return SmtEngine()

    def _question(self) -> SmtQuery:
        return SmtQuery(self._context)

    # ---- truth ------------------------------------------------------------------------

    def _truth(self, state: EpistemicState, formula: Formula) -> bool | None:
        with _limits():
            if state.structure.vocabulary.numbers:
                return self.reasoner.truth(state, formula)
            question = self._question()
            return question.truth(Stage(state.structure), question.place(state), formula)

    def _evidence(self, state: EpistemicState, formula: Formula) -> Evidence:
        if state.structure.vocabulary.numbers:
            with _limits():
                return NumberExplainer(state.structure, self.reasoner).evidence(
                    self.reasoner.facts(state), formula
                )
        question = self._question()
        explainer = SmtExplainer(question, Stage(state.structure))
        return explainer.evidence(question.place(state), formula)

    def _valid(self, structure: KnowledgeStructure, formula: Formula) -> bool:
        with _limits():
            if structure.vocabulary.numbers:
                return self.reasoner.valid(structure, formula)
            question = self._question()
            anywhere = question.anywhere(structure)
            return not question.possible(Stage(structure), anywhere, formula, False)

    def _why_valid(self, structure: KnowledgeStructure, formula: Formula, truth: bool) -> Evidence:
        if not (truth and structure.vocabulary.numbers):
            return super()._why_valid(structure, formula, truth)
        with _limits():
            explainer = NumberExplainer(structure, self.reasoner)
            return explainer.known(TRUE, Asked((), formula, formula))

    def _world(self, state: EpistemicState | KnowledgeStructure, formula: Formula) -> World | None:
        """See `Reasoner.witness`. Modal formulas are supported if no quantifier is left."""
        if isinstance(state, Scene):
            return state.world if self._truth(state, formula) else None
        with _limits():
            structure = structure_of(state)
            if structure.vocabulary.numbers:
                return self.reasoner.witness(state, formula)
            question = self._question()
            if isinstance(state, Perspective):
                place = question.cell(state)
            else:
                place = question.anywhere(structure)
            stated = question.stated(Stage(structure), place, formula, True)
            if is_quantified(stated):
                raise Unsupported(
                    f"the smt engine shows no world for {formula}: the question, or the law, has "
                    "quantifiers in it; the explicit engine does at small sizes"
                )

            def another(atoms: Sequence[Formula]) -> World | None:
                there = [self._at(place, atom) for atom in atoms]
                model = question.model(z3.And(stated, *there))
                return None if model is None else question.world(structure, place.point, model)

            some = another(())
            fluents = structure.vocabulary.fluents.values()
            return None if some is None else first_world(some, fluents, another)

    # ---- counting ---------------------------------------------------------------------

    @in_turn
    def worlds(
        self,
        state: KnowledgeStructure | Perspective,
        over: Iterable[str] | None = None,
        budget: Budget | None = None,
    ) -> int:
        """See `Counter.worlds`. The structure must have numbers without bounds.

        Raises:
            InfinitelyManyWorlds: there are infinitely many worlds.
        """
        structure = structure_of(state)
        if not structure.vocabulary.numbers or over is not None:
            self._refuse()
        facts = TRUE if isinstance(state, KnowledgeStructure) else self.reasoner.facts(state)
        with _limits():
            number = self.reasoner.number(structure, facts)
        if number == math.inf:
            raise InfinitelyManyWorlds
        return int(number)

    @in_turn
    def probability(
        self, perspective: Perspective, formula: Formula | str, budget: Budget | None = None
    ) -> Fraction:
        """See `Counter.probability`. The structure must have numbers without bounds."""
        structure = perspective.structure
        if not structure.vocabulary.numbers:
            self._refuse()
        with _limits():
            return self.reasoner.probability(perspective, self._resolve(structure, formula))

    @in_turn
    def values(self, perspective: Perspective, name: str, most: int) -> tuple[Fraction, ...]:
        """Return the possible values of a number, by its resolved name; empty if over `most`."""
        with _limits():
            return self.reasoner.values(perspective, name, most)

    @in_turn
    def describe(
        self,
        structure: KnowledgeStructure,
        formula: Formula,
        over: Sequence[str],
        first: int = 5,
        budget: Budget | None = None,
    ) -> WorldSet:
        """Return the worlds of a structure with numbers at which a formula is true.

        The description and the first worlds are about the fluents `over`, by resolved names.
        """
        with _limits():
            resolved = self._resolve(structure, formula)
            return self.reasoner.describe(structure, resolved, over, first)

    # ---- knowledge and belief -----------------------------------------------------------

    def _beliefs(self, perspective: Perspective) -> Beliefs:
        """Return the beliefs, with one check for each soft constraint."""
        kept: list[Soft] = []
        given_up: list[Soft] = []
        if perspective.structure.vocabulary.numbers:
            raise Unsupported("the smt engine does not list beliefs about numbers without bounds")
        with _limits():
            question = self._question()
            place = question.place(perspective)
            solver = question.asking.solver(place.given)
            for soft in perspective.structure.plausibility(perspective.agent):
                here = self._at(place, soft.formula)
                if _fits(question, solver, here):
                    solver.add(here)
                    kept.append(soft)
                else:
                    given_up.append(soft)
        return Beliefs(tuple(kept), tuple(given_up))

    def _marks(self, perspective: Perspective, atoms: tuple[Atom, ...]) -> Iterator[Mark]:
        """Yield the marks, with at most two checks for each atom."""
        with _limits():
            if perspective.structure.vocabulary.numbers:
                yield from self.reasoner.marks(perspective, atoms)
                return
            question = self._question()
            place = question.place(perspective)
            solver = question.asking.solver(place.given)
            for atom in atoms:
                here = self._at(place, perspective.structure.resolve(atom))
                if not _fits(question, solver, z3.Not(here)):
                    yield Mark.YES
                else:
                    yield Mark.OPEN if _fits(question, solver, here) else Mark.NO

    def _possibilities(
        self, perspective: Perspective, atoms: tuple[Atom, ...], limit: int
    ) -> frozenset[frozenset[Atom]]:
        """Return the possibilities by splitting on each atom, with one check for each branch."""
        if perspective.structure.vocabulary.numbers:
            raise Unsupported("the possibilities of numbers without bounds cannot be listed")
        sets: set[frozenset[Atom]] = set()
        branches: list[tuple[bool, ...]] = [()]
        with _limits():
            question = self._question()
            place = question.cell(perspective)
            solver = question.asking.solver(place.given)
            expressions = [self._at(place, perspective.structure.resolve(atom)) for atom in atoms]
            while branches:
                branch = branches.pop()
                chosen = [e if b else z3.Not(e) for e, b in zip(expressions, branch, strict=False)]
                if not _fits(question, solver, *chosen):
                    continue
                if len(branch) < len(atoms):
                    branches += [(*branch, True), (*branch, False)]
                    continue
                sets.add(frozenset(a for a, b in zip(atoms, branch, strict=True) if b))
                if len(sets) > limit:
                    raise BudgetExceeded(f"there are more than {limit:,} possibilities")
        return frozenset(sets)

    def _at(self, place: Place, formula: Formula) -> Any:
        return propositional(formula, place.point.values.__getitem__, self._context)


@contextmanager
def _limits() -> Iterator[None]:
    """Convert recursion errors and errors of z3 in the body into errors of this package."""
    try:
        yield
    except ctypes.ArgumentError as error:
        if "RecursionError" in str(error):  # raised in a method that the z3 binding called
            raise NestedTooDeeply from None
        raise
    except z3.Z3Exception as error:
        if is_interrupt(str(error)):
            raise KeyboardInterrupt from None
        raise Unsupported(f"z3 does not decide this question: {error}") from error


def _fits(question: SmtQuery, solver: Any, *more: Any) -> bool:
    """Return whether the expressions of `solver` are satisfiable together with `more`."""
    solver.push()
    solver.add(*more)
    fits = question.asking.check(solver)
    solver.pop()
    return fits
