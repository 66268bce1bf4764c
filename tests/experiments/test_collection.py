"""The page about all studies, and the results kept in the repository."""

from __future__ import annotations

import hashlib
import shutil
import tarfile
from dataclasses import replace
from pathlib import Path

import polars
import pytest

from symkripke.errors import InputError, LogError
from symkripke.experiments import experiment, studies
from symkripke.experiments.collection import write_collection
from symkripke.experiments.running import FILE, folder_of, run
from symkripke.play.runs.run import carry_out

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
    assert {name.removesuffix(".tar.xz") for name in kept} == set(studies())


@with_rows
@pytest.mark.parametrize("name", studies())
def test_a_kept_study_matches_the_package_and_its_games_replay(name: str, tmp_path: Path) -> None:
    study = experiment(name)
    with tarfile.open(RESULTS / f"{name}.tar.xz") as packed:
        packed.extractall(tmp_path, filter="data")
    assert (tmp_path / name / FILE).read_text(encoding="utf-8") == study.text
    first = study.conditions[0]
    again = tmp_path / "again"
    carry_out(replace(first.plan, games=1), workers=1, folder=again, form="parquet")
    for file in again.glob("*.parquet"):
        kept = polars.read_parquet(folder_of(tmp_path / name, first) / file.name)
        assert polars.read_parquet(file).equals(kept.filter(polars.col("game") == 0))
