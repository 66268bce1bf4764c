"""The study's worked examples, with the slips of its text corrected.

What the text says and is not so:

* Its first example has one king in play. In a game the number of cards of every rank but the queen
  stays even: the hands of the example can be counted, but never come up.
* "Player 2 has one card, while player 1 has two cards" (turn 2 of the transcript): it is the other
  way round, as the lists beside it show.
* "Worlds in which the discarded cards are not part of the hands" are kept: with four cards of a
  rank, two of them can still be in other hands. Only who discarded a pair is known to lack it.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from symkripke.engines import Engine, engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.language import C, conjunction
from symkripke.model import Event, KnowledgeStructure, Perspective, Scene
from symkripke.play import Table, View
from symkripke_games.old_maid import GAME, knowledge
from symkripke_games.old_maid.knowledge import counted, hands, holds
from symkripke_games.old_maid.players import Counter, own_ranks
from symkripke_games.old_maid.rules import (
    Draw,
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


@pytest.mark.parametrize(
    "counting", [BddEngine(1 << 14), ExplicitEngine()], ids=["bdd", "explicit"]
)
def test_two_jacks_a_king_and_a_queen(counting: Engine) -> None:
    """Hands of 2, 1, 1: five worlds; who has J, Q considers two possible, who has J three."""
    structure = five_worlds()
    assert counting.worlds(structure) == 5
    one = Perspective.of(structure, ANN, [holds(ANN, "jack"), holds(ANN, "queen")])
    assert counting.worlds(one) == 2
    two = Perspective.of(structure, BOB, [holds(BOB, "jack")])
    assert counting.worlds(two) == 3


def test_the_five_worlds_are_those_of_the_text() -> None:
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
        self.table = Table(GAME, self.setup, ("logic",), deal=deal)
        self.scene = self.table.scene
        self.answering = ExplicitEngine()

    def play(self, *moves: object) -> Scene:
        """Make these moves; the last one completes an event."""
        table = self.table
        for move in moves:
            table.state, outcome = table.state.play(move)
        assert outcome is not None
        self.last = outcome
        event = knowledge.event(self.setup, outcome.public)
        self.scene = self.scene.update(event, outcome.secret)
        return self.scene

    def true(self, scene: Scene, formula: str) -> bool:
        """By the explicit model and by the default engine, which agree."""
        truth = bool(self.answering.holds(scene, formula))
        assert bool(engine("auto").holds(scene, formula)) == truth, formula
        return truth

    def knows_all(self, scene: Scene, player: str) -> bool:
        knows = conjunction(scene.structure.parse(f"Kw[{player}] {atom}") for atom in EVERYTHING)
        return bool(self.answering.holds(scene, knows))


def test_after_the_discards() -> None:
    """Ann's hand is common knowledge; Bob and Cath know everything, Ann does not."""
    game = Transcript()
    scene = game.play(Start(CATH))
    hand = "(holds(ann, king) & holds(ann, queen) & holds(ann, jack) & ~holds(ann, ace))"
    assert game.true(scene, f"C[*] {hand}")
    assert game.knows_all(scene, BOB)
    assert game.knows_all(scene, CATH)
    assert game.true(scene, "M[ann] holds(bob, jack) & M[ann] holds(bob, king)")
    assert game.true(scene, "C[*] (Kw[bob] holds(cath, king) & Kw[cath] holds(bob, king))")
    assert game.true(scene, "C[*] ~Kw[ann] holds(bob, king)")
    # Bob discarded kings and Cath jacks: for a third of each there are fewer deals.
    counting = BddEngine(1 << 14, weighting="bayes")
    assert counting.probability(scene.perspective(ANN), holds(BOB, "jack")) == Fraction(9, 10)
    # No ace is left; of the kings, which Bob discarded, two are.
    assert game.true(scene, "C[*] ~(holds(ann, ace) | holds(bob, ace) | holds(cath, ace))")
    assert game.true(scene, "M[ann] holds(bob, king)")


def test_whom_cath_draws_from() -> None:
    """ "Cards common with: {0: 1, 1: 0}": from Ann."""
    game = Transcript()
    game.play(Start(CATH))
    view: View[Setup, Happening] = View(game.setup, game.scene.perspective(CATH), ())
    assert own_ranks(view) == ("king",)
    # The record of a table that was not stepped is empty: the complete perspective counts here.
    expected = Counter((1 << 14,)).expected(view.perspective, own_ranks(view), (ANN, BOB))
    assert expected == {ANN: 1, BOB: 0}


def test_turn_1_a_jack_from_ann_to_cath() -> None:
    game = Transcript()
    game.play(Start(CATH))
    scene = game.play(DrawFrom(ANN), Give("jack"))
    assert game.true(scene, "K[ann] holds(cath, jack)")
    assert game.true(scene, "K[cath] ~holds(ann, jack)")
    # Bob, who knew everything, now knows: a jack or the queen; a king would have been discarded.
    assert game.true(scene, "M[bob] drawn(1) = jack & M[bob] drawn(1) = queen")
    assert game.true(scene, "K[bob] ~drawn(1) = king & K[bob] holds(cath, king)")
    # "Only one accessible world" for Ann: Cath did not discard, so she had no jack; Bob has it.
    assert game.knows_all(scene, ANN)
    assert game.true(scene, "K[ann] holds(bob, jack)")
    assert game.true(scene, "K[bob] Kw[ann] holds(cath, queen)")
    # "All worlds": five, by the counts alone. Knowledge of the draw leaves fewer.
    law = counted({ANN: 2, BOB: 1, CATH: 2}, {"jack": 2, "king": 2, "queen": 1})
    plain = hands(PLAYERS, ("jack", "king", "queen")).update(Event("counted", law))
    assert BddEngine(1 << 14).worlds(plain) == 5


def test_turn_2_a_pair_of_kings() -> None:
    game = Transcript()
    game.play(Start(CATH))
    game.play(DrawFrom(ANN), Give("jack"))
    scene = game.play(DrawFrom(CATH), Give("king"))
    assert game.true(scene, "C[*] ~(holds(ann, king) | holds(bob, king) | holds(cath, king))")
    assert game.true(scene, "K[ann] holds(cath, jack) & K[cath] ~holds(ann, jack)")
    assert game.true(scene, "M[bob] holds(ann, jack) & M[bob] holds(ann, queen)")
    # The past stays answerable.
    assert game.true(scene, "K[bob] holds(cath, king)#0 & C[*] holds(ann, king)#0")
    assert "drawn(2)" not in scene.structure.vocabulary.fluents


def test_only_the_discarders_are_known_to_lack_the_rank() -> None:
    """Four kings: after a pair of the deal is discarded, the other two may be in any hand."""
    game = Transcript()
    scene = game.play(Start(CATH))
    assert GAME.story(game.setup, game.last).startswith("Ann discards two queens. Bob discards")
    assert game.true(scene, "M[ann] holds(bob, king) & M[ann] ~holds(bob, king)")
    # A draw that makes a pair is another matter: giver and drawer lack the rank, the third may not.
    found = 0
    for seed in range(40):
        table = Table(GAME, game.setup, ("random",), seed)
        for step in table:
            public = step.outcome.public
            if not isinstance(public, Draw) or public.discard != "queen":
                continue
            (third,) = set(PLAYERS) - {public.player, public.giver}
            queen = {player: holds(player, "queen") for player in PLAYERS}
            both = ~queen[public.player] & ~queen[public.giver]
            assert table.engine.holds(table.scene, C(PLAYERS, both & queen[third]))
            found += 1
    assert found > 3
