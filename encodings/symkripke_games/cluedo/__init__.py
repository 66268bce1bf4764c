"""Cluedo (Clue): deduce the three cards in the envelope. All other cards are dealt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symkripke.errors import RuleError
from symkripke.language import Atom, Formula
from symkripke.model import Event, KnowledgeStructure, World
from symkripke.play import Game, GameState, Layout, Outcome, Strategy, View
from symkripke.play.acts import Things
from symkripke.play.dealing import DEALT_MORE, location
from symkripke.play.depth import CONSIDERS, by_depth
from symkripke.play.options import Option, flag_or_names
from symkripke.play.strategies import HUMAN, made_by
from symkripke.play.words import person
from symkripke_games.cluedo import knowledge, rules
from symkripke_games.cluedo.acts import ACTS, HAND, PEOPLE
from symkripke_games.cluedo.editions import CATEGORIES, EDITIONS, ENVELOPE
from symkripke_games.cluedo.measures import MEASURES
from symkripke_games.cluedo.players import (
    Discreet,
    FirstOrder,
    FirstOrderGuesser,
    HigherOrder,
    HigherOrderGuesser,
    Informative,
    Racer,
    RandomAsker,
    Thinker,
)
from symkripke_games.cluedo.rules import CLASSIC, Happening, Setup, edition_of


class Cluedo(Game[Setup, Happening]):
    """The definition of the game; see `symkripke.play.Game`."""

    name = "cluedo"
    title = "Cluedo"
    summary = "Who, with what, where? Deduce the three cards in the envelope."
    seats = rules.SEATS
    usual: Mapping[str, int] = {rules.CLASSIC: 6, rules.STUDY: 4}
    reserved = (ENVELOPE,)
    strategies: Mapping[str, Strategy] = {
        "higher-order": HigherOrder,
        "first-order": FirstOrder,
        "random": RandomAsker,
        "informative": Informative,
        "discreet": Discreet,
        "higher-order-guesser": HigherOrderGuesser,
        "first-order-guesser": FirstOrderGuesser,
        "racer": Racer,
        **by_depth(Thinker),
    }
    levels: Mapping[str, str] = {
        "Beginner": "first-order",
        "Sharp": "higher-order",
        "Perfect": "informative",
    }
    considers: Mapping[str, str] = {
        "higher-order": (
            "Takes everything into account: its own cards, the cards it is shown, "
            "and what others ask and answer each other"
        ),
        "first-order": (
            "Crosses off only the cards that it has seen itself, and ignores what "
            "others ask and answer each other"
        ),
        "random": "Asks for anything, and only crosses off the cards that it has seen itself",
        "informative": (
            "Takes everything into account, asks the most informative question, and "
            "shows the card that gives away least"
        ),
        "discreet": (
            "Takes everything into account, and asks the question that tells it most "
            "and the others least"
        ),
        "higher-order-guesser": (
            "Takes everything into account, and accuses as soon as one solution is "
            "probable enough, without being certain"
        ),
        "first-order-guesser": (
            "Crosses off only the cards that it has seen itself, and accuses as soon as "
            "one solution is probable enough"
        ),
        "racer": "Takes everything into account, and guesses if somebody else is about to win",
        **CONSIDERS,
    }
    question = "solutions"
    options: Mapping[str, Option] = {
        "edition": Option(
            "a named edition (classic, us, 2016)",
            title="Set of cards",
            choices=tuple(EDITIONS),
            file="a TOML file with a set of cards",
        ),
        "size": Option(
            "the number of suspects, weapons and rooms, as in 6/6/9",
            title="Number of suspects, weapons and rooms",
        ),
        "silence_speaks": Option(
            "the players who always accuse as soon as they know the solution: yes "
            "(all players), no, or names, as in green,plum",
            flag_or_names,
            title="Players who accuse at once",
        ),
        "dealt_more": DEALT_MORE,
    }
    examples: Mapping[str, str] = {
        "K[plum] at(rope, envelope)": "Plum knows that the rope is in the envelope",
        "M[green] holds(plum, hall)": "Green considers it possible that Plum holds the hall",
        "Kw[white] holds(green, rope)": "White knows whether Green holds the rope",
        "M[plum] knows_solution(green)": "Plum considers it possible that Green knows the solution",
        "C[*] ~holds(plum, rope)": "it is common knowledge that Plum does not hold the rope",
        "P[plum](at(rope, envelope)) >= 1/2": "for Plum, the probability is at least 1/2",
    }
    setup_type = Setup
    public_type = Happening
    make_setup = staticmethod(rules.make_setup)
    check_setup = staticmethod(rules.check_setup)
    deal = staticmethod(rules.make_deal)
    structure = staticmethod(knowledge.structure)
    acts = ACTS
    hand_act = HAND
    measures = MEASURES
    people = PEOPLE
    advised_by = "symkripke_games.cluedo.advice:CluedoAdvisor"
    reviewed_by = "symkripke_games.cluedo.review:CluedoReviewer"
    drawn_by = "symkripke_games.cluedo.pictures:CluedoPictures"
    example_players = ("Plum", "Scarlett", "Mustard")

    def seated(
        self,
        rules: str,
        players: int | None,
        names: Sequence[str] | None,
        options: Mapping[str, Any],
    ) -> tuple[str, ...]:
        """Return the players' names; by the classic rules, the suspects if there are enough."""
        sitting = super().seated(rules, players, names, options)
        if names is not None or rules != CLASSIC:
            return sitting
        suspects = edition_of(rules, options.get("edition"), options.get("size")).suspects
        able = tuple(card.id for card in suspects[: len(sitting)])
        return able if len(able) == len(sitting) else sitting

    def check_strategies(self, setup: Setup, names: Sequence[str]) -> None:
        """Raise `RuleError` if the silence of a player named in `silence_speaks` reveals nothing.

        The option `silence_speaks` requires players that notice when they know the solution.
        """
        notices = [
            name != HUMAN and getattr(made_by(self, name), "notices", False) for name in names
        ]
        for player, name, noticed in zip(setup.players, names, notices, strict=True):
            if player in setup.accusers and not noticed:
                speak = [
                    other for other, speaks in zip(setup.players, notices, strict=True) if speaks
                ]
                some = (
                    f"name only players whose silence speaks: silence_speaks={','.join(speak)}"
                    if speak
                    else ("leave silence_speaks out")
                )
                raise RuleError(
                    f"the silence of {player} reveals nothing: a {name} player may know the "
                    f"solution without noticing it; {some}"
                )

    def start(self, setup: Setup, deal: World | None) -> GameState[Happening]:
        """Return the first state, in which the first player is to act."""
        if deal is not None:
            rules.check_deal(setup, deal)
        return rules.State(setup, deal, setup.players[0])

    def dealt_more(self, setup: Setup) -> tuple[str, ...]:
        """Return the players who are dealt an extra card; none by the study's rules."""
        return super().dealt_more(setup) if setup.rules == CLASSIC else ()

    def hand(self, setup: Setup, player: str, cards: Sequence[str]) -> World:
        """Return the locations of the cards that `player` was dealt."""
        deal = super().hand(setup, player, cards)
        rules.check_hand(setup, player, deal)
        return deal

    def event_in(
        self, setup: Setup, state: GameState[Happening], outcome: Outcome[Happening]
    ) -> Event:
        """Return the event of a suggestion with its answers, or of an accusation."""
        return knowledge.event(setup, outcome.public)

    def example_names(
        self,
        setup: Setup,
        state: GameState[Happening],
        view: View[Setup, Happening] | None = None,
    ) -> Mapping[str, str]:
        """Return the names for the examples, in which Plum makes the next suggestion."""
        assert isinstance(state, rules.State)
        return super().example_names(setup, state.upcoming, view)

    def example_things(self, setup: Setup) -> Things:
        """Return the cards of the examples by category, with those of this setup."""
        words = (("green", "white"), ("rope",), ("study", "hall"))
        titles = ([card.title for card in cards] for cards in setup.edition.categories)
        return list(zip(words, titles, strict=True))

    def layout(self, setup: Setup, structure: KnowledgeStructure) -> Layout:
        """Return the note sheet: cards by category, with columns for players and the envelope."""
        cards = {
            kind: {location(card.id): card.title for card in category}
            for kind, category in zip(CATEGORIES, setup.edition.categories, strict=True)
        }
        return Layout(cards, {**{p: person(p) for p in setup.players}, ENVELOPE: "Envelope"})

    def answers(self, setup: Setup, structure: KnowledgeStructure, player: str) -> tuple[Atom, ...]:
        """Return the atoms for the cards in the envelope."""
        return knowledge.envelope_atoms(setup)

    def knows_answer(self, setup: Setup, structure: KnowledgeStructure, player: str) -> Formula:
        """Return the formula stating that a player knows the solution."""
        return knowledge.knows_solution(player)


GAME = Cluedo()
