"""The rules: setups, deals, moves and the end."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from symkripke.errors import InputError
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


def test_deals_are_of_all_cards() -> None:
    for players in range(2, 13):
        setup = GAME.setup(players=players)
        rules.check_deal(setup, rules.make_deal(setup, Random(players)))


def test_every_deal_of_cards_is_equally_likely() -> None:
    """Two ranks and hands of 4 and 3 make Ann's number of queens hypergeometric."""
    setup = GAME.setup(players=2, ranks=2)
    chance = Random(1)
    found: Counter[int] = Counter()
    for _ in range(7000):
        deal = rules.make_deal(setup, chance)
        found[2 * int(deal["pairs(ann, queen)"]) + (deal["holds(ann, queen)"] == "true")] += 1
    # 7 choose 4 is 35; (3 choose n)(4 choose 4 - n) of these hands have n queens.
    for number, of35 in enumerate((1, 12, 18, 4)):
        assert abs(found[number] / 7000 - of35 / 35) < 0.025


@pytest.mark.parametrize("options", [{"players": n} for n in (2, 3, 6)] + [{"rules": "study"}])
def test_whole_games(options: dict[str, Any]) -> None:
    """Cards are never lost, no hand has a pair, and all players but one are safe in the end."""
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
            if isinstance(public, Draw) and public.discard:
                drawers = (public.giver, public.player)
                assert {(player, public.discard) for player in drawers} <= state.lacks
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
    drawing, outcome = state.play(DrawFrom(second))
    assert outcome is None
    assert drawing.hands is not None
    lacking = next(rank for rank in state.setup.deck if rank not in drawing.hands[second])
    for before, move, says in (
        (state, DrawFrom(third), "expected {} to draw from {}, got {}".format(*names)),
        (state, DrawFrom("zoe"), "unknown player 'zoe'"),
        (state, Start(first), "Start is not a possible move now"),
        (state, Give("queen"), "Give is not a possible move now"),
        (drawing, DrawFrom(second), "DrawFrom is not a possible move now"),
        (drawing, Give(lacking), f"{second} holds no {lacking}"),
    ):
        with pytest.raises(InputError, match=says):
            before.play(move)


def discards(first: str = "ann", **pairs: tuple[str, ...]) -> Discards:
    return Discards(turn=0, pairs={"ann": (), "bob": (), "cath": ()} | pairs, first=first)


@pytest.mark.parametrize(
    ("public", "says"),
    [
        (discards(ann=("ten",)), "unknown rank 'ten'"),
        (discards(ann=("queen", "queen")), "more pairs of rank queen than there are"),
        (discards(ann=("ace", "king", "jack")), "ann discards more cards than"),
        (discards(zoe=()), "unknown player 'zoe'"),
        (Discards(turn=0, pairs={"ann": ()}, first="ann"), "the discards of bob are missing"),
        (discards("zoe"), "to begin, got 'zoe'"),
        (Draw(turn=1, player="ann", giver="bob"), "expected the discards"),
    ],
)
def test_impossible_discards(public: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        rules.State.first(GAME.setup(rules="study"), None).follow(Outcome(public, {}))


def test_stories() -> None:
    """Only viewers who saw the card are told its rank; pairs are counted."""
    setup = GAME.setup(rules="study", ranks=13)
    kept: Outcome[Any] = Outcome(Draw(turn=3, player="ann", giver="bob"), {"drawn(3)": "eight"})
    for viewer, card in ((None, "an eight"), ("ann", "an eight"), ("cath", "a card")):
        story = GAME.story(setup, kept, viewer)
        assert story == f"Ann draws {card} from Bob and keeps it."
    pairs = {"ann": ("jack", "jack", "ace"), "bob": ("ten",), "cath": ()}
    first = Discards(turn=0, pairs=pairs, first="cath")
    assert GAME.story(setup, Outcome(first, {})) == (
        "Ann discards four jacks and two aces. Bob discards two tens. Cath discards nothing. "
        "Cath begins."
    )
