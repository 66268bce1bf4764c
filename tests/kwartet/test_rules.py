"""The rules: who may ask what, what is laid down, whose turn it is, logs that are told."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from symkripke.errors import InputError, LogError, RuleError, UnknownName
from symkripke.model import Fixed
from symkripke.play import Outcome, Record, Table
from symkripke.play.dealing import location
from symkripke_games.kwartet import GAME, rules
from symkripke_games.kwartet.decks import DECKS, TABLE
from symkripke_games.kwartet.rules import Ask, LayDown, Opening, PassTo, Question

HANDS = {
    "ann": "smelly_goat crazy_pig flying_cape broccoli",
    "bob": "fat_cow masked_avenger iron_fist spinach",
    "cath": "proud_rooster invisible_girl brown_bread carrot_juice",
}


def dealt(hands: dict[str, str]) -> dict[str, str]:
    return {location(card): player for player, hand in hands.items() for card in hand.split()}


def started(hands: dict[str, str] = HANDS, **options: Any) -> rules.State:
    setup = GAME.setup(players=3, groups=3, **options)
    state, _ = GAME.start(setup, dealt(hands)).play(LayDown())
    assert isinstance(state, rules.State)
    return state


def asked(state: rules.State, player: str, card: str) -> tuple[rules.State, Question]:
    after, outcome = state.play(Ask(player, card))
    assert outcome is not None
    assert isinstance(outcome.public, Question)
    return after, outcome.public


def test_decks() -> None:
    assert [len(deck) for deck in DECKS.values()] == [13, 13, 6]
    assert len({card.id for card in GAME.setup().cards}) == 52
    assert [group.title for group in GAME.setup(rules="study").groups] == [
        "Farm animals",
        "Super heroes",
        "Healthy food",
        "Things to trip over",
        "Baddies",
        "Fantasy races",
    ]
    ranks = GAME.setup(edition="ranks")
    assert ranks.cards_of["sixes"] == (
        "six_of_spades",
        "six_of_hearts",
        "six_of_diamonds",
        "six_of_clubs",
    )


def test_own_decks(tmp_path: Path) -> None:
    file = tmp_path / "deck.toml"
    file.write_text('"Rivers" = ["Rhine", "Meuse", "Scheldt", "Ems"]\n')
    setup = GAME.setup(players=3, edition=str(file))
    assert [card.title for card in setup.cards] == ["Rhine", "Meuse", "Scheldt", "Ems"]
    for text, message in (
        ("Rivers = 4", "expected a list of 4 titles"),
        ('Rivers = ["Rhine"]', "expected 4 cards in each group, got 1 in 'Rivers'"),
        ('A = ["a", "b", "c", "a"]', "'a' is given twice \\(in A and in A\\)"),
        ('A = ["a", "b", "c", "?"]', "expected a title with a letter or a digit, got '\\?' in A"),
        ('A = ["a", "b", "c", 4]', "expected a list of 4 titles for 'A', got 4"),
        (
            'A = ["a", "b", "c", "table"]',
            "in A cannot be called 'table'",
        ),
        ("", "expected a deck of one group or more"),
        ("[", "is not TOML"),
    ):
        file.write_text(text)
        with pytest.raises(RuleError, match=message):
            GAME.setup(players=3, edition=str(file))
    with pytest.raises(RuleError, match="cannot read"):
        GAME.setup(players=3, edition=str(tmp_path / "none.toml"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 2}, "Kwartet \\(classic\\) is for 3 to 6 players, got 2"),
        ({"players": 7}, "for 3 to 6 players, got 7"),
        ({"groups": "0"}, "expected 1 to 13 groups of this deck, got 0"),
        ({"groups": 14}, "expected 1 to 13 groups of this deck, got 14"),
        ({"groups": "many"}, "option groups: expected a whole number, got 'many'"),
        ({"players": 5, "groups": 1}, "4 cards are too few to deal to 5 players"),
        ({"names": ("ann", "table", "bob")}, "a player cannot be called 'table'"),
        ({"names": ("ann", "Ann", "bob")}, "player 'Ann' is given twice"),
        ({"names": ("ann", "b b", "bob")}, "expected a player name of letters"),
        ({"names": ("ann", "bob", "cath"), "players": 4}, "expected 3 names for 4 players|4 names"),
        ({"forgets": "1.5"}, "option forgets: expected a number from 0 to 1"),
        ({"edition": "ranky"}, "unknown deck 'ranky'.*ranks"),
        ({"rules": "dutch"}, "unknown rule set 'dutch'"),
        ({"deck": "ranks"}, "unknown option of Kwartet 'deck'"),
        ({"allow_bluff": "maybe"}, "option allow_bluff: expected yes or no"),
    ],
)
def test_setups_that_nobody_can_play(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        GAME.setup(**options)


def test_deals() -> None:
    setup = GAME.setup(players=5)
    deal = GAME.deal(setup, Random(1))
    assert [sum(place == p for place in deal.values()) for p in setup.players] == [
        11,
        11,
        10,
        10,
        10,
    ]
    assert deal == GAME.deal(setup, Random(1)) != GAME.deal(setup, Random(2))
    small = GAME.setup(players=3, groups=3)
    right = dealt(HANDS)
    for wrong, message in (
        ({**right, "location(rope)": "ann"}, "unknown card in the deal"),
        ({**right, location("fat_cow"): TABLE}, "unknown player 'table'"),
        ({**right, location("fat_cow"): "ann"}, "expected ann to be dealt 4 cards, got 5"),
        ({k: v for k, v in right.items() if "cow" not in k}, "does not say where location\\(fat"),
    ):
        with pytest.raises(InputError, match=message):
            GAME.start(small, wrong)


def test_a_yes_moves_the_card_and_one_asks_again() -> None:
    state, public = asked(started(), "bob", "fat_cow")
    assert (public.given, public.down) == (True, False)
    assert state.mover == "ann"
    assert state.place("fat_cow") == "ann"
    assert state.board.sizes == {"ann": 5, "bob": 3, "cath": 4}
    state, public = asked(state, "cath", "proud_rooster")
    assert public.down
    assert state.board.points == {"ann": 1, "bob": 0, "cath": 0}
    assert state.board.sizes == {"ann": 2, "bob": 3, "cath": 3}
    assert state.place("smelly_goat") == TABLE
    assert state.mover == "ann"


def test_a_no_passes_the_turn_to_who_was_asked() -> None:
    state, public = asked(started(), "cath", "fat_cow")
    assert not public.given
    assert (state.mover, state.turn) == ("cath", 2)


def test_what_may_not_be_asked() -> None:
    state = started()
    for player, card, message in (
        ("ann", "fat_cow", "ann cannot ask itself"),
        ("dan", "fat_cow", "unknown player 'dan'"),
        ("bob", "fat_cat", "unknown card 'fat_cat'.*fat_cow"),
        ("bob", "crazy_pig", "ann has crazy_pig, and cannot ask for it"),
    ):
        with pytest.raises(InputError, match=message):
            state.play(Ask(player, card))
    without = {
        "ann": "smelly_goat crazy_pig flying_cape masked_avenger",
        "bob": "fat_cow broccoli iron_fist spinach",
        "cath": HANDS["cath"],
    }
    with pytest.raises(RuleError, match="ann has no card of healthy_food"):
        started(without).play(Ask("bob", "spinach"))
    for move in (PassTo("bob"), LayDown(), "ask"):
        with pytest.raises(RuleError, match=r"ann cannot .* now \(ask\)"):
            state.play(move)


def test_bluffing_costs_the_turn() -> None:
    state = started(allow_bluff=True)
    after, public = asked(state, "bob", "crazy_pig")
    assert (public.given, after.mover) == (False, "bob")


FULL = {
    "ann": "smelly_goat crazy_pig fat_cow proud_rooster",
    "bob": "flying_cape masked_avenger iron_fist spinach",
    "cath": "invisible_girl broccoli brown_bread carrot_juice",
}


def test_a_group_that_is_dealt_is_laid_down_at_once_and_who_has_no_cards_is_out() -> None:
    setup = GAME.setup(players=3, groups=3)
    state, outcome = GAME.start(setup, dealt(FULL)).play(LayDown())
    assert outcome is not None
    assert outcome.public == Opening(turn=0, down={"farm_animals": "ann"})
    assert state.out == {"ann"}
    assert state.decision is not None
    assert state.decision.player == "bob", "the next one with cards"
    with pytest.raises(RuleError, match="ann has no cards"):
        state.play(Ask("ann", "broccoli"))
    study = setup_state(FULL, "study")
    assert study.decision is not None
    assert study.decision.options == (PassTo("bob"), PassTo("cath"))
    after, event = study.play(PassTo("cath"))
    assert event is None
    assert after.decision is not None
    assert after.decision.player == "cath"
    with pytest.raises(RuleError, match="ann has no cards: it cannot be its turn"):
        study.play(PassTo("ann"))


def setup_state(hands: dict[str, str], name: str) -> rules.State:
    setup = GAME.setup(rules=name, players=3, groups=3)
    state, _ = GAME.start(setup, dealt(hands)).play(LayDown())
    assert isinstance(state, rules.State)
    return state


def test_most_groups_win() -> None:
    state = started(FULL)
    state, _ = asked(state, "cath", "invisible_girl")
    assert state.result is None
    state, _ = asked(state, "cath", "broccoli")
    state, _ = asked(state, "cath", "brown_bread")
    state, _ = asked(state, "cath", "carrot_juice")
    assert state.winners == ("bob",)
    assert state.result == "bob wins with 2 groups"
    assert state.decision is None
    with pytest.raises(RuleError, match="the game is over"):
        state.play(Ask("cath", "broccoli"))
    tied = GAME.start(
        GAME.setup(players=3, groups=1),
        dealt({"ann": "smelly_goat crazy_pig", "bob": "fat_cow", "cath": "proud_rooster"}),
    )
    state, _ = asked(tied.play(LayDown())[0], "bob", "fat_cow")  # type: ignore[arg-type]
    state, _ = asked(state, "cath", "proud_rooster")
    assert state.result == "ann wins with 1 group"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"turn": 2}, "expected an event of turn 1, got one of 2"),
        ({"player": "bob", "asked": "cath"}, "turn 1 is ann's, not bob's"),
        ({"player": "zoe"}, "unknown player 'zoe'"),
        ({"given": False}, "bob has fat_cow, and must give it"),
        ({"down": True}, "ann does not have all cards of the group of fat_cow"),
        ({"given": False, "down": True, "asked": "cath"}, "nothing is laid down where nothing"),
        ({"asked": "cath"}, "cath cannot give fat_cow: bob has it"),
    ],
)
def test_told_events_are_checked(change: dict[str, Any], message: str) -> None:
    public = Question(turn=1, player="ann", asked="bob", card="fat_cow", given=True)
    state = started()
    assert state.follow(Outcome(public, {})) == asked(state, "bob", "fat_cow")[0]
    fields = {name: getattr(public, name) for name in public.__struct_fields__}
    with pytest.raises(InputError, match=message):
        state.follow(Outcome(Question(**{**fields, **change}), {}))


def test_told_openings_are_checked() -> None:
    setup = GAME.setup(players=3, groups=3)
    state = GAME.start(setup, dealt(FULL))
    with pytest.raises(
        RuleError, match="expected farm_animals \\(ann\\) to be laid down, got noth"
    ):
        state.follow(Outcome(Opening(turn=0), {}))
    onlooker = GAME.start(setup, None)
    for down, message in (
        ({"farm": "ann"}, "unknown group 'farm'"),
        ({"farm_animals": "zoe"}, "unknown player 'zoe'"),
        ({"farm_animals": "ann", "super_heroes": "ann"}, "ann was dealt 4 cards"),
    ):
        with pytest.raises((RuleError, UnknownName), match=message):
            onlooker.follow(Outcome(Opening(turn=0, down=down), {}))
    question = Question(turn=1, player="ann", asked="bob", card="fat_cow", given=True)
    with pytest.raises(RuleError, match="expected the opening"):
        onlooker.follow(Outcome(question, {}))
    with pytest.raises(RuleError, match="nobody can play on without knowing"):
        onlooker.play(LayDown())


def test_moves_cost_no_variables_and_old_turns_can_be_asked_about() -> None:
    """A game of 200 questions has the fluents of its deal; what moved is publicly known."""
    table = Table(GAME, GAME.setup(), ("random",), 5)
    for _ in table:
        pass
    assert len(table.steps) > 150
    structure = table.scene.structure
    assert len(structure.vocabulary.fluents) == 52
    assert all(isinstance(version, Fixed) for version in structure.versions.values())
    moment = table.moment
    for turn in (1, 75, 150):
        card = next(s.outcome.public.card for s in table.steps[turn:] if s.outcome.public.given)  # type: ignore[union-attr]
        holder = moment.at(turn).state.world  # type: ignore[union-attr]
        assert holder[location(card)] in table.setup.players
        assert not moment.at(turn).ask(f"at({card}, {TABLE})")
        assert moment.ask(f"C[*] at({card}, {TABLE})")


def seat_log(table: Table[Any, Any], player: str) -> list[str]:
    """The log of a table as that player would have written it."""
    holds = [card.id for card in table.setup.cards if table.deal[location(card.id)] == player]
    lines = list(table.record.lines())
    seat = f'{{"seat":{{"player":"{player}","holds":{str(holds).replace(chr(39), chr(34))}}}}}'
    return [lines[0], seat, *lines[2:]]


def test_a_log_that_cannot_be_so_is_refused_where_it_is_wrong() -> None:
    table = Table(GAME, GAME.setup(rules="study"), ("first-order",), 4)
    for _ in table:
        pass
    lines = list(table.record.lines())
    given = next(n for n, line in enumerate(lines) if '"given":true' in line)
    wrong = [*lines[:given], lines[given].replace('"given":true', '"given":false')]
    with pytest.raises(LogError, match=f"my.jsonl, line {given + 1}: .* has .*, and must give it"):
        Record.parse("\n".join(wrong), "my.jsonl").replay("my.jsonl")
    lines = seat_log(table, "bob")
    with pytest.raises(LogError, match="expected bob to be dealt 8 cards, got 1"):
        Record.parse("\n".join([lines[0], '{"seat":{"player":"bob","holds":["elf"]}}'])).replay()
    impossible = [
        *lines[:3],
        '{"event":{"type":"question","turn":1,"player":"ann","asked":"bob","card":"CARD",'
        '"given":true}}',
    ]
    not_held = next(c.id for c in table.setup.cards if table.deal[location(c.id)] == "ann")
    with pytest.raises(LogError, match=r"line 4.*it does not fit what is known"):
        Record.parse("\n".join(impossible).replace("CARD", not_held)).replay("my.jsonl")
