"""A product update that lists worlds and events: the oracle for actions that not everybody notices.

It is independent of the package, except for the classes of formulas. A world is a dict of values,
an agent's observation is a tuple, and a world's plausibility is a tuple of truth values. So reading
the code is enough to check it against these definitions:

    (w, e) is a world after an action if e can happen at w; so is (w, skip).
    i cannot tell (w, e) from (w', e') iff i could not tell w from w', and gets the same signal:
        e itself, the class of e, or nothing, by the condition of i at w before the action.
        An agent that notices a change of a fluent that it observes also gets the new value.
        The atoms that an action shows to i are observed by i from then on, at the worlds where
        i notices the action.
    skip can always happen and changes nothing; its signal is nothing. Worlds with skip are more
        plausible, by the rank of the action; among equal ranks, the newest action counts first.
        If all agents notice an action in any case, there is no skip.
    A preference of an action applies to the agents that notice it, where they notice it.
    B[i] f: f is true at the most plausible of the worlds that i cannot tell from this one.
    x#0 is the first value of x, and x#k the value after its k-th change.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any

from symkripke.language import formulas as f

MOST_POINTS = 4_000
"""The maximum number of worlds in a listed model."""

SKIP = "skip"
WHICH = "which"
NOTHING = "nothing"


class TooManyPoints(Exception):
    """A model would have more than `MOST_POINTS` worlds."""


Values = Mapping[str, str]
Seen = tuple[str, str]
"""An atom: a fluent and a value."""
Truths = list[bool]


@dataclass(frozen=True)
class Happens:
    """A possible event: its precondition and its changes.

    Attributes:
        name: the name of the event.
        needs: the precondition.
        makes: for each changed fluent, the cases of its new value; the first case that is true at
            the world before counts, and without one the fluent keeps its value.
        actual: whether it may be the actual event.
    """

    name: str
    needs: f.Formula = f.TRUE
    makes: Mapping[str, Sequence[tuple[str, f.Formula]]] = field(default_factory=dict)
    actual: bool = True


_SKIPPED = Happens(SKIP)

How = str | Mapping[str, str]
"""An observation of an action: `WHICH`, `NOTHING`, or the name of the class of each event."""


@dataclass(frozen=True)
class Act:
    """An action: its possible events, and the way in which each agent observes it.

    Attributes:
        events: the possible events.
        observers: for each agent, the cases of its observation; the first case whose condition is
            true at the world before counts. Without one, the agent notices nothing.
        rank: how firmly agents that notice nothing believe that nothing happens; None is the
            firmest.
        fluents: its own new fluents with their values. They can have any value, whatever happens,
            and nobody has observed them before.
        shows: for each agent, the atoms that it sees after the changes if it notices the action.
        prefers: formulas that become more plausible, before the changes, with ranks for agents.
    """

    events: Sequence[Happens]
    observers: Mapping[str, Sequence[tuple[f.Formula, How]]] = field(default_factory=dict)
    rank: int | None = None
    fluents: Mapping[str, Sequence[str]] = field(default_factory=dict)
    shows: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    prefers: Sequence[tuple[f.Formula, Mapping[str, float]]] = ()


@dataclass(frozen=True)
class Preference:
    """A preference for worlds of some kind, with its rank for each agent and its time."""

    ranks: Mapping[str, float]
    since: int
    order: int = 0


@dataclass(frozen=True)
class Point:
    """A world: the values of all fluents, the agents' observations, and the preferences that it
    meets.

    Attributes:
        values: `x` is the current value, `x#0` the first one, and `x#1` the one after the first
            change.
        seen: for each agent, the observations that distinguish this world from others.
        watches: for each agent, the atoms that it observes whenever it notices their changes.
        keeps: for each preference, whether this world is of the preferred kind.
        past: the events that have happened.
    """

    values: Values
    seen: Mapping[str, tuple[Hashable, ...]]
    watches: Mapping[str, frozenset[Seen]]
    keeps: tuple[bool, ...] = ()
    past: tuple[str, ...] = ()


class Listed:
    """An immutable model with a list of all worlds; an update returns a new model."""

    def __init__(
        self,
        agents: Sequence[str],
        points: Iterable[Point],
        preferences: Sequence[Preference] = (),
        versions: Mapping[str, int] | None = None,
        time: int = 0,
        *,
        missed: bool = False,
    ) -> None:
        """Make a model of these worlds.

        Args:
            agents: the agents.
            points: the worlds.
            preferences: the preferences that make worlds more plausible.
            versions: the number of changes of each fluent.
            time: the number of events so far.
            missed: whether an action may have gone unnoticed. If so, probabilities are over the
                most plausible worlds; otherwise, over all worlds that the agent considers possible.
        """
        self.agents = tuple(agents)
        self.points = tuple(points)
        self.preferences = tuple(preferences)
        self.versions = dict(versions or {})
        self.time = time
        self.missed = missed
        self.reads: Callable[[Any, Sequence[str]], Act] | None = None
        """The function that translates the action of a formula `[a] f`."""
        self.parents: list[int] = []
        """For each world, the index of the world before the last action."""
        self._truths: dict[f.Formula, Truths] = {}
        self._levels: dict[str, list[tuple[bool, ...]]] = {}
        self._cells: dict[tuple[str, ...], list[list[int]]] = {}

    @classmethod
    def of(
        cls,
        agents: Sequence[str],
        worlds: Iterable[Values],
        observed: Mapping[str, Sequence[Seen]] | None = None,
    ) -> Listed:
        """Return the first model: worlds, and the atoms that agents observe in them."""
        seen = observed or {}
        points = [
            Point(
                dict(values),
                {
                    agent: tuple(values[name] == value for name, value in seen.get(agent, ()))
                    for agent in agents
                },
                {agent: frozenset(seen.get(agent, ())) for agent in agents},
            )
            for values in worlds
        ]
        return cls(agents, points)

    # ---- updates ------------------------------------------------------------------------------

    def _next(
        self,
        points: Iterable[Point],
        preferences: Sequence[Preference] = (),
        versions: Mapping[str, int] | None = None,
        *,
        happened: bool = True,
        missed: bool = False,
    ) -> Listed:
        """Return a model with these worlds and more preferences, later if something `happened`."""
        made = Listed(
            self.agents,
            points,
            (*self.preferences, *preferences),
            self.versions if versions is None else versions,
            self.time + happened,
            missed=self.missed or missed,
        )
        made.reads = self.reads
        return made

    def announce(self, formula: f.Formula) -> Listed:
        """Return the model after a public announcement: the worlds at which it was true."""
        kept = self.truths(formula)
        return self._next(p for p, true in zip(self.points, kept, strict=True) if true)

    def show(self, agents: Iterable[str], atoms: Sequence[Seen]) -> Listed:
        """Return the model after these agents publicly saw these atoms."""
        which = {agent: [(f.TRUE, WHICH)] for agent in self.agents}
        return self.update(Act([Happens("shown")], which, shows=dict.fromkeys(agents, atoms)))

    def believe(self, formula: f.Formula, ranks: Mapping[str, float]) -> Listed:
        """Return the model after the formula has become more plausible for these agents."""
        which = {agent: [(f.TRUE, WHICH)] for agent in self.agents}
        return self.update(Act([Happens("believed")], which, prefers=[(formula, ranks)]))

    def update(self, action: Act) -> Listed:
        """Return the model after the action: the product of the worlds and the events."""
        wide = self._with(action.fluents)
        needs = {event.name: wide.truths(event.needs) for event in action.events}
        cases = {
            event.name: {
                name: [(value, wide.truths(when)) for value, when in made]
                for name, made in event.makes.items()
            }
            for event in action.events
        }
        hows = wide._hows(action)
        likely = [
            (agent, rank, order, wide.truths(formula))
            for order, (formula, ranks) in enumerate(action.prefers, 1)
            for agent, rank in ranks.items()
        ]
        changing = tuple(dict.fromkeys(name for event in action.events for name in event.makes))
        versions = {**self.versions, **{n: self.versions.get(n, 0) + 1 for n in changing}}
        can_be_missed = may_go_unnoticed(action, self.agents)
        points: list[Point] = []
        parents: list[int] = []
        copies = len(wide.points) // max(1, len(self.points))
        for number, point in enumerate(wide.points):
            happening = [event for event in action.events if needs[event.name][number]]
            for event in (*happening, *([_SKIPPED] if can_be_missed else [])):
                new = dict(point.values)
                for name, made in cases.get(event.name, {}).items():
                    kept = point.values[name]
                    new[name] = next((value for value, true in made if true[number]), kept)
                for name in changing:
                    if versions[name] == 1:
                        new[f"{name}#0"] = point.values[name]
                    new[f"{name}#{versions[name]}"] = new[name]
                watches = dict(point.watches)
                seen = {agent: (*before, NOTHING) for agent, before in point.seen.items()}
                keeps = [*point.keeps, event is _SKIPPED]
                for agent, how in hows[number].items() if event is not _SKIPPED else ():
                    if how == NOTHING:
                        continue
                    shown = action.shows.get(agent, ())
                    passed = [atom for atom in sorted(watches[agent]) if atom[0] in changing]
                    told = [
                        (*atom, value_of(new, atom[0]) == atom[1]) for atom in (*passed, *shown)
                    ]
                    said = event.name if isinstance(how, str) else ("class", how[event.name])
                    seen[agent] = (*point.seen[agent], (said, tuple(told)))
                    watches[agent] = watches[agent].union(_current(shown, versions))
                keeps += [
                    seen[agent][-1] != NOTHING and true[number] for agent, _, _, true in likely
                ]
                past = (*point.past, event.name)
                points.append(Point(new, seen, watches, tuple(keeps), past))
                if len(points) > MOST_POINTS:
                    raise TooManyPoints
                parents.append(number // copies)
        rank = float("inf") if action.rank is None else action.rank
        preferences = [
            Preference(dict.fromkeys(self.agents, rank), self.time),
            *(Preference({agent: rank}, self.time, order) for agent, rank, order, _ in likely),
        ]
        after_it = self._next(points, preferences, versions, missed=can_be_missed)
        after_it.parents = parents
        return after_it

    def _with(self, fluents: Mapping[str, Sequence[str]]) -> Listed:
        """Return the model with new fluents, which have any value and are unobserved."""
        if not fluents:
            return self
        wide = [
            replace(point, values={**point.values, **dict(zip(fluents, values, strict=True))})
            for point in self.points
            for values in product(*fluents.values())
        ]
        return self._next(wide, happened=False)

    def _hows(self, action: Act) -> list[dict[str, How]]:
        """Return, for each world, how each agent observes the action there."""
        observers = {
            agent: [(self.truths(when), how) for when, how in action.observers.get(agent, ())]
            for agent in self.agents
        }
        return [
            {
                agent: next((how for true, how in observers[agent] if true[number]), NOTHING)
                for agent in self.agents
            }
            for number in range(len(self.points))
        ]

    def actual(self, values: Iterable[Values], *happened: str) -> list[int]:
        """Return the indices of the worlds that started as one of `values` and had these events."""
        found = []
        for number, point in enumerate(self.points):
            first = {
                name: point.values.get(f"{name}#0", value)
                for name, value in point.values.items()
                if "#" not in name
            }
            if point.past == happened and any(first | dict(world) == first for world in values):
                found.append(number)
        return found

    # ---- truth --------------------------------------------------------------------------------

    def cells(self, *group: str) -> list[list[int]]:
        """Return the classes of worlds that the group cannot distinguish by joint knowledge."""
        if group not in self._cells:
            classes: dict[tuple[tuple[Hashable, ...], ...], list[int]] = {}
            for number, point in enumerate(self.points):
                classes.setdefault(tuple(point.seen[agent] for agent in group), []).append(number)
            self._cells[group] = list(classes.values())
        return self._cells[group]

    def levels(self, agent: str) -> list[tuple[bool, ...]]:
        """Return each world's plausibility for the agent; the greatest is the most plausible."""
        if agent not in self._levels:
            order = sorted(
                (number for number, one in enumerate(self.preferences) if agent in one.ranks),
                key=lambda number: (
                    -self.preferences[number].ranks[agent],
                    -self.preferences[number].since,
                    self.preferences[number].order,
                ),
            )
            self._levels[agent] = [
                tuple(point.keeps[place] for place in order) for point in self.points
            ]
        return self._levels[agent]

    def plausible(self, agent: str, among: Iterable[int]) -> list[int]:
        """Return the most plausible of these worlds for the agent."""
        numbers, levels = list(among), self.levels(agent)
        best = max((levels[number] for number in numbers), default=())
        return [number for number in numbers if levels[number] == best]

    def classes(self, names: Sequence[str]) -> list[int]:
        """Return the class of each world: no formula about these fluents distinguishes worlds of a
        class.

        The operators are K, M, B, conditional B, C and CB. The method is refinement. At first,
        worlds with the same values are in the same class. A class is split unless, for every agent,
        the cells of its worlds have the same classes in the same order of plausibility, where the
        most plausible world of a class represents it (M. Andersen, T. Bolander, H. van Ditmarsch,
        M. Jensen: Bisimulation and expressivity for conditional belief, degrees of belief, and safe
        belief, 2017).
        """
        keys: list[Hashable] = [tuple(map(point.values.get, names)) for point in self.points]
        found: list[int] = []
        while True:
            numbers: dict[Hashable, int] = {}
            finer = [numbers.setdefault(key, len(numbers)) for key in keys]
            if finer == found:
                return found
            found = finer
            keys = [(number,) for number in found]
            for agent in self.agents:
                levels = self.levels(agent)
                for cell in self.cells(agent):
                    best: dict[int, tuple[bool, ...]] = {}
                    for place in cell:
                        best[found[place]] = max(best.get(found[place], ()), levels[place])
                    order: dict[tuple[bool, ...], set[int]] = {}
                    for number, level in best.items():
                        order.setdefault(level, set()).add(number)
                    ordered = tuple(frozenset(order[level]) for level in sorted(order))
                    for place in cell:
                        keys[place] = (keys[place], ordered)

    def holds(self, formula: f.Formula, numbers: Iterable[int]) -> bool:
        """Return whether the formula is true at all these worlds."""
        true = self.truths(formula)
        return all(true[number] for number in numbers)

    def truths(self, formula: f.Formula) -> Truths:
        """Return, for each world, whether the formula is true there."""
        if formula not in self._truths:
            self._truths[formula] = self._evaluated(formula)
        return self._truths[formula]

    def _evaluated(self, formula: f.Formula) -> Truths:
        match formula:
            case f.Constant(value):
                return [value] * len(self.points)
            case f.Atom(fluent, value):
                return [value_of(point.values, fluent) == value for point in self.points]
            case f.Not(part):
                return [not true for true in self.truths(part)]
            case f.And(parts):
                return self._each(parts, all)
            case f.Or(parts):
                return self._each(parts, any)
            case f.Implies(left, right):
                return self._each((left, right), lambda sides: not sides[0] or sides[1])
            case f.Iff(left, right):
                return self._each((left, right), lambda sides: sides[0] == sides[1])
            case f.Cardinality(relation, bound, parts):
                counts = {
                    "atleast": lambda sides: sum(sides) >= bound,
                    "atmost": lambda sides: sum(sides) <= bound,
                    "exactly": lambda sides: sum(sides) == bound,
                }
                return self._each(parts, counts[relation])
            case f.Announced(said, then):
                return self._announced(said, then, otherwise=True)
            case f.AnnouncedTrue(said, then):
                return self._announced(said, then, otherwise=False)
        return self._of_agents(formula)

    def _of_agents(self, formula: f.Formula) -> Truths:
        match formula:
            case f.K(agent, part) | f.D((agent,), part):
                return self._box(part, self.cells(agent))
            case f.D(group, part):
                return self._box(part, self.cells(*group))
            case f.M(agent, part):
                return self.truths(~f.K(agent, ~part))
            case f.Kw(agent, part):
                return self.truths(f.disjunction((f.K(agent, part), f.K(agent, ~part))))
            case f.Kv(agent, fluents):
                return self._knows_values(agent, fluents)
            case f.E(group, part):
                return self._each([f.K(agent, part) for agent in group], all)
            case f.EB(group, part):
                return self._each([f.B(agent, part) for agent in group], all)
            case f.B(agent, part, given):
                return self._believes(agent, part, given)
            case f.C(group, part):
                return self._reached(part, [self._steps_of_knowledge(agent) for agent in group])
            case f.CB(group, part):
                return self._reached(part, [self._steps_of_belief(agent) for agent in group])
            case f.P(agent, part, relation, bound, given):
                return self._probable(agent, part, relation, bound, given)
            case f.AfterAction(action, then):
                assert self.reads is not None
                return self.after(self.reads(action, self.agents), then)
        raise AssertionError(f"the oracle does not know {formula!r}")

    def after(self, action: Act, then: f.Formula) -> Truths:
        """Return for each world whether the formula is true after all events that may be actual."""
        updated = self.update(action)
        actual = {event.name for event in action.events if event.actual}
        found = [True] * len(self.points)
        for parent, point, true in zip(
            updated.parents, updated.points, updated.truths(then), strict=True
        ):
            if point.past[-1] in actual and not true:
                found[parent] = False
        return found

    def _each(self, parts: Sequence[f.Formula], of: Callable[[Sequence[bool]], bool]) -> Truths:
        sides = [self.truths(part) for part in parts]
        return [of([side[number] for side in sides]) for number in range(len(self.points))]

    def _box(self, part: f.Formula, cells: list[list[int]]) -> Truths:
        inner, found = self.truths(part), [False] * len(self.points)
        for cell in cells:
            true = all(inner[number] for number in cell)
            for number in cell:
                found[number] = true
        return found

    def _knows_values(self, agent: str, fluents: Sequence[str]) -> Truths:
        found = [False] * len(self.points)
        for cell in self.cells(agent):
            values = {
                tuple(value_of(self.points[number].values, name) for name in fluents)
                for number in cell
            }
            for number in cell:
                found[number] = len(values) == 1
        return found

    def _believes(self, agent: str, part: f.Formula, given: f.Formula) -> Truths:
        inner, condition = self.truths(part), self.truths(given)
        found = [False] * len(self.points)
        for cell in self.cells(agent):
            best = self.plausible(agent, (number for number in cell if condition[number]))
            true = all(inner[number] for number in best)
            for number in cell:
                found[number] = true
        return found

    def _steps_of_knowledge(self, agent: str) -> list[list[int]]:
        steps: list[list[int]] = [[] for _ in self.points]
        for cell in self.cells(agent):
            for number in cell:
                steps[number] = cell
        return steps

    def _steps_of_belief(self, agent: str) -> list[list[int]]:
        steps: list[list[int]] = [[] for _ in self.points]
        for cell in self.cells(agent):
            best = self.plausible(agent, cell)
            for number in cell:
                steps[number] = best
        return steps

    def _reached(self, part: f.Formula, steps: list[list[list[int]]]) -> Truths:
        """Return for each world whether the formula is true wherever one or more steps lead."""
        bad = {number for number, true in enumerate(self.truths(part)) if not true}
        leads = [False] * len(self.points)
        growing = True
        while growing:
            growing = False
            for number in range(len(self.points)):
                if leads[number]:
                    continue
                for of_agent in steps:
                    if any(next_one in bad or leads[next_one] for next_one in of_agent[number]):
                        leads[number] = growing = True
                        break
        return [not lead for lead in leads]

    def _announced(self, said: f.Formula, then: f.Formula, *, otherwise: bool) -> Truths:
        true = iter(self.announce(said).truths(then))
        return [next(true) if kept else otherwise for kept in self.truths(said)]

    # ---- probabilities ------------------------------------------------------------------------

    def probability(
        self, agent: str, part: f.Formula, number: int, given: f.Formula = f.TRUE
    ) -> Fraction | None:
        """Return the share of worlds with `given` at which `part` is true; None without any."""
        cell = next(cell for cell in self.cells(agent) if number in cell)
        inner, condition = self.truths(part), self.truths(given)
        weighed = [place for place in cell if condition[place]]
        if self.missed:
            weighed = self.plausible(agent, weighed)
        return Fraction(sum(inner[one] for one in weighed), len(weighed)) if weighed else None

    def _probable(
        self, agent: str, part: f.Formula, relation: str, bound: Fraction, given: f.Formula
    ) -> Truths:
        compare: Mapping[str, Callable[[Fraction], bool]] = {
            ">=": lambda share: share >= bound,
            ">": lambda share: share > bound,
            "<=": lambda share: share <= bound,
            "<": lambda share: share < bound,
            "=": lambda share: share == bound,
        }
        found = [False] * len(self.points)
        for cell in self.cells(agent):
            share = self.probability(agent, part, cell[0], given)
            true = relation in (">=", "<=", "=") if share is None else compare[relation](share)
            for number in cell:
                found[number] = true
        return found


def may_go_unnoticed(action: Act, agents: Iterable[str]) -> bool:
    """Return whether some agent may notice nothing, and thus not know that it happened."""
    return any(NOTHING in _ways(action.observers.get(agent, ())) for agent in agents)


def _ways(cases: Sequence[tuple[f.Formula, How]]) -> list[How]:
    """Return the possible observations of an agent with these cases."""
    found: list[How] = []
    for condition, how in cases:
        found.append(how)
        if condition is f.TRUE:
            return found
    return [*found, NOTHING]


def value_of(values: Values, name: str) -> str:
    """Return the value of a fluent or a version of it; the first version may be the current one."""
    return values[name if name in values else name.removesuffix("#0")]


def _current(atoms: Iterable[Seen], versions: Mapping[str, int]) -> Iterator[Seen]:
    """Yield the atoms of the current versions of fluents, under plain names."""
    for name, value in atoms:
        plain, _, number = name.partition("#")
        if not number or int(number) == versions.get(plain, 0):
            yield plain, value
