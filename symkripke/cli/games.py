"""`symkripke games`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import getdoc
from typing import TYPE_CHECKING, Any, get_args

import click

from symkripke.cli.commands import argument, command, option
from symkripke.cli.options import JSON, named, put_json
from symkripke.errors import RuleError

if TYPE_CHECKING:
    from symkripke.play import Game

_MOST = 6
"""The greatest number of players for which deals are counted."""

_SHOWN = 4
"""The maximum number of values to list before dots."""


@command()
def games(
    name: str | None = argument("[GAME]", required=False),
    deals: str | None = option(
        "--deals",
        "SIZES",
        "For a GAME, count the possible deals instead, by number of players. SIZES are values of "
        "its option size, as in 3/3/3,4/4/4.",
    ),
    as_json: bool = JSON,
) -> None:
    r"""List the games; for a GAME, show its players, options, formulas and events.

    \b
    symkripke games cluedo
    symkripke games cluedo --deals 3/3/3,4/4/4
    """
    from symkripke.play import game, game_names

    names = game_names()
    if deals is not None and name is None:
        raise click.UsageError("--deals needs a GAME")
    chosen = names if name is None else [named("game", name, names)]
    games = [game(wanted) for wanted in chosen]
    if deals is not None:
        _put_deals(games[0], deals.split(","), as_json=as_json)
        return
    if as_json:
        data = [_data(listed) for listed in games]
        put_json(data if name is None else data[0])
        return
    from symkripke.cli.console import console, put_grid

    out = console()
    seats = {listed: _seats(listed) for listed in games}
    if name is not None:
        out.print(f"{games[0].title}. {games[0].summary}")
        out.print(f"Rules and players: {seats[games[0]]}.")
        _page(games[0])
        return
    put_grid(
        ("game", "rules: players", "description"),
        ((listed.name, seats[listed], listed.summary) for listed in games),
    )
    for listed in games:
        _minds_and_options(listed)
    out.print("\nFormulas and events of a game: symkripke games GAME", style="dim")


def _put_deals(played: Game[Any, Any], sizes: Sequence[str], *, as_json: bool) -> None:
    """Print the number of deals for each rule set, size and number of players."""
    from symkripke.cli.console import put_grid

    counts = {
        (rules, size): _deals(played, rules, size) for rules in played.rules for size in sizes
    }
    for size in sizes:
        if not any(counts[rules, size] for rules in played.rules):
            played.setup(size=size)  # raises the error
    if as_json:
        put_json(
            [
                {"rules": rules, "size": size, "deals": {str(n): m for n, m in by_number.items()}}
                for (rules, size), by_number in counts.items()
            ]
        )
        return
    numbers = sorted({number for by_number in counts.values() for number in by_number})
    put_grid(
        ("rules", "size", *(f"{number} players" for number in numbers)),
        (
            (*kind, *(f"{by_number[n]:,}" if n in by_number else "" for n in numbers))
            for kind, by_number in counts.items()
        ),
    )


def _deals(played: Game[Any, Any], rules: str, size: str) -> dict[int, int]:
    """Return the exact number of deals, for each number of players that can play."""
    from symkripke.engines import engine
    from symkripke.play.odds import deals

    counts, counter = {}, engine("bdd")
    least, most = played.seats[rules]
    for number in range(least, min(most, _MOST) + 1):
        try:
            setup = played.setup(rules=rules, players=number, size=size)
        except RuleError:  # too few cards, or none of these sizes is playable
            continue
        counts[number] = deals(counter, played.structure(setup))
    return counts


def _data(played: Game[Any, Any]) -> dict[str, Any]:
    from symkripke.play.strategies import character, names

    minds = names(played)
    return {
        "name": played.name,
        "title": played.title,
        "summary": played.summary,
        "rules": {rules: list(seats) for rules, seats in played.seats.items()},
        "minds": list(minds),
        "levels": dict(played.levels),
        "characters": {mind: character(played, mind) for mind in minds},
        "options": {name: option.help for name, option in played.options.items()},
        "examples": dict(played.examples),
        "events": {tag: list(fields) for tag, (fields, _) in _events(played).items()},
    }


def _seats(played: Game[Any, Any]) -> str:
    return ", ".join(
        f"{rules}: {low}" if low == high else f"{rules}: {low}-{high}"
        for rules, (low, high) in played.seats.items()
    )


def _minds_and_options(played: Game[Any, Any]) -> None:
    from symkripke.play.strategies import character, level_of, names

    minds = {}
    for name in names(played):
        level = level_of(played, name)
        minds[f"{name} ({level})" if level else name] = character(played, name)
    _table(f"Players of {played.title} (--minds A,B,...)", minds)
    options = {name: option.help for name, option in played.options.items()}
    _table(f"Options of {played.title} (--set NAME=VALUE)", options)


def _page(played: Game[Any, Any]) -> None:
    _minds_and_options(played)
    vocabulary = played.structure(played.setup()).vocabulary
    names = {}
    bare = [known for known in vocabulary.definitions.values() if not known.parameters]
    if bare:  # many names with the same description
        names[_some([known.name for known in bare])] = bare[0].says
    for definition in vocabulary.definitions.values():
        if definition.parameters:
            names[vocabulary.signature_of(definition.name)] = definition.says
    families = {name.functor: name for name in reversed(vocabulary.plain)}
    for name in reversed(tuple(families.values())):
        fluent = vocabulary.fluents[name]
        values = "" if fluent.is_boolean else f" = {_some(fluent.values)}"
        says = str(fluent.source) or vocabulary.words(fluent.atoms[0], truth=True)
        names[f"{name}{values}"] = says
    for derived in vocabulary.derived.values():
        who, says = played.setup().players[0], "a value that can be asked for"
        names[f"{derived.name} = {_some(derived.values)}"] = f"{says}: Kv[{who}] {derived.name}"
    _table("Names in formulas", names)
    arguments = {
        kind: _some(values)
        for definition in vocabulary.definitions.values()
        for kind, values in definition.parameters
    }
    _table("Where", arguments)
    players = ", ".join(played.setup().players)
    _table(f"For example (symkripke ask LOG FORMULA), for the players {players}", played.examples)
    _table(
        "Events of a log, one per line",
        {
            f"{tag}: {', '.join(fields)}": summary
            for tag, (fields, summary) in _events(played).items()
        },
    )


def _some(values: Sequence[str]) -> str:
    return ", ".join(values[:_SHOWN]) + (", ..." if len(values) > _SHOWN else "")


def _events(played: Game[Any, Any]) -> Mapping[str, tuple[tuple[str, ...], str]]:
    """Return, for each kind of event, its fields and its description."""
    kinds = get_args(played.public_type) or (played.public_type,)
    return {
        str(kind.__struct_config__.tag): (
            kind.__struct_fields__,
            (getdoc(kind) or "").partition("\n")[0].rstrip("."),
        )
        for kind in kinds
    }


def _table(title: str, rows: Mapping[str, str]) -> None:
    if not rows:
        return
    from symkripke.cli.console import console, put_grid

    console().print(f"\n{title}:", style="bold")
    put_grid(None, rows.items(), indent=2)
