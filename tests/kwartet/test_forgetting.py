"""What a forgetful player is told again follows from what it remembers."""

from __future__ import annotations

from random import Random

from symkripke.engines import engine
from symkripke.language import exactly
from symkripke.play import Table
from symkripke.play.hands import holds
from symkripke_games.kwartet import GAME, knowledge
from symkripke_games.kwartet.knowledge import remembered_as
from symkripke_games.kwartet.rules import Board, Question


def test_how_many_cards_each_holds_follows_from_what_is_left_of_forgotten_moves() -> None:
    table = Table.of(GAME, rules="study", groups=3, minds=["random"], seed=3)
    setup, answers = table.setup, engine("sat")
    lapses = Random(3)
    board = Board.of(setup)
    bare = told = GAME.structure(setup)
    moves = 0
    for step in table:
        public = step.outcome.public
        forgets = lapses.random() < 0.7
        if forgets:
            bare = bare.update(remembered_as(setup, public, bare))
            told = told.update(remembered_as(setup, public, told, board.sizes))
        else:
            bare = bare.update(knowledge.event(setup, public))
            told = told.update(knowledge.event(setup, public))
        board = board.after(public)
        for player, size in board.sizes.items():
            counted = exactly(size, [holds(player, card.id) for card in setup.cards])
            assert answers.valid(bare, counted)
        for card in setup.cards:
            for player in setup.players:
                here = holds(player, card.id)
                assert bool(answers.valid(bare, here)) == bool(answers.valid(told, here))
        moves += forgets and isinstance(public, Question) and public.given
        if moves == 5:
            break
    assert moves == 5
