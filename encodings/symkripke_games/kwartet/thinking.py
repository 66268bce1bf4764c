"""Players that think about what the others think, to a depth.

`symkripke.play.depth` says what a depth is. In Kwartet:

* Candidates: for each group of which the player holds a card, and each player who may be asked, the
  best question at depth 0; of these the best `CANDIDATES`.
* Situations: `SAMPLES` random deals, each as likely as another, of those that the player still
  considers possible after a no to its question. (The probability of the no is exact. After a yes
  the player goes on, and nobody answers.)
* Horizon: the answer, and after a no the question of the player whose turn it is then, with its
  answer.
* Evaluation: what the player holds, `worth` for each group, and `TURN` if it is its turn.

So a player of depth 0 asks for the card that is most likely to be where it asks, and rather for one
of a group of which it has much. What a question tells the others plays no part. A player of depth
1 expects what the next player then asks it for, by what that one knows; a player of depth 2 knows
that this one expects the same of it, and so on. All of them know all that follows from what they
have seen (`symkripke_games.kwartet.deals`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from symkripke.engines import Engine
from symkripke.play.depth import best
from symkripke_games.kwartet.deals import TABLE, Deals, Known, after, dealt, frame_of
from symkripke_games.kwartet.notes import Hand, KwartetView
from symkripke_games.kwartet.players import Asker, Pair
from symkripke_games.kwartet.rules import Setup

CANDIDATES = 4
"""So many questions are compared, about different groups or to different players."""

SAMPLES = 3
"""In so many deals a player looks at what is asked next."""

TURN = 0.25
"""What it is worth to be the one who asks; a complete group is worth 1."""


def worth(cards: int) -> float:
    """What it is worth to hold so many cards of a group."""
    return (cards / 4) ** 2


@dataclass(frozen=True)
class Position:
    """What everybody sees when it is a player's turn.

    Attributes:
        setup: the setup.
        known: what everybody knows of each group.
        seat: whose turn it is.
    """

    setup: Setup
    known: Known
    seat: int


@dataclass(frozen=True)
class Question:
    """A question, as a player weighs it.

    Attributes:
        asked: the seat of whom.
        group: the number of the group.
        card: the number of the card in the group.
        yes: how probable a yes is.
        gain: what a yes is worth.
    """

    asked: int
    group: int
    card: int
    yes: float
    gain: float


def decided(position: Position, own: Sequence[int], depth: int, chance: Random) -> Question:
    """The question that a player of that depth asks.

    Args:
        position: what everybody sees.
        own: for each group the cards that the player was dealt, as the sum of their bits.
        depth: its depth.
        chance: draws the situations, and lots between equally good questions.
    """
    values = weighed(position, own, depth, chance)
    found = best(values)
    return found[0] if len(found) == 1 else chance.choice(found)


def weighed(
    position: Position, own: Sequence[int], depth: int, chance: Random
) -> dict[Question, float]:
    """The value of each candidate."""
    frame = frame_of(position.setup, position.seat)
    options = candidates(position, Deals(frame, position.known, own), chance)
    # The same deals at each depth, whatever chance is used for below.
    seeds = [chance.getrandbits(64) for _ in options]
    return {
        option: option.yes * option.gain
        + ((1 - option.yes) * _answered(position, own, option, depth, seed) if depth else 0)
        for option, seed in zip(options, seeds, strict=True)
    }


def candidates(position: Position, deals: Deals, chance: Random) -> list[Question]:
    """For each group and player the question that is best at depth 0; the best of these."""
    found = []
    for number, held in enumerate(_held(position, deals.own)):
        if not held:
            continue
        gain = worth(held + 1) - worth(held) + TURN
        chances: dict[int, dict[int, float]] = {}
        for (card, place), yes in deals.chances(number).items():
            if place not in (position.seat, TABLE):
                chances.setdefault(place, {})[card] = yes
        for asked, cards in chances.items():
            likely = best(cards)
            card = likely[0] if len(likely) == 1 else chance.choice(likely)
            found.append(Question(asked, number, card, cards[card], gain))
    if len(found) > 1:
        chance.shuffle(found)
        found.sort(key=lambda question: -round(question.yes * question.gain, 9))
    return found[:CANDIDATES]


def _held(position: Position, own: Sequence[int]) -> list[int]:
    """How many cards of each group the player holds now."""
    return [
        sum(
            (moved is None and mine >> card & 1) or moved == position.seat
            for card, moved in enumerate(group.moved)
        )
        for group, mine in zip(position.known, own, strict=True)
    ]


def _answered(
    position: Position, own: Sequence[int], option: Question, depth: int, seed: int
) -> float:
    """The value of the question if the answer is no: what is then taken, or whose turn it is."""
    if option.yes == 1:
        return 0.0
    setup, me = position.setup, position.seat
    refused = position.known[option.group].asked(
        me, option.asked, option.card, given=False, down=False, bluffing=setup.allow_bluff
    )
    known = (*position.known[: option.group], refused, *position.known[option.group + 1 :])
    following = Position(setup, known, option.asked)
    deals, chance = Deals(frame_of(setup, me), known, own), Random(seed)
    drawn = [deals.draw(chance) for _ in range(SAMPLES)]
    held, total = _held(position, own), 0.0
    for deal in drawn:
        theirs = [
            sum(1 << card for card, seat in enumerate(way) if seat == option.asked) for way in deal
        ]
        reply = decided(following, theirs, depth - 1, chance)
        if reply.asked != me:
            continue
        mine = held[reply.group]
        given = known[reply.group].place(deal[reply.group], reply.card) == me
        total += worth(mine - 1) - worth(mine) if given else TURN
    return total / len(drawn)


class Thinker(Asker):
    """Thinks to a depth: takes the others for players of one depth less; 0 asks for the likeliest.

    `symkripke_games.kwartet.thinking` says exactly what it does.
    """

    def __init__(self, engine: Engine, chance: Random, depth: int) -> None:
        """A player of that depth."""
        super().__init__(engine, chance)
        self.depth = depth
        self._known: Known = ()

    def think(self, view: KwartetView, hand: Hand) -> None:
        """Follow what everybody knows."""
        self._known = dealt(view.setup)
        for public in view.record:
            self._known = after(view.setup, self._known, public)

    def question(self, hand: Hand) -> Pair:
        """The best question; of several, any."""
        setup = hand.setup
        seats = {player: seat for seat, player in enumerate(setup.players)}
        cards = list(setup.cards_of.values())
        own = [
            sum(1 << place for place, card in enumerate(group) if card in self.reader.dealt)
            for group in cards
        ]
        position = Position(setup, self._known, seats[hand.player])
        found = decided(position, own, self.depth, Random(self.chance.getrandbits(64)))
        return setup.players[found.asked], cards[found.group][found.card]
