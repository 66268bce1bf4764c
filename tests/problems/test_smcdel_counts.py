"""Counts that a law in SMCDEL's format expresses with clauses."""

from __future__ import annotations

from itertools import chain, combinations
from math import comb

import pytest

from symkripke.engines import engine
from symkripke.language import formulas as f
from symkripke.model import evaluate
from symkripke.problems.checker import check
from symkripke.problems.smcdel.counts import with_counts
from symkripke.problems.smcdel.reader import read_smcdel
from symkripke.testing.random_models import Seeded

ATOMS = tuple(f.Atom(f"p{number}") for number in range(9))


def at_most(bound: int, atoms: tuple[f.Atom, ...]) -> list[f.Formula]:
    """Return clauses: of any `bound` + 1 atoms, one is false."""
    return [f.Not(f.conjunction(some)) for some in combinations(atoms, bound + 1)]


def at_least(bound: int, atoms: tuple[f.Atom, ...]) -> list[f.Formula]:
    """Return clauses: of any atoms that leave out only `bound - 1`, one is true."""
    return [f.disjunction(some) for some in combinations(atoms, len(atoms) - bound + 1)]


@pytest.mark.parametrize("seed", range(6))
def test_the_law_allows_the_same_worlds(seed: int) -> None:
    """Complete lists come in any order, and are mixed with nearly complete ones and other parts."""
    choices = Seeded(seed)
    bound = choices.integer(3, 4)
    lists = [at_most(bound, ATOMS), at_least(9 - bound, ATOMS)]
    law = list(chain.from_iterable(lists[: 1 + seed % 2]))
    law.append(f.Or((ATOMS[0], f.Not(ATOMS[1]))))
    law = sorted(law, key=lambda part: (choices.integer(0, 999), str(part)))
    if seed % 3 == 0:
        missing = next(part for part in law if part in lists[0])
        law.remove(missing)
    counted = with_counts(law)
    complete = (seed % 2 == 1) + (seed % 3 != 0)
    assert sum(isinstance(part, f.Cardinality) for part in counted) == complete
    for number in range(2 ** len(ATOMS)):
        world = {
            str(atom): "true" if number >> place & 1 else "false"
            for place, atom in enumerate(ATOMS)
        }
        assert all(evaluate(part, world) for part in law) == all(
            evaluate(part, world) for part in counted
        )


def test_lists_of_different_players_are_counts_of_their_own() -> None:
    """Short lists stay as they are, and so do lists whose atoms occur in other clauses."""
    other = tuple(f.Atom(f"q{number}") for number in range(9))
    law = at_most(3, ATOMS) + at_most(3, other)
    assert with_counts(law) == [f.atmost(3, ATOMS), f.atmost(3, other)]
    short = at_most(3, ATOMS[:6])
    assert with_counts(short) == short
    across = [*law, f.Not(f.conjunction((*ATOMS[:2], *other[:2])))]
    assert with_counts(across) == across


def test_hands_of_four_are_four_constraints() -> None:
    """Without counts, a solver needs 20 s to prove the last question."""
    players, hand = 4, 4
    cards = players * hand
    hands = [tuple(range(cards * player, cards * (player + 1))) for player in range(players)]
    places = (f"ONEOF({', '.join(str(hand[card]) for hand in hands)})" for card in range(cards))
    limits = (
        f"~ AND({', '.join(map(str, some))})" for of in hands for some in combinations(of, hand + 1)
    )
    dealt = [hands[card // hand][card] for card in range(cards)]
    text = "\n".join(
        (
            f"VARS {', '.join(str(card) for hand in hands for card in hand)}",
            f"LAW AND({', '.join(chain(places, limits))})",
            "OBS",
            *(f"p{player}: {', '.join(map(str, hands[player]))}" for player in range(players)),
            f"TRUE? {{{', '.join(map(str, dealt))}}} p0 knows that ~ (p1 knows that 0)",
        )
    )
    problem = read_smcdel(text).problem
    assert len(problem.structure.law) == cards + players < comb(cards, hand + 1)
    found = [bool(outcome.answer) for outcome in check(problem, engine("sat")) if outcome.answer]
    assert found == [True]
