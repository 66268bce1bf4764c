"""Players: they use only their view, obey the rules, and choose as documented."""

from __future__ import annotations

from typing import Any

import pytest

from symkripke.language import K
from symkripke.model import Scene
from symkripke.play import Table
from symkripke.play.hands import holds
from symkripke_games.kwartet import GAME
from symkripke_games.kwartet.knowledge import holds_group
from symkripke_games.kwartet.rules import Question

MINDS = tuple(GAME.strategies)


@pytest.mark.parametrize("players", [3, 6])
def test_full_games_end_with_all_groups_down(players: int) -> None:
    table = Table(GAME, GAME.setup(players=players), MINDS[:3] + MINDS[:3][: players - 3], players)
    for _ in table:
        pass
    won = [GAME.standing(table.setup, table.state, player).won for player in table.setup.players]
    assert sum(int(words.split()[0]) for words in won) == 13
    assert all(one.certain for one in table.assess().values())


def watched(
    mind: str, seeds: range, **options: Any
) -> list[tuple[Table[Any, Any], Scene, Question]]:
    """Return each question of such players in some games, with its table and preceding scene."""
    found = []
    for seed in seeds:
        table = Table(GAME, GAME.setup(**options), (mind,), seed)
        before = table.scene
        for step in table:
            public = step.outcome.public
            if isinstance(public, Question):
                found.append((table, before, public))
            before = table.scene
    return found


def certain(table: Table[Any, Any], scene: Scene, public: Any) -> bool:
    """Return whether the player knew that they would get the card."""
    return bool(table.engine.holds(scene, K(public.player, holds(public.asked, public.card))))


def sure_cards(table: Table[Any, Any], scene: Scene, player: str) -> list[str]:
    """Return the cards that the player may ask for and can locate."""
    own = [
        card.id for card in table.setup.cards if table.engine.holds(scene, holds(player, card.id))
    ]
    groups = {table.setup.group_of[card] for card in own}
    return [
        card.id
        for card in table.setup.cards
        if card.id not in own
        and table.setup.group_of[card.id] in groups
        and any(
            table.engine.holds(scene, K(player, holds(other, card.id)))
            for other in table.setup.players
        )
    ]


@pytest.mark.parametrize("mind", ["first-order", "second-order"])
def test_sure_cards_are_asked_for_first_and_impossible_ones_never(mind: str) -> None:
    sure = guesses = 0
    for table, scene, public in watched(mind, range(2), rules="study"):
        if certain(table, scene, public):
            sure += 1
            continue
        guesses += 1
        assert not sure_cards(table, scene, public.player)
        impossible = K(public.player, ~holds(public.asked, public.card))
        assert not table.engine.holds(scene, impossible)
    assert sure > 10
    assert guesses > 10


def test_second_order_players_keep_their_secrets() -> None:
    """They guess about a secret group only if all their groups are secret."""
    for table, scene, public in watched("second-order", range(2), rules="study"):
        setup = table.setup
        if certain(table, scene, public):
            continue
        groups = [
            group.id
            for group in setup.groups
            if table.engine.holds(scene, holds_group(setup, public.player, group.id))
        ]
        told = [
            group
            for group in groups
            if table.engine.valid(scene.structure, holds_group(setup, public.player, group))
        ]
        assert not told or setup.group_of[public.card] in told


def test_patient_players_wait() -> None:
    """Secret groups are asked about only when fully located, or if no group is public."""
    waited = 0
    for table, scene, public in watched("patient", range(4), rules="study"):
        setup = table.setup
        group = setup.group_of[public.card]
        sure = sure_cards(table, scene, public.player)
        waited += bool(sure) and not certain(table, scene, public)
        lacking = [
            card
            for card in setup.cards_of[group]
            if not table.engine.holds(scene, holds(public.player, card))
        ]
        secret = not table.engine.valid(scene.structure, holds_group(setup, public.player, group))
        if secret and not set(lacking) <= set(sure):
            held = [
                other.id
                for other in setup.groups
                if table.engine.holds(scene, holds_group(setup, public.player, other.id))
            ]
            assert not any(
                table.engine.valid(scene.structure, holds_group(setup, public.player, one))
                for one in held
            )
    assert waited > 0
