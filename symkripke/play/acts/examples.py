"""Examples of input, with the names of the current game.

The examples of `Act.typed` use fixed names of players and cards, as the page of the game shows
them. For help during a game, `Game.example_names` supplies the replacements.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from symkripke.play.rules import GameState
from symkripke.play.words import person

Things = Sequence[tuple[Sequence[str], Sequence[str]]]
"""Things in examples: for each kind, their words in the examples and their titles in the game."""


def names_of(
    players: Sequence[str],
    things: Things,
    order: Sequence[str],
    offered: Container[str] = (),
) -> dict[str, str]:
    """Return the title in this game for each name in the examples; empty if there is none.

    Args:
        players: the players of the examples, in the order of their turns.
        things: the things of the examples, by kind.
        order: the players of the game in turn order, from the current player.
        offered: the titles of the current choices. They come before the others.
    """
    first, *others = map(person, order)
    others.sort(key=lambda title: title not in offered)
    by_example = dict(zip(players, [first, *others, *[""] * len(players)], strict=False))
    for words, titles in things:
        likely = [title for title in titles if title in offered] or titles
        named = {
            word: [title for title in likely if word in title.casefold().split(" ")]
            for word in words
        }
        left = iter([title for title in likely if [title] not in named.values()])
        for word in words:
            by_example[word.title()] = word.title() if named[word] else next(left, "")
    return by_example


def turns_of(state: GameState[Any], players: Sequence[str]) -> Sequence[str]:
    """Return the players in turn order, from the current player or, without one, from the first."""
    due = "" if state.decision is None else state.decision.player
    start = players.index(due) if due in players else 0
    return (*players[start:], *players[:start])


def in_this_game(typed: Mapping[str, str], names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the examples and their meanings, with the names of this game.

    Args:
        typed: the forms of input, with their meanings; see `Act`.
        names: the title in this game for each name in the examples. If a title is empty, examples
            that need it are omitted.
    """
    if not names:
        yield from typed.items()
        return
    titles = {name.casefold(): title for name, title in names.items()}
    known = re.compile(rf"\b({'|'.join(map(re.escape, titles))})\b", re.IGNORECASE)

    def renamed(match: re.Match[str]) -> str:
        title = titles[match[0].casefold()]
        return title.casefold() if match[0].islower() else title

    for form, meaning in typed.items():
        if all(titles[word.casefold()] for word in known.findall(f"{form} {meaning}")):
            yield known.sub(renamed, form), known.sub(renamed, meaning)
