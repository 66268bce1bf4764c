"""The ranks as cards with hearts; the queen is the old maid, whose heart is broken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symkripke.drawing.cards import BACK, Arrow, Face, art_of
from symkripke.engines import Mark
from symkripke.language import Name
from symkripke.model import Perspective, Scene, World, evaluate
from symkripke.play import GameState, Moment, Outcome
from symkripke.play.views.pictures import Gesture, Pictures
from symkripke.play.views.sheet import Place
from symkripke_games.old_maid.knowledge import holds, title
from symkripke_games.old_maid.rules import (
    QUEEN,
    Discards,
    Happening,
    Setup,
    drawn_name,
    pairs_name,
)

_COURT = art_of(__package__, "art.svg")

_INDEX = {"ace": "A", "king": "K", QUEEN: "Q", "jack": "J"}
_PIPS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TONES = {"ace": 0, "king": 4, QUEEN: 5, "jack": 3}
_NUMBER_TONES = (2, 6, 0, 4, 3, 1, 5, 2, 6)

_HEART = (
    *(-0.6, -1.2, -2.8, -1.0, -2.8, 0.8),
    *(0.0, 1.4, 1.6, 2.3, 2.8, 3.3),
    *(1.2, -1.0, 2.8, -1.9, 2.8, -3.3),
    *(0.0, -1.8, -2.2, -2.0, -2.8, -0.8),
)
"""A heart as four curves, which begin and end at the notch at its top."""


def _heart(x: float, y: float, scale: float = 1.0) -> str:
    """Return a heart as a part of a path; its middle is at `x` and `y`."""
    curves = " ".join(f"{scale * part:.2g}".replace("0.", ".") for part in _HEART)
    return f"M{x:.3g} {y - 1.6 * scale:.3g}c{curves.replace(' -', '-')}z"


def _places(number: int) -> tuple[Sequence[tuple[float, float]], float]:
    """Return the places of the pips on a card, right of its index, and their scale."""
    left, middle, right = 17.0, 22.0, 27.0
    rows = {2: 2, 3: 3, 4: 2, 5: 3, 6: 3, 7: 4, 8: 4, 9: 5, 10: 5}[number]
    step = 29.0 / rows
    heights = [1.5 + step * (row + 0.5) for row in range(rows)]
    if number <= 3:
        return [(middle, y) for y in heights], 2.0 if number == 2 else 1.7
    odd = number % 2
    pairs = number // 2
    lines = [y for row, y in enumerate(heights) if not odd or row != rows // 2][:pairs]
    pips = [(x, y) for y in lines for x in (left, right)]
    pips += [(middle, heights[rows // 2])] * odd
    return pips, {2: 1.6, 3: 1.5, 4: 1.15, 5: 1.0}[rows]


def _index(rank: str) -> str:
    """Return the index of a card, in its upper left corner."""
    text = _INDEX.get(rank) or str(2 + _PIPS.index(rank))
    narrow = ' textLength="12" lengthAdjust="spacingAndGlyphs"' if len(text) > 1 else ""
    return f'<text class="index" x="5.3" y="12.5"{narrow}>{text}</text>'


def _art(rank: str) -> str:
    """Return the art of a rank: a person with a heart, or as many hearts as the rank counts."""
    if rank == QUEEN:
        return _COURT[rank] + _index(rank)
    if rank in _COURT:
        return f'{_COURT[rank]}<path class="f-tone" d="{_heart(5.3, 19, 1.5)}"/>{_index(rank)}'
    pips, scale = ([(21.0, 18.0)], 3.4) if rank == "ace" else _places(2 + _PIPS.index(rank))
    hearts = "".join(_heart(x, y, scale) for x, y in pips)
    return f'<path class="f-tone" d="{hearts}"/>{_index(rank)}'


class OldMaidPictures(Pictures[Setup, Happening]):
    """The pictures of Old Maid."""

    def draw(self, card: str) -> Face:
        """Return the card of a rank, in the colour of the rank."""
        tone = _TONES[card] if card in _TONES else _NUMBER_TONES[_PIPS.index(card)]
        return Face(card, title(card), _art(card), title(card), tone, group=card)

    def emblem(self) -> Sequence[Face]:
        """Return the queen among three other cards."""
        return [self.face(rank) for rank in ("king", "jack", QUEEN, "ace")]

    def row(self, row: str) -> Face:
        """Return the card of the row's rank."""
        return self.face(row)

    def of_row(self, row: str) -> Face:
        """Return the card of the row's rank."""
        return self.face(row)

    def held(
        self, moment: Moment[Setup, Happening], known: Mapping[Place, Mark] | None = None
    ) -> Mapping[str, Sequence[Face]]:
        """Return the cards of each player; before the discards, with their pairs.

        Args:
            moment: the moment.
            known: the marks of a player. The cards that this player cannot place lie face down, and
                so do pairs, unless the player knows which single cards are in that hand.
        """
        state = moment.state
        if not isinstance(state, Scene):
            return {}
        hands: dict[str, list[Face]] = {}
        for player in self.setup.players:
            marks = None if known is None else {r: known[r, player] for r in self.setup.deck}
            is_seen = marks is None or Mark.OPEN not in marks.values()
            hands[player] = []
            for rank in self.setup.deck:
                card = moment.structure.resolve(holds(player, rank))
                single = evaluate(card, state.world)
                faces = [self.face(rank)] * _dealt_pairs(moment, state.world, player, rank)
                shown = [face if is_seen else BACK for face in faces]
                if single:
                    is_placed = marks is None or marks[rank] is Mark.YES
                    shown.append(self.face(rank) if is_placed else BACK)
                hands[player] += shown
        return hands

    def in_view(
        self,
        moment: Moment[Setup, Happening],
        marks: Mapping[Place, Mark],
        state: GameState[Happening],
    ) -> Mapping[str, Sequence[Face]]:
        """Return the cards that a seat can place, and a card back for each other card."""
        hands: dict[str, Sequence[Face]] = {}
        for player in self.setup.players:
            faces = self._placed(moment, marks, player)
            size = self.game.standing(self.setup, state, player).holds or 0
            hands[player] = [*faces, *[BACK] * (size - len(faces))]
        return hands

    def _placed(
        self, moment: Moment[Setup, Happening], marks: Mapping[Place, Mark], player: str
    ) -> list[Face]:
        """Return the cards that a seat can place in a hand; before the discards, its own pairs."""
        state, faces = moment.state, list[Face]()
        assert isinstance(state, Perspective)
        seen = {atom.fluent: atom.value for atom in state.seen}
        for rank in self.setup.deck:
            pairs = 0 if moment.events else int(seen.get(Name.of(pairs_name(player, rank)), 0))
            number = 2 * pairs + (marks[rank, player] is Mark.YES)
            faces += [self.face(rank)] * number
        return faces

    def gesture(self, outcome: Outcome[Happening]) -> Gesture:
        """Return a draw with its card, and the pairs that are laid down."""
        event = outcome.public
        if isinstance(event, Discards):
            laid = {rank for ranks in event.pairs.values() for rank in ranks}
            return Gesture("", (), [self.face(r) for r in self.setup.deck if r in laid], "pairs")
        rank = event.discard
        if rank is None and event.count is not None and len(event.count.left) == 1:
            (rank,) = event.count.left
        rank = outcome.secret.get(drawn_name(event.turn), rank)
        drawn = Arrow(event.giver, event.player, "gives", [self.face(rank) if rank else BACK])
        pair = [] if event.discard is None else [self.face(event.discard)] * 2
        return Gesture(event.player, [drawn], pair, "pair laid down")


def _dealt_pairs(moment: Moment[Setup, Happening], world: World, player: str, rank: str) -> int:
    """Return the number of cards in pairs that a player was dealt and has not laid down yet."""
    return 0 if moment.events else 2 * int(world[pairs_name(player, rank)])
