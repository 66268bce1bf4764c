"""The walk through a formula that explains its truth, for all engines.

An `Explainer` takes a formula apart until an engine has a reason for a part:

* A formula that is not known has a *counter-world*, or a chain of them, which the engine provides
  (`shown`).
* Knowledge, common knowledge and belief have *sources*, which the engine finds (`known`, `common`,
  `believed`).
* Everything else is decided by its parts. An agent that knows a conjunction knows its parts; an
  agent that knows whether f knows f or knows ~f.

`WorldExplainer` is for engines that list the worlds or represent them by a diagram. Both kinds of
engines find chains of worlds in the same way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Generic, TypeVar

from symkripke.errors import Unsupported
from symkripke.explain.evidence import (
    Combined,
    CounterWorld,
    Evidence,
    Fact,
    Possible,
    ProbabilityRange,
    ProbabilityValue,
    known_chance,
    own_chances,
)
from symkripke.language import Formula, negation
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional, leaves
from symkripke.model import KnowledgeStructure, World
from symkripke.records import dataclass

Place = TypeVar("Place")
"""The actual world, or all worlds that an agent considers possible, in the form that the engine
uses."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The question why `operand` is, or is not, true at all worlds that agents consider possible.

    Attributes:
        agents: one agent; a group, with all observations of its members; or nobody, for all worlds.
        operand: the formula that they know or do not know.
        formula: the formula to be explained, for example K[i] of the operand.
        dual: whether `formula` is true if `operand` is false at one of these worlds.
    """

    agents: tuple[str, ...]
    operand: Formula
    formula: Formula
    dual: bool = False

    @property
    def if_known(self) -> bool:
        """The truth of `formula` if `operand` is true at all these worlds."""
        return not self.dual


class Explainer(ABC, Generic[Place]):
    """The base class of explainers, which say why formulas about a structure are true or false.

    Formulas are resolved. An explainer stores no results, so they do not depend on earlier ones.
    """

    def __init__(self, structure: KnowledgeStructure) -> None:
        """Create an explainer of formulas about `structure`."""
        self.structure = structure

    # ---- hooks of engines ---------------------------------------------------------------------

    @abstractmethod
    def truth(self, place: Place, formula: Formula) -> bool | None:
        """Return the truth of a formula at the place; None if it differs between worlds there."""

    @abstractmethod
    def refused(self, formula: Formula, truth: bool | None) -> Unsupported:
        """Return the error stating that this engine cannot explain the truth of a formula."""

    def shown(self, place: Place, formula: Formula) -> Evidence | None:
        """Return worlds or probabilities that show the truth of a modal formula; None if none do.

        An engine that finds sources or worlds in one search returns both kinds from `known`.
        """
        return None

    def known(self, place: Place, asked: Asked) -> Evidence:
        """Explain why agents know the operand or do not; raise `Unsupported` without a reason."""
        return self.undecided(place, asked.formula)

    def common(self, place: Place, formula: f.C | f.CB) -> Evidence | None:
        """Explain why a formula is or is not common knowledge or belief; None without a reason."""
        return None

    def believed(self, place: Place, formula: f.B) -> Evidence:
        """Explain why a formula is or is not believed; raise `Unsupported` without a reason."""
        return self.undecided(place, formula)

    def undecided(self, place: Place, formula: Formula) -> Evidence:
        """Explain the truth of a formula that its parts do not decide, or raise `Unsupported`."""
        raise self.refused(formula, self.truth(place, formula))

    # ---- the walk -----------------------------------------------------------------------------

    def evidence(self, place: Place, formula: Formula) -> Evidence:
        """Explain why `formula` is true or false at the place, which decides it.

        Raises:
            Unsupported: this engine has no reason for the formula, or for a part of it.
        """
        if is_propositional(formula):
            return Fact(formula, bool(self.truth(place, formula)))
        match formula:
            case f.Not(operand):
                reason = self.evidence(place, operand)
                return Combined(formula, not reason.truth, (reason,))
            case f.And(operands):
                return self.all_of(place, formula, operands)
            case f.Or(operands):
                return self.any_of(place, formula, operands)
            case f.Implies(left, right):
                return self.any_of(place, formula, (negation(left), right))
            case f.Iff() | f.Cardinality():
                return self._of_each(place, formula)
        evidence = self.shown(place, formula)
        return self._of_knowledge(place, formula) if evidence is None else evidence

    def _of_knowledge(self, place: Place, formula: Formula) -> Evidence:
        if not isinstance(formula, f.E | f.EB) and len(each := each_known(formula)) > 1:
            return self.all_of(place, formula, each)
        match formula:
            case f.K(agent, inner) | f.M(agent, inner) | f.B(agent, inner, f.TRUE) if is_about(
                inner, agent
            ):
                # Introspection: i knows that i knows f if i knows f.
                reason = self.evidence(place, inner)
                return Combined(formula, reason.truth, (reason,))
            case f.K(agent, f.C() as common) if agent in common.group:
                # Members of a group know all its common knowledge.
                evidence = self.common(place, common)
                if evidence is not None:
                    return replace(evidence, formula=formula)
        if (fact := self._settling_fact(place, formula)) is not None:
            reason = self.evidence(place, fact)
            return Combined(formula, isinstance(formula, f.K), (reason,))
        match formula:
            case f.K(agent, operand):
                return self.known(place, Asked((agent,), operand, formula))
            case f.M(agent, operand):
                return self.known(place, Asked((agent,), negation(operand), formula, dual=True))
            case f.D(group, operand):
                return self.known(place, Asked(group, operand, formula))
            case f.E(group, operand):
                return self.all_of(place, formula, [f.K(agent, operand) for agent in group])
            case f.EB(group, operand):
                return self.all_of(place, formula, [f.B(agent, operand) for agent in group])
            case f.B():
                return self.believed(place, formula)
            case f.C() | f.CB() if (evidence := self.common(place, formula)) is not None:
                return evidence
            case f.Kw(agent, operand):
                either = (f.K(agent, operand), f.K(agent, negation(operand)))
                return self.any_of(place, formula, either)
            case f.Kv(agent, (name,)):
                return self._of_value(place, agent, formula, self.structure.fluents(name))
            case f.Kv(agent, fluents):
                return self.all_of(place, formula, [f.Kv(agent, (name,)) for name in fluents])
        return self.undecided(place, formula)

    def _settling_fact(self, place: Place, formula: Formula) -> Formula | None:
        """Return a true `K[i] fact` that decides a formula about others' knowledge; else None."""
        match formula:
            case f.K(agent, f.M(_, operand)):
                fact = operand  # Everybody considers the truth possible.
            case f.K(agent, f.Not(f.K(_, operand))) | f.M(agent, f.K(_, operand)):
                fact = negation(operand)  # Nobody knows a falsehood.
            case _:
                return None
        known = f.K(agent, fact)
        return known if is_propositional(fact) and self.truth(place, known) else None

    def all_of(self, place: Place, formula: Formula, parts: Sequence[Formula]) -> Evidence:
        """Return evidence of a conjunction of these parts: one part that is false, or all parts."""
        return self._joined(place, formula, parts, decisive=False)

    def any_of(self, place: Place, formula: Formula, parts: Sequence[Formula]) -> Evidence:
        """Return evidence of a disjunction of these parts: one part that is true, or all parts."""
        return self._joined(place, formula, parts, decisive=True)

    def _joined(
        self, place: Place, formula: Formula, parts: Sequence[Formula], *, decisive: bool
    ) -> Evidence:
        """Return evidence from the first part whose truth is `decisive`, or from all parts."""
        open_parts = False
        for part in parts:
            truth = self.truth(place, part)
            if truth is decisive:
                return Combined(formula, decisive, (self.evidence(place, part),))
            open_parts = open_parts or truth is None
        if open_parts:
            return self.undecided(place, formula)
        return Combined(formula, not decisive, tuple(self.evidence(place, part) for part in parts))

    def _of_each(self, place: Place, formula: Formula) -> Evidence:
        """Return evidence that combines the evidence of every operand."""
        truth = self.truth(place, formula)
        if truth is None or any(self.truth(place, part) is None for part in formula.operands):
            return self.undecided(place, formula)
        reasons = tuple(self.evidence(place, part) for part in formula.operands)
        return Combined(formula, truth, reasons)

    def _of_value(
        self, place: Place, agent: str, formula: Formula, cases: Sequence[Formula]
    ) -> Evidence:
        """Return evidence of Kv: the known value, or two possible values."""
        for known in (f.K(agent, case) for case in cases):
            if self.truth(place, known):
                return Combined(formula, True, (self.evidence(place, known),))
        possible = [possible for case in cases if self.truth(place, possible := f.M(agent, case))]
        parts = tuple(self.evidence(place, part) for part in possible[:2])
        return Combined(formula, False, parts)


def each_known(formula: Formula) -> tuple[Formula, ...]:
    """Split knowledge of a conjunction into knowledge of its parts, and return these formulas.

    A fact that others know, or that is common knowledge, is not split, because one list of sources
    proves it.

    Examples:
        >>> from symkripke import parse
        >>> [str(part) for part in each_known(parse("K[a] K[b] (p & ~K[c] p)"))]
        ['K[a] K[b] p', 'K[a] K[b] ~K[c] p']
        >>> [str(part) for part in each_known(parse("C[a, b] (p & q)"))]
        ['C[a, b] (p & q)']
    """
    match formula:
        case f.K(_, f.And(operands)) | f.B(_, f.And(operands)):
            parts = operands
        case f.K() | f.B() | f.D() | f.C() | f.CB() | f.E() | f.EB() if not is_propositional(
            inner := formula.operand
        ):
            parts = inner.operands if isinstance(inner, f.And) else each_known(inner)
        case _:
            return (formula,)
    given = formula.operands[1:]
    return tuple(formula.rebuild((part, *given)) for part in parts)


def is_about(formula: Formula, agent: str) -> bool:
    """Return whether `formula` or its negation states knowledge or belief of `agent`."""
    if isinstance(formula, f.Not):
        formula = formula.operand
    return isinstance(formula, f.K | f.M | f.Kw | f.Kv | f.B) and formula.agent == agent


def is_decided_by(formula: Formula, agent: str) -> bool:
    """Return whether `formula` is a Boolean combination of formulas about the agent's knowledge."""
    return all(isinstance(leaf, f.Constant) or is_about(leaf, agent) for leaf in leaves(formula))


# ---- engines that have all worlds ---------------------------------------------------------------


@dataclass(frozen=True)
class Way(Generic[Place]):
    """A chain of steps to another world.

    Attributes:
        steps: for each step, the agents that cannot distinguish the two worlds, and the world that
            is reached.
        end: the last of these worlds, as a place.
    """

    steps: tuple[tuple[tuple[str, ...], World], ...]
    end: Place


class WorldExplainer(Explainer[Place]):
    """An explainer for engines that have all worlds, as a list or a diagram."""

    # ---- hooks of engines ---------------------------------------------------------------------

    @abstractmethod
    def cell(self, place: Place, group: tuple[str, ...]) -> Place | None:
        """Return the group's cell of the place; None if its worlds are in different cells."""

    @abstractmethod
    def to_world(
        self, cell: Place, group: tuple[str, ...], shows: Formula, belief: f.B | None
    ) -> Way[Place] | None:
        """Return a step to a world of the group's cell at which `shows` is true, or None.

        With a `belief`, the step leads to a most plausible world at which its condition is true.
        """

    @abstractmethod
    def to_reachable(
        self, place: Place, group: tuple[str, ...], shows: Formula, *, plausible: bool
    ) -> Way[Place] | None:
        """Return a shortest way, by steps of group members, to a world at which `shows` is true.

        With `plausible`, the steps are steps of belief. The result is None if there is no way.
        """

    @abstractmethod
    def share(self, cell: Place, chance: f.P) -> Fraction | None:
        """Return the probability in the agent's cell; None if the condition is impossible there."""

    @abstractmethod
    def extremes(
        self, place: Place, group: tuple[str, ...], chance: f.P
    ) -> tuple[Fraction, Fraction] | None:
        """Return the least and greatest probability over worlds that the group considers possible.

        The result is None if the probability may be undefined at one of these worlds.
        """

    # ---- probabilities and worlds -------------------------------------------------------------

    def shown(self, place: Place, formula: Formula) -> Evidence | None:
        """See `Explainer.shown`."""
        truth = self.truth(place, formula)
        if truth is None:
            return None
        weighed = self._of_probability(place, formula, truth)
        if weighed is not None:
            return weighed
        worlds: list[CounterWorld] = []
        shown, value, here = formula, truth, place
        # Continue while the formula at the last world needs a further world.
        while (step := self._step(here, shown, value)) is not None:
            way, shown, plausible = step
            worlds += _steps(way, shown, plausible)
            value, here = True, way.end
            while isinstance(shown, f.Not):
                shown, value = shown.operand, not value
        return Possible(formula, truth, tuple(worlds)) if worlds else None

    def _of_probability(self, place: Place, formula: Formula, truth: bool) -> Evidence | None:
        """Return evidence of a probability: its value, or its range at all possible worlds."""
        if isinstance(formula, f.P):
            cell = self.cell(place, (formula.agent,))
            share = None if cell is None else self.share(cell, formula)
            return None if share is None else ProbabilityValue(formula, truth, share)
        own = own_chances(formula)
        if own is not None and self.cell(place, own[:1]) is not None:
            return Combined(formula, truth, (self.evidence(place, own[1]),))
        known = known_chance(formula, truth)
        if known is None:
            return None
        ends = self.extremes(place, *known)
        return None if ends is None else ProbabilityRange(formula, truth, known[1], *ends)

    def _step(
        self, place: Place, formula: Formula, truth: bool
    ) -> tuple[Way[Place], Formula, bool] | None:
        """Return the way to a deciding world, the formula there, and whether it follows belief."""
        belief: f.B | None = None
        match formula:
            case f.M(agent, shows) if truth:
                group: tuple[str, ...] = (agent,)
            case f.K(agent, operand) if not truth:
                group, shows = (agent,), negation(operand)
            case f.Kw(agent, operand) if not truth:
                here = self.truth(place, operand) is not False
                group, shows = (agent,), negation(operand) if here else operand
            case f.D(group, operand) if not truth:
                shows = negation(operand)
            case f.E(group, operand) | f.EB(group, operand) if not truth:
                kind = f.K if isinstance(formula, f.E) else f.B
                fails = (kind(agent, operand) for agent in group)
                first = next((part for part in fails if self.truth(place, part) is False), None)
                return None if first is None else self._step(place, first, False)
            case f.C(group, operand) | f.CB(group, operand) if not truth:
                shows, plausible = negation(operand), isinstance(formula, f.CB)
                way = self.to_reachable(place, group, shows, plausible=plausible)
                return None if way is None else (way, shows, plausible)
            case f.B(agent, operand) if not truth:
                group, shows, belief = (agent,), negation(operand), formula
            case _:
                return None
        cell = self.cell(place, group)
        way = None if cell is None else self.to_world(cell, group, shows, belief)
        return None if way is None else (way, shows, belief is not None)


def _steps(way: Way[Place], shown: Formula, plausible: bool) -> list[CounterWorld]:
    """Return the worlds of a path whose end shows a formula, as a chain of counter-worlds.

    If there are several steps, each step belongs to one agent.
    """
    chain: list[CounterWorld] = []
    for who, world in reversed(way.steps):
        chain.append(CounterWorld(who, world, shown, plausible))
        shown = negation(f.B(who[0], negation(shown))) if plausible else f.M(who[0], shown)
    return chain[::-1]


__all__ = [
    "Asked",
    "Explainer",
    "Place",
    "Way",
    "WorldExplainer",
    "each_known",
    "is_about",
    "is_decided_by",
]
