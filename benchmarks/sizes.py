"""How many worlds there are: published numbers, beside the exact ones."""

from __future__ import annotations

from math import factorial

from benchmarks.common import check, setup_of, show
from benchmarks.reference import worlds_at_start
from symkripke.errors import RuleError

PUBLISHED_DEALS = {
    3: 5_557_616_064,
    4: 250_092_722_880,
    5: 4_168_212_048_000,
    6: 44_460_928_512_000,
}
"""Deals of the classic 6/6/9 game, by number of players."""


def verify_worlds() -> None:
    """Raises `WrongAnswer` unless the closed form gives the published numbers of deals."""
    for players, deals in PUBLISHED_DEALS.items():
        found = worlds_at_start(setup_of("classic", players))
        check(found == deals, f"{players} players: {found:,} deals, published {deals:,}")


def print_sizes() -> None:
    """The table of sizes of the published study, beside the exact ones."""
    rows = []
    for n, worlds, relations in (
        (2, 8, 64),
        (3, 216, 46_656),
        (4, 1_728, 2_985_984),
        (5, 8_000, 64_000_000),
    ):
        check(worlds**2 == relations, f"{n}/{n}/{n}: {worlds} worlds, {relations} relations")
        row = [f"{n}/{n}/{n}", f"{worlds:,}", f"{relations:,}", f"{factorial(n) ** 3:,}"]
        for rules, players in (
            ("study", 2),
            ("study", 3),
            ("study", 4),
            ("classic", 3),
            ("classic", 4),
        ):
            try:
                row.append(f"{worlds_at_start(setup_of(rules, players, f'{n}/{n}/{n}')):,}")
            except RuleError:
                row.append("-")
        rows.append(row)
    show(
        "Worlds by size: the published table, the published program, and the exact numbers",
        [
            "people/rooms/weapons",
            "published worlds",
            "published relations",
            "published program, (n!)^3",
            "study rules, 2 players",
            "3",
            "4",
            "classic rules, 3 players",
            "4",
        ],
        rows,
        ["relations: pairs of worlds of the fully connected model; -: too few cards to deal"],
    )
