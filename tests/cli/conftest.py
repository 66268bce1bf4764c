"""A logged game for all tests of the commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.support import run


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the log of a small game of Cluedo, which tests only read."""
    file = tmp_path_factory.mktemp("logs") / "game.jsonl"
    run("play", "cluedo", "--players", "3", "--size", "3/3/4", "--seed", "5", "--log", file)
    return file
