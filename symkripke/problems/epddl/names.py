"""The names of an EPDDL task: types, entities and predicates, with checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product as combinations
from typing import NamedTuple, TypeAlias

from symkripke.language.scanner import Token
from symkripke.problems.epddl.requirements import entailed
from symkripke.problems.epddl.syntax import Item, Node, fault, shown, unknown

Types: TypeAlias = frozenset[str]
"""The alternatives of a type, such as `(either block column)`."""

Scope: TypeAlias = Mapping[str, Types]
"""The types of the variables that are in scope."""

Binding: TypeAlias = Mapping[str, str]
"""The entity of each variable."""

RESERVED: Mapping[str, str] = {
    "entity": "",
    "object": "entity",
    "agent": "entity",
    "agent-group": "entity",
    "world": "",
    "event": "",
    "obs-type": "",
}
"""The built-in types, each with its supertype."""


class Parameter(NamedTuple):
    """A typed name: a variable with its types, or an entity with its type."""

    name: Token
    types: Types


class Predicate(NamedTuple):
    """A predicate: its parameters, and whether it is a fact, which never changes."""

    parameters: tuple[Parameter, ...]
    is_fact: bool


class Needs:
    """The requirements that one file declares and uses.

    Attributes:
        declared: the declared requirements.
        used: for each requirement that the file uses, the first place.
    """

    def __init__(self) -> None:
        """Start with nothing."""
        self.declared: list[str] = []
        self.used: dict[str, Item] = {}

    def use(self, requirement: str, item: Item) -> None:
        """Record that an item needs a requirement."""
        self.used.setdefault(requirement, item)

    def missing(self) -> list[tuple[str, Item]]:
        """Return the requirements that are used but not declared, each with its first place."""
        declared = entailed(self.declared)
        return [(name, item) for name, item in self.used.items() if name not in declared]


class Names:
    """The declared names.

    Attributes:
        types: the supertype of each type.
        entities: the type of each entity, in order.
        predicates: the predicates by name.
        groups: the members of each group of agents.
    """

    def __init__(self) -> None:
        """Start with the built-in types."""
        self.types = dict(RESERVED)
        self.entities: dict[str, str] = {}
        self.predicates: dict[str, Predicate] = {}
        self.groups: dict[str, tuple[str, ...]] = {}

    # ---- declarations -------------------------------------------------------------------------

    def add_types(self, node: Node) -> None:
        """Add the types of a declaration `(:types a b - c)`, which may refer to each other."""
        items = node.items[1:]
        for before, item in zip([None, *items], items, strict=False):
            if item == "-" or before == "-":
                continue
            name = self.identifier(item)
            if name in self.types:
                raise fault(f"the type {str(name)!r} is already declared", name)
            self.types[str(name)] = "object"
        for name, parents in self._typed(items, frozenset(("object",)), self.identifier):
            if len(parents) > 1:
                raise fault(f"expected one supertype of {str(name)!r}, got several", name)
            (parent,) = parents
            if self.is_below(parent, str(name)) or not self.is_below(parent, "entity"):
                raise fault(f"the type {str(name)!r} cannot be below {parent!r}", name)
            self.types[str(name)] = parent

    def add_entities(self, items: Sequence[Item], default: str, most: str = "entity") -> None:
        """Add entities with their types, which must be below the type `most`."""
        for name, types in self._typed(items, frozenset((default,)), self.identifier):
            if name in self.entities:
                raise fault(f"{str(name)!r} is already declared", name)
            if len(types) > 1:
                raise fault(f"expected one type of {str(name)!r}, got several", name)
            (kind,) = types
            if not self.is_below(kind, most):
                raise fault(f"expected a type below {most!r}, got {kind!r}", name)
            self.entities[str(name)] = kind

    def add_predicates(self, node: Node, needs: Needs) -> None:
        """Add the predicates of a declaration."""
        for item in node.items[1:]:
            if not isinstance(item, Node) or not item.items:
                raise fault(
                    f"expected a predicate such as (at ?a - agent), got {shown(item)}", item
                )
            is_fact = item.head == ":fact"
            if is_fact:
                needs.use(":facts", item)
            words = item.items[is_fact:]
            if not words:
                raise fault("expected the name of a predicate after ':fact'", item, after=True)
            name = self.identifier(words[0])
            if name in self.predicates:
                raise fault(f"the predicate {str(name)!r} is already declared", name)
            parameters = self.parameters(words[1:], "object", needs)
            self.predicates[str(name)] = Predicate(parameters, is_fact)

    def parameters(
        self, items: Sequence[Item], default: str, needs: Needs
    ) -> tuple[Parameter, ...]:
        """Return typed variables. A type belongs to all variables before it without a type."""
        parameters = self._typed(items, frozenset((default,)), self.variable)
        seen: set[str] = set()
        for name, types in parameters:
            if name in seen:
                raise fault(f"the variable {str(name)!r} is given twice", name)
            seen.add(name)
            if not types <= RESERVED.keys():
                needs.use(":typing", name)
        return tuple(parameters)

    def _typed(
        self,
        items: Sequence[Item],
        default: Types,
        read: Callable[[Item], Token],
    ) -> list[Parameter]:
        typed: list[Parameter] = []
        waiting: list[Token] = []
        place = 0
        while place < len(items):
            item = items[place]
            place += 1
            if item != "-":
                waiting.append(read(item))
                continue
            if not waiting or place == len(items):
                wanted = "a type after '-'" if waiting else "a name before '-'"
                raise fault(f"expected {wanted}", item)
            types = self._types(items[place])
            typed += [Parameter(name, types) for name in waiting]
            waiting = []
            place += 1
        return typed + [Parameter(name, default) for name in waiting]

    def _types(self, item: Item) -> Types:
        words = [item] if isinstance(item, Token) else item.items[1:]
        if isinstance(item, Node) and (item.head != "either" or not words):
            raise fault(f"expected a type or (either TYPE ...), got {shown(item)}", item)
        for word in words:
            if self.identifier(word) not in self.types:
                raise unknown("type", self.identifier(word), list(self.types))
        return frozenset(map(str, words))

    # ---- words --------------------------------------------------------------------------------

    @staticmethod
    def identifier(item: Item) -> Token:
        """Return a name; raise an error for anything else."""
        if not isinstance(item, Token) or not (item[0].isalpha() or item[0] == "_"):
            raise fault(f"expected a name, got {shown(item)}", item)
        return item

    @staticmethod
    def variable(item: Item) -> Token:
        """Return a variable; raise an error for anything else."""
        if not isinstance(item, Token) or item[0] != "?":
            raise fault(f"expected a variable such as ?x, got {shown(item)}", item)
        return item

    # ---- types --------------------------------------------------------------------------------

    def is_below(self, kind: str, above: str) -> bool:
        """Return whether a type is another one or below it."""
        seen = set()
        while kind and kind not in seen:
            if kind == above:
                return True
            seen.add(kind)
            kind = self.types[kind]
        return False

    def entities_of(self, types: Iterable[str]) -> list[str]:
        """Return the entities of these types, in order."""
        return [
            name
            for name, kind in self.entities.items()
            if any(self.is_below(kind, each) for each in types)
        ]

    def bindings(self, parameters: Sequence[Parameter]) -> Iterable[dict[str, str]]:
        """Return all bindings of parameters, the last one changing fastest."""
        names = [str(name) for name, _ in parameters]
        choices = [self.entities_of(types) for _, types in parameters]
        return (dict(zip(names, chosen, strict=True)) for chosen in combinations(*choices))

    def term(self, item: Item, scope: Scope, wanted: Types) -> Callable[[Binding], str]:
        """Return a function to the entity of a name or variable of one of the wanted types."""
        if not isinstance(item, Token) or item[0] in ":=/-|" or item.endswith("."):
            raise fault(f"expected a name or a variable, got {shown(item)}", item)
        word = str(item)
        if word[0] == "?":
            if word not in scope:
                raise unknown("variable", item, list(scope))
            types = scope[word]
        else:
            if word not in self.entities:
                raise unknown("name", item, self.entities_of(wanted))
            types = frozenset((self.entities[word],))
        for kind in types:
            if not any(self.is_below(kind, each) for each in wanted):
                expected = " or ".join(sorted(wanted))
                raise fault(f"expected {word!r} to be of type {expected}, not {kind}", item)
        return (lambda binding: binding[word]) if word[0] == "?" else (lambda binding: word)

    def arguments(
        self, name: Token, items: Sequence[Item], scope: Scope, parameters: Sequence[Parameter]
    ) -> Callable[[Binding], tuple[str, ...]]:
        """Return a function to the arguments of a predicate or event, after checking them."""
        if len(items) != len(parameters):
            place = items[len(parameters)] if len(items) > len(parameters) else name
            number = f"{len(parameters)} argument{'s' * (len(parameters) != 1)}"
            raise fault(f"expected {number} of {str(name)!r}, got {len(items)}", place)
        read = [
            self.term(item, scope, types)
            for item, (_, types) in zip(items, parameters, strict=True)
        ]
        return lambda binding: tuple([argument(binding) for argument in read])
