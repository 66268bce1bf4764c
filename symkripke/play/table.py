"""A table: a game between players, one event a step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from random import Random
from typing import Any, Generic

from symkripke.argument_types import checked, explained, unexpected
from symkripke.engines import Engine, engine
from symkripke.errors import (
    BudgetExceeded,
    InputError,
    NoAnswerWithin,
    OutOfMemory,
    PlayerError,
    Unsupported,
)
from symkripke.language import Formula
from symkripke.limits import look, within
from symkripke.model import Perspective, Scene, World
from symkripke.play.game import Game
from symkripke.play.moment import Moment
from symkripke.play.player import Assessment, Player, View
from symkripke.play.rules import CHANCE, Decision, Outcome, PublicT, SetupT, State
from symkripke.play.strategies import strategy

TURNS = 1_000
"""Turns after which a game is given up, so that players that never find out stop, too."""


@dataclass(frozen=True)
class Step(Generic[PublicT]):
    """One event at the table.

    Attributes:
        number: how many events have happened, this one included.
        outcome: the event.
        tell: says it in words.
        reason: why the player chose what led to it, in its own words; empty if it says nothing.
    """

    number: int
    outcome: Outcome[PublicT]
    tell: Callable[[Outcome[PublicT]], str] = field(repr=False, compare=False)
    reason: str = field(default="", repr=False, compare=False)

    @cached_property
    def story(self) -> str:
        """The event in words, all of it. Found when it is asked for: few games are read."""
        return self.tell(self.outcome)

    @property
    def turn(self) -> int:
        """The turn in which it happened."""
        return self.outcome.public.turn

    def __str__(self) -> str:
        return f"turn {self.turn}: {self.story}"


class _LateView(View[SetupT, PublicT]):
    """The view of who must decide: its perspective is worked out when it looks at it."""

    def __init__(
        self,
        setup: SetupT,
        perspective: Perspective | Callable[[str], Perspective],
        record: Sequence[PublicT],
        decision: Decision,
    ) -> None:
        """A view; `perspective` finds that of a player, or is the one of who decides."""
        object.__setattr__(self, "setup", setup)
        object.__setattr__(self, "record", record)
        object.__setattr__(self, "decision", decision)
        name = "perspective" if isinstance(perspective, Perspective) else "_find"
        object.__setattr__(self, name, perspective)

    @cached_property
    def perspective(self) -> Perspective:
        """What the player has seen."""
        found: Perspective = self.__dict__["_find"](self.player)
        return found

    @property
    def player(self) -> str:
        """Whose view it is."""
        assert self.decision is not None
        return self.decision.player


class Table(Generic[SetupT, PublicT]):
    """A running game. Iterate over it: each step is one event, until the game is over.

    Everything that chance decides comes from `seed`: the same seed, setup and minds give the
    same game on every machine, because players' choices depend on exact knowledge only.
    """

    @explained
    def __init__(
        self,
        game: Game[SetupT, PublicT],
        setup: SetupT,
        minds: Sequence[str] = (),
        seed: int = 0,
        *,
        deal: World | None = None,
        engine_name: str = "sat",
        answering: Engine | None = None,
        turns: int = TURNS,
        seconds: float | None = None,
    ) -> None:
        """Set the table and deal.

        Args:
            game: what is played.
            setup: how.
            minds: the kind of player at each seat; one name serves all, none the default.
            seed: where chance comes from.
            deal: the deal, if chance shall not make it.
            engine_name: the engine that players ask.
            answering: an engine for them that serves other tables, too; None: a new one.
            turns: when to give up.
            seconds: how long each step may take: a decision with the event that comes of it, or
                an assessment; None for no limit. What happens never depends on it: a step that
                is not done in time is an error, and the game stands where it stood before.

        Raises:
            UnknownName: there is no such kind of player.
            InputError: there are more or fewer minds than players, or some that cannot play so.
        """
        self.game = game
        self.setup = setup
        if not isinstance(game, Game):
            raise unexpected("a game", game)
        checked(seed, int, where="seed")
        checked(turns, int, where="turns")
        if answering is not None and not hasattr(answering, "holds"):
            raise unexpected("an engine", answering, "answering")
        self.minds = spread(game, minds, len(setup.players))
        game.check_strategies(setup, self.minds)
        self.seed = seed
        self.turns = turns
        self.seconds = seconds
        self.engine: Engine = engine(engine_name) if answering is None else answering
        self.deal = game.deal(setup, Random(f"{seed}/deal")) if deal is None else deal
        self.state: State[PublicT] = game.start(setup, self.deal)
        self._scenes = {0: Scene.of(game.structure(setup), self.deal)}
        """By the number of events, what was known then, as far as somebody has asked."""
        self._events: list[tuple[State[PublicT], Outcome[PublicT]]] = []
        """What has happened, each with the state before."""
        self._fault: Exception | None = None
        """What went wrong when their knowledge was worked out last: no fault of a player."""
        self.steps: list[Step[PublicT]] = []
        self._record: tuple[PublicT, ...] = ()
        self._chance = Random(f"{seed}/chance")
        self.players: dict[str, Player[SetupT, PublicT]] = {}
        for name, mind in zip(setup.players, self.minds, strict=True):
            with self._blaming(name):
                made = strategy(game, mind)(self.engine, Random(f"{seed}/{name}"))
            self.players[name] = made

    @classmethod
    @explained
    def of(
        cls,
        game: Game[SetupT, PublicT],
        *,
        minds: Sequence[str] = (),
        seed: int = 0,
        **options: Any,
    ) -> Table[SetupT, PublicT]:
        """A table with cards dealt, ready to play: `options` as for `Game.setup`."""
        return cls(game, game.setup(**options), minds, seed)

    def __iter__(self) -> Iterator[Step[PublicT]]:
        """Play on, event by event; raises `PlayerError`."""
        while (step := self.step()) is not None:
            yield step

    def step(self) -> Step[PublicT] | None:
        """Play until the next event has happened; None if the game is over.

        Raises:
            PlayerError: a player raised an error, or made a move that the rules forbid.
            BudgetExceeded: a player has not decided within the seconds of the table, or within a
                limit of what goes on here (`symkripke.limits`).
        """
        with within(self.seconds):
            return self._step()

    def _step(self) -> Step[PublicT] | None:
        reason = ""
        while (decision := self.state.decision) is not None and self.state.turn <= self.turns:
            before = self.state
            if decision.player == CHANCE:
                move = self.game.chance(self.setup, before, self._chance)
                self.state, outcome = before.play(move)
            else:
                perspective = partial(self._perspective, len(self._events))
                view = _LateView(self.setup, perspective, self._record, decision)
                with self._blaming(decision.player):
                    move = self.players[decision.player].choose(view)
                    look()  # else what a player does who ran out of time would count
                    reason = getattr(move, "reason", "") or reason
                    self.state, outcome = before.play(move)
            if outcome is not None:
                self._events.append((before, outcome))
                tell = partial(self.game.story, self.setup)
                self.steps.append(Step(len(self.steps) + 1, outcome, tell, reason))
                self._record = (*self._record, outcome.public)
                return self.steps[-1]
        return None

    # ---- knowledge ---------------------------------------------------------------------------

    @property
    def scenes(self) -> list[Scene]:
        """What is known after 0, 1, 2, ... events.

        Worked out when somebody asks: players that go by the rules alone never do.
        """
        return [self._scene(number) for number in range(len(self._events) + 1)]

    @property
    def scene(self) -> Scene:
        """What is known now."""
        return self._scene(len(self._events))

    def _scene(self, events: int) -> Scene:
        """What was known after so many events."""
        known = self._scenes
        if events in known:
            return known[events]
        try:
            start = events
            while start not in known:
                _, outcome = self._events[start - 1]
                new = self.game.redeal(self.setup, outcome)
                if new is not None:  # of what was before nothing matters here
                    known[start] = Scene.of(*new)
                else:
                    start -= 1
            for number in range(start, events):
                before, outcome = self._events[number]
                event = self.game.event_in(self.setup, before, outcome)
                known[number + 1] = known[number].update(event, outcome.secret, self._judge)
        except Exception as error:
            self._fault = error
            raise
        return known[events]

    def _perspective(self, events: int, player: str) -> Perspective:
        """What that player had seen after so many events, whenever that is asked."""
        return self._scene(events).perspective(player)

    def _judge(self, scene: Scene, formula: Formula) -> bool:
        """Whether what an event says about knowledge is so."""
        return bool(self.engine.holds(scene, formula))

    @explained
    def view(self, player: str) -> View[SetupT, PublicT]:
        """What that player has now; raises `UnknownName`."""
        return View(self.setup, self.scene.perspective(player), self._record)

    def assess(self) -> dict[str, Assessment]:
        """How far each player has come, by its own way of reasoning.

        Raises `PlayerError`, and `BudgetExceeded` as `step` does.
        """
        with within(self.seconds):
            scene = self.scene
        return {
            name: self._assessment(name, View(self.setup, scene.perspective(name), self._record))
            for name in self.players
        }

    def _assessment(self, player: str, view: View[SetupT, PublicT]) -> Assessment:
        with within(self.seconds), self._blaming(player):
            found = self.players[player].assess(view)
            look()
            return found

    @contextmanager
    def _blaming(self, player: str) -> Iterator[None]:
        """Say of an error in the body which player it came from, and when.

        That an engine may not go on, or has no answer, is no fault of the player.
        """
        mind = self.minds[self.setup.players.index(player)]
        with blaming(self.game.name, self.seed, self.state.turn, player, mind, lambda: self._fault):
            yield

    @explained
    def assess_before_last(self, player: str) -> Assessment:
        """How far that player had come before the last event; raises `UnknownName`."""
        before = self.scenes[-2:][0].perspective(player)
        return self._assessment(player, View(self.setup, before, self._record[:-1]))

    @property
    def moment(self) -> Moment[SetupT, PublicT]:
        """The present, to be asked about; `moment.at(turn=3)` goes back."""
        turns = [0, *(step.turn for step in self.steps)]
        return Moment(self.game, self.setup, tuple(self.scenes), tuple(turns), self.engine)

    @property
    def result(self) -> str:
        """How it ended, or that it has not."""
        if self.state.result is not None:
            return self.state.result
        if self.state.turn > self.turns:
            return f"given up after {self.turns} turns"
        return "unfinished"


@contextmanager
def blaming(
    game: str,
    seed: int,
    turn: int,
    player: str,
    mind: str,
    fault: Callable[[], Exception | None] = lambda: None,
) -> Iterator[None]:
    """Say of an error in the body which player it came from, and when.

    That an engine may not go on, or has no answer, is no fault of the player; nor is `fault`.
    """
    try:
        yield
    except (NoAnswerWithin, OutOfMemory) as error:
        where = f"{game}, seed {seed}, turn {turn}"
        raise BudgetExceeded(f"{where}: {player} ({mind}): {error}") from error
    except (BudgetExceeded, Unsupported):
        raise
    except Exception as error:
        if error is fault():
            raise
        said = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise PlayerError(game, seed, turn, player, mind, said) from error


def spread(game: Game[SetupT, PublicT], minds: Sequence[str], seats: int) -> tuple[str, ...]:
    """One mind a seat; raises `UnknownName` or `InputError`."""
    chosen = ((minds,) if isinstance(minds, str) else tuple(minds)) or (
        next(iter(game.strategies)),
    )
    for mind in chosen:
        strategy(game, mind)
    if len(chosen) == 1:
        chosen *= seats
    if len(chosen) != seats:
        raise InputError(f"expected 1 or {seats} minds for {seats} players, got {len(chosen)}")
    return chosen
