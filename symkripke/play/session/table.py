"""A table: a game between programs, people, or both, with one event at each step.

    table = Table(game("cluedo"), setup, ["human", "racer", "racer"], seed=7)
    table.keep("game.jsonl")
    while table.ended is None:
        for event in table:
            ...  # show it: table.seat("ann").events[-1]
        if (who := table.waiting_for) is not None:
            seat = table.seat(who)  # seat.menu has the moves; seat.read(text) understands them
            table.choose(who, move)

Every event, and every move of a person, is in the log before its method returns. A reopened game
continues exactly as it would have continued. If people play, the choice of a program depends on its
observations, and on random numbers derived from the seed and the numbers of events and moves so
far. If only programs play, each of them has one source of random numbers for the whole game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from random import Random
from typing import Any, Generic

from symkripke.argument_types import checked, unexpected
from symkripke.engines import Engine
from symkripke.engines.base import CannotCount
from symkripke.errors import (
    BudgetExceeded,
    ImpossibleEntry,
    InputError,
    JournalChanged,
    LogError,
    NoAnswerWithin,
    OutOfMemory,
    PlayerError,
    RuleError,
    Unsupported,
    check_name,
)
from symkripke.files import check_writable
from symkripke.language import Formula
from symkripke.limits import look, within
from symkripke.model import Perspective, Scene, World
from symkripke.play.acts import Pending, describe
from symkripke.play.game import Game
from symkripke.play.moment import Moment
from symkripke.play.people import People
from symkripke.play.player import Assessment, Player, View
from symkripke.play.rules import CHANCE, Decision, GameState, Outcome, PublicT, SetupT
from symkripke.play.session.entry import TableEvent
from symkripke.play.session.log_file import LogFile
from symkripke.play.session.record import (
    PendingMove,
    Record,
    Result,
    event_line,
    move_line,
    result_line,
)
from symkripke.play.session.seat import Chair, PersonView
from symkripke.play.strategies import HUMAN, strategy
from symkripke.play.words import person

TURNS = 1_000
"""The number of turns after which a game is abandoned."""


class _LateView(View[SetupT, PublicT]):
    """The view of a player whose perspective is computed on first use."""

    def __init__(
        self,
        setup: SetupT,
        perspective: Perspective | Callable[[str], Perspective],
        record: Sequence[PublicT],
        decision: Decision,
        dealt: Callable[[str], Perspective] | None = None,
    ) -> None:
        """Create a view from the deciding player's perspective, or a function that computes it.

        `dealt` returns a player's perspective at the last deal, without computing later events.
        Without `dealt`, as in a copy with changes, the view computes them.
        """
        name = "perspective" if isinstance(perspective, Perspective) else "_find"
        made = {"setup": setup, "record": record, "decision": decision, name: perspective}
        self.__dict__.update(made, _find_dealt=dealt)

    @cached_property
    def perspective(self) -> Perspective:
        """The player's perspective."""
        perspective: Perspective = self.__dict__["_find"](self.player)
        return perspective

    @property
    def dealt(self) -> Perspective:
        """The player's perspective at the last deal."""
        find: Callable[[str], Perspective] | None = self.__dict__["_find_dealt"]
        return self.perspective.after(0) if find is None else find(self.player)

    @property
    def player(self) -> str:
        """The player whose view this is."""
        assert self.decision is not None
        return self.decision.player


class Table(Generic[SetupT, PublicT]):
    """A game in progress. Each step of an iteration plays one event.

    The iteration ends when the game is over, or when a person must choose. All chance comes from
    `seed`. The same seed, setup and minds give the same game on every machine, because players'
    choices depend only on exact knowledge.

    Attributes:
        game: the game.
        setup: the setup of the game.
        minds: the kind of player at each seat; `HUMAN` for a person.
        persons: the players that are people, in seat order.
        seed: the seed of all chance.
        turns: the number of turns after which the game is given up.
        seconds: the time limit of each step; None for no limit.
        engine: the engine that players ask.
        deal: the deal.
        state: the current position.
        steps: the events so far.
        log: the log of the game; None if the game has no log.
    """

    def __init__(
        self,
        game: Game[SetupT, PublicT],
        setup: SetupT,
        minds: Sequence[str] = (),
        seed: int = 0,
        *,
        deal: World | None = None,
        engine_name: str = "auto",
        answering: Engine | None = None,
        turns: int = TURNS,
        seconds: float | None = None,
    ) -> None:
        """Create a table, and deal.

        Args:
            game: the game.
            setup: the setup of the game.
            minds: the kind of player at each seat; a single name applies to all seats, and no name
                stands for the default.
            seed: the seed of all chance.
            deal: the deal; None for a random deal.
            engine_name: the name of the engine that players ask.
            answering: an engine for the players that may serve other tables, too; None for a new
                engine.
            turns: the number of turns after which the game is given up.
            seconds: the time limit of each step, which is a decision with its event or an
                assessment; None for no limit. The limit never changes a game: a step that takes
                longer is an error, and leaves the game unchanged.

        Raises:
            UnknownName: there is no such kind of player.
            InputError: the number of minds is wrong, or a mind cannot play with this setup.
            Unsupported: people cannot play this game.
        """
        self.game = game
        self.setup = setup
        if not isinstance(game, Game):
            raise unexpected("a game", game)
        checked(seed, int, where="seed")
        checked(turns, int, where="turns")
        if answering is not None and not hasattr(answering, "holds"):
            raise unexpected("an engine", answering, "answering")
        self.minds = spread(game, minds, len(setup.players), persons=True)
        seats = zip(setup.players, self.minds, strict=True)
        self.persons = tuple(player for player, mind in seats if mind == HUMAN)
        if self.persons:
            _ = self.people
        game.check_strategies(setup, self.minds)
        self.seed = seed
        self.turns = turns
        self.seconds = seconds
        self.engine: Engine = game.engine(engine_name) if answering is None else answering
        self.deal = dealt(game, setup, seed) if deal is None else deal
        self.state: GameState[PublicT] = game.start(setup, self.deal)
        self._position = self.state
        """The position after the last event."""
        self._scenes = {0: Scene.of(game.structure(setup), self.deal)}
        """The scenes that have been computed, by the number of events."""
        self._events: list[tuple[GameState[PublicT], Outcome[PublicT]]] = []
        """The events, each with the state before the event."""
        self._fault: Exception | None = None
        """The error of the last computation of a scene, which no player caused."""
        self.steps: list[TableEvent[PublicT]] = []
        self.log: LogFile | None = None
        self._tell = partial(game.story, setup)
        self._record: tuple[PublicT, ...] = ()
        self._pending: tuple[PendingMove, ...] = ()
        """The moves of people since the last event."""
        self._choices = 0
        """The number of moves since the last event."""
        self._is_closed = False
        """True if the log has the result of the game."""
        self._next: (
            tuple[GameState[PublicT], GameState[PublicT], Outcome[PublicT], str, str] | None
        ) = None
        """An event that was chosen but could not be written to the log yet."""
        self._ended: Result | None = None
        """The result of the game, if it does not follow from the rules."""
        self._chances = {name: Random(f"{seed}/{name}") for name in setup.players}
        self._chances[CHANCE] = Random(f"{seed}/chance")
        self._chairs: dict[str, Chair[SetupT, PublicT]] = {}
        self.players: dict[str, Player[SetupT, PublicT]] = {}
        for name, mind in zip(setup.players, self.minds, strict=True):
            # For a person, this strategy makes the decisions without a real choice.
            kind = next(iter(game.strategies)) if mind == HUMAN else mind
            with self._blaming(name):
                self.players[name] = strategy(game, kind)(self.engine, self._chances[name])

    @classmethod
    def of(
        cls,
        game: Game[SetupT, PublicT],
        *,
        minds: Sequence[str] = (),
        seed: int = 0,
        **options: Any,
    ) -> Table[SetupT, PublicT]:
        """Return a table after the deal, ready to play; for `options`, see `Game.setup`."""
        return cls(game, game.setup(**options), minds, seed)

    # ---- the log -------------------------------------------------------------------------------

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        answering: Engine | None = None,
        seconds: float | None = None,
    ) -> Table[Any, Any]:
        """Open the log of a game, to continue it.

        Raises:
            LogError: the file cannot be read or is not a log, an entry is impossible, or a program
                now chooses another move.
            InputError: the game cannot continue, because the log has no truth, no seed, or no
                minds.
        """
        log = LogFile(path)
        record = Record.parse(log.text, log.path.name)
        if record.seat is not None:
            raise InputError(
                f"{log.path.name} is the log of a real table: continue it with symkripke table"
            )
        if record.truth is None or record.seed is None or not record.minds:
            raise InputError(
                f"{log.path.name} cannot be continued: it lacks the seed or the players"
            )
        table = cls(
            record.game,
            record.setup,
            record.minds,
            record.seed,
            deal=record.truth,
            answering=answering,
            seconds=seconds,
        )
        table._follow(record, log.path.name)
        table.log = log
        return table

    def keep(self, path: Path | str, *, replace: bool = False) -> None:
        """Write the game to a log from now on.

        Args:
            path: the file.
            replace: whether a file of that name may be replaced.

        Raises:
            LogError: the file cannot be written, or already exists.
        """
        check_writable(path, replace=replace)
        self.log = LogFile.create(path, self.record.lines())
        self._is_closed = self.ended is not None

    def refresh(self) -> None:
        """Follow the game in its log if another program has continued it.

        Raises:
            JournalChanged: the log has another game now.
            LogError: the log cannot be read, or an entry is impossible.
        """
        if self.log is None or not self.log.is_changed:
            return
        old, log = self.log, LogFile(self.log.path)
        record = Record.parse(log.text, log.path.name)
        if not record.goes_on(self.record, len(self.steps)):
            raise JournalChanged(f"{log.path} was changed by another program")
        try:
            self._follow(record, log.path.name)
        except BaseException:
            self.log = old  # nothing can be written to it any more
            raise
        self.log = log

    def _follow(self, record: Record[SetupT, PublicT], name: str) -> None:
        """Advance to the end of a log of this game, without writing."""
        self.log = None
        if self.persons:
            self._next = None
        for number, outcome in enumerate(record.outcomes[len(self.steps) :], len(self.steps)):
            try:
                if self.persons:
                    full = self.game.with_derived_parts(self._position, outcome)
                    self._happened(self._position, self._position.follow(outcome), full)
                    _ = self.scene
                elif (step := self._step()) is None or step.outcome != outcome:
                    place = record.place(number, name)
                    raise LogError(
                        f"{place}: the computer players choose differently here: perhaps another "
                        "version of symkripke played this game"
                    )
            except LogError:
                raise
            except InputError as error:
                raise ImpossibleEntry(record.place(number, name), str(error), number) from error
        self._ended = record.result
        self._is_closed = record.result is not None
        if record.result is None:
            self.state, self._choices, self._pending = self._position, 0, ()
            for pending in record.moves:
                self._again(pending)
            if self.persons:
                self._catch_up()

    @property
    def record(self) -> Record[SetupT, PublicT]:
        """The record of the game so far."""
        return Record(
            self.game,
            self.setup,
            tuple(step.outcome for step in self.steps),
            self.minds,
            self.seed,
            dict(self.deal),
            result=self.ended,
            moves=self._pending,
        )

    @property
    def path(self) -> Path:
        """The file of the log. Raises `InputError` if the game has no log."""
        if self.log is None:
            raise InputError("this game has no log")
        return self.log.path

    # ---- events --------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[TableEvent[PublicT]]:
        """Play and yield each event. Raise the errors of `step`."""
        while (step := self.step()) is not None:
            yield step

    @property
    def decision(self) -> Decision | None:
        """The current decision; None after the end."""
        return self.state.decision if self.ended is None else None

    @property
    def waiting_for(self) -> str | None:
        """The person who must choose before the game can continue; None if there is none."""
        decision = self.decision
        return decision.player if decision is not None and self._is_persons(decision) else None

    @property
    def now(self) -> tuple[int, int, bool]:
        """The progress of the game, which differs after each event, each move, and the end."""
        return len(self.steps), self._choices, self.ended is not None

    @property
    def ended(self) -> Result | None:
        """The result of the game, under the rules or otherwise; None while it continues."""
        return self._ended or Result.at(self.state, self.turns)

    @property
    def result(self) -> str:
        """The result of the game in words; "unfinished" while it continues."""
        return "unfinished" if self.ended is None else self.ended.words

    def step(self) -> TableEvent[PublicT] | None:
        """Play until the next event, and return it.

        Return None if a person must choose, or if the game is over.

        Raises:
            PlayerError: a player raised an error, or made a move that the rules forbid.
            BudgetExceeded: a player has not decided within the seconds of the table, or within an
                enclosing limit (`symkripke.limits`). The call can be repeated.
            JournalChanged: another program has changed the log.
            LogError: the log cannot be written.
        """
        with within(self.seconds):
            return self._step()

    def _step(self) -> TableEvent[PublicT] | None:
        reason = ""
        if self._next is not None:
            return self._happened(*self._next)
        while (decision := self.decision) is not None and not self._is_persons(decision):
            move, state, outcome = self._chosen(decision)
            reason = getattr(move, "reason", "") or reason
            if outcome is None:
                self.state = state
                self._choices += 1
                continue
            before = self.state
            if self.persons:
                # Derive the state as in reading the log, so that a reopened game is the same.
                before, state = self._position, self._position.follow(outcome)
            self._next = before, state, outcome, reason, decision.player
            return self._happened(*self._next)
        self._close()
        return None

    def _close(self) -> None:
        """Write the result of the game if there is one, and close the log."""
        if self.log is None or self.ended is None:
            return
        if not self._is_closed:
            self.log.append([result_line(self.ended)], partial(setattr, self, "_is_closed", True))
        self.log.close()

    def _chosen(
        self, decision: Decision
    ) -> tuple[Any, GameState[PublicT], Outcome[PublicT] | None]:
        """Return the choice of chance or of a program, with its consequences.

        If people play, repeated calls return the same choice.
        """
        player, chance = decision.player, self._chances[decision.player]
        if self.persons:
            chance.seed(f"{self.seed}/{player or 'chance'}/{len(self.steps)}/{self._choices}")
        if player == CHANCE:
            move = self.game.chance(self.setup, self.state, chance)
            return move, *self.state.play(move)
        perspective = partial(self._perspective, len(self._events))
        dealt = partial(self._dealt, len(self._events))
        view = _LateView(self.setup, perspective, self._record, decision, dealt)
        with self._blaming(player):
            move = self.players[player].choose(view)
            look()  # a decision after the limit must not count
            return move, *self.state.play(move)

    def _happened(
        self,
        before: GameState[PublicT],
        state: GameState[PublicT],
        outcome: Outcome[PublicT],
        reason: str = "",
        player: str = CHANCE,
    ) -> TableEvent[PublicT]:
        """Add an event to the game and to the log; `before` is the state before the event."""
        event = TableEvent(len(self.steps) + 1, outcome, self._tell, reason, player)
        ended = Result.at(state, self.turns)

        def then() -> None:
            self._events.append((before, outcome))
            self.steps.append(event)
            self._record = (*self._record, outcome.public)
            self.state = self._position = state
            self._choices, self._pending, self._next = 0, (), None
            self._is_closed = self.log is not None and ended is not None

        if self.log is None:
            then()
        else:
            lines = [] if ended is None else [result_line(ended)]
            self.log.append([event_line(outcome), *lines], then)
        return event

    # ---- people --------------------------------------------------------------------------------

    @property
    def people(self) -> People[SetupT, PublicT]:
        """The actions of people in the game. Raises `Unsupported` if people cannot play it."""
        if self.game.people is None:
            raise Unsupported(
                f"people cannot play {self.game.title} yet: it defines no phrases for moves"
            )
        return self.game.people

    def _is_persons(self, decision: Decision) -> bool:
        """Return whether a person makes the decision, and not the program in their place."""
        return (
            decision.player in self.persons and decision.kind not in self.people.automatic_decisions
        )

    def choose(self, player: str, move: Any) -> TableEvent[PublicT] | None:
        """Make a person's move.

        Returns:
            The event, if it leads to one at once.

        Raises:
            RuleError: the rules forbid the move. Nothing is changed.
            InputError: it is not the person's turn.
            JournalChanged: another program has changed the log.
            LogError: the log cannot be written.
        """
        check_name("person at this table", player, self.persons)
        if self.waiting_for != player:
            due = "it is not their turn" if self.ended is None else "the game is over"
            raise InputError(f"{person(player)} has nothing to decide now: {due}")
        pending = PendingMove(player, describe(self.people.act(move), self.setup, move, player))
        self.people.check(self.seat(player).view, move, self.engine)
        state, outcome = self.state.play(move)
        if outcome is not None:
            after = self._position.follow(outcome)
            return self._happened(self._position, after, outcome, player=player)
        if self.log is None:
            self._noted(pending, state)
        else:
            self.log.append([move_line(pending)], partial(self._noted, pending, state))
        return None

    def _noted(self, pending: PendingMove, state: GameState[PublicT]) -> None:
        """Add a person's move that does not lead to an event yet."""
        self._pending = (*self._pending, pending)
        self.state = state
        self._choices += 1

    def resign(self, player: str) -> Result:
        """Let a person resign, which ends the game for everybody at the table.

        Raises:
            InputError: the game is over.
            JournalChanged: another program has changed the log.
            LogError: the log cannot be written.
        """
        check_name("person at this table", player, self.persons)
        if self.ended is not None:
            raise InputError("the game is over")
        words = f"{player} resigns in turn {self.state.turn}"
        self._ended = Result(over=False, winners=(), words=words)
        try:
            self._close()
        except BaseException:
            self._ended = None
            raise
        return self._ended

    def _catch_up(self) -> None:
        """Let programs and chance continue until a person must choose or an event would happen.

        Nothing is written. A reopened game thereby reaches the state in which it was left.
        """
        with within(self.seconds):
            while (decision := self.decision) is not None and not self._is_persons(decision):
                _, state, outcome = self._chosen(decision)
                if outcome is not None:
                    return
                self.state = state
                self._choices += 1

    def _again(self, pending: PendingMove) -> None:
        """Repeat a move that was made before the log was closed."""
        self._catch_up()
        if (who := self.waiting_for) is None and self.ended is None:
            raise LogError(f"the log has no event before the move: {pending.words}")
        if who != pending.player:
            raise LogError(f"it is not {pending.player}'s turn to move: {pending.words}")
        try:
            move = self.seat(who).read(pending.words)
            if isinstance(move, Pending):
                raise RuleError(move.ask)
            state, outcome = self.state.play(move)
        except InputError as error:
            raise LogError(f"the move cannot be made: {pending.words}\n  {error}") from error
        if outcome is not None:
            raise LogError(f"the log lacks the event of the move: {pending.words}")
        self._noted(pending, state)

    def seat(self, player: str) -> PersonView[SetupT, PublicT]:
        """Return the current view of a person. Raise `UnknownName` if there is no such person."""
        check_name("person at this table", player, self.persons)
        if player not in self._chairs:
            self._chairs[player] = Chair.of(
                self.game, self.setup, self.deal, self.scenes[0], player
            )
        chair, decision = self._chairs[player], self.decision
        chair.catch_up([step.outcome for step in self.steps], self.scenes)
        mine = decision is not None and decision.player == player and self._is_persons(decision)
        return chair.view(decision, mine=mine)

    @property
    def truth(self) -> Moment[SetupT, PublicT]:
        """The game with all hidden facts, for questions to a separate engine.

        Raises `InputError` before the end of a game with people.
        """
        if self.persons and self.ended is None:
            raise InputError("hidden cards are shown when the game is over")
        return replace(self.moment, engine=self.game.engine())

    # ---- knowledge ---------------------------------------------------------------------------

    @property
    def scenes(self) -> list[Scene]:
        """The scenes after 0, 1, 2, ... events.

        They are computed on first use, because some players use only the rules.
        """
        return [self._scene(number) for number in range(len(self._events) + 1)]

    @property
    def scene(self) -> Scene:
        """The current scene."""
        return self._scene(len(self._events))

    def _scene(self, events: int) -> Scene:
        """Return the scene after the first `events` events."""
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
        """Return the last number of events, up to `events`, at which the scene is known."""
        start = events
        while start not in self._scenes:
            _, outcome = self._events[start - 1]
            new = self.game.redeal(self.setup, outcome)
            if new is not None:  # earlier scenes are not needed after a new deal
                self._scenes[start] = Scene.of(*new)
            else:
                start -= 1
        return start

    def _dealt(self, events: int, player: str) -> Perspective:
        """Return the player's perspective at the last deal in the first `events` events."""
        return self._scene(self._known_since(events)).perspective(player).after(0)

    def _perspective(self, events: int, player: str) -> Perspective:
        """Return the player's perspective after the first `events` events."""
        return self._scene(events).perspective(player)

    def _judge(self, scene: Scene, formula: Formula) -> bool:
        """Return whether an event's constraint about knowledge is true."""
        return bool(self.engine.holds(scene, formula))

    def view(self, player: str) -> View[SetupT, PublicT]:
        """Return the player's current view. Raise `UnknownName` if there is no such player."""
        return View(self.setup, self.scene.perspective(player), self._record)

    def assess(self) -> dict[str, Assessment]:
        """Return each player's assessment, by the player's own way of reasoning.

        Raise `PlayerError` and `BudgetExceeded` as `step` does.
        """
        with within(self.seconds):
            scene = self.scene
        return {
            name: self._assessment(name, View(self.setup, scene.perspective(name), self._record))
            for name in self.players
        }

    def _assessment(self, player: str, view: View[SetupT, PublicT]) -> Assessment:
        with within(self.seconds), self._blaming(player):
            assessment = self.players[player].assess(view)
            look()
            return assessment

    def _blaming(self, player: str) -> Blaming:
        """Return a context that adds the player and the turn to an error of its body.

        Exceeded limits and unanswered questions are not attributed to the player.
        """
        mind = self.minds[self.setup.players.index(player)]
        return Blaming(self.game.name, self.seed, self.state.turn, player, mind, self._last_fault)

    def _last_fault(self) -> Exception | None:
        return self._fault

    def assess_before_last(self, player: str) -> Assessment:
        """Return the player's assessment before the last event.

        Raise `UnknownName` if there is no such player.
        """
        before = self.scenes[-2:][0].perspective(player)
        return self._assessment(player, View(self.setup, before, self._record[:-1]))

    @property
    def moment(self) -> Moment[SetupT, PublicT]:
        """The current moment, for questions; `moment.at(turn=3)` goes back."""
        turns = [0, *(step.turn for step in self.steps)]
        return Moment(self.game, self.setup, tuple(self.scenes), tuple(turns), self._asked)

    @cached_property
    def _asked(self) -> Engine:
        """The engine of the players, or another engine if it does not count worlds."""
        return self.game.engine() if isinstance(self.engine, CannotCount) else self.engine


class Blaming:
    """A context that adds the turn and the responsible player to an error of its body.

    Exceeded budgets, unanswered questions and the error returned by `fault` are not attributed to
    the player.
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
        """Create the context of a player's actions."""
        self.game = game
        self.seed = seed
        self.turn = turn
        self.player = player
        self.mind = mind
        self.fault = fault

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Raise an error of the body again, attributed to the player."""
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
    """Return the deal of a game with this seed."""
    return game.deal(setup, Random(f"{seed}/deal"))


def spread(
    game: Game[SetupT, PublicT], minds: Sequence[str], seats: int, *, persons: bool = False
) -> tuple[str, ...]:
    """Return a mind for each seat; with `persons`, people are allowed.

    Raise `UnknownName` for an unknown mind, and `InputError` for a wrong number of minds.
    """
    chosen = ((minds,) if isinstance(minds, str) else tuple(minds)) or (
        next(iter(game.strategies)),
    )
    for mind in chosen:
        if mind != HUMAN or not persons:
            strategy(game, mind)
    if len(chosen) == 1:
        chosen *= seats
    if len(chosen) != seats:
        raise InputError(f"expected 1 or {seats} minds for {seats} players, got {len(chosen)}")
    return chosen
