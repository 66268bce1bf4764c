"""`symkripke check` and `symkripke puzzle` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from symkripke.engines.base import BaseEngine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.bdd.sum_of_products import Description
from symkripke.errors import NoAnswerWithin
from symkripke.limits import current
from tests.cli.support import lines, run, unmet

MUDDY = """\
let n = 3
agents 1..n
fluent muddy(c) for c in agents
law "the father said so": atleast(1; muddy(c) for c in agents)
for c in agents: c sees muddy(d) for d in agents if d != c
actual muddy(1), muddy(2)
announce forall c in agents: ~Kw[c] muddy(c)  -- nobody knows
true? K[1] muddy(1) &
  K[2] muddy(2)
where? K[1] muddy(1)
knows? 3
"""

TOLD = """\
7 worlds at the beginning
announce forall c in agents: ~Kw[c] muddy(c)  now 4 worlds
yes  true? K[1] muddy(1) & K[2] muddy(2)
2 worlds  where? K[1] muddy(1)
  where ~muddy(2) | ~muddy(3)
  muddy(1), muddy(3)
  muddy(1), muddy(2)
knows? 3
  muddy(1): yes
  muddy(2): yes
  muddy(3): open
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "muddy.skp"
    path.write_text(MUDDY, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("engine", ["auto", "sat", "bdd", "smt", "explicit"])
def test_every_engine_answers_a_file_and_a_session(file: str, engine: str) -> None:
    assert run("check", file, "--engine", engine).stdout == TOLD
    assert run("check", "-", "--engine", engine, typed=MUDDY).stdout == TOLD


CHANCE = "agents a\nfluent p, q, r\na sees p\nlaw {}\nactual p, q\nhow? P[a](q)\n"
MODEL = "agents a\nfluent p\nactual p\n"
ALIKE = "q & " * 200
NUMBERS = ",".join(map(str, range(1, 301)))
LONG = f"VALID? [!XOR({NUMBERS})] a knows whether 1"
MANY = f"VARS {','.join(map(str, range(20_000)))}\nLAW Top\nOBS a: 1\n"
BROKEN = """\
Error: FILE, line 3, column 8: expected a formula, got the end of the statement
  law p &
         ^
"""

# A text, options, the exit code, the expected parts of the output, and after None unexpected parts.
SAID: tuple[tuple[str, str, int, tuple[str | None, ...]], ...] = (
    (MUDDY, "--set n=5", 0, ("31 worlds at the beginning\n",)),
    (MUDDY, "--no-count", 0, ("2 worlds  where? K[1] muddy(1)", None, "now ")),
    (MUDDY, "--why", 0, ("      1. not muddy(3) (line 5)\n", None, "rests")),
    # Announcements about knowledge alone need no proof.
    (
        MUDDY,
        "--why --verbose",
        0,
        ("(it depends on everything that was common knowledge then)", "(engine: "),
    ),
    (MUDDY, "--seconds 0", 3, ("Error: reading FILE: no answer within 0 seconds\n",)),
    (CHANCE.format("p | q"), "--verbose", 0, ("how? P[a](q)  (counted by sums: ",)),
    (CHANCE.format("p & q | ~p & r"), "--verbose", 0, ("(counted by diagram: ",)),
    (CHANCE.format("p | q"), "", 0, (None, "counted by")),
    ("agents a\nfluent p\nlaw p &\n", "", 1, (BROKEN,)),
    ("\ufeffagents a\nfluent p\nvalid? p -> p\n", "", 0, ("yes  ",)),
    ("\ufeffVARS 1\nLAW Top\nOBS a: 1\nVALID? 1 | ~1\n", "", 0, ("yes  ",)),
    # Formulas longer than 400 characters lose their middle in the text output, but not in the data.
    (f"{MODEL}true? {'p & ' * 98}p\n", "", 0, (f"true? {'p & ' * 98}p", None, "left out")),
    (f"{MODEL}true? {'p & ' * 99}p\n", "", 0, ("(83 characters left out)",)),
    (
        f"VARS {NUMBERS}\nLAW Top\nOBS a: 1\n{LONG}\n",
        "--no-count",
        0,
        (f"yes  {LONG[:160]} ... ({len(LONG) - 320:,} characters left out) ... {LONG[-160:]}\n",),
    ),
    (f"VARS {NUMBERS}\nLAW Top\nOBS a: 1\n{LONG}\n", "--no-count --json", 0, (LONG,)),
    (MANY, "", 0, ("about 10^6020 worlds at the beginning\n",)),
    (MANY, "--json", 0, ('"worlds": "about 10^6020"',)),
)


@pytest.mark.parametrize(("text", "options", "code", "says"), SAID)
def test_messages_about_a_file(
    text: str, options: str, code: int, says: tuple[str | None, ...], tmp_path: Path
) -> None:
    path = tmp_path / "some.txt"
    path.write_text(text, encoding="utf-8")
    output = run("check", path, *options.split(), code=code).output
    assert unmet(output.replace(str(path), "FILE"), says) == []


def test_json(file: str) -> None:
    found = json.loads(run("check", file, "--json", "--why").stdout)
    assert found["start"] == {"worlds": 7}
    announced, asked, where, knows = found["steps"]
    assert (announced["kind"], announced["line"], announced["worlds"]) == ("event", 7, 4)
    assert (asked["kind"], asked["line"], asked["holds"]) == ("true", 8, True)
    assert asked["why"]["kind"] == "combined"
    assert where["where"] == "~muddy(2) | ~muddy(3)"
    assert where["first"][0] == {"muddy(1)": "true", "muddy(2)": "false", "muddy(3)": "true"}
    assert knows["knows"] == {"muddy(1)": "yes", "muddy(2)": "yes", "muddy(3)": "open"}
    # In a session, each line is a JSON object.
    session = run("check", "-", "--json", typed="fluent p\nannounce p\nvalid? p\n").stdout
    start, event, asked = map(json.loads, session.splitlines())
    assert (start["worlds"], event["worlds"], asked["holds"]) == (2, 1, True)


def test_worlds_are_counted_only_while_that_is_cheap() -> None:
    """A note says so once; `--count` forces counting."""
    told = run("puzzle", "gossip", "--n", "6").stdout
    assert told.count("not counted: counting would take longer") == 1
    assert "  now " in told.partition("not counted")[0]
    assert "  now " not in told.partition("not counted")[2]
    assert told.count("yes  true?") == 3
    counted = run("puzzle", "gossip", "--n", "5", "--count").stdout
    assert "not counted" not in counted


@pytest.fixture
def slow_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patch the engines to run out of any limit below ten seconds, without taking time."""

    def too_slow(*_: object) -> None:
        limit = current()
        if limit is not None and limit.seconds is not None and limit.seconds < 10:
            raise NoAnswerWithin(limit.seconds)

    monkeypatch.setattr(BaseEngine, "_check_changes", too_slow)
    describe = BddEngine.describe

    def described(*arguments: Any, **options: Any) -> Description:
        too_slow()
        return describe(*arguments, **options)

    monkeypatch.setattr(BddEngine, "describe", described)


HARD = """\
agents a
fluent p(i) for i in 1..3
law p(1) | p(2)
announce p(3)
"""
ASKED = HARD.replace("announce", "actual p(1), p(3)\nannounce") + "knows? a\nwhere? p(1)\n"
OPEN = f"{MODEL}true? K[a] p\ntrue? p\n"
LEFT_OPEN = ("Error: FILE, line 1: no answer to whether the law allows", "within 3 seconds")


@pytest.mark.usefixtures("slow_engines")
@pytest.mark.parametrize(
    ("text", "options", "says"),
    [
        (OPEN, "--no-count", ("no answer  true? K[a] p",)),
        (HARD, "", LEFT_OPEN),
        (f"{HARD}announce ~Kw[a] p(1)\n", "", LEFT_OPEN),
        # Half of the time is reserved for finding out whether there is a world at all.
        (
            ASKED,
            "",
            ("not counted: no answer within 1.", "no answer  knows? a", "no answer  where?"),
        ),
    ],
)
def test_each_step_has_its_own_limit(
    text: str, options: str, says: tuple[str, ...], tmp_path: Path
) -> None:
    """Unanswered questions have an exit code of their own, in files and in sessions."""
    path = tmp_path / "hard.skp"
    path.write_text(text, encoding="utf-8")
    limited = ("--seconds", "3", *options.split())
    done = run("check", path, *limited, code=3)
    assert unmet(done.output.replace(str(path), "FILE"), says) == []
    assert (done.stdout == "") == (says is LEFT_OPEN)
    if text == OPEN:
        assert unmet(run("check", "-", *limited, typed=text, code=3).stdout, says) == []


def test_undo_list_and_save(tmp_path: Path) -> None:
    """Undo also removes lines of the model; a session overwrites no file that it did not write."""
    saved, other = tmp_path / "saved.skp", tmp_path / "other.skp"
    other.write_text("fluent mine")
    model = ["agents a, b", "fluent p, q", "a sees p", "law q", "announce p | q", "valid? q"]
    typed = [*model, "undo", "undo", "undo", "law ~q", "valid? q", "list", f"save {other}"]
    typed += ["valid? ~q", "undo", f"save {saved}", "save", f"save {saved}", "quit", "announce ~q"]
    done = run("check", "-", typed=lines(typed), code=1)
    assert "yes  valid? q" in done.stdout
    assert "no  valid? q" in done.stdout
    assert "already exists: choose another file, or replace it with --force" in done.stderr
    assert other.read_text() == "fluent mine"
    assert saved.read_text().splitlines() == [*model[:3], "law ~q", "valid? q"]
    run("check", saved)
    run("check", "-", typed=f"fluent p\nsave --force {other}\n")
    assert other.read_text() == "fluent p\n"


@pytest.mark.parametrize(
    ("typed", "code", "says"),
    [
        (("\ufeffagents a", "fluent p", "valid? p -> p"), 0, ("yes  ",)),
        (("why",), 1, ("no question has been answered with yes or no yet",)),
        # A faulty line changes nothing.
        (
            ("fluent p", "actual p", "announce p", "announce ~p", "lwa p", "true? p", "why"),
            1,
            ("line 4, column 1", "did you mean 'law'", "yes  true? p", "  p: this is the case"),
        ),
        (("fluent p", *["undo"] * 2), 1, ("there is nothing to undo",)),
        (("agents a", "fluent q", f"valid? {ALIKE}q"), 0, ("characters left out",)),
    ],
)
def test_messages_in_a_session(typed: tuple[str, ...], code: int, says: tuple[str, ...]) -> None:
    assert unmet(run("check", "-", typed=lines(typed), code=code).output, says) == []


# ---- puzzles ----------------------------------------------------------------------------------


def test_puzzles_as_json() -> None:
    listed = json.loads(run("puzzle", "--json").stdout)
    assert {"name": "cheryls_birthday", "n": None}.items() <= listed[4].items()
    found = json.loads(run("puzzle", "muddy_children", "--n", "6", "--json").stdout)
    assert [step["worlds"] for step in found["steps"] if step["kind"] == "event"] == [63, 57, 42]


def test_puzzle_text_is_a_file_for_check(tmp_path: Path) -> None:
    path = tmp_path / "hats.skp"
    path.write_text(run("puzzle", "three_hats", "--text").stdout, encoding="utf-8")
    run("check", path, "--set", "n=4")


def test_a_bug_in_the_program_does_not_end_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("EB")

    monkeypatch.setattr("symkripke.problems.reader.Reader._ask_where", broken)
    done = run("check", "-", typed="agents a\nfluent p\nwhere? p\nvalid? p -> p\nlist\n", code=1)
    assert "a bug in this program; the line is skipped (KeyError: 'EB')" in done.stderr
    assert "yes  valid? p -> p" in done.stdout
    assert "where?" not in done.stdout
