"""The states of a search, in a form that identifies bisimilar states.

In a task whose relations are all equivalences, and in which no action adds worlds, a state is a
part of the first model: a set of worlds, with changed facts and cells (`MaskStates`). Two bisimilar
parts count as two states, which costs time but loses no plan.

In other tasks, a state is contracted: a frame with a label for each world (`FrameStates`). Many
states share a frame, because most actions depend on few facts. So the effect of an action on a
frame is computed once for each combination of the worlds at which its events are possible and of
the worlds with equal labels.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from symkripke.engines.explicit.frames import Contractor, Truth
from symkripke.language import Formula
from symkripke.language.walk import atoms as atoms_of
from symkripke.model.listed import Arrows, ListedEvent, ListedModel, Worlds, numbers, product
from symkripke.problems.planning.task import Action, ActionEvent, Task, Update
from symkripke.records import dataclass

Label: TypeAlias = int
"""The true atoms of a world, one bit for each."""


# ---- parts of the first model -----------------------------------------------------------------


class MaskState(NamedTuple):
    """A part of the first model."""

    key: Hashable
    model: ListedModel

    def truth(self) -> Truth:
        """Return the truth of formulas at the state."""
        return Truth(self.model)


class MaskStates:
    """The states of a task in which no action adds worlds.

    If an action adds worlds after all, the states after it are contracted.
    """

    def __init__(self, task: Task) -> None:
        """Start with the first model."""
        self._task = task
        self._frames: FrameStates | None = None
        changed = {
            atom
            for action in task.actions.values()
            for event in action.events
            for atom in event.effects
        }
        self._changing = tuple(atom for atom in task.start.truth if atom in changed)

    def first(self) -> State:
        """Return the first state."""
        return self._state(self._task.start)

    def after(self, action: Action, truth: Truth, possible: Sequence[int]) -> State:
        """Return the state after an action."""
        if isinstance(truth, FrameTruth):
            return truth.states.after(action, truth, possible)
        return self._state(action.after(truth, possible))

    def _state(self, model: ListedModel) -> State:
        start = self._task.start
        if model.size != start.size:
            if self._frames is None:
                self._frames = FrameStates(self._task)
            return self._frames.contracted(model)
        cells = tuple(
            None
            if arrows is start.arrows[agent]
            else frozenset([sources & model.worlds for sources, _ in arrows])
            for agent, arrows in model.arrows.items()
        )
        truth = tuple([model.truth[atom] & model.worlds for atom in self._changing])
        return MaskState((model.worlds, model.designated, truth, cells), model)


# ---- contracted states ------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Frame:
    """A contracted model without its labels.

    Attributes:
        number: a number that identifies it.
        model: the worlds, the designated ones and the relations.
    """

    number: int
    model: ListedModel


class FrameState(NamedTuple):
    """A frame with labels.

    Attributes:
        frame: the frame.
        labels: the label of each world.
        states: all states of the search.
    """

    frame: Frame
    labels: tuple[Label, ...]
    states: FrameStates

    @property
    def key(self) -> Hashable:
        """The number of the frame, and the labels."""
        return self.frame.number, self.labels

    def truth(self) -> FrameTruth:
        """Return the truth of formulas at the state."""
        return FrameTruth(self)


class FrameTruth(Truth):
    """The truth of formulas at a frame with labels.

    Attributes:
        state: the state.
        states: all states of the search.
    """

    __slots__ = ("state", "states")

    def __init__(self, state: FrameState) -> None:
        """Evaluate at a state."""
        super().__init__(state.frame.model)
        self.state = state
        self.states = state.states

    def _of(self, formula: Formula) -> Worlds:
        worlds = self._known.get(formula)
        if worlds is None:
            if formula.propositional:
                worlds = self.states.worlds_of(formula, self.state.labels)
            else:
                leaves = [self._of(leaf) for leaf in self.states.leaves(formula)]
                key = (formula, self.state.frame.number, *leaves)
                worlds = self.states.modal.get(key)
                if worlds is None:
                    worlds = self.states.modal[key] = super()._of(formula)
            self._known[formula] = worlds
        return worlds


class _Effect(NamedTuple):
    """The effect of an action on a frame.

    Attributes:
        frame: the frame after it.
        origin: for each world of it, the number of a pair of an event and a world before.
    """

    frame: Frame
    origin: tuple[int, ...]


class _Change(NamedTuple):
    """The effect of an event on labels.

    Attributes:
        kept: the atoms that it does not change.
        support: the atoms that the conditions of its effects mention; None if some condition is
            about knowledge.
        known: the atoms that become true, by the label restricted to these atoms.
    """

    kept: Label
    support: Label | None
    known: dict[Label, Label]


class FrameStates:
    """The contracted states of a task.

    Attributes:
        modal: the truth of modal formulas at frames, by the truth of their propositional parts.
    """

    def __init__(self, task: Task) -> None:
        """Start with empty tables."""
        self._task = task
        self._bits = {atom: 1 << place for place, atom in enumerate(task.start.truth)}
        self._contractor = Contractor()
        self._frames: dict[Hashable, Frame] = {}
        self._effects: dict[Hashable, _Effect] = {}
        self._orders: dict[tuple[int, tuple[int, ...]], _Effect] = {}
        self._tables: dict[Formula, tuple[Label, dict[Label, bool]]] = {}
        self._changes: dict[int, _Change] = {}
        self._leaves: dict[Formula, tuple[Formula, ...]] = {}
        self.modal: dict[Hashable, Worlds] = {}

    def first(self) -> FrameState:
        """Return the first state."""
        return self.contracted(self._task.start)

    def contracted(self, model: ListedModel) -> FrameState:
        """Return the state of a model."""
        labels = [0 if model.worlds >> world & 1 else -1 for world in range(model.size)]
        for atom, worlds in model.truth.items():
            bit = self._bits[atom]
            for world in numbers(worlds & model.worlds):
                labels[world] |= bit
        effect = self._contract(model, _by_label(labels))
        return self._state(effect.frame, [labels[world] for world in effect.origin])

    # ---- labels -------------------------------------------------------------------------------

    def worlds_of(self, formula: Formula, labels: Sequence[Label]) -> Worlds:
        """Return the set of worlds at which a propositional formula is true."""
        support, known = self._table(formula)
        worlds, bit = 0, 1
        for label in labels:
            true = known.get(label & support)
            if true is None:
                true = self._is_true(formula, label)
            if true:
                worlds |= bit
            bit <<= 1
        return worlds

    def _table(self, formula: Formula) -> tuple[Label, dict[Label, bool]]:
        """Return the atoms of a propositional formula, and its known truth at these atoms."""
        table = self._tables.get(formula)
        if table is None:
            table = self._tables[formula] = self._support(formula), {}
        return table

    def _support(self, *formulas: Formula) -> Label:
        """Return the atoms of some formulas."""
        return sum({self._bits[atom] for formula in formulas for atom in atoms_of(formula)})

    def _is_true(self, formula: Formula, label: Label) -> bool:
        support, known = self._table(formula)
        part = label & support
        true = known.get(part)
        if true is None:
            truth = {atom: part & bit and 1 for atom, bit in self._bits.items() if bit & support}
            true = known[part] = bool(Truth(ListedModel(1, 1, 1, truth, {}))(formula))
        return true

    def leaves(self, formula: Formula) -> tuple[Formula, ...]:
        """Return the largest propositional parts of a formula."""
        leaves = self._leaves.get(formula)
        if leaves is None:
            found: dict[Formula, None] = {}
            stack = [formula]
            while stack:
                part = stack.pop()
                if part.propositional:
                    found[part] = None
                else:
                    stack += part.operands
            leaves = self._leaves[formula] = tuple(found)
        return leaves

    # ---- actions ------------------------------------------------------------------------------

    def after(self, action: Action, truth: Truth, possible: Sequence[int]) -> FrameState:
        """Return the state after an action."""
        assert isinstance(truth, FrameTruth)
        frame = truth.state.frame
        update = action.update(truth, possible)
        places = [truth(event.precondition) for event in update.events]
        pairs = self._pairs(truth, update, places)
        pattern = _ranks(pairs)
        key = (frame.number, id(update), *places, pattern)
        effect = self._effects.get(key)
        if effect is None:
            effect = self._effects[key] = self._applied(frame, update, places, pattern)
        return self._state(effect.frame, [pairs[place] for place in effect.origin])

    def _pairs(self, truth: FrameTruth, update: Update, places: Sequence[Worlds]) -> list[Label]:
        """Return the label of each pair after the update, event by event, and -1 for no pair."""
        pairs: list[Label] = []
        for event, possible in zip(update.events, places, strict=True):
            after: Sequence[Label] = truth.state.labels
            if event.effects:
                after = self._changed(truth, event)
            pairs += [label if possible >> world & 1 else -1 for world, label in enumerate(after)]
        return pairs

    def _changed(self, truth: FrameTruth, event: ActionEvent) -> list[Label]:
        """Return the label of each world after an event."""
        change = self._changes.get(id(event))
        if change is None:
            conditions = event.effects.values()
            change = self._changes[id(event)] = _Change(
                ~self._support(*event.effects),
                self._support(*conditions) if all(c.propositional for c in conditions) else None,
                {},
            )
        labels = truth.state.labels
        if change.support is None:
            become = [
                (self._bits[atom], truth(condition)) for atom, condition in event.effects.items()
            ]
            true = [
                sum([bit for bit, worlds in become if worlds >> world & 1])
                for world in range(len(labels))
            ]
            return [label & change.kept | new for label, new in zip(labels, true, strict=True)]
        after = []
        for label in labels:
            new = change.known.get(label & change.support)
            if new is None:
                new = change.known[label & change.support] = sum(
                    self._bits[atom]
                    for atom, condition in event.effects.items()
                    if self._is_true(condition, label)
                )
            after.append(label & change.kept | new)
        return after

    def _applied(
        self, frame: Frame, update: Update, places: Sequence[Worlds], pairs: Sequence[int]
    ) -> _Effect:
        """Return the effect of an update; `pairs` are the ranks of the labels after it."""
        size = frame.model.size
        events = [ListedEvent(possible, {}) for possible in places]
        after = product(frame.model, events, update.sees, update.designated)
        # A pair keeps the number of its world if no world has two pairs.
        numbered = {
            place if after.size != size else place % size: place
            for place in range(len(pairs))
            if places[place // size] >> place % size & 1
        }
        labels = [
            pairs[numbered[world]] if world in numbered else -1 for world in range(after.size)
        ]
        effect = self._contract(after, _by_label(labels))
        return _Effect(effect.frame, tuple(numbered[world] for world in effect.origin))

    # ---- frames -------------------------------------------------------------------------------

    def _contract(self, model: ListedModel, by_label: Mapping[Hashable, Worlds]) -> _Effect:
        """Return the frame of a model up to bisimilarity, with one world for each of its worlds."""
        blocks, arrows = self._contractor.types(model, by_label)
        order = [worlds for _, worlds in sorted(blocks.items())]
        frame = self._frame(
            model.designated,
            order,
            {
                agent: tuple((sources, targets) for targets, sources in each.items())
                for agent, each in arrows.items()
            },
        )
        return _Effect(frame, tuple(next(numbers(block)) for block in order))

    def _frame(
        self, designated: Worlds, order: Sequence[Worlds], arrows: Mapping[str, Arrows]
    ) -> Frame:
        """Return the frame whose worlds are these sets of worlds."""

        def merged(worlds: Worlds) -> Worlds:
            found, bit = 0, 1
            for block in order:
                if block & worlds:
                    found |= bit
                bit <<= 1
            return found

        after: dict[str, Arrows] = {}
        for agent, relation in arrows.items():
            rows: dict[Worlds, Worlds] = {}
            for sources, targets in relation:
                end = merged(targets)
                rows[end] = rows.get(end, 0) | merged(sources)
            after[agent] = tuple(sorted((start, end) for end, start in rows.items()))
        actual = merged(designated)
        key = (len(order), actual, tuple(after.values()))
        frame = self._frames.get(key)
        if frame is None:
            whole = (1 << len(order)) - 1
            model = ListedModel(len(order), whole, actual, {}, after)
            frame = self._frames[key] = Frame(len(self._frames), model)
        return frame

    def _state(self, frame: Frame, labels: Sequence[Label]) -> FrameState:
        """Return the state of a contracted model, with its worlds in a canonical order.

        The order depends only on the frame and on the order of the labels, so that many states
        share it.
        """
        ranks = _ranks(labels)
        canonical = self._orders.get((frame.number, ranks))
        if canonical is None:
            canonical = self._contract(frame.model, _by_label(ranks))
            self._orders[frame.number, ranks] = canonical
        return FrameState(
            canonical.frame, tuple([labels[world] for world in canonical.origin]), self
        )


def _ranks(labels: Iterable[Label]) -> tuple[int, ...]:
    """Return the rank of each label among all different labels."""
    labels = list(labels)
    rank = {label: place for place, label in enumerate(sorted(set(labels)))}
    return tuple([rank[label] for label in labels])


def _by_label(labels: Iterable[Label]) -> dict[Hashable, Worlds]:
    """Return the set of worlds of each label; -1 is no label."""
    by_label: dict[Hashable, Worlds] = {}
    for world, label in enumerate(labels):
        if label >= 0:
            by_label[label] = by_label.get(label, 0) | 1 << world
    return by_label


State: TypeAlias = MaskState | FrameState
"""A state of a search. Its `key` is equal for two states only if they are bisimilar."""


def states_of(task: Task) -> MaskStates | FrameStates:
    """Return the states of a task."""
    return MaskStates(task) if task.is_s5 else FrameStates(task)
