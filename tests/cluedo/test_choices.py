"""Players with more to choose: what to ask, what to show, when to take a risk."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import InputError, LogError, RuleError, UnknownName
from symkripke.play import Record, Table, View
from symkripke.play.player import SAME
from symkripke_games.cluedo import GAME
from symkripke_games.cluedo.asking import out
from symkripke_games.cluedo.knowledge import envelope_atoms
from symkripke_games.cluedo.players import Informative, Racer
from symkripke_games.cluedo.players.informative import shown_before
from symkripke_games.cluedo.questions import Survey
from symkripke_games.cluedo.rules import Accuse, Done, Suggest, Suggestion


def decisions(table: Table[Any, Any]) -> Any:
    """Every decision of a game, with the view of who must make it, before it is made."""
    for player in table.players.values():
        choose = player.choose

        def noted(view: Any, choose: Any = choose) -> Any:
            move = choose(view)
            made.append((view, move))
            return move

        player.choose = noted  # type: ignore[method-assign]
    made: list[tuple[Any, Any]] = []
    for _ in table:
        yield from made
        made.clear()


def test_informative_asks_what_tells_most() -> None:
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
    """And otherwise what it can; over many games both happen."""
    again = fresh = 0
    for seed in range(12):
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
    assert again > 5
    assert fresh > 2


def test_what_a_show_leaves_is_counted_exactly() -> None:
    """The same over listed worlds; and cards of one hand differ in what they leave."""
    setup = GAME.setup(players=3, size="3/3/3")
    compared = 0
    for seed in range(12):
        table = Table(GAME, setup, ("random",), seed)
        for step in table:
            if step.number == 4:
                break
        view = table.view(table.setup.players[0])
        held = [f[9:-1] for f, place in table.deal.items() if place == view.player]
        asker = table.setup.players[1]
        options = []
        for category in setup.edition.categories:
            cards = [card.id for card in category]
            mine = [card for card in cards if card in held]
            options.append((mine or cards)[0])
        suspect, weapon, room = options
        chosen = [card for card in options if card in held]
        pending = Suggestion(
            turn=table.state.turn + 1,
            player=asker,
            cards=(suspect, weapon, room),
            passes=(table.setup.players[2],),
            shower=view.player,
        )
        if len(chosen) < 2 or any(table.deal[f"location({c})"] == "white" for c in options):
            continue
        sat, explicit = (
            Informative(asking, Random(3)).left(view, pending, chosen)
            for asking in (engine("sat"), ExplicitEngine())
        )
        assert sat == explicit
        assert all(left >= 0 for left in sat)
        compared += len(set(sat)) > 1
    assert compared


@pytest.mark.parametrize("threshold", ["0.2", "1/2", "1"])
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
        for seed in range(6):
            table = Table(GAME, GAME.setup(players=3, size="3/3/3"), (mind,), seed)
            for view, move in decisions(table):
                if view.decision.kind != "show":
                    left = table.players[view.player].assess(view).open
                    assert isinstance(move, Accuse) == (left <= most)
                    early += isinstance(move, Accuse) and left > 1
        assert early


def test_a_racer_guesses_when_another_is_known_to_know() -> None:
    """Only then, only at the end of its turn, and what may be right."""
    raced = waited = 0
    for seed in range(20):
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
    assert waited > 20


def test_who_accused_wrongly_does_not_make_a_racer_race() -> None:
    """By the classic rules it has looked into the envelope: all know that it knows."""
    setup = GAME.setup(players=3, size="3/3/3")
    table = Table(GAME, setup, ("first-order-guesser:0.01", "racer", "racer"), 1)
    for step in table:
        if getattr(step.outcome.public, "right", None) is False:
            break
    view = table.view("mustard")
    assert table.engine.holds(view.perspective, "K[mustard] knows_solution(scarlett)")
    racer = table.players["mustard"]
    assert isinstance(racer, Racer)
    assert not racer.beaten(View(setup, view.perspective, view.record, None))


@pytest.mark.parametrize("mind", ["first-order-guesser", "higher-order-guesser", "racer"])
def test_who_has_nobody_left_to_ask_takes_the_risk(mind: str) -> None:
    """Study: all others have accused wrongly, and show nothing any more."""
    setup = GAME.setup(rules="study", players=3, size="3/3/3")
    alone = 0
    for seed in range(4):
        hasty = "first-order-guesser:0.01"
        table = Table(GAME, setup, (hasty, hasty, mind), seed)
        for view, move in decisions(table):
            late = mind != "racer" or view.decision.kind == "accuse"  # it asks first
            if late and view.player == setup.players[2] and len(out(view)) == 2:
                assert isinstance(move, Accuse)
                alone += 1
        assert table.state.result is not None
        assert table.state.turn < 10
    assert alone


@pytest.mark.parametrize(
    ("mind", "message"),
    [
        ("first-order-guesser:often", "above 0, and at most 1, got 'often'"),
        ("first-order-guesser:0", "above 0, and at most 1"),
        ("higher-order-guesser:1.5", "above 0, and at most 1"),
        ("higher-order-guesser:1/0", "above 0, and at most 1"),
        ("higher-order-guesser:", "above 0, and at most 1, got ''"),
        ("random:0.5", "random players cannot be tuned"),
        ("higher-ordr:0.5", "unknown kind of Cluedo player 'higher-ordr'"),
    ],
)
def test_tuned_minds_are_checked(mind: str, message: str) -> None:
    kind = UnknownName if "unknown" in message else InputError
    with pytest.raises(kind, match=message):
        Table(GAME, GAME.setup(players=3), (mind,))


def test_tuned_minds_are_logged_and_read() -> None:
    minds = ("first-order-guesser:1/3", "racer", "informative")
    table = Table(GAME, GAME.setup(players=3, size="3/3/3"), minds, 2)
    for _ in table:
        pass
    text = "\n".join(table.record.lines())
    assert Record.parse(text).minds == minds
    with pytest.raises(LogError, match="first-order-guesser:9: expected a probability"):
        Record.parse(text.replace(":1/3", ":9"))


def test_guessers_notice_what_follows_if_they_are_higher_order() -> None:
    setup = GAME.setup(players=3, silence_speaks=True)
    for mind in ("higher-order-guesser:0.9", "racer", "informative"):
        assert Table(GAME, setup, (mind,)).minds == (mind,) * 3
    with pytest.raises(RuleError, match=r"does not speak: a first-order-guesser:0\.9 mind"):
        Table(GAME, setup, ("first-order-guesser:0.9",))
