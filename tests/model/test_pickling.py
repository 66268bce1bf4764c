"""Pickles and copies are equal to the original; formulas are even identical."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from symkripke.engines import ENGINES, engine
from symkripke.errors import ImpossibleEvent, InputError, SymkripkeError
from symkripke.language import parse
from symkripke.model import Event, Fluent, KnowledgeStructure, Scene, Vocabulary
from symkripke.play import Table, game
from symkripke.testing.random_actions import random_action
from symkripke.testing.random_models import (
    BELIEF,
    BOOLEAN,
    KNOWLEDGE,
    Names,
    Seeded,
    random_formula,
    random_history,
)


def _pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@pytest.fixture(params=[_pickled, copy.deepcopy], ids=["pickled", "copied"])
def again(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    """Return a function that duplicates an object."""
    made: Callable[[Any], Any] = request.param
    return made


def _story(seed: int) -> Scene:
    """Return a scene after random events and random actions."""
    choices = Seeded(seed)
    asked = engine("explicit")
    scene = random_history(
        choices, most_events=3, most_fluents=4, most_worlds=64, likelihoods=True, beliefs=True
    )
    for place in range(seed % 3):
        action = random_action(choices, Names.of(scene.structure), 9 + place)
        for event in action.events:
            try:
                scene = scene.update(
                    action, judge=lambda at, f: bool(asked.holds(at, f)), happens=event.name
                )
                break
            except (ImpossibleEvent, SymkripkeError):
                continue
    return scene


@pytest.mark.parametrize("seed", range(12))
def test_scenes_and_formulas(seed: int, again: Callable[[Any], Any]) -> None:
    scene = _story(seed)
    other = again(scene)
    assert other is not scene
    choices, names = Seeded(seed), Names.of(scene.structure)
    operators = (*BOOLEAN, *KNOWLEDGE, *BELIEF)
    for formula in [random_formula(choices, names, 3, operators) for _ in range(6)]:
        assert again(formula) is formula
        told = []
        for asked in (scene, other):
            try:
                answer = engine("explicit").holds(asked, formula)
                told.append((bool(answer), repr(answer.why())))
            except SymkripkeError as error:
                told.append((False, str(error)))
        assert told[0] == told[1], formula
    for agent in scene.structure.agents:
        view = scene.perspective(agent)
        assert again(view).seen == view.seen
        sheets = [engine("explicit").sheet(v).marks for v in (view, again(view))]
        assert sheets[0] == sheets[1]


def test_a_long_history(again: Callable[[Any], Any]) -> None:
    structure = KnowledgeStructure.of(Vocabulary.of([Fluent("p")], ("a",)), (), {"a": ()})
    for number in range(600):
        structure = structure.update(Event(f"event {number}", observes={}))
    other = again(structure)
    assert [stage.history.event.source for stage in other.history.past[1:]] == [
        stage.history.event.source
        for stage in structure.history.past[1:]
        if stage.history.event is not None
    ]


@pytest.mark.parametrize("name", ["cluedo", "old_maid"])
def test_tables_and_moments(name: str, again: Callable[[Any], Any]) -> None:
    table: Table[Any, Any] = Table.of(game(name), seed=1)
    for _ in range(8):
        table.step()
    moment = table.moment
    other, later = again(table), again(moment)
    # All moments still share the stages of the history.
    assert later.states[-1].structure.root is later.states[-2].structure.root
    for player in table.setup.players:
        assert later.sheet(player).marks == moment.sheet(player).marks
        assert other.moment.sheet(player).marks == moment.sheet(player).marks
    for _ in range(4):
        assert str(other.step()) == str(table.step())


@pytest.mark.parametrize("name", ENGINES)
def test_a_pickled_engine_is_new_with_the_same_settings(
    name: str, again: Callable[[Any], Any]
) -> None:
    asked = again(engine(name))
    assert asked.name == name
    assert asked.holds(_story(1), "true")
    if name in ("auto", "bdd", "explicit"):
        assert again(engine(name, "plausible")).weighting == "plausible"


def test_an_answer_is_copied_but_not_pickled() -> None:
    scene = _story(1)
    answer = engine().holds(scene, parse("true"))
    assert copy.deepcopy(answer) is answer
    with pytest.raises(InputError, match=r"pickle bool\(answer\) or answer.why\(\)"):
        pickle.dumps(answer)
    assert _pickled(answer.why()) == answer.why()
