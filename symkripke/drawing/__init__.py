"""Models as pictures: worlds, who cannot tell them apart, and what events do to them.

    draw(scene).save("scene.svg")

| module | what it is |
|---|---|
| drawing | the way in: `draw`, `draw_story`, `draw_way`, and what they return |
| finding | which worlds are drawn: engines are asked for them |
| merging | worlds up to bisimilarity |
| labels | what worlds are labelled with |
| compose, picture | a picture as data |
| areas, lines, table, way | where things are: one layout each; geometry is what they share |
| kept | the places of the picture before an event, for the one after it |
| svg, html | how it is written |
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
from symkripke.drawing.picture import Cell, DrawnWorld, Picture, Step

__all__ = [
    "LAYOUTS",
    "MOST_NEAR",
    "MOST_WORLDS",
    "Cell",
    "Drawing",
    "DrawnWorld",
    "Naming",
    "Options",
    "Picture",
    "Place",
    "Step",
    "draw",
    "draw_story",
    "draw_way",
    "small_picture",
]
