"""The parser of problem files: from the text to statements, as trees.

A statement starts at the beginning of a line, and continues in the lines below it that are indented
or close a bracket. `--` begins a comment. The grammar is in `symkripke/language/GRAMMAR.md`. Its
rules are methods of `StatementReader`, and names of trees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar

from symkripke.errors import UnknownName, hint
from symkripke.language.operators import SYMBOLS, example
from symkripke.language.parser import (
    AND,
    BANG,
    COMPARISON,
    FAR,
    FRACTION,
    FRACTIONS,
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
    Placed,
    Rule,
    Token,
    Wording,
    completed,
)
from symkripke.records import dataclass

_AFTER_AGENTS = ("sees", "believes")
"""The words of statements that begin with the name of an agent."""


class Tree(Placed):
    """The result of a rule of the grammar.

    Attributes:
        data: the name of the rule, or of its alternative.
        children: the trees and words in it.
        source: the text of the statement.
        start_pos: the index of its first character, without brackets around it.
        end_pos: the index after its last character.
        has_sets: whether it, or a tree in it, has index sets.
        words_of_sets: all words in these index sets.
        height: the number of levels of trees in it, except trees with indices or actions.
        landing: its last landing. Landings are the operators at every 50th of these levels.
    """

    __slots__ = (
        "children",
        "data",
        "end_pos",
        "has_sets",
        "height",
        "landing",
        "source",
        "start_pos",
        "words_of_sets",
    )

    def __init__(
        self, data: str, children: list[Any], source: str = "", start: int = 0, end: int = 0
    ) -> None:
        """Create the tree of the part of the source from `start` to `end`."""
        self.data = data
        self.children = children
        self.source = source
        self.start_pos = start
        self.end_pos = end
        trees = [child for child in children if isinstance(child, Tree)]
        self.height: int = 1 + max([tree.height for tree in trees], default=0)
        self.landing: Tree | None = next((tree.landing for tree in trees if tree.landing), None)
        self.has_sets: bool = self.binds or any([tree.has_sets for tree in trees])
        self.words_of_sets: frozenset[str] = frozenset()
        if self.has_sets or data == "binder":
            sets = [tree.words_of_sets for tree in trees if tree.words_of_sets]
            sets += [frozenset(map(str, children[1].words()))] if data == "binder" else []
            self.words_of_sets = sets[0] if len(sets) == 1 else frozenset().union(*sets)
        if self.binds or data in ("after_action", "after_action_possible"):
            self.height, self.landing = 0, None  # names have other meanings there
        elif self.height % _LEVELS == 0 and data in OPERATORS:
            self.landing = self

    @property
    def binds(self) -> bool:
        """True if the tree has its own index sets."""
        return self.part("each", "binder") is not None

    def binding(self) -> Iterator[Tree]:
        """Yield the outermost trees in this one that have their own index sets."""
        stack = [self]
        while stack:
            tree = stack.pop()
            if tree.binds:
                yield tree
            elif tree.has_sets:
                stack += [child for child in reversed(tree.children) if isinstance(child, Tree)]

    def landings(self) -> list[Tree]:
        """Return the landings, inner ones first. Expanding them in order avoids deep recursion."""
        landings: list[Tree] = []
        stack = [(self, False)]
        while stack:
            tree, is_ready = stack.pop()
            if is_ready:
                landings.append(tree)
            elif tree.landing is not None:
                if tree.landing is tree:
                    stack.append((tree, True))
                stack += [(child, False) for child in tree.children if isinstance(child, Tree)]
        return landings

    def parts(self, *rules: str) -> list[Tree]:
        """Return the children that were read by one of these rules."""
        return [child for child in self.children if isinstance(child, Tree) and child.data in rules]

    def part(self, *rules: str) -> Tree | None:
        """Return the first child that was read by one of these rules; None if there is none."""
        for child in self.children:
            if isinstance(child, Tree) and child.data in rules:
                return child
        return None

    def binders(self) -> tuple[list[Tree], Tree | None]:
        """Return the index sets of this tree or of its `for`, and their condition."""
        bound = self.part("each") or self
        return bound.parts("binder"), bound.part("condition")

    def subtrees(self) -> list[Tree]:
        """Return this tree and all trees in it, deeper trees first."""
        trees = [self]
        for tree in trees:
            trees += [child for child in reversed(tree.children) if isinstance(child, Tree)]
        return trees[::-1]

    def words(self) -> Iterator[Token]:
        """Yield all words in this tree, in the order of the text."""
        left = list(reversed(self.children))
        while left:
            child = left.pop()
            if isinstance(child, Tree):
                left.extend(reversed(child.children))
            else:
                yield child


class Fault(Exception):
    """An error at a place in a statement; lines count from the statement's first line."""

    def __init__(self, problem: str, line: int, column: int) -> None:
        """Store the problem, in one line, and its place."""
        super().__init__(problem)
        self.problem = problem
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a file.

    Attributes:
        text: all lines of the statement, with the comments.
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
    """Yield the statements of a file. Raise `Fault` for text before the first statement."""
    lines: list[str] = []
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        empty = not line.strip() or line.lstrip().startswith("--")
        if empty or line[0] in " \t" or (lines and line[0] in "})]"):
            if lines:
                lines.append(line)
            elif not empty:
                column = len(line) - len(line.lstrip()) + 1
                raise Fault("expected a statement at the beginning of a line", number, column)
            continue
        if lines:
            yield Statement("\n".join(lines).rstrip(), start)
        lines, start = [line.rstrip("\r")], number
    if lines:
        yield Statement("\n".join(lines).rstrip(), start)


_CLOSE = "<!>"
"""The `>` that ends `<! f`. In `f`, a comparison with `>` needs brackets."""

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
# The signs for English words, for hints about unknown words.
_SIGNS = {"not": "~", "and": "&", "or": "|", "implies": "->", "iff": "<->"}
_SIGNS |= {"knows": "K[ann] ...", "believes": "B[ann] ..."}


class StatementReader(FormulaReader):
    """A reader that returns the tree of a statement."""

    pattern = re.compile(
        r"""(?:[ \t\f\r\n]+|--[^\n]*)*+(?:
            (?P<NAME>[^\W\d]\w*) | (?P<INT>\d+) | (?P<STRING>"[^"\n]*") | (?P<VERSION>\#\d+)
          | (?P<SIGN><->|->|[!<>:]=|\.\.|[()\[\]{},;:?!~&|=<>*+-]) | (?P<UNKNOWN>.) | (?P<END>\Z)
        )""",
        re.VERBOSE | re.DOTALL,
    )
    infixes: ClassVar = {
        **FormulaReader.infixes,
        **dict.fromkeys(_RELATIONS, Infix("comparison", COMPARISON, "all")),
        "+": Infix("plus", SUM, "left"),
        "-": Infix("minus", SUM, "left"),
        "*": Infix("times", PRODUCT, "left"),
        "div": Infix("quotient", PRODUCT, "left"),
        "mod": Infix("remainder", PRODUCT, "left"),
    }
    starts: ClassVar = {
        **FormulaReader.starts,
        "<=": Start("announced", PREFIX),
        "-": Start("minus"),
        "if": Start("far"),
        "sum": Start("total", PRODUCT, _BRACKET),
        **dict.fromkeys(("forall", "exists"), Start("far", PREFIX, _QUANTIFIED)),
        **dict.fromkeys(("atleast", "atmost", "exactly"), Start("cardinality", PRODUCT, _BRACKET)),
    }
    names_of_starts = (*_OPERANDS, "~", "[", "<", "OPERATOR", "QUANTIFIER")
    names_of_tight_starts = _OPERANDS

    wording = Wording(
        words={
            NAME: "a name",
            INT: "a number",
            FRACTION: "a fraction",
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
        comment="--",
    )

    def __init__(self, text: str) -> None:
        """Start with the text of a statement."""
        self._open: list[str] = []  # brackets that are open in `<! f`
        self._blocks = 0
        super().__init__(text)

    def advance(self) -> None:
        """Advance to the next word. In `<! f`, a `>` outside brackets is the closing sign."""
        if self._open:
            if self.word in ("(", "[", "{"):
                self._open.append(self.word)
            elif self.word in (")", "]", "}", _CLOSE):
                self._open.pop()
        super().advance()
        if self.word == ">" and self._open and self._open[-1] == "<":
            self.word = _CLOSE

    def made(self, rule: str, parts: list[Any], start: int) -> Tree:
        """Return the tree of a rule."""
        return Tree(rule, parts, self.text, start, self.end)

    def whole(self) -> Tree:
        """Return the tree of the whole text. May raise `Fault`."""
        tree = completed(self.statement())
        self.take(END)
        assert isinstance(tree, Tree)
        return tree

    # ---- errors -------------------------------------------------------------------------------

    def error(self, expected: frozenset[str]) -> Fault:
        """Return the error for the current word."""
        is_open = self.kind == "UNKNOWN" and self.word == '"'
        came = "a text that does not end on its line" if is_open else ""
        problem, line, column = self.problem(expected, came)
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
            clause = hint(last, _CLAUSES) if in_action and last not in _WORDS else ""
            if "did you mean" in near:
                problem += near
            elif in_action and last == "rank":
                problem = f"expected a number after 'rank', got {self.word!r}"
            elif before and "did you mean" in clause:
                return Fault(f"unknown word {last!r}{clause}", line, before.start(1) + 1)
            elif line > 1 and not ahead.strip():
                problem += "; or the line above lacks something"
        return Fault(problem, line, column)

    def _in_english(self, last: str) -> str:
        """Return a replacement for an English word here or before; empty for other words."""
        if last in SYMBOLS:
            return f"write {example(last)}"
        for word in (last, self.word):
            if word in _SIGNS:
                return f"for {word!r} write {_SIGNS[word]}"
        return ""

    # ---- rules of the table -------------------------------------------------------------------

    def read(self, name: str) -> Any:
        """Call the rule or method of this name; a rule `_name` returns a list."""
        if name not in _RULES:
            return getattr(self, name)()
        return self.parts(name) if name.startswith("_") else self.rule(name)

    def rule(self, name: str) -> Rule:
        """Return the tree of a rule of the table."""
        start = self.start
        return self.made(name, (yield self.parts(name)), start)

    def parts(self, name: str) -> Rule:
        """Read a rule of the table, and return its parts."""
        parts: list[Any] = []
        for what, mode in _RULES[name]:
            if "?" in mode and not self._begins(what):
                continue
            if what.startswith("'"):
                self.take(what[1:-1])
                continue
            is_more = True
            while is_more:
                if what.isupper():
                    parts.append(self.token(*([] if what == "WORD" else [what])))
                elif what.startswith("_"):
                    parts += yield self.read(what)
                else:
                    parts.append((yield self.read(what)))
                is_more = self.took(",") if "," in mode else "+" in mode and self._begins(what)
        return parts

    def _begins(self, what: str) -> bool:
        """Return whether a part begins here, by its first word or by the absence of `)`."""
        first = what
        while first in _RULES:
            first = _RULES[first][0][0]
        if first.startswith("'"):
            return self.at(first[1:-1]) and (what != "rank" or self.has_ahead(_NUMBER))
        if not first.isupper():
            return not self.at(")")
        self.tried(first)
        return self.kind == first

    # ---- formulas and numbers -----------------------------------------------------------------

    def operand(self, is_tight: bool) -> Any:
        """Return the operand that begins here; see `PrecedenceReader.operand`."""
        if self.kind == INT:
            self.read_as(FRACTIONS, FRACTION)
        if self.kind in (INT, FRACTION):
            return self.rule("number" if self.kind == INT else "fraction")
        return super().operand(is_tight)

    def sign(self, infix: Infix) -> list[Any]:
        """Take the sign of an operator, and return it as a part if it is a comparison."""
        return [self.relation()] if infix.level == COMPARISON else super().sign(infix)

    def term(self, is_operand: bool = True) -> Rule:
        """Read a term; an operand is wrapped in a tree `name`."""
        start, parts = self.start, list[Any]([self.token(NAME)])
        if self.at("("):
            parts += yield self.parts("_arguments")
        self.tried(VERSION)
        if self.kind == VERSION:
            parts.append(self.token())
        self.end_of_formula = self.start
        made = self.made("term", parts, start)
        return self.made("name", [made], start) if is_operand else made

    def bare_term(self) -> Rule:
        """Read a term where no other operand is allowed."""
        return self.term(is_operand=False)

    def sum(self) -> Rule:
        """Read a number, a value, or an agent."""
        return self.formula(SUM)

    def announced(self) -> Rule:
        """Read the prefix of `[! f] g`, `<! f> g`, `[a] f` or `<a> f`."""
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

    def minus(self) -> Waiting:
        """Read `- x`."""
        start = self.start
        self.advance()
        return Waiting("negative", [], start, PRODUCT)

    def far(self) -> Rule:
        """Read the prefix of `forall x in s: f`, `exists x in s: f` or `if f then x else y`."""
        start, rule = self.start, "choice" if self.word == "if" else "quantified"
        return Waiting(rule, (yield self.parts(f"_{rule}")), start, FAR)

    def knows_value(self) -> Rule:
        """Read `Kv[i] x` or `Kv[i] (x, f(j) for j in s)`."""
        start = self.start
        parts = yield self.parts("_knower")
        parts.append((yield self.rule("some_values" if self.at("(") else "one_value")))
        self.tightest = AND
        return self.made("knows_value", parts, start)

    def relation(self) -> Token:
        """Read the sign of a comparison."""
        self.read_as(_LESS)
        if not self.at(*_RELATIONS):
            self.fail()
        return self._before_bound(self.token())

    # ---- agents and sets ----------------------------------------------------------------------

    def agents(self) -> Rule:
        """Read a list of agents, or `*`."""
        start = self.start
        if self.took("*"):
            return self.made("everybody", [], start)
        return self.made("agents", (yield self.parts("_members")), start)

    def agent(self) -> Tree:
        """Read the name of an agent."""
        start = self.start
        return self.made("agent", [self.token(NAME, INT)], start)

    def set(self) -> Rule:
        """Read `1..6`, `{a, b}`, or the name of a list."""
        start = self.start
        if not self.took("{"):
            return (yield self._sums("one_set"))
        entries = [] if self.at("}") else (yield self.parts("_entries"))
        self.take("}")
        return self.made("collection", entries, start)

    def domain(self) -> Rule:
        """Read the domain of a fluent: a set, or `integers >= 1`."""
        start = self.start
        read = yield self.set()
        if read.data != "one_set" or not self.took(">="):
            return read
        return self.made("at_least", [*read.children, (yield self.sum())], start)

    def entry(self) -> Rule:
        """Read an entry of a list of values."""
        start = self.start
        if not self.at("{"):
            return (yield self._sums("single"))
        return self.made("collection", (yield self.parts("_listed")), start)

    def _sums(self, single: str) -> Rule:
        """Read a range, or a single value."""
        start = self.start
        parts = [(yield self.sum())]
        if self.took(".."):
            parts.append((yield self.sum()))
            return self.made("range", parts, start)
        if single == "single":
            parts += yield self.parts("_each")
        return self.made(single, parts, start)

    # ---- statements ---------------------------------------------------------------------------

    def statement(self) -> Rule:
        """Read one statement, or several statements in `for` or braces."""
        start = self.start
        rule = _STATEMENTS.get(self.word)
        if rule is not None:
            return (yield self.read(rule))
        if self.kind not in (NAME, INT):
            self.fail(NAME, INT, *_STATEMENTS)
        agent = self.agent()
        if not self.at("sees", "believes"):
            self.fail()
        rule = str(self.token())
        return self.made(rule, [agent, *(yield self.parts(f"_{rule}"))], start)

    def block(self) -> Rule:
        """Read the statements in braces."""
        start, parts = self.start, list[Tree]()
        self.advance()
        self._blocks += 1
        while not parts or (self.took(";") and not self.at("}")):
            parts.append((yield self.statement()))
        self._blocks -= 1
        self.take("}")
        return self.made("block", parts, start)

    def fluent(self) -> Rule:
        """Read the declaration of fluents, or the definition of a fluent."""
        start = self.start
        self.advance()
        declared = self.start
        terms = [(yield self.bare_term())]
        if self.at("="):
            return self.made("defined_fluent", terms + (yield self.parts("_definition")), start)
        while self.took(","):
            terms.append((yield self.bare_term()))
        terms += yield self.parts("_domain")
        return self.made("fluent", [self.made("declared", terms, declared)], start)

    def actual(self) -> Rule:
        """Read the actual world, or a condition for it."""
        start = self.start
        self.advance()
        rule = "actual_where" if self.at("where") else "actual"
        return self.made(rule, (yield self.parts(f"_{rule}")), start)

    def announce(self) -> Rule:
        """Read an announcement of a formula, or of its truth value."""
        start = self.start
        self.advance()
        rule = "announce_whether" if self.took("whether") else "announce"
        return self.made(rule, (yield self.parts("_stated")), start)

    def plan(self) -> Rule:
        """Read the actions of a plan, or the question for a plan."""
        start = self.start
        self.advance()
        if self.took("?"):
            return self.made("ask_plan", [(yield self.formula())], start)
        return self.made("plan", (yield self.parts("_plan")), start)

    def _belief(self) -> Rule:
        """Read an optional rank, an optional label, and a formula."""
        parts = yield self.parts("_rank")
        if parts and self.took(":"):
            return [*parts, (yield self.formula())]
        return parts + (yield self.parts("_stated"))

    def _odds(self) -> Rule:
        """Read a probability without a comparison."""
        if self.word != "P" or not self.has_ahead(_SQUARE):
            self.fail("CHANCE")
        return self.chance()

    # ---- actions ------------------------------------------------------------------------------

    def _clauses(self) -> Rule:
        """Read the effects and the clauses of an action."""
        parts, start = list[Tree](), self.start
        if self.kind == NAME and self.word not in _NO_TERMS:
            yield self.bare_term()
            is_effect = self.at(":=")
            self.back(start)
            if is_effect:
                parts.append((yield self.rule("effects")))
        while not self.at(*((";", "}") if self._blocks else (END,))):
            parts.append((yield self.clause()))
        return parts

    def clause(self) -> Rule:
        """Read a clause of an action: an event, an observation, or a rank."""
        start = self.start
        if start == self.end_of_formula and self.word in _AFTER_OPERANDS:
            self.fail(*_OPERANDS, "*", "event", "rank", "others", "everybody")
        if self.at("actual", "event"):
            marked = [self.token()] if self.word == "actual" else []
            return self.made("possible_event", marked + (yield self.parts("_possible")), start)
        if self._begins("rank"):
            return (yield self.rule("rank"))
        if self.at("others", "everybody"):
            parts = [self.made(self.token(), [], start)]
        else:
            parts = [(yield self.agents())]
        return self.made("observes", parts + (yield self.parts("_observes")), start)

    def how(self) -> Rule:
        """Read `sees which`, `sees that {a, b}` or `notices nothing`."""
        start = self.start
        if not self.at(*_HOW):
            self.fail()
        if self.token().startswith("notice"):
            self.take("nothing")
            return self.made("notices_nothing", [], start)
        if self.took("which"):
            return self.made("sees_which", [], start)
        return self.made("sees_that", (yield self.parts("_that")), start)


# ---- the table ----------------------------------------------------------------------------------


def _rules(text: str) -> dict[str, list[tuple[str, str]]]:
    """Return the parts of each rule of a table, with their marks `?`, `,` and `+`."""
    rules = {}
    for line in text.strip().split("\n"):
        name, _, parts = line.partition(" = ")
        bare = [(part, part.rstrip("?,+")) for part in parts.split()]
        rules[name] = [(what, part[len(what) :]) for part, what in bare]
    return rules


# A part is a word in quotation marks, a kind of words (WORD is any kind), a rule, or a method of
# `StatementReader`. `?` marks an optional part, `,` a list with commas, and `+` a repeated part.
# Words in quotation marks are not kept in the tree. A rule whose name begins with `_` contributes
# its parts only.
_SIMPLE = _rules("""
for_each = 'for' binder, condition? ':' statement
let = 'let' NAME '=' entry,
define = 'define' NAME _names? '=' formula
agents_are = 'agents' entry,
law = 'law' _stated
believe = 'believe' _belief
show = 'show' agents ':' item,
tell = 'tell' agents ':' formula
change = 'change' label? assignment,
action = 'action' NAME _parameters? STRING? when? ':' _clauses
perform = 'do' performed
ask_valid = 'valid' '?' every? formula
ask_true = 'true' '?' formula
ask_where = 'where' '?' formula
ask_goal = 'goal' '?' formula
ask_count = 'count' '?' formula
expect = 'expect' formula
ask_how = 'how' '?' _odds
ask_expected = 'expected' '?' agent ':' formula
ask_entropy = 'entropy' '?' agent _items?
ask_knows = 'knows' '?' agent _items?
ask_contract = 'contract' '?'
ask_protocol = 'protocol' '?' agent ':' formula
say = 'say' STRING
in_words = 'words' formula STRING _second? each?
""")
_STATEMENTS = {rule[0][0][1:-1]: name for name, rule in _SIMPLE.items()}
_STATEMENTS |= {"{": "block", "fluent": "fluent", "actual": "actual", "announce": "announce"}
_STATEMENTS |= {"plan": "plan"}
KEYWORDS = (
    *(word + "?" * (("'?'", "") in _SIMPLE.get(rule, [])) for word, rule in _STATEMENTS.items()),
    "plan?",
    *_AFTER_AGENTS,
)
"""The keywords of the statements; keywords of questions include the question mark."""

_RULES = _SIMPLE | _rules("""
number = INT
fraction = FRACTION
every = 'for' 'every' NAME, ':'
_quantified = WORD binder, condition? ':'
_choice = 'if' formula 'then' formula 'else'
total = WORD '(' item, ')'
cardinality = WORD '(' sum ';' item,? ')'
_knower = WORD '[' agents ']'
one_value = bare_term
some_values = '(' item, ')'
_arguments = '(' formula, ')'
_plan = ':' performed,
_members = member,
member = sum each?
item = formula each?
each = _for+ condition?
_each = each?
_for = 'for' binder
condition = 'if' formula
binder = NAME 'in' set
_entries = entry,
_listed = '{' entry, '}'
_names = '(' NAME, ')'
label = STRING ':'
_stated = label? formula
rank = 'rank' INT
_rank = rank?
_sees = item,
_believes = _belief
_items = ':' item,
_second = ',' STRING
_definition = '=' formula each?
_domain = _among? initial? each?
_among = 'in' domain
_in = 'in' set
initial = 'actual' sum
_actual = item,
_actual_where = 'where' formula
_parameters = '(' parameter, ')'
parameter = NAME _in?
performed = bare_term _event?
_event = ':' bare_term
when = 'when' formula
effects = assignment,
assignment = bare_term ':=' formula each?
_possible = 'event' bare_term each? when? _effects?
_effects = ':' effects
_observes = how when? each?
_that = 'that' alike,?
alike = '{' bare_term, '}'
""")


# The words that do not start a fluent, and the words that do not start a clause.
_NO_TERMS = ("true", "false", "if", "event", "actual", "others", "everybody")
_AFTER_OPERANDS = (*_HOW, "then", "else", "when", "for", "in", "div", "mod")

OPERATORS = frozenset(infix.rule for infix in StatementReader.infixes.values())
OPERATORS |= {
    "negation",
    "negative",
    "modal",
    "conditional",
    "announced",
    "announced_true",
    "choice",
}
"""The rules of operators on formulas and values."""

# The number of levels to expand by recursion; each takes a few calls.
_LEVELS = 50

_WORDS = frozenset((*_STATEMENTS, *_AFTER_AGENTS, *_HOW, *_CLAUSES, "whether", "which", "that"))
_WORDS |= {"nothing", "in", "if", "then", "else", "div", "mod", "true", "false", "where"}


def _unknown_statement(text: str, word: re.Match[str]) -> Fault:
    """Return the fault of an unknown statement, at its first or second word."""
    unknown = str(UnknownName("statement", word[1], KEYWORDS))
    second = re.compile(r"\s+([^\W\d]\w*)").match(text, word.end(1))
    if "did you mean" not in unknown and second is not None:
        near = hint(second[1], _AFTER_AGENTS)
        if "did you mean" in near:
            return Fault(f"unknown word {second[1]!r}{near}", 1, second.start(1) + 1)
    return Fault(unknown, 1, word.start(1) + 1)


def tree(text: str) -> Tree:
    """Return the tree of one statement. Raise `Fault` if it is invalid."""
    word = re.match(r"\s*([^\W\d]\w*)\s*(\S?)", text)
    if word and word[1] not in KEYWORDS:
        question = f"{word[1]}?" in KEYWORDS and word[2] == "?"
        if not question and not re.match(r"\s*\w+\s+(sees|believes)\b", text):
            raise _unknown_statement(text, word)
    return StatementReader(text).whole()
