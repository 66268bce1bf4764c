"""How formulas are built while their text is read (lark), and what is said of wrong text.

The grammar is `grammar.lark`, beside this file. Formulas are built while reading (the
parser keeps its own stack), so depth is bounded by memory, not by recursion.
"""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeVar, cast

from lark import Token, Transformer, UnexpectedInput, UnexpectedToken
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF

from symkripke.errors import FormulaError, InputError, UnknownName, long_number
from symkripke.language import formulas as f
from symkripke.language import grammars
from symkripke.language.chance import Chance
from symkripke.language.signature import Signature, Syntax

T = TypeVar("T")

_PAIRS: dict[str, Callable[[str, f.Formula], f.Formula]] = {
    "K": f.K,
    "M": f.M,
    "Kw": f.Kw,
    "B": f.B,
}
_GROUPS: dict[str, Callable[[tuple[str, ...], f.Formula], f.Formula]] = {
    "E": f.E,
    "D": f.D,
    "C": f.C,
    "EB": f.EB,
    "CB": f.CB,
}

_OPERATORS = (*_PAIRS, "Kv", *_GROUPS, "P")

# How the grammar's terminals are called in messages.
_WORDS = {
    "NAME": "a name",
    "INT": "a number",
    "DECIMAL": "a number",
    "FRACTION": "a fraction",
    "OPERATOR": "an operator such as K[...]",
    "VALUE_OPERATOR": "an operator such as K[...]",
    "CHANCE": "an operator such as K[...]",
    "COUNT": "'atleast(', 'atmost(' or 'exactly('",
    "COMPARISON": "one of >= > <= < =",
    "VERSION": "a version such as #2",
    "TRUE": "'true'",
    "FALSE": "'false'",
    "$END": "the end",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "COMMA": "','",
    "SEMICOLON": "';'",
    "BANG": "'!'",
    "TILDE": "'~'",
    "VBAR": "'|'",
    "AMPERSAND": "'&'",
    "EQUAL": "'='",
    "LESSTHAN": "'<'",
    "MORETHAN": "'>'",
    "STAR": "'*'",
}


class _Place(Exception):
    """A fault found while building, with the token that it is about."""

    def __init__(self, problem: str, token: Token) -> None:
        self.problem = problem
        self.token = token


class _Term:
    """A term as read: its name token and parts, not yet looked up."""

    __slots__ = ("arguments", "name", "version")

    def __init__(self, name: Token, arguments: list[Token], version: Token | None) -> None:
        self.name = name
        self.arguments = arguments
        self.version = None if version is None else int(version[1:])


class _Builder(Transformer[Token, f.Formula]):
    """Builds formulas bottom-up; every name goes through the signature."""

    def __init__(self) -> None:
        super().__init__()
        self.signature: Signature = Syntax()

    @staticmethod
    def _look_up(found: Callable[[Sequence[str]], T], tokens: Sequence[Token]) -> T:
        """What is found for these words; one that is wrong in its capitals only is put right."""
        words = [str(token) for token in tokens]
        respelled: set[int] = set()
        while True:
            try:
                return found(words)
            except InputError as error:
                name = getattr(error, "name", None)
                # The name of a term comes first: it is to blame if no argument is.
                places = [n for n, word in enumerate(words) if word == name != words[0]]
                place = next((n for n in places if n not in respelled), 0)
                meant = error.meant if isinstance(error, UnknownName) else None
                if meant is None or words[place] != name or place in respelled:
                    raise _Place(str(error), tokens[place]) from error
                words[place] = meant
                respelled.add(place)

    def iff(self, parts: list[f.Formula]) -> f.Formula:
        return f.Iff(*parts)

    def implies(self, parts: list[f.Formula]) -> f.Formula:
        return f.Implies(*parts)

    def disjunction(self, parts: list[f.Formula]) -> f.Formula:
        return f.disjunction(parts)

    def conjunction(self, parts: list[f.Formula]) -> f.Formula:
        return f.conjunction(parts)

    def negation(self, parts: list[f.Formula]) -> f.Formula:
        return f.negation(parts[0])

    def true(self, _: list[Any]) -> f.Formula:
        return f.TRUE

    def false(self, _: list[Any]) -> f.Formula:
        return f.FALSE

    def agent(self, parts: list[Token]) -> Token:
        token = parts[0]
        name = self._look_up(lambda words: self.signature.agent(words[0]), (token,))
        return token.update(value=name)

    def agents(self, parts: list[Token]) -> list[Token]:
        return parts

    def everybody(self, _: list[Any]) -> None:
        return None

    def _group(self, operator: Token, agents: list[Token] | None) -> tuple[str, ...]:
        if agents is None:
            return self._look_up(lambda _: self.signature.agents, (operator,))
        return tuple(str(agent) for agent in agents)

    def _single(self, operator: Token, agents: list[Token] | None) -> str:
        if agents is None or len(agents) != 1:
            came = "'*'" if agents is None else f"{len(agents)}"
            token = operator if agents is None else agents[1]
            raise _Place(f"{operator}[...] takes one agent, got {came}", token)
        return str(agents[0])

    def modal(self, parts: list[Any]) -> f.Formula:
        operator, agents, operand = parts
        if operator in _PAIRS:
            return _PAIRS[operator](self._single(operator, agents), operand)
        group = self._group(operator, agents)
        return self._look_up(lambda _: _GROUPS[operator](group, operand), (operator,))

    def conditional(self, parts: list[Any]) -> f.Formula:
        operator, agents, given, operand = parts
        if operator != "B":
            problem = f"only B[... | ...] and P[... | ...] can have something given, got {operator}"
            raise _Place(problem, operator)
        return f.B(self._single(operator, agents), operand, given)

    def term(self, parts: list[Token | None]) -> _Term:
        tokens = [token for token in parts if token is not None]
        version = tokens.pop() if tokens[-1].type == "VERSION" else None
        return _Term(tokens[0], tokens[1:], version)

    def _atom(self, term: _Term, value: Token | None) -> f.Formula:
        number = len(term.arguments)

        def found(words: Sequence[str]) -> f.Formula:
            name, *rest = words
            said = None if value is None else rest[number]
            return self.signature.proposition(name, rest[:number], term.version, said)

        tokens = [term.name, *term.arguments, *([] if value is None else [value])]
        return self._look_up(found, tokens)

    def proposition(self, parts: list[_Term]) -> f.Formula:
        return self._atom(parts[0], None)

    def equals(self, parts: list[Any]) -> f.Formula:
        return self._atom(parts[0], parts[1])

    def differs(self, parts: list[Any]) -> f.Formula:
        return f.negation(self._atom(parts[0], parts[1]))

    def _fluent(self, term: _Term) -> str:
        return self._look_up(
            lambda words: self.signature.fluent(words[0], words[1:], term.version),
            (term.name, *term.arguments),
        )

    def one_fluent(self, parts: list[_Term]) -> list[str]:
        return [self._fluent(parts[0])]

    def some_fluents(self, parts: list[_Term]) -> list[str]:
        return [self._fluent(part) for part in parts]

    def knows_value(self, parts: list[Any]) -> f.Formula:
        operator, agents, fluents = parts
        return f.Kv(self._single(operator, agents), fluents)

    def bound(self, parts: list[Token]) -> tuple[Fraction, Token]:
        token = parts[0]
        try:
            return Fraction(str(token).replace(" ", "")), token
        except ZeroDivisionError:
            raise _Place("a fraction cannot have the denominator 0", token) from None

    def probability(self, parts: list[Any]) -> f.Formula:
        operator, agents, *compared = parts
        return self.probability_given([operator, agents, f.TRUE, *compared])

    def probability_given(self, parts: list[Any]) -> f.Formula:
        operator, agents, given, operand, relation, (bound, token) = parts
        agent, sign = self._single(operator, agents), cast(f.Comparison, str(relation))
        try:
            return f.P(agent, operand, sign, bound, given)
        except ValueError as error:
            raise _Place(str(error), token) from error

    def chance(self, parts: list[Any]) -> Chance:
        operator, agents, operand = parts
        return self.chance_given([operator, agents, f.TRUE, operand])

    def chance_given(self, parts: list[Any]) -> Chance:
        operator, agents, given, operand = parts
        return Chance(self._single(operator, agents), operand, given)

    def cardinality(self, parts: list[Any]) -> f.Formula:
        relation, bound, *operands = parts
        return f.Cardinality(cast(f.Relation, str(relation)), int(bound), operands)

    def announced(self, parts: list[f.Formula]) -> f.Formula:
        return f.Announced(*parts)

    def announced_true(self, parts: list[f.Formula]) -> f.Formula:
        return f.AnnouncedTrue(*parts)


class _Parser(threading.local):
    """The parser and its builder, one a thread: the builder holds the signature in use."""

    def __init__(self) -> None:
        self.builder = _Builder()
        self.lark = grammars.parser(
            "formulas",
            ("symkripke.language", "grammar.lark"),
            start=["start", "question"],
            transformer=self.builder,
            maybe_placeholders=False,
            propagate_positions=False,
        )


@functools.cache
def _parser() -> _Parser:
    return _Parser()


def build(text: str, signature: Signature | None) -> f.Formula:
    """See `symkripke.language.parse`."""
    return cast(f.Formula, _read(text, signature, "start"))


def build_question(text: str, signature: Signature | None) -> f.Formula | Chance:
    """See `symkripke.language.parse_question`."""
    return cast(f.Formula | Chance, _read(text, signature, "question"))


def _read(text: str, signature: Signature | None, start: str) -> Any:
    wrong = long_number(text)
    if wrong is not None:
        problem, line, column = wrong
        raise FormulaError(problem, text, line, column)
    reader = _parser()
    reader.builder.signature = Syntax() if signature is None else signature
    try:
        return reader.lark.parse(text, start=start)
    except _Place as fault:
        line, column = fault.token.line or 1, fault.token.column or 1
        raise FormulaError(fault.problem, text, line, column) from fault.__cause__
    except UnexpectedInput as error:
        raise _syntax_error(text, error) from None
    finally:
        reader.builder.signature = Syntax()


def _syntax_error(text: str, error: UnexpectedInput) -> FormulaError:
    lines = text.split("\n")
    before = re.search(r"([^\W\d]\w*)\s*$", text[: error.pos_in_stream or 0])
    if isinstance(error, UnexpectedToken) and error.token.type == "LSQB" and before:
        start = before.start()
        line, column = text.count("\n", 0, start) + 1, start - (text.rfind("\n", 0, start) + 1) + 1
        problem = str(UnknownName("operator", before[1], _OPERATORS))
        return FormulaError(problem, text, line, column)
    at_end = isinstance(error, UnexpectedEOF) or (
        isinstance(error, UnexpectedToken) and error.token.type == "$END"
    )
    if at_end:
        line, column = len(lines), len(lines[-1].rstrip()) + 1
        came = "the end of the text"
    elif isinstance(error, UnexpectedToken):
        line, column = error.line, error.column
        came = repr(str(error.token))
    else:
        line, column = error.line, error.column
        came = repr(lines[line - 1][column - 1 : column])
    if isinstance(error, UnexpectedCharacters):
        terminals: Iterable[str] = error.allowed or ()
    else:
        terminals = getattr(error, "accepts", ()) or getattr(error, "expected", ())
    words = {_WORDS.get(terminal, _written(terminal)) for terminal in terminals}
    wanted = ", ".join(sorted(words, key=lambda word: (word.startswith("'"), word)))
    return FormulaError(f"expected {wanted or 'a formula'}, got {came}", text, line, column)


def _written(terminal: str) -> str:
    """How a terminal without a name of its own is written in the grammar."""
    for definition in _parser().lark.terminals:
        if definition.name == terminal:
            return repr(definition.pattern.value.replace("\\", ""))
    return terminal.lower()
