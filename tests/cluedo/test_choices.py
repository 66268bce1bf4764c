"""Players with several options: what to ask, what to show, when to take a risk."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symkripke.engines import engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.play import Table
from symkripke.play.player import SAME
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.asking import out
from symkripke_games.cluedo.knowledge import envelope_atoms
from symkripke_games.cluedo.players.informative import shown_before
from symkripke_games.cluedo.questions import Survey
from symkripke_games.cluedo.rules import Accuse, Done, Suggest, Suggestion
from tests.support.played import decisions


def test_informative_asks_the_most_informative_question() -> None:
    setup = GAME.setup(players=3, size="4/4/4")
    table = Table(GAME, setup, ("informative",), 2)
    explicit = engine("bdd", "bayes")
    asked = 0
    for view, move in decisions(table):
        if isinstance(move, Suggest):
            gains = Survey(explicit, view).gains
            assert gains[move.cards] > max(gains.values()) - 2 * SAME
            asked += 1
    assert asked > 3


def test_informative_shows_again_what_it_has_shown() -> None:
    """Otherwise it shows any card that it can; both cases occur over many games."""
    again = fresh = 0
    for seed in range(8):
        table = Table(
            GAME, GAME.setup(players=3, size="4/4/5"), ("informative", "random", "random"), seed
        )
        for view, move in decisions(table):
            if view.decision.kind != "show" or view.player != table.setup.players[0]:
                continue
            asked = view.decision.pending
            assert isinstance(asked, Suggestion)
            assert asked.shower == view.player
            options = {option.card for option in view.decision.options}
            assert options <= set(asked.cards)
            before = shown_before(view, asked.player) & options
            if before:
                assert move.card in before
                again += 1
            else:
                fresh += len(options) > 1
    assert again > 2
    assert fresh > 1


@pytest.mark.parametrize("threshold", ["0.2", "1"])
def test_a_higher_order_guesser_accuses_at_its_threshold(threshold: str) -> None:
    exact = ExplicitEngine(weighting="bayes")
    table = Table(
        GAME, GAME.setup(players=3, size="2/2/3"), (f"higher-order-guesser:{threshold}",), 5
    )
    guesses = 0
    for view, move in decisions(table):
        if view.decision.kind == "show":
            continue
        odds = exact.distribution(view.perspective, envelope_atoms(view.setup))
        assert isinstance(move, Accuse) == (max(odds.values()) >= Fraction(threshold))
        if isinstance(move, Accuse):
            (chosen,) = (
                share
                for inside, share in odds.items()
                if {atom.fluent for atom in inside} == {f"location({c})" for c in move.cards}
            )
            assert chosen == max(odds.values())
            guesses += 1
    assert guesses


def test_a_first_order_guesser_accuses_when_few_triples_are_left() -> None:
    for mind, most in (("first-order-guesser", 2), ("first-order-guesser:0.2", 5)):
        early = 0
        for seed in range(3):
            table = Table(GAME, GAME.setup(players=3, size="3/3/3"), (mind,), seed)
            for view, move in decisions(table):
                if view.decision.kind != "show":
                    left = table.players[view.player].assess(view).open
                    assert isinstance(move, Accuse) == (left <= most)
                    early += isinstance(move, Accuse) and left > 1
        assert early


def test_a_racer_guesses_when_another_is_known_to_know() -> None:
    """It guesses only then, only at the end of its turn, and only a triple that may be right."""
    raced = waited = 0
    for seed in range(10):
        table = Table(GAME, GAME.setup(players=3, size="3/3/4"), ("racer",), seed)
        for view, move in decisions(table):
            kind = view.decision.kind
            if kind == "show":
                continue
            left = table.engine.possibilities(view.perspective, envelope_atoms(view.setup))
            beaten = any(
                table.engine.holds(view.perspective, f"K[{view.player}] knows_solution({other})")
                for other in set(table.setup.players) - out(view) - {view.player}
            )
            if isinstance(move, Accuse):
                inside = frozenset(f"location({card})" for card in move.cards)
                assert inside in {frozenset(atom.fluent for atom in one) for one in left}
            if len(left) == 1:
                assert isinstance(move, Accuse)
            elif kind == "accuse":
                assert isinstance(move, Accuse if beaten else Done)
                raced += beaten
                waited += not beaten
            else:
                assert isinstance(move, Suggest)
    assert raced
    assert waited > 10


@pytest.mark.parametrize("mind", ["first-order-guesser", "higher-order-guesser", "racer"])
def test_a_player_with_nobody_left_to_ask_takes_the_risk(mind: str) -> None:
    """In the study's rules, all other players have accused wrongly and no longer show cards."""
    setup = GAME.setup(rules="study", players=3, size="3/3/3")
    alone = 0
    for seed in range(4):
        hasty = "first-order-guesser:0.01"
        table = Table(GAME, setup, (hasty, hasty, mind), seed)
        for view, move in decisions(table):
            late = mind != "racer" or view.decision.kind == "accuse"  # a racer asks first
            if late and view.player == setup.players[2] and len(out(view)) == 2:
                assert isinstance(move, Accuse)
                alone += 1
        assert table.state.result is not None
        assert table.state.turn < 10
    assert alone
