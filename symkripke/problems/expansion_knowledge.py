"""The parts of formulas about agents: groups, knowledge, belief and probabilities."""

from __future__ import annotations

from typing import cast

from symkripke.errors import UnknownName
from symkripke.language import formulas as f
from symkripke.language import operators
from symkripke.problems.expansion import Expansion
from symkripke.problems.indices import Indices, fault, faults_at
from symkripke.problems.syntax import Node, Tree
from symkripke.problems.values import Bits, Cases, Thing


class KnowledgeExpansion(Expansion):
    """Expands the trees of one statement, with knowledge and belief."""

    # ---- agents -------------------------------------------------------------------------------

    def agents(self, node: Node, indices: Indices) -> tuple[str, ...]:
        """The agents that are named; a list's name stands for its members."""
        if node.data == "everybody":
            return self.names.agents
        found: list[str] = []
        for child in node.children:
            body, *each = cast(Node, child).children
            for here in self.bound(cast(Node, each[0]).children if each else (), indices):
                for member in self._members(body, here):
                    if not self.names.vocabulary.is_agent(str(member)):
                        problem = str(UnknownName("agent", str(member), self.names.agents))
                        raise fault(problem, body)
                    found.append(str(member))
        if not found:
            raise fault("expected at least one agent, got none", node)
        return tuple(dict.fromkeys(found))

    def agent(self, node: Node, indices: Indices, what: str) -> str:
        """The one agent that is named."""
        found = self.agents(Tree("agents", [node]) if node.data == "agent" else node, indices)
        with faults_at(node):
            return operators.one_agent(what, found)

    def _modal(self, node: Node, indices: Indices) -> f.Formula:
        sign, who, operand = node.children
        inner = self.formula(cast(Node, operand), indices)
        agents = self.agents(cast(Node, who), indices)
        with faults_at(who):
            return operators.applied(str(sign), agents, inner)

    def _conditional(self, node: Node, indices: Indices) -> f.Formula:
        sign, who, given, operand = node.children
        with faults_at(sign):
            operators.check_given(str(sign))
        agents = self.agents(cast(Node, who), indices)
        condition, inner = (self.formula(cast(Node, part), indices) for part in (given, operand))
        with faults_at(who):
            return operators.conditional(str(sign), agents, inner, condition)

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
        return f.conjunction(self._known_value(agent, at, value) for at, value in found)

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
        agent = self.agent(cast(Node, who), indices, "P[...]")
        inner, *condition = (self.formula(cast(Node, part), indices) for part in (operand, *given))
        sign, written = (str(cast(Node, part).children[0]) for part in (relation, bound))
        with faults_at(cast(Node, bound).children[0]):
            return operators.probability(agent, inner, sign, written, *condition)
