"""Reading problems in the text format of SMCDEL, the reference checker of this logic.

The files are read as SMCDEL reads them, with its operator precedences. SMCDEL's variables are
numbers; variable 3 is the fluent `p3` here. Some mistakes that SMCDEL ignores are errors here: a
law that allows no state or is about knowledge, a state outside the law, duplicates.

(J. van Benthem, J. van Eijck, M. Gattinger, K. Su: Symbolic model checking for dynamic epistemic
logic: S5 and beyond, 2018.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import starmap
from typing import cast

from symkripke.engines import engine
from symkripke.engines.count.sums import as_sums, count_disjoint
from symkripke.errors import ProblemError, UnknownName, Unsupported, long_number
from symkripke.language import TRUE, Atom, Formula, Iff, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.scanner import place_of
from symkripke.language.walk import is_propositional
from symkripke.model import (
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Origin,
    Vocabulary,
    announcement,
    evaluate,
)
from symkripke.problems.problem import Happening, Kind, Place, Problem, Question, Step
from symkripke.problems.smcdel.counts import with_counts
from symkripke.problems.smcdel.formulas import fluent, is_plain
from symkripke.problems.smcdel.private import Hearing, Privacy
from symkripke.problems.smcdel.syntax import Job, Word, Written, plain_number
from symkripke.records import dataclass

_FEW_VARIABLES = 20


@dataclass(frozen=True, eq=False)
class SmcdelFile:
    """A file in SMCDEL's format.

    Attributes:
        problem: the problem that the file describes.
        warnings: places where our own syntax would read the same text differently.
    """

    problem: Problem
    warnings: tuple[str, ...]


def read_smcdel(text: str, path: str = "") -> SmcdelFile:
    """Read a file in SMCDEL's format.

    Args:
        text: the text of the file.
        path: the file's name, for messages.

    Raises:
        ProblemError: the text is invalid; the message shows the file, and the line with a caret.
        Unsupported: the file has an announcement to some agents under Forall or Exists.
    """
    text = text.removeprefix("\ufeff")
    if too_long := long_number(text):
        problem, line, column = too_long
        raise ProblemError(problem, text, line, column, path)
    return _Reader(text, path).read()


class _Reader(Written):
    """A reader that returns the problem of a file."""

    def read(self) -> SmcdelFile:
        """Return the contents of the whole file."""
        self.file()
        self._check_names()
        privacy = Privacy(
            {
                name.text: frozenset(fluent(number) for number, _ in seen)
                for name, seen in self.observers
            }
        )
        law = self._law(privacy)
        # The structure needs all agents from the start, but the readers are known only at the end.
        planned: list[tuple[Job, Formula, Sequence[Hearing]]] = []
        for job in self.jobs:
            before = len(privacy.hearings)
            try:
                formula = privacy.plain(job.formula)
            except Unsupported as error:
                raise Unsupported(f"line {self._place(job).line}: {error}") from None
            planned.append((job, formula, privacy.hearings[before:]))
        contents = (hearing.formula for hearing in privacy.hearings)
        agents = privacy.used([*(formula for _, formula, _ in planned), *contents])
        structure = self._structure(law, privacy, agents)
        steps: list[Step] = []
        for job, formula, hearings in planned:
            for hearing in hearings:
                steps.extend(self._heard(job, hearing, privacy, agents))
            steps.append(self._step(job, formula, structure))
        hidden = frozenset(hearing.name for hearing in privacy.hearings)
        titles = {reader: f"{agent} (who heard it)" for reader, agent in privacy.origin.items()}
        problem = Problem(
            structure, tuple(steps), None, self.text, self.path, hidden, titles=titles
        )
        return SmcdelFile(problem, tuple(self._warnings()))

    def _wrong(self, problem: str, start: int) -> ProblemError:
        return ProblemError(problem, self.text, *place_of(self.text, start), self.path)

    def _place(self, job: Job) -> Place:
        return Place(*place_of(self.text, job.word.start))

    def _warnings(self) -> Iterator[str]:
        for start, words in sorted(self.warnings, key=lambda warning: warning[0]):
            line, column = place_of(self.text, start)
            where = f"{self.path}, line" if self.path else "line"
            yield f"{where} {line}, column {column}: {words}"

    # ---- names --------------------------------------------------------------------------------

    def _check_names(self) -> None:
        agents = [name for name, _ in self.observers]
        self._check_once("variable", self.variables)
        self._check_once("agent", agents)
        variables = {plain_number(word): word for word, _ in self.variables}
        for _, seen in self.observers:
            self._check_known("variable", seen, variables)
            self._check_once("variable", seen)
        self._check_known("variable", starmap(Word, self.used_variables.items()), variables)
        known = {plain_number(word): word for word, _ in agents}
        self._check_known("agent", starmap(Word, self.used_agents.items()), known)
        for listed in self.lists:
            self._check_once("variable" if listed[0].text.isdecimal() else "agent", listed)
        for job in self.jobs:
            self._check_known("variable", job.state, variables)
            self._check_once("variable", job.state)

    def _check_once(self, kind: str, row: Sequence[Word]) -> None:
        seen: set[str] = set()
        for word in row:
            number = plain_number(word.text)
            if number in seen:
                raise self._wrong(f"{kind} {word.text!r} is given twice", word.start)
            seen.add(number)

    def _check_known(self, kind: str, used: Iterable[Word], known: Mapping[str, str]) -> None:
        for word in used:
            if plain_number(word.text) not in known:
                raise self._wrong(str(UnknownName(kind, word.text, known.values())), word.start)

    # ---- the model ----------------------------------------------------------------------------

    def _law(self, privacy: Privacy) -> Formula:
        law = self.law
        if not is_plain(law) or not is_propositional(law):
            law = privacy.plain(law)
            if privacy.hearings or not is_propositional(law):
                raise self._wrong("the law cannot contain knowledge", self.law_start)
        return law

    def _structure(
        self, law: Formula, privacy: Privacy, agents: tuple[str, ...]
    ) -> KnowledgeStructure:
        variables = [fluent(number) for number, _ in self.variables]
        parts = law.operands if isinstance(law, f.And) else (law,)
        stated = with_counts([part for part in parts if part is not TRUE])
        constraints = [Constraint(part, f"law: {part}") for part in stated]
        observables = {
            agent: [
                Observable(Atom(name), f"{agent} observes {name}")
                for name in variables
                if name in privacy.observed[agent]
            ]
            for agent in agents
        }
        vocabulary = Vocabulary.of(map(Fluent, variables), agents)
        structure = KnowledgeStructure.of(vocabulary, constraints, observables)
        if not (self._shows_state(structure) or _has_state(structure)):
            raise self._wrong("the law allows no state", self.law_start)
        return structure

    # ---- events and questions -------------------------------------------------------------------

    def _step(self, job: Job, formula: Formula, structure: KnowledgeStructure) -> Step:
        text, place = job.text, self._place(job)
        if job.kind == "update":
            when = f"line {place.line}"
            source = Origin(f"{when}: {text}", kind="line", when=when)
            return Happening(announcement(formula, source), text, place)
        world = self._world(job, structure) if job.kind == "true" else None
        asked = text.partition("?")[2].strip()
        return Question(cast(Kind, job.kind), formula, text, place, world=world, asked=asked)

    def _shows_state(self, structure: KnowledgeStructure) -> bool:
        """Return whether the first state of a question obeys the law, so that the law has a world.

        Evaluating the law at a state is faster than searching for a world.
        """
        asked = next((job for job in self.jobs if job.kind == "true"), None)
        if asked is None:
            return False
        world = _state(asked, structure)
        return all(evaluate(constraint.formula, world) for constraint in structure.law)

    def _world(self, job: Job, structure: KnowledgeStructure) -> dict[str, str]:
        world = _state(job, structure)
        for constraint in structure.law:
            if not evaluate(constraint.formula, world):
                problem = f"this state is outside the law: {constraint.formula} is false there"
                raise self._wrong(problem, job.word.start)
        return world

    def _heard(
        self, job: Job, hearing: Hearing, privacy: Privacy, agents: tuple[str, ...]
    ) -> Iterator[Happening]:
        """Yield the steps that add a fluent for a private announcement and show it to hearers."""
        readers = [agent for agent in agents if hearing.name in privacy.observed[agent]]
        if not readers:
            return  # no agent in the questions has heard it
        place, atom = self._place(job), Atom(hearing.name)
        when = f"line {place.line}"
        event_words = f"{when}: {', '.join(readers)} hear whether {hearing.formula}"
        words = Origin(event_words, agents=tuple(readers), kind="line", when=when)
        law = Constraint(Iff(atom, hearing.formula), words)
        cases = (("true", hearing.formula), ("false", negation(hearing.formula)))
        event = Event(
            words,
            () if law.is_modal else (law,),
            (Fluent(hearing.name),),
            {agent: (Observable(atom, words),) for agent in readers},
        )
        text = f"show {', '.join(readers)}: {hearing.formula}"
        new = f"{', '.join(readers)} see {hearing.name}" if law.is_modal else text
        yield Happening(event, new, place, values={hearing.name: cases})
        if law.is_modal:
            # A formula about knowledge is about the moment before, so the fluent comes first.
            yield Happening(Event(words, (law,)), text, place)


def _state(job: Job, structure: KnowledgeStructure) -> dict[str, str]:
    """Return the state of a question as a world."""
    true = {fluent(number) for number, _ in job.state}
    names = structure.vocabulary.fluents
    return {name: "true" if name in true else "false" for name in names}


def _has_state(structure: KnowledgeStructure) -> bool:
    """Return whether the law allows a state.

    With few variables the `bdd` engine is used: its diagrams are small, and checking the file needs
    them anyway.
    """
    if not structure.law:
        return True
    fluents = structure.vocabulary.fluents
    sums = as_sums(conjunction(constraint.formula for constraint in structure.law), fluents)
    number = None if sums is None else count_disjoint(sums, fluents)
    if number is not None:  # "one of these": no engine needs to be imported
        return number > 0
    few = len(fluents) <= _FEW_VARIABLES
    return engine("bdd" if few else "sat").witness(structure, TRUE) is not None
