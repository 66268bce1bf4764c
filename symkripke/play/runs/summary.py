"""Summaries of many games: who won how often, lengths, and who knew how much when."""

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
        mind: the kind.
        games: the share of its games that a player of this kind won. Games are independent, so the
            interval is right.
        seats: the share of its seats in all games that won. Seats of one game are not independent
            (mostly one wins at most), so the interval is a little too wide.
        lost_games: the share of its games with a winner that no player of this kind won.
        lost_seats: the share of its seats in these games that did not win.
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
        seat: its number, from 0.
        player: the player there.
        games: the share of all games that it won.
        lost: the share of games with a winner that it did not win.
    """

    seat: int
    player: str
    games: Share
    lost: Share


@dataclass(frozen=True)
class Length:
    """The turns in which finished games ended; `most90`: nine of ten had ended by then."""

    mean: float
    median: float
    most90: float
    longest: int


@dataclass(frozen=True)
class Point:
    """A point of the curve: answers that are still open after a turn.

    Attributes:
        turn: the turn; 0: after the deal.
        games: the number of games that were still running in that turn.
        running: for each kind of mind, the mean over its players in these games. It can rise, as in
            the study, because quick games are left out when they are over.
        kept: the mean over its players in all games; games that are over keep their last value. It
            rises only if a player's own number does.
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
        kinds: by kind of mind, in seat order.
        seats: by seat.
        length: None if no game ended.
        unfinished: games that were given up.
        nobody: games that ended without a winner.
        curve: turn by turn while any game was running; empty if players were not assessed.
        cpu: seconds of processor time for each game, over the games whose time was counted.
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
    """Counts games one by one; all counts are integers, so the order does not matter."""

    def __init__(self, run: Plan) -> None:
        """Create a tally without games."""
        self.run = run
        self.games = 0
        self._won: Counter[str] = Counter()
        self._took_part: Counter[str] = Counter()
        self._seats: Counter[str] = Counter()
        self._seats_won: Counter[str] = Counter()
        self._by_seat: Counter[int] = Counter()
        # The same for games with a winner.
        self._decided = 0
        self._lost: Counter[str] = Counter()
        self._part_decided: Counter[str] = Counter()
        self._seats_decided: Counter[str] = Counter()
        self._lengths: Counter[int] = Counter()
        self._unfinished = 0
        self._nobody = 0
        self._timed = 0
        self._cpu = 0.0
        # By turn: the games running. By turn and kind: sum and number of open answers, over the
        # games running in that turn, and over those whose last turn it was.
        self._running: Counter[int] = Counter()
        self._open: defaultdict[tuple[int, str], list[int]] = defaultdict(lambda: [0, 0])
        self._last: defaultdict[tuple[int, str], list[int]] = defaultdict(lambda: [0, 0])

    def add(self, played: Played, *, timed: bool = True) -> None:
        """Count a game; `timed`: the time that it took, too."""
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
