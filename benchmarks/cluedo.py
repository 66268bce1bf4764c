"""Games of Cluedo of any size, for measurements."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from benchmarks.common import check
from symkripke.engines import Engine
from symkripke.language import FALSE, Atom, K
from symkripke.model import Perspective, Scene
from symkripke.play import Table
from symkripke.play.hands import at
from symkripke_games.cluedo import GAME, knowledge
from symkripke_games.cluedo.rules import Done, Happening, Setup, Show, Suggest

CluedoTable = Table[Setup, Happening]


def setup_of(rules: str, players: int, size: str | None = None) -> Setup:
    """Return a setup. Raise `RuleError` if the rules do not allow it."""
    return GAME.setup(rules=rules, players=players, size=size)


def played(setup: Setup, seed: int, minds: Sequence[str] = ()) -> CluedoTable:
    """Return a finished game."""
    table = Table(GAME, setup, minds, seed)
    for _ in table:
        pass
    return table


def suggested(setup: Setup, seed: int, suggestions: int) -> tuple[list[Scene], list[Happening]]:
    """Return the scenes and events of a game with random suggestions and no accusations.

    The cards shown are chosen at random. No player reasons, so any size is possible.
    """
    chance = Random(f"{seed}/suggestions")
    deal = GAME.deal(setup, Random(f"{seed}/deal"))
    state = GAME.start(setup, deal)
    scenes = [Scene.of(GAME.structure(setup), deal)]
    events: list[Happening] = []
    for _ in range(suggestions):
        asked = tuple(chance.choice(cards).id for cards in setup.edition.categories)
        state, outcome = state.play(Suggest((asked[0], asked[1], asked[2])))
        if outcome is None:
            assert state.decision is not None
            assert state.decision.options is not None
            shown: Show = chance.choice(state.decision.options)
            state, outcome = state.play(shown)
        assert outcome is not None
        events.append(outcome.public)
        scenes.append(scenes[-1].update(knowledge.event(setup, outcome.public), outcome.secret))
        state, _ = state.play(Done())
    return scenes, events


def all_atoms(setup: Setup) -> list[Atom]:
    """Return an atom for every pair of a card and a place."""
    places = GAME.layout(setup, GAME.structure(setup)).columns
    return [at(card.id, place) for card in setup.edition.cards for place in places]


def stand(engine: Engine, perspective: Perspective) -> None:
    """Ask the engine a first question so that no timed question includes the cost of the setup."""
    check(
        not engine.holds(perspective, K(perspective.agent, FALSE)),
        f"{perspective.agent} considers no world possible after what it has seen",
    )
