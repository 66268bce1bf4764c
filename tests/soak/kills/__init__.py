"""Programs ended in every way at random moments, and what must hold of what they leave behind.

program     a program in a session of its own, and the ways to end it
cases       a case by seed and number: what is run, how it is ended, and when
checks      what must hold after it, and once the run has been resumed
"""

from __future__ import annotations

from importlib.util import find_spec

import click

from tests.soak.common import Found
from tests.soak.kills.cases import make
from tests.soak.kills.checks import run


@click.command()
@click.option("--times", type=click.IntRange(min=1), default=30, help="How many kills.")
@click.option("--seed", type=int, default=0, help="Which kills.")
@click.option("--only", type=click.IntRange(min=0), metavar="N", help="Kill number N alone.")
def kills(times: int, seed: int, only: int | None) -> Found:
    """End `play --log`, `simulate` and `simulate --resume` at random moments.

    After each, nothing that was finished may be lost, no process may be left, the files must
    belong together, and the resumed run must have the rows of one that nothing ended. The same
    seed makes the same choices; the moments depend on the machine.
    """
    found, kept = Found(), 0
    forms = ("csv", "parquet") if find_spec("polars") else ("csv",)
    for number in range(times) if only is None else [only]:
        case = make(seed, number, forms)
        after, faults = run(case)
        kept += after
        found.done[str(case)] += 1
        for told in faults:
            found.fault(f"--seed {seed} --only {number}: {case}: {told}")
    found.notes.append(f"{kept:,} games and events of logs were kept")
    return found
