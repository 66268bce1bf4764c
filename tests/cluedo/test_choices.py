"""Players with several options: what to ask, what to show, when to take a risk."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log2
from random import Random
from unittest.mock import Mock

import pytest

from symkripke.engines import engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.play import Table
from symkripke.play.player import SAME
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.asking import out
from symkripke_games.cluedo.knowledge import envelope_atoms
from symkripke_games.cluedo.players import Discreet
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


def test_a_leak_is_the_mean_information_that_others_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The player looks at all deals here, and both others hold one card each."""
    setup = GAME.setup(players=3, size="2/2/3")
    table = Table(GAME, setup, ("first-order",), 1)
    view, exact = table.view(setup.players[0]), ExplicitEngine()
    samples = exact.sample(view.perspective, 400, Random(0), table.deal)
    deals = list({tuple(deal.items()): deal for deal in samples}.values())
    assert len(deals) == exact.worlds(view.perspective)
    counter = Mock(sample=Mock(return_value=deals))
    monkeypatch.setattr("symkripke_games.cluedo.players.discreet.counting", lambda engine: counter)
    suspects, weapons, rooms = ([card.id for card in kind] for kind in setup.edition.categories)
    for question in product(suspects, weapons, rooms):
        drops = []
        for deal in deals:
            asked = Table(GAME, setup, ("first-order",), deal=deal)
            asks = Mock(return_value=Suggest(question))
            monkeypatch.setattr(asked.players[view.player], "choose", asks)
            next(iter(asked))
            before, after = asked.scenes
            for other in setup.players[1:]:
                left, now = (
                    len(exact.possibilities(scene.perspective(other), envelope_atoms(setup)))
                    for scene in (before, after)
                )
                drops.append(log2(left / now))
        leaks = Discreet(table.engine, Random(0)).leaks(view, [question])
        assert leaks == pytest.approx([sum(drops) / len(drops)])
    assert any(drops)


def test_a_discreet_player_prefers_a_smaller_leak() -> None:
    """With the share 0 it maximises the gain, and with the share 1 it minimises the leak."""
    setup = GAME.setup(players=3, size="3/3/3")
    table = Table(GAME, setup, ("informative",), 2)
    lower = 0
    for view, move in decisions(table):
        if not isinstance(move, Suggest):
            continue
        gains = Survey(engine("bdd", "bayes"), view).gains
        bold, shy = (Discreet(table.engine, Random(1), Fraction(share)) for share in (0, 1))
        assert gains[bold.suggest(view)] > max(gains.values()) - 2 * SAME
        leaks = Discreet(table.engine, Random(2)).leaks(view, [shy.suggest(view), move.cards])
        lower += leaks[0] < leaks[1]
    assert lower > 1


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
