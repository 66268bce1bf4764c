"""What a game is to the rest of the program: a record of facts, and six functions.

A game is played by its rules alone (`State`: immutable, no logic in it); what its events tell is
said by an encoding (`Game.structure` and `Game.event`); who decides is a player (`Player`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from inspect import getdoc
from random import Random
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import msgspec

from symkripke.engines import Engine
from symkripke.errors import InputError, UnknownName, Unsupported
from symkripke.language import Atom, Formula
from symkripke.model import Event, KnowledgeStructure, Perspective, World, evaluate
from symkripke.play.options import Option

if TYPE_CHECKING:
    from symkripke.play.table import Table

CHANCE = ""
"""Who decides where chance does: no player has this name."""


class Public(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What everybody sees of an event. Each kind of event of a game is a tagged subclass.

    Attributes:
        turn: the turn in which it happens, from 1; 0 if it belongs to the deal. Events of one
            turn follow each other.
    """

    turn: int


class Setup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is fixed before the cards are dealt, and known to all.

    Attributes:
        rules: the name of the rule set.
        players: the players' names, in seat order.
    """

    rules: str
    players: tuple[str, ...]


SetupT = TypeVar("SetupT", bound=Setup)
PublicT = TypeVar("PublicT", bound=Public)


@dataclass(frozen=True)
class Decision:
    """Something that a player must decide.

    Attributes:
        player: who decides; `CHANCE` if nobody does (see `Game.chance`).
        kind: what about, as the game names it ("act", "show", ...).
        options: the moves to choose from where they are few; None where the game's rules
            describe them.
        pending: the event under way that waits for this, as far as everybody has seen it (the
            question that is to be answered); None if there is none.
    """

    player: str
    kind: str
    options: tuple[Any, ...] | None = None
    pending: Public | None = None


@dataclass(frozen=True)
class Outcome(Generic[PublicT]):
    """An event as it happened.

    Attributes:
        public: what everybody sees.
        secret: the values of the event's private fluents; only their observers see them.
    """

    public: PublicT
    secret: Mapping[str, str]


class State(Protocol[PublicT]):
    """A position of the game, as the rules see it. Immutable.

    A state without a deal (`Game.start(setup, None)`) is that of somebody who only sees what is
    public: it can follow events, but not play.
    """

    @property
    def turn(self) -> int:
        """The turn that is being played, from 1."""

    @property
    def decision(self) -> Decision | None:
        """What is to be decided now; None when the game is over."""

    @property
    def result(self) -> str | None:
        """How the game ended, in words; None while it goes on."""

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has won; empty while the game goes on, or if nobody has."""

    @property
    def out(self) -> frozenset[str]:
        """The players that are out: they can no longer win, or no longer act."""

    def play(self, move: Any) -> tuple[State[PublicT], Outcome[PublicT] | None]:
        """Make a move: the next state, and the event that it completes, if it does.

        Raises:
            RuleError: the rules forbid the move.
        """

    def follow(self, outcome: Outcome[PublicT]) -> State[PublicT]:
        """The state after an event that is told, not played.

        Raises:
            RuleError: it cannot have happened here.
        """


@dataclass(frozen=True)
class View(Generic[SetupT, PublicT]):
    """All that a player has when it must decide: its perspective and the public record.

    Attributes:
        setup: the setup.
        perspective: what it has seen.
        record: all public events so far.
        decision: what it must decide (None when it is only asked for its knowledge).
    """

    setup: SetupT
    perspective: Perspective
    record: Sequence[PublicT]
    decision: Decision | None = None

    @property
    def player(self) -> str:
        """Whose view it is."""
        return self.perspective.agent


@dataclass(frozen=True)
class Paper:
    """A small note sheet: lines of cells, each with the place of one thing, as on paper.

    Attributes:
        lines: for each line by its title the rows of the layout that stand in it, each by the title
            of its column, which is a code.
        codes: what the codes of the columns mean.
        goal: the column of the layout that the game's question is about.
    """

    lines: Mapping[str, Mapping[str, str]]
    codes: str
    goal: str


@dataclass(frozen=True)
class Layout:
    """How the note sheet of a game is laid out: a table of atoms with titles.

    Attributes:
        groups: the rows by kind, each with its title:
            {"suspects": {"location(plum)": "Professor Plum", ...}, ...}.
        columns: the columns with their titles: {"plum": "Plum", ..., "envelope": "Envelope"}.
        cell: what a row and a column stand for. In most games an atom: a row is a fluent (where
            a card is) and a column one of its values.
        counts: whether the rows of a group count up ("at least one", "at least two", ...), so
            that a group and a column together stand for a number.
        contents: what each column has in a world, where that is said better than by the rows.
        codes: short names of rows, for long lists, if there are any; `legend` says what they mean.
        legend: see `codes`.
        paper: the sheet as it is printed on paper, if that is another one.
    """

    groups: Mapping[str, Mapping[str, str]]
    columns: Mapping[str, str]
    cell: Callable[[str, str], Formula] = Atom
    counts: bool = False
    contents: Callable[[World], Mapping[str, str]] | None = None
    codes: Mapping[str, str] = field(default_factory=dict)
    legend: str = ""
    paper: Paper | None = None

    @cached_property
    def rows(self) -> Mapping[str, str]:
        """All rows, in order, with their titles."""
        return {row: title for rows in self.groups.values() for row, title in rows.items()}

    @cached_property
    def cells(self) -> Mapping[tuple[str, str], Formula]:
        """What each row and column stand for."""
        return {
            (row, column): self.cell(row, column) for row in self.rows for column in self.columns
        }

    @cached_property
    def places(self) -> Mapping[Formula, tuple[str, str]]:
        """The row and the column of each atom."""
        return {atom: place for place, atom in self.cells.items()}

    def held(self, world: World, *, short: bool = False) -> Mapping[str, Sequence[str]]:
        """What each column has in a world of plain names: the titles of its rows, or in words.

        With `short`, the codes of the rows, where there are any.
        """
        if self.contents is not None:
            found = self.contents(world)
            return {column: (told,) if told else () for column, told in found.items()}
        return {
            column: [
                self.codes.get(row, title) if short else title
                for row, title in self.rows.items()
                if evaluate(self.cells[row, column], world)
            ]
            for column in self.columns
        }


@dataclass(frozen=True)
class Assessment:
    """How far a player has come, by its own way of reasoning.

    Attributes:
        open: the number of answers to the game's question that it still considers possible
            (Cluedo: solutions).
        located: what it knows for sure: for each fluent of the deal, its value.
        certain: whether it knows the answer to the game's question.
    """

    open: int
    located: Mapping[str, str]
    certain: bool


@dataclass(frozen=True)
class Advice:
    """A move that can be recommended.

    Attributes:
        title: the move in words.
        gain: what it is worth, in the game's `unit`: what it is expected to tell, in bits.
        reason: why, in words.
        data: the same and more as plain data, for JSON.
    """

    title: str
    gain: float
    reason: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Prospect:
    """A move that a player could make, with the chance that it succeeds.

    Attributes:
        title: the move in words.
        chances: how probable that is, by what is taken into account ("my dice", ...).
        data: the move as plain data, for JSON.
    """

    title: str
    chances: Mapping[str, Fraction]
    data: Mapping[str, Any]


class Player(Protocol[SetupT, PublicT]):
    """A strategy at one seat. It never sees more than its view."""

    def choose(self, view: View[SetupT, PublicT]) -> Any:
        """The move to make. `view.decision` says what is to be decided.

        A move may have a `reason`, in words, which is told to onlookers, never to other players.
        """

    def assess(self, view: View[SetupT, PublicT]) -> Assessment:
        """How far the player has come."""


Mind = Callable[[Engine, Random], Player[Any, Any]]
"""Makes a player: from an engine for its questions and a source of chance of its own.

A kind of player that can be tuned is a class with a class method `tuned`, which takes what is
written behind the colon of `guesser:0.4` and returns a mind, or raises `InputError`.
"""


class Game(ABC, Generic[SetupT, PublicT]):
    """A game: a record of facts and the functions that the program needs of it.

    Attributes:
        name: as in `symkripke play NAME`.
        title: as people write it.
        summary: one line for the list of games.
        seats: how many can play under each rule set: (fewest, most).
        minds: the kinds of player, by name; the first is the default. `mind` finds them.
        question: what `Assessment.open` counts ("solutions").
        counted: which of these it counts, in words.
        answer: the definition by which an answer is called that is no cell of the note sheet.
        unit: what `Advice.gain` is measured in.
        loser: where all but one win: what is said of that one ("left with the queen").
        setup_type: the setup's class, for reading logs.
        public_type: the class of events, or a union of classes, for reading logs.
        options: what else `setup` takes, by name.
        examples: what can be asked about it, each with what it means, for the default players.
    """

    name: str
    title: str
    summary: str
    seats: Mapping[str, tuple[int, int]]
    minds: Mapping[str, Mind]
    question: str
    counted: str = "that each player still considers possible"
    answer: str = ""
    unit: str = "bits"
    loser: str = ""
    setup_type: type[SetupT]
    public_type: Any
    options: Mapping[str, Option] = {}
    examples: Mapping[str, str] = {}

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the rule sets; the first is the default."""
        return tuple(self.seats)

    def table(
        self, *, minds: Sequence[str] = (), seed: int = 0, **options: Any
    ) -> Table[SetupT, PublicT]:
        """A table with cards dealt, ready to play: `options` as for `setup`."""
        from symkripke.play.table import Table

        return Table(self, self.setup(**options), minds, seed)

    def kind(self, name: str) -> Mind:
        """The kind of player that is called so, whether it is tuned or not.

        Raises:
            UnknownName: there is none.
        """
        plain = name.partition(":")[0]
        if plain not in self.minds:
            raise UnknownName(f"kind of {self.title} player", plain, self.minds)
        return self.minds[plain]

    def mind(self, name: str) -> Mind:
        """What makes players of that name: `higher-order`, or `guesser:0.4` for a tuned one.

        Raises:
            UnknownName: there is no such kind of player.
            InputError: it cannot be tuned, or not so.
        """
        kind = self.kind(name)
        plain, colon, text = name.partition(":")
        if not colon:
            return kind
        tuned = getattr(kind, "tuned", None)
        if tuned is None:
            raise InputError(f"{plain} players cannot be tuned, got {name!r}")
        try:
            mind: Mind = tuned(text)
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
        return mind

    @abstractmethod
    def setup(
        self,
        *,
        rules: str | None = None,
        players: int | None = None,
        names: Sequence[str] | None = None,
        **options: Any,
    ) -> SetupT:
        """A setup; what is not given is the rule set's default.

        Args:
            rules: the name of the rule set.
            players: how many play.
            names: the players' names, in seat order.
            options: values for the game's `options` (`symkripke.play.options.chosen` reads them).

        Raises:
            RuleError: nobody could play so.
            InputError: there is no such option, or a value is none of its values.
        """

    @abstractmethod
    def check(self, setup: SetupT) -> None:
        """Raises `RuleError` if a setup (read from a log) is none that `setup` would make."""

    def check_minds(self, setup: SetupT, minds: Sequence[str]) -> None:
        """Raises `RuleError` if these kinds of player, one a seat, cannot play with this setup.

        For games in which something is commonly known of how players decide. Any can, if not
        said otherwise.
        """

    def advice(self, view: View[SetupT, PublicT], engine: Engine, number: int) -> Sequence[Advice]:
        """The moves that would tell the viewer most, were it its turn: so many, the best first.

        Raises:
            Unsupported: this game gives no advice, or the engine cannot count.
        """
        raise Unsupported(f"{self.title} has no advice")

    @abstractmethod
    def deal(self, setup: SetupT, chance: Random) -> World:
        """The chance move: a value for every fluent of the first structure."""

    @abstractmethod
    def start(self, setup: SetupT, deal: World | None) -> State[PublicT]:
        """The first state; raises `RuleError` for a deal that the rules do not allow."""

    @abstractmethod
    def structure(self, setup: SetupT) -> KnowledgeStructure:
        """What is commonly known before the first move, and who observes what."""

    @abstractmethod
    def hand(self, setup: SetupT, player: str, cards: Sequence[str]) -> World:
        """The observed part of the deal for a player that holds these; raises `RuleError`."""

    @abstractmethod
    def event(self, setup: SetupT, public: PublicT) -> Event:
        """What an event tells, and to whom."""

    @abstractmethod
    def story(self, setup: SetupT, outcome: Outcome[PublicT], viewer: str | None = None) -> str:
        """An event in words: all of it, or what `viewer` sees of it."""

    def scores(self, setup: SetupT, state: State[PublicT]) -> Mapping[str, str]:
        """What each player has won so far, in words ("3 groups"); empty if nothing is counted."""
        return {}

    def sizes(self, setup: SetupT, state: State[PublicT]) -> Mapping[str, int]:
        """How many cards or dice each player holds, which all see; empty if that never changes."""
        return {}

    def standing(self, setup: SetupT, state: State[PublicT], player: str) -> str:
        """How things are with a player that does not simply play on, in a word or two.

        Empty for one that does.
        """
        return "out" if player in state.out else ""

    @abstractmethod
    def layout(self, setup: SetupT) -> Layout:
        """The note sheet, and what to call the cards, players and places of the deal."""

    def layout_at(self, setup: SetupT, structure: KnowledgeStructure) -> Layout:
        """The note sheet at a moment: `layout`, if it is always the same."""
        return self.layout(setup)

    # ---- what a game may offer besides -----------------------------------------------------

    def answers(self, setup: SetupT) -> tuple[Atom, ...]:
        """The atoms that the game's question is about: those that are true are its answer.

        Empty if the game asks no such question.
        """
        return ()

    def answers_at(self, setup: SetupT, structure: KnowledgeStructure) -> tuple[Formula, ...]:
        """What the question is about at a moment: `answers`, if it is always the same."""
        return self.answers(setup)

    def aim(self, setup: SetupT, player: str) -> Formula | None:
        """That `player` knows the answer to the game's question; None if there is no question."""
        return None

    def aim_at(self, setup: SetupT, player: str, structure: KnowledgeStructure) -> Formula | None:
        """The same at a moment: `aim`, if the question is always the same."""
        return self.aim(setup, player)

    def prospects(self, view: View[SetupT, PublicT], engine: Engine) -> Sequence[Prospect]:
        """The moves that the viewer could make, each with the chance that it succeeds.

        Empty if there are none now, or the game has no such moves.
        """
        return ()

    # ---- games that throw or deal again ----------------------------------------------------

    def chance(self, setup: SetupT, state: State[PublicT], chance: Random) -> Any:
        """The move of chance, where `CHANCE` is to decide."""
        raise Unsupported(f"{self.title} leaves nothing to chance but the deal")

    def completed(self, state: State[PublicT], outcome: Outcome[PublicT]) -> Outcome[PublicT]:
        """An event in that state with everything that a log may leave out, because it follows.

        Raises:
            RuleError: it cannot happen here.
        """
        return outcome

    def told(self, setup: SetupT, state: State[PublicT], outcome: Outcome[PublicT]) -> Event:
        """What a completed event tells that happens in that state: `event`, if that says it."""
        return self.event(setup, outcome.public)

    def renewed(
        self, setup: SetupT, outcome: Outcome[PublicT]
    ) -> tuple[KnowledgeStructure, World] | None:
        """A new deal: the structure that begins with this event, and what its secrets tell.

        None if the event is none, but adds to what there is. For games that deal again when
        everything of the deal before has been seen by all: nothing of it is left to be known.
        """
        return None

    def character(self, mind: str) -> str:
        """What a kind of player does, in a few words: the first sentence about it."""
        made = self.minds[mind]
        while isinstance(made, partial):
            made = made.func
        return (getdoc(made) or "").partition("\n")[0].rstrip(".")
