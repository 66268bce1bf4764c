"""Which engine to ask: by the question, by the law, and by the first structure.

The first rule of `RULES` that applies names a plan:

| plan | engines, in turns (see `attempt`) |
|---|---|
| diagram | bdd; sat if it cannot |
| clauses | sat first; bdd with little room |
| trial | bdd with little room first; sat |

Why clauses: a solver answers quickly what some agents know of facts, and a deal of cards is huge as
a diagram. Why a trial: conclusions from others' ignorance are often symmetric (muddy children);
they are small as a diagram, and need very many lemmas. The same is true of beliefs about dice: one
diagram has the most plausible worlds of all cells. Sums modulo two (dining cryptographers) are hard
for clauses, and a diagram has two nodes for each of their variables.

The diagram of a list of worlds is small, too. It is tried where any of them will do. Where there is
no law, the diagram of a question has only what it speaks of, and a solver would need all facts.

If a diagram outgrows little room, bdd with all its room replaces bdd with little room. The turns
depend on the situation, too:

| where | change |
|---|---|
| cards were dealt out, and not just a few | sat first, for long, then bdd with all its room |
| a diagram has outgrown little room | bdd with all its room, after sat |
| the large diagram of the law is there already, and no cards were dealt | it is asked first |
| something is counted, and only the diagram with little room is there | it is asked first |
| an engine has answered after others had their turns | it is first (before a diagram, sat looks) |

Deals are hard for diagrams. Which engine ran out of room, and which answered, is remembered for all
situations with the same first structure.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias, TypeGuard
from weakref import WeakKeyDictionary, WeakSet

from symkripke.errors import TooManyNodes
from symkripke.language import (
    And,
    Announced,
    AnnouncedTrue,
    Atom,
    Cardinality,
    Formula,
    Iff,
    Not,
    Or,
    P,
)
from symkripke.language.formulas import TRUE, Modal
from symkripke.language.walk import (
    atoms,
    has_beliefs,
    is_propositional,
    knowers,
    modal_subformulas,
    remembered,
    under,
)
from symkripke.limits import SearchAborted
from symkripke.model import KnowledgeStructure
from symkripke.records import dataclass

# Units of work of a first turn: more than most questions take, and so few that a wrong choice costs
# little time.
_SHORT = 10_000

# The same for the solver and for the diagram, if a rule names it first. Where a rule expects a
# small diagram, it is mostly right: half a second is less than another engine needs to begin.
_CLAUSES_FIRST = 20_000
_DIAGRAM_FIRST = 100_000

# Large questions take more: so much for each part that is not propositional, which has a diagram of
# its own.
_DIAGRAM_OF_A_PART = 50

# A first look of `sat` at a question for which a diagram would have to be set up. That would be as
# much work.
_LOOK = 1_000

# The same where a diagram has answered a hard question, but clauses are expected to answer most.
_GLANCE = 5_000

# If cards were dealt out: a minute for the solver, then ten seconds for the diagram.
_OF_DEALS = 6_000_000
_OF_DIAGRAMS_OF_DEALS = 1_000_000

# From so many agents on, to set up a solver for each takes longer than a small diagram.
_MANY = 8

# So many worlds are a long list: a solver would need a variable for each.
_LONG_LIST = 50

# To set up so many facts for a solver takes as long as a small diagram.
_MANY_FACTS = 500

# So many nested `<->` count as a sum modulo two.
_LONG_SUM = 2

# A diagram of so many valuations is always small.
_FEW = 1 << 16

Whom: TypeAlias = Literal["sat", "bdd", "trial"]
"""An engine that `AutoEngine` has: "trial" is bdd with little room."""

Plan: TypeAlias = Literal["diagram", "clauses", "trial"]

Drawn: TypeAlias = Callable[[KnowledgeStructure], Whom | None]
"""Which engine has the diagram of a law already, the one with more room first; None if none."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An engine to ask, why, and how much work it may do in its first turn.

    Attributes:
        whom: the engine.
        reason: why it is asked.
        work: units of work; None for no bound.
        larger: the engine that replaces it if its diagram has too little room.
        once: whether it is not repeated with more work, if the work was too little.
    """

    whom: Whom
    reason: str
    work: int | None = None
    larger: Turn | None = None
    once: bool = False


class Situation(NamedTuple):
    """A question. `belief`: whether it is about a belief, whatever the formula is."""

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
    return asked.formula is not None and weighs(asked.formula)


def _has_modal_law(asked: Situation) -> bool:
    return asked.structure.law.is_modal


def _is_about_belief(asked: Situation) -> bool:
    return asked.belief or (asked.formula is not None and has_beliefs(asked.formula))


def _announces_knowledge(asked: Situation) -> bool:
    return asked.formula is not None and _announces(asked.formula)


def _is_about_many_under_a_small_law(asked: Situation) -> bool:
    return _is_about_many(asked.formula) and _says_little(asked.structure)


def _nests_where_nothing_is_tied(asked: Situation) -> bool:
    """Nested knowledge about dice or coins, whose values do not depend on each other."""
    return (
        asked.formula is not None and not asked.structure.root.law.added and _nests(asked.formula)
    )


def _adds_modulo_two(asked: Situation) -> bool:
    return (asked.formula is not None and _is_sum(asked.formula)) or _has_sums(asked.structure)


def _asks_for_one_of_many_listed_worlds(asked: Situation) -> bool:
    """Whether any world of a law that lists them will do: the diagram of a list is small."""
    return asked.formula is TRUE and _lists_worlds(asked.structure)


def _speaks_of_few_of_many_free_facts(asked: Situation) -> bool:
    """Whether there is no law, and a question about few of the facts."""
    structure, formula = asked.structure, asked.formula
    many = len(structure.vocabulary.fluents)
    if structure.law or formula is None or many < _MANY_FACTS:
        return False
    return len(atoms(formula)) * _MANY <= many


def _always(_: Situation) -> bool:
    return True


RULES = (
    Rule(_compares_probabilities, "counts and probabilities are read off a diagram", "diagram"),
    Rule(_has_modal_law, "the law speaks about knowledge", "trial"),
    Rule(_is_about_belief, "the question is about belief", "trial"),
    Rule(_announces_knowledge, "the question announces what agents know", "trial"),
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
    Rule(_adds_modulo_two, "there are sums modulo two, a hard case for clauses", "trial"),
    Rule(_asks_for_one_of_many_listed_worlds, "the law lists worlds", "trial"),
    Rule(
        _speaks_of_few_of_many_free_facts,
        "there is no law, and the question is about few of many facts",
        "trial",
    ),
    Rule(_always, "the law speaks of facts only", "clauses"),
)


class Choice:
    """Applies the rules, and remembers what happened with each first structure."""

    def __init__(self) -> None:
        """A choice without experience."""
        # First structures whose diagrams outgrew the little room.
        self._outgrown: WeakSet[KnowledgeStructure] = WeakSet()
        # First structures of which a question needed more than a first look of `sat`.
        self._looked: WeakSet[KnowledgeStructure] = WeakSet()
        self._dealt: WeakKeyDictionary[KnowledgeStructure, bool] = WeakKeyDictionary()
        # For first structures, the engine that answered after others had their turns.
        self._best: WeakKeyDictionary[KnowledgeStructure, Whom] = WeakKeyDictionary()

    def turns(
        self,
        structure: KnowledgeStructure,
        formula: Formula | None,
        belief: bool,
        drawn: Drawn,
    ) -> tuple[Turn, ...]:
        """The engines to ask, in order.

        Args:
            structure: the structure that is asked about.
            formula: the question, if it is a formula.
            belief: whether the question is about a belief, formula or not.
            drawn: which engine has the diagram of a law already.
        """
        asked = Situation(structure, formula, belief)
        rule = next(rule for rule in RULES if rule.applies(asked))
        root = structure.root
        if rule.plan == "diagram":
            first = large = Turn("bdd", rule.reason)
            if drawn(structure) == "trial" and root not in self._outgrown:
                # To set up large tables and the same diagram again takes longer than most answers.
                first = Turn("trial", rule.reason, larger=large)
            return first, Turn("sat", "no diagram")
        deals = self._dealt.get(root)
        if deals is None:
            deals = self._dealt[root] = _deals(root)
        if deals:
            return self._of_deals(asked, rule)
        clauses = rule.plan == "clauses"
        if not clauses and root in self._outgrown:
            reason = f"{rule.reason}, and a diagram of it is too large"
        else:
            reason = rule.reason
        diagram_first = _DIAGRAM_FIRST
        if not clauses and formula is not None:
            diagram_first = max(diagram_first, _DIAGRAM_OF_A_PART * _modal_parts(formula))
        diagram_work = _SHORT if clauses else diagram_first
        large = Turn("bdd", reason, diagram_work)
        small = Turn("trial", reason, diagram_work, large)
        sat = Turn("sat", reason, _CLAUSES_FIRST if clauses else _SHORT)
        if not clauses and drawn(structure) == "bdd":
            # The diagram is there, for example because worlds were counted.
            at_hand = Turn("bdd", f"{rule.reason}, with a diagram at hand", diagram_first)
            return at_hand, sat
        turns: tuple[Turn, ...]
        if root in self._outgrown:
            turns = (sat, large)
        elif rule.applies is _nests_where_nothing_is_tied and root not in self._looked:
            turns = (Turn("sat", reason, _LOOK, once=True), small, sat)
        else:
            turns = (sat, small) if clauses else (small, sat)
        ordered = self._best_first(root, turns)
        if clauses and ordered[0] is not sat:
            # Most questions are easy nevertheless, and one that is hard loses little.
            return (Turn("sat", reason, _GLANCE, once=True), *ordered)
        return ordered

    def _of_deals(self, asked: Situation, rule: Rule) -> tuple[Turn, ...]:
        """The turns if cards were dealt out."""
        if rule.plan == "clauses" and asked.formula is not None and _is_of_facts(asked.formula):
            # One call of a solver, and very frequent: without a bound of work, which is quicker.
            return Turn("sat", rule.reason), Turn("bdd", rule.reason)
        reason = rule.reason
        if rule.plan == "trial":
            reason = f"{reason}, and cards were dealt out"
        return (
            Turn("sat", reason, _OF_DEALS),
            Turn("bdd", reason, _OF_DIAGRAMS_OF_DEALS),
        )

    def _best_first(self, root: KnowledgeStructure, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
        """The turns, with the engine first that has answered here after others had not."""
        best = self._best.get(root)
        return tuple(sorted(turns, key=lambda turn: turn.whom != best))

    def outlasted(self, structure: KnowledgeStructure, turn: Turn) -> None:
        """Note which engine answered a question for which an earlier turn was too short."""
        self._best[structure.root] = turn.whom

    def refused(self, structure: KnowledgeStructure, turn: Turn, refusal: Exception) -> None:
        """Note what need not be tried again here.

        That is a diagram that needs more than little room, or a first look that was too short.
        """
        if turn.whom == "trial" and isinstance(refusal, TooManyNodes):
            self._outgrown.add(structure.root)
        if turn.once and turn.work == _LOOK and isinstance(refusal, SearchAborted):
            self._looked.add(structure.root)


# ---- laws and formulas ------------------------------------------------------------------------


def _deals(first: KnowledgeStructure) -> bool:
    """Whether the first law deals out cards: it says how many are with each player.

    False if there are so few cards that every diagram of them is small.
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
        for constraint in first.law.added
    )


_SUMS: WeakKeyDictionary[KnowledgeStructure, bool] = WeakKeyDictionary()


def _has_sums(structure: KnowledgeStructure) -> bool:
    """Whether the law has a sum modulo two. Each event is checked once."""
    known = _SUMS.get(structure)
    if known is not None:
        return known
    new = []
    for stage in reversed(structure.stages):
        if stage in _SUMS:
            break
        new.append(stage)
    for stage in reversed(new):
        _SUMS[stage] = (stage.history.before is not None and _SUMS[stage.history.before]) or any(
            _is_sum(part.formula) for part in stage.law.added
        )
    return _SUMS[structure]


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


def _lists_worlds(structure: KnowledgeStructure) -> bool:
    """Whether the law has a long disjunction of conjunctions of literals."""
    return any(
        isinstance(constraint.formula, Or)
        and len(constraint.formula.operands) >= _LONG_LIST
        and all(
            isinstance(world, And) and all(map(_is_literal, world.operands))
            for world in constraint.formula.operands
        )
        for constraint in structure.law
    )


def _is_literal(formula: Formula) -> bool:
    return isinstance(formula.operand if isinstance(formula, Not) else formula, Atom)


def _is_about_many(formula: Formula | None) -> TypeGuard[Formula]:
    """Whether it speaks of what many agents know."""
    return formula is not None and len(knowers(formula)) >= _MANY


@remembered
def _modal_parts(formula: Formula) -> int:
    """How many parts of the formula are not propositional."""
    return sum(1 for _ in modal_subformulas(formula))


@remembered
def weighs(formula: Formula) -> bool:
    """Whether the formula compares probabilities."""
    return any(isinstance(part, P) for part in modal_subformulas(formula))


@remembered
def _is_sum(formula: Formula) -> bool:
    """Whether it states a sum modulo two of several facts: so many nested `<->`.

    The sum may be in a conjunction or under operators. Other parts are not searched, so that large
    definitions take no time.
    """
    stack, seen = [(formula, 0)], {(formula, 0)}
    while stack:
        part, depth = stack.pop()
        if isinstance(part, Iff):
            depth += 1
            if depth >= _LONG_SUM:
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


@remembered
def _is_of_facts(formula: Formula) -> bool:
    """Whether it is one about what an agent knows of facts, or about facts."""
    return is_propositional(under(formula)) and not _nests(formula)


@remembered
def _nests(formula: Formula) -> bool:
    """Whether the formula speaks of what somebody knows of what somebody knows.

    What is known after facts were announced is no more than what is known.
    """
    return any(
        isinstance(part, Modal)
        and not all(map(is_propositional, part.operands))
        and not (isinstance(part, Announced | AnnouncedTrue) and is_propositional(part.left))
        for part in modal_subformulas(formula)
    )


@remembered
def _announces(formula: Formula) -> bool:
    """Whether something about knowledge is announced in the formula."""
    return any(
        isinstance(part, Announced | AnnouncedTrue) and not is_propositional(part.left)
        for part in modal_subformulas(formula)
    )
