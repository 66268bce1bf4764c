"""Exact chances of formulas, and the expected information of answers, for one player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from symkripke.engines import Counter
from symkripke.engines.count.weighting import bits
from symkripke.language import TRUE, Atom, Formula, conjunction, negation
from symkripke.model import Perspective

Answer = tuple[tuple[Formula, ...], Fraction]
"""The true formulas of a question, and the probability of this answer."""


def chances(
    view: Perspective, formulas: Iterable[Formula], engine: Counter
) -> Mapping[Formula, Fraction]:
    """Return the probability of each formula."""
    asked = dict.fromkeys(formulas)
    atoms = [formula for formula in asked if isinstance(formula, Atom)]
    shares: dict[Formula, Fraction] = {}
    if atoms:
        shares.update(engine.marginals(view, atoms).items())
    return shares | {
        formula: engine.probability(view, formula) for formula in asked if formula not in shares
    }


def information(
    view: Perspective, about: tuple[Formula, ...], answer: tuple[Formula, ...], engine: Counter
) -> float:
    """Return the expected information of an answer, in bits: the reduction of uncertainty.

    Args:
        view: the perspective of the asker.
        about: the formulas whose truth the asker wants to know.
        answer: the formulas whose truth the answer reveals.
        engine: the engine that counts.
    """
    both = tuple(dict.fromkeys((*about, *answer)))
    before, answer_bits, after = (entropy(view, asked, engine) for asked in (about, answer, both))
    return max(0.0, before + answer_bits - after)


def entropy(view: Perspective, asked: tuple[Formula, ...], engine: Counter) -> float:
    """Return the uncertainty about the truth of these formulas, in bits."""
    return bits(share for _, share in answer_odds(view, asked, engine))


def answer_odds(
    view: Perspective, asked: tuple[Formula, ...], engine: Counter
) -> tuple[Answer, ...]:
    """Return the possible sets of true formulas, with their probabilities, greatest first."""
    answers: list[Answer]
    atoms = [formula for formula in asked if isinstance(formula, Atom)]
    if len(atoms) == len(asked):
        answers = [
            (tuple(atom for atom in atoms if atom in true), share)
            for true, share in engine.distribution(view, atoms).items()
        ]
    else:
        answers = _together(view, asked, engine)
    places = {formula: place for place, formula in enumerate(asked)}
    return tuple(
        sorted(answers, key=lambda answer: (-answer[1], [places[atom] for atom in answer[0]]))
    )


def _together(view: Perspective, asked: tuple[Formula, ...], engine: Counter) -> list[Answer]:
    """Return the possible sets of true formulas with their probabilities, by case distinction."""
    cases: list[tuple[Formula, tuple[Formula, ...], Fraction]] = [(TRUE, (), Fraction(1))]
    for formula in asked:
        split = []
        for given, true, share in cases:
            both = engine.probability(view, conjunction((given, formula)))
            split.append((conjunction((given, formula)), (*true, formula), both))
            split.append((conjunction((given, negation(formula))), true, share - both))
        cases = [part for part in split if part[2]]
    return [(true, share) for _, true, share in cases]
