"""Advice in every game: what it says, that it can be followed, and that this is no worse."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.errors import InputError, NoAnswerWithin, RuleError, UnknownName
from symkripke.language import K
from symkripke.limits import within
from symkripke.play import Advice, Record, Table, game
from symkripke.play.positions import advised, suggest, view_at
from symkripke.play.strategies import HUMAN
from symkripke_games.cluedo.knowledge import knows_solution
from symkripke_games.cluedo.rules import Accuse, Done, Show, Suggest
from symkripke_games.kwartet.advice import questions
from symkripke_games.perudo.players.basic import Situation
from symkripke_games.perudo.replies import Spot, keeps
from symkripke_games.perudo.rules import Doubt
from tests.support.following import Score, contest
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


def test_the_card_to_show_is_one_that_was_seen_or_tells_least() -> None:
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
        ("scarlett,rope,hall", "expected who asks and three cards"),
        ("zoe," + ",".join(cards), "unknown player 'zoe'"),
        ("scarlett,rope,dagger,hall", "expected a suspect, a weapon and a room"),
    ):
        with pytest.raises(InputError, match=problem):
            suggest(record, moment, "white", 5, show=wrong)
    others = [next(card for card in kind if card not in held) for kind in kinds]
    with pytest.raises(RuleError, match="White has none of these cards: it passes"):
        suggest(record, moment, "white", 5, show=",".join(["scarlett", *others]))


def test_who_knows_accuses_and_who_does_not_waits() -> None:
    cluedo = game("cluedo")
    table = Table.of(cluedo, players=3, size="3/3/4", seed=6)
    certain = late = 0
    while (decision := table.state.decision) is not None and table.state.turn < 30:
        view = view_at(table.record, table.moment, decision.player)
        if view.decision is not None and view.decision.kind in ("act", "accuse"):
            best = advised(cluedo, view, engine("auto", "bayes"), 1, {})[0]
            assessed = table.players[view.player].assess(view)
            if assessed.certain:
                certain += 1
                assert isinstance(best.move, Accuse)
                assert best.gain == 1
            elif view.decision.kind == "accuse":
                someone = any(
                    table.engine.holds(view.perspective, K(view.player, knows_solution(other)))
                    for other in table.setup.players
                    if other != view.player
                )
                late += someone
                assert isinstance(best.move, Accuse if someone else Done | Accuse)
                assert "this is right is" in best.reason or "has a probability of" in best.reason
                assert best.reason.count("can show several cards choose by chance") == 1
            else:
                assert isinstance(best.move, Suggest)
        if table.step() is None:
            break
    assert certain


# ---- the others ------------------------------------------------------------------------------


def test_kwartet_says_how_likely_a_yes_is_and_what_the_question_tells() -> None:
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


def test_old_maid_says_what_each_draw_may_bring() -> None:
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


def test_perudo_ranks_moves_by_the_chance_to_lose_no_die() -> None:
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


def test_the_values_of_moves_keep_to_the_limit() -> None:
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


# ---- following it ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "mind", "setup", "games"),
    [
        ("kwartet", "random", {"players": 3, "groups": 4}, 12),
        ("perudo", "random", {"players": 2, "dice": 1}, 8),
        ("old_maid", "random", {"players": 3, "rules": "study"}, 6),
    ],
)
def test_who_follows_it_blindly_does_better_than_chance(
    name: str, mind: str, setup: dict[str, Any], games: int
) -> None:
    score = contest(name, mind, games, 0, setup)
    assert len(score.points) == games
    assert score.share >= score.expected


def test_the_interval_holds_the_share_and_narrows() -> None:
    chance = Random(1)
    score = Score(0.5)
    widths = []
    for number in range(1, 1001):
        score.points.append(float(chance.random() < 0.6))
        if number in (50, 500, 1000):
            low, high = score.interval
            assert low < 0.6 < high
            widths.append(high - low)
    assert widths == sorted(widths, reverse=True)
    assert score.verdict == "better"
