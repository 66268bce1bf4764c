"""The prompt of `symkripke ask`: questions one after another, with history and completion."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symkripke.cli.display import show_answer
from symkripke.errors import InputError, SymkripkeError

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document

    from symkripke.engines import Engine
    from symkripke.play import Moment

_HELP = """\
  FORMULA      is it true now?          why FORMULA  and why?
  why          why was the last answer as it was?
  at TURN      go to that turn (0: after the deal); at: to the end
  names        what formulas can speak of
  help, quit"""


def prompt(moment: Moment[Any, Any], chosen: Engine, *, why: bool) -> None:
    """Answer questions until the end of the input, `quit`, or Ctrl-D.

    On a terminal with line editing, history and completion; else line by line.
    """
    session = Session(moment, chosen, why=why)
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    if interactive:
        click.echo("Ask a formula, or: help, names, why, at TURN, quit.")
    for line in _terminal(session) if interactive else sys.stdin:
        if not session.take(line.strip()):
            break


class Session:
    """What the prompt is about now: a moment, and the last question."""

    def __init__(self, moment: Moment[Any, Any], chosen: Engine, *, why: bool) -> None:
        """A session at the moment; `why`: whether every answer is explained."""
        self.moment = moment
        self.chosen = chosen
        self.why = why
        self.last: str | None = None

    def take(self, line: str) -> bool:
        """Do what one line says; False if the session is over. Faults are printed."""
        word, _, rest = line.partition(" ")
        try:
            if word in ("quit", "exit"):
                return False
            if word == "help":
                click.echo(_HELP)
            elif word == "names":
                self._names()
            elif word == "at":
                self._go(rest.strip())
            elif word == "why":
                self._explain(rest.strip())
            elif line:
                show_answer(self.moment, self.chosen, line, why=self.why)
                self.last = line
        except SymkripkeError as error:
            click.echo(f"Error: {error}", err=True)
        return True

    def _go(self, turn: str) -> None:
        if turn and not turn.isdecimal():
            raise InputError(f"expected a turn after 'at', got {turn!r}")
        self.moment = self.moment.at(int(turn) if turn else self.moment.turns[-1])
        click.echo(f"after turn {self.moment.turn}")

    def _explain(self, formula: str) -> None:
        asked = formula or self.last
        if asked is None:
            raise InputError("nothing has been asked yet: write why FORMULA")
        show_answer(self.moment, self.chosen, asked, why=True)
        self.last = asked

    def _names(self) -> None:
        vocabulary = self.moment.structure.vocabulary
        click.echo(f"  agents: {', '.join(vocabulary.agents)}")
        for name in vocabulary.names:
            says = vocabulary.definitions[name].says if name in vocabulary.definitions else ""
            click.echo(f"  {vocabulary.signature_of(name)}  {says}".rstrip())
        for definition in vocabulary.definitions.values():
            for kind, values in definition.parameters:
                click.echo(f"  {kind}: {', '.join(values)}")

    def words(self, before: str) -> Iterable[str]:
        """What could follow the text before the cursor."""
        vocabulary = self.moment.structure.vocabulary
        if re.search(r"\b(K|M|Kw|Kv|E|D|C|B|P)\s*\[[^\]]*$", before):
            return vocabulary.agents
        call = re.search(r"(\w+)\s*\(([^()]*)$", before)
        if call and call[1] in vocabulary.definitions:
            parameters = vocabulary.definitions[call[1]].parameters
            position = call[2].count(",")
            return parameters[position][1] if position < len(parameters) else ()
        if call:
            starts = f"{call[1]}("
            return [
                name[len(starts) : -1] for name in vocabulary.fluents if name.startswith(starts)
            ]
        value = re.search(r"(\w+(?:\([^()]*\))?)\s*!?=\s*\w*$", before)
        if value and value[1] in vocabulary.fluents:
            return vocabulary.fluents[value[1]].values
        return (*(f"{o}[" for o in ("K", "M", "Kw", "Kv", "E", "D", "C")), *vocabulary.names)


def _terminal(session: Session) -> Iterator[str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.history import FileHistory, History, InMemoryHistory

    class Names(Completer):
        def get_completions(
            self, document: Document, complete_event: CompleteEvent
        ) -> Iterator[Completion]:
            before = document.text_before_cursor
            typed = re.search(r"\w*$", before)
            start = typed[0] if typed else ""
            for word in session.words(before):
                if word.startswith(start):
                    yield Completion(word, start_position=-len(start))

    history: History
    try:
        state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
        (state / "symkripke").mkdir(parents=True, exist_ok=True)
        history = FileHistory(str(state / "symkripke" / "questions"))
    except (OSError, RuntimeError):
        history = InMemoryHistory()
    reader: PromptSession[str] = PromptSession(
        history=history, completer=Names(), complete_while_typing=False
    )
    while True:
        try:
            yield reader.prompt(f"turn {session.moment.turn}> ")
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
