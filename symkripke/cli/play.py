"""`symkripke play`."""

from __future__ import annotations

import json
import secrets
import shlex
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from symkripke.cli.options import (
    Limits,
    force_option,
    json_option,
    limit_options,
    path_option,
    plain_option,
    play_command,
    quiz_option,
    setup_options,
)
from symkripke.errors import PlayerError, SymkripkeError
from symkripke.language import Atom
from symkripke.model import Fixed

if TYPE_CHECKING:
    from rich.text import Text

    from symkripke.cli.quiz import Quiz
    from symkripke.play import Assessment, Standing, Table, TableEvent

_BAR = 28


@click.command()
@click.argument("game_name", metavar="GAME", required=False)
@setup_options
@click.option(
    "--human",
    "humans",
    multiple=True,
    metavar="NAME",
    help="A person plays here, under this name. Can be repeated: all at one terminal.",
)
@path_option("--resume", "LOG", "Go on with the game of a log.")
@click.option(
    "--pace",
    type=click.FloatRange(min=0),
    default=0,
    metavar="SECONDS",
    help="Wait so long after each event.",
)
@click.option("--seed", type=int, help="The seed of all chance; by default each game is new.")
@click.option("--step", is_flag=True, help="Wait for the Enter key after each event.")
@path_option("--log", "FILE", "Write a log of the game (JSON Lines).")
@force_option("FILE")
@click.option("--brief", is_flag=True, help="Print events only, not what players conclude.")
@click.option(
    "--worlds", is_flag=True, help="Count exactly how many deals each considers possible."
)
@quiz_option
@plain_option
@limit_options
@json_option
def play(
    game_name: str | None,
    setup: dict[str, Any],
    minds: tuple[str, ...] | None,
    humans: tuple[str, ...],
    resume: str | None,
    pace: float,
    seed: int | None,
    step: bool,
    log: str | None,
    force: bool,
    brief: bool,
    worlds: bool,
    quiz: bool,
    plain: bool,
    limits: Limits,
    as_json: bool,
) -> None:
    """Play a GAME with computer players, and show what each of them learns.

    The same seed gives the same game on every machine. --seconds and --memory can end a game, but
    never change it. Ctrl-C ends it early. A log has each event as soon as it has happened.

    With --human NAME you play along: you see what that player sees, and type its moves. `help`
    shows what can be typed; --resume LOG goes on with a game that you left.
    """
    if brief and worlds:
        raise click.UsageError("--brief and --worlds: expected one of them")
    watching = not humans and resume is None
    if humans:
        _check_for_persons(as_json, step, worlds)
    if watching and quiz and (as_json or brief or step):
        raise click.UsageError("--quiz is for reading: expected no --json, --brief or --step")
    from symkripke.cli.hosting import begun, resumed
    from symkripke.cli.line_reader import LineReader

    if resume is not None:
        given = {**setup, "GAME": game_name, "--minds": minds, "--human": humans or None}
        table = resumed(resume, {**given, "--seed": seed, "--log": log}, limits)
        log = resume
    elif game_name is None:
        raise click.UsageError("Missing argument 'GAME'.")
    else:
        chosen = secrets.randbelow(1_000_000) if seed is None else seed
        table = begun(
            game_name, setup, minds or (), humans, chosen, log, force=force, limits=limits
        )
    if table.persons:
        _check_for_persons(as_json, step, worlds)
        from symkripke.cli.person_dialogue import InTheGame
        from symkripke.cli.quiz import Quiz

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
    count = _Counter(limits) if worlds else None
    teller: _JsonTeller | _Teller
    if as_json:
        teller = _JsonTeller(brief, count)
    else:
        teller = _Teller(table, brief, count)
        if quiz:
            from symkripke.cli.quiz import Quiz

            teller.quiz = Quiz(LineReader(Quiz.history, plain=plain), limits)
    interrupted = False
    failed: PlayerError | None = None
    try:
        teller(table, None)
        for event in table:
            if step:
                _wait()
            teller(table, event)
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
        command = play_command(table.game.name, setup, minds or (), table.seed)
        if resume is not None:
            command = shlex.join(["symkripke", "play", "--resume", resume])
        raise SymkripkeError(f"{failed}\nto play it again: {command}") from failed
    if as_json:
        winners = list(table.state.winners)
        click.echo(json.dumps({"result": table.result, "winners": winners, "seed": table.seed}))
    elif isinstance(teller, _Teller):
        teller.end(interrupted)
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


class _Counter:
    """Counts the deals that each player considers possible, by an engine that it keeps."""

    def __init__(self, limits: Limits) -> None:
        from symkripke.engines import engine

        self.limits = limits
        self.engine = engine("bdd")

    def __call__(self, table: Table[Any, Any]) -> dict[str, int]:
        from symkripke.play.odds import deals

        found: dict[str, int] = {}
        players = table.setup.players
        for name in players:
            with self.limits.whole("counting deals"):
                found[name] = deals(self.engine, table.scene.perspective(name))
        return found


def _standings(table: Table[Any, Any]) -> dict[str, Standing]:
    """How each player stands now."""
    return {
        name: table.game.standing(table.setup, table.state, name) for name in table.setup.players
    }


class _JsonTeller:
    """Prints a game as JSON, one event a line."""

    def __init__(self, brief: bool, count: _Counter | None) -> None:
        self.brief = brief
        self.count = count

    def __call__(self, table: Table[Any, Any], event: TableEvent[Any] | None) -> None:
        data: dict[str, Any] = {
            "event": 0 if event is None else event.number,
            "turn": 0 if event is None else event.turn,
            "story": "the cards are dealt" if event is None else event.story,
        }
        if event is not None and event.reason:
            data["reason"] = event.reason
        if not self.brief:
            assessed = table.assess()
            standings = _standings(table)
            data["players"] = {
                name: {
                    "mind": mind,
                    table.game.question: assessed[name].open,
                    "located": _in_order(assessed[name].located, table),
                    "certain": assessed[name].certain,
                    "out": name in table.state.out,
                    "standing": standings[name].note,
                    **({"score": standings[name].won} if standings[name].won else {}),
                }
                for name, mind in zip(table.setup.players, table.minds, strict=True)
            }
        if self.count is not None:
            for name, number in self.count(table).items():
                data["players"][name]["deals"] = number
        click.echo(json.dumps(data))


class _Teller:
    """Prints a game for people."""

    def __init__(self, table: Table[Any, Any], brief: bool, count: _Counter | None) -> None:
        from symkripke.cli.console import console

        self.table = table
        self.brief = brief
        self.count = count
        self.console = console()
        self.layout = table.game.layout(table.setup, table.scene.structure)
        self.names = [self.layout.person(name) for name in table.setup.players]
        self.known: dict[str, Mapping[str, str]] = {}
        self.most = 1
        self.turn = 0
        self.column = 0
        self.quiz: Quiz | None = None

    def __call__(self, table: Table[Any, Any], event: TableEvent[Any] | None) -> None:
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
        from symkripke.cli.console import say
        from symkripke.cli.display import in_colour

        shown = in_colour(text, self.names, self.layout.rows.values())
        shown.stylize(style)
        say(self.console, shown)

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

        moment, chance = (
            self.table.moment,
            Random(f"{self.table.seed}/quiz/{len(self.table.steps)}"),
        )
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

        counted = self.count(self.table) if self.count is not None else {}
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

    def _how_certain(self, winner: str) -> str:
        """How certain the winner was before the last event."""
        assessed = self.table.assess_before_last(winner)
        return (
            "certain"
            if assessed.certain
            else f"with {assessed.open} {self.table.game.question} left"
        )

    def end(self, interrupted: bool) -> None:
        """The last lines."""
        self._outcome(interrupted)
        if self.quiz is not None:
            self.quiz.end()

    def _outcome(self, interrupted: bool) -> None:
        """Who has won, and how."""
        from symkripke.play.words import besides_winning, with_titles

        table = self.table
        if interrupted:
            self._say(f"\ninterrupted in turn {table.state.turn}")
            return
        if not table.state.winners:
            self._say(f"\n{table.result}", style="bold")
            return
        if table.game.loser:
            for name, mind in zip(table.setup.players, table.minds, strict=True):
                if name not in table.state.winners:
                    turn = table.steps[-1].turn
                    told = (
                        f"{self.layout.person(name)} ({mind}) is {table.game.loser} in turn {turn}"
                    )
                    self._say(f"\n{told}; all others win.", style="bold")
            return
        won = {name: standing.won for name, standing in _standings(table).items()}
        if len(table.state.winners) > 1:
            who = [
                f"{self.layout.person(name)} ({mind})"
                for name, mind in zip(table.setup.players, table.minds, strict=True)
                if name in table.state.winners
            ]
            told = f"{', '.join(who[:-1])} and {who[-1]} win together"
            score = won[table.state.winners[0]]
            told += f" in turn {table.steps[-1].turn}" + (f", with {score} each." if score else ".")
            self._say(f"\n{told}", style="bold")
            return
        for name in table.state.winners:
            mind = table.minds[table.setup.players.index(name)]
            told = f"{self.layout.person(name)} ({mind}) wins in turn {table.steps[-1].turn}"
            if won[name]:
                told += f", with {won[name]}"
            elif more := besides_winning(table.result, name):
                told += f": {with_titles(more, table.setup.players)}"
            else:
                told += f", {self._how_certain(name)}"
            self._say(f"\n{told}.")
