"""Semi-private announcements and `Forall`/`Exists`, said with agents and fluents of their own.

Inside a formula, who hears something knows more from there on; outside, the same agent knows what
it knew. So it becomes another agent that has only the further formula: a *reader* of the same
name with a number. It observes what the agent observes, and a new fluent that is true where what
was said is true. Nobody else is touched: the translation is exact, for common knowledge, too.

`Forall p` and `Exists p` vary p at the one world in question, in the law or not, as SMCDEL does:
an agent that observes p then observes another value of it. What it knows there is what an agent
that observes all but p knows to follow from that value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from symkripke.engines.nesting import NESTING_LIMIT
from symkripke.errors import Unsupported
from symkripke.language import Atom, Formula, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional, rewrite, subformulas, substitute
from symkripke.problems.smcdel.formulas import Heard, Varied, is_plain
from symkripke.problems.values import same

_Names = Mapping[str, str]
_Said = tuple[Formula, ...]


@dataclass(frozen=True)
class Hearing:
    """A new fluent: it is true where what some agents heard is true.

    Attributes:
        name: its name.
        formula: what they heard whether it is true; about the structure of the moment.
    """

    name: str
    formula: Formula


@dataclass
class Privacy:
    """Translates formulas, and remembers what agents and fluents they need.

    Attributes:
        observed: for each agent, those of the file first, the fluents that it observes.
        hearings: the new fluents, in order; those of the formula that was translated last come
            after all that were there before.
        origin: for each agent that is not in the file, which one it is a reader of.
    """

    observed: dict[str, frozenset[str]]
    hearings: list[Hearing] = field(default_factory=list)
    origin: dict[str, str] = field(default_factory=dict)

    def plain(self, formula: Formula) -> Formula:
        """An equivalent formula without `Heard` and `Varied`, over more agents and fluents."""
        if is_plain(formula):
            return formula
        with NESTING_LIMIT:
            return self._at(formula, {}, ())

    def _at(self, formula: Formula, who: _Names, said: _Said) -> Formula:
        """`formula` where agents are the readers that `who` names, after these announcements."""
        match formula:
            case f.Implies(left, Heard(group, heard, after)) if left is heard and _knowers(
                after
            ) <= set(group):
                return self._at(f.Announced(heard, after), who, said)
            case Heard(group, heard, after):
                told = self._at(heard, who, said)
                if is_propositional(after) and is_plain(after):
                    return after
                if _knowers(after) <= set(group):
                    # Only who heard it is spoken of: as if it had been said to all.
                    return conjunction(
                        f.Announced(truth, self._at(after, who, (*said, truth)))
                        for truth in (told, negation(told))
                    )
                name = self._hearing(told, said)
                readers = {
                    agent: self._agent(who.get(agent, agent), "hears", more=name) for agent in group
                }
                return self._at(after, {**who, **readers}, said)
            case Varied(every, names, operand):
                heard_before = len(self.hearings)
                found = self._at(operand, who, said)
                if len(self.hearings) > heard_before:
                    raise Unsupported(
                        "an announcement to some agents, under Forall or Exists, before what "
                        "others know then: this has no translation here"
                    )
                for name in names:
                    both = [self._varied(found, name, truth, ()) for truth in (True, False)]
                    found = conjunction(both) if every else disjunction(both)
                return found
            case f.Announced(announced, after) | f.AnnouncedTrue(announced, after):
                first = self._at(announced, who, said)
                return type(formula)(first, self._at(after, who, (*said, first)))
            case f.K(agent, operand) | f.Kw(agent, operand):
                return type(formula)(who.get(agent, agent), self._at(operand, who, said))
            case f.D(group, operand) | f.C(group, operand):
                members = [who.get(agent, agent) for agent in group]
                return type(formula)(members, self._at(operand, who, said))
        return formula.rebuild(tuple(self._at(part, who, said) for part in formula.operands))

    def _hearing(self, told: Formula, said: _Said) -> str:
        """The fluent that is true where what is heard is true."""
        fact = told.operand if isinstance(told, f.Not) else told
        if isinstance(fact, Atom):  # it is enough to observe that
            return fact.fluent
        name = f"heard_{len(self.hearings) + 1}"
        if not is_propositional(told):
            for announced in reversed(said):
                told = f.Announced(announced, told)
        self.hearings.append(Hearing(name, told))
        return name

    def _agent(self, agent: str, verb: str, more: str = "", less: str = "") -> str:
        """The reader of `agent` that observes `more` besides, or all but `less`."""
        name = f"{agent}_{verb}_{(more or less).removeprefix('heard_')}"
        if name not in self.observed:
            self.observed[name] = (self.observed[agent] | ({more} if more else set())) - {less}
            self.origin[name] = agent
        return name

    # ---- another value at this world -------------------------------------------------------------

    def _varied(self, formula: Formula, name: str, truth: bool, said: _Said) -> Formula:
        """`formula` if `name` had this truth value here; after these announcements."""
        if is_propositional(formula):
            return _folded(substitute(formula, {Atom(name): f.Constant(truth)}))

        def here(part: Formula) -> Formula:
            return self._varied(part, name, truth, said)

        match formula:
            case f.K(agent, operand):
                return self._known((agent,), operand, name, truth, said)
            case f.D(group, operand):
                return self._known(group, operand, name, truth, said)
            case f.Kw(agent, operand):
                return here(f.K(agent, operand)) | here(f.K(agent, negation(operand)))
            case f.C(group, operand):
                return here(operand) & conjunction(here(f.K(agent, formula)) for agent in group)
            case f.Announced(announced, after):
                later = self._varied(after, name, truth, (*said, announced))
                return negation(here(announced)) | later
            case f.AnnouncedTrue(announced, after):
                return here(announced) & self._varied(after, name, truth, (*said, announced))
        return formula.rebuild(tuple(here(part) for part in formula.operands))

    def _known(
        self, group: tuple[str, ...], operand: Formula, name: str, truth: bool, said: _Said
    ) -> Formula:
        """What an agent, or a group together, would know with another value of `name`."""
        for announced in reversed(said):
            operand = f.Announced(announced, operand)
        if any(name in self.observed[agent] for agent in group):
            value = Atom(name) if truth else negation(Atom(name))
            operand = f.Implies(value, operand)
            group = tuple(self._agent(agent, "without", less=name) for agent in group)
        return f.K(group[0], operand) if len(group) == 1 else f.D(group, operand)


def _folded(formula: Formula) -> Formula:
    """Without constants inside, which come from variables that got a value."""

    def change(part: Formula) -> Formula:
        match part:
            case f.Implies(left, right):
                if isinstance(left, f.Constant) or isinstance(right, f.Constant):
                    return negation(left) | right
            case f.Iff(left, right):
                return same(left, right)
        return part

    return rewrite(formula, change)


def _knowers(formula: Formula) -> set[str]:
    """All agents that a formula speaks of."""
    found: set[str] = set()
    for part in subformulas(formula):
        match part:
            case f.K(agent) | f.Kw(agent):
                found.add(agent)
            case f.D(group) | f.C(group) | Heard(group):
                found.update(group)
    return found
