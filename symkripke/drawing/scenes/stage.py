"""A scene as data, and its picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from math import ceil
from typing import Literal

from symkripke.drawing.cards import Face
from symkripke.drawing.scenes.props import Prop, drawn, question, row
from symkripke.drawing.text_width import text_width, wrapped

MOST_PEOPLE = 12
"""The maximum number of people in a picture."""

_WIDTH = 440.0
_EDGE = 8.0
_PER_ROW = 6
_LINE = 18.0
_TEXT = 14.0
_BUBBLE = 44.0
_ADULT, _CHILD = 68.0, 56.0
_HAND = 24.0
_SMALL_ROWS = 4
_THING = 52.0
_OPEN = ("basket", "box", "plate")
"""Containers whose content is drawn above them; the content of others is drawn in front."""


@dataclass(frozen=True)
class Thought:
    """The thought of a person about the facts of the scene.

    Attributes:
        props: the things in the bubble; empty: a question mark, because nothing is known.
        is_belief: whether the person believes this without knowing it.
    """

    props: Sequence[Prop] = ()
    is_belief: bool = False


@dataclass(frozen=True)
class Actor:
    """A person on the stage.

    Attributes:
        title: the name below the person.
        portrait: the avatar; its tone is the person's colour.
        is_child: whether the person is drawn as a child.
        forehead: a thing on the forehead.
        hat: a thing on the head.
        hand: the things in front of the person.
        thought: what the person thinks; None: no bubble.
        is_due: whether the person acts or speaks now.
        is_away: whether the person is somewhere else; such people are pale.
    """

    title: str
    portrait: Face
    is_child: bool = False
    forehead: Prop | None = None
    hat: Prop | None = None
    hand: Sequence[Prop] = ()
    thought: Thought | None = None
    is_due: bool = False
    is_away: bool = False


@dataclass(frozen=True)
class Thing:
    """A thing in the middle of the stage, or a container with its content.

    Attributes:
        title: the text below it.
        prop: the thing.
        inside: the thing in it or above it; None: empty.
    """

    title: str
    prop: Prop
    inside: Prop | None = None


@dataclass(frozen=True)
class Board:
    """The remaining possibilities, on a sheet of paper.

    Attributes:
        title: the heading.
        rows: for each row its heading and its entries; an entry is a text, with True if it is still
            possible.
        note: the words below.
    """

    title: str
    rows: Sequence[tuple[str, Sequence[tuple[str, bool]]]]
    note: str = ""


@dataclass(frozen=True)
class Room:
    """The space reserved in all scenes of a puzzle, so that nothing moves between two steps.

    Attributes:
        lines: the number of lines of words.
        thoughts: whether there are thought bubbles.
        hands: whether there are things in front of people.
        middle: whether there are things in the middle.
        board: the number of rows of the board.
        note: whether there are words below the board.
    """

    lines: int = 2
    thoughts: bool = False
    hands: bool = False
    middle: bool = False
    board: int = 0
    note: bool = False


@dataclass(frozen=True)
class Stage:
    """The content of a picture.

    Attributes:
        actors: the people, at most `MOST_PEOPLE`.
        absent: the number of people who are not drawn; they stand in the middle of the row.
        things: the things in the middle.
        board: the remaining possibilities; None: no board.
        text: the words of the step.
        kind: "said" for a speech bubble, "told" for the words of the narrator.
        room: the space to reserve.
        description: the text alternative.
    """

    actors: Sequence[Actor]
    absent: int = 0
    things: Sequence[Thing] = ()
    board: Board | None = None
    text: str = ""
    kind: Literal["said", "told"] = "told"
    room: Room = field(default_factory=Room)
    description: str = ""

    def props(self) -> Iterator[Prop]:
        """Yield all things in the picture."""
        for actor in self.actors:
            yield from actor.hand
            yield from (each for each in (actor.forehead, actor.hat) if each is not None)
            if actor.thought is not None:
                yield from actor.thought.props
        for thing in self.things:
            yield thing.prop
            if thing.inside is not None:
                yield thing.inside


def faces_of(stages: Sequence[Stage]) -> Iterator[Face]:
    """Yield the art of all people and things, for the symbols of a page."""
    for each in stages:
        yield from (actor.portrait for actor in each.actors)
        yield from (face for prop in each.props() if (face := prop.face) is not None)


def stage(scene: Stage) -> str:
    """Return the picture as an `svg` element; the page must contain the symbols of its faces."""
    return _picture(scene, _WIDTH, small=False)


def thumbnail(scene: Stage) -> str:
    """Return a small picture without words, names or thoughts."""
    people = len(scene.actors) * 80.0
    middle = len(scene.things) * 84.0 + (0 if scene.board is None else 230)
    return _picture(scene, max(people, middle, 160.0) + 2 * _EDGE, small=True)


def _picture(scene: Stage, width: float, *, small: bool) -> str:
    room, parts = scene.room, []
    count = len(scene.actors) + (scene.absent > 0)
    rows = max(1, ceil(count / _PER_ROW))
    per_row = ceil(count / rows) or 1
    cell = min((width - 2 * _EDGE) / per_row, 124.0)
    scale = min(1.0, cell / 80)
    text_high = 0.0 if small or not room.lines else room.lines * _LINE + 27
    think_high = 0.0 if small or not room.thoughts else _BUBBLE + 8
    hand_high = _HAND * 0.9 * room.hands
    hat_high = 18.0 if any(actor.hat for actor in scene.actors) else 2.0
    person_high = _ADULT + 4 + hand_high + (0 if small else 20)
    row_high = think_high + hat_high + person_high
    ground = text_high + rows * row_high + (10 if small or scene.room.board else 6)
    middle_high = _middle_height(scene, small=small)
    height = ground + middle_high + (8 if middle_high or small else 2)
    floor = text_high + rows * row_high - (person_high - _ADULT) - 14
    parts.append(
        f'<rect class="f-felt" y="{floor:.4g}" width="{width:g}" '
        f'height="{height - floor:.4g}" rx="10"/>'
    )
    due: list[tuple[float, float]] = []
    places = [*range(len(scene.actors))]
    if scene.absent:
        places.insert(len(places) // 2 + len(places) % 2, -1)
    for number, place in enumerate(places):
        line = number // per_row
        here = min(per_row, len(places) - line * per_row)
        x = (width - here * cell) / 2 + (number % per_row + 0.5) * cell
        base = text_high + (line + 1) * row_high
        if place < 0:
            words = f"{scene.absent:,} more"
            parts.append(f'<text class="scene-note" x="{x:.4g}" y="{base - 48:.4g}">{words}</text>')
            continue
        actor = scene.actors[place]
        parts.append(_actor(actor, x, base - person_high, cell, scale, room, small=small))
        if actor.is_due and line == 0:
            due.append((x, text_high + (think_high + hat_high if actor.thought is None else 0)))
    if scene.text and not small and room.lines:
        parts.append(_words(scene, due, text_high))
    fit = ' preserveAspectRatio="xMinYMax"' if small else ""
    if middle_high:
        parts.append(_middle(scene, width, ground, small=small))
    return (
        f'<svg class="stage" viewBox="0 0 {width:g} {height:.4g}"{fit} role="img" '
        f'aria-label="{escape(scene.description)}">{"".join(parts)}</svg>'
    )


# ---- people --------------------------------------------------------------------------------------


def _actor(
    actor: Actor, x: float, top: float, cell: float, scale: float, room: Room, *, small: bool
) -> str:
    """Return a person whose part of the picture begins at `top`, below the bubble."""
    size = (_CHILD if actor.is_child else _ADULT) * scale
    head = top + _ADULT - size + 4
    tone = f"t{actor.portrait.tone}"
    parts = []
    if actor.is_due and not small:
        centre, radius = head + size * 0.5, size * 0.56
        parts.append(f'<circle class="spot" cx="{x:.4g}" cy="{centre:.4g}" r="{radius:.4g}"/>')
    person: list[str] = []
    person.append(
        f'<use href="#face-{escape(actor.portrait.name)}" x="{x - size / 2:.4g}" y="{head:.4g}" '
        f'width="{size:.4g}" height="{size:.4g}"/>'
    )
    if actor.hat is not None:
        wide = size * 0.6
        person.append(drawn(actor.hat, x - wide / 2, head - wide * 0.42, wide))
    if actor.forehead is not None:
        wide = size * 0.31
        person.append(drawn(actor.forehead, x - wide / 2, head + size * 0.145, wide))
    parts.append(f'<g class="out">{"".join(person)}</g>' if actor.is_away else "".join(person))
    if actor.hand:
        parts.append(row(actor.hand, x, head + size - 8, _HAND * scale, cell - 8))
    if not small:
        low = top + _ADULT + (_HAND * 0.9 if room.hands else 0) + 19
        parts.append(_line("scene-name", actor.title, x, low, cell - 3, bold=True))
        if actor.thought is not None:
            parts.append(_thought(actor.thought, x, head, cell, actor.hat is not None))
    return f'<g class="{tone}">{"".join(parts)}</g>'


def _line(css: str, text: str, x: float, y: float, room: float, *, bold: bool = False) -> str:
    """Return a line of text, clipped and compressed to fit the available width."""
    while text_width(text, 12, bold=bold) > room * 1.35 and len(text) > 2:
        text = f"{text[:-2].rstrip()}…"
    squeezed = ""
    if text_width(text, 12, bold=bold) > room:
        squeezed = f' textLength="{room:.4g}" lengthAdjust="spacingAndGlyphs"'
    return f'<text class="{css}" x="{x:.4g}" y="{y:.4g}"{squeezed}>{escape(text)}</text>'


def _thought(thought: Thought, x: float, head: float, cell: float, has_hat: bool) -> str:
    """Return a thought bubble above a head."""
    low = head - (20 if has_hat else 6)
    wide = min(cell - 6, 86.0)
    top = low - _BUBBLE - 4
    css = "thought belief" if thought.is_belief else "thought"
    parts = [
        f'<rect class="bubble" x="{x - wide / 2:.4g}" y="{top:.4g}" width="{wide:.4g}" '
        f'height="{_BUBBLE - 6:g}" rx="18"/>',
        f'<circle class="bubble" cx="{x - 6:.4g}" cy="{low - 6:.4g}" r="3.6"/>',
        f'<circle class="bubble" cx="{x - 2:.4g}" cy="{low + 0.5:.4g}" r="2"/>',
    ]
    if thought.props:
        parts.append(row(thought.props, x, top + 4, _BUBBLE - 14, wide - 14))
    else:
        parts.append(question(x, top + (_BUBBLE - 6) / 2, 30))
    return f'<g class="{css}">{"".join(parts)}</g>'


# ---- words ---------------------------------------------------------------------------------------


def words_lines(text: str) -> list[str]:
    """Return the lines of the words of a step."""
    return wrapped(text, _WIDTH - 56, _TEXT)


def _words(scene: Stage, due: list[tuple[float, float]], high: float) -> str:
    """Return the words of the step: a speech bubble above its speakers, or a narrator's box."""
    lines, most = words_lines(scene.text), scene.room.lines
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1].rstrip('.,;')} …"]
    wide = min(max(text_width(line, _TEXT) for line in lines) + 28, _WIDTH - 8)
    tall = len(lines) * _LINE + 12
    is_said = scene.kind == "said" and bool(due)
    middle = sum(x for x, _ in due) / len(due) if is_said else _WIDTH / 2
    left = min(max(middle - wide / 2, 4), _WIDTH - 4 - wide)
    low = high - (12 if is_said else 8)
    top = low - tall
    parts = []
    if is_said:
        parts.append(
            f'<rect class="speech" x="{left:.4g}" y="{top:.4g}" width="{wide:.4g}" '
            f'height="{tall:g}" rx="12"/>'
        )
        for x, y in due:
            foot = min(max(x, left + 16), left + wide - 16)
            parts.append(
                f'<path class="speech" d="M{foot - 7:.4g} {low - 1:.4g}L{x:.4g} {y:.4g} '
                f'{foot + 7:.4g} {low - 1:.4g}"/>'
            )
    else:
        parts.append(
            f'<rect class="narrator" x="{left:.4g}" y="{top:.4g}" width="{wide:.4g}" '
            f'height="{tall:g}" rx="3"/>'
        )
    for number, line in enumerate(lines):
        y = top + 6 + _LINE * (number + 0.75)
        parts.append(
            f'<text class="scene-text" x="{left + wide / 2:.4g}" y="{y:.4g}">{escape(line)}</text>'
        )
    return "".join(parts)


# ---- the middle ----------------------------------------------------------------------------------


def _middle_height(scene: Stage, *, small: bool) -> float:
    """Return the height of the things and the board."""
    board = scene.room.board
    if small:
        board = min(board, _SMALL_ROWS)
    things = _THING + (24 if not small else 6) if scene.room.middle else 0.0
    edges = 18 if small else 34 + 16 * scene.room.note
    return max(things, board * 20 + edges) if board else things


def _middle(scene: Stage, width: float, top: float, *, small: bool) -> str:
    """Return the things in the middle, and the board beside them or alone."""
    parts: list[str] = []
    board = scene.board
    share = width * 0.42 if board is not None and scene.things else width
    if scene.things:
        cell = min(share / len(scene.things), 160.0 if len(scene.things) == 1 else 120.0)
        left = (share - cell * len(scene.things)) / 2
        for number, thing in enumerate(scene.things):
            parts.append(_thing(thing, left + (number + 0.5) * cell, top, cell, small=small))
    if board is not None:
        start = share if scene.things else 0.0
        parts.append(_board(board, start, width - start, top, small=small))
    return "".join(parts)


def _thing(thing: Thing, x: float, top: float, cell: float, *, small: bool) -> str:
    size = min(_THING, cell - 4)
    parts = []
    if thing.prop.art == "sign":
        parts.append(row([thing.prop], x, top + 14, 24, cell - 4))
    else:
        parts.append(drawn(thing.prop, x - size / 2, top, size))
    if thing.inside is not None:
        if thing.prop.art in _OPEN:
            inner, left, high = size * 0.52, -size * 0.26, -size * 0.17
        else:
            inner, left, high = size * 0.6, size * 0.06, size * 0.44
        parts.append(drawn(thing.inside, x + left, top + high, inner))
    if thing.title and not small:
        parts.append(_line("scene-note", thing.title, x, top + _THING + 16, cell - 4))
    return "".join(parts)


def _board(board: Board, left: float, wide: float, top: float, *, small: bool) -> str:
    """Return the sheet of the remaining possibilities."""
    rows = board.rows[:_SMALL_ROWS] if small else board.rows
    longest = max((len(entries) for _, entries in rows), default=1)
    has_heads = any(head for head, _ in rows)
    widest = max((text_width(text, 12) for _, entries in rows for text, _ in entries), default=20)
    room = widest + 10
    paper = min(wide - 12, 24 + (72 if has_heads else 0) + longest * room)
    step = (paper - 24 - (72 if has_heads else 0)) / max(longest, 1)
    start = left + (wide - paper) / 2
    tall = len(rows) * 20 + (30 if not small else 14)
    parts = [
        f'<rect class="f-paper edge" x="{start:.4g}" y="{top - 2:.4g}" width="{paper:.4g}" '
        f'height="{tall:g}" rx="4"/>',
        f'<path class="f-heart" d="M{start:.4g} {top + 4:.4g}v-2q0-4 4-4h{paper - 8:.4g}'
        'q4 0 4 4v2z"/>',
    ]
    y = top + (4 if small else 18)
    if not small:
        parts.append(_line("scene-note", board.title, start + paper / 2, y, paper - 8))
    for number, (head, entries) in enumerate(rows):
        low = y + 18 + number * 20 - (small * 2)
        x = start + 12
        if has_heads:
            parts.append(
                f'<text class="board-head" x="{x:.4g}" y="{low:.4g}">{escape(head)}</text>'
            )
            x += 72
        for place, (text, possible) in enumerate(entries):
            middle = x + (place + 0.5) * step
            css = "scene-note entry" if possible else "scene-note entry struck"
            if possible:
                parts.append(
                    f'<rect class="possible" x="{middle - step / 2 + 2:.4g}" y="{low - 13:.4g}" '
                    f'width="{step - 4:.4g}" height="18" rx="9"/>'
                )
            parts.append(
                f'<text class="{css}" x="{middle:.4g}" y="{low:.4g}">{escape(text)}</text>'
            )
    if board.note and not small:
        parts.append(
            f'<text class="scene-note" x="{start + paper / 2:.4g}" y="{top + tall + 12:.4g}">'
            f"{escape(board.note)}</text>"
        )
    return "".join(parts)
