"""Probabilities against every deal of cards and every draw, one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations

import pytest

from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.play import Table
from symkripke_games.old_maid import GAME
from symkripke_games.old_maid.knowledge import holds
from symkripke_games.old_maid.rules import Discards, Draw, Happening, Setup, State, drawn_name

Hands = dict[str, frozenset[str]]


def deals(setup: Setup) -> Iterator[dict[str, list[str]]]:
    """Every deal of the cards, each once: cards of one rank are different cards."""
    cards = [rank for rank, number in setup.deck.items() for _ in range(number)]

    def rest(left: frozenset[int], players: tuple[str, ...]) -> Iterator[dict[str, list[str]]]:
        if not players:
            yield {}
            return
        for hand in combinations(sorted(left), setup.sizes[players[0]]):
            for others in rest(left - set(hand), players[1:]):
                yield {players[0]: [cards[card] for card in hand], **others}

    yield from rest(frozenset(range(len(cards))), setup.players)


def opened(setup: Setup, public: Discards, me: str, mine: frozenset[str]) -> Counter[str]:
    """The hands after those deals that fit the discards and one's own hand, as texts."""
    found: Counter[str] = Counter()
    for deal in deals(setup):
        counts = {player: Counter(hand) for player, hand in deal.items()}
        fits = all(
            counts[player][rank] // 2 == public.pairs[player].count(rank)
            for player in setup.players
            for rank in setup.deck
        )
        hands = {p: frozenset(r for r, n in counts[p].items() if n % 2) for p in setup.players}
        if fits and hands[me] == mine:
            found[written(hands)] += 1
    return found


def written(hands: Hands) -> str:
    return ";".join(f"{player}:{','.join(sorted(hand))}" for player, hand in hands.items())


def read(text: str) -> Hands:
    parts = (part.partition(":") for part in text.split(";"))
    return {p: frozenset(hand.split(",")) - {""} for p, _, hand in parts}


def drawn(weights: dict[str, Fraction], draw: Draw, rank: str | None) -> dict[str, Fraction]:
    """After a draw: each card of the giver's hand is as likely as another."""
    after: dict[str, Fraction] = {}
    for text, weight in weights.items():
        hands = read(text)
        giver, drawer = hands[draw.giver], hands[draw.player]
        for card in giver:
            discards = card if card in drawer else None
            if discards == draw.discard and rank in (None, card):
                now = {**hands, draw.giver: giver - {card}, draw.player: drawer ^ {card}}
                key = written(now)
                after[key] = after.get(key, Fraction(0)) + weight / len(giver)
    return after


@pytest.mark.parametrize("engine", [BddEngine, ExplicitEngine])
def test_before_the_discards_all_deals_of_cards_are_equally_likely(
    engine: Callable[..., BddEngine | ExplicitEngine],
) -> None:
    setup = GAME.setup(rules="study", ranks=3)
    table = Table(GAME, setup, ("random",), 1)
    step = table.step()
    assert step is not None
    public, state = step.outcome.public, table.state
    assert isinstance(public, Discards)
    assert isinstance(state, State)
    assert state.hands is not None
    counting = engine(weighting="bayes")
    unlike = 0
    for me in setup.players:
        mine = Counter(state.hands[me]) + Counter([*public.pairs[me], *public.pairs[me]])
        left = [deal for deal in deals(setup) if Counter(deal[me]) == mine]
        view = table.moment.after(0).perspective(me)
        for player in setup.players:
            for card in setup.deck:
                part = sum(deal[player].count(card) % 2 for deal in left)
                asked = counting.probability(view, holds(player, card))
                assert asked == Fraction(part, len(left)), (me, player, card)
                equal = engine().probability(view, holds(player, card))
                unlike += asked != equal
    assert unlike


def test_probabilities_are_those_of_dealing_and_drawing_cards() -> None:
    setup = GAME.setup(rules="study", ranks=3)
    fractions = 0
    for seed in range(4):
        table = Table(GAME, setup, ("random",), seed)
        counting = BddEngine(1 << 16, weighting="bayes")
        weights: dict[str, dict[str, Fraction]] = {}
        for step in table:
            public: Happening = step.outcome.public
            state = table.state
            assert isinstance(state, State)
            assert state.hands is not None
            for me in setup.players:
                if isinstance(public, Discards):
                    found = opened(setup, public, me, state.hands[me])
                    weights[me] = {text: Fraction(number) for text, number in found.items()}
                else:
                    mine = me in (public.player, public.giver)
                    rank = step.outcome.secret.get(drawn_name(public.turn)) if mine else None
                    weights[me] = drawn(weights[me], public, rank)
                whole = sum(weights[me].values())
                for player in setup.players:
                    for card in setup.deck:
                        part = sum(
                            weight
                            for text, weight in weights[me].items()
                            if card in read(text)[player]
                        )
                        asked = counting.probability(
                            table.view(me).perspective, holds(player, card)
                        )
                        assert asked == part / whole, (seed, step.number, me, player, card)
                        fractions += asked.denominator > 1
    assert fractions > 10
