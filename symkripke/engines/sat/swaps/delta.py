"""What events added to the law, and what becomes of lemmas then."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from symkripke.engines.sat.swaps.implicants import TRUE, Lemma, Swap, literals_of
from symkripke.engines.sat.swaps.law import Law
from symkripke.engines.sat.swaps.precondition import Kept
from symkripke.engines.sat.swaps.projection import Veil, veiled
from symkripke.engines.sat.swaps.regression import carried
from symkripke.language import Formula
from symkripke.model import KnowledgeStructure

# Ways to give new fluents values in a world that is known; beyond so many it is let go.
_EXTENSIONS = 64


class News(Law):
    """What events added to the law between two structures of one history."""

    def __init__(self, law: Law, earlier: KnowledgeStructure, later: KnowledgeStructure) -> None:
        """The constraints and fluents that `later`, with its `law`, has more than `earlier`."""
        super().__init__(law.encoding, law.certificates)
        self.fluents, self.masks, self.one_of = law.fluents, law.masks, law.one_of
        self.share(law, -1)
        self._formulas: list[Formula] = []
        for stage in later.history[len(earlier.history) :]:
            for formula in law.encoding.facts(stage):
                self.add(formula)
                self._formulas.append(formula)
        self.whole = law.whole
        self._touched = self.bits(self.touching)
        known = earlier.vocabulary.fluents
        self._behind: dict[Veil, Behind] = {}
        self.fresh = [name for name in later.vocabulary.fluents if name not in known]
        self.defined = {name: law.defined[name] for name in self.fresh if name in law.defined}

    def behind(self, veil: Veil) -> Behind:
        """The same, as far as it matters behind that veil (of the later law)."""
        found = self._behind.get(veil)
        if found is None:
            found = self._behind[veil] = Behind(self, veil)
        return found

    def kept(self, lemma: Lemma, observed: int) -> Lemma | None:
        """A lemma from a swap, with what it needs now; None if nothing makes it work.

        `observed` are the variables (bits) that its agents observe since.
        """
        swap = lemma.swap
        assert swap is not None
        if lemma.free & (self._touched | observed):
            return None
        if not swap.mask & (self._touched | observed):
            return lemma
        kept = Kept(lemma.true, lemma.false, dict.fromkeys(lemma.clauses))
        swap = carried(swap, self.defined, kept, None, self.certificates)
        for variable in literals_of(observed & swap.mask, 0):
            renamed = swap.renamed[variable]
            if renamed > 0:
                both = 1 << variable | 1 << renamed
                if both & ~kept.true and both & ~kept.false:
                    # Seen the same if both are false; if both are true, too, but that is rare.
                    kept.false |= both
            elif renamed == TRUE:
                kept.true |= 1 << variable
            else:
                kept.false |= 1 << variable
        if not self.keep(swap, kept, None):
            return None
        free = lemma.free | self.free(swap)
        same = swap is lemma.swap and (kept.true, kept.false, free) == (
            lemma.true,
            lemma.false,
            lemma.free,
        )
        if same and len(kept.clauses) == len(lemma.clauses):
            return lemma
        return self.settled(kept, swap, free)

    def free(self, swap: Swap) -> int:
        """The new variables (bits) that get other values with that swap, whatever these are."""
        return 0

    def extended(self, world: int) -> Iterator[int]:
        """The world with values for the new fluents, in all ways that fit what is new."""
        choices = [
            [0, 1 << self.fluents[name][0]]
            if len(self.fluents[name]) == 1
            else [1 << one for one in self.fluents[name]]
            for name in self.fresh
        ]
        if prod(map(len, choices)) > _EXTENSIONS:
            return
        for chosen in product(*choices):
            whole = world | sum(chosen)
            # By the formulas: variables that stand for parts of them mean nothing in an old world.
            if all(self.certificates.true(formula, whole) for formula in self._formulas):
                yield whole


class Behind(News):
    """What events added, as far as it matters to somebody who does not see some of the fluents."""

    def __init__(self, news: News, veil: Veil) -> None:
        """`delta` behind that veil."""
        Law.__init__(self, news.encoding, news.certificates)
        self.fluents, self.masks, self.one_of = news.fluents, news.masks, news.one_of
        self.whole = veil.whole
        self.share(veil, -1)
        fresh = {name: veil.hidden[name] for name in news.fresh if name in veil.hidden}
        self.defined = {name: one for name, one in news.defined.items() if name in veil.defined}
        self.touching, self._linked = veiled(news, fresh)
        self._touched = news.bits(self.touching)

    def free(self, swap: Swap) -> int:
        """See `News.free`."""
        found = 0
        for name in swap.names:
            found |= self._linked.get(name, 0)
        return found
