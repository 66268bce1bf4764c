"""Notes that players update with each question, compared with an engine at the perspective."""

from __future__ import annotations

from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.play import Table, View
from symkripke.play.hands import holds
from symkripke_games.kwartet import GAME
from symkripke_games.kwartet.decks import TABLE
from symkripke_games.kwartet.knowledge import holds_group
from symkripke_games.kwartet.notes import Hand, Notes, Reader, in_play
from symkripke_games.kwartet.rules import Board, Opening, Question

OPTIONS: list[dict[str, Any]] = [
    {"players": 3, "groups": 4, "allow_bluff": True},
    {"players": 3, "groups": 1},
    {"players": 3, "groups": 6, "rules": "study"},
    {"players": 4, "groups": 4, "dealt_more": ()},
    {"players": 5, "groups": 3, "names": ("a", "b", "c", "d", "e"), "dealt_more": ("c", "e")},
]


ASKED = engine("sat")
COUNTED = engine("bdd")


def noted(view: View[Any, Any], found: Notes | None = None) -> tuple[Notes, Hand]:
    """Return notes at a view: new ones, or the given ones, updated."""
    found = found or Notes(ASKED)
    found.take(view.perspective)
    return found, Hand(view, Reader())


def groups_told(view: View[Any, Any], kept: Notes | None = None) -> dict[str, bool]:
    """Return, for each group in play, whether all know that the player holds a card of it."""
    found, hand = noted(view, kept)
    return {
        group: found.is_told(group, hand)
        for group, cards in view.setup.cards_of.items()
        if hand.board.places.get(cards[0]) != "table"
    }


def groups_known(view: View[Any, Any], kept: Notes | None = None) -> dict[tuple[str, str], bool]:
    """Return whether each other player is known to have a card of each group with open cards."""
    found, hand = noted(view, kept)
    places = found.places(in_play(hand), hand)
    known = {}
    for group, cards in view.setup.cards_of.items():
        for other in view.setup.players:
            some = [c for c in cards if other in places.get(c, ()) and len(places[c]) > 1]
            if len(some) > 1:
                known[other, group] = found.knows_group(other, some, hand)
            else:
                assert not found.knows_group(other, some, hand)
    return known


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("mind", ["random", "second-order"])
def test_updated_notes_match_an_engine(options: dict[str, Any], mind: str) -> None:
    setup, told, known = GAME.setup(**options), set[bool](), set[bool]()
    for seed in range(2):
        table = Table(GAME, setup, (mind,), seed, turns=40)
        kept = {player: Notes(ASKED) for player in setup.players}
        for step in table:
            if (step.number + seed) % 3:
                continue
            for player in setup.players:
                view = table.view(player)
                found, hand = noted(view)
                cards = in_play(hand)
                assert hand.own == {
                    card
                    for fluent, card in setup.card_at.items()
                    if hand.board.places.get(card, table.deal[fluent]) == player
                }
                anew = found.places(cards, hand), groups_told(view), groups_known(view)
                sheet = COUNTED.marginals(
                    view.perspective, [holds(p, card) for p in setup.players for card in cards]
                )
                assert anew[0] == {
                    card: tuple(p for p in (*setup.players, TABLE) if sheet.get(holds(p, card)))
                    for card in cards
                }
                for group, truth in anew[1].items():
                    law = holds_group(setup, player, group)
                    assert truth is bool(table.engine.valid(view.perspective.structure, law))
                mine = kept[player]
                mine.take(view.perspective)
                assert anew == (
                    mine.places(cards, hand),
                    groups_told(view, mine),
                    groups_known(view, mine),
                )
                told.update(anew[1].values())
                known.update(anew[2].values())
    assert told == {True, False}
    if setup.groups[1:]:
        assert known == {True, False}


def test_boards_are_shared_by_all_players_of_a_game() -> None:
    """Another game continues from the same board with a different result."""
    start = Board.of(GAME.setup(rules="study"))
    given = Question(turn=1, player="ann", asked="bob", card="elf", given=True)
    assert start.after(given) is start.after(given)
    other = Opening(turn=0, down={"baddies": "ann"})
    assert start.after(other).points["ann"] == 1
    assert start.after(given).points["ann"] == 0
