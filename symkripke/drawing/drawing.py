"""Drawing structures, scenes, perspectives and stories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from symkripke.drawing.areas import areas_layout
from symkripke.drawing.compose import Look, picture_of, shown_in, way_picture
from symkripke.drawing.finding import (
    MOST_WORLDS,
    Progress,
    WorldSelection,
    all_worlds,
    consecutive,
    has_more_worlds,
    vanishing,
    way,
)
from symkripke.drawing.finding import near as near_worlds
from symkripke.drawing.geometry import Layout
from symkripke.drawing.html import page
from symkripke.drawing.kept import kept_layout
from symkripke.drawing.labels import Naming
from symkripke.drawing.picture import Picture
from symkripke.drawing.svg import Panel, svg, themed
from symkripke.drawing.table import table_layout
from symkripke.engines import engine
from symkripke.engines.asked import check_listed
from symkripke.errors import InputError, SymkripkeError, TooManyWorlds, UnknownName, check_name
from symkripke.language import Formula
from symkripke.language.printer import brief
from symkripke.limits import within
from symkripke.model import EpistemicState, KnowledgeStructure, Scene

Place = EpistemicState | KnowledgeStructure
"""The things that can be drawn."""

LAYOUTS = ("auto", "areas", "lines", "table")
"""The ways to draw cells."""

MOST_PANELS = 40
"""The maximum number of pictures of a story."""

MOST_IN_STORY = 400
"""The maximum number of worlds in all pictures of a story."""

# The maximum number of worlds in a readable graph.
_MOST_IN_LINES = 40

# Bounds of the pictures that are shown next to tables by default: the number of worlds, and the
# time to find them, in seconds.
_FEW = 24
_SOON = 2.0


@dataclass(frozen=True, eq=False, repr=False)
class Drawing:
    """Pictures side by side: one of a model, or several of a story.

    Attributes:
        title: the title of the drawing.
        panels: the pictures with their layouts.
    """

    title: str
    panels: tuple[Panel, ...]

    def __repr__(self) -> str:
        worlds = ", ".join(str(len(panel.picture.worlds)) for panel in self.panels)
        return f"<Drawing: {self.title}: {worlds} worlds>"

    def _repr_svg_(self) -> str:
        return self.svg

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The contents of the pictures, as data."""
        return tuple(panel.picture for panel in self.panels)

    @cached_property
    def svg(self) -> str:
        """The drawing as an SVG file."""
        return svg(self.panels, self.title)

    @cached_property
    def themed_svg(self) -> str:
        """The drawing for a page that sets its colours (CSS variables `--drawing-...`)."""
        return themed(self.svg)

    @cached_property
    def html(self) -> str:
        """The drawing as a self-contained page."""
        return page(self.panels, self.title)

    def data(self) -> dict[str, Any]:
        """Return the contents of the pictures as plain data for JSON."""
        return {
            "title": self.title,
            "pictures": [
                {"heading": panel.heading, "layout": panel.layout.kind, **panel.picture.data()}
                for panel in self.panels
            ],
        }

    def save(self, path: str | Path) -> None:
        """Write the drawing to a file: SVG, or a page if the name ends with `.html`."""
        text = self.html if str(path).endswith((".html", ".htm")) else self.svg
        Path(path).write_text(text, encoding="utf-8", newline="\n")


@dataclass(frozen=True)
class Options:
    """The options of a drawing.

    Attributes:
        near: the maximum number of steps from the actual world; None for the whole model.
        width: the number of other worlds to look for in each cell of a neighbourhood.
        agents: the agents whose cells are drawn; empty for all agents.
        formula: the formula whose worlds are grey; None for no formula.
        layout: one of `LAYOUTS`.
        naming: the fluents to show, and the words for them.
        most: the maximum number of worlds of a whole model.
        about: formulas; the worlds of a cell in a neighbourhood differ in the truth of one of them.
            Without formulas, they differ in at least one fluent.
    """

    near: int | None = None
    width: int = 1
    agents: tuple[str, ...] = ()
    formula: Formula | str | None = None
    layout: str = "auto"
    naming: Naming = field(default_factory=Naming)
    most: int = MOST_WORLDS
    about: tuple[Formula, ...] = ()

    def check(self, structure: KnowledgeStructure) -> None:
        """Raise `InputError` or `UnknownName` for options that do not fit the structure."""
        for agent in self.agents:
            structure.vocabulary.agent(agent)
        known = (*self.naming.coded, *structure.vocabulary.plain)
        for name in self.naming.chosen:
            if name not in known:
                raise UnknownName("fluent", name, known)
        check_name("layout", self.layout, LAYOUTS)
        for number, what, least in ((self.near, "near", 1), (self.width, "width", 1)):
            if number is not None and number < least:
                raise InputError(f"{what}: expected a number of {least} or more, got {number}")


def draw(
    place: Place,
    formula: Formula | str | None = None,
    *,
    near: int | None = None,
    width: int = 1,
    agents: Sequence[str] = (),
    fluents: Sequence[str] = (),
    layout: str = "auto",
    why: Formula | str | None = None,
    title: str = "",
    naming: Naming | None = None,
    about: Sequence[Formula] = (),
) -> Drawing:
    """Draw a model: its worlds and, for each agent, the worlds that it cannot tell apart.

    Args:
        place: a structure; a scene, whose actual world is marked; or a perspective, with marks on
            the worlds that its agent considers possible.
        formula: a formula whose worlds are drawn in grey.
        near: the maximum number of steps from the actual world, for large models; None to draw the
            whole model.
        width: the number of other worlds to look for in each cell of a neighbourhood.
        agents: the agents whose cells are drawn; by default, all agents.
        fluents: the fluents whose values are shown; by default, the fluents that differ.
        layout: the way to draw cells: "areas", "lines", "table", or "auto" for the clearest one.
        why: a formula; only the worlds that show why it is true or false at the scene are drawn.
        title: the heading of the page; screen readers read it first.
        naming: the words for agents, fluents and values on labels; by default, their names.
        about: propositional formulas; the worlds of a cell in a neighbourhood differ in the truth
            of one of them. Without formulas, they differ in at least one fluent.

    Raises:
        TooManyWorlds: there are too many worlds for a picture; the message says what to draw
            instead.
        ImpossibleEvent: there is no world.
        UnknownName: there is no such agent, fluent or layout.
        InputError: the drawing must start from an actual world, and the model has none.
    """
    named = replace(naming or Naming(), chosen=tuple(fluents))
    options = Options(near, width, tuple(agents), formula, layout, named, about=tuple(about))
    if why is not None:
        return draw_way(place, why, options, title)
    return draw_story([("", place)], options, title)


def draw_way(place: Place, formula: Formula | str, options: Options, title: str = "") -> Drawing:
    """Draw the worlds that show why a formula is true or false, in the order of the explanation."""
    if not isinstance(place, Scene):
        raise InputError(
            "the path of a question begins at the actual world, and this model has none"
        )
    from symkripke.drawing.lines import way_layout

    options.check(place.structure)
    worlds, steps, said = way(place, formula, engine())
    said_of = options.naming.said
    words = formula if isinstance(formula, str) else (brief if said_of is str else said_of)(formula)
    caption = f"{words}: {said}"
    picture = way_picture(place.structure, worlds, steps, options.naming, caption)
    return Drawing(title or f"Why {caption}", (Panel(caption, picture, way_layout(picture)),))


def draw_story(
    moments: Sequence[tuple[str, Place]],
    options: Options,
    title: str = "",
    tell: Progress | None = None,
) -> Drawing:
    """Draw the effect of events on a model: a picture of each moment, with a heading.

    Each moment must come after the previous one. Worlds that are impossible at the next moment are
    crossed out, and the others keep their places if possible.
    """
    if not moments:
        raise InputError("there is no moment to draw")
    if len(moments) > MOST_PANELS:
        raise InputError(
            f"the story has {len(moments)} moments, and a strip has at most {MOST_PANELS}: draw a "
            "step of it"
        )
    structures = [_structure(place) for _, place in moments]
    if not consecutive(structures):
        raise InputError("each moment of a story must come after the one before it")
    options.check(structures[-1])
    selections = [_found(place, options, tell) for _, place in moments]
    worlds = sum(len(moment.worlds) for moment in selections)
    if len(moments) > 2 and worlds > MOST_IN_STORY:
        raise TooManyWorlds(
            f"the story has {worlds:,} worlds, and a strip has at most {MOST_IN_STORY:,}: draw a "
            "step of it"
        )
    gone = [vanishing(before, after.structure) for before, after in pairwise(selections)]
    looked = Look(
        options.naming,
        options.agents or structures[0].agents,
        shown_in(selections, options.naming),
        options.formula,
    )
    panels: list[Panel] = []
    for number, (heading, place) in enumerate(moments):
        vanishes = gone[number] if number < len(gone) else frozenset[int]()
        picture = picture_of(selections[number], place, looked, engine(), vanishes, heading)
        layout = kept_layout(panels[-1], picture) if panels else None
        panels.append(Panel(heading, picture, layout or layout_of(picture, options.layout)))
    caption = title or "Who cannot tell which worlds apart"
    return Drawing(caption, tuple(panels))


def small_picture(place: Place) -> str:
    """Return the SVG of a small model, to show next to its tables; empty for a larger model."""
    try:
        with within(seconds=_SOON):
            if has_more_worlds(_structure(place), _FEW):
                return ""
            return draw_story([("", place)], Options(most=_FEW)).svg
    except SymkripkeError:
        return ""


def _structure(place: Place) -> KnowledgeStructure:
    structure = place if isinstance(place, KnowledgeStructure) else place.structure
    check_listed(structure, "a picture")
    return structure


def _found(place: Place, options: Options, tell: Progress | None) -> WorldSelection:
    """Return the worlds to draw for one moment."""
    structure = _structure(place)
    if options.near is None:
        return all_worlds(structure, options.most)
    if isinstance(place, KnowledgeStructure):
        raise InputError("a neighbourhood needs an actual world, and this model has none")
    return near_worlds(place, options.near, options.width, options.agents, tell, options.about)


def layout_of(picture: Picture, kind: str = "auto") -> Layout:
    """Return the layout of this kind; for "auto", the first clear layout.

    Raises:
        InputError: the picture would not be clear in that layout.
    """
    if kind in ("auto", "areas") and (layout := areas_layout(picture)):
        return layout
    if kind in ("auto", "lines") and len(picture.worlds) <= _MOST_IN_LINES:
        from symkripke.drawing.lines import lines_layout  # importing numpy is slow

        if layout := lines_layout(picture):
            return layout
    if kind in ("auto", "table"):
        return table_layout(picture)
    raise InputError(
        f"this model is not clear in {kind}: there are too many worlds, or too many different "
        "cells; leave the layout open, or take a table"
    )
