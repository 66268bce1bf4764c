"""Which games the golden logs are of, and how they are played and written down."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from symkripke.play import Outcome, Record, Table, game
from symkripke.play.record import Result, Seat

EDITIONS: Mapping[str, str] = {
    "cluedo": (
        'title = "The office"\n'
        'suspects = ["Ann", { id = "bob", title = "Bob from IT" }, "Émile"]\n'
        'weapons = ["Stapler", "Hole Punch"]\nrooms = ["Lobby", "Canteen", "3rd floor"]\n'
    ),
    "kwartet": (
        '"Rivers" = ["Rhine", "Meuse", "Scheldt", "Ems"]\n'
        '"Hills" = ["Drie", "Vaals", "Cauberg", "Posbank"]\n'
        '"Seas" = ["North", "Baltic", "White", "Black"]\n'
    ),
    "sleuth": (
        'colours = ["Émeraude", "Deep blue"]\ntypes = ["Cowrie", "Whelk"]\n'
        'quantities = ["One", "Two"]\nfree = 3\n'
    ),
}
"""An edition of one's own for each game that takes one; `edition=OWN` means it."""

OWN = "own.toml"


@dataclass(frozen=True)
class Played:
    """A game to be played; with `seat`, only what that player saw of it is written down."""

    game: str
    minds: tuple[str, ...]
    seed: int
    options: Mapping[str, Any] = field(default_factory=dict)
    seat: str = ""


def _played(game_name: str, minds: str, seed: int, seat: str = "", **options: Any) -> Played:
    return Played(game_name, tuple(minds.split(",")), seed, options, seat)


LOGS: Mapping[str, Played] = {
    # ---- cluedo
    "cluedo-classic-6": _played("cluedo", "higher-order", 7, players=6),
    "cluedo-classic-3-us": _played(
        "cluedo", "higher-order,first-order,informative", 5, players=3, edition="us"
    ),
    "cluedo-classic-4-2016": _played(
        "cluedo",
        "racer,first-order-guesser,higher-order-guesser,higher-order",
        3,
        players=4,
        edition="2016",
        size="4/4/4",
    ),
    "cluedo-classic-3-small": _played(
        "cluedo", "random,first-order,random", 2, players=3, size="3/3/3"
    ),
    "cluedo-classic-5-tuned": _played(
        "cluedo",
        "first-order-guesser:0.4,higher-order-guesser:0.5,racer,first-order,random",
        8,
        players=5,
        size="4/4/5",
    ),
    "cluedo-classic-own-edition": _played("cluedo", "higher-order", 4, players=3, edition=OWN),
    "cluedo-classic-silence": _played(
        "cluedo", "higher-order", 6, players=3, size="3/3/3", silence_speaks="yes"
    ),
    "cluedo-classic-silence-of-two": _played(
        "cluedo",
        "higher-order,higher-order,first-order",
        9,
        names=("ann", "bob", "cath"),
        size="3/3/4",
        silence_speaks="ann,bob",
    ),
    "cluedo-study": _played("cluedo", "higher-order,first-order", 1, rules="study", players=4),
    "cluedo-study-2": _played("cluedo", "higher-order", 2, rules="study", players=2, size="3/3/3"),
    "cluedo-study-12": _played("cluedo", "first-order", 3, rules="study", players=12, size="6/6/9"),
    "cluedo-study-silence": _played(
        "cluedo", "informative", 5, rules="study", players=3, size="4/4/4", silence_speaks="yes"
    ),
    "cluedo-seat-classic": _played(
        "cluedo", "higher-order", 11, seat="mustard", players=3, size="4/4/4"
    ),
    "cluedo-seat-wrong-accuser": _played(
        "cluedo", "first-order-guesser:0.2", 1, seat="scarlett", players=3, size="3/3/3"
    ),
    "cluedo-seat-study": _played(
        "cluedo", "higher-order", 12, seat="cath", rules="study", players=3, size="3/3/3"
    ),
    # ---- kwartet
    "kwartet-classic-4": _played("kwartet", "second-order", 2, players=4),
    "kwartet-classic-3-ranks": _played(
        "kwartet", "first-order,patient,random", 3, players=3, edition="ranks", groups=5
    ),
    "kwartet-classic-5-study-deck": _played(
        "kwartet", "first-order", 4, players=5, edition="study", groups=4
    ),
    "kwartet-classic-6": _played("kwartet", "first-order", 5, players=6, groups=6),
    "kwartet-classic-bluff": _played(
        "kwartet", "random,first-order,random", 6, players=3, groups=4, allow_bluff="yes"
    ),
    "kwartet-classic-own-edition": _played("kwartet", "second-order", 7, players=3, edition=OWN),
    "kwartet-study": _played(
        "kwartet", "first-order,second-order,forgetful", 3, rules="study", players=3
    ),
    "kwartet-study-forgets": _played(
        "kwartet", "forgetful", 8, rules="study", players=3, groups=3, forgets="0.5"
    ),
    "kwartet-study-6": _played("kwartet", "first-order", 9, rules="study", players=6),
    "kwartet-study-no-bluff": _played(
        "kwartet", "patient,first-order", 10, rules="study", groups=4, allow_bluff="no", players=4
    ),
    "kwartet-seat": _played("kwartet", "first-order", 4, seat="bob", rules="study", players=3),
    "kwartet-seat-bluff": _played(
        "kwartet", "random", 5, seat="ann", players=3, groups=3, allow_bluff="yes"
    ),
    # ---- sleuth
    "sleuth-classic-3": _played("sleuth", "gain,lead,study", 1, players=3),
    "sleuth-classic-7": _played("sleuth", "lead", 2, players=7),
    "sleuth-classic-5": _played("sleuth", "random,lead,gain", 3, players=5, size="3/3/3"),
    "sleuth-classic-small": _played("sleuth", "random", 4, players=3, size="3/2/2"),
    "sleuth-classic-own-edition": _played("sleuth", "gain", 5, players=3, edition=OWN),
    "sleuth-classic-tuned": _played("sleuth", "gain:deal,study:deal", 6, players=4, size="3/3/2"),
    "sleuth-study": _played("sleuth", "study", 3, rules="study", players=4, size="3/3/3"),
    "sleuth-study-2": _played("sleuth", "study,gain", 4, rules="study", players=2, size="3/2/2"),
    "sleuth-study-7": _played("sleuth", "study", 5, rules="study", players=7, size="3/3/3"),
    "sleuth-seat": _played("sleuth", "lead", 7, seat="bob", players=3, size="3/3/2"),
    "sleuth-seat-study": _played(
        "sleuth", "study", 8, seat="ann", rules="study", players=3, size="3/2/2"
    ),
    # ---- old maid
    "old-maid-classic-3": _played("old_maid", "epistemic", 4, players=3),
    "old-maid-classic-2": _played("old_maid", "logic", 5, players=2, ranks=9),
    "old-maid-classic-12": _played("old_maid", "random", 6, players=12, ranks=5),
    "old-maid-classic-choose": _played(
        "old_maid", "epistemic,logic,random", 7, players=3, ranks=5, choose="yes"
    ),
    "old-maid-study": _played("old_maid", "epistemic,logic,random", 9, rules="study", players=3),
    "old-maid-study-no-choice": _played(
        "old_maid", "epistemic,logic", 10, rules="study", players=4, ranks=6, choose="no"
    ),
    "old-maid-study-2": _played("old_maid", "epistemic", 11, rules="study", players=2, ranks=9),
    "old-maid-study-12": _played("old_maid", "random", 12, rules="study", players=12, ranks=5),
    "old-maid-seat": _played(
        "old_maid", "random", 13, seat="bob", rules="study", players=3, ranks=8
    ),
    "old-maid-seat-classic": _played("old_maid", "epistemic", 14, seat="ann", players=3, ranks=5),
    # ---- perudo
    "perudo-classic-6": _played("perudo", "believer", 7, players=6),
    "perudo-classic-2": _played("perudo", "odds,believer", 1, players=2, dice=3),
    "perudo-classic-calza": _played(
        "perudo", "trust-keeper,odds,random", 2, players=3, dice=2, calza="yes"
    ),
    "perudo-classic-plain": _played(
        "perudo", "odds,believer,bluffer", 3, players=3, dice=2, aces="no", palifico="no", faces=4
    ),
    "perudo-classic-bluffer": _played(
        "perudo", "bluffer:0.3,trust-keeper", 4, players=4, dice=2, first="cath"
    ),
    "perudo-study": _played("perudo", "study,odds,believer", 3, rules="study", players=3, dice=3),
    "perudo-study-as-coded": _played(
        "perudo", "study-as-coded,study,random", 5, rules="study", players=3, dice=2, first="bob"
    ),
    "perudo-study-6": _played("perudo", "study", 6, rules="study", players=6, dice=2),
    "perudo-study-2": _played(
        "perudo", "study-as-coded", 7, rules="study", players=2, dice=2, faces=3
    ),
    "perudo-study-house-rules": _played(
        "perudo",
        "odds,random,believer",
        8,
        rules="study",
        players=3,
        dice=2,
        aces="yes",
        palifico="yes",
        calza="no",
    ),
    "perudo-seat": _played("perudo", "believer", 9, seat="bob", players=3, dice=2),
    "perudo-seat-study": _played(
        "perudo", "odds", 10, seat="ann", rules="study", players=3, dice=2
    ),
}
"""Each golden log by its name. A list of minds is repeated until every seat has one."""


def play(played: Played) -> Record[Any, Any]:
    """Play that game, and write it down.

    Raises:
        ValueError: it was given up: such logs are left out.
    """
    chosen = game(played.game)
    options = dict(played.options)
    with tempfile.TemporaryDirectory() as folder:
        if options.get("edition") == OWN:
            file = Path(folder) / OWN
            file.write_text(EDITIONS[played.game], encoding="utf-8")
            options["edition"] = str(file)
        setup = chosen.setup(**options)
    seats = len(setup.players)
    minds = (played.minds * seats)[:seats]
    table = Table(chosen, setup, minds, played.seed)
    for _ in table:
        pass
    if table.state.decision is not None:
        raise ValueError(f"{table.result}: choose another seed")
    return seat_record(table, played.seat) if played.seat else Record.of(table)


def seat_record(table: Table[Any, Any], player: str) -> Record[Any, Any]:
    """What that player could have written down: what it was dealt, and the secrets that it saw."""
    outcomes = []
    for step in table.steps:
        public, secret = step.outcome.public, step.outcome.secret
        saw = player in (getattr(public, role, None) for role in ("player", "shower", "giver"))
        own = {name: value for name, value in secret.items() if name == f"dice({player})"}
        outcomes.append(Outcome(public, dict(secret) if saw else own))
    return Record(
        table.game,
        table.setup,
        tuple(outcomes),
        seat=Seat(player, dealt(table, player)),
        result=Result.of(table),
    )


def dealt(table: Table[Any, Any], player: str) -> tuple[str, ...]:
    """The cards or dice of that player at the start, as `Game.hand` reads them."""
    deal = table.deal
    if table.game.name == "old_maid":
        return tuple(
            rank
            for rank in table.setup.deck
            for _ in range(
                2 * int(deal[f"pairs({player}, {rank})"])
                + (deal[f"holds({player}, {rank})"] == "true")
            )
        )
    if table.game.name == "perudo":
        return tuple(value for name, value in deal.items() if name.startswith(f"die({player}, "))
    return tuple(name[len("location(") : -1] for name, place in deal.items() if place == player)
