"""The quiz of `--quiz`: the reader answers each question before the program does."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from symkripke.cli.line_reader import LineReader
from symkripke.cli.outcome import shortened
from symkripke.cli.styled_lines import write_explanation, write_line
from symkripke.engines import Mark
from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.explain.text import Line
from symkripke.language import K, M
from symkripke.play.words import person

if TYPE_CHECKING:
    from symkripke.cli.options import Limits
    from symkripke.engines import Engine
    from symkripke.play import Moment
    from symkripke.problems.outcome import Outcome

T = TypeVar("T")

_YES_NO = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}
_MARKS = {
    **{"yes": Mark.YES, "y": Mark.YES, "no": Mark.NO, "n": Mark.NO},
    **{"open": Mark.OPEN, "o": Mark.OPEN, "?": Mark.OPEN},
}
_NUMBER = re.compile(r"(\d{1,9}(?:[.,]\d{1,9})?)\s*(%?)|(\d{1,9})\s*/\s*0*([1-9]\d{0,8})")

NEAR = Fraction(5, 100)
"""The maximum error of a guessed probability that counts as right."""


class Quiz:
    """A quiz that asks the reader, says whether the answer is right, and keeps the score.

    Attributes:
        asked: the number of answered questions.
        right: the number of right answers.
        skipped: the number of skipped questions.
    """

    history = "quiz"

    def __init__(self, limits: Limits, lines: LineReader | None = None) -> None:
        """Start a quiz that reads answers from `lines`, or else from its own reader."""
        self.asked = self.right = self.skipped = 0
        self._lines = LineReader(self.history) if lines is None else lines
        self._limits = limits
        self._over = False

    # ---- questions -----------------------------------------------------------------------------

    def whether(self, question: str, truth: bool) -> None:
        """Ask whether a statement is true."""
        self._ask(question, "yes or no", _YES_NO.get, lambda guess: guess is truth)

    def number(self, question: str, truth: int) -> None:
        """Ask the user for a number."""

        def read(text: str) -> int | None:
            digits = text.replace(",", "").replace(" ", "")
            return int(digits) if digits.isascii() and digits.isdigit() else None

        self._ask(question, "a whole number", read, lambda guess: guess == truth)

    def chance(self, question: str, truth: Fraction) -> None:
        """Ask the user for a probability. A near value is right, but 0 and 1 must be exact."""

        def is_right(guess: Fraction) -> bool:
            if truth in (0, 1):
                return guess == truth
            return abs(guess - truth) <= NEAR and guess not in (0, 1)

        self._ask(question, "a percentage, such as 40 or 2/5", _share, is_right)

    def of_formula(self, moment: Moment[Any, Any], chosen: Engine, question: str) -> None:
        """Ask the user a question about a game; then show the answer with its reason.

        The errors of `Moment.ask` are raised before the user is asked.
        """
        from symkripke.cli.answer import Reply

        reply = Reply.to(moment, chosen, question, self._limits, why=True)
        if isinstance(reply.result, Fraction):
            self.chance(question, reply.result)
        else:
            self.whether(question, bool(reply.result))
        reply.show(why=True)

    def of_problem(self, outcome: Outcome) -> None:
        """Ask the user for the answer to a question of a problem, if the answer is short."""
        from symkripke.problems.problem import Question

        if not isinstance(outcome.step, Question):
            return
        if outcome.answer is not None:
            self.whether(shortened(outcome.step.text), bool(outcome.answer))
        elif outcome.where is not None and not outcome.where.is_infinite:
            self.number(
                f"{shortened(outcome.step.text)}: at how many worlds?", outcome.where.number
            )

    def of_cell(
        self, moment: Moment[Any, Any], player: str, place: tuple[str, str], mark: Mark
    ) -> None:
        """Ask the user what a player can know about a cell; then show the reason."""
        question = f"{cell_question(moment, player, place)} (yes, no, open)"
        if self._ask(question, "yes, no or open", _MARKS.get, lambda guess: guess is mark):
            self._reason(moment, player, place, mark)

    def of_news(
        self,
        moment: Moment[Any, Any],
        player: str,
        then: Mapping[tuple[str, str], Mark],
        now: Mapping[tuple[str, str], Mark],
        chance: Random,
    ) -> None:
        """Ask the user what a player learned from the last events about one cell."""
        new = [place for place, mark in now.items() if mark is not then.get(place, Mark.OPEN)]
        still = [place for place, mark in now.items() if mark is Mark.OPEN]
        # Sometimes choose an open cell, so that "open" can be the right answer, too.
        places = still if still and (not new or chance.random() < 0.4) else new
        if places and not self._over:
            place = chance.choice(places)
            self.of_cell(moment, player, place, now[place])

    def end(self) -> None:
        """Print the score."""
        if self.asked or self.skipped:
            left = f", {self.skipped} not answered" if self.skipped else ""
            self._print(f"Score: {self.right} of {self.asked} right{left}.", "bold")

    # ---- input and output ------------------------------------------------------------------------

    def _ask(
        self,
        question: str,
        expected: str,
        read: Callable[[str], T | None],
        is_right: Callable[[T], bool],
    ) -> bool:
        """Ask until the answer is valid or empty. Return whether there was an answer."""
        if self._over:
            return False
        self._print(f"Quiz: {question}", "bold")
        while True:
            try:
                text = self._lines.read("Your answer (Enter: none): ").strip().casefold()
            except EOFError:
                self._over = True
                self.skipped += 1
                return False
            if not text:
                self.skipped += 1
                return False
            answer = read(text)
            if answer is not None:
                break
            self._print(f"Expected {expected}, got {text!r}.")
        self.asked += 1
        if is_right(answer):
            self.right += 1
            self._print("Right.", "green")
        else:
            self._print("Wrong.", "red")
        return True

    def _print(self, text: str, style: str = "") -> None:
        write_line((text, style))

    def _reason(
        self, moment: Moment[Any, Any], player: str, place: tuple[str, str], mark: Mark
    ) -> None:
        """Print the reason for the mark of a cell."""
        from symkripke.cli.answer import reason_within
        from symkripke.language import conjunction, negation
        from symkripke.play.game_words import tell

        cell = moment.layout.cells[place]
        formula = {
            Mark.YES: K(player, cell),
            Mark.NO: K(player, negation(cell)),
            Mark.OPEN: conjunction((M(player, cell), M(player, negation(cell)))),
        }[mark]
        self._print(f"It is {mark.value}:")
        try:
            with reason_within(self._limits):
                evidence = moment.ask(formula).why()
                lines = list(tell(moment, evidence, asked=formula, text=str(formula)))
        except (Unsupported, BudgetExceeded) as error:
            lines = [Line(0, "note", f"no reason: {error}")]
        write_explanation(lines)


def cell_question(moment: Moment[Any, Any], player: str, place: tuple[str, str]) -> str:
    """Return the question about a cell: "To Plum's knowledge, is Rope with Green?"."""
    (row, column), layout = place, moment.layout
    who, where = person(player), layout.columns[column]
    group = next(group for group, rows in layout.groups.items() if row in rows)
    if layout.describes:
        return f"To {who}'s knowledge, is {group} of {where} {layout.descriptions[row]}?"
    if layout.counts:
        return f"To {who}'s knowledge, does {where} have {layout.rows[row]} {group}?"
    there = f"with {where}" if column in moment.setup.players else f'in the column "{where}"'
    return f"To {who}'s knowledge, is {layout.rows[row]} {there}?"


def _share(text: str) -> Fraction | None:
    """Return a probability from 40, 40%, 0.4 or 2/5; None for any other text."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return None
    if match[3] is not None:
        share = Fraction(int(match[3]), int(match[4]))
    else:
        share = Fraction(match[1].replace(",", "."))
        if match[2] or share > 1 or (share == 1 and "." not in match[1]):
            share /= 100
    return share if 0 <= share <= 1 else None
