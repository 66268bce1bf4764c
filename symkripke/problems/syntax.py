"""From the text of a problem file to statements, as trees.

A statement starts at the beginning of a line and goes on in the lines below it that are indented or
close a bracket. `--` begins a comment. The grammar stands in `symkripke/language/GRAMMAR.md`; its
rules are methods of `StatementReader`, and names of trees.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from symkripke.errors import UnknownName, hint
from symkripke.language.parser import (
    AND,
    BANG,
    COMPARISON,
    FAR,
    OPENED,
    PREFIX,
    PRODUCT,
    SUM,
    FormulaReader,
    Infix,
    Start,
    Waiting,
)
from symkripke.language.scanner import (
    END,
    INT,
    NAME,
    STRING,
    VERSION,
    Group,
    Rule,
    Token,
    Wording,
    completed,
    place_of,
)

KEYWORDS = (
    "agents",
    "fluent",
    "law",
    "sees",
    "believe",
    "believes",
    "actual",
    "announce",
    "show",
    "tell",
    "change",
    "action",
    "do",
    "plan",
    "valid?",
    "true?",
    "where?",
    "knows?",
    "how?",
    "count?",
    "expected?",
    "entropy?",
    "contract?",
    "goal?",
    "expect",
    "say",
    "words",
    "let",
    "define",
    "for",
)
"""The words of the statements."""

_AFTER_AGENTS = ("sees", "believes")
"""The words of statements that begin with the name of an agent."""


class Tree:
    """What a rule of the grammar has read.

    Attributes:
        data: the name of the rule, or of its alternative.
        children: the trees and words that it keeps.
        source: the text.
        start_pos: the index of its first sign, without brackets around it.
        end_pos: the index behind its last sign.
    """

    __slots__ = ("children", "data", "end_pos", "source", "start_pos")

    def __init__(
        self, data: str, children: list[Any], source: str = "", start: int = 0, end: int = 0
    ) -> None:
        """The part of the source from `start` to `end`."""
        self.data = data
        self.children = children
        self.source = source
        self.start_pos = start
        self.end_pos = end

    @property
    def line(self) -> int:
        """The line on which it starts, from 1."""
        return place_of(self.source, self.start_pos)[0]

    @property
    def column(self) -> int:
        """The column in which it starts, from 1."""
        return place_of(self.source, self.start_pos)[1]

    def subtrees(self) -> list[Tree]:
        """All trees in this one, and itself: those further down come first."""
        found = [self]
        for tree in found:
            found += [child for child in reversed(tree.children) if isinstance(child, Tree)]
        return found[::-1]

    def words(self) -> Iterator[Token]:
        """All words that this tree and those in it keep, as they stand in the text."""
        left = list(reversed(self.children))
        while left:
            child = left.pop()
            if isinstance(child, Tree):
                left.extend(reversed(child.children))
            else:
                yield child


Node: TypeAlias = Tree


class Fault(Exception):
    """An error at a place in a statement; lines count from the statement's first line."""

    def __init__(self, problem: str, line: int, column: int) -> None:
        """The problem, in one line, and its place."""
        super().__init__(problem)
        self.problem = problem
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a file.

    Attributes:
        text: all its lines, with the comments.
        line: the line of the file on which it starts, from 1.
    """

    text: str
    line: int

    @property
    def plain(self) -> str:
        """The text in one line, without comments."""
        bare = re.sub(r'("[^"\n]*")|--[^\n]*', lambda found: found[1] or "", self.text)
        return " ".join(bare.split())


def statements(text: str) -> Iterator[Statement]:
    """The statements of a file; raises `Fault` for text before the first, with its own line."""
    found: list[str] = []
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        empty = not line.strip() or line.lstrip().startswith("--")
        if empty or line[0] in " \t" or (found and line[0] in "})]"):
            if found:
                found.append(line)
            elif not empty:
                column = len(line) - len(line.lstrip()) + 1
                raise Fault("expected a statement at the beginning of a line", number, column)
            continue
        if found:
            yield Statement("\n".join(found).rstrip(), start)
        found, start = [line.rstrip("\r")], number
    if found:
        yield Statement("\n".join(found).rstrip(), start)


_CLOSE = "<!>"
"""The `>` that ends `<! f`. There a comparison with `>` needs brackets."""

_QUANTIFIED = re.compile(r"\s+[^\W\d]")
_BRACKET = re.compile(r"\s*\(")
_NUMBER = re.compile(r"\s+\d")
_SQUARE = re.compile(r"\s*\[")
_LESS = re.compile(r"<(?=->)")
_DIAMOND = re.compile(r"<(?=\s*!(?!=))")
_RELATIONS = ("=", "!=", ">=", "<=", ">", "<")
_OPERANDS = (NAME, INT, "(", "true", "false", "if", "COUNT", "SUM")
_GOING_ON = frozenset(("<->", "->", "|", "&", *_RELATIONS, "+", "-", "*", "div", "mod", VERSION))

_HOW = ("sees", "see", "notices", "notice")
_CLAUSES = ("event", "rank", "when", "others", "everybody")
_WORDS = frozenset((*KEYWORDS, *_HOW, *_CLAUSES, "whether", "which", "that", "nothing"))
_WORDS |= {"in", "if", "then", "else", "div", "mod", "true", "false", "where"}

# What is written for words of English: hints, where they are not understood.
_SIGNS = {"not": "~", "and": "&", "or": "|", "implies": "->", "iff": "<->"}
_SIGNS |= {"knows": "K[ann] ...", "believes": "B[ann] ..."}
_WITH_AGENT = ("K", "M", "B", "Kw", "Kv")


class StatementReader(FormulaReader):
    """Reads a statement to a tree."""

    pattern = re.compile(
        r"""(?:\s+|--[^\n]*)*+(?:
            (?P<NAME>[^\W\d]\w*) | (?P<INT>\d+) | (?P<STRING>"[^"\n]*") | (?P<VERSION>\#\d+)
          | (?P<SIGN><->|->|[!<>:]=|\.\.|[()\[\]{},;:?!~&|=<>*+-]) | (?P<UNKNOWN>.) | (?P<END>\Z)
        )""",
        re.VERBOSE | re.DOTALL,
    )
    infixes: ClassVar = {
        **FormulaReader.infixes,
        **dict.fromkeys(_RELATIONS, Infix("comparison", COMPARISON, "all", True)),
        "+": Infix("plus", SUM, "left"),
        "-": Infix("minus", SUM, "left"),
        "*": Infix("times", PRODUCT, "left"),
        "div": Infix("quotient", PRODUCT, "left"),
        "mod": Infix("remainder", PRODUCT, "left"),
    }
    starts: ClassVar = {
        **FormulaReader.starts,
        "<=": Start("announced", PREFIX),
        "if": Start("choice"),
        "sum": Start("total", PRODUCT, _BRACKET),
        **dict.fromkeys(("forall", "exists"), Start("quantified", PREFIX, _QUANTIFIED)),
        **dict.fromkeys(("atleast", "atmost", "exactly"), Start("cardinality", PRODUCT, _BRACKET)),
    }
    names_of_starts = (*_OPERANDS, "~", "[", "<", "OPERATOR", "QUANTIFIER")
    names_of_tight_starts = _OPERANDS

    wording = Wording(
        words={
            NAME: "a name",
            INT: "a number",
            "FRACTION": "a fraction",
            "COUNT": "'atleast(', 'atmost(' or 'exactly('",
            "SUM": "'sum('",
            "CHANCE": "a probability such as P[ann](p)",
            STRING: 'a text in "..."',
            VERSION: "a version such as #2",
            END: "the end of the statement",
            _CLOSE: "'>'",
        },
        end="the end of the statement",
        groups=(
            Group(frozenset("~("), "a formula", frozenset(names_of_starts)),
            Group(frozenset("+&"), "an operator such as &, -> or =", _GOING_ON),
            Group(frozenset("+"), "an operator such as +", _GOING_ON),
        ),
        last=" or ",
        comment="--",
    )

    def __init__(self, text: str) -> None:
        """The text of a statement."""
        self._open: list[str] = []  # brackets that are open in `<! f`
        self._blocks = 0
        super().__init__(text)

    def advance(self) -> None:
        """Go on to the next word; within `<! f` a `>` outside brackets ends it."""
        if self._open:
            if self.word in ("(", "[", "{"):
                self._open.append(self.word)
            elif self.word in (")", "]", "}", _CLOSE):
                self._open.pop()
        super().advance()
        if self.word == ">" and self._open and self._open[-1] == "<":
            self.word = _CLOSE

    def made(self, rule: str, parts: list[Any], start: int) -> Tree:
        """The tree of a rule."""
        return Tree(rule, parts, self.text, start, self.end)

    def whole(self) -> Tree:
        """The tree of the whole text. Raises `Fault`."""
        found = completed(self.statement())
        self.take(END)
        assert isinstance(found, Tree)
        return found

    # ---- errors -------------------------------------------------------------------------------

    def error(self, expected: frozenset[str]) -> Fault:
        """The error for the present word."""
        is_open = self.kind == "UNKNOWN" and self.word == '"'
        came = "a text that does not end on its line" if is_open else ""
        problem, line, column = self.problem(expected, came)
        if self.word == "-" and INT in expected:
            problem = "expected a number of 0 or more: numbers begin at 0"
        if self.word == _CLOSE:
            problem = f"{problem}; inside `<! f` a part with '>' needs brackets"
        in_action = self.text.lstrip().startswith("action")
        ahead = self.text.split("\n")[line - 1][: column - 1]
        before = re.search(r"([^\W\d]\w*)\s+$", ahead)
        last = before[1] if before else ""
        if "then" in expected and in_action:
            problem += "; conditions of an action begin with 'when'"
        elif english := "" if self.kind == "UNKNOWN" else self._in_english(last):
            return Fault(f"{problem}; {english}", line, column)
        elif self.word == "nothing" and "which" in expected:
            problem += ": who sees nothing `notices nothing`"
        elif self.kind == NAME and self.word not in _WORDS:
            near = hint(self.word, _WORDS & expected)
            if "did you mean" in near:
                problem += near
            elif in_action and last == "rank":
                problem = f"expected a number after 'rank', got {self.word!r}"
            elif in_action and before and "did you mean" in (near := hint(last, _CLAUSES)):
                return Fault(f"unknown word {last!r}{near}", line, before.start(1) + 1)
            elif line > 1 and not ahead.strip():
                problem += "; or the line above lacks something"
        return Fault(problem, line, column)

    def _in_english(self, last: str) -> str:
        """What to write for the present word of English, or the one before; empty for others."""
        if last in _WITH_AGENT:
            return f"write {last}[ann] ..."
        for word in (last, self.word):
            if word in _SIGNS:
                return f"for {word!r} write {_SIGNS[word]}"
        return ""

    # ---- formulas and numbers -----------------------------------------------------------------

    def _begun(self, is_tight: bool) -> Any:
        return self.number() if self.kind == INT else super()._begun(is_tight)

    def number(self) -> Tree:
        """`3`."""
        start = self.start
        return self.made("number", [self.token(INT)], start)

    def term(self) -> Any:
        """A term that is an operand."""
        start, name = self.start, self.token()
        if self.at("("):
            return self._called(start, name)
        self.tried(VERSION)
        parts = [name, self.token()] if self.kind == VERSION else [name]
        return self.made("name", [self.made("term", parts, start)], start)

    def _called(self, start: int, name: Token) -> Rule:
        """A term with arguments."""
        self.advance()
        parts = [name, *(yield self.some(self.formula))]
        self.take(")")
        self.tried(VERSION)
        if self.kind == VERSION:
            parts.append(self.token())
        return self.made("name", [self.made("term", parts, start)], start)

    def bare_term(self) -> Rule:
        """A term where no other operand can stand."""
        if self.kind != NAME:
            self.fail(NAME)
        name = yield self.term()
        return name.children[0]

    def announced(self) -> Rule:
        """`[! f] g`, `<! f> g`, `[a] f`, `<a> f`."""
        is_diamond = _DIAMOND.match(self.text, self.start) is not None
        self.read_as(OPENED)
        start, opened = self.start, self.token()
        if is_diamond:
            self._open.append("<")
        if is_diamond or opened == "[":
            self.read_as(BANG)
            if self.took("!"):
                inner = yield self.formula()
                self.take(_CLOSE if is_diamond else "]")
                return Waiting("announced_true" if is_diamond else "announced", [inner], start)
        term = yield self.bare_term()
        self.take("]" if opened == "[" else ">")
        rule = "after_action" if opened == "[" else "after_action_possible"
        return Waiting(rule, [term], start)

    def quantified(self) -> Rule:
        """`forall x in s: f`, `exists x in s, y in t if f: g`."""
        start, parts = self.start, [self.token()]
        parts += yield self.some(self.binder)
        parts += yield self.condition()
        self.take(":")
        return Waiting("quantified", parts, start, FAR)

    def choice(self) -> Rule:
        """`if f then x else y`."""
        start = self.start
        self.advance()
        parts = [(yield self.formula())]
        self.take("then")
        parts.append((yield self.formula()))
        self.take("else")
        return Waiting("choice", parts, start, FAR)

    def total(self) -> Rule:
        """`sum(x, f for i in s)`."""
        start, parts = self.start, [self.token()]
        self.take("(")
        parts += yield self.some(self.item)
        self.take(")")
        return self.made("total", parts, start)

    def cardinality(self) -> Rule:
        """`atleast(n; f, g for i in s)`."""
        start, parts = self.start, [self.token()]
        self.take("(")
        parts.append((yield self.formula(SUM)))
        self.take(";")
        if not self.at(")"):
            parts += yield self.some(self.item)
        self.take(")")
        return self.made("cardinality", parts, start)

    def knows_value(self) -> Rule:
        """`Kv[i] x`, `Kv[i] (x, f(j) for j in s)`."""
        start, parts = self.start, list[Any]([self.token()])
        self.take("[")
        parts.append((yield self.agents()))
        self.take("]")
        values = self.start
        if self.took("("):
            items = yield self.some(self.item)
            self.take(")")
            parts.append(self.made("some_values", items, values))
        else:
            parts.append(self.made("one_value", [(yield self.bare_term())], values))
        self.tightest = AND
        return self.made("knows_value", parts, start)

    def relation(self) -> Tree:
        """The sign between a probability and its bound."""
        self.read_as(_LESS)
        start = self.start
        if not self.at(*_RELATIONS):
            self.fail()
        sign = self.token()
        made = self.made("relation", [sign], start)
        self._before_bound(sign)
        return made

    def bound(self) -> Tree:
        """The bound of a probability."""
        start = self.start
        return self.made("bound", [super().bound()], start)

    # ---- agents, lists and sets ---------------------------------------------------------------

    def some(self, read: Callable[[], Any]) -> Rule:
        """One or more of a rule, with commas between them."""
        found = [(yield read())]
        while self.took(","):
            found.append((yield read()))
        return found

    def agents(self) -> Rule:
        """Agents, or `*`."""
        start = self.start
        if self.took("*"):
            return self.made("everybody", [], start)
        return self.made("agents", (yield self.some(self.member)), start)

    def member(self) -> Rule:
        """An agent or a list of agents."""
        start = self.start
        parts = [(yield self.formula(SUM))]
        parts += yield self.each()
        return self.made("member", parts, start)

    def agent(self) -> Tree:
        """The name of an agent."""
        start = self.start
        return self.made("agent", [self.token(NAME, INT)], start)

    def item(self) -> Rule:
        """An entry of a list of formulas."""
        start = self.start
        parts = [(yield self.formula())]
        parts += yield self.each()
        return self.made("item", parts, start)

    def each(self) -> Rule:
        """`for x in s for y in t if f`, if it stands here: a list with one tree, or none."""
        start, parts = self.start, list[Tree]()
        while self.took("for"):
            parts.append((yield self.binder()))
        if not parts:
            return []
        parts += yield self.condition()
        return [self.made("each", parts, start)]

    def condition(self) -> Rule:
        """`if f`, if it stands here: a list with one tree, or none."""
        start = self.start
        if not self.took("if"):
            return []
        body = yield self.formula()
        return [self.made("condition", [body], start)]

    def binder(self) -> Rule:
        """`x in s`."""
        start, name = self.start, self.token(NAME)
        self.take("in")
        body = yield self.set()
        return self.made("binder", [name, body], start)

    def set(self) -> Rule:
        """`1..6`, `{a, b}`, or the name of a list."""
        start = self.start
        if not self.at("{"):
            return (yield self._sums("one_set"))
        self.advance()
        entries = [] if self.at("}") else (yield self.some(self.entry))
        self.take("}")
        return self.made("collection", entries, start)

    def _sums(self, single: str) -> Rule:
        """A range, or a single value."""
        start = self.start
        parts = [(yield self.formula(SUM))]
        if self.took(".."):
            parts.append((yield self.formula(SUM)))
            return self.made("range", parts, start)
        if single == "single":
            parts += yield self.each()
        return self.made(single, parts, start)

    def entry(self) -> Rule:
        """An entry of a list of values."""
        start = self.start
        if not self.took("{"):
            return (yield self._sums("single"))
        entries = yield self.some(self.entry)
        self.take("}")
        return self.made("collection", entries, start)

    # ---- statements ---------------------------------------------------------------------------

    def statement(self) -> Rule:
        """One statement, or several in `for` or braces."""
        start = self.start
        read = _STATEMENTS.get(self.word)
        if read is not None:
            self.advance()
            rule, parts = yield read(self)
            return self.made(rule, parts, start)
        if self.kind not in (NAME, INT):
            self.fail(NAME, INT, *_STATEMENTS)
        agent = self.agent()
        if self.took("sees"):
            return self.made("sees", [agent, *(yield self.some(self.item))], start)
        self.take("believes")
        return self.made("believes", [agent, *(yield self._believed())], start)

    def _for_each(self) -> Rule:
        parts = yield self.some(self.binder)
        parts += yield self.condition()
        self.take(":")
        parts.append((yield self.statement()))
        return "for_each", parts

    def _block(self) -> Rule:
        self._blocks += 1
        parts = [(yield self.statement())]
        while self.took(";") and not self.at("}"):
            parts.append((yield self.statement()))
        self._blocks -= 1
        self.take("}")
        return "block", parts

    def _let(self) -> Rule:
        name = self.token(NAME)
        self.take("=")
        return "let", [name, *(yield self.some(self.entry))]

    def _define(self) -> Rule:
        parts: list[Any] = [self.token(NAME)]
        if self.took("("):
            parts += yield self.some(lambda: self.token(NAME))
            self.take(")")
        self.take("=")
        parts.append((yield self.formula()))
        return "define", parts

    def _agents_are(self) -> Rule:
        return "agents_are", (yield self.some(self.entry))

    def _fluent(self) -> Rule:
        start = self.start
        parts = [(yield self.bare_term())]
        if self.took("="):
            parts.append((yield self.formula()))
            return "defined_fluent", parts + (yield self.each())
        while self.took(","):
            parts.append((yield self.bare_term()))
        if self.took("in"):
            parts.append((yield self.set()))
        initial = self.start
        if self.took("actual"):
            parts.append(self.made("initial", [(yield self.formula(SUM))], initial))
        parts += yield self.each()
        return "fluent", [self.made("declared", parts, start)]

    def _law(self) -> Rule:
        return "law", (yield self._labelled())

    def _labelled(self) -> Rule:
        """A label, if there is one, and a formula."""
        parts = self.label()
        parts.append((yield self.formula()))
        return parts

    def label(self) -> list[Tree]:
        """`"words":`, if it stands here: a list with one tree, or none."""
        start = self.start
        self.tried(STRING)
        if self.kind != STRING:
            return []
        words = self.token()
        self.take(":")
        return [self.made("label", [words], start)]

    def _believe(self) -> Rule:
        return "believe", (yield self._believed())

    def _believed(self) -> Rule:
        """A rank or a label or both, if they are there, and a formula."""
        rank = self.rank()
        if rank and self.took(":"):
            return [*rank, (yield self.formula())]
        return rank + (yield self._labelled())

    def rank(self) -> list[Tree]:
        """`rank 2`, if it stands here: a list with one tree, or none."""
        start = self.start
        if not self.at("rank") or not _NUMBER.match(self.text, self.stop):
            return []
        self.advance()
        return [self.made("rank", [self.token(INT)], start)]

    def _actual(self) -> Rule:
        if self.took("where"):
            return "actual_where", [(yield self.formula())]
        return "actual", (yield self.some(self.item))

    def _announce(self) -> Rule:
        rule = "announce_whether" if self.took("whether") else "announce"
        return rule, (yield self._labelled())

    def _show(self) -> Rule:
        who = yield self.agents()
        self.take(":")
        return "show", [who, *(yield self.some(self.item))]

    def _tell(self) -> Rule:
        who = yield self.agents()
        self.take(":")
        return "tell", [who, (yield self.formula())]

    def _change(self) -> Rule:
        label = self.label()
        return "change", label + (yield self.some(self.assignment))

    def assignment(self) -> Rule:
        """`p := f`, `p(i) := f for i in s`."""
        start = self.start
        return (yield self._assigned((yield self.bare_term()), start))

    def _assigned(self, term: Tree, start: int) -> Rule:
        self.take(":=")
        parts = [term, (yield self.formula())]
        parts += yield self.each()
        return self.made("assignment", parts, start)

    def _perform(self) -> Rule:
        return "perform", [(yield self.performed())]

    def performed(self) -> Rule:
        """An action that happens, perhaps with its event."""
        start = self.start
        parts = [(yield self.bare_term())]
        if self.took(":"):
            parts.append((yield self.bare_term()))
        return self.made("performed", parts, start)

    def _plan(self) -> Rule:
        self.take(":")
        return "plan", (yield self.some(self.performed))

    def _say(self) -> Rule:
        return "say", [self.token(STRING)]
        yield

    def _in_words(self) -> Rule:
        parts = [(yield self.formula()), self.token(STRING)]
        if self.took(","):
            parts.append(self.token(STRING))
        return "in_words", parts + (yield self.each())

    # ---- questions ----------------------------------------------------------------------------

    def _ask(self, word: str) -> Rule:
        """The questions about one formula."""
        self.take("?")
        return f"ask_{word}", [(yield self.formula())]

    def _expect(self) -> Rule:
        return "expect", [(yield self.formula())]

    def _ask_how(self) -> Rule:
        self.take("?")
        if self.word != "P" or not _SQUARE.match(self.text, self.stop):
            self.fail("CHANCE")
        return "ask_how", (yield self.chance())

    def _ask_expected(self) -> Rule:
        self.take("?")
        agent = self.agent()
        self.take(":")
        return "ask_expected", [agent, (yield self.formula())]

    def _ask_of_items(self, word: str) -> Rule:
        """The questions about an agent and fluents."""
        self.take("?")
        parts = [self.agent()]
        if self.took(":"):
            parts += yield self.some(self.item)
        return f"ask_{word}", parts

    def _ask_contract(self) -> Rule:
        self.take("?")
        return "ask_contract", []
        yield

    # ---- actions ------------------------------------------------------------------------------

    def _action(self) -> Rule:
        parts: list[Any] = [self.token(NAME)]
        if self.took("("):
            parts += yield self.some(self.parameter)
            self.take(")")
        self.tried(STRING)
        if self.kind == STRING:
            parts.append(self.token())
        parts += yield self.when()
        self.take(":")
        if self.kind == NAME:
            parts += yield self._effects_or_nothing()
        while not self.at(*((";", "}") if self._blocks else (END,))):
            parts.append((yield self.clause()))
        return "action", parts

    def parameter(self) -> Rule:
        """`x`, `x in s`."""
        start, parts = self.start, list[Any]([self.token(NAME)])
        if self.took("in"):
            parts.append((yield self.set()))
        return self.made("parameter", parts, start)

    def when(self) -> Rule:
        """`when f`, if it stands here: a list with one tree, or none."""
        start = self.start
        if not self.took("when"):
            return []
        body = yield self.formula()
        return [self.made("when", [body], start)]

    def _effects_or_nothing(self) -> Rule:
        """The effects that stand here: a list with one tree, or none if an agent stands here."""
        start = self.start
        term = yield self.bare_term()
        if self.at(":="):
            return [(yield self.effects(start, [(yield self._assigned(term, start))]))]
        self.stop = start
        self.advance()
        return []

    def effects(self, start: int, parts: list[Tree]) -> Rule:
        """Assignments, after those that have been read."""
        while not parts or self.took(","):
            parts.append((yield self.assignment()))
        return self.made("effects", parts, start)

    def clause(self) -> Rule:
        """What may happen in an action, or who sees it, or a rank."""
        start = self.start
        if self.start == self.end_of_formula and self.word in (*_HOW, "then", "else", "when", "in"):
            self.fail(*_OPERANDS, "*", "event", "rank", "others", "everybody")
        if self.at("actual", "event"):
            return (yield self.possible_event())
        if rank := self.rank():
            return rank[0]
        if self.at("others", "everybody"):
            who = self.made(self.token(), [], start)
        else:
            who = yield self.agents()
        parts = [who, (yield self.how())]
        parts += yield self.when()
        parts += yield self.each()
        return self.made("observes", parts, start)

    def possible_event(self) -> Rule:
        """`event e(x) for x in s when f: p := g`."""
        start = self.start
        parts: list[Any] = [self.token()] if self.word == "actual" else []
        self.take("event")
        parts.append((yield self.bare_term()))
        parts += yield self.each()
        parts += yield self.when()
        if self.took(":"):
            parts.append((yield self.effects(self.start, [])))
        return self.made("possible_event", parts, start)

    def how(self) -> Rule:
        """`sees which`, `sees that {a, b}`, `notices nothing`."""
        start = self.start
        if self.at("notices", "notice"):
            self.advance()
            self.take("nothing")
            return self.made("notices_nothing", [], start)
        if not self.at("sees", "see"):
            self.fail()
        self.advance()
        if self.took("which"):
            return self.made("sees_which", [], start)
        self.take("that")
        parts = (yield self.some(self.alike)) if self.at("{") else []
        return self.made("sees_that", parts, start)

    def alike(self) -> Rule:
        """Events that look alike: `{a, b}`."""
        start = self.start
        self.take("{")
        parts = yield self.some(self.bare_term)
        self.take("}")
        return self.made("alike", parts, start)


_STATEMENTS: Mapping[str, Callable[[StatementReader], Rule]] = {
    "for": StatementReader._for_each,
    "{": StatementReader._block,
    "let": StatementReader._let,
    "define": StatementReader._define,
    "agents": StatementReader._agents_are,
    "fluent": StatementReader._fluent,
    "law": StatementReader._law,
    "believe": StatementReader._believe,
    "actual": StatementReader._actual,
    "announce": StatementReader._announce,
    "show": StatementReader._show,
    "tell": StatementReader._tell,
    "change": StatementReader._change,
    "action": StatementReader._action,
    "do": StatementReader._perform,
    "plan": StatementReader._plan,
    "valid": lambda reader: reader._ask("valid"),
    "true": lambda reader: reader._ask("true"),
    "where": lambda reader: reader._ask("where"),
    "goal": lambda reader: reader._ask("goal"),
    "count": lambda reader: reader._ask("count"),
    "expect": StatementReader._expect,
    "how": StatementReader._ask_how,
    "expected": StatementReader._ask_expected,
    "entropy": lambda reader: reader._ask_of_items("entropy"),
    "knows": lambda reader: reader._ask_of_items("knows"),
    "contract": StatementReader._ask_contract,
    "say": StatementReader._say,
    "words": StatementReader._in_words,
}
"""For the first words of statements, the methods that read what follows.

They return the name of the tree, and its children.
"""


def _unknown_statement(text: str, word: re.Match[str]) -> Fault:
    """The fault of a text that begins with no word of a statement: that word, or the second one."""
    unknown = str(UnknownName("statement", word[1], KEYWORDS))
    second = re.compile(r"\s+([^\W\d]\w*)").match(text, word.end(1))
    if "did you mean" not in unknown and second is not None:
        near = hint(second[1], _AFTER_AGENTS)
        if "did you mean" in near:
            return Fault(f"unknown word {second[1]!r}{near}", 1, second.start(1) + 1)
    return Fault(unknown, 1, word.start(1) + 1)


def tree(text: str) -> Node:
    """The tree of one statement; raises `Fault`."""
    word = re.match(r"\s*([^\W\d]\w*)\s*(\S?)", text)
    if word and word[1] not in KEYWORDS:
        question = f"{word[1]}?" in KEYWORDS and word[2] == "?"
        if not question and not re.match(r"\s*\w+\s+(sees|believes)\b", text):
            raise _unknown_statement(text, word)
    return StatementReader(text).whole()
