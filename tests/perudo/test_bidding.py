"""Bids: legal bids and their meanings, compared with lists of dice."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import floor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symkripke_games.perudo import chances
from symkripke_games.perudo.bidding import ACE, Manner, Offer, Said, kept, meaning, needed

WILD, PLAIN, FIXED = Manner(6, True), Manner(6, False), Manner(6, False, fixed=True)


@pytest.mark.parametrize(
    ("manner", "standing", "least"),
    [
        # The minimum quantity for each face from the ace to the six; None if no bid is allowed.
        (WILD, None, [None, 1, 1, 1, 1, 1]),
        (WILD, Offer(1, 2), [1, 2, 1, 1, 1, 1]),
        (WILD, Offer(3, 4), [2, 4, 4, 4, 3, 3]),
        (WILD, Offer(4, 6), [2, 5, 5, 5, 5, 5]),
        (WILD, Offer(2, ACE), [3, 5, 5, 5, 5, 5]),
        (PLAIN, None, [1, 1, 1, 1, 1, 1]),
        (PLAIN, Offer(2, 3), [3, 3, 3, 2, 2, 2]),
        (PLAIN, Offer(2, ACE), [3, 2, 2, 2, 2, 2]),
        (FIXED, None, [1, 1, 1, 1, 1, 1]),
        (FIXED, Offer(2, 3), [None, None, 3, None, None, None]),
    ],
)
def test_minimum_bids(manner: Manner, standing: Offer | None, least: list[int | None]) -> None:
    assert [manner.least(standing, face) for face in range(1, 7)] == least


def test_a_player_with_one_die_may_change_the_face_of_a_palifico_round() -> None:
    assert [FIXED.least(Offer(2, 3), face, free=True) for face in range(1, 7)] == [3, 3, 3, 2, 2, 2]


SAID = st.builds(
    Said, st.sampled_from(["ann", "bob"]), st.integers(1, 4), st.integers(1, 4), st.integers(0, 9)
)


def holds(dice: tuple[int, ...], said: Said, manner: Manner) -> bool:
    return manner.counted(dice, said.face) >= said.holds


@settings(max_examples=50)
@given(st.lists(SAID, max_size=4), st.booleans())
def test_how_many_dice_are_needed(said: list[Said], wild: bool) -> None:
    manner = Manner(4, wild)
    mine = [one for one in said if one.player == "ann"]
    least = next(
        number
        for number in range(17)
        if any(
            all(holds(dice, one, manner) for one in mine)
            for dice in combinations_with_replacement(range(1, 5), number)
        )
    )
    assert needed(mine, manner) == least


@settings(max_examples=50)
@given(st.lists(SAID, max_size=6), st.integers(1, 4), st.integers(1, 4), st.booleans())
def test_kept_claims(said: list[Said], ann: int, bob: int, wild: bool) -> None:
    """The definition keeps claims that stay possible, by trust, the latest first."""
    manner, left = Manner(4, wild), {"ann": ann, "bob": bob}
    throws = {
        player: list(combinations_with_replacement(range(1, 5), number))
        for player, number in left.items()
    }
    order = sorted(range(len(said)), key=lambda place: (-said[place].trust, -place))
    true = set()
    for place in order:
        one = said[place]
        still = [dice for dice in throws[one.player] if holds(dice, one, manner)]
        if still:
            throws[one.player] = still
            true.add(place)
    found = kept(said, left, manner)
    assert found == tuple(
        one for place, one in enumerate(said) if place in true or one in {said[n] for n in true}
    )
    for player, number in left.items():
        assert needed([one for one in found if one.player == player], manner) <= number


@settings(max_examples=50)
@given(
    st.lists(SAID, max_size=6),
    st.sampled_from(["ann", "bob", "cath"]),
    st.integers(1, 9),
    st.integers(1, 4),
    st.booleans(),
)
def test_the_meaning_of_any_bid_matches_its_definition(
    said: list[Said], bidder: str, quantity: int, face: int, wild: bool
) -> None:
    manner, left = Manner(4, wild), {"ann": 3, "bob": 4, "cath": 1}
    believed = kept(said, left, manner)

    def of(player: str) -> list[Said]:
        return [one for one in believed if one.player == player]

    held = {p: max((one.holds for one in of(p) if one.face == face), default=0) for p in left}
    unknown = sum(n - needed(of(p), manner) for p, n in left.items() if p != bidder)
    value = quantity - manner.share(face) * unknown - sum(held.values())
    more = min(quantity, max(0, floor(value + Fraction(1, 2))))
    found = meaning(Offer(quantity, face), bidder, believed, left, manner)
    assert found == (held[bidder] + more if more else 0)


@settings(max_examples=40)
@given(
    st.integers(0, 4),
    st.booleans(),
    st.dictionaries(st.integers(1, 4), st.integers(1, 3)),
    st.integers(1, 4),
)
def test_counts_of_throws(number: int, wild: bool, bounds: dict[int, int], face: int) -> None:
    """Closed forms match the numbers of listed throws."""
    manner = Manner(4, wild)
    listed, true = [0] * (number + 1), [0] * (number + 1)
    for dice in product(range(1, 5), repeat=number):
        listed[manner.counted(dice, face)] += 1
        if all(manner.counted(dice, other) >= least for other, least in bounds.items()):
            true[manner.counted(dice, face)] += 1
    assert chances.free(number, manner, face) == tuple(listed)
    assert chances.given(number, manner, tuple(sorted(bounds.items())), face) == tuple(true)
    mixed = chances.mixed(Fraction(2, 3), tuple(true), tuple(listed))
    so, whole = sum(true), sum(listed)
    for least in range(number + 1):
        share = chances.atleast(mixed, least)
        if so in (0, whole):
            assert share == Fraction(sum(listed[least:]), whole)
        else:
            yes = Fraction(sum(true[least:]), so)
            no = Fraction(sum(listed[least:]) - sum(true[least:]), whole - so)
            assert share == Fraction(2, 3) * yes + Fraction(1, 3) * no
    assert chances.together((tuple(listed), (0, 1))) == (0, *listed)
