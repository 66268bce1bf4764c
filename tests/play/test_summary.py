"""Summaries of games, counted by hand, and the study's result."""

from __future__ import annotations

from symkripke.play.runs.run import carry_out
from symkripke.play.runs.summary import Tally
from symkripke.play.runs.tournament import Played, Snapshot, plan


def made(
    number: int, winners: tuple[int, ...], opened: dict[int, tuple[int, int]], finished: bool = True
) -> Played:
    """Return a game of two that was never played, with both players' open answers per turn."""
    course = tuple(
        (turn, tuple(Snapshot(one, 0, one == 1, False) for one in both))
        for turn, both in opened.items()
    )
    turns = max(opened)
    minds = ("first-order", "higher-order")
    return Played(number, number, minds, turns, turns, "", finished, winners, course, 0.5)


def test_summary_of_games_counted_by_hand() -> None:
    run = plan(
        "cluedo",
        {"rules": "study", "players": 2},
        games=4,
        minds=("first-order", "higher-order"),
    )
    tally = Tally(run)
    tally.add(made(0, (1,), {0: (8, 6), 1: (8, 1)}))
    tally.add(made(1, (0,), {0: (10, 8), 1: (6, 4), 3: (1, 2)}))  # turn 2 has no event
    tally.add(made(2, (), {0: (8, 8), 1: (4, 4), 2: (4, 4)}, finished=False))
    tally.add(made(3, (), {0: (6, 6), 1: (2, 3)}))
    summary = tally.summary()
    first, higher = summary.kinds
    assert (first.games.hits, first.games.of, first.seats.hits, first.seats.of) == (1, 4, 1, 4)
    assert (higher.games.hits, higher.games.of) == (1, 4)
    # Two of the games had a winner, so both players lost one.
    assert [(one.lost_games.hits, one.lost_games.of) for one in summary.kinds] == [(1, 2)] * 2
    assert [(one.lost_seats.hits, one.lost_seats.of) for one in summary.kinds] == [(1, 2)] * 2
    assert [(seat.lost.hits, seat.lost.of) for seat in summary.seats] == [(1, 2)] * 2
    assert [(seat.games.hits, seat.player) for seat in summary.seats] == [(1, "ann"), (1, "bob")]
    assert (summary.games, summary.unfinished, summary.nobody, summary.cpu) == (4, 1, 1, 0.5)
    length = summary.length
    assert length is not None
    assert (length.mean, length.median, length.most90, length.longest) == (5 / 3, 1, 3, 3)
    curve = summary.curve
    assert [(point.turn, point.games) for point in curve] == [(0, 4), (1, 4), (2, 2), (3, 1)]
    assert [point.running["first-order"] for point in curve] == [8, 5, 5, 1]
    assert [point.running["higher-order"] for point in curve] == [7, 3, 4, 2]
    assert [point.kept["first-order"] for point in curve] == [8, 5, 5, (8 + 1 + 4 + 2) / 4]
    assert [point.kept["higher-order"] for point in curve] == [7, 3, 3, (1 + 2 + 4 + 3) / 4]


def test_abandoned_games_are_counted() -> None:
    run = plan("cluedo", {"rules": "study"}, games=3, turns=1)
    summary = carry_out(run, workers=1).summary
    assert summary.unfinished + sum(seat.games.hits for seat in summary.seats) == 3
    assert summary.unfinished > 0


def test_higher_order_players_win_the_study() -> None:
    """The study reports 8 wins in 8 games, which start with 18 and 21 open solutions."""
    minds = ("first-order", "first-order", "higher-order", "higher-order")
    run = plan("cluedo", {"rules": "study"}, games=8, minds=minds)
    summary = carry_out(run, workers=1).summary
    assert [(kind.mind, kind.games.hits) for kind in summary.kinds] == [
        ("first-order", 0),
        ("higher-order", 8),
    ]
    assert summary.curve[0].running == {"first-order": 18, "higher-order": 21}
