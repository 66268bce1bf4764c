"""Kwartet (Quartets, Happy Families): collect groups of four by asking for cards."""

from __future__ import annotations

from collections.abc import Mapping

from symkripke.model import Event, KnowledgeStructure, World
from symkripke.play import Game, GameState, Layout, Outcome, Standing, Strategy
from symkripke.play.acts import Things
from symkripke.play.dealing import DEALT_MORE, location
from symkripke.play.depth import CONSIDERS, by_depth
from symkripke.play.options import Option, flag, number, share
from symkripke.play.words import number_of, person
from symkripke_games.kwartet import knowledge, players, rules
from symkripke_games.kwartet.acts import ACTS, HAND, PEOPLE
from symkripke_games.kwartet.decks import DECKS, TABLE
from symkripke_games.kwartet.measures import MEASURES
from symkripke_games.kwartet.rules import Happening, Setup
from symkripke_games.kwartet.thinking import Thinker


class Kwartet(Game[Setup, Happening]):
    """The definition of the game; see `symkripke.play.Game`."""

    name = "kwartet"
    title = "Kwartet"
    summary = "Quartets: ask for cards, collect groups of four; cards move in the open."
    seats = rules.SEATS
    usual: Mapping[str, int] = {rules.CLASSIC: 4, rules.STUDY: 3}
    reserved = (TABLE,)
    strategies: Mapping[str, Strategy] = {**players.STRATEGIES, **by_depth(Thinker)}
    levels: Mapping[str, str] = {"Beginner": "first-order", "Sharp": "second-order"}
    considers: Mapping[str, str] = {
        "second-order": (
            "Remembers all questions and answers, and before it asks, it considers what "
            "the others know, too"
        ),
        "first-order": (
            "Remembers all questions and answers, and asks for cards that it can locate"
        ),
        "patient": (
            "Gives nothing away: as long as it can, it asks only about groups that "
            "everybody knows it holds a card of"
        ),
        "forgetful": "Asks for cards that it can locate, but forgets some of what it has heard",
        "random": "Asks anybody for anything that the rules allow",
        "alternating": (
            "Asks like the patient player in one turn, and like the first-order player in the next"
        ),
        "focused": "Asks about one group at a time, in an order of its own",
        "first-order-as-coded": (
            "Asks for cards like the first-order player of a student project's program, which "
            "combines no answers"
        ),
        "second-order-as-coded": (
            "Like the second-order player of a student project's program, asks only about groups "
            "that everybody knows it holds a card of, and combines no answers"
        ),
        "first-order-as-meant": (
            "Asks for cards like the first-order player of a student project, and locates cards "
            "that only one player can have"
        ),
        "second-order-as-meant": (
            "Like the second-order player of a student project, asks only about groups that "
            "everybody knows it holds a card of, and locates cards that only one player can have"
        ),
        **CONSIDERS,
    }
    question = "cards"
    counted = "in play that each player cannot place"
    options: Mapping[str, Option] = {
        "edition": Option(
            "a named deck (themed, ranks, study)",
            title="Deck",
            choices=tuple(DECKS),
            file="a TOML file with groups",
        ),
        "groups": Option(
            "the number of groups to use from the deck", number, title="Number of groups"
        ),
        "allow_bluff": Option(
            "players may ask for a card that they hold; this costs the turn",
            flag,
            title="Bluffing is allowed",
        ),
        "forgets": Option(
            "probability that a forgetful player forgets an event (0.1)",
            share,
            title="How much forgetful players forget",
            for_programs=True,
        ),
        "dealt_more": DEALT_MORE,
        "random_start": Option(
            "whether chance decides who asks first", flag, title="Chance decides who begins"
        ),
    }
    examples: Mapping[str, str] = {
        "K[ann] holds(bob, fat_cow)": "Ann knows that Bob has the fat cow",
        "M[cath] holds_group(bob, farm_animals)": "Cath considers it possible that Bob has a card "
        "of this group",
        "K[ann] knows_place(bob, fat_cow)": "Ann knows that Bob knows where it is",
        "C[*] ~holds(ann, fat_cow)": "it is common knowledge that Ann does not have it",
        "P[ann](at(fat_cow, cath))": "how likely does Ann think it is that Cath has it?",
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
    advised_by = "symkripke_games.kwartet.advice:KwartetAdvisor"
    reviewed_by = "symkripke_games.kwartet.review:KwartetReviewer"
    drawn_by = "symkripke_games.kwartet.pictures:KwartetPictures"

    def start(self, setup: Setup, deal: World | None) -> GameState[Happening]:
        """Return the first state, before complete groups are laid down."""
        if deal is not None:
            rules.check_deal(setup, deal)
        return rules.State(setup, deal, rules.Board.of(setup), setup.players[0])

    def event_in(
        self, setup: Setup, state: GameState[Happening], outcome: Outcome[Happening]
    ) -> Event:
        """Return the event of a question with its answer, or of groups laid down at the deal."""
        return knowledge.event(setup, outcome.public)

    def standing(self, setup: Setup, state: GameState[Happening], player: str) -> Standing:
        """Return the groups laid down and the number of cards; a player without cards is out."""
        assert isinstance(state, rules.State)
        points = state.board.points[player]
        return Standing(
            won=number_of(points, "group"),
            holds=state.board.sizes[player],
            note="no cards" if player in state.out else "",
        )

    def example_things(self, setup: Setup) -> Things:
        """Return the cards and the group of the examples, with those of this setup."""
        groups = [group.title for group in setup.groups]
        return (
            (("fog", "oak", "orc"), [card.title for card in setup.cards]),
            (("weather",), groups),
        )

    def layout(self, setup: Setup, structure: KnowledgeStructure) -> Layout:
        """Return the note sheet: the cards by group, and a column for each player and the table."""
        cards = {
            group.title: {location(card.id): card.title for card in group.cards}
            for group in setup.groups
        }
        columns = {**{p: person(p) for p in setup.players}, TABLE: "Table"}
        return Layout(cards, columns, others={group.id: group.title for group in setup.groups})


GAME = Kwartet()
