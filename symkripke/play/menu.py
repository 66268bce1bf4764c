"""The moves that a person can choose from, as data for a page, a list or a program."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, product
from typing import Any

from symkripke.errors import InputError
from symkripke.play.acts import (
    YES_OR_NO,
    Act,
    Choice,
    Flag,
    Given,
    Said,
    Situation,
    Slot,
    Then,
    of,
)
from symkripke.play.acts import Part as SentencePart
from symkripke.play.player import View

_THING = re.compile(r"(?:an?|the) (\w+)")
"""The phrase for a thing in a slot: "a card"."""


@dataclass(frozen=True)
class Part:
    """A part of a move to be chosen, such as the weapon of a suggestion.

    Attributes:
        name: the name of the part in the move.
        ask: the question for it: "Which weapon?".
        choices: the possible choices, each with its title.
        place: the column of the note sheet in which a sensible choice must be possible. Rows and
            choices are matched by title. Empty: there is no such column.
        question: the question in full, for use without context.
    """

    name: str
    ask: str
    choices: tuple[Choice[Any], ...]
    place: str = ""
    question: str = ""


@dataclass(frozen=True)
class Action:
    """A kind of move, with its choices.

    To the player's knowledge, every combination of choices is a legal move.

    Attributes:
        title: the name of the action: "ask for a suspect, a weapon and a room".
        make: returns the move for one value of each part, by name.
        parts: the independent choices; empty: none.
    """

    title: str
    make: Callable[..., Any] = field(repr=False)
    parts: tuple[Part, ...] = ()

    def move(self, **chosen: Any) -> Any:
        """Return the move for these choices. Raise `InputError` for an invalid choice."""
        names = [part.name for part in self.parts]
        if set(chosen) != set(names):
            raise InputError(
                f"{self.title}: expected {', '.join(names) or 'nothing'} to be chosen, "
                f"got {', '.join(chosen) or 'nothing'}"
            )
        for part in self.parts:
            if chosen[part.name] not in [choice.value for choice in part.choices]:
                titles = ", ".join(choice.title for choice in part.choices)
                raise InputError(f"{part.ask} expected one of {titles}, got {chosen[part.name]!r}")
        return self.make(**chosen)

    @property
    def moves(self) -> Iterator[Any]:
        """All moves of this kind."""
        values = ([choice.value for choice in part.choices] for part in self.parts)
        names = [part.name for part in self.parts]
        for chosen in product(*values):
            yield self.make(**dict(zip(names, chosen, strict=True)))


@dataclass(frozen=True)
class Menu:
    """All actions that a player can take now.

    Attributes:
        ask: the question, in words: "What do you ask for?".
        actions: the kinds of moves.
        usual: the default move; None: the player must choose.
        note: a sentence about the player's cards or dice; empty if the note sheet shows them.
    """

    ask: str
    actions: tuple[Action, ...]
    usual: Any = None
    note: str = ""

    @property
    def moves(self) -> Iterator[Any]:
        """All moves; there may be many thousands."""
        for action in self.actions:
            yield from action.moves

    def data(self) -> dict[str, Any]:
        """Return the menu as plain data for JSON: choices by their titles, in order."""
        return {
            "ask": self.ask,
            "note": self.note,
            "actions": [
                {
                    "title": action.title,
                    "parts": [
                        {
                            "name": part.name,
                            "ask": part.ask,
                            "choices": [choice.title for choice in part.choices],
                        }
                        for part in action.parts
                    ],
                }
                for action in self.actions
            ],
        }

    def chosen(self, action: int, choices: Sequence[int] = ()) -> Any:
        """Return the move for an action and a choice for each of its parts, as indices from 0.

        Raises:
            InputError: an index is out of range, or the number of choices is wrong.
        """
        if not 0 <= action < len(self.actions):
            raise InputError(f"expected an action from 0 to {len(self.actions) - 1}, got {action}")
        parts = self.actions[action].parts
        if len(choices) != len(parts):
            raise InputError(f"expected {len(parts)} choices, got {len(choices)}")
        values: dict[str, Any] = {}
        for part, number in zip(parts, choices, strict=True):
            if not 0 <= number < len(part.choices):
                most = len(part.choices) - 1
                raise InputError(f"{part.ask} expected a choice from 0 to {most}, got {number}")
            values[part.name] = part.choices[number].value
        return self.actions[action].move(**values)


def alone(title: str, move: Any) -> Action:
    """Return an action without choices."""
    return Action(title, lambda: move)


def choices_by_title(titles: Mapping[Any, str]) -> tuple[Choice[Any], ...]:
    """Return a choice for each value and its title."""
    return tuple(Choice(value, title) for value, title in titles.items())


def actions_of(acts: Sequence[Act[Any]], view: View[Any, Any]) -> tuple[Action, ...]:
    """Return the actions for each kind of possible move, with the sensible choices.

    The choices of an action are independent. An act with dependent choices defines its own actions.
    """
    actions: list[Action | None] = []
    for act in acts:
        if act.when(view):
            actions += [_action(act, view)] if act.offered is None else act.offered(view)
    return tuple(action for action in actions if action is not None)


def is_yes_or_no(actions: Sequence[Action]) -> bool:
    """Return whether the first action, such as doing nothing, has no choices, and another has."""
    return not actions[0].parts and any(action.parts for action in actions[1:])


def usual_of(actions: Sequence[Action]) -> Any:
    """Return the only move, or the move of doing nothing; None if there is neither."""
    if is_yes_or_no(actions):
        return actions[0].move()
    moves = [*islice(chain.from_iterable(action.moves for action in actions), 2)]
    return moves[0] if len(moves) == 1 else None


def _action(act: Act[Any], view: View[Any, Any]) -> Action | None:
    """Return the action for a kind of move; None if a slot has no choices."""
    situation = Situation(view.setup, view, view.player, view.perspective)
    parts: list[Part] = []

    def walked(chosen: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the slot values, by default the first choices; None if a slot has no choices."""
        waiting: deque[SentencePart] = deque(act.parts)
        values: dict[str, Any] = {}
        parts.clear()
        while waiting:
            said = Said(situation, dict(values), is_menu=True)
            part = waiting.popleft()
            if isinstance(part, Then):
                waiting.extendleft(reversed(part.parts(said)))
            elif isinstance(part, Given):
                values[part.name] = part.found(said)
            elif isinstance(part, Slot | Flag):
                slot = _part(part, said)
                if not slot.choices:
                    return None
                parts.append(slot)
                values[part.name] = chosen.get(part.name, slot.choices[0].value)
        return values

    if walked({}) is None:
        return None
    title = act.title or " ".join(re.findall("[A-Z][a-z]*", act.kind.__name__)).lower()

    def make(**chosen: Any) -> Any:
        return act.make(Said(situation, walked(chosen) or {}))

    return Action(title, make, tuple(parts))


def _part(part: Slot | Flag, said: Said[Any]) -> Part:
    """Return the part of the menu for a slot, with the sensible choices."""
    if isinstance(part, Flag):
        return Part(part.name, f"{of(part.text, said)}?", tuple(YES_OR_NO))
    hinted = of(part.hinted, said)
    choices = of(part.choices, said) if hinted is None else hinted
    thing = _THING.match(of(part.what, said))
    question = of(part.ask, said)
    ask = f"Which {thing[1]}?" if thing else question
    return Part(part.name, ask, tuple(choices), part.column, question)
