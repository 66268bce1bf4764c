"""The smt engine: a question is one quantified Boolean formula, and z3 decides it.

`translation` is the definition. What is true at a scene, or of an agent's own knowledge at a
perspective, is asked leaf by leaf: of the formula and its negation the one that needs fewer
quantifiers. Common knowledge at the top is reachability (Spacer).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from ctypes import ArgumentError
from typing import Any, TypeVar

import z3

from symkripke.engines.asked import perspective_asked
from symkripke.engines.one_at_a_time import one_at_a_time
from symkripke.engines.one_by_one import OneByOne
from symkripke.engines.protocol import Answer, Budget, Mark, Sheet
from symkripke.engines.smt.explain import evidence
from symkripke.engines.smt.propositional import propositional
from symkripke.engines.smt.question import Place, Question
from symkripke.engines.smt.solving import is_quantified
from symkripke.engines.smt.translation import Stage
from symkripke.engines.uncounted import Uncounted
from symkripke.errors import BudgetExceeded, InputError, Unsupported
from symkripke.explain.evidence import CounterWorld, Evidence, Possible
from symkripke.language import Atom, Formula, negation
from symkripke.language.walk import is_propositional, modal_depth
from symkripke.model import Beliefs, KnowledgeStructure, Perspective, Scene, Soft, State, World

T = TypeVar("T")

# More modal operators inside each other than this are no question for z3: calls are nested, too.
_DEEPEST = 400


@one_at_a_time
class SmtEngine(OneByOne, Uncounted):
    """An engine that asks z3; see `symkripke.engines.protocol.Engine`.

    Shares no code with the sat engine or the explicit one, and keeps nothing between questions: a
    cross-check, for small sizes and single questions at larger ones. Answers all operators but `P`
    and `CB`, nested in any way. It has a z3 context of its own (threads in turn).

    Of a `Budget` only the seconds count.
    """

    name = "smt"

    def __init__(self) -> None:
        """An engine with a new context."""
        self._context = z3.Context()

    @staticmethod
    def _resolved(structure: KnowledgeStructure, formula: Formula | str) -> Formula:
        stated = structure.parse(formula) if isinstance(formula, str) else formula
        resolved = structure.resolve(stated)
        if not is_propositional(resolved) and modal_depth(resolved) > _DEEPEST:
            raise _too_deep()
        return resolved

    # ---- truth ------------------------------------------------------------------------

    def holds(self, state: State, formula: Formula | str, budget: Budget | None = None) -> Answer:
        """See `Engine.holds`."""
        resolved = self._resolved(state.structure, formula)
        stage = Stage(state.structure)

        def ask() -> bool | None:
            question = Question(self._context, budget)
            return question.truth(stage, question.place(state), resolved)

        truth = _guarded(ask)
        if truth is None:
            assert isinstance(state, Perspective)
            raise InputError(
                f"what {state.agent} has seen does not decide {resolved}; "
                f"ask K[{state.agent}] ({resolved}) instead"
            )

        def why() -> Evidence:
            question = Question(self._context, budget)
            return evidence(question, stage, question.place(state), resolved)

        return Answer(truth, resolved, self.name, why)

    def valid(
        self, structure: KnowledgeStructure, formula: Formula | str, budget: Budget | None = None
    ) -> Answer:
        """See `Engine.valid`."""
        resolved = self._resolved(structure, formula)
        stage = Stage(structure)

        def refutable() -> bool:
            question = Question(self._context, budget)
            return question.possible(stage, question.anywhere(structure), resolved, False)

        refuted = _guarded(refutable)

        def why() -> Evidence:
            if not refuted:
                raise Unsupported(
                    f"{resolved} is true at every world; the sat engine finds minimal sources"
                )
            world = self._world(structure, None, negation(resolved), budget)
            assert world is not None
            shown = CounterWorld((), world, negation(resolved))
            return Possible(resolved, False, (shown,))

        return Answer(not refuted, resolved, self.name, why)

    def witness(
        self,
        state: State | KnowledgeStructure,
        formula: Formula | str,
        budget: Budget | None = None,
    ) -> World | None:
        """See `Engine.witness`. Here the formula may be modal, too, if no quantifier is left."""
        if isinstance(state, Scene):
            return state.world if self.holds(state, formula, budget) else None
        if isinstance(state, Perspective):
            structure, perspective = state.structure, state
        else:
            structure, perspective = state, None
        resolved = self._resolved(structure, formula)
        return _guarded(lambda: self._world(structure, perspective, resolved, budget))

    def _world(
        self,
        structure: KnowledgeStructure,
        perspective: Perspective | None,
        resolved: Formula,
        budget: Budget | None,
    ) -> World | None:
        question = Question(self._context, budget)
        place = question.cell(perspective) if perspective else question.anywhere(structure)
        stage = Stage(structure)
        here = question.translation.formula(resolved, stage, place.point, True, free=True)
        stated = z3.And(place.given, here)
        if is_quantified(stated):
            raise Unsupported(
                f"the smt engine shows no world for {resolved}: the question, or the law, has "
                "quantifiers in it; the explicit engine does at small sizes"
            )
        model = question.model(stated)
        return None if model is None else question.world(structure, place.point, model)

    # ---- what an agent believes ---------------------------------------------------------

    def believed(self, perspective: Perspective, budget: Budget | None = None) -> Beliefs:
        """See `Engine.believed`. A check a soft constraint."""
        perspective_asked(perspective)

        def walk() -> Beliefs:
            kept: list[Soft] = []
            given_up: list[Soft] = []
            question = Question(self._context, budget)
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

        return _guarded(walk)

    # ---- what an agent knows ------------------------------------------------------------

    def sheet(
        self,
        perspective: Perspective,
        atoms: Iterable[Atom] | None = None,
        budget: Budget | None = None,
    ) -> Sheet:
        """See `Engine.sheet`. Two checks an atom."""
        structure = perspective.structure
        asked = structure.atoms if atoms is None else tuple(atoms)
        resolved = [structure.resolve(atom) for atom in asked]

        def marks() -> tuple[Mark, ...]:
            question = Question(self._context, budget)
            place = question.place(perspective)
            solver = question.asking.solver(place.given)
            found = []
            for atom in resolved:
                here = self._at(place, atom)
                if not _fits(question, solver, z3.Not(here)):
                    found.append(Mark.YES)
                else:
                    found.append(Mark.OPEN if _fits(question, solver, here) else Mark.NO)
            return tuple(found)

        return Sheet(perspective, asked, _guarded(marks))

    def possibilities(
        self,
        perspective: Perspective,
        atoms: Sequence[Atom],
        limit: int = 100_000,
        budget: Budget | None = None,
    ) -> frozenset[frozenset[Atom]]:
        """See `Engine.possibilities`. Splits on one atom after the other: a check a branch."""
        structure = perspective.structure
        asked = tuple(dict.fromkeys(atoms))
        resolved = [structure.resolve(atom) for atom in asked]

        def split() -> frozenset[frozenset[Atom]]:
            question = Question(self._context, budget)
            place = question.cell(perspective)
            solver = question.asking.solver(place.given)
            found: set[frozenset[Atom]] = set()
            branches: list[tuple[Any, ...]] = [()]
            expressions = [self._at(place, atom) for atom in resolved]
            while branches:
                branch = branches.pop()
                chosen = [e if b else z3.Not(e) for e, b in zip(expressions, branch, strict=False)]
                if not _fits(question, solver, *chosen):
                    continue
                if len(branch) < len(asked):
                    branches += [(*branch, True), (*branch, False)]
                    continue
                found.add(frozenset(a for a, b in zip(asked, branch, strict=True) if b))
                if len(found) > limit:
                    raise BudgetExceeded(f"there are more than {limit:,} possibilities")
            return frozenset(found)

        return _guarded(split)

    def _at(self, place: Place, formula: Formula) -> Any:
        return propositional(formula, place.point.values.__getitem__, self._context)


def _too_deep() -> Unsupported:
    return Unsupported("the formula has too many operators inside each other")


def _guarded(ask: Callable[[], T]) -> T:
    """What `ask` returns; limits of the recursion and of z3 become `Unsupported`."""
    try:
        return ask()
    except RecursionError:
        raise _too_deep() from None
    except ArgumentError as error:
        # What ctypes makes of a recursion error that it meets while it converts an argument.
        if "RecursionError" not in str(error):
            raise
        raise _too_deep() from None
    except z3.Z3Exception as error:
        raise Unsupported(f"z3 does not decide this question: {error}") from error


def _fits(question: Question, solver: Any, *more: Any) -> bool:
    """Whether what `solver` holds is satisfiable together with `more`."""
    solver.push()
    solver.add(*more)
    fits = question.asking.check(solver)
    solver.pop()
    return fits
