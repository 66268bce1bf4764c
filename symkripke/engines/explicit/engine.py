"""The explicit engine: lists every world, and answers by looking at all of them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from weakref import WeakKeyDictionary

import numpy as np

from symkripke.engines.asked import perspective_asked
from symkripke.engines.clock import Deadline
from symkripke.engines.explicit.counting import (
    different,
    draw,
    joint,
    share,
    truths,
    unrolled,
    weights,
)
from symkripke.engines.explicit.explain import evidence
from symkripke.engines.explicit.model import KripkeModel
from symkripke.engines.explicit.table import Rows, Table, Vector, extend
from symkripke.engines.explicit.truth import evaluate
from symkripke.engines.markov_chain import Chain
from symkripke.engines.one_at_a_time import one_at_a_time
from symkripke.engines.one_by_one import OneByOne
from symkripke.engines.plain import without_values
from symkripke.engines.protocol import Answer, Budget, Mark, Sheet
from symkripke.engines.weighting import bits, checked, checked_request, current, named
from symkripke.errors import BudgetExceeded, ImpossibleEvent, InputError, Unsupported
from symkripke.explain.evidence import CounterWorld, Evidence, Possible
from symkripke.language import Atom, Formula, negation
from symkripke.model import Beliefs, KnowledgeStructure, Perspective, Scene, Soft, State, World


@one_at_a_time
class ExplicitEngine(OneByOne):
    """Answers from the Kripke model of a structure, listed world by world.

    Implements `symkripke.engines.protocol.Engine`, straight from the definitions: the oracle
    that other engines are tested against. Time and memory grow with the number of worlds.
    The model of a structure is kept as long as the structure is, so that an event costs only
    what it changes.
    """

    name = "explicit"

    def __init__(self, max_worlds: int = 2_000_000, weighting: str = "equal") -> None:
        """An engine that lists at most `max_worlds` worlds; else it raises `TooManyWorlds`.

        `weighting` says what worlds count (see `symkripke.engines.weighting`); raises
        `UnknownName` for none of them.
        """
        self.weighting = checked(weighting)
        if max_worlds < 1:
            raise InputError(f"expected a number of worlds of 1 or more, got {max_worlds}")
        self.max_worlds = max_worlds
        self._models: WeakKeyDictionary[KnowledgeStructure, KripkeModel] = WeakKeyDictionary()

    # ---- the model --------------------------------------------------------------------

    def model(self, structure: KnowledgeStructure, budget: Budget | None = None) -> KripkeModel:
        """The Kripke model of `structure`.

        Raises:
            TooManyWorlds: it has, or on the way to it there would be, more than `max_worlds`.
        """
        deadline = Deadline(budget)
        new: list[KnowledgeStructure] = []
        stage: KnowledgeStructure | None = structure
        while stage is not None and stage not in self._models:
            new.append(stage)
            stage = stage.before
        for following in reversed(new):
            deadline.check()
            self._models[following] = self._build(following, deadline)
        return self._models[structure]

    def _build(self, structure: KnowledgeStructure, deadline: Deadline) -> KripkeModel:
        """The model of one stage, from that of the stage before, which must be there."""
        table = Table(1, {}, {})  # one world without fluents: the empty product
        before = structure.before
        if before is not None:
            earlier = self._models[before]
            kept = np.ones(earlier.size, dtype=np.bool_)
            for constraint in structure.added:
                if constraint.is_modal:
                    kept &= self._truth(before, earlier, constraint.formula, deadline)
            table = earlier.table.where(kept)
        fluents = [
            fluent
            for name, fluent in structure.vocabulary.fluents.items()
            if name not in table.fluents
        ]
        stated = [c.formula for c in structure.added if not c.is_modal]
        table = extend(table, fluents, stated, self.max_worlds)
        weighed = None if self.weighting == "equal" else weights(structure, table)
        plausibility = {
            agent: tuple(soft.formula for soft in structure.plausibility(agent))
            for agent in structure.agents
        }
        return KripkeModel(table, structure.observables, weighed, plausibility)

    def _truth(
        self,
        structure: KnowledgeStructure,
        model: KripkeModel,
        formula: Formula,
        deadline: Deadline,
    ) -> Vector:
        return evaluate(model, without_values(structure, formula), deadline)

    @staticmethod
    def _resolved(structure: KnowledgeStructure, formula: Formula | str) -> Formula:
        stated = structure.parse(formula) if isinstance(formula, str) else formula
        return structure.resolve(stated)

    def _cell(
        self, perspective: Perspective, budget: Budget | None = None
    ) -> tuple[KripkeModel, Rows]:
        """The worlds that the agent considers possible."""
        model = self.model(perspective.structure, budget)
        return model, model.matching(perspective.observation)

    def _possible(
        self, perspective: Perspective, budget: Budget | None = None
    ) -> tuple[KripkeModel, Rows]:
        """The same; there must be one."""
        model, rows = self._cell(perspective, budget)
        if not len(rows):
            raise ImpossibleEvent(f"what {perspective.agent} has seen contradicts the law")
        return model, rows

    def _actual(self, scene: Scene) -> tuple[KripkeModel, int]:
        """The actual world's row."""
        model = self.model(scene.structure)
        row = model.row(scene.world)
        if row is None:
            raise InputError("the actual world is none of the worlds that the law allows")
        return model, row

    # ---- truth ------------------------------------------------------------------------

    def holds(self, state: State, formula: Formula | str, budget: Budget | None = None) -> Answer:
        """See `Engine.holds`."""
        deadline = Deadline(budget)
        structure = state.structure
        resolved = self._resolved(structure, formula)
        self.model(structure, budget)
        if isinstance(state, Scene):
            model, row = self._actual(state)
            rows = np.array([row], dtype=np.intp)
        else:
            model, rows = self._possible(state)
        plain = without_values(structure, resolved)
        truth = evaluate(model, plain, deadline)[rows]
        if isinstance(state, Perspective) and truth.any() != truth.all():
            raise InputError(
                f"what {state.agent} has seen does not decide {resolved}; "
                f"ask K[{state.agent}] ({resolved}) instead"
            )
        return Answer(bool(truth[0]), resolved, self.name, lambda: evidence(model, plain, rows))

    def valid(
        self, structure: KnowledgeStructure, formula: Formula | str, budget: Budget | None = None
    ) -> Answer:
        """See `Engine.valid`."""
        deadline = Deadline(budget)
        resolved = self._resolved(structure, formula)
        model = self.model(structure, budget)
        truth = self._truth(structure, model, resolved, deadline)

        def why() -> Evidence:
            if truth.all():
                raise Unsupported(
                    f"{resolved} is true at every world of the list; "
                    "the sat engine finds minimal sources"
                )
            world = model.table.world(int(np.flatnonzero(~truth)[0]))
            shown = CounterWorld((), world, negation(resolved))
            return Possible(resolved, False, (shown,))

        return Answer(bool(truth.all()), resolved, self.name, why)

    def witness(
        self,
        state: State | KnowledgeStructure,
        formula: Formula | str,
        budget: Budget | None = None,
    ) -> World | None:
        """See `Engine.witness`. Here the formula may be modal, too."""
        deadline = Deadline(budget)
        structure = state if isinstance(state, KnowledgeStructure) else state.structure
        resolved = self._resolved(structure, formula)
        model = self.model(structure, budget)
        if isinstance(state, Scene):
            model, row = self._actual(state)
            rows = np.array([row], dtype=np.intp)
        elif isinstance(state, Perspective):
            model, rows = self._cell(state)
        else:
            rows = np.arange(model.size)
        truth = self._truth(structure, model, resolved, deadline)
        found = rows[truth[rows]]
        return model.table.world(int(found[0])) if len(found) else None

    # ---- what an agent believes ---------------------------------------------------------

    def believed(self, perspective: Perspective, budget: Budget | None = None) -> Beliefs:
        """See `Engine.believed`."""
        model, rows = self._possible(perspective_asked(perspective))
        cell = model.table.select(rows)
        kept: list[Soft] = []
        given_up: list[Soft] = []
        for soft in perspective.structure.plausibility(perspective.agent):
            truth = cell.truth(soft.formula)
            (kept if truth.any() else given_up).append(soft)
            if truth.any():
                cell = cell.where(truth)
        return Beliefs(tuple(kept), tuple(given_up))

    # ---- what an agent knows ------------------------------------------------------------

    def sheet(
        self,
        perspective: Perspective,
        atoms: Iterable[Atom] | None = None,
        budget: Budget | None = None,
    ) -> Sheet:
        """See `Engine.sheet`."""
        model, rows = self._possible(perspective, budget)
        structure = perspective.structure
        asked = structure.atoms if atoms is None else tuple(atoms)
        cell = model.table.select(rows)
        marks = []
        for atom in asked:
            truth = cell.truth(structure.resolve(atom))
            marks.append(Mark.YES if truth.all() else Mark.OPEN if truth.any() else Mark.NO)
        return Sheet(perspective, asked, tuple(marks))

    def possibilities(
        self,
        perspective: Perspective,
        atoms: Sequence[Atom],
        limit: int = 100_000,
        budget: Budget | None = None,
    ) -> frozenset[frozenset[Atom]]:
        """See `Engine.possibilities`."""
        model, rows = self._cell(perspective, budget)
        cell = model.table.select(rows)
        asked = tuple(dict.fromkeys(atoms))
        truth = np.empty((cell.size, len(asked)), dtype=np.bool_)
        for place, atom in enumerate(asked):
            truth[:, place] = cell.truth(perspective.structure.resolve(atom))
        found = {bits.tobytes(): bits for bits in np.packbits(truth, axis=1)}
        if len(found) > limit:
            raise BudgetExceeded(f"there are {len(found):,} possibilities, more than {limit:,}")
        return frozenset(
            frozenset(
                atom
                for atom, bit in zip(asked, np.unpackbits(bits, count=len(asked)), strict=True)
                if bit
            )
            for bits in found.values()
        )

    # ---- counting -----------------------------------------------------------------------

    def worlds(
        self,
        state: KnowledgeStructure | Perspective,
        over: Iterable[str] | None = None,
        budget: Budget | None = None,
    ) -> int:
        """See `Engine.worlds`."""
        structure = state.structure if isinstance(state, Perspective) else state
        model = self.model(structure, budget)
        table = model.table
        if isinstance(state, Perspective):
            table = table.select(model.matching(state.observation))
        return table.size if over is None else different(table, current(structure, over))

    def probability(
        self, perspective: Perspective, formula: Formula | str, budget: Budget | None = None
    ) -> Fraction:
        """See `Engine.probability`."""
        deadline = Deadline(budget)
        structure = perspective.structure
        resolved = self._resolved(structure, formula)
        model, rows = self._possible(perspective, budget)
        return share(model, rows, self._truth(structure, model, resolved, deadline))

    def marginals(
        self, perspective: Perspective, atoms: Iterable[Atom] | None = None
    ) -> Mapping[Atom, Fraction]:
        """See `Engine.marginals`."""
        structure = perspective.structure
        model, rows = self._possible(perspective)
        asked = structure.atoms if atoms is None else tuple(atoms)
        found = truths(structure, model.table, asked)
        return {atom: share(model, rows, truth) for atom, truth in found.items()}

    def distribution(
        self, perspective: Perspective, atoms: Sequence[Atom], limit: int = 100_000
    ) -> Mapping[frozenset[Atom], Fraction]:
        """See `Engine.distribution`."""
        model, rows = self._possible(perspective)
        return joint(model, rows, truths(perspective.structure, model.table, atoms), limit)

    def entropy(
        self, perspective: Perspective, atoms: Sequence[Atom], limit: int = 100_000
    ) -> float:
        """See `Engine.entropy`."""
        return bits(self.distribution(perspective, atoms, limit).values())

    def sample(
        self,
        perspective: Perspective,
        number: int,
        chance: random.Random,
        over: Iterable[str] | None = None,
    ) -> list[World]:
        """See `Engine.sample`."""
        asked = checked_request(perspective.structure, number, over)
        model, rows = self._possible(perspective)
        worlds = [model.table.world(row) for row in draw(model, rows, number, chance)]
        return worlds if asked is None else [named(asked, world) for world in worlds]

    def stepwise(self, perspective: Perspective, names: Sequence[str]) -> Chain:
        """See `Engine.stepwise`. Here a state is all the values so far."""
        wanted = current(perspective.structure, names)
        model, rows = self._possible(perspective)
        return unrolled(model, rows, perspective.structure, wanted)
