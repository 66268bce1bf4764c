"""`--seconds` and `--memory`, which apply to every command that computes, in the same way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from symkripke import process_memory
from symkripke.cli import UNANSWERED
from symkripke.errors import OutOfMemory
from symkripke.language.reduction import reduce_announcements
from symkripke.limits import Limit, within
from symkripke.play import Moment
from symkripke.problems.problem import Question
from symkripke.problems.reader import read
from tests.cli.support import run

MODEL = "agents a, b\nfluent p, q\na sees p\nactual p\n"


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patch the clock to advance one second per reading, so all work is slow."""
    now = 0.0

    def monotonic() -> float:
        nonlocal now
        now += 1.0
        return now

    monkeypatch.setattr("symkripke.limits.time.monotonic", monotonic)


COMMANDS: dict[str, Callable[[Path, Path], tuple[Any, ...]]] = {
    "ask": lambda log, _: ("ask", log, "K[scarlett] at(dagger, envelope)"),
    "sheet": lambda log, _: ("sheet", log, "--player", "scarlett"),
    "odds": lambda log, _: ("odds", log, "--player", "scarlett"),
    "sample": lambda log, _: ("sample", log, "--player", "scarlett"),
    "suggest": lambda log, _: ("suggest", log, "--player", "scarlett"),
    "who": lambda log, _: ("who", log),
    "review": lambda log, _: ("review", log),
    "export": lambda log, _: ("export", log, "true", "--format", "qdimacs"),
    "check": lambda _, file: ("check", file),
    "puzzle": lambda *_: ("puzzle", "muddy_children", "--n", "3"),
    "convert": lambda _, file: ("convert", file.with_suffix(".txt")),
    "play": lambda *_: ("play", "cluedo", "--seed", "1"),
    "simulate": lambda *_: ("simulate", "cluedo", "--games", "1", "--workers", "1"),
    "begin": lambda _, file: (
        *("begin", "cluedo", file.with_suffix(".jsonl"), "--players", "3", "--size", "3/3/4"),
        *("--player", "scarlett", "--holds", "dagger,white,ballroom"),
    ),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / "a.skp"
    found.write_text(MODEL + "valid? K[a] p\n")
    found.with_suffix(".txt").write_text("VARS 1,2\nLAW Top\nOBS a: 1\nVALID? 1\n")
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_that_computes_has_limits(
    command: str, log: Path, file: Path, slow: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reached limit gives one line that names the limit, and exit code 3."""
    words = COMMANDS[command](log, file)
    assert run(*words, "--seconds", "3", code=UNANSWERED).output.count("within 3 seconds") == 1
    monkeypatch.setattr("symkripke.process_memory.resident", lambda: 2_000_000_001)
    more = ("--seconds", "1000000")
    assert "no answer within 2 GB of memory" in run(*words, *more, code=UNANSWERED).output


def test_more_memory_can_be_allowed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symkripke.process_memory.resident", lambda: 3_000_000_000)
    for enough in ("4GB", "3.5 gb", "3GiB", "none"):
        run("check", file, "--memory", enough)
    for less in ("500MB", "2GiB", "1kB"):
        run("check", file, "--memory", less, code=UNANSWERED)
    for wrong in ("4", "much", "-1GB", "4 XB", ""):
        result = run("check", file, "--memory", wrong, code=2)
        assert "expected an amount like 2GB" in result.output


@pytest.mark.parametrize("command", [("sheet", "--player", "ann"), ("check",)])
def test_a_file_larger_than_the_memory_limit_is_not_read(command: tuple[str, ...]) -> None:
    name, *options = command
    memory = f"{process_memory.resident() // 1000 + 30_000}kB"
    result = run(name, "/dev/zero", *options, "--memory", memory, code=UNANSWERED)
    assert "no answer within" in result.output


def test_a_failed_allocation_of_memory(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def valid(self: Any, *_: Any) -> Any:
        raise MemoryError("Unable to allocate 16.0 GiB for an array with shape (1, 2)")

    monkeypatch.setattr("symkripke.engines.auto.AutoEngine.valid", valid)
    assert "the system is out of memory" in run("check", file, code=UNANSWERED).output


def test_an_unanswered_question_is_left_open_and_the_next_one_is_asked(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory limits behave like time limits."""
    asked = 0

    def valid(self: Any, *_: Any) -> Any:
        nonlocal asked
        asked += 1
        raise OutOfMemory(2_000_000_000)

    monkeypatch.setattr("symkripke.engines.auto.AutoEngine.valid", valid)
    file.write_text(MODEL + "valid? p\nvalid? q\n")
    result = run("check", file, code=UNANSWERED)
    assert asked == 2
    assert result.output.count("no answer within 2 GB of memory") == 2


def test_a_prompt_continues_after_a_limit(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An input line that exceeds the limits gives an error for that line only."""
    real, refused = Moment.ask, [OutOfMemory(2_000_000_000)]

    def first_is_refused(*given: Any, **more: Any) -> Any:
        if refused:
            raise refused.pop()
        return real(*given, **more)

    monkeypatch.setattr(Moment, "ask", first_is_refused)
    result = run("ask", log, typed="true & true\ntrue\n", code=UNANSWERED)
    assert "no answer within 2 GB of memory" in result.output
    assert result.output.splitlines()[-1].startswith("yes  true")


@pytest.mark.parametrize(
    "asked",
    [
        "valid? " + "[!K[a] p] " * 300 + "p",
        "fluent x, y in 1..1000000\nlaw x * y = 999999\nvalid? x = 1",
        "define d0 = p | q\n"
        + "\n".join(f"define d{n + 1} = d{n} | (d{n} & K[a] d{n})" for n in range(18))
        + "\nvalid? d18",
        "valid? " + " & ".join(["P[a](p) >= 1/2"] * 1000),
    ],
)
def test_long_inputs_check_the_limit_often(
    asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parsing, expanding and rewriting check the clock regularly."""

    class Enough(Exception):
        pass

    looks = 0

    def check(self: Limit) -> None:
        nonlocal looks
        looks += 1
        if looks == 20:
            raise Enough

    monkeypatch.setattr(Limit, "check", check)

    def work() -> None:
        problem = read(f"agents a\nfluent p, q\n{asked}\n")
        *_, last = problem.steps
        assert isinstance(last, Question)
        if "!" in asked:
            reduce_announcements(last.formula, problem.structure.fluents)

    with within(seconds=1), pytest.raises(Enough):
        work()
