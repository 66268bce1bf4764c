"""What is typed at a seat, of a real table or of a game with minds: what one asks there."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from symkripke.cli.console import console, say, sentence
from symkripke.cli.display import in_colour
from symkripke.cli.filled_sheet import FilledSheet
from symkripke.cli.line_reader import LineReader
from symkripke.cli.repl import Dialogue
from symkripke.errors import InputError
from symkripke.play.sentences import news_in_sentences

if TYPE_CHECKING:
    from symkripke.cli.options import Limits
    from symkripke.play import Moment, News, State, View


class SeatDialogue(Dialogue):
    """The commands that ask what somebody at a seat knows.

    Attributes:
        plain: whether all is said in sentences.
        limits: what each step may take.
        shows_sheet: whether the note sheet is shown after each event.
        out: where all is printed.
    """

    def __init__(self, lines: LineReader, *, plain: bool, limits: Limits) -> None:
        """A dialogue of which the lines come from there."""
        super().__init__()
        self.lines = lines
        self.plain = plain
        self.limits = limits
        self.shows_sheet = lines.interactive and not plain
        self.out = console()

    # ---- what there is -------------------------------------------------------------------------

    @property
    @abstractmethod
    def moment(self) -> Moment[Any, Any]:
        """The present, as far as this seat knows it."""

    @property
    @abstractmethod
    def position(self) -> State[Any]:
        """The position, as the rules see it."""

    @property
    @abstractmethod
    def view(self) -> View[Any, Any]:
        """What the seat has; raises `InputError` if nobody has it."""

    @abstractmethod
    def _you(self) -> str:
        """Whose seat it is; raises `InputError` if it is nobody's."""

    # ---- what is printed -----------------------------------------------------------------------

    def _say(self, text: str, style: str = "") -> None:
        if self.plain:
            sentence(self.out, text)
            return
        layout = self.moment.layout
        names = [layout.person(name) for name in self.moment.setup.players]
        shown = in_colour(text, names, layout.rows.values())
        shown.stylize(style)
        say(self.out, shown)

    def _news(self, found: News) -> None:
        """Print what became known to the seat, and the sheet."""
        marks = {place: found.marks[cell] for place, cell in found.layout.cells.items()}
        for number, line in enumerate(news_in_sentences(found.layout, found.learned, marks)):
            self._say(f"{'New: ' if number == 0 else '     '}{line}", "" if self.plain else "bold")
        is_dealt = found.before.structure.root is not found.after.structure.root
        if self.shows_sheet and (found.learned or is_dealt):
            self._sheet(found)

    # ---- questions -----------------------------------------------------------------------------

    def _is_formula(self, text: str) -> bool:
        """Whether a text is a formula; what is not may still be an event: "ask rope ...".

        What is neither is taken for a formula, so that its fault is shown.
        """
        try:
            self.moment.question(text)
        except InputError:
            return any(sign in text for sign in "[(=&|~")
        return True

    def _sheet(self, news: News | None = None, *, paper: bool = False) -> None:
        with self.limits.whole("filling in the sheet"):
            filled = FilledSheet.of(
                self.moment,
                self._you(),
                self.position,
                known=None if news is None else news.marks,
            )
        if self.plain:
            filled.say(self.out)
        else:
            new = () if news is None else news.learned
            filled.show(self.out, paper=paper, new=new, title=news is None)

    def _switch(self, on: bool) -> None:
        self.shows_sheet = on
        self._say(f"The sheet is {'shown' if on else 'not shown'} after each event.")

    def _odds(self) -> None:
        from symkripke.cli.odds import show_now

        with self.limits.whole("counting deals"):
            show_now(self.moment, self.view, "equal", 10, plain=self.plain)

    def _who(self) -> None:
        from symkripke.cli.who import show_insight
        from symkripke.play.who_knows import insight

        with self.limits.whole("asking who knows") as tell:
            found = insight(self.moment, tell=tell)
        show_insight(self.moment, found, plain=self.plain)

    def _ask(self, question: str, *, why: bool) -> None:
        from symkripke.cli.display import show_answer

        moment = self.moment
        show_answer(moment, moment.engine, question, why=why, limits=self.limits)
