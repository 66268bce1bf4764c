"""The seat of a person at a table, with exactly the information that the person may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Generic

from symkripke.engines import Engine
from symkripke.errors import InputError
from symkripke.model import Perspective, Scene, World
from symkripke.play.acts import Completion, Situation, Understood, completions, describe, read
from symkripke.play.game import Game
from symkripke.play.menu import Menu
from symkripke.play.moment import Moment
from symkripke.play.people import People
from symkripke.play.player import Advice, View
from symkripke.play.positions import advised, adviser
from symkripke.play.rules import CHANCE, Decision, GameState, Outcome, Public, PublicT, SetupT
from symkripke.play.session.course import Seat, as_seen
from symkripke.play.session.entry import TableEvent
from symkripke.play.session.record import Record, story_of
from symkripke.play.words import person


@dataclass(frozen=True)
class PersonView(Generic[SetupT, PublicT]):
    """The current view of a person at a seat, independent of everything that they cannot see.

    Attributes:
        player: the person whose view this is.
        record: the log that the person would have written: their own hand and observations.
        moment: the current moment for questions, as known to this seat.
        position: the position as everybody sees it.
        decision: the decision that the person must make now, if any.
        turn_of: the player who must decide now, or `CHANCE`; None if the game is over.
        under_way: the public part of an unfinished event, such as a question that is being
            answered; None if there is none.
    """

    player: str
    record: Record[SetupT, PublicT]
    moment: Moment[SetupT, PublicT]
    position: GameState[PublicT]
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
        """The person's cards at the beginning, in the form that `Game.card_title` takes."""
        assert self.record.seat is not None
        return self.record.seat.holds

    @cached_property
    def view(self) -> View[SetupT, PublicT]:
        """The view that a program at this seat would have."""
        public = tuple(outcome.public for outcome in self.record.outcomes)
        return View(self.setup, self.moment.perspective(self.player), public, self.decision)

    @cached_property
    def events(self) -> tuple[TableEvent[PublicT], ...]:
        """The events so far, each as a sentence about the part that this person saw."""
        tell = partial(story_of, self.game, self.setup, viewer=self.player)
        outcomes = enumerate(self.record.outcomes, 1)
        return tuple(TableEvent(number, outcome, tell) for number, outcome in outcomes)

    @property
    def story_under_way(self) -> str:
        """The unfinished event as a sentence; empty if there is none."""
        if self.under_way is None:
            return ""
        so_far: Outcome[Any] = Outcome(self.under_way, {})
        return story_of(self.game, self.setup, so_far, self.player)

    # ---- the person's move -------------------------------------------------------------------

    @cached_property
    def menu(self) -> Menu:
        """The person's menu. Raises `InputError` if it is not the person's turn."""
        self._check_turn()
        return self._people.menu(self.view)

    def read(self, text: str) -> Any:
        """Return the move that a text describes, or the missing part as a `Pending`.

        An empty text stands for the usual move, if there is one.

        Raises:
            PhraseError: the text is not understood; the error has the index of the problem.
            InputError: it is not the person's turn.
        """
        self._check_turn()
        if not text.strip(" \t\n.;") and self.menu.usual is not None:
            return self.menu.usual
        reading = read(self._people.moves, self._situation, text)
        return reading.outcome if isinstance(reading, Understood) else reading

    def completions(self, text: str) -> tuple[Completion, ...]:
        """Return the completions of a typed text; empty if it is not the person's turn."""
        if self.decision is None:
            return ()
        return completions(self._people.moves, self._situation, text)

    def tell(self, move: Any) -> str:
        """Return a move as a sentence that can be typed. Raise `GameError` if it is not a move."""
        return describe(self._people.act(move), self.setup, move, self.player)

    @property
    def _people(self) -> People[SetupT, PublicT]:
        assert self.game.people is not None  # a table of people requires it
        return self.game.people

    @property
    def _situation(self) -> Situation[SetupT]:
        return Situation(self.setup, self.view, self.player, self.view.perspective)

    def _check_turn(self) -> None:
        if self.decision is None:
            due = "the game is over" if self.turn_of is None else f"it is {_due(self.turn_of)}"
            raise InputError(f"{person(self.player)} has nothing to decide now: {due}")

    def advise(self, number: int, **options: Any) -> Sequence[Advice]:
        """Return good moves for the person, best first. Raise the errors of `advised`."""
        return advised(self.game, self.view, adviser(), number, options)


def _due(player: str) -> str:
    return "for chance to decide" if player == CHANCE else f"{person(player)}'s turn"


@dataclass
class Chair(Generic[SetupT, PublicT]):
    """The data kept for a person between events, so that views are made quickly.

    Attributes:
        record: the log that the person would have written.
        states: the perspectives of the person after 0, 1, 2, ... events.
        positions: the public positions after 0, 1, 2, ... events.
        engine: a separate engine for this person, because the example that an engine finds may
            depend on earlier questions.
    """

    record: Record[SetupT, PublicT]
    states: list[Perspective]
    positions: list[GameState[PublicT]]
    engine: Engine

    @classmethod
    def of(
        cls, game: Game[SetupT, PublicT], setup: SetupT, deal: World, scene: Scene, player: str
    ) -> Chair[SetupT, PublicT]:
        """Return the chair of a player after the deal; `scene` is the scene of the deal."""
        record = Record(game, setup, seat=Seat(player, game.dealt(setup, deal, player)))
        first = [scene.perspective(player)], [game.start(setup, None)]
        return cls(record, *first, game.engine())

    @property
    def player(self) -> str:
        """The player whose chair this is."""
        return self.states[0].agent

    def catch_up(self, happened: Sequence[Outcome[PublicT]], scenes: Sequence[Scene]) -> None:
        """Process the events since the last call.

        Args:
            happened: the events of the game.
            scenes: the scenes after 0, 1, 2, ... events.
        """
        game, setup = self.record.game, self.record.setup
        new = []
        for number in range(len(self.states), len(scenes)):
            after = scenes[number]
            new.append(as_seen(game, setup, happened[number - 1], after, self.player))
            self.positions.append(self.positions[-1].follow(new[-1]))
            self.states.append(after.perspective(self.player))
        if new:
            self.record = replace(self.record, outcomes=(*self.record.outcomes, *new))

    def view(self, decision: Decision | None, *, mine: bool) -> PersonView[SetupT, PublicT]:
        """Return the current view of the person.

        Args:
            decision: the next decision; None if the game is over.
            mine: whether the person makes this decision.
        """
        public = [outcome.public for outcome in self.record.outcomes]
        pending = None if decision is None else decision.pending
        moment = Moment(
            self.record.game,
            self.record.setup,
            tuple(self.states),
            (0, *(event.turn for event in public)),
            self.engine,
        )
        return PersonView(
            self.player,
            self.record,
            moment,
            self.positions[-1],
            decision if mine else None,
            None if decision is None else decision.player,
            None if pending is None or pending in public else pending,
        )
