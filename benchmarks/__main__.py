"""`python -m benchmarks NAME`."""

from __future__ import annotations

import click

from benchmarks.counts import counts
from benchmarks.families import families
from benchmarks.fuzz.command import fuzz
from benchmarks.game import game
from benchmarks.growth import growth
from benchmarks.insight import insight
from benchmarks.kills.command import kills
from benchmarks.nested import nested
from benchmarks.outliers import outliers
from benchmarks.perudo import invariants as perudo_invariants
from benchmarks.perudo import questions as perudo_questions
from benchmarks.perudo import robin as perudo_robin
from benchmarks.puzzles import puzzles
from benchmarks.questions import questions
from benchmarks.rivals import rivals
from benchmarks.sleuth import sleuth
from benchmarks.study import study
from benchmarks.table import table
from benchmarks.versus_explicit import versus_explicit


@click.group(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
def main() -> None:
    """Benchmarks. Answers are checked before a time is shown; a wrong one ends it."""


COMMANDS = (
    versus_explicit,
    questions,
    game,
    study,
    growth,
    nested,
    outliers,
    insight,
    rivals,
    families,
    fuzz,
    kills,
    puzzles,
    counts,
    perudo_questions,
    perudo_invariants,
    perudo_robin,
    sleuth,
    table,
)
for command in COMMANDS:
    main.add_command(command)

if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
