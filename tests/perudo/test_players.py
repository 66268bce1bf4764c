"""Players: they have no false knowledge, and act as documented."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from symkripke.engines import engine
from symkripke.model import Scene
from symkripke.play import Table, View
from symkripke.play.strategies import strategy
from symkripke_games.perudo import GAME
from symkripke_games.perudo.players import Bluffer, Odds, TrustKeeper
from symkripke_games.perudo.rules import Bid, Call, Claim, Raise, Rolled, Round


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
