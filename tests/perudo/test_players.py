"""Players: they have no false knowledge, and act as documented."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from random import Random
from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.model import Scene
from symkripke.play import Table, View
from symkripke.play.strategies import strategy
from symkripke_games.perudo import GAME
from symkripke_games.perudo.bidding import Manner
from symkripke_games.perudo.players import (
    Bluffer,
    Fuzzy,
    Odds,
    Rollout,
    Situation,
    TrustKeeper,
)
from symkripke_games.perudo.players.fuzzy import weighed
from symkripke_games.perudo.rules import Bid, Call, Claim, Doubt, Raise, Rolled, Round


def test_a_player_that_sees_that_the_bid_is_met_knows_it() -> None:
    setup = GAME.setup(rules="study", players=2, dice=2)
    table, certain = Table(GAME, setup, ("odds",), 1), 0
    for _ in table:
        structure = table.scene.structure
        for player, one in table.assess().items():
            asked = GAME.answers(setup, structure, player)
            knowing = GAME.knows_answer(setup, structure, player)
            knows = knowing is not None and bool(engine().holds(table.scene, knowing))
            in_play = player in table.state.now.dice  # type: ignore[attr-defined]
            if asked and in_play:
                assert one.certain is knows
                assert one.open == (1 if knows else 2)
                certain += knows
    assert certain > 3


def view_of(own: str, *bids: tuple[str, int, int], rules: str = "study") -> View[Any, Any]:
    """Return Cath's view after these bids by the players in turn, when she has thrown `own`."""
    setup = GAME.setup(rules=rules, players=3, dice=len(own))
    deal = {f"die({p}, {n})": "1" for p in ("ann", "bob") for n in range(1, len(own) + 1)}
    deal |= GAME.hand(setup, "cath", list(own))
    state, scene = GAME.start(setup, deal), Scene.of(GAME.structure(setup), deal)
    record = []
    for _, quantity, face in bids:
        state, outcome = state.play(Raise(quantity, face))
        assert outcome is not None
        record.append(outcome.public)
    return View(setup, scene.perspective("cath"), tuple(record), state.decision)


def test_odds_bids_on_dice_that_it_has_and_doubts_those_that_it_lacks() -> None:
    mind = Odds(engine(), Random(1))
    view = view_of("33345", ("ann", 1, 2), ("bob", 2, 2))
    assert mind.choose(view) == Raise(2, 3)
    view = view_of("33345", ("ann", 6, 2), ("bob", 7, 2))
    assert mind.choose(view).kind == "dudo"


def test_simulated_rounds_show_that_a_high_bid_must_be_doubted() -> None:
    view = view_of("33345", ("ann", 6, 2), ("bob", 7, 2))
    assert Rollout(engine(), Random(1)).choose(view) == Doubt()


def test_a_bluffer_bids_on_dice_that_it_lacks() -> None:
    view = view_of("33344", ("ann", 1, 2), ("bob", 1, 4))
    chosen = {Bluffer(engine(), Random(n), Fraction(1)).choose(view) for n in range(30)}
    # These are the minimum bids on the faces that the bluffer lacks.
    assert chosen == {Raise(2, 1), Raise(2, 2), Raise(1, 5), Raise(1, 6)}
    never = strategy(GAME, "bluffer:0")(engine(), Random(1))
    assert never.choose(view) == Raise(2, 3)


def test_trust_comes_in_degrees() -> None:
    """After each call, the player checks its beliefs about each player's bids."""
    setup = GAME.setup(rules="study", players=3, dice=2)
    both = Round(dice=dict.fromkeys(setup.players, 2), first="ann", wild=False)
    view = view_of("33", ("ann", 1, 2), ("bob", 2, 2))
    record: list[Any] = []
    mind = TrustKeeper(engine(), Random(1))
    assert mind.trust("ann") == Fraction(2, 3)
    for turn, (dice, trust) in enumerate(
        [((2, 2), Fraction(3, 4)), ((1, 1), Fraction(3, 5)), ((1, 2), Fraction(3, 6))]
    ):
        record += [
            Rolled(turn=1, round=both),
            Bid(turn=2, player="ann", quantity=3, face=2, claim=Claim(2, 50)),
            Call(turn=3, player="bob", dice={"ann": dice, "bob": (1, 1), "cath": (2, 2)}),
        ]
        mind.look(View(setup, view.perspective, tuple(record)))
        assert mind.trust("ann") == trust, turn
        assert mind.trust("bob") == Fraction(2, 3)
    # In another game, everything is forgotten.
    mind.look(View(setup, view.perspective, ()))
    assert mind.trust("ann") == Fraction(2, 3)


# ---- knowledge and belief alone ------------------------------------------------------------------


Dice = Mapping[str, tuple[int, ...]]
"""The dice of all players: a world."""


def ranks(situation: Situation, options: Sequence[Raise | Doubt]) -> list[int]:
    """Return 2 for a move that is known to succeed, 1 if this is believed, 0 if it is open, etc.

    All worlds are listed, and the claims are taken one after the other, most trusted first. The
    bidder believes their own bids, but trusts all claims more.
    """
    manner, others = situation.manner, situation.others

    def shown(world: Dice, face: int) -> int:
        return sum(manner.counted(dice, face) for dice in world.values())

    def succeeds(world: Dice, move: Raise | Doubt) -> bool:
        if isinstance(move, Raise):
            return shown(world, move.face) >= move.quantity
        assert situation.standing is not None
        return shown(world, situation.standing.face) < situation.standing.quantity

    throws = [combinations_with_replacement(range(1, 7), number) for number in others.values()]
    possible: list[Dice] = [
        {situation.me: situation.own, **dict(zip(others, dice, strict=True))}
        for dice in product(*throws)
    ]
    believed = possible
    for said in sorted(reversed(situation.said), key=lambda said: -said.trust):
        kept = [w for w in believed if manner.counted(w[said.player], said.face) >= said.holds]
        believed = kept or believed
    for bid in reversed(situation.bids):
        if bid.player == situation.me:
            kept = [world for world in believed if succeeds(world, Raise(*bid.offer))]
            believed = kept or believed

    def rank(move: Raise | Doubt) -> int:
        known, likely = (
            {succeeds(world, move) for world in worlds} for worlds in (possible, believed)
        )
        sign = 1 if likely == {True} else -1 if likely == {False} else 0
        return sign * (2 if len(known) == 1 else 1)

    return [rank(move) for move in options]


def test_an_epistemic_player_makes_a_move_of_the_best_kind() -> None:
    seen = set()
    for rules, dice, seed in (("classic", 2, 1), ("study", 2, 1), ("study", 3, 2)):
        setup = GAME.setup(rules=rules, players=3, dice=dice)
        table = Table(GAME, setup, ("epistemic",), seed)
        while (decision := table.state.decision) is not None:
            if not decision.player:
                next(iter(table))
                continue
            assert decision.options is not None
            situation = Situation.of(table.view(decision.player))
            public = next(iter(table)).outcome.public
            made = Raise(public.quantity, public.face) if isinstance(public, Bid) else Doubt()
            of = dict(zip(decision.options, ranks(situation, decision.options), strict=True))
            assert of[made] == max(of.values())
            # It calls only if every bid is of a worse kind.
            bids = [rank for move, rank in of.items() if isinstance(move, Raise)]
            assert isinstance(made, Raise) or all(rank < of[made] for rank in bids)
            seen.add((type(made).__name__, of[made]))
    assert seen == set(product(("Raise", "Doubt"), (-1, 0, 1, 2)))


# ---- fuzzy beliefs -------------------------------------------------------------------------------


def test_fuzzy_beliefs_are_fractions_of_dice() -> None:
    """The worked example of the study: three players with a three-sided die each."""
    dice = dict.fromkeys(("ann", "bob", "cath"), 1)
    said = [("ann", 1, 1), ("bob", 1, 2), ("cath", 2, 2)]
    bids = [Bid(turn=n, player=p, quantity=q, face=f) for n, (p, q, f) in enumerate(said, 1)]
    manner = Manner(3, wild=False)
    believed = weighed(bids, dice, manner, {})
    # The bid of Cath stands for 31/27 twos, but she has a single die.
    expected = {("ann", 1): 1 / 3, ("bob", 2): 4 / 9, ("cath", 2): 1}
    assert believed == pytest.approx(expected)
    half = weighed(bids, dice, manner, {"ann": 0.5, "bob": 0})
    # unknown = 1 - 1/6 + 1, so v = 2 - 11/18 - 0, which is more than a die.
    assert half == pytest.approx({("ann", 1): 1 / 6, ("bob", 2): 0, ("cath", 2): 1})


def test_fuzzy_beliefs_never_exceed_the_dice_of_a_player() -> None:
    chance, reduced = Random(4), 0
    for _ in range(200):
        dice = {player: chance.randint(1, 5) for player in ("ann", "bob", "cath")}
        manner, standing, bids = Manner(6, wild=chance.random() < 0.5), (0, 6), []
        for turn in range(chance.randint(1, 9)):
            player = list(dice)[turn % 3]
            standing = (standing[0] + chance.randint(1, 2), chance.randint(2, 6))
            bids.append(Bid(turn=turn, player=player, quantity=standing[0], face=standing[1]))
        believed = weighed(bids, dice, manner, {"bob": chance.random()})
        for player, most in dice.items():
            total = sum(number for (who, _), number in believed.items() if who == player)
            assert total <= most + 1e-9
            reduced += total > most - 1e-9
    assert reduced > 20


def test_fuzzy_trust_is_the_share_of_believed_dice_that_were_shown() -> None:
    setup = GAME.setup(rules="study", players=3, dice=2)
    both = Round(dice=dict.fromkeys(setup.players, 2), first="ann", wild=False)
    view = view_of("33", ("ann", 1, 2))
    mind = Fuzzy(engine(), Random(1))
    assert mind.trust("ann") == 1
    # The bid stands for 3 - 4/6 twos of Ann, and she has two dice.
    bid = Bid(turn=2, player="ann", quantity=3, face=2)
    dice: dict[str, tuple[int, ...]] = {"ann": (1, 2), "bob": (1, 1), "cath": (2, 2)}
    record = (Rolled(turn=1, round=both), bid, Call(turn=3, player="bob", dice=dice))
    mind.look(View(setup, view.perspective, record))
    assert mind.trust("ann") == pytest.approx((1 + 1 / 2) / 2)
    assert mind.trust("bob") == 1
