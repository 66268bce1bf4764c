"""Reading the model of a problem file: names, agents, fluents, law and observables."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import field, fields, replace
from typing import Any, Self, TypeAlias, TypeVar

from symkripke.errors import InputError, ProblemError, UnknownName
from symkripke.language import Atom, Formula, Iff, Name, Not, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.language.linear import Sum
from symkripke.language.scanner import Token
from symkripke.language.walk import is_propositional
from symkripke.language.walk import names as names_in
from symkripke.limits import repeated
from symkripke.model import (
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Number,
    Observable,
    Origin,
    Soft,
    Vocabulary,
    World,
    evaluate,
)
from symkripke.model.additions import tied
from symkripke.model.vocabulary import BOOLEAN
from symkripke.problems.expansion import Definition, Names
from symkripke.problems.expansion_actions import ActionExpansion, Values
from symkripke.problems.indices import Indices, bare, fault, faults_at, filled, unknown, value_of
from symkripke.problems.open_numbers import Open
from symkripke.problems.problem import Happening, Place, Step
from symkripke.problems.syntax import Fault, Statement, Tree, tree
from symkripke.problems.values import Bits, Cases, Symbol, Thing, Value, atoms_of, in_a_row
from symkripke.records import dataclass

T = TypeVar("T", bound="ModelReader | Names")

Declared: TypeAlias = tuple[Fluent, str | Values | None]
"""A new fluent, and its value if it is known: a constant, or a condition for each value."""

_SORTS: Mapping[str, int | None] = {"integers": None, "naturals": 0, "reals": None}
"""The domains of numbers without bounds, each with its least value."""

_ALL_AT_ONCE = "`actual where` gives all actual worlds at once: expected no other `actual`"


@dataclass()
class ModelReader:
    """A reader of the model of a problem file, one statement at a time.

    The model comes first: agents, fluents, law, observables. The first event or question completes
    the model. From then on, `now` is the structure after the events so far.
    """

    path: str = ""
    given: dict[str, int | str] = field(default_factory=dict)
    names: Names = field(default_factory=Names)
    fluents: dict[str, Fluent] = field(default_factory=dict)
    law: list[Constraint] = field(default_factory=list)
    observables: dict[str, tuple[Observable, ...]] = field(default_factory=dict)
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
    _node: Tree = field(init=False, repr=False)

    def copy(self) -> Self:
        """Return an independent reader in the same state."""
        return replace(_with_copies(self), names=_with_copies(self.names))

    # ---- a statement --------------------------------------------------------------------------

    def take(self, statement: Statement, text: str | None = None) -> None:
        """Read a statement; `text` is the whole file, for messages. May raise `ProblemError`."""
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

    def _do(self, node: Tree, indices: Indices) -> None:
        self._indices, self._node = indices, node
        if node.data == "for_each":
            for here in self._expansion.bound(node, indices):
                self._do(node.children[-1], here)
        elif node.data == "block":
            for child in node.children:
                self._do(child, indices)
        else:
            getattr(self, f"_{node.data}")(node, indices)

    @property
    def _place(self) -> Place:
        line, column = self._node.line, self._node.column
        return Place(self._statement.line + line - 1, column)

    @property
    def _text(self) -> str:
        """The text of the statement, with the values of its indices."""
        stands = ", ".join(f"{name} = {value}" for name, value in self._indices.items())
        text = self._plain(self._node)
        return f"{text}   ({stands})" if stands else text

    def _source(self, part: Tree | None = None) -> Origin:
        """Return the origin of the statement, or of a part of it: its label, or its text."""
        label = (part or self._node).part("label")
        if label is not None:
            return Origin(str(label.children[0])[1:-1], kind="label")
        when = f"line {self._place.line}"
        text = self._text if part is None else self._plain(part)
        return Origin(f"{when}: {text}", kind="line", when=when)

    def _plain(self, part: Tree) -> str:
        """Return the text of a part of the statement in one line, without comments."""
        return Statement(self._statement.text[part.start_pos : part.end_pos], 1).plain

    def _happens(
        self,
        event: Event,
        values: Mapping[str, str | Values] | None = None,
        requires: Formula = f.TRUE,
    ) -> None:
        """Add a step with this event."""
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

    def _let(self, node: Tree, indices: Indices) -> None:
        name, *parts = node.children
        word = str(name)
        self._new_name(name)
        for part in parts:
            own = next((token for token in part.words() if token == word), None)
            if own is not None:
                raise fault(f"{word!r} has no value yet, so it cannot define itself", own)
        entries = self._expansion.entries(parts, indices)
        is_list = len(parts) > 1 or len(entries) != 1 or self._is_list(parts[0])
        if word in self.given:
            if is_list:
                raise fault(f"{word} is a list: its value cannot be changed from outside", name)
            entries = (value_of(str(self.given[word])),)
        self.names.constants[word] = entries if is_list else entries[0]
        self.names.words.update(entries)

    def _is_list(self, entry: Tree) -> bool:
        """Return whether an entry is a list, or the name of a list."""
        body, *each = entry.children
        word = bare(body)
        named = word is not None and isinstance(self._expansion.listed(word), tuple)
        return entry.data != "single" or bool(each) or named

    def _define(self, node: Tree, indices: Indices) -> None:
        name, *parameters, body = node.children
        self._new_name(name)
        words = list(map(str, parameters))
        if repeated(words):
            raise fault("a parameter is given twice", name)
        if str(name) not in words:
            for own in body.subtrees():
                if own.data == "term" and own.children[0] == name:
                    raise fault(f"{name} is defined in terms of itself", own)
        earlier, text = self.names.named_in(body), self._statement.text
        made = Definition(str(name), dict.fromkeys(words), body, earlier, text)
        self.names.abbreviations[str(name)] = made

    def _in_words(self, node: Tree, indices: Indices) -> None:
        """Add words for a formula, an agent or a fluent."""
        body, yes, *rest = node.children
        no = next((part for part in rest if isinstance(part, Token)), None)
        for here in self._expansion.bound(node, indices):
            words = self.filled(yes, here)
            thing = self._expansion.thing(body, here)
            single = getattr(thing, "constant", None)
            name = str(thing.word if isinstance(thing, Symbol) else single)
            match thing:
                case Formula():
                    denied = f"it is not true that {words}" if no is None else self.filled(no, here)
                    self.words[thing] = words, denied
                    continue
                case Cases(fluent=str(name)) | Bits(fluent=str(name)) | Open(fluent=str(name)):
                    self.things[name] = words
                case _ if self._vocabulary.is_agent(name):
                    self.titles[name] = words
                case _:
                    raise fault("expected a formula, a fluent or an agent before the words", body)
            if no is not None:
                raise fault("only a formula has words for its negation", no)

    def filled(self, text: Token, indices: Indices) -> str:
        """Return a quoted text with names in braces replaced by their values."""
        known = ChainMap[str, Any]({**indices}, self.names.constants)

        def wrong(name: str, place: int) -> Fault:
            problem = str(UnknownName("name", name, known))
            return Fault(problem, text.line, text.column + place + 1)

        return filled(str(text)[1:-1], known, wrong)

    def _new_name(self, word: Token) -> None:
        taken = (self.names.constants, self.names.abbreviations, self.names.actions, {"agents"})
        if any(word in names for names in taken) or self._vocabulary.is_name(word):
            raise fault(f"{str(word)!r} already exists", word)

    @property
    def _vocabulary(self) -> Vocabulary:
        return self.names.vocabulary

    # ---- the model ----------------------------------------------------------------------------

    def _at_start(self, what: str, instead: str = "") -> None:
        if self.root is not None:
            hint = f"; {instead}" if instead else ""
            raise Fault(f"{what} comes before the first event or question{hint}", 1, 1)

    def _agents_are(self, node: Tree, indices: Indices) -> None:
        self._at_start("who there is")
        agents = [str(entry) for entry in self._expansion.entries(node.children, indices, "agent")]
        if not agents:
            raise fault("expected at least one agent, got none", node)
        if twice := repeated((*self.names.agents, *agents)):
            raise Fault(f"agent {twice!r} is given twice", 1, 1)
        self.names.agents = (*self.names.agents, *agents)
        self.names.words.update(map(value_of, agents))
        self._renew()

    def _renew(self) -> None:
        """Rebuild the vocabulary after new agents or an event."""
        if self.now is None:
            vocabulary = Vocabulary.of(self.fluents.values(), self.names.agents)
        else:
            vocabulary = _without_traces(self.now)
        if vocabulary is not self.names.vocabulary:
            self.names.vocabulary = vocabulary
            self.names.meanings = {}

    def _fluent(self, node: Tree, indices: Indices) -> None:
        (declaration,) = node.children
        domain = declaration.part("range", "collection", "one_set", "at_least")
        initial = declaration.part("initial")
        made: dict[str, Declared] = {}
        law: list[Constraint] = []
        members: tuple[Value, ...] = ()
        values: tuple[str, ...] = BOOLEAN
        by: dict[str, Tree] = {}
        for here in self._expansion.bound(declaration, indices):
            if domain is not None and self._are_numbers(domain):
                is_real, least = self._numbers(domain, here)
                for declared in declaration.parts("term"):
                    name = self._declared(declared, here, made)
                    number = self._number(name, is_real=is_real, least=least)
                    value = None
                    if initial is not None:
                        (said,) = initial.children
                        with faults_at(said):
                            value = str(self._expansion.fixed(said, here))
                            number.equals(value)
                    made[name] = number, value
                continue
            if domain is not None:
                members = self._expansion.collection(domain, here)
                values = tuple(map(str, members))
                if not values:
                    raise fault("expected a domain with at least one value, got none", domain)
                if any(isinstance(member, int) and member < 0 for member in members):
                    problem = (
                        "expected values of 0 or more; for any whole number write `in integers`"
                    )
                    raise fault(problem, domain)
            for declared in declaration.parts("term"):
                if by.get(self._expansion.term_name(declared, here)) is declared:
                    continue  # the name does not depend on the index
                name = self._declared(declared, here, made)
                by[name] = declared
                value = None
                if initial is not None:
                    value = self._initial(initial.children[0], here, name, values)
                if ends := in_a_row(members):
                    law.append(self._coded(name, *ends, made, value))
                else:
                    made[name] = self._made(name, values), value
        self._add(made, [constraint for constraint in law if constraint.formula is not f.TRUE])

    def _are_numbers(self, domain: Tree) -> bool:
        """Return whether a domain is `integers`, `naturals` or `reals`, perhaps with a bound."""
        word = bare(domain.children[0]) if domain.data in ("one_set", "at_least") else None
        if word in _SORTS and word not in self.names.constants:
            return True
        if domain.data == "at_least":
            raise fault(f"expected one of {', '.join(_SORTS)} before >=", domain)
        if word is not None and not isinstance(self._expansion.listed(word), tuple):
            lists = [name for name, of in self.names.constants.items() if isinstance(of, tuple)]
            raise unknown("domain", word, [*lists, "agents", *_SORTS], domain)
        return False

    def _numbers(self, domain: Tree, indices: Indices) -> tuple[bool, int | None]:
        """Return whether a domain has reals, and its least value."""
        word, *bound = domain.children
        least = _SORTS[bare(word) or ""]
        for node in bound:
            value = self._expansion.fixed(node, indices)
            if not isinstance(value, int):
                raise fault(f"expected a number after >=, got {value}", node)
            least = value if least is None else max(least, value)
        return bare(word) == "reals", least

    def _number(self, name: str, *, is_real: bool, least: int | None = None) -> Number:
        words = f"{name} is a {'real' if is_real else 'whole'} number"
        bound = "" if least is None else f" of {least} or more"
        return Number(
            name,
            is_real=is_real,
            least=least,
            source=f"{words}{bound} (line {self._statement.line})",
        )

    def _initial(self, node: Tree, indices: Indices, name: str, values: Sequence[str]) -> str:
        is_truth = node.data in ("true", "false")
        value = str(node.data if is_truth else self._expansion.fixed(node, indices))
        if value in values:
            return value
        if values == BOOLEAN:
            raise fault(f"expected true or false after `actual`, got {value}", node)
        raise unknown(f"value of {name}", value, values, node)

    def _made(self, name: str, values: tuple[str, ...]) -> Fluent:
        self.names.words.update(map(value_of, values) if values != BOOLEAN else ())
        return Fluent(name, values, f"{name} has exactly one value (line {self._statement.line})")

    def _coded(
        self,
        name: str,
        low: int,
        high: int,
        made: dict[str, Declared],
        value: str | None,
    ) -> Constraint:
        """Add a Boolean fluent for each digit of a number, and return the law that bounds it."""
        digits = self._digits(name, low, high)
        for place, digit in reversed(list(enumerate(digits))):
            said = None if value is None else BOOLEAN[int(value) >> place & 1]
            made[digit] = self._made(digit, BOOLEAN), said
        number = Bits(tuple(map(Atom, digits)), 0, 0, (1 << len(digits)) - 1)
        words = f"{name} is one of {low}..{high} (line {self._statement.line})"
        return Constraint(number.within(low, high), words)

    def _digits(self, name: str, low: int, high: int) -> tuple[str, ...]:
        """Return the names of the digits of a fluent that is stored in binary, the lowest first."""
        number = Name.of(name)
        digits = tuple(
            Name(f"{number.functor}_bit{place}", number.arguments)
            for place in range(high.bit_length())
        )
        self.names.coded[name] = low, high, digits
        self.hidden.update(digits)
        return digits

    def _declared(self, one: Tree, indices: Indices, made: Mapping[str, object]) -> str:
        name, arguments, version = self._expansion.term_parts(one, indices)
        if version is not None:
            raise fault("a fluent is declared without a version", one)
        taken = (self.names.constants, self.names.abbreviations, indices)
        if any(name in names for names in taken):
            raise fault(f"{str(name)!r} already exists", one)
        written = Name(str(name), arguments)
        if any(written in names for names in (self._vocabulary.fluents, self.names.coded, made)):
            raise fault(f"fluent {written!r} already exists", one)
        return written

    def _add(self, made: Mapping[str, Declared], law: Sequence[Constraint] = ()) -> None:
        """Add fluents to the first structure or, once it is complete, by a new event."""
        fluents = {name: fluent for name, (fluent, _) in made.items()}
        values = values_of(made)
        law = (*law, *self._defining(made))
        if self.root is None:
            self.law += law
            if fluents:
                self.fluents.update(fluents)
                self.names.vocabulary = self._vocabulary.extended(fluents.values())
                self.names.meanings = {}
            self.ties |= {name: value for name, value in values.items() if isinstance(value, tuple)}
            said = {name: value for name, value in values.items() if isinstance(value, str)}
            if said:
                self._only_one_actual()
                self.actual = {**(self.actual or {}), **said}
            return
        missing = next((name for name in made if name not in values), None)
        if self.actual is not None and missing is not None:
            problem = f"the actual world needs a value for {missing}: write `actual` and its value"
            raise Fault(problem, 1, 1)
        self._happens(Event(self._source(), law, tuple(fluents.values())), values)

    def _defining(self, made: Mapping[str, Declared]) -> tuple[Constraint, ...]:
        """Return the constraints that define fluents by formulas."""
        words = self._source()
        law = []
        for fluent, cases in made.values():
            if isinstance(cases, str) or cases is None:
                continue
            if isinstance(fluent, Number):
                sums = [(value, case) for value, case in cases if isinstance(value, Sum)]
                law.append(Constraint(tied(fluent, sums), words))
                continue
            if any(self._vocabulary.numbers.keys() & names_in(case) for _, case in cases):
                # One of these cases is true, so a disjunction is enough.
                each = (conjunction((fluent.equals(str(v)), case)) for v, case in cases)
                law.append(Constraint(disjunction(each), words))
                continue
            law += [
                Constraint(Iff(fluent.equals(str(value)), case), words)
                for value, case in (cases[:1] if fluent.is_boolean else cases)
            ]
        return tuple(law)

    def _defined_fluent(self, node: Tree, indices: Indices) -> None:
        term, body = node.children[:2]
        made: dict[str, Declared] = {}
        for here in self._expansion.bound(node, indices):
            name = self._declared(term, here, made)
            made.update(self._tied(name, body, self._expansion.thing(body, here)))
        self._add(made)

    def _tied(self, name: str, node: Tree, thing: Thing) -> dict[str, Declared]:
        """Return a fluent (or the digits of a number) defined by the value of an expression."""
        if isinstance(thing, Symbol):
            raise unknown("name", thing.word, self._vocabulary.names, node)
        if isinstance(thing, Formula):
            return {name: self._true_where(name, node, thing)}
        if isinstance(thing, Open):
            number = self._number(name, is_real=thing.is_real)
            return {name: self._defined_by(number, node, thing.cases)}
        lowest = (
            thing.low
            if isinstance(thing, Bits)
            else min((value for value in thing.cases if isinstance(value, int)), default=0)
        )
        if lowest < 0:
            raise fault(f"a value cannot be negative, and this can be {lowest}", node)
        if isinstance(thing, Cases):
            cases = {str(value): case for value, case in thing.cases.items()}
            return {name: self._defined(name, node, tuple(cases), cases)}
        digits = list(zip(self._digits(name, thing.low, thing.high), thing.plain(), strict=False))
        return {digit: self._true_where(digit, node, bit) for digit, bit in reversed(digits)}

    def _true_where(self, name: str, node: Tree, formula: Formula) -> Declared:
        """Return a Boolean fluent that is true where the formula is."""
        cases = {"true": formula, "false": negation(formula)}
        return self._defined(name, node, BOOLEAN, cases)

    def _defined(
        self, name: str, node: Tree, values: tuple[str, ...], cases: Mapping[str, Formula]
    ) -> Declared:
        """Return a fluent with a condition for each value, which cannot depend on knowledge."""
        return self._defined_by(self._made(name, values), node, tuple(cases.items()))

    def _defined_by(self, made: Fluent, node: Tree, cases: Values) -> Declared:
        if not all(is_propositional(case) for _, case in cases):
            raise fault("a fluent cannot depend on knowledge: use `define` instead", node)
        return made, cases

    def _fact(self, node: Tree, indices: Indices, problem: str) -> Formula:
        """Return a formula. Raise `Fault` with this problem if it is about knowledge."""
        formula = self._expansion.formula(node, indices)
        if not is_propositional(formula):
            raise fault(problem, node)
        return formula

    def _law(self, node: Tree, indices: Indices) -> None:
        self._at_start("the law", "use `announce` instead")
        problem = "the law cannot contain knowledge; use `announce` instead"
        stated = self._fact(node.children[-1], indices, problem)
        self.law.append(Constraint(stated, self._source()))

    def _sees(self, node: Tree, indices: Indices) -> None:
        self._at_start("what an agent sees", "use `show` instead")
        who, *items = node.children
        agent = self._expansion.agent(who, indices, "sees")
        atoms, made = self._observed(items, indices)
        self._add(made)
        seen = self.observables.get(agent, ())
        words = self._source()
        self.observables[agent] = (*seen, *(Observable(atom, words) for atom in atoms))

    def _believe(self, node: Tree, indices: Indices) -> None:
        """Add a belief of an agent, or of everybody, to the model or by a new event."""
        agent = None
        if node.data == "believes":
            agent = self._expansion.agent(node.children[0], indices, "believes")
        problem = "expected a fact, not a formula about knowledge or belief"
        formula = self._fact(node.children[-1], indices, problem)
        said = node.part("rank")
        rank = int(said.children[0]) if said else 0
        words = self._source()
        soft = Soft(formula, rank if agent is None else {agent: rank}, words)
        if self.root is None:
            self.soft.append(soft)
        else:
            self._happens(Event(words, soft=(soft,)))

    _believes = _believe

    def _observed(
        self, items: Iterable[Tree], indices: Indices
    ) -> tuple[list[Atom], dict[str, Declared]]:
        """Return the atoms observed by these items, and new fluents for items without atoms."""
        atoms: list[Atom] = []
        made: dict[str, Declared] = {}
        for item in items:
            at = item.children[0]
            for here in self._expansion.bound(item, indices):
                thing = self._expansion.thing(at, here)
                observed = atoms_of(thing.operand if isinstance(thing, Not) else thing)
                if observed is None:
                    name = self._unnamed(self._expansion.written(at, here), made)
                    fresh = self._tied(name, at, thing)
                    made |= fresh
                    observed = [atom for fluent, _ in fresh.values() for atom in fluent.atoms]
                atoms += observed
        return atoms, made

    def _unnamed(self, meaning: str, made: Mapping[str, object] = {}) -> str:
        """Return a new name for a fluent that the file does not name."""
        number = len(self.hidden) + 1
        while f"seen_{number}" in self._vocabulary.fluents or f"seen_{number}" in made:
            number += 1
        name = f"seen_{number}"
        self.hidden.add(name)
        self.unnamed[name] = meaning
        return name

    def _actual(self, node: Tree, indices: Indices) -> None:
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
                    case f.Linear(row) if row.relation == "=" and row.sum.is_number:
                        fluent, value = row.sum.terms[0][0], str(row.solved())
                    case None if isinstance(thing, Symbol):
                        raise fault(self._no_fluent(thing.word), at)
                    case _:
                        raise fault("expected p, ~p or x = value in the actual world", at)
                if world.get(fluent, value) != value:
                    raise fault(f"{fluent} has two values in the actual world", at)
                world[fluent] = value
        self.actual, self.actual_place = world, self._place

    def _no_fluent(self, word: str) -> str:
        """Return the message about an unknown fluent, with the known fluents."""
        known = (*self._vocabulary.fluents, *self._vocabulary.derived, *self.names.coded)
        plain = [name for name in known if name not in self.hidden]
        return str(UnknownName("fluent", word, [Name.of(name).functor for name in plain]))

    def _only_one_actual(self) -> None:
        if self.actual_where is not None:
            raise Fault(_ALL_AT_ONCE, 1, 1)

    def _actual_where(self, node: Tree, indices: Indices) -> None:
        self._at_start("the actual world")
        if self.actual is not None or self.actual_where is not None:
            raise Fault(_ALL_AT_ONCE, 1, 1)
        problem = "which worlds are actual cannot depend on knowledge"
        self.actual_where = self._fact(node.children[0], indices, problem)
        self.actual_place = self._place

    def freeze(self) -> KnowledgeStructure:
        """Complete the model, and return the first structure. May raise `InputError`."""
        if self.root is None:
            vocabulary = Vocabulary.of(self._ordered(), self.names.agents)
            self.root = KnowledgeStructure.of(vocabulary, self.law, self.observables, self.soft)
            self.now = self.root
            if self.actual is not None:
                self.actual = dict(self._complete(self.actual))
            self._renew()
        return self.root

    def _ordered(self) -> list[Fluent]:
        """Return the fluents in the order for engines: the highest digits of numbers first.

        Digits of the same weight are adjacent. The diagrams of sums, of products and of the agents'
        knowledge of them are then smaller. (For pairs up to 200 with their sums and products, this
        order needs a sixth of the nodes that the order by number would need.)
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
        """Return the actual world: unstated Booleans are false, defined fluents are computed."""
        world = dict(said)
        for name, (_, _, digits) in self.names.coded.items():
            if not any(digit in world or digit in self.ties for digit in digits):
                raise InputError(f"the actual world needs a value for {name}")
        for name, fluent in self.fluents.items():
            if name in self.ties or name in world:
                continue
            if len(fluent.values) != 1 and not fluent.is_boolean:
                raise InputError(f"the actual world needs a value for {name}")
            world[name] = fluent.values[0]
        for name, cases in self.ties.items():
            value = next(value for value, case in cases if evaluate(case, world))
            world[name] = str(value.at(world)) if isinstance(value, Sum) else value
            if said.get(name, world[name]) != world[name]:
                raise InputError(f"in the actual world {name} is {world[name]}, not {said[name]}")
        return world


def values_of(made: Mapping[str, Declared]) -> dict[str, str | Values]:
    """Return the known values of new fluents."""
    return {name: value for name, (_, value) in made.items() if value is not None}


def _with_copies(whole: T) -> T:
    """Return a copy of a dataclass with copies of its dictionaries, lists and sets."""
    parts = ((one.name, getattr(whole, one.name)) for one in fields(whole) if one.init)
    kinds = dict, list, set
    copies: dict[str, Any] = {name: copy(part) for name, part in parts if isinstance(part, kinds)}
    return replace(whole, **copies)


def _without_traces(structure: KnowledgeStructure) -> Vocabulary:
    """Return the vocabulary of a structure without the auxiliary fluents of actions."""
    auxiliary = structure.history.traces.auxiliary
    if not auxiliary:
        return structure.vocabulary
    fluents = structure.vocabulary.fluents
    named = {name: fluent for name, fluent in fluents.items() if name not in auxiliary}
    return replace(structure.vocabulary, fluents=named)
