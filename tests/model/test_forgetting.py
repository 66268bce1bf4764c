"""Forgetting: agents know less and nothing false, by the explicit model."""

from __future__ import annotations

import pytest

from symkripke.engines import Mark, engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import ImpossibleEvent, InputError
from symkripke.language import Atom, exactly
from symkripke.model import (
    Change,
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Scene,
    Vocabulary,
    announcement,
    forgetting,
    forgotten,
    private,
)
from symkripke.testing.random_models import Seeded, random_history

PLACES = ("ann", "bob", "cat")
EXPLICIT = ExplicitEngine()

# A bound for the explicit model.
MOST_FLUENTS = 9


def at(card: str, place: str) -> Atom:
    return Atom(f"location({card})", place)


@pytest.fixture
def dealt() -> Scene:
    """Return a deal of three cards, one each; agents see their own cards."""
    cards = ("red", "green", "blue")
    vocabulary = Vocabulary.of([Fluent(f"location({card})", PLACES) for card in cards], PLACES)
    law = [
        Constraint(exactly(1, [at(card, place) for card in cards]), f"{place} has one card")
        for place in PLACES
    ]
    seen = {who: [Observable(at(card, who), "own hand") for card in cards] for who in PLACES}
    structure = KnowledgeStructure.of(vocabulary, law, seen)
    return Scene.of(structure, {f"location({c})": p for c, p in zip(cards, PLACES, strict=True)})


def knows(scene_or_view: object, formula: str) -> bool:
    return bool(EXPLICIT.holds(scene_or_view, formula))  # type: ignore[arg-type]


def test_a_forgotten_announcement_has_no_effect(dealt: Scene) -> None:
    told = dealt.update(announcement(at("green", "bob"))).update(announcement(~at("red", "cat")))
    view = told.perspective("ann")
    assert knows(view, "K[ann] location(blue) = cat")
    left = forgetting(view, [1])
    assert not knows(left, "K[ann] location(blue) = cat")
    assert EXPLICIT.worlds(left) == EXPLICIT.worlds(dealt.perspective("ann")) == 2
    assert len(left.structure.stages) == len(view.structure.stages)
    assert forgetting(view, []) is view


def test_a_forgotten_move_leaves_no_wrong_belief_behind(dealt: Scene) -> None:
    """Bob openly gives Cat the green card. Agents that forget it must not think that Bob has it."""
    moved = dealt.update(announcement(at("green", "bob"))).update(
        Event("bob gave cat green", changes=(Change("location(green)", "cat"),))
    )
    ann, cat = moved.perspective("ann"), moved.perspective("cat")
    assert knows(ann, "K[ann] location(green) = cat")
    left = forgetting(ann, [2])
    assert knows(left, "M[ann] location(green) = bob & M[ann] location(green) = cat")
    # Ann sees her own hand, and remembers where the card was.
    assert knows(left, "K[ann] location(green) != ann & K[ann] location(green)#0 = bob")
    # Cat sees the card in her hand even if she has forgotten the events.
    assert knows(forgetting(cat, [1, 2]), "K[cat] location(green) = cat")
    assert not knows(forgetting(cat, [1, 2]), "K[cat] location(green)#0 = bob")


def test_a_weaker_event_may_be_given(dealt: Scene) -> None:
    moved = dealt.update(
        Event(
            "bob gave ann green",
            (Constraint(at("green", "bob"), "he had it"),),
            changes=(Change("location(green)", "ann"),),
        )
    )
    weaker = Event("somebody said something", (Constraint(~at("green", "cat"), ""),))
    view = moved.perspective("bob")
    assert knows(forgetting(view, {1: weaker}), "K[bob] location(green) = bob")
    assert moved.structure.history.event is not None
    left = forgetting(view, {1: forgotten(moved.structure.history.event)})
    assert not knows(left, "K[bob] location(green) = bob")
    assert not knows(left, "M[bob] location(green) = bob"), "he sees that it is not his"


def test_observations_in_a_forgotten_event_are_forgotten(dealt: Scene) -> None:
    shown = Fluent("shown", ("red", "green"))
    event = private(shown, ["bob"], Atom("shown", "red") >> at("red", "ann"), "ann shows a card")
    view = dealt.update(event, {"shown": "red"}).perspective("bob")
    assert knows(view, "K[bob] location(red) = ann & K[bob] shown = red")
    left = forgetting(view, [1])
    assert knows(left, "M[bob] location(red) = cat & M[bob] shown = green")


def test_numbers_and_observers_are_checked(dealt: Scene) -> None:
    view = dealt.update(announcement(at("green", "bob"))).perspective("ann")
    for number in (0, 2):
        with pytest.raises(InputError, match="expected events from 1 to 1"):
            forgetting(view, [number])
    peek = Event("", observes={"ann": (Observable(at("green", "cat"), "peeks"),)})
    with pytest.raises(InputError, match="ann did not see location\\(green\\) = cat"):
        forgetting(view, {1: peek})


def test_an_unknown_change_needs_its_value(dealt: Scene) -> None:
    event = Event("red went away", changes=(Change("location(red)", None),))
    with pytest.raises(ImpossibleEvent, match="no new value is given for location\\(red\\)"):
        dealt.update(event)
    with pytest.raises(InputError, match="unknown value of location\\(red\\)"):
        dealt.update(event, {"location(red)": "dan"})
    scene = dealt.update(event, {"location(red)": "bob"})
    assert knows(scene, "K[bob] location(red) = bob & M[ann] location(red) = cat")
    assert knows(scene, "location(red) = bob & K[ann] location(red)#0 = ann")


@pytest.mark.parametrize("block", range(3))
def test_forgetting_is_sound_on_random_histories(block: int) -> None:
    """Forgetting only removes knowledge, and never adds or changes any; the engines agree."""
    sat, checked, less = engine("sat"), 0, 0
    for seed in range(block * 60, block * 60 + 60):
        choices = Seeded(seed)
        scene = random_history(choices, 3, 3)
        if scene.structure.law.is_modal or len(scene.structure.stages) < 2:
            continue
        events = range(1, len(scene.structure.stages))
        gone = [number for number in events if choices.integer(0, 1)]
        for agent in scene.structure.agents:
            view = scene.perspective(agent)
            left = forgetting(view, gone)
            if len(left.structure.vocabulary.fluents) > MOST_FLUENTS:
                continue
            for (atom, before), (_, after) in zip(
                EXPLICIT.sheet(view), EXPLICIT.sheet(left, EXPLICIT.sheet(view).atoms), strict=True
            ):
                assert after in (Mark.OPEN, before), (seed, agent, str(atom))
                checked += 1
                less += after is not before
            assert sat.sheet(left).marks == EXPLICIT.sheet(left).marks, (seed, agent)
    assert checked > 100
    assert less > 10
