"""`studies`: the studies that ship, played and reported into a folder, with a page that sums up.

The folder in the repository, `benchmarks/results/studies`, has the rows of all games. So there the
command only makes the reports again, unless a study has grown; into an empty folder it plays all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from benchmarks.common import duration
from symkripke.errors import check_name
from symkripke.experiments import Experiment, experiment, studies
from symkripke.experiments.pages import write_all
from symkripke.experiments.report import Beside, Report, report
from symkripke.experiments.running import run, status
from symkripke.experiments.summary import (
    JUDGED,
    amount,
    compared_in_short,
    verdict,
    with_interval,
)
from symkripke.files import write_whole

RESULTS = Path(__file__).parent / "results" / "studies"
"""Where the reports of the repository are."""

_HEAD = """\
# What came of the studies

Each study that ships with the games has its report here, with the rows of all its games. A report
has the question, the answer, tables, pictures, and how it was made. `python -m benchmarks studies`
makes the reports and this page again from the rows; `python -m benchmarks studies --out DIR` plays
all of it into another folder. One study alone: `symkripke experiment run NAME --out DIR`.
"""


@click.command("studies", short_help="The studies that ship: played, reported, summed up.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=RESULTS,
    show_default="benchmarks/results/studies",
    help="Where rows and reports go. Studies that are there go on.",
)
@click.option("--games", type=click.IntRange(1), help="So many games for each condition.")
@click.option("--workers", type=click.IntRange(1), default=1, help="How many processes play.")
@click.option("--report-only", is_flag=True, help="Play nothing: report what is there.")
def studies_command(
    names: tuple[str, ...], out: Path, games: int | None, workers: int, report_only: bool
) -> None:
    """Play the studies that ship, all or those named, report them, and write a page of all.

    What was played before is kept, and goes on. Ctrl-C ends early.
    """
    known = tuple(studies())
    for name in names:
        check_name("study", name, known)
    for name in names or known:
        study = experiment(name, games=games)
        folder = out / name
        if not report_only:
            ended = run(study, folder, workers=workers)
            if ended.signal:
                click.echo(f"interrupted in {name}: the same command goes on", err=True)
                raise SystemExit(128 + ended.signal)
        if not _begun(study, folder):
            click.echo(f"{name}: nothing is there")
            continue
        found = report(study, folder)
        for picture in folder.glob("*.svg"):  # the report may have others now
            picture.unlink()
        write_all(found, folder, _command(study))
        click.echo(
            f"{name}: {found.games} games, {duration(found.cpu)} of CPU"
            + ("" if found.complete else ", not complete")
        )
    write_whole(out / "README.md", index(out, games))
    click.echo(f"written to {out / 'README.md'}")


def _command(study: Experiment) -> str:
    games = f" --games {study.games}" if study.games else ""
    return f"symkripke experiment run {study.name} --out {study.name}{games}"


def _begun(study: Experiment, folder: Path) -> bool:
    """Whether any game of it is there."""
    return any(standing.games for standing in status(study, folder))


def index(out: Path, games: int | None = None) -> str:
    """The page of all studies that are in a folder, as Markdown."""
    found = [
        report(study, out / name)
        for name in studies()
        if _begun(study := experiment(name, games=games), out / name)
    ]
    lines = [_HEAD, "| study | games | CPU | complete |", "|---|---|---|---|"]
    lines += [
        f"| [{each.experiment.title}]({each.experiment.name}/report.md) | {each.games} | "
        f"{duration(each.cpu)} | {'yes' if each.complete else 'no'} |"
        for each in found
    ]
    lines += [
        f"| all | {sum(each.games for each in found)} | "
        f"{duration(sum(each.cpu for each in found))} | |",
        "",
        "## Published, and here",
        "",
        JUDGED,
        "",
        "| study | figure | published | here (95% interval) | games | verdict |",
        "|---|---|---|---|---|---|",
    ]
    lines += [_row(each, beside) for each in found for beside in each.beside]
    for each in found:
        lines += ["", f"## {each.experiment.title}", "", *_section(each)]
    return "\n".join(lines) + "\n"


def _row(found: Report, beside: Beside) -> str:
    published = beside.published
    theirs = f" ({published.games} games)" if published.games else ""
    return (
        f"| {found.experiment.name} | {published.condition}: "
        f"{published.mind + ', ' if published.mind else ''}{beside.figure.title} | "
        f"{amount(published.value, beside.figure)}{theirs} | "
        f"{with_interval(beside.found, beside.figure)} | {beside.found.games} | "
        f"{verdict(beside)} |"
    )


def _section(found: Report) -> Iterator[str]:
    """The question, the answer, and the comparisons of a study."""
    study = found.experiment
    yield study.question
    for paragraph in found.answer:
        yield ""
        yield paragraph
    lines: Sequence[str] = [f"- {compared_in_short(each)}" for each in found.compared]
    if lines:
        yield ""
        yield from lines
    yield ""
    yield (
        f"[Report]({study.name}/report.md), [figures as data]({study.name}/report.json). "
        f"`{_command(study)}`: {found.games} games, {duration(found.cpu)} of CPU."
    )
