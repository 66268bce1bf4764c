"""Exact counts over the states of a law of sums: all ways through them, and those of each step.

Counts below 2**62 are a machine's integers. Greater ones are worked out modulo as many primes below
2**31 as their size needs, so that products of two residues fit into a machine's word, and put
together by the Chinese remainder theorem. Of n fluents that are alike a state leaves k_v for each
value v; by symmetry one of them has it with the mean of k_v / n.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from functools import cache, cached_property
from math import comb, factorial, isfinite, isqrt, lgamma, prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from symkripke.engines.counting.dynamic_programme import Frontier, Ints
from symkripke.engines.markov_chain import Chain, Link
from symkripke.errors import BudgetExceeded, TooManyNodes
from symkripke.language import Atom, Constant, Formula, Not
from symkripke.model import World

Floats: TypeAlias = NDArray[np.float64]

Value: TypeAlias = tuple[str, int]
"""A fluent, and the place of one of its values."""

# Counts and sums below this are exact as a machine's integers; a state that leads to no world may
# have more ways to it than that, but then they are multiplied by zero.
_MACHINE = 1 << 62

# Factorials up to that of this fit into a floating-point number.
_FLOAT_FACTORIAL = 170

# Primes are below this, and above any number of fluents that are alike.
_PRIMES = 1 << 31

# Sums of so many residues are exact as floating-point numbers.
_EXACT = 1 << 21
_LOW = (1 << 31) - 1


class Ways:
    """The worlds of one law of sums, counted."""

    def __init__(self, frontier: Frontier) -> None:
        """Nothing is worked out before it is asked for."""
        self.frontier = frontier
        self.domains = frontier.domains

    # ---- counts ---------------------------------------------------------------------------

    @cached_property
    def _fits(self) -> NDArray[np.bool_]:
        """Which of the last states leave as many as there are."""
        right: NDArray[np.bool_] = self.frontier.kept.sum(axis=0) == len(self.frontier.alike)
        return right & (self.frontier.kept >= 0).all(axis=0)

    @cached_property
    def _floats(self) -> list[Floats]:
        """For each level and state about how many ways there are on."""
        found = [self._orders()]
        for level in reversed(self.frontier.levels):
            below = np.append(found[-1], 0.0)
            found.append(sum((below[row] for row in level.steps), np.zeros(level.states)))
        return found[::-1]

    def _orders(self) -> Floats:
        """For each of the last states about how many ways there are to deal out fluents alike."""
        number = len(self.frontier.alike)
        if number <= _FLOAT_FACTORIAL:
            ways = [float(factorial(n)) for n in range(number + 1)]
            end = np.where(self._fits, ways[-1], 0.0)
            for row in self.frontier.kept:
                end = end / np.array(ways)[np.clip(row, 0, number)]
            return end
        logs = np.array([lgamma(n + 1) for n in range(number + 1)])
        sums = np.full(len(self._fits), logs[-1])
        for row in self.frontier.kept:
            sums = sums - logs[np.clip(row, 0, number)]
        with np.errstate(over="ignore"):  # then it is infinite, and nothing is made of it
            return np.where(self._fits, np.exp(sums), 0.0)

    @cached_property
    def _primes(self) -> list[int]:
        """Primes whose product is above every count, of worlds and of fluents that are alike.

        In their place `_MACHINE`, if that is.
        """
        about = float(self._floats[0].sum())
        most = int(about * 1.01) + 2 if isfinite(about) else prod(map(len, self.domains.values()))
        most *= max(1, len(self.frontier.alike))
        if most < _MACHINE:
            return [_MACHINE]
        found: list[int] = []
        while prod(found) <= most:
            found.append(_prime_below(found[-1] if found else _PRIMES))
        return found

    def _reduced(self, numbers: Ints) -> Ints:
        """Their residues, a row for each prime."""
        if self._primes == [_MACHINE]:
            return numbers
        reduced: Ints = numbers % np.array(self._primes, dtype=np.int64)[:, np.newaxis]
        return reduced

    @cached_property
    def _residues(self) -> list[Ints]:
        """For each level, prime and state the number of ways on."""
        found = [np.stack([self._last(prime) for prime in self._primes])]
        for level in reversed(self.frontier.levels):
            below = _and_nothing(found[-1])
            here = below[:, level.steps[0]]
            for row in level.steps[1:]:
                here += below[:, row]
            found.append(self._reduced(here))
        return found[::-1]

    def _last(self, prime: int) -> Ints:
        """For each last state in how many ways the fluents that are alike can have their values."""
        number = len(self.frontier.alike)
        end = self._fits.astype(np.int64)
        if prime == _MACHINE:
            # Value by value: so many of those that are left. No product is above the last one.
            choices = np.array(
                [[min(comb(n, k), _MACHINE) for k in range(number + 1)] for n in range(number + 1)]
            )
            left = np.full(len(end), number)
            for row in np.where(self._fits, self.frontier.kept, 0):
                end *= choices[left, row]
                left -= row
            return end
        ways = [factorial(n) % prime for n in range(number + 1)]
        inverse = np.array([pow(n, -1, prime) for n in ways], dtype=np.int64)
        end *= ways[-1]
        for row in self.frontier.kept:
            end = end * inverse[np.clip(row, 0, number)] % prime
        return end

    @cached_property
    def _downwards(self) -> list[Ints]:
        """For each level, prime and state the number of ways to it."""
        found = [np.ones((len(self._primes), int(self.frontier.possible)), dtype=np.int64)]
        for level, below in zip(self.frontier.levels, self._residues[1:], strict=True):
            found.append(self._pushed(found[-1], level.steps, below.shape[1]))
        return found

    def _pushed(self, ways: Ints, steps: Ints, states: int) -> Ints:
        """The ways to the states that these steps lead to."""
        found = np.zeros((len(self._primes), states), dtype=np.int64)
        # Numbers of 31 bits: sums of few enough are exact as floating-point numbers.
        parts = [ways] if self._primes != [_MACHINE] else [ways & _LOW, ways >> 31]
        for row in steps:
            for start in range(0, len(row), _EXACT):
                some = slice(start, start + _EXACT)
                for shift, part in zip((0, 31), parts, strict=False):
                    for number, one in enumerate(part):
                        sums = np.bincount(row[some], one[some], minlength=states + 1)
                        found[number] += sums[:states].astype(np.int64) << shift
            found = self._reduced(found)
        return found

    def _whole(self, residues: Ints) -> int:
        """The number below the product of the primes that leaves these residues."""
        number, modulus = 0, 1
        for residue, prime in zip(residues.tolist(), self._primes, strict=True):
            number += modulus * ((residue - number) * pow(modulus, -1, prime) % prime)
            modulus *= prime
        return number

    def _paired(self, ways: Ints, ends: Ints) -> int:
        """The sum of the products."""
        return self._whole(self._reduced(ways * ends).sum(axis=1))

    @cached_property
    def _walked(self) -> int:
        """The number of worlds, of fluents of which nothing is said apart."""
        return self._whole(self._residues[0].sum(axis=1)) if self.frontier.possible else 0

    @cached_property
    def total(self) -> int:
        """The number of worlds."""
        return self.over(self.frontier.loose)

    def over(self, names: Container[str]) -> int:
        """The number of worlds, if of the fluents of which nothing is said only these matter."""
        loose = (name for name in self.frontier.loose if name in names)
        return self._walked * prod(len(self.domains[name]) for name in loose)

    @cached_property
    def marginals(self) -> dict[Value, Fraction]:
        """For each fluent and place of a value its probability; others have none. Needs a world."""
        found = {
            (name, value): Fraction(1, len(values))
            for name, values in self.domains.items()
            for value in values
        }  # right for all that is settled or loose
        for number, level in enumerate(self.frontier.levels):
            ways, below = self._downwards[number], self._residues[number + 1]
            below = _and_nothing(below)
            for value, row in zip(self.domains[level.fluent], level.steps, strict=True):
                part = self._paired(ways, below[:, row])
                found[level.fluent, value] = Fraction(part, self._walked)
        if self.frontier.alike:
            ends = self._reduced(self._downwards[-1] * self._residues[-1])
            for place, row in enumerate(self.frontier.kept):
                part = self._paired(ends, np.where(self._fits, row, 0)[np.newaxis])
                share = Fraction(part, self._walked * len(self.frontier.alike))
                for name in self.frontier.alike:
                    found[name, self.domains[name][place]] = share
        return found

    def share(self, formula: Formula) -> Fraction:
        """The probability of what an atom is resolved to (see `Line.literal`)."""
        if isinstance(formula, Constant):
            return Fraction(formula.value)
        if isinstance(formula, Not):
            return 1 - self.share(formula.operand)
        assert isinstance(formula, Atom)
        place = self.frontier.fluents[formula.fluent].values.index(formula.value)
        return self.marginals.get((formula.fluent, place), Fraction(0))

    # ---- single worlds ----------------------------------------------------------------------

    def draw(self, number: int, chance: random.Random) -> Iterator[World]:
        """So many worlds (there must be one), each as likely as another; by their place."""
        exact = cache(lambda level, state: self._whole(self._residues[level][:, state]))
        for _ in range(number):
            rank = chance.randrange(self.total)
            world = {name: self.domains[name][0] for name in self.frontier.fluents}
            for name in self.frontier.loose:
                rank, place = divmod(rank, len(self.domains[name]))
                world[name] = self.domains[name][place]
            state = 0
            for depth, level in enumerate(self.frontier.levels, 1):
                for value, row in zip(self.domains[level.fluent], level.steps, strict=True):
                    after = int(row[state])
                    size = exact(depth, after) if after < self._residues[depth].shape[1] else 0
                    if rank < size:
                        world[level.fluent], state = value, after
                        break
                    rank -= size
            world.update(self._arranged(state, rank, exact(len(self.frontier.levels), state)))
            yield {name: self.frontier.fluents[name].values[value] for name, value in world.items()}

    def _arranged(self, state: int, rank: int, ways: int) -> Iterator[Value]:
        """The values of the fluents that are alike, in the arrangement of that rank."""
        kept = [int(number) for number in self.frontier.kept[:, state]]
        for left, name in zip(
            range(len(self.frontier.alike), 0, -1), self.frontier.alike, strict=True
        ):
            for place, value in enumerate(self.domains[name]):
                size = ways * kept[place] // left
                if rank < size:
                    kept[place] -= 1
                    ways = size
                    yield name, value
                    break
                rank -= size

    # ---- joint distributions ----------------------------------------------------------------

    def chain(self, names: Sequence[str]) -> Chain | None:
        """The chain over these fluents; None if there are others that are not settled.

        Of a walk in order, with a world. Loose fluents come last.
        """
        walked = {level.fluent: number for number, level in enumerate(self.frontier.levels)}
        if not walked.keys() <= set(names) or not isfinite(self._floats[0].sum()):
            return None
        links = []
        # Of the states only those that lead to a world.
        kept = [np.flatnonzero(here > 0) for here in self._floats]
        kept[-1] = np.zeros(min(1, len(kept[-1])), dtype=np.int64)  # one end, of all worlds
        here = 0
        loose = set(self.frontier.loose)
        for name in (one for one in self.frontier.fluents if one in names and one not in loose):
            if name in walked:
                links.append(self._link(walked[name], kept))
                here = walked[name] + 1
            else:
                links.append(self._settled(name, len(kept[here])))
        for name in (one for one in names if one in loose):
            values = np.array(self.domains[name], dtype=np.int64)
            zero, share = np.zeros_like(values), np.full(len(values), 1 / len(values))
            links.append(
                Link(name, self.frontier.fluents[name].values, 1, 1, zero, values, zero, share)
            )
        return Chain(links)

    def _link(self, number: int, kept: Sequence[Ints]) -> Link:
        """The steps of a level between these states."""
        level, here = self.frontier.levels[number], self._floats[number]
        below = np.append(self._floats[number + 1], 0.0)
        place = np.zeros(len(below), dtype=np.int64)
        if number + 1 < len(self.frontier.levels):
            place[kept[number + 1]] = np.arange(len(kept[number + 1]))
        steps = level.steps[:, kept[number]]
        places, source = np.nonzero(below[steps] > 0)
        target = steps[places, source]
        return Link(
            level.fluent,
            self.frontier.fluents[level.fluent].values,
            len(kept[number]),
            len(kept[number + 1]),
            source,
            np.array(self.domains[level.fluent], dtype=np.int64)[places],
            place[target],
            below[target] / here[kept[number]][source],
        )

    def _settled(self, name: str, states: int) -> Link:
        """The steps over a fluent with one value."""
        same = np.arange(states)
        value = np.full(states, self.domains[name][0])
        values = self.frontier.fluents[name].values
        return Link(name, values, states, states, same, value, same, np.ones(states))

    def joint(self, asked: Mapping[str, Set[int]], limit: int) -> dict[frozenset[Value], Fraction]:
        """The probability of each set of these values that can be what is true of them.

        Of a walk over all fluents, with a world.

        Raises:
            BudgetExceeded: there are more than `limit`.
            TooManyNodes: it would take more steps than are allowed.
        """
        pasts: list[frozenset[Value]] = [frozenset()]
        past, state = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
        ways = np.ones((len(self._primes), 1), dtype=np.int64)
        for level, below in zip(self.frontier.levels, self._residues[1:], strict=True):
            possible = np.append(below.any(axis=0), False)
            told = asked.get(level.fluent, frozenset[int]())
            values = [value if value in told else -1 for value in self.domains[level.fluent]]
            kinds = sorted(set(values))
            said = np.array([kinds.index(value) for value in values], dtype=np.int64)
            steps = level.steps[:, state]
            places, rows = np.nonzero(possible[steps])
            keys = past[rows] * len(kinds) + said[places]
            heard, keys = np.unique(keys, return_inverse=True)
            pasts = [
                _more(pasts[key // len(kinds)], level.fluent, kinds[key % len(kinds)])
                for key in heard.tolist()
            ]
            _limited(len(pasts), limit)
            pairs, after = np.unique(
                keys.ravel() * len(possible) + steps[places, rows], return_inverse=True
            )
            if len(pairs) > self.frontier.most:
                raise TooManyNodes(f"more than {self.frontier.most:,} steps would be needed")
            ways = self._pushed(ways[:, rows], after.reshape(1, -1), len(pairs))
            past, state = pairs // len(possible), pairs % len(possible)
        parts = self._reduced(ways * self._residues[-1][:, state])
        sums = self._pushed(parts, past.reshape(1, -1), len(pasts))
        found = {
            true: Fraction(self._whole(sums[:, number]), self._walked)
            for number, true in enumerate(pasts)
        }
        walked = {level.fluent for level in self.frontier.levels}
        for name in asked.keys() - walked:
            wide: dict[frozenset[Value], Fraction] = {}
            for true, share in found.items():
                for value in self.domains[name]:
                    more = _more(true, name, value if value in asked[name] else -1)
                    each = share / len(self.domains[name])
                    wide[more] = wide.get(more, Fraction(0)) + each
            _limited(len(wide), limit)
            found = wide
        return found

    def apart(self, asked: Mapping[str, Set[int]]) -> dict[frozenset[Value], Fraction] | None:
        """The same, if a sum says that no two of them that are open are true together."""
        sure = frozenset(
            (name, place)
            for name, places in asked.items()
            for place in places
            if self.domains[name] == [place]
        )
        unsure = [
            (name, place)
            for name, places in asked.items()
            for place in places
            if place in self.domains[name] and (name, place) not in sure
        ]
        if not self.frontier.excludes(unsure):
            return None
        found = {sure | {value}: self.marginals[value] for value in unsure}
        found[sure] = 1 - sum(found.values(), start=Fraction(0))
        return {true: share for true, share in found.items() if share}


def _and_nothing(numbers: Ints) -> Ints:
    """These numbers of states (there may be none), with a zero for no state at the end."""
    return np.concatenate([numbers, np.zeros((len(numbers), 1), dtype=np.int64)], axis=1)


def _more(past: frozenset[Value], name: str, value: int) -> frozenset[Value]:
    """With that value; -1 is none."""
    return past | {(name, value)} if value >= 0 else past


def _limited(number: int, limit: int) -> None:
    if number > limit:
        raise BudgetExceeded(f"there are {number:,} possibilities or more, more than {limit:,}")


@cache
def _prime_below(number: int) -> int:
    """The greatest prime below a number above 2."""
    while True:
        number -= 1
        if all(number % factor for factor in range(2, isqrt(number) + 1)):
            return number
