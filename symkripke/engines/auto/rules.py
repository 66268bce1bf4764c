"""The choice of engines: the first of these rules that applies determines the turns (see `turns`).

| rule | turns |
|---|---|
| there are numbers without bounds | smt |
| the question compares probabilities | bdd, sat |
| many cards were dealt out | sat for a minute, bdd for ten seconds |
| the law is about knowledge, or the question announces knowledge | small bdd, sat |
| the question is about belief | small bdd, sat |
| there are sums modulo two | small bdd, sat |
| no other rule applies | sat, small bdd |

Small bdd is the bdd engine with a small bound on nodes. The rules have the following reasons. No
other engine answers questions about numbers without bounds. Counts are read off a diagram. A deal
of cards has a huge diagram, but a solver quickly answers questions about players' knowledge of it.
Conclusions from others' ignorance are often symmetric (muddy children): their diagrams are small,
but clauses need very many lemmas. The same is true of beliefs about dice, because one diagram
contains the most plausible worlds of all cells. Sums modulo two, as in the dining cryptographers,
are hard for clauses, but a diagram has only two nodes for each of their variables.

The following was measured with one rule removed (`python -m benchmarks engines --sizes 9`,
`outliers`). Without the rule for deals, a question in Sleuth takes 1.7 s instead of 0.16 s. Without
the rule for knowledge, all files take over 100 s instead of 8 s. Without the rule for belief, a
question about others' beliefs in Perudo takes over 7 s instead of 0.03 s. Without the rule for
sums, 40 cryptographers get no answer.

If a diagram outgrows the small bound, bdd with its full bound takes its place in the turns.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from symkripke.engines.auto.tuning import AutoTuning
from symkripke.language import (
    And,
    Announced,
    AnnouncedTrue,
    Atom,
    Cardinality,
    Formula,
    Iff,
    Not,
    P,
)
from symkripke.language.formulas import Modal
from symkripke.language.walk import has_beliefs, is_propositional, modal_subformulas, remembered
from symkripke.model import KnowledgeStructure
from symkripke.records import dataclass

EngineName: TypeAlias = Literal["sat", "bdd", "bdd_small", "smt"]
"""The name of an engine of `AutoEngine`; "bdd_small" is bdd with a small bound on nodes."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of an engine.

    Attributes:
        engine: the name of the engine.
        reason: the reason for asking it.
        work: the maximum work of its first turn, in units; None for no bound.
    """

    engine: EngineName
    reason: str
    work: int | None = None

    def with_all_room(self) -> Turn:
        """Return the turn with "bdd" in place of "bdd_small"."""
        return replace(self, engine="bdd") if self.engine == "bdd_small" else self


class Asked(NamedTuple):
    """A question.

    Attributes:
        structure: the structure of the question.
        formula: the formula of the question; None if there is not exactly one.
        belief: whether the question is about belief regardless of the formula.
        tuning: the settings of the engine.
    """

    structure: KnowledgeStructure
    formula: Formula | None
    belief: bool
    tuning: AutoTuning


class Rule(NamedTuple):
    """A condition, the reason for the choice, and the plan of turns."""

    applies: Callable[[Asked], bool]
    reason: str
    plan: Literal["numbers", "counts", "deal", "diagram", "clauses"]


def turns(asked: Asked) -> tuple[Turn, ...]:
    """Return the turns of the first round for a question, by the first rule that applies."""
    _, reason, plan = next(rule for rule in RULES if rule.applies(asked))
    work = asked.tuning
    match plan:
        case "numbers":
            return (Turn("smt", reason),)
        case "counts":
            return Turn("bdd", reason), Turn("sat", reason)
        case "deal":
            return Turn("sat", reason, work.deal_clauses), Turn("bdd", reason, work.deal_diagram)
        case "diagram":
            small = Turn("bdd_small", reason, work.diagram_first)
            return small, Turn("sat", reason, work.clauses_second)
        case "clauses":
            small = Turn("bdd_small", reason, work.diagram_second)
            return Turn("sat", reason, work.clauses_first), small


# ---- data of the rules ----------------------------------------------------------------------


def _has_numbers(asked: Asked) -> bool:
    return bool(asked.structure.vocabulary.numbers)


def _compares_probabilities(asked: Asked) -> bool:
    return asked.formula is not None and weighs(asked.formula)


@remembered
def weighs(formula: Formula) -> bool:
    """Return whether the formula compares probabilities."""
    return any(isinstance(part, P) for part in modal_subformulas(formula))


def _speaks_about_knowledge(asked: Asked) -> bool:
    return asked.structure.law.is_modal or (asked.formula is not None and _announces(asked.formula))


@remembered
def _announces(formula: Formula) -> bool:
    """Return whether the formula announces a formula about knowledge."""
    return any(
        isinstance(part, Announced | AnnouncedTrue) and not is_propositional(part.left)
        for part in modal_subformulas(formula)
    )


def _is_about_belief(asked: Asked) -> bool:
    return asked.belief or (asked.formula is not None and has_beliefs(asked.formula))


_DEALS: WeakKeyDictionary[KnowledgeStructure, bool] = WeakKeyDictionary()


def _deals(asked: Asked) -> bool:
    """Return whether the first law limits the number of fluents with a value, as in a deal.

    Return False if the number of valuations guarantees a small diagram.
    """
    first = asked.structure.root
    if first not in _DEALS:
        fluents = first.vocabulary.fluents
        valuations = math.prod(len(fluent.values) for fluent in fluents.values())
        _DEALS[first] = valuations > asked.tuning.few_valuations and any(
            isinstance(constraint.formula, Cardinality)
            and all(
                isinstance(part, Atom) and not fluents[part.fluent].is_boolean
                for part in constraint.formula.operands
            )
            for constraint in first.law.added
        )
    return _DEALS[first]


_SUMS: WeakKeyDictionary[KnowledgeStructure, bool] = WeakKeyDictionary()


def _adds_modulo_two(asked: Asked) -> bool:
    """Return whether the question or the law has a sum modulo two; cache the result per event."""
    if asked.formula is not None and _is_sum(asked.formula):
        return True
    for stage in asked.structure.stages:
        if stage not in _SUMS:
            before = stage.history.before
            _SUMS[stage] = (before is not None and _SUMS[before]) or any(
                _is_sum(constraint.formula) for constraint in stage.law.added
            )
    return _SUMS[asked.structure]


@remembered
def _is_sum(formula: Formula) -> bool:
    """Return whether the formula has a sum modulo two of at least three facts: nested `<->`.

    The sum may be in a conjunction or under modal operators. Other parts are not searched, because
    large definitions would take too long.
    """
    stack, seen = [(formula, 0)], {(formula, 0)}
    while stack:
        part, depth = stack.pop()
        if isinstance(part, Iff):
            depth += 1
            if depth >= 2:
                return True
        elif isinstance(part, And | Modal):
            depth = 0
        elif not isinstance(part, Not):
            continue
        for operand in part.operands:
            if operand.operands and (operand, depth) not in seen:
                seen.add((operand, depth))
                stack.append((operand, depth))
    return False


RULES = (
    Rule(_has_numbers, "there are numbers without bounds", "numbers"),
    Rule(_compares_probabilities, "counts and probabilities are read off a diagram", "counts"),
    Rule(_deals, "cards were dealt out", "deal"),
    Rule(_speaks_about_knowledge, "the law or the question announces what agents know", "diagram"),
    Rule(_is_about_belief, "the question is about belief", "diagram"),
    Rule(_adds_modulo_two, "there are sums modulo two, a hard case for clauses", "diagram"),
    Rule(lambda _: True, "the law speaks of facts only", "clauses"),
)
