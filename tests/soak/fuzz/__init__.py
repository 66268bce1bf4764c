"""A fuzzer: invalid and unusual input of every kind, and properties of all outcomes.

shipped     files of the package, and the examples on its pages, from which mutations start
mutations   random changes of a text
inputs      inputs, and one of each kind by seed and number
watch       inputs run and watched from outside, and their faults
"""

from __future__ import annotations

import time
from itertools import count

import click

from tests.soak.common import Found
from tests.soak.fuzz.inputs import Input, make
from tests.soak.fuzz.watch import Ran, Watch, faults


@click.command()
@click.option("--minutes", type=click.FloatRange(min=0), default=1.0, help="How long.")
@click.option("--seed", type=int, default=0, help="Which inputs.")
@click.option("--only", type=click.IntRange(min=0), metavar="N", help="Input number N alone.")
@click.option(
    "--inputs",
    "most",
    type=click.IntRange(min=1),
    metavar="N",
    help="The maximum number of inputs.",
)
def fuzz(minutes: float, seed: int, only: int | None, most: int | None) -> Found:
    """Send invalid and unusual input of every kind to the program.

    The same seed makes the same inputs. `--only N` runs one input again, and prints its whole
    output.
    """
    found, end = Found(), time.monotonic() + minutes * 60
    watch, peak = Watch(), 0
    numbers = iter([only]) if only is not None else iter(range(most) if most else count())
    try:
        for number in numbers:
            given = make(seed, number)
            ran = watch.run(given)
            found.done[given.kind] += 1
            peak = max(peak, ran.peak)
            if only is not None:
                _print(given, ran)
            for kind, told in faults(given, ran):
                again = f"--seed {seed} --only {number}"
                found.fault(f"{again}: {given.kind}, {kind}: {told.strip()[-300:]}")
            if time.monotonic() > end:
                break
    finally:
        watch.close()
    found.notes.append(f"at most {peak / 1024**2:,.0f} MB")
    return found


def _print(given: Input, ran: Ran) -> None:
    click.echo(f"command: {given.command!r}")
    for line in given.program:
        click.echo(f"call: {line[:500]}")
    for name, text in given.files.items():
        click.echo(f"file {name}:\n{text[:3_000]}")
    click.echo(f"exit code {ran.code}, {ran.seconds:.2f} s, {ran.peak / 1024**2:.0f} MB")
    click.echo(ran.stdout[:2_000])
    click.echo(ran.stderr[:2_000])
