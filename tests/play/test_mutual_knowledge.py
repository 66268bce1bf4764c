"""The measure `mutual-knowledge`, compared with the definitions on a list of all worlds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from symkripke.engines.explicit import ExplicitEngine
from symkripke.language import C, E, Formula
from symkripke.model import Scene
from symkripke.play import Table
from symkripke.play.mutual_knowledge import COMMON, DEEPEST, MUTUAL_KNOWLEDGE, PUBLIC
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.knowledge import solution


def test_levels_follow_the_definitions() -> None:
    seen = set()
    for seed in range(6):
        table = Table(GAME, GAME.setup(players=3, size="3/3/3"), ("first-order",), seed)
        watch = MUTUAL_KNOWLEDGE.watch(table)
        for step in table:
            watch.after(step)
        found = {name: values[0] for name, values in watch.values().items()}
        assert found["undecided"] == 0
        before = {
            event.turn: scene
            for event, scene in zip(table.steps[:-1], table.scenes[1:-1], strict=True)
        }
        over = [turn for turn in (6, 12) if turn < table.steps[-1].turn]
        times = {f"after{turn}": before[turn] for turn in over} | {"end": table.scenes[-2]}
        fluents = table.scenes[0].structure.vocabulary.fluents
        cards = [fluents[name].equals(value) for name, value in table.deal.items()]
        inside = solution(*(name[9:-1] for name, at in table.deal.items() if at == "envelope"))
        for time, scene in times.items():
            levels = [level(scene, card, table.setup.players) for card in cards]
            for least, name in enumerate(("mutual1", "mutual2", "mutual3"), 1):
                assert found[f"{name}_{time}"] == sum(each >= least for each in levels)
            assert found[f"common_{time}"] == sum(each >= COMMON for each in levels)
            assert found[f"public_{time}"] == sum(each >= PUBLIC for each in levels)
            seen.update(levels)
        answer = level(table.scenes[-2], inside, table.setup.players)
        assert found["answer_mutual1"] == (answer > 0)
        assert found["answer_common"] == (answer >= COMMON)
        since = [
            turn for turn, scene in before.items() if level(scene, inside, table.setup.players)
        ]
        assert found["everybody"] == min(since, default=None)
    assert seen == {0, 1, 2, 3, COMMON, PUBLIC}


def test_every_question_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions that take too much work are undecided, also about what is public."""
    monkeypatch.setattr("symkripke.play.mutual_knowledge.WORK", 1)
    table = Table(GAME, GAME.setup(players=3, size="3/3/3"), ("first-order",), 1)
    watch = MUTUAL_KNOWLEDGE.watch(table)
    for step in table:
        watch.after(step)
    found = {name: values[0] for name, values in watch.values().items()}
    assert found["undecided"]
    assert not found["mutual1_end"]
    assert not found["public_end"]


def level(scene: Scene, fact: Formula, players: Sequence[str]) -> int:
    """Return the depth of a fact, or another level (`COMMON`, `PUBLIC`)."""
    explicit = ExplicitEngine()
    if explicit.valid(scene.structure, fact):
        return PUBLIC
    if explicit.holds(scene, C(players, fact)):
        return COMMON
    depth, known = 0, E(players, fact)
    while explicit.holds(scene, known):
        depth, known = depth + 1, E(players, known)
    return min(depth, DEEPEST)
