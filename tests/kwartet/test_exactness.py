"""Truth of players' claims to knowledge."""

from __future__ import annotations

from random import Random

import pytest

from symkripke.engines import Mark
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.language import K
from symkripke.play import Table
from symkripke.play.hands import holds
from symkripke_games.kwartet import GAME
from symkripke_games.kwartet.knowledge import holds_group
from symkripke_games.kwartet.notes import Hand, Notes
from symkripke_games.kwartet.players import Forgetful


def test_claims_of_second_order_players_about_others_are_true(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """There is no false claim in full games at two sizes (the study's program: 162 of 9,210)."""
    claims: list[tuple[str, str, bool]] = []
    is_told = Notes.is_told

    def noted(self: Notes, group: str, hand: Hand) -> bool:
        told = is_told(self, group, hand)
        claims.append((hand.player, group, told))
        return told

    monkeypatch.setattr(Notes, "is_told", noted)
    checked = 0
    for options, games in (({"rules": "study"}, 3), ({"players": 5, "groups": 8}, 1)):
        setup = GAME.setup(**options)
        for seed in range(games):
            table = Table(GAME, setup, ("second-order",), seed)
            before = table.scene
            for _ in table:
                for player, group, told in claims:
                    mine = holds_group(setup, player, group)
                    for other in setup.players:
                        if told and other != player:
                            assert table.engine.holds(before, K(other, mine))
                            checked += 1
                claims.clear()
                before = table.scene
    assert checked > 100


def test_forgetful_players_know_less_but_nothing_false() -> None:
    """The remaining knowledge is true, by the explicit model, and shrinks as more is forgotten."""
    known = {}
    for forgets in (0.0, 0.3, 1.0):
        setup = GAME.setup(rules="study", groups=2, forgets=forgets)
        sat, explicit = SatEngine(), ExplicitEngine()
        known[forgets] = 0
        for seed in range(2):
            table = Table(GAME, setup, ("first-order",), seed)
            # Forgetful onlookers at each seat watch the same game.
            minds = {name: Forgetful(sat, Random(f"{seed}/{name}")) for name in setup.players}
            atoms = [holds(place, card.id) for card in setup.cards for place in setup.players]
            for _ in table:
                for name, mind in minds.items():
                    view = table.view(name)
                    memory = mind.remembered(view)
                    marks = sat.sheet(memory, atoms).marks
                    full = sat.sheet(view.perspective, atoms).marks
                    if len(memory.structure.vocabulary.fluents) <= len(setup.cards) + 9:
                        assert explicit.sheet(memory, atoms).marks == marks
                    for atom, mark, best in zip(atoms, marks, full, strict=True):
                        assert mark in (Mark.OPEN, best), str(atom)
                        own = atom.value == name
                        assert mark is not Mark.OPEN or not own, "sees its own hand"
                    known[forgets] += sum(mark is not Mark.OPEN for mark in marks)
                    if not forgets:
                        assert marks == full
    assert known[0.0] > known[0.3] > known[1.0]
