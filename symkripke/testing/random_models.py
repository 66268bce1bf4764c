"""Random small situations and formulas about them.

Everything is drawn through `Choices`. The seeded generator gives the same situations on every
machine. A hypothesis draw, which shrinks failing cases, can be used instead.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Protocol, TypeVar

from symkripke.errors import ImpossibleEvent
from symkripke.language import formulas as f
from symkripke.model import (
    ActionModel,
    Change,
    Constraint,
    Event,
    Fixed,
    Fluent,
    KnowledgeStructure,
    Likelihood,
    Observable,
    Scene,
    Soft,
    Vocabulary,
    evaluate,
)

T = TypeVar("T")

AGENTS = ("ann", "bob", "cat")
COLOURS = ("red", "blue", "green", "white")

BOOLEAN = ("atom", "not", "and", "or", "implies", "iff", "cardinality", "constant")
KNOWLEDGE = ("K", "M", "Kw", "Kv", "E", "D")
ALL = (*BOOLEAN, *KNOWLEDGE, "C", "P", "announced", "announced_true")
"""The operators that random formulas may have, except those of belief."""

BELIEF = ("B", "given", "EB", "CB")
"""The operators of belief. Without soft constraints, belief is knowledge."""

AFTER = ("after", "after", "announced")
"""The operators of what is true after an action. Actions need `Names.actions`."""

BOUNDS = tuple(Fraction(n, d) for d in (1, 2, 3, 4, 7) for n in range(d + 1))


class Choices(Protocol):
    """A source of random decisions."""

    def integer(self, least: int, most: int) -> int:
        """Draw a number from `least` to `most`; smaller numbers are simpler."""

    def one_of(self, options: Sequence[T]) -> T:
        """Draw one of the options; earlier options are simpler."""


class Seeded:
    """Random decisions of a seeded generator, which are the same on every machine."""

    def __init__(self, seed: int) -> None:
        """Start a generator with this seed."""
        self._random = random.Random(seed)

    def integer(self, least: int, most: int) -> int:
        """See `Choices`."""
        return self._random.randint(least, most)

    def one_of(self, options: Sequence[T]) -> T:
        """See `Choices`."""
        return options[self.integer(0, len(options) - 1)]


@dataclass(frozen=True)
class Names:
    """The fluents, agents and actions that a random formula may name.

    Attributes:
        fluents: the fluents, by their plain names.
        agents: the agents.
        changes: the number of changes of each fluent; None to exclude past versions.
        actions: the actions of `[a] f`.
    """

    fluents: tuple[Fluent, ...]
    agents: tuple[str, ...]
    changes: dict[str, int] | None = None
    actions: tuple[ActionModel, ...] = ()

    @classmethod
    def of(cls, structure: KnowledgeStructure) -> Names:
        """Return the plain names of a structure (they mean the current versions)."""
        fluents = structure.vocabulary.fluents
        plain = tuple(fluent for fluent in fluents.values() if not fluent.name.is_version)
        return cls(plain, structure.agents)

    @cached_property
    def versions(self) -> tuple[Fluent, ...]:
        """The fluents, and the versions of changed fluents, which formulas may name."""
        changes = self.changes or {}
        return self.fluents + tuple(
            Fluent(f"{fluent.name}#{number}", fluent.values)
            for fluent in self.fluents
            for number in range(changes.get(fluent.name, -1) + 1)
        )

    def after(self, action: ActionModel | Event) -> Names:
        """Return the names after an action; an action with its own fluents cannot be repeated."""
        if isinstance(action, Event):
            changed = {change.fluent for change in action.changes}
        else:
            changed = {change.fluent for event in action.events for change in event.postconditions}
        added = {name: (self.changes or {}).get(name, 0) + 1 for name in changed}
        return replace(
            self,
            fluents=(*self.fluents, *action.fluents),
            changes=None if self.changes is None else self.changes | added,
            actions=() if action.fluents else self.actions,
        )


# ---- formulas ---------------------------------------------------------------------------


def some(choices: Choices, options: Sequence[T], least: int, most: int) -> tuple[T, ...]:
    """Return `least` to `most` different elements of `options`, in random order."""
    left = list(options)
    number = choices.integer(min(least, len(left)), min(most, len(left)))
    return tuple(left.pop(choices.integer(0, len(left) - 1)) for _ in range(number))


def random_atom(choices: Choices, names: Names) -> f.Formula:
    """Draw `fluent = value`, as a formula; for the value "false" this is a negation."""
    fluent = choices.one_of(names.versions)
    return fluent.equals(choices.one_of(fluent.values[::-1]))


def random_formula(
    choices: Choices, names: Names, depth: int, operators: Sequence[str] = ALL
) -> f.Formula:
    """Draw a formula of at most this depth with these operators, over `names`."""
    operator = choices.one_of(operators) if depth > 0 else "atom"

    def inner() -> f.Formula:
        return random_formula(choices, names, depth - 1, operators)

    def inners(least: int, most: int) -> list[f.Formula]:
        return [inner() for _ in range(choices.integer(least, most))]

    def agent() -> str:
        return choices.one_of(names.agents)

    def group() -> tuple[str, ...]:
        return some(choices, names.agents, 1, 3)

    def after() -> f.Formula:
        if not names.actions:
            return inner()
        action = choices.one_of(names.actions)
        then = random_formula(choices, names.after(action), depth - 1, operators)
        return choices.one_of((f.AfterAction, f.after_some))(action, then)

    made: dict[str, Callable[[], f.Formula]] = {
        "atom": lambda: random_atom(choices, names),
        "constant": lambda: f.Constant(choices.one_of((True, False))),
        "not": lambda: f.negation(inner()),
        "and": lambda: f.conjunction(inners(2, 3)),
        "or": lambda: f.disjunction(inners(2, 3)),
        "implies": lambda: f.Implies(inner(), inner()),
        "iff": lambda: f.Iff(inner(), inner()),
        "cardinality": lambda: f.Cardinality(
            choices.one_of(("atleast", "atmost", "exactly")), choices.integer(0, 3), inners(0, 4)
        ),
        "K": lambda: f.K(agent(), inner()),
        "M": lambda: f.M(agent(), inner()),
        "Kw": lambda: f.Kw(agent(), inner()),
        "Kv": lambda: f.Kv(
            agent(), [chosen.name for chosen in some(choices, names.versions, 1, 2)]
        ),
        "E": lambda: f.E(group(), inner()),
        "D": lambda: f.D(group(), inner()),
        "C": lambda: f.C(group(), inner()),
        "B": lambda: f.B(agent(), inner()),
        "given": lambda: f.B(agent(), inner(), inner()),
        "EB": lambda: f.EB(group(), inner()),
        "CB": lambda: f.CB(group(), inner()),
        "P": lambda: f.P(
            agent(),
            inner(),
            choices.one_of((">=", ">", "<=", "<", "=")),
            choices.one_of(BOUNDS),
        ),
        "announced": lambda: f.Announced(inner(), inner()),
        "announced_true": lambda: f.AnnouncedTrue(inner(), inner()),
        "after": after,
    }
    return made[operator]()


# ---- situations -------------------------------------------------------------------------


def random_fluent(choices: Choices, name: str) -> Fluent:
    """Draw a Boolean fluent, or a fluent with two to four colours."""
    number = choices.one_of((0, 0, 2, 3, 4))
    return Fluent(name, COLOURS[:number]) if number else Fluent(name)


def random_world(choices: Choices, fluents: Sequence[Fluent]) -> dict[str, str]:
    """Draw a value for each fluent."""
    return {fluent.name: choices.one_of(fluent.values) for fluent in fluents}


def true_at(formula: f.Formula, world: dict[str, str]) -> f.Formula:
    """Return the formula or its negation, whichever is true at the world."""
    return formula if evaluate(formula, world) else f.negation(formula)


def random_scene(choices: Choices, most_fluents: int = 5, beliefs: bool = False) -> Scene:
    """Draw a scene at a first structure, with a random law, true there, and observables."""
    agents = AGENTS[: choices.integer(2, 3)]
    number = choices.integer(2, most_fluents)
    fluents = tuple(random_fluent(choices, name) for name in ("p", "q", "r(1)", "s(a, b)", "t"))
    fluents = fluents[:number]
    world = random_world(choices, fluents)
    names = Names(fluents, agents)
    law = [
        Constraint(true_at(random_formula(choices, names, 2, BOOLEAN), world), f"law {place}")
        for place in range(choices.integer(0, 3))
    ]
    atoms = [atom for fluent in fluents for atom in fluent.atoms]
    observables = {
        agent: [Observable(atom, f"{agent} sees {atom}") for atom in some(choices, atoms, 0, 3)]
        for agent in agents
    }
    soft = random_soft(choices, names, 3) if beliefs else ()
    structure = KnowledgeStructure.of(Vocabulary.of(fluents, agents), law, observables, soft)
    return Scene.of(structure, world)


def random_event(
    choices: Choices,
    scene: Scene,
    place: int,
    judge: Callable[[Scene, f.Formula], bool] | None = None,
    likelihoods: bool = False,
    beliefs: bool = False,
) -> tuple[Event, dict[str, str]]:
    """Draw an event that can happen at `scene`, with the values of its new fluents.

    The event announces, hides, changes or shows facts. With a judge, announcements may be modal. On
    request, most events have likelihoods, or soft constraints, which may be false.
    """
    structure = scene.structure
    names = Names.of(structure)
    kinds = ["announce", "private", "change", "show", "mix"]
    kind = choices.one_of(kinds)
    constraints: list[Constraint] = []
    fluents: tuple[Fluent, ...] = ()
    values: dict[str, str] = {}
    observes: dict[str, tuple[Observable, ...]] = {}
    changes: tuple[Change, ...] = ()

    def state(formula: f.Formula, truth: bool) -> None:
        stated = formula if truth else f.negation(formula)
        constraints.append(Constraint(stated, f"said in event {place}"))

    def now(formula: f.Formula) -> bool:
        # The structure lacks the new fluents, so they are added first.
        wide = structure.update(Event("look", fluents=fluents))
        return evaluate(wide.resolve(formula), {**scene.world, **values})

    if kind in ("private", "mix"):
        fluents = (random_fluent(choices, f"new({place})"),)
        values = random_world(choices, fluents)
        wide = Names((*names.fluents, *fluents), names.agents)
        law = random_formula(choices, wide, 2, BOOLEAN)
        state(law, now(law))
        for agent in some(choices, names.agents, 0, 3):
            seen = some(choices, fluents[0].atoms, 1, 4)
            observes[agent] = tuple(Observable(atom, f"event {place}") for atom in seen)
    if kind in ("announce", "mix"):
        if judge is not None and choices.integer(0, 1):
            minds = BELIEF if beliefs else ()
            operators = (*BOOLEAN, *KNOWLEDGE, "C", "announced", *minds)
            said = random_formula(choices, names, 2, operators)
            state(said, judge(scene, structure.resolve(said)))
        else:
            said = random_formula(choices, names, 2, BOOLEAN)
            state(said, now(said))
    if kind in ("change", "mix"):
        changes = random_changes(choices, names, fluents, place)
    if kind == "show":
        shown = [
            atom
            for fluent in names.fluents
            if not isinstance(structure.versions.get(fluent.name), Fixed)
            for atom in fluent.atoms
        ]
        for agent in some(choices, names.agents, 1, 2):
            seen = some(choices, shown, 1, 2)
            observes[agent] = tuple(Observable(atom, f"event {place}") for atom in seen)
    wide = Names((*names.fluents, *fluents), names.agents)
    likely: list[Likelihood] = []
    if likelihoods:
        likely = [random_likelihood(choices, wide) for _ in range(choices.integer(0, 2))]
    soft = random_soft(choices, wide, 2) if beliefs else ()
    event = Event(
        f"event {place}", tuple(constraints), fluents, observes, changes, tuple(likely), soft
    )
    return event, values


def random_soft(choices: Choices, names: Names, most: int) -> tuple[Soft, ...]:
    """Draw soft constraints, true or false, consistent or not; ranks may differ by agent."""

    def rank() -> int | dict[str, int]:
        if choices.integer(0, 2):
            return choices.integer(0, 2)
        return {agent: choices.integer(-1, 1) for agent in some(choices, names.agents, 0, 3)}

    return tuple(
        Soft(random_formula(choices, names, choices.integer(0, 2), BOOLEAN), rank(), "likely")
        for _ in range(choices.integer(0, most))
    )


def random_likelihood(choices: Choices, names: Names) -> Likelihood:
    """Draw a likelihood of two or three cases; the last applies if no earlier condition is true."""
    before: list[f.Formula] = []
    cases: list[tuple[f.Formula, Fraction]] = []
    for _ in range(choices.integer(1, 2)):
        condition = random_formula(choices, names, 2, BOOLEAN)
        cases.append((f.conjunction((condition, *map(f.negation, before))), _chance(choices)))
        before.append(condition)
    cases.append((f.conjunction(map(f.negation, before)), _chance(choices)))
    return Likelihood(tuple(cases), "by chance")


def _chance(choices: Choices) -> Fraction:
    return choices.one_of([bound for bound in BOUNDS if bound])


def random_changes(
    choices: Choices, names: Names, secret: Sequence[Fluent], place: int
) -> tuple[Change, ...]:
    """Draw changes: a fluent set to a value, or by cases, or two swapped if a secret is true."""
    first = choices.one_of(names.fluents)
    twins = [
        other for other in names.fluents if other is not first and other.values == first.values
    ]
    if secret and twins:
        second = choices.one_of(twins)
        swap = secret[0].equals(secret[0].values[0])
        return (
            Change(first.name, _if(swap, second, first), f"swap {place}"),
            Change(second.name, _if(swap, first, second), f"swap {place}"),
        )
    if choices.integer(0, 1):
        return (Change(first.name, choices.one_of(first.values), f"set {place}"),)
    # The last value applies if none of the conditions before it is true.
    before: list[f.Formula] = []
    cases: list[tuple[str, f.Formula]] = []
    wide = Names((*names.fluents, *secret), names.agents)
    for value in first.values[:-1]:
        condition = random_formula(choices, wide, 1, BOOLEAN)
        cases.append((value, f.conjunction((condition, *map(f.negation, before)))))
        before.append(condition)
    cases.append((first.values[-1], f.conjunction(map(f.negation, before))))
    if first.is_boolean:  # either case is enough
        cases = [cases[choices.integer(0, 1)]]
    return (Change(first.name, tuple(cases), f"change {place}"),)


def _if(condition: f.Formula, then: Fluent, otherwise: Fluent) -> tuple[tuple[str, f.Formula], ...]:
    return tuple(
        (
            value,
            (condition & then.equals(value)) | (f.negation(condition) & otherwise.equals(value)),
        )
        for value in then.values
    )


def random_history(
    choices: Choices,
    most_events: int = 4,
    most_fluents: int = 5,
    judge: Callable[[Scene, f.Formula], bool] | None = None,
    most_worlds: int = 200,
    likelihoods: bool = False,
    beliefs: bool = False,
) -> Scene:
    """Draw a scene after at most `most_events` random events, modal only with a judge."""
    scene = random_scene(choices, most_fluents, beliefs)
    for place in range(choices.integer(0, most_events)):
        event, values = random_event(choices, scene, place, judge, likelihoods, beliefs)
        try:
            after = scene.update(event, values, judge)
        except ImpossibleEvent:
            continue  # for example, an agent is shown a public fact
        if size(after) <= most_worlds or not event.fluents:
            scene = after
    return scene


def size(scene: Scene) -> int:
    """Return the number of valuations of the fluents, excluding their later versions."""
    number = 1
    for fluent in scene.structure.vocabulary.fluents.values():
        number *= 1 if fluent.name.is_version else len(fluent.values)
    return number


def all_worlds(fluents: Sequence[Fluent]) -> list[dict[str, str]]:
    """Return every valuation of these fluents."""
    return [
        dict(zip([fluent.name for fluent in fluents], values, strict=True))
        for values in product(*(fluent.values for fluent in fluents))
    ]


# ---- cases ------------------------------------------------------------------------------


def seeded_case(
    seed: int,
    *,
    depth: int = 3,
    operators: Sequence[str] = ALL,
    formulas: int = 1,
    most_events: int = 4,
    most_fluents: int = 5,
    judge: Callable[[Scene, f.Formula], bool] | None = None,
    likelihoods: bool = False,
    beliefs: bool = False,
) -> tuple[Scene, tuple[f.Formula, ...]]:
    """Return the scene and the random formulas of this seed."""
    choices = Seeded(seed)
    scene = random_history(
        choices, most_events, most_fluents, judge, likelihoods=likelihoods, beliefs=beliefs
    )
    names = Names.of(scene.structure)
    return scene, tuple(random_formula(choices, names, depth, operators) for _ in range(formulas))


NAMES = Names(
    (
        Fluent("p"),
        Fluent("q(1)"),
        Fluent("at(rope, hall)"),
        Fluent("card(a)", COLOURS),
        Fluent("die", ("1", "2", "3")),
        Fluent("p#2"),
        Fluent("card(a)#0", COLOURS),
    ),
    AGENTS,
)
"""Names of every written form, for formulas that are only parsed and printed."""
