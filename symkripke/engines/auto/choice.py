"""Whom to ask: by the question, by the law, and by how the situation came about.

The first rule of `RULES` that applies names a plan:

| plan | whom, in order (until, without a budget) |
|---|---|
| diagram | bdd; sat |
| clauses | sat; bdd |
| trial | bdd with little room (5 s); sat (60 s); bdd with all its room |

Why clauses: what some agents know of facts is small to a solver, and a deal of cards is huge as a
diagram. Why a trial: what follows from others' ignorance is often symmetric (muddy children), small
as a diagram, and needs very many lemmas; the same is true of beliefs about dice, where the most
plausible worlds of all cells are one diagram. A diagram that outgrows its room does so within about
a second.

The plan "trial" changes with what is known of the situation:

| where | change |
|---|---|
| cards were dealt out, and not just a few | no trial: deals are the hard case of diagrams |
| a trial has failed from the same first structure | no trial |
| the large diagram of the law is there already, and no cards were dealt | it is asked before sat |
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, TypeGuard
from weakref import WeakKeyDictionary, WeakSet

from symkripke.language import (
    And,
    Announced,
    AnnouncedTrue,
    Atom,
    Cardinality,
    Formula,
    Not,
    Or,
    P,
)
from symkripke.language.formulas import MODAL
from symkripke.language.walk import (
    has_beliefs,
    is_propositional,
    knowers,
    remembered,
    subformulas,
)
from symkripke.model import KnowledgeStructure

# If no budget is given, a diagram that is tried first has so many seconds, and `sat` after it the
# rest of so many.
_TRIAL_SECONDS = 5.0
_SECOND_SECONDS = 60.0

# So many agents are many: a solver for each would take longer to set up than a small diagram.
_MANY = 8

# So many valuations are always a small diagram.
_FEW = 1 << 16

Whom: TypeAlias = Literal["sat", "bdd", "trial"]
"""An engine that `AutoEngine` has: "trial" is bdd with little room."""

Plan: TypeAlias = Literal["diagram", "clauses", "trial"]

IsDrawn: TypeAlias = Callable[[KnowledgeStructure], bool]


@dataclass(frozen=True, slots=True)
class Attempt:
    """Whom to ask, why, and until when.

    Without a budget it may go on until so many seconds after the question was asked.
    """

    whom: Whom
    reason: str
    until: float | None = None


class Situation(NamedTuple):
    """What is asked, and where. `belief`: the question is about one, whatever the formula."""

    structure: KnowledgeStructure
    formula: Formula | None
    belief: bool


class Rule(NamedTuple):
    """If it applies, this is the reason and the plan."""

    applies: Callable[[Situation], bool]
    reason: str
    plan: Plan


# ---- what rules look at ---------------------------------------------------------------------


def _compares_probabilities(asked: Situation) -> bool:
    return asked.formula is not None and _weighs(asked.formula)


def _has_modal_law(asked: Situation) -> bool:
    return asked.structure.is_modal


def _is_about_belief(asked: Situation) -> bool:
    return asked.belief or (asked.formula is not None and has_beliefs(asked.formula))


def _announces_what_many_know(asked: Situation) -> bool:
    return _is_about_many(asked.formula) and _announces(asked.formula)


def _is_about_many_under_a_small_law(asked: Situation) -> bool:
    return _is_about_many(asked.formula) and _says_little(asked.structure)


def _nests_where_nothing_is_tied(asked: Situation) -> bool:
    """Dice, coins: things that have nothing to do with each other."""
    return asked.formula is not None and not asked.structure.root.added and _nests(asked.formula)


def _always(_: Situation) -> bool:
    return True


RULES = (
    Rule(_compares_probabilities, "counts and probabilities are read off a diagram", "diagram"),
    Rule(_has_modal_law, "the law speaks about knowledge", "trial"),
    Rule(_is_about_belief, "the question is about belief", "trial"),
    Rule(_announces_what_many_know, "the question announces what many agents know", "trial"),
    Rule(
        _is_about_many_under_a_small_law,
        "the question is about what many agents know, and the law says little",
        "trial",
    ),
    Rule(
        _nests_where_nothing_is_tied,
        "the question is about knowledge of knowledge, and nothing was dealt out",
        "trial",
    ),
    Rule(_always, "the law speaks of facts only", "clauses"),
)


class Choice:
    """Applies the rules, and remembers what it has seen of structures with the same beginning."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        # First structures of which a diagram has outgrown the room for a trial.
        self._outgrown: WeakSet[KnowledgeStructure] = WeakSet()
        self._dealt: WeakKeyDictionary[KnowledgeStructure, bool] = WeakKeyDictionary()

    def attempts(
        self,
        structure: KnowledgeStructure,
        formula: Formula | None,
        belief: bool,
        is_drawn: IsDrawn,
    ) -> tuple[Attempt, ...]:
        """Whom to ask, one after the other.

        Args:
            structure: where.
            formula: what is asked, if it is a formula.
            belief: whether the question is about a belief, formula or not.
            is_drawn: whether the large diagram of a law is there.
        """
        asked = Situation(structure, formula, belief)
        rule = next(rule for rule in RULES if rule.applies(asked))
        match rule.plan:
            case "diagram":
                return Attempt("bdd", rule.reason), Attempt("sat", "no diagram")
            case "clauses":
                return Attempt("sat", rule.reason), Attempt("bdd", rule.reason)
            case "trial":
                return self._trial(structure, rule.reason, is_drawn)

    def _trial(
        self, structure: KnowledgeStructure, small: str, is_drawn: IsDrawn
    ) -> tuple[Attempt, ...]:
        """The plan "trial", as it is here; `small` is the reason to hope for a small diagram."""
        deals = self._dealt.get(structure.root)
        if deals is None:
            deals = self._dealt[structure.root] = _deals(structure.root)
        why_later = "cards were dealt out" if deals else "a diagram of it is too large"
        reason = f"{small}, and {why_later}"
        later: tuple[Attempt, ...]
        later = (Attempt("sat", reason, _SECOND_SECONDS), Attempt("bdd", reason))
        if not deals and is_drawn(structure):
            # Its worlds have been counted, say.
            later = (Attempt("bdd", f"{small}, with a diagram at hand", _SECOND_SECONDS), *later)
        if deals or structure.root in self._outgrown:
            return later
        return Attempt("trial", small, _TRIAL_SECONDS), *later

    def outgrown(self, structure: KnowledgeStructure) -> None:
        """Take note that a trial failed: try none for structures with the same beginning."""
        self._outgrown.add(structure.root)


# ---- laws and formulas ------------------------------------------------------------------------


def _deals(first: KnowledgeStructure) -> bool:
    """Whether the first law counts the values of fluents: so many cards are with this player.

    Not if there are so few cards that no diagram of them can be large.
    """
    fluents = first.vocabulary.fluents
    if math.prod(len(fluent.values) for fluent in fluents.values()) <= _FEW:
        return False
    return any(
        isinstance(constraint.formula, Cardinality)
        and all(
            isinstance(part, Atom) and not fluents[part.fluent].is_boolean
            for part in constraint.formula.operands
        )
        for constraint in first.added
    )


def _says_little(structure: KnowledgeStructure) -> bool:
    """Whether the law is one or two counts, clauses or lists of facts: surely a small diagram."""
    law = structure.law
    return len(law) <= 2 and all(
        isinstance(part.operand if isinstance(part, Not) else part, Atom)
        for constraint in law
        for part in (
            constraint.formula.operands
            if isinstance(constraint.formula, Cardinality | And | Or)
            else (constraint.formula,)
        )
    )


def _is_about_many(formula: Formula | None) -> TypeGuard[Formula]:
    """Whether it speaks of what many agents know."""
    return formula is not None and len(knowers(formula)) >= _MANY


@remembered
def _weighs(formula: Formula) -> bool:
    """Whether the formula compares probabilities."""
    return any(isinstance(part, P) for part in subformulas(formula))


@remembered
def _nests(formula: Formula) -> bool:
    """Whether the formula speaks of what somebody knows of what somebody knows."""
    return any(
        isinstance(part, MODAL) and not all(map(is_propositional, part.operands))
        for part in subformulas(formula)
    )


@remembered
def _announces(formula: Formula) -> bool:
    """Whether something about knowledge is announced in the formula."""
    return any(
        isinstance(part, Announced | AnnouncedTrue) and not is_propositional(part.left)
        for part in subformulas(formula)
    )
