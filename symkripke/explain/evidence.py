"""Evidence: why an answer is yes or no.

If a formula is known, its evidence is *sources*: a minimal set of constraints and observations from
which it follows. If it is not known, its evidence is a *counter-world*: a world that the agent
cannot tell from the actual one, at which it is false. All other evidence is composed of these.
"""

from __future__ import annotations

from fractions import Fraction
from typing import cast

from symkripke.language import Formula
from symkripke.language import formulas as f
from symkripke.language.walk import leaves
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
    """Evidence that is printed in words; `repr` gives it as data."""

    def __str__(self) -> str:
        from symkripke.explain.text import in_words  # it tells evidence

        return in_words(cast("Evidence", self))


@dataclass(frozen=True)
class Fact(_Printed):
    """A formula without knowledge in it, decided by the actual world."""

    formula: Formula
    truth: bool


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
class Possible(_Printed):
    """Worlds that show that `M[i] f` is true, or that `K[i] f` or `B[i] f` is false.

    There is one world for each operator.
    """

    formula: Formula
    truth: bool
    worlds: tuple[CounterWorld, ...]


@dataclass(frozen=True)
class Weighed(_Printed):
    """The value of a probability that a formula compares.

    Attributes:
        formula: for example `P[i](f) >= 1/2`.
        share: the probability of f for i, exactly.
    """

    formula: Formula
    truth: bool
    share: Fraction


@dataclass(frozen=True)
class Ranged(_Printed):
    """The range of a probability at all worlds that a knower considers possible.

    Knowledge of a probability has no sources: leaving out a constraint can make a probability
    larger or smaller. The least and the greatest value decide the formula.

    Attributes:
        formula: for example `K[j] (P[i](f) >= 1/2)`.
        chance: the comparison in it.
        least: the least value of the probability at these worlds.
        most: the greatest value.
    """

    formula: Formula
    truth: bool
    chance: f.P
    least: Fraction
    most: Fraction


@dataclass(frozen=True)
class After(_Printed):
    """Evidence for [!a] f or <!a> f.

    Attributes:
        announced: a.
        said: whether a is true, so that it can be announced.
        reason: if a is true, why f is true or false after the announcement; else why a is false.
    """

    formula: Formula
    truth: bool
    announced: Formula
    said: bool
    reason: Evidence


@dataclass(frozen=True)
class Combined(_Printed):
    """A Boolean combination, with the evidence of the parts that decide it."""

    formula: Formula
    truth: bool
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
