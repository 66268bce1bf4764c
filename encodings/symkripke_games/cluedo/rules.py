"""The rules of the game: setup, deal, moves and outcomes, without logic or knowledge.

Classic rules: the printed game without the board. The cards that are not in the envelope are
shuffled together and dealt round. In one turn, a player makes a suggestion and may then accuse. A
player who accuses wrongly has looked into the envelope and is out of the race, but keeps showing
cards.

Study rules: the cards are dealt category by category (weapons, suspects, rooms). Each category
continues with the player after the last card of the previous category, so the number of cards that
each player holds of each category is common knowledge. A player who accuses wrongly is not asked
any more and shows no more cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

from symkripke.errors import RuleError, check_name
from symkripke.model import World
from symkripke.play import Decision, Outcome, Public
from symkripke.play import Setup as BaseSetup
from symkripke.play.checks import check_event, check_move, check_mover, check_turn, known_deal
from symkripke.play.dealing import (
    check_dealt_more,
    check_values,
    dealt_round,
    hand_sizes,
    location,
    seated_more,
)
from symkripke.play.editions import Piece, size_of
from symkripke_games.cluedo.editions import (
    CATEGORIES,
    ENVELOPE,
    Edition,
    edition_named,
    sized,
)

CLASSIC, STUDY = "classic", "study"
SEATS = {CLASSIC: (3, 6), STUDY: (2, 12)}

# The order in which the study deals the categories, as indices into CATEGORIES.
_STUDY_DEAL = (1, 0, 2)

Triple = tuple[str, str, str]
"""A suspect, a weapon and a room, by their short names."""


class Setup(BaseSetup, frozen=True, kw_only=True, omit_defaults=True):
    """The setup of a game.

    Attributes:
        edition: the set of cards.
        accusers: the players who are known to accuse once they know the solution. If such a player
            ends a turn without accusing, everybody learns that they do not know the solution
            (`silence_speaks`).
        dealt_more: the players who are dealt an extra card, if the cards do not come out even. By
            default (empty), the players in the first seats.
    """

    edition: Edition
    accusers: tuple[str, ...] = ()
    dealt_more: tuple[str, ...] = ()

    @property
    def hands(self) -> tuple[int | tuple[int, int, int], ...]:
        """The size of each hand: by category (study rules), or in total (classic rules)."""
        counts = [len(cards) - 1 for cards in self.edition.categories]
        if self.rules == CLASSIC:
            return tuple(hand_sizes(sum(counts), self.players, self.dealt_more).values())
        seats = len(self.players)
        held = [[0, 0, 0] for _ in range(seats)]
        seat = 0
        for category in _STUDY_DEAL:
            for _ in range(counts[category]):
                held[seat][category] += 1
                seat = (seat + 1) % seats
        return tuple((a, b, c) for a, b, c in held)

    @property
    def sizes(self) -> dict[str, int]:
        """The number of cards dealt to each player."""
        hands = zip(self.players, self.hands, strict=True)
        return {name: hand if isinstance(hand, int) else sum(hand) for name, hand in hands}


class Suggestion(Public, frozen=True, kw_only=True, tag="suggestion"):
    """A suggestion, and the answers of the others.

    Attributes:
        player: the player who makes the suggestion.
        cards: the suspect, the weapon and the room.
        passes: the players who had none of the cards, in the order in which they were asked.
        shower: the player who then showed a card to the asker only; None if nobody did.
    """

    player: str
    cards: Triple
    passes: tuple[str, ...] = ()
    shower: str | None = None


class Accusation(Public, frozen=True, kw_only=True, tag="accusation"):
    """An accusation: the player wins if it is right, and is out if it is wrong."""

    player: str
    cards: Triple
    right: bool


class NoSuggestion(Public, frozen=True, kw_only=True, tag="no-suggestion"):
    """A turn without a suggestion, as on a board outside all rooms. It occurs only in logs."""

    player: str


class NoAccusation(Public, frozen=True, kw_only=True, tag="no-accusation"):
    """The end of the turn of a player who would have accused if they knew the solution."""

    player: str


Happening = Suggestion | Accusation | NoSuggestion | NoAccusation


@dataclass(frozen=True, slots=True)
class Suggest:
    """The move that asks for three cards."""

    cards: Triple


@dataclass(frozen=True, slots=True)
class Accuse:
    """The move that claims that three cards are in the envelope."""

    cards: Triple


@dataclass(frozen=True, slots=True)
class Show:
    """The move that shows a card to the asker."""

    card: str


@dataclass(frozen=True, slots=True)
class Done:
    """The move that ends the turn without an accusation."""


def shown(turn: int) -> str:
    """Return the name of the fluent for the card shown in a turn, which only two players see."""
    return f"shown({turn})"


def edition_of(rules: str, edition: str | None = None, size: str | None = None) -> Edition:
    """Return the edition that these options select. The study's default has 3/3/4 cards."""
    made = edition_named("classic" if edition is None else edition)
    if size is None and rules == STUDY and edition is None:
        size = "3/3/4"
    return made if size is None else sized(made, size_of(size, "6/6/9", CATEGORIES))


def make_setup(
    *,
    rules: str,
    players: tuple[str, ...],
    edition: str | None = None,
    size: str | None = None,
    silence_speaks: bool | Sequence[str] = False,
    dealt_more: Sequence[str] | None = None,
) -> Setup:
    """Return a setup; see `Game.make_setup`."""
    return Setup(
        rules=rules,
        players=players,
        edition=edition_of(rules, edition, size),
        accusers=_accusers(players, silence_speaks),
        dealt_more=seated_more(players, dealt_more),
    )


def _accusers(players: Sequence[str], chosen: bool | Sequence[str]) -> tuple[str, ...]:
    """Return the players whose silence speaks, in seat order: all, none, or the named players."""
    if isinstance(chosen, bool):
        return tuple(players) if chosen else ()
    named = {name.casefold(): name for name in players}
    accusers = [named.get(name.casefold(), name) for name in chosen]
    order = [*players, *(name for name in accusers if name not in players)]
    return tuple(sorted(accusers, key=order.index))


def check_setup(setup: Setup) -> None:
    """Raise `RuleError` if nobody can play with this setup."""
    setup.edition.check()
    for number, name in enumerate(setup.accusers):
        check_name("player in the option silence_speaks", name, setup.players)
        if name in setup.accusers[:number]:
            raise RuleError(f"player {name!r} is given twice in the option silence_speaks")
    dealt = len(setup.edition.cards) - len(CATEGORIES)
    if dealt < len(setup.players):
        raise RuleError(f"{dealt} cards are too few to deal to {len(setup.players)} players")
    if setup.dealt_more and setup.rules == STUDY:
        raise RuleError(
            "in the study's rules, the first players get the extra cards: leave dealt_more out"
        )
    check_dealt_more(dealt, setup.players, setup.dealt_more)


def make_deal(setup: Setup, chance: Random) -> dict[str, str]:
    """Return a random deal: the place of each card, by fluent."""
    envelope = [chance.choice(cards) for cards in setup.edition.categories]
    order: list[Piece] = []
    for category in _STUDY_DEAL:
        rest = [card for card in setup.edition.categories[category] if card not in envelope]
        chance.shuffle(rest)
        order.extend(rest)
    if setup.rules == CLASSIC:
        chance.shuffle(order)
    places = {card.id: ENVELOPE for card in envelope}
    for card, player in zip(
        order, dealt_round(len(order), setup.players, setup.dealt_more), strict=True
    ):
        places[card.id] = player
    return {location(card.id): places[card.id] for card in setup.edition.cards}


def check_deal(setup: Setup, deal: World) -> None:
    """Raise `RuleError` if a card is missing, a place is wrong or a hand has the wrong size."""
    places = (*setup.players, ENVELOPE)
    check_values(deal, {location(card.id): places for card in setup.edition.cards})
    for kind, category in zip(CATEGORIES, setup.edition.categories, strict=True):
        number = sum(deal[location(card.id)] == ENVELOPE for card in category)
        if number != 1:
            raise RuleError(f"expected one of the {kind} in the envelope, got {number}")
    for player in setup.players:
        check_hand(setup, player, deal)


def check_hand(setup: Setup, player: str, deal: World) -> None:
    """Raise `RuleError` if the player's hand in this deal has the wrong size or composition."""
    hand = setup.hands[setup.players.index(player)]
    held = tuple(
        sum(deal.get(location(card.id)) == player for card in category)
        for category in setup.edition.categories
    )
    if (sum(held) if isinstance(hand, int) else held) != hand:
        raise RuleError(f"expected {player} to hold {hand} cards, got {held}")


@dataclass(frozen=True)
class State:
    """A position; see `symkripke.play.GameState`.

    Attributes:
        setup: the setup.
        deal: the place of each card, by fluent; None for an onlooker.
        turn: the number of the turn, from 1.
        mover: the player to move.
        phase: "act" (suggest or accuse), "show" (choose a card), "accuse" (accuse or end the turn)
            or "over".
        cards: the suggested cards, in the phase "show".
        out: the players who have accused wrongly.
        result: the result in words; None while the game continues.
        winners: the players who have won.
    """

    setup: Setup
    deal: World | None
    mover: str
    turn: int = 1
    phase: str = "act"
    cards: Triple | None = None
    out: frozenset[str] = frozenset()
    result: str | None = None
    winners: tuple[str, ...] = ()

    # ---- decisions -------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """The current decision; None after the end."""
        if self.result is not None:
            return None
        if self.phase != "show":
            return Decision(self.mover, self.phase)
        assert self.cards is not None
        passes, shower, options = self._answers(self.cards)
        assert shower is not None
        asked = self._suggestion(self.cards, passes, shower)
        return Decision(shower, "show", tuple(Show(card) for card in options), asked)

    @cached_property
    def upcoming(self) -> State:
        """The state in which the next suggestion is made.

        It differs from this state if the mover may still accuse but need not announce that they do
        not.
        """
        if self.phase == "accuse" and self.mover not in self.setup.accusers:
            return self._next_turn()
        return self

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """The players to ask after a suggestion by `mover`, in order."""
        others = self.setup.after(self.mover)
        if self.setup.rules == STUDY:
            return tuple(player for player in others if player not in self.out)
        return others

    def _answers(self, cards: Triple) -> tuple[tuple[str, ...], str | None, tuple[str, ...]]:
        """Return the players who pass, the player who must show a card, and their choices."""
        deal = known_deal(self.deal)
        for number, player in enumerate(self.asked):
            options = tuple(card for card in cards if deal[location(card)] == player)
            if options:
                return self.asked[:number], player, options
        return self.asked, None, ()

    # ---- moves ----------------------------------------------------------------------------

    def play(self, move: Any) -> tuple[State, Outcome[Happening] | None]:
        """Return the state after a move, and the event; None if the move completes no event."""
        check_move(self.result)
        match self.phase, move:
            case "act", Suggest(cards):
                self._check_cards(cards)
                passes, shower, _ = self._answers(cards)
                if shower is not None:
                    return replace(self, phase="show", cards=cards), None
                return self._happened(self._suggestion(cards, passes, None), {})
            case "show", Show(card):
                assert self.cards is not None
                passes, shower, options = self._answers(self.cards)
                if card not in options:
                    raise RuleError(
                        f"expected {shower} to show one of {', '.join(options)}, got {card!r}"
                    )
                asked = self._suggestion(self.cards, passes, shower)
                return self._happened(asked, {shown(self.turn): card})
            case (("act" | "accuse"), Accuse(cards)):
                self._check_cards(cards)
                deal = known_deal(self.deal)
                right = all(deal[location(card)] == ENVELOPE for card in cards)
                accused = Accusation(turn=self.turn, player=self.mover, cards=cards, right=right)
                return self._happened(accused, {})
            case "accuse", Done():
                if self.mover in self.setup.accusers:
                    silence = NoAccusation(turn=self.turn, player=self.mover)
                    return self._happened(silence, {})
                return self._next_turn(), None
        raise RuleError(f"{self.mover} cannot {type(move).__name__.lower()} now ({self.phase})")

    def _suggestion(self, cards: Triple, passes: tuple[str, ...], shower: str | None) -> Suggestion:
        return Suggestion(
            turn=self.turn, player=self.mover, cards=cards, passes=passes, shower=shower
        )

    def _happened(
        self, public: Happening, secret: Mapping[str, str]
    ) -> tuple[State, Outcome[Happening]]:
        outcome = Outcome(public, secret)
        return self._after(public), outcome

    def _after(self, public: Happening) -> State:
        if isinstance(public, NoAccusation):
            return self._next_turn()
        if not isinstance(public, Accusation):
            return replace(self, phase="accuse", cards=None)
        who = public.player
        if public.right:
            ended = f"{who} wins in turn {self.turn}"
            return replace(self, phase="over", result=ended, winners=(who,))
        lost = replace(self, out=self.out | {who})
        if len(lost.out) == len(self.setup.players):
            return replace(lost, phase="over", result="all have accused wrongly: nobody wins")
        return lost._next_turn()

    def _next_turn(self) -> State:
        following = self.setup.following(self.mover, self.out)
        return replace(self, mover=following, turn=self.turn + 1, phase="act", cards=None)

    def _check_cards(self, cards: Sequence[str]) -> None:
        if len(cards) != len(CATEGORIES):
            raise RuleError(f"expected a suspect, a weapon and a room, got {len(cards)} cards")
        for kind, category, card in zip(
            CATEGORIES, self.setup.edition.categories, cards, strict=True
        ):
            check_name(f"card among the {kind}", card, [known.id for known in category])

    # ---- recorded events -----------------------------------------------------------------

    def follow(self, outcome: Outcome[Happening]) -> State:
        """Return the state after a recorded event.

        Raises:
            RuleError: the event contradicts the rules or the deal.
        """
        public = outcome.public
        check_event(self.result)
        state = self
        if public.turn == self.turn + 1 and self.phase == "accuse":
            if self.mover in self.setup.accusers:
                raise RuleError(
                    f"expected {self.mover} to end turn {self.turn} by an accusation or a "
                    f'"no-accusation": the option silence_speaks is on for this player'
                )
            state = self.upcoming
        expected = f"{self.turn}"
        if self.upcoming is not self:
            expected = f"{self.turn} (an accusation) or {self.turn + 1}"
        check_turn(state.turn, public, expected)
        check_mover(self.setup, state.turn, state.mover, public.player)
        if isinstance(public, NoSuggestion):
            if state.phase != "act" or outcome.secret:
                raise RuleError(f"{state.mover} has made a suggestion in turn {state.turn}")
            return state._after(public)
        if isinstance(public, NoAccusation):
            if outcome.secret:
                raise RuleError("a turn without an accusation has no secrets")
            if state.phase != "accuse":
                raise RuleError(f"{state.mover} has not made a suggestion in turn {state.turn}")
            if state.mover not in self.setup.accusers:
                raise RuleError(
                    f"the option silence_speaks is off for {state.mover}: their "
                    "silence reveals nothing"
                )
            return state._after(public)
        state._check_cards(public.cards)
        if isinstance(public, Suggestion):
            if state.phase != "act":
                raise RuleError(f"{state.mover} has made a suggestion in turn {state.turn} already")
            state._check_suggestion(public, outcome.secret)
        else:
            state._check_accusation(public, outcome.secret)
        return state._after(public)

    def _check_suggestion(self, public: Suggestion, secret: Mapping[str, str]) -> None:
        answered = (*public.passes, *(() if public.shower is None else (public.shower,)))
        expected = self.asked if public.shower is None else self.asked[: len(answered)]
        if answered != expected:
            raise RuleError(
                f"expected {', '.join(expected)} to answer {public.player}, in this order, "
                f"got {', '.join(answered) or 'nobody'}"
            )
        name = shown(public.turn)
        for other in secret:
            if other != name or public.shower is None:
                raise RuleError(f"there is no secret {other!r} in this event")
        if name in secret and secret[name] not in public.cards:
            raise RuleError(
                f"{public.shower} was asked for {', '.join(public.cards)} and cannot have shown "
                f"{secret[name]!r}"
            )
        if self.deal is None:
            return
        passes, shower, options = self._answers(public.cards)
        if (passes, shower) != (public.passes, public.shower):
            right = f"{shower} to show a card" if shower else "nobody to show a card"
            raise RuleError(f"expected {right}, as in the deal")
        if shower is not None and secret.get(name) not in options:
            raise RuleError(
                f"expected {shower} to show one of {', '.join(options)}, got {secret.get(name)!r}"
            )

    def _check_accusation(self, public: Accusation, secret: Mapping[str, str]) -> None:
        looked = not public.right and self.setup.rules == CLASSIC and self.deal is None
        if secret and not looked:
            raise RuleError("an accusation has no secrets")
        if secret:
            # The accuser, who has looked into the envelope, reports its cards.
            inside = {
                location(card.id): k
                for k, cs in enumerate(self.setup.edition.categories)
                for card in cs
            }
            for name, place in secret.items():
                if name not in inside or place != ENVELOPE:
                    raise RuleError(f"expected three cards in the envelope, got {name} = {place}")
            if sorted(inside[name] for name in secret) != list(range(len(CATEGORIES))):
                raise RuleError("expected a suspect, a weapon and a room in the envelope")
        if self.deal is not None:
            right = all(self.deal[location(card)] == ENVELOPE for card in public.cards)
            if right != public.right:
                said = "right" if right else "wrong"
                raise RuleError(f"according to the deal, this accusation is {said}")
