"""The players, their dice and their throws.

Dice are listed in ascending order, because their order does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import comb
from random import Random
from typing import Any

from symkripke.errors import RuleError, UnknownName, check_name
from symkripke.language import Name
from symkripke.model import World
from symkripke.play import Setup as BaseSetup

CLASSIC, STUDY = "classic", "study"
SEATS = {CLASSIC: (2, 6), STUDY: (2, 6)}

_MOST_DICE, _MOST_FACES = 20, 20

Throw = Mapping[str, tuple[int, ...]]
"""The dice of each player, in ascending order."""


class Setup(BaseSetup, frozen=True, kw_only=True, cache_hash=True):
    """The setup of a game.

    Attributes:
        dice: the number of dice of each player at the start.
        faces: the number of faces of a die.
        aces: whether aces are wild.
        palifico: whether there are palifico rounds.
        calza: whether calza can be called.
        first: the player who begins.
    """

    dice: int
    faces: int
    aces: bool
    palifico: bool
    calza: bool
    first: str


def combinations(setup: Setup) -> int:
    """Return the number of throws of all dice of a player, ignoring their order."""
    return comb(setup.dice + setup.faces - 1, setup.dice)


# ---- dice ---------------------------------------------------------------------------------


def die_name(player: str, number: int) -> str:
    """Return the name of the fluent for the face of a player's die; dice are numbered from 1."""
    return f"die({player}, {number})"


def owner(name: str) -> str:
    """Return the owner of the die with this fluent."""
    return Name.of(name).arguments[0]


def dice_name(player: str) -> str:
    """Return the name of the secret that lists a player's dice in a throw, as in "1 3 3"."""
    return f"dice({player})"


# ---- setup and deal --------------------------------------------------------------------------


def make_setup(
    *,
    rules: str,
    players: tuple[str, ...],
    dice: int = 5,
    faces: int = 6,
    aces: bool | None = None,
    palifico: bool | None = None,
    calza: bool = False,
    first: str | None = None,
) -> Setup:
    """Return a setup; see `Game.make_setup`. By default, players have five dice with six faces."""
    classic = rules == CLASSIC
    return Setup(
        rules=rules,
        players=players,
        dice=dice,
        faces=faces,
        aces=classic if aces is None else aces,
        palifico=classic if palifico is None else palifico,
        calza=calza,
        first="".join(players[:1]) if first is None else first,
    )


def check_setup(setup: Setup) -> None:
    """Raise `RuleError` or `UnknownName` if nobody can play with this setup."""
    if not 1 <= setup.dice <= _MOST_DICE:
        raise RuleError(f"expected 1 to {_MOST_DICE} dice for each player, got {setup.dice}")
    if not 2 <= setup.faces <= _MOST_FACES:
        raise RuleError(f"expected dice with 2 to {_MOST_FACES} faces, got {setup.faces}")
    check_name("player to begin", setup.first, setup.players)


def thrown(faces: int, left: Mapping[str, int], chance: Random) -> Throw:
    """Return a random throw with the given number of dice for each player."""
    return {
        player: tuple(sorted(chance.randint(1, faces) for _ in range(number)))
        for player, number in left.items()
    }


def deal_of(throw: Throw) -> dict[str, str]:
    """Return the values of the fluents of a throw."""
    return {
        die_name(player, number): str(face)
        for player, dice in throw.items()
        for number, face in enumerate(dice, 1)
    }


def throw_of(setup: Setup, deal: World) -> Throw:
    """Return the first throw from the values of its fluents; raise `RuleError` if it is invalid."""
    names = {
        player: [die_name(player, n) for n in range(1, setup.dice + 1)] for player in setup.players
    }
    known = [name for mine in names.values() for name in mine]
    for name in deal:
        check_name("fluent in the deal", name, known)
    for name in known:
        if name not in deal:
            raise RuleError(f"the deal does not say what {name} is")
    throw = {}
    for player, mine in names.items():
        dice = read_dice(setup, player, [deal[name] for name in mine], setup.dice)
        if list(deal_of({player: dice}).values()) != [deal[name] for name in mine]:
            raise RuleError(f"expected the dice of {player} in ascending order")
        throw[player] = dice
    return throw


def read_dice(setup: Setup, player: str, dice: Sequence[Any], number: int) -> tuple[int, ...]:
    """Return the stated dice of a player in ascending order.

    Raises:
        UnknownName: a die shows an unknown face.
        RuleError: the player has another number of dice.
    """
    faces, values = _numbers(setup.faces), []
    for die in dice:
        face = faces.get(str(die))
        if face is None:
            raise UnknownName("face of a die", str(die), faces)
        values.append(face)
    if len(dice) != number:
        raise RuleError(f"expected {player} to have {number} dice, got {len(dice)}")
    return tuple(sorted(values))


@lru_cache(maxsize=8)
def _numbers(faces: int) -> Mapping[str, int]:
    """Return the faces of a die by their text form."""
    return {str(face): face for face in range(1, faces + 1)}
