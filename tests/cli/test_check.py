"""`symkripke check` and `symkripke puzzle` as people run them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from symkripke.cli import group
from symkripke.engines.base import BaseEngine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.bdd.sum_of_products import Description
from symkripke.errors import NoAnswerWithin
from symkripke.limits import current

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


def run(*arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(group, arguments, input=given)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "muddy.skp"
    path.write_text(MUDDY, encoding="utf-8")
    return str(path)


def test_check_goes_through_a_file(file: str) -> None:
    done = run("check", file)
    assert (done.exit_code, done.stdout) == (0, TOLD)


def test_a_pipe_is_a_session(file: str) -> None:
    done = run("check", "-", given=MUDDY)
    assert (done.exit_code, done.stdout) == (0, TOLD)


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


def test_why_names_the_lines(file: str) -> None:
    told = run("check", file, "--why").stdout
    assert "      1. not muddy(3) (line 5)\n" in told


def test_a_long_formula_is_repeated_without_its_middle(tmp_path: Path) -> None:
    numbers = ",".join(map(str, range(1, 301)))
    asked = f"VALID? [!XOR({numbers})] bob knows whether 1"
    path = tmp_path / "long.smcdel.txt"
    path.write_text(f"VARS {numbers}\nLAW Top\nOBS bob: 1\n{asked}\n", encoding="utf-8")
    told = run("check", str(path), "--no-count").stdout.rstrip("\n").splitlines()[-1]
    left_out = len(asked) - 320
    assert told == (f"yes  {asked[:160]} ... ({left_out:,} characters left out) ... {asked[-160:]}")
    # It is the same at the prompt, and whole in the data.
    session = run("check", "-", given=f"agents bob\nfluent q\nactual q\ntrue? {'q & ' * 200}q\n")
    assert "characters left out" in session.stdout
    found = json.loads(run("check", str(path), "--no-count", "--json").stdout)
    assert found["steps"][0]["text"] == asked
    # What is no longer than 400 characters is repeated in full.
    whole = f"true? {'q & ' * 98}q"
    session = run("check", "-", given=f"agents bob\nfluent q\nactual q\n{whole}\n")
    assert whole in session.stdout


def test_other_sizes(file: str) -> None:
    assert run("check", file, "--set", "n=5").stdout.startswith("31 worlds at the beginning\n")
    done = run("check", file, "--set", "m=5")
    assert done.exit_code == 1
    assert "unknown constant of the file 'm'; expected one of n" in done.stderr
    assert run("check", file, "--set", "n").exit_code == 2


@pytest.mark.parametrize("name", ["sat", "bdd", "smt", "explicit"])
def test_every_engine(file: str, name: str) -> None:
    done = run("check", file, "--engine", name)
    assert (done.exit_code, done.stdout) == (0, TOLD)


def test_no_count(file: str) -> None:
    told = run("check", file, "--no-count").stdout
    assert "now " not in told
    assert "2 worlds  where? K[1] muddy(1)" in told


def test_counts_only_while_that_is_cheap() -> None:
    """It says so, once; and `--count` counts in any case."""
    told = run("puzzle", "gossip", "--n", "6").stdout
    assert told.count("not counted: to count would take longer") == 1
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
    done = run("check", file, "--seconds", "0")
    assert (done.exit_code, done.stdout) == (3, "")
    assert done.stderr == f"Error: reading {file}: no answer within 0 seconds\n"


@pytest.mark.usefixtures("slow_engines")
def test_a_question_left_open_has_its_own_exit_code(tmp_path: Path) -> None:
    path = tmp_path / "hard.skp"
    path.write_text("agents a\nfluent p\nactual p\ntrue? K[a] p\ntrue? p\n", encoding="utf-8")
    done = run("check", str(path), "--seconds", "9", "--no-count")
    assert done.exit_code == 3
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
    done = run("check", str(path), "--seconds", "9")
    assert (done.exit_code, done.stdout) == (3, "")
    assert done.stderr.startswith(f"Error: {path}, line 1: it is left open whether the law allows")
    assert "no answer within 9 seconds" in done.stderr


@pytest.mark.usefixtures("slow_engines")
def test_counts_and_sheets_have_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "hard.skp"
    text = HARD.replace("announce", "actual p(1), p(3)\nannounce")
    path.write_text(f"{text}knows? a\nwhere? p(1)\n", encoding="utf-8")
    done = run("check", str(path), "--seconds", "9")
    assert done.exit_code == 3
    # Half of the time is for whether there is a world at all.
    assert done.stdout.count("not counted: no answer within 4.") == 2
    assert done.stdout.count("no answer  ") == 2
    assert run("check", str(path), "--seconds", "60").exit_code == 0


def test_a_puzzle_has_a_limit() -> None:
    done = run("puzzle", "cheryls_birthday", "--seconds", "0")
    assert done.exit_code == 3
    assert "no answer within 0 seconds" in done.stderr
    assert run("puzzle", "cheryls_birthday", "--seconds", "60").exit_code == 0


@pytest.mark.usefixtures("slow_engines")
def test_a_pipe_goes_on_after_a_limit() -> None:
    given = "agents a\nfluent p\nactual p\nvalid? p\n"
    done = run("check", "-", "--seconds", "9", "--no-count", given=given)
    assert done.exit_code == 3
    assert "no answer  valid? p" in done.stdout


def test_a_broken_file_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "broken.skp"
    path.write_text("agents a\nfluent p\nlaw p &\n", encoding="utf-8")
    done = run("check", str(path))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == (
        f"Error: {path}, line 3, column 8: expected a formula, got the end of the statement\n"
        "  law p &\n"
        "         ^\n"
    )


def test_a_log_is_no_problem(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    assert run("play", "old_maid", "--rules", "study", "--log", str(log)).exit_code == 0
    done = run("check", str(log))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == (
        f"Error: {log} is the log of a game, not a problem: `symkripke ask {log}` asks about it\n"
    )


def test_undo_list_and_save(tmp_path: Path) -> None:
    saved = tmp_path / "saved.skp"
    lines = [
        "agents a, b",
        "fluent p, q",
        "a sees p",
        "announce p | q",
        "valid? K[a] q",
        "announce ~p",
        "valid? K[a] q",
        "undo",
        "undo",
        "valid? K[a] q",
        "list",
        f"save {saved}",
        "quit",
        "announce ~q",
    ]
    done = run("check", "-", given="\n".join(lines) + "\n")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.count("no  valid? K[a] q") == 2
    assert done.stdout.count("yes  valid? K[a] q") == 1
    kept = [*lines[:5], lines[4]]
    assert saved.read_text(encoding="utf-8").splitlines() == kept
    assert run("check", str(saved)).exit_code == 0


def test_a_session_replaces_no_file_that_is_not_its_own(tmp_path: Path) -> None:
    kept = tmp_path / "kept.skp"
    kept.write_text("fluent mine", encoding="utf-8")
    refused = run("check", "-", given=f"fluent p\nsave {kept}\n")
    assert refused.exit_code == 1
    assert "is there already: choose another file, or replace it with --force" in refused.stderr
    assert kept.read_text(encoding="utf-8") == "fluent mine"
    again = f"fluent p\nsave --force {kept}\nfluent q\nsave {kept}\n"
    assert run("check", "-", given=again).exit_code == 0
    assert kept.read_text(encoding="utf-8") == "fluent p\nfluent q\n"


def test_undo_reaches_back_into_the_model() -> None:
    lines = ["fluent p", "law p", "valid? p", "undo", "undo", "law ~p", "valid? p"]
    done = run("check", "-", given="\n".join(lines) + "\n")
    assert done.exit_code == 0, done.stderr
    assert [
        line[:3] for line in done.stdout.splitlines() if "valid?" in line and "back" not in line
    ]
    assert "yes  valid? p" in done.stdout
    assert "no  valid? p" in done.stdout


def test_a_fault_in_a_session_changes_nothing() -> None:
    lines = [
        "fluent p",
        "actual p",
        "announce p",
        "announce ~p",
        "lwa p",
        "true? p",
        "undo",
        "undo",
    ]
    done = run("check", "-", given="\n".join([*lines, "undo", "undo", "undo"]) + "\n")
    assert done.exit_code == 1
    assert "line 4, column 1" in done.stderr
    assert "did you mean 'law'" in done.stderr
    assert "yes  true? p" in done.stdout
    assert "there is nothing to take back" in done.stderr


def test_why_in_a_session() -> None:
    given = "why\nagents a\nfluent p\nlaw p\nactual p\ntrue? K[a] p\nwhy\n"
    done = run("check", "-", given=given)
    assert "nothing has been answered with yes or no yet" in done.stderr
    assert done.stdout.endswith("  a knows that p. One fact proves it:\n    1. line 3: law p\n")


def test_a_session_in_json_is_an_object_a_line() -> None:
    done = run("check", "-", "--json", given="fluent p\nannounce p\nvalid? p\n")
    start, event, asked = map(json.loads, done.stdout.splitlines())
    assert start == {"worlds": 2}
    assert event["worlds"] == 1
    assert asked["holds"] is True


# ---- puzzles ----------------------------------------------------------------------------------


def test_puzzle_lists_and_tells() -> None:
    assert "muddy_children" in run("puzzle").stdout
    listed = json.loads(run("puzzle", "--json").stdout)
    assert {"name": "cheryls_birthday", "n": None}.items() <= listed[4].items()
    told = run("puzzle", "cheryls_birthday").stdout
    assert "it is in July, the day is 16" in told
    assert "now 3 worlds" in told


def test_puzzle_text_is_a_file_for_check(tmp_path: Path) -> None:
    path = tmp_path / "hats.skp"
    path.write_text(run("puzzle", "three_hats", "--text").stdout, encoding="utf-8")
    assert run("check", str(path), "--set", "n=4").exit_code == 0


def test_puzzle_errors() -> None:
    done = run("puzzle", "gossip", "--n", "2")
    assert done.exit_code == 1
    assert done.stderr == "Error: gossip takes 4 to 12 friends, got 2\n"
    assert "did you mean 'gossip'" in run("puzzle", "gosip").stderr
    found = json.loads(run("puzzle", "muddy_children", "--n", "6", "--json").stdout)
    assert [step["worlds"] for step in found["steps"] if step["kind"] == "event"] == [57, 42]


def test_a_fault_of_the_program_does_not_end_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("EB")

    monkeypatch.setattr("symkripke.problems.reader.Reader._ask_where", broken)
    done = run("check", "-", given="agents a\nfluent p\nwhere? p\nvalid? p -> p\nlist\n")
    assert done.exit_code == 1
    assert "a fault of the program, this line is left out (KeyError: 'EB')" in done.stderr
    assert "yes  valid? p -> p" in done.stdout
    assert "where?" not in done.stdout


@pytest.mark.parametrize(
    "text", ["agents a\nfluent p\nvalid? p -> p\n", "VARS 1\nLAW Top\nOBS a: 1\nVALID? 1 | ~1\n"]
)
def test_a_byte_order_mark_is_skipped(tmp_path: Path, text: str) -> None:
    path = tmp_path / "marked.txt"
    path.write_text("\ufeff" + text, encoding="utf-8")
    done = run("check", str(path))
    assert done.exit_code == 0, done.output
    assert "yes  " in done.stdout
    piped = run("check", "-", given="\ufeff" + text) if text.startswith("agents") else done
    assert piped.exit_code == 0, piped.output


def test_an_announcement_about_knowledge_rests_on_what_was_known(tmp_path: Path) -> None:
    """With it alone nothing is proved: that is said where it is a source."""
    path = tmp_path / "muddy.skp"
    path.write_text(
        "agents a, b\nfluent m(x) for x in agents\n"
        'law "one at least": m(a) | m(b)\n'
        "a sees m(b)\nb sees m(a)\nactual m(a), m(b)\n"
        "announce ~Kw[b] m(b)\ntrue? K[a] m(a)\n",
        encoding="utf-8",
    )
    done = run("check", str(path), "--why")
    assert "rests" not in done.stdout
    done = run("check", str(path), "--why", "--verbose")
    assert done.exit_code == 0, done.stderr
    assert "announce ~Kw[b] m(b) (it rests on all that was commonly known then)" in done.stdout


@pytest.mark.parametrize(
    ("law", "method"), [("p | q", "sums"), ("p & q | ~p & r", "diagram")], ids=["sums", "diagram"]
)
def test_verbose_says_how_probabilities_are_counted(law: str, method: str, tmp_path: Path) -> None:
    path = tmp_path / "chance.skp"
    path.write_text(f"agents a\nfluent p, q, r\na sees p\nlaw {law}\nactual p, q\nhow? P[a](q)\n")
    assert f"how? P[a](q)  (counted by {method}: " in run("check", str(path), "--verbose").output
    assert "counted by" not in run("check", str(path)).output
