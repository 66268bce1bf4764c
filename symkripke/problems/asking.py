"""Reading the questions of a problem file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from symkripke.errors import UnknownName
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.scanner import Token
from symkripke.problems.indices import Indices, fault
from symkripke.problems.modelling import ModelReader
from symkripke.problems.problem import AT_ACTUAL, Kind, Question, Remark
from symkripke.problems.syntax import Node
from symkripke.problems.values import Bits, Cases, NotANumber, Symbol, in_binary, truth_value

# A number with more possible values than this is asked about digit by digit.
_VALUES = 64


class QuestionReader(ModelReader):
    """Reads questions, and the texts of a file to its reader."""

    def _asked(self, kind: Kind, formula: Formula = f.TRUE, **more: Any) -> None:
        self.steps.append(Question(kind, formula, self._text, self._place, **more))

    def _ask(self, node: Node, indices: Indices) -> None:
        kind = cast(Kind, node.data.removeprefix("ask_"))
        word = "expect" if kind == "expect" else f"{kind}?"
        if kind in AT_ACTUAL:
            self._needs_actual(word, one=False)
        self.freeze()
        stated = self._expansion.formula(cast(Node, node.children[0]), indices)
        _, _, asked = self._text.partition("?" if word.endswith("?") else word)
        self._asked(kind, stated, asked=asked.strip())

    _ask_valid = _ask_where = _ask_count = _ask_true = _ask_goal = _expect = _ask

    def _ask_contract(self, node: Node, indices: Indices) -> None:
        self.freeze()
        self._asked("contract")

    # ---- of somebody --------------------------------------------------------------------------

    def _agent(self, node: Node | Token, indices: Indices, kind: Kind, place: str = "") -> str:
        """Return the agent of a question, which is asked at the one actual world."""
        self._needs_actual(f"{kind}?")
        self.freeze()
        return self._expansion.agent(cast(Node, node), indices, place or f"{kind}?")

    def _ask_how(self, node: Node, indices: Indices) -> None:
        _, who, *given, operand = node.children
        agent = self._agent(who, indices, "how", "P[...]")
        inner, *condition = (
            self._expansion.formula(cast(Node, part), indices) for part in (operand, *given)
        )
        self._asked("how", inner, agent=agent, given=condition[0] if condition else f.TRUE)

    def _ask_expected(self, node: Node, indices: Indices) -> None:
        who, body = node.children
        agent = self._agent(who, indices, "expected")
        self._asked("expected", agent=agent, terms=self._as_sum(cast(Node, body), indices))

    def _ask_knows(self, node: Node, indices: Indices) -> None:
        kind = cast(Kind, node.data.removeprefix("ask_"))
        who, *items = node.children
        agent = self._agent(who, indices, kind)
        self._asked(kind, agent=agent, atoms=self._atoms(items, indices) if items else None)

    _ask_entropy = _ask_knows

    def _as_sum(self, node: Node, indices: Indices) -> tuple[tuple[int, Formula], ...]:
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

    def _atoms(self, items: Sequence[Node | Token], indices: Indices) -> tuple[Atom, ...]:
        """The atoms of these fluents."""
        atoms: list[Atom] = []
        for at, thing in self._expansion.items(items, indices):
            match thing:
                case Atom():
                    atoms.append(thing)
                case Cases(cases, str()):
                    atoms += [atom for atom in cases.values() if isinstance(atom, Atom)]
                case Bits(bits, fluent=str()):
                    atoms += [atom for atom in bits if isinstance(atom, Atom)]
                case _:
                    raise fault("expected fluents or atoms", at)
        return tuple(atoms)

    # ---- texts --------------------------------------------------------------------------------

    def _say(self, node: Node, indices: Indices) -> None:
        says = self.filled(cast(Token, node.children[0]), indices)
        self.steps.append(Remark(says, self._text, self._place))
