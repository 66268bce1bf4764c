"""`game`: whole games and whole processes."""

from __future__ import annotations

import shutil
import sys
from functools import partial
from pathlib import Path

import click

from benchmarks.common import (
    CluedoTable,
    check,
    duration,
    median,
    played,
    ratio,
    run_often,
    setup_of,
    show,
    timed,
)
from benchmarks.reference import ReferenceSolver
from symkripke_games.cluedo.knowledge import envelope_atoms


def verify(table: CluedoTable) -> None:
    """Raises `WrongAnswer` unless the winner was right, and could know it just then, not before.

    By the reference solver: the solution follows from what the winner had seen before it
    accused, and for every player, did not follow when that player last ended a turn without
    accusing.
    """
    check(bool(table.state.winners), f"game {table.seed}: nobody won ({table.result})")
    events = [step.outcome.public for step in table.steps]
    inside = [atom for atom in envelope_atoms(table.setup) if table.deal[atom.fluent] == atom.value]
    winner = table.state.winners[0]
    with ReferenceSolver(table.setup, events[:-1]) as reference:
        mine = table.scenes[-2].perspective(winner)
        check(
            all(reference.knows(mine, atom) for atom in inside),
            f"game {table.seed}: {winner} accused before it could know",
        )
    for number in range(len(events) - 1):
        if events[number].turn == events[-1].turn:
            continue
        # Whose turn ended with this event knew nothing yet, or it would have accused.
        player = events[number].player
        with ReferenceSolver(table.setup, events[: number + 1]) as reference:
            theirs = table.scenes[number + 1].perspective(player)
            check(
                not all(reference.knows(theirs, atom) for atom in inside),
                f"game {table.seed}: {player} knew in turn {events[number].turn}, and was silent",
            )


def _program() -> str | None:
    beside = Path(sys.executable).parent / "symkripke"
    return str(beside) if beside.exists() else shutil.which("symkripke")


@click.command(short_help="Complete games, and whole processes.")
@click.option("--seeds", type=click.IntRange(1), default=20, help="How many games to time.")
@click.option("--players", type=click.IntRange(3, 6), default=6, help="How many play.")
@click.option("--runs", type=click.IntRange(1), default=5, help="Runs of each whole process.")
def game(seeds: int, players: int, runs: int) -> None:
    """A complete game of higher-order players, and whole processes of the command line."""
    setup = setup_of("classic", players)
    played(setup, 0)  # imports and first-time costs of the interpreter
    tables = [played(setup, seed) for seed in range(seeds)]
    for table in tables:
        verify(table)
    seconds = []
    for table in tables:
        took, again = timed(partial(played, setup, table.seed))
        check(
            [step.story for step in again.steps] == [step.story for step in table.steps],
            f"game {table.seed}: the same seed gave another game",
        )
        seconds.append(took)
    turns = [table.steps[-1].turn for table in tables]
    show(
        f"Complete games in-process: classic 6/6/9, {players} higher-order players",
        ["games", "median", "worst", "a turn", "turns (median)"],
        [
            [
                str(seeds),
                duration(median(seconds)),
                duration(max(seconds)),
                duration(sum(seconds) / sum(turns)),
                f"{median(turns):.0f}",
            ]
        ],
        [
            "checked: every winner's accusation follows, and nobody could have accused earlier "
            "(CaDiCaL, clause encodings); the same seed gives the same game",
        ],
    )
    bare = run_often([sys.executable, "-c", "pass"], 2 * runs - 1)
    rows = [["python -c pass", duration(median(bare.seconds)), "1", ""]]
    program = _program() or "symkripke"
    played_as = ["play", "cluedo", "--players", str(players), "--seed", "7"]
    for arguments, number in ((["--help"], 2 * runs - 1), (played_as, runs)):
        done = run_often([program, *arguments], number)
        rows.append(
            [
                f"symkripke {' '.join(arguments)}",
                duration(median(done.seconds)),
                ratio(median(done.seconds), median(bare.seconds)) if done.seconds else "-",
                f"not available: {done.failure}" if done.failure else "",
            ]
        )
    show("Whole processes (medians)", ["command", "time", "ratio", ""], rows)
