"""Random structures with numbers: the smt engine compared with the explicit engine.

In `--small`, the numbers are between -3 and 3 by law, and the explicit engine lists their values.
The answers must be equal at every world. In `--growing`, the law does not bound the numbers, and
the explicit engine lists larger and larger ranges. The answers are compared if three ranges in a
row give the same answer. They may still differ, because worlds at the edge of any range lack
neighbours, or because a counter-example is larger. Every answer is also compared with z3's own
quantifiers, if these have an answer in time. They must never differ.
"""

from __future__ import annotations

import random
from multiprocessing import Pool

import click

from symkripke.engines.asked import without_values
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.smt import SmtEngine
from symkripke.engines.smt.translation import Stage
from symkripke.errors import BudgetExceeded, SymkripkeError, Unsupported
from symkripke.language import FALSE, Formula
from symkripke.limits import Budget, within_budget
from symkripke.model import KnowledgeStructure, evaluate
from tests.soak.common import Found
from tests.support.first_order import FirstOrder
from tests.support.linear_models import (
    NAMES,
    Twins,
    random_action,
    random_event,
    random_formula,
    random_law,
    random_share,
    random_sights,
)

_QUESTIONS = 20
_RANGES = (3, 5, 7)
_BUDGET = Budget(seconds=60)
_QUANTIFIERS = 5.0
"""The time for a question to z3 with quantifiers, in seconds."""


def _refusal(error: SymkripkeError) -> str:
    kind = str(error).partition(" has no answer")[0].partition("[")[0]
    return f"refused: {kind[:50]}"


def differs(
    smt: SmtEngine,
    twins: Twins,
    pair: tuple[KnowledgeStructure, KnowledgeStructure],
    formula: Formula,
    *,
    at_worlds: bool,
) -> str:
    """Return a difference between two structures with the same worlds; empty if there is none."""
    one, other = pair
    explicit = ExplicitEngine()
    listed = other.resolve(twins.listed(formula))
    with within_budget(_BUDGET):
        if not at_worlds:
            known = bool(smt.valid(one, formula))
            wanted = bool(explicit.valid(other, listed))
            return "" if known is wanted else f"valid is {known}"
        truth = smt.reasoner.sets.truth(Stage(one), one.resolve(formula))
        model = explicit.model(other)
        wanted_at = explicit._truth_everywhere(other, without_values(other, listed))
        for row in range(model.size):
            world = twins.world(dict(model.table.world(row)))
            if evaluate(truth, world) is not bool(wanted_at[row]):
                return f"at {world}, {not wanted_at[row]}"
    return ""


def small(seed: int) -> Found:
    """Return the comparisons of one structure between two bounds."""
    found, chance = Found(), random.Random(seed)
    twins, smt = Twins(-3, 3), SmtEngine()
    pair = twins.structures(random_law(chance), random_sights(chance))
    explicit = ExplicitEngine()
    if not explicit.worlds(pair[1]):
        return found
    has_actions = False
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        is_action = chance.random() < 0.25
        if is_action:
            action = random_action(chance, changes=True)
            if not twins.has_twin(action):
                continue
            after = pair[0].update(action), pair[1].update(twins.action(action))
        else:
            event = random_event(chance)
            after = pair[0].update(event), pair[1].update(twins.event(event))
        if explicit.worlds(after[1]):
            pair, has_actions = after, has_actions or is_action
    for _ in range(_QUESTIONS):
        formula = random_formula(chance, chance.choice((1, 1, 2, 2, 3)), common=True)
        if chance.random() < 0.04:
            formula = random_share(chance)
        try:
            told = differs(smt, twins, pair, formula, at_worlds=not has_actions)
        except (BudgetExceeded, Unsupported) as error:
            found.done[_refusal(error)] += 1
            continue
        found.done["with actions" if has_actions else "at all worlds"] += 1
        if told:
            found.faults.append(f"seed {seed}: {formula}: {told}")
    return found


def growing(seed: int) -> Found:
    """Return the comparisons of one structure without bounds with growing ranges."""
    found, chance = Found(), random.Random(seed)
    law, sights = random_law(chance), random_sights(chance)
    events = [random_event(chance) for _ in range(chance.choice((0, 0, 1)))]
    smt = SmtEngine()
    ranges = [Twins(-most, most, bounded=False) for most in _RANGES]
    pairs = [twins.structures(law, sights) for twins in ranges]
    for event in events:
        pairs = [
            (one.update(event), other.update(twins.event(event)))
            for twins, (one, other) in zip(ranges, pairs, strict=True)
        ]
    explicit = ExplicitEngine()
    if not all(explicit.worlds(other) for _, other in pairs) or smt.valid(pairs[0][0], FALSE):
        return found
    said = (*law, *(constraint.formula for event in events for constraint in event.constraints))
    for _ in range(_QUESTIONS):
        formula = random_formula(chance, chance.choice((1, 1, 2)))
        answers = {
            bool(explicit.valid(other, twins.listed(formula)))
            for twins, (_, other) in zip(ranges, pairs, strict=True)
        }
        try:
            known = bool(smt.valid(pairs[0][0], formula, _BUDGET))
        except (BudgetExceeded, Unsupported) as error:
            found.done[_refusal(error)] += 1
            continue
        agree = "differ" if len(answers) > 1 else "agree" if {known} == answers else "mislead"
        by_z3 = FirstOrder(NAMES, sights).valid(said, formula, _QUANTIFIERS)
        quantified = "no answer" if by_z3 is None else "agree"
        found.done[f"growing ranges {agree}, quantifiers: {quantified}"] += 1
        told = f"seed {seed}: {formula}: {known} without bounds"
        if by_z3 is (not known):
            found.faults.append(told)
        elif by_z3 is None and agree == "mislead":
            found.notes.append(told)
    return found


@click.command()
@click.option("--small", "few", default=1_000, help="How many structures between two bounds.")
@click.option("--growing", "many", default=100, help="How many structures without bounds.")
@click.option("--seed", default=1, help="The first seed.")
@click.option("--workers", default=1, help="So many processes.")
def numbers(few: int, many: int, seed: int, workers: int) -> Found:
    """Compare the smt engine with the explicit engine about numbers: 20 questions per structure."""
    found = Found()
    with Pool(workers) as pool:
        for job, most in ((small, few), (growing, many)):
            for result in pool.imap(job, range(seed, seed + most)):
                found.done += result.done
                found.notes += result.notes
                for told in result.faults:
                    found.fault(told)
    return found
