"""The parts of a sentence: fixed words, places to be filled in, and what follows from these.

A sentence is a sequence of parts, from left to right. With the same parts it is printed and read:
an event has a value for each place, or the text has. What a part says may depend on what has been
said to the left of it; then it is a function of `Said`.

    BID = (
        Given("turn", lambda said: said.state.turn),
        *a_player("player", movers=lambda said: (said.state.mover,)),
        Words("bids"),
        Slot("quantity", numbers_to_choose(1, 30), what="a number of dice"),
        Slot("face", faces, what="a face"),
        Words("."),
    )
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeAlias, TypeVar

from symkripke.explain.text import listed
from symkripke.language import Atom
from symkripke.model import EpistemicState, Scene
from symkripke.play.acts.choices import Choice, choice_of, number_word, players_to_choose
from symkripke.play.acts.matching import Typed
from symkripke.play.player import View
from symkripke.play.rules import Setup
from symkripke.play.words import person

T = TypeVar("T")
SetupT = TypeVar("SetupT", bound=Setup)


@dataclass(frozen=True)
class Situation(Generic[SetupT]):
    """The situation in which an event is described.

    Attributes:
        setup: the setup.
        state: the position before the event, as the rules see it; for a person's move its `View`.
        seat: the player whose record it is; None where the truth is known.
        knowledge: the scene, or the perspective of the seat, before the event.
    """

    setup: SetupT
    state: Any
    seat: str | None = None
    knowledge: EpistemicState | None = None


END: Any = object()
"""The implied text at the end of a list of any length."""


@dataclass(frozen=True)
class Said(Generic[SetupT]):
    """The parts to the left of a part.

    Attributes:
        situation: the situation of the description. Its state is None where an event is printed in
            full.
        values: the values of the places; where an event is printed, of all that it has.
        is_printed: whether the event is known and printed; False: a text is read.
        is_brief: whether a short form is printed, which leaves out what the reader can conclude.
        typed: the text that is read.
        place: where in that text the part begins.
        is_menu: whether choices are listed for a menu: things that can be said in any order are
            chosen in the order in which they are printed.
    """

    situation: Situation[SetupT]
    values: Mapping[str, Any]
    is_printed: bool = False
    is_brief: bool = False
    typed: Typed | None = None
    place: int = 0
    is_menu: bool = False

    def __getitem__(self, name: str) -> Any:
        if name in self.values:
            return self.values[name]
        value = value_of(self.values, name)
        if value is None:
            raise KeyError(name)
        return value

    def get(self, name: str) -> Any:
        """Return the value of a slot; None if it has none."""
        return value_of(self.values, name)

    @property
    def setup(self) -> SetupT:
        """The setup."""
        return self.situation.setup

    @property
    def state(self) -> Any:
        """The position before the event."""
        return self.situation.state

    @property
    def seat(self) -> str | None:
        """The player who says it, or to whom it is said; None: who knows the truth."""
        return self.situation.seat

    @property
    def me(self) -> str:
        """The acting player: the named player, or else the seat."""
        return str(self.get("player") or self.seat)

    @property
    def is_move(self) -> bool:
        """True if it is a person's move: the person is addressed as "you"."""
        return isinstance(self.state, View)

    @property
    def does(self) -> str:
        """The player who acts, in a question: "does Ann", "do you"."""
        return "do you" if self.is_move else f"does {person(self.me)}"

    def options(self, field: str) -> list[Any]:
        """Return the values of a field in the possible moves (`Decision.options`)."""
        options = () if self.state.decision is None else self.state.decision.options or ()
        values = [getattr(option, field) for option in options if hasattr(option, field)]
        return list(dict.fromkeys(values))

    @property
    def ends(self) -> bool:
        """True if a part of the sentence ends here, where a text is read; else False.

        A semicolon, a full stop, the end of a line or of the text comes next.
        """
        return self.typed is not None and self.typed.breaks(self.place)

    def sees(self, *players: str) -> bool:
        """Return whether the sentence tells what only these players see.

        It does so in their own records, and where the truth is known.
        """
        return self.seat is None or self.seat in players

    def own(self, atom: Atom) -> bool:
        """Return whether the atom is true in the known world, or was seen to be true by the seat.

        When an event is printed in full, nothing is known, so the text does not depend on it.
        """
        knowledge = self.situation.knowledge
        if knowledge is None:
            return False
        if isinstance(knowledge, Scene):
            return knowledge.world.get(atom.fluent) == atom.value
        return atom in knowledge.seen

    def tells(self, name: str) -> bool:
        """Return whether an event that is printed has a value in this place. When reading: True."""
        if not self.is_printed:
            return True
        return self.values.get(name) is not None or f"{name} 1" in self.values

    def count(self, name: str) -> int | None:
        """Return the length of a list when printing; None when reading."""
        if not self.is_printed:
            return None
        if name in self.values:
            return len(self.values[name])
        number = 0
        while self.values.get(f"{name} {number + 1}", END) is not END:
            number += 1
        return number or None

    def people(self, players: Iterable[str]) -> tuple[Choice[str], ...]:
        """Return players by name; the seat as "me", too."""
        return players_to_choose(players, self.seat)


def value_of(values: Mapping[str, Any], name: str) -> Any:
    """Return the value of a slot; the list "NAME" has those of the slots "NAME 1", "NAME 2", ...

    None if there is none.
    """
    if name in values:
        return values[name]
    of_list, _, number = name.rpartition(" ")
    values_in_list = values.get(of_list, ()) if number.isdigit() else ()
    return (
        values_in_list[int(number) - 1]
        if values_in_list and int(number) <= len(values_in_list)
        else None
    )


Of: TypeAlias = T | Callable[[Said[Any]], T]
"""A value, or a function of the sentence so far."""


def of(value: Of[T], said: Said[Any]) -> T:
    """Return the value after these parts."""
    return value(said) if callable(value) else value


def always(value: T) -> Callable[[Any], T]:
    """Return a constant function."""
    return lambda said: value


# ---- parts ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Words:
    """Words that are always the same.

    Attributes:
        text: as they are printed; empty: they are not printed.
        also: what else may be typed for them. All of it may be left out.
        short: as they are printed in the short form; empty: they are left out there.
        needed: they tell this kind of event from others, and cannot be left out.
    """

    text: Of[str]
    also: tuple[str, ...] = ()
    short: Of[str] = field(default="", kw_only=True)
    needed: Of[bool] = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Slot:
    """A place for one of some choices.

    Attributes:
        name: the name of the place; the event has its value under this name (`Act.values`).
        choices: all contents of the place, whether or not the rules allow them now: a player who
            names an impossible one should learn why, and not be misunderstood.
        what: the expected content, in words: "a weapon".
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
        column: the column of the note sheet in which a choice must be, or the move is a mistake;
            its rows have the titles of the choices. Empty: there is none.
    """

    name: str
    choices: Of[Sequence[Choice[Any]]]
    what: Of[str] = field(kw_only=True)
    ask: Of[str] = field(default="", kw_only=True)
    implied: Callable[[Said[Any]], Any] | None = field(default=None, kw_only=True)
    spoken: bool = field(default=False, kw_only=True)
    glued: bool = field(default=False, kw_only=True)
    separated: bool = field(default=False, kw_only=True)
    hinted: Of[Sequence[Choice[Any]] | None] = field(default=None, kw_only=True)
    vague: str = field(default="", kw_only=True)
    barred: Callable[[Said[Any]], Mapping[Choice[Any], str]] | None = field(
        default=None, kw_only=True
    )
    column: str = field(default="", kw_only=True)


@dataclass(frozen=True)
class Flag:
    """True if an optional part is said, such as "Ann lays down Weather".

    Attributes:
        name: of the place.
        text: the printed form if it is true; otherwise nothing is printed.
        also: what else can be typed; the first is the short form.
        implied: the value that the rules imply if nothing is typed; None: false.
    """

    name: str
    text: Of[str]
    also: tuple[str, ...] = ()
    implied: Callable[[Said[Any]], bool] | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Unseen:
    """Words for an unseen content: "a card". Naming the content is an error.

    Attributes:
        name: of the place.
        text: the printed text.
        choices: what would be named there.
        who: who sees it, in words: "Ann and Bob".
    """

    name: str
    text: str
    choices: Of[Sequence[Choice[Any]]]
    who: Of[str]


@dataclass(frozen=True)
class Given:
    """A value that is neither printed nor typed, but follows from the sentence and the position.

    Where an event is printed, the position may not be known: the event has it by that name.
    """

    name: str
    found: Callable[[Said[Any]], Any]


@dataclass(frozen=True)
class Objection:
    """Why a text is refused.

    Attributes:
        text: why, in a sentence.
        place: the name of the place that is refused.
        is_unclear: whether `text` lists several readings of that place: then the text is refused
            even if the whole sentence has a less likely reading.
        is_denied: whether the content contradicts the observations of the seat. The rest of the
            event is then not asked for. A complete event is not refused here: it is checked against
            all knowledge, and an earlier entry may be wrong instead.
    """

    text: str
    place: str
    is_unclear: bool = field(default=False, kw_only=True)
    is_denied: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Check:
    """A condition on the sentence so far, for reading a text.

    Attributes:
        place: the place that is refused if the condition fails.
        why: why it fails, in a sentence; empty or None if it holds.
        is_unclear: see `Objection`.
        is_denied: see `Objection`.
    """

    place: str
    why: Of[str | None]
    is_unclear: Of[bool] = field(default=False, kw_only=True)
    is_denied: bool = field(default=False, kw_only=True)

    def problem(self, said: Said[Any]) -> Objection | None:
        """Return the objection; None if the condition holds."""
        if not (why := of(self.why, said)):
            return None
        unclear = of(self.is_unclear, said)
        return Objection(why, self.place, is_unclear=unclear, is_denied=self.is_denied)


@dataclass(frozen=True)
class Complete:
    """The end of the event. `reason` says why further text is too much, as in "that is all"."""

    reason: Of[str]


@dataclass(frozen=True)
class Then:
    """Parts that depend on what has been said."""

    parts: Callable[[Said[Any]], Sequence[Part]]


Part: TypeAlias = Words | Slot | Flag | Unseen | Given | Check | Complete | Then


# ---- made of these -------------------------------------------------------------------------------


def _myself(said: Said[Any]) -> Sequence[Part]:
    assert said.seat is not None
    me = said.people([said.seat])[0]
    return (Words(me.title, (*me.also, *me.loosely)),)


MYSELF = Then(_myself)
"""The player who says it: need not be typed."""


def everybody(said: Said[Any]) -> tuple[Choice[str], ...]:
    """Return all players, by name."""
    return said.people(said.setup.players)


def a_player(
    name: str,
    *,
    movers: Callable[[Said[Any]], Sequence[str]] | None = None,
    among: Callable[[Said[Any]], Sequence[str]] | None = None,
    ask: Of[str] = "",
    passed: str = "",
    itself: str = "",
) -> tuple[Part, ...]:
    """Return a slot for a player.

    Args:
        name: of the place.
        movers: whose turn it can be; nobody else will do. If there is one only, it need not be
            typed. None: any player.
        among: those that make sense now, for completion; the others can be typed, too.
        ask: the question for it.
        passed: the input for a player who did nothing on their turn, if that is possible.
        itself: what nobody can do to itself: "ask". Empty: the player may be who acts.
    """

    def not_due(said: Said[Any]) -> str | None:
        allowed = [] if movers is None else movers(said)
        if said[name] in allowed:
            return None
        right = " or ".join(f"{person(player)}'s" for player in allowed)
        due = " or ".join(map(person, allowed))
        nothing = f" ('{due}: {passed}' if nothing happened)" if passed else ""
        before = f": enter first what {due} did{nothing}" if len(allowed) == 1 else ""
        return f"it is {right} turn, not {person(said[name])}'s{before}"

    def to_itself(said: Said[Any]) -> str | None:
        if said[name] != said.me:
            return None
        return (
            f"you cannot {itself} yourself"
            if said.is_move
            else (f"{person(said.me)} cannot {itself} themselves")
        )

    checks = [Check(name, why) for why in (movers and not_due, itself and to_itself) if why]
    return (
        Slot(
            name,
            everybody,
            what="a player",
            ask=ask,
            implied=None if movers is None else lambda said: only(movers(said)),
            spoken=True,
            hinted=None if among is None else lambda said: said.people(among(said)),
        ),
        *checks,
    )


def mover(
    ask: Of[str] = "", passed: str = "", at: Callable[[Said[Any]], Any] = lambda said: said.state
) -> tuple[Part, ...]:
    """Return the parts for the turn, which follows from the position, and its player.

    Args:
        ask: the question for the player.
        passed: see `a_player`.
        at: the position in which the event happens.
    """
    turn = Given("turn", lambda said: at(said).turn)
    return (
        turn,
        *a_player("player", movers=lambda said: (at(said).mover,), ask=ask, passed=passed),
    )


def allowed(slot: Slot, can: str, values: Callable[[Said[Any]], Sequence[Any]]) -> tuple[Part, ...]:
    """Return a slot in which only some choices are possible: they are hinted, others refused.

    Args:
        slot: the place.
        can: what the player does with a choice: "draw from".
        values: the values of the choices that can be there.
    """

    def hinted(said: Said[Any]) -> Sequence[Choice[Any]]:
        able = values(said)
        return [choice for choice in of(slot.choices, said) if choice.value in able]

    def refused(said: Said[Any]) -> str | None:
        value = said[slot.name]
        if value in values(said):
            return None
        titles = listed([choice.title for choice in hinted(said)]).replace(" and ", " or ")
        chosen = choice_of(of(slot.choices, said), value)
        assert chosen is not None
        named = "yourself" if value == said.seat else chosen.title
        to = "".join(f"{word} " for word in can.split()[1:])
        return f"you can {can} {titles}, not {to}{named}"

    return (replace(slot, hinted=hinted), Check(slot.name, refused))


def only(values: Sequence[T]) -> T | None:
    """Return the only value, or None if there is not exactly one."""
    return values[0] if len(values) == 1 else None


def secret(slot: Slot, *, seen_by: Callable[[Said[Any]], Sequence[str]], unseen: str) -> Then:
    """Return a slot that only some players see: they must fill it, others cannot.

    Args:
        slot: the place.
        seen_by: who sees it.
        unseen: what stands there for others, and may be typed before it: "a card".
    """

    def seen(said: Said[Any]) -> Sequence[Part]:
        players = seen_by(said)
        if said.sees(*players) and said.tells(slot.name):
            return (replace(slot, vague=unseen),)
        who = listed([person(player) for player in players])
        return (Unseen(slot.name, unseen, slot.choices, who),)

    return Then(seen)


def several(
    slot: Slot,
    number: Of[int],
    *,
    twice: bool = False,
    between: Sequence[str] = (",", "and"),
    short: str = "",
    implied: Callable[[Said[Any], int], Any] | None = None,
    after: Of[str] | None = "",
) -> Then:
    """Return slots for several of some choices: "a, b and c", called "NAME 1", "NAME 2", ...

    Args:
        slot: each of the places, with the name of the list; asks for the first of them.
        number: the number of places.
        twice: whether a choice may be named more than once.
        between: what stands between two, and before the last one.
        short: what stands between two in the short form.
        implied: the content of a place, counted from 0, if it is not typed.
        after: the reason why no more can follow; empty: "3 are told already". None: more may
            follow.
    """

    def place(said: Said[Any], filled: int) -> Sequence[Part]:
        total, every = of(number, said), of(slot.choices, said)
        before = [said[f"{slot.name} {n + 1}"] for n in range(filled)]
        if filled == total:
            end = Given(slot.name, always(tuple(before)))
            if after is None:
                return (end,)
            return (Complete(of(after, said) or f"all {total} are already entered"), end)
        here = _in_list(slot, every if twice else _without(every, before), filled)
        here = replace(
            here,
            ask=lambda said: _asked_on(of(slot.ask, said), every, before, total),
            implied=None if implied is None else lambda said: implied(said, filled),
        )
        joined = Words(between[-1] if filled == total - 1 else between[0], short=short)
        following = Then(lambda said: place(said, filled + 1))
        return (joined, here, following) if filled else (here, following)

    return Then(lambda said: place(said, 0))


def some(
    slot: Slot,
    nothing: Choice[None] | None = None,
    *,
    twice: bool = False,
    between: Sequence[str] = (",", "and"),
) -> Then:
    """Return any number of the choices, or words for none. The places are called "NAME 1", ...

    Without such words there is at least one. The list ends where a part of the sentence does.

    Args:
        slot: each of the places, with the name of the list.
        nothing: the words for none.
        twice: whether one may be named more than once.
        between: what stands between two, and before the last one.
    """

    def place(said: Said[Any], filled: int) -> Sequence[Part]:
        total = said.count(slot.name)
        before = [said[f"{slot.name} {n + 1}"] for n in range(filled)]
        end = Given(slot.name, always(tuple(before)))
        if filled == total:
            none = () if nothing is None or filled else (nothing,)
            return (*(Words(words.title, short=words.short) for words in none), end)
        if filled and total is None and said.ends:
            return (end,)
        every = of(slot.choices, said)
        left = every if twice else _without(every, before)
        none = () if nothing is None or filled else (nothing,)
        here = replace(
            _in_list(slot, [*left, *none], filled),
            implied=always(END) if filled and total is None else None,
        )
        joined = Words(between[-1] if total == filled + 1 else between[0])
        following = Then(lambda said: goes_on(said, filled + 1, end))
        return (joined, here, following) if filled else (here, following)

    def goes_on(said: Said[Any], filled: int, end: Given) -> Sequence[Part]:
        last = said[f"{slot.name} {filled}"]
        return (end,) if last is None or last is END else place(said, filled)

    return Then(lambda said: place(said, 0))


def _in_list(slot: Slot, choices: Sequence[Choice[Any]], filled: int) -> Slot:
    """Return the next slot of a list, with the choices left."""

    def hinted(said: Said[Any]) -> Sequence[Choice[Any]] | None:
        likely = of(slot.hinted, said)
        return None if likely is None else [choice for choice in choices if choice in likely]

    return replace(slot, name=f"{slot.name} {filled + 1}", choices=choices, hinted=hinted)


def _without(choices: Sequence[Choice[Any]], values: Sequence[Any]) -> list[Choice[Any]]:
    return [choice for choice in choices if choice.value not in values]


def _asked_on(ask: str, choices: Sequence[Choice[Any]], filled: Sequence[Any], number: int) -> str:
    """Return the question for the rest of a list: "Rope, Hall, and one more:"."""
    if not filled or not ask:
        return ask
    titles = {choice.value: choice.title for choice in choices}
    more = number - len(filled)
    return f"{', '.join(titles[value] for value in filled)}, and {number_word(more)} more:"
