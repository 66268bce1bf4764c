"""Pictures of the table. The contract of games checks that they reveal nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import pytest

from symkripke.model import Scene
from symkripke.play import Moment, Record, Table, game
from symkripke.play.views.pictures import pictures_of, table_picture

SMALL: Mapping[str, Mapping[str, Any]] = {
    "cluedo": {"players": 4, "size": "3/3/4"},
    "kwartet": {"players": 3, "groups": 4},
    "old_maid": {"players": 3, "ranks": 4},
    "perudo": {"players": 3, "dice": 2},
    "sleuth": {"players": 3, "size": "2/2/2"},
}
"""Small setups of each game."""

_TITLE = re.compile(r"<title>(.*?)</title>")


def _played(name: str) -> tuple[Record[Any, Any], Moment[Any, Any]]:
    table: Table[Any, Any] = Table.of(game(name), seed=3, **SMALL[name])
    list(table)
    return table.record, table.moment


@pytest.mark.parametrize("name", SMALL)
def test_the_whole_table_is_well_formed_and_names_every_thing(name: str) -> None:
    record, moment = _played(name)
    for number in range(0, moment.events + 1, 5):
        here = moment.after(number)
        drawn = table_picture(record, here)
        root = ElementTree.fromstring(drawn)
        assert root.get("role") == "img"
        assert isinstance(here.state, Scene)
        held = pictures_of(here).held(here)
        titles = _TITLE.findall(drawn.replace("&#x27;", "'"))
        for player in record.setup.players:
            assert here.layout.person(player) in titles
            for face in held.get(player, ()):
                assert face.title in titles
        # Each drawing that is used is defined, once.
        used = set(re.findall(r'href="#(face-[^"]+)"', drawn))
        defined = re.findall(r'<symbol id="([^"]+)"', drawn)
        assert used <= set(defined)
        assert len(defined) == len(set(defined))


def test_different_cards_have_different_art() -> None:
    made = game("cluedo")
    for edition in ("classic", "us", "2016"):
        setup = made.setup(edition=edition)
        pictures = pictures_of(Table.of(made, seed=1, edition=edition).moment)
        faces = [pictures.face(card) for card in made.cards(setup)]
        assert len({face.art for face in faces}) == len(faces)
        assert all(face.art for face in faces)
