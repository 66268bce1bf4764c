"""Players that think about what the others think, to a depth.

`symkripke.play.depth` says what a depth is. In Kwartet:

* Candidates: for each group in which the player holds a card, and each player who may be asked, the
  best question at depth 0; of these the best `CANDIDATES`.
* Situations: `SAMPLES` equally likely random deals that the player still considers possible after a
  no to its question. (The probability of the no is exact. After a yes the player continues, and
  nobody answers.)
* Horizon: the answer, and after a no the question of the next player, with its answer.
* Evaluation: the player's hand, `worth` for each group, and `TURN` if it is its turn.

A player of depth 0 therefore asks for the card that is most likely to be with the asked player, and
prefers groups of which it has many cards. The information that a question gives to others plays no
part. A player of depth 1 expects the next player's question, given that player's knowledge; a
player of depth 2 knows that the next player expects the same of it, and so on. All of them know all
consequences of their observations: the engine counts the deals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random

from symkripke.engines import Engine
from symkripke.model import Perspective, World
from symkripke.play.depth import best
from symkripke.play.hands import holds
from symkripke_games.kwartet.deals import Deals
from symkripke_games.kwartet.decks import TABLE
from symkripke_games.kwartet.knowledge import event
from symkripke_games.kwartet.notes import Hand, KwartetView
from symkripke_games.kwartet.players import Asker, Pair
from symkripke_games.kwartet.rules import Question, Setup

CANDIDATES = 4
"""The number of compared questions, about different groups or to different players."""

SAMPLES = 3
"""The number of deals for which a player considers the next questions."""

TURN = 0.25
"""The value of the right to ask, where a complete group is worth 1."""


def worth(cards: int) -> float:
    """Return the value of holding `number` cards of a group."""
    return (cards / 4) ** 2


@dataclass(frozen=True)
class Position:
    """The view of the player to move.

    Attributes:
        setup: the setup.
        perspective: what the player has seen.
        moved: where the cards are that have moved.
    """

    setup: Setup
    perspective: Perspective
    moved: Mapping[str, str]

    @cached_property
    def held(self) -> Counter[str]:
        """Return the number of cards of each group that the player holds."""
        me, setup = self.perspective.agent, self.setup
        dealt = {setup.card_at[atom.fluent]: atom.value for atom in self.perspective.seen}
        cards = (card for card, place in {**dealt, **self.moved}.items() if place == me)
        return Counter([setup.group_of[card] for card in cards])

    @cached_property
    def deals(self) -> Deals:
        """The deals that the player considers possible."""
        return Deals(self.setup, self.perspective)

    def chances(self, group: str) -> dict[tuple[str, str], float]:
        """Return the probability that a card of the group is at a place, if it may be there."""
        return {
            (card, self.moved.get(card, player)): 1.0 if card in self.moved else share
            for (card, player), share in self.deals.chances(group).items()
        }

    def refused(self, asked: str, card: str) -> Position:
        """Return the player's view after the other has denied having the card."""
        before, me = self.perspective, self.perspective.agent
        said = event(self.setup, Question(turn=0, player=me, asked=asked, card=card, given=False))
        after = Perspective(before.structure.update(said), me, before.seen)
        return Position(self.setup, after, self.moved)

    def of(self, player: str, deal: World) -> Position:
        """Return another player's view, given a deal."""
        dealt = [holds(player, c) for c, at in self.setup.fluent_of.items() if deal[at] == player]
        there = Perspective(self.perspective.structure, player, frozenset(dealt))
        return Position(self.setup, there, self.moved)


@dataclass(frozen=True)
class CandidateQuestion:
    """A question, as a player weighs it.

    Attributes:
        asked: whom.
        card: for which card.
        yes: how probable a yes is.
        gain: what a yes is worth.
    """

    asked: str
    card: str
    yes: float
    gain: float


def decided(position: Position, depth: int, chance: Random) -> CandidateQuestion:
    """Return the question that a player of that depth asks.

    Args:
        position: what the player sees.
        depth: its depth.
        chance: draws the situations, and lots between equally good questions.
    """
    values = weighed(position, depth, chance)
    questions = best(values)
    return questions[0] if len(questions) == 1 else chance.choice(questions)


def weighed(position: Position, depth: int, chance: Random) -> dict[CandidateQuestion, float]:
    """Return the value of each candidate."""
    options = candidates(position, chance)
    # The same deals at each depth, whatever chance is used for below.
    seeds = [chance.getrandbits(64) for _ in options]
    return {
        option: option.yes * option.gain
        + ((1 - option.yes) * _answered(position, option, depth, seed) if depth else 0)
        for option, seed in zip(options, seeds, strict=True)
    }


def candidates(position: Position, chance: Random) -> list[CandidateQuestion]:
    """Return the best of the questions that are best at depth 0 for a group and a player."""
    questions = []
    for group in position.setup.cards_of:
        held = position.held[group]
        if not held:
            continue
        gain = worth(held + 1) - worth(held) + TURN
        chances: dict[str, dict[str, float]] = {}
        for (card, place), yes in position.chances(group).items():
            if place not in (position.perspective.agent, TABLE):
                chances.setdefault(place, {})[card] = yes
        for asked, cards in chances.items():
            likely = best(cards)
            card = likely[0] if len(likely) == 1 else chance.choice(likely)
            questions.append(CandidateQuestion(asked, card, cards[card], gain))
    if len(questions) > 1:
        chance.shuffle(questions)
        questions.sort(key=lambda question: -round(question.yes * question.gain, 9))
    return questions[:CANDIDATES]


def _answered(position: Position, option: CandidateQuestion, depth: int, seed: int) -> float:
    """Return the value of the question if the answer is no, by the next player's move."""
    if option.yes == 1:
        return 0.0
    setup, me = position.setup, position.perspective.agent
    refused, chance, total = position.refused(option.asked, option.card), Random(seed), 0.0
    deals = [refused.deals.draw(chance) for _ in range(SAMPLES)]
    for deal in deals:
        reply = decided(refused.of(option.asked, deal), depth - 1, chance)
        if reply.asked != me:
            continue
        held = position.held[setup.group_of[reply.card]]
        place = position.moved.get(reply.card, deal[setup.fluent_of[reply.card]])
        total += worth(held - 1) - worth(held) if place == me else TURN
    return total / len(deals)


class Thinker(Asker):
    """Thinks to a depth: takes the others for players of one depth less; 0 asks for the likeliest.

    See `symkripke_games.kwartet.thinking` for the exact rule.
    """

    def __init__(self, engine: Engine, chance: Random, depth: int) -> None:
        """Create a player of this depth."""
        super().__init__(engine, chance)
        self.depth = depth

    def think(self, view: KwartetView, hand: Hand) -> None:
        """Where cards may be is found as part of the question."""

    def question(self, hand: Hand) -> Pair:
        """Return the best question; of several, any."""
        position = Position(hand.setup, hand.view.perspective, hand.board.places)
        question = decided(position, self.depth, Random(self.chance.getrandbits(64)))
        return question.asked, question.card
