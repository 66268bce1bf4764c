"""The rules of Cluedo: editions, setups, deals, moves and recorded events."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from symkripke.errors import InputError
from symkripke.play import Outcome, Table
from symkripke.play.dealing import location
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.editions import EDITIONS, ENVELOPE, edition_named
from symkripke_games.cluedo.rules import (
    Accusation,
    Accuse,
    Done,
    NoSuggestion,
    Show,
    State,
    Suggest,
    Suggestion,
)

HANDS = {
    ENVELOPE: "scarlett lead_pipe billiard_room",
    "ann": "mustard candlestick",
    "bob": "dagger ballroom",
    "cath": "white conservatory",
}
DEAL = {location(card): place for place, hand in HANDS.items() for card in hand.split()}


def start(rules: str = "classic") -> State:
    state = GAME.start(GAME.setup(rules=rules, size="3/3/3", names=("ann", "bob", "cath")), DEAL)
    assert isinstance(state, State)
    return state


# ---- editions and setups -------------------------------------------------------------------


def test_editions_are_the_printed_ones() -> None:
    for name, made in EDITIONS.items():
        assert [len(cards) for cards in made.categories] == [6, 6, 9], name
        made.check()
    assert "Dr Orchid" in [card.title for card in EDITIONS["2016"].suspects]
    assert "Mrs White" not in [card.title for card in EDITIONS["2016"].suspects]
    us = {card.title for card in EDITIONS["us"].cards}
    assert {"Mr. Green", "Knife", "Wrench"} <= us
    assert not {"Dagger", "Spanner", "Reverend Green"} & us


def test_hands() -> None:
    sizes = {3: (6, 6, 6), 4: (5, 5, 4, 4), 5: (4, 4, 4, 3, 3), 6: (3,) * 6}
    for players, hands in sizes.items():
        assert GAME.setup(players=players).hands == hands
    # With 4 players and 3/3/4 cards, the 2 weapons go to seats 1 and 2, the 2 suspects to 3 and 4,
    # and the 3 rooms to 1, 2 and 3.
    study = GAME.setup(rules="study")
    assert study.hands == ((0, 1, 1), (0, 1, 1), (1, 0, 1), (1, 0, 0))
    assert study.sizes == {"ann": 2, "bob": 2, "cath": 2, "dan": 1}
    assert list(GAME.setup(players=4).sizes.values()) == [5, 5, 4, 4]


@pytest.mark.parametrize("rules", ["classic", "study"])
def test_deals_obey_the_rules_and_reach_everywhere(rules: str) -> None:
    setup = GAME.setup(rules=rules, players=3, size="3/3/4")
    seen: Counter[tuple[str, str]] = Counter()
    for seed in range(300):
        deal = GAME.deal(setup, Random(seed))
        GAME.start(setup, deal)  # raises if the rules do not allow the deal
        seen.update(deal.items())
    envelope = [seen[location(card.id), ENVELOPE] for card in setup.edition.rooms]
    assert all(40 <= number <= 110 for number in envelope), envelope  # 75 are expected


def test_editions_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "office.toml"
    file.write_text(
        'title = "The office"\n'
        'suspects = ["Ann", { id = "bob", title = "Bob from IT" }, "Émile"]\n'
        'weapons = ["Lead Pipe", "Hole Punch"]\nrooms = ["Mr. Green", "Canteen", "3rd floor"]\n'
    )
    made = edition_named(str(file))
    assert [card.id for card in made.suspects] == ["ann", "bob", "émile"]
    assert [card.id for card in made.weapons] == ["lead_pipe", "hole_punch"]
    assert [card.id for card in made.rooms] == ["mr_green", "canteen", "_3rd_floor"]
    table = Table(GAME, GAME.setup(edition=str(file), players=3), seed=4)
    for _ in table:
        pass
    assert table.state.winners


# ---- play ------------------------------------------------------------------------------

OPEN = Suggest(("mustard", "dagger", "conservatory"))
TWO: Any = ("mustard", "dagger")
NOBODY = Suggest(("mustard", "candlestick", "billiard_room"))
INSIDE = Suggest(("scarlett", "lead_pipe", "billiard_room"))
RIGHT = Accuse(INSIDE.cards)
WRONG = Accuse(("white", "lead_pipe", "billiard_room"))


def told(**changes: Any) -> Suggestion:
    """Return Ann's question, to which Bob shows the dagger, with some fields replaced."""
    fields: dict[str, Any] = {"turn": 1, "player": "ann", "cards": OPEN.cards, "shower": "bob"}
    return Suggestion(**(fields | changes))


def accused(**changes: Any) -> Accusation:
    """Return Ann's wrong accusation, with some fields replaced."""
    fields: dict[str, Any] = {"turn": 1, "player": "ann", "cards": WRONG.cards, "right": False}
    return Accusation(**(fields | changes))


DAGGER = {"shown(1)": "dagger"}
PASSED = told(cards=NOBODY.cards, passes=("bob", "cath"), shower=None)
SKIPPED = told(turn=2, player="bob", cards=NOBODY.cards, passes=("cath",), shower=None)

# The rules, the moves, the event of the last move, and the decision that follows.
PLAY: dict[str, tuple[str, list[Any], Outcome[Any] | None, str]] = {
    "who has a card must show one": ("classic", [OPEN], None, "bob show 1"),
    "a card is shown": ("classic", [OPEN, Show("dagger")], Outcome(told(), DAGGER), "ann accuse 1"),
    "the next one asks": ("classic", [OPEN, Show("dagger"), Done()], None, "bob act 2"),
    "all others pass": ("classic", [NOBODY], Outcome(PASSED, {}), "ann accuse 1"),
    "a right accusation": (
        "classic",
        [NOBODY, RIGHT],
        Outcome(accused(cards=RIGHT.cards, right=True), {}),
        "ann wins in turn 1: ann",
    ),
    "instead of a question": (
        "classic",
        [RIGHT],
        Outcome(accused(cards=RIGHT.cards, right=True), {}),
        "ann wins in turn 1: ann",
    ),
    "a wrong accusation": ("classic", [WRONG], Outcome(accused(), {}), "bob act 2"),
    "who was wrong shows": ("classic", [WRONG, NOBODY], None, "ann show 2"),
    "or not": ("study", [WRONG, NOBODY], Outcome(SKIPPED, {}), "bob accuse 2"),
    "who is out has no turn": (
        "classic",
        [WRONG, INSIDE, Done(), INSIDE, Done()],
        None,
        "bob act 4",
    ),
    "all were wrong": (
        "classic",
        [WRONG] * 3,
        Outcome(accused(turn=3, player="cath"), {}),
        "all have accused wrongly: nobody wins:",
    ),
}


@pytest.mark.parametrize("case", PLAY)
def test_play(case: str) -> None:
    rules, moves, last, then = PLAY[case]
    state, outcome = start(rules), None
    for move in moves:
        state, outcome = state.play(move)
    decision = state.decision
    if decision is None:
        assert " ".join([f"{state.result}:", *state.winners]) == then
        with pytest.raises(InputError, match="the game is over"):
            state.play(RIGHT)
    else:
        assert f"{decision.player} {decision.kind} {state.turn}" == then
    assert outcome == last


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ([Suggest(("mustard", "rope", "ballroom"))], "unknown card among the weapons 'rope'"),
        ([Suggest(("ballroom", "dagger", "mustard"))], "among the suspects 'ballroom'"),
        ([Show("dagger")], "ann cannot show now"),
        ([Done()], "ann cannot done now"),
        ([Accuse(TWO)], "got 2 cards"),
        ([OPEN, Show("conservatory")], "expected bob to show one of dagger"),
        ([OPEN, Show("ballroom")], "expected bob to show one of dagger"),
    ],
)
def test_forbidden_moves(moves: list[Any], message: str) -> None:
    state = start()
    for move in moves[:-1]:
        state = state.play(move)[0]
    with pytest.raises(InputError, match=message):
        state.play(moves[-1])


@pytest.mark.parametrize(
    ("public", "secret", "message"),
    [
        (told(), {}, "expected bob to show one of dagger, got None"),
        (told(), {"shown(1)": "conservatory"}, "expected bob to show one of dagger"),
        (told(), {"shown(1)": "rope"}, "cannot have shown 'rope'"),
        (told(), DAGGER | {"shown(2)": "rope"}, "no secret 'shown\\(2\\)'"),
        (PASSED, {"shown(1)": "mustard"}, "no secret"),
        (told(turn=2), {}, "expected an event of turn 1, got one of 2"),
        (told(player="bob"), {}, "turn 1 is ann's, not bob's"),
        (told(player="bb"), {}, "unknown player 'bb'; did you mean 'bob'"),
        (told(passes=("bob",), shower="cath"), {"shown(1)": "conservatory"}, "as in the deal"),
        (told(passes=("cath",)), {}, "expected bob, cath to answer ann"),
        (told(shower=None), {}, "expected bob, cath to answer ann, in this order, got nobody"),
        (told(cards=("rope", "dagger", "ballroom")), {}, "unknown card among the suspects"),
        (accused(right=True), {}, "this accusation is wrong"),
        (accused(), {"shown(1)": "rope"}, "an accusation has no secrets"),
    ],
)
def test_recorded_events_are_checked(public: Any, secret: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        start().follow(Outcome(public, secret))


def looked(*cards: str, place: str = ENVELOPE) -> Outcome[Any]:
    """Return a wrong accusation, recorded by the player who has looked into the envelope."""
    return Outcome(accused(), {location(card): place for card in cards})


def test_events_recorded_by_an_onlooker() -> None:
    """The player who looked reports the envelope; a turn without a question ends there."""
    state: Any = GAME.start(start().setup, None)
    state.follow(looked("scarlett", "lead_pipe", "billiard_room"))
    for wrong in (looked("scarlett", "lead_pipe"), looked(*RIGHT.cards, place="bob")):
        with pytest.raises(InputError, match="in the envelope"):
            state.follow(wrong)
    silent = Outcome[Any](NoSuggestion(turn=1, player="ann"), {})
    after = state.follow(silent)
    assert (after.phase, after.turn) == ("accuse", 1)
    for again in (silent, Outcome(told(), {})):
        with pytest.raises(InputError, match="has made a suggestion in turn 1"):
            after.follow(again)
    assert after.follow(Outcome(told(turn=2, player="bob", shower="cath"), {})).mover == "bob"
