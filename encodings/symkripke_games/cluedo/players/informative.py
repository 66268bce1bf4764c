"""A player that asks the most informative question and shows the least informative card."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, log2

from symkripke.language import Atom
from symkripke.model import KnowledgeStructure, Perspective, World
from symkripke.play.dealing import location
from symkripke.play.player import SAME, counting
from symkripke_games.cluedo.knowledge import envelope_atoms, event
from symkripke_games.cluedo.players.basic import CluedoView, HigherOrder
from symkripke_games.cluedo.rules import Setup, Show, Suggestion, Triple, shown

SAMPLES = 4
"""The number of sampled deals in which a shower computes what the asker would learn."""


class Informative(HigherOrder):
    """A higher-order player that asks informative questions and shows uninformative cards.

    It asks a question with the greatest expected drop in the entropy of the solution, computed
    exactly (see `symkripke_games.cluedo.questions`).

    It shows a card that it has shown to the asker before, if it can, because the asker learns
    nothing from it. Otherwise, it samples a few of the deals that it considers possible after the
    question and the passes, by their weight, with the observations of the asker in each. For each
    card, it counts the solutions that the asker would then consider possible. It shows the card
    with the greatest mean logarithm of that number. It never uses the asker's actual hand.
    """

    def suggest(self, view: CluedoView) -> Triple:
        """Return a most informative question; a random one if none is informative."""
        from symkripke_games.cluedo.questions import Survey  # numpy is slow to import

        best = Survey(counting(self.engine), view).best()
        return self.chance.choice(best) if best else super().suggest(view)

    def show(self, view: CluedoView, cards: Sequence[str]) -> Show:
        """Return the least informative card; choose randomly among equals."""
        assert view.decision is not None
        asked = view.decision.pending
        assert isinstance(asked, Suggestion)
        before = shown_before(view, asked.player)
        known = [card for card in cards if card in before]
        if known or len(cards) == 1:
            return super().show(view, known or cards)
        left = self.left(view, asked, cards)
        most = max(left)
        return super().show(
            view, [card for card, bits in zip(cards, left, strict=True) if bits > most - SAME]
        )

    def left(self, view: CluedoView, asked: Suggestion, cards: Sequence[str]) -> list[float]:
        """Return, for each card, the asker's remaining bits after it, summed over the samples."""
        after = view.perspective.structure.update(event(view.setup, asked))
        secret = shown(asked.turn)
        # The choice of the card gives the shower no information, so any card serves for sampling.
        mine = Perspective(after, view.player, view.perspective.seen | {Atom(secret, cards[0])})
        observed = [observable.atom for observable in after.observables[asked.player]]
        names = [location(card.id) for card in view.setup.edition.cards]
        names += dict.fromkeys(
            atom.fluent for atom in observed if atom.fluent not in {*names, secret}
        )
        deals = counting(self.engine).sample(mine, SAMPLES, self.chance, names)
        return [
            fsum(
                self.bits(view.setup, after, asked.player, {**deal, secret: card}) for deal in deals
            )
            for card in cards
        ]

    def bits(self, setup: Setup, structure: KnowledgeStructure, player: str, world: World) -> float:
        """Return the logarithm of the number of solutions that are possible for a player."""
        seen = frozenset(
            observable.atom
            for observable in structure.observables[player]
            if world[observable.atom.fluent] == observable.atom.value
        )
        view = Perspective(structure, player, seen)
        return log2(len(self.engine.possibilities(view, envelope_atoms(setup))))


def shown_before(view: CluedoView, asker: str) -> set[str]:
    """Return the cards that the viewer has shown to this player."""
    turns = {
        shown(public.turn)
        for public in view.record
        if isinstance(public, Suggestion)
        and public.player == asker
        and public.shower == view.player
    }
    return {atom.value for atom in view.perspective.seen if atom.fluent in turns}
