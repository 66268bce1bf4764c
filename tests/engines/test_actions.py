"""Action models in all engines, against a product update that lists worlds and events.

A sample of what `python -m benchmarks events` does for thousands.
"""

from __future__ import annotations

from contextlib import suppress

import pytest

from benchmarks.events import compare, compare_with_kd45, key_of_point, story
from symkripke.engines import engine
from symkripke.errors import Unsupported
from symkripke.explain.evidence import Known
from symkripke.language import Atom, B, K, parse
from symkripke.language.formulas import AfterAction
from symkripke.model import (
    WHICH,
    ActionModel,
    Constraint,
    Fluent,
    KnowledgeStructure,
    PossibleEvent,
    Postcondition,
    Scene,
    Vocabulary,
)
from symkripke.testing.random_actions import plain_names
from symkripke.testing.random_models import BOOLEAN, Seeded, random_formula

HEADS = Atom("heads")


@pytest.mark.parametrize("seed", [*range(9_000, 9_006), 134])
def test_engines_agree_with_the_product_update(seed: int) -> None:
    found = compare(seed, story(seed))
    assert found["questions, explicit"] >= 4


@pytest.mark.parametrize("seed", range(9_000, 9_003))
def test_belief_is_as_in_kd45_where_none_is_empty(seed: int) -> None:
    assert compare_with_kd45(seed, story(seed, plain=True))


def test_smt_answers_what_it_does_not_refuse() -> None:
    answered = 0
    for seed in range(9_000, 9_006):
        told, choices = story(seed), Seeded(seed)
        scene_of = engine("explicit").witness(told.structure, "true")
        assert scene_of is not None
        scene = Scene(told.structure, scene_of)
        places = [key_of_point(point) for point in told.model.points]
        place = places.index(told.key_of(scene_of))
        names = plain_names(told.structure)
        for operators in ((*BOOLEAN, "K", "K"), (*BOOLEAN, "B", "B")):
            asked = random_formula(choices, names, 2, operators)
            with suppress(Unsupported):
                holds = bool(engine("smt").holds(scene, asked))
                assert holds == told.model.truths(asked)[place], (seed, asked)
                answered += 1
    assert answered >= 6


# ---- reasons ----------------------------------------------------------------------------------


def turned() -> tuple[Scene, ActionModel]:
    """A coin that shows heads, which all know; Ann may turn it, which Bob does not notice."""
    vocabulary = Vocabulary.of([Fluent("heads")], ("ann", "bob"))
    structure = KnowledgeStructure.of(vocabulary, [Constraint(HEADS, "all see heads")], {})
    turn = PossibleEvent("turn", postconditions=[Postcondition("heads", ~HEADS)])
    action = ActionModel("ann turns the coin", [turn], {"ann": WHICH})
    return Scene.of(structure, {"heads": "true"}), action


@pytest.mark.parametrize("name", ["sat", "auto"])
def test_a_belief_rests_on_what_was_not_noticed(name: str) -> None:
    scene, action = turned()
    why = engine(name).holds(scene.update(action), B("bob", HEADS)).why()
    assert isinstance(why, Known)
    texts = [source.text for source in why.sources]
    assert "bob does not notice: ann turns the coin (believed)" in texts
    assert "ann turns the coin: what becomes of heads" in texts


def test_what_is_so_after_an_action_has_reasons() -> None:
    scene, action = turned()
    for asked in (
        AfterAction(action, parse("B[bob] heads & K[ann] ~heads")),
        AfterAction(action, parse("K[bob] heads")),
        K("bob", AfterAction(action, parse("K[ann] ~heads"))),
        K("bob", AfterAction(action, parse("B[bob] ~heads"))),
    ):
        answer = engine("sat").holds(scene, asked)
        assert answer.why().truth is bool(answer)
