"""Plain HTML tables, for notebooks: `_repr_html_` of structures, answers and sheets.

All text goes through `html.escape`. There are no scripts and no styles, so that tables look like
the notebook that shows them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from symkripke.model.display import small_picture

if TYPE_CHECKING:
    from symkripke.model.scene import Perspective, Scene
    from symkripke.model.structure import KnowledgeStructure

MOST_ROWS = 60
"""The most rows that a table shows; below them stands how many more there are."""


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; all of it is text, and escaped."""
    lines = ["<table>", f"<caption>{escape(caption)}</caption>"]
    if head:
        lines.append(f"<tr>{''.join(f'<th>{escape(name)}</th>' for name in head)}</tr>")
    more = 0
    for number, row in enumerate(rows):
        if number >= MOST_ROWS:
            more += 1
            continue
        first, *rest = (escape(str(cell)) for cell in row)
        cells = "".join(f"<td>{cell}</td>" for cell in rest)
        lines.append(f'<tr><th scope="row">{first}</th>{cells}</tr>')
    if more:
        width = max(1, len(head))
        lines.append(f'<tr><td colspan="{width}">... and {more:,} more</td></tr>')
    return "\n".join((*lines, "</table>"))


def structure_html(structure: KnowledgeStructure) -> str:
    """A picture if it is small; the fluents, what each agent observes, and the law with sources."""
    return f"{small_picture(structure)}{_structure_tables(structure)}"


def _structure_tables(structure: KnowledgeStructure) -> str:
    vocabulary = structure.vocabulary
    events = len(structure.history) - 1
    fluents = (
        (name, "true or false" if fluent.is_boolean else ", ".join(fluent.values))
        for name, fluent in vocabulary.fluents.items()
    )
    observed = (
        (agent, _shortened([str(observable.atom) for observable in structure.observables[agent]]))
        for agent in structure.agents
    )
    law = ((str(constraint.formula), constraint.source) for constraint in structure.law)
    return "\n".join(
        (
            f"<p>Knowledge structure: {len(vocabulary.fluents):,} fluents, "
            f"{len(structure.law):,} constraints, {events:,} events</p>",
            table("Fluents", ("fluent", "values"), fluents),
            table("Who observes what", ("agent", "observes"), observed),
            table("Law", ("constraint", "source"), law),
        )
    )


def scene_html(scene: Scene) -> str:
    """A picture if it is small; the actual world, and the structure."""
    world = table("Actual world", ("fluent", "value"), scene.world.items())
    return f"{small_picture(scene)}{world}\n{_structure_tables(scene.structure)}"


def perspective_html(perspective: Perspective) -> str:
    """A picture if it is small; what the agent has seen, and the structure."""
    seen = (
        (observable.atom, "true" if truth else "false", observable.source)
        for observable, truth in perspective.observation
    )
    caption = f"What {perspective.agent} has seen"
    return (
        f"{small_picture(perspective)}"
        f"{table(caption, ('atom', 'seen to be', 'source'), seen)}\n"
        f"{_structure_tables(perspective.structure)}"
    )


def marks_html(caption: str, marks: Mapping[str, Mapping[str, str]]) -> str:
    """A sheet: a row for each fluent, a column for each value, a sign in each cell."""
    columns = list(dict.fromkeys(value for row in marks.values() for value in row))
    rows = ((name, *(row.get(column, "") for column in columns)) for name, row in marks.items())
    return table(caption, ("", *columns), rows)


def _shortened(parts: Sequence[str], most: int = 30) -> str:
    if not parts:
        return "nothing"
    more = f", ... and {len(parts) - most:,} more" if len(parts) > most else ""
    return ", ".join(parts[:most]) + more
