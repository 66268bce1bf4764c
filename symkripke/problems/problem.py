"""A problem: a first structure, then events and questions in order.

Readers of all file formats return a `Problem`, so the code that runs a problem
(`symkripke.problems.checker`) or exports it does not depend on the format. A problem is plain,
immutable data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Final, Literal, TypeAlias

from symkripke.argument_types import checked, unexpected
from symkripke.language import Atom, Formula
from symkripke.language.formulas import TRUE
from symkripke.language.linear import Sum
from symkripke.model import ActionModel, Event, KnowledgeStructure, Origin, World
from symkripke.records import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a text: line and column, from 1."""

    line: int = 1
    column: int = 1


@dataclass(frozen=True)
class Happening:
    """A step with an event: an announcement, a private event, or a change of facts.

    Attributes:
        event: the event. A constraint with modal operators is about the structure before.
        text: the step as written.
        place: the place of the step in the text.
        values: the values of the event's new fluents at the actual world: a value, or for each
            possible value the formula (about the world before) under which the fluent has it. Not
            needed if the problem has no actual world.
        requires: a condition on every world of the law before; the step is an error if it is false
            anywhere. It states that a change leaves no fluent without a value.
    """

    event: Event
    text: str
    place: Place = field(default_factory=Place)
    values: Mapping[str, str | tuple[tuple[str | Sum, Formula], ...]] = field(default_factory=dict)
    requires: Formula = TRUE


@dataclass(frozen=True)
class Whether:
    """A step that announces whether `formula` is true: the formula or its negation.

    The actual world decides which, so a problem without an actual world cannot have this step.

    Attributes:
        formula: the formula whose truth value is announced.
        source: the origin of the announcement.
        text: the step as written.
        place: the place of the step in the text.
    """

    formula: Formula
    source: Origin
    text: str
    place: Place = field(default_factory=Place)


@dataclass(frozen=True)
class Doing:
    """A step with an action, which may be hidden from some agents.

    Attributes:
        action: the action.
        text: the step as written.
        place: the place of the step in the text.
        name: the action as written, with the event that happens if the text names it.
        requires: a condition on every world of the law before; the step is an error if it is false
            anywhere. It states that no possible event leaves a fluent without a value.
    """

    action: ActionModel
    text: str
    place: Place = field(default_factory=Place)
    name: str = ""
    requires: Formula = TRUE


@dataclass(frozen=True)
class Plan:
    """A step with several actions in order, up to the first impossible action.

    Attributes:
        actions: the actions.
        text: the plan as written.
        place: the place of the step in the text.
    """

    actions: tuple[Doing, ...]
    text: str
    place: Place = field(default_factory=Place)


@dataclass(frozen=True)
class Candidate:
    """An action that a plan may use.

    Attributes:
        action: the action.
        needs: a formula that must be true at all worlds before it.
    """

    action: ActionModel
    needs: Formula


Kind: TypeAlias = Literal[
    "valid",
    "true",
    "goal",
    "expect",
    "where",
    "count",
    "knows",
    "how",
    "expected",
    "entropy",
    "contract",
    "plan",
    "protocol",
]
AT_ACTUAL: Final[tuple[Kind, ...]] = ("true", "goal", "expect")
"""The kinds of questions about the truth of a formula at the actual world."""


@dataclass(frozen=True)
class Question:
    """A step with a question.

    Attributes:
        kind: the kind of question.
            "valid": is the formula true at every world of the law?
            "true": is it true at the actual world (or at `world`)?
            "goal": the same; if it is not true, the reason is always given.
            "expect": the same; if it is not true, the file is wrong.
            "where": at which worlds is it true? The answer has a formula, the number of worlds,
                and the first few.
            "count": at how many worlds is it true?
            "knows": what does `agent` know of `atoms`? The answer is its sheet.
            "how": how probable is the formula to `agent`, given `given`?
            "expected": what value of a number does `agent` expect? See `terms`.
            "entropy": how much does `agent` not know of `atoms`, in bits?
            "contract": how many worlds are there up to bisimilarity?
            "plan": after which of `candidates`, in which order, is the formula true?
            "protocol": after which announcement by `agent` is the formula true at every world?
        formula: the formula of the question; `true` if there is none.
        text: the question as written, including the word for its kind.
        place: the place of the step in the text.
        agent: the agent, for questions about an agent.
        atoms: the atoms that the question is about; None for all.
        world: for "true", the world of the question instead of the actual world: values for the
            fluents of the first structure. All events so far must be possible at it.
        asked: the formula alone as written; empty if only `text` is available.
        given: for "how", the condition.
        parameters: for "valid", the event that adds the numbers of `for every n`, which have any
            value at every world, and which all agents know.
        terms: for "expected", the number as a sum: pairs of a summand and the formula under which
            it counts.
        candidates: for "plan", the actions of the file.
    """

    kind: Kind
    formula: Formula = TRUE
    text: str = ""
    place: Place = field(default_factory=Place)
    agent: str | None = None
    atoms: tuple[Atom, ...] | None = None
    world: World | None = None
    asked: str = ""
    given: Formula = TRUE
    terms: tuple[tuple[int, Formula], ...] = ()
    parameters: Event | None = None
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True)
class Remark:
    """A step with a text that the file shows to its reader."""

    says: str
    text: str
    place: Place = field(default_factory=Place)


Occurring: TypeAlias = Happening | Whether | Doing
"""A step that changes the model."""

Step: TypeAlias = Occurring | Plan | Question | Remark


@dataclass(frozen=True, eq=False)
class Problem:
    """A model, and then events and questions, in order.

    Attributes:
        structure: the first structure: fluents with their domains, agents and their observables,
            and the law, each constraint with its source.
        steps: the events and questions, in order.
        actual: the actual world, a value for each fluent of the first structure; None if the
            problem has none, or several.
        actual_where: the formula for the actual worlds, if there are several.
        actual_place: the place of the actual world, or of `actual_where`, in the text.
        text: the text of the problem.
        path: the file of the problem, for messages; empty if there is none.
        hidden: the fluents without a name in the file, such as the value of a sum that an agent
            sees. They are left out when worlds are shown.
        coded: the numbers stored in binary: for each number, the Boolean fluents of its digits, the
            lowest first. These fluents are hidden.
        written: the text in the file for formulas that look different after reading: comparisons of
            numbers, and definitions.
        unnamed: the meanings, as written in the file, of the hidden fluents that are not digits.
        titles: the words for agents, where they differ from their names.
        things: the words for fluents in phrases about their values: "the month".
        words: the sentences for formulas of the file, and for their negations.
    """

    structure: KnowledgeStructure
    steps: tuple[Step, ...] = ()
    actual: World | None = None
    text: str = ""
    path: str = ""
    hidden: frozenset[str] = frozenset()
    coded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    written: Mapping[Formula, str] = field(default_factory=dict)
    unnamed: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    things: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[Formula, tuple[str, str]] = field(default_factory=dict)
    actual_where: Formula | None = None
    actual_place: Place = field(default_factory=Place)

    def __post_init__(self) -> None:
        """Raise `InputError` if `structure` is not a structure, or a step is not a step."""
        checked(self.structure, KnowledgeStructure)
        if isinstance(self.steps, str) or not isinstance(self.steps, Iterable):
            raise unexpected("several, each a step", self.steps, "steps")
        object.__setattr__(self, "steps", tuple(self.steps))  # they are iterated several times
        for step in self.steps:
            if not isinstance(step, Step):
                raise unexpected("a step", step)
