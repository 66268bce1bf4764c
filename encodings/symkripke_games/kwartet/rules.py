"""The rules of the game: setup, deal, questions and answers, without logic or knowledge.

All cards are dealt. The player to move asks another player for a card of a group in which they hold
a card themselves. Nobody lies. A player who has the card gives it away, and the asker asks again;
otherwise, the turn passes to the player asked. A complete group is laid down at once, even if it
was dealt. A player without cards is out. If it is their turn, the next player with cards continues
(classic rules), or any player with cards, chosen at random by the player who is out (study rules).
The player with the most groups wins.

A *turn* is one question with its answer. In turn 0, the groups that were dealt complete are laid
down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any

import msgspec

from symkripke.errors import RuleError, check_name
from symkripke.model import World
from symkripke.play import CHANCE, Decision, Outcome, Public
from symkripke.play import Setup as BaseSetup
from symkripke.play.checks import check_event, check_move, check_mover, check_turn, known_deal
from symkripke.play.dealing import (
    check_dealt_more,
    check_sizes,
    check_values,
    dealt_round,
    hand_sizes,
    location,
    seated_more,
)
from symkripke.play.editions import Piece
from symkripke.play.words import number_of
from symkripke_games.kwartet.decks import TABLE, Group, check_deck, deck_named

CLASSIC, STUDY = "classic", "study"
SEATS = {CLASSIC: (3, 6), STUDY: (3, 6)}

_DECK = {CLASSIC: "themed", STUDY: "study"}


class Setup(BaseSetup, frozen=True, kw_only=True, dict=True, cache_hash=True, omit_defaults=True):
    """The setup of a game.

    Attributes:
        groups: the deck.
        allow_bluff: whether players may ask for a card that they hold themselves (it costs the
            turn).
        forgets: the probability that a forgetful player forgets an event.
        dealt_more: the players who are dealt an extra card, if the cards do not come out even. By
            default (empty), the players in the first seats.
        random_start: whether chance decides who asks first. By default, the player in the first
            seat does.
    """

    groups: tuple[Group, ...]
    allow_bluff: bool = False
    forgets: float = 0.1
    dealt_more: tuple[str, ...] = ()
    random_start: bool = False

    @cached_property
    def cards(self) -> tuple[Piece, ...]:
        """All cards, group by group."""
        return tuple(card for group in self.groups for card in group.cards)

    @cached_property
    def card_at(self) -> Mapping[str, str]:
        """The card whose place each fluent states."""
        return {location(card.id): card.id for card in self.cards}

    @cached_property
    def start(self) -> Board:
        """The open cards after the deal: the board at the start of each game."""
        return Board(self, {}, self.sizes, dict.fromkeys(self.players, 0))

    @cached_property
    def fluent_of(self) -> Mapping[str, str]:
        """The fluent that states the place of each card."""
        return {card: fluent for fluent, card in self.card_at.items()}

    @cached_property
    def group_of(self) -> Mapping[str, str]:
        """The name of each card's group."""
        return {card.id: group.id for group in self.groups for card in group.cards}

    @cached_property
    def cards_of(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the cards of each group."""
        return {group.id: tuple(card.id for card in group.cards) for group in self.groups}

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """The number of cards dealt to each player."""
        return hand_sizes(len(self.cards), self.players, self.dealt_more)


class Opening(Public, frozen=True, kw_only=True, tag="opening"):
    """The groups laid down before the first question.

    Attributes:
        down: for each group that was dealt complete, its player.
    """

    down: dict[str, str] = msgspec.field(default_factory=dict)


class Question(Public, frozen=True, kw_only=True, tag="question"):
    """A question and its answer.

    Attributes:
        player: the player who asks.
        asked: the player who is asked.
        card: the requested card.
        given: whether the player asked had the card, and gave it to the asker.
        down: whether the card completes its group, which is then laid down.
    """

    player: str
    asked: str
    card: str
    given: bool
    down: bool = False


Happening = Opening | Question


@dataclass(frozen=True, slots=True)
class LayDown:
    """The move before the first question, in which all players lay down their complete groups."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The move that asks a player for a card."""

    asked: str
    card: str


@dataclass(frozen=True, slots=True)
class PassTo:
    """The move that gives the turn to a player.

    A player without cards makes it (study rules), or chance, which decides who begins.
    """

    player: str


# ---- setup and deal ----------------------------------------------------------------------


def make_setup(
    *,
    rules: str,
    players: tuple[str, ...],
    edition: str | None = None,
    groups: int | None = None,
    allow_bluff: bool = False,
    forgets: float = 0.1,
    dealt_more: Sequence[str] | None = None,
    random_start: bool = False,
) -> Setup:
    """Return a setup; see `Game.make_setup`. The defaults are 13 groups (classic) and 6 (study)."""
    deck = deck_named(_DECK[rules] if edition is None else edition)
    if groups is not None:
        if not 1 <= groups <= len(deck):
            raise RuleError(f"expected 1 to {len(deck)} groups of this deck, got {groups}")
        deck = deck[:groups]
    return Setup(
        rules=rules,
        players=players,
        groups=deck,
        allow_bluff=allow_bluff,
        forgets=forgets,
        dealt_more=seated_more(players, dealt_more),
        random_start=random_start,
    )


def check_setup(setup: Setup) -> None:
    """Raise `RuleError` if nobody can play with this setup."""
    check_deck(setup.groups)
    if len(setup.cards) < len(setup.players):
        raise RuleError(
            f"{len(setup.cards)} cards are too few to deal to {len(setup.players)} players"
        )
    check_dealt_more(len(setup.cards), setup.players, setup.dealt_more)
    if not 0 <= setup.forgets <= 1:
        raise RuleError(f"expected a share from 0 to 1 of events forgotten, got {setup.forgets}")


def make_deal(setup: Setup, chance: Random) -> dict[str, str]:
    """Return a random deal: the player of each card, by fluent."""
    order = [card.id for card in setup.cards]
    chance.shuffle(order)
    to = dealt_round(len(order), setup.players, setup.dealt_more)
    places = dict(zip(order, to, strict=True))
    return {location(card.id): places[card.id] for card in setup.cards}


def check_deal(setup: Setup, deal: World) -> None:
    """Raise `RuleError` if a card is missing, a place is wrong or a hand has the wrong size."""
    check_values(deal, dict.fromkeys(setup.card_at, setup.players), value="player")
    check_sizes(deal, setup.sizes)


# ---- open cards --------------------------------------------------------------------------


@dataclass(frozen=True)
class Board:
    """The public information that everybody remembers without reasoning.

    Attributes:
        setup: the setup.
        places: the place of each card that was given or laid down: a player or the table.
        sizes: the number of cards that each player holds.
        points: the number of groups that each player has laid down.
    """

    setup: Setup
    places: Mapping[str, str]
    sizes: Mapping[str, int]
    points: Mapping[str, int]

    _last: list[tuple[Happening, Board]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )
    """The last event passed to `after`, with the board after it; a cache of one entry."""

    @classmethod
    def of(cls, setup: Setup) -> Board:
        """Return the board after the deal."""
        return setup.start

    def after(self, public: Happening) -> Board:
        """Return the board after an event.

        The rules and all players follow the same events, so they share the last result.
        """
        if isinstance(public, Opening):
            down = public.down
            if not down:
                return self
            moved = {}
        elif public.given:
            moved = {public.card: (public.asked, public.player)}
            down = {self.setup.group_of[public.card]: public.player} if public.down else {}
        else:
            return self
        for last, board in self._last[:]:
            if last is public:
                return board
        moved_board = self._moved(moved, down)
        self._last[:] = [(public, moved_board)]
        return moved_board

    def _moved(self, moved: Mapping[str, tuple[str, str]], down: Mapping[str, str]) -> Board:
        """Return the board after cards have changed hands and groups have been laid down."""
        places, sizes, points = dict(self.places), dict(self.sizes), self.points
        for card, (giver, taker) in moved.items():
            places[card] = taker
            sizes[giver] -= 1
            sizes[taker] += 1
        if down:
            points = dict(points)
            for group, player in down.items():
                cards = self.setup.cards_of[group]
                places.update(dict.fromkeys(cards, TABLE))
                sizes[player] -= len(cards)
                points[player] += 1
        return Board(self.setup, places, sizes, points)

    @property
    def over(self) -> bool:
        """True if all groups have been laid down."""
        return sum(self.points.values()) == len(self.setup.groups)


# ---- a position ---------------------------------------------------------------------------


@dataclass(frozen=True)
class State:
    """A position; see `symkripke.play.GameState`.

    Attributes:
        setup: the setup.
        deal: the player to whom each card was dealt, by fluent; None for an onlooker.
        board: the open cards.
        mover: the player to move.
        turn: the number of the turn.
        phase: "open" (groups of the deal are laid down), "start" (chance decides who begins),
            "ask", "pass" (the mover has no cards, and chooses who continues) or "over".
        result: the result in words; None while the game continues.
        winners: the players who have won.
    """

    setup: Setup
    deal: World | None
    board: Board
    mover: str
    turn: int = 0
    phase: str = "open"
    result: str | None = None
    winners: tuple[str, ...] = ()

    @property
    def decision(self) -> Decision | None:
        """The current decision; None after the end."""
        match self.phase:
            case "open":
                return Decision(self.mover, "open", (LayDown(),))
            case "ask":
                return Decision(self.mover, "ask")
            case "start" | "pass":
                options = tuple(PassTo(player) for player in self._with_cards())
                decider = CHANCE if self.phase == "start" else self.mover
                return Decision(decider, self.phase, options)
        return None

    @property
    def out(self) -> frozenset[str]:
        """The players without cards."""
        return frozenset(player for player, size in self.board.sizes.items() if not size)

    @property
    def askers(self) -> tuple[str, ...]:
        """The players who may ask: the mover, or anybody with cards if the turn is passed on."""
        return self._with_cards() if self.phase in ("start", "pass") else (self.mover,)

    def _with_cards(self) -> tuple[str, ...]:
        """Return the players with cards, in seat order from the left of the mover."""
        order = (*self.setup.after(self.mover), self.mover)
        return tuple(player for player in order if self.board.sizes[player])

    def place(self, card: str) -> str | None:
        """Return the current place of a card; None for an onlooker who cannot know it."""
        place = self.board.places.get(card)
        if place is None and self.deal is not None:
            return self.deal[self.setup.fluent_of[card]]
        return place

    def _surely(self, cards: Sequence[str], player: str) -> bool:
        """Return whether all these cards are known to be with the player."""
        return {player}.issuperset(map(self.place, cards))

    def _never(self, cards: Sequence[str], player: str) -> bool:
        """Return whether all these cards are known not to be with the player."""
        return {None, player}.isdisjoint(map(self.place, cards))

    # ---- moves ---------------------------------------------------------------------------

    def play(self, move: Any) -> tuple[State, Outcome[Happening] | None]:
        """Return the state after a move, and the event; None if the move passes the turn."""
        check_move(self.result)
        known_deal(self.deal)
        public: Happening
        match self.phase, move:
            case "open", LayDown():
                down = {
                    group: player
                    for group, cards in self.setup.cards_of.items()
                    for player in self.setup.players
                    if self._surely(cards, player)
                }
                public = Opening(turn=0, down=down)
                return self._after(public), Outcome(public, {})
            case "ask", Ask(asked, card):
                self._check_question(self.mover, asked, card)
                given = asked != self.mover and self.place(card) == asked
                public = Question(
                    turn=self.turn,
                    player=self.mover,
                    asked=asked,
                    card=card,
                    given=given,
                    down=given and self._surely(self._others(card), self.mover),
                )
                return self._after(public), Outcome(public, {})
            case "start" | "pass", PassTo(player):
                if player not in self._with_cards():
                    raise RuleError(f"{player} has no cards: it cannot be their turn")
                return replace(self, mover=player, phase="ask"), None
        raise RuleError(f"{self.mover} cannot {type(move).__name__.lower()} now ({self.phase})")

    def _others(self, card: str) -> list[str]:
        group = self.setup.cards_of[self.setup.group_of[card]]
        return [other for other in group if other != card]

    def _check_question(self, player: str, asked: str, card: str) -> None:
        """Raise an error if the rules are known to forbid the question."""
        check_name("player", asked, self.setup.players)
        check_name("card", card, self.setup.group_of)
        if asked == player:
            raise RuleError(f"{player} cannot ask themselves")
        if not self.board.sizes[asked]:
            raise RuleError(f"{asked} has no cards: expected a question to another player")
        if self.place(card) == TABLE:
            raise RuleError(f"{card} has been laid down: nobody can be asked for it")
        group = self.setup.group_of[card]
        if self._never(self.setup.cards_of[group], player):
            raise RuleError(f"{player} has no card of {group}, and cannot ask for {card}")
        if not self.setup.allow_bluff and self.place(card) == player:
            raise RuleError(f"{player} has {card}, and cannot ask for it")

    def _after(self, public: Happening) -> State:
        board = self.board.after(public)
        mover = self.mover
        if isinstance(public, Question):
            mover = public.player if public.given else public.asked
        after = State(self.setup, self.deal, board, mover, self.turn + 1, "ask")
        if board.over:
            most = max(board.points.values())
            winners = tuple(player for player, points in board.points.items() if points == most)
            return replace(after, phase="over", result=_result(winners, most), winners=winners)
        if isinstance(public, Opening) and self.setup.random_start:
            return replace(after, phase="start")
        if board.sizes[mover]:
            return after
        if self.setup.rules == STUDY:
            return replace(after, phase="pass")
        return replace(after, mover=self.setup.following(mover, after.out))

    # ---- recorded events -----------------------------------------------------------------

    def follow(self, outcome: Outcome[Happening]) -> State:
        """Return the state after a recorded event.

        Raises:
            RuleError: the event contradicts the rules or the deal.
        """
        public = outcome.public
        check_event(self.result)
        if outcome.secret:
            raise RuleError("this game has no secrets except the deal")
        if isinstance(public, Opening) != (self.phase == "open"):
            expected = "the opening (what the deal lays down)" if self.turn == 0 else "a question"
            raise RuleError(f"expected {expected}, got an event of another kind")
        check_turn(self.turn, public)
        if isinstance(public, Opening):
            self._check_opening(public)
        else:
            self._check_told(public)
        return self._after(public)

    def _check_opening(self, public: Opening) -> None:
        for group, player in public.down.items():
            check_name("group", group, self.setup.cards_of)
            check_name("player", player, self.setup.players)
        for player, size in self.setup.sizes.items():
            if size < sum(
                len(self.setup.cards_of[g]) for g, p in public.down.items() if p == player
            ):
                raise RuleError(f"{player} was dealt {size} cards and cannot lay down that many")
        if self.deal is not None:
            _, right = self.play(LayDown())
            assert right is not None
            if right.public != public:
                raise RuleError(
                    f"expected {_groups(right.public)} to be laid down, as in the "
                    f"deal, got {_groups(public)}"
                )

    def _check_told(self, public: Question) -> None:
        check_name("player", public.player, self.setup.players)
        if self.phase in ("start", "pass"):
            if not self.board.sizes[public.player]:
                raise RuleError(f"{public.player} has no cards: it cannot be their turn")
        else:
            check_mover(self.setup, self.turn, self.mover, public.player)
        self._check_question(public.player, public.asked, public.card)
        card, others = public.card, self._others(public.card)
        place = self.place(card)
        if public.given and place not in (None, public.asked):
            raise RuleError(f"{public.asked} cannot give {card}: {place} has it")
        if not public.given and place == public.asked:
            raise RuleError(f"{public.asked} has {card}, and must give it")
        if public.down and not public.given:
            raise RuleError("nothing can be laid down when no card is given")
        if public.down and any(self.place(other) not in (None, public.player) for other in others):
            raise RuleError(f"{public.player} does not have all cards of the group of {card}")
        if public.given and not public.down and self._surely(others, public.player):
            raise RuleError(
                f"{public.player} has all cards of the group of {card}, and must lay it down"
            )


def _result(winners: Sequence[str], points: int) -> str:
    groups = number_of(points, "group")
    if len(winners) == 1:
        return f"{winners[0]} wins with {groups}"
    return f"{', '.join(winners[:-1])} and {winners[-1]} win with {groups} each"


def _groups(public: Happening) -> str:
    assert isinstance(public, Opening)
    return ", ".join(f"{group} ({player})" for group, player in public.down.items()) or "nothing"
