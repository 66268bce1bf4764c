"""Dice with pips, cups, bids and calls; a wild ace has a sun round its pip."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import cos, pi, sin

from symkripke.drawing.cards import Arrow, Face, art_of
from symkripke.engines import Mark
from symkripke.model import Scene
from symkripke.play import GameState, Moment, Outcome
from symkripke.play.views.pictures import Gesture, Pictures
from symkripke.play.views.sheet import Place
from symkripke_games.perudo.bidding import ACE
from symkripke_games.perudo.rules import Bid, Happening, Rolled
from symkripke_games.perudo.throws import Setup, owner
from symkripke_games.perudo.words import dice_in_words, faces_in_words

_ART = art_of(__package__, "art.svg")
_BODY = '<rect class="f-tone" x="1.5" y="1.5" width="29" height="29" rx="6.5"/>'

_LEFT, _MIDDLE, _RIGHT = 8.8, 16.0, 23.2
_PIPS: Mapping[int, Sequence[tuple[float, float]]] = {
    1: [(_MIDDLE, _MIDDLE)],
    2: [(_LEFT, _LEFT), (_RIGHT, _RIGHT)],
    3: [(_LEFT, _LEFT), (_MIDDLE, _MIDDLE), (_RIGHT, _RIGHT)],
    4: [(x, y) for x in (_LEFT, _RIGHT) for y in (_LEFT, _RIGHT)],
    5: [(_MIDDLE, _MIDDLE), *((x, y) for x in (_LEFT, _RIGHT) for y in (_LEFT, _RIGHT))],
    6: [(x, y) for x in (_LEFT, _RIGHT) for y in (_LEFT, _MIDDLE, _RIGHT)],
}
_RAYS = 8
_TIMES = "\u00d7"


def _sun() -> str:
    """Return the sign of a wild ace: a sun, whose disc is the pip."""
    rays = []
    for number in range(_RAYS):
        corners = [
            (16 + size * sin(angle), 16 - size * cos(angle))
            for size, turn in ((12.6, 0.0), (7.4, 0.3), (7.4, -0.3))
            for angle in (2 * pi * number / _RAYS + turn,)
        ]
        rays.append("M" + "L".join(f"{x:.3g} {y:.3g}" for x, y in corners) + "z")
    return (
        f'<path class="f-paper" d="{"".join(rays)}"/>'
        '<circle class="f-paper" cx="16" cy="16" r="5.6"/>'
    )


def _inscription(text: str, y: float, scale: float) -> str:
    """Return a text in the middle of a coloured thing."""
    narrow = ' textLength="13" lengthAdjust="spacingAndGlyphs"' if len(text) > 2 else ""
    place = f"translate(16 {y:g}) scale({scale:g})"
    return f'<text class="on-tone" transform="{place}"{narrow}>{text}</text>'


class PerudoPictures(Pictures[Setup, Happening]):
    """The pictures of Perudo."""

    # ---- things --------------------------------------------------------------------------------

    def draw(self, card: str) -> Face:
        """Return a die by its face."""
        return self.die(int(card))

    def die(self, face: int, tone: int = 7) -> Face:
        """Return a die with pips, or with a number if it has more than six faces."""
        is_wild = face == ACE and self.setup.aces
        if is_wild:
            art = _sun()
        elif face in _PIPS:
            art = "".join(
                f'<circle class="f-paper" cx="{x:g}" cy="{y:g}" r="3.1"/>' for x, y in _PIPS[face]
            )
        else:
            art = _inscription(str(face), 22.4, 1.6)
        title = faces_in_words(1, face)[2:]
        name = "die-wild" if is_wild else f"die-{face}"
        return Face(name, title, _BODY + art, tone=tone, group="dice", has_frame=False)

    def cup(self, dice: int, tone: int) -> Face:
        """Return the cup over dice that are not seen; without dice, a cup on its side."""
        if not dice:
            title, art, name = "a cup", _ART["cup-open"], "cup-open"
        else:
            title, name = f"{dice_in_words(dice)} under a cup", f"cup-{dice}"
            art = _ART["cup-over"] + _inscription(f"{_TIMES}{dice}", 20.6, 1.2)
        return Face(name, title, art, tone=tone, has_frame=False, is_content=False)

    def bid(self, quantity: int, face: int, tone: int) -> Sequence[Face]:
        """Return the number and the die of a bid."""
        narrow = ' textLength="18" lengthAdjust="spacingAndGlyphs"' if quantity > 9 else ""
        place = "translate(16 24.5) scale(1.6)"
        number = f'<text class="index" transform="{place}"{narrow}>{quantity}{_TIMES}</text>'
        title = faces_in_words(quantity, face)
        count = Face(f"count-{quantity}", title, number, tone=tone, has_frame=False)
        return [count, replace(self.die(face, tone), group="")]

    def call(self, kind: str, tone: int) -> Face:
        """Return the sign of a call."""
        return Face(f"call-{kind}", kind, _ART[kind], tone=tone, has_frame=False)

    def emblem(self) -> Sequence[Face]:
        """Return a cup and dice."""
        dice = (self.die(face, tone) for face, tone in ((1, 0), (5, 4), (3, 3)))
        return [self.cup(5, 6), *(replace(die, group="") for die in dice)]

    def row(self, row: str) -> Face:
        """Return the die of the row's face."""
        return self.die(int(row.partition("x")[2]))

    def of_row(self, row: str) -> Face:
        """Return the die of the row's face."""
        return self.row(row)

    def action(self, title: str) -> Face | None:
        """Return the sign of a call, or the die of a bid."""
        return self.call(title, 7) if title in _ART else super().action(title)

    # ---- hands ---------------------------------------------------------------------------------

    def held(
        self, moment: Moment[Setup, Happening], known: Mapping[Place, Mark] | None = None
    ) -> Mapping[str, Sequence[Face]]:
        """Return the dice of each player, next to a cup.

        Args:
            moment: the moment.
            known: the marks of a player. Dice unknown to this player are under the cup.
        """
        if not isinstance(moment.state, Scene):
            return {}
        if known is not None:
            return self._seen(moment, known)
        dice: dict[str, list[int]] = {player: [] for player in self.setup.players}
        for name, face in moment.state.world.items():
            dice[owner(name)].append(int(face))
        return {player: self._hand(player, mine, 0) for player, mine in dice.items()}

    def in_view(
        self,
        moment: Moment[Setup, Happening],
        marks: Mapping[Place, Mark],
        state: GameState[Happening],
    ) -> Mapping[str, Sequence[Face]]:
        """Return the dice that a player sees, and a cup over those of the others."""
        return self._seen(moment, marks)

    def _seen(
        self, moment: Moment[Setup, Happening], marks: Mapping[Place, Mark]
    ) -> Mapping[str, Sequence[Face]]:
        numbers = Counter(map(owner, moment.structure.root.vocabulary.fluents))
        seen: dict[str, Sequence[Face]] = {}
        for player in self.setup.players:
            dice = [
                int(row.partition("x")[2])
                for row in self.layout.rows
                if marks[row, player] is Mark.YES
            ]
            seen[player] = self._hand(player, dice, numbers[player] - len(dice))
        return seen

    def _hand(self, player: str, dice: Sequence[int], hidden: int) -> Sequence[Face]:
        """Return the dice of a player and the cup, over the hidden ones; nothing without dice."""
        tone = self.portrait(player).tone
        if not dice and not hidden:
            return []
        return [self.cup(hidden, tone), *(self.die(face, tone) for face in sorted(dice))]

    # ---- events --------------------------------------------------------------------------------

    def gesture(self, outcome: Outcome[Happening]) -> Gesture:
        """Return a bid in the middle; a call with its sign and an arrow to the bidder."""
        event = outcome.public
        if isinstance(event, Rolled):
            return Gesture("" if event.round is None else event.round.first)
        tone = self.portrait(event.player).tone
        if isinstance(event, Bid):
            return Gesture(event.player, (), self.bid(event.quantity, event.face, tone), "bid")
        sign, verdict = self.call(event.kind, tone), event.verdict
        if verdict is None:
            return Gesture(event.player, (), [sign], event.kind)
        bid = self.bid(verdict.quantity, verdict.face, self.portrait(verdict.bidder).tone)
        arrow = Arrow(event.player, verdict.bidder, "asks")
        title = f"{event.kind}: there {'is' if verdict.count == 1 else 'are'} {verdict.count}"
        return Gesture(event.player, [arrow], [sign, *bid], title)
