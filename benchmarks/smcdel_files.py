"""Families of situations as files in SMCDEL's text format, which `symkripke check` also reads.

Each file asks yes-or-no questions, and comes with the known answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, count


@dataclass(frozen=True)
class SmcdelFile:
    """A file and the correct answers.

    Attributes:
        name: the family with its size, such as `muddy-40`.
        text: the content of the file.
        answers: the correct answers to its questions, in order.
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
    jobs: Sequence[tuple[str, bool]],
) -> SmcdelFile:
    """Return a file with these jobs, each given with its answer."""
    lines = [f"VARS {_numbers(variables)}", f"LAW {law}", "OBS"]
    lines += [f"  {agent}: {_numbers(seen)}" for agent, seen in observed.items()]
    lines += [job for job, _ in jobs]
    answers = tuple(answer for _, answer in jobs)
    return SmcdelFile(name, "\n".join(lines) + "\n", answers)


def muddy(children: int) -> SmcdelFile:
    """Return the muddy children, half of them muddy; "nobody knows" is said while it is true."""
    kids = range(1, children + 1)
    observed = {f"k{n}": [other for other in kids if other != n] for n in kids}
    nobody = f"AND({', '.join(f'~ (k{n} knows whether {n})' for n in kids)})"
    dirty = list(range(1, children // 2 + 1))
    said = f"[! OR({_numbers(kids)})] " + f"[! {nobody}] " * (len(dirty) - 1)
    jobs = [
        (f"TRUE? {{{_numbers(dirty)}}} {said}(k1 knows that 1)", True),
        (f"TRUE? {{{_numbers(dirty)}}} {said}{nobody}", False),
    ]
    return _file(f"muddy-{children}", kids, "Top", observed, jobs)


def drinkers(logicians: int) -> SmcdelFile:
    """Return "Do all of you want beer?": each logician in turn says whether they know."""
    all_of_them = range(1, logicians + 1)
    every = f"AND({_numbers(all_of_them)})"
    said = " ".join(f"[! ~ (l{n} knows whether {every})]" for n in all_of_them[:-1])
    observed = {f"l{n}": [n] for n in all_of_them}
    jobs = [(f"VALID? {said} (l{logicians} knows whether {every})", True)]
    return _file(f"drinkers-{logicians}", all_of_them, "Top", observed, jobs)


def dining(diners: int, kind: str) -> SmcdelFile:
    """Return the dining cryptographers, with a shared coin for every pair of diners.

    If `kind` is "parity", one announcement tells whether the sum of all parities is odd. Otherwise
    each diner announces a parity, in sequence.
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
    """Return a chain of `length` announcements, each of whether a fact is true."""
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
    """Return the variables and the law of a deal, and the variables of each player's hand."""
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
    """Return "`number` of the variables are true", as at most that many: each card is somewhere."""
    if number == 1:
        return f"ONEOF({_numbers(variables)})"
    few = [f"~ AND({_numbers(some)})" for some in combinations(variables, number + 1)]
    return f"AND({', '.join(few)})"


def ring(players: int) -> SmcdelFile:
    """Return a deal of one card each, in which each player sees the card of the next."""
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
    """Return a deal in which players see their own hands, with a nested question of knowledge."""
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
    """Return a file with `variables` variables about which the law says nothing."""
    numbers = range(1, variables + 1)
    jobs = [
        ("VALID? (a knows whether 1)", True),
        ("VALID? [! (1 | 2)] (b knows that (1 | 2))", True),
        ("VALID? [! (1 | 2)] (b knows that 1)", False),
    ]
    return _file(f"free-{variables}", numbers, "Top", {"a": [1], "b": [2]}, jobs)


def russian(_: int = 7) -> SmcdelFile:
    """Return the Russian cards: Alice names five hands, one of which is hers."""
    held = {who: [3 * card + place for card in range(7)] for place, who in enumerate("abc")}
    deals = [f"ONEOF({_numbers(held[who][card] for who in held)})" for card in range(7)]
    counts = [_exactly(3, held["a"]), _exactly(3, held["b"]), _exactly(1, held["c"])]
    law = f"AND({', '.join([*deals, *counts])})"
    state = [held[who][card] for card, who in enumerate("aaabbbc")]
    at = f"TRUE? {{{_numbers(state)}}}"
    hands = ("012", "034", "056", "135", "246")
    said = f"OR({_numbers(_conjunction(held['a'][int(card)] for card in hand) for hand in hands)})"
    bob_learns = " & ".join(f"(b knows whether {card})" for card in held["a"])
    carol_learns = " | ".join(
        f"(c knows that {held[who][card]})" for who in "ab" for card in range(7)
    )
    jobs = [
        (f"{at} (a knows that {said})", True),
        (f"{at} [! {said}] ({bob_learns})", True),
        (f"{at} [! {said}] ({carol_learns})", False),
        (f"VALID? [! (a knows that {said})] ((a, b) comknow that ({bob_learns}))", True),
        (f"VALID? [! (a knows that {said})] ~ ({carol_learns})", True),
    ]
    return _file("russian-7", range(21), law, held, jobs)


def _conjunction(parts: Iterable[object]) -> str:
    return f"AND({_numbers(parts)})"


def _number_is(value: int, bits: Sequence[int]) -> str:
    """Return "the number with these bits, lowest first, is `value`"."""
    return _conjunction(bit if value >> place & 1 else f"~ {bit}" for place, bit in enumerate(bits))


def _bits_true(value: int, bits: Sequence[int]) -> list[int]:
    return [bit for place, bit in enumerate(bits) if value >> place & 1]


def what_sum(bound: int) -> SmcdelFile:
    """Return "What Sum": one of three numbers is the sum of the others; nobody knows their own."""
    width = bound.bit_length()
    bits = [list(range(1 + place * width, 1 + (place + 1) * width)) for place in range(3)]
    numbers = range(1, bound + 1)
    triples = {
        triple
        for first in numbers
        for second in range(1, bound + 1 - first)
        for triple in (
            (first, second, first + second),
            (first, first + second, second),
            (first + second, first, second),
        )
    }
    law = f"OR({_numbers(_tuple_is(triple, bits) for triple in sorted(triples))})"
    agents = "abc"
    observed = {
        who: [bit for other, own in enumerate(bits) if other != place for bit in own]
        for place, who in enumerate(agents)
    }
    knows = [
        f"OR({_numbers(f'({who} knows that {_number_is(n, own)})' for n in numbers)})"
        for who, own in zip(agents, bits, strict=True)
    ]
    said = " ".join(f"[! ~ {its_own}]" for its_own in knows)
    left = triples
    for place in range(3):
        alike = Counter(_others(triple, place) for triple in left)
        left = {triple for triple in left if alike[_others(triple, place)] > 1}
    jobs = [
        (f"{_at(triple, bits)} ~ {said} Bot", triple in left)
        for triple in ((1, 2, 3), (bound // 2 - 1, 1, bound // 2))
    ]
    alike = Counter(_others(triple, 0) for triple in left)
    one_left = {triple for triple in left if alike[_others(triple, 0)] == 1}
    asked = min(one_left or left)
    jobs.append(
        (
            f"{_at(asked, bits)} {said} (a knows that {_number_is(asked[0], bits[0])})",
            asked in one_left,
        )
    )
    return _file(f"what-sum-{bound}", range(1, 1 + 3 * width), law, observed, jobs)


def _others(triple: tuple[int, ...], place: int) -> tuple[int, ...]:
    """Return the values that the agent at this place sees."""
    return (*triple[:place], *triple[place + 1 :])


def _tuple_is(values: Sequence[int], bits: Sequence[Sequence[int]]) -> str:
    return _conjunction(_number_is(value, own) for value, own in zip(values, bits, strict=True))


def _at(values: Sequence[int], bits: Sequence[Sequence[int]]) -> str:
    true = [bit for value, own in zip(values, bits, strict=True) for bit in _bits_true(value, own)]
    return f"TRUE? {{{_numbers(true)}}}"


def products(bound: int) -> SmcdelFile:
    """Return Sum and Product for two numbers with a sum of at most `bound`, all in bits."""
    pairs = [(x, y) for x in range(2, bound) for y in range(x + 1, bound) if x + y <= bound]
    widths = [n.bit_length() for n in (bound, bound, bound, max(x * y for x, y in pairs))]
    bits, start = [], 1
    for width in widths:
        bits.append(list(range(start, start + width)))
        start += width
    law = f"OR({_numbers(_tuple_is((x, y, x + y, x * y), bits) for x, y in pairs)})"
    observed = {"sam": bits[2], "pat": bits[3]}
    knows = {
        who: f"OR({_numbers(f'({who} knows that {_tuple_is(pair, bits[:2])})' for pair in pairs)})"
        for who in observed
    }
    first, second = f"(sam knows that ~ {knows['pat']})", knows["pat"]
    solutions = _solutions(pairs)
    jobs = [
        (f"{_at((x, y, x + y, x * y), bits)} ~ [! {first}] [! {second}] ~ {knows['sam']}", told)
        for x, y, told in ((4, 13, (4, 13) in solutions), (2, 9, (2, 9) in solutions))
    ]
    return _file(f"products-{bound}", range(1, start), law, observed, jobs)


def _solutions(pairs: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the pairs for which the dialogue of Sum and Product is true."""
    products_of = Counter(x * y for x, y in pairs)
    guessed = {x + y for x, y in pairs if products_of[x * y] == 1}
    left = [(x, y) for x, y in pairs if x + y not in guessed]
    products_of = Counter(x * y for x, y in left)
    left = [(x, y) for x, y in left if products_of[x * y] == 1]
    sums = Counter(x + y for x, y in left)
    return {(x, y) for x, y in left if sums[x + y] == 1}


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
    "deal-hands-of-1": (lambda players: deal(players, 1), (8, 12, 14)),
    "russian": (russian, (7,)),
    "what-sum": (what_sum, (10, 30, 50)),
    "products": (products, (20, 50, 100)),
}
"""For each family, the function that makes its files, and its sizes, smallest first."""
