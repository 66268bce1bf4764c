"""`symkripke draw`."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from symkripke.cli.commands import argument, command, flag, option
from symkripke.cli.options import JSON, LIMITS, OUTPUT, SPOIL, Limits, Output, named
from symkripke.errors import InputError, UnknownName

if TYPE_CHECKING:
    from symkripke.drawing import Drawing, Naming, Options, Place

_HELP = """Draw a model: its worlds, and for each agent which of them it cannot tell apart.

FILE is a problem file, the name of an installed puzzle, or the log of a game. The picture is SVG,
or a page of HTML that is complete in itself; it is printed, or written to --output.

\b
symkripke draw muddy.skp -o muddy.svg              the model after all that happens
symkripke draw muddy.skp --at 0 --step             before and after the first thing that happens
symkripke draw muddy.skp --story -o muddy.html     all that happens, as a strip
symkripke draw game.jsonl --at 9 --near 1          what is next to the actual deal after turn 9
symkripke draw game.jsonl --why "K[plum] K[green] at(rope, plum)"     the deals that show why not

Worlds that nothing tells apart are drawn as one, with their number. A model of more than 120 worlds
is too large for a picture: draw a part of it with --near or --why.
"""


def _names(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Names separated by commas; commas in brackets belong to a name."""
    if value is None:
        return ()
    parts: list[str] = [""]
    depth = 0
    for letter in value:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    found = tuple(" ".join(part.split()) for part in parts)
    if not all(found):
        raise click.BadParameter(f"expected names with commas between them, got {value!r}")
    return found


@command(text=_HELP)
def draw(
    file: str = argument(type=click.Path()),
    at: int | None = option(
        "--at", "N", "After so many events; of a log, after that turn.", type=int
    ),
    step: bool = flag("--step", "What the next event does: before and after it."),
    story: bool = flag("--story", "All events, or all up to --at, as a strip."),
    near: int | None = option("--near", "DEPTH", "Only so far from the actual world.", type=int),
    width: int = option(
        "--width",
        "N",
        "With --near: how many other worlds are looked for in each cell.",
        type=int,
        default=1,
    ),
    why: str | None = option(
        "--why", "FORMULA", "Only the worlds that show why it is true or not."
    ),
    grey: str | None = option("--grey", "FORMULA", "Worlds at which it is true are grey."),
    agents: tuple[str, ...] = option(
        "--agents", "A,B,...", "Whose cells are drawn.", callback=_names
    ),
    fluents: tuple[str, ...] = option(
        "--fluents", "P,Q,...", "The fluents on labels.", callback=_names
    ),
    player: str | None = option("--player", "NAME", "What this player knows, not the truth."),
    layout: str = option(
        "--layout", "NAME", "How cells are drawn: auto, areas, lines, table.", default="auto"
    ),
    form: str | None = option("--format", "NAME", "svg or html."),
    output: Output = OUTPUT,
    spoil: bool = SPOIL,
    limits: Limits = LIMITS,
    as_json: bool = JSON,
) -> None:
    """Draw a model, a step or a story."""
    from symkripke.drawing import Naming, Options
    from symkripke.errors import check_name

    if form is None:
        form = "html" if (output.path or "").endswith((".html", ".htm")) else "svg"
    check_name("format", form, ("svg", "html"))
    chosen = [name for name, on in (("--step", step), ("--story", story), ("--why", why)) if on]
    if len(chosen) > 1:
        raise click.UsageError(f"{' and '.join(chosen)}: expected one of them")
    if why is not None and near is not None:
        raise click.UsageError("--why and --near: expected one of them")
    output.check()
    options = Options(near, width, agents, grey, layout, Naming(chosen=fluents))
    asked = _Asked(file, at, step, story, player, options, limits)
    drawing = _drawn(asked, why)
    if as_json:
        output.put(json.dumps(drawing.data(), ensure_ascii=False) + "\n")
    else:
        output.put(drawing.html if form == "html" else drawing.svg)


@dataclass(frozen=True)
class _Asked:
    """What is to be drawn: the options of the command."""

    file: str
    at: int | None
    step: bool
    story: bool
    player: str | None
    options: Options
    limits: Limits

    @property
    def is_puzzle(self) -> bool:
        """Whether it is no file, but the name of an installed puzzle."""
        from symkripke.problems import puzzles

        return not self._is_file and self.file in puzzles()

    @property
    def is_log(self) -> bool:
        """Whether it is the log of a game."""
        from symkripke.files import read_text
        from symkripke.problems import puzzles

        if self.is_puzzle:
            return False
        if not self._is_file and self.file.isidentifier():
            raise UnknownName("file or puzzle", self.file, tuple(puzzles()))
        return read_text(self.file).lstrip().startswith("{")

    @property
    def _is_file(self) -> bool:
        return Path(self.file).exists()


@dataclass(frozen=True)
class _Story:
    """What is drawn: moments with their headings, and how their labels name things."""

    title: str
    moments: list[tuple[str, Place]]
    naming: Naming


def _drawn(asked: _Asked, why: str | None) -> Drawing:
    from symkripke.drawing import draw_story, draw_way
    from symkripke.errors import TooManyWorlds

    told = _of_log(asked) if asked.is_log else _of_problem(asked)
    naming = replace(told.naming, chosen=asked.options.naming.chosen)
    options = replace(asked.options, naming=naming)
    with asked.limits.whole("drawing") as tell:
        try:
            if why is not None:
                return draw_way(told.moments[-1][1], why, options)
            return draw_story(told.moments, options, told.title, tell)
        except TooManyWorlds as error:
            hint = "options for that: --near DEPTH, --why FORMULA, --at N, --agents A,B"
            raise TooManyWorlds(f"{error}\n{hint}") from error


def _of_log(asked: _Asked) -> _Story:
    """The moments of a game: after turns."""
    from symkripke.cli.options import opened
    from symkripke.engines import engine
    from symkripke.play.formula_words import naming

    record, moment = opened(asked.file, None, engine(), asked.limits, asked.player)
    last = moment.turns[-1]
    turn = last if asked.at is None else asked.at
    if asked.step:
        turn = last - 1 if asked.at is None else asked.at
        if not 0 <= turn < last:
            raise InputError(f"expected --at from 0 to {last - 1} with --step, got {turn}")
    turns = range(turn, turn + 1)
    if asked.step:
        turns = range(turn, turn + 2)
    elif asked.story:
        turns = range(turn + 1)
    shown = moment.at(turns.stop - 1)
    found: list[tuple[str, Place]] = []
    for number in turns:
        here = moment.at(number)
        heading = "after the deal" if number == 0 else f"after turn {number}"
        if asked.player is None:
            found.append((heading, here.state))
        else:
            whose = named("player", asked.player, record.setup.players)
            found.append((heading, here.perspective(whose)))
    title = f"{record.game.title}: {found[-1][0]}"
    return _Story(title, found, naming(shown.structure, shown.layout))


def _of_problem(asked: _Asked) -> _Story:
    """The moments of a problem: after what happens in it."""
    from symkripke.model import Scene
    from symkripke.problems import puzzle
    from symkripke.problems.files import load
    from symkripke.problems.story import story_of

    file, at = asked.file, asked.at
    with asked.limits.whole(f"reading {file}"):
        told = story_of(puzzle(file).problem() if asked.is_puzzle else load(file).problem)
    moments = list(told.moments)
    last = len(moments) - 1
    most = last - 1 if asked.step else last
    if most < 0:
        raise InputError(f"nothing happens in {file}: there is no step to draw")
    if at is not None and not 0 <= at <= most:
        what = " with --step" if asked.step else ""
        raise InputError(f"expected --at from 0 to {most}{what} (what happens in {file}), got {at}")
    if asked.step:
        first = last - 1 if at is None else at
        moments = moments[first : first + 2]
    elif asked.story:
        moments = moments[: None if at is None else at + 1]
    else:
        moments = [moments[last if at is None else at]]
    if asked.player is not None:
        seen: list[tuple[str, Place]] = []
        for heading, place in moments:
            if not isinstance(place, Scene):
                raise InputError(f"{file} has no actual world: nobody has seen anything of one")
            whose = named("agent", asked.player, place.structure.agents)
            seen.append((heading, place.perspective(whose)))
        moments = seen
    return _Story(Path(file).stem, moments, told.naming)
