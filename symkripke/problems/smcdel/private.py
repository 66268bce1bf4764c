"""Translation of announcements of truth values ("whether"), and of `Forall`/`Exists`.

If all agents, or all agents that the rest of the formula mentions, hear whether a formula is true,
this is an announcement of the formula or of its negation. Each of the two cases needs a copy of the
rest of the formula, so a chain of such announcements doubles the rest each time. For chains, and
for announcements to some agents only, the translation adds agents and fluents instead.

After an announcement inside a formula, the hearers know more; outside that part of the formula,
their knowledge is unchanged. In that part, each hearer is therefore replaced by a new agent, a
*reader*, which has the same name with a number. A reader observes the observables of its agent, and
a new fluent that is true where the announced formula is true. Other agents are unchanged. The
translation is exact, for common knowledge, too.

`Forall p` and `Exists p` vary p at the current world, also outside the law, as SMCDEL does. An
agent that observes p then observes another value of p. There it knows whatever an agent that does
not observe p knows to follow from that value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from symkripke.engines.nesting import nesting_limit
from symkripke.errors import Unsupported
from symkripke.language import Atom, Formula, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.language.walk import (
    is_propositional,
    modal_subformulas,
    operators,
    rewrite,
    substitute,
)
from symkripke.problems.smcdel.formulas import Heard, Varied, is_plain
from symkripke.problems.values import folded
from symkripke.records import dataclass

# The maximum length of chains of announcements of truth values to unfold. For announcements about
# knowledge it is larger, because a modal law is harder than a long formula.
_SHORT = 3
_SHORT_OF_KNOWING = 6

_Names = Mapping[str, str]
_Said = tuple[Formula, ...]


@dataclass(frozen=True)
class Hearing:
    """A new fluent with the truth value that agents heard.

    Attributes:
        name: the name of the fluent.
        formula: the formula whose truth value they heard, about the structure at that moment.
    """

    name: str
    formula: Formula


@dataclass()
class Privacy:
    """A translator of formulas, which stores the agents and fluents that they need.

    Attributes:
        observed: the fluents that each agent observes; the agents of the file come first.
        hearings: the new fluents in order; the fluents of the last translated formula come last.
        origin: for each reader, its agent in the file.
    """

    observed: dict[str, frozenset[str]]
    hearings: list[Hearing] = field(default_factory=list)
    origin: dict[str, str] = field(default_factory=dict)
    _heard_by: dict[str, frozenset[str]] = field(default_factory=dict)
    """The heard fluents of each reader that differs from its agent only in these."""
    _unfolds: bool = True
    _varies: bool = False

    def plain(self, formula: Formula) -> Formula:
        """Return an equivalent formula with our own operators, over more agents and fluents."""
        kinds = operators(formula)
        if kinds.isdisjoint((Heard, Varied)):
            return formula
        self._varies = Varied in kinds
        self._unfolds = _chain(formula) <= (_SHORT if _hears_facts(formula) else _SHORT_OF_KNOWING)
        with nesting_limit():
            return self._at(formula, {}, ())

    def _at(self, formula: Formula, who: _Names, said: _Said) -> Formula:
        """Return `formula` after these announcements, with the readers in `who` as agents."""
        if formula.propositional and not self._varies:
            return formula
        match formula:
            case f.Implies(left, Heard(group, heard, after)) if (
                left is heard and group and _knowers(after) <= set(group)
            ):
                return self._at(f.Announced(heard, after), who, said)
            case Heard(group, heard, after):
                content = self._at(heard, who, said)
                if is_propositional(after) and is_plain(after):
                    return after  # hearing does not change facts
                if self._unfolds and (not group or _knowers(after) <= set(group)):
                    # The rest is about the hearers only, so translate it as an announcement to all.
                    return conjunction(
                        f.Announced(truth, self._at(after, who, (*said, truth)))
                        for truth in (content, negation(content))
                    )
                name = self._hearing(content, said)
                hearers = group or [one for one in self.observed if one not in self.origin]
                readers = {agent: self._hearer(who.get(agent, agent), name) for agent in hearers}
                return self._at(after, {**who, **readers}, said)
            case Varied(every, names, operand):
                heard_before, self._unfolds = len(self.hearings), True
                inner = self._at(operand, who, said)
                if len(self.hearings) > heard_before:
                    raise Unsupported(
                        "an announcement to some agents, under Forall or Exists, before what "
                        "others know then: this has no translation here"
                    )
                for name in names:
                    both = [self._varied(inner, name, truth, ()) for truth in (True, False)]
                    inner = conjunction(both) if every else disjunction(both)
                return inner
            case f.Announced(announced, after) | f.AnnouncedTrue(announced, after):
                first = self._at(announced, who, said)
                return type(formula)(first, self._at(after, who, (*said, first)))
            case f.K(agent, operand) | f.Kw(agent, operand):
                return type(formula)(who.get(agent, agent), self._at(operand, who, said))
            case f.D(group, operand) | f.C(group, operand):
                members = [who.get(agent, agent) for agent in group]
                return type(formula)(members, self._at(operand, who, said))
        return formula.rebuild(tuple(self._at(part, who, said) for part in formula.operands))

    def _hearing(self, content: Formula, said: _Said) -> str:
        """Return the fluent that is true where the announced formula is true."""
        fact = content.operand if isinstance(content, f.Not) else content
        if isinstance(fact, Atom) and not self._varies:
            # Observing this atom is enough, unless the atom is varied and the announced truth must
            # stay.
            return fact.fluent
        if not is_propositional(content):
            content = _after(said, content)
        for hearing in self.hearings:
            # A definition in terms of facts stays true after any event.
            if hearing.formula is content and is_propositional(content):
                return hearing.name
        made = Hearing(f"heard_{len(self.hearings) + 1}", content)
        self.hearings.append(made)
        return made.name

    def _hearer(self, agent: str, heard: str) -> str:
        """Return the reader of `agent` that also observes `heard`."""
        if agent in self.origin and agent not in self._heard_by:
            name = f"{agent}_hears_{_short(heard)}"
            return self._reader(agent, name, self.observed[agent] | {heard})
        fluents = self._heard_by.get(agent, frozenset()) | {heard}
        origin = self.origin.get(agent, agent)
        name = f"{origin}_hears_{_listed(fluents)}"
        self._heard_by[name] = fluents
        return self._reader(origin, name, self.observed[origin] | fluents)

    def _without(self, agent: str, name: str) -> str:
        """Return the reader of `agent` that does not observe `name`."""
        return self._reader(agent, f"{agent}_without_{_short(name)}", self.observed[agent] - {name})

    def _reader(self, agent: str, name: str, observed: frozenset[str]) -> str:
        if name not in self.observed:
            self.observed[name] = observed
            self.origin[name] = agent
        return name

    def used(self, formulas: Iterable[Formula]) -> tuple[str, ...]:
        """Return the agents of the file, and the readers that these formulas mention."""
        known = frozenset[str]().union(*map(_knowers, formulas))
        return tuple(a for a in self.observed if a not in self.origin or a in known)

    # ---- another value at this world -------------------------------------------------------------

    def _varied(self, formula: Formula, name: str, truth: bool, said: _Said) -> Formula:
        """Return `formula` after these announcements, if `name` had this truth value here."""
        if is_propositional(formula):
            return rewrite(substitute(formula, {Atom(name): f.Constant(truth)}), folded)

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
        """Return the formula for the knowledge of an agent or group at another value of `name`."""
        operand = _after(said, operand)
        if any(name in self.observed[agent] for agent in group):
            value = Atom(name) if truth else negation(Atom(name))
            operand = f.Implies(value, operand)
            group = tuple(self._without(agent, name) for agent in group)
        return f.K(group[0], operand) if len(group) == 1 else f.D(group, operand)


def _after(said: _Said, formula: Formula) -> Formula:
    """Return the formula after these announcements."""
    for announced in reversed(said):
        formula = f.Announced(announced, formula)
    return formula


def _short(name: str) -> str:
    return name.removeprefix("heard_")


def _listed(heard: frozenset[str]) -> str:
    """Return a short list of the heard facts, unique for each set: `1_to_8`, `p3_1`."""
    facts = sorted((name for name in heard if not name.startswith("heard_")), key=_number)
    ranges: list[list[int]] = []
    for number in sorted(_number(name) for name in heard.difference(facts)):
        if ranges and ranges[-1][-1] == number - 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    listed = [
        f"{numbers[0]}_to_{numbers[-1]}" if len(numbers) > 2 else "_".join(map(str, numbers))
        for numbers in ranges
    ]
    return "_".join([*facts, *listed])


def _number(name: str) -> int:
    return int(name.removeprefix("heard_").removeprefix("p"))


def _chain(formula: Formula) -> int:
    """Return the maximum number of consecutive announcements of a truth value."""
    lengths: dict[Formula, int] = {}
    for part in modal_subformulas(formula):
        longest = [lengths.get(operand, 0) for operand in part.operands]
        if isinstance(part, Heard):
            longest[-1] += 1  # the last operand holds afterwards
        lengths[part] = max(longest, default=0)
    return lengths.get(formula, 0)


def _hears_facts(formula: Formula) -> bool:
    """Return whether agents hear only facts in a formula."""
    said = (part.said for part in modal_subformulas(formula) if isinstance(part, Heard))
    return not any(isinstance(part, f.Modal) for each in said for part in modal_subformulas(each))


def _knowers(formula: Formula) -> set[str]:
    """Return all agents that a formula mentions."""
    agents: set[str] = set()
    for part in modal_subformulas(formula):
        if isinstance(part, f.Modal):
            agents.update(part.agents)
        elif isinstance(part, Heard):
            agents.update(part.group)
    return agents
