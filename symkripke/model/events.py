"""What happens: events, which make one knowledge structure into the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from symkripke.errors import InputError
from symkripke.language import Atom, Formula
from symkripke.language.walk import is_propositional
from symkripke.model.beliefs import Soft
from symkripke.model.origin import Origin
from symkripke.model.vocabulary import Fluent


@dataclass(frozen=True, slots=True, init=False)
class Constraint:
    """Something commonly known, with where it is known from.

    Attributes:
        formula: what is commonly known. A formula with modal operators speaks about the
            structure before the event that added it ("nobody knows yet").
        source: where it comes from: "turn 7: Green showed Plum one of ...".
        is_modal: whether it speaks about knowledge.
    """

    formula: Formula
    source: Origin
    is_modal: bool = field(init=False, repr=False, compare=False)

    def __init__(self, formula: Formula, source: Origin | str) -> None:
        """A constraint from an origin, or from one that only a text tells."""
        object.__setattr__(self, "formula", formula)
        object.__setattr__(self, "source", Origin.of(source))
        object.__setattr__(self, "is_modal", not is_propositional(formula))


@dataclass(frozen=True, slots=True, init=False)
class Observable:
    """Something that an agent observes: it sees whether `atom` is true.

    That the agent observes this is common knowledge; what it sees is its own.
    """

    atom: Atom
    source: Origin

    def __init__(self, atom: Atom, source: Origin | str) -> None:
        """Something observed because of an origin, or of one that only a text tells."""
        object.__setattr__(self, "atom", atom)
        object.__setattr__(self, "source", Origin.of(source))


@dataclass(frozen=True, slots=True, init=False)
class Change:
    """A change of one fluent: from now on its name means a new version of it.

    Attributes:
        fluent: the name of the fluent that changes.
        to: the new value, if it is publicly known (the new version then needs no variable);
            or for each possible new value the formula under which it is the new value. These
            speak about the world before (and the event's own fluents); at every world
            exactly one of them must be true. None: nothing is known of the new value.
        source: why.
    """

    fluent: str
    to: str | tuple[tuple[str, Formula], ...] | None
    source: Origin

    def __init__(
        self,
        fluent: str,
        to: str | tuple[tuple[str, Formula], ...] | None,
        source: Origin | str = "",
    ) -> None:
        """A change because of an origin, or of one that only a text tells."""
        object.__setattr__(self, "fluent", fluent)
        object.__setattr__(self, "to", to)
        object.__setattr__(self, "source", Origin.of(source))


@dataclass(frozen=True, slots=True, init=False)
class Likelihood:
    """How probable it was that an event happened as it did, given the world.

    Who weighs worlds by it ("bayes") takes a world in which what happened was one of three things
    that could have happened for a third of one in which nothing else could. Knowledge does not
    depend on it: what could not have happened at all is for a constraint to say.

    Attributes:
        cases: formulas, each with the probability of the event where it is true: above 0, at
            most 1. They speak about the world before the event's changes, and the event's own
            fluents; at every world of the law exactly one of them must be true.
        source: why: "any of the cards that it could show, as likely as another".
    """

    cases: tuple[tuple[Formula, Fraction], ...]
    source: Origin

    def __init__(
        self, cases: tuple[tuple[Formula, Fraction], ...], source: Origin | str = ""
    ) -> None:
        """Cases with their probabilities; raises `InputError` for probabilities out of range."""
        object.__setattr__(self, "cases", cases)
        object.__setattr__(self, "source", Origin.of(source))
        if not cases:
            raise InputError(f"a likelihood needs at least one case ({source})")
        for formula, value in cases:
            if not 0 < value <= 1:
                raise InputError(
                    f"expected a likelihood above 0 and at most 1, got {value} for {formula}"
                )
            if not is_propositional(formula):
                raise InputError(f"a likelihood cannot depend on knowledge ({formula})")


@dataclass(frozen=True, init=False)
class Event:
    """One step: what becomes commonly known, who sees what, and what changes.

    All agents learn that the event happened, with everything written here; agents differ
    in what they observe. In one step, in this order:

    1. `fluents` are added, with the values they have at the actual world;
    2. `constraints` become law: public announcements about the world before the changes, and
       the rules of the new fluents. A modal one speaks about the structure before the event;
    3. `changes` make new versions. Who observed an atom of the old version observes the same
       atom of the new one ("I always see my own hand");
    4. `observes`: each agent observes these atoms from now on (names mean the world after).

    `likelihoods` say how probable all this was; they multiply. They matter to probabilities with
    the weighting "bayes" only. `soft` is what agents believe because of it, as far as it fits
    (see `symkripke.model.beliefs`): about the world before the changes, like a constraint.
    `asks` is a question that the event raises for everybody, such as whether a bid is met: programs
    show how open it is, and no engine looks at it.

    Nothing is ever forgotten (perfect recall): what was observed stays observed.
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
        """An event from an origin, or from one that only a text tells."""
        object.__setattr__(self, "source", Origin.of(source))
        object.__setattr__(self, "constraints", constraints)
        object.__setattr__(self, "fluents", fluents)
        object.__setattr__(self, "observes", {} if observes is None else observes)
        object.__setattr__(self, "changes", changes)
        object.__setattr__(self, "likelihoods", likelihoods)
        object.__setattr__(self, "soft", soft)
        object.__setattr__(self, "asks", asks)


def announcement(formula: Formula, source: Origin | str = "") -> Event:
    """The public announcement of `formula`: it becomes commonly known that it was true."""
    words = source or f"it was announced that {formula}"
    return Event(words, constraints=(Constraint(formula, words),))


def private(fluent: Fluent, observers: Iterable[str], law: Formula, source: Origin | str) -> Event:
    """A secret that some agents share: a new fluent that only `observers` see.

    Everybody knows that they saw it, and what `law` says of it.
    """
    seen = tuple(Observable(atom, source) for atom in fluent.atoms)
    return Event(
        source,
        constraints=(Constraint(law, source),),
        fluents=(fluent,),
        observes={agent: seen for agent in observers},
    )
