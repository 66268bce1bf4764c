"""Perspectives: all that one agent has seen of a scene."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any

from symkripke.errors import InputError
from symkripke.language import Atom, Iff, Not
from symkripke.language.walk import atoms
from symkripke.model.actions import ActionModel
from symkripke.model.beliefs import Soft
from symkripke.model.evaluate import World, evaluate
from symkripke.model.events import Constraint, Event, Observable
from symkripke.model.html import table
from symkripke.model.picture import Drawable, small_picture
from symkripke.model.structure import KnowledgeStructure
from symkripke.records import dataclass


@dataclass(frozen=True, eq=False, repr=False)
class Perspective(Drawable):
    """A perspective (F, i, o): all that an agent at a real table has.

    Attributes:
        structure: F.
        agent: i.
        seen: o, the atoms that i observes to be true; all others that it observes are false.
    """

    structure: KnowledgeStructure
    agent: str
    seen: frozenset[Atom]

    def __reduce__(self) -> tuple[Any, ...]:
        return Perspective, (self.structure, self.agent, self.seen)

    def __repr__(self) -> str:
        return f"<Perspective of {self.agent} at {self.structure!r}>"

    def _repr_html_(self) -> str:
        seen = (
            (observable.atom, "true" if truth else "false", observable.source)
            for observable, truth in self.observation
        )
        told = table(f"What {self.agent} has seen", ("atom", "seen to be", "source"), seen)
        return f"{small_picture(self)}{told}\n{self.structure.tables}"

    @classmethod
    def of(cls, structure: KnowledgeStructure, agent: str, seen: Iterable[Atom]) -> Perspective:
        """A perspective; raises `InputError` if the agent does not observe one of the atoms."""
        structure.vocabulary.agent(agent)
        observed = {observable.atom for observable in structure.observables[agent]}
        resolved = []
        for atom in seen:
            found = structure.resolve(atom)
            if not isinstance(found, Atom) or found not in observed:
                raise InputError(f"{agent} does not observe {atom}")
            resolved.append(found)
        return cls(structure, agent, frozenset(resolved))

    @cached_property
    def observation(self) -> tuple[tuple[Observable, bool], ...]:
        """Everything that the agent observes, with what it sees."""
        mine = self.structure.observables[self.agent]
        return tuple((observable, observable.atom in self.seen) for observable in mine)

    def update(self, event: Event | ActionModel, seen: Iterable[Atom] = ()) -> Perspective:
        """The perspective after `event`, in which the agent saw `seen` (atoms now true).

        New values of its own fluents that follow ("I drew a jack, so I hold one") need not be
        given.

        Raises:
            InputError: the agent does not observe one of these atoms.
        """
        after = self.structure.update(event)
        told = Perspective.of(after, self.agent, (*self.seen_now(after), *seen))
        became = self._became(told)
        return Perspective(after, self.agent, told.seen | became) if became else told

    def _became(self, told: Perspective) -> frozenset[Atom]:
        """The observed atoms of new versions that, by what the agent has seen, are true now."""
        observed = {observable.atom for observable in told.structure.observables[self.agent]}
        known = _values(observed, told.seen)
        became = set()
        history = told.structure.history
        for tie in history.ties if history.occurrence is None else ():
            # The law says of a new version: it has this value iff a formula was true before.
            assert isinstance(tie.formula, Iff)
            now, before = tie.formula.operands
            atom = now.operand if isinstance(now, Not) else now
            if atom not in observed or atom in told.seen:
                continue
            assert isinstance(atom, Atom)
            # Atoms that do not follow must be given in `seen`; those not given are false.
            worked_out = all(needed in observed for needed in atoms(before))
            if worked_out and evaluate(before, known) != isinstance(now, Not):
                became.add(atom)
        return frozenset(became)

    def seen_now(self, after: KnowledgeStructure) -> frozenset[Atom]:
        """The atoms that were seen, with names that mean the same in `after`, a later structure."""
        return frozenset(map(after.resolver.stated_atom, self.seen))

    def believing(self, kept: Iterable[Soft]) -> Perspective:
        """The perspective in which the agent takes these soft constraints for known.

        With the soft constraints that it keeps (`Engine.believed`), its worlds are the most
        plausible
        ones: for probabilities, sheets and so on by its beliefs. Use it only for questions about
        the agent's own mind: for the others, it is as if the beliefs had been announced.
        """
        constraints = tuple(
            Constraint(
                self.structure.resolver.stated(soft.formula),
                replace(soft.source, text=f"{soft.source} (believed)"),
            )
            for soft in kept
        )
        if not constraints:
            return self
        after = self.structure.update(Event("what is believed is so", constraints))
        return Perspective(after, self.agent, self.seen)

    def after(self, events: int) -> Perspective:
        """This perspective as it was after so many events; raises `InputError`."""
        structure = stage_after(self.structure, events)
        observed = {observable.atom for observable in structure.observables[self.agent]}
        return Perspective(structure, self.agent, self.seen & observed)


def stage_after(structure: KnowledgeStructure, events: int) -> KnowledgeStructure:
    """The stage of a history after so many events; raises `InputError`."""
    moments = structure.moments
    if not 0 <= events < len(moments):
        raise InputError(f"expected a number of events from 0 to {len(moments) - 1}, got {events}")
    return moments[events]


def _values(observed: Iterable[Atom], seen: Container[Atom]) -> World:
    """The values of fluents that follow from observed atoms, of which `seen` are the true ones."""
    values: dict[str, str] = {}
    for atom in observed:
        if atom in seen:
            values[atom.fluent] = atom.value
        else:
            values.setdefault(atom.fluent, "false" if atom.value == "true" else "")
    return values
