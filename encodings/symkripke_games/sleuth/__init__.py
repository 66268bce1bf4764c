"""Sleuth: one of thirty-six gems is hidden. Ask the others what they hold, and deduce it."""

from __future__ import annotations

from collections.abc import Mapping

from symkripke.language import Atom, Formula
from symkripke.model import Event, KnowledgeStructure, World
from symkripke.play import Game, GameState, Layout, Outcome, Paper, Strategy
from symkripke.play.dealing import location
from symkripke.play.mutual_knowledge import MUTUAL_KNOWLEDGE
from symkripke.play.options import Option
from symkripke.play.price import price
from symkripke.play.words import person
from symkripke_games.sleuth import knowledge, rules
from symkripke_games.sleuth.acts import ACTS, HAND, PEOPLE
from symkripke_games.sleuth.gems import HIDDEN, TABLE, Edition
from symkripke_games.sleuth.players import Follower, Gainer, RandomAsker, StudyAgent
from symkripke_games.sleuth.rules import Declaration, Happening, Question
from symkripke_games.sleuth.setup import (
    SEATS,
    Setup,
    check_deal,
    check_setup,
    make_deal,
    make_setup,
)


def _parties(public: Happening) -> tuple[str, str] | None:
    """Return the asking and the asked player of a question; None for another event."""
    return (public.player, public.asked) if isinstance(public, Question) else None


class Sleuth(Game[Setup, Happening]):
    """The definition of the game; see `symkripke.play.Game`."""

    name = "sleuth"
    title = "Sleuth"
    summary = "Which gem is hidden? Ask the others what they hold, and deduce it."
    seats = SEATS
    usual = dict.fromkeys(SEATS, 5)
    reserved = (HIDDEN, TABLE)
    strategies: Mapping[str, Strategy] = {
        "gain": Gainer,
        "lead": Follower,
        "study": StudyAgent,
        "random": RandomAsker,
    }
    levels: Mapping[str, str] = {"Beginner": "random", "Sharp": "lead", "Perfect": "gain"}
    considers: Mapping[str, str] = {
        "gain": (
            "Takes everything into account, and asks the most informative question "
            "about the hidden gem"
        ),
        "lead": (
            "Takes everything into account, and asks about a gem that several others are "
            "known not to hold"
        ),
        "study": (
            "Follows a lead as in a student project: asks about a gem that several others "
            "are known not to hold, with the most informative question"
        ),
        "random": "Takes everything into account, but asks anybody anything that its cards allow",
    }
    question = "gems"
    counted = "that each player still considers possible to be hidden"
    options: Mapping[str, Option] = {
        "edition": Option(
            "the printed set (classic)",
            title="Set of gems",
            choices=("classic",),
            file="a TOML file with a set of gems",
        ),
        "size": Option(
            "the number of colours, types and quantities to use from the edition, as in 4/3/3",
            title="Number of colours, types and quantities",
        ),
    }
    examples: Mapping[str, str] = {
        "K[ann] RDS": "Ann knows that the Red Diamond Solitaire is in play",
        "K[ann] holds(bob, rds)": "Ann knows that Bob holds it",
        "M[bob] K[ann] RDS": "Bob considers it possible that Ann knows that it is in play",
        "K[ann] knows_gem(bob)": "Ann knows that Bob knows which gem is hidden",
        "C[*] ~holds(ann, rds)": "it is common knowledge that Ann does not hold it",
        "P[ann](hidden_gem = rds)": "how likely does Ann think it is that this gem is hidden?",
    }
    setup_type = Setup
    public_type = Happening
    make_setup = staticmethod(make_setup)
    check_setup = staticmethod(check_setup)
    deal = staticmethod(make_deal)
    structure = staticmethod(knowledge.structure)
    acts = ACTS
    card_word = "gem"
    hand_act = HAND
    measures = (MUTUAL_KNOWLEDGE, price(_parties))
    people = PEOPLE
    advised_by = "symkripke_games.sleuth.advice:SleuthAdvisor"
    reviewed_by = "symkripke_games.sleuth.review:SleuthReviewer"
    drawn_by = "symkripke_games.sleuth.pictures:SleuthPictures"

    def start(self, setup: Setup, deal: World | None) -> GameState[Happening]:
        """Return the first state, before the question cards are laid."""
        if deal is not None:
            check_deal(setup, deal)
        return rules.State(setup, deal, setup.players[0])

    def event_in(
        self, setup: Setup, state: GameState[Happening], outcome: Outcome[Happening]
    ) -> Event:
        """Return the event of the opening, of a question with its answer, or of a declaration."""
        return knowledge.event(setup, outcome.public)

    def with_derived_parts(
        self, state: GameState[Happening], outcome: Outcome[Happening]
    ) -> Outcome[Happening]:
        """Return the event; if it is a declaration, set `instead`, which follows from the state."""
        if not isinstance(outcome.public, Declaration):
            return outcome
        assert isinstance(state, rules.State)
        return Outcome(state.with_derived_parts(outcome.public), outcome.secret)

    def rebased(
        self, state: GameState[Happening], outcome: Outcome[Happening]
    ) -> Outcome[Happening]:
        """Return the event as a log would record it in this state."""
        return self.with_derived_parts(state, outcome)

    def layout(self, setup: Setup, structure: KnowledgeStructure) -> Layout:
        """Return the note sheet: the gems by colour, and a column for each place."""
        gems = {
            colour.title: {
                location(gem.id): f"{gem.title} ({gem.id.upper()})"
                for gem in setup.edition.gems
                if gem.elements[0] == colour.id
            }
            for colour in setup.edition.colours
        }
        places = {HIDDEN: "Hidden", TABLE: "Face up"}
        edition = setup.edition
        kinds = "; ".join(
            ", ".join(f"{element.id[0].upper()} {element.title}" for element in kind)
            for kind in edition.kinds
        )
        return Layout(
            gems,
            {place: places.get(place) or person(place) for place in setup.places},
            codes={location(gem.id): gem.id.upper() for gem in edition.gems},
            legend=kinds,
            paper=_paper(edition),
        )

    def answers(self, setup: Setup, structure: KnowledgeStructure, player: str) -> tuple[Atom, ...]:
        """Return the atoms for the hidden gem."""
        return knowledge.hidden_atoms(setup)

    def knows_answer(self, setup: Setup, structure: KnowledgeStructure, player: str) -> Formula:
        """Return the formula stating that the player knows the hidden gem."""
        return knowledge.knows_gem(player)


def _paper(edition: Edition) -> Paper:
    """Return the note sheet of the printed game: one line for each colour, with all its gems."""
    lines: dict[str, dict[str, str]] = {colour.title: {} for colour in edition.colours}
    colours = {colour.id: colour.title for colour in edition.colours}
    for gem in edition.gems:
        lines[colours[gem.elements[0]]][gem.id[1:].upper()] = location(gem.id)
    kinds = (
        f"{element.id[0].upper()} {element.title}" for kind in edition.kinds[1:] for element in kind
    )
    return Paper(lines, ", ".join(kinds), HIDDEN)


GAME = Sleuth()
