"""Laws that fall into blocks of few fluents, which nothing but sums ties together.

In Kwartet all that is said is about one group of cards, and only the sizes of the hands tie groups
together. The law of such a game is

    (what was said of block 1) & ... & (what was said of block n) & (each sum has its total)

A *way* is a value for each fluent of a block. A set of ways is a whole number with one bit for each
way, so a constraint about one block is evaluated at all its ways together. A way adds something to
each sum: its *share*, written as one number with a digit for each sum.

* A way is possible if its block allows it and the other blocks can add what is missing. The sums
  that blocks can reach are a set of bits again, and to add a share to each of them is a shift.
* The number of worlds is a coefficient of a product of polynomials, one for each block. A
  polynomial is one whole number, with each coefficient in its own bits (L. Kronecker's
  substitution), so multiplying by a share is a shift, too.

Both are found for all blocks in two passes, one from either end. The time is proportional to the
number of blocks, times the shares of a block, times the length of the numbers: the product of the
totals. So this is for few open sums; the programme of
`symkripke.engines.count.dynamic_programme` is for all others.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, product
from math import prod
from random import Random
from typing import TypeAlias
from weakref import WeakKeyDictionary

from symkripke.engines.asked import structure_of
from symkripke.engines.caches import along_history
from symkripke.engines.count.sums import as_sums
from symkripke.engines.count.tuning import CountingTuning
from symkripke.language import formulas as f
from symkripke.language.formulas import fold
from symkripke.language.walk import atoms
from symkripke.limits import check
from symkripke.model import KnowledgeStructure, Perspective, World
from symkripke.model.evaluate import counts
from symkripke.records import dataclass

Way: TypeAlias = tuple[str, ...]
"""A value for each fluent of a block."""

Ways: TypeAlias = int
"""A set of ways: bit n for way n."""

Share: TypeAlias = int
"""What a way adds to the sums that are open."""

_TUNING = CountingTuning()


class Space:
    """All ways of a block. Blocks with the same values share it.

    Attributes:
        ways: the ways.
        every: the set of all of them.
        having: for each fluent and value the ways in which the fluent has that value.
    """

    def __init__(self, size: int, ways: Sequence[Way]) -> None:
        """A space of these ways, for so many fluents."""
        self.ways = ways
        self.every = (1 << len(ways)) - 1
        self.having: list[dict[str, Ways]] = [{} for _ in range(size)]
        for number, way in enumerate(ways):
            for having, value in zip(self.having, way, strict=True):
                having[value] = having.get(value, 0) | 1 << number

    def members(self, ways: Ways) -> list[Way]:
        """The ways of a set."""
        return [way for number, way in enumerate(self.ways) if ways >> number & 1]


@lru_cache(maxsize=256)
def _space(size: int, parts: tuple[tuple[Way, ...], ...]) -> Space:
    """The space of all combinations of these parts, which have so many fluents together."""
    return Space(size, [sum(combined, ()) for combined in product(*parts)])


@dataclass(frozen=True, eq=False)
class Block:
    """Some fluents, with their space.

    Attributes:
        names: the fluents.
        where: for each fluent and value the ways in which the fluent has that value.
        space: all ways.
    """

    names: tuple[str, ...]
    where: Mapping[str, Mapping[str, Ways]]
    space: Space


@lru_cache(maxsize=1024)
def _block(names: tuple[str, ...], parts: tuple[tuple[Way, ...], ...]) -> Block:
    """The block of these fluents whose ways are all combinations of parts."""
    space = _space(len(names), parts)
    return Block(names, dict(zip(names, space.having, strict=True)), space)


@lru_cache(maxsize=4096)
def _truth(block: Block, formula: f.Formula) -> Ways | None:
    """The ways of a block at which a propositional formula is true.

    None if the formula is about other fluents, too.
    """
    every, where = block.space.every, block.where

    def visit(current: f.Formula, parts: tuple[Ways, ...]) -> Ways:
        match current:
            case f.Atom(name, value):
                return where[name].get(value, 0)
            case f.Not():
                return every & ~parts[0]
            case f.And():
                return _meet(parts, every)
            case f.Or():
                return _join(parts)
            case f.Implies():
                return every & ~parts[0] | parts[1]
            case f.Iff():
                return every & ~(parts[0] ^ parts[1])
            case f.Cardinality(relation, bound):
                return _join(_numbered(parts, every, relation, bound))
        assert isinstance(current, f.Constant)
        return every if current.value else 0

    try:
        return fold(formula, visit)
    except KeyError:
        return None


def _meet(parts: Iterable[Ways], every: Ways) -> Ways:
    for part in parts:
        every &= part
    return every


def _join(parts: Iterable[Ways]) -> Ways:
    found = 0
    for part in parts:
        found |= part
    return found


def _numbered(
    parts: Sequence[Ways], every: Ways, relation: f.Relation, bound: int
) -> Iterator[Ways]:
    """For each number that fits, the ways that are in so many of these sets."""
    number = [every, *[0] * len(parts)]
    for part in parts:
        number = [
            here & ~part | before & part for here, before in zip(number, [0, *number], strict=False)
        ]
    return (ways for n, ways in enumerate(number) if counts(relation, bound, n))


@dataclass(frozen=True, eq=False)
class Tie:
    """A sum over fluents of several blocks.

    Attributes:
        adds: for each fluent what its values add; the least is 0.
        total: the number that the sum has.
    """

    adds: Mapping[str, Mapping[str, int]]
    total: int


class Terms:
    """A set of ways of one block, by their shares.

    Attributes:
        by_share: the ways of each share, in the order of the first way.
        numbers: how many ways each share has.
    """

    def __init__(self, space: Space, by_share: Sequence[tuple[Share, Ways]]) -> None:
        """Terms of a polynomial."""
        self.by_share = by_share
        self.numbers = [(share, ways.bit_count()) for share, ways in by_share]
        self._space = space

    @cached_property
    def members(self) -> dict[Share, list[Way]]:
        """The ways of each share, one by one."""
        return {share: self._space.members(ways) for share, ways in self.by_share}

    @cached_property
    def having(self) -> dict[tuple[int, str], list[tuple[Share, int]]]:
        """For each place of a fluent and value: how many ways of each share have that value."""
        found: dict[tuple[int, str], dict[Share, int]] = {}
        for share, ways in self.members.items():
            for way in ways:
                for literal in enumerate(way):
                    numbers = found.setdefault(literal, {})
                    numbers[share] = numbers.get(share, 0) + 1
        return {literal: list(numbers.items()) for literal, numbers in found.items()}


class Shares:
    """The shares of all ways of a space, for some open sums.

    Attributes:
        space: the space.
        by_share: the ways of each share.
    """

    def __init__(self, space: Space, adds: Sequence[tuple[tuple[str, int], ...]]) -> None:
        """`adds` has for each fluent what its values add to the share."""
        self.space = space
        self.by_share: dict[Share, Ways] = {}
        of = [dict(pairs) for pairs in adds]
        for number, way in enumerate(space.ways):
            share = sum(more.get(value, 0) for more, value in zip(of, way, strict=True))
            self.by_share[share] = self.by_share.get(share, 0) | 1 << number


_shares = lru_cache(maxsize=1024)(Shares)


@lru_cache(maxsize=1 << 13)
def _terms(shares: Shares, ways: Ways) -> Terms:
    """The terms of a set of ways."""
    here = [(share, ways & every) for share, every in shares.by_share.items() if ways & every]
    return Terms(shares.space, sorted(here, key=lambda term: term[1] & -term[1]))


class Frame:
    """How the totals of the open sums are written as one number.

    Attributes:
        target: the totals.
        length: the number of sums that can be told apart.
    """

    def __init__(self, blocks: Sequence[Block], ties: Sequence[Tie], factors: int) -> None:
        """A frame for sums with these ties open, and for products of so many polynomials."""
        self.target, self.length = 0, 1
        self._digits: list[tuple[Share, int]] = []
        adds: dict[str, dict[str, int]] = {}
        for tie in ties:
            for name, values in tie.adds.items():
                mine = adds.setdefault(name, {})
                for value, more in values.items():
                    mine[value] = mine.get(value, 0) + more * self.length
            self.target += self.length * tie.total
            self._digits.append((self.length, tie.total))
            self.length *= factors * tie.total + 1 + _most(blocks, tie)
        self._adds = {name: tuple(sorted(values.items())) for name, values in adds.items()}
        self._blocks = blocks
        self._masks: dict[int, int] = {}

    @cached_property
    def shares(self) -> list[Shares]:
        """For each block the shares of its ways."""
        return [
            _shares(block.space, tuple(self._adds.get(name, ()) for name in block.names))
            for block in self._blocks
        ]

    def mask(self, width: int) -> int:
        """The bits of all sums with no digit above its total, if each has so many bits."""
        if width not in self._masks:
            mask = (1 << width) - 1
            for step, total in self._digits:
                mask = sum(mask << step * n * width for n in range(total + 1))
            self._masks[width] = mask
        return self._masks[width]


def _most(blocks: Sequence[Block], tie: Tie) -> int:
    """The most that a block adds to a sum."""
    most = {name: max(adds.values(), default=0) for name, adds in tie.adds.items()}
    return max((sum(most.get(name, 0) for name in block.names) for block in blocks), default=0)


class Partition:
    """The fluents of a law in blocks, and the sums that tie them.

    Attributes:
        blocks: the blocks, in the order of their first fluents.
        ties: the sums.
        place_of: for each fluent the number of its block, and its place there.
    """

    def __init__(self, blocks: tuple[Block, ...], ties: tuple[Tie, ...]) -> None:
        """A partition into these blocks."""
        self.blocks, self.ties = blocks, ties
        self.place_of = {
            name: (number, place)
            for number, block in enumerate(self.blocks)
            for place, name in enumerate(block.names)
        }
        self._frames: dict[tuple[frozenset[Tie], int], Frame] = {}
        self._known: dict[str, frozenset[Tie]] = {}

    def number(self, formula: f.Formula) -> int:
        """The number of the block that a formula is about, if it is about one."""
        leaf = formula
        while leaf.operands:
            leaf = leaf.operands[0]
        atom = leaf if isinstance(leaf, f.Atom) else next(iter(atoms(formula)), None)
        return 0 if atom is None else self.place_of[atom.fluent][0]

    def known(self, perspective: Perspective) -> frozenset[Tie]:
        """The sums of which the agent sees what each fluent adds, from the start."""
        agent = perspective.agent
        if agent not in self._known:
            root = perspective.structure.root
            observed = {observable.atom for observable in root.observables[agent]}
            self._known[agent] = frozenset(
                tie
                for tie in self.ties
                if all(
                    f.Atom(name, value) in observed
                    for name, values in tie.adds.items()
                    for value, more in values.items()
                    if more
                )
            )
        return self._known[agent]

    def frame(self, known: frozenset[Tie], factors: int) -> Frame:
        """The frame for somebody who knows what all fluents add to some sums."""
        key = known, factors
        if key not in self._frames:
            open_ones = [tie for tie in self.ties if tie not in known]
            if self._one_follows:
                del open_ones[-1:]
            self._frames[key] = Frame(self.blocks, open_ones, factors)
        return self._frames[key]

    @cached_property
    def _one_follows(self) -> bool:
        """Whether the total of a sum follows from those of all others."""
        whole = 0
        for block in self.blocks:
            for name, having in zip(block.names, block.space.having, strict=True):
                added = {
                    sum(tie.adds[name][value] for tie in self.ties if name in tie.adds)
                    for value in having
                }
                if len(added) > 1:
                    return False
                whole += sum(added)
        return whole == sum(tie.total for tie in self.ties)

    def seen(self, perspective: Perspective) -> list[Ways]:
        """For each block the ways that agree with what the agent has seen."""
        seen, found = perspective.seen, [block.space.every for block in self.blocks]
        for observable in perspective.structure.observables[perspective.agent]:
            atom = observable.atom
            number, _ = self.place_of[atom.fluent]
            having = self.blocks[number].where[atom.fluent].get(atom.value, 0)
            found[number] &= having if atom in seen else ~having
        for tie in self.known(perspective):
            adds = tie.adds
            total = sum([adds[a.fluent].get(a.value, 0) for a in seen if a.fluent in adds])
            if total != tie.total:
                return [0] * len(found)
        return found


_partition = lru_cache(maxsize=256)(Partition)


@dataclass(frozen=True, eq=False)
class BlockLaw:
    """A law in blocks.

    Attributes:
        partition: the blocks, with the sums that tie them.
        ways: for each block those that its constraints allow.
    """

    partition: Partition
    ways: tuple[Ways, ...]

    @classmethod
    def of(cls, root: KnowledgeStructure) -> BlockLaw | None:
        """The law of a first structure; None if it is none of blocks."""
        blocks = [
            _block((name,), (tuple((value,) for value in fluent.values),))
            for name, fluent in root.vocabulary.fluents.items()
        ]
        law = cls(_partition(tuple(blocks), ()), tuple(block.space.every for block in blocks))
        first = law.after(root) if blocks else None
        if first is None:
            return None
        # Without values that no fluent can have, more can be told of the sums.
        blocks = [
            _block(block.names, (tuple(block.space.members(ways)),))
            for block, ways in zip(first.partition.blocks, first.ways, strict=True)
        ]
        partition = _partition(tuple(blocks), first.partition.ties)
        return cls(partition, tuple(block.space.every for block in blocks))

    @cached_property
    def view(self) -> BlockView:
        """What is possible by the law alone."""
        return BlockView(self.partition, self.ways, frozenset())

    def after(self, stage: KnowledgeStructure) -> BlockLaw | None:
        """The law with the constraints that a stage adds.

        None if they tie blocks otherwise, or if the stage has fluents of its own.
        """
        if len(stage.vocabulary.fluents) != len(self.partition.place_of):
            return None
        law: BlockLaw | None = self
        stack = [constraint.formula for constraint in reversed(stage.law.added)]
        while stack and law is not None:
            check()
            formula = stack.pop()
            if not formula.propositional:
                return None
            partition = law.partition
            number = partition.number(formula)
            true = _truth(partition.blocks[number], formula)
            if true is not None:
                ways = list(law.ways)
                ways[number] &= true
                law = BlockLaw(partition, tuple(ways))
            elif isinstance(formula, f.And):
                stack.extend(reversed(formula.operands))
            else:
                numbers = sorted({partition.place_of[atom.fluent][0] for atom in atoms(formula)})
                if prod(law.ways[number].bit_count() for number in numbers) > _TUNING.block_ways:
                    law = law._tied(formula, stage)
                else:
                    law = law._merged(numbers)
                    stack.append(formula)
        return law

    def _merged(self, numbers: Sequence[int]) -> BlockLaw:
        """The law with these blocks as one, without the ways that are excluded already."""
        blocks, ways = list(self.partition.blocks), list(self.ways)
        parts = tuple(tuple(blocks[n].space.members(ways[n])) for n in numbers)
        names = sum((blocks[n].names for n in numbers), ())
        merged = _block(names, parts)
        blocks[numbers[0]], ways[numbers[0]] = merged, merged.space.every
        for number in reversed(numbers[1:]):
            del blocks[number], ways[number]
        return BlockLaw(_partition(tuple(blocks), self.partition.ties), tuple(ways))

    def _tied(self, formula: f.Formula, stage: KnowledgeStructure) -> BlockLaw | None:
        """The law with a sum that ties blocks; None if the formula is no sum with one total."""
        fluents = stage.vocabulary.fluents
        said = as_sums(formula, fluents)
        if said is None or not all(law_sum.exact for law_sum in said):
            return None
        ties = [
            Tie(
                {
                    name: dict(zip(fluents[name].values, adds, strict=True))
                    for name, adds in law_sum.parts.items()
                },
                law_sum.allowed.bit_length() - 1,
            )
            for law_sum in said
        ]
        return BlockLaw(_partition(self.partition.blocks, (*self.partition.ties, *ties)), self.ways)


_LAWS: WeakKeyDictionary[KnowledgeStructure, BlockLaw | None] = WeakKeyDictionary()


def block_law(structure: KnowledgeStructure) -> BlockLaw | None:
    """The law of a structure in blocks; None if it has none, or if events have fluents."""

    def after(law: BlockLaw, stage: KnowledgeStructure) -> BlockLaw | None:
        return BlockLaw.of(stage) if stage.history.before is None else law.after(stage)

    return along_history(structure, _LAWS, BlockLaw(_partition((), ()), ()), after)


class BlockView:
    """What somebody considers possible, in blocks: an agent, or who only knows the law.

    Attributes:
        partition: the blocks.
    """

    def __init__(self, partition: Partition, ways: Sequence[Ways], known: frozenset[Tie]) -> None:
        """The view with these ways of each block, if what fluents add to some sums is known."""
        self.partition = partition
        self._ways = ways
        self._known = known
        self._left: dict[int, dict[Share, int]] = {}

    @property
    def is_long(self) -> bool:
        """Whether other ways are quicker."""
        return self.partition.frame(self._known, 1).length > _TUNING.block_sums

    # ---- what is possible --------------------------------------------------------------------

    @cached_property
    def possible(self) -> list[Ways] | None:
        """For each block the ways that are possible; None if there is no world."""
        frame = self.partition.frame(self._known, 1)
        valid = frame.mask(1)
        found = [*self._ways]
        before, several = 1, []
        for number, shares in enumerate(frame.shares):
            check()
            terms = _terms(shares, found[number]).by_share
            if len(terms) > 1:
                several.append((number, terms))
            else:
                before = before << terms[0][0] & valid if terms else 0
        missing = [1 << frame.target]
        for _, terms in reversed(several):
            last, reached = missing[-1], 0
            for share, _ in terms:
                reached |= last >> share
            missing.append(reached & valid)
        if not before & missing.pop():
            return None
        for number, terms in several:
            wanted = missing.pop()
            left = reached = 0
            for share, ways in terms:
                moved = before << share
                if moved & wanted:
                    left |= ways
                    reached |= moved
            found[number] = left
            before = reached & valid
        return found

    def values(self, name: str) -> tuple[str, ...]:
        """The values that a fluent can have; there must be a world."""
        number, place = self.partition.place_of[name]
        assert self.possible is not None
        possible = self.possible[number]
        values = self.partition.blocks[number].space.having[place].items()
        return tuple([value for value, having in values if possible & having])

    def follows(self, formula: f.Formula) -> bool | None:
        """Whether a resolved formula is true at all worlds; None if it is not about one block."""
        if self.possible is None:
            return True
        number = self.partition.number(formula)
        true = _truth(self.partition.blocks[number], formula)
        return None if true is None else not self.possible[number] & ~true

    # ---- counts ------------------------------------------------------------------------------

    @cached_property
    def _frame(self) -> Frame:
        return self.partition.frame(self._known, 2)

    @cached_property
    def _width(self) -> int:
        """The bits of a coefficient; a few more, so that neighbouring views have as many."""
        return prod([ways.bit_count() for ways in self._ways]).bit_length() | 15

    @cached_property
    def _terms(self) -> list[Terms]:
        """The polynomial of each block."""
        shares = self._frame.shares
        return [_terms(each, ways) for each, ways in zip(shares, self._ways, strict=True)]

    def _products(self, terms: Iterable[Terms]) -> list[int]:
        """1, and the products of the first polynomial, the first two, and so on."""
        width, mask = self._width, self._frame.mask(self._width)
        found = [1]
        for each in terms:
            before, product_ = found[-1], 0
            check()
            for share, number in each.numbers:
                product_ += (before << share * width) * number
            found.append(product_ & mask)
        return found

    @cached_property
    def _before(self) -> list[int]:
        """For each block the product of the blocks before it; then that of all."""
        return self._products(self._terms)

    @cached_property
    def _behind(self) -> list[int]:
        """For each block the product of it and all blocks behind it; then 1."""
        return self._products(reversed(self._terms))[::-1]

    def _coefficient(self, polynomial: int, left: Share) -> int:
        """The number of ways to add that share."""
        width = self._width
        return (polynomial >> left * width) & ((1 << width) - 1) if left >= 0 else 0

    @cached_property
    def number(self) -> int:
        """The number of worlds."""
        return self._coefficient(self._behind[0], self._frame.target)

    def weights(self, name: str) -> dict[tuple[str, str], int]:
        """The number of worlds with each value of each fluent in the block of this one.

        Values that none of them can have are left out.
        """
        number = self.partition.place_of[name][0]
        names, others = self.partition.blocks[number].names, self._others(number)
        return {
            (names[place], value): weight
            for (place, value), numbers in self._terms[number].having.items()
            if (weight := sum([others[share] * ways for share, ways in numbers]))
        }

    def _others(self, number: int) -> dict[Share, int]:
        """For each share of a block in how many ways the other blocks complete it."""
        found = self._left.get(number)
        if found is None:
            numbers, target = self._terms[number].numbers, self._frame.target
            if len(numbers) == 1:
                ((share, ways),) = numbers
                found = {share: self.number // ways}
            else:
                product_ = self._before[number] * self._behind[number + 1]
                found = {share: self._coefficient(product_, target - share) for share, _ in numbers}
            self._left[number] = found
        return found

    def draw(self, chance: Random) -> World:
        """One of the worlds, each as likely as another."""
        left, found = self._frame.target, dict[str, str]()
        for block, terms, behind in zip(
            self.partition.blocks, self._terms, self._behind[1:], strict=True
        ):
            share = terms.numbers[0][0]
            if len(terms.numbers) > 1:
                sums = list(
                    accumulate(
                        number * self._coefficient(behind, left - share)
                        for share, number in terms.numbers
                    )
                )
                share = terms.numbers[bisect(sums, chance.randrange(sums[-1]))][0]
            ways = terms.members[share]
            way = ways[0] if len(ways) == 1 else chance.choice(ways)
            found.update(zip(block.names, way, strict=True))
            left -= share
        return found


def block_view(state: KnowledgeStructure | Perspective) -> BlockView | None:
    """What is possible by the law, or by what an agent has seen; None if it has no blocks."""
    law = block_law(structure_of(state))
    if law is None:
        return None
    view = law.view
    if isinstance(state, Perspective):
        seen, known = law.partition.seen(state), law.partition.known(state)
        ways = [here & mine for here, mine in zip(law.ways, seen, strict=True)]
        view = BlockView(law.partition, ways, known)
    return view


def quick_block_view(state: KnowledgeStructure | Perspective) -> BlockView | None:
    """The same; None, too, if other ways are quicker."""
    view = block_view(state)
    return None if view is None or view.is_long else view
