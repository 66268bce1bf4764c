"""Known answers of the classic puzzles."""

from __future__ import annotations

from itertools import combinations

import pytest

from symkripke.engines import engine
from symkripke.errors import ImpossibleStep, InputError, UnknownName
from symkripke.problems.checker import check
from symkripke.problems.outcome import Outcome
from symkripke.problems.problem import Question
from symkripke.problems.puzzles import Puzzle, puzzle, puzzles
from symkripke.problems.reader import read
from symkripke_games.puzzles import PUZZLES
from symkripke_games.puzzles.russian_cards import candidates, cards, safe_announcements

BY_NAME = {one.name: one for one in PUZZLES}


def outcomes(name: str, n: int | None = None) -> list[Outcome]:
    return list(check(BY_NAME[name].problem(n)))


def verdicts(name: str, n: int | None = None) -> list[bool]:
    """Return the yes-or-no answers."""
    return [bool(one.answer) for one in outcomes(name, n) if one.answer is not None]


def left(name: str, n: int | None = None) -> list[int]:
    """Return the number of worlds at the beginning and after each event, where they are counted."""
    told = [one.worlds for one in outcomes(name, n) if not isinstance(one.step, Question)]
    return [count for count in told if count is not None]


VERDICTS = [
    *(("muddy_children", n, [True, False, True, False]) for n in (4, 7, 20, 40)),
    *(("dining_cryptographers", n, [True, True, True]) for n in (3, 5, 11)),
    *(("drinking_logicians", n, [True, True, True]) for n in (2, 10, 100)),
    *(("three_hats", n, [True, True]) for n in (2, 3, 9)),
    *(("gossip", n, [True, True, True]) for n in (4, 5)),
    *(("prisoners", n, [False] * (2 * n - 3) + [True, n == 2]) for n in (2, 3, 4)),
]


@pytest.mark.parametrize(("name", "n", "answers"), VERDICTS)
def test_verdicts(name: str, n: int, answers: list[bool]) -> None:
    assert verdicts(name, n) == answers


# The number of worlds after each event.
WORLDS: list[tuple[str, int | None, list[int]]] = [
    ("russian_cards", None, [140]),
    ("dining_cryptographers", 3, [32, 16, 8, 6]),
    ("cheryls_birthday", None, [10, 5, 3, 1]),
    ("sum_and_product", 100, [2352, 145, 86, 1]),
]


@pytest.mark.parametrize(("name", "n", "worlds"), WORLDS)
def test_worlds(name: str, n: int | None, worlds: list[int]) -> None:
    assert left(name, n)[: len(worlds)] == worlds


def test_hats() -> None:
    assert [left("three_hats", n)[-1] for n in (2, 3, 9)] == [2, 4, 256]


def with_muddy(n: int, muddy: int) -> list[Outcome]:
    text = BY_NAME["muddy_children"].text.replace("let m = n div 2", f"let m = {muddy}")
    return list(check(read(text, constants={"n": n})))


def test_muddy_children_worlds_after_each_round() -> None:
    counts = [one.worlds for one in with_muddy(10, 10) if one.worlds is not None]
    assert counts == [1024, 1023, 1013, 968, 848, 638, 386, 176, 56, 11, 1]


@pytest.mark.parametrize("muddy", range(1, 7))
def test_the_number_of_times_that_nobody_knows_is_true(muddy: int) -> None:
    answers = [bool(one.answer) for one in with_muddy(6, muddy) if one.answer is not None]
    assert answers == [muddy > 1, False, True, False]


# ---- Russian cards ----------------------------------------------------------------------------


def test_safe_announcements() -> None:
    hands = list(combinations(range(7), 3))
    apart = [one for one in hands if len({0, 1, 2} & {*one}) < 2]
    brute = sum(
        all(len({*one} & {*other}) < 2 for one, other in combinations(chosen, 2))
        for size in (4, 5, 6)
        for chosen in combinations(apart, size)
    )
    found = list(candidates((0, 1, 2)))
    assert len(found) == brute == 192
    safe = safe_announcements(asked=engine("bdd"))
    assert len(safe) == 102
    assert ((0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (2, 4, 6)) in safe
    assert engine("bdd").worlds(cards()) == 140


# ---- numbers ----------------------------------------------------------------------------------


def where(name: str, n: int | None = None) -> list[dict[str, str]]:
    """Return the worlds of the last question."""
    last = outcomes(name, n)[-1].where
    assert last is not None
    assert last.number == len(last.worlds)
    return [dict(world) for world in last.worlds]


@pytest.mark.parametrize(
    ("name", "n", "worlds"),
    [
        ("cheryls_birthday", None, [{"month": "july", "day": "16"}]),
        *(("sum_and_product", bound, [{"x": "4", "y": "13"}]) for bound in (65, 100)),
        ("consecutive_numbers", 20, [{"x": "1", "y": "2"}, {"x": "2", "y": "3"}]),
    ],
)
def test_the_worlds_of_the_last_question(
    name: str, n: int | None, worlds: list[dict[str, str]]
) -> None:
    last = outcomes(name, n)[-1].where
    assert last is not None
    assert last.number == len(last.worlds)
    assert [dict(world) for world in last.worlds] == worlds


@pytest.mark.parametrize("count", [True, False])
def test_no_solution_of_sum_and_product(count: bool) -> None:
    """For sums below 65, no world is left, whether worlds are counted or not."""
    problem = read(BY_NAME["sum_and_product"].text, constants={"n": 64})
    with pytest.raises(ImpossibleStep, match="no world is left"):
        list(check(problem, count=count))


# ---- installed puzzles ------------------------------------------------------------------------


def test_the_puzzles_are_installed() -> None:
    assert list(puzzles()) == [one.name for one in PUZZLES]
    assert puzzle("gossip") is BY_NAME["gossip"]
    with pytest.raises(UnknownName, match="unknown puzzle 'gosip'; did you mean 'gossip'"):
        puzzle("gosip")


def test_invalid_sizes() -> None:
    with pytest.raises(InputError, match="takes 2 to 1,000 children, got 1"):
        BY_NAME["muddy_children"].problem(1)
    with pytest.raises(InputError, match="russian_cards has one size only, got n = 4"):
        BY_NAME["russian_cards"].problem(4)


@pytest.mark.parametrize("one", PUZZLES, ids=[one.name for one in PUZZLES])
def test_the_smallest_size_works(one: Puzzle) -> None:
    told = outcomes(one.name, None if one.sizes is None else one.sizes[0])
    assert all(outcome.refused is None for outcome in told)
