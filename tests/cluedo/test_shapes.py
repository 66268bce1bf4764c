"""Shapes of nested questions that readers try first, at full size, and their explanations."""

from __future__ import annotations

import json
from typing import Any

import pytest

from symkripke.engines.reasons import whole_evidence
from symkripke.engines.sat.evaluator import Evaluator
from symkripke.engines.sat.explain.explainer import SatExplainer
from symkripke.errors import BudgetExceeded
from symkripke.explain.data import as_data
from symkripke.limits import within
from symkripke.play import Moment
from symkripke.play.game_words import tell
from symkripke_games.cluedo import GAME
from tests.support.played import played


@pytest.fixture(scope="module")
def game() -> Moment[Any, Any]:
    return played(GAME, (), 7, players=6).moment


SCARLETT = "at(library, scarlett)"
ROPE = "at(rope, envelope)"

# The turn, the truth, and a part of the explanation.
SHAPES = {
    "K[white] ~K[plum] at(ballroom, green)": (3, True, "White holds Candlestick (own hand)"),
    f"K[plum] ~K[green] {SCARLETT}": (20, False, "everything as in reality"),
    f"K[green] ~K[plum] {SCARLETT}": (20, True, "in the actual case:"),
    f"M[plum] K[scarlett] M[white] {ROPE}": (12, True, "Scarlett knows that White considers it"),
    "M[plum] K[scarlett] M[white] at(dagger, mustard)": (12, False, "Mustard has none of Rev"),
    "C[plum, peacock] at(dagger, plum)": (5, True, "both see that the card shown in turn 5 was D"),
    "C[*] ~holds(white, lounge)": (20, True, "turn 2: White has none of Miss Scarlett, Spanner"),
    "C[plum, scarlett] at(dagger, plum)": (5, False, "Scarlett considers it possible that Plum do"),
    "K[green] C[green, plum] at(study, plum)": (20, True, "turn 10: Plum showed Green one of Prof"),
    f"[! ~K[plum] {ROPE}] K[green] {SCARLETT}": (20, True, "Green knows that Scarlett holds Lib"),
    f"[! ~K[plum] {ROPE}] K[white] {SCARLETT}": (20, False, "after the announcement that Plum do"),
    f"[! K[plum] {ROPE}] K[white] {SCARLETT}": (20, True, "it cannot be announced that Plum know"),
}


@pytest.mark.parametrize("asked", SHAPES)
def test_explanations(game: Moment[Any, Any], asked: str) -> None:
    turn, truth, part = SHAPES[asked]
    moment = game.at(turn)
    answer = moment.ask(asked)
    evidence = whole_evidence(answer, moment.structure, moment.engine)
    assert bool(answer) is evidence.truth is truth
    assert any(part in line.text for line in tell(moment, evidence))
    assert json.loads(json.dumps(as_data(evidence)))["truth"] is truth


def test_reasons_keep_to_a_budget(game: Moment[Any, Any]) -> None:
    """A nested short search does not exceed the whole budget."""
    state = game.at(20).state
    asked = game.structure.resolve(game.structure.parse("K[plum] ~knows_solution(green)"))
    with within(seconds=0), pytest.raises(BudgetExceeded):
        SatExplainer.at(Evaluator(), state).evidence(state, asked)
