from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from symkripke.errors import InputError, RuleError, UnknownName
from symkripke.play import Outcome, Table
from symkripke.play.dealing import location
from symkripke.play.editions import slug
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.editions import EDITIONS, ENVELOPE, edition_named
from symkripke_games.cluedo.rules import (
    Accusation,
    Accuse,
    Done,
    Setup,
    Show,
    State,
    Suggest,
    Suggestion,
)

SMALL = {
    "scarlett": ENVELOPE,
    "mustard": "ann",
    "white": "cath",
    "candlestick": "ann",
    "dagger": "bob",
    "lead_pipe": ENVELOPE,
    "ballroom": "bob",
    "billiard_room": ENVELOPE,
    "conservatory": "cath",
}
DEAL = {location(card): place for card, place in SMALL.items()}


def start(rules: str = "classic", **changes: str) -> State:
    setup = GAME.setup(rules=rules, size="3/3/3", names=("ann", "bob", "cath"))
    state = GAME.start(setup, DEAL | changes)
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


def test_hands_of_every_classic_size() -> None:
    sizes = {3: (6, 6, 6), 4: (5, 5, 4, 4), 5: (4, 4, 4, 3, 3), 6: (3,) * 6}
    for players, hands in sizes.items():
        assert GAME.setup(players=players).hands == hands


def test_the_study_deals_weapons_then_suspects_then_rooms() -> None:
    """4 players, 3/3/4: 2 weapons to seats 1, 2; 2 suspects to 3, 4; 3 rooms to 1, 2, 3."""
    setup = GAME.setup(rules="study")
    assert setup.hands == ((0, 1, 1), (0, 1, 1), (1, 0, 1), (1, 0, 0))
    assert setup.players == ("ann", "bob", "cath", "dan")


@pytest.mark.parametrize("rules", ["classic", "study"])
def test_deals_obey_the_rules_and_reach_everywhere(rules: str) -> None:
    setup = GAME.setup(rules=rules, players=3, size="3/3/4")
    seen: Counter[tuple[str, str]] = Counter()
    for seed in range(300):
        deal = GAME.deal(setup, Random(seed))
        GAME.start(setup, deal)  # raises if the deal is not allowed
        seen.update(deal.items())
    envelope = [seen[location(card.id), ENVELOPE] for card in setup.edition.rooms]
    assert all(40 <= number <= 110 for number in envelope), envelope  # 75 expected


def test_editions_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "office.toml"
    file.write_text(
        'title = "The office"\n'
        'suspects = ["Ann", { id = "bob", title = "Bob from IT" }, "Émile"]\n'
        'weapons = ["Stapler", "Hole Punch"]\nrooms = ["Lobby", "Canteen", "3rd floor"]\n'
    )
    made = edition_named(str(file))
    assert [card.id for card in made.suspects] == ["ann", "bob", "émile"]
    assert [card.id for card in made.rooms] == ["lobby", "canteen", "_3rd_floor"]
    table = Table(GAME, GAME.setup(edition=str(file), players=3), seed=4)
    for _ in table:
        pass
    assert table.state.winners


BROKEN = {
    "a card twice": ('suspects = ["A", "B"]\nweapons = ["A"]\nrooms = ["C"]', "'a' is given twice"),
    "an empty category": ('suspects = ["A", "B"]\nrooms = ["C"]', "at least one card in weapons"),
    "no TOML": ("suspects = [", "is not TOML"),
    "a wrong entry": ('suspects = ["A"]\nweapon = ["B"]', "did you mean 'weapons'"),
    "no list": ('suspects = "A"', "expected a list of cards, .* for 'suspects', got 'A'"),
    "no card": ("suspects = [1]", "for 'suspects', got 1$"),
    "the envelope": ('suspects = ["Envelope"]\nweapons = ["B"]\nrooms = ["C"]', "cannot be called"),
    "a bad name": (
        'suspects = [{ id = "a b", title = "A" }]\nweapons = ["B"]\nrooms = ["C"]',
        "got 'a b' in suspects",
    ),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_editions(kind: str, tmp_path: Path) -> None:
    text, message = BROKEN[kind]
    file = tmp_path / "broken.toml"
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        edition_named(str(file))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 2}, "for 3 to 6 players, got 2"),
        ({"players": 7}, "for 3 to 6 players, got 7"),
        ({"rules": "study", "players": 1}, "for 2 to 12 players, got 1"),
        ({"rules": "clasic"}, "did you mean 'classic'"),
        ({"edition": "uk"}, "unknown edition 'uk'"),
        ({"edition": "none.toml"}, "cannot read none.toml"),
        ({"size": "3x3"}, "expected a size like 6/6/9"),
        ({"size": "0/3/3"}, "at least one card in suspects"),
        ({"size": "9999/9999/9999"}, "at most 100 cards in suspects"),
        ({"size": "1/1/2"}, "too few to deal to 6 players"),
        ({"names": ("ann", "ann", "bob")}, "'ann' is given twice"),
        ({"names": ("ann", "b c", "bob")}, "got 'b c'"),
        ({"names": ("ann", "bob", "Envelope")}, "cannot be called 'Envelope'"),
        ({"names": ("Ann", "ann", "bob")}, "'ann' is given twice"),
        ({"names": ("_", "ann", "bob")}, "a letter first"),
        ({"names": ("ann", "bob", "cath"), "players": 4}, "expected 4 names"),
    ],
)
def test_bad_setups(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        GAME.setup(**options)  # type: ignore[arg-type]


def test_slugs() -> None:
    assert slug("Lead Pipe") == "lead_pipe"
    assert slug("Mr. Green") == "mr_green"
    assert slug("221b Baker Street") == "_221b_baker_street"


# ---- play ------------------------------------------------------------------------------


def test_others_answer_in_seat_order_and_stop_at_the_first_show() -> None:
    state = start()
    middle, nothing = state.play(Suggest(("mustard", "dagger", "conservatory")))
    assert nothing is None
    decision = middle.decision
    assert decision is not None
    assert decision.player == "bob"
    assert decision.options == (Show("dagger"),)
    after, outcome = middle.play(Show("dagger"))
    assert outcome is not None
    assert outcome.public == Suggestion(
        turn=1, player="ann", cards=("mustard", "dagger", "conservatory"), passes=(), shower="bob"
    )
    assert outcome.secret == {"shown(1)": "dagger"}
    closing = after.decision
    assert closing is not None
    assert (closing.player, closing.kind) == ("ann", "accuse")
    following, nothing = after.play(Done())
    assert nothing is None
    assert following.turn == 2
    assert following.decision is not None
    assert following.decision.player == "bob"


def test_all_pass_if_nobody_but_the_asker_has_any() -> None:
    _, outcome = start().play(Suggest(("mustard", "candlestick", "billiard_room")))
    assert outcome is not None
    assert isinstance(outcome.public, Suggestion)
    assert outcome.public.passes == ("bob", "cath")
    assert outcome.public.shower is None
    assert outcome.secret == {}


def test_a_right_accusation_wins_before_or_after_a_suggestion() -> None:
    right = Accuse(("scarlett", "lead_pipe", "billiard_room"))
    over, outcome = start().play(right)
    assert over.winners == ("ann",)
    assert over.decision is None
    assert outcome is not None
    with pytest.raises(RuleError, match="the game is over"):
        over.play(right)
    asked, _ = start().play(Suggest(("mustard", "candlestick", "billiard_room")))
    assert asked.play(right)[0].winners == ("ann",)


def test_wrong_accusers_keep_showing_cards_in_the_classic_game_only() -> None:
    wrong = Accuse(("white", "lead_pipe", "billiard_room"))
    question = Suggest(("mustard", "candlestick", "billiard_room"))
    classic, _ = start().play(wrong)
    assert classic.decision is not None
    assert classic.decision.player == "bob"
    asked, _ = classic.play(question)
    assert asked.decision is not None
    assert asked.decision.player == "ann"
    study = State(
        Setup(rules="study", players=("ann", "bob", "cath"), edition=classic.setup.edition),
        DEAL,
        "ann",
    )
    silent, _ = study.play(wrong)
    _, outcome = silent.play(question)
    assert outcome is not None
    assert isinstance(outcome.public, Suggestion)
    assert outcome.public.passes == ("cath",)  # ann is passed over


def test_if_all_accuse_wrongly_nobody_wins() -> None:
    state = start()
    wrong = Accuse(("white", "lead_pipe", "billiard_room"))
    for player in ("ann", "bob", "cath"):
        assert state.mover == player
        state, _ = state.play(wrong)
    assert state.result == "all have accused wrongly: nobody wins"
    assert state.winners == ()


def test_who_is_out_has_no_turn() -> None:
    state, _ = start().play(Accuse(("white", "lead_pipe", "billiard_room")))
    order = []
    for _ in range(4):
        order.append(state.mover)
        state, outcome = state.play(Suggest(("scarlett", "lead_pipe", "billiard_room")))
        assert outcome is not None
        state, _ = state.play(Done())
    assert order == ["bob", "cath", "bob", "cath"]


@pytest.mark.parametrize(
    ("move", "message"),
    [
        (Suggest(("mustard", "rope", "ballroom")), "unknown card among the weapons 'rope'"),
        (Suggest(("ballroom", "dagger", "mustard")), "among the suspects 'ballroom'"),
        (Show("dagger"), "ann cannot show now"),
        (Done(), "ann cannot done now"),
        (Accuse(("mustard", "dagger")), "got 2 cards"),  # type: ignore[arg-type]
    ],
)
def test_forbidden_moves(move: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        start().play(move)


def test_only_a_card_that_was_asked_for_and_is_held_can_be_shown() -> None:
    state, _ = start().play(Suggest(("mustard", "dagger", "conservatory")))
    for card in ("conservatory", "ballroom", "rope"):
        with pytest.raises(RuleError, match="expected bob to show one of dagger"):
            state.play(Show(card))


# ---- events that are told ------------------------------------------------------------------


def told(**changes: object) -> Suggestion:
    fields: dict[str, object] = {
        "turn": 1,
        "player": "ann",
        "cards": ("mustard", "dagger", "conservatory"),
        "passes": (),
        "shower": "bob",
    }
    return Suggestion(**(fields | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("public", "secret", "message"),
    [
        (told(), {}, "expected bob to show one of dagger, got None"),
        (told(), {"shown(1)": "conservatory"}, "expected bob to show one of dagger"),
        (told(), {"shown(1)": "rope"}, "cannot have shown 'rope'"),
        (told(), {"shown(1)": "dagger", "shown(2)": "rope"}, "no secret 'shown\\(2\\)'"),
        (told(turn=2), {}, "expected an event of turn 1, got one of 2"),
        (told(player="bob"), {}, "turn 1 is ann's, not bob's"),
        (told(player="bb"), {}, "unknown player 'bb'; did you mean 'bob'"),
        (told(passes=("bob",), shower="cath"), {"shown(1)": "conservatory"}, "how the cards lie"),
        (told(passes=("cath",), shower="bob"), {}, "expected bob, cath to answer ann"),
        (told(shower=None), {}, "expected bob, cath to answer ann, in this order, got nobody"),
        (told(cards=("rope", "dagger", "ballroom")), {}, "unknown card among the suspects"),
        (
            Accusation(turn=1, player="ann", cards=("white", "dagger", "ballroom"), right=True),
            {},
            "this accusation is wrong",
        ),
        (
            Accusation(turn=1, player="ann", cards=("white", "dagger", "ballroom"), right=False),
            {"shown(1)": "rope"},
            "an accusation has no secrets",
        ),
    ],
)
def test_told_events_are_checked(
    public: Suggestion | Accusation, secret: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        start().follow(Outcome(public, secret))


def test_deals_are_checked() -> None:
    for changes, message in (
        ({location("mustard"): "bob"}, "expected ann to hold 2 cards"),
        ({location("mustard"): ENVELOPE}, "expected one of the suspects in the envelope, got 2"),
        ({location("mustard"): "zoe"}, "unknown place 'zoe'"),
    ):
        with pytest.raises(InputError, match=message):
            start(**changes)
    setup = start().setup
    with pytest.raises(RuleError, match="does not say where"):
        GAME.start(setup, {k: v for k, v in DEAL.items() if k != location("mustard")})
    with pytest.raises(UnknownName, match="unknown card in the deal"):
        GAME.start(setup, DEAL | {location("rope"): "ann"})
