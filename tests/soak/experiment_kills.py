"""One study, ended many times at random moments, must have the rows of one that nothing ended."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import click

from symkripke.experiments import Experiment, parse
from symkripke.experiments.running import run, status
from tests.soak.common import Found
from tests.soak.kills.program import Program

# So many seconds to come to the moment, and to the end: all is played if no worker can be killed.
_PATIENCE = 900.0

# At most so many kills for each that must hit; and this part of them comes at the start of a run.
_ATTEMPTS = 4
_AT_START = 0.15

HOWS = ("SIGKILL", "SIGKILL to all", "SIGTERM", "SIGTERM to all", "Ctrl-C", "worker killed")
"""How a run is ended. On a cluster, a worker that is killed belongs to the cluster."""

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


@click.command()
@click.option(
    "--times",
    type=click.IntRange(min=1),
    default=20,
    help="How many kills must hit a run that plays; those that do not come on top.",
)
@click.option("--games", type=click.IntRange(min=20), default=600, help="Games a condition.")
@click.option("--seed", type=int, default=0, help="Which kills.")
@click.option("--cluster", is_flag=True, help="On a local Dask cluster of two processes.")
def experiment_kills(times: int, games: int, seed: int, cluster: bool) -> Found:
    """End `experiment run` at random moments, again and again, and let it finish at last.

    Nothing that was finished may be lost, no process may be left, and in the end all files of the
    conditions must be those of a run that nothing ended.
    """
    found = Found()
    experiment = parse(_TEXT.format(games=games, every=max(1, games // 4)), "killed")
    with TemporaryDirectory(prefix="symkripke-kills-") as name:
        place = Path(name)
        run(experiment, place / "peace", workers=1)
        with _cluster(cluster) as served:
            _disturbed(found, experiment, place, times, Random(seed), served)
        same = _rows(place / "peace") == _rows(place / "out")
        found.check(same, "the rows differ from those of a run in peace")
    return found


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
    found: Found, experiment: Experiment, place: Path, times: int, chance: Random, served: Any
) -> None:
    """The study in the folder `out`, ended so many times, and then played to its end."""
    out = place / "out"
    (place / "killed.toml").write_text(experiment.text, encoding="utf-8")
    words = ["experiment", "run", "killed.toml", "--out", "out", "--no-report"]
    words += ["--scheduler", served.scheduler_address] if served is not None else []
    total = sum(condition.plan.games for condition in experiment.conditions)
    hits = 0
    for number in range(_ATTEMPTS * times):
        if hits >= times:
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
        if how == "worker killed" and served is not None:
            struck = _kill_of_cluster(program, chance, served)
            # The cluster plays on. It must be seen to do so, and must not play all.
            program.wait_for(_Grown(experiment, out, min(total, there + 1)), _PATIENCE)
            how = "Ctrl-C"
        else:
            struck = True
        struck = program.end(how, chance) and struck
        code, _, faults = program.faults(how, _PATIENCE)
        hit = playing and struck and code != 0
        hits += hit
        found.done[f"{how}, {'of a run that played' if hit else 'too early or too late'}"] += 1
        kept = _kept(experiment, out)
        found.check(kept >= there, f"kill {number} ({how}): {there} games, then {kept}")
        for told in faults:
            found.fault(f"kill {number} ({how}): {told}")
    enough = hits >= times
    found.check(enough, f"only {hits} of {times} hit a run that was playing: try more --games")
    scheduler = None if served is None else served.scheduler_address
    run(experiment, out, workers=None if scheduler else 1, scheduler=scheduler)


def _kill_of_cluster(program: Program, chance: Random, served: Any) -> bool:
    """Kill a worker of the cluster; whether there was one, and a run that needs it."""
    worker = chance.choice(list(served.workers.values()))
    if worker.process is None or worker.process.process is None:
        return False
    worker.process.process._process.kill()
    return program.running


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
