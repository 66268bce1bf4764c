"""The words of a game for formulas: names, sentences, titles of players and cards."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import product
from math import prod
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from symkripke.explain.phrases import Groups, Wording
from symkripke.explain.text import listed
from symkripke.language import (
    And,
    Atom,
    Cardinality,
    Constant,
    Formula,
    Kv,
    Name,
    Not,
    Or,
    atmost,
    negation,
)
from symkripke.language.formulas import fold
from symkripke.language.printer import brief
from symkripke.language.walk import negation_normal_form, rewrite
from symkripke.model import Fixed, KnowledgeStructure

if TYPE_CHECKING:
    from symkripke.drawing import Naming
    from symkripke.play.layout import Layout

# Definitions with more combinations of arguments than this are ignored.
_CASES = 1_000

# Kinds of parameters that are people or places; others are things.
_PLACES = {"player", "place"}


def wording(structure: KnowledgeStructure, layout: Layout) -> Wording:
    """Return the words for resolved formulas about a game."""
    known = _known(structure, layout)
    names, groups = known.names, known.groups

    def called(formula: Formula) -> str | None:
        other = _renamed(formula, names, groups)
        return str(other) if isinstance(leaf(other), Atom) else None

    def text(formula: Formula) -> str:
        return brief(_renamed(formula, names, groups))

    def parts(formula: And | Or) -> tuple[Formula, ...]:
        return tuple(map(formula.rebuild, groups.of(formula)))

    return Wording(
        structure.words,
        titles(structure, layout),
        text,
        called,
        known.phrases.get,
        frozenset(structure.agents),
        layout.rows,
        partial(_values, structure, layout),
        parts,
    )


def wording_as_read(structure: KnowledgeStructure, layout: Layout) -> Wording:
    """Return the words for formulas of `at_present`, in which public facts keep their names."""
    said = wording(structure, layout)
    if not structure.versions:
        return said

    def words(atom: Atom, truth: bool) -> str:
        name = atom.fluent.plain if atom.fluent.version == 0 else atom.fluent
        return structure.words(Atom(name, atom.value), truth)

    def is_known(formula: Formula) -> bool:
        fact = leaf(formula)
        return not isinstance(fact, Atom) or isinstance(structure.versions.get(fact.fluent), Fixed)

    read = sentences(structure, layout, now=False).items()
    known = {at_present(structure, formula): both for formula, both in read if is_known(formula)}
    return replace(said, atom=words, phrase=lambda part: said.phrase(part) or known.get(part))


def at_present(structure: KnowledgeStructure, formula: Formula) -> Formula:
    """Return a formula as it was read, with the current versions of fluents that are not public."""

    def now(name: str) -> str:
        version = structure.versions.get(name)
        return version if isinstance(version, str) else name

    def change(part: Formula) -> Formula:
        match part:
            case Atom(fluent, value):
                return Atom(now(fluent), value)
            case Kv(agent, fluents):
                return Kv(agent, map(now, fluents))
        return part

    return rewrite(formula, change)


@dataclass(frozen=True)
class _Known:
    """The names and sentences of a game's definitions, with the groups that they form."""

    names: Mapping[Formula, Formula]
    phrases: Mapping[Formula, tuple[str, str]]
    groups: Groups


_KEPT = 32
"""The maximum number of cached entries for one first structure.

Resolving all definitions takes a hundred times as long as describing one answer.
"""

_known_of: WeakKeyDictionary[KnowledgeStructure, OrderedDict[Hashable, _Known]] = (
    WeakKeyDictionary()
)
_lock = Lock()


def _known(structure: KnowledgeStructure, layout: Layout) -> _Known:
    """Return the names and sentences at a moment, using a cache.

    The meaning of a definition depends only on the versions of fluents (see `resolve`). The text of
    a sentence depends on the titles.
    """
    root = structure.root
    if structure.vocabulary.definitions is not root.vocabulary.definitions:
        return _made(structure, layout)
    key = tuple(
        tuple(words.items())
        for words in (structure.versions, titles(structure, layout), _things(layout))
    )
    with _lock:
        kept = _known_of.setdefault(root, OrderedDict())
        known = kept.get(key)
        if known is not None:
            kept.move_to_end(key)
            return known
    known = _made(structure, layout)
    with _lock:
        kept[key] = known
        while len(kept) > _KEPT:
            kept.popitem(last=False)
    return known


def _made(structure: KnowledgeStructure, layout: Layout) -> _Known:
    names, phrases = named(structure), sentences(structure, layout)
    return _Known(names, phrases, Groups((*names, *phrases)))


def naming(structure: KnowledgeStructure, layout: Layout) -> Naming:
    """Return the titles of players, cards and places for pictures."""
    from symkripke.drawing import Naming

    # Rows may be things themselves: "queen".
    words = {**layout.rows, **_things(layout), **titles(structure, layout)}

    def said(formula: Formula) -> str:
        words = wording(structure, layout)
        return words.sentence(formula, True) or words.text(formula)

    owners = frozenset(structure.agents)
    titles_of = {**_subjects(structure), **layout.rows}
    return Naming(titles=titles_of, words=words, owners=owners, said=said)


def _subjects(structure: KnowledgeStructure) -> dict[str, str]:
    """Return the phrases for fluents that are not Boolean, such as "card shown in turn 3"."""
    subjects: dict[str, str] = {}
    for name, fluent in structure.vocabulary.fluents.items():
        if fluent.is_boolean or fluent.name.is_version:
            continue
        first, *others = (structure.words(atom, True) for atom in fluent.atoms)
        for verb in (" was ", " is "):
            subject, found_verb, _ = first.partition(verb)
            is_thing = subject.startswith("the ") and found_verb
            if is_thing and all(other.startswith(subject + verb) for other in others):
                subjects[name] = subject.removeprefix("the ")
    return subjects


def _values(structure: KnowledgeStructure, layout: Layout, fluents: tuple[str, ...]) -> str:
    """Return words for the values of fluents: "where Ballroom is", "the murderer"."""
    rows, derived = layout.rows, structure.vocabulary.derived
    words, named = [], []
    for name in fluents:
        plain, when = Name.of(name).plain, structure.when(name)
        then = f" {when}" if when else ""
        if plain in rows:
            words.append(f"where {rows[plain]} {'was' if when else 'is'}{then}")
        else:
            words.append(f"the {plain.replace('_', ' ')}" if plain in derived else "")
        named.append(f"{plain}{then}")
    if all(words):
        return listed(words)
    return f"the value{'' if len(fluents) == 1 else 's'} of {listed(named)}"


def titles(structure: KnowledgeStructure, layout: Layout) -> Mapping[str, str]:
    """Return the titles of players, and of the columns of the note sheet."""
    return {**{name: layout.person(name) for name in structure.agents}, **layout.columns}


def sentences(
    structure: KnowledgeStructure, layout: Layout, *, now: bool = True, best: str = ""
) -> Mapping[Formula, tuple[str, str]]:
    """Return the sentences for each defined formula, and for its negation.

    With `now`, formulas are resolved at this moment; otherwise, they are kept as read. If several
    definitions have the same meaning, the sentence of `best` is preferred.
    """
    by_formula: dict[Formula, tuple[str, str]] = {}
    names, things = titles(structure, layout), _things(layout)
    definitions = structure.vocabulary.definitions
    for definition in sorted(definitions.values(), key=lambda each: each.name != best):
        values = [allowed for _, allowed in definition.parameters]
        if definition.sentence is None or prod(map(len, values)) > _CASES:
            continue
        words = {
            kind: {
                **names,
                **({} if kind in _PLACES else things),
                **definition.titles.get(kind, {}),
            }
            for kind, _ in definition.parameters
        }
        for arguments in product(*values):
            read = definition(*arguments)
            meant = structure.resolve(read) if now else read
            if isinstance(meant, Constant) or (now and isinstance(leaf(meant), Atom)):
                continue  # atoms have words of their own
            pairs = {
                kind: words[kind].get(argument, argument.replace("_", " "))
                for (kind, _), argument in zip(definition.parameters, arguments, strict=True)
            }
            is_so, is_not = definition.sentence
            both = is_so.format_map(pairs), is_not.format_map(pairs)
            by_formula.setdefault(meant, both)
            if now:
                normal, opposite = _normal_forms(meant)
                by_formula.setdefault(normal, both)
                by_formula.setdefault(opposite, both[::-1])
    return by_formula


@lru_cache(maxsize=4096)
def _normal_forms(formula: Formula) -> tuple[Formula, Formula]:
    """Return the negation normal forms of a formula and of its negation."""
    return negation_normal_form(formula), negation_normal_form(negation(formula))


def _things(layout: Layout) -> Mapping[str, str]:
    """Return the titles of cards and places, by their names in formulas."""
    rows = {
        name.arguments[0]: title
        for name, title in ((Name.of(row), title) for row, title in layout.rows.items())
        if len(name.arguments) == 1
    }
    return {**rows, **layout.others}


def named(structure: KnowledgeStructure) -> Mapping[Formula, Formula]:
    """Return the formulas of definitions, each with its name as an atom: `at(rope, envelope)`.

    Formulas are resolved in the structure. If several definitions have the same meaning, the
    first is preferred. Negations of counts have names, too: "fewer than two" is the negation of "at
    least two".
    """
    names: dict[Formula, Formula] = {}
    for definition in structure.vocabulary.definitions.values():
        values = [allowed for _, allowed in definition.parameters]
        if prod(map(len, values)) > _CASES:
            continue
        for arguments in product(*values):
            name = Atom(Name(definition.name, arguments))
            meant = structure.resolve(definition(*arguments))
            if isinstance(meant, Constant) or meant in names:
                continue
            names[meant] = name
            if isinstance(meant, Cardinality) and meant.relation == "atleast":
                fewer = atmost(meant.bound - 1, meant.operands)
                names.setdefault(fewer, negation(name))
            elif not isinstance(leaf(meant), Atom):
                normal, opposite = _normal_forms(meant)
                names.setdefault(normal, name)
                names.setdefault(opposite, negation(name))
    for plain, version in structure.versions.items():
        if not isinstance(version, Fixed):
            for atom in structure.vocabulary.fluents[version].atoms:
                names.setdefault(atom, Atom(plain, atom.value))
    return names


def _renamed(formula: Formula, names: Mapping[Formula, Formula], groups: Groups) -> Formula:
    """Return a formula in which the largest parts, or groups of operands, have their names."""

    def visit(current: Formula, parts: tuple[Formula, ...]) -> Formula:
        if current in names:
            return names[current]
        if isinstance(current, And | Or):
            by_operand = dict(zip(current.operands, parts, strict=True))
            parts = ()
            for group in groups.of(current):
                name = names.get(current.rebuild(group))
                parts += tuple(by_operand[part] for part in group) if name is None else (name,)
        return current.rebuild(parts) if parts != current.operands else current

    return fold(formula, visit, names.get)


def leaf(formula: Formula) -> Formula:
    """Return the operand of a negation, and any other formula unchanged."""
    return formula.operand if isinstance(formula, Not) else formula
