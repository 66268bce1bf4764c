"""Cards, dice, players and a table as SVG, for pages and for files.

| module | content |
|---|---|
| face | a card with its art, and the symbols that several cards share |
| people | the players' avatars |
| round_table | the players round a table, with the last event between them |
| people.svg | the art of the avatars; each game has a file of its own for its cards |
| cards.css | the colours and the two line weights |

The art of a card fills a box of 32 by 32 units. It has no colours of its own: the classes of
`cards.css` colour it for light and dark pages, and `--tone` is the colour of the thing that it
shows.
"""

from symkripke.drawing.cards.face import (
    BACK,
    CARD_HEIGHT,
    CARD_WIDTH,
    Face,
    art,
    art_of,
    card,
    fan,
    picture,
    style,
    symbols,
)
from symkripke.drawing.cards.people import PEOPLE, avatar
from symkripke.drawing.cards.round_table import (
    SIZE,
    Arrow,
    RoundTable,
    SeatPicture,
    content,
    film,
    round_table,
)

__all__ = [
    "BACK",
    "CARD_HEIGHT",
    "CARD_WIDTH",
    "PEOPLE",
    "SIZE",
    "Arrow",
    "Face",
    "RoundTable",
    "SeatPicture",
    "art",
    "art_of",
    "avatar",
    "card",
    "content",
    "fan",
    "film",
    "picture",
    "round_table",
    "style",
    "symbols",
]
