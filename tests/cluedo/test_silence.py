"""Silence speaks: who does not accuse does not know. What it tells, its rules and its logs."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from random import Random

import pytest

from symkripke.engines import engine
from symkripke.engines.bdd import BddEngine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.errors import InputError, LogError
from symkripke.explain import Possible
from symkripke.language import K, Kv
from symkripke.model import Scene
from symkripke.play import Record, Table
from symkripke.play.hands import at
from symkripke_games.cluedo import GAME, knowledge
from symkripke_games.cluedo.editions import ENVELOPE
from symkripke_games.cluedo.knowledge import ANSWERS, envelope_atoms
from symkripke_games.cluedo.rules import Accusation, Done, NoAccusation, Suggest, Suggestion


def test_silence_tells_what_nothing_else_does() -> None:
    """Along the same events, whoever hears silence considers no more possible, often less."""
    setup = GAME.setup(rules="study", silence_speaks=True)
    silent = GAME.setup(rules="study")
    fewer = 0
    for seed in range(4):
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


def test_ignorance_lasts_backwards() -> None:
    """Who does not know now did not know before: so the last silence of a player says it all."""
    setup = GAME.setup(rules="study", silence_speaks=True)
    table = Table(GAME, setup, (), 5)
    for _ in table:
        pass
    explicit = ExplicitEngine()
    for earlier, later in itertools.pairwise(table.scenes):
        for player in setup.players:
            if explicit.holds(later, ~Kv(player, ANSWERS)):
                assert explicit.holds(earlier, ~Kv(player, ANSWERS))


def test_who_accuses_wrongly_or_asks_again_did_not_know() -> None:
    """What silence would say, these say as well: else the player would have accused rightly."""
    setup = GAME.setup(rules="study", silence_speaks=True)
    wrong = Accusation(turn=1, player="ann", cards=("green", "rope", "hall"), right=False)
    suspect, weapon, room = (category[0].id for category in setup.edition.categories)
    asks = Suggestion(
        turn=1, player="ann", cards=(suspect, weapon, room), passes=("bob", "cath", "dan")
    )
    for public in (wrong, asks):
        (said,) = [one for one in knowledge.event(setup, public).constraints if one.is_modal]
        assert said.formula == ~Kv("ann", ANSWERS)
        plain = knowledge.event(GAME.setup(rules="study"), public)
        assert not any(one.is_modal for one in plain.constraints)


# ---- the rules -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("speaks", "told"), [(True, True), (("scarlett",), True), (("green",), False)]
)
def test_a_turn_ends_by_an_event_where_silence_speaks(
    speaks: bool | tuple[str, ...], told: bool
) -> None:
    setup = GAME.setup(silence_speaks=speaks)
    state = GAME.start(setup, GAME.deal(setup, Random(7)))
    cards = tuple(category[0].id for category in setup.edition.categories)
    state, _ = state.play(Suggest(cards))  # type: ignore[arg-type]
    if (decision := state.decision) is not None and decision.options is not None:
        state, _ = state.play(decision.options[0])
    after, outcome = state.play(Done())
    assert after.turn == 2
    assert (outcome is not None) is told
    if outcome is not None:
        assert outcome.public == NoAccusation(turn=1, player="scarlett")
        assert GAME.story(setup, outcome) == "Scarlett does not accuse."


def test_whose_silence_speaks_can_be_chosen() -> None:
    everybody = GAME.setup(silence_speaks="")
    assert everybody.accusers == everybody.players
    assert GAME.setup(silence_speaks="no").accusers == ()
    assert GAME.setup().accusers == ()
    assert GAME.setup(silence_speaks="plum, Green").accusers == ("green", "plum")
    with pytest.raises(InputError, match="unknown player in the option silence_speaks 'plumb'"):
        GAME.setup(silence_speaks="plumb")
    with pytest.raises(InputError, match="'plum' is given twice in the option"):
        GAME.setup(silence_speaks="plum,Plum")


def test_silence_speaks_only_of_minds_that_notice() -> None:
    setup = GAME.setup(players=3, silence_speaks=True)
    with pytest.raises(InputError, match="silence of mustard does not speak: a first-order mind"):
        Table(GAME, setup, ("higher-order", "first-order", "higher-order"))
    with pytest.raises(InputError, match="leave silence_speaks out"):
        Table(GAME, setup, ("random",))
    some = GAME.setup(players=3, silence_speaks=("white",))
    assert Table(GAME, some, ("random", "first-order", "higher-order")).minds


LOG = (
    '{"seat":{"player":"cath","holds":["white","dagger"]}}',
    '{"event":{"type":"suggestion","turn":1,"player":"ann",'
    '"cards":["scarlett","candlestick","ballroom"],"passes":["bob","cath"]}}',
    '{"event":{"type":"no-accusation","turn":1,"player":"ann"}}',
    '{"event":{"type":"suggestion","turn":2,"player":"bob",'
    '"cards":["mustard","lead_pipe","billiard_room"],"passes":["cath","ann"]}}',
    '{"event":{"type":"no-accusation","turn":2,"player":"bob"}}',
)


def own_log(speaks: str, lines: Iterable[str]) -> str:
    setup = GAME.setup(players=3, size="3/3/3", names=("ann", "bob", "cath"), silence_speaks=speaks)
    header = next(iter(Record(GAME, setup, truth={}).lines()))
    return "\n".join((header, *lines))


def test_the_log_of_a_table_where_silence_speaks() -> None:
    """Cath hears that Ann, whom nobody showed a card, does not know: so Ann holds one of them."""
    told = Record.parse(own_log("yes", LOG[:3])).replay()
    deaf = Record.parse(own_log("no", LOG[:2])).replay()
    one_held = "K[cath] (holds(ann, scarlett) | holds(ann, candlestick) | holds(ann, ballroom))"
    assert told.ask(one_held)
    assert not deaf.ask(one_held)
    for one in (SatEngine(), BddEngine(), ExplicitEngine()):
        assert told.ask(one_held, engine=one)
        assert told.sheet("cath", one).marks == told.sheet("cath", ExplicitEngine()).marks
        assert one.witness(told.state, "true") is not None
    whole = Record.parse(own_log("yes", LOG))
    assert whole.replay().turn == 2
    assert list(whole.lines())[3] == LOG[2]


WRONG = {
    "left out": (("yes", (0, 1, 3)), 'expected ann to end turn 1 by an accusation or a "no-acc'),
    "not on the list": (("bob", (0, 1, 2)), "the option silence_speaks is off for ann"),
    "before the suggestion": (("yes", (0, 2)), "ann has not made a suggestion in turn 1"),
    "twice": (("yes", (0, 1, 2, 2)), "expected an event of turn 2, got one of 1"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_wrong_logs(kind: str) -> None:
    (speaks, lines), message = WRONG[kind]
    record = Record.parse(own_log(speaks, [LOG[number] for number in lines]))
    with pytest.raises(LogError, match=message):
        record.replay()


def test_a_silence_that_cannot_be() -> None:
    """Ann holds what leaves one solution, and is told not to know it: no world is left."""
    lines = (
        '{"seat":{"player":"ann","holds":["white","dagger"]}}',
        LOG[1],
        '{"event":{"type":"no-accusation","turn":1,"player":"ann"}}',
    )
    with pytest.raises(LogError, match=r"line 4: .*did not accuse: it does not fit what is known"):
        Record.parse(own_log("yes", lines)).replay()


def test_a_silence_that_is_not_so() -> None:
    """With the truth known, it is checked there."""
    setup = GAME.setup(rules="study", silence_speaks=True)
    table = Table(GAME, setup, (), 1)
    for _ in table:
        pass
    lines = list(table.record.lines())
    last = json.loads(lines[-2])["event"]
    assert last["type"] == "accusation"
    silent = {"type": "no-accusation", "turn": last["turn"], "player": last["player"]}
    with pytest.raises(LogError, match="did not accuse: this is not so in the actual world"):
        Record.parse("\n".join([*lines[:-2], json.dumps({"event": silent})])).replay()


def test_logs_of_plain_games_say_nothing_of_it() -> None:
    assert "accusers" not in next(iter(Table(GAME, GAME.setup()).record.lines()))
    spoken = Table(GAME, GAME.setup(silence_speaks="green"))
    assert '"accusers":["green"]' in next(iter(spoken.record.lines()))


def test_why_where_silence_speaks_and_who_answers() -> None:
    """Facts have worlds that are possible, or few observations; deals stay with sat."""
    setup = GAME.setup(players=3, size="3/3/3", silence_speaks=True)
    table = Table(GAME, setup, (), 3)
    explicit, auto = ExplicitEngine(), engine()
    for _ in table:
        scene = table.scene
        for player, card in itertools.product(setup.players, setup.edition.cards):
            asked = K(player, at(card.id, ENVELOPE))
            answer = auto.holds(scene, asked)
            assert answer.engine == "sat"
            why = answer.why()
            assert why.truth == bool(explicit.holds(scene, asked))
            if isinstance(why, Possible) and scene.structure.law.is_modal:
                (step,) = why.worlds
                other = Scene(scene.structure, step.world)
                assert other.world[f"location({card.id})"] != ENVELOPE
                assert other.perspective(player).seen == scene.perspective(player).seen
                assert explicit.holds(other, ~asked)
