"""From the text of a problem file to a `Problem`.

`read` reads a whole text; a `Reader` takes one statement after another, for a session at a prompt.
README and `symkripke/problems/problem.lark` describe the statements.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

from symkripke.argument_types import explained
from symkripke.errors import (
    InputError,
    ProblemError,
    UnknownName,
    check_name,
    clipped,
    long_number,
)
from symkripke.language import Atom, Formula, Iff, Implies, conjunction, disjunction
from symkripke.language import formulas as f
from symkripke.language import term as written_term
from symkripke.language.walk import is_propositional
from symkripke.model import Change, Constraint, Event, Fluent, Observable, Origin
from symkripke.problems.asking import QuestionReader
from symkripke.problems.indices import Indices, fault
from symkripke.problems.modelling import BOOLEAN, Values, is_value
from symkripke.problems.problem import Problem, Remark, Whether
from symkripke.problems.syntax import Fault, Node, statements
from symkripke.problems.values import Bits, Cases, Symbol, TooMany, in_binary, shown, values


@explained
def read(text: str, path: str = "", constants: Mapping[str, int | str] | None = None) -> Problem:
    """Read a problem.

    Args:
        text: the text of the file.
        path: the file's name, for messages.
        constants: values for names that the file gives with `let`, instead of those given there.

    Raises:
        ProblemError: the text is wrong; shows the file, the line and a caret.
        InputError: a constant is given that the file does not have.
    """
    text = text.removeprefix("\ufeff")
    too_long = long_number(text)
    if too_long is not None:
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


@explained
def read_file(path: str, constants: Mapping[str, int | str] | None = None) -> Problem:
    """Read the problem in a file; raises as `read` does, and `InputError` if there is no such."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"cannot read {path}: it is not a text in UTF-8") from error
    except ValueError as error:  # no name of a file: a null character in it
        raise InputError(f"cannot read {clipped(path)}: {error}") from error
    return read(text, path, constants)


class Reader(QuestionReader):
    """Reads a whole problem, a statement at a time: the model, then what happens and is asked."""

    # ---- what happens -------------------------------------------------------------------------

    def _announce(self, node: Node, indices: Indices) -> None:
        self.freeze()
        label, (body,) = self._labelled(node)
        stated = self._expansion.formula(body, indices)
        words = self._source(label)
        self._happens(Event(words, (Constraint(stated, words),)))

    def _announce_whether(self, node: Node, indices: Indices) -> None:
        self.freeze()
        if self.actual is None:
            raise Fault("`announce whether` needs an actual world: write `actual` before", 1, 1)
        label, (body,) = self._labelled(node)
        stated = self._expansion.formula(body, indices)
        self.steps.append(Whether(stated, self._source(label), self._text, self._place))

    def _show(self, node: Node, indices: Indices) -> None:
        self.freeze()
        who, *items = node.children
        agents = self._expansion.agents(cast(Node, who), indices)
        atoms, made = self._observed(items, indices)
        words = self._source(None)
        law = tuple(
            Constraint(Iff(is_value(fluent, value), case), words)
            for fluent, cases in made.values()
            for value, case in (cases[:1] if fluent.is_boolean else cases)
        )
        seen = tuple(Observable(atom, words) for atom in atoms)
        event = Event(
            words,
            law,
            tuple(fluent for fluent, _ in made.values()),
            dict.fromkeys(agents, seen),
        )
        self._happens(event, {name: cases for name, (_, cases) in made.items()})

    def _tell(self, node: Node, indices: Indices) -> None:
        self.freeze()
        who, body = (cast(Node, child) for child in node.children)
        agents = self._expansion.agents(who, indices)
        told = self._expansion.formula(body, indices)
        if not is_propositional(told):
            raise fault("only facts can be told to some; announce what is known to all", body)
        name, words = self._unused(), self._source(None)
        self.hidden.add(name)
        said = self._expansion.written(body, indices)
        self.unnamed[name] = f"{' and '.join(agents)} heard: {said}"
        heard = Atom(name)
        event = Event(
            words,
            (Constraint(Implies(heard, told), words),),
            (Fluent(name),),
            dict.fromkeys(agents, (Observable(heard, words),)),
        )
        self._happens(event, {name: "true"})

    def _change(self, node: Node, indices: Indices) -> None:
        self.freeze()
        label, assignments = self._labelled(node)
        words = self._source(label)
        changes: dict[str, Change] = {}
        requires: list[Formula] = []
        for assignment in assignments:
            one, body, *rest = (cast(Node, child) for child in assignment.children)
            for here in self._expansion.bound(rest[0].children if rest else (), indices):
                name, arguments, version = self._expansion.term_parts(one, here)
                written = written_term(str(name), arguments)
                if version is not None or written in changes:
                    problem = "twice" if version is None else "as a version of it"
                    raise fault(f"{written} cannot change {problem} in one event", one)
                if written in self.names.coded:
                    new, always = self._becomes_number(written, body, here, words)
                    changes.update(new)
                    requires.append(always)
                    continue
                if written not in self._vocabulary.fluents:
                    known = [known for known in self._vocabulary.fluents if "#" not in known]
                    raise fault(str(UnknownName("fluent", written, known)), name)
                fluent = self._vocabulary.fluents[written]
                to, always = self._becomes(fluent, body, here)
                changes[written] = Change(written, to, words, total=True)
                requires.append(always)
        self._happens(Event(words, changes=tuple(changes.values())), requires=conjunction(requires))

    def _becomes_number(
        self, name: str, body: Node, indices: Indices, words: Origin
    ) -> tuple[dict[str, Change], Formula]:
        """The changes of the digits of a fluent kept in binary, and what must be true for them."""
        low, high, digits = self.names.coded[name]
        thing = self._expansion.thing(body, indices)
        if isinstance(thing, Formula | Symbol):
            raise fault(f"expected a value for {name}, got something else", body)
        number = in_binary(thing)
        always = number.within(low, high)
        if always is f.FALSE:
            raise fault(f"expected a value of {name} ({low}..{high}), got {shown(thing)}", body)
        bits = (*number.plain(), *[f.FALSE] * len(digits))
        changes: dict[str, Change] = {}
        for digit, bit in zip(digits, bits, strict=False):
            known = isinstance(bit, f.Constant)
            to: str | Values = BOOLEAN[bit is f.TRUE] if known else (("true", bit),)
            changes[digit] = Change(digit, to, words, total=True)
        return changes, always

    def _becomes(
        self, fluent: Fluent, body: Node, indices: Indices
    ) -> tuple[str | Values, Formula]:
        """What a fluent becomes, and what must be true so that it becomes something."""
        thing = self._expansion.thing(body, indices)
        if isinstance(thing, Formula) is not fluent.is_boolean:
            wanted = "a formula" if fluent.is_boolean else "a value"
            if not isinstance(thing, Symbol):
                raise fault(f"expected {wanted} for {fluent.name}, got something else", body)
        if isinstance(thing, Formula):
            if not is_propositional(thing):
                raise fault("what a fluent becomes cannot depend on knowledge", body)
            if isinstance(thing, f.Constant):
                return ("true" if thing.value else "false"), f.TRUE
            return (("true", thing),), f.TRUE
        if isinstance(thing, Symbol):
            if thing.word not in fluent.values:
                problem = UnknownName(f"value of {fluent.name}", thing.word, fluent.values)
                raise fault(str(problem), body)
            return thing.word, f.TRUE
        if isinstance(thing, Bits):
            try:
                thing = Cases(values(thing))
            except TooMany:
                raise fault(f"more values than {fluent.name} has", body) from None
        if thing.constant is not None:
            if str(thing.constant) not in fluent.values:
                problem = UnknownName(f"value of {fluent.name}", str(thing.constant), fluent.values)
                raise fault(str(problem), body)
            return str(thing.constant), f.TRUE
        inside = {str(v): case for v, case in thing.cases.items() if str(v) in fluent.values}
        if not inside:
            raise fault(f"none of its values is one of {fluent.name}", body)
        whole = len(inside) == len(thing.cases)
        return tuple(inside.items()), f.TRUE if whole else disjunction(inside.values())

    # ---- the end ------------------------------------------------------------------------------

    @property
    def is_empty(self) -> bool:
        """Whether there are no agents and no fluents, and nothing happens or is asked."""
        happens = any(not isinstance(step, Remark) for step in self.steps)
        return not (happens or self.names.agents or self.fluents or self.names.coded)

    def problem(self, text: str = "") -> Problem:
        """What has been read, as a problem. Raises `ProblemError`."""
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
        )
