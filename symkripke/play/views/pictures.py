"""How a game is drawn: its cards, its players, and its events at the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic

from symkripke.drawing.cards import Arrow, Face, avatar
from symkripke.language import Name
from symkripke.model import Scene, evaluate
from symkripke.play.dealing import LOCATION
from symkripke.play.game import Game
from symkripke.play.layout import Layout
from symkripke.play.moment import Moment
from symkripke.play.rules import Outcome, PublicT, SetupT


@dataclass(frozen=True)
class Gesture:
    """An event as it looks at the table.

    Attributes:
        player: the player who acts; empty: nobody.
        arrows: the way of the event between players.
        spoken: the things that the event names.
    """

    player: str = ""
    arrows: Sequence[Arrow] = ()
    spoken: Sequence[Face] = ()


class Pictures(Generic[SetupT, PublicT]):
    """The pictures of a game; each method has a default, which shows titles on plain cards.

    A game registers its own class as `Game.drawn_by`.
    """

    def __init__(self, game: Game[SetupT, PublicT], setup: SetupT, layout: Layout) -> None:
        """Draw a game with this setup and note sheet."""
        self.game = game
        self.setup = setup
        self.layout = layout

    # ---- things --------------------------------------------------------------------------------

    def face(self, card: str) -> Face:
        """Return a card by its name in the rules; by default its title in the colour of its kind."""
        title = self.game.card_title(self.setup, card)
        return Face(card, title, label=title, tone=self._tones.get(card, 7))

    def portrait(self, player: str) -> Face:
        """Return the avatar of a player; by default that of the seat."""
        return avatar(self.setup.players.index(player), self.layout.person(player))

    def row(self, row: str) -> Face | None:
        """Return the picture of a row of the note sheet; None if it has none.

        By default, a row `location(card)` has the card's face, if that has art.
        """
        name = Name.of(row)
        if name.functor != LOCATION:
            return None
        face = self.face(name.arguments[0])
        return face if face.art else None

    @cached_property
    def _tones(self) -> Mapping[str, int]:
        """The number of the group of each card, as its colour."""
        return {
            Name.of(row).arguments[0]: number % 8
            for number, rows in enumerate(self.layout.groups.values())
            for row in rows
            if Name.of(row).functor == LOCATION
        }

    # ---- hands ---------------------------------------------------------------------------------

    def held(self, moment: Moment[SetupT, PublicT]) -> Mapping[str, Sequence[Face]]:
        """Return the things in each column of the note sheet, if the truth is known."""
        if not isinstance(moment.state, Scene):
            return {}
        rows = rows_held(moment)
        return {column: [self._of_row(row) for row in held] for column, held in rows.items()}

    def _of_row(self, row: str) -> Face:
        name, title = Name.of(row), self.layout.rows[row]
        return self.face(name.arguments[0]) if name.functor == LOCATION else Face(row, title, label=title)

    # ---- events --------------------------------------------------------------------------------

    def gesture(self, outcome: Outcome[PublicT]) -> Gesture:
        """Return an event as it looks at the table.

        By default, the player of the event asks the other players that it names, and cards whose
        names are secret go from them to the player.
        """
        values = self.game.act(outcome).values(self.setup, outcome) if self.game.acts else {}
        player = values.get("player", "")
        if player not in self.setup.players:
            return Gesture()
        named = [value for value in _flat(values.values()) if isinstance(value, str)]
        others = [who for who in dict.fromkeys(named) if who in self.setup.players and who != player]
        cards = set(self.game.cards(self.setup))
        spoken = [self.face(name) for name in dict.fromkeys(named) if name in cards]
        shown = [self.face(name) for name in outcome.secret.values() if name in cards]
        arrows = [Arrow(player, other, "asks") for other in others]
        arrows += [Arrow(other, player, "gives", shown) for other in others if shown]
        return Gesture(player, arrows, spoken)

    def board(self, outcome: Outcome[PublicT] | None) -> str:
        """Return an SVG of the board after an event, or of nothing; by default there is none."""
        return ""


def rows_held(moment: Moment[Any, Any]) -> dict[str, list[str]]:
    """Return the rows of the note sheet that are true of each column at the actual world."""
    layout, state = moment.layout, moment.state
    assert isinstance(state, Scene)
    return {
        column: [
            row
            for row in layout.rows
            if evaluate(moment.structure.resolve(layout.cells[row, column]), state.world)
        ]
        for column in layout.columns
    }


def _flat(values: Any) -> Iterator[Any]:
    """Yield the values, and those in sequences among them."""
    for value in values:
        if isinstance(value, tuple | list):
            yield from _flat(value)
        else:
            yield value
