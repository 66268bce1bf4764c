"""`table`: a real table in the terminal: how much is typed, and how soon the new sheet is there."""

from __future__ import annotations

import io
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

import click
from rich.console import Console

from benchmarks.common import check, duration, median, show
from symkripke.cli.line_reader import LineReader
from symkripke.cli.options import Limits
from symkripke.cli.table_dialogue import AtTheTable
from symkripke.play import Journal, Record, Table, game, game_names
from symkripke.testing.typed import Line, typed

_SETUPS: dict[str, dict[str, Any]] = {
    "cluedo": {"players": 6},
    "kwartet": {"players": 4},
    "sleuth": {"players": 5},
    "old_maid": {"players": 4},
    "perudo": {"players": 4},
}
_WIDE = 80


class _Timed(AtTheTable):
    """A dialogue that nobody watches, and that notes when the sheet is there."""

    def __init__(self, journal: Journal[Any, Any]) -> None:
        super().__init__(journal, LineReader("benchmark"), plain=False, limits=Limits())
        self.shows_sheet = True
        self.out = Console(file=io.StringIO(), force_terminal=True, width=_WIDE)

    def seconds(self, text: str) -> float:
        """From Enter to the new sheet."""
        begun = time.process_time()
        self.entered(text)
        return time.process_time() - begun


def _seat_log(name: str, seed: int) -> Record[Any, Any]:
    """The log of the first player of a whole game of the classic rules, at full size."""
    played: Table[Any, Any] = Table.of(game(name), seed=seed, **_SETUPS[name])
    for _ in played:
        pass
    return played.record.seen_by(played.setup.players[0])


def _measure(record: Record[Any, Any], folder: Path) -> tuple[list[Line], list[float]]:
    """The lines of a game, and how long each took."""
    lines = list(typed(record, folder / "aside.jsonl", Random(0)))
    assert record.seat is not None
    journal = Journal.begin(
        folder / "table.jsonl", record.game, record.setup, seat=record.seat, replace=True
    )
    dialogue = _Timed(journal)
    took = [dialogue.seconds(line.text) for line in lines]
    check(
        list(Record.read(journal.path).outcomes) == list(record.outcomes),
        f"{record.game.name}: what was typed is not what was played",
    )
    now, then = journal.moment, record.replay()
    check(
        now.marks(record.seat.player) == then.marks(record.seat.player),
        f"{record.game.name}: the sheet is not that of the game",
    )
    return lines, took


@click.command()
@click.option("--games", default=3, help="How many games of each.")
@click.argument("names", nargs=-1)
def table(games: int, names: tuple[str, ...]) -> None:
    """Real tables, typed in short forms: characters an event, and from Enter to the new sheet.

    In process, classic rules at full size, from the first seat.
    """
    rows = []
    for name in names or [name for name in game_names() if name in _SETUPS]:
        if not game(name).acts:
            click.echo(f"{name}: its events cannot be typed yet")
            continue
        lengths: list[int] = []
        took: list[float] = []
        for seed in range(games):
            with tempfile.TemporaryDirectory() as folder:
                lines, seconds = _measure(_seat_log(name, seed), Path(folder))
            lengths += [len(line.text) for line in lines]
            took += seconds
        rows.append(
            (
                name,
                str(len(lengths)),
                f"{median(lengths):.0f}",
                str(max(lengths)),
                duration(median(took)),
                duration(max(took)),
            )
        )
    show(
        "Real tables",
        ("game", "events", "typed (median)", "longest", "to the sheet (median)", "worst"),
        rows,
    )
