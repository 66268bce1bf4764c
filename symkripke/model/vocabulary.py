"""What a situation is described with: fluents, agents, and names for formulas."""

from __future__ import annotations

import copyreg
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import count
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar, cast

from symkripke.argument_types import checked, checked_all, unexpected
from symkripke.errors import InputError, UnknownName, check_name
from symkripke.language import Atom, Formula, Name, exactly, negation
from symkripke.language.formulas import TRUE
from symkripke.limits import repeated
from symkripke.model.origin import Origin
from symkripke.records import dataclass

T = TypeVar("T", "Fluent", "Definition", "DerivedFluent")

_WORD = re.compile(r"[^\W\d]\w*|\d+")
_FLUENT = re.compile(r"[^\W\d]\w*(\((\w+)(, \w+)*\))?(#\d+)?")

BOOLEAN = ("false", "true")


def _immutable(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(mapping)


# Python does not pickle or copy the views of dicts that make vocabularies and structures immutable.
copyreg.pickle(MappingProxyType, lambda view: (_immutable, (dict(view),)))


@dataclass(frozen=True, init=False)
class Fluent:
    """A variable of the world: exactly one of `values` at every world.

    Attributes:
        name: its name, such as `location(rope)`.
        values: its domain, without repetition; ("false", "true") for a Boolean one.
        source: why it has exactly one value, for explanations.
    """

    name: Name
    values: tuple[str, ...]
    source: Origin

    def __init__(
        self, name: str, values: tuple[str, ...] = BOOLEAN, source: Origin | str = ""
    ) -> None:
        """A fluent; raises `InputError` if its name or its values cannot be written."""
        # There are thousands of fluents: names and values are checked once.
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
        """Whether it is a proposition: its values are true and false, and it has one atom."""
        return self.values == BOOLEAN

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """For each value its position in the domain: a quick lookup where the domain is large."""
        return {value: position for position, value in enumerate(self.values)}

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """An atom for each value; for a Boolean fluent, the atom that says that it is true."""
        if self.is_boolean:
            return (Atom(self.name),)
        return tuple(Atom(self.name, value) for value in self.values)

    @cached_property
    def cases(self) -> tuple[Formula, ...]:
        """For each value, the formula that it has that value."""
        return (negation(Atom(self.name)), Atom(self.name)) if self.is_boolean else self.atoms

    @cached_property
    def domain(self) -> Formula:
        """The formula that it has exactly one value (`true` for a Boolean fluent)."""
        return TRUE if self.is_boolean else exactly(1, self.atoms)

    def equals(self, value: str) -> Formula:
        """The formula "this fluent has that value"; raises `UnknownName` for no value of it."""
        position = self.positions.get(value)
        if position is None:
            raise UnknownName(f"value of {self.name}", str(value), self.values)
        return self.cases[position]


@dataclass(frozen=True, slots=True)
class DerivedFluent:
    """A fluent that is defined by others: each of its values stands for a formula.

    Exactly one of the cases must be true at every world of the law. `murderer`, for
    example, has the value `plum` where `location(plum) = envelope`.
    """

    name: str
    cases: tuple[tuple[str, Formula], ...]
    is_boolean: ClassVar[bool] = False

    @property
    def values(self) -> tuple[str, ...]:
        """Its domain."""
        return tuple(value for value, _ in self.cases)

    def equals(self, value: str) -> Formula:
        """The formula for "this fluent has that value"; raises `UnknownName` for no value of it."""
        for case, formula in self.cases:
            if case == value:
                return formula
        raise UnknownName(f"value of {self.name}", value, self.values)


@dataclass(frozen=True, slots=True)
class Definition:
    """A name with arguments that stands for a formula: `at(rope, envelope)`.

    Attributes:
        name: the name.
        parameters: for each argument its kind ("card") and the values that it may have.
        body: makes the formula from the arguments, in the order of `parameters`.
        says: what it means, in words.
        settled: for arguments with which it is always true, or always false, gives the reason.
        sentence: two sentences, that it is true and that it is false: "{player} knows the
        solution",
            "{player} does not ...". The kinds of the parameters stand for the arguments. For
            definitions about what somebody knows or holds.
        titles: for kinds of arguments, the words for their values in sentences and menus.
    """

    name: str
    parameters: tuple[tuple[str, tuple[str, ...]], ...]
    body: Callable[..., Formula]
    says: str = ""
    settled: Callable[..., str] | None = None
    sentence: tuple[str, str] | None = None
    titles: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)

    def __call__(self, *arguments: str) -> Formula:
        """The formula for these arguments; raises `InputError` for wrong ones."""
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
    """The names of a situation; a `Signature` for the parser.

    Attributes:
        fluents: by name, in order. The order is also that of the engines' variables.
        agents: who knows things, in order.
        definitions: names for formulas.
        derived: fluents that are defined by others.
        wording: gives an atom, or its negation, in words, for explanations.
        constants: by name, the values of versions that everybody knows. They are no fluents:
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
        """A vocabulary of these; raises `InputError` for a name given twice or with a `#` in it."""
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
            InputError: a fluent of that name is there already.
        """
        more = _by_name("fluent", checked_all(fluents, Fluent, "fluents"))
        for name in more:
            if name in self.fluents or name in self.derived:
                raise InputError(f"fluent {name!r} is there already")
        extended = self
        if more:
            # `|` copies the dict under a proxy at once, and `**` key by key.
            known = cast("dict[str, Fluent]", self.fluents)
            extended = replace(extended, fluents=MappingProxyType(known | dict(more)))
        if constants:
            all_constants = MappingProxyType({**self.constants, **constants})
            extended = replace(extended, constants=all_constants)
        return extended

    @cached_property
    def plain(self) -> tuple[Name, ...]:
        """The names of the fluents, without those of versions."""
        return tuple(fluent.name for fluent in self.fluents.values() if not fluent.name.is_version)

    def version(self, name: str, number: int) -> Fluent:
        """Return the version of a fluent with that number, as a fluent to be added.

        Raises:
            UnknownName: there is no such fluent.
        """
        check_name("fluent", name, self.fluents)
        fluent = self.fluents[name]
        return Fluent(fluent.name.at(number), fluent.values, fluent.source)

    def versions(self, name: str) -> int:
        """Return how often a fluent has changed."""
        plain = Name.of(name)
        return next(n for n in count() if self.domain(plain.at(n + 1)) is None)

    def domain(self, written: str) -> Fluent | None:
        """Return the fluent of that name, which may be that of a version; None for no fluent.

        `x#0`, and a version whose value everybody knows, have the values of `x`.
        """
        fluent = self.fluents.get(written)
        if fluent is None:
            name = Name.of(written)
            if name.version == 0 or name in self.constants:
                fluent = self.fluents.get(name.plain)
        return fluent

    @cached_property
    def _arguments(self) -> dict[str, list[tuple[str, ...]]]:
        """For each functor, the argument lists that fluents have."""
        found: dict[str, list[tuple[str, ...]]] = {}
        for name in map(Name.of, (*self.fluents, *self.derived)):
            if not name.is_version:
                found.setdefault(name.functor, []).append(name.arguments)
        return found

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every name that can open a proposition, for hints and completion."""
        return (*self.definitions, *self._arguments)

    def is_name(self, word: str) -> bool:
        """Return whether a proposition can begin with that word."""
        return word in self.definitions or word in self._arguments

    def signature_of(self, name: str) -> str:
        """How `name` is written, with what its arguments are, for help: `at(card, place)`."""
        if checked(name, str, "a name") in self.definitions:
            kinds = ", ".join(kind for kind, _ in self.definitions[name].parameters)
            return f"{name}({kinds})" if kinds else name
        check_name("proposition", name, self._arguments)
        arguments = self._arguments[name][0]
        return Name(name, ["..."] * len(arguments))

    def words(self, atom: Atom, truth: bool) -> str:
        """`atom` (or, if not `truth`, its negation) in words."""
        return self.wording(atom, truth)

    # The parser's questions (see `symkripke.language.Signature`).

    def agent(self, name: str) -> str:
        """`name`, if it is an agent's; raises `UnknownName`."""
        if not self.is_agent(checked(name, str, "the name of an agent")):
            raise UnknownName("agent", name, self.agents)
        return name

    def is_agent(self, name: str) -> bool:
        """Return whether an agent has that name."""
        return name in self._agents

    @cached_property
    def _agents(self) -> frozenset[str]:
        return frozenset(self.agents)

    def proposition(
        self, name: str, arguments: Sequence[str], version: int | None, value: str | None
    ) -> Formula:
        """The formula that `name(arguments)#version = value` stands for."""
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
            if not fluent.is_boolean:
                shown = ", ".join(fluent.values[:8]) + (", ..." if len(fluent.values) > 8 else "")
                raise InputError(f"{written} has a value: write {written} = one of {shown}")
            value = "true"
        positive = fluent.equals(value)
        if fluent.name == written:
            return positive
        return Atom(written, value) if value != "false" else negation(Atom(written))

    def fluent(self, name: str, arguments: Sequence[str], version: int | None) -> Name:
        """The name of a fluent, plain or derived; raises `UnknownName`."""
        written = self.known(name, arguments, version)
        if written is None:
            raise self._unknown(name, arguments, version, kind="fluent")
        return written

    def known(self, name: str, arguments: Sequence[str], version: int | None) -> Name | None:
        """The name of that fluent if there is one; its first version is `#0`."""
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
    """Raises `InputError` for a fluent whose name is that of a version."""
    for fluent in fluents:
        if fluent.name.is_version:
            raise InputError(f"a fluent's name cannot have a # (for versions): {fluent.name!r}")


def _by_name(kind: str, things: Collection[T]) -> Mapping[str, T]:
    found: dict[str, T] = {thing.name: thing for thing in things}
    if len(found) < len(things):
        raise _given_twice(kind, repeated(thing.name for thing in things))
    return MappingProxyType(found)


def _given_twice(kind: str, name: str | None) -> InputError:
    return InputError(f"{kind} {name!r} is given twice")
