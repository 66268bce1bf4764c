"""The command `review`."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from symkripke.errors import BudgetExceeded
from symkripke.play import Record
from symkripke.play.review import Reviewing, review
from symkripke.play.review.page import page
from tests.cli.support import run


def test_the_command_prints_the_review(log: Path) -> None:
    told = review(Record.read(log))
    assert json.loads(run("review", log, "--json").stdout) == json.loads(json.dumps(told.data()))
    printed = run("review", log).stdout
    for line in str(told).splitlines():
        assert line in printed
    brief = run("review", log, "--brief").stdout
    assert all(f"  {sentence}.\n" in brief for sentence in told.story)
    assert "turn 1:" not in brief
    assert "\x1b" not in printed


def test_the_chart_fits_the_width(log: Path) -> None:
    told = review(Record.read(log))
    for width in (40, 100):
        lines = run("review", log, "--brief", "--width", width).stdout.splitlines()
        rows = [line for line in lines if re.search(r"[▁▂▃▄▅▆▇█]", line)]
        assert len(rows) == 3
        assert max(map(len, rows)) <= width
        bars = [re.sub(r"[^▁▂▃▄▅▆▇█]", "", row) for row in rows]
        assert len({len(bar) for bar in bars}) == 1
        for player, row in zip(told.charted, rows, strict=True):
            first, *_, last = told.series(player)
            words = row.split()
            assert [words[0], words[1], words[-1]] == [told.titles[player], f"{first}", f"{last}"]


def test_sentences_instead_of_a_chart(log: Path) -> None:
    plain = run("review", log, "--brief", "--plain").stdout
    assert not re.search(r"[▁▂▃▄▅▆▇█]", plain)
    assert plain.count(" at the start, ") == 3


def test_files_are_written(log: Path, tmp_path: Path) -> None:
    picture, whole = tmp_path / "chart.svg", tmp_path / "review.html"
    run("review", log, "--brief", "--svg", picture, "--html", whole)
    assert ElementTree.fromstring(picture.read_text()).tag.endswith("svg")
    assert whole.read_text() == page(review(Record.read(log)))


def test_one_player_and_some_turns(log: Path) -> None:
    told = json.loads(run("review", log, "--player", "Mustard", "--turns", "2-3", "--json").stdout)
    assert told["reviewed"] == ["mustard"]
    assert {event["turn"] for event in told["events"]} == {2, 3}
    one = json.loads(run("review", log, "--turns", "2", "--json").stdout)
    assert {event["turn"] for event in one["events"]} == {2}


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
def test_finished_parts_are_printed(
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
