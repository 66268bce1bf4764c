"""The results of the games of a condition as numbers, read from its rows, column by column.

A figure is the ratio of two sums over games, for one kind of mind: the wins of its seats divided by
the games of its seats, or the bits that it gave away divided by its seat-games. `ratio` gives both
terms for each deal, in the order of the deals. So intervals can treat deals, and not seats or games
of one deal, as independent.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from symkripke.experiments.experiment import Condition
from symkripke.play.measure import Figure
from symkripke.play.runs.result_files import parquet_faults, row_file

if TYPE_CHECKING:
    import polars

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Ratio:
    """A figure, deal by deal.

    Attributes:
        deals: the numbers of the deals.
        of: the numerator of each deal: the sum over its games, shape [deals].
        per: the denominator of each deal, shape [deals]; deals where it is 0 do not count.
        games: the number of games of each deal that count, shape [deals].
        share: whether the figure is a share: `of` counts a part of `per`.
        bounds: the least and the greatest value of a share that the seats allow.
    """

    deals: npt.NDArray[np.int64]
    of: Numbers
    per: Numbers
    games: npt.NDArray[np.int64]
    share: bool
    bounds: tuple[float, float] = (0.0, 1.0)

    def where(self, deals: npt.NDArray[np.bool_]) -> Ratio:
        """Return the figure for a selection of its deals."""
        arrays = {name: getattr(self, name)[deals] for name in ("deals", "of", "per", "games")}
        return replace(self, **arrays)


class Point(NamedTuple):
    """The number of answers that a kind of mind considers possible after a turn.

    Attributes:
        turn: the turn.
        games: the number of games in which something happened in this turn.
        mean: the mean over these games, which leaves out the games that have ended.
        error: its standard error.
        solved: the mean over all games, in which the games that have ended count as solved: with
            one answer, or with none if none was left. Abandoned games keep their last number.
        solved_error: its standard error.
    """

    turn: int
    games: int
    mean: float
    error: float
    solved: float
    solved_error: float


class Rows:
    """The rows of the played games of a condition; games beyond its number of games are ignored.

    Attributes:
        condition: the condition.
        folder: the folder with the rows.
    """

    def __init__(self, condition: Condition, folder: Path) -> None:
        """Store the folder of a run, whose rows are read on demand."""
        self.condition = condition
        self.folder = folder

    @cached_property
    def _games(self) -> polars.DataFrame:
        games: polars.DataFrame = self._read("games")
        return games

    def _read(self, stem: str, columns: list[str] | None = None) -> Any:
        import polars

        path = row_file(self.folder, stem, "parquet")
        with parquet_faults(path):
            rows = polars.read_parquet(path, columns=columns)
        return rows.filter(polars.col("game") < self.condition.plan.games)

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self._games) if (self.folder / "games.parquet").exists() else 0

    @cached_property
    def _seats(self) -> int:
        return len(self.condition.plan.setup.players)

    @cached_property
    def minds(self) -> npt.NDArray[np.str_]:
        """The mind at each seat in each game, shape [games, seats]."""
        columns = [f"mind_{seat}" for seat in range(1, self._seats + 1)]
        return np.array(self._games.select(columns).rows(), dtype=str)

    @cached_property
    def won(self) -> npt.NDArray[np.bool_]:
        """The winning seats as a Boolean array, shape [games, seats]."""
        won = np.zeros((len(self._games), self._seats), dtype=bool)
        for game, seats in enumerate(self._games["winner_seats"].to_list()):
            for seat in (seats or "").split():
                won[game, int(seat) - 1] = True
        return won

    def _quantity(self, name: str) -> Numbers:
        """Return a quantity by game and seat, shape [games, seats]; NaN where it is missing.

        `name` can end in @ and the number of a seat, from 1; other seats then lack the quantity.
        """
        name, _, only = name.partition("@")
        won, sound = self.won, np.broadcast_to(self._sound[:, None], self.won.shape)
        decided = won.any(axis=1, keepdims=True) & sound
        later = np.cumsum(won[:, ::-1], axis=1)[:, ::-1]
        derived = {
            "won": won,
            "won_part": won / np.maximum(won.sum(axis=1, keepdims=True), 1),
            "won_last": won & (later == 1),
            "sat": sound,
            "lost": decided & ~won,
            "decided": decided,
        }
        columns = [f"{name}_{seat}" for seat in range(1, self._seats + 1)]
        values = np.array(
            derived[name] if name in derived else self._games.select(columns).rows(), dtype=float
        )
        if only:
            values[:, np.arange(self._seats) != int(only) - 1] = np.nan
        return values

    @cached_property
    def _sound(self) -> npt.NDArray[np.bool_]:
        """The games that did not fail, as a Boolean array, shape [games]."""
        return np.array([not fault for fault in self._games["fault"].to_list()], dtype=bool)

    def _of_game(self, name: str) -> Numbers:
        """Return a quantity of whole games, shape [games]."""
        finished: Numbers = self._games["finished"].to_numpy().astype(float)
        sound = self._sound.astype(float)
        quantities: dict[str, Numbers] = {
            "turns": finished * self._games["turns"].to_numpy(),
            "ended": finished,
            "given_up": sound * (1 - finished),
            "played": sound,
            "failed": 1 - sound,
            "tried": np.ones(len(self._games)),
        }
        return quantities[name]

    @cached_property
    def deals(self) -> npt.NDArray[np.int64]:
        """The number of the deal of each game, shape [games]."""
        first = self.condition.plan.seed_of(0)
        return self._games["seed"].to_numpy().astype(np.int64) - first

    def _by_deal(self, of: Numbers, per: Numbers, *, share: bool) -> Ratio:
        """Return a figure, given its terms by game."""
        deals, first = np.unique(self.deals, return_index=True)
        of, per, games = (np.add.reduceat(each, first) for each in (of, per, np.sign(per)))
        return Ratio(deals, of, per, games.astype(np.int64), share)

    def ratio(
        self, figure: Figure, mind: str = "", seats: npt.NDArray[np.bool_] | None = None
    ) -> Ratio:
        """Return a figure for a kind of mind, or for whole games.

        Args:
            figure: the figure.
            mind: the kind of mind; empty for whole games.
            seats: the seats of the mind to count, shape [games, seats]; None for all.
        """
        share = figure.unit == "share"
        if not mind:
            assert figure.per is not None
            terms = self._of_game(figure.of), self._of_game(figure.per)
            return self._by_deal(*terms, share=share)
        counts = self.minds == mind
        if seats is not None:
            counts &= seats
        # A kind wins or sits in a game if any of its seats does.
        kinds = {"kind_won": "won", "kind_sat": "sat"}
        over_seats = np.max if figure.of in kinds else np.sum
        of = self._quantity(kinds.get(figure.of, figure.of))
        per = np.ones_like(of)
        if figure.per is not None:
            per = self._quantity(kinds.get(figure.per, figure.per))
        counts &= ~np.isnan(of) & ~np.isnan(per)
        of, per = (over_seats(np.where(counts, each, 0.0), axis=1) for each in (of, per))
        ratio = self._by_deal(of, per, share=share)
        return ratio if seats is not None else replace(ratio, bounds=self._bounds(figure.of, mind))

    def _bounds(self, name: str, mind: str) -> tuple[float, float]:
        """Return the least and the greatest share of wins or losses that a kind's seats can have.

        Two seats of one kind cannot both win if a game has a single winner. No game is assumed to
        have more winners than any game that was played.
        """
        winners, seats = self.won.sum(axis=1), self.condition.plan.minds.count(mind)
        most = {"won": max(1, int(winners.max())), "won_part": 1, "won_last": 1}
        if name in most:
            return 0.0, min(seats, most[name]) / seats
        if name == "lost" and winners.any():
            losers = self._seats - winners[winners > 0].min()
            return max(0, seats - winners.max()) / seats, min(seats, losers) / seats
        return 0.0, 1.0

    def faults(self) -> list[tuple[int, int, str]]:
        """Return the number, the seed and the error of each game that failed."""
        rows = self._games.select("game", "seed", "fault").rows()
        return [(number, seed, fault) for number, seed, fault in rows if fault]

    def line_ups(self) -> list[tuple[tuple[str, ...], str]]:
        """Return the minds and the winning mind of each game whose winners are of a single kind."""
        line_ups = []
        for minds, won in zip(self.minds, self.won, strict=True):
            winners = set(minds[won])
            if len(winners) == 1:
                line_ups.append((tuple(map(str, minds)), str(winners.pop())))
        return line_ups

    def spread(self) -> list[float]:
        """Return the 5, 25, 50, 75 and 95% quantiles of the turns of finished games."""
        turns = self._of_game("turns")[self._of_game("ended") > 0]
        if not len(turns):
            return []
        shares = (0.05, 0.25, 0.5, 0.75, 0.95)
        return [float(turn) for turn in np.quantile(turns, shares, method="inverted_cdf")]

    def curve(self) -> dict[str, list[Point]]:
        """Return the open answers after each turn, by kind of mind.

        A game counts with the mean over the seats of the kind.
        """
        import polars as pl

        columns = ["game", "turn", "event", "seat", "mind", "open"]
        events = self._read("events", columns).lazy()
        last = events.group_by("game", "turn", "seat", "mind").agg(
            pl.col("open").sort_by("event").last()
        )
        by_game = last.group_by("game", "turn", "mind").agg(pl.col("open").mean()).collect()
        if not len(by_game):
            return {}
        numbers, finished = self._games["game"].to_numpy(), self._games["finished"].to_numpy()
        turns = np.arange(by_game["turn"].max() + 1)
        over = finished[:, None] & (turns > self._games["turns"].to_numpy()[:, None])
        curve = {}
        for (mind,), part in sorted(by_game.group_by("mind")):
            open_then = np.full(over.shape, np.nan)
            place = np.searchsorted(numbers, part["game"].to_numpy()), part["turn"].to_numpy()
            open_then[place] = part["open"].to_numpy()
            latest = np.maximum.accumulate(np.where(np.isnan(open_then), 0, turns), axis=1)
            open_since = np.take_along_axis(open_then, latest, axis=1)
            solved = np.where(over, np.minimum(open_since, 1), open_since)
            curve[str(mind)] = [
                Point(
                    int(turn),
                    int((~np.isnan(open_then[:, turn])).sum()),
                    *self._mean(open_then[:, turn]),
                    *self._mean(solved[:, turn]),
                )
                for turn in turns
                if not np.isnan(open_then[:, turn]).all()
            ]
        return curve

    def _mean(self, values: Numbers) -> tuple[float, float]:
        """Return the mean of the known values of games, and its standard error over deals."""
        known = ~np.isnan(values)
        ratio = self._by_deal(np.where(known, values, 0.0), known.astype(float), share=False)
        ratio = ratio.where(ratio.per > 0)
        mean, deals = ratio.of.sum() / ratio.per.sum(), len(ratio.of)
        residuals = (ratio.of - mean * ratio.per) / ratio.per.mean()
        error = np.sqrt((residuals**2).sum() / max(deals - 1, 1) / deals)
        return float(mean), float(error)
