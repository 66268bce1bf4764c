"""What is measured of games of Perudo in studies: calls that were right, bids that were true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from symkripke.play import Step, Table
from symkripke.play.measure import Figure, Measure, Value
from symkripke_games.perudo.bidding import kept
from symkripke_games.perudo.rules import Call, Happening, State
from symkripke_games.perudo.throws import Setup


class _Calls:
    """Counts calls, and those that were right: a dudo on a bid not met, a calza on the number."""

    def __init__(self, table: Table[Setup, Happening]) -> None:
        self._players = table.setup.players
        self._calls: Counter[str] = Counter()
        self._right: Counter[str] = Counter()

    def after(self, step: Step[Happening]) -> None:
        """Count a call."""
        public = step.outcome.public
        if isinstance(public, Call):
            assert public.verdict is not None
            self._calls[public.player] += 1
            self._right[public.player] += public.verdict.right

    def values(self) -> Mapping[str, Sequence[Value]]:
        """Both numbers by seat."""
        return {
            "calls": [self._calls[player] for player in self._players],
            "right_calls": [self._right[player] for player in self._players],
        }


class _Beliefs:
    """Counts the beliefs drawn from bids when the dice are shown, and how many of them are true.

    A player's bids are believed to say that it holds so many dice of a face, as far as bids do not
    contradict each other or the numbers of dice (`bidding.kept`).
    """

    def __init__(self, table: Table[Setup, Happening]) -> None:
        self._table = table
        self._before: State = _state(table)
        self._said: Counter[str] = Counter()
        self._true: Counter[str] = Counter()

    def after(self, step: Step[Happening]) -> None:
        """Count at a call, when all dice are shown."""
        public, state = step.outcome.public, self._before
        if isinstance(public, Call):
            believed = kept(state.said, state.now.dice, state.manner)
            for claim in {claim[:3]: claim for claim in believed}.values():
                shown = state.manner.count(public.dice[claim.player], claim.face)
                self._said[claim.player] += 1
                self._true[claim.player] += shown >= claim.holds
        self._before = _state(self._table)

    def values(self) -> Mapping[str, Sequence[Value]]:
        """Both numbers, by the seat of the bidder."""
        players = self._table.setup.players
        return {
            "said": [self._said[player] for player in players],
            "said_truly": [self._true[player] for player in players],
        }


def _state(table: Table[Setup, Happening]) -> State:
    state = table.state
    assert isinstance(state, State)
    return state


MEASURES = (
    Measure(
        "calls",
        "how many calls each made, and how many of them were right",
        ("calls", "right_calls"),
        {
            "right-calls": Figure("calls that were right", "right_calls", "calls", "share"),
            "calls": Figure("calls in a game", "calls"),
        },
        _Calls,
    ),
    Measure(
        "beliefs",
        "what is believed of each player's dice because of its bids, and how much of it is so",
        ("said", "said_truly"),
        {
            "true-beliefs": Figure(
                "beliefs about a player's dice, from its bids, that were true",
                "said_truly",
                "said",
                "share",
            )
        },
        _Beliefs,
    ),
)
"""The measures of the game."""
