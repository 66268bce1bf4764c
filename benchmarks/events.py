"""Action models, against a product update that lists worlds and events, and shares no code.

Random structures and chains of up to six random actions: preconditions, postconditions and
conditions of observing with and without knowledge in them, actions that go unnoticed, announcements
between them. At each end all worlds are compared, random formulas with all operators at all of
them, and probabilities; for the engines `explicit`, `bdd` and `sat`. Where actions are preferred
not to have happened above all else, belief is compared with the product update of KD45, at worlds
from which no world with an empty belief is reached.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import click

from benchmarks.common import check, show
from symkripke.engines import Engine
from symkripke.engines.asked import without_values
from symkripke.engines.auto import AutoEngine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.errors import Unsupported
from symkripke.language import Atom, Formula
from symkripke.language import formulas as f
from symkripke.model import (
    ActionModel,
    KnowledgeStructure,
    MultiPointedStructure,
    Scene,
    Sees,
    World,
    announcement,
)
from symkripke.model.actions import ABOVE_ALL
from symkripke.testing.random_actions import MODAL, plain_names, random_action
from symkripke.testing.random_models import (
    ALL,
    BELIEF,
    BOOLEAN,
    Seeded,
    random_formula,
    random_scene,
)
from tests.support.product_update import NOTHING, SKIP, WHICH, Act, Happens, How, Listed, Point

_MOST_WORLDS = 200
_ACTIONS = 6
_FORMULAS = 4

Key = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]
"""What identifies a world: the events that happened, and the first values of all fluents."""


# ---- the oracle's words ---------------------------------------------------------------------


def as_act(action: ActionModel, agents: Iterable[str]) -> Act:
    """The action, as the oracle states it."""
    return Act(
        [
            Happens(
                event.name,
                event.precondition,
                {change.fluent: change.cases for change in event.postconditions},
                event.name in action.actual,
            )
            for event in action.events
        ],
        {
            agent: [(when, _how(how, action)) for when, how in action.cases(agent)]
            for agent in agents
        },
        None if action.rank == ABOVE_ALL else action.rank,
        {fluent.name: fluent.values for fluent in action.fluents},
        {
            agent: [(seen.atom.fluent, seen.atom.value) for seen in observed]
            for agent, observed in action.observes.items()
        },
        [(soft.formula, _ranks(soft.rank, agents)) for soft in action.soft],
    )


def _how(how: Sees, action: ActionModel) -> How:
    if how.kind == "that":
        return {event.name: str(sorted(how.signal(event.name) or ())) for event in action.events}
    return WHICH if how.kind == "which" else NOTHING


def _ranks(rank: int | Mapping[str, int], agents: Iterable[str]) -> Mapping[str, float]:
    return dict.fromkeys(agents, rank) if isinstance(rank, int) else rank


def listed(structure: KnowledgeStructure, worlds: Iterable[World]) -> Listed:
    """The first structure, as the oracle states it."""
    observed = {
        agent: [(seen.atom.fluent, seen.atom.value) for seen in observables]
        for agent, observables in structure.observables.items()
    }
    model = Listed.of(structure.agents, worlds, observed)
    for soft in reversed(structure.soft):  # the newest counts first, and here the first
        model = model.believe(soft.formula, _ranks(soft.rank, structure.agents))
    return model


# ---- a case ---------------------------------------------------------------------------------


@dataclass
class Story:
    """A structure and what happened, for the package and for the oracle side by side.

    Attributes:
        structure: what the package makes of it.
        model: what the oracle makes of it.
        beliefs: for each agent which worlds of the oracle's model a step of KD45 belief leads to.
        happened: for each action the name of its only event, if it has one and nobody misses it.
        kinds: what there was in it.
    """

    structure: KnowledgeStructure
    model: Listed
    beliefs: dict[str, list[list[int]]]
    kinds: Counter[str] = field(default_factory=Counter)
    certain: dict[KnowledgeStructure, str] = field(default_factory=dict)

    def update(self, action: ActionModel) -> bool:
        """Let an action happen, unless too many worlds, or none, would be left."""
        model = self.model.update(as_act(action, self.structure.agents))
        if not 0 < len(model.points) <= _MOST_WORLDS:
            return False
        own = {fluent.name for fluent in action.fluents}
        parents = _parents(self.model, model, own, acted=True)
        self.structure = self.structure.update(action)
        if self.structure.occurrence is None:
            self.certain[self.structure] = action.events[0].name
        self._believe(model, parents, acted=True)
        self.model = model
        self.kinds["actions"] += 1
        return True

    def announce(self, formula: Formula) -> bool:
        """Announce something, unless no world is left."""
        model = self.model.announce(formula)
        if not model.points:
            return False
        parents = _parents(self.model, model, set(), acted=False)
        self.structure = self.structure.update(announcement(formula))
        self._believe(model, parents, acted=False)
        self.model = model
        self.kinds["announcements"] += 1
        return True

    def _believe(self, model: Listed, parents: Sequence[int], *, acted: bool) -> None:
        """Steps of KD45 belief after what happened: along one before, with the same signal.

        Where the signal of an action is "nothing", to a world at which nothing happened.
        """
        for agent, before in self.beliefs.items():
            steps: list[list[int]] = []
            for number, point in enumerate(model.points):
                reached = set(before[parents[number]])
                steps.append(
                    [
                        other
                        for other, there in enumerate(model.points)
                        if parents[other] in reached
                        and (not acted or _same_signal(agent, point, there))
                    ]
                )
            self.beliefs[agent] = steps

    def key_of(self, world: World) -> Key:
        """What identifies a world of the structure."""
        past = []
        for stage in self.structure.history:
            if stage.occurrence is not None:
                past.append(stage.occurrence.event_at(world))
            elif stage in self.certain:
                past.append(self.certain[stage])
        made_up = self.structure.traces.made_up
        first = {n: v for n, v in world.items() if "#" not in n and n not in made_up}
        return tuple(past), tuple(sorted(first.items()))


def ask(engine: Engine, auto: Engine, right: Callable[[Engine], None], found: Counter[str]) -> None:
    """Check the answers of an engine; where it refuses to answer, those of `auto`, which must."""
    try:
        right(engine)
        found[f"questions, {engine.name}"] += 1
    except Unsupported as refusal:
        found[f"refused by {engine.name}, answered by auto: {str(refusal)[:40]}"] += 1
        right(auto)


def compare_all_actual(
    seed: int, told: Story, engines: Sequence[Engine], auto: Engine, found: Counter[str]
) -> None:
    """What is true at all of several actual worlds."""
    choices = Seeded(seed + 3_000_000)
    names = plain_names(told.structure)
    actual = random_formula(choices, names, 2, BOOLEAN)
    here = told.model.truths(actual)
    if any(here):
        state = MultiPointedStructure.of(told.structure, actual)
        asked = random_formula(choices, names, 2, (*BOOLEAN, "K", "B", "B", "D"))
        truths = told.model.truths(asked)
        expected = all(true for true, is_actual in zip(truths, here, strict=True) if is_actual)

        def right(engine: Engine) -> None:
            holds = bool(engine.holds(state, asked))
            check(holds == expected, f"seed {seed}: {asked} where {actual} ({engine.name})")

        for engine in engines:
            ask(engine, auto, right, found)
        found["sets of actual worlds"] += 1


def _same_signal(agent: str, point: Point, there: Point) -> bool:
    signal = point.seen[agent][-1]
    same = there.seen[agent][-1] == signal
    return same and (signal != NOTHING or there.past[-1] == SKIP)


def key_of_point(point: Point) -> Key:
    """What identifies a world of the oracle."""
    first = {
        name: point.values.get(f"{name}#0", value)
        for name, value in point.values.items()
        if "#" not in name
    }
    return tuple(point.past), tuple(sorted(first.items()))


def _parents(before: Listed, after: Listed, own: set[str], *, acted: bool) -> list[int]:
    """For each world after something happened the place of the world that it comes from."""
    places = {key_of_point(point): number for number, point in enumerate(before.points)}
    found = []
    for point in after.points:
        past, first = key_of_point(point)
        kept = tuple((name, value) for name, value in first if name not in own)
        found.append(places[past[:-1] if acted else past, kept])
    return found


def story(seed: int, *, plain: bool = False) -> Story:
    """The story of that seed; `plain`: see `random_action`."""
    choices = Seeded(seed)
    chances = not choices.integer(0, 4)
    scene = random_scene(choices, 3, beliefs=bool(choices.integer(0, 2)))
    structure = scene.structure
    worlds = [
        ExplicitEngine().model(structure).table.world(row)
        for row in range(ExplicitEngine().worlds(structure))
    ]
    model = listed(structure, worlds)
    beliefs = {agent: model._steps_of_belief(agent) for agent in structure.agents}
    told = Story(structure, model, beliefs)
    for place in range(choices.integer(1, _ACTIONS)):
        if not choices.integer(0, 5):
            names = plain_names(told.structure)
            told.announce(random_formula(choices, names, 1, MODAL))
        modal = (*MODAL, "P", "announced") if chances else MODAL
        told.update(random_action(choices, told.structure, place, modal=modal, plain=plain))
    return told


# ---- checks ---------------------------------------------------------------------------------


@dataclass
class _Checks:
    """Answers about a story, held against those of the oracle."""

    told: Story
    scenes: Sequence[Scene]
    places: Sequence[int]
    keys: Sequence[Key]
    points: Mapping[Key, int]
    found: Counter[str]

    def everywhere(
        self,
        label: str,
        asked: Formula,
        truths: Sequence[bool],
        engines: tuple[ExplicitEngine, BddEngine, SatEngine, AutoEngine],
    ) -> None:
        """The truth of a formula: at all worlds, and as a question at some of them."""
        explicit, bdd, sat, auto = engines
        structure = self.told.structure
        resolved = without_values(structure, structure.resolve(asked))
        everywhere = explicit._truth_everywhere(structure, resolved, None)
        for key, truth in zip(self.keys, everywhere, strict=True):
            check(bool(truth) == truths[self.points[key]], f"{label} (explicit)")
        self.found["questions, explicit"] += 1

        def right(engine: Engine) -> None:
            valid = bool(engine.valid(structure, asked))
            check(valid == all(truths), f"{label} valid ({engine.name})")
            for scene, place in zip(self.scenes, self.places, strict=True):
                holds = bool(engine.holds(scene, asked))
                check(holds == truths[place], f"{label} ({engine.name})")

        for engine in (bdd, sat):
            ask(engine, auto, right, self.found)


def after_action(told: Story, action: ActionModel, then: Formula) -> list[bool] | None:
    """Where something is so after an action, by the oracle; None if there are too many worlds."""
    after = told.model.update(as_act(action, told.structure.agents))
    if len(after.points) > _MOST_WORLDS:
        return None
    found = [True] * len(told.model.points)
    parents = _parents(told.model, after, {x.name for x in action.fluents}, acted=True)
    for parent, point, true in zip(parents, after.points, after.truths(then), strict=True):
        if point.past[-1] != SKIP and not true:
            found[parent] = False
    return found


def compare(seed: int, told: Story) -> Counter[str]:
    """The story against the oracle; raises `WrongAnswer`. Counts what was compared."""
    choices = Seeded(seed + 1_000_000)
    found: Counter[str] = Counter(told.kinds)
    found["models"] += 1
    structure = told.structure
    engines = explicit, bdd, sat, auto = ExplicitEngine(), BddEngine(), SatEngine(), AutoEngine()
    table = explicit.model(structure).table
    worlds = [table.world(row) for row in range(table.size)]
    keys = [told.key_of(world) for world in worlds]
    points = {key_of_point(point): number for number, point in enumerate(told.model.points)}
    check(len(points) == len(told.model.points), f"seed {seed}: two worlds of the oracle are alike")
    check(sorted(keys) == sorted(points), f"seed {seed}: the worlds differ")
    check(bdd.worlds(structure) == len(points), f"seed {seed}: the number of worlds differs")
    names = plain_names(structure)
    scenes = [Scene(structure, choices.one_of(worlds)) for _ in range(2)]
    places = [points[told.key_of(scene.world)] for scene in scenes]
    checks = _Checks(told, scenes, places, keys, points, found)
    for number in range(_FORMULAS):
        operators = (*ALL, *BELIEF) if number % 2 else (*BOOLEAN, "K", "B", "CB", "C", "D", "B")
        asked = random_formula(choices, names, choices.integer(1, 3), operators)
        checks.everywhere(f"seed {seed}: {asked}", asked, told.model.truths(asked), engines)
    action = random_action(choices, structure, 9)
    then = random_formula(choices, names, 2, (*BOOLEAN, "K", "B", "B", "D"))
    truths = after_action(told, action, then)
    if truths is not None:
        agent = choices.one_of(structure.agents)
        step = f.AfterAction(action, then)
        checks.everywhere(f"seed {seed}: {step} after an action", step, truths, engines)
        known = [all(truths[n] for n in cell) for cell in told.model.cells(agent)]
        cells = {n: true for true, c in zip(known, told.model.cells(agent), strict=True) for n in c}
        expected = [cells[number] for number in range(len(truths))]
        label = f"seed {seed}: K[{agent}] {step} after an action"
        checks.everywhere(label, f.K(agent, step), expected, engines)
        found["formulas about what is so after an action"] += 2
    compare_all_actual(seed, told, (explicit, bdd, sat), auto, found)
    for scene, place in zip(scenes, places, strict=True):
        asked = random_formula(choices, names, 1, BOOLEAN)
        agent = choices.one_of(structure.agents)
        share = told.model.probability(agent, asked, place)
        for counter in (explicit, bdd):
            got = counter.probability(scene.perspective(agent), asked)
            check(got == share, f"seed {seed}: P[{agent}]({asked}) ({counter.name})")
        found["probabilities"] += 1
    return found


def compare_with_kd45(seed: int, told: Story) -> Counter[str]:
    """Belief against the product update of KD45, at worlds where that leaves no belief empty."""
    choices = Seeded(seed + 2_000_000)
    found: Counter[str] = Counter()
    model = told.model
    good = []
    for start in range(len(model.points)):
        reached, stack = {start}, [start]
        while stack:
            here = stack.pop()
            for steps in told.beliefs.values():
                if not steps[here]:
                    reached.add(-1)
                for there in steps[here]:
                    if there not in reached:
                        reached.add(there)
                        stack.append(there)
        if -1 not in reached:
            good.append(start)
    names = plain_names(told.structure)
    for _ in range(_FORMULAS):
        asked = random_formula(choices, names, 3, (*BOOLEAN, "B", "B", "EB", "CB"))
        ours, theirs = model.truths(asked), kd45(told, asked)
        for place in good:
            check(ours[place] == theirs[place], f"seed {seed}: {asked}: not as in KD45")
            found["worlds compared with KD45"] += 1
    return found


def kd45(told: Story, formula: Formula) -> list[bool]:
    """Where in a model with relations of belief a formula is true."""
    model, size = told.model, len(told.model.points)
    match formula:
        case f.B(agent, part, f.Constant(True)):
            true = kd45(told, part)
            return [all(true[there] for there in told.beliefs[agent][w]) for w in range(size)]
        case f.EB(group, part):
            each = [kd45(told, f.B(agent, part)) for agent in group]
            return [all(row) for row in zip(*each, strict=True)]
        case f.CB(group, part):
            true = kd45(told, part)
            common = [True] * size
            while True:
                further = [
                    all(
                        true[there] and common[there]
                        for agent in group
                        for there in told.beliefs[agent][w]
                    )
                    for w in range(size)
                ]
                if further == common:
                    return common
                common = further
        case f.Atom() | f.Constant():
            return model.truths(formula)
    parts = [kd45(told, part) for part in formula.operands]
    rows = list(zip(*parts, strict=True)) if parts else [()] * size
    atoms = [Atom(f"part{number}") for number in range(len(parts))]
    shape = formula.rebuild(tuple(atoms))
    from symkripke.model import evaluate

    return [
        evaluate(
            shape, {a.fluent: "true" if t else "false" for a, t in zip(atoms, row, strict=True)}
        )
        for row in rows
    ]


@click.command()
@click.option("--models", default=3_000, help="How many random models.")
@click.option("--seed", default=1, help="The first seed.")
def events(models: int, seed: int) -> None:
    """Random action models against a product update that lists worlds and events."""
    start, found = time.perf_counter(), Counter[str]()
    for number in range(seed, seed + models):
        found += compare(number, story(number))
        if not number % 3:
            found += compare_with_kd45(number, story(number, plain=True))
        if not (number - seed + 1) % 100:
            click.echo(
                f"{number - seed + 1:6,} models, {time.perf_counter() - start:.0f} s", err=True
            )
    found["questions"] = sum(n for what, n in found.items() if what.startswith("questions, "))
    click.echo(f"checked: {found['questions']:,} answers about {found['models']:,} models")
    show("Action models", ("what", "number"), sorted((k, f"{v:,}") for k, v in found.items()))
