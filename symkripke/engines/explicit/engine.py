"""The explicit engine, which lists all worlds and evaluates formulas at each of them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Self
from weakref import WeakKeyDictionary, ref

import numpy as np

from symkripke import limits
from symkripke.engines.asked import (
    check_listed,
    contradiction,
    structure_of,
    without_values,
)
from symkripke.engines.base import CountingEngine, CountingHooks, in_turn
from symkripke.engines.count.steps import Names, Order, Steps
from symkripke.engines.count.weighting import checked, of_structure
from symkripke.engines.explicit.counting import (
    different,
    draw,
    joint,
    share,
    unrolled,
    weights,
)
from symkripke.engines.explicit.explain import ExplicitExplainer
from symkripke.engines.explicit.frames import Truth
from symkripke.engines.explicit.model import KripkeModel
from symkripke.engines.explicit.product import product
from symkripke.engines.explicit.table import Rows, Table, Vector, extend
from symkripke.engines.explicit.truth import evaluate
from symkripke.engines.explicit.tuning import ExplicitTuning
from symkripke.engines.protocol import Answer, Mark
from symkripke.errors import BudgetExceeded, InputError, Unsupported
from symkripke.explain.evidence import Evidence
from symkripke.language import Atom, Formula, Implies, disjunction, parse
from symkripke.language.formulas import AfterAction
from symkripke.limits import Budget, look
from symkripke.model import (
    Beliefs,
    EpistemicState,
    KnowledgeStructure,
    MultiPointedStructure,
    Perspective,
    Soft,
    World,
)
from symkripke.model.listed import ListedModel


class ExplicitEngine(CountingEngine, CountingHooks):
    """An engine that answers from the Kripke model of a structure, listed world by world.

    It implements `symkripke.engines.protocol.Engine` directly from the definitions and is the
    oracle for testing the other engines. Time and memory grow with the number of worlds. Models of
    structures are cached, so that an event only adds its changes. When the models take too much
    memory, the oldest are evicted.
    """

    name = "explicit"

    def __init__(
        self,
        max_worlds: int = 2_000_000,
        weighting: str | None = None,
        *,
        tuning: ExplicitTuning | None = None,
    ) -> None:
        """Create an engine that raises `TooManyWorlds` above `max_worlds` worlds.

        `weighting` is the name of a weighting of worlds (see `symkripke.engines.count.weighting`).
        `tuning` contains settings that do not change answers.

        Raise `UnknownName` for an unknown weighting, and `InputError` if `max_worlds` is less than
        1.
        """
        self.weighting = checked(weighting)
        if max_worlds < 1:
            raise InputError(f"expected a number of worlds of 1 or more, got {max_worlds}")
        super().__init__()
        self.max_worlds = max_worlds
        self.tuning = tuning or ExplicitTuning()
        self._models: WeakKeyDictionary[KnowledgeStructure, KripkeModel] = WeakKeyDictionary()
        self._looks = 0
        # For each model, the number of bytes that it does not share with the previous model.
        self._sizes: WeakKeyDictionary[KnowledgeStructure, int] = WeakKeyDictionary()

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), tuning=self.tuning), (self.max_worlds, self.weighting)

    def holds(
        self,
        state: EpistemicState | MultiPointedStructure | ListedModel,
        formula: Formula | str,
        budget: Budget | None = None,
    ) -> Answer:
        """See `Reasoner.holds`. This engine also answers listed models with any relations."""
        if not isinstance(state, ListedModel):
            return super().holds(state, formula, budget)
        asked = parse(formula) if isinstance(formula, str) else formula

        def why() -> Evidence:
            raise Unsupported("there is no evidence for listed models")

        with limits.within_budget(budget):
            return Answer(Truth(state).holds(asked), asked, self.name, why)

    # ---- the model --------------------------------------------------------------------

    @in_turn
    def model(self, structure: KnowledgeStructure, budget: Budget | None = None) -> KripkeModel:
        """Return the Kripke model of `structure`.

        Raises:
            TooManyWorlds: the model, or that of an earlier stage, has more than `max_worlds`
                worlds.
        """
        check_listed(structure, "the explicit engine")
        return self._model(structure)

    def _model(self, structure: KnowledgeStructure) -> KripkeModel:
        new: list[KnowledgeStructure] = []
        stage: KnowledgeStructure | None = structure
        while stage is not None and stage not in self._models:
            new.append(stage)
            stage = _earlier(stage)
        for following in reversed(new):
            limits.check()
            self._models[following] = model = self._build(following)
            self._sizes[following] = self._own_size(following, model)
        self._looks += 1
        if new or not self._looks % self.tuning.between_sums:
            self._evict(structure)
        return self._models[structure]

    def _own_size(self, structure: KnowledgeStructure, model: KripkeModel) -> int:
        shared = set()
        before = _earlier(structure)
        if before is not None:
            shared = {id(column) for column in self._models[before].table.columns.values()}
        columns = model.table.columns.values()
        return sum(column.nbytes for column in columns if id(column) not in shared)

    def _evict(self, latest: KnowledgeStructure) -> None:
        """Evict the oldest models if all models together take too many bytes."""
        size = sum(self._sizes.values())
        size += sum(model.partitions_size for model in self._models.values())
        for structure in list(self._models):
            if size <= self.tuning.bytes:
                break
            if structure is not latest:
                size -= self._sizes.pop(structure) + self._models.pop(structure).partitions_size

    def _build(self, structure: KnowledgeStructure) -> KripkeModel:
        """Return the model of a stage, built from the model of the previous stage in the cache."""
        if structure.history.occurrence is not None:
            return self._model_of(structure, self._product(structure))
        table = Table(1, {}, {})  # one world without fluents: the empty product
        before = structure.history.before
        if before is not None:
            earlier = self._models[before]
            kept = np.ones(earlier.size, dtype=np.bool_)
            for constraint in structure.law.added:
                if constraint.is_modal:
                    kept &= self._truth_everywhere(before, constraint.formula)
            table = earlier.table.where(kept)
        fluents = [
            fluent
            for name, fluent in structure.vocabulary.fluents.items()
            if name not in table.fluents
        ]
        stated = [c.formula for c in structure.law.added if not c.is_modal]
        return self._model_of(structure, extend(table, fluents, stated, self.max_worlds))

    def _product(self, structure: KnowledgeStructure) -> Table:
        """Return the table of the worlds after an action."""
        occurrence, earlier = structure.history.occurrence, _earlier(structure)
        assert occurrence is not None
        assert earlier is not None
        names = occurrence.names

        def truth(model: KripkeModel, formula: Formula) -> Vector:
            return evaluate(model, without_values(names, names.resolve(formula)))

        return product(self._models[earlier], structure, truth, self.max_worlds)

    def _model_of(self, structure: KnowledgeStructure, table: Table) -> KripkeModel:
        """Return the model of a structure with these worlds."""
        weighting = of_structure(self.weighting, structure)
        weighed = weights(structure, table) if weighting == "bayes" else None
        plausibility = {
            agent: tuple(soft.formula for soft in structure.plausibility(agent))
            for agent in structure.agents
        }
        where = ref(structure)  # a strong reference would keep the structure alive

        def after(formula: AfterAction) -> Vector:
            here = where()
            assert here is not None
            return self._after(here, formula)

        return KripkeModel(
            table,
            structure.observables,
            weighed,
            plausibility,
            weighting == "plausible",
            after,
            self.tuning,
        )

    def _after(self, structure: KnowledgeStructure, formula: AfterAction) -> Vector:
        """Return the worlds where the formula is true after each possible event of its action."""
        after = structure.after_action(formula.action)
        asked = after.resolve(formula.then)
        if after.history.occurrence is not None:
            happened = map(after.history.occurrence.happened, formula.action.actual)
            asked = Implies(disjunction(happened), asked)
        truth = self._truth_everywhere(after, asked)
        table, pairs = self._model(structure).table, self._model(after).table
        return ~table.has(pairs.select(np.flatnonzero(~truth)))

    def _truth_everywhere(self, structure: KnowledgeStructure, formula: Formula) -> Vector:
        model = self._model(structure)
        return evaluate(model, without_values(structure, formula))

    def _rows(self, state: EpistemicState | KnowledgeStructure) -> tuple[KripkeModel, Rows]:
        """Return the model and the worlds that are possible at a state."""
        model = self._model(structure_of(state))
        if isinstance(state, KnowledgeStructure):
            return model, np.arange(model.size)
        if isinstance(state, Perspective):
            return model, model.matching(state.observation)
        row = model.row(state.world)
        if row is None:
            raise InputError("the law does not allow the actual world")
        return model, np.array([row], dtype=np.intp)

    def _possible(self, state: EpistemicState) -> tuple[KripkeModel, Rows]:
        """Return the result of `_rows`; raise an error if a perspective has no world."""
        model, rows = self._rows(state)
        if isinstance(state, Perspective) and not len(rows):
            raise contradiction(state)
        return model, rows

    def _counted(self, perspective: Perspective) -> tuple[KripkeModel, Rows]:
        """Return the model and the rows that matter for probabilities, at least one row."""
        model, rows = self._possible(perspective)
        if model.by_plausibility:
            cell = np.zeros(model.size, dtype=np.bool_)
            cell[rows] = True
            rows = np.flatnonzero(model.most_plausible(perspective.agent, cell))
        return model, rows

    # ---- truth, knowledge and belief ----------------------------------------------------

    def _truth(self, state: EpistemicState, formula: Formula) -> bool | None:
        _, rows = self._possible(state)
        truth = self._truth_everywhere(state.structure, formula)[rows]
        return bool(truth[0]) if truth.all() == truth.any() else None

    def _evidence(self, state: EpistemicState, formula: Formula) -> Evidence:
        structure = state.structure
        model, rows = self._possible(state)
        return ExplicitExplainer(structure, model).evidence(
            rows, without_values(structure, formula)
        )

    def _world(self, state: EpistemicState | KnowledgeStructure, formula: Formula) -> World | None:
        model, rows = self._rows(state)
        truth = self._truth_everywhere(structure_of(state), formula)
        world = model.table.select(rows[truth[rows]])
        return (
            world.world(int(np.lexsort([*world.columns.values()][::-1])[0])) if world.size else None
        )

    def _beliefs(self, perspective: Perspective) -> Beliefs:
        model, rows = self._possible(perspective)
        cell = model.table.select(rows)
        kept: list[Soft] = []
        given_up: list[Soft] = []
        for soft in perspective.structure.plausibility(perspective.agent):
            truth = cell.truth(soft.formula)
            (kept if truth.any() else given_up).append(soft)
            if truth.any():
                cell = cell.where(truth)
        return Beliefs(tuple(kept), tuple(given_up))

    def _marks(self, perspective: Perspective, atoms: tuple[Atom, ...]) -> Iterator[Mark]:
        model, rows = self._possible(perspective)
        cell = model.table.select(rows)
        for atom in atoms:
            truth = cell.truth(perspective.structure.resolve(atom))
            yield Mark.YES if truth.all() else Mark.OPEN if truth.any() else Mark.NO

    def _possibilities(
        self, perspective: Perspective, atoms: tuple[Atom, ...], limit: int
    ) -> frozenset[frozenset[Atom]]:
        model, rows = self._rows(perspective)
        cell = model.table.select(rows)
        truth = np.empty((cell.size, len(atoms)), dtype=np.bool_)
        for place, atom in enumerate(atoms):
            look()
            truth[:, place] = cell.truth(perspective.structure.resolve(atom))
        distinct = {bits.tobytes(): bits for bits in np.packbits(truth, axis=1)}
        if len(distinct) > limit:
            raise BudgetExceeded(f"there are {len(distinct):,} possibilities, more than {limit:,}")
        return frozenset(
            frozenset(
                atom
                for atom, bit in zip(atoms, np.unpackbits(bits, count=len(atoms)), strict=True)
                if bit
            )
            for bits in distinct.values()
        )

    # ---- counting -----------------------------------------------------------------------

    @property
    def _counting(self) -> Self:
        return self

    @property
    def _method(self) -> str:
        return "listing: every world has a row"

    def _number(
        self,
        state: KnowledgeStructure | Perspective,
        names: tuple[str, ...] | None,
    ) -> int:
        model, rows = self._rows(state)
        return len(rows) if names is None else different(model.table.select(rows), names)

    def _share(self, perspective: Perspective, formula: Formula) -> Fraction:
        model, rows = self._counted(perspective)
        return share(model, rows, self._truth_everywhere(perspective.structure, formula))

    def _marginals(
        self, perspective: Perspective, meanings: Mapping[Atom, Formula]
    ) -> Mapping[Atom, Fraction]:
        model, rows = self._counted(perspective)
        return {
            atom: share(model, rows, model.table.truth(meaning))
            for atom, meaning in meanings.items()
        }

    def _distribution(
        self, perspective: Perspective, meanings: Mapping[Atom, Formula], limit: int
    ) -> Mapping[frozenset[Atom], Fraction]:
        model, rows = self._counted(perspective)
        truths = {atom: model.table.truth(meaning) for atom, meaning in meanings.items()}
        return joint(model, rows, truths, limit)

    def _draw(
        self, perspective: Perspective, number: int, chance: random.Random, names: Sequence[str]
    ) -> list[World]:
        model, rows = self._counted(perspective)
        worlds = []
        for row in draw(model, rows, number, chance):
            look()
            worlds.append(model.table.world(row))
        return worlds

    def _steps(self, perspective: Perspective, names: Names, order: Order, merged: Names) -> Steps:
        """See `Counter.steps`. A state is the tuple of all values so far."""
        model, rows = self._counted(perspective)
        return unrolled(model, rows, perspective.structure, names)


def _earlier(structure: KnowledgeStructure) -> KnowledgeStructure | None:
    """Return the structure whose model is the basis for the model of this structure.

    For an action, this is the structure before the preparation of the action.
    """
    before = structure.history.before
    return before.history.before if before and before.history.is_preparation else before
