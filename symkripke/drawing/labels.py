"""What worlds are labelled with: what differs between them, in few words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from symkripke.drawing.text_width import wrapped
from symkripke.model import Fixed, KnowledgeStructure, World

SIZE = 13
"""The size of the letters of labels, in pixels."""

# Lines of a label are about so wide.
_WIDTH = 170

# A family of more fluents with values is told value by value: "ann: red, green".
_MOST_LINES = 3


@dataclass(frozen=True)
class Naming:
    """Which fluents are shown, and how.

    Attributes:
        hidden: fluents that nobody named: not shown.
        coded: numbers that are kept in binary: for each its digits, the lowest first.
        chosen: the only fluents that are shown; all that are not hidden, if there are none.
    """

    hidden: frozenset[str] = frozenset()
    coded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    chosen: tuple[str, ...] = ()

    def names(self, structure: KnowledgeStructure) -> tuple[str, ...]:
        """The names of the fluents that may be shown, in order."""
        if self.chosen:
            return self.chosen
        fluents = structure.vocabulary.fluents
        plain = [name for name in fluents if "#" not in name and name not in self.hidden]
        return (*(name for name in self.coded if name not in self.hidden), *plain)

    def values(self, structure: KnowledgeStructure, world: World) -> dict[str, str]:
        """What the fluents that may be shown are now, at a world of the structure."""
        return {name: self._value(structure, world, name) for name in self.names(structure)}

    def _value(self, structure: KnowledgeStructure, world: World, name: str) -> str:
        digits = self.coded.get(name)
        if digits is not None:
            bits = [_now(structure, world, digit) == "true" for digit in digits]
            return str(sum(1 << place for place, bit in enumerate(bits) if bit))
        return _now(structure, world, name)


def _now(structure: KnowledgeStructure, world: World, name: str) -> str:
    version = structure.versions.get(name, name)
    return version.value if isinstance(version, Fixed) else world[version]


def differing(worlds: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """The names whose values are not the same at all of these worlds."""
    if not worlds:
        return ()
    return tuple(
        name for name in worlds[0] if any(world.get(name) != worlds[0][name] for world in worlds)
    )


def label(
    values: Mapping[str, str], shown: Sequence[str], changed: Iterable[str] = ()
) -> tuple[str, ...]:
    """The lines that say what `shown` are at a world; `changed` get a `*`."""
    marked = set(changed)
    families: dict[str, list[str]] = {}
    for name in shown:
        families.setdefault(name.partition("(")[0] if "(" in name else "", []).append(name)
    propositions = families.pop("", [])
    lines: list[str] = []
    lines += _plain(values, propositions, marked)
    for functor, names in families.items():
        told = _family(values, names, marked)
        alone = len(families) == 1 and not propositions
        lines += told if alone else [_headed(functor, line) for line in told]
    return tuple(piece for line in lines for piece in wrapped(line, _WIDTH, SIZE))


def _headed(functor: str, line: str) -> str:
    """A line of a family with its name: "muddy: ann, bob", "at: rope = hall"."""
    return f"{functor}: {line}"


def _plain(values: Mapping[str, str], names: Sequence[str], marked: set[str]) -> list[str]:
    """Fluents without arguments."""
    said: list[str] = []
    booleans = [name for name in names if values[name] in ("true", "false")]
    if booleans:
        words = [
            f"{_star(name, marked)}{name if values[name] == 'true' else f'not {name}'}"
            for name in booleans
        ]
        said.append(", ".join(words))
    return said + [
        f"{_star(name, marked)}{name} = {values[name]}" for name in names if name not in booleans
    ]


def _family(values: Mapping[str, str], names: Sequence[str], marked: set[str]) -> list[str]:
    """Fluents that differ in their arguments only."""
    arguments = {name: name.partition("(")[2].removesuffix(")") for name in names}
    if all(values[name] in ("true", "false") for name in names):
        told = [
            f"{_star(name, marked)}{'not ' if values[name] == 'false' else ''}{arguments[name]}"
            for name in names
            if values[name] == "true" or name in marked
        ]
        return [_listed(told) or "none"]
    if len(names) <= _MOST_LINES:
        return [f"{_star(name, marked)}{arguments[name]} = {values[name]}" for name in names]
    by_value: dict[str, list[str]] = {}
    for name in names:
        by_value.setdefault(values[name], []).append(f"{_star(name, marked)}{arguments[name]}")
    return [f"{value}: {_listed(by_value[value])}" for value in sorted(by_value)]


def _listed(words: Sequence[str]) -> str:
    """Words with commas; of several arguments each, in brackets."""
    return ", ".join(f"({word})" if ", " in word else word for word in words)


def _star(name: str, marked: set[str]) -> str:
    return "*" if name in marked else ""
