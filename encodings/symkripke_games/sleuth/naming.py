"""The names of gems, question cards and numbers, in words or by letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from symkripke.play.acts import FILLERS, Choice, fold, numbers_to_choose
from symkripke_games.sleuth.gems import FREE, Edition, Elements, Gem


def gems_to_choose(gems: Sequence[Gem], asked_for: Elements = ()) -> tuple[Choice[str], ...]:
    """Return choices of gems by title or letters, or by their only element not in `asked_for`."""
    choices = []
    for gem in gems:
        others = [element for element in gem.elements if element not in asked_for]
        third = others if len(others) == 1 else ()
        choices.append(Choice(gem.id, gem.title, (gem.id, *third), "the"))
    return tuple(choices)


@cache
def cards_to_choose(edition: Edition) -> tuple[Choice[str], ...]:
    """Return choices of question cards by title or letters, such as "rd" for Red Diamond."""
    titles = edition.titles
    codes = _codes(edition)
    choices = [
        Choice(
            " ".join(asked),
            " ".join(titles[element] for element in asked),
            (*codes.get(asked, ()), " ".join(asked).replace("_", " ")),
        )
        for asked in edition.questions
    ]
    return (*choices, Choice(FREE, "free choice", (FREE,), "a"))


def _codes(edition: Edition) -> Mapping[Elements, tuple[str, ...]]:
    """Return each question's shortest unambiguous abbreviation, if it has only letters."""
    ids = [element.id for kind in edition.kinds for element in kind]
    least = {
        name: next(
            name[:length]
            for length in range(1, len(name) + 1)
            if length == len(name) or sum(other.startswith(name[:length]) for other in ids) == 1
        )
        for name in ids
    }
    codes = {asked: "".join(least[element] for element in asked) for asked in edition.questions}
    taken = {*ids, FREE, *FILLERS}
    plain = [code for code in codes.values() if code.isalpha() and code not in taken]
    return {asked: (code,) for asked, code in codes.items() if plain.count(code) == 1}


def how_many(edition: Edition, most: int, none: str) -> list[Choice[int]]:
    """Return choices for numbers of gems, without words that are titles of elements."""
    zero = Choice(0, none, ("0", "-", "no", "none", "nothing", "no gems", "zero", "nope", "nobody"))
    taken = {fold(element.title) for kind in edition.kinds for element in kind}
    return [
        replace(choice, also=tuple(form for form in choice.also if form not in taken))
        for choice in (zero, *numbers_to_choose(1, most))
    ]
