"""`families`: situations and puzzles that are the worst or the best case of other checkers.

* ring: n players with one card each; each sees the card of the next player. Diagrams are
  exponential in n here.
* deal: p players with h cards each; three questions of depth 1 and one of depth 2.
* muddy_children: "nobody knows" is announced while it is true. This is the best case of diagrams,
  and requires very many lemmas.
* dining: n cryptographers at a table announce a parity each; merged: a single announcement of all
  of them; parity: an announcement of whether the number of differences is even.
* the puzzles of the package, from their files.

Every answer is compared with the known answer of the family. For some small members, the number of
worlds after each event is compared, too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import click

from benchmarks.common import Seconds, Table, Tables, check, in_child, measurement, median
from symkripke.engines import engine
from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.problems.checker import check as go_through
from symkripke.problems.problem import Problem, Question
from symkripke.problems.puzzles import puzzle
from symkripke.problems.reader import read

Size = tuple[int, ...]


@dataclass(frozen=True)
class Family:
    """A family of situations, by size.

    Attributes:
        problem: returns the problem of a size.
        sizes: the measured sizes, the smallest first.
        answers: returns the known answers to the questions of a size.
        published: published times of SMCDEL 1.3 on a comparable machine, for whole processes, which
            start in 0.04 s.
        worlds: the known number of worlds after each event, for some sizes.
        where: the known worlds that a puzzle with few solutions leaves.
        by: the engine that `auto` should use for the last answer, beyond the smallest size.
    """

    problem: Callable[..., Problem]
    sizes: Sequence[Size]
    answers: Callable[..., Sequence[bool]]
    published: Mapping[Size, str] = field(default_factory=dict)
    worlds: Mapping[Size, Sequence[int]] = field(default_factory=dict)
    where: Sequence[Mapping[str, str]] = ()
    by: str = ""


def _ring(players: int) -> Problem:
    return _dealt(
        players, 1, 1, ["K[p1] card(1) = p1", "K[p1] ~card(2) = p1", "K[p1] card(2) = p2"]
    )


def _deal(players: int, hand: int) -> Problem:
    own, other = "card(1) = p1", f"card({hand + 1})"
    asked = [f"K[p1] {own}", f"K[p1] {other} = p2", f"M[p1] {other} = p3", f"K[p1] M[p2] ~{own}"]
    return _dealt(players, hand, 0, asked)


def _dealt(players: int, hand: int, ahead: int, asked: Sequence[str]) -> Problem:
    """Return a deal in which each player sees the hand of the player `ahead` seats further on."""
    names = [f"p{n}" for n in range(1, players + 1)]  # numbers would be encoded in bits
    cards = f"c in 1..{players * hand}"
    lines = [
        f"agents {', '.join(names)}",
        f"fluent card(c) in agents for {cards}",
        f"for a in agents: law exactly({hand}; card(c) = a for {cards})",
        *(
            f"{name} sees card(c) = {names[(n + ahead) % players]} for {cards}"
            for n, name in enumerate(names)
        ),
        *(f"actual card({c + 1}) = {names[c // hand]}" for c in range(players * hand)),
        *(f"true? {question}" for question in asked),
    ]
    return read("\n".join(lines))


_SAYS = "(coin({0}) <-> coin({1})) <-> paid({0})"


def _dinner(kind: str) -> Callable[[int], Problem]:
    """Return the dining cryptographers with other announcements and questions."""

    def problem(diners: int) -> Problem:
        said = [f"({_SAYS.format(n, n % diners + 1)})" for n in range(1, diners + 1)]
        # The first coin shows heads, and the second diner has paid (see the file of the puzzle).
        truths = [(n == 1) == (n % diners + 1 == 1) for n in range(1, diners + 1)]
        truths[1] = not truths[1]
        signed = [f"{'~' if truth else ''}{one}" for one, truth in zip(said, truths, strict=True)]
        announced = {
            "dining": [f"announce whether {one}" for one in said],
            "merged": [f"announce {' & '.join(signed)}"],
            "parity": [f"announce whether {' <-> '.join(said)}"],
        }
        head = puzzle("dining_cryptographers").text.partition("for i in agents: announce")[0]
        asked = ["true? K[1] somebody", "true? K[1] paid(2)", "true? K[2] K[1] somebody"]
        text = "\n".join([head, *announced[kind], *asked])
        return read(text.replace("let n = 3", f"let n = {diners}"))

    return problem


def _puzzle(name: str) -> Callable[..., Problem]:
    return lambda *size: puzzle(name).problem(*size)


def _yes(number: int) -> Callable[..., Sequence[bool]]:
    return lambda *_: [True] * number


_LEARNT = (True, False, True)

FAMILIES = {
    "ring": Family(
        _ring,
        [(10,), (16,), (32,), (64,)],
        lambda _: [False, True, True],
        {(10,): "75 ms", (16,): "113 s, 1.4 GB"},
        by="sat",
    ),
    "deal": Family(
        _deal,
        [(4, 2), (4, 13), (6, 5), (8, 3), (10, 3), (20, 5)],
        lambda *_: [True, False, True, True],
        {(4, 13): "8.5 s", (6, 5): "24 s", (8, 3): "39 s", (10, 3): "over 100 s"},
        by="sat",
    ),
    "muddy_children": Family(
        _puzzle("muddy_children"),
        [(6,), (40,), (80,), (160,), (320,), (640,)],
        lambda n: [n > 3, False, True, False],
        {
            (40,): "64 ms",
            (80,): "125 ms",
            (160,): "1.1 s",
            (320,): "12.9 s",
            (640,): "out of memory at 14 GB",
        },
        {(6,): [63, 57, 42]},
        by="bdd",
    ),
    "dining": Family(
        _dinner("dining"),
        [(3,), (9,), (10,), (11,), (40,), (120,)],
        lambda _: _LEARNT,
        {(9,): "1.75 s", (10,): "6.7 s", (11,): "48.7 s"},
        {(3,): [32, 16, 8, 6]},
        by="bdd",
    ),
    "merged": Family(
        _dinner("merged"),
        [(3,), (40,), (90,), (120,)],
        lambda _: _LEARNT,
        {(40,): "30 ms", (90,): "370 ms", (120,): "1.08 s"},
        {(3,): [32, 6]},
        by="bdd",
    ),
    "parity": Family(_dinner("parity"), [(3,), (40,), (90,), (120,)], lambda _: _LEARNT, by="bdd"),
    "russian_cards": Family(
        _puzzle("russian_cards"),
        [()],
        lambda: [False, *[True] * 6],
        {(): "50 ms"},
        {(): [140, 20, 3]},
    ),
    "drinking_logicians": Family(
        _puzzle("drinking_logicians"), [(10,), (50,), (100,)], _yes(3), {(100,): "100 ms"}
    ),
    "cheryls_birthday": Family(
        _puzzle("cheryls_birthday"),
        [()],
        _yes(0),
        worlds={(): [10, 5, 3, 1]},
        where=[{"month": "july", "day": "16"}],
    ),
    "sum_and_product": Family(
        _puzzle("sum_and_product"),
        [(100,), (500,), (1000,)],
        _yes(0),
        {(100,): "920 ms", (500,): "8 s", (1000,): "45 s"},
        {(100,): [2352, 145, 86, 1]},
        where=[{"x": "4", "y": "13"}],
    ),
    "consecutive_numbers": Family(
        _puzzle("consecutive_numbers"),
        [(20,), (100,)],
        _yes(0),
        where=[{"x": "1", "y": "2"}, {"x": "2", "y": "3"}],
    ),
    "three_hats": Family(_puzzle("three_hats"), [(3,), (40,)], _yes(2)),
    "gossip": Family(_puzzle("gossip"), [(4,), (8,)], _yes(3)),
    "prisoners": Family(
        _puzzle("prisoners"),
        [(3,), (5,)],
        lambda n: [*[False] * (2 * n - 3), True, n == 2],
    ),
}


def written(name: str, size: Size) -> str:
    """Return the name of a member."""
    return " ".join([name, "x".join(map(str, size))]).rstrip()


def judged(name: str, size: Size, engine_name: str, *, count: bool) -> tuple[float, float, str]:
    """Check a member; return the seconds for reading and for answering, and the answering engine.

    Raises:
        WrongAnswer: an answer differs from the known one.
    """
    family, where = FAMILIES[name], written(name, size)
    start = time.process_time()
    problem = family.problem(*size)
    read_in = time.process_time() - start
    start = time.process_time()
    found = list(go_through(problem, engine(engine_name), count=count))
    answered = time.process_time() - start
    given = [one.answer for one in found if one.answer is not None]
    expected = list(family.answers(*size))
    check([*map(bool, given)] == expected, f"{where}: {expected}, got {[*map(bool, given)]}")
    if family.where:
        last = found[-1].where
        check(last is not None and list(last.worlds) == family.where, f"{where}: {last}")
    if count and size in family.worlds:
        worlds = [one.worlds for one in found if not isinstance(one.step, Question)]
        counts = [number for number in worlds if number is not None]
        expected_counts = list(family.worlds[size])
        check(counts == expected_counts, f"{where}: {expected_counts} worlds, got {counts}")
    by = ", ".join(dict.fromkeys(one.engine for one in given))
    if engine_name == "auto" and family.by and size != family.sizes[0]:
        last_by = given[-1].engine
        check(last_by == family.by, f"{where}: {last_by} answers, and {family.by} is quicker")
    return read_in, answered, by


def measure(name: str, size: Size, engine_name: str, runs: int) -> dict[str, Any]:
    """Measure a member with a new engine in each run."""
    for warm in ("sat", "bdd"):  # so that no time includes loading libraries
        judged("three_hats", (3,), warm, count=False)
    try:
        found = [judged(name, size, engine_name, count=False) for _ in range(runs)]
    except (BudgetExceeded, Unsupported) as refused:
        return {"refused": str(refused)}
    read_in, answered, by = zip(*found, strict=True)
    return {"by": by[0], "read": median(read_in), "answered": median(answered)}


@measurement("families")
@click.option("--family", "only", multiple=True, type=click.Choice(list(FAMILIES)))
@click.option("--most", type=int, help="The greatest size.")
@click.option("--engine", "engine_name", default="auto", help="The engine that answers.")
@click.option("--runs", type=click.IntRange(1), default=1, help="Runs for a median.")
@click.option("--seconds", default=600.0, help="End a row after this time.")
def families(
    only: tuple[str, ...], most: int | None, engine_name: str, runs: int, seconds: float
) -> Tables:
    """How long do deals and puzzles take, compared with SMCDEL's published times?"""
    chosen = {name: FAMILIES[name] for name in only or FAMILIES}
    counted = [(name, size) for name, family in chosen.items() for size in family.worlds]
    counting = engine_name if engine_name in ("bdd", "explicit") else "auto"
    for name, size in counted:
        judged(name, size, counting, count=True)
    rows: list[list[object]] = []
    notes = []
    for name, family in chosen.items():
        for size in family.sizes:
            if most is not None and size and size[0] > most:
                continue
            child = in_child(measure, name, size, engine_name, runs, seconds=seconds)
            found = child.result or {"refused": f"over {Seconds(seconds)}"}
            if "refused" in found:
                notes.append(f"{written(name, size)}: {found['refused']}")
            memory = f"{child.peak / 2**20:.0f} MB" if child.peak else None
            times = [found.get("read"), found.get("answered"), memory, family.published.get(size)]
            rows.append([written(name, size), found.get("by"), *times])
    yield Table(
        f"Families and puzzles, from their texts (CPU, median of {runs})",
        ["what", "answered by", "read", "answered", "memory", "SMCDEL 1.3 (published)"],
        rows,
        f"all answers, against the known ones; the worlds of {len(counted)} small members",
        ["SMCDEL: whole processes; worlds are not counted in what is timed", *notes],
    )
