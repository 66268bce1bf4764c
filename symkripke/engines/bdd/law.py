"""The law of a structure as a diagram: worlds as valuations, and the additions of a stage.

A world is a valuation. A fluent with two values, such as a Boolean fluent, is one variable. A
fluent with more values has a variable for each value, exactly one of which is true. Agents
therefore always observe variables, and the variables that an agent does not observe can be
quantified out. A fluent with one value has no variable. The order is that of the vocabulary. The
fluents of an event are placed below the last variable that a constraint of the event ties them to,
and a new version below the previous version. New fluents are thus close to the variables on which
they depend, which keeps diagrams small.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field
from functools import cached_property
from typing import TypeAlias
from weakref import WeakKeyDictionary

from symkripke import limits
from symkripke.engines.bdd.batch_knowledge import BatchKnowledge, KnowledgeQueries
from symkripke.engines.bdd.diagram import Diagrams, Literal
from symkripke.engines.bdd.interruptible import Diagram, both
from symkripke.engines.bdd.tuning import BddTuning
from symkripke.engines.caches import LRUCache
from symkripke.language import formulas as f
from symkripke.language.walk import atoms
from symkripke.limits import check
from symkripke.model import Fluent, KnowledgeStructure, Perspective, World
from symkripke.records import dataclass

Literals: TypeAlias = frozenset[Literal]
"""Given literals; only worlds at which they are true matter."""

NOTHING: Literals = frozenset()

Block: TypeAlias = tuple[tuple[str, ...], tuple[int, ...]]
"""The values of a fluent, and its variables."""


@dataclass(eq=False)
class Stage:
    """The data of one structure, without a reference that would keep the structure alive.

    Attributes:
        blocks: for each fluent, its values and its variables.
        observed: for each agent, the variables that it observes.
        facts: a cache of the worlds at which facts are true. It is shared with the previous stage
            if there are no new fluents.
        added: the additions of the stage to the law, including the domains of its new fluents.
        small: whether the whole law has few nodes; None if this is not known yet.
        hidden: for groups of agents, the variables that no member observes, as a cube. It is shared
            with the previous stage if observations are unchanged.
        queries: prepared queries for formulas about the knowledge of many agents, shared like
            `hidden`.
    """

    blocks: dict[str, Block]
    observed: dict[str, frozenset[int]]
    facts: LRUCache[f.Formula, Diagram]
    added: list[Diagram] = field(default_factory=list)
    small: bool | None = None
    hidden: dict[frozenset[str], Diagram] = field(default_factory=dict)
    queries: WeakKeyDictionary[f.Formula, KnowledgeQueries] = field(
        default_factory=WeakKeyDictionary
    )

    @cached_property
    def variables(self) -> frozenset[int]:
        """The variables of all fluents."""
        return frozenset(v for _, block in self.blocks.values() for v in block)

    def variables_of(self, names: Iterable[str]) -> frozenset[int]:
        """Return the variables of these fluents."""
        return frozenset(v for name in names for v in self.blocks[name][1])

    def literal(self, atom: f.Atom) -> Literal | bool:
        """Return the literal of a resolved atom; True for the only value of a fluent."""
        values, block = self.blocks[atom.fluent]
        place = values.index(atom.value)
        if not block:
            return True
        if len(values) == 2:
            return block[0] + 1 if place else -block[0] - 1
        return block[place] + 1


class Encoding:
    """The worlds of a family of structures as valuations.

    The structures of a family come from one first structure. They share variables and nodes.

    Attributes:
        tuning: the settings of the engine.
        sets: a cache of the worlds of a stage at which a formula is true.
    """

    def __init__(
        self, max_nodes: int, tuning: BddTuning | None = None, *, small: bool = False
    ) -> None:
        """Create diagrams of at most `max_nodes` nodes; `small` means that few are expected."""
        self.tuning = tuning = tuning or BddTuning()
        self.diagrams = Diagrams(max_nodes, tuning, small=small)
        self.stages: WeakKeyDictionary[KnowledgeStructure, Stage] = WeakKeyDictionary()
        self._blocks: dict[tuple[str, tuple[str, ...]], tuple[int, ...]] = {}
        self.batch = BatchKnowledge(self.diagrams, tuning)
        # Avoids rebuilding the law, event by event.
        self._laws: LRUCache[tuple[Stage, Literals], Diagram] = LRUCache(tuning.laws)
        # The literals and the set of the last world. Questions at a scene need both repeatedly.
        # With six players of Perudo, computing the literals takes a fifth of the time, and
        # computing the set a third.
        self._point: tuple[dict[str, Block], World, Literals] | None = None
        self._cube: tuple[Literals, Diagram] | None = None
        # An answer and its counter-world need the same sets. For 120 muddy children, this cache
        # saves a quarter of the time.
        self.sets: LRUCache[tuple[Stage, f.Formula], Diagram] = LRUCache(tuning.sets)

    # ---- stages ---------------------------------------------------------------------------

    def open(self, structure: KnowledgeStructure) -> Stage:
        """Return a new stage for `structure`, with variables and domains for its new fluents.

        The stage of the previous structure must be open; data is shared with it if possible.
        """
        earlier = structure.history.before
        before = None if earlier is None else self.stages[earlier]
        blocks = {} if before is None else before.blocks
        fluents = structure.vocabulary.fluents
        domains = []
        if len(blocks) < len(fluents):
            blocks = dict(blocks)
            new = [(name, fluent) for name, fluent in fluents.items() if name not in blocks]
            with self.diagrams.gathering():
                for name, fluent in new:
                    check()
                    blocks[name] = (fluent.values, self._block(structure, fluent, blocks))
            for name, _ in new:
                block = blocks[name][1]
                if len(block) > 1:
                    parts = [self.diagrams.literal(v + 1) for v in block]
                    domains.append(self.diagrams.number("exactly", 1, parts))
        if before is not None and before.blocks is blocks:
            stage = Stage(blocks, {}, before.facts)
        else:
            stage = Stage(blocks, {}, LRUCache(self.tuning.facts))
        if domains:  # neighbours in the order have few nodes together
            stage.added.append(self.diagrams.every(domains))
        stage.observed = self._observed(structure, stage)
        if before is not None and before.blocks is blocks and before.observed == stage.observed:
            stage.hidden, stage.queries = before.hidden, before.queries
        return stage

    def reserve(self, structures: Sequence[KnowledgeStructure]) -> None:
        """Create the variables of all new fluents of consecutive structures in one step.

        Reordering variables takes a pass over all nodes, so it is done only once.
        """
        before = structures[0].history.before
        blocks = {} if before is None else dict(self.stages[before].blocks)
        with self.diagrams.gathering():
            for structure in structures:
                fluents = structure.vocabulary.fluents
                if len(blocks) < len(fluents):
                    for name in [name for name in fluents if name not in blocks]:
                        check()
                        fluent = fluents[name]
                        blocks[name] = (fluent.values, self._block(structure, fluent, blocks))

    def _observed(self, structure: KnowledgeStructure, stage: Stage) -> dict[str, frozenset[int]]:
        """Return the variables that each agent observes; the previous object if unchanged."""
        earlier = structure.history.before
        before: dict[str, frozenset[int]] = {}
        if earlier is not None:
            before = self.stages[earlier].observed
            if structure.observables is earlier.observables:
                return before
        observed: dict[str, frozenset[int]] = {}
        variables: dict[f.Atom, int | None] = {}  # many agents observe the same atoms
        for agent, seen in structure.observables.items():
            if earlier is not None and seen is earlier.observables[agent]:
                observed[agent] = before[agent]
                continue
            asked = [observable.atom for observable in seen]
            for atom in asked:
                if atom not in variables:
                    check()
                    literal = stage.literal(atom)
                    variables[atom] = None if isinstance(literal, bool) else abs(literal) - 1
            used = {variables[atom] for atom in asked}
            observed[agent] = frozenset(v for v in used if v is not None)
        return observed

    def _block(
        self,
        structure: KnowledgeStructure,
        fluent: Fluent,
        blocks: dict[str, Block],
    ) -> tuple[int, ...]:
        """Return the variables of a fluent: existing ones from another branch, or new ones."""
        key = (fluent.name, fluent.values)
        if key not in self._blocks:
            number = {1: 0, 2: 1}.get(len(fluent.values), len(fluent.values))
            apart = None if structure.history.before is None else _apart(structure, fluent, blocks)
            if apart is not None:
                self._blocks[key] = self.diagrams.spread(apart)
            else:
                near = None
                if structure.history.before is not None:
                    near = [v for name in _ties(structure, fluent, blocks) for v in blocks[name][1]]
                self._blocks[key] = self.diagrams.add(number, near)
        return self._blocks[key]

    def hidden(self, stage: Stage, group: Iterable[str]) -> Diagram:
        """Return the variables that no member of the group observes, as a cube."""
        members = frozenset(group)
        if members not in stage.hidden:
            seen = frozenset[int]().union(*(stage.observed[agent] for agent in members))
            stage.hidden[members] = self._all_but(stage, seen)
        return stage.hidden[members]

    def _all_but(self, stage: Stage, left_out: Set[int]) -> Diagram:
        """Return all variables except `left_out`, as a cube."""
        if not left_out or len(left_out) > len(stage.variables) // 2:
            return self.diagrams.cube_of(stage.variables - left_out)
        # Quantifying a cached cube takes one operation.
        return self.hidden(stage, ()).exists(self.diagrams.cube_of(left_out))

    # ---- worlds ---------------------------------------------------------------------------

    def atom(self, stage: Stage, atom: f.Atom) -> Diagram:
        """Return the valuations at which the atom is true."""
        literal = stage.literal(atom)
        return self.diagrams.true if literal is True else self.diagrams.literal(literal)

    def seen(self, stage: Stage, perspective: Perspective) -> Literals:
        """Return the literals that the agent has seen."""
        literals = []
        for observable, truth in perspective.observation:
            literal = stage.literal(observable.atom)
            if isinstance(literal, bool):
                if literal is not truth:
                    literals.append(0)
            else:
                literals.append(literal if truth else -literal)
        return frozenset(literals)

    def point(self, stage: Stage, world: World) -> Literals:
        """Return all literals that are true at a world, which must have a value for each fluent."""
        last = self._point  # usually the actual world, which many events do not change
        if last is not None and last[0] is stage.blocks and last[1] == world:
            return last[2]
        literals = []
        for name, (values, block) in stage.blocks.items():
            value = world[name]
            if len(block) == 1:
                literals.append(block[0] + 1 if value == values[1] else -block[0] - 1)
            else:
                literals.extend(
                    v + 1 if value == possible else -v - 1
                    for v, possible in zip(block, values, strict=False)
                )
        self._point = stage.blocks, world, frozenset(literals)
        return self._point[2]

    def only(self, point: Literals) -> Diagram:
        """Return the set with the single world that these literals describe."""
        if self._cube is None or self._cube[0] is not point:
            self._cube = point, self.diagrams.cube(point)
        return self._cube[1]

    def contains(self, stage: Stage, worlds: Diagram, world: World) -> bool:
        """Return whether `world` is one of `worlds`."""
        return worlds.eval(
            [(abs(literal) - 1, literal > 0) for literal in self.point(stage, world)]
        )

    def world(
        self, stage: Stage, true: frozenset[int], names: Iterable[str] | None = None
    ) -> World:
        """Return the world in which exactly these variables are true.

        With `names`, return the values of these fluents only.
        """
        world = {}
        for name in stage.blocks if names is None else names:
            values, block = stage.blocks[name]
            if len(block) > 1:
                place = next(place for place, v in enumerate(block) if v in true)
            else:
                place = int(bool(block) and block[0] in true)
            world[name] = values[place]
        return world

    def literal(self, stage: Stage, atom: f.Formula) -> Literal | bool:
        """Return the literal of a resolved atom, which may be negated or publicly known."""
        if isinstance(atom, f.Constant):
            return atom.value
        if isinstance(atom, f.Not):
            inner = self.literal(stage, atom.operand)
            return not inner if isinstance(inner, bool) else -inner
        assert isinstance(atom, f.Atom)
        return stage.literal(atom)

    def others(self, stage: Stage, literals: Iterable[Literal | bool]) -> Diagram:
        """Return all variables except those of these literals, as a cube."""
        asked = {abs(literal) - 1 for literal in literals if not isinstance(literal, bool)}
        return self._all_but(stage, asked & stage.variables)

    # ---- the law --------------------------------------------------------------------------

    def law(self, structure: KnowledgeStructure, given: Literals) -> Diagram:
        """Return the worlds of the law at which `given` is true. All stages must be open.

        `given` is added first, to keep the diagram small. The diagram is built on the law of an
        earlier stage with the same literals.
        """
        law = self._laws.get((self.stages[structure], given))
        if law is not None:
            return law
        new: list[KnowledgeStructure] = []
        stage: KnowledgeStructure | None = structure
        while law is None and stage is not None:
            law = self._laws.get((self.stages[stage], self._old(stage, given)))
            if law is None and self.stages[stage].small:
                law = self._laws.get((self.stages[stage], NOTHING))
            if law is None:
                new.append(stage)
                stage = stage.history.before
        cube = self.diagrams.cube(given)
        law = cube if law is None else both(cube, law)
        parts = [part for following in reversed(new) for part in self.stages[following].added]
        # Literals of all new stages come first, to keep the diagram small.
        for part in sorted(parts, key=lambda part: not self.diagrams.is_cube(part)):
            limits.check()
            law = both(law, part)
        return self._laws.put((self.stages[structure], given), law)

    def is_small(self, structure: KnowledgeStructure) -> bool:
        """Return whether the whole law has few nodes; if so, build it."""
        stage = self.stages[structure]
        new: list[KnowledgeStructure] = []
        earlier: KnowledgeStructure | None = structure
        while earlier is not None and self.stages[earlier].small is None:
            new.append(earlier)
            earlier = earlier.history.before
        small = earlier is None or bool(self.stages[earlier].small)
        for following in reversed(new):
            small = small and self._try(following)
            self.stages[following].small = small
        return bool(stage.small)

    def _small(self, variables: int) -> int:
        """Return the maximum number of nodes of a small law.

        It grows with the square of the number of variables, so that a law that only counts
        variables is small.
        """
        return max(self.tuning.small_law, min(self.tuning.small_law_of_many, variables**2 // 2))

    def _try(self, structure: KnowledgeStructure) -> bool:
        """Build the whole law on the previous stage's law; return False if it becomes large."""
        before = structure.history.before
        law = self.diagrams.true if before is None else self.law(before, NOTHING)
        most = self._small(len(self.stages[structure].variables))
        for part in self.stages[structure].added:
            limits.check()
            law = both(law, part)
            if law.node_count() > most:
                return False
        self._laws.put((self.stages[structure], NOTHING), law)
        return True

    def _old(self, structure: KnowledgeStructure, given: Literals) -> Literals:
        """Return the literals of `given` that are about variables of this structure's stage."""
        variables = self.stages[structure].variables
        return frozenset(literal for literal in given if abs(literal) - 1 in variables)


def _ties(structure: KnowledgeStructure, fluent: Fluent, known: Container[str]) -> Iterator[str]:
    """Yield the fluents that a new fluent should follow in the order.

    These are its previous version, or the known fluents that constraints tie it to.
    """
    name, before = fluent.name, structure.history.before
    if name.is_version and before is not None:
        yield before.resolver.last_variable(name.plain)
        return
    for constraint in structure.law.added:
        fluents = {atom.fluent for atom in atoms(constraint.formula)}
        if fluent.name in fluents:
            yield from (other for other in fluents if other in known)


def _apart(
    structure: KnowledgeStructure, fluent: Fluent, blocks: Mapping[str, Block]
) -> list[list[int]] | None:
    """Return, for each value of a new fluent, the variables below which its variable is placed.

    If each value is tied to other variables ("if the rope was shown, she holds the rope"), the
    variable of the value is placed below these. A diagram then only has to record whether the value
    has occurred. Return None if all variables of the fluent are to be adjacent.
    """
    if len(fluent.values) < 3 or fluent.name.is_version:
        return None
    groups: dict[str, list[int]] = {}
    for constraint in structure.law.added:
        formula = constraint.formula
        for part in formula.operands if isinstance(formula, f.And) else (formula,):
            check()
            mentioned = atoms(part)
            own = [atom for atom in mentioned if atom.fluent == fluent.name]
            if len(own) == 1:
                others = [atom for atom in mentioned if atom.fluent in blocks]
                groups.setdefault(own[0].value, []).extend(
                    v for atom in others for v in _variables(blocks[atom.fluent], atom.value)
                )
    near = [groups.get(value, []) for value in fluent.values]
    return near if all(near) else None


def _variables(block: Block, value: str) -> tuple[int, ...]:
    """Return the variable of a value; a fluent with two values has only one variable."""
    values, variables = block
    return variables[values.index(value) :][:1] if len(variables) > 1 else variables
