"""Knowledge perft: exact numbers of worlds and deals after each event of seeded games.

`python -m tests.support.perft` writes the data anew, with the explicit model where it fits and a
dynamic programme over cards (`benchmarks.dealing`) where it does not; never with the engine that
they test.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.dealing import Dealing
from symkripke.engines.explicit import ExplicitEngine
from symkripke.play import Table
from symkripke_games.cluedo import GAME

FOLDER = Path(__file__).parent.parent / "data" / "perft"

# Name, setup, minds, and whether the explicit model fits. All games are played to their end.
GAMES: tuple[tuple[str, dict[str, Any], tuple[str, ...], bool], ...] = (
    ("study", {"rules": "study"}, ("first-order", "higher-order") * 2, True),
    ("three", {"rules": "classic", "players": 3, "size": "3/3/3"}, ("first-order",), True),
    ("classic-3", {"players": 3}, ("higher-order",), False),
    ("classic-4", {"players": 4}, ("higher-order",), False),
    ("classic-5", {"players": 5}, ("higher-order",), False),
    ("classic-6", {"players": 6}, ("higher-order",), False),
)
SEED = 5


def played(name: str) -> Table[Any, Any]:
    """The game of that name, to its end."""
    _, options, minds, _ = next(game for game in GAMES if game[0] == name)
    table = Table(GAME, GAME.setup(**options), minds, SEED)
    while table.step() is not None:
        pass
    return table


def recomputed(
    table: Table[Any, Any], events: int, player: str, explicit: ExplicitEngine | None
) -> tuple[int, int]:
    """Worlds and deals that the player considers possible after so many events."""
    scene = table.scenes[events]
    if explicit is not None:
        view = scene.perspective(player)
        return explicit.worlds(view), explicit.worlds(view, table.moment.layout.rows)
    record = [step.outcome.public for step in table.steps[:events]]
    totals = [
        Dealing(table.setup, player, scene.world, record, weighting).total()
        for weighting in ("equal", "deals")
    ]
    assert all(total.denominator == 1 for total in totals)
    return int(totals[0]), int(totals[1])


def rows(name: str) -> Iterator[dict[str, Any]]:
    """For each event what happened, and the numbers of each player."""
    table = played(name)
    explicit = ExplicitEngine() if next(game for game in GAMES if game[0] == name)[3] else None
    for events in range(len(table.scenes)):
        numbers = {p: recomputed(table, events, p, explicit) for p in table.setup.players}
        yield {
            "event": events,
            "story": table.steps[events - 1].story if events else "the deal",
            "worlds": {p: worlds for p, (worlds, _) in numbers.items()},
            "deals": {p: deals for p, (_, deals) in numbers.items()},
        }


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, *_ in GAMES:
        lines = [json.dumps(row) for row in rows(name)]
        (FOLDER / f"{name}.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
