"""Players that think to a depth: exact counts, and the reasoning and predictions of each depth."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from symkripke.engines.bdd import BddEngine
from symkripke.model import Scene, World
from symkripke.play import Table
from symkripke.play.dealing import location
from symkripke.play.hands import holds
from symkripke.play.odds import deals as deals_of
from symkripke_games.kwartet import GAME, thinking
from symkripke_games.kwartet.knowledge import event
from symkripke_games.kwartet.notes import Reader
from symkripke_games.kwartet.rules import Ask, LayDown
from symkripke_games.kwartet.thinking import Position, decided, weighed


@pytest.mark.parametrize(
    "options",
    [
        {"rules": "study", "players": 3, "groups": 4},
        {"players": 4, "groups": 4, "allow_bluff": True},
        {"players": 5, "groups": 3},
    ],
    ids=["three", "four, bluffing", "five"],
)
def test_counts_match_the_engine(options: dict[str, Any]) -> None:
    setup = GAME.setup(**options)
    table = Table(GAME, setup, ("random",), 4, turns=14)
    counting = BddEngine()
    for step in table:
        if step.number % 4:
            continue
        for player in setup.players:
            view = table.scene.perspective(player)
            found = Position(setup, view, Reader().read(table.view(player)).places)
            assert found.deals.number == deals_of(counting, view)
            atoms = {
                (card.id, other): holds(other, card.id)
                for card in setup.cards
                for other in setup.players
            }
            shares = counting.marginals(view, list(atoms.values()))
            for (card, other), atom in atoms.items():
                chance = found.chances(setup.group_of[card]).get((card, other), 0.0)
                assert chance == pytest.approx(float(shares[atom])), (step.number, player, atom)


def three_groups(*moves: Ask) -> Position:
    """Return the position after these moves by Ann, Bob and Cath, with twelve cards."""
    setup = GAME.setup(rules="study", players=3, groups=3)
    hands = {
        "ann": ("fat_cow", "flying_cape", "masked_avenger", "iron_fist"),
        "bob": ("smelly_goat", "proud_rooster", "broccoli", "spinach"),
        "cath": ("crazy_pig", "invisible_girl", "brown_bread", "carrot_juice"),
    }
    deal = {location(card): player for player, hand in hands.items() for card in hand}
    state: Any = GAME.start(setup, deal)
    scene = Scene.of(GAME.structure(setup), deal)
    for move in (LayDown(), *moves):
        state, outcome = state.play(move)
        assert outcome is not None
        scene = scene.update(event(setup, outcome.public))
    return Position(setup, scene.perspective("ann"), state.board.places)


_FARM, _HEROES = "farm_animals", "super_heroes"
_TAKEN = Ask("bob", "proud_rooster"), Ask("cath", "crazy_pig")


def test_depth_1_asks_for_the_card_that_protects_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody knows that Ann has three animals; nobody knows that she has three heroes.

    Bob or Cath may have the goat, and either may have the fourth hero. At depth 0, Ann does not
    care which of the two cards she asks for. Without the goat, no other player can ask for Ann's
    animals; without the hero, they still can. So at depth 1, Ann asks for the goat. Depth 2 agrees.
    """
    monkeypatch.setattr(thinking, "SAMPLES", 12)
    position = three_groups(*_TAKEN)
    plain = weighed(position, 0, Random(1))
    group_of = position.setup.group_of
    assert {group_of[question.card] for question in plain} == {_FARM, _HEROES}
    assert len(set(plain.values())) == 1
    for depth in (1, 2):
        assert group_of[decided(position, depth, Random(1)).card] == _FARM


def test_values_approach_the_average_over_all_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """With more deals, the value of a question approaches its average over all deals."""
    position = three_groups(*_TAKEN)
    monkeypatch.setattr(thinking, "SAMPLES", 150)
    many = weighed(position, 1, Random(1))
    for question, value in many.items():
        refused = position.refused(question.asked, question.card)
        drawn: dict[Any, World] = {}
        chance = Random(2)
        while len(drawn) < refused.deals.number:
            deal = refused.deals.draw(chance)
            drawn[tuple(deal.items())] = deal
        total = 0.0
        for deal in drawn.values():
            reply = decided(refused.of(question.asked, deal), 0, chance)
            if reply.asked == "ann":
                place = position.moved.get(reply.card, deal[location(reply.card)])
                total += (2**2 - 3**2) / 16 if place == "ann" else thinking.TURN
        expected = question.yes * question.gain + (1 - question.yes) * total / len(drawn)
        assert value == pytest.approx(expected, abs=0.05)
