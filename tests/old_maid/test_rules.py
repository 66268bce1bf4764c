"""The rules: setups, deals, moves, the end."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import pytest

from symkripke.errors import InputError, RuleError, UnknownName
from symkripke.play import Outcome, Table
from symkripke.play.words import person
from symkripke_games.old_maid import GAME, rules
from symkripke_games.old_maid.rules import Discards, Draw, DrawFrom, Give, Start


def test_decks_lack_a_queen() -> None:
    classic = GAME.setup()
    assert sum(classic.deck.values()) == 51
    assert [rank for rank, number in classic.deck.items() if number % 2] == ["queen"]
    assert [classic.sizes[player] for player in classic.players] == [13, 13, 13, 12]
    assert not classic.choose
    study = GAME.setup(rules="study")
    assert study.deck == {"ace": 4, "king": 4, "queen": 3, "jack": 4}
    assert (len(study.players), study.choose) == (3, True)
    assert list(GAME.setup(ranks=3).deck) == ["king", "queen", "jack"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"players": 1}, "is for 2 to 12 players, got 1"),
        ({"players": 12, "ranks": 2}, "7 cards are too few to deal to 12 players"),
        ({"ranks": 1}, "expected 2 to 13 ranks, got 1"),
        ({"ranks": "six"}, "option ranks: expected a whole number, got 'six'"),
        ({"rank": 3}, "unknown option of Old Maid 'rank'; did you mean 'ranks'?"),
        ({"rules": "clasic"}, "unknown rule set 'clasic'; did you mean 'classic'?"),
        ({"names": ("ann", "Ann")}, "player 'Ann' is given twice"),
        ({"names": ("ann", "b o b")}, "expected a player name"),
        ({"names": ("ann", "true")}, "cannot be called 'true'"),
    ],
)
def test_setups_that_nobody_can_play(options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        GAME.setup(**options)


def test_deals_are_of_all_cards() -> None:
    for players in range(2, 13):
        setup = GAME.setup(players=players)
        rules.check_deal(setup, rules.make_deal(setup, Random(players)))


def test_every_deal_of_cards_is_equally_likely() -> None:
    """Two ranks, two players: hands of 4 and 3; how often Ann gets n queens is hypergeometric."""
    setup = GAME.setup(players=2, ranks=2)
    chance = Random(1)
    found: Counter[int] = Counter()
    for _ in range(7000):
        deal = rules.make_deal(setup, chance)
        found[2 * int(deal["pairs(ann, queen)"]) + (deal["holds(ann, queen)"] == "true")] += 1
    # 7 choose 4 is 35: (3 choose n)(4 choose 4 - n) of them have n queens.
    for number, of35 in enumerate((1, 12, 18, 4)):
        assert abs(found[number] / 7000 - of35 / 35) < 0.025


@pytest.mark.parametrize("options", [{"players": n} for n in (2, 3, 6)] + [{"rules": "study"}])
def test_whole_games(options: dict[str, Any]) -> None:
    """Cards are never lost; no hand has a pair; all but one are safe in the end."""
    setup = GAME.setup(**options)
    for seed in range(2):
        table = Table(GAME, setup, ("random",), seed)
        for step in table:
            state: Any = table.state
            held = Counter(rank for hand in state.hands.values() for rank in hand)
            assert all(held[rank] == number for rank, number in state.left.items())
            assert {p: len(hand) for p, hand in state.hands.items()} == state.sizes
            for player, rank in state.lacks:
                assert rank not in state.hands[player]
            public = step.outcome.public
            if isinstance(public, Draw) and not setup.choose:
                others = setup.after(public.player)
                passed = others[: others.index(public.giver)]
                assert not any(state.sizes[player] for player in passed)
        assert state.left == {rank: int(rank == "queen") for rank in setup.deck}
        (loser,) = [player for player, hand in state.hands.items() if hand]
        assert set(table.state.winners) == set(setup.players) - {loser}
        assert table.result == f"{loser} is left with the queen: the old maid"
        assert table.state.out == {loser}
        assert table.state.decision is None


def begun(seed: int = 0, **options: Any) -> rules.State:
    setup = GAME.setup(**options)
    state = rules.State.first(setup, rules.make_deal(setup, Random(seed)))
    decision = state.decision
    assert decision is not None
    assert decision.options is not None
    return state.play(decision.options[0])[0]


def test_moves_that_the_rules_forbid() -> None:
    state = begun(players=3)
    first, second, third = (state.mover, *state.setup.after(state.mover))
    names = [person(player) for player in (first, second, third)]
    says = "expected {} to draw from {}, got {}".format(*names)
    with pytest.raises(RuleError, match=says):
        state.play(DrawFrom(third))
    with pytest.raises(UnknownName, match="unknown player 'zoe'"):
        state.play(DrawFrom("zoe"))
    with pytest.raises(RuleError, match="Start is no move now"):
        state.play(Start(first))
    with pytest.raises(RuleError, match="Give is no move now"):
        state.play(Give("queen"))
    drawing, outcome = state.play(DrawFrom(second))
    assert outcome is None
    assert state.hands is not None
    lacking = next(rank for rank in state.setup.deck if rank not in state.hands[second])
    with pytest.raises(RuleError, match=f"{second} holds no {lacking}"):
        drawing.play(Give(lacking))


def test_discards_that_cannot_be() -> None:
    setup = GAME.setup(rules="study")
    state = rules.State.first(setup, None)
    nothing: dict[str, tuple[str, ...]] = {player: () for player in setup.players}
    cases: tuple[tuple[dict[str, tuple[str, ...]], str, str], ...] = (
        ({**nothing, "ann": ("ten",)}, "ann", "unknown rank 'ten'"),
        ({**nothing, "ann": ("queen", "queen")}, "ann", "more pairs of rank queen than there are"),
        ({**nothing, "ann": ("ace", "king", "jack")}, "ann", "ann discards more cards than"),
        ({"ann": ()}, "ann", "the discards do not say what bob discards"),
        ({**nothing, "zoe": ()}, "ann", "unknown player 'zoe'"),
        (nothing, "zoe", "to begin, got 'zoe'"),
    )
    for pairs, first, says in cases:
        with pytest.raises(InputError, match=re.escape(says)):
            state.follow(Outcome(Discards(turn=0, pairs=pairs, first=first), {}))
    with pytest.raises(RuleError, match="expected the discards"):
        state.follow(Outcome(Draw(turn=1, player="ann", giver="bob"), {}))


def test_stories() -> None:
    setup = GAME.setup(rules="study", ranks=13)
    kept = Draw(turn=3, player="ann", giver="bob")
    secret = {"drawn(3)": "eight"}
    for viewer, card in ((None, "an eight"), ("ann", "an eight"), ("cath", "a card")):
        story = GAME.story(setup, Outcome(kept, secret), viewer)
        assert story == f"Ann draws {card} from Bob and keeps it."
    pair = Draw(turn=3, player="ann", giver="bob", discard="six")
    assert (
        GAME.story(setup, Outcome(pair, {})) == "Ann draws a card from Bob and discards two sixes."
    )
    pairs = {"ann": ("jack", "jack", "ace"), "bob": ("ten",), "cath": ()}
    first = Discards(turn=0, pairs=pairs, first="cath")
    assert GAME.story(setup, Outcome(first, {})) == (
        "Ann discards four jacks and two aces. Bob discards two tens. Cath discards nothing. "
        "Cath begins."
    )
