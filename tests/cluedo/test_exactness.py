"""What first-order players know, and who has looked into the envelope."""

from __future__ import annotations

import pytest

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.language import K, Kv
from symkripke.play import Table
from symkripke_games.cluedo import GAME, knowledge
from symkripke_games.cluedo.editions import ENVELOPE
from symkripke_games.cluedo.knowledge import ANSWERS
from symkripke_games.cluedo.players import FirstOrder, seen_cards
from symkripke_games.cluedo.rules import Accusation, Happening, Setup, Suggestion

MIXED = ("first-order", "first-order", "higher-order", "higher-order")


@pytest.mark.parametrize("seed", range(8))
def test_first_order_players_keep_the_list_of_the_study(seed: int) -> None:
    table = Table(GAME, GAME.setup(rules="study"), MIXED, seed)
    events: list[Happening] = []
    for step in table:
        events.append(step.outcome.public)
        first_order_is_the_studys(table, events)
    assert table.state.winners, (seed, table.result)


def first_order_is_the_studys(table: Table[Setup, Happening], events: list[Happening]) -> None:
    """Every triple without a card that it holds or was shown: recomputed from the hidden truth."""
    for name, player in table.players.items():
        if type(player) is not FirstOrder:
            continue
        seen = {c.id for c in table.setup.edition.cards if table.deal[f"location({c.id})"] == name}
        for step, public in zip(table.steps, events, strict=True):
            if isinstance(public, Suggestion) and public.player == name:
                seen.update(step.outcome.secret.values())
        categories = table.setup.edition.categories
        unseen = [[card.id for card in category if card.id not in seen] for category in categories]
        expected = [(s, w, r) for s in unseen[0] for w in unseen[1] for r in unseen[2]]
        view = table.view(name)
        assert list(player.solutions(view)) == expected
        assert set(seen_cards(view)) == seen


def test_the_accuser_has_looked_into_the_envelope() -> None:
    """Classic: who accused wrongly knows the solution, and everybody knows that. Study: not."""
    for rules, looked in (("classic", True), ("study", False)):
        setup = GAME.setup(rules=rules, players=3, size="3/3/3")
        table = Table(GAME, setup, seed=1)
        inside = [c.id for c in setup.edition.cards if table.deal[f"location({c.id})"] == ENVELOPE]
        wrong = next(c.id for c in setup.edition.suspects if c.id not in inside)
        accusation = Accusation(
            turn=1, player=setup.players[0], cards=(wrong, inside[1], inside[2]), right=False
        )
        scene = table.scene.update(knowledge.event(setup, accusation))
        first, second = setup.players[:2]
        for engine in (SatEngine(), ExplicitEngine()):
            assert bool(engine.holds(scene, Kv(first, ANSWERS))) == looked
            assert bool(engine.holds(scene, K(second, Kv(first, ANSWERS)))) == looked
            assert not engine.holds(scene, Kv(second, ANSWERS))
