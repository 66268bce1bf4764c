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
    _, opened = GAME.start(setup, _deal(setup)).play(LayDown())
    assert opened is not None
    known = after(setup, dealt(setup), opened.public)
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


def three_groups(*moves: Ask) -> Position:
    """The position after these moves of Ann, Bob and Cath with twelve cards."""
    setup = GAME.setup(rules="study", players=3, groups=3)
    hands = {
        "ann": ("fat_cow", "flying_cape", "masked_avenger", "iron_fist"),
        "bob": ("smelly_goat", "proud_rooster", "broccoli", "spinach"),
        "cath": ("crazy_pig", "invisible_girl", "brown_bread", "carrot_juice"),
    }
    deal = {location(card): player for player, hand in hands.items() for card in hand}
    state = GAME.start(setup, deal)
    known = dealt(setup)
    for move in (LayDown(), *moves):
        state, outcome = state.play(move)
        assert outcome is not None
        known = after(setup, known, outcome.public)
    return Position(setup, known, 0)


_MINE = ("fat_cow", "flying_cape", "masked_avenger", "iron_fist")
_FARM, _HEROES = 0, 1
_TAKEN = Ask("bob", "proud_rooster"), Ask("cath", "crazy_pig")


def test_depth_1_asks_for_what_cannot_be_asked_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """All know that Ann has three animals; and that she has three heroes, nobody knows.

    The goat and the fourth hero may be with Bob or Cath. Depth 0 does not care which of them it
    asks for. But who has no goat cannot ask for Ann's animals, and who has no hero can: depth 1
    asks for the goat. Depth 2 sees the same.
    """
    monkeypatch.setattr(thinking, "SAMPLES", 12)
    position = three_groups(*_TAKEN)
    own = bits(position.setup, _MINE)
    plain = weighed(position, own, 0, Random(1))
    assert {question.group for question in plain} == {_FARM, _HEROES}
    assert len(set(plain.values())) == 1
    for depth in (1, 2):
        assert decided(position, own, depth, Random(1)).group == _FARM


def test_each_depth_looks_at_the_same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    position = three_groups(*_TAKEN)
    own = bits(position.setup, _MINE)
    seen: dict[int, list[Any]] = {}
    real = thinking.decided

    def noted(there: Position, hand: Sequence[int], depth: int, chance: Random) -> Question:
        seen[depth].append((there.known, there.seat, tuple(hand)))
        return real(there, hand, 0, chance)

    monkeypatch.setattr(thinking, "decided", noted)
    for depth in (1, 2, 3):
        seen[depth - 1] = []
        weighed(position, own, depth, Random(5))
    assert seen[0]
    assert seen[0] == seen[1] == seen[2]


def test_the_value_is_that_of_all_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """With more deals the value of a question comes near to its average over all of them."""
    position = three_groups(*_TAKEN)
    own = bits(position.setup, _MINE)
    monkeypatch.setattr(thinking, "SAMPLES", 150)
    many = weighed(position, own, 1, Random(1))
    for question, value in many.items():
        known = list(position.known)
        known[question.group] = known[question.group].asked(
            0, question.asked, question.card, given=False, down=False, bluffing=False
        )
        found = Deals(frame_of(position.setup, 0), tuple(known), own)
        drawn: set[Any] = set()
        chance = Random(2)
        while len(drawn) < found.number:
            drawn.add(found.draw(chance))
        there = Position(position.setup, tuple(known), question.asked)
        total = 0.0
        for deal in drawn:
            hand = [sum(1 << n for n, at in enumerate(w) if at == question.asked) for w in deal]
            reply = decided(there, hand, 0, chance)
            if reply.asked == 0:
                lost = known[reply.group].place(deal[reply.group], reply.card) == 0
                total += (2**2 - 3**2) / 16 if lost else thinking.TURN
        expected = question.yes * question.gain + (1 - question.yes) * total / len(drawn)
        assert value == pytest.approx(expected, abs=0.05)
