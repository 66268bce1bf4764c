"""Grounding: from the contents of EPDDL files to a planning task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from symkripke.engines import engine
from symkripke.engines.explicit.frames import Truth
from symkripke.errors import TooManyWorlds
from symkripke.language import TRUE, Atom, Formula, Name, conjunction, disjunction, negation
from symkripke.language.walk import atoms as atoms_of
from symkripke.language.walk import replace_leaves
from symkripke.limits import look, need
from symkripke.model import (
    Constraint,
    Fluent,
    KnowledgeStructure,
    Perspective,
    Vocabulary,
)
from symkripke.model.listed import Arrows, ListedModel, arrows_of
from symkripke.problems.epddl.reader import (
    ActionSchema,
    EventSchema,
    Listed,
    Pair,
    Specification,
    Theory,
)
from symkripke.problems.epddl.syntax import fault
from symkripke.problems.planning.task import Action, ActionEvent, Effects, Rows, Task

MOST_WORLDS = 1_000_000
"""The maximum number of worlds of the first model."""

_AGENT = frozenset(("agent",))


def ground(read: Specification) -> Task:
    """Return the planning task of the files of a domain and a problem.

    Raises:
        ProblemError: the theory has no world, or an action does not say how an agent observes it.
        TooManyWorlds: the first model has more than `MOST_WORLDS` worlds.
    """
    assert read.init is not None
    assert read.init_node is not None
    agents = tuple(read.names.entities_of(_AGENT))
    facts = {}
    fluents = []
    for name, predicate in read.names.predicates.items():
        for binding in read.names.bindings(predicate.parameters):
            atom = Atom(Name(name, tuple(binding.values())))
            if predicate.is_fact:
                facts[atom] = atom in read.facts
            else:
                fluents.append(atom)
    if isinstance(read.init, Theory):
        start = theory_model(read.init, fluents, agents)
        names = tuple(f"w{number}" for number in range(start.size))
    else:
        start, names = listed_model(read.init, fluents, agents), read.init.worlds
    if not start.worlds:
        raise fault("no world satisfies the common knowledge of this theory", read.init_node)
    if not start.designated:
        raise fault(
            "no world of this theory satisfies the formulas without [C. All]", read.init_node
        )
    actions = {action.name: action for action in _actions(read, agents)}
    return Task(
        read.problem,
        read.domain,
        read.libraries,
        read.requirements,
        agents,
        facts,
        start,
        names,
        actions,
        read.goal,
    )


# ---- actions ----------------------------------------------------------------------------------


def _actions(read: Specification, agents: Sequence[str]) -> Iterable[Action]:
    for schema in read.actions.values():
        relations = {}
        for kind, pairs in schema.kind.relations.items():
            relations[kind] = _rows(schema.kind.events, pairs)
        designated = tuple(map(schema.kind.events.index, schema.kind.designated))
        for binding in schema.bindings({}):
            look()
            name = "_".join([str(schema.name), *binding.values()])
            events = tuple(_event(event, arguments(binding)) for event, arguments in schema.events)
            observability = _observability(schema, name, binding, agents)
            yield Action(name, str(schema.kind.name), events, designated, relations, observability)


def _rows(events: Sequence[str], pairs: Iterable[Pair]) -> Rows:
    rows: list[set[int]] = [set() for _ in events]
    for first, second in pairs:
        rows[events.index(first)].add(events.index(second))
    return tuple(map(frozenset, rows))


def _event(event: EventSchema, arguments: Sequence[str]) -> ActionEvent:
    names = [str(name) for name, _ in event.parameters]
    binding = dict(zip(names, arguments, strict=True))
    effects: Effects = {}
    if event.effects is not None:
        true: dict[Atom, list[Formula]] = {}
        false: dict[Atom, list[Formula]] = {}
        for row in event.effects(binding):
            for atom, becomes_true, becomes_false in row:
                true.setdefault(atom, []).append(becomes_true)
                false.setdefault(atom, []).append(becomes_false)
        effects = {
            atom: disjunction(
                [*true[atom], conjunction([atom, negation(disjunction(false[atom]))])]
            )
            for atom in true
        }
    return ActionEvent(str(event.name), event.precondition(binding), effects)


def _observability(
    schema: ActionSchema, name: str, binding: Mapping[str, str], agents: Sequence[str]
) -> dict[str, tuple[tuple[str, Formula], ...]]:
    """Return the observability types of each agent, with their conditions."""
    if schema.observers is None:
        return {agent: (("Fully", TRUE),) for agent in agents}
    default: str | None = None
    found: dict[str, dict[str | None, Formula]] = {}
    for agent, cases in schema.observers(binding):
        if agent is None:
            if default is not None:
                raise fault(f"{name}: the default observability is given twice", schema.name)
            default = cases[0][1]
            continue
        for condition, kind in cases:
            if found.setdefault(agent, {}).setdefault(kind, condition) is not condition:
                raise fault(
                    f"{name}: the observability type {kind or 'by default'} of {agent} is given "
                    "twice, with different conditions",
                    schema.name,
                )
    observability = {}
    for agent in agents:
        kinds = found.get(agent, {None: TRUE})
        if None in kinds and default is None:
            raise fault(
                f"{name}: expected how {agent} observes it, in all cases; for example "
                "(default Fully)",
                schema.name,
            )
        observability[agent] = tuple(
            (kind or str(default), condition) for kind, condition in kinds.items()
        )
    return observability


# ---- the first model --------------------------------------------------------------------------


def listed_model(init: Listed, fluents: Sequence[Atom], agents: Sequence[str]) -> ListedModel:
    """Return the model of an initial state that is listed world by world."""
    number = {world: place for place, world in enumerate(init.worlds)}
    truth = dict.fromkeys(fluents, 0)
    for name, label in init.labels.items():
        for atom in label:
            if atom in truth:
                truth[atom] |= 1 << number[name]
    arrows: dict[str, Arrows] = {}
    for agent in agents:
        targets = [0] * len(number)
        for source, target in init.relations.get(agent, ()):
            targets[number[source]] |= 1 << number[target]
        arrows[agent] = arrows_of(targets)
    designated = sum(1 << number[world] for world in set(init.designated))
    whole = (1 << len(init.worlds)) - 1
    return ListedModel(len(init.worlds), whole, designated, truth, arrows)


def theory_model(theory: Theory, fluents: Sequence[Atom], agents: Sequence[str]) -> ListedModel:
    """Return the model of a finitary S5 theory.

    The sat engine lists the valuations of the fluents in the law. Each other fluent doubles the
    number of worlds. Without worlds, or without designated ones, the sets are empty.
    """
    law = conjunction(theory.law)
    named = set(atoms_of(law))
    bound = [fluent for fluent in fluents if fluent in named]
    free = [fluent for fluent in fluents if fluent not in named]
    valuations = _valuations(law, bound)
    size = len(valuations)
    if size << len(free) > MOST_WORLDS:
        raise TooManyWorlds(
            f"the initial state has {size:,} * 2^{len(free)} worlds, more than {MOST_WORLDS:,}: "
            f"the common knowledge does not mention {len(free)} atoms"
        )
    truth = dict.fromkeys(fluents, 0)
    for place, valuation in enumerate(valuations):
        for atom in valuation:
            truth[atom] |= 1 << place
    for fluent in free:
        for atom, worlds in truth.items():
            truth[atom] = worlds | worlds << size
        truth[fluent] = ((1 << size) - 1) << size
        size *= 2
    whole = (1 << size) - 1
    at = Truth(ListedModel(size, whole, whole, truth, {}))
    arrows = {}
    for agent in agents:
        cells = [whole] if size else []
        for formula in theory.observed.get(agent, ()):
            true = at(formula)
            need(2 * len(cells) * size // 8)
            cells = [part for cell in cells for part in (cell & true, cell & ~true) if part]
        arrows[agent] = tuple((cell, cell) for cell in cells)
    return ListedModel(size, whole, at(conjunction(theory.actual)), truth, arrows)


def _valuations(law: Formula, fluents: Sequence[Atom]) -> list[frozenset[Atom]]:
    """Return the sets of true fluents that satisfy the law, in a fixed order."""
    if not fluents:
        return [frozenset()] if law is TRUE else []
    # The names of EPDDL may have hyphens, which our names cannot.
    plain: dict[Formula, Atom] = {atom: Atom(f"p{place}") for place, atom in enumerate(fluents)}
    stated = replace_leaves(law, lambda leaf: plain.get(leaf, leaf))
    observer = "observer"
    structure = KnowledgeStructure.of(
        Vocabulary.of([Fluent(atom.fluent) for atom in plain.values()], (observer,)),
        [Constraint(stated, "the common knowledge")],
        {},
    )
    sat = engine("sat")
    if sat.witness(structure, TRUE) is None:
        return []
    nobody = Perspective(structure, observer, frozenset())
    found = sat.possibilities(nobody, list(plain.values()), MOST_WORLDS)
    back = dict(zip(plain.values(), fluents, strict=True))
    valuations = [frozenset(back[short] for short in true) for true in found]
    return sorted(valuations, key=lambda true: [atom not in true for atom in fluents])
