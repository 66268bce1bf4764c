"""Contracts can fail: they catch players and engines with a planted fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any, ClassVar

import pytest

from symkripke.engines import Answer, Budget, Engine
from symkripke.engines.explicit import ExplicitEngine
from symkripke.engines.sat import SatEngine
from symkripke.explain import Known
from symkripke.language import TRUE, Formula
from symkripke.model import EpistemicState, MultiPointedStructure, Perspective, Scene
from symkripke.model.listed import ListedModel
from symkripke.play import Advice, Assessment, View
from symkripke.play.advisor import Advisor
from symkripke.play.views import pictures
from symkripke.testing import BrokenContract, EngineContract, PlayerContract, players
from symkripke.testing.games import check_advice, check_pictures, walked
from symkripke_games.perudo.rules import Raise
from tests.contract import described

# ---- players -------------------------------------------------------------------------------------


class Honest:
    """A player that bids as little as possible and knows nothing."""

    def __init__(self, _asked: Engine, _chance: Random) -> None:
        """Ignore the engine and the chance."""

    def chosen(self, view: View[Any, Any]) -> int:
        """Return the index of the chosen option."""
        return 0

    def choose(self, view: View[Any, Any]) -> Any:
        """Return the chosen option."""
        assert view.decision is not None
        assert view.decision.options
        return view.decision.options[self.chosen(view) % len(view.decision.options)]

    def assess(self, view: View[Any, Any]) -> Assessment:
        """Claim no knowledge."""
        return Assessment(open=2, located={}, certain=False)


class Peeking(Honest):
    """A player that sees others' dice, because its perspective leads to the actual world."""

    def chosen(self, view: View[Any, Any]) -> int:
        """Depend on hidden dice."""
        return sum(int(face) for face in vars(view.perspective)["world"].values())


class Remembering(Honest):
    """A player that plays each game differently."""

    games = 0

    def __init__(self, _asked: Engine, _chance: Random) -> None:
        """Count the games of all players of this kind."""
        Remembering.games += 1
        self.game = Remembering.games

    def chosen(self, view: View[Any, Any]) -> int:
        """Depend on the number of games so far."""
        return self.game // len(view.setup.players)


class Boasting(Honest):
    """A player that claims to know all dice."""

    def assess(self, view: View[Any, Any]) -> Assessment:
        """Claim that all dice are aces."""
        dice = dict.fromkeys(view.perspective.structure.vocabulary.fluents, "1")
        return Assessment(open=1, located=dice, certain=True)


class Certain(Honest):
    """A player that is certain from the deal on."""

    def assess(self, view: View[Any, Any]) -> Assessment:
        """Claim to be certain, without locating anything."""
        return Assessment(open=1, located={}, certain=True)


class WithFaults(type(described.Perudo.game)):  # type: ignore[misc]
    """Perudo with these players."""

    strategies: ClassVar = {
        "honest": Honest,
        "peeking": Peeking,
        "remembering": Remembering,
        "boasting": Boasting,
        "certain": Certain,
    }


class Players(PlayerContract):
    """The contract, applied to these players."""

    described = described.Perudo()
    described.game = WithFaults()


SETUP = "study, 3 players"
OPTIONS = described.Perudo.setups[SETUP]


@pytest.fixture
def leaking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patch perspectives to lead to the actual world."""
    perspective = Scene.perspective

    def with_world(self: Scene, agent: str) -> Perspective:
        found = perspective(self, agent)
        vars(found)["world"] = self.world
        return found

    monkeypatch.setattr(Scene, "perspective", with_world)


PLAYER_FAULTS: Mapping[str, tuple[Callable[[str], None], str]] = {
    "peeking": (
        lambda mind: Players().test_nobody_peeks(mind, SETUP),
        "chose .*, but would have chosen .* which looks the same to it",
    ),
    "remembering": (
        lambda mind: Players().test_the_same_seed_gives_the_same_game(mind, OPTIONS),
        "plays another game with the same seed",
    ),
    "boasting": (
        lambda mind: Players().test_assessments_are_sound(mind, SETUP),
        r"says that die\(.* is 1; it is [2-4]",
    ),
    "certain": (
        lambda mind: Players().test_assessments_are_sound(mind, SETUP),
        "is certain without knowing the answer",
    ),
}


@pytest.mark.parametrize("mind", PLAYER_FAULTS)
@pytest.mark.usefixtures("leaking")
def test_players_with_a_fault_are_caught(mind: str) -> None:
    check, says = PLAYER_FAULTS[mind]
    check("honest")
    with pytest.raises(BrokenContract, match=says):
        check(mind)


def test_levels_that_name_no_strategy_are_caught() -> None:
    with pytest.raises(BrokenContract, match="must name different strategies, of honest"):
        Players().test_levels_name_strategies()


def test_too_few_comparisons_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "MOST_GAMES", 1)

    class Greedy(Players):
        comparisons = 100_000

    with pytest.raises(BrokenContract, match=r"in 1 games .* expected 100000 or more"):
        Greedy().test_nobody_peeks("honest", SETUP)


# ---- engines -------------------------------------------------------------------------------------


class SeldomWrong(ExplicitEngine):
    """An engine of which every thirtieth answer is wrong."""

    asked = 0

    def holds(
        self,
        state: EpistemicState | MultiPointedStructure | ListedModel,
        formula: Formula | str,
        budget: Budget | None = None,
    ) -> Answer:
        """Return the right answer, except every thirtieth time."""
        found = super().holds(state, formula, budget)
        SeldomWrong.asked += 1
        wrong = SeldomWrong.asked % 30 == 0
        return Answer(not found, found.formula, self.name, found.why) if wrong else found


class OneTooMany(ExplicitEngine):
    """An engine that counts one world twice."""

    def worlds(self, state: Any, names: Any = None, budget: Budget | None = None) -> int:
        """Return one world too many."""
        return super().worlds(state, names, budget) + 1


class Talkative(SatEngine):
    """An engine that gives an unnecessary source."""

    def holds(
        self,
        state: EpistemicState | MultiPointedStructure,
        formula: Formula | str,
        budget: Budget | None = None,
    ) -> Answer:
        """Return the right answer, with one additional source."""
        found = super().holds(state, formula, budget)

        def why() -> Any:
            evidence = found.why()
            if isinstance(evidence, Known) and evidence.sources:
                more = replace(evidence.sources[0], formula=TRUE)
                return replace(evidence, sources=(*evidence.sources, more))
            return evidence

        return Answer(bool(found), found.formula, self.name, why)


class Patient(ExplicitEngine):
    """An engine that ignores time limits for formulas."""

    def holds(
        self,
        state: EpistemicState | MultiPointedStructure | ListedModel,
        formula: Formula | str,
        budget: Budget | None = None,
    ) -> Answer:
        """Ignore the budget."""
        return super().holds(state, formula, None)


class PatientCounter(ExplicitEngine):
    """An engine that ignores time limits for probabilities."""

    def probability(
        self, perspective: Perspective, formula: Formula | str, budget: Budget | None = None
    ) -> Fraction:
        """Ignore the budget."""
        return super().probability(perspective, formula, None)


ENGINE_FAULTS: Mapping[type[Engine], tuple[str, str]] = {
    SeldomWrong: ("test_truth_and_validity", r"is (True|False), but the engine says"),
    OneTooMany: ("test_counts", r"worlds: expected \d+, got \d+"),
    Talkative: ("test_evidence_can_be_checked_again", "do not prove .*, or some are not needed"),
    Patient: ("test_running_out_is_no_answer", "without any time: holds;"),
    PatientCounter: ("test_running_out_is_no_answer", "without any time: probability;"),
}


@pytest.mark.parametrize("wrong", ENGINE_FAULTS)
def test_engines_with_a_fault_are_caught(wrong: type[Engine]) -> None:
    check, says = ENGINE_FAULTS[wrong]

    class Right(EngineContract):
        cases = 10
        counts = True
        instant = ("possibilities", "sheet", "worlds")

        def make(self) -> Engine:
            return SatEngine() if wrong is Talkative else ExplicitEngine()

    class Wrong(Right):
        def make(self) -> Engine:
            return wrong()

    getattr(Right(), check)()
    with pytest.raises(BrokenContract, match=says):
        getattr(Wrong(), check)()


# ---- advice --------------------------------------------------------------------------------------

ADVICE_FAULTS: Mapping[str, tuple[tuple[float, Any], ...]] = {
    "has the value nan": ((float("nan"), None),),
    "is better than": ((0.1, None), (0.2, None)),
    "is not legal": ((0.5, Raise(0, 1)),),
}


@pytest.mark.parametrize("says", ADVICE_FAULTS)
def test_advice_with_a_fault_is_caught(says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(Advisor[Any, Any]):
        def advise(
            self, view: View[Any, Any], engine: Engine, number: int, **options: Any
        ) -> Sequence[Advice]:
            return [Advice("this", gain, move=move) for gain, move in ADVICE_FAULTS[says]]

    rules = described.Perudo()
    monkeypatch.setattr(type(rules.game), "advisor", Wrong())
    stage = walked(rules, next(iter(rules.setups)), 0)[1]
    with pytest.raises(BrokenContract, match=says):
        check_advice(stage, ExplicitEngine())


# ---- pictures ------------------------------------------------------------------------------------


def test_pictures_that_reveal_a_hidden_card_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = described.Cluedo()
    stages = walked(rules, next(iter(rules.setups)), 0)
    monkeypatch.setattr(pictures, "as_seen", lambda game, setup, outcome, after, player: outcome)
    with pytest.raises(BrokenContract, match="the picture of the table for bob depends on"):
        check_pictures(stages, "bob")
