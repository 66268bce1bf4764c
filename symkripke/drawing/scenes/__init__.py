"""Scenes: people with the things that they hold, wear, say and think, as SVG.

| module | content |
|---|---|
| stage | a scene as data, and its picture |
| props | the things, by name |
| props.svg | the art of the things |
| children.svg | the art of children, whose foreheads are free |

Adults are the avatars of `symkripke.drawing.cards`, whose classes colour all art, light or dark.
"""

from symkripke.drawing.scenes.props import CHILDREN, PROPS, Prop, prop_names
from symkripke.drawing.scenes.stage import (
    MOST_PEOPLE,
    Actor,
    Board,
    Room,
    Stage,
    Thing,
    Thought,
    faces_of,
    stage,
    thumbnail,
    words_lines,
)

__all__ = [
    "CHILDREN",
    "MOST_PEOPLE",
    "PROPS",
    "Actor",
    "Board",
    "Prop",
    "Room",
    "Stage",
    "Thing",
    "Thought",
    "faces_of",
    "prop_names",
    "stage",
    "thumbnail",
    "words_lines",
]
