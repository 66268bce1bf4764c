"""Structures with several actual worlds, for truth at all of them."""

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

    An engine's `holds` decides whether a formula is true at all worlds of S. This is for planners,
    and for users who do not know the actual world. S is never listed.

    Attributes:
        structure: F.
        actual: S, as a propositional formula with resolved names (see `stated`).
    """

    structure: KnowledgeStructure
    actual: Formula

    def __repr__(self) -> str:
        return f"<MultiPointedStructure at {self.structure!r}: {brief(self.actual)}>"

    @classmethod
    def of(cls, structure: KnowledgeStructure, actual: Formula | str) -> MultiPointedStructure:
        """Create a structure whose actual worlds are all worlds at which `actual` is true.

        Raises:
            InputError: the formula is about knowledge.
        """
        stated = structure.parse(actual) if isinstance(actual, str) else actual
        if not isinstance(stated, Formula):
            raise unexpected("a formula about the actual worlds", stated)
        if not is_propositional(stated):
            raise InputError(f"expected a formula about facts for the actual worlds, got {stated}")
        return cls(structure, structure.resolve(stated))

    @property
    def stated(self) -> Formula:
        """The actual worlds as a formula, in the names of this structure."""
        return self.structure.resolver.stated(self.actual)

    def where(self, formula: Formula) -> Formula:
        """Return the formula stating that `formula` is true if the world is actual."""
        return Implies(self.stated, formula)

    def update(
        self,
        event: Event | ActionModel,
        judge: Engine | Callable[[MultiPointedStructure, Formula], object],
        values: World | None = None,
    ) -> MultiPointedStructure:
        """Return the structure after `event`.

        Args:
            event: the event. The constraints of an `Event` must be true at all actual worlds. For
                an action model, at each actual world at least one event of its `actual` must be
                possible; all possible events of `actual` lead to actual worlds.
            judge: an engine, or a function like its `holds`, which decides whether a formula is
                true at all actual worlds.
            values: values of new fluents, and of changed fluents whose new value the event leaves
                open: they restrict the actual worlds. Other such fluents may have any value.

        Raises:
            ImpossibleEvent: the event cannot happen at some actual world.
        """
        judge = deciding(judge)
        own = frozenset(fluent.name for fluent in event.fluents)
        after = self.structure.update(event)
        kept = [self.actual, *self._values(event, after, own, values or {})]
        if isinstance(event, ActionModel):
            kept.append(self._happened(event, after, own, judge))
        else:
            for number, constraint in enumerate(event.constraints):
                formula = constraint.formula
                if own.isdisjoint(names(formula)) and not judge(self, formula):
                    raise FalseConstraint(constraint.source, brief(formula), number)
        updated = MultiPointedStructure(after, conjunction(kept))
        if judge(updated, FALSE):
            raise ImpossibleEvent("it cannot happen at any of the actual worlds", event.source)
        return updated

    def _happened(
        self,
        action: ActionModel,
        after: KnowledgeStructure,
        own: frozenset[str],
        judge: Callable[[MultiPointedStructure, Formula], object],
    ) -> Formula:
        """Return the formula stating that an event happened that may be the actual one."""
        needed = [action.event(name).precondition for name in action.actual]
        is_about_before = all(own.isdisjoint(names(formula)) for formula in needed)
        if is_about_before and not judge(self, disjunction(needed)):
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
        """Return the formulas stating that fluents have these values."""
        free = {}
        if isinstance(event, Event):
            free = {change.fluent: change for change in event.changes if change.to is None}
        formulas = []
        for name, value in values.items():
            if name not in own and name not in free:
                raise UnknownName("fluent of the event", name, [*own, *free])
            version = after.versions.get(name, name)
            assert not isinstance(version, Fixed)
            formulas.append(after.vocabulary.fluents[version].equals(value))
        return formulas
