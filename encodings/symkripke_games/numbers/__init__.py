"""Problems about numbers without bounds, which have infinitely many worlds, one file each.

The files are in the format of `symkripke check`, and contain the known answers as expectations.
`symkripke puzzle` tells the problems.
"""

from __future__ import annotations

from functools import partial

from symkripke.problems.puzzles import Puzzle

_numbers = partial(Puzzle.of, __name__)

NUMBERS = (
    _numbers("consecutive", "two people with consecutive numbers, without a bound"),
    _numbers("what_sum", "three numbers, of which one is the sum of the others", title="What Sum"),
    _numbers("a_is_50", "the question of the same puzzle: which numbers are left?", title="A = 50"),
    _numbers("near_numbers", "numbers that differ by at most d"),
    _numbers("sums_in_pairs", "three people who each see one sum of two numbers"),
    _numbers("two_envelopes", "one envelope holds twice as much as the other"),
    _numbers("clocks", "a clock, a calendar and a counter"),
    _numbers("auction", "sealed bids without a limit"),
    _numbers("generals", "two generals with a counter of messages"),
    _numbers("margins", "two thermometers with errors"),
)
"""The problems about numbers without bounds."""
