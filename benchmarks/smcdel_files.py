"""Families of situations as files in SMCDEL's text format, which it and `symkripke check` read.

Each file asks questions with an answer of yes or no, and comes with the answers that are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, count


@dataclass(frozen=True)
class SmcdelFile:
    """A file, and what it should be answered.

    Attributes:
        name: the family with its size, such as `muddy-40`.
        text: the file.
        answers: of its questions, in order.
    """

    name: str
    text: str
    answers: tuple[bool, ...]


def _numbers(numbers: Iterable[object]) -> str:
    return ", ".join(map(str, numbers))


def _file(
    name: str,
    variables: Sequence[int],
    law: str,
    observed: Mapping[str, Iterable[int]],
    jobs: Sequence[tuple[str, bool | None]],
) -> SmcdelFile:
    """A file of these jobs, each with its answer; None for one that only happens."""
    lines = [f"VARS {_numbers(variables)}", f"LAW {law}", "OBS"]
    lines += [f"  {agent}: {_numbers(seen)}" for agent, seen in observed.items()]
    lines += [job for job, _ in jobs]
    answers = tuple(answer for _, answer in jobs if answer is not None)
    return SmcdelFile(name, "\n".join(lines) + "\n", answers)


def muddy(children: int) -> SmcdelFile:
    """Half of the children are muddy; "nobody knows" is said while it is true."""
    kids = range(1, children + 1)
    observed = {f"k{n}": [other for other in kids if other != n] for n in kids}
    nobody = f"AND({', '.join(f'~ (k{n} knows whether {n})' for n in kids)})"
    dirty = list(range(1, children // 2 + 1))
    said = f"[! OR({_numbers(kids)})] " + f"[! {nobody}] " * (len(dirty) - 1)
    jobs: list[tuple[str, bool | None]] = [
        (f"TRUE? {{{_numbers(dirty)}}} {said}(k1 knows that 1)", True),
        (f"TRUE? {{{_numbers(dirty)}}} {said}{nobody}", False),
    ]
    return _file(f"muddy-{children}", kids, "Top", observed, jobs)


def drinkers(logicians: int) -> SmcdelFile:
    """Do all of you want beer? One after the other says whether they know."""
    all_of_them = range(1, logicians + 1)
    every = f"AND({_numbers(all_of_them)})"
    said = " ".join(f"[! ~ (l{n} knows whether {every})]" for n in all_of_them[:-1])
    observed = {f"l{n}": [n] for n in all_of_them}
    jobs = [(f"VALID? {said} (l{logicians} knows whether {every})", True)]
    return _file(f"drinkers-{logicians}", all_of_them, "Top", observed, jobs)


def dining(diners: int, kind: str) -> SmcdelFile:
    """Everybody shares a coin with everybody; each says a parity, or only the whole parity is said.

    The chain announces whether one parity after the other is odd; `parity` whether their sum is.
    """
    numbers = count(diners + 1)
    coins = {pair: next(numbers) for pair in combinations(range(1, diners + 1), 2)}
    seen = {
        f"d{n}": [n, *(coin for pair, coin in coins.items() if n in pair)]
        for n in range(1, diners + 1)
    }
    said = [f"XOR({_numbers(parts)})" for parts in seen.values()]
    if kind == "parity":
        said = [f"XOR({', '.join(said)})"]
    prefix = " ".join(f"[?! {parity}]" for parity in said)
    know = f"AND({', '.join(f'{diner} knows whether 0' for diner in seen)})"
    jobs = [
        (f"VALID? {prefix} {know}", True),
        (f"VALID? {prefix} (2 -> ~ (d1 knows that 2))", diners > 2),
    ]
    law = f"ONEOF({_numbers(range(diners + 1))})"
    variables = range(diners + len(coins) + 1)
    return _file(f"dining-{kind}-{diners}", variables, law, seen, jobs)


def whether(length: int) -> SmcdelFile:
    """A chain of announcements whether a fact is true, of so many."""
    variables = range(1, length + 1)
    said = " ".join(f"[?! ({n} | {n % length + 1})]" for n in variables)
    jobs = [
        (f"VALID? {said} (a knows whether 2)", False),
        (f"VALID? {said} (b knows that (a knows whether (2 | 3)))", True),
    ]
    return _file(f"whether-{length}", variables, "Top", {"a": [1], "b": [2]}, jobs)


def _held(player: int, card: int, cards: int) -> int:
    return player * cards + card


def _dealt(players: int, hand: int) -> tuple[range, str, dict[int, list[int]]]:
    """The variables and the law of a deal, and for each player the variables of its hand.

    Of so many players with so many cards each.
    """
    cards = players * hand
    variables = range(players * cards)
    places = [
        f"ONEOF({_numbers(_held(player, card, cards) for player in range(players))})"
        for card in range(cards)
    ]
    hands = {p: [_held(p, card, cards) for card in range(cards)] for p in range(players)}
    sizes = [_exactly(hand, own) for own in hands.values()]
    return variables, f"AND({', '.join([*places, *sizes])})", hands


def _exactly(number: int, variables: Sequence[int]) -> str:
    """That so many of the variables are true: no more, as each card is somewhere."""
    if number == 1:
        return f"ONEOF({_numbers(variables)})"
    few = [f"~ AND({_numbers(some)})" for some in combinations(variables, number + 1)]
    return f"AND({', '.join(few)})"


def ring(players: int) -> SmcdelFile:
    """A card each; each sees that of the next one."""
    variables, law, hands = _dealt(players, 1)
    observed = {f"p{p}": hands[(p + 1) % players] for p in hands}
    state = [_held(p, p, players) for p in range(players)]
    at = f"TRUE? {{{_numbers(state)}}}"
    jobs = [
        (f"{at} (p0 knows that {_held(1, 1, players)})", True),
        (f"{at} (p0 knows that {_held(0, 0, players)})", False),
        (f"{at} (p0 knows that ~ {_held(0, 1, players)})", True),
    ]
    return _file(f"ring-{players}", variables, law, observed, jobs)


def deal(players: int, hand: int) -> SmcdelFile:
    """Hands of so many cards, each seen by its player; with a question about knowledge of that."""
    variables, law, hands = _dealt(players, hand)
    cards = players * hand
    state = [_held(card // hand, card, cards) for card in range(cards)]
    own, other = _held(0, 0, cards), _held(1, hand, cards)
    at = f"TRUE? {{{_numbers(state)}}}"
    jobs = [
        (f"{at} (p0 knows that {own})", True),
        (f"{at} (p0 knows that {other})", False),
        (f"{at} (p0 knows that ~ (p1 knows that {own}))", True),
    ]
    observed = {f"p{p}": seen for p, seen in hands.items()}
    return _file(f"deal-{players}x{hand}", variables, law, observed, jobs)


def free(variables: int) -> SmcdelFile:
    """So many variables of which the law says nothing."""
    numbers = range(1, variables + 1)
    jobs: list[tuple[str, bool | None]] = [
        ("VALID? (a knows whether 1)", True),
        ("UPDATE! (1 | 2)", None),
        ("VALID? (b knows that (1 | 2))", True),
        ("VALID? (b knows that 1)", False),
    ]
    return _file(f"free-{variables}", numbers, "Top", {"a": [1], "b": [2]}, jobs)


FAMILIES: Mapping[str, tuple[Callable[[int], SmcdelFile], Sequence[int]]] = {
    "muddy": (muddy, (10, 40, 80, 160, 320)),
    "drinkers": (drinkers, (10, 50, 100, 200)),
    "dining-chain": (lambda n: dining(n, "chain"), (4, 8)),
    "dining-parity": (lambda n: dining(n, "parity"), (10, 40)),
    "whether": (whether, (6, 12, 20)),
    "ring": (ring, (8, 10, 12, 14, 16)),
    "deal-hands-of-2": (lambda players: deal(players, 2), (3, 4, 6, 8)),
    "deal-hands-of-4": (lambda players: deal(players, 4), (3, 4)),
    "free": (free, (200, 2000)),
}
"""Who makes the files of a family, and its sizes, from the smallest."""
