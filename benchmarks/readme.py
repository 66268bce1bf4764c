"""`readme`: new measurements for the tables of speeds in `symkripke/engines/README.md`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import click

from benchmarks.common import Measurement, Seconds, Table, Tables, measurement
from benchmarks.families import families
from benchmarks.game import game
from benchmarks.growth import growth
from benchmarks.nested import nested
from benchmarks.outliers import outliers
from benchmarks.questions import questions
from benchmarks.start import start

Row = dict[str, Any]


@dataclass(frozen=True)
class Source:
    """A measurement that provides figures.

    Attributes:
        command: the measurement.
        arguments: the arguments for the published figures.
        quick: the arguments of a run that only checks that all figures can be made.
    """

    command: Measurement
    arguments: str
    quick: str

    def rows(self, quick: bool) -> dict[str, Row]:
        """Return the rows of the tables, keyed by their first cells."""
        rows: dict[str, Row] = {}
        for table in self.command.tables(*(self.quick if quick else self.arguments).split()):
            for row in table.rows:
                cells = rows.setdefault(str(row[0]), {})
                cells.update(zip(table.columns, row, strict=True))
        return rows


@dataclass(frozen=True)
class Figure:
    """A row of the table of speeds.

    Attributes:
        what: the task in words.
        row: the prefix of the row of the measurement.
        told: formats the text of the row.
    """

    what: str
    row: str
    told: Callable[[Row], str]


_MIGHT = "players: might j know the solution?"

FIGURES: Sequence[tuple[Source, Sequence[Figure]]] = (
    (
        Source(questions, "--seeds 2 --rounds 1", "--seeds 1 --players 3 --rounds 1"),
        [
            Figure(
                "a K question in the middle of six-player Cluedo",
                "one by one: engine.holds, cold",
                lambda row: (
                    f"{row['median']}, {row['x bare Minicard']:.2g} times a bare call of the solver"
                ),
            ),
        ],
    ),
    (
        Source(
            game,
            "--game cluedo --seeds 5 --part sheets",
            "--game cluedo --seeds 1 --part sheets",
        ),
        [
            Figure(
                "a whole game of six higher-order players",
                "cluedo, classic",
                lambda row: f"{row['a game']} of CPU",
            ),
            Figure(
                "a game of the size of the student study",
                "cluedo, study",
                lambda row: f"{row['a game']} of CPU; the study's own program took 17 s",
            ),
        ],
    ),
    (
        Source(growth, "--cards 1000 --rounds 1 --checked 5", "--cards 24 --rounds 1 --checked 5"),
        [
            Figure(
                "a K question at 1,000 cards",
                "",
                lambda row: f"{row['K question, cold']} the first",
            )
        ],
    ),
    (
        Source(
            nested,
            "--players 3,6 --seeds 1 --every 8 --engines sat,bdd,smt --seconds 5 --checks 1 "
            "--only solution",
            "--players 3 --seeds 1 --every 30 --engines sat,bdd,smt --seconds 0.1 --checks 1 "
            "--only solution",
        ),
        [
            *(
                Figure(what, f"{number} {_MIGHT}", told)
                for number in (3, 6)
                for what, told in (
                    (
                        '"does Plum consider it possible that Green knows the solution?", '
                        f"{number} players, first question to a new engine",
                        lambda row: str(row["new engine, first"]),
                    ),
                    (
                        f"the same question for every pair of players in turn, {number} players",
                        lambda row: f"{row['each']} each, at worst {row['worst']}",
                    ),
                    (
                        f"the same questions with our diagrams, {number} players (minimum, median)",
                        lambda row: f"{row['bdd, times as long (least, median)']} times as long",
                    ),
                    (
                        f"the same questions with z3, {number} players (minimum, median)",
                        lambda row: f"{row['smt, times as long (least, median)']} times as long",
                    ),
                )
            ),
            Figure(
                '"Plum knows that Green considers it rather improbable that the rope is in the '
                'envelope", six players, after two turns: the answer; the reason',
                "classic, 6 players",
                lambda row: f"{row['answer']}; {row['reason']}",
            ),
        ],
    ),
    (
        Source(
            outliers,
            "--game old_maid --players 3,4,5 --questions 60 --moments 4 --seeds 1 --cap 120",
            "--game old_maid --questions 3 --moments 2 --seeds 1 --players 3 --checks 1",
        ),
        [
            Figure(
                "random nested knowledge in Old Maid, where cards move, three to five "
                "players, a new engine",
                "fresh",
                lambda row: f"{row['median']}, at worst {row['worst']}",
            )
        ],
    ),
    (
        Source(start, "", "--runs 1"),
        [
            Figure(
                "the start of the command, with `--help`",
                "symkripke --help",
                lambda row: f"{row['CPU']} of CPU",
            )
        ],
    ),
)

OTHERS = {
    "ring 16": "16 players with a card each, three questions",
    "deal 4x13": "four hands of 13 cards",
    "deal 20x5": "twenty hands of five cards",
    "muddy_children 80": "80 muddy children",
    "muddy_children 160": "160 muddy children",
    "muddy_children 640": "640 muddy children",
}
"""The members of families for which SMCDEL has published times."""

_FAMILIES = Source(
    families, "--family ring --family deal --family muddy_children", "--family ring --most 16"
)

_CHECKED = "in each measurement (see benchmarks/README.md)"


@measurement("readme")
@click.option("--quick", is_flag=True, help="Run at the smallest sizes: figures mean nothing.")
def readme(quick: bool) -> Tables:
    """Which speeds does the README quote, measured on this machine?"""
    rows = []
    for source, figures in FIGURES:
        found = source.rows(quick)
        for figure in figures:
            row = next((found[name] for name in found if name.startswith(figure.row)), None)
            if row is not None:
                rows.append([figure.what, figure.told(row), f"`{source.command.name}`"])
    yield Table("Speed", ["task", "time", "benchmark"], rows, _CHECKED)
    members = _FAMILIES.rows(quick)
    known = [(what, members[name]) for name, what in OTHERS.items() if name in members]
    yield Table(
        "Beside SMCDEL 1.3 (published; whole processes): reading and answering (CPU)",
        ["family", "symkripke", "SMCDEL 1.3"],
        [
            [what, Seconds(row["read"] + row["answered"]), row["SMCDEL 1.3 (published)"]]
            for what, row in known
            if row["answered"] is not None
        ],
        _CHECKED,
    )
