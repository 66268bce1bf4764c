"""Full-size questions with their reasons, checked independently by z3."""

from __future__ import annotations

from typing import Any

import pytest

from symkripke.engines import Mark
from symkripke.engines.smt.recheck import entails, stands
from symkripke.explain import Combined, Evidence, Known
from symkripke.language import K, negation
from symkripke.play import Moment, Table
from symkripke_games.cluedo import GAME
from tests.support.played import played


@pytest.fixture(scope="module")
def game() -> Table[Any, Any]:
    return played(GAME, (), 7, players=6)


def knowns(evidence: Evidence) -> list[Known]:
    if isinstance(evidence, Combined):
        return [one for part in evidence.parts for one in knowns(part)]
    return [evidence] if isinstance(evidence, Known) else []


@pytest.mark.parametrize("turn", [4, 15])
def test_all_facts_that_plum_knows_have_minimal_reasons(game: Table[Any, Any], turn: int) -> None:
    """Without any one of its sources, a reason no longer proves the fact."""
    moment: Moment[Any, Any] = game.moment.at(turn)
    checked = 0
    for atom, mark in moment.sheet("plum"):
        if mark is Mark.OPEN:
            continue
        claim = atom if mark is Mark.YES else negation(atom)
        evidence = moment.ask(K("plum", claim)).why()
        assert isinstance(evidence, Known)
        assert stands(evidence, claim), str(claim)
        stages = [source.stage for source in evidence.sources]
        assert stages == sorted(stages)
        checked += 1
        if len(evidence.sources) > 1:
            rest = [source.formula for source in evidence.sources[1:]]
            assert not entails(rest, claim)
    assert checked >= 21


def test_reasons_about_the_past_use_only_the_past(game: Table[Any, Any]) -> None:
    moment = game.moment.at(8)
    for atom, mark in moment.sheet("green"):
        for known in knowns(moment.ask(K("green", atom)).why()) if mark is Mark.YES else ():
            assert all(moment.turns[source.stage] <= 8 for source in known.sources)
