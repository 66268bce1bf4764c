"""The labels of worlds: the differences between them, in few words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from symkripke.drawing.text_width import wrapped
from symkripke.language import Formula, Name
from symkripke.model import KnowledgeStructure, World

SIZE = 13
"""The size of the letters of labels, in pixels."""

WIDTH = 190
"""The approximate width of the lines of a label, in pixels."""

# A space that prevents a line break.
_FIRM = "\N{NO-BREAK SPACE}"

# A family with more fluents than this is listed value by value: "ann: red, green".
_MOST_LINES = 3


@dataclass(frozen=True)
class Naming:
    """The fluents to show on labels, and the words for them.

    Attributes:
        hidden: the fluents that the user has not named, which are not shown.
        coded: the numbers in binary: for each number, the fluents of its digits, the lowest first.
        chosen: the only fluents to show; empty for all fluents that are not hidden.
        titles: the words for fluents on labels: {"location(rope)": "Rope"}.
        words: the words for agents, values and arguments: {"plum": "Plum"}.
        owners: the first arguments of fluents about possessions. The label "Ann: Queen" stands for
            `holds(ann, queen)`, and "Ann: die 5 = 3" for `die(ann, 5) = 3`.
        said: the function that puts a formula into words.
    """

    hidden: frozenset[str] = frozenset()
    coded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    chosen: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    owners: frozenset[str] = frozenset()
    said: Callable[[Formula], str] = str

    def word(self, name: str) -> str:
        """Return the word for an agent, a value or an argument."""
        return self.words.get(name, name)

    def owner(self, name: str) -> str:
        """Return the owner of a fluent; empty if it has none."""
        first, *others = Name.of(name).arguments or ("",)
        return first if others and first in self.owners else ""

    def fluent(self, name: str) -> str:
        """Return the words for the arguments of a fluent, next to the name of its family."""
        if name in self.titles:
            return self.titles[name]
        return ", ".join(map(self.word, Name.of(name).arguments))

    def names(self, structure: KnowledgeStructure) -> tuple[str, ...]:
        """Return the names of the fluents that may be shown, in order."""
        if self.chosen:
            return self.chosen
        shown = (*self.coded, *structure.vocabulary.plain)
        return tuple(name for name in shown if name not in self.hidden)

    def values(self, structure: KnowledgeStructure, world: World) -> dict[str, str]:
        """Return the current values of the fluents that may be shown, at a world."""
        return {name: self._value(structure, world, name) for name in self.names(structure)}

    def _value(self, structure: KnowledgeStructure, world: World, name: str) -> str:
        digits = self.coded.get(name)
        if digits is not None:
            bits = [structure.resolver.value(digit, world) == "true" for digit in digits]
            return str(sum(1 << place for place, bit in enumerate(bits) if bit))
        return structure.resolver.value(name, world)


def differing(worlds: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """Return the names whose values differ between these worlds."""
    if not worlds:
        return ()
    return tuple(
        name for name in worlds[0] if any(world.get(name) != worlds[0][name] for world in worlds)
    )


def label(
    values: Mapping[str, str],
    shown: Sequence[str],
    changed: Iterable[str] = (),
    main: str | None = None,
    *,
    naming: Naming,
    grouped: bool = True,
) -> tuple[str, ...]:
    """Return the lines with the values of `shown` at a world; `changed` ones have a `*`.

    The name of the family `main` is left out (see `main_family`), and so is the name of a family
    whose fluents have titles or owners. Larger families are `grouped` by their values.
    """
    marked = set(changed)
    families: dict[str, list[str]] = {}
    for name in shown:
        families.setdefault(family(name), []).append(name)
    lines = _plain(values, families.pop("", []), marked, naming)
    for functor, names in families.items():
        text_lines = _family(values, names, marked, grouped, naming)
        plain = functor == main or all(
            name in naming.titles or naming.owner(name) for name in names
        )
        lines += text_lines if plain else [_headed(functor, line) for line in text_lines]
    pieces = (piece for line in lines for piece in wrapped(line, WIDTH, SIZE))
    return tuple(piece.replace(_FIRM, " ") for piece in pieces)


def _headed(functor: str, line: str) -> str:
    """Return a line of a family with its name: "muddy: ann, bob", "at rope = hall"."""
    return f"{functor}{_FIRM}{line}" if "=" in line else f"{functor}: {line}"


def family(name: str) -> str:
    """Return the functor of a fluent's name; empty if it has no arguments."""
    known = Name.of(name)
    return known.functor if known.arguments else ""


def main_family(shown: Sequence[str]) -> str | None:
    """Return the family that labels omit: the only one, or by far the largest one."""
    sizes: dict[str, int] = {}
    for name in shown:
        sizes[family(name)] = sizes.get(family(name), 0) + 1
    if "" in sizes or not sizes:
        return None
    largest = max(sizes, key=lambda functor: sizes[functor])
    if len(sizes) == 1:
        return largest
    numbered = all(
        not name[len(largest) + 1].isdigit() for name in shown if family(name) == largest
    )
    return largest if sizes[largest] > 2 and numbered else None


def key_to_labels(
    shown: Sequence[str],
    values: Mapping[str, str],
    main: str | None,
    *,
    naming: Naming,
    grouped: bool = True,
) -> str:
    """Return the key to labels that omit the name of a family; empty if it is not needed."""
    names = [name for name in shown if main and family(name) == main]
    if not names or all(name in naming.titles or naming.owner(name) for name in names):
        return ""
    variables = ", ".join("xyzuvw"[: 1 + names[0].count(", ")])
    written = f"({variables})" if ", " in variables else variables
    if all(values.get(name, "true") in ("true", "false") for name in names):
        return f"Labels list the {written} for which {main}({variables}) is true."
    if grouped and _by_value(values, names):
        return f"v: {written} on a label means {main}({variables}) = v."
    return f"{written} = v on a label means {main}({variables}) = v."


def _by_value(values: Mapping[str, str], names: Sequence[str]) -> bool:
    """Return whether a family is listed value by value: "ann: red, green"."""
    numbers = all(values.get(name, "").isdecimal() for name in names)
    return len(names) > _MOST_LINES and not numbers


def _plain(
    values: Mapping[str, str], names: Sequence[str], marked: set[str], naming: Naming
) -> list[str]:
    """Return the lines for fluents without arguments."""
    said: list[str] = []
    booleans = [name for name in names if values[name] in ("true", "false")]
    if booleans:
        words = [
            f"{_star(name, marked)}{'' if values[name] == 'true' else f'not{_FIRM}'}"
            f"{naming.titles.get(name, name)}"
            for name in booleans
        ]
        said.append(", ".join(words))
    return said + [
        _equation(naming.titles.get(name, name), values[name], name in marked, naming)
        for name in names
        if name not in booleans
    ]


def _family(
    values: Mapping[str, str],
    names: Sequence[str],
    marked: set[str],
    grouped: bool,
    naming: Naming,
) -> list[str]:
    """Return the lines for fluents that differ in their arguments only."""
    if all(naming.owner(name) for name in names):
        return _owned(values, names, marked, naming)
    arguments = {name: naming.fluent(name) for name in names}
    if all(values[name] in ("true", "false") for name in names):
        words = [
            f"{_star(name, marked)}{'not ' if values[name] == 'false' else ''}{arguments[name]}"
            for name in names
            if values[name] == "true" or name in marked
        ]
        return [_listed(words) or "none"]
    # "Ann: Rope, Hall" is written for things that somebody has, but not for names of things
    # themselves.
    things = set(naming.titles.values())
    are_things = naming.owners and all(
        name in naming.titles
        and values[name] in naming.words
        and naming.word(values[name]) not in things
        for name in names
    )
    if not (are_things or (grouped and _by_value(values, names))):
        return [_equation(arguments[name], values[name], name in marked, naming) for name in names]
    by_value: dict[str, list[str]] = {}
    for name in names:
        by_value.setdefault(values[name], []).append(f"{_star(name, marked)}{arguments[name]}")
    return [f"{naming.word(value)}: {_listed(by_value[value])}" for value in sorted(by_value)]


def _owned(
    values: Mapping[str, str], names: Sequence[str], marked: set[str], naming: Naming
) -> list[str]:
    """Return the lines for fluents with owners, owner by owner."""
    by_owner: dict[str, list[str]] = {}
    for name in names:
        what = ", ".join(map(naming.word, Name.of(name).arguments[1:]))
        value, star = values[name], _star(name, marked)
        if value not in ("true", "false"):
            what = f"{family(name)} {what} = {naming.word(value)}"
        elif value == "false" and not star:
            continue
        elif value == "false":
            what = f"not {what}"
        by_owner.setdefault(naming.owner(name), []).append(f"{star}{what}".replace(" ", _FIRM))
    return [f"{naming.word(owner)}: {', '.join(things)}" for owner, things in by_owner.items()] or [
        "none"
    ]


def _equation(name: str, value: str, changed: bool, naming: Naming) -> str:
    """Return a fluent and its value, without line breaks."""
    return f"{'*' if changed else ''}{name} = {naming.word(value)}".replace(" ", _FIRM)


def _listed(words: Sequence[str]) -> str:
    """Return words separated by commas, with tuples in brackets. Lines break at commas only."""
    bracketed = (f"({word})" if ", " in word else word for word in words)
    return ", ".join(word.replace(" ", _FIRM) for word in bracketed)


def in_one_line(lines: Sequence[str]) -> str:
    """Return the lines of a label as one text; a line that ends with a comma continues."""
    parts: list[str] = []
    for line in lines:
        if parts and parts[-1].endswith((",", ":")):
            parts[-1] += f" {line}"
        else:
            parts.append(line)
    return "; ".join(parts)


def _star(name: str, marked: set[str]) -> str:
    return "*" if name in marked else ""


def short_names(agents: Sequence[str]) -> dict[str, str]:
    """Return a distinct short sign for each agent: a few letters, or else a number."""
    for length in range(1, 4):
        short = {agent: agent[:length].capitalize() for agent in agents}
        if len(set(short.values())) == len(agents):
            return short
    return {agent: str(number + 1) for number, agent in enumerate(agents)}
