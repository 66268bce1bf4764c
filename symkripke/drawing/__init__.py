"""Models as pictures: worlds, the agents that cannot tell them apart, and the effects of events.

    draw(scene).save("scene.svg")

| module | content |
|---|---|
| drawing | start here: `draw`, `draw_story`, `draw_way`, and their results |
| finding | the selection of worlds by engines |
| merging | worlds up to bisimilarity |
| labels | the texts of worlds |
| compose, picture | a picture as data |
| listed | models in which agents may be wrong |
| areas, lines, table | one layout each |
| geometry | boxes, lines and marks, which the layouts share |
| kept | reuse of a layout for the picture after an event |
| svg, html | the files |
| text_width | the width of a text |
| cards/ | cards, people and a table |
| scenes/ | people with the things that they hold, say and think |
"""

from symkripke.drawing.drawing import (
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
from symkripke.drawing.picture import Picture

__all__ = [
    "MOST_NEAR",
    "MOST_WORLDS",
    "Drawing",
    "Naming",
    "Options",
    "Picture",
    "Place",
    "draw",
    "draw_story",
    "draw_way",
    "small_picture",
]
