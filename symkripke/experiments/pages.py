"""A report as pages: Markdown with separate pictures, and one self-contained HTML file."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from symkripke.experiments import summary
from symkripke.experiments.experiment import (
    ORIGINS,
    PublishedCurve,
    rotation_in_words,
    rule_in_words,
)
from symkripke.experiments.pictures import pictures
from symkripke.experiments.report import Part, Report, ResultRow, report_data
from symkripke.experiments.running import need
from symkripke.files import make_folder, write_whole
from symkripke.installed import packaged_text
from symkripke.play.registry import game
from symkripke.play.strategies import character

_MARKS = re.compile(
    r"`[^`|]*`"  # code stays as it is
    r"|[*|]|\b_\B|\B_\b|\\(?=[^\w\s])|<(?=[\w/!?])|&(?=#?\w+;)|\[(?=[^\]]*\]\()|^[#>+-](?=\s)"
)
"""The pattern of characters that Markdown would not print literally."""


def pages(report: Report, command: str) -> dict[str, str]:
    """Return the files of a report, by name: report.md, its pictures, report.html and report.json.

    Args:
        report: the results.
        command: the command that reproduces the report.
    """
    drawn = list(pictures(report))
    text = markdown(report, command, drawn)
    return {
        **{f"{name}.svg": svg for name, _, svg in drawn},
        "report.md": text,
        "report.html": _page(report.experiment.title, text, drawn),
        "report.json": json.dumps(report_data(report), indent=1) + "\n",
    }


def write_all(report: Report, folder: Path, command: str) -> list[Path]:
    """Write the files of a report into a folder, and return their paths.

    Raises:
        LogError: a file cannot be written.
    """
    make_folder(folder)
    texts = pages(report, command)
    for name, text in texts.items():
        write_whole(folder / name, text)
    return [folder / name for name in texts]


def render(file: str, values: dict[str, Any], **options: Any) -> str:
    """Return a page rendered from a template of this folder."""
    need("jinja2", "a report needs jinja2", "lab")
    from jinja2 import StrictUndefined, Template

    options |= {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}
    text = packaged_text("symkripke.experiments", f"templates/{file}")
    return str(Template(text, undefined=StrictUndefined, **options).render(values))


# ---- Markdown ---------------------------------------------------------------------------------


def markdown(
    report: Report, command: str, drawn: Sequence[tuple[str, str, str]], *, alone: bool = True
) -> str:
    """Return a report as Markdown.

    Args:
        report: the results.
        command: the command that reproduces the report.
        drawn: the name, the title and the SVG of each picture to show.
        alone: whether to include the machine, and the notes that apply to every report.
    """
    played = game(report.experiment.game)
    # The kinds of mind, grouped by their descriptions.
    players: dict[str, dict[str, None]] = {}
    for condition in report.experiment.conditions:
        for mind in condition.minds:
            players.setdefault(character(played, mind.partition(":")[0]), {})[mind] = None
    rows: dict[str, list[tuple[Part, ResultRow]]] = {name: [] for name in report.experiment.figures}
    for part in report.parts:
        for line in part.lines:
            value = line.result.value
            if value or (value is not None and line.name not in ("given-up", "failed")):
                rows[line.name].append((part, line))
    words = shlex.split(command)
    runs = words[:3] == ["symkripke", "experiment", "run"]
    name = words[3] if runs else report.experiment.name  # else the command of another program
    first = report.parts[0].condition.name
    values = {
        "report": report,
        "command": command,
        "alone": alone,
        "drawn": drawn,
        "game": played,
        "players": players,
        "rows": rows,
        "words": summary,
        "rule_in_words": rule_in_words,
        "rotation_in_words": rotation_in_words,
        "origins": ORIGINS,
        "counted": _counted,
        "beside_ours": lambda curve: _beside_ours(report, curve),
        "again": shlex.join(["symkripke", "experiment", "replay", name, first, "0"]),
    }
    return render("report.md.jinja", values, finalize=_escaped)


def _escaped(value: object) -> object:
    """Return a text with Markdown marks escaped, except in code in backticks."""
    if hasattr(value, "__html__"):  # already escaped
        return value
    return _MARKS.sub(lambda mark: mark[0] if mark[0][0] == "`" else f"\\{mark[0]}", str(value))


def _counted(minds: Sequence[str]) -> str:
    """Return the minds in seat order, combining equal neighbours: "random x 3"."""
    kinds = ((mind, len(list(alike))) for mind, alike in groupby(minds))
    return ", ".join(mind if seats == 1 else f"{mind} x {seats}" for mind, seats in kinds)


def _beside_ours(report: Report, curve: PublishedCurve) -> Iterator[tuple[int, float, list[str]]]:
    """Yield each turn of a published curve, its value, and our values in words.

    Our values are the mean over the games still running, and the mean over all games.
    """
    part = next(part for part in report.parts if part.condition.name == curve.condition)
    ours = {point.turn: point for point in part.curve.get(curve.mind, ())}
    for turn, value in zip(curve.turns, curve.values, strict=True):
        here = ["-", "-"]
        if turn in ours:
            point = ours[turn]
            both = (point.mean, point.error), (point.solved, point.solved_error)
            here = [
                f"{mean:.3g}"
                + (f" ({mean - 1.96 * error:.3g} to {mean + 1.96 * error:.3g})" if error else "")
                for mean, error in both
            ]
            here[0] += f", {point.games} games"
        yield turn, value, here


# ---- HTML -------------------------------------------------------------------------------------


def _page(title: str, text: str, drawn: Sequence[tuple[str, str, str]]) -> str:
    """Return Markdown as one self-contained HTML file, with its pictures."""
    need("markdown_it", "a report needs markdown-it-py", "lab")
    from markdown_it import MarkdownIt

    body: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    for verdict in ("reproduced", "not reproduced"):
        cell = f'<td class="{verdict.replace(" ", "-")}">{verdict}:'
        body = body.replace(f"<td>{verdict}:", cell)
    svgs = {f"{name}.svg": (name, svg) for name, _, svg in drawn}

    def figure(image: re.Match[str]) -> str:
        name, svg = svgs[image[1]]
        # Names in one picture must differ from the names in others on the same page.
        svg = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{name}-", svg)
        svg = svg.replace("<svg ", f'<svg role="img" aria-label="{image[2]}" ', 1)
        return f"<figure><figcaption>{image[2]}</figcaption>{svg}</figure>"

    body = re.sub(r'<p><img src="([^"]*)" alt="([^"]*)" /></p>', figure, body)
    return render("report.html.jinja", {"title": title, "body": body}, autoescape=True)
