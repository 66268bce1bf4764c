"""Kwartet (Quartets, Happy Families): collect groups of four by asking for cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from symkripke.errors import RuleError, UnknownName
from symkripke.model import Event, KnowledgeStructure, World
from symkripke.play import Game, Layout, Mind, Outcome, State
from symkripke.play.options import Option, chosen, flag, number, share
from symkripke_games.kwartet import knowledge, players, rules
from symkripke_games.kwartet.decks import TABLE
from symkripke_games.kwartet.rules import Happening, Opening, Setup, make_setup


class Kwartet(Game[Setup, Happening]):
    """The game's record of facts; see `symkripke.play.Game`."""

    name = "kwartet"
    title = "Kwartet"
    summary = "Quartets: ask for cards, collect groups of four; cards move in the open."
    seats = rules.SEATS
    minds: Mapping[str, Mind] = players.MINDS
    question = "cards"
    counted = "in play that each player cannot place"
    options: Mapping[str, Option] = {
        "edition": Option("a named deck (themed, ranks, study), or a TOML file with groups"),
        "groups": Option("only so many groups of the deck", number),
        "allow_bluff": Option("one may ask for a card that one holds; it costs the turn", flag),
        "forgets": Option("how likely a forgetful player forgets an event (0.1)", share),
    }
    examples: Mapping[str, str] = {
        "K[ann] holds(bob, fat_cow)": "Ann knows that Bob has the fat cow",
        "M[cath] holds_group(bob, farm_animals)": "Bob may have a farm animal, for all Cath knows",
        "K[ann] knows_place(bob, fat_cow)": "Ann knows that Bob knows where it is",
        "C[*] ~holds(ann, fat_cow)": "it is common knowledge that Ann does not have it",
        "P[ann](at(fat_cow, cath))": "how probable is it to Ann that Cath has it?",
    }
    setup_type = Setup
    public_type = Happening

    def setup(
        self,
        *,
        rules: str | None = None,
        players: int | None = None,
        names: Sequence[str] | None = None,
        **options: Any,
    ) -> Setup:
        """A setup: classic rules, four players and 13 groups, if not said otherwise."""
        more = chosen(self.title, self.options, options)
        return make_setup(rules=rules, players=players, names=names, **more)

    def check(self, setup: Setup) -> None:
        """Raises `RuleError` for a setup that nobody could play."""
        rules.check_setup(setup)

    def deal(self, setup: Setup, chance: Random) -> World:
        """All cards, dealt round."""
        return rules.make_deal(setup, chance)

    def start(self, setup: Setup, deal: World | None) -> State[Happening]:
        """Complete groups are to be laid down; then the first player asks."""
        if deal is not None:
            rules.check_deal(setup, deal)
        return rules.State(setup, deal, rules.Board.of(setup), setup.players[0])

    def structure(self, setup: Setup) -> KnowledgeStructure:
        """How many cards each was dealt."""
        return knowledge.structure(setup)

    def hand(self, setup: Setup, player: str, cards: Sequence[str]) -> World:
        """Where the cards are that `player` was dealt."""
        known = [card.id for card in setup.cards]
        for place, card in enumerate(cards):
            if card not in known:
                raise UnknownName("card", card, known)
            if card in cards[:place]:
                raise RuleError(f"card {card!r} is given twice")
        if len(cards) != setup.sizes[player]:
            raise RuleError(
                f"expected {player} to be dealt {setup.sizes[player]} cards, got {len(cards)}"
            )
        return {rules.location(card): player for card in cards}

    def event(self, setup: Setup, public: Happening) -> Event:
        """What a question with its answer tells, or what the deal lays down."""
        return knowledge.event(setup, public)

    def story(self, setup: Setup, outcome: Outcome[Happening], viewer: str | None = None) -> str:
        """An event in words; there are no secrets in it."""
        public = outcome.public
        if isinstance(public, Opening):
            told = [
                f"{knowledge.person(player)} lays down {knowledge.title(setup, group)}."
                for group, player in public.down.items()
            ]
            return " ".join(told) or "Nobody was dealt a complete group."
        asker, asked = knowledge.person(public.player), knowledge.person(public.asked)
        group = knowledge.title(setup, setup.group_of[public.card])
        card = knowledge.title(setup, public.card)
        said = f"{asker} asks {asked} for {card} ({group})."
        if not public.given:
            return f"{said} No."
        return f"{said} Yes!" + (f" {asker} lays down {group}." if public.down else "")

    def scores(self, setup: Setup, state: State[Happening]) -> Mapping[str, str]:
        """The groups that each has laid down."""
        assert isinstance(state, rules.State)
        return {
            player: f"{points} group{'' if points == 1 else 's'}"
            for player, points in state.board.points.items()
        }

    def sizes(self, setup: Setup, state: State[Happening]) -> Mapping[str, int]:
        """The cards in each hand."""
        assert isinstance(state, rules.State)
        return state.board.sizes

    def standing(self, setup: Setup, state: State[Happening], player: str) -> str:
        """Who has no cards cannot ask, and is not asked."""
        return "no cards" if player in state.out else ""

    def layout(self, setup: Setup) -> Layout:
        """The cards by group; the players, and the table."""
        cards = {
            group.title: {rules.location(card.id): card.title for card in group.cards}
            for group in setup.groups
        }
        return Layout(cards, {**{p: knowledge.person(p) for p in setup.players}, TABLE: "Table"})


GAME = Kwartet()
