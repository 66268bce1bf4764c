"""Reading EPDDL: a domain, a problem and libraries of action types, with checks of all names.

The reader checks a whole task, also the parts that grounding never reaches. Later files see the
names of earlier ones: first the domain's types, predicates and constants, then the problem's
objects and agents, then the action types, events and actions, and last the initial state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files as resources
from typing import NamedTuple, TypeAlias, TypeVar

from symkripke.errors import InputError, NestedTooDeeply
from symkripke.language import TRUE, Atom, Formula, conjunction, negation
from symkripke.language.scanner import Token
from symkripke.problems.epddl.formulas import Formulas, Grounding, always
from symkripke.problems.epddl.names import Binding, Names, Needs, Parameter, Scope
from symkripke.problems.epddl.requirements import REQUIREMENTS, entailed
from symkripke.problems.epddl.syntax import Item, Node, Text, fault, read, shown, unknown
from symkripke.records import dataclass

STANDARD = ("basic", "intermediate")
"""The libraries of action types that need no file."""

_CONDITIONS = tuple(
    f":{adjective}-{part}"
    for adjective in ("trivial", "non-trivial", "propositional")
    for part in ("precondition", "postconditions", "event")
)

_NO_SCOPE: Scope = {}
_AGENT, _WORLD, _EVENT = frozenset(("agent",)), frozenset(("world",)), frozenset(("event",))

Pair: TypeAlias = tuple[str, str]
Literal: TypeAlias = tuple[Atom, bool]
Effect: TypeAlias = tuple[Atom, Formula, Formula]
"""An atom, the condition under which it becomes true, and that under which it becomes false."""


class ActionType(NamedTuple):
    """An action type: an event model whose events are variables."""

    name: Token
    library: str
    events: tuple[str, ...]
    relations: Mapping[str, tuple[Pair, ...]]
    designated: tuple[str, ...]
    conditions: Mapping[str, Sequence[str]]


_BASIC = ActionType(
    Token("basic", "", 0), "", ("?e",), {"Fully": (("?e", "?e"),)}, ("?e",), conditions={}
)
"""The built-in action type: one event, which all agents see."""


class EventSchema(NamedTuple):
    """An event of a domain; its functions take the entities of its parameters."""

    name: Token
    parameters: tuple[Parameter, ...]
    precondition: Grounding[Formula]
    effects: Callable[[Binding], Iterator[Iterable[Effect]]] | None
    fits: frozenset[str]
    """The conditions of action types that the event satisfies."""


class Observing(NamedTuple):
    """A way of observing: an agent, or None for the default, and types with their conditions."""

    agent: str | None
    cases: tuple[tuple[Formula, str | None], ...]
    """The conditions exclude each other. None is the default type."""


class ActionSchema(NamedTuple):
    """An action of a domain; its functions take the entities of its parameters."""

    name: Token
    parameters: tuple[Parameter, ...]
    bindings: Callable[[Binding], Iterator[Binding]]
    kind: ActionType
    events: tuple[tuple[EventSchema, Callable[[Binding], tuple[str, ...]]], ...]
    observers: Callable[[Binding], Iterator[Observing]] | None


_Schema = TypeVar("_Schema", EventSchema, ActionSchema)


class Theory(NamedTuple):
    """A finitary S5 theory.

    Attributes:
        actual: formulas that are true at the designated worlds.
        law: formulas that are true at all worlds.
        observed: for each agent, the formulas whose truth values it knows.
    """

    actual: tuple[Formula, ...]
    law: tuple[Formula, ...]
    observed: Mapping[str, tuple[Formula, ...]]


class Listed(NamedTuple):
    """An initial state that is listed world by world."""

    worlds: tuple[str, ...]
    relations: Mapping[str, tuple[Pair, ...]]
    labels: Mapping[str, frozenset[Atom]]
    designated: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Specification:
    """The contents of the files of a task.

    Attributes:
        domain: the name of the domain.
        problem: the name of the problem.
        libraries: the names of the libraries that the domain names.
        requirements: the declared requirements and those that they entail, in order.
        names: the declared names.
        facts: the true facts.
        kinds: the action types.
        events: the events by name.
        actions: the actions by name.
        init: the initial state; None without a problem.
        init_node: its place.
        goal: the goal.
        notes: warnings and remarks, each with its place.
    """

    domain: str
    problem: str
    libraries: tuple[str, ...]
    requirements: tuple[str, ...]
    names: Names
    facts: frozenset[Atom]
    kinds: Mapping[str, ActionType]
    events: Mapping[str, EventSchema]
    actions: Mapping[str, ActionSchema]
    init: Theory | Listed | None
    init_node: Node | None
    goal: Formula
    notes: tuple[str, ...]


def read_task(texts: Iterable[Text]) -> Specification:
    """Read the files of a task: a domain, a problem if there is one, and libraries, in any order.

    Raises:
        ProblemError: a text is invalid; the message shows the file, and the line with a caret.
        InputError: there is no domain, or more than one.
    """
    try:
        return _Reader(texts).read()
    except RecursionError:
        raise NestedTooDeeply from None


class _File:
    """One file, with its requirements."""

    def __init__(self, text: Text) -> None:
        whole = read(text)
        head = whole.items[1] if len(whole) > 1 else whole
        kinds = ("domain", "problem", "action-type-library")
        if not isinstance(head, Node) or len(head) != 2 or whole is head:
            raise fault(
                "expected (domain NAME), (problem NAME) or (action-type-library NAME)", head
            )
        first = Names.identifier(head.items[0])
        if first not in kinds:
            raise unknown("kind of file", first, kinds)
        self.kind = str(first)
        self.name = Names.identifier(head.items[1])
        self.items = whole.items[2:]
        self.needs = Needs()
        self.whole = whole

    def sections(self, *known: str) -> dict[str, list[Node]]:
        """Return the sections by keyword, after reading the requirements."""
        sections: dict[str, list[Node]] = {name: [] for name in (":requirements", *known)}
        for item in self.items:
            if not isinstance(item, Node) or not item.items:
                raise fault(f"expected a section such as ({known[0]} ...), got {shown(item)}", item)
            first = item.items[0]
            if not isinstance(first, Token):
                raise fault(f"expected a keyword such as {known[0]!r}, got {shown(first)}", first)
            if first not in sections:
                raise unknown("section", first, list(sections))
            sections[first].append(item)
        for node in sections[":requirements"]:
            for word in node.items[1:]:
                if not isinstance(word, Token):
                    raise fault(f"expected a requirement, got {shown(word)}", word)
                if word not in REQUIREMENTS:
                    raise unknown("requirement", word, sorted(REQUIREMENTS))
                self.needs.declared.append(str(word))
        return sections


def _parts(
    node: Node, start: int, required: Sequence[str], optional: Sequence[str]
) -> dict[str, Item]:
    """Return the values of the keywords in a declaration, from the item number `start`."""
    parts: dict[str, Item] = {}
    items = node.items[start:]
    place = 0
    while place < len(items):
        word = items[place]
        if not isinstance(word, Token) or word[0] != ":":
            wanted = next((name for name in (*required, *optional) if name not in parts), "")
            after = f" such as {wanted!r}" if wanted else ""
            raise fault(f"expected a keyword{after}, got {shown(word)}", word)
        if word not in (*required, *optional):
            raise unknown("keyword", word, [*required, *optional])
        if word in parts:
            raise fault(f"{str(word)!r} is given twice", word)
        if place + 1 == len(items):
            raise fault(f"expected a value after {str(word)!r}", word)
        parts[str(word)] = items[place + 1]
        place += 2
    for name in required:
        if name not in parts:
            raise fault(f"expected {name!r}", node, after=True)
    return parts


def _node(item: Item, what: str) -> Node:
    if not isinstance(item, Node) or item.bracket != "(":
        raise fault(f"expected {what} in brackets, got {shown(item)}", item)
    return item


def _named(node: Node, what: str) -> Token:
    """Return the name in a declaration such as `(:event NAME ...)`."""
    if len(node) < 2:
        raise fault(f"expected the name of {what}", node, after=True)
    return Names.identifier(node.items[1])


def _pairs(item: Item, what: str) -> list[tuple[Item, Item]]:
    """Return the items of a list in pairs: a name, and what belongs to it."""
    items = _node(item, what).items
    if len(items) % 2:
        raise fault(f"expected more after {shown(items[-1])}", items[-1])
    return list(zip(items[::2], items[1::2], strict=True))


def _unique(
    words: Sequence[Item], read_word: Callable[[Item], Token], what: str
) -> tuple[str, ...]:
    """Return different words, at least one."""
    found: dict[str, None] = {}
    for item in words:
        word = read_word(item)
        if word in found:
            raise fault(f"the {what} {str(word)!r} is given twice", word)
        found[str(word)] = None
    return tuple(found)


class _Reader:
    """The reader of all files of a task."""

    def __init__(self, texts: Iterable[Text]) -> None:
        self.names = Names()
        self.facts: set[Atom] = set()
        self.notes: list[str] = []
        files = [_File(text) for text in texts]
        self.domain = self._only(files, "domain")
        self.problem = self._only(files, "problem")
        self.libraries = [file for file in files if file.kind == "action-type-library"]
        if self.domain is None:
            raise InputError("expected a domain, as in (define (domain NAME) ...)")

    @staticmethod
    def _only(files: Sequence[_File], kind: str) -> _File | None:
        found = [file for file in files if file.kind == kind]
        if len(found) > 1:
            raise fault(f"expected one {kind}, got a second one", found[1].name)
        return found[0] if found else None

    def read(self) -> Specification:
        """Return the contents of all files."""
        domain, problem, names = self.domain, self.problem, self.names
        assert domain is not None
        parts = domain.sections(
            *(":action-type-libraries", ":types", ":predicates", ":constants", ":event", ":action")
        )
        for node in parts[":types"]:
            domain.needs.use(":typing", node)
            names.add_types(node)
        for node in parts[":predicates"]:
            names.add_predicates(node, domain.needs)
        for node in parts[":constants"]:
            names.add_entities(node.items[1:], "object")
        mine: dict[str, list[Node]] = {}
        if problem is not None:
            mine = self._problem_names(problem, domain)
        libraries = self._libraries(domain, parts[":action-type-libraries"])
        kinds = self._kinds()
        formulas = Formulas(names, domain.needs, self.facts)
        events = _by_name("event", (self._event(node, formulas) for node in parts[":event"]))
        actions = _by_name(
            "action", (self._action(node, formulas, kinds, events) for node in parts[":action"])
        )
        for action in actions.values():
            self._check_library(action, libraries)
        used = {id(event) for action in actions.values() for event, _ in action.events}
        for event in events.values():
            if id(event) not in used:
                self._note(event.name, f"no action uses the event {event.name}")
        init: Theory | Listed | None = None
        place: Node | None = None
        goal: Formula = TRUE
        if problem is not None:
            mine_of = Formulas(names, problem.needs, self.facts)
            place = mine[":init"][0]
            init = self._init(place, mine_of)
            goals = []
            for each in mine[":goal"]:
                if len(each) != 2:
                    raise fault("expected one formula after ':goal'", each, after=len(each) < 2)
                goals.append(mine_of.formula(each.items[1], _NO_SCOPE, "goals")({}))
            goal = conjunction(goals)
        for file in (domain, problem):
            for requirement, item in () if file is None else file.needs.missing():
                self._note(item, f"this needs {requirement}, which the file does not declare")
        return Specification(
            str(domain.name),
            "" if problem is None else str(problem.name),
            libraries,
            tuple(
                sorted(
                    entailed(
                        name
                        for file in (domain, problem, *self.libraries)
                        if file is not None
                        for name in file.needs.declared
                    )
                )
            ),
            names,
            frozenset(self.facts),
            kinds,
            events,
            actions,
            init,
            place,
            goal,
            tuple(self.notes),
        )

    def _note(self, item: Item, words: str) -> None:
        path = item.source.path if isinstance(item.source, Text) else ""
        self.notes.append(
            f"{path}, line {item.line}: {words}" if path else f"line {item.line}: {words}"
        )

    # ---- names --------------------------------------------------------------------------------

    def _problem_names(self, problem: _File, domain: _File) -> dict[str, list[Node]]:
        """Read the names of a problem, and return its sections."""
        names = self.names
        if not problem.items or not isinstance(problem.items[0], Node):
            raise fault("expected (:domain NAME)", problem.whole, after=True)
        sections = problem.sections(
            *(":domain", ":objects", ":agents", ":agent-groups", ":facts-init", ":init", ":goal")
        )
        for node in sections[":domain"]:
            if len(node) != 2:
                raise fault("expected the name of the domain", node, after=True)
            name = Names.identifier(node.items[1])
            if name != domain.name:
                raise fault(
                    f"the problem is about the domain {str(name)!r}, and the given domain is "
                    f"{str(domain.name)!r}",
                    name,
                )
        for node in sections[":objects"]:
            names.add_entities(node.items[1:], "object", "object")
        for node in sections[":agents"]:
            names.add_entities(node.items[1:], "agent", "agent")
        if not names.entities_of(_AGENT):
            raise fault("expected agents, as in (:agents ann bob)", problem.whole, after=True)
        for keyword in (":domain", ":init", ":goal"):
            if not sections[keyword]:
                raise fault(f"expected ({keyword} ...)", problem.whole, after=True)
        for keyword in (":domain", ":init", ":facts-init"):
            if len(sections[keyword]) > 1:
                raise fault(f"{keyword!r} is given twice", sections[keyword][1])
        formulas = Formulas(names, problem.needs, self.facts)
        for node in sections[":facts-init"]:
            problem.needs.use(":facts", node)
            for item in node.items[1:]:
                fact = _node(item, "a fact")
                if not fact.items:
                    raise fault("expected a fact such as (next a b)", fact)
                atom, is_fact = formulas.atom(fact.items[0], fact.items[1:], _NO_SCOPE)
                if not is_fact:
                    raise fault(f"{fact.head!r} is not declared with ':fact'", fact)
                self.facts.add(atom({}))
        for node in sections[":agent-groups"]:
            for item in node.items[1:]:
                problem.needs.use(":agent-groups", item)
                declared = _node(item, "a group such as (team (ann bob))")
                if len(declared) < 2:
                    raise fault("expected a name and a list of agents", declared)
                names.add_entities(declared.items[:-1], "agent-group", "agent-group")
                members = formulas.group(declared.items[-1], _NO_SCOPE)({})
                names.groups[str(declared.items[0])] = members
        return sections

    # ---- libraries ----------------------------------------------------------------------------

    def _libraries(self, domain: _File, nodes: Sequence[Node]) -> tuple[str, ...]:
        """Return the names of the libraries; add the standard ones that are not given as files."""
        given = {str(library.name) for library in self.libraries}
        named = []
        for node in nodes:
            domain.needs.use(":partial-observability", node)
            if len(node) == 1:
                raise fault("expected the name of a library", node, after=True)
            for item in node.items[1:]:
                name = Names.identifier(item)
                if name not in (*given, *STANDARD):
                    raise unknown("library", name, [*given, *STANDARD])
                named.append(str(name))
        if not given.intersection(STANDARD) or set(named) - given:
            text = (
                resources("symkripke.problems.epddl").joinpath("standard.epddl").read_text("utf-8")
            )
            self.libraries.append(_File(Text(text, "standard.epddl")))
        return tuple(named)

    def _kinds(self) -> dict[str, ActionType]:
        kinds = {"basic": _BASIC}
        for library in self.libraries:
            for node in library.sections(":action-type")[":action-type"]:
                kind = self._kind(node, library)
                earlier = kinds.get(str(kind.name))
                if earlier is not None and earlier.library == kind.library:
                    raise fault(
                        f"the action type {str(kind.name)!r} is already declared", kind.name
                    )
                kinds.setdefault(str(kind.name), kind)
        return kinds

    def _kind(self, node: Node, library: _File) -> ActionType:
        name = _named(node, "an action type")
        parts = _parts(
            node,
            2,
            (":events", ":observability-types", ":relations", ":designated"),
            (":conditions",),
        )
        events = _unique(_node(parts[":events"], "events").items, Names.variable, "event")
        kinds = _unique(
            _node(parts[":observability-types"], "observability types").items,
            Names.identifier,
            "observability type",
        )
        if not events or not kinds:
            raise fault("expected one or more events and observability types", node)
        inner = Names()
        inner.entities = dict.fromkeys(events, "event")
        formulas = Formulas(inner, library.needs, set())
        relations: dict[str, tuple[Pair, ...]] = dict.fromkeys(kinds, ())
        for kind, pairs in self._relations(
            parts[":relations"], formulas, dict.fromkeys(events, _EVENT), _EVENT, kinds
        ):
            relations[kind] = pairs
        known = [str(event) for event in events]
        designated = self._known(_node(parts[":designated"], "events"), known, "event")
        if len(designated) > 1:
            library.needs.use(":multi-pointed-models", parts[":designated"])
        conditions: dict[str, Sequence[str]] = {}
        if ":conditions" in parts:
            library.needs.use(":events-conditions", parts[":conditions"])
            for item, demanded in _pairs(parts[":conditions"], "conditions"):
                (event,) = self._known([item], known, "event")
                words = _node(demanded, "conditions")
                conditions[event] = self._known(words, _CONDITIONS, "condition")
        return ActionType(name, str(library.name), events, relations, designated, conditions)

    @staticmethod
    def _known(items: Iterable[Item], known: Sequence[str], what: str) -> tuple[str, ...]:
        words = []
        for item in items:
            if not isinstance(item, Token):
                raise fault(f"expected the name of one {what}, got {shown(item)}", item)
            if item not in known:
                raise unknown(what, item, known)
            words.append(str(item))
        return tuple(words)

    def _relations(
        self,
        item: Item,
        formulas: Formulas,
        scope: Scope,
        nodes: frozenset[str],
        kinds: Sequence[str],
    ) -> Iterator[tuple[str, tuple[Pair, ...]]]:
        """Yield the name and the pairs of each relation."""

        def leaf(node: Node, inside: Scope) -> Grounding[Pair]:
            if len(node) != 2:
                raise fault(f"expected a pair, got {shown(node)}", node)
            first, second = (formulas.names.term(each, inside, nodes) for each in node)
            return lambda binding: (first(binding), second(binding))

        itself = {name: name for name in scope}
        (default,) = nodes
        for name, pairs in _pairs(item, "relations"):
            (kind,) = self._known([name], kinds, "name")
            yield kind, tuple(formulas.items(pairs, scope, leaf, default)(itself))

    def _check_library(self, action: ActionSchema, libraries: Sequence[str]) -> None:
        library = action.kind.library
        if library and library not in libraries and not (library == "standard" and libraries):
            named = "intermediate" if library == "standard" else library
            self._note(
                action.name,
                f"the action {action.name} has the type {action.kind.name} of the library {named}, "
                "which the domain does not name",
            )

    # ---- events -------------------------------------------------------------------------------

    def _event(self, node: Node, formulas: Formulas) -> EventSchema:
        name = _named(node, "an event")
        parts = _parts(node, 2, (), (":parameters", ":precondition", ":effects"))
        parameters: tuple[Parameter, ...] = ()
        if ":parameters" in parts:
            items = _node(parts[":parameters"], "parameters").items
            parameters = self.names.parameters(items, "object", formulas.needs)
        scope = {str(each): types for each, types in parameters}
        precondition: Grounding[Formula] = always
        if ":precondition" in parts:
            precondition = formulas.formula(parts[":precondition"], scope, "preconditions")
        effects = None
        if ":effects" in parts and _node(parts[":effects"], "effects").items:
            formulas.needs.use(":ontic-actions", parts[":effects"])
            effects = formulas.items(parts[":effects"], scope, self._effects(formulas), "object")
        fits = _fitting(parts.get(":precondition"), effects and parts[":effects"])
        return EventSchema(name, parameters, precondition, effects, fits)

    def _effects(self, formulas: Formulas) -> Callable[[Node, Scope], Grounding[Iterable[Effect]]]:
        def literal(node: Node, scope: Scope) -> Grounding[Literal]:
            positive = node.head != "not"
            if not positive:
                if len(node) != 2:
                    raise fault("expected one atom after 'not'", node)
                node = _node(node.items[1], "an atom")
            if not node.items:
                raise fault("expected an atom", node)
            atom, is_fact = formulas.atom(node.items[0], node.items[1:], scope)
            if is_fact:
                raise fault(f"the fact {node.head!r} cannot change", node)
            return lambda binding: (atom(binding), positive)

        def leaf(node: Node, scope: Scope) -> Grounding[Iterable[Effect]]:
            if node.head not in ("when", "iff"):
                only = literal(node, scope)
                return lambda binding: [_effect(only(binding), TRUE, is_iff=False)]
            formulas.needs.use(":conditional-effects", node)
            if len(node) != 3:
                raise fault(f"expected a formula and literals after {node.head!r}", node)
            is_iff = node.head == "iff"
            condition = formulas.formula(node.items[1], scope, "postconditions")
            literals = formulas.items(node.items[2], scope, literal, "object")

            def ground(binding: Binding) -> Iterable[Effect]:
                when = condition(binding)
                return [_effect(each, when, is_iff=is_iff) for each in literals(binding)]

            return ground

        return leaf

    # ---- actions ------------------------------------------------------------------------------

    def _action(
        self,
        node: Node,
        formulas: Formulas,
        kinds: Mapping[str, ActionType],
        events: Mapping[str, EventSchema],
    ) -> ActionSchema:
        name = _named(node, "an action")
        parts = _parts(node, 2, (":parameters", ":action-type"), (":observability-conditions",))
        bindings, scope, parameters = formulas.comprehended(
            parts[":parameters"], _NO_SCOPE, "object"
        )
        signature = _node(parts[":action-type"], "an action type with its events")
        if not signature.items:
            raise fault("expected an action type with its events", signature)
        word = Names.identifier(signature.items[0])
        if word not in kinds:
            raise unknown("action type", word, list(kinds))
        kind = kinds[word]
        if word != "basic":
            formulas.needs.use(":partial-observability", signature)
        given = signature.items[1:]
        if len(given) != len(kind.events):
            place = given[len(kind.events)] if len(given) > len(kind.events) else word
            raise fault(
                f"expected {len(kind.events)} events of the type {str(word)!r} "
                f"({', '.join(kind.events)}), got {len(given)}",
                place,
            )
        chosen = []
        for item, variable in zip(given, kind.events, strict=True):
            call = _node(item, "an event")
            if not call.items:
                raise fault("expected an event such as (look ?a)", call)
            called = Names.identifier(call.items[0])
            if called not in events:
                raise unknown("event", called, list(events))
            event = events[called]
            arguments = self.names.arguments(called, call.items[1:], scope, event.parameters)
            for condition in kind.conditions.get(variable, ()):
                if condition not in event.fits:
                    raise fault(
                        f"the action type {str(kind.name)!r} demands {str(condition)!r} of "
                        f"{variable}, and the event {str(called)!r} does not satisfy it",
                        called,
                    )
            chosen.append((event, arguments))
        observers = None
        if ":observability-conditions" in parts:
            formulas.needs.use(":partial-observability", parts[":observability-conditions"])
            observers = formulas.items(
                parts[":observability-conditions"], scope, self._observing(formulas, kind), "agent"
            )
        elif word != "basic":
            raise fault("expected ':observability-conditions'", node, after=True)
        return ActionSchema(name, parameters, bindings, kind, tuple(chosen), observers)

    def _observing(
        self, formulas: Formulas, kind: ActionType
    ) -> Callable[[Node, Scope], Grounding[Observing]]:
        kinds = list(kind.relations)

        def kind_of(item: Item) -> str:
            return self._known([item], kinds, "observability type")[0]

        def leaf(node: Node, scope: Scope) -> Grounding[Observing]:
            if len(node) != 2:
                raise fault("expected an agent and its observability type", node)
            if node.head == "default":
                only = kind_of(node.items[1])
                return lambda binding: Observing(None, ((TRUE, only),))
            agent = self.names.term(node.items[0], scope, _AGENT)
            how = node.items[1]
            if isinstance(how, Token):
                only = kind_of(how)
                return lambda binding: Observing(agent(binding), ((TRUE, only),))
            cases = self._cases(how, scope, formulas, kind_of)

            def ground(binding: Binding) -> Observing:
                found: list[tuple[Formula, str | None]] = []
                earlier: list[Formula] = []
                for condition, name in cases:
                    here = condition(binding)
                    found.append((conjunction([*earlier, here]), name))
                    earlier.append(negation(here))
                return Observing(agent(binding), tuple(found))

            return ground

        return leaf

    @staticmethod
    def _cases(
        node: Node, scope: Scope, formulas: Formulas, kind_of: Callable[[Item], str]
    ) -> list[tuple[Grounding[Formula], str | None]]:
        """Return the cases of `(if f T else-if f T ... else T)`, with a last one that is true."""
        cases: list[tuple[Grounding[Formula], str | None]] = []
        items = node.items
        place = 0
        wanted: tuple[str, ...] = ("if",)
        while place < len(items):
            word = items[place]
            if str(word) not in wanted or not isinstance(word, Token):
                raise fault(f"expected {' or '.join(map(repr, wanted))}, got {shown(word)}", word)
            length = 2 if word == "else" else 3
            if len(items) < place + length:
                raise fault(f"expected more after {str(word)!r}", word)
            condition: Grounding[Formula] = always
            if length == 3:
                condition = formulas.formula(items[place + 1], scope, "obs-conditions")
            cases.append((condition, kind_of(items[place + length - 1])))
            place += length
            wanted = () if word == "else" else ("else-if", "else")
            if place < len(items) and not wanted:
                raise fault(f"expected ')', got {shown(items[place])}", items[place])
        if not cases:
            raise fault("expected (if ...)", node)
        if wanted:
            cases.append((always, None))
        return cases

    # ---- the initial state --------------------------------------------------------------------

    def _init(self, node: Node, formulas: Formulas) -> Theory | Listed:
        if len(node) < 2:
            raise fault("expected an initial state", node, after=True)
        if isinstance(node.items[1], Token):
            return self._listed(node, formulas)
        if len(node) > 2:
            raise fault(f"expected one list, got {shown(node.items[2])} as well", node.items[2])
        formulas.needs.use(":finitary-S5-theories", node.items[1])
        actual: list[Formula] = []
        law: list[Formula] = []
        observed: dict[str, list[Formula]] = {}

        def leaf(part: Node, scope: Scope) -> Grounding[None]:
            first = part.items[0]
            if isinstance(first, Token):
                fact = formulas.formula(part, scope, "")
                return lambda binding: actual.append(fact(binding))
            if len(part) != 2 or [str(each) for each in first] != ["C.", "All"]:
                raise fault("expected a formula about facts, or ([C. All] ...)", first)
            inner = _node(part.items[1], "a formula")
            if inner.items and isinstance(inner.items[0], Node):
                return known(inner, inner.items[0], scope)
            common = formulas.formula(inner, scope, "")
            return lambda binding: law.append(common(binding))

        def known(part: Node, modality: Node, scope: Scope) -> Grounding[None]:
            words = modality.items
            whether = bool(words) and str(words[0]) == "Kw."
            if (
                len(words) != 1 + whether
                or len(part) != 2
                or (modality.bracket == "<" and not whether)
            ):
                raise fault("expected [agent], [Kw. agent] or <Kw. agent> with a formula", modality)
            agent = self.names.term(words[-1], scope, _AGENT)
            fact = formulas.formula(part.items[1], scope, "")
            if not whether:
                return lambda binding: law.append(fact(binding))
            if modality.bracket == "<":
                return lambda binding: None
            return lambda binding: observed.setdefault(agent(binding), []).append(fact(binding))

        for _ in formulas.items(node.items[1], _NO_SCOPE, leaf, "object")({}):
            pass
        observed_by = {agent: tuple(dict.fromkeys(each)) for agent, each in observed.items()}
        return Theory(tuple(actual), tuple(law), observed_by)

    def _listed(self, node: Node, formulas: Formulas) -> Listed:
        parts = _parts(node, 1, (":worlds", ":relations", ":labels", ":designated"), ())
        worlds = _unique(_node(parts[":worlds"], "worlds").items, Names.identifier, "world")
        if not worlds:
            raise fault("expected one or more worlds", parts[":worlds"])
        inner = Names()
        inner.types, inner.predicates = self.names.types, self.names.predicates
        inner.groups = self.names.groups
        inner.entities = {**self.names.entities, **dict.fromkeys(worlds, "world")}
        wide = Formulas(inner, formulas.needs, self.facts)
        agents = self.names.entities_of(_AGENT)
        relations: dict[str, tuple[Pair, ...]] = {}
        for agent, pairs in self._relations(parts[":relations"], wide, _NO_SCOPE, _WORLD, agents):
            if agent in relations:
                self._note(
                    parts[":relations"],
                    f"the relation of {agent} is given twice; the last one counts",
                )
            relations[agent] = pairs
        for agent in agents:
            if agent not in relations:
                self._note(
                    parts[":relations"],
                    f"{agent} has no relation, so that {agent} considers no world possible",
                )
        labels: dict[str, frozenset[Atom]] = {}

        def leaf(part: Node, scope: Scope) -> Grounding[Atom]:
            return wide.atom(part.items[0], part.items[1:], scope)[0]

        for name, atoms_of in _pairs(parts[":labels"], "labels"):
            (world,) = self._known([name], worlds, "world")
            atoms = wide.items(atoms_of, _NO_SCOPE, leaf, "object")({})
            labels[world] = labels.get(world, frozenset()) | frozenset(atoms)
        designated = self._known(_node(parts[":designated"], "worlds"), worlds, "world")
        if not designated:
            raise fault("expected one or more designated worlds", parts[":designated"])
        if len(designated) > 1:
            formulas.needs.use(":multi-pointed-models", parts[":designated"])
        return Listed(worlds, relations, labels, designated)


def _by_name(what: str, schemas: Iterable[_Schema]) -> dict[str, _Schema]:
    """Return events or actions by name; raise an error for a name that is declared twice."""
    found: dict[str, _Schema] = {}
    for schema in schemas:
        if schema.name in found:
            raise fault(f"the {what} {str(schema.name)!r} is already declared", schema.name)
        found[str(schema.name)] = schema
    return found


def _effect(literal: Literal, when: Formula, *, is_iff: bool) -> Effect:
    atom, positive = literal
    otherwise = negation(when) if is_iff else negation(TRUE)
    return (atom, when, otherwise) if positive else (atom, otherwise, when)


def _fitting(precondition: Item | None, effects: Item | None) -> frozenset[str]:
    """Return the conditions of action types that an event with these parts satisfies."""
    is_trivial = precondition is None or (
        isinstance(precondition, Node) and precondition.head == "true"
    )
    is_plain = precondition is None or not _is_modal(precondition)
    has_plain_effects = effects is None or not _is_modal(effects)
    fits = {
        ":trivial-precondition": is_trivial,
        ":non-trivial-precondition": not is_trivial,
        ":trivial-postconditions": effects is None,
        ":non-trivial-postconditions": effects is not None,
        ":trivial-event": is_trivial and effects is None,
        ":non-trivial-event": not is_trivial and effects is not None,
        ":propositional-precondition": is_plain,
        ":propositional-postconditions": has_plain_effects,
        ":propositional-event": is_plain and has_plain_effects,
    }
    return frozenset(name for name, holds in fits.items() if holds)


def _is_modal(item: Item) -> bool:
    return isinstance(item, Node) and (item.bracket != "(" or any(map(_is_modal, item)))
