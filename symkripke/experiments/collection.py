"""One page about many studies, with a picture of each.

    NAME/ or NAME.tar.xz   the folder of a study, as `run` writes it, or an archive of this folder
    NAME.md                the answer to its question, if the study is an archive
    README.md, NAME.svg    the page and the pictures; `write_collection` writes them

The studies are in alphabetical order.
"""

from __future__ import annotations

import re
import shlex
import shutil
import tarfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from lzma import LZMAError
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import structs

from symkripke.errors import InputError, LogError
from symkripke.experiments import summary
from symkripke.experiments.experiment import Condition, Experiment
from symkripke.experiments.pages import markdown, render
from symkripke.experiments.pictures import pictures
from symkripke.experiments.report import ANSWER, report
from symkripke.experiments.running import FILE, folder_of, kept, status
from symkripke.experiments.studies import studies
from symkripke.files import reason, write_whole
from symkripke.play.runs.result_files import check_same_plan, plan_data, read_run, run_data
from symkripke.play.runs.tournament import GAMES

_ENDING = ".tar.xz"
_NOT_IN_LINKS = re.compile(r"[^\w -]")


def write_collection(folder: Path | str) -> list[Path]:
    """Write the page about all studies in a folder, and their pictures; return the files.

    Raises:
        InputError: the folder contains no studies.
        LogError: a file cannot be read or written.
    """
    folder = Path(folder)
    with TemporaryDirectory() as place:
        sections = [_section(each, folder) for each in studies_in(folder, Path(place))]
    if not sections:
        raise InputError(f"expected studies in {folder}: folders with {FILE}, or *{_ENDING}")
    page, packed = folder / "README.md", any(folder.glob(f"*{_ENDING}"))
    values = {"sections": sections, "packed": packed, "words": summary}
    write_whole(page, render("collection.md.jinja", values))
    return [page, *(folder / f"{each['name']}.svg" for each in sections)]


def reported(study: Path) -> tuple[Experiment, tuple[str, ...]]:
    """Return the experiment whose results the folder of a study has, and what it lacks, in words.

    A shipped study is reported as its package describes it now, with the conditions whose games the
    folder has. If there are none, it is reported as the folder describes it.
    """
    shipped = studies().get(study.name)
    if shipped is None:
        return kept(study), ()
    experiment = shipped.experiment()
    lacking, usable = [], []
    for standing in status(experiment, study):
        condition = standing.condition
        if standing.games and not _same_plan(condition, study):
            lacking.append(f"{condition.name!r} has games under other conditions")
            continue
        usable.append(condition)
        if not standing.enough:
            lacking.append(f"{condition.name!r} has {standing.games} games of {standing.most}")
    if not any(folder_of(study, condition).exists() for condition in usable):
        return kept(study), ("all games are those of an earlier version of the study",)
    known = {folder_of(study, condition) for condition in experiment.conditions}
    others = [path.name for path in (study / "conditions").iterdir() if path not in known]
    lacking += [f"{name!r} is no longer part of the study" for name in sorted(others)]
    return structs.replace(experiment, conditions=tuple(usable)), tuple(lacking)


def _same_plan(condition: Condition, study: Path) -> bool:
    """Return whether the games in the folder of a study are those of a condition.

    Their number and the version of the package may differ.
    """
    place, plan = folder_of(study, condition), replace(condition.plan, games=GAMES)
    before = plan_data(read_run(place) or {}) | {"symkripke": run_data(plan)["symkripke"]}
    try:
        check_same_plan(plan, before, place)
    except InputError:
        return False
    return True


def studies_in(folder: Path, place: Path) -> Iterator[Path]:
    """Yield the folders of all studies by name; archives are unpacked into `place`."""
    for path in sorted(folder.iterdir()):
        if (path / FILE).is_file():
            yield path
        elif path.name.endswith(_ENDING):
            name = path.name.removesuffix(_ENDING)
            try:
                with tarfile.open(path) as packed:
                    packed.extractall(place, filter="data")
            except (OSError, EOFError, LZMAError, tarfile.TarError) as error:
                raise LogError(f"cannot read {path}: {reason(error)}") from None
            answer = folder / f"{name}.md"
            if answer.exists():
                shutil.copy(answer, place / name / ANSWER)
            yield place / name


def _section(study: Path, folder: Path) -> dict[str, Any]:
    """Return the part of the page about one study; its picture is written into `folder`.

    The picture shows the ranking if the study has one, or else the figure of its first comparison,
    or else its first figure.
    """
    experiment, lacking = reported(study)
    outcome = replace(report(experiment, study), lacking=lacking)
    drawn = {name: each for name, *each in pictures(outcome)}
    wanted = ("ranking", *(f"figure-{each.figure}" for each in experiment.comparisons))
    title, svg = drawn[next((name for name in wanted if name in drawn), next(iter(drawn)))]
    write_whole(folder / f"{study.name}.svg", svg)
    words = ["symkripke", "experiment", "run", study.name, "--out", study.name]
    words += ["--games", str(experiment.games)] if experiment.games else []
    text = markdown(outcome, shlex.join(words), [(study.name, title, svg)], alone=False)
    return {
        "name": study.name,
        "report": outcome,
        "anchor": _NOT_IN_LINKS.sub("", experiment.title.lower()).replace(" ", "-"),
        "judged": Counter(replication.agreement.judgement for replication in outcome.replications),
        "text": re.sub("^#", "##", text, flags=re.MULTILINE),
    }
