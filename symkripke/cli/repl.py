"""Lines typed one after another: at a terminal with history and completion, or from a pipe."""

from __future__ import annotations

import gc
import os
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import click

from symkripke.cli import UNANSWERED
from symkripke.errors import BudgetExceeded, OutOfMemory, SymkripkeError
from symkripke.language.operators import SYMBOLS

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import History

_IN_GROUP = re.compile(rf"\b({'|'.join(SYMBOLS)})\s*\[[^\]]*$")

OPERATORS = tuple(f"{symbol}[" for symbol in SYMBOLS)
"""What operators of a mind begin with, for completion."""


def wants_agents(before: str) -> bool:
    """Whether the text ends within the brackets of an operator."""
    return _IN_GROUP.search(before) is not None


class Dialogue(ABC):
    """What is typed, line by line, and what is said to it.

    Attributes:
        greeting: what a terminal shows first.
        help: what the word `help` shows.
        history: the name of the file in which a terminal's lines are kept.
        code: the exit code of what was piped: 1 after a fault, 3 if something was left open.
    """

    greeting: ClassVar[str]
    help: ClassVar[str]
    history: ClassVar[str]

    def __init__(self) -> None:
        """Nothing said yet."""
        self.code = 0

    # ---- what one says ------------------------------------------------------------------------

    @property
    @abstractmethod
    def prompt(self) -> str:
        """What stands before the cursor."""

    @abstractmethod
    def command(self, word: str, rest: str) -> Callable[[], None] | None:
        """What the first word of a line commands, given the rest of it; None: it is no command.

        `help` and `quit` are known.
        """

    @abstractmethod
    def other(self, text: str) -> None:
        """What is typed and is no command."""

    @abstractmethod
    def words(self, before: str) -> Iterable[str]:
        """What could follow the text before the cursor."""

    def goes_on(self, text: str) -> bool:
        """Whether what was typed at a terminal is not complete without the next line."""
        return False

    def pieces(self, lines: Iterable[str]) -> Iterable[str]:
        """What is piped, in parts that belong together: its lines."""
        return lines

    # ---- how it goes --------------------------------------------------------------------------

    def hold(self) -> int:
        """Go on until the end of the input, `quit` or Ctrl-D; the exit code."""
        interactive = sys.stdin.isatty() and sys.stdout.isatty()
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
            if word in ("quit", "exit") and not rest:
                return False
            if word == "help" and not rest:
                click.echo(self.help)
            elif (command := self.command(word, rest)) is not None:
                command()
            elif word:
                self.other(text)
        except SymkripkeError as error:
            self.code = self.code or UNANSWERED if isinstance(error, BudgetExceeded) else 1
            click.echo(f"Error: {error}", err=True)
            if isinstance(error, OutOfMemory) or isinstance(error.__cause__, OutOfMemory):
                gc.collect()  # what the line held: the next one shall have room
        except Exception as error:  # a fault of ours must not take what has been typed with it
            self.code = 1
            told = f"{type(error).__name__}: {error}"
            click.echo(f"Error: a fault of the program, this line is left out ({told})", err=True)
        return True

    def _typed(self) -> Iterator[str]:
        """What is typed at a terminal."""
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import Completer, Completion

        words = self.words

        class Names(Completer):
            def get_completions(
                self, document: Document, complete_event: CompleteEvent
            ) -> Iterator[Completion]:
                before = document.text_before_cursor
                typed = re.search(r"\w*$", before)
                start = typed[0] if typed else ""
                for word in words(before):
                    if word.startswith(start):
                        yield Completion(word, start_position=-len(start))

        reader: PromptSession[str] = PromptSession(
            history=_kept(self.history), completer=Names(), complete_while_typing=False
        )
        while True:
            try:
                text = reader.prompt(self.prompt)
                while self.goes_on(text):
                    text += "\n  " + reader.prompt("  ")
                yield text
            except KeyboardInterrupt:
                continue
            except EOFError:
                return


def _kept(name: str) -> History:
    """The lines of earlier dialogues; forgotten at the end where they cannot be written."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    try:
        state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
        (state / "symkripke").mkdir(parents=True, exist_ok=True)
        return FileHistory(str(state / "symkripke" / name))
    except (OSError, RuntimeError):
        return InMemoryHistory()
