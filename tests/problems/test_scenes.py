"""Scenes of puzzles: the things agree with the facts, and every puzzle has its own look."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from symkripke.drawing.cards import PEOPLE, symbols
from symkripke.drawing.scenes import (
    CHILDREN,
    MOST_PEOPLE,
    Stage,
    faces_of,
    stage,
    thumbnail,
)
from symkripke.drawing.scenes.props import CARD, DOT, PROPS, SIGN, TEXT
from symkripke.engines import Budget
from symkripke.problems import staging
from symkripke.problems.checker import Run
from symkripke.problems.outcome import present
from symkripke.problems.problem import Happening, Problem
from symkripke.problems.puzzles import Puzzle, puzzles
from symkripke.problems.reader import read
from symkripke.problems.scenery import Scenery, matches, scenery_of
from symkripke.problems.staging import Staging


@pytest.fixture(autouse=True)
def _any_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the engines by work alone, so that a slow machine draws the same scenes."""
    monkeypatch.setattr(staging, "_THINKING", Budget(work=60_000))


ALL = tuple(puzzles().values())
NAMES = [each.name for each in ALL]


def scenes(problem: Problem, scenery: Scenery | None) -> Iterator[tuple[Run, Stage]]:
    """Yield the scene after each step of a problem, with the run there."""
    run = Run(problem)
    run.beginning()
    staged = Staging(problem, scenery)
    staged.begin(run)
    yield run, staged.scene(run, staged.said((), "", ""))
    for number, step in enumerate(problem.steps, 1):
        outcome = run.take(step)
        yield run, staged.scene(run, staged.said(problem.steps[:number], "", outcome.verdict))


@cache
def classic(name: str, n: int | None = None) -> list[tuple[dict[str, str], Stage]]:
    """Return the actual world and the scene after each step of a puzzle."""
    found = puzzles()[name]
    problem = found.problem(n)
    return [
        (
            {} if run.scene is None else dict(present(problem, run.structure, run.scene.world)),
            scene,
        )
        for run, scene in scenes(problem, scenery_of(found))
    ]


def box(svg: str) -> str:
    found = re.search(r'viewBox="([^"]*)"', svg)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("puzzle", ALL, ids=NAMES)
def test_each_puzzle_has_a_look_of_its_own_that_fits_it(puzzle: Puzzle) -> None:
    scenery, problem = scenery_of(puzzle), puzzle.problem()
    assert scenery is not None
    fluents = [*problem.coded, *problem.structure.vocabulary.plain]
    for step in problem.steps:
        fluents += [f.name for f in step.event.fluents] if isinstance(step, Happening) else []
    patterns = [rule.fluent for rule in scenery.props]
    patterns += [pattern for rule in scenery.thoughts for pattern in rule.about]
    for pattern in patterns:
        assert any(matches(pattern, name) is not None for name in fluents), pattern
    told = {yes for yes, _ in problem.words.values()}
    assert {rule.words for rule in scenery.thoughts if rule.words} <= told
    arts = {container for rule in scenery.props for container in rule.within.values()}
    looks = [*(rule.art for rule in scenery.props), *(rule.art for rule in scenery.thoughts)]
    for look in looks:
        arts |= {look} if isinstance(look, str) else {*look.values()}
    assert arts <= {*PROPS, CARD, DOT, SIGN, TEXT}
    assert {*scenery.cast.values(), *scenery.extras.values()} <= {*PEOPLE, *CHILDREN}
    assert all(rule.topic for rule in scenery.thoughts[:1])


@pytest.mark.parametrize("puzzle", ALL, ids=NAMES)
def test_each_step_has_a_scene_and_nothing_moves(puzzle: Puzzle) -> None:
    drawn = [scene for _, scene in classic(puzzle.name)]
    boxes = set()
    for scene in drawn:
        svg = stage(scene)
        ElementTree.fromstring(svg)
        boxes.add(box(svg))
        assert scene.text
        assert all(actor.title in scene.description for actor in scene.actors)
        used = set(re.findall(r'href="#(face-[^"]*)"', svg))
        assert used <= set(re.findall(r'symbol id="([^"]*)"', symbols(faces_of([scene]))))
        assert any(actor.thought is not None for actor in scene.actors)
    assert len(boxes) == 1
    small = thumbnail(Staging(puzzle.problem(), scenery_of(puzzle)).opening())
    ElementTree.fromstring(small)
    assert "scene-text" not in small
    assert "bubble" not in small


def test_mud_and_hats_are_on_those_who_have_them() -> None:
    for name, fluent in (("muddy_children", "muddy"), ("three_hats", "red")):
        for world, scene in classic(name):
            worn = {
                actor.title.split()[-1]: (actor.forehead or actor.hat)
                for actor in scene.actors
                if actor.title != "Father"
            }
            for who, prop in worn.items():
                is_so = world[f"{fluent}({who})"] == "true"
                assert (prop is not None and prop.art in ("mud", "hat")) == is_so


def test_cards_are_in_the_hands_of_their_owners() -> None:
    for world, scene in classic("russian_cards"):
        for actor in scene.actors:
            held = {f"owner({prop.label})" for prop in actor.hand}
            assert held == {name for name, who in world.items() if who == actor.title.lower()}


def test_the_marble_is_in_its_container_and_in_the_thoughts() -> None:
    thoughts = []
    for world, scene in classic("sally_anne"):
        inside = {thing.title for thing in scene.things if thing.inside is not None}
        assert inside == {world["marble"]}
        sally = scene.actors[0]
        assert sally.is_away == (world["inside(sally)"] == "false")
        assert sally.thought is not None
        thoughts.append((sally.thought.props[0].art, sally.thought.is_belief))
    changes = [now for before, now in pairwise(thoughts) if now != before]
    assert thoughts[0] == ("basket", False)
    assert changes == [("basket", True), ("box", False)]


def test_what_the_father_says_is_a_step_with_a_before_and_an_after() -> None:
    drawn = [scene for _, scene in classic("muddy_children", 2)]
    said = next(number for number, scene in enumerate(drawn) if scene.kind == "said")
    for scene, knows in ((drawn[said], False), (drawn[said + 1], True)):
        father, first, second = scene.actors
        assert father.is_due
        assert scene.text == "At least one of you is muddy."
        assert father.thought is None
        assert first.thought is not None
        assert second.thought is not None
        assert bool(first.thought.props) == knows
        assert not second.thought.props


def test_those_who_announce_something_say_it() -> None:
    speakers = {
        name: [
            [actor.title for actor in scene.actors if actor.is_due]
            for _, scene in classic(name)
            if scene.kind == "said"
        ]
        for name in ("three_hats", "dining_cryptographers", "cheryls_birthday", "muddy_children")
    }
    assert speakers["three_hats"] == [["Person 3"], ["Person 2"]]
    assert speakers["dining_cryptographers"] == [[f"Diner {i}"] for i in (1, 2, 3)]
    albert, bernard = ["Albert"], ["Bernard"]
    assert speakers["cheryls_birthday"] == [albert, albert, bernard, bernard, albert, albert]
    assert [f"Child {child}" for child in range(1, 5)] in speakers["muddy_children"]


def test_the_calendar_has_the_dates_that_are_still_possible() -> None:
    left = []
    for _, scene in classic("cheryls_birthday"):
        assert scene.board is not None
        assert sum(len(row) for _, row in scene.board.rows) == 10
        left.append(
            [(head, day) for head, row in scene.board.rows for day, is_left in row if is_left]
        )
    assert [len(dates) for dates in left] == [10, 10, 10, 5, 5, 3, 3, 1, 1]
    assert left[-1] == [("July", "16")]


def test_what_is_not_given_has_a_question_mark() -> None:
    first, *_, last = (scene for _, scene in classic("sum_and_product"))
    assert [thing.prop.is_open for thing in first.things] == [True, True]
    assert [thing.prop.label for thing in last.things] == ["4", "13"]
    several = "agents ann\nfluent p, q\nlaw p\nactual where p"
    problem = read(several, "a file")
    for _, scene in scenes(problem, None):
        assert [thing.prop.label for thing in scene.things] == ["p: ?", "q: ?"]


@pytest.mark.parametrize("people", [1, 12, 30])
def test_any_file_has_scenes(people: int) -> None:
    text = f"""agents 1..{people}
fluent rain, long_name_of_a_fluent(a) for a in agents
fluent coin in {{heads, tails}}
for a in agents: a sees long_name_of_a_fluent(a)
1 sees rain
actual rain, coin = heads
announce K[1] rain
true? K[1] rain
"""
    drawn = [scene for _, scene in scenes(read(text, "a file"), None)]
    for scene in drawn:
        ElementTree.fromstring(stage(scene))
        assert len(scene.actors) + scene.absent == people
        assert len(scene.actors) <= MOST_PEOPLE
        assert {prop.art for prop in scene.props()} <= {"sign", "text"}
        assert [thing.prop.label for thing in scene.things] == ["rain: yes", "coin: heads"]
    assert drawn[1].kind == "said"
    assert drawn[1].actors[0].is_due


def test_agents_with_short_names_have_their_own_facts_only() -> None:
    problem = read("agents a, b\nfluent p(a), p(b)\nactual p(a)\nvalid? p(a)", "a file")
    for _, scene in scenes(problem, None):
        held = [[prop.label for prop in actor.hand] for actor in scene.actors]
        assert held == [["p: yes"], ["p: no"]]


def test_a_file_without_facts_or_people_has_a_scene() -> None:
    question = 'fluent p\nsay "Note: this is so."\nvalid? p | ~p'
    for text in (question, f"agents ann\n{question}"):
        for _, scene in scenes(read(text, "a file"), None):
            ElementTree.fromstring(stage(scene))


def test_patterns_have_letters_for_arguments() -> None:
    assert matches("has(i, i)", "has(2, 2)") == {"i": "2"}
    assert matches("has(i, i)", "has(2, 3)") is None
    assert matches("has(i)", "has(2, 3)") is None
    assert matches("has(2)", "had(2)") is None
    assert matches("has(2)", "has(2)") == {"2": "2"}
