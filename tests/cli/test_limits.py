"""`--seconds` and `--memory` hold for every command that computes, and mean the same everywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from symkripke import process_memory
from symkripke.cli import UNANSWERED, group
from symkripke.errors import OutOfMemory

MODEL = "agents a, b\nfluent p, q\na sees p\nactual p\n"


def run(*arguments: str | Path, code: int = 0, typed: str = "") -> Result:
    result = CliRunner().invoke(group, [str(argument) for argument in arguments], input=typed)
    assert result.exit_code == code, result.output
    return result


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("logs") / "game.jsonl"
    run("play", "cluedo", "--players", "3", "--size", "3/3/4", "--seed", "5", "--log", file)
    return file


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that goes on by a second with every look at it: all work is long."""
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
def test_every_command_that_computes_stops(command: str, log: Path, file: Path, slow: None) -> None:
    """With the exit code 3 and one line that says in which time."""
    result = run(*COMMANDS[command](log, file), "--seconds", "3", code=UNANSWERED)
    told = [line for line in result.output.splitlines() if "no answer within 3 seconds" in line]
    assert len(told) == 1, result.output


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_that_computes_has_2_gigabytes(
    command: str, log: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("symkripke.process_memory.resident", lambda: 2_000_000_001)
    result = run(*COMMANDS[command](log, file), code=UNANSWERED)
    assert "no answer within 2 GB of memory" in result.output


def test_more_memory_can_be_allowed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symkripke.process_memory.resident", lambda: 3_000_000_000)
    for enough in ("4GB", "3.5 gb", "3GiB", "none"):
        run("check", file, "--memory", enough)
    for less in ("500MB", "2GiB", "1kB"):
        run("check", file, "--memory", less, code=UNANSWERED)
    for wrong in ("4", "much", "-1GB", "4 XB", ""):
        result = run("check", file, "--memory", wrong, code=2)
        assert "expected an amount like 2GB" in result.output


def test_a_review_makes_no_array_for_which_there_is_no_room(tmp_path: Path) -> None:
    """The whole game: its largest arrays take 250 MB beside each other."""
    log = tmp_path / "whole.jsonl"
    run("play", "cluedo", "--players", "6", "--seed", "7", "--log", log)
    room = process_memory.resident() + 60_000_000
    result = run("review", log, "--brief", "--memory", f"{room // 1000}kB", code=UNANSWERED)
    assert "no answer within" in result.output


@pytest.mark.parametrize("command", [("sheet", "--player", "ann"), ("check",)])
def test_a_file_larger_than_the_memory_is_not_read(command: tuple[str, ...]) -> None:
    name, *options = command
    memory = f"{process_memory.resident() // 1000 + 30_000}kB"
    result = run(name, "/dev/zero", *options, "--memory", memory, code=UNANSWERED)
    assert "no answer within" in result.output


def test_memory_that_the_system_does_not_give(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def valid(self: Any, *_: Any) -> Any:
        raise MemoryError("Unable to allocate 16.0 GiB for an array with shape (1, 2)")

    monkeypatch.setattr("symkripke.engines.auto.AutoEngine.valid", valid)
    result = run("check", file, code=UNANSWERED)
    assert "the system gives no more memory" in result.output


def test_a_question_without_an_answer_is_left_open_and_the_next_one_is_asked(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it is with memory as with time."""
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


@pytest.mark.parametrize("prompt", ["check", "ask"])
def test_a_prompt_goes_on(prompt: str, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is typed and not done within the limits is an error of that line."""
    lines = {"check": MODEL + "valid? p\nvalid? p | ~p\n", "ask": "true & true\ntrue\n"}[prompt]
    commands: dict[str, tuple[str | Path, ...]] = {"check": ("check", "-"), "ask": ("ask", log)}
    command = commands[prompt]
    whole = run(*command, typed=lines)
    home = {
        "check": "symkripke.engines.auto.AutoEngine.valid",
        "ask": "symkripke.play.moment.Moment.ask",
    }[prompt]
    module, _, name = home.rpartition(".")
    package, _, kind = module.rpartition(".")
    real = getattr(getattr(__import__(package, fromlist=[kind]), kind), name)
    refused = 0

    def first_is_refused(*given: Any, **more: Any) -> Any:
        nonlocal refused
        refused += 1
        if refused == 1:
            raise OutOfMemory(2_000_000_000)
        return real(*given, **more)

    monkeypatch.setattr(home, first_is_refused)
    result = run(*command, typed=lines, code=UNANSWERED)
    assert "no answer within 2 GB of memory" in result.output
    assert result.output.splitlines()[-1] == whole.output.splitlines()[-1]


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
def test_what_is_long_to_read_is_looked_at_often(
    asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading, expanding and rewriting look at the clock again and again."""
    from symkripke.language.reduction import reduce_announcements
    from symkripke.limits import Limit
    from symkripke.problems.problem import Question
    from symkripke.problems.reader import read

    class Enough(Exception):
        pass

    looks = 0

    def check(self: Limit) -> None:
        nonlocal looks
        looks += 1
        if looks == 20:
            raise Enough

    monkeypatch.setattr(Limit, "check", check)
    from symkripke.limits import within

    def work() -> None:
        problem = read(f"agents a\nfluent p, q\n{asked}\n")
        *_, last = problem.steps
        assert isinstance(last, Question)
        if "!" in asked:
            reduce_announcements(last.formula, problem.structure.fluents)

    with within(seconds=1), pytest.raises(Enough):
        work()
