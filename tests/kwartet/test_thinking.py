"""Players that think to a depth: exact counts, and what each depth sees and expects."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from symkripke.engines import counter, engine
from symkripke.play import Table
from symkripke.play.dealing import location
from symkripke.play.hands import holds
from symkripke.play.odds import deals as deals_of
from symkripke_games.kwartet import GAME, thinking
from symkripke_games.kwartet.deals import Deals, Known, after, dealt, frame_of
from symkripke_games.kwartet.rules import Ask, LayDown, Setup
from symkripke_games.kwartet.thinking import Position, Question, decided, weighed


def bits(setup: Setup, hand: Sequence[str]) -> list[int]:
    """For each group the cards of this hand, as the sum of their bits."""
    groups = setup.cards_of.values()
    return [sum(1 << n for n, card in enumerate(cards) if card in hand) for cards in groups]


def dealt_to(table: Table[Any, Any], player: str) -> list[int]:
    deal = table.deal
    hand = [card.id for card in table.setup.cards if deal[location(card.id)] == player]
    return bits(table.setup, hand)


def known_at(table: Table[Any, Any]) -> Known:
    known = dealt(table.setup)
    for step in table.steps:
        known = after(table.setup, known, step.outcome.public)
    return known


@pytest.mark.parametrize(
    "options",
    [
        {"rules": "study", "players": 3, "groups": 4},
        {"players": 4, "groups": 4, "allow_bluff": True},
        {"players": 5, "groups": 3},
    ],
    ids=["three", "four, bluffing", "five"],
)
def test_counts_are_those_of_the_engine(options: dict[str, Any]) -> None:
    setup = GAME.setup(**options)
    table = Table(GAME, setup, ("random",), 4, turns=14)
    counting = counter(engine("auto"))
    for step in table:
        if step.number % 4:
            continue
        known = known_at(table)
        for seat, player in enumerate(setup.players):
            view = table.scene.perspective(player)
            found = Deals(frame_of(setup, seat), known, dealt_to(table, player))
            assert found.number == deals_of(counting, view)
            atoms = {
                (group, card, place): holds(other, name)
                for group, cards in enumerate(setup.cards_of.values())
                for card, name in enumerate(cards)
                for place, other in enumerate(setup.players)
            }
            shares = counting.marginals(view, list(atoms.values()))
            for (group, card, place), atom in atoms.items():
                chance = found.chances(group).get((card, place), 0.0)
                assert chance == pytest.approx(float(shares[atom])), (step.number, player, atom)


def test_deals_are_drawn_alike() -> None:
    setup = GAME.setup(rules="study", players=3, groups=2)
    known = after(setup, dealt(setup), GAME.start(setup, _deal(setup)).play(LayDown())[1].public)
    found = Deals(frame_of(setup, 0), known, bits(setup, _HANDS["ann"]))
    chance = Random(1)
    drawn = [found.draw(chance) for _ in range(40 * found.number)]
    assert len(set(drawn)) == found.number
    assert max(map(drawn.count, set(drawn))) < 80
    for deal in set(drawn):
        for seat, size in enumerate(setup.sizes.values()):
            assert sum(way.count(seat) for way in deal) == size


# The first group is the farm, the second one the heroes. Ann has two and one, Bob one and two.
_HANDS = {
    "ann": ("smelly_goat", "crazy_pig", "flying_cape"),
    "bob": ("fat_cow", "iron_fist", "masked_avenger"),
    "cath": ("proud_rooster", "invisible_girl"),
}


def _deal(setup: Setup) -> dict[str, str]:
    return {
        location(card.id): next(p for p, hand in _HANDS.items() if card.id in hand)
        for card in setup.cards
    }


def position(*asked: tuple[str, str]) -> tuple[Setup, Position]:
    """The position after these questions, each by the player whose turn it is."""
    setup = GAME.setup(rules="study", players=3, groups=2)
    state = GAME.start(setup, _deal(setup))
    known = dealt(setup)
    for move in (LayDown(), *(Ask(player, card) for player, card in asked)):
        state, outcome = state.play(move)
        assert outcome is not None
        known = after(setup, known, outcome.public)
    assert state.decision is not None
    return setup, Position(setup, known, setup.players.index(state.decision.player))
