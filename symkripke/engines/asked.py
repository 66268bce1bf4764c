"""Reading and checking of questions to engines, and the errors that all engines share."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from symkripke.argument_types import checked_all, described, unexpected
from symkripke.errors import ImpossibleEvent, InputError, Unsupported
from symkripke.language import Formula, Kv, Kw, conjunction
from symkripke.language.walk import atoms, has_values, rewrite
from symkripke.model import (
    Change,
    EpistemicState,
    Fluent,
    KnowledgeStructure,
    Perspective,
    Scene,
    World,
    evaluate,
)
from symkripke.model.listed import ListedModel
from symkripke.model.resolver import Resolver

# The maximum number of values of a world in a message.
_SHOWN = 8


def parsed(structure: KnowledgeStructure, formula: Formula | str) -> Formula:
    """Return the formula, parsed if it is text.

    Raises:
        InputError: the value is neither a formula nor text.
    """
    if isinstance(formula, str):
        return structure.parse(formula)
    if not isinstance(formula, Formula):
        raise unexpected("a formula or its text", formula)
    return formula


def structure_of(state: EpistemicState | KnowledgeStructure) -> KnowledgeStructure:
    """Return the structure of a scene or a perspective, or the given structure."""
    return state if isinstance(state, KnowledgeStructure) else state_asked(state).structure


def check_listed(structure: KnowledgeStructure, what: str) -> None:
    """Raise `Unsupported` for a structure with numbers without bounds, which `what` cannot take."""
    if structure.vocabulary.numbers:
        raise Unsupported(f"{what} does not take numbers without bounds; the smt engine does")


def state_asked(state: EpistemicState) -> EpistemicState:
    """Return the scene or perspective; raise `Unsupported` or `InputError` for anything else."""
    if isinstance(state, Scene | Perspective):
        return state
    if isinstance(state, ListedModel):
        raise Unsupported(
            "the relations of a listed model need not be equivalences: ask the explicit engine"
        )
    raise unexpected("a scene or a perspective", state)


def without_values(structure: KnowledgeStructure | Resolver, formula: Formula) -> Formula:
    """Return the resolved `formula` with `Kv` replaced by knowledge of each "x = v"."""
    if not has_values(formula):
        return formula

    def change(part: Formula) -> Formula:
        if not isinstance(part, Kv):
            return part
        cases = (case for name in part.fluents for case in structure.fluents(name))
        return conjunction(Kw(part.agent, case) for case in cases)

    return rewrite(formula, change)


def agents_asked(agents: Iterable[str]) -> tuple[str, ...]:
    """Return the agents as a tuple; raise `InputError` for a single name."""
    if isinstance(agents, str):
        raise InputError(f"expected several agents, as in [{agents!r}], got {agents!r}")
    return checked_all(agents, str, "agents")


def perspective_asked(state: object) -> Perspective:
    """Return the perspective; raise `InputError` for anything else."""
    if isinstance(state, Perspective):
        return state
    raise InputError(
        f"expected a perspective, as scene.perspective(agent) is, got {described(state)}"
    )


def first_world(
    some: World, fluents: Iterable[Fluent], another: Callable[[list[Formula]], World | None]
) -> World:
    """Return the first world of a set, in the order of the fluents and of their values.

    The result depends only on the set, not on the engine or its earlier questions.

    Args:
        some: any world of the set.
        fluents: all fluents.
        another: a function that returns any world of the set at which the given atoms are true;
            None if there is none.
    """
    fixed: list[Formula] = []
    for fluent in fluents:
        for case, value in zip(fluent.cases, fluent.values, strict=True):
            if value != some[fluent.name]:
                world = another([*fixed, case])
                if world is None:
                    continue
                some = world
            fixed.append(case)
            break
    return some


def uncovered(
    change: Change, structure: KnowledgeStructure, required: Formula, world: World
) -> ImpossibleEvent:
    """Return the error for a change with incomplete or overlapping cases at some world."""
    cases = required.operands
    true = sum(evaluate(case, world) for case in cases)
    asked = dict.fromkeys(atom.fluent for atom in atoms(required))
    shown = ", ".join(f"{name} = {world[name]}" for name in [*asked][:_SHOWN])
    return ImpossibleEvent(
        f"expected one new value of {change.fluent} at each world, got {true} "
        f"where {shown or 'no condition holds'}",
        change.source,
    )


def no_world_left(agents: Iterable[str]) -> ImpossibleEvent:
    """Return the error for agents (if empty, anybody) that consider no world possible."""
    who = " and ".join(agents) or "anybody"
    return ImpossibleEvent(
        f"no possible world is left for {who}: the observations and announcements "
        "contradict each other"
    )


def undecided(perspective: Perspective, formula: Formula) -> InputError:
    """Return the error for a formula that has no truth value at the perspective."""
    agent = perspective.agent
    return InputError(
        f"what {agent} has seen does not decide {formula}; ask K[{agent}] ({formula}) instead"
    )


def contradiction(perspective: Perspective) -> ImpossibleEvent:
    """Return the error for a perspective whose agent considers no world possible."""
    return ImpossibleEvent(f"what {perspective.agent} has seen contradicts the law")
