"""Formulas as sentences: "Plum does not know that Green holds Ballroom".

Two formulas have the same sentence only if they are equivalent. These rules make the scope of each
operator clear:

* "and" and "or" without a comma join facts. After "that" they belong to the clause: "Ann knows that
  p or q".
* With a comma they end a clause with "that": "q, and Ann knows that p". A disjunction of this kind
  begins with "either". Facts come first, so that none of them follows a "that" to which it does not
  belong.
* After "that", such a list has "either", "both that ... and that ...", or "all of these are true:
  ...; ...".
* A clause with its own commas stands in brackets if something follows it.

Equivalent formulas have the same sentence if they differ only in the place of a negation ("not p or
not q", "a probability less than 1/2"); the order of facts and other parts; `K[i] f | K[i] ~f` and
`D[G] f | D[G] ~f` for "whether"; `Kw[i] ~f` for `Kw[i] f`; a group of one agent for that agent;
"exactly one" of two for `~(f <-> g)`; "none" for the numbers that mean it; and "cannot be done" or
"cannot be announced" for `[a] false` and `[!a] false`.

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

# The maximum number of operators and facts in a sentence, and of characters in a claim.
_PARTS = 40
_LENGTH = 240


class Bond(IntEnum):
    """The cohesion of a clause, which determines what can follow it without brackets."""

    WHOLE = 0
    """The clause has its own commas."""
    THAT = 1
    """The clause ends with another clause, for example after "that", so a comma must follow."""
    LIST = 2
    """Facts with "and", "or" or "if and only if"."""
    FACT = 3


class Clause(NamedTuple):
    """A formula in words.

    Attributes:
        text: the words.
        bond: their cohesion.
        parts: the parts of a list with "and" and commas.
    """

    text: str
    bond: Bond
    parts: tuple[Clause, ...] = ()

    @property
    def within(self) -> str:
        """The words, in brackets if necessary before further words."""
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
        """The words with "whether", after "knows"."""
        if self.bond in (Bond.FACT, Bond.THAT):
            return f"whether {self.text}"
        return f"whether it is true {self.with_that}"

    def under(self, beginning: str) -> Clause:
        """Return the clause after a beginning such as "Ann knows"."""
        return Clause(f"{beginning} {self.with_that}", min(self.bond, Bond.THAT))


def _own_values(fluents: tuple[str, ...]) -> str:
    return f"the value{'' if len(fluents) == 1 else 's'} of {' and '.join(fluents)}"


# The words for a number, and for its negation.
_NUMBERS = {
    "atleast": ("at least", "fewer than"),
    "atmost": ("at most", "more than"),
    "exactly": ("exactly", "not exactly"),
}

# The relations and bounds that mean "none" if the formula has the truth value given with them.
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
        atom: a function from an atom, and whether it is true, to words.
        titles: the titles of agents; an agent without a title is called by its name.
        text: a function from a formula to its text.
        named: a function from a formula to its name, or None.
        phrase: a function from a formula to its own two sentences, for it and for its negation, or
            None.
        everybody: the set of all agents.
        things: the titles of fluents: "Ballroom" for the place of this card.
        values: a function from fluents to words for their values: "the murderer".
        parts: a function from a conjunction or disjunction to its operands; operands that together
            have a name are one part.
        then: the wording of formulas after an action; None if it is the same.
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
        """Return the sentence stating that a formula is true, or that it is false."""
        sentence = self.sentence(formula, truth)
        if sentence is None or len(sentence) > _LENGTH:
            return f"{self.text(formula)} is {'true' if truth else 'false'}"
        return sentence

    def sentence(self, formula: Formula, truth: bool) -> str | None:
        """Return a formula, or its negation if not `truth`, in words; None if it is too large."""
        return None if self._is_large(formula) else self._said(formula, truth).text

    def that(self, formula: Formula) -> str:
        """Return a formula as a clause with "that": "that p", "both that p and that Ann ..."."""
        return self._clause(formula).with_that

    def probability(self, agent: str, formula: Formula, given: Formula = f.TRUE) -> str:
        """Return the words for a probability: "for Plum, the probability that Rope is ..."."""
        condition = "" if given is f.TRUE else f", given that {self._alone(given)},"
        return f"for {self.who([agent])}, the probability that {self._alone(formula)}{condition}"

    def _alone(self, formula: Formula) -> str:
        """Return a formula within a sentence, in brackets unless it consists of facts."""
        clause = self._clause(formula)
        return clause.text if clause.bond >= Bond.LIST else f"({clause.text})"

    def _clause(self, formula: Formula) -> Clause:
        """Return the clause of a formula; its text if it is too large for a sentence."""
        if self._is_large(formula):
            return Clause(self.text(formula), Bond.WHOLE)
        return self._said(formula)

    def _is_large(self, formula: Formula) -> bool:
        """Return whether a formula has too many parts for a sentence; a named part counts once."""
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
        """Return the clause of a formula, or of its negation if not `truth`."""
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
            case f.Linear():
                return _given(self.text(formula if truth else negation(formula)))
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
                return _after_announcement(self._said(left), self._said(right, truth), always)
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
        """Return the clause of a formula about knowledge, belief or possibility."""
        assert isinstance(formula, f.Modal)
        agents, operand = formula.agents, self._said(formula.operands[0])
        verb = "believe" if formula.of_belief else "know"
        match formula:
            case f.M(agent, _):
                return operand.under(f"{self._verb(agent, 'consider', truth)} it possible")
            case f.B(agent, _, given) if given is not f.TRUE:
                believed = operand.under(self._verb(agent, verb, truth))
                words = f"given that {self._said(given).within}, {believed.text}"
                return Clause(words, Bond.WHOLE)
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
        """Return the beginning of a sentence about distributed knowledge."""
        if len(group) == 1:
            return self._verb(group[0], "know", truth)
        return f"{self.who(group)} together {'know' if truth else 'do not know'}"

    def _whether(self, beginning: str, operand: Formula) -> Clause:
        """Return the clause "Ann knows whether ...", without the negation of the operand."""
        clause = self._said(_bare(operand))
        return Clause(f"{beginning} {clause.whether}", min(clause.bond, Bond.THAT))

    def _joined(self, formula: And | Or, truth: bool) -> Clause:
        """Return the parts joined by "and" or "or", or combined by "whether"."""
        kinds = (f.K, f.D) if isinstance(formula, Or) else f.M
        match formula.operands:
            case (one, other) if isinstance(one, kinds):
                if other is one.rebuild((negation(one.operand),)):
                    knows = truth is isinstance(formula, Or)
                    return self._whether(self._together(one.agents, knows), one.operand)
        word = "and" if isinstance(formula, And) is truth else "or"
        return _list(word, [self._said(part, truth) for part in self.parts(formula)])

    def _counted(self, formula: f.Iff | f.Cardinality, truth: bool) -> Clause:
        """Return a clause about the number of true parts."""
        parts = [self._said(part) for part in formula.operands]
        words = _listed(parts)
        if isinstance(formula, f.Iff):
            if not truth:
                return Clause(f"exactly one of these is true: {words}", Bond.WHOLE)
            if all(part.bond is Bond.FACT for part in parts):
                return Clause(" if and only if ".join(part.text for part in parts), Bond.LIST)
            return Clause(f"both or neither of these are true: {words}", Bond.WHOLE)
        if (formula.relation, formula.bound, truth) in _NONE:
            return Clause(f"none of these is true: {words}", Bond.WHOLE)
        few, many = _NUMBERS[formula.relation]
        number = "one" if formula.bound == 1 else str(formula.bound)
        verb = "is" if formula.bound == 1 else "are"
        return Clause(
            f"{few if truth else many} {number} of these {verb} true: {words}", Bond.WHOLE
        )

    def _after(self, formula: f.AfterAction, truth: bool) -> Clause:
        """Return the clause of a formula after every event of an action, or after some."""
        plain, name, announced = (
            self.then or self,
            formula.action.name,
            announced_by(formula.action),
        )
        then = plain._said(formula.then, truth)
        if announced is not None:
            return _after_announcement(plain._said(announced), then, truth)
        if then == _constant(not truth):
            return _given(f"{name} {'cannot' if truth else 'can'} be done")
        beginning = "after" if truth else "it is possible that after"
        return Clause(f"{beginning} {_given(name).within}, {then.after_that}", Bond.WHOLE)


def announced_by(action: f.Action) -> Formula | None:
    """Return the announced formula if the action is a public announcement; else None."""
    match action:
        case ActionModel(events=(PossibleEvent(precondition=announced),), name=name):
            return announced if name == f"!{announced}" else None
    return None


def _after_announcement(announced: Clause, then: Clause, always: bool) -> Clause:
    """Return the clause about the result of an announcement, or about whether it can be made."""
    if then == _constant(not always):
        return announced.under(f"it {'cannot' if always else 'can'} be announced")
    if always:
        words = f"after the announcement that {announced.within}, {then.after_that}"
    else:
        words = f"it can be announced that {announced.within}, and then {then.after_that}"
    return Clause(words, Bond.WHOLE)


def _constant(truth: bool) -> Clause:
    return Clause(f"a {'tautology' if truth else 'contradiction'} is true", Bond.FACT)


# Words that join clauses.
_JOINING = re.compile(r"\b(and|or|that|whether|if|either|both)\b")


def _given(text: str) -> Clause:
    """Return the clause of words from a file or a game."""
    bare = re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", text))
    if any(sign in bare for sign in "();"):
        return Clause(text, Bond.WHOLE)
    joins = bool(_JOINING.search(bare)) + ("," in bare)
    return Clause(text, (Bond.FACT, Bond.THAT, Bond.WHOLE)[joins])


def _list(word: str, parts: Sequence[Clause]) -> Clause:
    """Return the parts joined by "and" or "or", facts first."""
    if all(part.bond is Bond.FACT for part in parts):
        return Clause(f" {word} ".join(part.text for part in parts), Bond.LIST)
    ordered = sorted(parts, key=lambda part: -part.bond)
    words = f", {word} ".join(part.within for part in ordered)
    if word == "or":
        return Clause(f"either {words}", Bond.WHOLE)
    return Clause(words, Bond.WHOLE, tuple(parts))


def _listed(parts: Iterable[Clause]) -> str:
    return "; ".join(part.within for part in parts) or "(nothing)"


def _bare(formula: Formula) -> Formula:
    """Return the operand of a negation, and any other formula unchanged."""
    return formula.operand if isinstance(formula, Not) else formula


class Groups:
    """An index of named conjunctions and disjunctions, to find them within larger ones.

    `conjunction` flattens, so `lucky & c` becomes `a & b & c` if `a & b` is named lucky.

    Examples:
        >>> from symkripke import parse
        >>> groups = Groups([parse("p & q"), parse("p | q")])
        >>> [[str(part) for part in parts] for parts in groups.of(parse("p & q & r"))]
        [['p', 'q'], ['r']]
    """

    def __init__(self, named: Iterable[Formula]) -> None:
        """Index these formulas; of two overlapping formulas, the larger one takes precedence."""
        self._by_part: dict[tuple[type[Formula], Formula], list[Formula]] = {}
        for whole in named:
            if isinstance(whole, And | Or):
                first = (type(whole), whole.operands[0])
                self._by_part.setdefault(first, []).append(whole)

    def of(self, formula: And | Or) -> list[tuple[Formula, ...]]:
        """Return the operands in groups; operands that together have a name are one group."""
        left = dict.fromkeys(formula.operands)
        wholes = [
            whole
            for part in formula.operands
            for whole in self._by_part.get((type(formula), part), ())
            if len(whole.operands) < len(left) and all(other in left for other in whole.operands)
        ]
        groups: dict[Formula, tuple[Formula, ...]] = {}
        for whole in sorted(wholes, key=lambda whole: -len(whole.operands)):
            if all(part in left for part in whole.operands):
                groups[whole.operands[0]] = whole.operands
                for part in whole.operands:
                    del left[part]
        return [
            groups.get(part, (part,)) for part in formula.operands if part in groups or part in left
        ]
