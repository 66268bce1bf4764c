"""The encoding of cards drawn from a deck with several copies of each kind.

In Hanabi, 50 cards of 25 kinds are drawn one at a time. There is a fluent for each card that has
been drawn, with the kinds as values, and none for the cards that are still in the deck. The weight
of a world is the number of arrangements of the whole deck that begin with these cards. Each kind
contributes the product of the numbers of copies left at each draw (a falling factorial).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import perm

from symkripke.argument_types import checked
from symkripke.errors import InputError
from symkripke.language import Atom, Formula, atmost, conjunction, exactly, negation
from symkripke.model import Constraint, Likelihood, Origin


def drawn(
    copies: Mapping[str, int],
    before: Sequence[str],
    new: Sequence[str],
    source: Origin | str,
    shown: Mapping[str, int] | None = None,
) -> tuple[tuple[Constraint, ...], tuple[Likelihood, ...]]:
    """Return the constraints and likelihoods of a draw, for an event or a first structure.

    The constraints limit the number of drawn cards of a kind to its number of copies. The
    likelihoods give the probability of the new cards given the earlier cards, up to a factor that
    all worlds share.

    Args:
        copies: the number of copies of each kind in the whole deck.
        before: the fluents of the cards drawn earlier, all from this deck, whose draws were stated
            in the same way.
        new: the fluents of the new cards, in any order.
        source: the origin of the draw.
        shown: the number of other cards of each kind that were drawn earlier and that everybody has
            seen. Their fluents can be left out, so that laws stay small.

    Raises:
        InputError: a number of copies is not a positive integer, a card is drawn twice, or more
            cards are drawn than the deck has.
    """
    for kind, number in copies.items():
        if checked(number, int, where=f"the copies of {kind!r}") < 1:
            raise InputError(f"expected 1 copy of {kind!r} or more, got {number}")
    every = (*before, *new)
    if len({*every}) < len(every):
        twice = next(name for place, name in enumerate(every) if name in every[:place])
        raise InputError(f"expected each card to be drawn once, got {twice!r} twice")
    shown = shown or {}
    gone = len(every) + sum(shown.values())
    if gone > sum(copies.values()):
        raise InputError(
            f"expected at most {sum(copies.values())} drawn cards, as the deck has, got {gone}"
        )
    most = max(copies.values(), default=1)
    constraints: list[Constraint] = []
    likelihoods: list[Likelihood] = []
    for kind in copies:
        number = copies[kind] - shown.get(kind, 0)
        now = [Atom(name, kind) for name in new]
        if number <= 0:  # the laws of earlier draws exclude this kind for earlier cards
            constraints.append(Constraint(conjunction(map(negation, now)), source))
            continue
        earlier = [Atom(name, kind) for name in before]
        if len(earlier) + len(now) > number:
            constraints.append(Constraint(atmost(number, (*earlier, *now)), source))
        likelihoods.append(Likelihood(tuple(_cases(number, most, earlier, now)), source))
    return tuple(constraints), tuple(likelihoods)


def _cases(
    number: int, most: int, earlier: Sequence[Atom], now: Sequence[Atom]
) -> list[tuple[Formula, Fraction]]:
    """Return the cases for one kind, by the numbers of its copies drawn now and earlier.

    Each drawn card contributes the number of copies left, divided by `most`, the number of copies
    of the most frequent kind. (Division by the number of cards left would give its probability. All
    worlds share that factor, and without it draws differ only in their kinds.)
    """
    cases: list[tuple[Formula, Fraction]] = [(_exactly(0, now), Fraction(1))]
    for taken in range(1, min(number, len(now)) + 1):
        for gone in range(min(number - taken, len(earlier)) + 1):
            # If the new cards take all copies, the law leaves none for earlier cards.
            is_open = bool(earlier) and taken < number
            parts = [_exactly(taken, now), *([_exactly(gone, earlier)] if is_open else [])]
            value = Fraction(perm(number - gone, taken), most**taken)
            cases.append((conjunction(parts), value))
    return cases


def _exactly(number: int, atoms: Sequence[Atom]) -> Formula:
    """Return the formula stating that `number` of these atoms are true; a literal for one atom."""
    if len(atoms) > 1:
        return exactly(number, atoms)
    return atoms[0] if number else negation(atoms[0])
