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

if TYPE_CHECKING:
    from symkripke.play import Table, TableEvent


@command()
def play(
    game_name: str | None = argument("GAME", required=False),
    seats: options.Seats = options.SEATS,
    humans: tuple[str, ...] = option(
        "--human",
        "NAME",
        "A person plays at this terminal, under this name. Can be repeated.",
        multiple=True,
    ),
    resume: str | None = path("--resume", "LOG", "Continue the game of a log."),
    pace: float = option(
        "--pace",
        "SECONDS",
        "Wait for this many seconds after each event.",
        type=click.FloatRange(min=0),
        default=0,
        show_default=False,
    ),
    seed: int | None = option(
        "--seed", None, "The random seed; by default, each game is new.", type=int
    ),
    step: bool = flag("--step", "Wait for the Enter key after each event."),
    log: str | None = path("--log", "FILE", "Write a log of the game (JSON Lines)."),
    replace: bool = options.force("FILE"),
    brief: bool = options.BRIEF,
    worlds: bool = flag("--worlds", "Count exactly the deals that each player considers possible."),
    quiz: bool = options.QUIZ,
    plain: bool = options.PLAIN,
    limits: options.Limits = options.LIMITS,
    as_json: bool = options.JSON,
) -> None:
    r"""Watch programs play a GAME, or play against them.

    \b
    symkripke play cluedo --players 6 --seed 7 --log game.jsonl
    symkripke play cluedo --human Ann

    The same seed gives the same game on every machine. --seconds and --memory can end a game, but
    never change it. Ctrl-C ends it early. The log receives each event as soon as it has happened.

    With --human NAME, you see what that player sees, and type the moves; `help` shows what you can
    type. --resume LOG continues a game.
    """
    if brief and worlds:
        raise click.UsageError("--brief and --worlds cannot be combined")
    if humans:
        _check_for_persons(as_json, step, worlds)
    elif resume is None and quiz and (as_json or brief or step):
        raise click.UsageError("--quiz cannot be combined with --json, --brief or --step")
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
            quiz=Quiz(limits, lines) if quiz else None,
        )
        dialogue.open()
        click.get_current_context().exit(dialogue.hold())
    count = _counting(table, limits) if worlds else dict
    teller = None
    if not as_json:
        from symkripke.cli.console import console
        from symkripke.cli.watched import Watched

        asking = Quiz(limits, LineReader(Quiz.history, plain=plain)) if quiz else None
        teller = Watched(console(), table, brief, count if worlds else None, asking)
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
            click.echo(f"written to {log}, up to the last event", err=True)
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
    """Raise `UsageError` for options that do not apply to games with people."""
    if as_json or step or worlds:
        raise click.UsageError("--json, --step and --worlds are for watching, not for playing")


def _wait() -> None:
    click.echo("  (Enter: next event)", nl=False, err=True)
    if not sys.stdin.readline():
        raise click.exceptions.Abort
    if not sys.stdin.isatty():
        click.echo(err=True)


def _counting(table: Table[Any, Any], limits: options.Limits) -> Callable[[], dict[str, int]]:
    """Return a function that counts the deals that each player considers possible now."""
    from symkripke.engines import engine
    from symkripke.play.odds import deals

    counting = engine("bdd")

    def count() -> dict[str, int]:
        counts: dict[str, int] = {}
        for name in table.setup.players:
            with limits.whole("counting deals"):
                counts[name] = deals(counting, table.scene.perspective(name))
        return counts

    return count


def _told(
    table: Table[Any, Any], event: TableEvent[Any] | None, deals: Mapping[str, int], *, brief: bool
) -> dict[str, Any]:
    """Return an event and the players' conclusions as data; `deals` may have counts by player."""
    data: dict[str, Any] = {
        "event": 0 if event is None else event.number,
        "turn": 0 if event is None else event.turn,
        "story": "the cards are dealt" if event is None else event.story,
    }
    if event is not None and event.reason:
        data["reason"] = event.reason
    if brief:
        return data
    from symkripke.cli.hosting import in_order

    assessed = table.assess()
    data["players"] = {}
    for name, mind in zip(table.setup.players, table.minds, strict=True):
        standing = table.game.standing(table.setup, table.state, name)
        data["players"][name] = {
            "mind": mind,
            table.game.question: assessed[name].open,
            "located": in_order(assessed[name].located, table),
            "certain": assessed[name].certain,
            "out": name in table.state.out,
            "standing": standing.note,
            **({"score": standing.won} if standing.won else {}),
            **({"deals": deals[name]} if name in deals else {}),
        }
    return data
