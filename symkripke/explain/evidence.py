"""Evidence: why an answer is yes or no.

If a formula is known, its evidence is *sources*: a minimal set of constraints and observations from
which it follows. If it is not known, its evidence is a *counter-world*: a world that the agent
cannot tell from the actual one, at which it is false. All other evidence is composed of these.

Formulas are resolved, with the names of fluents as in the worlds. `Resolver.stated` gives a formula
that can be asked again: where a fluent has changed, its plain name is the first version here, but
the present one in a question.
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
        text: the fact and where it comes from, in words; for "sees", what is observed.
        kind: "law" (a constraint that is commonly known), "domain" (a fluent has one value), "seen"
            (the agent observes it), "sees" (other agents observe whether it is true) or "believed"
            (a soft constraint that the agent keeps).
        stage: after how many events it was known.
        origin: where it comes from, as data: turn, agents and kind. It has no text if the source
            stands for several constraints.
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
        """The fact and where it comes from, in words; agents by their names in formulas."""
        return self.told(" and ".join(self.observers))

    def told(self, observers: str) -> str:
        """The same, with these words for the observers."""
        if not self.observers:
            return self.text
        return f"{observers} {'sees' if len(self.observers) == 1 else 'see'} {self.text}"


class _Printed:
    """Evidence that is printed in words, in the names of its formulas; `repr` gives it as data."""

    def __str__(self) -> str:
        lines = _PlainTeller().tell(cast("Evidence", self))
        return "\n".join(f"{'  ' * line.indent}{line.text}" for line in lines)


@dataclass(frozen=True)
class _Judged(_Printed):
    formula: Formula
    truth: bool


@dataclass(frozen=True)
class Fact(_Judged):
    """A formula without knowledge in it, decided by the actual world."""


@dataclass(frozen=True)
class Known(_Printed):
    """A formula about knowledge whose operand follows from `sources`.

    Attributes:
        formula: for example `K[i] f`, or a chain of K.
        sources: a minimal set, oldest first: without any one of them it does not follow. If that is
            too hard to find (for others' knowledge, or a law about knowledge), the whole law is one
            source.
        truth: False for the negation, `M[i] ~f`.
        others: if it is about the ignorance of others, further evidence for that.
    """

    formula: Formula
    sources: tuple[Source, ...]
    truth: bool = True
    others: Others | None = None


@dataclass(frozen=True)
class Others:
    """Further evidence for knowledge of somebody's ignorance.

    The sources are facts that the knower uses. The others are taken to know the whole law and all
    that they have seen. See `symkripke.engines.sat.explain.ignorance`.

    Attributes:
        agents: the others, who do not know something.
        example: why they do not know it at the actual world, or at a possible one: worlds that they
            consider possible. None if the question is not about a world.
        exchanges: changes of a world that the others do not notice. At each world, one of them
        leads
            to a world that shows the ignorance. For each the fluents that change (of two cards,
            their places). None if they were not found.
    """

    agents: tuple[str, ...]
    example: Evidence | None
    exchanges: tuple[tuple[str, ...], ...] | None = None


@dataclass(frozen=True)
class CounterWorld:
    """A step of a chain: `agent` cannot tell this world from the one from which it is reached.

    Attributes:
        agent: the agent; several for what a group knows together.
        world: a value for every fluent.
        shows: a formula that is true there and refutes the claim; further steps show why it is
        true.
        plausible: for belief: whether it is one of the agent's most plausible worlds.
        origin: the index, from 0, of the world of the chain from which it is reached; -1 for the
            actual world; None for the one before it (for the first step, the actual world).
        reasons: evidence for what agents know there, if `shows` says that they know something.
        unexplained: formulas about what they know there for which no reason was found.
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
class Weighed(_Judged):
    """The value of a probability that a formula compares.

    Attributes:
        formula: for example `P[i](f) >= 1/2`.
        share: the probability of f for i, exactly.
    """

    share: Fraction


@dataclass(frozen=True)
class Ranged(_Judged):
    """The range of a probability at all worlds that a knower considers possible.

    Knowledge of a probability has no sources: leaving out a constraint can make a probability
    larger or smaller. The least and the greatest value decide the formula.

    Attributes:
        formula: for example `K[j] (P[i](f) >= 1/2)`.
        chance: the comparison in it.
        least: the least value of the probability at these worlds.
        most: the greatest value.
    """

    chance: f.P
    least: Fraction
    most: Fraction


@dataclass(frozen=True)
class After(_Judged):
    """Evidence for [!a] f or <!a> f.

    Attributes:
        announced: a.
        said: whether a is true, so that it can be announced.
        reason: if a is true, why f is true or false after the announcement; else why a is false.
    """

    announced: Formula
    said: bool
    reason: Evidence


@dataclass(frozen=True)
class Combined(_Judged):
    """A Boolean combination, with the evidence of the parts that decide it."""

    parts: tuple[Evidence, ...]


def own_chances(formula: Formula) -> tuple[str, Formula] | None:
    """The agent and operand of K, M or Kw about the agent's own probabilities only; else None.

    An agent's probabilities are the same at all worlds that it considers possible. So the evidence
    for `K[i] P[i](f) >= q` is that for `P[i](f) >= q`.
    """
    if not isinstance(formula, f.K | f.M | f.Kw):
        return None
    own = all(
        isinstance(leaf, f.P) and leaf.agent == formula.agent for leaf in leaves(formula.operand)
    )
    return (formula.agent, formula.operand) if own else None


def known_chance(formula: Formula, truth: bool) -> tuple[tuple[str, ...], f.P] | None:
    """The knowers, and the comparison of a probability that they know to be true or false.

    None for other formulas. The formula must have this truth.
    """
    if not isinstance(formula, (K, f.Kw, f.D) if truth else M):
        return None
    bare = formula.operand.operand if isinstance(formula.operand, Not) else formula.operand
    return (formula.agents, bare) if isinstance(bare, f.P) else None


Evidence = Fact | Known | Possible | Weighed | Ranged | After | Combined

# ---- in words ---------------------------------------------------------------------------------

# The number of exchanges is told only up to this: a larger number says little.
_COUNTED = 20


class Teller(ABC):
    """Tells evidence line by line; derived classes say how formulas and worlds are told."""

    def __init__(
        self,
        wording: Wording,
        actual: World | None,
        *,
        settled: bool | None = None,
        verbose: bool = False,
    ) -> None:
        """A teller.

        Args:
            wording: the words for formulas.
            actual: the actual world, if worlds are to be compared with it.
            settled: whether the answer is about the actual world; by default if there is one.
            verbose: whether to add remarks for experts of the method.
        """
        self.wording = wording
        self.actual = actual
        self.verbose = verbose
        self.is_real = True
        """Whether `actual` is the actual world; in an explanation it may be a counter-world."""
        self._settled = actual is not None if settled is None else settled

    @abstractmethod
    def world(self, world: World, before: World | None, fact: str = "") -> Iterator[str]:
        """A world, line by line.

        Args:
            world: the world.
            before: what it is compared with, if anything: only what is different is told.
            fact: what is so there, in words, if no other line says that: told where nothing is
                different.
        """

    def can_be_said(self, formula: Formula) -> bool:
        """Whether the reader knows all names in a formula."""
        return True

    def at(self, world: World) -> Self:
        """A teller for evidence at a counter-world."""
        return self._comparing(None if self.actual is None else world)

    def _comparing(self, world: World | None) -> Self:
        """Return a teller that compares worlds with this one, which is not the actual world."""
        there = copy(self)
        there.actual, there.is_real = world, False
        return there

    def tell(self, evidence: Evidence, indent: int = 0) -> Iterator[Line]:
        """The evidence for an answer, line by line."""
        claim = self.wording.claim(evidence.formula, evidence.truth)
        match evidence:
            case Fact():
                yield Line(indent, "claim", f"{claim}: {self._really()}")
            case Known(others=Others() as others):
                yield from self._ignorance(evidence, others, claim, indent)
            case Known(_, ()):
                yield Line(indent, "claim", f"{claim}: this is always so")
            case Known(_, (law,)) if law.kind == "law" and law.origin is NOWHERE:
                yield Line(indent, "claim", f"{claim}. This follows from {law.words}")
            case Known(_, sources):
                each = self.sources(sources)
                few = "One fact proves" if len(each) == 1 else f"These {len(each)} facts prove"
                yield Line(indent, "claim", f"{claim}. {few} it:")
                yield from _numbered(each, indent + 1)
            case Possible(_, _, worlds):
                yield from self._possibilities(evidence.formula, worlds, claim, indent)
            case Weighed(_, _, share):
                yield Line(indent, "claim", f"{claim}: it is {in_percent(share)}")
            case Ranged():
                yield Line(indent, "claim", f"{claim}: {self._range(evidence)}")
            case After():
                yield from self._after(evidence, indent)
            case Combined():
                yield from self._parts(evidence, claim, indent)

    def _really(self) -> str:
        return "that is really so" if self.is_real else "that is so in that case"

    def _claim(self, evidence: Evidence) -> str:
        return self.wording.claim(evidence.formula, evidence.truth)

    def _range(self, evidence: Ranged) -> str:
        """The range of a probability at all worlds that the knower considers possible."""
        told = in_percent(evidence.least)
        if evidence.least != evidence.most:
            told = f"from {told} to {in_percent(evidence.most)}"
        known = known_chance(evidence.formula, evidence.truth)
        if known is None:
            chance = evidence.chance
            words = self.wording.probability(chance.agent, chance.operand, chance.given)
            return f"{words} is {told} in every case"
        consider = "consider" if len(known[0]) > 1 else "considers"
        who = self.wording.who(known[0])
        return f"the probability is {told} in every case that {who} {consider} possible"

    def _after(self, evidence: After, indent: int) -> Iterator[Line]:
        """An announcement and the evidence after it, or why it cannot be made."""
        said = self.wording.that(evidence.announced)
        told = f"after the announcement {said}"
        if not evidence.said:
            every = "; [!a] f counts as true if a is false" if evidence.truth else ""
            told = f"it cannot be announced {said}, because that is false{every}"
            if isinstance(evidence.reason, Fact):
                yield Line(indent, "claim", told)
                return
        yield Line(indent, "claim", f"{told}:")
        yield from self.tell(evidence.reason, indent + 1)

    def _parts(self, evidence: Combined, claim: str, indent: int) -> Iterator[Line]:
        """A Boolean combination, by the parts that decide it."""
        parts = evidence.parts
        if len(parts) == 1 and self._claim(parts[0]) == claim:
            yield from self.tell(parts[0], indent)
            return
        yield Line(indent, "claim", f"{claim}{_because(evidence)}:" if parts else claim)
        both = isinstance(evidence.formula, f.Kw) and len(parts) > 1
        teller = self
        for part in parts:
            told = _as_possible(part) if both else part
            yield from teller.tell(told, indent + 1)
            if self.actual is None and not self._settled and isinstance(told, Possible):
                teller = self._comparing(told.worlds[0].world)

    # ---- sources ------------------------------------------------------------------------------

    def sources(self, sources: Sequence[Source]) -> list[str]:
        """Sources in words, each once."""
        each = Counter(self._in_words(source) for source in sources)
        return [
            f"{told} (used {times} times)" if times > 1 else told for told, times in each.items()
        ]

    def _in_words(self, source: Source) -> str:
        """A source in words, with the titles of agents."""
        rests = source.kind == "law" and source.stage > 0 and not is_propositional(source.formula)
        if self.verbose and rests:
            return f"{source.words} (it rests on all that was commonly known then)"
        return source.told(self.wording.who(source.observers))

    def _ignorance(
        self, evidence: Known, others: Others, claim: str, indent: int
    ) -> Iterator[Line]:
        """The evidence for knowledge of others' ignorance."""
        facts = self.sources(evidence.sources)
        who = self.wording.who(others.agents) if len(others.agents) < 3 else "the others"
        why, given = ". This is so in every possible case", ""
        if facts:
            one = len(facts) == 1
            why = f", because of {'one fact' if one else f'these {len(facts)} facts'}"
            given = f"given {'this' if one else 'these'}, "
        yield Line(indent, "claim", f"{claim}{why}:")
        yield from _numbered(facts, indent + 1)
        have = "has" if len(others.agents) == 1 else "have"
        told = f"{given}what {who} {have} seen and heard so far does not settle it"
        yield Line(indent + 1, "note", f"{told}{self._exchanges(others, who)}")
        if others.example is not None:
            real = self._settled and self.is_real
            yield Line(indent + 1, "note", "as things really are:" if real else "for example:")
            yield from self.tell(others.example, indent + 2)

    def _exchanges(self, others: Others, who: str) -> str:
        """The changes that others would not notice; for a single swap, its cards."""
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
            for told in self.world(step.world, before, fact):
                yield Line(here + 1, "world", told)
            yield from self._further(step, here + 1)
        if isinstance(formula, f.Kw) and len(worlds) == 1 and (self._settled or not self.is_real):
            opposite = self.wording.claim(worlds[0].shows, False)
            yield Line(indent + 1, "note", f"{opposite}: {self._really()}")

    def _considered(self, step: CounterWorld) -> str:
        """That somebody considers a world possible; or that it is possible, for all that is law."""
        who = self.wording.who(step.agent)
        return f"{who} considers this possible" if who else "this is possible"

    def _fact(self, formula: Formula, worlds: Sequence[CounterWorld]) -> str:
        """What the only world shows, in words, if there are words and no reason says it."""
        if len(worlds) > 1 or worlds[0].reasons:
            return ""
        bare = formula.operand if isinstance(formula, Not) else formula
        if not isinstance(bare, K | M):
            return ""
        return self.wording.sentence(bare.operand, isinstance(bare, M)) or ""

    def _further(self, step: CounterWorld, indent: int) -> Iterator[Line]:
        """Why agents know something at that world, if the world shows that they do."""
        if not (step.reasons or step.unexplained):
            return
        there = self.at(step.world)
        yield Line(indent, "note", "in that case:")
        for reason in step.reasons:
            yield from there.tell(reason, indent + 1)
        for formula in step.unexplained:
            claim = self.wording.claim(formula, True)
            yield Line(indent + 1, "claim", f"{claim} (no reason was found within the limits)")

    def _reached(self, step: CounterWorld) -> str:
        """The words before what a world of a chain shows: "Green considers it possible"."""
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
    """Whether the claim says already who considers the step possible, and what it shows."""
    bare = formula.operand if isinstance(formula, Not) else formula
    if not isinstance(bare, K | M) or step.agent != (bare.agent,) or step.plausible:
        return False
    shown = negation(bare.operand) if isinstance(bare, K) else bare.operand
    return negation_normal_form(step.shows) is negation_normal_form(shown)


def _because(evidence: Combined) -> str:
    """Why the parts prove the claim, if that is not obvious."""
    match evidence.formula, evidence.parts:
        case (K(_, M(_, fact)), (part,)) if part.formula is K(evidence.formula.agent, fact):
            return ", because everybody considers possible what is true"
        case (K(_, Not(K(_, fact))) | M(_, K(_, fact)), (part,)) if isinstance(
            part.formula, K
        ) and part.formula.operand is negation(fact):
            return ", because nobody can know what is false"
    return ""


def _as_possible(part: Evidence) -> Evidence:
    """Evidence that K is false as evidence that M is true: "considers it possible that"."""
    match part:
        case Possible(K(agent, operand), False, worlds):
            return Possible(M(agent, negation(operand)), True, worlds)
    return part


class _PlainTeller(Teller):
    """Tells evidence by the names in formulas alone."""

    def __init__(self) -> None:
        wording = Wording(lambda atom, truth: str(atom if truth else negation(atom)))
        super().__init__(wording, None, settled=True)

    def world(self, world: World, before: World | None, fact: str = "") -> Iterator[str]:
        """See `Teller.world`: the value of every fluent, or of those that are different."""
        new = [f"{n} = {value}" for n, value in world.items() if not before or before[n] != value]
        yield ", ".join(new) or fact
