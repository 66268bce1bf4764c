"""Tables with the columns of a note sheet: marks, probabilities."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from symkripke.cli.display import can_draw, in_colour, marks, plain_table
from symkripke.engines import Mark
from symkripke.play.layout import Layout, Paper
from symkripke.play.views.sheet import Cell, NoteSheet, Number, whole_percent

# Signs and styles of uncertain cells, by the quarter of their probability.
_SHADES = (("░", "dim"), ("▒", ""), ("▓", "yellow"), ("█", "bold yellow"))


BELIEVED = "*"
"""The sign after the mark of a cell that is believed, not known."""


def put(out: Console, sheet: NoteSheet, names: Sequence[str], *, details: bool = True) -> None:
    """Print a note sheet, fitted to the console, and the meaning of its signs.

    If the sheet has a brief form, print this form, except for probabilities.

    Args:
        out: the console.
        sheet: the sheet.
        names: the names of players, to print in colour.
        details: whether `odds` shows the details of a brief form.
    """
    rows: list[Row] = []
    if sheet.brief and not sheet.has_odds:
        for title, words in sheet.brief:
            described = dict(zip(sheet.columns, map(Text, words), strict=True))
            rows.append((Text(title, style="bold"), described))
        out.print(fitted(out, sheet.columns, rows, names, sheet.sizes), soft_wrap=True)
        shown = "; `odds` shows all details" if details else ""
        out.print(Text(f"?: more is open{shown}", style="dim"))
        return
    for group in sheet.groups:
        if group.title:
            rows.append((Text(group.title, style="bold"), {}))
        for title, cells in group.rows:
            first = Text(f"  {title}") if group.title else Text(title, style="bold")
            rows.append((first, dict(zip(sheet.columns, map(_drawn, cells), strict=True))))
    out.print(fitted(out, sheet.columns, rows, names, sheet.sizes), soft_wrap=True)
    out.print(_legend(sheet))


Row = tuple[Text, Mapping[str, Text]]
"""The title of a row, and its cells by column."""

_GAP = 2
_LEAST_TITLE = 8


def fitted(
    out: Console,
    titles: Mapping[str, str],
    rows: Sequence[Row],
    names: Sequence[str],
    sizes: Mapping[str, int] | None = None,
) -> Text:
    """Return a table that fits the console without wrapping.

    If it is too wide, its columns have initials as headings. If that is not enough, the columns
    that do not fit are printed below.

    Args:
        out: the console.
        titles: the columns with their titles.
        rows: the rows.
        names: the names to print in colour in titles.
        sizes: the numbers after the titles.
    """
    sized = _with_sizes(titles, sizes or {})
    first = max((title.cell_len for title, _ in rows), default=0)
    if not out.is_terminal or _width(first, sized, rows) <= out.width:
        return Text("\n").join(_lines(first, sized, rows, names))
    short = dict(zip(titles, initials(list(titles.values())), strict=True))
    left = _with_sizes(short, sizes or {})
    # A title that would leave no room for a column is wrapped.
    widest = max(_width(0, {column: title}, rows) for column, title in left.items())
    first = min(first, max(out.width - widest, _LEAST_TITLE))
    lines: list[Text] = []
    while left:
        columns = list(left)
        number = len(columns)
        while number > 1 and _width(first, _part(left, columns[:number]), rows) > out.width:
            number -= 1
        lines += _lines(first, _part(left, columns[:number]), rows, names)
        left = _part(left, columns[number:])
    meant = ", ".join(f"{short[column]} {title}" for column, title in titles.items())
    lines += [Text(line, style="dim") for line in textwrap.wrap(meant, out.width)]
    return Text("\n").join(lines)


def _with_sizes(titles: Mapping[str, str], sizes: Mapping[str, int]) -> dict[str, str]:
    return {
        column: f"{title} {sizes[column]}" if column in sizes else title
        for column, title in titles.items()
    }


def _part(titles: Mapping[str, str], columns: Sequence[str]) -> dict[str, str]:
    return {column: titles[column] for column in columns}


def _column_width(column: str, title: str, rows: Sequence[Row]) -> int:
    return max(
        cell_len(title), *(cells[column].cell_len for _, cells in rows if column in cells), 0
    )


def _width(first: int, titles: Mapping[str, str], rows: Sequence[Row]) -> int:
    """Return the width of a table with these columns."""
    return 1 + first + sum(_GAP + _column_width(*title, rows) for title in titles.items())


def _lines(
    first: int, titles: Mapping[str, str], rows: Sequence[Row], names: Sequence[str]
) -> Iterator[Text]:
    """Yield the lines of a table with these columns; `first` is the widest title of a row."""
    widths = {column: _column_width(column, title, rows) for column, title in titles.items()}

    def line(title: Text, cells: Mapping[str, Text]) -> Text:
        drawn = Text(" ").append_text(title)
        drawn.pad_right(1 + first - drawn.cell_len)
        for column, width in widths.items():
            cell = cells.get(column, Text())
            before = (width - cell.cell_len) // 2
            drawn.append(" " * (_GAP + before)).append_text(cell)
            drawn.append(" " * (width - cell.cell_len - before))
        drawn.rstrip()
        return drawn

    heads = {column: in_colour(title, names) for column, title in titles.items()}
    for head in heads.values():
        head.stylize("bold")
    yield line(Text(), heads)
    for title, cells in rows:
        if title.cell_len <= first:
            yield line(title, cells)
            continue
        indent = " " * (len(title.plain) - len(title.plain.lstrip()))
        parts = textwrap.wrap(
            title.plain, first, initial_indent=indent, subsequent_indent=f"{indent}  "
        )
        yield line(Text(parts[0], style=title.style), cells)
        for part in parts[1:]:
            yield line(Text(part, style=title.style), {})


def on_paper(layout: Layout, paper: Paper, known: Mapping[tuple[str, str], Mark]) -> Table:
    """Return the printed note sheet of the game: each thing with the initials of its place.

    If the place is not known, a mark shows whether the thing may be at the goal.
    """
    short = dict(zip(layout.columns, initials(list(layout.columns.values())), strict=True))
    drawn = plain_table("")
    for code in next(iter(paper.lines.values())):
        drawn.add_column(code, justify="center")
    for title, cells in paper.lines.items():
        line = []
        for row in cells.values():
            places = [column for column in layout.columns if known[row, column] is Mark.YES]
            if places:
                line.append(Text(short[places[0]], style="bold green"))
            else:
                line.append(Text(*marks()[known[row, paper.goal]]))
        drawn.add_row(Text(title, style="bold"), *line)
    return drawn


def paper_legend(layout: Layout, paper: Paper) -> Text:
    """Return the key to the initials, marks and codes."""
    titles = list(layout.columns.values())
    goal = layout.columns[paper.goal].lower()
    drawn = marks()
    entries = [f"{sign} {title}" for sign, title in zip(initials(titles), titles, strict=True)]
    entries += [f"{drawn[Mark.OPEN][0]} may be {goal}", f"{drawn[Mark.NO][0]} is not {goal}"]
    return Text(f"{', '.join(entries)}\n{paper.codes}", style="dim")


def initials(titles: Sequence[str]) -> list[str]:
    """Return the shortest distinct prefixes of these titles."""
    return [
        next(
            (
                title[:size]
                for size in range(1, len(title))
                if sum(other.startswith(title[:size]) for other in titles) == 1
            ),
            title,
        )
        for title in titles
    ]


def _drawn(cell: Cell | Number) -> Text:
    """Return a cell: a mark, a shade with a percentage, or a number."""
    if isinstance(cell, Number):
        return _number(cell)
    drawn = marks()
    if cell.share is not None and cell.known is Mark.OPEN:
        sign, style = _SHADES[int(cell.share * len(_SHADES))]
        shown = Text(f"{sign if can_draw() else ''}{whole_percent(cell.share):>4}", style=style)
    elif cell.share is None and cell.believed is not cell.known:
        shown = Text(drawn[cell.believed][0] + BELIEVED, style="yellow")
    else:
        shown = Text(*drawn[cell.known])
    if cell.is_new:
        shown.stylize("reverse")
    return shown


def _number(number: Number) -> Text:
    """Return a known number, with a different belief in brackets, or an expected number."""
    style = "bold green" if number.is_certain else ""
    if number.average is not None:
        certain = number.is_certain
        return Text(str(number.known[0]) if certain else f"{float(number.average):.2f}", style)
    shown = Text(_range(*number.known), style)
    if number.believed != number.known:
        shown.append(f" ({_range(*number.believed)})", style="yellow")
    return shown


def _range(least: int, most: int) -> str:
    return str(least) if least == most else f"{least}-{most}"


def _legend(sheet: NoteSheet) -> Text:
    """Return the key to the symbols of a sheet."""
    drawn = marks()
    if sheet.counts:
        average = "average number; without a decimal point: known"
        ranges = "minimum to maximum number; believed numbers in brackets"
        return Text(average if sheet.has_odds else ranges, style="dim")
    entries = [f"{drawn[Mark.YES][0]} is there", f"{drawn[Mark.NO][0]} is not there"]
    if not sheet.has_odds:
        entries.append(f"{drawn[Mark.OPEN][0]} open")
        if sheet.has_beliefs:
            entries.append(f"{BELIEVED} believed")
    elif can_draw():
        shades = zip(_SHADES, ("up to 25%", "to 50%", "to 75%", "more"), strict=True)
        entries.extend(f"{sign} {says}" for (sign, _), says in shades)
    return Text(", ".join(entries), style="dim")
