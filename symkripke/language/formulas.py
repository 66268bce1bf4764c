r"""Formulas of epistemic logic: immutable, interned, compared by identity.

Equal formulas are the same object, so that equality, hashing and memoisation are cheap, and a
formula is a graph in which every subformula occurs once. Each class below is an operator, and its
docstring is the definition. Build formulas with the classes, with Python's operators (`~p`,
`p & q`, `p | q`, `p >> q`), or from text (`symkripke.language.parse`). `parse(str(f))` is `f`. To
read a constraint on numbers (`Linear`), it needs the vocabulary of the numbers.

The class of an operator states its symbol, whether it takes one agent or a group, whether it is
about belief, its dual, its meaning after an announcement, and its definition if it has one. To add
an operator with a definition, add its class here and list it in `OPERATORS`.

Notation, with s the actual world and s ~i t for "agent i cannot tell s from t":

    K[i] f    i knows f: f holds at every t with s ~i t          M[i] f = ~K[i] ~f
    Kw[i] f   i knows whether f: K[i] f | K[i] ~f
    Kv[i] x   i knows the value of x (or of (x, y, ...)): it is the same at all t with s ~i t
    E[G] f    everybody in G knows f
    D[G] f    f holds at every t that no member of G can tell from s (the group knows f together)
    C[G] f    f holds at every world reachable by any number of steps of members of G
    B[i] f    i believes f: f holds at the most plausible of the t with s ~i t
    B[i | a] f    given a, i believes f: f holds at the most plausible of the t with s ~i t and a
    EB[G] f   everybody in G believes f
    CB[G] f   f holds at every world reachable by one or more steps of members of G, where a member
              steps from a world to the most plausible of the worlds it cannot tell from it
    P[i](f) >= q    the worlds with f have a share of at least q of the weight of all t with s ~i t
    [!a] f    if a is true, then f holds after a has been announced to all
    <!a> f    a is true, and f holds after a has been announced to all
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import IntEnum
from fractions import Fraction
from itertools import count
from typing import Any, ClassVar, Final, Literal, NamedTuple, Protocol, Self, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from symkripke.argument_types import described, unexpected
from symkripke.errors import InputError
from symkripke.language import linear as linear_rows
from symkripke.language.linear import Row, Sum
from symkripke.language.names import Name
from symkripke.limits import LOOK_EVERY, look, need

_interned: WeakValueDictionary[tuple[Any, ...], Formula] = WeakValueDictionary()
_lock = threading.Lock()

_made = count()
"""A rough count of the formulas created; limits are checked at intervals of this count."""

T = TypeVar("T")


class Binding(IntEnum):
    """The precedence of an operator; an operand of lower precedence is put in parentheses."""

    IFF = 0
    IMPLIES = 1
    OR = 2
    AND = 3
    PREFIX = 4
    PRIMARY = 5


class Written(NamedTuple):
    """The text of a formula, with the precedence of its outermost operator."""

    text: str
    binding: Binding

    def within(self, binding: Binding) -> str:
        """Return the text as an operand of an operator of this precedence."""
        return self.text if self.binding >= binding else f"({self.text})"


# The length in characters from which joining texts checks the limit on memory.
_LONG_TEXT = 100_000

Cases: TypeAlias = Callable[[str], "tuple[Formula, ...]"]
"""A function from a fluent to the formulas "it has this value", for each value."""


class Formula:
    """A formula; the base of all operators.

    Attributes:
        propositional: whether it has no modal operator, so that one world decides it. Computed when
            the formula is created, because every part of every law needs it.
    """

    __slots__ = ("__weakref__", "propositional")
    propositional: bool
    __match_args__: ClassVar[tuple[str, ...]] = ()
    _kinds: ClassVar[tuple[tuple[type, bool], ...]] = ()
    """For each field, its type (for a tuple, the type of its entries) and whether it is a tuple."""
    _is_boolean: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._kinds = tuple((_KINDS.get(name, object), name in _ROWS) for name in cls.__match_args__)

    @classmethod
    def _intern(cls, *fields: Any) -> Self:
        """Return the formula of this class with these fields, created if it does not exist yet."""
        key = (cls, *fields)
        try:
            formula = _interned.get(key)
        except TypeError:  # a field is unhashable
            cls._check_fields(fields)
            raise
        if formula is None:
            fields = cls._check_fields(fields)
            key = (cls, *fields)
            if not next(_made) % LOOK_EVERY:
                look()
            with _lock:
                formula = _interned.get(key)
                if formula is None:
                    formula = object.__new__(cls)
                    for name, value in zip(cls.__match_args__, fields, strict=True):
                        object.__setattr__(formula, name, value)
                    plain = cls._is_boolean and all([o.propositional for o in formula.operands])
                    object.__setattr__(formula, "propositional", plain)
                    _interned[key] = formula
        return formula  # type: ignore[return-value]  # the key holds the class

    @classmethod
    def _check_fields(cls, fields: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the fields to store; raise `InputError` for a field of a wrong type."""
        for value, (kind, is_row) in zip(fields, cls._kinds, strict=True):
            if not is_row:
                if not isinstance(value, kind):
                    raise _wrong_field(cls, kind, value)
                continue
            if type(value) is not tuple:
                raise unexpected(f"a tuple in {cls.__name__}(...)", value)
            for part in value:
                if not isinstance(part, kind):
                    raise _wrong_field(cls, kind, part)
        return fields

    @property
    def operands(self) -> tuple[Formula, ...]:
        """The direct subformulas, in order."""
        return ()

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        """Return the formula with its operands replaced by the same number of other operands."""
        return self

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"formulas are immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"formulas are immutable: cannot delete {name!r}")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (_pickled(self),)

    def written(self, parts: tuple[Written, ...]) -> Written:
        """Return the text of the formula, given the texts of its operands."""
        raise NotImplementedError

    def __str__(self) -> str:
        return fold(self, _written).text

    def __repr__(self) -> str:
        return f"parse({str(self)!r})"

    def __invert__(self) -> Formula:
        return negation(self)

    def __and__(self, other: Formula) -> Formula:
        return conjunction((self, other))

    def __or__(self, other: Formula) -> Formula:
        return disjunction((self, other))

    def __rshift__(self, other: Formula) -> Formula:
        return Implies(self, other)


def _written(formula: Formula, parts: tuple[Written, ...]) -> Written:
    """Return the text of a formula, checking the memory: shared parts can make it very long."""
    if len(parts) > 1 and (size := sum(len(part.text) for part in parts)) > _LONG_TEXT:
        need(2 * size)  # the text, and a longer text that contains it
    return formula.written(parts)


_ROWS: Final = frozenset(("operands", "group", "fluents"))
"""The fields that are tuples."""

_KINDS: Final[Mapping[str, type]] = {
    **dict.fromkeys(("operand", "operands", "left", "right", "given"), Formula),
    **dict.fromkeys(("agent", "group", "fluent", "fluents"), str),
    "row": Row,
}
"""The types of fields by name; for tuples, the types of their entries."""


def _wrong_field(operator: type[Formula], kind: type, given: object) -> InputError:
    wanted = "formulas" if kind is Formula else "names"
    return InputError(f"expected {wanted} in {operator.__name__}(...), got {described(given)}")


def _row(parts: Iterable[T], wanted: str) -> tuple[T, ...]:
    """Return the parts as a tuple; raise `InputError` if they are not iterable."""
    try:
        return tuple(parts)
    except TypeError:
        if isinstance(parts, Iterable):
            raise
        raise unexpected(wanted, parts) from None


def fold(
    formula: Formula,
    visit: Callable[[Formula, tuple[T, ...]], T],
    known: Callable[[Formula], T | None] | None = None,
) -> T:
    """Compute a result bottom-up by `visit(subformula, results of operands)`, without recursion.

    Each subformula is visited once. If `known` returns a result other than None, that result
    replaces the result of `visit`, and the operands are not visited.
    """
    results: dict[Formula, T] = {}
    stack = [formula]
    visited = 0
    while stack:
        current = stack[-1]
        if current in results:
            stack.pop()
            continue
        operands = current.operands
        missing = [part for part in operands if part not in results]
        if missing and known is not None:
            at_once = known(current)
            if at_once is not None:
                results[current] = at_once
                continue
        inner = []
        for part in missing:
            if part.operands:
                inner.append(part)
            elif part not in results:
                results[part] = visit(part, ())
        if inner:
            stack.extend(reversed(inner))
            continue
        if not visited % LOOK_EVERY:
            look()
        visited += 1
        stack.pop()
        results[current] = visit(current, tuple([results[part] for part in operands]))
    return results[formula]


class _PickledRow(NamedTuple):
    """A formula in a pickle: its class and fields, with row numbers for operands."""

    kind: type[Formula]
    fields: tuple[Any, ...]


class _Place(int):
    """The row number of an operand."""


def _pickled(formula: Formula) -> list[_PickledRow]:
    """Return the formula as rows, operands first, so that reading them needs no recursion."""
    rows: list[_PickledRow] = []

    def visit(current: Formula, places: tuple[_Place, ...]) -> _Place:
        place = dict(zip(current.operands, places, strict=True))
        # A formula in a field that is not an operand is `true`, the empty condition.

        def field(value: Any) -> Any:
            if isinstance(value, Formula):
                return place.get(value, value)
            if isinstance(value, tuple):
                return tuple(map(field, value))
            return value

        fields = tuple(field(getattr(current, name)) for name in current.__match_args__)
        rows.append(_PickledRow(type(current), fields))
        return _Place(len(rows) - 1)

    fold(formula, visit)
    return rows


def _unpickled(rows: list[_PickledRow]) -> Formula:
    formulas: list[Formula] = []

    def field(value: Any) -> Any:
        if isinstance(value, _Place):
            return formulas[value]
        return tuple(map(field, value)) if isinstance(value, tuple) else value

    for kind, fields in rows:
        formulas.append(kind._intern(*map(field, fields)))
    return formulas[-1]


class Constant(Formula):
    """`true` or `false`."""

    __slots__ = ("value",)
    __match_args__ = ("value",)
    value: bool

    def __new__(cls, value: bool) -> Self:
        if not isinstance(value, bool):
            raise unexpected("True or False", value)
        return cls._intern(value)

    def written(self, parts: tuple[Written, ...]) -> Written:
        return Written("true" if self.value else "false", Binding.PRIMARY)


TRUE: Final = Constant(True)
FALSE: Final = Constant(False)


class Atom(Formula):
    """`fluent = value`: the fluent (a name such as `location(rope)`) has that value.

    A Boolean fluent's atom has the value "true" and is written as the fluent alone.
    """

    __slots__ = ("fluent", "value")
    __match_args__ = ("fluent", "value")
    fluent: Name
    value: str

    def __new__(cls, fluent: str, value: str = "true") -> Self:
        return cls._intern(fluent, value)

    @classmethod
    def _check_fields(cls, fields: tuple[Any, ...]) -> tuple[Any, ...]:
        for field in fields:
            if not isinstance(field, str):
                raise _wrong_field(cls, str, field)
        fluent, value = fields
        return Name.of(fluent), value

    def written(self, parts: tuple[Written, ...]) -> Written:
        text = self.fluent if self.value == "true" else f"{self.fluent} = {self.value}"
        return Written(text, Binding.PRIMARY)


class Linear(Formula):
    """A linear constraint on numbers, such as `x + 2 * y <= 5`. Use `linear`."""

    __slots__ = ("row",)
    __match_args__ = ("row",)
    row: Row

    def __new__(cls, row: Row) -> Self:
        return cls._intern(row)

    def written(self, parts: tuple[Written, ...]) -> Written:
        return Written(str(self.row), Binding.PRIMARY)


def linear(total: Sum, relation: linear_rows.Relation, modulus: int = 0) -> Formula:
    """Return the constraint `total relation 0`, or a constant if it is always true or false."""
    row = linear_rows.row(total, relation, modulus)
    return Constant(row) if isinstance(row, bool) else Linear(row)


_SIGNS: Final[Mapping[str, tuple[linear_rows.Relation, int]]] = {
    "<": ("<", 1),
    "<=": ("<=", 1),
    ">": ("<", -1),
    ">=": ("<=", -1),
    "=": ("=", 1),
}
"""For each comparison, the relation of a row, and the sign of the difference of the sides."""


def compared(left: Sum, sign: str, right: Sum) -> Formula:
    """Return the constraint of a comparison by `=`, `<`, `<=`, `>` or `>=`."""
    relation, factor = _SIGNS[sign]
    return linear(left.plus(right, -1).times(factor), relation)


class _Unary(Formula):
    __slots__ = ()
    operand: Formula

    @property
    def operands(self) -> tuple[Formula, ...]:
        return (self.operand,)


class _Binary(Formula):
    __slots__ = ("left", "right")
    __match_args__ = ("left", "right")
    left: Formula
    right: Formula

    def __new__(cls, left: Formula, right: Formula) -> Self:
        return cls._intern(left, right)

    @property
    def operands(self) -> tuple[Formula, ...]:
        return (self.left, self.right)

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        return type(self)(*operands)


class Not(_Unary):
    """`~f`. Use `negation`, which removes a double negation."""

    __slots__ = ("operand",)
    __match_args__ = ("operand",)

    def __new__(cls, operand: Formula) -> Self:
        return cls._intern(operand)

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        return negation(operands[0])

    def written(self, parts: tuple[Written, ...]) -> Written:
        atom = self.operand
        if isinstance(atom, Atom) and atom.value != "true":
            return Written(f"{atom.fluent} != {atom.value}", Binding.PRIMARY)
        if isinstance(atom, Linear) and atom.row.relation in ("=", "|"):
            return Written(" != ".join(parts[0].text.rsplit(" = ", 1)), Binding.PRIMARY)
        return Written(f"~{parts[0].within(Binding.PREFIX)}", Binding.PREFIX)


class _Row(Formula):
    """Two or more operands with an infix symbol between them."""

    __slots__ = ("operands",)
    __match_args__ = ("operands",)
    _sign: ClassVar[str]
    _binding: ClassVar[Binding]
    operands: tuple[Formula, ...]

    def __new__(cls, operands: tuple[Formula, ...]) -> Self:
        return cls._intern(operands)

    def written(self, parts: tuple[Written, ...]) -> Written:
        tighter = Binding(self._binding + 1)
        text = self._sign.join(part.within(tighter) for part in parts)
        return Written(text, self._binding)


class And(_Row):
    """`f & g & ...` with two or more operands. Use `conjunction`, which flattens."""

    __slots__ = ()
    _sign = " & "
    _binding = Binding.AND

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        return conjunction(operands)


class Or(_Row):
    """`f | g | ...` with two or more operands. Use `disjunction`, which flattens."""

    __slots__ = ()
    _sign = " | "
    _binding = Binding.OR

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        return disjunction(operands)


class Implies(_Binary):
    """`f -> g`, which associates to the right."""

    __slots__ = ()

    def written(self, parts: tuple[Written, ...]) -> Written:
        left, right = parts[0].within(Binding.OR), parts[1].within(Binding.IMPLIES)
        return Written(f"{left} -> {right}", Binding.IMPLIES)


class Iff(_Binary):
    """`f <-> g`, which associates to the left."""

    __slots__ = ()

    def written(self, parts: tuple[Written, ...]) -> Written:
        left, right = parts[0].within(Binding.IFF), parts[1].within(Binding.IMPLIES)
        return Written(f"{left} <-> {right}", Binding.IFF)


Relation: TypeAlias = Literal["atleast", "atmost", "exactly"]


class Cardinality(Formula):
    """`atleast(k; f, ...)`, `atmost(...)`, `exactly(...)`: a bound on the number of true parts."""

    __slots__ = ("bound", "operands", "relation")
    __match_args__ = ("relation", "bound", "operands")
    relation: Relation
    bound: int
    operands: tuple[Formula, ...]

    def __new__(cls, relation: Relation, bound: int, operands: Iterable[Formula]) -> Self:
        if relation not in ("atleast", "atmost", "exactly"):
            raise InputError(f"expected atleast, atmost or exactly, got {relation!r}")
        if not isinstance(bound, int):
            raise unexpected("a whole number as a bound", bound)
        if bound < 0:
            raise InputError(f"expected a bound of 0 or more, got {bound}")
        return cls._intern(relation, bound, _row(operands, "several formulas"))

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        return Cardinality(self.relation, self.bound, operands)

    def written(self, parts: tuple[Written, ...]) -> Written:
        counted = ", ".join(part.text for part in parts)
        return Written(f"{self.relation}({self.bound}; {counted})", Binding.PRIMARY)


class Modal(Formula):
    """An operator whose truth depends on more than one world; the base of all modal operators.

    Attributes:
        symbol: the letters before the brackets, `K` in `K[i] f`; empty for announcements.
        title: the words in a menu, "knows that" after an agent or "everybody knows" for a group;
            empty for operators that the menus leave out.
        of_belief: whether it is about belief.
        individual: whether its truth depends only on the observations of each of its agents.
        is_box: whether it quantifies over all worlds of a kind. After an announcement of a, only
            the worlds with a count: `K[i] f` becomes `K[i] (a -> f)`.
        is_written_out: whether its definition replaces it before an engine sees it. Engines
            implement all other operators.
    """

    __slots__ = ()
    _is_boolean = False
    symbol: ClassVar[str] = ""
    title: ClassVar[str] = ""
    of_belief: ClassVar[bool] = False
    individual: ClassVar[bool] = False
    is_box: ClassVar[bool] = False
    is_written_out: ClassVar[bool] = False

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents in the brackets."""
        return ()

    def definition(self, cases: Cases) -> Formula | None:
        """Return an equivalent formula of more basic operators; None if the operator is basic.

        Args:
            cases: a function that returns the cases of a fluent, for operators about values.
        """
        return None

    def _before(self, text: str, given: str = "") -> Written:
        """Return the text of the operator with its agents and its condition, then `text`."""
        condition = f" | {given}" if given else ""
        written = f"{self.symbol}[{', '.join(self.agents)}{condition}]{text}"
        return Written(written, Binding.PREFIX)

    def relativised(self, announced: Formula) -> Formula | None:
        """Return the formula relativised to the worlds with `announced`.

        The operands have been relativised already. The result is None if the definition must be
        relativised instead, or if there is no such formula.
        """
        if not self.is_box:
            return None
        return self.rebuild(tuple(Implies(announced, part) for part in self.operands))


class _OfAgent(Modal):
    """An operator of one agent."""

    __slots__ = ()
    agent: str

    @property
    def agents(self) -> tuple[str, ...]:
        return (self.agent,)


class AgentOperator(_Unary, _OfAgent):
    """An operator of one agent over one formula: `K[i] f`.

    Attributes:
        dual: the operator with dual[i] f equivalent to ~op[i] ~f; None if there is none.
    """

    __slots__ = ("agent", "operand")
    __match_args__ = ("agent", "operand")
    dual: ClassVar[type[AgentOperator] | None] = None

    def __new__(cls, agent: str, operand: Formula) -> Self:
        return cls._intern(agent, operand)

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        return type(self)(self.agent, operands[0])

    def written(self, parts: tuple[Written, ...]) -> Written:
        return self._before(f" {parts[0].within(Binding.PREFIX)}")


class K(AgentOperator):
    """`K[i] f`: agent i knows f."""

    __slots__ = ()
    symbol = "K"
    title = "knows that"
    individual = True
    is_box = True


class M(AgentOperator):
    """`M[i] f`: agent i considers f possible."""

    __slots__ = ()
    symbol = "M"
    title = "considers it possible that"
    individual = True

    def definition(self, cases: Cases) -> Formula:
        return negation(K(self.agent, negation(self.operand)))

    def relativised(self, announced: Formula) -> Formula:
        return M(self.agent, announced & self.operand)


K.dual, M.dual = M, K


class Kw(AgentOperator):
    """`Kw[i] f`: agent i knows whether f."""

    __slots__ = ()
    symbol = "Kw"
    title = "knows whether"
    individual = True

    def definition(self, cases: Cases) -> Formula:
        return K(self.agent, self.operand) | K(self.agent, negation(self.operand))


class B(_OfAgent):
    """`B[i] f`: agent i believes f; `B[i | a] f`: given a, agent i believes f.

    Its operands are f and a (`true` without a condition).
    """

    __slots__ = ("agent", "given", "operand")
    __match_args__ = ("agent", "operand", "given")
    symbol = "B"
    title = "believes that"
    of_belief = True
    individual = True
    operand: Formula
    given: Formula

    def __new__(cls, agent: str, operand: Formula, given: Formula = TRUE) -> Self:
        return cls._intern(agent, operand, given)

    @property
    def operands(self) -> tuple[Formula, ...]:
        return (self.operand, self.given)

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        return B(self.agent, *operands)

    def relativised(self, announced: Formula) -> Formula:
        return B(self.agent, self.operand, announced & self.given)

    def written(self, parts: tuple[Written, ...]) -> Written:
        given = "" if self.given is TRUE else parts[1].text
        return self._before(f" {parts[0].within(Binding.PREFIX)}", given)


class Kv(_OfAgent):
    """`Kv[i] x` or `Kv[i] (x, y, ...)`: agent i knows the value of these fluents."""

    __slots__ = ("agent", "fluents")
    __match_args__ = ("agent", "fluents")
    symbol = "Kv"
    individual = True
    fluents: tuple[Name, ...]

    def __new__(cls, agent: str, fluents: Iterable[str]) -> Self:
        names = (fluents,) if isinstance(fluents, str) else _row(fluents, "names of fluents")
        if not names:
            raise InputError("expected at least one fluent after Kv, got none")
        return cls._intern(agent, names)

    @classmethod
    def _check_fields(cls, fields: tuple[Any, ...]) -> tuple[Any, ...]:
        agent, names = super()._check_fields(fields)
        return agent, tuple(map(Name.of, names))

    def definition(self, cases: Cases) -> Formula:
        return conjunction(
            disjunction(K(self.agent, case) for case in cases(fluent)) for fluent in self.fluents
        )

    def written(self, parts: tuple[Written, ...]) -> Written:
        names = self.fluents[0] if len(self.fluents) == 1 else f"({', '.join(self.fluents)})"
        return self._before(f" {names}")


class GroupOperator(_Unary, Modal):
    """An operator of a group over one formula: `C[i, j] f`."""

    __slots__ = ("group", "operand")
    __match_args__ = ("group", "operand")
    group: tuple[str, ...]

    def __new__(cls, group: Iterable[str], operand: Formula) -> Self:
        named = (group,) if isinstance(group, str) else _row(group, "names of agents")
        if not named:
            raise InputError("expected at least one agent in the group, got none")
        try:
            members = tuple(dict.fromkeys(named))
        except TypeError:  # an unhashable object is not a name
            members = named
        return cls._intern(members, operand)

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        return type(self)(self.group, operands[0])

    @property
    def agents(self) -> tuple[str, ...]:
        return self.group

    def written(self, parts: tuple[Written, ...]) -> Written:
        return self._before(f" {parts[0].within(Binding.PREFIX)}")


class E(GroupOperator):
    """`E[i, j, ...] f`: everybody in the group knows f."""

    __slots__ = ()
    symbol = "E"
    title = "everybody knows"
    individual = True
    is_box = True

    def definition(self, cases: Cases) -> Formula:
        return conjunction(K(agent, self.operand) for agent in self.group)


class D(GroupOperator):
    """`D[i, j, ...] f`: the group knows f from all observations of its members together."""

    __slots__ = ()
    symbol = "D"
    title = "all together know"
    is_box = True


class C(GroupOperator):
    """`C[i, j, ...] f`: f is common knowledge in the group."""

    __slots__ = ()
    symbol = "C"
    title = "it is common knowledge"


class EB(GroupOperator):
    """`EB[i, j, ...] f`: everybody in the group believes f."""

    __slots__ = ()
    symbol = "EB"
    title = "everybody believes"
    of_belief = True
    individual = True

    def definition(self, cases: Cases) -> Formula:
        return conjunction(B(agent, self.operand) for agent in self.group)


class CB(GroupOperator):
    """`CB[i, j, ...] f`: f is common belief in the group. It need not be true."""

    __slots__ = ()
    symbol = "CB"
    title = "it is common belief"
    of_belief = True


Comparison: TypeAlias = Literal[">=", ">", "<=", "<", "="]

COMPARE: Final[Mapping[Comparison, Callable[[Any, Any], Any]]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "=": operator.eq,
}


class P(_Unary, _OfAgent):
    """`P[i](f) >= q`: the probability of f for agent i is at least q.

    `P[i | a](f) >= q`, the conditional probability, means P[i](f & a) >= q P[i](a), so that it is
    defined for an impossible a, too (R. Fagin, J. Halpern, N. Megiddo: A logic for reasoning about
    probabilities, 1990). The other relations are defined likewise. The operands are f, and a if it
    is not `true`.
    """

    __slots__ = ("agent", "bound", "given", "operand", "relation")
    __match_args__ = ("agent", "operand", "relation", "bound", "given")
    symbol = "P"
    title = "rates the probability that"
    relation: Comparison
    bound: Fraction
    given: Formula

    def __new__(
        cls,
        agent: str,
        operand: Formula,
        relation: Comparison,
        bound: Fraction,
        given: Formula = TRUE,
    ) -> Self:
        if relation not in (">=", ">", "<=", "<", "="):
            raise InputError(f"expected one of >= > <= < =, got {relation!r}")
        if not isinstance(bound, int | float | Fraction):
            raise unexpected("a probability as a bound", bound)
        if not 0 <= bound <= 1:
            raise InputError(f"expected a probability between 0 and 1, got {bound}")
        return cls._intern(agent, operand, relation, Fraction(bound), given)

    @property
    def operands(self) -> tuple[Formula, ...]:
        return (self.operand,) if self.given is TRUE else (self.operand, self.given)

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        operand, *given = operands
        return P(self.agent, operand, self.relation, self.bound, *given)

    def written(self, parts: tuple[Written, ...]) -> Written:
        # A whole number is written without a denominator.
        text = f"({parts[0].text}) {self.relation} {self.bound}"
        return self._before(text, "" if self.given is TRUE else parts[1].text)


class Announced(_Binary, Modal):
    """`[!a] f`: if a is true, then f holds after the announcement of a to all."""

    __slots__ = ()

    def written(self, parts: tuple[Written, ...]) -> Written:
        return Written(f"[!{parts[0].text}] {parts[1].within(Binding.PREFIX)}", Binding.PREFIX)


class AnnouncedTrue(_Binary, Modal):
    """`<!a> f`: a is true, and f holds after the announcement of a to all."""

    __slots__ = ()

    def written(self, parts: tuple[Written, ...]) -> Written:
        return Written(f"<!{parts[0].text}> {parts[1].within(Binding.PREFIX)}", Binding.PREFIX)


class Action(Protocol):
    """An action that formulas can name: `symkripke.model.ActionModel`."""

    @property
    def name(self) -> str:
        """The name of the action in formulas."""


class AfterAction(Modal):
    """`[a] f`: f holds after every event of the action a that can happen and may be the actual one.

    The names in `f` refer to the model after the action, so `f` is not an operand: engines evaluate
    it there. `<a> f` is `~[a] ~f`: see `after_some`.
    """

    __slots__ = ("action", "then")
    __match_args__ = ("action", "then")
    action: Any
    then: Formula

    def __new__(cls, action: Action, then: Formula) -> Self:
        if not isinstance(then, Formula):
            raise _wrong_field(cls, Formula, then)
        return cls._intern(action, then)

    def written(self, parts: tuple[Written, ...]) -> Written:
        then = fold(self.then, _written).within(Binding.PREFIX)
        return Written(f"[{self.action.name}] {then}", Binding.PREFIX)


def after_some(action: Action, then: Formula) -> Formula:
    """Return `<a> f`: f holds after some event of a that can happen and may be the actual one."""
    return negation(AfterAction(action, negation(then)))


OPERATORS: Final[tuple[type[Modal], ...]] = (K, M, Kw, B, Kv, E, D, C, EB, CB, P)
"""The operators with agents in brackets."""

BOOLEAN: Final = frozenset((Constant, Linear, Not, And, Or, Implies, Iff, Cardinality))
"""The Boolean operators and the constants."""


def negation(operand: Formula) -> Formula:
    """Return `~operand`; double negations, constants and inequalities contain no `~`."""
    if isinstance(operand, Not):
        return operand.operand
    if isinstance(operand, Constant):
        return FALSE if operand.value else TRUE
    if isinstance(operand, Linear) and operand.row.relation in ("<=", "<"):
        return linear(operand.row.sum.times(-1), "<" if operand.row.relation == "<=" else "<=")
    return Not(operand)


def _flat(
    kind: type[And] | type[Or], operands: Iterable[Formula], unit: Constant, zero: Constant
) -> Formula:
    flat: dict[Formula, None] = {}
    try:
        for operand in operands:
            for part in operand.operands if isinstance(operand, kind) else (operand,):
                if part is zero:
                    return zero
                if part is not unit:
                    flat[part] = None
    except TypeError:
        if not isinstance(operands, Iterable):
            raise unexpected("several formulas", operands) from None
        for operand in operands if isinstance(operands, Collection) else ():
            if not isinstance(operand, Formula):  # it may be unhashable
                raise _wrong_field(kind, Formula, operand) from None
        raise
    if not flat:
        return unit
    if len(flat) == 1:
        only = next(iter(flat))
        if not isinstance(only, Formula):
            raise _wrong_field(kind, Formula, only)
        return only
    return kind(tuple(flat))


def conjunction(operands: Iterable[Formula]) -> Formula:
    """Return the conjunction, flattened, without duplicates or constants; `true` if empty."""
    return _flat(And, operands, TRUE, FALSE)


def disjunction(operands: Iterable[Formula]) -> Formula:
    """Return the disjunction, flattened, without duplicates or constants; `false` if empty."""
    return _flat(Or, operands, FALSE, TRUE)


def atleast(bound: int, operands: Iterable[Formula]) -> Cardinality:
    """Return "at least `bound` of `operands` are true"; a repeated operand counts twice."""
    return Cardinality("atleast", bound, operands)


def atmost(bound: int, operands: Iterable[Formula]) -> Cardinality:
    """Return "at most `bound` of `operands` are true"; a repeated operand counts twice."""
    return Cardinality("atmost", bound, operands)


def exactly(bound: int, operands: Iterable[Formula]) -> Cardinality:
    """Return "exactly `bound` of `operands` are true"; a repeated operand counts twice."""
    return Cardinality("exactly", bound, operands)
