"""Old Maid (Black Peter): draw unseen cards and discard pairs; the last queen loses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symkripke.errors import RuleError, check_name
from symkripke.language import Atom
from symkripke.model import Event, KnowledgeStructure, World
from symkripke.play import Game, GameState, Layout, Outcome, Standing, Strategy
from symkripke.play.dealing import DEALT_MORE
from symkripke.play.options import Option, flag, number
from symkripke.play.words import person
from symkripke_games.old_maid import knowledge, rules
from symkripke_games.old_maid.acts import ACTS, HAND, PEOPLE
from symkripke_games.old_maid.players import Epistemic, Logic, RandomDrawer
from symkripke_games.old_maid.rules import Happening, Setup


class OldMaid(Game[Setup, Happening]):
    """The definition of the game; see `symkripke.play.Game`."""

    name = "old_maid"
    title = "Old Maid"
    summary = "Draw unseen cards and discard pairs; do not be left with the last queen."
    seats = rules.SEATS
    usual: Mapping[str, int] = {rules.CLASSIC: 4, rules.STUDY: 3}
    strategies: Mapping[str, Strategy] = {
        "epistemic": Epistemic,
        "logic": Logic,
        "random": RandomDrawer,
    }
    levels: Mapping[str, str] = {"Beginner": "random", "Sharp": "logic", "Perfect": "epistemic"}
    considers: Mapping[str, str] = {
        "epistemic": (
            "Takes everything into account: its own cards, and everything that "
            "happens between others"
        ),
        "logic": (
            "Knows its own cards, the discarded pairs, and the draws that it took "
            "part in; ignores what happens between others"
        ),
        "random": "Draws from anybody, at random",
    }
    question = "holders of a queen"
    counted = "that each player considers possible"
    loser = "left with the queen"
    examples: Mapping[str, str] = {
        "K[ann] holds(bob, queen)": "Ann knows that Bob has a queen",
        "M[cath] K[ann] holds(bob, queen)": "Cath considers it possible that Ann knows it",
        "C[ann, bob] Kw[bob] holds(ann, king)": (
            "it is common knowledge between Ann and Bob that Bob knows whether Ann has a king"
        ),
        "P[ann](holds(bob, queen)) >= 1/2": "for Ann, the probability is at least 1/2",
    }
    options: Mapping[str, Option] = {
        "ranks": Option(
            "the number of ranks in the deck: 13, or the first of Q J K A 10 9 ...",
            number,
            title="Number of ranks",
        ),
        "choose": Option(
            "whether the drawer chooses whom to draw from (study: yes)",
            flag,
            title="The drawer chooses whom to draw from",
        ),
        "dealt_more": DEALT_MORE,
    }
    acts = ACTS
    hand_act = HAND
    people = PEOPLE
    drawn_by = "symkripke_games.old_maid.pictures:OldMaidPictures"
    advised_by = "symkripke_games.old_maid.advice:OldMaidAdvisor"
    reviewed_by = "symkripke_games.old_maid.review:OldMaidReviewer"
    setup_type = Setup
    public_type = Happening
    make_setup = staticmethod(rules.make_setup)
    check_setup = staticmethod(rules.check_setup)
    deal = staticmethod(rules.make_deal)
    structure = staticmethod(knowledge.structure)

    def start(self, setup: Setup, deal: World | None) -> GameState[Happening]:
        """Return the first state, before the players discard their pairs."""
        if deal is not None:
            rules.check_deal(setup, deal)
        return rules.State.first(setup, deal)

    def hand(self, setup: Setup, player: str, cards: Sequence[str]) -> World:
        """Return the values that a player with these ranks sees; a pair is listed twice."""
        for card in cards:
            check_name("rank", card, setup.deck)
            if cards.count(card) > setup.deck[card]:
                there, held = setup.deck[card], cards.count(card)
                raise RuleError(f"expected at most {there} cards of rank {card}, got {held}")
        if len(cards) != setup.sizes[player]:
            wanted = setup.sizes[player]
            raise RuleError(f"expected {player} to be dealt {wanted} cards, got {len(cards)}")
        values = rules.hand_values(setup, player, cards)
        return {name: value for name, value in values.items() if value != "false"}

    def cards(self, setup: Setup) -> Sequence[str]:
        """Return the ranks of the deck."""
        return list(setup.deck)

    def dealt(self, setup: Setup, deal: World, player: str) -> tuple[str, ...]:
        """Return the ranks of a player's cards; a pair is listed twice."""
        return rules.dealt_ranks(setup, deal, player)

    def dealt_words(self, setup: Setup, atom: Atom, truth: bool) -> str:
        """Return an atom of the player's own deal, in words that address the player."""
        return knowledge.dealt_words(atom, truth)

    def rebased(
        self, state: GameState[Happening], outcome: Outcome[Happening]
    ) -> Outcome[Happening]:
        """Return the event as a log would record it in this state, with the public count if any."""
        assert isinstance(state, rules.State)
        return state.recounted(outcome)

    def event_in(
        self, setup: Setup, state: GameState[Happening], outcome: Outcome[Happening]
    ) -> Event:
        """Return the event of the discards after the deal, or of a draw."""
        return knowledge.event(setup, outcome.public)

    def standing(self, setup: Setup, state: GameState[Happening], player: str) -> Standing:
        """Return the number of cards, and whether the player is safe or left with the queen."""
        assert isinstance(state, rules.State)
        cards = state.sizes[player]
        note = "old maid" if player in state.out else "" if cards else "safe"
        return Standing(holds=cards, note=note)

    def layout(self, setup: Setup, structure: KnowledgeStructure) -> Layout:
        """Return the note sheet, with a row for each rank and a column for each player."""
        ranks = {"cards": {rank: knowledge.title(rank) for rank in setup.deck}}
        players = {player: person(player) for player in setup.players}
        return Layout(ranks, players, _cell)


def _cell(rank: str, player: str) -> Atom:
    """Return the atom stating that the player holds a card of this rank."""
    return knowledge.holds(player, rank)


GAME = OldMaid()
