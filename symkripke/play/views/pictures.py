"""The drawing of a game: its cards, its players, and its events at the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pkgutil import resolve_name
from typing import Any, Generic
from weakref import WeakKeyDictionary

from symkripke.drawing.cards import (
    BACK,
    SIZE,
    Arrow,
    Face,
    RoundTable,
    SeatPicture,
    avatar,
    content,
    picture,
)
from symkripke.engines import Mark
from symkripke.language import Name
from symkripke.model import KnowledgeStructure, Scene
from symkripke.play.dealing import LOCATION, location
from symkripke.play.game import Game
from symkripke.play.layout import Layout
from symkripke.play.moment import Moment
from symkripke.play.positions import state_at
from symkripke.play.rules import GameState, Outcome, PublicT, SetupT
from symkripke.play.session.course import as_seen
from symkripke.play.session.record import Record
from symkripke.play.views.sheet import Place


@dataclass(frozen=True)
class Gesture:
    """The appearance of an event at the table.

    Attributes:
        player: the player who acts; empty: nobody.
        arrows: the arrows between players.
        spoken: the things that the event names.
        spoken_title: the title above them.
    """

    player: str = ""
    arrows: Sequence[Arrow] = ()
    spoken: Sequence[Face] = ()
    spoken_title: str = "asked for"


@dataclass(frozen=True)
class SeatNotes:
    """The details of a player in a picture of the table.

    Attributes:
        share: the length of the player's bar, from 0 to 100; None: it has no bar.
        text: a few words below the name.
        is_open: whether the player's knowledge is shown.
        is_out: whether the player is out of the game.
        href: the address that a click on the player leads to.
    """

    share: float | None = None
    text: str = ""
    is_open: bool = False
    is_out: bool = False
    href: str = ""


class Pictures(Generic[SetupT, PublicT]):
    """The pictures of a game; each method has a default, which shows titles on plain cards.

    A game registers its own class as `Game.drawn_by`.

    Attributes:
        shows_hands: whether the page of a seat shows all hands in rows, not round the table,
            because players see the cards of the others.
        spoken_title: the title above the cards that an event names.
    """

    shows_hands: bool = False
    spoken_title: str = "asked for"

    def __init__(self, game: Game[SetupT, PublicT], setup: SetupT, layout: Layout) -> None:
        """Draw a game with this setup and note sheet."""
        self.game = game
        self.setup = setup
        self.layout = layout
        self._faces: dict[str, Face] = {}

    # ---- things --------------------------------------------------------------------------------

    def title(self, card: str) -> str:
        """Return the title of the row of a card on the note sheet, or else of the card itself."""
        title = self.layout.rows.get(location(card))
        return self.game.card_title(self.setup, card) if title is None else title

    def face(self, card: str) -> Face:
        """Return a card by its name in the rules; cache the result of `draw`."""
        face = self._faces.get(card)
        if face is None:
            face = self._faces[card] = self.draw(card)
        return face

    def draw(self, card: str) -> Face:
        """Return a card by its name in the rules; by default its title on plain paper."""
        title = self.title(card)
        return Face(card, title, label=title, tone=self._tones.get(card, 7))

    def emblem(self) -> Sequence[Face]:
        """Return a few things that stand for the game; by default its first cards."""
        return [self.face(card) for card in self.game.cards(self.setup)[:4]]

    def portrait(self, player: str) -> Face:
        """Return the avatar of a player; by default that of the seat."""
        return avatar(self.setup.players.index(player), self.layout.person(player))

    def row(self, row: str) -> Face | None:
        """Return the picture of a row of the note sheet; None if it has none.

        By default, a row `location(card)` has the card's face, if that has art.
        """
        name = Name.of(row)
        if name.functor != LOCATION:
            return None
        face = self.face(name.arguments[0])
        return face if face.art else None

    @cached_property
    def rows(self) -> Mapping[str, Face | None]:
        """The picture of each row of a sheet; on a sheet that counts, one for each group."""
        if self.layout.counts:
            keys = [next(iter(rows)) for rows in self.layout.groups.values()]
        else:
            keys = list(self.layout.rows)
        return {key: self.row(key) for key in keys}

    def choice(self, value: Any) -> Face | None:
        """Return the picture of a choice in a move; None if it has none.

        By default, players have their avatar and cards their face, if it has art.
        """
        if value in self.setup.players:
            return self.portrait(value)
        if isinstance(value, str) and value in self._cards:
            face = self.face(value)
            return face if face.art else None
        return None

    def action(self, title: str) -> Face | None:
        """Return the picture of a kind of move by its title; None if it has none.

        By default, a title that ends with the name of a group that counts, such as "bid sixes",
        has the picture of the group.
        """
        if not self.layout.counts:
            return None
        for group, rows in self.layout.groups.items():
            if title.endswith(f" {group}"):
                return self.row(next(iter(rows)))
        return None

    @cached_property
    def _cards(self) -> frozenset[str]:
        return frozenset(self.game.cards(self.setup))

    @cached_property
    def _tones(self) -> Mapping[str, int]:
        """The number of the group of each card, as its colour."""
        return {
            Name.of(row).arguments[0]: number % 8
            for number, rows in enumerate(self.layout.groups.values())
            for row in rows
            if Name.of(row).functor == LOCATION
        }

    # ---- hands ---------------------------------------------------------------------------------

    def hand(self, player: str, marks: Mapping[Place, Mark]) -> Sequence[Face] | None:
        """Return a player's hand by the marks of its cells; None: a thing for each row.

        Override this method if several rows of the note sheet describe one card.
        """
        return None

    def held(
        self, moment: Moment[SetupT, PublicT], known: Mapping[Place, Mark] | None = None
    ) -> Mapping[str, Sequence[Face]]:
        """Return the cards or dice in each column of the note sheet; empty if the truth is unknown.

        Args:
            moment: the moment.
            known: the marks of a player. Cards that this player cannot place lie face down.
        """
        if not isinstance(moment.state, Scene):
            return {}
        rows_held = self.layout.held_rows(moment.plain(moment.state.world))
        cells = self.layout.cells
        true = {(row, c): Mark.YES if row in rows_held[c] else Mark.NO for row, c in cells}
        held: dict[str, Sequence[Face]] = {}
        for column, rows in rows_held.items():
            hand = self.hand(column, true if known is None else known)
            held[column] = (
                hand
                if hand is not None
                else [
                    self.of_row(row) if known is None or known[row, column] is Mark.YES else BACK
                    for row in rows
                ]
            )
        return held

    def in_view(
        self,
        moment: Moment[SetupT, PublicT],
        marks: Mapping[Place, Mark],
        state: GameState[PublicT],
    ) -> Mapping[str, Sequence[Face]]:
        """Return the cards or dice in each column as a player sees them, some of them face down.

        Args:
            moment: the moment, whose state is the player's perspective.
            marks: the player's marks.
            state: the position, for the sizes of hands.
        """
        seen: dict[str, Sequence[Face]] = {}
        for column in self.layout.columns:
            if (hand := self.hand(column, marks)) is not None:
                seen[column] = hand
                continue
            faces = [self.of_row(row) for row in self.layout.rows if marks[row, column] is Mark.YES]
            if column in self.setup.players:
                size = self.game.standing(self.setup, state, column).holds
                if size is None:
                    size = self.setup.sizes.get(column, 0)
                faces += [BACK] * (size - len(faces))
            seen[column] = faces
        return seen

    def of_row(self, row: str) -> Face:
        """Return the thing that a row of the note sheet is about."""
        name, title = Name.of(row), self.layout.rows[row]
        return (
            self.face(name.arguments[0])
            if name.functor == LOCATION
            else Face(row, title, label=title)
        )

    # ---- events --------------------------------------------------------------------------------

    def gesture(self, outcome: Outcome[PublicT]) -> Gesture:
        """Return the appearance of an event at the table.

        By default, the player of the event asks the other players that it names, and cards whose
        names are secret go from them to the player.
        """
        values = self.game.act(outcome).values(self.setup, outcome) if self.game.acts else {}
        player = values.get("player", "")
        if player not in self.setup.players:
            return Gesture()
        named = [value for value in _flat(values.values()) if isinstance(value, str)]
        others = [
            who for who in dict.fromkeys(named) if who in self.setup.players and who != player
        ]
        cards = set(self.game.cards(self.setup))
        spoken = [self.face(name) for name in dict.fromkeys(named) if name in cards]
        shown = [self.face(name) for name in outcome.secret.values() if name in cards]
        arrows = [Arrow(player, other, "asks") for other in others]
        arrows += [Arrow(other, player, "gives", shown) for other in others if shown]
        return Gesture(player, arrows, spoken, self.spoken_title)

    def board(self, state: GameState[PublicT], outcome: Outcome[PublicT] | None) -> str:
        """Return the board after an event, or after the deal, as SVG; by default nothing."""
        return ""

    def middle(self, state: GameState[PublicT]) -> Sequence[tuple[str, Sequence[Face]]]:
        """Return rows of cards in the middle of the table, each with a title; by default none."""
        return ()

    def table(
        self,
        outcome: Outcome[PublicT] | None,
        notes: Mapping[str, SeatNotes],
        held: Mapping[str, Sequence[Face]],
        state: GameState[PublicT] | None = None,
    ) -> RoundTable:
        """Return the picture of the table.

        Args:
            outcome: the last event; None after the deal.
            notes: the notes on each player.
            held: the cards or dice in each column of the note sheet, from `held` or `in_view`.
            state: the position, for `middle`; None to omit it.
        """
        players = self.setup.players
        gesture = Gesture() if outcome is None else self.gesture(outcome)
        seats = []
        for player in players:
            note = notes.get(player, SeatNotes())
            seats.append(
                SeatPicture(
                    player,
                    self.portrait(player),
                    held.get(player, ()),
                    note.share,
                    note.text,
                    is_due=player == gesture.player,
                    is_open=note.is_open,
                    is_out=note.is_out,
                    href=note.href,
                )
            )
        middle = [
            (self.layout.columns[column], cards)
            for column, cards in held.items()
            if column not in players
        ]
        middle += [] if state is None else self.middle(state)
        hands = "; ".join(
            f"{seat.portrait.title}: {', '.join(face.title for face in seat.hand)}"
            for seat in seats
            if seat.hand
        )
        said = f"The players round the table. {hands}."
        return RoundTable(seats, middle, gesture.spoken, gesture.spoken_title, gesture.arrows, said)


def table_picture(
    record: Record[SetupT, PublicT],
    moment: Moment[SetupT, PublicT],
    player: str | None = None,
) -> str:
    """Return the table at a moment as a complete SVG file.

    Args:
        record: the log.
        moment: a moment of it.
        player: the player whose view is drawn: unknown cards lie face down. None: all cards are
            shown, if the log has them.

    Raises:
        UnknownName: there is no such player.
        InputError: the log does not show what this player saw.
    """
    pictures = pictures_of(moment)
    who = record.seat.player if player is None and record.seat is not None else player
    state = state_at(record, moment)
    if who is None:
        held = pictures.held(moment)
    else:
        held = pictures.in_view(_through_eyes(moment, who), known_marks(moment, who), state)
    table = pictures.table(last_outcome(record, moment, who), {}, held, state)
    width, height = SIZE
    return picture(content(table), width, height, table.description, table.faces)


def _through_eyes(moment: Moment[SetupT, PublicT], player: str) -> Moment[SetupT, PublicT]:
    """Return the moment with the player's perspective as its state, to hide all other facts."""
    before, after = moment.states[: moment.events], moment.states[moment.events + 1 :]
    return replace(moment, states=(*before, moment.perspective(player), *after))


def last_outcome(
    record: Record[SetupT, PublicT], moment: Moment[SetupT, PublicT], player: str | None = None
) -> Outcome[PublicT] | None:
    """Return the last event of a moment; None after the deal.

    Args:
        record: the log.
        moment: a moment of it.
        player: the player whose view to use; None: include all secrets in the log.
    """
    if not moment.events:
        return None
    outcome = record.outcomes[moment.events - 1]
    if player is None or record.seat is not None:
        return outcome
    return as_seen(record.game, record.setup, outcome, moment.state, player)


def known_marks(moment: Moment[Any, Any], player: str) -> dict[Place, Mark]:
    """Return a player's mark for each place of the note sheet."""
    marks = moment.marks(player)
    return {place: marks[cell] for place, cell in moment.layout.cells.items()}


_PICTURES: WeakKeyDictionary[KnowledgeStructure, Pictures[Any, Any]] = WeakKeyDictionary()


def pictures_for(game: Game[SetupT, PublicT], setup: SetupT) -> Pictures[SetupT, PublicT]:
    """Return the pictures of a game with its initial note sheet."""
    return _made(game, setup, game.layout(setup, game.structure(setup)))


def pictures_of(moment: Moment[SetupT, PublicT]) -> Pictures[SetupT, PublicT]:
    """Return the pictures of the game at a moment; cached with its note sheet."""
    root = moment.structure.root
    made = _PICTURES.get(root)
    if made is None or made.layout is not moment.layout:
        made = _PICTURES[root] = _made(moment.game, moment.setup, moment.layout)
    return made


def _made(game: Game[SetupT, PublicT], setup: SetupT, layout: Layout) -> Pictures[SetupT, PublicT]:
    kind = resolve_name(game.drawn_by) if game.drawn_by else Pictures
    made: Pictures[SetupT, PublicT] = kind(game, setup, layout)
    return made


def _flat(values: Any) -> Iterator[Any]:
    """Yield the values; flatten the sequences among them."""
    for value in values:
        if isinstance(value, tuple | list):
            yield from _flat(value)
        else:
            yield value
