"""What the tests of the page share: short games, and a browser's part without a browser."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.testclient import TestClient

from symkripke.play import Table, game
from symkripke.play.session.record import story_of
from symkripke.play.words import person

SHORT: Mapping[str, tuple[Mapping[str, str], int]] = {
    "cluedo": ({"players": "3", "set.size": "3/2/3"}, 4),
    "kwartet": ({"players": "3", "set.groups": "3"}, 13),
    "old_maid": ({"players": "3", "set.ranks": "3"}, 1),
    "perudo": ({"players": "2", "set.dice": "1"}, 3),
    "sleuth": ({"players": "3", "set.size": "2/2/2"}, 4),
}
"""Of each game a small setup and a seed with which it is over soon."""

SLIPS: Mapping[str, tuple[int, str]] = {
    "cluedo": (1, "Scarlett asks for Mrs White, Dagger, Conservatory. Mustard shows Mrs White."),
    "kwartet": (1, "Bob lays down Super heroes."),
    "old_maid": (2, "Bob draws a card from Cath and discards two jacks."),
    "perudo": (2, "Bob bids 2 aces."),
    "sleuth": (
        1,
        "Face up: the Red Opal Solitaire. Ann may ask for a free choice; Red Solitaire; Red "
        "Diamond; Green Solitaire. Bob may ask for a free choice; Green Pair; Pair; a free choice. "
        "Cath may ask for Opal Solitaire; a free choice; Red Pair; Opal Pair.",
    ),
}
"""In these games an entry that is wrong, but is refused only with a later one: which, and how."""


def options_of(name: str) -> dict[str, Any]:
    """The short setup of a game, as `Game.setup` takes it."""
    given = {key.removeprefix("set."): value for key, value in SHORT[name][0].items()}
    return {**given, "players": int(given["players"])}


def told_at_a_table(name: str) -> tuple[Sequence[str], str, Sequence[str]]:
    """The players of a short game, what the first one was dealt, and all that it saw, as typed."""
    played = game(name)
    table: Table[Any, Any] = Table.of(played, seed=SHORT[name][1], **options_of(name))
    list(table)
    record = table.record
    seen = record.seen_by(record.setup.players[0])
    assert seen.seat is not None
    titles = [played.card_title(record.setup, card) for card in seen.seat.holds]
    hand = ", ".join(title.partition(" (")[0] for title in titles)
    stories = [
        story_of(played, record.setup, outcome, seen.seat.player) for outcome in seen.outcomes
    ]
    return [person(player) for player in record.setup.players], hand, stories


@dataclass(frozen=True)
class Form:
    """A form of a page: where it goes, and what it sends as it stands."""

    method: str
    action: str
    fields: Mapping[str, str]
    buttons: tuple[tuple[str, str, str], ...]
    choices: Mapping[str, tuple[str, ...]]


def forms(page: str) -> list[Form]:
    """The forms of a page."""
    found = []
    for attributes, inside in re.findall(r"<form ([^>]*)>(.*?)</form>", page, re.DOTALL):
        fields: dict[str, str] = {}
        choices: dict[str, list[str]] = {}
        for tag in re.findall(r"<input ([^>]*)>", inside):
            name = _attribute(tag, "name")
            if not name:
                continue
            if _attribute(tag, "type") in ("radio", "checkbox"):
                choices.setdefault(name, []).append(_attribute(tag, "value"))
            else:
                fields[name] = _attribute(tag, "value")
        for tag, options in re.findall(r"<select ([^>]*)>(.*?)</select>", inside, re.DOTALL):
            told = re.findall(r"<option([^>]*)>(.*?)</option>", options, re.DOTALL)
            values = [
                _attribute(o, "value") if "value=" in o else html.unescape(t) for o, t in told
            ]
            chosen = [v for v, (o, _) in zip(values, told, strict=True) if "selected" in o]
            fields[_attribute(tag, "name")] = (chosen or values)[0]
        buttons = tuple(
            (_attribute(tag, "name"), _attribute(tag, "value"), re.sub("<[^>]*>", "", words))
            for tag, words in re.findall(r"<button([^>]*)>(.*?)</button>", inside, re.DOTALL)
        )
        found.append(
            Form(
                _attribute(attributes, "method") or "get",
                _attribute(attributes, "action"),
                fields,
                buttons,
                {name: tuple(values) for name, values in choices.items()},
            )
        )
    return found


def _attribute(tag: str, name: str) -> str:
    found = re.search(rf'(?:^|\s){name}="([^"]*)"', tag)
    return html.unescape(found[1]) if found else ""


def form(page: str, action: str) -> Form:
    """The form of a page whose address ends so."""
    return next(f for f in forms(page) if f.action.partition("?")[0].endswith(action))


def send(client: TestClient, sent: Form, **values: str) -> Any:
    """Send a form with other values for some fields, and follow where it leads."""
    return client.post(sent.action, data={**sent.fields, **values})


def announced(page: str) -> str:
    """What a screen reader is told when the page is new."""
    found = re.search(r"<\w+[^>]* data-announce[^>]*>(.*?)</\w+>", page, re.DOTALL)
    assert found is not None
    return html.unescape(re.sub(r"<[^>]*>", "", found[1]).strip())


def begin(client: TestClient, game: str, *, people: tuple[int, ...] = ()) -> Any:
    """Begin a short game; the response is its first page."""
    options, seed = SHORT[game]
    page = client.get(f"/new/{game}", params=dict(options)).text
    found = next(f for f in forms(page) if f.method == "post")
    seats = {f"mind{seat}": "human" for seat in people}
    action = f"/new/{game}"
    return client.post(action, data={**found.fields, "seed": str(seed), **seats})


def path_of(response: Any) -> str:
    """The address that a response came from, without its query."""
    return str(response.url.path)
