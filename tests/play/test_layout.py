"""Validation of note sheets when they are made."""

from __future__ import annotations

from typing import Any

import pytest

from symkripke.errors import GameError
from symkripke.play import Layout, Paper

GROUPS = {"suspects": {"plum": "Plum"}, "rooms": {"hall": "Hall"}}
COLUMNS = {"ann": "Ann", "envelope": "Envelope"}
PAPER = Paper({"first": {"P": "plum"}}, "P Plum", "envelope")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"groups": {"suspects": {"plum": " "}}}, "row 'plum' has no title"),
        (
            {"groups": {**GROUPS, "others": {"hall": "Hall"}}},
            "row 'hall' is in two groups: rooms, others",
        ),
        ({"columns": {"ann": "Ann", "envelope": ""}}, "column 'envelope' has no title"),
        (
            {"cell": lambda row, column: f"{row} {column}"},
            "expected a formula in row 'plum', column 'ann', got 'plum ann'",
        ),
        ({"codes": {"rope": "R"}}, "there is no row 'rope', named by its codes"),
        (
            {"paper": Paper({"first": {"R": "rope"}}, "", "ann")},
            "there is no row 'rope', named by its paper",
        ),
        (
            {"paper": Paper({"first": {"P": "plum"}}, "", "hidden")},
            "there is no column 'hidden', the goal of its paper",
        ),
    ],
)
def test_missing_parts_are_errors(changes: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"groups": GROUPS, "columns": COLUMNS, "paper": PAPER, **changes}
    if "groups" in changes or "columns" in changes:
        given.pop("paper")
    with pytest.raises(GameError, match=message) as caught:
        Layout(**given)
    assert isinstance(caught.value, ValueError)
