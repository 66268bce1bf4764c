"""From text in SMCDEL's format to what it says, before any name is looked up.

The grammar is `smcdel.lark`, beside this file.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from lark import Token, Transformer, UnexpectedInput

from symkripke.errors import ProblemError
from symkripke.language import Formula, conjunction, disjunction, grammars, negation
from symkripke.language import formulas as f
from symkripke.language.syntax_errors import Group, Wording, at_sign, syntax_fault
from symkripke.problems.smcdel.formulas import Heard, HeardByAll, Varied, fluent


@dataclass(frozen=True)
class Form:
    """A formula as it was read.

    Attributes:
        formula: the formula.
        shape: the sign of its outermost operator, if it is one of & | -> iff without brackets
            around it; else empty.
    """

    formula: Formula
    shape: str = ""


@dataclass(frozen=True)
class Job:
    """A question, or an update.

    Attributes:
        kind: "valid", "where", "true" or "update".
        formula: what it is about.
        state: of "true", the variables that are true.
        token: its first word, with its place.
    """

    kind: str
    formula: Formula
    state: tuple[Token, ...]
    token: Token


@dataclass
class Written:
    """What a file says.

    Attributes:
        variables: those that it declares.
        law: its formula.
        observers: for each agent what it observes, in the order of the file.
        jobs: what is asked and what happens.
        used_variables: all variables that formulas speak of.
        used_agents: all agents that formulas speak of.
        lists: lists in which nothing may stand twice: groups, and what is quantified.
        warnings: where our own syntax would read the same signs otherwise; place and words.
    """

    variables: tuple[Token, ...] = ()
    law: Formula = f.TRUE
    observers: list[tuple[Token, tuple[Token, ...]]] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    used_variables: list[Token] = field(default_factory=list)
    used_agents: list[Token] = field(default_factory=list)
    lists: list[tuple[Token, ...]] = field(default_factory=list)
    warnings: list[tuple[Token, str]] = field(default_factory=list)


_Numbers = tuple[Token, ...]
_Prefix = Callable[[Formula], Formula]

_MIXED = "& and | bind alike in SMCDEL, from left to right; with us & binds tighter"
_LEFT = "{} groups to the left in SMCDEL; with us -> groups to the right, and tighter than <->"
_FAR = "{} reaches to the end of the formula in SMCDEL; with us K[...] takes the next part only"


class _Builder(Transformer[Token, Any]):
    """Builds formulas bottom-up, and collects what they speak of."""

    def __init__(self) -> None:
        super().__init__()
        self.written = Written()

    # ---- the file ---------------------------------------------------------------------------

    def start(self, parts: list[Any]) -> Written:
        numbers, law, *rest = parts
        self.written.variables = numbers
        self.written.law = law.formula
        self.written.observers = [part for part in rest if isinstance(part, tuple)]
        self.written.jobs = [part for part in rest if isinstance(part, Job)]
        return self.written

    def numbers(self, tokens: list[Token]) -> _Numbers:
        return tuple(tokens)

    def observed(self, parts: list[Any]) -> tuple[Token, _Numbers]:
        name, numbers = parts
        return name, numbers or ()

    def ask_valid(self, parts: list[Any]) -> Job:
        return Job("valid", parts[1].formula, (), parts[0])

    def ask_where(self, parts: list[Any]) -> Job:
        return Job("where", parts[1].formula, (), parts[0])

    def ask_true(self, parts: list[Any]) -> Job:
        token, state, form = parts
        return Job("true", form.formula, state or (), token)

    def update(self, parts: list[Any]) -> Job:
        return Job("update", parts[1].formula, (), parts[0])

    # ---- connectives ----------------------------------------------------------------------------

    def _warn(self, token: Token, words: str) -> None:
        self.written.warnings.append((token, words))

    def both(self, parts: list[Any]) -> Form:
        left, sign, right = parts
        if left.shape == "|":
            self._warn(sign, _MIXED)
        return Form(left.formula & right.formula, "&")

    def either(self, parts: list[Any]) -> Form:
        left, _, right = parts
        return Form(left.formula | right.formula, "|")

    def arrow(self, parts: list[Any]) -> Form:
        left, sign, right = parts
        if left.shape in ("->", "iff"):
            self._warn(sign, _LEFT.format(left.shape))
        return Form(f.Implies(left.formula, right.formula), "->")

    def iff(self, parts: list[Any]) -> Form:
        left, _, right = parts
        return Form(f.Iff(left.formula, right.formula), "iff")

    def bracketed(self, parts: list[Form]) -> Form:
        return Form(parts[0].formula)

    def prefixed(self, parts: list[Any]) -> Form:
        prefix, form = parts
        return Form(prefix(form.formula))

    def negated(self, _: list[Token]) -> _Prefix:
        return negation

    def all_of(self, parts: list[Form]) -> Form:
        return Form(conjunction(part.formula for part in parts))

    def some_of(self, parts: list[Form]) -> Form:
        return Form(disjunction(part.formula for part in parts))

    def odd_of(self, parts: list[Form]) -> Form:
        odd, *rest = (part.formula for part in parts)
        for part in rest:
            odd = negation(f.Iff(odd, part))
        return Form(odd)

    def one_of(self, parts: list[Form]) -> Form:
        return Form(f.exactly(1, [part.formula for part in parts]))

    def top(self, _: list[Token]) -> Form:
        return Form(f.TRUE)

    def bottom(self, _: list[Token]) -> Form:
        return Form(f.FALSE)

    def variable(self, tokens: list[Token]) -> Form:
        self.written.used_variables.append(tokens[0])
        return Form(f.Atom(fluent(tokens[0])))

    # ---- knowledge ------------------------------------------------------------------------------

    def names(self, tokens: list[Token]) -> tuple[Token, ...]:
        self.written.used_agents.extend(tokens)
        self.written.lists.append(tuple(tokens))
        return tuple(tokens)

    def _agent(self, token: Token) -> str:
        self.written.used_agents.append(token)
        return str(token)

    def known(self, parts: list[Token]) -> _Prefix:
        agent = self._agent(parts[0])
        return lambda operand: f.K(agent, operand)

    def knows_each(self, parts: list[Any]) -> Form:
        name, _, *forms = parts
        agent = self._agent(name)
        return Form(conjunction(f.Kw(agent, form.formula) for form in forms))

    def together(self, parts: list[Any]) -> _Prefix:
        names, token = parts
        group = tuple(map(str, names))
        kind: type[f.C] | type[f.D] = f.C if token.startswith("com") else f.D
        if token.endswith("that"):
            return lambda operand: kind(group, operand)
        return lambda operand: kind(group, operand) | kind(group, negation(operand))

    def _far(self, token: Token, form: Form) -> None:
        if form.shape:
            self._warn(token, _FAR.format(token))

    def knows(self, parts: list[Any]) -> Form:
        token, name, form = parts
        self._far(token, form)
        return Form(f.K(self._agent(name), form.formula))

    def knows_whether(self, parts: list[Any]) -> Form:
        token, name, form = parts
        self._far(token, form)
        return Form(f.Kw(self._agent(name), form.formula))

    # ---- announcements --------------------------------------------------------------------------

    def box(self, parts: list[Any]) -> _Prefix:
        names, said = parts
        a = said.formula
        if names is None:
            return lambda operand: f.Announced(a, operand)
        return lambda operand: f.Implies(a, Heard(map(str, names), a, operand))

    def diamond(self, parts: list[Any]) -> _Prefix:
        names, said = parts
        a = said.formula
        if names is None:
            return lambda operand: f.AnnouncedTrue(a, operand)
        return lambda operand: a & Heard(map(str, names), a, operand)

    def box_whether(self, parts: list[Any]) -> _Prefix:
        names, _, said = parts
        a = said.formula
        if names is None:
            return lambda operand: HeardByAll(a, operand)
        return lambda operand: Heard(map(str, names), a, operand)

    def diamond_whether(self, parts: list[Any]) -> _Prefix:
        # What is announced is settled by the world: "may" and "must" are the same.
        return self.box_whether(parts)

    # ---- quantifiers ----------------------------------------------------------------------------

    def _quantified(self, every: bool, parts: list[Any]) -> Form:
        _, numbers, form = parts
        self.written.used_variables.extend(numbers)
        self.written.lists.append(numbers)
        return Form(Varied(every, map(fluent, numbers), form.formula))

    def forall(self, parts: list[Any]) -> Form:
        return self._quantified(True, parts)

    def exists(self, parts: list[Any]) -> Form:
        return self._quantified(False, parts)


class _Parser(threading.local):
    """The parser and its builder, one a thread: the builder holds what was read so far."""

    def __init__(self) -> None:
        self.builder = _Builder()
        # The basic lexer: as in SMCDEL, a keyword is a keyword wherever it stands. Built while
        # reading, so that depth is bounded by memory, not by recursion.
        self.lark = grammars.parser(
            "smcdel",
            ("symkripke.problems.smcdel", "smcdel.lark"),
            start=["start", "form"],
            lexer="basic",
            transformer=self.builder,
            maybe_placeholders=True,
        )


@functools.cache
def _parser() -> _Parser:
    return _Parser()


def written(text: str, path: str = "") -> Written:
    """What a file says; raises `ProblemError`."""
    return cast(Written, _read(text, "start", path))


def written_formula(text: str) -> Formula:
    """A single formula; raises `ProblemError`."""
    return cast(Form, _read(text, "form", "")).formula


def _read(text: str, start: str, path: str) -> Any:
    parser = _parser()
    parser.builder.written = Written()
    try:
        return parser.lark.parse(text, start=start)
    except UnexpectedInput as error:
        raise _syntax_error(text, path, error) from None


def _syntax_error(text: str, path: str, error: UnexpectedInput) -> ProblemError:
    problem, line, column = syntax_fault(text, error, _parser().lark, _WORDING)
    if at_sign(error):
        sign = text[error.pos_in_stream or 0]
        problem = f"SMCDEL's format has no sign {sign!r}"
    return ProblemError(problem, text, line, column, path)


_FORMULA = Group(
    frozenset({"NOT", "TOP"}),
    "a formula",
    frozenset({"INT", "TOP", "BOT", "NOT", "LPAR", "LSQB", "LESSTHAN", "NAME", "K", "KW"})
    | {"FORALL", "EXISTS", "AND", "OR", "XOR", "ONEOF"},
)
_WORDING = Wording(
    words={
        "NAME": "an agent",
        "INT": "a number",
        "$END": "the end",
        "AND_SIGN": "'&'",
        "OR_SIGN": "'|'",
        "ARROW": "'->'",
        "IFF": "'iff'",
        "KNOWS_THAT": "'knows that'",
        "KNOWS_WHETHER": "'knows whether'",
        "TOGETHER": "'comknow that', 'distknow that'",
        "WHETHER": "'?'",
        "VALID": "'VALID?'",
        "WHERE": "'WHERE?'",
        "TRUE": "'TRUE?'",
        "UPDATE": "'UPDATE!'",
    },
    end="the end of the file",
    groups=(_FORMULA,),
    comment="--",
)


def twice(tokens: Sequence[Token]) -> Token | None:
    """The first of them that was there before."""
    seen: set[str] = set()
    for token in tokens:
        word = str(int(token)) if token.isdecimal() else str(token)
        if word in seen:
            return token
        seen.add(word)
    return None
