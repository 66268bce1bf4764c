"""Knowledge perft: exact numbers of deals after each event of seeded games of Sleuth.

`python -m tests.sleuth.perft` writes the data anew, with the explicit model where it fits, and
where it does not with a dynamic programme over gems; never with what they test.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from symkripke.engines.explicit import ExplicitEngine
from symkripke.play import Table
from symkripke.play.dealing import location
from symkripke_games.sleuth import GAME
from symkripke_games.sleuth.gems import HIDDEN, TABLE
from symkripke_games.sleuth.rules import Declaration, Opening, Question
from tests.support.perft import FOLDER

# Name, setup, minds, how many events (None: to the end), and whether the explicit model fits.
GAMES: tuple[tuple[str, dict[str, Any], tuple[str, ...], int | None, bool], ...] = (
    ("sleuth-small", {"players": 3, "size": "2/2/2"}, ("random",), None, True),
    ("sleuth-small-study", {"rules": "study", "players": 3, "size": "2/2/2"}, (), None, True),
    ("sleuth-classic-3", {"players": 3}, ("random",), 16, False),
    ("sleuth-classic-4", {"players": 4}, ("random",), 10, False),
    ("sleuth-classic-5", {"players": 5}, ("random",), 3, False),
    ("sleuth-study-5", {"rules": "study", "players": 5}, ("random",), 3, False),
)
SEED = 5


def played(name: str) -> Table[Any, Any]:
    """The game of that name, as far as it is recorded."""
    _, options, minds, events, _ = next(game for game in GAMES if game[0] == name)
    table = Table(GAME, GAME.setup(**options), minds, SEED)
    while (events is None or len(table.steps) < events) and table.step() is not None:
        pass
    return table


def recomputed(
    table: Table[Any, Any], events: int, player: str, explicit: ExplicitEngine | None
) -> int:
    """Deals that the player considers possible after so many events."""
    if explicit is not None:
        view = table.scenes[events].perspective(player)
        return explicit.worlds(view, table.moment.layout.rows)
    return dealt(table, player, [step.outcome.public for step in table.steps[:events]])


def dealt(table: Table[Any, Any], player: str, record: list[Any]) -> int:
    """Gem by gem: how many ways there are to reach each tuple of numbers that are still lacking.

    Straight from the rules: nothing is worked out about gems before they are dealt.
    """
    setup = table.setup
    true = {gem.id: table.deal[location(gem.id)] for gem in setup.edition.gems}
    # What the player sees of each gem: with whom it is, or with whom it is not.
    sees = {gem: {player} for gem in true}
    # Of so many at a place, as a multiset of gems.
    numbers: list[tuple[str, frozenset[str], int]] = [
        (place, frozenset(true), setup.hand) for place in setup.players
    ]
    numbers += [(HIDDEN, frozenset(true), 1), (TABLE, frozenset(true), setup.left)]
    for public in record:
        if isinstance(public, Opening):
            for gem in true:
                sees[gem].add(TABLE)
        elif isinstance(public, Question):
            gems = setup.edition.matching(public.elements)
            if public.number is not None:
                numbers.append((public.asked, frozenset(gems), public.number))
            if public.player == player and (public.number is None or len(public.elements) == 2):
                for gem in gems:
                    sees[gem].add(public.asked)
        else:
            assert isinstance(public, Declaration)
            assert public.right
            numbers.append((HIDDEN, frozenset({public.gem}), 1))
    ways = Counter({tuple(number for _, _, number in numbers): 1})
    for gem, place in true.items():
        after: Counter[tuple[int, ...]] = Counter()
        seen = place in sees[gem]
        may = [place] if seen else [one for one in setup.places if one not in sees[gem]]
        for lacking, many in ways.items():
            for one in may:
                left = tuple(
                    number - (one == where and gem in gems)
                    for number, (where, gems, _) in zip(lacking, numbers, strict=True)
                )
                if min(left) >= 0:
                    after[left] += many
        ways = after
    return ways[(0,) * len(numbers)]


def rows(name: str) -> Iterator[dict[str, Any]]:
    """For each event what happened, and the numbers of each player."""
    table = played(name)
    explicit = ExplicitEngine() if next(game for game in GAMES if game[0] == name)[4] else None
    for events in range(len(table.scenes)):
        yield {
            "event": events,
            "story": table.steps[events - 1].story if events else "the deal",
            "deals": {p: recomputed(table, events, p, explicit) for p in table.setup.players},
        }


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, *_ in GAMES:
        lines = [json.dumps(row) for row in rows(name)]
        (FOLDER / f"{name}.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
