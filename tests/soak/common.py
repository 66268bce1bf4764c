"""Shared parts of all commands: counts and faults, and measurements of processes."""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

import click


@dataclass
class Found:
    """The counts and faults of a command.

    Attributes:
        done: the number of times that each thing was done, by name.
        faults: descriptions of faults.
        notes: additional information.
    """

    done: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._begun = time.monotonic()

    def fault(self, told: str) -> None:
        """Record a fault, and print it at once."""
        self.faults.append(told)
        click.echo(f"FAULT {told}")

    def check(self, right: bool, told: str) -> None:
        """Record a fault unless `right`."""
        if not right:
            self.fault(told)

    def report(self) -> None:
        """Print the counts; exit with code 1 if there are faults."""
        for what, number in self.done.items():
            click.echo(f"{what}: {number:,}")
        for note in self.notes:
            click.echo(note)
        spent = time.monotonic() - self._begun
        click.echo(f"{self.done.total():,} in all, {len(self.faults)} faults, {spent:.0f} s")
        if self.faults:
            raise SystemExit(1)


SMALL_STUDY = """title = "A small one"
question = "Who loses?"
game = "old_maid"
rules = "study"
players = 3
seed = 3
rotate = true
curve = true
games = 60
measures = ["given-away"]
[[condition]]
name = "{mind} among others"
minds = ["{mind}"]
fill = "random"
[condition.each]
mind = ["logic", "epistemic"]
[stop]
rule = "interval"
figure = "losses"
mind = "random"
width = 0.01
every = 15
"""


def contents(folder: Path, pattern: str = "**/*") -> dict[str, object]:
    """Return a folder's content: bytes of files; columns, types and rows of Parquet files."""
    found: dict[str, object] = {}
    for path in sorted(folder.glob(pattern)):
        name = str(path.relative_to(folder))
        found[name] = path.read_bytes() if path.is_file() else None
        if path.suffix == ".parquet":
            frame = import_module("polars").read_parquet(path)
            found[name] = [*frame.schema.items(), *frame.rows()]
    return found


def memory_of(process: int | str | None = "self", kind: str = "VmRSS") -> int:
    """Return the memory of a process in bytes, now (VmRSS) or at most (VmHWM); 0 if it has ended.

    `ru_maxrss` would include the memory of the parent when it created the process.
    """
    with suppress(OSError):
        told = Path(f"/proc/{process}/status").read_text(encoding="utf-8", errors="replace")
        if found := re.search(rf"{kind}:\s+(\d+) kB", told):
            return int(found[1]) * 1024
    return 0


def forget_peak() -> None:
    """Reset the peak memory of this process, where the system supports it (Linux)."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def processor_seconds(process: int | None) -> float:
    """Return the processor time of a process in seconds; 0 if it has ended."""
    with suppress(OSError):
        told = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
        fields = told.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0
