"""Questions in SMT-LIB 2: Booleans, and quantifiers over them.

(C. Barrett, P. Fontaine, C. Tinelli: The SMT-LIB standard, version 2.6, 2017.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symkripke.engines.nesting import NESTING_LIMIT
from symkripke.errors import BudgetExceeded
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.model import KnowledgeStructure, State
from symkripke.problems.export.clauses import quantifiers
from symkripke.problems.export.quantified import Copy, Node, Quantified, Question, translate

# Text has no sharing: what is longer than this is not written.
_LONGEST = 50_000_000


def smtlib(place: State | KnowledgeStructure, formula: Formula | str) -> str:
    """The question in SMT-LIB 2; its first lines say what "sat" means."""
    question = min(
        (translate(place, formula, truth=truth) for truth in (False, True)),
        key=lambda one: sum(found.universal for found in quantifiers(one.node)),
    )
    answer, other = ("true", "false") if question.truth else ("false", "true")
    free, node = _free(question)
    with NESTING_LIMIT:
        stated = _Text().node(node)
    lines = [
        f"; Is this true {question.where}?",
        f";   {question.asked}",
        f"; sat: it is {answer}; unsat: it is {other}",
        *(f"; world {copy.number}: {copy.says}" for copy in question.copies),
        "(set-logic ALL)",
        *(f"(declare-const {_symbol(atom)} Bool)" for copy in free for atom in copy.own),
        f"(assert {stated})",
        "(check-sat)",
    ]
    return "".join(f"{line}\n" for line in lines)


def _free(question: Question) -> tuple[list[Copy], Node]:
    """The copies that are quantified by "for some" at the very front, and what is left."""
    free = []
    node = question.node
    while isinstance(node, Quantified) and not node.universal:
        free.append(node.copy)
        node = node.body
    return free, node


class _Text:
    """Writes nodes; keeps count of how much."""

    def __init__(self) -> None:
        self._left = _LONGEST

    def node(self, node: Node) -> str:
        if isinstance(node, Formula):
            return self._plain(node)
        if isinstance(node, Quantified):
            body = self.node(node.body)
            if not node.copy.own:
                return body
            bound = " ".join(f"({_symbol(atom)} Bool)" for atom in node.copy.own)
            return self._kept(f"({'forall' if node.universal else 'exists'} ({bound}) {body})")
        return self._list("and" if node.every else "or", map(self.node, node.parts))

    def _plain(self, formula: Formula) -> str:
        parts = [self._plain(part) for part in formula.operands]
        match formula:
            case f.Constant(value):
                return "true" if value else "false"
            case Atom():
                return _symbol(formula)
            case f.Not():
                return self._list("not", parts)
            case f.And():
                return self._list("and", parts)
            case f.Or():
                return self._list("or", parts)
            case f.Implies():
                return self._list("=>", parts)
            case f.Iff():
                return self._list("=", parts)
            case f.Cardinality(relation, bound, _):
                return self._counted(relation, bound, parts)
        raise TypeError(f"one world does not decide {formula}")

    def _counted(self, relation: f.Relation, bound: int, parts: Sequence[str]) -> str:
        """How many of `parts` are true, with Booleans only.

        `ck` says that at least k of the parts so far are; the bindings of a `let` refer to those
        around it, so that each part makes new ones of the old.
        """
        most = bound if relation == "atleast" else bound + 1
        counters = range(1, min(most, len(parts)) + 1)

        def at_least(number: int) -> str:
            if number <= 0:
                return "true"
            return f"c{number}" if number in counters else "false"

        said = {
            "atleast": at_least(bound),
            "atmost": f"(not {at_least(bound + 1)})",
            "exactly": f"(and {at_least(bound)} (not {at_least(bound + 1)}))",
        }[relation]
        if not counters:
            return said
        opening = [f"(let ({' '.join(f'(c{k} false)' for k in counters)}) "]
        for part in parts:
            steps = (f"(c{k} (or c{k} (and {at_least(k - 1)} x)))" for k in counters)
            opening.append(f"(let ((x {part})) (let ({' '.join(steps)}) ")
        return self._kept(f"{''.join(opening)}{said}{')' * (1 + 2 * len(parts))}")

    def _list(self, operator: str, parts: Iterable[str]) -> str:
        return self._kept(f"({operator} {' '.join(parts)})")

    def _kept(self, text: str) -> str:
        self._left -= len(text)
        if self._left < 0:
            raise BudgetExceeded("the question is too long to be written in SMT-LIB")
        return text


def _symbol(atom: Atom) -> str:
    return f"|{atom}|"
