"""`symkripke draw`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from symkripke.cli.commands import argument, command, flag, option
from symkripke.cli.options import JSON, LIMITS, OUTPUT, SPOIL, Limits, Output, named
from symkripke.errors import InputError, UnknownName

if TYPE_CHECKING:
    from symkripke.drawing import Drawing, Naming, Options, Place


def _names(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Return names separated by commas; commas in brackets belong to a name."""
    if value is None:
        return ()
    parts = tuple(" ".join(part.split()) for part in re.split(r",(?![^()]*\))", value))
    if not all(parts):
        raise click.BadParameter(f"expected names separated by commas, got {value!r}")
    return parts


@command()
def draw(
    file: str = argument(type=click.Path()),
    at: int | None = option(
        "--at", "N", "The number of events before the drawing; in a log, the turn.", type=int
    ),
    step: bool = flag("--step", "Draw the next event: the model before and after it."),
    story: bool = flag("--story", "Draw all events, or all up to --at, as a strip."),
    table: bool = flag("--table", "In a log: draw the table with its cards, not the model."),
    near: int | None = option(
        "--near", "DEPTH", "Draw only worlds up to this many steps from the actual world.", type=int
    ),
    width: int = option(
        "--width",
        "N",
        "With --near: the number of other worlds to look for in each cell.",
        type=int,
        default=1,
    ),
    why: str | None = option(
        "--why", "FORMULA", "Draw only the worlds that show why this formula is true or not."
    ),
    grey: str | None = option(
        "--grey", "FORMULA", "Draw the worlds where this formula is true in grey."
    ),
    agents: tuple[str, ...] = option(
        "--agents", "A,B,...", "The agents whose cells are drawn.", callback=_names
    ),
    fluents: tuple[str, ...] = option(
        "--fluents", "P,Q,...", "The fluents on the labels.", callback=_names
    ),
    player: str | None = option("--player", "NAME", "Draw what this player knows, not the truth."),
    layout: str = option(
        "--layout", "NAME", "How cells are drawn: auto, areas, lines, table.", default="auto"
    ),
    form: str | None = option("--format", "NAME", "svg or html."),
    output: Output = OUTPUT,
    spoil: bool = SPOIL,
    limits: Limits = LIMITS,
    as_json: bool = JSON,
) -> None:
    r"""Draw a model: its worlds, and which of them each agent cannot tell apart.

    \b
    symkripke draw muddy.skp -o muddy.svg              the model at the end of the file
    symkripke draw muddy.skp --at 0 --step             before and after the first event
    symkripke draw muddy.skp --story -o muddy.html     all events, as a strip of pictures
    symkripke draw game.jsonl --at 9 --near 1          the deals next to the actual one after turn 9
    symkripke draw game.jsonl --at 9 --table -o t.svg  the players and their cards after turn 9
    symkripke draw game.jsonl --why "K[plum] K[green] at(rope, plum)"    the deals that refute it

    FILE is a problem file, the name of an installed puzzle, or the log of a game. The picture is
    SVG, or a self-contained page of HTML; it is printed, or written to --output.

    Worlds that no agent and no fact tells apart are drawn as one, with their number. A model of
    more than 120 worlds is too large for a picture: draw a part of it with --near or --why.
    """
    from symkripke.drawing import Naming, Options
    from symkripke.errors import check_name

    if form is None:
        form = "html" if (output.path or "").endswith((".html", ".htm")) else "svg"
    check_name("format", form, ("svg", "html"))
    flags = (("--step", step), ("--story", story), ("--why", why), ("--table", table))
    chosen = [name for name, on in flags if on]
    if len(chosen) > 1:
        raise click.UsageError(f"{' and '.join(chosen)} cannot be combined")
    if why is not None and near is not None:
        raise click.UsageError("--why and --near cannot be combined")
    output.check()
    options = Options(near, width, agents, grey, layout)
    asked = _Asked(file, at, step, story, player, limits)
    if table:
        if form == "html" or as_json:
            raise click.UsageError("--table draws SVG: leave out --json and --format html")
        output.put(_table(asked))
        return
    drawing = _drawn(asked, replace(options, naming=Naming(chosen=fluents)), why)
    if as_json:
        output.put(json.dumps(drawing.data(), ensure_ascii=False) + "\n")
    else:
        output.put(drawing.html if form == "html" else drawing.svg)


@dataclass(frozen=True)
class _Asked:
    """The options of the command."""

    file: str
    at: int | None
    step: bool
    story: bool
    player: str | None
    limits: Limits

    def among(self, last: int) -> range:
        """Return the indices of the moments to draw; `last` is the index of the last moment."""
        at = last - self.step if self.at is None else self.at
        return range(0 if self.story else at, at + 1 + self.step)


def _kind(file: str) -> str:
    """Return the kind of source: a "log", a "problem" file, or an installed "puzzle"."""
    from symkripke.files import read_text
    from symkripke.problems import puzzles

    if not Path(file).exists():
        if file in puzzles():
            return "puzzle"
        if file.isidentifier():
            raise UnknownName("file or puzzle", file, tuple(puzzles()))
    return "log" if read_text(file).lstrip().startswith("{") else "problem"


@dataclass(frozen=True)
class _Story:
    """A drawing's contents: moments with their headings, and the names for labels."""

    title: str
    moments: list[tuple[str, Place]]
    naming: Naming


def _drawn(asked: _Asked, options: Options, why: str | None) -> Drawing:
    from symkripke.drawing import draw_story, draw_way
    from symkripke.errors import TooManyWorlds

    kind = _kind(asked.file)
    story = _of_log(asked) if kind == "log" else _of_problem(asked, is_puzzle=kind == "puzzle")
    options = replace(options, naming=replace(story.naming, chosen=options.naming.chosen))
    with asked.limits.whole("drawing") as tell:
        try:
            if why is not None:
                return draw_way(story.moments[-1][1], why, options)
            return draw_story(story.moments, options, story.title, tell)
        except TooManyWorlds as error:
            hint = "options for large models: --near DEPTH, --why FORMULA, --at N, --agents A,B"
            raise TooManyWorlds(f"{error}\n{hint}") from error


def _table(asked: _Asked) -> str:
    """Return the table of a log as SVG."""
    from symkripke.cli.options import opened
    from symkripke.engines import engine
    from symkripke.play.views.pictures import table_picture

    if _kind(asked.file) != "log":
        raise InputError(f"expected the log of a game with --table, got {asked.file}")
    record, moment = opened(asked.file, None, engine(), asked.limits, asked.player)
    here = moment if asked.at is None else moment.at(asked.at)
    who = None if asked.player is None else named("player", asked.player, record.setup.players)
    return table_picture(record, here, who)


def _of_log(asked: _Asked) -> _Story:
    """Return the moments of a game: one after each turn."""
    from symkripke.cli.options import opened
    from symkripke.engines import engine
    from symkripke.play.formula_words import naming

    record, moment = opened(asked.file, None, engine(), asked.limits, asked.player)
    last = moment.turns[-1]
    turns = asked.among(last)
    if asked.step and not 0 <= turns.start < last:
        raise InputError(f"expected --at from 0 to {last - 1} with --step, got {turns.start}")
    shown = moment.at(turns.stop - 1)
    who = None if asked.player is None else named("player", asked.player, record.setup.players)
    places: list[tuple[str, Place]] = []
    for number in turns:
        here = moment.at(number)
        heading = "after the deal" if number == 0 else f"after turn {number}"
        places.append((heading, here.state if who is None else here.perspective(who)))
    title = f"{record.game.title}: {places[-1][0]}"
    return _Story(title, places, naming(shown.structure, shown.layout))


def _of_problem(asked: _Asked, *, is_puzzle: bool) -> _Story:
    """Return the moments of a problem: one after each step."""
    from symkripke.model import Scene
    from symkripke.problems import puzzle
    from symkripke.problems.files import load
    from symkripke.problems.story import story_of

    file, at = asked.file, asked.at
    with asked.limits.whole(f"reading {file}"):
        story = story_of(puzzle(file).problem() if is_puzzle else load(file).problem)
    last = len(story.moments) - 1
    most = last - asked.step
    if most < 0:
        raise InputError(f"nothing happens in {file}: there is no step to draw")
    if at is not None and not 0 <= at <= most:
        what = " with --step" if asked.step else ""
        raise InputError(f"expected --at from 0 to {most}{what} (what happens in {file}), got {at}")
    places: list[tuple[str, Place]] = []
    for heading, place in (story.moments[number] for number in asked.among(last)):
        if asked.player is None:
            places.append((heading, place))
        elif not isinstance(place, Scene):
            raise InputError(f"{file} has no actual world, so nobody has seen anything of it")
        else:
            who = named("agent", asked.player, place.structure.agents)
            places.append((heading, place.perspective(who)))
    return _Story(Path(file).stem, places, story.naming)
