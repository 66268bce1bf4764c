"""Reading the model of a problem file: names, agents, fluents, law, observables."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Self, cast

from symkripke.argument_types import repeated
from symkripke.errors import InputError, ProblemError, UnknownName
from symkripke.language import Atom, Formula, Iff, Not, negation
from symkripke.language import formulas as f
from symkripke.language import term as written_term
from symkripke.language.scanner import Token
from symkripke.language.walk import is_propositional
from symkripke.model import (
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Origin,
    Soft,
    Vocabulary,
    World,
    evaluate,
)
from symkripke.problems.expansion import Abbreviation, Names
from symkripke.problems.expansion_actions import ActionExpansion
from symkripke.problems.expansion_changes import BOOLEAN, Values
from symkripke.problems.indices import Indices, fault, value_of
from symkripke.problems.problem import Happening, Place, Step
from symkripke.problems.syntax import Fault, Node, Statement, tree
from symkripke.problems.values import Bits, Cases, Symbol, Thing, Value, in_a_row
from symkripke.records import dataclass

_ALL_AT_ONCE = "`actual where` gives all actual worlds at once: expected no other `actual`"


@dataclass()
class ModelReader:
    """Reads a problem file, one statement at a time.

    The model comes first: agents, fluents, law, observables. The first event or question completes
    the model; from there on, `now` is the structure after the events so far.
    """

    path: str = ""
    given: dict[str, int | str] = field(default_factory=dict)
    names: Names = field(default_factory=Names)
    fluents: dict[str, Fluent] = field(default_factory=dict)
    law: list[Constraint] = field(default_factory=list)
    observables: dict[str, list[Observable]] = field(default_factory=dict)
    soft: list[Soft] = field(default_factory=list)
    actual: dict[str, str] | None = None
    actual_where: Formula | None = None
    actual_place: Place = field(default_factory=Place)
    ties: dict[str, Values] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    hidden: set[str] = field(default_factory=set)
    unnamed: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    things: dict[str, str] = field(default_factory=dict)
    words: dict[Formula, tuple[str, str]] = field(default_factory=dict)
    root: KnowledgeStructure | None = None
    now: KnowledgeStructure | None = None
    _expansion: ActionExpansion = field(init=False, repr=False)
    _statement: Statement = field(init=False, repr=False)
    _indices: Indices = field(default_factory=dict, repr=False)
    _node: Node = field(init=False, repr=False)

    def copy(self) -> Self:
        """An independent reader in the same state."""
        names = replace(
            self.names,
            constants=dict(self.names.constants),
            abbreviations=dict(self.names.abbreviations),
            actions=dict(self.names.actions),
            words=set(self.names.words),
            coded=dict(self.names.coded),
            written=dict(self.names.written),
        )
        return replace(
            self,
            names=names,
            fluents=dict(self.fluents),
            law=list(self.law),
            soft=list(self.soft),
            observables={agent: list(seen) for agent, seen in self.observables.items()},
            actual=None if self.actual is None else dict(self.actual),
            ties=dict(self.ties),
            steps=list(self.steps),
            hidden=set(self.hidden),
            unnamed=dict(self.unnamed),
            titles=dict(self.titles),
            things=dict(self.things),
            words=dict(self.words),
        )

    # ---- a statement --------------------------------------------------------------------------

    def take(self, statement: Statement, text: str | None = None) -> None:
        """Read a statement; `text` is the whole file, for messages. Raises `ProblemError`."""
        whole = statement.text if text is None else text
        start = 1 if text is None else statement.line
        self._statement = statement
        self._expansion = ActionExpansion(self.names, statement.text)
        try:
            parsed = tree(statement.text)
            self._expansion.begin(parsed, {})
            self._do(parsed, {})
        except Fault as wrong:
            line = start + wrong.line - 1
            raise ProblemError(wrong.problem, whole, line, wrong.column, self.path) from None
        except InputError as error:
            raise ProblemError(str(error), whole, start, 1, self.path) from error
        except RecursionError:
            problem = "this statement is nested too deeply"
            raise ProblemError(problem, whole, start, 1, self.path) from None

    def _do(self, node: Node, indices: Indices) -> None:
        self._indices, self._node = indices, node
        if node.data == "for_each":
            *binders, body = node.children
            for here in self._expansion.bound(binders, indices):
                self._do(cast(Node, body), here)
            return
        if node.data == "block":
            for child in node.children:
                self._do(cast(Node, child), indices)
            return
        getattr(self, f"_{node.data}")(node, indices)

    @property
    def _place(self) -> Place:
        line, column = self._node.line, self._node.column
        return Place(self._statement.line + line - 1, column)

    @property
    def _text(self) -> str:
        """The statement, with what its indices stand for."""
        stands = ", ".join(f"{name} = {value}" for name, value in self._indices.items())
        whole = self._statement.text
        text = Statement(whole[self._node.start_pos : self._node.end_pos], 1).plain
        return f"{text}   ({stands})" if stands else text

    def _source(self, label: Node | None) -> Origin:
        """The origin of what the statement says."""
        when = f"line {self._place.line}"
        if label is not None:
            return Origin(str(label.children[0])[1:-1], kind="label")
        return Origin(f"{when}: {self._text}", kind="line", when=when)

    def _source_of(self, part: Node) -> Origin:
        """Where something is known from that only a part of the statement says."""
        when = f"line {self._place.line}"
        written = self._statement.text[part.start_pos : part.end_pos]
        return Origin(f"{when}: {Statement(written, 1).plain}", kind="line", when=when)

    @staticmethod
    def _labelled(node: Node) -> tuple[Node | None, list[Node]]:
        """The label of a statement, if it has one, and the rest of its parts."""
        children = [cast(Node, child) for child in node.children]
        if children[0].data == "label":
            return children[0], children[1:]
        return None, children

    def _happens(
        self,
        event: Event,
        values: Mapping[str, str | Values] | None = None,
        requires: Formula = f.TRUE,
    ) -> None:
        """A step in which this event happens."""
        self.freeze()
        assert self.now is not None
        self.now = self.now.update(event)
        self._renew()
        self.steps.append(Happening(event, self._text, self._place, dict(values or {}), requires))

    def _needs_actual(self, what: str, *, one: bool = True) -> None:
        if self.actual is None and self.actual_where is None:
            raise Fault(f"`{what}` needs an actual world: write `actual` before", 1, 1)
        if self.actual is None and one:
            problem = f"`{what}` needs one actual world, and `actual where` can give several"
            raise Fault(f"{problem}: write `actual p, ~q`", 1, 1)

    # ---- names --------------------------------------------------------------------------------

    def _let(self, node: Node, indices: Indices) -> None:
        name, *parts = node.children
        word = str(name)
        self._new_name(word, cast(Token, name))
        for part in cast("list[Node]", parts):
            own = next((token for token in part.words() if token == word), None)
            if own is not None:
                raise fault(f"{word!r} has no value yet: expected another one for it", own)
        entries = self._expansion.entries(parts, indices)
        single = len(parts) == 1 and cast(Node, parts[0]).data == "single"
        is_list = not single or len(entries) != 1 or self._names_list(cast(Node, parts[0]))
        if word in self.given:
            if is_list:
                raise fault(f"{word} is a list: it cannot be given from outside", cast(Token, name))
            entries = (value_of(str(self.given[word])),)
        self.names.constants[word] = entries if is_list else entries[0]
        self.names.words.update(entries)

    def _names_list(self, entry: Node) -> bool:
        body = cast(Node, entry.children[0])
        if len(entry.children) > 1 or body.data != "name":
            return len(entry.children) > 1
        word = str(cast(Node, body.children[0]).children[0])
        return word == "agents" or isinstance(self.names.constants.get(word), tuple)

    def _define(self, node: Node, indices: Indices) -> None:
        name, *parameters, body = node.children
        self._new_name(str(name), cast(Token, name))
        words = tuple(map(str, parameters))
        if len(set(words)) < len(words):
            raise fault("a parameter is given twice", cast(Token, name))
        if str(name) not in words:
            for own in cast(Node, body).subtrees():
                if own.data == "term" and own.children[0] == name:
                    raise fault(f"{name} is defined by itself", own)
        earlier = self.names.named_in(cast(Node, body))
        self.names.abbreviations[str(name)] = Abbreviation(
            str(name), words, cast(Node, body), earlier, self._statement.text
        )

    def _in_words(self, node: Node, indices: Indices) -> None:
        """Words for a formula, an agent or a fluent."""
        body, yes, no, each = self._parts_of_words(node)
        for here in self._expansion.bound(each.children if each else (), indices):
            told = self.filled(yes, here)
            thing = self._expansion.thing(body, here)
            single = getattr(thing, "constant", None)
            name = str(thing.word if isinstance(thing, Symbol) else single)
            match thing:
                case Formula():
                    denied = f"it is not true that {told}" if no is None else self.filled(no, here)
                    self.words[thing] = told, denied
                    continue
                case Cases(fluent=str(name)) | Bits(fluent=str(name)):
                    self.things[name] = told
                case _ if self._vocabulary.is_agent(name):
                    self.titles[name] = told
                case _:
                    raise fault("expected a formula, a fluent or an agent before the words", body)
            if no is not None:
                raise fault("only a formula has words for its negation", no)

    @staticmethod
    def _parts_of_words(node: Node) -> tuple[Node, Token, Token | None, Node | None]:
        """What has words, the words, those for its negation, and what stands after `for`."""
        body, yes, *rest = node.children
        no = next((part for part in rest if isinstance(part, Token)), None)
        each = next((part for part in rest if not isinstance(part, Token)), None)
        assert isinstance(yes, Token)
        return cast(Node, body), yes, no, each

    def filled(self, text: Token, indices: Indices) -> str:
        """A text in quotation marks, in which names in braces are replaced by their values."""
        known = ChainMap[str, Any]({**indices}, self.names.constants)

        def told(found: re.Match[str]) -> str:
            value = known.get(found[1])
            if value is None:
                problem = str(UnknownName("name", found[1], known))
                raise Fault(problem, text.line or 1, (text.column or 1) + found.start(1) + 1)
            return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)

        return re.sub(r"\{([^\W\d]\w*)\}", told, str(text)[1:-1])

    def _new_name(self, word: str, at: Node | Token) -> None:
        taken = (self.names.constants, self.names.abbreviations, self.names.actions, {"agents"})
        if any(word in names for names in taken) or self._vocabulary.is_name(word):
            raise fault(f"{word!r} is there already", at)

    @property
    def _vocabulary(self) -> Vocabulary:
        return self.names.vocabulary

    # ---- the model ----------------------------------------------------------------------------

    def _at_start(self, what: str, instead: str = "") -> None:
        if self.root is not None:
            hint = f"; {instead}" if instead else ""
            raise Fault(f"{what} comes before the first event or question{hint}", 1, 1)

    def _agents_are(self, node: Node, indices: Indices) -> None:
        self._at_start("who there is")
        found = [str(entry) for entry in self._expansion.entries(node.children, indices, "agent")]
        if not found:
            raise fault("expected at least one agent, got none", node)
        if twice := repeated((*self.names.agents, *found)):
            raise Fault(f"agent {twice!r} is given twice", 1, 1)
        self.names.agents = (*self.names.agents, *found)
        self.names.words.update(map(value_of, found))
        self._renew()

    def _declare(self, fluents: Mapping[str, Fluent]) -> None:
        """Add fluents to the first structure, which is not complete yet."""
        if fluents:
            self.fluents.update(fluents)
            self.names.vocabulary = self._vocabulary.extended(fluents.values())
            self.names.meanings = {}

    def _renew(self) -> None:
        """Build the vocabulary again, after agents were added or something happened."""
        if self.root is None:
            vocabulary = Vocabulary.of(self.fluents.values(), self.names.agents)
        else:
            assert self.now is not None
            vocabulary = _without_traces(self.now)
        if vocabulary is not self.names.vocabulary:
            self.names.vocabulary = vocabulary
            self.names.meanings = {}

    def _fluent(self, node: Node, indices: Indices) -> None:
        parts = [cast(Node, child) for child in cast(Node, node.children[0]).children]
        terms = [part for part in parts if part.data == "term"]
        others = {part.data: part for part in parts if part.data != "term"}
        each, initial = others.pop("each", None), others.pop("initial", None)
        domain = next(iter(others.values()), None)
        made: dict[str, tuple[Fluent, str | None]] = {}
        law: list[Constraint] = []
        values: tuple[str, ...]
        members: tuple[Value, ...]
        by: dict[str, Node] = {}
        for here in self._expansion.bound(each.children if each else (), indices):
            values, members = BOOLEAN, ()
            if domain is not None:
                members = self._expansion.collection(domain, here)
                values = tuple(map(str, members))
                if not values:
                    raise fault("expected a domain with at least one value, got none", domain)
            for declared in terms:
                written = self._written(declared, here)
                if by.get(written) is declared:
                    continue  # it does not depend on the index
                name = self._declared(declared, here, made)
                by[name] = declared
                value = None
                if initial is not None:
                    value = self._initial(cast(Node, initial.children[0]), here, name, values)
                if domain is not None and (ends := in_a_row(members)):
                    law.append(self._coded(name, *ends, made, value))
                else:
                    made[name] = self._made(name, values), value
        self._add(made, [constraint for constraint in law if constraint.formula is not f.TRUE])

    def _initial(self, node: Node, indices: Indices, name: str, values: Sequence[str]) -> str:
        if node.data in ("true", "false"):
            value = str(node.data)
        else:
            value = str(self._expansion.fixed(node, indices))
        if value not in values:
            if values == BOOLEAN:
                raise fault(f"expected true or false after `actual`, got {value}", node)
            raise fault(str(UnknownName(f"value of {name}", value, values)), node)
        return value

    def _made(self, name: str, values: tuple[str, ...]) -> Fluent:
        self.names.words.update(map(value_of, values) if values != BOOLEAN else ())
        return Fluent(name, values, f"{name} has exactly one value (line {self._statement.line})")

    def _coded(
        self,
        name: str,
        low: int,
        high: int,
        made: dict[str, tuple[Fluent, str | None]],
        value: str | None,
    ) -> Constraint:
        """A fluent in binary: a Boolean one for each digit, and the law that keeps its ends."""
        digits = self._digits(name, low, high)
        for place, digit in reversed(list(enumerate(digits))):
            said = None if value is None else BOOLEAN[int(value) >> place & 1]
            made[digit] = self._made(digit, BOOLEAN), said
        number = Bits(tuple(map(Atom, digits)), 0, 0, (1 << len(digits)) - 1)
        words = f"{name} is one of {low}..{high} (line {self._statement.line})"
        return Constraint(number.within(low, high), words)

    def _digits(self, name: str, low: int, high: int) -> tuple[str, ...]:
        """Names for the digits of a fluent that is kept in binary, the lowest first."""
        word, bracket, rest = name.partition("(")
        digits = tuple(f"{word}_bit{n}{bracket}{rest}" for n in range(high.bit_length()))
        self.names.coded[name] = low, high, digits
        self.hidden.update(digits)
        return digits

    def _declared(self, one: Node, indices: Indices, made: Mapping[str, object]) -> str:
        name, _, version = self._expansion.term_parts(one, indices)
        if version is not None:
            raise fault("a fluent is declared without a version", one)
        word = str(name)
        taken = (self.names.constants, self.names.abbreviations, indices)
        if any(word in names for names in taken):
            raise fault(f"{word!r} is there already", one)
        written = self._written(one, indices)
        if any(written in names for names in (self._vocabulary.fluents, self.names.coded, made)):
            raise fault(f"fluent {written!r} is there already", one)
        return written

    def _written(self, one: Node, indices: Indices) -> str:
        """The name of the fluent that a term declares."""
        name, arguments, _ = self._expansion.term_parts(one, indices)
        return written_term(str(name), arguments)

    def _add(
        self, made: Mapping[str, tuple[Fluent, str | None]], law: Sequence[Constraint] = ()
    ) -> None:
        """Add fluents to the first structure; once it is complete, by a new event."""
        values = {name: value for name, (_, value) in made.items() if value is not None}
        if self.root is None:
            self.law += law
            self._declare({name: fluent for name, (fluent, _) in made.items()})
            if values:
                self._only_one_actual()
                self.actual = {**(self.actual or {}), **values}
            return
        missing = next((name for name, (_, value) in made.items() if value is None), None)
        if self.actual is not None and missing is not None:
            problem = f"the actual world needs a value for {missing}: write `actual` and its value"
            raise Fault(problem, 1, 1)
        fluents = tuple(fluent for fluent, _ in made.values())
        self._happens(Event(self._source(None), tuple(law), fluents), values)

    def _defined_fluent(self, node: Node, indices: Indices) -> None:
        term, body, *rest = (cast(Node, child) for child in node.children)
        each = rest[0].children if rest else ()
        made: dict[str, tuple[Fluent, Values]] = {}
        for here in self._expansion.bound(each, indices):
            name = self._declared(term, here, made)
            made.update(self._tied(name, body, self._expansion.thing(body, here)))
        self._add_tied(made)

    def _tied(self, name: str, node: Node, found: Thing) -> dict[str, tuple[Fluent, Values]]:
        """A fluent of that name (or its digits) whose value is that of an expression."""
        if isinstance(found, Symbol):
            raise fault(str(UnknownName("name", found.word, self._vocabulary.names)), node)
        if isinstance(found, Formula):
            made = self._made(name, BOOLEAN)
            return {name: (made, self._facts(node, found, negation(found), values=BOOLEAN[::-1]))}
        lowest = (
            found.low
            if isinstance(found, Bits)
            else min((value for value in found.cases if isinstance(value, int)), default=0)
        )
        if lowest < 0:
            raise fault(f"a value cannot be negative, and this can be {lowest}", node)
        if isinstance(found, Cases):
            values = tuple(map(str, found.cases))
            made = self._made(name, values)
            return {name: (made, self._facts(node, *found.cases.values(), values=values))}
        digits = self._digits(name, found.low, found.high)
        bits = found.plain()
        return {
            digit: (
                self._made(digit, BOOLEAN),
                self._facts(node, bit, negation(bit), values=BOOLEAN[::-1]),
            )
            for digit, bit in reversed(list(zip(digits, bits, strict=False)))
        }

    @staticmethod
    def _facts(node: Node, *cases: Formula, values: Sequence[str]) -> Values:
        """The condition of each value of a fluent; conditions cannot depend on knowledge."""
        if not all(is_propositional(case) for case in cases):
            raise fault("what depends on knowledge is no fluent: a formula can name it", node)
        return tuple(zip(values, cases, strict=True))

    def _add_tied(self, made: Mapping[str, tuple[Fluent, Values]]) -> None:
        law = [
            Constraint(Iff(is_value(fluent, value), case), self._source(None))
            for fluent, cases in made.values()
            for value, case in (cases[:1] if fluent.is_boolean else cases)
        ]
        if self.root is None:
            self._declare({name: fluent for name, (fluent, _) in made.items()})
            self.ties.update({name: cases for name, (_, cases) in made.items()})
            self.law += law
            return
        event = Event(self._source(None), tuple(law), tuple(fluent for fluent, _ in made.values()))
        self._happens(event, {name: cases for name, (_, cases) in made.items()})

    def _law(self, node: Node, indices: Indices) -> None:
        self._at_start("the law", "say it with `announce`")
        label, (body,) = self._labelled(node)
        stated = self._expansion.formula(body, indices)
        if not is_propositional(stated):
            raise fault("the law cannot speak about knowledge; announce it", body)
        self.law.append(Constraint(stated, self._source(label)))

    def _sees(self, node: Node, indices: Indices) -> None:
        self._at_start("what somebody sees", "say it with `show`")
        who, *items = node.children
        agent = self._expansion.agent(cast(Node, who), indices, "sees")
        atoms, made = self._observed(items, indices)
        self._add_tied(made)
        seen = self.observables.setdefault(agent, [])
        words = self._source(None)
        seen += [Observable(atom, words) for atom in atoms]

    def _believe(self, node: Node, indices: Indices) -> None:
        self._believed(None, node.children, indices)

    def _believes(self, node: Node, indices: Indices) -> None:
        who, *rest = node.children
        agent = self._expansion.agent(cast(Node, who), indices, "believes")
        self._believed(agent, rest, indices)

    def _believed(
        self, agent: str | None, children: Sequence[Node | Token], indices: Indices
    ) -> None:
        """What an agent (or everybody) considers likely: at first, or from now on."""
        *said, body = (cast(Node, child) for child in children)
        stated = {part.data: part for part in said}
        formula = self._expansion.formula(body, indices)
        if not is_propositional(formula):
            raise fault("what is likely is a fact, not what somebody knows or believes", body)
        rank = int(str(stated["rank"].children[0])) if "rank" in stated else 0
        words = self._source(stated.get("label"))
        soft = Soft(formula, rank if agent is None else {agent: rank}, words)
        if self.root is None:
            self.soft.append(soft)
        else:
            self._happens(Event(words, soft=(soft,)))

    def _observed(
        self, items: Sequence[Node | Token], indices: Indices
    ) -> tuple[list[Atom], dict[str, tuple[Fluent, Values]]]:
        """The atoms observed by these items; items that are no atoms get new fluents."""
        atoms: list[Atom] = []
        made: dict[str, tuple[Fluent, Values]] = {}
        for here, at, thing in self._items_there(items, indices):
            match thing:
                case Atom():
                    atoms.append(thing)
                    continue
                case Not(Atom() as atom):
                    atoms.append(atom)
                    continue
                case Cases(cases, str()):
                    atoms += [atom for atom in cases.values() if isinstance(atom, Atom)]
                    continue
                case Bits(bits, fluent=str()):
                    atoms += [atom for atom in bits if isinstance(atom, Atom)]
                    continue
            name = self._unused(made)
            self.hidden.add(name)
            self.unnamed[name] = self._expansion.written(at, here)
            fresh = self._tied(name, at, thing)
            made.update(fresh)
            atoms += [atom for fluent, _ in fresh.values() for atom in fluent.atoms]
        return atoms, made

    def _items_there(
        self, items: Sequence[Node | Token], indices: Indices
    ) -> Iterator[tuple[Indices, Node, Thing]]:
        """The things of a list, each with what its indices stand for, and its place."""
        for item in items:
            body, *each = (cast(Node, part) for part in cast(Node, item).children)
            for here in self._expansion.bound(each[0].children if each else (), indices):
                yield here, body, self._expansion.thing(body, here)

    def _unused(self, made: Mapping[str, object] = {}) -> str:
        """A new name for a fluent that the file does not name."""
        number = len(self.hidden) + 1
        while f"seen_{number}" in self._vocabulary.fluents or f"seen_{number}" in made:
            number += 1
        return f"seen_{number}"

    def _actual(self, node: Node, indices: Indices) -> None:
        self._at_start("the actual world")
        self._only_one_actual()
        world = dict(self.actual or {})
        for at, thing in self._expansion.items(node.children, indices):
            formula = thing if isinstance(thing, Formula) else None
            parts = formula.operands if isinstance(formula, f.And) else (formula,)
            for part in parts:
                match part:
                    case Atom(fluent, value):
                        pass
                    case Not(Atom(fluent, "true")):
                        value = "false"
                    case None if isinstance(thing, Symbol):
                        raise fault(self._no_fluent(thing.word), at)
                    case _:
                        raise fault("expected p, ~p or x = value in the actual world", at)
                if world.get(fluent, value) != value:
                    raise fault(f"{fluent} has two values in the actual world", at)
                world[fluent] = value
        self.actual, self.actual_place = world, self._place

    def _no_fluent(self, word: str) -> str:
        """That there is no such fluent, and which there are."""
        known = (*self._vocabulary.fluents, *self._vocabulary.derived, *self.names.coded)
        plain = [name for name in known if name not in self.hidden]
        return str(UnknownName("fluent", word, [name.partition("(")[0] for name in plain]))

    def _only_one_actual(self) -> None:
        if self.actual_where is not None:
            raise Fault(_ALL_AT_ONCE, 1, 1)

    def _actual_where(self, node: Node, indices: Indices) -> None:
        self._at_start("the actual world")
        (body,) = (cast(Node, child) for child in node.children)
        if self.actual is not None or self.actual_where is not None:
            raise Fault(_ALL_AT_ONCE, 1, 1)
        formula = self._expansion.formula(body, indices)
        if not is_propositional(formula):
            raise fault("which worlds are actual cannot depend on knowledge", body)
        self.actual_where, self.actual_place = formula, self._place

    def freeze(self) -> KnowledgeStructure:
        """The first structure: now the model is complete. Raises `InputError`."""
        if self.root is None:
            vocabulary = Vocabulary.of(self._ordered(), self.names.agents)
            self.root = KnowledgeStructure.of(vocabulary, self.law, self.observables, self.soft)
            self.now = self.root
            if self.actual is not None:
                self.actual = dict(self._complete(self.actual))
            self._renew()
        return self.root

    def _ordered(self) -> list[Fluent]:
        """The fluents in the order for engines: the highest digits of numbers first.

        Digits of one weight stand together. Then sums, products and the agents' knowledge of them
        have smaller diagrams. (For pairs up to 200 with their sums and products, this order needs a
        sixth of the nodes of the order number after number.)
        """
        weight = {
            digit: place
            for _, _, digits in self.names.coded.values()
            for place, digit in enumerate(digits)
        }
        digits = sorted((name for name in self.fluents if name in weight), key=lambda n: -weight[n])
        fresh = iter(digits)
        return [self.fluents[next(fresh) if name in weight else name] for name in self.fluents]

    def _complete(self, said: World) -> World:
        """The actual world: unstated Booleans are false, and defined fluents are computed."""
        world = dict(said)
        for name, (_, _, digits) in self.names.coded.items():
            if not any(digit in world or digit in self.ties for digit in digits):
                raise InputError(f"the actual world needs a value for {name}")
        for name, fluent in self.fluents.items():
            if name in self.ties or name in world:
                continue
            if len(fluent.values) > 1 and not fluent.is_boolean:
                raise InputError(f"the actual world needs a value for {name}")
            world[name] = fluent.values[0]
        for name, cases in self.ties.items():
            world[name] = next(value for value, case in cases if evaluate(case, world))
            if said.get(name, world[name]) != world[name]:
                raise InputError(f"in the actual world {name} is {world[name]}, not {said[name]}")
        return world


def _without_traces(structure: KnowledgeStructure) -> Vocabulary:
    """The vocabulary of a structure without the fluents that actions added for their own use."""
    made_up = structure.traces.made_up
    if not made_up:
        return structure.vocabulary
    fluents = structure.vocabulary.fluents
    named = {name: fluent for name, fluent in fluents.items() if name not in made_up}
    return replace(structure.vocabulary, fluents=named)


def is_value(fluent: Fluent, value: str) -> Formula:
    """The formula that the fluent has this value; for a fluent that is being declared."""
    return Atom(fluent.name) if fluent.is_boolean else Atom(fluent.name, value)
