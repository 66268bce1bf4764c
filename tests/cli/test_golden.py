"""Whole games, line by line, as they were when somebody last looked at them."""

from __future__ import annotations

import pytest

from tests.support.golden import FOLDER, PLAYTHROUGHS, printed


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_playthroughs(name: str) -> None:
    """If a change is meant, `python -m tests.support.golden` writes the files anew."""
    expected = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert printed(PLAYTHROUGHS[name]) == expected


def test_there_are_no_other_golden_files() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(PLAYTHROUGHS)
