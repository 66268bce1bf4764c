"""Listed models: any relations, and the product update, of which signals are a special case."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from symkripke import engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.explicit.frames import Contractor, Truth, listed
from symkripke.errors import Unsupported
from symkripke.language import Atom, parse
from symkripke.language import formulas as f
from symkripke.model import (
    NOTHING,
    SKIP,
    WHICH,
    ActionModel,
    Constraint,
    Fluent,
    KnowledgeStructure,
    Observable,
    PossibleEvent,
    Postcondition,
    Sees,
    Vocabulary,
    that,
)
from symkripke.model.listed import ListedEvent, ListedModel, Pairs, product

P, Q = Atom("p"), Atom("q")


def start() -> KnowledgeStructure:
    """Return a structure with three worlds, in which ann observes p."""
    vocabulary = Vocabulary.of([Fluent("p"), Fluent("q")], ("ann", "bob", "eve"))
    law = [Constraint(P | Q, "one of them")]
    return KnowledgeStructure.of(vocabulary, law, {"ann": [Observable(P, "she looks")]})


def by_signals(truth: Truth, action: ActionModel, agents: tuple[str, ...]) -> ListedModel:
    """Return the product by an action of our own: Q is "the same signal"."""
    names = [event.name for event in action.events]
    if any(action.can_be_missed_by(agent) for agent in agents):
        names.append(SKIP)
    events = []
    for name in names:
        event = action.event(name)
        values = {}
        for change in event.postconditions:
            values[Atom(change.fluent)] = truth(dict(change.cases)["true"])
        events.append(ListedEvent(truth(event.precondition), values))

    def signals(agent: str) -> Iterator[tuple[Pairs, Pairs]]:
        where: dict[object, list[int]] = {}
        for number, name in enumerate(names):
            left = truth.model.worlds
            for condition, how in action.cases(agent):
                here = left & truth(condition)
                left &= ~here
                signal = None if name == SKIP else how.signal(name)
                where.setdefault(signal, [0] * len(names))[number] |= here
        return ((tuple(part), tuple(part)) for part in where.values())

    sees = {agent: tuple(signals(agent)) for agent in agents}
    actual = [number for number, name in enumerate(names) if name in action.actual]
    return product(truth.model, events, sees, actual)


WAYS: dict[str, Sees | list[tuple[f.Formula, Sees]]] = {
    "which": WHICH,
    "that": that(),
    "nothing": NOTHING,
    "by condition": [(Q, WHICH), (f.K("ann", P), that(("yes",)))],
}


@pytest.mark.parametrize("bob", WAYS)
@pytest.mark.parametrize("eve", WAYS)
def test_signals_are_a_special_case_of_the_product(bob: str, eve: str) -> None:
    action = ActionModel(
        "ann tells something, and q changes",
        [
            PossibleEvent("yes", P),
            PossibleEvent("no", f.K("ann", ~P) | Q, [Postcondition("q", P & ~Q)]),
        ],
        {"ann": WHICH, "bob": WAYS[bob], "eve": WAYS[eve]},
    )
    explicit = ExplicitEngine()
    before = start()
    after = before.update(action)
    model = explicit.model(after)
    occurrence = after.history.occurrence
    assert occurrence is not None
    happened = np.any(
        [model.table.truth(occurrence.happened(name)) for name in action.actual], axis=0
    )
    whole = np.ones(explicit.model(before).size, dtype=np.bool_)
    first = listed(before, explicit.model(before), whole)
    ours = listed(after, model, happened)
    general = by_signals(Truth(first), action, before.agents)
    assert general.number == ours.number
    contractor = Contractor()

    def types(listing: ListedModel) -> tuple[frozenset[int], frozenset[int]]:
        atoms = list(before.atoms)
        labels: dict[object, int] = {}
        for world in range(listing.size):
            if listing.worlds >> world & 1:
                label = tuple(listing.truth[atom] >> world & 1 for atom in atoms)
                labels[label] = labels.get(label, 0) | 1 << world
        blocks, _ = contractor.types(listing, labels)
        actual = {kind for kind, worlds in blocks.items() if worlds & listing.designated}
        return frozenset(blocks), frozenset(actual)

    assert types(general) == types(ours)


def chain() -> ListedModel:
    """Return a K model 0 -> 1 -> 2 for ann, in which bob considers no world possible."""
    arrows = {"ann": ((0b001, 0b010), (0b010, 0b100)), "bob": ()}
    return ListedModel(3, 0b111, 0b001, {P: 0b110, Q: 0b100}, arrows)


@pytest.mark.parametrize(
    ("formula", "worlds"),
    [
        ("K[ann] p", 0b111),
        ("K[ann] q", 0b110),
        ("M[ann] q", 0b010),
        ("K[bob] false", 0b111),
        ("Kw[ann] p", 0b111),
        ("E[ann, bob] q", 0b110),
        ("C[ann] p", 0b111),
        ("C[ann] q", 0b110),
        ("D[ann, bob] false", 0b111),
        ("M[ann] true", 0b011),
        ("p <-> q", 0b101),
    ],
)
def test_truth_in_k_frames(formula: str, worlds: int) -> None:
    """C is about one or more steps; who considers no world possible knows everything."""
    assert Truth(chain())(parse(formula)) == worlds
    assert bool(ExplicitEngine().holds(chain(), formula)) == bool(worlds & 1)


@pytest.mark.parametrize("name", ["sat", "bdd", "smt", "auto"])
def test_other_engines_refuse_listed_models(name: str) -> None:
    model: Any = chain()
    with pytest.raises(Unsupported, match="ask the explicit engine"):
        engine(name).holds(model, "p")
