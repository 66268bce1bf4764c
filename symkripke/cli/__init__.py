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
"""The exit code if a limit was reached, so that something has no answer."""

# For each command its line of help, so that help need not import the commands.
_COMMANDS = {
    "games": "List the games, their rule sets and players.",
    "play": "Let programs play a game, and watch what they learn.",
    "table": "Sit at a real table: begin its log, or go on.",
    "note": "Add events to the log of a real table.",
    "undo": "Take back the last entry of a log.",
    "edit": "Replace an entry of a log.",
    "list": "List the entries of a log.",
    "begin": "Begin the log of a real table, without asking.",
    "diagnose": "Find the slip in a log that contradicts itself.",
    "sheet": "Show what a player of a logged game can know.",
    "odds": "Show how probable everything is to a player.",
    "suggest": "Recommend moves to a player of a logged game.",
    "review": "Look back over a logged game: what was known, missed and given away.",
    "who": "Show who knows which others know the answer.",
    "sample": "Draw deals that a player considers possible.",
    "ask": "Ask who knows what at any turn of a logged game, and why.",
    "check": "Go through a problem in a file: model, events, questions.",
    "puzzle": "Tell a classic puzzle, and answer it.",
    "draw": "Draw a model: its worlds, and who cannot tell them apart.",
    "convert": "Turn a file of SMCDEL into one of ours.",
    "export": "Write a question for SAT, QBF and SMT solvers.",
    "serve": "Open the tables in a browser.",
    "simulate": "Play many seeded games and count.",
    "new-game": "Write the package of a new game.",
    "experiment": "Run a study, and write its report.",
}

# The module and the function of a command, where they have another name.
_PLACES = {"undo": ("note", "undo"), "edit": ("note", "edit"), "list": ("note", "list_entries")}


class _Limit(click.ClickException):
    """The error for a limit that was reached; it has an exit code of its own."""

    exit_code = UNANSWERED


class _Lazy(click.Group):
    """A group whose commands are imported when they are needed; errors become messages."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        module, function = _PLACES.get(name, (name, name))
        return cast(click.Command, getattr(import_module(f"symkripke.cli.{module}"), function))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            from symkripke.errors import hint

            ctx.fail(f"no such command {args[0]!r}{hint(args[0], _COMMANDS)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except SymkripkeError as error:
            limit = isinstance(error, BudgetExceeded) or isinstance(error.__cause__, BudgetExceeded)
            fault = _Limit if limit else click.ClickException
            raise fault(printable(str(error))) from error
        except MemoryError as error:
            # Numpy's has many words of its own about arrays.
            raise _Limit("the system gives no more memory; --memory sets a limit") from error
        except BrokenPipeError:
            # The reader (head, less) has closed the pipe: this is no error.
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
    if (root / ".git").exists():  # any other repository around this package is not its own
        command = ["git", "-C", str(root), "rev-parse", "--short", "HEAD"]
        with suppress(OSError, subprocess.CalledProcessError):
            found = subprocess.run(command, capture_output=True, check=True, text=True)
            commit = f" (commit {found.stdout.strip()})"
    click.echo(f"symkripke {version('symkripke')}{commit}")
    context.exit()


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def group() -> None:
    """Who knows what, who knows what others know, and why, in games of hidden information.

    Worlds are never listed: every question is a satisfiability check.
    """


def _is_ascii() -> bool:
    """Whether the environment asks for ASCII only; Python would write UTF-8 anyway."""
    if os.environ.get("PYTHONIOENCODING"):
        return False
    chosen = (os.environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    return next((locale for locale in chosen if locale), "") in ("C", "POSIX")


def main() -> None:
    """The program `symkripke`.

    Exit codes: 0 done, 1 a fault, 2 wrong usage, 3 no answer within a limit, 130 interrupted,
    143 ended by SIGTERM.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A sign that the terminal cannot show becomes a question mark, not an error.
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
        with suppress(OSError):  # the standard error may be full, too
            click.echo(printable(readable(shown.getvalue())), err=True, nl=False)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        with suppress(OSError):
            click.echo(f"Error: cannot write the output: {error.strerror}", err=True)
        sys.exit(1)
