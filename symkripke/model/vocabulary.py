"""Vocabularies: fluents, agents, and names for formulas."""

from __future__ import annotations

import copyreg
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import count
from types import MappingProxyType
from typing import Any, ClassVar, Final, TypeVar, cast

from symkripke.argument_types import checked, checked_all, unexpected
from symkripke.errors import InputError, UnknownName, Unsupported, check_name
from symkripke.language import Atom, Formula, Name, exactly, negation
from symkripke.language.formulas import TRUE, linear
from symkripke.language.linear import Sum, constant, read_number
from symkripke.limits import repeated
from symkripke.model.origin import Origin
from symkripke.records import dataclass

T = TypeVar("T", "Fluent", "Definition", "DerivedFluent")

_WORD = re.compile(r"[^\W\d]\w*|\d+")
_FLUENT = re.compile(r"[^\W\d]\w*(\((\w+)(, \w+)*\))?(#\d+)?")

BOOLEAN = ("false", "true")


def _immutable(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(mapping)


# Python can neither pickle nor copy a MappingProxyType, which makes vocabularies immutable.
copyreg.pickle(MappingProxyType, lambda view: (_immutable, (dict(view),)))


@dataclass(frozen=True, init=False)
class Fluent:
    """A state variable, with exactly one of `values` at every world.

    Attributes:
        name: its name, such as `location(rope)`.
        values: its domain, without repetition; ("false", "true") for a Boolean fluent.
        source: the reason why it has exactly one value, for explanations.
    """

    name: Name
    values: tuple[str, ...]
    source: Origin

    def __init__(
        self, name: str, values: tuple[str, ...] = BOOLEAN, source: Origin | str = ""
    ) -> None:
        """Create a fluent; raise `InputError` for an invalid name or value."""
        # There are thousands of fluents, so the usual values, which are valid, are not checked.
        if not isinstance(name, str):
            raise unexpected("a fluent's name", name)
        plain = values is BOOLEAN
        object.__setattr__(self, "name", Name.of(name))
        object.__setattr__(
            self, "values", values if plain else checked_all(values, str, f"fluent {name}")
        )
        object.__setattr__(self, "source", Origin.of(source))
        if not _FLUENT.fullmatch(name) or name in BOOLEAN:
            raise InputError(f"expected a fluent named like location(rope) or p, got {name!r}")
        if not plain:
            self._check_values()

    def _check_values(self) -> None:
        for value in self.values:
            if not _WORD.fullmatch(value):
                raise InputError(
                    f"fluent {self.name}: expected a value of letters, digits and _, got {value!r}"
                )
        if not self.values or len(set(self.values)) != len(self.values):
            raise InputError(
                f"fluent {self.name}: expected one or more different values, got {self.values}"
            )
        if self.values != BOOLEAN and not set(BOOLEAN).isdisjoint(self.values):
            raise InputError(
                f"fluent {self.name}: true and false are the values of Boolean fluents only "
                f"({BOOLEAN}), got {self.values}"
            )

    @cached_property
    def is_boolean(self) -> bool:
        """True if the fluent is a proposition, with the values true and false and one atom."""
        return self.values == BOOLEAN

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """The index of each value in the domain, for lookups in large domains."""
        return {value: position for position, value in enumerate(self.values)}

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """The atoms, one for each value; for a Boolean fluent, only the atom for "true"."""
        if self.is_boolean:
            return (Atom(self.name),)
        return tuple(Atom(self.name, value) for value in self.values)

    @cached_property
    def cases(self) -> tuple[Formula, ...]:
        """The formulas "the fluent has this value", for each value in order."""
        return (negation(Atom(self.name)), Atom(self.name)) if self.is_boolean else self.atoms

    @cached_property
    def domain(self) -> Formula:
        """The formula "the fluent has exactly one value" (`true` for a Boolean fluent)."""
        return TRUE if self.is_boolean else exactly(1, self.atoms)

    def renamed(self, name: Name) -> Fluent:
        """Return the fluent with another name."""
        return Fluent(name, self.values, self.source)

    def equals(self, value: str) -> Formula:
        """Return the formula "the fluent has this value"; raise `UnknownName` for another value."""
        position = self.positions.get(value)
        if position is None:
            raise UnknownName(f"value of {self.name}", str(value), self.values)
        return self.cases[position]


VALUE: Final = "?"
"""The value in the observable atom of a number: the observer sees the value of the number."""


class Number(Fluent):
    """A state variable whose value is any integer or any real number, as in `x in integers`.

    It has no list of values. Worlds contain its value as text, such as "-3" or "1/2".

    Attributes:
        is_real: whether it is a real number.
        least: its least value; None if there is none.
    """

    is_real: bool
    least: int | None

    def __init__(
        self,
        name: str,
        *,
        is_real: bool = False,
        least: int | None = None,
        source: Origin | str = "",
    ) -> None:
        """Create a number; raise `InputError` for an invalid name."""
        super().__init__(name, BOOLEAN, source)
        for field_name, value in (("values", ()), ("is_real", is_real), ("least", least)):
            object.__setattr__(self, field_name, value)

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """The observable atom."""
        return (Atom(self.name, VALUE),)

    @property
    def cases(self) -> tuple[Formula, ...]:
        """Raise `Unsupported`, because the values cannot be listed."""
        raise Unsupported(f"{self.name} has infinitely many values")

    @property
    def sum(self) -> Sum:
        """The number as a sum."""
        return Sum.of(self.name, is_real=self.is_real)

    @cached_property
    def domain(self) -> Formula:
        """The formula "the number is at least `least`"; `true` if there is no least value."""
        return TRUE if self.least is None else self.at_least(self.sum)

    def at_least(self, total: Sum) -> Formula:
        """Return the formula "the sum is a value of this number"."""
        if self.least is None:
            return TRUE
        return linear(constant(self.least).plus(total, -1), "<=")

    def equals(self, value: str) -> Formula:
        """Return the formula "the number has this value"; raise `InputError` if it has not."""
        number = read_number(value)
        if number is None or (not self.is_real and number.denominator != 1):
            kind = "a real number such as 3 or 1/2" if self.is_real else "an integer"
            raise InputError(f"expected {kind} as the value of {self.name}, got {value!r}")
        if self.least is not None and number < self.least:
            raise InputError(f"the value of {self.name} is at least {self.least}, got {value}")
        return linear(self.sum.plus(constant(-number)), "=")

    def renamed(self, name: Name) -> Number:
        """Return the number with another name."""
        return Number(name, is_real=self.is_real, least=self.least, source=self.source)


@dataclass(frozen=True, slots=True)
class DerivedFluent:
    """A fluent defined by others: each of its values stands for a formula.

    Exactly one of the cases must be true at every world of the law. `murderer`, for
    example, has the value `plum` where `location(plum) = envelope`.
    """

    name: str
    cases: tuple[tuple[str, Formula], ...]
    is_boolean: ClassVar[bool] = False

    @property
    def values(self) -> tuple[str, ...]:
        """The domain of the fluent."""
        return tuple(value for value, _ in self.cases)

    def equals(self, value: str) -> Formula:
        """Return the formula "the fluent has this value"; raise `UnknownName` for another value."""
        for case, formula in self.cases:
            if case == value:
                return formula
        raise UnknownName(f"value of {self.name}", value, self.values)


@dataclass(frozen=True, slots=True)
class Definition:
    """A name with arguments that stands for a formula: `at(rope, envelope)`.

    Attributes:
        name: the name.
        parameters: for each argument its kind ("card") and its possible values.
        body: a function from the arguments, in the order of `parameters`, to the formula.
        says: its meaning in words.
        settled: a function that returns the reason if the formula is always true, or always false,
            for these arguments.
        sentence: two sentences, for a true and a false formula: "{player} knows the solution",
            "{player} does not ...", with kinds of parameters as placeholders. For definitions about
            an agent's knowledge or cards.
        titles: the words for values in sentences and menus, by kinds of arguments.
    """

    name: str
    parameters: tuple[tuple[str, tuple[str, ...]], ...]
    body: Callable[..., Formula]
    says: str = ""
    settled: Callable[..., str] | None = None
    sentence: tuple[str, str] | None = None
    titles: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)

    def __call__(self, *arguments: str) -> Formula:
        """Return the formula for these arguments; raise `InputError` if they are invalid."""
        if len(arguments) != len(self.parameters):
            wanted = ", ".join(kind for kind, _ in self.parameters)
            raise InputError(
                f"{self.name}({wanted}) takes {len(self.parameters)} arguments, "
                f"got {len(arguments)}"
            )
        for (kind, allowed), argument in zip(self.parameters, arguments, strict=True):
            if argument not in allowed:
                raise UnknownName(kind, argument, allowed)
        return self.body(*arguments)


def _plain_words(atom: Atom, truth: bool) -> str:
    return str(atom if truth else negation(atom))


@dataclass(frozen=True, eq=False, repr=False)
class Vocabulary:
    """The names of a model; a `Signature` for the parser.

    Attributes:
        fluents: the fluents by name, in order, which is also the order of the engines' variables.
        agents: the agents, in order.
        definitions: names for formulas.
        derived: fluents defined by others.
        wording: a function from an atom, and whether it is true, to words for explanations.
        constants: the values of commonly known versions, by name. They are not fluents, because
            they need no variable.
    """

    fluents: Mapping[str, Fluent]
    agents: tuple[str, ...]
    definitions: Mapping[str, Definition] = field(default_factory=dict)
    derived: Mapping[str, DerivedFluent] = field(default_factory=dict)
    wording: Callable[[Atom, bool], str] = _plain_words
    constants: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Vocabulary: {len(self.fluents)} fluents, agents {', '.join(self.agents)}>"

    @classmethod
    def of(
        cls,
        fluents: Iterable[Fluent],
        agents: Sequence[str],
        *,
        definitions: Iterable[Definition] = (),
        derived: Iterable[DerivedFluent] = (),
        wording: Callable[[Atom, bool], str] = _plain_words,
    ) -> Vocabulary:
        """Create a vocabulary; raise `InputError` for a repeated name, or a name with a `#`."""
        fluents = checked_all(fluents, Fluent, "fluents")
        check_plain(fluents)
        named = _by_name("fluent", fluents)
        agents = checked_all(agents, str, "agents")
        if twice := repeated(agents):
            raise _given_twice("agent", twice)
        return cls(
            named,
            agents,
            _by_name("definition", checked_all(definitions, Definition, "definitions")),
            _by_name("derived fluent", checked_all(derived, DerivedFluent, "derived")),
            wording,
        )

    def extended(
        self, fluents: Iterable[Fluent], constants: Mapping[str, str] | None = None
    ) -> Vocabulary:
        """Return the vocabulary with more fluents at the end, and more constants.

        Raises:
            InputError: a fluent with this name already exists.
        """
        more = _by_name("fluent", checked_all(fluents, Fluent, "fluents"))
        for name in more:
            if name in self.fluents or name in self.derived:
                raise InputError(f"fluent {name!r} already exists")
        extended = self
        if more:
            # `|` copies the dict under a proxy in one step, whereas `**` copies key by key.
            known = cast("dict[str, Fluent]", self.fluents)
            extended = replace(extended, fluents=MappingProxyType(known | dict(more)))
        if constants:
            all_constants = MappingProxyType({**self.constants, **constants})
            extended = replace(extended, constants=all_constants)
        # Found here once, because `numbers` would look at all fluents after each event.
        numbers = {n: fluent for n, fluent in more.items() if isinstance(fluent, Number)}
        extended.__dict__["numbers"] = {**self.numbers, **numbers}
        return extended

    @cached_property
    def numbers(self) -> Mapping[str, Number]:
        """The numbers without bounds; a structure with numbers may have infinitely many worlds."""
        return {n: fluent for n, fluent in self.fluents.items() if isinstance(fluent, Number)}

    @cached_property
    def plain(self) -> tuple[Name, ...]:
        """The names of the fluents, excluding the names of versions."""
        return tuple(fluent.name for fluent in self.fluents.values() if not fluent.name.is_version)

    def version(self, name: str, number: int) -> Fluent:
        """Return the version of a fluent with this number, as a new fluent.

        Raises:
            UnknownName: there is no such fluent.
        """
        check_name("fluent", name, self.fluents)
        return self.fluents[name].renamed(self.fluents[name].name.at(number))

    def versions(self, name: str) -> int:
        """Return the number of changes of a fluent."""
        plain = Name.of(name)
        return next(n for n in count() if self.domain(plain.at(n + 1)) is None)

    def domain(self, written: str) -> Fluent | None:
        """Return the fluent or version with this name; None if there is none.

        `x#0`, and a version with a commonly known value, have the values of `x`.
        """
        fluent = self.fluents.get(written)
        if fluent is None:
            name = Name.of(written)
            if name.version == 0 or name in self.constants:
                fluent = self.fluents.get(name.plain)
        return fluent

    @cached_property
    def _arguments(self) -> dict[str, list[tuple[str, ...]]]:
        """The argument lists of fluents, by functor."""
        lists: dict[str, list[tuple[str, ...]]] = {}
        for name in map(Name.of, (*self.fluents, *self.derived)):
            if not name.is_version:
                lists.setdefault(name.functor, []).append(name.arguments)
        return lists

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names that can begin a proposition, for hints and completion."""
        return (*self.definitions, *self._arguments)

    def is_name(self, word: str) -> bool:
        """Return whether a proposition can begin with this word."""
        return word in self.definitions or word in self._arguments

    def signature_of(self, name: str) -> str:
        """Return `name` with the kinds of its arguments, for help: `at(card, place)`."""
        if checked(name, str, "a name") in self.definitions:
            kinds = ", ".join(kind for kind, _ in self.definitions[name].parameters)
            return f"{name}({kinds})" if kinds else name
        check_name("proposition", name, self._arguments)
        arguments = self._arguments[name][0]
        return Name(name, ["..."] * len(arguments))

    def words(self, atom: Atom, truth: bool) -> str:
        """Return `atom` (or, if not `truth`, its negation) in words."""
        return self.wording(atom, truth)

    # The methods of a `symkripke.language.Signature`.

    def agent(self, name: str) -> str:
        """Return `name` if it is an agent; else raise `UnknownName`."""
        if not self.is_agent(checked(name, str, "the name of an agent")):
            raise UnknownName("agent", name, self.agents)
        return name

    def is_agent(self, name: str) -> bool:
        """Return whether an agent has this name."""
        return name in self._agents

    @cached_property
    def _agents(self) -> frozenset[str]:
        return frozenset(self.agents)

    def proposition(
        self, name: str, arguments: Sequence[str], version: int | None, value: str | None
    ) -> Formula:
        """Return the formula for `name(arguments)#version = value`."""
        written = self.known(name, arguments, version)
        if written is None:
            definition = self.definitions.get(name)
            if definition is None:
                raise self._unknown(name, arguments, version)
            if version is not None:
                raise InputError(f"{self.signature_of(name)} is a proposition: it has no versions")
            if value is not None:
                raise InputError(f"{self.signature_of(name)} is a proposition: it has no value")
            return definition(*arguments)
        fluent = self.derived.get(written) or self.domain(written)
        assert fluent is not None
        if value is None:
            if isinstance(fluent, Number):
                raise InputError(f"{written} is a number: compare it, as in {written} = 3")
            if not fluent.is_boolean:
                shown = ", ".join(fluent.values[:8]) + (", ..." if len(fluent.values) > 8 else "")
                raise InputError(f"{written} has a value: write {written} = one of {shown}")
            value = "true"
        positive = fluent.equals(value)
        if fluent.name == written:
            return positive
        return Atom(written, value) if value != "false" else negation(Atom(written))

    def fluent(self, name: str, arguments: Sequence[str], version: int | None) -> Name:
        """Return the name of a plain or derived fluent; raise `InputError` if there is none."""
        written = self.known(name, arguments, version)
        if written is None:
            raise self._unknown(name, arguments, version, kind="fluent")
        return written

    def number(self, name: str, arguments: Sequence[str], version: int | None) -> Sum | None:
        """Return a number as a sum; None if there is no such number."""
        written = self.known(name, arguments, version)
        number = None if written is None else self.domain(written)
        if written is None or not isinstance(number, Number):
            return None
        return Sum.of(written, is_real=number.is_real)

    def known(self, name: str, arguments: Sequence[str], version: int | None) -> Name | None:
        """Return the name of the fluent, or None if there is none; the first version is `#0`."""
        numbered = Name(name, arguments, version)
        if version is None:
            is_known = numbered in self.fluents or numbered in self.derived
            return numbered if is_known else None
        return None if self.domain(numbered) is None else numbered

    def _unknown(
        self, name: str, arguments: Sequence[str], version: int | None, kind: str = "proposition"
    ) -> InputError:
        lists = self._arguments.get(name)
        if lists is None:
            known = self._arguments if kind == "fluent" else self.names
            return UnknownName(kind, name, known)
        written = Name(name, arguments)
        if version is not None and (written in self.fluents or written in self.derived):
            return InputError(f"{written} has no version #{version}")
        fitting = [known for known in lists if len(known) == len(arguments)]
        if not fitting:
            return InputError(
                f"{name} takes {len(lists[0])} arguments, got {len(arguments)}: "
                f"for example {Name(name, lists[0])}"
            )
        for position, argument in enumerate(arguments):
            here = [known[position] for known in fitting]
            if argument not in here:
                return UnknownName(f"argument of {name}", argument, here)
            fitting = [known for known in fitting if known[position] == argument]
        return UnknownName(kind, written, self.fluents)


def check_plain(fluents: Iterable[Fluent]) -> None:
    """Raise `InputError` for a fluent whose name is the name of a version."""
    for fluent in fluents:
        if fluent.name.is_version:
            raise InputError(f"a fluent's name cannot have a # (for versions): {fluent.name!r}")


def _by_name(kind: str, things: Collection[T]) -> Mapping[str, T]:
    by_name: dict[str, T] = {thing.name: thing for thing in things}
    if len(by_name) < len(things):
        raise _given_twice(kind, repeated(thing.name for thing in things))
    return MappingProxyType(by_name)


def _given_twice(kind: str, name: str | None) -> InputError:
    return InputError(f"{kind} {name!r} is given twice")
