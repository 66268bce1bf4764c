"""Models for inspection and for tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import symkripke as sk
from symkripke.drawing import Drawing, Options, draw, draw_story, draw_way
from symkripke.model import Soft
from symkripke.play import Moment, Table
from symkripke.problems import puzzle, read
from symkripke.problems.story import Story, story_of
from symkripke_games import cluedo

CARDS = """
agents ann, bob, cath
fluent red in agents
fluent white in agents
fluent blue in agents
law "each has one card": red != white & white != blue & red != blue
for a in agents: a sees red = a, white = a, blue = a
actual red = ann, white = bob, blue = cath
announce ~red = bob
"""

COIN = """
agents ann, bob
fluent heads
actual heads
show ann: heads
announce heads
"""

SIX = """
agents a, b, c, d, e, f
fluent p, q, r
a sees p
b sees p
c sees q
d sees q, r
e sees p, q, r
actual p, q, r
"""


def story(text: str) -> Story:
    """Return the story of a problem text."""
    return story_of(read(text))


def classic(name: str, n: int | None = None) -> Story:
    """Return the story of an installed puzzle."""
    return story_of(puzzle(name).problem(n))


@cache
def cluedo_moment(players: int = 6) -> Moment[Any, Any]:
    """Return a moment of full-size Cluedo after 20 turns."""
    table = Table.of(cluedo.GAME, players=players, seed=7)
    for step in table:
        if step.outcome.public.turn >= 20:
            break
    return table.moment


def near_russian() -> Drawing:
    """Draw the deals next to the actual one."""
    told = classic("russian_cards")
    return draw_story([("", told.moments[0][1])], Options(near=1, width=2, naming=told.naming))


def three_worlds() -> Drawing:
    """Draw a chain of three counterexample worlds for three nested operators of knowledge."""
    told = classic("consecutive_numbers")
    why = "K[bill] K[anne] K[bill] ~(x_bit1 & x_bit2)"
    return draw_way(told.moments[1][1], why, Options(naming=told.naming))


def wide_marks() -> Drawing:
    """Draw a chain of worlds with the letters of many agents between them."""
    agents = "abcdefghijklmnop"
    sees = [f"{who} sees {'pears' if who < 'i' else 'quinces'}" for who in agents]
    fluents = "fluent pears, quinces\nlaw ~(pears & quinces)\nactual pears"
    told = story("\n".join((f"agents {', '.join(agents)}", fluents, *sees)))
    return draw_story(told.moments, Options(layout="lines", naming=told.naming))


def two_branches() -> Drawing:
    """Draw why neither of two children knows something, as a way with two branches."""
    told = classic("muddy_children", 3)
    why = "K[1] (Kw[2] muddy(2) | Kw[3] muddy(3)) | K[2] Kw[3] muddy(3)"
    return draw_way(told.moments[1][1], why, Options(naming=told.naming))


def cluedo_way() -> Drawing:
    """Draw why Plum does not know what Green knows."""
    return draw(cluedo_moment().state, why="K[plum] K[green] at(library, scarlett)")


def cluedo_near() -> Drawing:
    """Draw the neighbourhood of a moment of Cluedo."""
    return draw(cluedo_moment().at(20).state, near=1, width=2)


MISSED = """
agents ann, bob
fluent p
fluent q
law "likely": p | q
believe p
actual p, q
action wait:
  ann sees that
do wait
announce p -> q
"""

HUNDRED = """
let agents5 = {a, b, c, d, e}
agents agents5
fluent p(x) for x in 1..7
law atleast(2; p(x) for x in 1..7)
law atmost(4; p(x) for x in 1..7)
a sees p(1), p(2)
b sees p(3), p(4)
c sees p(5)
d sees p(6), p(7)
e sees p(1), p(7), p(4)
actual p(1), p(2), p(3)
"""


def at_first(told: Story) -> Story:
    """Return the beginning of a story."""
    return Story(told.moments[:1], told.naming)


def prisoners_days() -> Story:
    """Return the moments before and after the second day."""
    told = classic("prisoners")
    return Story(told.moments[5:11:5], told.naming)


def first_call() -> Story:
    """Return the moment after the first call: who has called whom?"""
    told = classic("gossip", 4)
    place = next(place for text, place in told.moments if ". change" in text)
    return Story((("after a call", place),), told.naming)


def plausible_cards() -> Story:
    """Return six deals in which Bob and Cath have heard things that they trust."""
    told = story(CARDS)
    scene = told.moments[0][1]
    assert isinstance(scene, sk.Scene)
    names = scene.structure.vocabulary
    heard = sk.Event(
        "what was heard",
        soft=(
            Soft(sk.parse("white = ann", names), {"cath": 1}),
            Soft(sk.parse("red = cath", names), {"bob": 1}),
        ),
    )
    return Story((("", scene.update(heard)),), told.naming)


WHOLE: dict[str, Callable[[], Story]] = {
    "muddy-children-2": lambda: classic("muddy_children", 2),
    "muddy-children-3": lambda: classic("muddy_children", 3),
    "cards-three-players": lambda: story(CARDS),
    "cheryls-birthday": lambda: classic("cheryls_birthday"),
    "coin": lambda: story(COIN),
    "gossip": first_call,
    "drinking-logicians": lambda: classic("drinking_logicians", 3),
    "three-hats": lambda: classic("three_hats"),
    "consecutive-numbers": lambda: at_first(classic("consecutive_numbers")),
    "prisoners": prisoners_days,
    "dining-cryptographers": lambda: at_first(classic("dining_cryptographers")),
    "six-agents": lambda: story(SIX),
    "plausible-cards": plausible_cards,
    "missed": lambda: story(MISSED),
    "hundred-worlds": lambda: story(HUNDRED),
}
"""Models of which all worlds are drawn, from the beginning of a story to its end."""

PARTS: dict[str, Callable[[], Drawing]] = {
    "russian-cards-near": near_russian,
    "three-counter-worlds": three_worlds,
    "wide-marks": wide_marks,
    "two-branches": two_branches,
    "cluedo-way": cluedo_way,
    "cluedo-near": cluedo_near,
}
"""Parts of models that are too large to be drawn whole."""


@cache
def drawing(name: str) -> Drawing:
    """Return a drawing of the gallery."""
    if name in PARTS:
        return PARTS[name]()
    told = WHOLE[name]()
    return draw_story(told.moments, Options(naming=told.naming), name)


GALLERY = (*WHOLE, *PARTS)
