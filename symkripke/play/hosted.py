"""A game with persons at some seats and minds at the others, kept in a log file.

`HostedGame` knows where the cards are. A `PersonView` is everything that a person at a seat may
see. It is made only from what that seat has seen, so a terminal or page that shows nothing else
cannot give anything away.

    hosted = HostedGame.begin("game.jsonl", game("cluedo"), setup, ["human", "racer", "racer"], 7)
    while not hosted.is_over:
        while hosted.step() is not None:
            ...  # show the new event: hosted.view("ann").events[-1]
        if (who := hosted.waiting_for) is not None:
            view = hosted.view(who)  # view.menu has the moves; view.read(text) understands them
            hosted.choose(who, move)

Every event, and every move of a person, is on disk before its method returns. A game that is opened
again goes on exactly as it would have gone on. A mind's choice depends on what it has seen, and on
random numbers that are derived from the seed and the number of events so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, Generic

from symkripke.engines import Engine, engine
from symkripke.errors import InputError, LogError, RuleError, Unsupported, check_name
from symkripke.limits import look, within
from symkripke.model import Perspective
from symkripke.play.acts import (
    Act,
    Completion,
    Pending,
    Situation,
    Understood,
    completions,
    read,
    told,
)
from symkripke.play.game import Game
from symkripke.play.journal import Entry, Journal
from symkripke.play.menu import Menu
from symkripke.play.moment import Moment
from symkripke.play.people import People
from symkripke.play.player import Advice, Player, View
from symkripke.play.positions import advised, adviser
from symkripke.play.record import Made, Record, Result, Seat, story_of
from symkripke.play.rules import CHANCE, Decision, Outcome, Public, PublicT, SetupT, State
from symkripke.play.strategies import HUMAN, strategy
from symkripke.play.table import TURNS, Blaming
from symkripke.play.words import person


@dataclass(frozen=True)
class PersonView(Generic[SetupT, PublicT]):
    """All that a person at a seat has now. Nothing in it depends on what the person cannot see.

    Attributes:
        player: whose view it is.
        record: the log that the person would have written: its own hand, and what it saw.
        moment: the present, as this seat knows it: to be asked about.
        position: the position as everybody sees it.
        decision: what the person must decide now; None: nothing.
        turn_of: who must decide now, `CHANCE` if nobody does; None: the game is over.
        under_way: the event that is under way, as far as everybody has seen it (a question that
            is being answered); None: there is none.
    """

    player: str
    record: Record[SetupT, PublicT]
    moment: Moment[SetupT, PublicT]
    position: State[PublicT]
    decision: Decision | None
    turn_of: str | None
    under_way: Public | None

    @property
    def game(self) -> Game[SetupT, PublicT]:
        """The game."""
        return self.moment.game

    @property
    def setup(self) -> SetupT:
        """The setup of the game."""
        return self.moment.setup

    @property
    def hand(self) -> tuple[str, ...]:
        """What the person was dealt at the beginning, as `Game.card_title` takes it."""
        assert self.record.seat is not None
        return self.record.seat.holds

    @cached_property
    def view(self) -> View[SetupT, PublicT]:
        """The same as a mind at this seat would have it."""
        public = tuple(outcome.public for outcome in self.record.outcomes)
        return View(self.setup, self.moment.perspective(self.player), public, self.decision)

    @cached_property
    def events(self) -> tuple[Entry[PublicT], ...]:
        """What has happened, each as a sentence that tells what this person saw of it."""
        return tuple(
            Entry(number, outcome, story_of(self.game, self.setup, outcome, self.player))
            for number, outcome in enumerate(self.record.outcomes, 1)
        )

    @property
    def story_under_way(self) -> str:
        """The event that is under way as a sentence; empty: there is none."""
        if self.under_way is None:
            return ""
        so_far: Outcome[Any] = Outcome(self.under_way, {})
        return story_of(self.game, self.setup, so_far, self.player)

    # ---- the person's move -------------------------------------------------------------------

    @cached_property
    def menu(self) -> Menu:
        """What the person can do now, as data; raises `InputError` if it is not its turn."""
        self._check_turn()
        return self._people.menu(self.view)

    def read(self, text: str) -> Any:
        """The move that a text tells; or what of it is missing, as a `Pending`.

        An empty text is the move that is usual now, if there is one.

        Raises:
            PhraseError: this is not understood; it points at the place.
            InputError: it is not the person's turn.
        """
        self._check_turn()
        if not text.strip(" \t\n.;") and self.menu.usual is not None:
            return self.menu.usual
        found = read(self._people.moves, self._situation, text)
        return found.outcome if isinstance(found, Understood) else found

    def completions(self, text: str) -> tuple[Completion, ...]:
        """The ways to go on with a text that is being typed; none if it is not its turn."""
        if self.decision is None:
            return ()
        return completions(self._people.moves, self._situation, text)

    def tell(self, move: Any) -> str:
        """A move as a sentence, as it can be typed; raises `GameError` for what is no move."""
        return told(self._people.act(move), self.setup, move, self.player)

    @property
    def _people(self) -> People[SetupT, PublicT]:
        assert self.game.people is not None  # or the game could not be begun
        return self.game.people

    @property
    def _situation(self) -> Situation[SetupT]:
        return Situation(self.setup, self.view, self.player, self.view.perspective)

    def _check_turn(self) -> None:
        if self.decision is None:
            due = "the game is over" if self.turn_of is None else f"it is {_due(self.turn_of)}"
            raise InputError(f"{person(self.player)} has nothing to decide now: {due}")

    def advise(self, number: int, **options: Any) -> Sequence[Advice]:
        """Good moves for the person, the best first; raises as `advised` does."""
        return advised(self.game, self.view, adviser(), number, options)


def _due(player: str) -> str:
    return "for chance to decide" if player == CHANCE else f"{person(player)}'s turn"


@dataclass
class _Chair(Generic[SetupT, PublicT]):
    """The data kept for a person from event to event, so that a view is made quickly.

    Attributes:
        record: the log that the person would have written.
        states: what the person had seen after 0, 1, 2, ... events.
        positions: the public positions after 0, 1, 2, ... events.
        engine: the engine of this person alone, because the example that an engine gives may depend
            on earlier questions.
    """

    record: Record[SetupT, PublicT]
    states: list[Perspective]
    positions: list[State[PublicT]]
    engine: Engine = field(default_factory=lambda: engine())


@dataclass
class _Mind(Generic[SetupT, PublicT]):
    """A computer player with its chance, which is set anew for each of its choices."""

    player: Player[SetupT, PublicT]
    chance: Random = field(repr=False)


class HostedGame(Generic[SetupT, PublicT]):
    """A game that persons play with minds; see the module.

    Attributes:
        game: the game.
        setup: its setup.
        minds: the kind of player at each seat; `HUMAN` for a person.
        seed: the seed of all chance.
        seconds: how long each choice of a mind may take; None: no limit. The events never depend
            on this limit.
    """

    def __init__(
        self,
        journal: Journal[SetupT, PublicT],
        *,
        turns: int = TURNS,
        seconds: float | None = None,
    ) -> None:
        """The game of a journal; use `begin` or `open`."""
        record = journal.record
        if record.truth is None or record.seed is None or HUMAN not in record.minds:
            raise InputError(
                f"{journal.path.name} is no game that persons play with minds: it has no truth, no "
                f"seed, or no {HUMAN} among its minds"
            )
        if journal.fault is not None:
            raise LogError(f"an entry cannot be so, mend it first: {journal.fault}")
        self.game = record.game
        self.setup = record.setup
        self.minds = record.minds
        self.seed = record.seed
        self.seconds = seconds
        self._truth = record.truth
        self._turns = turns
        self._journal = journal
        self._state = journal.position
        self._choices = 0  # moves since the last event
        self._asked = engine("sat")
        self._players: dict[str, _Mind[SetupT, PublicT]] = {}
        self._chairs: dict[str, _Chair[SetupT, PublicT]] = {}
        for made in record.moves if record.result is None else ():
            self._again(made)

    @classmethod
    def begin(
        cls,
        path: Path | str,
        game: Game[SetupT, PublicT],
        setup: SetupT,
        minds: Sequence[str],
        seed: int,
        *,
        replace: bool = False,
        seconds: float | None = None,
    ) -> HostedGame[SetupT, PublicT]:
        """Deal, and begin the log.

        Args:
            path: the file of the log.
            game: the game.
            setup: its setup.
            minds: the kind of player at each seat; `HUMAN` for a person.
            seed: the seed of all chance.
            replace: whether a file of that name may be replaced.
            seconds: see the class.

        Raises:
            UnknownName: there is no such kind of player.
            InputError: there are more or fewer minds than players, no person among them, or some
                that cannot play so.
            Unsupported: persons cannot play this game.
            LogError: the file cannot be written.
        """
        if game.people is None:
            raise Unsupported(f"persons cannot play {game.title}")
        if len(minds) != len(setup.players):
            raise InputError(f"expected {len(setup.players)} minds, got {len(minds)}")
        if HUMAN not in minds:
            raise InputError(f"expected a person ({HUMAN!r}) among the minds, got none")
        for mind in minds:
            if mind != HUMAN:
                strategy(game, mind)
        game.check_strategies(setup, minds)
        deal = game.deal(setup, Random(f"{seed}/deal"))
        journal = Journal.begin(
            path, game, setup, truth=deal, minds=minds, seed=seed, replace=replace
        )
        return cls(journal, seconds=seconds)

    @classmethod
    def open(cls, path: Path | str, *, seconds: float | None = None) -> HostedGame[Any, Any]:
        """Open a game that was begun earlier, to continue it.

        Raises:
            LogError: the file cannot be read, is no log, or tells of something impossible.
            InputError: it is a log of another kind.
        """
        return HostedGame(Journal.open(path), seconds=seconds)

    # ---- what there is -------------------------------------------------------------------------

    @property
    def path(self) -> Path:
        """The file of the log."""
        return self._journal.path

    @property
    def moves(self) -> Sequence[Act[SetupT]]:
        """The kinds of moves that persons make."""
        return self._people.moves

    @property
    def persons(self) -> tuple[str, ...]:
        """The players that are persons, in seat order."""
        return tuple(
            player
            for player, mind in zip(self.setup.players, self.minds, strict=True)
            if mind == HUMAN
        )

    @property
    def events(self) -> int:
        """How many events have happened."""
        return len(self._journal.moment.states) - 1

    @property
    def result(self) -> Result | None:
        """How the game ended; None: it goes on."""
        found = self._journal.record.result
        return found or Result.at(self._state, self._turns, self._ended_words)

    @property
    def _ended_words(self) -> str:
        return self._state.result or f"given up after {self._turns} turns"

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or otherwise."""
        return self.result is not None

    @property
    def waiting_for(self) -> str | None:
        """The person who must choose before anything else can happen; None: nobody must."""
        decision = None if self.is_over else self._state.decision
        return decision.player if decision is not None and self._is_persons(decision) else None

    @property
    def truth(self) -> Moment[SetupT, PublicT]:
        """The game with all that was hidden; raises `InputError` before it is over."""
        if not self.is_over:
            raise InputError("what is hidden is shown when the game is over")
        return replace(self._journal.moment, is_journal=False)

    @property
    def truth_record(self) -> Record[SetupT, PublicT]:
        """The log with all that was hidden; raises `InputError` before the game is over."""
        if not self.is_over:
            raise InputError("what is hidden is shown when the game is over")
        return self._journal.record

    def view(self, player: str) -> PersonView[SetupT, PublicT]:
        """All that a person has now; raises `InputError` if there is no such person."""
        check_name("person at this table", player, self.persons)
        chair = self._chair(player)
        decision = None if self.is_over else self._state.decision
        pending = None if decision is None else decision.pending
        public = [outcome.public for outcome in chair.record.outcomes]
        mine = decision is not None and decision.player == player and self._is_persons(decision)
        moment = Moment(
            self.game,
            self.setup,
            tuple(chair.states),
            (0, *(event.turn for event in public)),
            chair.engine,
        )
        return PersonView(
            player,
            chair.record,
            moment,
            chair.positions[-1],
            decision if mine else None,
            None if decision is None else decision.player,
            None if pending is None or pending in public else pending,
        )

    def _chair(self, player: str) -> _Chair[SetupT, PublicT]:
        """What is kept for a person, up to the present."""
        states = self._journal.moment.states
        chair = self._chairs.get(player)
        if chair is None:
            held = self.game.dealt(self.setup, self._truth, player)
            record = Record(self.game, self.setup, seat=Seat(player, held))
            chair = _Chair(record, [_seen(states[0], player)], [self.game.start(self.setup, None)])
            self._chairs[player] = chair
        happened = self._journal.record.outcomes
        new = [
            chair.record.as_seen(outcome, after, player)
            for outcome, after in zip(
                happened[len(chair.states) - 1 :], states[len(chair.states) :], strict=True
            )
        ]
        for outcome in new:
            chair.states.append(_seen(states[len(chair.states)], player))
            chair.positions.append(chair.positions[-1].follow(outcome))
        if new:
            outcomes = (*chair.record.outcomes, *new)
            chair.record = replace(chair.record, outcomes=outcomes)
        return chair

    # ---- what happens ---------------------------------------------------------------------------

    def step(self) -> int | None:
        """Let minds and chance go on until the next event has happened.

        Returns:
            The number of the event, from 1; None: a person must choose, or the game is over.

        Raises:
            PlayerError: a mind raised an error, or made a move that the rules forbid.
            BudgetExceeded: a mind has not chosen within the limits. It can be tried again.
            LogError: the log cannot be written.
        """
        with within(self.seconds):
            while not self.is_over:
                decision = self._state.decision
                assert decision is not None
                if self._is_persons(decision):
                    return None
                number = self._take(self._chosen(decision))
                if number is not None:
                    return number
        self._end()
        return None

    def catch_up(self) -> None:
        """Let minds and chance go on until a person must choose, or the next event would happen.

        Nothing is written: with a game that was opened again, this leads to where it was left.
        Raises as `step` does.
        """
        with within(self.seconds):
            while not self.is_over and self.waiting_for is None:
                decision = self._state.decision
                assert decision is not None
                state, outcome = self._state.play(self._chosen(decision))
                if outcome is not None:
                    return
                self._state = state
                self._choices += 1

    def choose(self, player: str, move: Any) -> int | None:
        """A person's move.

        Returns:
            The number of the event, if it leads to one at once.

        Raises:
            RuleError: the rules forbid the move; nothing is changed.
            InputError: it is not that person's turn.
            JournalChanged: another program has changed the log.
            LogError: the log cannot be written.
        """
        check_name("person at this table", player, self.persons)
        if self.waiting_for != player:
            due = "the game is over" if self.is_over else "it is not its turn"
            raise InputError(f"{person(player)} has nothing to decide now: {due}")
        words = told(self._people.act(move), self.setup, move, player)
        self._people.check(self.view(player).view, move, self._asked)
        number = self._take(move, Made(player, words))
        self._end()
        return number

    def resign(self, player: str) -> Result:
        """A person gives the game up; it ends for all at the table.

        Raises:
            InputError: the game is over.
            LogError: the log cannot be written.
        """
        check_name("person at this table", player, self.persons)
        if self.is_over:
            raise InputError("the game is over")
        result = Result(
            over=False, winners=(), words=f"{player} resigns in turn {self._state.turn}"
        )
        self._journal.end(result)
        return result

    def _end(self) -> None:
        """Write how the game ended, if it has, and it is not written yet."""
        result = self.result
        if result is not None and self._journal.record.result is None:
            self._journal.end(result)

    # ---- how ------------------------------------------------------------------------------------

    def _is_persons(self, decision: Decision) -> bool:
        """Whether a person decides it, and not chance, in the person's place."""
        return decision.player in self.persons and decision.kind not in self._people.unchosen

    def _take(self, move: Any, made: Made | None = None) -> int | None:
        """Play a move; the number of the event that it leads to."""
        state, outcome = self._state.play(move)
        if outcome is None:
            if made is not None:
                self._journal.note_move(made)
            self._state = state
            self._choices += 1
            return None
        entry = self._journal.append(outcome)
        # Play the move as it will be read from the log, so that a reopened game is the same.
        self._state = self._journal.position
        self._choices = 0
        return entry.number

    def _chosen(self, decision: Decision) -> Any:
        """The choice of chance or of a mind now; repeated calls give the same choice."""
        place = f"{self.events}/{self._choices}"
        if decision.player == CHANCE:
            return self.game.chance(self.setup, self._state, Random(f"{self.seed}/chance/{place}"))
        mind = self._mind(decision.player)
        mind.chance.seed(f"{self.seed}/{decision.player}/{place}")
        view = View(
            self.setup,
            _seen(self._journal.moment.state, decision.player),
            tuple(outcome.public for outcome in self._journal.record.outcomes),
            decision,
        )
        with self._blaming(decision.player):
            move = mind.player.choose(view)
            look()  # a choice made after the time limit does not count
            self._state.play(move)
        return move

    @property
    def _people(self) -> People[SetupT, PublicT]:
        assert self.game.people is not None
        return self.game.people

    def _mind(self, player: str) -> _Mind[SetupT, PublicT]:
        """The mind at a seat; for a person, the one that draws lots in its place."""
        if player not in self._players:
            chance = Random(f"{self.seed}/{player}")
            name = self.minds[self.setup.players.index(player)]
            made = strategy(self.game, next(iter(self.game.strategies)) if name == HUMAN else name)
            with self._blaming(player):
                self._players[player] = _Mind(made(self._asked, chance), chance)
        return self._players[player]

    def _blaming(self, player: str) -> Blaming:
        mind = self.minds[self.setup.players.index(player)]
        return Blaming(self.game.name, self.seed, self._state.turn, player, mind)

    def _again(self, made: Made) -> None:
        """Make a move again that was made before the log was closed."""
        self.catch_up()
        if (who := self.waiting_for) is None and not self.is_over:
            raise LogError(f"the log has no event before the move: {made.words}")
        if who != made.player:
            raise LogError(f"it is not {made.player}'s turn to move: {made.words}")
        try:
            move = self.view(who).read(made.words)
            if isinstance(move, Pending):
                raise RuleError(move.ask)
            self._state, outcome = self._state.play(move)
        except InputError as error:
            raise LogError(f"the move cannot be made: {made.words}\n  {error}") from error
        self._choices += 1
        if outcome is not None:
            raise LogError(f"the log lacks the event of the move: {made.words}")


def _seen(state: Any, player: str) -> Perspective:
    """What a player has seen of a scene."""
    found: Perspective = state.perspective(player)
    return found
