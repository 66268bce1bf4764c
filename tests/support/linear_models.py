"""Random structures with numbers, and the same structures with lists of values."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

from symkripke.language import (
    TRUE,
    AfterAction,
    Announced,
    AnnouncedTrue,
    Atom,
    B,
    C,
    D,
    E,
    Formula,
    K,
    Kv,
    Kw,
    M,
    P,
    conjunction,
    disjunction,
    negation,
)
from symkripke.language.formulas import Constant, Linear, linear
from symkripke.language.linear import Sum, constant
from symkripke.language.walk import rewrite
from symkripke.model import (
    NOTHING,
    WHICH,
    ActionModel,
    Constraint,
    Event,
    Fluent,
    KnowledgeStructure,
    Number,
    Observable,
    PossibleEvent,
    Postcondition,
    Vocabulary,
    that,
)

AGENTS = ("ann", "bob")
NAMES = ("x", "y", "z")


class Twins:
    """A structure with numbers between two bounds, and its twin with lists of values.

    Values of the twin are the numbers minus the lower bound, because names of values have no sign.
    """

    def __init__(self, low: int, high: int, *, bounded: bool = True) -> None:
        """Prepare the vocabulary of three numbers and a proposition."""
        self.low, self.high = low, high
        self.bounded = bounded
        self.numbers = {name: Number(name) for name in NAMES}
        self.domain = tuple(str(n - low) for n in range(low, high + 1))
        self.lists = {name: Fluent(name, self.domain) for name in NAMES}

    def structures(
        self, law: Iterable[Formula], seen: dict[str, list[str]]
    ) -> tuple[KnowledgeStructure, KnowledgeStructure]:
        """Return both structures with a law; `seen` has the fluents that each agent sees."""
        stated = [Constraint(formula, "law") for formula in law]
        bounds = [Constraint(self.bounds(name), "bounds") for name in NAMES if self.bounded]
        p = Fluent("p")
        one = KnowledgeStructure.of(
            Vocabulary.of([*self.numbers.values(), p], AGENTS),
            [*stated, *bounds],
            {
                agent: [
                    Observable(atom, "")
                    for name in names
                    for atom in (self.numbers[name].atoms if name != "p" else p.atoms)
                ]
                for agent, names in seen.items()
            },
        )
        other = KnowledgeStructure.of(
            Vocabulary.of([*self.lists.values(), p], AGENTS),
            [Constraint(self.listed(formula), "law") for formula in law],
            {
                agent: [
                    Observable(atom, "")
                    for name in names
                    for atom in (self.lists[name].atoms if name != "p" else p.atoms)
                ]
                for agent, names in seen.items()
            },
        )
        return one, other

    def bounds(self, name: str) -> Formula:
        """Return the formula that a number is between the bounds."""
        number = Sum.of(name, is_real=False)
        above = linear(number.times(-1).plus(constant(self.low)), "<=")
        return conjunction((above, linear(number.plus(constant(-self.high)), "<=")))

    def listed(self, formula: Formula) -> Formula:
        """Return a formula about numbers as a formula about values."""

        def change(part: Formula) -> Formula:
            if isinstance(part, Linear):
                return self._row(part)
            if isinstance(part, AfterAction):
                return AfterAction(self.action(part.action), self.listed(part.then))
            return part

        return rewrite(formula, change)

    def _row(self, part: Linear) -> Formula:
        names = [name for name, _ in part.row.sum.terms]
        worlds = (
            dict(zip(names, values, strict=True))
            for values in product(range(self.low, self.high + 1), repeat=len(names))
        )
        return disjunction(
            conjunction(Atom(name, str(value - self.low)) for name, value in world.items())
            for world in worlds
            if part.row.at({name: str(value) for name, value in world.items()})
        )

    def world(self, world: dict[str, str]) -> dict[str, str]:
        """Return a world of the twin as values of the numbers."""
        return {
            name: value if name not in NAMES else str(int(value) + self.low)
            for name, value in world.items()
        }

    def cases(self, to: Iterable[tuple[str | Sum, Formula]]) -> list[tuple[str, Formula]]:
        """Return new values of a number as values of its twin."""
        new = []
        for total, condition in to:
            total = constant(int(total)) if isinstance(total, str) else total
            for value in range(self.low, self.high + 1):
                here = linear(total.plus(constant(-value)), "=")
                new.append((str(value - self.low), self.listed(conjunction((here, condition)))))
        return new

    def event(self, event: Event) -> Event:
        """Return the twin of an announcement."""
        return Event(
            event.source,
            tuple(Constraint(self.listed(c.formula), c.source) for c in event.constraints),
        )

    def has_twin(self, action: ActionModel) -> bool:
        """Return whether no condition on what agents notice is constant in the twin alone.

        An action gets a world in which nothing happens if some agent may notice nothing, by the
        form of the conditions. A constant condition would remove that world from the twin.
        """
        stated = [condition for cases in action.sees.values() for condition, _ in cases]
        return all(
            isinstance(self.listed(condition), Constant) is isinstance(condition, Constant)
            for condition in stated
        )

    def action(self, action: ActionModel) -> ActionModel:
        """Return the twin of an action."""
        events = [
            PossibleEvent(
                event.name,
                self.listed(event.precondition),
                [
                    Postcondition(
                        change.fluent,
                        change.cases if change.fluent == "p" else self.cases(change.cases),
                    )
                    for change in event.postconditions
                ],
            )
            for event in action.events
        ]
        sees = {
            agent: [(self.listed(condition), how) for condition, how in cases]
            for agent, cases in action.sees.items()
        }
        return ActionModel(action.source, events, sees, action.otherwise, name=action.name)


def random_sum(chance: random.Random, names: tuple[str, ...] = NAMES) -> Sum:
    """Return a sum of one or two numbers with small coefficients."""
    total = constant(chance.randint(-3, 3))
    for name in chance.sample(names, chance.choice((1, 1, 2, 2, 3))):
        factor = chance.choice((1, 1, 1, -1, -1, 2, -2, 3))
        total = total.plus(Sum.of(name, is_real=False), factor)
    return total


def random_fact(chance: random.Random, depth: int = 1) -> Formula:
    """Return a Boolean combination of linear constraints and `p`."""
    if depth and chance.random() < 0.5:
        left, right = (random_fact(chance, depth - 1) for _ in range(2))
        return chance.choice((left & right, left | right, left >> right))
    if chance.random() < 0.15:
        fact: Formula = Atom("p")
    elif chance.random() < 0.2:
        fact = linear(random_sum(chance), "|", chance.choice((2, 2, 3)))
    else:
        fact = linear(random_sum(chance), chance.choice(("=", "<=", "<=", "<")))
    return negation(fact) if chance.random() < 0.3 else fact


def random_formula(chance: random.Random, depth: int, *, common: bool = False) -> Formula:
    """Return a formula with operators of knowledge up to this depth."""
    if not depth:
        return random_fact(chance)
    kind = chance.choice(("K", "K", "M", "Kw", "Kv", "E", "D", "!", "<!", "and", "B", "C"))
    agent = chance.choice(AGENTS)
    inner = random_formula(chance, depth - 1, common=common)
    match kind:
        case "K":
            return K(agent, inner)
        case "M":
            return M(agent, inner)
        case "Kw":
            return Kw(agent, inner)
        case "Kv":
            return Kv(agent, chance.sample(NAMES, chance.choice((1, 1, 2))))
        case "E":
            return E(AGENTS, inner)
        case "D":
            return D(AGENTS, inner)
        case "B":
            return B(agent, inner)
        case "C" if common:
            return C(AGENTS, inner)
        case "!" | "<!":
            made = Announced if kind == "!" else AnnouncedTrue
            return made(random_formula(chance, chance.randint(0, depth - 1)), inner)
    other = random_formula(chance, depth - 1, common=common)
    return chance.choice((inner & other, inner | other, negation(inner)))


def random_law(chance: random.Random) -> list[Formula]:
    """Return one or two linear laws."""
    return [random_fact(chance) for _ in range(chance.choice((1, 2)))]


def random_sights(chance: random.Random) -> dict[str, list[str]]:
    """Return the fluents that each agent sees."""
    return {agent: [n for n in (*NAMES, "p") if chance.random() < 0.45] for agent in AGENTS}


def random_event(chance: random.Random) -> Event:
    """Return an announcement."""
    stated = random_formula(chance, chance.choice((0, 1, 1, 2)))
    return Event("said", (Constraint(stated, "said"),))


def random_action(chance: random.Random, *, changes: bool) -> ActionModel:
    """Return an action with one or two events that some agents may see in part, or miss."""
    events = []
    for name in ("one", "two")[: chance.choice((1, 2))]:
        to = []
        if changes and chance.random() < 0.7:
            target = chance.choice(NAMES)
            to.append(Postcondition(target, [(str(chance.randint(-2, 2)), random_fact(chance, 0))]))
        precondition = (
            TRUE if chance.random() < 0.4 else random_formula(chance, chance.choice((0, 1)))
        )
        events.append(PossibleEvent(name, precondition, to))
    ways = (WHICH, NOTHING, that())
    sees = {
        agent: [(random_fact(chance, 0), chance.choice(ways)), (TRUE, chance.choice(ways))]
        for agent in AGENTS
    }
    return ActionModel("done", events, sees)


def random_share(chance: random.Random) -> Formula:
    """Return a comparison of a probability."""
    return P(chance.choice(AGENTS), random_fact(chance), chance.choice((">=", "=")), Fraction(1, 2))
