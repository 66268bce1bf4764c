"""A recorded game, position by position: the input of a review."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic

from symkripke.engines import Engine
from symkripke.model import Scene
from symkripke.play.game import Game
from symkripke.play.moment import Moment
from symkripke.play.player import View
from symkripke.play.rules import Outcome, PublicT, SetupT, State
from symkripke.play.session.record import Record


@dataclass(frozen=True)
class Position(Generic[SetupT, PublicT]):
    """The game after some events.

    Attributes:
        number: how many events have happened.
        state: the position by the rules.
        moment: the knowledge of the players.
        record: what everybody has seen of the events.
    """

    number: int
    state: State[PublicT]
    moment: Moment[SetupT, PublicT]
    record: Sequence[PublicT]

    def view(self, player: str) -> View[SetupT, PublicT]:
        """All that the player has here; raises as `Moment.perspective` does."""
        decision = self.state.decision
        mine = decision if decision is not None and decision.player == player else None
        return View(self.moment.setup, self.moment.perspective(player), self.record, mine)


class Past(Generic[SetupT, PublicT]):
    """A recorded game that has been replayed.

    Attributes:
        game: the game.
        setup: its setup.
        minds: the kinds of player, if known.
        moment: the last moment that the record leads to.
        outcomes: the events that lead there, completed.
        seen: the players whose knowledge can be looked at.
    """

    def __init__(self, record: Record[SetupT, PublicT], moment: Moment[SetupT, PublicT]) -> None:
        """The record, and the last moment that it was replayed to."""
        self.game: Game[SetupT, PublicT] = record.game
        self.setup: SetupT = record.setup
        self.minds = record.minds
        self.moment = moment
        state = self.game.start(self.setup, record.truth)
        states, outcomes = [state], []
        for outcome in record.outcomes[: moment.events]:
            full = self.game.completed(state, outcome)
            state = state.follow(full)
            outcomes.append(full)
            states.append(state)
        self._states = states
        self.outcomes: tuple[Outcome[PublicT], ...] = tuple(outcomes)
        self._public = tuple(outcome.public for outcome in outcomes)
        whole = isinstance(moment.state, Scene)
        self.seen: tuple[str, ...] = (
            tuple(self.setup.players) if whole or record.seat is None else (record.seat.player,)
        )
        self.seat = "" if record.seat is None else record.seat.player

    @property
    def engine(self) -> Engine:
        """The engine that answers."""
        return self.moment.engine

    @cached_property
    def titles(self) -> dict[str, str]:
        """The title of each player."""
        return {player: self.moment.layout.person(player) for player in self.setup.players}

    def at(self, number: int) -> Position[SetupT, PublicT]:
        """The position after so many events."""
        return Position(
            number, self._states[number], self.moment.after(number), self._public[:number]
        )

    def ends_turn(self, number: int) -> bool:
        """Whether the event of that number is the last one of its turn, and the game went on."""
        events = self._public
        return number < len(events) and events[number].turn > events[number - 1].turn
