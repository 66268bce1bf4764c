"""A report as a page: Markdown, or one self-contained HTML file."""

from __future__ import annotations

import html
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from symkripke.errors import LogError
from symkripke.experiments.experiment import (
    PublishedCurve,
    UntilDecided,
    UntilNarrow,
    rule_in_words,
)
from symkripke.experiments.pictures import pictures
from symkripke.experiments.report import Part, Report
from symkripke.experiments.summary import (
    JUDGED,
    compared_on,
    difference_with_interval,
    ends,
    in_short,
    number,
    titled,
    verdict,
    with_interval,
)
from symkripke.files import renamed
from symkripke.play.registry import game
from symkripke.play.strategies import character


@dataclass(frozen=True)
class _Table:
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class _Picture:
    name: str
    title: str
    svg: str


@dataclass(frozen=True)
class _Code:
    text: str


@dataclass(frozen=True)
class _List:
    lines: tuple[str, ...]


_Block = str | _Table | _Picture | _Code | _List
"""What a section consists of: paragraphs, tables, pictures, commands, lists."""

Section = tuple[str, list[_Block]]


def sections(found: Report, command: str) -> Iterator[Section]:
    """The report, section by section.

    Args:
        found: what came out.
        command: the command that makes it again.
    """
    experiment = found.experiment
    answer: list[_Block] = [experiment.question]
    if not found.complete:
        answer.append("Not all games have been played yet: the figures are those so far.")
    if experiment.reading:
        answer.append(experiment.reading)
    yield "The question", [*answer, f"Who plays {game(experiment.game).title}:", _players(found)]
    said: list[_Block] = [*found.answer]
    if lines := tuple(in_short(found)):
        said += ["In short:" if found.answer else "", _List(lines)]
    if said:
        yield "The answer", [block for block in said if block]
    if found.beside or found.curves:
        yield "Published, and here", list(_published(found))
    yield "The figures", list(_figures(found))
    if found.compared:
        yield "Compared", list(_comparisons(found))
    if experiment.ranking:
        yield "Who is strongest", list(_ranks(found))
    drawn = [_Picture(name, title, svg) for name, title, svg in pictures(found)]
    if drawn:
        yield "In pictures", list(drawn)
    faults = [(part, seed, fault) for part in found.parts for seed, fault in part.faults]
    if faults:
        yield (
            "Games that could not be played on",
            [
                _Table(
                    ("condition", "seed", "what went wrong"),
                    tuple((part.condition.name, str(seed), fault) for part, seed, fault in faults),
                )
            ],
        )
    yield "How it was made", list(_made(found, command))


def _players(found: Report) -> _List:
    """The kinds of mind with what each does, those that do the same together."""
    experiment = found.experiment
    played = game(experiment.game)
    alike: dict[str, dict[str, None]] = {}
    for condition in experiment.conditions:
        for mind in condition.minds:
            what = character(played, mind.partition(":")[0])
            alike.setdefault(what, {})[mind] = None
    return _List(tuple(f"{', '.join(minds)}: {what}." for what, minds in alike.items()))


def _published(found: Report) -> Iterator[_Block]:
    rows = []
    for beside in found.beside:
        published = beside.published
        games = f" ({published.games} games)" if published.games else ""
        rows.append(
            (
                published.condition,
                f"{published.mind}: {beside.figure.title}"
                if published.mind
                else beside.figure.title,
                f"{number(published.value, beside.figure)}{games}",
                f"{with_interval(beside.found, beside.figure)}, {beside.found.games} games",
                verdict(beside),
                published.note,
            )
        )
    if rows:
        yield _Table(("condition", "figure", "published", "here", "verdict", "note"), tuple(rows))
        yield JUDGED
    for curve in found.curves:
        yield from _published_curve(found, curve)
    sources = dict.fromkeys(
        [beside.published.source for beside in found.beside]
        + [curve.source for curve in found.curves]
    )
    yield f"Published in: {'; '.join(sources)}."


def _published_curve(found: Report, curve: PublishedCurve) -> Iterator[_Block]:
    """A published curve beside ours, turn by turn."""
    part = next(part for part in found.parts if part.condition.name == curve.condition)
    ours = {turn: (mean, error) for turn, _, mean, error in part.curve.get(curve.mind, ())}
    rows = []
    for turn, value in zip(curve.turns, curve.values, strict=True):
        here = "-"
        if turn in ours:
            mean, error = ours[turn]
            here = f"{mean:.3g} ({mean - 1.96 * error:.3g} to {mean + 1.96 * error:.3g})"
        rows.append((str(turn), f"{value:.3g}", here))
    yield f"**Left open after each turn: {curve.mind} in {curve.condition}**"
    if curve.note:
        yield curve.note
    yield _Table(("turn", "published", "here (95% interval)"), tuple(rows))


def _figures(found: Report) -> Iterator[_Block]:
    for name, figure in found.experiment.figures.items():
        rows = []
        for part in found.parts:
            for line in part.lines:
                value = line.found.value
                if line.name != name or value is None:
                    continue
                if name in ("given-up", "failed") and not value:
                    continue
                rows.append(
                    (
                        part.condition.name,
                        line.mind or "-",
                        _of(line.found.games, part.games),
                        number(value, figure),
                        ends(line.found, figure),
                    )
                )
        if rows:
            yield f"**{titled(figure)}**"
            yield _Table(("condition", "mind", "games", "value", "95% interval"), tuple(rows))
            if any(" of " in games for _, _, games, *_ in rows):
                yield (
                    "Games without anything to count for that kind of player (it made no call, "
                    "asked nothing, nobody won, the game was given up) do not enter: so their "
                    "number is less than that of all games."
                )
    tests = [(part, part.test) for part in found.parts if part.test is not None]
    stop = found.experiment.stop
    if tests and isinstance(stop, UntilDecided):
        yield "**The sequential test**"
        yield (
            f"Whether the share of {stop.mind or 'games'} is {stop.null:g} or "
            f"{stop.alternative:g}, with errors of {stop.alpha:g} and {stop.beta:g} (Wald)."
        )
        decided = {"null": f"{stop.null:g}", "alternative": f"{stop.alternative:g}"}
        yield _Table(
            ("condition", "decided for", "after games"),
            tuple(
                (part.condition.name, decided.get(test.decided, "undecided"), str(test.games))
                for part, test in tests
            ),
        )
    if any(part.thought for part in found.parts):
        yield "**Time for a decision** (milliseconds of processor time, mean)"
        yield _Table(
            ("condition", "mind", "ms"),
            tuple(
                (part.condition.name, mind, f"{spent:.3g}")
                for part in found.parts
                for mind, spent in part.thought.items()
            ),
        )


def _comparisons(found: Report) -> Iterator[_Block]:
    rows = []
    for each in found.compared:
        first, second = (
            f"{mind} in {condition}" if mind else condition
            for condition, mind in (each.asked.first, each.asked.second)
        )
        apart = each.found
        values = (None, None) if apart is None else (apart.first, apart.second)
        rows.append(
            (
                each.figure.title,
                *(
                    name if value is None else f"{name}: {number(value, each.figure)}"
                    for name, value in zip((first, second), values, strict=True)
                ),
                difference_with_interval(each),
                compared_on(each),
                "" if apart is None or apart.saved is None else f"{apart.saved:.2g}",
                "" if each.p is None else _p(each.p),
            )
        )
    yield _Table(
        (
            *("figure", "first", "second", "first less second (95% interval)"),
            *("compared", "pairing saves", "p (Holm)"),
        ),
        tuple(rows),
    )
    yield (
        "The same deals: games of one number have the same deal in both conditions, and are "
        "compared one by one; games that have no such partner do not count here, so a value can "
        "differ from that of the tables above. The same seats: the tables differ in the seats of "
        "these two kinds only, and only these seats count here. The same games: both sat at one "
        "table, so what one wins the other loses. Pairing saves: so many times as many games would "
        "be needed on different deals. P-values are two-sided, and corrected for their number by "
        "Holm's method."
    )


def _of(games: int, of: int) -> str:
    """How many of the games count."""
    return str(games) if games == of else f"{games} of {of}"


def _ranks(found: Report) -> Iterator[_Block]:
    if found.unranked:
        yield f"There is no ranking: {found.unranked}."
        return
    yield _Table(
        ("mind", "strength", "95% interval"),
        tuple(
            (rank.mind, f"{rank.strength:.1%}", f"{rank.low:.1%} to {rank.high:.1%}")
            for rank in found.ranks
        ),
    )
    yield (
        "Strength: the share of wins of a table with one of each kind, by the Plackett-Luce model "
        "for winners over all games with winners of one kind."
    )


def _made(found: Report, command: str) -> Iterator[_Block]:
    experiment = found.experiment
    yield "Played and reported by:"
    yield _Code(command)
    rows = []
    for part in found.parts:
        run = part.condition.plan
        rows.append(
            (
                part.condition.name,
                run.setup.rules,
                ", ".join(f"{name} {value}" for name, value in part.condition.options.items()),
                _counted(run.minds),
                "yes" if run.rotate else "no",
                str(run.seed),
                str(part.games),
                part.ended or "all played",
                f"{part.cpu:.0f} s" if part.cpu else "",
            )
        )
    yield _Table(
        (
            *("condition", "rules", "options", "minds by seat", "rotating", "seed", "games"),
            *("end", "CPU"),
        ),
        tuple(rows),
    )
    stop = experiment.stop
    if stop is not None:
        yield rule_in_words(stop)
    if isinstance(stop, UntilNarrow):
        yield "Such an interval is a little too narrow, since it was looked at several times."
    versions = ", ".join(f"{package} {number}" for package, number in found.versions.items())
    spent = f", {found.cpu:.0f} s of processor time" if found.cpu else ""
    yield f"{found.games} games{spent}. {versions}. {found.machine}."
    yield (
        "Shares in which each game counts once have Wilson score intervals; other figures have "
        "those of a ratio of two sums over independent games (Cochran 1977). Games are numbered "
        "from 0. One of them is played again and shown by:"
    )
    first = found.parts[0].condition.name
    words = shlex.split(command)
    runs = words[:3] == ["symkripke", "experiment", "run"]
    again = words[3] if runs else experiment.name  # else the command is one of somebody else's
    yield _Code(shlex.join(["symkripke", "experiment", "replay", again, first, "0"]))


def _counted(minds: Sequence[str]) -> str:
    """The minds in seat order, several of one kind in a row as one."""
    parts: list[list[str]] = []
    for mind in minds:
        if parts and parts[-1][0] == mind:
            parts[-1].append(mind)
        else:
            parts.append([mind])
    return ", ".join(part[0] if len(part) == 1 else f"{part[0]} x {len(part)}" for part in parts)


def _p(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


# ---- Markdown ---------------------------------------------------------------------------------


def markdown(found: Report, command: str, places: dict[str, str] | None = None) -> str:
    """The report as Markdown.

    Args:
        found: what came out.
        command: the command that makes it again.
        places: is filled with the pictures: the names of their files, and their contents.
    """
    lines = [f"# {found.experiment.title}", ""]
    for title, blocks in sections(found, command):
        lines += [f"## {title}", ""]
        for block in blocks:
            lines += [*_marked(block, places), ""]
    return "\n".join(lines).rstrip() + "\n"


def _marked(block: _Block, places: dict[str, str] | None) -> Iterable[str]:
    if isinstance(block, str):
        return [block]
    if isinstance(block, _Code):
        return ["```sh", block.text, "```"]
    if isinstance(block, _List):
        return [f"- {line}" for line in block.lines]
    if isinstance(block, _Picture):
        name = f"{block.name}.svg"
        if places is not None:
            places[name] = block.svg
        return [f"![{block.title}]({name})"]
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (block.head, *block.rows)]
    shown = [f"| {' | '.join(row)} |" for row in cells]
    return [shown[0], f"|{'---|' * len(block.head)}", *shown[1:]]


# ---- HTML -------------------------------------------------------------------------------------

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fdfdfb; --faint: #6a7078;
  --line: #d8dbdf; --card: #fff; --good: #17694b; --bad: #a3361a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e7e9; --paper: #16181b;
  --faint: #9aa1a9; --line: #34383d; --card: #fff; --good: #6fc9a4; --bad: #ef9a7f; } }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 62rem; margin: 2.5rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1.5rem; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
p { max-width: 46rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th { font-weight: 600; color: var(--faint); }
figure { margin: 1.2rem 0; background: var(--card); color: #000; padding: .75rem;
  border: 1px solid var(--line); border-radius: 6px; }
figure svg { display: block; width: 100%; height: auto; max-width: 46rem; }
figcaption { font-size: .9rem; color: #555; margin-bottom: .4rem; }
pre { background: color-mix(in srgb, var(--ink) 7%, transparent); padding: .75rem;
  border-radius: 6px; overflow-x: auto; }
.reproduced { color: var(--good); } .not-reproduced { color: var(--bad); }
li { max-width: 46rem; margin-bottom: .3rem; }
"""


def page(found: Report, command: str) -> str:
    """The report as one self-contained HTML file.

    Args:
        found: what came out.
        command: the command that makes it again.
    """
    title = html.escape(found.experiment.title)
    body = []
    for heading, blocks in sections(found, command):
        inner = "\n".join(_tagged(block) for block in blocks)
        body.append(f"<section><h2>{html.escape(heading)}</h2>\n{inner}</section>")
    content = "\n".join(body)
    return (
        "<!doctype html>\n"
        f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{_STYLE}</style></head>\n"
        f"<body><main><h1>{title}</h1>\n{content}\n</main></body></html>\n"
    )


def _tagged(block: _Block) -> str:
    if isinstance(block, str):
        bold = block.startswith("**") and block.count("**") == 2
        if bold:
            inside, _, rest = block[2:].partition("**")
            return f"<h3>{html.escape(inside)}</h3>" + (
                f"<p>{html.escape(rest.strip())}</p>" if rest.strip() else ""
            )
        parts = html.escape(block).split("`")
        inner = "".join(
            f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts)
        )
        return f"<p>{inner}</p>"
    if isinstance(block, _List):
        lines = "\n".join(f"<li>{html.escape(line)}</li>" for line in block.lines)
        return f"<ul>{lines}</ul>"
    if isinstance(block, _Code):
        return f"<pre><code>{html.escape(block.text)}</code></pre>"
    if isinstance(block, _Picture):
        label = html.escape(block.title, quote=True)
        svg = block.svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
        # Names in one picture must not be those of another on the same page.
        svg = _own_names(svg, block.name)
        return f"<figure><figcaption>{html.escape(block.title)}</figcaption>{svg}</figure>"
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in block.head)
    rows = "\n".join("<tr>" + "".join(_cell(cell) for cell in row) + "</tr>" for row in block.rows)
    return f'<div class="wide"><table><tr>{head}</tr>\n{rows}</table></div>'


def _cell(cell: str) -> str:
    kind = next(
        (word for word in ("reproduced", "not reproduced") if cell.startswith(f"{word}:")), ""
    )
    mark = f' class="{kind.replace(" ", "-")}"' if kind else ""
    return f"<td{mark}>{html.escape(cell)}</td>"


def _own_names(svg: str, name: str) -> str:
    for before in ('id="', 'href="#', "url(#"):
        svg = svg.replace(before, f"{before}{name}-")
    return svg


def write(path: Path, text: str) -> None:
    """Write a file, whole or not at all; raises `LogError`."""
    try:
        with renamed(path) as aside:
            aside.write_text(text, encoding="utf-8")
    except OSError as error:
        raise LogError(f"cannot write {path}: {error.strerror or error}") from None


def write_all(found: Report, folder: Path, command: str) -> list[Path]:
    """Write report.html, report.md with its pictures, and report.json; returns the files.

    Raises:
        LogError: one cannot be written.
    """
    import json

    from symkripke.experiments.report import told

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LogError(f"cannot make {folder}: {error.strerror or error}") from None
    drawn: dict[str, str] = {}
    texts = {
        "report.md": markdown(found, command, drawn),
        "report.html": page(found, command),
        "report.json": json.dumps(told(found), indent=1) + "\n",
    }
    files = []
    for name, text in {**drawn, **texts}.items():
        write(folder / name, text)
        files.append(folder / name)
    return files


__all__ = ["Part", "markdown", "page", "sections", "write_all"]
