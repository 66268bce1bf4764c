"""SMCDEL's language, directly from its definition: sets of states, listed explicitly.

A knowledge structure is (vocabulary, law, observations). A formula denotes a set of states,
including states outside the law, like the Boolean functions into which SMCDEL translates it. This
module shares no code with the reader's translation or with any engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

from symkripke.language import formulas as f
from symkripke.problems.smcdel.formulas import Heard, Varied
from symkripke.testing.random_models import Choices, some

State = frozenset[str]


@dataclass(frozen=True)
class States:
    """A knowledge structure: vocabulary, states of the law, and observations of the agents."""

    vocabulary: tuple[str, ...]
    law: frozenset[State]
    observed: Mapping[str, frozenset[str]]

    @classmethod
    def of(
        cls, vocabulary: tuple[str, ...], law: f.Formula, observed: Mapping[str, frozenset[str]]
    ) -> States:
        bare = cls(vocabulary, frozenset(), observed)
        return replace(bare, law=bare.where(law))

    @property
    def every(self) -> list[State]:
        sizes = range(len(self.vocabulary) + 1)
        return [frozenset(s) for n in sizes for s in combinations(self.vocabulary, n)]

    def told(self, formula: f.Formula) -> States:
        """Return the structure after a public announcement."""
        return replace(self, law=self.law & self.where(formula))

    def heard(self, group: tuple[str, ...], formula: f.Formula) -> States:
        """Return the structure after the group has heard whether the formula is true."""
        true, new = self.where(formula), f"new{len(self.vocabulary)}"
        law = frozenset(s | {new} if s in true else s for s in self.law)
        observed = {a: seen | ({new} if a in group else set()) for a, seen in self.observed.items()}
        return States((*self.vocabulary, new), law, observed)

    def _known(self, seen: frozenset[str], truth: frozenset[State]) -> frozenset[State]:
        wrong = {s & seen for s in self.law - truth}
        return frozenset(s for s in self.every if s & seen not in wrong)

    def where(self, formula: f.Formula) -> frozenset[State]:
        """Return the valuations of the vocabulary at which the formula is true."""
        every = frozenset(self.every)
        match formula:
            case f.Constant(value):
                return every if value else frozenset()
            case f.Atom(name):
                return frozenset(s for s in every if name in s)
            case f.Not(operand):
                return every - self.where(operand)
            case f.And(operands):
                return every.intersection(*map(self.where, operands))
            case f.Or(operands):
                return frozenset(chain(*map(self.where, operands)))
            case f.Implies(left, right):
                return (every - self.where(left)) | self.where(right)
            case f.Iff(left, right):
                one, other = self.where(left), self.where(right)
                return every - (one ^ other)
            case f.Cardinality("exactly", bound, operands):
                truths = list(map(self.where, operands))
                return frozenset(s for s in every if sum(s in t for t in truths) == bound)
            case f.K(agent, operand):
                return self._known(self.observed[agent], self.where(operand))
            case f.Kw(agent, operand):
                return self.where(f.K(agent, operand)) | self.where(f.K(agent, f.Not(operand)))
            case f.D(group, operand):
                seen = frozenset(chain(*(self.observed[agent] for agent in group)))
                return self._known(seen, self.where(operand))
            case f.C(group, operand):
                first = last = self.where(operand)
                while True:
                    for agent in group:
                        last = last & self._known(self.observed[agent], last)
                    if last == first:
                        return last
                    first = last
            case f.Announced(said, after):
                return (every - self.where(said)) | self.told(said).where(after)
            case f.AnnouncedTrue(said, after):
                return self.where(said) & self.told(said).where(after)
            case Heard((), said, after):
                yes, no = self.told(said), self.told(f.Not(said))
                true = self.where(said)
                return (true & yes.where(after)) | ((every - true) & no.where(after))
            case Heard(group, said, after):
                true, later = self.where(said), self.heard(group, said)
                new = later.vocabulary[-1]
                then = later.where(after)
                return frozenset(s for s in every if (s | {new} if s in true else s) in then)
            case Varied(all_values, names, operand):
                truth = self.where(operand)
                for varied in names:
                    with_it = frozenset(s for s in every if s | {varied} in truth)
                    without = frozenset(s for s in every if s - {varied} in truth)
                    truth = with_it & without if all_values else with_it | without
                return truth
        raise TypeError(formula)


OPERATORS: tuple[str, ...] = (
    "atom",
    "not",
    "and",
    "or",
    "implies",
    "iff",
    "oneof",
    "top",
    "bottom",
)
OPERATORS += ("K", "Kw", "D", "C", "told", "told true", "heard", "heard by all", "varied")


def random_smcdel(
    choices: Choices, variables: Sequence[str], agents: Sequence[str], depth: int
) -> str:
    """Return a random formula of SMCDEL's language that needs no outer brackets."""
    operator = choices.one_of(OPERATORS) if depth > 0 else "atom"

    def inner() -> str:
        return random_smcdel(choices, variables, agents, depth - 1)

    def several(sign: str) -> str:
        return sign.join(inner() for _ in range(choices.integer(2, 3)))

    def agent() -> str:
        return choices.one_of(agents)

    def group() -> str:
        return ", ".join(some(choices, agents, 1, len(agents)))

    def varied() -> str:
        return ", ".join(name[1:] for name in some(choices, variables, 1, 2))

    made: dict[str, Callable[[], str]] = {
        "atom": lambda: choices.one_of(variables)[1:],
        "not": lambda: f"~{inner()}",
        "and": lambda: f"({several(' & ')})",
        "or": lambda: f"({several(' | ')})",
        "implies": lambda: f"({inner()} -> {inner()})",
        "iff": lambda: f"({inner()} iff {inner()})",
        "oneof": lambda: f"ONEOF({several(', ')})",
        "top": lambda: "Top",
        "bottom": lambda: "Bot",
        "K": lambda: f"{agent()} knows that {inner()}",
        "Kw": lambda: f"{agent()} knows whether {inner()}",
        "D": lambda: f"({group()}) distknow that {inner()}",
        "C": lambda: f"({group()}) comknow that {inner()}",
        "told": lambda: f"[! {inner()}] {inner()}",
        "told true": lambda: f"<! {inner()}> {inner()}",
        "heard": lambda: f"[{group()} ?! {inner()}] {inner()}",
        "heard by all": lambda: f"[?! {inner()}] {inner()}",
        "varied": lambda: f"({choices.one_of(('Forall', 'Exists'))} {varied()} {inner()})",
    }
    return made[operator]()
