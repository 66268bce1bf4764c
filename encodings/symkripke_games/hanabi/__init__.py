"""Hanabi: build fireworks together, from cards that all players see except their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from symkripke.language import Formula, Name
from symkripke.model import KnowledgeStructure
from symkripke.play import Game, Layout, Standing, Strategy
from symkripke.play.depth import CONSIDERS, by_depth
from symkripke.play.measure import Figure, Value, at_the_end
from symkripke.play.options import Option, flag, number, text
from symkripke.play.words import number_of, person
from symkripke_games.hanabi import knowledge, players, rules
from symkripke_games.hanabi.acts import HAND, HINT, PEOPLE, PUT
from symkripke_games.hanabi.rules import Happening, Setup

_FIGURES = {
    "score": Figure("points of the game", "score"),
    "alive": Figure("games in which a life was left", "alive", unit="share"),
}


def _end(state: Any) -> Mapping[str, Value]:
    return {"score": state.score, "alive": int(state.lives > 0)}


class Hanabi(Game[Setup, Happening]):
    """The definition of the game; see `symkripke.play.Game`."""

    name = "hanabi"
    title = "Hanabi"
    summary = "Build fireworks together, with cards that only the other players see."
    seats = rules.SEATS
    usual: Mapping[str, int] = {rules.CLASSIC: 3, rules.MULTICOLOUR: 3}
    strategies: Mapping[str, Strategy] = {
        "van-den-bergh": players.VanDenBergh,
        "simple-knowing": players.KnowingSimple,
        "simple-first-order": players.FirstOrderSimple,
        "simple": players.Simple,
        "piers": players.Piers,
        "iggi": players.Iggi,
        "iggi-hints": players.HintedIggi,
        "cautious": players.Cautious,
        "outer": players.Outer,
        "internal": players.Internal,
        "random": players.RandomPlayer,
        **by_depth(players.Thinker, range(3)),
    }
    considers: Mapping[str, str] = CONSIDERS
    measures = (at_the_end("score", "the points of the game", _FIGURES, _end),)
    advised_by = "symkripke_games.hanabi.players:HanabiAdvisor"
    drawn_by = "symkripke_games.hanabi.pictures:HanabiPictures"
    levels: Mapping[str, str] = {"Beginner": "random", "Sharp": "iggi", "Perfect": "van-den-bergh"}
    question = "hands"
    weighting = "bayes"
    counted = "that each player considers possible as their own"
    options: Mapping[str, Option] = {
        "colours": Option("the number of colours, from 1 to 5", number, title="Colours"),
        "ranks": Option("the number of ranks, from 2 to 5", number, title="Ranks"),
        "hand": Option("the cards in each hand: 5, or 4 for 4 or 5 players", number, "Hand"),
        "hints": Option("the greatest number of hints", number, title="Hints"),
        "lives": Option("the number of lives", number, title="Lives"),
        "all_or_nothing": Option("whether lost lives cost all points", flag, "All or nothing"),
        "convention": Option("what hints promise", text, "Convention", rules.CONVENTIONS),
    }
    examples: Mapping[str, str] = {
        "K[ann] playable(ann, 1)": "Ann knows that she can play her first card",
        "K[ann] has(ann, 1, red)": "Ann knows that her first card is red",
        "K[bob] ~Kv[ann] card(ann, 1)": "Bob knows that Ann does not know her first card",
        "P[ann](useless(ann, 1)) >= 1/2": "for Ann, the probability is at least 1/2",
    }
    acts = (HINT, PUT)
    hand_act = HAND
    dealt_as = "see"
    people = PEOPLE
    setup_type = Setup
    public_type = Happening
    check_setup = staticmethod(rules.check_setup)
    deal = staticmethod(rules.make_deal)
    start = staticmethod(rules.State.first)
    structure = staticmethod(knowledge.structure)
    event_in = staticmethod(knowledge.event)

    def hand_fluents(self, setup: Setup, player: str) -> Sequence[str]:
        """Return the fluents of the cards of the others, from the next player."""
        order = setup.after(player)
        return [rules.card_name(who, n + 1) for who in order for n in range(setup.size)]

    def hand_words(self, setup: Setup, player: str, cards: Sequence[str]) -> str:
        """Return the cards of the others, with their players."""
        seen = knowledge.hands(setup, self.hand(setup, player, cards)).items()
        return "; ".join(f"{person(other)} with {held}" for other, held in seen)

    def cards(self, setup: Setup) -> Sequence[str]:
        """Return the kinds of card."""
        return list(setup.kinds)

    def standing(self, setup: Setup, state: Any, player: str) -> Standing:
        """Return the score, which all players share."""
        return Standing(won=number_of(state.score, "point"))

    def layout(self, setup: Setup, structure: KnowledgeStructure) -> Layout:
        """Return the note sheet: the colour, rank and use of the card in each place of a hand."""
        features = dict.fromkeys((*setup.suits, *setup.features, rules.PLAYABLE, rules.USELESS))
        titles = {feature: rules.feature_title(feature) for feature in features}
        groups: dict[str, dict[str, str]] = {
            f"card {n}": {Name("card", (str(n), f)): f"card {n} {titles[f]}" for f in titles}
            for n in range(1, setup.size + 1)
        }
        players = {player: person(player) for player in setup.players}

        def cell(row: str, player: str) -> Formula:
            return knowledge.is_a(setup, player, *Name.of(row).arguments)

        contents = partial(knowledge.hands, setup)
        return Layout(groups, players, cell, contents=contents, describes=True)


GAME = Hanabi()
