"""`perudo-questions`, `perudo-robin`: knowledge, belief and play with dice."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import permutations
from math import comb
from typing import TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from benchmarks.common import check, duration, median, show
from symkripke.engines import Engine, engine
from symkripke.language import B, Formula, K, M
from symkripke.model import Perspective, Scene
from symkripke.play import Record, Table
from symkripke.play.runs.run import carry_out
from symkripke.play.runs.statistics import Share, wilson
from symkripke.play.runs.tournament import Plan, plan
from symkripke_games.perudo import GAME
from symkripke_games.perudo.bidding import Manner
from symkripke_games.perudo.knowledge import shows
from symkripke_games.perudo.players import Situation
from symkripke_games.perudo.rules import Happening, State
from symkripke_games.perudo.throws import Setup

PUBLISHED = 288
"""Games a second of the study's own program (C++, 3 x 5), on a machine like ours."""

PerudoTable = Table[Setup, Happening]

T = TypeVar("T")

# ---- questions -----------------------------------------------------------------------------


@dataclass
class Clock:
    """Seconds of CPU that questions of one kind took: for the first time, and again."""

    first: list[float] = field(default_factory=list)
    again: list[float] = field(default_factory=list)

    def __call__(self, asked: Engine, view: Perspective, formula: Formula) -> bool:
        """The truth of a formula, timed twice."""
        return bool(self.time(partial(asked.holds, view, formula)))

    def time(self, question: Callable[[], T]) -> T:
        """The answer to a question, timed twice."""
        for times in (self.first, self.again):
            start = time.process_time()
            answer = question()
            times.append(time.process_time() - start)
        return answer


def played(players: int, rules: str, seed: int, events: int) -> PerudoTable:
    """A full-size game, after so many events."""
    setup = GAME.setup(players=players, rules=rules)
    table: PerudoTable = Table(GAME, setup, ("study",), seed)
    while len(table.steps) < events and table.step() is not None:
        pass
    return table


def facts(table: PerudoTable) -> Iterator[tuple[Formula, int, int]]:
    """Every eT and eA atom, with the least and the most that the first player knows of its sum.

    That is what its own dice say: `least` of them show the face, and of the others any number may.
    The atom is known to be true if it asks for no more than the least, to be false if for more than
    the most.
    """
    assert isinstance(table.state, State)
    left, me = table.state.now.dice, table.setup.players[0]
    own = Situation.of(table.view(me)).own
    for face in range(1, table.setup.faces + 1):
        shown = own.count(face)
        total = sum(left.values())
        for least in range(1, total + 1):
            of_all = shows(left, least, (face,))
            yield of_all, shown - least, shown + total - len(own) - least
        for player, number in left.items():
            for least in range(1, number + 1):
                of_one = shows({player: number}, least, (face,))
                low, high = (shown, shown) if player == me else (0, number)
                yield of_one, low - least, high - least


def ask(clocks: dict[str, Clock], table: PerudoTable, asked: Engine, other: Engine) -> None:
    """Time questions at this moment, each answer checked before it counts.

    Raises:
        WrongAnswer: K or M is not what one's own dice say, B not what the other engine says, or
            a probability not binomial.
    """
    assert isinstance(table.state, State)
    scene, me = table.scene, table.setup.players[0]
    view = scene.perspective(me)
    for fact, low, high in facts(table):
        known = clocks["K"](asked, view, K(me, fact))
        possible = clocks["M"](asked, view, M(me, fact))
        check(known is (low >= 0), f"K[{me}] {fact}")
        check(possible is (high >= 0), f"M[{me}] {fact}")
        believes = clocks["B"](asked, view, B(me, fact))
        check(believes is bool(other.holds(view, B(me, fact))), f"B[{me}] {fact}")
    left = table.state.now.dice
    unknown, own = sum(left.values()) - left[me], Situation.of(table.view(me)).own
    manner = Manner(table.setup.faces, table.state.now.wild)
    for face in range(1, table.setup.faces + 1):
        share, mine = manner.share(face), manner.counted(own, face)
        for least in range(1, sum(left.values()) + 1, 3):
            met = shows(left, least, manner.counts_as(face))
            counted = clocks["P"].time(partial(other.probability, view, met))
            check(counted == binomial(unknown, share, least - mine), f"P[{me}]({met})")


def binomial(number: int, share: Fraction, least: int) -> Fraction:
    """The probability of so many hits, or more, in `number` independent trials."""
    terms = (
        comb(number, k) * share**k * (1 - share) ** (number - k)
        for k in range(max(0, least), number + 1)
    )
    return sum(terms, Fraction(0))


@click.command("perudo-questions", short_help="Who knows and believes what of dice.")
@click.option("--players", type=click.IntRange(2, 6), default=6, help="How many play.")
@click.option("--rules", type=click.Choice(GAME.rules), default="classic", help="The rule set.")
@click.option("--events", type=click.IntRange(0), default=12, help="Asked after so many events.")
@click.option("--seed", type=int, default=1, help="Where chance comes from.")
def questions(players: int, rules: str, events: int, seed: int) -> None:
    """K, M and B of every eT and eA atom, and probabilities, at full size."""
    clocks = {kind: Clock() for kind in "KMBP"}
    table = played(players, rules, seed, events)
    ask(clocks, table, engine("sat"), engine("bdd"))
    names = {"K": "K, sat", "M": "M, sat", "B": "B, sat", "P": "probability of a bid, bdd"}
    show(
        f"Perudo, {rules} rules, {players} x 5 dice, after {events} events, seed {seed}",
        ["question", "asked", "median, first time", "worst", "median, again", "worst, again"],
        [
            [
                names[kind],
                str(len(clock.first)),
                *(
                    duration(value)
                    for times in (clock.first, clock.again)
                    for value in (median(times), max(times))
                ),
            ]
            for kind, clock in clocks.items()
        ],
        [
            "checked: K and M are what one's own dice say; B is what the bdd engine says; a "
            "probability is the binomial one",
            "to ask for the first time is to encode the formula, and once the law",
        ],
    )


def percent(share: Share) -> str:
    """A share with its interval."""
    if share.rate is None:
        return "-"
    return f"{share.rate:.1%} ({share.low:.1%} to {share.high:.1%})"


@contextmanager
def progress(what: str, number: int) -> Iterator[Callable[[], None]]:
    """A bar with the time left, if somebody is there to see it."""
    columns = (what, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    out = Console(stderr=True)
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
        task = bar.add_task(what, total=number)
        yield lambda: bar.advance(task)


# ---- round robin -----------------------------------------------------------------------------


def seats_of(one: str, other: str, players: int) -> tuple[str, ...]:
    """One player against two; with an even number of players, every second seat."""
    return (one, *[other] * (players - 1)) if players % 2 else (one, other) * (players // 2)


@click.command("perudo-robin", short_help="Every kind of player against every other.")
@click.option("--games", type=click.IntRange(1), default=300, help="Games of each pair.")
@click.option("--players", type=click.IntRange(2, 6), default=3, help="How many play.")
@click.option("--rules", type=click.Choice(GAME.rules), default="study", help="The rule set.")
@click.option(
    "--minds", default=",".join(GAME.strategies), help="The kinds of player, with commas."
)
@click.option("--seed", type=click.IntRange(0), default=0, help="Where chance comes from.")
@click.option("--workers", type=click.IntRange(1), default=1, help="How many processes play.")
def robin(games: int, players: int, rules: str, minds: str, seed: int, workers: int) -> None:
    """Every kind of player against every other, seats rotating; Ctrl-C ends early.

    With an odd number of players one plays against all others of another kind (so chance would let
    it win one game in so many); else they sit alternately, half and half.
    """
    kinds = [name.strip() for name in minds.split(",")]
    chance = 1 / players if players % 2 else 1 / 2
    pairs = list(permutations(kinds, 2)) if players % 2 else _unordered(kinds)
    found: dict[tuple[str, str], Share] = {}
    number = cpu = 0.0
    interrupted = False
    with progress("games", games * len(pairs)) as tick:
        for one, other in pairs:
            run = plan(
                "perudo",
                {"rules": rules, "players": players},
                games=games,
                minds=seats_of(one, other, players),
                rotate=True,
                seed=seed,
                assess=False,
            )
            verify(run)
            done = carry_out(
                run, workers=workers, tell=lambda _, played: tick() if played else None
            )
            number += done.summary.games
            cpu += done.summary.cpu * done.summary.games
            if done.summary.games:
                won = next(kind for kind in done.summary.kinds if kind.mind == one).games
                found[one, other] = won
                if not players % 2:
                    found[other, one] = wilson(won.of - won.hits, won.of)
            interrupted = done.interrupted
            if interrupted:
                break
    show(
        f"Perudo, {rules} rules, {players} x 5, {games} games a pair: how often the kind in the "
        f"row won against that in the column (by chance {chance:.1%}), with 95% intervals",
        ["", *kinds],
        [[one, *(_cell(found, one, other) for other in kinds)] for one in kinds],
        [
            "checked: the first game of each pair, told again from its log, is the same",
            f"{number:,.0f} games, {number / cpu if cpu else 0:.1f} a second of CPU; the study's "
            f"program: {PUBLISHED} (C++, 3 x 5)",
            *(["interrupted: the last pair has fewer games"] if interrupted else []),
        ],
    )


def verify(run: Plan) -> None:
    """Raises `WrongAnswer` unless the first game of a run, told from its log, is the same game."""
    first: PerudoTable = Table(GAME, _setup(run), run.minds_of(0), run.seed_of(0))
    for _ in first:
        pass
    record = Record.parse("\n".join(first.record.lines()))
    states = record.replay().states
    same = [one.world for one in first.scenes] == [
        one.world for one in states if isinstance(one, Scene)
    ]
    check(same, f"game {run.seed_of(0)}: its log tells another game")
    check(first.state.result is not None, f"game {run.seed_of(0)} did not end")


def _setup(run: Plan) -> Setup:
    assert isinstance(run.setup, Setup)
    return run.setup


def _unordered(kinds: Sequence[str]) -> list[tuple[str, str]]:
    return [(one, other) for place, one in enumerate(kinds) for other in kinds[place + 1 :]]


def _cell(found: dict[tuple[str, str], Share], one: str, other: str) -> str:
    return percent(found[one, other]) if (one, other) in found else "-"
