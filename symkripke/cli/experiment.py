"""`symkripke experiment`: studies that are stated in a file."""

from __future__ import annotations

import shlex
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import click

from symkripke.cli import options
from symkripke.cli.commands import argument, command, flag, named_path, option, path
from symkripke.cli.styled_lines import write_table

if TYPE_CHECKING:
    from symkripke.experiments.experiment import Condition, Experiment
    from symkripke.experiments.running import Standing

# The greatest length of a line of text.
_WIDTH = 100

# Where there is no terminal, a line of progress comes after so many seconds.
_EVERY = 20.0

# What `show --json` says as it stands in the file.
_STATED = ("name", "title", "question", "reading", "game", "stop", "published")

_GAMES = option(
    "--games",
    "N",
    "So many games for each condition, whatever the file says.",
    type=click.IntRange(1, 1_000_000),
)

_FOLDER = argument("DIR", type=click.Path(), callback=named_path)


@click.group()
def experiment() -> None:
    """Run studies: many games under several conditions, and a report.

    A study is a file in TOML, or one of those that `symkripke experiment list` shows. Needs the
    extra `lab`: pip install 'symkripke[lab]'.
    """


@command("list", group=experiment)
def list_experiments(as_json: bool = options.JSON) -> None:
    """List the studies that are installed."""
    from symkripke.experiments import studies

    rows = [
        {
            "name": each.name,
            "title": each.title,
            "game": each.game,
            "conditions": len(each.conditions),
            "games": sum(condition.plan.games for condition in each.conditions),
        }
        for each in (study.experiment() for study in studies().values())
    ]
    if as_json:
        options.put_json(rows, indent=2)
        return
    heads = ("study", "game", "conditions", "games at most", "title")
    names = ("name", "game", "conditions", "games", "title")
    _table({head: [row[name] for row in rows] for head, name in zip(heads, names, strict=True)})


@command(group=experiment)
def show(
    name: str = argument("FILE|NAME"),
    games: int | None = _GAMES,
    text: bool = flag("--text", "Print the file of the study."),
    as_json: bool = options.JSON,
) -> None:
    """Show what a study asks, and which games it plays; nothing is played."""
    from symkripke.experiments import experiment as named
    from symkripke.experiments.experiment import stated as stated_in_words

    found = named(name, games=games)
    if text:
        click.echo(found.text, nl=False)
        return
    if as_json:
        conditions = [
            {
                "name": each.name,
                **{name: getattr(each.plan.setup, name) for name in ("rules", "players")},
                **{name: getattr(each.plan, name) for name in ("minds", "rotate", "seed", "games")},
                "options": each.options,
            }
            for each in found.conditions
        ]
        figures = {name: figure.title for name, figure in found.figures.items()}
        told = {"figures": figures, "conditions": conditions, "compare": found.comparisons}
        options.put_json({name: getattr(found, name) for name in _STATED} | told, indent=2)
        return
    terminal = shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDTH
    width = max(20, min(terminal, _WIDTH))
    for said in filter(None, (found.title, found.question, found.reading)):
        click.echo(fill(said, width))
        click.echo()
    plans = [each.plan for each in found.conditions]
    chosen = [", ".join(map("=".join, each.options.items())) for each in found.conditions]
    columns: dict[str, Sequence[object]] = {
        "condition": [each.name for each in found.conditions],
        "rules": [plan.setup.rules for plan in plans],
        "players": [len(plan.setup.players) for plan in plans],
        "options": chosen,
        "minds by seat": [", ".join(plan.minds) for plan in plans],
        "rotating": ["yes" if plan.rotate else "no" for plan in plans],
        "seed": [plan.seed for plan in plans],
        "games": [plan.games for plan in plans],
    }
    _table({head: cells for head, cells in columns.items() if head != "options" or any(chosen)})
    click.echo()
    for key, figure in found.figures.items():
        click.echo(f"{key}: {figure.title}")
    for paragraph in stated_in_words(found):
        click.echo()
        for line in paragraph:
            click.echo(fill(line, width, subsequent_indent="  ", break_on_hyphens=False))


@command(group=experiment)
def run(
    name: str = argument("FILE|NAME"),
    out: str = path(
        "--out",
        "DIR",
        "Where the rows and the report go. A study that is there already goes on.",
        required=True,
    ),
    games: int | None = _GAMES,
    workers: int | None = options.WORKERS,
    scheduler: str | None = option(
        "--scheduler",
        "ADDRESS",
        "Play on the workers of this Dask scheduler, as tcp://host:8786 (extra `cluster`).",
    ),
    no_report: bool = flag("--no-report", "Only play; `symkripke experiment report` reports."),
    limits: options.Limits = options.LIMITS,
    as_json: bool = options.JSON,
) -> None:
    r"""Play what a study needs, and write its report to DIR.

    \b
    report.html       the report, one file that holds all of it
    report.md         the same as Markdown, with pictures beside it
    report.json       the figures as data
    conditions/       the rows of all games (Parquet)
    experiment.toml   the study

    Whatever ends it, the games that were finished are kept; the same command goes on. With more
    games (in the file, or --games), the earlier ones are kept. A game that cannot be played on
    is kept with its fault, and the others are played. --seconds limits each step of a game.
    """
    from symkripke.experiments import experiment as named
    from symkripke.experiments.running import run as carry_out

    found = named(name, games=games)
    with _progress(found) as tell:
        ended = carry_out(
            found,
            out,
            workers=workers,
            scheduler=scheduler,
            seconds=limits.seconds,
            memory=limits.memory,
            tell=tell,
        )
    if not no_report and any(standing.games for standing in ended.standings):
        if ended.signal:
            click.echo("interrupted: writing the report of the games so far", err=True)
        command = ["symkripke", "experiment", "run", name, "--out", out]
        command += ["--games", str(games)] if games else []
        command += ["--workers", str(workers)] if workers else []
        command += ["--scheduler", scheduler] if scheduler else []
        _report(found, Path(out), shlex.join(command))
    _show_standings(ended.standings, as_json=as_json)
    if ended.signal:
        click.echo("interrupted: the same command goes on", err=True)
        sys.exit(128 + ended.signal)


@command(group=experiment)
def status(folder: str = _FOLDER, as_json: bool = options.JSON) -> None:
    """Show how far the study in DIR has come."""
    from symkripke.experiments.running import kept
    from symkripke.experiments.running import status as standings

    _show_standings(standings(kept(folder), folder), as_json=as_json)


@command(group=experiment)
def report(
    folder: str = _FOLDER,
    out: str | None = path(
        "--out", "DIR", "Where the report goes; without it, into the folder of the study."
    ),
    as_json: bool = options.JSON,
) -> None:
    """Report what the study in DIR has found so far.

    The report begins with the text of DIR/answer.md, if you write your answer there.
    """
    from symkripke.experiments.report import report as reported
    from symkripke.experiments.report import told
    from symkripke.experiments.running import kept

    found = kept(folder)
    if as_json:
        options.put_json(told(reported(found, folder)), indent=2)
        return
    command = shlex.join(["symkripke", "experiment", "run", _named(found, folder), "--out", folder])
    if found.games:
        command += f" --games {found.games}"
    _report(found, Path(folder), command, Path(out) if out else None)


@command(group=experiment)
def summary(folder: str = _FOLDER) -> None:
    """Write one page about all studies in DIR: README.md, with a picture of each study.

    A study is the folder that `symkripke experiment run` wrote, or an archive of it, NAME.tar.xz.
    The answer to the question of an archived study is the text of DIR/NAME.md.
    """
    from symkripke.cli.progress import patient
    from symkripke.experiments.collection import write_collection

    with patient("writing the page"):
        page, *_ = write_collection(folder)
    click.echo(f"written to {page}", err=True)


@command(group=experiment)
def replay(
    name: str = argument("DIR|FILE|NAME"),
    condition: str = argument(),
    number: int = argument("GAME", type=click.IntRange(min=0)),
    log: str | None = path("--log", "LOG", "Write a log of the game (JSON Lines)."),
    replace: bool = options.force("LOG"),
    brief: bool = options.BRIEF,
    plain: bool = options.PLAIN,
    limits: options.Limits = options.LIMITS,
    as_json: bool = options.JSON,
) -> None:
    """Play one GAME of a study again, and show it.

    GAME is its number in the CONDITION, from 0, or its seed, as in the list of the games that could
    not be played on. The game is the same as in the study; if that gave it up, it goes on here.
    """
    from symkripke.cli.play import play
    from symkripke.errors import InputError, check_name
    from symkripke.experiments import experiment as named
    from symkripke.experiments.running import kept
    from symkripke.play.runs.tournament import GAMES

    found = kept(name) if Path(name).is_dir() else named(name)
    known = {each.name: each for each in found.conditions}
    check_name("condition", condition, known)
    plan, chosen = known[condition].plan, known[condition].options
    if number >= GAMES:
        number = plan.number_of(number)
    if not 0 <= number < GAMES:
        seeds = f"a seed from {plan.seed_of(0)} to {plan.seed_of(GAMES - 1)}"
        raise InputError(f"expected the number of a game, or {seeds}")
    setup = {"rules": plan.setup.rules, "players": len(plan.setup.players), **chosen}
    command = options.play_command(found.game, setup, plan.minds_of(number), plan.seed_of(number))
    if not as_json:
        click.echo(f"the same as {command}", err=True)
    words = shlex.split(command)[2:]
    words += ["--log", log] if log is not None else []
    words += [] if limits.seconds is None else ["--seconds", str(limits.seconds)]
    words += ["--memory", "none" if limits.memory is None else f"{limits.memory}B"]
    flags = {"--force": replace, "--brief": brief, "--plain": plain, "--json": as_json}
    words += [flag for flag, given in flags.items() if given]
    with play.make_context("play", words, parent=click.get_current_context()) as playing:
        play.invoke(playing)


# ---- what the commands share ---------------------------------------------------------------


def _named(found: Experiment, folder: str) -> str:
    """What `experiment run` is to be given for it: the name of a study that ships, or the file."""
    from symkripke.experiments import studies
    from symkripke.experiments.running import FILE

    names = (study.name for study in studies().values() if study.text == found.text)
    return next(names, str(Path(folder) / FILE))


def _report(found: Experiment, folder: Path, command: str, out: Path | None = None) -> None:
    from symkripke.cli.progress import patient
    from symkripke.experiments.pages import write_all
    from symkripke.experiments.report import report as reported

    with patient("writing the report"):
        write_all(reported(found, folder), out or folder, command)
    click.echo(f"written to {(out or folder) / 'report.html'}", err=True)


def _show_standings(standings: Sequence[Standing], *, as_json: bool) -> None:
    rows = [
        {"condition": each.condition.name}
        | {name: getattr(each, name) for name in ("games", "most", "enough", "why")}
        for each in standings
    ]
    if as_json:
        options.put_json(rows, indent=2)
        return
    heads = {"condition": "condition", "games": "games", "at most": "most"}
    columns = {head: [row[name] for row in rows] for head, name in heads.items()}
    _table({**columns, "state": [each.state for each in standings]})


def _table(columns: Mapping[str, Sequence[object]]) -> None:
    """Print a table of columns by their heads."""
    rows = [[str(cell) for cell in row] for row in zip(*columns.values(), strict=True)]
    write_table(list(columns), rows)


@contextmanager
def _progress(found: Experiment) -> Iterator[Callable[[Condition, int, int], None]]:
    """A bar over the games of all conditions, with the time left; off a terminal, lines.

    A line comes at most every `_EVERY` seconds, so that a short study prints none.
    """
    from symkripke.cli.progress import counting

    total = sum(condition.plan.games for condition in found.conditions)
    finished: dict[str, int] = {}
    last = time.monotonic()
    with counting(total) as bar:

        def tell(condition: Condition, games: int, most: int) -> None:
            nonlocal last
            is_new = condition.name not in finished
            finished[condition.name] = games
            in_all = sum(finished.values())
            if bar is not None:
                bar(in_all, is_new, condition.name)
            elif time.monotonic() - last >= _EVERY:
                last = time.monotonic()
                said = f"{time.strftime('%H:%M:%S')} {condition.name}: {games} of {most} games"
                click.echo(f"{said}; all conditions: {in_all} of {total}", err=True)

        yield tell
