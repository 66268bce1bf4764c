"""The pictures of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symkripke.drawing.cards import BACK, Face
from symkripke.engines import Mark
from symkripke.language import Name
from symkripke.play.views.pictures import Pictures
from symkripke.play.views.sheet import Place
from symkripke_games.hanabi.rules import Happening, Setup

_TONES = {"red": 9, "yellow": 8, "green": 10, "blue": 11, "white": 13, "multi": 5, "?": 12}
_GONE = Face("gone", "no card", has_frame=False, is_content=False)
"""A place without a card."""


class HanabiPictures(Pictures[Setup, Happening]):
    """The pictures of Hanabi: cards with the letter of their colour and their rank."""

    shows_hands = True
    spoken_title = "put down, drawn"

    def draw(self, card: str) -> Face:
        """Return the card of a kind, whose colour or rank can be unknown."""
        suit, rank = card.split("_")
        if suit == rank:
            return BACK
        # The field of an unknown colour is not seen.
        art = f'<rect class="f-tone{" edge" * (suit != "?")}" x="2" y="2" width="28" height="22"/>'
        return Face(card, self.title(card), art, sign=suit[0].upper() + rank, tone=_TONES[suit])

    def hand(self, player: str, marks: Mapping[Place, Mark]) -> Sequence[Face]:
        """Return the cards in a hand, with the colours and ranks that are known."""
        faces = []
        for rows in self.layout.groups.values():
            sure = [Name.of(row).arguments[1] for row in rows if marks[row, player] is Mark.YES]
            suit = next(filter(self.setup.suits.__contains__, sure), "?")
            rank = next(filter(str.isdigit, sure), "?")
            there = any(marks[row, player] is not Mark.NO for row in rows)
            faces.append(self.face(f"{suit}_{rank}") if there else _GONE)
        return faces

    def middle(self, state: Any) -> Sequence[tuple[str, Sequence[Face]]]:
        """Return the fireworks, with their heights."""
        faces = [self.face(f"{suit}_{height}") for suit, height in state.heights.items()]
        return [(f"Fireworks. {state.left_over}", faces)]
