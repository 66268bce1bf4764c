"""A moment of a game, about which questions can be asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic
from weakref import WeakKeyDictionary

from symkripke.engines import Answer, Budget, Engine, Mark, Sheet, weighing
from symkripke.errors import FormulaError, InputError, check_name
from symkripke.language import TRUE, Atom, Chance, Formula, K, M, conjunction, parse_question
from symkripke.limits import within_budget
from symkripke.model import EpistemicState, KnowledgeStructure, Perspective, Scene, World
from symkripke.play.game import Game
from symkripke.play.layout import Layout
from symkripke.play.rules import PublicT, Setup, SetupT
from symkripke.play.words import person, with_letters

if TYPE_CHECKING:
    from symkripke.drawing import Drawing


_LAYOUTS: WeakKeyDictionary[KnowledgeStructure, tuple[Setup, Layout]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False, repr=False)
class Moment(Generic[SetupT, PublicT]):
    """The state of knowledge after some event of a game.

    Attributes:
        game: the game.
        setup: the setup of the game.
        states: the scenes after 0, 1, 2, ... events; if the truth is not known, the perspectives of
            one player.
        turns: the turn of each event; 0 for the deal.
        engine: the engine that answers.
        now: the number of events at this moment; None for all of them.
        is_journal: whether events are entries of a journal, so that output counts entries instead
            of turns.
    """

    game: Game[SetupT, PublicT]
    setup: SetupT
    states: tuple[EpistemicState, ...]
    turns: tuple[int, ...]
    engine: Engine
    now: int | None = None
    is_journal: bool = False

    def __repr__(self) -> str:
        return f"<Moment of {self.game.title} after turn {self.turn}>"

    @property
    def events(self) -> int:
        """The number of events so far."""
        return len(self.states) - 1 if self.now is None else self.now

    @property
    def state(self) -> EpistemicState:
        """The scene or perspective of this moment."""
        return self.states[-1 if self.now is None else self.now]

    @property
    def structure(self) -> KnowledgeStructure:
        """The knowledge structure of this moment."""
        return self.state.structure

    @property
    def turn(self) -> int:
        """The turn of the last event so far; 0 after the deal."""
        return self.turns[-1 if self.now is None else self.now]

    def at(self, turn: int) -> Moment[SetupT, PublicT]:
        """Return the moment after all events of a turn (0: after the deal).

        Raise `InputError` if the game has no such turn.
        """
        if not 0 <= turn <= self.turns[-1]:
            raise InputError(f"expected a turn from 0 to {self.turns[-1]}, got {turn}")
        now = max(n for n, played in enumerate(self.turns) if played <= turn)
        return replace(self, now=now)

    def after(self, events: int) -> Moment[SetupT, PublicT]:
        """Return the moment after the first `events` events.

        Raise `InputError` if there are fewer events.
        """
        if not 0 <= events < len(self.states):
            raise InputError(f"expected 0 to {len(self.states) - 1} events, got {events}")
        return replace(self, now=events)

    @property
    def weighting(self) -> str:
        """The weighting of the engine."""
        return weighing(self.engine)

    def ask(
        self, formula: Formula | str, budget: Budget | None = None, engine: Engine | None = None
    ) -> Answer:
        """Return the truth of a formula now.

        Raise the errors of `Engine.holds`, and `InputError` for a bare probability, which is a
        number.
        """
        try:
            return (engine or self.engine).holds(self.state, formula, budget)
        except FormulaError:
            if isinstance(formula, str):
                self.formula(formula)
            raise

    def formula(self, text: str) -> Formula:
        """Read a formula as `question` does; raise `InputError` for a bare probability."""
        asked = self.question(text)
        if isinstance(asked, Chance):
            raise InputError(
                f"expected a formula that is true or false, got a probability: {text}; call "
                f"moment.probability({asked.agent!r}, ...), or compare it: {text} >= 1/2"
            ) from None
        return asked

    def perspective(self, player: str) -> Perspective:
        """Return a player's perspective.

        Raise `UnknownName` for an unknown player, and `InputError` if the record lacks the
        perspective.
        """
        check_name("player", player, self.setup.players)
        if isinstance(self.state, Scene):
            return self.state.perspective(player)
        if self.state.agent != player:
            raise InputError(
                f"this log shows only what {person(self.state.agent)} saw, so it does not show "
                f"what {person(player)} knows"
            )
        return self.state

    def question(self, text: str) -> Formula | Chance:
        """Parse a formula or a bare probability. Raise `FormulaError` if the text is neither.

        In a record of one seat, `me` is its player.
        """
        state, vocabulary = self.state, self.structure.vocabulary
        if isinstance(state, Perspective) and "me" not in (*vocabulary.agents, *vocabulary.names):
            text = re.sub(r"\bme\b", state.agent, text)
        return parse_question(with_letters(text), vocabulary)

    def probability(
        self,
        player: str,
        formula: Formula | str,
        engine: Engine | None = None,
        budget: Budget | None = None,
        given: Formula | str = TRUE,
    ) -> Fraction:
        """Return the exact probability of a formula for a player: `P[player | given](formula)`.

        Raise `InputError` if the player knows that `given` is false.
        """
        asked, view = engine or self.engine, self.perspective(player)
        if given is TRUE:
            return asked.probability(view, formula, budget)
        structure = self.structure
        both = [
            structure.parse(stated) if isinstance(stated, str) else stated
            for stated in (formula, given)
        ]
        with within_budget(budget):
            if whole := asked.probability(view, both[1]):
                return asked.probability(view, conjunction(both)) / whole
        raise InputError(f"{player} knows that the given condition is false: {given}")

    def sheet(self, player: str, engine: Engine | None = None) -> Sheet:
        """Return the player's possible knowledge of the deal: yes, no or open for each atom."""
        atoms = [cell for cell in self.layout.cells.values() if isinstance(cell, Atom)]
        return (engine or self.engine).sheet(self.perspective(player), atoms)

    def marks(
        self, player: str, engine: Engine | None = None, *, believing: bool = False
    ) -> dict[Formula, Mark]:
        """Return the player's possible knowledge of each cell of the note sheet.

        With `believing`, marks are for beliefs. The engine answers one question about all atoms,
        and at most two about each other formula. Fewer questions are needed if the rows of a group
        count up.
        """
        asked, view = engine or self.engine, self.perspective(player)
        if believing and view.structure.soft:
            view = view.believing(asked.believed(view).kept)
        cells = dict.fromkeys(self.layout.cells.values())
        marks: dict[Formula, Mark] = {}
        atoms = [cell for cell in cells if isinstance(cell, Atom)]
        if atoms:
            marks.update(asked.sheet(view, atoms))
        if self.layout.counts:
            for group in self.layout.groups.values():
                for column in self.layout.columns:
                    line = [self.layout.cells[row, column] for row in group]
                    marks.update(_marks_of_counts(asked, view, line))
        for cell in cells:
            if cell not in marks:
                if asked.holds(view, K(player, cell)):
                    marks[cell] = Mark.YES
                else:
                    marks[cell] = Mark.OPEN if asked.holds(view, M(player, cell)) else Mark.NO
        return marks

    def draw(self, formula: Formula | str | None = None, **options: Any) -> Drawing:
        """Return the picture of this moment, or of a part of it for large games.

        The options are passed to `symkripke.drawing.draw`. For example, `near=1` draws the deals
        next to the actual deal, and `why="K[plum] ..."` draws the deals that explain an answer.
        Labels have the titles of the note sheet.
        """
        from symkripke.drawing import draw
        from symkripke.play.formula_words import naming

        named = naming(self.structure, self.layout)
        return draw(self.state, formula, naming=named, **options)

    @cached_property
    def layout(self) -> Layout:
        """The note sheet of the game; shared by all moments since the same deal."""
        root = self.structure.root
        setup, layout = _LAYOUTS.get(root, (None, None))
        if layout is None or setup != self.setup:
            layout = self.game.layout(self.setup, self.structure)
            _LAYOUTS[root] = self.setup, layout
        return layout

    def plain(self, world: World) -> World:
        """Return the current values of all fluents at a world of now, by their plain names."""
        value = self.structure.resolver.value
        return {name: value(name, world) for name in self.structure.vocabulary.plain}


def _marks_of_counts(
    asked: Engine, view: Perspective, line: Sequence[Formula]
) -> dict[Formula, Mark]:
    """Return the marks of "at least one", "at least two", ... for the agent of a perspective.

    If a number is certain, all smaller numbers are certain. If a number is impossible, all greater
    numbers are impossible. Both limits are therefore found by binary search. The ends are tested
    first, because agents know nothing about most lines.
    """

    def possible(number: int) -> object:
        return asked.holds(view, M(view.agent, line[number - 1]))

    def certain(number: int) -> object:
        return asked.holds(view, K(view.agent, line[number - 1]))

    most = len(line) if possible(len(line)) else _how_many(len(line) - 1, possible)
    least = _how_many(most, certain) if most and certain(1) else 0
    return {
        **dict.fromkeys(line[:least], Mark.YES),
        **dict.fromkeys(line[least:most], Mark.OPEN),
        **dict.fromkeys(line[most:], Mark.NO),
    }


def _how_many(most: int, reached: Callable[[int], object]) -> int:
    """Return the greatest number up to `most` that is reached, by binary search, or else 0."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if reached(middle):
            least = middle
        else:
            most = middle - 1
    return least
