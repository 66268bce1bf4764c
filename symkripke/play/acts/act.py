"""An act: a kind of event or move, with the sentence that describes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from symkripke.play.acts.choices import Choice
from symkripke.play.acts.parts import MYSELF, Of, Part, Said, SetupT, Slot, Words, several
from symkripke.play.rules import Outcome, Public
from symkripke.play.words import person


@dataclass(frozen=True)
class Act(Generic[SetupT]):
    """A kind of event or move.

    Attributes:
        kind: the class of the event's public part, or of the move.
        parts: the sentence that describes it.
        secret: returns the values of the private fluents that the entry states. None: it states
            none.
        made: returns the event or the move. None: each field of the class takes the value of the
            slot of that name, or its default if there is no such slot.
        more: returns the values of the slots of an event or a move that are not fields of the
            class. A list "NAME" stands for the slots "NAME 1", "NAME 2", ...
        when: returns whether the rules can allow the act in a position.
        typed: the forms of input that people can type, each with its meaning.
        title: the name of the action in a menu, such as "ask for a card"; empty: the name of the
            class.
        offered: returns the menu's actions in a view, for a move whose slots depend on each other.
            None: one action, with a choice for each slot.
    """

    kind: type[Any]
    parts: Sequence[Part]
    secret: Callable[[Said[SetupT]], Mapping[str, str]] | None = None
    made: Callable[[Said[SetupT]], Any] | None = None
    more: Callable[[SetupT, Any], Mapping[str, Any]] | None = None
    when: Callable[[Any], bool] = lambda state: True
    typed: Mapping[str, str] | None = None
    title: str = ""
    offered: Callable[[Any], Iterable[Any]] | None = None

    def make(self, said: Said[SetupT]) -> Any:
        """Return the outcome or the move that a complete sentence describes."""
        if self.made is not None:
            return self.made(said)
        fields = {name: said[name] for name in self._fields if name in said.values}
        made = self.kind(**fields)
        if not isinstance(made, Public):
            return made
        return Outcome(made, {} if self.secret is None else self.secret(said))

    def values(self, setup: SetupT, made: Any) -> Mapping[str, Any]:
        """Return the value of each slot of the sentence for an outcome or a move."""
        event = made.public if isinstance(made, Outcome) else made
        values = {name: getattr(event, name) for name in self._fields}
        return values if self.more is None else {**values, **self.more(setup, made)}

    @property
    def _fields(self) -> tuple[str, ...]:
        """The names of the fields of the class, if it is a `msgspec.Struct` or a dataclass."""
        fields = getattr(self.kind, "__struct_fields__", None)
        return tuple(getattr(self.kind, "__dataclass_fields__", ())) if fields is None else fields


def move_act(
    kind: type[Any],
    *parts: Part,
    at: str | Sequence[str],
    typed: Mapping[str, str],
    title: str = "",
    more: Callable[[Any, Any], Mapping[str, Any]] | None = None,
    offered: Callable[[Any], Iterable[Any]] | None = None,
    stop: str = ".",
) -> Act[Any]:
    """Return the act of a person's move.

    Args:
        kind: the class of the move.
        parts: the sentence without its subject and its final punctuation. The parts of the event
            can be reused: the person acts unless another player is named.
        at: the kind of decision at which the move is possible, or several kinds.
        typed: see `Act`.
        title: see `Act`.
        more: see `Act`.
        offered: see `Act`.
        stop: the punctuation that ends the sentence.
    """
    kinds = (at,) if isinstance(at, str) else at

    def when(view: Any) -> bool:
        return view.decision is not None and view.decision.kind in kinds

    sentence = (MYSELF, *parts, Words(stop))
    return Act(kind, sentence, more=more, when=when, typed=typed, title=title, offered=offered)


def hand_act(
    choices: Of[Sequence[Choice[Any]]],
    *,
    what: str = "a card",
    many: str = "cards",
    did: str = "was dealt",
    twice: bool = False,
    typed: Mapping[str, str],
) -> Act[Any]:
    """Return the act of a player's hand: "Ann was dealt a, b and c.", with `Setup.sizes` cards.

    Args:
        choices: the choices for each card of a hand.
        what: the phrase for one card.
        many: the word for several cards.
        did: the words between the player and the cards: "sees", if a player sees other hands.
        twice: whether a card may be named more than once.
        typed: see `Act`.
    """

    def number(said: Said[Any]) -> int:
        assert said.seat is not None
        return int(said.setup.sizes[said.seat])

    which = Slot(
        many,
        choices,
        what=what,
        ask=lambda said: (
            f"Which {many if number(said) > 1 else what.split()[-1]} was {person(said.seat)} dealt?"
            if did == "was dealt"
            else f"{person(said.seat)} {did} these {many}:"
        ),
    )
    return Act(
        tuple,
        (
            Words(lambda said: f"{person(said.seat)} {did}"),
            several(which, number, twice=twice),
            Words("."),
        ),
        made=lambda said: said[many],
        more=lambda setup, hand: {many: hand},
        typed=typed,
    )
