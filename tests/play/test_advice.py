"""Advice in every game: its content, its legality, and its quality."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.errors import InputError, NoAnswerWithin, RuleError, UnknownName
from symkripke.limits import within
from symkripke.play import Advice, Assessment, Game, Player, Record, Table, View, game
from symkripke.play.positions import advised, adviser, suggest, view_at
from symkripke.play.strategies import HUMAN
from symkripke_games.cluedo.rules import Show
from symkripke_games.kwartet.advice import questions
from symkripke_games.perudo.players.basic import Situation
from symkripke_games.perudo.replies import Spot, keeps
from symkripke_games.perudo.rules import Doubt
from tests.support.tables import kept_table


def played(name: str, seed: int, events: int, **setup: Any) -> tuple[Record[Any, Any], Any]:
    table = Table.of(game(name), seed=seed, **setup)
    while len(table.steps) < events and table.step() is not None:
        pass
    record = table.record
    return record, record.replay()


def told(name: str, seed: int, events: int, player: str, **setup: Any) -> Sequence[Advice]:
    record, moment = played(name, seed, events, **setup)
    return suggest(record, moment, player, 5)


# ---- Cluedo ----------------------------------------------------------------------------------


def test_questions_are_asked_in_the_rooms_that_can_be_reached() -> None:
    record, moment = played("cluedo", 3, 4, players=3, size="3/3/5")
    moves = suggest(record, moment, "scarlett", 9, rooms="ballroom, Billiard Room")
    asked = [move for move in moves if "ask for" in move.title]
    assert asked
    assert {move.data["cards"][2] for move in asked} <= {"ballroom", "billiard_room"}
    gains = [move.gain for move in asked]
    assert gains == sorted(gains, reverse=True)
    with pytest.raises(UnknownName, match="unknown room 'kitchn'"):
        suggest(record, moment, "scarlett", 1, rooms="kitchn")
    with pytest.raises(UnknownName, match="rooom"):
        suggest(record, moment, "scarlett", 1, rooom="hall")


def test_the_card_to_show_was_shown_before_or_reveals_least() -> None:
    record, moment = played("cluedo", 3, 0, players=3)
    held = moment.game.dealt(record.setup, record.truth, "white")
    kinds = [[card.id for card in kind] for kind in record.setup.edition.categories]
    cards = [next((c for c in kind if c in held), kind[0]) for kind in kinds]
    mine = [card for card in cards if card in held]
    assert len(mine) > 1
    moves = suggest(record, moment, "white", 5, show=",".join(["scarlett", *cards]))
    assert {move.move for move in moves} == {Show(card) for card in mine}
    assert all(move.unit == "bits left" for move in moves)
    lefts = [move.data["left"] for move in moves]
    assert lefts == sorted(lefts, reverse=True)
    assert 0 < lefts[0] < 8.4
    for wrong, problem in (
        ("scarlett,rope,hall", "expected the asking player and three cards"),
        ("zoe," + ",".join(cards), "unknown player 'zoe'"),
        ("scarlett,rope,dagger,hall", "expected a suspect, a weapon and a room"),
    ):
        with pytest.raises(InputError, match=problem):
            suggest(record, moment, "white", 5, show=wrong)
    others = [next(card for card in kind if card not in held) for kind in kinds]
    with pytest.raises(RuleError, match="White has none of these cards and passes"):
        suggest(record, moment, "white", 5, show=",".join(["scarlett", *others]))


@pytest.mark.parametrize(
    ("name", "mind", "verb", "options"),
    [
        ("cluedo", "higher-order", "accuse", {"players": 3, "size": "3/3/4"}),
        ("sleuth", "random", "declare", {"players": 3, "size": "3/2/2"}),
    ],
)
def test_a_player_who_knows_the_answer_is_advised_to_say_it(
    name: str, mind: str, verb: str, options: dict[str, Any]
) -> None:
    """This is checked in and out of turn; nobody gets advice after the end."""
    knew = 0
    for seed in range(5):
        table = Table.of(game(name), seed=seed, minds=(mind,), **options)
        while table.step() is not None:
            log = table.record
            for player in table.setup.players:
                moves = suggest(log, table.moment, player, 5)
                view = view_at(log, table.moment, player)
                if table.state.result is not None or player in table.state.out:
                    assert not moves
                elif view.decision is None and table.players[player].assess(view).certain:
                    knew += 1
                    assert [move.title.partition(" ")[0] for move in moves] == [verb]
                    assert moves[0].gain == 1
    assert knew


# ---- the others ------------------------------------------------------------------------------


def test_kwartet_gives_the_probability_of_a_yes_and_the_information_of_the_question() -> None:
    record, moment = played("kwartet", 2, 6, players=3, groups=4)
    for player in record.setup.players:
        view = view_at(record, moment, player)
        for found in questions(view, engine()):
            share = moment.probability(player, f"holds({found.move.asked}, {found.move.card})")
            assert found.data["yes"] == str(share)
    moves = suggest(record, moment, "ann", 3)
    assert all("card of" in move.reason for move in moves)
    sure = [move.gain == 1 for move in moves]
    assert sure == sorted(sure, reverse=True)
    told = [not move.data["tells"] for move in moves if move.gain < 1]
    assert told == sorted(told, reverse=True)
    assert moves[0].data["yes"] == str(Fraction(moves[0].data["yes"]))


def test_old_maid_gives_the_possible_results_of_each_draw() -> None:
    record, moment = played("old_maid", 1, 2, rules="study", ranks=5)
    weighing = engine("auto", "bayes")
    for player in record.setup.players:
        for draw in suggest(record, moment, player, 9):
            data = {name: Fraction(draw.data[name]) for name in ("pair", "queen", "cards")}
            assert 0 <= data["pair"] + data["queen"] <= 1
            for rank, share in draw.data["pairs"].items():
                held = moment.probability(player, f"holds({draw.data['giver']}, {rank})", weighing)
                assert Fraction(share) == held / data["cards"]
    assert told("old_maid", 1, 0, "ann", rules="study") == []
    classic = told("old_maid", 4, 1, "ann", ranks=6, players=3)
    assert len(classic) == 1
    assert "one of " in classic[0].reason


def test_perudo_ranks_moves_by_the_probability_of_losing_no_die() -> None:
    record, moment = played("perudo", 7, 2, players=3, dice=3)
    for player in moment.setup.players:
        view = view_at(record, moment, player)
        moves = suggest(record, moment, player, 9)
        if view.record[-1].player == player:
            assert moves == []
            continue
        gains = [move.gain for move in moves]
        assert gains == pytest.approx(sorted(gains, reverse=True))
        situation = Situation.of(view)
        spot = Spot.of(situation, view.setup)
        for move in moves:
            assert move.gain == keeps(spot, 1, situation.own, move.move)
        dudo = next(move for move in moves if isinstance(move.move, Doubt))
        assert dudo.data["doubted"] is None


def test_the_values_of_moves_obey_the_limit() -> None:
    record, moment = played("perudo", 7, 0, players=3, dice=3)
    view = view_at(record, moment, moment.setup.players[0])
    with within(seconds=0), pytest.raises(NoAnswerWithin):
        advised(moment.game, view, engine(), 1, {})


def test_sleuth_declares_when_certain_and_guesses_after_a_last_question(tmp_path: Path) -> None:
    sleuth = game("sleuth")
    setup = sleuth.setup(players=3, size="3/3/2")
    hosted = kept_table(tmp_path / "x.jsonl", sleuth, setup, [HUMAN] * 3, 2)
    hosted.step()
    view = hosted.seat("ann")
    asks = view.advise(3)
    assert all(move.title.startswith("ask ") for move in asks)
    assert view.advise(1)[0].reason.startswith("you know little about")
    hosted.choose("ann", view.read("last bob red"))
    last = hosted.seat("ann").advise(40)
    shares = [move.gain for move in last]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1)
    assert all("gems may be hidden" in move.reason for move in last)


# ---- following the advice ------------------------------------------------------------------------


class Follower:
    """A player that follows the first hint if there is one."""

    def __init__(self, played: Game[Any, Any], mind: Player[Any, Any]) -> None:
        self._game, self._mind = played, mind

    def choose(self, view: View[Any, Any]) -> Any:
        assert view.decision is not None
        assert self._game.people is not None
        chosen = self._mind.choose(view)
        is_drawn = view.decision.kind in self._game.people.automatic_decisions
        hints = () if is_drawn else advised(self._game, view, adviser(), 1, {})
        return hints[0].move if hints else chosen

    def assess(self, view: View[Any, Any]) -> Assessment:
        return self._mind.assess(view)


@pytest.mark.parametrize(
    ("name", "options", "games"),
    [
        ("kwartet", {"players": 3, "groups": 4}, 8),
        ("perudo", {"players": 2, "dice": 1}, 8),
        ("old_maid", {"players": 3, "rules": "study"}, 6),
    ],
)
def test_following_advice_blindly_is_better_than_chance(
    name: str, options: dict[str, Any], games: int
) -> None:
    won = expected = 0.0
    for seed in range(games):
        table = Table.of(game(name), minds=("random",), seed=seed, **options)
        follower = table.setup.players[seed % len(table.setup.players)]
        table.players[follower] = Follower(table.game, table.players[follower])
        for _ in table:
            pass
        won += (follower in table.state.winners) / max(1, len(table.state.winners))
        expected += 1 / len(table.setup.players)
    assert won > expected
