"""All ways to deal cards, for `Described.deals`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

T = TypeVar("T")


def arrangements(
    things: Sequence[T], sizes: Mapping[str, int]
) -> Iterator[dict[str, tuple[T, ...]]]:
    """Yield all ways to distribute different things to places of these sizes.

    >>> [hands["ann"] for hands in arrangements("abc", {"ann": 2, "bob": 1})]
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    if sum(sizes.values()) != len(things):
        raise ValueError(f"expected places for {len(things)} things, got {sum(sizes.values())}")
    if not sizes:
        yield {}
        return
    (place, size), *others = sizes.items()
    for chosen in combinations(range(len(things)), size):
        left = [thing for number, thing in enumerate(things) if number not in chosen]
        for rest in arrangements(left, dict(others)):
            yield {place: tuple(things[number] for number in chosen), **rest}
