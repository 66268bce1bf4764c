"""The parser of formulas.

This is an operator-precedence parser: `PrecedenceReader.formula` reads operands and the operators
between them. An operator takes its operands when an operator of lower precedence follows.
`GRAMMAR.md` defines the grammar, and the methods and rules have the names used there.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from types import GeneratorType
from typing import Any, ClassVar, NamedTuple, Never, TypeVar, cast

from symkripke.argument_types import checked
from symkripke.errors import FormulaError, InputError, UnknownName, long_number
from symkripke.language import formulas as f
from symkripke.language import operators
from symkripke.language.chance import Chance
from symkripke.language.linear import Sum, constant
from symkripke.language.scanner import (
    END,
    INT,
    NAME,
    VERSION,
    Rule,
    Scanner,
    Token,
    Wording,
    completed,
)
from symkripke.language.signature import Signature, Syntax

T = TypeVar("T")

FAR, IFF, IMPLIES, OR, AND, PREFIX, COMPARISON, SUM, PRODUCT = range(9)
"""The levels of precedence. An operand at the level `FAR` extends as far as possible."""

# Names of groups of words, for messages.
_OPERATOR, _COUNT, FRACTION, _RELATION = "OPERATOR", "COUNT", "FRACTION", "COMPARISON"

BANG = re.compile("!")
OPENED = re.compile(r"[\[<]")
FRACTIONS = re.compile(r"\d+\s*/\s*\d+|\d+\.\d+")
_COMPARED = re.compile(">=|<=|>|<|=")
_AGENTS = re.compile(r"\s*\[")
_COUNTED = re.compile(r"\s*\(\s*\d+\s*;")


class Infix(NamedTuple):
    """An operator between two operands.

    Attributes:
        rule: the rule of the grammar.
        level: its precedence.
        groups: its associativity: "left" or "right", or "all" if a sequence of operands is one
            formula. Different operators of one level associate to the left.
    """

    rule: str
    level: int
    groups: str


class Start(NamedTuple):
    """A word that begins an operand, or a prefix operator.

    Attributes:
        read: the name of the method that reads the operand or operator. Some of these methods
            return a rule that is not complete.
        level: its precedence; `PRODUCT` for a possible operand of any operator.
        ahead: the pattern that must follow the word. Otherwise it is an ordinary name.
    """

    read: str
    level: int = PRODUCT
    ahead: re.Pattern[str] | None = None


class Waiting(NamedTuple):
    """An operator that waits for an operand on its right, with its other parts.

    Attributes:
        rule: the rule of the grammar.
        parts: the parts that were read.
        start: the index at which its text starts.
        level: its precedence.
    """

    rule: str
    parts: list[Any]
    start: int
    level: int = PREFIX


def _takes(before: Waiting, after: Infix | None) -> bool:
    """Return whether an operand belongs to the operator before it, not to the operator after it."""
    if after is None or before.level != after.level:
        return after is None or before.level > after.level
    return after.groups == "left" or before.rule != after.rule


class PrecedenceReader(Scanner):
    """A parser of operands and the operators between them; `made` builds the results."""

    infixes: ClassVar[Mapping[str, Infix]]
    end_of_formula = -1
    """The index of the first word after the last formula."""

    tightest = PRODUCT
    """The highest level of an operator that may follow the last operand."""

    _missed = -1, IFF, PRODUCT
    """The index at which no operator was found, and the lowest and highest level tried there."""

    @abstractmethod
    def made(self, rule: str, parts: list[Any], start: int) -> Any:
        """Return the result of a rule with the text from `start` up to the current word."""

    @abstractmethod
    def operand(self, is_tight: bool) -> Any:
        """Return the operand, rule or prefix operator that begins at the current word.

        Args:
            is_tight: whether it is an operand of arithmetic.
        """

    def sign(self, infix: Infix) -> list[Any]:
        """Take the symbol of an operator, and return its parts that belong to the formula."""
        self.advance()
        return []

    def formula(self, least: int = IFF) -> Rule:
        """Read a formula with operators of the level `least` or higher."""
        waiting: list[Waiting] = []
        while True:
            start = self.start
            operand = self.operand((waiting[-1].level if waiting else least) > PREFIX)
            if isinstance(operand, GeneratorType):
                operand = yield operand
            if isinstance(operand, Waiting):
                waiting.append(operand)
                if operand.level == FAR:
                    least = IFF
                continue
            infix = self._infix(least)
            while waiting and _takes(waiting[-1], infix):
                before = waiting.pop()
                start = before.start
                before.parts.append(operand)
                operand = self.made(before.rule, before.parts, start)
            if infix is None:
                self.end_of_formula = self.start
                return operand
            if infix.groups == "all" and waiting and waiting[-1].level == infix.level:
                waiting[-1].parts.append(operand)
            else:
                waiting.append(Waiting(infix.rule, [operand], start, infix.level))
            waiting[-1].parts.extend(self.sign(infix))

    def _infix(self, least: int) -> Infix | None:
        """Return the operator after an operand; None if its level is below `least`."""
        infix = self.infixes.get(self.word)
        tightest, self.tightest = self.tightest, PRODUCT
        if infix is not None and least <= infix.level <= tightest:
            return infix
        self._missed = self.start, least, tightest
        return None

    def fail(self, *words: str) -> Never:
        """Raise `error`, expecting these words or an operator that can follow."""
        start, least, tightest = self._missed
        if start == self.start:
            infixes = self.infixes.items()
            self.tried(*[sign for sign, one in infixes if least <= one.level <= tightest])
        super().fail(*words)


class FormulaReader(PrecedenceReader):
    """A parser of formulas with the operators of this package."""

    infixes: ClassVar[Mapping[str, Infix]] = {
        "<->": Infix("iff", IFF, "left"),
        "->": Infix("implies", IMPLIES, "right"),
        "|": Infix("disjunction", OR, "all"),
        "&": Infix("conjunction", AND, "all"),
    }
    starts: ClassVar[Mapping[str, Start]] = {
        "(": Start("bracketed"),
        "true": Start("truth"),
        "false": Start("truth"),
        "~": Start("negation", PREFIX),
        "[": Start("announced", PREFIX),
        "<": Start("announced", PREFIX),
        "<->": Start("announced", PREFIX),  # before an operand, `<` is a separate word
        "Kv": Start("knows_value", PREFIX, _AGENTS),
        "P": Start("probability", PREFIX, _AGENTS),
        **dict.fromkeys(operators.PREFIXES, Start("modal", PREFIX, _AGENTS)),
        **dict.fromkeys(("atleast", "atmost", "exactly"), Start("cardinality", PRODUCT, _COUNTED)),
    }

    names_of_starts: ClassVar[tuple[str, ...]]
    """The possible beginnings of an operand, for messages."""

    names_of_tight_starts: ClassVar[tuple[str, ...]] = ()
    """The possible beginnings of an operand of arithmetic, for messages."""

    asked_at = -1
    """The index at which a probability without a bound is a question; -1 for none."""

    @abstractmethod
    def term(self) -> Any:
        """Read a name with its arguments, as an operand."""

    @abstractmethod
    def agents(self) -> Any:
        """Read the agents in brackets."""

    def read(self, name: str) -> Any:
        """Call the method of this name."""
        return getattr(self, name)()

    def operand(self, is_tight: bool) -> Any:
        """See `PrecedenceReader.operand`."""
        start = self.starts.get(self.word)
        if (
            start is not None
            and (start.level == PRODUCT or not is_tight)
            and (start.ahead is None or self.has_ahead(start.ahead))
        ):
            return self.read(start.read)
        if self.kind != NAME:
            self.fail(*(self.names_of_tight_starts if is_tight else self.names_of_starts))
        return self.term()

    # ---- before an operand --------------------------------------------------------------------

    def negation(self) -> Waiting:
        """Read `~ f`."""
        start = self.start
        self.advance()
        return Waiting("negation", [], start)

    def modal(self) -> Rule:
        """Read `K[i] f` or `B[i | g] f`."""
        start, operator = self.start, self.token()
        parts = yield self.bracketed_agents()
        rule = "modal" if len(parts) == 1 else "conditional"
        return Waiting(rule, [operator, *parts], start)

    def bracketed_agents(self) -> Rule:
        """Read `[i, j]` or `[i | g]`."""
        self.take("[")
        parts = [(yield self.agents())]
        if self.took("|"):
            parts.append((yield self.formula()))
        self.take("]")
        return parts

    def announced(self) -> Rule:
        """Read `[! f] g` or `<! f> g`."""
        self.read_as(OPENED)
        start, opened = self.start, self.token()
        self.read_as(BANG)
        self.take("!")
        inner = yield self.formula()
        self.take("]" if opened == "[" else ">")
        return Waiting("announced" if opened == "[" else "announced_true", [inner], start)

    # ---- operands -----------------------------------------------------------------------------

    def bracketed(self) -> Rule:
        """Read `( f )`."""
        self.advance()
        inner = yield self.formula()
        self.take(")")
        return inner

    def truth(self) -> Any:
        """Read `true` or `false`."""
        start, word = self.start, self.token()
        return self.made(word, [], start)

    def probability(self) -> Rule:
        """Read `P[i](f) >= q` or `P[i | g](f) >= q`."""
        start = self.start
        parts = yield self.chance()
        if start == self.asked_at and self.at(END):
            return self.made("chance", parts, start)
        parts += [self.relation(), self.token(INT, FRACTION)]
        self.tightest = AND
        return self.made("probability", parts, start)

    def chance(self) -> Rule:
        """Read `P[i](f)`: the operator, the agents, the condition (if any) and the formula."""
        operator = self.token()
        parts = yield self.bracketed_agents()
        self.take("(")
        parts.append((yield self.formula()))
        self.take(")")
        return [operator, *parts]

    def relation(self) -> Any:
        """Read the symbol of a comparison."""
        self.read_as(_COMPARED, _RELATION)
        return self._before_bound(self.token(_RELATION))

    def _before_bound(self, sign: Token) -> Token:
        """Return the symbol just taken, and read a fraction after it as one word."""
        if self.kind == INT:
            self.read_as(FRACTIONS, FRACTION)
        return sign


class _Term(NamedTuple):
    """A term before its lookup: the words of its name and arguments, and its version."""

    words: list[Token]
    version: int | None


_NUMBER = r"[^\W\d]\w*(?:\(\s*\w+(?:\s*,\s*\w+)*\s*\))?(?:\#\d+)?"
_SUMMAND = rf"(?:\d+\s*\*\s*)?{_NUMBER}|\d+(?:\s*/\s*\d+)?"
_SUM = rf"-?\s*(?:{_SUMMAND})(?:\s*[+-]\s*(?:{_SUMMAND}))*"
_CONSTRAINT = re.compile(
    rf"(?P<left>{_SUM}|\(\s*{_SUM}\s*\))(?:\s+mod\s+(?P<modulus>\d+))?"
    rf"\s*(?P<sign><=|>=|!=|[<>=])\s*(?P<right>{_SUM})"
)
_SUMMANDS = re.compile(rf"(-?)\s*(?:(\d+)\s*\*\s*)?(?:({_NUMBER})|(\d+(?:\s*/\s*\d+)?))")
_WORDS = re.compile(r"\w+")

# The words that can follow a formula. Names are looked up only before one of these words.
_AFTER = frozenset(("<->", "->", "|", "&", ")", "]", ">", ",", END))


class _Builder(FormulaReader):
    """A parser that builds formulas and looks up every name in the signature.

    The method `_RULE` builds the formula of the rule `RULE`.
    """

    pattern = re.compile(
        r"""[ \t\f\r\n]*+(?:
            (?P<NAME>[^\W\d]\w*) | (?P<INT>\d+) | (?P<VERSION>\#\d+)
          | (?P<SIGN><->|->|!=|[()\[\],;!~|&=<>*]) | (?P<UNKNOWN>.) | (?P<END>\Z)
        )""",
        re.VERBOSE | re.DOTALL,
    )
    wording = Wording(
        words={
            NAME: "a name",
            INT: "a number",
            VERSION: "a version such as #2",
            END: "the end",
            FRACTION: "a fraction",
            _OPERATOR: "an operator such as K[...]",
            _COUNT: "'atleast(', 'atmost(' or 'exactly('",
            _RELATION: "one of >= > <= < =",
        },
        end="the end of the text",
    )
    names_of_starts = (NAME, _OPERATOR, "(", "<", "[", _COUNT, "false", "true", "~")

    def __init__(self, text: str, signature: Signature | None) -> None:
        """Start to read a text with the names of a signature; None allows every name."""
        if wrong := long_number(text):
            problem, line, column = wrong
            raise FormulaError(problem, text, line, column)
        self._signature = Syntax() if signature is None else signature
        super().__init__(text)

    def whole(self) -> Any:
        """Return the formula of the whole text; raise `FormulaError` for an error in it."""
        formula = completed(self.formula())
        self.take(END)
        return formula

    def error(self, expected: frozenset[str]) -> FormulaError:
        """Return the error for the current word; at a bracket, for the word before it."""
        before = re.search(r"([^\W\d]\w*)\s*$", self.text[: self.start])
        if self.word == "[" and before:
            unknown = UnknownName("operator", before[1], operators.SYMBOLS)
            return self._wrong(str(unknown), Token(before[1], self.text, before.start()))
        problem, line, column = self.problem(expected)
        return FormulaError(problem, self.text, line, column)

    def _wrong(self, problem: str, token: Token) -> FormulaError:
        return FormulaError(problem, self.text, token.line, token.column)

    def _placed(self, token: Token, build: Callable[..., T], *parts: Any) -> T:
        """Return `build(*parts)`; report an `InputError` at the token."""
        try:
            return build(*parts)
        except InputError as error:
            raise self._wrong(str(error), token) from error

    def made(self, rule: str, parts: list[Any], start: int) -> Any:
        """Return the formula of a rule.

        If the current word cannot follow a formula, it is an error whatever the names before it
        mean. Then the names are not looked up, and the result is `true`.
        """
        if self.word not in _AFTER:
            return f.TRUE
        build = operators.CONNECTIVES.get(rule)
        return getattr(self, f"_{rule}")(*parts) if build is None else build(parts)

    # ---- names --------------------------------------------------------------------------------

    def _look_up(self, lookup: Callable[[Sequence[str]], T], tokens: Sequence[Token]) -> T:
        """Return the result of `lookup` for these words, with their letter case corrected."""
        words = [str(token) for token in tokens]
        respelled: set[int] = set()
        while True:
            try:
                return lookup(words)
            except InputError as error:
                name = getattr(error, "name", None)
                # The error is about the term's name, the first word, unless it names an argument.
                places = [n for n, word in enumerate(words) if word == name != words[0]]
                place = next((n for n in places if n not in respelled), 0)
                meant = error.meant if isinstance(error, UnknownName) else None
                if meant is None or words[place] != name or place in respelled:
                    raise self._wrong(str(error), tokens[place]) from error
                words[place] = meant
                respelled.add(place)

    def agents(self) -> list[Token] | None:
        """Read the names of agents; return None for `*`."""
        if self.took("*"):
            return None
        names = []
        while True:
            token = self.token(NAME, INT)
            if self.word in (",", "|", "]"):
                name = self._look_up(lambda words: self._signature.agent(words[0]), (token,))
                names.append(Token(name, self.text, token.start_pos))
            if not self.took(","):
                return names

    def _single(self, operator: Token, agents: list[Token] | None) -> str:
        token = agents[1] if agents is not None and len(agents) > 1 else operator
        return str(self._placed(token, operators.one_agent, f"{operator}[...]", agents))

    def _read_term(self) -> _Term:
        words = [self.token(NAME)]
        if self.took("("):
            words.append(self.token(NAME, INT))
            while self.took(","):
                words.append(self.token(NAME, INT))
            self.take(")")
        self.tried(VERSION)
        return _Term(words, int(self.token()[1:]) if self.kind == VERSION else None)

    def operand(self, is_tight: bool) -> Any:
        """See `PrecedenceReader.operand`. A constraint is read as one word."""
        found = _CONSTRAINT.match(self.text, self.start)
        constraint = None if found is None else self._constraint(found)
        if found is None or constraint is None:
            return super().operand(is_tight)
        self.back(found.end())
        return constraint

    def _constraint(self, found: re.Match[str]) -> f.Formula | None:
        """Return a constraint on numbers; None if it has other names, or only states a value."""
        left, right = (self._sum(found[side]) for side in ("left", "right"))
        sign, modulus = found["sign"].replace("!=", "="), int(found["modulus"] or 0)
        if left is None or right is None or not left.terms + right.terms:
            return None
        if modulus and (sign != "=" or right.terms):
            return None
        is_value = len(left.terms) == 1 and str(left) == left.terms[0][0]
        if is_value and sign == "=" and not modulus and found["right"].isdecimal():
            return None  # the vocabulary checks the value
        place = Token(found[0], self.text, found.start())
        if modulus:
            stated = self._placed(place, f.linear, left.plus(right, -1), "|", modulus)
        else:
            stated = self._placed(place, f.compared, left, sign, right)
        return f.negation(stated) if found["sign"] == "!=" else stated

    def _sum(self, text: str) -> Sum | None:
        """Return a sum of numbers; None if it has other names."""
        total = constant(0)
        for minus, factor, name, value in _SUMMANDS.findall(text):
            part: Sum | None
            if name:
                term, _, version = name.partition("#")
                words = _WORDS.findall(term)
                part = self._signature.number(
                    words[0], words[1:], int(version) if version else None
                )
            else:
                part = constant(Fraction(value.replace(" ", "")))
            if part is None:
                return None
            total = total.plus(part, int(minus + (factor or "1")))
        return total

    def term(self) -> f.Formula:
        """Read a proposition, or a fluent with a value."""
        start, parts = self.start, list[Any]([self._read_term()])
        rule = "proposition"
        if self.at("=", "!="):
            rule = "proposition" if self.token() == "=" else "differs"
            parts.append(self.token(NAME, INT))
        return cast(f.Formula, self.made(rule, parts, start))

    def _proposition(self, term: _Term, *value: Token) -> f.Formula:
        def proposition(words: Sequence[str]) -> f.Formula:
            name, *arguments = words
            written = arguments.pop() if value else None
            return self._signature.proposition(name, arguments, term.version, written)

        return self._look_up(proposition, [*term.words, *value])

    def _differs(self, term: _Term, value: Token) -> f.Formula:
        return f.negation(self._proposition(term, value))

    # ---- knowledge and belief -----------------------------------------------------------------

    def _modal(self, operator: Token, agents: list[Token] | None, operand: f.Formula) -> f.Formula:
        whose: Sequence[str]
        if not operators.takes_group(operator):
            whose = (self._single(operator, agents),)
        elif agents is None:
            whose = self._look_up(lambda _: self._signature.agents, (operator,))
        else:
            whose = tuple(map(str, agents))
        return self._placed(operator, operators.applied, str(operator), whose, operand)

    def _conditional(
        self, operator: Token, agents: list[Token] | None, given: f.Formula, operand: f.Formula
    ) -> f.Formula:
        self._placed(operator, operators.check_given, str(operator))
        return f.B(self._single(operator, agents), operand, given)

    def knows_value(self) -> Any:
        """Read `Kv[i] x` or `Kv[i] (x, y)`."""
        start, operator = self.start, self.token()
        self.take("[")
        agents = self.agents()
        self.take("]")
        bracketed = self.took("(")
        terms = [self._read_term()]
        while bracketed and self.took(","):
            terms.append(self._read_term())
        if bracketed:
            self.take(")")
        return self.made("knows_value", [operator, agents, terms], start)

    def _knows_value(
        self, operator: Token, agents: list[Token] | None, terms: list[_Term]
    ) -> f.Formula:
        fluents = [self._look_up(partial(self._fluent, term.version), term.words) for term in terms]
        return f.Kv(self._single(operator, agents), fluents)

    def _fluent(self, version: int | None, words: Sequence[str]) -> str:
        return self._signature.fluent(words[0], words[1:], version)

    # ---- probabilities and numbers ------------------------------------------------------------

    def _probability(self, operator: Token, agents: list[Token] | None, *rest: Any) -> f.Formula:
        *given, operand, relation, bound = rest
        agent = self._single(operator, agents)
        sign, number = str(relation), str(bound)
        return self._placed(bound, operators.probability, agent, operand, sign, number, *given)

    def _chance(self, operator: Token, agents: list[Token] | None, *formulas: f.Formula) -> Chance:
        *given, operand = formulas
        return Chance(self._single(operator, agents), operand, *given)

    def cardinality(self) -> Rule:
        """Read `atleast(2; f, g, h)`."""
        start, relation = self.start, self.token()
        self.take("(")
        bound, operands = self.token(INT), list[f.Formula]()
        self.take(";")
        while not self.at(")"):
            if operands:
                self.take(",")
            operands.append((yield self.formula()))
        self.advance()
        return self.made("cardinality", [relation, bound, operands], start)

    def _cardinality(self, relation: Token, bound: Token, operands: list[f.Formula]) -> f.Formula:
        return f.Cardinality(cast(f.Relation, str(relation)), int(bound), operands)


def parse(text: str, signature: Signature | None = None) -> f.Formula:
    """Parse one formula.

    Args:
        text: the formula, for example `K[plum] location(rope) = envelope`.
        signature: the names that the formula may use; None allows every name. Letter case is
            ignored if only one known name matches: `K[Plum]` is `K[plum]`.

    Raises:
        FormulaError: the text is not a formula, or uses a name that the signature does not have.
            The message shows the line with a caret.
    """
    return cast(f.Formula, _Builder(checked(text, str), signature).whole())


def parse_question(text: str, signature: Signature | None = None) -> f.Formula | Chance:
    """Parse a formula or a bare probability: `P[plum](at(rope, envelope))`.

    A bare probability is a number, so it must be the whole question. Raise `FormulaError` as
    `parse` does.
    """
    reader = _Builder(checked(text, str), signature)
    reader.asked_at = reader.start
    return cast(f.Formula | Chance, reader.whole())
