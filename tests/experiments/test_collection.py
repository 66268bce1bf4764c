"""The page about all studies, and the results kept in the repository."""

from __future__ import annotations

import hashlib
import re
import shutil
import tarfile
from pathlib import Path

import polars
import pytest
from click.testing import CliRunner

from symkripke.cli import group
from symkripke.errors import InputError, LogError
from symkripke.experiments import experiment, studies
from symkripke.experiments.checking import check
from symkripke.experiments.collection import reported, write_collection
from symkripke.experiments.running import folder_of, run, status

ROOT = Path(__file__).parent.parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "studies"

with_rows = pytest.mark.skipif(
    (ROOT / "PKG-INFO").exists(), reason="the source distribution leaves the rows out"
)


def test_a_folder_and_its_archive_give_the_same_page(tmp_path: Path) -> None:
    study, archive = tmp_path / "kwartet_forgetting", tmp_path / "kwartet_forgetting.tar.xz"
    run(experiment(study.name, games=1), study, workers=1)
    with tarfile.open(archive, "w:xz") as packed:
        packed.add(study, study.name)
    archive.rename(tmp_path / "aside")
    (study / "answer.md").write_text("It costs games.\n", encoding="utf-8")
    page, picture = write_collection(tmp_path)
    of_folder = page.read_text(encoding="utf-8")
    assert (
        "behind the study, so the figures are preliminary: 'forgets 0.0' has 1 games" in of_folder
    )
    assert "](#kwartet-what-forgetting-costs) | 6 |" in of_folder
    assert "### The answer\n\nIt costs games." in of_folder
    assert f"]({picture.name})" in of_folder

    (study / "answer.md").rename(tmp_path / "kwartet_forgetting.md")
    shutil.rmtree(study)
    (tmp_path / "aside").rename(archive)
    write_collection(tmp_path)
    of_archive = page.read_text(encoding="utf-8")
    assert of_archive.endswith(of_folder[of_folder.index("| study |") :])

    archive.write_bytes(archive.read_bytes()[:-500])
    with pytest.raises(LogError, match=r"kwartet_forgetting\.tar\.xz"):
        write_collection(tmp_path)


def test_a_folder_without_studies(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected studies in"):
        write_collection(tmp_path)


@with_rows
def test_the_kept_archives_match_their_checksums() -> None:
    lines = (RESULTS / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    kept = {path.name: path.read_bytes() for path in RESULTS.glob("*.tar.xz")}
    assert lines == [f"{hashlib.sha256(kept[name]).hexdigest()}  {name}" for name in sorted(kept)]
    assert {name.removesuffix(".tar.xz") for name in kept} <= set(studies())


@with_rows
@pytest.mark.parametrize(
    "name", [path.name.removesuffix(".tar.xz") for path in sorted(RESULTS.glob("*.tar.xz"))]
)
def test_the_page_has_the_games_of_the_shipped_study_or_says_that_it_is_behind(
    name: str, tmp_path: Path
) -> None:
    """A random game is also played again, and has the same rows."""
    study = tmp_path / name
    with tarfile.open(RESULTS / f"{name}.tar.xz") as packed:
        packed.extractall(tmp_path, filter="data")
    shown, lacking = reported(study)
    if not lacking:
        assert [each.plan for each in shown.conditions] == [
            each.plan for each in experiment(name).conditions
        ]
    (row,) = re.findall(
        rf"^\| \[{re.escape(shown.title)}\]\(.*$",
        (RESULTS / "README.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    _, _, games, _, complete, *_ = row.split("|")
    played = sum(standing.games for standing in status(shown, study))
    assert (int(games), complete.strip()) == (played, "behind the study" if lacking else "yes")
    (checked,) = check(tmp_path, 1, workers=1)
    assert checked.same


def test_games_that_differ_from_their_rows_are_found(tmp_path: Path) -> None:
    study = tmp_path / "kwartet_forgetting"
    run(experiment(study.name, games=2), study, workers=1)
    assert all(each.same for each in check(tmp_path, 99, workers=1))
    place = folder_of(study, experiment(study.name).conditions[2])
    rows = place / "games.parquet"
    changed = polars.read_parquet(rows).with_columns(turns=polars.col("turns") + polars.col("game"))
    changed.write_parquet(rows)
    (place / "run.json").write_text(
        re.sub(r'"sha256": \{[^}]*\}', '"sha256": {}', (place / "run.json").read_text("utf-8")),
        encoding="utf-8",
    )
    outcome = CliRunner().invoke(group, ["experiment", "check", str(tmp_path), "--workers", "1"])
    assert outcome.exit_code == 1
    assert outcome.output.splitlines() == [
        "kwartet_forgetting, forgets 0.25: game 1 differs from its rows",
        "12 games of 6 conditions were played again; 11 of them are the same as their rows.",
    ]
