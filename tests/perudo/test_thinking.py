"""Players that think to a depth: each depth's reading of bids and prediction of other players."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from symkripke.engines import engine
from symkripke.errors import InputError, RuleError
from symkripke.play import Table
from symkripke.play.strategies import strategy
from symkripke_games.perudo import GAME
from symkripke_games.perudo.bidding import Manner, Offer
from symkripke_games.perudo.players import Adaptive, Odds
from symkripke_games.perudo.players.adaptive import START
from symkripke_games.perudo.players.basic import Situation
from symkripke_games.perudo.replies import Spot, all_throws, blended, policy, weights
from symkripke_games.perudo.rollouts import survivals
from symkripke_games.perudo.rules import Doubt, Raise, Round

STUDY = Manner(3, wild=False)


def later_spots(number: int, faces: int = 6) -> list[Spot]:
    """Return random positions of three players, after up to four bids."""
    chance, spots = Random(5), []
    for _ in range(number):
        manner = Manner(faces, wild=chance.random() < 0.5, fixed=chance.random() < 0.3)
        dice = (chance.randint(1, 3), chance.randint(1, 3), 1)
        seen = Spot(dice, manner, calza=chance.random() < 0.5)
        for _ in range(chance.randrange(5)):
            bids = [option for option in seen.options if isinstance(option, Raise)]
            if bids:
                bid = chance.choice(bids)
                seen = seen.after(Offer(bid.quantity, bid.face))
        spots.append(seen)
    return spots


def spot(*bids: tuple[int, int]) -> Spot:
    """Return a position of two players with one and two three-sided dice, after these bids."""
    return Spot((1, 2), STUDY, calza=False, bids=tuple(Offer(*bid) for bid in bids))


def test_depth_0_follows_the_odds() -> None:
    """The best moves are those of the player `odds`, whatever was bid."""
    chance = Random(3)
    mind = Odds(engine(), Random(1))
    for _ in range(60):
        manner = Manner(6, wild=chance.random() < 0.5)
        dice = {"ann": chance.randint(1, 5), "bob": chance.randint(1, 5), "cath": 2}
        seen = Spot(tuple(dice.values()), manner, calza=chance.random() < 0.5)
        for _ in range(chance.randrange(4)):
            bids = [option for option in seen.options if isinstance(option, Raise)]
            if bids:
                bid = chance.choice(bids)
                seen = seen.after(Offer(bid.quantity, bid.face))
        own = chance.choice(list(all_throws(seen.dice[seen.mover], manner).place))
        me = list(dice)[seen.mover]
        now = Round(dice=dice, first="ann", wild=manner.wild)
        situation = Situation(me, now, manner, own, ())
        bids = [option for option in seen.options if isinstance(option, Raise)]
        values: dict[Raise | Doubt, float] = {
            move: float(share) for move, share in mind.prospects(situation, bids, []).items()
        }
        if seen.standing is not None:
            counts = mind.counts(situation, seen.standing.face)
            met = sum(counts[seen.standing.quantity :]) / sum(counts)
            exact = counts[seen.standing.quantity] if seen.standing.quantity < len(counts) else 0
            called = {"dudo": 1 - met, "calza": exact / sum(counts)}
            calls = [option for option in seen.options if isinstance(option, Doubt)]
            values.update({call: float(called[call.kind]) for call in calls})
        most = max(values.values())
        best = {move for move, value in values.items() if abs(value - most) < 1e-9}
        bidding = {move for move in best if isinstance(move, Raise)}
        assert set(policy(seen, 0).best(own)) == (bidding or best)


def test_depth_1_reads_what_depth_0_bids() -> None:
    """An opener of depth 0 bids on their own dice: depth 1 uses that, and depth 0 does not."""
    opened = spot((1, 1))
    assert policy(spot(), 0).best((1,)) == [Raise(1, 1)]
    assert weights(opened, 0, 0).tolist() == pytest.approx([1 / 3] * 3)
    assert weights(opened, 0, 1)[0] > 0.9
    # The caller's own one makes it two ones. The opener doubts that, and loses.
    assert policy(opened, 0).best((1, 2)) == [Raise(1, 2)]
    assert policy(opened, 1).best((1, 2)) == [Raise(2, 1)]
    assert policy(opened.after(Offer(2, 1)), 0).best((1,)) == [Doubt()]


def test_depth_2_bluffs_against_players_who_believe_it() -> None:
    """At depth 1, a bid on a higher face is evidence of such dice; at depth 2, players bluff."""
    opened, raised = spot((1, 3)), spot((1, 3), (2, 3))
    # The opener has no three. At depth 0 they would call; at depth 1 they believe the bid.
    assert Doubt() in policy(raised, 0).best((3,))
    assert Doubt() not in policy(raised, 1).best((3,))
    assert Raise(2, 3) not in policy(opened, 1).best((1, 2))
    assert policy(opened, 2).best((1, 2)) == [Raise(2, 3)]


def test_a_bid_that_is_not_a_candidate_gives_no_information() -> None:
    jumped = spot((3, 2))
    assert weights(jumped, 0, 2).tolist() == pytest.approx([1 / 3] * 3)


def test_too_many_throws() -> None:
    setup = GAME.setup(dice=20, faces=20)
    with pytest.raises(RuleError, match=r"depth-1 players weigh all throws.*at most 5,000"):
        Table(GAME, setup, ("depth-1",), 1)


# ---- several depths at once ----------------------------------------------------------------------


def test_full_confidence_in_one_order_is_that_depth() -> None:
    for seen in later_spots(30):
        for depth in range(4):
            alone = [[float(order == depth) for order in range(4)]] * 3
            assert blended(seen, alone).chosen.tolist() == policy(seen, depth).chosen.tolist()


def test_confidence_in_several_orders_averages_their_values() -> None:
    """Two players: a bluff that only order 2 recommends is made if order 2 has enough weight."""
    opened = spot((1, 3))
    bluff = Raise(2, 3)
    shares = [[0.0, 1 - part, part, 0.0] for part in (0.0, 0.05, 0.95, 1.0)]
    made = [bluff in blended(opened, [mine, mine]).best((1, 2)) for mine in shares]
    assert made == [False, False, True, True]


@pytest.mark.parametrize("depth", range(3))
def test_the_order_that_models_the_opponents_gains_confidence(depth: int) -> None:
    """Order k always predicts depth k - 1, so higher orders explain nothing more."""
    setup = GAME.setup(players=3, dice=3)
    kinds = ("adaptive", f"depth-{depth}", f"depth-{depth}")
    table = Table(GAME, setup, kinds, 2)
    assert [step for step in table]
    mind = table.players[setup.players[0]]
    assert isinstance(mind, Adaptive)
    for opponent in setup.players[1:]:
        confidence = mind.confidence(opponent)
        assert confidence[depth] > START
        assert all(part < START for part in confidence[depth + 1 :])
        shares = mind.shares(opponent)
        assert sum(shares) == pytest.approx(1)
        assert max(shares) == shares[depth + 1]


@pytest.mark.parametrize(
    ("predicted", "changed"),
    [
        ([True, True, False], [0.6, 0.5, 0.4]),
        ([False, True, True], [0.4, 0.6, 0.5]),
        ([False, False, False], [0.4, 0.4, 0.4]),
    ],
)
def test_only_the_lowest_order_that_predicts_a_move_gains(
    predicted: list[bool], changed: list[float]
) -> None:
    confidence = [0.5, 0.5, 0.5]
    Adaptive(engine(), Random(1), 0.2).adjust(confidence, predicted)
    assert confidence == pytest.approx(changed)


# ---- simulated rounds ----------------------------------------------------------------------------


def survival(seen: Spot, throws: tuple[tuple[int, ...], ...], me: int, move: object) -> Fraction:
    """Return the probability that `me` loses no die after a move, if all play at depth 0."""
    if isinstance(move, Raise):
        after = seen.after(Offer(move.quantity, move.face))
        moves = policy(after, 0).best(throws[after.mover])
        return sum((survival(after, throws, me, reply) for reply in moves), Fraction()) / len(moves)
    assert isinstance(move, Doubt)
    assert seen.standing is not None
    quantity, face = seen.standing
    shown = sum(seen.manner.counted(throw, face) for throw in throws)
    bidder = (seen.mover - 1) % len(throws)
    if move.kind == "calza":
        return Fraction(me != seen.mover or shown == quantity)
    return Fraction(me != (bidder if shown < quantity else seen.mover))


def test_simulated_rounds_agree_with_all_rounds() -> None:
    number, tried = 4_000, Counter[type]()
    for seen in later_spots(12, faces=3):
        me, manner = seen.mover, seen.manner
        own = tuple(Random(3).choices(range(1, 4), k=seen.dice[me]))
        found = survivals(seen, own, number, Random(2))
        assert set(found) == set(seen.options)
        others = [list(all_throws(dice, manner).place) for dice in seen.dice]
        others[me] = [tuple(sorted(own))]
        shares = [all_throws(dice, manner).shares.tolist() for dice in seen.dice]
        shares[me] = [1.0]
        for move, survived in found.items():
            exact = sum(
                float(survival(seen, throws, me, move)) * first * second * third
                for throws, (first, second, third) in zip(
                    product(*others), product(*shares), strict=True
                )
            )
            # Four standard errors of a share.
            assert survived / number == pytest.approx(exact, abs=4 * 0.5 / number**0.5), move
            tried[type(move)] += 1
    assert min(tried.values()) > 10


def test_the_number_of_throws_and_the_seed_determine_the_game() -> None:
    setup = GAME.setup(players=3, dice=2)

    def played(kind: str) -> list[object]:
        return [step.outcome for step in Table(GAME, setup, (kind, "odds", "odds"), 4)]

    assert played("rollout") == played("rollout:100")
    assert played("rollout:1") != played("rollout:100")


@pytest.mark.parametrize("wrong", ["rollout:0", "rollout:x", "adaptive:2", "adaptive:-1"])
def test_wrong_parameters(wrong: str) -> None:
    with pytest.raises(InputError):
        strategy(GAME, wrong)
