"""Stories of secrets and false belief, one file each, with actions that not everybody notices.

The classics of the field come first, then ten stories of first to fourth order. The files are in
the format of `symkripke check`, and contain the known answers as expectations. `symkripke puzzle`
tells the stories.
"""

from __future__ import annotations

from functools import partial

from symkripke.problems.puzzles import Puzzle

_story = partial(Puzzle.of, __name__)

CLASSICS = (
    _story("sally_anne", "where will Sally look for her marble?", title="Sally and Anne"),
    _story("opened_letter_seen", "a letter is read while the other person watches"),
    _story("opened_letter_secret", "a letter is read while the other person is away"),
    _story("coin_in_the_box", "peeking that one person notices and another does not"),
    _story("letter_passing", "a letter on its way through many hands"),
    _story("secret_gossip", "calls that nobody else hears about"),
    _story("peeking_child", "a muddy child who has looked into a mirror"),
    _story("wiretap", "Russian cards on a tapped telephone"),
    _story("two_generals", "receipts for receipts", (1, 30), "messages", 4),
    _story("against_false_belief", "somebody says aloud what Sally does not believe"),
)
"""Classics of the field, with their known answers."""

FALSE_BELIEF = (
    _story("smarties", "first order: the box with the wrong contents"),
    _story("maxi", "first order: the chocolate that was moved, and eaten"),
    _story("train", "first order: who heard of the other platform?"),
    _story("ice_cream", "second order: the van that drove away", title="The ice-cream van"),
    _story("puppy", "second order: the birthday present", title="The birthday puppy"),
    _story("romeo", "second order: a letter that is lost", title="Romeo and Juliet"),
    _story("mirror", "third order: a secret look, secretly seen"),
    _story("surprise_party", "third order: the party that everybody knows about"),
    _story("everybody_finds_out", "fourth order: they don't know that we know they know we know"),
    _story("four_watchers", "fourth order: who watches the watchman?"),
)
"""Stories of false belief, of first to fourth order."""

STORIES = (*CLASSICS, *FALSE_BELIEF)
