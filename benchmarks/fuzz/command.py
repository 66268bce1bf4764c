"""`python -m benchmarks fuzz`."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from queue import Queue
from threading import Event, Lock, Thread
from typing import Any

import click

from benchmarks.common import show
from benchmarks.fuzz.faults import FAULTS, Fault, found_in
from benchmarks.fuzz.inputs import ALONE, KINDS, Input, make
from benchmarks.fuzz.watch import Seen, Watch


@dataclass
class Counts:
    """What was run so far, and what was found.

    Attributes:
        inputs: how many, by kind.
        alone: how many were processes of their own.
        ended: how many that give no limit were ended from outside.
        faults: how many, by kind of input and kind of fault.
        cases: one line a fault: how to run it again, and what was seen.
        peak: the most memory, in bytes.
    """

    inputs: Counter[str] = field(default_factory=Counter)
    alone: int = 0
    ended: int = 0
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    cases: list[str] = field(default_factory=list)
    peak: int = 0

    def add(self, seen: Seen, found: Iterable[Fault]) -> None:
        """Count one more."""
        given = seen.given
        self.inputs[given.kind] += 1
        self.alone += seen.alone
        self.ended += seen.ran.stopped == "late" and given.seconds is None
        self.peak = max(self.peak, seen.ran.peak)
        for fault in found:
            self.faults[given.kind, fault.kind] += 1
            last = fault.seen.strip().splitlines()[-1:] or [""]
            again = f"--seed {given.seed} --only {given.number}"
            self.cases.append(f"{again}: {given.kind}, {fault.kind}: {last[0][:200]}")

    def data(self, seed: int) -> dict[str, Any]:
        """For JSON."""
        return {
            "seed": seed,
            "inputs": {kind: self.inputs[kind] for kind in KINDS},
            "processes": self.alone,
            "ended_without_limit": self.ended,
            "peak_bytes": self.peak,
            "faults": {fault: sum(self.faults[kind, fault] for kind in KINDS) for fault in FAULTS},
            "cases": self.cases,
        }

    def print(self, seed: int) -> None:
        """For people."""
        rows = [
            (kind, f"{self.inputs[kind]:,}", *(str(self.faults[kind, fault]) for fault in FAULTS))
            for kind in KINDS
        ]
        total = [str(sum(self.faults[kind, fault] for kind in KINDS)) for fault in FAULTS]
        rows.append(("all", f"{self.inputs.total():,}", *total))
        notes = [
            f"{self.alone:,} of them were processes of their own; {self.ended:,} that give no "
            f"limit were ended after a while; at most {self.peak / 1024**2:,.0f} MB",
            *self.cases,
        ]
        show(f"Inputs and faults, seed {seed}", ("kind", "inputs", *FAULTS), rows, notes)


def keep(folder: Path, seen: Seen, found: Iterable[Fault]) -> None:
    """Write an input and what is wrong with it into a folder of its own."""
    given = seen.given
    case = folder / f"{given.kind}-{given.seed}-{given.number}"
    case.mkdir(parents=True, exist_ok=True)
    for name, text in given.files.items():
        (case / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    told = {
        "input": {key: value for key, value in asdict(given).items() if key != "files"},
        "ran": asdict(seen.ran),
        "changed": seen.changed,
        "faults": [asdict(fault) for fault in found],
    }
    (case / "case.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def numbered(seed: int, only: int | None, most: int | None) -> Iterator[Input]:
    """The inputs of a run, one by one."""
    if only is not None:
        yield make(seed, only)
        return
    number = 0
    while most is None or number < most:
        yield make(seed, number)
        number += 1


def run_all(
    inputs: Iterator[Input], workers: int, minutes: float | None = None
) -> Generator[Seen, None, None]:
    """What comes of each input, by so many workers at once; in the order in which they are done.

    No input is begun after so many minutes.
    """
    end = None if minutes is None else time.monotonic() + minutes * 60
    taking, closing = Lock(), Event()
    done: Queue[Seen | BaseException | None] = Queue()

    def work() -> None:
        watch = Watch()
        try:
            while not closing.is_set() and (end is None or time.monotonic() < end):
                with taking:
                    given = next(inputs, None)
                if given is None:
                    break
                done.put(watch.run(given, alone=given.number % ALONE == 0))
            done.put(None)
        except BaseException as error:
            done.put(error)
        finally:
            watch.close()

    threads = [Thread(target=work) for _ in range(workers)]
    for thread in threads:
        thread.start()
    try:
        while workers:
            seen = done.get()
            if isinstance(seen, BaseException):
                raise seen
            if seen is None:
                workers -= 1
            else:
                yield seen
    finally:
        closing.set()
        for thread in threads:
            thread.join()


@click.command()
@click.option("--minutes", type=click.FloatRange(min=0), default=1.0, help="How long.")
@click.option("--seed", type=int, default=0, help="Which inputs.")
@click.option("--only", type=click.IntRange(min=0), metavar="N", help="Input number N alone.")
@click.option("--inputs", "most", type=click.IntRange(min=1), metavar="N", help="At most so many.")
@click.option("--workers", type=click.IntRange(min=1), default=1, help="So many at once.")
@click.option(
    "--keep",
    "kept",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write what fails there, each input with its files.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def fuzz(
    minutes: float,
    seed: int,
    only: int | None,
    most: int | None,
    workers: int,
    kept: Path | None,
    as_json: bool,
) -> None:
    """Put bad and odd inputs of every kind to the program, and count what goes wrong.

    The same seed makes the same inputs. Exit code 1 if something went wrong. Ctrl-C ends early,
    with what was counted so far.
    """
    counts = Counts()
    begun, told = time.monotonic(), 0.0
    run = run_all(numbered(seed, only, most), workers, None if only is not None else minutes)
    try:
        for seen in run:
            spent = time.monotonic() - begun
            found = found_in(seen)
            counts.add(seen, found)
            if sys.stderr.isatty() and spent - told > 1:
                told = spent
                left = max(0.0, minutes * 60 - spent)
                wrong = counts.faults.total()
                line = f"{counts.inputs.total():,} inputs, {wrong} faults, {left:.0f} s left"
                click.echo(f"\r{line}   ", nl=False, err=True)
            if found and kept is not None:
                keep(kept, seen, found)
            if only is not None and not as_json:
                _tell(seen, found)
    except KeyboardInterrupt:
        click.echo("\ninterrupted", err=True)
    finally:
        run.close()
    if as_json:
        click.echo(json.dumps(counts.data(seed)))
    else:
        counts.print(seed)
    if counts.faults:
        raise SystemExit(1)


def _tell(seen: Seen, found: Iterable[Fault]) -> None:
    given, ran = seen.given, seen.ran
    if given.command:
        click.echo(f"command: {given.command!r}")
    for line in given.program:
        click.echo(f"call: {line[:500]}")
    for name, text in given.files.items():
        click.echo(f"file {name}:\n{text[:3_000]}")
    click.echo(f"exit code {ran.code}, {ran.seconds:.2f} s, {ran.peak / 1024**2:.0f} MB")
    click.echo(ran.stdout[:2_000])
    click.echo(ran.stderr[:2_000])
    for fault in found:
        click.echo(f"FAULT {fault.kind}: {fault.seen}")
