"""The table of `symkripke play`, from a new game or from a log: its seats, and its log."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symkripke.cli.options import named
from symkripke.errors import LogError, UnknownName

if TYPE_CHECKING:
    from symkripke.cli.options import Limits
    from symkripke.play import Game, Table


def resumed(log: str, given: Mapping[str, Any], limits: Limits) -> Table[Any, Any]:
    """Return the table of a log, to continue; `given` holds the other options of the command."""
    from symkripke.play import Table

    extra = [name for name, value in given.items() if value is not None]
    if extra:
        raise click.UsageError(f"--resume: the log defines the game; leave out {extra[0]}")
    with limits.whole("replaying the log"):
        table = Table.open(log, seconds=limits.seconds)
    if table.log is not None and table.log.note:
        click.echo(f"Note: {table.log.note}.", err=True)
    return table


def begun(
    game_name: str,
    setup: Mapping[str, Any],
    minds: Sequence[str],
    humans: Sequence[str],
    seed: int,
    log: str | None,
    *,
    force: bool,
    limits: Limits,
) -> Table[Any, Any]:
    """Return the table of a new game. A game with people always has a log."""
    from symkripke.files import check_writable
    from symkripke.play import Table, game
    from symkripke.play.session.table import spread

    played = game(game_name)
    if log is not None:
        check_writable(log, replace=force)
    if humans:
        dealt, persons = seated_persons(played, setup, humans)
        kinds = seated_minds(played, minds, dealt.players, persons)
    else:
        dealt = played.setup(**setup)
        kinds = spread(played, minds, len(dealt.players))
    table = Table(played, dealt, kinds, seed, seconds=limits.seconds)
    path = _kept(game_name, seed) if humans and log is None else log
    if path is not None:
        table.keep(path, replace=force)
    if humans:
        click.echo(f"Written to {path}.")
    return table


def seated_persons(
    played: Game[Any, Any], setup: Mapping[str, Any], humans: Sequence[str]
) -> tuple[Any, tuple[str, ...]]:
    """Return a setup with these people at the table, and their names in the setup.

    If the command does not name the players, a person whose name is not among the default names
    gets the first seat that no other person has.

    Raises:
        UnknownName: the command names the players, and none of them has this name.
        UsageError: a person is named twice.
    """
    from symkripke.play.seats import written

    dealt = played.setup(**setup)
    names = list(dealt.players)
    persons: list[str] = []
    wanted = {human.casefold() for human in humans}
    for human in humans:
        try:
            name = named("player", human, names)
        except UnknownName:
            free = [p for p in names if p not in persons and p.casefold() not in wanted]
            if setup.get("names") is not None or not free:
                raise
            name = written(human)
            names[names.index(free[0])] = name
        if name in persons:
            raise click.UsageError(f"--human: {human} is named twice") from None
        persons.append(name)
    if names != list(dealt.players):
        dealt = played.setup(**{**setup, "names": tuple(names), "players": None})
    return dealt, tuple(persons)


def seated_minds(
    played: Game[Any, Any], minds: Sequence[str], players: Sequence[str], persons: Sequence[str]
) -> tuple[str, ...]:
    """Return the kind of player at each seat: one kind for all, or one for each in seat order.

    Raises:
        UsageError: the number of kinds is wrong.
    """
    from symkripke.play.strategies import HUMAN

    seats = [player for player in players if player not in persons]
    kinds = list(minds) or [next(iter(played.strategies))]
    if len(kinds) == 1:
        kinds *= len(seats)
    if len(kinds) == len(players) != len(seats):
        kinds = [kind for kind, player in zip(kinds, players, strict=True) if player in seats]
    if len(kinds) != len(seats):
        raise click.UsageError(
            f"--minds: expected 1 or {len(seats)} kinds for {len(seats)} minds, got {len(kinds)}"
        )
    left = iter(kinds)
    return tuple(HUMAN if player in persons else next(left) for player in players)


def _kept(game_name: str, seed: int) -> Path:
    """Return the path of a new file, for a game whose log the command does not name."""
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
    folder, number = state / "symkripke" / "games", 1
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LogError(
            f"cannot write {state}: {error.strerror}; choose another file with --log FILE"
        ) from None
    while (path := folder / f"{game_name}-{seed}-{number}.jsonl").exists():
        number += 1
    return path


def in_order(located: Mapping[str, str], table: Table[Any, Any]) -> dict[str, str]:
    """Return the cards that a player has located, in the order of the deal."""
    return {name: located[name] for name in table.deal if name in located}
