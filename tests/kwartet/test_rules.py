"""The rules: allowed questions, groups laid down, turns, and recorded events."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from symkripke.errors import InputError, RuleError
from symkripke.model import Fixed
from symkripke.play import Outcome, Table
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


THREE = GAME.setup(players=3, groups=3)


def started(hands: dict[str, str], *moves: Ask) -> rules.State:
    state: Any = GAME.start(THREE, dealt(hands))
    for move in (LayDown(), *moves):
        state, _ = state.play(move)
    assert isinstance(state, rules.State)
    return state


def test_decks() -> None:
    assert [len(deck) for deck in DECKS.values()] == [13, 13, 6]
    assert len({card.id for card in GAME.setup().cards}) == 52
    study = [group.title for group in GAME.setup(rules="study").groups]
    assert " ".join(study) == (
        "Farm animals Super heroes Healthy food Things to trip over Baddies Fantasy races"
    )
    ranks = GAME.setup(edition="ranks").cards_of["sixes"]
    assert ranks == tuple(f"six_of_{suit}" for suit in ("spades", "hearts", "diamonds", "clubs"))


def test_own_decks(tmp_path: Path) -> None:
    file = tmp_path / "deck.toml"
    file.write_text('"Rivers" = ["Rhine", "Meuse", "Scheldt", "Ems"]\n')
    setup = GAME.setup(players=3, edition=str(file))
    assert [card.title for card in setup.cards] == ["Rhine", "Meuse", "Scheldt", "Ems"]


def test_deals() -> None:
    setup = GAME.setup(players=5)
    deal = GAME.deal(setup, Random(1))
    sizes = [sum(place == player for place in deal.values()) for player in setup.players]
    assert sizes == [11, 11, 10, 10, 10]
    assert deal != GAME.deal(setup, Random(2))


# ---- moves ---------------------------------------------------------------------------------

# Ann has no healthy food here.
UNLIKE = {
    "ann": "smelly_goat crazy_pig flying_cape masked_avenger",
    "bob": "fat_cow broccoli iron_fist spinach",
    "cath": HANDS["cath"],
}
# Ann was dealt the farm animals.
WHOLE = {
    "ann": "smelly_goat crazy_pig fat_cow proud_rooster",
    "bob": "flying_cape masked_avenger iron_fist spinach",
    "cath": "invisible_girl broccoli brown_bread carrot_juice",
}
COW, ROOSTER, PIG = Ask("bob", "fat_cow"), Ask("cath", "proud_rooster"), Ask("bob", "crazy_pig")
CATHS = [Ask("cath", card) for card in WHOLE["cath"].split()]
STUDY, FARM = {"rules": "study"}, {"farm_animals": "ann"}


@pytest.mark.parametrize(
    ("hands", "options", "moves", "down", "sizes", "then"),
    [
        (HANDS, {}, [], {}, "4 4 4", "ann ask 1"),
        (HANDS, {}, [COW], False, "5 3 4", "ann ask 2"),
        (HANDS, {}, [COW, ROOSTER], True, "2 3 3", "ann ask 3"),
        (HANDS, {}, [Ask("cath", "fat_cow")], False, "4 4 4", "cath ask 2"),
        (HANDS, {"allow_bluff": True}, [PIG], False, "4 4 4", "bob ask 2"),
        (WHOLE, {}, [], FARM, "0 4 4", "bob ask 1"),
        (WHOLE, STUDY, [], FARM, "0 4 4", "ann pass 1"),
        (WHOLE, STUDY, [PassTo("cath")], None, "0 4 4", "cath ask 1"),
        (WHOLE, {}, CATHS[:2], False, "0 2 2", "bob ask 3"),
        (WHOLE, {}, CATHS, True, "0 0 0", "bob wins with 2 groups"),
    ],
)
def test_play(
    hands: dict[str, str], options: Any, moves: Any, down: Any, sizes: str, then: str
) -> None:
    """Compare the groups laid down by the last event, the hand sizes, and the next decision."""
    state: Any = GAME.start(GAME.setup(players=3, groups=3, **options), dealt(hands))
    for move in (LayDown(), *moves):
        state, outcome = state.play(move)
    assert down == (None if outcome is None else outcome.public.down)
    assert " ".join(map(str, state.board.sizes.values())) == sizes
    assert state.out == {player for player, size in state.board.sizes.items() if not size}
    decision = state.decision
    if decision is None:
        assert (state.result, state.winners) == (then, ("bob",))
        with pytest.raises(RuleError, match="the game is over"):
            state.play(COW)
        return
    assert f"{decision.player} {decision.kind} {state.turn}" == then
    if decision.kind == "pass":
        assert decision.options == (PassTo("bob"), PassTo("cath"))


@pytest.mark.parametrize(
    ("state", "move", "message"),
    [
        (HANDS, Ask("ann", "fat_cow"), "ann cannot ask themselves"),
        (HANDS, Ask("dan", "fat_cow"), "unknown player 'dan'"),
        (HANDS, Ask("bob", "fat_cat"), "unknown card 'fat_cat'.*fat_cow"),
        (HANDS, Ask("bob", "crazy_pig"), "ann has crazy_pig, and cannot ask for it"),
        (UNLIKE, Ask("bob", "spinach"), "ann has no card of healthy_food"),
        (WHOLE, Ask("ann", "broccoli"), "ann has no cards"),
        (WHOLE, Ask("cath", "fat_cow"), "fat_cow has been laid down"),
        (HANDS, PassTo("bob"), r"ann cannot .* now \(ask\)"),
        (HANDS, LayDown(), r"ann cannot .* now \(ask\)"),
    ],
)
def test_forbidden_questions(state: dict[str, str], move: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        started(state).play(move)


def test_a_player_without_cards_cannot_move() -> None:
    study = GAME.setup(rules="study", players=3, groups=3)
    state = GAME.start(study, dealt(WHOLE)).play(LayDown())[0]
    with pytest.raises(RuleError, match="ann has no cards: it cannot be their turn"):
        state.play(PassTo("ann"))
    question = Question(turn=1, player="ann", asked="bob", card="broccoli", given=False)
    with pytest.raises(RuleError, match="ann has no cards: it cannot be their turn"):
        state.follow(Outcome(question, {}))


def test_chance_can_decide_who_begins() -> None:
    """The deal stays the same, and a log of such a game can be followed."""
    setup = GAME.setup(rules="study", players=3, random_start=True)
    first = []
    for seed in range(12):
        table = Table(GAME, setup, ("first-order",), seed)
        assert table.deal == Table(GAME, GAME.setup(rules="study", players=3), (), seed).deal
        state = GAME.start(setup, None)
        for step in table:
            state = state.follow(step.outcome)
        assert (state.result, state.decision) == (table.state.result, None)
        first.append(table.steps[1].player)
    assert set(first) == set(setup.players)


# ---- recorded events -----------------------------------------------------------------------

COW_OF_BOB: dict[str, Any] = {"player": "ann", "asked": "bob", "card": "fat_cow", "given": True}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"turn": 2}, "expected an event of turn 1, got one of 2"),
        ({"player": "bob", "asked": "cath"}, "turn 1 is ann's, not bob's"),
        ({"player": "zoe"}, "unknown player 'zoe'"),
        ({"given": False}, "bob has fat_cow, and must give it"),
        ({"down": True}, "ann does not have all cards of the group of fat_cow"),
        ({"given": False, "down": True, "asked": "cath"}, "nothing can be laid down when no card"),
        ({"asked": "cath"}, "cath cannot give fat_cow: bob has it"),
        ({"turn": 2, "asked": "cath", "card": "proud_rooster"}, "ann has all cards of the group"),
    ],
)
def test_recorded_events_are_checked(change: dict[str, Any], message: str) -> None:
    fields: dict[str, Any] = {"turn": 1, **COW_OF_BOB}
    with pytest.raises(InputError, match=message):
        started(HANDS, *[COW] * ("card" in change)).follow(Outcome(Question(**fields | change), {}))
    with pytest.raises(RuleError, match="no secrets"):
        started(HANDS).follow(Outcome(Question(**fields), {"location(elf)": "bob"}))


@pytest.mark.parametrize(
    ("deal", "event", "message"),
    [
        (
            dealt(WHOLE),
            Opening(turn=0),
            r"expected farm_animals \(ann\) to be laid down, as in the deal, got noth",
        ),
        (None, Opening(turn=0, down={"farm": "ann"}), "unknown group 'farm'"),
        (None, Opening(turn=0, down={"farm_animals": "zoe"}), "unknown player 'zoe'"),
        (None, Opening(turn=0, down=FARM | {"super_heroes": "ann"}), "ann was dealt 4 cards"),
        (None, Question(turn=1, **COW_OF_BOB), "expected the opening"),
    ],
)
def test_recorded_openings_are_checked(deal: Any, event: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        GAME.start(THREE, deal).follow(Outcome(event, {}))
    with pytest.raises(RuleError, match="continued by somebody who knows"):
        GAME.start(THREE, None).play(LayDown())


# ---- logs ----------------------------------------------------------------------------------


def test_moves_need_no_fluents_and_old_turns_can_be_queried() -> None:
    """A game of 200 questions has only the fluents of its deal, because all moves are public."""
    table = Table(GAME, GAME.setup(), ("random",), 5)
    for _ in table:
        pass
    assert len(table.steps) > 150
    structure = table.scene.structure
    assert len(structure.vocabulary.fluents) == 52
    assert all(isinstance(version, Fixed) for version in structure.versions.values())
    moment = table.moment
    for turn in (1, 150):
        card = next(s.outcome.public.card for s in table.steps[turn:] if s.outcome.public.given)  # type: ignore[union-attr]
        assert not moment.at(turn).ask(f"at({card}, {TABLE})")
        assert moment.ask(f"C[*] at({card}, {TABLE})")
