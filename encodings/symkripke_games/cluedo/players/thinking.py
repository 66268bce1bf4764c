"""Players that model the reasoning of the others, to a given depth.

`symkripke.play.depth` defines depth. In Cluedo, all these players know all consequences of their
observations, and accuse when one solution is left. In addition:

* Candidates: the `CANDIDATES` questions with the most information about the solution, in bits;
  every card that can be shown; at the end of a turn, an accusation of the most probable solution if
  at most `GUESSES` are left, or no accusation.
* Situations: `SAMPLES` random deals that the player considers possible, by their probability, with
  the cards that were shown in each.
* Horizon: the answer to the question (a shower chooses at random), and the accusations that the
  others would make at once with their knowledge in that situation.
* Evaluation: 0 if another player accuses rightly before the player's next turn. Otherwise, a
  question that leaves h bits of uncertainty is worth 2^-h, an accusation is worth the probability
  that it is right, and any other move is worth 1.

A player of depth 0 therefore asks the most informative question, shows a random card, and accuses
when it is certain. A player of depth 1 expects the others to play like this. It avoids giving them
the information that they lack, and guesses before they win. A player of depth 2 expects the others
to guess in this way, too, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from msgspec.structs import replace

from symkripke.engines import Engine
from symkripke.errors import BudgetExceeded, NoAnswerWithin, OutOfMemory
from symkripke.language import Atom
from symkripke.model import KnowledgeStructure, Perspective, Scene, World
from symkripke.play.dealing import location
from symkripke.play.depth import best
from symkripke.play.player import counting
from symkripke_games.cluedo.asking import asked_by, out
from symkripke_games.cluedo.editions import ENVELOPE
from symkripke_games.cluedo.knowledge import envelope_atoms, event
from symkripke_games.cluedo.players.basic import CluedoView
from symkripke_games.cluedo.players.counting import Weighing
from symkripke_games.cluedo.rules import (
    Accuse,
    Done,
    Setup,
    Show,
    Suggestion,
    Triple,
    shown,
)

CANDIDATES = 3
"""The number of questions that a player compares."""

SAMPLES = 4
"""The number of deals for which a player considers the moves of the others."""

GUESSES = 4
"""The greatest number of possible solutions with which a player guesses."""


class Thinker(Weighing):
    """Models the others as players of depth one less; at depth 0, does not model them.

    See `symkripke_games.cluedo.players.thinking` for the exact rule.
    """

    def __init__(self, engine: Engine, chance: Random, depth: int) -> None:
        """Create a player of this depth."""
        super().__init__(engine, chance)
        self.depth = depth

    def choose(self, view: CluedoView) -> Any:
        """Return the move of a higher-order player; at the end of a turn, consider a guess."""
        made = super().choose(view)
        return self._last_word(view) if made == Done() else made

    # ---- questions -----------------------------------------------------------------------

    def suggest(self, view: CluedoView) -> Triple:
        """Return the question with the greatest value; a random one if none is informative."""
        from symkripke_games.cluedo.questions import Survey  # numpy is slow to import

        survey = Survey(counting(self.engine), view)
        seed = self.chance.getrandbits(64)
        if not survey.best():
            return super().suggest(view)
        questions = [cards for cards, _ in survey.best_first]
        gains = {cards: round(survey.gains[cards], 9) for cards in questions}
        self.chance.shuffle(questions)
        questions.sort(key=lambda cards: -gains[cards])
        if not self.depth:
            return questions[0]
        foresight = Foresight(self.engine, view.setup, out(view), Random(seed))
        values = dict.fromkeys(questions[:CANDIDATES], 0.0)
        structure, asked, turn = view.perspective.structure, asked_by(view), _turn(view)
        for deal in foresight.draws(view.perspective):
            for cards in values:
                question = Suggestion(turn=turn, player=view.player, cards=cards)
                said, card = _answer(deal, question, asked, foresight.chance)
                after = foresight.after(structure, said)
                there = deal if card is None else {**deal, shown(turn): card}
                if not foresight.beaten(after, there, view.player, self.depth - 1):
                    values[cards] += 0.5 ** survey.left(cards, said.shower, card)
        return best(values)[0]

    # ---- showing -------------------------------------------------------------------------

    def show(self, view: CluedoView, cards: Sequence[str]) -> Show:
        """Return the card after which the asker accuses least often; break ties at random."""
        seed = self.chance.getrandbits(64)
        if self.depth and len(cards) > 1:
            assert view.decision is not None
            asked = view.decision.pending
            assert isinstance(asked, Suggestion)
            foresight = Foresight(self.engine, view.setup, out(view), Random(seed))
            after = view.perspective.structure.update(event(view.setup, asked))
            secret = shown(asked.turn)
            # The choice of the card gives the shower no information, so any card serves here.
            mine = Perspective(after, view.player, view.perspective.seen | {Atom(secret, cards[0])})
            values = dict.fromkeys(cards, 0.0)
            for deal in foresight.draws(mine):
                for card in cards:
                    there = {**deal, secret: card}
                    values[card] += not foresight.accuses(
                        after, there, asked.player, self.depth - 1
                    )
            cards = best(values)
        return super().show(view, cards)

    # ---- the end of a turn -----------------------------------------------------------------

    def _last_word(self, view: CluedoView) -> Accuse | Done:
        """Return an accusation of the most probable solution if guessing beats waiting."""
        seed = self.chance.getrandbits(64)
        if not asked_by(view):  # nothing more can be learned
            return Accuse(self.best_guess(view)[0])
        foresight = Foresight(self.engine, view.setup, out(view), Random(seed))
        guess = foresight.guess(view.perspective, self.depth)
        return Done() if guess is None else Accuse(guess)


class Foresight:
    """A player's expectation of the others' actions."""

    def __init__(self, engine: Engine, setup: Setup, lost: frozenset[str], chance: Random) -> None:
        """Prepare the foresight of one decision.

        Args:
            engine: the engine that computes the players' knowledge.
            setup: the setup.
            lost: the players who have accused wrongly.
            chance: the source of randomness for deals and ties.
        """
        self.chance = chance
        self._engine = engine
        self._setup = setup
        self._racing = [player for player in setup.players if player not in lost]
        self._atoms = envelope_atoms(setup)
        self._after: dict[tuple[KnowledgeStructure, Suggestion], KnowledgeStructure] = {}
        self._guesses: dict[
            tuple[KnowledgeStructure, str, frozenset[Atom], int], Triple | None
        ] = {}

    def draws(self, view: Perspective) -> list[World]:
        """Return random deals that the player considers possible, with the shown cards."""
        names = list(view.structure.vocabulary.fluents)
        return counting(self._engine).sample(view, SAMPLES, self.chance, names)

    def after(self, structure: KnowledgeStructure, said: Suggestion) -> KnowledgeStructure:
        """Return the structure after a suggestion."""
        key = structure, said
        after = self._after.get(key)
        if after is None:
            after = self._after[key] = structure.update(event(self._setup, said))
        return after

    def beaten(self, structure: KnowledgeStructure, world: World, player: str, depth: int) -> bool:
        """Return whether another player, of this depth, would accuse rightly at this world."""
        return any(
            self.accuses(structure, world, other, depth)
            for other in self._racing
            if other != player
        )

    def accuses(self, structure: KnowledgeStructure, world: World, player: str, depth: int) -> bool:
        """Return whether the player, of this depth, would accuse rightly at this world."""
        guess = self.guess(Scene(structure, world).perspective(player), depth)
        return guess is not None and all(world[location(card)] == ENVELOPE for card in guess)

    def guess(self, view: Perspective, depth: int) -> Triple | None:
        """Return the accusation of a player of this depth at the end of their turn, or None."""
        key = view.structure, view.agent, view.seen, depth
        if key not in self._guesses:
            self._guesses[key] = self._guess(view, depth)
        return self._guesses[key]

    def _guess(self, view: Perspective, depth: int) -> Triple | None:
        try:
            left = self._engine.possibilities(view, self._atoms, limit=GUESSES if depth else 1)
        except (NoAnswerWithin, OutOfMemory):
            raise
        except BudgetExceeded:  # too many solutions for a guess
            return None
        if len(left) == 1:
            return self._triple(next(iter(left)))
        deals = self.draws(view)
        beaten = sum(self.beaten(view.structure, deal, view.agent, depth - 1) for deal in deals)
        if not beaten:
            return None
        shares = counting(self._engine).distribution(view, self._atoms)
        most = max(shares.values())
        if most <= 1 - Fraction(beaten, len(deals)):
            return None
        probable = sorted(self._triple(cards) for cards, share in shares.items() if share == most)
        return self.chance.choice(probable)

    def _triple(self, inside: frozenset[Atom]) -> Triple:
        """Return the solution with these atoms, which state the cards in the envelope."""
        held = {atom.fluent for atom in inside}
        suspect, weapon, room = (
            next(card.id for card in category if location(card.id) in held)
            for category in self._setup.edition.categories
        )
        return suspect, weapon, room


def _turn(view: CluedoView) -> int:
    """Return the number of the current turn, in which the viewer is to ask."""
    return view.record[-1].turn + 1 if view.record else 1


def _answer(
    deal: World, said: Suggestion, asked: Sequence[str], chance: Random
) -> tuple[Suggestion, str | None]:
    """Return the suggestion with its answer in this deal, and the shown card, if any."""
    for number, player in enumerate(asked):
        held = [card for card in said.cards if deal[location(card)] == player]
        if held:
            answered = replace(said, passes=tuple(asked[:number]), shower=player)
            return answered, held[0] if len(held) == 1 else chance.choice(held)
    return replace(said, passes=tuple(asked)), None
