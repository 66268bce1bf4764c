"""Closed forms compared with engines, and beliefs about bids."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symkripke.engines import Engine, Mark, engine
from symkripke.language import CB, B, walk
from symkripke.model import Perspective, Scene
from symkripke.play import Table, View
from symkripke.play.knowledge_matrix import insight
from symkripke_games.perudo import GAME, throws
from symkripke_games.perudo.advice import ALL, MINE
from symkripke_games.perudo.knowledge import shows
from symkripke_games.perudo.players import Situation
from symkripke_games.perudo.replies import Move
from symkripke_games.perudo.rules import DUDO, Bid, Happening, Raise
from symkripke_games.perudo.throws import Setup


def test_the_number_of_throws() -> None:
    counting = engine("bdd")
    for players, number in ((3, 470_184_984_576), (6, 6**30)):
        setup = GAME.setup(players=players)
        scene = Scene.of(GAME.structure(setup), Table(GAME, setup, (), 1).deal)
        assert counting.worlds(scene.structure) == number == 6 ** (5 * players)
        assert counting.worlds(scene.perspective("ann")) == 6 ** (5 * players - 5)


@pytest.mark.parametrize(
    ("options", "seed"),
    [
        ({"players": 3, "dice": 3}, 2),
        ({"players": 4, "dice": 4, "calza": True}, 5),
        ({"rules": "study", "players": 3}, 1),
    ],
)
def test_computed_probabilities_match_the_engine(options: dict[str, object], seed: int) -> None:
    """The test covers the closed forms of `odds` and `believer`, and the believed bids."""
    setup = GAME.setup(**options)  # type: ignore[arg-type]
    table = Table(GAME, setup, ("believer",), seed)
    counting, seen = engine("bdd"), 0
    for number, _ in enumerate(table):
        decision = table.state.decision
        if decision is None or not decision.player or number % 7 or number > 60:
            continue
        view = View(setup, *looks(table, decision.player), decision)
        situation = Situation.of(view)
        assert GAME.advisor is not None
        prospects = GAME.advisor.prospects(view, counting)
        assert decision.options is not None
        for name, known in (
            (MINE, view.perspective),
            (ALL, believing(view.perspective, counting)),
        ):
            for move, told in zip(decision.options, prospects, strict=True):
                assert told.chances[name] == chance(counting, known, situation, move)
        kept = counting.believed(view.perspective).kept
        claims = [soft.source for soft in kept if isinstance(soft.rank, int)]
        others = [said for said in situation.believed if said.player != decision.player]
        own = [said for said in situation.said if said.player == decision.player]
        true = [s for s in own if situation.manner.counted(situation.own, s.face) >= s.holds]
        assert len(claims) == len(others) + len(true)
        seen += len(claims)
    assert seen


def believing(perspective: Perspective, counting: Engine) -> Perspective:
    """Return the player's perspective, conditioned on the bids of others that they believe."""
    kept = counting.believed(perspective).kept
    return perspective.believing([soft for soft in kept if isinstance(soft.rank, int)])


def chance(counting: Engine, seen: Perspective, situation: Situation, move: Move) -> Fraction:
    """Return the probability that a bid is met, or that a call is right."""

    def met(quantity: int, face: int) -> Fraction:
        counts = situation.manner.counts_as(face)
        return counting.probability(seen, shows(situation.now.dice, quantity, counts))

    if isinstance(move, Raise):
        return met(move.quantity, move.face)
    assert situation.standing is not None
    quantity, face = situation.standing
    if move.kind == DUDO:
        return 1 - met(quantity, face)
    return met(quantity, face) - met(quantity + 1, face)


def looks(table: Table[Setup, Happening], player: str) -> tuple[Perspective, tuple[Happening, ...]]:
    view = table.view(player)
    return view.perspective, tuple(view.record)


def test_nobody_is_believed_to_have_more_dice_than_they_have() -> None:
    """If bids contradict each other, the least trusted are given up, and B stays consistent."""
    setup = GAME.setup(rules="study", players=2, dice=2)
    table = Table(GAME, setup, ("odds",), 1)
    state, scene = table.state, table.scene
    for quantity, face in ((2, 2), (2, 3), (2, 4), (2, 5), (3, 4), (4, 4)):
        decision = state.decision
        assert decision is not None
        state, outcome = state.play(Raise(quantity, face))
        assert outcome is not None
        assert isinstance(outcome.public, Bid)
        scene = scene.update(GAME.event_in(setup, table.state, outcome))
    for name in ("sat", "bdd"):
        answering = engine(name)
        for me, other in (("ann", "bob"), ("bob", "ann")):
            beliefs = answering.believed(scene.perspective(me))
            assert beliefs.given_up
            assert not answering.holds(scene, B(me, scene.structure.parse("false")))
            total = [
                sum(
                    bool(answering.holds(scene, f"B[{me}] eA({other}, {least}, {face})"))
                    for least in (1, 2)
                )
                for face in range(1, 7)
            ]
            assert sum(total) <= 2


def test_knowledge_of_whether_the_bid_is_met_at_full_size() -> None:
    """Knowledge of another's knowledge depends on the number of dice that may count as the face."""
    table, asking = Table(GAME, GAME.setup(rules="study", players=6), ("bluffer",), 2), engine()
    for step in table:
        public = step.outcome.public
        if step.number == 9:
            break
    assert isinstance(public, Bid)
    for (one, other), mark in insight(table.moment, asking).items():
        situation = Situation.of(table.view(other))
        own = situation.manner.counted(situation.own, public.face)
        known = [count >= public.quantity or count + 25 < public.quantity for count in range(6)]
        if one == other:
            assert mark is (Mark.YES if known[own] else Mark.NO)
        else:
            assert mark is (Mark.YES if all(known) else Mark.OPEN if any(known) else Mark.NO)
    # The meaning of a bid is common belief among all players except the bidder, who may know
    # better.
    claims = [soft for soft in table.scene.structure.plausibility("ann") if soft.rank == 50]
    for soft in claims:
        (owner,) = {throws.owner(atom.fluent) for atom in walk.atoms(soft.formula)}
        others = tuple(player for player in table.setup.players if player != owner)
        assert table.moment.ask(CB(others, soft.formula), engine=asking), str(soft.formula)
    assert claims
