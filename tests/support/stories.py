"""Random stories with the right answers: a first structure, events, and questions.

The answers come from the oracle, a product update that lists worlds and events and shares no code
with the package. A story is either told to the program step by step (`story_check`), or written as
a problem file. Comments in the file describe steps that files cannot state.

A *wide* story has many more facts, of which only the number is known: `exactly(5; p, pad(1), ...)`.
They change no answer, because any combination of the other facts is possible; but engines cannot
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
"""The possible events of a story, with the most frequent kind twice."""

KINDS = ("past", "wide", *PARTS, *HAPPENS[1:], "valid", "true", "goal", "count", "contract", "how")
"""Features of stories: names of past versions, wide stories, parts of actions, steps, questions."""

_MOST_WORLDS = 200
_MOST_STEPS = 12

Right = bool | int | float | Fraction
"""The right outcome: whether an event can happen; how many actions of a plan can."""


@dataclass(frozen=True)
class Told:
    """A step of a story.

    Attributes:
        kind: the kind of step, by the word of problem files.
        step: the step for the checker; for "outcomes", the action that may lead to several scenes.
        text: the step in a problem file, in a comment if files cannot state it.
        right: the right outcome.
    """

    kind: str
    step: Step | ActionModel
    text: str
    right: Right


@dataclass
class Story:
    """A story; see `stories`.

    Attributes:
        head: the beginning, as in a problem file.
        wide: whether it has too many facts to list its worlds.
        steps: the events and questions.
        undecided: the number of formulas and steps with too many worlds for the oracle.
    """

    head: str
    wide: bool
    steps: list[Told] = field(default_factory=list)
    undecided: int = 0

    @property
    def stated(self) -> Problem:
        """The story as a problem made in Python."""
        steps = [one.step for one in self.steps if not isinstance(one.step, ActionModel)]
        hidden = {f"told({number})" for number in range(len(self.steps))}
        return replace(read(self.head), steps=tuple(steps), hidden=frozenset(hidden))

    @property
    def text(self) -> str:
        """The story as a problem file."""
        return "\n".join([self.head, *(one.text for one in self.steps), ""])

    def told(self, place: int) -> str:
        """Return the story up to a step, with right outcomes, without the earlier questions."""
        lines: list[str] = []
        for number, one in reversed([*enumerate(self.steps[: place + 1])]):
            *block, line = one.text.splitlines()
            name = block[0].split()[1] if block else ""
            if number == place or not isinstance(one.step, Question | ActionModel):
                lines = [*block, f"{line}  -- {one.right}", *lines]
            elif any(name.removesuffix(":") in line for line in lines):
                lines = [*block, *lines]
        return "\n".join([self.head, *lines, ""])


# ---- translation for the oracle -------------------------------------------------------------


def as_act(happens: ActionModel | Event, agents: Iterable[str]) -> Act:
    """Translate an action, or an event that all notice, for the oracle."""
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
                {change.fluent: _named(change.cases) for change in event.postconditions},
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


def _named(cases: Iterable[tuple[object, Formula]]) -> list[tuple[str, Formula]]:
    """Return new values of fluents that are not numbers."""
    return [(str(value), condition) for value, condition in cases]


def _cases(change: Change) -> Sequence[tuple[str, Formula]]:
    """Return the cases of a change, with the implied case of a Boolean fluent."""
    if isinstance(change.to, str):
        return [(change.to, TRUE)]
    assert change.to is not None
    if len(change.to) > 1:
        return _named(change.to)
    ((value, condition),) = _named(change.to)
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
    """Return the assignment that gives a fluent the value of its first true case."""
    said = ""
    for value, condition in cases:
        if condition is TRUE:
            return f"{fluent} := {said}{value}"
        said += f"if {condition} then {value} else "
    return f"{fluent} := {said}{fluent}"


def _block(action: ActionModel, agents: Sequence[str]) -> list[str]:
    """Return the lines of an action block."""
    lines = [f"action {action.name}:"]
    for event in action.events:
        marked = "actual " if len(action.actual) < len(action.events) else ""
        needs = "" if event.precondition is TRUE else f" when {event.precondition}"
        makes = ", ".join(_becomes(one.fluent, _named(one.cases)) for one in event.postconditions)
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
    """Decisions from a seed, which are recorded; or given decisions, followed by the simplest ones.

    Attributes:
        taken: the decisions so far, each as its distance from the least choice.
        marks: the indices in `taken` at which an optional part of the story begins.
    """

    def __init__(self, seed: int, given: Sequence[int] | None = None) -> None:
        """Use the decisions of the seed, or the given ones as far as they go."""
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
        """Decide whether to add a part, with odds of `of` to one."""
        self.marks.append(len(self.taken))
        return self.integer(0, of) > 0


# ---- a story --------------------------------------------------------------------------------


class Teller:
    """A generator of random stories, in step with the oracle."""

    def __init__(self, choices: Recorded, *, written: bool, without: Collection[str] = ()) -> None:
        """Make the beginning.

        Args:
            choices: the source of decisions.
            written: whether a problem file must be able to state all of it.
            without: the excluded features, from `KINDS`.
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
        """The indices of the worlds that may be actual; None if the story has no actual world."""
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
        """True if the program also knows that there is only one actual world."""
        self.followed = True
        """True if the newest plan was carried out to its end."""
        self.actions: tuple[ActionModel, ...] = ()
        self.blocks = 0

    def _pads(self, world: World) -> tuple[list[str], list[str]]:
        """Return more facts, a law about their number, and their values at the actual world."""
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
        """Return a formula about the present and the past."""
        return random_formula(self.choices, self.names, depth, operators)

    def is_true(self, formula: Formula) -> bool | None:
        """Return the truth at all actual worlds, or at all worlds if none; None if it differs."""
        truths = self.model.truths(formula)
        places = range(len(truths)) if self.actual is None else self.actual
        found = {truths[place] for place in places}
        return found.pop() if len(found) == 1 else None

    def action(self, names: Names | None = None) -> tuple[ActionModel, list[str]]:
        """Return an action, and the lines of its block, without lines for a repeated action.

        It uses the given names, by default the current ones.
        """
        if self.actions and self.choices.integer(0, 3) == 3:
            return self.choices.one_of(self.actions), []
        self.blocks += 1
        action = random_action(self.choices, names or self.names, self.blocks, parts=self.parts)
        if not action.fluents:
            self.actions = (*self.actions, action)
        return action, _block(action, self.names.agents)

    # ---- events -------------------------------------------------------------------------------

    def after(self, event: Event | ActionModel, own: Formula = TRUE) -> tuple[Listed, list[int]]:
        """Return the model after an event, and the worlds with `own` that may then be actual."""
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
        """Let an event happen if it can; return whether it can."""
        model, reached = self.after(event, own)
        if not model.points:
            return False
        if self.actual is not None:
            parents = {model.parents[place] for place in reached}
            # Private news may be true at some actual worlds only; then the actual world is one of
            # these.
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
        """Return the whole story."""
        ways = [getattr(self, f"_{kind}") for kind in HAPPENS if kind not in self.without]
        for _ in range(_MOST_STEPS):
            if self.choices.more(9):
                asked = not (ways and self.choices.integer(0, 1))
                self._add(self._question if asked else self.choices.one_of(ways))
        return self.story

    def _add(self, make: Callable[[], list[Told]]) -> None:
        """Add steps; without any (for example, with too many worlds) restore the state."""
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
        # Publicly known facts cannot be shown.
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
            return []  # in a file, it would belong to the beginning
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
            return []  # a reader of the file would take it as done
        return [*told, Told("do", step, "\n".join([*lines, f"do {step.name}"]), right)]

    def _doing(self, action: ActionModel) -> Doing:
        """Return a step that does the action, or one of its events."""
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
        # In a file, a comparison with `>` must not be inside `<! >`.
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
    """Return whether its events depend on its own fluents, so no checker knows if it can happen."""
    own = {fluent.name for fluent in action.fluents}
    return any(not own.isdisjoint(names(event.precondition)) for event in action.events)


def _only(action: ActionModel, happens: str) -> ActionModel:
    """Return the action with this event as the only actual one."""
    made = copy(action)
    object.__setattr__(made, "actual", (happens,))
    return made


def _shifted(rank: int | Mapping[str, int]) -> int | dict[str, int]:
    """Return the rank as files state it, from 0; random ranks start at -1."""
    return rank + 1 if isinstance(rank, int) else {who: n + 1 for who, n in rank.items()}


def _declared(fluent: Fluent) -> str:
    values = "" if fluent.is_boolean else f" in {{{_listed(fluent.values)}}}"
    return f"fluent {fluent.name}{values}"
