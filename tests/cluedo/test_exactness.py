"""The sat engine against the explicit model, after every event of whole games."""

from __future__ import annotations

import pytest

from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.language import K, Kv, M
from symkripke.model import Scene
from symkripke.play import Table
from symkripke.play.hands import at
from symkripke_games.cluedo import GAME, knowledge
from symkripke_games.cluedo.editions import ENVELOPE
from symkripke_games.cluedo.knowledge import ANSWERS, envelope_atoms
from symkripke_games.cluedo.players import FirstOrder, seen_cards
from symkripke_games.cluedo.rules import Accusation, Happening, Setup, Suggestion

MIXED = ("first-order", "first-order", "higher-order", "higher-order")

# Name, setup, minds, games: 240 games in all.
KINDS = (
    ("the study's: 4 players, 3/3/4", {"rules": "study"}, MIXED, 100),
    ("3 players, 3/3/3", {"rules": "study", "players": 3, "size": "3/3/3"}, (), 60),
    ("2 players, 2/3/3", {"rules": "study", "players": 2, "size": "2/3/3"}, ("random",), 40),
    (
        "classic rules: 3 players, 3/3/3",
        {"rules": "classic", "players": 3, "size": "3/3/3"},
        ("higher-order", "random", "first-order"),
        40,
    ),
)
BLOCKS = [
    pytest.param(setup, minds, range(start, min(start + 20, games)), id=f"{name}, {start}-")
    for name, setup, minds, games in KINDS
    for start in range(0, games, 20)
]


@pytest.mark.parametrize(("options", "minds", "seeds"), BLOCKS)
def test_whole_games(options: dict[str, object], minds: tuple[str, ...], seeds: range) -> None:
    setup = GAME.setup(**options)  # type: ignore[arg-type]
    for seed in seeds:
        table = Table(GAME, setup, minds, seed)
        sat, explicit = SatEngine(), ExplicitEngine()
        events: list[Happening] = []
        check(setup, table.scene, sat, explicit, seed)
        for step in table:
            events.append(step.outcome.public)
            check(setup, table.scene, sat, explicit, seed)
            first_order_is_the_studys(table, events)
        assert table.state.winners, (seed, table.result)


def check(setup: Setup, scene: Scene, sat: SatEngine, explicit: ExplicitEngine, seed: int) -> None:
    """K, M and the solutions of every player, and that the truth is not lost."""
    atoms = [
        at(card.id, place) for card in setup.edition.cards for place in (*setup.players, ENVELOPE)
    ]
    truth = frozenset(a for a in envelope_atoms(setup) if scene.world[a.fluent] == a.value)
    for player in setup.players:
        view = scene.perspective(player)
        sheet = explicit.sheet(view, atoms)
        # As a batch, and one by one.
        assert sat.sheet(view, atoms).marks == sheet.marks, (seed, player)
        for atom, mark in sheet:
            assert bool(sat.holds(view, K(player, atom))) == (mark.value == "yes"), (seed, player)
            assert bool(sat.holds(view, M(player, atom))) == (mark.value != "no"), (seed, player)
            if scene.world[atom.fluent] == atom.value:
                assert mark.value != "no", (seed, player)
        solutions = sat.possibilities(view, envelope_atoms(setup))
        assert solutions == explicit.possibilities(view, envelope_atoms(setup)), (seed, player)
        assert truth in solutions
        knows = Kv(player, ANSWERS)
        assert bool(sat.holds(view, knows)) == (len(solutions) == 1)


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


def test_nested_knowledge_of_one_kind_on_study_games() -> None:
    """K K, M M and K Kv chains against the explicit model, after every event of ten games."""
    setup = GAME.setup(rules="study")
    for seed in range(10):
        table = Table(GAME, setup, MIXED, seed)
        sat, explicit = SatEngine(), ExplicitEngine()
        for step in table:
            one, two = setup.players[step.number % 4], setup.players[(step.number + 1) % 4]
            card = setup.edition.cards[step.number % 10].id
            for question in (
                K(one, K(two, at(card, ENVELOPE))),
                K(one, ~at(card, two)),
                M(one, M(two, at(card, ENVELOPE))),
                K(one, Kv(two, (f"location({card})",))),
                K(one, Kv(two, ANSWERS)),
                K(one, K(two, K(one, ~at(card, ENVELOPE)))),
            ):
                truth = bool(explicit.holds(table.scene, question))
                assert bool(sat.holds(table.scene, question)) == truth, (seed, str(question))


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
