"""Formulas about a game that have the same sentence are equivalent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import pytest

from symkripke.engines import engine
from symkripke.explain.phrases import Wording
from symkripke.language import Formula, Iff, negation
from symkripke.model import Fluent
from symkripke.play import Moment, Table, game, game_names
from symkripke.play.formula_words import at_present, wording, wording_as_read
from symkripke.testing.random_models import BOOLEAN, Names, Seeded, random_formula
from tests.explain.test_unambiguous import AGENTS, P, Q, combined

Meaning = Callable[[Formula], Formula]

_KNOWING = ("K", "M", "E", "D", "Kw", "C", "announced", "announced_true")
_OPERATORS = (*BOOLEAN, *_KNOWING, "K", "and", "or")
_SHAPES = list(dict.fromkeys(combined(combined([P], [Q]), [P])))
_SMALL = {"cluedo": {"size": "3/3/4"}, "kwartet": {"groups": 4}, "perudo": {"dice": 2}}
_SMALL |= {"old_maid": {"rules": "study", "ranks": 4}, "sleuth": {"size": "3/3/2"}}


def moment_of(name: str, steps: int) -> Moment[Any, Any]:
    """A moment of a small game."""
    table = Table.of(game(name), players=3, seed=4, **_SMALL[name])
    for _ in range(steps):
        table.step()
    return table.moment


def facts_of(moment: Moment[Any, Any], choices: Seeded) -> list[Formula]:
    """Names of the game's definitions, cells of its note sheet, and groups of cells."""
    definitions = [*moment.structure.vocabulary.definitions.values()]
    cells = list(moment.layout.cells.values())
    found = [
        each(*(choices.one_of(values) for _, values in each.parameters)) for each in definitions
    ]
    found = [choices.one_of(found or cells) for _ in range(4)]
    row = choices.integer(0, len(cells) // 3 - 1) * 3
    several = cells[row : row + 2]
    found += [several[0] | several[1], ~several[0] & ~several[1], choices.one_of(cells)]
    return list(dict.fromkeys(found))


def drawn(moment: Moment[Any, Any], number: int) -> Iterator[Formula]:
    """Small and random formulas about pairs of facts, as they are read."""
    choices, names = Seeded(1), Names((Fluent("p"), Fluent("q")), AGENTS)
    for pair in combinations(facts_of(moment, choices), 2):
        meant = dict(zip(AGENTS, moment.setup.players, strict=False))
        meant |= {name: f"({fact})" for name, fact in zip("pq", pair, strict=True)}
        shapes = [choices.one_of(_SHAPES) for _ in range(number)]
        shapes += [random_formula(choices, names, 3, _OPERATORS) for _ in range(number)]
        for shape in shapes:
            words = re.split(r"\b(ann|bob|p|q)\b", str(shape))
            yield moment.structure.parse("".join(meant.get(word, word) for word in words))


def check(moment: Moment[Any, Any], number: int, said: Wording, meant: Meaning) -> int:
    """Check that formulas with the same sentence are equivalent; return how many have one.

    `meant`: the formula, of one that is read, that is put into words.
    """
    told: dict[str, Formula] = {}
    asked = engine("auto")
    for formula in drawn(moment, number):
        for truth, stated in ((True, formula), (False, negation(formula))):
            sentence = said.sentence(meant(formula), truth)
            first = told.setdefault(sentence or str(stated), stated)
            same = first is stated or asked.valid(moment.structure, Iff(first, stated))
            assert same, (sentence, first, stated)
    return len(told)


@pytest.mark.parametrize("steps", [0, 4])
@pytest.mark.parametrize("name", game_names())
def test_formulas_of_a_game(name: str, steps: int) -> None:
    moment = moment_of(name, steps)
    structure, layout = moment.structure, moment.layout
    assert check(moment, 30, wording(structure, layout), structure.resolve) > 500
    as_read = wording_as_read(structure, layout)
    assert check(moment, 10, as_read, partial(at_present, structure)) > 150


@pytest.mark.parametrize("name", game_names())
def test_a_planted_ambiguity_is_found(name: str) -> None:
    """Two players with one name."""
    moment = moment_of(name, 0)
    said = wording(moment.structure, moment.layout)
    titles = {**said.titles, **dict.fromkeys(moment.setup.players, "Somebody")}
    with pytest.raises(AssertionError, match="Somebody"):
        check(moment, 40, replace(said, titles=titles), moment.structure.resolve)
