"""Classic puzzles about knowledge, one file each.

The files are in the format of `symkripke check`, so that command can check them, too. Code that a
puzzle needs in addition to its file, such as the search for safe announcements of cards, is in a
module of the same name.
"""

from __future__ import annotations

from functools import partial

from symkripke.problems.puzzles import Puzzle
from symkripke_games.numbers import NUMBERS
from symkripke_games.stories import STORIES

_puzzle = partial(Puzzle.of, __name__)

PUZZLES = (
    _puzzle("muddy_children", "whose forehead is muddy?", (2, 1000), "children", 4),
    _puzzle("russian_cards", "telling one player everything and the other nothing, in public"),
    _puzzle("dining_cryptographers", "somebody paid, and nobody learns who", (3, 400), "diners", 3),
    _puzzle("drinking_logicians", "do you all want beer?", (2, 400), "logicians", 3),
    _puzzle(
        "cheryls_birthday",
        "ten dates, and two people who know half of the answer each",
        title="Cheryl's birthday",
    ),
    _puzzle(
        "sum_and_product",
        "one person knows the sum, the other the product",
        (65, 2000),
        "as the bound",
        100,
    ),
    _puzzle(
        "consecutive_numbers",
        "two people with neighbouring numbers",
        (9, 500),
        "as the greatest",
        20,
    ),
    _puzzle(
        "three_hats", "the person in front sees no hat, and still finds out", (2, 400), "hats", 3
    ),
    _puzzle(
        "gossip",
        "telephone calls in which people exchange all their secrets",
        (4, 12),
        "friends",
        4,
    ),
    _puzzle("prisoners", "one light, and one prisoner who counts", (2, 8), "prisoners", 3),
    *STORIES,
    *NUMBERS,
)
"""The puzzles and stories, which the entry point of the group `symkripke.puzzles` names."""
