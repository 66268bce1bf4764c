"""Action models: the errors that they raise, and their effect on structures and scenes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import ImpossibleEvent, InputError, UnknownName
from symkripke.language import FALSE, TRUE, Atom, Formula, parse
from symkripke.language.formulas import AfterAction, AnnouncedTrue, Implies, K
from symkripke.model import (
    ABOVE_ALL,
    NOTHING,
    WHICH,
    ActionModel,
    Change,
    Constraint,
    Event,
    Fixed,
    Fluent,
    KnowledgeStructure,
    MultiPointedStructure,
    Observable,
    PossibleEvent,
    Postcondition,
    Scene,
    Vocabulary,
    forgetting,
    that,
)
from symkripke.testing.random_actions import random_action
from symkripke.testing.random_models import (
    ALL,
    BELIEF,
    BOOLEAN,
    Names,
    Seeded,
    random_formula,
    random_history,
)
from tests.support.listed import listed
from tests.support.product_update import TooManyPoints
from tests.support.stories import as_act

HEADS = Atom("heads")
TURN = Postcondition("heads", ~HEADS)
LOOK = (PossibleEvent("heads", HEADS), PossibleEvent("tails", ~HEADS))


LONELY: Any = [("true",)]
OPERATORS = (*ALL, *BELIEF, "B", "K", "atom")


def judge(scene: Scene, formula: Formula) -> bool:
    return bool(engine("explicit").holds(scene, formula))


def coin(sees: tuple[str, ...] = (), heads: str = "true") -> Scene:
    """Return a coin that some agents see."""
    vocabulary = Vocabulary.of([Fluent("heads"), Fluent("in(bob)")], ("ann", "bob"))
    looks = {agent: [Observable(HEADS, "looks")] for agent in sees}
    structure = KnowledgeStructure.of(vocabulary, [], looks)
    return Scene.of(structure, {"heads": heads, "in(bob)": "false"})


def secret_turn(rank: int = ABOVE_ALL) -> ActionModel:
    return ActionModel(
        "ann turns it", [PossibleEvent("turn", TRUE, [TURN])], {"ann": WHICH}, rank=rank
    )


def holds(scene: Scene, *formulas: str) -> list[bool]:
    return [bool(engine("explicit").holds(scene, formula)) for formula in formulas]


# ---- errors ---------------------------------------------------------------------------------


def one_event(*arguments: Any) -> ActionModel:
    return ActionModel("x", [PossibleEvent("e", *arguments)])


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: PossibleEvent("skip"), "other than skip"),
        (lambda: PossibleEvent("two words"), "a word or a term"),
        (lambda: PossibleEvent("e", TRUE, [TURN, TURN]), "heads changes twice"),
        (lambda: that(["a", "b"], ["b"]), "b is in two classes"),
        (lambda: that([]), "one or more events"),
        (lambda: ActionModel("x", []), "at least one event"),
        (lambda: ActionModel("x", [*LOOK, *LOOK]), "heads is given twice"),
        (lambda: ActionModel("x", [PossibleEvent("a(b)"), PossibleEvent("a_b")]), "called a_b"),
        (lambda: ActionModel("x", LOOK, {"ann": that(["head"])}), "'head'"),
        (lambda: ActionModel("x", LOOK, actual=["taels"]), "'taels'"),
        (lambda: ActionModel("x", LOOK, otherwise=WHICH, actual=["skip"]), "'skip'"),
        (lambda: ActionModel("x", LOOK, rank=True), "a whole number as a rank"),
        (lambda: ActionModel("x", LOOK, {"ann": LONELY}), "a condition and how"),
        (lambda: Postcondition("p", LONELY), "a value and its condition"),
        (lambda: done(ActionModel("x", LOOK, {"eve": WHICH})), "agent 'eve'"),
        (lambda: done(one_event(Atom("haeds"))), "fluent 'haeds'"),
        (lambda: done(one_event(TRUE, [Postcondition("haeds", "true")])), "fluent 'haeds'"),
        (lambda: done(one_event(TRUE, [Postcondition("heads", "up")])), "value of heads 'up'"),
        (lambda: done(ActionModel("x", LOOK, fluents=[Fluent("heads")])), "'heads' already exists"),
        (
            lambda: done(ActionModel("x", LOOK, {"ann": [(parse("K[eve] heads"), WHICH)]})),
            "agent 'eve'",
        ),
    ],
)
def test_invalid_actions_and_unknown_names(make: Callable[[], object], says: str) -> None:
    with pytest.raises(InputError, match=says):
        make()


def done(action: ActionModel) -> KnowledgeStructure:
    return coin().structure.update(action)


def test_the_actual_event_must_be_possible_and_unambiguous() -> None:
    look = ActionModel("ann looks", LOOK, {"ann": WHICH}, actual=["heads"])
    assert coin().update(look).structure.history.occurrence is not None
    with pytest.raises(ImpossibleEvent, match="got none of them"):
        coin(heads="false").update(look)
    with pytest.raises(ImpossibleEvent, match="tails cannot be the actual event"):
        coin(heads="false").update(look, happens="tails")
    with pytest.raises(UnknownName, match="'tail'"):
        coin().update(look, happens="tail")
    with pytest.raises(ImpossibleEvent, match="heads cannot happen"):
        coin(heads="false").update(ActionModel("x", LOOK, {"ann": WHICH}), happens="heads")
    both = ActionModel("x", [PossibleEvent("a"), PossibleEvent("b")], {"ann": WHICH})
    with pytest.raises(ImpossibleEvent, match="got a, b"):
        coin().update(both)
    with pytest.raises(InputError, match="an engine"):
        coin().update(one_event(parse("~K[ann] heads")))
    with pytest.raises(ImpossibleEvent, match="told"):
        coin().update(ActionModel("x", LOOK, fluents=[Fluent("told")]))


# ---- effects --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_updates_give_the_products_of_worlds_and_events(seed: int) -> None:
    """The oracle lists products: events come first, then actions.

    The test compares the number of worlds, what is true at all of them, and what is true at the
    actual world.
    """
    choices, explicit = Seeded(seed), ExplicitEngine()
    scene = random_history(choices, seed % 4, 3, judge, most_worlds=40, beliefs=True)
    structure = scene.structure
    model, names = listed(structure.root), replace(Names.of(structure.root), changes={})
    for stage in structure.stages[1:]:
        event = stage.history.event
        assert isinstance(event, Event)
        model, names = model.update(as_act(event, names.agents)), names.after(event)
    (here,) = (place for place, there in enumerate(model.points) if _is_at(scene, there.values))
    for agent in names.agents:
        (cell,) = (cell for cell in model.cells(agent) if here in cell)
        assert explicit.worlds(scene.perspective(agent)) == len(cell)
    for _ in range(8):
        said = random_formula(choices, names, 3, OPERATORS)
        assert bool(explicit.holds(scene, said)) is model.truths(said)[here], str(said)
    for place in range(seed % 3):
        action = random_action(choices, names, 7 + place)
        try:
            model = model.update(as_act(action, names.agents))
        except TooManyPoints:
            break
        structure, names = structure.update(action), names.after(action)
    assert explicit.worlds(structure) == len(model.points)
    for _ in range(8):
        said = random_formula(choices, names, 3, OPERATORS)
        assert bool(explicit.valid(structure, said)) == all(model.truths(said)), str(said)
        for agent in names.agents:  # few formulas are true everywhere
            heard = AnnouncedTrue(said, K(agent, ~said))
            assert bool(explicit.valid(structure, heard)) == all(model.truths(heard)), str(said)
        first = random_formula(choices, names, 1, BOOLEAN)
        asked = Implies(first, said)
        assert bool(explicit.valid(structure, asked)) == all(model.truths(asked)), str(asked)


def _is_at(scene: Scene, values: Mapping[str, str]) -> bool:
    """Return whether a world of the oracle, where first versions are `x#0`, is the actual one."""
    return all(
        values.get(f"{name}#0", values[name]) == value for name, value in scene.world.items()
    )


def test_an_action_that_all_notice_is_an_event() -> None:
    public = ActionModel("it is turned", [PossibleEvent("turn", HEADS, [TURN])], otherwise=WHICH)
    event = Event(
        "it is turned",
        (Constraint(HEADS, "it is turned"),),
        changes=(Change("heads", (("true", ~HEADS),)),),
    )
    left, right = coin().update(public), coin().update(event)
    assert left.structure.history.occurrence is None
    assert left.world == right.world
    assert [c.formula for c in left.structure.law] == [c.formula for c in right.structure.law]
    fixed = ActionModel(
        "x", [PossibleEvent("e", TRUE, [Postcondition("heads", "true")])], otherwise=WHICH
    )
    assert coin().update(fixed).structure.versions["heads"] == Fixed("true", 1)
    wise = Postcondition("heads", parse("K[ann] heads"))
    learned = ActionModel("x", [PossibleEvent("e", TRUE, [wise])], otherwise=WHICH)
    assert coin().update(learned, judge=judge).structure.history.occurrence is not None


def test_auxiliary_fluents_are_listed_and_have_words() -> None:
    look = ActionModel("ann looks", LOOK, {"ann": [(parse("K[bob] heads"), WHICH)], "bob": that()})
    after = coin(("bob",)).update(look, judge=judge)
    structure = after.structure
    auxiliary, fluents = structure.history.traces.auxiliary, structure.vocabulary.fluents
    assert all(atom.fluent not in auxiliary for atom in structure.atoms)
    assert structure.words(HEADS, False) == "~heads"
    assert {structure.words(atom, True) for name in auxiliary for atom in fluents[name].atoms} == {
        "the event is heads (ann looks)",
        "the event is tails (ann looks)",
        "nothing happened (ann looks)",
        "ann notices heads (ann looks)",
        "ann notices tails (ann looks)",
        "ann notices nothing (ann looks)",
        "before (ann looks), K[bob] heads",
    }
    occurrence = structure.history.occurrence
    assert occurrence is not None
    assert occurrence.event_at(after.world) == "heads"


def test_events_may_be_named_by_terms() -> None:
    calls = [PossibleEvent(f"call({who})") for who in ("ann", "bob")]
    after = coin().update(ActionModel("calls", calls, {"ann": WHICH}), happens="call(bob)")
    assert after.world["event(1)"] == "call_bob"
    assert after.structure.history.occurrence is not None
    assert after.structure.history.occurrence.event_at(after.world) == "call(bob)"


def test_a_perspective_is_updated_like_its_scene() -> None:
    scene = coin(("bob",)).update(secret_turn())
    before = coin(("bob",)).perspective("ann")
    seen = [
        a
        for a in scene.perspective("ann").seen
        if a.fluent in scene.structure.history.traces.auxiliary
    ]
    assert before.update(secret_turn(), seen).seen == scene.perspective("ann").seen


def test_an_action_can_be_forgotten_without_earlier_ones() -> None:
    look = ActionModel("ann looks", LOOK, {"ann": WHICH})
    after = coin().update(look).update(secret_turn())
    left = forgetting(after.perspective("ann"), [2])
    asked = engine("explicit").holds
    assert bool(asked(left, "K[ann] heads#0"))
    assert not bool(asked(left, "Kw[ann] heads"))


# ---- formulas after an action ----------------------------------------------------------------


def test_after_an_action() -> None:
    look = ActionModel("ann looks", LOOK, {"ann": WHICH})
    knows, step = parse("Kw[ann] heads & ~K[bob] Kw[ann] heads"), "[ann looks] "
    formula = AfterAction(look, knows)
    assert str(formula).startswith(step)
    for name in ("explicit", "bdd", "sat", "auto"):
        asked = engine(name).holds
        assert bool(asked(coin(), formula)), name
        assert bool(asked(coin(), parse("true") & AfterAction(look, formula))), name
        assert not bool(asked(coin(), AfterAction(look, parse("K[bob] heads")))), name
    impossible = ActionModel("x", [PossibleEvent("never", FALSE)], {"ann": WHICH})
    assert bool(engine().holds(coin(), AfterAction(impossible, FALSE)))
    assert len(coin().outcomes(look)) == 1
    assert len(coin().outcomes(ActionModel("x", LOOK, fluents=[Fluent("told")]))) == 2


def test_all_of_several_actual_worlds() -> None:
    asked = engine().holds
    start = MultiPointedStructure.of(coin(("ann",)).structure, "~in(bob)")
    assert bool(asked(start, "Kw[ann] heads"))
    assert not bool(asked(start, "K[ann] heads"))
    turned = start.update(secret_turn(), asked)
    assert bool(asked(turned, "Kw[ann] heads & (heads <-> ~heads#0)"))
    look = ActionModel("ann looks", LOOK, {"ann": WHICH}, actual=["heads"])
    with pytest.raises(ImpossibleEvent, match="none of heads can happen"):
        start.update(look, asked)
    with pytest.raises(ImpossibleEvent, match="is false in the actual world"):
        start.update(Event("said", (Constraint(HEADS, "said"),)), asked)
    told = Event("told", (Constraint(parse("told <-> heads"), "told"),), (Fluent("told"),))
    assert bool(asked(start.update(told, asked, {"told": "true"}), "heads"))
    with pytest.raises(InputError, match="about facts"):
        MultiPointedStructure.of(start.structure, "K[ann] heads")


def test_otherwise_covers_all_other_agents() -> None:
    action = ActionModel("x", LOOK, {"bob": [(HEADS, WHICH)]}, otherwise=WHICH)
    assert not action.can_be_missed_by("ann")
    assert action.can_be_missed_by("bob")
    assert NOTHING.signal("heads") is None
