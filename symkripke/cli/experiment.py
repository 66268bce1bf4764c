"""`symkripke experiment`: studies defined in a file."""

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

# The maximum length of a line of text.
_WIDTH = 100

# Seconds between two lines of progress without a terminal.
_EVERY = 20.0

# The fields of a study that `show --json` copies from the file.
_STATED = ("name", "title", "question", "reading", "sizes", "game", "stop", "published")

_GAMES = option(
    "--games",
    "N",
    "The number of games for each condition, instead of the file's.",
    type=click.IntRange(1, 1_000_000),
)

_FOLDER = argument("DIR", type=click.Path(), callback=named_path)


@click.group()
def experiment() -> None:
    """Run studies: many games under several conditions, and a report.

    A study is a TOML file, or an installed study that `symkripke experiment list` shows. The
    commands need the extra `lab`: pip install 'symkripke[lab]'.
    """


@command("list", group=experiment)
def list_experiments(as_json: bool = options.JSON) -> None:
    """List the installed studies."""
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
    r"""Show the question, the games and the figures of a study, without playing.

    \b
    symkripke experiment show cluedo_higher_order
    """
    from symkripke.experiments import experiment as named
    from symkripke.experiments.experiment import rotation_in_words
    from symkripke.experiments.experiment import stated as stated_in_words

    study = named(name, games=games)
    if text:
        click.echo(study.text, nl=False)
        return
    if as_json:
        conditions = [
            {
                "name": each.name,
                **{name: getattr(each.plan.setup, name) for name in ("rules", "players")},
                **{name: getattr(each.plan, name) for name in ("minds", "rotate", "seed", "games")},
                "options": each.options,
            }
            for each in study.conditions
        ]
        figures = {name: figure.title for name, figure in study.figures.items()}
        contents = {"figures": figures, "conditions": conditions, "compare": study.comparisons}
        options.put_json({name: getattr(study, name) for name in _STATED} | contents, indent=2)
        return
    terminal = shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDTH
    width = max(20, min(terminal, _WIDTH))
    for said in filter(None, (study.title, study.question, study.reading)):
        click.echo(fill(said, width))
        click.echo()
    plans = [each.plan for each in study.conditions]
    chosen = [", ".join(map("=".join, each.options.items())) for each in study.conditions]
    columns: dict[str, Sequence[object]] = {
        "condition": [each.name for each in study.conditions],
        "rules": [plan.setup.rules for plan in plans],
        "players": [len(plan.setup.players) for plan in plans],
        "options": chosen,
        "minds by seat": [", ".join(plan.minds) for plan in plans],
        "rotating": [rotation_in_words(plan.rotate) for plan in plans],
        "seed": [plan.seed for plan in plans],
        "games": [plan.games for plan in plans],
    }
    _table({head: cells for head, cells in columns.items() if head != "options" or any(chosen)})
    click.echo()
    for key, figure in study.figures.items():
        click.echo(f"{key}: {figure.title}")
    for paragraph in stated_in_words(study):
        click.echo()
        for line in paragraph:
            click.echo(fill(line, width, subsequent_indent="  ", break_on_hyphens=False))


@command(group=experiment)
def run(
    name: str = argument("FILE|NAME"),
    out: str = path(
        "--out",
        "DIR",
        "The folder for the rows and the report. An existing study is continued.",
        required=True,
    ),
    games: int | None = _GAMES,
    workers: int | None = options.WORKERS,
    scheduler: str | None = option(
        "--scheduler",
        "ADDRESS",
        "Play on the workers of this Dask scheduler, as tcp://host:8786 (extra `cluster`).",
    ),
    no_report: bool = flag(
        "--no-report", "Only play the games; `symkripke experiment report` writes the report."
    ),
    limits: options.Limits = options.LIMITS,
    as_json: bool = options.JSON,
) -> None:
    r"""Play the games of a study, and write its report to DIR.

    \b
    symkripke experiment run cluedo_higher_order --out study

    \b
    report.html       the report in one file
    report.md         the report as Markdown, with pictures in files
    report.json       the figures as data
    conditions/       the rows of all games (Parquet)
    experiment.toml   the study

    If the run is interrupted, the same command continues it: finished games are kept. A larger
    number of games (in the file, or --games) adds games. A game that fails is kept with its error,
    and the others are played. --seconds limits each step of a game.
    """
    from symkripke.experiments import experiment as named
    from symkripke.experiments.running import run as carry_out

    study = named(name, games=games)
    with _progress(study) as tell:
        ended = carry_out(
            study,
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
        _report(study, Path(out), shlex.join(command))
    _show_standings(ended.standings, as_json=as_json)
    if ended.signal:
        click.echo("interrupted: the same command continues", err=True)
        sys.exit(128 + ended.signal)


@command(group=experiment)
def status(folder: str = _FOLDER, as_json: bool = options.JSON) -> None:
    """Show the progress of the study in DIR."""
    from symkripke.experiments.running import kept
    from symkripke.experiments.running import status as standings

    _show_standings(standings(kept(folder), folder), as_json=as_json)


@command(group=experiment)
def report(
    folder: str = _FOLDER,
    out: str | None = path(
        "--out", "DIR", "The folder for the report; by default, the folder of the study."
    ),
    as_json: bool = options.JSON,
) -> None:
    """Write the report of the study in DIR so far.

    If the file DIR/answer.md exists, the report begins with its text.
    """
    from symkripke.experiments.report import report as reported
    from symkripke.experiments.report import report_data
    from symkripke.experiments.running import kept

    study = kept(folder)
    if as_json:
        options.put_json(report_data(reported(study, folder)), indent=2)
        return
    command = shlex.join(["symkripke", "experiment", "run", _named(study, folder), "--out", folder])
    if study.games:
        command += f" --games {study.games}"
    _report(study, Path(folder), command, Path(out) if out else None)


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
def check(
    folder: str = _FOLDER,
    games: int = option(
        "--games", "N", "The number of games.", type=click.IntRange(1, 1_000_000), default=200
    ),
    seed: int = option(
        "--seed", "S", "The seed of the choice.", type=click.IntRange(0, 2**32 - 1), default=0
    ),
    workers: int | None = options.WORKERS,
    as_json: bool = options.JSON,
) -> None:
    """Play random games of the studies in DIR again, and compare them with their rows.

    DIR contains folders of studies or archives, as for `symkripke experiment summary`. Each game is
    drawn from a random condition. The exit code is 1 if a game differs from its rows.
    """
    from symkripke.cli.progress import counting
    from symkripke.experiments.checking import check as check_rows

    with counting(games) as bar:

        def tell(done: int) -> None:
            if bar is not None:
                bar(done, False, "games")

        checked = check_rows(folder, games, seed=seed, workers=workers, tell=tell)
    different = [each for each in checked if not each.same]
    if as_json:
        options.put_json({"games": len(checked), "different": different}, indent=2)
    else:
        for each in different:
            click.echo(f"{each.study}, {each.condition}: game {each.number} differs from its rows")
        conditions = len({(each.study, each.condition) for each in checked})
        same = f"{len(checked) - len(different)} of them are the same as their rows"
        click.echo(f"{len(checked)} games of {conditions} conditions were played again; {same}.")
    if different:
        sys.exit(1)


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
    r"""Play one GAME of a study again, and show it.

    \b
    symkripke experiment replay study higher-order 17

    GAME is the number of the game in the CONDITION, from 0, or its seed, as in the list of failed
    games. The game is the same as in the study, and continues where the study abandoned it.
    """
    from symkripke.cli.play import play
    from symkripke.errors import InputError, check_name
    from symkripke.experiments import experiment as named
    from symkripke.experiments.running import kept
    from symkripke.play.runs.tournament import GAMES

    study = kept(name) if Path(name).is_dir() else named(name)
    known = {each.name: each for each in study.conditions}
    check_name("condition", condition, known)
    plan, chosen = known[condition].plan, known[condition].options
    if number >= GAMES:
        number = plan.number_of(number)
    if not 0 <= number < GAMES:
        seeds = f"a seed from {plan.seed_of(0)} to {plan.seed_of(GAMES - 1)}"
        raise InputError(f"expected the number of a game, or {seeds}")
    setup = {"rules": plan.setup.rules, "players": len(plan.setup.players), **chosen}
    command = options.play_command(study.game, setup, plan.minds_of(number), plan.seed_of(number))
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


# ---- shared by the commands ----------------------------------------------------------------


def _named(study: Experiment, folder: str) -> str:
    """Return the argument of `experiment run`: the name of a shipped study, or the file."""
    from symkripke.experiments import studies
    from symkripke.experiments.running import FILE

    names = (shipped.name for shipped in studies().values() if shipped.text == study.text)
    return next(names, str(Path(folder) / FILE))


def _report(study: Experiment, folder: Path, command: str, out: Path | None = None) -> None:
    from symkripke.cli.progress import patient
    from symkripke.experiments.pages import write_all
    from symkripke.experiments.report import report as reported

    with patient("writing the report"):
        write_all(reported(study, folder), out or folder, command)
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
    """Print a table, given its columns by heading."""
    rows = [[str(cell) for cell in row] for row in zip(*columns.values(), strict=True)]
    write_table(list(columns), rows)


@contextmanager
def _progress(study: Experiment) -> Iterator[Callable[[Condition, int, int], None]]:
    """Show a progress bar over the games of all conditions; without a terminal, print lines.

    A line is printed at most every `_EVERY` seconds, so that a short study prints none.
    """
    from symkripke.cli.progress import counting

    total = sum(condition.plan.games for condition in study.conditions)
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
