"""Positions of a recorded game: the state of the rules, players' views, and good moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic

from symkripke.engines import Engine
from symkripke.engines import engine as find_engine
from symkripke.errors import InputError, Unsupported
from symkripke.model import Scene
from symkripke.play.game import Game
from symkripke.play.moment import Moment
from symkripke.play.options import chosen
from symkripke.play.player import WEIGHTING, Advice, View
from symkripke.play.rules import GameState, Outcome, PublicT, SetupT
from symkripke.play.session.record import Record


@dataclass(frozen=True)
class Position(Generic[SetupT, PublicT]):
    """The game after some events.

    Attributes:
        number: the number of events that have happened.
        state: the position under the rules.
        moment: the knowledge of the players.
        record: the public parts of the events.
    """

    number: int
    state: GameState[PublicT]
    moment: Moment[SetupT, PublicT]
    record: Sequence[PublicT]

    def view(self, player: str) -> View[SetupT, PublicT]:
        """Return the player's view of this position. Raise the errors of `Moment.perspective`."""
        decision = self.state.decision
        mine = decision if decision is not None and decision.player == player else None
        return View(self.moment.setup, self.moment.perspective(player), self.record, mine)


@dataclass(frozen=True)
class Transition(Generic[SetupT, PublicT]):
    """An event of a game, with the positions before and after it.

    Attributes:
        before: the position before it.
        outcome: the event, with its derived parts and the secrets that the log has.
        after: the position after it.
    """

    before: Position[SetupT, PublicT]
    outcome: Outcome[PublicT]
    after: Position[SetupT, PublicT]

    @property
    def public(self) -> PublicT:
        """The public part of the event."""
        return self.outcome.public

    @property
    def player(self) -> str:
        """The player who moved; empty if nobody did."""
        return getattr(self.outcome.public, "player", "")


class Past(Generic[SetupT, PublicT]):
    """A recorded game that has been replayed.

    Attributes:
        game: the game.
        setup: the setup of the game.
        minds: the kinds of player, if known.
        moment: the last moment of the replay.
        outcomes: the events up to this moment, with their derived parts.
        seen: the players whose knowledge can be examined.
        seat: the player of the record; empty if the truth is known.
    """

    def __init__(self, record: Record[SetupT, PublicT], moment: Moment[SetupT, PublicT]) -> None:
        """Replay the rules for the events of the record up to this moment."""
        self.game: Game[SetupT, PublicT] = record.game
        self.setup: SetupT = record.setup
        self.minds = record.minds
        self.moment = moment
        state = self.game.start(self.setup, record.truth)
        states, outcomes = [state], []
        for outcome in record.outcomes[: moment.events]:
            full = self.game.with_derived_parts(state, outcome)
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

    def event(self, number: int) -> PublicT:
        """Return the public part of an event, numbered from 1."""
        return self._public[number - 1]

    def at(self, number: int) -> Position[SetupT, PublicT]:
        """Return the position after the first `number` events."""
        return Position(
            number, self._states[number], self.moment.after(number), self._public[:number]
        )

    def transition(self, number: int) -> Transition[SetupT, PublicT]:
        """Return an event, numbered from 1, with the positions before and after it."""
        return Transition(self.at(number - 1), self.outcomes[number - 1], self.at(number))

    def ends_turn(self, number: int) -> bool:
        """Return whether a next event exists and belongs to a later turn."""
        events = self._public
        return number < len(events) and events[number].turn > events[number - 1].turn


def suggest(
    record: Record[SetupT, PublicT],
    moment: Moment[SetupT, PublicT],
    player: str,
    number: int,
    engine: Engine | None = None,
    **options: Any,
) -> Sequence[Advice]:
    """Return at most `number` best moves for a player, best first; none after the end.

    Args:
        record: the game.
        moment: a moment of the game.
        player: the player.
        number: the maximum number of moves.
        engine: the engine that answers; None for an engine with the weighting of reviews
            (`WEIGHTING`).
        options: values for the game's `Advisor.options`; strings are parsed.

    Raises:
        Unsupported: the game has no advice.
        UnknownName: there is no such player, or no such option.
        InputError: the record lacks the observations of the player, or `advised` rejects an
            argument.
    """
    position = Past(record, moment).at(moment.events)
    if position.state.result is not None:
        return ()
    asked = adviser() if engine is None else engine
    return advised(moment.game, position.view(player), asked, number, options)


def adviser() -> Engine:
    """Return a new engine for advice, with the weighting of reviews."""
    return find_engine("auto", WEIGHTING)


def state_at(
    record: Record[SetupT, PublicT], moment: Moment[SetupT, PublicT]
) -> GameState[PublicT]:
    """Return the state of the rules at a moment."""
    return Past(record, moment).at(moment.events).state


def view_at(
    record: Record[SetupT, PublicT], moment: Moment[SetupT, PublicT], player: str
) -> View[SetupT, PublicT]:
    """Return the player's view at a moment, with the decision if it is the player's turn."""
    return Past(record, moment).at(moment.events).view(player)


def advised(
    game: Game[SetupT, PublicT],
    view: View[SetupT, PublicT],
    engine: Engine,
    number: int,
    options: Mapping[str, Any],
) -> Sequence[Advice]:
    """Return at most `number` best moves for the viewer; see `Advisor.advise`.

    Raises:
        Unsupported: the game has no advice, or the engine cannot count.
        InputError: an option is unknown or has an invalid value, or `number` is below 1.
    """
    if number < 1:
        raise InputError(f"expected a number of moves from 1, got {number}")
    advisor = game.advisor
    if advisor is None:
        raise Unsupported(f"{game.title} has no advice")
    read = chosen(game.title, advisor.options, options)
    return advisor.advise(view, engine, number, **read)[:number]
