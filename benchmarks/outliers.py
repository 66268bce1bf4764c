"""`outliers`: the slowest of many random nested questions, over whole full-size games.

A question nests operators to a given depth (a mixture of K, M, Kw, E, D and C with Boolean
operators between them, and B in Perudo). It ends in facts or in one of the game's own words:
a player knows the solution, the hidden gem, whether a bid is met, where a card is, or who has the
old maid. Each question goes to a fresh engine, and to an engine that has followed the game and
answered all previous questions. The two answers must agree. Some must also agree with a diagram, if
it can be built in time. At small size, all must agree with the explicit model.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any

import click

from benchmarks.common import Seconds, Table, Tables, check, measurement, numbers, spread
from symkripke.engines import Budget, Engine, engine
from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.language import Formula, Kv, Kw, conjunction, disjunction, negation
from symkripke.language import formulas as f
from symkripke.model import Scene
from symkripke.play import Game
from symkripke.play import Table as PlayTable
from symkripke_games import cluedo, kwartet, old_maid, perudo, sleuth
from symkripke_games.cluedo.knowledge import knows_solution
from symkripke_games.old_maid.knowledge import holds
from symkripke_games.perudo.rules import Bid
from symkripke_games.sleuth.knowledge import knows_gem

_Table = PlayTable[Any, Any]

# ---- the questions -------------------------------------------------------------------------


@dataclass(frozen=True)
class Moment:
    """A scene of a game, with the table it comes from."""

    players: int
    seed: int
    events: int
    table: _Table

    @property
    def scene(self) -> Scene:
        """The scene after the events."""
        return self.table.scenes[self.events]

    def __str__(self) -> str:
        return f"{self.players} players, seed {self.seed}, after {self.events} events"


@dataclass(frozen=True)
class Kind:
    """A game, and the kinds of questions about it.

    Attributes:
        game: the game.
        players: the numbers of players at full size.
        mind: the mind of the players.
        small: options of a game that is small enough for the explicit model.
        operators: the operators of the questions; those listed twice are chosen more often.
        fact: returns a random fact.
        word: returns a statement about a player in the game's own words, or None.
    """

    game: Game[Any, Any]
    players: tuple[int, ...]
    mind: str
    small: Mapping[str, Any]
    operators: tuple[str, ...]
    fact: Callable[[Moment, Random], Formula]
    word: Callable[[Moment, str], Formula | None]


def _place(moment: Moment, chance: Random) -> Formula:
    """Return the fact that a random fluent has a random value."""
    fluent = chance.choice(list(moment.scene.structure.vocabulary.fluents.values()))
    return fluent.equals(chance.choice(fluent.values))


def _dice(moment: Moment, chance: Random) -> Formula:
    """Return the fact that at least some number of dice, of all or of one player, show a face."""
    dice = [name for name in moment.scene.structure.vocabulary.fluents if name.startswith("die")]
    face = chance.randint(1, moment.table.setup.faces)
    if chance.random() < 0.5:
        told = f"eT({chance.randint(1, 1 + len(dice) // 3)}, {face})"
    else:
        player = chance.choice(moment.table.setup.players)
        told = f"eA({player}, {chance.randint(1, 2)}, {face})"
    return moment.scene.structure.parse(told)


def _bid(moment: Moment, player: str) -> Formula | None:
    """Return "the player knows whether the last bid is met", or None without a bid."""
    for number in range(moment.events, 0, -1):
        happened = moment.table.steps[number - 1].outcome.public
        if moment.table.scenes[number].structure.root is not moment.scene.structure.root:
            return None
        if isinstance(happened, Bid):
            met = f"met({happened.quantity}, {happened.face})"
            return Kw(player, moment.scene.structure.parse(met))
    return None


def _held(moment: Moment, chance: Random) -> Formula:
    """Return the fact that a player has a card of some rank."""
    setup = moment.table.setup
    return holds(chance.choice(setup.players), chance.choice([*setup.deck]))


def _knows_place(moment: Moment, player: str) -> Formula:
    """Return "the player knows where some card is"."""
    fluents = moment.scene.structure.vocabulary.fluents
    return Kv(player, (Random(f"{moment}/{player}").choice([*fluents]),))


def _knows_maid(moment: Moment, player: str) -> Formula:
    """Return "the player knows who has the old maid"."""
    setup = moment.table.setup
    maid = next(rank for rank, number in setup.deck.items() if number % 2)
    return Kv(player, tuple(holds(owner, maid).fluent for owner in setup.players))


_OPERATORS = ("K", "K", "M", "M", "Kw", "E", "D", "C")

KINDS = {
    "cluedo": Kind(
        cluedo.GAME,
        (3, 4, 5, 6),
        "higher-order",
        {"rules": "study", "players": 4, "size": "3/3/4"},
        _OPERATORS,
        _place,
        lambda moment, player: knows_solution(player),
    ),
    "sleuth": Kind(
        sleuth.GAME,
        (3, 4, 5, 6, 7),
        "lead",
        {"players": 3, "size": "2/2/2"},
        _OPERATORS,
        _place,
        lambda moment, player: knows_gem(player),
    ),
    "kwartet": Kind(
        kwartet.GAME,
        (3, 4, 5),
        "random",
        {"rules": "study", "players": 3, "groups": 3},
        _OPERATORS,
        _place,
        _knows_place,
    ),
    "old_maid": Kind(
        old_maid.GAME,
        (3, 4, 5, 6),
        "random",
        {"rules": "study", "players": 3},
        _OPERATORS,
        _held,
        _knows_maid,
    ),
    "perudo": Kind(
        perudo.GAME,
        (6,),
        "study",
        {"players": 2, "dice": 2},
        (*_OPERATORS, "B"),
        _dice,
        _bid,
    ),
}


def question(kind: Kind, moment: Moment, depth: int, chance: Random) -> Formula:
    """Return a random formula with at most `depth` nested operators of knowledge."""
    agents = moment.scene.structure.agents
    shape = chance.random()
    if depth == 0:
        facts = [kind.fact(moment, chance) for _ in range(chance.choice((1, 1, 2)))]
        return (disjunction if shape < 0.5 else conjunction)(facts)
    if depth == 1 and shape < 0.4:
        word = kind.word(moment, chance.choice(agents))
        if word is not None:
            return word
    if shape > 0.85:
        parts = [question(kind, moment, n, chance) for n in (depth, chance.randrange(depth))]
        return chance.choice((conjunction, disjunction))(parts)
    inner = question(kind, moment, depth - 1, chance)
    if shape > 0.6:
        inner = negation(inner)
    agent = chance.choice([one for one in agents if not _begins_with(inner, one)] or agents)
    group = chance.sample(agents, chance.choice((2, 2, len(agents))))
    operator = chance.choice(kind.operators)
    match operator:
        case "E" | "D" | "C":
            return {"E": f.E, "D": f.D, "C": f.C}[operator](tuple(group), inner)
        case "B":
            return f.B(agent, inner)
    return {"K": f.K, "M": f.M, "Kw": f.Kw}[operator](agent, inner)


def _begins_with(formula: Formula, agent: str) -> bool:
    """Return whether the formula is about what the agent itself knows or believes."""
    return isinstance(formula, f.K | f.M | f.Kw | f.Kv | f.B) and formula.agent == agent


# ---- asking it -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """A question, its processor time, and the answer, or None if it ran out of time."""

    moment: Moment
    formula: Formula
    seconds: Seconds
    answer: bool | None


def ask(made: Engine, moment: Moment, formula: Formula, cap: float) -> Asked:
    """Ask a question, and measure its time."""
    answer = None
    start = time.process_time()
    with suppress(BudgetExceeded):
        answer = bool(made.holds(moment.scene, formula, Budget(seconds=cap)))
    return Asked(moment, formula, Seconds(time.process_time() - start), answer)


def moments(kind: Kind, players: Sequence[int], seeds: Sequence[int], each: int) -> list[Moment]:
    """Return `each` moments of every game, in order: the end and random earlier ones."""
    found: list[Moment] = []
    for number in players:
        for seed in seeds:
            table = PlayTable(kind.game, kind.game.setup(players=number), (kind.mind,), seed)
            found.extend(_some(table, number, seed, each))
    return found


def _some(table: _Table, number: int, seed: int, each: int) -> Iterator[Moment]:
    for _ in table:
        pass
    events = range(1, len(table.scenes) - 1)
    chosen = Random(f"{seed}/moments").sample(events, min(each - 1, len(events)))
    for after in sorted([*chosen, len(table.scenes) - 1]):
        yield Moment(number, seed, after, table)


def verify(kind: Kind, seeds: Sequence[int], depths: Sequence[int]) -> int:
    """Compare random questions about small games with the explicit model."""
    checked = 0
    for seed in seeds:
        table = PlayTable(kind.game, kind.game.setup(**kind.small), (kind.mind,), seed)
        chance, made, oracle = Random(f"{seed}/checks"), engine(), engine("explicit")
        for moment in _some(table, len(table.setup.players), seed, 5):
            for _ in range(12):
                formula = question(kind, moment, chance.choice(depths), chance)
                expected = bool(oracle.holds(moment.scene, formula))
                for asked in (made, engine()):
                    answer = bool(asked.holds(moment.scene, formula))
                    check(answer is expected, f"{moment}: {formula} is {expected}")
                    checked += 1
    return checked


def compare(found: Sequence[Asked], number: int, cap: float, chance: Random) -> int:
    """Compare a sample of answers with diagrams that can be built in time; return their number."""
    agreed = 0
    for one in chance.sample(found, min(number, len(found))):
        other = engine("bdd")
        try:
            answer = bool(other.holds(one.moment.scene, one.formula, Budget(seconds=cap)))
        except (BudgetExceeded, Unsupported):
            continue
        check(one.answer in (None, answer), f"{one.moment}: {one.formula} is {answer} (bdd)")
        agreed += one.answer is not None
    return agreed


# ---- the output ----------------------------------------------------------------------------


def _row(name: str, found: Sequence[Asked], limit: float) -> list[object]:
    seconds = [one.seconds for one in found]
    over = [sum(one >= limit for one in seconds), sum(one.answer is None for one in found)]
    return [name, len(found), *spread(seconds), *over]


def _described(name: str, one: Asked) -> str:
    answer = {True: "yes", False: "no", None: "no answer"}[one.answer]
    return f"  {one.seconds} ({name}; {one.moment}): {answer}: {one.formula}"


@measurement("outliers")
@click.option("--game", "names", type=click.Choice([*KINDS]), multiple=True, help="[default: all]")
@click.option("--questions", type=click.IntRange(1), default=500, help="Questions of each game.")
@click.option("--players", default="", help="Numbers of players, as in 3,4.  [default: all]")
@click.option("--seeds", type=click.IntRange(1), default=2, help="Games of each size.")
@click.option("--moments", "each", type=click.IntRange(1), default=6, help="Moments of each game.")
@click.option("--depths", default="2,3,4", help="Numbers of operators inside each other.")
@click.option("--cap", type=float, default=10.0, help="The most seconds for a question.")
@click.option("--slow", type=float, default=0.2, help="Seconds from which a question is slow.")
@click.option("--worst", type=int, default=5, help="Questions that are shown.")
@click.option("--checks", type=click.IntRange(1), default=2, help="Small games to check first.")
@click.option("--compared", type=int, default=5, help="Questions asked of a diagram, too.")
@click.option("--first", type=int, default=1, help="The first seed.")
def outliers(
    names: Sequence[str],
    questions: int,
    players: str,
    seeds: int,
    each: int,
    depths: str,
    cap: float,
    slow: float,
    worst: int,
    checks: int,
    compared: int,
    first: int,
) -> Tables:
    """How long do random nested questions take in full-size games, and which are the slowest?"""
    for name in names or KINDS:
        kind, chance = KINDS[name], Random(f"{first}/{name}")
        checked = verify(kind, range(first, first + checks), numbers(depths))
        sizes = numbers(players) if players else kind.players
        places = moments(kind, sizes, range(first, first + seeds), each)
        found: dict[str, list[Asked]] = {"fresh": [], "along": []}
        table, along = None, engine()
        for place, moment in enumerate(places):
            if moment.table is not table:
                table, along = moment.table, engine()
            for _ in range(
                place * questions // len(places), (place + 1) * questions // len(places)
            ):
                formula = question(kind, moment, chance.choice(numbers(depths)), chance)
                one = ask(engine(), moment, formula, cap)
                two = ask(along, moment, formula, cap)
                known = {one.answer, two.answer} - {None}
                check(len(known) < 2, f"{moment}: {formula}: fresh {one.answer}, not along")
                found["fresh"].append(one)
                found["along"].append(two)
        agreed = compare(found["fresh"], compared, cap, chance)
        every = [(way, one) for way, asked in found.items() for one in asked]
        every.sort(key=lambda entry: -entry[1].seconds)
        yield Table(
            f"Random nested questions at full size: {name}, depth {depths} (CPU)",
            [
                *("engine", "asked", "median", "9 of 10", "worst"),
                *(f"over {Seconds(slow)}", f"over {cap:g} s"),
            ],
            [_row(way, asked, slow) for way, asked in found.items()],
            f"{checked} answers at small size, against explicit; {agreed} at full size, against "
            "bdd; all between a fresh engine and one that follows the game",
            [_described(way, one) for way, one in every[:worst]],
        )
