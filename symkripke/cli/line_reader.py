"""Reading lines from a terminal (with history and completion, or plainly) or from a pipe."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import History

Complete = Callable[[str], Iterable[tuple[int, str]]]
"""A function that returns the completions of a text: pairs of a start position and a new text."""


def nothing(before: str) -> Iterable[tuple[int, str]]:
    """Return no completion."""
    return ()


class LineReader:
    """A reader of lines from a terminal or a pipe.

    Attributes:
        interactive: whether somebody types at a terminal.
    """

    def __init__(self, history: str, *, plain: bool = False) -> None:
        """Create a reader.

        Args:
            history: the name of the file for the history of a terminal.
            plain: whether to leave a line as it is typed, without redrawing, for screen readers.
        """
        self.interactive = sys.stdin.isatty() and sys.stdout.isatty()
        self._plain = plain or os.environ.get("TERM", "dumb") == "dumb"
        self._history = history
        self._session: PromptSession[str] | None = None

    def read(self, prompt: str, default: str = "", complete: Complete = nothing) -> str:
        """Return the next line.

        Args:
            prompt: the prompt of a terminal.
            default: the text to be edited at a terminal; not used for pipes.
            complete: a function that returns the completions for the Tab key.

        Raises:
            EOFError: there is no further line, because the pipe has ended or Ctrl-D was pressed.
            KeyboardInterrupt: Ctrl-C was pressed.
        """
        if not self.interactive:
            line = sys.stdin.readline()
            if not line:
                raise EOFError
            return line.rstrip("\n").removeprefix("\ufeff")
        with _ended_politely():
            if self._plain:
                return _typed_plainly(prompt, default, complete)
            if self._session is None:
                from prompt_toolkit import PromptSession

                self._session = PromptSession(
                    history=_kept(self._history), complete_while_typing=False, enable_suspend=True
                )
            return self._session.prompt(prompt, default=default, completer=_completer(complete))


def _mode_keeper() -> Callable[[], None]:
    """Return a function that restores the current mode of the terminal."""
    try:
        import termios
    except ImportError:  # on Windows
        return lambda: None
    try:
        mode = termios.tcgetattr(sys.stdin)
    except (OSError, ValueError, termios.error):  # not a terminal
        return lambda: None

    def restore() -> None:
        with suppress(OSError, termios.error):  # the terminal may be gone
            termios.tcsetattr(sys.stdin, termios.TCSANOW, mode)

    return restore


@contextmanager
def _ended_politely() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP in the body into `SystemExit`, to restore the terminal's mode.

    Elsewhere, these signals end the program at once, even during a long call of a library.
    """

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    restore = _mode_keeper()
    before = {n: signal.signal(n, end) for n in numbers if signal.getsignal(n) is signal.SIG_DFL}
    try:
        yield
    except SystemExit:
        restore()  # a signal can arrive before the library is ready to do so
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _completer(complete: Complete) -> Completer:
    from prompt_toolkit.completion import Completer, Completion

    class Ways(Completer):
        def get_completions(
            self, document: Document, complete_event: CompleteEvent
        ) -> Iterator[Completion]:
            before = document.text_before_cursor
            for start, text in complete(before):
                yield Completion(text, start_position=start - len(before))

    return Ways()


def _typed_plainly(prompt: str, default: str, complete: Complete) -> str:
    """Return a line typed at a terminal that is not redrawn; Tab works if `readline` exists."""
    try:
        import readline
    except ImportError:  # not every system has it
        return input(prompt)

    candidates: list[str] = []

    def way(text: str, number: int) -> str | None:
        if number == 0:
            candidates[:] = [text[:start] + more for start, more in complete(text)]
        return candidates[number] if number < len(candidates) else None

    readline.set_completer_delims("")
    readline.set_completer(way)
    readline.parse_and_bind("tab: complete")
    readline.set_startup_hook(lambda: readline.insert_text(default))
    try:
        return input(prompt)
    finally:
        readline.set_startup_hook(None)


def _kept(name: str) -> History:
    """Return the history of earlier input; it is kept in memory if the file is not writable."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    try:
        state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
        (state / "symkripke").mkdir(parents=True, exist_ok=True)
        return FileHistory(str(state / "symkripke" / name))
    except (OSError, RuntimeError):
        return InMemoryHistory()
