"""The moves that a person can choose from, as data: for a page, a list, or a program."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
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


@dataclass(frozen=True)
class Part:
    """A thing to be chosen for a move: the weapon of a suggestion.

    Attributes:
        name: the name of the part in the move.
        ask: the question for it: "Which weapon?".
        choices: what can be chosen, each with its title.
        place: the column of the note sheet in which a choice must be, or the move is a mistake; its
            rows have the titles of the choices. Empty: there is none.
    """

    name: str
    ask: str
    choices: tuple[Choice[Any], ...]
    place: str = ""


@dataclass(frozen=True)
class Action:
    """A kind of move, with what is to be chosen for it.

    Whatever is chosen of each part, the move is legal as far as the player can know.

    Attributes:
        title: what one does, in words: "ask for a suspect, a weapon and a room".
        make: makes the move of one value for each part, by their names.
        parts: what is to be chosen, each on its own; empty: nothing.
    """

    title: str
    make: Callable[..., Any] = field(repr=False)
    parts: tuple[Part, ...] = ()

    def move(self, **chosen: Any) -> Any:
        """The move of what is chosen; raises `InputError` for what cannot be chosen."""
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
    """All that a player can do now.

    Attributes:
        ask: the question, in words: "What do you ask for?".
        actions: the kinds of moves.
        usual: the move that is made if nothing is chosen; None: something must be.
        note: what lies before the player, in a sentence: its cards, its dice; empty: nothing that
            is not on the note sheet.
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
        """The menu as plain data, for JSON: choices by their titles, in the order of the menu."""
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
        """The move of an action and of a choice for each of its parts, by their numbers from 0.

        Raises:
            InputError: there is no action or choice of that number.
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
    """An action for which nothing is to be chosen."""
    return Action(title, lambda: move)


def choices_by_title(titles: Mapping[Any, str]) -> tuple[Choice[Any], ...]:
    """Choices of values that have titles."""
    return tuple(Choice(value, title) for value, title in titles.items())


def menu_of(acts: Sequence[Act[Any]], view: View[Any, Any]) -> Menu:
    """A menu with an action for each kind of move, of the choices that make sense in its places.

    Choices do not depend on each other there: the rules may forbid some moves of the menu.
    """
    found = [_action(act, view) for act in acts if act.when(view)]
    actions = tuple(action for action in found if action is not None)
    only = actions[0] if len(actions) == 1 and not actions[0].parts else None
    return Menu("What do you do?", actions, None if only is None else only.move())


def _action(act: Act[Any], view: View[Any, Any]) -> Action | None:
    """The moves of that kind; None if there is a place without a choice."""
    situation = Situation(view.setup, view, view.player, view.perspective)
    waiting: deque[SentencePart] = deque(act.parts)
    values: dict[str, Any] = {}
    parts: list[Part] = []
    while waiting:
        said = Said(situation, dict(values))
        part = waiting.popleft()
        if isinstance(part, Then):
            waiting.extendleft(reversed(part.parts(said)))
        elif isinstance(part, Given):
            values[part.name] = part.found(said)
        elif isinstance(part, Slot | Flag):
            choices = YES_OR_NO if isinstance(part, Flag) else _hinted(part, said)
            if not choices:
                return None
            ask = f"{of(part.text, said)}?" if isinstance(part, Flag) else of(part.ask, said)
            parts.append(Part(part.name, ask, tuple(choices)))
            values[part.name] = choices[0].value
    title = act.title or " ".join(re.findall("[A-Z][a-z]*", act.kind.__name__)).lower()

    def make(**chosen: Any) -> Any:
        return act.make(Said(situation, {**values, **chosen}))

    return Action(title, make, tuple(parts))


def _hinted(slot: Slot, said: Said[Any]) -> Sequence[Choice[Any]]:
    hinted = of(slot.hinted, said)
    return of(slot.choices, said) if hinted is None else hinted
