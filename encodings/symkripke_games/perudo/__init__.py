"""Perudo (Dudo, Liar's Dice): bid on all dice, though you see only your own, or doubt a bid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from symkripke.errors import RuleError
from symkripke.language import Atom, Formula
from symkripke.model import Event, KnowledgeStructure, World
from symkripke.play import Game, GameState, Layout, Outcome, Standing, Strategy
from symkripke.play.acts import Things
from symkripke.play.depth import CONSIDERS, by_depth
from symkripke.play.options import Option, flag, number
from symkripke.play.words import person
from symkripke_games.perudo import knowledge, rules, throws
from symkripke_games.perudo.acts import ACTS, HAND, PEOPLE
from symkripke_games.perudo.measures import MEASURES
from symkripke_games.perudo.players import (
    Adaptive,
    Believer,
    Bluffer,
    Epistemic,
    Fuzzy,
    Odds,
    RandomBidder,
    Rollout,
    Study,
    StudyAsCoded,
    Thinker,
    TrustKeeper,
)
from symkripke_games.perudo.players.thinking import MOST_THROWS
from symkripke_games.perudo.rules import Happening, Rolled
from symkripke_games.perudo.throws import Setup
from symkripke_games.perudo.words import dice_in_words, faces_in_words


class Perudo(Game[Setup, Happening]):
    """The definition of the game; see `symkripke.play.Game`."""

    name = "perudo"
    title = "Perudo"
    summary = "Bid on all dice, though you see only your own; if you doubt a bid, all players show."
    seats = throws.SEATS
    usual: Mapping[str, int] = {throws.CLASSIC: 4, throws.STUDY: 3}
    strategies: Mapping[str, Strategy] = {
        "believer": Believer,
        "odds": Odds,
        "trust-keeper": TrustKeeper,
        "study": Study,
        "study-as-coded": StudyAsCoded,
        "bluffer": Bluffer,
        "random": RandomBidder,
        **by_depth(Thinker),
        "adaptive": Adaptive,
        "rollout": Rollout,
        "epistemic": Epistemic,
        "fuzzy": Fuzzy,
    }
    levels: Mapping[str, str] = {"Beginner": "odds", "Sharp": "believer"}
    considers: Mapping[str, str] = {
        "believer": "Goes by its own dice, and by what the bids of the others say about theirs",
        "odds": "Goes by its own dice alone, as if the others bid without having looked at theirs",
        "trust-keeper": (
            "Believes the bids of the others, and more so the more often they came true before"
        ),
        "study": "Values bids as a student project describes it, by parts of a die",
        "study-as-coded": "Values bids as the program of a student project does, by whole dice",
        "bluffer": "Goes by its own dice alone, and now and then bids what it does not have",
        "random": "Bids a little more, or doubts, at random",
        **CONSIDERS,
        "adaptive": "Learns how deep each of the others thinks, and expects them to think as deep",
        "rollout": (
            "Tries its moves in simulated rounds, in which everybody goes by their own dice alone"
        ),
        "epistemic": "Goes by what it knows and believes about the bids, without odds",
        "fuzzy": "Values bids as a student project proposes, and trusts bids to a degree",
    }
    question = "answers"
    counted = "(bid met or not) that each player considers possible"
    answer = "met"
    options: Mapping[str, Option] = {
        "dice": Option("the number of dice of each player at the start", number, title="Dice each"),
        "faces": Option("the number of faces of a die", number, title="Faces of a die"),
        "aces": Option("whether aces are wild (classic: yes)", flag, title="Aces are wild"),
        "palifico": Option(
            "whether there are palifico rounds (classic: yes)", flag, title="Palifico rounds"
        ),
        "calza": Option(
            "whether calza (the bid is exactly met) can be called",
            flag,
            title="Calza can be called",
        ),
        "first": Option(
            "the player who begins; by default, the player in the first seat", title="Who begins"
        ),
    }
    examples: Mapping[str, str] = {
        "K[ann] eT(4, 6)": "Ann knows that at least four dice show a six",
        "M[bob] eA(ann, 2, 6)": "Bob considers it possible that Ann has two or more sixes",
        "B[bob] eA(ann, 2, 6)": "Bob believes that, after the bids so far",
        "CB[*] B[ann] eT(2, 6)": "it is common belief that Ann believes in two sixes",
        "P[ann](eT(4, 6)) >= 1/2": "for Ann, four sixes have a probability of at least 1/2",
    }
    acts = ACTS
    hand_act = HAND
    measures = MEASURES
    people = PEOPLE
    drawn_by = "symkripke_games.perudo.pictures:PerudoPictures"
    advised_by = "symkripke_games.perudo.advice:PerudoAdvisor"
    reviewed_by = "symkripke_games.perudo.review:PerudoReviewer"
    setup_type = Setup
    public_type = Happening
    make_setup = staticmethod(throws.make_setup)
    check_setup = staticmethod(throws.check_setup)
    structure = staticmethod(knowledge.structure)

    def deal(self, setup: Setup, chance: Random) -> World:
        """Return a random first throw."""
        first = rules.first_round(setup)
        return throws.deal_of(throws.thrown(setup.faces, first.dice, chance))

    def start(self, setup: Setup, deal: World | None) -> GameState[Happening]:
        """Return the first state, after the first throw."""
        return rules.State.first(setup, deal)

    def hand(self, setup: Setup, player: str, cards: Sequence[str]) -> World:
        """Return the values that a player with these dice sees."""
        return throws.deal_of({player: throws.read_dice(setup, player, cards, setup.dice)})

    def cards(self, setup: Setup) -> Sequence[str]:
        """Return the faces of a die."""
        return [str(face) for face in range(1, setup.faces + 1)]

    def dealt(self, setup: Setup, deal: World, player: str) -> tuple[str, ...]:
        """Return the faces of the player's dice."""
        return tuple(map(str, throws.throw_of(setup, deal)[player]))

    def dealt_words(self, setup: Setup, atom: Atom, truth: bool) -> str:
        """Return the face of one of the player's dice, in words that address the player."""
        return knowledge.own_die_words(atom, truth)

    def event_in(
        self, setup: Setup, state: GameState[Happening], outcome: Outcome[Happening]
    ) -> Event:
        """Return the event of a bid or a call in the current round."""
        assert isinstance(state, rules.State)
        return knowledge.event(setup, outcome.public, state.now)

    def standing(self, setup: Setup, state: GameState[Happening], player: str) -> Standing:
        """Return the number of dice left; after a call, the old throw still lies open."""
        assert isinstance(state, rules.State)
        dice = state.now.dice.get(player, 0)
        note = "out" if player in state.out else ""
        holds = None if state.open else dice
        return Standing(won=dice_in_words(dice), holds=holds, note=note)

    def example_things(self, setup: Setup) -> Things:
        """Return calza for the examples, if this setup allows it."""
        return ((("calza",), ["Calza"] if setup.calza else []),)

    def layout(self, setup: Setup, structure: KnowledgeStructure) -> Layout:
        """Return the layout: for each face and player, the least number of dice that show it."""
        dice = dict.fromkeys(setup.players, 0)
        for name in structure.root.vocabulary.fluents:
            dice[throws.owner(name)] += 1
        most = range(1, max(dice.values()) + 1)
        groups = {
            faces_in_words(2, face)[2:]: {f"{least}x{face}": f"{least} or more" for least in most}
            for face in range(1, setup.faces + 1)
        }
        players = {player: person(player) for player in setup.players}

        def contents(world: World) -> Mapping[str, str]:
            held: dict[str, list[str]] = {player: [] for player in players}
            for name, face in world.items():
                held[throws.owner(name)].append(face)
            return {player: " ".join(sorted(mine, key=int)) for player, mine in held.items()}

        def cell(row: str, player: str) -> Formula:
            least, _, face = row.partition("x")
            return knowledge.shows({player: dice[player]}, int(least), (int(face),))

        single = {group: faces_in_words(1, face)[2:] for face, group in enumerate(groups, 1)}
        return Layout(
            groups,
            players,
            cell,
            counts=True,
            contents=contents,
            held_as=("die", "dice"),
            singular=single,
        )

    # ---- the question: is the bid met? ---------------------------------------------------------

    def answers(
        self, setup: Setup, structure: KnowledgeStructure, player: str
    ) -> tuple[Formula, ...]:
        """Return the formula stating that the standing bid is met; empty without a bid."""
        event = structure.history.event
        return () if event is None or event.asks is None else (event.asks,)

    def check_strategies(self, setup: Setup, names: Sequence[str]) -> None:
        """Raise `RuleError` if there are too many throws for players that weigh all of them."""
        most = throws.combinations(setup)
        for name in names:
            if name.startswith(("depth-", "adaptive")) and most > MOST_THROWS:
                raise RuleError(
                    f"{name} players weigh all throws of a player: expected at most "
                    f"{MOST_THROWS:,} combinations, got {most:,} for {setup.dice} dice with "
                    f"{setup.faces} faces"
                )

    # ---- rounds --------------------------------------------------------------------------------

    def chance(self, setup: Setup, state: GameState[Happening], chance: Random) -> Any:
        """Return a random throw of all remaining dice."""
        assert isinstance(state, rules.State)
        return rules.Roll(throws.thrown(setup.faces, state.now.dice, chance))

    def with_derived_parts(
        self, state: GameState[Happening], outcome: Outcome[Happening]
    ) -> Outcome[Happening]:
        """Return the event with its derived parts: claims of bids, verdicts of calls, and dice."""
        assert isinstance(state, rules.State)
        return state.with_derived_parts(outcome)

    def rebased(
        self, state: GameState[Happening], outcome: Outcome[Happening]
    ) -> Outcome[Happening]:
        """Return the event as a log would record it in this state, with its derived parts."""
        return self.with_derived_parts(state, rules.bare(outcome))

    def legality_key(self, state: GameState[Happening]) -> Any:
        """Return the whole state except the trust in bids and their claims."""
        assert isinstance(state, rules.State)
        return state.legality_key

    def redeal(
        self, setup: Setup, outcome: Outcome[Happening]
    ) -> tuple[KnowledgeStructure, World] | None:
        """Return the structure and the values of a new throw; None for other events."""
        public = outcome.public
        if not isinstance(public, Rolled) or public.round is None:
            return None
        dice = rules.secret_dice(setup, public.round, outcome.secret)
        return knowledge.structure(setup, public.round), throws.deal_of(dice)


GAME = Perudo()
