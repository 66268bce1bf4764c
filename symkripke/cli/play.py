"""`symkripke play`."""

from __future__ import annotations

import secrets
import shlex
import sys
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from symkripke.cli import options
from symkripke.cli.commands import argument, command, flag, option, path
from symkripke.errors import PlayerError, SymkripkeError
from symkripke.language import Atom
from symkripke.model import Fixed

if TYPE_CHECKING:
    from rich.text import Text

    from symkripke.cli.quiz import Quiz
    from symkripke.play import Assessment, Table, TableEvent

_BAR = 28


@command()
def play(
    game_name: str | None = argument("GAME", required=False),
    seats: options.Seats = options.SEATS,
    humans: tuple[str, ...] = option(
        "--human",
        "NAME",
        "A person plays here, under this name. Can be repeated: all at one terminal.",
        multiple=True,
    ),
    resume: str | None = path("--resume", "LOG", "Go on with the game of a log."),
    pace: float = option(
        "--pace",
        "SECONDS",
        "Wait so long after each event.",
        type=click.FloatRange(min=0),
        default=0,
        show_default=False,
    ),
    seed: int | None = option(
        "--seed", None, "The seed of all chance; by default each game is new.", type=int
    ),
    step: bool = flag("--step", "Wait for the Enter key after each event."),
    log: str | None = path("--log", "FILE", "Write a log of the game (JSON Lines)."),
    replace: bool = options.force("FILE"),
    brief: bool = options.BRIEF,
    worlds: bool = flag("--worlds", "Count exactly how many deals each considers possible."),
    quiz: bool = options.QUIZ,
    plain: bool = options.PLAIN,
    limits: options.Limits = options.LIMITS,
    as_json: bool = options.JSON,
) -> None:
    """Play a GAME with computer players, and show what each of them learns.

    The same seed gives the same game on every machine. --seconds and --memory can end a game, but
    never change it. Ctrl-C ends it early. A log has each event as soon as it has happened.

    With --human NAME you play along: you see what that player sees, and type its moves. `help`
    shows what can be typed; --resume LOG goes on with a game that you left.
    """
    if brief and worlds:
        raise click.UsageError("--brief and --worlds: expected one of them")
    if humans:
        _check_for_persons(as_json, step, worlds)
    elif resume is None and quiz and (as_json or brief or step):
        raise click.UsageError("--quiz is for reading: expected no --json, --brief or --step")
    from symkripke.cli.hosting import begun, resumed
    from symkripke.cli.line_reader import LineReader
    from symkripke.cli.quiz import Quiz

    minds = seats.minds or ()
    if resume is not None:
        given = {**seats.setup, "GAME": game_name, "--minds": seats.minds}
        given |= {"--human": humans or None, "--seed": seed, "--log": log}
        table = resumed(resume, given, limits)
        log = resume
    elif game_name is None:
        raise click.UsageError("Missing argument 'GAME'.")
    else:
        chosen = secrets.randbelow(1_000_000) if seed is None else seed
        table = begun(
            game_name, seats.setup, minds, humans, chosen, log, force=replace, limits=limits
        )
    if table.persons:
        _check_for_persons(as_json, step, worlds)
        from symkripke.cli.person_dialogue import InTheGame

        lines = LineReader(InTheGame.history, plain=plain)
        dialogue = InTheGame(
            table,
            lines,
            plain=plain or not lines.interactive,
            limits=limits,
            pace=pace,
            brief=brief,
            quiz=Quiz(lines, limits) if quiz else None,
        )
        dialogue.open()
        click.get_current_context().exit(dialogue.hold())
    count = _counting(table, limits) if worlds else dict
    teller = None
    if not as_json:
        asking = Quiz(LineReader(Quiz.history, plain=plain), limits) if quiz else None
        teller = _Teller(table, brief, count if worlds else None, asking)
    interrupted = False
    failed: PlayerError | None = None

    def tell(event: TableEvent[Any] | None) -> None:
        if teller is None:
            options.put_json(_told(table, event, count(), brief=brief))
        else:
            teller(event)

    try:
        tell(None)
        for event in table:
            if step:
                _wait()
            tell(event)
            if pace:
                time.sleep(pace)
    except (KeyboardInterrupt, click.exceptions.Abort):
        interrupted = True
    except PlayerError as error:
        failed = error
    except BrokenPipeError:
        # The reader has closed the pipe, as `head` does. With --log, the game goes on.
        if log is not None:
            for _ in table:
                pass
        raise
    if failed is not None:
        if log is not None:
            click.echo(f"written to {log}, as far as it was played", err=True)
        again = options.play_command(table.game.name, seats.setup, minds, table.seed)
        if resume is not None:
            again = shlex.join(["symkripke", "play", "--resume", resume])
        raise SymkripkeError(f"{failed}\nto play it again: {again}") from failed
    if teller is not None:
        teller.end(interrupted)
    else:
        winners = list(table.state.winners)
        options.put_json({"result": table.result, "winners": winners, "seed": table.seed})
    if log is not None:
        click.echo(f"written to {log}", err=True)
    if interrupted:
        sys.exit(130)


def _check_for_persons(as_json: bool, step: bool, worlds: bool) -> None:
    """Raise `UsageError` for options with which persons cannot play."""
    if as_json or step or worlds:
        raise click.UsageError("--json, --step and --worlds are for watching, not for playing")


def _wait() -> None:
    click.echo("  (Enter: next event)", nl=False, err=True)
    if not sys.stdin.readline():
        raise click.exceptions.Abort
    if not sys.stdin.isatty():
        click.echo(err=True)


def _in_order(located: Mapping[str, str], table: Table[Any, Any]) -> dict[str, str]:
    """The cards that a player has located, in the order of the deal."""
    places = {name: place for place, name in enumerate(table.deal)}
    return {name: located[name] for name in sorted(located, key=lambda name: places[name])}


def _counting(table: Table[Any, Any], limits: options.Limits) -> Callable[[], dict[str, int]]:
    """A function that counts the deals that each player considers possible now."""
    from symkripke.engines import engine
    from symkripke.play.odds import deals

    counting = engine("bdd")

    def count() -> dict[str, int]:
        found: dict[str, int] = {}
        for name in table.setup.players:
            with limits.whole("counting deals"):
                found[name] = deals(counting, table.scene.perspective(name))
        return found

    return count


def _told(
    table: Table[Any, Any], event: TableEvent[Any] | None, deals: Mapping[str, int], *, brief: bool
) -> dict[str, Any]:
    """An event as plain data, and what players conclude; `deals`: by player, if counted."""
    data: dict[str, Any] = {
        "event": 0 if event is None else event.number,
        "turn": 0 if event is None else event.turn,
        "story": "the cards are dealt" if event is None else event.story,
    }
    if event is not None and event.reason:
        data["reason"] = event.reason
    if brief:
        return data
    assessed = table.assess()
    data["players"] = {}
    for name, mind in zip(table.setup.players, table.minds, strict=True):
        standing = table.game.standing(table.setup, table.state, name)
        data["players"][name] = {
            "mind": mind,
            table.game.question: assessed[name].open,
            "located": _in_order(assessed[name].located, table),
            "certain": assessed[name].certain,
            "out": name in table.state.out,
            "standing": standing.note,
            **({"score": standing.won} if standing.won else {}),
            **({"deals": deals[name]} if name in deals else {}),
        }
    return data


class _Teller:
    """Prints a game for people."""

    def __init__(
        self,
        table: Table[Any, Any],
        brief: bool,
        count: Callable[[], dict[str, int]] | None,
        quiz: Quiz | None,
    ) -> None:
        from symkripke.cli.console import console

        self.table = table
        self.brief = brief
        self.count = count
        self.quiz = quiz
        self.console = console()
        self.layout = table.game.layout(table.setup, table.scene.structure)
        self.names = [self.layout.person(name) for name in table.setup.players]
        self.known: dict[str, Mapping[str, str]] = {}
        self.most = 1
        self.turn = 0
        self.column = 0

    def __call__(self, event: TableEvent[Any] | None) -> None:
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
        from symkripke.cli.display import say_of

        say_of(self.console, self.layout, self.table.setup.players, text, style)

    def _deal(self) -> None:
        from symkripke.cli.display import dealt_lines

        table = self.table
        seats = zip(self.names, table.minds, strict=True)
        minds = ", ".join(f"{name} ({mind})" for name, mind in seats)
        if len(set(table.minds)) == 1:
            minds = f"{', '.join(self.names)} (all {table.minds[0]})"
        self._say(f"{table.game.title}, {table.setup.rules} rules, seed {table.seed}: {minds}")
        for line in dealt_lines(self.layout, table.deal):
            self._say(line, style="dim" if line.startswith("  (") else "")
        if events := len(table.steps):
            self._say(f"  The game goes on: {events} events so far.")
        if not self.brief:
            also = "; behind them, deals" if self.count is not None else ""
            self._say(f"  Bars: {table.game.question} {table.game.counted}{also}.")

    def _predict(self, quiz: Quiz) -> None:
        """Ask the reader what a player can conclude from the last event."""
        from random import Random

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
        from symkripke.cli.display import FEW

        # Public changes are in the story.
        versions = self.table.scene.structure.versions
        for name, assessment in assessed.items():
            before = self.known.get(name, {})
            new = [
                Atom(fluent, value)
                for fluent, value in _in_order(assessment.located, self.table).items()
                if before.get(fluent) != value and not isinstance(versions.get(fluent), Fixed)
            ]
            if new:
                told = ", ".join(self._located(atom, short=len(new) > FEW) for atom in new)
                self._say(f"  {self.layout.person(name)} locates {told}")

    def _located(self, atom: Atom, *, short: bool) -> str:
        """A card and where it is; by its code, if it has one and there are many."""
        row, column = self.layout.places[atom]
        title, place = self.layout.rows[row], self.layout.columns[column]
        return f"{self.layout.codes.get(row, title) if short else title} ({place})"

    def _bars(self, assessed: Mapping[str, Assessment]) -> None:
        from rich.text import Text

        counted = {} if self.count is None else self.count()
        lines = [
            self._bar(seat, name, assessment, counted.get(name))
            for seat, (name, assessment) in enumerate(assessed.items())
        ]
        # On a wide terminal side by side, in columns that never become narrower.
        self.column = max(self.column, *map(len, lines))
        beside = max(1, self.console.width // self.column) if self.console.is_terminal else 1
        for start in range(0, len(lines), beside):
            row = lines[start : start + beside]
            for line in row[:-1]:
                line.pad_right(self.column - len(line))
            self.console.print(Text.assemble(*row))

    def _bar(self, seat: int, name: str, assessment: Assessment, deals: int | None) -> Text:
        """The line of one player."""
        from rich.text import Text

        from symkripke.cli.display import SEATS, bar

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
        """The last lines."""
        self._outcome(interrupted)
        if self.quiz is not None:
            self.quiz.end()

    def _outcome(self, interrupted: bool) -> None:
        """Who has won, and how."""
        from symkripke.explain.text import listed

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
                told = f"{seats[name]} is {table.game.loser} {turn}; all others win."
                self._say(f"\n{told}", style="bold")
            return
        score = table.game.standing(table.setup, table.state, winners[0]).won
        if len(winners) > 1:
            who = listed([seat for name, seat in seats.items() if name in winners])
            told = f"{who} win together {turn}{f', with {score} each' if score else ''}."
            self._say(f"\n{told}", style="bold")
            return
        how = f"with {score}" if score else self._how_certain(winners[0])
        self._say(f"\n{seats[winners[0]]} wins {turn}, {how}.")

    def _how_certain(self, winner: str) -> str:
        """How certain the winner was before the last event."""
        assessed = self.table.assess_before_last(winner)
        left = f"with {assessed.open} {self.table.game.question} left"
        return "certain" if assessed.certain else left
