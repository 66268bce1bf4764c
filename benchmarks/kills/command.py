"""`python -m benchmarks kills`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from importlib.util import find_spec

import click

from benchmarks.common import show
from benchmarks.kills.cases import HOWS, WORKS, make
from benchmarks.kills.checks import FAULTS, Seen, run


@click.command()
@click.option("--times", type=click.IntRange(min=1), default=30, help="How many kills.")
@click.option("--seed", type=int, default=0, help="Which kills.")
@click.option("--only", type=click.IntRange(min=0), metavar="N", help="Kill number N alone.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def kills(times: int, seed: int, only: int | None, as_json: bool) -> None:
    """End `play --log`, `simulate` and `simulate --resume` at random moments.

    After each, nothing that was finished may be lost, no process may be left, the files must
    belong together, and the resumed run must have the rows of one that nothing ended. The same
    seed makes the same choices; the moments depend on the machine. Exit code 1 if something went
    wrong.
    """
    forms = ("csv", "parquet") if find_spec("polars") else ("csv",)
    seen: list[Seen] = []
    for number in range(times) if only is None else [only]:
        seen.append(run(make(seed, number, forms)))
        for kind, told in seen[-1].faults:
            click.echo(f"--seed {seed} --only {number}: {kind}: {told[-1000:]}", err=True)
        if sys.stderr.isatty():
            click.echo(f"\r{len(seen)} kills   ", nl=False, err=True)
    if as_json:
        click.echo(json.dumps(_data(seed, seen)))
    else:
        _print(seed, seen)
    if any(case.faults for case in seen):
        raise SystemExit(1)


def _data(seed: int, seen: list[Seen]) -> dict[str, object]:
    counts = Counter(kind for case in seen for kind, _ in case.faults)
    return {
        "seed": seed,
        "kills": len(seen),
        "early": sum(case.early for case in seen),
        "faults": {kind: counts[kind] for kind in FAULTS},
    }


def _print(seed: int, seen: list[Seen]) -> None:
    rows = []
    for work in WORKS:
        for how in HOWS:
            cases = [case for case in seen if (case.case.work, case.case.how) == (work, how)]
            if cases:
                rows.append((work, how, *_counted(cases)))
    rows.append(("all", "", *_counted(seen)))
    show(
        f"Kills, and what went wrong, seed {seed}",
        ("what", "how", "times", "early", "kept, mean", *FAULTS),
        rows,
        ["early: it had not ended by itself. kept: games, or events of a log, there afterwards"],
    )


def _counted(cases: list[Seen]) -> list[str]:
    counts = Counter(kind for case in cases for kind, _ in case.faults)
    mean = sum(case.after for case in cases) / len(cases)
    early = sum(case.early for case in cases)
    return [str(len(cases)), str(early), f"{mean:.1f}", *(str(counts[kind]) for kind in FAULTS)]
