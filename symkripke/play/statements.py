"""The separate statements of a log, each of which can be omitted.

A knowledge structure keeps all common knowledge in one law. To find the clashing entries of a log,
each entry is split into statements, which may be wrong, and certain facts. For example, it is
certain that a shown card is one card, and that a hand after a draw consists of the previous hand
and the drawn card.

A card that moves publicly has a publicly known place. `with_unknown_changes` gives it an unknown
place instead. The entry then states the place, so that this statement can be omitted, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from symkripke.errors import ImpossibleEvent, InputError
from symkripke.language import Atom, Formula, conjunction, negation
from symkripke.language.walk import atoms
from symkripke.model import Change, Constraint, Event, KnowledgeStructure, Observable, World


@dataclass(frozen=True)
class Statement:
    """A statement of a log, which may be wrong.

    Attributes:
        entry: the number of the event, from 1; 0 for the player's hand.
        formula: the statement, with all names resolved.
        text: the statement in words.
        dealt: for a statement about the player's hand, the atom that the player observes.
    """

    entry: int
    formula: Formula
    text: str
    dealt: Atom | None = None


@dataclass(frozen=True)
class EntryFacts:
    """The information of an entry for its player.

    Attributes:
        statements: the statements, which may be wrong.
        given: the facts that are certain.
        is_modal: whether the entry has constraints about knowledge, which are omitted from both.
    """

    statements: tuple[Statement, ...]
    given: tuple[Formula, ...] = ()
    is_modal: bool = False

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """The formulas of all statements and facts."""
        return (*self.given, *(statement.formula for statement in self.statements))


def beginning(structure: KnowledgeStructure) -> tuple[Formula, ...]:
    """Return the public constraints of a deal."""
    return tuple(constraint.formula for constraint in (*structure.domains, *structure.law))


def of_hand(structure: KnowledgeStructure, player: str, hand: World, entry: int) -> EntryFacts:
    """Return the facts of a player's hand in the first structure of the deal."""
    seen = {Atom(name, value) for name, value in hand.items()}
    observed = structure.observables[player]
    for atom in seen.difference(observable.atom for observable in observed):
        raise InputError(f"{player} does not observe {atom}")
    return EntryFacts(
        tuple(
            _observation(structure, observable, observable.atom in seen, entry, is_dealt=True)
            for observable in observed
        )
    )


def with_unknown_changes(event: Event) -> Event:
    """Return the event with each change to a public value made unknown."""
    changes = tuple(
        Change(change.fluent, None, change.source) if isinstance(change.to, str) else change
        for change in event.changes
    )
    return _with_changes(event, changes)


def _with_changes(event: Event, changes: tuple[Change, ...]) -> Event:
    """Return the event with other changes."""
    return Event(
        event.source,
        event.constraints,
        event.fluents,
        event.observes,
        changes,
        event.likelihoods,
        event.soft,
        event.asks,
    )


def of_event(
    after: KnowledgeStructure, event: Event, player: str, secret: World, entry: int
) -> EntryFacts:
    """Return the information of an event for a player.

    Args:
        after: the structure after the event, or after `with_unknown_changes(event)`.
        event: the event.
        player: the player of the log.
        secret: the secrets of the event in the log.
        entry: the number of the event, from 1.

    Raises:
        InputError: the player does not observe a secret.
        ImpossibleEvent: the log lacks a value that the player saw.
    """
    assert after.history.before is not None
    fluents = after.vocabulary.fluents
    new = islice(fluents.values(), len(after.history.before.vocabulary.fluents), None)
    given = [fluent.domain for fluent in new if not fluent.is_boolean]
    stated = after.law.added[: len(event.constraints)]
    ties = after.law.added[len(event.constraints) :]
    given += [constraint.formula for constraint in ties]
    parts: dict[str, list[Formula]] = {}
    for constraint in stated:
        if not constraint.is_modal:
            parts.setdefault(str(constraint.source), []).append(constraint.formula)
    for change in event.changes:
        version = after.versions[change.fluent]
        if isinstance(change.to, str) and isinstance(version, str):
            source = str(change.source or event.source)
            parts.setdefault(source, []).append(fluents[version].equals(change.to))
    statements = [
        Statement(entry, conjunction(formulas), source) for source, formulas in parts.items()
    ]
    statements += _observations(after, event, player, secret, ties, entry)
    return EntryFacts(
        tuple(statements), tuple(given), any(constraint.is_modal for constraint in stated)
    )


def _observations(
    after: KnowledgeStructure,
    event: Event,
    player: str,
    secret: World,
    ties: Iterable[Constraint],
    entry: int,
) -> list[Statement]:
    """Return the player's observations of an event."""
    mine = {after.resolve(seen.atom): seen for seen in event.observes.get(player, ())}
    if mine and not secret:
        name = min(seen.atom.fluent for seen in mine.values())
        raise ImpossibleEvent(f"{player} saw {name}, but its value is missing", event.source)
    observed = {observable.atom: observable for observable in after.observables[player]}
    true_atoms = {after.resolve(Atom(name, value)) for name, value in secret.items()}
    for atom in true_atoms.difference(observed):
        raise InputError(f"{player} does not observe {atom}")
    seen = {atom: observed[atom] for atom in (*mine, *true_atoms) if isinstance(atom, Atom)}
    for atom in _unforeseen(after, event, ties, observed):
        seen[atom] = observed[atom]
    valued = {atom.fluent for atom in true_atoms if isinstance(atom, Atom)}
    return [
        _observation(after, observable, atom in true_atoms, entry)
        for atom, observable in seen.items()
        # If the value of a fluent is stated, its other values are not mentioned.
        if atom in true_atoms or atom.fluent not in valued
    ]


def _unforeseen(
    after: KnowledgeStructure,
    event: Event,
    ties: Iterable[Constraint],
    observed: Mapping[Atom, Observable],
) -> Iterable[Atom]:
    """Return the observed atoms of new versions that do not follow from earlier observations."""
    unknown = {
        version
        for change in event.changes
        if change.to is None and isinstance(version := after.versions[change.fluent], str)
    }
    for tie in ties:
        parts = atoms(tie.formula)
        now = {atom for atom in parts if atom.fluent.is_version and atom in observed}
        if now and not all(atom in observed for atom in parts):
            unknown |= {atom.fluent for atom in now}
    return [atom for atom in observed if atom.fluent in unknown]


def _observation(
    structure: KnowledgeStructure,
    observable: Observable,
    truth: bool,
    entry: int,
    *,
    is_dealt: bool = False,
) -> Statement:
    atom = observable.atom
    words = structure.words(atom, truth)
    formula = atom if truth else negation(atom)
    dealt = atom if is_dealt else None
    return Statement(entry, formula, f"{observable.source}: {words}", dealt)
