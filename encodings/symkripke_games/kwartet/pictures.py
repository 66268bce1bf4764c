"""An emblem for each group of cards, dots for the cards of a group, and piles on the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from html import escape

from symkripke.drawing.cards import BACK, Arrow, Face, art_of
from symkripke.engines import Mark
from symkripke.play import GameState, Moment, Outcome
from symkripke.play.views.pictures import Gesture, Pictures
from symkripke.play.views.sheet import Place
from symkripke_games.kwartet.decks import TABLE, Group
from symkripke_games.kwartet.rules import Happening, Question, Setup

_ART = art_of(__package__, "art.svg")

_SUITS = {"spades": 7, "hearts": 0, "diamonds": 0, "clubs": 7}
"""The tone of each suit."""

_SIGNS = {
    **{
        word: str(number)
        for number, word in enumerate(
            ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 2
        )
    },
    **{word: word[0].upper() for word in ("ace", "jack", "queen", "king")},
}
"""The sign of each rank, as on playing cards."""

_RANK = '<text class="card-sign" transform="translate(16 25) scale(2.4)">{}</text>'
_SHIELD = (
    '<path class="f-soft edge-tone" d="M5 4h22v12c0 7-5 10-11 13C10 26 5 23 5 16z"/>'
    '<text class="card-sign" x="16" y="19.5">{}</text>'
)

_TONES = {
    "super_heroes": 4,
    "healthy_food": 3,
    "things_to_trip_over": 2,
    "baddies": 0,
    "fantasy_races": 5,
    "instruments": 6,
    "vehicles": 2,
    "trees": 0,
    "weather": 4,
    "garden_tools": 3,
    "cakes": 5,
    "planets": 1,
}
"""The tones of groups that differ from the tone of their number in the deck."""


class KwartetPictures(Pictures[Setup, Happening]):
    """The pictures of Kwartet."""

    def draw(self, card: str) -> Face:
        """Return a card: the emblem of its group, and as many dots as its place in the group.

        Playing cards have their rank and suit instead.
        """
        group = self._groups[self.setup.group_of[card]]
        place = self.setup.cards_of[group.id].index(card)
        title = group.cards[place].title
        rank, _, suit = card.partition("_of_")
        if rank in _SIGNS and suit in _SUITS:
            art, tone = _ART[suit], _SUITS[suit]
            return Face(
                card, title, art, title, tone, group.id, shared=f"suit-{suit}", sign=_SIGNS[rank]
            )
        emblem = self._emblem(group.id)
        return replace(
            emblem, name=card, title=title, label=title, shared=emblem.name, dots=place + 1
        )

    def _emblem(self, group: str) -> Face:
        """Return the emblem of a group; without art, its letters on a shield.

        Playing cards of a rank have its sign.
        """
        ranks = {card.partition("_of_")[0] for card in self.setup.cards_of[group]}
        sign = _SIGNS.get(ranks.pop(), "") if len(ranks) == 1 else ""
        art = _ART.get(group) or (
            _RANK.format(sign) if sign else _SHIELD.format(escape(self._letters[group]))
        )
        title, number = self._groups[group].title, list(self._groups).index(group)
        return Face(f"group-{group}", title, art, title, _TONES.get(group, number % 8), group)

    @cached_property
    def _groups(self) -> Mapping[str, Group]:
        return {group.id: group for group in self.setup.groups}

    @cached_property
    def _letters(self) -> Mapping[str, str]:
        """One or two letters of each title that no other group has, or a letter and a number."""
        titles = {group.id: group.title.upper() for group in self.setup.groups}
        firsts = [title[0] for title in titles.values()]
        found: dict[str, str] = {}
        for number, (group, title) in enumerate(titles.items(), 1):
            first = title[0]
            pairs = [first + letter.lower() for letter in title[1:] if letter.isalpha()]
            signs = [first] if firsts.count(first) == 1 else [*pairs, f"{first}{number}"]
            found[group] = next(sign for sign in signs if sign not in found.values())
        return found

    def emblem(self) -> Sequence[Face]:
        """Return a card of each of the first groups."""
        groups = self.setup.groups[:4]
        return [self.face(group.cards[place].id) for place, group in enumerate(groups)]

    # ---- piles -----------------------------------------------------------------------------------

    def held(
        self, moment: Moment[Setup, Happening], known: Mapping[Place, Mark] | None = None
    ) -> Mapping[str, Sequence[Face]]:
        """Return the cards of each player, and a pile for each group on the table."""
        return self._with_piles(super().held(moment, known))

    def in_view(
        self,
        moment: Moment[Setup, Happening],
        marks: Mapping[Place, Mark],
        state: GameState[Happening],
    ) -> Mapping[str, Sequence[Face]]:
        """Return the cards that a player sees, and a pile for each group on the table."""
        return self._with_piles(super().in_view(moment, marks, state))

    def _with_piles(self, held: Mapping[str, Sequence[Face]]) -> Mapping[str, Sequence[Face]]:
        down = [face if face is BACK else self._pile(face.group) for face in held.get(TABLE, ())]
        return {**held, TABLE: list(dict.fromkeys(down))} if down else held

    def _pile(self, group: str) -> Face:
        """Return a complete group that has been laid down."""
        return replace(self._emblem(group), group="", is_pile=True)

    # ---- events ----------------------------------------------------------------------------------

    def gesture(self, outcome: Outcome[Happening]) -> Gesture:
        """Return a question for a card; a card that is given goes back on the arrow."""
        event = outcome.public
        if not isinstance(event, Question):
            return Gesture()
        card = self.face(event.card)
        arrows = [Arrow(event.player, event.asked, "asks")]
        if event.given:
            arrows.append(Arrow(event.asked, event.player, "gives", [card]))
        return Gesture(event.player, arrows, [card])
