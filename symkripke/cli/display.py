"""The look of output: names in colour, bars, marks; plain text in a pipe."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from symkripke.cli.console import console, say
from symkripke.cli.options import is_verbose
from symkripke.cli.styled_lines import KINDS
from symkripke.engines import WEIGHTINGS, Engine, Mark
from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.language import Chance

if TYPE_CHECKING:
    from rich.console import Console

    from symkripke.cli.options import Limits
    from symkripke.explain.text import Line
    from symkripke.model import World
    from symkripke.play import Layout, Moment

# A colour for each seat, readable on dark and on light backgrounds.
SEATS = ("red", "yellow", "cyan", "green", "blue", "magenta")
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def can_draw() -> bool:
    """Whether the output's encoding has the signs for bars and marks."""
    try:
        "█▏✓·░▒▓".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def bar(value: float, most: float, width: int) -> str:
    """A bar of at most `width` characters, in eighths of a character if the encoding has them."""
    share = 0.0 if most <= 0 else min(1.0, value / most)
    if not can_draw():
        return "#" * max(1 if value > 0 else 0, round(share * width))
    eighths = max(1 if value > 0 else 0, round(share * width * 8))
    return "█" * (eighths // 8) + (_EIGHTHS[eighths % 8] if eighths % 8 else "")


def marks() -> dict[Mark, tuple[str, str]]:
    """The sign and the style for each mark of a sheet."""
    if can_draw():
        return {
            Mark.YES: ("✓", "bold green"),
            Mark.NO: ("·", "dim"),
            Mark.OPEN: ("?", "yellow"),
        }
    return {Mark.YES: ("X", "bold green"), Mark.NO: (".", "dim"), Mark.OPEN: ("?", "yellow")}


def weighting_of(chosen: Engine) -> str:
    """The weighting of an engine; "equal" for an engine that does not count."""
    return str(getattr(chosen, "weighting", None) or WEIGHTINGS[0])


def in_colour(text: str, names: Sequence[str], cards: Iterable[str] = ()) -> Text:
    """`text` with each of `names` in the colour of its seat, but not within `cards`."""
    colours = {name: SEATS[seat % len(SEATS)] for seat, name in enumerate(names)}
    known = sorted((*cards, *colours), key=len, reverse=True)
    shown = Text(text)
    for found in re.finditer("|".join(rf"\b{re.escape(name)}\b" for name in known), text):
        if found[0] in colours:
            shown.stylize(f"bold {colours[found[0]]}", *found.span())
    return shown


def say_of(
    out: Console, layout: Layout, players: Iterable[str], text: str, style: str = ""
) -> None:
    """Print a line about a game, with the names of players in colour."""
    names = [layout.person(name) for name in players]
    shown = in_colour(text, names, layout.rows.values())
    shown.stylize(style)
    say(out, shown)


FEW = 4
"""More things than this are listed by their codes, in games that have some."""


def dealt_lines(layout: Layout, deal: World) -> Iterator[str]:
    """A deal: a line for each place that something is in."""
    held = layout.held(deal)
    short = bool(layout.codes) and max(map(len, held.values())) > FEW
    if short:
        held = layout.held(deal, short=True)
    for column, title in layout.columns.items():
        if held[column]:
            yield f"  {title}: {', '.join(held[column])}"
    if short:
        yield f"  ({layout.legend})"


def plain_table(*headings: str, gap: int = 1) -> Table:
    """A table without lines, with this gap between columns; headings make columns."""
    drawn = Table(box=None, padding=(0, gap), header_style="bold")
    for heading in headings:
        drawn.add_column(heading)
    return drawn


def when(moment: Moment[Any, Any]) -> str:
    """The moment, in words."""
    if moment.is_journal:
        return f"after entry {moment.events}" if moment.events else "after the deal"
    return "after the deal" if moment.turn == 0 else f"after turn {moment.turn}"


def explained(lines: Iterable[Line]) -> Iterable[Text]:
    """An explanation as indented lines."""
    for line in lines:
        yield Text("  " * (line.indent + 1) + line.text, style=KINDS[line.kind])


REASON_SECONDS = 60.0
"""Seconds for an answer with its reason, and for the reason, if --seconds is not given."""


def asked_within(limits: Limits, *, why: bool) -> AbstractContextManager[object]:
    """The limit of an answer; `why`: whether its reason is asked for, too."""
    return limits.step("asking", REASON_SECONDS if why else None)


def reason_within(limits: Limits) -> AbstractContextManager[object]:
    """The limit of a reason: to find a short proof can take long."""
    return limits.step("looking for a reason", REASON_SECONDS)


def show_answer(
    moment: Moment[Any, Any],
    chosen: Engine,
    question: str,
    *,
    why: bool,
    limits: Limits,
) -> None:
    """Print the answer to one question: a formula, or a bare probability."""
    from symkripke.engines.reasons import whole_evidence
    from symkripke.explain.text import in_percent
    from symkripke.play.constants import constant_names
    from symkripke.play.game_words import open_changes, tell

    with limits.whole("reading the formula"):
        asked = moment.question(question)
    out = console()
    if isinstance(asked, Chance):
        with limits.step("counting"):
            share = moment.probability(asked.agent, asked.operand, chosen, given=asked.given)
        shown = Text(in_percent(share), style="bold")
        shown.append(f"  {question}", style="")
        shown.append(f"  ({when(moment)}, weighting {weighting_of(chosen)})", style="dim")
        out.print(shown)
        if why:
            for told in constant_names(moment, question):
                say(out, Text(f"  {told}", style="dim"))
            who = moment.layout.person(asked.agent)
            told = f"a probability counts every case that {who} considers possible"
            out.print(Text(f"  {told}; no short list of facts gives it", style="dim"))
        return
    with asked_within(limits, why=why):
        answer = moment.ask(asked, engine=chosen)
    shown = Text("yes" if answer else "no", style="bold green" if answer else "bold red")
    shown.append(f"  {question}", style="")
    engine = f", engine: {answer.engine}" if is_verbose() else ""
    shown.append(f"  ({when(moment)}{engine})", style="dim")
    out.print(shown)
    if why:
        try:
            with reason_within(limits):
                evidence = whole_evidence(answer, moment.structure, chosen)
                told_of = tell(moment, evidence, asked=asked, text=question, verbose=is_verbose())
                lines = list(explained(told_of))
        except (Unsupported, BudgetExceeded) as error:
            out.print(Text(f"  no reason: {error}", style="dim"))
            return
        for line in lines:
            say(out, line)
        for told in constant_names(moment, question):
            say(out, Text(f"  {told}", style="dim"))
        for source in open_changes(moment, asked):
            say(out, Text(f"    everybody saw it ({source})", style="dim"))
        if answer.reason and is_verbose():
            say(out, Text(f"  asked the {answer.engine} engine: {answer.reason}", style="dim"))
