"""A player that weighs the information it gains against the information it gives away."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import fsum
from random import Random
from typing import Self

from symkripke.engines import Engine
from symkripke.model import World
from symkripke.play.dealing import location
from symkripke.play.options import probability
from symkripke.play.player import SAME, counting
from symkripke_games.cluedo.asking import asked_by
from symkripke_games.cluedo.knowledge import event
from symkripke_games.cluedo.players.basic import CluedoView, own_cards
from symkripke_games.cluedo.players.informative import SAMPLES, Informative
from symkripke_games.cluedo.rules import Suggestion, Triple, shown

CANDIDATES = 4
"""The number of questions that are compared for each number of own cards in a question."""

HALF = Fraction(1, 2)


class Discreet(Informative):
    """A higher-order player that asks questions which tell it more than they tell the others.

    It compares the most informative questions with no, one and two of its own cards. For each, it
    computes its gain, which is the expected drop in the entropy of the solution, and the leak. It
    asks a question with the greatest (1 - `share`) * gain - `share` * leak.

    For the leak, it samples a few of the deals that it considers possible, by their weight. In each
    deal, it computes the answer to the question, and the number of solutions that each other player
    considers possible before and after the answer. The leak is the mean drop of the logarithm of
    this number, over deals and players. It never uses the actual hands of others.

    It shows cards as an informative player does.
    """

    def __init__(self, engine: Engine, chance: Random, share: Fraction = HALF) -> None:
        """Create a player for which the leak has this share in the value of a question."""
        super().__init__(engine, chance)
        self.share = float(share)

    @classmethod
    def tuned(cls, text: str) -> Callable[[Engine, Random], Self]:
        """Return a factory of players with the share in `text`, as in `discreet:0.8`.

        Raises:
            InputError: the text is not a number from 0 to 1.
        """
        return partial(cls, share=probability(text))

    def suggest(self, view: CluedoView) -> Triple:
        """Return a question with the greatest value; a random one if none is informative."""
        from symkripke_games.cluedo.questions import Survey  # numpy is slow to import

        gains = Survey(counting(self.engine), view).gains
        if max(gains.values()) < SAME:
            return super().suggest(view)
        compared = self._compared(view, gains)
        leaks = self.leaks(view, compared)
        values = [
            (1 - self.share) * gains[cards] - self.share * leak
            for cards, leak in zip(compared, leaks, strict=True)
        ]
        most = max(values)
        return self.chance.choice(
            [cards for cards, value in zip(compared, values, strict=True) if value > most - SAME]
        )

    def _compared(self, view: CluedoView, gains: Mapping[Triple, float]) -> list[Triple]:
        """Return the most informative questions for each number of own cards."""
        own = set(own_cards(view))
        questions = list(gains)
        self.chance.shuffle(questions)
        questions.sort(key=lambda cards: -round(gains[cards] / SAME))
        by_number = [[cards for cards in questions if len(own & {*cards}) == n] for n in range(3)]
        return [cards for some in by_number for cards in some[:CANDIDATES]]

    def leaks(self, view: CluedoView, questions: Sequence[Triple]) -> list[float]:
        """Return, for each question, the mean information that its answer gives another player."""
        setup, structure = view.setup, view.perspective.structure
        others = setup.after(view.player)
        names = [location(card.id) for card in setup.edition.cards]
        observed = (each for other in others for each in structure.observables[other])
        names = list(dict.fromkeys([*names, *(each.atom.fluent for each in observed)]))
        deals = counting(self.engine).sample(view.perspective, SAMPLES, self.chance, names)
        before = fsum(
            self.bits(setup, structure, other, deal) for deal in deals for other in others
        )
        leaks = []
        for cards in questions:
            left = []
            for deal in deals:
                answer, card = self._answer(view, cards, deal)
                after = structure.update(event(setup, answer))
                world = deal if card is None else {**deal, shown(answer.turn): card}
                left += [self.bits(setup, after, other, world) for other in others]
            leaks.append((before - fsum(left)) / len(left))
        return leaks

    def _answer(
        self, view: CluedoView, cards: Triple, deal: World
    ) -> tuple[Suggestion, str | None]:
        """Return the event for a question in a deal, and the shown card, chosen at random."""
        turn = view.record[-1].turn + 1 if view.record else 1
        asked = asked_by(view)
        hands = [[card for card in cards if deal[location(card)] == player] for player in asked]
        passes = next((number for number, hand in enumerate(hands) if hand), len(asked))
        answer = Suggestion(
            turn=turn,
            player=view.player,
            cards=cards,
            passes=asked[:passes],
            shower=asked[passes] if passes < len(asked) else None,
        )
        return answer, None if answer.shower is None else self.chance.choice(hands[passes])
