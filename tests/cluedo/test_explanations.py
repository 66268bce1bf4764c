"""Full-size questions with their reasons, checked again by z3."""

from __future__ import annotations

from typing import Any

import pytest

from symkripke.engines import Mark
from symkripke.engines.smt.recheck import entails, stands
from symkripke.explain import Combined, Evidence, Known, Possible
from symkripke.language import K, Kv, M, negation
from symkripke.model import evaluate
from symkripke.play import Moment, Table
from symkripke.play.hands import at
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.knowledge import ANSWERS


@pytest.fixture(scope="module")
def game() -> Table[Any, Any]:
    table = Table(GAME, GAME.setup(players=6), seed=7)
    for _ in table:
        pass
    return table


def knowns(evidence: Evidence) -> list[Known]:
    if isinstance(evidence, Combined):
        return [one for part in evidence.parts for one in knowns(part)]
    return [evidence] if isinstance(evidence, Known) else []


@pytest.mark.parametrize("turn", [4, 11, 17])
def test_all_that_plum_knows_has_minimal_reasons(game: Table[Any, Any], turn: int) -> None:
    """Drop any one source from the reason, and it proves nothing any more."""
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


def test_what_is_not_known_has_a_world_that_obeys_everything(game: Table[Any, Any]) -> None:
    moment = game.moment.at(9)
    view = moment.perspective("plum")
    for atom, mark in moment.sheet("plum"):
        if mark is not Mark.OPEN:
            continue
        evidence = moment.ask(K("plum", atom)).why()
        assert isinstance(evidence, Possible)
        (step,) = evidence.worlds
        assert not evaluate(atom, step.world)
        for constraint in (*moment.structure.law, *moment.structure.domains):
            assert evaluate(constraint.formula, step.world), constraint.source
        for observable, truth in view.observation:
            assert evaluate(observable.atom, step.world) == truth


def test_reasons_about_the_past_use_only_the_past(game: Table[Any, Any]) -> None:
    for turn in (3, 8):
        moment = game.moment.at(turn)
        for player in ("plum", "green"):
            for atom, mark in moment.sheet(player):
                if mark is not Mark.YES:
                    continue
                for known in knowns(moment.ask(K(player, atom)).why()):
                    assert all(moment.turns[source.stage] <= turn for source in known.sources)


def test_the_past_can_be_asked_in_any_order(game: Table[Any, Any]) -> None:
    """Whether asked during the game or after it, forwards or backwards: the same answers."""
    questions = [
        K("plum", at("rope", "envelope")),
        M("green", at("hall", "plum")),
        Kv("white", ANSWERS),
        K("plum", K("green", ~at("rope", "green"))),
    ]
    turns = range(game.steps[-1].turn + 1)
    forwards = [[bool(game.moment.at(t).ask(q)) for q in questions] for t in turns]
    backwards = [[bool(game.moment.at(t).ask(q)) for q in questions] for t in reversed(turns)]
    assert forwards == backwards[::-1]


def test_a_winner_knows_why(game: Table[Any, Any]) -> None:
    (winner,) = game.state.winners
    before = game.moment.after(len(game.steps) - 1)
    evidence = before.ask(Kv(winner, ANSWERS)).why()
    assert evidence.truth
    found = knowns(evidence)
    assert len(found) == 3
    for known in found:
        assert isinstance(known.formula, K)
        assert stands(known, known.formula.operand)
