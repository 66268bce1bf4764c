"""Structures with several actual worlds: what is true at all of them is true."""

from __future__ import annotations

from collections.abc import Callable

from symkripke.argument_types import unexpected
from symkripke.errors import FalseConstraint, ImpossibleEvent, InputError, UnknownName
from symkripke.language import FALSE, TRUE, Formula, Implies, conjunction, disjunction
from symkripke.language.printer import brief
from symkripke.language.walk import is_propositional, names
from symkripke.model.actions import ActionModel
from symkripke.model.evaluate import Engine, World, deciding
from symkripke.model.events import Event
from symkripke.model.resolution_cache import Fixed
from symkripke.model.structure import KnowledgeStructure
from symkripke.records import dataclass


@dataclass(frozen=True, eq=False, repr=False)
class MultiPointedStructure:
    """A multi-pointed structure (F, S): the actual world is one of S.

    An engine's `holds` tells whether a formula is true at all worlds of S. This is for planners,
    and for users who do not know which world is the actual one. S is never listed.

    Attributes:
        structure: F.
        actual: S, as a formula about facts; its names are resolved (see `stated`).
    """

    structure: KnowledgeStructure
    actual: Formula

    def __repr__(self) -> str:
        return f"<MultiPointedStructure at {self.structure!r}: {brief(self.actual)}>"

    @classmethod
    def of(cls, structure: KnowledgeStructure, actual: Formula | str) -> MultiPointedStructure:
        """All worlds with `actual`; raises `InputError` for a formula that is about knowledge."""
        stated = structure.parse(actual) if isinstance(actual, str) else actual
        if not isinstance(stated, Formula):
            raise unexpected("a formula about the actual worlds", stated)
        if not is_propositional(stated):
            raise InputError(f"expected a formula about facts for the actual worlds, got {stated}")
        return cls(structure, structure.resolve(stated))

    @property
    def stated(self) -> Formula:
        """The actual worlds, in names that this structure understands."""
        return self.structure.resolver.stated(self.actual)

    def where(self, formula: Formula) -> Formula:
        """That a formula is true if the world is an actual one."""
        return Implies(self.stated, formula)

    def update(
        self,
        event: Event | ActionModel,
        judge: Engine | Callable[[MultiPointedStructure, Formula], object],
        values: World | None = None,
    ) -> MultiPointedStructure:
        """The actual worlds after `event`.

        Args:
            event: what happens. The announcement of an event must be true at all actual worlds. For
                an action model, at each actual world at least one event of its `actual` must be
                possible; all that are possible give actual worlds.
            judge: an engine, or a function like its `holds`: tells whether a formula is true at all
                actual worlds.
            values: values of new fluents, and of changed fluents whose new value the event leaves
                open: they restrict the actual worlds. Other such fluents may have any value.

        Raises:
            ImpossibleEvent: it cannot happen at some actual world.
        """
        judge = deciding(judge)
        own = frozenset(fluent.name for fluent in event.fluents)
        after = self.structure.update(event)
        kept = [self.actual, *self._values(event, after, own, values or {})]
        if isinstance(event, ActionModel):
            kept.append(self._happened(event, after, own, judge))
        else:
            for number, constraint in enumerate(event.constraints):
                said = constraint.formula
                if own.isdisjoint(names(said)) and not judge(self, said):
                    raise FalseConstraint(constraint.source, brief(said), number)
        found = MultiPointedStructure(after, conjunction(kept))
        if judge(found, FALSE):
            raise ImpossibleEvent("it cannot happen at any of the actual worlds", event.source)
        return found

    def _happened(
        self,
        action: ActionModel,
        after: KnowledgeStructure,
        own: frozenset[str],
        judge: Callable[[MultiPointedStructure, Formula], object],
    ) -> Formula:
        """That an event happened that may be the actual one."""
        needed = [action.event(name).precondition for name in action.actual]
        told = all(own.isdisjoint(names(formula)) for formula in needed)
        if told and not judge(self, disjunction(needed)):
            raise ImpossibleEvent(
                f"at some actual world none of {', '.join(action.actual)} can happen",
                action.source,
            )
        occurrence = after.history.occurrence
        return TRUE if occurrence is None else disjunction(map(occurrence.happened, action.actual))

    def _values(
        self,
        event: Event | ActionModel,
        after: KnowledgeStructure,
        own: frozenset[str],
        values: World,
    ) -> list[Formula]:
        """That fluents have these values."""
        free = {}
        if isinstance(event, Event):
            free = {change.fluent: change for change in event.changes if change.to is None}
        found = []
        for name, value in values.items():
            if name not in own and name not in free:
                raise UnknownName("fluent of the event", name, [*own, *free])
            version = after.versions.get(name, name)
            assert not isinstance(version, Fixed)
            found.append(after.vocabulary.fluents[version].equals(value))
        return found
