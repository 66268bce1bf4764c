"""Answers and their evidence in words, and as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from symkripke.engines import Combined, Evidence, Fact, Known, Possible
from symkripke.language import And, Atom, Constant, Formula, Not, Or
from symkripke.language.walk import atoms
from symkripke.model import Fixed, World, evaluate
from symkripke.play.moment import Moment


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
    claim = f"{evidence.formula}: {'yes' if evidence.truth else 'no'}"
    match evidence:
        case Fact():
            yield Line(indent, "claim", f"{claim}, that is how things are")
        case Known(_, ()):
            yield Line(indent, "claim", f"{claim}, in any case: nothing has to be known for it")
        case Known(_, sources):
            few = "this alone proves" if len(sources) == 1 else f"these {len(sources)} prove"
            yield Line(indent, "claim", f"{claim}, {few} it:")
            for number, source in enumerate(sources, 1):
                yield Line(indent + 1, "source", f"{number}. {source.words}")
        case Possible(_, _, worlds):
            yield Line(indent, "claim", f"{claim}, because of this possibility:")
            for number, step in enumerate(worlds):
                shows = in_words(moment, step.shows)
                told = f"{_reached(moment, step.agent, first=number == 0)} {shows}"
                yield Line(indent + 1 + number, "source", told)
                yield Line(indent + 2 + number, "world", world_in_words(moment, step.world))
        case Combined(_, _, parts):
            yield Line(indent, "claim", claim)
            for part in parts:
                yield from tell(moment, part, indent + 1)


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


def _reached(moment: Moment[Any, Any], agents: tuple[str, ...], *, first: bool) -> str:
    """What leads to a world of a chain: "Green considers it possible that"."""
    titles = moment.layout.columns
    who = " and ".join(titles.get(name, name) for name in agents)
    if not who:
        return "it is possible that"
    verb = "together consider" if len(agents) > 1 else "considers"
    return f"{'' if first else 'in that world, '}{who} {verb} it possible that"


def in_words(moment: Moment[Any, Any], formula: Formula) -> str:
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
            return link.join(in_words(moment, part) for part in parts)
    return str(formula)


def leaf(formula: Formula) -> Formula:
    """The operand of a negation; any other formula itself."""
    return formula.operand if isinstance(formula, Not) else formula


def world_in_words(moment: Moment[Any, Any], world: World) -> str:
    """Where everything of the deal is in `world`: "Envelope: Rope, ...; Plum: ..."."""
    layout = moment.layout
    told = []
    for column, title in reversed(list(layout.columns.items())):
        here = [
            row_title
            for row, row_title in layout.rows.items()
            if evaluate(moment.structure.resolve(layout.cells[row, column]), world)
        ]
        told.append(f"{title}: {', '.join(here) or 'nothing'}")
    return "; ".join(told)


def as_data(evidence: Evidence) -> dict[str, Any]:
    """The evidence as plain data, for JSON."""
    data: dict[str, Any] = {"formula": str(evidence.formula), "truth": evidence.truth}
    match evidence:
        case Fact():
            data["kind"] = "fact"
        case Known(_, sources):
            data["kind"] = "known"
            data["sources"] = [
                {
                    "words": source.words,
                    "formula": str(source.formula),
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
                    "shows": str(step.shows),
                    "world": dict(step.world),
                }
                for step in worlds
            ]
        case Combined(_, _, parts):
            data["kind"] = "combined"
            data["parts"] = [as_data(part) for part in parts]
    return data
