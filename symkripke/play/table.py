"""A table: a game between players, one event at each step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from random import Random
from typing import Any, Generic

from symkripke.argument_types import checked, unexpected
from symkripke.engines import Engine, engine
from symkripke.engines.base import CannotCount
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
"""After so many turns a game is given up."""


@dataclass(frozen=True)
class Step(Generic[PublicT]):
    """One event at the table.

    Attributes:
        number: the number of events so far, including this one.
        outcome: the event.
        tell: gives the event in words.
        reason: why the player chose its move, in its own words; empty if it gives no reason.
        player: the player whose move completed it; `CHANCE` if it was no player's.
    """

    number: int
    outcome: Outcome[PublicT]
    tell: Callable[[Outcome[PublicT]], str] = field(repr=False, compare=False)
    reason: str = field(default="", repr=False, compare=False)
    player: str = field(default=CHANCE, compare=False)

    @cached_property
    def story(self) -> str:
        """The whole event in words; computed when it is needed."""
        return self.tell(self.outcome)

    @property
    def turn(self) -> int:
        """The turn in which it happened."""
        return self.outcome.public.turn

    def __str__(self) -> str:
        return f"turn {self.turn}: {self.story}"


class _LateView(View[SetupT, PublicT]):
    """The view of a player whose perspective is computed when it is needed."""

    def __init__(
        self,
        setup: SetupT,
        perspective: Perspective | Callable[[str], Perspective],
        record: Sequence[PublicT],
        decision: Decision,
        dealt: Callable[[str], Perspective] | None = None,
    ) -> None:
        """A view; `perspective` finds that of a player, or is the one of who decides.

        `dealt` finds what a player had seen when cards or dice were last dealt. For this the
        events since need not be worked out. Without it, as in a copy with changes, they are.
        """
        name = "perspective" if isinstance(perspective, Perspective) else "_find"
        made = {"setup": setup, "record": record, "decision": decision, name: perspective}
        self.__dict__.update(made, _find_dealt=dealt)

    @cached_property
    def perspective(self) -> Perspective:
        """What the player has seen."""
        found: Perspective = self.__dict__["_find"](self.player)
        return found

    @property
    def dealt(self) -> Perspective:
        """What the player had seen when cards or dice were last dealt."""
        find: Callable[[str], Perspective] | None = self.__dict__["_find_dealt"]
        return self.perspective.after(0) if find is None else find(self.player)

    @property
    def player(self) -> str:
        """Whose view it is."""
        assert self.decision is not None
        return self.decision.player


class Table(Generic[SetupT, PublicT]):
    """A running game. Iterate over it: each step is one event, until the game is over.

    All chance comes from `seed`. The same seed, setup and minds give the same game on every
    machine, because players' choices depend on exact knowledge only.
    """

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
            game: the game.
            setup: its setup.
            minds: the kind of player at each seat; one name is for all seats, none for the default.
            seed: the seed of all chance.
            deal: the deal, if it is not to be random.
            engine_name: the engine that players ask.
            answering: an engine for them that serves other tables, too; None for a new one.
            turns: the number of turns after which to give up.
            seconds: the limit of each step: a decision with its event, or an assessment; None for
                no limit. It never changes a game: a step that takes longer is an error, and the
                game stays as it was before.

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
        self.deal = dealt(game, setup, seed) if deal is None else deal
        self.state: State[PublicT] = game.start(setup, self.deal)
        self._scenes = {0: Scene.of(game.structure(setup), self.deal)}
        """The scenes by the number of events, as far as they have been computed."""
        self._events: list[tuple[State[PublicT], Outcome[PublicT]]] = []
        """The events, each with the state before it."""
        self._fault: Exception | None = None
        """The error of the last computation of a scene; the player did not cause it."""
        self.steps: list[Step[PublicT]] = []
        self._tell = partial(game.story, setup)
        self._record: tuple[PublicT, ...] = ()
        self._chance = Random(f"{seed}/chance")
        self.players: dict[str, Player[SetupT, PublicT]] = {}
        for name, mind in zip(setup.players, self.minds, strict=True):
            with self._blaming(name):
                made = strategy(game, mind)(self.engine, Random(f"{seed}/{name}"))
            self.players[name] = made

    @classmethod
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
        if self.seconds is None:
            return self._step()
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
                dealt = partial(self._dealt, len(self._events))
                view = _LateView(self.setup, perspective, self._record, decision, dealt)
                with self._blaming(decision.player):
                    move = self.players[decision.player].choose(view)
                    look()  # a decision after the limit must not count
                    reason = getattr(move, "reason", "") or reason
                    self.state, outcome = before.play(move)
            if outcome is not None:
                self._events.append((before, outcome))
                number, player = len(self.steps) + 1, decision.player
                self.steps.append(Step(number, outcome, self._tell, reason, player))
                self._record = (*self._record, outcome.public)
                return self.steps[-1]
        return None

    # ---- knowledge ---------------------------------------------------------------------------

    @property
    def scenes(self) -> list[Scene]:
        """The scenes after 0, 1, 2, ... events.

        They are computed when they are needed: some players use the rules only.
        """
        return [self._scene(number) for number in range(len(self._events) + 1)]

    @property
    def scene(self) -> Scene:
        """The scene now."""
        return self._scene(len(self._events))

    def _scene(self, events: int) -> Scene:
        """The scene after so many events."""
        known = self._scenes
        if events in known:
            return known[events]
        try:
            for number in range(self._known_since(events), events):
                before, outcome = self._events[number]
                event = self.game.event_in(self.setup, before, outcome)
                known[number + 1] = known[number].update(event, outcome.secret, self._judge)
        except Exception as error:
            self._fault = error
            raise
        return known[events]

    def _known_since(self, events: int) -> int:
        """The last moment, up to so many events, whose scene is known or that of a new deal."""
        start = events
        while start not in self._scenes:
            _, outcome = self._events[start - 1]
            new = self.game.redeal(self.setup, outcome)
            if new is not None:  # a new deal: scenes before it are not needed
                self._scenes[start] = Scene.of(*new)
            else:
                start -= 1
        return start

    def _dealt(self, events: int, player: str) -> Perspective:
        """The player's perspective when cards or dice were last dealt before so many events."""
        return self._scene(self._known_since(events)).perspective(player).after(0)

    def _perspective(self, events: int, player: str) -> Perspective:
        """The player's perspective after so many events."""
        return self._scene(events).perspective(player)

    def _judge(self, scene: Scene, formula: Formula) -> bool:
        """Whether an event's constraint about knowledge is true."""
        return bool(self.engine.holds(scene, formula))

    def view(self, player: str) -> View[SetupT, PublicT]:
        """The player's view now; raises `UnknownName`."""
        return View(self.setup, self.scene.perspective(player), self._record)

    def assess(self) -> dict[str, Assessment]:
        """Each player's assessment, by its own way of reasoning.

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

    def _blaming(self, player: str) -> Blaming:
        """A context that adds the player and the turn to an error.

        Limits that are reached, and questions without an answer, are no faults of the player.
        """
        mind = self.minds[self.setup.players.index(player)]
        return Blaming(self.game.name, self.seed, self.state.turn, player, mind, self._last_fault)

    def _last_fault(self) -> Exception | None:
        return self._fault

    def assess_before_last(self, player: str) -> Assessment:
        """The player's assessment before the last event; raises `UnknownName`."""
        before = self.scenes[-2:][0].perspective(player)
        return self._assessment(player, View(self.setup, before, self._record[:-1]))

    @property
    def moment(self) -> Moment[SetupT, PublicT]:
        """The present, to be asked about; `moment.at(turn=3)` goes back."""
        turns = [0, *(step.turn for step in self.steps)]
        return Moment(self.game, self.setup, tuple(self.scenes), tuple(turns), self._asked)

    @cached_property
    def _asked(self) -> Engine:
        """The engine of the players; another one if that does not count worlds."""
        return engine() if isinstance(self.engine, CannotCount) else self.engine

    @property
    def result(self) -> str:
        """How the game ended, in words, or that it has not ended."""
        if self.state.result is not None:
            return self.state.result
        if self.state.turn > self.turns:
            return f"given up after {self.turns} turns"
        return "unfinished"


class Blaming:
    """A context that adds to an error of its body the player who caused it, and the turn.

    Budgets that run out, and questions without an answer, are no faults of the player; nor is
    `fault`.
    """

    __slots__ = ("fault", "game", "mind", "player", "seed", "turn")

    def __init__(
        self,
        game: str,
        seed: int,
        turn: int,
        player: str,
        mind: str,
        fault: Callable[[], Exception | None] = lambda: None,
    ) -> None:
        """A context for what that player does."""
        self.game = game
        self.seed = seed
        self.turn = turn
        self.player = player
        self.mind = mind
        self.fault = fault

    def __enter__(self) -> None:
        """Nothing is to be done before."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Say whose error it is."""
        if not isinstance(error, Exception):
            return
        if isinstance(error, NoAnswerWithin | OutOfMemory):
            where = f"{self.game}, seed {self.seed}, turn {self.turn}"
            raise BudgetExceeded(f"{where}: {self.player} ({self.mind}): {error}") from error
        if isinstance(error, BudgetExceeded | Unsupported) or error is self.fault():
            return
        said = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise PlayerError(self.game, self.seed, self.turn, self.player, self.mind, said) from error


def dealt(game: Game[SetupT, PublicT], setup: SetupT, seed: int) -> World:
    """The deal of a game with that seed."""
    return game.deal(setup, Random(f"{seed}/deal"))


def spread(game: Game[SetupT, PublicT], minds: Sequence[str], seats: int) -> tuple[str, ...]:
    """A mind for each seat; raises `UnknownName` or `InputError`."""
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
