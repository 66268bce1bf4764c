"""Formulas and lists of EPDDL, read into functions from bindings to ground formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeVar

from symkripke.language import FALSE, TRUE, Atom, Formula, Name, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.language.scanner import Token
from symkripke.problems.epddl.names import Binding, Names, Needs, Parameter, Scope
from symkripke.problems.epddl.syntax import Item, Node, fault, shown, unknown

T = TypeVar("T")

Grounding: TypeAlias = Callable[[Binding], T]
"""A function from the entities of variables to a ground object."""


def always(binding: Binding) -> Formula:
    """Return the formula `true`."""
    return TRUE


_FORMULA = "a formula such as (p ?x), (and ...) or ([ann] ...)"
_WORDS = ("true", "false", "not", "and", "or", "imply", "forall", "exists")
_AGENT = frozenset(("agent",))
_GROUP = frozenset(("agent-group",))


class Formulas:
    """A reader of formulas and lists in one file.

    Attributes:
        names: the declared names.
        needs: the requirements of the file.
        facts: the facts that are true; read while grounding.
    """

    def __init__(self, names: Names, needs: Needs, facts: set[Atom]) -> None:
        """Read with these names; record the requirements that formulas need."""
        self.names = names
        self.needs = needs
        self.facts = facts

    # ---- formulas -----------------------------------------------------------------------------

    def formula(
        self, item: Item, scope: Scope, part: str, *, of_facts: bool = False
    ) -> Grounding[Formula]:
        """Return the grounding of a formula.

        Args:
            item: the formula.
            scope: the variables in scope.
            part: the part of the task, as in requirements; empty in a theory, where formulas need
                no requirements and cannot be about knowledge.
            of_facts: whether the formula may have only facts and equality, as a condition of lists.
        """
        if not isinstance(item, Node) or item.bracket != "(" or not item.items:
            raise fault(f"expected {_FORMULA}, got {shown(item)}", item)
        first, *rest = item.items

        def inner(each: Item, in_scope: Scope = scope) -> Grounding[Formula]:
            return self.formula(each, in_scope, part, of_facts=of_facts)

        if isinstance(first, Node):
            if of_facts or not part:
                where = "a condition of a list" if of_facts else "this part of a theory"
                raise fault(f"{where} cannot be about knowledge", first)
            self._needs("modal", part, item)
            if first.head == "C.":
                static = "static-" if all(map(self._is_static, rest)) else ""
                self.needs.use(f":{static}common-knowledge", first)
            return self._modal(first, self._one(first, rest, inner), scope)
        match str(first):
            case "true" | "false":
                self._count(first, rest, 0)
                constant = TRUE if first == "true" else FALSE
                return lambda binding: constant
            case "=" | "/=":
                self._count(first, rest, 2)
                self.needs.use(":equality", item)
                left, right = (self._anything(each, scope) for each in rest)
                equal = first == "="
                return lambda binding: f.Constant((left(binding) == right(binding)) == equal)
            case "not":
                self._needs("negative", part, item)
                operand = self._one(first, rest, inner)
                return lambda binding: negation(operand(binding))
            case "and" | "or":
                if first == "or":
                    self._needs("disjunctive", part, item)
                if not rest:
                    raise fault(f"expected one or more formulas after {str(first)!r}", first)
                operands = [inner(each) for each in rest]
                joined = conjunction if first == "and" else disjunction
                return lambda binding: joined([operand(binding) for operand in operands])
            case "imply":
                self._needs("negative", part, item)
                self._count(first, rest, 2)
                premise, conclusion = map(inner, rest)
                return lambda binding: implies(premise(binding), conclusion(binding))
            case "forall" | "exists":
                self._needs("universal" if first == "forall" else "existential", part, item)
                self._count(first, rest, 2)
                bindings, wider, _ = self.comprehended(rest[0], scope, "object")
                body = inner(rest[1], wider)
                whole = conjunction if first == "forall" else disjunction
                return lambda binding: whole([body(each) for each in bindings(binding)])
        return self._predicate(first, rest, scope, of_facts)

    def _predicate(
        self, name: Token, rest: Sequence[Item], scope: Scope, of_facts: bool
    ) -> Grounding[Formula]:
        atom, is_fact = self.atom(name, rest, scope)
        if not is_fact:
            if of_facts:
                raise fault(
                    f"a condition of a list has only facts, and {str(name)!r} is none", name
                )
            return atom
        facts = self.facts
        return lambda binding: f.Constant(atom(binding) in facts)

    def atom(self, name: Item, rest: Sequence[Item], scope: Scope) -> tuple[Grounding[Atom], bool]:
        """Return the grounding of an atom, and whether it is a fact."""
        word = self.names.identifier(name)
        predicate = self.names.predicates.get(word)
        if predicate is None:
            raise unknown("predicate", word, [*self.names.predicates, *_WORDS])
        arguments = self.names.arguments(word, rest, scope, predicate.parameters)
        functor = str(word)
        return (lambda binding: Atom(Name(functor, arguments(binding)))), predicate.is_fact

    def _anything(self, item: Item, scope: Scope) -> Grounding[str]:
        return self.names.term(item, scope, frozenset(("entity", "world", "event")))

    def _needs(self, shape: str, part: str, item: Item) -> None:
        if part:
            self.needs.use(f":{shape}-{part}", item)

    @staticmethod
    def _count(first: Item, rest: Sequence[Item], number: int) -> None:
        if len(rest) != number:
            place = rest[number] if len(rest) > number else first
            raise fault(f"expected {number} parts after {shown(first)}, got {len(rest)}", place)

    def _one(
        self, first: Item, rest: Sequence[Item], inner: Callable[[Item], Grounding[Formula]]
    ) -> Grounding[Formula]:
        if len(rest) != 1:
            place = rest[1] if rest else first
            raise fault(f"expected one formula after {shown(first)}, got {len(rest)}", place)
        return inner(rest[0])

    # ---- knowledge ----------------------------------------------------------------------------

    def _modal(
        self, modality: Node, operand: Grounding[Formula], scope: Scope
    ) -> Grounding[Formula]:
        if modality.bracket not in "[<":
            raise fault(f"expected {_FORMULA}, got {shown(modality)}", modality)
        words = modality.items
        name = str(words[0]) if words and str(words[0]) in ("Kw.", "C.") else ""
        if name == "Kw.":
            self.needs.use(":knowing-whether", modality)
        if len(words) != 1 + bool(name):
            if words and str(words[0]).endswith(".") and not name:
                raise fault(f"expected 'Kw.' or 'C.', got {shown(words[0])}", words[0])
            raise fault(f"expected one agent or group in {shown(modality)}", modality)
        group = self._group(words[-1], scope, together=name == "C.")
        build = MODALITIES[name + _SIDES[modality.bracket]]
        return lambda binding: build(group(binding), operand(binding))

    def _is_static(self, item: Item) -> bool:
        """Return whether a formula mentions only facts."""
        if isinstance(item, Token):
            return True
        predicate = self.names.predicates.get(item.head)
        return (predicate is None or predicate.is_fact) and all(map(self._is_static, item))

    def _group(self, item: Item, scope: Scope, *, together: bool) -> Grounding[tuple[str, ...]]:
        """Return the grounding of an agent or a group; `together` allows no single agent."""
        names = self.names
        if isinstance(item, Node):
            self.needs.use(":group-modalities", item)
            return self.group(item, scope)
        if item == "All":
            self.needs.use(":group-modalities", item)
            return lambda binding: tuple(names.entities_of(_AGENT))
        term = names.term(item, scope, _GROUP if together else _AGENT | _GROUP)

        def agents(binding: Binding) -> tuple[str, ...]:
            name = term(binding)
            return names.groups.get(name, (name,))

        return agents

    def group(self, item: Item, scope: Scope) -> Grounding[tuple[str, ...]]:
        """Return the grounding of a list of agents, in the order of their declaration."""

        def leaf(node: Node, inside: Scope) -> Grounding[tuple[str, ...]]:
            self.needs.use(":lists", node)
            members = [self.names.term(each, inside, _AGENT) for each in node]
            return lambda binding: tuple(member(binding) for member in members)

        listed = self.items(item, scope, leaf, "agent")
        names = self.names

        def agents(binding: Binding) -> tuple[str, ...]:
            members = {agent for row in listed(binding) for agent in row}
            return tuple(agent for agent in names.entities_of(_AGENT) if agent in members)

        return agents

    # ---- lists --------------------------------------------------------------------------------

    def comprehended(
        self, item: Item, scope: Scope, default: str
    ) -> tuple[Callable[[Binding], Iterator[Binding]], Scope, tuple[Parameter, ...]]:
        """Return the bindings of `(?x - type ... [| condition])`, the scope and the variables."""
        if not isinstance(item, Node) or item.bracket != "(":
            raise fault(f"expected variables such as (?x - agent), got {shown(item)}", item)
        items = item.items
        end = next((place for place, item in enumerate(items) if item == "|"), len(items))
        parameters = self.names.parameters(items[:end], default, self.needs)
        wider = {**scope, **{str(name): types for name, types in parameters}}
        condition: Grounding[Formula] = always
        if end < len(items):
            self.needs.use(":list-comprehensions", items[end])
            condition = self._one(
                items[end],
                items[end + 1 :],
                lambda each: self.formula(each, wider, "list-formulas", of_facts=True),
            )
        names = self.names

        def bindings(binding: Binding) -> Iterator[Binding]:
            for chosen in names.bindings(parameters):
                wide = {**binding, **chosen}
                if condition(wide) is TRUE:
                    yield wide

        return bindings, wider, parameters

    def items(
        self,
        item: Item,
        scope: Scope,
        leaf: Callable[[Node, Scope], Grounding[T]],
        default: str,
    ) -> Callable[[Binding], Iterator[T]]:
        """Return the entries of a list: a leaf, `(:and ...)`, `(:forall (...) ...)` or `()`."""
        if not isinstance(item, Node) or item.bracket != "(":
            raise fault(f"expected a list in brackets, got {shown(item)}", item)
        if not item.items:
            return lambda binding: iter(())
        if item.head == ":and":
            self.needs.use(":lists", item)
            if len(item) == 1:
                raise fault("expected one or more lists after ':and'", item.items[0])
            parts = [self.items(each, scope, leaf, default) for each in item.items[1:]]
            return lambda binding: (entry for part in parts for entry in part(binding))
        if item.head == ":forall":
            self.needs.use(":lists", item)
            self._count(item.items[0], item.items[1:], 2)
            bindings, wider, _ = self.comprehended(item.items[1], scope, default)
            body = self.items(item.items[2], wider, leaf, default)
            return lambda binding: (entry for each in bindings(binding) for entry in body(each))
        if item.head.startswith(":"):
            raise fault(f"expected ':and' or ':forall', got {item.head!r}", item.items[0])
        entry = leaf(item, scope)
        return lambda binding: iter((entry(binding),))


def implies(premise: Formula, conclusion: Formula) -> Formula:
    """Return an implication, simplified if a part is constant."""
    if isinstance(premise, f.Constant) or isinstance(conclusion, f.Constant):
        return disjunction((negation(premise), conclusion))
    return f.Implies(premise, conclusion)


def _everybody(group: tuple[str, ...], operand: Formula) -> Formula:
    if len(group) == 1:
        return f.K(group[0], operand)
    return f.E(group, operand) if group else TRUE


_SIDES = {"[": "box", "<": "diamond"}

MODALITIES: Mapping[str, Callable[[tuple[str, ...], Formula], Formula]] = {
    "box": _everybody,
    "diamond": lambda group, operand: conjunction([f.M(agent, operand) for agent in group]),
    "Kw.box": lambda group, operand: conjunction([f.Kw(agent, operand) for agent in group]),
    "Kw.diamond": lambda group, operand: conjunction([~f.Kw(agent, operand) for agent in group]),
    "C.box": lambda group, operand: f.C(group, operand) if group else TRUE,
    "C.diamond": lambda group, operand: ~f.C(group, ~operand) if group else FALSE,
}
"""The meaning of each modality. `<I>` of a group is not the dual of `[I]`: each agent counts."""
