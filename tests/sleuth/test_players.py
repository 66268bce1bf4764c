"""Players: they use only their view, are certain when they declare, and explain their questions."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from symkripke.engines import engine
from symkripke.play import Table, View
from symkripke.play.player import SAME
from symkripke_games.sleuth import GAME
from symkripke_games.sleuth.gems import HIDDEN
from symkripke_games.sleuth.questions import Survey
from symkripke_games.sleuth.rules import Ask, AskLast, Declaration, Declare, Question
from tests.support.played import decisions, played


@pytest.mark.parametrize(
    ("rules", "players", "minds"),
    [
        ("classic", 5, ("lead", "random", "study", "lead", "lead")),
        ("classic", 7, ("random",)),
        ("study", 5, ("gain", "study", "lead", "random", "study")),
    ],
)
def test_full_size_games_are_won_by_players_that_were_certain(
    rules: str, players: int, minds: tuple[str, ...]
) -> None:
    table = played(GAME, minds, players, rules=rules, players=players)
    (winner,) = table.state.winners
    last = table.steps[-1].outcome.public
    assert isinstance(last, Declaration)
    assert last.right
    assert table.deal[f"location({last.gem})"] == HIDDEN
    record = [one.outcome.public for one in table.steps]
    before = View(table.setup, table.scenes[-2].perspective(winner), record[:-1])
    assessed = table.players[winner].assess(before)
    assert assessed.certain
    assert assessed.open == 1
    assert assessed.located[f"location({last.gem})"] == HIDDEN
    # The winner was not certain before the last question, and nobody else was certain.
    for name, player in table.players.items():
        view = View(table.setup, table.scenes[-3].perspective(name), record[:-2])
        assert not player.assess(view).certain


def test_gain_asks_the_most_informative_question_and_explains_it() -> None:
    table = Table(GAME, GAME.setup(players=4, size="4/3/2"), ("gain",), 4)
    asked = 0
    for view, move in decisions(table):
        if not isinstance(move, Ask):
            continue
        assert "the answer gives" in move.reason
        survey = Survey(engine(), view)
        told = survey.question(move.asked, move.elements)
        free = move.card == "free"
        rivals = view.setup.edition.questions if free else [move.elements]
        assert told.gem > max(one.gem for one in survey.questions(rivals)) - SAME
        asked += 1
    assert asked > 5


def test_leads_are_followed() -> None:
    """At least half of the others are known to lack the gem, and the asked player may hold it."""
    followed = 0
    for rules in ("classic", "study"):
        table = Table(GAME, GAME.setup(rules=rules, players=4, size="4/3/2"), ("study",), 1)
        for _, move in decisions(table):
            if isinstance(move, Ask) and move.reason.startswith("following a lead"):
                assert "not hold the" in move.reason
                assert move.asked.title() in move.reason.partition("only")[2]
                followed += 1
    assert followed > 3


def test_a_last_question_is_asked_only_if_it_is_decisive() -> None:
    last = 0
    for size, seed in (("2/2/2", 10), ("3/2/2", 11)):
        # Without free choice cards, players more often lack the card that they need.
        setup = GAME.setup(players=3, size=size)
        setup = replace(setup, edition=replace(setup.edition, free=0))
        table = Table(GAME, setup, ("gain",), seed)
        made = list(decisions(table))
        for number, (view, move) in enumerate(made):
            if isinstance(move, AskLast):
                last += 1
                then = made[number + 1]
                assert then[0].player == view.player
                assert isinstance(then[1], Declare)
                assert table.state.winners == (view.player,)
                asked = [one.outcome.public for one in table.steps]
                assert [one.last for one in asked if isinstance(one, Question)][-1]
    assert last == 2


def test_a_game_whose_refutations_are_too_long_for_clauses_ends() -> None:
    """With clauses alone, it takes hours to show that the hidden gem is no diamond (turn 7)."""
    table = Table(GAME, GAME.setup(players=3), ["lead"], seed=112000061)
    assert [step.turn for step in table][-1] == 16
