"""The measures of a game: general measures, its own measures, and installed measures.

A measure observes the games of a run. For each seat it returns some numbers, its quantities. A
report prints its figures: means of these numbers, or ratios of the sums of two quantities.

A game can define its own measures (`Game.measures`). An installed package can add measures in the
entry point group `symkripke.measures`, as GAME.NAME for one game, or as NAME for all games:

    [project.entry-points."symkripke.measures"]
    "cluedo.rooms" = "my_package:ROOMS"
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2
from typing import Any

from symkripke.engines import Engine, engine
from symkripke.errors import InputError, SymkripkeError, UnknownName, Unsupported
from symkripke.installed import EntryPoint, entry_points
from symkripke.play.game import Game
from symkripke.play.measure import Figure, Measure, Value, Watch
from symkripke.play.odds import deals
from symkripke.play.session.entry import TableEvent
from symkripke.play.session.table import Table

GROUP = "symkripke.measures"


def measures(game: Game[Any, Any]) -> dict[str, Measure]:
    """Return all measures for a game, by name: general, its own, and installed measures.

    Raises:
        SymkripkeError: an installed measure cannot be loaded, or has the name of another measure.
    """
    by_name = {measure.name: measure for measure in (*_GENERAL, *game.measures)}
    for entry in entry_points(GROUP):
        game_name, dot, name = entry.name.rpartition(".")
        if dot and game_name != game.name:
            continue
        measure = _loaded(entry)
        if name in by_name:
            raise SymkripkeError(f"{entry.described(GROUP)} has the name of another measure")
        by_name[name] = measure
    return by_name


def check_measures(game: Game[Any, Any], names: Sequence[str]) -> tuple[Measure, ...]:
    """Return the measures with these names.

    Raises:
        UnknownName: there is no such measure.
        InputError: a measure is named twice, or two measures have a quantity of the same name.
    """
    if not names:
        return ()
    known = measures(game)
    owner: dict[str, str] = {}
    for name in names:
        if name not in known:
            raise UnknownName(f"measure of {game.title}", name, known)
        for quantity in known[name].quantities:
            if quantity in owner:
                other = owner[quantity]
                raise InputError(
                    f"the measure {name!r} is named twice"
                    if other == name
                    else f"the measures {other!r} and {name!r} both count {quantity!r}"
                )
            owner[quantity] = name
    return tuple(known[name] for name in names)


def measured(
    chosen: Sequence[Measure], watches: Sequence[Watch], seats: int
) -> dict[str, tuple[float | None, ...]]:
    """Return the results of the observers of one game: each quantity by seat.

    Raises:
        SymkripkeError: a measure returned other quantities than it declared, or a wrong number of
            values.
    """
    values: dict[str, tuple[float | None, ...]] = {}
    for measure, watch in zip(chosen, watches, strict=True):
        given = {
            name: tuple(None if value is None else float(value) for value in by_seat)
            for name, by_seat in watch.values().items()
        }
        if set(given) != set(measure.quantities) or any(len(g) != seats for g in given.values()):
            raise SymkripkeError(
                f"the measure {measure.name!r} declared {', '.join(measure.quantities)} for "
                f"{seats} seats, but returned {given!r}"
            )
        values.update(given)
    return values


def _loaded(entry: EntryPoint) -> Measure:
    made = entry.loaded(GROUP)
    if not isinstance(made, Measure):
        raise SymkripkeError(f"{entry.described(GROUP)}: expected a Measure, got {made!r}")
    return made


# ---- measures for all games ----------------------------------------------------------------


class _Knowing:
    """An observer of the first turn in which each player could know the answer.

    It also records the first turn in which another player knew this.
    """

    def __init__(self, table: Table[Any, Any]) -> None:
        self._table = table
        self._knew: dict[str, int | None] = dict.fromkeys(table.setup.players)
        self._seen: dict[str, int | None] = dict.fromkeys(table.setup.players)
        self._look(0)

    def after(self, step: TableEvent[Any]) -> None:
        """Check the players whose turns are not known yet."""
        self._look(step.turn)

    def _look(self, turn: int) -> None:
        table = self._table
        scene, players = table.scene, table.setup.players
        for player in players:
            if self._seen[player] is not None:
                continue
            knows = table.game.knows_answer(table.setup, scene.structure, player)
            if knows is None:
                raise Unsupported(
                    f"{table.game.title} has no hidden answer that its players look for"
                )
            if self._knew[player] is None:
                if not table.engine.holds(scene, knows):
                    continue
                self._knew[player] = turn
            doubting = table.engine.possible_to(scene, ~knows, players)
            if any(other not in doubting for other in players if other != player):
                self._seen[player] = turn

    def values(self) -> Mapping[str, Sequence[Value]]:
        """Return the turns by seat; None if there was no such turn."""
        return {"knew": tuple(self._knew.values()), "seen": tuple(self._seen.values())}


class _GivenAway:
    """An observer of the bits by which moves reduce the deals that others consider possible.

    A deal consists of the current locations of the cards. An event is attributed to the player who
    completed it, with everything that it shows: a question with its answer, or a doubt with the
    dice that everybody then shows. The opening (turn 0) is attributed to nobody, because no player
    has chosen it. A move that hides something, such as a secretly drawn card, leaves others with
    more deals than before. Its bits are then negative.
    """

    def __init__(self, table: Table[Any, Any]) -> None:
        self._table = table
        self._counter: Engine = engine("bdd")
        self._gave = dict.fromkeys(table.setup.players, 0.0)
        self._moves = dict.fromkeys(table.setup.players, 0)
        self._left = self._bits()

    def _bits(self) -> dict[str, float]:
        """Return the binary logarithm of the number of deals possible for each player."""
        scene = self._table.scene
        return {
            player: log2(deals(self._counter, scene.perspective(player)))
            for player in self._table.setup.players
        }

    def after(self, step: TableEvent[Any]) -> None:
        """Count the information of the last event for everybody except the player who moved."""
        before, self._left = self._left, self._bits()
        if step.turn and step.player in self._gave:
            self._moves[step.player] += 1
            self._gave[step.player] += sum(
                before[player] - left
                for player, left in self._left.items()
                if player != step.player
            )

    def values(self) -> Mapping[str, Sequence[Value]]:
        """Return the bits by seat, rounded, because the last digits of logarithms are noise."""
        return {
            "gave": tuple(round(bits, 9) for bits in self._gave.values()),
            "gave_in": tuple(self._moves.values()),
        }


_GENERAL = (
    Measure(
        "knowing",
        "when each could first know the answer, and when another player first knew that",
        ("knew", "seen"),
        {
            "knew": Figure("turn in which the answer could first be known", "knew", unit="turns"),
            "seen": Figure(
                "turn in which another player first knew that it was known", "seen", unit="turns"
            ),
        },
        _Knowing,
    ),
    Measure(
        "given-away",
        "the information that the moves of each player give the others: the deals "
        "that these rule out, in bits",
        ("gave", "gave_in"),
        {
            "gave": Figure("information given to all others in a game", "gave", unit="bits"),
            "gave-each": Figure(
                "information given to all others by a move", "gave", "gave_in", "bits"
            ),
        },
        _GivenAway,
    ),
)
