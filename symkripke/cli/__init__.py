"""The command line. Commands are thin and are loaded only when they are called."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from io import StringIO, TextIOWrapper
from typing import Any, cast

import click

from symkripke.errors import BudgetExceeded, SymkripkeError, printable, readable

UNANSWERED = 3
"""The exit code if a question has no answer because a limit was reached."""

# The commands by group, each with its line in the help, so that the help need not import them.
_GROUPS = {
    "Games": {
        "games": "List the games, their rules, players and options.",
        "play": "Watch programs play a game, or play against them.",
        "serve": "Open the tables in a browser.",
        "review": "Review a logged game: key moments, luck and mistakes.",
        "new-game": "Create the package of a new game.",
    },
    "Real tables": {
        "table": "Get help at a real table: start a log, or continue one.",
        "begin": "Start the log of a real table without being asked.",
        "note": "Add events to a log.",
        "undo": "Remove the last entry of a log.",
        "edit": "Replace an entry of a log.",
        "list": "List the entries of a log.",
        "diagnose": "Find the mistake in a log that contradicts itself.",
        "suggest": "Recommend moves.",
    },
    "Questions about a logged game": {
        "ask": "Ask who knows what at any turn, and why.",
        "sheet": "Show what a player can know.",
        "odds": "Show the probability of everything, as one player sees it.",
        "who": "Show which players know whether the others know the answer.",
        "sample": "Draw deals that a player considers possible.",
    },
    "Puzzles and models": {
        "puzzle": "Tell a classic puzzle, and solve it.",
        "check": "Answer the questions of a problem file.",
        "draw": "Draw a model: its worlds, and which agents cannot tell them apart.",
        "convert": "Convert a file of SMCDEL into a problem file.",
        "export": "Export a question to a SAT, QBF or SMT solver.",
    },
    "Planning": {
        "plan": "Find a plan for a task in EPDDL.",
        "validate": "Run a plan, and explain each step.",
        "epddl": "Show a task in EPDDL in words, or as JSON.",
    },
    "Research": {
        "simulate": "Play many seeded games, and count the results.",
        "experiment": "Run a study, and write its report.",
    },
}
_COMMANDS = [name for commands in _GROUPS.values() for name in commands]

# The module and the function of each command that is not named like its module.
_PLACES = {"undo": ("note", "undo"), "edit": ("note", "edit"), "list": ("note", "list_entries")}


class _Limit(click.ClickException):
    """An exceeded limit, with its own exit code."""

    exit_code = UNANSWERED


class _Lazy(click.Group):
    """A group that imports a command when it is called, and turns errors into messages."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return _COMMANDS

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        module, function = _PLACES.get(name, (name, name))
        return cast(click.Command, getattr(import_module(f"symkripke.cli.{module}"), function))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in _GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            from symkripke.errors import hint

            ctx.fail(f"unknown command {args[0]!r}{hint(args[0], _COMMANDS)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except SymkripkeError as error:
            limit = isinstance(error, BudgetExceeded) or isinstance(error.__cause__, BudgetExceeded)
            fault = _Limit if limit else click.ClickException
            raise fault(printable(str(error))) from error
        except MemoryError as error:
            # The original message can come from numpy, and mention arrays.
            raise _Limit("the system is out of memory; set a limit with --memory") from error
        except BrokenPipeError:
            # A reader such as head or less has closed the pipe, which is not an error.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        except OSError as error:
            raise click.ClickException(f"cannot write the output: {error.strerror}") from error


def _show_version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    """Print the version, and the commit if this is a git checkout."""
    if not wanted:
        return
    import subprocess
    from importlib.metadata import version
    from pathlib import Path

    commit, root = "", Path(__file__).parent.parent.parent
    if (root / ".git").exists():  # an outer repository is not ours
        command = ["git", "-C", str(root), "rev-parse", "--short", "HEAD"]
        with suppress(OSError, subprocess.CalledProcessError):
            found = subprocess.run(command, capture_output=True, check=True, text=True)
            commit = f" (commit {found.stdout.strip()})"
    click.echo(f"symkripke {version('symkripke')}{commit}")
    context.exit()


_HELP = """Find out who knows what, and why, in card and dice games and in logic puzzles.

\b
symkripke play cluedo --players 6 --log game.jsonl      watch a game
symkripke play cluedo --human Ann                       play one
symkripke ask game.jsonl "K[plum] at(rope, envelope)"   does Plum know that the rope is there?
symkripke puzzle                                        list the puzzles

symkripke COMMAND --help explains a command.
"""


@click.command(cls=_Lazy, help=_HELP, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def group() -> None:
    """Run a command."""


def _is_ascii() -> bool:
    """Return whether the locale is ASCII only; Python would write UTF-8 anyway."""
    if os.environ.get("PYTHONIOENCODING"):
        return False
    chosen = (os.environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    return next((locale for locale in chosen if locale), "") in ("C", "POSIX")


def main() -> None:
    """Run the program `symkripke`, and exit.

    The exit code is 0 for success, 1 for an error, 2 for wrong usage, 3 for a limit that was
    reached, 130 after Ctrl-C, and 143 after SIGTERM.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A character that the terminal cannot show becomes a question mark, not an error.
            stream.reconfigure(encoding="ascii" if _is_ascii() else None, errors="replace")
    try:
        code = group.main(standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.exceptions.Abort:
        click.echo("interrupted", err=True)
        sys.exit(130)
    except click.ClickException as error:
        shown = StringIO()
        error.show(shown)
        with suppress(OSError):  # writing to the standard error can fail, too
            click.echo(printable(readable(shown.getvalue())), err=True, nl=False)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        with suppress(OSError):
            click.echo(f"Error: cannot write the output: {error.strerror}", err=True)
        sys.exit(1)
