"""Lines typed one after another: at a terminal with history and completion, or from a pipe."""

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
    """A command of a dialogue; the method of its name with `_` before it carries it out.

    Attributes:
        form: how it is typed, as `help` shows it: "edit N".
        says: what it does, as `help` says; empty: `help` does not show it.
        takes: the pattern of what may follow the name; the method gets it, if there is something.
    """

    form: str
    says: str = ""
    takes: str = ""

    @property
    def name(self) -> str:
        """The first word."""
        return self.form.partition(" ")[0]


class Dialogue(ABC):
    """A dialogue: lines that are typed, and the answers to them.

    Attributes:
        commands: what can be typed besides `help`.
        quits: the lines that end the dialogue.
        has_usual: whether an empty line says something.
        greeting: what a terminal shows first.
        help: what the word `help` shows, if that is always the same.
        history: the name of the file in which a terminal's lines are kept.
        lines: where the lines come from.
        code: the exit code of what was piped: 1 after a fault, 3 if something was left open.
    """

    greeting: ClassVar[str] = ""
    help: ClassVar[str] = ""
    history: ClassVar[str]
    commands: ClassVar[Sequence[Command]] = ()
    quits: ClassVar[Sequence[str]] = ("quit", "exit")
    has_usual: ClassVar[bool] = False

    def __init__(self) -> None:
        """An empty dialogue."""
        self.code = 0
        self.lines = LineReader(self.history)

    # ---- what one says ------------------------------------------------------------------------

    @property
    @abstractmethod
    def prompt(self) -> str:
        """What stands before the cursor."""

    def command(self, word: str, rest: str) -> Callable[[], None] | None:
        """What the first word of a line commands, given the rest of it; None: it is no command."""
        for command in self.commands:
            if command.name == word and re.fullmatch(command.takes, rest, re.DOTALL):
                method = getattr(self, f"_{word}")
                return partial(method, rest) if rest else method
        return None

    @abstractmethod
    def other(self, text: str) -> None:
        """What is typed and is no command."""

    def words(self, before: str) -> Iterable[str]:
        """What could follow the text before the cursor."""
        return ()

    def completions(self, before: str) -> Iterable[tuple[int, str]]:
        """The ways to go on with the text before the cursor: what is replaced from where on."""
        typed = re.search(r"\w*$", before)
        start = typed.start() if typed else len(before)
        for word in self.words(before):
            if word.startswith(before[start:]):
                yield start, word

    def helped(self) -> str:
        """The text that the word `help` shows."""
        return self.help

    def _help(self) -> None:
        click.echo(self.helped())

    def goes_on(self, text: str) -> bool:
        """Whether what was typed at a terminal is not complete without the next line."""
        return False

    def pieces(self, lines: Iterable[str]) -> Iterable[str]:
        """The piped input in parts that belong together: by default its lines."""
        return lines

    # ---- how it goes --------------------------------------------------------------------------

    def hold(self) -> int:
        """Go on until the end of the input, `quit` or Ctrl-D; the exit code."""
        interactive = self.lines.interactive
        if interactive:
            click.echo(self.greeting)
        piped = (line.rstrip("\n").removeprefix("\ufeff") for line in sys.stdin)
        for text in self._typed() if interactive else self.pieces(piped):
            if not self.take(text):
                break
        return 0 if interactive else self.code

    def take(self, text: str) -> bool:
        """Do what a line, or several that belong together, says; False if it is over.

        Faults are printed, and nothing of what was typed before is lost.
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
                gc.collect()  # what the line held: the next one shall have room
        except Exception as error:  # a fault of ours must not take what has been typed with it
            self.code = 1
            told = f"{type(error).__name__}: {error}"
            click.echo(f"Error: a fault of the program, this line is left out ({told})", err=True)
        return True

    def tell(self, error: SymkripkeError) -> None:
        """Print the error in the typed text, or the failure of a command."""
        click.echo(f"Error: {error}", err=True)

    def _typed(self) -> Iterator[str]:
        """The lines that are typed at a terminal."""
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
