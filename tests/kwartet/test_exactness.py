"""What players claim to know is so."""

from __future__ import annotations

from random import Random

import pytest

from symkripke.engines import Mark
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.language import K
from symkripke.play import Table
from symkripke.play.dealing import location
from symkripke.play.hands import holds
from symkripke_games.kwartet import GAME
from symkripke_games.kwartet.knowledge import holds_group
from symkripke_games.kwartet.notes import Hand
from symkripke_games.kwartet.players import Forgetful, SecondOrder


def test_each_sees_its_own_hand_at_all_times() -> None:
    setup = GAME.setup(rules="study", groups=3)
    for seed in range(5):
        table = Table(GAME, setup, ("first-order",), seed)
        for _ in table:
            for player in setup.players:
                view = table.scene.perspective(player)
                own = Hand(table.view(player), table.state.board).own  # type: ignore[attr-defined]
                for card in setup.cards:
                    mine = table.engine.sheet(view, [holds(player, card.id)]).marks[0]
                    assert mine is (Mark.YES if card.id in own else Mark.NO)


def test_what_second_order_players_say_that_others_know_is_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No false claim in full games at two sizes (the study's program: 162 of 9,210)."""
    claims: list[tuple[str, str, bool]] = []
    is_told = SecondOrder.is_told

    def noted(self: SecondOrder, hand: Hand, group: str) -> bool:
        told = is_told(self, hand, group)
        claims.append((hand.player, group, told))
        return told

    monkeypatch.setattr(SecondOrder, "is_told", noted)
    checked = 0
    for options, games in (({"rules": "study"}, 12), ({"players": 5, "groups": 8}, 3)):
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
    assert checked > 500


def test_forgetful_players_know_less_and_nothing_false() -> None:
    """What is left is sound, by the explicit model; and with more forgotten, less is known."""
    known = {}
    for forgets in (0.0, 0.3, 1.0):
        setup = GAME.setup(rules="study", groups=2, forgets=forgets)
        sat, explicit = SatEngine(), ExplicitEngine()
        known[forgets] = 0
        for seed in range(8):
            table = Table(GAME, setup, ("first-order",), seed)
            # The same game, seen by forgetful onlookers at each seat.
            minds = {name: Forgetful(sat, Random(f"{seed}/{name}")) for name in setup.players}
            atoms = [holds(place, card.id) for card in setup.cards for place in setup.players]
            for _ in table:
                for name, mind in minds.items():
                    view = table.view(name)
                    memory = mind.perspective(view, Hand(view, mind.reader.read(view)))
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


def test_assessments_locate_cards_where_they_are() -> None:
    setup = GAME.setup(rules="study", forgets=0.3)
    for seed, mind in enumerate(GAME.strategies):
        table = Table(GAME, setup, (mind,), seed)
        for _ in table:
            for name, one in table.assess().items():
                assert one.open + len(one.located) == len(setup.cards)
                assert one.certain == (one.open == 0), name
                for card in setup.cards:
                    place = one.located.get(location(card.id))
                    assert place in (None, table.state.place(card.id))  # type: ignore[attr-defined]
