"""A person's seat reveals nothing: the output is the same whatever is hidden from the seat.

The check plays games with people. At a moment when a person must choose, it draws another deal that
the person considers possible, and lays out the same game with it: with the same public events and
the same observations of this person. It types the same commands and the same wrong moves in both
games. The output must be the same, byte for byte.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from itertools import count, zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import click

from symkripke.cli.line_reader import LineReader
from symkripke.cli.options import Limits
from symkripke.cli.person_dialogue import InTheGame
from symkripke.engines import counter, engine
from symkripke.errors import InputError
from symkripke.model import World
from symkripke.play import Decision, Game, GameState, Outcome, PersonView, Table, TableEvent, game
from symkripke.play.strategies import HUMAN
from symkripke_games.cluedo.rules import Show, shown
from symkripke_games.old_maid.rules import Give, drawn_name
from symkripke_games.perudo.rules import Roll
from symkripke_games.perudo.throws import die_name, owner
from tests.soak.common import Found

SETUPS: dict[str, dict[str, Any]] = {
    "cluedo": {"players": 3, "size": "3/3/4"},
    "kwartet": {"players": 3, "groups": 4},
    "old_maid": {"players": 3, "rules": "study", "ranks": 4},
    "perudo": {"players": 3, "dice": 2},
    "sleuth": {"players": 3, "size": "3/3/2"},
}
"""The setup of each game."""

_TURNS = 14
"""The number of turns after which a game ends; longer games have no other kinds of moments."""

_DRAWN = 4
"""The number of deals drawn at a moment, to find a different one that fits the pending choices."""

COMMANDS = ("sheet", "odds", "who", "hint", "why", "suggest", "moves", "list", "banana", "help")
"""The possible input at each moment; each time, a few of these are typed."""


class Watched(Table[Any, Any]):
    """A game whose moves are all recorded."""

    def __init__(self, *given: Any) -> None:
        """Start without moves."""
        super().__init__(*given)
        self.made: list[Any] = []

    def _chosen(self, decision: Decision) -> tuple[Any, GameState[Any], Outcome[Any] | None]:
        found = super()._chosen(decision)
        self.made.append(found[0])
        return found

    def choose(self, player: str, move: Any) -> TableEvent[Any] | None:
        """Make and record a person's move."""
        event = super().choose(player, move)
        self.made.append(move)
        return event


# ---- the same game with another deal -------------------------------------------------------------


def laid_out(
    played: Game[Any, Any], setup: Any, world: World, truth: World, moves: Sequence[Any]
) -> tuple[dict[str, str], GameState[Any], list[Outcome[Any]]] | None:
    """Return the deal, the position and the events of the same moves in another world.

    Return None if the moves are impossible there.
    """
    last_roll = max((n for n, move in enumerate(moves) if isinstance(move, Roll)), default=-1)
    deal = dict(truth)
    if last_roll < 0:
        deal = {name: world[name] for name in truth}
    state: GameState[Any] = played.start(setup, deal)
    outcomes = []
    for number, move in enumerate(moves):
        try:
            state, outcome = state.play(_there(move, number == last_roll, state, world))
        except (InputError, KeyError):
            return None
        if outcome is not None:
            outcomes.append(outcome)
    return deal, state, outcomes


def _in_order(world: World) -> World:
    """Return a world with the dice of each player in ascending order, as in logs."""
    dice: dict[str, list[str]] = {}
    for name in world:
        if name.startswith(die_name("", 1)[:4]):
            dice.setdefault(owner(name), []).append(name)
    ordered = dict(world)
    for names in dice.values():
        faces = sorted((world[name] for name in names), key=int)
        ordered.update(zip(sorted(names), faces, strict=True))
    return ordered


def _there(move: Any, is_last_roll: bool, state: Any, world: World) -> Any:
    """Return a move with its hidden part as it is in that world."""
    if isinstance(move, Show):
        return Show(world.get(shown(state.turn), move.card))
    if isinstance(move, Give):
        return Give(world.get(drawn_name(state.turn), move.rank))
    if isinstance(move, Roll) and is_last_roll:
        return Roll(
            {
                player: tuple(int(world[die_name(player, n + 1)]) for n in range(len(dice)))
                for player, dice in move.dice.items()
            }
        )
    return move


def other_game(
    hosted: Watched, view: PersonView[Any, Any], folder: Path, chance: Random
) -> Table[Any, Any] | None:
    """Return the same game with another deal that the person considers possible, or None."""
    record = hosted.record
    truth = record.truth
    assert truth is not None
    perspective = view.moment.perspective(view.player)
    scene: Any = hosted.scene
    for world in counter(engine("auto")).sample(perspective, _DRAWN, chance):
        if all(scene.world[name] == value for name, value in world.items()):
            continue
        laid = laid_out(hosted.game, hosted.setup, _in_order(world), truth, hosted.made)
        if laid is None:
            continue
        deal, state, outcomes = laid
        if [o.public for o in outcomes] != [o.public for o in record.outcomes]:
            continue
        if state.decision is None or hosted.state.decision is None:
            continue
        if state.decision.pending != hosted.state.decision.pending:
            continue
        path = folder / hosted.path.name
        replace(record, truth=deal, outcomes=tuple(outcomes), moves=(), _lines=()).write(path)
        other = Table.open(path)
        other.state, other._choices = state, hosted._choices
        return other
    return None


# ---- the output ----------------------------------------------------------------------------------


def printed(hosted: Table[Any, Any], player: str, lines: Sequence[str]) -> str:
    """Return everything that a person sees who types these lines."""
    out, typed = io.StringIO(), io.StringIO("".join(f"{line}\n" for line in [*lines, "quit"]))
    with redirect_stdout(out), redirect_stderr(out), patch("sys.stdin", typed):
        reader = LineReader(InTheGame.history, plain=True)
        dialogue = InTheGame(hosted, reader, plain=True, limits=Limits())
        dialogue.open()
        dialogue.hold()
        for move in _wrong(hosted, player):
            try:
                hosted.choose(player, move)
            except InputError as error:
                out.write(f"{error}\n")
            else:
                raise AssertionError(f"{move!r} can be made")
    # The two games have a folder each, and the person knows the place of the log.
    return out.getvalue().replace(str(hosted.path), hosted.path.name)


def _wrong(hosted: Table[Any, Any], player: str) -> list[Any]:
    """Return moves that the person cannot make, as a program might send them."""
    view = hosted.seat(player)
    offered = list(view.menu.moves)
    assert view.game.people is not None
    kinds = [act.kind for act in view.game.people.moves]
    found: list[Any] = []
    if Show in kinds and view.decision is not None and view.decision.kind == "show":
        found += [Show(card.id) for card in view.setup.edition.cards]
    if "Ask" in [kind.__name__ for kind in kinds] and hasattr(view.setup, "groups"):
        ask = next(kind for kind in kinds if kind.__name__ == "Ask")
        found += [ask(who, card.id) for who in view.setup.players for card in view.setup.cards]
    return [move for move in found if move not in offered][:12]


def lines_of(view: PersonView[Any, Any], chance: Random) -> list[str]:
    """Return the input at a moment: some commands, formulas about others, and wrong moves."""
    cells = list(view.moment.layout.cells.values())
    cell, who = chance.choice(cells), chance.choice(view.setup.players)
    formulas = [f"ask K[{who}] {cell}", f"why M[{view.player}] {cell}", f"ask {cell}"]
    return [*chance.sample(COMMANDS, 4), chance.choice(formulas), "xyzzy 3", "note ''"]


# ---- the games -----------------------------------------------------------------------------------


def any_move(view: PersonView[Any, Any], chance: Random) -> Any:
    """Return a move from the menu; claims, which end games, are rare."""
    menu = view.menu
    if menu.usual is not None and chance.random() < 0.9:
        return menu.usual
    action = chance.choice(menu.actions[: max(1, len(menu.actions) - 1)])
    choices = [chance.randrange(len(part.choices)) for part in action.parts]
    return menu.chosen(menu.actions.index(action), choices)


def moments(
    name: str, seed: int, folder: Path, share: float
) -> Iterator[tuple[Watched, PersonView[Any, Any], Table[Any, Any], Random]]:
    """Yield moments of a game at which a person must choose, each with the game in another deal."""
    played, chance = game(name), Random(f"{name}/{seed}/secrecy")
    setup = played.setup(**SETUPS[name])
    (folder / "other").mkdir(exist_ok=True)
    minds = [HUMAN, next(iter(played.strategies)), HUMAN]
    hosted = Watched(played, setup, minds, seed)
    hosted.keep(folder / f"{name}-{seed}.jsonl", replace=True)
    while hosted.ended is None and hosted.state.turn <= _TURNS:
        if hosted.step() is not None or (who := hosted.waiting_for) is None:
            continue
        view = hosted.seat(who)
        if len(hosted.steps) and chance.random() < share:
            other = other_game(hosted, view, folder / "other", chance)
            if other is not None:
                yield hosted, view, other, chance
        hosted.choose(who, any_move(view, chance))


def compare(
    hosted: Watched, view: PersonView[Any, Any], other: Table[Any, Any], chance: Random
) -> str:
    """Type the same in both games; return the input and the first different line, or nothing."""
    lines = lines_of(view, chance)
    # Reopen both, because an engine's examples depend on its earlier questions.
    again = Table.open(hosted.path)
    again.state, again._choices = hosted.state, hosted._choices
    here, there = (printed(table, view.player, lines) for table in (again, other))
    pairs = zip_longest(here.splitlines(), there.splitlines())
    differ = next((pair for pair in pairs if pair[0] != pair[1]), None)
    return "" if differ is None else f"{view.player}, typed {lines}: {differ}"


@click.command()
@click.option(
    "--moments", "number", type=click.IntRange(1), default=1000, help="The minimum number."
)
@click.option("--seed", type=int, default=0, help="The first game.")
@click.option("--only", "names", multiple=True, type=click.Choice(list(SETUPS)), help="That game.")
def secrecy(number: int, seed: int, names: tuple[str, ...]) -> Found:
    """Check that people see the same output whatever is hidden from them."""
    found = Found()
    with TemporaryDirectory() as folder:
        for at in count(seed):
            for name in names or SETUPS:
                for hosted, view, other, chance in moments(name, at, Path(folder), 0.5):
                    told = compare(hosted, view, other, chance)
                    found.check(not told, f"{name}, seed {at}, event {len(hosted.steps)}, {told}")
                    found.done[name] += 1
            if found.done.total() >= number:
                return found
    raise AssertionError
