"""A watched game between programs: events, and the conclusions of each player."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from rich.console import Console
from rich.text import Text

from symkripke.cli.display import FEW, SEATS, bar, dealt_lines, say_of
from symkripke.cli.hosting import in_order
from symkripke.cli.quiz import Quiz
from symkripke.explain.text import listed
from symkripke.language import Atom
from symkripke.model import Fixed
from symkripke.play import Assessment, Table, TableEvent
from symkripke.play.words import besides_winning, with_titles

_BAR = 28


class Watched:
    """A printer of the events of a game, with the conclusions of each player."""

    def __init__(
        self,
        console: Console,
        table: Table[Any, Any],
        brief: bool,
        count: Callable[[], dict[str, int]] | None,
        quiz: Quiz | None,
    ) -> None:
        """Prepare the printing of a game.

        Args:
            console: the console.
            table: the game.
            brief: whether to print only events.
            count: a function that counts the deals that each player considers possible; None to
                omit the counts.
            quiz: the quiz that asks the reader after each event; None for no quiz.
        """
        self.table = table
        self.brief = brief
        self.count = count
        self.quiz = quiz
        self.console = console
        self.layout = table.game.layout(table.setup, table.scene.structure)
        self.names = [self.layout.person(name) for name in table.setup.players]
        self.known: dict[str, Mapping[str, str]] = {}
        self.most = 1
        self.turn = 0
        self.column = 0

    def __call__(self, event: TableEvent[Any] | None) -> None:
        """Print an event, or the deal if `event` is None."""
        table = self.table
        if self.brief:
            if event is None:
                self._deal()
            else:
                self._say(f"{event.turn:>4}  {event.story}")
            return
        assessed = table.assess()
        if event is None:
            self._deal()
            self.most = max(assessment.open for assessment in assessed.values())
        else:
            if event.turn != self.turn:
                self._say(f"\nTurn {event.turn}", style="bold")
                self.turn = event.turn
            self._say("  " + event.story)
            if event.reason:
                self._say(f"    {event.reason}", style="dim")
            if self.quiz is not None:
                self._predict(self.quiz)
            self._learned(assessed)
        if table.state.turn > 0:  # before that, the deal is not complete
            self._bars(assessed)
        self.known = {name: assessment.located for name, assessment in assessed.items()}

    def _say(self, text: str, style: str = "") -> None:
        say_of(self.console, self.layout, self.table.setup.players, text, style)

    def _deal(self) -> None:
        table = self.table
        seats = zip(self.names, table.minds, strict=True)
        minds = ", ".join(f"{name} ({mind})" for name, mind in seats)
        if len(set(table.minds)) == 1:
            minds = f"{', '.join(self.names)} (all {table.minds[0]})"
        self._say(f"{table.game.title}, {table.setup.rules} rules, seed {table.seed}: {minds}")
        for line in dealt_lines(self.layout, table.deal):
            self._say(line, style="dim" if line.startswith("  (") else "")
        if events := len(table.steps):
            self._say(f"  The game continues: {events} events so far.")
        if not self.brief:
            also = "; behind them, deals" if self.count is not None else ""
            self._say(f"  Bars: {table.game.question} {table.game.counted}{also}.")

    def _predict(self, quiz: Quiz) -> None:
        """Ask the reader what a player can conclude from the last event."""
        moment = self.table.moment
        chance = Random(f"{self.table.seed}/quiz/{len(self.table.steps)}")
        before = moment.after(moment.events - 1)
        if before.structure.root is not moment.structure.root:
            return
        player = chance.choice(self.table.setup.players)
        cells = moment.layout.cells.items()
        then, now = before.marks(player), moment.marks(player)
        quiz.of_news(
            moment,
            player,
            {place: then[cell] for place, cell in cells},
            {place: now[cell] for place, cell in cells},
            chance,
        )

    def _learned(self, assessed: Mapping[str, Assessment]) -> None:
        # The story already contains public changes.
        versions = self.table.scene.structure.versions
        for name, assessment in assessed.items():
            before = self.known.get(name, {})
            new = [
                Atom(fluent, value)
                for fluent, value in in_order(assessment.located, self.table).items()
                if before.get(fluent) != value and not isinstance(versions.get(fluent), Fixed)
            ]
            if new:
                places = ", ".join(self._located(atom, short=len(new) > FEW) for atom in new)
                self._say(f"  {self.layout.person(name)} locates {places}")

    def _located(self, atom: Atom, *, short: bool) -> str:
        """Return a card and its place; `short` replaces the title of the card by its code."""
        row, column = self.layout.places[atom]
        title, place = self.layout.rows[row], self.layout.columns[column]
        return f"{self.layout.codes.get(row, title) if short else title} ({place})"

    def _bars(self, assessed: Mapping[str, Assessment]) -> None:
        counted = {} if self.count is None else self.count()
        lines = [
            self._bar(seat, name, assessment, counted.get(name))
            for seat, (name, assessment) in enumerate(assessed.items())
        ]
        # On a wide terminal, bars are side by side, in columns that never become narrower.
        self.column = max(self.column, *map(len, lines))
        columns = max(1, self.console.width // self.column) if self.console.is_terminal else 1
        for start in range(0, len(lines), columns):
            row = lines[start : start + columns]
            for line in row[:-1]:
                line.pad_right(self.column - len(line))
            self.console.print(Text.assemble(*row))

    def _bar(self, seat: int, name: str, assessment: Assessment, deals: int | None) -> Text:
        """Return the line of one player."""
        wide, digits = max(map(len, self.names)), len(str(self.most))
        line = Text(f"    {self.layout.person(name):<{wide}}  {assessment.open:>{digits}} ")
        start = len(line)
        self.column = max(self.column, start + _BAR + len("  certain"))
        line.append(bar(assessment.open, self.most, _BAR), style=SEATS[seat % len(SEATS)])
        if deals is not None:
            line.pad_right(start + _BAR - len(line))
            line.append(f"  {deals:,} deal{'' if deals == 1 else 's'}")
        standing = self.table.game.standing(self.table.setup, self.table.state, name)
        if standing.note:
            line.append(f"  {standing.note}", style="dim")
        elif assessment.certain:
            line.append("  certain", style="bold green")
        if standing.won:
            line.append(f"  {standing.won}", style="bold")
        return line

    def end(self, interrupted: bool) -> None:
        """Print the result of the game, and the score of a quiz."""
        self._outcome(interrupted)
        if self.quiz is not None:
            self.quiz.end()

    def _outcome(self, interrupted: bool) -> None:
        """Print the winner, and the way of winning."""
        table, winners = self.table, self.table.state.winners
        if interrupted:
            self._say(f"\ninterrupted in turn {table.state.turn}")
            return
        if not winners:
            self._say(f"\n{table.result}", style="bold")
            return
        seats = {
            name: f"{self.layout.person(name)} ({mind})"
            for name, mind in zip(table.setup.players, table.minds, strict=True)
        }
        turn = f"in turn {table.steps[-1].turn}"
        if table.game.loser:
            for name in (name for name in seats if name not in winners):
                result = f"{seats[name]} is {table.game.loser} {turn}; all others win."
                self._say(f"\n{result}", style="bold")
            return
        score = table.game.standing(table.setup, table.state, winners[0]).won
        if len(winners) > 1:
            who = listed([seat for name, seat in seats.items() if name in winners])
            result = f"{who} win together {turn}{f', with {score} each' if score else ''}."
            self._say(f"\n{result}", style="bold")
            return
        if score:
            how = f", with {score}"
        elif more := besides_winning(table.result, winners[0]):
            how = f": {with_titles(more, table.setup.players)}"
        else:
            how = f", {self._how_certain(winners[0])}"
        self._say(f"\n{seats[winners[0]]} wins {turn}{how}.")

    def _how_certain(self, winner: str) -> str:
        """Return how certain the winner was before the last event."""
        assessed = self.table.assess_before_last(winner)
        left = f"with {assessed.open} {self.table.game.question} left"
        return "certain" if assessed.certain else left
