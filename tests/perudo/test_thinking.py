"""Players that think to a depth: each depth's reading of bids and prediction of other players."""

from __future__ import annotations

from random import Random

import pytest

from symkripke.engines import engine
from symkripke.errors import RuleError
from symkripke.play import Table
from symkripke_games.perudo import GAME
from symkripke_games.perudo.bidding import Manner, Offer
from symkripke_games.perudo.players import Odds
from symkripke_games.perudo.players.basic import Situation
from symkripke_games.perudo.replies import Spot, all_throws, policy, weights
from symkripke_games.perudo.rules import Doubt, Raise, Round

STUDY = Manner(3, wild=False)


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
