"""Models as pictures: worlds, who cannot tell them apart, and what events do to them.

    draw(scene).save("scene.svg")

| module | what it is |
|---|---|
| drawing | start here: `draw`, `draw_story`, `draw_way`, and what they return |
| finding | which worlds are drawn; engines find them |
| merging | worlds up to bisimilarity |
| labels | the texts of worlds |
| compose, picture | a picture as data |
| areas, lines, table | one layout each: where everything stands |
| geometry | boxes, lines and marks, which the layouts share |
| kept | the places of the picture before an event, for the one after it |
| svg, html | the files |
| text_width | how wide a text is |
"""

from symkripke.drawing.drawing import (
    LAYOUTS,
    Drawing,
    Options,
    Place,
    draw,
    draw_story,
    draw_way,
    small_picture,
)
from symkripke.drawing.finding import MOST_NEAR, MOST_WORLDS
from symkripke.drawing.labels import Naming
from symkripke.drawing.picture import Cell, DrawnWorld, PathStep, Picture

__all__ = [
    "LAYOUTS",
    "MOST_NEAR",
    "MOST_WORLDS",
    "Cell",
    "Drawing",
    "DrawnWorld",
    "Naming",
    "Options",
    "PathStep",
    "Picture",
    "Place",
    "draw",
    "draw_story",
    "draw_way",
    "small_picture",
]
