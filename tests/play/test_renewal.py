"""Optional features of games: new deals and questions about formulas; other games need neither."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from symkripke.engines import Mark, engine
from symkripke.errors import Unsupported
from symkripke.language import Atom, Formula
from symkripke.play import Game, Table, game
from symkripke.play.information import answer_odds
from symkripke.play.knowledge_matrix import insight
from symkripke.play.odds import odds
from symkripke_games import cluedo, perudo


def test_games_with_a_single_deal() -> None:
    """Only the deal is random, events are already complete, and there are no prospects."""
    played = game("cluedo")
    setup = played.setup(players=3, size="2/2/2")
    table = Table(played, setup, ("random",), 1)
    with pytest.raises(Unsupported, match="Cluedo has no chance events except the deal"):
        played.chance(setup, table.state, Random(1))
    step = next(iter(table))
    assert played.with_derived_parts(table.state, step.outcome) is step.outcome
    assert played.redeal(setup, step.outcome) is None
    assert played.advisor is not None
    assert played.advisor.prospects(table.view("ann"), engine("bdd")) == ()
    first, now = table.scenes[0].structure, table.scene.structure
    assert first is not now
    for ask in (played.answers, played.knows_answer):
        assert ask(setup, first, "scarlett") == ask(setup, now, "scarlett") != ()
    assert played.layout(setup, first).cells == played.layout(setup, now).cells


def test_knowing_the_answer_means_knowing_each_of_its_formulas() -> None:
    """This is the default, which a game may override; players may have different questions."""

    class OwnHand(cluedo.Cluedo):
        knows_answer = Game.knows_answer  # type: ignore[assignment]

        def answers(self, setup: Any, structure: Any, player: str) -> tuple[Any, ...]:
            return tuple(Atom(name, player) for name in structure.root.vocabulary.fluents)

    played = OwnHand()
    setup = played.setup(players=3, size="2/2/2")
    table = Table(played, setup, ("random",), 1)
    moment = table.moment
    # Everybody knows that the others know their own hands, and nobody knows the envelope yet.
    assert set(insight(moment).values()) == {Mark.YES}
    assert Mark.YES not in insight(Table(cluedo.GAME, setup, ("random",), 1).moment).values()
    for player in setup.players:
        ((true, share),) = odds(moment, player, engine("bdd")).answers
        assert share == 1
        held = {name for name, place in table.deal.items() if place == player}
        assert {atom.fluent for atom in true if isinstance(atom, Atom)} == held
    silent = game("kwartet")
    setup = silent.setup()
    assert silent.knows_answer(setup, silent.structure(setup), "ann") is None


def test_marks_of_formulas() -> None:
    setup = perudo.GAME.setup(players=2, dice=2, faces=3)
    table = Table(perudo.GAME, setup, ("odds",), 1)
    moment = table.moment
    own = [table.deal[f"die(ann, {place})"] for place in (1, 2)]
    for (row, player), mark in (
        (place, moment.marks("ann")[cell]) for place, cell in moment.layout.cells.items()
    ):
        least, _, face = row.partition("x")
        known = Mark.YES if own.count(face) >= int(least) else Mark.NO
        assert mark is (known if player == "ann" else Mark.OPEN)


def test_answers_that_are_not_atoms() -> None:
    """The odds of a few formulas are the odds of each set of them being true."""
    setup = perudo.GAME.setup(players=2, dice=1, faces=3, rules="study")
    table = Table(perudo.GAME, setup, ("odds",), 1)
    view, parse = table.scene.perspective("ann"), table.scene.structure.parse
    one, two = parse("eA(bob, 1, 1)"), parse("eA(bob, 1, 1) | eA(bob, 1, 2)")
    asked: tuple[Formula, ...] = (one, two)
    found = {true: str(share) for true, share in answer_odds(view, asked, engine("bdd"))}
    assert found == {(one, two): "1/3", (two,): "1/3", (): "1/3"}
