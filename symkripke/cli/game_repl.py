"""The prompt of `symkripke ask`: a series of questions, with history and completion."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from symkripke.cli.answer import Reply
from symkripke.cli.options import Limits
from symkripke.cli.quiz import Quiz
from symkripke.cli.repl import Command, Dialogue
from symkripke.engines import Engine
from symkripke.errors import InputError
from symkripke.model.completing import names_after
from symkripke.play import Moment


class Questions(Dialogue):
    """The prompt for questions about a moment."""

    greeting = "Ask a formula, or: help, names, why, at TURN, quit."
    help = """\
  FORMULA      is it true now?          why FORMULA  is it true, and why?
  why          explain the last answer
  at TURN      go to that turn (0: after the deal); at: to the end
  names        the names in formulas
  help, quit"""
    history = "questions"
    commands = (
        Command("names"),
        Command("at TURN", takes=".*"),
        Command("why FORMULA", takes=".*"),
    )

    def __init__(
        self,
        moment: Moment[Any, Any],
        chosen: Engine,
        *,
        why: bool,
        limits: Limits,
        quizzed: bool = False,
    ) -> None:
        """Start a dialogue at the moment.

        Args:
            moment: the moment that the questions are about.
            chosen: the engine that answers.
            why: whether to explain every answer.
            limits: the limits of each step.
            quizzed: whether users answer their questions first.
        """
        super().__init__()
        self.quiz = Quiz(limits, self.lines) if quizzed else None
        self.moment = moment
        self.chosen = chosen
        self.why = why
        self.limits = limits
        self.last: str | None = None

    @property
    def prompt(self) -> str:
        """The prompt, which shows the turn."""
        return f"turn {self.moment.turn}> "

    def other(self, text: str) -> None:
        """Answer a question."""
        self._answer(text.strip(), why=self.why)

    def _answer(self, question: str, *, why: bool) -> None:
        if self.quiz is not None:
            self.quiz.of_formula(self.moment, self.chosen, question)
        else:
            Reply.to(self.moment, self.chosen, question, self.limits, why=why).show(why=why)
        self.last = question

    def hold(self) -> int:
        """Run the dialogue, print the score of a quiz, and return the exit code."""
        code = super().hold()
        if self.quiz is not None:
            self.quiz.end()
        return code

    def _at(self, turn: str = "") -> None:
        if turn and not turn.isdecimal():
            raise InputError(f"expected a turn after 'at', got {turn!r}")
        self.moment = self.moment.at(int(turn) if turn else self.moment.turns[-1])
        click.echo(f"after turn {self.moment.turn}")

    def _why(self, formula: str = "") -> None:
        asked = formula or self.last
        if asked is None:
            raise InputError("nothing has been asked yet: type why FORMULA")
        self._answer(asked, why=True)

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
        """Return the words that can follow the text before the cursor."""
        return names_after(self.moment.structure.vocabulary, before)
