"""The rules of the game: setup, deal, discards and draws, without logic or knowledge.

The deck lacks a queen. All cards are dealt, and pairs of a rank are discarded face up at once. In
turn, each player draws an unseen card from another player. They discard a pair if the card makes
one, and keep the card otherwise. Players without cards are safe. The player who is left with the
last queen loses, and all others win.

Classic rules: the deck has 51 cards, and the mover draws from the next player with cards. Players
have nothing to choose, because the card is random. Study rules: the deck has four ranks, any player
may begin, and the drawer chooses whom to draw from. In both rule sets, options can change the
number of ranks and whether the drawer chooses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

import msgspec

from symkripke.errors import RuleError, check_name
from symkripke.model import World
from symkripke.play import Decision, Outcome, Public
from symkripke.play import Setup as BaseSetup
from symkripke.play.checks import check_event, check_move, check_mover, check_turn
from symkripke.play.dealing import (
    check_dealt_more,
    check_values,
    dealt_round,
    hand_sizes,
    seated_more,
)
from symkripke.play.words import person

CLASSIC, STUDY = "classic", "study"
SEATS = {CLASSIC: (2, 12), STUDY: (2, 12)}

QUEEN = "queen"
"""The rank with a missing card."""

# All ranks; a deck of n ranks has the first n of them, and is shown in the order of `_SHOWN`.
_RANKS = (
    *(QUEEN, "jack", "king", "ace"),
    *("ten", "nine", "eight", "seven", "six", "five", "four", "three", "two"),
)
_SHOWN = ("ace", "king", QUEEN, "jack", *_RANKS[4:])
_USUAL_RANKS = {CLASSIC: len(_RANKS), STUDY: 4}


class Setup(BaseSetup, frozen=True, kw_only=True, dict=True, cache_hash=True, omit_defaults=True):
    """The setup of a game.

    Attributes:
        ranks: the number of ranks in the deck, in the order queen, jack, king, ace, ten, nine, ...
        choose: whether the drawer chooses whom to draw from.
        dealt_more: the players who are dealt an extra card, if the cards do not come out even. By
            default (empty), the players in the first seats.
    """

    ranks: int
    choose: bool
    dealt_more: tuple[str, ...] = ()

    @cached_property
    def deck(self) -> Mapping[str, int]:
        """The number of cards of each rank."""
        used = _RANKS[: self.ranks]
        return {rank: 3 if rank == QUEEN else 4 for rank in _SHOWN if rank in used}

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """The number of cards dealt to each player."""
        return hand_sizes(sum(self.deck.values()), self.players, self.dealt_more)


class Discards(Public, frozen=True, kw_only=True, tag="discards"):
    """The event in which all players discard their pairs, in turn 0.

    Attributes:
        pairs: the ranks of each player's pairs; a rank is listed twice for four of a kind.
        first: the first player to draw.
    """

    pairs: dict[str, tuple[str, ...]]
    first: str

    def leaves(self, setup: Setup) -> tuple[dict[str, int], dict[str, int]]:
        """Return the sizes of hands and the number of cards of each rank after the discards."""
        sizes, left = dict(setup.sizes), dict(setup.deck)
        for player, ranks in self.pairs.items():
            sizes[player] -= 2 * len(ranks)
            for rank in ranks:
                left[rank] -= 2
        return sizes, left


class Count(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The public counts after a draw.

    Attributes:
        giver: the number of cards that the giver holds.
        drawer: the number of cards that the drawer holds.
        left: the number of cards in play, for each rank that the drawn card may have by common
            knowledge.
    """

    giver: int
    drawer: int
    left: dict[str, int]


class Draw(Public, frozen=True, kw_only=True, tag="draw"):
    """A draw.

    Attributes:
        player: the player who draws.
        giver: the player from whom they draw.
        discard: the rank of the discarded pair; None if the drawer keeps the card.
        count: the public counts; None if they are not recorded (they follow from the rest).
    """

    player: str
    giver: str
    discard: str | None = None
    count: Count | None = None


Happening = Discards | Draw


@dataclass(frozen=True, slots=True)
class Start:
    """The first move, in which all players discard their pairs and a player is chosen to begin."""

    player: str


@dataclass(frozen=True, slots=True)
class DrawFrom:
    """The move that draws from a player."""

    giver: str


@dataclass(frozen=True, slots=True)
class Give:
    """The drawn card. The giver does not choose it, because they shuffle their hand."""

    rank: str


def holds_name(player: str, rank: str) -> str:
    """Return the name of the fluent for whether a player holds an unpaired card of a rank."""
    return f"holds({player}, {rank})"


def pairs_name(player: str, rank: str) -> str:
    """Return the name of the fluent for the number of pairs of a rank that a player is dealt."""
    return f"pairs({player}, {rank})"


def drawn_name(turn: int) -> str:
    """Return the name of the fluent for the rank drawn in a turn, which only two players see."""
    return f"drawn({turn})"


# ---- setup and deal ----------------------------------------------------------------------


def make_setup(
    *,
    rules: str,
    players: tuple[str, ...],
    ranks: int | None = None,
    choose: bool | None = None,
    dealt_more: Sequence[str] | None = None,
) -> Setup:
    """Return a setup; see `Game.make_setup`. The defaults are 13 ranks (classic) and 4 (study)."""
    return Setup(
        rules=rules,
        players=players,
        ranks=_USUAL_RANKS[rules] if ranks is None else ranks,
        choose=rules == STUDY if choose is None else choose,
        dealt_more=seated_more(players, dealt_more),
    )


def check_setup(setup: Setup) -> None:
    """Raise `RuleError` or `UnknownName` if nobody can play with this setup."""
    if not 2 <= setup.ranks <= len(_RANKS):
        raise RuleError(f"expected 2 to {len(_RANKS)} ranks, got {setup.ranks}")
    cards = sum(setup.deck.values())
    if cards < len(setup.players):
        raise RuleError(f"{cards} cards are too few to deal to {len(setup.players)} players")
    check_dealt_more(cards, setup.players, setup.dealt_more)


def make_deal(setup: Setup, chance: Random) -> dict[str, str]:
    """Return a random deal: the pairs and unpaired cards of each player, by fluent."""
    cards = [rank for rank, number in setup.deck.items() for _ in range(number)]
    chance.shuffle(cards)
    hands: dict[str, list[str]] = {player: [] for player in setup.players}
    for card, player in zip(
        cards, dealt_round(len(cards), setup.players, setup.dealt_more), strict=True
    ):
        hands[player].append(card)
    return {k: v for p in setup.players for k, v in hand_values(setup, p, hands[p]).items()}


def hand_values(setup: Setup, player: str, cards: Sequence[str]) -> dict[str, str]:
    """Return the values of the fluents of a player who is dealt these ranks."""
    values = {}
    for rank in setup.deck:
        number = cards.count(rank)
        values[pairs_name(player, rank)] = str(number // 2)
        values[holds_name(player, rank)] = "true" if number % 2 else "false"
    return values


def _miscounts(count: Count, stated: Count) -> Iterator[str]:
    """Yield an error message for each difference between a stated count and the right one."""
    if stated.giver != count.giver:
        yield f"expected the giver to have {count.giver} cards left, got {stated.giver}"
    if stated.drawer != count.drawer:
        yield f"expected the drawer to have {count.drawer} cards then, got {stated.drawer}"
    for rank in (*count.left, *stated.left):
        right, said = (
            "not to be named" if here is None else f"of {here} cards in play"
            for here in (count.left.get(rank), stated.left.get(rank))
        )
        if right != said:
            yield f"expected rank {rank} {right}, got it {said}"


def check_deal(setup: Setup, deal: World) -> None:
    """Raise `RuleError` if a card is missing from the deal, or a hand has the wrong size."""
    allowed = {
        name: values
        for player in setup.players
        for rank in setup.deck
        for name, values in (
            (holds_name(player, rank), ("false", "true")),
            (pairs_name(player, rank), ("0", "1", "2")),
        )
    }
    check_values(deal, allowed, "fluent", "value of {}", says="what")
    for rank, number in setup.deck.items():
        total = sum(_number(deal, player, rank) for player in setup.players)
        if total != number:
            raise RuleError(f"expected {number} cards of rank {rank} in the deal, got {total}")
    for player, number in setup.sizes.items():
        total = sum(_number(deal, player, rank) for rank in setup.deck)
        if total != number:
            raise RuleError(f"expected {player} to be dealt {number} cards, got {total}")


def dealt_ranks(setup: Setup, deal: World, player: str) -> tuple[str, ...]:
    """Return the ranks of the cards that a player is dealt, the inverse of `hand_values`."""
    return tuple(rank for rank in setup.deck for _ in range(_number(deal, player, rank)))


def _number(deal: World, player: str, rank: str) -> int:
    single = deal[holds_name(player, rank)] == "true"
    return 2 * int(deal[pairs_name(player, rank)]) + single


# ---- the game ----------------------------------------------------------------------------


@dataclass(frozen=True)
class State:
    """A position; see `symkripke.play.GameState`.

    Attributes:
        setup: the setup.
        deal: the deal; None for an onlooker.
        hands: the ranks of the unpaired cards that each player holds; None for an onlooker.
        sizes: the number of cards that each player holds.
        left: the number of cards of each rank in play.
        lacks: the pairs of a player and a rank that everybody knows the player not to hold.
        mover: the player to move.
        turn: the number of the turn; 0 before pairs are discarded.
        giver: the player from whom a card is being drawn; None if the drawer has not chosen yet.
    """

    setup: Setup
    deal: World | None
    hands: Mapping[str, frozenset[str]] | None
    sizes: Mapping[str, int]
    left: Mapping[str, int]
    lacks: frozenset[tuple[str, str]]
    mover: str
    turn: int = 0
    giver: str | None = None

    @classmethod
    def first(cls, setup: Setup, deal: World | None) -> State:
        """Return the state after the deal, before the discards."""
        hands = None
        if deal is not None:
            hands = {
                player: frozenset(
                    rank for rank in setup.deck if deal[holds_name(player, rank)] == "true"
                )
                for player in setup.players
            }
        start = setup.players[0]
        return cls(setup, deal, hands, setup.sizes, setup.deck, frozenset(), start)

    # ---- decisions -------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """The current decision; None after the end."""
        if self.result is not None:
            return None
        if self.turn == 0:
            first = None if self.hands is None else tuple(map(Start, self.starters(self.hands)))
            return Decision(self.mover, "start", first)
        if self.giver is None:
            return Decision(self.mover, "draw", tuple(map(DrawFrom, self.givers)))
        if self.hands is None:
            return Decision(self.giver, "give")
        hand = self.hands[self.giver]
        return Decision(self.giver, "give", tuple(Give(rank) for rank in self.left if rank in hand))

    def starters(self, holding: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the players who may begin: all with cards (study), or the first one (classic)."""
        able = tuple(player for player in self.setup.players if holding[player])
        return able if self.setup.rules == STUDY else able[:1]

    @cached_property
    def givers(self) -> tuple[str, ...]:
        """The players to draw from: all others with cards, or only the next of them."""
        able = tuple(player for player in self.setup.after(self.mover) if self.sizes[player])
        return able if self.setup.choose else able[:1]

    @property
    def result(self) -> str | None:
        """The result of the game in words; None while it continues."""
        loser = self._loser
        return None if loser is None else f"{loser} is left with the queen: the old maid"

    @property
    def _loser(self) -> str | None:
        able = [player for player in self.setup.players if self.sizes[player]]
        return able[0] if self.turn > 0 and len(able) == 1 else None

    @property
    def winners(self) -> tuple[str, ...]:
        """All players except the holder of the queen; empty before the end."""
        loser = self._loser
        return () if loser is None else tuple(p for p in self.setup.players if p != loser)

    @property
    def out(self) -> frozenset[str]:
        """The players who cannot win any more; empty before the end."""
        return frozenset() if self._loser is None else frozenset((self._loser,))

    def ranks(self, giver: str) -> tuple[str, ...]:
        """Return the ranks that a card drawn from `giver` may have, by common knowledge."""
        return tuple(
            r for r, number in self.left.items() if number and (giver, r) not in self.lacks
        )

    # ---- moves ----------------------------------------------------------------------------

    def play(self, move: Any) -> tuple[State, Outcome[Happening] | None]:
        """Return the state after a move, and the event; None if the move completes no event."""
        check_move(self.result)
        if self.hands is None or self.deal is None:
            raise RuleError(
                "the game can only be continued by somebody who knows where the cards are"
            )
        match move:
            case Start(player) if self.turn == 0:
                pairs = {
                    other: tuple(
                        rank
                        for rank in self.setup.deck
                        for _ in range(int(self.deal[pairs_name(other, rank)]))
                    )
                    for other in self.setup.players
                }
                public = Discards(turn=0, pairs=pairs, first=player)
                return self._happened(Outcome(public, {}))
            case DrawFrom(giver) if self.turn and self.giver is None:
                self._check_giver(giver)
                return replace(self, giver=giver), None
            case Give(rank) if self.giver is not None:
                if rank not in self.hands[self.giver]:
                    raise RuleError(f"{self.giver} holds no {rank}")
                return self._happened(self._drawn(self.giver, rank))
        raise RuleError(
            f"{type(move).__name__} is not a possible move now ({self.mover}, turn {self.turn})"
        )

    def _drawn(self, giver: str, rank: str) -> Outcome[Happening]:
        assert self.hands is not None
        discard = rank if rank in self.hands[self.mover] else None
        count = self.count_after(giver, discard)
        public = Draw(turn=self.turn, player=self.mover, giver=giver, discard=discard, count=count)
        known = discard is not None or len(count.left) == 1
        return Outcome(public, {} if known else {drawn_name(self.turn): rank})

    def count_after(self, giver: str, discard: str | None) -> Count:
        """Return the public counts after a draw by the mover."""
        ranks = self.ranks(giver) if discard is None else (discard,)
        for rank in ranks:
            check_name("rank", rank, self.left)
        gone = 0 if discard is None else 2
        return Count(
            giver=self.sizes[giver] - 1,
            drawer=self.sizes[self.mover] + 1 - gone,
            left={rank: self.left[rank] - gone for rank in ranks},
        )

    def recounted(self, outcome: Outcome[Happening]) -> Outcome[Happening]:
        """Return an event; if it is a draw with a count, adapt the count to this state."""
        public = outcome.public
        if not isinstance(public, Draw) or public.count is None:
            return outcome
        check_name("player", public.giver, self.sizes)
        check_name("player", public.player, self.sizes)
        count = replace(self, mover=public.player).count_after(public.giver, public.discard)
        known = public.discard is not None or len(count.left) == 1
        secret = {} if known else outcome.secret
        return Outcome(msgspec.structs.replace(public, count=count), secret)

    def _happened(self, outcome: Outcome[Happening]) -> tuple[State, Outcome[Happening]]:
        return self.follow(outcome), outcome

    def _check_giver(self, giver: str) -> None:
        check_name("player", giver, self.setup.players)
        if giver not in self.givers:
            raise RuleError(
                f"expected {person(self.mover)} to draw from "
                f"{' or '.join(map(person, self.givers))}, got {person(giver)}"
            )

    # ---- events ----------------------------------------------------------------------------

    def follow(self, outcome: Outcome[Happening]) -> State:
        """Return the state after a recorded event.

        Raises:
            RuleError: the event contradicts the rules or the hands.
        """
        public = outcome.public
        check_event(self.result)
        if isinstance(public, Discards):
            if self.turn:
                raise RuleError("pairs of the deal are discarded once, before the first turn")
            if outcome.secret:
                raise RuleError("discards have no secrets")
            return self._discarded(public)
        if self.turn == 0:
            raise RuleError("expected the discards (turn 0) before the first draw")
        return self._follow_draw(public, outcome.secret)

    def _discarded(self, public: Discards) -> State:
        setup = self.setup
        if public.turn != 0:
            raise RuleError(f"expected the discards in turn 0, got turn {public.turn}")
        sizes, left = dict(self.sizes), dict(self.left)
        lacks = set()
        for player, ranks in public.pairs.items():
            check_name("player", player, setup.players)
            for rank in ranks:
                check_name("rank", rank, left)
                left[rank] -= 2
                sizes[player] -= 2
                if left[rank] < 0:
                    raise RuleError(f"more pairs of rank {rank} than there are")
            if sizes[player] < 0:
                raise RuleError(f"{player} discards more cards than they were dealt")
            if self.deal is not None:
                for rank in setup.deck:
                    if ranks.count(rank) != int(self.deal[pairs_name(player, rank)]):
                        raise RuleError(f"{player} does not discard their pairs of rank {rank}")
            lacks |= {(player, rank) for rank in ranks if ranks.count(rank) == 2}
        missing = [player for player in setup.players if player not in public.pairs]
        if missing:
            raise RuleError(f"the discards of {missing[0]} are missing")
        if public.first not in (first := self.starters(sizes)):
            raise RuleError(f"expected {' or '.join(first)} to begin, got {public.first!r}")
        return replace(
            self, sizes=sizes, left=left, lacks=frozenset(lacks), mover=public.first, turn=1
        )

    def _follow_draw(self, public: Draw, secret: Mapping[str, str]) -> State:
        check_turn(self.turn, public)
        check_mover(self.setup, self.turn, self.mover, public.player)
        self._check_giver(public.giver)
        ranks = self.ranks(public.giver)
        if public.discard is not None:
            check_name("rank", public.discard, self.left)
            if public.discard not in ranks or self.left[public.discard] < 2:
                raise RuleError(f"no pair of rank {public.discard} can be left in play")
        count = self.count_after(public.giver, public.discard)
        if public.count not in (None, count):
            raise RuleError(next(_miscounts(count, public.count)))
        rank = self._rank(public, secret, ranks)
        if self.hands is not None:
            self._check_hands(public, rank)
        return self._after(public, count, rank)

    def _rank(self, public: Draw, secret: Mapping[str, str], ranks: Sequence[str]) -> str | None:
        """Return the drawn rank; None if it is neither stated nor public."""
        name = drawn_name(public.turn)
        # Without counts, the record does not state that only one rank is possible.
        known = public.discard is not None or (public.count is not None and len(ranks) == 1)
        for other in secret:
            if other != name or known:
                raise RuleError(f"there is no secret {other!r} in this event")
        if name in secret and secret[name] not in ranks:
            raise RuleError(
                f"expected {public.giver} to give one of {', '.join(ranks)}, got {secret[name]!r}"
            )
        if known:
            return public.discard or ranks[0]
        return secret.get(name)

    def _check_hands(self, public: Draw, rank: str | None) -> None:
        assert self.hands is not None
        if rank is None:
            raise RuleError(f"turn {public.turn} does not say which rank was drawn")
        if rank not in self.hands[public.giver]:
            raise RuleError(f"according to the deal and the draws, {public.giver} holds no {rank}")
        if (rank in self.hands[public.player]) != (public.discard is not None):
            does = "discards a pair" if public.discard is None else "discards nothing"
            raise RuleError(f"according to the deal and the draws, {public.player} {does}")

    def _after(self, public: Draw, count: Count, rank: str | None) -> State:
        drawer, giver = public.player, public.giver
        hands = self.hands
        if hands is not None and rank is not None:
            hands = {
                **hands,
                giver: hands[giver] - {rank},
                drawer: hands[drawer] ^ {rank},
            }
        if public.discard is not None:
            lacks = self.lacks | {(giver, public.discard), (drawer, public.discard)}
        else:
            lacks = self.lacks - {(drawer, rank) for rank in count.left}
            if len(count.left) == 1:
                lacks |= {(giver, rank) for rank in count.left}
        after = replace(
            self,
            hands=hands,
            sizes={**self.sizes, giver: count.giver, drawer: count.drawer},
            left={**self.left, **count.left},
            lacks=lacks,
            turn=self.turn + 1,
            giver=None,
        )
        safe = {player for player, size in after.sizes.items() if not size}
        return replace(after, mover=self.setup.following(drawer, safe))
