"""Players' knowledge and questions."""

from __future__ import annotations

from random import Random
from typing import Any

from symkripke.engines import Mark
from symkripke.play import Table, View
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.players import FirstOrder, seen_cards
from symkripke_games.cluedo.rules import Suggest, Suggestion


def test_first_order_players_keep_the_list_of_the_study() -> None:
    """It has every triple without a known card; the test recomputes it from the hidden truth."""
    for seed in range(4):
        minds = ("first-order", "first-order", "higher-order", "higher-order")
        table = Table(GAME, GAME.setup(rules="study"), minds, seed)
        for _ in table:
            for name in table.setup.players[:2]:
                check_list(table, name)
        assert table.state.winners


def check_list(table: Table[Any, Any], name: str) -> None:
    player, view = table.players[name], table.view(name)
    assert isinstance(player, FirstOrder)
    seen = {c.id for c in table.setup.edition.cards if table.deal[f"location({c.id})"] == name}
    for step in table.steps:
        public = step.outcome.public
        if isinstance(public, Suggestion) and public.player == name:
            seen.update(step.outcome.secret.values())
    categories = table.setup.edition.categories
    unseen = [[card.id for card in category if card.id not in seen] for category in categories]
    expected = [(s, w, r) for s in unseen[0] for w in unseen[1] for r in unseen[2]]
    assert list(player.solutions(view)) == expected
    assert set(seen_cards(view)) == seen


def test_higher_order_players_know_at_least_what_first_order_players_do() -> None:
    """The same events leave fewer solutions, and never more as the game continues."""
    setup = GAME.setup(players=4)
    table = Table(GAME, setup, ("first-order",), 11)
    thinker = GAME.strategies["higher-order"](table.engine, Random(0))
    before = dict.fromkeys(setup.players, 10**6)
    for _ in table:
        for player in setup.players:
            view = table.view(player)
            first, higher = table.players[player].assess(view), thinker.assess(view)
            assert higher.open <= min(first.open, before[player])
            assert first.located.items() <= higher.located.items()
            assert higher.located.items() <= table.deal.items()
            before[player] = higher.open
    (winner,) = table.state.winners
    assert thinker.assess(table.view(winner)).certain


def test_questions_are_about_cards_that_might_be_in_the_envelope_or_are_own() -> None:
    table = Table(GAME, GAME.setup(players=3), seed=8)
    for _ in table:
        decision = table.state.decision
        if decision is None or decision.kind != "act":
            continue
        seen = table.view(decision.player)
        view = View(table.setup, seen.perspective, seen.record, decision)
        mind = GAME.strategies["higher-order"](table.engine, Random(table.state.turn))
        inside = [atom for atom in view.perspective.structure.atoms if atom.value == "envelope"]
        marks = table.engine.sheet(view.perspective, inside)
        open_cards = {atom.fluent for atom, mark in marks if mark is not Mark.NO}
        own = {fluent for fluent, place in table.deal.items() if place == decision.player}
        for _ in range(10):
            move = mind.choose(view)
            if isinstance(move, Suggest):
                fluents = {f"location({card})" for card in move.cards}
                assert fluents <= own | open_cards
                assert not fluents <= own
