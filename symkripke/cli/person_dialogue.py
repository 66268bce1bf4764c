"""The dialogue of a person in a game with minds: `symkripke play GAME --human NAME`."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from random import Random
from typing import Any

import click

from symkripke.cli.display import dealt_lines
from symkripke.cli.line_reader import LineReader
from symkripke.cli.options import Limits
from symkripke.cli.quiz import Quiz
from symkripke.cli.repl import Command
from symkripke.cli.seat_dialogue import NOTE, SHEET, SHEET_WAYS, SeatDialogue
from symkripke.engines import Mark
from symkripke.errors import InputError, PhraseError, SymkripkeError, Unsupported
from symkripke.play import Advice, GameState, Moment, PersonView, Table, View
from symkripke.play.acts import Act, Pending
from symkripke.play.knowledge_timeline import knowledge_timeline
from symkripke.play.news import news
from symkripke.play.player import WEIGHTING
from symkripke.play.sentences import described, is_over, who_knew_in_sentences
from symkripke.play.views.advice import Advised
from symkripke.play.views.pictures import known_marks
from symkripke.play.words import person

_TIPS = {
    "ask": "The command 'ask' needs a formula: symkripke games GAME lists some.",
    "why": "The command 'why' needs a formula, except after a hint.",
    "take": "The command 'take' makes a recommended move: type 'hint' first.",
}
"""Tips for lines that begin like a command, but are neither a command nor a move."""

_LAST = 3
"""The number of events shown when a game is continued."""

_SUGGESTED = 5


class InTheGame(SeatDialogue):
    """The dialogue of people in a game against programs: moves and commands.

    If several people play at one terminal, the screen is cleared before the turn of another person.

    Attributes:
        hosted: the game.
        player: the person who is looking at the screen.
    """

    history = "game"
    entry_kind = "a move"
    tips = _TIPS
    has_usual = True
    quits = (*SeatDialogue.quits, "save", ":save")
    commands = (
        Command("hint", "the best move for you; type why after it for the reason"),
        Command(
            "take", "make the move of the last hint; take 2: the second move of suggest", r"\d*"
        ),
        Command("suggest", "good moves, with reasons"),
        Command("sheet", SHEET, SHEET_WAYS),
        Command("odds", "the probability of everything, as you see it"),
        Command("who", "for each player, whether you know if they know the answer"),
        Command(
            "ask FORMULA",
            "whether it is true, as far as you know (symkripke games GAME lists formulas)",
            ".+",
        ),
        Command("why FORMULA", "whether it is true, and why", ".*"),
        Command("moves", "everything that you can do now"),
        Command("list", "everything that has happened, as you saw it"),
        Command("undo", "cancel the incomplete move"),
        Command("resign", "give up the game"),
        Command(
            "quit",
            "leave for now (or press Ctrl-D); everything is saved, and play --resume continues",
        ),
        Command("help", "the list of commands"),
        NOTE,
    )

    def __init__(
        self,
        hosted: Table[Any, Any],
        lines: LineReader,
        *,
        plain: bool,
        limits: Limits,
        pace: float = 0,
        brief: bool = False,
        quiz: Quiz | None = None,
    ) -> None:
        """Start a dialogue about a game.

        Args:
            hosted: the game.
            lines: the reader of the lines.
            plain: whether to print everything in sentences.
            limits: the limits of each step.
            pace: seconds to wait after each event.
            brief: whether to print only events, without new knowledge.
            quiz: the quiz about the person's conclusions after each event; None for no quiz.
        """
        super().__init__(lines, plain=plain, limits=limits)
        self.hosted = hosted
        self.player = hosted.waiting_for or hosted.persons[0]
        self.pace = pace
        self.brief = brief
        self.quiz = quiz
        self._seen = dict.fromkeys(hosted.persons, 0)
        self._begun = ""
        self._advised: Sequence[Advice] = ()
        self._last_why: Callable[[], None] | None = None
        self._ended = False

    # ---- content -------------------------------------------------------------------------------

    @property
    def now(self) -> PersonView[Any, Any]:
        """The view of the person who is looking at the screen."""
        return self.hosted.seat(self.player)

    @property
    def moment(self) -> Moment[Any, Any]:
        """The current moment, as this person knows it."""
        return self.now.moment

    @property
    def position(self) -> GameState[Any]:
        """The position, as the rules see it."""
        return self.now.position

    @property
    def view(self) -> View[Any, Any]:
        """The view from the seat."""
        return self.now.view

    def _you(self) -> str:
        return self.player

    # ---- output --------------------------------------------------------------------------------

    def open(self) -> None:
        """Print the players, and the state of the game."""
        hosted = self.hosted
        seats = [
            f"{person(name)} ({mind})"
            for name, mind in zip(hosted.setup.players, hosted.minds, strict=True)
        ]
        self._say(f"{hosted.game.title}, {hosted.setup.rules} rules: {', '.join(seats)}.", "bold")
        if events := len(hosted.steps):
            self._say(f"The game continues: {events} events so far; type list to see them.")
            self._seen = dict.fromkeys(hosted.persons, max(0, events - _LAST))
        if self.lines.interactive:
            self._say("Type your move, or help, hint, quit. Press Enter for the usual move.", "dim")

    def _welcome(self) -> None:
        """Print the cards that the person was dealt, when they first see the game."""
        now = self.now
        hand = now.game.hand_words(now.setup, self.player, now.hand)
        self._say(f"You are {person(self.player)}. You {now.game.dealt_as} {hand}.")

    def _catch_up(self) -> None:
        """Print what has happened since this person last looked."""
        now, seen = self.now, self._seen[self.player]
        self._entries(now.events[seen:])
        self._seen[self.player] = len(now.events)

    def _learned(self, since: int) -> None:
        """Print this person's new knowledge, and the unfinished event."""
        now = self.now
        new = len(now.events) - since
        if new and not self.brief:
            with self.limits.whole("filling in the sheet"):
                learned = news(now.moment, self.player, new)
            if self.quiz is not None:
                marks = {p: learned.marks[cell] for p, cell in learned.layout.cells.items()}
                then = {**marks, **dict.fromkeys(learned.learned, Mark.OPEN)}
                chance = Random(f"{self.hosted.seed}/quiz/{len(now.events)}")
                self.quiz.of_news(now.moment, self.player, then, marks, chance)
            self._news(learned)
        if now.story_under_way:
            self._say(f"  {now.story_under_way}")

    def _question(self) -> None:
        """Print the question to the person; at a terminal, the prompt contains the question."""
        menu = self.now.menu
        if menu.note:
            self._say(menu.note)
        moment = self.now.moment
        if moment.layout.describes:
            marks = known_marks(moment, self.player)
            sure = {place: mark for place, mark in marks.items() if mark is Mark.YES}
            known = described(moment.layout, sure, self.player)
            self._say(f"You: {known or f'no {moment.layout.held_as[0]} is known'}.")
        if not self.lines.interactive:
            self._say(self.prompt.rstrip())

    @property
    def prompt(self) -> str:
        """The open question."""
        if self.hosted.waiting_for is None:
            return "(Enter: continue) "
        if (pending := self._pending) is not None:
            return f"{pending.ask or f'Expected {pending.what}:'} "
        menu = self.now.menu
        usual = "" if menu.usual is None else f" (Enter: {self._in_short(menu.usual)})"
        return f"{menu.ask}{usual} "

    def _in_short(self, move: Any) -> str:
        """Return the words of a move without the name of the player."""
        sentence = self.now.tell(move).rstrip(".")
        return sentence.removeprefix(person(self.player)).strip()

    # ---- the course of the game ----------------------------------------------------------------

    def hold(self) -> int:
        """Continue until the game is over, or the input ends. Return the exit code."""
        if not self._seen[self.player]:
            self._welcome()
        try:
            self._go_on()
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
        if self._ended:
            return 0
        code = super().hold()
        if not self._ended:
            again = shlex.join(["symkripke", "play", "--resume", str(self.hosted.path)])
            self._say(f"Saved. To continue: {again}")
        return code

    def _go_on(self) -> None:
        """Let the minds move until a person must choose, and print the events."""
        alone = len(self.hosted.persons) == 1
        since = self._seen[self.player]
        while True:
            with self.limits.step("waiting for the minds"):
                event = self.hosted.step()
            if event is None:
                break
            if alone:
                self._catch_up()
                if self.pace:
                    time.sleep(self.pace)
        who = self.hosted.waiting_for
        if who is not None and who != self.player:
            self._hand_over(who)
            since = self._seen[who]
        self._catch_up()
        if who is None:
            self._end()
            return
        self._learned(since)
        self._question()

    def _hand_over(self, who: str) -> None:
        """Clear the screen, and let another person look."""
        is_first = not self._seen[who]
        if self.lines.interactive:
            self.out.clear()
            with suppress(EOFError, KeyboardInterrupt):
                self.lines.read(
                    f"It is {person(who)}'s turn: press Enter when only {person(who)} is looking"
                )
            self.out.clear()
        else:
            self._say(f"--- {person(who)} ---")
        self.player = who
        self._advised, self._last_why = (), None
        if is_first:
            self._welcome()

    def take(self, text: str) -> bool:
        """Execute a line; see `Dialogue.take`."""
        try:
            self.hosted.refresh()  # another program may have played on
        except SymkripkeError as error:
            self.code = 1
            self.tell(error)
            return not self._ended
        return super().take(text) and not self._ended

    def other(self, text: str) -> None:
        """Make a move, or begin a move."""
        self._move(text.strip())

    def _move(self, text: str) -> None:
        if self.hosted.waiting_for is None:
            self._go_on()
            return
        if self._begun:
            text = f"{self._begun}\n{text}"
        elif not text and self.now.menu.usual is None:
            self._question()
            return
        move = self.now.read(text)
        if isinstance(move, Pending):
            self._begun = text
            if not self.lines.interactive:
                self._say(self.prompt.rstrip())
            return
        self._make(move)

    def _make(self, move: Any) -> None:
        with self.limits.whole("making the move"):
            self.hosted.choose(self.player, move)
        self._begun = ""
        self._advised, self._last_why = (), None
        self._go_on()

    # ---- commands ------------------------------------------------------------------------------

    def _command(self, word: str, rest: str, *, surely: bool) -> Callable[[], None] | None:
        if word == "take" and not rest and not self._advised:
            return None
        return super()._command(word, rest, surely=surely)

    def _advice(self) -> Advised:
        with self.limits.whole("weighing moves"):
            self._advised = self.now.advise(_SUGGESTED)
        now = self.hosted.waiting_for == self.player
        return Advised(self.moment, self.player, self._advised, WEIGHTING, now)

    def _hint(self) -> None:
        moves = self._advice().moves
        if not moves:
            self._say("There is no advice for this decision.")
            return
        self._say(f"Hint: {moves[0].title}.")
        self._last_why = lambda: self._say(f"  {moves[0].reason}.")

    def _take(self, given: str = "1") -> None:
        number = int(given)
        if not 1 <= number <= len(self._advised):
            there = f"1 to {len(self._advised)}" if self._advised else "none: type hint first"
            raise InputError(f"expected the number of a recommended move ({there})")
        move = self._advised[number - 1].move
        if move is None or self.hosted.waiting_for is None:
            raise InputError("this is not possible now")
        self._say(self.now.tell(move))
        self._make(move)

    def _why(self, question: str = "") -> None:
        if question:
            super()._why(question)
        elif self._last_why is None:
            raise InputError("expected a formula after 'why', or a hint before it")
        else:
            self._last_why()

    def _answer(self, question: str, *, why: bool) -> str:
        about = super()._answer(question, why=why)
        self._last_why = partial(self._show, about, why=True)
        return about

    def _moves(self) -> None:
        for action in self.now.menu.actions:
            parts = [
                f"{part.ask} {_listed([choice.title for choice in part.choices])}"
                for part in action.parts
            ]
            if len(parts) == 1:
                self._say(f"  {action.title}: {parts[0]}")
                continue
            self._say(f"  {action.title}{':' if parts else ''}")
            for part in parts:
                self._say(f"    {part}")

    def _list(self) -> None:
        self._entries(self.now.events, "Nothing has happened yet.")

    def _undo(self) -> None:
        if not self._begun:
            raise InputError("there is no incomplete move to cancel; past events cannot be undone")
        self._begun = ""
        self._question()

    def _resign(self) -> None:
        if self.lines.interactive:
            answer = self.lines.read("Give up the game? (yes, or Enter for no) ")
            if answer.strip().casefold() not in ("yes", "y"):
                return
        self.hosted.resign(self.player)
        self._end()

    def tell(self, error: SymkripkeError) -> None:
        """Print the problem of the input in one line."""
        if isinstance(error, PhraseError):
            self._misunderstood(error, error.problem.partition("\n")[0])
        else:
            self._say(f"Error: {str(error).partition(chr(10))[0]}")

    @property
    def _pending(self) -> Pending | None:
        pending = None
        if self._begun:
            with suppress(InputError):
                pending = self.now.read(self._begun)
        return pending if isinstance(pending, Pending) else None

    def _ways(self, before: str) -> Iterable[tuple[int, str]]:
        begun = f"{self._begun}\n" if self._begun else ""
        for way in self.now.completions(begun + before):
            if way.start >= len(begun):
                yield way.start - len(begun), way.text

    def _can_be_typed(self, form: str) -> bool:
        """Return whether the form is a possible move, and can be shown as an example."""
        try:
            self.now.read(form)
        except InputError:
            return False
        return True

    def helped(self) -> str:
        """Return the help on the possible input."""
        view = self.view
        possible = self.hosted.people.moves if view.decision is not None else ()
        moves = [act for act in possible if act.when(view)]
        forms = [line for act in moves for line in self._examples(act)]
        opening = "Type your move, in full or abbreviated. Now, for example:"
        lines = [*([opening, *forms, ""] if forms else []), *self._command_lines()]
        return "\n".join(line.rstrip() for line in lines)

    def _examples(self, act: Act[Any]) -> Iterable[str]:
        """Return the forms of a kind of move that can be typed now, or else its first move."""
        firsts = (next(action.moves, None) for action in self.now.menu.actions)
        moves = (move for move in firsts if isinstance(move, act.kind))
        return list(self._typed_forms([act])) or [
            f"  {self._in_short(move)}" for move in islice(moves, 1)
        ]

    # ---- the end -------------------------------------------------------------------------------

    def _end(self) -> None:
        """Print the result, the hidden cards, and the timeline of the players' knowledge."""
        result = self.hosted.ended
        assert result is not None
        self._ended = True
        self._say(is_over(result.words, self.hosted.setup.players), "bold")
        moment = self.hosted.truth
        if moment.structure.root is moment.states[0].structure.root:
            self._say("The deal was:")
            for line in dealt_lines(moment.layout, self.hosted.deal):
                self._say(line)
        with suppress(Unsupported):
            with self.limits.whole("reviewing the game") as tell:
                timeline = knowledge_timeline(moment, tell=tell)
            for line in who_knew_in_sentences(timeline):
                self._say(line)
        if self.quiz is not None:
            self.quiz.end()
        self._say(f"Written to {self.hosted.path.name}; for the whole story, use symkripke review.")


def _listed(titles: Sequence[str]) -> str:
    """Return titles separated by commas, or a range if they are many numbers."""
    if len(titles) > _LAST and all(title.isdigit() for title in titles):
        return f"{titles[0]} to {titles[-1]}"
    return ", ".join(titles)
