"""From the text of a problem file to a `Problem`.

`read` reads a whole text; a `Reader` takes one statement after another, for a session at a prompt.
README and `symkripke/language/GRAMMAR.md` describe the statements.
"""

from __future__ import annotations

from collections.abc import Mapping

from symkripke.argument_types import explained
from symkripke.errors import (
    InputError,
    ProblemError,
    check_name,
    clipped,
    long_number,
)
from symkripke.files import read_text
from symkripke.language import Atom, Implies, conjunction
from symkripke.language.walk import is_propositional
from symkripke.model import Change, Constraint, Event, Fluent, Observable
from symkripke.problems.acting import ActionReader
from symkripke.problems.asking import QuestionReader
from symkripke.problems.indices import Indices, fault
from symkripke.problems.modelling import values_of
from symkripke.problems.problem import Problem, Remark, Whether
from symkripke.problems.syntax import Fault, Tree, statements


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
    return read(read_text(path), path, constants)


class Reader(QuestionReader, ActionReader):
    """Reads a whole problem, a statement at a time: the model, then what happens and is asked."""

    # ---- what happens -------------------------------------------------------------------------

    def _announce(self, node: Tree, indices: Indices) -> None:
        self.freeze()
        stated = self._expansion.formula(node.children[-1], indices)
        words = self._source()
        self._happens(Event(words, (Constraint(stated, words),)))

    def _announce_whether(self, node: Tree, indices: Indices) -> None:
        self.freeze()
        if self.actual is None and self.actual_where is None:
            raise Fault("`announce whether` needs an actual world: write `actual` before", 1, 1)
        stated = self._expansion.formula(node.children[-1], indices)
        self.steps.append(Whether(stated, self._source(), self._text, self._place))

    def _show(self, node: Tree, indices: Indices) -> None:
        self.freeze()
        who, *items = node.children
        agents = self._expansion.agents(who, indices)
        atoms, made = self._observed(items, indices)
        words = self._source()
        fluents = tuple(fluent for fluent, _ in made.values())
        seen = tuple(Observable(atom, words) for atom in atoms)
        event = Event(words, self._defining(made), fluents, dict.fromkeys(agents, seen))
        self._happens(event, values_of(made))

    def _tell(self, node: Tree, indices: Indices) -> None:
        self.freeze()
        who, body = node.children
        agents = self._expansion.agents(who, indices)
        told = self._expansion.formula(body, indices)
        if not is_propositional(told):
            raise fault("only facts can be told to some; announce what is known to all", body)
        name, words = self._unused(), self._source()
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

    def _change(self, node: Tree, indices: Indices) -> None:
        self.freeze()
        words = self._source()
        becomes = self._expansion.assigned(node.parts("assignment"), indices, facts=True)
        changes = tuple(Change(one.fluent, one.to, words, total=True) for one in becomes)
        requires = conjunction(one.needs for one in becomes)
        self._happens(Event(words, changes=changes), requires=requires)

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
            dict(self.titles),
            dict(self.things),
            dict(self.words),
            actual_where=self.actual_where,
            actual_place=self.actual_place,
        )
