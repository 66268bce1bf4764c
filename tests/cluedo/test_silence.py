"""Silence that speaks: players who do not accuse do not know. Its information, rules and logs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from symkripke.engines import Mark, engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.engines.sat.evaluator import Evaluator
from symkripke.engines.sat.explain.explainer import SatExplainer
from symkripke.engines.sat.explain.modal_law_sources import said
from symkripke.engines.smt.recheck import entails
from symkripke.errors import InputError, LogError
from symkripke.explain import Known, Possible
from symkripke.language import Implies, K, Kv
from symkripke.model import Scene
from symkripke.play import Outcome, Record, Table
from symkripke_games.cluedo import GAME, knowledge
from symkripke_games.cluedo.knowledge import ANSWERS, envelope_atoms
from symkripke_games.cluedo.rules import Accusation, Done, NoAccusation, Suggest, Suggestion
from tests.support.played import played

TRIPLE = "scarlett", "candlestick", "ballroom"


def test_silence_gives_information_that_nothing_else_gives() -> None:
    """For the same events, players who hear silence consider the same worlds possible, or fewer."""
    setup = GAME.setup(rules="study", silence_speaks=True)
    silent = GAME.setup(rules="study")
    fewer = 0
    for seed in range(2):
        table = Table(GAME, setup, (), seed)
        plain = Scene.of(GAME.structure(setup), table.deal)
        asked = SatEngine()
        for step in table:
            if not isinstance(step.outcome.public, NoAccusation):
                event = knowledge.event(silent, step.outcome.public)
                plain = plain.update(event, step.outcome.secret)
            for player in setup.players:
                heard, deaf = (
                    asked.possibilities(scene.perspective(player), envelope_atoms(setup))
                    for scene in (table.scene, plain)
                )
                assert heard <= deaf
                fewer += heard < deaf
    assert fewer > 0


def test_a_wrong_accusation_or_a_new_question_implies_ignorance() -> None:
    """Both imply what silence implies: otherwise the player would have accused rightly."""
    setup = GAME.setup(rules="study", silence_speaks=True)
    wrong = Accusation(turn=1, player="ann", cards=TRIPLE, right=False)
    asks = Suggestion(turn=1, player="ann", cards=TRIPLE, passes=("bob", "cath", "dan"))
    for public in (wrong, asks):
        (spoken,) = [one for one in knowledge.event(setup, public).constraints if one.is_modal]
        assert spoken.formula == ~Kv("ann", ANSWERS)
        plain = knowledge.event(GAME.setup(rules="study"), public)
        assert not any(one.is_modal for one in plain.constraints)


# ---- the rules -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("speaks", "accusers"),
    [
        ("", ("scarlett", "mustard", "white", "green", "peacock", "plum")),
        ("no", ()),
        (False, ()),
        (("scarlett",), ("scarlett",)),
        ("plum, Green", ("green", "plum")),
    ],
)
def test_a_turn_ends_with_an_event_of_players_whose_silence_speaks(
    speaks: bool | str | tuple[str, ...], accusers: tuple[str, ...]
) -> None:
    setup = GAME.setup(silence_speaks=speaks)
    assert setup.accusers == accusers
    state = GAME.start(setup, GAME.deal(setup, Random(7)))
    state, _ = state.play(Suggest(TRIPLE))
    while (decision := state.decision) is not None and decision.kind == "show":
        assert decision.options is not None
        state, _ = state.play(decision.options[0])
    after, outcome = state.play(Done())
    assert after.turn == 2
    silence = Outcome(NoAccusation(turn=1, player="scarlett"), {})
    assert outcome == (silence if "scarlett" in accusers else None)
    header = next(iter(Record(GAME, setup, truth={}).lines()))
    assert ("accusers" in header) is bool(accusers)


def test_silence_speaks_only_for_minds_that_notice() -> None:
    setup = GAME.setup(players=3, silence_speaks=True)
    for mind in ("random", "first-order", "first-order-guesser:0.9"):
        with pytest.raises(InputError, match="silence of mustard reveals nothing"):
            Table(GAME, setup, ("higher-order", mind, "racer"))
    some = GAME.setup(players=3, silence_speaks=("white",))
    for mind in ("higher-order", "higher-order-guesser:0.9", "racer", "informative"):
        assert Table(GAME, some, ("random", "first-order", mind)).minds


# ---- logs ----------------------------------------------------------------------------------

LOG = (
    '{"seat":{"player":"cath","holds":["white","dagger"]}}',
    '{"event":{"type":"suggestion","turn":1,"player":"ann",'
    '"cards":["scarlett","candlestick","ballroom"],"passes":["bob","cath"]}}',
    '{"event":{"type":"no-accusation","turn":1,"player":"ann"}}',
    '{"event":{"type":"suggestion","turn":2,"player":"bob",'
    '"cards":["mustard","lead_pipe","billiard_room"],"passes":["cath","ann"]}}',
    '{"event":{"type":"no-accusation","turn":2,"player":"bob"}}',
)


def own_log(speaks: str, lines: Iterable[str]) -> Record[Any, Any]:
    setup = GAME.setup(players=3, size="3/3/3", names=("ann", "bob", "cath"), silence_speaks=speaks)
    header = next(iter(Record(GAME, setup, truth={}).lines()))
    return Record.parse("\n".join((header, *lines)))


def test_the_log_of_a_table_where_silence_speaks() -> None:
    """Nobody showed Ann a card. Cath hears that Ann does not know, so Ann holds one of the
    cards.
    """
    told = own_log("yes", LOG[:3]).replay()
    deaf = own_log("no", LOG[:2]).replay()
    one_held = "K[cath] (holds(ann, scarlett) | holds(ann, candlestick) | holds(ann, ballroom))"
    assert not deaf.ask(one_held)
    for one in map(engine, ("sat", "bdd", "explicit")):
        assert told.ask(one_held, engine=one)
        assert told.sheet("cath", one).marks == told.sheet("cath", ExplicitEngine()).marks
        assert one.witness(told.state, "true") is not None
    whole = own_log("yes", LOG)
    assert whole.replay().turn == 2
    assert list(whole.lines())[3] == LOG[2]


@pytest.mark.parametrize(
    ("speaks", "lines", "message"),
    [
        ("yes", (LOG[0], LOG[1], LOG[3]), "expected ann to end turn 1 by an accusation or a "),
        ("bob", LOG[:3], "the option silence_speaks is off for ann"),
        ("yes", (LOG[0], LOG[2]), "ann has not made a suggestion in turn 1"),
        ("yes", (*LOG[:3], LOG[2]), "expected an event of turn 2, got one of 1"),
        # Ann's hand leaves one solution, and yet the log says that she does not know it.
        ("yes", (LOG[0].replace("cath", "ann"), *LOG[1:3]), "line 4: .*contradicts what is known"),
    ],
)
def test_wrong_logs(speaks: str, lines: tuple[str, ...], message: str) -> None:
    with pytest.raises(LogError, match=message):
        own_log(speaks, lines).replay()


def test_a_false_silence_is_rejected() -> None:
    """A log with the truth makes the check possible."""
    table = played(GAME, (), 1, rules="study", silence_speaks=True)
    lines = list(table.record.lines())
    last = json.loads(lines[-2])["event"]
    assert last["type"] == "accusation"
    silent = {"type": "no-accusation", "turn": last["turn"], "player": last["player"]}
    with pytest.raises(LogError, match="did not accuse: this is false in the actual world"):
        Record.parse("\n".join([*lines[:-2], json.dumps({"event": silent})])).replay()


# ---- reasons -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "event", "options"),
    [
        (5, 6, {"players": 3, "size": "3/3/3"}),
        (7, 3, {"rules": "study", "players": 2, "size": "3/3/4"}),
    ],
)
def test_sources_are_minimal_and_prove_facts(
    seed: int, event: int, options: dict[str, Any]
) -> None:
    """Facts that follow from a silence cite it; all others have a counterexample world."""
    table = played(GAME, (), seed, silence_speaks=True, **options)
    sat, explicit, meanings = SatEngine(), ExplicitEngine(), {}
    silent = plain = possible = 0
    scene = table.scenes[event]
    for player in table.setup.players:
        for atom, mark in sat.sheet(scene.perspective(player)):
            fact = ~atom if mark is Mark.NO else atom
            evaluator = Evaluator()
            reason = SatExplainer.at(evaluator, scene).evidence(scene, K(player, fact))
            if isinstance(reason, Possible):
                (step,) = reason.worlds
                other = Scene(scene.structure, step.world)
                assert other.perspective(player).seen == scene.perspective(player).seen
                if (possible := possible + 1) % 8 == 0:
                    assert explicit.holds(other, ~K(player, fact))
                continue
            assert isinstance(reason, Known)
            for stage in scene.structure.stages:
                meanings.update(said(evaluator.cache(stage), stage))
            spoken = [one for one in reason.sources if one in meanings]
            silent, plain = silent + bool(spoken), plain + (not spoken)
            premises = [meanings.get(one, one.formula) for one in reason.sources]
            assert entails(premises, fact), (player, str(fact))
            for left in range(len(premises) if spoken else 0):
                rest = premises[:left] + premises[left + 1 :]
                assert not entails(rest, fact), (player, str(fact))
    for source, meaning in meanings.items():
        before = table.scenes[source.stage - 1].structure
        assert explicit.valid(before, Implies(source.formula, meaning)), source.words
    assert min(silent, plain) > 1, (silent, plain, possible)
