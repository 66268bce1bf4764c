"""What all commands share: what was done, and what is wrong; processes seen from outside."""

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
    """What a command did, and what is wrong.

    Attributes:
        done: how often each thing was done, by its name.
        faults: what is wrong, in words.
        notes: what else is worth knowing.
    """

    done: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._begun = time.monotonic()

    def fault(self, told: str) -> None:
        """Note something wrong, and print it at once."""
        self.faults.append(told)
        click.echo(f"FAULT {told}")

    def check(self, right: bool, told: str) -> None:
        """Note a fault unless `right`."""
        if not right:
            self.fault(told)

    def report(self) -> None:
        """Print the counts; exit with 1 if there are faults."""
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
    """What is in a folder: the bytes of files; of Parquet the columns, their types and the rows."""
    found: dict[str, object] = {}
    for path in sorted(folder.glob(pattern)):
        name = str(path.relative_to(folder))
        found[name] = path.read_bytes() if path.is_file() else None
        if path.suffix == ".parquet":
            frame = import_module("polars").read_parquet(path)
            found[name] = [*frame.schema.items(), *frame.rows()]
    return found


def memory_of(process: int | str | None = "self", kind: str = "VmRSS") -> int:
    """Return the bytes that a process holds (VmRSS) or held at most (VmHWM); 0 if it has ended.

    `ru_maxrss` would count what the parent held when it made the process.
    """
    with suppress(OSError):
        told = Path(f"/proc/{process}/status").read_text(encoding="utf-8", errors="replace")
        if found := re.search(rf"{kind}:\s+(\d+) kB", told):
            return int(found[1]) * 1024
    return 0


def forget_peak() -> None:
    """Count the most memory held by this process from here on, where the system can (Linux)."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def processor_seconds(process: int | None) -> float:
    """Return the processor time of a process; 0 if it has ended."""
    with suppress(OSError):
        told = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
        fields = told.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0
