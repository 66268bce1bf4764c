"""Unambiguous wording: formulas about a game with the same sentence are equivalent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from symkripke.explain.phrases import Wording
from symkripke.language import Formula, negation
from symkripke.play import Moment, Table, game, game_names
from symkripke.play.formula_words import at_present, wording, wording_as_read
from symkripke.testing.random_models import Seeded
from tests.support.sentences import texts, unambiguous

Meaning = Callable[[Formula], Formula]

_SMALL: dict[str, dict[str, Any]] = {
    "cluedo": {"size": "3/3/4"},
    "hanabi": {"colours": 2, "ranks": 3, "hand": 2},
    "kwartet": {"groups": 4},
    "perudo": {"dice": 2},
}
_SMALL |= {"old_maid": {"rules": "study", "ranks": 4}, "sleuth": {"size": "3/3/2"}}


def moment_of(name: str, steps: int) -> Moment[Any, Any]:
    """Return a moment of a small game."""
    table = Table.of(game(name), players=3, seed=4, **_SMALL[name])
    for _ in range(steps):
        table.step()
    return table.moment


def facts_of(moment: Moment[Any, Any], choices: Seeded) -> list[Formula]:
    """Return instances of the game's definitions, cells of its note sheet, and groups of cells."""
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


def check(moment: Moment[Any, Any], number: int, said: Wording, meant: Meaning) -> int:
    """Check that formulas with the same sentence are equivalent; return the number of different
    ones.

    `meant` maps each parsed formula to the formula that is put into words.
    """
    choices = Seeded(1)
    facts = [str(fact) for fact in facts_of(moment, choices)]
    read = map(moment.structure.parse, texts(facts, moment.setup.players, choices, number))

    def told() -> Iterator[tuple[str | None, Formula]]:
        for formula in read:
            yield said.sentence(meant(formula), True), formula
            yield said.sentence(meant(formula), False), negation(formula)

    return unambiguous(moment.structure, told())


@pytest.mark.parametrize("name", game_names())
def test_formulas_of_a_game(name: str) -> None:
    moment = moment_of(name, 4)
    structure, layout = moment.structure, moment.layout
    assert check(moment, 12, wording(structure, layout), structure.resolve) > 150
    as_read = wording_as_read(structure, layout)
    assert check(moment, 6, as_read, partial(at_present, structure)) > 60


@pytest.mark.parametrize("name", game_names())
def test_a_planted_ambiguity_is_found(name: str) -> None:
    """The fault is that two players have the same name."""
    moment = moment_of(name, 0)
    said = wording(moment.structure, moment.layout)
    titles = {**said.titles, **dict.fromkeys(moment.setup.players, "Somebody")}
    with pytest.raises(AssertionError, match="Somebody"):
        check(moment, 40, replace(said, titles=titles), moment.structure.resolve)
