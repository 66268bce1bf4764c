"""Players: they are never wrong, and count exactly."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from symkripke.engines import Mark
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import BudgetExceeded
from symkripke.language import Atom
from symkripke.play import Table, View
from symkripke_games.old_maid import GAME
from symkripke_games.old_maid.knowledge import holds
from symkripke_games.old_maid.players import Counter, Epistemic, Logic, Notes, own_ranks
from symkripke_games.old_maid.rules import DrawFrom, Setup


def cells(setup: Setup) -> list[Atom]:
    return [holds(player, rank) for player in setup.players for rank in setup.deck]


def test_notes_are_sound_but_incomplete() -> None:
    """The logic player's knowledge is true, and the epistemic player knows all of it and more."""
    setup = GAME.setup(rules="study", players=4, ranks=6)
    more = 0
    for seed in range(2):
        table = Table(GAME, setup, ("logic",), seed)
        for _ in table:
            for player in setup.players:
                view, mind = table.view(player), table.players[player]
                assert isinstance(mind, Logic)
                sizes = {p: len(hand) for p, hand in table.state.hands.items()}  # type: ignore
                assert Notes.of(view).sizes == sizes
                noted = table.engine.sheet(mind.knowledge(view), cells(setup))
                complete = table.engine.sheet(view.perspective, cells(setup))
                for (atom, mark), best in zip(noted, complete.marks, strict=True):
                    truth = Mark.YES if table.engine.holds(table.scene, atom) else Mark.NO
                    assert mark in (truth, Mark.OPEN), (seed, player, atom)
                    assert mark in (best, Mark.OPEN), (seed, player, atom)
                    more += mark is not best
    assert more > 2


def test_expected_numbers_match_the_explicit_model() -> None:
    explicit = ExplicitEngine(weighting="bayes")
    setup = GAME.setup(rules="study")
    checked = 0
    for seed in range(2):
        table = Table(GAME, setup, ("random",), seed)
        minds = (Epistemic(table.engine, Random(0)), Logic(table.engine, Random(0)))
        for _ in table:
            for player in setup.players:
                view = table.view(player)
                others = setup.after(player)
                for mind in minds:
                    known = mind.knowledge(view)
                    expected = {
                        other: sum(
                            (explicit.probability(known, holds(other, r)) for r in own_ranks(view)),
                            Fraction(0),
                        )
                        for other in others
                    }
                    assert mind.expected(view, others) == expected
                    checked += any(value.denominator > 1 for value in expected.values())
    assert checked > 2


def test_they_draw_for_the_highest_expectation_then_from_the_larger_hand() -> None:
    setup = GAME.setup(rules="study", ranks=6)
    unequal = 0
    for seed in range(2):
        table = Table(GAME, setup, ("epistemic", "logic", "epistemic"), seed)
        while (decision := table.state.decision) is not None:
            if decision.kind == "draw":
                assert decision.options is not None
                mind: Any = table.players[decision.player]
                view = table.view(decision.player)
                able = tuple(option.giver for option in decision.options)
                expected = mind.expected(view, able)
                sizes = {p: len(hand) for p, hand in table.state.hands.items()}  # type: ignore
                keys = {p: (expected[p], sizes[p]) for p in able}
                best = mind.givers(view, able)
                assert all(keys[p] == max(keys.values()) for p in best)
                assert all(keys[p] < max(keys.values()) for p in set(able) - set(best))
                unequal += len(best) < len(able)
                move = mind.choose(View(setup, view.perspective, view.record, decision))
                assert move in tuple(map(DrawFrom, best))
            table.step()
    assert unequal > 3


def test_without_room_for_histories_single_cards_are_counted() -> None:
    """Only knowledge of single cards counts then; values are exact if it is complete."""
    setup = GAME.setup(rules="study", players=4, ranks=5)
    table, differs = Table(GAME, setup, ("random",), 0), 0
    cramped, roomy = Epistemic(table.engine, Random(0)), Epistemic(table.engine, Random(0))
    cramped.histories = Counter((64,))
    for step in table:
        if step.number % 3:
            continue
        for player in setup.players:
            view, others = table.view(player), setup.after(player)
            own = own_ranks(view)
            with pytest.raises(BudgetExceeded):
                Counter((64,)).expected(view.perspective, own or ("queen",), others)
            expected, exact = cramped.expected(view, others), roomy.expected(view, others)
            for other in others:
                shared = [holds(other, rank) for rank in own]
                known = table.engine.sheet(view.perspective, shared).marks
                least = sum(mark is Mark.YES for mark in known)
                most = sum(mark is not Mark.NO for mark in known)
                assert least <= expected[other] <= most
                assert least != most or expected[other] == exact[other] == most
            differs += expected != exact
    assert differs
