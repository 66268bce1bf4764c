"""Measures of Perudo for studies: right calls, lost dice, true beliefs, and the study's tallies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from symkripke.play import Table, TableEvent
from symkripke.play.measure import Figure, Measure, Value
from symkripke_games.perudo.bidding import kept
from symkripke_games.perudo.players.study import observed
from symkripke_games.perudo.rules import Bid, Call, Happening, State
from symkripke_games.perudo.throws import Setup


class _Calls:
    """A count of each player's calls and right calls."""

    def __init__(self, table: Table[Setup, Happening]) -> None:
        self._players = table.setup.players
        self._calls: Counter[str] = Counter()
        self._right: Counter[str] = Counter()

    def after(self, step: TableEvent[Happening]) -> None:
        """Count a call."""
        public = step.outcome.public
        if isinstance(public, Call):
            assert public.verdict is not None
            self._calls[public.player] += 1
            self._right[public.player] += public.verdict.right

    def values(self) -> Mapping[str, Sequence[Value]]:
        """Return both counts by seat."""
        return {
            "calls": [self._calls[player] for player in self._players],
            "right_calls": [self._right[player] for player in self._players],
        }


class _Dice:
    """A count of the rounds that each player was in, and of the dice that they lost."""

    def __init__(self, table: Table[Setup, Happening]) -> None:
        self._table = table
        self._before: State = _state(table)
        self._rounds: Counter[str] = Counter()
        self._lost: Counter[str] = Counter()

    def after(self, step: TableEvent[Happening]) -> None:
        """Count a call, which ends the round."""
        public = step.outcome.public
        if isinstance(public, Call):
            assert public.verdict is not None
            self._rounds.update(self._before.now.dice.keys())
            if public.verdict.loser is not None:
                self._lost[public.verdict.loser] += 1
        self._before = _state(self._table)

    def values(self) -> Mapping[str, Sequence[Value]]:
        """Return both counts by seat."""
        players = self._table.setup.players
        return {
            "rounds": [self._rounds[player] for player in players],
            "lost_dice": [self._lost[player] for player in players],
        }


class _Beliefs:
    """A count of the beliefs drawn from bids when the dice are shown, and of the true ones.

    A bid is believed to claim a number of the bidder's own dice, unless claims contradict each
    other or the number of dice (`bidding.kept`).
    """

    def __init__(self, table: Table[Setup, Happening]) -> None:
        self._table = table
        self._before: State = _state(table)
        self._said: Counter[str] = Counter()
        self._true: Counter[str] = Counter()

    def after(self, step: TableEvent[Happening]) -> None:
        """Count the beliefs at a call, when all dice are shown."""
        public, state = step.outcome.public, self._before
        if isinstance(public, Call):
            believed = kept(state.said, state.now.dice, state.manner)
            for claim in {claim[:3]: claim for claim in believed}.values():
                shown = state.manner.counted(public.dice[claim.player], claim.face)
                self._said[claim.player] += 1
                self._true[claim.player] += shown >= claim.holds
        self._before = _state(self._table)

    def values(self) -> Mapping[str, Sequence[Value]]:
        """Return both counts by the seat of the bidder."""
        players = self._table.setup.players
        return {
            "said": [self._said[player] for player in players],
            "said_truly": [self._true[player] for player in players],
        }


class _Tallies:
    """A count of the numbers of dice in the study's tallies of bids (see `players.study`).

    Three pairs of numbers are counted after every bid, for the player whose dice they are about:
    the contributions of bids to the tally of the bidder, and those that the bidder's dice meet; all
    entries of the tallies, including zeros, and those that the player's dice meet; and all tallies
    of players, and those that exceed the player's number of dice.
    """

    def __init__(self, table: Table[Setup, Happening]) -> None:
        self._table = table
        self._bids: list[Bid] = []
        self._counted = {name: Counter[str]() for name in _TALLIED}

    def after(self, step: TableEvent[Happening]) -> None:
        """Count the tallies after a bid; forget the bids of a round at its end."""
        public, state = step.outcome.public, _state(self._table)
        if not isinstance(public, Bid):
            self._bids.clear()
            return
        dice, manner, throw = state.now.dice, state.manner, state.throw
        assert throw is not None
        bidder, key = public.player, (public.player, public.face)
        before = observed(self._bids, dice, manner).get(key, 0)
        self._bids.append(public)
        tally = observed(self._bids, dice, manner)
        more = tally[key] - before
        if more:
            self._counted["added"][bidder] += 1
            shown = manner.counted(throw[bidder], public.face)
            self._counted["added_truly"][bidder] += shown >= more
        for (player, face), number in tally.items():
            self._counted["tallied"][player] += 1
            shown = manner.counted(throw[player], face)
            self._counted["tallied_truly"][player] += shown >= number
        for player, has in dice.items():
            total = sum(number for (whose, _), number in tally.items() if whose == player)
            self._counted["sums"][player] += 1
            self._counted["too_many"][player] += total > has

    def values(self) -> Mapping[str, Sequence[Value]]:
        """Return all counts by seat."""
        players = self._table.setup.players
        return {
            name: [count[player] for player in players] for name, count in self._counted.items()
        }


_TALLIED = ("added", "added_truly", "tallied", "tallied_truly", "sums", "too_many")


def _state(table: Table[Setup, Happening]) -> State:
    state = table.state
    assert isinstance(state, State)
    return state


MEASURES = (
    Measure(
        "calls",
        "the number of calls of each player, and of those that were right",
        ("calls", "right_calls"),
        {
            "right-calls": Figure("calls that were right", "right_calls", "calls", "share"),
            "calls": Figure("calls in a game", "calls"),
        },
        _Calls,
    ),
    Measure(
        "dice",
        "the number of rounds that each player was in, and of dice that they lost",
        ("rounds", "lost_dice"),
        {
            "lost-dice": Figure("rounds in which they lost a die", "lost_dice", "rounds", "share"),
            "rounds": Figure("rounds that they were in, per game", "rounds"),
        },
        _Dice,
    ),
    Measure(
        "beliefs",
        "the beliefs about each player's dice because of their bids, and the number that are true",
        ("said", "said_truly"),
        {
            "true-beliefs": Figure(
                "beliefs about a player's dice, from their bids, that were true",
                "said_truly",
                "said",
                "share",
            )
        },
        _Beliefs,
    ),
    Measure(
        "tallies",
        "the dice that the study's way of adding up bids ascribes to players, and "
        "the number that are right",
        _TALLIED,
        {
            "true-additions": Figure(
                "single additions of a bid to the study's tally that were true",
                "added_truly",
                "added",
                "share",
            ),
            "true-tallies": Figure(
                "entries of the study's tallies after a bid, including zeros, that were true",
                "tallied_truly",
                "tallied",
                "share",
            ),
            "impossible-tallies": Figure(
                "the study's tallies after a bid that were more dice than the player had",
                "too_many",
                "sums",
                "share",
            ),
        },
        _Tallies,
    ),
)
"""The measures of the game."""
