"""The look of a problem: which thing stands for which fact, and where it is drawn.

A package describes the look of its puzzles in `scenes.toml`, with one table for each puzzle. A
problem without a table, such as one that a user enters, gets a look of paper signs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

import msgspec

from symkripke.decoding import from_toml, from_values
from symkripke.installed import packaged_text
from symkripke.language import Name
from symkripke.problems.problem import Problem
from symkripke.problems.puzzles import Puzzle

FILE = "scenes.toml"

Looks = str | dict[str, str]
"""The name of a thing, or its name for each value; values without a name are not drawn."""

_MOST_SIGNS = 2
"""The maximum number of signs in front of a person; in front of one of many people, one sign."""

_MANY = 4
"""The maximum number of people with several signs."""

_MOST_MIDDLE = 5
"""The maximum number of signs in the middle."""

_MOST_ABOUT = 12
"""The maximum number of fluents in a thought, in a look without a table."""


class PropRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule for drawing a kind of fluent.

    Attributes:
        fluent: the fluents, as a pattern: in "has(i, j)" single letters stand for any argument.
        art: the thing.
        on: the person: a letter of the pattern, the name of an agent, or "value" if the value of
            the fluent is the person. Empty: in the middle.
        place: the place on the person; "away": a person with this thing is somewhere else.
        label: the text on the thing, with letters of the pattern in braces, and {value}.
        tone: the number of the colour; or the letter for the agent whose colour it is; or a number
            for each value.
        within: for each value the container in which the thing is; all containers are drawn.
        titles: for each value the words below its container.
        title: the words below a thing in the middle.
    """

    fluent: str
    art: Looks
    on: str = ""
    place: Literal["hand", "forehead", "hat", "away"] = "hand"
    label: str = ""
    tone: int | str | dict[str, int] = 7
    within: dict[str, str] = {}
    titles: dict[str, str] = {}
    title: str = ""


class ThoughtRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule for the content of thought bubbles.

    Attributes:
        about: the fluents, as patterns.
        words: a formula in place of fluents, given by the words that the file defines for it.
        own: the letter of the pattern that stands for the thinking agent; empty: everybody thinks
            about all of these fluents.
        who: the agents that think about this; empty: all.
        art: the thing in the bubble.
        label: the text on the thing, with {value} for the known values.
        tone: the number of its colour, as in `PropRule`.
        tally: whether the bubble shows the number of known facts.
        topic: the topic of the thoughts, as the page states it: "their own hats".
    """

    about: list[str] = []
    words: str = ""
    own: str = ""
    who: list[str] = []
    art: Looks = "tick"
    label: str = ""
    tone: int | dict[str, int] = 7
    tally: bool = False
    topic: str = ""


class BoardRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet of the values that are still possible.

    Attributes:
        fluents: the fluents.
        title: the heading.
        row: the fluent whose values are the rows; empty: no rows.
        most: the maximum number of combinations of values on the sheet.
    """

    fluents: list[str]
    title: str
    row: str = ""
    most: int = 12


class Scenery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The look of a problem.

    Attributes:
        people: "children" are smaller than "adults".
        cast: the avatars of agents.
        extras: speakers who are not agents, with their avatars.
        props: the things.
        thoughts: the thought bubbles; the first rule that fits an agent counts.
        board: the sheet of the remaining possibilities.
    """

    people: Literal["adults", "children"] = "adults"
    cast: dict[str, str] = {}
    extras: dict[str, str] = {}
    props: list[PropRule] = []
    thoughts: list[ThoughtRule] = []
    board: BoardRule | None = None


@cache
def _sceneries(package: str) -> Mapping[str, Scenery]:
    try:
        text = packaged_text(package, FILE)
    except OSError:
        return {}
    found: dict[str, Scenery] = from_values(from_toml(text), dict[str, Scenery])
    return found


def scenery_of(puzzle: Puzzle) -> Scenery | None:
    """Return the look that the package of a puzzle gives it; None if it gives none."""
    return _sceneries(puzzle.package).get(puzzle.name)


def plain_scenery(problem: Problem) -> Scenery:
    """Return a look of paper signs for any problem.

    A fluent with the name of an agent among its arguments is drawn in front of this agent, and
    other fluents in the middle. Agents think about all fluents.
    """
    agents = problem.structure.agents
    names = [
        name
        for name in (*problem.coded, *problem.structure.vocabulary.plain)
        if name not in problem.hidden
    ]
    props, held, middle = [], dict.fromkeys(agents, 0), 0
    most = _MOST_SIGNS if len(agents) <= _MANY else 1
    for name in names:
        owner = next((part for part in Name.of(name).arguments if part in held), "")
        if owner and held[owner] < most:
            held[owner] += 1
            rest = [part for part in Name.of(name).arguments if part != owner]
            short = Name(Name.of(name).functor, rest)
            props.append(PropRule(fluent=name, art="sign", on=owner, label=f"{short}: {{value}}"))
        elif not owner and middle < _MOST_MIDDLE:
            middle += 1
            props.append(PropRule(fluent=name, art="sign", label=f"{name}: {{value}}"))
    about = names[:_MOST_ABOUT]
    thoughts = [
        ThoughtRule(
            about=about,
            art="text",
            label="{value}",
            tally=len(about) > 1,
            topic="all facts" if len(about) == len(names) else f"{len(about)} of the facts",
        )
    ]
    return Scenery(props=props, thoughts=thoughts if about else [])


def matches(pattern: str, name: str) -> dict[str, str] | None:
    """Return the values of the letters of a pattern for a fluent; None if it does not fit.

    >>> matches("has(i, j)", "has(2, 3)")
    {'i': '2', 'j': '3'}
    >>> matches("has(i, 2)", "has(2, 3)")
    """
    if pattern == name:
        return {part: part for part in Name.of(name).arguments if len(part) == 1}
    wanted, given = Name.of(pattern), Name.of(name)
    if wanted.functor != given.functor or len(wanted.arguments) != len(given.arguments):
        return None
    values: dict[str, str] = {}
    for part, value in zip(wanted.arguments, given.arguments, strict=True):
        is_letter = len(part) == 1 and part.isalpha()
        if (values.setdefault(part, value) if is_letter else part) != value:
            return None
    return values
