"""Players: they see their view only, and the same seed gives the same game."""

from __future__ import annotations

from random import Random

from symkripke.engines import Mark
from symkripke.language import Name
from symkripke.play import Table, View
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.rules import Suggest


def test_every_seat_count_is_played_to_the_end_by_certain_players() -> None:
    for players in (3, 6):
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
            fluents = {Name("location", (card,)) for card in move.cards}
            assert all(f in own or sheet[f] is not Mark.NO for f in fluents)
            assert not fluents <= own
