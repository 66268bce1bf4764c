"""Plain HTML tables, for notebooks: `_repr_html_` of structures, answers and sheets.

All text goes through `html.escape`. There are no scripts and no styles, so that tables look like
the notebook that shows them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

MOST_ROWS = 60
"""The maximum number of rows of a table; a last row states the number of omitted rows."""


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return an HTML table, with the text of all cells escaped."""
    from html import escape

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


def marks_html(caption: str, marks: Mapping[str, Mapping[str, str]]) -> str:
    """Return a sheet as a table of marks, with a row per fluent and a column per value."""
    columns = list(dict.fromkeys(value for row in marks.values() for value in row))
    rows = ((name, *(row.get(column, "") for column in columns)) for name, row in marks.items())
    return table(caption, ("", *columns), rows)


def shortened(parts: Sequence[str], most: int = 30) -> str:
    """Return at most `most` of the parts in one line, and the number of omitted parts."""
    if not parts:
        return "nothing"
    more = f", ... and {len(parts) - most:,} more" if len(parts) > most else ""
    return ", ".join(parts[:most]) + more
