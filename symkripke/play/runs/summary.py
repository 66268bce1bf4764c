"""Summaries of many games: shares of wins, lengths, and the knowledge of players over time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from symkripke.play.runs.statistics import Share, mean, quantile, wilson
from symkripke.play.runs.tournament import Plan, Played


@dataclass(frozen=True)
class Kind:
    """The results of a kind of mind.

    Attributes:
        mind: the kind of mind.
        games: the share of the games with this kind that a player of this kind won. Games are
            independent, so the interval is valid.
        seats: the share of the seats of this kind that won. Seats of one game are not independent
            (usually at most one seat wins), so the interval is slightly too wide.
        lost_games: the share of the games with this kind and a winner in which a player of this
            kind lost.
        lost_seats: the share of the seats of this kind in these games that did not win.
    """

    mind: str
    games: Share
    seats: Share
    lost_games: Share
    lost_seats: Share


@dataclass(frozen=True)
class Seat:
    """The results of a seat.

    Attributes:
        seat: the number of the seat, from 0.
        player: the player at the seat.
        games: the share of all games that the seat won.
        lost: the share of games with a winner that the seat did not win.
    """

    seat: int
    player: str
    games: Share
    lost: Share


@dataclass(frozen=True)
class Length:
    """The turns in which finished games ended; by `most90`, nine of ten games had ended."""

    mean: float
    median: float
    most90: float
    longest: int


@dataclass(frozen=True)
class Point:
    """A point of the curve: the number of answers that are still open after a turn.

    Attributes:
        turn: the turn; 0: after the deal.
        games: the number of games that were still running in that turn.
        running: the mean over the players of each kind of mind in these games. It can rise, as in
            the study, because quick games drop out when they are over.
        kept: the mean over the players of each kind in all games, in which finished games keep
            their last value. It rises only if the number of a player rises.
    """

    turn: int
    games: int
    running: Mapping[str, float]
    kept: Mapping[str, float]


@dataclass(frozen=True)
class Summary:
    """The summary of a run.

    Attributes:
        games: the number of games.
        kinds: the results by kind of mind, in seat order.
        seats: the results by seat.
        length: the lengths of finished games; None if no game ended.
        unfinished: the number of games that were given up.
        nobody: the number of games that ended without a winner.
        curve: the open answers by turn, while any game was running; empty if players were not
            assessed.
        cpu: the mean processor time of a game in seconds, over the games whose time was counted.
    """

    games: int
    kinds: tuple[Kind, ...]
    seats: tuple[Seat, ...]
    length: Length | None
    unfinished: int
    nobody: int
    curve: tuple[Point, ...]
    cpu: float


class Tally:
    """A counter of games. All counts of results are integers, so the order does not matter."""

    def __init__(self, run: Plan) -> None:
        """Create a tally without games."""
        self.run = run
        self.games = 0
        self._won: Counter[str] = Counter()
        self._took_part: Counter[str] = Counter()
        self._seats: Counter[str] = Counter()
        self._seats_won: Counter[str] = Counter()
        self._by_seat: Counter[int] = Counter()
        # The following counts are for games with a winner.
        self._decided = 0
        self._lost: Counter[str] = Counter()
        self._part_decided: Counter[str] = Counter()
        self._seats_decided: Counter[str] = Counter()
        self._lengths: Counter[int] = Counter()
        self._unfinished = 0
        self._nobody = 0
        self._timed = 0
        self._cpu = 0.0
        # The number of running games, by turn. The sum and the number of values of open answers, by
        # turn and kind: over the games running in that turn, and over the games that end with it.
        self._running: Counter[int] = Counter()
        self._open: defaultdict[tuple[int, str], list[int]] = defaultdict(lambda: [0, 0])
        self._last: defaultdict[tuple[int, str], list[int]] = defaultdict(lambda: [0, 0])

    def add(self, played: Played, *, timed: bool = True) -> None:
        """Count a game; with `timed`, count its processor time, too."""
        self.games += 1
        if timed:
            self._timed += 1
            self._cpu += played.cpu
        self._by_seat.update(played.winners)
        won = [played.minds[seat] for seat in played.winners]
        self._seats.update(played.minds)
        self._seats_won.update(won)
        self._took_part.update(set(played.minds))
        self._won.update(set(won))
        if played.winners:
            lost = [m for s, m in enumerate(played.minds) if s not in played.winners]
            self._decided += 1
            self._lost.update(set(lost))
            self._seats_decided.update(played.minds)
            self._part_decided.update(set(played.minds))
        if not played.finished:
            self._unfinished += 1
        else:
            self._lengths[played.turns] += 1
            self._nobody += not played.winners
        self._add_course(played)

    def _add_course(self, played: Played) -> None:
        after = dict(played.course)  # the last event of each turn
        if not after:
            return
        snapshots = after[0]
        for turn in range(played.turns + 1):
            snapshots = after.get(turn, snapshots)  # a turn may have no event
            self._running[turn] += 1
            for mind, snapshot in zip(played.minds, snapshots, strict=True):
                _count(self._open[turn, mind], snapshot.open, 1)
        for mind, snapshot in zip(played.minds, snapshots, strict=True):
            _count(self._last[played.turns, mind], snapshot.open, 1)

    def summary(self) -> Summary:
        """Return the summary of the games so far."""
        players = self.run.setup.players
        return Summary(
            self.games,
            tuple(
                Kind(
                    mind,
                    wilson(self._won[mind], self._took_part[mind]),
                    wilson(self._seats_won[mind], self._seats[mind]),
                    wilson(self._lost[mind], self._part_decided[mind]),
                    wilson(
                        self._seats_decided[mind] - self._seats_won[mind],
                        self._seats_decided[mind],
                    ),
                )
                for mind in dict.fromkeys(self.run.minds)
            ),
            tuple(
                Seat(
                    seat,
                    player,
                    wilson(self._by_seat[seat], self.games),
                    wilson(self._decided - self._by_seat[seat], self._decided),
                )
                for seat, player in enumerate(players)
            ),
            self._length(),
            self._unfinished,
            self._nobody,
            tuple(self._curve()),
            self._cpu / self._timed if self._timed else 0.0,
        )

    def _length(self) -> Length | None:
        if not self._lengths:
            return None
        return Length(
            float(mean(self._lengths)),
            float(quantile(self._lengths, Fraction(1, 2))),
            float(quantile(self._lengths, Fraction(9, 10))),
            max(self._lengths),
        )

    def _curve(self) -> list[Point]:
        kinds = list(dict.fromkeys(self.run.minds))
        over = {mind: [0, 0] for mind in kinds}
        points = []
        for turn in sorted(self._running):
            running, kept = {}, {}
            for mind in kinds:
                total, number = self._open[turn, mind]
                ended, of = over[mind]
                if number:
                    running[mind] = total / number
                if number + of:
                    kept[mind] = (total + ended) / (number + of)
                _count(over[mind], *self._last[turn, mind])
            points.append(Point(turn, self._running[turn], running, kept))
        return points


def _count(into: list[int], total: int, number: int) -> None:
    into[0] += total
    into[1] += number
