"""Players: their views, decisions and assessments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, Generic, Protocol

from symkripke.engines import Engine
from symkripke.model import Perspective
from symkripke.play.rules import Decision, PublicT, SetupT

SAME = 1e-9
"""Gains in bits that differ by less count as equal, so that rounding errors decide nothing."""

WEIGHTING = "bayes"
"""The weighting of worlds in advice and reviews: shown cards count by their chances."""


@dataclass(frozen=True)
class View(Generic[SetupT, PublicT]):
    """All that a player has when it must decide: its perspective and the public record.

    Attributes:
        setup: the setup.
        perspective: the player's observations.
        record: all public events so far.
        decision: the decision to make; None when the player is only asked for its knowledge.
    """

    setup: SetupT
    perspective: Perspective
    record: Sequence[PublicT]
    decision: Decision | None = None

    @property
    def player(self) -> str:
        """Whose view it is."""
        return self.perspective.agent

    @property
    def dealt(self) -> Perspective:
        """The player's perspective at the last deal, before any event since."""
        return self.perspective.after(0)


@dataclass(frozen=True)
class Assessment:
    """A player's knowledge of the answer, by its own way of reasoning.

    Attributes:
        open: the number of answers to the game's question that it still considers possible
            (Cluedo: solutions).
        located: the fluents of the deal whose values it knows, with these values.
        certain: whether it knows the answer to the game's question.
    """

    open: int
    located: Mapping[str, str]
    certain: bool


@dataclass(frozen=True)
class Advice:
    """A move that can be recommended.

    Attributes:
        title: the move in words; an explanation may follow after a colon.
        gain: its value, in most games the expected information.
        reason: why it is recommended, in words.
        data: the same and more as plain data, for JSON.
        move: the move itself; None: the title stands for no single move.
        unit: the unit of `gain`: "bits", a "chance", or a unit of the game ("points").
        aim: for a `gain` that is a chance, its event, in words after "chance": "of a yes", "to be
            right".
        rank: the key by which moves are sorted, the greatest first; empty: the gain.
    """

    title: str
    gain: float
    reason: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    move: Any = None
    unit: str = "bits"
    aim: str = ""
    rank: tuple[Any, ...] = ()

    def beats(self, other: Advice) -> bool:
        """Return whether this move is better, by more than rounding errors."""
        if self.rank or other.rank:
            return self.rank > other.rank
        return self.gain > other.gain + SAME


@dataclass(frozen=True)
class Prospect:
    """A move that a player could make, with the chance that it succeeds.

    Attributes:
        title: the move in words.
        chances: the probability that it succeeds, by the information used ("my dice", ...).
        data: the move as plain data, for JSON.
    """

    title: str
    chances: Mapping[str, Fraction]
    data: Mapping[str, Any]


class Player(Protocol[SetupT, PublicT]):
    """A strategy at one seat. It never sees more than its view."""

    def choose(self, view: View[SetupT, PublicT]) -> Any:
        """Return the move; `view.decision` is the decision to make.

        A move may have a `reason`, in words, which onlookers see, but never other players.
        """

    def assess(self, view: View[SetupT, PublicT]) -> Assessment:
        """Return the player's knowledge of the answer."""


class EnginePlayer:
    """The base of players that ask an engine about their knowledge."""

    def __init__(self, engine: Engine, chance: Random) -> None:
        """Create a player with an engine and its own source of randomness."""
        self.engine = engine
        self.chance = chance


Strategy = Callable[[Engine, Random], Player[Any, Any]]
"""Makes a player: from an engine for its questions and a source of chance of its own.

A tunable strategy is a class with a class method `tuned`, which takes the text after the colon of
`guesser:0.4` and returns a strategy, or raises `InputError`.
"""
