r"""Formulas of epistemic logic: immutable, interned, compared by identity.

Equal formulas are the same object, so that equality, hashing and memoising cost nothing,
and a formula is a graph in which every subformula stands once. Every class below is one
operator; its docstring is its definition. Build them with the classes, with Python's
operators (`~p`, `p & q`, `p | q`, `p >> q`), or from text (`symkripke.language.parse`);
`str(f)` is text that parses back to `f`.

Notation, with s the actual world and s ~i t for "agent i cannot tell s from t":

    K[i] f    i knows f: f holds at every t with s ~i t          M[i] f = ~K[i] ~f
    Kw[i] f   i knows whether f: K[i] f | K[i] ~f
    Kv[i] x   i knows the value of x (or of the tuple (x, y, ...)): it is the same at every t ~i s
    E[G] f    everybody in G knows f
    D[G] f    f holds at every t that no member of G can tell from s (the group's pooled knowledge)
    C[G] f    f holds at every world reachable by any number of steps of members of G
    B[i] f    i believes f: f holds in the most plausible worlds of those i cannot tell from s
    B[i | a] f    the same of those with a only: i would believe f, were it told a (a is "given")
    EB[G] f   everybody in G believes f
    CB[G] f   f holds at every world reached by one or more steps of members of G, each from a world
              to a most plausible one that the member cannot tell from it
    P[i](f) >= q    the share of worlds with f among those that i cannot tell from s
    [!a] f    if a is true, then f holds after a has been announced to all
    <!a> f    a is true, and f holds after a has been announced to all
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, ClassVar, Final, Literal, Self, TypeAlias
from weakref import WeakValueDictionary

from symkripke.errors import InputError

_interned: WeakValueDictionary[tuple[Any, ...], Formula] = WeakValueDictionary()
_lock = threading.Lock()


class Formula:
    """A formula; the base of all operators."""

    __slots__ = ("__weakref__",)
    __match_args__: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def _intern(cls, *fields: Any) -> Self:
        """The one formula of this class with these fields, made if it is new."""
        key = (cls, *fields)
        found = _interned.get(key)
        if found is None:
            with _lock:
                found = _interned.get(key)
                if found is None:
                    found = object.__new__(cls)
                    for name, value in zip(cls.__match_args__, fields, strict=True):
                        object.__setattr__(found, name, value)
                    _interned[key] = found
        return found  # type: ignore[return-value]  # the key holds the class

    @property
    def operands(self) -> tuple[Formula, ...]:
        """The direct subformulas, in order."""
        return ()

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        """The same operator over other operands (as many as `operands` has)."""
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
        # By text, not by structure: unpickling a deep formula must not recurse.
        from symkripke.language.parser import parse

        return parse, (str(self),)

    def __str__(self) -> str:
        from symkripke.language.printer import text

        return text(self)

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


class Constant(Formula):
    """`true` or `false`."""

    __slots__ = ("value",)
    __match_args__ = ("value",)
    value: bool

    def __new__(cls, value: bool) -> Self:
        return cls._intern(value)


TRUE: Final = Constant(True)
FALSE: Final = Constant(False)


class Atom(Formula):
    """`fluent = value`: the fluent (a name such as `location(rope)`) has that value.

    A Boolean fluent's atom has the value "true" and is written as the fluent alone.
    """

    __slots__ = ("fluent", "value")
    __match_args__ = ("fluent", "value")
    fluent: str
    value: str

    def __new__(cls, fluent: str, value: str = "true") -> Self:
        return cls._intern(fluent, value)


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


class And(Formula):
    """`f & g & ...`, two or more. Use `conjunction`, which flattens."""

    __slots__ = ("operands",)
    __match_args__ = ("operands",)
    operands: tuple[Formula, ...]

    def __new__(cls, operands: tuple[Formula, ...]) -> Self:
        return cls._intern(operands)

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        return conjunction(operands)


class Or(Formula):
    """`f | g | ...`, two or more. Use `disjunction`, which flattens."""

    __slots__ = ("operands",)
    __match_args__ = ("operands",)
    operands: tuple[Formula, ...]

    def __new__(cls, operands: tuple[Formula, ...]) -> Self:
        return cls._intern(operands)

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        return disjunction(operands)


class Implies(_Binary):
    """`f -> g`; groups to the right."""

    __slots__ = ()


class Iff(_Binary):
    """`f <-> g`; groups to the left."""

    __slots__ = ()


Relation: TypeAlias = Literal["atleast", "atmost", "exactly"]


class Cardinality(Formula):
    """`atleast(k; f, g, ...)`, `atmost(...)`, `exactly(...)`: how many of these are true."""

    __slots__ = ("bound", "operands", "relation")
    __match_args__ = ("relation", "bound", "operands")
    relation: Relation
    bound: int
    operands: tuple[Formula, ...]

    def __new__(cls, relation: Relation, bound: int, operands: Iterable[Formula]) -> Self:
        if relation not in ("atleast", "atmost", "exactly"):
            raise InputError(f"expected atleast, atmost or exactly, got {relation!r}")
        if bound < 0:
            raise InputError(f"expected a bound of 0 or more, got {bound}")
        return cls._intern(relation, bound, tuple(operands))

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        return Cardinality(self.relation, self.bound, operands)


class _Agent(_Unary):
    __slots__ = ("agent", "operand")
    __match_args__ = ("agent", "operand")
    agent: str

    def __new__(cls, agent: str, operand: Formula) -> Self:
        return cls._intern(agent, operand)

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        return type(self)(self.agent, operands[0])


class K(_Agent):
    """`K[i] f`: agent i knows f."""

    __slots__ = ()


class M(_Agent):
    """`M[i] f`: agent i considers f possible."""

    __slots__ = ()


class Kw(_Agent):
    """`Kw[i] f`: agent i knows whether f."""

    __slots__ = ()


class B(Formula):
    """`B[i] f`: agent i believes f; `B[i | a] f`: it would believe f, given a.

    Its operands are f and a (`true`, if nothing is given).
    """

    __slots__ = ("agent", "given", "operand")
    __match_args__ = ("agent", "operand", "given")
    agent: str
    operand: Formula
    given: Formula

    def __new__(cls, agent: str, operand: Formula, given: Formula = TRUE) -> Self:
        return cls._intern(agent, operand, given)

    @property
    def operands(self) -> tuple[Formula, ...]:
        return (self.operand, self.given)

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        return B(self.agent, *operands)


class Kv(Formula):
    """`Kv[i] x` or `Kv[i] (x, y, ...)`: agent i knows the value of these fluents."""

    __slots__ = ("agent", "fluents")
    __match_args__ = ("agent", "fluents")
    agent: str
    fluents: tuple[str, ...]

    def __new__(cls, agent: str, fluents: Iterable[str]) -> Self:
        names = (fluents,) if isinstance(fluents, str) else tuple(fluents)
        if not names:
            raise InputError("expected at least one fluent after Kv, got none")
        return cls._intern(agent, names)


class _Group(_Unary):
    __slots__ = ("group", "operand")
    __match_args__ = ("group", "operand")
    group: tuple[str, ...]

    def __new__(cls, group: Iterable[str], operand: Formula) -> Self:
        members = (group,) if isinstance(group, str) else tuple(dict.fromkeys(group))
        if not members:
            raise InputError("expected at least one agent in the group, got none")
        return cls._intern(members, operand)

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        return type(self)(self.group, operands[0])


class E(_Group):
    """`E[i, j, ...] f`: everybody in the group knows f."""

    __slots__ = ()


class D(_Group):
    """`D[i, j, ...] f`: the group knows f by pooling what its members observe."""

    __slots__ = ()


class C(_Group):
    """`C[i, j, ...] f`: f is common knowledge in the group."""

    __slots__ = ()


class EB(_Group):
    """`EB[i, j, ...] f`: everybody in the group believes f."""

    __slots__ = ()


class CB(_Group):
    """`CB[i, j, ...] f`: f is common belief in the group. It need not be true."""

    __slots__ = ()


Comparison: TypeAlias = Literal[">=", ">", "<=", "<", "="]


class P(_Unary):
    """`P[i](f) >= q`: the probability that agent i gives to f compares so with q.

    `P[i | a](f) >= q`: the same given a. It means that P[i](f & a) compares so with q times
    P[i](a), and so means something if a is impossible, too (R. Fagin, J. Halpern, N. Megiddo: A
    logic for reasoning about probabilities, 1990). Its operands are f, and a if that is not `true`.
    """

    __slots__ = ("agent", "bound", "given", "operand", "relation")
    __match_args__ = ("agent", "operand", "relation", "bound", "given")
    agent: str
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
        if not 0 <= bound <= 1:
            raise InputError(f"expected a probability between 0 and 1, got {bound}")
        return cls._intern(agent, operand, relation, Fraction(bound), given)

    @property
    def operands(self) -> tuple[Formula, ...]:
        return (self.operand,) if self.given is TRUE else (self.operand, self.given)

    def rebuild(self, operands: tuple[Formula, ...]) -> Formula:
        operand, *given = operands
        return P(self.agent, operand, self.relation, self.bound, *given)


class Announced(_Binary):
    """`[!a] f`: if a is true, then f holds after the announcement of a to all."""

    __slots__ = ()


class AnnouncedTrue(_Binary):
    """`<!a> f`: a is true, and f holds after the announcement of a to all."""

    __slots__ = ()


MODAL: Final = (K, M, Kw, Kv, E, D, C, B, EB, CB, P, Announced, AnnouncedTrue)
"""The operators that look beyond one world."""

BOOLEAN: Final = frozenset((Constant, Not, And, Or, Implies, Iff, Cardinality))
"""The operators that do not."""


def negation(operand: Formula) -> Formula:
    """`~operand`, without a double negation and with constants folded."""
    if isinstance(operand, Not):
        return operand.operand
    if isinstance(operand, Constant):
        return FALSE if operand.value else TRUE
    return Not(operand)


def _flat(
    kind: type[And] | type[Or], operands: Iterable[Formula], unit: Constant, zero: Constant
) -> Formula:
    flat: dict[Formula, None] = {}
    for operand in operands:
        for part in operand.operands if isinstance(operand, kind) else (operand,):
            if part is zero:
                return zero
            if part is not unit:
                flat[part] = None
    if not flat:
        return unit
    if len(flat) == 1:
        return next(iter(flat))
    return kind(tuple(flat))


def conjunction(operands: Iterable[Formula]) -> Formula:
    """All of `operands`: flattened, each once, constants folded; `true` if there are none."""
    return _flat(And, operands, TRUE, FALSE)


def disjunction(operands: Iterable[Formula]) -> Formula:
    """Some of `operands`: flattened, each once, constants folded; `false` if there are none."""
    return _flat(Or, operands, FALSE, TRUE)


def atleast(bound: int, operands: Iterable[Formula]) -> Cardinality:
    """At least `bound` of `operands` are true (one listed twice counts twice)."""
    return Cardinality("atleast", bound, operands)


def atmost(bound: int, operands: Iterable[Formula]) -> Cardinality:
    """At most `bound` of `operands` are true (one listed twice counts twice)."""
    return Cardinality("atmost", bound, operands)


def exactly(bound: int, operands: Iterable[Formula]) -> Cardinality:
    """Exactly `bound` of `operands` are true (one listed twice counts twice)."""
    return Cardinality("exactly", bound, operands)
