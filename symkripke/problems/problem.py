"""A situation as it is written down: a first structure, then events and questions in order.

Whoever reads a file makes a `Problem` of it, whatever the file's format; whoever runs one
(`symkripke.problems.checker`) or writes one down need not know its format. A problem is plain,
immutable data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Final, Literal, TypeAlias

from symkripke.argument_types import checked, unexpected
from symkripke.language import Atom, Formula
from symkripke.language.formulas import TRUE
from symkripke.model import ActionModel, Event, KnowledgeStructure, Origin, World
from symkripke.records import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a text something stands: line and column, from 1."""

    line: int = 1
    column: int = 1


@dataclass(frozen=True)
class Happening:
    """A step in which something happens: an announcement, a private event, a change of facts.

    Attributes:
        event: what happens. A constraint with modal operators is about the structure before.
        text: the step as it is written.
        place: where.
        values: what the event's own fluents are at the actual world: a value, or for each possible
            value the formula (about the world before) under which it is the value. Not needed
            where the problem has no actual world.
        requires: what must be true at every world of the law before, or the step is an error:
            that a change leaves no fluent without a value.
    """

    event: Event
    text: str
    place: Place = field(default_factory=Place)
    values: Mapping[str, str | tuple[tuple[str, Formula], ...]] = field(default_factory=dict)
    requires: Formula = TRUE


@dataclass(frozen=True)
class Whether:
    """A step in which it is announced whether `formula` is true: it, or else its negation.

    Which one, the actual world decides; a problem without one cannot have this step.

    Attributes:
        formula: the formula that is announced, or whose negation is.
        source: where it comes from.
        text: the step as it is written.
        place: where.
    """

    formula: Formula
    source: Origin
    text: str
    place: Place = field(default_factory=Place)


@dataclass(frozen=True)
class Doing:
    """A step in which an action is done that not everybody may notice.

    Attributes:
        action: the action.
        text: the step as it is written.
        place: where.
        name: the action as it is written, with the event that happens, if that is said.
        requires: what must be true at every world of the law before, or the step is an error: that
            no event that can happen leaves a fluent without a value.
    """

    action: ActionModel
    text: str
    place: Place = field(default_factory=Place)
    name: str = ""
    requires: Formula = TRUE


@dataclass(frozen=True)
class Plan:
    """A step with several actions, one after the other, up to the first impossible one.

    Attributes:
        actions: the actions.
        text: the plan as it is written.
        place: where.
    """

    actions: tuple[Doing, ...]
    text: str
    place: Place = field(default_factory=Place)


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
]
AT_ACTUAL: Final[tuple[Kind, ...]] = ("true", "goal", "expect")
"""The questions whether something is true at the actual world."""


@dataclass(frozen=True)
class Question:
    """A step in which something is asked.

    Attributes:
        kind: the kind of question.
            "valid": is the formula true at every world of the law?
            "true": is it true at the actual world (or at `world`)?
            "goal": the same; if it is not true, the reason is always given.
            "expect": the same; and if it is not true, the file is in error.
            "where": at which worlds is it true: a formula, how many, and the first few?
            "count": at how many worlds is it true?
            "knows": what does `agent` know of `atoms`: its sheet?
            "how": how probable is the formula to `agent`, given `given`?
            "expected": what value of a number does `agent` expect: see `terms`.
            "entropy": how much does `agent` not know of `atoms`, in bits?
            "contract": how many worlds are there up to bisimilarity?
        formula: what it is about; `true` where it is about no formula.
        text: the question as it is written, with the word that says its kind.
        place: where.
        agent: the agent, for questions about an agent.
        atoms: the atoms that the question is about; None for all.
        world: of "true", the world that is asked about instead of the actual one: values for the
            fluents of the first structure. What happened must be possible at it.
        asked: the formula alone as it is written; empty if nothing is written but `text`.
        given: the condition of "how".
        terms: of "expected", the number as a sum: of each number where its formula is true.
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


@dataclass(frozen=True)
class Remark:
    """A step with a text that the file shows to its reader."""

    says: str
    text: str
    place: Place = field(default_factory=Place)


Occurring: TypeAlias = Happening | Whether | Doing
"""A step after which the model is another one."""

Step: TypeAlias = Occurring | Plan | Question | Remark


@dataclass(frozen=True, eq=False)
class Problem:
    """A situation, then its events and questions, in order.

    Attributes:
        structure: the first structure: fluents with their domains, agents and their observables,
            and the law, each constraint with its source.
        steps: the events and questions, in order.
        actual: the actual world, a value for each fluent of the first structure; None if the
            problem has none, or several.
        actual_where: of several actual worlds which ones they are.
        actual_place: where the text says which worlds are actual.
        text: the text that it was read from.
        path: the file that it was read from, for messages; empty if none.
        hidden: fluents that nobody named, such as the value of a sum that somebody sees: not
            shown where worlds are.
        coded: numbers that are kept in binary: for each the Boolean fluents of its digits, the
            lowest first. These are among the hidden ones.
        written: the text in the file for formulas that look different once read: comparisons of
            numbers, and definitions.
        unnamed: for hidden fluents that are no digits, their meaning, as the file writes it.
        titles: the words for agents whose names in the text are different.
        things: the words for fluents, where their values are mentioned: "the month".
        words: for formulas of the file two sentences: for it and for its negation.
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
        """Raise `InputError` if `structure` is no structure, or a step no step."""
        checked(self.structure, KnowledgeStructure)
        if isinstance(self.steps, str) or not isinstance(self.steps, Iterable):
            raise unexpected("several, each a step", self.steps, "steps")
        object.__setattr__(self, "steps", tuple(self.steps))  # they are read several times
        for step in self.steps:
            if not isinstance(step, Step):
                raise unexpected("a step", step)
