"""Weightings of worlds.

* "equal": all worlds have the same weight.
* "bayes": the weight of a world is the probability with which it made the events happen: the
  product of the likelihoods of all events (`symkripke.model.Likelihood`).
* "plausible": the worlds that the agent finds most plausible have the same weight, all others none.
  Beliefs therefore have the probability 1.

If nothing is said, it is "plausible" once an action can have gone unnoticed, since an agent then
considers worlds possible at which unheard-of things have happened; and "equal" before that.

A *world* is a value for every fluent, including the private fluents of events. So the two differ.
Suppose that in Cluedo Green shows Plum a card and chooses at random among the cards that it could
show. For a third player, who did not see the card, a deal in which Green holds all three cards is
three worlds, one for each card that may have been shown; a deal in which Green holds one of them is
one world. With equal weights the first deal counts three times as much. With bayes it counts once,
because each of its three worlds counts a third. For Plum, who saw the card, each deal is one world.
Equal weights count them equally; with bayes the first deal counts a third, because it explains the
shown card less well.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import fsum, gcd, lcm, log2

from symkripke.errors import InputError, UnknownName
from symkripke.model import KnowledgeStructure, Likelihood

WEIGHTINGS = ("equal", "bayes", "plausible")
"""The names of the weightings; the first is the default where no action can go unnoticed."""


def checked(weighting: str | None) -> str | None:
    """Return the weighting with this name; raise `UnknownName`. None: the structure's default."""
    if weighting is not None and weighting not in WEIGHTINGS:
        raise UnknownName("weighting", weighting, WEIGHTINGS)
    return weighting


def of_structure(weighting: str | None, structure: KnowledgeStructure) -> str:
    """Return the weighting of worlds of a structure: the given one, or the default."""
    if weighting is not None:
        return weighting
    return "plausible" if structure.history.traces.can_be_missed else "equal"


def likelihood_weighting(weighting: str | None) -> str:
    """Return the weighting among the worlds that count; the most plausible ones are equal."""
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
