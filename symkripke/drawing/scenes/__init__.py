"""Scenes as SVG: people, the things that they hold and wear, and their words and thoughts.

| module | content |
|---|---|
| stage | a scene as data, and its picture |
| props | the things, by name |
| props.svg | the art of the things |
| children.svg | the art of children, with clear foreheads |

Adults are the avatars of `symkripke.drawing.cards`. The classes of that package colour all art, for
light and dark pages.
"""

from symkripke.drawing.scenes.props import CHILDREN, Prop
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
    "Actor",
    "Board",
    "Prop",
    "Room",
    "Stage",
    "Thing",
    "Thought",
    "faces_of",
    "stage",
    "thumbnail",
    "words_lines",
]
