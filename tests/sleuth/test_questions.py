"""Information from questions, compared with engines that list or count worlds."""

from __future__ import annotations

from collections import defaultdict
from math import fsum, isclose, log2
from random import Random
from typing import Any

import pytest

from symkripke.engines import Engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.play import Table, View
from symkripke.play.hands import at, holds
from symkripke_games.sleuth import GAME
from symkripke_games.sleuth.knowledge import hidden_atoms
from symkripke_games.sleuth.questions import CandidateQuestion, Survey
from symkripke_games.sleuth.setup import Setup

# The setup, the minds, the seed, the first event and the step between events, and the engine.
CASES = (
    ({"players": 3, "size": "2/2/2"}, "random", 1, (1, 1), ExplicitEngine()),
    ({"players": 3, "size": "3/2/2"}, "gain", 2, (1, 2), ExplicitEngine()),
    ({"rules": "study", "players": 2, "size": "2/2/2"}, "random", 3, (1, 1), ExplicitEngine()),
    ({"rules": "study", "players": 4, "size": "3/2/2"}, "random", 1, (1, 2), BddEngine()),
    ({"players": 3}, "random", 1, (19, 7), BddEngine()),
    ({"rules": "study", "players": 5, "size": "4/3/2"}, "gain", 6, (7, 11), BddEngine()),
)


def views(options: dict[str, Any], mind: str, seed: int, at_events: tuple[int, int]) -> Any:
    """Yield views of the players in turn."""
    table = Table(GAME, GAME.setup(**options), (mind,), seed, turns=40)
    for _ in table:
        pass
    first, step = at_events
    players = table.setup.players
    for events in range(first, len(table.scenes) - 1, step):
        record = [one.outcome.public for one in table.steps[:events]]
        perspective = table.scenes[events].perspective(players[events % len(players)])
        yield table.engine, View(table.setup, perspective, record)


def entropy(shares: Any) -> float:
    return -fsum(share * log2(share) for share in shares if share)


def listed(counting: Engine, view: View[Setup, Any], one: CandidateQuestion) -> tuple[float, float]:
    """Return the information of a question on deal and hidden gem, by the joint distribution."""
    gems = [holds(one.asked, gem) for gem in view.setup.edition.matching(one.elements)]
    hidden = hidden_atoms(view.setup)
    answers: dict[Any, float] = defaultdict(float)
    stones: dict[Any, float] = defaultdict(float)
    pairs: dict[Any, float] = defaultdict(float)
    for true, share in counting.distribution(view.perspective, [*gems, *hidden]).items():
        shown = frozenset(true.intersection(gems))
        whole = view.setup.rules == "study" or len(one.elements) == 2
        answer = shown if whole else len(shown)
        stone = true.intersection(hidden)
        answers[answer] += float(share)
        stones[stone] += float(share)
        pairs[answer, stone] += float(share)
    told = entropy(answers.values())
    return told, entropy(stones.values()) + told - entropy(pairs.values())


@pytest.mark.parametrize(("options", "mind", "seed", "events", "counting"), CASES)
def test_questions_against_listed_answers(
    options: dict[str, Any], mind: str, seed: int, events: tuple[int, int], counting: Engine
) -> None:
    seen = 0
    for asked, view in views(options, mind, seed, events):
        survey = Survey(asked, view)
        questions = survey.questions(view.setup.edition.questions)
        chance = Random(len(view.record))
        few = questions if len(questions) < 20 else chance.sample(questions, 12)
        for one in few:
            deal, gem = listed(counting, view, one)
            assert isclose(one.deal, deal, abs_tol=1e-9), (one, deal)
            assert isclose(one.gem, gem, abs_tol=1e-9), (one, gem)
            seen += one.gem > 0
    assert seen > 5


@pytest.mark.parametrize(("options", "mind", "seed", "events", "counting"), CASES)
def test_chances(
    options: dict[str, Any], mind: str, seed: int, events: tuple[int, int], counting: Engine
) -> None:
    for asked, view in views(options, mind, seed, events):
        survey = Survey(asked, view)
        atoms = [at(gem, place) for gem in survey.places for place in view.setup.places]
        for atom, share in counting.marginals(view.perspective, atoms).items():
            gem = atom.fluent[len("location(") : -1]
            mine = survey.chances[gem].get(atom.value, 0.0)
            assert isclose(mine, share, abs_tol=1e-12), atom


def test_decisive_questions() -> None:
    """In every view, these are exactly the questions that resolve all uncertainty."""
    found = 0
    for options, mind, seed, events, _ in CASES[:4]:
        for asked, view in views(options, mind, seed, events):
            survey = Survey(asked, view)
            every = survey.questions(view.setup.edition.questions)
            sure = [one for one in every if one.gem > survey.uncertainty - 1e-9 and one.open]
            assert survey.decisive() == sorted(sure, key=survey.decisive().index)
            found += len(sure)
    assert found > 3
