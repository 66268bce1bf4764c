"""Histories: all possible courses of a game, played by its rules alone.

A history is a deal with the events after it. Among the histories with the same public events, a
player considers possible the histories in which it has made the same observations. This defines the
knowledge that the player should have. `walk` lists the histories together with the scene that the
encoding creates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, NoReturn

import numpy as np

from symkripke.engines.asked import without_values
from symkripke.engines.explicit.model import KripkeModel
from symkripke.engines.explicit.table import Table, Vector
from symkripke.engines.explicit.truth import evaluate
from symkripke.errors import ImpossibleEvent, InputError
from symkripke.language import Atom, Formula
from symkripke.model import Event, Fluent, KnowledgeStructure, Observable, Scene, World
from symkripke.play import Decision, GameState, Outcome
from symkripke.testing.described import Described

LONGEST = 50
"""The number of moves without an event after which a search for histories ends."""

TRIES = 20
"""The number of tries to find a move whose event states nothing false about knowledge."""


def shown(world: World) -> str:
    """Return a world as one line of text."""
    return ", ".join(f"{name} = {value}" for name, value in world.items())


class BrokenContract(AssertionError):
    """A breach of contract by a game, player or engine; the message says what was expected."""


@dataclass(frozen=True)
class Choice:
    """A move that was made.

    Attributes:
        events: the number of events that had happened.
        decision: the decision.
        move: the chosen move.
    """

    events: int
    decision: Decision
    move: Any


@dataclass(frozen=True, eq=False)
class History:
    """A possible course of a game.

    Attributes:
        deal: the deal.
        outcomes: the events after the deal, with their secrets.
        choices: the moves, including moves without an event.
        state: the current position by the rules.
        seen: for each player, its private observations, beginning with the deal.
        world: the current world of the encoding: a value for every fluent.
        before: the history before the last event; None after the deal.
    """

    deal: World
    outcomes: tuple[Outcome[Any], ...]
    choices: tuple[Choice, ...]
    state: GameState[Any]
    seen: Mapping[str, tuple[Any, ...]]
    world: World
    before: History | None = None

    def after(self, events: int) -> History:
        """Return this history as it was after this number of events."""
        history = self
        while len(history.outcomes) > events:
            assert history.before is not None
            history = history.before
        return history

    def told(self) -> str:
        """Return the history in words."""
        secrets = [
            f"event {number}: {', '.join(f'{n} = {v}' for n, v in outcome.secret.items())}"
            for number, outcome in enumerate(self.outcomes, 1)
            if outcome.secret
        ]
        return "; ".join((f"dealt {shown(self.deal)}", *secrets))


@dataclass(frozen=True, eq=False)
class Stage:
    """A game after some event: the scene of the encoding, and all histories that look the same.

    Attributes:
        described: the game.
        setup: the setup.
        seed: the seed of the game.
        scene: the scene of the encoding.
        before: the rules' position before the event; None after the deal.
        outcome: the event; None after the deal.
        histories: all histories with the same public events; the first is the actual one.
    """

    described: Described
    setup: Any
    seed: int
    scene: Scene
    before: GameState[Any] | None
    outcome: Outcome[Any] | None
    histories: tuple[History, ...]

    @property
    def actual(self) -> History:
        """The actual history."""
        return self.histories[0]

    @property
    def players(self) -> tuple[str, ...]:
        """The players, in seat order."""
        players: tuple[str, ...] = self.setup.players
        return players

    @property
    def where(self) -> str:
        """The place of this stage in the game, in words."""
        number = len(self.actual.outcomes)
        if self.outcome is None:
            return f"{self.described.game.title}, seed {self.seed}, after the deal"
        story = self.described.game.story(self.setup, self.outcome)
        return f"{self.described.game.title}, seed {self.seed}, after event {number} ({story})"

    @cached_property
    def _model(self) -> KripkeModel:
        """The Kripke model of the histories, whose cells contain the histories with equal views.

        The views of each player are numbered. The player observes additional fluents, which
        represent the binary digits of the number.
        """
        fluents = dict(self.scene.structure.vocabulary.fluents)
        columns = {
            name: np.array([fluent.values.index(there.world[name]) for there in self.histories])
            for name, fluent in fluents.items()
        }
        observables: dict[str, list[Observable]] = {}
        for player in self.players:
            numbers: dict[Any, int] = {}
            for history in self.histories:
                numbers.setdefault(history.seen[player], len(numbers))
            views = np.array([numbers[history.seen[player]] for history in self.histories])
            observables[player] = []
            for digit in range(len(numbers).bit_length()):
                fluent = Fluent(f"view_by_the_rules({player}, {digit})")
                fluents[fluent.name] = fluent
                columns[fluent.name] = views >> digit & 1
                observables[player].append(Observable(Atom(fluent.name), "by the rules"))
        plausibility = {
            player: tuple(soft.formula for soft in self.scene.structure.plausibility(player))
            for player in self.players
        }
        table = Table(len(self.histories), fluents, columns)
        return KripkeModel(table, observables, plausibility=plausibility)

    @cached_property
    def _truths(self) -> dict[Formula, Vector]:
        """A cache: for each formula, the histories in which it is true."""
        return {}

    @cached_property
    def _places(self) -> dict[int, int]:
        """The index of each history, by the history's `id`."""
        return {id(history): place for place, history in enumerate(self.histories)}

    def considered(self, player: str) -> tuple[History, ...]:
        """Return the histories that the player considers possible, the actual one first."""
        mine = self.actual.seen[player]
        return tuple(history for history in self.histories if history.seen[player] == mine)

    def true(self, formula: Formula, history: History | None = None) -> bool:
        """Return whether a formula of plain names is true in a history (by default, `actual`)."""
        if formula not in self._truths:
            structure = self.scene.structure
            plain = without_values(structure, structure.resolve(formula))
            self._truths[formula] = evaluate(self._model, plain)
        place = 0 if history is None else self._places[id(history)]
        return bool(self._truths[formula][place])


# ---- the moves of a game -------------------------------------------------------------------------


def accepted(described: Described, state: GameState[Any], move: Any) -> bool:
    """Return whether `GameState.play` accepts the move.

    Raises:
        BrokenContract: the move raises an error that is not an `InputError`.
    """
    try:
        state.play(move)
    except InputError:
        return False
    except Exception as error:
        raise BrokenContract(
            f"{described.game.title}: State.play({move!r}) raised {type(error).__name__}: {error}; "
            "a move that the rules forbid should raise RuleError"
        ) from error
    return True


Mover = Callable[["Stage", GameState[Any], Decision], Any]
"""A function that chooses a move, given a stage, a position and a decision."""


def random_mover(chance: Random) -> Mover:
    """Return a mover that makes random legal moves."""

    def move(stage: Stage, state: GameState[Any], decision: Decision) -> Any:
        described = stage.described
        listed = described.moves(stage.setup, state)
        moves = [move for move in listed if accepted(described, state, move)]
        if not moves:
            raise BrokenContract(
                f"{described.game.title}: {decision.player!r} must decide ({decision.kind}), but "
                f"State.play accepts none of the moves that {type(described).__name__}.moves lists"
            )
        return described.picked(moves, chance)

    return move


def played(
    stage: Stage, mover: Mover
) -> tuple[GameState[Any], GameState[Any], Outcome[Any], tuple[Choice, ...]] | None:
    """Move until the next event; return the states before and after it, the event and the moves.

    Return None if the game ends without another event.
    """
    choices: list[Choice] = []
    state, events = stage.actual.state, len(stage.actual.outcomes)
    while (decision := state.decision) is not None and len(choices) < LONGEST:
        move = mover(stage, state, decision)
        choices.append(Choice(events, decision, move))
        before = state
        state, outcome = state.play(move)
        if outcome is not None:
            return before, state, outcome, tuple(choices)
    return None


def continued(
    described: Described, setup: Any, history: History, public: Any
) -> Iterator[tuple[GameState[Any], GameState[Any], Outcome[Any], tuple[Choice, ...]]]:
    """Yield all ways to continue a history to an event with the public part `public`."""
    events = len(history.outcomes)
    stages: list[tuple[GameState[Any], Outcome[Any]]] = []
    pending: list[tuple[GameState[Any], tuple[Choice, ...]]] = [(history.state, ())]
    while pending:
        state, choices = pending.pop()
        decision = state.decision
        if decision is None or len(choices) >= LONGEST:
            continue
        for move in described.moves_towards(setup, state, public):
            try:
                after, outcome = state.play(move)
            except InputError:
                continue
            chosen = (*choices, Choice(events, decision, move))
            if outcome is None:
                pending.append((after, chosen))
            elif outcome.public == public and (after, outcome) not in stages:
                stages.append((after, outcome))
                yield state, after, outcome, chosen


# ---- games, with all their histories -------------------------------------------------------------


def walk(
    described: Described, setup: Any, seed: int, mover: Mover | None = None, events: int = 0
) -> list[Stage]:
    """Return a game with all histories at each stage; `mover` makes the moves (default: random).

    Raises:
        BrokenContract: the encoding excludes an event or a deal that the rules allow.
    """
    chance = Random(f"{seed}/contract")
    stages = [dealt(described, setup, seed, chance)]
    chosen = random_mover(chance) if mover is None else mover
    for _ in range(events or described.events):
        following = None
        for _ in range(TRIES):
            on = played(stages[-1], chosen)
            following = None if on is None else _next(stages[-1], *on)
            if on is None or following is not None or mover is not None:
                break
        if following is None:
            break
        stages.append(following)
    return stages


def dealt(described: Described, setup: Any, seed: int, chance: Random) -> Stage:
    """Return the stage after a random deal, with all deals as histories."""
    game = described.game
    deals = list(described.deals(setup))
    if not deals:
        raise BrokenContract(f"{type(described).__name__}.deals lists no deal of {setup!r}")
    chance.shuffle(deals)
    structure = game.structure(setup)
    histories = []
    for deal in deals:
        try:
            world = Scene.of(structure, deal).world
        except InputError as error:
            raise BrokenContract(
                f"{game.title}: Game.structure excludes a deal that the rules allow: {error}.\n"
                f"  The deal: {shown(deal)}"
            ) from error
        seen = {
            player: (tuple(described.sees_of_deal(setup, deal, player)),)
            for player in setup.players
        }
        state = game.start(setup, deal)
        histories.append(History(deal, (), (), state, seen, world))
    scene = Scene(structure, histories[0].world)
    return Stage(described, setup, seed, scene, None, None, tuple(histories))


def _next(
    stage: Stage,
    before: GameState[Any],
    after: GameState[Any],
    outcome: Outcome[Any],
    choices: tuple[Choice, ...],
) -> Stage | None:
    """Return the stage after an event, with every history continued to the same public event.

    Return None if the event states something false about knowledge, because it then does not
    happen.
    """
    described, setup, game = stage.described, stage.setup, stage.described.game
    number = len(stage.actual.outcomes) + 1
    description = f"{game.title}, seed {stage.seed}, event {number} ({game.story(setup, outcome)})"
    step = _Step(stage, description)
    actual = step.follow(stage.actual, before, after, outcome, choices, first=True)
    if actual is None:
        return None
    histories = [actual]
    is_there = False
    for history in stage.histories:
        for way in continued(described, setup, history, outcome.public):
            if history is stage.actual and way[1] == after and way[2] == outcome:
                is_there = True
                continue
            made = step.follow(history, *way)
            if made is not None:
                histories.append(made)
    if not is_there:
        raise BrokenContract(
            f"{description}: {type(described).__name__}.moves_towards omits the move that led "
            f"to this event: {choices[-1].move!r}"
        )
    assert step.scene is not None
    return Stage(described, setup, stage.seed, step.scene, before, outcome, tuple(histories))


class _Step:
    """An event, encoded in every history with the same public event."""

    def __init__(self, stage: Stage, description: str) -> None:
        self.stage = stage
        self.told = description
        self.scene: Scene | None = None
        self.event: Event | None = None

    def follow(
        self,
        history: History,
        before: GameState[Any],
        after: GameState[Any],
        outcome: Outcome[Any],
        choices: tuple[Choice, ...],
        first: bool = False,
    ) -> History | None:
        """Return the history with the event; None if its statement about knowledge excludes it.

        Some events state knowledge ("she did not accuse, so she did not know"). The rules also
        allow such an event in histories in which the statement is false, but the players have
        agreed not to play in this way.

        Raises:
            BrokenContract: the encoding excludes the event.
        """
        stage, setup = self.stage, self.stage.setup
        renewed = stage.described.game.redeal(setup, outcome)
        if renewed is not None:
            world = self._renewed(*renewed, first)
        else:
            event = self._event(before, outcome, first)
            for constraint in event.constraints:
                if constraint.is_modal and not stage.true(constraint.formula, history):
                    return None
            world = self._world(history, outcome, event, first)
        seen = {
            player: (
                *history.seen[player],
                tuple(
                    sorted(stage.described.sees_of_event(setup, before, outcome, player).items())
                ),
            )
            for player in setup.players
        }
        return History(
            history.deal,
            (*history.outcomes, outcome),
            (*history.choices, *choices),
            after,
            seen,
            world,
            history,
        )

    def _event(self, before: GameState[Any], outcome: Outcome[Any], first: bool) -> Event:
        """Return the encoding of the event, which must be the same in all histories."""
        event = self.stage.described.game.event_in(self.stage.setup, before, outcome)
        if first:
            self.event = event
        elif event != self.event:
            raise BrokenContract(
                f"{self.told}: the encoding of this event depends on hidden facts; "
                f"with the secrets {dict(outcome.secret)!r} it is another event:\n"
                f"  expected {self.event}\n  got      {event}"
            )
        return event

    def _world(self, history: History, outcome: Outcome[Any], event: Event, first: bool) -> World:
        scene = Scene(self.stage.scene.structure, history.world)
        try:
            updated = scene.update(event, outcome.secret, lambda _scene, _formula: True)
        except ImpossibleEvent as error:
            self._refused(history, outcome, str(error))
        if first:
            self.scene = updated
        return updated.world

    def _renewed(self, structure: KnowledgeStructure, values: World, first: bool) -> World:
        scene = Scene.of(structure, values)
        if first:
            worlds = {tuple(sorted(history.world.items())) for history in self.stage.histories}
            if len(worlds) > 1:
                raise BrokenContract(
                    f"{self.told}: Game.redeal forgets unknown facts: {len(worlds)} worlds "
                    "were possible before the new deal"
                )
            self.scene = scene
        return scene.world

    def _refused(self, history: History, outcome: Outcome[Any], why: str) -> NoReturn:
        considered = [
            player
            for player in self.stage.players
            if history.seen[player] == self.stage.actual.seen[player]
        ]
        raise BrokenContract(
            f"{self.told}: the encoding excludes what the rules allow: {why}.\n"
            f"  Considered possible before by {_names(considered)}: {history.told()}\n"
            f"  Secrets of the event there: {dict(outcome.secret) or 'none'}\n"
            "  Is a constraint too strong, or superfluous?"
        )


def _names(players: Iterable[str]) -> str:
    return ", ".join(players) or "no player (but another player may think so)"
