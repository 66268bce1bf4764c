"""Wrong entries in the logs of one seat in full-size games, and their diagnosis.

Minds play a game, which is recorded as one seat saw it. One entry (or one card in the seat's own
hand) is replaced by a wrong one, and the rest stays the same. When the log becomes contradictory,
it is diagnosed. The conflict must be minimal (by z3, which shares no code with the solver that
finds it), and the entry with the slip must be among the suspects. Slips are made from the values of
other entries, not from the alternatives that games offer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import click
import z3

from symkripke.engines import Budget
from symkripke.engines.smt.propositional import propositional
from symkripke.errors import BudgetExceeded, InputError
from symkripke.language import Atom, Formula
from symkripke.play import Outcome, Record, Table, game, game_names
from symkripke.play.diagnosis import clash_of, diagnose
from tests.soak.common import Found

Anything = Outcome[Any]

_OPTIONS: Mapping[str, Mapping[str, Any]] = {"sleuth": {"players": 4}}
_MINDS = {"sleuth": ("study",)}
"""The setup and the minds of games that do not use the default."""

_TRIES = 20
"""The number of attempts to make each slip."""

# Some diagnoses of full-size Old Maid take minutes, because others may discard so many pairs.
_BUDGET = Budget(seconds=10)

# ---- a slip ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Made:
    """A log with a slip.

    Attributes:
        kind: the kind of slip.
        entry: the number of the event with the slip, from 1, or 0 for the hand.
        record: the log up to its end, or to an entry that the rules reject.
    """

    kind: str
    entry: int
    record: Record[Any, Any]


def slipped(right: Record[Any, Any], chance: Random) -> Made | None:
    """Return the log with a slip in a random place, or None if none is possible there."""
    lines = list(right.lines())[: 2 + len(right.outcomes)]
    number = chance.randrange(1, len(lines))
    data = json.loads(lines[number])
    # All values except the player may come from another event, or one value may replace another.
    alike = [one for one in map(json.loads, lines) if _type_of(one) == _type_of(data)]
    other = chance.choice(alike)
    kind = f"{_type_of(data)}, "
    if number > 1 and not data.get("secret") and not other.get("secret") and chance.random() < 0.2:
        kept = {name: data["event"].get(name) for name in ("turn", "player")}
        data["event"] = {**other["event"], **{n: v for n, v in kept.items() if v is not None}}
        kind += "another"
    else:
        kind += _one_value(right, data, other, chance)
    lines[number] = json.dumps(data)
    try:
        record = Record.parse("\n".join(lines))
        if record.seat is not None:
            record.game.hand(record.setup, record.seat.player, record.seat.holds)
    except InputError:
        return None
    if (record.seat, record.outcomes) == (right.seat, right.outcomes):
        return None
    told = followed(record, record.outcomes)
    return Made(kind, number - 1, replace(record, outcomes=told))


def _type_of(line: Mapping[str, Any]) -> str:
    return str(line.get("event", {}).get("type", next(iter(line))))


def _one_value(record: Record[Any, Any], data: Any, other: Any, chance: Random) -> str:
    """Put a wrong value into a line, and return its kind. It may be the same by chance."""
    fixed = ("type", "turn") if "event" in data else ("player",)
    *path, last = chance.choice([place for place in _leaves(data) if place[-1] not in fixed])
    whole = _at(data, path)
    old = whole[last]
    if path == ["secret"] and chance.random() < 0.5:  # a card may have another place
        name = chance.choice([*(other.get("secret") or whole)])
        whole[name] = whole.pop(last)
        return "seen"
    names = [*record.game.cards(record.setup)], [*record.setup.players]
    if isinstance(old, bool):
        new: Any = not old
    elif isinstance(old, int):
        new = old + chance.choice((-1, 1))
    else:
        several = next((those for those in names if old in those), [_at(other, [*path, last])])
        new = chance.choice(several)
    whole[last] = new
    # The observation must match the public event: the shown card is one of those named.
    if path[0] == "event" and "secret" in data:
        data["secret"] = {n: new if v == old else v for n, v in data["secret"].items()}
    return str([*path, last][1])


def _leaves(value: Any) -> Iterator[list[Any]]:
    """Yield the paths of all scalar values."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from ([key, *rest] for rest in _leaves(value[key]))
    else:
        yield []


def _at(value: Any, path: Sequence[Any]) -> Any:
    """Return the part at that path, or None."""
    for key in path:
        try:
            value = value[key]
        except (LookupError, TypeError):
            return None
    return value


def followed(record: Record[Any, Any], outcomes: Sequence[Anything]) -> tuple[Anything, ...]:
    """Return the events as a program would record them, up to one that the rules reject."""
    position = record.game.start(record.setup, None)
    told = []
    for outcome in outcomes:
        try:
            entry = record.game.rebased(position, outcome)
            position = position.follow(entry)
        except InputError:
            told.append(outcome)
            break
        told.append(entry)
    return tuple(told)


# ---- diagnoses -----------------------------------------------------------------------------------


def unsatisfiable(formulas: Sequence[Formula]) -> bool:
    """Return whether the formulas cannot all be true, by z3."""
    solver = z3.Solver()

    def atom(asked: Atom) -> Any:
        return z3.Bool(f"{asked.fluent}={asked.value}")

    solver.add(*(propositional(formula, atom) for formula in formulas))
    return bool(solver.check() == z3.unsat)


def examine(found: Found, made: Made, what: str) -> None:
    """Diagnose a log with a slip, and check the diagnosis."""
    try:
        diagnosed = diagnose(made.record, budget=_BUDGET)
    except BudgetExceeded:
        found.done[f"{what}: no diagnosis in time"] += 1
        return
    if diagnosed is None:
        found.done[f"{what}: never noticed"] += 1
        return
    found.done[f"{what}: noticed"] += 1
    where = f"{what}, entry {made.entry}"
    suspects = [suspect.entry for suspect in diagnosed.suspects]
    found.check(made.entry in suspects, f"{where}: not among the suspects {suspects}")
    clash_found = clash_of(made.record, diagnosed.entry - 1)
    clash = [] if clash_found is None else clash_found[0].clash
    found.check(len(clash) == len(diagnosed.clash), f"{where}: another clash the second time")
    if clash_found is not None:
        given, said = clash_found[0].given, [statement.formula for statement in clash]
        found.check(unsatisfiable([*given, *said]), f"{where}: the clash is none")
        for left_out in said:
            rest = [formula for formula in said if formula is not left_out]
            minimal = not unsatisfiable([*given, *rest])
            found.check(minimal, f"{where}: the clash is not minimal")


@click.command()
@click.option("--games", type=click.IntRange(1), default=2, help="How many games of each.")
@click.option("--seed", type=int, default=0, help="Where chance comes from.")
@click.option("--slips", "number", type=click.IntRange(1), default=20, help="Slips in each game.")
@click.option("--only", "names", multiple=True, type=click.Choice(game_names()), help="That game.")
def slips(games: int, seed: int, number: int, names: tuple[str, ...]) -> Found:
    """Make slips in logs of one seat in full-size games, and check their diagnosis."""
    found = Found()
    for name in names or game_names():
        played = game(name)
        for at in range(seed, seed + games):
            chance = Random(f"{name}/{at}/slips")
            setup = played.setup(**_OPTIONS.get(name, {}))
            table: Table[Any, Any] = Table(played, setup, _MINDS.get(name, ()), at)
            list(table)
            made = tried = 0
            while made < number and tried < _TRIES * number:
                tried += 1
                seen = table.record.seen_by(chance.choice(setup.players))
                if (slip := slipped(seen, chance)) is not None:
                    made += 1
                    examine(found, slip, f"{name}, {slip.kind}")
    return found
