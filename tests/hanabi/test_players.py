"""Players, conventions and the score."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.errors import RuleError
from symkripke.language import K
from symkripke.play import Outcome, Table, game
from symkripke.play.runs.measures import check_measures
from symkripke_games.hanabi.knowledge import is_a
from symkripke_games.hanabi.players import Notes, play_known, promises, values, worth
from symkripke_games.hanabi.rules import Play, State, Tell

GAME = game("hanabi")


def test_whoever_knows_the_convention_knows_all_that_simple_expects() -> None:
    """With the convention of SimpleBot, each promised card is known to be playable, and played."""
    setup = GAME.setup(players=3, convention="all-playable")
    table: Any = Table(GAME, setup, ("simple",), 3)
    asked, promised = engine("sat"), 0
    for _ in table:
        state = table.state
        if table.decision is None or len(table.steps) > 25:
            break
        me, view = state.mover, table.view(state.mover)
        notes = Notes(view, asked, Random(0))
        mine = [place for who, place in promises(setup, notes.record) if who == me]
        for place in mine:
            assert asked.holds(view.perspective, K(me, is_a(setup, me, str(place), "playable")))
        assert {Play(place) for place in mine} <= {*play_known(notes)}
        promised += len(mine)
    assert promised > 3


@pytest.mark.parametrize("convention", ["none", "all-playable"])
def test_a_hint_is_worth_what_the_other_knows_after_it(convention: str) -> None:
    """The other's knowledge is also found by the update with the hint."""
    setup = GAME.setup(players=3, colours=2, ranks=4, hand=3, convention=convention)
    table: Any = Table(GAME, setup, ("simple-knowing",), 5)
    asked, worthy = engine("auto"), set()
    for _ in table:
        state = table.state
        if table.decision is None:
            break
        me, view = state.mover, table.view(state.mover)
        view = replace(view, decision=table.decision)
        gains = values(Notes(view, asked, Random(0)))
        for move in view.options(Tell):
            outcome: Any = Outcome(state.hint(move.told, move.feature), {})
            after = view.perspective.update(GAME.event_in(setup, state, outcome))
            new = 0
            for place in state.by_age(move.told):
                if state.cards[move.told, place] in state.uses["playable"]:
                    known = K(me, K(move.told, is_a(setup, move.told, str(place), "playable")))
                    before = bool(asked.holds(view.perspective, known))
                    new += bool(asked.holds(after, known)) - before
            worth_alone = worth(state.follow(outcome))
            assert gains[move] == pytest.approx(worth_alone + 0.6 * new)
            worthy.add(new)
    assert {0, 1} <= worthy


def test_a_hint_against_the_convention_is_forbidden() -> None:
    setup = GAME.setup(players=2, colours=2, ranks=3, hand=2, convention="newest-playable")
    hands = ("yellow_1", "yellow_2", "red_1", "red_2")
    names = ("card(ann, 1)", "card(ann, 2)", "card(bob, 1)", "card(bob, 2)")
    deal = {**dict(zip(names, hands, strict=True)), **State.first(setup, None).facts}
    state: Any = GAME.start(setup, deal)
    state.play(Tell("bob", "1"))
    for feature in ("2", "red"):  # the newest card of these is the red 2
        with pytest.raises(RuleError, match="not a possible move"):
            state.play(Tell("bob", feature))
    plain = GAME.start(GAME.setup(players=2, colours=2, ranks=3, hand=2), deal)
    plain.play(Tell("bob", "2"))


def test_the_score_after_the_last_life() -> None:
    """By default, the cards in the fireworks count; with an option, the score is then 0."""
    scores = []
    for option in (False, True):
        setup = GAME.setup(players=2, lives=2, all_or_nothing=option)
        table: Any = Table(GAME, setup, ("random",), 1)
        (measure,) = check_measures(GAME, ["score"])
        watch = measure.watch(table)
        for step in table:
            watch.after(step)
        state = table.state
        assert not state.lives
        assert sum(state.heights.values()) > 0
        assert watch.values() == {"score": [state.score] * 2, "alive": [0] * 2}
        scores.append(state.score)
    assert scores == [sum(state.heights.values()), 0]
