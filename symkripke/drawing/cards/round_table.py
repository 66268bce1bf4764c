"""A table seen from above: the players round it, their cards, and the last event between them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from itertools import count, product
from math import cos, hypot, pi, sin

from symkripke.drawing.cards.face import CARD_HEIGHT, CARD_WIDTH, Face, card, fan, gaps_between
from symkripke.drawing.text_width import text_width, wrapped

_TITLES = re.compile("<title>.*?</title>")

SIZE = (556.0, 500.0)
"""The width and height of the picture."""

_CENTRE = (278.0, 248.0)
_TABLE = (214.0, 142.0)
_SEATS = (238.0, 174.0)
_HANDS = (0.62, 0.66)
_BESIDE = 0.19
"""The additional vertical share for the hand of a player at the left or right end."""
_TRAYS = (0.55, 0.6)
"""The shares for things without frames, which are closer to the middle than cards."""

_PORTRAIT = 58.0
_CARD = 42.0
_HAND = 108.0
_VISIBLE = 0.5
"""The share of a card that must be visible in a row of cards."""
_SMALL_CARD = 31.0
"""The height of cards in two rows."""
_MIDDLE_CARD = 56.0
_MIDDLE = 124.0
"""The width available for the cards of one place in the middle."""
_NOTE = 12.0
"""The font size of notes, as in cards.css."""
_LEADING = 18.0
"""The height of a line of notes, which are larger on small screens."""
_HEADING = 23.0
"""The height reserved for the title above a place in the middle."""
_RING = 33.0
"""The radius of a portrait with its ring."""
_WAYS = tuple(
    sorted(
        product((0.33, 0.28, 0.38, 0.23, 0.43, 0.5, 0.57, 0.64, 0.7), (0, 12, -12, 24, -24)),
        key=lambda way: abs(way[1]),
    )
)
"""The places for cards on an arrow, best first: a share of the way, and a distance to the side."""
_NAME = 18
"""The size of names on a phone, in units of the picture."""


@dataclass(frozen=True)
class SeatPicture:
    """A player at the table.

    Attributes:
        name: the player's name in addresses and in `Arrow`.
        portrait: the player's avatar; its tone is the player's colour.
        hand: the cards in front of the player.
        share: the part of the answers that the player still considers possible, from 0 to 100;
            None if it is unknown.
        note: a few words below the name: "certain".
        is_due: whether the player acts in the last event.
        is_open: whether the player's knowledge is shown.
        is_out: whether the player is out of the game.
        href: the address that a click on the player leads to; empty: none.
    """

    name: str
    portrait: Face
    hand: Sequence[Face] = ()
    share: float | None = None
    note: str = ""
    is_due: bool = False
    is_open: bool = False
    is_out: bool = False
    href: str = ""


@dataclass(frozen=True)
class Arrow:
    """A part of the last event that leads from a player to another.

    Attributes:
        start: the name of the first player.
        end: the name of the second player.
        kind: "asks", "gives" or "passes", for its look.
        faces: the cards that go this way.
    """

    start: str
    end: str
    kind: str
    faces: Sequence[Face] = ()


@dataclass(frozen=True)
class RoundTable:
    """The content of a picture of the table.

    Attributes:
        seats: the players in seat order.
        middle: the title and the cards of each place in the middle.
        spoken: the things that the last event names, such as the suggested cards.
        spoken_title: the title above them.
        arrows: the last event.
        description: the text alternative.
    """

    seats: Sequence[SeatPicture]
    middle: Sequence[tuple[str, Sequence[Face]]] = ()
    spoken: Sequence[Face] = ()
    spoken_title: str = "asked for"
    arrows: Sequence[Arrow] = ()
    description: str = ""

    @property
    def faces(self) -> Iterator[Face]:
        """All faces in the picture, for `symbols`."""
        for seat in self.seats:
            yield seat.portrait
            yield from seat.hand
        for _, cards in self.middle:
            yield from cards
        yield from self.spoken
        for arrow in self.arrows:
            yield from arrow.faces


Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""A rectangle: the left, upper, right and lower edge."""


def round_table(table: RoundTable) -> str:
    """Return the picture as an `svg` element; the page must contain the `symbols` of its faces."""
    width, height = SIZE
    return (
        f'<svg class="round-table" viewBox="0 0 {width:g} {height:g}" role="group" '
        f'aria-label="{escape(table.description)}">{content(table)}</svg>'
    )


def film(tables: Sequence[RoundTable], shown: int) -> str:
    """Return several moments of a game in one SVG; CSS shows one of them.

    The parts that all moments share are drawn once. The event of each moment is an element `g` with
    its number in `data-frame`; the element of the shown moment has the class `shown`.

    Args:
        tables: the moments; hands and the middle are those of the first.
        shown: the number of the moment that is shown at first.
    """
    first, at = tables[0], _at(tables[0])
    width, height = SIZE
    parts = [_felt()]
    parts += _middle(replace(first, spoken=()), slots=2)
    parts += [_hand(seat, at[seat.name], set()) for seat in first.seats]
    taken = [*_hand_boxes(first, at), *_middle_boxes(first, slots=2)]
    parts += [_seat(replace(seat, is_due=False), at[seat.name]) for seat in first.seats]
    for number, table in enumerate(tables):
        css = ' class="shown"' * (number == shown)
        due = [at[seat.name] for seat in table.seats if seat.is_due]
        inner = [
            *(f'<circle class="ring" cx="{x:.4g}" cy="{y:.4g}" r="{_RING:g}"/>' for x, y in due),
            *(_arrow(arrow, at) for arrow in table.arrows),
            *_middle(replace(table, middle=()), slots=2),
            *(_given(arrow, at, taken) for arrow in table.arrows if arrow.faces),
        ]
        drawn = _TITLES.sub("", "".join(inner))  # The caption describes the event.
        parts.append(f'<g data-frame="{number}"{css}>{drawn}</g>')
    return (
        f'<svg class="round-table" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="{escape(first.description)}">{"".join(parts)}</svg>'
    )


def _felt() -> str:
    (x, y), (wide, high) = _CENTRE, _TABLE
    return f'<ellipse class="f-felt edge" cx="{x:g}" cy="{y:g}" rx="{wide:g}" ry="{high:g}"/>'


def _at(table: RoundTable) -> dict[str, Point]:
    """Return the place of each player."""
    places = _places(len(table.seats))
    return {seat.name: place for seat, place in zip(table.seats, places, strict=True)}


def content(table: RoundTable) -> str:
    """Return the elements of the picture."""
    at, parts = _at(table), [_felt()]
    arrows = [arrow for arrow in table.arrows if arrow.start in at and arrow.end in at]
    parts += [_arrow(arrow, at) for arrow in arrows]
    parts += _middle(table)
    for seat in table.seats:
        gone = {
            face.name
            for arrow in arrows
            if arrow.start == seat.name
            for face in arrow.faces
            if face.is_content  # Cards that lie face down cannot be told apart.
        }
        parts.append(_hand(seat, at[seat.name], gone))
    taken = [*_hand_boxes(table, at), *_middle_boxes(table)]
    parts += [_given(arrow, at, taken) for arrow in arrows if arrow.faces]
    parts += [_seat(seat, at[seat.name]) for seat in table.seats]
    return "".join(parts)


def _places(seats: int) -> list[Point]:
    """Return the places round the table, clockwise from the bottom.

    No place is level with the middle of the table, where its cards would be in the way.
    """
    (x, y), (wide, high) = _CENTRE, _SEATS
    first = pi / 2 + (pi / seats if seats % 4 == 0 else 0)
    angles = [first + 2 * pi * seat / seats for seat in range(seats)]
    return [(x + wide * cos(angle), y + high * sin(angle)) for angle in angles]


def _towards(place: Point, share_x: float, share_y: float) -> Point:
    """Return the point at these shares of the way from the centre to a place, one for each axis."""
    return (
        _CENTRE[0] + (place[0] - _CENTRE[0]) * share_x,
        _CENTRE[1] + (place[1] - _CENTRE[1]) * share_y,
    )


def _seat(seat: SeatPicture, place: Point) -> str:
    """Return a player: a disc with the portrait; outside, the name, a bar and a note."""
    x, y = place
    radius = _PORTRAIT / 2
    is_above = y < _CENTRE[1] - 80
    name_y, bar_y, note_y = (-39.0, -34.5, -57.0) if is_above else (47.0, 51.5, 71.0)
    name = _fitting(seat.portrait.title, x)
    parts = [f"<title>{escape(seat.portrait.title)}</title>"]
    if seat.is_due:
        parts.append(f'<circle class="ring" r="{_RING:g}"/>')
    parts += [
        f'<circle class="f-soft edge-tone" r="{radius:g}"/>',
        f'<use href="#face-{escape(seat.portrait.symbol)}" x="-23" y="-22" width="46" '
        'height="46"/>',
        f'<text class="table-name" y="{name_y:g}">{escape(name)}</text>',
    ]
    if seat.is_open:
        parts.append(
            '<circle class="f-tone" cx="22" cy="-20" r="9"/>'
            '<path class="eye-lines" d="M16.5-20q5.5-6.5 11 0-5.5 6.5-11 0zM22-20v.1"/>'
        )
    if seat.share is not None:
        parts.append(
            f'<rect class="bar-whole" x="-30" y="{bar_y:g}" width="60" height="4" rx="2"/>'
            f'<rect class="f-tone" x="-30" y="{bar_y:g}" width="{seat.share * 0.6:.3g}" height="4" '
            'rx="2"/>'
        )
    if seat.note:
        parts.append(f'<text class="table-note" y="{note_y:g}">{escape(seat.note)}</text>')
    inner = "".join(parts)
    if seat.href:
        label = escape(f"Open the mind of {seat.portrait.title}")
        inner = f'<a href="{escape(seat.href)}" data-swap aria-label="{label}">{inner}</a>'
    classes = f"seat-picture t{seat.portrait.tone}" + " out" * seat.is_out
    return f'<g class="{classes}" transform="translate({x:.4g} {y:.4g})">{inner}</g>'


def _fitting(name: str, x: float) -> str:
    """Return a name, shortened if it does not fit into the picture with its middle at `x`."""
    room, shown = 2 * min(x, SIZE[0] - x), name
    while len(shown) > 1 and text_width(shown, _NAME, bold=True) > room:
        shown = shown[:-1]
    return name if shown == name else f"{shown[:-1].rstrip()}…"


def _hand(seat: SeatPicture, place: Point, marked: set[str]) -> str:
    if not any(face.has_frame for face in seat.hand):
        x, y = _towards(place, *_TRAYS)
        return fan(seat.hand, x, y - _CARD / 2, _CARD, _HAND, marked)
    centre = _hand_centre(place, _rows(seat.hand, _CARD, _HAND) > 1)
    return _spread(seat.hand, centre, _CARD, _HAND, marked)


@lru_cache(64)
def _hand_centre(place: Point, in_rows: bool) -> Point:
    """Return the middle of a player's hand: between the player and the middle, clear of both."""
    share_x, share_y = _HANDS
    share_y += _BESIDE * ((place[0] - _CENTRE[0]) / _SEATS[0]) ** 2
    x, y = _towards(place, share_x, share_y)
    wide, high = _HAND / 2, (_SMALL_CARD + 2) if in_rows else _CARD / 2
    to_x, to_y = (1 if place[0] < _CENTRE[0] else -1), (1 if place[1] < _CENTRE[1] else -1)
    middle = (
        _CENTRE[0] - _MIDDLE,
        _CENTRE[1] - _MIDDLE_CARD / 2 - _HEADING,
        _CENTRE[0] + _MIDDLE,
        _CENTRE[1] + _MIDDLE_CARD / 2,
    )
    is_beside = abs(place[0] - _CENTRE[0]) > wide
    for right, down in _SHIFTS:
        at_x, at_y = x + right * to_x, y + down * to_y
        box = (at_x - wide, at_y - high, at_x + wide, at_y + high)
        gap_x = max(box[0] - place[0], place[0] - box[2], 0.0)
        gap_y = max(box[1] - place[1], place[1] - box[3], 0.0)
        crosses = is_beside and box[0] < _CENTRE[0] < box[2]
        if hypot(gap_x, gap_y) >= _RING - 2 and not crosses and not _overlap(box, middle):
            return at_x, at_y
    return x, y


_SHIFTS = sorted(product(range(0, 64, 4), range(0, 48, 4)), key=lambda shift: hypot(*shift))
"""The distances by which a hand may be moved towards the middle, the shortest first."""


def _overlap(box: Box, other: Box) -> float:
    """Return the area that two rectangles share."""
    wide = min(box[2], other[2]) - max(box[0], other[0])
    high = min(box[3], other[3]) - max(box[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0.0


def _hand_boxes(table: RoundTable, at: dict[str, Point]) -> list[Box]:
    """Return the rectangles of the hands."""
    boxes = []
    for seat in table.seats:
        if seat.hand:
            in_rows = _rows(seat.hand, _CARD, _HAND) > 1
            x, y = _hand_centre(at[seat.name], in_rows)
            high = (_SMALL_CARD + 2) if in_rows else _CARD / 2
            wide = _width(seat.hand) / 2
            boxes.append((x - wide, y - high, x + wide, y + high))
    return boxes


def _width(faces: Sequence[Face]) -> float:
    """Return the width of a hand."""
    single = _CARD * CARD_WIDTH / CARD_HEIGHT
    return min(_HAND, single * (1 + 0.9 * sum(gaps_between(faces))))


def _rows(faces: Sequence[Face], height: float, width: float) -> int:
    """Return the number of rows of cards: two if one row would show too little of each card."""
    single = height * CARD_WIDTH / CARD_HEIGHT
    return 1 if sum(gaps_between(faces)) * _VISIBLE * single < width - single else 2


def _spread(
    faces: Sequence[Face], centre: Point, height: float, width: float, marked: Iterable[str] = ()
) -> str:
    """Return cards in a row, or in two rows of smaller cards if there are too many for one row."""
    (x, y), gaps = centre, gaps_between(faces)
    if _rows(faces, height, width) == 1:
        return fan(faces, x, y - height / 2, height, width, marked)
    half, small = sum(gaps) / 2, _SMALL_CARD
    cut = min(
        range(1, len(faces)),
        key=lambda cut: (abs(sum(gaps[:cut]) - half) + (gaps[cut - 1] < 1), cut),
    )
    top = y - small - (2 if y > _CENTRE[1] else 0)  # A portrait may be close below.
    return fan(faces[:cut], x, top, small, width, marked) + fan(
        faces[cut:], x, top + small + 2, small, width, marked
    )


def _middle_places(
    table: RoundTable, slots: int
) -> tuple[list[tuple[float, str, Sequence[Face], str]], float]:
    """Return the places with cards in the middle, and the width available for the cards of each.

    A place consists of the x-coordinate of its middle, its title, its cards and its CSS class.
    Cards that the last event names come first. With `slots`, there are at least this many places,
    and the first is reserved for named cards.
    """
    spoken = [(table.spoken_title, table.spoken, "spoken")]
    places = [*spoken, *((title, cards, "") for title, cards in table.middle if cards)]
    if not slots:
        places = [place for place in places if place[1]]
    number_of_places = max(len(places), slots)
    left = _CENTRE[0] - (number_of_places - 1) * _MIDDLE / 2
    room = (_MIDDLE if number_of_places > 1 else 2 * _MIDDLE) - 8
    placed = [(left + number * _MIDDLE, *place) for number, place in enumerate(places)]
    return [place for place in placed if place[2]], room


def _middle(table: RoundTable, slots: int = 0) -> list[str]:
    """Return the places in the middle, side by side; long titles are below all of them."""
    y = _CENTRE[1]
    places, room = _middle_places(table, slots)

    def titled(x: float, title: str) -> str:
        low, lines = y - _MIDDLE_CARD / 2 - 7, [title]
        if text_width(title, _NOTE) > room:
            x, low = _CENTRE[0], y + _MIDDLE_CARD / 2 + _LEADING
            lines = wrapped(title, 2 * _MIDDLE, _NOTE)
        return "".join(
            f'<text class="table-note" x="{x:g}" y="{low + below:g}">{escape(line)}</text>'
            for below, line in zip(count(step=_LEADING), lines, strict=False)
        )

    return [
        f'<g class="place {css}">{titled(x, title)}{_spread(cards, (x, y), _MIDDLE_CARD, room)}</g>'
        for x, title, cards, css in places
    ]


def _middle_boxes(table: RoundTable, slots: int = 0) -> list[Box]:
    """Return the rectangles of the places in the middle; with `slots`, of all available places."""
    x, y = _CENTRE
    places, room = _middle_places(table, slots)
    middles = [place[0] for place in places]
    if slots:
        middles = [x + (number - (slots - 1) / 2) * _MIDDLE for number in range(slots)]
    high = _MIDDLE_CARD / 2
    return [
        (middle - room / 2, y - high - _HEADING, middle + room / 2, y + high) for middle in middles
    ]


def _curve(arrow: Arrow, at: dict[str, Point]) -> tuple[Point, Point, Point]:
    """Return the start, the control point and the end of an arrow.

    It keeps to the right, so that two arrows in opposite directions do not cover each other.
    """
    start, end = _towards(at[arrow.start], 0.86, 0.81), _towards(at[arrow.end], 0.86, 0.81)
    bend = _towards(((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), 0.6, 0.6)
    side = (start[1] - end[1], end[0] - start[0])
    length = max(hypot(*side), 1.0)
    bend = bend[0] + side[0] / length * 22, bend[1] + side[1] / length * 22
    return start, bend, end


def _arrow(arrow: Arrow, at: dict[str, Point]) -> str:
    """Return a curved arrow between two players, bent towards the middle."""
    start, bend, end = _curve(arrow, at)
    back = (bend[0] - end[0], bend[1] - end[1])
    unit = back[0] / max(hypot(*back), 1.0), back[1] / max(hypot(*back), 1.0)
    left = end[0] + unit[0] * 11 - unit[1] * 5, end[1] + unit[1] * 11 + unit[0] * 5
    right = end[0] + unit[0] * 11 + unit[1] * 5, end[1] + unit[1] * 11 - unit[0] * 5
    head = " ".join(f"{x:.4g},{y:.4g}" for x, y in (end, left, right))
    return (
        f'<g class="arrow {arrow.kind}"><path d="M{start[0]:.3g} {start[1]:.3g}Q{bend[0]:.3g} '
        f'{bend[1]:.3g} {end[0]:.3g} {end[1]:.3g}"/><polygon points="{head}"/></g>'
    )


def _given(arrow: Arrow, at: dict[str, Point], taken: Iterable[Box]) -> str:
    """Return the cards on an arrow, where they cover the rectangles in `taken` least."""
    curve = _curve(arrow, at)
    step = min(30.0, 110 / max(len(arrow.faces) - 1, 1))
    wide = step * (len(arrow.faces) - 1) + CARD_WIDTH * _CARD / CARD_HEIGHT

    def corner(way: tuple[float, int]) -> Point:
        """Return the upper left corner of the cards, for one of `_WAYS`."""
        share, aside = way
        parts = ((1 - share) ** 2, 2 * share * (1 - share), share**2)
        x, y = (
            sum(part * point[axis] for part, point in zip(parts, curve, strict=True))
            for axis in (0, 1)
        )
        start, _, end = curve
        across, down = end[0] - start[0], end[1] - start[1]
        away = aside / max(hypot(across, down), 1.0)
        return x - down * away - wide / 2, y + across * away - _CARD / 2

    def covered(way: tuple[float, int]) -> float:
        left, top = corner(way)
        box = left, top, left + wide, top + _CARD
        return sum(_overlap(box, other) for other in taken)

    left, top = corner(min(_WAYS, key=covered))
    return "".join(
        card(face, left + step * number, top, _CARD, css="given")
        for number, face in enumerate(arrow.faces)
    )
