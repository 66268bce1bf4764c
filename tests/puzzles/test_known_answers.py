"""What is known of the classic puzzles."""

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
    """The answers to the questions that are answered with yes or no."""
    return [bool(one.answer) for one in outcomes(name, n) if one.answer is not None]


def worlds(name: str, n: int | None = None) -> list[int | None]:
    """How many worlds there are at the beginning, and after each event."""
    return [one.worlds for one in outcomes(name, n) if not isinstance(one.step, Question)]


def left(name: str, n: int | None = None) -> list[int]:
    return [count for count in worlds(name, n) if count is not None]


# ---- muddy children ---------------------------------------------------------------------------


def test_muddy_children_worlds_after_each_round() -> None:
    text = (
        BY_NAME["muddy_children"]
        .text.replace("m div 2", "m")
        .replace("let m = n div 2", "let m = 10")
    )
    problem = read(text, constants={"n": 10})
    counts = [one.worlds for one in check(problem) if one.worlds is not None]
    assert counts == [1023, 1013, 968, 848, 638, 386, 176, 56, 11, 1]


@pytest.mark.parametrize("muddy", range(1, 7))
def test_nobody_knows_is_true_so_often(muddy: int) -> None:
    text = BY_NAME["muddy_children"].text.replace("let m = n div 2", f"let m = {muddy}")
    answers = [
        bool(one.answer) for one in check(read(text, constants={"n": 6})) if one.answer is not None
    ]
    assert answers == [muddy > 1, False, True, False]


@pytest.mark.parametrize("n", [4, 7, 20, 40])
def test_the_muddy_know_after_all_rounds(n: int) -> None:
    assert verdicts("muddy_children", n) == [True, False, True, False]


# ---- Russian cards ----------------------------------------------------------------------------


def test_russian_cards() -> None:
    counts = left("russian_cards")
    assert counts[0] == 140
    assert verdicts("russian_cards") == [False, True, True, True, True, True, True]


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


# ---- dining cryptographers, logicians ---------------------------------------------------------


@pytest.mark.parametrize("n", range(3, 12))
def test_all_learn_whether_somebody_paid_and_nobody_who(n: int) -> None:
    assert verdicts("dining_cryptographers", n) == [True, True, True]


def test_dining_cryptographers_worlds() -> None:
    assert left("dining_cryptographers", 3) == [32, 16, 8, 6]


@pytest.mark.parametrize("n", [2, 3, 10, 50, 100])
def test_drinking_logicians(n: int) -> None:
    assert verdicts("drinking_logicians", n) == [True, True, True]


@pytest.mark.parametrize("n", [2, 3, 9])
def test_hats(n: int) -> None:
    assert verdicts("three_hats", n) == [True, True]
    assert left("three_hats", n)[-1] == 2 ** (n - 1)


# ---- numbers ----------------------------------------------------------------------------------


def where(name: str, n: int | None = None) -> list[dict[str, str]]:
    """The worlds of the last question."""
    last = outcomes(name, n)[-1].where
    assert last is not None
    assert last.number == len(last.worlds)
    return [dict(world) for world in last.worlds]


def test_cheryls_birthday() -> None:
    assert left("cheryls_birthday") == [10, 5, 3, 1]
    assert where("cheryls_birthday") == [{"month": "july", "day": "16"}]


def test_sum_and_product() -> None:
    assert left("sum_and_product", 100) == [2352, 145, 86, 1]


@pytest.mark.parametrize("bound", [65, 66, 100, 200])
def test_the_one_solution_of_sum_and_product(bound: int) -> None:
    assert where("sum_and_product", bound) == [{"x": "4", "y": "13"}]


@pytest.mark.parametrize("bound", [61, 62, 63, 64])
def test_no_solution_of_sum_and_product(bound: int) -> None:
    problem = read(BY_NAME["sum_and_product"].text, constants={"n": bound})
    with pytest.raises(ImpossibleStep, match="no world is left"):
        list(check(problem))


@pytest.mark.parametrize("greatest", [9, 20, 100])
def test_consecutive_numbers(greatest: int) -> None:
    assert where("consecutive_numbers", greatest) == [{"x": "1", "y": "2"}, {"x": "2", "y": "3"}]


# ---- change -----------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [4, 5])
def test_gossip(n: int) -> None:
    assert verdicts("gossip", n) == [True, True, True]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_prisoners(n: int) -> None:
    days = 2 * (n - 1)
    assert verdicts("prisoners", n) == [False] * (days - 1) + [True, n == 2]


# ---- what is installed ------------------------------------------------------------------------


def test_the_puzzles_are_installed() -> None:
    assert list(puzzles()) == [one.name for one in PUZZLES]
    assert puzzle("gossip") is BY_NAME["gossip"]
    with pytest.raises(UnknownName, match="unknown puzzle 'gosip'; did you mean 'gossip'"):
        puzzle("gosip")


def test_sizes_that_make_no_sense() -> None:
    with pytest.raises(InputError, match="takes 2 to 1,000 children, got 1"):
        BY_NAME["muddy_children"].problem(1)
    with pytest.raises(InputError, match="russian_cards has one size only, got n = 4"):
        BY_NAME["russian_cards"].problem(4)


@pytest.mark.parametrize("one", PUZZLES, ids=[one.name for one in PUZZLES])
def test_the_smallest_size_works(one: Puzzle) -> None:
    told = outcomes(one.name, None if one.sizes is None else one.sizes[0])
    assert all(outcome.refused is None for outcome in told)


@pytest.mark.parametrize("name", ["sat", "bdd", "smt", "explicit"])
@pytest.mark.parametrize(
    "which", ["muddy_children", "dining_cryptographers", "drinking_logicians", "three_hats"]
)
def test_all_engines_give_the_same_answers(which: str, name: str) -> None:
    told = check(BY_NAME[which].problem(), engine(name))
    assert [bool(one.answer) for one in told if one.answer is not None] == verdicts(which)


def test_answers_without_counts_are_the_same() -> None:
    told = list(check(BY_NAME["sum_and_product"].problem(100), count=False))
    assert all(one.worlds is None for one in told)
    assert told[-1].where is not None
    assert told[-1].where.worlds == ({"x": "4", "y": "13"},)
    text = BY_NAME["sum_and_product"].text
    with pytest.raises(ImpossibleStep, match="no world is left"):
        list(check(read(text, constants={"n": 64}), count=False))
