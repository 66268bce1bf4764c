"""The dialogue at a seat, of a real table or of a game against programs."""

from __future__ import annotations

import textwrap
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar

import click

from symkripke.cli.console import console, sentence
from symkripke.cli.display import say_of
from symkripke.cli.line_reader import LineReader
from symkripke.cli.options import Limits
from symkripke.cli.repl import Command, Dialogue
from symkripke.cli.screens import (
    show_insight,
    show_moves,
    show_odds,
    show_own_things,
    show_sheet,
)
from symkripke.errors import InputError, PhraseError, clipped, hint
from symkripke.language import Chance
from symkripke.model import Perspective
from symkripke.model.completing import words_of_formulas
from symkripke.play import GameState, Moment, News, View
from symkripke.play.acts import Act, Pending, in_this_game
from symkripke.play.sentences import news_in_sentences, not_understood, unfinished
from symkripke.play.session.entry import TableEvent
from symkripke.play.views.advice import Advised
from symkripke.play.views.odds import Probable
from symkripke.play.views.sheet import FilledSheet

SHEET = (
    "your note sheet (sheet on, sheet off: show it after each event, or not; sheet "
    "paper: the printed form of the game, if it has one)"
)

NOTE = Command("note TEXT", takes=".+")

SHEET_WAYS = "(on|off|paper|--paper)?"


class SeatDialogue(Dialogue):
    """A dialogue with commands about the knowledge of a seat; other lines are moves or events.

    A line is a command only if the whole line is a command: `list`. A line with a colon before it
    is always a command (`:list`), and a line with `note` before it never is (`note list`).

    Attributes:
        entry_kind: the kind of a line that is not a command: "an event".
        tips: hints for lines that are not understood but begin like a command.
        plain: whether to print everything in sentences.
        limits: the limits of each step.
        shows_sheet: whether to show the note sheet after each event.
        out: the console for all output.
    """

    entry_kind: ClassVar[str]
    tips: ClassVar[Mapping[str, str]]
    quits: ClassVar[Sequence[str]] = ("quit", "exit", ":quit", ":exit")

    def __init__(self, lines: LineReader, *, plain: bool, limits: Limits) -> None:
        """Start a dialogue that reads its lines from `lines`."""
        super().__init__()
        self.lines = lines
        self.plain = plain
        self.limits = limits
        self.shows_sheet = lines.interactive and not plain
        self.out = console()

    # ---- content -------------------------------------------------------------------------------

    @property
    @abstractmethod
    def moment(self) -> Moment[Any, Any]:
        """The current moment, as this seat knows it."""

    @property
    @abstractmethod
    def position(self) -> GameState[Any]:
        """The position, as the rules see it."""

    @property
    @abstractmethod
    def view(self) -> View[Any, Any]:
        """Return the view from the seat. Raise `InputError` if the log has no seat."""

    @abstractmethod
    def _you(self) -> str:
        """Return the player of the seat. Raise `InputError` if the log has no seat."""

    # ---- input ---------------------------------------------------------------------------------

    def take(self, text: str) -> bool:
        """Execute a line; see `Dialogue.take`. Ctrl-C interrupts the work, not the dialogue."""
        try:
            return super().take(text)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            return True

    def command(self, word: str, rest: str) -> Callable[[], None] | None:
        """Return the action for the first word of a line, with or without a colon before it."""
        name = word.removeprefix(":")
        action = self._command(name, rest, surely=name != word)
        if action is None and name != word:
            line = f"{word} {rest}".rstrip()
            near = hint(name, self._forms())
            raise InputError(self._misused(line) or f"unknown command: {line}{near}")
        return action

    def _forms(self) -> dict[str, str]:
        """Return the form of each command of this game, by its first word."""
        return {form.partition(" ")[0]: form for form in self._offered()}

    def _misused(self, line: str) -> str:
        """Return the error of a line that only begins like a command; empty for other lines."""
        word = line.partition(" ")[0].removeprefix(":").casefold()
        form, tip = self._forms().get(word), self.tips.get(word)
        if form is None and tip is None:
            return ""
        problem = (
            f"there is no command {word!r} here"
            if form is None
            else f"{clipped(line)!r} is not a command; expected {form!r}: {self._offered()[form]}"
        )
        return problem if tip is None else f"{problem}. {tip}"

    def _command(self, word: str, rest: str, *, surely: bool) -> Callable[[], None] | None:
        """Return the action of a command line; None if the line is not a command.

        If `surely` is true, the line is a command, whatever it looks like.
        """
        if word in ("ask", "why") and rest and not surely and not self._is_formula(rest):
            return None
        return super().command("help" if word == "?" else word, rest)

    @abstractmethod
    def _ways(self, before: str) -> Iterable[tuple[int, str]]:
        """Yield the completions of a move or an event: start positions and texts."""

    def completions(self, before: str) -> Iterable[tuple[int, str]]:
        """Yield the completions of commands, of formulas after `ask` and `why`, and of entries."""
        typed = before.lstrip()
        start = len(before) - len(typed)
        word, blank, rest = typed.partition(" ")
        if word.removeprefix(":") in ("ask", "why") and blank:
            yield from words_of_formulas(self.moment.structure.vocabulary, before)
            return
        if word.removeprefix(":") == "note" and blank:
            start = len(before) - len(rest)
        elif typed.startswith(":") or (typed and not blank):
            colon = typed[:1] if typed.startswith(":") else ""
            for command in self._offered():
                name = command.split()[0]
                if name.startswith(typed[len(colon) :]):
                    yield start, colon + name
            if colon:
                return
        for place, text in self._ways(before[start:]):
            yield start + place, text

    @abstractmethod
    def helped(self) -> str:
        """Return the help on the possible input."""

    @property
    def _width(self) -> int:
        """The width of the help in characters."""
        return min(self.out.width, 80) if self.out.is_terminal else 80

    def _example_names(self) -> Mapping[str, str]:
        """Return this game's names for the names in examples."""
        try:
            view: View[Any, Any] | None = self.view
        except InputError:  # the log has no seat
            view = None
        return self.moment.game.example_names(self.moment.setup, self.position, view)

    def _can_be_typed(self, form: str) -> bool:
        """Return whether the help shows the form; by default, it shows all forms."""
        return True

    def _has_answer(self) -> bool:
        """Return whether the game has an answer that a player could know."""
        moment = self.moment
        player = moment.setup.players[0]
        knows = moment.game.knows_answer(moment.setup, moment.structure, player)
        return knows is not None

    def _offered(self) -> dict[str, str]:
        """Return the commands of this game, with their help."""
        has_answer = self._has_answer()
        return {
            command.form: command.says
            for command in self.commands
            if command.says and (has_answer or command.form != "who")
        }

    def _typed_forms(self, acts: Iterable[Act[Any]]) -> Iterator[str]:
        """Yield the forms of each act, and their meaning."""
        for act in acts:
            for form, meaning in in_this_game(act.typed or {}, self._example_names()):
                if not self._can_be_typed(form):
                    continue
                yield f"  {form}"
                yield from textwrap.wrap(
                    meaning, self._width, initial_indent="      ", subsequent_indent="      "
                )

    def _command_lines(self) -> Iterator[str]:
        """Yield the lines of the help about commands."""
        yield "Commands:"
        commands = self._offered()
        wide = max(map(len, commands))
        for command, says in commands.items():
            yield from textwrap.wrap(
                f"  {command:<{wide}}  {says}", self._width, subsequent_indent=" " * (wide + 4)
            )
        yield from textwrap.wrap(
            "A line is a command only if the whole line is one. :list is always a "
            f"command, and note list is always {self.entry_kind}. Tab completes; "
            "Ctrl-C clears the line.",
            self._width,
        )

    # ---- output --------------------------------------------------------------------------------

    def _say(self, text: str, style: str = "") -> None:
        if self.plain:
            sentence(self.out, text)
            return
        say_of(self.out, self.moment.layout, self.moment.setup.players, text, style)

    def _news(self, news: News) -> None:
        """Print the new knowledge of the seat, and the sheet."""
        marks = {place: news.marks[cell] for place, cell in news.layout.cells.items()}
        for number, line in enumerate(news_in_sentences(news.layout, news.learned, marks)):
            self._say(f"{'New: ' if number == 0 else '     '}{line}", "" if self.plain else "bold")
        is_dealt = news.before.structure.root is not news.after.structure.root
        if self.shows_sheet and (news.learned or is_dealt):
            self._sheet(news=news)

    def _entries(self, entries: Sequence[TableEvent[Any]], none: str = "") -> None:
        """Print events with their numbers, or the text `none` if there are no events."""
        if none and not entries:
            self._say(none)
        for entry in entries:
            self._say(f"  {entry.number}. {entry.story}")

    @property
    @abstractmethod
    def _pending(self) -> Pending | None:
        """The unfinished entry; None if there is none."""

    def _misunderstood(self, error: PhraseError, problem: str, pointed: str = "") -> None:
        """Print why a line is neither a move nor an event nor a command, and the open choices."""
        ahead, _, behind = error.text[: error.place].rpartition("\n")
        line = error.text[len(ahead) :].strip().partition("\n")[0]
        word = line.partition(" ")[0].removeprefix(":").casefold()
        is_first = not error.is_understood and not behind.strip()
        misused = self._misused(line) if is_first else ""
        if is_first and not error.near and "?" in (near := hint(word, self._forms())):
            problem += near
        self._say(f"{not_understood(error)}: {misused or problem}")
        if misused:
            return
        if tip := self.tips.get(word):
            self._say(tip)
        if pointed:  # not wrapped: the caret marks a column
            click.echo(pointed)
        for line in unfinished(self._pending):
            self._say(line)

    # ---- questions -----------------------------------------------------------------------------

    def _is_formula(self, text: str) -> bool:
        """Return whether a text is a formula. Other texts may be events, such as "ask rope ...".

        An invalid text that contains the signs of formulas counts as a formula, so that its mistake
        is shown.
        """
        try:
            self.moment.question(text)
        except InputError:
            return any(sign in text for sign in "[(=&|~")
        return True

    def _sheet(self, how: str = "", *, news: News | None = None) -> None:
        if how in ("on", "off"):
            self.shows_sheet = how == "on"
            self._say(f"The sheet is {'shown' if how == 'on' else 'not shown'} after each event.")
            return
        with self.limits.whole("filling in the sheet"):
            filled = FilledSheet.of(
                self.moment,
                self._you(),
                self.position,
                known=None if news is None else news.marks,
                new=() if news is None else news.learned,
            )
        show_sheet(self.out, filled, paper=bool(how), plain=self.plain, title=news is None)

    def _note(self, text: str) -> None:
        self.other(text)

    @abstractmethod
    def _advice(self) -> Advised:
        """Return the best moves for the seat."""

    def _suggest(self) -> None:
        show_moves(self.out, self._advice(), plain=self.plain)

    def _odds(self) -> None:
        view = self.view
        with self.limits.whole("counting deals"):
            probable = Probable.of(self.moment, view, 10)
        show_odds(self.out, probable, plain=self.plain)

    def _who(self) -> None:
        from symkripke.play.knowledge_matrix import insight, own_things

        moment = self.moment
        if moment.layout.describes:
            with self.limits.whole("asking who knows what") as tell:
                things = own_things(moment, tell)
            show_own_things(self.out, moment, things, plain=self.plain)
            return
        with self.limits.whole("asking who knows") as tell:
            known = insight(moment, tell=tell)
        show_insight(self.out, moment, known, plain=self.plain)

    def _ask(self, question: str) -> None:
        self._answer(question, why=False)

    def _why(self, question: str) -> None:
        self._answer(question, why=True)

    def _answer(self, question: str, *, why: bool) -> str:
        """Answer a question. Return the question that was actually answered."""
        if isinstance(self.moment.state, Perspective):
            return self._told(question, why=why)
        self._show(question, why=why)
        return question

    def _told(self, question: str, *, why: bool) -> str:
        """Answer a question of a seat. Return the question that was actually answered.

        If the seat does not know the answer, the reason is that it considers both answers possible.
        """
        about = self._decided(question)
        if about is None:
            me = self._you()
            self._say("You cannot tell.", "bold")
            about = f"M[{me}] ({question}) & M[{me}] ~({question})"
            if not why:
                return about
        self._show(about, why=why)
        return about

    def _decided(self, question: str) -> str | None:
        """Return the question that the seat can answer instead; None if it cannot answer."""
        moment, me = self.moment, self._you()
        asked = moment.question(question)
        if isinstance(asked, Chance):
            return question
        with self.limits.step("asking"):
            with suppress(InputError):  # the seat's knowledge does not decide the question
                moment.ask(asked)
                return question
            for known in (f"K[{me}] ({question})", f"K[{me}] ~({question})"):
                if moment.ask(known):
                    return known
        return None

    def _show(self, question: str, *, why: bool) -> None:
        from symkripke.cli.answer import Reply

        moment = self.moment
        Reply.to(moment, moment.engine, question, self.limits, why=why).show(why=why)
