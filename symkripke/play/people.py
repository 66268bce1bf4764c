"""The moves of people at a table, as sentences and as a menu. A game may define them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic

from symkripke.engines import Engine
from symkripke.errors import GameError
from symkripke.play.acts import Act
from symkripke.play.menu import Action, Menu, actions_of, is_yes_or_no, usual_of
from symkripke.play.player import View
from symkripke.play.rules import PublicT, SetupT


class People(Generic[SetupT, PublicT]):
    """The actions of people in a game (`Game.people`).

    Attributes:
        moves: the kinds of moves, each with the sentence of the person who makes it. In these acts,
            the position is the person's `View`.
        automatic_decisions: the kinds of decisions without a real choice. The program decides at
            random for a person.
        question: the question of all menus; empty: see `ask`.
    """

    moves: Sequence[Act[Any]]
    question: str = ""
    automatic_decisions: frozenset[str] = frozenset()

    def act(self, move: Any) -> Act[Any]:
        """Return the act for moves of this kind. Raise `GameError` if there is none."""
        for act in self.moves:
            if isinstance(move, act.kind):
                return act
        raise GameError(f"there is no act for moves like {move!r}")

    def menu(self, view: View[SetupT, PublicT]) -> Menu:
        """Return the menu of the viewer: all moves that are legal by the viewer's knowledge."""
        actions = actions_of(self.moves, view)
        return Menu(self.ask(view, actions), actions, usual_of(actions), self.note(view))

    def ask(self, view: View[SetupT, PublicT], actions: Sequence[Action]) -> str:
        """Return the question of the menu; by default, `question` or that of its first slot."""
        if self.question:
            return self.question
        if is_yes_or_no(actions):
            return f"Do you {actions[1].title}?"
        questions = (part.question for action in actions for part in action.parts)
        return next(filter(None, questions), "What do you do?")

    def note(self, view: View[SetupT, PublicT]) -> str:
        """Return a sentence about the viewer's own pieces that are not on the note sheet."""
        return ""

    def check(self, view: View[SetupT, PublicT], move: Any, engine: Engine) -> None:
        """Raise `RuleError` for a move that requires knowledge beyond the viewer's own.

        The check must depend only on the viewer's information. `GameState.play` would reveal hidden
        facts.
        """
