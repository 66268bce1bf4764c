"""The parts of a sentence: fixed words, slots, and values that follow from these.

A sentence is a sequence of parts, from left to right. The same parts are used for printing and for
reading: the value of each slot comes from an event or from a text. A property of a part that
depends on the parts to its left is a function of `Said`.

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
        setup: the setup of the game.
        state: the position before the event, under the rules; for a person's move, the `View` of
            that person.
        seat: the player who keeps the record; None if the truth is known.
        knowledge: the scene, or the perspective of the seat, before the event.
    """

    setup: SetupT
    state: Any
    seat: str | None = None
    knowledge: EpistemicState | None = None


END: Any = object()
"""The implied value of the slot that ends a list of any length."""


@dataclass(frozen=True)
class Said(Generic[SetupT]):
    """The sentence so far, to the left of the current part.

    Attributes:
        situation: the situation of the description. Its state is None when an event is printed in
            full.
        values: the values of the slots so far; when an event is printed, the values of all its
            slots.
        is_printed: whether a known event is printed; False: a text is read.
        is_brief: whether a short form is printed, which omits everything that the reader can infer.
        typed: the text that is read.
        place: the index in that text at which the part begins.
        is_menu: whether choices are listed for a menu. Items that can be typed in any order are
            then chosen in the order in which they are printed.
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
        """The setup of the game."""
        return self.situation.setup

    @property
    def state(self) -> Any:
        """The position before the event."""
        return self.situation.state

    @property
    def seat(self) -> str | None:
        """The player who keeps the record; None if the truth is known."""
        return self.situation.seat

    @property
    def me(self) -> str:
        """The acting player: the named player, or else the seat."""
        return str(self.get("player") or self.seat)

    @property
    def is_move(self) -> bool:
        """True for a person's move, in which the person is addressed as "you"."""
        return isinstance(self.state, View)

    @property
    def does(self) -> str:
        """The acting player with the verb of a question: "does Ann", "do you"."""
        return "do you" if self.is_move else f"does {person(self.me)}"

    def options(self, field: str) -> list[Any]:
        """Return the distinct values of a field in the possible moves (`Decision.options`)."""
        options = () if self.state.decision is None else self.state.decision.options or ()
        values = [getattr(option, field) for option in options if hasattr(option, field)]
        return list(dict.fromkeys(values))

    @property
    def ends(self) -> bool:
        """True if a text is read and a part of the sentence ends here.

        A part ends at a semicolon, a full stop, the end of a line or the end of the text.
        """
        return self.typed is not None and self.typed.breaks(self.place)

    def sees(self, *players: str) -> bool:
        """Return whether the sentence includes information that only these players see.

        Only the records of these players, and a record of the truth, include it.
        """
        return self.seat is None or self.seat in players

    def own(self, atom: Atom) -> bool:
        """Return whether the atom is true in the known world, or the seat saw that it is true.

        When an event is printed in full, no knowledge is available, and the result is False.
        """
        knowledge = self.situation.knowledge
        if knowledge is None:
            return False
        if isinstance(knowledge, Scene):
            return knowledge.world.get(atom.fluent) == atom.value
        return atom in knowledge.seen

    def tells(self, name: str) -> bool:
        """Return whether a printed event has a value in this slot. Return True when reading."""
        if not self.is_printed:
            return True
        return self.values.get(name) is not None or f"{name} 1" in self.values

    def count(self, name: str) -> int | None:
        """Return the length of a list when printing; None when reading or if no item is known."""
        if not self.is_printed:
            return None
        if name in self.values:
            return len(self.values[name])
        number = 0
        while self.values.get(f"{name} {number + 1}", END) is not END:
            number += 1
        return number or None

    def people(self, players: Iterable[str]) -> tuple[Choice[str], ...]:
        """Return choices of players by name; the seat can also be typed as "me"."""
        return players_to_choose(players, self.seat)


def value_of(values: Mapping[str, Any], name: str) -> Any:
    """Return the value of a slot; None if it has none.

    The slots "NAME 1", "NAME 2", ... take their values from a list "NAME" if there is one.
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
    """Return a value, computed from the sentence so far if it is a function."""
    return value(said) if callable(value) else value


def always(value: T) -> Callable[[Any], T]:
    """Return a constant function."""
    return lambda said: value


# ---- parts ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Words:
    """Fixed words.

    Attributes:
        text: the printed form; empty: nothing is printed.
        also: other forms that may be typed. Unless they are needed, the words may be omitted.
        short: the printed form in a short sentence; empty: nothing is printed there.
        needed: whether the words distinguish this kind of event from others and cannot be omitted.
    """

    text: Of[str]
    also: tuple[str, ...] = ()
    short: Of[str] = field(default="", kw_only=True)
    needed: Of[bool] = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Slot:
    """A place in a sentence for one of several choices.

    Attributes:
        name: the name of the slot, under which the event has its value (`Act.values`).
        choices: all choices for the slot, even if the rules forbid them now: a player who names a
            forbidden choice should learn the reason, and not be misunderstood.
        what: the expected value, in words: "a weapon".
        ask: the question for the value, if it is not typed.
        implied: returns the value if none is typed. If it is missing or returns None, a value must
            be typed.
        spoken: whether the short form prints the value even if it is implied.
        glued: whether other text may follow the value immediately, as for the dice "12345".
        separated: whether punctuation must separate the value from text that could be a part of it:
            "Red Pearl" is one card, not Red followed by Pearl.
        hinted: the choices that make sense now, for completion and as answers to the question.
            None: all.
        vague: words without meaning that may be typed before the value: "a card".
        barred: returns the choices that are impossible now, each with the reason in a sentence.
            Only the error message uses it.
        column: the column of the note sheet in which a choice must be possible, or the move is a
            mistake. Rows and choices are matched by title. Empty: there is none.
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
    """An optional part, such as "Ann lays down Weather"; its value tells whether it is said.

    Attributes:
        name: the name of the slot.
        text: the printed form if the value is true; otherwise nothing is printed.
        also: other forms that can be typed; the first is the short form.
        implied: returns the value that the rules imply if nothing is typed; None: false.
    """

    name: str
    text: Of[str]
    also: tuple[str, ...] = ()
    implied: Callable[[Said[Any]], bool] | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Unseen:
    """Words for a hidden value, such as "a card". Naming the value is an error.

    Attributes:
        name: the name of the slot.
        text: the printed text.
        choices: the choices for the hidden value.
        who: the players who see the value, in words: "Ann and Bob".
    """

    name: str
    text: str
    choices: Of[Sequence[Choice[Any]]]
    who: Of[str]


@dataclass(frozen=True)
class Given:
    """A value that is neither printed nor typed, but follows from the sentence and the position.

    When an event is printed, the position may be unknown, and the value comes from the event.
    """

    name: str
    found: Callable[[Said[Any]], Any]


@dataclass(frozen=True)
class Objection:
    """The reason for which a text is refused.

    Attributes:
        text: the reason, in a sentence.
        place: the name of the refused slot.
        is_unclear: whether `text` lists several readings of that slot. The text is then refused
            even if the whole sentence has a less likely reading.
        is_denied: whether the value contradicts the observations of the seat. The reader then does
            not ask for the rest of the event. A complete event is not refused here, but checked
            against all knowledge, because an earlier entry may be wrong instead.
    """

    text: str
    place: str
    is_unclear: bool = field(default=False, kw_only=True)
    is_denied: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Check:
    """A condition on the sentence so far, for reading a text.

    Attributes:
        place: the name of the slot that is refused if the condition fails.
        why: the reason for the failure, in a sentence; empty or None if the condition holds.
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
    """The end of the event. `reason` says why no further text can follow."""

    reason: Of[str]


@dataclass(frozen=True)
class Then:
    """Parts that depend on the sentence so far."""

    parts: Callable[[Said[Any]], Sequence[Part]]


Part: TypeAlias = Words | Slot | Flag | Unseen | Given | Check | Complete | Then


# ---- combinations of parts -----------------------------------------------------------------------


def _myself(said: Said[Any]) -> Sequence[Part]:
    assert said.seat is not None
    me = said.people([said.seat])[0]
    return (Words(me.title, (*me.also, *me.loosely)),)


MYSELF = Then(_myself)
"""The person who makes the move. Their name need not be typed."""


def everybody(said: Said[Any]) -> tuple[Choice[str], ...]:
    """Return choices of all players, by name."""
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
    """Return a slot for a player, with its checks.

    Args:
        name: the name of the slot.
        movers: returns the players whose turn it can be; others are refused. If there is only one,
            the name need not be typed. None: any player.
        among: returns the players who make sense now, for completion. Others can still be typed.
        ask: the question for the player.
        passed: the input for a player who did nothing on their turn, if that is possible.
        itself: an action that players cannot direct at themselves, such as "ask". Empty: the acting
            player may be named.
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
    """Return the parts for the turn, which follows from the position, and for its player.

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


def allowed(
    slot: Slot,
    can: str,
    values: Callable[[Said[Any]], Sequence[Any]],
    never: str = "there is no choice now",
) -> tuple[Part, ...]:
    """Return a slot that suggests the possible choices, and a check that refuses all others.

    Args:
        slot: the slot.
        can: the verb for the use of a choice, such as "draw from".
        values: returns the values of the possible choices.
        never: the reason why there is none.
    """

    def hinted(said: Said[Any]) -> Sequence[Choice[Any]]:
        able = values(said)
        return [choice for choice in of(slot.choices, said) if choice.value in able]

    def refused(said: Said[Any]) -> str | None:
        value = said[slot.name]
        if value in values(said):
            return None
        able = hinted(said)
        if not able:
            return never
        titles = listed([choice.title for choice in able]).replace(" and ", " or ")
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
    """Return a slot that only some players see. They must fill it, and others cannot.

    Args:
        slot: the slot.
        seen_by: returns the players who see it.
        unseen: the text for other players, which may also be typed before the value: "a card".
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
    """Return a list of slots called "NAME 1", "NAME 2", ... for choices such as "a, b and c".

    Args:
        slot: the pattern for each slot, with the name of the list and the question for the first
            item.
        number: the number of slots.
        twice: whether a choice may be named more than once.
        between: the separator of two items, and the separator before the last item.
        short: the separator of two items in the short form.
        implied: returns the value of a slot, given its index from 0, if none is typed.
        after: the reason why no item can follow; empty: "all 3 are already entered". None: text may
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


def some(slot: Slot) -> Then:
    """Return a list of slots called "NAME 1", "NAME 2", ... for at least one choice.

    The list ends where a part of the sentence ends. `slot` is the pattern for each slot, with the
    name of the list.
    """

    def place(said: Said[Any], filled: int) -> Sequence[Part]:
        total = said.count(slot.name)
        before = [said[f"{slot.name} {n + 1}"] for n in range(filled)]
        end = Given(slot.name, always(tuple(before)))
        if filled == total or (filled and total is None and said.ends):
            return (end,)
        here = replace(
            _in_list(slot, _without(of(slot.choices, said), before), filled),
            implied=always(END) if filled and total is None else None,
        )
        joined = Words("and" if total == filled + 1 else ",")
        following = Then(lambda said: goes_on(said, filled + 1, end))
        return (joined, here, following) if filled else (here, following)

    def goes_on(said: Said[Any], filled: int, end: Given) -> Sequence[Part]:
        last = said[f"{slot.name} {filled}"]
        return (end,) if last is END else place(said, filled)

    return Then(lambda said: place(said, 0))


def _in_list(slot: Slot, choices: Sequence[Choice[Any]], filled: int) -> Slot:
    """Return the next slot of a list, with the remaining choices."""

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
