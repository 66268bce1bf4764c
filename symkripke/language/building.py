"""Building formulas while lark reads their text, and messages for wrong text.

The grammar is `grammar.lark`, beside this file. Formulas are built during parsing, and the parser
has its own stack. So the depth of a formula is limited by memory, not by recursion.
"""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, cast

from lark import Token, Transformer, UnexpectedInput

from symkripke.errors import FormulaError, InputError, UnknownName, long_number
from symkripke.language import formulas as f
from symkripke.language import grammars, operators
from symkripke.language.chance import Chance
from symkripke.language.signature import Signature, Syntax
from symkripke.language.syntax_errors import Wording, syntax_fault, unexpected_token

P = ParamSpec("P")
T = TypeVar("T")

# How the grammar's terminals are called in messages.
_WORDING = Wording(
    words={
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
    },
    end="the end of the text",
)


class _Place(Exception):
    """A fault found while building, with its token."""

    def __init__(self, problem: str, token: Token) -> None:
        self.problem = problem
        self.token = token


def _placed(token: Token, build: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of `build`; a fault in it is reported at this token."""
    try:
        return build(*args, **kwargs)
    except InputError as error:
        raise _Place(str(error), token) from error


class _Term:
    """A term as read: its name token and parts, not yet looked up."""

    __slots__ = ("arguments", "name", "version")

    def __init__(self, name: Token, arguments: list[Token], version: Token | None) -> None:
        self.name = name
        self.arguments = arguments
        self.version = None if version is None else int(version[1:])


class _Builder(Transformer[Token, f.Formula]):
    """Builds formulas bottom-up; every name goes through the signature.

    The methods bear the names of the grammar's rules. Those of connectives come from
    `operators.CONNECTIVES`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.signature: Signature = Syntax()
        for rule, build in operators.CONNECTIVES.items():
            setattr(self, rule, build)

    @staticmethod
    def _look_up(found: Callable[[Sequence[str]], T], tokens: Sequence[Token]) -> T:
        """The result of `found` for these words; wrong capitals are corrected."""
        words = [str(token) for token in tokens]
        respelled: set[int] = set()
        while True:
            try:
                return found(words)
            except InputError as error:
                name = getattr(error, "name", None)
                # The fault is the term's name, which comes first, unless an argument is named.
                places = [n for n, word in enumerate(words) if word == name != words[0]]
                place = next((n for n in places if n not in respelled), 0)
                meant = error.meant if isinstance(error, UnknownName) else None
                if meant is None or words[place] != name or place in respelled:
                    raise _Place(str(error), tokens[place]) from error
                words[place] = meant
                respelled.add(place)

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
        token = agents[1] if agents is not None and len(agents) > 1 else operator
        names = None if agents is None else [str(agent) for agent in agents]
        return _placed(token, operators.one_agent, f"{operator}[...]", names)

    def modal(self, parts: list[Any]) -> f.Formula:
        operator, agents, operand = parts
        if operators.takes_group(operator):
            whose = self._group(operator, agents)
        else:
            whose = (self._single(operator, agents),)
        return _placed(operator, operators.applied, str(operator), whose, operand)

    def conditional(self, parts: list[Any]) -> f.Formula:
        operator, agents, given, operand = parts
        _placed(operator, operators.check_given, str(operator))
        return operators.conditional(
            str(operator), (self._single(operator, agents),), operand, given
        )

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

    def bound(self, parts: list[Token]) -> Token:
        return parts[0]

    def probability(self, parts: list[Any]) -> f.Formula:
        operator, agents, *compared = parts
        return self.probability_given([operator, agents, f.TRUE, *compared])

    def probability_given(self, parts: list[Any]) -> f.Formula:
        operator, agents, given, operand, relation, bound = parts
        agent = self._single(operator, agents)
        return _placed(
            bound, operators.probability, agent, operand, str(relation), str(bound), given
        )

    def chance(self, parts: list[Any]) -> Chance:
        operator, agents, operand = parts
        return self.chance_given([operator, agents, f.TRUE, operand])

    def chance_given(self, parts: list[Any]) -> Chance:
        operator, agents, given, operand = parts
        return Chance(self._single(operator, agents), operand, given)

    def cardinality(self, parts: list[Any]) -> f.Formula:
        relation, bound, *operands = parts
        return f.Cardinality(cast(f.Relation, str(relation)), int(bound), operands)


class _Parser(threading.local):
    """The parser and its builder, one for each thread: the builder holds the signature in use."""

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
    before = re.search(r"([^\W\d]\w*)\s*$", text[: error.pos_in_stream or 0])
    if unexpected_token(error) == "LSQB" and before:
        start = before.start()
        line, column = text.count("\n", 0, start) + 1, start - (text.rfind("\n", 0, start) + 1) + 1
        problem = str(UnknownName("operator", before[1], operators.SYMBOLS))
        return FormulaError(problem, text, line, column)
    problem, line, column = syntax_fault(text, error, _parser().lark, _WORDING)
    return FormulaError(problem, text, line, column)
