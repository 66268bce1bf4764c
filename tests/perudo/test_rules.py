"""The rules: losing dice, beginning, palifico, calza, and errors."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from symkripke.errors import InputError, RuleError
from symkripke.play import CHANCE, Table
from symkripke_games.perudo import GAME
from symkripke_games.perudo.rules import CALZA, DUDO, Call, Doubt, Raise, Roll, State
from symkripke_games.perudo.throws import Setup, deal_of


def started(throw: Mapping[str, Sequence[int]], **options: Any) -> State:
    """Return a game with this first throw, with the same number of dice for all players."""
    dice = len(next(iter(throw.values())))
    setup = GAME.setup(names=tuple(throw), dice=dice, **options)
    return State.first(setup, deal_of({p: tuple(sorted(mine)) for p, mine in throw.items()}))


def played(state: State, *moves: Any) -> State:
    for move in moves:
        state, _ = state.play(move)
    return state


def rolled(state: State, **dice: Sequence[int]) -> State:
    return played(state, Roll({player: tuple(sorted(mine)) for player, mine in dice.items()}))


THREE = {"ann": [1, 1, 4], "bob": [4, 5, 5], "cath": [2, 3, 6]}


@pytest.mark.parametrize(
    ("rules", "bid", "loser", "first"),
    [
        # Wild aces included, there are 4 fours, 2 aces and 4 fives; otherwise 2, 2 and 2.
        ("classic", (4, 4), "bob", "bob"),
        ("classic", (5, 4), "ann", "ann"),
        ("study", (2, 4), "bob", "bob"),
        ("study", (3, 4), "ann", "ann"),
    ],
)
def test_dudo(rules: str, bid: tuple[int, int], loser: str, first: str) -> None:
    state = played(started(THREE, rules=rules), Raise(*bid), Doubt(DUDO))
    assert {player: number for player, number in state.now.dice.items() if number < 3} == {loser: 2}
    assert (state.now.first, state.mover) == (first, first)
    decision = state.decision
    assert decision is not None
    assert decision.player == CHANCE


def test_aces_are_not_wild_for_a_bid_on_aces() -> None:
    state = played(started(THREE), Raise(1, 4), Raise(2, 1), Doubt(DUDO))
    assert state.now.dice["cath"] == 2
    state = played(started(THREE), Raise(1, 4), Raise(3, 1), Doubt(DUDO))
    assert state.now.dice["bob"] == 2


def test_the_player_to_the_left_begins_after_a_player_is_out() -> None:
    state = played(started({"ann": [1], "bob": [2], "cath": [3]}), Raise(2, 2), Doubt(DUDO))
    assert (dict(state.now.dice), state.now.first) == ({"ann": 1, "cath": 1}, "cath")
    assert state.out == {"bob"}
    state = rolled(state, ann=[2], cath=[3])
    state = played(state, Raise(2, 3), Doubt(DUDO))
    assert (state.result, state.winners, state.decision) == ("ann wins", ("ann",), None)
    with pytest.raises(RuleError, match="the game is over: ann wins"):
        state.play(Raise(1, 2))


def test_palifico() -> None:
    """A player who drops to one die begins a round without wild aces and with a fixed face."""
    state = played(started({"ann": [2, 2], "bob": [3, 3], "cath": [4, 4]}), Raise(5, 6), Doubt())
    assert (state.now.fixed, state.now.wild, state.mover) == (True, False, "ann")
    state = rolled(state, ann=[1], bob=[1, 2], cath=[1, 2])
    assert {move.face for move in options(state) if isinstance(move, Raise)} == set(range(1, 7))
    state = played(state, Raise(1, 1))
    assert options(state) == (Raise(2, 1), Doubt(DUDO))
    with pytest.raises(RuleError, match="the face is fixed in a palifico round: expected a bid on"):
        state.play(Raise(2, 2))
    state = played(state, Raise(2, 1), Raise(3, 1))
    # Ann has one die, so she may change the face.
    assert options(state) == (
        *(Raise(4, 1), *(Raise(3, face) for face in range(2, 7))),
        Doubt(DUDO),
    )
    state = played(state, Doubt())
    # She loses her last die. Nobody drops to one die, so the next round is normal.
    assert (state.now.fixed, state.now.wild) == (False, True)


def options(state: State) -> tuple[Any, ...]:
    decision = state.decision
    assert decision is not None
    assert decision.options is not None
    return decision.options


def test_each_player_has_one_palifico_round() -> None:
    throw = {"ann": [2, 2], "bob": [3, 3]}
    state = played(started(throw, calza=True), Raise(4, 6), Doubt())
    assert state.now.fixed
    state = rolled(state, ann=[6], bob=[6, 6])
    state = played(state, Raise(1, 6), Raise(3, 6), Doubt(CALZA))  # Ann regains her die
    assert dict(state.now.dice) == {"ann": 2, "bob": 2}
    state = rolled(state, ann=[2, 2], bob=[3, 3])
    state = played(state, Raise(4, 6), Doubt())
    assert (dict(state.now.dice), state.now.fixed) == ({"ann": 1, "bob": 2}, False)


def test_calza() -> None:
    """If the bid is met exactly, the caller regains a lost die; otherwise they lose one."""
    state = played(started(THREE, calza=True), Raise(4, 4), Doubt(CALZA))
    assert (set(state.now.dice.values()), state.mover) == ({3}, "bob")
    lost = played(started(THREE, calza=True), Raise(3, 4), Doubt(CALZA))
    assert (lost.now.dice["bob"], lost.mover) == (2, "bob")
    again = rolled(lost, ann=[2, 2, 2], bob=[3, 3], cath=[5, 5, 5])
    gained = played(again, Raise(1, 2), Raise(2, 3), Raise(3, 2), Doubt(CALZA))  # bob calls
    assert (dict(gained.now.dice), gained.mover) == ({"ann": 3, "bob": 3, "cath": 3}, "bob")
    lost = played(again, Raise(1, 2), Raise(2, 3), Raise(4, 2), Doubt(CALZA))
    assert (dict(lost.now.dice), lost.now.fixed) == ({"ann": 3, "bob": 1, "cath": 3}, True)
    with pytest.raises(RuleError, match="calza cannot be called"):
        started(THREE).play(Raise(1, 4))[0].play(Doubt(CALZA))


@pytest.mark.parametrize(
    ("moves", "says"),
    [
        ([Doubt()], "there is no bid to call yet"),
        ([Raise(1, 1)], "no round is opened with a bid on aces"),
        ([Raise(0, 2)], "expected a bid of 1 to 9 dice, got 0"),
        ([Raise(10, 2)], "expected a bid of 1 to 9 dice, got 10"),
        ([Raise(1, 7)], "expected a face from 1 to 6, got 7"),
        ([Raise(3, 4), Raise(3, 4)], "3 fours is not a higher bid than 3 fours: expected"),
        ([Raise(3, 4), Raise(1, 1)], "not a higher bid than 3 fours: expected at least 2 aces"),
        ([Raise(3, 4), Raise(2, 1), Raise(4, 6)], "than 2 aces: expected at least 5 sixes"),
        ([Roll({})], "Roll is not a possible move now: it is ann's turn"),
        (
            [Raise(1, 4), Doubt(), Raise(1, 4)],
            "Raise is not a possible move now: the dice are to be thrown",
        ),
        ([Raise(1, 4), Doubt("dodo")], "unknown call 'dodo'; expected one of dudo, calza"),
    ],
)
def test_bad_moves(moves: list[Any], says: str) -> None:
    state = played(started(THREE), *moves[:-1])
    with pytest.raises(InputError, match=re.escape(says)):
        state.play(moves[-1])


def test_the_first_player() -> None:
    setup = GAME.setup(players=3, first="cath")
    assert setup.first == "cath"
    decision = GAME.start(setup, GAME.deal(setup, Random(1))).decision
    assert decision is not None
    assert decision.player == "cath"


@pytest.mark.parametrize("rules", ["classic", "study"])
@pytest.mark.parametrize("players", [2, 3, 6])
def test_whole_games_come_to_an_end(rules: str, players: int) -> None:
    """Each round removes one die; the last player with dice wins."""
    setup: Setup = GAME.setup(rules=rules, players=players, dice=3)
    for seed in range(2):
        table = Table(GAME, setup, ("random",), seed)
        calls = [step for step in table if isinstance(step.outcome.public, Call)]
        left = sum(table.state.now.dice.values())  # type: ignore[attr-defined]
        assert len(calls) == 3 * players - left
        assert len(table.state.winners) == 1
