"""Answers and their evidence in words, and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from symkripke.engines import (
    Combined,
    CounterWorld,
    Evidence,
    Fact,
    Known,
    Possible,
    Ranged,
    Source,
    Weighed,
)
from symkripke.language import (
    And,
    Atom,
    Cardinality,
    Constant,
    Formula,
    Not,
    Or,
    P,
    atmost,
    negation,
    term,
)
from symkripke.language.printer import brief
from symkripke.language.walk import atoms, rewrite
from symkripke.model import Fixed, KnowledgeStructure, Scene, World, evaluate
from symkripke.play.moment import Moment

# Definitions with more arguments than this many are not looked for in formulas.
_CASES = 1_000

# Data hold formulas of so many operators and atoms at most.
_WRITTEN = 100_000


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an explanation: how far it is indented, what it is, and its text.

    `kind` is "claim", "source", "world" or "note", for colour.
    """

    indent: int
    kind: str
    text: str


def tell(moment: Moment[Any, Any], evidence: Evidence, indent: int = 0) -> Iterator[Line]:
    """The evidence for an answer at `moment`, line by line."""
    yield from _tell(moment, evidence, indent, named(moment.structure))


def _tell(
    moment: Moment[Any, Any], evidence: Evidence, indent: int, names: Mapping[Formula, Formula]
) -> Iterator[Line]:
    claim = f"{by_name(evidence.formula, names)}: {'yes' if evidence.truth else 'no'}"
    match evidence:
        case Fact():
            yield Line(indent, "claim", f"{claim}, that is how things are")
        case Known(_, ()):
            yield Line(indent, "claim", f"{claim}, in any case: nothing has to be known for it")
        case Known(_, sources):
            each = Counter(_in_words(moment, source) for source in sources)
            few = "this alone proves" if len(each) == 1 else f"these {len(each)} prove"
            yield Line(indent, "claim", f"{claim}, {few} it:")
            for number, (words, times) in enumerate(each.items(), 1):
                again = f" ({times} times)" if times > 1 else ""
                yield Line(indent + 1, "source", f"{number}. {words}{again}")
        case Possible(_, _, worlds):
            yield Line(indent, "claim", f"{claim}, because of this possibility:")
            for number, step in enumerate(worlds):
                shows = in_words(moment, step.shows, names)
                told = f"{_reached(moment, step, first=number == 0)} {shows}"
                yield Line(indent + 1 + number, "source", told)
                for told in world_in_words(moment, step.world):
                    yield Line(indent + 2 + number, "world", told)
        case Weighed(P(agent, operand), _, share):
            asked = by_name(operand, names)
            yield Line(indent, "claim", f"{claim}, for P[{agent}]({asked}) is {in_percent(share)}")
        case Ranged(_, _, P(agent, operand), least, most):
            asked = by_name(operand, names)
            what = f"P[{agent}]({asked})"
            if least == most:
                told = f"{what} is {in_percent(least)} in all that is considered possible"
            else:
                ends = f"from {in_percent(least)} to {in_percent(most)}"
                told = f"{what} is {ends} in all that is considered possible"
            yield Line(indent, "claim", f"{claim}, for {told}")
        case Combined(_, _, parts):
            yield Line(indent, "claim", claim)
            for part in parts:
                yield from _tell(moment, part, indent + 1, names)


def _in_words(moment: Moment[Any, Any], source: Source) -> str:
    """A source in words; who sees something is named as the game names it."""
    if source.kind != "sees":
        return source.words
    agent, rest = source.words.split(" ", 1)
    return f"{moment.layout.columns.get(agent, agent)} {rest}"


def open_changes(moment: Moment[Any, Any], formula: Formula | str) -> tuple[str, ...]:
    """What everybody saw change, of what `formula` speaks of: "turn 2: Diego gave Tanja ...".

    Evidence has no sources for it: what a fluent publicly became is not a question any more.
    """
    structure = moment.structure
    stated = structure.parse(formula) if isinstance(formula, str) else formula
    names = dict.fromkeys(part.fluent for part in atoms(stated))
    open_ones = {name for name in names if isinstance(structure.versions.get(name), Fixed)}
    found: dict[str, str] = {}
    for stage in reversed(structure.history):
        if stage.event is None or len(found) == len(open_ones):
            break
        for change in stage.event.changes:
            if change.fluent in open_ones:
                found.setdefault(change.fluent, change.source or stage.event.source)
    return tuple(dict.fromkeys(found[name] for name in names if name in found))


def _reached(moment: Moment[Any, Any], step: CounterWorld, *, first: bool) -> str:
    """What leads to a world of a chain: "Green considers it possible that"."""
    titles = moment.layout.columns
    who = " and ".join(titles.get(name, name) for name in step.agent)
    if not who:
        return "it is possible that"
    verb = "together consider" if len(step.agent) > 1 else "considers"
    more = ", and nothing more plausible," if step.plausible else ""
    return f"{'' if first else 'in that world, '}{who} {verb} it possible{more} that"


def named(structure: KnowledgeStructure, best: str = "") -> Mapping[Formula, Formula]:
    """The formulas that have a name, `at(rope, envelope)`, each with an atom that is so called.

    Names are what they mean in that structure. Where two mean the same, the first one, or `best` if
    that is one of them. What is counted is the opposite of something counted, too: "fewer than two"
    is `~` "at least two".
    """
    found: dict[Formula, Formula] = {}
    definitions = structure.vocabulary.definitions.values()
    for definition in sorted(definitions, key=lambda one: one.name != best):
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


def answer_in_words(moment: Moment[Any, Any], true: tuple[Formula, ...]) -> str:
    """An answer to the game's question: the cards, each with its place if these differ.

    What has no place on the note sheet is said in words, or by its name. Where only one thing is
    asked, that it is not so is said of it.
    """
    layout = moment.layout
    question = moment.game.answers_at(moment.setup, moment.structure)
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


def world_in_words(moment: Moment[Any, Any], world: World) -> Iterator[str]:
    """Where everything of the deal is in `world`, one place a line: "Envelope: Rope, ...".

    Where the actual world is known, only places where it is different, with * at what is not
    really there.
    """
    layout = moment.layout
    actual = moment.state.world if isinstance(moment.state, Scene) else None
    if layout.contents is not None:
        yield from _contents(layout.columns, layout.contents, world, actual)
        return
    same = 0
    for column, title in reversed(list(layout.columns.items())):
        told, different = [], False
        for row, row_title in layout.rows.items():
            cell = moment.structure.resolve(layout.cells[row, column])
            here = evaluate(cell, world)
            really = here if actual is None else evaluate(cell, actual)
            different = different or here is not really
            if here:
                told.append(row_title if really else f"*{row_title}")
        if different or actual is None:
            yield f"{title}: {', '.join(told) or 'nothing'}"
        else:
            same += 1
    if same:
        where = "everywhere" if same == len(layout.columns) else "elsewhere"
        yield f"{where} as it really is"


def _contents(
    columns: Mapping[str, str],
    contents: Callable[[World], Mapping[str, str]],
    world: World,
    actual: World | None,
) -> Iterator[str]:
    """The same where what a place holds is said at once."""
    held, really = contents(world), contents(actual if actual is not None else world)
    shown = [column for column in columns if actual is None or held[column] != really[column]]
    for column in shown:
        mark = "*" if actual is not None else ""
        yield f"{columns[column]}: {mark}{held[column] or 'nothing'}"
    if len(shown) < len(columns):
        yield f"{'elsewhere' if shown else 'everywhere'} as it really is"


def percent(share: Fraction) -> str:
    """A probability with one decimal; what is not certain is never written as 0% or 100%."""
    if share in (0, 1):
        return "100%" if share else "0%"
    if share < Fraction(1, 1000):
        return "<0.1%"
    return ">99.9%" if share > Fraction(999, 1000) else f"{float(share):.1%}"


def in_percent(share: Fraction) -> str:
    """A probability, exactly and in percent: "5/12 (41.7%)"."""
    return f"{share} ({percent(share)})"


def exactly(share: Fraction) -> dict[str, Any]:
    """A probability as plain data, for JSON: exact, and as near as a number can be."""
    return {"probability": str(share), "float": float(share)}


def as_data(evidence: Evidence) -> dict[str, Any]:
    """The evidence as plain data, for JSON."""
    data: dict[str, Any] = {"formula": brief(evidence.formula, _WRITTEN), "truth": evidence.truth}
    match evidence:
        case Fact():
            data["kind"] = "fact"
        case Known(_, sources):
            data["kind"] = "known"
            data["sources"] = [
                {
                    "words": source.words,
                    "formula": brief(source.formula, _WRITTEN),
                    "kind": source.kind,
                    "events": source.stage,
                }
                for source in sources
            ]
        case Possible(_, _, worlds):
            data["kind"] = "possible"
            data["worlds"] = [
                {
                    "agents": list(step.agent),
                    "shows": brief(step.shows, _WRITTEN),
                    "world": dict(step.world),
                    **({"plausible": True} if step.plausible else {}),
                }
                for step in worlds
            ]
        case Weighed(_, _, share):
            data["kind"] = "probability"
            data |= exactly(share)
        case Ranged(_, _, _, least, most):
            data["kind"] = "range"
            data |= {"least": exactly(least), "most": exactly(most)}
        case Combined(_, _, parts):
            data["kind"] = "combined"
            data["parts"] = [as_data(part) for part in parts]
    return data
