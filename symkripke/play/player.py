"""Players: their views, decisions and assessments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, Generic, Protocol, TypeVar
from weakref import WeakKeyDictionary

from symkripke.engines import Engine
from symkripke.engines import engine as new_engine
from symkripke.model import Perspective
from symkripke.play.rules import Decision, PublicT, SetupT

SAME = 1e-9
"""Gains in bits that differ by less count as equal, so that rounding errors decide nothing."""

WEIGHTING = "bayes"
"""The weighting of worlds in advice and reviews, by the chances of the cards that were shown."""

T = TypeVar("T")


@dataclass(frozen=True)
class View(Generic[SetupT, PublicT]):
    """The information of a player for a decision: the perspective and the public record.

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
        """The player whose view this is."""
        return self.perspective.agent

    @property
    def dealt(self) -> Perspective:
        """The player's perspective at the last deal, before all later events."""
        return self.perspective.after(0)

    def options(self, kind: type[T]) -> list[T]:
        """Return the possible moves of a kind, as far as the decision lists them."""
        options = [] if self.decision is None else self.decision.options or ()
        return [move for move in options if isinstance(move, kind)]


@dataclass(frozen=True)
class Assessment:
    """A player's knowledge of the answer, by the player's own way of reasoning.

    Attributes:
        open: the number of answers to the game's question that the player still considers possible
            (Cluedo: solutions).
        located: the values of the fluents of the deal that the player knows, by fluent.
        certain: whether the player knows the answer to the game's question.
    """

    open: int
    located: Mapping[str, str]
    certain: bool


@dataclass(frozen=True)
class Advice:
    """A move that can be recommended.

    Attributes:
        title: the move in words; an explanation may follow after a colon.
        gain: the value of the move; in most games, the expected information.
        reason: the reason for the recommendation, in words.
        data: the details of the advice as plain data, for JSON.
        move: the move itself; None if the title does not stand for a single move.
        unit: the unit of `gain`: "bits", a "chance", or a unit of the game ("points").
        aim: the words after "chance" that name its event, if `gain` is a chance: "of a yes", "to be
            right".
        rank: the key for sorting moves, the greatest first; empty: the gain.
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
    """A move that a player could make, with its chance of success.

    Attributes:
        title: the move in words.
        chances: the probability of success, by the information used ("my dice", ...).
        data: the move as plain data, for JSON.
    """

    title: str
    chances: Mapping[str, Fraction]
    data: Mapping[str, Any]


class Player(Protocol[SetupT, PublicT]):
    """A strategy at one seat. It never sees more than its view."""

    def choose(self, view: View[SetupT, PublicT]) -> Any:
        """Return the move; `view.decision` is the decision to make.

        A move may have a `reason` in words, which onlookers see, but other players never see.
        """

    def assess(self, view: View[SetupT, PublicT]) -> Assessment:
        """Return the player's knowledge of the answer."""


class EnginePlayer:
    """The base class of players that ask an engine about their knowledge."""

    def __init__(self, engine: Engine, chance: Random) -> None:
        """Create a player with an engine and its own source of randomness."""
        self.engine = engine
        self.chance = chance


_COUNTING: WeakKeyDictionary[Engine, Engine] = WeakKeyDictionary()


def counting(engine: Engine) -> Engine:
    """Return the engine `bdd` that belongs to this engine; players at a table share its diagrams.

    It weighs worlds by `WEIGHTING`: for example, players who could have shown several cards chose
    at random, each card with the same probability. Most strategies choose this way, and it is the
    best assumption about the others.
    """
    if engine not in _COUNTING:
        _COUNTING[engine] = new_engine("bdd", WEIGHTING)
    return _COUNTING[engine]


Strategy = Callable[[Engine, Random], Player[Any, Any]]
"""A function that returns a player, given an engine and a source of randomness.

A tunable strategy is a class with a class method `tuned`, which takes the text after the colon of
`guesser:0.4` and returns a strategy, or raises `InputError`.
"""
