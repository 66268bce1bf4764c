"""Skeleton: a small game to start from. One card is hidden; ask for cards until you know it."""

from __future__ import annotations

from collections.abc import Mapping

from symkripke.language import Atom
from symkripke.model import Event, KnowledgeStructure, World
from symkripke.play import Game, GameState, Layout, Outcome, Strategy
from symkripke.play.acts import Things
from symkripke.play.dealing import location
from symkripke.play.hands import at
from symkripke.play.options import Option
from symkripke.play.words import person
from symkripke_games.skeleton import knowledge, rules
from symkripke_games.skeleton.acts import ACTS, HAND, PEOPLE
from symkripke_games.skeleton.players import Knower, RandomPlayer
from symkripke_games.skeleton.rules import HIDDEN, Happening, Setup


class Skeleton(Game[Setup, Happening]):
    """The definition of the game; see `symkripke.play.Game`."""

    name = "skeleton"
    title = "Skeleton"
    summary = "Which card is hidden? A small game to start from."
    seats = rules.SEATS
    usual: Mapping[str, int] = {"classic": 3}
    reserved = (HIDDEN,)
    strategies: Mapping[str, Strategy] = {"knower": Knower, "random": RandomPlayer}
    levels: Mapping[str, str] = {"Beginner": "random", "Perfect": "knower"}
    question = "hidden cards"
    options: Mapping[str, Option] = {
        "cards": Option("a TOML file with the cards", title="Cards", file="a TOML file")
    }
    examples: Mapping[str, str] = {
        "K[ann] at(bell, hidden)": "Ann knows that the bell is hidden",
        "K[bob] ~K[ann] holds(cath, drum)": "Bob knows that Ann does not know of Cath's drum",
    }
    setup_type = Setup
    public_type = Happening
    make_setup = staticmethod(rules.make_setup)
    check_setup = staticmethod(rules.check_setup)
    deal = staticmethod(rules.make_deal)
    structure = staticmethod(knowledge.structure)
    acts = ACTS
    hand_act = HAND
    people = PEOPLE

    def start(self, setup: Setup, deal: World | None) -> GameState[Happening]:
        """Return the first state, in which the first player moves."""
        if deal is not None:
            rules.check_deal(setup, deal)
        return rules.State(setup, deal, setup.players[0])

    def event_in(
        self, setup: Setup, state: GameState[Happening], outcome: Outcome[Happening]
    ) -> Event:
        """Return the event of an answer or a guess."""
        return knowledge.event(setup, outcome.public)

    def layout(self, setup: Setup, structure: KnowledgeStructure) -> Layout:
        """Return the cards and the places where they can be."""
        cards = {location(card.id): card.title for card in setup.cards}
        return Layout({"cards": cards}, {**{p: person(p) for p in setup.players}, HIDDEN: "Hidden"})

    def example_things(self, setup: Setup) -> Things:
        """Return the two cards of the examples, with the cards of this setup."""
        return ((("bell", "drum"), [card.title for card in setup.cards]),)

    def answers(self, setup: Setup, structure: KnowledgeStructure, player: str) -> tuple[Atom, ...]:
        """Return the atoms for the hidden card."""
        return tuple(at(card.id, HIDDEN) for card in setup.cards)


GAME = Skeleton()
