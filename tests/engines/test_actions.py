"""Action models in all engines, against a product update that lists worlds and events.

A sample of what `python -m tests.soak events` does for thousands.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from itertools import count
from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.engines.bdd import BddEngine
from symkripke.errors import Unsupported
from symkripke.explain.evidence import Known
from symkripke.language import (
    CB,
    EB,
    Atom,
    B,
    C,
    Cardinality,
    D,
    E,
    Formula,
    K,
    Kw,
    P,
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
    State,
    Vocabulary,
)
from tests.support.stories import KINDS
from tests.support.story_check import ENGINES, compare, shrunk

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


def test_a_wrong_answer_is_found_and_its_story_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine takes all beliefs for true."""
    right = BddEngine.holds

    def holds(self: BddEngine, state: State, formula: Formula, *more: Any) -> Any:
        return True if isinstance(formula, B) else right(self, state, formula, *more)

    monkeypatch.setattr(BddEngine, "holds", holds)
    without = [kind for kind in KINDS if kind != "true"]
    results = (compare(seed, written=False, without=without) for seed in count(9_100))
    result = next(result for result in results if result.faults)
    least = shrunk(result, ("true: wrong", "bdd"), 250, without)
    assert least.told == {"bdd": "True, not False"}
    last = least.text.splitlines()[-1]
    assert re.fullmatch(r"true\? B\[\w+\] [pq]  -- False", last)
    assert len(least.text) < 100


def flipped(number: int, true: int) -> tuple[Scene, list[Formula]]:
    """So many fluents of which some are true, and what is so after p(1) is seen or turned."""
    fluents = [Fluent(f"p({place})") for place in range(number)]
    vocabulary = Vocabulary.of(fluents, ("ann", "bob"))
    counted = Cardinality("exactly", true, [Atom(fluent.name) for fluent in fluents])
    structure = KnowledgeStructure.of(vocabulary, [Constraint(counted, "counted")], {})
    world: dict[str, str] = {
        fluent.name: str(place < true).lower() for place, fluent in enumerate(fluents)
    }
    fact = Atom("p(0)")
    look = [PossibleEvent("yes", fact), PossibleEvent("no", ~fact)]
    turn = [PossibleEvent("turn", postconditions=[Postcondition("p(0)", ~fact)])]
    return Scene.of(structure, world), [
        step(ActionModel(name, events, {"ann": WHICH}), then)
        for name, events in (("look", look), ("turn", turn))
        for then in (fact, Kw("ann", fact))
        for step in (AfterAction, after_some)
    ]


def test_operators_over_actions_are_answered_or_refused() -> None:
    both = ("ann", "bob")
    small, large = flipped(4, 2), flipped(20, 10)
    for then, at_full_size in zip(small[1], large[1], strict=True):
        for over in (
            lambda step: C(("ann",), step),
            lambda step: C(both, step),
            lambda step: C(both, step | Atom("p(1)")),
            lambda step: CB(both, step),
            lambda step: E(both, step),
            lambda step: EB(both, step),
            lambda step: D(both, step),
            lambda step: B("bob", step),
            lambda step: B("bob", Atom("p(0)"), step),
            lambda step: P("bob", step, ">=", Fraction(1, 2)),
            lambda step: K("bob", C(both, step)),
            lambda step: C(both, K("bob", step)),
        ):
            expected = bool(engine("explicit").holds(small[0], over(then)))
            assert bool(engine().holds(small[0], over(then))) is expected, over(then)
            with suppress(Unsupported):
                assert bool(engine("sat").holds(small[0], over(then))) is expected, over(then)
            assert bool(engine().holds(large[0], over(at_full_size))) is expected, over(then)
        with pytest.raises(Unsupported, match="after an action"):
            engine("sat").possible_to(small[0], then, both)


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
