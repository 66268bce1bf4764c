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
from lzma import LZMAError
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from symkripke.errors import InputError, LogError
from symkripke.experiments import summary
from symkripke.experiments.pages import markdown, render
from symkripke.experiments.pictures import pictures
from symkripke.experiments.report import ANSWER, report
from symkripke.experiments.running import FILE, kept
from symkripke.files import reason, write_whole

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
        sections = [_section(each, folder) for each in _studies(folder, Path(place))]
    if not sections:
        raise InputError(f"expected studies in {folder}: folders with {FILE}, or *{_ENDING}")
    page, packed = folder / "README.md", any(folder.glob(f"*{_ENDING}"))
    values = {"sections": sections, "packed": packed, "words": summary}
    write_whole(page, render("collection.md.jinja", values))
    return [page, *(folder / f"{each['name']}.svg" for each in sections)]


def _studies(folder: Path, place: Path) -> Iterator[Path]:
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

    The picture shows the ranking if the study has one, or else its first figure.
    """
    experiment = kept(study)
    outcome = report(experiment, study)
    drawn = list(pictures(outcome))
    _, title, svg = next((each for each in drawn if each[0] == "ranking"), drawn[0])
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
