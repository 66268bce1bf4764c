"""The dialogue of `symkripke table`: players type events, and read their new knowledge."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from itertools import chain
from typing import Any, ClassVar

from symkripke.cli.contradiction import faulty, reasons, refused, what_to_do
from symkripke.cli.display import they_know
from symkripke.cli.line_reader import LineReader
from symkripke.cli.options import Limits
from symkripke.cli.repl import Command
from symkripke.cli.seat_dialogue import NOTE, SHEET, SHEET_WAYS, SeatDialogue
from symkripke.errors import InputError, PhraseError, SymkripkeError, Unsupported
from symkripke.play import GameState, Journal, Moment, News, View
from symkripke.play.acts import Pending
from symkripke.play.player import WEIGHTING
from symkripke.play.rules import CHANCE
from symkripke.play.sentences import (
    RESULT_TAKEN_BACK,
    game_over,
    is_finished,
    so_far,
)
from symkripke.play.session.journal import Contradiction
from symkripke.play.views.advice import Advised
from symkripke.play.words import person

_LAST = 3
"""The number of entries shown when a log is opened."""


class AtTheTable(SeatDialogue):
    """The dialogue at a real table: events and commands."""

    history = "table"
    entry_kind = "an event"
    tips: ClassVar = {
        "hint": "For good moves, type 'suggest'.",
        "undo": "To remove entry N, type 'remove N'.",
        "why": "`symkripke games GAME` lists formulas.",
    }
    commands = (
        Command("sheet", SHEET, SHEET_WAYS),
        Command("odds", "the probability of everything"),
        Command("suggest", "good moves for you"),
        Command(
            "who",
            "for each pair of players, whether the first knows if the second knows the answer",
        ),
        Command(
            "ask FORMULA", "whether it is true now (symkripke games GAME lists formulas)", ".+"
        ),
        Command("why FORMULA", "whether it is true, and why", ".+"),
        Command("list", "all entries, with their numbers"),
        Command("undo", "remove the last entry, or the last line of an incomplete entry"),
        Command("edit N", "change entry N; edit N TEXT does it in one line", r"\d+( .*)?"),
        Command("remove N", "remove entry N, if the later entries still fit without it", r"\d+"),
        Command("help", "the list of commands"),
        Command("quit", "leave (or press Ctrl-D); everything is saved"),
        NOTE,
    )

    def __init__(
        self, journal: Journal[Any, Any], lines: LineReader, *, plain: bool, limits: Limits
    ) -> None:
        """Start a dialogue about a log.

        Args:
            journal: the log.
            lines: the reader of the lines.
            plain: whether to print everything in sentences.
            limits: the limits of each step.
        """
        super().__init__(lines, plain=plain, limits=limits)
        self.journal = journal
        # Whether the last typed event was refused, so that nothing was written.
        self._was_refused = False

    @property
    def moment(self) -> Moment[Any, Any]:
        """The current moment, as this seat knows it."""
        return self.journal.moment

    @property
    def position(self) -> GameState[Any]:
        """The position, as the rules see it."""
        return self.journal.position

    @property
    def view(self) -> View[Any, Any]:
        """Return the view from the seat. Raise `InputError` if the log has no seat."""
        from symkripke.play.positions import view_at

        return view_at(self.journal.record, self.journal.moment, self._you())

    # ---- output --------------------------------------------------------------------------------

    def open(self) -> None:
        """Print the state of the game at the beginning of the dialogue."""
        journal = self.journal
        seats = ", ".join(person(player) for player in journal.setup.players)
        you = f"; you are {person(journal.seat)}" if journal.seat else ""
        self._say(f"{journal.game.title}, {journal.setup.rules} rules: {seats}{you}.", "bold")
        if journal.note:
            self._say(f"Note: {journal.note}.")
        entries = journal.entries
        if len(entries) > _LAST:
            self._say(f"{len(entries)} entries; the last ones:")
        self._entries(entries[-_LAST:])
        if journal.fault is None:
            if self.lines.interactive:
                self._sheet()
            self._state()
        else:
            for line in chain(faulty(journal), reasons(journal, self.limits)):
                self._say(line)
        if self.lines.interactive:
            self._say("Type what happens, or help, or quit.", "dim")

    def _state(self) -> None:
        """Print the unfinished event, or the end of the game."""
        pending = self.journal.pending
        if pending is not None and pending.said:
            # At a terminal the question is the prompt.
            asked = "" if self.lines.interactive else f" {pending.ask}"
            self._say(f"So far: {so_far(pending)}{asked}")
        over = game_over(self.journal)
        if over is not None:
            self._say(over, "bold")

    @property
    def prompt(self) -> str:
        """The open question."""
        if self.journal.fault is not None:
            return "correct it> "
        try:
            asked = self.journal.asked
        except Unsupported:
            return "> "
        if asked is None:
            return "the game is over> "
        return f"{asked.ask or f'Expected {asked.what}:'} "

    # ---- events --------------------------------------------------------------------------------

    def other(self, text: str) -> None:
        """Enter an event, or a part of an event, and print the new knowledge."""
        entered = self.entered(text)
        if entered is not None:
            self._others(entered)
        self._state()

    def entered(self, text: str) -> News | None:
        """Enter an event, or a part of an event. Print it, the new knowledge and the sheet."""
        journal = self.journal
        self._was_refused = True
        with self.limits.whole("entering the event"):
            entered = journal.enter(text.strip())
        self._was_refused = False
        self._entries(entered.entries)
        if not entered.entries or journal.seat is None:
            return None
        with self.limits.whole("filling in the sheet"):
            news = journal.news(len(entered.entries))
        self._news(news)
        return news

    def _others(self, news: News) -> None:
        """Print news about the knowledge of others, last because it takes longer than the sheet."""
        with self.limits.step("asking what others know"):
            knowers = [name for name in news.knowers() if name != self.journal.seat]
        if knowers:
            self._say(f"About the others: {they_know(knowers)}")

    def tell(self, error: SymkripkeError) -> None:
        """Print the error in the typed text."""
        if isinstance(error, Contradiction):
            # Print line by line, because finding the reasons may take seconds.
            for line in chain(refused(error), reasons(error, self.limits), what_to_do(error)):
                self._say(line)
        elif isinstance(error, PhraseError):
            self._misunderstood(error, *str(error).split("\n", 1))
            if self.lines.interactive:
                self._say(
                    "(press Up to get the line back; type help to see what you can type)", "dim"
                )
        else:
            super().tell(error)

    @property
    def _pending(self) -> Pending | None:
        return self.journal.pending

    def _ways(self, before: str) -> Iterable[tuple[int, str]]:
        for way in self.journal.completions(before):
            yield way.start, way.text

    # ---- questions -----------------------------------------------------------------------------

    def _you(self) -> str:
        if self.journal.seat is None:
            raise InputError(
                "this log shows everything and belongs to no single player; for what "
                "a player knows, use symkripke sheet, odds, ... --player NAME"
            )
        return self.journal.seat

    def _advice(self) -> Advised:
        from symkripke.play.positions import suggest

        moment, me = self.journal.moment, self._you()
        with self.limits.whole("weighing moves"):
            moves = suggest(self.journal.record, moment, me, 5)
        decision = self.journal.position.decision
        now = decision is None or decision.player in (me, CHANCE)
        return Advised(moment, me, moves, WEIGHTING, now)

    # ---- changes -------------------------------------------------------------------------------

    def _list(self) -> None:
        self._entries(self.journal.entries, "There are no entries yet.")
        self._state()

    def _undo(self) -> None:
        was_over = is_finished(self.journal)
        taken = self.journal.undo()
        if self._was_refused:
            self._say("The rejected line was not written. This removes the entry before it.")
        self._was_refused = False
        self._say(f"Removed: {taken}")
        if was_over and not is_finished(self.journal):
            self._say(RESULT_TAKEN_BACK)
        self._after_change()

    def _remove(self, number: str) -> None:
        self._edit(number, removes=True)

    def _edit(self, words: str, *, removes: bool = False) -> None:
        first, _, text = words.partition(" ")
        number, text = int(first), text.strip()
        entries = self.journal.entries
        if not 1 <= number <= len(entries):
            there = f"1 to {len(entries)}" if entries else "there are none yet"
            raise InputError(f"expected the number of an entry ({there}), got {number}")
        story = entries[number - 1].story
        if not text and not removes:
            if not self.lines.interactive:
                raise InputError(
                    f"expected the new text of the entry: edit {number} TEXT (now: {story})"
                )
            try:
                text = self.lines.read(
                    f"New text of entry {number} (Ctrl-C cancels): ",
                    default=story,
                    complete=lambda before: (),
                ).strip()
            except (KeyboardInterrupt, EOFError):
                text = ""
            if text in ("", story):
                self._say("The entry was not changed.")
                return
        with self.limits.whole("changing the entry"):
            changed = self.journal.edit(number, text)
        self._say(f"Was: {story}")
        if removes:
            self._say("The entry was removed.")
        self._entries(changed)
        self._after_change()

    def _after_change(self) -> None:
        if self.journal.fault is not None:
            for line in chain(faulty(self.journal), reasons(self.journal, self.limits)):
                self._say(line)
            return
        if self.shows_sheet and self.journal.seat is not None:
            self._sheet()
        self._state()

    # ---- help ----------------------------------------------------------------------------------

    def helped(self) -> str:
        """Return the help on the possible input."""
        position, seat = self.journal.position, self.journal.seat
        events = [act for act in self.journal.game.acts if act.when(position)]
        opening = "Type what happens, in full or abbreviated. In this game, for example:"
        me = "" if seat is None else f" You are {person(seat)}; you can also type 'me'."
        note = f"You can type an event in parts; the program then asks for the rest.{me}"
        lines = [
            *textwrap.wrap(opening, self._width),
            *self._typed_forms(events),
            *textwrap.wrap(note, self._width),
            "",
            *self._command_lines(),
        ]
        return "\n".join(line.rstrip() for line in lines)
