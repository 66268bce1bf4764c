"""SMCDEL's text format as its grammar has it, rule by rule: what the reader is held against."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from lark import Token, Transformer
from lark.grammar import NonTerminal, Rule, Symbol

from symkripke.language import Formula, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.problems.smcdel.formulas import Heard, HeardByAll, Varied, fluent
from symkripke.problems.smcdel.grammar import parser
from symkripke.problems.smcdel.syntax import Job, Written
from symkripke.problems.smcdel.words import Word
from symkripke.testing.random_models import Choices

_MIXED = "& and | bind alike in SMCDEL, from left to right; with us & binds tighter"
_LEFT = "{} groups to the left in SMCDEL; with us -> groups to the right, and tighter than <->"
_FAR = "{} reaches to the end of the formula in SMCDEL; with us K[...] takes the next part only"

Numbers = tuple[Word, ...]
Prefix = Callable[[Formula], Formula]


@dataclass(frozen=True)
class Form:
    """A formula, and the sign of its outermost operator if that is one of & | -> iff."""

    formula: Formula
    shape: str = ""


def _word(token: Token) -> Word:
    return Word(str(token), token.start_pos or 0)


class Builder(Transformer[Token, Any]):
    """Builds formulas bottom-up from the grammar's rules, and collects what they speak of."""

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

    def numbers(self, tokens: list[Token]) -> Numbers:
        return tuple(map(_word, tokens))

    def observed(self, parts: list[Any]) -> tuple[Word, Numbers]:
        name, numbers = parts
        return _word(name), numbers or ()

    def ask_valid(self, parts: list[Any]) -> Job:
        return Job("valid", parts[1].formula, (), _word(parts[0]))

    def ask_where(self, parts: list[Any]) -> Job:
        return Job("where", parts[1].formula, (), _word(parts[0]))

    def ask_true(self, parts: list[Any]) -> Job:
        token, state, form = parts
        return Job("true", form.formula, state or (), _word(token))

    def update(self, parts: list[Any]) -> Job:
        return Job("update", parts[1].formula, (), _word(parts[0]))

    # ---- connectives ----------------------------------------------------------------------------

    def _warn(self, token: Token, words: str) -> None:
        self.written.warnings.append((token.start_pos or 0, words))

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

    def negated(self, _: list[Token]) -> Prefix:
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
        self.written.used_variables.setdefault(*_word(tokens[0]))
        return Form(f.Atom(fluent(tokens[0])))

    # ---- knowledge ------------------------------------------------------------------------------

    def names(self, tokens: list[Token]) -> tuple[Token, ...]:
        for token in tokens:
            self._agent(token)
        self.written.lists.append(tuple(map(_word, tokens)))
        return tuple(tokens)

    def _agent(self, token: Token) -> str:
        self.written.used_agents.setdefault(*_word(token))
        return str(token)

    def known(self, parts: list[Token]) -> Prefix:
        agent = self._agent(parts[0])
        return lambda operand: f.K(agent, operand)

    def knows_each(self, parts: list[Any]) -> Form:
        name, _, *forms = parts
        agent = self._agent(name)
        return Form(conjunction(f.Kw(agent, form.formula) for form in forms))

    def together(self, parts: list[Any]) -> Prefix:
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

    def box(self, parts: list[Any]) -> Prefix:
        names, said = parts
        a = said.formula
        if names is None:
            return lambda operand: f.Announced(a, operand)
        return lambda operand: f.Implies(a, Heard(map(str, names), a, operand))

    def diamond(self, parts: list[Any]) -> Prefix:
        names, said = parts
        a = said.formula
        if names is None:
            return lambda operand: f.AnnouncedTrue(a, operand)
        return lambda operand: a & Heard(map(str, names), a, operand)

    def box_whether(self, parts: list[Any]) -> Prefix:
        names, _, said = parts
        a = said.formula
        if names is None:
            return lambda operand: HeardByAll(a, operand)
        return lambda operand: Heard(map(str, names), a, operand)

    def diamond_whether(self, parts: list[Any]) -> Prefix:
        # What is announced is settled by the world: "may" and "must" are the same.
        return self.box_whether(parts)

    # ---- quantifiers ----------------------------------------------------------------------------

    def _quantified(self, every: bool, parts: list[Any]) -> Form:
        _, numbers, form = parts
        for number in numbers:
            self.written.used_variables.setdefault(*number)
        self.written.lists.append(numbers)
        return Form(Varied(every, (fluent(number) for number, _ in numbers), form.formula))

    def forall(self, parts: list[Any]) -> Form:
        return self._quantified(True, parts)

    def exists(self, parts: list[Any]) -> Form:
        return self._quantified(False, parts)


def written_by_grammar(text: str) -> Written:
    """What a file says; raises what lark raises."""
    builder = Builder()
    tree = parser().parse(text, start="start")
    return builder.transform(tree)  # type: ignore[no-any-return]


# ---- random texts ---------------------------------------------------------------------------

_WRITTEN: dict[str, Sequence[str]] = {
    "INT": ("1", "2", "03", "14"),
    "NAME": ("ann", "Bob", "c3", "knows", "that", "Kww", "notes", "iffy", "Exists1"),
    "NOT": ("~", "\u00ac", "not", "Not"),
    "AND_SIGN": ("&", "\u2227"),
    "OR_SIGN": ("|", "\u2228"),
    "ARROW": ("->", "\u2192"),
    "FORALL": ("Forall", "ForAll"),
    "EXISTS": ("Exists",),
    "KNOWS_THAT": ("knows that", "knows\n that"),
    "KNOWS_WHETHER": ("knows whether", "knows  whether"),
    "TOGETHER": ("comknow that", "distknow whether", "comknow\twhether", "distknow that"),
}
"""Ways to write the terminals that can be written in several ways, and some that look like them."""


_MANY_WORDS = 80


class Texts:
    """Random texts that the grammar allows."""

    def __init__(self, choices: Choices) -> None:
        self._choices = choices
        self._rules: dict[str, list[Rule]] = {}
        for rule in parser().rules:
            self._rules.setdefault(rule.origin.name, []).append(rule)
        self._literals = {t.name: str(t.pattern.value) for t in parser().terminals}
        self._heights: dict[str, int] = {}
        while len(self._heights) < len(self._rules):
            for name, rules in self._rules.items():
                known = [h for h in map(self._height, rules) if h is not None]
                if name not in self._heights and known:
                    self._heights[name] = 1 + min(known)

    def _height(self, rule: Rule) -> int | None:
        """How deep the least tree of a rule is; None if that is not known yet."""
        inner = [s.name for s in rule.expansion if isinstance(s, NonTerminal)]
        if not all(name in self._heights for name in inner):
            return None
        return max((self._heights[name] for name in inner), default=0)

    def words(self, start: str, depth: int) -> list[str]:
        """The words of a text, not many; its tree is about so deep."""
        found: list[str] = []
        open_symbols: list[tuple[Symbol, int]] = [(NonTerminal(start), depth)]
        while open_symbols:
            symbol, left = open_symbols.pop()
            if not isinstance(symbol, NonTerminal):
                written = _WRITTEN.get(symbol.name) or (self._literals[symbol.name],)
                found.append(self._choices.one_of(written))
                continue
            rules = self._rules[symbol.name]
            if left <= 0 or len(found) + len(open_symbols) > _MANY_WORDS:
                least = self._heights[symbol.name] - 1
                rules = [rule for rule in rules if self._height(rule) == least]
            rule = self._choices.one_of(rules)
            open_symbols.extend((part, left - 1) for part in reversed(rule.expansion))
        return found
