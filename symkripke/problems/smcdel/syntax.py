"""The parser for SMCDEL's text format, which does not resolve names.

The grammar is in `symkripke/language/GRAMMAR.md`. Files can be large: a megabyte for a problem that
takes ten lines in other formats.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from typing import Any, ClassVar, NamedTuple

from symkripke.errors import ProblemError
from symkripke.language import Formula, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.language.parser import AND, FAR, IMPLIES, Infix, PrecedenceReader, Waiting
from symkripke.language.scanner import END, Rule, Wording, completed
from symkripke.limits import LOOK_EVERY, look
from symkripke.problems.smcdel.formulas import Heard, Varied, fluent
from symkripke.records import dataclass

KEYWORDS = frozenset(
    ("VARS", "LAW", "OBS", "Top", "Bot", "AND", "OR", "XOR", "ONEOF", "K", "Kw", "iff")
)
"""Words that have the form of a name but are keywords."""

# Possessive quantifiers prevent backtracking through long skipped texts.
_SPACE = r"(?:\s+|--[^\n]*)*+"
_NAME = r"[a-zA-Z][a-zA-Z0-9]*"
_ENDS = r"(?![a-zA-Z0-9])"
_LITERAL = r"[~\u00ac]?\s*+[0-9]++\s*+"
WORD = re.compile(
    rf"""{_SPACE}(?:
        (?P<number>[0-9]+)
      | (?P<sign>->|[()\[\]<>{{}},:!&|~\u00ac\u2227\u2228\u2192]|(?:VALID|WHERE|TRUE)\?|UPDATE!|\?)
      | (?P<knows_that>knows\s+that{_ENDS})
      | (?P<knows_whether>knows\s+whether{_ENDS})
      | (?P<together>(?:comknow|distknow)\s+(?:that|whether){_ENDS})
      | (?P<literals>(?:AND|OR|XOR|ONEOF)\s*+\(\s*+{_LITERAL}(?:,\s*+{_LITERAL})*+\))
      | (?P<name>{_NAME})
      | (?P<unknown>.)
      | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
_LITERALS = re.compile(r"([~\u00ac]?)\s*+([0-9]+)")
_NAMES_IN_BRACKETS = re.compile(rf"{_NAME}(?:{_SPACE},{_SPACE}{_NAME})*+{_SPACE}\)")

NUMBER, NAME, THAT, WHETHER = "number", "name", "knows_that", "knows_whether"
TOGETHER, FORALL, EXISTS = "together", "forall", "exists"
"""The kinds of words with several forms; every other word is its own kind."""

LITERALS = "literals"
"""The kind of a whole list of literals, such as `AND(~ 1, 2)`.

Files that list worlds consist of such lists, many of which are repeated. Reading each list as one
word is much faster.
"""

UNKNOWN = "unknown"
"""The kind of a sign without a meaning."""

_JOBS = {"VALID?": "valid", "WHERE?": "where", "TRUE?": "true", "UPDATE!": "update"}
_KINDS = {word: word for word in (*"()[]<>{},:!&|~?", "->", *_JOBS, *KEYWORDS)}
_KINDS |= {"\u00ac": "~", "\u2227": "&", "\u2228": "|", "\u2192": "->", "not": "~", "Not": "~"}
_KINDS |= {"Forall": FORALL, "ForAll": FORALL, "Exists": EXISTS, END: END}
_GROUPS = ("", *WORD.groupindex)


class Word(NamedTuple):
    """A word of the text, and the index at which it starts."""

    text: str
    start: int


def names_to_bracket(text: str, start: int) -> bool:
    """Return whether there are only names from `start` to the closing bracket."""
    match = _NAMES_IN_BRACKETS.match(text, start)
    if match is None:
        return False
    return KEYWORDS.isdisjoint(re.findall(_NAME, re.sub("--.*", "", match[0])))


@dataclass(frozen=True)
class Job:
    """A question, or an update.

    Attributes:
        kind: "valid", "where", "true" or "update".
        formula: the formula of the question.
        state: for "true", the true variables.
        word: the first word, with its place.
        text: the whole text in one line, without comments.
    """

    kind: str
    formula: Formula
    state: tuple[Word, ...]
    word: Word
    text: str


_MIXED = "& and | have the same precedence in SMCDEL, from left to right; here & binds tighter"
_LEFT = "{} groups to the left in SMCDEL; here -> groups to the right, and tighter than <->"
_FAR = "{} reaches to the end of the formula in SMCDEL; here K[...] takes the next part only"

_Prefix = Callable[[Formula], Formula]


def _either(left: Formula, right: Formula) -> Formula:
    return negation(f.Iff(left, right))


_LISTS: dict[str, Callable[[list[Formula]], Formula]] = {
    "AND": conjunction,
    "OR": disjunction,
    "XOR": partial(reduce, _either),
    "ONEOF": partial(f.exactly, 1),
}


_STARTS = {NUMBER, NAME, LITERALS, FORALL, EXISTS, "(", "~", "[", "<", "Top", "Bot", "K", "Kw"}
_STARTS |= _LISTS.keys()
_FORMULA = "formula"


class Written(PrecedenceReader):
    """The content of a file, or of a formula.

    Attributes:
        variables: the declared variables.
        law: the formula of the law.
        law_start: the index at which the law starts.
        observers: the observations of each agent, in the order of the file.
        jobs: the questions and updates.
        used_variables: all variables that formulas mention, each with the index of its first
            occurrence.
        used_agents: all agents that formulas mention, each with the index of its first occurrence.
        lists: the lists that must not contain duplicates: groups, and quantified variables.
        warnings: the places at which our own syntax would read the text differently: indices and
            messages.
        said: the current word as written; `word` is its kind.
    """

    pattern = WORD
    infixes: ClassVar = {
        "&": Infix("&", AND, "all"),
        "|": Infix("|", AND, "all"),
        "->": Infix("->", IMPLIES, "left"),
        "iff": Infix("iff", IMPLIES, "left"),
    }
    wording = Wording(
        words={
            NAME: "an agent",
            NUMBER: "a number",
            THAT: "'knows that'",
            WHETHER: "'knows whether'",
            TOGETHER: "'comknow that' or 'distknow that'",
            _FORMULA: "a formula",
            END: "the end",
        },
        end="the end of the file",
        comment="--",
    )

    def __init__(self, text: str, path: str = "") -> None:
        """Start with a text, and the name of its file."""
        self.variables: tuple[Word, ...] = ()
        self.law: Formula = f.TRUE
        self.law_start = 0
        self.observers: list[tuple[Word, tuple[Word, ...]]] = []
        self.jobs: list[Job] = []
        self.used_variables: dict[str, int] = {}
        self.used_agents: dict[str, int] = {}
        self.lists: list[tuple[Word, ...]] = []
        self.warnings: list[tuple[int, str]] = []
        self.path = path
        self._found: Iterator[Any] = WORD.finditer(text)
        self._atoms: dict[str, Formula] = {}
        self._literals: dict[str, Formula] = {}
        self._joined_at = -1  # the word after the last formula with an operator between its parts
        self._bracketed = -1  # after the last bracket that may contain a group
        super().__init__(text)

    def advance(self) -> None:
        """Advance to the next word."""
        match = next(self._found)
        group = match.lastindex
        self.said = said = match[group]
        self.word = _KINDS.get(said, _GROUPS[group])
        self.start = match.start(group)
        self._left -= 1
        if not self._left:
            self._left = LOOK_EVERY
            look()

    def error(self, expected: frozenset[str]) -> ProblemError:
        """Return the error for the current word."""
        self.stop = self.start + len("AND" if self.word == LITERALS else self.said)
        problem, line, column = self.problem(expected)
        if self.word == UNKNOWN:
            problem = f"SMCDEL's format has no sign {self.said!r}"
        return ProblemError(problem, self.text, line, column, self.path)

    def taken(self, kind: str) -> Word:
        """Take and return the current word. Raise `error` if it is not of this kind."""
        word = Word(self.said, self.start)
        self.take(kind)
        return word

    def _row(self, kind: str) -> tuple[Word, ...]:
        """Return words of this kind, which are separated by commas."""
        row = [self.taken(kind)]
        while self.took(","):
            row.append(self.taken(kind))
        return tuple(row)

    def whole(self) -> Formula:
        """Return the longest formula that begins here."""
        formula: Formula = completed(self.formula())
        return formula

    # ---- the file ---------------------------------------------------------------------------

    def file(self) -> None:
        """Read a whole file."""
        self.take("VARS")
        self.variables = self._row(NUMBER)
        self.law_start = self.start
        self.take("LAW")
        self.law = self.whole()
        self.take("OBS")
        while not self.observers or self.at(NAME):
            name = self.taken(NAME)
            self.take(":")
            self.observers.append((name, self._row(NUMBER) if self.at(NUMBER) else ()))
        while self.at(*_JOBS):
            word = self.taken(self.word)
            state: tuple[Word, ...] = ()
            if word.text == "TRUE?":
                self.take("{")
                state = self._row(NUMBER) if self.at(NUMBER) else ()
                self.take("}")
            formula = self.whole()
            text = re.sub(r"--[^\n]*", "", self.text[word.start : self.start])
            job = Job(_JOBS[word.text], formula, state, word, " ".join(text.split()))
            self.jobs.append(job)
        if not self.at(END):
            self.fail()

    # ---- formulas ---------------------------------------------------------------------------

    def made(self, rule: str, parts: list[Any], start: int) -> Formula:
        """Return the formula of an operator or prefix; warn if our syntax reads it differently."""
        if rule in self.infixes:
            self._joined_at = self.start
            if rule == "|" and self.word == "&":
                self.warnings.append((self.start, _MIXED))
            if rule in ("->", "iff"):
                if self.word == "->":
                    self.warnings.append((self.start, _LEFT.format(rule)))
                return f.Implies(*parts) if rule == "->" else f.Iff(*parts)
            return conjunction(parts) if rule == "&" else disjunction(parts)
        if rule in ("K", "Kw") and self._joined_at == self.start:
            self.warnings.append((start, _FAR.format(rule)))
        self._joined_at = -1
        build, operand = parts
        made: Formula = build(operand)
        return made

    def operand(self, is_tight: bool) -> Any:
        """Return the operand, rule or prefix operator that begins here."""
        kind, said, start = self.word, self.said, self.start
        if kind not in _STARTS:
            self.fail(_FORMULA)
        self.advance()
        if kind == NUMBER:
            return self._atom(said, start)
        if kind == "(":
            return self._group() or self._bracket()
        if kind == NAME:
            return self._named(Word(said, start))
        if kind == "~":
            return Waiting("~", [negation], start)
        if kind == LITERALS:
            known = self._literals.get(said)
            return self._listed(said, start) if known is None else known
        if kind in ("[", "<"):
            return self._announcement(kind)
        if kind in _LISTS:
            self.take("(")
            return self._list(_LISTS[kind])
        if kind in ("Top", "Bot"):
            return f.TRUE if kind == "Top" else f.FALSE
        if kind in ("K", "Kw"):
            knows = partial(self._known, f.K if kind == "K" else f.Kw, self.taken(NAME))
            return Waiting(kind, [knows], start, FAR)
        numbers = self._row(NUMBER)
        return Waiting(kind, [partial(self._varied, kind == FORALL, numbers)], start, FAR)

    def _atom(self, number: str, start: int) -> Formula:
        self.used_variables.setdefault(number, start)
        atom = self._atoms.get(number)
        if atom is None:
            atom = self._atoms[number] = f.Atom(fluent(number))
        return atom

    def _listed(self, word: str, start: int) -> Formula:
        """Return a list of literals that has not been read before."""
        formulas = []
        for match in _LITERALS.finditer(word):
            atom = self._atom(match[2], start + match.start(2))
            formulas.append(negation(atom) if match[1] else atom)
        build = _LISTS[word.partition("(")[0].rstrip()]
        made = self._literals[word] = build(formulas)
        return made

    def _bracket(self) -> Rule:
        """Read the formula in brackets, after the opening bracket."""
        inner = yield self.formula()
        self.take(")")
        return inner

    def _list(self, build: Callable[[list[Formula]], Formula]) -> Rule:
        """Read the formulas after a bracket, and build the result of `build`."""
        formulas = [(yield self.formula())]
        while self.took(","):
            formulas.append((yield self.formula()))
        self.take(")")
        return build(formulas)

    # ---- knowledge ------------------------------------------------------------------------------

    def _agent(self, name: Word) -> str:
        self.used_agents.setdefault(*name)
        return name.text

    def _names(self, *first: Word) -> tuple[Word, ...]:
        """Return the names of a group; the first name may already have been read."""
        names = first if first and not self.took(",") else first + self._row(NAME)
        for name in names:
            self._agent(name)
        self.lists.append(names)
        return names

    def _group(self, around: _Prefix = lambda operand: operand) -> Waiting | None:
        """Return the prefix with a group in brackets, after the opening bracket; None for others.

        Args:
            around: a function applied to the formula with this prefix.
        """
        self._bracketed = start = self.start
        if self.word != NAME or not names_to_bracket(self.text, self.start):
            return None
        names = self._names()
        self.take(")")
        together = self._together(names)
        return Waiting("group", [lambda operand: around(together(operand))], start)

    def _named(self, name: Word) -> Waiting | Rule:
        """Return the prefix, or rule, of knowledge that begins with a name."""
        if self.word == THAT:
            self.advance()
            agent = self._agent(name)
            return Waiting(THAT, [partial(f.K, agent)], name.start)
        if not self.at(THAT, WHETHER):
            names = self._names(name)
            if name.start == self._bracketed:
                self.tried(")")
            return Waiting("group", [self._together(names)], name.start)
        self.advance()
        whether = partial(self._known, f.Kw, name)
        if self.word == "(":
            self.advance()
            return self._group(whether) or self._list(lambda operands: whether(*operands))
        return Waiting(WHETHER, [whether], name.start)

    def _together(self, names: Sequence[Word]) -> _Prefix:
        written = self.taken(TOGETHER).text
        group = tuple(name.text for name in names)
        kind: type[f.C] | type[f.D] = f.C if written.startswith("com") else f.D
        if written.endswith("that"):
            return partial(kind, group)
        return lambda operand: kind(group, operand) | kind(group, negation(operand))

    def _known(self, kind: type[f.K] | type[f.Kw], name: Word, *operands: Formula) -> Formula:
        """Return the formula that an agent knows that, or whether, each operand is true."""
        agent = self._agent(name)
        return conjunction([kind(agent, operand) for operand in operands])

    def _varied(self, every: bool, numbers: tuple[Word, ...], operand: Formula) -> Formula:
        """Return the formula for `Forall 1, 2 f` or `Exists 1, 2 f`."""
        for number in numbers:
            self.used_variables.setdefault(*number)
        self.lists.append(numbers)
        return Varied(every, (fluent(number.text) for number in numbers), operand)

    # ---- announcements --------------------------------------------------------------------------

    def _announcement(self, opened: str) -> Rule:
        """Read an announcement, to all or to a group, after `[` or `<`."""
        start = self.start
        names = self._names() if self.at(NAME) else ()
        whether = self.took("?")
        self.take("!")
        said = yield self.formula()
        self.take("]" if opened == "[" else ">")
        group = tuple(name.text for name in names)

        def announced(operand: Formula) -> Formula:
            # The world determines the announced truth value, so both brackets mean the same.
            if not (group or whether):
                return (f.Announced if opened == "[" else f.AnnouncedTrue)(said, operand)
            heard = Heard(group, said, operand)
            if whether:
                return heard
            return f.Implies(said, heard) if opened == "[" else said & heard

        return Waiting("told", [announced], start)


def written(text: str, path: str = "") -> Written:
    """Return the content of a file. Raise `ProblemError` if it is invalid."""
    reader = Written(text, path)
    reader.file()
    return reader


def plain_number(word: str) -> str:
    """Return a number without leading zeros, and any other word unchanged."""
    return str(int(word)) if word.isdecimal() else word
