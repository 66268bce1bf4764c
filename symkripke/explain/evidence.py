"""Why an answer is what it is.

What is known has *sources*: a minimal set of constraints and observations from which it
follows. What is not known has a *counter-world*: one that the agent cannot tell from the
actual one, at which it is false. Everything else is put together from these.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symkripke.language import Formula
from symkripke.language import formulas as f
from symkripke.language.walk import leaves
from symkripke.model import Origin, World
from symkripke.model.origin import NOWHERE


@dataclass(frozen=True)
class Source:
    """One thing that a conclusion rests on.

    Attributes:
        formula: what it says.
        text: what it is and where it comes from, as people say it; of "sees", what is observed.
        kind: "law" (commonly known), "domain" (a fluent has one value), "seen" (observed by the
            agent), "sees" (that another agent, or each of several, observes something, whatever
            it sees) or "believed" (a soft constraint that it keeps).
        stage: after how many events it was known.
        origin: where it comes from, as data: turn, agents and kind. Without a text if it is put
            together from several.
        observers: of "sees", who observes it.
    """

    formula: Formula
    text: str
    kind: str
    stage: int
    origin: Origin = NOWHERE
    observers: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """What it is and where it comes from, in a sentence; agents by their own names."""
        return self.told(" and ".join(self.observers))

    def told(self, observers: str) -> str:
        """The same with the observers called as is said."""
        if not self.observers:
            return self.text
        return f"{observers} {'sees' if len(self.observers) == 1 else 'see'} {self.text}"


@dataclass(frozen=True)
class Fact:
    """A formula without knowledge in it, decided by the actual world."""

    formula: Formula
    truth: bool


@dataclass(frozen=True)
class Known:
    """`formula` is true, because what it says is known follows from `sources`.

    Attributes:
        formula: for example `K[i] f`, or a chain of K.
        sources: minimal: without any one of them it does not follow. Oldest first. Where others'
            knowledge or a law that speaks about knowledge makes that too hard, all of the law is
            one source.
        others: if it speaks of what others do not know, what it rests on beside the sources.
    """

    formula: Formula
    sources: tuple[Source, ...]
    truth: bool = True
    others: Others | None = None


@dataclass(frozen=True)
class Others:
    """What a conclusion rests on beside its sources: that others know no more than they do.

    For knowledge of what somebody does not know. Its sources are those of the one who knows that;
    what others have to go by is left whole. See `symkripke.engines.sat.explain.ignorance`.

    Attributes:
        agents: the others.
        example: why it is so as things are, or as they may be: worlds that others consider
            possible. None if the question is about no world in particular.
        exchanges: changes of a world that others do not notice, one of which, in every case, leads
            to a world that shows it: for each the fluents that change (of two cards, their places).
            None if they were not found.
    """

    agents: tuple[str, ...]
    example: Evidence | None
    exchanges: tuple[tuple[str, ...], ...] | None = None


@dataclass(frozen=True)
class CounterWorld:
    """One step of a chain: `agent` cannot tell this world from the one it is reached from.

    For a belief: and finds none of those more plausible.

    Attributes:
        agent: who (several for the pooled knowledge of a group).
        world: a value for every fluent.
        shows: what is true there, and refutes the claim: the rest of the chain speaks of it.
        plausible: whether it is one of the most plausible worlds.
        origin: from which world of the chain (counted from 0) it is reached; -1: from the actual
            world; None: from the one before it, the first one from the actual world.
        reasons: why agents know there what `shows` says that they know, if that was looked for.
        unexplained: what they know there without a reason that was found.
    """

    agent: tuple[str, ...]
    world: World
    shows: Formula
    plausible: bool = False
    origin: int | None = None
    reasons: tuple[Evidence, ...] = ()
    unexplained: tuple[Formula, ...] = ()


@dataclass(frozen=True)
class Possible:
    """`formula` has this truth because worlds of this kind are possible.

    For `M[i] f` being true and for `K[i] f` or `B[i] f` being false; one world an operator.
    """

    formula: Formula
    truth: bool
    worlds: tuple[CounterWorld, ...]


@dataclass(frozen=True)
class Weighed:
    """A comparison of a probability: what the probability is.

    Attributes:
        formula: for example `P[i](f) >= 1/2`.
        share: how probable f is to i, exactly.
    """

    formula: Formula
    truth: bool
    share: Fraction


@dataclass(frozen=True)
class Ranged:
    """What others know of a probability: what it is at all worlds that they consider possible.

    Such knowledge has no sources: to leave out what is commonly known changes probabilities either
    way. The least and the most that it may be decide it.

    Attributes:
        formula: for example `K[j] (P[i](f) >= 1/2)`.
        chance: the comparison in it.
        least: the least that the probability is at one of these worlds.
        most: the most.
    """

    formula: Formula
    truth: bool
    chance: f.P
    least: Fraction
    most: Fraction


@dataclass(frozen=True)
class After:
    """An announcement and what is so after it, [!a] f or <!a> f.

    Attributes:
        announced: a.
        said: whether a is true, so that it can be announced.
        reason: why f has its truth after it, of the situation as it is then; or, if a is not true,
            why not.
    """

    formula: Formula
    truth: bool
    announced: Formula
    said: bool
    reason: Evidence


@dataclass(frozen=True)
class Combined:
    """A Boolean combination, with the evidence of the parts that decide it."""

    formula: Formula
    truth: bool
    parts: tuple[Evidence, ...]


def own_chances(formula: Formula) -> tuple[str, Formula] | None:
    """Who knows or considers possible what, if it compares probabilities of the knower alone.

    These are the same at all worlds that it considers possible: `K[i] P[i](f) >= q` needs no
    more evidence than `P[i](f) >= q`.
    """
    if not isinstance(formula, f.K | f.M | f.Kw):
        return None
    own = all(
        isinstance(leaf, f.P) and leaf.agent == formula.agent for leaf in leaves(formula.operand)
    )
    return (formula.agent, formula.operand) if own else None


def known_chance(formula: Formula, truth: bool) -> tuple[tuple[str, ...], f.P] | None:
    """Who knows a comparison of a probability or its negation, and which; None if nobody does.

    The formula must have this truth.
    """
    match formula:
        case f.K(agent, operand) | f.Kw(agent, operand) if truth:
            group: tuple[str, ...] = (agent,)
        case f.M(agent, operand) if not truth:
            group = (agent,)
        case f.D(group, operand) if truth:
            pass
        case _:
            return None
    bare = operand.operand if isinstance(operand, f.Not) else operand
    return (group, bare) if isinstance(bare, f.P) else None


Evidence = Fact | Known | Possible | Weighed | Ranged | After | Combined
