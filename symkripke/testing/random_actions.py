"""Random action models: events with conditions and changes, seen by some, in part, or by nobody."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symkripke.language import TRUE
from symkripke.language import formulas as f
from symkripke.model import (
    ABOVE_ALL,
    NOTHING,
    WHICH,
    ActionModel,
    Fluent,
    KnowledgeStructure,
    Observable,
    PossibleEvent,
    Postcondition,
    Sees,
    Soft,
    that,
)
from symkripke.testing.random_models import (
    BELIEF,
    BOOLEAN,
    COLOURS,
    KNOWLEDGE,
    Choices,
    Names,
    random_formula,
    random_soft,
    some,
)

MODAL = (*BOOLEAN, *KNOWLEDGE, "C", *BELIEF)
"""The operators of what actions say about knowledge and belief."""

EVENTS = ("a", "b", "call(ann, bob)")


def plain_names(structure: KnowledgeStructure) -> Names:
    """The names that formulas about a structure may use: all but those that actions added."""
    fluents = structure.vocabulary.fluents.items()
    made_up = structure.traces.made_up
    return Names(
        tuple(fluent for name, fluent in fluents if "#" not in name and name not in made_up),
        structure.agents,
    )


def random_action(
    choices: Choices,
    structure: KnowledgeStructure,
    place: int,
    *,
    modal: Sequence[str] = MODAL,
    plain: bool = False,
) -> ActionModel:
    """An action that can be stated at a structure.

    Args:
        choices: where decisions come from.
        structure: the structure before it.
        place: its place in the history, for the names of new fluents.
        modal: the modal operators that its formulas may have.
        plain: whether the action has no soft constraints of its own, and the rank `ABOVE_ALL`.
    """
    names = plain_names(structure)
    own: tuple[Fluent, ...] = ()
    if not choices.integer(0, 3):
        own = (
            Fluent(f"own({place})", COLOURS[:2])
            if choices.integer(0, 1)
            else Fluent(f"own({place})"),
        )
    wide = Names((*names.fluents, *own), names.agents)

    def condition() -> f.Formula:
        operators = modal if not choices.integer(0, 2) else BOOLEAN
        return random_formula(choices, wide, choices.integer(0, 2), operators)

    changing = some(choices, names.fluents, 0, 2)
    number = choices.one_of((1, 1, 2, 3))
    events = [
        PossibleEvent(
            name,
            TRUE if not choices.integer(0, 3) else condition(),
            [
                random_postcondition(choices, fluent, condition)
                for fluent in changing
                if choices.integer(0, 2)
            ],
        )
        for name in EVENTS[:number]
    ]

    def how() -> Sees:
        kind = choices.one_of(("which", "nothing", "that", "which"))
        if kind == "that":
            return that(EVENTS[: choices.integer(1, number)]) if choices.integer(0, 1) else that()
        return WHICH if kind == "which" else NOTHING

    sees: dict[str, Sees | list[tuple[f.Formula, Sees]]] = {}
    for agent in some(choices, names.agents, 1, 3):
        if choices.integer(0, 1):
            sees[agent] = how()
        else:
            sees[agent] = [(condition(), how()) for _ in range(choices.integer(1, 2))]
    atoms = [atom for fluent in own or names.fluents[:1] for atom in fluent.atoms]
    observes = {
        agent: [Observable(atom, f"action {place}") for atom in some(choices, atoms, 1, 2)]
        for agent in some(choices, names.agents, 0, 2)
        if not choices.integer(0, 2)
    }
    rank, soft = ABOVE_ALL, tuple[Soft, ...]()
    if not plain and not choices.integer(0, 2):
        rank = choices.integer(-1, 2)
        soft = random_soft(choices, wide, 1)
    return ActionModel(
        f"action {place}",
        events,
        sees,
        choices.one_of((NOTHING, NOTHING, WHICH)),
        fluents=own,
        observes=observes,
        soft=soft,
        rank=rank,
    )


def random_postcondition(
    choices: Choices, fluent: Fluent, condition: Callable[[], f.Formula]
) -> Postcondition:
    """A new value, or the truth of a formula, or values by cases."""
    kind = choices.integer(0, 2)
    if kind == 0:
        return Postcondition(fluent.name, choices.one_of(fluent.values))
    if kind == 1 and fluent.is_boolean:
        return Postcondition(fluent.name, condition())
    values = some(choices, fluent.values, 1, 2)
    return Postcondition(fluent.name, [(value, condition()) for value in values])
