"""Running a problem: events update the model, and questions are answered.

`check` yields the outcomes that `symkripke check` prints. A `Run` takes one step at a time, for an
interactive session.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from symkripke import limits
from symkripke.argument_types import checked, unexpected
from symkripke.engines import Budget, Engine, Sheet, counter, engine
from symkripke.engines.base import CountingEngine
from symkripke.errors import (
    BudgetExceeded,
    FalseConstraint,
    ImpossibleEvent,
    ImpossibleStep,
    InfinitelyManyWorlds,
    InputError,
    ProblemError,
    SymkripkeError,
    Unsupported,
    clipped,
)
from symkripke.language import Atom, Formula, Implies, M, Name, conjunction, disjunction, negation
from symkripke.language.formulas import FALSE, TRUE
from symkripke.language.linear import Sum
from symkripke.language.printer import brief
from symkripke.language.walk import atoms as atoms_of
from symkripke.language.walk import is_propositional
from symkripke.limits import (
    SearchAborted,
    current,
    seconds_left,
    trial,
    within_budget,
)
from symkripke.model import (
    Constraint,
    Event,
    KnowledgeStructure,
    MultiPointedStructure,
    Perspective,
    PossibleEvent,
    Scene,
    World,
)
from symkripke.problems.outcome import (
    Contraction,
    Outcome,
    Planned,
    Where,
    hidden,
    named,
    present,
)
from symkripke.problems.problem import (
    AT_ACTUAL,
    Doing,
    Happening,
    Occurring,
    Place,
    Plan,
    Problem,
    Question,
    Remark,
    Step,
    Whether,
)

if TYPE_CHECKING:
    from symkripke.engines.bdd import BddEngine
    from symkripke.engines.bdd.sum_of_products import Description
    from symkripke.engines.smt import SmtEngine


# The maximum length of announced formulas in messages.
_LONG = 160

# The budget for all cheap counts of worlds together, in units of about 10 microseconds: about a
# third of the start-up time.
_CHEAP = 15_000
_TOO_MUCH = "counting would take longer than answering (use --count to count anyway)"

# The maximum number of possible values of a number to print.
_MANY_VALUES = 16


def check(
    problem: Problem,
    asked: Engine | None = None,
    budget: Budget | None = None,
    *,
    count: bool | None = None,
) -> Iterator[Outcome]:
    """Run a problem, and yield the outcome of the model and of each step.

    Args:
        problem: the problem.
        asked: the engine that answers; by default `auto`.
        budget: the budget of each step (a question, or an event with the count after it).
        count: whether to count the remaining worlds. A count can take much longer than an answer,
            and may exceed the memory. None counts as long as all counts together are cheap.

    Raises:
        ProblemError: the law allows no world, or excludes the actual world.
        ImpossibleStep: a stated event cannot have happened.
        BudgetExceeded: a limit was reached before it was clear whether an event is possible. For
            questions and counts, the outcome says that a limit was reached.
    """
    run = Run(problem, asked, budget, count=count)
    yield run.beginning()
    for step in problem.steps:
        yield run.take(step)


Actual: TypeAlias = Scene | MultiPointedStructure | None
"""The actual world, several actual worlds, or none."""


class Now(NamedTuple):
    """A point to which a `Run` can return."""

    structure: KnowledgeStructure
    actual: Actual
    happened: tuple[Occurring, ...]
    stopped: Plan | None


class Run:
    """A problem that is checked step by step. Its data are immutable, so steps can be undone.

    Attributes:
        problem: the problem.
        structure: the current structure.
        actual: the current scene; or the structure with its actual worlds, if there are several; or
            None.
        happened: the events and actions so far.
    """

    def __init__(
        self,
        problem: Problem,
        asked: Engine | None = None,
        budget: Budget | None = None,
        *,
        count: bool | None = None,
    ) -> None:
        """Start at the beginning of the problem; see `check`."""
        self.problem = checked(problem, Problem)
        if asked is not None and not hasattr(asked, "holds"):
            raise unexpected("an engine", asked, "asked")
        self.asked = asked or engine()
        self.budget = budget
        self.count = count is not False
        self._work_of_counts = _CHEAP if count is None else None
        self._too_much = BudgetExceeded(_TOO_MUCH)  # a single object, so that it is reported once
        self.structure = problem.structure
        self.actual: Actual = None
        self.happened: tuple[Occurring, ...] = ()
        self._stopped: Plan | None = None

    @cached_property
    def _bdd(self) -> BddEngine:
        from symkripke.engines.auto import AutoEngine
        from symkripke.engines.bdd import BddEngine

        if isinstance(self.asked, BddEngine):
            return self.asked
        return self.asked.bdd if isinstance(self.asked, AutoEngine) else BddEngine()

    @cached_property
    def _smt(self) -> SmtEngine:
        from symkripke.engines.auto import AutoEngine
        from symkripke.engines.smt import SmtEngine

        if isinstance(self.asked, SmtEngine):
            return self.asked
        return self.asked.smt if isinstance(self.asked, AutoEngine) else SmtEngine()

    @property
    def scene(self) -> Scene | None:
        """The current scene, if the problem has one actual world."""
        return self.actual if isinstance(self.actual, Scene) else None

    @property
    def now(self) -> Now:
        """The current point of the run, to which `back` can return."""
        return Now(self.structure, self.actual, self.happened, self._stopped)

    def back(self, now: Now) -> None:
        """Undo all steps since a point."""
        self.structure, self.actual, self.happened, self._stopped = now

    # ---- steps --------------------------------------------------------------------------------

    def beginning(self) -> Outcome:
        """Return the outcome of the model. Raise `ProblemError` if the law allows no world."""
        place = Place()
        outside: InputError | None = None
        with self._limited(place, "the law allows any world"):
            if self.problem.actual is not None:
                try:
                    self.actual = Scene.of(self.structure, self.problem.actual)
                except InputError as error:
                    outside = error  # reported below, unless there is no world at all
            counted = self._counted(None, self.structure)
            possible = self.scene or counted.worlds or self._possible(self.structure, counted)
            if possible and self.problem.actual_where is not None:
                several = MultiPointedStructure.of(self.structure, self.problem.actual_where)
                if self._judge(several, FALSE):
                    outside = InputError("the law allows none of the actual worlds")
                self.actual = several
        if not possible:
            raise self._wrong(f"the law allows no world{self._why_none()}", place)
        if outside is not None:
            raise self._wrong(str(outside), self.problem.actual_place) from outside
        return counted

    def take(self, step: Step) -> Outcome:
        """Take the next step. Raise `ImpossibleStep` if it cannot have happened.

        After an error, the run has the same state as before the step.
        """
        match step:
            case Remark():
                return Outcome(step, self.structure)
            case Question():
                try:
                    with self._at(step.place), within_budget(self.budget):
                        return self._answered(step)
                except (BudgetExceeded, Unsupported) as refused:
                    return Outcome(step, self.structure, refused=refused)
        before = self.now
        try:
            with self._limited(step.place, "this can happen"):
                return self._planned(step) if isinstance(step, Plan) else self._done(step)
        except BaseException:
            self.back(before)
            raise

    def _planned(self, plan: Plan) -> Outcome:
        """Perform the actions of a plan, up to the first impossible action."""
        done: list[Outcome] = []
        stops, missed = None, None
        for action in plan.actions:
            missed = self._cannot(action)
            if missed is not None:
                stops = action
                break
            done.append(self._done(action))
        self._stopped = None if stops is None else plan
        return Outcome(plan, self.structure, plan=Planned(tuple(done), stops, missed))

    def _done(self, step: Occurring) -> Outcome:
        structure, actual, said = self._after(step, self.structure, self.actual)
        counted = self._counted(step, structure)
        # A known actual world is still possible here, because the step would have failed otherwise.
        if not (actual or counted.worlds or self._possible(structure, counted)):
            raise self._impossible("no world is left: this cannot have happened", step)
        self.structure, self.actual = structure, actual
        self.happened = (*self.happened, step)
        return replace(counted, said=said)

    def _cannot(self, step: Doing) -> Outcome | None:
        """Return the negative answer to whether an action can be done now; None if it can."""
        assert self.actual is not None
        needed = disjunction(event.precondition for event in _events(step))
        question = Question("true", needed, brief(needed, _LONG), step.place)
        answer = self._answered_at(question, self.actual)
        return None if answer.answer else answer

    def _after(
        self, step: Occurring, structure: KnowledgeStructure, actual: Actual
    ) -> tuple[KnowledgeStructure, Actual, Formula | None]:
        """Return the structure after a step, its actual worlds, and the announcement."""
        after: KnowledgeStructure | Scene | MultiPointedStructure
        said: Formula | None = None
        with self._at(step.place):
            try:
                if isinstance(step, Doing):
                    self._required(step, structure)
                    after = self._act(step, structure, actual)
                elif isinstance(step, Whether):
                    said = self._whether(step, actual)
                    event = Event(step.source, (Constraint(said, step.source),))
                    after = self._happen(event, {}, structure, actual)
                else:
                    self._required(step, structure)
                    said = step.event.constraints[0].formula if step.event.constraints else None
                    after = self._happen(step.event, self._values(step, actual), structure, actual)
            except ImpossibleEvent as error:
                if isinstance(error, ProblemError):
                    raise
                raise self._impossible(self._in_words(error, step), step) from error
        if isinstance(after, KnowledgeStructure):
            return after, None, said
        return after.structure, after, said

    def _happen(
        self, event: Event, values: World, structure: KnowledgeStructure, actual: Actual
    ) -> KnowledgeStructure | Scene | MultiPointedStructure:
        """Return the structure, with its actual worlds if any, after an event that all notice."""
        if actual is None:
            return structure.update(event)
        if isinstance(actual, Scene):
            return actual.update(event, values, self._judge)
        return actual.update(event, self._judge, values)

    def _whether(self, step: Whether, actual: Actual) -> Formula:
        """Return the announced formula: the stated formula or its negation, by the actual world."""
        if actual is None:
            problem = "only an actual world decides what is announced here"
            raise self._impossible(problem, step)
        for said in (step.formula, negation(step.formula)):
            if self._judge(actual, said):
                return said
        raise self._impossible(
            "it is true at some of the actual worlds, but not at all of them", step
        )

    def _act(
        self, step: Doing, structure: KnowledgeStructure, actual: Actual
    ) -> KnowledgeStructure | Scene | MultiPointedStructure:
        """Return the structure after an action, with its actual worlds if there are any."""
        if actual is None:
            return structure.update(step.action)
        if not self._judge(actual, disjunction(e.precondition for e in _events(step))):
            raise self._impossible(_cannot_be_done(step), step)
        if isinstance(actual, Scene):
            can = [event for event in _events(step) if self._judge(actual, event.precondition)]
            if len(can) == 1:
                return actual.update(step.action, {}, self._judge, happens=can[0].name)
            fluents = structure.vocabulary.fluents
            here = conjunction(fluents[name].equals(value) for name, value in actual.world.items())
            actual = MultiPointedStructure(structure, here)
        return actual.update(step.action, self._judge)

    def _in_words(self, error: ImpossibleEvent, step: Occurring) -> str:
        """Explain why a step is impossible, without the line, which the error shows."""
        here = f"line {step.place.line}: {step.text}"
        if not isinstance(error, FalseConstraint) or not isinstance(step, Happening):
            return error.problem if error.source == here else str(error)
        stated = step.event.constraints[error.number].formula
        match stated:
            case Implies(Atom(heard), fact) if heard in self.problem.hidden:
                stated = fact  # a formula announced to some agents
        named = all(atom.fluent not in self.problem.hidden for atom in atoms_of(stated))
        label = "" if error.source == here else f"{error.source}: "
        said = brief(stated, _LONG) if named else ""
        short = said if 0 < len(said) <= _LONG else "this"
        return f"{label}{short} is false in the actual world"

    def _judge(self, actual: Scene | MultiPointedStructure, formula: Formula) -> bool:
        return bool(self.asked.holds(actual, formula))

    def _values(self, step: Happening, actual: Actual) -> World:
        """Return the values of the event's new fluents at the actual world, if it is known."""
        values: dict[str, str] = {}
        for name, given in step.values.items():
            if isinstance(given, str):
                values[name] = given
            elif isinstance(actual, Scene):
                for value, case in given:
                    if self._judge(actual, case):
                        now = value
                        if isinstance(now, Sum):
                            total = actual.structure.resolver.resolved_sum(now)
                            now = str(total.at(actual.world))
                        values[name] = now
                        break
        return values

    def _required(self, step: Happening | Doing, structure: KnowledgeStructure) -> None:
        if step.requires is TRUE:
            return
        world = self._witness(structure, negation(step.requires))
        if world is not None:
            values = present(self.problem, structure, world)
            shown = ", ".join(f"{name} = {value}" for name, value in values.items())
            problem = f"what changes would have no value in its domain where {shown}"
            raise self._impossible(problem, step)

    # ---- questions ----------------------------------------------------------------------------

    def _answered(self, step: Question) -> Outcome:
        outcome = partial(Outcome, step, self.structure)
        match step.kind:
            case "valid":
                structure = self.structure
                if step.parameters is not None:
                    structure = structure.update(step.parameters)
                answer = self.asked.valid(structure, step.formula)
                return Outcome(step, structure, answer=answer, asked=self.asked)
            case "goal" if self._stopped is not None:
                return outcome(stopped=self._stopped)
            case "true" | "goal" | "expect":
                return self._answered_at(step, self._asked_at(step))
            case "where":
                return outcome(where=self.where(step.formula))
            case "count":
                where = self.where(step.formula, first=0)
                return outcome(number=math.inf if where.is_infinite else where.number)
            case "contract":
                return outcome(contraction=self._contracted())
            case "plan":
                from symkripke.problems.planning.own import find_plan

                assert self.actual is not None
                found = find_plan(self.actual, step.candidates, step.formula, self._judge)
                return outcome(actions=found)
            case "protocol":
                from symkripke.problems.planning.protocol import find_announcement

                assert self.actual is not None
                assert step.agent is not None
                said = find_announcement(self.actual, step.agent, step.formula)
                return outcome(protocol=said)
        scene = self._asked_at(step)
        assert isinstance(scene, Scene)
        assert step.agent is not None
        perspective: Perspective = scene.perspective(step.agent)
        if step.kind in ("how", "expected", "entropy"):
            number = self._number(step, perspective)
            method = self.asked.method if isinstance(self.asked, CountingEngine) else ""
            return outcome(number=number, method=method)
        sheet = self.asked.sheet(perspective, self._asked_atoms(step))
        return outcome(sheet=sheet, numbers=self._numbers(sheet))

    def _answered_at(self, step: Question, actual: Scene | MultiPointedStructure) -> Outcome:
        """Return the answer at the actual world, or at all actual worlds."""
        answer = self.asked.holds(actual, step.formula)
        world = actual.world if isinstance(actual, Scene) else None
        return Outcome(step, self.structure, answer=answer, actual=world, asked=self.asked)

    def _asked_atoms(self, step: Question) -> tuple[Atom, ...]:
        """Return the atoms of a question about an agent; by default, all atoms."""
        if step.atoms is not None:
            return step.atoms
        names = named(self.problem, self.structure)
        fluents = {digit for name in names for digit in self._digits(name)}
        return tuple(atom for atom in self.structure.atoms if atom.fluent in fluents)

    def _number(self, step: Question, perspective: Perspective) -> Fraction | float:
        """Return the number that a question asks for, at an agent's perspective."""
        numbers = perspective.structure.vocabulary.numbers
        counting = self._smt if numbers else counter(self.asked)
        if step.kind == "entropy":
            return counting.entropy(perspective, self._asked_atoms(step))

        def probable(formula: Formula) -> Fraction:
            return counting.probability(perspective, formula)

        if step.kind == "expected":
            return sum(
                (factor * probable(formula) for factor, formula in step.terms), start=Fraction(0)
            )
        if step.given is TRUE:
            return probable(step.formula)
        given = probable(step.given)
        if given:
            return probable(conjunction((step.formula, step.given))) / given
        return self._probable_given_a_surprise(step, perspective)

    def _probable_given_a_surprise(self, step: Question, perspective: Perspective) -> Fraction:
        """Return a probability given a condition of probability 0 that the agent allows."""
        agent = perspective.agent
        if not self.asked.holds(perspective, M(agent, step.given)):
            problem = (
                f"{agent} knows that the given condition is false, so the probability is undefined"
            )
            raise self._wrong(problem, step.place)
        if not (is_propositional(step.given) and is_propositional(step.formula)):
            raise Unsupported(
                f"the given condition has probability 0 for {agent}: in this case, the condition "
                "and the question must be about facts"
            )
        heard = perspective.structure.announce(step.given)
        there = Perspective(heard, agent, perspective.seen)
        return counter(self.asked).probability(there, step.formula)

    def _digits(self, name: str) -> tuple[str, ...]:
        return self.problem.coded.get(name, (name,))

    def _numbers(self, sheet: Sheet) -> Mapping[str, tuple[int | Fraction, ...]]:
        """Return the possible values of numbers on the sheet, if there are few."""
        asked = {atom.fluent for atom, _ in sheet}
        numbers: dict[str, tuple[int | Fraction, ...]] = {}
        for number in asked & sheet.perspective.structure.vocabulary.numbers.keys():
            now = sheet.perspective.structure.versions.get(number, Name.of(number))
            if isinstance(now, Name):
                numbers[number] = self._smt.values(sheet.perspective, now, _MANY_VALUES)
            else:
                numbers[number] = (Fraction(now.value),)
        for name, digits in self.problem.coded.items():
            if asked.isdisjoint(digits):
                continue
            atoms = {Atom(digit): 1 << place for place, digit in enumerate(digits)}
            try:
                sets = self.asked.possibilities(sheet.perspective, tuple(atoms), _MANY_VALUES)
            except BudgetExceeded:
                limits.check()  # if this does not raise, there are too many
                numbers[name] = ()
            else:
                numbers[name] = tuple(
                    sorted(sum(atoms[atom] for atom in digits) for digits in sets)
                )
        return numbers

    def _asked_at(self, step: Question) -> Scene | MultiPointedStructure:
        """Return the place of a question: the current actual world, or the question's own world.

        If there are several actual worlds, a question can only ask for the truth at all of them.
        """
        if step.world is None:
            if self.actual is None:
                raise self._wrong("there is no actual world to ask about", step.place)
            if self.scene is None and step.kind not in AT_ACTUAL:
                problem = "there are several actual worlds: ask what is `true?` at all of them"
                raise self._wrong(problem, step.place)
            return self.actual
        scene: Actual = Scene.of(self.problem.structure, step.world, called="given")
        for event in self.happened:
            try:
                _, scene, _ = self._after(event, self.problem.structure, scene)
            except ImpossibleStep as error:
                problem = f"what happened in line {error.line} is impossible in the given world"
                raise self._impossible(problem, step) from error
        assert scene is not None
        return scene

    def where(self, formula: Formula, first: int = 5) -> Where:
        """Return the remaining worlds at which a formula is true. May raise `BudgetExceeded`."""
        if self.structure.vocabulary.numbers:
            return self._where_numbers(formula, first)
        versions = self.structure.versions
        digits = (
            digit
            for name in named(self.problem, self.structure)
            for digit in reversed(self._digits(name))
        )
        over = [now for digit in digits if isinstance(now := versions.get(digit, digit), str)]
        coded = frozenset[str]().union(*self.problem.coded.values())
        unseen = hidden(self.problem, self.structure) - coded
        description = self._bdd.describe(
            self.structure,
            formula,
            over,
            hidden=[
                fluent.name
                for fluent in self.structure.vocabulary.fluents.values()
                if fluent.name.plain in unseen
            ],
            first=first + 1,
        )
        worlds = [present(self.problem, self.structure, world) for world in description.worlds]
        all_worlds = worlds if len(worlds) <= first else None
        return Where(description.number, self._said(description, all_worlds), tuple(worlds[:first]))

    def _contracted(self) -> Contraction:
        from symkripke.drawing import Naming
        from symkripke.problems.contraction import contraction

        naming = Naming(hidden(self.problem, self.structure), self.problem.coded)
        return contraction(self.structure, naming)

    def _said(self, description: Description, worlds: Sequence[World] | None) -> Formula | None:
        """Return a short formula for these worlds in the problem's names; None if there is none."""
        if description.says is None:
            return None
        unseen = hidden(self.problem, self.structure)
        says = self.structure.resolver.stated(description.says)
        if not any(atom.fluent.plain in unseen for atom in atoms_of(says)):
            return says
        if worlds is None or any(atom.fluent.is_version for atom in atoms_of(says)):
            return None
        fluents = self.structure.vocabulary.fluents
        return disjunction(
            conjunction(
                Atom(name, value) if name not in fluents else fluents[name].equals(value)
                for name, value in world.items()
            )
            for world in worlds
        )

    def _where_numbers(self, formula: Formula, first: int) -> Where:
        """Return the result of `where` for a structure with numbers without bounds."""
        versions = self.structure.versions
        names = [versions.get(name, name) for name in named(self.problem, self.structure)]
        over = [name for name in names if isinstance(name, str)]
        found = self._smt.describe(self.structure, formula, over, first)
        plain = self.structure.resolver
        known = self.structure.vocabulary.fluents
        fluents = {name: known[name] for name in named(self.problem, self.structure)}
        worlds = [
            {name: plain.value(name, world) for name in named(self.problem, self.structure)}
            for world in found.worlds
        ]
        says = plain.stated(found.says)
        if found.number <= len(worlds):
            each = (conjunction(x.equals(world[n]) for n, x in fluents.items()) for world in worlds)
            says = disjunction(each)
        is_infinite = found.number == math.inf
        number = len(worlds) if is_infinite else int(found.number)
        return Where(number, says, tuple(worlds), is_infinite)

    # ---- worlds -------------------------------------------------------------------------------

    def _counted(self, step: Step | None, structure: KnowledgeStructure) -> Outcome:
        worlds: int | None = None
        refused: SymkripkeError | None = None
        counts = self._smt if structure.vocabulary.numbers else self._bdd
        is_infinite = False
        if self._work_of_counts == 0:
            refused = self._too_much
        elif self.count:
            try:
                with self._for_half_of_the_time(self._work_of_counts):
                    worlds = counts.worlds(structure)
                    limit = current()
                    if self._work_of_counts is not None and limit is not None and limit.work:
                        self._work_of_counts = max(0, limit.work.left)
            except SearchAborted:
                self._work_of_counts, refused = 0, self._too_much
            except InfinitelyManyWorlds:
                is_infinite = True
            except (BudgetExceeded, Unsupported) as error:
                refused = error
        return Outcome(step, structure, worlds=worlds, refused=refused, is_infinite=is_infinite)

    def _possible(self, structure: KnowledgeStructure, counted: Outcome) -> bool:
        """Return whether a world is left, even if worlds could not be counted.

        If the law is about facts only, every engine answers this quickly. After announcements about
        knowledge, the bdd engine is asked first.
        """
        if counted.worlds is not None:
            return counted.worlds > 0
        if counted.is_infinite:
            return True
        if structure.law.is_modal and not structure.vocabulary.numbers:
            try:
                with self._for_half_of_the_time():
                    return not self._bdd.valid(structure, FALSE)
            except (BudgetExceeded, Unsupported):
                pass
        return not self.asked.valid(structure, FALSE)

    def _witness(self, structure: KnowledgeStructure, formula: Formula) -> World | None:
        try:
            return self.asked.witness(structure, formula)
        except Unsupported:
            other = self._smt if structure.vocabulary.numbers else self._bdd
            return other.witness(structure, formula)

    def _why_none(self) -> str:
        """Return the constraints that contradict each other."""
        from symkripke.engines.sat import SatEngine
        from symkripke.explain import Known

        try:
            with within_budget(self.budget):
                asked = self._smt if self.structure.vocabulary.numbers else SatEngine()
                evidence = asked.valid(self.structure, FALSE).why()
        except BudgetExceeded:
            return ""
        sources = evidence.sources if isinstance(evidence, Known) else ()
        if not sources:
            return ""
        reasons = "; ".join(source.words for source in sources)
        few = "this contradicts itself" if len(sources) == 1 else "these contradict each other"
        return f": {few}: {reasons}"

    @staticmethod
    def _for_half_of_the_time(work: int | None = None) -> AbstractContextManager[None]:
        """Limit optional work to half of the remaining time."""
        left = seconds_left()
        return trial(work, None if left is None else left / 2)

    # ---- errors -------------------------------------------------------------------------------

    @contextmanager
    def _limited(self, place: Place, what: str) -> Iterator[None]:
        """Limit the body by the budget. An error at a limit names `what`."""
        try:
            with within_budget(self.budget):
                yield
        except BudgetExceeded as refused:
            where = f"{self.problem.path}, line" if self.problem.path else "line"
            problem = f"no answer to whether {what}: {refused}"
            raise BudgetExceeded(f"{where} {place.line}: {problem}") from refused

    @contextmanager
    def _at(self, place: Place) -> Iterator[None]:
        """Add the place in the file to errors that are raised in the context."""
        try:
            yield
        except ProblemError:
            raise
        except InputError as error:
            raise self._wrong(str(error), place) from error

    def _wrong(
        self, problem: str, place: Place, kind: type[ProblemError] = ProblemError
    ) -> ProblemError:
        return kind(problem, self.problem.text, place.line, place.column, self.problem.path)

    def _impossible(self, problem: str, step: Step) -> ProblemError:
        return self._wrong(problem, step.place, ImpossibleStep)


def _events(step: Doing) -> list[PossibleEvent]:
    """Return the events of an action that may be the actual one."""
    return [step.action.event(name) for name in step.action.actual]


def _cannot_be_done(step: Doing) -> str:
    """Return the message that no event of an action can happen, with the preconditions."""
    events = _events(step)
    if len(events) == 1:
        needed = brief(events[0].precondition, _LONG)
        return f"{step.name} cannot be done: {needed} is false in the actual world"
    needs = "; ".join(f"{event.name} needs {brief(event.precondition, 60)}" for event in events)
    return f"{step.name} cannot be done: none of its events can happen ({clipped(needs, _LONG)})"
