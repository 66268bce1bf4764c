"""Players that model the reasoning of the others, to a given depth.

`symkripke.play.depth` defines depth. In Kwartet:

* Candidates: for each group in which the player holds a card, and each player who may be asked, the
  best question at depth 0. The best `CANDIDATES` of these questions are compared.
* Situations: `SAMPLES` equally likely random deals that the player still considers possible after a
  no to its question. (The probability of the no is exact. After a yes the player continues, so no
  other player moves.)
* Horizon: the answer, and after a no the question of the next player, with its answer.
* Evaluation: the player's hand, with `worth` for each group, and `TURN` if it is the player's turn.

A player of depth 0 therefore asks for the card that is most likely to be with the asked player, and
prefers groups of which it has many cards. The information that a question gives to others plays no
part. A player of depth 1 predicts the next player's question from that player's knowledge. A player
of depth 2 knows that the next player predicts its own question in the same way, and so on. All
these players know all consequences of their observations, because the deals are counted exactly.
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
"""The number of questions that a player compares; no two have the same group and asked player."""

SAMPLES = 3
"""The number of deals for which a player considers the next questions."""

TURN = 0.25
"""The value of the right to ask, where a complete group is worth 1."""


def worth(cards: int) -> float:
    """Return the value of holding this number of cards of a group."""
    return (cards / 4) ** 2


@dataclass(frozen=True)
class Position:
    """The view of the player to move.

    Attributes:
        setup: the setup.
        perspective: the player's perspective.
        moved: the places of the cards that have moved.
    """

    setup: Setup
    perspective: Perspective
    moved: Mapping[str, str]

    @cached_property
    def held(self) -> Counter[str]:
        """The number of cards of each group that the player holds."""
        me, setup = self.perspective.agent, self.setup
        dealt = {setup.card_at[atom.fluent]: atom.value for atom in self.perspective.seen}
        cards = (card for card, place in {**dealt, **self.moved}.items() if place == me)
        return Counter([setup.group_of[card] for card in cards])

    @cached_property
    def deals(self) -> Deals:
        """The deals that the player considers possible."""
        return Deals(self.setup, self.perspective)

    def chances(self, group: str) -> dict[tuple[str, str], float]:
        """Return the positive probabilities that a card of the group is now at a place."""
        return {
            (card, self.moved.get(card, player)): 1.0 if card in self.moved else share
            for (card, player), share in self.deals.chances(group).items()
        }

    def refused(self, asked: str, card: str) -> Position:
        """Return the player's view after the asked player has denied having the card."""
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
        asked: the player to ask.
        card: the card to ask for.
        yes: the probability of a yes.
        gain: the value of a yes.
    """

    asked: str
    card: str
    yes: float
    gain: float


def decided(position: Position, depth: int, chance: Random) -> CandidateQuestion:
    """Return the question that a player of this depth asks.

    Args:
        position: the player's view.
        depth: the player's depth.
        chance: the source of randomness for situations and for ties between questions.
    """
    values = weighed(position, depth, chance)
    questions = best(values)
    return questions[0] if len(questions) == 1 else chance.choice(questions)


def weighed(position: Position, depth: int, chance: Random) -> dict[CandidateQuestion, float]:
    """Return the value of each candidate."""
    options = candidates(position, chance)
    # Drawing the seeds first gives the same deals at each depth, however often deeper calls use
    # `chance`.
    seeds = [chance.getrandbits(64) for _ in options]
    return {
        option: option.yes * option.gain
        + ((1 - option.yes) * _answered(position, option, depth, seed) if depth else 0)
        for option, seed in zip(options, seeds, strict=True)
    }


def candidates(position: Position, chance: Random) -> list[CandidateQuestion]:
    """Return the `CANDIDATES` best questions at depth 0, best first.

    Only the best question for each group and each player to ask is a candidate.
    """
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
    """Return the value of a no: the mean effect of the next player's question."""
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
    """Models the others as players of depth one less; at depth 0, asks for the likeliest card.

    See `symkripke_games.kwartet.thinking` for the exact rule.
    """

    def __init__(self, engine: Engine, chance: Random, depth: int) -> None:
        """Create a player of this depth."""
        super().__init__(engine, chance)
        self.depth = depth

    def think(self, view: KwartetView, hand: Hand) -> None:
        """Do nothing, because `question` computes the possible places of cards."""

    def question(self, hand: Hand) -> Pair:
        """Return a best question; choose randomly among equals."""
        position = Position(hand.setup, hand.view.perspective, hand.board.places)
        question = decided(position, self.depth, Random(self.chance.getrandbits(64)))
        return question.asked, question.card
