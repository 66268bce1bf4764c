"""The sentence for a kind of event: a script, which is run for printing and for reading.

A script is a function that goes through the sentence of an event from left to right. It takes a
`Speech` and calls its methods for the fixed words (`words`) and for the places to be filled in
(`pick`, `number`, `player`, `several`, `flag`). When an event is printed, these calls print the
words and return the event's value in that place. When a text is read, they find the value in the
text. At the end the script returns the event.

    def bid(talk: Speech[Setup, State]) -> Outcome[Happening]:
        turn = talk.fact("turn", lambda state: state.turn)
        player = talk.player("player", movers=lambda state: (state.mover,))
        talk.words("bids")
        quantity = talk.number("quantity", 1, 30, what="a number of dice")
        face = talk.pick("face", faces, what="a face")
        talk.words(".")
        return Outcome(Bid(turn=turn, player=player, quantity=quantity, face=face), {})

A script may depend on its arguments only, because the reader runs it several times.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from symkripke.explain.text import listed
from symkripke.language import Atom
from symkripke.model import Scene
from symkripke.model import State as Knowledge
from symkripke.play.phrases.choices import (
    Choice,
    number_word,
    numbers_to_choose,
    players_to_choose,
)
from symkripke.play.rules import Setup
from symkripke.play.words import person

T = TypeVar("T")
SetupT = TypeVar("SetupT", bound=Setup)
StateT = TypeVar("StateT")


@dataclass(frozen=True)
class Situation(Generic[SetupT]):
    """The situation in which an event is told.

    Attributes:
        setup: the setup.
        state: the position before the event, as the rules see it.
        seat: the player whose record it is; None where the truth is known.
        knowledge: the scene, or the perspective of the seat, before the event.
    """

    setup: SetupT
    state: Any
    seat: str | None = None
    knowledge: Knowledge | None = None


class Speech(ABC, Generic[SetupT, StateT]):
    """The interface that a script calls; see the module.

    Attributes:
        setup: the setup.
        seat: the player who says it, or to whom it is said; None: who knows the truth.
    """

    setup: SetupT
    seat: str | None

    # ---- words ---------------------------------------------------------------------------------

    @abstractmethod
    def words(self, text: str, *also: str, short: str = "", needed: bool = False) -> None:
        """Words that are always the same.

        Args:
            text: as they are printed; empty: they are not printed.
            also: what else may be typed for them. All of it may be left out.
            short: as they are printed in the short form; empty: they are left out there.
            needed: they tell this kind of event from others, and cannot be left out.
        """

    # ---- places --------------------------------------------------------------------------------

    @abstractmethod
    def pick(
        self,
        name: str,
        choices: Sequence[Choice[T]],
        *,
        what: str,
        ask: str = "",
        implied: Callable[[StateT], T | None] | None = None,
        spoken: bool = False,
        glued: bool = False,
        separated: bool = False,
        hinted: Sequence[Choice[T]] | None = None,
        vague: str = "",
        barred: Mapping[Choice[T], str] | None = None,
    ) -> T:
        """One of some choices.

        Args:
            name: the name of the place; the event has its value under this name (`Phrase.values`).
            choices: all contents of the place, whether or not the rules allow them now: a player
                who names an impossible one should learn why, and not be misunderstood.
            what: what is expected there, in words: "a weapon".
            ask: the question for the value, if it is not typed.
            implied: the value if none is typed; if that is None, a value must be typed.
            spoken: the short form prints the value even if it is implied.
            glued: the value need not be separated from the following text: dice, "12345".
            separated: a sign must separate the value from text that could be a part of it: "Red
                Pearl" is one card, and not Red, then Pearl.
            hinted: the choices that make sense now, for completion and as answers to the question.
                None: all.
            vague: words without meaning that may be typed before the value: "a card".
            barred: what cannot be there now, and why, in a sentence: for the error only.
        """

    @abstractmethod
    def flag(
        self,
        name: str,
        text: str,
        *also: str,
        implied: Callable[[StateT], bool] | None = None,
    ) -> bool:
        """Whether an optional part is said, such as "Ann lays down Weather".

        Args:
            name: of the place.
            text: as it is printed if it is so; nothing is printed if not.
            also: what else can be typed; the first is the short form.
            implied: what it is if nothing is typed, by the rules; None: it is not so.
        """

    # ---- what is not typed -----------------------------------------------------------------------

    @abstractmethod
    def fact(self, name: str, found: Callable[[StateT], T]) -> T:
        """A value that is neither printed nor typed: it follows from the position before the event.

        Where an event is printed, the position may not be known: the event has it by that name.
        """

    @abstractmethod
    def by_rules(self, found: Callable[[StateT], T]) -> T | None:
        """What the position before the event tells, where a text is read; else None."""

    @abstractmethod
    def sees(self, *players: str) -> bool:
        """Whether the sentence tells here what only these players see.

        It does so in their own records, and where the truth is known.
        """

    @abstractmethod
    def unseen(self, name: str, text: str, choices: Sequence[Choice[Any]], who: str) -> None:
        """Words in the place of what is not seen: "a card".

        Args:
            name: of the place.
            text: what is printed.
            choices: what would be named there. To name one is a fault.
            who: who sees it, in words: "Ann and Bob".
        """

    @abstractmethod
    def known(self, name: str) -> bool:
        """When printing: whether the event has a value in this place. When reading: True.

        Print missing values with `unseen`.
        """

    @abstractmethod
    def own(self, atom: Atom) -> bool:
        """Whether the seat has seen that this is so, or the truth is known and it is so.

        Where an event is printed in full, nothing is known: it must not depend on it.
        """

    @abstractmethod
    def refuse(self, problem: str, name: str) -> None:
        """Refuse the text of that place: `problem` says why, in a sentence."""

    @abstractmethod
    def unclear(self, problem: str, name: str) -> None:
        """Refuse the text of that place as ambiguous: `problem` lists the readings, in a sentence.

        The text is refused even if the whole sentence has a less likely reading.
        """

    @abstractmethod
    def impossible(self, problem: str, name: str) -> None:
        """Refuse the text of that place if the event is incomplete: do not ask for the rest.

        What is said there contradicts what the seat has seen. `problem` says so, and what is
        expected. A complete event is not refused here: it is checked with all that is known, and
        an earlier entry may be wrong instead.
        """

    @abstractmethod
    def complete(self, told: str) -> None:
        """The event is complete. `told` says why further text is too much: "that is all"."""

    @abstractmethod
    def count(self, name: str) -> int | None:
        """The length of a list, where the event is printed; None where it is read."""

    @abstractmethod
    def ended(self) -> bool:
        """Whether a part of the sentence ends here, where a text is read; else False.

        A semicolon, a full stop, the end of a line or of the text comes next.
        """

    @abstractmethod
    def brief(self) -> bool:
        """Whether a short form is printed, which leaves out what the reader can conclude."""

    # ---- made of these ---------------------------------------------------------------------------

    def people(self, players: Iterable[str]) -> tuple[Choice[str], ...]:
        """Players by name; the seat as "me", too."""
        return players_to_choose(players, self.seat)

    def myself(self) -> None:
        """The player who says it: need not be typed."""
        assert self.seat is not None
        me = self.people([self.seat])[0]
        self.words(me.title, *me.also, *me.loosely)

    def secret(
        self,
        name: str,
        choices: Sequence[Choice[T]],
        *,
        seen_by: Sequence[str],
        unseen: str,
        what: str,
        ask: str = "",
        implied: Callable[[StateT], T | None] | None = None,
        hinted: Sequence[Choice[T]] | None = None,
    ) -> T | None:
        """A part that only some players see: they must tell it, others cannot. None: untold.

        Args:
            name: of the place.
            choices: what it can be.
            seen_by: who sees it.
            unseen: what stands there for others: "a card".
            what: what is expected there, in words.
            ask: the question for it, if it is not typed.
            implied: what it is if it is not typed; if that is None, it must be typed.
            hinted: those of the choices that make sense now; None: all.
        """
        if self.sees(*seen_by) and self.known(name):
            return self.pick(
                name,
                choices,
                what=what,
                ask=ask,
                implied=implied,
                hinted=hinted,
                vague=unseen,
            )
        self.unseen(name, unseen, choices, listed([person(player) for player in seen_by]))
        return None

    def player(
        self,
        name: str,
        *,
        movers: Callable[[StateT], Sequence[str]] | None = None,
        among: Sequence[str] | None = None,
        ask: str = "",
        passed: str = "",
    ) -> str:
        """A player.

        Args:
            name: of the place.
            movers: whose turn it can be; nobody else will do. If there is one only, it need not be
                typed. None: any player.
            among: those that make sense now, for completion; the others can be typed, too.
            ask: the question for it.
            passed: what is typed for a player who did nothing on its turn, if that can be.
        """
        named = self.pick(
            name,
            self.people(self.setup.players),
            what="a player",
            ask=ask,
            implied=None if movers is None else lambda state: _only(movers(state)),
            spoken=True,
            hinted=None if among is None else self.people(among),
        )
        allowed = None if movers is None else self.by_rules(movers)
        if allowed is not None and named not in allowed:
            right = " or ".join(f"{person(player)}'s" for player in allowed)
            due = " or ".join(map(person, allowed))
            nothing = f" ('{due}: {passed}', if nothing)" if passed else ""
            before = f": tell first what {due} did{nothing}" if len(allowed) == 1 else ""
            self.refuse(f"it is {right} turn, not {person(named)}'s{before}", name)
        return named

    def number(
        self, name: str, least: int, most: int, *, what: str, ask: str = "", glued: bool = False
    ) -> int:
        """A whole number, in digits or as a word."""
        return self.pick(name, numbers_to_choose(least, most), what=what, ask=ask, glued=glued)

    def several(
        self,
        name: str,
        choices: Sequence[Choice[T]],
        number: int,
        *,
        what: str,
        ask: str = "",
        twice: bool = False,
        glued: bool = False,
        between: Sequence[str] = (",", "and"),
        hinted: Sequence[Choice[T]] | None = None,
    ) -> tuple[T, ...]:
        """So many of the choices: "a, b and c". The places are called "NAME 1", "NAME 2", ...

        With `twice`, one may be named more than once. `between` stands between two, and before
        the last one.
        """
        found: list[T] = []
        for place in range(number):
            if place:
                self.words(between[-1] if place == number - 1 else between[0])
            left = [choice for choice in choices if twice or choice.value not in found]
            some = None if hinted is None else [choice for choice in hinted if choice in left]
            found.append(
                self.pick(
                    f"{name} {place + 1}",
                    left,
                    what=what,
                    ask=self.asked_on(ask, choices, found, number) if ask else "",
                    glued=glued,
                    hinted=some,
                )
            )
        self.complete(f"{number} are told already")
        return tuple(found)

    def asked_on(
        self, ask: str, choices: Sequence[Choice[Any]], found: Sequence[Any], number: int
    ) -> str:
        """The question for the rest of so many things: "Rope, Hall, and one more:"."""
        if not found:
            return ask
        titles = {choice.value: choice.title for choice in choices}
        more = number - len(found)
        return f"{', '.join(titles[value] for value in found)}, and {number_word(more)} more:"

    def some(
        self,
        name: str,
        choices: Sequence[Choice[T]],
        nothing: Choice[None] | None = None,
        *,
        what: str,
        ask: str = "",
        twice: bool = False,
        glued: bool = False,
        between: Sequence[str] = (",", "and"),
        hinted: Sequence[Choice[T]] | None = None,
    ) -> tuple[T, ...]:
        """Any number of the choices, or words for none. The places are called "NAME 1", ...

        Without such words there is at least one. The list ends where a part of the sentence does
        (`ended`).
        """
        found: list[T] = []
        total = self.count(name)
        none = () if nothing is None else (nothing,)
        if total == 0:
            for choice in none:
                self.words(choice.title, short=choice.short)
            return ()
        while total is None or len(found) < total:
            if found and total is None and self.ended():
                break
            if found:
                self.words(between[-1] if total == len(found) + 1 else between[0])
            left: list[Choice[T | None]] = [
                choice for choice in choices if twice or choice.value not in found
            ]
            value = self.pick(
                f"{name} {len(found) + 1}",
                left if found else [*left, *none],
                what=what,
                ask=ask,
                implied=always(END) if found and total is None else None,
                glued=glued,
                hinted=None if hinted is None else [c for c in left if c in (*hinted, *none)],
            )
            if value is None or value is END:
                break
            found.append(value)
        return tuple(found)


END: Any = object()
"""The implied text at the end of a list of any length."""


def has_seen(knowledge: Knowledge | None, atom: Atom) -> bool:
    """Whether the player of a perspective has seen that this is so, or it is so in a scene."""
    if knowledge is None:
        return False
    if isinstance(knowledge, Scene):
        return knowledge.world.get(atom.fluent) == atom.value
    return atom in knowledge.seen


def _only(players: Sequence[str]) -> str | None:
    return players[0] if len(players) == 1 else None


def always(value: T) -> Callable[[Any], T]:
    """A function of the position that does not depend on it."""
    return lambda state: value


@dataclass(frozen=True)
class Phrase(Generic[SetupT]):
    """The words for one kind of event.

    Attributes:
        kind: the class of its public part.
        script: goes through its sentence, and returns the event; see `Speech`.
        values: what an event of this kind has in each place of its sentence, by the names that
            the script uses. A list "NAME" stands for the places "NAME 1", "NAME 2", ...
        when: whether the rules can allow such an event in a position.
        typed: what can be typed, for people: the form, and what it means.
    """

    kind: type[Any]
    script: Callable[[Any], Any]
    values: Callable[[SetupT, Any], Mapping[str, Any]]
    when: Callable[[Any], bool] = lambda state: True
    typed: Mapping[str, str] | None = None
