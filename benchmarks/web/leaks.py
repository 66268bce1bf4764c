"""A seat's page does not depend on what the seat cannot see.

At moments of many games, the deal is replaced by another one that the seat considers possible, with
the same record; then everything that is sent to the seat must be the same, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from starlette.testclient import TestClient

from symkripke.errors import InputError
from symkripke.model import World
from symkripke.play import HostedGame, Record, game
from symkripke.play.odds import sample
from symkripke.play.strategies import HUMAN
from symkripke.web.server import application
from symkripke.web.settings import Settings

GAMES: Mapping[str, Mapping[str, Any]] = {
    "cluedo": {"players": 3, "size": "4/4/5"},
    "kwartet": {"players": 3, "groups": "4"},
    "old_maid": {"players": 3, "ranks": "5"},
    "perudo": {"players": 3, "dice": "2"},
    "sleuth": {"players": 3, "size": "3/2/2"},
}
SHOWS = ("", "odds", "words", "others", "suggest")


@dataclass(frozen=True)
class Found:
    """What came of a check.

    Attributes:
        moments: so many moments were compared with another deal ...
        alone: ... and at so many the seat considers one deal possible only.
        pages: so many pages were compared.
        leaks: the addresses that told something.
    """

    moments: int
    alone: int
    pages: int
    leaks: tuple[str, ...]


def leaks(folder: Path, moments: int, seed: int) -> Found:
    """Compare so many moments, with folders of their own for both servers."""
    compared = alone = pages = 0
    told: list[str] = []
    sides = [_side(folder / name) for name in ("actual", "other")]
    with sides[0][1] as actual, sides[1][1] as other:
        for path, who, deals in _moments(folder, seed):
            if compared == moments:
                break
            if not deals:
                alone += 1
                continue
            where = _placed(path, deals, [settings.data for settings, _ in sides])
            compared += 1
            for address in _addresses(actual, where, who, compared):
                pages += 1
                if _sent(actual, address) != _sent(other, address):
                    told.append(address)
    return Found(compared, alone, pages, tuple(told))


def _side(folder: Path) -> tuple[Settings, TestClient]:
    folder.mkdir()
    (folder / "secret").write_bytes(b"the same on both sides, 32 bytes")
    settings = Settings(folder, quick=1, slow=1, rate=1e6, burst=1_000_000)
    client = TestClient(application(settings))
    client.cookies.set("symkripke_session", "0" * 32)
    return settings, client


def _moments(folder: Path, seed: int) -> Iterator[tuple[Path, str, tuple[Record[Any, Any], ...]]]:
    """Logs with a person, each with the same log of another deal, if there is one."""
    chance = Random(seed)
    number = 0
    while True:
        for name, options in GAMES.items():
            number += 1
            played = game(name)
            setup = played.setup(**options)
            who = chance.choice(setup.players)
            usual = next(iter(played.strategies))
            minds = [HUMAN if player == who else usual for player in setup.players]
            path = folder / f"{name.replace('_', '-')}-{number}.jsonl"
            hosted = HostedGame.begin(path, played, setup, minds, chance.randrange(10**6))
            for _ in range(60):
                while hosted.step() is not None:
                    pass
                if hosted.is_over:
                    break
                yield path, who, _others(hosted, who, chance)
                view = hosted.view(who)
                moves = list(_some(view.menu.moves, 200))
                try:
                    hosted.choose(who, chance.choice(moves))
                except InputError:
                    break


def _some(moves: Iterator[Any], most: int) -> Iterator[Any]:
    for _, move in zip(range(most), moves, strict=False):
        yield move


def _others(hosted: HostedGame[Any, Any], who: str, chance: Random) -> tuple[Record[Any, Any], ...]:
    """The record with another deal that the seat considers possible; empty: there is none."""
    from dataclasses import replace

    record = hosted._journal.record
    moment = hosted.view(who).moment
    for world in sample(moment, who, 6, chance.randrange(10**6)):
        deal = _first(record, world)
        if deal is None or deal == record.truth:
            continue
        other = _with_deal(record, deal)
        if other is None:
            continue
        try:
            seen = replace(other, result=None).seen_by(who)
        except InputError:
            continue
        mine = hosted.view(who).record
        if seen.seat == mine.seat and seen.outcomes == mine.outcomes:
            return (other,)
    return ()


def _first(record: Record[Any, Any], world: World) -> World | None:
    """The deal that a world tells of; None if it has not all of it."""
    assert record.truth is not None
    deal = {name: world[name] for name in record.truth if name in world}
    return deal if deal.keys() == record.truth.keys() else None


def _with_deal(record: Record[Any, Any], deal: World) -> Record[Any, Any] | None:
    """The same events in another deal; None if what was hidden of them cannot be told so."""
    from dataclasses import replace

    other = replace(record, truth=deal)
    try:
        other.replay()
    except InputError:
        return None
    return other


def _placed(path: Path, deals: tuple[Record[Any, Any], ...], folders: list[Path]) -> str:
    """Put the log and its other into the folders; the name of the table."""
    name = path.stem
    (folders[0] / "tables" / path.name).write_bytes(path.read_bytes())
    deals[0].write(folders[1] / "tables" / path.name)
    return name


def _addresses(client: TestClient, name: str, who: str, number: int) -> Iterator[str]:
    server: Any = client.app.state.server  # type: ignore[attr-defined]
    token = server.access.token("seat", name, who)
    base = f"/s/{name}/{who}/{token}"
    yield base
    yield f"{base}?show={SHOWS[number % len(SHOWS)]}&at={number % 4}"
    yield f"{base}/words?text="
    yield f"/t/{name}"


def _sent(client: TestClient, address: str) -> tuple[int, bytes, list[tuple[str, str]]]:
    """All that is sent: the status, the body and the headers, but for the date."""
    answer = client.get(address)
    headers = sorted((k, v) for k, v in answer.headers.items() if k not in ("date",))
    return answer.status_code, re.sub(rb"/tmp/\S+", b"", answer.content), headers
