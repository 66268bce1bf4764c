"""The meaning of the assignments in a problem file: `x := x + 1, p := ~p`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias, cast

from symkripke.errors import UnknownName
from symkripke.language import Formula, disjunction
from symkripke.language import formulas as f
from symkripke.language import term as written_term
from symkripke.language.scanner import Token
from symkripke.language.walk import is_propositional
from symkripke.model import Fluent
from symkripke.problems.expansion_knowledge import KnowledgeExpansion
from symkripke.problems.indices import Indices, fault
from symkripke.problems.syntax import Node
from symkripke.problems.values import Bits, Cases, Symbol, TooMany, in_binary, shown, values
from symkripke.records import dataclass

BOOLEAN = ("false", "true")

Values: TypeAlias = tuple[tuple[str, Formula], ...]
"""For each possible value of a fluent the formula under which it is the value."""


@dataclass(frozen=True)
class Becomes:
    """The new value of a fluent.

    Attributes:
        fluent: the fluent; for a number in binary, one of its digits.
        to: the new value, or values with their conditions; for a Boolean fluent, the formula whose
            truth value it gets.
        needs: what must be true so that the fluent gets a value of its domain.
    """

    fluent: str
    to: str | Values
    needs: Formula


class ChangeExpansion(KnowledgeExpansion):
    """Expands the trees of one statement, with assignments."""

    def assigned(
        self, assignments: Iterable[Node | Token], indices: Indices, *, facts: bool
    ) -> tuple[Becomes, ...]:
        """The new values of fluents; with `facts`, they cannot depend on knowledge."""
        changes: list[Becomes] = []
        written: set[str] = set()
        for assignment in assignments:
            one, body, *rest = (cast(Node, child) for child in cast(Node, assignment).children)
            for here in self.bound(rest[0].children if rest else (), indices):
                name, arguments, version = self.term_parts(one, here)
                fluent = written_term(str(name), arguments)
                if version is not None or fluent in written:
                    problem = "twice" if version is None else "as a version of it"
                    raise fault(f"{fluent} cannot change {problem} in one event", one)
                written.add(fluent)
                if fluent in self.names.coded:
                    changes += self._becomes_number(fluent, body, here)
                    continue
                known = self.names.vocabulary.fluents
                if fluent not in known:
                    plain = [other for other in known if "#" not in other]
                    raise fault(str(UnknownName("fluent", fluent, plain)), name)
                changes.append(self._becomes(known[fluent], body, here, facts=facts))
        return tuple(changes)

    def _becomes_number(self, name: str, body: Node, indices: Indices) -> Iterator[Becomes]:
        """The new values of the digits of a fluent kept in binary."""
        low, high, digits = self.names.coded[name]
        thing = self.thing(body, indices)
        if isinstance(thing, Formula | Symbol):
            raise fault(f"expected a value for {name}, got something else", body)
        number = in_binary(thing)
        needs = number.within(low, high)
        if needs is f.FALSE:
            raise fault(f"expected a value of {name} ({low}..{high}), got {shown(thing)}", body)
        bits = (*number.plain(), *[f.FALSE] * len(digits))
        for digit, bit in zip(digits, bits, strict=False):
            known = isinstance(bit, f.Constant)
            to: str | Values = BOOLEAN[bit is f.TRUE] if known else (("true", bit),)
            yield Becomes(digit, to, needs)

    def _becomes(self, fluent: Fluent, body: Node, indices: Indices, *, facts: bool) -> Becomes:
        thing = self.thing(body, indices)
        if isinstance(thing, Formula) is not fluent.is_boolean:
            wanted = "a formula" if fluent.is_boolean else "a value"
            if not isinstance(thing, Symbol):
                raise fault(f"expected {wanted} for {fluent.name}, got something else", body)
        if isinstance(thing, Formula):
            if facts and not is_propositional(thing):
                raise fault("what a fluent becomes cannot depend on knowledge", body)
            if isinstance(thing, f.Constant):
                return Becomes(fluent.name, "true" if thing.value else "false", f.TRUE)
            return Becomes(fluent.name, (("true", thing),), f.TRUE)
        if isinstance(thing, Symbol):
            return Becomes(fluent.name, self._value_of(fluent, thing.word, body), f.TRUE)
        if isinstance(thing, Bits):
            try:
                thing = Cases(values(thing))
            except TooMany:
                raise fault(f"more values than {fluent.name} has", body) from None
        if thing.constant is not None:
            return Becomes(fluent.name, self._value_of(fluent, str(thing.constant), body), f.TRUE)
        if facts and not all(map(is_propositional, thing.cases.values())):
            raise fault("what a fluent becomes cannot depend on knowledge", body)
        inside = {str(v): case for v, case in thing.cases.items() if str(v) in fluent.values}
        if not inside:
            raise fault(f"none of its values is one of {fluent.name}", body)
        whole = len(inside) == len(thing.cases)
        needs = f.TRUE if whole else disjunction(inside.values())
        return Becomes(fluent.name, tuple(inside.items()), needs)

    @staticmethod
    def _value_of(fluent: Fluent, word: str, node: Node) -> str:
        if word not in fluent.values:
            raise fault(str(UnknownName(f"value of {fluent.name}", word, fluent.values)), node)
        return word
