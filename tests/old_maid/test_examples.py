"""The study's worked examples, with the errors in its text corrected.

The text contains these errors:

* Its first example has one king in play. In a game, the number of cards of every rank except the
  queen stays even, so the hands of the example can be counted but never occur.
* "Player 2 has one card, while player 1 has two cards" (turn 2 of the transcript): it is the other
  way round, as the lists in the transcript show.
* "Worlds in which the discarded cards are not part of the hands" are kept: with four cards of a
  rank, other hands may still contain two of them. Only the player who discarded a pair is known to
  lack the rank.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from symkripke.engines import engine
from symkripke.engines.bdd import BddEngine
from symkripke.model import Event, KnowledgeStructure, Perspective, Scene
from symkripke.play import Outcome, View
from symkripke_games.old_maid import GAME, knowledge
from symkripke_games.old_maid.knowledge import counted, hands, holds
from symkripke_games.old_maid.players import Counter, own_ranks
from symkripke_games.old_maid.rules import (
    DrawFrom,
    Give,
    Happening,
    Setup,
    Start,
    hand_values,
)

ANN, BOB, CATH = PLAYERS = ("ann", "bob", "cath")


def five_worlds() -> KnowledgeStructure:
    law = counted({ANN: 2, BOB: 1, CATH: 1}, {"jack": 2, "king": 1, "queen": 1})
    start = hands(PLAYERS, ("jack", "king", "queen"))
    return start.update(Event("counted", law))


@pytest.mark.parametrize("name", ["bdd", "explicit"])
def test_two_jacks_a_king_and_a_queen(name: str) -> None:
    """Hands of 2, 1, 1 allow five worlds: two given J and Q in a hand, three given J."""
    structure, counting = five_worlds(), engine(name)
    one = Perspective.of(structure, ANN, [holds(ANN, "jack"), holds(ANN, "queen")])
    two = Perspective.of(structure, BOB, [holds(BOB, "jack")])
    assert [counting.worlds(state) for state in (structure, one, two)] == [5, 2, 3]


def test_the_five_worlds_match_the_text() -> None:
    structure = five_worlds()
    nobody = Perspective(structure, "", frozenset())
    cells = [holds(player, rank) for player in PLAYERS for rank in ("jack", "king", "queen")]
    found = engine("sat").possibilities(nobody, cells)
    expected = ("JQ J K", "JQ K J", "JK J Q", "JK Q J", "QK J J")
    ranks = {"J": "jack", "K": "king", "Q": "queen"}
    assert found == {
        frozenset(
            holds(player, ranks[card])
            for player, hand in zip(PLAYERS, world.split(), strict=True)
            for card in hand
        )
        for world in expected
    }


# ---- the transcript ------------------------------------------------------------------------

DEALT = {
    ANN: ("queen", "queen", "king", "queen", "jack"),
    BOB: ("king", "king", "ace", "ace", "jack"),
    CATH: ("jack", "jack", "ace", "ace", "king"),
}
EVERYTHING = tuple(
    holds(player, rank) for player in PLAYERS for rank in ("ace", "jack", "queen", "king")
)


class Transcript:
    """The first two turns: Cath draws a jack from Ann, then Ann a king from Cath."""

    def __init__(self) -> None:
        self.setup = GAME.setup(rules="study")
        deal = {
            name: value
            for player in PLAYERS
            for name, value in hand_values(self.setup, player, DEALT[player]).items()
        }
        self.state = GAME.start(self.setup, deal)
        self.scene = Scene.of(GAME.structure(self.setup), deal)
        self.play(Start(CATH))

    def play(self, *moves: object) -> Outcome[Happening]:
        """Make these moves, and return the event that the last one completes."""
        for move in moves:
            self.state, outcome = self.state.play(move)
        assert outcome is not None
        event = knowledge.event(self.setup, outcome.public)
        self.scene = self.scene.update(event, outcome.secret)
        return outcome

    def check(self, *formulas: str) -> None:
        """Check formulas with the explicit model and with the default engine."""
        for formula in formulas:
            assert engine("explicit").holds(self.scene, formula), formula
            assert engine("auto").holds(self.scene, formula), formula

    def check_knows_all(self, player: str) -> None:
        self.check(*(f"Kw[{player}] {atom}" for atom in EVERYTHING))


def test_after_the_discards() -> None:
    """Ann's hand is common knowledge. Bob and Cath know everything, and Ann does not."""
    game = Transcript()
    game.check_knows_all(BOB)
    game.check_knows_all(CATH)
    game.check(
        "C[*] (holds(ann, king) & holds(ann, queen) & holds(ann, jack) & ~holds(ann, ace))",
        "M[ann] holds(bob, jack) & M[ann] holds(bob, king)",
        "C[*] (Kw[bob] holds(cath, king) & Kw[cath] holds(bob, king))",
        "C[*] ~Kw[ann] holds(bob, king)",
        # No ace is left. Bob discarded two kings, and two are left.
        "C[*] ~(holds(ann, ace) | holds(bob, ace) | holds(cath, ace))",
        "M[ann] holds(bob, king) & M[ann] ~holds(bob, king)",
    )
    # Bob discarded kings and Cath jacks. If they had a third one, fewer deals would match.
    counting = BddEngine(1 << 14, weighting="bayes")
    assert counting.probability(game.scene.perspective(ANN), holds(BOB, "jack")) == Fraction(9, 10)
    # The player from whom Cath draws: "cards common with: {0: 1, 1: 0}". This does not use the
    # record.
    view: View[Setup, Happening] = View(game.setup, game.scene.perspective(CATH), ())
    assert own_ranks(view) == ("king",)
    expected = Counter((1 << 14,)).expected(view.perspective, own_ranks(view), (ANN, BOB))
    assert expected == {ANN: 1, BOB: 0}


def test_two_turns() -> None:
    """Cath draws a jack from Ann; then a pair of kings is discarded."""
    game = Transcript()
    game.play(DrawFrom(ANN), Give("jack"))
    # "Only one accessible world" for Ann: Cath did not discard, so she had no jack, and Bob has it.
    game.check_knows_all(ANN)
    game.check(
        "K[ann] holds(cath, jack)",
        "K[cath] ~holds(ann, jack)",
        # Bob, who knew everything, now knows that Cath drew a jack or the queen. She would have
        # discarded a king.
        "M[bob] drawn(1) = jack & M[bob] drawn(1) = queen",
        "K[bob] ~drawn(1) = king & K[bob] holds(cath, king)",
        "K[ann] holds(bob, jack)",
        "K[bob] Kw[ann] holds(cath, queen)",
    )
    # "All worlds": there are five, by the counts alone. Knowledge of the draw leaves fewer.
    law = counted({ANN: 2, BOB: 1, CATH: 2}, {"jack": 2, "king": 2, "queen": 1})
    plain = hands(PLAYERS, ("jack", "king", "queen")).update(Event("counted", law))
    assert BddEngine(1 << 14).worlds(plain) == 5
    game.play(DrawFrom(CATH), Give("king"))
    game.check(
        "C[*] ~(holds(ann, king) | holds(bob, king) | holds(cath, king))",
        "K[ann] holds(cath, jack) & K[cath] ~holds(ann, jack)",
        "M[bob] holds(ann, jack) & M[bob] holds(ann, queen)",
        # The past can still be queried.
        "K[bob] holds(cath, king)#0 & C[*] holds(ann, king)#0",
    )
    assert "drawn(2)" not in game.scene.structure.vocabulary.fluents
