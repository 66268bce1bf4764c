"""Translation of the trees of a problem file to formulas, with quantifiers and lists expanded.

A tree becomes a formula (`symkripke.language.Formula`) or an expression with a value (`Cases`: for
each possible value, the formula stating that the expression has this value). Sums and comparisons
of fluents with finite domains become Boolean combinations of their atoms, so that engines receive
formulas only.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from fractions import Fraction
from functools import partial
from typing import cast

from symkripke import model
from symkripke.errors import InputError
from symkripke.language import Name, operators
from symkripke.language import formulas as f
from symkripke.language.linear import Sum, rational
from symkripke.language.scanner import Token
from symkripke.limits import LOOK_EVERY, look
from symkripke.model import Vocabulary
from symkripke.problems.indices import (
    Indices,
    NamedFormula,
    Shortcuts,
    bare,
    fault,
    faults_at,
    members_of,
    unknown,
    value_of,
)
from symkripke.problems.open_numbers import Open, TooManyCases
from symkripke.problems.shape import Size
from symkripke.problems.syntax import OPERATORS, Fault, Tree
from symkripke.problems.values import (
    COMPARE,
    Bits,
    Cases,
    NotANumber,
    Number,
    Symbol,
    Thing,
    TooMany,
    Value,
    chosen,
    combined,
    compared,
    constant,
    equal,
    has,
    same,
    shown,
    truth_value,
)
from symkripke.records import dataclass

_ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {
    "plus": operator.add,
    "minus": operator.sub,
    "times": operator.mul,
    "quotient": operator.floordiv,
    "remainder": operator.mod,
}

# The maximum number of parts of an expansion, and of numbers in a range.
_PARTS = 3_000_000
_RANGE = 1_000_000

# The maximum number of formulas whose written form is stored.
_WRITTEN = 10_000

# The maximum number of cached expansions of abbreviations. Beyond it, the cache is cleared.
_MEANINGS = 100_000


@dataclass(frozen=True)
class Definition:
    """A formula defined by `define`, or an action defined by `action`.

    Attributes:
        name: the name of the formula or action.
        parameters: the names of the parameters, each with its set of values, or None if it has no
            set.
        body: the formula, or the whole statement of an action.
        earlier: the definitions above it.
        text: the text of the statement.
    """

    name: str
    parameters: Mapping[str, Tree | None]
    body: Tree
    earlier: Mapping[str, Definition]
    text: str


@dataclass()
class Names:
    """The meanings of names at one point of the file.

    Attributes:
        constants: the names defined by `let`, each with a number, a word, or a list.
        abbreviations: the names defined by `define`.
        actions: the names defined by `action`.
        agents: all agents.
        vocabulary: the fluents.
        words: all values and members of lists, to recognise misspelt words.
        meanings: the cache of expanded abbreviations by their arguments, cleared when fluents are
            added.
        coded: the fluents stored in binary, each with its minimum, its maximum, and a Boolean
            fluent for each digit, the lowest first.
        written: the written forms of comparisons of numbers and of definitions, for messages, up to
            a maximum number.
    """

    constants: dict[str, Value | tuple[Value, ...]] = field(default_factory=dict)
    abbreviations: dict[str, Definition] = field(default_factory=dict)
    actions: dict[str, Definition] = field(default_factory=dict)
    agents: tuple[str, ...] = ()
    vocabulary: Vocabulary = field(default_factory=lambda: Vocabulary.of((), ()))
    words: set[Value] = field(default_factory=set)
    coded: dict[str, tuple[int, int, tuple[str, ...]]] = field(default_factory=dict)
    meanings: dict[tuple[Value | f.Formula, ...], Thing] = field(default_factory=dict)
    written: dict[f.Formula, str] = field(default_factory=dict)

    def remember(self, formula: f.Formula, text: str) -> None:
        """Store the written form of a formula, unless it is an atom or a constant."""
        bare = formula.operand if isinstance(formula, f.Not) else formula
        if isinstance(bare, f.Atom | f.Constant) or len(self.written) >= _WRITTEN:
            return
        self.written.setdefault(formula, text)

    def named_in(self, node: Tree) -> dict[str, Definition]:
        """Return the current definitions of the names in a part of a statement."""
        known = self.abbreviations
        return {word: known[word] for word in map(str, node.words()) if word in known}


def _is_reckoned(thing: Thing) -> bool:
    """Return whether a thing is a binary or computed number, whose written form is stored."""
    if isinstance(thing, Cases):
        return thing.fluent is None and thing.constant is None
    return isinstance(thing, Bits)


def _value(thing: Value | f.Formula, node: Tree | Token) -> Value:
    if isinstance(thing, f.Formula):
        raise fault(f"expected a name or a number, got a formula ({thing})", node)
    return thing


class Expansion:
    """An expansion of the trees of one statement."""

    def __init__(self, names: Names, text: str = "") -> None:
        """Create an expansion with these names, for the trees of a statement with this text."""
        self.names = names
        self._text = text
        self._abbreviations: Mapping[str, Definition] = names.abbreviations
        self._parts = 0
        self._methods: dict[str, Callable[[Tree, Indices], Thing]] = {}
        # The meanings of the landings of a deep tree, by the identity of the landing.
        self._landed: dict[int, Thing] = {}
        # The meanings of terms without index variables, which are fixed throughout a statement.
        self._known: dict[tuple[str, tuple[str, ...], int | None], Thing] = {}
        self._shortcuts = Shortcuts()

    def begin(self, node: Tree, indices: Indices) -> None:
        """Check the size of a tree before its expansion. Raise `Fault` if it has too many parts."""
        so_far = self._parts
        place = Size(self.collection, lambda: self._parts, _PARTS).too_much(node, indices)
        self._parts = so_far
        if place is not None:
            raise self._too_much(place)

    # ---- formulas -----------------------------------------------------------------------------

    def formula(self, node: Tree, indices: Indices) -> f.Formula:
        """Return the formula of a tree. Raise `Fault` if the tree is not a formula."""
        return self._as_formula(self.thing(node, indices), node)

    def _as_formula(self, thing: Thing, node: Tree) -> f.Formula:
        if isinstance(thing, f.Formula):
            return thing
        if isinstance(thing, Symbol):
            raise self._unknown(thing.word, node)
        value = thing.constant
        if isinstance(value, NamedFormula):
            return value.formula
        if isinstance(thing, Open):
            raise fault("expected a formula, got a number: compare it, as in x = 3", node)
        if thing.fluent is not None:
            problem = f"{thing.fluent} has a value: write {thing.fluent} = one of {shown(thing)}"
            raise fault(problem, node)
        raise fault(f"expected a formula, got a value ({shown(thing)})", node)

    def _unknown(self, word: str, node: Tree) -> Fault:
        known = [*self.names.abbreviations, *self.names.vocabulary.names, *self.names.constants]
        return unknown("name", word, known, node)

    def thing(self, node: Tree, indices: Indices) -> Thing:
        """Return the formula or expression of a tree."""
        self._parts += 1
        if self._parts > _PARTS:
            raise self._too_much(node)
        if not self._parts % LOOK_EVERY:
            look()
        if node.landing and node.data in OPERATORS:
            if id(node) in self._landed:
                return self._landed[id(node)]
            if id(node.landing) not in self._landed:
                return self._deep(node, indices)
        return self._method(node.data)(node, indices)

    def _method(self, kind: str) -> Callable[[Tree, Indices], Thing]:
        """Return the method that expands a rule of the grammar."""
        method = self._methods.get(kind)
        if method is None:
            method = getattr(self, f"_{kind}", None)
            if kind in _ARITHMETIC:
                method = partial(self._arithmetic, _ARITHMETIC[kind])
            elif method is None:
                method = partial(self._connective, operators.CONNECTIVES[kind])
            self._methods[kind] = method
        return method

    def _deep(self, node: Tree, indices: Indices) -> Thing:
        """Return the meaning of a deep tree, inner parts first, to avoid deep recursion."""
        outer, self._landed = self._landed, {}
        try:
            for inner in node.landings():
                self._landed[id(inner)] = self._method(inner.data)(inner, indices)
            if node is node.landing:
                return self._landed[id(node)]
            return self._method(node.data)(node, indices)
        finally:
            self._landed = outer

    def _connective(
        self, build: Callable[[Sequence[f.Formula]], f.Formula], node: Tree, indices: Indices
    ) -> f.Formula:
        return build(self._children(node, indices))

    def _children(self, node: Tree, indices: Indices) -> list[f.Formula]:
        return [self.formula(child, indices) for child in node.children]

    def _iff(self, node: Tree, indices: Indices) -> f.Formula:
        left, right = self._children(node, indices)
        return same(left, right)

    def _implies(self, node: Tree, indices: Indices) -> f.Formula:
        left, right = self._children(node, indices)
        if isinstance(left, f.Constant):
            return right if left.value else f.TRUE
        return f.Implies(left, right)

    def _quantified(self, node: Tree, indices: Indices) -> f.Formula:
        quantifier, body = node.children[0], node.children[-1]
        parts = (self.formula(body, here) for here in self.bound(node, indices))
        return f.conjunction(parts) if quantifier == "forall" else f.disjunction(parts)

    def _cardinality(self, node: Tree, indices: Indices) -> f.Formula:
        relation, bound, *items = node.children
        number = self.fixed(bound, indices)
        if not isinstance(number, int) or number < 0:
            raise fault(f"expected a number of 0 or more, got {number}", bound)
        parts = [self._as_formula(part, at) for at, part in self.items(items, indices)]
        return f.Cardinality(cast(f.Relation, str(relation)), number, parts)

    # ---- names --------------------------------------------------------------------------------

    def _number(self, node: Tree, indices: Indices) -> Cases:
        return constant(int(str(node.children[0])))

    def _fraction(self, node: Tree, indices: Indices) -> Cases:
        try:
            return constant(rational(Fraction(str(node.children[0]).replace(" ", ""))))
        except ZeroDivisionError:
            raise fault("a fraction cannot have the denominator 0", node) from None

    def _name(self, node: Tree, indices: Indices) -> Thing:
        inner = node.children[0]
        if str(inner.children[0]) in self._abbreviations:
            return self._term(inner, indices)
        return self._shortcuts.term(inner, indices, self._term)

    def term_parts(self, node: Tree, indices: Indices) -> tuple[Token, tuple[str, ...], int | None]:
        """Return a term's name, its arguments with indices substituted, and its version."""
        name, *rest = node.children
        version = None
        if rest and isinstance(rest[-1], Token):
            version = int(str(rest.pop())[1:])
        arguments = tuple(str(self.fixed(argument, indices)) for argument in rest)
        return name, arguments, version

    def term_name(self, node: Tree, indices: Indices) -> str:
        """Return a term's name with its arguments, without its version."""
        name, arguments, _ = self.term_parts(node, indices)
        return Name(str(name), arguments)

    def _term(self, node: Tree, indices: Indices) -> Thing:
        if len(node.children) == 1:
            bound = indices.get(node.children[0])
            if bound is not None:
                return bound if isinstance(bound, f.Formula) else constant(bound)
        word = str(node.children[0])
        if word in self._abbreviations:
            return self._abbreviated(self._abbreviations[word], node, indices)
        try:
            name, arguments, version = self.term_parts(node, indices)
        except Fault as wrong:
            if word in operators.SYMBOLS:
                raise fault(_with_square_brackets(word), node) from None
            raise wrong
        key = (word, arguments, version)
        thing = self._known.get(key)
        if thing is None:
            thing = self._known[key] = self._looked_up(name, arguments, version)
        return thing

    def _looked_up(self, name: Token, arguments: tuple[str, ...], version: int | None) -> Thing:
        """Return the meaning of a term that is not an abbreviation."""
        word = str(name)
        if not arguments and version is None:
            known = self.names.constants.get(word)
            if isinstance(known, tuple):
                raise fault(f"{word} is a list: write `forall` something `in {word}`", name)
            if known is not None:
                return constant(known)
        vocabulary = self.names.vocabulary
        plain = Name(word, arguments)
        if plain in self.names.coded:
            return self._coded(plain, version)
        written = vocabulary.known(word, arguments, version)
        if written is None:
            if word in self.names.abbreviations:
                problem = f"{word} is defined later: define it above the definitions that use it"
                raise fault(problem, name)
            if not arguments and version is None:
                return Symbol(word)
            try:
                vocabulary.fluent(word, arguments, version)
            except InputError as error:
                if word in operators.SYMBOLS:
                    raise fault(_with_square_brackets(word), name) from None
                raise fault(str(error), name) from None
        assert written is not None
        fluent = vocabulary.domain(written)
        assert fluent is not None
        if isinstance(fluent, model.Number):
            return Open(((Sum.of(written, is_real=fluent.is_real), f.TRUE),), written)
        if fluent.is_boolean:
            return f.Atom(written)
        return Cases({value_of(v): f.Atom(written, v) for v in fluent.values}, written)

    def _coded(self, name: str, version: int | None) -> Bits:
        """Return the number of a fluent that is stored in binary."""
        low, high, digits = self.names.coded[name]
        known = [Name.of(digit) for digit in (name, *digits)]
        if version is not None:
            known = [each.at(version) for each in known]
        return Bits(tuple(map(f.Atom, known[1:])), 0, low, high, known[0])

    def _abbreviated(self, definition: Definition, node: Tree, indices: Indices) -> Thing:
        arguments = [self._argument(argument, indices) for argument in node.children[1:]]
        if len(arguments) != len(definition.parameters):
            named = Name(definition.name, tuple(definition.parameters))
            wanted = f"{named} takes {len(definition.parameters)} arguments"
            raise fault(f"{wanted}, got {len(arguments)}", node)
        formulas = (one.formula for one in arguments if isinstance(one, NamedFormula))
        key = (definition.name, *arguments, *formulas)
        if key in self.names.meanings:
            return self.names.meanings[key]
        given = dict(zip(definition.parameters, arguments, strict=True))
        outer, self._abbreviations = self._abbreviations, definition.earlier
        text, self._text = self._text, definition.text
        try:
            self.begin(definition.body, given)
            meaning = self.thing(definition.body, given)
            if isinstance(meaning, Symbol) and meaning.word not in self.names.words:
                raise self._unknown(meaning.word, definition.body)
            if len(self.names.meanings) >= _MEANINGS:
                self.names.meanings.clear()
            self.names.meanings[key] = meaning
            if isinstance(meaning, f.Formula):
                self.names.remember(meaning, Name(definition.name, tuple(map(str, arguments))))
            return meaning
        except Fault as inner:
            raise fault(f"in {definition.name}: {inner.problem}", node) from None
        finally:
            self._abbreviations, self._text = outer, text

    def _argument(self, node: Tree, indices: Indices) -> Value | f.Formula:
        """Return an argument of a definition: a number, a word, or a formula."""
        if isinstance(node, Token):
            raise fault("a definition has no versions", node)
        word = bare(node)
        if word is not None and word in indices:
            return indices[word]
        is_name = word in self._abbreviations or word in self.names.vocabulary.fluents
        named = self.thing(node, indices) if word is None or is_name else None
        if isinstance(named, f.Formula):
            return named if word is None else NamedFormula(word, named)
        if word is None and not (isinstance(named, Cases) and named.constant is not None):
            raise fault("expected a name, a number or a formula as an argument", node)
        return self.fixed(node, indices)

    # ---- values -------------------------------------------------------------------------------

    def fixed(self, node: Tree, indices: Indices) -> Value:
        """Return a value that is known when the file is read; a bare word stands for itself."""
        word = bare(node)
        if word is not None:
            if word in indices:
                return _value(indices[word], node)
            if word not in self.names.constants:
                return word
        thing = self.thing(node, indices)
        value = thing.constant if isinstance(thing, Cases) else None
        if value is None:
            raise fault("expected a number, a word or an index, got something that varies", node)
        return value

    def _as_value(self, thing: Thing, node: Tree) -> Number:
        """Return the expression; a formula has the value 1 where it is true, and 0 elsewhere."""
        if isinstance(thing, Symbol):
            raise self._unknown(thing.word, node)
        return truth_value(thing) if isinstance(thing, f.Formula) else thing

    @contextmanager
    def _reckoning(self, node: Tree) -> Iterator[None]:
        """Turn arithmetic errors in the context into faults at this node."""
        try:
            yield
        except ZeroDivisionError:
            raise fault("a number cannot be divided by 0", node) from None
        except NotANumber as wrong:
            raise fault(f"expected numbers, got {wrong.args[0]!r}", node) from None
        except TooMany:
            raise fault("this has too many values", node) from None
        except TooManyCases:
            raise fault("this has too many cases", node) from None
        except InputError as error:
            raise fault(str(error), node) from None

    def _arithmetic(self, of: Callable[[int, int], int], node: Tree, indices: Indices) -> Number:
        left, right = (self._as_value(self.thing(one, indices), one) for one in node.children)
        with self._reckoning(node):
            return combined(left, right, of)

    def _negative(self, node: Tree, indices: Indices) -> Number:
        (child,) = node.children
        with self._reckoning(node):
            value = self._as_value(self.thing(child, indices), child)
            return combined(constant(0), value, operator.sub)

    def _total(self, node: Tree, indices: Indices) -> Number:
        total: Number = constant(0)
        for at, part in self.items(node.children[1:], indices):
            with self._reckoning(at):
                total = combined(total, self._as_value(part, at), operator.add)
        return total

    def _choice(self, node: Tree, indices: Indices) -> Thing:
        condition, left, right = node.children
        guard = self.formula(condition, indices)
        yes, no = self.thing(left, indices), self.thing(right, indices)
        if isinstance(yes, f.Formula) and isinstance(no, f.Formula):
            return f.conjunction((f.disjunction((~guard, yes)), f.disjunction((guard, no))))
        sides = [
            constant(side.word) if isinstance(side, Symbol) else self._as_value(side, at)
            for side, at in ((yes, left), (no, right))
        ]
        with self._reckoning(node):
            return chosen(guard, *sides)

    # ---- comparisons --------------------------------------------------------------------------

    def _comparison(self, node: Tree, indices: Indices) -> f.Formula:
        plain = self._shortcuts.comparison(node, indices)
        if plain is not None:
            return f.TRUE if plain else f.FALSE
        things = [(side, self.thing(side, indices)) for side in node.children[::2]]
        signs = map(str, node.children[1::2])
        meant = f.conjunction(
            self._compared(node, things[n], sign, things[n + 1]) for n, sign in enumerate(signs)
        )
        if any(map(_is_reckoned, (thing for _, thing in things))):
            self.names.remember(meant, self.written(node, indices))
        return meant

    def written(self, node: Tree, indices: Indices) -> str:
        """Return a part of the statement as it is written, with the values of its indices."""
        text = self._text[node.start_pos : node.end_pos]
        for name, value in indices.items():
            text = re.sub(rf"\b{name}\b", str(value), text)
        return " ".join(text.split())

    def _compared(
        self, node: Tree, left: tuple[Tree, Thing], sign: str, right: tuple[Tree, Thing]
    ) -> f.Formula:
        if sign in COMPARE:
            first, second = (self._as_value(thing, at) for at, thing in (left, right))
            with self._reckoning(node):
                return compared(first, sign, second)
        same_value = self._equal(left, right)
        return same_value if sign == "=" else f.negation(same_value)

    def _equal(self, left: tuple[Tree, Thing], right: tuple[Tree, Thing]) -> f.Formula:
        (at_first, first), (at_second, second) = left, right
        if isinstance(first, Cases) and isinstance(second, Cases):
            fixed = first.constant, second.constant
            if None not in fixed:  # usually two indices
                return f.TRUE if fixed[0] == fixed[1] else f.FALSE
        if isinstance(first, f.Formula) and isinstance(second, f.Formula):
            return same(first, second)
        if isinstance(first, f.Formula) or isinstance(second, f.Formula):
            raise fault("expected two values or two formulas, got one of each", at_first)
        # A fluent can have the same name as a value. After `=`, the name means the value.
        second = self._meant(at_second, second, first)
        first = self._meant(at_first, first, second)
        if isinstance(first, Symbol) or isinstance(second, Symbol):
            words = [side.word for side in (first, second) if isinstance(side, Symbol)]
            for word in words:
                if word not in self.names.words:
                    raise self._unknown(word, at_first)
            return f.TRUE if len(set(words)) == 1 and len(words) == 2 else f.FALSE
        for side, against, place in ((first, second, at_second), (second, first, at_first)):
            value = against.constant
            if side.fluent is not None and value is not None and not has(side, value):
                raise self._no_value(side, value, place)
        with self._reckoning(at_first):
            return equal(first, second)

    @staticmethod
    def _no_value(side: Number, value: Value, node: Tree) -> Fault:
        if isinstance(side, Open):
            return fault(f"expected {shown(side)}, got {value}", node)
        if isinstance(side, Bits):
            problem = f"expected a value of {side.fluent} ({shown(side)}), got {value}"
            return fault(problem, node)
        kind = f"value of {side.fluent or 'this'}"
        return unknown(kind, str(value), map(str, side.cases), node)

    def _meant(self, node: Tree, side: Number | Symbol, other: Number | Symbol) -> Number | Symbol:
        """Return a side of an equation; a word is a value if the other side can have that value."""
        word = side.word if isinstance(side, Symbol) else side.fluent
        if isinstance(other, Symbol):
            return side
        if word and other.fluent != word and has(other, word):
            return constant(word)
        if isinstance(side, Symbol) and other.constant is None:
            raise self._no_value(other, side.word, node)
        return side

    # ---- lists --------------------------------------------------------------------------------

    def items(self, items: Iterable[Tree], indices: Indices) -> Iterator[tuple[Tree, Thing]]:
        """Yield the entries of a list with its `for` expanded, each with its tree."""
        for item in items:
            body = item.children[0]
            for here in self.bound(item, indices):
                yield body, self.thing(body, here)

    def bound(self, node: Tree, indices: Indices) -> Iterator[Indices]:
        """Yield the values of the index variables of a tree, in order."""
        binders, condition = node.binders()
        for here in self._bound(binders, indices):
            look()
            if condition is not None:
                decided = self.formula(condition.children[0], here)
                if not isinstance(decided, f.Constant):
                    raise fault("a condition after `if` can speak of indices only", condition)
                if not decided.value:
                    continue
            yield here

    def _too_much(self, node: Tree) -> Fault:
        return fault(f"this statement has more than {_PARTS:,} parts when written out", node)

    def _bound(self, binders: Sequence[Tree], indices: Indices) -> Iterator[Indices]:
        if not binders:
            yield indices
            return
        name, values = binders[0].children
        self.check_unused(name, "index")
        for value in self.collection(values, indices):
            here = {**indices, str(name): value}
            if len(binders) > 1:
                yield from self._bound(binders[1:], here)
            else:
                yield here

    def check_unused(self, name: Token, instead: str = "") -> None:
        """Raise `Fault` if the name of a new index or parameter already has a meaning."""
        taken = (self.names.constants, self._abbreviations, self.names.coded)
        if any(name in names for names in (*taken, self.names.vocabulary.fluents)):
            another = f"another {instead}" if instead else "another"
            raise fault(f"{name} has a meaning already: take {another}", name)

    def collection(self, node: Tree, indices: Indices) -> tuple[Value, ...]:
        """Return the members of a set, in order."""
        match node.data:
            case "range":
                low, high = (self.fixed(end, indices) for end in node.children)
                if not isinstance(low, int) or not isinstance(high, int):
                    raise fault(f"expected numbers around `..`, got {low} and {high}", node)
                if high - low >= _RANGE:
                    raise fault(f"more than {_RANGE:,} numbers: {low}..{high}", node)
                return tuple(range(low, high + 1))
            case "collection":
                return self.entries(node.children, indices)
        (inner,) = node.children
        word = bare(inner)
        if word is None:
            raise fault("expected a list such as 1..6, {a, b} or agents", inner)
        members = self.listed(word)
        if not isinstance(members, tuple):
            known = [name for name, of in self.names.constants.items() if isinstance(of, tuple)]
            raise unknown("list", word, [*known, "agents"], inner)
        return members_of(members)

    def listed(self, word: str) -> Value | tuple[Value, ...]:
        """Return the value of a constant, the members of a list, or any other word unchanged."""
        return self.names.agents if word == "agents" else self.names.constants.get(word, word)

    def entries(
        self, children: Iterable[Tree], indices: Indices, what: str = "value"
    ) -> tuple[Value, ...]:
        """Return the distinct values of a list; the name of a list stands for its members.

        Lists and ranges may overlap. Raise `Fault` if a value is written twice.
        """
        values: list[Value] = []
        written: set[Value] = set()
        for node in children:
            if node.data != "single":
                values += self.collection(node, indices)
                continue
            body, *each = node.children
            for here in self.bound(node, indices):
                members = self._members(body, here)
                if not each and not isinstance(members, tuple):
                    (value,) = members
                    if value in written:
                        raise fault(f"{what} {str(value)!r} is given twice", body)
                    written.add(value)
                values += members
        return tuple(dict.fromkeys(values))

    def _members(self, body: Tree | Token, indices: Indices) -> Sequence[Value]:
        """Return an entry of a list of values: one value, or the members of a named list."""
        word = str(body) if isinstance(body, Token) else bare(body)
        if word is not None and word in indices:
            return [_value(indices[word], body)]
        listed = None if word is None else self.listed(word)
        if isinstance(listed, tuple):
            return listed
        if isinstance(body, Tree) and listed is None:
            listed = self.fixed(body, indices)
        assert listed is not None
        return [listed]

    # ---- agents -------------------------------------------------------------------------------

    def agents(self, node: Tree, indices: Indices) -> tuple[str, ...]:
        """Return the named agents; the name of a list stands for its members."""
        if node.data == "everybody":
            return self.names.agents
        names: list[str] = []
        for member in node.children:
            body = member.children[0]
            for here in self.bound(member, indices):
                for name in map(str, self._members(body, here)):
                    if not self.names.vocabulary.is_agent(name):
                        raise unknown("agent", name, self.names.agents, body)
                    names.append(name)
        if not names:
            raise fault("expected at least one agent, got none", node)
        return tuple(dict.fromkeys(names))

    def agent(self, node: Tree, indices: Indices, what: str) -> str:
        """Return the single agent of a node."""
        names = self.agents(Tree("agents", [node]) if node.data == "agent" else node, indices)
        with faults_at(node):
            return operators.one_agent(what, names)

    def _modal(self, node: Tree, indices: Indices) -> f.Formula:
        sign, who, operand = node.children
        inner = self.formula(operand, indices)
        agents = self.agents(who, indices)
        with faults_at(who):
            return operators.applied(str(sign), agents, inner)

    def _conditional(self, node: Tree, indices: Indices) -> f.Formula:
        sign, who, given, operand = node.children
        with faults_at(sign):
            operators.check_given(str(sign))
        agents = self.agents(who, indices)
        condition, inner = (self.formula(part, indices) for part in (given, operand))
        with faults_at(who):
            return operators.conditional(str(sign), agents, inner, condition)

    def _knows_value(self, node: Tree, indices: Indices) -> f.Formula:
        _, who, values = node.children
        agent = self.agent(who, indices, "Kv[...]")
        if values.data == "one_value":
            (named,) = values.children
            terms = [(named, self._term(named, indices))]
        else:
            terms = list(self.items(values.children, indices))
        if not terms:
            raise fault("expected at least one fluent after Kv, got none", node)
        return f.conjunction(self._known_value(agent, at, value) for at, value in terms)

    def _known_value(self, agent: str, node: Tree, thing: Thing) -> f.Formula:
        match thing:
            case Cases(_, str() as fluent):
                return f.Kv(agent, fluent)
            case Bits(bits, fluent=str()):
                return f.Kv(agent, [atom.fluent for atom in bits if isinstance(atom, f.Atom)])
            case Bits(bits):
                return f.conjunction(f.Kw(agent, bit) for bit in bits)
            case Cases(cases):
                return f.conjunction(f.Kw(agent, case) for case in cases.values())
            case Open(fluent=str(fluent)):
                return f.Kv(agent, fluent)
            case Open():
                raise fault("Kv is about fluents: define a fluent for this value", node)
            case f.Formula():
                return f.Kw(agent, thing)
        raise self._unknown(thing.word, node)

    def _probability(self, node: Tree, indices: Indices) -> f.Formula:
        _, who, *given, operand, relation, bound = node.children
        agent = self.agent(who, indices, "P[...]")
        inner, *condition = (self.formula(part, indices) for part in (operand, *given))
        with faults_at(bound):
            return operators.probability(agent, inner, str(relation), str(bound), *condition)


def _with_square_brackets(word: str) -> str:
    """Return the message about an operator that was used like a fluent."""
    return f"{word} takes agents in square brackets: write {operators.example(word)}"
