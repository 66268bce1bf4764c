"""Weightings of worlds.

* "equal": all worlds have the same weight.
* "bayes": the weight of a world is the probability of all events at it: the product of their
  likelihoods (`symkripke.model.Likelihood`).
* "plausible": the worlds that the agent finds most plausible have the same weight; all others have
  the weight 0. Beliefs therefore have the probability 1.

The default is "equal" until an action can have gone unnoticed, and "plausible" from then on,
because an agent then considers worlds possible at which implausible actions have happened.

A *world* has a value for every fluent, including the private fluents of events. So "equal" and
"bayes" differ. Suppose that in Cluedo, Green shows Plum a card, chosen at random among the cards
that Green can show. For a third player, who did not see the card, a deal in which Green holds all
three cards is three worlds, one for each card that may have been shown. A deal in which Green holds
one of them is one world. With equal weights, the first deal has three times the weight of the
second. With bayes, both have the same weight, because each world of the first deal has the weight
1/3. For Plum, who saw the card, each deal is one world. With equal weights, both deals have the
same weight. With bayes, the first deal has a third of the weight of the second, because it explains
the shown card less well.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import fsum, gcd, lcm, log2

from symkripke.errors import InputError, UnknownName
from symkripke.model import KnowledgeStructure, Likelihood

WEIGHTINGS = ("equal", "bayes", "plausible")
"""The names of the weightings; the first is the default if no action can go unnoticed."""


def checked(weighting: str | None) -> str | None:
    """Return `weighting`; raise `UnknownName` if it is neither a known name nor None (default)."""
    if weighting is not None and weighting not in WEIGHTINGS:
        raise UnknownName("weighting", weighting, WEIGHTINGS)
    return weighting


def of_structure(weighting: str | None, structure: KnowledgeStructure) -> str:
    """Return the given weighting, or the default for the structure if it is None."""
    if weighting is not None:
        return weighting
    return "plausible" if structure.history.traces.can_be_missed else "equal"


def likelihood_weighting(weighting: str | None) -> str:
    """Return the weighting by likelihoods; the most plausible worlds have equal weights."""
    return "bayes" if weighting == "bayes" else "equal"


def shares(likelihood: Likelihood) -> tuple[int, ...]:
    """Return the values of the cases as small integers in the same proportions."""
    whole = lcm(*(value.denominator for _, value in likelihood.cases))
    parts = [int(value * whole) for _, value in likelihood.cases]
    common = gcd(*parts)
    return tuple(part // common for part in parts)


def unclear(source: str) -> InputError:
    """Return the error for a likelihood whose cases are not disjoint and exhaustive."""
    return InputError(
        f"{source}: expected exactly one case of the likelihood to be true at each world of the law"
    )


def bits(distribution: Iterable[Fraction]) -> float:
    """Return the entropy of a distribution, in bits (C. E. Shannon, 1948)."""
    return max(0.0, -fsum(float(p) * log2(p) for p in distribution if p))
