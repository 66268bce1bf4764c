"""The benchmark of memory: it asks questions of all kinds, and sees memory that grows."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import memory as memory_benchmark
from benchmarks.__main__ import main
from benchmarks.memory import growth
from benchmarks.mixture import KINDS

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="sizes of processes from /proc"
)


def test_questions_of_all_kinds_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter(range(200_000_000, 300_000_000))
    monkeypatch.setattr(memory_benchmark, "resident", lambda: next(sizes))
    result = CliRunner().invoke(main, ["memory", "--questions", "400", "--fresh", "100"])
    assert result.exit_code == 0, result.output
    assert all(kind in result.output for kind in KINDS)


def test_memory_that_grows_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter(range(200_000_000, 300_000_000, 1_000_000))
    monkeypatch.setattr(memory_benchmark, "resident", lambda: next(sizes))
    result = CliRunner().invoke(main, ["memory", "--questions", "80", "--fresh", "1000"])
    assert result.exit_code == 1
    assert "memory grows by 1000000.0 KB in 1,000 questions, more than 100" in result.output


def test_growth_is_that_after_the_first_quarter() -> None:
    start = [(number * 1_000, number * 50_000_000) for number in range(3)]
    later = [(number * 1_000, 150_000_000 + number * 30_000) for number in range(3, 13)]
    assert growth([*start, *later]) == pytest.approx(30.0)
