"""The contract of players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

import pytest

from symkripke.engines import Engine, engine
from symkripke.model import Perspective, Scene
from symkripke.play import CHANCE, Decision, Game, GameState, Player, Table, View
from symkripke.play.strategies import strategy
from symkripke.testing.described import Described
from symkripke.testing.histories import BrokenContract, Choice, History, Mover, Stage, walk
from symkripke.testing.worlds import check_facts, check_knowledge, check_worlds

MOST_GAMES = 12
"""The number of games after which a test stops looking for histories to compare choices with."""


class PlayerContract:
    """The contract that the players of a game must keep. Subclass it in a test file.

    Attributes:
        described: the game, described by its rules.
        tuned: further strategies with parameters, such as `guesser:0.2`.
        setups: the small setups of `described` that are played; empty for all.
        games: the minimum number of games that each strategy plays with each setup.
        others: the number of other histories that are tried at each decision.
        comparisons: the minimum number of other histories that must be tried to show that nobody
            peeks; further games are played until it is reached.
        whole: options of setups that are played to the end without a list of histories; if empty,
            the setups that are played with a list.
        turns: the number of turns after which such a game is stopped.
    """

    described: Described
    tuned: Sequence[str] = ()
    setups: Sequence[str] = ()
    games: int = 1
    others: int = 4
    comparisons: int = 12
    whole: Mapping[str, Mapping[str, Any]] = {}
    turns: int = 60

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Generate a test for each strategy and setup."""
        game = self.described.game
        minds = (*game.strategies, *self.tuned)
        names = metafunc.fixturenames
        if "setup_name" in names:
            cases = [
                (mind, name) for mind in minds for name in self.setups or self.described.setups
            ]
            metafunc.parametrize(
                ("mind", "setup_name"), cases, ids=[f"{mind}, {name}" for mind, name in cases]
            )
        elif "options" in names:
            listed = self.described.setups
            sizes = self.whole or {name: listed[name] for name in self.setups or listed}
            whole = [(mind, options) for mind in minds for options in sizes.values()]
            ids = [f"{mind}, {name}" for mind in minds for name in sizes]
            metafunc.parametrize(("mind", "options"), whole, ids=ids)

    def test_levels_name_strategies(self) -> None:
        """Check that levels name different strategies, and that no strategy has a level's name."""
        game = self.described.game
        unknown = set(game.levels.values()) - set(game.strategies)
        names = {level.lower() for level in game.levels} & set(game.strategies)
        twice = len(set(game.levels.values())) < len(game.levels)
        if unknown or names or twice:
            raise BrokenContract(
                f"{game.title}: the levels {dict(game.levels)} must name different strategies, "
                f"of {', '.join(game.strategies)}, and no strategy may have the name of a level"
            )

    def test_nobody_peeks(self, mind: str, setup_name: str) -> None:
        """Check that a player makes the same choices in all histories that look the same to it."""
        compared = 0
        for seed in range(MOST_GAMES):
            compared += sum(1 for _ in self.compared(mind, setup_name, seed))
            if seed + 1 >= self.games and compared >= self.comparisons:
                return
        raise BrokenContract(
            f"{self.described.game.title}: in {MOST_GAMES} games choices of {mind} were compared "
            f"{compared} times, expected {self.comparisons} or more: use setups that hide more"
        )

    def compared(self, mind: str, setup_name: str, seed: int) -> Iterator[History]:
        """Yield the histories of a game with which choices were compared."""
        chance = Random(f"{seed}/others")
        game = observed(self.described, mind, setup_name, seed)
        for number, stage in enumerate(game):
            following = game[number + 1].actual.choices if number + 1 < len(game) else ()
            for player in stage.players:
                made = own(stage.actual.choices, player)
                if asked_now(stage.actual.state, player) and following:
                    made.append(following[len(stage.actual.choices)])
                others = list(stage.considered(player)[1:])
                chance.shuffle(others)
                for other in others[: self.others] if made else ():
                    check_no_peeking(game, stage, mind, player, made, other)
                    yield other

    def test_what_they_play_is_known_exactly(self, mind: str, setup_name: str) -> None:
        """Check worlds and knowledge against the histories in games of these players."""
        chance = Random(mind)
        for stage in observed(self.described, mind, setup_name, 0):
            check_worlds(stage)
            check_facts(stage)
            check_knowledge(stage, chance, 1)

    def test_assessments_are_sound(self, mind: str, setup_name: str) -> None:
        """Check that a player's assessments are true, and that it is certain only if it knows."""
        game, described = self.described.game, self.described
        for seed in range(self.games):
            asked = engine("sat")
            stages = observed(described, mind, setup_name, seed)
            players = made_players(game, mind, asked, stages[0].players, seed)
            for number, stage in enumerate(stages):
                for player in stage.players:
                    assessment = players[player].assess(view_of(stages, number, player))
                    for name, value in assessment.located.items():
                        actual = stage.scene.structure.resolver.value(name, stage.scene.world)
                        if actual != value:
                            raise BrokenContract(
                                f"{stage.where}: {player} ({mind}) says that {name} is {value}; "
                                f"it is {actual}"
                            )
                    knows = game.knows_answer(stage.setup, stage.scene.structure, player)
                    if assessment.certain and knows is not None and not stage.true(knows):
                        raise BrokenContract(
                            f"{stage.where}: {player} ({mind}) is certain without "
                            "knowing the answer"
                        )

    def test_the_same_seed_gives_the_same_game(self, mind: str, options: Mapping[str, Any]) -> None:
        """Check that neither a used engine nor assessments change the game of a seed."""
        game = self.described.game
        setup = game.setup(**options)
        first = played_out(game, setup, mind, 7, engine("sat"), self.turns)
        used = engine("sat")
        played_out(game, setup, mind, 8, used, self.turns)
        again = Table(game, setup, (mind,), 7, answering=used, turns=self.turns)
        events = []
        for step in again:
            events.append(step.outcome)
            if len(events) <= 10:
                again.assess()
        if events != first:
            where = next(
                (
                    n
                    for n, pair in enumerate(zip(events, first, strict=False))
                    if pair[0] != pair[1]
                ),
                min(len(events), len(first)),
            )
            raise BrokenContract(
                f"{game.title}: {mind} plays another game with the same seed (event {where + 1}) "
                "with an engine that was used before, or when it is asked for its assessment"
            )


# ---- parts ---------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def observed(described: Described, mind: str, setup_name: str, seed: int) -> list[Stage]:
    """Return a game that these players play, with all histories."""
    setup = described.setup(setup_name)
    game = described.game
    players = made_players(game, mind, engine("sat"), setup.players, seed)
    return walk(described, setup, seed, player_mover(players, Random(f"{seed}/chance")))


def made_players(
    game: Game[Any, Any], mind: str, asked: Engine, names: Sequence[str], seed: int
) -> dict[str, Player[Any, Any]]:
    """Return players of one kind for all seats."""
    made = strategy(game, mind)
    return {name: made(asked, Random(f"{seed}/{name}")) for name in names}


def player_mover(players: Mapping[str, Player[Any, Any]], chance: Random) -> Mover:
    """Return a mover that lets players choose, and shows them the public record.

    The mover raises `BrokenContract` if the rules forbid the chosen move.
    """

    def move(stage: Stage, state: GameState[Any], decision: Decision) -> Any:
        if decision.player == CHANCE:
            return stage.described.game.chance(stage.setup, state, chance)
        view = View(
            stage.setup,
            stage.scene.perspective(decision.player),
            record_of(stage.actual),
            decision,
        )
        chosen = players[decision.player].choose(view)
        try:
            state.play(chosen)
        except Exception as error:
            raise BrokenContract(
                f"{stage.where}: {decision.player} chose {chosen!r} ({decision.kind}), which "
                f"State.play refuses: {error}"
            ) from error
        return chosen

    return move


def record_of(history: History) -> tuple[Any, ...]:
    """Return the public events of a history."""
    return tuple(outcome.public for outcome in history.outcomes)


def own(choices: Sequence[Choice], player: str) -> list[Choice]:
    """Return the choices of that player."""
    return [choice for choice in choices if choice.decision.player == player]


def asked_now(state: GameState[Any], player: str) -> bool:
    """Return whether that player makes the current decision."""
    decision = state.decision
    return decision is not None and decision.player == player


def seen_in(stage: Stage, history: History, player: str) -> Perspective:
    """Return the player's perspective in this history."""
    return Scene(stage.scene.structure, history.world).perspective(player)


def view_of(stages: Sequence[Stage], number: int, player: str) -> View[Any, Any]:
    """Return the view that the player has at that stage of the game."""
    stage = stages[number]
    return View(stage.setup, stage.scene.perspective(player), record_of(stage.actual))


def check_no_peeking(
    stages: Sequence[Stage],
    stage: Stage,
    mind: str,
    player: str,
    made: Sequence[Choice],
    other: History,
) -> None:
    """Check that a new player makes the same choices in another history.

    Raises:
        BrokenContract: a choice, or the number of choices, is different.
    """
    game, setup = stage.described.game, stage.setup
    asked = own(other.choices, player)
    decision = other.state.decision
    if decision is not None and decision.player == player and len(asked) < len(made):
        asked.append(Choice(len(other.outcomes), decision, None))
    anew = strategy(game, mind)(engine("sat"), Random(f"{stage.seed}/{player}"))
    if len(asked) != len(made):
        raise BrokenContract(
            f"{stage.where}: {player} was asked {len(made)} times, but would have been asked "
            f"{len(asked)} times in a history that looks the same to it: {other.told()}"
        )
    for choice, there in zip(made, asked, strict=True):
        before = stages[choice.events]
        view = View(
            setup,
            seen_in(before, other.after(there.events), player),
            record_of(other.after(there.events)),
            there.decision,
        )
        chosen = anew.choose(view)
        if chosen != choice.move:
            raise BrokenContract(
                f"{before.where}: {player} ({mind}) chose {choice.move!r}, but would have chosen "
                f"{chosen!r} if this had happened, which looks the same to it: {other.told()}"
            )


def played_out(
    game: Game[Any, Any], setup: Any, mind: str, seed: int, asked: Engine, turns: int
) -> list[Any]:
    """Return the events of a whole game."""
    table = Table(game, setup, (mind,), seed, answering=asked, turns=turns)
    return [step.outcome for step in table]
