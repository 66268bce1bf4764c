"""`perudo-questions`, `perudo-invariants`, `perudo-robin`: knowledge, belief and play with dice."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import permutations
from math import comb
from random import Random
from typing import TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from benchmarks.common import check, duration, median, show
from symkripke.engines import Engine, Mark, engine
from symkripke.language import TRUE, Atom, B, Formula, K, M
from symkripke.model import Perspective, Scene
from symkripke.play import Record, Table
from symkripke.play.runs.run import carry_out
from symkripke.play.runs.statistics import Share, wilson
from symkripke.play.runs.tournament import Plan, plan
from symkripke.play.runs.workers import polite_interrupts
from symkripke_games.perudo import GAME
from symkripke_games.perudo.bidding import Manner, kept, needed
from symkripke_games.perudo.knowledge import dice, shows
from symkripke_games.perudo.players import Situation, Study
from symkripke_games.perudo.rules import Bid, Call, Happening, State
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


# ---- invariants ----------------------------------------------------------------------------


@dataclass
class Findings:
    """What was counted in games.

    Attributes:
        games: how many.
        states: looks at what one player knows and believes after an event.
        calls: by kind of player, calls that it made; `right` those that were right.
        said: by kind of player, what its bids were taken to say and was believed when the dice
            were shown; `true` what of it was so.
        sums: after a bid, a player, and what the study's sums take it to hold; `excess` those that
            are more dice than it has.
        cpu: seconds of processor time for playing.
    """

    games: int = 0
    states: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    said: Counter[str] = field(default_factory=Counter)
    true: Counter[str] = field(default_factory=Counter)
    sums: int = 0
    excess: int = 0
    cpu: float = 0.0


def look(table: PerudoTable, player: str, asked: Engine, found: Findings) -> None:
    """Check what a player knows and believes now; raises `WrongAnswer`."""
    assert isinstance(table.state, State)
    scene, left = table.scene, table.state.now.dice
    view = scene.perspective(player)
    where = f"game {table.seed}, event {len(table.steps)}, {player}"
    atoms = [atom for face in range(1, table.setup.faces + 1) for atom in dice(left, face)]
    atoms = [atom for atom in atoms if atom.fluent in scene.world]
    for atom, mark in asked.sheet(view, atoms):
        assert isinstance(atom, Atom)
        truth = scene.world[atom.fluent] == atom.value
        check(mark is not (Mark.NO if truth else Mark.YES), f"{where}: lost {atom}")
    beliefs = asked.believed(view)
    believing = view.believing(beliefs.kept)
    check(asked.witness(believing, TRUE) is not None, f"{where}: believes the impossible")
    for other, number in left.items():
        least = sum(
            bool(asked.holds(believing, K(player, shows({other: number}, k, (face,)))))
            for face in range(1, table.setup.faces + 1)
            for k in range(1, number + 1)
        )
        check(least <= number, f"{where}: believes that {other} has {least} of {number} dice")
    found.states += 1


def tell(table: PerudoTable, found: Findings) -> None:
    """Count what bids said that was so, and calls that were right, in a finished game."""
    minds = dict(zip(table.setup.players, table.minds, strict=True))
    state = GAME.start(table.setup, table.deal)
    study, bids = Study(table.engine, Random()), tuple[Bid, ...]()
    for step in table.steps:
        assert isinstance(state, State)
        public = step.outcome.public
        if isinstance(public, Call):
            assert public.verdict is not None
            found.calls[minds[public.player]] += 1
            found.right[minds[public.player]] += public.verdict.right
            believed = kept(state.said, state.now.dice, state.manner)
            for one in {one[:3]: one for one in believed}.values():
                so = state.manner.counted(public.dice[one.player], one.face) >= one.holds
                found.said[minds[one.player]] += 1
                found.true[minds[one.player]] += so
            for player, number in state.now.dice.items():
                mine = [one for one in believed if one.player == player]
                check(needed(mine, state.manner) <= number, f"game {table.seed}: too many dice")
        state = state.follow(step.outcome)
        if isinstance(public, Bid):
            bids = (*bids, public)
            exceeds(state, bids, study, found)
        else:
            bids = ()


def exceeds(state: State, bids: tuple[Bid, ...], study: Study, found: Findings) -> None:
    """Count where the study's sums take a player to hold more dice than it has."""
    sums: Counter[str] = Counter()
    for (player, _), number in study.observed(
        Situation(bids[-1].player, state.now, state.manner, (), bids)
    ).items():
        sums[player] += number
    for player, has in state.now.dice.items():
        found.sums += 1
        found.excess += sums[player] > has


def play(setup: Setup, seed: int, kinds: Sequence[str], every: int, found: Findings) -> None:
    """Play a game of players of these kinds, by chance, with looks at every so many events."""
    chance = Random(f"{seed}/minds")
    minds = [chance.choice(kinds) for _ in setup.players]
    start = time.process_time()
    table: PerudoTable = Table(GAME, setup, minds, seed)
    seconds = time.process_time() - start
    while True:
        start = time.process_time()
        step = table.step()
        seconds += time.process_time() - start
        if step is None:
            break
        if every and step.number % every == seed % every:
            look(table, chance.choice(setup.players), table.engine, found)
    check(table.state.result is not None, f"game {seed} did not end")
    tell(table, found)
    found.games += 1
    found.cpu += seconds


@click.command("perudo-invariants", short_help="Nothing true is lost, nothing impossible believed.")
@click.option("--games", type=click.IntRange(1), default=2_000, help="How many games.")
@click.option("--players", type=click.IntRange(2, 6), default=3, help="How many play.")
@click.option("--dice", "number", type=click.IntRange(1, 20), default=5, help="Dice each.")
@click.option("--every", type=click.IntRange(0), default=7, help="Looks: every so many events.")
@click.option(
    "--minds", default=",".join(GAME.strategies), help="The kinds of player, with commas."
)
@click.option("--rules", type=click.Choice(GAME.rules), help="One rule set; without it, both.")
@click.option("--seed", type=int, default=0, help="The seed of the first game.")
def invariants(
    games: int, players: int, number: int, every: int, minds: str, rules: str | None, seed: int
) -> None:
    """Games of players of all kinds, half classic and half study; Ctrl-C ends early.

    Checked by the sat engine: the true dice are never known to be false, and no player is believed
    to hold more dice than it has. Counted: how many beliefs about what bids say were true, and
    calls right.
    """
    found, kinds = Findings(), [name.strip() for name in minds.split(",")]
    with polite_interrupts() as interrupts, progress("games", games) as tick:
        for place in range(games):
            chosen = GAME.rules[place % len(GAME.rules)] if rules is None else rules
            setup = GAME.setup(rules=chosen, players=players, dice=number)
            play(setup, seed + place, kinds, every, found)
            tick()
            if interrupts.noted:
                break
    show(
        f"{found.games} games of Perudo, {players} x {number}, {rules or 'both'} rules; "
        f"{found.states:,} looks at what somebody knows and believes",
        ["kind of player", "calls", "right", "said by its bids", "true"],
        [
            [
                mind,
                str(found.calls[mind]),
                percent(wilson(found.right[mind], found.calls[mind])),
                str(found.said[mind]),
                percent(wilson(found.true[mind], found.said[mind])),
            ]
            for mind in kinds
        ]
        + [
            [
                "all",
                str(found.calls.total()),
                percent(wilson(found.right.total(), found.calls.total())),
                str(found.said.total()),
                percent(wilson(found.true.total(), found.said.total())),
            ]
        ],
        [
            "checked: the true dice are never lost; nobody is believed to have more dice than it "
            "has (the study's program: in 1.56% of states)",
            "the study's program: 76.8% of calls right, 88.5% of beliefs true",
            "the study's sums in these games: more dice than a player has in "
            f"{percent(wilson(found.excess, found.sums))} of looks at a player after a bid",
            f"{found.games / found.cpu:.1f} games a second of CPU, without the looks; the study's "
            f"program: {PUBLISHED} (C++, 3 x 5)",
            *(["interrupted"] if interrupts.noted else []),
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
