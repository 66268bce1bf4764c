from __future__ import annotations

import pickle

import pytest

from symkripke.errors import (
    FormulaError,
    ImpossibleStep,
    InputError,
    OutOfMemory,
    ProblemError,
    SymkripkeError,
    UnknownName,
    hint,
)


@pytest.mark.parametrize(
    "error",
    [
        UnknownName("card", "roep", ["rope", "hall"]),
        FormulaError("expected a", "b c", 1, 3),
        ProblemError("expected a", "x\nb c", 2, 3, "some.skp"),
        ImpossibleStep("this is not so", "x\nb c", 2, 1),
        OutOfMemory(2_500_000_000),
    ],
)
def test_errors_travel_between_processes(error: SymkripkeError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_hints() -> None:
    assert hint("fluents", ["fluent", "agents", "let"]) == "; did you mean 'fluent'?"
    assert hint("roep", ["rope", "hall"]) == "; did you mean 'rope'?"
    assert hint("ROPE", ["rope", "hall"]) == "; did you mean 'rope'?"
    assert hint("x", ["rope", "hall"]) == "; expected one of rope, hall"
    many = hint("x", [f"card_{n}" for n in range(30)])
    assert many == "; expected one of card_0, card_1, card_2 or 27 others"
    assert hint("x", []) == ""


def test_the_caret_is_below_its_column_after_tabs_and_on_later_lines() -> None:
    error = FormulaError("expected b", "a\n\tc d", 2, 4)
    assert str(error) == "expected b (line 2, column 4)\n  \tc d\n  \t  ^"
    assert isinstance(error, InputError)
    assert isinstance(error, ValueError)


def test_a_word_of_a_name_is_suggested_if_no_name_is_similar() -> None:
    puzzles = ["dining_cryptographers", "muddy_children", "sum_and_product", "muddy_boots"]
    puzzles += [f"other{number}" for number in range(12)]
    assert hint("dinning", puzzles) == "; did you mean 'dining_cryptographers'?"
    assert hint("Mud", puzzles) == "; did you mean 'muddy_children' or 'muddy_boots'?"
    assert hint("su", puzzles) == hint("xyzzy", puzzles)
    assert "13 others" in hint("su", puzzles)
