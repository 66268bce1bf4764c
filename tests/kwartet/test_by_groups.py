"""What players work out group by group is what an engine answers about the same perspective."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.errors import ImpossibleEvent
from symkripke.language import K, disjunction
from symkripke.model import Scene
from symkripke.play import Table, View
from symkripke.play.hands import holds
from symkripke_games.kwartet import GAME, by_groups, knowledge, players
from symkripke_games.kwartet.by_groups import GroupNotes
from symkripke_games.kwartet.knowledge import holds_group
from symkripke_games.kwartet.notes import Hand, Notes, Reader, in_play
from symkripke_games.kwartet.rules import Board, Opening, Question

OPTIONS: list[dict[str, Any]] = [
    {"players": 3, "groups": 4},
    {"players": 3, "groups": 4, "allow_bluff": True},
    {"players": 3, "groups": 1},
    {"players": 3, "groups": 6, "rules": "study"},
    {"players": 4, "groups": 5, "dealt_more": ()},
    {"players": 4, "groups": 3, "allow_bluff": True},
    {"players": 5, "groups": 4, "names": ("a", "b", "c", "d", "e"), "dealt_more": ("e",)},
    {"players": 6, "groups": 4},
]


def noted(view: View[Any, Any]) -> tuple[GroupNotes, Notes, Hand]:
    """Notes of both kinds at a view."""
    reader, asked = Reader(), engine("sat")
    hand = Hand(view, reader)
    found, answers = GroupNotes(view.setup, view.player, reader.dealt, asked), Notes(asked)
    found.hear(view.record)
    answers.take(view.perspective)
    return found, answers, hand


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("mind", ["random", "second-order"])
def test_notes_by_groups_are_those_of_an_engine(options: dict[str, Any], mind: str) -> None:
    setup, told, known = GAME.setup(**options), set(), set()
    for seed in range(3):
        table = Table(GAME, setup, (mind,), seed, turns=40)
        for step in table:
            if (step.number + seed) % 3:
                continue
            for player in setup.players:
                view = table.view(player)
                found, answers, hand = noted(view)
                cards = in_play(hand)
                assert hand.own == {
                    card
                    for fluent, card in setup.card_at.items()
                    if hand.board.places.get(card, table.deal[fluent]) == player
                }
                places = found.places(cards, hand)
                assert places == answers.places(cards, hand)
                for card in cards:
                    assert found.public(card, hand) == answers.public(card, hand)
                for group, members in setup.cards_of.items():
                    if hand.board.places.get(members[0]) == "table":
                        continue
                    law = holds_group(setup, player, group)
                    assert found.is_told(group, hand) is answers.is_told(group, hand)
                    assert found.is_told(group, hand) is bool(
                        table.engine.valid(view.perspective.structure, law)
                    )
                    told.add(found.is_told(group, hand))
                    for other in setup.players:
                        open_ones = [
                            card
                            for card in members
                            if other in places.get(card, ()) and len(places[card]) > 1
                        ]
                        if len(open_ones) < 2:
                            assert not found.knows_group(other, open_ones, hand)
                            continue
                        one_of = disjunction(holds(other, card) for card in open_ones)
                        truth = bool(table.engine.holds(view.perspective, K(player, one_of)))
                        assert found.knows_group(other, open_ones, hand) is truth
                        known.add(truth)
    assert told == {True, False}
    if setup.groups[1:]:
        assert known == {True, False}


@pytest.mark.parametrize("options", OPTIONS[:6], ids=str)
def test_minds_play_alike_with_notes_of_both_kinds(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    minds = ("second-order", "first-order", "patient", "random", "first-order", "patient")
    setup = GAME.setup(**options)

    def games() -> list[tuple[Any, ...]]:
        found = []
        for seed in range(4):
            table = Table(GAME, setup, minds[: len(setup.players)], seed)
            events = tuple(step.outcome for step in table)
            found.append((events, table.result, table.assess()))
        return found

    by_group = games()
    monkeypatch.setattr(players, "is_short", lambda _: False)
    assert games() == by_group


def test_long_sums_are_left_to_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = GAME.setup(players=4, groups=5)
    table = Table(GAME, setup, ("second-order",), 3)
    for step in table:
        if step.number == 12:
            break
    view = table.view("ann")
    found, _, hand = noted(view)
    short = [found.is_told(group, hand) for group in setup.cards_of]
    monkeypatch.setattr(by_groups, "_LAW", 1)
    assert [found.is_told(group, hand) for group in setup.cards_of] == short
    assert by_groups.is_short(GAME.setup(players=6))
    monkeypatch.setattr(by_groups, "_NOTES", 1)
    assert not by_groups.is_short(setup)


def test_players_without_scenes_know_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of these minds works out no scene: nothing is told that nobody asks for."""

    def never(*arguments: object) -> object:
        raise AssertionError("no event is worked out")

    table = Table(GAME, GAME.setup(rules="study"), ("first-order", "second-order", "patient"), 1)
    monkeypatch.setattr(knowledge, "event", never)
    for _ in table:
        pass
    assert table.state.result


def test_what_cannot_be_is_an_error_of_both() -> None:
    """A record in which everybody refuses a card, and nobody can hold it."""
    setup = GAME.setup(rules="study", names=("ann", "bob", "cath"))
    deal = GAME.deal(setup, Random(1))
    mine = [card for card in setup.card_at.values() if deal[f"location({card})"] == "ann"]
    group = setup.group_of[mine[0]]
    wanted = next(card for card in setup.cards_of[group] if card not in mine)
    record = (
        Opening(turn=0),
        Question(turn=1, player="ann", asked="bob", card=wanted, given=False),
        Question(turn=2, player="ann", asked="cath", card=wanted, given=False),
    )
    start = Scene.of(GAME.structure(setup), deal).perspective("ann")
    perspective = start
    for public in record:
        perspective = perspective.update(knowledge.event(setup, public))
    view = View(setup, perspective, record)
    found, answers, hand = noted(view)
    with pytest.raises(ImpossibleEvent, match="no possible world is left for ann"):
        answers.places([wanted], hand)
    with pytest.raises(ImpossibleEvent, match="no possible world is left for ann"):
        found.places([wanted], hand)
    for group in setup.cards_of:
        assert found.is_told(group, hand) is answers.is_told(group, hand)
    before = replace(view, perspective=start, record=())
    found, answers, hand = noted(before)
    assert found.places([wanted], hand) == answers.places([wanted], hand)


def test_boards_are_shared_by_all_who_follow_a_game() -> None:
    setup = GAME.setup(rules="study")
    table = Table(GAME, setup, ("random",), 5)
    for step in table:
        if step.number > 20:
            break
    boards = []
    for start in (Board.of(setup), Board(setup, {}, setup.sizes, dict.fromkeys(setup.players, 0))):
        board = start
        for step in table.steps:
            board = board.after(step.outcome.public)
        boards.append(board)
    assert boards[0] == boards[1]
    assert boards[0] is Reader().read(table.view("ann"))
    # Another game goes on from the same board, and leads elsewhere.
    other = Opening(turn=0, down={"baddies": "ann"})
    assert Board.of(setup).after(other).points["ann"] == 1
    assert Board.of(setup).after(table.steps[0].outcome.public).points["ann"] == 0
