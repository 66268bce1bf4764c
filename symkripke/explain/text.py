"""Evidence as lines of text, whatever the situation is: a game, or a problem from a file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symkripke.explain.evidence import (
    After,
    Combined,
    CounterWorld,
    Evidence,
    Fact,
    Known,
    Others,
    Possible,
    Ranged,
    Source,
    Weighed,
)
from symkripke.explain.phrases import Wording
from symkripke.language import TRUE, Formula, K, M, Not, P, negation
from symkripke.language.walk import is_propositional
from symkripke.model import World

# More exchanges than these are not counted out: how many there are says little then.
_COUNTED = 20


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an explanation: how far it is indented, what it is, and its text.

    `kind` is "claim", "source", "world" or "note", for colour.
    """

    indent: int
    kind: str
    text: str


class Teller(ABC):
    """Tells evidence; what differs between situations is how formulas and worlds are told."""

    def __init__(
        self, wording: Wording, actual: World | None, *, settled: bool | None = None
    ) -> None:
        """With words for formulas, and the actual world, if worlds are to be compared with it.

        `settled`: whether the answer is about the actual world (by default if there is one).
        """
        self.wording = wording
        self.actual = actual
        self._settled = actual is not None if settled is None else settled

    @abstractmethod
    def world(self, world: World, before: World | None) -> Iterator[str]:
        """A world, line by line.

        Args:
            world: the world.
            before: what it is compared with, if anything: only what is different is told.
        """

    def tell(self, evidence: Evidence, indent: int = 0) -> Iterator[Line]:
        """The evidence for an answer, line by line."""
        claim = self.wording.claim(evidence.formula, evidence.truth)
        match evidence:
            case Fact():
                yield Line(indent, "claim", f"{claim}, that is how things are")
            case Known(others=Others() as others):
                yield from self._ignorance(evidence, others, claim, indent)
            case Known(_, ()):
                told = f"{claim}, in any case: nothing has to be known for it"
                yield Line(indent, "claim", told)
            case Known(_, sources):
                listed = self._sources(sources)
                few = (
                    "this alone proves it" if len(listed) == 1 else f"these {len(listed)} prove it"
                )
                yield Line(indent, "claim", f"{claim}, {few}:")
                yield from _numbered(listed, indent + 1)
            case Possible(_, _, worlds):
                yield from self._possibilities(evidence.formula, worlds, claim, indent)
            case Weighed(chance, _, share):
                yield Line(
                    indent, "claim", f"{claim}, for {self._chance(chance)} is {in_percent(share)}"
                )
            case Ranged(_, _, chance, least, most):
                told = in_percent(least)
                if least != most:
                    told = f"from {told} to {in_percent(most)}"
                told = f"{self._chance(chance)} is {told} in all that is considered possible"
                yield Line(indent, "claim", f"{claim}, for {told}")
            case After(_, _, announced, said, reason):
                told = self.wording.that(announced)
                if said:
                    yield Line(indent, "claim", f"after the announcement that {told}:")
                else:
                    every = ", so anything is so after it" if evidence.truth else ""
                    yield Line(indent, "claim", f"it cannot be announced that {told}{every}:")
                yield from self.tell(reason, indent + 1)
            case Combined(_, _, parts):
                if len(parts) == 1 and self._claim(parts[0]) == claim:
                    yield from self.tell(parts[0], indent)
                    return
                yield Line(indent, "claim", f"{claim}:" if parts else claim)
                for part in parts:
                    yield from self.tell(part, indent + 1)

    def _claim(self, evidence: Evidence) -> str:
        return self.wording.claim(evidence.formula, evidence.truth)

    def _chance(self, chance: Formula) -> str:
        assert isinstance(chance, P)
        given = "" if chance.given is TRUE else f" | {self.wording.text(chance.given)}"
        return f"P[{chance.agent}{given}]({self.wording.text(chance.operand)})"

    # ---- sources ------------------------------------------------------------------------------

    def _sources(self, sources: Sequence[Source]) -> list[str]:
        """Sources in words, each once."""
        each = Counter(self._in_words(source) for source in sources)
        return [f"{told} ({times} times)" if times > 1 else told for told, times in each.items()]

    def _in_words(self, source: Source) -> str:
        """A source in words; who sees something is called as everywhere else."""
        if source.kind == "law" and source.stage and not is_propositional(source.formula):
            return f"{source.words} (it rests on all that was commonly known then)"
        return source.told(self.wording.who(source.observers)) if source.observers else source.text

    def _ignorance(
        self, evidence: Known, others: Others, claim: str, indent: int
    ) -> Iterator[Line]:
        """What it rests on that others do not know something."""
        listed = self._sources(evidence.sources)
        who = self.wording.who(others.agents) if len(others.agents) < 3 else "the others"
        given = "Given this" if len(listed) == 1 else "Given these"
        if listed:
            few = "because of this" if len(listed) == 1 else f"because of these {len(listed)}"
            yield Line(indent, "claim", f"{claim}, {few}:")
            yield from _numbered(listed, indent + 1)
            told = f"{given}, nothing that was said or shown tells {who} more"
        else:
            yield Line(indent, "claim", f"{claim}, in every case:")
            told = f"nothing that was said or shown so far tells {who} more"
        yield Line(indent + 1, "note", f"{told}{self._exchanges(others, who)}")
        if others.example is not None:
            yield Line(indent + 1, "note", "as things are:" if self._settled else "for example:")
            yield from self.tell(others.example, indent + 2)

    def _exchanges(self, others: Others, who: str) -> str:
        """What leads to other worlds, in every case; what is exchanged, if it is but once."""
        exchanges = others.exchanges
        if not exchanges or len(exchanges) > _COUNTED:
            return ""
        kind = "exchange" if all(len(names) > 1 for names in exchanges) else "change"
        if len(exchanges) > 1:
            return f": {len(exchanges)} {kind}s that {who} would not notice cover all cases"
        names = [self.wording.things.get(name, "") for name in exchanges[0]]
        what = f", of {', '.join(names[:-1])} and {names[-1]}," if len(names) > 1 else ""
        return (
            f": one {kind}{what if all(names) else ''} that {who} would not notice covers all cases"
        )

    # ---- worlds -------------------------------------------------------------------------------

    def _possibilities(
        self, formula: Formula, worlds: Sequence[CounterWorld], claim: str, indent: int
    ) -> Iterator[Line]:
        starts = sum(step.origin == -1 or not number for number, step in enumerate(worlds))
        plain = starts == 1 and _says_it(formula, worlds[0])
        few = "this possibility" if starts == 1 else "these possibilities"
        yield Line(indent, "claim", f"{claim}:" if plain else f"{claim}, because of {few}:")
        depth: list[int] = []
        for number, step in enumerate(worlds):
            origin = number - 1 if step.origin is None else step.origin
            depth.append(0 if origin < 0 else depth[origin] + 1)
            here = indent + depth[-1] + (not plain)
            shows = self.wording.that(step.shows)
            if origin >= 0 or not _is_plain(formula, step):
                there = "there, " if origin >= 0 else ""
                shows = f"{there}{self._reached(step)} {shows}"
            if origin >= 0 or not plain:
                yield Line(here, "source", shows)
            before = self.actual if origin < 0 else worlds[origin].world
            for told in self.world(step.world, before):
                yield Line(here + 1, "world", told)

    def _reached(self, step: CounterWorld) -> str:
        """What leads to a world of a chain: "Green considers it possible that"."""
        if not step.agent:
            return "it is possible that"
        verb = "together consider" if len(step.agent) > 1 else "considers"
        more = ", and nothing more plausible," if step.plausible else ""
        return f"{self.wording.who(step.agent)} {verb} it possible{more} that"


def _numbered(listed: Sequence[str], indent: int) -> Iterator[Line]:
    for number, words in enumerate(listed, 1):
        yield Line(indent, "source", f"{number}. {words}")


def _is_plain(formula: Formula, step: CounterWorld) -> bool:
    """Whether the claim itself says who considers the step possible, and what it shows."""
    bare = formula.operand if isinstance(formula, Not) else formula
    if not isinstance(bare, K | M) or step.agent != (bare.agent,) or step.plausible:
        return False
    return step.shows is (negation(bare.operand) if isinstance(bare, K) else bare.operand)


def _says_it(formula: Formula, step: CounterWorld) -> bool:
    """Whether the claim is in just these words that the step is possible."""
    return isinstance(formula, M) and _is_plain(formula, step)


def percent(share: Fraction) -> str:
    """A probability with one decimal; what is not certain is never written as 0% or 100%."""
    if share in (0, 1):
        return "100%" if share else "0%"
    if share < Fraction(1, 1000):
        return "<0.1%"
    return ">99.9%" if share > Fraction(999, 1000) else f"{float(share):.1%}"


def in_percent(share: Fraction) -> str:
    """A probability, exactly and in percent: "5/12 (41.7%)"."""
    return f"{share} ({percent(share)})"
