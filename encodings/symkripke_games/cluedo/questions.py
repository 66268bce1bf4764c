"""The exact expected information of every question.

The answer to a question states which players pass, which player then shows a card, and which card
the asker sees. A player who could show several cards chooses at random. The *gain* of a question is
the expected drop in the entropy of the solution. If E is the solution and A is the answer, the gain
is H(E) + H(A) - H(E, A). For each question, it follows from the joint distribution of E and A.

No bound prunes questions. (The entropy of the answer is an upper bound. But most of the answer's
information is about the places of cards, not about the envelope, so nearly all questions would
remain.) All questions are therefore computed together, from steps over the places of the cards
(`Engine.steps`):

* The steps go through the categories in order, and a question names one card of each category. For
  each category, a table holds the probability of a transition from a state before the category to a
  state after it, for each card in the envelope and each place of the asked card. The product of the
  three tables, summed over the states between them, is the joint distribution.
* The answer of the j-th player asked depends only on whether each card is with this player, or with
  a player who is asked later or never. Otherwise, the answer was given before.
* Equivalent cards of one category are computed once. Cards are equivalent if their place is known
  and equal, or if no event has named them and the player does not hold them. Exchanging two such
  cards changes neither the law, nor the weights, nor the player's observations.

The floats are sums and products of nonnegative probabilities, with rounding errors below 1e-12.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise, product
from math import log2
from typing import TypeAlias

import numpy as np

from symkripke.engines import Engine
from symkripke.engines.count.steps import Floats, FluentStep, Ints
from symkripke.limits import need
from symkripke.play import View
from symkripke.play.dealing import location
from symkripke.play.player import SAME
from symkripke_games.cluedo.asking import asked_by
from symkripke_games.cluedo.editions import ENVELOPE
from symkripke_games.cluedo.rules import (
    Accusation,
    Happening,
    Setup,
    Suggestion,
    Triple,
)

_Shared: TypeAlias = tuple[FluentStep, Floats]
"""A step, with the probability of each of its ways in the state where the way starts."""

_Position: TypeAlias = Callable[[str], int]

# The place of an asked card for an answer of the j-th player: with that player, or with a player
# who is asked later or never.
_WITH, _BEHIND = 0, 1

# The number of bytes of a float in an array.
_NUMBER = 8

# The number of multiplications up to which OpenBLAS, which numpy uses, multiplies matrices in one
# thread.
_ONE_THREAD = 1 << 18


@dataclass(frozen=True)
class Reply:
    """An answer to a question, as the asker sees it.

    Attributes:
        passes: the players who pass, in order.
        shower: the player who shows a card; None if nobody does.
        card: the shown card; None if nobody shows one.
        probability: the probability of the answer.
    """

    passes: tuple[str, ...]
    shower: str | None
    card: str | None
    probability: float


@dataclass(frozen=True)
class CandidateQuestion:
    """A question with its expected effects.

    Attributes:
        cards: the cards of the question.
        gain: the expected drop in the entropy of the solution, in bits.
        replies: the possible answers, in the order in which players are asked.
    """

    cards: Triple
    gain: float
    replies: tuple[Reply, ...]


class Survey:
    """All questions of one view.

    Attributes:
        asked: the players who would be asked, in order.
        uncertainty: the current entropy of the solution, in bits.
    """

    def __init__(self, engine: Engine, view: View[Setup, Happening]) -> None:
        """Compute the gains of all questions.

        Past events are weighed as the engine weighs worlds. The weighting "bayes" matches the model
        of future answers.

        Raises:
            Unsupported: the engine does not count, or cannot keep the order of the cards.
            BudgetExceeded: the diagram needs too much memory.
        """
        self._categories = [
            [card.id for card in category] for category in view.setup.edition.categories
        ]
        self.asked = asked_by(view)
        self._place = {player: number for number, player in enumerate(self.asked)}
        names = [location(card) for category in self._categories for card in category]
        steps = engine.steps(view.perspective, names, "given")
        self._sort(view, steps.marginals)
        self._sum([*zip(steps.steps, steps.shares, strict=True)])

    # ---- equally informative cards --------------------------------------------------------

    def _sort(
        self, view: View[Setup, Happening], marginals: Mapping[str, Mapping[str, float]]
    ) -> None:
        """Choose a representative for each set of equivalent cards of a category."""
        named = {
            card
            for public in view.record
            if isinstance(public, Suggestion | Accusation)
            for card in public.cards
        }
        # For each category, the index of each card's representative in the list of representatives.
        self._stands: list[dict[str, int]] = []
        self._chosen: list[list[str]] = []
        for category in self._categories:
            kinds: dict[object, int] = {}
            stands: dict[str, int] = {}
            chosen: list[str] = []
            for card in category:
                places = {self._position(place) for place in marginals[location(card)]}
                kind: object = card
                if len(places) == 1:
                    kind = ("known", places.pop())
                elif card not in named:
                    kind = "fresh"
                if kind not in kinds:
                    kinds[kind] = len(chosen)
                    chosen.append(card)
                stands[card] = kinds[kind]
            self._stands.append(stands)
            self._chosen.append(chosen)

    def _position(self, place: str) -> int:
        """Return the index of a place in `asked`, or the length of `asked` if it is absent."""
        return self._place.get(place, len(self.asked))

    # ---- the sums -------------------------------------------------------------------------

    def _sum(self, steps: Sequence[_Shared]) -> None:
        """Compute the probability of each answer to each question, and the gains."""
        tables = []
        start = 0
        for number, chosen in enumerate(self._chosen):
            end = start + len(self._categories[number])
            part = steps[start:end]
            # The last category starts from the end of the steps, where there is only one state.
            if number == len(self._chosen) - 1:
                part = [(step.reverse, shares) for step, shares in reversed(part)]
            tables.append(_Table(part, [location(card) for card in chosen], self._position))
            start = end
        shape = tuple(map(len, self._chosen))
        shown = np.zeros((len(self.asked), 3, *shape))
        # The contribution of each pair of an answer and a solution to their joint entropy.
        parted = np.zeros(shown.shape)
        nobody, silent = np.zeros(shape), np.zeros(shape)
        prior: Floats = np.zeros(1)
        for number, cases in enumerate(_joint(tables, len(self.asked)) if self.asked else ()):
            # The cases of each shown card, then of no shown card. Axes: the solution (flat) and the
            # three cards of the question.
            parts = [_shown(cases, card) for card in range(3)]
            if number == len(self.asked) - 1:
                parts.append(cases[_BEHIND, _BEHIND, _BEHIND])
                nobody, silent = parts[-1].sum(axis=0), _uncertain(parts[-1]).sum(axis=0)
            for card, case in enumerate(parts):
                prior = prior + case[:, 0, 0, 0]
                if card < 3:
                    shown[number, card] = case.sum(axis=0)
                    parted[number, card] = _uncertain(case).sum(axis=0)
        self._shown, self._nobody = shown, nobody
        self._parted, self._silent = parted, silent
        together = parted.sum(axis=(0, 1)) + silent
        self.uncertainty = float(_uncertain(prior).sum())
        answer = _uncertain(shown).sum(axis=(0, 1)) + _uncertain(nobody)
        gains = np.maximum(self.uncertainty + answer - together, 0.0)
        self._gains: Floats = gains if self.asked else np.zeros(shape)

    # ---- results ----------------------------------------------------------------------------

    @cached_property
    def gains(self) -> dict[Triple, float]:
        """The expected information of each question about the solution, in bits."""
        gains = {}
        for suspect, weapon, room in product(*self._categories):
            cards = suspect, weapon, room
            gains[cards] = float(self._gains[self._at(cards)])
        return gains

    def best(self) -> list[Triple]:
        """Return the questions with the greatest gain; empty if no question is informative."""
        most = max(self.gains.values())
        if most < SAME:
            return []
        return [cards for cards, gain in self.gains.items() if gain > most - SAME]

    @property
    def best_first(self) -> list[tuple[Triple, float]]:
        """All questions with their gains, greatest gain first."""
        return sorted(self.gains.items(), key=lambda pair: -round(pair[1] / SAME))

    def asking(self, cards: Triple) -> CandidateQuestion:
        """Return the question for these cards, with its expected effects."""
        return CandidateQuestion(cards, self.gains[cards], self.replies(cards))

    def replies(self, cards: Triple) -> tuple[Reply, ...]:
        """Return the possible answers to a question."""
        at = self._at(cards)
        replies = []
        for number, shower in enumerate(self.asked):
            shares = (float(self._shown[number, place][at]) for place in range(3))
            for card, probability in zip(cards, shares, strict=True):
                if probability:
                    replies.append(Reply(self.asked[:number], shower, card, probability))
        if self._nobody[at] or not self.asked:
            silent = float(self._nobody[at]) if self.asked else 1.0
            replies.append(Reply(self.asked, None, None, silent))
        return tuple(replies)

    def left(self, cards: Triple, shower: str | None, card: str | None) -> float:
        """Return the entropy of the solution after this answer to a question, in bits.

        For the answer a, this is the sum of -P(e, a) log P(e, a) over all solutions e, divided by
        P(a), plus log P(a). Return zero for an impossible answer.
        """
        at = self._at(cards)
        if not self.asked:
            return self.uncertainty
        if shower is None or card is None:
            share, parted = float(self._nobody[at]), float(self._silent[at])
        else:
            place = self.asked.index(shower), cards.index(card)
            share, parted = float(self._shown[place][at]), float(self._parted[place][at])
        return max(0.0, parted / share + log2(share)) if share else 0.0

    def _at(self, cards: Triple) -> tuple[int, ...]:
        return tuple(stands[card] for stands, card in zip(self._stands, cards, strict=True))


class _Table:
    """The transition probabilities of one category, from states before it to states after it.

    Attributes:
        start: for each row, the state before the category.
        end: for each row, the state after the category.
        rows: the probability for each row, card in the envelope and mark.
        marks: for each mark, an asked card (its index in `chosen`) and the position of its holder.
    """

    def __init__(
        self, steps: Sequence[_Shared], chosen: Sequence[str], position: _Position
    ) -> None:
        """Compute the sums over all paths through these steps."""
        self.chosen = len(chosen)
        self.marks: list[tuple[int, int]] = []
        first, last = steps[0][0], steps[-1][0]
        self.start: Ints = np.arange(first.starts)
        self.end: Ints = self.start
        self.starts, self.ends = first.starts, last.ends
        # Index 0 of the last two axes stands for no card in the envelope, or no asked card, so far.
        self.rows: Floats = np.ones((len(self.start), 1, 1))
        for step, shares in steps:
            place = chosen.index(step.fluent) if step.fluent in chosen else None
            self._walk(step, shares, place, position)
        self.rows = self.rows[:, 1:, 1:]

    def _walk(
        self, step: FluentStep, shares: Floats, chosen: int | None, position: _Position
    ) -> None:
        """Extend all paths by one card; `chosen` is its index if it can be asked for."""
        row, way = _ways(self.end, step)
        inside = (np.array(step.values) == ENVELOPE)[step.value[way]]
        positions = np.array([position(value) for value in step.values])[step.value[way]]
        keys, after = np.unique(self.start[row] * step.ends + step.target[way], return_inverse=True)
        after = after.ravel()
        here = sorted(set(positions.tolist())) if chosen is not None else []
        _, envelope, marked = self.rows.shape
        more = int(inside.any())
        need(_NUMBER * (row.size * envelope + keys.size * (envelope + more)) * (marked + len(here)))
        rows = np.zeros((len(keys), envelope + more, marked + len(here)))
        for is_inside in (False, True):
            some = np.flatnonzero(inside == is_inside)
            if not len(some):
                continue
            # The envelope takes only one card, so only paths with an empty envelope continue.
            before = self.rows[:, :1] if is_inside else self.rows
            moved = before.take(row[some], axis=0)
            moved *= shares[way[some]][:, np.newaxis, np.newaxis]
            columns = slice(envelope, envelope + 1) if is_inside else slice(0, envelope)
            rows[:, columns, :marked] = _sums(moved, after[some], len(keys))
            if here:
                at = after[some] * len(here) + np.searchsorted(here, positions[some])
                asked = _sums(moved[:, :, 0], at, len(keys) * len(here))
                asked = asked.reshape(len(keys), len(here), -1)
                rows[:, columns, marked:] = asked.transpose(0, 2, 1)
        if chosen is not None:
            self.marks.extend((chosen, position) for position in here)
        self.rows = rows
        self.start, self.end = np.divmod(keys, step.ends)

    def cases(self, players: int) -> Floats:
        """Return probabilities by player asked, row, envelope card, place of asked card, and card.

        The place of the asked card is `_WITH` or `_BEHIND` the player asked.
        """
        marked = np.zeros((*self.rows.shape[:2], self.chosen, players + 1))
        cards, positions = np.array(self.marks).reshape(-1, 2).T
        marked[:, :, cards, positions] = self.rows
        behind = marked[..., ::-1].cumsum(axis=-1)[..., ::-1]
        cases = np.stack((marked[..., :-1], behind[..., 1:]))
        return cases.transpose(4, 1, 2, 0, 3)


def _sums(values: Floats, at: Ints, size: int) -> Floats:
    """Return `size` sums of rows; row i is added to the sum with the index `at[i]`.

    The first rows of all sums are added together, then the second rows, and so on, because each sum
    has few rows. This takes a third of the time of `np.add.reduceat`, which processes each column
    separately.
    """
    order = np.argsort(at, kind="stable")
    sorted_at = at[order]
    begins = np.flatnonzero(np.diff(sorted_at, prepend=-1))
    many = np.diff(begins, append=len(at))
    sums = values.take(order[begins], axis=0)
    for number in range(1, int(many.max(initial=0))):
        more = np.flatnonzero(many > number)
        sums[more] += values.take(order[begins[more] + number], axis=0)
    if len(begins) == size:
        return sums
    totals = np.zeros((size, *values.shape[1:]))
    totals[sorted_at[begins]] = sums
    return totals


def _ways(states: Ints, step: FluentStep) -> tuple[Ints, Ints]:
    """Return all pairs of a row and a way that continues from its state, as two arrays."""
    order = np.argsort(step.source, kind="stable")
    many = np.bincount(step.source, minlength=step.starts)
    first = np.cumsum(many) - many
    repeated = many[states]
    row = np.repeat(np.arange(len(states)), repeated)
    within = np.arange(len(row)) - np.repeat(np.cumsum(repeated) - repeated, repeated)
    return row, order[first[states][row] + within]


def _joint(tables: Sequence[_Table], players: int) -> Floats:
    """Return the joint probabilities for an answer of each player (first axis).

    The other axes are the place of each asked card (three axes), the solution (one axis) and the
    cards of the question (three axes).
    """
    first, middle, last = (table.cases(players) for table in tables)
    here = tables[1]
    need(_NUMBER * players * (here.starts * first[0, 0].size + here.ends * last[0, 0].size))
    left = np.zeros((players, here.starts, *first.shape[2:]))
    left[:, tables[0].end] = first
    right = np.zeros((players, here.ends, *last.shape[2:]))
    right[:, tables[2].end] = last
    start, end = (left, here.start), (right, here.end)
    # Join the cheaper side to the middle first, because one side may have many more states.
    pairs = (start, end), (end, start)
    near, far = min(pairs, key=lambda pair: _cost(pair[0], pair[1], middle))
    whole = _contracted(near, far, middle)
    need(whole.nbytes)  # for the transposed copy
    shapes = far[0].shape[2:], near[0].shape[2:], middle.shape[2:]
    whole = whole.reshape(players, *chain.from_iterable(shapes))
    # The axes of each category: the card in the envelope, the place of the asked card, and the
    # asked card.
    at = {"far": (1, 2, 3), "near": (4, 5, 6), "middle": (7, 8, 9)}
    order = ("near", "middle", "far") if near is start else ("far", "middle", "near")
    cases = whole.transpose(0, *(at[name][part] for part in (1, 0, 2) for name in order))
    return cases.reshape(players, 2, 2, 2, -1, *cases.shape[7:])


_Side: TypeAlias = tuple[Floats, Ints]
"""The cases by state, and the state on this side of each row of the middle table."""


def _cost(near: _Side, far: _Side, middle: Floats) -> int:
    """Return the approximate number of multiplications if `near` is joined to the middle first."""
    together = near[0][0, 0].size * middle[0, 0].size
    return int(together * (len(near[1]) + far[0][0].size))


def _contracted(near: _Side, far: _Side, middle: Floats) -> Floats:
    """Return the sums over all states. Axes: the player, then the far, near and middle cases."""
    players, states = far[0].shape[:2]
    # Few pairs of states are connected, so one product sums the pairs with the same far state.
    order = np.argsort(far[1], kind="stable")
    here, there = near[1][order], far[1][order]
    need(_NUMBER * players * len(order) * (near[0][0, 0].size + middle[0, 0].size))
    before = near[0].reshape(*near[0].shape[:2], -1)[:, here].transpose(0, 2, 1)
    through = middle.reshape(players, len(order), -1)[:, order]
    columns = before.shape[1] * through.shape[2]
    need(_NUMBER * players * columns * (states + far[0][0, 0].size))
    until = np.zeros((players, states, before.shape[1], through.shape[2]))
    bounds = np.flatnonzero(np.diff(there, prepend=-1)).tolist()
    for begin, behind in pairwise([*bounds, len(there)]):
        until[:, there[begin]] = _product(before[..., begin:behind], through[:, begin:behind])
    return _product(
        far[0].reshape(players, states, -1).transpose(0, 2, 1),
        until.reshape(players, states, -1),
    )


def _product(left: Floats, right: Floats) -> Floats:
    """Return the products of these matrices, in parts small enough for one thread of the library.

    With several threads, the product takes twice the time, because they wait for each other.
    """
    rows, inner = left.shape[1:]
    columns = right.shape[2]
    wide = max(1, _ONE_THREAD // (rows * inner))
    if columns <= wide:
        return left @ right
    product = np.empty((len(left), rows, columns))
    for begin in range(0, columns, wide):
        part = slice(begin, begin + wide)
        np.matmul(left, right[..., part], out=product[..., part])
    return product


def _shown(cases: Floats, card: int) -> Floats:
    """Return the probabilities that the player shows the card with this index in the question.

    A player who holds several of the cards chooses at random.
    """
    total = np.zeros(cases.shape[3:])
    for others in product((_WITH, _BEHIND), repeat=2):
        where = (*others[:card], _WITH, *others[card:])
        total += cases[where] / where.count(_WITH)
    return total


def _uncertain(shares: Floats) -> Floats:
    """Return the contribution of each probability to an entropy, in bits."""
    positive = np.where(shares > 0, shares, 1.0)
    return -positive * np.log2(positive)
