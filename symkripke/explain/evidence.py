"""Evidence for the truth or falsity of formulas.

If a formula is known, its evidence is *sources*: a minimal set of constraints and observations from
which it follows. If it is not known, its evidence is a *counter-world*: a world at which it is
false, and which the agent cannot tell from the actual world. All other evidence is composed of
these two kinds.

Formulas are resolved, with the names of fluents as in the worlds. `Resolver.stated` returns a
formula that can be asked again. If a fluent has changed, its plain name means the first version
here, but the current version in a question.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from fractions import Fraction
from typing import Self, cast

from symkripke.explain.phrases import Wording
from symkripke.explain.text import Line, in_percent, listed
from symkripke.language import Formula, K, M, Not, negation
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional, leaves, negation_normal_form
from symkripke.model import Origin, World
from symkripke.model.origin import NOWHERE
from symkripke.records import dataclass


@dataclass(frozen=True)
class Source:
    """A fact from which a conclusion follows: a constraint, an observation or a soft constraint.

    Attributes:
        formula: the fact.
        text: the fact and its origin, in words; for "sees", the observed fact.
        kind: "law" (a commonly known constraint), "domain" (a fluent has one value), "seen" (the
            agent observes it), "sees" (other agents observe whether it is true) or "believed" (a
            soft constraint that the agent keeps).
        stage: the number of events after which it was known.
        origin: its origin as data: turn, agents and kind. It has no text if the source combines
            several constraints.
        observers: for "sees", the agents that observe it.
    """

    formula: Formula
    text: str
    kind: str
    stage: int
    origin: Origin = NOWHERE
    observers: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The fact and its origin, in words, with the names of agents in formulas."""
        return self.in_words(" and ".join(self.observers))

    def in_words(self, observers: str) -> str:
        """Return the fact and its origin in words, with these words for the observers."""
        if not self.observers:
            return self.text
        return f"{observers} {'sees' if len(self.observers) == 1 else 'see'} {self.text}"


class _Printed:
    """Evidence whose `str` is in words, with the names in its formulas; its `repr` is data."""

    def __str__(self) -> str:
        lines = _PlainTeller().tell(cast("Evidence", self))
        return "\n".join(f"{'  ' * line.indent}{line.text}" for line in lines)


@dataclass(frozen=True)
class _Judged(_Printed):
    formula: Formula
    truth: bool


@dataclass(frozen=True)
class Fact(_Judged):
    """A propositional formula, decided by the actual world."""


@dataclass(frozen=True)
class Known(_Printed):
    """A formula about knowledge whose operand follows from `sources`.

    Attributes:
        formula: for example `K[i] f`, or a chain of K.
        sources: a minimal set, oldest first: the operand does not follow if any source is omitted.
            If such a set is too hard to find (for others' knowledge, or a law about knowledge), the
            whole law is one source.
        truth: False for the negation, `M[i] ~f`.
        others: further evidence, if the formula is about the ignorance of others.
    """

    formula: Formula
    sources: tuple[Source, ...]
    truth: bool = True
    others: IgnoranceOfOthers | None = None


@dataclass(frozen=True)
class IgnoranceOfOthers:
    """Further evidence for knowledge of others' ignorance.

    The sources are facts that the knower uses. The others are assumed to know the whole law and
    their own observations. See `symkripke.engines.sat.explain.ignorance`.

    Attributes:
        agents: the others, who do not know something.
        example: evidence for their ignorance at the actual world, or at a possible world: worlds
            that they consider possible. None if the question is not about a world.
        exchanges: changes of a world that the others do not notice. At each world, one of them
            leads to a world that shows the ignorance. For each, the fluents that change (for two
            cards, their places). None if they are unknown.
    """

    agents: tuple[str, ...]
    example: Evidence | None
    exchanges: tuple[tuple[str, ...], ...] | None = None


@dataclass(frozen=True)
class CounterWorld:
    """A step of a chain to a world that `agent` cannot tell from the previous world.

    Attributes:
        agent: the agent; several for distributed knowledge of a group.
        world: a value for every fluent.
        shows: a formula that is true there and refutes the claim; further steps show why it is
            true.
        plausible: for belief, whether it is one of the agent's most plausible worlds.
        origin: the index, from 0, of the world of the chain from which it is reached; -1 for the
            actual world; None for the world before it (for the first step, the actual world).
        reasons: evidence for knowledge of agents there, if `shows` states such knowledge.
        unexplained: formulas about their knowledge there for which no reason is known.
    """

    agent: tuple[str, ...]
    world: World
    shows: Formula
    plausible: bool = False
    origin: int | None = None
    reasons: tuple[Evidence, ...] = ()
    unexplained: tuple[Formula, ...] = ()


@dataclass(frozen=True)
class Possible(_Judged):
    """Worlds that show that `M[i] f` is true, or that `K[i] f` or `B[i] f` is false.

    There is one world for each operator.
    """

    worlds: tuple[CounterWorld, ...]


@dataclass(frozen=True)
class ProbabilityValue(_Judged):
    """The value of a probability that a formula compares with a bound.

    Attributes:
        formula: for example `P[i](f) >= 1/2`.
        share: the probability of f for i, exactly.
    """

    share: Fraction


@dataclass(frozen=True)
class ProbabilityRange(_Judged):
    """The range of a probability over all worlds that an agent considers possible.

    Knowledge of a probability has no sources, because a constraint can make a probability larger or
    smaller. The least and the greatest value decide the formula.

    Attributes:
        formula: for example `K[j] (P[i](f) >= 1/2)`.
        chance: the comparison in the formula.
        least: the least value of the probability at these worlds.
        most: the greatest value at these worlds.
    """

    chance: f.P
    least: Fraction
    most: Fraction


@dataclass(frozen=True)
class AfterAnnouncement(_Judged):
    """Evidence for [!a] f or <!a> f.

    Attributes:
        announced: a.
        said: whether a is true, so that it can be announced.
        reason: evidence for f after the announcement if a is true; else evidence that a is false.
    """

    announced: Formula
    said: bool
    reason: Evidence


@dataclass(frozen=True)
class Combined(_Judged):
    """A Boolean combination, with the evidence of the parts that decide it."""

    parts: tuple[Evidence, ...]


def own_chances(formula: Formula) -> tuple[str, Formula] | None:
    """Return the agent and operand of K, M or Kw about its own probabilities; else None.

    An agent's probabilities are the same at all worlds that it considers possible. So the evidence
    for `K[i] P[i](f) >= q` is the evidence for `P[i](f) >= q`.
    """
    if not isinstance(formula, f.K | f.M | f.Kw):
        return None
    own = all(
        isinstance(leaf, f.P) and leaf.agent == formula.agent for leaf in leaves(formula.operand)
    )
    return (formula.agent, formula.operand) if own else None


def known_chance(formula: Formula, truth: bool) -> tuple[tuple[str, ...], f.P] | None:
    """Return the agents, and the comparison of a probability whose truth they know; else None.

    The formula must have the given truth value.
    """
    if not isinstance(formula, (K, f.Kw, f.D) if truth else M):
        return None
    bare = formula.operand.operand if isinstance(formula.operand, Not) else formula.operand
    return (formula.agents, bare) if isinstance(bare, f.P) else None


Evidence = (
    Fact | Known | Possible | ProbabilityValue | ProbabilityRange | AfterAnnouncement | Combined
)

# ---- in words ---------------------------------------------------------------------------------

# The maximum number of exchanges to state: a larger number says little.
_COUNTED = 20


class Teller(ABC):
    """A renderer of evidence, line by line; subclasses render formulas and worlds."""

    def __init__(
        self,
        wording: Wording,
        actual: World | None,
        *,
        settled: bool | None = None,
        verbose: bool = False,
    ) -> None:
        """Create a teller.

        Args:
            wording: the words for formulas.
            actual: the actual world, if worlds are to be compared with it.
            settled: whether the answer is about the actual world; by default, whether there is one.
            verbose: whether to add remarks about the method.
        """
        self.wording = wording
        self.actual = actual
        self.verbose = verbose
        self.is_real = True
        """True if `actual` is the actual world, and not a counter-world in an explanation."""
        self._settled = actual is not None if settled is None else settled

    @abstractmethod
    def world(self, world: World, before: World | None, fact: str = "") -> Iterator[str]:
        """Yield the lines of a world.

        Args:
            world: the world.
            before: a world to compare it with, to show only the differences.
            fact: a fact of the world in words, to show if there are no differences.
        """

    def can_be_said(self, formula: Formula) -> bool:
        """Return whether the reader knows all names in a formula."""
        return True

    def at(self, world: World) -> Self:
        """Return a teller for evidence at a counter-world."""
        return self._comparing(None if self.actual is None else world)

    def _comparing(self, world: World | None) -> Self:
        """Return a teller that compares worlds with this one, which is not the actual world."""
        there = copy(self)
        there.actual, there.is_real = world, False
        return there

    def tell(self, evidence: Evidence, indent: int = 0) -> Iterator[Line]:
        """Yield the lines of the evidence for an answer."""
        claim = self.wording.claim(evidence.formula, evidence.truth)
        match evidence:
            case Fact():
                yield Line(indent, "claim", f"{claim}: {self._really()}")
            case Known(others=IgnoranceOfOthers() as others):
                yield from self._ignorance(evidence, others, claim, indent)
            case Known(_, ()):
                yield Line(indent, "claim", f"{claim}: this is always true")
            case Known(_, (law,)) if law.kind == "law" and law.origin is NOWHERE:
                yield Line(indent, "claim", f"{claim}. This follows from {law.words}")
            case Known(_, sources):
                each = self.sources(sources)
                few = "One fact proves" if len(each) == 1 else f"These {len(each)} facts prove"
                yield Line(indent, "claim", f"{claim}. {few} it:")
                yield from _numbered(each, indent + 1)
            case Possible(_, _, worlds):
                yield from self._possibilities(evidence.formula, worlds, claim, indent)
            case ProbabilityValue(_, _, share):
                yield Line(indent, "claim", f"{claim}: it is {in_percent(share)}")
            case ProbabilityRange():
                yield Line(indent, "claim", f"{claim}: {self._range(evidence)}")
            case AfterAnnouncement():
                yield from self._after(evidence, indent)
            case Combined():
                yield from self._parts(evidence, claim, indent)

    def _really(self) -> str:
        return "this is the case" if self.is_real else "this is true in that case"

    def _claim(self, evidence: Evidence) -> str:
        return self.wording.claim(evidence.formula, evidence.truth)

    def _range(self, evidence: ProbabilityRange) -> str:
        """Return the range of a probability over the worlds that the agent considers possible."""
        values = in_percent(evidence.least)
        if evidence.least != evidence.most:
            values = f"from {values} to {in_percent(evidence.most)}"
        known = known_chance(evidence.formula, evidence.truth)
        if known is None:
            chance = evidence.chance
            words = self.wording.probability(chance.agent, chance.operand, chance.given)
            return f"{words} is {values} in every case"
        consider = "consider" if len(known[0]) > 1 else "considers"
        who = self.wording.who(known[0])
        return f"the probability is {values} in every case that {who} {consider} possible"

    def _after(self, evidence: AfterAnnouncement, indent: int) -> Iterator[Line]:
        """Yield the lines of evidence after an announcement, or the reason it cannot be made."""
        announced = self.wording.that(evidence.announced)
        claim = f"after the announcement {announced}"
        if not evidence.said:
            every = "; [!a] f counts as true if a is false" if evidence.truth else ""
            claim = f"it cannot be announced {announced}, because that is false{every}"
            if isinstance(evidence.reason, Fact):
                yield Line(indent, "claim", claim)
                return
        yield Line(indent, "claim", f"{claim}:")
        yield from self.tell(evidence.reason, indent + 1)

    def _parts(self, evidence: Combined, claim: str, indent: int) -> Iterator[Line]:
        """Yield the lines of a Boolean combination, by the parts that decide it."""
        parts = evidence.parts
        if len(parts) == 1 and self._claim(parts[0]) == claim:
            yield from self.tell(parts[0], indent)
            return
        yield Line(indent, "claim", f"{claim}{_because(evidence)}:" if parts else claim)
        both = isinstance(evidence.formula, f.Kw) and len(parts) > 1
        teller = self
        for part in parts:
            shown = _as_possible(part) if both else part
            yield from teller.tell(shown, indent + 1)
            if self.actual is None and not self._settled and isinstance(shown, Possible):
                teller = self._comparing(shown.worlds[0].world)

    # ---- sources ------------------------------------------------------------------------------

    def sources(self, sources: Sequence[Source]) -> list[str]:
        """Return the sources in words, without duplicates."""
        each = Counter(self._in_words(source) for source in sources)
        return [
            f"{words} (used {times} times)" if times > 1 else words for words, times in each.items()
        ]

    def _in_words(self, source: Source) -> str:
        """Return a source in words, with the titles of agents."""
        rests = source.kind == "law" and source.stage > 0 and not is_propositional(source.formula)
        if self.verbose and rests:
            return f"{source.words} (it depends on everything that was common knowledge then)"
        return source.in_words(self.wording.who(source.observers))

    def _ignorance(
        self, evidence: Known, others: IgnoranceOfOthers, claim: str, indent: int
    ) -> Iterator[Line]:
        """Yield the lines of the evidence for knowledge of others' ignorance."""
        facts = self.sources(evidence.sources)
        who = self.wording.who(others.agents) if len(others.agents) < 3 else "the others"
        why, given = ". This is true in every possible case", ""
        if facts:
            one = len(facts) == 1
            why = f", because of {'one fact' if one else f'these {len(facts)} facts'}"
            given = f"given {'this' if one else 'these'}, "
        yield Line(indent, "claim", f"{claim}{why}:")
        yield from _numbered(facts, indent + 1)
        have = "has" if len(others.agents) == 1 else "have"
        words = f"{given}what {who} {have} seen and heard so far does not settle it"
        yield Line(indent + 1, "note", f"{words}{self._exchanges(others, who)}")
        if others.example is not None:
            real = self._settled and self.is_real
            yield Line(indent + 1, "note", "in the actual case:" if real else "for example:")
            yield from self.tell(others.example, indent + 2)

    def _exchanges(self, others: IgnoranceOfOthers, who: str) -> str:
        """Return a clause about changes that others would not notice, with the cards of a swap."""
        exchanges = others.exchanges
        if not exchanges or len(exchanges) > _COUNTED:
            return ""
        swaps = all(len(names) > 1 for names in exchanges)
        kind = "swap" if swaps else "change"
        if len(exchanges) > 1:
            several = f"{len(exchanges)} {kind}s are enough for all cases"
            return f"; in every case there is a {kind} that {who} would not notice ({several})"
        names = [self.wording.things.get(name, "") for name in exchanges[0]]
        if not swaps or not all(names):
            return f"; there is a {kind} that {who} would not notice in any case"
        return f"; {who} would not notice a swap of {listed(names)}"

    # ---- worlds -------------------------------------------------------------------------------

    def _possibilities(
        self, formula: Formula, worlds: Sequence[CounterWorld], claim: str, indent: int
    ) -> Iterator[Line]:
        starts = sum(step.origin == -1 or not number for number, step in enumerate(worlds))
        plain = starts == 1 and (
            _is_plain(formula, worlds[0]) or not self.can_be_said(worlds[0].shows)
        )
        if not plain:
            yield Line(indent, "claim", f"{claim}, because:")
        elif isinstance(formula, M):
            yield Line(indent, "claim", f"{claim}:")
        else:
            yield Line(indent, "claim", f"{claim}, because {self._considered(worlds[0])}:")
        depth: list[int] = []
        for number, step in enumerate(worlds):
            origin = number - 1 if step.origin is None else step.origin
            depth.append(0 if origin < 0 else depth[origin] + 1)
            here = indent + depth[-1] + (not plain)
            if origin >= 0 or not plain:
                case = "in that case, " if origin >= 0 else ""
                shows = f"{self._reached(step)} {self.wording.that(step.shows)}"
                if not self.can_be_said(step.shows):
                    shows = self._considered(step)
                yield Line(here, "source", f"{case}{shows}:")
            before = self.actual if origin < 0 else worlds[origin].world
            fact = "" if origin >= 0 or not plain else self._fact(formula, worlds)
            for words in self.world(step.world, before, fact):
                yield Line(here + 1, "world", words)
            yield from self._further(step, here + 1)
        if isinstance(formula, f.Kw) and len(worlds) == 1 and (self._settled or not self.is_real):
            opposite = self.wording.claim(worlds[0].shows, False)
            yield Line(indent + 1, "note", f"{opposite}: {self._really()}")

    def _considered(self, step: CounterWorld) -> str:
        """Return the clause "AGENT considers this possible", or "this is possible"."""
        who = self.wording.who(step.agent)
        return f"{who} considers this possible" if who else "this is possible"

    def _fact(self, formula: Formula, worlds: Sequence[CounterWorld]) -> str:
        """Return the fact that the only world shows, in words; empty if another line states it."""
        if len(worlds) > 1 or worlds[0].reasons:
            return ""
        bare = formula.operand if isinstance(formula, Not) else formula
        if not isinstance(bare, K | M):
            return ""
        return self.wording.sentence(bare.operand, isinstance(bare, M)) or ""

    def _further(self, step: CounterWorld, indent: int) -> Iterator[Line]:
        """Yield the reasons for the knowledge of agents at a world, if the world shows it."""
        if not (step.reasons or step.unexplained):
            return
        there = self.at(step.world)
        yield Line(indent, "note", "in that case:")
        for reason in step.reasons:
            yield from there.tell(reason, indent + 1)
        for formula in step.unexplained:
            claim = self.wording.claim(formula, True)
            yield Line(indent + 1, "claim", f"{claim} (the search for a reason reached a limit)")

    def _reached(self, step: CounterWorld) -> str:
        """Return the words before the fact shown by a world: "Green considers it possible"."""
        who, several = self.wording.who(step.agent), len(step.agent) > 1
        if not who:
            return "it is possible"
        if step.plausible:
            find = "together find" if several else "finds"
            return f"in one of the cases that {who} {find} most plausible, it is true"
        return f"{who} {'together consider' if several else 'considers'} it possible"


def _numbered(facts: Sequence[str], indent: int) -> Iterator[Line]:
    for number, words in enumerate(facts, 1):
        yield Line(indent, "source", f"{number}. {words}")


def _is_plain(formula: Formula, step: CounterWorld) -> bool:
    """Return whether the claim already states the agent and the fact of the step."""
    bare = formula.operand if isinstance(formula, Not) else formula
    if not isinstance(bare, K | M) or step.agent != (bare.agent,) or step.plausible:
        return False
    shown = negation(bare.operand) if isinstance(bare, K) else bare.operand
    return negation_normal_form(step.shows) is negation_normal_form(shown)


def _because(evidence: Combined) -> str:
    """Return a clause about why the parts prove the claim, if that is not obvious."""
    match evidence.formula, evidence.parts:
        case (K(_, M(_, fact)), (part,)) if part.formula is K(evidence.formula.agent, fact):
            return ", because everybody considers possible what is true"
        case (K(_, Not(K(_, fact))) | M(_, K(_, fact)), (part,)) if isinstance(
            part.formula, K
        ) and part.formula.operand is negation(fact):
            return ", because nobody can know what is false"
    return ""


def _as_possible(part: Evidence) -> Evidence:
    """Return evidence against K as evidence for M: "considers it possible that"."""
    match part:
        case Possible(K(agent, operand), False, worlds):
            return Possible(M(agent, negation(operand)), True, worlds)
    return part


class _PlainTeller(Teller):
    """A teller that uses only the names in formulas."""

    def __init__(self) -> None:
        wording = Wording(lambda atom, truth: str(atom if truth else negation(atom)))
        super().__init__(wording, None, settled=True)

    def world(self, world: World, before: World | None, fact: str = "") -> Iterator[str]:
        """Yield the values of all fluents, or only of those that differ: see `Teller.world`."""
        new = [f"{n} = {value}" for n, value in world.items() if not before or before[n] != value]
        yield ", ".join(new) or fact
