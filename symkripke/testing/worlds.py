"""Checks of an encoding against the histories that its rules allow."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any, NoReturn

from symkripke.engines import engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.errors import Unsupported
from symkripke.language import Atom, B, Formula, K, Kw, M
from symkripke.model import KnowledgeStructure, World
from symkripke.testing.histories import BrokenContract, History, Stage, shown

Key = tuple[tuple[str, str], ...]


def key_of(world: World) -> Key:
    """Return a key of a world, which can be compared and hashed."""
    return tuple(sorted(world.items()))


# ---- exactness -----------------------------------------------------------------------------


def check_worlds(stage: Stage) -> None:
    """Check that the worlds are the histories, and that players distinguish what they should.

    Raises:
        BrokenContract: a world is missing or superfluous, or a player distinguishes too much or too
            little.
    """
    listed = {key_of(history.world) for history in stage.histories}
    worlds = _worlds(stage, 20 * len(listed) + 100_000)
    if worlds - listed:
        _too_many(stage, [dict(world) for world in sorted(worlds - listed)], len(listed))
    missing = listed - worlds
    for history in stage.histories:
        if key_of(history.world) in missing:
            raise BrokenContract(
                f"{stage.where}: the encoding excludes a world that the rules allow "
                f"({len(worlds)} worlds, by the rules {len(listed)}).\n"
                f"  The history: {history.told()}\n  The world: {shown(history.world)}"
            )
    for player in stage.players:
        _check_cells(stage, player)


def _worlds(stage: Stage, most: int) -> set[Key]:
    table = ExplicitEngine(max_worlds=most).model(stage.scene.structure).table
    worlds = (table.world(row) for row in range(table.size))
    return {key_of(stage.described.by_rules(stage.setup, world)) for world in worlds}


def _too_many(stage: Stage, extra: Sequence[World], expected: int) -> NoReturn:
    """Raise `BrokenContract` with an extra world that a player considers possible, if any."""
    structure, actual = stage.scene.structure, stage.actual.world
    world, who = extra[0], "All know that some player may consider it possible"
    for player in stage.players:
        seen = _observed(structure, player, actual)
        mine = [there for there in extra if _observed(structure, player, there) == seen]
        if mine:
            world, who = mine[0], f"{player} considers it possible"
            break
    raise BrokenContract(
        f"{stage.where}: the encoding allows a world that the rules exclude "
        f"({expected + len(extra)} worlds, by the rules {expected}).\n"
        f"  {who}: {shown(world)}\n  The actual world: {shown(actual)}\n"
        "  Is a constraint missing, or too weak?"
    )


def _observed(structure: KnowledgeStructure, player: str, world: World) -> Hashable:
    """Return the player's observations of a world, according to the encoding."""
    return tuple(
        (observable.atom, world[observable.atom.fluent] == observable.atom.value)
        for observable in structure.observables[player]
    )


def _check_cells(stage: Stage, player: str) -> None:
    by_rules: dict[Hashable, History] = {}
    by_encoding: dict[Hashable, History] = {}
    structure = stage.scene.structure
    for history in stage.histories:
        seen, observed = history.seen[player], _observed(structure, player, history.world)
        other = by_encoding.setdefault(observed, history)
        if other.seen[player] != seen:
            raise BrokenContract(
                f"{stage.where}: the encoding lacks an observation of {player} (is an observable "
                f"missing?). By the rules, {player} can distinguish these histories:\n"
                f"  {history.told()}\n    seen: {seen}\n"
                f"  {other.told()}\n    seen: {other.seen[player]}"
            )
        same = by_rules.setdefault(seen, history)
        difference = _difference(observed, _observed(structure, player, same.world))
        if difference:
            raise BrokenContract(
                f"{stage.where}: the encoding lets {player} see more than the rules do "
                f"({', '.join(map(str, difference))}). By the rules, {player} cannot distinguish "
                f"these histories:\n"
                f"  {history.told()}\n  {same.told()}"
            )


def _difference(one: Any, other: Any) -> list[Atom]:
    return [atom for (atom, here), (_, there) in zip(one, other, strict=True) if here != there]


def check_facts(stage: Stage) -> None:
    """Check that plain names have the current values given by the rules in every history.

    Raises:
        BrokenContract: a fluent that changes has another value.
    """
    structure = stage.scene.structure
    for history in stage.histories:
        facts = stage.described.facts(stage.setup, history.state)
        for name, expected in facts.items():
            value = structure.resolver.value(name, history.world)
            if value != expected:
                raise BrokenContract(
                    f"{stage.where}: by the rules {name} is {expected} now, by the encoding "
                    f"{value}.\n  The history: {history.told()}"
                )


# ---- knowledge ---------------------------------------------------------------------------------


def check_knowledge(stage: Stage, chance: Random, number: int = 6) -> None:
    """Compare answers about first-order and second-order knowledge with the list of histories.

    Raises:
        BrokenContract: an engine gives another answer.
    """
    scene = stage.scene
    engines = {name: engine(name) for name in stage.described.engines}
    for formula in questions(stage, chance, number):
        expected = stage.true(formula)
        for name, asked in engines.items():
            if bool(asked.holds(scene, formula)) != expected:
                raise BrokenContract(
                    f"{stage.where}: {formula} is {expected} by the list of "
                    f"{len(stage.histories)} histories, but the {name} engine says {not expected}"
                )


def questions(stage: Stage, chance: Random, number: int) -> Iterator[Formula]:
    """Yield random first-order and second-order questions about knowledge and any beliefs."""
    asked = stage.described.asked_about(stage.setup, stage.scene.structure)
    pairs = list(permutations(stage.players, 2))
    for _ in range(number):
        atom, (knower, other) = chance.choice(asked), chance.choice(pairs)
        yield K(knower, atom)
        yield M(knower, atom)
        yield K(knower, K(other, atom))
        yield K(knower, ~K(other, atom))
        yield M(knower, K(other, atom))
        yield K(knower, Kw(other, atom))
        if stage.scene.structure.plausibility(knower):
            yield B(knower, atom)
            yield B(knower, B(other, atom))
            yield K(knower, B(other, atom))


def check_counts(stage: Stage, chance: Random) -> None:
    """Check each player's worlds, deals and probabilities against the list of histories.

    Raises:
        BrokenContract: a count or a probability is different.
    """
    counter = engine("bdd")
    structure = stage.scene.structure
    names = tuple(structure.root.vocabulary.fluents)
    for player in stage.players:
        view = stage.scene.perspective(player)
        worlds = {key_of(history.world): history for history in stage.considered(player)}
        deals = {
            tuple(structure.resolver.value(name, history.world) for name in names)
            for history in worlds.values()
        }
        atom = chance.choice(structure.atoms)
        true = sum(stage.true(atom, history) for history in worlds.values())
        expected = (len(worlds), len(deals), Fraction(true, len(worlds)))
        try:
            counts = (
                counter.worlds(view),
                counter.worlds(view, names),
                counter.probability(view, atom),
            )
        except Unsupported:
            continue
        if counts != expected:
            raise BrokenContract(
                f"{stage.where}: {player} considers {expected[0]} worlds and {expected[1]} deals "
                f"possible, and {atom} with probability {expected[2]}, by the list of histories; "
                f"the bdd engine says {counts[0]}, {counts[1]} and {counts[2]}"
            )
