"""The command that looks back over a game."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from symkripke.cli import group
from symkripke.errors import BudgetExceeded
from symkripke.play import Record
from symkripke.play.review import Reviewing, review
from symkripke.play.review.page import page


def run(*arguments: str | Path | int, code: int = 0) -> Result:
    result = CliRunner().invoke(group, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("logs") / "game.jsonl"
    run("play", "cluedo", "--players", "3", "--size", "3/3/4", "--seed", "5", "--log", file)
    return file


def test_it_prints_what_the_review_says(log: Path) -> None:
    told = review(Record.read(log))
    assert json.loads(run("review", log, "--json").stdout) == json.loads(json.dumps(told.data()))
    printed = run("review", log).stdout
    for line in str(told).splitlines():
        assert line in printed
    brief = run("review", log, "--brief").stdout
    assert all(f"  {sentence}.\n" in brief for sentence in told.story)
    assert "turn 1:" not in brief
    assert "\x1b" not in printed


def test_the_chart_is_as_wide_as_it_may_be(log: Path) -> None:
    told = review(Record.read(log))
    for width in (40, 60, 100):
        lines = run("review", log, "--brief", "--width", width).stdout.splitlines()
        rows = [line for line in lines if re.search(r"[▁▂▃▄▅▆▇█]", line)]
        assert len(rows) == 3
        assert max(map(len, rows)) <= width
        bars = [re.sub(r"[^▁▂▃▄▅▆▇█]", "", row) for row in rows]
        assert len({len(bar) for bar in bars}) == 1
        for player, row in zip(told.charted, rows, strict=True):
            assert row.split()[0] == told.titles[player]
            assert (row.split()[1], row.split()[-1]) == (
                f"{told.series(player)[0]}",
                f"{told.series(player)[-1]}",
            )


def test_sentences_instead_of_a_chart(log: Path) -> None:
    plain = run("review", log, "--brief", "--plain").stdout
    assert not re.search(r"[▁▂▃▄▅▆▇█]", plain)
    told = review(Record.read(log))
    for player in told.charted:
        start = f"{told.series(player)[0]} at the start"
        assert re.search(f"  {told.titles[player]}: {start}, ", plain)


def test_files_are_written_and_not_replaced_unasked(log: Path, tmp_path: Path) -> None:
    picture, whole = tmp_path / "chart.svg", tmp_path / "review.html"
    run("review", log, "--brief", "--svg", picture, "--html", whole)
    assert ElementTree.fromstring(picture.read_text()).tag.endswith("svg")
    assert whole.read_text() == page(review(Record.read(log)))
    assert "is there already" in run("review", log, "--svg", picture, code=1).stderr
    run("review", log, "--svg", picture, "--force")


def test_one_player_and_some_turns(log: Path) -> None:
    told = json.loads(run("review", log, "--player", "Mustard", "--turns", "2-3", "--json").stdout)
    assert told["reviewed"] == ["mustard"]
    assert {event["turn"] for event in told["events"]} == {2, 3}
    one = json.loads(run("review", log, "--turns", "2", "--json").stdout)
    assert {event["turn"] for event in one["events"]} == {2}


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--player", "plumm"), 1, "unknown player 'plumm'"),
        (("--turns", "x"), 2, "expected turns like 3-12"),
        (("--turns", "5-2"), 2, "A not after B"),
        (("--turns", "900"), 1, "expected turns up to"),
        (("--weighting", "bayse"), 1, "did you mean"),
        (("--width", "3"), 2, "is not in the range"),
        (("--html", ""), 2, "expected a path"),
        (("--svg", "nowhere/at/all.svg"), 1, "cannot write"),
        (("--seconds", "-1"), 2, "is not in the range"),
    ],
)
def test_wrong_words_get_one_clear_error(
    log: Path, arguments: Sequence[str], code: int, told: str
) -> None:
    result = run("review", log, *arguments, code=code)
    assert told in result.stderr
    assert len(result.stderr.strip().splitlines()) <= 4
    assert not result.stdout


def test_faulty_logs(log: Path, tmp_path: Path) -> None:
    lines = log.read_text().splitlines()
    cut = tmp_path / "cut.jsonl"
    cut.write_text("\n".join(lines)[:-20])
    assert "the last line is cut off" in run("review", cut, code=1).stderr
    missing = tmp_path / "missing.jsonl"
    missing.write_text("\n".join((*lines[:3], *lines[4:])) + "\n")
    told = json.loads(run("review", missing, "--json").stdout)
    assert len(told["events"]) == 1
    assert f"{missing}, line 4" in told["notes"][0]
    open_game = tmp_path / "open.jsonl"
    open_game.write_text("\n".join(lines[:4]) + "\n")
    assert "The game is not finished: turn 2" in run("review", open_game).stdout
    started = tmp_path / "started.jsonl"
    started.write_text("\n".join(lines[:2]) + "\n")
    assert "The game is not finished" in run("review", started).stdout


@pytest.mark.parametrize(
    ("reason", "code"), [(KeyboardInterrupt(), 1), (BudgetExceeded("no answer within 1 s"), 3)]
)
def test_what_is_done_is_printed(
    log: Path, monkeypatch: pytest.MonkeyPatch, reason: BaseException, code: int
) -> None:
    step = Reviewing.step
    done: list[object] = []

    def stopped(work: Reviewing) -> object:
        if len(done) == 2:
            raise reason
        done.append(step(work))
        return done[-1]

    monkeypatch.setattr(Reviewing, "step", stopped)
    result = run("review", log, code=code)
    assert "turn 2: " in result.stdout
    assert "turn 3: " not in result.stdout
    assert "This review was stopped after turn 2." in result.stdout
