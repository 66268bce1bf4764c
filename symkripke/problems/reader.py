"""Reading a `Problem` from the text of a problem file.

`read` reads a whole text. A `Reader` takes one statement at a time, for an interactive session.
README and `symkripke/language/GRAMMAR.md` describe the statements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from symkripke.errors import (
    InputError,
    ProblemError,
    check_name,
    clipped,
    long_number,
)
from symkripke.language import Atom, Formula, Implies, conjunction
from symkripke.language import formulas as f
from symkripke.model import Change, Constraint, Event, Fluent, Number, Observable
from symkripke.problems.expansion_actions import ActionExpansion
from symkripke.problems.indices import Indices, fault, faults_at, unknown
from symkripke.problems.modelling import ModelReader, values_of
from symkripke.problems.open_numbers import Open
from symkripke.problems.problem import (
    Candidate,
    Doing,
    Kind,
    Plan,
    Problem,
    Question,
    Remark,
    Whether,
)
from symkripke.problems.syntax import Fault, Tree, statements
from symkripke.problems.values import (
    Bits,
    Cases,
    NotANumber,
    Symbol,
    atoms_of,
    in_binary,
    numbers_of,
    truth_value,
)

_AT_ACTUAL_WORLDS: Mapping[str, str] = {
    "announce_whether": "announce whether",
    "plan": "plan:",
    "ask_true": "true?",
    "ask_goal": "goal?",
    "ask_plan": "plan?",
    "ask_protocol": "protocol?",
    "expect": "expect",
}
"""The written forms of statements about the actual world, or about several actual worlds."""

_OF_AN_AGENT = ("ask_how", "ask_expected", "ask_entropy", "ask_knows")
"""Questions about an agent at the actual world, which must be unique."""

_AFTER_THE_MODEL = ("announce", "show", "tell", "change", "perform", *_AT_ACTUAL_WORLDS)
"""The statements, besides questions, that come after the model."""

# The expected value of a number with more possible values than this is computed by its digits.
_VALUES = 64


def read(text: str, path: str = "", constants: Mapping[str, int | str] | None = None) -> Problem:
    """Read a problem.

    Args:
        text: the text of the file.
        path: the file's name, for messages.
        constants: values for names, which replace the values that the file gives with `let`.

    Raises:
        ProblemError: the text is invalid; the message shows the file, and the line with a caret.
        InputError: the file does not define a given constant.
    """
    text = text.removeprefix("\ufeff")
    if too_long := long_number(text):
        problem, line, column = too_long
        raise ProblemError(problem, text, line, column, path)
    for name, value in (constants or {}).items():
        if isinstance(value, str) and (too_long := long_number(value)):
            raise InputError(f"the value of {clipped(name)} is {too_long[0]}")
    reader = Reader(path=path, given=dict(constants or {}))
    try:
        for statement in statements(text):
            reader.take(statement, text)
    except Fault as wrong:
        raise ProblemError(wrong.problem, text, wrong.line, wrong.column, path) from None
    if reader.is_empty:
        problem = "expected a problem, got a text without agents, fluents and questions"
        raise ProblemError(problem, text, 1, 1, path)
    for name in reader.given:
        check_name("constant of the file", name, reader.names.constants)
    return reader.problem(text)


class Reader(ModelReader):
    """A reader of a whole problem, a statement at a time: the model, then events and questions."""

    def _do(self, node: Tree, indices: Indices) -> None:
        if node.data in _AT_ACTUAL_WORLDS:
            self._needs_actual(_AT_ACTUAL_WORLDS[node.data], one=False)
        if node.data in _OF_AN_AGENT:
            self._needs_actual(f"{node.data.removeprefix('ask_')}?")
        if node.data in _AFTER_THE_MODEL or node.data.startswith("ask_"):
            self.freeze()
        super()._do(node, indices)

    # ---- events -------------------------------------------------------------------------------

    def _announce(self, node: Tree, indices: Indices) -> None:
        stated = self._expansion.formula(node.children[-1], indices)
        words = self._source()
        self._happens(Event(words, (Constraint(stated, words),)))

    def _announce_whether(self, node: Tree, indices: Indices) -> None:
        stated = self._expansion.formula(node.children[-1], indices)
        self.steps.append(Whether(stated, self._source(), self._text, self._place))

    def _show(self, node: Tree, indices: Indices) -> None:
        who, *items = node.children
        agents = self._expansion.agents(who, indices)
        atoms, made = self._observed(items, indices)
        words = self._source()
        fluents = tuple(fluent for fluent, _ in made.values())
        seen = tuple(Observable(atom, words) for atom in atoms)
        event = Event(words, self._defining(made), fluents, dict.fromkeys(agents, seen))
        self._happens(event, values_of(made))

    def _tell(self, node: Tree, indices: Indices) -> None:
        who, body = node.children
        agents = self._expansion.agents(who, indices)
        problem = "only facts can be told to some agents; announce knowledge to all"
        fact, words = self._fact(body, indices, problem), self._source()
        said = self._expansion.written(body, indices)
        name = self._unnamed(f"{' and '.join(agents)} heard: {said}")
        heard = Atom(name)
        event = Event(
            words,
            (Constraint(Implies(heard, fact), words),),
            (Fluent(name),),
            dict.fromkeys(agents, (Observable(heard, words),)),
        )
        self._happens(event, {name: "true"})

    def _change(self, node: Tree, indices: Indices) -> None:
        words = self._source()
        becomes = self._expansion.assigned(node.parts("assignment"), indices, facts=True)
        changes = tuple(Change(one.fluent, one.to, words, total=True) for one in becomes)
        requires = conjunction(one.needs for one in becomes)
        self._happens(Event(words, changes=changes), requires=requires)

    # ---- actions ------------------------------------------------------------------------------

    def _action(self, node: Tree, indices: Indices) -> None:
        name = node.children[0]
        self._new_name(name)
        self.names.actions[str(name)] = self._expansion.block(node, self._statement.text)

    def _perform(self, node: Tree, indices: Indices) -> None:
        self.steps.append(self._done(node.children[0], indices, self._text))

    def _plan(self, node: Tree, indices: Indices) -> None:
        done = tuple(self._done(child, indices, "") for child in node.children)
        self.steps.append(Plan(done, self._text, self._place))

    def _done(self, node: Tree, indices: Indices, text: str) -> Doing:
        """Return the step of an action. From then on, names refer to the situation after it."""
        assert self.now is not None
        term = node.children[0]
        action = self._expansion.action(term, indices, self._source(None if text else term))
        model, name = action.model, action.model.name
        happens = self._expansion.happening(node, indices, action)
        if happens is not None:
            # Only the named event can be the actual event.
            model, name = replace(model, actual=(happens,)), f"{name}: {happens}"
        self.now = self.now.update(model)
        self._renew()
        return Doing(model, text or name, self._place, name, action.needs)

    # ---- questions ----------------------------------------------------------------------------

    def _ask(self, node: Tree, indices: Indices) -> None:
        kind = cast(Kind, node.data.removeprefix("ask_"))
        stated = self._expansion.formula(node.children[-1], indices)
        _, _, asked = self._text.partition("expect" if kind == "expect" else "?")
        self._question(kind, stated, asked=asked.strip())

    def _ask_valid(self, node: Tree, indices: Indices) -> None:
        every = node.part("every")
        if every is None:
            self._ask(node, indices)
            return
        assert self.now is not None
        words = self._source()
        parameters = [Number(str(name), source=words) for name in every.children]
        for name in every.children:
            self._expansion.check_unused(name)
        seen = tuple(Observable(atom, words) for one in parameters for atom in one.atoms)
        with faults_at(node):
            event = Event(words, (), tuple(parameters), dict.fromkeys(self.now.agents, seen))
            vocabulary = self._vocabulary.extended(parameters)
        names = replace(self.names, vocabulary=vocabulary, meanings={})
        inner = ActionExpansion(names, self._statement.text)
        stated = inner.formula(node.children[-1], indices)
        _, _, asked = self._text.partition("?")
        self._question("valid", stated, asked=asked.strip(), parameters=event)

    _ask_true = _ask_where = _ask_goal = _ask_count = _expect = _ask

    def _question(self, kind: Kind, formula: Formula = f.TRUE, **others: Any) -> None:
        self.steps.append(Question(kind, formula, self._text, self._place, **others))

    def _ask_plan(self, node: Tree, indices: Indices) -> None:
        if not self.names.actions:
            raise fault("there is no `action` above from which to make a plan", node)
        goal = self._expansion.formula(node.children[0], indices)
        candidates = tuple(Candidate(each.model, each.needs) for each in self._expansion.actions())
        self._question("plan", goal, candidates=candidates)

    def _ask_protocol(self, node: Tree, indices: Indices) -> None:
        who, body = node.children
        agent = self._expansion.agent(who, indices, "protocol?")
        self._question("protocol", self._expansion.formula(body, indices), agent=agent)

    def _ask_contract(self, node: Tree, indices: Indices) -> None:
        self._question("contract")

    # ---- questions about an agent -------------------------------------------------------------

    def _ask_how(self, node: Tree, indices: Indices) -> None:
        _, who, *given, operand = node.children
        agent = self._expansion.agent(who, indices, "P[...]")
        inner = self._expansion.formula(operand, indices)
        condition = self._expansion.formula(given[0], indices) if given else f.TRUE
        self._question("how", inner, agent=agent, given=condition)

    def _ask_expected(self, node: Tree, indices: Indices) -> None:
        who, body = node.children
        agent = self._expansion.agent(who, indices, "expected?")
        self._question("expected", agent=agent, terms=self._as_sum(body, indices))

    def _as_sum(self, node: Tree, indices: Indices) -> tuple[tuple[int, Formula], ...]:
        """Return a number as a sum: pairs of a constant and the formula under which it counts."""
        thing = self._expansion.thing(node, indices)
        if isinstance(thing, Symbol):
            raise unknown("name", thing.word, self._vocabulary.names, node)
        if isinstance(thing, Open):
            raise fault("a number without bounds has no expected value here", node)
        if isinstance(thing, Formula):
            thing = truth_value(thing)
        try:
            if isinstance(thing, Cases) and len(thing.cases) > _VALUES:
                thing = in_binary(thing)
            if isinstance(thing, Bits):
                digits = ((1 << place, bit) for place, bit in enumerate(thing.bits))
                return ((thing.offset, f.TRUE), *digits)
            return tuple(zip(numbers_of(thing), thing.cases.values(), strict=True))
        except NotANumber as wrong:
            raise fault(f"expected a number, got the value {wrong.args[0]!r}", node) from None

    def _ask_of_items(self, node: Tree, indices: Indices) -> None:
        kind: Kind = "knows" if node.data == "ask_knows" else "entropy"
        who, *items = node.children
        agent = self._expansion.agent(who, indices, f"{kind}?")
        atoms = tuple(self._atoms(items, indices)) if items else None
        self._question(kind, agent=agent, atoms=atoms)

    _ask_knows = _ask_entropy = _ask_of_items

    def _atoms(self, items: Sequence[Tree], indices: Indices) -> Iterator[Atom]:
        """Yield the atoms of these fluents."""
        for at, thing in self._expansion.items(items, indices):
            atoms = atoms_of(thing)
            if atoms is None:
                raise fault("expected fluents or atoms", at)
            yield from atoms

    # ---- texts --------------------------------------------------------------------------------

    def _say(self, node: Tree, indices: Indices) -> None:
        says = self.filled(node.children[0], indices)
        self.steps.append(Remark(says, self._text, self._place))

    # ---- the end ------------------------------------------------------------------------------

    @property
    def is_empty(self) -> bool:
        """True if there are no agents, fluents, events or questions."""
        happens = any(not isinstance(step, Remark) for step in self.steps)
        return not (happens or self.names.agents or self.fluents or self.names.coded)

    def problem(self, text: str = "") -> Problem:
        """Return the problem read so far. Raise `ProblemError` if the model is invalid."""
        try:
            root = self.freeze()
        except InputError as error:
            raise ProblemError(str(error), text, 1, 1, self.path) from error
        coded = {name: digits for name, (_, _, digits) in self.names.coded.items()}
        return Problem(
            root,
            tuple(self.steps),
            self.actual,
            text,
            self.path,
            frozenset(self.hidden),
            coded,
            dict(self.names.written),
            dict(self.unnamed),
            dict(self.titles),
            dict(self.things),
            dict(self.words),
            actual_where=self.actual_where,
            actual_place=self.actual_place,
        )
