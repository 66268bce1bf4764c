"""The commands about experiments: all studies at once, a study that is ended, and many games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from benchmarks.__main__ import main
from benchmarks.studies import RESULTS
from symkripke.experiments import experiment, studies
from symkripke.experiments.running import status


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_a_study_is_played_reported_and_summed_up(tmp_path: Path) -> None:
    out = str(tmp_path)
    done = _run("studies", "kwartet_forgetting", "--games", "1", "--out", out)
    assert done.exit_code == 0, done.output
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "[Kwartet: what forgetting costs](kwartet_forgetting/report.md) | 6 |" in page
    assert (tmp_path / "kwartet_forgetting" / "report.html").exists()
    before = (tmp_path / "kwartet_forgetting" / "report.json").read_bytes()
    # Nothing is played again.
    _run("studies", "kwartet_forgetting", "--games", "1", "--out", out, "--report-only")
    assert (tmp_path / "kwartet_forgetting" / "report.json").read_bytes() == before


def test_a_study_that_there_is_not(tmp_path: Path) -> None:
    done = _run("studies", "kwartet_forgeting", "--out", str(tmp_path))
    assert done.exit_code != 0
    assert "kwartet_forgetting" in str(done.exception)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", studies())
def test_the_kept_reports_are_of_these_studies(name: str) -> None:
    """The rows in the repository go on as the study ships, and each report has its answer."""
    folder, study = RESULTS / name, experiment(name)
    assert (folder / "experiment.toml").read_text(encoding="utf-8") == study.text
    assert (folder / "answer.md").exists()
    told = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    standings = status(study, folder)
    assert told["games"] == sum(standing.games for standing in standings)
    assert told["complete"] == all(standing.enough for standing in standings)


def test_a_study_that_is_ended_has_the_rows_of_one_in_peace() -> None:
    done = _run("experiment-kills", "--times", "1", "--games", "20")
    assert done.exit_code == 0, done.output
    assert "checked: " in done.output


def test_many_games_are_measured() -> None:
    done = _run("scale", "--case", "old_maid", "--games", "20", "--workers", "1")
    assert done.exit_code == 0, done.output
    assert "CPU beside a game" in done.output
