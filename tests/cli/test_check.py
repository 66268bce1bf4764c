"""`symkripke check` and `symkripke puzzle` as people run them."""

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
from tests.cli.support import lines, run

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
def test_a_file_and_a_session_are_answered_by_every_engine(file: str, engine: str) -> None:
    assert run("check", file, "--engine", engine).stdout == TOLD
    assert run("check", "-", "--engine", engine, typed=MUDDY).stdout == TOLD


def test_other_sizes_and_nothing_counted(file: str) -> None:
    told = run("check", file, "--set", "n=5").stdout
    assert told.startswith("31 worlds at the beginning\n")
    told = run("check", file, "--no-count").stdout
    assert "now " not in told
    assert "2 worlds  where? K[1] muddy(1)" in told


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
    assert "      1. not muddy(3) (line 5)\n" in run("check", file, "--why").stdout
    # In a session it is an object a line.
    session = run("check", "-", "--json", typed="fluent p\nannounce p\nvalid? p\n").stdout
    start, event, asked = map(json.loads, session.splitlines())
    assert (start["worlds"], event["worlds"], asked["holds"]) == (2, 1, True)


def test_a_long_formula_is_repeated_without_its_middle(tmp_path: Path) -> None:
    numbers = ",".join(map(str, range(1, 301)))
    asked = f"VALID? [!XOR({numbers})] bob knows whether 1"
    path = tmp_path / "long.smcdel.txt"
    path.write_text(f"VARS {numbers}\nLAW Top\nOBS bob: 1\n{asked}\n", encoding="utf-8")
    told = run("check", str(path), "--no-count").stdout.rstrip("\n").splitlines()[-1]
    left_out = len(asked) - 320
    assert told == (f"yes  {asked[:160]} ... ({left_out:,} characters left out) ... {asked[-160:]}")
    # It is the same at the prompt, and whole in the data.
    session = run("check", "-", typed=f"agents bob\nfluent q\nactual q\ntrue? {'q & ' * 200}q\n")
    assert "characters left out" in session.stdout
    found = json.loads(run("check", str(path), "--no-count", "--json").stdout)
    assert found["steps"][0]["text"] == asked
    # What is no longer than 400 characters is repeated in full.
    whole = f"true? {'q & ' * 98}q"
    session = run("check", "-", typed=f"agents bob\nfluent q\nactual q\n{whole}\n")
    assert whole in session.stdout


def test_counts_only_while_that_is_cheap() -> None:
    """It says so, once; and `--count` counts in any case."""
    told = run("puzzle", "gossip", "--n", "6").stdout
    assert told.count("not counted: counting would take longer") == 1
    assert "  now " in told.partition("not counted")[0]
    assert "  now " not in told.partition("not counted")[2]
    assert told.count("yes  true?") == 3
    counted = run("puzzle", "gossip", "--n", "5", "--count").stdout
    assert "not counted" not in counted


@pytest.fixture
def slow_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines that never answer within ten seconds; all else takes no time."""

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


def test_reading_has_a_limit(file: str) -> None:
    done = run("check", file, "--seconds", "0", code=3)
    assert done.stdout == ""
    assert done.stderr == f"Error: reading {file}: no answer within 0 seconds\n"


@pytest.mark.usefixtures("slow_engines")
def test_a_question_left_open_has_its_own_exit_code(tmp_path: Path) -> None:
    """In a file and in a session."""
    path = tmp_path / "hard.skp"
    path.write_text("agents a\nfluent p\nactual p\ntrue? K[a] p\ntrue? p\n", encoding="utf-8")
    limited = ("--seconds", "9", "--no-count")
    for done in (
        run("check", path, *limited, code=3),
        run("check", "-", *limited, typed=path.read_text(), code=3),
    ):
        assert "no answer  true? K[a] p" in done.stdout


HARD = """\
agents a
fluent p(i) for i in 1..3
law p(1) | p(2)
announce p(3)
"""


@pytest.mark.usefixtures("slow_engines")
@pytest.mark.parametrize("events", ["", "announce ~Kw[a] p(1)\n"])
def test_the_start_and_events_have_the_limit_of_their_own(events: str, tmp_path: Path) -> None:
    path = tmp_path / "hard.skp"
    path.write_text(HARD + events, encoding="utf-8")
    done = run("check", path, "--seconds", "9", code=3)
    assert done.stdout == ""
    assert done.stderr.startswith(f"Error: {path}, line 1: no answer to whether the law allows")
    assert "no answer within 9 seconds" in done.stderr


@pytest.mark.usefixtures("slow_engines")
def test_counts_and_sheets_have_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "hard.skp"
    text = HARD.replace("announce", "actual p(1), p(3)\nannounce")
    path.write_text(f"{text}knows? a\nwhere? p(1)\n", encoding="utf-8")
    done = run("check", path, "--seconds", "9", code=3)
    # Half of the time is for whether there is a world at all.
    assert done.stdout.count("not counted: no answer within 4.") == 2
    assert done.stdout.count("no answer  ") == 2


def test_a_broken_file_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "broken.skp"
    path.write_text("agents a\nfluent p\nlaw p &\n", encoding="utf-8")
    done = run("check", path, code=1)
    assert done.stderr == (
        f"Error: {path}, line 3, column 8: expected a formula, got the end of the statement\n"
        "  law p &\n"
        "         ^\n"
    )


def test_undo_list_and_save(tmp_path: Path) -> None:
    """Undo reaches back into the model; a session replaces no file that is not its own."""
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


def test_a_fault_in_a_session_changes_nothing() -> None:
    typed = ["why", "fluent p", "actual p", "announce p", "announce ~p", "lwa p", "true? p", "why"]
    done = run("check", "-", typed=lines([*typed, *["undo"] * 5]), code=1)
    assert "no question has been answered with yes or no yet" in done.stderr
    assert "line 4, column 1" in done.stderr
    assert "did you mean 'law'" in done.stderr
    assert "yes  true? p" in done.stdout
    assert "  p: this is the case" in done.stdout
    assert "there is nothing to undo" in done.stderr


# ---- puzzles ----------------------------------------------------------------------------------


def test_puzzle_lists_and_tells() -> None:
    assert "muddy_children" in run("puzzle").stdout
    listed = json.loads(run("puzzle", "--json").stdout)
    assert {"name": "cheryls_birthday", "n": None}.items() <= listed[4].items()
    told = run("puzzle", "cheryls_birthday").stdout
    assert "it is in July, the day is 16" in told
    assert "now 3 worlds" in told
    found = json.loads(run("puzzle", "muddy_children", "--n", "6", "--json").stdout)
    assert [step["worlds"] for step in found["steps"] if step["kind"] == "event"] == [57, 42]


def test_puzzle_text_is_a_file_for_check(tmp_path: Path) -> None:
    path = tmp_path / "hats.skp"
    path.write_text(run("puzzle", "three_hats", "--text").stdout, encoding="utf-8")
    run("check", path, "--set", "n=4")


def test_a_fault_of_the_program_does_not_end_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("EB")

    monkeypatch.setattr("symkripke.problems.reader.Reader._ask_where", broken)
    done = run("check", "-", typed="agents a\nfluent p\nwhere? p\nvalid? p -> p\nlist\n", code=1)
    assert "a bug in this program; the line is skipped (KeyError: 'EB')" in done.stderr
    assert "yes  valid? p -> p" in done.stdout
    assert "where?" not in done.stdout


@pytest.mark.parametrize(
    "text", ["agents a\nfluent p\nvalid? p -> p\n", "VARS 1\nLAW Top\nOBS a: 1\nVALID? 1 | ~1\n"]
)
def test_a_byte_order_mark_is_skipped(tmp_path: Path, text: str) -> None:
    path = tmp_path / "marked.txt"
    path.write_text("\ufeff" + text, encoding="utf-8")
    done = run("check", str(path))
    assert "yes  " in done.stdout
    if text.startswith("agents"):
        run("check", "-", typed="\ufeff" + text)


@pytest.mark.parametrize(
    ("law", "method"), [("p | q", "sums"), ("p & q | ~p & r", "diagram")], ids=["sums", "diagram"]
)
def test_verbose_says_how_probabilities_are_counted(law: str, method: str, tmp_path: Path) -> None:
    path = tmp_path / "chance.skp"
    path.write_text(f"agents a\nfluent p, q, r\na sees p\nlaw {law}\nactual p, q\nhow? P[a](q)\n")
    assert f"how? P[a](q)  (counted by {method}: " in run("check", str(path), "--verbose").output
    assert "counted by" not in run("check", str(path)).output


def test_an_announcement_about_knowledge_rests_on_what_was_known(tmp_path: Path) -> None:
    """With it alone nothing is proved: that is said where it is a source."""
    path = tmp_path / "muddy.skp"
    model = MUDDY.partition("true?")[0]
    path.write_text(f"{model}true? K[1] muddy(1)\n", encoding="utf-8")
    assert "rests" not in run("check", path, "--why").stdout
    told = run("check", path, "--why", "--verbose").stdout
    assert "(it depends on everything that was common knowledge then)" in told
    assert "(engine: " in told
