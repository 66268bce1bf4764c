"""Action models in all engines, compared with a product update that lists worlds and events.

This is a small sample; `python -m tests.soak events` compares thousands.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from fractions import Fraction
from itertools import product

import pytest

from symkripke.engines import engine
from symkripke.errors import Unsupported
from symkripke.explain.evidence import Known
from symkripke.language import (
    CB,
    EB,
    Atom,
    B,
    C,
    D,
    E,
    K,
    Kw,
    P,
    exactly,
    parse,
)
from symkripke.language.formulas import AfterAction, after_some
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
from tests.support.story_check import ENGINES, compare

HEADS = Atom("heads")


@pytest.mark.parametrize("written", [False, True])
def test_engines_agree_with_the_product_update(written: bool) -> None:
    found = Counter[str]()
    for seed in range(9_000, 9_012):
        result = compare(seed, written=written)
        assert not result.faults, (seed, result.faults)
        found += result.found
    for name in ENGINES:
        assert found[f"outcomes, {name}"] >= 6


def test_operators_over_actions_are_answered_or_refused() -> None:
    """By law, half of 4 or of 20 fluents are true; the actions show or flip p(0)."""
    fact, both, scenes = Atom("p(0)"), ("ann", "bob"), []
    for number in (4, 20):
        atoms = [Atom(f"p({place})") for place in range(number)]
        vocabulary = Vocabulary.of([Fluent(atom.fluent) for atom in atoms], both)
        counted = Constraint(exactly(number // 2, atoms), "counted")
        world: dict[str, str] = {
            atom.fluent: str(n < number // 2).lower() for n, atom in enumerate(atoms)
        }
        scenes.append(Scene.of(KnowledgeStructure.of(vocabulary, [counted], {}), world))
    small, large = scenes
    look = [PossibleEvent("yes", fact), PossibleEvent("no", ~fact)]
    turn = [PossibleEvent("turn", postconditions=[Postcondition("p(0)", ~fact)])]
    for name, events in (("look", look), ("turn", turn)):
        action = ActionModel(name, events, {"ann": WHICH})
        for kind, then in product((AfterAction, after_some), (fact, Kw("ann", fact))):
            step = kind(action, then)
            for asked in (
                C(both, step | Atom("p(1)")),
                CB(both, step),
                E(both, step) | D(both, step),
                EB(both, step),
                B("bob", fact, step),
                P("bob", step, ">=", Fraction(1, 2)),
                K("bob", C(both, step)),
                C(both, K("bob", step)),
            ):
                expected = bool(engine("explicit").holds(small, asked))
                for each in (engine(), engine("sat")):
                    with suppress(Unsupported):
                        assert bool(each.holds(small, asked)) is expected, asked
                assert bool(engine().holds(large, asked)) is expected, asked
            with pytest.raises(Unsupported, match="after an action"):
                engine("sat").possible_to(small, step, both)


# ---- reasons ----------------------------------------------------------------------------------


def turned() -> tuple[Scene, ActionModel]:
    """Return a coin that all know to show heads, and a turn by Ann that Bob does not notice."""
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
    assert "ann turns the coin: the new value of heads" in texts


def test_facts_after_an_action_have_reasons() -> None:
    scene, action = turned()
    for asked in (
        AfterAction(action, parse("B[bob] heads & K[ann] ~heads")),
        AfterAction(action, parse("K[bob] heads")),
        K("bob", AfterAction(action, parse("K[ann] ~heads"))),
        K("bob", AfterAction(action, parse("B[bob] ~heads"))),
    ):
        answer = engine("sat").holds(scene, asked)
        assert answer.why().truth is bool(answer)
