"""Gems and question cards, drawn from their colour, type and quantity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from html import escape
from typing import Any, TypeVar

from symkripke.drawing.cards import BACK, Arrow, Face, RoundTable, card, symbols
from symkripke.play import GameState, Outcome
from symkripke.play.dealing import location
from symkripke.play.editions import Piece
from symkripke.play.views.pictures import Gesture, Pictures, SeatNotes
from symkripke.play.words import number_of
from symkripke_games.sleuth import rules
from symkripke_games.sleuth.gems import FREE, Elements, Gem
from symkripke_games.sleuth.knowledge import asked_for
from symkripke_games.sleuth.rules import Declaration, Happening, Question
from symkripke_games.sleuth.setup import Setup

T = TypeVar("T")


_COLOURS = {
    "red": 9,
    "green": 10,
    "yellow": 8,
    "blue": 11,
    "purple": 5,
    "turquoise": 2,
    "brown": 6,
    "black": 7,
    "white": 7,
}
"""The tone of each colour; the first ones are those of the printed set."""

_OUTLINE = 12
"""The tone of a stone of any colour."""

_SHAPES = {
    "diamond": ("M8 6h16l6 8-14 15L2 14z", "M8 6l4 8 4 15 4-15 4-8M2 14h28", "M12 14l4-8 4 8z"),
    "opal": (
        "M2 16c0-14 28-14 28 0S2 30 2 16z",
        "M8 21c4 3 12 3 16 0",
        "M7 15l5-5 2 6zM15 9l5 1-3 5zM21 13l5 2-5 4zM12 19l5-2 1 4z",
    ),
    "pearl": (
        "M16 4a12 12 0 1 1 0 24 12 12 0 1 1 0-24z",
        "M22 22c-4 3-8 3-12 0",
        "M10 12a3.5 3.5 0 1 1 7 0 3.5 3.5 0 1 1-7 0z",
    ),
    "emerald": (
        "M10 4h12l6 6v12l-6 6H10l-6-6V10z",
        "M4 10l6 3h12l6-3M10 13v15M22 13v15",
        "M10 4h12v9H10z",
    ),
    "ruby": ("M16 3l12 7v12l-12 7-12-7V10z", "M4 10l12 6 12-6M16 16v13", "M16 3l12 7-12 6L4 10z"),
    "garnet": ("M16 3l14 25H2z", "M16 3v16L2 28M16 19l14 9", "M16 3v16L2 28z"),
    "sapphire": (
        "M16 2c7 9 10 12 10 17 0 13-20 13-20 0 0-5 3-8 10-17z",
        "M20 25c2-1 3-3 3-6",
        "M12 14c-3 3-3 7-1 9 1-3 1-6 1-9z",
    ),
    "amber": (
        "M16 29C5 21 2 16 2 11 2 3 13 2 16 9c3-7 14-6 14 2 0 5-3 10-14 18z",
        "M26 10c0 4-3 8-6 10",
        "M6 9c1-3 4-3 6-1-2 1-4 3-5 6-1-1-2-3-1-5z",
    ),
}
"""The outline, the lines and the light part of a stone of each type, in a box of 32 by 32 units.

The first ones are those of the printed set.
"""

_ANY = "M8 5h16a3 3 0 0 1 3 3v16a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3V8a3 3 0 0 1 3-3z"
"""The outline of a stone of any type."""

_MANY = (
    '<circle class="f-paper edge" cx="26" cy="26" r="5.5"/>'
    '<text class="card-sign" x="26" y="29.7">?</text>'
)
"""The sign for a question about any quantity."""

_QUANTITIES = {
    "solitaire": 1,
    "pair": 2,
    "cluster": 3,
    **dict.fromkeys(("one", "single"), 1),
    **dict.fromkeys(("two", "double", "couple"), 2),
    **dict.fromkeys(("three", "triple", "trio"), 3),
    **{"four": 4, "five": 5, "six": 6},
}
"""The number of stones of each quantity."""

_LAYOUTS = {
    1: (0.94, ((1, 1),)),
    2: (0.58, ((13.5, 0), (0, 13))),
    3: (0.53, ((7.5, 0), (0, 15), (15, 15))),
    4: (0.46, ((2, 1), (17.3, 1), (2, 16.3), (17.3, 16.3))),
    5: (0.38, ((0, 0), (20, 0), (10, 10), (0, 20), (20, 20))),
    6: (0.38, ((2, 0), (18, 0), (2, 10), (18, 10), (2, 20), (18, 20))),
}
"""For each number of stones, their size and their places."""

_FREE = (
    '<g class="t9"><path class="f-tone" d="M16 16V1.5A14.5 14.5 0 0 0 1.5 16z"/></g>'
    '<g class="t10"><path class="f-tone" d="M16 16h14.5A14.5 14.5 0 0 0 16 1.5z"/></g>'
    '<g class="t11"><path class="f-tone" d="M16 16v14.5A14.5 14.5 0 0 0 30.5 16z"/></g>'
    '<g class="t8"><path class="f-tone" d="M16 16H1.5A14.5 14.5 0 0 0 16 30.5z"/></g>'
    '<circle class="f-paper edge" cx="16" cy="16" r="8.5"/>'
    '<text class="card-sign" x="16" y="19.6">?</text>'
)
_NUMBER = (
    '<circle class="f-gold edge" cx="16" cy="16" r="14"/>'
    '<circle class="f-paper" cx="16" cy="16" r="11"/>'
    '<text class="card-sign" transform="translate(16 22) scale(1.7)">{}</text>'
)


class SleuthPictures(Pictures[Setup, Happening]):
    """The pictures of Sleuth."""

    # ---- gems and question cards -----------------------------------------------------------------

    def draw(self, card: str) -> Face:
        """Return a gem: as many stones as its quantity says, with the first letter of its colour.

        A set from a file may have more types or quantities than there is art. Then the gem has the
        first letters of these, too.
        """
        gem = self._gems[card]
        face = self._drawn(gem.elements, gem.id, gem.title)
        return replace(face, label=gem.id.upper())

    def question_card(self, card: str) -> Face:
        """Return a question card by its name: "red diamond", "pearl", or "free"."""
        if card == FREE:
            return Face("ask-free", "a free choice", _FREE, "free choice")
        elements = tuple(card.split(" "))
        titles = self.setup.edition.titles
        name = " ".join(titles[element] for element in elements)
        face = self._drawn(
            elements, f"ask-{'-'.join(elements)}", asked_for(self.setup.edition, elements)
        )
        return replace(face, label=name)

    def _drawn(self, elements: Elements, name: str, title: str) -> Face:
        """Return the art for some elements; a missing element leaves that feature open."""
        edition = self.setup.edition
        colour, kind, quantity = (
            next((element.id for element in pieces if element.id in elements), None)
            for pieces in edition.kinds
        )
        number = 1 if quantity is None else self._numbers[quantity]
        shape = "any" if kind is None else self._shapes[kind]
        sign = "" if colour is None else colour[0]
        sign += kind[0] if kind and _repeats(self._shapes) else ""
        sign += quantity[0] if quantity and _repeats(self._numbers) else ""
        return Face(
            name,
            title,
            _stones(shape, number) + _MANY * (quantity is None),
            tone=_OUTLINE if colour is None else self._colours[colour],
            shared=f"{shape}-{'any' if quantity is None else number}",
            sign=sign.upper(),
        )

    @cached_property
    def _gems(self) -> Mapping[str, Gem]:
        return {gem.id: gem for gem in self.setup.edition.gems}

    @cached_property
    def _colours(self) -> Mapping[str, int]:
        return _assigned(self.setup.edition.colours, _COLOURS)

    @cached_property
    def _shapes(self) -> Mapping[str, str]:
        return _assigned(self.setup.edition.types, {name: name for name in _SHAPES})

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return _assigned(self.setup.edition.quantities, _QUANTITIES)

    def choice(self, value: Any) -> Face | None:
        """Return a player, a gem, or the gems that a question is about."""
        face = super().choice(value)
        elements = (value,) if isinstance(value, str) else value
        if face is None and elements in self.setup.edition.questions:
            return self.question_card(" ".join(elements))
        return face

    def emblem(self) -> Sequence[Face]:
        """Return three gems that differ in everything, and a free choice."""
        kinds = self.setup.edition.kinds
        few = min(3, *map(len, kinds))
        names = ("".join(kind[place].id[0] for kind in kinds) for place in range(few))
        return [*(self.face(name) for name in names), self.question_card(FREE)]

    # ---- events ----------------------------------------------------------------------------------

    def gesture(self, outcome: Outcome[Happening]) -> Gesture:
        """Return a question with its answer, or a declaration.

        The shown gems go back to the asker, face down if the log does not name them. An answer that
        is only a number goes back as a number.
        """
        event = outcome.public
        if isinstance(event, Declaration):
            return Gesture(event.player, (), [self.face(event.gem)])
        if not isinstance(event, Question):
            return Gesture()
        spoken = [self.question_card(" ".join(event.elements))]
        if event.card == FREE:
            spoken.insert(0, self.question_card(FREE))
        arrows = [
            Arrow(event.player, event.asked, "asks"),
            Arrow(event.asked, event.player, "gives", self._answer(event, outcome.secret)),
        ]
        return Gesture(event.player, arrows, spoken)

    def _answer(self, event: Question, secret: Mapping[str, str]) -> Sequence[Face]:
        """Return the gems that are shown, or their number."""
        matching = self.setup.edition.matching(event.elements)
        shown = [self.face(gem) for gem in matching if location(gem) in secret]
        if shown or event.number is None:
            return shown
        if len(event.elements) == 2 and event.number:
            return [BACK] * event.number
        title = number_of(event.number, "gem")
        art = _NUMBER.format(event.number)
        return [Face(f"number-{event.number}", title, art, has_frame=False)]

    def table(
        self,
        outcome: Outcome[Happening] | None,
        notes: Mapping[str, SeatNotes],
        held: Mapping[str, Sequence[Face]],
        state: GameState[Happening] | None = None,
    ) -> RoundTable:
        """Return the table, with the title "declared" above the gems of a declaration."""
        table = super().table(outcome, notes, held, state)
        if outcome is not None and isinstance(outcome.public, Declaration):
            verdict = "right" if outcome.public.right else "wrong"
            return replace(table, spoken_title=f"declared: {verdict}")
        return table

    def board(self, state: GameState[Happening], outcome: Outcome[Happening] | None) -> str:
        """Return the question cards before the player whose turn it is, if they are known."""
        if not isinstance(state, rules.State) or state.deck is None:
            return ""
        who = self.layout.person(state.mover)
        faces = [self.question_card(name) for name in state.deck.rows[state.mover]]
        # The page defines only the symbols of the table and of the note sheet.
        faces = [replace(face, shared=f"row-{face.symbol}") for face in faces]
        cards = "".join(card(face, 2 + 40 * at, 18, 48) for at, face in enumerate(faces))
        title = f"{who}'s question cards"
        said = f"{title}: {', '.join(face.label for face in faces)}"
        return (
            f'<svg class="question-cards" viewBox="0 0 {40 * len(faces):g} 68" role="img" '
            f'aria-label="{escape(said)}">{symbols(faces)}<text class="table-note" '
            f'x="{20 * len(faces):g}" y="12">{escape(title)}</text>{cards}</svg>'
        )


def _stones(shape: str, number: int) -> str:
    """Return some stones side by side."""
    size, places = _LAYOUTS[number]
    outline, lines, light = _SHAPES.get(shape, (_ANY, "", ""))
    # The lines of several stones are scaled down with them.
    line = "l-thin" if number == 1 else "l-thick"
    dashes = "" if shape in _SHAPES else ' stroke-dasharray="4 3"'
    stone = f'<path class="f-tone" d="{outline}"/>'
    stone += f'<path class="f-shine" d="{light}"/>' * bool(light)
    stone += f'<path class="{line}"{dashes} d="{outline}{lines}"/>'
    return "".join(
        f'<g transform="translate({x:g} {y:g}) scale({size:g})">{stone}</g>' for x, y in places
    )


def _assigned(pieces: Sequence[Piece], known: Mapping[str, T]) -> Mapping[str, T]:
    """Return the art of each element: that of its name, or else one that no other element has.

    The art repeats only if there is not enough of it.
    """
    every = list(dict.fromkeys(known.values()))
    left = [each for each in every if each not in [known.get(piece.id) for piece in pieces]]
    assigned = {}
    for number, piece in enumerate(pieces):
        usual = every[number % len(every)]
        if piece.id in known:
            assigned[piece.id] = known[piece.id]
        elif left:
            assigned[piece.id] = left.pop(left.index(usual) if usual in left else 0)
        else:
            assigned[piece.id] = usual
    return assigned


def _repeats(assigned: Mapping[str, object]) -> bool:
    """Return whether several elements have the same art."""
    return len(set(assigned.values())) < len(assigned)
