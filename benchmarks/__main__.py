"""`python -m benchmarks NAME`."""

from __future__ import annotations

import click

from benchmarks.advice import advice
from benchmarks.counts import counts
from benchmarks.determinism import determinism
from benchmarks.engines import engines
from benchmarks.events import events
from benchmarks.families import families
from benchmarks.fuzz.command import fuzz
from benchmarks.game import game
from benchmarks.growth import growth
from benchmarks.insight import insight
from benchmarks.kills.command import kills
from benchmarks.kills.experiments import experiment_kills
from benchmarks.memory import memory
from benchmarks.nested import nested
from benchmarks.outliers import outliers
from benchmarks.overruns import overruns
from benchmarks.peeking import peeking
from benchmarks.peers import peers
from benchmarks.perudo import invariants as perudo_invariants
from benchmarks.perudo import questions as perudo_questions
from benchmarks.perudo import robin as perudo_robin
from benchmarks.puzzles import puzzles
from benchmarks.questions import questions
from benchmarks.reviews import reviews
from benchmarks.rivals import rivals
from benchmarks.scale import scale
from benchmarks.secrecy import secrecy
from benchmarks.sleuth import sleuth
from benchmarks.slips import slips
from benchmarks.studies import studies_command
from benchmarks.study import study
from benchmarks.table import table
from benchmarks.threads import threads
from benchmarks.unnoticed import unnoticed
from benchmarks.versus_explicit import versus_explicit
from benchmarks.web.command import web
from benchmarks.work import work


@click.group(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
def main() -> None:
    """Benchmarks. Answers are checked before a time is shown; a wrong one ends it."""


COMMANDS = (
    versus_explicit,
    questions,
    game,
    study,
    studies_command,
    growth,
    memory,
    nested,
    outliers,
    insight,
    overruns,
    reviews,
    rivals,
    families,
    engines,
    events,
    unnoticed,
    peers,
    work,
    fuzz,
    kills,
    experiment_kills,
    scale,
    determinism,
    peeking,
    advice,
    secrecy,
    puzzles,
    counts,
    perudo_questions,
    perudo_invariants,
    perudo_robin,
    sleuth,
    threads,
    slips,
    table,
    web,
)
for command in COMMANDS:
    main.add_command(command)

if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
