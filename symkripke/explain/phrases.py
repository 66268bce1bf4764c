"""Formulas as sentences: "Plum does not know that Green holds Ballroom".

Two formulas have the same sentence only if they are equivalent. These rules settle what belongs
together:

* "and" and "or" without a comma join facts. After "that" they belong to what follows "that": "Ann
  knows that p or q".
* With a comma they end what was said after "that": "q, and Ann knows that p". A disjunction of
  this kind begins with "either". Facts come first, so that none of them follows a "that" to which
  it does not belong.
* After "that", such a list is told with "either", with "both that ... and that ...", or as "all of
  these are true: ...; ...".
* A clause with commas of its own stands in brackets where something follows it.

Equivalent formulas with the same sentence are those that differ only in this: where a negation
stands ("not p or not q", "a probability less than 1/2"); the order of facts and other parts;
`K[i] f | K[i] ~f` and `D[G] f | D[G] ~f` for "whether"; `Kw[i] ~f` for `Kw[i] f`; a group of one
for its member; "exactly one" of two for `~(f <-> g)`; "none" for the numbers that mean it; and what
cannot happen or cannot be announced, for `[a] false` and `[!a] false`.

A formula with too many parts for a sentence stays a formula.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from enum import IntEnum
from typing import NamedTuple

from symkripke.explain.text import listed
from symkripke.language import And, Atom, Constant, Formula, Not, Or, negation
from symkripke.language import formulas as f
from symkripke.model import ActionModel, PossibleEvent
from symkripke.records import dataclass

# A sentence has at most so many operators and facts, and a claim so many characters.
_PARTS = 40
_LENGTH = 240


class Bond(IntEnum):
    """How firmly the words of a clause hold together: what can follow it without brackets."""

    WHOLE = 0
    """It has commas of its own."""
    THAT = 1
    """It ends with a clause, after "that" for example: a comma must follow."""
    LIST = 2
    """Facts with "and", "or" or "if and only if"."""
    FACT = 3


class Clause(NamedTuple):
    """The words for a formula.

    Attributes:
        text: the words.
        bond: how firmly they hold together.
        parts: for a list with "and" and commas, its parts.
    """

    text: str
    bond: Bond
    parts: tuple[Clause, ...] = ()

    @property
    def within(self) -> str:
        """The words where something follows."""
        return f"({self.text})" if self.bond is Bond.WHOLE else self.text

    @property
    def after_that(self) -> str:
        """The words after "that"."""
        if not self.parts:
            return self.text
        number = "both" if len(self.parts) == 2 else "all"
        return f"{number} of these are true: {_listed(self.parts)}"

    @property
    def with_that(self) -> str:
        """The words with "that", after a verb: "that p", "both that p and that Ann knows q"."""
        if len(self.parts) == 2 and all(part.bond for part in self.parts):
            return f"both that {self.parts[0].text} and that {self.parts[1].text}"
        return f"that {self.after_that}"

    @property
    def whether(self) -> str:
        """The words after "knows"."""
        if self.bond in (Bond.FACT, Bond.THAT):
            return f"whether {self.text}"
        return f"whether it is true {self.with_that}"

    def under(self, beginning: str) -> Clause:
        """The clause after such a beginning: "Ann knows"."""
        return Clause(f"{beginning} {self.with_that}", min(self.bond, Bond.THAT))


def _own_values(fluents: tuple[str, ...]) -> str:
    return f"the value{'' if len(fluents) == 1 else 's'} of {' and '.join(fluents)}"


# The words for a number, and for its negation.
_NUMBERS = {
    "atleast": ("at least", "fewer than"),
    "atmost": ("at most", "more than"),
    "exactly": ("exactly", "not exactly"),
}

# Numbers, with whether that is true, for which there is a shorter word.
_NONE = {("atleast", 1, False), ("atmost", 0, True), ("exactly", 0, True)}

# The words for a comparison, and for its negation.
_COMPARED = {
    ">=": ("at least", "less than"),
    ">": ("more than", "at most"),
    "<=": ("at most", "more than"),
    "<": ("less than", "at least"),
    "=": ("exactly", "not exactly"),
}


@dataclass(frozen=True)
class Wording:
    """The words for formulas about one situation.

    Attributes:
        atom: gives an atom, or its negation if the second argument is False, in words.
        titles: the titles of agents; an agent without a title is called by its name.
        text: gives a formula as text.
        named: gives the name of a formula that has one; else None.
        phrase: gives for a formula with sentences of its own two: for it and its negation.
        everybody: the set of all agents.
        things: the titles of fluents: "Ballroom" for the place of that card.
        values: gives words for "the values of these fluents": "the murderer".
        parts: gives the operands of a conjunction or disjunction; operands that together have a
            name are one part.
        then: the words for a formula after an action, in the names of that moment; None: these.
    """

    atom: Callable[[Atom, bool], str]
    titles: Mapping[str, str] = field(default_factory=dict)
    text: Callable[[Formula], str] = str
    named: Callable[[Formula], str | None] = lambda _: None
    phrase: Callable[[Formula], tuple[str, str] | None] = lambda _: None
    everybody: frozenset[str] = frozenset()
    things: Mapping[str, str] = field(default_factory=dict)
    values: Callable[[tuple[str, ...]], str] = _own_values
    parts: Callable[[And | Or], tuple[Formula, ...]] = lambda formula: formula.operands
    then: Wording | None = None

    def who(self, agents: Iterable[str]) -> str:
        """Return the titles of these agents: "Ann", "Ann and Bob", "Ann, Bob and Cath"."""
        return listed([self.titles.get(agent, agent) for agent in agents])

    def claim(self, formula: Formula, truth: bool) -> str:
        """Return the sentence that a formula is true, or that it is false."""
        said = self.sentence(formula, truth)
        if said is None or len(said) > _LENGTH:
            return f"{self.text(formula)} is {'true' if truth else 'false'}"
        return said

    def sentence(self, formula: Formula, truth: bool) -> str | None:
        """Return a formula (or if not true, its negation) in words; None if it is too large."""
        return None if self._is_large(formula) else self._said(formula, truth).text

    def that(self, formula: Formula) -> str:
        """Return a formula as a clause with "that": "that p", "both that p and that Ann ..."."""
        return self._clause(formula).with_that

    def probability(self, agent: str, formula: Formula, given: Formula = f.TRUE) -> str:
        """Return the words for a probability: "for Plum, the probability that Rope is ..."."""
        condition = "" if given is f.TRUE else f", given that {self._alone(given)},"
        return f"for {self.who([agent])}, the probability that {self._alone(formula)}{condition}"

    def _alone(self, formula: Formula) -> str:
        """A formula in the middle of a sentence, in brackets unless it is a fact or lists facts."""
        said = self._clause(formula)
        return said.text if said.bond >= Bond.LIST else f"({said.text})"

    def _clause(self, formula: Formula) -> Clause:
        """Return the clause for a formula: its text, if it is too large for a sentence."""
        if self._is_large(formula):
            return Clause(self.text(formula), Bond.WHOLE)
        return self._said(formula)

    def _is_large(self, formula: Formula) -> bool:
        """Whether it has too many parts for a sentence, where one with a name is one part."""
        left, parts = _PARTS, [formula]
        while parts and left:
            part = parts.pop()
            left -= 1
            if isinstance(part, f.AfterAction):
                parts += [part.then, announced_by(part.action) or f.TRUE]
            elif part.operands and self.phrase(part) is None and self.named(part) is None:
                parts += part.operands
        return bool(parts)

    # ---- clauses, of formulas that are not too large ------------------------------------------

    def _said(self, formula: Formula, truth: bool = True) -> Clause:
        """The clause for a formula; if not `truth`, for its negation."""
        own = self.phrase(formula)
        if own is not None:
            return _given(own[0 if truth else 1])
        match formula:
            case Atom():
                return _given(self.atom(formula, truth))
            case Not(operand):
                return self._said(operand, not truth)
            case Constant(value):
                return _constant(value is truth)
        name = self.named(formula)
        if name is not None:
            if any(sign in name for sign in "=<>"):
                return _given(name if truth else f"not {name}")
            return _given(f"{name} is {'true' if truth else 'false'}")
        match formula:
            case And() | Or():
                return self._joined(formula, truth)
            case f.Implies(left, right) if truth:
                then = self._said(right).after_that
                return Clause(f"if {self._said(left).within}, then {then}", Bond.WHOLE)
            case f.Implies(left, right):
                return _list("and", [self._said(left), self._said(right, False)])
            case f.Iff() | f.Cardinality():
                return self._counted(formula, truth)
            case f.Announced(left, right) | f.AnnouncedTrue(left, right):
                always = isinstance(formula, f.Announced) is truth
                return _after_saying(self._said(left), self._said(right, truth), always)
            case f.AfterAction():
                return self._after(formula, truth)
            case f.Kw(agent, operand):
                return self._whether(self._verb(agent, "know", truth), operand)
            case f.Kv(agent, fluents):
                known = f"{self._verb(agent, 'know', truth)} {self.values(fluents)}"
                return Clause(known, Bond.THAT)
            case f.P(agent, operand, relation, bound, given):
                compared = _COMPARED[relation][0 if truth else 1]
                chance = self.probability(agent, operand, given)
                return Clause(f"{chance} is {compared} {bound}", Bond.THAT)
        return self._of_knowledge(formula, truth)

    def _of_knowledge(self, formula: Formula, truth: bool) -> Clause:
        """Return the clause for what an agent or a group knows, believes or considers possible."""
        assert isinstance(formula, f.Modal)
        agents, operand = formula.agents, self._said(formula.operands[0])
        verb = "believe" if formula.of_belief else "know"
        match formula:
            case f.M(agent, _):
                return operand.under(f"{self._verb(agent, 'consider', truth)} it possible")
            case f.B(agent, _, given) if given is not f.TRUE:
                believed = operand.under(self._verb(agent, verb, truth))
                told = f"given that {self._said(given).within}, {believed.text}"
                return Clause(told, Bond.WHOLE)
            case f.D():
                return operand.under(self._together(agents, truth))
        if len(agents) == 1:
            return operand.under(self._verb(agents[0], verb, truth))
        everybody = self.everybody == frozenset(agents)
        if isinstance(formula, f.E | f.EB):
            who = f"everybody {verb}s" if everybody else f"{self.who(agents)} {verb}"
            clause = operand.under(who)
            return clause if truth else clause.under("it is not true")
        common = "belief" if formula.of_belief else "knowledge"
        among = "between" if len(agents) == 2 else "among"
        of = "" if everybody else f" {among} {self.who(agents)}"
        return operand.under(f"it is {'' if truth else 'not '}common {common}{of}")

    def _verb(self, agent: str, verb: str, truth: bool) -> str:
        return f"{self.who([agent])} {f'{verb}s' if truth else f'does not {verb}'}"

    def _together(self, group: tuple[str, ...], truth: bool) -> str:
        """The beginning of a sentence about what a group knows together."""
        if len(group) == 1:
            return self._verb(group[0], "know", truth)
        return f"{self.who(group)} together {'know' if truth else 'do not know'}"

    def _whether(self, beginning: str, operand: Formula) -> Clause:
        """The clause "Ann knows whether ..."; of a negation, what it negates is told."""
        said = self._said(_bare(operand))
        return Clause(f"{beginning} {said.whether}", min(said.bond, Bond.THAT))

    def _joined(self, formula: And | Or, truth: bool) -> Clause:
        """Parts with "and" or "or"; or "whether", if that is what they say together."""
        kinds = (f.K, f.D) if isinstance(formula, Or) else f.M
        match formula.operands:
            case (one, other) if isinstance(one, kinds):
                if other is one.rebuild((negation(one.operand),)):
                    knows = truth is isinstance(formula, Or)
                    return self._whether(self._together(one.agents, knows), one.operand)
        word = "and" if isinstance(formula, And) is truth else "or"
        return _list(word, [self._said(part, truth) for part in self.parts(formula)])

    def _counted(self, formula: f.Iff | f.Cardinality, truth: bool) -> Clause:
        """How many of some parts are true."""
        parts = [self._said(part) for part in formula.operands]
        told = _listed(parts)
        if isinstance(formula, f.Iff):
            if not truth:
                return Clause(f"exactly one of these is true: {told}", Bond.WHOLE)
            if all(part.bond is Bond.FACT for part in parts):
                return Clause(" if and only if ".join(part.text for part in parts), Bond.LIST)
            return Clause(f"both or neither of these are true: {told}", Bond.WHOLE)
        if (formula.relation, formula.bound, truth) in _NONE:
            return Clause(f"none of these is true: {told}", Bond.WHOLE)
        few, many = _NUMBERS[formula.relation]
        number = "one" if formula.bound == 1 else str(formula.bound)
        verb = "is" if formula.bound == 1 else "are"
        return Clause(f"{few if truth else many} {number} of these {verb} true: {told}", Bond.WHOLE)

    def _after(self, formula: f.AfterAction, truth: bool) -> Clause:
        """Whatever happens in an action, or: something can happen in it, and then ..."""
        plain, name, said = self.then or self, formula.action.name, announced_by(formula.action)
        then = plain._said(formula.then, truth)
        if said is not None:
            return _after_saying(plain._said(said), then, truth)
        if then == _constant(not truth):
            return _given(f"{name} {'cannot' if truth else 'can'} be done")
        beginning = "after" if truth else "it is possible that after"
        return Clause(f"{beginning} {_given(name).within}, {then.after_that}", Bond.WHOLE)


def announced_by(action: f.Action) -> Formula | None:
    """Return what is announced, if the action is a public announcement; else None."""
    match action:
        case ActionModel(events=(PossibleEvent(precondition=said),), name=name):
            return said if name == f"!{said}" else None
    return None


def _after_saying(said: Clause, then: Clause, always: bool) -> Clause:
    """After any announcement of a formula, or: it can be announced, and then ..."""
    if then == _constant(not always):
        return said.under(f"it {'cannot' if always else 'can'} be announced")
    if always:
        told = f"after the announcement that {said.within}, {then.after_that}"
    else:
        told = f"it can be announced that {said.within}, and then {then.after_that}"
    return Clause(told, Bond.WHOLE)


def _constant(truth: bool) -> Clause:
    return Clause(f"a {'tautology' if truth else 'contradiction'} is true", Bond.FACT)


# Words that join clauses.
_JOINING = re.compile(r"\b(and|or|that|whether|if|either|both)\b")


def _given(text: str) -> Clause:
    """The clause of words that a file or a game gives."""
    bare = re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", text))
    if any(sign in bare for sign in "();"):
        return Clause(text, Bond.WHOLE)
    joins = bool(_JOINING.search(bare)) + ("," in bare)
    return Clause(text, (Bond.FACT, Bond.THAT, Bond.WHOLE)[joins])


def _list(word: str, parts: Sequence[Clause]) -> Clause:
    """Parts with "and" or "or" between them, facts first."""
    if all(part.bond is Bond.FACT for part in parts):
        return Clause(f" {word} ".join(part.text for part in parts), Bond.LIST)
    ordered = sorted(parts, key=lambda part: -part.bond)
    told = f", {word} ".join(part.within for part in ordered)
    if word == "or":
        return Clause(f"either {told}", Bond.WHOLE)
    return Clause(told, Bond.WHOLE, tuple(parts))


def _listed(parts: Iterable[Clause]) -> str:
    return "; ".join(part.within for part in parts) or "(nothing)"


def _bare(formula: Formula) -> Formula:
    """The operand of a negation; any other formula itself."""
    return formula.operand if isinstance(formula, Not) else formula


class Groups:
    """Finds conjunctions and disjunctions that have names within larger ones.

    `conjunction` flattens, so `lucky & c` becomes `a & b & c` if somebody called `a & b` lucky.

    Examples:
        >>> from symkripke import parse
        >>> groups = Groups([parse("p & q"), parse("p | q")])
        >>> [[str(part) for part in parts] for parts in groups.of(parse("p & q & r"))]
        [['p', 'q'], ['r']]
    """

    def __init__(self, named: Iterable[Formula]) -> None:
        """For these formulas; of two that overlap, the larger one is found."""
        self._by_part: dict[tuple[type[Formula], Formula], list[Formula]] = {}
        for whole in named:
            if isinstance(whole, And | Or):
                first = (type(whole), whole.operands[0])
                self._by_part.setdefault(first, []).append(whole)

    def of(self, formula: And | Or) -> list[tuple[Formula, ...]]:
        """The operands in groups; operands that together have a name are one group."""
        left = dict.fromkeys(formula.operands)
        wholes = [
            whole
            for part in formula.operands
            for whole in self._by_part.get((type(formula), part), ())
            if len(whole.operands) < len(left) and all(other in left for other in whole.operands)
        ]
        found: dict[Formula, tuple[Formula, ...]] = {}
        for whole in sorted(wholes, key=lambda whole: -len(whole.operands)):
            if all(part in left for part in whole.operands):
                found[whole.operands[0]] = whole.operands
                for part in whole.operands:
                    del left[part]
        return [
            found.get(part, (part,)) for part in formula.operands if part in found or part in left
        ]
