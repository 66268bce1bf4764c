"""Events, which update a knowledge structure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from fractions import Fraction
from typing import TypeVar

from symkripke.argument_types import checked, checked_all, unexpected
from symkripke.errors import InputError
from symkripke.language import Atom, Formula
from symkripke.language.linear import Sum
from symkripke.language.walk import is_propositional
from symkripke.model.beliefs import Soft
from symkripke.model.layers import Layers
from symkripke.model.origin import Origin
from symkripke.model.vocabulary import Fluent
from symkripke.records import dataclass

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, init=False)
class Constraint:
    """A commonly known formula, with its origin.

    Attributes:
        formula: the formula. Modal operators refer to the structure before the event that added it
            ("nobody knows yet").
        source: its origin: "turn 7: Green showed Plum one of ...".
        is_modal: whether the formula is about knowledge.
    """

    formula: Formula
    source: Origin
    is_modal: bool = field(init=False, repr=False, compare=False)

    def __init__(self, formula: Formula, source: Origin | str) -> None:
        """Create a constraint; the origin may be a text."""
        if not isinstance(formula, Formula):
            raise unexpected("a formula as a constraint", formula)
        keep = object.__setattr__
        keep(self, "formula", formula)
        keep(self, "source", source if type(source) is Origin else Origin.of(source))
        keep(self, "is_modal", not formula.propositional)


class Law(Layers[Constraint]):
    """The law of a structure: all constraints, one layer per event.

    Attributes:
        is_modal: whether some constraint is about knowledge.
    """

    __slots__ = ("is_modal",)

    is_modal: bool

    def __init__(self, added: Iterable[Constraint] = (), earlier: Law | None = None) -> None:
        """Add a layer to the earlier layers."""
        super().__init__(added, earlier)
        self.is_modal = any(constraint.is_modal for constraint in self.added) or (
            earlier is not None and earlier.is_modal
        )


@dataclass(frozen=True, slots=True, init=False)
class Observable:
    """An atom whose truth an agent observes.

    It is common knowledge that the agent observes it; the truth itself is private.
    """

    atom: Atom
    source: Origin

    def __init__(self, atom: Atom, source: Origin | str) -> None:
        """Create an observation; the origin may be a text."""
        if not isinstance(atom, Atom):
            raise unexpected("an atom to observe", atom)
        object.__setattr__(self, "atom", atom)
        object.__setattr__(self, "source", Origin.of(source))


@dataclass(frozen=True, slots=True, init=False)
class Change:
    """A change of one fluent: from now on its name refers to a new version.

    Attributes:
        fluent: the name of the fluent.
        to: the new value, if it is publicly known (the new version then needs no variable);
            or for each possible new value the formula under which it is the new value (for a
            number, the value is a text, or a sum such as x + 1). These
            formulas are about the world before and the event's own fluents; at every world
            exactly one of them must be true. None: the new value is unknown.
        source: its origin.
        total: whether it is certain that at every world exactly one case is true. Otherwise the
            first engine that answers a question checks it, and rejects incomplete cases.
    """

    fluent: str
    to: str | tuple[tuple[str | Sum, Formula], ...] | None
    source: Origin
    total: bool = field(repr=False, compare=False)

    def __init__(
        self,
        fluent: str,
        to: str | tuple[tuple[str | Sum, Formula], ...] | None,
        source: Origin | str = "",
        *,
        total: bool = False,
    ) -> None:
        """Create a change; the origin may be a text."""
        object.__setattr__(self, "fluent", checked(fluent, str, "the name of a fluent"))
        if to is not None and not isinstance(to, str):
            to = new_values(to, "cases, each a pair", f"change of {fluent}")
        object.__setattr__(self, "to", to)
        object.__setattr__(self, "source", Origin.of(source))
        object.__setattr__(self, "total", total or not isinstance(to, tuple))


@dataclass(frozen=True, slots=True, init=False)
class Likelihood:
    """The probability that an event happened as it did, given the world.

    With the weighting "bayes", a world in which the event was one of three equally likely events
    has a third of the weight of a world in which it was certain. Knowledge does not depend on
    likelihoods: a constraint states that an event was impossible at a world.

    Attributes:
        cases: formulas, each with the probability of the event where it is true: above 0, at
            most 1. They are about the world before the event's changes, the event's own fluents,
            and new versions of unknown value; at every world of the law exactly one of them must
            be true.
        source: the reason: "each card that it could show is equally likely".
    """

    cases: tuple[tuple[Formula, Fraction], ...]
    source: Origin

    def __init__(
        self, cases: tuple[tuple[Formula, Fraction], ...], source: Origin | str = ""
    ) -> None:
        """Create a likelihood; raise `InputError` for probabilities out of range."""
        object.__setattr__(self, "source", Origin.of(source))
        object.__setattr__(self, "cases", pairs(cases, "cases, each a pair", "likelihood"))
        if not self.cases:
            raise InputError(f"a likelihood needs at least one case ({source})")
        for formula, value in self.cases:
            checked(formula, Formula, where="likelihood")
            if not isinstance(value, int | Fraction):
                raise unexpected("a fraction", value, "likelihood")
            if not 0 < value <= 1:
                raise InputError(
                    f"expected a likelihood above 0 and at most 1, got {value} for {formula}"
                )
            if not is_propositional(formula):
                raise InputError(f"a likelihood cannot depend on knowledge ({formula})")


@dataclass(frozen=True, init=False)
class Event:
    """A public event: its announcements, its changes, and the observations of each agent.

    All agents learn that the event happened, with everything stated here; they differ only in their
    observations. The parts take effect in this order:

    1. `fluents` are added, with their values at the actual world;
    2. `constraints` become law: public announcements about the world before the changes, and
       the rules of the new fluents. A modal constraint is about the structure before the event.
       Other constraints can name the new version of a fluent that changes to an unknown value;
    3. `changes` create new versions. An agent that observed an atom of the old version observes the
       same atom of the new version ("I always see my own hand");
    4. `observes`: each agent observes these atoms from now on (names refer to the world after).

    `likelihoods` are probabilities of the event; they multiply, and matter only for the weighting
    "bayes". `soft` are beliefs about the world before the changes, which agents keep if consistent
    (see `symkripke.model.beliefs`). `asks` is a question that the event raises for everybody, such
    as whether a bid is met: programs show its probability, and engines ignore it.

    Agents have perfect recall: observations are never forgotten.
    """

    source: Origin
    constraints: tuple[Constraint, ...]
    fluents: tuple[Fluent, ...]
    observes: Mapping[str, tuple[Observable, ...]]
    changes: tuple[Change, ...]
    likelihoods: tuple[Likelihood, ...]
    soft: tuple[Soft, ...]
    asks: Formula | None

    def __init__(
        self,
        source: Origin | str,
        constraints: tuple[Constraint, ...] = (),
        fluents: tuple[Fluent, ...] = (),
        observes: Mapping[str, tuple[Observable, ...]] | None = None,
        changes: tuple[Change, ...] = (),
        likelihoods: tuple[Likelihood, ...] = (),
        soft: tuple[Soft, ...] = (),
        asks: Formula | None = None,
    ) -> None:
        """Create an event; the origin may be a text."""
        if asks is not None:
            checked(asks, Formula, where="asks")
        made = self.__dict__  # fast: a game creates thousands of events
        made["source"] = Origin.of(source)
        for name, given, kind in (
            ("constraints", constraints, Constraint),
            ("fluents", fluents, Fluent),
            ("changes", changes, Change),
            ("likelihoods", likelihoods, Likelihood),
            ("soft", soft, Soft),
        ):
            made[name] = () if given == () else checked_all(given, kind, name)
        made["observes"] = {} if observes is None else _observers(observes)
        made["asks"] = asks


def _observers(observes: Mapping[str, Iterable[Observable]]) -> Mapping[str, Iterable[Observable]]:
    """Return the observations of each agent; raise `InputError` for anything else."""
    if not isinstance(observes, Mapping):
        raise unexpected("a dict from agents to observables", observes, "observes")
    for agent, seen in observes.items():
        checked(agent, str, "an agent", "observes")
        if not isinstance(seen, tuple):
            raise unexpected("a tuple of observables", seen, f"observes of {agent}")
        checked_all(seen, Observable, f"observes of {agent}")
    return observes


def pairs(given: Iterable[tuple[S, T]], wanted: str, where: str) -> tuple[tuple[S, T], ...]:
    """Return the pairs; raise `InputError` for an entry that is not a pair."""
    checked_pairs = checked_all(given, tuple, where)
    for pair in checked_pairs:
        if len(pair) != 2:
            raise unexpected(wanted, pair, where)
    return checked_pairs


def new_values(
    cases: Iterable[tuple[str | Sum, Formula]], wanted: str, where: str
) -> tuple[tuple[str | Sum, Formula], ...]:
    """Return new values, each with its condition; raise `InputError` for anything else."""
    values = pairs(cases, wanted, where)
    for value, formula in values:
        if not isinstance(value, Sum):
            checked(value, str, "a value", where)
        checked(formula, Formula, where=where)
    return values


def announcement(formula: Formula, source: Origin | str = "") -> Event:
    """Return the public announcement that `formula` is true now."""
    words = source or f"it was announced that {formula}"
    return Event(words, constraints=(Constraint(formula, words),))


def private(fluent: Fluent, observers: Iterable[str], law: Formula, source: Origin | str) -> Event:
    """Return an event with a shared secret: a new fluent that only `observers` see.

    Everybody knows that they saw it, and that `law` holds.
    """
    seen = tuple(Observable(atom, source) for atom in fluent.atoms)
    return Event(
        source,
        constraints=(Constraint(law, source),),
        fluents=(fluent,),
        observes={agent: seen for agent in observers},
    )
