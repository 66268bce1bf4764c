"""Examples of what can be typed, in the names of the game that is played.

The examples of `Act.typed` have players and cards of their own, for the page of the game. Where
help shows them in a game, `Game.example_names` says who and what stands in their place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from symkripke.play.rules import State
from symkripke.play.words import person


def seated(names: Sequence[str], players: Sequence[str], first: str) -> dict[str, str]:
    """The players in the order of their turns from `first` on, for the players of examples.

    There may be fewer of them than in the examples: then nobody, "", stands for the last ones.
    """
    start = players.index(first) if first in players else 0
    order = [*players[start:], *players[:start]]
    titles = [*map(person, order), *[""] * len(names)]
    return dict(zip(names, titles, strict=False))


def mover_of(state: State[Any], players: Sequence[str]) -> str:
    """Whose turn it is in a position; the first player if it is nobody's."""
    decision = state.decision
    return decision.player if decision is not None and decision.player in players else players[0]


def in_this_game(typed: Mapping[str, str], names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The examples, and what they mean, in other names.

    Args:
        typed: what can be typed, and what it means; see `Act`.
        names: titles of the examples, each with the title in its place. Empty: there is no such
            player or thing, and examples that need it are left out.
    """
    if not names:
        yield from typed.items()
        return
    titles = {name.casefold(): title for name, title in names.items()}
    known = re.compile(rf"\b({'|'.join(map(re.escape, titles))})\b", re.IGNORECASE)

    def renamed(found: re.Match[str]) -> str:
        title = titles[found[0].casefold()]
        return title.casefold() if found[0].islower() else title

    for form, meaning in typed.items():
        if all(titles[word.casefold()] for word in known.findall(f"{form} {meaning}")):
            yield known.sub(renamed, form), known.sub(renamed, meaning)
