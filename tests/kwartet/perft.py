"""Knowledge perft: exact numbers of deals after each event of seeded games of Kwartet.

`python -m tests.kwartet.perft` writes the data anew. The numbers are worked out straight from the
rules, group by group: all ways to deal the cards of a group are listed, and those that do not fit
what was seen of that group are dropped; what ties groups together are the sizes of hands, and so
many ways are added up hand by hand. No formula, no engine.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from symkripke.play import Table
from symkripke.play.dealing import location
from symkripke_games.kwartet import GAME
from symkripke_games.kwartet.rules import Opening, Question
from tests.support.perft import FOLDER

# Name, setup, minds, and how many events (None: to the end).
GAMES: tuple[tuple[str, dict[str, Any], tuple[str, ...], int | None], ...] = (
    ("kwartet-small", {"groups": 3, "players": 3}, ("random",), None),
    ("kwartet-bluff", {"groups": 2, "players": 3, "allow_bluff": True}, ("random",), None),
    ("kwartet-study", {"rules": "study"}, ("first-order",), None),
    ("kwartet-classic-3", {"players": 3}, ("second-order", "random"), 16),
    ("kwartet-classic-4", {"players": 4}, ("random",), 8),
)
SEED = 5


def played(name: str) -> Table[Any, Any]:
    """The game of that name, as far as it is recorded."""
    _, options, minds, events = next(game for game in GAMES if game[0] == name)
    setup = GAME.setup(**options)
    seats = [minds[seat % len(minds)] for seat in range(len(setup.players))]
    table = Table(GAME, setup, seats, SEED)
    while (events is None or len(table.steps) < events) and table.step() is not None:
        pass
    return table


def deals(table: Table[Any, Any], player: str, record: Sequence[Any]) -> int:
    """Deals that the player considers possible after these events."""
    setup = table.setup
    known: Counter[tuple[int, ...]] = Counter({(0,) * len(setup.players): 1})
    for group, cards in setup.cards_of.items():
        sizes: Counter[tuple[int, ...]] = Counter()
        for owners in product(setup.players, repeat=len(cards)):
            dealt = dict(zip(cards, owners, strict=True))
            mine = all(
                (dealt[card] == player) == (table.deal[location(card)] == player) for card in cards
            )
            if mine and _fits(setup, group, dealt, record):
                sizes[tuple(owners.count(one) for one in setup.players)] += 1
        known = _added(known, sizes, tuple(setup.sizes.values()))
    return known[tuple(setup.sizes.values())]


def _added(
    one: Counter[tuple[int, ...]], other: Counter[tuple[int, ...]], most: tuple[int, ...]
) -> Counter[tuple[int, ...]]:
    """The ways to fill hands so far, by what comes of both."""
    found: Counter[tuple[int, ...]] = Counter()
    for left, ways in one.items():
        for right, more in other.items():
            both = tuple(a + b for a, b in zip(left, right, strict=True))
            if all(a <= b for a, b in zip(both, most, strict=True)):
                found[both] += ways * more
    return found


def _fits(setup: Any, group: str, dealt: dict[str, str], record: Sequence[Any]) -> bool:
    """Whether what happened with the cards of a group can have happened with this deal of it."""
    held: dict[str, str] = dict(dealt)
    for public in record:
        if isinstance(public, Opening):
            owners = set(held.values())
            if public.down.get(group) != (next(iter(owners)) if len(owners) == 1 else None):
                return False
            if group in public.down:
                held = {}
            continue
        assert isinstance(public, Question)
        if setup.group_of[public.card] != group:
            continue
        asker, asked, card = public.player, public.asked, public.card
        if asker not in held.values() or (held.get(card) == asker and not setup.allow_bluff):
            return False
        if public.given != (held.get(card) == asked):
            return False
        if public.given:
            held[card] = asker
            if public.down != (set(held.values()) == {asker}):
                return False
            if public.down:
                held = {}
    return True


def rows(name: str) -> Iterator[dict[str, Any]]:
    """For each event what happened, and the numbers of each player."""
    table = played(name)
    record = [step.outcome.public for step in table.steps]
    for events in range(len(record) + 1):
        yield {
            "event": events,
            "story": table.steps[events - 1].story if events else "the deal",
            "deals": {
                player: deals(table, player, record[:events]) for player in table.setup.players
            },
        }


def main() -> None:
    """Write all files."""
    for name, *_ in GAMES:
        lines = [json.dumps(row) for row in rows(name)]
        (FOLDER / f"{name}.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
