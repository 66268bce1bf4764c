"""Probabilities compared with a list of every deal of cards and every draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from symkripke.engines.bdd import BddEngine
from symkripke.play import Table
from symkripke_games.old_maid import GAME
from symkripke_games.old_maid.knowledge import holds
from symkripke_games.old_maid.rules import Discards, Draw, Setup, State, drawn_name

# The hands, by seat.
Hands = tuple[frozenset[str], ...]


def deals(setup: Setup) -> Iterator[list[list[str]]]:
    """Yield every deal of the cards once; cards of the same rank are distinct."""
    cards = [rank for rank, number in setup.deck.items() for _ in range(number)]

    def rest(left: frozenset[int], players: tuple[str, ...]) -> Iterator[list[list[str]]]:
        if not players:
            yield []
            return
        for hand in combinations(sorted(left), setup.sizes[players[0]]):
            for others in rest(left - set(hand), players[1:]):
                yield [[cards[card] for card in hand], *others]

    yield from rest(frozenset(range(len(cards))), setup.players)


def opened(setup: Setup, public: Discards) -> Counter[Hands]:
    """Count the hands after all deals that match the discards."""
    found: Counter[Hands] = Counter()
    for deal in deals(setup):
        counts = [Counter(hand) for hand in deal]
        if all(
            count[rank] // 2 == public.pairs[player].count(rank)
            for player, count in zip(setup.players, counts, strict=True)
            for rank in setup.deck
        ):
            found[tuple(frozenset(r for r, n in count.items() if n % 2) for count in counts)] += 1
    return found


def drawn(
    weights: dict[Hands, Fraction], draw: Draw, seats: tuple[int, int], rank: str | None
) -> dict[Hands, Fraction]:
    """Return the weights after a draw; all cards of the giver's hand are equally likely."""
    after: dict[Hands, Fraction] = {}
    giver, drawer = seats
    for hands, weight in weights.items():
        for card in hands[giver]:
            discards = card if card in hands[drawer] else None
            if discards == draw.discard and rank in (None, card):
                now = list(hands)
                now[giver], now[drawer] = hands[giver] - {card}, hands[drawer] ^ {card}
                key = tuple(now)
                after[key] = after.get(key, Fraction(0)) + weight / len(hands[giver])
    return after


def test_probabilities_match_dealing_and_drawing_cards() -> None:
    setup = GAME.setup(rules="study", ranks=3)
    fractions = 0
    for seed in (2, 3):
        table = Table(GAME, setup, ("random",), seed)
        counting = BddEngine(1 << 16, weighting="bayes")
        weights: dict[str, dict[Hands, Fraction]] = {}
        for step in table:
            public, state = step.outcome.public, table.state
            assert isinstance(state, State)
            assert state.hands is not None
            if isinstance(public, Discards):
                first = opened(setup, public)
            for seat, me in enumerate(setup.players):
                if isinstance(public, Discards):
                    mine = state.hands[me]
                    weights[me] = {
                        hands: Fraction(number)
                        for hands, number in first.items()
                        if hands[seat] == mine
                    }
                else:
                    seats = setup.players.index(public.giver), setup.players.index(public.player)
                    rank = step.outcome.secret.get(drawn_name(public.turn))
                    weights[me] = drawn(weights[me], public, seats, rank if seat in seats else None)
                whole = sum(weights[me].values())
                for other, player in enumerate(setup.players):
                    for card in setup.deck:
                        part = sum(w for hands, w in weights[me].items() if card in hands[other])
                        view = table.view(me).perspective
                        asked = counting.probability(view, holds(player, card))
                        assert asked == part / whole, (seed, step.number, me, player, card)
                        fractions += asked.denominator > 1
    assert fractions > 5
