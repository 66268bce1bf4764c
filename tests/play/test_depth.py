"""The minds `depth-0` to `depth-3` of three games."""

from __future__ import annotations

import pytest

from symkripke.errors import InputError
from symkripke.play import Table, game
from symkripke.play.strategies import character, names, strategy

GAMES = ("cluedo", "kwartet", "perudo")
KINDS = ("depth-0", "depth-1", "depth-2", "depth-3")


@pytest.mark.parametrize("name", GAMES)
def test_each_game_has_all_depths(name: str) -> None:
    played = game(name)
    assert set(KINDS) <= set(names(played))
    for depth, kind in enumerate(KINDS):
        assert character(played, kind).startswith(f"Depth {depth}: ")


@pytest.mark.parametrize("wrong", ["depth-4", "depth--1", "depth", "depth-1:2"])
def test_other_depths_are_refused(wrong: str) -> None:
    with pytest.raises(InputError):
        strategy(game("perudo"), wrong)


def test_silence_speaks_for_players_of_a_depth() -> None:
    """They accuse as soon as they know the solution."""
    played = game("cluedo")
    setup = played.setup(players=3, size="2/2/3", silence_speaks=True)
    table = Table(played, setup, ("depth-1", "depth-0", "depth-2"), 3, turns=6)
    assert [step for step in table]
