"""Reading the questions of a problem file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from symkripke.errors import UnknownName
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.language.scanner import Token
from symkripke.problems.indices import Indices, fault
from symkripke.problems.modelling import ModelReader
from symkripke.problems.problem import Kind, Question, Remark
from symkripke.problems.syntax import Node
from symkripke.problems.values import Bits, Cases, NotANumber, Symbol, in_binary, truth_value

# A number with more possible values than this is asked about digit by digit.
_VALUES = 64


class QuestionReader(ModelReader):
    """Reads questions, and the texts of a file to its reader."""

    def _ask(self, kind: Kind, node: Node, indices: Indices) -> None:
        self.freeze()
        stated = self._expansion.formula(cast(Node, node.children[0]), indices)
        _, _, asked = self._text.partition("expect" if kind == "expect" else "?")
        self.steps.append(Question(kind, stated, self._text, self._place, asked=asked.strip()))

    def _ask_valid(self, node: Node, indices: Indices) -> None:
        self._ask("valid", node, indices)

    def _ask_where(self, node: Node, indices: Indices) -> None:
        self._ask("where", node, indices)

    def _ask_count(self, node: Node, indices: Indices) -> None:
        self._ask("count", node, indices)

    def _ask_true(self, node: Node, indices: Indices) -> None:
        self._needs_actual("true?", one=False)
        self._ask("true", node, indices)

    def _ask_goal(self, node: Node, indices: Indices) -> None:
        self._needs_actual("goal?", one=False)
        self._ask("goal", node, indices)

    def _expect(self, node: Node, indices: Indices) -> None:
        self._needs_actual("expect", one=False)
        self._ask("expect", node, indices)

    def _ask_contract(self, node: Node, indices: Indices) -> None:
        self.freeze()
        self.steps.append(Question("contract", f.TRUE, self._text, self._place))

    # ---- of somebody --------------------------------------------------------------------------

    def _ask_how(self, node: Node, indices: Indices) -> None:
        self._needs_actual("how?")
        self.freeze()
        _, who, *given, operand = node.children
        agent = self._expansion.agent(cast(Node, who), indices, "P[...]")
        inner, *condition = (
            self._expansion.formula(cast(Node, part), indices) for part in (operand, *given)
        )
        step = Question(
            "how",
            inner,
            self._text,
            self._place,
            agent=agent,
            given=condition[0] if condition else f.TRUE,
        )
        self.steps.append(step)

    def _ask_expected(self, node: Node, indices: Indices) -> None:
        self._needs_actual("expected?")
        self.freeze()
        who, body = (cast(Node, child) for child in node.children)
        agent = self._expansion.agent(who, indices, "expected?")
        terms = self._as_sum(body, indices)
        step = Question("expected", f.TRUE, self._text, self._place, agent=agent, terms=terms)
        self.steps.append(step)

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

    def _ask_knows(self, node: Node, indices: Indices) -> None:
        self._ask_of_items("knows", node, indices)

    def _ask_entropy(self, node: Node, indices: Indices) -> None:
        self._ask_of_items("entropy", node, indices)

    def _ask_of_items(self, kind: Kind, node: Node, indices: Indices) -> None:
        self._needs_actual(f"{kind}?")
        self.freeze()
        who, *items = node.children
        agent = self._expansion.agent(cast(Node, who), indices, f"{kind}?")
        atoms = self._atoms(items, indices) if items else None
        step = Question(kind, f.TRUE, self._text, self._place, agent=agent, atoms=atoms)
        self.steps.append(step)

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
