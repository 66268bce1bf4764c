"""Dialogues: lines typed at a terminal, with history and completion, or read from a pipe."""

from __future__ import annotations

import gc
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import ClassVar, NamedTuple

import click

from symkripke.cli import UNANSWERED
from symkripke.cli.line_reader import LineReader
from symkripke.errors import BudgetExceeded, OutOfMemory, SymkripkeError


class Command(NamedTuple):
    """A command of a dialogue, carried out by the method with its name and the prefix `_`.

    Attributes:
        form: the typed form, as `help` shows it: "edit N".
        says: its description in `help`; empty if `help` does not show the command.
        takes: the pattern of the rest of the line, which the method receives unless it is empty.
    """

    form: str
    says: str = ""
    takes: str = ""

    @property
    def name(self) -> str:
        """The name of the command: the first word of its form."""
        return self.form.partition(" ")[0]


class Dialogue(ABC):
    """A dialogue of typed lines and the responses to them.

    Attributes:
        commands: the commands besides `help`.
        quits: the lines that end the dialogue.
        has_usual: whether an empty line has a meaning.
        greeting: the text that a terminal shows first.
        help: the text that `help` shows, if it is always the same.
        history: the name of the file that stores the lines typed at a terminal.
        lines: the reader of the lines.
        code: the exit code of piped input: 1 after an error, 3 after a missing answer.
    """

    greeting: ClassVar[str] = ""
    help: ClassVar[str] = ""
    history: ClassVar[str]
    commands: ClassVar[Sequence[Command]] = ()
    quits: ClassVar[Sequence[str]] = ("quit", "exit")
    has_usual: ClassVar[bool] = False

    def __init__(self) -> None:
        """Create an empty dialogue."""
        self.code = 0
        self.lines = LineReader(self.history)

    # ---- input --------------------------------------------------------------------------------

    @property
    @abstractmethod
    def prompt(self) -> str:
        """The text before the cursor."""

    def command(self, word: str, rest: str) -> Callable[[], None] | None:
        """Return the action for the first word of a line; None if it is not a command."""
        for command in self.commands:
            if command.name == word and re.fullmatch(command.takes, rest, re.DOTALL):
                method = getattr(self, f"_{word}")
                return partial(method, rest) if rest else method
        return None

    @abstractmethod
    def other(self, text: str) -> None:
        """Handle a text that is not a command."""

    def words(self, before: str) -> Iterable[str]:
        """Return the possible continuations of the text before the cursor."""
        return ()

    def completions(self, before: str) -> Iterable[tuple[int, str]]:
        """Yield the completions of the text before the cursor: start positions and new texts."""
        typed = re.search(r"\w*$", before)
        start = typed.start() if typed else len(before)
        for word in self.words(before):
            if word.startswith(before[start:]):
                yield start, word

    def helped(self) -> str:
        """Return the text that `help` prints."""
        return self.help

    def _help(self) -> None:
        click.echo(self.helped())

    def goes_on(self, text: str) -> bool:
        """Return whether a line typed at a terminal needs the next line."""
        return False

    def pieces(self, lines: Iterable[str]) -> Iterable[str]:
        """Split piped input into its parts; by default, each line is a part."""
        return lines

    # ---- the course of a dialogue -------------------------------------------------------------

    def hold(self) -> int:
        """Continue until the end of the input, `quit` or Ctrl-D. Return the exit code."""
        interactive = self.lines.interactive
        if interactive:
            click.echo(self.greeting)
        piped = (line.rstrip("\n").removeprefix("\ufeff") for line in sys.stdin)
        for text in self._typed() if interactive else self.pieces(piped):
            if not self.take(text):
                break
        return 0 if interactive else self.code

    def take(self, text: str) -> bool:
        """Execute a line, or several connected lines. Return False if the dialogue is over.

        An error is printed, and the dialogue keeps its state.
        """
        word, _, rest = text.strip().partition(" ")
        rest = rest.strip()
        try:
            if text.strip() in self.quits:
                return False
            if text.strip() == "help":
                self._help()
            elif (command := self.command(word, rest)) is not None:
                command()
            elif word or self.has_usual:
                self.other(text)
        except SymkripkeError as error:
            self.code = self.code or UNANSWERED if isinstance(error, BudgetExceeded) else 1
            self.tell(error)
            if isinstance(error, OutOfMemory) or isinstance(error.__cause__, OutOfMemory):
                gc.collect()  # free memory for the next line
        except Exception as error:  # a bug must not lose the earlier input
            self.code = 1
            message = f"{type(error).__name__}: {error}"
            click.echo(f"Error: a bug in this program; the line is skipped ({message})", err=True)
        return True

    def tell(self, error: SymkripkeError) -> None:
        """Print the error in the typed text, or the failure of a command."""
        click.echo(f"Error: {error}", err=True)

    def _typed(self) -> Iterator[str]:
        """Yield the lines typed at a terminal."""
        while True:
            try:
                text = self.lines.read(self.prompt, complete=self.completions)
                while self.goes_on(text):
                    text += "\n  " + self.lines.read("  ", complete=self.completions)
                yield text
            except KeyboardInterrupt:
                continue
            except EOFError:
                return
