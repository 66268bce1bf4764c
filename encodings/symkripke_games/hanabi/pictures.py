"""The pictures of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symkripke.drawing.cards import BACK, Face
from symkripke.engines import Mark
from symkripke.language import Name
from symkripke.play.views.pictures import Pictures
from symkripke.play.views.sheet import Place
from symkripke_games.hanabi.rules import Happening, Setup, parts

_TONES = {"red": 5, "yellow": 3, "green": 2, "blue": 0, "white": 7, "multi": 1}


class HanabiPictures(Pictures[Setup, Happening]):
    """The pictures of Hanabi: cards with their ranks, in the tones of their colours."""

    def draw(self, card: str) -> Face:
        """Return the card of a kind."""
        suit, rank = parts(card)
        art = f'<text class="index" x="16" y="22" text-anchor="middle">{rank}</text>'
        return Face(card, self.title(card), art, suit, _TONES[suit], group=suit)

    def hand(self, player: str, marks: Mapping[Place, Mark]) -> Sequence[Face]:
        """Return the cards in a hand; unknown cards lie face down."""
        faces = []
        for rows in self.layout.groups.values():
            sure = [Name.of(row).arguments[1] for row in rows if marks[row, player] is Mark.YES]
            if (kind := "_".join(sure[:2])) in self.setup.kinds:
                faces.append(self.face(kind))
            elif Mark.OPEN in [marks[row, player] for row in rows]:
                faces.append(BACK)
        return faces
