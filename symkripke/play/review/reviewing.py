"""Reviews of games, event by event. The review so far is available at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from symkripke.engines import Engine, engine, weighing
from symkripke.errors import ImpossibleEntry, InputError, check_name
from symkripke.explain.text import listed
from symkripke.play.player import WEIGHTING
from symkripke.play.positions import Past, Position
from symkripke.play.review.records import ReviewedEvent
from symkripke.play.review.reviewer import Reviewer
from symkripke.play.review.telling import Review
from symkripke.play.session.record import Record
from symkripke.play.words import besides_winning, person, with_titles


class Reviewing:
    """A review in progress. Each step of an iteration reviews one event.

    Attributes:
        number: the number of events to review.
    """

    def __init__(
        self,
        record: Record[Any, Any],
        *,
        players: Sequence[str] | None = None,
        turns: tuple[int, int] | None = None,
        weighting: str = WEIGHTING,
        answering: Engine | None = None,
        name: str = "log",
    ) -> None:
        """Replay the game without reviewing it yet. See `review`."""
        asked = engine("auto", weighting) if answering is None else answering
        self._weighting = weighing(asked)
        self._notes: list[str] = []
        try:
            moment = record.replay(name, asked)
        except ImpossibleEntry as error:
            moment = record.replay(name, asked, upto=error.number)
            self._notes.append(
                f"The log contains an error, and is reviewed up to that point: {error}"
            )
        self._record = record
        self.past = Past(record, moment)
        self._choose(players)
        self._first, last = self._range(turns)
        self._last = last
        self.number = last - self._first
        self._events: list[ReviewedEvent] = []
        own = self.past.game.reviewer(self.past)
        self._reviewer: Reviewer[Any, Any] = Reviewer(self.past) if own is None else own
        self._start: dict[str, float] | None = None

    def _choose(self, players: Sequence[str] | None) -> None:
        """Restrict the review to the knowledge of these players."""
        past = self.past
        if players is None:
            return
        if not players:
            raise InputError("expected the names of players, got none")
        for player in players:
            check_name("player", player, past.setup.players)
            if player not in past.seen:
                raise InputError(
                    f"this log shows only what {person(past.seat or '')} saw, so it does not show "
                    f"what {person(player)} knows"
                )
        past.seen = tuple(player for player in past.seen if player in players)

    def _range(self, turns: tuple[int, int] | None) -> tuple[int, int]:
        """Return the numbers of events before the first and up to the last reviewed event."""
        moment = self.past.moment
        if turns is None:
            return 0, moment.events
        first, last = turns
        if first < 0 or last < first:
            raise InputError(f"expected turns A-B with A not after B, got {first}-{last}")
        if first > moment.turns[moment.events]:
            raise InputError(
                f"expected turns up to {moment.turns[moment.events]}, got {first}-{last}"
            )
        played = moment.turns[1 : moment.events + 1]
        return sum(turn < first for turn in played), sum(turn <= last for turn in played)

    def __iter__(self) -> Iterator[ReviewedEvent]:
        """Review and yield each event."""
        while len(self._events) < self.number:
            yield self.step()

    def _levels(self, at: Position[Any, Any]) -> dict[str, float]:
        return {player: self._reviewer.level(at, player) for player in self._reviewer.charted}

    def step(self) -> ReviewedEvent:
        """Review the next event. If an interruption ends the call, it can be repeated."""
        past, reviewer = self.past, self._reviewer
        number = self._first + len(self._events) + 1
        step = past.transition(number)
        if self._start is None:
            self._start = self._levels(step.before)
            reviewer.begin(step.before, self._start)
        levels = self._events[-1].after if self._events else self._start
        shown, reviewer.moves, reviewer.mine = reviewer.shown(step.after), (), None
        event = ReviewedEvent(
            number,
            step.public.turn,
            step.player,
            past.game.story(past.setup, step.outcome, past.seat or None),
            levels,
            {
                player: level
                if player in shown or reviewer.is_certain(level)
                else reviewer.level(step.after, player)
                for player, level in levels.items()
            },
            reviewer.appraise(step) if step.player in past.seen else None,
            (),
        )
        said = (*reviewer.annotate(event, step), *reviewer.news(event, step.after))
        self._events.append(replace(event, annotations=said))
        return self._events[-1]

    def review(self) -> Review:
        """Return the review of the events so far."""
        past, events = self.past, tuple(self._events)
        done = len(events) == self.number
        if self._start is None:
            before = past.at(self._first)
            self._start = self._levels(before)
        notes = list(self._notes)
        if not done:
            where = f"after turn {events[-1].turn}" if events else "before its first event"
            notes.append(f"This review was stopped {where}")
        if past.seat:
            who = past.titles[past.seat]
            notes.append(f"This log has only what {who} saw, so it does not show what others knew")
        if self._record.pending:
            notes.append(f"Incomplete entry, not reviewed: {self._record.pending!r}")
        turns = past.moment.turns
        whole = done and self._first == 0 and self._last == past.moment.events
        return Review(
            game=past.game.name,
            title=past.game.title,
            rules=past.setup.rules,
            players=tuple(past.setup.players),
            titles=past.titles,
            minds=past.minds,
            seat=past.seat,
            seen=past.seen,
            weighting=self._weighting,
            turns=(
                turns[min(self._first + 1, past.moment.events)],
                events[-1].turn if events else turns[self._first],
            ),
            whole=whole,
            ending=self._ending(),
            winners=tuple(past.at(past.moment.events).state.winners),
            notes=tuple(notes),
            story=tuple(self._reviewer.story(events, whole=whole)),
            legend=tuple(self._reviewer.legend()),
            measure=self._reviewer.measure,
            start=self._start,
            events=events,
            certain=dict(self._reviewer.certain),
            aware=dict(self._reviewer.aware),
            figures=self._reviewer.figures(events),
        )

    def _ending(self) -> str:
        """Return the sentence about the end of the game."""
        past = self.past
        state = past.at(past.moment.events).state
        turn = past.moment.turns[past.moment.events]
        if state.result is None:
            result = self._record.result
            if result is not None and len(past.outcomes) == len(self._record.outcomes):
                return f"The game was given up after turn {turn}"
            return f"The game is not finished: turn {turn} is the last turn in this log"
        titles = past.titles
        if not state.winners:
            words = state.result
            return f"{words[:1].upper()}{words[1:]} (turn {turn})"
        if past.game.loser:
            lost = [titles[p] for p in past.setup.players if p not in state.winners]
            return f"{listed(lost)} was {past.game.loser} after turn {turn}"
        won = past.game.standing(past.setup, state, state.winners[0]).won
        each = " each" if len(state.winners) > 1 else ""
        with_what = f", with {won}{each}" if won else ""
        if not won and (more := besides_winning(state.result, state.winners[0])):
            with_what = f": {with_titles(more, past.setup.players)}"
        return f"{listed([titles[p] for p in state.winners])} won in turn {turn}{with_what}"


def review(
    record: Record[Any, Any],
    *,
    players: Sequence[str] | None = None,
    turns: tuple[int, int] | None = None,
    weighting: str = WEIGHTING,
    answering: Engine | None = None,
    name: str = "log",
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> Review:
    """Review a recorded game.

    For each turn, the review shows the possible knowledge of each player, the value of each move
    compared with the best move, and the information that it gives to others. For the log of one
    seat, it shows only the knowledge of that player. A log with an impossible entry is reviewed up
    to that entry.

    Args:
        record: the record of the game; for a table, `table.record`.
        players: the players whose knowledge is reviewed; None for all.
        turns: the first and the last turn; None for all.
        weighting: the weighting of worlds.
        answering: the engine that answers, instead of an engine with that weighting.
        name: the name of the log in errors.
        tell: a function called after each event with the numbers of reviewed events and of all
            events.

    Raises:
        LogError: the truth, the seat or the result of the log is impossible.
        InputError: there is no such player or turn.
    """
    work = Reviewing(
        record, players=players, turns=turns, weighting=weighting, answering=answering, name=name
    )
    for done, _ in enumerate(work, 1):
        tell(done, work.number)
    return work.review()
