"""Formulas in words: "Plum does not know that Green holds Ballroom".

Formulas that have no short sentence, such as deep Boolean combinations, stay formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from symkripke.language import And, Atom, Constant, Formula, Not, Or, negation
from symkripke.language import formulas as f

# A sentence has at most so many parts, and so many characters.
_PARTS = 12
_LENGTH = 240

# A sentence for operators that are nested more deeply would be too long, and making it needs a
# recursion of that depth.
_LEVELS = 40


def _own_text(formula: Formula) -> str:
    return str(formula)


def _own_values(fluents: tuple[str, ...]) -> str:
    return f"the value{'' if len(fluents) == 1 else 's'} of {', '.join(fluents)}"


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
        phrases: for formulas with sentences of their own, two sentences: for it and its negation.
        everybody: the set of all agents.
        things: the titles of fluents: "Ballroom" for the place of that card.
        values: gives words for "the values of these fluents": "the murderer".
        parts: gives the operands of a conjunction or disjunction; operands that together have a
        name
            are one part.
    """

    atom: Callable[[Atom, bool], str]
    titles: Mapping[str, str] = field(default_factory=dict)
    text: Callable[[Formula], str] = _own_text
    named: Callable[[Formula], str | None] = lambda _: None
    phrases: Mapping[Formula, tuple[str, str]] = field(default_factory=dict)
    everybody: frozenset[str] = frozenset()
    things: Mapping[str, str] = field(default_factory=dict)
    values: Callable[[tuple[str, ...]], str] = _own_values
    parts: Callable[[And | Or], tuple[Formula, ...]] = lambda formula: formula.operands

    def who(self, agents: Iterable[str]) -> str:
        """These agents: "Ann", "Ann and Bob", "Ann, Bob and Cath"."""
        *most, last = [self.titles.get(agent, agent) for agent in agents]
        return f"{', '.join(most)} and {last}" if most else last

    def claim(self, formula: Formula, truth: bool) -> str:
        """The sentence that a formula is true, or that it is false."""
        said = self.sentence(formula, truth)
        if said is None or len(said) > _LENGTH:
            return f"{self.text(formula)} is {'true' if truth else 'false'}"
        return said

    def that(self, formula: Formula, truth: bool = True) -> str:
        """A formula, or its negation, in words if there are any, else as text."""
        said = self.sentence(formula, truth)
        return self.text(formula if truth else negation(formula)) if said is None else said

    def sentence(self, formula: Formula, truth: bool) -> str | None:
        """A formula (or if not true, its negation) in words; None if it has none."""
        if formula in self.phrases:
            return self.phrases[formula][0 if truth else 1]
        match formula:
            case Atom():
                return self.atom(formula, truth)
            case Not(operand):
                return None if _is_deep(operand) else self.sentence(operand, not truth)
            case Constant(value):
                return "this is so" if value is truth else "this is not so"
        name = self.named(formula)
        if name is not None:
            if any(sign in name for sign in "=<>"):
                return name if truth else f"not {name}"
            return f"{name} is {'true' if truth else 'false'}"
        if _is_deep(formula):
            return None
        match formula:
            case And() | Or():
                return self._joined(formula, self.parts(formula), truth)
            case f.Implies(left, right):
                return self._implied(left, right, truth)
            case f.Iff() | f.Cardinality():
                return self._counted(formula, truth)
            case f.Announced(left, right) | f.AnnouncedTrue(left, right):
                return f"after the announcement that {self.that(left)}, {self.that(right, truth)}"
            case f.AfterAction(action, then):
                return f"after {action.name}, {self.that(then, truth)}"
            case f.Kw(agent, operand):
                return self._verb(agent, "know", truth) + f" whether {self.that(operand)}"
            case f.Kv(agent, fluents):
                return f"{self._verb(agent, 'know', truth)} {self.values(fluents)}"
            case f.P():
                return f"{self.probability(formula)} is {self._compared(formula, truth)}"
        return self._of_knowledge(formula, truth)

    def probability(self, chance: f.P) -> str:
        """The words for a probability: "for Plum, the probability that Rope is in the envelope"."""
        given = "" if chance.given is f.TRUE else f", given that {self.that(chance.given)},"
        return (
            f"for {self.who([chance.agent])}, the probability that "
            f"{self.that(chance.operand)}{given}"
        )

    @staticmethod
    def _compared(chance: f.P, truth: bool) -> str:
        return f"{_COMPARED[chance.relation][0 if truth else 1]} {chance.bound}"

    def _of_knowledge(self, formula: Formula, truth: bool) -> str | None:
        match formula:
            case f.K(agent, operand):
                return f"{self._verb(agent, 'know', truth)} {self._clause(operand)}"
            case f.M(agent, operand):
                verb = self._verb(agent, "consider", truth)
                return f"{verb} it possible {self._clause(operand)}"
            case f.B(agent, operand, f.TRUE):
                return f"{self._verb(agent, 'believe', truth)} {self._clause(operand)}"
            case f.E(group, operand) | f.EB(group, operand):
                verb = "know" if isinstance(formula, f.E) else "believe"
                who = "everybody" if self.everybody == frozenset(group) else self.who(group)
                if who == "everybody" or len(group) == 1:
                    verb += "s"
                clause = f"{who} {verb} {self._clause(operand)}"
                return clause if truth else f"it is not so that {clause}"
            case f.D(group, operand):
                return f"{self._together(group, truth)} {self._clause(operand)}"
            case f.C(group, operand) | f.CB(group, operand):
                what = "knowledge" if isinstance(formula, f.C) else "belief"
                among = "between" if len(group) == 2 else "among"
                of = "" if self.everybody == frozenset(group) else f" {among} {self.who(group)}"
                verb = "is" if truth else "is not"
                return f"it {verb} common {what}{of} {self._clause(operand)}"
        return None

    def _verb(self, agent: str, verb: str, truth: bool) -> str:
        return f"{self.who([agent])} {f'{verb}s' if truth else f'does not {verb}'}"

    def _together(self, group: tuple[str, ...], truth: bool) -> str:
        """The beginning of a sentence about what a group knows together."""
        if len(group) == 1:
            return self._verb(group[0], "know", truth)
        return f"{self.who(group)} together {'know' if truth else 'do not know'}"

    def _clause(self, operand: Formula) -> str:
        """The clause after "knows": "that ..."; for two parts about knowledge "both that ..."."""
        inner = _bare(operand)
        truth = inner is operand
        if isinstance(inner, And | Or) and self.named(inner) is None and not self._whether(inner):
            parts = self.parts(inner)
            plain = all(isinstance(_bare(part), Atom) for part in parts)
            if not plain and (len(parts) > _PARTS or any(map(self._is_joint, parts))):
                return f"that {self.text(operand)}"
            if not plain:
                *most, last = (self.that(part, truth) for part in parts)
                if isinstance(inner, And) is truth:
                    both = "both " if len(parts) == 2 else ""
                    return f"{both}that {', that '.join(most)} and that {last}"
                return f"that either {', or '.join(most)} or {last}"
        return f"that {self.that(operand)}"

    def _joined(self, formula: And | Or, operands: tuple[Formula, ...], truth: bool) -> str | None:
        """Parts joined by "and" or "or"; None if one of them has parts, too."""
        whether = self._whether(formula)
        if whether is not None:
            return self.sentence(whether[0], whether[1] is truth)
        if len(operands) > _PARTS or any(map(self._is_joint, operands)):
            return None
        match operands:
            case (f.D(group, left), f.D(other, right)) if (
                isinstance(formula, Or) and group == other and negation(left) is right
            ):
                fact = right if isinstance(left, Not) else left
                return f"{self._together(group, truth)} whether {self.that(fact)}"
        word = "and" if isinstance(formula, And) is truth else "or"
        return f" {word} ".join(self.that(part, truth) for part in operands)

    def _counted(self, formula: f.Iff | f.Cardinality, truth: bool) -> str | None:
        """How many of some parts are true; None if one of them has parts, too."""
        operands = formula.operands
        if len(operands) > _PARTS or any(map(self._is_joint, operands)):
            return None
        if isinstance(formula, f.Iff):
            left, right = map(self.that, operands)
            if truth:
                return f"{left} if and only if {right}"
            return f"exactly one of these is true: {left}; {right}"
        told = "; ".join(map(self.that, operands))
        if (formula.relation, formula.bound, truth) in _NONE:
            return f"none of these is true: {told}"
        few, many = _NUMBERS[formula.relation]
        number = "one" if formula.bound == 1 else str(formula.bound)
        verb = "is" if formula.bound == 1 else "are"
        return f"{few if truth else many} {number} of these {verb} true: {told}"

    def _is_joint(self, formula: Formula) -> bool:
        """Whether it has parts, and no name or sentence."""
        bare = _bare(formula)
        if formula in self.phrases or bare in self.phrases or self.named(bare) is not None:
            return False
        return isinstance(bare, And | Or | f.Implies | f.Iff | f.Cardinality)

    @staticmethod
    def _whether(formula: And | Or) -> tuple[Formula, bool] | None:
        """For a formula equivalent to `Kw`, or its negation: the `Kw`, and which; else None."""
        match formula.operands:
            case (f.K(agent, left), f.K(other, right)) if isinstance(formula, Or):
                known = True
            case (f.M(agent, left), f.M(other, right)) if isinstance(formula, And):
                known = False
            case _:
                return None
        if agent != other or negation(left) is not right:
            return None
        return f.Kw(agent, right if isinstance(left, Not) else left), known

    def _implied(self, left: Formula, right: Formula, truth: bool) -> str | None:
        if self._is_joint(left) or self._is_joint(right):
            return None
        if truth:
            return f"if {self.that(left)}, {self.that(right)}"
        return f"{self.that(left)} and {self.that(right, False)}"


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


def _bare(formula: Formula) -> Formula:
    """The operand of a negation; any other formula itself."""
    return formula.operand if isinstance(formula, Not) else formula


def _is_deep(formula: Formula) -> bool:
    """Whether it has more than so many operators within each other."""
    level = {formula}
    for _ in range(_LEVELS):
        level = {part for upper in level for part in upper.operands}
        if not level:
            return False
    return True
