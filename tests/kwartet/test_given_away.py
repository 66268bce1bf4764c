"""The measure `given-away`, against a count of all deals that uses no engine."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import log2
from typing import Any

import pytest

from symkripke.play import game
from symkripke.play.dealing import location
from symkripke.play.runs.measures import check_measures
from symkripke.play.session.table import Table
from symkripke_games.kwartet.rules import Opening, Setup

Holders = dict[str, str]
"""Who holds each card; cards that are laid down are left out."""


def _deals(setup: Setup, dealt: Holders, player: str) -> Iterator[Holders]:
    """All deals in which the player has these cards."""
    own = [card for card, holder in dealt.items() if holder == player]
    others = [card for card in dealt if card not in own]
    second, third = (name for name in setup.players if name != player)
    for hand in combinations(others, setup.sizes[second]):
        holders = dict.fromkeys(own, player) | dict.fromkeys(others, third)
        yield holders | dict.fromkeys(hand, second)


def _play(setup: Setup, holders: Holders, public: Any) -> bool:
    """Whether this can happen with these cards; if so, it has happened to them afterwards."""
    complete = {
        group: holders[cards[0]]
        for group, cards in setup.cards_of.items()
        if cards[0] in holders and len({holders[card] for card in cards}) == 1
    }
    if isinstance(public, Opening):
        laid_down = dict(public.down)
        for name in complete:
            for card in setup.cards_of[name]:
                del holders[card]
        return bool(complete == laid_down)
    group = setup.cards_of[setup.group_of[public.card]]
    if public.card not in holders or holders[public.card] == public.player:
        return False  # nobody asks for what is laid down, nor for an own card
    if not any(holders.get(card) == public.player for card in group):
        return False  # a question needs a card of its group
    if (holders[public.card] == public.asked) != public.given:
        return False
    if public.given:
        holders[public.card] = public.player
    laid = public.given and all(holders.get(card) == public.player for card in group)
    if laid:
        for card in group:
            del holders[card]
    return bool(laid == public.down)


def test_what_is_given_away_is_that_of_a_count_of_all_deals() -> None:
    kwartet = game("kwartet")
    setup: Setup = kwartet.setup(rules="study", players=3)
    table = Table(kwartet, setup, ("first-order", "patient", "second-order"), 5)
    (measure,) = check_measures(kwartet, ["given-away"])
    dealt = {card.id: table.deal[location(card.id)] for card in setup.cards}
    watch = measure.watch(table)
    open_to = {player: list(_deals(setup, dealt, player)) for player in setup.players}
    gave, moves = dict.fromkeys(setup.players, 0.0), dict.fromkeys(setup.players, 0)
    for step in table:
        watch.after(step)
        public = step.outcome.public
        before = {player: len(deals) for player, deals in open_to.items()}
        for player, deals in open_to.items():
            open_to[player] = [deal for deal in deals if _play(setup, deal, public)]
        if isinstance(public, Opening):  # nobody's move
            continue
        moves[public.player] += 1
        gave[public.player] += sum(
            log2(before[player] / len(open_to[player]))
            for player in setup.players
            if player != public.player
        )
    assert table.state.decision is None
    found = watch.values()
    assert list(found["gave"]) == pytest.approx(list(gave.values()), abs=1e-6)
    assert list(found["gave_in"]) == list(moves.values())
