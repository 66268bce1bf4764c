"""The joint distribution of some fluents, for an agent, as a Markov chain.

The fluents come one after the other. Before each fluent the chain is in one of a few *states*,
which keep all that matters of the values so far. Each step has a value, a next state and a share.
The product of the shares on a way through the chain is the probability of its values. So sums over
any number of worlds are computed step by step with a few arrays. They are exact up to the rounding
of floating-point numbers, none of which is negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from symkripke.records import dataclass

Ints: TypeAlias = NDArray[np.int64]
Shares: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Link:
    """All steps over one fluent. Several steps may have the same states and value.

    Attributes:
        fluent: the fluent.
        values: its values.
        starts: the number of states before it.
        ends: the number of states after it.
        source: for each step the state that it leaves, from 0.
        value: for each step the index of its value in `values`.
        target: for each step the state that it leads to, from 0.
        share: for each step its probability in its state.
    """

    fluent: str
    values: tuple[str, ...]
    starts: int
    ends: int
    source: Ints
    value: Ints
    target: Ints
    share: Shares

    @property
    def reverse(self) -> Link:
        """The same steps, walked from the end to the start."""
        return replace(
            self, starts=self.ends, ends=self.starts, source=self.target, target=self.source
        )


@dataclass(frozen=True, eq=False)
class Chain:
    """A link for each fluent, from one first state to one last state.

    Attributes:
        links: in the chain's own order.
    """

    links: Sequence[Link]

    @cached_property
    def marginals(self) -> dict[str, dict[str, float]]:
        """For each fluent the probability of its values; those that it cannot have are left out."""
        found = {}
        reached: Shares = np.ones(1)
        for link in self.links:
            through = reached[link.source] * link.share
            shares = np.bincount(link.value, through, len(link.values))
            can = np.bincount(link.value, minlength=len(link.values)) > 0
            found[link.fluent] = {
                value: float(share)
                for value, share, possible in zip(link.values, shares, can, strict=True)
                if possible
            }
            reached = np.bincount(link.target, through, link.ends).astype(np.float64)
        return found
