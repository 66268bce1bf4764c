"""The suspects, weapons and rooms, and a plan of the rooms."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from symkripke.drawing.cards import BACK, PEOPLE, Arrow, Face, art_of
from symkripke.play import GameState, Outcome
from symkripke.play.views.pictures import Gesture, Pictures
from symkripke_games.cluedo.rules import Accusation, Happening, Setup, Suggestion

_ART = art_of(__package__, "art.svg")

_SUSPECTS = {
    "scarlett": "long-hair",
    "scarlet": "long-hair",
    "mustard": "officer",
    "white": "cook",
    "orchid": "curls",
    "green": "clergyman",
    "peacock": "feathers",
    "plum": "scholar",
}
_SAME = {"wrench": "spanner"}
_PLAN = (
    ("kitchen", 0, 0, 3, 3),
    ("ballroom", 3, 0, 4, 3),
    ("conservatory", 7, 0, 3, 2),
    ("dining_room", 0, 3, 4, 2),
    ("billiard_room", 7, 2, 3, 1.5),
    ("library", 7, 3.5, 3, 1.5),
    ("lounge", 0, 5, 3, 2),
    ("hall", 3, 5, 4, 2),
    ("study", 7, 5, 3, 2),
)
"""Each room of the usual house: left edge, upper edge, width and height."""

_UNIT = 24


class CluedoPictures(Pictures[Setup, Happening]):
    """The pictures of Cluedo."""

    def face(self, card: str) -> Face:
        """Return a card; suspects have the colours of their seats, weapons and rooms one colour."""
        title = self.title(card)
        suspects, weapons, _ = self.setup.edition.categories
        ids = [suspect.id for suspect in suspects]
        if card in ids:
            name = _SUSPECTS.get(card) or tuple(PEOPLE)[ids.index(card) % len(PEOPLE)]
            return Face(name, title, PEOPLE[name], title.split()[-1], ids.index(card) % 8)
        tone = 0 if any(weapon.id == card for weapon in weapons) else 2
        return Face(card, title, _ART.get(_SAME.get(card, card), ""), title, tone)

    def emblem(self) -> Sequence[Face]:
        """Return two suspects, a weapon and a room."""
        suspects, weapons, rooms = self.setup.edition.categories
        return [self.face(piece.id) for piece in (*suspects[:2], weapons[0], rooms[-1])]

    def portrait(self, player: str) -> Face:
        """Return the suspect of that name, or else the usual avatar."""
        if player in _SUSPECTS and player in (piece.id for piece in self.setup.edition.cards):
            face, seat = self.face(player), self.setup.players.index(player)
            return Face(face.name, self.layout.person(player), face.art, tone=seat % 8)
        return super().portrait(player)

    def gesture(self, outcome: Outcome[Happening]) -> Gesture:
        """Return a suggestion with those who pass and the card that is shown."""
        event = outcome.public
        if isinstance(event, Suggestion):
            arrows = [Arrow(event.player, other, "passes") for other in event.passes]
            if event.shower is not None:
                cards = [self.face(c) for c in outcome.secret.values() if c in event.cards]
                arrows.append(Arrow(event.player, event.shower, "asks"))
                arrows.append(Arrow(event.shower, event.player, "gives", cards or [BACK]))
            return Gesture(event.player, arrows, [self.face(card) for card in event.cards])
        if isinstance(event, Accusation):
            return Gesture(event.player, (), [self.face(card) for card in event.cards])
        return Gesture(event.player)

    def board(self, state: GameState[Happening], outcome: Outcome[Happening] | None) -> str:
        """Return the plan of the rooms; the room that the event names is lit."""
        rooms = self.setup.edition.rooms
        event = None if outcome is None else outcome.public
        named = event.cards if isinstance(event, Suggestion | Accusation) else ()
        places = {name: place for name, *place in _PLAN}
        if any(room.id not in places for room in rooms):
            places = {
                room.id: [3 * (number % 3), 2 * (number // 3), 3, 2]
                for number, room in enumerate(rooms)
            }
        parts = []
        for room in rooms:
            x, y, wide, high = (_UNIT * size for size in places[room.id])
            lit = " lit" if room.id in named else ""
            size = min(wide, high) - 8
            parts.append(
                f'<g class="room{lit} t2"><title>{escape(room.title)}</title>'
                f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}"/>'
                f'<use href="#face-{escape(room.id)}" x="{x + (wide - size) / 2:g}" '
                f'y="{y + (high - size) / 2:g}" width="{size:g}" height="{size:g}"/></g>'
            )
        width = max(x + wide for x, _, wide, _ in places.values()) * _UNIT
        height = max(y + high for _, y, _, high in places.values()) * _UNIT
        lit_rooms = [room.title for room in rooms if room.id in named]
        said = f"Plan of the rooms; the {lit_rooms[0]} is lit" if lit_rooms else "Plan of the rooms"
        return (
            f'<svg class="plan" viewBox="-1 -1 {width + 2:g} {height + 2:g}" role="img" '
            f'aria-label="{escape(said)}">{"".join(parts)}</svg>'
        )
