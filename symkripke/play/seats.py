"""Seats: numbers of players, and valid names of players."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from unicodedata import normalize

from symkripke.argument_types import checked, checked_all
from symkripke.errors import RuleError, check_name
from symkripke.play.words import person, with_letters

Seats = Mapping[str, tuple[int, int]]
"""The minimum and maximum numbers of players under each rule set."""

_NAMES = ("ann", "bob", "cath", "dan", "eve", "fay", "gus", "hal", "ida", "jim", "kim", "leo")
_NAME = re.compile(r"[^\W\d_]\w*")
_WORDS = ("true", "false")


def seated(
    title: str,
    seats: Seats,
    rules: str,
    usual: int,
    players: int | None,
    names: Sequence[str] | None,
) -> tuple[str, ...]:
    """Return the players' names in seat order, as given by the options or by default.

    `usual` is the number of players if no option gives it.

    Raises:
        UnknownName: there is no such rule set.
        RuleError: the number of players is not allowed, or differs from the number of names. The
            names themselves are checked by `check_players`.
    """
    check_name("rule set", rules, seats)
    if names is not None:
        names = checked_all(names, str, "names")
        if players is not None and len(names) != players:
            raise RuleError(f"expected {players} names for {players} players, got {len(names)}")
        if any(name.casefold() == "you" for name in names):
            # Sentences are in the third person: "you asks for", "you passes" would be wrong.
            raise RuleError("expected the name of a player, got 'you'")
        return names
    number = usual if players is None else players
    _check_number(title, seats, rules, number)
    return _NAMES[:number]


def check_players(
    title: str, seats: Seats, rules: str, players: Sequence[str], reserved: Sequence[str] = ()
) -> None:
    """Raise `UnknownName` or `RuleError` for a wrong rule set, number of players or name.

    A name must be usable in formulas: it consists of letters, digits and _, and begins with a
    letter. It must not be a reserved word (`reserved` has the words of the game). Names must differ
    in more than case.
    """
    check_name("rule set", rules, seats)
    _check_number(title, seats, rules, len(players))
    for number, name in enumerate(players):
        if name.casefold() in (*_WORDS, *reserved):
            raise RuleError(f"a player cannot be called {name!r}, because the word is reserved")
        if not _NAME.fullmatch(name):
            raise RuleError(
                f"expected a player name of letters, digits and _ (a letter first), got {name!r}"
            )
        if name.casefold() in [other.casefold() for other in players[:number]]:
            raise RuleError(f"player {name!r} is given twice")


def _check_number(title: str, seats: Seats, rules: str, number: int) -> None:
    fewest, most = seats[rules]
    if not fewest <= checked(number, int, "a number of players") <= most:
        wanted = f"{fewest} to {most}" if fewest < most else f"{fewest}"
        raise RuleError(f"{title} ({rules}) is for {wanted} players, got {number}")


def player_id(name: str) -> str:
    """Return a player's name in formulas and logs: "Aunt May" becomes "aunt_may".

    A name keeps the capitals that `person` would not restore: "McCoy". "Jean-Luc" becomes
    "jean__luc".
    """
    kept = written(name)
    small = kept.lower()
    restored = written(person(small))
    return small if kept in (small, restored) and re.fullmatch(r"\w*", small) else kept


def written(name: str) -> str:
    """Return a name in letters, digits and _, with its capitals."""
    hyphens = re.sub(r"[\W_]*[-\u2010\u2011][\W_]*", "__", with_letters(normalize("NFC", name)))
    return re.sub(r"\W+", "_", hyphens).strip("_")


def seated_from(setup: Mapping[str, Any], players: Sequence[str], first: str) -> dict[str, Any]:
    """Return the arguments of a setup with these players, in which `first` has the first seat."""
    seat = players.index(first)
    names = (*players[seat:], *players[:seat])
    return {**setup, "players": None, "names": names}
