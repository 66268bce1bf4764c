"""Beginning the log of a real table: the game, the players, and the hand of the seat."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from symkripke.cli.line_reader import LineReader, nothing
from symkripke.cli.options import Beginning, Limits, named
from symkripke.errors import InputError, PhraseError, SymkripkeError
from symkripke.play.options import typed_values
from symkripke.play.seats import player_id, seated_from
from symkripke.play.words import person

if TYPE_CHECKING:
    from symkripke.play import Game, Journal, Setup
    from symkripke.play.acts import Pending


_SHOWN = 40
"""The maximum number of words listed as help."""


def begin_log(
    log: str,
    game: Game[Any, Any],
    setup: Setup,
    player: str,
    cards: Sequence[str],
    *,
    force: bool,
    limits: Limits,
) -> Journal[Any, Any]:
    """Write the beginning of a log. Raise `InputError` if the player cannot hold these cards."""
    from symkripke.play import Journal, Seat

    game.hand(setup, player, cards)
    with limits.whole("looking for a deal"):
        return Journal.begin(log, game, setup, seat=Seat(player, tuple(cards)), replace=force)


def hand_of(game: Game[Any, Any], setup: Setup, player: str, text: str) -> tuple[str, ...]:
    """Return the cards in a text: short names or titles, separated by commas or spaces.

    Unknown names are left unchanged; the game reports them.
    """
    from symkripke.play import read_hand
    from symkripke.play.options import names

    if not text.strip():
        return ()
    if game.hand_act is not None:
        with suppress(PhraseError):
            read = read_hand(game, setup, player, text)
            if isinstance(read, tuple):
                return read
    meant = {card.casefold(): card for card in game.cards(setup)}
    if game.hand_act is not None:
        asked = read_hand(game, setup, player, "")
        for choice in () if isinstance(asked, tuple) else asked.choices:
            for typed in (choice.title, *choice.also):
                meant.setdefault(typed.casefold(), choice.value)
    return tuple(meant.get(name.casefold(), name.casefold()) for name in names(text))


# ---- the interview -------------------------------------------------------------------------------


class InterviewCancelled(Exception):
    """A request by the user to stop."""


class _Back(Exception):
    """A request by the user to return to the previous question."""


class Interview:
    """A dialogue that asks for the settings that options do not give, one question at a time.

    At any question, `back` returns to the previous question, and `quit` cancels the interview.

    Attributes:
        slips: the number of invalid answers.
    """

    def __init__(
        self,
        lines: LineReader,
        log: str,
        game_name: str | None,
        setup: Mapping[str, Any],
        beginning: Beginning,
    ) -> None:
        """Store the given values. The interview asks for each value that is None."""
        self.slips = 0
        self._lines = lines
        self._log = log
        self._given = dict(setup)
        self._told = {"game": game_name, **beginning.given}
        self._has_asked = False
        # The answers:
        self._game: Game[Any, Any]
        self._setup: dict[str, Any] = {}
        self._players: tuple[str, ...] = ()
        self._player = ""
        self._hand: tuple[str, ...] = ()
        self._hand_text = ""

    def begun(self, *, limits: Limits) -> Journal[Any, Any]:
        """Ask the questions, and begin the log.

        Raises:
            InterviewCancelled: the user cancelled the interview; nothing was written.
        """
        click.echo(f"There is no log {self._log} yet. Let us start one.")
        if self._lines.interactive:
            click.echo(
                self.wrapped(
                    "Press Enter for the answer in [brackets], or Tab to complete a "
                    "name. Type 'back' to return to the previous question, or 'quit' "
                    "to leave."
                )
            )
        # The questions, each with the option that answers it; empty if options of the setup answer
        # it.
        questions: tuple[tuple[Callable[[], None], str], ...] = (
            (self._ask_game, "game"),
            (self._ask_rules, "rules"),
            (self._ask_edition, ""),
            (self._ask_options, ""),
            (self._ask_players, ""),
            (self._ask_player, "player"),
            (self._ask_first, "begins"),
            (self._ask_more, ""),
            (self._ask_hand, "holds"),
        )
        asked: list[int] = []
        step = 0
        while True:
            question, option = questions[step]
            try:
                if self._until(question):
                    asked.append(step)
                step += 1
                if step == len(questions):
                    setup, seat = self._made(), (self._player, self._hand)
                    return begin_log(
                        self._log, self._game, setup, *seat, force=False, limits=limits
                    )
            except _Back:
                step = asked.pop() if asked else 0
            except InputError as error:
                if not self._lines.interactive:
                    raise
                # An option is wrong: ask for its value.
                click.echo(f"Invalid answer: {error}")
                step = min(step, len(questions) - 1)
                if option in self._told:
                    self._told[option] = None
                elif option:
                    self._given[option] = None
                else:
                    self._given, step = {"rules": self._setup.get("rules")}, 1

    # ---- a question ----------------------------------------------------------------------------

    def _ask(
        self, question: str, words: Sequence[str] = (), default: str = "", *, how: str = ""
    ) -> str:
        """Return the answer to a question; an empty answer selects the default.

        `?` and `help` show the words that can be typed, or the text `how`.
        """
        self._has_asked = True
        shown = f"{question} [{default}] " if default else f"{question} "
        if not self._lines.interactive:
            click.echo(shown.rstrip())

        def complete(before: str) -> list[tuple[int, str]]:
            start = max(before.rfind(","), -1) + 1
            start += len(before[start:]) - len(before[start:].lstrip())
            typed = before[start:].casefold()
            return [(start, word) for word in words if word.casefold().startswith(typed)]

        while True:
            try:
                prompt = self.wrapped(shown)
                text = self._lines.read(prompt, complete=complete if words else nothing).strip()
            except KeyboardInterrupt:
                continue
            except EOFError:
                raise InterviewCancelled from None
            if text.casefold() in ("quit", "exit"):
                raise InterviewCancelled
            if text.casefold() == "back":
                raise _Back
            if text.casefold() in ("?", "help") and text not in words:
                if how:
                    click.echo(self.wrapped(f"  {how}"))
                if words and (not how or len(words) <= _SHOWN):
                    click.echo(self.wrapped(f"  Possible answers: {', '.join(words)}."))
                click.echo(
                    self.wrapped(
                        "  Type 'back' to return to the previous question, or 'quit' to leave."
                    )
                )
                continue
            return text or default

    @property
    def _width(self) -> int:
        """The width of lines: the width of the terminal, but at most 80 characters."""
        return min(80, get_terminal_size().columns) if self._lines.interactive else 80

    def wrapped(self, text: str) -> str:
        """Return the text, wrapped to the width of the terminal; unchanged in a pipe."""
        if not self._lines.interactive or "\n" in text:
            return text
        indent = " " * (len(text) - len(text.lstrip(" ")))
        last = " " if text.endswith(" ") else ""
        return textwrap.fill(text.rstrip(), self._width - 1, subsequent_indent=indent) + last

    def _until(self, question: Callable[[], None]) -> bool:
        """Repeat a question until the answer is valid. Return whether anything was asked.

        An invalid option raises its error.
        """
        self._has_asked = False
        while True:
            try:
                question()
            except SymkripkeError as error:
                if not self._has_asked:
                    raise
                self.slips += 1
                if self._lines.interactive:
                    click.echo(self.wrapped(f"  {error}"))
                else:
                    click.echo(f"Error: {error}", err=True)
            else:
                return self._has_asked

    def _one_of(self, question: str, choices: Sequence[str], default: str = "") -> str:
        """Ask for one of these names; a unique prefix is enough, and case is ignored."""
        answer = self._ask(question, choices, default)
        typed = player_id(answer).casefold()
        begun = [name for name in choices if name.casefold().startswith(typed)]
        return begun[0] if answer and len(begun) == 1 else named("answer", answer, choices)

    def _one_of_us(self, question: str, default: str = "") -> str:
        """Ask for one of the players, by name or by a unique prefix."""
        titles = {person(player): player for player in self._players}
        answer = player_id(self._ask(question, list(titles), default)).casefold()
        small = {player.casefold(): player for player in self._players}
        begun = [small[name] for name in small if answer and name.startswith(answer)]
        if answer in small:
            return small[answer]
        if len(begun) != 1:
            said = " or ".join(map(person, begun)) if begun else ", ".join(titles)
            several = "that could be" if begun else "expected one of"
            raise InputError(f"{several} {said} (type 'back' if a name is wrong)")
        return begun[0]

    # ---- questions -----------------------------------------------------------------------------

    def _ask_game(self) -> None:
        from symkripke.play import game, game_names

        chosen = self._told["game"]
        if chosen is None:
            names = game_names()
            chosen = self._one_of(f"Which game? ({', '.join(names)})", names)
        self._game = game(chosen)

    def _ask_rules(self) -> None:
        self._setup = {name: value for name, value in self._given.items() if value is not None}
        names = self._game.rules
        if "rules" not in self._setup and len(names) > 1:
            asked = f"Which rules? ({', '.join(names)})"
            self._setup["rules"] = self._one_of(asked, names, names[0])

    def _ask_edition(self) -> None:
        option = self._game.options.get("edition")
        if option is None or self._is_told():
            return
        usual = "the default"
        answer = self._ask(f"Which edition? {option.help}", default=usual)
        self._setup.pop("edition", None)
        if answer != usual:
            self._game.setup(**self._without_players(), edition=answer)
            self._setup["edition"] = answer

    def _is_told(self) -> bool:
        """Return whether options set the rules, so that no questions about them follow."""
        return any(self._given.get(name) is not None for name in (*self._game.options, "names"))

    def _without_players(self) -> dict[str, Any]:
        apart = ("names", "players", "edition")
        return {name: value for name, value in self._setup.items() if name not in apart}

    def _ask_options(self) -> None:
        apart = ("edition", "first", "dealt_more")
        options = {
            name: option
            for name, option in self._game.options.items()
            if name not in apart and not option.for_programs
        }
        if not options or self._is_told():
            return
        usual = typed_values(self._game.setup(**self._without_players()), options)
        click.echo("Rules that can be changed:")
        for name, option in options.items():
            now = f" (default: {usual[name]})" if name in usual else ""
            line = f"  {name}: {option.help}{now}"
            click.echo(textwrap.fill(line, self._width, subsequent_indent="      "))
        example = "".join(f", as in {name}={usual[name]}" for name in [*usual][-1:])
        asked = f"House rules? NAME=VALUE{example}"
        answer = self._ask(asked, [f"{name}=" for name in options], "none")
        values: dict[str, Any] = {}
        for pair in [] if answer == "none" else answer.split():
            name, _, value = pair.partition("=")
            values[named("option", name, list(options))] = value
        kept = {name: value for name, value in self._setup.items() if name not in options}
        known = {name: value for name, value in kept.items() if name not in ("names", "players")}
        self._game.setup(**known, **values)
        self._setup = {**kept, **values}

    def _ask_players(self) -> None:
        fewest, most = self._game.seats[self._setup.get("rules") or self._game.rules[0]]
        if self._given.get("names") is not None or self._given.get("players") is not None:
            self._players = self._made().players
            return
        number = f"{fewest} to {most}" if fewest < most else str(fewest)
        answer = self._ask(
            f"Who plays ({number})? Type all names in turn order, separated by commas:"
        )
        names = tuple(player_id(name) for name in answer.split(","))
        if not all(names):
            raise InputError("expected names separated by commas")
        for name in answer.split(","):
            if " and " in f" {name.strip().casefold()} ":
                raise InputError(f"expected a comma, and no 'and', in {name.strip()!r}")
        self._players = self._game.setup(**{**self._setup, "names": names}).players

    def _seated(self, name: str) -> str:
        """Return the player that an option names."""
        return named("player", name, self._players)

    def _ask_player(self) -> None:
        name = self._told["player"]
        if name is not None:
            self._player = self._seated(name)
        else:
            people = ", ".join(map(person, self._players))
            self._player = self._one_of_us(f"Which player are you? ({people})")

    def _ask_first(self) -> None:
        given, usual = self._told["begins"], self._players[0]
        if given is not None or "first" in self._setup or self._told["holds"] is not None:
            first = self._seated(given or usual)
        else:
            first = self._one_of_us("Who begins?", person(usual))
        self._setup = seated_from(self._setup, self._players, first)

    def _ask_more(self) -> None:
        more = self._game.dealt_more(self._made())
        open_to_table = "dealt_more" in self._game.options and more
        if not open_to_table or "dealt_more" in self._given or self._told["holds"] is not None:
            return
        self._setup.pop("dealt_more", None)
        asked = f"The cards cannot be dealt evenly: {len(more)} of you got one extra card. Who?"
        answer = self._ask(asked, list(map(person, self._players)), ", ".join(map(person, more)))
        seated = tuple(map(self._seated, answer.split(",")))
        self._game.setup(**{**self._setup, "dealt_more": seated})
        self._setup["dealt_more"] = seated

    def _help_for_hand(self) -> str:
        """Return the help for typing a hand, taken from its act."""
        from symkripke.play.acts import in_this_game

        act = self._game.hand_act
        forms = {} if act is None or act.typed is None else act.typed
        setup = self._made()
        names = self._game.example_names(setup, self._game.start(setup, None))
        examples = "; ".join(f"{form} ({meaning})" for form, meaning in in_this_game(forms, names))
        return f"Type them all, in any order, with or without commas: for example {examples}."

    def _told_on(
        self, setup: Setup, text: str, answer: str
    ) -> tuple[str, tuple[str, ...] | Pending]:
        """Return the text and the hand after one more line, which may also restart the hand."""
        from symkripke.play import read_hand

        longer = f"{text}\n{answer}" if text else answer
        try:
            return longer, read_hand(self._game, setup, self._player, longer)
        except PhraseError as error:
            if not text:
                raise
            try:
                return answer, read_hand(self._game, setup, self._player, answer)
            except PhraseError as fault:
                if fault.place > error.place - len(text) - 1:
                    raise
            raise

    def _made(self) -> Setup:
        made: Setup = self._game.setup(**self._setup)
        return made

    def _ask_hand(self) -> None:
        from symkripke.play import read_hand

        setup, cards = self._made(), self._told["holds"]
        if cards is not None:
            self._hand = hand_of(self._game, setup, self._player, cards)
            return
        if not self._has_asked:
            self._hand_text = ""
        hand = read_hand(self._game, setup, self._player, self._hand_text)
        while not isinstance(hand, tuple):
            words = [choice.word for choice in hand.choices]
            answer = self._ask(hand.ask, words, how=self._help_for_hand())
            if answer:
                self._hand_text, hand = self._told_on(setup, self._hand_text, answer)
        self._hand, self._hand_text = hand, ""
        self._game.hand(setup, self._player, hand)
