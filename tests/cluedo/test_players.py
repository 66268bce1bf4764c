"""Players: they see their view only, and the same seed gives the same game."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from symkripke.engines import Engine, Mark, engine
from symkripke.language import TRUE
from symkripke.model import Scene
from symkripke.play import Record, Table, View
from symkripke.play.strategies import strategy
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.rules import Suggest

MINDS = (*GAME.strategies, "higher-order-guesser:0.2")


def other_world(table: Table[Any, Any], player: str, answering: Engine) -> dict[str, str]:
    """A world that `player` considers possible, another than the actual one if there is one."""
    view = table.scene.perspective(player)
    open_atoms = [
        atom
        for atom, mark in answering.sheet(view)
        if mark is Mark.OPEN and table.scene.world[atom.fluent] != atom.value
    ]
    found = answering.witness(view, open_atoms[0] if open_atoms else TRUE)
    assert found is not None
    return dict(found)


@pytest.mark.parametrize("mind", MINDS)
@pytest.mark.parametrize("rules", ["classic", "study"])
def test_no_peeking(mind: str, rules: str) -> None:
    """In another world that the player considers possible, it makes the same choice.

    Two players of the same kind with the same chance; one is shown the actual scene's
    perspective, the other that of a scene with the worlds swapped.
    """
    setup = GAME.setup(rules=rules, players=4, size="4/4/5")
    swapped = 0
    for seed in range(4):
        # By the study's rules guessers may take cards out of play, and then nobody finds out.
        table = Table(GAME, setup, (mind,), seed, turns=30)
        answering = engine()
        engines = engine(), engine()
        for _ in table:
            decision = table.state.decision
            if decision is None:
                break
            player = decision.player
            actual = table.scene.perspective(player)
            world = other_world(table, player, answering)
            other = Scene(table.scene.structure, world).perspective(player)
            swapped += world != dict(table.scene.world)
            choices = []
            for perspective, asked in zip((actual, other), engines, strict=True):
                view = View(setup, perspective, table.view(player).record, decision)
                choices.append(strategy(GAME, mind)(asked, Random(5)).choose(view))
            assert choices[0] == choices[1], (seed, table.state.turn)
    assert swapped > 20


def test_the_same_seed_gives_the_same_game() -> None:
    setup = GAME.setup(players=5)
    minds = ("higher-order", "first-order", "random", "higher-order", "first-order")
    logs = []
    for _ in range(2):
        table = Table(GAME, setup, minds, 3)
        for _ in table:
            pass
        logs.append(list(Record.of(table).lines()))
    assert logs[0] == logs[1]
    other = Table(GAME, setup, minds, 4)
    assert other.deal != table.deal


def test_every_seat_count_is_played_to_the_end_by_certain_players() -> None:
    for players in (3, 4, 5, 6):
        table = Table(GAME, GAME.setup(players=players), seed=players)
        last = None
        for step in table:
            last = step
            for name, one in table.assess().items():
                answer = {f for f, place in one.located.items() if place == "envelope"}
                assert len(answer) == 3 or not one.certain, name
                for fluent, place in one.located.items():
                    assert table.deal[fluent] == place
        assert last is not None
        (winner,) = table.state.winners
        assert table.assess()[winner].certain


def test_higher_order_players_know_at_least_what_first_order_players_do() -> None:
    """On the same events, fewer solutions; and never more as the game goes on."""
    setup = GAME.setup(players=4)
    table = Table(GAME, setup, ("first-order",), 11)
    thinker = GAME.strategies["higher-order"](table.engine, Random(0))
    before = dict.fromkeys(setup.players, 10**6)
    for _ in table:
        for player in setup.players:
            view = table.view(player)
            first, higher = table.players[player].assess(view), thinker.assess(view)
            assert higher.open <= first.open
            assert higher.open <= before[player]
            assert first.located.items() <= higher.located.items()
            before[player] = higher.open


def test_questions_are_about_cards_that_might_be_in_the_envelope_or_are_own() -> None:
    setup = GAME.setup(players=3)
    table = Table(GAME, setup, seed=8)
    for _ in table:
        decision = table.state.decision
        if decision is None or decision.kind != "act":
            continue
        view = View(
            setup, *(lambda v: (v.perspective, v.record))(table.view(decision.player)), decision
        )
        mind = GAME.strategies["higher-order"](table.engine, Random(table.state.turn))
        sheet = {
            a.fluent: m for a, m in table.engine.sheet(view.perspective) if a.value == "envelope"
        }
        own = {f for f, p in table.deal.items() if p == decision.player}
        for _ in range(20):
            move = mind.choose(view)
            if not isinstance(move, Suggest):
                continue
            fluents = {f"location({card})" for card in move.cards}
            assert all(f in own or sheet[f] is not Mark.NO for f in fluents)
            assert not fluents <= own


def test_assessments_of_a_random_player_are_first_order() -> None:
    setup = GAME.setup(players=3, size="3/3/3")
    table = Table(GAME, setup, ("random",), 1)
    for _ in table:
        assessed = table.assess()
        for player in setup.players:
            seen = len([f for f in assessed[player].located if table.deal[f] != "envelope"])
            assert assessed[player].open >= 1
            assert seen >= 2
