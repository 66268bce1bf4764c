"""The parser for SMCDEL's text format; it does not look names up yet.

The grammar stands in `symkripke/language/GRAMMAR.md`. Files can be large (a megabyte for a problem
that other formats state in ten lines), and & and | bind alike. So formulas are read here by a loop
of their own, in one pass with an explicit stack: memory and not recursion bounds the nesting.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import NamedTuple

from symkripke.errors import ProblemError
from symkripke.language import Formula, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.language.scanner import END, Scanner, Wording
from symkripke.problems.smcdel.formulas import Heard, HeardByAll, Varied, fluent
from symkripke.problems.smcdel.words import (
    EXISTS,
    FORALL,
    LITERALS,
    NAME,
    NUMBER,
    THAT,
    TOGETHER,
    UNKNOWN,
    WHETHER,
    WORD,
    Word,
    literals,
    names_to_bracket,
    words,
)
from symkripke.records import dataclass


@dataclass(frozen=True)
class Job:
    """A question, or an update.

    Attributes:
        kind: "valid", "where", "true" or "update".
        formula: what it is about.
        state: of "true", the variables that are true.
        word: its first word, with its place.
    """

    kind: str
    formula: Formula
    state: tuple[Word, ...]
    word: Word


@dataclass()
class Written:
    """The content of a file.

    Attributes:
        variables: the declared variables.
        law: the formula of the law.
        observers: for each agent what it observes, in the order of the file.
        jobs: the questions and updates.
        used_variables: all variables that formulas speak of, each with the place where it was first
            read.
        used_agents: all agents that formulas speak of, with their places.
        lists: lists that may not contain duplicates: groups, and quantified variables.
        warnings: where our own syntax would read the same text differently: place and message.
    """

    variables: tuple[Word, ...] = ()
    law: Formula = f.TRUE
    observers: list[tuple[Word, tuple[Word, ...]]] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    used_variables: dict[str, int] = field(default_factory=dict)
    used_agents: dict[str, int] = field(default_factory=dict)
    lists: list[tuple[Word, ...]] = field(default_factory=list)
    warnings: list[tuple[int, str]] = field(default_factory=list)


_MIXED = "& and | bind alike in SMCDEL, from left to right; with us & binds tighter"
_LEFT = "{} groups to the left in SMCDEL; with us -> groups to the right, and tighter than <->"
_FAR = "{} reaches to the end of the formula in SMCDEL; with us K[...] takes the next part only"

_Prefix = Callable[[Formula], Formula]


class _Form(NamedTuple):
    """A formula, and the sign of its outermost operator if that is one of & | -> iff."""

    formula: Formula
    shape: str


class _Level:
    """A formula that is being read, up to the bracket that closes it.

    Attributes:
        close: the sign that ends the formula; empty if the formula extends as far as possible.
        finish: builds the result from this formula and those before it in a list.
        takes_list: whether there may be several formulas, with commas between them.
        before: the formulas of the list that have been read already.
    """

    __slots__ = (
        "arrow",
        "before",
        "close",
        "finish",
        "left",
        "prefixes",
        "run",
        "sign",
        "takes_list",
    )

    def __init__(
        self,
        close: str,
        finish: Callable[[list[_Form]], Formula | _Prefix],
        takes_list: bool = False,
    ) -> None:
        self.close = close
        self.finish = finish
        self.takes_list = takes_list
        self.before: list[_Form] = []
        self._restart()

    def _restart(self) -> None:
        # left arrow (run, with one sign between its parts)
        self.left: Formula = f.TRUE
        self.arrow = ""
        self.run: list[Formula] = []
        self.sign = ""
        self.prefixes: list[_Prefix] = []

    def take(self, operand: Formula) -> None:
        """An operand is complete: apply the prefixes that stand before it."""
        while self.prefixes:
            operand = self.prefixes.pop()(operand)
        self.run.append(operand)

    def join(self, sign: str) -> None:
        """After an operand, `&` or `|` comes. Operands of the same sign are joined only once."""
        if self.sign != sign:
            self.run = [self._joined()]
            self.sign = sign

    def _joined(self) -> Formula:
        if not self.sign:
            return self.run[0]
        return conjunction(self.run) if self.sign == "&" else disjunction(self.run)

    def imply(self, arrow: str) -> None:
        """After an operand, `->` or `iff` comes."""
        self.left = self._arrowed()
        self.arrow = arrow
        self.run, self.sign = [], ""

    def _arrowed(self) -> Formula:
        right = self._joined()
        if not self.arrow:
            return right
        return f.Implies(self.left, right) if self.arrow == "->" else f.Iff(self.left, right)

    def end(self) -> None:
        """The formula is complete; in a list, the next one can begin."""
        self.before.append(_Form(self._arrowed(), self.arrow or self.sign))
        self._restart()


def _in_brackets(forms: list[_Form]) -> Formula:
    return forms[0].formula


def _all_of(forms: list[_Form]) -> Formula:
    return conjunction(form.formula for form in forms)


def _some_of(forms: list[_Form]) -> Formula:
    return disjunction(form.formula for form in forms)


def _odd_of(forms: list[_Form]) -> Formula:
    odd, *rest = (form.formula for form in forms)
    for part in rest:
        odd = negation(f.Iff(odd, part))
    return odd


def _one_of(forms: list[_Form]) -> Formula:
    return f.exactly(1, [form.formula for form in forms])


_LISTS = {"AND": _all_of, "OR": _some_of, "XOR": _odd_of, "ONEOF": _one_of}
_JOBS = {"VALID?": "valid", "WHERE?": "where", "TRUE?": "true", "UPDATE!": "update"}


_OPERATORS = ("&", "|", "->", "iff")
_STARTS = {NUMBER, NAME, LITERALS, FORALL, EXISTS, "(", "~", "[", "<", "Top", "Bot", "K", "Kw"}
_STARTS |= _LISTS.keys()
_FORMULA = "formula"


class _Reading(Scanner):
    """A text that is being read."""

    pattern = WORD
    wording = Wording(
        words={
            NAME: "an agent",
            NUMBER: "a number",
            THAT: "'knows that'",
            WHETHER: "'knows whether'",
            TOGETHER: "'comknow that', 'distknow that'",
            _FORMULA: "a formula",
            END: "the end",
        },
        end="the end of the file",
        comment="--",
    )

    def __init__(self, text: str, path: str = "") -> None:
        """A text, and the name of its file."""
        self.written = Written()
        self._path = path
        self._words = words(text)
        self._atoms: dict[str, Formula] = {}
        self._lists: dict[str, Formula] = {}
        self._end_of_formula = -1
        self._bracketed = -1  # behind the last bracket that may contain a group
        super().__init__(text)

    def advance(self) -> None:
        """Go on to the next word."""
        self.kind, self.word, self.start = next(self._words)

    def at(self, *kinds: str) -> bool:
        """Whether the present word is of one of these kinds; if not, they are noted."""
        if self.kind in kinds:
            return True
        self.tried(*kinds)
        return False

    def error(self, expected: frozenset[str]) -> ProblemError:
        """The error for the present word."""
        shown = "AND" if self.kind == LITERALS else self.word
        self.stop = self.start + len(shown)
        if self.start == self._end_of_formula:
            expected |= {*_OPERATORS}
        problem, line, column = self.problem(expected)
        if self.kind == UNKNOWN:
            problem = f"SMCDEL's format has no sign {self.word!r}"
        return ProblemError(problem, self.text, line, column, self._path)

    def taken(self, kind: str) -> Word:
        """The present word, which is of that kind and is taken; raises `error` for any other."""
        word = Word(self.word, self.start)
        self.take(kind)
        return word

    def _row(self, kind: str) -> tuple[Word, ...]:
        """Words of that kind, with commas between them."""
        row = [self.taken(kind)]
        while self.took(","):
            row.append(self.taken(kind))
        return tuple(row)

    def whole(self) -> Formula:
        """A formula that is the whole text."""
        formula = self.formula()
        if self.kind != END:
            self.fail(END)
        return formula

    # ---- the file ---------------------------------------------------------------------------

    def file(self) -> Written:
        """A whole file."""
        self.take("VARS")
        self.written.variables = self._row(NUMBER)
        self.take("LAW")
        self.written.law = self.formula()
        self.take("OBS")
        while not self.written.observers or self.at(NAME):
            name = self.taken(NAME)
            self.take(":")
            seen = self._row(NUMBER) if self.at(NUMBER) else ()
            self.written.observers.append((name, seen))
        while self.at(*_JOBS):
            word = self.taken(self.kind)
            state = self._state() if word.text == "TRUE?" else ()
            job = Job(_JOBS[word.text], self.formula(), state, word)
            self.written.jobs.append(job)
        if self.kind != END:
            self.fail(END)
        return self.written

    def _state(self) -> tuple[Word, ...]:
        self.take("{")
        state = self._row(NUMBER) if self.at(NUMBER) else ()
        self.take("}")
        return state

    # ---- formulas ---------------------------------------------------------------------------

    def formula(self) -> Formula:
        """A formula, as far as it reaches."""
        level = _Level("", _in_brackets)
        around: list[_Level] = []
        while True:
            begun = self._begun(level)
            if begun is None:  # a prefix
                continue
            if isinstance(begun, _Level):
                around.append(level)
                level = begun
                continue
            level.take(begun)
            while not self._goes_on(level):
                made = level.finish(level.before)
                if not around:
                    return level.before[0].formula
                level = around.pop()
                if not isinstance(made, Formula):
                    level.prefixes.append(made)
                    break
                level.take(made)

    def _goes_on(self, level: _Level) -> bool:
        """After an operand: whether another one comes on this level. If not, it is complete."""
        kind = self.kind
        if kind in ("&", "|"):
            if kind == "&" and level.sign == "|":
                self._warn(self.start, _MIXED)
            level.join(kind)
        elif kind in ("->", "iff"):
            if kind == "->" and level.arrow:
                self._warn(self.start, _LEFT.format(level.arrow))
            level.imply(kind)
        else:
            level.end()
            if kind == "," and level.takes_list:
                self.advance()
                return True
            if not level.close:
                self._end_of_formula = self.start
            elif kind == level.close:
                self.advance()
            else:
                self.fail(*_OPERATORS, level.close, *([","] if level.takes_list else []))
            return False
        self.advance()
        return True

    def _begun(self, level: _Level) -> Formula | _Level | None:
        """What begins where an operand is expected: an operand, a level, or a prefix (None)."""
        kind, word, start = self.kind, self.word, self.start
        if kind not in _STARTS:
            self.fail(_FORMULA)
        self.advance()
        if kind == LITERALS:
            known = self._lists.get(word)
            return self._listed(word, start) if known is None else known
        if kind == NUMBER:
            return self._atom(word, start)
        if kind == "(":
            return self._bracket(level, _Level(")", _in_brackets))
        if kind == NAME:
            return self._named(level, Word(word, start))
        if kind == "~":
            level.prefixes.append(negation)
            return None
        if kind in ("[", "<"):
            return self._announcement(kind)
        if kind in _LISTS:
            self.take("(")
            return _Level(")", _LISTS[kind], takes_list=True)
        if kind in ("Top", "Bot"):
            return f.TRUE if kind == "Top" else f.FALSE
        if kind in ("K", "Kw"):
            return self._far(Word(word, start))
        return self._quantified(kind == FORALL)

    def _atom(self, number: str, start: int) -> Formula:
        self.written.used_variables.setdefault(number, start)
        atom = self._atoms.get(number)
        if atom is None:
            atom = self._atoms[number] = f.Atom(fluent(number))
        return atom

    def _listed(self, word: str, start: int) -> Formula:
        """A list of literals that has not been read before."""
        operator, parts = literals(word)
        forms = []
        for positive, number, place in parts:
            atom = self._atom(number, start + place)
            forms.append(_Form(atom if positive else negation(atom), ""))
        made = self._lists[word] = _LISTS[operator](forms)
        return made

    def _bracket(self, level: _Level, inner: _Level) -> _Level | None:
        """After a bracket: the level in it, or the names of a group in it as a prefix."""
        if not self._begins_group():
            return inner
        names = self._names()
        self.take(")")
        level.prefixes.append(self._together(names))
        return None

    def _begins_group(self) -> bool:
        """Whether there are names only from here to the bracket that closes."""
        self._bracketed = self.start
        return self.kind == NAME and names_to_bracket(self.text, self.start)

    def _warn(self, start: int, told: str) -> None:
        self.written.warnings.append((start, told))

    # ---- knowledge ------------------------------------------------------------------------------

    def _agent(self, name: Word) -> str:
        self.written.used_agents.setdefault(*name)
        return name.text

    def _names(self, *first: Word) -> tuple[Word, ...]:
        """The names of a group, the first of which may have been read."""
        names = first if first and not self.took(",") else first + self._row(NAME)
        for name in names:
            self._agent(name)
        self.written.lists.append(names)
        return names

    def _named(self, level: _Level, name: Word) -> _Level | None:
        """After a name: what the agent knows, or the group that begins with it."""
        if self.kind == THAT:
            self.advance()
            agent = self._agent(name)
            level.prefixes.append(lambda operand: f.K(agent, operand))
            return None
        if not self.at(THAT, WHETHER):
            names = self._names(name)
            if name.start == self._bracketed:
                self.tried(")")
            level.prefixes.append(self._together(names))
            return None
        self.advance()

        def whether(forms: list[_Form]) -> Formula:
            agent = self._agent(name)
            return conjunction([f.Kw(agent, form.formula) for form in forms])

        each = _Level(")", whether, takes_list=True)
        if self.kind == "(":
            self.advance()
            if not self._begins_group():
                return each
            level.prefixes.append(lambda operand: whether([_Form(operand, "")]))
            return self._bracket(level, each)
        level.prefixes.append(lambda operand: whether([_Form(operand, "")]))
        return None

    def _together(self, names: Sequence[Word]) -> _Prefix:
        told = self.taken(TOGETHER).text
        group = tuple(name.text for name in names)
        kind: type[f.C] | type[f.D] = f.C if told.startswith("com") else f.D
        if told.endswith("that"):
            return lambda operand: kind(group, operand)
        return lambda operand: kind(group, operand) | kind(group, negation(operand))

    def _far(self, word: Word) -> _Level:
        """`K a f` and `Kw a f`, which reach as far as they can."""
        name = self.taken(NAME)
        kind: type[f.K] | type[f.Kw] = f.K if word.text == "K" else f.Kw

        def known(forms: list[_Form]) -> Formula:
            (form,) = forms
            if form.shape:
                self._warn(word.start, _FAR.format(word.text))
            return kind(self._agent(name), form.formula)

        return _Level("", known)

    # ---- announcements --------------------------------------------------------------------------

    def _announcement(self, opened: str) -> _Level:
        names = self._names() if self.at(NAME) else None
        group = None if names is None else tuple(name.text for name in names)
        whether = self.took("?")
        self.take("!")
        if whether:
            # What is announced is settled by the world: "may" and "must" are the same.
            return _Level("]" if opened == "[" else ">", lambda forms: _told(group, forms))
        if opened == "[":
            return _Level("]", lambda forms: _box(group, forms))
        return _Level(">", lambda forms: _diamond(group, forms))

    # ---- quantifiers ----------------------------------------------------------------------------

    def _quantified(self, every: bool) -> _Level:
        numbers = self._row(NUMBER)

        def varied(forms: list[_Form]) -> Formula:
            for number in numbers:
                self.written.used_variables.setdefault(*number)
            self.written.lists.append(numbers)
            return Varied(every, (fluent(number.text) for number in numbers), forms[0].formula)

        return _Level("", varied)


def _box(group: tuple[str, ...] | None, forms: list[_Form]) -> _Prefix:
    a = forms[0].formula
    if group is None:
        return lambda operand: f.Announced(a, operand)
    return lambda operand: f.Implies(a, Heard(group, a, operand))


def _diamond(group: tuple[str, ...] | None, forms: list[_Form]) -> _Prefix:
    a = forms[0].formula
    if group is None:
        return lambda operand: f.AnnouncedTrue(a, operand)
    return lambda operand: a & Heard(group, a, operand)


def _told(group: tuple[str, ...] | None, forms: list[_Form]) -> _Prefix:
    a = forms[0].formula
    if group is None:
        return lambda operand: HeardByAll(a, operand)
    return lambda operand: Heard(group, a, operand)


def written(text: str, path: str = "") -> Written:
    """The content of a file; raises `ProblemError`."""
    return _Reading(text, path).file()


def written_formula(text: str) -> Formula:
    """A single formula; raises `ProblemError`."""
    return _Reading(text).whole()


def twice(row: Sequence[Word]) -> Word | None:
    """The first word that is a duplicate of an earlier word."""
    seen: set[str] = set()
    for word in row:
        text = plain_number(word.text)
        if text in seen:
            return word
        seen.add(text)
    return None


def plain_number(word: str) -> str:
    """A number without zeros before it; any other word as it is."""
    return str(int(word)) if word.isdecimal() else word
