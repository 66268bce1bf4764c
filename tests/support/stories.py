"""Random stories with the right answers: a first structure, what happens then, and questions.

The answers are those of the oracle, a product update that lists worlds and events and shares no
code with the package. A story is told to the program step by step (`story_check`), and is written
down as a problem file. What a file cannot state stands in its comments.

A *wide* story has many more facts, of which only a number is known: `exactly(5; p, pad(1), ...)`.
They change no answer, because any combination of the other facts is possible; and engines cannot
list its worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from fractions import Fraction

from symkripke.language import TRUE, Formula, conjunction, negation
from symkripke.language import formulas as f
from symkripke.language.walk import names
from symkripke.model import (
    ABOVE_ALL,
    ActionModel,
    Change,
    Constraint,
    Event,
    Fluent,
    Observable,
    Origin,
    Sees,
    Soft,
    World,
)
from symkripke.problems import read
from symkripke.problems.problem import (
    Doing,
    Happening,
    Kind,
    Plan,
    Problem,
    Question,
    Step,
    Whether,
)
from symkripke.testing.random_actions import MODAL, PARTS, random_action
from symkripke.testing.random_models import (
    AFTER,
    ALL,
    BELIEF,
    BOOLEAN,
    Names,
    Seeded,
    all_worlds,
    random_changes,
    random_formula,
    random_scene,
    some,
)
from tests.support.product_update import (
    NOTHING,
    SKIP,
    WHICH,
    Act,
    Happens,
    How,
    Listed,
    TooManyPoints,
)

HAPPENS = ("do", "do", "change", "announce", "whether", "show", "believe", "plan", "tell")
"""What may happen in a story, the most frequent twice."""

KINDS = ("past", "wide", *PARTS, *HAPPENS[1:], "valid", "true", "goal", "count", "contract", "how")
"""What stories have: names of past versions, wide ones, parts of actions, steps, questions."""

_MOST_WORLDS = 200
_MOST_STEPS = 12

Right = bool | int | float | Fraction
"""The right outcome: of what happens whether it can, of a plan how many of its actions can."""


@dataclass(frozen=True)
class Told:
    """A step of a story.

    Attributes:
        kind: what it is, by the word of problem files.
        step: the step for the checker; the actions that may lead to several scenes for "outcomes".
        text: the step in a problem file; in a comment what files cannot state.
        right: what must come of it.
    """

    kind: str
    step: Step | ActionModel
    text: str
    right: Right


@dataclass
class Story:
    """A story; see `stories`.

    Attributes:
        head: the beginning, as a problem file states it.
        wide: whether it has too many facts to list its worlds.
        steps: what happens and is asked.
        undecided: how many formulas and steps the oracle could not decide: for too many worlds.
    """

    head: str
    wide: bool
    steps: list[Told] = field(default_factory=list)
    undecided: int = 0

    @property
    def stated(self) -> Problem:
        """The story as the program gets it in Python."""
        steps = [one.step for one in self.steps if not isinstance(one.step, ActionModel)]
        hidden = {f"told({number})" for number in range(len(self.steps))}
        return replace(read(self.head), steps=tuple(steps), hidden=frozenset(hidden))

    @property
    def text(self) -> str:
        """The story as a problem file."""
        return "\n".join([self.head, *(one.text for one in self.steps), ""])

    def told(self, place: int) -> str:
        """The story up to a step, with right outcomes, and only with the question that it is."""
        lines: list[str] = []
        for number, one in reversed([*enumerate(self.steps[: place + 1])]):
            *block, line = one.text.splitlines()
            name = block[0].split()[1] if block else ""
            if number == place or not isinstance(one.step, Question | ActionModel):
                lines = [*block, f"{line}  -- {one.right}", *lines]
            elif any(name.removesuffix(":") in line for line in lines):
                lines = [*block, *lines]
        return "\n".join([self.head, *lines, ""])


# ---- the oracle's words ---------------------------------------------------------------------


def as_act(happens: ActionModel | Event, agents: Iterable[str]) -> Act:
    """The action, or the event that all notice, as the oracle states it."""
    if isinstance(happens, Event):
        constraints = [constraint.formula for constraint in happens.constraints]
        changes = {change.fluent: _cases(change) for change in happens.changes}
        events = [Happens("event", conjunction(constraints), changes)]
        observers: dict[str, list[tuple[Formula, How]]]
        observers = {agent: [(TRUE, WHICH)] for agent in agents}
        rank = None
    else:
        events = [
            Happens(
                event.name,
                event.precondition,
                {change.fluent: change.cases for change in event.postconditions},
                event.name in happens.actual,
            )
            for event in happens.events
        ]
        observers = {
            agent: [(when, _how(how, happens)) for when, how in happens.cases(agent)]
            for agent in agents
        }
        rank = None if happens.rank == ABOVE_ALL else happens.rank
    return Act(
        events,
        observers,
        rank,
        {fluent.name: fluent.values for fluent in happens.fluents},
        {agent: [_seen(one) for one in observed] for agent, observed in happens.observes.items()},
        [(soft.formula, _ranks(soft, agents)) for soft in happens.soft],
    )


def _cases(change: Change) -> Sequence[tuple[str, Formula]]:
    """The cases of a change: one value where all others are excluded."""
    if isinstance(change.to, str):
        return [(change.to, TRUE)]
    assert change.to is not None
    if len(change.to) > 1:
        return change.to
    ((value, condition),) = change.to
    return [(value, condition), ("false" if value == "true" else "true", TRUE)]


def _how(how: Sees, action: ActionModel) -> How:
    if how.kind == "that":
        return {event.name: str(sorted(how.signal(event.name) or ())) for event in action.events}
    return WHICH if how.kind == "which" else NOTHING


def _seen(observable: Observable) -> tuple[str, str]:
    return observable.atom.fluent, observable.atom.value


def _ranks(soft: Soft, agents: Iterable[str]) -> Mapping[str, float]:
    return dict.fromkeys(agents, soft.rank) if isinstance(soft.rank, int) else soft.rank


# ---- texts ----------------------------------------------------------------------------------


def _becomes(fluent: str, cases: Iterable[tuple[str, Formula]]) -> str:
    """The assignment that gives a fluent the value of the first case that is true."""
    said = ""
    for value, condition in cases:
        if condition is TRUE:
            return f"{fluent} := {said}{value}"
        said += f"if {condition} then {value} else "
    return f"{fluent} := {said}{fluent}"


def _block(action: ActionModel, agents: Sequence[str]) -> list[str]:
    """The action block."""
    lines = [f"action {action.name}:"]
    for event in action.events:
        marked = "actual " if len(action.actual) < len(action.events) else ""
        needs = "" if event.precondition is TRUE else f" when {event.precondition}"
        makes = ", ".join(_becomes(one.fluent, one.cases) for one in event.postconditions)
        said = marked if event.name in action.actual else ""
        lines.append(f"  {said}event {event.name}{needs}{makes and ': '}{makes}")
    for agent in agents:
        for when, how in action.cases(agent):
            alike = ", ".join(f"{{{', '.join(sorted(each))}}}" for each in how.classes)
            said = f"notices {how.kind}" if how.kind == "nothing" else f"sees {how.kind} {alike}"
            lines.append(f"  {agent} {said}{'' if when is TRUE else f' when {when}'}")
    if action.rank != ABOVE_ALL:
        lines.append(f"  rank {action.rank}")
    for fluent in action.fluents:
        lines.append(f"  -- with the new fluent {fluent.name} in {', '.join(fluent.values)}")
    for agent, observed in action.observes.items():
        lines.append(f"  -- {agent} observes {_listed(one.atom for one in observed)} from now on")
    lines += [f"  -- {line}" for line in _believed(action.soft)]
    return lines


def _believed(softs: Iterable[Soft]) -> list[str]:
    said = []
    for soft in softs:
        if isinstance(soft.rank, int):
            said.append(f"believe rank {soft.rank}: {soft.formula}")
        else:
            ranks = soft.rank.items()
            said += [f"{agent} believes rank {rank}: {soft.formula}" for agent, rank in ranks]
    return said


def _listed(things: Iterable[object]) -> str:
    return ", ".join(map(str, things))


# ---- decisions ------------------------------------------------------------------------------


class Recorded(Seeded):
    """Decisions of a seed that are kept; or given ones, and then the simplest ones.

    Attributes:
        taken: the decisions so far, counted from the least.
        marks: the places among them where a part of the story begins, which can be left out.
    """

    def __init__(self, seed: int, given: Sequence[int] | None = None) -> None:
        """The decisions of that seed; or those that are given, as far as they go."""
        super().__init__(seed)
        self.given = given
        self.taken: list[int] = []
        self.marks: list[int] = []

    def integer(self, least: int, most: int) -> int:
        """See `Choices`."""
        if self.given is None:
            chosen = super().integer(least, most) - least
        else:
            chosen = next(iter(self.given[len(self.taken) :]), 0)
        self.taken.append(min(chosen, most - least))
        return least + self.taken[-1]

    def more(self, of: int) -> bool:
        """Whether there is one more part: so in `of` cases for one in which there is not."""
        self.marks.append(len(self.taken))
        return self.integer(0, of) > 0


# ---- a story --------------------------------------------------------------------------------


class Teller:
    """Tells a story by chance, in step with the oracle."""

    def __init__(self, choices: Recorded, *, written: bool, without: Collection[str] = ()) -> None:
        """Make the beginning.

        Args:
            choices: where decisions come from.
            written: whether a problem file can state all of it.
            without: what it does not have: see `KINDS`.
        """
        self.choices = choices
        self.written = written
        self.without = without
        parts = ["rank"] if written else PARTS
        self.parts = [part for part in parts if part not in without]
        scene = random_scene(choices, 3, beliefs=bool(choices.integer(0, 1)))
        first = scene.structure
        fluents, agents = tuple(first.vocabulary.fluents.values()), first.agents
        self.names = Names(fluents, agents, None if "past" in without else {})
        law = [constraint.formula for constraint in first.law.added]
        observed = {agent: [_seen(one) for one in first.observables[agent]] for agent in agents}
        softs = [Soft(one.formula, _shifted(one.rank), "likely") for one in first.soft]
        model = Listed.of(agents, all_worlds(fluents), observed)
        model.reads = as_act
        self.model = model.announce(conjunction(law))
        for soft in reversed(softs):  # the newest counts first, and here the first
            self.model = self.model.believe(soft.formula, _ranks(soft, agents))
        self.actual: list[int] | None = None
        """The places of the worlds that may be the actual one; None: the story has none."""
        wide = "wide" not in without and choices.integer(0, 4) == 4
        head = [f"agents {_listed(agents)}", *map(_declared, fluents)]
        head += [f"law {formula}" for formula in law]
        for agent, seen in first.observables.items():
            head += [f"{agent} sees {_listed(one.atom for one in seen)}"] if seen else []
        head += _believed(softs)
        values = [str(fluent.equals(scene.world[fluent.name])) for fluent in fluents]
        if wide:
            lines, more = self._pads(scene.world)
            head, values = [*head, *lines], [*values, *more]
        many = choices.integer(0, 5)
        if many < 4:
            self.actual = [n for n, p in enumerate(self.model.points) if p.values == scene.world]
            head.append(f"actual {_listed(values)}")
        elif many == 4:
            where = random_formula(choices, self.names, 2, BOOLEAN)
            self.actual = [n for n, true in enumerate(self.model.truths(where)) if true]
            if not self.actual:
                where, self.actual = TRUE, list(range(len(self.model.points)))
            head.append(f"actual where {where}")
        self.story = Story("\n".join(head), wide)
        self.single = many < 4
        """Whether the program, too, knows that there is one actual world."""
        self.followed = True
        """Whether the newest plan was done to its end."""
        self.actions: tuple[ActionModel, ...] = ()
        self.blocks = 0

    def _pads(self, world: World) -> tuple[list[str], list[str]]:
        """Many more facts with a law about their number; and their values at the actual world."""
        choices, boolean = self.choices, bool(self.choices.integer(0, 1))
        number = choices.integer(20, 26)
        mine = [fluent.atoms[0] for fluent in self.names.fluents if fluent.is_boolean == boolean]
        bound = choices.integer(len(mine), number - 1)
        chosen = bound - sum(world[atom.fluent] == atom.value for atom in mine)
        domain, true, false = ("", "", "~") if boolean else (" in {red, blue}", " = red", "")
        lines = [
            f"fluent pad(i){domain} for i in 1..{number}",
            f"law exactly({bound}; {_listed([*mine, ''])}pad(i){true} for i in 1..{number})",
        ]
        values = [f"pad(i){true} for i in 1..{chosen}"] if chosen else []
        other = "" if boolean else " = blue"
        return lines, [*values, f"{false}pad(i){other} for i in {chosen + 1}..{number}"]

    # ---- formulas -----------------------------------------------------------------------------

    def formula(self, depth: int, operators: Sequence[str] = MODAL) -> Formula:
        """A formula about now, and about the past."""
        return random_formula(self.choices, self.names, depth, operators)

    def is_true(self, formula: Formula) -> bool | None:
        """Its truth at all actual worlds, or at all worlds if none is; None if it differs there."""
        truths = self.model.truths(formula)
        places = range(len(truths)) if self.actual is None else self.actual
        found = {truths[place] for place in places}
        return found.pop() if len(found) == 1 else None

    def action(self, names: Names | None = None) -> tuple[ActionModel, list[str]]:
        """An action, and the block that states it: none, if it is one from before.

        It speaks of what has these names; by default, of what has a name now.
        """
        if self.actions and self.choices.integer(0, 3) == 3:
            return self.choices.one_of(self.actions), []
        self.blocks += 1
        action = random_action(self.choices, names or self.names, self.blocks, parts=self.parts)
        if not action.fluents:
            self.actions = (*self.actions, action)
        return action, _block(action, self.names.agents)

    # ---- what happens -------------------------------------------------------------------------

    def after(self, event: Event | ActionModel, own: Formula = TRUE) -> tuple[Listed, list[int]]:
        """The model after something, and the worlds with `own` that may be the actual one then."""
        model = self.model.update(as_act(event, self.names.agents))
        if len(model.points) > _MOST_WORLDS:
            raise TooManyPoints
        may_be = event.actual if isinstance(event, ActionModel) else ("event",)
        truths = model.truths(own)
        return model, [
            place
            for place, point in enumerate(model.points)
            if truths[place]
            and point.past[-1] in may_be
            and (self.actual is None or model.parents[place] in self.actual)
        ]

    def happen(self, event: Event | ActionModel, own: Formula = TRUE) -> bool:
        """Whether something can happen; if it can, it does."""
        model, reached = self.after(event, own)
        if not model.points:
            return False
        if self.actual is not None:
            parents = {model.parents[place] for place in reached}
            # What is told to some may be true at some actual worlds only: then it was one of these.
            if not parents or (own is TRUE and parents != set(self.actual)):
                return False
            self.actual, self.single = reached, self.single and len(reached) == 1
        named = event.fluents if own is TRUE else ()
        fluents = (*self.names.fluents, *named)
        changes = None if "past" in self.without else model.versions
        self.names = replace(self.names, fluents=fluents, changes=changes)
        self.model = model
        return True

    def tell(self) -> Story:
        """Tell the whole story."""
        ways = [getattr(self, f"_{kind}") for kind in HAPPENS if kind not in self.without]
        for _ in range(_MOST_STEPS):
            if self.choices.more(9):
                asked = not (ways and self.choices.integer(0, 1))
                self._add(self._question if asked else self.choices.one_of(ways))
        return self.story

    def _add(self, make: Callable[[], list[Told]]) -> None:
        """Add steps; without any, for example where there are too many worlds, all stays."""
        before = dict(self.__dict__)
        try:
            made = make()
        except TooManyPoints:
            made = []
            self.story.undecided += 1
        if not made:
            self.__dict__.update(before)
        self.story.steps += made

    def _event(self, event: Event, text: str, own: Formula = TRUE) -> list[Told]:
        step = Happening(event, text, values={fluent.name: "true" for fluent in event.fluents})
        return [Told(text.split()[0], step, text, self.happen(event, own))]

    def _said(self) -> Formula:
        said = self.formula(self.choices.integer(1, 2), (*MODAL, "announced"))
        return (
            negation(said) if self.is_true(said) is False and self.choices.integer(0, 3) else said
        )

    def _announce(self) -> list[Told]:
        said = self._said()
        return self._event(Event("said", (Constraint(said, "said"),)), f"announce {said}")

    def _whether(self) -> list[Told]:
        if self.actual is None:
            return []
        said = self._said()
        text, true = f"announce whether {said}", self.is_true(said)
        stated = said if true else negation(said)
        if true is not None:
            self.happen(Event("said", (Constraint(stated, "said"),)))
        return [Told("whether", Whether(said, Origin("said"), text), text, true is not None)]

    def _change(self) -> list[Told]:
        made = [
            change
            for _ in range(self.choices.integer(1, 2))
            for change in random_changes(self.choices, self.names, (), len(self.story.steps))
        ]
        changes = {change.fluent: change for change in made}.values()
        said = _listed(_becomes(change.fluent, _cases(change)) for change in changes)
        return self._event(Event("change", changes=tuple(changes)), f"change {said}")

    def _show(self) -> list[Told]:
        # What is publicly known cannot be shown.
        atoms = [
            atom
            for fluent in self.names.versions
            for atom in fluent.atoms
            if len({*self.model.truths(atom)}) > 1
        ]
        shown = some(self.choices, atoms, 1, 2)
        if not shown:
            return []
        agents = some(self.choices, self.names.agents, 1, 2)
        observes = dict.fromkeys(agents, tuple(Observable(atom, "shown") for atom in shown))
        text = f"show {_listed(agents)}: {_listed(shown)}"
        return self._event(Event("shown", observes=observes), text)

    def _believe(self) -> list[Told]:
        if not self.story.steps:
            return []  # in a file it would be a part of the beginning
        rank, likely = self.choices.integer(0, 2), self.formula(2, BOOLEAN)
        text = f"believe rank {rank}: {likely}"
        return self._event(Event("said", soft=(Soft(likely, rank, "said"),)), text)

    def _tell(self) -> list[Told]:
        agents = some(self.choices, self.names.agents, 1, 2)
        fact, heard = self.formula(1, BOOLEAN), Fluent(f"told({len(self.story.steps)})")
        observes = dict.fromkeys(agents, (Observable(heard.atoms[0], "told"),))
        said = Constraint(f.Implies(heard.atoms[0], fact), "told")
        event = Event("told", (said,), (heard,), observes)
        return self._event(event, f"tell {_listed(agents)}: {fact}", heard.atoms[0])

    def _do(self) -> list[Told]:
        action, lines = self.action()
        told = []
        if self.single and not self.written:
            ways = len(self.after(action)[1])
            text = "\n".join([*lines, f"-- outcomes of {action.name}"])
            told, lines = [Told("outcomes", action, text, ways)], []
            if action.fluents:
                return told
        if self.actual is not None and _needs_own(action):
            return []
        step = self._doing(action)
        right = self.happen(step.action)
        if self.written and not right:
            return []  # whoever reads the file takes it for done
        return [*told, Told("do", step, "\n".join([*lines, f"do {step.name}"]), right)]

    def _doing(self, action: ActionModel) -> Doing:
        """Doing the action, or one of its events."""
        events, name = action.actual, action.name
        if not self.written and any(map(action.can_be_missed_by, self.names.agents)):
            events = (*events, SKIP)
        if self.choices.integer(0, 2) < 2:
            return Doing(action, name, name=name)
        happens = self.choices.one_of(events)
        return Doing(_only(action, happens), name, name=f"{name}: {happens}")

    def _plan(self) -> list[Told]:
        if self.actual is None:
            return []
        lines: list[str] = []
        steps: list[Doing] = []
        done, stopped = 0, False
        known = self.names if self.written else None  # files state all actions before the plan
        for _ in range(self.choices.integer(1, 3)):
            action, block = self.action(known)
            if action.fluents:
                continue
            lines += block
            steps.append(self._doing(action))
            stopped = stopped or not self.happen(steps[-1].action)
            done += not stopped
        if not steps:
            return []
        self.followed = not stopped
        text = f"plan: {_listed(step.name for step in steps)}"
        return [Told("plan", Plan(tuple(steps), text), "\n".join([*lines, text]), done)]

    # ---- questions ----------------------------------------------------------------------------

    def _question(self) -> list[Told]:
        kinds: list[Kind] = ["valid", "valid"]
        kinds += [] if self.actual is None else ["true", "true", "true", "goal"]
        kinds += [] if self.story.wide else ["count", "count", "contract"]
        kinds += ["how"] if self.single and not self.story.wide else []
        kinds = [kind for kind in kinds if kind not in self.without]
        kind: Kind = self.choices.one_of(kinds or ["valid"])
        if kind == "contract":
            classes = self.model.classes([fluent.name for fluent in self.names.fluents])
            return [Told(kind, Question(kind, text="contract?"), "contract?", max(classes) + 1)]
        choices, actual = self.choices, self.actual or []
        if kind == "how":
            agent, asked = choices.one_of(self.names.agents), self.formula(1, BOOLEAN)
            share = self.model.probability(agent, asked, actual[0])
            assert share is not None
            text = f"how? P[{agent}]({asked})"
            return [Told(kind, Question(kind, asked, text, agent=agent), text, share)]
        lines: list[str] = []
        actions = [*self.actions[-1:]]
        if choices.integer(0, 1):
            action, lines = self.action()
            actions.append(action)
        known = replace(self.names, actions=tuple(actions))
        # In a file, no comparison with `>` may be within `<! >`.
        dropped = "P" if self.story.wide else choices.one_of(("P", "announced_true"))
        every = [one for one in (*ALL, *BELIEF, *AFTER) if one != dropped]
        minds, few = ("K", "Kw", "Kv", "B"), ("atom", "not", "K", "M", "B", "C", "CB", *AFTER)
        operators = choices.one_of((minds, few, every))
        asked = random_formula(choices, known, choices.integer(1, 3), operators)
        truths = self.model.truths(asked)
        right: Right = all(truths)
        if kind == "count":
            right = sum(truths)
        elif kind != "valid":
            right = all(truths[place] for place in actual) and (kind == "true" or self.followed)
        text = f"{kind}? {asked}"
        return [Told(kind, Question(kind, asked, text), "\n".join([*lines, text]), right)]


def _needs_own(action: ActionModel) -> bool:
    """Whether its events need what only its own fluents say: no checker can know whether it can."""
    own = {fluent.name for fluent in action.fluents}
    return any(not own.isdisjoint(names(event.precondition)) for event in action.events)


def _only(action: ActionModel, happens: str) -> ActionModel:
    """The action with this event as the only one that may be the actual one."""
    made = copy(action)
    object.__setattr__(made, "actual", (happens,))
    return made


def _shifted(rank: int | Mapping[str, int]) -> int | dict[str, int]:
    """The rank as files can state it, from 0 on; random ones are from -1 on."""
    return rank + 1 if isinstance(rank, int) else {who: n + 1 for who, n in rank.items()}


def _declared(fluent: Fluent) -> str:
    values = "" if fluent.is_boolean else f" in {{{_listed(fluent.values)}}}"
    return f"fluent {fluent.name}{values}"
