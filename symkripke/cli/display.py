"""How things look in a terminal: names in colour, bars, marks; plain text when piped."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from symkripke.cli.progress import patient
from symkripke.engines import WEIGHTINGS, Budget, Engine, Known, Mark
from symkripke.errors import BudgetExceeded, Unsupported, printable
from symkripke.language import Chance

if TYPE_CHECKING:
    from symkripke.play import Moment
    from symkripke.play.game_words import Line

# One colour a seat, readable on dark and on light ground.
SEATS = ("red", "yellow", "cyan", "green", "blue", "magenta")
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_KINDS = {"claim": "bold", "source": "", "world": "dim", "note": "dim"}


class _Console(Console):
    """A console that leaves it to the program what to do when its reader has gone."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def print(self, *objects: Any, **options: Any) -> None:
        """Print; what a terminal would obey, in texts that may come from files, is replaced."""
        super().print(*(_harmless(shown) for shown in objects), **options)


def _harmless(shown: Any) -> Any:
    if isinstance(shown, str):
        return printable(shown)
    if isinstance(shown, Padding):
        shown.renderable = _harmless(shown.renderable)
    if isinstance(shown, Text) and (plain := printable(shown.plain)) != shown.plain:
        shown.plain = plain  # as long as before: styles stay where they were
    return shown


def console(*, stderr: bool = False) -> Console:
    """A console; it breaks lines between words, or, when piped, not at all."""
    made = _Console(stderr=stderr, highlight=False)
    if not made.is_terminal:
        made = _Console(
            stderr=stderr, highlight=False, soft_wrap=True, width=200, color_system=None
        )
    return made


def say(out: Console, text: Text) -> None:
    """Print a line; on a terminal, what does not fit goes on below, indented like its start."""
    indent = len(text.plain) - len(text.plain.lstrip(" "))
    if out.is_terminal and indent and "\n" not in text.plain:
        out.print(Padding(text[indent:], (0, 0, 0, indent)))
    else:
        out.print(text)


def can_draw() -> bool:
    """Whether the output's encoding has the signs that bars and marks are drawn with."""
    try:
        "█▏✓·░▒▓".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def bar(value: float, most: float, width: int) -> str:
    """A bar of at most `width` characters, in eighths of one where the terminal can."""
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
    """How an engine weighs worlds; one that does not count has no other way than equally."""
    return str(getattr(chosen, "weighting", WEIGHTINGS[0]))


def in_colour(text: str, names: Sequence[str], cards: Iterable[str] = ()) -> Text:
    """`text` with each of `names` in the colour of its seat, but not within `cards`."""
    colours = {name: SEATS[seat % len(SEATS)] for seat, name in enumerate(names)}
    known = sorted((*cards, *colours), key=len, reverse=True)
    shown = Text(text)
    for found in re.finditer("|".join(rf"\b{re.escape(name)}\b" for name in known), text):
        if found[0] in colours:
            shown.stylize(f"bold {colours[found[0]]}", *found.span())
    return shown


def when(moment: Moment[Any, Any]) -> str:
    """The moment, in words."""
    return "after the deal" if moment.turn == 0 else f"after turn {moment.turn}"


def explained(lines: Iterable[Line]) -> Iterable[Text]:
    """An explanation as indented lines."""
    for line in lines:
        yield Text("  " * (line.indent + 1) + line.text, style=_KINDS[line.kind])


REASON_SECONDS = 60.0
"""What an answer may take if its reason is asked for, and that reason, if nobody says."""


def limited(seconds: float | None, *, why: bool) -> Budget | None:
    """What an answer may cost, and then its reason: the shortest proof can be a long search."""
    limit = REASON_SECONDS if seconds is None and why else seconds
    return None if limit is None else Budget(seconds=limit)


def show_answer(
    moment: Moment[Any, Any],
    chosen: Engine,
    question: str,
    *,
    why: bool,
    seconds: float | None = None,
) -> None:
    """Print the answer to one question: a formula, or a bare probability."""
    from symkripke.play.game_words import in_percent, open_changes, tell
    from symkripke.play.settled import settled

    asked = moment.question(question)
    out = console()
    if isinstance(asked, Chance):
        with patient("counting"):
            limit = limited(seconds, why=False)
            share = moment.probability(asked.agent, asked.operand, chosen, limit, asked.given)
        shown = Text(in_percent(share), style="bold")
        shown.append(f"  {question}", style="")
        shown.append(f"  ({when(moment)}, weighting {weighting_of(chosen)})", style="dim")
        out.print(shown)
        if why:
            for told in settled(moment, question):
                say(out, Text(f"  {told}", style="dim"))
            out.print(Text("  counted: a probability rests on all that is possible", style="dim"))
        return
    with patient("asking"):
        answer = moment.ask(asked, limited(seconds, why=why), chosen)
    shown = Text("yes" if answer else "no", style="bold green" if answer else "bold red")
    shown.append(f"  {question}", style="")
    shown.append(f"  ({when(moment)}, {answer.engine})", style="dim")
    out.print(shown)
    if why:
        try:
            with patient("looking for a reason"):
                evidence = answer.why()
        except (Unsupported, BudgetExceeded) as error:
            out.print(Text(f"  no reason: {error}", style="dim"))
            return
        for told in settled(moment, question):
            say(out, Text(f"  {told}", style="dim"))
        seen = open_changes(moment, asked)
        if seen and isinstance(evidence, Known) and not evidence.sources:
            say(out, Text("  everybody saw it:"))
        else:
            for line in explained(tell(moment, evidence)):
                say(out, line)
        for source in seen:
            say(out, Text(f"  seen by all: {source}", style="dim"))
        if answer.reason:
            say(out, Text(f"  asked the {answer.engine} engine: {answer.reason}", style="dim"))
