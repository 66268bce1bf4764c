"""Evidence as lines of text, for games and for problems from files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from fractions import Fraction
from typing import Self

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
    known_chance,
)
from symkripke.explain.phrases import Wording
from symkripke.language import Formula, K, M, Not, negation
from symkripke.language import formulas as f
from symkripke.language.walk import is_propositional, negation_normal_form
from symkripke.model import World
from symkripke.model.origin import NOWHERE
from symkripke.records import dataclass

# The number of exchanges is told only up to this: a larger number says little.
_COUNTED = 20


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an explanation.

    `kind` is "claim", "source", "world" or "note", for colour.
    """

    indent: int
    kind: str
    text: str


def without_claim(lines: Sequence[Line], said: str) -> list[Line]:
    """An explanation below a sentence that says already what is explained: it is not said again.

    Of "Ann knows that it rains. One fact proves it:" the end stays. Where nothing stays, what is
    indented below moves up. Other lines stay as they are.
    """
    if not lines or lines[0].kind != "claim":
        return list(lines)
    first, *rest = lines
    stated = said.rstrip(".?")
    begins = first.text[: len(stated)]
    if not stated or begins.casefold() != stated.casefold():
        return list(lines)
    more = first.text[len(stated) :]
    for joint in (". ", ", because ", ": "):
        if more.startswith(joint):
            reason = more[len(joint) :]
            return [Line(first.indent, "claim", f"{reason[:1].upper()}{reason[1:]}"), *rest]
    if more not in ("", ".", ":", ", because:"):
        return list(lines)
    if rest and rest[0].kind == "world":
        return [Line(first.indent, "claim", "For example:"), *rest]
    below = all(line.indent > first.indent for line in rest)
    return [Line(line.indent - 1, line.kind, line.text) if below else line for line in rest]


class Teller(ABC):
    """Tells evidence line by line; derived classes say how formulas and worlds are told."""

    def __init__(
        self,
        wording: Wording,
        actual: World | None,
        *,
        settled: bool | None = None,
        verbose: bool = False,
    ) -> None:
        """A teller.

        Args:
            wording: the words for formulas.
            actual: the actual world, if worlds are to be compared with it.
            settled: whether the answer is about the actual world; by default if there is one.
            verbose: whether to add remarks for experts of the method.
        """
        self.wording = wording
        self.actual = actual
        self.verbose = verbose
        self.is_real = True
        """Whether `actual` is the actual world; in an explanation it may be a counter-world."""
        self._settled = actual is not None if settled is None else settled

    @abstractmethod
    def world(self, world: World, before: World | None, fact: str = "") -> Iterator[str]:
        """A world, line by line.

        Args:
            world: the world.
            before: what it is compared with, if anything: only what is different is told.
            fact: what is so there, in words, if no other line says that: told where nothing is
                different.
        """

    def can_be_said(self, formula: Formula) -> bool:
        """Whether the reader knows all names in a formula."""
        return True

    def at(self, world: World) -> Self:
        """A teller for evidence at a counter-world."""
        return self._comparing(None if self.actual is None else world)

    def _comparing(self, world: World | None) -> Self:
        """Return a teller that compares worlds with this one, which is not the actual world."""
        there = copy(self)
        there.actual, there.is_real = world, False
        return there

    def tell(self, evidence: Evidence, indent: int = 0) -> Iterator[Line]:
        """The evidence for an answer, line by line."""
        claim = self.wording.claim(evidence.formula, evidence.truth)
        match evidence:
            case Fact():
                yield Line(indent, "claim", f"{claim}: {self._really()}")
            case Known(others=Others() as others):
                yield from self._ignorance(evidence, others, claim, indent)
            case Known(_, ()):
                yield Line(indent, "claim", f"{claim}: this is always so")
            case Known(_, (law,)) if law.kind == "law" and law.origin is NOWHERE:
                yield Line(indent, "claim", f"{claim}. This follows from {law.words}")
            case Known(_, sources):
                listed = self.sources(sources)
                few = "One fact proves" if len(listed) == 1 else f"These {len(listed)} facts prove"
                yield Line(indent, "claim", f"{claim}. {few} it:")
                yield from _numbered(listed, indent + 1)
            case Possible(_, _, worlds):
                yield from self._possibilities(evidence.formula, worlds, claim, indent)
            case Weighed(_, _, share):
                yield Line(indent, "claim", f"{claim}: it is {in_percent(share)}")
            case Ranged():
                yield Line(indent, "claim", f"{claim}: {self._range(evidence)}")
            case After():
                yield from self._after(evidence, indent)
            case Combined():
                yield from self._parts(evidence, claim, indent)

    def _really(self) -> str:
        return "that is really so" if self.is_real else "that is so in that case"

    def _claim(self, evidence: Evidence) -> str:
        return self.wording.claim(evidence.formula, evidence.truth)

    def _range(self, evidence: Ranged) -> str:
        """The range of a probability at all worlds that the knower considers possible."""
        told = in_percent(evidence.least)
        if evidence.least != evidence.most:
            told = f"from {told} to {in_percent(evidence.most)}"
        known = known_chance(evidence.formula, evidence.truth)
        if known is None:
            chance = evidence.chance
            words = self.wording.probability(chance.agent, chance.operand, chance.given)
            return f"{words} is {told} in every case"
        consider = "consider" if len(known[0]) > 1 else "considers"
        who = self.wording.who(known[0])
        return f"the probability is {told} in every case that {who} {consider} possible"

    def _after(self, evidence: After, indent: int) -> Iterator[Line]:
        """An announcement and the evidence after it, or why it cannot be made."""
        told = self.wording.that(evidence.announced)
        if evidence.said:
            yield Line(indent, "claim", f"after the announcement {told}:")
            yield from self.tell(evidence.reason, indent + 1)
            return
        every = "; [!a] f counts as true if a is false" if evidence.truth else ""
        plain = isinstance(evidence.reason, Fact)
        end = "" if plain else ":"
        told = f"it cannot be announced {told}, because that is false{every}{end}"
        yield Line(indent, "claim", told)
        if not plain:
            yield from self.tell(evidence.reason, indent + 1)

    def _parts(self, evidence: Combined, claim: str, indent: int) -> Iterator[Line]:
        """A Boolean combination, by the parts that decide it."""
        parts = evidence.parts
        if len(parts) == 1 and self._claim(parts[0]) == claim:
            yield from self.tell(parts[0], indent)
            return
        yield Line(indent, "claim", f"{claim}{_because(evidence)}:" if parts else claim)
        both = isinstance(evidence.formula, f.Kw) and len(parts) > 1
        teller = self
        for part in parts:
            told = _as_possible(part) if both else part
            yield from teller.tell(told, indent + 1)
            if self.actual is None and not self._settled and isinstance(told, Possible):
                teller = self._comparing(told.worlds[0].world)

    # ---- sources ------------------------------------------------------------------------------

    def sources(self, sources: Sequence[Source]) -> list[str]:
        """Sources in words, each once."""
        each = Counter(self._in_words(source) for source in sources)
        return [
            f"{told} (used {times} times)" if times > 1 else told for told, times in each.items()
        ]

    def _in_words(self, source: Source) -> str:
        """A source in words, with the titles of agents."""
        if self.verbose and _speaks_of_knowledge(source):
            return f"{source.words} (it rests on all that was commonly known then)"
        return source.told(self.wording.who(source.observers)) if source.observers else source.text

    def _ignorance(
        self, evidence: Known, others: Others, claim: str, indent: int
    ) -> Iterator[Line]:
        """The evidence for knowledge of others' ignorance."""
        listed = self.sources(evidence.sources)
        who = self.wording.who(others.agents) if len(others.agents) < 3 else "the others"
        if listed:
            few = "one fact" if len(listed) == 1 else f"these {len(listed)} facts"
            yield Line(indent, "claim", f"{claim}, because of {few}:")
            yield from _numbered(listed, indent + 1)
            given = "given this, " if len(listed) == 1 else "given these, "
        else:
            yield Line(indent, "claim", f"{claim}. This is so in every possible case:")
            given = ""
        have = "has" if len(others.agents) == 1 else "have"
        told = f"{given}what {who} {have} seen and heard so far does not settle it"
        yield Line(indent + 1, "note", f"{told}{self._exchanges(others, who)}")
        if others.example is not None:
            real = self._settled and self.is_real
            yield Line(indent + 1, "note", "as things really are:" if real else "for example:")
            yield from self.tell(others.example, indent + 2)

    def _exchanges(self, others: Others, who: str) -> str:
        """The changes that others would not notice; for a single swap, its cards."""
        exchanges = others.exchanges
        if not exchanges or len(exchanges) > _COUNTED:
            return ""
        swaps = all(len(names) > 1 for names in exchanges)
        kind = "swap" if swaps else "change"
        if len(exchanges) > 1:
            several = f"{len(exchanges)} {kind}s are enough for all cases"
            return f"; in every case there is a {kind} that {who} would not notice ({several})"
        names = [self.wording.things.get(name, "") for name in exchanges[0]]
        if not swaps or not all(names):
            return f"; there is a {kind} that {who} would not notice in any case"
        return f"; {who} would not notice a swap of {', '.join(names[:-1])} and {names[-1]}"

    # ---- worlds -------------------------------------------------------------------------------

    def _possibilities(
        self, formula: Formula, worlds: Sequence[CounterWorld], claim: str, indent: int
    ) -> Iterator[Line]:
        starts = sum(step.origin == -1 or not number for number, step in enumerate(worlds))
        plain = starts == 1 and (
            _is_plain(formula, worlds[0]) or not self.can_be_said(worlds[0].shows)
        )
        if not plain:
            yield Line(indent, "claim", f"{claim}, because:")
        elif isinstance(formula, M):
            yield Line(indent, "claim", f"{claim}:")
        else:
            yield Line(indent, "claim", f"{claim}, because {self._considered(worlds[0])}:")
        depth: list[int] = []
        for number, step in enumerate(worlds):
            origin = number - 1 if step.origin is None else step.origin
            depth.append(0 if origin < 0 else depth[origin] + 1)
            here = indent + depth[-1] + (not plain)
            if origin >= 0 or not plain:
                case = "in that case, " if origin >= 0 else ""
                shows = f"{self._reached(step)} {self.wording.that(step.shows)}"
                if not self.can_be_said(step.shows):
                    shows = self._considered(step)
                yield Line(here, "source", f"{case}{shows}:")
            before = self.actual if origin < 0 else worlds[origin].world
            fact = "" if origin >= 0 or not plain else self._fact(formula, worlds)
            for told in self.world(step.world, before, fact):
                yield Line(here + 1, "world", told)
            yield from self._further(step, here + 1)
        if isinstance(formula, f.Kw) and len(worlds) == 1 and (self._settled or not self.is_real):
            opposite = self.wording.claim(worlds[0].shows, False)
            yield Line(indent + 1, "note", f"{opposite}: {self._really()}")

    def _considered(self, step: CounterWorld) -> str:
        """That somebody considers a world possible; or that it is possible, for all that is law."""
        who = self.wording.who(step.agent) if step.agent else ""
        return f"{who} considers this possible" if who else "this is possible"

    def _fact(self, formula: Formula, worlds: Sequence[CounterWorld]) -> str:
        """What the only world shows, in words, if there are words and no reason says it."""
        if len(worlds) > 1 or worlds[0].reasons:
            return ""
        bare = formula.operand if isinstance(formula, Not) else formula
        if not isinstance(bare, K | M):
            return ""
        return self.wording.sentence(bare.operand, isinstance(bare, M)) or ""

    def _further(self, step: CounterWorld, indent: int) -> Iterator[Line]:
        """Why agents know something at that world, if the world shows that they do."""
        if not (step.reasons or step.unexplained):
            return
        there = self.at(step.world)
        yield Line(indent, "note", "in that case:")
        for reason in step.reasons:
            yield from there.tell(reason, indent + 1)
        for formula in step.unexplained:
            claim = self.wording.claim(formula, True)
            yield Line(indent + 1, "claim", f"{claim} (no reason was found within the limits)")

    def _reached(self, step: CounterWorld) -> str:
        """The words before what a world of a chain shows: "Green considers it possible"."""
        if not step.agent:
            return "it is possible"
        who = self.wording.who(step.agent)
        if step.plausible:
            find = "together find" if len(step.agent) > 1 else "finds"
            return f"in one of the cases that {who} {find} most plausible, it is true"
        verb = "together consider" if len(step.agent) > 1 else "considers"
        return f"{who} {verb} it possible"


def _numbered(listed: Sequence[str], indent: int) -> Iterator[Line]:
    for number, words in enumerate(listed, 1):
        yield Line(indent, "source", f"{number}. {words}")


def _is_plain(formula: Formula, step: CounterWorld) -> bool:
    """Whether the claim says already who considers the step possible, and what it shows."""
    bare = formula.operand if isinstance(formula, Not) else formula
    if not isinstance(bare, K | M) or step.agent != (bare.agent,) or step.plausible:
        return False
    shown = negation(bare.operand) if isinstance(bare, K) else bare.operand
    return negation_normal_form(step.shows) is negation_normal_form(shown)


def _speaks_of_knowledge(source: Source) -> bool:
    return source.kind == "law" and source.stage > 0 and not is_propositional(source.formula)


def _because(evidence: Combined) -> str:
    """Why the parts prove the claim, if that is not obvious."""
    match evidence.formula, evidence.parts:
        case (K(_, M(_, fact)), (part,)) if part.formula is K(evidence.formula.agent, fact):
            return ", because everybody considers possible what is true"
        case (K(_, Not(K(_, fact))) | M(_, K(_, fact)), (part,)) if isinstance(
            part.formula, K
        ) and part.formula.operand is negation(fact):
            return ", because nobody can know what is false"
    return ""


def _as_possible(part: Evidence) -> Evidence:
    """Evidence that K is false as evidence that M is true: "considers it possible that"."""
    match part:
        case Possible(K(agent, operand), False, worlds):
            return Possible(M(agent, negation(operand)), True, worlds)
    return part


def percent(share: Fraction) -> str:
    """A probability in percent with one decimal. Only 0 and 1 are written as 0% and 100%."""
    if share in (0, 1):
        return "100%" if share else "0%"
    if share < Fraction(1, 1000):
        return "<0.1%"
    return ">99.9%" if share > Fraction(999, 1000) else f"{float(share):.1%}"


def in_percent(share: Fraction) -> str:
    """A probability, exactly and in percent: "5/12 (41.7%)"."""
    return f"{share} ({percent(share)})"


def listed(parts: Sequence[str]) -> str:
    """Words in a list: "a, b and c"; empty for none."""
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


class _Plain(Teller):
    """Tells evidence by the names in formulas alone."""

    def world(self, world: World, before: World | None, fact: str = "") -> Iterator[str]:
        """See `Teller.world`: the value of every fluent, or of those that are different."""
        new = [f"{n} = {value}" for n, value in world.items() if not before or before[n] != value]
        yield ", ".join(new) or fact


def in_words(evidence: Evidence) -> str:
    """Return evidence in words, in the names of its formulas."""
    wording = Wording(lambda atom, truth: str(atom if truth else negation(atom)))
    lines = _Plain(wording, None, settled=True).tell(evidence)
    return "\n".join(f"{'  ' * line.indent}{line.text}" for line in lines)
