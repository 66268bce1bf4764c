"""The course of a game: the positions and the states of knowledge after each event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

import msgspec

from symkripke.engines import Engine
from symkripke.errors import ImpossibleEvent, InputError, LogError, RuleError
from symkripke.language import TRUE, Atom
from symkripke.model import (
    EpistemicState,
    Event,
    KnowledgeStructure,
    Perspective,
    Scene,
    World,
    evaluate,
)
from symkripke.play.game import Game
from symkripke.play.moment import Moment
from symkripke.play.rules import GameState, Outcome, PublicT, SetupT


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The seat of a log without the truth: the player, and the cards dealt to the player."""

    player: str
    holds: tuple[str, ...]


@dataclass(frozen=True)
class Course(Generic[SetupT, PublicT]):
    """The course of a game, followed event by event.

    Attributes:
        game: the game.
        setup: the setup of the game.
        positions: the positions under the rules after 0, 1, 2, ... events.
        states: the scenes after 0, 1, 2, ... events; if the truth is not known, the perspectives of
            one player.
        outcomes: the events.
        engine: the engine that checks the statements of events about knowledge.
    """

    game: Game[SetupT, PublicT]
    setup: SetupT
    positions: list[GameState[PublicT]]
    states: list[EpistemicState]
    outcomes: list[Outcome[PublicT]]
    engine: Engine

    @classmethod
    def of(
        cls,
        game: Game[SetupT, PublicT],
        setup: SetupT,
        engine: Engine,
        *,
        truth: World | None,
        seat: Seat | None,
        name: str = "log",
    ) -> Course[SetupT, PublicT]:
        """Return the course of a game before its first event.

        Args:
            game: the game.
            setup: the setup of the game.
            engine: the engine that checks the statements of events about knowledge.
            truth: the deal, if it is known.
            seat: the owner of the log, if the deal is not known.
            name: the name of the log in errors.

        Raises:
            LogError: the truth or the seat is impossible.
        """
        state: EpistemicState
        try:
            position = game.start(setup, truth)
            structure = game.structure(setup)
            if seat is None:
                assert truth is not None
                state = Scene.of(structure, truth)
            else:
                if seat.player not in setup.players:
                    expected = ", ".join(setup.players)
                    raise RuleError(f"no player {seat.player!r}: expected one of {expected}")
                hand = game.hand(setup, seat.player, seat.holds)
                state = Perspective.of(structure, seat.player, _atoms(hand))
        except InputError as error:
            kind = "truth" if seat is None else "seat"
            raise LogError(f"{name}, the {kind}: {error}") from error
        return cls(game, setup, [position], [state], [], engine)

    def after(self, events: int) -> Course[SetupT, PublicT]:
        """Return a copy of the course after the first `events` events."""
        return Course(
            self.game,
            self.setup,
            self.positions[: events + 1],
            self.states[: events + 1],
            self.outcomes[:events],
            self.engine,
        )

    def moment(self, *, is_journal: bool = False) -> Moment[SetupT, PublicT]:
        """Return the current moment."""
        turns = (0, *(outcome.public.turn for outcome in self.outcomes))
        return Moment(
            self.game, self.setup, tuple(self.states), turns, self.engine, is_journal=is_journal
        )

    def append(self, outcome: Outcome[PublicT]) -> None:
        """Append an event. An impossible event changes nothing.

        Raises:
            ImpossibleEvent: the event is false in the actual world, contradicts the knowledge of
                the player of a real table, or lacks something that the player saw.
            InputError: the rules forbid the event.
        """
        before = self.positions[-1]
        full = self.game.with_derived_parts(before, outcome)
        position = before.follow(outcome)
        new = self.game.redeal(self.setup, full)
        if new is None:
            state = self._next(self.game.event_in(self.setup, before, full), full.secret)
        else:
            state = self._anew(*new)
        if isinstance(state, Perspective) and self.engine.witness(state, TRUE) is None:
            event = state.structure.history.event
            source = "" if event is None else event.source
            raise ImpossibleEvent("it contradicts what is known", source)
        self.positions.append(position)
        self.states.append(state)
        self.outcomes.append(outcome)

    def _next(self, event: Event, secret: World) -> EpistemicState:
        """Return the state after an event of the current deal."""
        state, ask = self.states[-1], self.engine
        if isinstance(state, Scene):
            return state.update(event, secret, lambda scene, f: bool(ask.holds(scene, f)))
        mine = {o.atom.fluent for o in event.observes.get(state.agent, ())}
        if mine and mine.isdisjoint(secret):
            name = next(iter(sorted(mine)))
            raise ImpossibleEvent(
                f"{state.agent} saw something that the log does not say; add it, "
                f'as in "secret":{{"{name}":...}}',
                event.source,
            )
        return state.update(event, _atoms(secret))

    def _anew(self, structure: KnowledgeStructure, deal: World) -> EpistemicState:
        """Return the first state of a new deal."""
        state = self.states[-1]
        if isinstance(state, Scene):
            return Scene.of(structure, deal)
        player = state.agent
        mine = {observable.atom.fluent for observable in structure.observables[player]}
        missing = sorted(mine.difference(deal))
        if missing:
            raise RuleError(
                f"{player} saw something that the log does not say: {', '.join(missing)}"
            )
        seen = {name: value for name, value in deal.items() if name in mine}
        return Perspective.of(structure, player, _atoms(seen))


def _atoms(values: World) -> list[Atom]:
    return [Atom(name, value) for name, value in values.items()]


def as_seen(
    game: Game[SetupT, PublicT],
    setup: SetupT,
    outcome: Outcome[PublicT],
    after: EpistemicState,
    player: str,
) -> Outcome[PublicT]:
    """Return an event with the secrets that a player saw; `after` is the scene after the event."""
    if after.structure.history.before is None:
        secret = _own_deal(game, setup, outcome, player)
    else:
        secret = _newly_seen(after, player)
    return Outcome(outcome.public, secret)


def _own_deal(
    game: Game[SetupT, PublicT], setup: SetupT, outcome: Outcome[PublicT], player: str
) -> dict[str, str]:
    """Return the secrets of a new deal that the player observes."""
    secret = {}
    for name, value in outcome.secret.items():
        new = game.redeal(setup, Outcome(outcome.public, {name: value}))
        assert new is not None
        structure, deal = new
        observed = {observable.atom.fluent for observable in structure.observables[player]}
        if observed.issuperset(deal):
            secret[name] = value
    return secret


def _newly_seen(after: EpistemicState, player: str) -> dict[str, str]:
    """Return the values of the true atoms that the player observed in the last event.

    Observations of the previous world, such as a look at hidden cards, are included.
    """
    event = after.structure.history.event
    assert event is not None
    assert isinstance(after, Scene)
    seen = {}
    for observable in event.observes.get(player, ()):
        atom = after.structure.resolve(observable.atom)
        if evaluate(atom, after.world):
            seen[str(observable.atom.fluent)] = observable.atom.value
    return seen
