"""Answers about games, and their evidence, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, cast

from symkripke.explain.evidence import Evidence
from symkripke.explain.phrases import Groups, Wording
from symkripke.explain.text import Line, Teller, listed
from symkripke.language import (
    And,
    Atom,
    Cardinality,
    Constant,
    Formula,
    Kv,
    Not,
    Or,
    atmost,
    negation,
    term,
)
from symkripke.language.printer import brief
from symkripke.language.walk import negation_normal_form, rewrite
from symkripke.model import Fixed, KnowledgeStructure, Scene, World, evaluate

if TYPE_CHECKING:
    from symkripke.drawing import Naming
    from symkripke.play.moment import Moment

# Definitions with more arguments than this many are not looked for in formulas.
_CASES = 1_000


# Longer hands than this are told by what is different.
_SHORT = 6

# Kinds of parameters that are people or places; others are things.
_PLACES = {"player", "place"}


class GameTeller(Teller):
    """Tells evidence about a game, in its words."""

    def __init__(self, moment: Moment[Any, Any], *, verbose: bool = False) -> None:
        """For answers at this moment."""
        state = moment.state
        actual = state.world if isinstance(state, Scene) else None
        super().__init__(wording(moment), actual, verbose=verbose)
        self._moment = moment

    def world(self, world: World, before: World | None, fact: str = "") -> Iterator[str]:
        """Where everything of the deal is, one place a line; see `world_in_words`."""
        really = before is self.actual and self.is_real
        yield from world_in_words(self._moment, world, before, really=really, fact=fact)

    def decided(self, asked: Formula, text: str, truth: bool) -> Iterator[Line]:
        """Of a formula that speaks only of what is commonly known: what that is."""
        structure = self._moment.structure
        wording = replace(
            self.wording, phrases={**self.wording.phrases, **_phrases(self._moment, now=False)}
        )
        facts: dict[str, None] = {}
        for part in _said(asked, wording.phrases):
            meant = structure.resolve(part)
            if isinstance(part, Kv):
                facts[f"everybody knows {wording.values(part.fluents)}"] = None
            elif isinstance(meant, Constant):
                facts[f"everybody knows that {wording.that(part, meant.value)}"] = None
        if not facts:
            yield Line(0, "claim", f"{text} is {'true' if truth else 'false'} in any case")
            return
        yield Line(0, "claim", f"{wording.claim(asked, truth)}, because {' and '.join(facts)}")


def _said(formula: Formula, phrases: Mapping[Formula, object]) -> Iterator[Formula]:
    """What a formula speaks of: parts that have a phrase, atoms, and values."""
    if isinstance(formula, Atom | Kv) or formula in phrases:
        yield formula
        return
    for part in formula.operands:
        yield from _said(part, phrases)


def tell(
    moment: Moment[Any, Any],
    evidence: Evidence,
    indent: int = 0,
    *,
    asked: Formula | None = None,
    text: str = "",
    verbose: bool = False,
) -> Iterator[Line]:
    """The evidence for an answer at `moment`, line by line.

    `asked` is the question as it was read, in which what is public is still told; `text` is the
    question as it was written.
    """
    teller = GameTeller(moment, verbose=verbose)
    if asked is not None and not any(True for _ in _said(evidence.formula, {})):
        yield from teller.decided(asked, text or str(asked), evidence.truth)
    else:
        yield from teller.tell(evidence, indent)


def wording(moment: Moment[Any, Any]) -> Wording:
    """How formulas about a game are said."""
    structure = moment.structure
    names = named(structure)
    phrases = _phrases(moment)
    groups = Groups((*names, *phrases))

    def called(formula: Formula) -> str | None:
        other = _renamed(formula, names)
        return str(other) if isinstance(leaf(other), Atom) else None

    def text(formula: Formula) -> str:
        return brief(rewrite(formula, lambda part: _with_names(part, names, groups)))

    def parts(formula: And | Or) -> tuple[Formula, ...]:
        renamed = {_renamed(part, names): part for part in formula.operands}
        found = groups.of(formula)
        if len(found) == len(formula.operands):
            found = groups.of(cast(And | Or, formula.rebuild(tuple(renamed))))
        return tuple(
            formula.rebuild(tuple(renamed.get(part, part) for part in group)) for group in found
        )

    return Wording(
        structure.words,
        _titles(moment),
        text,
        called,
        phrases,
        frozenset(structure.agents),
        moment.layout.rows,
        partial(_values, moment),
        parts,
    )


def naming(moment: Moment[Any, Any]) -> Naming:
    """What players, cards and places are called in pictures: their titles."""
    from symkripke.drawing import Naming

    # Rows may be things themselves: "queen".
    words = {**moment.layout.rows, **_things(moment), **_titles(moment)}

    def said(formula: Formula) -> str:
        return wording(moment).that(formula)

    return Naming(titles=moment.layout.rows, words=words, said=said)


def _with_names(part: Formula, names: Mapping[Formula, Formula], groups: Groups) -> Formula:
    """A formula, whose parts have their names already, with its own name, or those within it."""
    if part in names or not isinstance(part, And | Or):
        return names.get(part, part)
    wholes = (part.rebuild(group) for group in groups.of(part))
    return part.rebuild(tuple(names.get(whole, whole) for whole in wholes))


def _values(moment: Moment[Any, Any], fluents: tuple[str, ...]) -> str:
    """What is known with the values of fluents: "where Ballroom is", "the murderer"."""
    rows, derived = moment.layout.rows, moment.structure.vocabulary.derived
    told = []
    for name in fluents:
        plain = name.partition("#")[0]
        if plain in rows:
            told.append(f"where {rows[plain]} is")
        else:
            told.append(f"the {plain.replace('_', ' ')}" if plain in derived else "")
    if all(told):
        return listed(told)
    return f"the value{'' if len(fluents) == 1 else 's'} of {', '.join(fluents)}"


def _titles(moment: Moment[Any, Any]) -> Mapping[str, str]:
    """The titles of players, and of the columns of the note sheet."""
    layout = moment.layout
    return {**{name: layout.person(name) for name in moment.setup.players}, **layout.columns}


def _phrases(moment: Moment[Any, Any], *, now: bool = True) -> Mapping[Formula, tuple[str, str]]:
    """What is said to mean that a player knows or holds something, with names put in.

    `now`: of what formulas mean now; else of formulas as they are read.
    """
    found: dict[Formula, tuple[str, str]] = {}
    structure, titles = moment.structure, _titles(moment)
    things = _things(moment)
    for definition in structure.vocabulary.definitions.values():
        values = [allowed for _, allowed in definition.parameters]
        if definition.sentence is None or prod(map(len, values)) > _CASES:
            continue
        for arguments in product(*values):
            told = {
                kind: (titles if kind in _PLACES else things).get(
                    argument, titles.get(argument, argument.replace("_", " "))
                )
                for (kind, _), argument in zip(definition.parameters, arguments, strict=True)
            }
            is_so, is_not = definition.sentence
            both = is_so.format_map(told), is_not.format_map(told)
            if not now:
                read = definition(*arguments)
                if not isinstance(read, Constant):
                    found.setdefault(read, both)
                continue
            meant = structure.resolve(definition(*arguments))
            if not isinstance(leaf(meant), Atom | Constant):
                found.setdefault(meant, both)
                found.setdefault(negation_normal_form(meant), both)
                found.setdefault(negation_normal_form(negation(meant)), both[::-1])
    return found


def _things(moment: Moment[Any, Any]) -> Mapping[str, str]:
    """The titles of what formulas speak of, by the names in formulas."""
    rows = {
        row.partition("(")[2].removesuffix(")"): title
        for row, title in moment.layout.rows.items()
        if row.count("(") == 1
    }
    return {**rows, **moment.layout.others}


def open_changes(moment: Moment[Any, Any], formula: Formula | str) -> tuple[str, ...]:
    """What everybody saw change, of what `formula` speaks of: "turn 2: Diego gave Tanja ...".

    Evidence has no sources for it: what a fluent publicly became is not a question any more.
    """
    structure = moment.structure
    stated = structure.parse(formula) if isinstance(formula, str) else formula
    names: dict[str, None] = {}
    for part in _said(stated, {}):
        if isinstance(part, Atom):
            names[part.fluent] = None
        elif isinstance(part, Kv):
            names |= dict.fromkeys(part.fluents)
    open_ones = {name for name in names if isinstance(structure.versions.get(name), Fixed)}
    found: dict[str, str] = {}
    for stage in reversed(structure.history):
        if stage.event is None or len(found) == len(open_ones):
            break
        for change in stage.event.changes:
            if change.fluent in open_ones:
                found.setdefault(change.fluent, str(change.source or stage.event.source))
    return tuple(dict.fromkeys(found[name] for name in names if name in found))


def named(structure: KnowledgeStructure, best: str = "") -> Mapping[Formula, Formula]:
    """The formulas that have a name, `at(rope, envelope)`, each with an atom that is so called.

    Names are what they mean in that structure. Where two mean the same, the first one, or `best` if
    that is one of them. What is counted is the opposite of something counted, too: "fewer than two"
    is `~` "at least two".
    """
    found: dict[Formula, Formula] = {}
    definitions = structure.vocabulary.definitions.values()
    for definition in sorted(definitions, key=lambda definition: definition.name != best):
        values = [allowed for _, allowed in definition.parameters]
        if prod(map(len, values)) > _CASES:
            continue
        for arguments in product(*values):
            name = Atom(term(definition.name, arguments))
            meant = structure.resolve(definition(*arguments))
            if isinstance(meant, Constant) or meant in found:
                continue
            found.setdefault(_renamed(meant, found), name)
            if isinstance(meant, Cardinality) and meant.relation == "atleast":
                fewer = atmost(meant.bound - 1, meant.operands)
                found.setdefault(_renamed(fewer, found), negation(name))
            elif not isinstance(leaf(meant), Atom):
                opposite = negation_normal_form(negation(meant))
                found.setdefault(_renamed(negation_normal_form(meant), found), name)
                found.setdefault(_renamed(opposite, found), negation(name))
    for plain, version in structure.versions.items():
        if not isinstance(version, Fixed):
            for atom in structure.vocabulary.fluents[version].atoms:
                found.setdefault(atom, Atom(plain, atom.value))
    return found


def by_name(formula: Formula, names: Mapping[Formula, Formula]) -> str:
    """The text of a formula, with the names that its parts have: as people would ask it."""
    return str(_renamed(formula, names))


def _renamed(formula: Formula, names: Mapping[Formula, Formula]) -> Formula:
    return rewrite(formula, lambda part: names.get(part, part))


def in_words(moment: Moment[Any, Any], formula: Formula, names: Mapping[Formula, Formula]) -> str:
    """A formula as people say it, if it is made of atoms with not, and, or; else its text."""
    match formula:
        case Atom():
            return moment.structure.words(formula, True)
        case Not(Atom() as atom):
            return moment.structure.words(atom, False)
        case Constant(True):
            return "this is so"
        case And(parts) | Or(parts) if all(isinstance(leaf(part), Atom) for part in parts):
            link = " and " if isinstance(formula, And) else " or "
            return link.join(in_words(moment, part, names) for part in parts)
    return by_name(formula, names)


def leaf(formula: Formula) -> Formula:
    """The operand of a negation; any other formula itself."""
    return formula.operand if isinstance(formula, Not) else formula


def answer_in_words(moment: Moment[Any, Any], player: str, true: tuple[Formula, ...]) -> str:
    """An answer to the player's question: the cards, each with its place if these differ.

    What has no place on the note sheet is said in words, or by its name. Where only one thing is
    asked, that it is not so is said of it.
    """
    layout = moment.layout
    question = moment.game.answers(moment.setup, moment.structure, player)
    names = named(moment.structure, moment.game.answer)
    asked = [layout.places.get(atom) for atom in question]
    alike = None not in asked and len({place[1] for place in asked if place}) == 1
    told = []
    for atom in true:
        place = layout.places.get(atom)
        if place is None:
            told.append(in_words(moment, atom, names))
            continue
        row, column = place
        title = layout.rows[row]
        told.append(title if alike else f"{title} ({layout.columns[column]})")
    if not told and len(question) == 1 and None in asked:
        return in_words(moment, negation(question[0]), names)
    return ", ".join(told) or "nothing"


def deal_in_words(moment: Moment[Any, Any], deal: World) -> str:
    """Where everything is in a deal of plain names, in one line: "Envelope: Rope; Plum: ..."."""
    layout = moment.layout
    held = layout.held(deal)
    return "; ".join(
        f"{title}: {', '.join(held[column]) or 'nothing'}"
        for column, title in reversed(list(layout.columns.items()))
    )


def world_in_words(
    moment: Moment[Any, Any],
    world: World,
    before: World | None,
    *,
    really: bool = True,
    fact: str = "",
) -> Iterator[str]:
    """Where everything of the deal is in `world`, one place a line: "Envelope: Rope, ...".

    Args:
        moment: whose deal it is.
        world: the world.
        before: a world that it is compared with: only places where they differ are told, with * at
            what is not so there.
        really: whether `before` is the actual world.
        fact: what matters of the world, in words: told if nothing is different.
    """
    layout = moment.layout
    columns = list(layout.columns.items())
    if layout.contents is None:
        columns.reverse()
        told = _held(moment, world, before)
    else:
        told = _contents(layout.columns, layout.contents, world, before)
    for column, title in columns:
        if column in told:
            yield f"{title}: {told[column] or 'nothing'}"
    if before is not None and not told:
        same = "everything as it really is" if really else "that same case"
        yield f"{same}: {fact}" if fact else same
    elif before is not None and len(told) < len(columns):
        yield "all else as it really is" if really else "all else as in that case"


def _held(moment: Moment[Any, Any], world: World, before: World | None) -> dict[str, str]:
    """What each place holds that does not hold the same before."""
    layout = moment.layout
    told: dict[str, str] = {}
    for column in layout.columns:
        held, gone, different = [], [], before is None
        for row, title in layout.rows.items():
            cell = moment.structure.resolve(layout.cells[row, column])
            here = evaluate(cell, world)
            there = here if before is None else evaluate(cell, before)
            different = different or here is not there
            if here:
                held.append(title if there else f"*{title}")
            elif there:
                gone.append(title)
        if different:
            told[column] = ", ".join(held) if len(held) <= _SHORT else _instead(held, gone)
    return told


def _instead(held: Sequence[str], gone: Sequence[str]) -> str:
    """A long hand, by what is different only: "*Red Opal Pair instead of Blue Pearl Pair"."""
    fresh = [title for title in held if title.startswith("*")]
    if not fresh:
        return f"without {', '.join(gone)}"
    return ", ".join(fresh) + (f" instead of {', '.join(gone)}" if gone else " as well")


def _contents(
    columns: Mapping[str, str],
    contents: Callable[[World], Mapping[str, str]],
    world: World,
    before: World | None,
) -> dict[str, str]:
    """The same where what a place holds is said at once."""
    held = contents(world)
    if before is None:
        return {column: held[column] for column in columns}
    there = contents(before)
    return {
        column: f"*{held[column] or 'nothing'}"
        for column in columns
        if held[column] != there[column]
    }
