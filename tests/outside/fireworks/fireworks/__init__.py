"""Fireworks with one colour for two players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from fireworks import knowledge, rules
from fireworks.acts import ACTS, HAND
from fireworks.players import Careful, RandomPlayer
from fireworks.rules import Happening, Setup, rank_name
from symkripke.errors import RuleError, UnknownName
from symkripke.language import Formula, Kv
from symkripke.model import Event, KnowledgeStructure, World
from symkripke.play import Game, GameState, Layout, Outcome, Strategy
from symkripke.play.options import Option, number


class Fireworks(Game[Setup, Happening]):
    """The game's record of facts; see `symkripke.play.Game`."""

    name = "fireworks"
    title = "Fireworks"
    summary = "Everybody sees the cards of the other, and not its own."
    seats = rules.SEATS
    usual: Mapping[str, int] = {"classic": 2}
    reserved = (rules.DECK, rules.TABLE)
    make_setup = staticmethod(rules.make_setup)
    check_setup = staticmethod(rules.check_setup)
    strategies: Mapping[str, Strategy] = {"careful": Careful, "random": RandomPlayer}
    question = "own hands"
    acts = ACTS
    hand_act = HAND
    setup_type = Setup
    public_type = Happening
    options: Mapping[str, Option] = {
        "ranks": Option("how many ranks there are", number),
        "hand": Option("how many cards each holds", number),
        "clues": Option("how many clues can be given", number),
    }
    examples: Mapping[str, str] = {
        "Kv[ann] card(1)": "Ann knows her first card",
        "K[bob] ~Kv[ann] card(1)": "Bob knows that she does not",
    }

    def deal(self, setup: Setup, chance: Random) -> World:
        return rules.make_deal(setup, chance)

    def start(self, setup: Setup, deal: World | None) -> GameState[Happening]:
        if deal is not None:
            rules.check_deal(setup, deal)
        return rules.State.first(setup, deal)

    def structure(self, setup: Setup) -> KnowledgeStructure:
        return knowledge.structure(setup)

    def hand(self, setup: Setup, player: str, cards: Sequence[str]) -> World:
        """Return the ranks of the other player's cards, in order, as seen at the deal."""
        places = setup.hands[setup.other(player)]
        if len(cards) != len(places):
            raise RuleError(f"expected the {len(places)} ranks of the other hand, got {len(cards)}")
        for rank in cards:
            if rank not in setup.deck:
                raise UnknownName("rank", rank, knowledge.ranks(setup))
        return {rank_name(card): rank for card, rank in zip(places, cards, strict=True)}

    def cards(self, setup: Setup) -> Sequence[str]:
        """Return all ranks."""
        return knowledge.ranks(setup)

    def dealt(self, setup: Setup, deal: World, player: str) -> tuple[str, ...]:
        """Return the ranks of the other player's cards, in order."""
        return tuple(deal[rank_name(card)] for card in setup.hands[setup.other(player)])

    def event_in(
        self, setup: Setup, state: GameState[Happening], outcome: Outcome[Happening]
    ) -> Event:
        assert isinstance(state, rules.State)
        return knowledge.event(setup, dict(state.hands), outcome.public)

    def layout(self, setup: Setup, structure: KnowledgeStructure) -> Layout:
        cards = {rank_name(card): f"Card {card}" for card in setup.cards}
        return Layout({"cards": cards}, {rank: rank for rank in knowledge.ranks(setup)})

    def answers(
        self, setup: Setup, structure: KnowledgeStructure, player: str
    ) -> tuple[Formula, ...]:
        """Return the possible ranks of the cards in the player's own hand."""
        hand = knowledge.held(setup, structure, player)
        return tuple(knowledge.has(card, rank) for card in hand for rank in knowledge.ranks(setup))

    def knows_answer(
        self, setup: Setup, structure: KnowledgeStructure, player: str
    ) -> Formula | None:
        hand = knowledge.held(setup, structure, player)
        return Kv(player, tuple(map(rank_name, hand))) if hand else None


GAME = Fireworks()
