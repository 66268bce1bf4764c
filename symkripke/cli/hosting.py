"""`symkripke play --human` and `--resume`: the seats of persons and minds, and the log."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symkripke.cli.options import named
from symkripke.errors import LogError, UnknownName

if TYPE_CHECKING:
    from symkripke.cli.options import Limits
    from symkripke.play import Game, Table


def host(
    game_name: str | None,
    setup: Mapping[str, Any],
    minds: Sequence[str] | None,
    *,
    humans: Sequence[str],
    resume: str | None,
    seed: int | None,
    log: str | None,
    force: bool,
    lines_plain: bool,
    limits: Limits,
    pace: float,
    brief: bool,
    quizzed: bool,
) -> int:
    """Begin a game with persons, or go on with one; the exit code."""
    from symkripke.cli.line_reader import LineReader
    from symkripke.cli.person_dialogue import InTheGame
    from symkripke.cli.quiz import Quiz

    lines = LineReader(InTheGame.history, plain=lines_plain)
    if resume is not None:
        given = {**setup, "GAME": game_name, "--minds": minds, "--human": humans or None}
        given |= {"--seed": seed, "--log": log}
        told = [name for name, value in given.items() if value is not None]
        if told:
            raise click.UsageError(f"--resume: the log says all of the game, expected no {told[0]}")
        from symkripke.play import Table

        with limits.whole("replaying the log"):
            hosted = Table.open(resume, seconds=limits.seconds)
    else:
        if game_name is None:
            raise click.UsageError("Missing argument 'GAME'.")
        hosted = _begun(game_name, setup, minds, humans, seed, log, force=force, limits=limits)
    quiz = Quiz(lines, limits) if quizzed else None
    dialogue = InTheGame(
        hosted,
        lines,
        plain=lines_plain or not lines.interactive,
        limits=limits,
        pace=pace,
        brief=brief,
        quiz=quiz,
    )
    dialogue.open()
    return dialogue.hold()


def _begun(
    game_name: str,
    setup: Mapping[str, Any],
    minds: Sequence[str] | None,
    humans: Sequence[str],
    seed: int | None,
    log: str | None,
    *,
    force: bool,
    limits: Limits,
) -> Table[Any, Any]:
    """A new game, dealt."""
    from symkripke.files import check_writable
    from symkripke.play import Table, game

    played = game(game_name)
    if log is not None:
        check_writable(log, replace=force)
    dealt, persons = seated_persons(played, setup, humans)
    chosen = secrets.randbelow(1_000_000) if seed is None else seed
    path = Path(log) if log is not None else _kept(game_name, chosen)
    kinds = spread_minds(played, minds or (), dealt.players, persons)
    hosted = Table(played, dealt, kinds, chosen, seconds=limits.seconds)
    hosted.keep(path, replace=force)
    click.echo(f"Written to {path}.")
    return hosted


def seated_persons(
    played: Game[Any, Any], setup: Mapping[str, Any], humans: Sequence[str]
) -> tuple[Any, tuple[str, ...]]:
    """A setup with these persons at the table, and their names as it has them.

    If the command does not name the players, a person whose name is not among the default names
    gets the first seat that no other person has.

    Raises:
        UnknownName: the players have been named, and none is called so.
        UsageError: a person is named twice.
    """
    dealt = played.setup(**setup)
    names = list(dealt.players)
    persons: list[str] = []
    for human in humans:
        try:
            name = named("player", human, names)
        except UnknownName:
            if setup.get("names") is not None:
                raise
            name = human.strip().replace(" ", "_")
            taken = {named_before for named_before in persons}
            wanted = {other.casefold() for other in humans}
            free = [
                place
                for place, other in enumerate(names)
                if other not in taken and other.casefold() not in wanted
            ]
            if not free:
                raise
            names[free[0]] = name
        if name in persons:
            raise click.UsageError(f"--human: {human} is named twice") from None
        persons.append(name)
    if names != list(dealt.players):
        dealt = played.setup(**{**setup, "names": tuple(names), "players": None})
    return dealt, tuple(persons)


def spread_minds(
    played: Game[Any, Any], minds: Sequence[str], players: Sequence[str], persons: Sequence[str]
) -> list[str]:
    """The kind of player at each seat: one kind for all minds, or one for each, in seat order.

    Raises:
        UsageError: there are more or fewer.
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
    return [HUMAN if player in persons else next(left) for player in players]


def _kept(game_name: str, seed: int) -> Path:
    """The default log of a game: a new file."""
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
    try:
        (state / "symkripke" / "games").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LogError(f"cannot write {state}: {error.strerror}; --log FILE says where") from None
    folder, number = state / "symkripke" / "games", 1
    while (path := folder / f"{game_name}-{seed}-{number}.jsonl").exists():
        number += 1
    return path
