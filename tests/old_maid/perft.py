"""Knowledge perft: exact numbers of worlds after each event of seeded games of Old Maid.

`python -m tests.old_maid.perft` writes the data anew. The numbers are those of a listing straight
from the rules: hands are dealt and cards drawn in all ways, and those that do not fit what was
seen are dropped. No formula, no engine.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from symkripke.play import Table
from symkripke_games.old_maid import GAME
from symkripke_games.old_maid.rules import Discards, Draw, drawn_name, holds_name
from tests.support.perft import FOLDER

# Name, setup, minds, and how many events (None: to the end).
GAMES: tuple[tuple[str, dict[str, Any], tuple[str, ...], int | None], ...] = (
    ("old-maid-study", {"rules": "study"}, ("logic",), None),
    ("old-maid-small", {"ranks": 5, "players": 4}, ("random",), None),
    ("old-maid-classic-3", {"players": 3}, ("epistemic",), 14),
    ("old-maid-classic-2", {"players": 2}, ("random",), None),
)
SEED = 5

Hands = tuple[frozenset[str], ...]


def played(name: str) -> Table[Any, Any]:
    """The game of that name, as far as it is recorded."""
    _, options, minds, events = next(game for game in GAMES if game[0] == name)
    table = Table(GAME, GAME.setup(**options), minds, SEED)
    while (events is None or len(table.steps) < events) and table.step() is not None:
        pass
    return table


def listed(table: Table[Any, Any], player: str) -> Iterator[tuple[int, int]]:
    """Worlds and different hands that the player considers possible, after each event.

    From the first discards on: before them, a world has what is discarded, too. A world is hands
    after the discards with all cards that were drawn since.
    """
    players = table.setup.players
    found: Counter[Hands] = Counter()
    for step in table.steps:
        public, secret = step.outcome.public, step.outcome.secret
        if isinstance(public, Discards):
            mine = frozenset(
                rank for rank in table.setup.deck if table.deal[holds_name(player, rank)] == "true"
            )
            found = Counter(_dealt(table.setup, public, player, mine))
        else:
            assert isinstance(public, Draw)
            drawer, giver = players.index(public.player), players.index(public.giver)
            seen = player in (public.player, public.giver)
            rank = secret.get(drawn_name(public.turn)) if seen else None
            found = _drawn(found, drawer, giver, public.discard, rank)
        yield sum(found.values()), len(found)


def _dealt(setup: Any, public: Discards, player: str, mine: frozenset[str]) -> Iterator[Hands]:
    """All hands that are possible after the discards: for each rank, who holds one of it."""
    left, sizes = dict(setup.deck), dict(setup.dealt)
    for one, ranks in public.pairs.items():
        sizes[one] -= 2 * len(ranks)
        for rank in ranks:
            left[rank] -= 2
    yield from _rank_by_rank(setup.players, list(left.items()), sizes, player, mine)


def _rank_by_rank(
    players: Sequence[str],
    left: Sequence[tuple[str, int]],
    sizes: Mapping[str, int],
    player: str,
    mine: frozenset[str],
) -> Iterator[Hands]:
    hands: list[tuple[Hands, dict[str, int]]]
    hands = [(tuple(frozenset[str]() for _ in players), dict(sizes))]
    for rank, number in left:
        further = []
        for held, room in hands:
            for owners in combinations(players, number):
                if (rank in mine) != (player in owners) or not all(room[one] for one in owners):
                    continue
                dealt = tuple(
                    hand | {rank} if one in owners else hand
                    for one, hand in zip(players, held, strict=True)
                )
                further.append((dealt, {p: n - (p in owners) for p, n in room.items()}))
        hands = further
    return (held for held, room in hands if not any(room.values()))


def _drawn(
    before: Counter[Hands], drawer: int, giver: int, discard: str | None, seen: str | None
) -> Counter[Hands]:
    """The hands after a draw, each with the number of its histories."""
    after: Counter[Hands] = Counter()
    for hands, number in before.items():
        for rank in hands[giver]:
            pair = rank in hands[drawer]
            if pair != (discard is not None) or (discard or rank) != rank or (seen or rank) != rank:
                continue
            now = list(hands)
            now[giver] = hands[giver] - {rank}
            now[drawer] = hands[drawer] - {rank} if pair else hands[drawer] | {rank}
            after[tuple(now)] += number
    return after


def rows(name: str) -> Iterator[dict[str, Any]]:
    """For each event what happened, and the numbers of each player."""
    table = played(name)
    numbers = {player: list(listed(table, player)) for player in table.setup.players}
    for place, step in enumerate(table.steps):
        yield {
            "event": place + 1,
            "story": step.story,
            "worlds": {player: of[place][0] for player, of in numbers.items()},
            "hands": {player: of[place][1] for player, of in numbers.items()},
        }


def main() -> None:
    """Write all files."""
    for name, *_ in GAMES:
        lines = [json.dumps(row) for row in rows(name)]
        (FOLDER / f"{name}.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
