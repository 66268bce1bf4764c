"""Perspectives: the observations of one agent at a scene."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any

from symkripke.errors import InputError
from symkripke.language import Atom, Formula, Iff, Not, negation
from symkripke.language.walk import atoms
from symkripke.model.actions import ActionModel
from symkripke.model.beliefs import Soft
from symkripke.model.evaluate import World, evaluate
from symkripke.model.events import Constraint, Event, Observable
from symkripke.model.html import table
from symkripke.model.picture import Drawable, small_picture
from symkripke.model.structure import KnowledgeStructure
from symkripke.model.vocabulary import VALUE, Number
from symkripke.records import dataclass


@dataclass(frozen=True, eq=False, repr=False)
class Perspective(Drawable):
    """A perspective (F, i, o): the information of an agent at a real table.

    Attributes:
        structure: F.
        agent: i.
        seen: o, the atoms that i observes to be true; its other observables are false.
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
        observations = table(
            f"Observations of {self.agent}", ("atom", "seen to be", "source"), seen
        )
        return f"{small_picture(self)}{observations}\n{self.structure.tables}"

    @classmethod
    def of(cls, structure: KnowledgeStructure, agent: str, seen: Iterable[Atom]) -> Perspective:
        """Create a perspective; raise `InputError` for an atom that the agent does not observe."""
        structure.vocabulary.agent(agent)
        observed = {observable.atom for observable in structure.observables[agent]}
        resolved: list[Atom] = []
        for atom in seen:
            current = structure.resolve(atom)
            if isinstance(structure.vocabulary.domain(atom.fluent), Number):
                value = structure.resolve(Atom(atom.fluent, VALUE))
                if isinstance(value, Atom) and value in observed:
                    resolved.append(seen_atom(value, atom.value))
                    continue
            if not isinstance(current, Atom) or current not in observed:
                raise InputError(f"{agent} does not observe {atom}")
            resolved.append(current)
        return cls(structure, agent, frozenset(resolved))

    @cached_property
    def observation(self) -> tuple[tuple[Observable, bool], ...]:
        """The observables of the agent, each with its truth."""
        mine = self.structure.observables[self.agent]
        return tuple((observable, observable.atom in self.seen) for observable in mine)

    @cached_property
    def facts(self) -> tuple[tuple[Observable, Formula], ...]:
        """The observables of the agent, each with the fact that it has observed."""
        fluents = self.structure.vocabulary.fluents
        values = {atom.fluent: atom.value for atom in self.seen if atom.fluent in fluents}
        return tuple(
            (seen, fluents[seen.atom.fluent].equals(values[seen.atom.fluent]))
            if seen.atom.value == VALUE
            else (seen, seen.atom if truth else negation(seen.atom))
            for seen, truth in self.observation
        )

    def update(self, event: Event | ActionModel, seen: Iterable[Atom] = ()) -> Perspective:
        """Return the perspective after `event`, in which the agent saw `seen` (atoms now true).

        Atoms whose truth follows ("I drew a jack, so I hold one") may be omitted.

        Raises:
            InputError: the agent does not observe one of these atoms.
        """
        after = self.structure.update(event)
        updated = Perspective.of(after, self.agent, (*self.seen_now(after), *seen))
        became = self._became(updated)
        return Perspective(after, self.agent, updated.seen | became) if became else updated

    def _became(self, updated: Perspective) -> frozenset[Atom]:
        """Return the observed atoms of new versions whose truth follows from the observations."""
        observed = {observable.atom for observable in updated.structure.observables[self.agent]}
        known = _values(observed, updated.seen)
        became = set()
        history = updated.structure.history
        for tie in history.ties if history.occurrence is None else ():
            # A tie defines a new version: it has this value iff a formula was true before.
            assert isinstance(tie.formula, Iff)
            now, before = tie.formula.operands
            atom = now.operand if isinstance(now, Not) else now
            if atom not in observed or atom in updated.seen:
                continue
            assert isinstance(atom, Atom)
            # Other atoms must be listed in `seen`; those not listed are false.
            worked_out = all(needed in observed for needed in atoms(before))
            if worked_out and evaluate(before, known) != isinstance(now, Not):
                became.add(atom)
        return frozenset(became)

    def seen_now(self, after: KnowledgeStructure) -> frozenset[Atom]:
        """Return the atoms seen, in the names of the later structure `after`."""
        return frozenset(map(after.resolver.stated_atom, self.seen))

    def believing(self, kept: Iterable[Soft]) -> Perspective:
        """Return the perspective in which the agent treats these soft constraints as known.

        With the soft constraints that the agent keeps (`Engine.believed`), its worlds are the most
        plausible ones, so that probabilities and sheets follow its beliefs. Use it only for
        questions about the agent's own mind: to the other agents, it announces the beliefs.
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
        after = self.structure.update(Event("the beliefs are true", constraints))
        return Perspective(after, self.agent, self.seen)

    def after(self, events: int) -> Perspective:
        """Return the perspective after `events` events; raise `InputError` if there are fewer."""
        structure = stage_after(self.structure, events)
        observed = {observable.atom for observable in structure.observables[self.agent]}
        return Perspective(structure, self.agent, self.seen & observed)


def seen_atom(observable: Atom, value: str) -> Atom:
    """Return the atom that is observed to be true: for a number, the atom with its value."""
    return Atom(observable.fluent, value) if observable.value == VALUE else observable


def stage_after(structure: KnowledgeStructure, events: int) -> KnowledgeStructure:
    """Return the structure after `events` events; raise `InputError` if there are fewer."""
    moments = structure.moments
    if not 0 <= events < len(moments):
        raise InputError(f"expected a number of events from 0 to {len(moments) - 1}, got {events}")
    return moments[events]


def _values(observed: Iterable[Atom], seen: Container[Atom]) -> World:
    """Return the values of fluents that follow from observed atoms, of which `seen` are true."""
    values: dict[str, str] = {}
    for atom in observed:
        if atom in seen:
            values[atom.fluent] = atom.value
        else:
            values.setdefault(atom.fluent, "false" if atom.value == "true" else "")
    return values
