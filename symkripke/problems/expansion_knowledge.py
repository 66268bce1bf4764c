"""What the formulas of a problem file say about agents: groups, knowledge, belief, chances."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import cast

from lark import Token, Tree

from symkripke.errors import InputError, UnknownName
from symkripke.language import formulas as f
from symkripke.problems.expansion import Expansion
from symkripke.problems.indices import Indices, fault
from symkripke.problems.syntax import Node
from symkripke.problems.values import Bits, Cases, Thing

_SINGLE: dict[str, Callable[[str, f.Formula], f.Formula]] = {
    "K": f.K,
    "M": f.M,
    "Kw": f.Kw,
    "B": f.B,
}
_GROUP: dict[str, Callable[[tuple[str, ...], f.Formula], f.Formula]] = {
    "E": f.E,
    "D": f.D,
    "C": f.C,
    "EB": f.EB,
    "CB": f.CB,
}


class KnowledgeExpansion(Expansion):
    """Works out the trees of one statement, with what agents know and believe."""

    # ---- agents -------------------------------------------------------------------------------

    def agents(self, node: Node, indices: Indices) -> tuple[str, ...]:
        """The agents that are named; a list's name stands for its members."""
        if node.data == "everybody":
            return self.names.agents
        found: list[str] = []
        for child in node.children:
            body, *each = cast(Node, child).children
            for here in self.bound(cast(Node, each[0]).children if each else (), indices):
                for one in self._members(body, here):
                    if str(one) not in self.names.agents:
                        problem = str(UnknownName("agent", str(one), self.names.agents))
                        raise fault(problem, body)
                    found.append(str(one))
        if not found:
            raise fault("expected at least one agent, got none", node)
        return tuple(dict.fromkeys(found))

    def agent(self, node: Node, indices: Indices, what: str) -> str:
        """The one agent that is named."""
        found = self.agents(Tree("agents", [node]) if node.data == "agent" else node, indices)
        if len(found) != 1:
            raise fault(f"{what} takes one agent, got {len(found)}", node)
        return found[0]

    def _modal(self, node: Node, indices: Indices) -> f.Formula:
        sign, who, operand = node.children
        inner = self.formula(cast(Node, operand), indices)
        if sign in _SINGLE:
            return _SINGLE[str(sign)](self.agent(cast(Node, who), indices, f"{sign}[...]"), inner)
        return _GROUP[str(sign)](self.agents(cast(Node, who), indices), inner)

    def _conditional(self, node: Node, indices: Indices) -> f.Formula:
        sign, who, given, operand = node.children
        if sign != "B":
            able = "only B[... | ...] and P[... | ...] can have something given"
            problem = f"{able}, got {sign}[... | ...]"
            raise fault(problem, cast(Token, sign))
        agent = self.agent(cast(Node, who), indices, "B[...]")
        condition, inner = (self.formula(cast(Node, one), indices) for one in (given, operand))
        return f.B(agent, inner, condition)

    def _knows_value(self, node: Node, indices: Indices) -> f.Formula:
        _, who, values = node.children
        agent = self.agent(cast(Node, who), indices, "Kv[...]")
        parts = cast(Node, values).children
        if cast(Node, values).data == "one_value":
            found: list[tuple[Node, Thing]] = [
                (cast(Node, parts[0]), self._term(cast(Node, parts[0]), indices))
            ]
        else:
            found = list(self.items(parts, indices))
        if not found:
            raise fault("expected at least one fluent after Kv, got none", node)
        return f.conjunction(self._known_value(agent, at, one) for at, one in found)

    def _known_value(self, agent: str, node: Node, found: Thing) -> f.Formula:
        match found:
            case Cases(_, str() as fluent):
                return f.Kv(agent, fluent)
            case Bits(bits, fluent=str()):
                return f.Kv(agent, [atom.fluent for atom in bits if isinstance(atom, f.Atom)])
            case Bits(bits):
                return f.conjunction(f.Kw(agent, bit) for bit in bits)
            case Cases(cases):
                return f.conjunction(f.Kw(agent, case) for case in cases.values())
            case f.Formula():
                return f.Kw(agent, found)
        raise fault(str(self._unknown(found.word)), node)

    def _probability(self, node: Node, indices: Indices) -> f.Formula:
        _, who, *given, operand, relation, bound = node.children
        token = cast(Token, cast(Node, bound).children[0])
        sign = str(cast(Node, relation).children[0])
        try:
            number = Fraction(str(token).replace(" ", ""))
            return f.P(
                self.agent(cast(Node, who), indices, "P[...]"),
                self.formula(cast(Node, operand), indices),
                cast(f.Comparison, sign),
                number,
                *(self.formula(cast(Node, one), indices) for one in given),
            )
        except ZeroDivisionError:
            raise fault("a fraction cannot have the denominator 0", token) from None
        except InputError as error:
            raise fault(str(error), token) from None

    _probability_given = _probability

    # ---- announcements ---------------------------------------------------------------------

    def _announced(self, node: Node, indices: Indices) -> f.Formula:
        return f.Announced(*self._children(node, indices))

    def _announced_true(self, node: Node, indices: Indices) -> f.Formula:
        return f.AnnouncedTrue(*self._children(node, indices))
