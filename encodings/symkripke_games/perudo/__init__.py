"""Perudo (Dudo, Liar's Dice): bid on all dice, seeing only your own; doubt, and show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from symkripke.engines import Engine
from symkripke.language import Formula, Kw
from symkripke.model import Event, KnowledgeStructure, World
from symkripke.play import Advice, Game, Layout, Mind, Outcome, Prospect, State, View
from symkripke.play.options import Option, chosen, flag, number
from symkripke_games.perudo import knowledge, rules, throws
from symkripke_games.perudo.players import (
    Believer,
    Bluffer,
    Odds,
    RandomBidder,
    Study,
    StudyAsCoded,
    TrustKeeper,
)
from symkripke_games.perudo.rules import Bid, Call, Happening, Rolled
from symkripke_games.perudo.throws import Setup, make_setup


class Perudo(Game[Setup, Happening]):
    """The game's record of facts; see `symkripke.play.Game`."""

    name = "perudo"
    title = "Perudo"
    summary = "Bid on all dice, of which you see your own; doubt the bid, and all show."
    seats = throws.SEATS
    minds: Mapping[str, Mind] = {
        "believer": Believer,
        "odds": Odds,
        "trust-keeper": TrustKeeper,
        "study": Study,
        "study-as-coded": StudyAsCoded,
        "bluffer": Bluffer,
        "random": RandomBidder,
    }
    question = "answers"
    counted = "to whether the bid is met that each player considers possible"
    answer = "met"
    unit = "chance"
    options: Mapping[str, Option] = {
        "dice": Option("how many dice each player has at first", number),
        "faces": Option("how many faces a die has", number),
        "aces": Option("whether aces are wild (classic: yes)", flag),
        "palifico": Option("whether there are palifico rounds (classic: yes)", flag),
        "calza": Option("whether calza (the bid is exactly met) can be called", flag),
        "first": Option("who begins; without it, who sits in the first seat"),
    }
    examples: Mapping[str, str] = {
        "K[ann] eT(4, 6)": "Ann knows that at least four dice show a six",
        "M[bob] eA(ann, 2, 6)": "for all that Bob knows, Ann may have two of them or more",
        "B[bob] eA(ann, 2, 6)": "Bob believes so, after what was bid",
        "CB[*] B[ann] eT(2, 6)": "that Ann believes in two sixes is common belief",
        "P[ann](eT(4, 6)) >= 1/2": "to Ann four sixes are as probable as not",
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
        """A setup: classic rules, four players and five dice each, if not said otherwise."""
        more = chosen(self.title, self.options, options)
        return make_setup(rules=rules, players=players, names=names, **more)

    def check(self, setup: Setup) -> None:
        """Raises `RuleError` for a setup that nobody could play."""
        throws.check_setup(setup)

    def deal(self, setup: Setup, chance: Random) -> World:
        """The first throw."""
        first = rules.first_round(setup)
        return throws.deal_of(throws.thrown(setup.faces, first.dice, chance))

    def start(self, setup: Setup, deal: World | None) -> State[Happening]:
        """All have thrown."""
        return rules.State.first(setup, deal)

    def structure(self, setup: Setup) -> KnowledgeStructure:
        """How many dice each has."""
        return knowledge.structure(setup)

    def hand(self, setup: Setup, player: str, cards: Sequence[str]) -> World:
        """What a player sees that threw these dice."""
        return throws.deal_of({player: throws.read_dice(setup, player, cards, setup.dice)})

    def event(self, setup: Setup, public: Happening) -> Event:
        """What a bid or a call of the first round tells; `told` knows the round."""
        return knowledge.event(setup, public, rules.first_round(setup))

    def story(self, setup: Setup, outcome: Outcome[Happening], viewer: str | None = None) -> str:
        """An event in words."""
        public = outcome.public
        if isinstance(public, Rolled):
            return _throw_in_words(public, outcome.secret, viewer)
        player = knowledge.person(public.player)
        if isinstance(public, Bid):
            return f"{player} bids {knowledge.faces_in_words(public.quantity, public.face)}."
        return _call_in_words(public)

    def scores(self, setup: Setup, state: State[Happening]) -> Mapping[str, str]:
        """The dice that each has left."""
        assert isinstance(state, rules.State)
        return {
            player: knowledge.dice_in_words(state.now.dice.get(player, 0))
            for player in setup.players
        }

    def sizes(self, setup: Setup, state: State[Happening]) -> Mapping[str, int]:
        """The dice that each has left."""
        assert isinstance(state, rules.State)
        return {player: state.now.dice.get(player, 0) for player in setup.players}

    def layout(self, setup: Setup) -> Layout:
        """For each face and player how many dice, at least, show it."""
        return self.layout_at(setup, self.structure(setup))

    def layout_at(self, setup: Setup, structure: KnowledgeStructure) -> Layout:
        """The same for the dice that are left in a round."""
        dice = dict.fromkeys(setup.players, 0)
        for name in structure.root.vocabulary.fluents:
            dice[throws.owner(name)] += 1
        most = range(1, max(dice.values()) + 1)
        groups = {
            knowledge.faces_in_words(2, face)[2:]: {
                f"{least}x{face}": f"{least} or more" for least in most
            }
            for face in range(1, setup.faces + 1)
        }
        players = {player: knowledge.person(player) for player in setup.players}

        def contents(world: World) -> Mapping[str, str]:
            held: dict[str, list[str]] = {player: [] for player in players}
            for name, face in world.items():
                held[throws.owner(name)].append(face)
            return {player: " ".join(sorted(mine, key=int)) for player, mine in held.items()}

        def cell(row: str, player: str) -> Formula:
            least, _, face = row.partition("x")
            return knowledge.shows({player: dice[player]}, int(least), (int(face),))

        return Layout(groups, players, cell, counts=True, contents=contents)

    # ---- the question: is the bid met? ---------------------------------------------------------

    def answers_at(self, setup: Setup, structure: KnowledgeStructure) -> tuple[Formula, ...]:
        """That the standing bid is met; empty if there is no bid."""
        event = structure.event
        return () if event is None or event.asks is None else (event.asks,)

    def aim_at(self, setup: Setup, player: str, structure: KnowledgeStructure) -> Formula | None:
        """To know whether the standing bid is met; None if there is no bid."""
        asked = self.answers_at(setup, structure)
        return Kw(player, asked[0]) if asked else None

    def prospects(self, view: View[Setup, Happening], engine: Engine) -> Sequence[Prospect]:
        """The least bid on each face, and the calls."""
        from symkripke_games.perudo.advice import prospects

        return prospects(view, engine)

    def advice(self, view: View[Setup, Happening], engine: Engine, number: int) -> Sequence[Advice]:
        """The moves that most probably succeed, given one's own dice and the bids."""
        from symkripke_games.perudo.advice import advice

        return advice(view, engine, number)

    # ---- rounds --------------------------------------------------------------------------------

    def chance(self, setup: Setup, state: State[Happening], chance: Random) -> Any:
        """A throw of all dice that are left."""
        assert isinstance(state, rules.State)
        return rules.Roll(throws.thrown(setup.faces, state.now.dice, chance))

    def completed(self, state: State[Happening], outcome: Outcome[Happening]) -> Outcome[Happening]:
        """With what a bid is taken to say, what comes of a call, and who throws how many dice."""
        assert isinstance(state, rules.State)
        return state.completed(outcome)

    def told(self, setup: Setup, state: State[Happening], outcome: Outcome[Happening]) -> Event:
        """What a bid or a call tells in the round that is being played."""
        assert isinstance(state, rules.State)
        return knowledge.event(setup, outcome.public, state.now)

    def renewed(
        self, setup: Setup, outcome: Outcome[Happening]
    ) -> tuple[KnowledgeStructure, World] | None:
        """A throw begins a structure of its own: all dice of the round before have been shown."""
        public = outcome.public
        if not isinstance(public, Rolled) or public.round is None:
            return None
        dice = rules.secret_dice(setup, public.round, outcome.secret)
        return knowledge.structure(setup, public.round), throws.deal_of(dice)


def _throw_in_words(public: Rolled, secret: Mapping[str, str], viewer: str | None) -> str:
    assert public.round is not None
    told = "Palifico: " if public.round.fixed else ""
    shown = [
        f"{knowledge.person(player)} {secret[throws.dice_name(player)]}"
        for player in public.round.dice
        if viewer in (None, player) and throws.dice_name(player) in secret
    ]
    left = ", ".join(
        f"{knowledge.person(player)} {number}" for player, number in public.round.dice.items()
    )
    thrown = "; ".join(shown) if shown else f"{left} dice"
    return f"{told}All throw: {thrown}. {knowledge.person(public.round.first)} begins."


def _call_in_words(public: Call) -> str:
    verdict = public.verdict
    shown = "; ".join(
        f"{knowledge.person(player)} {' '.join(map(str, dice))}"
        for player, dice in public.dice.items()
    )
    caller = knowledge.person(public.player)
    called = "doubts it: dudo!" if public.kind == rules.DUDO else "says it is exact: calza!"
    if verdict is None:
        return f"{caller} {called} All show: {shown}."
    bidder = knowledge.person(verdict.bidder)
    bid = knowledge.faces_in_words(verdict.quantity, verdict.face)
    count = f"{'is' if verdict.count == 1 else 'are'} {verdict.count}"
    told = f"{caller} {called} All show: {shown}. {bidder} bid {bid}; there {count}: "
    told += f"{caller} is {'right' if verdict.right else 'wrong'}"
    if verdict.loser is not None:
        return f"{told}, and {knowledge.person(verdict.loser)} loses a die."
    if verdict.gainer is not None:
        return f"{told}, and {knowledge.person(verdict.gainer)} regains a die."
    return f"{told}, and nobody loses a die."


GAME = Perudo()
