"""Random action models, whose events agents may observe completely, in part or not at all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from symkripke.language import TRUE
from symkripke.language import formulas as f
from symkripke.model import (
    ABOVE_ALL,
    NOTHING,
    WHICH,
    ActionModel,
    Fluent,
    Observable,
    PossibleEvent,
    Postcondition,
    Sees,
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
"""The operators of formulas in actions, including knowledge and belief."""

PARTS = ("fluents", "observes", "soft", "rank")
"""The optional parts of an action."""

EVENTS = ("a", "b", "call(ann, bob)")


def random_action(
    choices: Choices,
    names: Names,
    place: int,
    *,
    modal: Sequence[str] = MODAL,
    parts: Collection[str] = PARTS,
) -> ActionModel:
    """Return an action that can be stated where these names are known.

    Args:
        choices: the source of random decisions.
        names: the names that its formulas may use.
        place: its index in the history, for its name and the names of new fluents.
        modal: the modal operators that its formulas may have.
        parts: the parts of `PARTS` that it may have. A problem file can state only the rank.
    """
    own: tuple[Fluent, ...] = ()
    if "fluents" in parts and choices.integer(0, 3) == 3:
        own = (
            Fluent(f"own({place})", COLOURS[:2])
            if choices.integer(0, 1)
            else Fluent(f"own({place})"),
        )
    wide = replace(names, fluents=(*names.fluents, *own))

    def condition() -> f.Formula:
        operators = modal if choices.integer(0, 2) == 2 else BOOLEAN
        # A reader may simplify constants. Then a condition could no longer be false, and nobody
        # could miss the action.
        usual = [operator for operator in operators if operator != "constant"]
        return random_formula(choices, wide, choices.integer(0, 2), usual)

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
        if not choices.integer(0, 1):
            sees[agent] = how()
        else:
            sees[agent] = [(condition(), how()) for _ in range(choices.integer(1, 2))]
    observes: dict[str, list[Observable]] = {}
    if "observes" in parts and choices.integer(0, 1):
        atoms = [atom for fluent in wide.versions for atom in fluent.atoms]
        for agent in some(choices, names.agents, 1, 3):
            seen = some(choices, atoms, 1, 3)
            observes[agent] = [Observable(atom, f"action {place}") for atom in seen]
    rank = ABOVE_ALL
    if "rank" in parts and choices.integer(0, 2) == 2:
        rank = choices.integer(0, 2)
    soft = random_soft(choices, wide, 1) if "soft" in parts and choices.integer(0, 2) == 2 else ()
    return ActionModel(
        f"action {place}",
        events,
        sees,
        choices.one_of((NOTHING, NOTHING, WHICH)),
        actual=EVENTS[:1] if number > 1 and choices.integer(0, 3) == 3 else None,
        fluents=own,
        observes=observes,
        soft=soft,
        rank=rank,
        name=f"act{place}",
    )


def random_postcondition(
    choices: Choices, fluent: Fluent, condition: Callable[[], f.Formula]
) -> Postcondition:
    """Draw a postcondition: a new value, the truth of a formula, or values by cases."""
    kind = choices.integer(0, 2)
    if kind == 0:
        return Postcondition(fluent.name, choices.one_of(fluent.values))
    if kind == 1 and fluent.is_boolean:
        return Postcondition(fluent.name, condition())
    values = some(choices, fluent.values, 1, 2)
    return Postcondition(fluent.name, [(value, condition()) for value in values])
