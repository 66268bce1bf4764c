"""Wrong entries in the logs of one seat of full-size games, and whether they are found.

A game is played by minds, and told as one seat saw it. One entry (or one card of the seat's own
hand) is replaced by a wrong one, and the rest goes on as it was. When the log cannot be so any
more, it is diagnosed. Checked: that the clash is minimal (by z3, which shares no code with the
solver that finds it), and that the entry with the slip is among the suspects. The slips are made
here from the values of other entries, not by what the games offer as alternatives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import click
import msgspec
import z3

from symkripke.engines.smt.propositional import propositional
from symkripke.errors import InputError
from symkripke.language import Atom, Formula
from symkripke.play import Outcome, Record, Table, game, game_names
from symkripke.play.diagnosis import clash_of, diagnose
from tests.soak.common import Found

Anything = Outcome[Any]

_OPTIONS: Mapping[str, Mapping[str, Any]] = {"sleuth": {"players": 4}}
_MINDS = {"sleuth": ("study",)}
"""The setup and the minds of a game, where they are not the usual ones."""

_TRIES = 20
"""So many tries for each slip that is to be made."""

# ---- a slip ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Made:
    """A log with a slip.

    Attributes:
        kind: which kind of slip.
        entry: where it is: the number of the event, from 1; 0: the hand.
        record: the log up to the end, or to the entry that the rules refuse.
    """

    kind: str
    entry: int
    record: Record[Any, Any]


def slipped(right: Record[Any, Any], chance: Random) -> Made | None:
    """The log with a slip in a random place; None if there is none of the chosen kind."""
    assert right.seat is not None
    place = chance.randrange(-1, len(right.outcomes))
    if place < 0:
        hand = list(right.seat.holds)
        cards = list(right.game.cards(right.setup))
        hand[chance.randrange(len(hand))] = chance.choice(cards)
        try:
            right.game.hand(right.setup, right.seat.player, hand)
        except InputError:
            return None
        seat = msgspec.structs.replace(right.seat, holds=tuple(hand))
        return Made("a card of one's own", 0, replace(right, seat=seat, result=None))
    outcome = right.outcomes[place]
    kind, wrong = wrong_entry(right, outcome, chance)
    if wrong == outcome:
        return None
    told = followed(right, [*right.outcomes[:place], wrong, *right.outcomes[place + 1 :]])
    return Made(kind, place + 1, replace(right, outcomes=told, result=None))


def wrong_entry(
    record: Record[Any, Any], outcome: Anything, chance: Random
) -> tuple[str, Anything]:
    """A wrong entry instead of this one, and what is wrong: it may be the same by chance."""
    public = outcome.public
    others = [one for one in record.outcomes if isinstance(one.public, type(public))]
    fields = [name for name in public.__struct_fields__ if name != "turn"]
    way = chance.choice(("entry", "secret", *fields, *fields))
    other = chance.choice(others)
    if way == "entry":  # all but the player, as at another time
        parts = {name: getattr(other.public, name) for name in fields if name != "player"}
        alike = not outcome.secret and not other.secret
        changed = msgspec.structs.replace(public, **parts) if alike else public
        return f"{type(public).__name__}, another", Outcome(changed, outcome.secret)
    if way == "secret":
        return f"{type(public).__name__}, seen", Outcome(
            public, _another_secret(record, outcome, other, chance)
        )
    old, new = _another(getattr(public, way), getattr(other.public, way), record, chance)
    changed = msgspec.structs.replace(public, **{way: new[0]})
    # What the seat saw goes with what is public: the card that was shown is one of those named.
    secret = {name: new[1] if value == old else value for name, value in outcome.secret.items()}
    return f"{type(public).__name__}, {way}", Outcome(changed, secret)


def _another(value: Any, other: Any, record: Record[Any, Any], chance: Random) -> Any:
    """The part of a value that is replaced; the new value, and that part of it.

    The new part comes from the same part of another entry, or from the names of the game.
    """
    if isinstance(value, bool):
        return value, (not value, not value)
    if isinstance(value, int):
        return value, (value + chance.choice((-1, 1)),) * 2
    if isinstance(value, tuple) and value and isinstance(other, tuple):
        place = chance.randrange(len(value))
        mine = other[place] if place < len(other) else value[place]
        old, (new, part) = _another(value[place], mine, record, chance)
        return old, ((*value[:place], new, *value[place + 1 :]), part)
    if isinstance(value, dict) and value and isinstance(other, dict):
        key = chance.choice(list(value))
        old, (new, part) = _another(value[key], other.get(key, value[key]), record, chance)
        return old, ({**value, key: new}, part)
    for names in (record.setup.players, list(record.game.cards(record.setup))):
        if value in names:
            other = chance.choice(names)
    return value, (other, other)


def _another_secret(
    record: Record[Any, Any], outcome: Anything, other: Anything, chance: Random
) -> dict[str, str]:
    """What the seat saw, with another card or throw."""
    secret = dict(outcome.secret)
    if not secret or not other.secret:
        return secret
    name, value = chance.choice(list(secret.items()))
    cards = list(record.game.cards(record.setup))
    if value in record.setup.players:  # a place is said of a card
        del secret[name]
        secret[chance.choice(list(other.secret))] = value
    else:
        secret[name] = chance.choice(cards if value in cards else list(other.secret.values()))
    return secret


def followed(record: Record[Any, Any], outcomes: Sequence[Anything]) -> tuple[Anything, ...]:
    """The events as a program would write them down, up to one that the rules refuse."""
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


# ---- what is found -----------------------------------------------------------------------------


def unsatisfiable(formulas: Sequence[Formula]) -> bool:
    """Whether they cannot all be true, by z3."""
    solver = z3.Solver()

    def atom(asked: Atom) -> Any:
        return z3.Bool(f"{asked.fluent}={asked.value}")

    solver.add(*(propositional(formula, atom) for formula in formulas))
    return bool(solver.check() == z3.unsat)


def examine(found: Found, made: Made, what: str) -> None:
    """Diagnose a log with a slip, and check what is said of it."""
    diagnosed = diagnose(made.record)
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
    """Make slips in logs of one seat of full-size games, and look for them."""
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
