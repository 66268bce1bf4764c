"""Outcomes of the steps of a problem, in words and as data."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Self

from symkripke.engines import Mark
from symkripke.engines.minimal_core import minimal_core
from symkripke.engines.reasons import known_there, whole_evidence
from symkripke.errors import BudgetExceeded, Unsupported, in_digits
from symkripke.explain import Evidence
from symkripke.explain.data import as_data, exactly, written
from symkripke.explain.evidence import Combined, CounterWorld, Known, Possible, Source, Teller
from symkripke.explain.phrases import Groups, Wording, announced_by
from symkripke.explain.text import Line, listed
from symkripke.language import Atom, Formula, Name, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.formulas import fold
from symkripke.language.linear import Sum
from symkripke.language.printer import brief
from symkripke.language.walk import atoms, is_propositional, substitute
from symkripke.model import SKIP, Fluent, KnowledgeStructure, Number, Vocabulary, World, evaluate
from symkripke.model.origin import Origin
from symkripke.problems.outcome import Outcome, Planned, hidden, in_short, present
from symkripke.problems.problem import (
    AT_ACTUAL,
    Doing,
    Plan,
    Problem,
    Question,
    Remark,
    Step,
    Whether,
)

_INFINITE = "infinitely many"

# Messages repeat a line of the file only up to this length.
_SHORT_LINE = 50


def details(
    problem: Problem, outcome: Outcome, *, why: bool, verbose: bool = False
) -> Iterator[Line]:
    """Yield the details of an outcome, line by line; `verbose` adds remarks for experts."""
    step = outcome.step
    if isinstance(step, Whether) and outcome.said is not None:
        yield Line(0, "note", f"announced: {brief(outcome.said)}")
    if outcome.refused is not None:
        what = "" if isinstance(step, Question) else "not counted: "
        yield Line(0, "note", f"{what}{outcome.refused}")
    if outcome.plan is not None:
        yield from _plan(problem, outcome.plan, verbose=verbose)
    if outcome.stopped is not None:
        line = outcome.stopped.place.line
        yield Line(0, "claim", f"the plan in line {line} could not be followed to its end")
    if outcome.where is not None and (outcome.where.number or outcome.where.is_infinite):
        where = outcome.where
        if where.says is not None:
            says = "everywhere" if where.says is f.TRUE else f"where {where.says}"
            yield Line(0, "claim", says)
        lines = [_world(problem, outcome.structure, world) for world in where.worlds]
        if where.is_infinite:
            more = "and infinitely many more" if lines else "(real numbers are not listed)"
            yield from (Line(0, "world", line) for line in (*lines, more))
        else:
            yield from _first(lines, where.number)
    if outcome.actions:
        yield Line(0, "claim", f"plan: {', '.join(outcome.actions)}")
    if outcome.verdict == "no plan":
        yield Line(0, "claim", "all states are exhausted")
    if outcome.protocol is not None:
        yield Line(0, "claim", f"announce {outcome.protocol}")
    if outcome.contraction is not None:
        lines = [
            f"{in_short(outcome.structure, world)}{'' if alike == 1 else f'  ({alike} alike)'}"
            for world, alike in outcome.contraction.worlds
        ]
        yield from _first(lines, outcome.contraction.number)
    if outcome.sheet is not None:
        for name, says in known(problem, outcome).items():
            yield Line(0, "source", f"{name}: {says}")
    must = isinstance(step, Question) and step.kind in ("goal", "expect")
    if outcome.answer is not None and (why or (must and not outcome.answer)):
        yield from reasons(problem, outcome, verbose=verbose)


def _first(worlds: Sequence[str], number: int) -> Iterator[Line]:
    """Yield the first of a number of worlds, one per line."""
    more = ["..."] if number > len(worlds) else []
    for line in (*worlds, *more):
        yield Line(0, "world", line)


def _plan(problem: Problem, plan: Planned, *, verbose: bool) -> Iterator[Line]:
    for number, done in enumerate(plan.done, 1):
        assert isinstance(done.step, Doing)
        worlds = f"  {done.verdict}" if done.verdict else ""
        yield Line(0, "source", f"{number}. {done.step.name}{worlds}")
    if plan.stops is not None and plan.missed is not None:
        assert isinstance(plan.missed.step, Question)
        needed = plan.missed.step.text
        words = f"{len(plan.done) + 1}. {plan.stops.name} cannot be done: it needs {needed}"
        yield Line(0, "claim", f"{words}, which is false")
        if not is_propositional(plan.missed.step.formula):
            yield from reasons(problem, plan.missed, verbose=verbose)


def known(problem: Problem, outcome: Outcome) -> dict[str, str]:
    """Return the value, or the possible values, of each fluent of the sheet in words."""
    sheet = outcome.sheet
    assert sheet is not None
    digit_of = {digit: name for name, digits in problem.coded.items() for digit in digits}
    by_fluent: dict[str, dict[str, Mark]] = {}
    for atom, mark in sheet:
        by_fluent.setdefault(digit_of.get(atom.fluent, atom.fluent), {})[atom.value] = mark
    marks_in_words: dict[str, str] = {}
    for name, marks in by_fluent.items():
        values = [value for value, mark in marks.items() if mark is not Mark.NO]
        sure = Mark.YES in marks.values()
        if name in outcome.numbers:
            values = list(map(str, outcome.numbers[name]))
            sure = len(values) == 1
        elif "true" in marks:
            marks_in_words[name] = marks["true"].value
            continue
        marks_in_words[name] = values[0] if sure else f"open: {', '.join(values) or 'many'}"
    return marks_in_words


# ---- why --------------------------------------------------------------------------------------


def evidence(problem: Problem, outcome: Outcome) -> Evidence:
    """Return the evidence for an answer.

    The engine of the question finds the evidence. For valid formulas, the `sat` engine does so if
    the engine of the question has no sources.

    Raises:
        Unsupported: there is no evidence for this kind of formula.
    """
    answer, asked = outcome.answer, outcome.asked
    assert answer is not None
    assert asked is not None
    parts = Written(problem, outcome.structure).known_there
    try:
        return whole_evidence(answer, outcome.structure, asked, parts)
    except Unsupported:
        step = outcome.step
        if not isinstance(step, Question) or step.kind != "valid" or not answer:
            raise
        from symkripke.engines.sat import SatEngine

        sat = SatEngine()
        valid = sat.valid(outcome.structure, step.formula)
        return whole_evidence(valid, outcome.structure, sat, parts)


def reasons(problem: Problem, outcome: Outcome, *, verbose: bool = False) -> Iterator[Line]:
    """Yield the lines of the reason for an answer."""
    answer, step = outcome.answer, outcome.step
    assert answer is not None
    assert isinstance(step, Question)
    teller = ProblemTeller(problem, outcome.structure, verbose=verbose)
    teller.ask(step, answer.formula, outcome.actual)
    try:
        proof = evidence(problem, outcome)
        if proof.truth is bool(answer):
            proof = replace(proof, formula=answer.formula)
        yield from list(teller.tell(proof))
    except (Unsupported, BudgetExceeded) as error:
        yield Line(0, "note", f"no reason: {error}")


class ProblemTeller(Teller):
    """A teller of evidence about a problem, in the names of its file."""

    def __init__(
        self, problem: Problem, structure: KnowledgeStructure, *, verbose: bool = False
    ) -> None:
        """Prepare the words of formulas at this structure."""
        self._names = Written(problem, structure)
        self._world: World | None = None
        super().__init__(self._names.wording(), None, settled=False, verbose=verbose)

    def ask(self, question: Question, formula: Formula, actual: World | None) -> None:
        """Set the question, whose formula is told as written, and the world of the question."""

        def text(part: Formula) -> str:
            return (question.asked or question.text) if part is formula else self._names.text(part)

        self.wording = replace(self.wording, text=text)
        self._world = actual
        self._settled = question.kind in AT_ACTUAL and actual is not None

    def world(self, world: World, before: World | None, fact: str = "") -> Iterator[str]:
        """Yield a line with the values of all fluents, and the events that differ there."""
        problem, structure = self._names.problem, self._names.structure
        words = _world(problem, structure, present(problem, structure, world))
        other = _otherwise(structure, world, self._world)
        yield f"{words}; {listed(other)}" if other else words

    def can_be_said(self, formula: Formula) -> bool:
        """Return whether the file has words for a formula; see `Teller.can_be_said`."""
        return self._names.can_be_said(formula)

    def at(self, world: World) -> Self:
        """Return a teller at a world, where observed numbers have their values; see `Teller.at`."""
        there = super().at(world)
        there._world = world
        return there

    def tell(self, evidence: Evidence, indent: int = 0) -> Iterator[Line]:
        """Yield the lines of evidence, combining the digits of a number; see `Teller.tell`."""
        merged = self._merged(evidence)
        if not isinstance(merged, list):
            yield from super().tell(merged, indent)
            return
        claim = self.wording.claim(evidence.formula, evidence.truth)
        who = self.wording.who(merged[0].agent)
        possible = "this" if len(merged) == 1 else "each of these"
        yield Line(indent, "claim", f"{claim}, because {who} considers {possible} possible:")
        for line in dict.fromkeys(line for step in merged for line in self.world(step.world, None)):
            yield Line(indent + 1, "world", line)

    def _merged(self, evidence: Evidence) -> Evidence | list[CounterWorld]:
        """Return the evidence, with the digits of a number combined if it is about a number."""
        if not self._names.about_digits(evidence.formula):
            return evidence
        ends = list(_ends(evidence))
        known = [end for end in ends if isinstance(end, Known) and end.others is None]
        if len(known) == len(ends):
            sources = [source for end in known for source in end.sources]
            formulas = [end.formula for end in known]
            needed = self._as_seen(evidence.formula, sources) or self._needed(formulas, sources)
            return Known(evidence.formula, needed, evidence.truth)
        possible = [end for end in ends if isinstance(end, Possible) and len(end.worlds) == 1]
        if isinstance(evidence, Combined) and len(possible) == len(ends):
            return [end.worlds[0] for end in possible]
        return evidence

    def _as_seen(self, formula: Formula, sources: Sequence[Source]) -> tuple[Source, ...]:
        """Return the sources if exactly the known facts are observed (x + y = 17); otherwise none.

        Digits that can never be 1 are not observed, so they cannot be proved without the law.
        """
        said = self._names.named(formula.operands[0]) if formula.operands else None
        seen = (source for source in dict.fromkeys(sources) if source.kind == "seen" and said)
        return tuple(source for source in seen if self._seen(source).startswith(f"{said} ("))

    def _needed(self, known: Sequence[Formula], sources: Sequence[Source]) -> tuple[Source, ...]:
        """Return a minimal set of sources for known facts, where an observed number is one source.

        Each digit of a number has its own minimal set, but their union need not be minimal: the
        source x + y = 17 is the whole number, not some of its digits.
        """
        every = tuple(dict.fromkeys(sources))
        facts = conjunction(part.operands[0] for part in known if isinstance(part, f.K | f.B))
        if not all(isinstance(part, f.K | f.B) for part in known):
            return every
        groups: dict[str, list[Source]] = {}
        for source in every:
            groups.setdefault(self._group(source, every), []).append(source)
        stated = {
            name: conjunction(part for source in group for part in self._stated(source, known))
            for name, group in groups.items()
        }
        needed = minimal_proof(stated, facts)
        return every if needed is None else tuple(s for name in needed for s in groups[name])

    def _group(self, source: Source, every: Sequence[Source]) -> str:
        """Return the words of a source, or of the observed number that the source defines."""
        if source.kind == "seen":
            return self._seen(source)
        for other in every:
            if other.kind == "seen" and _same_line(source.origin, other.origin):
                return self._seen(other)
        return source.words

    def _stated(self, source: Source, known: Sequence[Formula]) -> Iterator[Formula]:
        """Yield the formulas of a source; an observed number yields digits and definitions."""
        yield source.formula
        seen = atoms(source.formula) if source.kind == "seen" else ()
        number = self._names.number(seen[0]) if seen else None
        if number is None or self._world is None:
            return
        for agent in dict.fromkeys(part.agent for part in known if isinstance(part, f.K | f.B)):
            for observable in self._names.structure.observables[agent]:
                atom = observable.atom
                if self._names.number(atom) == number:
                    yield atom if evaluate(atom, self._world) else negation(atom)
        for constraint in self._names.structure.law:
            if _same_line(constraint.source, source.origin):
                yield constraint.formula

    def _parts(self, evidence: Combined, claim: str, indent: int) -> Iterator[Line]:
        """Yield the lines of combined evidence, in the names of the moment after an action."""
        step = evidence.formula
        if not isinstance(step, f.AfterAction):
            yield from super()._parts(evidence, claim, indent)
            return
        said = announced_by(step.action)
        if not evidence.parts:
            cannot = self.wording.claim(f.AfterAction(step.action, f.FALSE), True)
            yield Line(indent, "claim", claim if cannot == claim else f"{claim}, because {cannot}")
            return
        after = self._names.structure.after_action(step.action)
        later = ProblemTeller(self._names.problem, after, verbose=self.verbose)
        later.is_real = False
        when = step.action.name if said is None else "the announcement"
        yield Line(indent, "claim", f"{claim}. After {when}:")
        for part in evidence.parts:
            yield from later.tell(part, indent + 1)

    def sources(self, sources: Sequence[Source]) -> list[str]:
        """Return sources in words, with digits as numbers, and definitions with their names."""
        words: dict[str, None] = {}
        seen = [source.origin for source in sources if source.kind in ("seen", "sees")]
        others = []
        for source in sources:
            if source.kind in ("seen", "sees"):
                words[self._seen(source)] = None
            elif not any(_same_line(source.origin, origin) for origin in seen):
                others.append(source)
        for source in others:
            words |= dict.fromkeys(super().sources([source]))
        return list(words)

    def _seen(self, source: Source) -> str:
        """Return an observation in words, with the line of the file."""
        origin = source.origin
        line = origin.text if len(origin.text) <= _SHORT_LINE else origin.when
        where = f" ({line})" if origin.when else ""
        if not atoms(source.formula):
            return f"{self._names.text(source.formula)}{where}"
        atom = atoms(source.formula)[0]
        number = self._names.number(atom)
        if source.kind == "sees":
            who = self.wording.who(source.observers)
            see = "sees" if len(source.observers) == 1 else "see"
            of = f"what {number} is" if number else f"whether {self._names.words(atom, True)}"
            return f"{who} {see} {of}{where}"
        if number is not None:
            value = self._names.value(atom, self._world)
            return (
                f"the value of {number}{where}" if value is None else f"{number} = {value}{where}"
            )
        return f"{self.wording.claim(source.formula, True)}{where}"


def _trace_in_words(structure: KnowledgeStructure, atom: Atom, truth: bool) -> str:
    """Return an auxiliary fluent in words: "bob notices turn", "the event of peek was heads"."""
    name, value, negated = atom.fluent, atom.value, "" if truth else "not "
    for stage, action in _actions(structure):
        occurrence, sight = (
            stage.history.occurrence,
            stage.history.traces.conditional_sights.get(name),
        )
        if sight is not None and stage.history.event is not None:
            after = stage.history.event.source.moment if occurrence is None else action
            what = stage.resolver.stated(sight.atom)
            return f"{negated}({sight.agent} sees after {after} that {what})"
        if occurrence is None:
            continue
        names = {event.value: event.name for event in occurrence.action.events}
        if name == occurrence.which:
            if value == SKIP or len(occurrence.events) - (SKIP in occurrence.events) == 1:
                done = (value != SKIP) is truth
                return f"{action} has {'' if done else 'not '}been done"
            return f"the event of {action} was {negated}{names[value]}"
        if name in occurrence.prior_truths:
            return f"{negated}({occurrence.prior_truths[name]} before {action})"
        for agent, signal in occurrence.signals.items():
            if name == signal and value == "nothing":
                return f"{agent} {'does not notice' if truth else 'notices'} {action}"
            if name == signal:
                labels = occurrence.labels[agent]
                alike = next(events for events, label in labels.items() if label == value)
                events = [alike] if isinstance(alike, str) else sorted(alike or ())
                seen = (
                    action
                    if len(events) == len(names)
                    else f"that the event of {action} was {' or '.join(events)}"
                )
                return f"{agent} {'sees' if truth else 'does not see'} {seen}"
    return structure.words(atom, truth)


def _actions(structure: KnowledgeStructure) -> Iterator[tuple[KnowledgeStructure, str]]:
    """Yield each stage with the name of its action, numbered if it is repeated."""
    done = Counter[str]()
    for stage in structure.moments:
        name = "" if stage.history.occurrence is None else stage.history.occurrence.action.name
        done[name] += 1
        yield stage, name if done[name] == 1 else f"{name} (time {done[name]})"


def _otherwise(structure: KnowledgeStructure, world: World, actual: World | None) -> list[str]:
    """Return the events at a world that differ from the events at the actual world, in words."""
    parts = []
    for stage, name in _actions(structure):
        occurrence = stage.history.occurrence
        if occurrence is None or not occurrence.which:
            continue
        there = occurrence.event_at(world)
        if actual is not None and occurrence.event_at(actual) == there:
            continue
        if there == SKIP:
            parts.append(f"{name} has not been done")
        elif actual is not None:
            parts.append(f"{name} was {there}")
    return parts


def _same_line(definition: Origin, seen: Origin) -> bool:
    """Return whether a law only defines a term of the line with an observation."""
    return definition.kind == "line" and definition.text == seen.text


def minimal_proof(stated: Mapping[str, Formula], fact: Formula) -> tuple[str, ...] | None:
    """Return the names of a minimal set of statements that prove a fact, in order.

    Return None if the statements do not prove it, or if a formula is about knowledge.
    """
    from symkripke.engines.sat import SatEngine

    asked = (*stated.values(), fact)
    if not all(map(is_propositional, asked)):
        return None
    # Atoms become Boolean fluents, because "a fluent has one value" must be a statement, too.
    every = dict.fromkeys(atom for formula in asked for atom in atoms(formula))
    plain = {atom: Atom(f"a{number}") for number, atom in enumerate(every)}
    vocabulary = Vocabulary.of((Fluent(atom.fluent) for atom in plain.values()), ())
    bare, solver = KnowledgeStructure.of(vocabulary, (), {}), SatEngine()

    def prove(chosen: Sequence[str]) -> Sequence[str] | None:
        refuted = conjunction((*(stated[name] for name in chosen), negation(fact)))
        open_case = solver.witness(bare, substitute(refuted, plain))
        return list(chosen) if open_case is None else None

    if prove(list(stated)) is None:
        return None
    return tuple(minimal_core(list(stated), prove, last_first=True))


def _ends(evidence: Evidence) -> Iterator[Evidence]:
    """Yield the leaves of combined evidence."""
    if isinstance(evidence, Combined):
        for part in evidence.parts:
            yield from _ends(part)
    else:
        yield evidence


class Written:
    """The words for formulas in a problem's file.

    Attributes:
        problem: the problem.
        structure: the structure that the formulas are about.
    """

    def __init__(
        self, problem: Problem, structure: KnowledgeStructure, *, resolved: bool = True
    ) -> None:
        """Prepare the words; formulas have resolved names if `resolved` is true."""
        self.problem = problem
        self.structure = structure
        self._resolved = resolved
        self._digits: dict[str, tuple[str, int]] = {
            digit: (problem.unnamed.get(name, name), place)
            for name, digits in problem.coded.items()
            for place, digit in enumerate(digits)
        }
        self._groups = Groups([*problem.written, *problem.words])

    def wording(self) -> Wording:
        """Return the words for whole formulas."""
        later = Written(self.problem, self.structure, resolved=False) if self._resolved else None
        return Wording(
            self.words,
            text=self.text,
            named=self.named,
            titles=self.problem.titles,
            phrase=self._phrase if self.problem.words else lambda _: None,
            everybody=frozenset(self.structure.agents),
            values=self.values,
            parts=self.parts,
            then=None if later is None else later.wording(),
        )

    def _phrase(self, formula: Formula) -> tuple[str, str] | None:
        """Return the sentences of the file for a formula and its negation; None if it has none."""
        return self.problem.words.get(self._plainly(formula))

    def _plainly(self, formula: Formula) -> Formula:
        return self.structure.resolver.stated(formula) if self._resolved else formula

    def text(self, formula: Formula) -> str:
        """Return a formula as the file would write it."""
        written = self._as_written(formula)
        if any(self._is_hidden(atom) for atom in atoms(written)):
            plain = [atom.fluent.plain for atom in atoms(written)]
            names = dict.fromkeys(self._digits[name][0] for name in plain if name in self._digits)
            return f"a condition on {listed(list(names)) or 'what is seen'}"
        return brief(written)

    def _as_written(self, formula: Formula) -> Formula:
        return fold(self._plainly(formula), self._renamed)

    def can_be_said(self, formula: Formula) -> bool:
        """Return whether the file has words for everything that a formula mentions."""
        return not any(self._is_hidden(atom) for atom in atoms(self._as_written(formula)))

    def _renamed(self, part: Formula, operands: tuple[Formula, ...]) -> Formula:
        text = self.problem.written.get(part)
        if text is not None:
            return Atom(f"({text})" if " " in text else text)
        if isinstance(part, f.Linear):
            return f.linear(part.row.sum.renamed(self._number), part.row.relation, part.row.modulus)
        if isinstance(part, Atom) and part.fluent.plain in self.problem.unnamed:
            return Atom(f"({self.problem.unnamed[part.fluent.plain]})")
        if isinstance(part, f.And | f.Or):
            as_written = dict(zip(part.operands, operands, strict=True))
            operands = tuple(
                as_written[first] if not more else self._renamed(part.rebuild((first, *more)), ())
                for first, *more in self._groups.of(part)
            )
        return part.rebuild(operands) if operands != part.operands else part

    def _number(self, name: Name) -> Sum:
        """Return a number without bounds under its name in the file."""
        term = self.problem.unnamed.get(name.plain)
        number = self.structure.vocabulary.domain(name)
        shown = name if term is None else Name(f"({term})")
        return Sum.of(shown, is_real=isinstance(number, Number) and number.is_real)

    def parts(self, formula: f.And | f.Or) -> tuple[Formula, ...]:
        """Return the operands, combining the operands that form a definition of the file."""
        plain = {self._plainly(part): part for part in formula.operands}
        current = self._plainly(formula)
        assert isinstance(current, f.And | f.Or)
        groups = self._groups.of(current)
        return tuple(formula.rebuild(tuple(plain[part] for part in group)) for group in groups)

    def _is_hidden(self, atom: Atom) -> bool:
        return atom.fluent.plain in hidden(self.problem, self.structure)

    def named(self, formula: Formula) -> str | None:
        """Return the written form of a formula; None if it is not stored."""
        return self.problem.written.get(self._plainly(formula))

    def words(self, atom: Atom, truth: bool) -> str:
        """Return an atom, or its negation: "p", "not p", "x = 3", "x != 3", "x + y > 3"."""
        if atom.fluent in self.structure.history.traces.auxiliary:
            return _trace_in_words(self.structure, atom, truth)
        plain = self._plainly(atom)
        assert isinstance(plain, Atom)
        bare, version = plain.fluent.plain, plain.fluent.version
        name = self.problem.unnamed.get(bare)
        if name is None and bare in self._digits:
            number, place = self._digits[bare]
            return f"binary digit {place} of {number} is {1 if truth else 0}{_then(version)}"
        if name is None:
            named, then = Atom(bare, plain.value), _then(version)
            if named in self.problem.words:
                return f"{self.problem.words[named][0 if truth else 1]}{then}"
        else:
            named, then = Atom(f"({name})" if " = " in name else name, plain.value), ""
        if plain.value != "true":
            return f"{named if truth else negation(named)}{then}"
        return f"{'' if truth else 'not '}{name or named}{then}"

    def values(self, fluents: tuple[str, ...]) -> str:
        """Return words for the values of fluents: "the values of x and y"."""
        pairs: dict[tuple[str, str], None] = {}
        for fluent in fluents:
            plain = self._plainly(Atom(fluent))
            assert isinstance(plain, Atom)
            bare, version = plain.fluent.plain, plain.fluent.version
            pairs[self._digits[bare][0] if bare in self._digits else bare, _then(version)] = None
        things = self.problem.things
        if all(name in things for name, _ in pairs):
            return listed([f"{things[name]}{then}" for name, then in pairs])
        names = [f"{name}{then}" for name, then in pairs]
        return f"the value{'' if len(names) == 1 else 's'} of {listed(names)}"

    def number(self, atom: Atom) -> str | None:
        """Return the name of the number with this atom as a digit; None for other atoms."""
        digits = self._digits.get(atom.fluent.plain)
        if digits is None:
            return None
        plain = self._plainly(atom)
        assert isinstance(plain, Atom)
        number, version = Name.of(digits[0]), plain.fluent.version
        return number if version is None else number.at(version)

    def value(self, atom: Atom, world: World | None) -> int | None:
        """Return the value of the number of a digit at a world; None if it is unknown."""
        if world is None:
            return None
        plain, version = atom.fluent.plain, atom.fluent.version
        names = map(Name.of, next(d for d in self.problem.coded.values() if plain in d))
        bits = [world.get(name if version is None else name.at(version)) for name in names]
        if None in bits:
            return None
        return sum(1 << place for place, bit in enumerate(bits) if bit == "true")

    def known_values(self, formula: Formula) -> list[Formula]:
        """Return `Kv` for each knower, if the formula states knowledge of numbers by digits."""
        digits: dict[str, dict[str, None]] = {}
        for part in formula.operands if isinstance(formula, f.And) else ():
            match part:
                case f.Kw(agent, Atom() as atom) | f.Kw(agent, f.Not(Atom() as atom)):
                    if self.number(atom) is None:
                        return []
                    digits.setdefault(agent, {})[atom.fluent] = None
                case _:
                    return []
        return [f.Kv(agent, tuple(fluents)) for agent, fluents in digits.items()]

    def known_there(self, shows: Formula) -> Iterable[Formula]:
        """Return the parts of a formula about knowledge; all digits of a number form one part."""
        bare = shows.operand if isinstance(shows, f.Not) else shows
        values = self.known_values(bare)
        if not values:
            return known_there(shows)
        return values if bare is shows else [negation(conjunction(values))]

    def about_digits(self, formula: Formula) -> bool:
        """Return whether a formula is about the knowledge or belief of numbers in binary."""
        match formula:
            case f.Kv(_, fluents):
                return any(name.plain in self._digits for name in fluents)
            case f.Not(operand):
                return self.about_digits(operand)
            case f.K(_, operand) | f.B(_, operand) | f.Kw(_, operand) | f.D(_, operand):
                facts = is_propositional(operand)
                return facts and any(atom.fluent.plain in self._digits for atom in atoms(operand))
        return False


def _world(problem: Problem, structure: KnowledgeStructure, values: World) -> str:
    """Return a world in one line, in the words of the problem if it has any.

    False facts are described only if there is nothing else to say.
    """
    stated, denied, rest = list[str](), list[str](), dict[str, str]()
    for name, value in values.items():
        atom = Atom(name, "true" if value == "false" else value)
        phrase = problem.words.get(atom)
        if phrase is None and name in problem.things:
            stated.append(f"{problem.things[name]} is {value}")
        elif phrase is None:
            rest[name] = value
        elif value == "false":
            denied.append(phrase[1])
        else:
            stated.append(phrase[0])
    if any(value != "false" for value in rest.values()) or not (stated or denied):
        stated.append(in_short(structure, rest))
    return ", ".join(stated or denied)


def _then(version: int | None) -> str:
    """Return the time of a version of a fluent, in words; empty for the current one."""
    if version is None:
        return ""
    if version == 0:
        return " at first"
    return f" after {version} change{'' if version == 1 else 's'}"


# ---- data -------------------------------------------------------------------------------------


def data(problem: Problem, outcome: Outcome, *, why: bool) -> dict[str, Any]:
    """Return the outcome of a step as plain data, for JSON."""
    step = outcome.step
    result: dict[str, Any] = {}
    if step is not None:
        result = {"line": step.place.line, "kind": kind(step), "text": step.text}
    if isinstance(step, Remark):
        result["says"] = step.says
    if outcome.said is not None:
        result["announced"] = written(outcome.said)
    if outcome.worlds is not None:
        result["worlds"] = _plain(outcome.worlds)
    if outcome.is_infinite:
        result["worlds"] = _INFINITE
    if outcome.answer is not None:
        result |= {"holds": bool(outcome.answer), "engine": outcome.answer.engine}
    if outcome.where is not None:
        says = outcome.where.says
        result |= {
            "worlds": _INFINITE if outcome.where.is_infinite else _plain(outcome.where.number),
            "where": None if says is None else str(says),
            "first": [dict(world) for world in outcome.where.worlds],
        }
    if outcome.plan is not None:
        result |= _plan_data(problem, outcome.plan)
    if outcome.stopped is not None:
        result |= {"holds": False, "stopped": outcome.stopped.place.line}
    if outcome.sheet is not None:
        result["knows"] = known(problem, outcome)
    if outcome.number is not None:
        result |= _number(outcome)
    if outcome.contraction is not None:
        result |= {
            "worlds": outcome.contraction.of,
            "contracted": outcome.contraction.number,
            "first": [
                {"world": dict(world), "alike": alike}
                for world, alike in outcome.contraction.worlds
            ],
        }
    if isinstance(outcome.step, Question) and outcome.step.kind == "plan":
        result["plan"] = None if outcome.actions is None else list(outcome.actions)
    if isinstance(outcome.step, Question) and outcome.step.kind == "protocol":
        result["protocol"] = None if outcome.protocol is None else str(outcome.protocol)
    if outcome.refused is not None:
        result["refused"] = str(outcome.refused)
    if why and outcome.answer is not None:
        result["why"] = _why(problem, outcome)
    return result


def _why(problem: Problem, outcome: Outcome) -> dict[str, Any]:
    try:
        return as_data(evidence(problem, outcome))
    except (Unsupported, BudgetExceeded) as error:
        return {"kind": "none", "reason": str(error)}


def _plan_data(problem: Problem, plan: Planned) -> dict[str, Any]:
    """Return the executed part of a plan, and the reason if it stops, as plain data."""
    done = [each.step.name for each in plan.done if isinstance(each.step, Doing)]
    result: dict[str, Any] = {"done": done, "complete": plan.stops is None}
    if plan.stops is not None and plan.missed is not None:
        result |= {"stops": plan.stops.name, "why": _why(problem, plan.missed)}
    return result


def _number(outcome: Outcome) -> dict[str, Any]:
    """Return the requested number as plain data."""
    step, number = outcome.step, outcome.number
    assert isinstance(step, Question)
    assert number is not None
    match step.kind:
        case "count":
            return {"worlds": _INFINITE if number == math.inf else _plain(int(number))}
        case "entropy":
            return {"bits": number}
        case "how":
            return exactly(Fraction(number))
    return {"value": str(number), "float": float(number)}


def _plain(number: int) -> int | str:
    """Return a number for JSON, or its words if it is too long for most programs."""
    return number if in_digits(number)[:1].isdecimal() else in_digits(number)


def kind(step: Step) -> str:
    """Return the kind of a step, in one word."""
    if isinstance(step, Question):
        return step.kind
    return {Remark: "say", Doing: "action", Plan: "plan"}.get(type(step), "event")
