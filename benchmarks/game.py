"""`game`: whole games of all five kinds, their sheets, typed tables and reviews."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import click
from rich.console import Console

from benchmarks.common import (
    Seconds,
    Table,
    Tables,
    check,
    clocked,
    measurement,
    median,
    ratio,
    spread,
)
from benchmarks.reference import ReferenceSolver
from symkripke.cli.line_reader import LineReader
from symkripke.cli.options import Limits
from symkripke.cli.table_dialogue import AtTheTable
from symkripke.engines import engine
from symkripke.model import Scene
from symkripke.play import Journal, Record, View
from symkripke.play import Table as PlayTable
from symkripke.play import game as game_named
from symkripke.play.dealing import location
from symkripke.play.odds import deals
from symkripke.play.review import Reviewing
from symkripke_games.cluedo.knowledge import envelope_atoms
from symkripke_games.sleuth.gems import HIDDEN
from symkripke_games.sleuth.questions import Survey
from tests.support.typed import typed

Played = PlayTable[Any, Any]


@dataclass(frozen=True)
class Case:
    """Games of one kind.

    Attributes:
        name: the game.
        setup: the options of its setup.
        minds: the minds of the players.
        published: the processor time in seconds that the study's own program takes for such a game.
    """

    name: str
    setup: Mapping[str, Any]
    minds: tuple[str, ...] = ()
    published: float | None = None

    def play(self, seed: int) -> Played:
        """Return a finished game."""
        table: Played = PlayTable.of(
            game_named(self.name), minds=self.minds, seed=seed, **self.setup
        )
        for _ in table:
            pass
        return table

    def __str__(self) -> str:
        return f"{self.name}, {', '.join(str(value) for value in self.setup.values())}"


_STUDY = ("first-order", "first-order", "higher-order", "higher-order")

CASES = [
    Case("cluedo", {"rules": "classic", "players": 6}),
    Case("cluedo", {"rules": "study", "players": 4, "size": "3/3/4"}, _STUDY, 17.0),
    *(Case("sleuth", {"rules": "classic", "players": n}, ("gain",)) for n in (3, 5, 7)),
    Case("sleuth", {"rules": "study", "players": 5}, ("gain",)),
    Case("kwartet", {"rules": "classic", "players": 4}, ("second-order",)),
    Case("kwartet", {"rules": "study", "players": 3}, ("second-order",)),
    Case("old_maid", {"rules": "classic", "players": 4}),
    Case("old_maid", {"rules": "study", "players": 3}, ("logic", "epistemic", "random")),
    Case("perudo", {"rules": "classic", "players": 6}, ("study",)),
    Case("perudo", {"rules": "study", "players": 3}, ("study",), 1 / 288),
]
"""The published times of the studies come from a comparable machine."""

# ---- checks ----------------------------------------------------------------------------


def verify(table: Played) -> None:
    """Raise `WrongAnswer` unless the log replays the same game and the winner knew the answer."""
    where = f"{table.game.name}, game {table.seed}"
    check(table.state.result is not None, f"{where} did not end")
    told = Record.parse("\n".join(table.record.lines())).replay().states
    worlds = [one.world for one in told if isinstance(one, Scene)]
    check(worlds == [one.world for one in table.scenes], f"{where}: its log tells another game")
    special = _SPECIAL.get(table.game.name)
    if special is not None:
        special(table, where)


def _verify_cluedo(table: Played, where: str) -> None:
    """Check a classic game with `_verify_winner`, and a study game against the explicit engine."""
    if table.setup.rules == "classic":
        _verify_winner(table, where)
        return
    atoms, asked, explicit = envelope_atoms(table.setup), engine("sat"), engine("explicit")
    for number, scene in enumerate(table.scenes):
        for player in table.setup.players:
            seen = scene.perspective(player)
            same = asked.possibilities(seen, atoms) == explicit.possibilities(seen, atoms)
            check(same, f"{where}: {player}'s solutions differ after {number} events")


def _verify_winner(table: Played, where: str) -> None:
    """Check with the reference solver that the winner was right, and knew it just then.

    The solution must follow from what the winner had seen before accusing. For every player, it
    must not have followed when that player last ended a turn without accusing.
    """
    check(bool(table.state.winners), f"{where}: nobody won ({table.result})")
    events = [step.outcome.public for step in table.steps]
    inside = [atom for atom in envelope_atoms(table.setup) if table.deal[atom.fluent] == atom.value]
    winner = table.state.winners[0]
    with ReferenceSolver(table.setup, events[:-1]) as reference:
        mine = table.scenes[-2].perspective(winner)
        knew = all(reference.knows(mine, atom) for atom in inside)
        check(knew, f"{where}: {winner} accused before it could know")
    for number in range(len(events) - 1):
        if events[number].turn == events[-1].turn:
            continue
        # The player whose turn ended with this event knew nothing yet, or would have accused.
        player = events[number].player
        with ReferenceSolver(table.setup, events[: number + 1]) as reference:
            theirs = table.scenes[number + 1].perspective(player)
            knew = all(reference.knows(theirs, atom) for atom in inside)
            check(not knew, f"{where}: {player} knew in turn {events[number].turn}, and was silent")


def _verify_sleuth(table: Played, where: str) -> None:
    """Check that the winner was certain and right, and that both ways of counting deals agree."""
    check(bool(table.state.winners), f"{where}: nobody won ({table.result})")
    winner, last = table.state.winners[0], table.steps[-1].outcome.public
    check(table.deal[location(last.gem)] == HIDDEN, f"{where}: the wrong gem")
    before = _view(table, winner, len(table.steps) - 1)
    certain = table.players[winner].assess(before).certain
    check(certain, f"{where}: {winner} declared before it could know")
    middle, counting = _view(table, winner, len(table.steps) // 2), engine("bdd")
    names = [location(gem.id) for gem in table.setup.edition.gems]
    steps = counting.steps(middle.perspective, names, merged=table.setup.players).worlds
    number = deals(counting, middle.perspective)
    check(steps == number, f"{where}: {steps:,} deals by steps, {number:,} by diagrams")
    for gem, places in Survey(table.engine, middle).places.items():
        check(table.deal[location(gem)] in places, f"{where}: {winner} rules out where {gem} is")


def _view(table: Played, player: str, events: int) -> View[Any, Any]:
    record = [step.outcome.public for step in table.steps[:events]]
    return View(table.setup, table.scenes[events].perspective(player), record)


_SPECIAL: Mapping[str, Callable[[Played, str], None]] = {
    "cluedo": _verify_cluedo,
    "sleuth": _verify_sleuth,
}

# ---- clocks ----------------------------------------------------------------------------


def sheet_times(table: Played) -> list[Seconds]:
    """Return the time of one sheet after each event, for the players in turn, by one engine."""
    moment, fresh, found = table.moment, engine("sat"), []
    for events in range(1, moment.events + 1):
        player = table.setup.players[events % len(table.setup.players)]
        found.append(clocked(partial(moment.after(events).sheet, player, fresh))[0])
    return found


def review_time(record: Record[Any, Any]) -> Seconds:
    """Return the time of a review."""

    def review() -> int:
        work = Reviewing(record)
        for _ in work:
            pass
        return len(work.review().events)

    took, events = clocked(review)
    number = len(record.outcomes)
    check(events == number, f"{record.game.name}: a review of {events} events, not {number}")
    return took


class _Unseen(AtTheTable):
    """A dialogue whose output is discarded."""

    def __init__(self, journal: Journal[Any, Any]) -> None:
        super().__init__(journal, LineReader("benchmark"), plain=False, limits=Limits())
        self.shows_sheet = True
        self.out = Console(file=io.StringIO(), force_terminal=True, width=80)


def typing_times(table: Played) -> tuple[list[int], list[Seconds]]:
    """Return, for each line typed at the first seat, its length and the time until the new sheet.

    Raises:
        WrongAnswer: the typed log differs from the game played, or yields another sheet.
    """
    record, name = table.record.seen_by(table.setup.players[0]), table.game.name
    assert record.seat is not None
    with tempfile.TemporaryDirectory() as folder:
        lines = [line.text for line in typed(record, Path(folder) / "aside.jsonl", Random(0))]
        journal = Journal.begin(
            Path(folder) / "table.jsonl", record.game, record.setup, seat=record.seat, replace=True
        )
        dialogue = _Unseen(journal)
        times = [clocked(partial(dialogue.entered, line))[0] for line in lines]
        same = list(Record.read(journal.path).outcomes) == list(record.outcomes)
        check(same, f"{name}: what was typed is not what was played")
        now, then = journal.moment, record.replay()
        same = now.marks(record.seat.player) == then.marks(record.seat.player)
        check(same, f"{name}: the sheet is not that of the game")
    return [len(line) for line in lines], times


@dataclass
class Found:
    """The times of the games of one kind."""

    games: list[Seconds] = field(default_factory=list)
    events: int = 0
    sheets: list[Seconds] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    typing: list[Seconds] = field(default_factory=list)
    reviews: list[Seconds] = field(default_factory=list)


def measure(case: Case, seeds: Iterable[int], parts: Sequence[str]) -> Found:
    """Play games of one kind, and measure the chosen parts."""
    found = Found()
    for seed in seeds:
        took, table = clocked(partial(case.play, seed))
        found.games.append(took)
        found.events += len(table.steps)
        verify(table)
        if "sheets" in parts:
            found.sheets += sheet_times(table)
        if "typing" in parts:
            lengths, times = typing_times(table)
            found.lengths += lengths
            found.typing += times
        if "reviews" in parts:
            found.reviews.append(review_time(table.record))
    return found


PARTS = ("sheets", "typing", "reviews")


@measurement("game")
@click.option("--game", "names", multiple=True, type=click.Choice(sorted({c.name for c in CASES})))
@click.option("--seeds", type=click.IntRange(1), default=5, help="Games of each kind.")
@click.option("--part", "parts", multiple=True, type=click.Choice(PARTS), help="[default: all]")
@click.option("--most", type=click.IntRange(3), default=7, help="The most players.")
def game(names: Sequence[str], seeds: int, parts: Sequence[str], most: int) -> Tables:
    """How long do whole games, sheets, typed tables and reviews take, compared with the studies?"""
    parts = parts or PARTS
    found = []
    for case in CASES:
        if (names and case.name not in names) or case.setup["players"] > most:
            continue
        measure(case, [0], ())  # pays for imports and first-time costs of the interpreter
        found.append((case, measure(case, range(seeds), parts)))
    checked = (
        "each log tells the same game; Cluedo's winners know just then (CaDiCaL), or their "
        "solutions are those of explicit (study); Sleuth's winners are certain, and its deals "
        "are counted in two ways"
    )
    yield Table(
        f"Whole games ({seeds} of each kind, CPU)",
        ["game", "a game", "worst", "an event", "the study's program", "times ours"],
        [
            [
                str(case),
                median(times.games),
                max(times.games),
                Seconds(sum(times.games) / times.events),
                None if case.published is None else Seconds(case.published),
                ratio(case.published, sum(times.games) / seeds),
            ]
            for case, times in found
        ],
        checked,
    )
    yield Table(
        "Sheets, typed tables at the first seat, and reviews (CPU)",
        [
            *("game", "sheets", "a sheet", "9 of 10", "worst"),
            *("characters typed an event", "to the new sheet", "worst to it", "a review"),
        ],
        [
            [
                str(case),
                len(times.sheets),
                *spread(times.sheets),
                float(median(times.lengths)),
                median(times.typing),
                max(times.typing, default=None),
                median(times.reviews),
            ]
            for case, times in found
        ],
        "the game that is typed is the one that was played, with the same sheet; a review is of "
        "all events",
    )
