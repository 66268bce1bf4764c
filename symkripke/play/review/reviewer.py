"""The reviewer of a game: the number in the chart, the values of moves, and the remarks.

`Reviewer` is the default for every game. A game with further remarks returns a subclass from
`Game.reviewer`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic

from symkripke.engines import Counter, counter
from symkripke.errors import BudgetExceeded, NoAnswerWithin, OutOfMemory, Unsupported
from symkripke.explain.text import listed
from symkripke.language import Atom, Formula, K, M, negation
from symkripke.model import Scene
from symkripke.play.game_words import answer_in_words
from symkripke.play.information import answer_odds, entropy
from symkripke.play.moment import Moment
from symkripke.play.player import Advice
from symkripke.play.positions import Past, Position, Transition
from symkripke.play.review.records import (
    NEWS,
    Annotation,
    Appraisal,
    Cell,
    Column,
    Figures,
    Measure,
    ReviewedEvent,
    counted,
    last,
    mean,
)
from symkripke.play.rules import PublicT, SetupT

# The minimum difference between successes and their expected number that is called luck.
_LUCK = 0.5


class Reviewer(Generic[SetupT, PublicT]):
    """A reviewer of a game, event by event.

    By default, the chart shows the number of answers to the game's question that each player still
    considers possible. In a game without a question, it shows the number of rows of the note sheet
    that the player cannot fill in. The remarks say when each player could first know the answer,
    and who could know that another player knows it.

    Attributes:
        past: the replayed game.
        advisor: the advisor that values moves; None: moves have no values.
        moves: the moves that are compared with the move of the reviewed event.
        mine: the advice for the move of that event; None: the move has no value.
        goal: the words for the answer to the game's question: "the solution".
        certain: the turn since which a player could know the answer, for each player who could.
        aware: for two players (i, j), the turn since which i could know that j knows the answer.
    """

    goal = "the answer"

    def __init__(self, past: Past[SetupT, PublicT]) -> None:
        """Create a reviewer before the first event."""
        self.past = past
        self.advisor = past.game.advisor
        self.moves: Sequence[Advice] = ()
        self.mine: Advice | None = None
        self.certain: dict[str, int] = {}
        self.aware: dict[tuple[str, str], int] = {}
        first = past.at(0)
        player = past.seen[0]
        self._asks = bool(self._asked(first.moment, player))

    # ---- figures -------------------------------------------------------------------------------

    @property
    def counting(self) -> Counter:
        """The engine as a counter. Raises `Unsupported` if the engine cannot count."""
        return counter(self.past.engine)

    @property
    def measure(self) -> Measure:
        """The quantity in the chart."""
        game, layout = self.past.game, self.past.moment.layout
        if self._asks:
            words = f"{game.question} that each player could still consider possible"
            return Measure(game.question, f"{game.question} left", words, logarithmic=True)
        if layout.counts:
            words = "cells of the note sheet that each player left open"
            return Measure("cells", "open cells", words)
        things = layout.held_as[1]
        if layout.describes:
            words = f"{things} that each player does not know completely"
            return Measure(things, f"unknown {things}", words)
        return Measure(things, f"{things} not placed", f"{things} that each player could not place")

    @property
    def charted(self) -> tuple[str, ...]:
        """The players in the chart: the players whose knowledge is reviewed."""
        return self.past.seen

    def level(self, at: Position[SetupT, PublicT], player: str) -> float:
        """Return the number in the chart for the player at a position."""
        moment = at.moment
        if self._asks:
            view, asked = moment.perspective(player), self._asked(moment, player)
            atoms = [formula for formula in asked if isinstance(formula, Atom)]
            if len(atoms) == len(asked):
                return len(self.past.engine.possibilities(view, atoms))
            return len(answer_odds(view, asked, self.counting))
        marks = moment.marks(player)
        layout = moment.layout
        if layout.counts:
            return sum(mark.value == "open" for mark in marks.values())
        if layout.describes:
            return sum(any(marks[cell].value == "open" for cell in of) for of in layout.things)
        return sum(
            all(marks[layout.cells[row, column]].value != "yes" for column in layout.columns)
            for row in layout.rows
        )

    def is_certain(self, level: float) -> bool:
        """Return whether a player with this number in the chart knows the answer from now on."""
        return self._asks and level == 1

    # ---- values of moves -------------------------------------------------------------------------

    def appraise(self, step: Transition[SetupT, PublicT]) -> Appraisal | None:
        """Return the value of the move and of the best move; None if unknown.

        The method is called only for players whose knowledge can be examined. The values come from
        the game's advisor.
        """
        advisor, event = self.advisor, step.public
        if advisor is None:
            return None
        view = step.before.view(step.player)
        try:
            moves = self.moves = advisor.weigh(view, self.past.engine, event)
            mine = self.mine = advisor.made(view, self.past.engine, event, moves)
            if mine is None:
                return None
            brought = self.brought(step, mine)
        except (BudgetExceeded, Unsupported) as error:
            unless_too_much(error)
            return None
        better = [move for move in moves if move.unit == mine.unit and move.beats(mine)]
        best = better[0] if better else mine
        return Appraisal(
            mine.unit,
            mine.gain,
            best.gain,
            best.title.partition(":")[0] if better else "",
            len(better),
            len(moves),
            brought,
            advisor.noun,
            mine.aim or "of success",
        )

    def brought(self, step: Transition[SetupT, PublicT], move: Advice) -> float | None:
        """Return the result of a move in the unit of its value; None if unknown.

        By default, only results in bits are known: the reduction of the mover's entropy of the
        answer.
        """
        if move.unit != "bits" or not self._asks:
            return None
        then, now = (
            entropy(
                at.moment.perspective(step.player),
                self._asked(at.moment, step.player),
                self.counting,
            )
            for at in (step.before, step.after)
        )
        return then - now

    # ---- remarks ---------------------------------------------------------------------------------

    def begin(self, at: Position[SetupT, PublicT], levels: Mapping[str, float]) -> None:
        """Record the knowledge of the players before the first event that is reviewed."""
        turn = at.moment.turn
        for player, level in levels.items():
            if self.is_certain(level) and player not in at.state.out:
                self.certain[player] = turn
        self.notice(at, turn)

    def annotate(
        self, event: ReviewedEvent, step: Transition[SetupT, PublicT]
    ) -> Iterable[Annotation]:
        """Yield the remarks on an event, except for new knowledge of the answer.

        `event` is complete except for its annotations.
        """
        return ()

    def news(self, event: ReviewedEvent, after: Position[SetupT, PublicT]) -> Iterator[Annotation]:
        """Yield the news: who can now know the answer, and who can know that another knows it."""
        titles, shown = self.past.titles, self.shown(after)
        fresh = [
            player
            for player, level in event.after.items()
            if player not in self.certain
            and player not in shown
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
        news: dict[str, list[str]] = {}
        for knower, other in self.aware:
            if (knower, other) not in knew:
                news.setdefault(other, []).append(knower)
        for other, knowers in news.items():
            words = (
                f"{listed([titles[knower] for knower in knowers])} could know that "
                f"{titles[other]} knows {self.goal}"
            )
            yield Annotation("aware", other, words, NEWS, {"knowers": knowers})

    def notice(self, at: Position[SetupT, PublicT], turn: int) -> None:
        """Record the players who can now know that another knows the answer, which stays true."""
        past, state, shown = self.past, at.moment.state, self.shown(at)
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
            if not pending or knows is None or other in at.state.out or other in shown:
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

    # ---- the whole game --------------------------------------------------------------------------

    @property
    def columns(self) -> Mapping[str, Column]:
        """The figures about each player, by a short name."""
        return {
            "certain": Column(f"could know {self.goal} from turn", last, "turn"),
            "value": Column("average value of the moves", mean),
            "best": Column("average value of the best moves", mean),
            "better": Column("moves where a better one existed", counted),
            "left": Column(f"{self.measure.short} at the end", last),
        }

    def facts(self, events: Sequence[ReviewedEvent]) -> Iterator[tuple[str, str, float]]:
        """Yield the facts behind the figures, each as a player, a name and a number.

        By default, the facts are the numbers in the chart ("left"), the turn since which the player
        could know the answer ("turn"), the parts of appraisals ("value" and "best" if all have the
        same unit, "brought", and whether another move was "better"), and a 1 for each annotation,
        by its kind.
        """
        units = {event.appraisal.unit for event in events if event.appraisal is not None}
        for player, turn in self.certain.items():
            yield player, "turn", turn
        for event in events:
            for player, level in event.after.items():
                yield player, "left", level
            if (move := event.appraisal) is not None:
                if len(units) == 1:
                    yield event.player, "value", move.value
                    yield event.player, "best", move.best
                yield event.player, "better", not move.is_best
                if move.brought is not None:
                    yield event.player, "brought", move.brought
            for said in event.annotations:
                yield said.player, said.kind, 1

    def figures(self, events: Sequence[ReviewedEvent]) -> Figures:
        """Return the figures about each player, without empty rows and columns."""
        facts: dict[tuple[str, str], list[float]] = defaultdict(list)
        for player, name, value in self.facts(events):
            facts[player, name].append(value)
        columns = self.columns
        rows: dict[str, dict[str, Cell]] = {
            player: {
                name: column.how(facts[player, column.of or name])
                if player in self.past.seen or not column.known
                else None
                for name, column in columns.items()
            }
            for player in self.past.setup.players
        }
        rows = {player: row for player, row in rows.items() if {*row.values()} != {None}}
        there = {name for row in rows.values() for name in row if row[name] is not None}
        return Figures({name: columns[name].words for name in columns if name in there}, rows)

    def luck(
        self,
        rows: Mapping[str, Mapping[str, Any]],
        done: str,
        tried: str,
        words: Callable[[Mapping[str, Any]], str],
    ) -> Iterator[str]:
        """Yield sentences about the luckiest and the unluckiest player.

        Args:
            rows: the figures of each player, including the "expected" number of successes.
            done: the name of the figure that counts successes.
            tried: the name of the figure that counts tries.
            words: returns the words for the actions of a player, which follow the name: "got 3 of 4
                cards".
        """
        luck = {
            player: rows[player][done] - rows[player]["expected"]
            for player in self.past.seen
            if rows[player][tried]
        }
        ends = (max(luck, key=luck.__getitem__), min(luck, key=luck.__getitem__)) if luck else ()
        for player in dict.fromkeys(ends):
            row, more = rows[player], luck[player]
            lucky = "lucky" if more >= _LUCK else "unlucky" if more <= -_LUCK else ""
            sentence = f"was {lucky}: they {words(row)}" if lucky else words(row)
            yield (
                f"{self.past.titles[player]} {sentence}; "
                f"the expected number was {row['expected']:.1f}"
            )

    def story(self, events: Sequence[ReviewedEvent], *, whole: bool) -> Iterator[str]:
        """Yield the story of the game in a few sentences, after the sentence about its end.

        With `whole`, the whole game has been reviewed.
        """
        yield from self.solved()
        yield from self.knowledge_timeline(events)

    def knowledge_timeline(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """Yield sentences about the players who could know the answer, and when."""
        if not self._asks or not events:
            return
        titles, last = self.past.titles, events[-1].turn
        shown = self.shown(self.past.at(events[-1].number))
        when = "before the end" if shown else f"after turn {last}"
        ranked = sorted(self.certain.items(), key=lambda pair: pair[1])
        if len(events[-1].after) == 1:
            (player,) = events[-1].after
            if player in self.certain:
                yield f"{titles[player]} could know {self.goal} from turn {ranked[0][1]} on"
            else:
                left = _plural(events[-1].after[player], self.measure.short)
                yield f"{titles[player]} could not know {self.goal} {when}: {left}"
            return
        if not ranked:
            levels = events[-1].after
            nearest = min(levels, key=lambda player: levels[player])
            yield (
                f"Nobody could know {self.goal} {when}; {titles[nearest]} came closest: "
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
        later: dict[int, list[str]] = {}
        for player, turn in ranked[len(leaders) :]:
            later.setdefault(turn, []).append(titles[player])
        if later:
            list_of_turns = listed(
                [f"{listed(who)} after turn {turn}" for turn, who in later.items()]
            )
            yield f"Next {'was' if len(ranked) - len(leaders) == 1 else 'were'} {list_of_turns}"
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
        """Return sentences that explain the numbers."""
        return ()

    def solved(self) -> Iterator[str]:
        """Yield the answer to the question if the log has it, or each player's own answer."""
        moment = self.past.moment
        asked = {player: self._asked(moment, player) for player in self.past.seen}
        alike = len({*asked.values()}) == 1
        for player in self.past.seen[:1] if alike else self.past.seen:
            if not self._asks or not asked[player]:
                continue
            if isinstance(moment.state, Scene):
                known = asked[player]
            else:  # one player's log may reveal it, too, once that player can know it
                known = tuple(K(player, part) for part in asked[player])
                if self.level(self.past.at(moment.events), player) != 1:
                    continue
            true = tuple(
                part
                for part, truth in zip(asked[player], known, strict=True)
                if self.past.engine.holds(moment.state, truth)
            )
            words = f"{self.goal} was {answer_in_words(moment, player, true)}"
            yield words[:1].upper() + words[1:] if alike else f"{self.past.titles[player]}: {words}"

    def _asked(self, moment: Moment[SetupT, PublicT], player: str) -> tuple[Formula, ...]:
        return self.past.game.answers(self.past.setup, moment.structure, player)

    def shown(self, at: Position[SetupT, PublicT]) -> frozenset[str]:
        """Return the players who see the answer at the end of the game, without deducing it."""
        if not self._asks or at.state.result is None:
            return frozenset()
        structure, valid = at.moment.structure, self.past.engine.valid
        asked = {player: self._asked(at.moment, player) for player in self.past.setup.players}
        players = {
            formulas: all(
                valid(structure, part) or valid(structure, negation(part)) for part in formulas
            )
            for formulas in {*asked.values()}
        }
        return frozenset(player for player in asked if players[asked[player]])


def _after_turn(turn: int) -> str:
    return f"turn {turn}" if turn else "the deal"


def number(value: float) -> str:
    """Return a number as people write it, without needless decimals."""
    return f"{value:,.0f}" if value == int(value) else f"{value:.2f}"


def _plural(value: float, things: str) -> str:
    return f"{number(value)} {things}"


def unless_too_much(error: BudgetExceeded | Unsupported) -> None:
    """Raise the error again, unless it only means that an engine cannot count this.

    A limit set by the user ends the review; an engine's own limit only omits a number.
    """
    if isinstance(error, (NoAnswerWithin, OutOfMemory)):
        raise error
