"""Origins: where knowledge comes from, as data and in words."""

import pytest

from symkripke.language import Atom
from symkripke.model import Change, Constraint, Event, Fluent, Observable, Origin, Soft
from symkripke.play import Table
from symkripke_games.cluedo import GAME


def test_a_plain_string_is_the_text_of_an_origin() -> None:
    p = Atom("p")
    things = (
        Constraint(p, "said"),
        Observable(p, "said"),
        Soft(p, source="said"),
        Change("p", "true", "said"),
        Fluent("p", source="said"),
        Event("said"),
    )
    for thing in things:
        assert thing.source == Origin("said"), thing
        assert f"{thing.source}" == "said"
    assert not Soft(p).source


@pytest.mark.parametrize(
    ("origin", "moment"),
    [
        (Origin("turn 7: Ann drew a card", 7), "turn 7"),
        (Origin("line 3: announce p", when="line 3"), "line 3"),
        (Origin("rain: it pours"), "rain: it pours"),
    ],
)
def test_an_origin_has_its_moment(origin: Origin, moment: str) -> None:
    assert origin.moment == moment


def test_the_turns_of_a_game_are_data() -> None:
    table = Table.of(GAME, players=3, seed=1)
    for _ in table:
        pass
    structure = table.scene.structure
    players = set(structure.agents)
    turns = 0
    for stage in structure.stages[1:]:
        assert stage.history.event is not None
        for origin in (stage.history.event.source, *(added.source for added in stage.law.added)):
            assert str(origin).startswith(f"turn {origin.turn}: ")
            assert origin.kind
            assert origin.agents
            assert players.issuperset(origin.agents)
        turns += 1
    assert turns
