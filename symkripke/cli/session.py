"""`symkripke check -`: statements one after another, which can be taken back."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symkripke.cli.check import UNANSWERED, show
from symkripke.errors import InputError, ProblemError, SymkripkeError
from symkripke.problems.problem import Happening, Question, Whether
from symkripke.problems.reading import Reader
from symkripke.problems.run import Outcome, Run
from symkripke.problems.syntax import KEYWORDS, Fault, Statement, statements
from symkripke.problems.telling import data, reasons

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document

    from symkripke.engines import Budget, Engine
    from symkripke.model import KnowledgeStructure, Scene

_HELP = """\
  a statement   agents, fluent, law, ... sees, actual; announce, show, tell, change;
                valid?, true?, where?, knows?; let, define, for; say
  why           why was the last answer as it was?
  undo          take the last statement back
  list          all statements so far
  save FILE     write them to a file, for `symkripke check FILE`
  help, quit"""


def session(
    chosen: Engine,
    budget: Budget | None,
    constants: Mapping[str, str],
    *,
    why: bool,
    count: bool,
    as_json: bool,
) -> int:
    """Take statements until the end of the input, `quit` or Ctrl-D; the exit code.

    On a terminal with line editing, history and completion; else from the pipe. With JSON, one
    object a line.
    """
    taken = Session(chosen, budget, constants, why=why, count=count, as_json=as_json)
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    if interactive:
        click.echo("Type statements, or: help, why, undo, list, save FILE, quit.")
    for text in _terminal(taken) if interactive else _piped(sys.stdin):
        if not taken.take(text):
            break
    return taken.code if not interactive else 0


@dataclass(frozen=True)
class _Before:
    """What there was before a statement."""

    text: str
    reader: Reader
    structure: KnowledgeStructure | None
    scene: Scene | None
    happened: tuple[Happening | Whether, ...]


class Session:
    """What has been typed so far, and where it has led.

    Attributes:
        code: the exit code: 1 after a fault, 3 if a question was left open.
        last: what came of the last question that was answered with yes or no.
    """

    def __init__(
        self,
        chosen: Engine,
        budget: Budget | None,
        constants: Mapping[str, str],
        *,
        why: bool,
        count: bool,
        as_json: bool,
    ) -> None:
        """Nothing typed yet."""
        self.chosen = chosen
        self.budget = budget
        self.why = why
        self.count = count
        self.as_json = as_json
        self.reader = Reader(given=dict(constants))
        self.run: Run | None = None
        self.code = 0
        self.last: Outcome | None = None
        self._line = 1
        self._past: list[_Before] = []

    @property
    def text(self) -> str:
        """All statements that count."""
        return "".join(f"{before.text}\n" for before in self._past)

    def take(self, text: str) -> bool:
        """Do what a line, or a statement of several lines, says; False if the session is over."""
        word, _, rest = text.strip().partition(" ")
        try:
            if word in ("quit", "exit") and not rest:
                return False
            if word == "help" and not rest:
                click.echo(_HELP)
            elif word == "undo" and not rest:
                self._undo()
            elif word == "why" and not rest:
                self._explain()
            elif word == "list" and not rest:
                click.echo(self.text, nl=False)
            elif word == "save":
                self._save(rest.strip())
            elif text.strip():
                self._add(text.rstrip())
        except SymkripkeError as error:
            self.code = 1
            click.echo(f"Error: {error}", err=True)
        except Exception as error:  # a fault of ours must not take what has been typed with it
            self.code = 1
            told = f"{type(error).__name__}: {error}"
            click.echo(f"Error: a fault of the program, this line is left out ({told})", err=True)
        return True

    def _add(self, text: str) -> None:
        try:
            found = list(statements(text))
        except Fault as wrong:
            raise ProblemError(wrong.problem, text, wrong.line, wrong.column) from None
        for one in found:
            self._add_statement(one.text)

    def _add_statement(self, text: str) -> None:
        line = 1 + self.text.count("\n")
        reader = self.reader.copy()
        whole = self.text + text
        run = self.run
        state = (None, None, ()) if run is None else (run.structure, run.scene, run.happened)
        before = _Before(text, self.reader, *state)
        known = len(reader.steps)
        try:
            reader.take(Statement(text, line), whole)
            outcomes = self._outcomes(reader, whole, known)
        except BaseException:
            self._restore(before)
            raise
        self.reader = reader
        self._past.append(before)
        for outcome in outcomes:
            self._show(outcome)

    def _outcomes(self, reader: Reader, text: str, known: int) -> list[Outcome]:
        """What comes of the steps that are new."""
        if reader.root is None:
            return []
        problem = reader.problem(text)
        found = []
        if self.run is None:
            self.run = Run(problem, self.chosen, self.budget, count=self.count)
            try:
                found.append(self.run.beginning())
            except SymkripkeError:
                self.run = None
                raise
        self.run.problem = problem
        return found + [self.run.take(step) for step in reader.steps[known:]]

    def _show(self, outcome: Outcome) -> None:
        assert self.run is not None
        if outcome.answer is not None:
            self.last = outcome
        if isinstance(outcome.step, Question) and outcome.refused is not None:
            self.code = self.code or UNANSWERED
        if self.as_json:
            click.echo(json.dumps(data(self.run.problem, outcome, why=self.why)))
        else:
            show(self.run.problem, outcome, why=self.why)

    def _restore(self, before: _Before) -> None:
        if before.structure is None:
            self.run = None
        elif self.run is not None:
            self.run.structure = before.structure
            self.run.scene = before.scene
            self.run.happened = before.happened

    def _explain(self) -> None:
        if self.last is None or self.run is None:
            raise InputError("nothing has been answered with yes or no yet")
        from symkripke.cli.display import console, explained, say

        out = console()
        for line in explained(reasons(self.run.problem, self.last)):
            say(out, line)

    def _undo(self) -> None:
        if not self._past:
            raise InputError("there is nothing to take back")
        before = self._past.pop()
        self.reader = before.reader
        self._restore(before)
        if self.run is not None:
            self.run.problem = self.reader.problem(self.text)
        click.echo(f"taken back: {before.text}", err=self.as_json)

    def _save(self, path: str) -> None:
        if not path:
            raise InputError("expected a file's name after 'save', got none")
        try:
            Path(path).write_text(self.text, encoding="utf-8")
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror}") from error
        click.echo(f"saved in {path}", err=self.as_json)

    def words(self, before: str) -> Iterable[str]:
        """What could follow the text before the cursor."""
        names = self.reader.names
        if re.search(r"\b(K|M|Kw|Kv|E|D|C|B|EB|CB|P)\s*\[[^\]]*$", before):
            return names.agents
        if re.fullmatch(r"\s*\w*", before):
            return (*KEYWORDS, *names.agents, "why", "undo", "list", "save", "help", "quit")
        lists = list(names.constants)
        known = (*names.vocabulary.names, *names.abbreviations, *names.coded)
        return (*(f"{o}[" for o in ("K", "M", "Kw", "Kv", "E", "D", "C", "B")), *known, *lists)


def _piped(lines: Iterable[str]) -> Iterator[str]:
    """Statements with the indented lines that belong to them, and commands."""
    found: list[str] = []
    for line in lines:
        bare = line.rstrip("\n").removeprefix("\ufeff")
        if found and (not bare.strip() or bare[0] in " \t})]" or bare.startswith("--")):
            found.append(bare)
            continue
        if found:
            yield "\n".join(found)
        found = [bare]
    if found:
        yield "\n".join(found)


def _terminal(taken: Session) -> Iterator[str]:
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
            for word in taken.words(before):
                if word.startswith(start):
                    yield Completion(word, start_position=-len(start))

    history: History
    try:
        state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
        (state / "symkripke").mkdir(parents=True, exist_ok=True)
        history = FileHistory(str(state / "symkripke" / "statements"))
    except (OSError, RuntimeError):
        history = InMemoryHistory()
    reader: PromptSession[str] = PromptSession(
        history=history, completer=Names(), complete_while_typing=False
    )
    while True:
        try:
            text: Any = reader.prompt("> ")
            # An operator or a colon at the end: the statement goes on.
            while re.search(r"([&|,:(\[{=+*<>~-]|->)\s*$", text):
                text += "\n  " + reader.prompt("  ")
            yield text
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
