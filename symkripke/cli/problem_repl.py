"""`symkripke check -`: a prompt for statements, which can be undone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from symkripke.cli.options import put_json
from symkripke.cli.outcome import code_after, reason_of, show
from symkripke.cli.repl import Command, Dialogue
from symkripke.cli.styled_lines import write_explanation
from symkripke.errors import InputError, ProblemError, SymkripkeError
from symkripke.files import check_writable, write_whole
from symkripke.model.completing import OPERATORS, wants_agents
from symkripke.problems.checker import Now, Run
from symkripke.problems.outcome import Outcome
from symkripke.problems.outcome_words import data, reasons
from symkripke.problems.reader import Reader
from symkripke.problems.syntax import KEYWORDS, Fault, Statement, statements

if TYPE_CHECKING:
    from symkripke.cli.options import Limits
    from symkripke.engines import Engine
    from symkripke.problems.story import Story


@dataclass(frozen=True)
class _Before:
    """The state before a statement."""

    text: str
    reader: Reader
    now: Now | None


class Session(Dialogue):
    """The dialogue about a problem. With JSON, it prints one object per line.

    Attributes:
        last: the outcome of the last question that was answered with yes or no.
    """

    greeting = "Type statements, or: help, why, undo, list, draw FILE, save FILE, quit."
    help = """\
  a statement   agents, fluent, law, ... sees, believe, actual; announce, show, tell, change;
                action, do, plan; valid?, true?, goal?, expect, where?, knows?, how?, count?,
                expected?, entropy?, contract?, plan?, protocol?; let, define, for; say. An
                action goes on to an empty line
  why           explain the last answer
  undo          remove the last statement
  list          all statements so far
  draw FILE     draw the model now, as SVG or HTML by the file's name; draw story FILE: all
                events; draw step FILE: the last event (draw --force FILE: replace the file)
  save FILE     write them to a file, for `symkripke check FILE` (save --force FILE: replace it)
  help, quit"""
    history = "statements"
    commands = (
        Command("why"),
        Command("undo"),
        Command("list"),
        Command("draw FILE", takes=".*"),
        Command("save FILE", takes=".*"),
    )
    prompt = "> "

    def __init__(
        self,
        chosen: Engine,
        limits: Limits,
        constants: Mapping[str, str],
        *,
        why: bool,
        count: bool | None,
        as_json: bool,
    ) -> None:
        """Start an empty session."""
        super().__init__()
        self.chosen = chosen
        self.limits = limits
        self.why = why
        self.count = count
        self.as_json = as_json
        self.reader = Reader(given=dict(constants))
        self.run: Run | None = None
        self.last: Outcome | None = None
        self._saved: set[str] = set()
        self._past: list[_Before] = []

    @property
    def text(self) -> str:
        """All statements that have not been undone."""
        return "".join(f"{before.text}\n" for before in self._past)

    def other(self, text: str) -> None:
        """Add one or more statements."""
        self._add(text.rstrip())

    def goes_on(self, text: str) -> bool:
        """Return whether a text ends with an operator or a colon; a blank line ends an action."""
        if re.match(r"\s*action\b", text):
            return bool(text.rpartition("\n")[2].strip())
        return re.search(r"([&|,:(\[{=+*<>~-]|->)\s*$", text) is not None

    def pieces(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield statements with their indented lines, and commands."""
        piece: list[str] = []
        for line in lines:
            if piece and (not line.strip() or line[0] in " \t})]" or line.startswith("--")):
                piece.append(line)
                continue
            if piece:
                yield "\n".join(piece)
            piece = [line]
        if piece:
            yield "\n".join(piece)

    def _add(self, text: str) -> None:
        try:
            with self.limits.whole("reading what was typed"):
                parts = list(statements(text))
        except Fault as wrong:
            raise ProblemError(wrong.problem, text, wrong.line, wrong.column) from None
        for statement in parts:
            self._add_statement(statement.text)

    def _add_statement(self, text: str) -> None:
        line = 1 + self.text.count("\n")
        reader = self.reader.copy()
        whole = self.text + text
        before = _Before(text, self.reader, None if self.run is None else self.run.now)
        known = len(reader.steps)
        try:
            with self.limits.whole("reading the statement"):
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
        """Return the outcomes of the new steps."""
        if reader.root is None:
            return []
        problem = reader.problem(text)
        outcomes = []
        if self.run is None:
            self.run = Run(problem, self.chosen, count=self.count)
            try:
                with self.limits.step("checking"):
                    outcomes.append(self.run.beginning())
            except SymkripkeError:
                self.run = None
                raise
        self.run.problem = problem
        for step in reader.steps[known:]:
            with self.limits.step("checking"):
                outcomes.append(self.run.take(step))
        return outcomes

    def _show(self, outcome: Outcome) -> None:
        assert self.run is not None
        if outcome.answer is not None:
            self.last = outcome
        self.code = code_after(self.code, outcome)
        if self.as_json:
            with self.limits.whole(reason_of(outcome)):
                outcome_data = data(self.run.problem, outcome, why=self.why)
            put_json(outcome_data)
        else:
            show(self.run.problem, outcome, self.limits, why=self.why)

    def _restore(self, before: _Before) -> None:
        if before.now is None:
            self.run = None
        elif self.run is not None:
            self.run.back(before.now)

    def _why(self) -> None:
        if self.last is None or self.run is None:
            raise InputError("no question has been answered with yes or no yet")
        with self.limits.whole(reason_of(self.last)):
            lines = list(reasons(self.run.problem, self.last))
        write_explanation(lines)

    def _list(self) -> None:
        click.echo(self.text, nl=False)

    def _undo(self) -> None:
        if not self._past:
            raise InputError("there is nothing to undo")
        before = self._past.pop()
        self.reader = before.reader
        self._restore(before)
        if self.run is not None:
            self.run.problem = self.reader.problem(self.text)
        click.echo(f"removed: {before.text}", err=self.as_json)

    def _save(self, rest: str = "") -> None:
        path = rest.removeprefix("--force ").strip()
        if not path:
            raise InputError("expected a file name after 'save'")
        # A file saved earlier in this session may be replaced.
        check_writable(path, replace=path != rest or path in self._saved)
        write_whole(path, self.text)
        self._saved.add(path)
        click.echo(f"saved in {path}", err=self.as_json)

    def _draw(self, rest: str = "") -> None:
        """Write a picture of the model now, of the last step or of all steps."""
        from symkripke.drawing import Options, draw_story

        *words, path = rest.split() or [""]
        chosen = [word for word in words if word != "--force"]
        if not path or chosen not in ([], ["story"], ["step"]):
            raise InputError(f"expected draw FILE, draw step FILE or draw story FILE, got {rest!r}")
        check_writable(path, replace="--force" in words or path in self._saved)
        with self.limits.whole("drawing") as tell:
            story = self._story()
            if chosen == ["step"] and len(story.moments) < 2:
                raise InputError("nothing has happened yet: there is no step to draw")
            first = {"story": 0, "step": -2}.get("".join(chosen), -1)
            drawing = draw_story(story.moments[first:], Options(naming=story.naming), tell=tell)
            text = drawing.html if path.endswith((".html", ".htm")) else drawing.svg
        write_whole(path, text)
        self._saved.add(path)
        click.echo(f"drawn in {path}", err=self.as_json)

    def _story(self) -> Story:
        """Return the story so far, or the unfinished model."""
        from symkripke.problems.story import story_of, story_so_far

        if self.run is not None:
            return story_so_far(self.run)
        if not self.text:
            raise InputError("there is no model yet: state its agents and fluents first")
        return story_of(self.reader.copy().problem(self.text), self.chosen)

    def words(self, before: str) -> Iterable[str]:
        """Return the possible continuations of the text before the cursor."""
        names = self.reader.names
        if wants_agents(before):
            return names.agents
        if re.fullmatch(r"\s*\w*", before):
            commands = (command.name for command in self.commands)
            return (*KEYWORDS, *names.agents, *commands, "help", "quit")
        known = (*names.vocabulary.names, *names.abbreviations, *names.coded, *names.constants)
        return (*OPERATORS, *known)
