"""The reviewer of a game: the number in the chart, the values of moves, and the remarks.

`Reviewer` is the default for every game. A game with more to tell returns a subclass of it from
`Game.reviewer`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic

from symkripke.engines import Counter, counter
from symkripke.errors import BudgetExceeded, NoAnswerWithin, OutOfMemory, Unsupported
from symkripke.explain.text import listed
from symkripke.language import Atom, K, M, negation
from symkripke.model import Scene
from symkripke.play.game_words import answer_in_words
from symkripke.play.odds import answer_odds
from symkripke.play.review.past import Past, Position
from symkripke.play.review.records import (
    NEWS,
    Annotation,
    Appraisal,
    Figures,
    Measure,
    ReviewedEvent,
)
from symkripke.play.rules import Outcome, PublicT, SetupT


class Reviewer(Generic[SetupT, PublicT]):
    """Reviews a game, event by event.

    By default the chart shows for each player how many answers to the game's question are still
    possible; in a game without a question, how many rows of the note sheet the player cannot fill
    in. The remarks tell when each player could first know the answer, and who could know that
    another player knows it.

    Attributes:
        past: the game.
        goal: the words for the answer to the game's question: "the solution".
        ends_open: whether the end of the game shows the answer to all.
        certain: for each player that could know the answer, from which turn on.
        aware: for two players i and j, from which turn on i could know that j knows it.
    """

    goal = "the answer"
    ends_open = True

    def __init__(self, past: Past[SetupT, PublicT]) -> None:
        """A reviewer that has not looked at any event yet."""
        self.past = past
        self.certain: dict[str, int] = {}
        self.aware: dict[tuple[str, str], int] = {}
        first = past.at(0)
        player = past.seen[0]
        self._asks = bool(past.game.answers(past.setup, first.moment.structure, player))

    # ---- what is counted -----------------------------------------------------------------------

    @property
    def counting(self) -> Counter:
        """Who counts; raises `Unsupported` if the engine does not."""
        return counter(self.past.engine)

    @property
    def measure(self) -> Measure:
        """What the chart counts."""
        game, layout = self.past.game, self.past.moment.layout
        if self._asks:
            words = f"{game.question} that each player could still consider possible"
            return Measure(game.question, f"{game.question} left", words, logarithmic=True)
        if layout.counts:
            words = "cells of the note sheet that each player left open"
            return Measure("cells", "open cells", words)
        things = layout.held_as[1]
        return Measure(things, f"{things} not placed", f"{things} that each player could not place")

    @property
    def charted(self) -> tuple[str, ...]:
        """The players for whom it is counted: those whose knowledge is reviewed."""
        return self.past.seen

    def level(self, at: Position[SetupT, PublicT], player: str) -> float:
        """What the chart counts for the player there."""
        game, moment = self.past.game, at.moment
        if self._asks:
            view = moment.perspective(player)
            asked = game.answers(self.past.setup, moment.structure, player)
            atoms = [formula for formula in asked if isinstance(formula, Atom)]
            if len(atoms) == len(asked):
                return len(self.past.engine.possibilities(view, atoms))
            return len(answer_odds(view, asked, self.counting))
        marks = moment.marks(player)
        layout = moment.layout
        if layout.counts:
            return sum(mark.value == "open" for mark in marks.values())
        return sum(
            all(marks[layout.cells[row, column]].value != "yes" for column in layout.columns)
            for row in layout.rows
        )

    def is_certain(self, level: float) -> bool:
        """Whether a player with this number in the chart knows the answer from now on."""
        return self._asks and level == 1

    # ---- what moves were worth -------------------------------------------------------------------

    def appraise(
        self,
        before: Position[SetupT, PublicT],
        outcome: Outcome[PublicT],
        after: Position[SetupT, PublicT],
    ) -> Appraisal | None:
        """What the move was worth beside the best one; None if that cannot be said.

        Only asked of moves of players whose knowledge can be looked at.
        """
        return None

    # ---- what is said ----------------------------------------------------------------------------

    def begin(self, at: Position[SetupT, PublicT], levels: Mapping[str, float]) -> None:
        """Note who knows what before the first event that is reviewed."""
        turn = at.moment.turn
        for player, level in levels.items():
            if self.is_certain(level) and player not in at.state.out:
                self.certain[player] = turn
        self.notice(at, turn)

    def annotate(
        self,
        event: ReviewedEvent,
        before: Position[SetupT, PublicT],
        outcome: Outcome[PublicT],
        after: Position[SetupT, PublicT],
    ) -> Iterable[Annotation]:
        """The remarks on an event, besides the new knowledge of the answer.

        `event` has all but its annotations.
        """
        return ()

    def news(self, event: ReviewedEvent, after: Position[SetupT, PublicT]) -> Iterator[Annotation]:
        """Who can know the answer now, and of whom others can know it now, for the first time."""
        titles = self.past.titles
        fresh = [
            player
            for player, level in event.after.items()
            if player not in self.certain
            and self.is_certain(level)
            # A player who guessed wrongly has looked at the answer, which does not count.
            and player not in after.state.out
        ]
        self.certain |= dict.fromkeys(fresh, event.turn)
        if fresh:
            who = listed([titles[player] for player in fresh])
            words = f"{who} could know {self.goal} from here on"
            yield Annotation("first", fresh[0], words, NEWS, {"players": fresh})
        knew = dict.fromkeys(pair for pair in self.aware)
        self.notice(after, event.turn)
        found: dict[str, list[str]] = {}
        for knower, other in self.aware:
            if (knower, other) not in knew:
                found.setdefault(other, []).append(knower)
        for other, knowers in found.items():
            words = (
                f"{listed([titles[knower] for knower in knowers])} could know that "
                f"{titles[other]} knows {self.goal}"
            )
            yield Annotation("aware", other, words, NEWS, {"knowers": knowers})

    def notice(self, at: Position[SetupT, PublicT], turn: int) -> None:
        """Note which players can know there that another knows the answer; that stays true."""
        past, state = self.past, at.moment.state
        if not self._asks:
            return
        known = self.certain if isinstance(state, Scene) else past.setup.players
        for other in known:
            pending = [
                player
                for player in past.seen
                if player != other and (player, other) not in self.aware
            ]
            knows = past.game.knows_answer(past.setup, at.moment.structure, other)
            if not pending or knows is None or other in at.state.out:
                continue
            if isinstance(state, Scene):
                doubting = past.engine.possible_to(state, negation(knows), pending)
            else:
                doubting = frozenset(
                    player
                    for player in pending
                    if past.engine.holds(state, M(player, negation(knows)))
                )
            for player in pending:
                if player not in doubting:
                    self.aware[player, other] = turn

    # ---- all of it -------------------------------------------------------------------------------

    def figures(self, events: Sequence[ReviewedEvent]) -> Figures:
        """Numbers about each player."""
        columns = {"certain": f"could know {self.goal} from turn"} if self._asks else {}
        columns["left"] = f"{self.measure.short} at the end"
        rows: dict[str, dict[str, str | int | float | None]] = {}
        for player in self.past.seen:
            left = events[-1].after[player] if events else None
            rows[player] = {"left": left}
            if self._asks:
                rows[player]["certain"] = self.certain.get(player)
        return Figures(columns, rows)

    def story(self, events: Sequence[ReviewedEvent], *, whole: bool) -> Iterator[str]:
        """What happened, in a few sentences, after the one that says how the game ended.

        `whole`: all of the game has been reviewed.
        """
        yield from self.solved()
        yield from self.who_knew(events)

    def who_knew(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """Who could know the answer first, and who next."""
        if not self._asks or not events:
            return
        titles, last = self.past.titles, events[-1].turn
        ranked = sorted(self.certain.items(), key=lambda pair: pair[1])
        if len(events[-1].after) == 1:
            (player,) = events[-1].after
            if player in self.certain:
                yield f"{titles[player]} could know {self.goal} from turn {ranked[0][1]} on"
            else:
                left = _plural(events[-1].after[player], self.measure.short)
                yield f"{titles[player]} could not know {self.goal} after turn {last}: {left}"
            return
        if not ranked:
            levels = events[-1].after
            nearest = min(levels, key=lambda player: levels[player])
            yield (
                f"Nobody could know {self.goal} after turn {last}; nearest was {titles[nearest]}: "
                f"{_plural(levels[nearest], self.measure.short)}"
            )
            return
        first = ranked[0][1]
        leaders = [titles[player] for player, turn in ranked if turn == first]
        if len(ranked) == 1:
            words = f"Only {leaders[0]} could know {self.goal}, after {_after_turn(first)}"
        else:
            words = f"{listed(leaders)} could know {self.goal} first, after {_after_turn(first)}"
        winners = [titles[player] for player in self.past.at(events[-1].number).state.winners]
        if len(leaders) > 1 and len(winners) == 1 and winners[0] in leaders:
            words += f"; it was {winners[0]}'s turn"
        yield words
        others = [(titles[player], turn) for player, turn in ranked if turn > first]
        if others:
            told = listed(
                [
                    f"{listed([name for name, known in others if known == turn])} after turn {turn}"
                    for turn in dict.fromkeys(turn for _, turn in others)
                ]
            )
            yield f"Next {'was' if len(others) == 1 else 'were'} {told}"
        rest = [player for player in events[-1].after if player not in self.certain]
        if len(rest) == 1:
            left = _plural(events[-1].after[rest[0]], self.measure.title)
            yield f"After turn {last} {titles[rest[0]]} still had {left} left"
        elif rest:
            still = listed(
                [f"{titles[player]} {number(events[-1].after[player])}" for player in rest]
            )
            yield f"After turn {last} the others still had these {self.measure.title} left: {still}"

    def legend(self) -> Iterable[str]:
        """What the numbers mean, in sentences."""
        return ()

    def solved(self) -> Iterator[str]:
        """A sentence with the answer to the game's question, if the log tells it."""
        moment = self.past.moment
        if not self._asks:
            return
        asked = self.past.game.answers(self.past.setup, moment.structure, self.past.seen[0])
        if isinstance(moment.state, Scene):
            true = tuple(part for part in asked if moment.ask(part, engine=self.past.engine))
        else:  # one player's log may tell it, too: as soon as that player can know it
            known = [K(moment.state.agent, part) for part in asked]
            true = tuple(
                part
                for part, knows in zip(asked, known, strict=True)
                if self.past.engine.holds(moment.state, knows)
            )
            if self.level(self.past.at(moment.events), self.past.seen[0]) != 1:
                return
        words = f"{self.goal} was {answer_in_words(moment, self.past.seen[0], true)}"
        yield words[:1].upper() + words[1:]


def _after_turn(turn: int) -> str:
    return f"turn {turn}" if turn else "the deal"


def number(value: float) -> str:
    """A number as people write it: whole where it is."""
    return f"{value:,.0f}" if value == int(value) else f"{value:.2f}"


def _plural(value: float, things: str) -> str:
    return f"{number(value)} {things}"


def unless_too_much(error: BudgetExceeded | Unsupported) -> None:
    """Raise the error again, unless it only means that an engine cannot count this.

    A limit of the user's ends the review; a limit of an engine leaves out a number.
    """
    if isinstance(error, (NoAnswerWithin, OutOfMemory)):
        raise error


def mean(values: Sequence[float]) -> float | None:
    """The average; None of nothing."""
    return sum(values) / len(values) if values else None
