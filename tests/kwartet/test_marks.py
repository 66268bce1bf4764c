"""Players that reason as the program of the Kwartet project does, compared with exact knowledge."""

from __future__ import annotations

from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.errors import InputError
from symkripke.model import Scene
from symkripke.play import Table, View
from symkripke.play.dealing import location
from symkripke.play.strategies import strategy
from symkripke_games.kwartet import GAME, knowledge
from symkripke_games.kwartet.marks import ADVANCED, ANSWERS, BASIC, MEANT, THINKING, Marks
from symkripke_games.kwartet.notes import Conclusions, Hand, Notes, Reader, in_play
from symkripke_games.kwartet.rules import Happening, Opening, Question, Setup

EXACT_AND_MARKS = ["exact", *THINKING]


def conclusions(thinking: str) -> Conclusions:
    return Notes(engine("sat")) if thinking == "exact" else Marks(thinking)


def read_after(
    setup: Setup, hands: dict[str, str], player: str, thinking: str, *questions: Question
) -> tuple[Conclusions, Hand]:
    """Return the player's conclusions after these questions, and the player's hand."""
    deal = {location(card): holder for holder, hand in hands.items() for card in hand.split()}
    record: tuple[Happening, ...] = (Opening(turn=0), *questions)
    scene = Scene.of(GAME.structure(setup), deal)
    for public in record:
        scene = scene.update(knowledge.event(setup, public))
    view: View[Any, Any] = View(setup, scene.perspective(player), record)
    reader, found = Reader(), conclusions(thinking)
    hand = Hand(view, reader)
    found.read(view, reader)
    return found, hand


@pytest.mark.parametrize(
    ("seats", "locating"),
    [("abc", {"exact", ADVANCED, MEANT}), ("bac", {"exact", MEANT})],
)
def test_advanced_thinking_stops_early(seats: str, locating: set[str]) -> None:
    """A asks C for card 1, and C says no, so B has it.

    The program's loop considers the table of the first seat first, and stops at card 2.
    """
    setup = GAME.setup(names=tuple(seats), groups=1, dealt_more=("b",))
    one, two, three, four = setup.cards_of["farm_animals"]
    hands = {"b": f"{one} {two}", "a": three, "c": four}
    no = Question(turn=1, player="a", asked="c", card=one, given=False)
    for thinking in EXACT_AND_MARKS:
        found, hand = read_after(setup, hands, "a", thinking, no)
        assert found.places([one], hand) == {one: ("b",)}
        assert found.located([one, two, four], hand) == ({one: "b"} if thinking in locating else {})


def test_the_program_forgets_that_a_question_needs_a_card_of_the_group() -> None:
    """Bob gets the pig and must give it away again. He asked, so he holds another farm animal."""
    setup = GAME.setup(rules="study", players=3, groups=2)
    hands = {
        "ann": "crazy_pig proud_rooster flying_cape",
        "bob": "smelly_goat iron_fist masked_avenger",
        "cath": "fat_cow invisible_girl",
    }
    pig = Question(turn=1, player="bob", asked="ann", card="crazy_pig", given=True)
    again = Question(turn=2, player="cath", asked="bob", card="crazy_pig", given=True)
    for thinking in EXACT_AND_MARKS:
        for questions, knowing in [
            ((pig,), set(EXACT_AND_MARKS) - {ANSWERS}),
            ((pig, again), {"exact"}),
        ]:
            found, hand = read_after(setup, hands, "cath", thinking, *questions)
            open_cards = ["smelly_goat", "proud_rooster"]
            knows = found.knows_group("bob", open_cards, hand)
            assert knows is (thinking in knowing), (thinking, questions)


@pytest.mark.parametrize("options", [{"players": 3}, {"players": 5, "allow_bluff": True}], ids=str)
def test_marks_of_cards_in_play_are_true(options: dict[str, Any]) -> None:
    """The program's false conclusions are about groups that lie on the table."""
    minds = ("second-order-as-coded", "first-order-as-coded", "random", "random", "focused")
    table = Table(GAME, GAME.setup(rules="study", **options), minds[: options["players"]], 3)
    kept = {
        player: (Reader(), {thinking: conclusions(thinking) for thinking in EXACT_AND_MARKS})
        for player in table.setup.players
    }
    located, told = dict.fromkeys(EXACT_AND_MARKS, 0), dict.fromkeys(EXACT_AND_MARKS, 0)
    for _ in table:
        for player, (reader, ways) in kept.items():
            view = table.view(player)
            hand = Hand(view, reader)
            if not hand.own:
                continue
            cards = in_play(hand)
            for thinking, found in ways.items():
                found.read(view, reader)
                assert (
                    found.located(cards, hand).items() <= ways["exact"].located(cards, hand).items()
                )
                for card, places in ways["exact"].places(cards, hand).items():
                    assert set(places) <= set(found.places([card], hand)[card])
                groups = {group for group in hand.groups if found.is_told(group, hand)}
                assert all(ways["exact"].is_told(group, hand) for group in groups)
                located[thinking] += len(found.located(cards, hand))
                told[thinking] += len(groups)
    assert 0 < located[BASIC] <= located[ADVANCED] < located[MEANT] < located["exact"]
    assert 0 < told[BASIC] <= told["exact"]


def asked_by(mind: str, seed: int) -> list[tuple[list[str], Hand, Question]]:
    """Return each question of these players in a game, with the announced groups and the hand."""
    table = Table(GAME, GAME.setup(rules="study", players=3), (mind,), seed)
    kept = {player: (Reader(), Marks(BASIC)) for player in table.setup.players}
    questions = []
    before: dict[str, tuple[list[str], Hand]] = {}
    for step in table:
        public = step.outcome.public
        if isinstance(public, Question):
            questions.append((*before[public.player], public))
        for player, (reader, marks) in kept.items():
            view = table.view(player)
            hand = Hand(view, reader)
            marks.read(view, reader)
            announced = [group for group in hand.groups if hand.own and marks.is_told(group, hand)]
            before[player] = announced, hand
    return questions


def test_second_order_players_as_coded_leave_other_groups_alone() -> None:
    free = 0
    for announced, hand, public in asked_by("second-order-as-coded", 1):
        assert not announced or hand.setup.group_of[public.card] in announced
        free += not announced
    assert free > 2


def test_focused_players_ask_about_one_group_at_a_time() -> None:
    current: dict[str, str] = {}
    changes = 0
    for _, hand, public in asked_by("focused:basic", 1):
        group = hand.setup.group_of[public.card]
        past = current.get(public.player, group)
        changes += past != group
        if past != group and past in hand.groups:  # a group of a higher rank was won back
            assert any(
                isinstance(event, Question) and hand.setup.group_of[event.card] == group
                for event in hand.view.record
            )
        current[public.player] = group
    assert changes > 2


def test_alternating_players_wait_in_every_other_turn() -> None:
    """A first-order turn never leaves a located card; a patient turn sometimes does."""
    left = [0, 0]
    for seed in range(8):
        table = Table(GAME, GAME.setup(rules="study", players=3), ("alternating",), seed)
        turns = dict.fromkeys(table.setup.players, 0)
        notes = {player: Notes(engine("sat")) for player in table.setup.players}
        sure: dict[str, bool] = {}
        for step in table:
            public = step.outcome.public
            if isinstance(public, Question) and not public.given:
                left[turns[public.player] % 2] += sure[public.player]
                turns[public.player] += 1
            for player, found in notes.items():
                view, reader = table.view(player), Reader()
                hand = Hand(view, reader)
                found.read(view, reader)
                sure[player] = bool(hand.own and found.located(hand.wanted, hand))
    assert left[1] == 0 < left[0]


def test_unknown_ways_of_thinking() -> None:
    with pytest.raises(InputError, match=r"unknown way of thinking 'mean'.*meant"):
        strategy(GAME, "second-order:mean")
