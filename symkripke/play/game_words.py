"""Answers about games, and their evidence, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from symkripke.explain.evidence import Evidence, Teller
from symkripke.explain.text import Line
from symkripke.language import (
    Atom,
    Constant,
    Formula,
    Kv,
    negation,
)
from symkripke.model import Fixed, Scene, World, evaluate
from symkripke.play.formula_words import (
    at_present,
    sentences,
    wording,
    wording_as_read,
)

if TYPE_CHECKING:
    from symkripke.play.moment import Moment

# For hands longer than this, only the differences from another world are described.
_SHORT = 6


class GameTeller(Teller):
    """A teller of evidence about a game, in the words of the game."""

    def __init__(self, moment: Moment[Any, Any], *, verbose: bool = False) -> None:
        """Prepare the words of answers at this moment."""
        state = moment.state
        actual = state.world if isinstance(state, Scene) else None
        super().__init__(wording(moment.structure, moment.layout), actual, verbose=verbose)
        self._moment = moment

    def world(self, world: World, before: World | None, fact: str = "") -> Iterator[str]:
        """Yield the lines of the deal, one for each place; see `world_in_words`."""
        really = before is self.actual and self.is_real
        yield from world_in_words(self._moment, world, before, really=really, fact=fact)

    def decided(self, asked: Formula, text: str, truth: bool) -> Iterator[Line]:
        """Yield the lines of the public facts from which a formula follows."""
        structure = self._moment.structure
        wording = wording_as_read(structure, self._moment.layout)
        asked = at_present(structure, asked)
        facts: dict[str, None] = {}
        for part in _said(asked, wording.phrase):
            meant = structure.resolve(part)
            if isinstance(part, Kv):
                facts[f"everybody knows {wording.values(part.fluents)}"] = None
            elif isinstance(meant, Constant):
                sentence = wording.sentence(part, meant.value) or wording.text(part)
                facts[f"everybody knows that {sentence}"] = None
        if not facts:
            yield Line(0, "claim", f"{text} is {'true' if truth else 'false'} in all cases")
            return
        yield Line(0, "claim", f"{wording.claim(asked, truth)}, because {' and '.join(facts)}")


def _said(
    formula: Formula, phrase: Callable[[Formula], object] = lambda _: None
) -> Iterator[Formula]:
    """Yield the parts of a formula that have words: `Kv`, atoms, and parts with a sentence."""
    if isinstance(formula, Atom | Kv) or phrase(formula) is not None:
        yield formula
        return
    for part in formula.operands:
        yield from _said(part, phrase)


def tell(
    moment: Moment[Any, Any],
    evidence: Evidence,
    *,
    asked: Formula | None = None,
    text: str = "",
    verbose: bool = False,
) -> Iterator[Line]:
    """Yield the lines of the evidence for an answer at `moment`.

    `asked` is the parsed question, before public facts are substituted. `text` is the question as
    it was typed.
    """
    teller = GameTeller(moment, verbose=verbose)
    if asked is not None and not any(True for _ in _said(evidence.formula)):
        yield from teller.decided(asked, text or str(asked), evidence.truth)
    else:
        yield from teller.tell(evidence)


def open_changes(moment: Moment[Any, Any], formula: Formula | str) -> tuple[str, ...]:
    """Return public changes of fluents in `formula`, in words: "turn 2: Diego gave Tanja ...".

    Evidence has no sources for these changes, because public values are substituted before the
    question is answered.
    """
    structure = moment.structure
    stated = structure.parse(formula) if isinstance(formula, str) else formula
    names: dict[str, None] = {}
    for part in _said(stated):
        if isinstance(part, Atom):
            names[part.fluent] = None
        elif isinstance(part, Kv):
            names |= dict.fromkeys(part.fluents)
    open_ones = {name for name in names if isinstance(structure.versions.get(name), Fixed)}
    changes: dict[str, str] = {}
    for stage in reversed(structure.stages):
        if stage.history.event is None or len(changes) == len(open_ones):
            break
        for change in stage.history.event.changes:
            if change.fluent in open_ones:
                changes.setdefault(change.fluent, str(change.source or stage.history.event.source))
    return tuple(dict.fromkeys(changes[name] for name in names if name in changes))


def answer_in_words(moment: Moment[Any, Any], player: str, true: tuple[Formula, ...]) -> str:
    """Return an answer to the player's question: the cards, with their places if these differ.

    Formulas that are not on the note sheet are described in words, or by name. For a question with
    a single formula, its negation is described if it is false.
    """
    structure, layout = moment.structure, moment.layout
    best = sentences(structure, layout, best=moment.game.answer)
    wording_here = replace(wording(structure, layout), phrase=best.get)

    def said(formula: Formula) -> str:
        return wording_here.sentence(formula, True) or wording_here.text(formula)

    question = moment.game.answers(moment.setup, structure, player)
    asked = [layout.places.get(atom) for atom in question]
    alike = None not in asked and len({place[1] for place in asked if place}) == 1
    words = []
    for atom in true:
        place = layout.places.get(atom)
        if place is None:
            words.append(said(atom))
            continue
        row, column = place
        title = layout.rows[row]
        words.append(title if alike else f"{title} ({layout.columns[column]})")
    if not words and len(question) == 1 and None in asked:
        return said(negation(question[0]))
    return ", ".join(words) or "nothing"


def deal_in_words(moment: Moment[Any, Any], deal: World) -> str:
    """Return a deal in one line: "Envelope: Rope; Plum: ...". The deal has plain names."""
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
    """Yield the lines of the deal in `world`, one for each place: "Envelope: Rope, ...".

    Args:
        moment: the moment of the deal.
        world: the world.
        before: a world for comparison. Only places with other contents are described, with * before
            each difference.
        really: whether `before` is the actual world.
        fact: the relevant fact of the world, in words, for worlds without differences.
    """
    layout = moment.layout
    columns = list(layout.columns.items())
    if layout.contents is None:
        columns.reverse()
        contents = _held(moment, world, before)
    else:
        there = None if before is None else moment.plain(before)
        contents = _contents(layout.columns, layout.contents, moment.plain(world), there)
    for column, title in columns:
        if column in contents:
            yield f"{title}: {contents[column] or 'nothing'}"
    if before is not None and not contents:
        same = "everything as in reality" if really else "the same case"
        yield f"{same}: {fact}" if fact else same
    elif before is not None and len(contents) < len(columns):
        yield "everything else as in reality" if really else "everything else as in that case"


def _held(moment: Moment[Any, Any], world: World, before: World | None) -> dict[str, str]:
    """Return the content of each place that differs from its content in `before`."""
    layout = moment.layout
    contents: dict[str, str] = {}
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
            whole = before is None or len(held) <= _SHORT
            contents[column] = ", ".join(held) if whole else _instead(held, gone)
    return contents


def _instead(held: Sequence[str], gone: Sequence[str]) -> str:
    """Return the differences of a long hand: "*Red Opal Pair instead of Blue Pearl Pair"."""
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
    """Return the content of each place that differs from `before`, in words from the layout."""
    held = contents(world)
    if before is None:
        return {column: held[column] for column in columns}
    there = contents(before)
    return {
        column: f"*{held[column] or 'nothing'}"
        for column in columns
        if held[column] != there[column]
    }
