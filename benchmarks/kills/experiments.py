"""`python -m benchmarks experiment-kills`: one study, ended many times, must have the same rows."""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import click

from benchmarks.common import WrongAnswer, show
from benchmarks.kills.program import Program
from symkripke.experiments import Experiment, parse
from symkripke.experiments.running import run, status

# So many seconds to come to the moment, and to the end: all is played if no worker can be killed.
_PATIENCE = 900.0

# At most so many kills for each that must hit; and this part of them comes at the start of a run.
_ATTEMPTS = 4
_AT_START = 0.15

HOWS = ("SIGKILL", "SIGKILL to all", "SIGTERM", "SIGTERM to all", "Ctrl-C", "worker killed")
"""How a run is ended. On a cluster, a worker that is killed belongs to the cluster."""

_CODES = {
    "SIGKILL": {-signal.SIGKILL},
    "SIGKILL to all": {-signal.SIGKILL},
    "SIGTERM": {128 + signal.SIGTERM, -signal.SIGTERM},
    "SIGTERM to all": {128 + signal.SIGTERM, -signal.SIGTERM},
    "Ctrl-C": {128 + signal.SIGINT, -signal.SIGINT},
    "worker killed": {1},
}

_TEXT = """\
title = "Killed"
question = "Does a study that is ended at random moments have the rows of one in peace?"
game = "old_maid"
rules = "study"
players = 3
seed = 3
rotate = true
curve = true
games = {games}

[stop]
rule = "interval"
figure = "losses"
mind = "epistemic"
width = 0.01
every = {every}

[[condition]]
name = "logic"
minds = ["logic", "random*2"]

[[condition]]
name = "epistemic"
minds = ["epistemic", "logic*2"]
"""


@dataclass
class Found:
    """What came of the kills.

    Attributes:
        hits: how often each way hit a run that was playing games, with games left to play.
        starts: how many others came before the first game of their run.
        late: how many others came too late: all was played, or there was no worker to kill.
        kept: how many games were there after each kill.
        faults: what went wrong, in words.
    """

    hits: Counter[str] = field(default_factory=Counter)
    starts: int = 0
    late: int = 0
    kept: list[int] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


@click.command("experiment-kills")
@click.option(
    "--times",
    type=click.IntRange(min=1),
    default=20,
    help="How many kills must hit a run that plays; those that do not come on top.",
)
@click.option("--games", type=click.IntRange(min=20), default=600, help="Games a condition.")
@click.option("--seed", type=int, default=0, help="Which kills.")
@click.option("--cluster", is_flag=True, help="On a local Dask cluster of two processes.")
def experiment_kills(times: int, games: int, seed: int, cluster: bool) -> None:
    """End `experiment run` at random moments, again and again, and let it finish at last.

    Nothing that was finished may be lost, no process may be left, and in the end all files of the
    conditions must be those of a run that nothing ended. Exit code 1 if something went wrong.
    """
    experiment = parse(_TEXT.format(games=games, every=max(1, games // 4)), "killed")
    with TemporaryDirectory(prefix="symkripke-kills-") as name:
        place = Path(name)
        run(experiment, place / "peace", workers=1)
        with _cluster(cluster) as served:
            found = _disturbed(experiment, place, times, Random(seed), served)
        if _rows(place / "peace") != _rows(place / "out"):
            found.faults.append("the rows differ from those of a run in peace")
    show(
        f"`experiment run` ended {times} times, {'on a local cluster' if cluster else 'here'}, "
        f"{2 * games} games, seed {seed}",
        ("how", "times"),
        [(how, str(found.hits[how])) for how in HOWS if found.hits[how]],
        [
            f"{found.hits.total()} hit a run that was playing; besides, {found.starts} came before "
            f"the first game of a run, and {found.late} too late",
            "games there after each: " + ", ".join(map(str, found.kept)),
            "checked: no game is lost, no process is left, all rows are those of a run in peace",
        ],
    )
    if found.faults:
        raise WrongAnswer("; ".join(found.faults))


@contextmanager
def _cluster(wanted: bool) -> Iterator[Any]:
    """A local cluster of two processes; None if there is to be none."""
    if not wanted:
        yield None
        return
    local: Any = import_module("distributed").LocalCluster  # it has no types
    with local(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as served:
        yield served


def _disturbed(
    experiment: Experiment, place: Path, times: int, chance: Random, served: Any
) -> Found:
    """The study in the folder `out`, ended so many times, and then played to its end."""
    out, found = place / "out", Found()
    (place / "killed.toml").write_text(experiment.text, encoding="utf-8")
    words = ["experiment", "run", "killed.toml", "--out", "out", "--no-report"]
    words += ["--scheduler", served.scheduler_address] if served is not None else []
    total = sum(condition.plan.games for condition in experiment.conditions)
    for number in range(_ATTEMPTS * times):
        if (hits := found.hits.total()) >= times:
            break
        before = _kept(experiment, out)
        workers = [] if served is not None else ["--workers", chance.choice("122")]
        how = chance.choice(HOWS[:-1] if workers == ["--workers", "1"] else HOWS)
        # So many games more, so that games are left for all other kills; or at the start.
        more = chance.randint(1, max(1, 2 * (total - before) // (times - hits + 1)))
        starting = chance.random() < _AT_START
        program = Program([*words, *workers], place)
        if starting:
            time.sleep(chance.uniform(0, 3))
        else:
            program.wait_for(_Grown(experiment, out, before + more), _PATIENCE)
            time.sleep(chance.uniform(0, 0.05))
        there = _kept(experiment, out)
        playing = program.running and before < there < total
        struck = _end(program, how, chance, served)
        if how == "worker killed" and served is not None and struck:
            # The cluster plays on. It must be seen to do so, and must not play all.
            program.wait_for(_Grown(experiment, out, min(total, there + 1)), _PATIENCE)
            program.send(signal.SIGINT, everybody=True)
        code, left = program.ended(_PATIENCE)
        texts = "".join(program.texts())
        if playing and struck and code != 0:
            found.hits[how] += 1
        elif starting and there == before and code != 0:
            found.starts += 1
        else:
            found.late += 1
        found.kept.append(_kept(experiment, out))
        where = f"kill {number} ({how})"
        if found.kept[-1] < there:
            found.faults.append(f"{where}: {there} games were there, then {found.kept[-1]}")
        if left:
            found.faults.append(f"{where}: {left} processes are left")
        if code not in {0, *_CODES[how], *(_CODES["Ctrl-C"] if served is not None else ())}:
            found.faults.append(f"{where}: exit code {code}: {texts[-500:]}")
        if "Traceback" in texts and how not in ("SIGKILL", "SIGKILL to all"):
            found.faults.append(f"{where}: {texts[-500:]}")
    if (hits := found.hits.total()) < times:
        found.faults.append(f"only {hits} of {times} hit a run that was playing: try more --games")
    scheduler = None if served is None else served.scheduler_address
    run(experiment, out, workers=None if scheduler else 1, scheduler=scheduler)
    return found


def _end(program: Program, how: str, chance: Random, served: Any) -> bool:
    """End it that way; whether there was something to end.

    A cluster plays on when a worker is lost, so the run is not ended then.
    """
    if how == "worker killed" and served is None:
        return program.kill_worker(chance)
    if how == "worker killed":
        worker = chance.choice(list(served.workers.values()))
        if worker.process is None or worker.process.process is None:
            return False
        worker.process.process._process.kill()
        return program.running
    running = program.running
    if how == "Ctrl-C":
        program.send(signal.SIGINT, everybody=True)
    else:
        number = signal.SIGKILL if how.startswith("SIGKILL") else signal.SIGTERM
        program.send(number, everybody=how.endswith("to all"))
    return running


class _Grown:
    """Whether there are so many games; it looks at most every 20th of a second."""

    def __init__(self, experiment: Experiment, folder: Path, games: int) -> None:
        self._experiment, self._folder, self._games = experiment, folder, games

    def __call__(self) -> bool:
        time.sleep(0.05)
        return _kept(self._experiment, self._folder) >= self._games


def _kept(experiment: Experiment, folder: Path) -> int:
    """How many games are kept in the folder."""
    return sum(standing.games for standing in status(experiment, folder))


def _rows(folder: Path) -> dict[str, bytes]:
    """All files of the conditions."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted((folder / "conditions").rglob("*"))
        if path.is_file() and path.name != ".lock"
    }
