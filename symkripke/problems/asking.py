"""Reading the questions of a problem file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from symkripke.errors import UnknownName
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.problems.indices import Indices, fault
from symkripke.problems.modelling import ModelReader
from symkripke.problems.problem import AT_ACTUAL, Kind, Question, Remark
from symkripke.problems.syntax import Tree
from symkripke.problems.values import (
    Bits,
    Cases,
    NotANumber,
    Symbol,
    atoms_of,
    in_binary,
    truth_value,
)

# A number with more possible values than this is asked about digit by digit.
_VALUES = 64


class QuestionReader(ModelReader):
    """Reads questions, and the texts of a file to its reader."""

    def _ask(self, node: Tree, indices: Indices) -> None:
        kind = cast(Kind, node.data.removeprefix("ask_"))
        if kind in AT_ACTUAL:
            self._needs_actual("expect" if kind == "expect" else f"{kind}?", one=False)
        self.freeze()
        stated = self._expansion.formula(node.children[0], indices)
        _, _, asked = self._text.partition("expect" if kind == "expect" else "?")
        self._question(kind, stated, asked=asked.strip())

    _ask_valid = _ask_true = _ask_where = _ask_goal = _ask_count = _expect = _ask

    def _question(self, kind: Kind, formula: Formula = f.TRUE, **others: Any) -> None:
        self.steps.append(Question(kind, formula, self._text, self._place, **others))

    def _ask_contract(self, node: Tree, indices: Indices) -> None:
        self.freeze()
        self._question("contract")

    # ---- of somebody --------------------------------------------------------------------------

    def _ask_how(self, node: Tree, indices: Indices) -> None:
        self._needs_actual("how?")
        self.freeze()
        _, who, *given, operand = node.children
        agent = self._expansion.agent(who, indices, "P[...]")
        inner = self._expansion.formula(operand, indices)
        condition = self._expansion.formula(given[0], indices) if given else f.TRUE
        self._question("how", inner, agent=agent, given=condition)

    def _ask_expected(self, node: Tree, indices: Indices) -> None:
        self._needs_actual("expected?")
        self.freeze()
        who, body = node.children
        agent = self._expansion.agent(who, indices, "expected?")
        self._question("expected", agent=agent, terms=self._as_sum(body, indices))

    def _as_sum(self, node: Tree, indices: Indices) -> tuple[tuple[int, Formula], ...]:
        """A number as a sum of constants, each of which counts where its formula is true."""
        found = self._expansion.thing(node, indices)
        if isinstance(found, Symbol):
            raise fault(str(UnknownName("name", found.word, self._vocabulary.names)), node)
        if isinstance(found, Formula):
            found = truth_value(found)
        try:
            if isinstance(found, Cases) and len(found.cases) > _VALUES:
                found = in_binary(found)
            if isinstance(found, Bits):
                digits = ((1 << place, bit) for place, bit in enumerate(found.bits))
                return ((found.offset, f.TRUE), *digits)
            values = []
            for value, case in found.cases.items():
                if not isinstance(value, int):
                    raise NotANumber(value)
                values.append((value, case))
            return tuple(values)
        except NotANumber as wrong:
            raise fault(f"expected a number, got the value {wrong.args[0]!r}", node) from None

    def _ask_of_items(self, node: Tree, indices: Indices) -> None:
        kind: Kind = "knows" if node.data == "ask_knows" else "entropy"
        self._needs_actual(f"{kind}?")
        self.freeze()
        who, *items = node.children
        agent = self._expansion.agent(who, indices, f"{kind}?")
        atoms = tuple(self._atoms(items, indices)) if items else None
        self._question(kind, agent=agent, atoms=atoms)

    _ask_knows = _ask_entropy = _ask_of_items

    def _atoms(self, items: Sequence[Tree], indices: Indices) -> Iterator[Atom]:
        """The atoms of these fluents."""
        for at, thing in self._expansion.items(items, indices):
            atoms = atoms_of(thing)
            if atoms is None:
                raise fault("expected fluents or atoms", at)
            yield from atoms

    # ---- texts --------------------------------------------------------------------------------

    def _say(self, node: Tree, indices: Indices) -> None:
        says = self.filled(node.children[0], indices)
        self.steps.append(Remark(says, self._text, self._place))
