"""The rules of the game: setup, deal, moves and positions, without logic or knowledge.

The players build a firework of each colour together, card by card from rank 1. All players see the
cards of the others, but not their own. On their turn, a player tells another player about a colour
or a rank, plays a card, or discards a card. A hint names all cards of that colour or rank in a
hand, and there must be one. A card that is played and does not fit costs a life. Discards, and
completed fireworks, return a hint. After the last card has been drawn, each player has one more
turn. (Hanabi: A. Bauza, 2010.)

The place of a card in a hand is public. A new card takes the place of the card that was played or
discarded.

A table can have a convention, by which hints convey more than their words. It is a house rule: a
hint that breaks the convention is forbidden, so everybody knows that each hint keeps it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from random import Random
from typing import Any

from symkripke.errors import RuleError, check_name
from symkripke.model import World
from symkripke.play import CHANCE, Decision, Outcome, Public
from symkripke.play import Setup as BaseSetup
from symkripke.play.checks import check_event, check_move, check_mover, check_turn, known_deal
from symkripke.play.dealing import check_values
from symkripke.play.words import number_of

CLASSIC, MULTICOLOUR = "classic", "multicolour"
SEATS = {CLASSIC: (2, 5), MULTICOLOUR: (2, 5)}
COLOURS = ("red", "yellow", "green", "blue", "white")
MULTI = "multi"
"""The colour of cards that each hint about a colour touches."""

NONE = "none"
"""The value of a place without a card, and the name of a table without a convention."""

USES = PLAYABLE, LATER, USELESS = "playable", "later", "useless"
NEWEST, ALL = "newest-playable", "all-playable"
CONVENTIONS = (NONE, NEWEST, ALL)

At = tuple[str, int]
"""A player, and a place in their hand."""


class Setup(BaseSetup, frozen=True, kw_only=True, dict=True, cache_hash=True, omit_defaults=True):
    """The setup of a game.

    Attributes:
        colours: the number of colours, without the multicoloured cards.
        ranks: the number of ranks.
        hand: the number of cards in each hand; None: five, or four with four or more players.
        hints: the greatest number of hints.
        lives: the number of lives at the start.
        all_or_nothing: whether the score is 0 if all lives are lost.
        convention: the meaning of hints beyond their words: "newest-playable" (the newest card that
            is named is playable), "all-playable" (all of them are) or "none".
    """

    colours: int = 5
    ranks: int = 5
    hand: int | None = None
    hints: int = 8
    lives: int = 3
    all_or_nothing: bool = False
    convention: str = NONE

    @cached_property
    def suits(self) -> tuple[str, ...]:
        """The colours of the fireworks."""
        return (*COLOURS[: self.colours], *([MULTI] if self.rules == MULTICOLOUR else []))

    @cached_property
    def kinds(self) -> Mapping[str, int]:
        """The number of copies of each kind of card: three of rank 1, one of the last rank."""
        copies = {1: 3, self.ranks: 1}
        ranks = range(1, self.ranks + 1)
        return {f"{suit}_{rank}": copies.get(rank, 2) for suit in self.suits for rank in ranks}

    @cached_property
    def features(self) -> tuple[str, ...]:
        """The colours and ranks that a hint can be about."""
        return (*COLOURS[: self.colours], *map(str, range(1, self.ranks + 1)))

    @property
    def size(self) -> int:
        """The number of cards in a hand."""
        return self.hand or (5 if len(self.players) < 4 else 4)

    @property
    def sizes(self) -> Mapping[str, int]:
        """The number of cards of the others, which a player sees."""
        return dict.fromkeys(self.players, len(self.places) - self.size)

    @cached_property
    def places(self) -> tuple[At, ...]:
        """The places of all hands, in the order in which cards are dealt."""
        return tuple((player, n + 1) for player in self.players for n in range(self.size))


class Hint(Public, frozen=True, kw_only=True, tag="hint"):
    """The event in which a player names all cards of a colour or rank in another hand."""

    player: str
    told: str
    feature: str
    places: tuple[int, ...]


class Put(Public, frozen=True, kw_only=True, tag="put"):
    """The event in which a card is played or discarded, and another card may be drawn.

    Attributes:
        player: the player.
        place: the place of the card.
        kind: the kind of the card, which everybody sees.
        fits: whether the card was played and fits; None if it was discarded.
        draws: whether another card is drawn.
    """

    player: str
    place: int
    kind: str
    fits: bool | None = None
    draws: bool = True

    @property
    def at(self) -> At:
        """The player and the place."""
        return self.player, self.place


Happening = Hint | Put


@dataclass(frozen=True, slots=True)
class Tell:
    """The move that gives a hint."""

    told: str
    feature: str


@dataclass(frozen=True, slots=True)
class Play:
    """The move that plays a card."""

    place: int


@dataclass(frozen=True, slots=True)
class Discard:
    """The move that discards a card."""

    place: int


# ---- cards and the setup -------------------------------------------------------------------


@lru_cache
def parts(kind: str) -> tuple[str, int]:
    """Return the colour and the rank of a kind of card."""
    suit, _, rank = kind.partition("_")
    return suit, int(rank)


def touches(feature: str, kind: str) -> bool:
    """Return whether a hint about a colour or rank names cards of a kind."""
    suit, _, rank = kind.partition("_")
    return feature == rank if feature.isdigit() else suit in (feature, MULTI)


def feature_title(feature: str) -> str:
    """Return the words for a colour, a rank or a use: "rank 1"."""
    return f"rank {feature}" if feature.isdigit() else feature


def card_name(player: str, place: int | str) -> str:
    """Return the fluent for the kind of the card in a place."""
    return f"card({player}, {place})"


def check_setup(setup: Setup) -> None:
    """Raise `RuleError` or `UnknownName` if nobody can play this setup."""
    check_name("convention", setup.convention, CONVENTIONS)
    for name, most in {"colours": 5, "ranks": 5, "hints": 20, "lives": 20}.items():
        if not 1 + (name == "ranks") <= getattr(setup, name) <= most:
            raise RuleError(f"{name}: expected up to {most}, got {getattr(setup, name)}")
    if setup.hand == 0 or not len(setup.players) <= len(setup.places) < sum(setup.kinds.values()):
        raise RuleError(f"the deck has too few cards for hands of {setup.hand}")


def make_deal(setup: Setup, chance: Random) -> World:
    """Return random hands, by fluent."""
    cards = list(Counter(setup.kinds).elements())
    chance.shuffle(cards)
    names = [card_name(*at) for at in setup.places]
    return {**dict(zip(names, cards, strict=False)), **State.first(setup, None).facts}


# ---- the game ------------------------------------------------------------------------------


@dataclass(frozen=True)
class State:
    """A position; see `symkripke.play.GameState`.

    Attributes:
        setup: the setup.
        cards: the kind of the card in each place; None for an onlooker.
        drawn: the places of all cards that have been drawn, in order.
        heights: the number of cards in each firework.
        allowed: the kinds that the hints about the card in each place allow, from the oldest card.
        hints: the number of hints that can be given.
        lives: the number of lives left.
        turn: the number of the turn.
        gone: the cards that were discarded or did not fit, in order.
        left: the number of turns left; None while the deck has cards.
        pending: the move that waits for a card from the deck.
        out: the empty set, because nobody drops out.
    """

    setup: Setup
    cards: Mapping[At, str] | None
    drawn: tuple[At, ...]
    heights: Mapping[str, int]
    allowed: Mapping[At, frozenset[str]]
    hints: int
    lives: int
    turn: int = 1
    gone: tuple[str, ...] = ()
    left: int | None = None
    pending: Play | Discard | None = None
    out: frozenset[str] = frozenset()

    @classmethod
    def first(cls, setup: Setup, deal: World | None) -> State:
        """Return the position before the first turn. Raise `RuleError` for an impossible deal."""
        heights = dict.fromkeys(setup.suits, 0)
        allowed = dict.fromkeys(setup.places, frozenset(setup.kinds))
        state = cls(setup, None, setup.places, heights, allowed, setup.hints, setup.lives)
        return state if deal is None else replace(state, cards=state.checked(deal))

    def checked(self, deal: World) -> dict[At, str]:
        """Return the cards of a deal. Raise `RuleError` if the deck does not have these cards."""
        names = {card_name(*at): at for at in self.setup.places}
        uses = {name: (use,) for name, use in self.facts.items()}
        allowed = {**dict.fromkeys(names, self.setup.kinds), **uses}
        check_values(deal, allowed, "place", "card", says="what")
        cards = {at: deal[name] for name, at in names.items()}
        if over := Counter(cards.values()) - Counter(self.setup.kinds):
            raise RuleError(f"the deck has fewer cards of the kind {next(iter(over))}")
        return cards

    # ---- the public position -------------------------------------------------------------

    @property
    def mover(self) -> str:
        """The player to move."""
        return self.setup.players[(self.turn - 1) % len(self.setup.players)]

    @cached_property
    def deck(self) -> int:
        """The number of cards in the deck."""
        return sum(self.setup.kinds.values()) - len(self.drawn)

    def by_age(self, player: str) -> list[int]:
        """Return the places with a card in a hand, from the oldest card to the newest."""
        return [place for who, place in self.allowed if who == player]

    @cached_property
    def uses(self) -> Mapping[str, frozenset[str]]:
        """The kinds of card that are playable, that can be playable later, and that are useless."""
        uses = {kind: self._use(*parts(kind)) for kind in self.setup.kinds}
        return {use: frozenset(kind for kind in uses if uses[kind] == use) for use in USES}

    def _use(self, suit: str, rank: int) -> str:
        needed = [f"{suit}_{n}" for n in range(self.heights[suit] + 1, rank + 1)]
        if not needed or any(self.gone.count(k) == self.setup.kinds[k] for k in needed):
            return USELESS
        return PLAYABLE if len(needed) == 1 else LATER

    @property
    def facts(self) -> dict[str, str]:
        """The values of the public fluents: the use of each kind of card."""
        return {f"use({k})": use for k in self.setup.kinds for use in USES if k in self.uses[use]}

    @cached_property
    def shown(self) -> Counter[str]:
        """The cards that have been played or discarded."""
        heights = self.heights.items()
        return Counter((*self.gone, *(f"{suit}_{n + 1}" for suit, h in heights for n in range(h))))

    def promised(self, hint: Hint, convention: str = "") -> list[int]:
        """Return the places of the cards that a hint promises to be playable, by the convention.

        A hint about a rank promises nothing if nobody may discard, and it tells the previous player
        about their oldest card (as in SimpleBot, see `symkripke_games.hanabi.players`).

        Args:
            hint: the hint.
            convention: a convention; by default, that of the table.
        """
        convention = convention or self.setup.convention
        order = self.by_age(hint.told)
        waits = self.hints == self.setup.hints and self.setup.after(hint.told)[0] == hint.player
        if convention == NONE or (waits and hint.feature.isdigit() and order[0] in hint.places):
            return []
        named = [place for place in order if place in hint.places]
        return named if convention == ALL else named[-1:]

    @property
    def left_over(self) -> str:
        """The hints, lives, cards and, in the last round, turns that are left, in words."""
        turns = "" if self.left is None else f", turns left: {self.left}"
        return f"Hints: {self.hints}, lives: {self.lives}, cards to draw: {self.deck}{turns}"

    @property
    def score(self) -> int:
        """The number of cards in fireworks; 0 if the lives are lost and it is all or nothing."""
        lost = self.setup.all_or_nothing and not self.lives
        return 0 if lost else sum(self.heights.values())

    @property
    def result(self) -> str | None:
        """The result of the game in words; None while it continues."""
        points = number_of(self.score, "point")
        if self.winners:
            return f"all fireworks are complete: {points}"
        if not self.lives:
            return f"the last life is lost: {points}"
        return f"the deck is empty: {points}" if self.left == 0 else None

    @property
    def winners(self) -> tuple[str, ...]:
        """All players if the fireworks are complete, otherwise nobody."""
        return self.setup.players if self.score == len(self.setup.kinds) else ()

    # ---- moves ---------------------------------------------------------------------------

    @cached_property
    def decision(self) -> Decision | None:
        """The next decision; None after the end."""
        if self.result is not None:
            return None
        if self.cards is None:
            return Decision(self.mover, "act")
        if self.pending is not None:
            left = Counter(self.setup.kinds) - self.shown - Counter(self.cards.values())
            return Decision(CHANCE, "draw", tuple(left.elements()))
        mine = sorted(self.by_age(self.mover))
        discards = map(Discard, mine if self.hints < self.setup.hints else ())
        return Decision(self.mover, "act", (*self._tells(), *map(Play, mine), *discards))

    def _tells(self) -> Iterator[Tell]:
        cards = known_deal(self.cards)
        for told in self.setup.after(self.mover) if self.hints else ():
            for feature in self.setup.features:
                hint = self.hint(told, feature)
                promised = {cards[told, place] for place in self.promised(hint)}
                if hint.places and promised <= self.uses[PLAYABLE]:
                    yield Tell(told, feature)

    def hint(self, told: str, feature: str) -> Hint:
        """Return the event of a hint."""
        held = known_deal(self.cards).items()
        named = tuple(sorted(p for (who, p), k in held if who == told and touches(feature, k)))
        return Hint(turn=self.turn, player=self.mover, told=told, feature=feature, places=named)

    def put(self, move: Play | Discard, kind: str) -> Put:
        """Return the event of a card of this kind."""
        fits = kind in self.uses[PLAYABLE] if isinstance(move, Play) else None
        who, at, draws = self.mover, move.place, self.deck > 0
        return Put(turn=self.turn, player=who, place=at, kind=kind, fits=fits, draws=draws)

    def play(self, move: Any) -> tuple[State, Outcome[Happening] | None]:
        """Return the state after a move, and the event; None if a card must be drawn first."""
        check_move(self.result)
        cards, outcome = known_deal(self.cards), Outcome[Happening]
        if self.decision is None or move not in (self.decision.options or ()):
            raise RuleError(f"{move} is not a possible move now")
        if isinstance(move, Tell):
            done = outcome(self.hint(move.told, move.feature), {})
        elif self.pending is None and self.deck:
            return replace(self, pending=move), None
        else:
            put = self.pending or move
            at = self.mover, put.place
            secret = {card_name(*at): move} if self.deck else {}
            done = outcome(self.put(put, cards[at]), secret)
        return self.follow(done), done

    # ---- events --------------------------------------------------------------------------

    def follow(self, outcome: Outcome[Happening]) -> State:
        """Return the state after a recorded event.

        Raises:
            RuleError: the rules forbid the event in this state.
        """
        public, secret = outcome.public, outcome.secret
        check_event(self.result)
        check_turn(self.turn, public)
        check_mover(self.setup, self.turn, self.mover, public.player)
        self._check(public)
        left = None if self.left is None else self.left - 1
        after = replace(self, turn=self.turn + 1, left=left, pending=None)
        if isinstance(public, Put):
            return after._after_put(public, dict(secret))
        if secret:
            raise RuleError("nobody draws a card in this event")
        return replace(after, hints=self.hints - 1, allowed=dict(self._after_hint(public)))

    def _after_hint(self, public: Hint) -> Iterator[tuple[At, frozenset[str]]]:
        for at, kinds in self.allowed.items():
            named = public.told == at[0] and at[1] in public.places
            fits = (kind for kind in kinds if touches(public.feature, kind) == named)
            yield at, frozenset(fits) if public.told == at[0] else kinds

    def _after_put(self, public: Put, secret: dict[str, str]) -> State:
        at, (suit, rank), cards = public.at, parts(public.kind), self.cards
        drawn = secret.pop(card_name(*at), NONE) if public.draws else NONE
        hidden = () if cards is not None and public.draws else (NONE,)
        if secret or drawn not in (*hidden, *self.setup.kinds):
            raise RuleError(f"expected the card that {public.player} draws to place {public.place}")
        allowed = {place: kinds for place, kinds in self.allowed.items() if place != at}
        allowed |= {at: frozenset(self.setup.kinds)} if public.draws else {}
        cards = None if cards is None else {p: drawn if p == at else cards[p] for p in allowed}
        regained = public.fits is None or (public.fits and rank == self.setup.ranks)
        return replace(
            self,
            cards=cards,
            drawn=(*self.drawn, at) if public.draws else self.drawn,
            allowed=allowed,
            heights={**self.heights, suit: self.heights[suit] + bool(public.fits)},
            gone=self.gone if public.fits else (*self.gone, public.kind),
            hints=min(self.hints + regained, self.setup.hints),
            lives=self.lives - (public.fits is False),
            left=len(self.setup.players) if public.draws and self.deck == 1 else self.left,
        )

    def _check(self, public: Happening) -> None:
        """Raise `RuleError` for the first condition on the event that is false."""
        if isinstance(public, Hint):
            hand = sorted(self.by_age(public.told))
            named = [place for place in hand if place in public.places]
            conditions = {
                "no hint is left": self.hints > 0,
                f"nobody can tell {public.told} now": public.told != public.player,
                f"there are no cards of {public.feature}": public.feature in self.setup.features,
                f"expected some of the cards {hand}": [] != named == [*public.places],
            }
        else:
            fits = public.kind in self.uses[PLAYABLE]
            conditions = {
                f"there is no card {public.place}": public.place in self.by_age(public.player),
                f"there is no card {public.kind}": public.kind in self.setup.kinds,
                f"the card {'fits' if fits else 'does not fit'}": public.fits in (None, fits),
                f"the deck has {self.deck} cards": public.draws == (self.deck > 0),
                "no hint has been used": public.fits is not None or self.hints < self.setup.hints,
            }
        for problem, is_fine in conditions.items():
            if not is_fine:
                raise RuleError(problem)


@lru_cache(maxsize=4096)
def position(setup: Setup, record: tuple[Happening, ...]) -> State:
    """Return the public position after these events."""
    if not record:
        return State.first(setup, None)
    return position(setup, record[:-1]).follow(Outcome(record[-1], {}))
